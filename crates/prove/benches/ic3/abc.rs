//! abc's `pdr` on the same circuits, if it is installed.

use std::path::PathBuf;
use std::process::{Command, id};

use obligato_circuit::aiger::{Names, binary};
use obligato_circuit::{Circuit, Lit};

/// abc answers within this time, in seconds, or not at all.
const PATIENCE: usize = 60;

/// The milliseconds that `pdr` says it took, and whether it found a proof. None without abc, or without an answer.
pub fn pdr(circuit: &Circuit, bad: Lit) -> std::io::Result<Option<(f64, bool)>> {
    let file: PathBuf = std::env::temp_dir().join(format!("obligato-bench-{}.aig", id()));
    std::fs::write(&file, binary(circuit, &[bad], &Names::default()))?;
    // `fold` makes constraints part of the property, which `pdr` would not look at otherwise.
    let script = format!("read {}; fold; pdr -T {PATIENCE}", file.display());
    let names = ["berkeley-abc", "abc"].into_iter();
    let output =
        names.map(|name| Command::new(name).args(["-c", &script]).output()).find_map(Result::ok);
    std::fs::remove_file(&file)?;
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    Ok(text.as_deref().and_then(answer))
}

fn answer(text: &str) -> Option<(f64, bool)> {
    let is_answer = |line: &&str| line.contains("Property proved") || line.contains("was asserted");
    let line = text.lines().find(is_answer)?;
    let seconds = line.split("Time =").nth(1)?.trim().split(' ').next()?;
    Some((seconds.parse::<f64>().ok()? * 1000.0, line.contains("proved")))
}
