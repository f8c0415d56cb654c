//! Expressions of numbers: integers, reals and machine integers.

use super::Generator;
use super::types::Ty;

impl Generator {
    pub(super) fn integer(&mut self, depth: usize) -> String {
        let operator = self.one_of(&["+", "-", "*", "div", "mod", "negate", "cast"]);
        match operator {
            "negate" => format!("(-{})", self.expr(&Ty::Int, depth)),
            "cast" => {
                let (signed, bits) = (self.choose(2) == 0, self.one_of(&[8, 16, 32, 64]));
                match self.choose(4) {
                    0 => format!("(int {})", self.expr(&Ty::Real, depth)),
                    1 => format!("(floor({}))", self.expr(&Ty::Real, depth)),
                    2 => format!("(int {})", self.expr(&Ty::Int, depth)),
                    _ => format!("(int {})", self.expr(&Ty::Machine(signed, bits), depth)),
                }
            }
            // Products of products exceed the size limit.
            "*" => format!("({} * {})", self.expr(&Ty::Int, depth), self.choose(7)),
            "div" | "mod" if self.choose(2) == 0 => {
                let divisor = self.one_of(&["2", "3", "(-3)", "LIMIT"]);
                // Between integers '/' is 'div'.
                let operator = if depth == 1 && operator == "div" { "/" } else { operator };
                format!("({} {operator} {divisor})", self.expr(&Ty::Int, depth))
            }
            _ => {
                let (a, b) = (self.expr(&Ty::Int, depth), self.expr(&Ty::Int, depth));
                format!("({a} {operator} {b})")
            }
        }
    }

    pub(super) fn real(&mut self, depth: usize) -> String {
        match self.choose(7) {
            0 => format!("(real {})", self.expr(&Ty::Int, depth)),
            1 => {
                let (signed, bits) = (self.choose(2) == 0, self.one_of(&[8, 16, 32, 64]));
                format!("(real {})", self.expr(&Ty::Machine(signed, bits), depth))
            }
            2 => format!("(-{})", self.expr(&Ty::Real, depth)),
            choice => {
                let (a, b) = (self.expr(&Ty::Real, depth), self.expr(&Ty::Real, depth));
                format!("({a} {} {b})", ["+", "-", "*", "/"][choice - 3])
            }
        }
    }

    pub(super) fn machine(&mut self, signed: bool, bits: u8, depth: usize) -> String {
        let ty = Ty::Machine(signed, bits);
        let name = ty.text();
        match self.choose(12) {
            0 => format!("({name} {})", self.expr(&Ty::Int, depth)),
            1 => {
                let (signed, bits) = (self.choose(2) == 0, self.one_of(&[8, 16, 32, 64]));
                format!("({name} {})", self.expr(&Ty::Machine(signed, bits), depth))
            }
            2 => format!("(-{})", self.expr(&ty, depth)),
            3 => format!("(!{})", self.expr(&ty, depth)),
            choice @ (4 | 5) => {
                let amount = self.expr(&Ty::Machine(false, bits), depth);
                format!("({} {} {amount})", self.expr(&ty, depth), ["lsh", "rsh"][choice - 4])
            }
            _ => {
                let operator = self.one_of(&["+", "-", "*", "div", "mod", "&&", "||"]);
                let (a, b) = (self.expr(&ty, depth), self.expr(&ty, depth));
                format!("({a} {operator} {b})")
            }
        }
    }
}
