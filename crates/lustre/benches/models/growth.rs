//! How the cost of a model grows with its equations: per equation it should not.

use std::fmt::Write as _;

use obligato_lustre::analysis::{Options, analyse};
use obligato_lustre::lowering::{self, lower};
use obligato_lustre_syntax::parse;
use obligato_transition_system::lanes::{self, LaneProgram};

use crate::best;
use crate::steps::lanes_time;

const SIZES: [u32; 5] = [1_000, 3_000, 10_000, 30_000, 100_000];

/// Prints nanoseconds per equation, with ratios to the smallest model.
pub fn print_curve() {
    println!("\ngrowth: ns per equation (ratio to the first row)");
    println!(
        "{:>9} {:>16} {:>16} {:>16} {:>16} {:>20}",
        "equations", "parse", "check", "lower", "compile", "step of 256 lanes"
    );
    let mut first = None;
    for size in SIZES {
        let row = measure(size);
        let base = *first.get_or_insert(row);
        let cells: Vec<_> = row
            .iter()
            .zip(base)
            .map(|(time, first)| format!("{time:.1} ({:.2})", time / first))
            .collect();
        println!(
            "{size:>9} {:>16} {:>16} {:>16} {:>16} {:>20}",
            cells[0], cells[1], cells[2], cells[3], cells[4]
        );
    }
}

fn measure(size: u32) -> [f64; 5] {
    let text = model(size);
    let bytes = text.as_bytes();
    let runs = (300_000 / size as usize).clamp(3, 30);
    let (parsing, parsed) = best(runs, || parse(bytes).expect("it parses"));
    let mut clones = (0..runs).map(|_| parsed.program.clone()).collect::<Vec<_>>();
    let (checking, model) = best(runs, || {
        let program = clones.pop().expect("a clone per run");
        analyse(program, &Options::default()).expect("it is right")
    });
    let options = lowering::Options::default();
    let (lowering, lowered) =
        best(runs, || lower(&model, "made.lus", bytes, &options).expect("it is lowered"));
    let (compiling, program) = best(runs, || {
        LaneProgram::new(&lowered.system, &lanes::LaneOptions::default()).expect("a valid system")
    });
    let step = lanes_time(&program, (2_000_000 / size as usize).clamp(5, 200), 3);
    let per_equation = |milliseconds: f64| milliseconds * 1e6 / f64::from(size);
    [
        per_equation(parsing),
        per_equation(checking),
        per_equation(lowering),
        per_equation(compiling),
        step / f64::from(size),
    ]
}

/// A model of so many equations, each with a decision, every tenth with state and a call; what an
/// equation reads is a few equations away, as in models that are translated from diagrams.
pub fn model(equations: u32) -> String {
    let mut text = "node latch(set, reset: bool) returns (on: bool);\n\
                    let on = set or (false -> pre on and not reset); tel;\n\
                    node made(a, b, c: bool; i: int) returns (ok: bool; sum: int);\nvar\n"
        .to_owned();
    for index in 0..equations {
        let kind = if index % 10 == 3 { "int" } else { "bool" };
        let _ = writeln!(text, "  v{index}: {kind};");
    }
    text += "let\n";
    for index in 0..equations {
        let value = match index % 10 {
            _ if index < 10 => match index % 10 {
                3 => "i".to_owned(),
                _ => "a and not b or c".to_owned(),
            },
            0 => format!("latch(v{}, v{})", index - 1, index - 2),
            3 => format!("if v{} then (0 -> pre v{index}) + 1 else v{}", index - 1, index - 10),
            5 => format!("v{} > {index} or v{}", index - 2, index - 1),
            7 => format!("v{} and (true -> pre v{})", index - 1, index - 1),
            9 => format!("a xor v{} and not v{}", index - 1, index - 3),
            other => format!(
                "(v{} and v{}) or (b and not v{})",
                back(index, 1),
                back(index, 4),
                back(index, other)
            ),
        };
        let _ = writeln!(text, "  v{index} = {value};");
    }
    let last = equations - 1;
    let _ = writeln!(text, "  ok = v{last};\n  sum = v{};\ntel;", last / 10 * 10 - 7);
    text
}

/// A Boolean so many equations back.
fn back(index: u32, by: u32) -> u32 {
    let found = index - by;
    if found % 10 == 3 { found - 1 } else { found }
}
