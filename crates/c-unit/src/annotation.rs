//! The text of a unit with statements behind the evaluation of its decisions, for tools that verify C.
//!
//! Tests never run this text: only what is handed to another tool has something inserted. A decision becomes a statement
//! expression that keeps which of its conditions were evaluated and which held, a bit each, and how it came out:
//!
//! ```c
//! if (({ unsigned long obligato_seen_3 = 0, obligato_held_3 = 0; int obligato_outcome_3 =
//!     !!(obligato_note(&obligato_seen_3, &obligato_held_3, 0, !!(a > 1)) && …); STATEMENTS obligato_outcome_3; }))
//! ```

use std::cmp::Reverse;
use std::collections::BTreeMap;

use obligato_model::{DecisionId, Span};

use crate::unit::Unit;

/// Decisions with more conditions have no word that holds them all.
pub const MOST_NOTED: usize = 64;

/// The function that notes how a condition came out.
pub const NOTE: &str = "static _Bool obligato_note(unsigned long *seen, unsigned long *held, int condition, _Bool value) \
    { *seen |= 1ul << condition; if (value) *held |= 1ul << condition; return value; }";

/// The names that statements behind a decision can use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotedNames {
    /// A bit per condition: was it evaluated?
    pub seen: String,
    /// A bit per condition: was it true?
    pub held: String,
    /// How the decision came out: 0 or 1.
    pub outcome: String,
}

impl NotedNames {
    /// Those of a decision.
    pub fn of(decision: DecisionId) -> Self {
        let number = decision.index();
        Self {
            seen: format!("obligato_seen_{number}"),
            held: format!("obligato_held_{number}"),
            outcome: format!("obligato_outcome_{number}"),
        }
    }
}

/// An expression of the text and what goes around it.
struct Wrapping {
    start: u32,
    end: u32,
    before: String,
    after: String,
}

impl Unit {
    /// The preprocessed text, in which each of these decisions is followed by its statements.
    pub fn annotated(&self, statements: &BTreeMap<DecisionId, String>) -> String {
        let wrappings = self.wrappings(statements);
        // The order of `wrappings` is from the outside in: what starts together opens in that order and closes in the other.
        let mut insertions: Vec<(u32, bool, Reverse<u32>, usize)> = Vec::new();
        for (order, one) in wrappings.iter().enumerate() {
            insertions.push((one.start, true, Reverse(one.end), order));
            insertions.push((one.end, false, Reverse(one.start), wrappings.len() - order));
        }
        insertions.sort_unstable();
        let (bytes, mut text, mut done) = (self.text.bytes(), Vec::new(), 0);
        for (at, opens, _, order) in insertions {
            text.extend_from_slice(&bytes[done..at as usize]);
            done = at as usize;
            let one = &wrappings[if opens { order } else { wrappings.len() - order }];
            text.extend_from_slice(if opens {
                one.before.as_bytes()
            } else {
                one.after.as_bytes()
            });
        }
        text.extend_from_slice(&bytes[done..]);
        String::from_utf8_lossy(&text).into_owned()
    }

    fn wrappings(&self, statements: &BTreeMap<DecisionId, String>) -> Vec<Wrapping> {
        let mut wrappings = Vec::new();
        for (function, ids) in self.syntax.functions.iter().zip(&self.ids) {
            for (decision, id) in function.decisions.iter().zip(&ids.decisions) {
                let Some(statements) = statements.get(id) else { continue };
                let NotedNames { seen, held, outcome } = NotedNames::of(*id);
                wrappings.push(self.wrapping(
                    decision.stretch.span,
                    format!("({{ unsigned long {seen} = 0, {held} = 0; int {outcome} = !!("),
                    format!("); {statements} {outcome}; }})"),
                ));
                for (ordinal, condition) in decision.conditions.iter().enumerate() {
                    wrappings.push(self.wrapping(
                        condition.stretch.span,
                        format!("obligato_note(&{seen}, &{held}, {ordinal}, !!("),
                        "))".to_owned(),
                    ));
                }
            }
        }
        wrappings
    }

    fn wrapping(&self, span: Span, before: String, after: String) -> Wrapping {
        let (start, end) = (self.text.offset(span.start), self.text.offset(span.end));
        Wrapping { start, end, before, after }
    }
}
