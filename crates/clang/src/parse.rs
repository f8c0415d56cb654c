//! From text to syntax: what libclang knows, as plain data.
//!
//! Start here: `parse` goes over the declarations of the text once. Each function with a body becomes a flat tree, in which
//! its decisions, statements, switches and exits are found; what it mentions decides which declarations and types
//! are listed, so that headers cost nothing.

use std::collections::BTreeMap;
use std::thread;

use crate::libclang::{self, Cursor, Kind, TranslationUnit};
use crate::tree::Tree;
use crate::{ClangError, Code, Function, Syntax, Text};

mod addresses;
mod boolean;
mod code;
mod constants;
mod decisions;
mod declarations;
mod endings;
mod generic;
mod given;
mod layout;
mod shifts;
mod statements;
mod switches;
mod unsupported;
mod uses;

use addresses::add_addresses;
use declarations::Declarations;
use layout::TypeTable;

/// Which operators join conditions, beside `&&`, `||`, `!` and `?:`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BooleanOperators {
    /// None.
    Logical,
    /// `&`, `|`, `^`, `==` and `!=` where both operands are Boolean.
    #[default]
    All,
}

/// clang's own functions walk expressions recursively; this is more than a child process has that has parsed the same text.
const STACK: usize = 256 << 20;

impl Syntax {
    /// Parses a text.
    pub fn parse(text: &Text, operators: BooleanOperators) -> Result<Self, ClangError> {
        thread::scope(|scope| {
            let work = || parse(text, operators);
            let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            let thread = thread.map_err(|error| {
                ClangError::Internal(format!("cannot start a thread to parse on: {error}"))
            })?;
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }
}

fn parse(text: &Text, operators: BooleanOperators) -> Result<Syntax, ClangError> {
    let unit = TranslationUnit::parse(text.bytes(), &text.source().flags.for_text())?;
    let mut types = TypeTable::default();
    let mut declarations = Declarations::default();
    let mut functions = Vec::new();
    let mut codes: BTreeMap<String, Code> = BTreeMap::new();
    let mut addresses = Vec::new();
    for declaration in unit.declarations() {
        match declaration.kind() {
            Kind::Function if declaration.is_definition() => {
                let tree = Tree::below(declaration, text);
                declarations.define_function(declaration);
                declarations.mention(&tree);
                add_addresses(&tree, &mut types, &mut addresses);
                functions.push(function(declaration, &tree, operators, &mut types));
                codes.insert(declaration.name(), code::code(&tree));
            }
            Kind::Variable => {
                let tree = Tree::below(declaration, text);
                declarations.add_variable(declaration);
                add_addresses(&tree, &mut types, &mut addresses);
                declarations.mention(&tree);
                let code = code::code(&tree);
                // An object may be declared before it is defined: all declarations count.
                let known: &mut Code = codes.entry(declaration.name()).or_default();
                known.hash = known.hash.rotate_left(1) ^ code.hash;
                known.mentions.extend(code.mentions);
            }
            _ => {}
        }
    }
    let (callables, variables) = declarations.finish(text, &mut types);
    let compiler = libclang::version(&unit);
    Ok(Syntax {
        types: types.finish(),
        functions,
        callables,
        variables,
        codes,
        compiler,
        addresses,
    })
}

/// What a function with a body says.
fn function<'u>(
    declaration: Cursor<'u>,
    tree: &Tree<'u>,
    operators: BooleanOperators,
    types: &mut TypeTable<'u>,
) -> Function {
    let closing_brace = tree.node(0).tokens.end.max(1) - 1;
    let uses = uses::uses(tree);
    Function {
        name: declaration.name(),
        span: tree.span(0),
        end: tree.text.start(closing_brace),
        decisions: decisions::decisions(tree, &uses, operators, types),
        switches: switches::switches(tree, &uses),
        exits: endings::exits(tree, &uses, closing_brace),
        unsupported: unsupported::unsupported(tree, &uses),
        signed_shifts: shifts::signed_shifts(tree),
        statements: statements::statements(tree, &uses),
    }
}
