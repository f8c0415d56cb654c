//! What a unit says, as the program that criteria plan over.
//!
//! The syntax is in places of the preprocessed text; here everything gets its file and its place as the
//! user knows them, and its id. Only functions that the compiler has emitted are listed: a
//! `static inline` of a header that nobody calls is not part of the unit.

use obligato_clang as syntax;
use obligato_clang::{CType, FloatFormat, Leaf, Types};
use obligato_model::{
    ArmId, DecisionId, Exit, ExitId, Function, FunctionId, NewCondition, NewDecision, Program,
    Relation, Span, Statement, StatementId, Type,
};

use crate::mapping::{DecisionMap, EvaluationSite, FunctionMap};

/// Knows the user's file and the place in it for places of the preprocessed text.
pub trait Locate {
    /// The file, and the stretch of it.
    fn locate(&self, span: Span) -> (String, Span);
}

/// The ids of what a function says, in the order in which the syntax lists it.
#[derive(Clone, Debug, Default)]
pub struct FunctionIds {
    /// Of itself.
    pub function: Option<FunctionId>,
    /// Of its decisions.
    pub decisions: Vec<DecisionId>,
    /// Of its statements; none for those without code.
    pub statements: Vec<Option<StatementId>>,
    /// Of its exits; none for a closing brace that is never reached.
    pub exits: Vec<Option<ExitId>>,
    /// Of the first arm of each `switch`. The others follow in the order of the labels; a default
    /// that is not written is the last.
    pub first_arms: Vec<ArmId>,
}

/// Builds the program of a unit. `maps` has the map of each function that the compiler has emitted.
pub fn build_program(
    unit: &syntax::Syntax,
    maps: &[Option<FunctionMap>],
    files: &impl Locate,
) -> (Program, Vec<FunctionIds>) {
    let mut program = Program::new();
    let mut ids = Vec::with_capacity(unit.functions.len());
    for (function, map) in unit.functions.iter().zip(maps) {
        ids.push(match map {
            Some(map) => Builder { program: &mut program, types: &unit.types, files }
                .add_function(function, map),
            None => FunctionIds::default(),
        });
    }
    (program, ids)
}

struct Builder<'a, L> {
    program: &'a mut Program,
    types: &'a Types,
    files: &'a L,
}

impl<L: Locate> Builder<'_, L> {
    fn span(&self, span: Span) -> Span {
        self.files.locate(span).1
    }

    fn add_function(&mut self, function: &syntax::Function, map: &FunctionMap) -> FunctionIds {
        let (file, span) = self.files.locate(function.span);
        let file = self.program.add_file(&file);
        let name = function.name.clone();
        let id = self.program.add_function(Function { name, file, span, entered: true });
        let mut ids = FunctionIds { function: Some(id), ..FunctionIds::default() };
        self.add_statements(function, map, &mut ids, id);
        for (exit, operations) in function.exits.iter().zip(&map.exits) {
            let is_brace = exit.stretch.span.start == function.end;
            let added = (!is_brace || !operations.is_empty()).then(|| {
                let (span, text) = (self.span(exit.stretch.span), exit.stretch.text.clone());
                self.program.add_exit(Exit { function: id, span, text })
            });
            ids.exits.push(added);
        }
        for switch in &function.switches {
            ids.first_arms.push(self.add_switch(switch, id));
        }
        for (decision, map) in function.decisions.iter().zip(&map.decisions) {
            ids.decisions.push(self.add_decision(decision, map, id));
        }
        for (decision, id) in function.decisions.iter().zip(&ids.decisions) {
            if let Some((outer, condition)) = decision.nested_in {
                let condition = self.program.condition_at(ids.decisions[outer.0], condition);
                self.program.nest(*id, condition);
            }
        }
        ids
    }

    fn add_statements(
        &mut self,
        function: &syntax::Function,
        map: &FunctionMap,
        ids: &mut FunctionIds,
        id: FunctionId,
    ) {
        for (statement, operation) in function.statements.iter().zip(&map.statements) {
            let added = operation.map(|_| {
                let stretch = &statement.stretch;
                let (span, text) = (self.span(stretch.span), stretch.text.clone());
                self.program.add_statement(Statement { function: id, span, text })
            });
            ids.statements.push(added);
        }
    }

    fn add_switch(&mut self, switch: &syntax::Switch, function: FunctionId) -> ArmId {
        let first = ArmId::new(self.program.arms().len());
        let span = self.span(switch.stretch.span);
        let mut arms: Vec<(String, Span)> = Vec::with_capacity(switch.labels.len() + 1);
        for label in &switch.labels {
            arms.push((label.stretch.text.clone(), self.span(label.stretch.span)));
        }
        if switch.labels.iter().all(|label| label.values.is_some()) {
            arms.push(("default (implicit)".to_owned(), span));
        }
        self.program.add_switch(function, span, switch.stretch.text.clone(), arms);
        first
    }

    fn add_decision(
        &mut self,
        decision: &syntax::Decision,
        map: &DecisionMap,
        function: FunctionId,
    ) -> DecisionId {
        let conditions = decision.conditions.iter().zip(&map.conditions);
        let conditions = conditions.map(|(condition, site)| NewCondition {
            span: self.span(condition.stretch.span),
            text: condition.stretch.text.clone(),
            constant: match site {
                EvaluationSite::Folded(value) => Some(*value),
                _ => condition.constant,
            },
            relation: relation(self.types, &condition.leaf),
        });
        let conditions = conditions.collect();
        let new = NewDecision {
            function,
            span: self.span(decision.stretch.span),
            text: decision.stretch.text.clone(),
            role: decision.role,
            tree: decision.tree.clone(),
            conditions,
        };
        self.program
            .add_decision(new)
            .expect("invariant: the syntax lists the conditions of its tree")
    }
}

/// Comparisons of numbers have boundaries; those of pointers and Booleans have none.
fn relation(types: &Types, leaf: &Leaf) -> Option<Relation> {
    let Leaf::Relation { operator, kind, left, right } = leaf else { return None };
    let kind = number_type(types.get(*kind))?;
    Some(Relation { operator: *operator, kind, left: left.clone(), right: right.clone() })
}

/// The model's type for a C type of numbers.
fn number_type(kind: &CType) -> Option<Type> {
    match kind {
        CType::Integer { signedness, bits, .. } | CType::Enumeration { signedness, bits, .. } => {
            Some(Type::Machine(*signedness, *bits))
        }
        CType::Float(FloatFormat::Single) => Some(Type::Float32),
        CType::Float(FloatFormat::Double) => Some(Type::Float64),
        _ => None,
    }
}
