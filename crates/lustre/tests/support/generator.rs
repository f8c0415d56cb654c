//! Random models that are right.

use std::fmt::Write as _;

/// A small generator of well-typed models, driven by a list of choices.
pub struct Generator {
    choices: Vec<u8>,
    next: usize,
    booleans: Vec<String>,
    integers: Vec<String>,
}

impl Generator {
    fn choose(&mut self, among: usize) -> usize {
        let choice = self.choices.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        choice as usize % among
    }

    fn one_of(&mut self, names: &[String]) -> String {
        let position = self.choose(names.len());
        names[position].clone()
    }

    fn boolean(&mut self, depth: u32) -> String {
        let kind = if depth == 0 { self.choose(3) } else { self.choose(16) };
        match kind {
            0 => self.one_of(&self.booleans.clone()),
            1 => "true".to_owned(),
            2 => "(e0 = BLUE)".to_owned(),
            3 => format!("(not {})", self.boolean(depth - 1)),
            4 => format!("({} xor {})", self.boolean(depth - 1), self.boolean(depth - 1)),
            5 => format!("({} => {})", self.boolean(depth - 1), self.boolean(depth - 1)),
            6 => format!("({} = {})", self.boolean(depth - 1), self.boolean(depth - 1)),
            7 => format!("({} <> {})", self.boolean(depth - 1), self.boolean(depth - 1)),
            8 => {
                let (a, b) = (self.boolean(depth - 1), self.boolean(depth - 1));
                format!("(if {a} then {b} else {})", self.boolean(depth - 1))
            }
            9 => format!("({} <= {})", self.integer(depth - 1), self.integer(depth - 1)),
            10 => format!("({} -> pre {})", self.boolean(depth - 1), self.boolean(depth - 1)),
            11 => format!("edge({})", self.boolean(depth - 1)),
            12 => format!("(r0 > {}.5)", self.choose(9)),
            13 => format!("p0[{}]", self.choose(3)),
            14 => format!("({} or {})", self.boolean(depth - 1), self.boolean(depth - 1)),
            _ => format!("({} and {})", self.boolean(depth - 1), self.boolean(depth - 1)),
        }
    }

    fn integer(&mut self, depth: u32) -> String {
        let kind = if depth == 0 { self.choose(3) } else { self.choose(8) };
        match kind {
            0 => self.one_of(&self.integers.clone()),
            1 => format!("{}", self.choose(100)),
            2 => "LIMIT".to_owned(),
            3 => format!("({} + {})", self.integer(depth - 1), self.integer(depth - 1)),
            4 => format!("({} * -{})", self.integer(depth - 1), self.integer(depth - 1)),
            5 => format!("({} fby {})", self.integer(depth - 1), self.integer(depth - 1)),
            6 => format!("q0{{x := {}}}.x", self.integer(depth - 1)),
            _ => {
                let (a, b) = (self.boolean(depth - 1), self.integer(depth - 1));
                format!("(if {a} then {b} else {})", self.integer(depth - 1))
            }
        }
    }

    /// A model by these choices.
    pub fn model(choices: Vec<u8>) -> String {
        let names = |names: &[&str]| names.iter().map(ToString::to_string).collect();
        let (booleans, integers) = (names(&["b0", "b1"]), names(&["i0", "s0"]));
        let mut generator = Self { choices, next: 0, booleans, integers };
        let (mut locals, mut equations) = (String::new(), String::new());
        for index in 0..6 {
            if generator.choose(2) == 0 {
                let value = generator.boolean(4);
                let _ = writeln!(equations, "  x{index} = {value};");
                let _ = writeln!(locals, "  x{index}: bool;");
                generator.booleans.push(format!("x{index}"));
            } else {
                let value = generator.integer(4);
                let _ = writeln!(equations, "  x{index} = {value};");
                let _ = writeln!(locals, "  x{index}: int;");
                generator.integers.push(format!("x{index}"));
            }
        }
        let (first, second) = (generator.boolean(3), generator.integer(3));
        format!(
            "const LIMIT = 7;\n\
             type colour = enum {{ RED, BLUE }};\n\
             type point = struct {{ x: int; y: bool }};\n\
             node edge(b: bool) returns (e: bool);\nlet e = b and (true -> not pre b); tel;\n\
             node main(b0, b1: bool; i0: int; s0: subrange [0, 3] of int; r0: real; e0: colour;\n\
             \x20 p0: bool^3; q0: point) returns (o1: bool; o2: int);\n\
             var\n{locals}let\n{equations}  o1, o2 = ({first}, {second});\ntel;\n"
        )
    }
}
