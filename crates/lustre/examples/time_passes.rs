//! Analyses the models named on the command line and prints what each pass took.
#![expect(clippy::print_stdout, reason = "an example talks to its user")]

use std::time::Instant;

use obligato_lustre::analysis::{Options, analyse_timed};
use obligato_lustre_syntax::{Source, parse};

fn main() -> std::io::Result<()> {
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path)?;
        let source = Source::new(&bytes);
        let start = Instant::now();
        let parsed = parse(&bytes);
        println!("{path}\n  {:>9.3} ms  parse", start.elapsed().as_secs_f64() * 1e3);
        let mut last = Instant::now();
        let outcome = parsed.and_then(|parsed| {
            last = Instant::now();
            analyse_timed(parsed.program, &Options::default(), &mut |pass| {
                println!("  {:>9.3} ms  {pass}", last.elapsed().as_secs_f64() * 1e3);
                last = Instant::now();
            })
        });
        println!("  {:>9.3} ms  in all", start.elapsed().as_secs_f64() * 1e3);
        match outcome {
            Ok(model) => {
                let main = model.main_node();
                let conditions: usize =
                    main.decisions.iter().map(|decision| decision.conditions.len()).sum();
                println!(
                    "  main {}: {} equations, {} decisions, {conditions} conditions; {} warnings",
                    model.text(main.name.symbol),
                    main.equations.len(),
                    main.decisions.len(),
                    model.warnings.len(),
                );
            }
            Err(diagnostics) => {
                for diagnostic in diagnostics.iter().take(8) {
                    let place = source.position(diagnostic.span.start);
                    println!("  {place}: {}", diagnostic.message);
                    println!("      {}", source.line(place.line).trim());
                }
            }
        }
    }
    Ok(())
}
