//! Lowers the models named on the command line and prints what that took.
#![expect(clippy::print_stdout, reason = "an example talks to its user")]

use std::time::Instant;

use obligato_lustre::analysis::{self, analyse};
use obligato_lustre::lowering::{Options, lower};
use obligato_lustre_syntax::parse;

fn main() -> std::io::Result<()> {
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path)?;
        let start = Instant::now();
        let model =
            parse(&bytes).and_then(|parsed| analyse(parsed.program, &analysis::Options::default()));
        let analysed = start.elapsed();
        let start = Instant::now();
        match model.and_then(|model| lower(&model, &path, &bytes, &Options::default())) {
            Ok(lowered) => println!(
                "{path}: analysed in {:.1} ms, lowered in {:.1} ms, {} nodes, {} latches",
                analysed.as_secs_f64() * 1e3,
                start.elapsed().as_secs_f64() * 1e3,
                lowered.system.graph.len(),
                lowered.system.latches.len(),
            ),
            Err(diagnostics) => println!("{path}: {}", diagnostics[0].message),
        }
    }
    Ok(())
}
