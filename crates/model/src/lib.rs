//! The vocabulary of coverage, as plain data.
//!
//! Everything else in the workspace speaks in these types: a front end makes a
//! [`Program`] of [`Decision`]s and [`Condition`]s, a criterion plans
//! [`Obligation`]s over it, a replay of a [`Suite`] yields a [`Recording`] of
//! [`RecordedEvent`]s, and judging it gives every obligation one [`Verdict`].
//!
//! Nothing here does I/O, knows a solver or a compiler, or reads a flag.
//! Start reading at [`tree`], then [`program`], then [`obligation`].

pub mod bit_set;
pub mod criterion;
pub mod element;
pub mod evaluation;
pub mod fingerprint;
pub mod goal;
pub mod id;
pub mod obligation;
pub mod program;
pub mod random;
pub mod recording;
pub mod shard;
pub mod span;
pub mod suite;
pub mod tree;
pub mod value;
pub mod verdict;

pub use bit_set::BitSet;
pub use criterion::{Criterion, Independence, Observability, Strength};
pub use element::{Element, ElementKind};
pub use evaluation::Evaluation;
pub use fingerprint::Fingerprint;
pub use goal::{Boundary, Goal, Offset, OperandOrder};
pub use id::{
    ArmId, ConditionId, DecisionId, ExitId, FileId, FunctionId, MutantId, ObligationId,
    StatementId, TestId,
};
pub use obligation::{Key, Obligation, Plan};
pub use program::{
    Arm, Condition, Decision, Exit, Function, Mutant, NewCondition, NewDecision, Program, Relation,
    RelationOperator, Role, Statement, Switch,
};
pub use random::Random;
pub use recording::{ConditionEvaluation, RecordedEvent, RecordedTest, Recording, Watched};
pub use shard::Shard;
pub use span::{Position, Span};
pub use suite::{Step, Suite, SuiteInterface, TestCase, Variable};
pub use tree::{BoolTree, Circuit, Node, NodeId, Operator, TreeBuilder};
pub use value::{Integer, OpenEnumeration, Rational, Signedness, Type, Value};
pub use verdict::{
    Assessment, Assumption, Bound, BoundedGroup, Justification, Limit, Method, NotFollowed, Pair,
    Proof, Remedy, RunLimit, Shortfall, SolverLimit, Spent, Tally, TooMany, Undecided, Unsupported,
    Verdict, is_stronger, strongest,
};
