//! What tests set and what they see of a function: cells of memory with the names that C gives them.
//!
//! A run of a function is laid out as objects: one per argument, one per object that a
//! pointer may point to, one per global, one per result of a function outside, one per `volatile` read and write. An input is
//! a cell of such an object, and so is an output; [`expand`] finds them by following types. Neither
//! the executor nor the native harness knows more than objects, bytes and pointers.

use std::collections::HashSet;
use std::ops::Range;

use obligato_model::{Bound, OpenEnumeration, Signedness, Type, Variable};

use crate::precondition::Precondition;
use crate::settings::{self, Settings};

mod addresses;
mod afterwards;
mod build;
mod callbacks;
mod entries;
mod expand;
mod globals;
mod inside;
mod leave_out;
mod names;
mod outside;
mod touched;
mod types;
mod unions;
mod variables;
mod volatile;
mod weak;
mod writable;

pub use build::build_interface;
use expand::Expander;
pub use globals::{GlobalUse, known_outside, uses_of_globals};
pub use names::OF_FILE;
pub use outside::{AccessPath, AccessPathRoot, Effect, Effects, Outside};
pub(crate) use types::{has_volatile, size_of};
pub(crate) use variables::{named_locals, symbol_of};
pub use volatile::VolatileStretch;

/// What a test of a function sets, and what it sees.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interface {
    /// The function.
    pub function: String,
    /// All objects.
    pub objects: Vec<Object>,
    /// Per parameter, its object.
    pub arguments: Vec<ObjectIndex>,
    /// The object that takes what it returns.
    pub result: Option<ObjectIndex>,
    /// Per function outside, the objects with its results, call by call, and those that keep what it was given.
    pub outside: Vec<Outside>,
    /// The events that may come before a step.
    pub events: Vec<EventInput>,
    /// What the environment changes while the function runs.
    pub volatile: Vec<VolatileStretch>,
    /// What tests set.
    pub inputs: Vec<Cell>,
    /// What tests see.
    pub outputs: Vec<Cell>,
    /// What holds of inputs in every step.
    pub preconditions: Vec<Precondition>,
    /// Variables that it reads and the program may change, yet tests do not set: they start as the file has them.
    pub state: Vec<StateVariable>,
    /// Of an array, so many elements are inputs.
    pub array: u64,
    /// So many calls of a stub have results of their own in a step, and reads of a volatile object values.
    pub calls: u64,
    /// The objects that callers fill and of which tests can set nothing, such as a `_Complex` number.
    pub unset: Vec<ObjectIndex>,
    /// The objects that lost inputs because there would be too many.
    pub left_out: Vec<ObjectIndex>,
    /// Pairs of pointers, by their positions among the inputs, that the code may order or subtract.
    pub ordered: Vec<[usize; 2]>,
    /// Variables that the unit declares and somebody else defines.
    pub unknown: Vec<UnknownObject>,
    /// Symbols of the variables that functions outside of the unit can name.
    pub exported: Vec<String>,
    /// Functions of the unit that others can call, since their addresses leave it, such as callbacks.
    pub handed_out: Vec<String>,
}

/// A variable that the unit declares and somebody else defines: its values are unknown even if it is constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownObject {
    /// Its name in the source.
    pub name: String,
    /// Its symbol.
    pub symbol: String,
    /// Is it an array without a length?
    pub is_open_ended: bool,
    /// Is it constant? It has one value then, which nobody knows, in all steps of a test.
    pub is_constant: bool,
}

/// An event that may come before a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventInput {
    /// The function that is called.
    pub function: String,
    /// The object of the input that says whether it comes.
    pub object: ObjectIndex,
}

/// A variable that keeps its value between the steps of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateVariable {
    /// Its name in the source.
    pub name: String,
    /// Its symbol.
    pub symbol: String,
    /// Who may change it besides tests.
    pub changed_by: ChangedBy,
}

/// Who may change a variable between the steps of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangedBy {
    /// Only the function under test and what it calls.
    FunctionUnderTest,
    /// Also functions of the unit that tests do not call.
    OtherFunctions,
}

/// The position of an object in [`Interface::objects`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectIndex(pub usize);

/// A stretch of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// The pointer that points to it, the variable that it is.
    pub name: String,
    /// In bytes.
    pub size: u64,
    /// How it comes to be.
    pub origin: Origin,
    /// The bound on its size, if that is a choice of the tool.
    pub extent: Option<Bound>,
    /// Is it a `FILE` that the library has opened?
    pub stream: bool,
}

/// How an object comes to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It is made before the test starts, or begins a step anew.
    Fresh,
    /// It is a global of the unit, by its symbol.
    Global(String),
}

/// A scalar of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// As C writes it.
    pub name: String,
    /// Where.
    pub object: ObjectIndex,
    /// In bits from the start of the object.
    pub offset: u64,
    /// What it holds.
    pub form: Form,
    /// Is it a bit-field? Those have no address in C.
    pub bit_field: bool,
    /// The bound on what tests can put there, if a caller could put more.
    pub bound: Option<Bound>,
    /// If a step may do without it: the byte of its object that says whether the step gives it. What no step gives is not
    /// written where it would go.
    pub given: Option<u64>,
}

/// What a cell holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// A `_Bool` of so many bits.
    Bool(u32),
    /// A number of so many bits.
    Integer(Signedness, u32),
    /// A number of so many bits that is written by the name of an enumeration constant where there is one.
    Enumeration(Vec<(String, i128)>, Signedness, u32),
    /// An IEEE single.
    Float32,
    /// An IEEE double.
    Float64,
    /// One of these.
    Pointer(Vec<PointerTarget>),
}

/// What a pointer may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PointerTarget {
    /// Its word in suites: [`NULL`](Self::NULL), [`NEW`](Self::NEW), the name of another pointer, perhaps with a number of elements
    /// behind it, or of a function, [`UNSET`](Self::UNSET).
    pub name: String,
    /// Where it points.
    pub to: Pointee,
}

/// Where a pointer points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pointee {
    /// Nowhere.
    Null,
    /// To the start of an object.
    Object(ObjectIndex),
    /// So many bytes behind the start of an object.
    Inside(ObjectIndex, u64),
    /// To a function.
    Function(String),
    /// A member of a union that the test does not set: the bytes are those of other members.
    Unset,
}

impl PointerTarget {
    /// The word of suites for a null pointer.
    pub const NULL: &'static str = "NULL";
    /// The word of suites for the object that a test makes for the pointer.
    pub const NEW: &'static str = "new";
    /// The word of suites for a pointer that a test does not set.
    pub const UNSET: &'static str = "unset";

    /// A null pointer.
    pub fn null() -> Self {
        Self { name: Self::NULL.to_owned(), to: Pointee::Null }
    }

    /// The object that a test makes for the pointer.
    pub fn new_object(object: ObjectIndex) -> Self {
        Self { name: Self::NEW.to_owned(), to: Pointee::Object(object) }
    }

    /// What other members of a union have.
    pub fn unset() -> Self {
        Self { name: Self::UNSET.to_owned(), to: Pointee::Unset }
    }
}

impl Pointee {
    /// The object that it points to or into.
    pub fn object(&self) -> Option<ObjectIndex> {
        match self {
            Self::Object(object) | Self::Inside(object, _) => Some(*object),
            Self::Null | Self::Function(_) | Self::Unset => None,
        }
    }
}

impl Cell {
    /// Is it a pointer in a union that lies over other inputs?
    pub fn lies_over_others(&self) -> bool {
        matches!(&self.form, Form::Pointer(targets)
            if targets.iter().any(|target| target.to == Pointee::Unset))
    }

    /// The bits of its object that it takes.
    pub fn range(&self) -> Range<u64> {
        self.offset..self.offset + u64::from(self.form.bits())
    }
}

impl Form {
    /// The object that a test makes for a pointer, if it can make one.
    pub fn new_object(&self) -> Option<ObjectIndex> {
        let Self::Pointer(targets) = self else { return None };
        let new = targets.iter().find(|target| target.name == PointerTarget::NEW)?;
        new.to.object()
    }

    /// How many bits it takes.
    pub fn bits(&self) -> u32 {
        match self {
            Self::Bool(bits) | Self::Integer(_, bits) | Self::Enumeration(_, _, bits) => *bits,
            Self::Float32 => 32,
            Self::Float64 | Self::Pointer(_) => 64,
        }
    }

    /// Its type in a suite.
    pub fn kind(&self) -> Type {
        match self {
            Self::Bool(_) => Type::Bool,
            Self::Integer(signedness, bits) => Type::Machine(*signedness, *bits),
            Self::Enumeration(names, signedness, bits) => {
                let numbers = Type::Machine(*signedness, *bits).bounds();
                let (low, high) = numbers.expect("invariant: machine integers have bounds");
                let names = names.iter().map(|(name, value)| (name.clone(), (*value).into()));
                let names = names.collect();
                Type::OpenEnumeration(Box::new(OpenEnumeration { low, high, names }))
            }
            Self::Float32 => Type::Float32,
            Self::Float64 => Type::Float64,
            Self::Pointer(targets) => {
                Type::Enumeration(targets.iter().map(|target| target.name.clone()).collect())
            }
        }
    }
}

impl Interface {
    /// Has an input the same value in all steps of a test?
    pub fn is_constant(&self, cell: &Cell) -> bool {
        match &self.objects[cell.object.0].origin {
            Origin::Global(symbol) => {
                self.unknown.iter().any(|one| one.is_constant && one.symbol == *symbol)
            }
            Origin::Fresh => false,
        }
    }

    /// If the object keeps what a call of a function outside was given: the function, and which call.
    pub fn call_of(&self, object: ObjectIndex) -> Option<(&str, u64)> {
        self.outside.iter().find_map(|outside| {
            let call = outside.given.iter().position(|given| given.contains(&object))?;
            Some((outside.name.as_str(), call as u64))
        })
    }

    /// As suites know it. A range narrows the type of an input. What is both read and written has a column for
    /// what it is before, and one for what it is after the call.
    pub fn variables(&self, settings: &Settings) -> obligato_model::SuiteInterface {
        let variable = |cell: &Cell| {
            let of_all_reads = || settings.ranges.get(self.name_of_all_reads(cell)?);
            let range = settings.ranges.get(&cell.name).or_else(of_all_reads);
            let kind = match (cell.form.kind(), range) {
                (Type::Machine(..), Some(settings::Range { low, high })) => {
                    Type::Subrange(low.clone(), high.clone())
                }
                (Type::OpenEnumeration(all), Some(settings::Range { low, high })) => {
                    let names = all.names.into_iter();
                    let names = names.filter(|(_, value)| (low..=high).contains(&value)).collect();
                    let (low, high) = (low.clone(), high.clone());
                    Type::OpenEnumeration(Box::new(OpenEnumeration { low, high, names }))
                }
                (kind, _) => kind,
            };
            Variable { name: cell.name.clone(), kind }
        };
        let inputs: Vec<Variable> = self.inputs.iter().map(variable).collect();
        let taken: HashSet<&str> = inputs.iter().map(|input| input.name.as_str()).collect();
        let outputs = self.outputs.iter().map(|cell| {
            let Variable { name, kind } = variable(cell);
            let name = if taken.contains(name.as_str()) { format!("{name} (after)") } else { name };
            Variable { name, kind }
        });
        let outputs = outputs.collect();
        obligato_model::SuiteInterface { inputs, outputs }
    }
}
