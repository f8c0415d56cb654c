//! Assumptions: what a proof takes for granted.
//!
//! Where a setting of the tool would change an assumption, its words name that setting.

use std::fmt;

use super::bound::Bound;
use super::words::{Names, Templates, between, faithful, find, number, words_for};

/// What a proof takes for granted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Assumption {
    /// Tests of a C function have at most so many steps.
    Steps(u64),
    /// These variables start as the C file initialises them.
    InitialState(Names),
    /// Pointers point to what the interface lists, and objects have the sizes given there.
    PointerTargets,
    /// These pointers are NULL: there is nothing they could point to.
    NullPointers(Names),
    /// Enumerations hold values that have names.
    NamedEnumerators,
    /// Inputs are within the ranges that were asked for.
    InputRanges,
    /// This precondition holds of inputs.
    Precondition(String),
    /// Volatile objects that the settings name hold what was written last.
    VolatileMemory,
    /// Every allocation succeeds.
    SuccessfulAllocation,
    /// This function outside of the unit writes what the settings say, and nothing else.
    StubWrites(String),
    /// This variable, which the settings fix, keeps the value that the C file gives it.
    FixedValue(String),
    /// The object behind this pointer has as many elements as the settings say.
    ObjectSize(String),
    /// This input, for which there is no variable, is zero.
    Zero(String),
    /// Stubs return what inputs say, from this call of a step on the same.
    StubResults(u64),
    /// The compiler makes no code of it.
    NoCode,
    /// The assertions of a model hold in every step.
    ModelAssertions,
    /// A constant of a model without a value is an input of the first step.
    FreeConstant(String),
    /// An output of an imported node is an input.
    ImportedNode {
        /// The node.
        node: String,
        /// The input that its output became.
        input: String,
    },
    /// A variable of a model that nothing defines is an input.
    Undefined(String),
    /// An output of a model keeps its last value while its clock does not hold.
    ClockedOutput(String),
    /// An input of a model counts only where its clock holds.
    ClockedInput(String),
    /// Nothing is known of a type but which values are equal.
    FreeType(String),
    /// What the calls of a function without a body give is an input.
    FreeFunction {
        /// The function.
        name: String,
        /// Why it has no body.
        body: MissingBody,
        /// How many calls there are.
        calls: u64,
        /// When equal arguments give equal results.
        repeats: Repeats,
    },
    /// A solver that leaves no certificate is right.
    Uncertified,
    /// An assumption that only a stored document names.
    Other(String),
}

/// Why a function of a model has no body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MissingBody {
    /// It is declared as imported.
    Imported,
    /// It is a function without equations.
    Absent,
}

/// When equal arguments of a function without a body give equal results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Repeats {
    /// It has no arguments, and gives the same in every step.
    Constant,
    /// Within a step and from step to step.
    Always,
    /// Within a step.
    WithinStep,
    /// They need not.
    Never,
}

/// Assumptions without parameters.
const PLAIN: Templates<Assumption> = &[
    ("tests have one step", &[], Assumption::Steps(1)),
    (
        "pointers point to what the interface lists, and objects have the sizes given there",
        &[],
        Assumption::PointerTargets,
    ),
    ("enumerations hold values that have names", &[], Assumption::NamedEnumerators),
    ("inputs are within their ranges", &[], Assumption::InputRanges),
    (
        "volatile objects that the settings name hold what was written last",
        &[],
        Assumption::VolatileMemory,
    ),
    ("every allocation succeeds", &[], Assumption::SuccessfulAllocation),
    ("the compiler makes no code of it", &[], Assumption::NoCode),
    ("the assertions of the model hold in every step", &[], Assumption::ModelAssertions),
    ("z3, which leaves no certificate here, is right", &[], Assumption::Uncertified),
];

/// Makes an assumption about what is called so.
type OfName = fn(String) -> Assumption;

/// Assumptions about one name or text, by what stands before and behind it.
const NAMED: &[(&str, &str, OfName)] = &[
    ("`", "` holds of inputs", Assumption::Precondition),
    ("'", "' is zero", Assumption::Zero),
    ("the function '", "' writes only what the settings say", Assumption::StubWrites),
    ("the variable '", "' keeps the value that the file gives it", Assumption::FixedValue),
    ("behind '", "' are as many elements as the settings say", Assumption::ObjectSize),
    (
        "the constant '",
        "' has no value: it is an input of the first step",
        Assumption::FreeConstant,
    ),
    ("nothing defines '", "': it is an input", Assumption::Undefined),
    (
        "the output '",
        "' keeps its last value while its clock does not hold; before it has one it is false or zero",
        Assumption::ClockedOutput,
    ),
    ("the input '", "' counts only in steps where its clock holds", Assumption::ClockedInput),
    (
        "nothing is known of the type '",
        "': its values are written as integers, which only say which of them are equal",
        Assumption::FreeType,
    ),
];

const STEPS: [&str; 2] = ["tests have at most ", " steps"];
const STATE_OF_ONE: &str =
    " starts as the file has it (--state free and --global make inputs of such)";
const STATE_OF_SEVERAL: &str =
    " start as the file has them (--state free and --global make inputs of such)";
const NULL_ONE: &str = " is NULL, for want of something to point to";
const NULL_SEVERAL: &str = " are NULL, for want of something to point to";
const STUBS: [&str; 2] =
    ["functions outside of the unit return what inputs say, from call ", " of a step on the same"];
const IMPORTED: [&str; 3] = ["the node '", "' is imported: '", "' is an input"];
const BODIES: [(MissingBody, &str); 2] =
    [(MissingBody::Imported, "is imported"), (MissingBody::Absent, "has no body")];
const REPEATS: [(Repeats, &str); 4] = [
    (Repeats::Constant, "it gives the same in every step"),
    (Repeats::Always, "equal arguments give equal results"),
    (
        Repeats::WithinStep,
        "equal arguments give equal results within a step, but need not from step to step",
    ),
    (
        Repeats::Never,
        "equal arguments need not give equal results, as its calls are too many or on clocks",
    ),
];

impl Assumption {
    /// Reads an assumption from its words.
    pub fn read(words: &str) -> Self {
        if let Some(one) = find(PLAIN, words) {
            return one.clone();
        }
        let names = |end: &str| words.strip_suffix(end).and_then(Names::read);
        let about_one = NAMED
            .iter()
            .map(|(start, end, make)| between(words, start, end).map(|name| make(name.to_owned())));
        let others = [
            between(words, STEPS[0], STEPS[1]).and_then(number).map(Self::Steps),
            names(STATE_OF_ONE).or_else(|| names(STATE_OF_SEVERAL)).map(Self::InitialState),
            names(NULL_ONE).or_else(|| names(NULL_SEVERAL)).map(Self::NullPointers),
            between(words, STUBS[0], STUBS[1]).and_then(number).map(Self::StubResults),
            read_imported(words),
            read_function(words),
        ];
        faithful(words, about_one.chain(others)).unwrap_or_else(|| Self::Other(words.to_owned()))
    }

    /// The bound that it is, if the tool chose it. Results of earlier versions list such among the assumptions of proofs.
    pub fn as_bound(&self) -> Option<Bound> {
        match self {
            Self::Steps(steps) => Some(Bound::Steps(*steps)),
            Self::InitialState(names) => Some(Bound::OtherCalls(names.clone())),
            Self::PointerTargets => Some(Bound::Other(self.to_string())),
            Self::NullPointers(names) => Some(Bound::FixedInputs(names.clone())),
            Self::NamedEnumerators => Some(Bound::NamedEnumerators),
            Self::Zero(name) => Names::new([name.as_str()]).map(Bound::FixedInputs),
            Self::StubResults(calls) => Some(Bound::StubResults(*calls)),
            _ => None,
        }
    }

    fn named(&self) -> Option<&str> {
        match self {
            Self::Precondition(name)
            | Self::StubWrites(name)
            | Self::FixedValue(name)
            | Self::ObjectSize(name)
            | Self::Zero(name)
            | Self::FreeConstant(name)
            | Self::Undefined(name)
            | Self::ClockedOutput(name)
            | Self::ClockedInput(name)
            | Self::FreeType(name) => Some(name),
            _ => None,
        }
    }
}

fn read_imported(words: &str) -> Option<Assumption> {
    let (node, input) = between(words, IMPORTED[0], IMPORTED[2])?.split_once(IMPORTED[1])?;
    Some(Assumption::ImportedNode { node: node.to_owned(), input: input.to_owned() })
}

fn read_function(words: &str) -> Option<Assumption> {
    let (name, rest) = words.strip_prefix("the function '")?.split_once("' ")?;
    let (what, rest) = rest.split_once(": ")?;
    let (results, but) = rest.split_once(" an input; ")?;
    let calls = match between(results, "what its ", " calls give is") {
        Some(calls) => number(calls)?,
        None => 1,
    };
    let (body, _) = BODIES.into_iter().find(|(_, words)| *words == what)?;
    let (repeats, _) = REPEATS.into_iter().find(|(_, words)| *words == but)?;
    Some(Assumption::FreeFunction { name: name.to_owned(), body, calls, repeats })
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(words) = words_for(PLAIN, self) {
            return f.write_str(words);
        }
        if let Some(name) = self.named() {
            let is_it =
                |(_, _, make): &&(&str, &str, fn(String) -> Self)| make(name.to_owned()) == *self;
            let (start, end, _) = NAMED.iter().find(is_it).expect("invariant: all are listed");
            return write!(f, "{start}{name}{end}");
        }
        match self {
            Self::Steps(steps) => write!(f, "{}{steps}{}", STEPS[0], STEPS[1]),
            Self::InitialState(names) => {
                write!(f, "{names}{}", if names.is_one() { STATE_OF_ONE } else { STATE_OF_SEVERAL })
            }
            Self::NullPointers(names) => {
                write!(f, "{names}{}", if names.is_one() { NULL_ONE } else { NULL_SEVERAL })
            }
            Self::StubResults(call) => write!(f, "{}{call}{}", STUBS[0], STUBS[1]),
            Self::ImportedNode { node, input } => {
                let [start, middle, end] = IMPORTED;
                write!(f, "{start}{node}{middle}{input}{end}")
            }
            Self::FreeFunction { name, body, calls, repeats } => {
                let what = word_of(&BODIES, *body);
                let but = word_of(&REPEATS, *repeats);
                match calls {
                    1 => write!(
                        f,
                        "the function '{name}' {what}: what its call gives is an input; {but}"
                    ),
                    _ => write!(
                        f,
                        "the function '{name}' {what}: what its {calls} calls give is an input; {but}"
                    ),
                }
            }
            Self::Other(words) => f.write_str(words),
            _ => unreachable!("invariant: listed above"),
        }
    }
}

fn word_of<T: Copy + PartialEq>(words: &[(T, &'static str)], one: T) -> &'static str {
    let found = words.iter().find(|(known, _)| *known == one);
    found.expect("invariant: all are listed").1
}
