//! What each test is good for: how many mutants it kills, and how many only it does. The whole
//! matrix of tests and mutants is in JSON, by mutant.

use std::io::{self, Write};

use obligato::mutate::MutatedModel;

use crate::output::{FAINT, counted, printable};

/// One row per test, in the order of the suite.
pub fn write(mutated: &MutatedModel, out: &mut dyn Write) -> io::Result<()> {
    let MutatedModel { tests, kills, mutants, .. } = mutated;
    let mut alone = vec![0_usize; tests.len()];
    for mutant in 0..mutants.len() {
        let mut killers = kills.killers(mutant);
        if let (Some(only), None) = (killers.next(), killers.next()) {
            alone[only] += 1;
        }
    }
    let of = counted(mutants.len(), "mutant");
    writeln!(out, "\nWhat each test kills, of {of}, and what no other test kills:")?;
    writeln!(out, "  kills  only it  test")?;
    for ((test, kills), alone) in tests.iter().zip(&kills.tests).zip(alone) {
        let (name, kills) = (printable(&test.name), kills.killed().len());
        if alone == 0 {
            writeln!(out, "  {kills:5}  {alone:7}  {FAINT}{name}{FAINT:#}")?;
        } else {
            writeln!(out, "  {kills:5}  {alone:7}  {name}")?;
        }
    }
    Ok(())
}
