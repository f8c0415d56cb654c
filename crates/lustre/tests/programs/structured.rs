//! Expressions of records, tuples and arrays, and of their parts.

use super::types::Ty;
use super::{Generator, Memory};

impl Generator {
    /// An index into an array of a size: mostly inside.
    fn index(&mut self, size: usize, depth: usize) -> String {
        // Where memory is forbidden, it is open whether the index is read.
        if self.memory == Memory::Forbidden || self.choose(3) > 0 {
            return format!("{}", self.choose(size));
        }
        // A constant outside of the array would be an error.
        match (self.variable(&Ty::Range(0, 2)), self.variable(&Ty::Int)) {
            (Some(name), _) if self.choose(2) == 0 => name,
            (_, Some(name)) => format!("({name} + {})", self.expr(&Ty::Int, depth.min(1))),
            _ => "1".to_owned(),
        }
    }

    /// A part of a structure that has parts of a type.
    pub(super) fn part(&mut self, ty: &Ty, depth: usize) -> Option<String> {
        let array = |element: &Ty, size| Ty::Array(Box::new(element.clone()), size);
        let whole = match ty {
            Ty::Int => self.one_of(&[
                Ty::Point,
                Ty::Tuple(vec![Ty::Int, Ty::Bool]),
                array(&Ty::Int, 3),
                array(&array(&Ty::Int, 2), 2),
            ]),
            Ty::Bool => {
                self.one_of(&[Ty::Point, Ty::Tuple(vec![Ty::Int, Ty::Bool]), array(&Ty::Bool, 2)])
            }
            _ => return None,
        };
        let base = match self.variable(&whole) {
            Some(name) if self.choose(2) == 0 => name,
            _ => format!("({})", self.expr(&whole, depth)),
        };
        Some(match (&whole, ty) {
            (Ty::Point, Ty::Int) => match self.choose(2) {
                0 => format!("{base}.x"),
                _ => format!("{base}.v[{}]", self.index(2, depth)),
            },
            (Ty::Point, _) => format!("{base}.b"),
            (Ty::Tuple(_), Ty::Int) => format!("{base}.%0"),
            (Ty::Tuple(_), _) => format!("{base}.%1"),
            (Ty::Array(element, size), _) => match &**element {
                Ty::Array(_, inner) => {
                    format!("{base}[{}][{}]", self.index(*size, depth), self.index(*inner, depth))
                }
                _ => format!("{base}[{}]", self.index(*size, depth)),
            },
            other => panic!("{other:?} has no parts"),
        })
    }

    pub(super) fn record(&mut self, depth: usize) -> String {
        let pair = Ty::Array(Box::new(Ty::Int), 2);
        let base = self.expr(&Ty::Point, depth);
        let (int, bool) = (self.expr(&Ty::Int, depth), self.expr(&Ty::Bool, depth));
        match self.choose(5) {
            0 => {
                let vector = self.expr(&pair, depth);
                format!("point {{ x = {int}; v = {vector}; b = {bool} }}")
            }
            1 => format!("({base}){{x := {int}}}"),
            2 => format!("({base} with .b = {bool})"),
            3 => format!("({base} with .v[{}] = {int})", self.index(2, depth)),
            _ => {
                let name = self.variable(&Ty::Point).unwrap_or_else(|| "ORIGIN".to_owned());
                format!("point {{ {name} with x = {int}; b = {bool} }}")
            }
        }
    }

    pub(super) fn array(&mut self, element: &Ty, size: usize, depth: usize) -> String {
        let ty = Ty::Array(Box::new(element.clone()), size);
        match self.choose(4) {
            0 => {
                let all: Vec<_> = (0..size).map(|_| self.expr(element, depth)).collect();
                format!("[{}]", all.join(", "))
            }
            1 => format!("({} ^ {size})", self.expr(element, depth)),
            _ => {
                let (base, value) = (self.expr(&ty, depth), self.expr(element, depth));
                format!("({base})[{} := {value}]", self.index(size, depth))
            }
        }
    }
}
