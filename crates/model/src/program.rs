//! The program under test, as far as coverage cares: what can be executed,
//! decided, compared and mutated, with where it stands in the source.
//!
//! A front end builds one with the `add_*` methods, which hand out the ids; from
//! then on it is read only.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::{
    ConditionId, DecisionId, ExitId, FileId, FunctionId, Integer, MutantId, Rational, Span,
    StatementId, SuiteInterface,
};

mod decision;

pub use decision::{
    Condition, Decision, NewCondition, NewDecision, Relation, RelationOperator, Role,
};

/// A C function, or a node instance of a Lustre model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name; for a node instance, the path of calls to it.
    pub name: String,
    /// Where it is defined.
    pub file: FileId,
    /// The whole definition.
    pub span: Span,
    /// Does it have an entry to be taken? A node instance of a model has none.
    pub entered: bool,
}

/// A place where a function returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exit {
    /// The function left.
    pub function: FunctionId,
    /// The `return`, or the closing brace.
    pub span: Span,
    /// Its source text.
    pub text: String,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The function it is in.
    pub function: FunctionId,
    /// Where it stands.
    pub span: Span,
    /// Its source text, perhaps cut to its first line.
    pub text: String,
}

/// A `switch` with its arms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    /// The function it is in.
    pub function: FunctionId,
    /// Where it stands.
    pub span: Span,
    /// What it switches on.
    pub text: String,
    /// Its arms in source order; an implicit default is listed too.
    pub arms: Range<usize>,
}

/// An arm of a `switch`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arm {
    /// The position of its `switch` in [`Program::switches`].
    pub switch: usize,
    /// `case 3`, `default`, `default (implicit)`.
    pub label: String,
    /// Where it stands; for an implicit default, the `switch`.
    pub span: Span,
}

/// A changed program that a test should tell from the original.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// The function it changes.
    pub function: FunctionId,
    /// What it changes.
    pub span: Span,
    /// The mutation operator's name.
    pub operator: String,
    /// The text as it was.
    pub original: String,
    /// The text put in its place.
    pub replacement: String,
}

/// The program under test. See the [module](self).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// What tests set and see.
    pub interface: SuiteInterface,
    /// The step that counts as neighbouring for `real` boundaries.
    pub real_step: Rational,
    files: Vec<String>,
    file_ids: FxHashMap<String, FileId>,
    functions: Vec<Function>,
    exits: Vec<Exit>,
    statements: Vec<Statement>,
    switches: Vec<Switch>,
    arms: Vec<Arm>,
    decisions: Vec<Decision>,
    conditions: Vec<Condition>,
    mutants: Vec<Mutant>,
}

/// A program whose parts do not fit together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProgramError {
    /// The tree and the list of conditions disagree.
    #[error("the tree of this decision has {tree} conditions, but {listed} are listed")]
    ConditionCount {
        /// Conditions of the tree.
        tree: usize,
        /// Conditions listed.
        listed: usize,
    },
}

impl Default for Program {
    fn default() -> Self {
        Self {
            interface: SuiteInterface::default(),
            real_step: Rational::from(1) / Rational::from(Integer::from(1000)),
            files: Vec::new(),
            file_ids: FxHashMap::default(),
            functions: Vec::new(),
            exits: Vec::new(),
            statements: Vec::new(),
            switches: Vec::new(),
            arms: Vec::new(),
            decisions: Vec::new(),
            conditions: Vec::new(),
            mutants: Vec::new(),
        }
    }
}

impl Program {
    /// A program with nothing in it.
    pub fn new() -> Self {
        Self::default()
    }

    /// The id of the file at `path`, added if it is new.
    pub fn add_file(&mut self, path: &str) -> FileId {
        if let Some(known) = self.file_ids.get(path) {
            return *known;
        }
        let id = FileId::new(push(&mut self.files, path.to_owned()));
        self.file_ids.insert(path.to_owned(), id);
        id
    }

    /// Adds a function.
    pub fn add_function(&mut self, function: Function) -> FunctionId {
        FunctionId::new(push(&mut self.functions, function))
    }

    /// Adds a place where a function returns.
    pub fn add_exit(&mut self, exit: Exit) -> ExitId {
        ExitId::new(push(&mut self.exits, exit))
    }

    /// Adds a statement.
    pub fn add_statement(&mut self, statement: Statement) -> StatementId {
        StatementId::new(push(&mut self.statements, statement))
    }

    /// Adds a `switch` with its arms, given by label and place.
    pub fn add_switch(
        &mut self,
        function: FunctionId,
        span: Span,
        text: String,
        arms: impl IntoIterator<Item = (String, Span)>,
    ) {
        let switch = self.switches.len();
        let first = self.arms.len();
        self.arms.extend(arms.into_iter().map(|(label, span)| Arm { switch, label, span }));
        self.switches.push(Switch { function, span, text, arms: first..self.arms.len() });
    }

    /// Adds a decision with its conditions.
    pub fn add_decision(&mut self, new: NewDecision) -> Result<DecisionId, ProgramError> {
        let NewDecision { function, span, text, role, tree, conditions } = new;
        if tree.conditions() != conditions.len() {
            let (tree, listed) = (tree.conditions(), conditions.len());
            return Err(ProgramError::ConditionCount { tree, listed });
        }
        let first_condition = ConditionId::new(self.conditions.len());
        let decision = DecisionId::new(self.decisions.len());
        self.decisions.push(Decision {
            function,
            span,
            text,
            role,
            tree,
            first_condition,
            nested_in: None,
        });
        self.conditions.extend(conditions.into_iter().enumerate().map(|(ordinal, new)| {
            let NewCondition { span, text, constant, relation } = new;
            Condition { decision, ordinal, span, text, constant, relation }
        }));
        Ok(decision)
    }

    /// Notes that `decision` stands inside `condition` of another decision.
    pub fn nest(&mut self, decision: DecisionId, condition: ConditionId) {
        self.decisions[decision.index()].nested_in = Some(condition);
    }

    /// Adds a mutant.
    pub fn add_mutant(&mut self, mutant: Mutant) -> MutantId {
        MutantId::new(push(&mut self.mutants, mutant))
    }

    /// The paths of all files.
    pub fn files(&self) -> &[String] {
        &self.files
    }

    /// The path of a file.
    pub fn file(&self, id: FileId) -> &str {
        &self.files[id.index()]
    }

    /// A function.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.index()]
    }

    /// A decision.
    pub fn decision(&self, id: DecisionId) -> &Decision {
        &self.decisions[id.index()]
    }

    /// A condition.
    pub fn condition(&self, id: ConditionId) -> &Condition {
        &self.conditions[id.index()]
    }

    /// The conditions of a decision, from left to right.
    pub fn conditions_of(&self, id: DecisionId) -> &[Condition] {
        let decision = self.decision(id);
        let first = decision.first_condition.index();
        &self.conditions[first..first + decision.tree.conditions()]
    }

    /// The values of the conditions of a decision that can only have one.
    pub fn constants_of(&self, id: DecisionId) -> Vec<Option<bool>> {
        self.conditions_of(id).iter().map(|condition| condition.constant).collect()
    }

    /// The condition at `ordinal` of a decision.
    pub fn condition_at(&self, decision: DecisionId, ordinal: usize) -> ConditionId {
        ConditionId::new(self.decision(decision).first_condition.index() + ordinal)
    }

    /// All functions.
    pub fn functions(&self) -> &[Function] {
        &self.functions
    }

    /// All returns.
    pub fn exits(&self) -> &[Exit] {
        &self.exits
    }

    /// All statements.
    pub fn statements(&self) -> &[Statement] {
        &self.statements
    }

    /// All `switch`es.
    pub fn switches(&self) -> &[Switch] {
        &self.switches
    }

    /// All arms of all `switch`es.
    pub fn arms(&self) -> &[Arm] {
        &self.arms
    }

    /// All decisions.
    pub fn decisions(&self) -> &[Decision] {
        &self.decisions
    }

    /// All conditions, those of a decision next to each other.
    pub fn conditions(&self) -> &[Condition] {
        &self.conditions
    }

    /// All mutants.
    pub fn mutants(&self) -> &[Mutant] {
        &self.mutants
    }
}

fn push<T>(all: &mut Vec<T>, one: T) -> usize {
    all.push(one);
    all.len() - 1
}
