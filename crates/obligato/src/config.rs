//! `obligato.toml`: what a user says about the inputs of C functions, in a file and by flags.
//!
//! The file lies beside the C file, or is named by `--config`. Every key but those of `[stubs]` has a flag, and a flag wins. A key that is not
//! known, or a value that makes no sense, is an error with its line: a misspelled range must not pass for one that is kept.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range as Bytes;
use std::path::{Path, PathBuf};

use obligato_c_unit::{RunOptions, Settings, SignedOverflow, settings};
use obligato_store::{Place, StoreError, file};
use serde::Deserialize;
use toml::Spanned;

use crate::error::Error;
use crate::subject::{
    Allocation, InputOptions, NamedRange, Overflow, Range, State, UnitOptions, Volatile,
};

mod digest;
mod gate;

pub use gate::GateSettings;

/// What the file is called.
pub const NAME: &str = "obligato.toml";

/// Larger numbers of elements and calls would only make inputs that no suite has a column for.
const MOST_ELEMENTS: u64 = 4096;
/// Deeper chains of pointers would be more inputs than there may be.
const DEEPEST: u32 = 16;

/// All that can be set.
#[derive(Debug, Default)]
pub struct Configuration {
    /// What inputs there are.
    pub settings: Settings,
    /// How tests run.
    pub options: RunOptions,
}

/// The file.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Document {
    inputs: Inputs,
    observe: Vec<String>,
    limits: Limits,
    #[serde(rename = "signed-overflow")]
    signed_overflow: Option<Overflow>,
    gate: gate::Written,
    stubs: BTreeMap<String, Stub>,
}

/// What is known of a function outside.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Stub {
    writes: BTreeSet<String>,
}

impl Document {
    fn parse(text: &str) -> Result<Self, StoreError> {
        toml::from_str(text).map_err(|error| StoreError::Syntax {
            place: place_of(text, error.span().unwrap_or_default()),
            reason: error.message().to_owned(),
        })
    }
}

/// What inputs there are.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct Inputs {
    elements: Option<Spanned<u64>>,
    structures: Option<Spanned<u64>>,
    depth: Option<Spanned<u32>>,
    array: Option<Spanned<u64>>,
    calls: Option<Spanned<u64>>,
    terminated: Option<bool>,
    alias: Option<bool>,
    state: Option<State>,
    init: Option<String>,
    events: Vec<String>,
    volatile: Option<Spanned<String>>,
    allocation: Option<Allocation>,
    globals: BTreeSet<String>,
    fixed: BTreeSet<String>,
    elements_of: BTreeMap<String, Spanned<u64>>,
    ranges: BTreeMap<String, Spanned<String>>,
    preconditions: BTreeMap<String, Vec<String>>,
}

/// How much a test may take.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct Limits {
    operations: Option<u64>,
    call_depth: Option<u32>,
    memory: Option<u64>,
}

impl Configuration {
    /// What is set for a C file: by flags, else by the settings that they name or that lie beside the file.
    pub fn find(asked: &UnitOptions, c_file: &Path) -> Result<Self, Error> {
        let mut found = Self::default();
        if let Some(path) = Self::file(asked, c_file) {
            let bytes = file::read(&path)?;
            found.read(&bytes).map_err(|error| error.in_file(&path))?;
        }
        found.apply(&asked.inputs)?;
        Ok(found)
    }

    /// The file that is read for a C file, if there is one.
    pub fn file(asked: &UnitOptions, c_file: &Path) -> Option<PathBuf> {
        let place = Self::place(asked, c_file);
        (asked.config.is_some() || place.is_file()).then_some(place)
    }

    /// Where the file is looked for.
    pub fn place(asked: &UnitOptions, c_file: &Path) -> PathBuf {
        asked.config.clone().unwrap_or_else(|| c_file.with_file_name(NAME))
    }

    fn read(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        let text = text_of(bytes)?;
        let document = Document::parse(text)?;
        document.gate.check(text)?;
        let Document { inputs, observe, limits, signed_overflow, gate: _, stubs } = document;
        self.set_inputs(inputs, text)?;
        let contract = |(name, Stub { writes })| (name, settings::StubContract { writes });
        self.settings.stubs = stubs.into_iter().map(contract).collect();
        self.settings.observed = observe.into_iter().collect();
        let own = &mut self.options.limits;
        set(&mut own.steps, limits.operations);
        set(&mut own.depth, limits.call_depth);
        set(&mut own.memory, limits.memory);
        self.set_overflow(signed_overflow);
        Ok(())
    }

    fn set_inputs(&mut self, inputs: Inputs, text: &str) -> Result<(), StoreError> {
        let invalid = |span: Bytes<usize>, reason: String| StoreError::Invalid {
            place: place_of(text, span),
            reason,
        };
        let limited = |value: Option<Spanned<u64>>| {
            value.map(|value| match small(*value.get_ref()) {
                Ok(count) => Ok(count),
                Err(reason) => Err(invalid(value.span(), reason)),
            })
        };
        let own = &mut self.settings;
        set(&mut own.elements, limited(inputs.elements).transpose()?);
        set(&mut own.structures, limited(inputs.structures).transpose()?);
        set(&mut own.array, limited(inputs.array).transpose()?);
        set(&mut own.calls, limited(inputs.calls).transpose()?);
        if let Some(depth) = inputs.depth {
            let checked = shallow(*depth.get_ref());
            own.depth = checked.map_err(|reason| invalid(depth.span(), reason))?;
        }
        set(&mut own.terminated, inputs.terminated);
        set(&mut own.alias, inputs.alias);
        set(&mut own.state, inputs.state.map(Into::into));
        own.init = inputs.init;
        own.events = inputs.events;
        if let Some(volatile) = inputs.volatile {
            let parsed = volatile.get_ref().parse::<Volatile>();
            own.volatile = parsed.map_err(|reason| invalid(volatile.span(), reason))?.into();
        }
        set(&mut own.allocation, inputs.allocation.map(Into::into));
        own.globals = inputs.globals;
        own.fixed = inputs.fixed;
        for (name, count) in inputs.elements_of {
            let count = limited(Some(count)).transpose()?;
            own.sizes.extend(count.map(|count| (name, count)));
        }
        for (name, range) in inputs.ranges {
            let parsed = range.get_ref().parse::<Range>();
            let Range { low, high } = parsed.map_err(|reason| invalid(range.span(), reason))?;
            own.ranges.insert(name, settings::Range { low, high });
        }
        own.preconditions = inputs.preconditions;
        Ok(())
    }

    fn apply(&mut self, flags: &InputOptions) -> Result<(), Error> {
        let refuse = |flag: &str, reason: String| Error::Input {
            message: format!("--{flag}: {reason}"),
            way_out: "choose a smaller one".to_owned(),
        };
        let limited = |flag: &str, value: Option<u64>| {
            value.map(|count| small(count).map_err(|reason| refuse(flag, reason))).transpose()
        };
        let own = &mut self.settings;
        for elements in &flags.elements {
            let count = small(elements.count).map_err(|reason| refuse("elements", reason))?;
            match &elements.pointer {
                Some(pointer) => drop(own.sizes.insert(pointer.clone(), count)),
                None => own.elements = count,
            }
        }
        set(&mut own.structures, limited("structures", flags.structures)?);
        set(&mut own.array, limited("array", flags.array)?);
        set(&mut own.calls, limited("calls", flags.calls)?);
        if let Some(depth) = flags.depth {
            own.depth = shallow(depth).map_err(|reason| refuse("depth", reason))?;
        }
        for NamedRange { name, range: Range { low, high } } in &flags.range {
            let (low, high) = (low.clone(), high.clone());
            own.ranges.insert(name.clone(), settings::Range { low, high });
        }
        own.assumed.extend(flags.assume.iter().cloned());
        own.globals.extend(flags.global.iter().cloned());
        own.fixed.extend(flags.fixed.iter().cloned());
        set(&mut own.state, flags.state.map(Into::into));
        if flags.init.is_some() {
            own.init.clone_from(&flags.init);
        }
        for event in &flags.event {
            if !own.events.contains(event) {
                own.events.push(event.clone());
            }
        }
        set(&mut own.volatile, flags.volatile.clone().map(Into::into));
        set(&mut own.allocation, flags.allocation.map(Into::into));
        own.alias |= flags.alias;
        set(&mut self.options.limits.steps, flags.operations);
        self.set_overflow(flags.signed_overflow);
        Ok(())
    }

    fn set_overflow(&mut self, meaning: Option<Overflow>) {
        let meaning = meaning.map(|meaning| match meaning {
            Overflow::Fault => SignedOverflow::Found,
            Overflow::Wraps => SignedOverflow::Wraps,
        });
        set(&mut self.options.signed_overflow, meaning);
    }
}

fn set<T>(place: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *place = value;
    }
}

fn small(count: u64) -> Result<u64, String> {
    if count <= MOST_ELEMENTS {
        Ok(count)
    } else {
        Err(format!("at most {MOST_ELEMENTS} are possible"))
    }
}

fn shallow(depth: u32) -> Result<u32, String> {
    if depth <= DEEPEST { Ok(depth) } else { Err(format!("at most {DEEPEST} are possible")) }
}

/// The text of a file.
pub fn text_of(bytes: &[u8]) -> Result<&str, StoreError> {
    str::from_utf8(bytes).map_err(|error| {
        let good = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
        StoreError::NotUtf8 { place: place_of(&good, good.len()..good.len()) }
    })
}

/// The line and the column, in characters, at which a stretch of a text starts.
pub fn place_of(text: &str, span: Bytes<usize>) -> Place {
    let before = text.get(..span.start).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.matches('\n').count() + 1;
    let column = before[line_start..].chars().count() + 1;
    Place { path: None, line: Some(line), column: Some(column) }
}

#[cfg(test)]
mod tests;
