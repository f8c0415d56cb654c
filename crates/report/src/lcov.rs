//! LCOV traces, as `geninfo` of lcov 2 writes them: lines, functions, branches and MC/DC.
//!
//! `MCDC:line,[U]groupSize,sense,taken,index,expression`. A group is known by its line and its size alone, so
//! decisions of one size that begin on one line continue each other's index: nothing is merged and nothing
//! is lost. `U` marks what was proved to be unreachable, on `MCDC` and on `BRDA`; there is no mark for what a
//! person justified or what was refuted within bounds only, which count as not taken. Counts are tests, not executions.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::elements::{Branching, Conditions, FileElements, Taken, elements};
use crate::report::Report;

/// The trace of all files.
pub fn render(report: &Report) -> String {
    let mut text = String::new();
    for (file, found) in elements(report) {
        write_file(&mut text, file, &found);
    }
    text
}

fn write_file(text: &mut String, file: &str, found: &FileElements) {
    line!(text, "TN:");
    line!(text, "SF:{}", one_line(file));
    for (line, name, _) in &found.functions {
        line!(text, "FN:{line},{}", one_line(name));
    }
    for (_, name, tests) in &found.functions {
        line!(text, "FNDA:{tests},{}", one_line(name));
    }
    line!(text, "FNF:{}", found.functions.len());
    line!(text, "FNH:{}", found.functions.iter().filter(|(_, _, tests)| *tests > 0).count());
    write_branches(text, &found.branches);
    write_conditions(text, &found.decisions);
    for (line, tests) in &found.lines {
        line!(text, "DA:{line},{tests}");
    }
    line!(text, "LF:{}", found.lines.len());
    line!(text, "LH:{}", found.lines.values().filter(|tests| **tests > 0).count());
    line!(text, "end_of_record");
}

fn write_branches(text: &mut String, branches: &[Branching]) {
    let mut blocks: BTreeMap<u32, usize> = BTreeMap::new();
    for Branching { line, ways } in branches {
        let block = blocks.entry(*line).or_default();
        for (branch, taken) in ways.iter().enumerate() {
            match taken {
                Taken::Tests(tests) => line!(text, "BRDA:{line},{block},{branch},{tests}"),
                Taken::NotReached => line!(text, "BRDA:{line},{block},{branch},-"),
                Taken::Unreachable => line!(text, "BRDA:{line},U{block},{branch},0"),
            }
        }
        *block += 1;
    }
    let ways = || branches.iter().flat_map(|branching| &branching.ways);
    line!(text, "BRF:{}", ways().count());
    line!(text, "BRH:{}", ways().filter(|taken| taken.happened()).count());
}

fn write_conditions(text: &mut String, decisions: &[Conditions]) {
    let mut indices: BTreeMap<(u32, usize), usize> = BTreeMap::new();
    let (mut found, mut hit) = (0, 0);
    for Conditions { line, conditions } in decisions {
        let size = conditions.len();
        let index = indices.entry((*line, size)).or_default();
        for halves in conditions {
            let expression = one_line(&halves.text);
            for (sense, taken) in [("t", halves.with_true), ("f", halves.with_false)] {
                let (mark, tests) = match taken {
                    Taken::Tests(tests) => ("", tests),
                    Taken::NotReached => ("", 0),
                    Taken::Unreachable => ("U", 0),
                };
                line!(text, "MCDC:{line},{mark}{size},{sense},{tests},{index},{expression}");
                found += 1;
                hit += usize::from(taken.happened());
            }
            *index += 1;
        }
    }
    line!(text, "MCF:{found}");
    line!(text, "MCH:{hit}");
}

/// A record is a line; what would end it is left out.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
