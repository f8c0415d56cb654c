//! Circuits as AIGER files, for other model checkers to read.
//!
//! The format is AIGER 1.9 (Biere, Heljanko, Wieringa, 2011): inputs, latches with what they hold
//! first, bad states, invariant constraints and a symbol table; as text (`aag`) or compact (`aig`).
//! In both, inputs are numbered first, then latches, then gates, which the compact form demands. Gates
//! on which nothing depends are left out.

use std::fmt::Write as _;

use obligato_transition_system::System;

use crate::circuit::{Circuit, Gate, Lit};
use crate::encode::{Encoding, LatchPort, Order, Port};

/// The symbol table; gates without a name have no entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// By index of the input.
    pub inputs: Vec<String>,
    /// By index of the latch.
    pub latches: Vec<String>,
    /// By position among the bad states.
    pub bad: Vec<String>,
}

impl Names {
    /// Names for the inputs and latches of an encoded system.
    pub fn of(encoding: &Encoding, system: &System) -> Self {
        let input = |port: &Port| match port {
            Port::Bit { input, bit } => format!("{}[{bit}]", system.inputs[*input].name),
            Port::Outside { input } => format!("{} is outside", system.inputs[*input].name),
            Port::Undefined { latch, bit } => format!("{}[{bit}]", system.latches[*latch].name),
            Port::UndefinedOutside { latch } => {
                format!("{} is outside", system.latches[*latch].name)
            }
            Port::Unknown { order: Order::Less, first, second } => format!("{first} < {second}"),
            Port::Unknown { order: Order::Equal, first, second } => {
                format!("{first} = {second}, unless it is less")
            }
        };
        let latch = |port: &LatchPort| match port {
            LatchPort::Bit { latch, bit } => format!("{}[{bit}]", system.latches[*latch].name),
            LatchPort::Outside { latch } => format!("{} is outside", system.latches[*latch].name),
            LatchPort::Beyond { latch } => format!("{} is beyond", system.latches[*latch].name),
        };
        Self {
            inputs: encoding.ports().iter().map(input).collect(),
            latches: encoding.latch_ports().iter().map(latch).collect(),
            bad: Vec::new(),
        }
    }
}

/// The circuit as text, with a bad state for each literal of `bad`.
pub fn ascii(circuit: &Circuit, bad: &[Lit], names: &Names) -> String {
    let numbered = Numbered::new(circuit, bad);
    let mut text = numbered.header("aag");
    for input in 1..=circuit.inputs().len() {
        line(&mut text, format_args!("{}", 2 * input));
    }
    for (index, latch) in numbered.latch_lines().into_iter().enumerate() {
        let own = 2 * (circuit.inputs().len() + index + 1);
        line(&mut text, format_args!("{own} {latch}"));
    }
    numbered.write_properties(&mut text);
    for [and, first, second] in numbered.ands() {
        line(&mut text, format_args!("{and} {first} {second}"));
    }
    write_symbols(&mut text, names);
    text
}

/// The circuit in the compact form, with a bad state for each literal of `bad`.
pub fn binary(circuit: &Circuit, bad: &[Lit], names: &Names) -> Vec<u8> {
    let numbered = Numbered::new(circuit, bad);
    let mut text = numbered.header("aig");
    for latch in numbered.latch_lines() {
        line(&mut text, format_args!("{latch}"));
    }
    numbered.write_properties(&mut text);
    let mut bytes = text.into_bytes();
    for [and, first, second] in numbered.ands() {
        write_difference(&mut bytes, and - first);
        write_difference(&mut bytes, first - second);
    }
    let mut symbols = String::new();
    write_symbols(&mut symbols, names);
    bytes.extend(symbols.into_bytes());
    bytes
}

/// A circuit with the numbers that its gates have in the file.
struct Numbered<'c> {
    circuit: &'c Circuit,
    bad: &'c [Lit],
    /// By gate; 0 also for gates that are left out.
    variables: Vec<u32>,
    /// The gates that are not left out.
    kept: Vec<(Lit, Lit)>,
}

impl<'c> Numbered<'c> {
    fn new(circuit: &'c Circuit, bad: &'c [Lit]) -> Self {
        let needed = needed(circuit, bad);
        let mut variables = vec![0; circuit.len()];
        let latches = circuit.latches().iter().map(|latch| latch.gate);
        let mut last = 0;
        for gate in circuit.inputs().iter().copied().chain(latches) {
            last += 1;
            variables[gate as usize] = last;
        }
        let mut kept = Vec::new();
        for (gate, of) in circuit.gates().iter().enumerate() {
            if let (Gate::And(a, b), true) = (of, needed[gate]) {
                last += 1;
                variables[gate] = last;
                kept.push((*a, *b));
            }
        }
        Self { circuit, bad, variables, kept }
    }

    fn literal(&self, lit: Lit) -> u32 {
        2 * self.variables[lit.gate() as usize] + u32::from(lit.is_negated())
    }

    fn header(&self, format: &str) -> String {
        let circuit = self.circuit;
        let (inputs, latches) = (circuit.inputs().len(), circuit.latches().len());
        let (ands, bad, constraints) =
            (self.kept.len(), self.bad.len(), circuit.constraints().len());
        let variables = inputs + latches + ands;
        format!("{format} {variables} {inputs} {latches} 0 {ands} {bad} {constraints}\n")
    }

    /// For each latch its next and initial values.
    fn latch_lines(&self) -> Vec<String> {
        let latches = self.circuit.latches().iter();
        latches
            .map(|latch| format!("{} {}", self.literal(latch.next), u8::from(latch.initial)))
            .collect()
    }

    fn write_properties(&self, text: &mut String) {
        for lit in self.bad.iter().chain(self.circuit.constraints()) {
            line(text, format_args!("{}", self.literal(*lit)));
        }
    }

    /// Each gate with its operands, the larger first.
    fn ands(&self) -> impl Iterator<Item = [u32; 3]> + '_ {
        let before = self.circuit.inputs().len() + self.circuit.latches().len();
        self.kept.iter().enumerate().map(move |(index, (a, b))| {
            let (a, b) = (self.literal(*a), self.literal(*b));
            [2 * (before + index + 1) as u32, a.max(b), a.min(b)]
        })
    }
}

/// The cone of next values, bad states and constraints.
fn needed(circuit: &Circuit, bad: &[Lit]) -> Vec<bool> {
    let mut needed = vec![false; circuit.len()];
    let next = circuit.latches().iter().map(|latch| latch.next);
    for root in next.chain(bad.iter().copied()).chain(circuit.constraints().iter().copied()) {
        needed[root.gate() as usize] = true;
    }
    for gate in (0..circuit.len()).rev() {
        if let (Gate::And(a, b), true) = (circuit.gates()[gate], needed[gate]) {
            needed[a.gate() as usize] = true;
            needed[b.gate() as usize] = true;
        }
    }
    needed
}

/// A number, seven bits to a byte, low ones first; all bytes but the last have their top bit set.
fn write_difference(bytes: &mut Vec<u8>, mut difference: u32) {
    while difference >= 0x80 {
        bytes.push(difference as u8 | 0x80);
        difference >>= 7;
    }
    bytes.push(difference as u8);
}

fn write_symbols(text: &mut String, names: &Names) {
    for (letter, names) in [('i', &names.inputs), ('l', &names.latches), ('b', &names.bad)] {
        for (index, name) in names.iter().enumerate() {
            // A name ends with its line.
            let name: String = name.chars().filter(|letter| !letter.is_control()).collect();
            line(text, format_args!("{letter}{index} {name}"));
        }
    }
}

fn line(text: &mut String, content: std::fmt::Arguments<'_>) {
    writeln!(text, "{content}").expect("invariant: a string takes any text");
}
