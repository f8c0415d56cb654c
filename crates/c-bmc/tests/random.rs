//! Random functions over small numbers, all of whose tests can be run: every answer is held against them.

mod support;

use obligato_model::Random;
use support::{PLAIN, check_for, ranges};

/// Writes functions.
struct Writer {
    random: Random,
    text: String,
    /// Loops around, whose counters are `i0`, `i1` and so on.
    loops: usize,
    /// Statements that may still be written.
    room: usize,
}

const VARIABLES: [&str; 6] = ["a", "b", "c", "x", "y", "z"];

impl Writer {
    fn pick<'t>(&mut self, list: &[&'t str]) -> &'t str {
        list[self.random.below(list.len())]
    }

    fn value(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.below(3) == 0 {
            return match self.random.below(4) {
                0 => self.pick(&["-2", "-1", "0", "1", "2", "3", "4"]).to_owned(),
                1 if self.loops > 0 => format!("i{}", self.random.below(self.loops)),
                _ => self.pick(&VARIABLES).to_owned(),
            };
        }
        let (left, right) = (self.value(depth - 1), self.value(depth - 1));
        match self.random.below(10) {
            0..=3 => format!("({left} {} {right})", self.pick(&["+", "-", "*"])),
            4 => format!("({left} {} {right})", self.pick(&["/", "%"])),
            5 => format!("({left} {} {right})", self.pick(&["&", "|", "^"])),
            6 => format!("({left} {} ({right} & 3))", self.pick(&["<<", ">>"])),
            7 => format!("t[{left} & 3]"),
            8 => format!("g({left}, {right})"),
            _ => format!("({} ? {left} : {right})", self.test(1)),
        }
    }

    fn test(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.below(4) == 0 {
            let (left, right) = (self.value(1), self.value(1));
            let op = self.pick(&["<", "<=", ">", ">=", "==", "!="]);
            return match self.random.below(6) {
                0 => self.pick(&VARIABLES).to_owned(),
                _ => format!("{left} {op} {right}"),
            };
        }
        let (left, right) = (self.test(depth - 1), self.test(depth - 1));
        match self.random.below(5) {
            0 => format!("!({left})"),
            1 | 2 => format!("({left} && {right})"),
            _ => format!("({left} || {right})"),
        }
    }

    fn line(&mut self, text: &str) {
        self.text.push_str("    ");
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn statements(&mut self, depth: usize) {
        for _ in 0..=self.random.below(3) {
            if self.room == 0 {
                return;
            }
            self.room -= 1;
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: usize) {
        match self.random.below(if depth == 0 { 3 } else { 9 }) {
            0 | 1 => {
                let (to, value) = (self.pick(&["x", "y", "z"]), self.value(2));
                self.line(&format!("{to} = {value};"));
            }
            2 => {
                let (index, value) = (self.value(1), self.value(1));
                self.line(&format!("t[{index} & 3] = {value};"));
            }
            3..=5 => {
                let test = self.test(2);
                self.line(&format!("if ({test}) {{"));
                self.statements(depth - 1);
                if self.random.below(2) == 0 {
                    self.line("} else {");
                    self.statements(depth - 1);
                }
                self.line("}");
            }
            6 => {
                let (counter, end) = (self.loops, 1 + self.random.below(3));
                self.line(&format!(
                    "for (int i{counter} = 0; i{counter} < {end}; i{counter}++) {{"
                ));
                self.loops += 1;
                self.statements(depth - 1);
                if self.random.below(2) == 0 {
                    let (test, way) = (self.test(1), self.pick(&["break", "continue"]));
                    self.line(&format!("if ({test}) {way};"));
                }
                self.statements(depth - 1);
                self.loops -= 1;
                self.line("}");
            }
            7 => {
                let on = self.value(1);
                self.line(&format!(
                    "switch ({on}) {{ case 0: x++; case 1: y = 2; break; case 2: z = x; break; }}"
                ));
            }
            _ => {
                let (test, value) = (self.test(1), self.value(1));
                self.line(&format!("if ({test}) return {value};"));
            }
        }
    }
}

fn function(seed: u64) -> String {
    let random = Random::for_purpose(seed, "functions");
    let mut writer = Writer { random, text: String::new(), loops: 0, room: 14 };
    writer.statements(3);
    writer.statements(3);
    let result = writer.test(2);
    format!(
        "static int g(int p, int q) {{ if (p > q && q != 0) return p % q; return p - q; }}\n\
         int f(int a, int b, int c) {{\n    int x = 0, y = 1, z = a, t[4] = {{ 1, 2, 3, 4 }};\n{}    return {result};\n}}\n",
        writer.text
    )
}

#[test]
fn answers_are_those_of_all_tests() {
    let (mut events, mut never) = (0, 0);
    for seed in 0..24 {
        let settings = ranges(&[("a", -1, 3), ("b", -2, 2), ("c", 0, 3)]);
        let (of_this, never_of_this) = check_for(PLAIN, &function(seed), settings, 1);
        events += of_this;
        never += never_of_this;
    }
    assert!(never > 50 && events - never > 100, "{events} events, {never} never");
}
