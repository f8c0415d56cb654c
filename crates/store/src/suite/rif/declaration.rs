//! `#inputs` and `#outputs`: which variable each value is for.

use std::collections::HashMap;

use obligato_model::Type;

use super::super::Signature;
use super::token::Tokens;
use crate::error::{StoreError, quoted};

/// The variables in the order of their values.
pub struct Declaration {
    /// Their positions in the signature.
    pub places: Vec<usize>,
    /// Did the file say so?
    pub given: bool,
}

impl Declaration {
    /// All inputs, in the order of the program: what is meant where the file says nothing.
    pub fn of_all(signature: &Signature) -> Self {
        Self { places: (0..signature.inputs().len()).collect(), given: false }
    }

    /// No outputs.
    pub fn of_none() -> Self {
        Self { places: Vec::new(), given: false }
    }

    /// The inputs that a list declares, which have to be all.
    pub fn of_inputs(
        list: &str,
        at: usize,
        tokens: &Tokens<'_>,
        signature: &Signature,
    ) -> Result<Self, StoreError> {
        let count = signature.inputs().len();
        let places = read(list, tokens, signature, "input")?;
        let missing = (0..count).find(|input| !places.contains(input));
        if let Some(missing) = missing.filter(|_| places.len() < count) {
            let name = quoted(&signature.inputs()[missing].name);
            return Err(
                tokens.invalid(at, format!("the input {name} of the program is not listed"))
            );
        }
        Ok(Self { places, given: true })
    }

    /// The outputs that a list declares.
    pub fn of_outputs(
        list: &str,
        tokens: &Tokens<'_>,
        signature: &Signature,
    ) -> Result<Self, StoreError> {
        Ok(Self { places: read(list, tokens, signature, "output")?, given: true })
    }
}

/// Reads `"name":type "name":type …`; the quotes may be left out.
fn read(
    list: &str,
    tokens: &Tokens<'_>,
    signature: &Signature,
    what: &str,
) -> Result<Vec<usize>, StoreError> {
    let (variables, from) = match what {
        "input" => (signature.inputs(), 0),
        _ => (signature.outputs(), signature.inputs().len()),
    };
    let positions: HashMap<&str, usize> =
        variables.iter().enumerate().map(|(at, variable)| (variable.name.as_str(), at)).collect();
    let mut there = vec![false; variables.len()];
    let mut places = Vec::new();
    for item in list.split_whitespace() {
        let invalid = |reason: String| tokens.invalid_part(item, reason);
        let (name, kind) = split(item)
            .ok_or_else(|| invalid(format!("{} is not of the form \"name\":type", quoted(item))))?;
        let Some(&at) = positions.get(name) else {
            return Err(invalid(format!("the program has no {what} {}", quoted(name))));
        };
        if std::mem::replace(&mut there[at], true) {
            return Err(invalid(format!("the {what} {} is listed twice", quoted(name))));
        }
        if !suits(kind, &variables[at].kind) {
            let (name, declared) = (quoted(name), &variables[at].kind);
            let reason = format!("{what} {name} has type {declared}, but the file says {kind}");
            return Err(invalid(reason));
        }
        places.push(from + at);
    }
    Ok(places)
}

fn split(item: &str) -> Option<(&str, &str)> {
    let (name, kind) = match item.strip_prefix('"') {
        Some(rest) => {
            let (name, rest) = rest.split_once('"')?;
            (name, rest.strip_prefix(':')?)
        }
        None => item.split_once(':')?,
    };
    (!name.is_empty() && !kind.is_empty()).then_some((name, kind.trim_matches('"')))
}

/// Can values of this RIF type be those of `kind`? What is none of RIF's own types is the name
/// of an enumeration.
fn suits(word: &str, kind: &Type) -> bool {
    match word {
        "bool" => *kind == Type::Bool,
        "int" => !has_names(kind) && (kind.bounds().is_some() || *kind == Type::Int),
        "real" | "float" | "double" => {
            matches!(kind, Type::Real | Type::Float32 | Type::Float64)
        }
        _ => has_names(kind),
    }
}

/// May values be names?
fn has_names(kind: &Type) -> bool {
    matches!(kind, Type::Enumeration(_) | Type::OpenEnumeration(_))
}

/// The RIF type of variables of `kind`.
pub fn word(kind: &Type) -> &'static str {
    match kind {
        Type::Bool => "bool",
        Type::Int | Type::Subrange(..) | Type::Machine(..) => "int",
        Type::Real | Type::Float32 | Type::Float64 => "real",
        Type::Enumeration(_) | Type::OpenEnumeration(_) => "enum",
    }
}
