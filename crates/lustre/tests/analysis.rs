//! What becomes of models when they are analysed: a table of the collection, and one golden
//! message per mistake.

mod support;

use std::fmt::Write as _;
use std::fs;

use obligato_lustre::analysis::{Extent, Model, Options, analyse};
use obligato_lustre_syntax::{Diagnostic, Severity, parse};
use support::{assert_golden, crate_directory, models, render};

fn analyse_text(text: &[u8], options: &Options<'_>) -> Result<Model, Vec<Diagnostic>> {
    parse(text).and_then(|parsed| analyse(parsed.program, options))
}

/// What a model has, one number each.
fn summary(model: &Model) -> String {
    let main = model.main_node();
    let decisions = || model.nodes.iter().flat_map(|node| &node.decisions);
    let conditions: usize = decisions().map(|decision| decision.conditions.len()).sum();
    let equations: usize = model.nodes.iter().map(|node| node.equations.len()).sum();
    format!(
        "main {}, {} nodes, {} inputs, {} outputs, {equations} equations, {} decisions, \
         {conditions} conditions, {} warnings",
        model.text(main.name.symbol),
        model.node_count(),
        main.inputs.len(),
        main.outputs.len(),
        decisions().count(),
        model.warnings.len(),
    )
}

#[test]
fn every_model_is_analysed_or_refused_as_the_table_says() {
    let models = models();
    if models.is_empty() {
        return;
    }
    let mut table = String::new();
    for (name, text) in &models {
        // The last node of this one has an output without a definition; another is complete.
        let mains: &[Option<&str>] =
            if name.ends_with("syntax-test.lus") { &[None, Some("Y")] } else { &[None] };
        for main in mains {
            match analyse_text(text, &Options { main: *main }) {
                Ok(model) => {
                    let _ = writeln!(table, "{name}: {}", summary(&model));
                }
                Err(diagnostics) => {
                    let _ = writeln!(table, "{name}: refused");
                    let errors = diagnostics.into_iter().filter(|d| d.severity == Severity::Error);
                    table += &render(name, text, &errors.collect::<Vec<_>>());
                }
            }
        }
    }
    assert_golden(&crate_directory().join("tests/golden/analysis.txt"), &table);
}

#[test]
fn every_mistake_is_reported_with_its_place() {
    let directory = crate_directory().join("tests/bad_models");
    let mut paths: Vec<_> = fs::read_dir(&directory)
        .expect("a directory of bad models")
        .map(|entry| entry.expect("an entry of a directory").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "lus"))
        .collect();
    paths.sort();
    assert!(paths.len() >= 40, "{} bad models", paths.len());
    for path in paths {
        let text = fs::read(&path).expect("a bad model");
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        let diagnostics = match analyse_text(&text, &Options::default()) {
            Ok(model) => model.warnings,
            Err(diagnostics) => diagnostics,
        };
        assert!(!diagnostics.is_empty(), "nothing is wrong with {name}");
        assert_golden(&path.with_extension("txt"), &render(&name, &text, &diagnostics));
    }
}

#[test]
fn a_main_node_that_does_not_exist_or_has_no_body_is_refused() {
    let text = b"function f(x: int) returns (y: int);\n\
                 node g(x: int) returns (y: int); let y = f(x); tel;\n";
    let error = |main| analyse_text(text, &Options { main: Some(main) }).unwrap_err()[0].clone();
    assert_eq!(error("h").message, "there is no node 'h' to be the main node");
    assert_eq!(error("h").help.as_deref(), Some("the nodes are g"));
    assert_eq!(error("f").message, "'f' has no body, so it cannot be the main node");
    assert!(analyse_text(text, &Options { main: Some("g") }).is_ok());
}

#[test]
fn the_decisions_of_all_nodes_make_a_program_to_plan_on() {
    let text = b"type point = struct { x: int; ok: bool };\n\
        node inner(a: bool; n: subrange [0, 3] of int) returns (b: bool);\n\
        let b = a and\n   -- why\n   n = 3; tel;\n\
        node main(p: point; v: bool^2) returns (o: int);\n\
        let o = if inner(p.ok or v[1], 2) then 1 else 0;\n assert p.x > 0; tel;\n";
    let model = analyse_text(text, &Options::default()).unwrap();
    let program = model.program_of_sources("m.lus", text, Extent::Equations);
    let names: Vec<_> = program.functions().iter().map(|f| (&f.name[..], f.entered)).collect();
    assert_eq!(names, [("inner", false), ("main", false)]);
    let texts: Vec<_> = program.decisions().iter().map(|d| (&d.text[..], d.span.start)).collect();
    let at = |line, column| obligato_model::Position { line, column };
    assert_eq!(
        texts,
        [
            ("a and n = 3", at(3, 9)),
            ("inner(p.ok or v[1], 2)", at(7, 12)),
            ("p.ok or v[1]", at(7, 18)),
        ]
    );
    let nested = program.decisions()[2].nested_in;
    assert_eq!(nested, Some(program.decisions()[1].first_condition));
    let inputs: Vec<_> = program.interface.inputs.iter().map(|v| &v.name[..]).collect();
    assert_eq!(inputs, ["p.x", "p.ok", "v[0]", "v[1]"]);
    let all = model.program_of_sources("m.lus", text, Extent::Everything);
    assert_eq!(all.decisions().len(), 4);
}
