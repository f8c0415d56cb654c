//! What a replay saw: the events of each test of a suite, in order.
//!
//! A replay says only what happened. What it amounts to is for the criteria to
//! judge.

use crate::{
    ArmId, ConditionId, ExitId, FunctionId, MutantId, Observability, StatementId, Strength, Value,
};

/// Something that happened while a test ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordedEvent {
    /// A function was entered.
    Entered(FunctionId),
    /// The innermost function was left through this return.
    Left(ExitId),
    /// A statement was executed.
    Executed(StatementId),
    /// A `switch` went to this arm.
    Switched(ArmId),
    /// A condition was evaluated.
    Evaluated(ConditionEvaluation),
    /// The effect of an evaluation of a condition reached an observed output.
    Observed(ConditionEvaluation, Observability),
    /// A mutant was told from the original.
    Killed(MutantId, Strength),
}

/// One evaluation of one condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionEvaluation {
    /// The condition.
    pub condition: ConditionId,
    /// What it was.
    pub value: bool,
    /// Its two operands, when it compares numbers.
    pub operands: Option<Box<(Value, Value)>>,
}

/// The events of one test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedTest {
    /// The name of the test.
    pub name: String,
    /// What happened, in order.
    pub events: Vec<RecordedEvent>,
}

/// The events of a suite.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recording {
    /// What was watched for besides plain execution.
    pub watched: Watched,
    /// Per test, in the order in which they ran.
    pub tests: Vec<RecordedTest>,
}

/// What a replay watched for. An event that is missing says that something did not
/// happen only if somebody looked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Watched {
    /// The semantics under which effects were followed to the outputs.
    pub effects: Vec<Observability>,
    /// The ways in which mutants were told from the original.
    pub kills: Vec<Strength>,
}
