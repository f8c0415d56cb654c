//! Why engines gave up.

use std::fmt;

use super::NotFollowed;
use super::words::{Templates, between, faithful, find, number, words_for};

/// Why an engine found neither a test nor a proof, although budget was left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undecided {
    /// A solver gave up.
    Solver(SolverLimit),
    /// Nothing in the compiled code shows whether it happens.
    Unobservable,
    /// A concrete run left the path that was predicted for it.
    Divergence,
    /// The inputs that a solver found do not show it when they are run.
    NotReproduced,
    /// An engine has refuted it, or something else about its decision, and machine code does it: the engine is wrong.
    Contradicted,
    /// A limit of the executor ended a run.
    RunEnded(RunLimit),
    /// A run went through something that is not followed symbolically, so that its values were concretised.
    NotFollowed(NotFollowed),
    /// The formula of all paths is cut before something that may lead to it.
    CutOff(NotFollowed),
    /// The formula of all paths leaves something out, or a path ends in undefined behaviour, so that an effect that no path
    /// shows is not refuted.
    EffectCutOff,
    /// The compiler has folded a part of the decision.
    PartlyFolded,
    /// Every path was explored, and the condition's effect is on none of them.
    NoPathShowsEffect,
    /// No run shows the effect, and tag semantics have no proof for C.
    NoProofOfTags,
    /// A run was found in which a function without a body gives different results for equal arguments, at least so many steps apart.
    NoFunction(String, u64),
    /// A run was found in which this, the first value of a `pre` that no `->` guards, is another than the 0 or false that replays
    /// take.
    UndefinedFirst(String),
    /// A reason that only a stored document names.
    Other(String),
}

/// Why a solver gave up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SolverLimit {
    /// So many conflicts on one query.
    Conflicts(u64),
    /// The time was over.
    Time,
    /// It gave no reason.
    Unknown,
    /// It could not tell whether what the formula leaves out can be reached.
    UnknownCut,
    /// A query needs an operation that the bit-blaster leaves out: its size is too large.
    LeftOut(String),
    /// The values that it found do not satisfy the query.
    WrongModel,
    /// `unknown`, in the solver's own words.
    Words(String),
}

/// A limit of the executor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunLimit {
    /// Executed operations.
    Operations,
    /// Open calls.
    Calls,
    /// Bytes.
    Memory,
    /// Objects.
    Objects,
}

/// Reasons without parameters.
const PLAIN: Templates<Undecided> = &[
    ("nothing in the code shows it", &[], Undecided::Unobservable),
    (
        "divergence: a run left its predicted path",
        &["a run went another way than its path condition says"],
        Undecided::Divergence,
    ),
    ("the inputs that were found do not show it when they are run", &[], Undecided::NotReproduced),
    ("machine code does what was refuted of this decision", &[], Undecided::Contradicted),
    (
        "no difference was found, but some runs are cut off or end in a runtime error",
        &["no difference was found, but some runs are cut off or end in a fault"],
        Undecided::EffectCutOff,
    ),
    ("a condition of a decision that is partly folded", &[], Undecided::PartlyFolded),
    (
        "every path was explored, and none shows its effect",
        &["all paths were seen, and none shows its effect"],
        Undecided::NoPathShowsEffect,
    ),
    ("no run shows its effect, and no proof of tags is known for C", &[], Undecided::NoProofOfTags),
    ("the time is over", &[], Undecided::Solver(SolverLimit::Time)),
    ("the solver gave up", &[], Undecided::Solver(SolverLimit::Unknown)),
    ("the solver gave up on what was cut off", &[], Undecided::Solver(SolverLimit::UnknownCut)),
    (
        "internal error: the values that were found do not satisfy the question",
        &[],
        Undecided::Solver(SolverLimit::WrongModel),
    ),
    ("a run was cut short: limit of steps reached", &[], Undecided::RunEnded(RunLimit::Operations)),
    ("a run was cut short: limit of open calls reached", &[], Undecided::RunEnded(RunLimit::Calls)),
    ("a run was cut short: limit of memory reached", &[], Undecided::RunEnded(RunLimit::Memory)),
    ("a run was cut short: limit of objects reached", &[], Undecided::RunEnded(RunLimit::Objects)),
];

const NOT_FOLLOWED: &str = "not followed: ";
const LEFT_OUT: &str = "it needs what is not solved for: ";
const CONFLICTS: [&str; 2] = ["the limit of ", " conflicts was reached"];
const UNDEFINED_FIRST: [&str; 2] =
    ["only with an undefined first value of ", ", which is 0 or false in tests"];
const NO_FUNCTION: [&str; 3] = [
    "a run was found, but in it equal arguments of '",
    "' give different results ",
    " steps apart or more",
];

impl Undecided {
    /// Reads a reason from its words.
    pub fn read(words: &str) -> Self {
        if let Some(reason) = find(PLAIN, words) {
            return reason.clone();
        }
        let rest = |start: &str| words.strip_prefix(start).map(str::to_owned);
        let no_function = || {
            let (name, steps) =
                between(words, NO_FUNCTION[0], NO_FUNCTION[2])?.split_once(NO_FUNCTION[1])?;
            Some(Self::NoFunction(name.to_owned(), number(steps)?))
        };
        let inner = words.strip_prefix(NOT_FOLLOWED);
        if let Some(known) = inner.and_then(NotFollowed::read_plain) {
            return Self::NotFollowed(known);
        }
        if let Some(known) = NotFollowed::read_plain(words) {
            return Self::CutOff(known);
        }
        // A cut has no words of its own around its reason, so only known reasons tell it from other words.
        let cut_off = || match NotFollowed::read(words) {
            NotFollowed::Other(_) => None,
            known => Some(Self::CutOff(known)),
        };
        let conflicts = between(words, CONFLICTS[0], CONFLICTS[1]).and_then(number);
        let readings = [
            inner.map(|what| Self::NotFollowed(NotFollowed::read(what))),
            rest(LEFT_OUT).map(|what| Self::Solver(SolverLimit::LeftOut(what))),
            conflicts.map(|most| Self::Solver(SolverLimit::Conflicts(most))),
            no_function(),
            between(words, UNDEFINED_FIRST[0], UNDEFINED_FIRST[1])
                .map(|what| Self::UndefinedFirst(what.to_owned())),
            cut_off(),
        ];
        faithful(words, readings).unwrap_or_else(|| Self::Other(words.to_owned()))
    }

    fn plain_words(&self) -> &'static str {
        words_for(PLAIN, self).expect("invariant: all reasons without parameters are listed")
    }
}

impl From<SolverLimit> for Undecided {
    fn from(limit: SolverLimit) -> Self {
        Self::Solver(limit)
    }
}

impl fmt::Display for Undecided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFollowed(what) => write!(f, "{NOT_FOLLOWED}{what}"),
            Self::NoFunction(name, steps) => {
                let [start, middle, end] = NO_FUNCTION;
                write!(f, "{start}{name}{middle}{steps}{end}")
            }
            Self::UndefinedFirst(what) => {
                let [start, end] = UNDEFINED_FIRST;
                write!(f, "{start}{what}{end}")
            }
            Self::CutOff(what) => write!(f, "{what}"),
            Self::Other(words) | Self::Solver(SolverLimit::Words(words)) => f.write_str(words),
            Self::Solver(SolverLimit::LeftOut(what)) => write!(f, "{LEFT_OUT}{what}"),
            Self::Solver(SolverLimit::Conflicts(most)) => {
                let [start, end] = CONFLICTS;
                write!(f, "{start}{most}{end}")
            }
            Self::Solver(_)
            | Self::Unobservable
            | Self::Divergence
            | Self::NotReproduced
            | Self::Contradicted
            | Self::RunEnded(_)
            | Self::EffectCutOff
            | Self::PartlyFolded
            | Self::NoPathShowsEffect
            | Self::NoProofOfTags => f.write_str(self.plain_words()),
        }
    }
}

impl fmt::Display for SolverLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Undecided::Solver(self.clone()))
    }
}
