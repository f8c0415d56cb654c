//! The types of random programs.

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ty {
    Bool,
    Int,
    Real,
    /// `subrange [low, high] of int`.
    Range(i8, i8),
    /// Signed or not, and how many bits.
    Machine(bool, u8),
    /// The enumeration of the prelude.
    Colour,
    /// The record of the prelude.
    Point,
    Tuple(Vec<Ty>),
    Array(Box<Ty>, usize),
}

impl Ty {
    /// All types that variables of programs have.
    pub fn all() -> Vec<Ty> {
        let mut all = vec![Ty::Bool, Ty::Int, Ty::Real, Ty::Range(-2, 5), Ty::Range(0, 2)];
        for bits in [8, 16, 32, 64] {
            all.extend([Ty::Machine(true, bits), Ty::Machine(false, bits)]);
        }
        all.extend([Ty::Colour, Ty::Point, Ty::Tuple(vec![Ty::Int, Ty::Bool])]);
        all.push(Ty::Array(Box::new(Ty::Int), 3));
        all.push(Ty::Array(Box::new(Ty::Bool), 2));
        all.push(Ty::Array(Box::new(Ty::Array(Box::new(Ty::Int), 2)), 2));
        all
    }

    /// May a value of this type stand where one of another is expected?
    pub fn fits(&self, expected: &Ty) -> bool {
        match (self, expected) {
            (Ty::Range(..), Ty::Int) => true,
            (one, other) => one == other,
        }
    }

    pub fn text(&self) -> String {
        match self {
            Ty::Bool => "bool".to_owned(),
            Ty::Int => "int".to_owned(),
            Ty::Real => "real".to_owned(),
            Ty::Range(low, high) => format!("subrange [{low}, {high}] of int"),
            Ty::Machine(true, bits) => format!("int{bits}"),
            Ty::Machine(false, bits) => format!("uint{bits}"),
            Ty::Colour => "colour".to_owned(),
            Ty::Point => "point".to_owned(),
            Ty::Tuple(parts) => {
                let parts: Vec<_> = parts.iter().map(Ty::text).collect();
                format!("[{}]", parts.join(", "))
            }
            Ty::Array(element, size) => format!("{}^{size}", element.text()),
        }
    }

    /// A literal.
    pub fn zero(&self) -> String {
        match self {
            Ty::Bool => "false".to_owned(),
            Ty::Int | Ty::Range(..) => "0".to_owned(),
            Ty::Real => "0.0".to_owned(),
            Ty::Machine(..) => format!("({} 0)", self.text()),
            Ty::Colour => "RED".to_owned(),
            Ty::Point => "ORIGIN".to_owned(),
            Ty::Tuple(parts) => {
                let parts: Vec<_> = parts.iter().map(Ty::zero).collect();
                format!("{{{}}}", parts.join(", "))
            }
            Ty::Array(element, size) => format!("({} ^ {size})", element.zero()),
        }
    }
}
