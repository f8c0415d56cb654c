//! Models of the standard library: the effect of a call on memory, and its result.
//!
//! The table of `obligato_c_library` says which names have which model; one file for each header has the models. Calls of
//! functions without one, among them all that depend on the environment (`rand`, `time`, reading files), go to the
//! [`Environment`](crate::Environment).
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
use obligato_c_library::{Concrete, STREAMS, SortFunction, find};

use crate::environment::Environment;
use crate::machine::{Machine, Run};
use crate::shadow::Shadow;
use crate::watch::Observer;

pub use ctype::CharacterTable;
pub(crate) use host::Host;
use stream::Streams;
pub use stream::initial_bytes;

/// The state of the library.
#[derive(Clone, Debug, Default)]
pub(crate) struct Library {
    /// What was printed to `stdout`.
    pub(crate) output: Vec<u8>,
    /// What was printed to `stderr`.
    pub(crate) errors: Vec<u8>,
    streams: Streams,
    /// The address of `errno`, once it is needed.
    errno: Option<Address>,
    /// The addresses of the pointers to the tables of `ctype.h`.
    tables: [Option<Address>; 3],
}

impl Library {
    /// The library at the start of a program.
    pub(crate) fn new(module: &Module) -> Self {
        Self { streams: Streams::of(module), ..Self::default() }
    }
}

/// A model that does not call back: it maps arguments to a result, 0 for none.
type Plain<S> = fn(&mut Host<'_, S>, &[u64]) -> Run<u64>;

/// A function of the standard library.
pub(crate) struct Model<S: Shadow> {
    /// The least number of arguments.
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

/// Is there a model of the function or object of the standard library that has this name?
pub fn is_modelled(name: &str) -> bool {
    STREAMS.contains(&name) || find(name).is_some_and(|function| function.concrete.is_some())
}

impl<S: Shadow> Model<S> {
    /// The function of this name, if the table has a concrete model of it. `__memcpy_chk` and its like take the size of
    /// their target behind the arguments they have otherwise, and every access is checked anyway.
    pub(crate) fn named(name: &str) -> Option<Self> {
        find(name)?.concrete.map(Self::of)
    }

    fn of(concrete: Concrete) -> Self {
        let (arguments, body) = match concrete {
            Concrete::String(function) => string::model(function),
            Concrete::Character(function) => ctype::model(function),
            Concrete::Stdlib(function) => stdlib::model(function),
            Concrete::Double(function) => math::double_model(function),
            Concrete::Single(function) => math::single_model(function),
            Concrete::Stdio(function) => stdio::model(function),
            Concrete::Assert(function) => assert::model(function),
            Concrete::Sort(SortFunction::Qsort) => return Self { arguments: 4, body: Body::Sort },
            Concrete::Sort(SortFunction::Bsearch) => {
                return Self { arguments: 5, body: Body::Search };
            }
        };
        Self { arguments, body: Body::Plain(body) }
    }
}

impl<S, O, E> Machine<'_, S, O, E>
where
    S: Shadow,
    O: Observer,
    E: Environment<S::Mark>,
{
    /// Runs a model. Its result gets the marks of everything that it read.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_concrete_model_of_the_table_is_reached_by_its_name() {
        for function in obligato_c_library::functions() {
            let model = Model::<()>::named(function.name);
            assert_eq!(model.is_some(), function.concrete.is_some(), "{}", function.name);
            assert_eq!(is_modelled(function.name), model.is_some(), "{}", function.name);
        }
        assert!(is_modelled("stderr"));
        assert!(!is_modelled("rand") && !is_modelled("__printf"));
    }
}
