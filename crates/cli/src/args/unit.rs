//! The arguments that say how a C file is read and what the inputs of its functions are.
//!
//! Everything under [`InputArgs`] can also stand in an `obligato.toml`; what is given here wins.

use std::path::PathBuf;

use clap::Args;
use obligato::subject::{
    Allocation, Elements, InputOptions, NamedRange, Overflow, Range, State, USUAL_ARRAY,
    UnitOptions, Volatile,
};

use super::words::{word, words_of};

const HEADING: &str = "Only for C";
const INPUTS: &str = "Inputs of C functions, also set by obligato.toml";

/// How a C file is read.
#[derive(Debug, Clone, Default, Args)]
pub struct UnitArgs {
    /// The function under test, with all that it calls [default: the only one of the file]
    #[arg(long, value_name = "NAME", help_heading = HEADING)]
    pub function: Option<String>,
    /// Take &, |, ^, == and != on Boolean operands as part of conditions, not as joining them
    #[arg(long, help_heading = HEADING)]
    pub logical_only: bool,
    /// Do not run the tests as machine code beside the executor
    #[arg(long, help_heading = HEADING)]
    pub no_native: bool,
    /// The settings [default: the obligato.toml beside the C file, if there is one]
    #[arg(long, value_name = "FILE", help_heading = HEADING)]
    pub config: Option<PathBuf>,
    /// What inputs there are.
    #[command(flatten)]
    pub inputs: InputArgs,
    /// Flags for clang, such as -Iinclude -DNDEBUG
    #[arg(last = true, index = 2, value_name = "FLAG", help_heading = HEADING)]
    pub flags: Vec<String>,
}

/// What inputs there are, and how much a test may take.
#[derive(Debug, Clone, Default, Args)]
pub struct InputArgs {
    /// How many elements pointers to numbers point to, or one pointer does [default: 8]
    #[arg(long, value_name = "[POINTER=]N", help_heading = INPUTS)]
    pub elements: Vec<Elements>,
    /// How many elements pointers to structures point to [default: 1]
    #[arg(long, value_name = "N", help_heading = INPUTS)]
    pub structures: Option<u64>,
    /// How many pointers behind each other point to something [default: 3]
    #[arg(long, value_name = "N", help_heading = INPUTS)]
    pub depth: Option<u32>,
    #[arg(long, value_name = "N", help = of_array(), help_heading = INPUTS)]
    pub array: Option<u64>,
    /// How many calls of a function outside get a result of their own in a step, and reads of a volatile object a value [default: 4]
    #[arg(long, value_name = "N", help_heading = INPUTS)]
    pub calls: Option<u64>,
    /// What reads of volatile objects give: inputs, or memory (what was written last), for all or memory=NAME,NAME [default: inputs]
    #[arg(long, value_name = "WHAT", help_heading = INPUTS)]
    pub volatile: Option<Volatile>,
    /// Whether malloc, calloc and realloc may fail [default: may-fail]
    #[arg(long, value_name = "WHAT", value_parser = words_of(ALLOCATIONS), help_heading = INPUTS)]
    pub allocation: Option<Allocation>,
    /// The values that an input may have, such as speed=0..300, both ends included
    #[arg(long, value_name = "NAME=LOW..HIGH", help_heading = INPUTS)]
    pub range: Vec<NamedRange>,
    /// What holds of the inputs whenever the function is called, in C, such as 'low <= high && p != NULL'; may be given again
    #[arg(long, value_name = "PRECONDITION", help_heading = INPUTS)]
    pub assume: Vec<String>,
    /// Globals that are inputs although nothing shows it, separated by commas
    #[arg(long, value_name = "NAME", value_delimiter = ',', help_heading = INPUTS)]
    pub global: Vec<String>,
    /// Globals that keep their initial values, separated by commas
    #[arg(long, value_name = "NAME", value_delimiter = ',', help_heading = INPUTS)]
    pub fixed: Vec<String>,
    /// Whether static variables start as the program says, or are inputs [default: initial]
    #[arg(long, value_name = "STATE", value_parser = words_of(STATES), help_heading = INPUTS)]
    pub state: Option<State>,
    /// The function that every test calls once, before its first step
    #[arg(long, value_name = "FUNCTION", help_heading = INPUTS)]
    pub init: Option<String>,
    /// A function, such as an interrupt handler, that may be called before any step; may be given again
    #[arg(long, value_name = "FUNCTION", help_heading = INPUTS)]
    pub event: Vec<String>,
    /// Let pointers also point to what a pointer before them points to
    #[arg(long, help_heading = INPUTS)]
    pub alias: bool,
    /// Whether an overflow of signed numbers is a runtime error, or wraps around [default: fault]
    #[arg(long, value_name = "MEANING", value_parser = words_of(OVERFLOWS), help_heading = INPUTS)]
    pub signed_overflow: Option<Overflow>,
    /// How many operations a test may execute [default: 100000000]
    #[arg(long, value_name = "N", help_heading = INPUTS)]
    pub operations: Option<u64>,
}

/// How many elements of an array are inputs.
fn of_array() -> String {
    format!(
        "How many elements of an array are inputs, fewer if those are too many [default: {USUAL_ARRAY}]"
    )
}

/// The words of `--state`.
const STATES: [(&str, State); 2] = [("initial", State::Initial), ("free", State::Free)];
/// The words of `--allocation`.
const ALLOCATIONS: [(&str, Allocation); 2] =
    [("may-fail", Allocation::MayFail), ("succeeds", Allocation::Succeeds)];
/// The words of `--signed-overflow`.
const OVERFLOWS: [(&str, Overflow); 2] = [("fault", Overflow::Fault), ("wraps", Overflow::Wraps)];

impl UnitArgs {
    /// Does the help list its options under this heading?
    pub(super) fn has_heading(heading: &str) -> bool {
        [HEADING, INPUTS].contains(&heading)
    }

    /// How the C file is read, as the library is asked for it.
    pub fn options(&self) -> UnitOptions {
        UnitOptions {
            function: self.function.clone(),
            logical_only: self.logical_only,
            no_native: self.no_native,
            config: self.config.clone(),
            inputs: self.inputs.options(),
            flags: self.flags.clone(),
        }
    }
}

impl InputArgs {
    /// The same, as the library is asked for it.
    pub fn options(&self) -> InputOptions {
        InputOptions {
            elements: self.elements.clone(),
            structures: self.structures,
            depth: self.depth,
            array: self.array,
            calls: self.calls,
            volatile: self.volatile.clone(),
            allocation: self.allocation,
            range: self.range.clone(),
            assume: self.assume.clone(),
            global: self.global.clone(),
            fixed: self.fixed.clone(),
            state: self.state,
            init: self.init.clone(),
            event: self.event.clone(),
            alias: self.alias,
            signed_overflow: self.signed_overflow,
            operations: self.operations,
        }
    }

    /// The arguments as words of a command line.
    pub fn words(&self) -> Vec<String> {
        input_words(&self.options())
    }
}

/// What inputs there are, as words of a command line.
pub fn input_words(options: &InputOptions) -> Vec<String> {
    let InputOptions {
        elements,
        structures,
        depth,
        array,
        calls,
        volatile,
        allocation,
        range,
        assume,
        global,
        fixed,
        state,
        init,
        event,
        alias,
        signed_overflow,
        operations,
    } = options;
    let mut words: Vec<String> = Vec::new();
    let mut add = |name: &str, value: Option<String>| {
        words.extend(value.map(|value| format!("--{name}={value}")));
    };
    for Elements { pointer, count } in elements {
        let pointer = pointer.iter().map(|name| format!("{name}=")).collect::<String>();
        add("elements", Some(format!("{pointer}{count}")));
    }
    add("structures", structures.map(|n| n.to_string()));
    add("depth", depth.map(|n| n.to_string()));
    add("array", array.map(|n| n.to_string()));
    add("calls", calls.map(|n| n.to_string()));
    add("volatile", volatile.as_ref().map(ToString::to_string));
    add("allocation", word(&ALLOCATIONS, *allocation));
    for NamedRange { name, range: Range { low, high } } in range {
        add("range", Some(format!("{name}={low}..{high}")));
    }
    for precondition in assume {
        add("assume", Some(precondition.clone()));
    }
    for (name, list) in [("global", global), ("fixed", fixed)] {
        add(name, Some(list.join(",")).filter(|list| !list.is_empty()));
    }
    add("state", word(&STATES, *state));
    add("init", init.clone());
    for event in event {
        add("event", Some(event.clone()));
    }
    add("signed-overflow", word(&OVERFLOWS, *signed_overflow));
    add("operations", operations.map(|n| n.to_string()));
    words.extend(alias.then(|| "--alias".to_owned()));
    words
}

#[cfg(test)]
mod tests {
    use clap::Args as _;

    use super::*;

    #[test]
    fn the_help_names_as_many_elements_of_an_array_as_are_inputs() {
        let help = InputArgs::augment_args(clap::Command::new("x")).render_help().to_string();
        assert!(help.contains(&format!("[default: {USUAL_ARRAY}]")), "{help}");
    }
}
