//! The oracle: marked units as machine code, run on everything that their drivers choose.
//!
//! Nothing of obligato takes part: another compiler makes the code, `recorder.c` notes what happens, and [`Tree`](crate::tree::Tree) says what it
//! shows.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::marked::{Marked, MarkedDecision};
use crate::tree::Evaluation;

/// A marked unit with what drives it.
pub struct Driven {
    pub marked: Marked,
    /// The number of its first mark.
    pub first: usize,
    /// C behind the unit in the twin only: it defines the step.
    pub driver: String,
    /// The function without parameters that chooses inputs and calls the function under test.
    pub step: String,
    /// Two expressions of type `char *`: where its state begins and ends.
    pub state: [String; 2],
}

/// What happened in some run of a unit.
#[derive(Default)]
pub struct Observed {
    /// Were all runs made that the driver has?
    pub complete: bool,
    conditions: BTreeSet<(usize, bool)>,
    evaluations: BTreeMap<usize, Vec<(u64, bool)>>,
    statements: BTreeSet<usize>,
    exits: BTreeSet<usize>,
    switches: BTreeMap<usize, BTreeSet<i64>>,
}

/// Flags under which undefined behaviour ends a run at once.
const FLAGS: &[&str] = &[
    "-std=gnu11",
    "-O0",
    "-w",
    "-fno-strict-aliasing",
    "-fsanitize=undefined,float-divide-by-zero,float-cast-overflow",
    "-fno-sanitize=alignment",
    "-fsanitize-undefined-trap-on-error",
];

/// Compiles units into one program, runs it, and gives what happened in each.
pub fn observe(units: &[Driven], directory: &Path) -> Vec<Observed> {
    let mut text = String::from("#include \"prelude.h\"\n");
    let mut table = String::from("const struct trust_program trust_programs[] = {\n");
    for Driven { marked, driver, step, state: [begin, end], .. } in units {
        let _ = writeln!(text, "{}\n{driver}", marked.instrumented);
        let _ = writeln!(table, "    {{ {step}, {begin}, {end} }},");
    }
    let _ = writeln!(text, "{table}}};\nconst int trust_program_count = {};", units.len());
    for (name, text) in [
        ("units.c", text.as_str()),
        ("recorder.c", include_str!("recorder.c")),
        ("prelude.h", include_str!("prelude.h")),
    ] {
        fs::write(directory.join(name), text).expect("a scratch file can be written");
    }
    run(directory, Command::new("cc").args(FLAGS).args(["-c", "units.c"]));
    run(
        directory,
        Command::new("cc").args(["-O1", "-o", "oracle", "recorder.c", "units.o", "-lm"]),
    );
    let said = run(directory, &mut Command::new(directory.join("oracle")));
    let mut observed: Vec<Observed> = units.iter().map(|_| Observed::default()).collect();
    for line in said.lines() {
        note(units, &mut observed, line);
    }
    observed
}

fn run(directory: &Path, command: &mut Command) -> String {
    let output = command.current_dir(directory).output().expect("the command can be started");
    let said = String::from_utf8_lossy(&output.stderr);
    let text = fs::read_to_string(directory.join("units.c")).unwrap_or_default();
    assert!(output.status.success(), "{command:?}: {} {said}\n{text}", output.status);
    String::from_utf8(output.stdout).expect("numbers and words")
}

fn note(units: &[Driven], observed: &mut [Observed], line: &str) {
    let words: Vec<&str> = line.split(' ').collect();
    let number = |at: usize| -> usize { words[at].parse().expect("a number") };
    if words[0] == "program" {
        observed[number(1)].complete = words[2] == "complete";
        return;
    }
    let mark = number(1);
    let unit = units.iter().rposition(|unit| unit.first <= mark).expect("marks are of units");
    let (mark, seen) = (mark - units[unit].first, &mut observed[unit]);
    match words[0] {
        "condition" => {
            seen.conditions.insert((mark, words[2] == "1"));
        }
        "statement" => {
            seen.statements.insert(mark);
        }
        "exit" => {
            seen.exits.insert(mark);
        }
        "switch" => {
            seen.switches.entry(mark).or_default().insert(words[2].parse().expect("a number"));
        }
        "decision" => {
            let vector = words[3].parse().expect("a vector");
            seen.evaluations.entry(mark).or_default().push((vector, words[2] == "1"));
        }
        word => panic!("the recorder says '{word}'"),
    }
}

impl Observed {
    /// Did the condition take this value?
    pub fn took(&self, condition: usize, value: bool) -> bool {
        self.conditions.contains(&(condition, value))
    }

    /// Did the decision come out so?
    pub fn came_out(&self, decision: usize, outcome: bool) -> bool {
        self.evaluations.get(&decision).is_some_and(|all| all.iter().any(|one| one.1 == outcome))
    }

    /// Was the statement executed?
    pub fn executed(&self, statement: usize) -> bool {
        self.statements.contains(&statement)
    }

    /// Did the statement return from its function?
    pub fn left(&self, statement: usize) -> bool {
        self.exits.contains(&statement)
    }

    /// Did the `switch` go to the arm with this label? The default is for what none of the other labels has.
    pub fn went_to(&self, switch: usize, label: Option<i64>, labels: &[i64]) -> bool {
        let Some(values) = self.switches.get(&switch) else { return false };
        match label {
            Some(label) => values.contains(&label),
            None => values.iter().any(|value| !labels.contains(value)),
        }
    }

    /// Did evaluations show that this condition with this value decides its decision?
    pub fn showed(
        &self,
        number: usize,
        decision: &MarkedDecision,
        ordinal: usize,
        value: bool,
    ) -> bool {
        let of = |(vector, outcome): &(u64, bool)| Evaluation {
            values: (0..decision.conditions.len())
                .map(|at| match vector >> (2 * at) & 3 {
                    0 => None,
                    taken => Some(taken == 2),
                })
                .collect(),
            outcome: *outcome,
        };
        let all: Vec<Evaluation> =
            self.evaluations.get(&number).into_iter().flatten().map(of).collect();
        decision.tree.shows(ordinal, value, &all)
    }
}
