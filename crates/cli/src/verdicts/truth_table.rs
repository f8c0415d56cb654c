//! The evaluations that each decision had, as a truth table: T, F or - per condition, `*` where
//! the condition decided the outcome, and the tests of each row.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};

use obligato::measuring::Evidence;
use obligato::measuring::unmasked;
use obligato_model::{DecisionId, Evaluation, Program};

use super::Subject;
use super::summary::in_call;
use crate::output::{FAINT, printable};

/// Decisions with more conditions do not fit on a screen.
const MOST_CONDITIONS: usize = 16;
/// More rows than this are not read as a table.
const MOST_ROWS: usize = 64;

/// The tables of all decisions.
pub fn write_tables(
    program: &Program,
    subject: Subject,
    evidence: &Evidence,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "\nEvaluations (T true, F false, - skipped, * decides the outcome):")?;
    for (index, decision) in program.decisions().iter().enumerate() {
        let file = program.file(program.function(decision.function).file);
        let called = in_call(&program.function(decision.function).name, subject);
        let heading = format!("{file}:{}{called}: {}", decision.span.start, decision.text);
        writeln!(out, "\n{}", printable(&heading))?;
        write_table(program, evidence, DecisionId::new(index), out)?;
    }
    Ok(())
}

fn write_table(
    program: &Program,
    evidence: &Evidence,
    id: DecisionId,
    out: &mut dyn Write,
) -> io::Result<()> {
    let tree = &program.decision(id).tree;
    if tree.conditions() > MOST_CONDITIONS {
        return writeln!(out, "  {} conditions, too many for a table", tree.conditions());
    }
    let constants = program.constants_of(id);
    let rows = rows(evidence, id);
    if rows.is_empty() {
        return writeln!(out, "  no test evaluates it to its end");
    }
    for (index, condition) in program.conditions_of(id).iter().enumerate() {
        let text = printable(&condition.text);
        writeln!(out, "  {FAINT}c{} is {text}{FAINT:#}", index + 1)?;
    }
    let heads: String = (1..=tree.conditions()).map(|number| format!("c{number:<3}")).collect();
    writeln!(out, "  {heads}outcome  tests")?;
    for (evaluation, tests) in rows.iter().take(MOST_ROWS) {
        let deciding =
            unmasked(tree, &constants, evaluation).expect("invariant: collected by marking");
        let vector = evaluation.vector();
        let cell = |(condition, letter)| {
            let mark = if deciding.contains(condition) { '*' } else { ' ' };
            format!("{letter}{mark}  ")
        };
        let cells: String = vector.chars().enumerate().map(cell).collect();
        let outcome = if evaluation.outcome { 'T' } else { 'F' };
        writeln!(out, "  {cells}{outcome:7}  {}", printable(&tests.join(", ")))?;
    }
    if rows.len() > MOST_ROWS {
        writeln!(out, "  … and {} more rows", rows.len() - MOST_ROWS)?;
    }
    Ok(())
}

/// The distinct evaluations with their tests, true before false from the left.
fn rows(evidence: &Evidence, id: DecisionId) -> Vec<(&Evaluation, Vec<&str>)> {
    let mut rows: BTreeMap<Reverse<String>, (&Evaluation, Vec<&str>)> = BTreeMap::new();
    for (test, seen) in evidence.of_decision(id) {
        for vector in &seen.vectors {
            let row = rows.entry(Reverse(vector.vector())).or_insert((vector, Vec::new()));
            row.1.push(&evidence.tests()[test.index()].name);
        }
    }
    rows.into_values().collect()
}
