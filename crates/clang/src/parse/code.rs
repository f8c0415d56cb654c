//! What a definition says, as a number that reformatting, comments and names of locals leave the same.
//!
//! It is taken from the tokens of the preprocessed text, so macros count as what they stand for. A name that clang resolves to a local object or a
//! parameter is replaced by a number, in the order of first mention; so two texts with one number differ at most by a consistent renaming of locals.
//! Enumerators count with their values.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::Code;
use crate::libclang::Kind;
use crate::tree::Tree;

/// What stands before a name that is no object: a member, or the tag of a type.
const BEFORE_OTHERS: &[&[u8]] = &[b".", b"->", b"struct", b"union", b"enum"];

/// The code of the definition that a tree is below.
pub(crate) fn code(tree: &Tree<'_>) -> Code {
    let names = Names::find(tree);
    let kept = names.ambiguous(tree);
    let mut hash = Hash::new();
    let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
    for token in tree.node(0).tokens.clone() {
        let spelling = tree.spelling(token);
        match names.locals.get(&token).filter(|_| !kept.contains(spelling)) {
            Some(local) => {
                let next = numbers.len();
                let number = *numbers.entry(*local).or_insert(next);
                // No token of C begins so.
                hash.add(format!("$ {number}").as_bytes());
            }
            None => hash.add(spelling),
        }
        if let Some(value) = names.enumerators.get(&token) {
            hash.add(value.to_string().as_bytes());
        }
    }
    Code { hash: hash.0, mentions: names.mentions.into_iter().collect() }
}

/// What the names of a definition mean.
#[derive(Default)]
struct Names {
    /// By token, the identity of the local object that it names.
    locals: FxHashMap<usize, usize>,
    /// By token, the value of the enumerator that it names.
    enumerators: BTreeMap<usize, i128>,
    /// The functions and the objects at file scope.
    mentions: BTreeSet<String>,
}

impl Names {
    fn find(tree: &Tree<'_>) -> Self {
        let mut names = Self::default();
        let mut declared: FxHashSet<usize> = FxHashSet::default();
        let root = tree.node(0).cursor;
        let parameters = if tree.kind(0) == Kind::Function { root.arguments() } else { Vec::new() };
        for parameter in parameters {
            declared.insert(parameter.identity());
            names.declare(tree, parameter.offset(), &parameter.name(), parameter.identity());
        }
        for index in 1..tree.len() {
            let cursor = tree.node(index).cursor;
            match tree.kind(index) {
                Kind::Variable | Kind::ParameterDeclaration if !cursor.is_extern() => {
                    declared.insert(cursor.identity());
                    names.declare(tree, cursor.offset(), &cursor.name(), cursor.identity());
                }
                Kind::Name => {
                    let Some(meant) = cursor.referenced() else { continue };
                    let token = tree.node(index).tokens.start;
                    match meant.kind() {
                        Kind::EnumConstant => {
                            names.enumerators.insert(token, meant.enumerator_value(true));
                        }
                        Kind::Variable | Kind::ParameterDeclaration
                            if declared.contains(&meant.identity()) =>
                        {
                            names.locals.insert(token, meant.identity());
                        }
                        Kind::Function | Kind::Variable => {
                            names.mentions.insert(meant.name());
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        names
    }

    /// Takes the token that declares a local object, unless it has no name.
    fn declare(&mut self, tree: &Tree<'_>, offset: u32, name: &str, identity: usize) {
        let token = tree.text.token_from(offset);
        if !name.is_empty() && tree.spelling(token) == name.as_bytes() {
            self.locals.insert(token, identity);
        }
    }

    /// The names of locals that also stand where clang says nothing of them, as in operands of `sizeof`, labels and types: these are kept as
    /// they are written, for what they mean there is not known.
    fn ambiguous<'t>(&self, tree: &Tree<'t>) -> FxHashSet<&'t [u8]> {
        let spelled: FxHashSet<&[u8]> =
            self.locals.keys().map(|token| tree.spelling(*token)).collect();
        let tokens = tree.node(0).tokens.clone();
        let is_other = |token: &usize| {
            let before = token.checked_sub(1).map_or(&b""[..], |before| tree.spelling(before));
            BEFORE_OTHERS.contains(&before)
        };
        let unknown = tokens.filter(|token| !self.locals.contains_key(token));
        let unknown = unknown.filter(|token| !is_other(token)).map(|token| tree.spelling(token));
        unknown.filter(|spelling| spelled.contains(spelling)).collect()
    }
}

/// Fowler–Noll–Vo 1a over 64 bits: stable across platforms and releases.
pub(crate) struct Hash(pub u64);

impl Hash {
    pub fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    /// Adds some bytes and where they end: no text has the byte that is added then.
    pub fn add(&mut self, bytes: &[u8]) {
        for byte in bytes.iter().chain(&[0xff]) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}
