//! Models beside the same models written out by hand: both run alike on random inputs,
//! and so does the first when inlined.
//!
//! `tests/equivalents/x.lus` uses a construct, `x.plain.lus` does without it.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod support;

use std::fs;
use std::path::Path;

use obligato_lustre::analysis::{self, Extent, analyse};
use obligato_lustre::inline::{self, inline};
use obligato_lustre::lowering::{Lowered, Options, lower};
use obligato_lustre_syntax::parse;
use obligato_model::{Integer, Type, Value};
use obligato_transition_system::lanes::{self, LaneProgram};
use obligato_transition_system::{CheckKind, Simulator, System};
use support::{crate_directory, render};

const LANES: usize = 64;
const STEPS: usize = 40;

#[derive(Clone, Copy)]
enum Structure {
    Written,
    Inlined,
}

fn lowered(path: &Path, structure: Structure) -> Lowered {
    let text = fs::read(path).unwrap();
    let name = path.display().to_string();
    let analysed = |program| analyse(program, &analysis::Options::default());
    let mut model = parse(&text)
        .and_then(|parsed| analysed(parsed.program))
        .unwrap_or_else(|why| panic!("{}", render(&name, &text, &why)));
    if let Structure::Inlined = structure {
        model = analysed(inline(&model, &inline::Options::default()).program)
            .unwrap_or_else(|why| panic!("{}", render(&name, &text, &why)));
    }
    let options = Options { extent: Extent::Everything, ..Options::default() };
    lower(&model, &name, &text, &options)
        .unwrap_or_else(|why| panic!("{}", render(&name, &text, &why)))
}

/// A small generator; the same values in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn value(&mut self, kind: &Type) -> Value {
        match kind {
            Type::Bool => Value::Bool(self.below(2) == 1),
            Type::Enumeration(names) => {
                Value::Symbol(names[self.below(names.len() as u64) as usize].clone())
            }
            Type::Subrange(low, high) => {
                let width = u64::try_from(&(high - low)).unwrap();
                Value::Int(low + Integer::from(self.below(width + 1)))
            }
            Type::Int => Value::Int(Integer::from(self.below(9)) - Integer::from(3)),
            other => panic!("the models have no {other:?} inputs"),
        }
    }
}

/// The outputs, and how many checks of each kind fail.
fn observe(simulator: &Simulator<'_, 1>, system: &System, lane: usize) -> (Vec<Value>, [usize; 5]) {
    let outputs = system.outputs.iter().map(|output| simulator.value(output.node, lane).unwrap());
    let kinds = [
        CheckKind::Assertion,
        CheckKind::Property,
        CheckKind::Subrange,
        CheckKind::Index,
        CheckKind::DivisionByZero,
    ];
    let failing = kinds.map(|kind| {
        let checks = system.checks.iter().filter(|check| check.kind == kind);
        let fails = |node| simulator.value(node, lane).unwrap() == Value::Bool(false);
        checks.filter(|check| fails(check.node)).count()
    });
    (outputs.collect(), failing)
}

fn assert_alike(name: &str, one: &System, other: &System) {
    let kinds = |system: &System| -> Vec<Type> {
        system.inputs.iter().map(|input| input.kind.clone()).collect()
    };
    assert_eq!(kinds(one), kinds(other), "{name}: inputs");
    let observed = |system: &System| {
        let outputs = system.outputs.iter().map(|output| output.node);
        let observe = outputs.chain(system.checks.iter().map(|check| check.node)).collect();
        lanes::LaneOptions { observe, ..lanes::LaneOptions::default() }
    };
    let programs = [one, other].map(|system| LaneProgram::new(system, &observed(system)).unwrap());
    let [mut first, mut second] = programs.each_ref().map(Simulator::<1>::new);
    let mut random = Random(name.len() as u64);
    for step in 0..STEPS {
        for lane in 0..LANES {
            for (index, input) in one.inputs.iter().enumerate() {
                let value = random.value(&input.kind);
                first.set_input(index, lane, &value).unwrap();
                second.set_input(index, lane, &value).unwrap();
            }
        }
        first.step();
        second.step();
        for lane in 0..LANES {
            let (found, expected) = (observe(&first, one, lane), observe(&second, other, lane));
            assert_eq!(found, expected, "{name}: step {step}, lane {lane}");
        }
    }
}

#[test]
fn every_construct_runs_like_what_it_stands_for_inlined_or_not() {
    let directory = crate_directory().join("tests/equivalents");
    let mut plain: Vec<_> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_string_lossy().ends_with(".plain.lus"))
        .collect();
    plain.sort();
    assert!(!plain.is_empty());
    for path in plain {
        let name = path.file_name().unwrap().to_string_lossy().replace(".plain", "");
        let beside = path.with_file_name(&name);
        let [one, inlined] =
            [Structure::Written, Structure::Inlined].map(|which| lowered(&beside, which));
        let other = lowered(&path, Structure::Written);
        assert_alike(&name, &one.system, &other.system);
        assert_alike(&format!("{name}, inlined"), &inlined.system, &other.system);
        let conditions = |lowered: &Lowered| lowered.program.conditions().len();
        assert!(conditions(&one) > 0 || conditions(&other) == 0, "{name}: conditions are lost");
        for site in &one.decisions {
            assert!(!site.occurrences.is_empty(), "{name}: a decision is nowhere");
            assert!(site.occurrences.iter().all(|at| at.taps.iter().all(Option::is_some)));
        }
    }
}
