//! Uses obligato as a library: `cargo run -- FILE.c FUNCTION MODEL.lus` generates for the function and for the model, and prints how
//! each obligation ended.

use std::error::Error;
use std::path::PathBuf;

use obligato::campaign::Budget;
use obligato::generate::{GenerateRequest, Generation, Unobserved, generate};
use obligato::judging::JudgingOptions;
use obligato::subject::SubjectOptions;
use obligato::{Criterion, Stop};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let mut next = |what: &str| arguments.next().ok_or_else(|| format!("{what} is missing"));
    let c_file = PathBuf::from(next("the C file")?);
    let function = next("the function")?.into_string().map_err(|_| "a name is UTF-8")?;
    let model = PathBuf::from(next("the Lustre model")?);
    show(SubjectOptions::new(c_file).with_function(function))?;
    show(SubjectOptions::new(model))
}

/// Generates tests and proofs for MC/DC, and prints a line per obligation.
fn show(subject: SubjectOptions) -> Result<(), Box<dyn Error>> {
    let judging = JudgingOptions::new(["mcdc".parse::<Criterion>()?]);
    // A budget of work units gives the same answer on every machine.
    let request = GenerateRequest {
        budget: Budget::Work(200_000),
        ..GenerateRequest::new(subject, judging)
    };
    let generated = match generate(&request, &Stop::never(), &mut Unobserved)? {
        Generation::One(generated) => *generated,
        Generation::Each(_) => return Err("name one function".into()),
    };
    println!("{}: {} new tests", generated.function, generated.made.len());
    for obligation in &generated.result.obligations {
        println!("  {:11}  {}", obligation.verdict.name(), obligation.text);
    }
    Ok(())
}
