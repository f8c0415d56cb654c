//! Expressions of every type, in parentheses.

use super::types::Ty;
use super::{Callee, Generator, Memory, Variable};

impl Generator {
    /// An expression of a type.
    pub(super) fn expr(&mut self, ty: &Ty, depth: usize) -> String {
        if depth == 0 {
            return self.leaf(ty);
        }
        match self.choose(8) {
            0 => self.leaf(ty),
            1 => {
                let test = self.expr(&Ty::Bool, depth - 1);
                let (a, b) = (self.expr(ty, depth - 1), self.expr(ty, depth - 1));
                format!("(if {test} then {a} else {b})")
            }
            2 if self.memory == Memory::Allowed => self.delay(ty, depth - 1),
            3 => self.call(ty, depth - 1).unwrap_or_else(|| self.leaf(ty)),
            4 => self.part(ty, depth - 1).unwrap_or_else(|| self.leaf(ty)),
            _ => match ty {
                Ty::Bool => self.boolean(depth - 1),
                Ty::Int | Ty::Range(..) => self.integer(depth - 1),
                Ty::Real => self.real(depth - 1),
                Ty::Machine(signed, bits) => self.machine(*signed, *bits, depth - 1),
                Ty::Colour => self.leaf(ty),
                Ty::Point => self.record(depth - 1),
                Ty::Tuple(parts) => {
                    let parts: Vec<_> =
                        parts.iter().map(|part| self.expr(part, depth - 1)).collect();
                    format!("{{{}}}", parts.join(", "))
                }
                Ty::Array(element, size) => self.array(element, *size, depth - 1),
            },
        }
    }

    pub(super) fn leaf(&mut self, ty: &Ty) -> String {
        if self.choose(3) > 0
            && let Some(name) = self.variable(ty)
        {
            return name;
        }
        match ty {
            Ty::Bool => self.one_of(&["false", "true", "FLAG"]).to_owned(),
            Ty::Int | Ty::Range(..) => {
                self.one_of(&["0", "1", "2", "7", "0x1F", "LIMIT"]).to_owned()
            }
            Ty::Real => self.one_of(&["0.0", "1.5", ".5", "2e-1", "0x1.8p1", "RATE"]).to_owned(),
            Ty::Machine(..) => {
                format!("({} {})", ty.text(), self.one_of(&["0", "1", "100", "255", "0xFFFF"]))
            }
            Ty::Colour => self.one_of(&["RED", "GREEN", "BLUE", "FIRST"]).to_owned(),
            _ => ty.zero(),
        }
    }

    /// `pre`, `->` and `fby` in its three forms.
    fn delay(&mut self, ty: &Ty, depth: usize) -> String {
        let value = match self.delayed(ty) {
            Some(name) if self.choose(3) > 0 => name,
            _ => self.expr(ty, depth),
        };
        let initial = self.expr(ty, depth);
        match self.choose(6) {
            0 => format!("({initial} -> pre {value})"),
            1 => format!("({initial} fby {value})"),
            2 => {
                let steps = 1 + self.choose(3);
                format!("fby({value}, {steps}, {initial})")
            }
            3 => format!("(pre {value})"),
            4 => format!("({initial} -> {})", self.expr(ty, depth)),
            _ => format!("({initial} -> pre ({initial} -> pre {value}))"),
        }
    }

    fn boolean(&mut self, depth: usize) -> String {
        let both = |this: &mut Self, operator: &str, ty: &Ty| {
            format!("({} {operator} {})", this.expr(ty, depth), this.expr(ty, depth))
        };
        match self.choose(12) {
            0 => format!("(not {})", self.expr(&Ty::Bool, depth)),
            1 => both(self, "and", &Ty::Bool),
            2 => both(self, "or", &Ty::Bool),
            3 => both(self, "xor", &Ty::Bool),
            4 => both(self, "=>", &Ty::Bool),
            5 | 6 => {
                let operator = self.one_of(&["=", "<>"]);
                let ty = self.one_of(&Ty::all());
                both(self, operator, &ty)
            }
            7 | 8 => {
                let operator = self.one_of(&["<", "<=", ">", ">="]);
                let (signed, bits) = (self.choose(2) == 0, self.one_of(&[8, 16, 32, 64]));
                let ty = self.one_of(&[Ty::Int, Ty::Real, Ty::Machine(signed, bits)]);
                both(self, operator, &ty)
            }
            9 => {
                let count = 1 + self.choose(3);
                let all: Vec<_> = (0..count).map(|_| self.expr(&Ty::Bool, depth)).collect();
                format!("#({})", all.join(", "))
            }
            _ => self.quantified(depth),
        }
    }

    fn quantified(&mut self, depth: usize) -> String {
        let quantifier = self.one_of(&["forall", "exists"]);
        let ty = self.one_of(&[Ty::Range(0, 2), Ty::Bool, Ty::Colour, Ty::Range(-2, 5)]);
        self.bound += 1;
        let name = format!("q{}", self.bound);
        let variable = Variable { name: name.clone(), ty: ty.clone() };
        self.scope.push(variable);
        let body = self.expr(&Ty::Bool, depth.min(2));
        self.scope.pop();
        format!("({quantifier} ({name}: {}) {body})", ty.text())
    }

    // Calls.

    /// A call of a node that gives a value of a type alone.
    fn call(&mut self, ty: &Ty, depth: usize) -> Option<String> {
        let fits = |callee: &&Callee| callee.outputs.len() == 1 && callee.outputs[0].fits(ty);
        let all: Vec<_> = self.callees.iter().filter(fits).cloned().collect();
        if all.is_empty() {
            return None;
        }
        let callee = self.one_of(&all);
        if self.memory == Memory::Forbidden {
            return None;
        }
        let arguments = self.arguments(&callee, depth);
        Some(self.call_of(&callee, &arguments, depth))
    }

    pub(super) fn arguments(&mut self, callee: &Callee, depth: usize) -> String {
        let all: Vec<_> =
            callee.inputs.iter().map(|input| self.expr(input, depth.min(1))).collect();
        all.join(", ")
    }

    /// A call in one of its forms.
    pub(super) fn call_of(&mut self, callee: &Callee, arguments: &str, depth: usize) -> String {
        let Callee { name, outputs, .. } = callee;
        let plain = format!("{name}({arguments})");
        let form = self.choose(6);
        if form == 0 || form > 4 {
            return plain;
        }
        let test = self.expr(&Ty::Bool, depth.min(1));
        let defaults = self.without_memory(|this| {
            let all: Vec<_> = outputs.iter().map(|output| this.leaf(output)).collect();
            all.join(", ")
        });
        match form {
            1 => format!("condact({test}, {plain}, {defaults})"),
            2 => format!("((restart {name} every {test})({arguments}))"),
            3 => {
                format!("((activate {name} every {test} initial default {defaults})({arguments}))")
            }
            _ => {
                let again = self.expr(&Ty::Bool, depth.min(1));
                format!(
                    "((activate (restart {name} every {again}) every {test} \
                     initial default {defaults})({arguments}))"
                )
            }
        }
    }
}
