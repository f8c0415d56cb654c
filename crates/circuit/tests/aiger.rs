//! AIGER files are read back by a reader of our own and run beside the circuit that was written.

mod support;

use obligato_circuit::aiger::{Names, ascii, binary};
use obligato_circuit::{Circuit, Encoding, EncodingOptions, Lit, Simulation};
use obligato_model::Random;
use obligato_transition_system::{NodeId, Sort};
use support::systems;

/// What a file says.
struct File {
    circuit: Circuit,
    bad: Vec<Lit>,
    symbols: Vec<String>,
}

/// Reads lines and single bytes.
struct Reader<'b> {
    bytes: &'b [u8],
}

impl Reader<'_> {
    fn line(&mut self) -> String {
        let end = self.bytes.iter().position(|byte| *byte == b'\n').expect("a line");
        let line = String::from_utf8(self.bytes[..end].to_vec()).expect("text");
        self.bytes = &self.bytes[end + 1..];
        line
    }

    fn numbers(&mut self) -> Vec<u32> {
        let line = self.line();
        line.split(' ').map(|word| word.parse().expect("a number")).collect()
    }

    fn difference(&mut self) -> u32 {
        let (mut value, mut shift) = (0, 0);
        loop {
            let byte = self.bytes[0];
            self.bytes = &self.bytes[1..];
            value |= u32::from(byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                return value;
            }
        }
    }
}

fn read(bytes: &[u8]) -> File {
    let mut reader = Reader { bytes };
    let header = reader.line();
    let (format, counts) = header.split_once(' ').expect("a header");
    let counts: Vec<usize> =
        counts.split(' ').map(|word| word.parse().expect("a number")).collect();
    let [variables, inputs, latches, outputs, ands, bad, constraints] = counts[..] else {
        panic!("seven counts: {header}");
    };
    assert_eq!((variables, outputs), (inputs + latches + ands, 0));
    let is_text = match format {
        "aag" => true,
        "aig" => false,
        _ => panic!("no format: {format}"),
    };
    let mut circuit = Circuit::new();
    // By variable; 0 is false.
    let mut lits = vec![Lit::FALSE];
    for index in 1..=inputs {
        lits.push(circuit.input());
        assert!(!is_text || reader.numbers() == [2 * index as u32]);
    }
    let mut next = Vec::new();
    for index in inputs + 1..=inputs + latches {
        let mut line = reader.numbers();
        assert!(!is_text || line.remove(0) == 2 * index as u32);
        lits.push(circuit.latch(line[1] == 1));
        next.push(line[0]);
    }
    let properties: Vec<u32> = (0..bad + constraints).map(|_| reader.numbers()[0]).collect();
    let lit = |lits: &[Lit], code: u32| lits[code as usize / 2].negated_if(code % 2 == 1);
    for index in inputs + latches + 1..=variables {
        let own = 2 * index as u32;
        let [a, b] = if is_text {
            let line = reader.numbers();
            assert_eq!(line[0], own);
            [line[1], line[2]]
        } else {
            let first = own - reader.difference();
            [first, first - reader.difference()]
        };
        assert!(own > a && a >= b, "operands come first, the larger before the smaller");
        let and = circuit.and(lit(&lits, a), lit(&lits, b));
        lits.push(and);
    }
    for (latch, next) in next.into_iter().enumerate() {
        circuit.set_next(latch, lit(&lits, next));
    }
    let properties: Vec<Lit> = properties.into_iter().map(|code| lit(&lits, code)).collect();
    for constraint in &properties[bad..] {
        circuit.constrain(*constraint);
    }
    let mut symbols = Vec::new();
    while !reader.bytes.is_empty() {
        symbols.push(reader.line());
    }
    File { circuit, bad: properties[..bad].to_vec(), symbols }
}

#[test]
fn what_is_read_back_runs_like_what_was_written() {
    let mut random = Random::new(11);
    for round in 0..30 {
        let system = systems::system(&mut random, 10 + round);
        let bools = system.graph.nodes().filter(|node| system.graph.sort(*node) == Sort::Bool);
        let roots: Vec<NodeId> = bools.collect();
        let options = EncodingOptions { bits: 6, ..EncodingOptions::default() };
        let encoding = Encoding::new(&system, &roots, &options).expect("a circuit");
        let circuit = &encoding.circuit;
        let bad: Vec<Lit> = roots.iter().filter_map(|root| encoding.bool(*root)).collect();
        let names = Names { bad: vec!["two\nlines".to_owned()], ..Names::of(&encoding, &system) };
        for file in
            [read(ascii(circuit, &bad, &names).as_bytes()), read(&binary(circuit, &bad, &names))]
        {
            assert_eq!(file.symbols.len(), circuit.inputs().len() + circuit.latches().len() + 1);
            assert_eq!(file.symbols.last().map(String::as_str), Some("b0 twolines"));
            assert!(file.symbols.iter().any(|line| line.starts_with("i0 input")));
            assert_eq!(file.circuit.constraints().len(), circuit.constraints().len());
            let mut runs = (Simulation::new(circuit), Simulation::new(&file.circuit));
            for _ in 0..5 {
                let inputs: Vec<u64> = circuit.inputs().iter().map(|_| random.next()).collect();
                runs.0.step(circuit, |input| inputs[input]);
                runs.1.step(&file.circuit, |input| inputs[input]);
                let written = bad.iter().chain(circuit.constraints());
                let read = file.bad.iter().chain(file.circuit.constraints());
                for (written, read) in written.zip(read) {
                    assert_eq!(runs.0.value(*written), runs.1.value(*read));
                }
            }
        }
    }
}

#[test]
fn a_small_file_looks_as_the_format_says() {
    let mut circuit = Circuit::new();
    let (set, held) = (circuit.input(), circuit.latch(true));
    let next = circuit.or(set, held);
    circuit.set_next(0, next);
    circuit.constrain(!set);
    // Nothing depends on it.
    circuit.and(set, held);
    let names = Names { inputs: vec!["set".to_owned()], ..Names::default() };
    let text = ascii(&circuit, &[!held], &names);
    assert_eq!(text, "aag 3 1 1 0 1 1 1\n2\n4 7 1\n5\n3\n6 5 3\ni0 set\n");
    let bytes = binary(&circuit, &[!held], &names);
    assert_eq!(bytes, b"aig 3 1 1 0 1 1 1\n7 1\n5\n3\n\x01\x02i0 set\n");
}
