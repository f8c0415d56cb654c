//! Do the executor and the machine agree?
//!
//! After undefined behaviour machine code may do anything: after a runtime error that does not trap, only the steps before
//! it are compared.

use std::fmt;

use obligato_bytecode::Address;
use obligato_execute::{AccessKind, Class, Ending, FindingKind};
use obligato_model::{ConditionId, Program};

use super::protocol::Protocol;
use super::{NativeEnding, NativeRun, shown};
use crate::interface::{Form, Interface};
use crate::run::{Observed, TestRun};
use crate::script::Held;

/// A difference between the executor and the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Disagreement {
    /// An output after a step.
    Output {
        /// The step, from 1.
        step: usize,
        /// The position of the output in the interface.
        output: usize,
        /// Its name.
        name: String,
        /// What the executor says.
        executed: String,
        /// What the machine says.
        native: String,
        /// Does the executor have the address of an object there, as a number? No two machines agree on those.
        is_address: bool,
    },
    /// How the test ended.
    Ending {
        /// What the executor says.
        executed: String,
        /// What the machine says.
        native: String,
    },
    /// The values of conditions.
    Condition {
        /// Which evaluation, from 1.
        evaluation: usize,
        /// What the executor says.
        executed: String,
        /// What the machine says.
        native: String,
    },
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Output { step, name, executed, native, .. } => {
                write!(f, "step {step}: '{name}' is {executed}, natively {native}")
            }
            Self::Ending { executed, native } => write!(f, "it {executed}, natively it {native}"),
            Self::Condition { evaluation, executed, native } => {
                write!(f, "evaluation {evaluation} is of {executed}, natively of {native}")
            }
        }
    }
}

impl Disagreement {
    /// What several tests have in common that differ for the same reason: an output (all cells of an array are one), a
    /// way to end, a condition.
    pub fn cause(&self) -> String {
        match self {
            Self::Output { name, .. } => {
                name.split(|c: char| c.is_ascii_digit()).filter(|part| !part.is_empty()).collect()
            }
            Self::Ending { executed, native } => format!("{executed}; {native}"),
            Self::Condition { executed, .. } => {
                executed.rsplit_once(" as ").map_or(executed.as_str(), |(text, _)| text).to_owned()
            }
        }
    }
}

/// Compares outputs and endings.
pub fn compare(protocol: &Protocol<'_>, run: &TestRun, native: &NativeRun) -> Vec<Disagreement> {
    let interface = protocol.interface;
    let mut found = Vec::new();
    for (step, (executed, native)) in run.steps.iter().zip(&native.steps).enumerate() {
        for (output, pair) in executed.iter().zip(native).enumerate() {
            let hidden = *pair.0 == Observed::Hidden || *pair.1 == Observed::Hidden;
            if !hidden && protocol.as_seen(pair.0) != *pair.1 {
                found.push(Disagreement::Output {
                    step: step + 1,
                    output,
                    name: interface.outputs[output].name.clone(),
                    executed: shown(interface, output, pair.0),
                    native: shown(interface, output, pair.1),
                    is_address: is_address(interface, output, pair.0),
                });
            }
        }
    }
    if !ending_fits(run, native) {
        let executed = match &run.ending {
            None => "comes to its end".to_owned(),
            Some(Ending::Exit(status)) => format!("calls exit({status})"),
            Some(Ending::Finding(finding)) => format!("stops at: {}", finding.kind),
        };
        found.push(Disagreement::Ending { executed, native: describe(native.ending) });
    }
    found
}

/// Objects of tests have numbers below this, and their addresses offsets below the other.
const MOST_OBJECTS: u32 = 1 << 16;
const LARGEST_OFFSET: i64 = 1 << 20;

/// Is an output a number that is the address of an object?
fn is_address(interface: &Interface, output: usize, held: &Observed) -> bool {
    let is_word = matches!(interface.outputs[output].form, Form::Integer(_, 64));
    let Observed::Held(Held::Bits(bits)) = held else { return false };
    is_word && is_address_of_executor(*bits as u64)
}

/// Could a number be the address of an object, as the executor has them?
pub fn is_address_of_executor(number: u64) -> bool {
    let address = Address(number);
    let is_near = (0..LARGEST_OFFSET).contains(&address.offset());
    (1..MOST_OBJECTS).contains(&address.object().0) && is_near
}

fn ending_fits(run: &TestRun, native: &NativeRun) -> bool {
    let same_steps = run.steps.len() == native.steps.len();
    match &run.ending {
        None => native.ending == NativeEnding::Finished && same_steps,
        Some(Ending::Exit(status)) => {
            native.ending == NativeEnding::Exit(status & 0xff) && same_steps
        }
        Some(Ending::Finding(finding)) => match signal_of(&finding.kind) {
            Some(signals) => {
                let trapped = same_steps
                    && matches!(native.ending, NativeEnding::Signal(one) if signals.contains(&one));
                let continues = native.steps.len() >= run.steps.len();
                trapped || (may_be_left_out(&finding.kind) && continues)
            }
            None => {
                native.steps.len() >= run.steps.len() || finding.kind.class() != Class::RuntimeError
            }
        },
    }
}

/// May machine code do without it? Compilers leave out a load whose value nobody uses, as in `(void)p->x`, and a division of
/// constants by zero; some machines give a result for any.
fn may_be_left_out(kind: &FindingKind) -> bool {
    matches!(
        kind,
        FindingKind::NullDereference { access: AccessKind::Read, .. } | FindingKind::DivisionByZero
    )
}

/// The signals that end such a runtime error on the machine; none where machine code may continue.
pub fn signal_of(kind: &FindingKind) -> Option<&'static [i32]> {
    const ABORT: i32 = 6;
    const BUS: i32 = 7;
    const ILLEGAL: i32 = 4;
    const TRAP: i32 = 5;
    const ARITHMETIC: i32 = 8;
    const SEGMENT: i32 = 11;
    match kind {
        FindingKind::NullDereference { .. } | FindingKind::NullCall => Some(&[SEGMENT, BUS]),
        FindingKind::DivisionByZero => Some(&[ARITHMETIC]),
        FindingKind::AssertionFailed { .. } | FindingKind::Abort => Some(&[ABORT]),
        FindingKind::Trap => Some(&[ILLEGAL, TRAP]),
        _ => None,
    }
}

fn describe(ending: NativeEnding) -> String {
    match ending {
        NativeEnding::Finished => "comes to its end".to_owned(),
        NativeEnding::Exit(status) => format!("calls exit({status})"),
        NativeEnding::Signal(signal) => format!("is ended by signal {signal}"),
        NativeEnding::Late => "is not done in time".to_owned(),
    }
}

/// Compares the values of conditions in their order. One sequence may be longer if the other run was
/// stopped: the executor by a runtime error that does not trap, the machine by the timeout or by an undefined function that
/// the executor cannot call either; then buffered values may be lost.
pub fn compare_conditions(
    program: &Program,
    run: &TestRun,
    expected: &[(u32, u64)],
    native: &NativeRun,
) -> Option<Disagreement> {
    let same = expected.iter().zip(&native.saw).take_while(|(left, right)| left == right).count();
    let stopped = matches!(run.ending, Some(Ending::Finding(_)));
    let unsupported = matches!(&run.ending, Some(Ending::Finding(finding))
        if finding.kind.class() == Class::Unsupported);
    let late = native.ending == NativeEnding::Late || native.cut || unsupported;
    if (same == expected.len() && (stopped || same == native.saw.len()))
        || (same == native.saw.len() && late)
    {
        return None;
    }
    let describe = |seen: Option<&(u32, u64)>| match seen {
        Some((condition, value)) => {
            let text = &program.condition(ConditionId::new(*condition as usize)).text;
            format!("`{text}` as {}", value & 1 != 0)
        }
        None => "nothing".to_owned(),
    };
    Some(Disagreement::Condition {
        evaluation: same + 1,
        executed: describe(expected.get(same)),
        native: describe(native.saw.get(same)),
    })
}
