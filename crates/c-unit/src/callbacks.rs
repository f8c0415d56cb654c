//! Functions outside that are given a function may call it: how often, and with which arguments, are inputs.
//!
//! The stub of such a function asks once more for each pointer to a function that it is given, directly or in a structure, and then calls
//! it. What it asks for is laid out in bytes: the number of calls in the first, then the arguments of one call after the other. A
//! pointer among the arguments is one that the stub was given itself, if there is one that fits: a context comes back to who gave it.

use std::fmt::Write;

use obligato_clang::{CType, Callable, Field, Parameter, Syntax, TypeId, Types};

use crate::driver::{Driver, OUTSIDE};
use crate::interface::size_of;
use crate::pointed_stubs::{NAMELESS, spelling};

/// A function outside calls what it is given at most so often in one call.
pub const MOST_CALLBACKS: u64 = 3;
/// How many bits hold the number of calls.
pub(crate) const COUNT_BITS: u32 = 2;
/// What the names of questions about callbacks start with.
const CALLBACK: &str = "obligato_callback_";

/// A function that a function outside is given and may call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Callback {
    /// The stub that calls it.
    pub stub: String,
    /// The name by which the stub asks.
    pub symbol: String,
    /// What C calls it in the function outside: a parameter, or a member behind one.
    pub label: String,
    /// What is asked for, in bytes.
    pub size: u64,
    /// What each call is given, per call and parameter; none for what is not asked for.
    pub arguments: Vec<Vec<Option<CallbackArgument>>>,
}

/// An argument of a callback that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallbackArgument {
    /// Its type.
    pub kind: TypeId,
    /// In bytes from the start of what is asked for.
    pub offset: u64,
}

/// Is it the name of a question about callbacks?
pub fn is_callback(name: &str) -> bool {
    name.starts_with(CALLBACK)
}

/// Where a stub finds a function that it is given.
struct Found {
    /// In the body of the stub.
    expression: String,
    label: String,
    kind: TypeId,
    /// What has to hold so that it is there.
    guard: String,
}

/// Lists the functions that a stub may call, with numbers for its questions, and gives the code that calls them.
pub(crate) fn write_callbacks(driver: &mut Driver, unit: &Syntax, callable: &Callable) -> String {
    let mut text = String::new();
    for found in functions_given(&unit.types, callable) {
        let CType::Function { parameters, variadic: false, .. } = unit.types.get(found.kind) else {
            continue;
        };
        let symbol = format!("{CALLBACK}{}", driver.callbacks.len());
        let mut end = 8;
        let mut arguments = Vec::new();
        let mut calls = String::new();
        let number = driver.outside.len();
        for call in 0..MOST_CALLBACKS {
            let (mut asked, mut given) = (Vec::new(), Vec::new());
            for kind in parameters {
                if let Some(context) = context_for(&unit.types, callable, *kind) {
                    given.push(format!("(void *)a{context}"));
                    asked.push(None);
                    continue;
                }
                let (Some(spelled), Some(size)) =
                    (spelling(&unit.types, *kind), size_of(&unit.types, *kind))
                else {
                    break;
                };
                given.push(format!("*(__typeof__({spelled}) *)(asked + {end})"));
                asked.push(Some(CallbackArgument { kind: *kind, offset: end }));
                end += size.next_multiple_of(16);
            }
            if asked.len() < parameters.len() {
                break;
            }
            let Found { expression, guard, .. } = &found;
            let given = given.join(", ");
            let _ = write!(
                calls,
                "if ({guard}{expression} && (asked[0] & 3) > {call}) {expression}({given}); "
            );
            arguments.push(asked);
        }
        if arguments.len() < MOST_CALLBACKS as usize {
            continue;
        }
        let _ = write!(
            text,
            "{{ unsigned char asked[{end}] __attribute__((aligned(16))) = {{ 0 }}; {OUTSIDE}({number}, 0, 0, 0, asked); {calls}}} "
        );
        driver.outside.push(Callable {
            name: symbol.clone(),
            parameters: Vec::new(),
            weak: false,
            alias: false,
            constructor: false,
            inline: false,
            internal: true,
            ..callable.clone()
        });
        let (stub, label) = (callable.name.clone(), found.label);
        driver.callbacks.push(Callback { stub, symbol, label, size: end, arguments });
    }
    text
}

/// The functions that a function outside is given: parameters, and members of structures behind them.
fn functions_given(types: &Types, callable: &Callable) -> Vec<Found> {
    let function_behind = |kind: TypeId| match types.get(kind) {
        CType::Pointer { to, .. } if matches!(types.get(*to), CType::Function { .. }) => Some(*to),
        _ => None,
    };
    let mut found = Vec::new();
    for (index, parameter) in callable.parameters.iter().enumerate() {
        let name = match parameter.name.as_str() {
            "" => format!("argument{}", index + 1),
            name => name.to_owned(),
        };
        let spelled = Argument { index, parameter };
        if let Some(kind) = function_behind(parameter.kind) {
            if let Some(expression) = spelled.function(types, kind) {
                found.push(Found { expression, label: name, kind, guard: String::new() });
            }
            continue;
        }
        let (record, access, guard) = match types.get(parameter.kind) {
            CType::Pointer { to, .. } => (*to, "->", format!("a{index} && ")),
            _ => (parameter.kind, ".", String::new()),
        };
        let CType::Record { union: false, fields, .. } = types.get(record) else { continue };
        for field in fields.iter().filter(|field| !field.name.is_empty()) {
            let Some(kind) = function_behind(field.kind) else { continue };
            if let Some(expression) = spelled.member(types, access, field, kind) {
                let label = format!("{name}{access}{}", field.name);
                found.push(Found { expression, label, kind, guard: guard.clone() });
            }
        }
    }
    found
}

/// An argument in the body of a stub. Where the stub stands for any function of a type, C has no names for its pointers: all
/// of them are `void *`.
struct Argument<'a> {
    index: usize,
    parameter: &'a Parameter,
}

impl Argument<'_> {
    fn is_nameless(&self, types: &Types) -> bool {
        let is_void = |kind: TypeId| matches!(types.get(kind), CType::Void);
        let is_pointer =
            matches!(types.get(self.parameter.kind), CType::Pointer { to, .. } if !is_void(*to));
        is_pointer && self.parameter.spelling == NAMELESS
    }

    /// The function that it points to.
    fn function(&self, types: &Types, kind: TypeId) -> Option<String> {
        let index = self.index;
        if !self.is_nameless(types) {
            return Some(format!("a{index}"));
        }
        Some(format!("(({})a{index})", function_type(types, kind, "(*)")?))
    }

    /// The function that a member points to.
    fn member(&self, types: &Types, access: &str, field: &Field, kind: TypeId) -> Option<String> {
        let index = self.index;
        if !self.is_nameless(types) {
            return Some(format!("a{index}{access}{}", field.name));
        }
        let pointer = function_type(types, kind, "(**)")?;
        Some(format!("(*({pointer})((char *)a{index} + {}))", field.offset / 8))
    }
}

/// The type of a pointer to a function whose arguments are passed like those of this one.
fn function_type(types: &Types, kind: TypeId, declarator: &str) -> Option<String> {
    let CType::Function { result, parameters, .. } = types.get(kind) else { return None };
    let result = spelling(types, *result)?;
    let parameters: Option<Vec<String>> =
        parameters.iter().map(|one| spelling(types, *one)).collect();
    let parameters = match parameters?.join(", ") {
        none if none.is_empty() => "void".to_owned(),
        list => list,
    };
    Some(format!("__typeof__({result}) {declarator}({parameters})"))
}

/// The parameter of a function outside that comes back as an argument of this type: the last that is a pointer of that type, or
/// one of the two is to `void`.
fn context_for(types: &Types, callable: &Callable, kind: TypeId) -> Option<usize> {
    let pointed = |kind: TypeId| match types.get(kind) {
        CType::Pointer { to, .. } if !matches!(types.get(*to), CType::Function { .. }) => Some(*to),
        _ => None,
    };
    let to = pointed(kind)?;
    let fits = |parameter: &Parameter| {
        pointed(parameter.kind).is_some_and(|own| {
            let is_void = |kind: TypeId| matches!(types.get(kind), CType::Void);
            own == to || is_void(own) || is_void(to)
        })
    };
    callable.parameters.iter().rposition(fits)
}
