//! Inlined models, of the collection and random ones: they compute what the originals do, and
//! are models like any other.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod support;

use std::fmt::Write as _;

use obligato_lustre::analysis::{self, Model, analyse};
use obligato_lustre::inline::{Inlined, Options, inline};
use obligato_lustre::lowering::{self, Lowered, lower};
use obligato_lustre_syntax::{SyntaxTree, parse, print};
use obligato_model::{DecisionId, Value};
use obligato_transition_system::{CheckKind, Evaluator, NodeId};
use proptest::prelude::*;
use support::generator::Generator;
use support::inputs::Random;
use support::{assert_golden, crate_directory, models, render};

/// A model in both structures.
struct Pair {
    name: String,
    text: Vec<u8>,
    main: Option<&'static str>,
    written: Model,
    inlined: Model,
    counts: Inlined,
}

impl Pair {
    /// None if the model cannot be analysed at all.
    fn new(name: String, text: Vec<u8>) -> Option<Self> {
        let main = name.ends_with("syntax-test.lus").then_some("Y");
        let options = analysis::Options { main };
        let written = analyse(parse(&text).ok()?.program, &options).ok()?;
        let counts = inline(&written, &Options::default());
        let inlined = analysed(&name, &text, counts.program.clone(), main);
        Some(Self { name, text, main, written, inlined, counts })
    }

    /// Both lowered; none if the original is refused.
    fn lowered(&self) -> Option<(Lowered, Lowered)> {
        let options = lowering::Options::default();
        let written = lower(&self.written, &self.name, &self.text, &options).ok()?;
        let inlined = lower(&self.inlined, &self.name, &self.text, &options);
        Some((written, inlined.unwrap_or_else(|why| panic!("{}: {why:?}", self.name))))
    }
}

fn analysed(name: &str, text: &[u8], program: SyntaxTree, main: Option<&str>) -> Model {
    analyse(program, &analysis::Options { main })
        .unwrap_or_else(|why| panic!("{}", render(name, text, &why)))
}

fn pairs() -> Vec<Pair> {
    models().into_iter().filter_map(|(name, text)| Pair::new(name, text)).collect()
}

/// What can be seen of a run: outputs and what is claimed and assumed, with names.
fn seen(lowered: &Lowered) -> Vec<(String, NodeId)> {
    let outputs = lowered.system.outputs.iter().map(|it| (it.name.clone(), it.node));
    let stated = |kind| matches!(kind, CheckKind::Property | CheckKind::Assertion);
    let checks = lowered.system.checks.iter().filter(|check| stated(check.kind));
    outputs.chain(checks.map(|check| (check.label.clone(), check.node))).collect()
}

/// Runs both structures on the same inputs; gives the number of steps in which something was
/// compared.
fn compare(name: &str, written: &Lowered, inlined: &Lowered, steps: usize) -> usize {
    let (ours, theirs) = (seen(inlined), seen(written));
    let names = |seen: &[(String, NodeId)]| seen.iter().map(|it| it.0.clone()).collect::<Vec<_>>();
    assert_eq!(names(&ours), names(&theirs), "{name}");
    let inputs = |lowered: &Lowered| lowered.interface.inputs.clone();
    assert_eq!(inputs(written), inputs(inlined), "{name}");
    let mut one = Evaluator::new(&written.system);
    let mut other = Evaluator::new(&inlined.system);
    let mut random = Random(name.len() as u64);
    for step in 0..steps {
        let inputs = random.step(&written.system);
        let outcome = one.step(&inputs);
        assert_eq!(outcome.is_ok(), other.step(&inputs).is_ok(), "{name}, step {step}");
        if outcome.is_err() {
            return step;
        }
        for ((what, ours), (_, theirs)) in ours.iter().zip(&theirs) {
            let values: [Value; 2] =
                [other.value(*ours).unwrap().clone(), one.value(*theirs).unwrap().clone()];
            assert_eq!(values[0], values[1], "{name}, step {step}, {what}");
        }
    }
    steps
}

/// Inlining again changes nothing, and the printed model has the same decisions.
fn assert_is_a_model(pair: &Pair) {
    let name = &pair.name;
    let printed = print(&pair.inlined.program);
    let parsed = parse(printed.as_bytes())
        .unwrap_or_else(|why| panic!("{}", render(name, printed.as_bytes(), &why)));
    assert_eq!(print(&parsed.program), printed, "{name}: printing twice");
    let again = analysed(name, printed.as_bytes(), parsed.program, pair.main);
    for (ours, theirs) in pair.inlined.nodes.iter().zip(&again.nodes) {
        assert_eq!(ours.decisions.len(), theirs.decisions.len(), "{name}");
        for (one, other) in ours.decisions.iter().zip(&theirs.decisions) {
            assert_eq!(one.tree, other.tree, "{name}");
            assert_eq!((one.role, one.nested_in), (other.role, other.nested_in), "{name}");
            for (one, other) in one.conditions.iter().zip(&other.conditions) {
                assert_eq!((one.constant, &one.relation), (other.constant, &other.relation));
            }
        }
    }
    if pair.counts.replaced == pair.counts.found {
        let twice = inline(&pair.inlined, &Options::default());
        assert_eq!(print(&twice.program), printed, "{name}: inlining twice");
    }
}

/// The decisions and conditions of all instances, and the most conditions of one decision.
fn sizes(lowered: &Lowered) -> [usize; 3] {
    let decisions = lowered.program.decisions();
    let most = decisions.iter().map(|decision| decision.tree.conditions()).max();
    [decisions.len(), lowered.program.conditions().len(), most.unwrap_or(0)]
}

#[test]
fn every_model_becomes_what_the_table_says() {
    let pairs = pairs();
    if pairs.is_empty() {
        return;
    }
    let mut table = String::new();
    for pair in &pairs {
        let Some((written, inlined)) = pair.lowered() else { continue };
        let Inlined { found, replaced, removed, .. } = pair.counts;
        let ([d0, c0, m0], [d1, c1, m1]) = (sizes(&written), sizes(&inlined));
        let [e0, e1] = [&pair.written, &pair.inlined].map(|model| model.program.exprs().len());
        let _ = writeln!(
            table,
            "{}: {replaced} of {found} variables replaced, {removed} removed; {d0} -> {d1} \
             decisions, {c0} -> {c1} conditions, at most {m0} -> {m1}; {e0} -> {e1} expressions",
            pair.name
        );
    }
    assert_golden(&crate_directory().join("tests/golden/inline.txt"), &table);
}

#[test]
fn every_model_runs_as_it_did_with_the_same_state() {
    let mut compared = 0;
    let mut changed = 0;
    for pair in pairs() {
        let Some((written, inlined)) = pair.lowered() else { continue };
        let state = |lowered: &Lowered| (lowered.system.latches.len(), lowered.instances.len());
        assert_eq!(state(&written), state(&inlined), "{}", pair.name);
        compared += usize::from(compare(&pair.name, &written, &inlined, 100) > 0);
        changed += usize::from(pair.counts.replaced > 0);
    }
    assert!(compared == 0 || compared >= 30 && changed >= 7, "{compared} models, {changed}");
}

#[test]
fn every_inlined_model_is_printed_and_parsed_with_the_same_decisions() {
    let printable = |pair: &&Pair| !pair.inlined.program.has_additions();
    pairs().iter().filter(printable).for_each(assert_is_a_model);
}

#[test]
fn a_decision_that_was_not_touched_keeps_its_text_and_others_say_what_they_are() {
    for pair in pairs() {
        let Some((written, inlined)) = pair.lowered() else { continue };
        if pair.counts.replaced == 0 {
            let texts = |lowered: &Lowered| {
                let all = lowered.program.decisions().iter();
                all.map(|decision| (decision.text.clone(), decision.span)).collect::<Vec<_>>()
            };
            assert_eq!(texts(&written), texts(&inlined), "{}", pair.name);
        }
        // Every condition's text is a part of its decision's.
        let squeezed = |text: &str| text.replace([' ', '(', ')'], "");
        for (index, decision) in inlined.program.decisions().iter().enumerate() {
            let whole = squeezed(&decision.text);
            for condition in inlined.program.conditions_of(DecisionId::new(index)) {
                let part = squeezed(&condition.text);
                let cut = decision.text.ends_with('…') || part.ends_with('…');
                assert!(cut || whole.contains(&part), "{}: {part} in {whole}", pair.name);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn a_random_model_runs_as_it_did(choices in prop::collection::vec(any::<u8>(), 0..400)) {
        let text = Generator::model(choices).into_bytes();
        let pair = Pair::new("random".to_owned(), text).expect("a model that is right");
        assert_is_a_model(&pair);
        let (written, inlined) = pair.lowered().expect("a model that is right");
        prop_assert_eq!(written.system.latches.len(), inlined.system.latches.len());
        compare(&pair.name, &written, &inlined, 20);
    }
}
