//! Pass 8: streams that meet are present at the same instants.
//!
//! A clock is the base clock, or another clock restricted to the instants at which a variable
//! has a value. `when` slows down, `merge` and `current` speed up, everything else wants its
//! operands on one clock; constants are on any. A model without clocks is not looked at.

use rustc_hash::FxHashMap;

use super::kind::Kind;
use super::model::{Model, Node, Resolution, VariableId, VariableRole};
use super::report::Report;
use crate::ast::{Clock, Expr, ExprId, Name, Symbol, UnaryOperator, Variability};
use crate::diagnostic::Diagnostic;

/// Reports streams on the wrong clock.
pub fn check_clocks(model: &Model, report: &mut Report) {
    let program = &model.program;
    let clocked_expr = |expr: &Expr| match expr {
        Expr::When(..) | Expr::Merge { .. } | Expr::Unary(UnaryOperator::Current, _) => true,
        Expr::Call(call) => {
            program.call(*call).activation.is_some_and(|activation| activation.defaults.is_none())
        }
        _ => false,
    };
    let clocked_variable = model.variables.iter().any(|variable| variable.clock.is_some());
    if !clocked_variable && !program.exprs().iter().any(clocked_expr) {
        return;
    }
    let mut clocks = Clocks {
        model,
        report,
        table: vec![(BASE, VariableId::new(0), 0)],
        index: FxHashMap::default(),
        variables: vec![Some(BASE); model.variables.len()],
        exprs: vec![None; program.exprs().len()],
    };
    clocks.declared();
    for index in 0..program.exprs().len() {
        let id = ExprId::new(index);
        clocks.exprs[index] = clocks.clock_at(id);
    }
    clocks.bodies();
}

/// A position in the table of clocks.
type ClockId = usize;
const BASE: ClockId = 0;

struct Clocks<'a> {
    model: &'a Model,
    report: &'a mut Report,
    /// The clock that is restricted, the variable and its value: a position in its enumeration,
    /// 1 for true and 0 for false.
    table: Vec<(ClockId, VariableId, u32)>,
    index: FxHashMap<(ClockId, VariableId, u32), ClockId>,
    /// `None` is any clock.
    variables: Vec<Option<ClockId>>,
    exprs: Vec<Option<ClockId>>,
}

impl Clocks<'_> {
    fn on(&mut self, parent: ClockId, variable: VariableId, value: u32) -> ClockId {
        let key = (parent, variable, value);
        let next = self.table.len();
        let id = *self.index.entry(key).or_insert(next);
        if id == next {
            self.table.push(key);
        }
        id
    }

    fn describe(&self, clock: ClockId) -> String {
        if clock == BASE {
            return "the base clock".to_owned();
        }
        let (_, variable, value) = self.table[clock];
        let name = self.model.variable_name(variable);
        match self.model.kinds.get(self.model.variable(variable).kind) {
            Kind::Enumeration(id) => {
                let value = self.model.kinds.enumeration(*id).values[value as usize];
                format!("'when {}({name})'", self.model.text(value.symbol))
            }
            _ if value == 1 => format!("'when {name}'"),
            _ => format!("'when not {name}'"),
        }
    }

    fn error(&mut self, id: ExprId, expected: ClockId, found: ClockId) {
        let (expected, found) = (self.describe(expected), self.describe(found));
        let text = format!("expected a stream on {expected}, found one on {found}");
        let span = self.model.program.expr_span(id);
        self.report.add(Diagnostic::error(span, text));
    }

    /// The value that a clock asks of its variable, as in the table.
    fn wanted(&self, clock: Clock, variable: VariableId) -> u32 {
        match clock {
            Clock::Base | Clock::On(_) => 1,
            Clock::Not(_) => 0,
            Clock::Value { value, .. } => self.position(value, variable),
        }
    }

    fn position(&self, value: Name, variable: VariableId) -> u32 {
        match self.model.kinds.get(self.model.variable(variable).kind) {
            Kind::Enumeration(id) => {
                let values = &self.model.kinds.enumeration(*id).values;
                let found = values.iter().position(|known| known.symbol == value.symbol);
                found.unwrap_or(0) as u32
            }
            _ => u32::from(self.model.text(value.symbol) == "true"),
        }
    }

    // Variables.

    fn declared(&mut self) {
        for (index, variable) in self.model.variables.iter().enumerate() {
            // What never changes is on any clock.
            if matches!(
                variable.role,
                VariableRole::Index
                    | VariableRole::Quantified
                    | VariableRole::Input(Variability::Constant)
            ) {
                self.variables[index] = None;
            }
        }
        for node in &self.model.nodes {
            let all = || node.inputs.iter().chain(&node.outputs).chain(&node.locals);
            if all().all(|id| self.model.variable(*id).clock.is_none()) {
                continue;
            }
            let names: FxHashMap<Symbol, VariableId> =
                all().map(|id| (self.model.variable(*id).name.symbol, *id)).collect();
            for id in all() {
                self.variable(*id, &names);
            }
        }
    }

    /// The clock of a declared variable, from the base clock down.
    fn variable(&mut self, id: VariableId, names: &FxHashMap<Symbol, VariableId>) {
        let mut chain = Vec::new();
        let mut at = id;
        while let Some(clock) = self.model.variable(at).clock {
            let (Clock::On(name) | Clock::Not(name) | Clock::Value { clock: name, .. }) = clock
            else {
                break;
            };
            let Some(&next) = names.get(&name.symbol) else { return };
            if chain.len() > names.len() {
                let declared = self.model.variable(id).name;
                let text = format!(
                    "the clock of '{}' depends on itself",
                    self.model.text(declared.symbol)
                );
                self.report.add(Diagnostic::error(declared.span, text));
                return;
            }
            chain.push((next, self.wanted(clock, next)));
            at = next;
        }
        let clock = chain
            .into_iter()
            .rev()
            .fold(BASE, |clock, (variable, value)| self.on(clock, variable, value));
        self.variables[id.index()] = Some(clock);
    }

    // Expressions.

    /// The one clock of several expressions.
    fn unite(&mut self, ids: impl IntoIterator<Item = ExprId>) -> Option<ClockId> {
        let mut known = None;
        for id in ids {
            match (known, self.exprs[id.index()]) {
                (None, found) => known = found,
                (Some(expected), Some(found)) if expected != found => {
                    self.error(id, expected, found);
                    return None;
                }
                _ => {}
            }
        }
        known
    }

    fn clock_at(&mut self, id: ExprId) -> Option<ClockId> {
        let program = &self.model.program;
        let variable = match self.model.resolution(id) {
            Resolution::Variable(variable) => Some(variable),
            _ => None,
        };
        match (program.expr(id), variable) {
            (Expr::When(value, clock), _) => {
                let Some(variable) = variable else { return Some(BASE) };
                let parent = self.variables[variable.index()].unwrap_or(BASE);
                self.expect(value, parent);
                let wanted = self.wanted(clock, variable);
                Some(self.on(parent, variable, wanted))
            }
            (Expr::Merge { branches, .. }, Some(variable)) => {
                let parent = self.variables[variable.index()].unwrap_or(BASE);
                for branch in &program.named[branches] {
                    let wanted = self.position(branch.name, variable);
                    let clock = self.on(parent, variable, wanted);
                    self.expect(branch.value, clock);
                }
                Some(parent)
            }
            (_, Some(variable)) => self.variables[variable.index()],
            (Expr::Unary(UnaryOperator::Current, value), _) => {
                self.exprs[value.index()].map(|clock| self.table[clock].0)
            }
            (Expr::Call(_), _) => self.call(id),
            _ => self.unite(program.children(id)),
        }
    }

    fn expect(&mut self, id: ExprId, expected: ClockId) {
        if let Some(found) = self.exprs[id.index()].filter(|found| *found != expected) {
            self.error(id, expected, found);
        }
    }

    fn call(&mut self, id: ExprId) -> Option<ClockId> {
        let program = &self.model.program;
        let (Expr::Call(call), Resolution::Node(callee)) =
            (program.expr(id), self.model.resolution(id))
        else {
            return None;
        };
        let call = program.call(call);
        let callee = self.model.node(callee);
        let clocked = |id: &&VariableId| self.model.variable(**id).clock.is_some();
        if let Some(found) = callee.inputs.iter().chain(&callee.outputs).find(clocked) {
            let place = self.model.variable(*found).name.span;
            let text = "a call of a node with clocks on its inputs or outputs cannot be analysed: \
                        sample the results with 'when' instead";
            let diagnostic = Diagnostic::error(call.node.span, text);
            self.report.add(diagnostic.with_related(place, "declared here"));
            return None;
        }
        let clock = self.unite(program.children(id));
        let Some(activation) = call.activation.filter(|activation| activation.defaults.is_none())
        else {
            return clock;
        };
        // Without first values the results are there only when the call is made.
        let (name, value) = match program.expr(activation.clock) {
            Expr::Unary(UnaryOperator::Not, operand) => (operand, 0),
            _ => (activation.clock, 1),
        };
        if let (Expr::Name(_), Resolution::Variable(variable)) =
            (program.expr(name), self.model.resolution(name))
        {
            return Some(self.on(clock.unwrap_or(BASE), variable, value));
        }
        let text = "the clock of 'activate' without first values must be a variable";
        let span = program.expr_span(activation.clock);
        let help = "define a variable for it, or write 'initial default …'";
        self.report.add(Diagnostic::error(span, text).with_help(help));
        None
    }

    // Bodies.

    fn bodies(&mut self) {
        let model = self.model;
        for node in &model.nodes {
            self.body(node);
        }
    }

    fn body(&mut self, node: &Node) {
        for equation in &node.equations {
            for target in &equation.targets {
                let expected = self.variables[target.variable.index()];
                let found = self.exprs[equation.value.index()];
                if let (Some(expected), Some(found)) = (expected, found)
                    && expected != found
                {
                    self.error(equation.value, expected, found);
                    break;
                }
            }
        }
        for condition in &node.asserts {
            self.expect(*condition, BASE);
        }
        for property in &node.properties {
            self.expect(property.condition, BASE);
        }
    }
}
