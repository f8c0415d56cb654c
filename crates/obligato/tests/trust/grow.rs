//! Random functions of C with everything around them that a caller or the environment may choose.
//!
//! [`surroundings`] draws parameters, state, volatile objects and functions outside, each with what the function may read of it and what the
//! driver chooses for it, with [`outside`]; [`body`] writes statements and decisions over what can be read. Inputs are masked, or compared with a few constants
//! only, so that a few values stand for all: the domain of the driver is complete. Numbers are small and conditions come again, so
//! that many of them contradict each other.

use std::fmt::Write;

use obligato_model::Random;

use crate::marked::Marked;
use crate::oracle::Driven;

mod body;
mod outside;
mod surroundings;

use body::Body;
use surroundings::Surroundings;

/// A random function with its driver. Its marks are numbered from `first` on.
pub struct Grown {
    pub function: String,
    pub driven: Driven,
    /// Does the driver do all that a caller and the environment can? Effects of functions outside are tried one at a time.
    pub complete: bool,
}

impl Grown {
    /// The function that a seed and a number give.
    pub fn new(seed: u64, number: usize, first: usize) -> Self {
        let mut random = Random::for_purpose(seed, &format!("trust {number}"));
        let surroundings = Surroundings::grow(&mut random, number);
        let body = Body::grow(&mut random, &surroundings);
        let mut text = surroundings.declarations.clone();
        let _ = writeln!(text, "{}", body.helper);
        let function = format!("f{number}");
        let parameters = match surroundings.parameters.join(", ") {
            none if none.is_empty() => "void".to_owned(),
            list => list,
        };
        let _ = writeln!(
            text,
            "int {function}({parameters}) {{\n{}{}}}",
            surroundings.locals, body.text
        );
        let mut marked = Marked::read(&text, first);
        // The twin's state lies together, so that it can be kept and put back.
        let section = format!("static __attribute__((section(\"state{number}\"))) ");
        marked.instrumented = marked.instrumented.replace("static /* state */ ", &section);
        marked.plain = marked.plain.replace("static /* state */ ", "static ");
        let section = format!("__attribute__((section(\"state{number}\")))");
        marked.instrumented = marked.instrumented.replace("/* kept */", &section);
        marked.plain = marked.plain.replace("/* kept */", "");
        let bounds = ["start", "stop"].map(|end| format!("__{end}_state{number}"));
        let mut driver = String::new();
        for bound in &bounds {
            let _ = writeln!(driver, "extern char {bound}[] __attribute__((weak));");
        }
        driver.push_str(&surroundings.driver(&function));
        Self {
            function,
            complete: surroundings.complete,
            driven: Driven { marked, first, driver, step: format!("step{number}"), state: bounds },
        }
    }

    /// The number after its last mark.
    pub fn last(&self) -> usize {
        let marked = &self.driven.marked;
        let counts = [
            marked.conditions.len(),
            marked.decisions.len(),
            marked.statements.len(),
            marked.switches.len(),
        ];
        self.driven.first + counts.into_iter().max().unwrap_or(0)
    }
}
