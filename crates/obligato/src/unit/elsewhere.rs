//! Suites that ran elsewhere: what clang measured of them, as evidence on a C unit.
//!
//! Everything that clang names by its position is looked up in the program. A test vector of a decision becomes an evaluation of it, and all of them
//! together are one test: clang does not tell tests apart. What clang did not measure is kept with the reason, so that its obligations are
//! not taken for uncovered ones.

use std::collections::HashMap;

use obligato_campaign::{Conclusion, Conclusions};
use obligato_criteria::{Collector, Evidence, Vectors, collect};
use obligato_model::{
    ArmId, ConditionEvaluation, DecisionId, Element, FunctionId, Limit, Plan, Position, Program,
    RecordedEvent, RecordedTest, Recording, StatementId, Unsupported, Watched,
};
use obligato_store::llvm_cov::{ClangBranch, ClangDecision, ClangFile};

use super::source_text::SourceText;
use crate::error::Error;

/// The name of the one test that everything is.
const TEST: &str = "clang";

/// What clang measured of a program.
#[derive(Debug)]
pub struct MeasuredElsewhere {
    /// What the suite has shown.
    pub evidence: Evidence,
    /// What clang says nothing of.
    pub unmeasured: Unmeasured,
}

/// What clang says nothing of, and why.
#[derive(Debug)]
pub struct Unmeasured(HashMap<Element, &'static str>);

const NO_FILE: &str = "it says nothing of this file";
const NO_COUNT: &str = "it does not count this";
const NO_STATEMENTS: &str =
    "its text counts lines, not statements; the JSON of 'llvm-cov export' has them";
const NO_VECTORS: &str =
    "this export has no test vectors; the text of 'llvm-cov show --show-mcdc' has them";
const NO_RECORD: &str =
    "it has no such decision, as of constants, macros, and operators other than && and ||";
const OTHER_DECISION: &str = "what it says contradicts the source, as if of another version of it";
const NO_RETURNS: &str = "it does not tell returns apart";
const NO_OPERANDS: &str = "it does not keep the operands of comparisons";

impl MeasuredElsewhere {
    /// Looks up in the program what clang measured of its files. A single file without a name is `main_file`.
    pub fn new(
        program: &Program,
        files: &[ClangFile],
        main_file: &str,
        vectors: Vectors,
    ) -> Result<Self, Error> {
        let mut finder = Finder {
            program,
            collector: Collector::new(program, &Watched::default(), vectors),
            vectors,
            events: Vec::new(),
            unmeasured: HashMap::new(),
        };
        for (index, name) in program.files().iter().enumerate() {
            let is_it = |file: &&ClangFile| match &file.name {
                Some(other) => is_same_file(other, name),
                None => name == main_file,
            };
            let measured = files.iter().find(is_it);
            finder.look_up(index, name, measured);
        }
        let test = RecordedTest { name: TEST.to_owned(), events: finder.events };
        let recording = Recording { watched: Watched::default(), tests: vec![test] };
        let evidence = collect(program, &recording, vectors)
            .map_err(|contradiction| Error::Internal(contradiction.to_string()))?;
        Ok(Self { evidence, unmeasured: Unmeasured(finder.unmeasured) })
    }
}

impl Unmeasured {
    /// What follows for obligations that are open only because clang did not measure them.
    pub fn conclusions(&self, program: &Program, plan: &Plan) -> Conclusions {
        Conclusions::on(plan, |obligation| {
            let element = obligation.goal.element();
            let reason = match element {
                _ if obligation.criterion.needs_operands() => Some(&NO_OPERANDS),
                Element::Exit(_) => Some(&NO_RETURNS),
                Element::Mutant(_) => None,
                Element::Decision(_) | Element::Condition(_) => {
                    let decision = element.decision(program)?;
                    self.0.get(&Element::Decision(decision))
                }
                Element::Function(_) | Element::Statement(_) | Element::Arm(_) => {
                    self.0.get(&element)
                }
            };
            let unsupported = Unsupported::NotMeasuredByClang(reason?.to_string());
            Some(Conclusion::Open(Limit::Unsupported(unsupported)))
        })
    }
}

/// Looks things up.
struct Finder<'p> {
    program: &'p Program,
    /// Tries whether evaluations are possible.
    collector: Collector<'p>,
    vectors: Vectors,
    events: Vec<RecordedEvent>,
    unmeasured: HashMap<Element, &'static str>,
}

impl Finder<'_> {
    fn look_up(&mut self, file: usize, name: &str, measured: Option<&ClangFile>) {
        let program = self.program;
        let functions = program.functions().iter();
        let here: Vec<bool> = functions.map(|one| one.file.index() == file).collect();
        let inside = |function: FunctionId| here[function.index()];
        let numbered = program.decisions().iter().enumerate();
        let decisions = numbered.filter(|(_, one)| inside(one.function));
        let decisions: Vec<DecisionId> = decisions.map(|(at, _)| DecisionId::new(at)).collect();
        let nothing = ClangFile::default();
        let without = if measured.is_some() { NO_STATEMENTS } else { NO_FILE };
        let places = Places::new(measured.unwrap_or(&nothing), SourceText::read(name));
        self.look_up_code(&here, measured.unwrap_or(&nothing), without);
        self.look_up_arms(&here, &places);
        for decision in decisions {
            match measured {
                Some(_) => self.look_up_decision(decision, &places),
                None => {
                    self.unmeasured.insert(Element::Decision(decision), NO_FILE);
                }
            }
        }
    }

    /// Functions and statements.
    fn look_up_code(&mut self, here: &[bool], measured: &ClangFile, without: &'static str) {
        let program = self.program;
        let mut entered = vec![false; program.functions().len()];
        for (index, statement) in program.statements().iter().enumerate() {
            if !here[statement.function.index()] {
                continue;
            }
            let id = StatementId::new(index);
            match executed_at(measured, statement.span.start) {
                Ok(true) => {
                    entered[statement.function.index()] = true;
                    self.events.push(RecordedEvent::Executed(id));
                }
                Ok(false) => {}
                Err(Uncounted::Here) => {
                    self.unmeasured.insert(Element::Statement(id), NO_COUNT);
                }
                Err(Uncounted::Anywhere) => {
                    self.unmeasured.insert(Element::Statement(id), without);
                }
            }
        }
        for (index, entered) in entered.into_iter().enumerate().filter(|(index, _)| here[*index]) {
            let id = FunctionId::new(index);
            if entered {
                self.events.push(RecordedEvent::Entered(id));
            } else if measured.segments.is_none() {
                self.unmeasured.insert(Element::Function(id), without);
            }
        }
    }

    /// The labels of each `switch`; a default that is not written counts at the operand.
    fn look_up_arms(&mut self, here: &[bool], places: &Places<'_>) {
        let program = self.program;
        for (index, arm) in program.arms().iter().enumerate() {
            if !here[program.switches()[arm.switch].function.index()] {
                continue;
            }
            let id = ArmId::new(index);
            match places.branch_of(arm.span.start) {
                Some((branch, false)) if branch.taken => {
                    self.events.push(RecordedEvent::Switched(id));
                }
                Some((_, false)) => {}
                _ => drop(self.unmeasured.insert(Element::Arm(id), NO_COUNT)),
            }
        }
    }

    fn look_up_decision(&mut self, id: DecisionId, places: &Places<'_>) {
        let found = self.evaluations_of(id, places).and_then(|events| {
            if self.are_possible(&events) { Ok(events) } else { Err(OTHER_DECISION) }
        });
        match found {
            Ok(events) => self.events.extend(events),
            Err(reason) => drop(self.unmeasured.insert(Element::Decision(id), reason)),
        }
    }

    /// The evaluations of a decision, one after the other.
    fn evaluations_of(
        &self,
        id: DecisionId,
        places: &Places<'_>,
    ) -> Result<Vec<RecordedEvent>, &'static str> {
        let program = self.program;
        let count = program.decision(id).tree.conditions();
        let conditions: Vec<_> = (0..count).map(|at| program.condition_at(id, at)).collect();
        let event = |at: usize, value: bool| {
            let condition = conditions[at];
            RecordedEvent::Evaluated(ConditionEvaluation { condition, value, operands: None })
        };
        let mut starts = conditions.iter().map(|one| program.condition(*one).span.start);
        if count == 1 {
            let start = starts.next().ok_or(NO_RECORD)?;
            let (branch, negated) = places.branch_of(start).ok_or(NO_RECORD)?;
            let values = [(branch.taken, !negated), (branch.passed, negated)];
            let seen = values.into_iter().filter(|(seen, _)| *seen);
            return Ok(seen.map(|(_, value)| event(0, value)).collect());
        }
        let found: Option<Vec<_>> = starts.map(|start| places.condition_of(start)).collect();
        let found = found.ok_or(NO_RECORD)?;
        let decision = found.first().ok_or(NO_RECORD)?.decision;
        let mut ordinals: Vec<usize> = found.iter().map(|one| one.ordinal).collect();
        ordinals.sort_unstable();
        let is_whole = found.iter().all(|one| one.decision == decision)
            && ordinals.iter().copied().eq(0..decision.conditions.len());
        if !is_whole {
            return Err(NO_RECORD);
        }
        let mut events = Vec::new();
        for vector in decision.vectors.as_ref().ok_or(NO_VECTORS)? {
            for (at, one) in found.iter().enumerate() {
                let value = vector[one.ordinal].map(|value| value != one.negated);
                events.extend(value.map(|value| event(at, value)));
            }
        }
        Ok(events)
    }

    /// Can a run of the program be like this?
    fn are_possible(&mut self, events: &[RecordedEvent]) -> bool {
        self.collector.begin(TEST);
        let taken = events.iter().try_for_each(|event| self.collector.take(event));
        let possible = taken.is_ok() && self.collector.finish().is_ok();
        if !possible {
            self.collector = Collector::new(self.program, &Watched::default(), self.vectors);
        }
        possible
    }
}

/// A condition as clang knows it.
#[derive(Clone, Copy)]
struct Found<'a> {
    decision: &'a ClangDecision,
    ordinal: usize,
    /// It is the negation of the program's condition.
    negated: bool,
}

/// Where things are in a file that clang measured.
struct Places<'a> {
    /// Where two start at the same place, it cannot be told which is meant.
    branches: HashMap<Position, Option<&'a ClangBranch>>,
    conditions: HashMap<Position, (&'a ClangDecision, usize)>,
    text: SourceText,
}

impl<'a> Places<'a> {
    fn new(file: &'a ClangFile, text: SourceText) -> Self {
        let mut branches = HashMap::new();
        for branch in file.branches.iter().filter(|branch| !branch.folded) {
            let only = branches.entry(branch.at).or_insert(Some(branch));
            *only = only.filter(|other| *other == branch);
        }
        let mut conditions = HashMap::new();
        for decision in &file.decisions {
            for (ordinal, at) in decision.conditions.iter().enumerate() {
                conditions.insert(*at, (decision, ordinal));
            }
        }
        Self { branches, conditions, text }
    }

    /// The branch of a decision with a single condition, or of a label, and whether that is its negation.
    fn branch_of(&self, start: Position) -> Option<(&'a ClangBranch, bool)> {
        let mut around = self.text.around(start);
        let found = around.find_map(|(at, negated)| Some((*self.branches.get(&at)?, negated)));
        found.and_then(|(branch, negated)| Some((branch?, negated)))
    }

    /// The condition of a decision with several that starts here, perhaps with negations and parentheses around it.
    fn condition_of(&self, start: Position) -> Option<Found<'a>> {
        let mut around = self.text.around(start);
        around.find_map(|(at, negated)| {
            let (decision, ordinal) = *self.conditions.get(&at)?;
            Some(Found { decision, ordinal, negated })
        })
    }
}

/// Why it is not known whether something was executed.
enum Uncounted {
    Here,
    Anywhere,
}

fn executed_at(file: &ClangFile, at: Position) -> Result<bool, Uncounted> {
    let segments = file.segments.as_ref().ok_or(Uncounted::Anywhere)?;
    let after = segments.partition_point(|segment| segment.at <= at);
    let segment = after.checked_sub(1).map(|index| segments[index]).ok_or(Uncounted::Here)?;
    segment.executed.ok_or(Uncounted::Here)
}

/// Clang writes whole paths, users do not.
fn is_same_file(path: &str, name: &str) -> bool {
    let absolute = std::fs::canonicalize(name);
    let name = name.trim_start_matches("./");
    path == name
        || absolute.is_ok_and(|absolute| absolute.as_os_str() == path)
        || path.strip_suffix(name).is_some_and(|before| before.ends_with('/'))
}
