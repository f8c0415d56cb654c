//! Statements and decisions over what a random function can read.

use std::fmt::Write;

use obligato_model::Random;

use super::surroundings::Surroundings;

const RELATIONS: [&str; 6] = ["<", "<=", ">", ">=", "==", "!="];

/// The text of a function's body, marked, and of a function that it calls.
pub struct Body {
    pub helper: String,
    pub text: String,
}

struct Writer<'a> {
    random: &'a mut Random,
    around: &'a Surroundings,
    text: String,
    indent: usize,
    /// Loops around, whose counters are `i0`, `i1` and so on.
    loops: usize,
    /// Statements that may still be written.
    room: usize,
    /// The function that may be called with two numbers, if there is one.
    helper: Option<String>,
    /// Conditions that have no effects and were written already: some come again.
    earlier: Vec<String>,
}

impl Body {
    /// Writes a body.
    pub fn grow(random: &mut Random, around: &Surroundings) -> Self {
        let number = around.number();
        let name = format!("h{number}");
        let helper = match random.below(4) {
            0 => format!(
                "static int {name}(int p, int q) {{\n    if (D(C(p > q) && C(q != 0))) @return p % q;\n    \
                 if (D(p == {})) @return 1;\n    @return p - q;\n}}",
                random.below(5)
            ),
            1 => format!(
                "static int {name}(int p, int q) {{\n    if (D(C(p <= 0) || C(q > 2))) @return q;\n    \
                 @return {name}(p - 1, q + {}) + 1;\n}}",
                random.below(2)
            ),
            _ => String::new(),
        };
        let mut writer = Writer {
            random,
            around,
            text: String::new(),
            indent: 1,
            loops: 0,
            room: 10,
            helper: (!helper.is_empty()).then_some(name.clone()),
            earlier: Vec::new(),
        };
        writer.guards();
        writer.statements(3);
        writer.statements(3);
        writer.text.push_str("    @return ");
        let result = writer.decision(2);
        let _ = writeln!(writer.text, "{result} ? 1 : 0;");
        let text = writer.text;
        // What is not called has no obligations.
        let helper = if text.contains(&format!("{name}(")) { helper } else { String::new() };
        Self { helper, text }
    }
}

impl Writer<'_> {
    fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.random.below(list.len())].clone()
    }

    fn line(&mut self, text: &str) {
        let indent = self.indent * 4;
        let _ = writeln!(self.text, "{:indent$}{text}", "");
    }

    /// Most pointers are compared with NULL first.
    fn guards(&mut self) {
        for pointer in &self.around.pointers {
            if self.random.below(5) != 0 {
                self.line(&format!("if (D(!C({pointer}))) @return -1;"));
            }
        }
    }

    /// A small number.
    fn value(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.below(2) == 0 {
            return match self.random.below(6) {
                0 => self.random.below(5).to_string(),
                1 if self.loops > 0 => format!("i{}", self.random.below(self.loops)),
                _ => self.readable(),
            };
        }
        let (left, right) = self.operands(depth - 1);
        match self.random.below(9) {
            0..=2 => format!("M(({left} {} {right}))", self.pick(&["+", "-"])),
            3 => format!("M(({left} * {right}))"),
            // Compilers fold a division by the literal.
            4 if right != "0" => format!("M(({left} {} {right}))", self.pick(&["/", "%"])),
            5 => format!("M(({left} {} {right}))", self.pick(&["&", "|", "^"])),
            // Of a negative number it is undefined.
            6 if self.random.below(4) == 0 => format!("M(({left} << {right}))"),
            6 => format!("M((({left} & 15) {} {right}))", self.pick(&["<<", ">>"])),
            7 if self.helper.is_some() => {
                format!("{}({left} & 7, {right})", self.helper.as_deref().unwrap_or_default())
            }
            _ => format!("({} ? {left} : {right})", self.decision(0)),
        }
    }

    fn readable(&mut self) -> String {
        format!("M({})", self.pick(&self.around.values))
    }

    /// Two operands. C does not say which comes first: decisions are in one of them only, and nothing in the other ends the run. At most
    /// one is a literal: what the compiler folds counts for other conditions of its decision too.
    fn operands(&mut self, depth: usize) -> (String, String) {
        let (mut left, right) = (self.value(depth), self.value(depth));
        let call = self.helper.as_ref().map_or("D(".to_owned(), |name| format!("{name}("));
        let decides = |text: &str| text.contains("D(") || text.contains(&call);
        if decides(&left) || decides(&right) {
            let literal = self.random.below(5).to_string();
            return if decides(&left) { (left, literal) } else { (literal, right) };
        }
        let is_literal = |text: &str| text.chars().all(|c| c.is_ascii_digit());
        if is_literal(&left) && is_literal(&right) {
            left = self.readable();
        }
        (left, right)
    }

    /// A condition and its mark.
    fn condition(&mut self) -> String {
        if !self.earlier.is_empty() && self.random.below(4) == 0 {
            let again = &self.earlier[self.random.below(self.earlier.len())];
            return format!("C({again})");
        }
        let text = match self.random.below(8) {
            0 | 1 if !self.around.conditions.is_empty() => self.pick(&self.around.conditions),
            2 if !self.around.fresh.is_empty() => {
                // What it is compared with must not depend on when the environment acts.
                let (fresh, relation) = (self.pick(&self.around.fresh), self.pick(&RELATIONS));
                let constant = self.random.below(4);
                return format!("C({fresh} {relation} {constant})");
            }
            3 if !self.around.pointers.is_empty() => self.pick(&self.around.pointers),
            4 | 5 => {
                let (left, right) = self.operands(1);
                let text = format!("{left} {} {right}", self.pick(&RELATIONS));
                // A decision inside is marked: it may come again, but not as an earlier condition of another loop.
                if text.contains("D(") || self.loops > 0 {
                    return format!("C({text})");
                }
                text
            }
            _ => {
                let left = self.readable();
                format!("{left} {} {}", self.pick(&RELATIONS), self.random.below(5))
            }
        };
        self.earlier.push(text.clone());
        format!("C({text})")
    }

    /// What stands in a decision.
    fn inside(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.below(3) == 0 {
            return self.condition();
        }
        let (left, right) = (self.inside(depth - 1), self.inside(depth - 1));
        match self.random.below(6) {
            0 => format!("!({left})"),
            1..=3 => format!("({left} && {right})"),
            _ => format!("({left} || {right})"),
        }
    }

    fn decision(&mut self, depth: usize) -> String {
        let inside = self.inside(depth);
        // Parentheses around all of it are no part of it.
        let inner = inside.strip_prefix('(').and_then(|inside| inside.strip_suffix(')'));
        match inner {
            Some(inner) => format!("(D({inner}))"),
            None => format!("D({inside})"),
        }
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

    fn block(&mut self, depth: usize) {
        self.indent += 1;
        self.statements(depth);
        self.indent -= 1;
    }

    fn statement(&mut self, depth: usize) {
        match self.random.below(if depth == 0 { 4 } else { 11 }) {
            0..=2 => {
                let (target, value) = (self.pick(&self.around.targets), self.value(2));
                self.line(&format!("@{};", target.replace('#', &value)));
            }
            3 if !self.around.calls.is_empty() => {
                let call = self.pick(&self.around.calls);
                self.line(&format!("@{call}"));
            }
            3..=6 => {
                let test = self.decision(2);
                self.line(&format!("if ({test}) {{"));
                self.block(depth.saturating_sub(1));
                if self.random.below(2) == 0 {
                    self.line("} else {");
                    self.block(depth.saturating_sub(1));
                }
                self.line("}");
            }
            7 => {
                let counter = format!("i{}", self.loops);
                let end = match self.random.below(8) {
                    0 => "45".to_owned(),
                    1 | 2 => self.readable(),
                    _ => (1 + self.random.below(3)).to_string(),
                };
                // What ends the loop may change in it; a constant ends it all the same.
                self.line(&format!("for (int {counter} = 0; D(C({counter} < {end}) && C({counter} < 50)); {counter}++) {{"));
                self.loops += 1;
                self.block(depth - 1);
                if self.random.below(2) == 0 {
                    let (test, way) = (self.decision(1), self.pick(&["break", "continue"]));
                    self.line(&format!("    if ({test}) @{way};"));
                }
                self.loops -= 1;
                self.line("}");
            }
            8 => {
                let on = self.readable();
                let (target, labels) = (
                    self.pick(&["x", "y"]),
                    [0, 1 + self.random.below(2), 3 + self.random.below(3)],
                );
                self.line(&format!("switch (W({on})) {{"));
                for label in labels {
                    let way = if self.random.below(3) == 0 { "" } else { " break;" };
                    let value = self.random.below(4);
                    self.line(&format!("case {label}: @{target} = {value};{way}"));
                }
                if self.random.below(2) == 0 {
                    self.line(&format!("default: @{target} = 4;"));
                }
                self.line("}");
            }
            _ => {
                let (test, value) = (self.decision(1), self.value(1));
                self.line(&format!("if ({test}) @return {value};"));
            }
        }
    }
}
