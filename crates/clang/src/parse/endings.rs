//! Where a function returns: its `return` statements, and its closing brace if it can be reached.
//!
//! Whether a statement can be left at its end is found bottom-up, from the syntax alone: a `while (1)` is left by its `break`
//! or not at all, a call of `abort` does not come back.

use obligato_c_library::{Returns, returns};

use super::constants;
use super::uses::{Use, for_parts};
use crate::Exit;
use crate::libclang::{Cursor, Kind};
use crate::tree::{NodeIndex, Tree};

/// Does a function never return? Of the C library this is known, should its declaration not say so.
pub(crate) fn is_endless(function: Cursor<'_>) -> bool {
    returns(&function.name()) == Returns::Never || function.has_attribute("noreturn")
}

/// Finds the exits, in the order of the text.
pub(crate) fn exits(tree: &Tree<'_>, uses: &[Use], closing_brace: usize) -> Vec<Exit> {
    let is_return =
        |&index: &NodeIndex| tree.kind(index) == Kind::Return && uses[index] != Use::Nothing;
    let returns = (0..tree.len()).filter(is_return);
    let mut exits: Vec<Exit> = returns.map(|index| Exit { stretch: tree.stretch(index) }).collect();
    let body = tree.children(0).find(|&child| tree.kind(child) == Kind::Compound);
    if body.is_some_and(|body| completions(tree)[body]) {
        exits.push(Exit { stretch: tree.stretch_of(closing_brace..closing_brace + 1) });
    }
    exits
}

/// Per node: can control come to its end?
fn completions(tree: &Tree<'_>) -> Vec<bool> {
    let broken = broken(tree);
    let mut completes = vec![true; tree.len()];
    for index in (0..tree.len()).rev() {
        let children = || tree.children(index);
        completes[index] = match tree.kind(index) {
            Kind::Return | Kind::Goto | Kind::Continue | Kind::Break => false,
            Kind::Compound => block(tree, index, &completes),
            Kind::If => match children().nth(2) {
                Some(otherwise) => {
                    children().nth(1).is_none_or(|then| completes[then]) || completes[otherwise]
                }
                None => true,
            },
            Kind::While => broken[index] || !always(tree, children().next()),
            Kind::Do => broken[index] || !always(tree, children().nth(1)),
            Kind::For => {
                let test = for_parts(tree, index).test;
                broken[index] || (test.is_some() && !always(tree, test))
            }
            Kind::Switch => {
                let body = children().last().is_none_or(|body| completes[body]);
                broken[index] || body || !has_default(tree, index)
            }
            Kind::Label | Kind::Case | Kind::Default | Kind::Attributed => {
                children().last().is_none_or(|inner| completes[inner])
            }
            Kind::Call => !calls_endless(tree, index),
            Kind::Unexposed | Kind::Parenthesised => children().all(|inner| completes[inner]),
            _ => true,
        };
    }
    completes
}

/// Can the end of a block be reached? Behind a label, it can again.
fn block(tree: &Tree<'_>, index: NodeIndex, completes: &[bool]) -> bool {
    let mut reachable = true;
    for child in tree.children(index) {
        let labelled = matches!(tree.kind(child), Kind::Label | Kind::Case | Kind::Default);
        reachable = (reachable || labelled) && completes[child];
    }
    reachable
}

/// Does a test always hold?
fn always(tree: &Tree<'_>, test: Option<NodeIndex>) -> bool {
    test.is_some_and(|test| constants::truth(tree, test) == Some(true))
}

/// Per loop and switch: is there a `break` out of it?
fn broken(tree: &Tree<'_>) -> Vec<bool> {
    let mut broken = vec![false; tree.len()];
    let mut around: Vec<NodeIndex> = vec![0; tree.len()];
    for index in 1..tree.len() {
        let parent = tree.node(index).parent;
        around[index] = match tree.kind(parent) {
            Kind::While | Kind::Do | Kind::For | Kind::Switch => parent,
            _ => around[parent],
        };
        if tree.kind(index) == Kind::Break {
            broken[around[index]] = true;
        }
    }
    broken
}

fn has_default(tree: &Tree<'_>, switch: NodeIndex) -> bool {
    let mut inner = tree.subtree(switch).start + 1;
    while inner < tree.subtree(switch).end {
        match tree.kind(inner) {
            Kind::Default => return true,
            Kind::Switch => inner = tree.subtree(inner).end,
            _ => inner += 1,
        }
    }
    false
}

fn calls_endless(tree: &Tree<'_>, call: NodeIndex) -> bool {
    let layers = std::iter::successors(tree.first_child(call), |&outer| tree.inside(outer));
    let callee = layers.last();
    let named = callee.filter(|&node| tree.kind(node) == Kind::Name);
    named.and_then(|node| tree.node(node).cursor.referenced()).is_some_and(is_endless)
}
