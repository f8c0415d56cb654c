//! Mutants of every model of the collection: their text, their tree, and their runs.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod support;

use std::fmt::Write as _;
use std::ops::Range;

use obligato_lustre::analysis::{self, Model, NodeId, analyse};
use obligato_lustre::lowering::{Lowered, MutantSystem, Options, lower, lower_mutants};
use obligato_lustre::mutation::{Change, Mutant, MutationOperator, mutants, sample};
use obligato_lustre_syntax::ast::{Expr, ExprId, Visit};
use obligato_lustre_syntax::{Diagnostic, Source, parse};
use obligato_model::{FunctionId, Value};
use obligato_transition_system::{Check, CheckKind, Evaluator, Input, System, TapId};
use support::inputs::Random;
use support::{assert_golden, crate_directory, models, render};

fn analysed(text: &[u8], main: &str) -> Result<Model, Vec<Diagnostic>> {
    parse(text).and_then(|parsed| analyse(parsed.program, &analysis::Options { main: Some(main) }))
}

/// The models that can be simulated.
fn simulated() -> Vec<(String, Vec<u8>, Model, Lowered)> {
    let mut all = Vec::new();
    for (name, text) in models() {
        let main = name.ends_with("syntax-test.lus").then_some("Y");
        let Ok(parsed) = parse(&text) else { continue };
        let Ok(model) = analyse(parsed.program, &analysis::Options { main }) else { continue };
        if let Ok(lowered) = lower(&model, &name, &text, &Options::default()) {
            all.push((name, text, model, lowered));
        }
    }
    all
}

fn mutated(name: &str, text: &[u8], model: &Model, mutants: &[Mutant]) -> MutantSystem {
    let found = lower_mutants(model, name, text, &Options::default(), mutants);
    found.unwrap_or_else(|why| panic!("{}", render(name, text, &why)))
}

fn main_name(model: &Model) -> &str {
    model.text(model.main_node().name.symbol)
}

/// Few enough that the rewritten files of a model are read in a moment.
fn few(model: &Model, text: &[u8]) -> Vec<Mutant> {
    let count = (400_000 / text.len().max(1)).clamp(2, 60);
    sample(&mutants(model), count, 7)
}

#[test]
fn every_model_has_as_many_mutants_as_the_table_says() {
    let all = simulated();
    if all.is_empty() {
        return;
    }
    let mut table = String::new();
    for (name, _, model, _) in &all {
        let found = mutants(model);
        let _ = write!(table, "{name}: {}", found.len());
        for operator in MutationOperator::ALL {
            let count = found.iter().filter(|one| one.operator == operator).count();
            let _ = write!(table, ", {} {count}", operator.name());
        }
        table.push('\n');
    }
    assert_golden(&crate_directory().join("tests/golden/mutants.txt"), &table);
}

/// An expression without its operands.
fn shallow(model: &Model, id: ExprId) -> String {
    let program = &model.program;
    match program.expr(id) {
        Expr::Name(text) | Expr::Int(text) | Expr::Real(text) => program.text(text).to_owned(),
        Expr::Bool(value) => value.to_string(),
        Expr::Unary(operator, _) => format!("{operator:?}"),
        Expr::Binary(operator, ..) => format!("{operator:?}"),
        Expr::Field(_, field) => format!(".{}", program.text(field)),
        Expr::Call(call) => program.text(program.call(call).node.symbol).to_owned(),
        other => format!("{other:?}").chars().take_while(|c| c.is_alphanumeric()).collect(),
    }
}

/// The expressions of an equation in the order of a walk, and where those below `part` are.
fn flattened(model: &Model, root: ExprId, part: Option<ExprId>) -> (Vec<String>, Range<usize>) {
    let (mut found, mut range) = (Vec::new(), 0..0);
    for visit in model.program.walk(root) {
        match visit {
            Visit::Enter(id) => {
                if Some(id) == part {
                    range.start = found.len();
                }
                found.push(shallow(model, id));
            }
            Visit::Leave(id) if Some(id) == part => range.end = found.len(),
            Visit::Leave(_) => {}
        }
    }
    (found, range)
}

/// What a change makes of an expression; `None` if that is one name or number.
fn expected(change: &Change, old: &[String]) -> Option<Vec<String>> {
    let one = |text: &str| vec![text.to_owned()];
    Some(match change {
        Change::Operator(operator) => [one(&format!("{operator:?}")), old[1..].to_vec()].concat(),
        Change::Negate => [one("Not"), old.to_vec()].concat(),
        Change::Strip => old[1..].to_vec(),
        Change::Delay => [one("Arrow"), old.to_vec(), one("Pre"), old.to_vec()].concat(),
        Change::Value(_) | Change::Variable(_) | Change::Constant(_) => return None,
    })
}

#[test]
fn a_mutated_file_is_analysed_and_differs_in_one_place_from_the_original() {
    for (name, text, model, _) in simulated() {
        for mutant in few(&model, &text) {
            let file = mutant.apply(&model, &text);
            let after = analysed(&file, main_name(&model)).unwrap_or_else(|why| {
                panic!("{mutant:?}\n{}", render(&name, &file, &why));
            });
            for (position, (one, other)) in model.nodes.iter().zip(&after.nodes).enumerate() {
                assert_eq!(one.equations.len(), other.equations.len());
                for (index, (one, other)) in one.equations.iter().zip(&other.equations).enumerate()
                {
                    let place = (NodeId::new(position), index as u32);
                    let part = (place == (mutant.node, mutant.equation)).then_some(mutant.expr);
                    let (old, range) = flattened(&model, one.value, part);
                    let (new, _) = flattened(&after, other.value, None);
                    if part.is_none() {
                        assert_eq!(old, new, "{name}: {mutant:?}");
                        continue;
                    }
                    assert_ne!(old, new, "{name}: {mutant:?}");
                    let (before, behind) = (&old[..range.start], &old[range.end..]);
                    assert!(new.starts_with(before) && new.ends_with(behind), "{mutant:?}");
                    let changed = &new[before.len()..new.len() - behind.len()];
                    if let Some(expected) = expected(&mutant.change, &old[range]) {
                        assert_eq!(changed, expected, "{name}: {mutant:?}");
                    }
                }
            }
        }
    }
}

/// The outputs and failed checks of some steps, with inputs by name; `None` from where a number
/// exceeds the size limit.
fn run(
    system: &System,
    taps: &[TapId],
    names: &[String],
    steps: &[Vec<Value>],
) -> Vec<Option<Vec<Value>>> {
    let mut evaluator = Evaluator::new(system);
    for tap in taps {
        evaluator.force(*tap, Value::Bool(true)).unwrap();
    }
    let position = |input: &Input| names.iter().position(|name| *name == input.name).unwrap();
    let order: Vec<usize> = system.inputs.iter().map(position).collect();
    let mut shown = Vec::new();
    for step in steps {
        let inputs: Vec<Value> = order.iter().map(|index| step[*index].clone()).collect();
        if evaluator.step(&inputs).is_err() {
            shown.push(None);
            break;
        }
        let outputs = (0..system.outputs.len()).map(|index| evaluator.output(index).unwrap());
        let holds = |check: &Check| evaluator.value(check.node) == Some(&Value::Bool(true));
        // Which divisions are checked where depends on the graph; that one fails does not.
        let kinds = [
            CheckKind::Assertion,
            CheckKind::Property,
            CheckKind::DivisionByZero,
            CheckKind::Subrange,
            CheckKind::Index,
        ];
        let all_hold = kinds.map(|kind| {
            Value::Bool(system.checks.iter().filter(|check| check.kind == kind).all(holds))
        });
        shown.push(Some(outputs.chain(all_hold).collect()));
    }
    shown
}

#[test]
fn a_forced_tap_makes_the_system_the_mutant_and_none_the_original() {
    let mut different = 0;
    for (name, text, model, lowered) in simulated() {
        let mutants = few(&model, &text);
        let together = mutated(&name, &text, &model, &mutants);
        let (system, original) = (&together.lowered.system, &lowered.system);
        let names: Vec<String> = original.inputs.iter().map(|input| input.name.clone()).collect();
        assert_eq!(together.lowered.interface, lowered.interface, "{name}");
        let mut random = Random(11);
        let steps: Vec<_> = (0..12).map(|_| random.step(original)).collect();
        let as_written = run(original, &[], &names, &steps);
        assert_eq!(run(system, &[], &names, &steps), as_written, "{name}");
        for (mutant, site) in mutants.iter().zip(&together.sites) {
            let file = mutant.apply(&model, &text);
            let alone = analysed(&file, main_name(&model)).unwrap();
            let alone = lower(&alone, &name, &file, &Options::default())
                .unwrap_or_else(|why| panic!("{mutant:?}\n{}", render(&name, &file, &why)));
            let expected = run(&alone.system, &[], &names, &steps);
            let found = run(system, &site.taps, &names, &steps);
            // Other mutants are computed beside it, so numbers may explode a little earlier.
            for (found, expected) in found.iter().zip(&expected) {
                if let (Some(_), Some(_)) = (found, expected) {
                    let text = String::from_utf8_lossy(&text);
                    let span = mutant.span(&model);
                    let place = &text[span.start as usize..span.end as usize];
                    assert_eq!(found, expected, "{name}: {mutant:?} at '{place}'");
                }
            }
            different += usize::from(expected != as_written);
        }
    }
    assert!(different == 0 || different > 100, "only {different} mutants show");
}

#[test]
fn the_same_seed_gives_the_same_mutants_in_their_order_and_shares() {
    for (name, _, model, _) in simulated() {
        let all = mutants(&model);
        let count = all.len() / 3;
        let one = sample(&all, count, 1);
        assert_eq!(one.len(), count, "{name}");
        assert_eq!(one, sample(&all, count, 1), "{name}");
        let mut rest = all.iter();
        assert!(one.iter().all(|mutant| rest.any(|other| other == mutant)), "{name}: order");
        if count > 20 {
            assert_ne!(one, sample(&all, count, 2), "{name}");
        }
        for operator in MutationOperator::ALL {
            let of = |list: &[Mutant]| list.iter().filter(|one| one.operator == operator).count();
            let (whole, part) = (of(&all) * count, of(&one) * all.len());
            assert!(whole.abs_diff(part) <= all.len(), "{name}: {operator:?}");
        }
        assert_eq!(sample(&all, usize::MAX, 1), all);
    }
}

#[test]
fn no_mutant_is_listed_twice() {
    for (name, text, model, _) in simulated() {
        if text.len() > 100_000 {
            continue;
        }
        let mut seen = std::collections::BTreeSet::new();
        for mutant in mutants(&model) {
            let place = (mutant.span(&model), mutant.text(&model, &text));
            assert!(seen.insert(place), "{name}: {mutant:?}");
        }
    }
}

/// Every mutant of a text, alone and all together.
fn check_all(text: &str) -> Vec<(MutationOperator, String, String)> {
    let text = text.as_bytes();
    let model = analysed(text, "main").unwrap_or_else(|why| panic!("{}", render("", text, &why)));
    let all = mutants(&model);
    let together = mutated("", text, &model, &all);
    assert!(together.sites.iter().all(|site| !site.taps.is_empty()));
    let lowered = lower(&model, "", text, &Options::default()).unwrap();
    let names: Vec<_> = lowered.system.inputs.iter().map(|input| input.name.clone()).collect();
    let mut random = Random(5);
    let steps: Vec<_> = (0..10).map(|_| random.step(&lowered.system)).collect();
    let mut listed = Vec::new();
    for (mutant, site) in all.iter().zip(&together.sites) {
        let file = mutant.apply(&model, text);
        let alone = analysed(&file, "main");
        let alone = alone.unwrap_or_else(|why| panic!("{mutant:?}{}", render("", &file, &why)));
        let alone = lower(&alone, "", &file, &Options::default()).unwrap();
        let found = run(&together.lowered.system, &site.taps, &names, &steps);
        assert_eq!(found, run(&alone.system, &[], &names, &steps), "{mutant:?}");
        let source = Source::new(text);
        let shown = mutant.listed(&model, text, &source, FunctionId::new(0));
        listed.push((mutant.operator, shown.original, shown.replacement));
    }
    listed
}

#[test]
fn each_operator_makes_these_mutants() {
    let listed = check_all(
        "type E = enum { A, B, C };
         node main(a, b: bool; n: int; e: E) returns (x: bool; y: int; z: real);
         let
           x = a and not b;
           y = (if e = A then 2 else -n div 3) fby (n + y);
           z = 0.5 -> 1.5 - pre z;
         tel",
    );
    let mut text = String::new();
    for (operator, original, replacement) in listed {
        let _ = writeln!(text, "{}: {original} => {replacement}", operator.name());
    }
    assert_golden(&crate_directory().join("tests/golden/mutant_texts.txt"), &text);
}

#[test]
fn a_caller_that_feeds_an_output_back_gets_no_cycle() {
    // The first output of `f` must not come to depend on the second input.
    check_all(
        "node f(a, b: bool) returns (y, z: bool);
         var l: bool;
         let y = a and (a -> pre b); l = b or a; z = l xor b; tel
         node main(i: bool) returns (o, p: bool);
         let o, p = f(i, o); tel",
    );
}

#[test]
fn streams_on_clocks_stay_on_them() {
    check_all(
        "node g(a: int; r: bool) returns (s: int);
         let s = a -> pre s + (if r then 1 else 2); tel
         node main(c, d: bool; n: int) returns (o, p: int);
         var u, v: int when c; k: int;
         let
           u = (n when c) -> pre u + v;
           v = 7 -> 2 * (k when c);
           k = 0 -> pre n;
           o = merge c (true -> u - v) (false -> n when not c);
           p = condact(d, g(n, c), 4);
         tel",
    );
}

#[test]
fn arrays_records_and_quantifiers_are_changed_inside() {
    check_all(
        "type R = struct { f: int; g: bool };
         function h(const n: int; a: int) returns (b: int^n);
         let b[i] = if i = 0 then a else b[i - 1] + i; tel
         node main(n: int; m: bool) returns (o: int; q, s: bool);
         var r: R; t: int^3;
         let
           t = h(3, n);
           r = R { f = t[1]; g = m or n > 2 };
           o = r.f * t[2];
           q = forall (j: subrange [0, 2] of int) t[j] >= 0 and r.g;
           s = false -> pre (r.g => q);
         tel",
    );
}

#[test]
fn states_and_blocks_are_changed_where_they_are_written() {
    let listed = check_all(
        "node main(a, b: bool; n: int) returns (y: int; o: bool);
         let
           automaton A
             initial state Off: let y = 0 -> pre y + n; tel until if a and b restart On end
             state On: let if n > 2 then y = 2; else y = n - 1; fi tel until if not a resume Off end
           returns y;
           o = a => b;
         tel",
    );
    assert!(listed.iter().any(|(_, original, _)| original == "a and b"));
    assert!(listed.iter().all(|(_, _, replacement)| !replacement.contains(" of ")));
}
