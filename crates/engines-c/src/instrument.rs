//! Obligations as assertions in C, for CBMC.
//!
//! [`instrument`] writes the text of a unit with an assertion for each obligation behind its decision, which says
//! "this is never covered", and a function that calls the function under test again and again with arbitrary inputs. So a counterexample
//! is a test that covers the obligation, and a refutation of ours has none: an engine with which ours shares neither front end nor solver can
//! hold a proof against the text.
//!
//! What may differ are bounds: objects behind pointers are as large as the interface makes them, loops and calls are unwound as often
//! as CBMC is told to. Beyond them CBMC finds nothing, which is no contradiction.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use obligato_c_unit::annotation::NOTE;
use obligato_c_unit::{Interface, Unit};
use obligato_criteria::plan;
use obligato_model::{Criterion, DecisionId, Key};

mod assertion;
mod harness;

/// What to write.
#[derive(Clone, Debug)]
pub struct Request<'r> {
    /// The unit.
    pub unit: &'r Unit,
    /// What tests set and see of the function under test.
    pub interface: &'r Interface,
    /// The criteria whose obligations become assertions.
    pub criteria: &'r [Criterion],
    /// Only these obligations, if it is not all.
    pub only: Option<&'r BTreeSet<Key>>,
}

/// A unit with assertions.
#[derive(Clone, Debug)]
pub struct Instrumented {
    /// The file.
    pub text: String,
    /// The obligations with an assertion, in their order.
    pub properties: Vec<Key>,
    /// Obligations that no assertion stands for, and why.
    pub left_out: Vec<(Key, String)>,
}

/// The function of the file that CBMC starts with.
pub const ENTRY: &str = "obligato_main";

/// How CBMC is called: undefined behaviour ends a run without being a property, and a bound on loops is no failure.
pub const ARGUMENTS: &str = "--function obligato_main --assert-to-assume --no-unwinding-assertions --malloc-fail-null --object-bits 12 --unwind 5";

/// clang takes these for names that the C library defines, CBMC for types that it knows.
const TYPES_OF_CBMC: [&str; 4] = ["_Float32", "_Float64", "_Float32x", "_Float64x"];

/// Writes a unit with its obligations as assertions.
pub fn instrument(request: &Request<'_>) -> Instrumented {
    let Request { unit, interface, criteria, only } = *request;
    let program = unit.program();
    let (mut statements, mut properties, mut left_out) =
        (BTreeMap::<DecisionId, String>::new(), Vec::new(), Vec::new());
    for obligation in plan(program, criteria).obligations {
        if only.is_some_and(|only| !only.contains(&obligation.key)) {
            continue;
        }
        match assertion::event(program, &obligation.goal) {
            Ok(event) => {
                let key = escaped(&obligation.key.to_string());
                let text = statements.entry(event.decision).or_default();
                let _ = write!(text, "__CPROVER_assert(!({}), \"{key}\"); ", event.expression);
                properties.push(obligation.key);
            }
            Err(why) => left_out.push((obligation.key, why.to_owned())),
        }
    }
    let mut text = preamble(interface, &left_out);
    for name in TYPES_OF_CBMC {
        let _ = writeln!(text, "#define {name} obligato{name}");
    }
    let _ = writeln!(text, "{NOTE}\n{}", unit.annotated(&statements));
    harness::write(&mut text, unit, interface);
    Instrumented { text, properties, left_out }
}

/// A text within a string literal or a comment.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace("*/", "* /")
}

fn preamble(interface: &Interface, left_out: &[(Key, String)]) -> String {
    let mut text = format!(
        "/* {} with obligations as assertions, for CBMC:\n *\n *   cbmc {ARGUMENTS} FILE\n *\n\
         * A failed assertion is a test that covers its obligation. One that holds is covered by no test within the\n\
         * bounds of CBMC.\n",
        interface.function
    );
    if !interface.preconditions.is_empty() {
        text.push_str(" * Preconditions are not part of this file: a failure may break one.\n");
    }
    if !left_out.is_empty() {
        text.push_str(" *\n * Without an assertion:\n");
    }
    for (key, why) in left_out {
        let _ = writeln!(text, " *   {}: {why}", escaped(&key.to_string()));
    }
    text.push_str(" */\n");
    text
}
