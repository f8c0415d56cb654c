//! `_Generic` evaluates one of its associations, and never what it looks at.
//!
//! libclang does not say which one. The association has the type of the whole, which decides where the types differ; else
//! the name in front of it does, unless that is a typedef's, and then the choice stays open.

use super::uses::Use;
use crate::libclang::Kind;
use crate::tree::{NodeIndex, Tree};

/// Says of the parts of a `_Generic` which is used: the chosen one, or none if that is not known.
pub(crate) fn choose(tree: &Tree<'_>, index: NodeIndex, uses: &mut [Use]) {
    let chosen = chosen(tree, index);
    for part in tree.children(index) {
        uses[part] = if Some(part) == chosen { Use::Value } else { Use::Nothing };
    }
}

/// Is it a `_Generic` of which nobody here knows what it chooses, and may there be a decision in what it chooses from?
pub(crate) fn is_open(tree: &Tree<'_>, index: NodeIndex) -> bool {
    let decides = |part: NodeIndex| {
        let kinds = [Kind::Binary, Kind::Unary, Kind::Conditional, Kind::StatementExpression];
        tree.subtree(part).any(|node| kinds.contains(&tree.kind(node)))
    };
    tree.kind(index) == Kind::Generic
        && tree.children(index).skip(1).any(decides)
        && chosen(tree, index).is_none()
}

fn chosen(tree: &Tree<'_>, index: NodeIndex) -> Option<NodeIndex> {
    let mut parts = tree.children(index).filter(|&part| tree.node(part).cursor.is_expression());
    let control = parts.next()?;
    let associations: Vec<NodeIndex> = parts.collect();
    let identity = |node: NodeIndex| tree.node(node).cursor.typed().plain().identity();
    let mut of_type = associations.iter().filter(|&&one| identity(one) == identity(index));
    if let (Some(&only), None) = (of_type.next(), of_type.next()) {
        return Some(only);
    }
    let wanted = type_name(&tree.node(control).cursor.typed().plain().spelling());
    let mut start = tree.node(control).tokens.end + 1;
    let (mut default, mut unsure) = (None, false);
    for association in associations {
        let tokens = &tree.node(association).tokens;
        let label = tree.text.joined(start..tokens.start.saturating_sub(1));
        match type_name(&label) {
            _ if label.trim() == "default" => default = Some(association),
            name if name.is_some() && name == wanted => return Some(association),
            name => unsure |= name.is_none(),
        }
        start = tokens.end + 1;
    }
    default.filter(|_| !unsure && wanted.is_some())
}

/// One name for each type that is written with C's own words, and for what has a tag; `None` for a typedef's.
fn type_name(text: &str) -> Option<String> {
    let spaced = text.replace('*', " * ").replace('[', " [ ").replace('(', " ( ");
    let (mut base, mut rest) = (Vec::new(), Vec::new());
    let mut tagged = false;
    for word in spaced.split_whitespace() {
        match word {
            "char" | "short" | "int" | "long" | "signed" | "unsigned" => base.push(word),
            "void" | "float" | "double" | "_Bool" | "const" | "volatile" | "*" => rest.push(word),
            "struct" | "union" | "enum" => {
                tagged = true;
                rest.push(word);
            }
            tag if tagged => {
                tagged = false;
                rest.push(tag);
            }
            _ => return None,
        }
    }
    let count = |wanted: &str| base.iter().filter(|&&word| word == wanted).count();
    let sign = match (count("unsigned"), count("char"), count("signed")) {
        (0, 0, _) | (0, _, 0) => "",
        (0, ..) => "signed",
        _ => "unsigned",
    };
    let size = match (base.len(), count("char"), count("short"), count("long")) {
        (0, ..) => "",
        (_, 1.., ..) => "char",
        (_, _, 1.., _) => "short",
        (_, _, _, 1) => "long",
        (_, _, _, 2..) => "long long",
        _ => "int",
    };
    Some(format!("{sign} {size} {}", rest.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_type_has_one_name() {
        for (one, other) in [
            ("unsigned", "unsigned int"),
            ("long int", "long"),
            ("signed long long", "long long int"),
            ("signed", "int"),
            ("short unsigned int", "unsigned short"),
            ("const char*", "const char *"),
            ("struct s *", "struct s*"),
        ] {
            assert_eq!(type_name(one), type_name(other), "{one}");
        }
        for (one, other) in
            [("char", "signed char"), ("int", "unsigned"), ("int *", "int"), ("long", "long long")]
        {
            assert_ne!(type_name(one), type_name(other), "{one}");
        }
        assert_eq!(type_name("uint8_t"), None);
    }
}
