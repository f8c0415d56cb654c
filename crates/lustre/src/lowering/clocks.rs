//! The clock of every expression and variable of a model whose clocks are checked.
//!
//! A clock is the base clock of the instance, or another clock restricted to the instants at
//! which a variable has a value. State advances only when its clock holds.

use rustc_hash::FxHashMap;

use crate::analysis::{Kind, Model, Resolution, VariableId};
use crate::ast::{Clock, Expr, ExprId, Name, Symbol, UnaryOperator};

obligato_model::typed_ids! {
    /// A clock; the first is the base clock.
    ClockId,
}

/// The value that a clock asks of its variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Wanted {
    /// A Boolean.
    Bool(bool),
    /// A position in the enumeration.
    Position(u32),
}

/// The clocks; both tables are empty for a model that has none.
#[derive(Debug, Default)]
pub(crate) struct Clocks {
    table: Vec<(ClockId, VariableId, Wanted)>,
    index: FxHashMap<(ClockId, VariableId, Wanted), ClockId>,
    variables: Vec<ClockId>,
    exprs: Vec<ClockId>,
}

/// What the stream on the base clock of an instance is on.
pub(crate) fn base() -> ClockId {
    ClockId::new(0)
}

/// The value that a branch of `merge` or a `when` asks for.
pub(super) fn wanted(model: &Model, variable: VariableId, value: Name) -> Wanted {
    match model.kinds.get(model.variable(variable).kind) {
        Kind::Enumeration(id) => {
            let values = &model.kinds.enumeration(*id).values;
            let found = values.iter().position(|known| known.symbol == value.symbol);
            Wanted::Position(found.unwrap_or(0) as u32)
        }
        _ => Wanted::Bool(model.text(value.symbol) == "true"),
    }
}

impl Clocks {
    pub fn new(model: &Model) -> Self {
        let program = &model.program;
        let clocked = |expr: &Expr| match expr {
            Expr::When(..) | Expr::Merge { .. } | Expr::Unary(UnaryOperator::Current, _) => true,
            Expr::Call(call) => {
                program.call(*call).activation.is_some_and(|found| found.defaults.is_none())
            }
            _ => false,
        };
        let mut clocks = Self::default();
        if !program.exprs().iter().any(clocked)
            && model.variables.iter().all(|variable| variable.clock.is_none())
        {
            return clocks;
        }
        clocks.table.push((base(), VariableId::new(0), Wanted::Bool(true)));
        clocks.variables = vec![base(); model.variables.len()];
        clocks.declared(model);
        for index in 0..program.exprs().len() {
            let clock = clocks.clock_at(model, ExprId::new(index));
            clocks.exprs.push(clock);
        }
        clocks
    }

    /// The clock of an expression. A constant counts as on the base clock.
    pub fn of(&self, id: ExprId) -> ClockId {
        self.exprs.get(id.index()).copied().unwrap_or(base())
    }

    /// The clock of a variable.
    pub fn of_variable(&self, id: VariableId) -> ClockId {
        self.variables.get(id.index()).copied().unwrap_or(base())
    }

    /// What a clock asks for, outermost last.
    pub fn chain(&self, clock: ClockId) -> Vec<(VariableId, Wanted)> {
        let mut found = Vec::new();
        let mut at = clock;
        while at != base() {
            let (parent, variable, wanted) = self.table[at.index()];
            found.push((variable, wanted));
            at = parent;
        }
        found
    }

    fn on(&mut self, parent: ClockId, variable: VariableId, wanted: Wanted) -> ClockId {
        let key = (parent, variable, wanted);
        let next = ClockId::new(self.table.len());
        let id = *self.index.entry(key).or_insert(next);
        if id == next {
            self.table.push(key);
        }
        id
    }

    fn declared(&mut self, model: &Model) {
        for node in &model.nodes {
            let all = || node.inputs.iter().chain(&node.outputs).chain(&node.locals);
            let names: FxHashMap<Symbol, VariableId> =
                all().map(|id| (model.variable(*id).name.symbol, *id)).collect();
            for id in all().filter(|id| model.variable(**id).clock.is_some()) {
                let mut chain = Vec::new();
                let mut at = *id;
                while let Some(clock) = model.variable(at).clock {
                    let Some((variable, wanted)) =
                        restriction(model, clock, |name| names.get(&name.symbol).copied())
                    else {
                        break;
                    };
                    chain.push((variable, wanted));
                    at = variable;
                }
                let clock = chain
                    .into_iter()
                    .rev()
                    .fold(base(), |clock, (variable, wanted)| self.on(clock, variable, wanted));
                self.variables[id.index()] = clock;
            }
        }
    }

    fn clock_at(&mut self, model: &Model, id: ExprId) -> ClockId {
        let program = &model.program;
        let variable = match model.resolution(id) {
            Resolution::Variable(variable) => Some(variable),
            _ => None,
        };
        match (program.expr(id), variable) {
            (Expr::When(_, clock), Some(variable)) => {
                let parent = self.variables[variable.index()];
                match restriction(model, clock, |_| Some(variable)) {
                    Some((variable, wanted)) => self.on(parent, variable, wanted),
                    None => parent,
                }
            }
            (_, Some(variable)) => self.variables[variable.index()],
            (Expr::Unary(UnaryOperator::Current, value), _) => {
                let clock = self.exprs[value.index()];
                if clock == base() { clock } else { self.table[clock.index()].0 }
            }
            (Expr::Call(call), _) => {
                let parent = self.unite(model, id);
                let activation = program.call(call).activation;
                match activation.filter(|activation| activation.defaults.is_none()) {
                    Some(activation) => {
                        let (name, value) = match program.expr(activation.clock) {
                            Expr::Unary(UnaryOperator::Not, operand) => (operand, false),
                            _ => (activation.clock, true),
                        };
                        match model.resolution(name) {
                            Resolution::Variable(variable) => {
                                self.on(parent, variable, Wanted::Bool(value))
                            }
                            _ => parent,
                        }
                    }
                    None => parent,
                }
            }
            _ => self.unite(model, id),
        }
    }

    /// Operands are on one clock, but constants count as on the base clock.
    fn unite(&self, model: &Model, id: ExprId) -> ClockId {
        let mut children = model.program.children(id).map(|child| self.exprs[child.index()]);
        children.find(|clock| *clock != base()).unwrap_or(base())
    }
}

fn restriction(
    model: &Model,
    clock: Clock,
    variable: impl Fn(Name) -> Option<VariableId>,
) -> Option<(VariableId, Wanted)> {
    match clock {
        Clock::Base => None,
        Clock::On(name) => Some((variable(name)?, Wanted::Bool(true))),
        Clock::Not(name) => Some((variable(name)?, Wanted::Bool(false))),
        Clock::Value { value, clock } => {
            let variable = variable(clock)?;
            Some((variable, wanted(model, variable, value)))
        }
    }
}
