//! What is not supported, and what is too much to list.

use std::fmt;

use super::words::{between, faithful, number};

/// Something that is not supported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsupported {
    /// A construct of the language, a function or a criterion, by its name.
    Construct(String),
    /// The recording did not watch for something.
    NotWatched(String),
    /// The recording does not have the operands of a comparison.
    OperandsNotRecorded,
    /// The compiled code has nothing that goes with it, and why.
    NotInCompiledCode(String),
    /// Clang's own coverage did not measure it, and why.
    NotMeasuredByClang(String),
    /// A decision with so many conditions has too many evaluations to pair them for unique cause.
    UniqueCausePairs(u64),
}

impl Unsupported {
    /// Reads what is not supported from its words.
    pub fn read(words: &str) -> Self {
        let rest = |start: &str| words.strip_prefix(start).map(str::to_owned);
        let readings = [
            rest(NOT_WATCHED).map(Self::NotWatched),
            Some(Self::OperandsNotRecorded),
            rest(NOT_IN_CODE).map(Self::NotInCompiledCode),
            rest(NOT_MEASURED).map(Self::NotMeasuredByClang),
            between(words, UNIQUE_CAUSE[0], UNIQUE_CAUSE[1])
                .and_then(number)
                .map(Self::UniqueCausePairs),
        ];
        faithful(words, readings).unwrap_or_else(|| Self::Construct(words.to_owned()))
    }
}

const NOT_WATCHED: &str = "the recording did not watch for ";
const NOT_IN_CODE: &str = "not found in the compiled code: ";
const NOT_MEASURED: &str = "not measured by clang: ";
const UNIQUE_CAUSE: [&str; 2] =
    ["unique cause in a decision of ", " conditions: its evaluations are too many to pair"];

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Construct(name) => f.write_str(name),
            Self::NotWatched(what) => write!(f, "{NOT_WATCHED}{what}"),
            Self::OperandsNotRecorded => {
                f.write_str("the recording does not have this comparison's operands")
            }
            Self::NotInCompiledCode(why) => write!(f, "{NOT_IN_CODE}{why}"),
            Self::NotMeasuredByClang(why) => write!(f, "{NOT_MEASURED}{why}"),
            Self::UniqueCausePairs(conditions) => {
                let [start, end] = UNIQUE_CAUSE;
                write!(f, "{start}{conditions}{end}")
            }
        }
    }
}

/// What is too much to list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TooMany {
    /// The evaluation vectors of a decision: how many it has, if that can be counted, and how many are listed at most.
    Vectors(Option<u128>, u64),
    /// Something that only a stored document names.
    Other(String),
}

const VECTORS: [&str; 2] = [" evaluation vectors, of which at most ", " are listed per decision"];
const UNCOUNTED: &str = "more than 10^38";

impl TooMany {
    /// Reads what is too much from its words.
    pub fn read(words: &str) -> Self {
        let vectors = || {
            let (count, rest) = words.split_once(VECTORS[0])?;
            let count = if count == UNCOUNTED { None } else { Some(count.parse().ok()?) };
            Some(Self::Vectors(count, number(rest.strip_suffix(VECTORS[1])?)?))
        };
        faithful(words, [vectors()]).unwrap_or_else(|| Self::Other(words.to_owned()))
    }
}

impl fmt::Display for TooMany {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [of, listed] = VECTORS;
        match self {
            Self::Vectors(Some(count), most) => write!(f, "{count}{of}{most}{listed}"),
            Self::Vectors(None, most) => write!(f, "{UNCOUNTED}{of}{most}{listed}"),
            Self::Other(words) => f.write_str(words),
        }
    }
}
