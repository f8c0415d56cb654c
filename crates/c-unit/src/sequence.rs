//! What belongs to a call sequence besides the function under test: what a program calls before `main`, a set-up call before the first
//! step, and events, such as interrupts, that may come before any step.
//!
//! The driver calls them, so they run alike on the executor, in formulas and as machine code. Whether an event comes before a step
//! is an input, a `_Bool` behind the arguments of the function.

use std::fmt::Write;

use obligato_clang::Syntax;

use crate::settings::Settings;

/// The calls of a sequence besides those of the function under test. None of them takes arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sequence {
    /// The functions that are called once, before the first step: the constructors of the file (GCC's `__attribute__((constructor))`),
    /// and the set-up call.
    pub initial: Vec<String>,
    /// The functions that may be called before each step, in this order.
    pub events: Vec<String>,
}

/// Why a function cannot be part of a call sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Misfit {
    /// There is no such function.
    #[error("the file neither defines nor declares it")]
    Unknown,
    /// It takes arguments, which nobody would choose.
    #[error("it takes arguments")]
    TakesArguments,
}

impl Sequence {
    /// The sequence that a unit has by itself and that the settings ask for.
    pub fn of(unit: &Syntax, settings: &Settings) -> Self {
        let constructors = unit.callables.iter().filter(|one| one.constructor);
        let constructors = constructors.map(|one| &one.name);
        let initial = constructors.chain(&settings.init).cloned().collect();
        Self { initial, events: settings.events.clone() }
    }

    /// All functions that it calls.
    pub fn functions(&self) -> impl Iterator<Item = &String> {
        self.initial.iter().chain(&self.events)
    }

    /// The first function that cannot be called in a sequence, and why.
    pub(crate) fn misfit(&self, unit: &Syntax) -> Option<(String, Misfit)> {
        self.functions().find_map(|name| {
            let known = unit.callables.iter().find(|callable| callable.name == *name);
            let misfit = match known {
                None => Misfit::Unknown,
                Some(callable) if !callable.parameters.is_empty() || callable.variadic => {
                    Misfit::TakesArguments
                }
                Some(_) => return None,
            };
            Some((name.clone(), misfit))
        })
    }

    /// The variable of the driver that says whether the calls before the first step were made.
    pub(crate) fn started(function: &str) -> String {
        format!("obligato_started_{function}")
    }

    /// The input that says whether an event comes before a step.
    pub(crate) fn input(event: &str) -> String {
        format!("{event}()")
    }

    /// What the driver declares for a function, on its line.
    pub(crate) fn declarations(&self, function: &str) -> String {
        let started = Self::started(function);
        self.initial.first().map(|_| format!("static _Bool {started}; ")).unwrap_or_default()
    }

    /// What the driver does before it calls a function, whose arguments are the first of the list.
    pub(crate) fn statements(&self, function: &str, arguments: usize) -> String {
        let mut text = String::new();
        if !self.initial.is_empty() {
            let started = Self::started(function);
            let calls: String = self.initial.iter().map(|one| format!("{one}(); ")).collect();
            let _ = write!(text, "if (!{started}) {{ {started} = 1; {calls}}} ");
        }
        for (index, event) in self.events.iter().enumerate() {
            let _ = write!(text, "if (*(_Bool *)arguments[{}]) {event}(); ", arguments + index);
        }
        text
    }
}
