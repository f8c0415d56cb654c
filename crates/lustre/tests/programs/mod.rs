//! Random programs that are well typed, causal and on the right clocks, as text.
//!
//! A program is made from a list of numbers, each of which decides one choice; proptest shrinks
//! the list. The smallest choice is always a leaf, and all choices after the end of the list are
//! the smallest, so a short list is a small program.
//!
//! Reading order: [`types`], then [`Generator::program`], then [`expressions`] and [`clocked`].
#![allow(dead_code, reason = "each test uses a part of it")]

mod clocked;
mod declarations;
mod expressions;
mod numbers;
mod structured;
mod types;

use std::fmt::Write as _;

pub use types::Ty;

/// A variable that may be read.
#[derive(Clone, Debug)]
struct Variable {
    name: String,
    ty: Ty,
}

/// A node that may be called.
#[derive(Clone, Debug)]
struct Callee {
    name: String,
    inputs: Vec<Ty>,
    outputs: Vec<Ty>,
}

/// What an expression may contain where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Memory {
    /// Delays and calls of nodes.
    Allowed,
    /// Neither: in functions, and in what is computed at some instants only.
    Forbidden,
}

/// Makes a program out of choices.
pub struct Generator {
    choices: Vec<u16>,
    next: usize,
    /// What may be read at the same instant.
    scope: Vec<Variable>,
    /// What may be read one step later, besides.
    later: Vec<Variable>,
    callees: Vec<Callee>,
    memory: Memory,
    /// Numbers the names of bound variables.
    bound: usize,
}

impl Generator {
    /// The program that the choices stand for.
    pub fn program(choices: Vec<u16>) -> String {
        let mut generator = Self {
            choices,
            next: 0,
            scope: Vec::new(),
            later: Vec::new(),
            callees: Vec::new(),
            memory: Memory::Allowed,
            bound: 0,
        };
        let mut text = declarations::PRELUDE.to_owned();
        generator.know_prelude();
        for level in 0..=generator.choose(3) {
            let _ = writeln!(text, "{}", generator.node(&format!("inner{level}")));
        }
        text + &generator.main()
    }

    /// A number below `bound`; 0 when there are no more choices.
    fn choose(&mut self, bound: usize) -> usize {
        let choice = self.choices.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        usize::from(choice) % bound
    }

    fn one_of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.choose(all.len())].clone()
    }

    /// A variable of a type, if there is one.
    fn variable(&mut self, ty: &Ty) -> Option<String> {
        let fits = |variable: &&Variable| variable.ty.fits(ty);
        let all: Vec<_> = self.scope.iter().filter(fits).map(|v| v.name.clone()).collect();
        if all.is_empty() { None } else { Some(self.one_of(&all)) }
    }

    /// A variable that may be read one step later.
    fn delayed(&mut self, ty: &Ty) -> Option<String> {
        let fits = |variable: &&Variable| variable.ty.fits(ty);
        let all: Vec<_> =
            self.later.iter().chain(&self.scope).filter(fits).map(|v| v.name.clone()).collect();
        if all.is_empty() { None } else { Some(self.one_of(&all)) }
    }

    /// Generates without delays and calls of nodes.
    fn without_memory<T>(&mut self, generate: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.memory, Memory::Forbidden);
        let made = generate(self);
        self.memory = outer;
        made
    }
}
