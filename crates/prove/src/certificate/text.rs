//! Certificates as text.
//!
//! ```text
//! obligato-proof 1
//! circuit 8c1e04f2a9b3d671
//! steps 1
//! latch 1 count[0]
//! latch 2 count[1]
//! gate 3 417
//! bad 3 overflow of count
//! clause -1 -2
//! end
//! ```
//!
//! The lines come in this order. Numbers stand for latches, by the names that the caller gives to the latches of the circuit, or
//! for other gates of this very circuit, by their number there. They are counted from 1, and a minus is negation. `steps` is the
//! `k` of the induction. `end` is there so that a file cut short is noticed.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use obligato_circuit::{Circuit, Gate, GateId, Lit};
use rustc_hash::FxHashMap;

use super::{Bad, Certificate};
use crate::invariant::Invariant;

const FORMAT: &str = "obligato-proof";
const VERSION: &str = "1";

/// Why a text is not a certificate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct TextError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub reason: LineError,
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// Another kind of line belongs here.
    #[error("expected {0}")]
    Expected(&'static str),
    /// Another program, or a newer release, has written it.
    #[error("this is version '{0}' of the format, and only version {VERSION} can be read")]
    Version(String),
    /// No latch of the circuit has this name.
    #[error("the circuit has no latch '{0}'")]
    NoSuchLatch(String),
    /// More than one latch has this name.
    #[error("the circuit has more than one latch '{0}'")]
    AmbiguousLatch(String),
    /// There is no such gate.
    #[error("the circuit has no gate {0}")]
    NoSuchGate(GateId),
    /// The text ends in the middle.
    #[error("the text ends before 'end'")]
    Ends,
}

/// Writes a certificate about a circuit. `names` are those of its latches.
pub fn print(certificate: &Certificate, circuit: &Circuit, names: &[String]) -> String {
    let clauses = &certificate.invariant.clauses;
    let mut numbers: BTreeMap<GateId, usize> = BTreeMap::new();
    let lits = clauses.iter().flatten().copied().chain(certificate.bads.iter().map(|bad| bad.lit));
    numbers.extend(lits.map(|lit| (lit.gate(), 0)));
    let mut text = format!("{FORMAT} {VERSION}\ncircuit {:016x}\n", certificate.circuit);
    let mut line = |words: std::fmt::Arguments<'_>| {
        text.write_fmt(words).expect("invariant: writing to a string does not fail");
        text.push('\n');
    };
    line(format_args!("steps {}", certificate.invariant.k));
    for (index, (gate, number)) in numbers.iter_mut().enumerate() {
        *number = index + 1;
        match circuit.gate(*gate) {
            Gate::Latch(latch) if (latch as usize) < names.len() => {
                line(format_args!("latch {number} {}", escaped(&names[latch as usize])));
            }
            _ => line(format_args!("gate {number} {gate}")),
        }
    }
    let signed =
        |lit: Lit| format!("{}{}", if lit.is_negated() { "-" } else { "" }, numbers[&lit.gate()]);
    for bad in &certificate.bads {
        line(format_args!("bad {} {}", signed(bad.lit), escaped(&bad.name)));
    }
    for clause in clauses {
        let lits: String = clause.iter().map(|lit| format!(" {}", signed(*lit))).collect();
        line(format_args!("clause{lits}"));
    }
    line(format_args!("end"));
    text
}

/// Reads what [`print`] has written. `names` are those of the latches of the circuit.
pub fn parse(text: &str, circuit: &Circuit, names: &[String]) -> Result<Certificate, TextError> {
    let mut lines = Lines { rest: text.lines(), line: 0, ahead: None };
    lines.advance();
    let version = lines.take(FORMAT, "'obligato-proof' and a version")?;
    if version != VERSION {
        return lines.fail(LineError::Version(version.to_owned()));
    }
    lines.advance();
    let Ok(fingerprint) = u64::from_str_radix(lines.take("circuit", CIRCUIT)?, 16) else {
        return lines.fail(LineError::Expected(CIRCUIT));
    };
    lines.advance();
    let Ok(k) = lines.take("steps", STEPS)?.parse() else {
        return lines.fail(LineError::Expected(STEPS));
    };
    lines.advance();
    let gates = parse_gates(&mut lines, circuit, names)?;
    let mut bads = Vec::new();
    while let Some(rest) = lines.is("bad") {
        let (number, name) = rest.split_once(' ').unwrap_or((rest, ""));
        bads.push(Bad { lit: parse_lit(&lines, number, &gates)?, name: unescaped(name) });
        lines.advance();
    }
    let mut clauses = Vec::new();
    while let Some(rest) = lines.is("clause") {
        let lits = rest.split_ascii_whitespace().map(|number| parse_lit(&lines, number, &gates));
        clauses.push(lits.collect::<Result<_, _>>()?);
        lines.advance();
    }
    if lines.ahead != Some("end") {
        return lines.fail(LineError::Expected("'bad', 'clause' or 'end'"));
    }
    Ok(Certificate { circuit: fingerprint, bads, invariant: Invariant { clauses, k } })
}

const CIRCUIT: &str = "'circuit' and 16 hexadecimal digits";
const STEPS: &str = "'steps' and a number";
const NUMBERED: &str = "the next number, counted from 1";

/// The gates that numbers stand for.
fn parse_gates(
    lines: &mut Lines<'_>,
    circuit: &Circuit,
    names: &[String],
) -> Result<Vec<GateId>, TextError> {
    let mut latches: FxHashMap<&str, Vec<GateId>> = FxHashMap::default();
    for (name, latch) in names.iter().zip(circuit.latches()) {
        latches.entry(name).or_default().push(latch.gate);
    }
    let mut gates = Vec::new();
    loop {
        let (rest, is_latch) = match (lines.is("latch"), lines.is("gate")) {
            (Some(rest), _) => (rest, true),
            (_, Some(rest)) => (rest, false),
            (None, None) => return Ok(gates),
        };
        let (number, what) = rest.split_once(' ').unwrap_or((rest, ""));
        if number.parse() != Ok(gates.len() + 1) {
            return lines.fail(LineError::Expected(NUMBERED));
        }
        gates.push(if is_latch {
            let name = unescaped(what);
            match latches.get(name.as_str()).map(Vec::as_slice) {
                Some([gate]) => *gate,
                Some(_) => return lines.fail(LineError::AmbiguousLatch(name)),
                None => return lines.fail(LineError::NoSuchLatch(name)),
            }
        } else {
            match what.parse::<GateId>() {
                Ok(gate) if (gate as usize) < circuit.len() => gate,
                Ok(gate) => return lines.fail(LineError::NoSuchGate(gate)),
                Err(_) => return lines.fail(LineError::Expected("the number of a gate")),
            }
        });
        lines.advance();
    }
}

fn parse_lit(lines: &Lines<'_>, number: &str, gates: &[GateId]) -> Result<Lit, TextError> {
    let digits = number.strip_prefix('-').unwrap_or(number);
    let index = digits.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    match index.and_then(|index| gates.get(index)) {
        Some(gate) => Ok(Lit::of(*gate).negated_if(digits.len() < number.len())),
        None => lines.fail(LineError::Expected("the number of a latch or gate above")),
    }
}

/// The lines of a text, with one in view.
struct Lines<'a> {
    rest: std::str::Lines<'a>,
    line: usize,
    ahead: Option<&'a str>,
}

impl<'a> Lines<'a> {
    fn advance(&mut self) {
        self.ahead = self.rest.next();
        self.line += 1;
    }

    /// What follows this word, if it opens the line in view.
    fn is(&self, word: &str) -> Option<&'a str> {
        let rest = self.ahead?.strip_prefix(word)?;
        if rest.is_empty() { Some(rest) } else { rest.strip_prefix(' ') }
    }

    /// What follows this word, which has to open the line in view.
    fn take(&self, word: &str, expected: &'static str) -> Result<&'a str, TextError> {
        match self.is(word) {
            Some(rest) => Ok(rest),
            None => self.fail(LineError::Expected(expected)),
        }
    }

    /// Something is wrong in the line in view.
    fn fail<T>(&self, reason: LineError) -> Result<T, TextError> {
        let reason = if self.ahead.is_none() { LineError::Ends } else { reason };
        Err(TextError { line: self.line, reason })
    }
}

/// A name on one line: line ends and backslashes are escaped.
pub(crate) fn escaped(name: &str) -> String {
    name.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r")
}

/// The name that was [escaped].
pub(crate) fn unescaped(text: &str) -> String {
    let mut name = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        match char {
            '\\' => match chars.next() {
                Some('n') => name.push('\n'),
                Some('r') => name.push('\r'),
                Some(other) => name.push(other),
                None => {}
            },
            _ => name.push(char),
        }
    }
    name
}
