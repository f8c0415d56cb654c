//! Stubs that pointers to functions may point to: whoever calls a unit may give it any function of a fitting type.
//!
//! For each type of function that the inputs of the unit may point to, the driver has a few stubs, which ask for their results and
//! effects like those of functions that nothing defines. An interface gives each of its pointers one of them.

use std::collections::BTreeSet;

use obligato_clang::{CType, Callable, FloatFormat, Parameter, Syntax, TypeId, Types};
use obligato_model::{Position, Signedness};

use crate::driver::Driver;
use crate::weak::is_weak_stand_in;

/// So many pointers to functions of one type have a stub of their own; further ones share the last.
const STUBS_OF_A_TYPE: usize = 4;
/// Types of functions beyond so many have no stubs.
const MOST_TYPES: usize = 32;
/// What the names of such stubs start with.
const POINTED: &str = "obligato_stub_";

/// What a pointer is where its own type may have no name.
pub(crate) const NAMELESS: &str = "void *";

/// A stub that a pointer may point to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PointedStub {
    /// The type of the function.
    pub kind: TypeId,
    /// Its symbol.
    pub symbol: String,
}

/// Does a function of this name stand for one that a pointer leads to?
pub fn is_pointed_stub(name: &str) -> bool {
    name.starts_with(POINTED)
}

/// The stubs for the types that inputs of the unit may point to, as functions to stand in for.
pub(crate) fn pointed_stubs(unit: &Syntax, called: &[String]) -> Vec<(PointedStub, Callable)> {
    let mut stubs = Vec::new();
    for (number, kind) in function_types(unit, called).into_iter().enumerate() {
        for copy in 0..STUBS_OF_A_TYPE {
            let symbol = format!("{POINTED}{number}_{copy}");
            let Some(callable) = callable_of(&unit.types, kind, &symbol) else { break };
            stubs.push((PointedStub { kind, symbol }, callable));
        }
    }
    stubs
}

/// The types of functions that parameters of functions, globals and results of functions outside lead to.
fn function_types(unit: &Syntax, called: &[String]) -> Vec<TypeId> {
    let mut todo: Vec<TypeId> = Vec::new();
    for callable in &unit.callables {
        if callable.defined && called.contains(&callable.name) {
            todo.extend(callable.parameters.iter().map(|one| one.kind));
        } else if callable.used && !callable.defined {
            todo.push(callable.result);
            todo.extend(callable.parameters.iter().map(|one| one.kind));
        }
    }
    let used = unit.variables.iter().filter(|one| one.used && !one.constant);
    todo.extend(used.map(|one| one.kind));
    todo.reverse();
    let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
    while let Some(kind) = todo.pop() {
        if !seen.insert(kind.index()) || found.len() == MOST_TYPES {
            continue;
        }
        match unit.types.get(kind) {
            CType::Pointer { to, .. } => todo.push(*to),
            CType::Array { of, .. } => todo.push(*of),
            CType::Record { fields, .. } => todo.extend(fields.iter().rev().map(|one| one.kind)),
            CType::Function { result, .. } => {
                found.push(kind);
                todo.push(*result);
            }
            _ => {}
        }
    }
    found
}

/// A function of this type; none if C has no way to write it here.
fn callable_of(types: &Types, kind: TypeId, symbol: &str) -> Option<Callable> {
    let CType::Function { result, parameters, variadic } = types.get(kind) else { return None };
    let parameter = |kind: &TypeId| {
        let spelling = spelling(types, *kind)?;
        Some(Parameter { name: String::new(), kind: *kind, spelling, array: None, variable: false })
    };
    // The type of a function without a list of parameters: each call gives it what it likes.
    let unprototyped = *variadic && parameters.is_empty();
    Some(Callable {
        name: symbol.to_owned(),
        result: *result,
        result_spelling: spelling(types, *result)?,
        parameters: parameters.iter().map(parameter).collect::<Option<_>>()?,
        variadic: *variadic && !unprototyped,
        unprototyped,
        uneven: unprototyped,
        defined: false,
        used: true,
        endless: false,
        weak: false,
        alias: false,
        constructor: false,
        inline: false,
        internal: true,
        position: Position { line: 0, column: 0 },
    })
}

/// A type that is passed like this one.
pub(crate) fn spelling(types: &Types, kind: TypeId) -> Option<String> {
    let integer = |signedness: Signedness, bits: u32| {
        let sign = if signedness == Signedness::Signed { "signed" } else { "unsigned" };
        let width = match bits {
            ..=8 => "char",
            9..=16 => "short",
            17..=32 => "int",
            33..=64 => "long",
            _ => return format!("{sign} __int128"),
        };
        format!("{sign} {width}")
    };
    Some(match types.get(kind) {
        CType::Void => "void".to_owned(),
        CType::Bool => "_Bool".to_owned(),
        CType::Integer { signedness, bits, .. } | CType::Enumeration { signedness, bits, .. } => {
            integer(*signedness, *bits)
        }
        CType::Float(FloatFormat::Single) => "float".to_owned(),
        CType::Float(FloatFormat::Double) => "double".to_owned(),
        CType::Float(FloatFormat::Extended) => "long double".to_owned(),
        CType::Pointer { .. } => NAMELESS.to_owned(),
        CType::Record { name, size: Some(_), .. } if !name.is_empty() => name.clone(),
        CType::Record { .. } | CType::Array { .. } | CType::Function { .. } | CType::Other(_) => {
            return None;
        }
    })
}

impl Driver {
    /// The functions whose addresses the harness knows by number.
    pub fn addressed(&self) -> impl Iterator<Item = &String> {
        let stubs = self.outside.iter().map(|one| &one.name);
        let pointed = stubs.filter(|name| is_pointed_stub(name) || is_weak_stand_in(name));
        self.functions.iter().chain(pointed)
    }
}
