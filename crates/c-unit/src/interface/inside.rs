//! Pointers into objects that other pointers point to, as in `f(begin, end)`.
//!
//! Pointers into different objects have no order, so code that orders or subtracts pointers works on one object. Where a unit does that,
//! pointers of the same type that a caller gives together may also point into each other's objects.

use obligato_bytecode::{Binary, Module, Operation};
use obligato_clang::{CType, Callable, Leaf, Syntax, TypeId, Types};
use obligato_model::RelationOperator;

use super::expand::Expander;
use super::globals::GlobalUse;
use super::names::value_of_alias;
use super::types::size_of;
use super::{Cell, Form, Interface, ObjectIndex, Pointee, PointerTarget};

/// Objects with more elements than this have places inside at both ends and in the middle only.
const MOST_PLACES: u64 = 8;
/// With more such pointers than this in one place, none points into another's object: there would be too many ways to do so.
const MOST_POINTERS: usize = 4;

/// The types of pointers that a unit compares or subtracts.
struct Related<'s> {
    /// What they point to.
    compared: Vec<TypeId>,
    /// The texts of the conditions of the function under test that order or subtract something.
    orders: Vec<&'s str>,
    /// Are pointers of some type subtracted? The code does not tell of which.
    subtracted: bool,
}

/// A pointer that may get places inside of others' objects.
struct Pointer {
    input: usize,
    kind: TypeId,
    /// The object that is its own.
    object: ObjectIndex,
}

/// Adds places inside of objects to the pointers that a caller gives together.
pub(super) fn point_inside(
    interface: &mut Interface,
    expander: &Expander<'_>,
    unit: &Syntax,
    module: &Module,
    used: &GlobalUse,
    function: &Callable,
) {
    let related = related(unit, module, used, &function.name);
    if related.compared.is_empty() && !related.subtracted {
        return;
    }
    let pointers = interface.inputs.iter().enumerate();
    let pointers: Vec<Pointer> = pointers
        .filter(|(_, cell)| !is_restricted(cell, function))
        .filter_map(|(input, cell)| {
            let object = own_object(cell)?;
            let (_, kind, _) = expander.known.iter().find(|(_, _, known)| *known == object)?;
            (related.subtracted || related.compared.contains(kind)).then_some(Pointer {
                input,
                kind: *kind,
                object,
            })
        })
        .collect();
    let mut added: Vec<(usize, Vec<PointerTarget>)> = Vec::new();
    for pointer in &pointers {
        let place = place_of(interface, &interface.inputs[pointer.input]);
        let others: Vec<&Pointer> = pointers
            .iter()
            .filter(|other| other.kind == pointer.kind && other.object != pointer.object)
            .filter(|other| place_of(interface, &interface.inputs[other.input]) == place)
            .collect();
        if others.len() < MOST_POINTERS {
            let targets = others.iter().flat_map(|other| places(interface, expander.types, other));
            added.push((pointer.input, targets.collect()));
            let name = |input: usize| interface.inputs[input].name.as_str();
            let is_ordered = |other: &&&Pointer| {
                let both = [name(pointer.input), name(other.input)];
                other.input > pointer.input
                    && related.orders.iter().any(|text| both.iter().all(|one| mentions(text, one)))
            };
            let later = others.iter().filter(is_ordered);
            let pairs: Vec<_> = later.map(|other| [pointer.input, other.input]).collect();
            interface.ordered.extend(pairs);
        }
    }
    for (input, targets) in added {
        let Form::Pointer(own) = &mut interface.inputs[input].form else { continue };
        for target in targets {
            if own.iter().all(|known| known.name != target.name) {
                own.push(target);
            }
        }
    }
}

/// Where a caller gives a pointer: as an argument, or in an object.
fn place_of(interface: &Interface, cell: &Cell) -> Option<ObjectIndex> {
    (!interface.arguments.contains(&cell.object)).then_some(cell.object)
}

/// The new object that a pointer may point to.
fn own_object(cell: &Cell) -> Option<ObjectIndex> {
    cell.form.new_object()
}

/// Does a parameter promise to be the only pointer to its object?
fn is_restricted(cell: &Cell, function: &Callable) -> bool {
    let parameter = function.parameters.iter().find(|one| one.name == cell.name);
    parameter.is_some_and(|one| one.spelling.contains("restrict"))
}

/// The places in the object of a pointer, from its first element to behind its last.
fn places(interface: &Interface, types: &Types, pointer: &Pointer) -> Vec<PointerTarget> {
    let name = &interface.inputs[pointer.input].name;
    let step = size_of(types, pointer.kind).unwrap_or(1).max(1);
    let count = interface.objects[pointer.object.0].size / step;
    let indices: Vec<u64> = if count <= MOST_PLACES {
        (0..=count).collect()
    } else {
        vec![0, 1, 2, 3, count / 2, count - 1, count]
    };
    let target = |index: u64| match index {
        0 => PointerTarget { name: value_of_alias(name), to: Pointee::Object(pointer.object) },
        _ => PointerTarget {
            name: format!("{name} + {index}"),
            to: Pointee::Inside(pointer.object, index * step),
        },
    };
    indices.into_iter().map(target).collect()
}

/// Does a text have this name in it, and not only as part of a longer one?
fn mentions(text: &str, name: &str) -> bool {
    let is_of_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.match_indices(name).any(|(at, _)| {
        !text[..at].ends_with(is_of_word) && !text[at + name.len()..].starts_with(is_of_word)
    })
}

fn related<'s>(
    unit: &'s Syntax,
    module: &Module,
    used: &GlobalUse,
    under_test: &str,
) -> Related<'s> {
    let is_called =
        |name: &str| module.function_named(name).is_some_and(|code| used.called[code.index()]);
    let (mut compared, mut orders) = (Vec::new(), Vec::new());
    for function in unit.functions.iter().filter(|one| is_called(&one.name)) {
        let conditions = function.decisions.iter().flat_map(|decision| &decision.conditions);
        for condition in conditions {
            let text = condition.stretch.text.as_str();
            if function.name == under_test && text.contains(['<', '>', '-']) {
                orders.push(text);
            }
            let Leaf::Relation { operator, kind, left: None, right: None } = &condition.leaf else {
                continue;
            };
            let CType::Pointer { to, .. } = unit.types.get(*kind) else { continue };
            let is_equality =
                matches!(operator, RelationOperator::Equal | RelationOperator::NotEqual);
            if !(is_equality && compares_with_null(text)) {
                compared.push(*to);
            }
        }
    }
    let functions = module.functions.iter().zip(&used.called);
    let mut code = functions.filter(|(_, called)| **called).flat_map(|(one, _)| &one.code);
    let is_difference =
        |one: &Operation| matches!(one, Operation::Binary { op: Binary::Difference, .. });
    Related { compared, orders, subtracted: code.any(is_difference) }
}

/// Does one side of a comparison stand for the null pointer?
fn compares_with_null(text: &str) -> bool {
    let is_null = |side: &str| {
        let side = side.trim_matches(['=', '!', ' ', '(', ')']);
        matches!(side, "0" | "NULL" | "nullptr") || side.ends_with("*)0")
    };
    text.split_once("==").or_else(|| text.split_once("!=")).is_some_and(|(left, right)| {
        is_null(left) || is_null(right) || right.trim().ends_with(")0")
    })
}
