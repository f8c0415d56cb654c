//! Fingerprints of the code of nodes: one changes whenever a declaration does that the node depends on, and not with its layout.
//!
//! It is taken from the tokens of the node and of all nodes, constants, types and contracts that it mentions, directly or through others. Comments and
//! white space are no part of it; local variables are numbered in the order of first mention.

use std::collections::{BTreeSet, HashMap, HashSet};

use obligato_lustre_syntax::ast::declaration::{
    Body, Declaration, DeclarationKind, TypeDefinition,
};
use obligato_lustre_syntax::ast::item::Local;
use obligato_lustre_syntax::token::{Token, TokenKind, Tokens};
use obligato_lustre_syntax::{ByteSpan, SyntaxTree};

use super::LoadedModel;
use crate::fingerprints::Codes;

/// By call of a node, the fingerprint of its code.
pub fn codes(loaded: &LoadedModel) -> Codes {
    let (Ok(text), Ok(tree)) = (std::str::from_utf8(loaded.file.bytes()), loaded.file.parse())
    else {
        return Codes::new();
    };
    let file = File::new(text, &tree);
    let functions = loaded.lowered.program.functions().iter();
    let named = functions.filter_map(|function| {
        let code = file.fingerprint(node_of(&function.name))?;
        Some((function.name.clone(), code))
    });
    named.collect()
}

/// The node of a call: `f` of `main/f#2`.
fn node_of(call: &str) -> &str {
    let last = call.rsplit('/').next().unwrap_or(call);
    last.split('#').next().unwrap_or(last)
}

/// The declarations of a file.
struct File {
    /// Per declaration, its number and what it mentions.
    declarations: Vec<Declared>,
    /// By name, the declaration.
    names: HashMap<String, usize>,
}

struct Declared {
    hash: u64,
    mentions: BTreeSet<usize>,
}

impl File {
    fn new(text: &str, tree: &SyntaxTree) -> Self {
        let mut names = HashMap::new();
        for (at, declaration) in tree.declarations.iter().enumerate() {
            for name in names_of(declaration, tree) {
                names.insert(name, at);
            }
        }
        let tokens = tokens_of(text);
        let declare = |declaration: &Declaration| {
            let own = within(&tokens, declaration.span);
            declared(text, own, &locals_of(text, declaration, own), &names)
        };
        let declarations = tree.declarations.iter().map(declare).collect();
        Self { declarations, names }
    }

    /// The fingerprint of a declaration with all that it depends on, in 16 hexadecimal digits.
    fn fingerprint(&self, name: &str) -> Option<String> {
        let start = *self.names.get(name)?;
        let mut seen = BTreeSet::from([start]);
        let mut open = vec![start];
        while let Some(at) = open.pop() {
            for other in &self.declarations[at].mentions {
                if seen.insert(*other) {
                    open.push(*other);
                }
            }
        }
        seen.remove(&start);
        // In an order that does not change when declarations change places.
        let mut others: Vec<u64> = seen.into_iter().map(|at| self.declarations[at].hash).collect();
        others.sort_unstable();
        let mut hash = Hash(self.declarations[start].hash);
        for other in others {
            hash.add(&other.to_be_bytes());
        }
        Some(format!("{:016x}", hash.0))
    }
}

/// The names that a declaration declares, enumerators among them.
fn names_of(declaration: &Declaration, tree: &SyntaxTree) -> Vec<String> {
    let names = match &declaration.kind {
        DeclarationKind::Include(_) | DeclarationKind::Open(_) => Vec::new(),
        DeclarationKind::Type(one) => match &one.definition {
            TypeDefinition::Enumeration(values) => one.names.iter().chain(values).collect(),
            _ => one.names.iter().collect(),
        },
        DeclarationKind::Constant(one) => one.names.iter().collect(),
        DeclarationKind::Node(one) => vec![&one.name],
        DeclarationKind::Contract(one) => vec![&one.name],
        DeclarationKind::Instance(one) => vec![&one.name],
    };
    names.into_iter().map(|name| tree.text(name.symbol).to_owned()).collect()
}

fn tokens_of(text: &str) -> Vec<Token> {
    let mut tokens = Tokens::new(text);
    let mut all = Vec::new();
    loop {
        let token = tokens.take();
        if token.kind == TokenKind::End {
            return all;
        }
        all.push(token);
    }
}

fn within(tokens: &[Token], span: ByteSpan) -> &[Token] {
    let place = |offset: u32| tokens.partition_point(|token| token.span.start < offset);
    &tokens[place(span.start)..place(span.end)]
}

/// The names of the local variables and constants of a node.
fn locals_of<'t>(text: &'t str, declaration: &Declaration, tokens: &[Token]) -> HashSet<&'t str> {
    let DeclarationKind::Node(node) = &declaration.kind else { return HashSet::new() };
    let Body::Defined(body) = &node.body else { return HashSet::new() };
    let mut locals = HashSet::new();
    for local in &body.locals {
        match local {
            Local::Variables(group) => {
                let own = within(tokens, group.span).iter();
                let names = own.take_while(|token| token.kind != TokenKind::Colon);
                let names = names.filter(|token| token.kind == TokenKind::Name);
                locals.extend(names.map(|token| spelling(text, token.span)));
            }
            Local::Constant(constant) => {
                locals.extend(constant.names.iter().map(|name| spelling(text, name.span)));
            }
        }
    }
    locals
}

fn spelling(text: &str, span: ByteSpan) -> &str {
    text.get(span.start as usize..span.end as usize).unwrap_or_default()
}

/// What a declaration says.
fn declared(
    text: &str,
    tokens: &[Token],
    locals: &HashSet<&str>,
    names: &HashMap<String, usize>,
) -> Declared {
    let mut hash = Hash(0xcbf2_9ce4_8422_2325);
    let mut mentions = BTreeSet::new();
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut before = None;
    for token in tokens {
        let word = spelling(text, token.span);
        // Behind a dot stands a field. A local that hides a declaration keeps its name: which of the two is meant is not told here.
        let is_plain = token.kind == TokenKind::Name && before != Some(TokenKind::Dot);
        if is_plain && locals.contains(word) && !names.contains_key(word) {
            let next = numbers.len();
            let number = *numbers.entry(word).or_insert(next);
            hash.add(format!("$ {number}").as_bytes());
        } else {
            hash.add(word.as_bytes());
        }
        if let Some(at) = names.get(word).filter(|_| is_plain) {
            mentions.insert(*at);
        }
        before = Some(token.kind);
    }
    Declared { hash: hash.0, mentions }
}

/// Fowler–Noll–Vo 1a over 64 bits: stable across platforms and releases.
struct Hash(u64);

impl Hash {
    /// Adds some bytes and where they end: no text has the byte that is added then.
    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes.iter().chain(&[0xff]) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

#[cfg(test)]
mod tests {
    use obligato_lustre_syntax::parse;

    use super::*;

    const MODEL: &str = "const N = 3;\nnode inner(a: int) returns (b: bool);\nlet b = a > N; tel\n\
                         node main(x: int) returns (y: bool);\nvar low, high: bool;\nlet low = inner(x); -- why\n  \
                         high = not low;\n  y = high or low;\ntel\nnode other(x: int) returns (y: int);\nlet y = x; tel\n";

    fn fingerprint(text: &str) -> String {
        let tree = parse(text.as_bytes()).unwrap().program;
        File::new(text, &tree).fingerprint(node_of("main/main#2")).unwrap()
    }

    #[test]
    fn comments_layout_order_and_names_of_locals_do_not_count() {
        let before = fingerprint(MODEL);
        let (_, without_first) = MODEL.split_once('\n').unwrap();
        for same in [
            MODEL.replace("-- why", "(* because *)"),
            MODEL.replace("high or", "high\n\n   or"),
            MODEL.replace("low", "least").replace("high", "most"),
            MODEL.replace("let y = x; tel", "let y = x + 1; tel"),
            format!("{without_first}const N = 3;\n"),
        ] {
            assert_eq!(fingerprint(&same), before, "{same}");
        }
    }

    #[test]
    fn what_it_depends_on_counts() {
        let before = fingerprint(MODEL);
        for other in [
            MODEL.replace("N = 3", "N = 4"),
            MODEL.replace("a > N", "a >= N"),
            MODEL.replace("high or low", "low or high"),
            MODEL.replace("low", "high2").replace("high or", "x > 0 or"),
        ] {
            assert_ne!(fingerprint(&other), before, "{other}");
        }
    }
}
