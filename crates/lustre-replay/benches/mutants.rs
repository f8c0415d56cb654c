//! How fast a suite runs on mutants: 750 of them, 500 tests of 20 steps, as in the papers.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

#[path = "../tests/support/mod.rs"]
mod support;

use std::time::Instant;

use obligato_lustre::analysis::{self, analyse};
use obligato_lustre::lowering::{Options, lower};
use obligato_lustre::mutation::{mutants, sample};
use obligato_lustre_replay::mutation::{MutationExperiment, Oracle, Until};
use obligato_lustre_syntax::parse;
use obligato_test_support::models::text;
use support::random_tests;

fn main() {
    let names = [
        "kind2/microwave.lus",
        "steering-framework/infusion_manager.lus",
        "kind2/DockingExample.lus",
    ];
    for name in names {
        if let Some(text) = text(name) {
            measure(name, &text);
        }
    }
}

fn measure(name: &str, text: &[u8]) {
    let program = parse(text).expect("the model parses").program;
    let model = analyse(program, &analysis::Options::default()).expect("a model");
    let options = Options::default();
    let lowered = lower(&model, name, text, &options).expect("a system");
    let tests = random_tests(&lowered, 500, 20, 1);
    let chosen = sample(&mutants(&model), 750, 1);
    for oracle in [Oracle::Outputs, Oracle::Maximum] {
        for until in [Until::FirstKill, Until::SuiteEnd] {
            let (model, oracle, mutants) = (&model, &oracle, &chosen[..]);
            let experiment =
                MutationExperiment { model, path: name, bytes: text, options, mutants, oracle };
            let start = Instant::now();
            let kills = experiment.run(&tests, until, &mut |_| ()).expect("the tests fit");
            let elapsed = start.elapsed().as_secs_f64();
            let (killed, all) = (kills.together().killed().len(), chosen.len());
            println!("{name}, {oracle:?}, {until:?}: {killed} of {all} killed in {elapsed:.2} s");
        }
    }
}
