//! Every model of the collection: what becomes of it, and that it survives printing.

mod support;

use std::fmt::Write as _;

use obligato_lustre_syntax::ast::{Body, DeclarationKind, ItemKind, Local};
use obligato_lustre_syntax::{SyntaxTree, parse};
use support::{assert_golden, assert_round_trip, crate_directory, models, render};

#[test]
fn every_model_has_the_outcome_in_the_table() {
    let models = models();
    if models.is_empty() {
        return;
    }
    let mut table = String::new();
    for (name, text) in &models {
        match parse(text) {
            Ok(parsed) => {
                let _ = writeln!(table, "{name}: {}", summary(&parsed.program));
                table += &render(name, text, &parsed.warnings);
            }
            Err(diagnostics) => {
                let _ = writeln!(table, "{name}: refused");
                table += &render(name, text, &diagnostics);
            }
        }
    }
    assert_golden(&crate_directory().join("tests/golden/models.txt"), &table);
}

#[test]
fn every_model_parses_to_the_same_tree_after_printing() {
    for (name, text) in models() {
        assert_round_trip(&name, &text);
    }
}

/// How many there are of what.
fn summary(program: &SyntaxTree) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    let mut count = |what, number| match counts.iter_mut().find(|(known, _)| *known == what) {
        Some((_, total)) => *total += number,
        None => counts.push((what, number)),
    };
    for declaration in &program.declarations {
        match &declaration.kind {
            DeclarationKind::Include(_) => count("includes", 1),
            DeclarationKind::Open(_) => count("libraries", 1),
            DeclarationKind::Type(_) => count("types", 1),
            DeclarationKind::Constant(_) => count("constants", 1),
            DeclarationKind::Contract(_) => count("contracts", 1),
            DeclarationKind::Instance(_) => count("instances", 1),
            DeclarationKind::Node(node) => {
                count("nodes", 1);
                if let Body::Defined(body) = &node.body {
                    let variables = body.locals.iter().map(|local| match local {
                        Local::Variables(group) => group.names.len(),
                        Local::Constant(_) => 0,
                    });
                    count("locals", variables.sum());
                    for id in &body.items {
                        match &program.item(*id).kind {
                            ItemKind::Equation(..) => count("equations", 1),
                            ItemKind::Assert(_) => count("assertions", 1),
                            ItemKind::Property(_) => count("properties", 1),
                            _ => count("other items", 1),
                        }
                    }
                }
            }
        }
    }
    count("expressions", program.exprs().len());
    let words = counts.iter().filter(|(_, number)| *number > 0);
    let words: Vec<String> = words.map(|(what, number)| format!("{number} {what}")).collect();
    words.join(", ")
}
