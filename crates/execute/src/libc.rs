//! Models of the standard library: what a call does to memory and what it gives, for functions that programs
//! expect to be there.
//!
//! One file for each header; each finds its functions by name. A function that is not listed, among them all
//! that depend on the world (`rand`, `time`, reading files), goes to the [`Environment`](crate::Environment).
//! The models are those of glibc in the C locale wherever the standard leaves a choice.

mod assert;
mod ctype;
mod format;
mod host;
mod math;
mod number;
mod scan;
mod sort;
mod stdio;
mod stdlib;
mod stream;
mod string;

use std::fmt;

use obligato_bytecode::{Address, Module};

use crate::environment::Environment;
use crate::machine::{Machine, Run};
use crate::shadow::Shadow;
use crate::watch::Observer;

pub use ctype::CharacterTable;
pub(crate) use host::Host;
use stream::Streams;
pub(crate) use stream::initial_bytes;

/// What the library itself remembers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Library {
    /// What was printed to `stdout`.
    pub(crate) output: Vec<u8>,
    /// What was printed to `stderr`.
    pub(crate) errors: Vec<u8>,
    streams: Streams,
    /// Where `errno` is, once somebody asked.
    errno: Option<Address>,
    /// Where the pointers to the tables of `ctype.h` are.
    tables: [Option<Address>; 3],
}

impl Library {
    /// The library at the start of a program.
    pub(crate) fn new(module: &Module) -> Self {
        Self { streams: Streams::of(module), ..Self::default() }
    }
}

/// A function that does not call back: from its arguments to its result, 0 for none.
type Plain<S> = fn(&mut Host<'_, S>, &[u64]) -> Run<u64>;

/// A function of the standard library.
pub(crate) struct Model<S: Shadow> {
    /// How many arguments it needs at least.
    pub(crate) arguments: usize,
    body: Body<S>,
}

enum Body<S: Shadow> {
    Plain(Plain<S>),
    /// `qsort` and `bsearch`, which call back.
    Sort,
    Search,
}

impl<S: Shadow> Clone for Model<S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: Shadow> Copy for Model<S> {}

impl<S: Shadow> Clone for Body<S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: Shadow> Copy for Body<S> {}

impl<S: Shadow> fmt::Debug for Model<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Model of {} arguments", self.arguments)
    }
}

/// Is there a model of the function of the standard library that has this name?
pub fn is_modelled(name: &str) -> bool {
    Model::<()>::named(name).is_some()
}

impl<S: Shadow> Model<S> {
    /// The function of this name, if there is a model of it. `__memcpy_chk` and its like take the
    /// size of their target behind the arguments they have otherwise, and every access is checked anyway.
    pub(crate) fn named(name: &str) -> Option<Self> {
        match name {
            "qsort" => return Some(Self { arguments: 4, body: Body::Sort }),
            "bsearch" => return Some(Self { arguments: 5, body: Body::Search }),
            _ => {}
        }
        let plain = name.strip_prefix("__").and_then(|name| name.strip_suffix("_chk"));
        let fortified = matches!(
            plain,
            Some("memcpy" | "memmove" | "memset" | "strcpy" | "strncpy" | "strcat" | "strncat")
        );
        let name = if fortified { plain.unwrap_or(name) } else { name };
        let (arguments, body) = string::find(name)
            .or_else(|| ctype::find(name))
            .or_else(|| stdlib::find(name))
            .or_else(|| math::find(name))
            .or_else(|| stdio::find(name))
            .or_else(|| assert::find(name))?;
        Some(Self { arguments, body: Body::Plain(body) })
    }
}

impl<S, O, E> Machine<'_, S, O, E>
where
    S: Shadow,
    O: Observer,
    E: Environment<S::Mark>,
{
    /// Runs a model. Its result gets the marks of everything that it looked at.
    pub(crate) fn run_model(
        &mut self,
        model: Model<S>,
        values: &[u64],
        marks: &[S::Mark],
    ) -> Run<(Vec<u64>, S::Mark)> {
        match model.body {
            Body::Plain(body) => {
                let mut host = self.host();
                if S::ACTIVE {
                    for mark in marks {
                        host.touch(mark);
                    }
                }
                let result = body(&mut host, values)?;
                Ok((vec![result], host.touched))
            }
            Body::Sort => {
                self.sort(values)?;
                Ok((vec![0], S::Mark::default()))
            }
            Body::Search => Ok((vec![self.search(values)?], S::Mark::default())),
        }
    }

    pub(crate) fn host(&mut self) -> Host<'_, S> {
        Host {
            memory: &mut self.memory,
            shadow: &mut self.shadow,
            library: &mut self.library,
            steps: &mut self.steps,
            most_bytes: self.limits.memory,
            touched: S::Mark::default(),
        }
    }
}

/// An `int` as a register holds it.
fn int(value: i32) -> u64 {
    u64::from(value.cast_unsigned())
}

/// The `int` that a register holds.
fn as_int(register: u64) -> i32 {
    (register as u32).cast_signed()
}
