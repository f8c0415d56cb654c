//! The places that debug information gives to the code of each function, from the text of bitcode.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use obligato_clang::{Compiler, Condition, Stretch, Syntax, Text};
use obligato_model::{Circuit, Node, Operator, Position, Span};

use super::plan::place;

/// Per function with code, the places of its instructions.
pub type Places = BTreeMap<String, BTreeSet<Position>>;

/// Compiles a text as `Text::compile` does, and reads what debug information says.
pub fn places(text: &Text, directory: &Path) -> Places {
    text.write("", &directory.join("places.i")).expect("the text can be written");
    let flags =
        ["-S", "-emit-llvm", "-O0", "-g", "-Xclang", "-disable-llvm-passes", "-x", "cpp-output"];
    let built = text.build(Compiler::Clang, &flags, &["places.i"], "places.ll", directory);
    let assembly = fs::read(built.expect("the text compiles")).expect("there is bitcode as text");
    read(&String::from_utf8_lossy(&assembly))
}

fn read(assembly: &str) -> Places {
    let located: BTreeMap<&str, Position> = assembly.lines().filter_map(location).collect();
    let mut places = Places::new();
    let mut function = "";
    for line in assembly.lines() {
        if let Some(rest) = line.strip_prefix("define ") {
            let name = rest.split_once('@').map_or("", |(_, name)| name);
            function = name.split('(').next().unwrap_or_default().trim_matches('"');
            places.insert(function.to_owned(), BTreeSet::new());
        } else if let Some((_, reference)) = line.split_once("!dbg ") {
            let reference = reference.split(',').next().unwrap_or_default().trim();
            if let (Some(place), Some(found)) = (located.get(reference), places.get_mut(function)) {
                found.insert(*place);
            }
        }
    }
    places
}

/// Reads `!20 = !DILocation(line: 5, column: 7, scope: !15)`.
fn location(line: &str) -> Option<(&str, Position)> {
    let (name, fields) = line.split_once(" = !DILocation(")?;
    let field = |key: &str| -> Option<u32> {
        let (_, rest) = fields.split_once(key)?;
        rest.split([',', ')']).next()?.parse().ok()
    };
    // The compiler leaves out a zero.
    let position = Position { line: field("line: ")?, column: field("column: ").unwrap_or(0) };
    Some((name, position))
}

/// The conditions and operators that have code, but none at their place; and how many conditions have code.
pub fn misplaced(text: &Text, syntax: &Syntax, places: &Places) -> (usize, Vec<String>) {
    let (mut with_code, mut misplaced) = (0, Vec::new());
    for function in &syntax.functions {
        // A static function that nobody calls has no code.
        let Some(places) = places.get(&function.name) else { continue };
        let has_code = |span: Span| places.range(span.start..span.end).next().is_some();
        for decision in &function.decisions {
            let mut complain = |stretch: &Stretch, what: &str| {
                let at = place(text, stretch.span);
                misplaced.push(format!("{} {at}: {what} {}", function.name, stretch.text));
            };
            let is_live = |condition: &&Condition| {
                condition.constant.is_none() && has_code(condition.stretch.span)
            };
            for condition in decision.conditions.iter().filter(is_live) {
                with_code += 1;
                if !places.contains(&condition.position) {
                    complain(&condition.stretch, "condition");
                }
            }
            // Constants leave no code of the operators around them.
            if decision.conditions.iter().all(|condition| is_live(&condition)) {
                for (node, place) in decision.tree.nodes().iter().zip(&decision.places) {
                    let branches = matches!(
                        node,
                        Node::Binary(
                            Operator::And(Circuit::Short) | Operator::Or(Circuit::Short),
                            ..
                        )
                    );
                    if branches && !places.contains(place) {
                        complain(&decision.stretch, "operator");
                    }
                }
            }
        }
    }
    (with_code, misplaced)
}
