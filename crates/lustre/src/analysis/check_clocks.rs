//! Pass 8: streams that meet are present at the same instants.
//!
//! `when` slows down, `merge` and `current` speed up, a call sees its own base clock in that of
//! its arguments, everything else wants its operands on one clock; constants are on any, and take
//! the clock of where they stand. A model without clocks is not looked at.

use rustc_hash::{FxHashMap, FxHashSet};

use super::clocks::{ClockId, Clocks, Restriction, Wanted};
use super::model::{Contract, Equation, Model, Node, Resolution, VariableId, VariableRole};
use super::report::Report;
use obligato_lustre_syntax::ast::{Clock, Expr, ExprId, Group, Symbol, UnaryOperator, Variability};
use obligato_lustre_syntax::diagnostic::Diagnostic;

mod interfaces;

/// Fills in [`Model::clocks`] and reports streams on the wrong clock.
pub fn check_clocks(model: &mut Model, report: &mut Report) {
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
    let exprs = program.exprs().len();
    let mut checker = Checker {
        model,
        report,
        clocks: Clocks::default(),
        variables: vec![Some(ClockId::base()); model.variables.len()],
        exprs: vec![None; exprs],
        mixed: FxHashSet::default(),
    };
    checker.declared();
    for index in 0..exprs {
        let id = ExprId::new(index);
        checker.exprs[index] = checker.clock_at(id);
    }
    for node in &model.nodes {
        checker.body(node);
    }
    for index in (0..exprs).rev() {
        checker.settle_operands(ExprId::new(index));
    }
    let mut clocks = checker.clocks;
    let known = |clock: Option<ClockId>| clock.unwrap_or(ClockId::base());
    clocks.variables = checker.variables.into_iter().map(known).collect();
    clocks.exprs = checker.exprs.into_iter().map(known).collect();
    model.clocks = clocks;
}

struct Checker<'a> {
    model: &'a Model,
    report: &'a mut Report,
    clocks: Clocks,
    /// `None` is any clock.
    variables: Vec<Option<ClockId>>,
    exprs: Vec<Option<ClockId>>,
    /// The lists whose parts are on clocks of their own, which only an equation may take.
    mixed: FxHashSet<ExprId>,
}

impl Checker<'_> {
    fn restrict(&mut self, parent: ClockId, variable: VariableId, wanted: Wanted) -> ClockId {
        self.clocks.restrict(Restriction { parent, variable, wanted })
    }

    fn error(&mut self, id: ExprId, expected: ClockId, found: ClockId) {
        let [expected, found] =
            [expected, found].map(|clock| self.model.describe_clock(&self.clocks, clock));
        let text = format!("expected a stream on {expected}, found one on {found}");
        let span = self.model.program.expr_span(id);
        self.report.add(Diagnostic::error(span, text));
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
            self.interface(node, &names);
        }
    }

    /// The variable of the clock that a variable is declared on, and the value asked of it.
    fn declared_on(
        &self,
        id: VariableId,
        names: &FxHashMap<Symbol, VariableId>,
    ) -> Option<(VariableId, Wanted)> {
        let clock = self.model.variable(id).clock?;
        let (Clock::On(name) | Clock::Not(name) | Clock::Value { clock: name, .. }) = clock else {
            return None;
        };
        let variable = *names.get(&name.symbol)?;
        Some((variable, self.model.wanted_by(clock, variable)))
    }

    /// The clock of a declared variable, from the base clock down.
    fn variable(&mut self, id: VariableId, names: &FxHashMap<Symbol, VariableId>) {
        let mut chain = Vec::new();
        let mut at = id;
        while let Some((next, wanted)) = self.declared_on(at, names) {
            if chain.len() > names.len() {
                let declared = self.model.variable(id).name;
                let name = self.model.text(declared.symbol);
                let text = format!("the clock of '{name}' depends on itself");
                return self.report.add(Diagnostic::error(declared.span, text));
            }
            chain.push((next, wanted));
            at = next;
        }
        let clock = chain.into_iter().rev().fold(ClockId::base(), |clock, (variable, wanted)| {
            self.restrict(clock, variable, wanted)
        });
        self.variables[id.index()] = Some(clock);
    }

    // Expressions.

    /// The one clock of several expressions.
    fn unite(&mut self, ids: impl IntoIterator<Item = ExprId>) -> Option<ClockId> {
        let mut known = None;
        let mut one = true;
        for id in ids {
            one &= self.is_one(id);
            match (known, self.exprs[id.index()]) {
                (None, found) => known = found,
                (Some(expected), Some(found)) if expected != found => {
                    self.error(id, expected, found);
                    return None;
                }
                _ => {}
            }
        }
        known.filter(|_| one)
    }

    /// Is this no list of streams on several clocks? Reports one.
    fn is_one(&mut self, id: ExprId) -> bool {
        let mixed = self.mixed.contains(&id);
        if mixed {
            let text = "these streams are on several clocks: only an equation can take them";
            let span = self.model.program.expr_span(id);
            let help = "define variables for them first";
            self.report.add(Diagnostic::error(span, text).with_help(help));
        }
        !mixed
    }

    fn expect(&mut self, id: ExprId, expected: ClockId) {
        if !self.is_one(id) {
            return;
        }
        match self.exprs[id.index()] {
            Some(found) if found != expected => self.error(id, expected, found),
            _ => self.exprs[id.index()] = Some(expected),
        }
    }

    fn clock_at(&mut self, id: ExprId) -> Option<ClockId> {
        let program = &self.model.program;
        let variable = match self.model.resolution(id) {
            Resolution::Variable(variable) => Some(variable),
            _ => None,
        };
        match (program.expr(id), variable) {
            (Expr::When(value, clock), _) => {
                let Some(variable) = variable else {
                    self.expect(value, ClockId::base());
                    return Some(ClockId::base());
                };
                let parent = self.clock_of(variable);
                self.expect(value, parent);
                Some(self.restrict(parent, variable, self.model.wanted_by(clock, variable)))
            }
            (Expr::Merge { branches, .. }, Some(variable)) => {
                let parent = self.clock_of(variable);
                for branch in &program.named[branches] {
                    let wanted = self.model.wanted(variable, branch.name);
                    let clock = self.restrict(parent, variable, wanted);
                    self.expect(branch.value, clock);
                }
                Some(parent)
            }
            (_, Some(variable)) => self.variables[variable.index()],
            (Expr::Unary(UnaryOperator::Current, value), _) => {
                self.is_one(value);
                let restriction = |clock| self.clocks.restriction(clock);
                let faster = |clock| restriction(clock).map_or(clock, |found| found.parent);
                self.exprs[value.index()].map(faster)
            }
            (Expr::Call(call), _) => self.call(id, program.call(call)),
            (Expr::Condact { call, .. }, _) => {
                let refused = self.refuse_activation(call);
                self.unite(program.children(id)).filter(|_| !refused)
            }
            (Expr::Group(Group::List, list), _) => {
                let parts = &program.expr_lists[list];
                let mut clocks = parts.iter().filter_map(|part| self.exprs[part.index()]);
                let first = clocks.next();
                if clocks.any(|clock| Some(clock) != first) {
                    self.mixed.insert(id);
                    return first;
                }
                self.unite(parts.iter().copied())
            }
            _ => self.unite(program.children(id)),
        }
    }

    /// The clock of a variable that is a clock itself.
    fn clock_of(&self, variable: VariableId) -> ClockId {
        self.variables[variable.index()].unwrap_or(ClockId::base())
    }

    /// Operands that may be on any clock are on that of what they are operands of.
    fn settle_operands(&mut self, id: ExprId) {
        let program = &self.model.program;
        let Some(clock) = self.exprs[id.index()] else { return };
        let expr = program.expr(id);
        // `clock_at` has settled those of the first two; `current` hides the clock of its operand.
        if matches!(expr, Expr::When(..) | Expr::Merge { .. })
            || matches!(expr, Expr::Unary(UnaryOperator::Current, _))
        {
            return;
        }
        let clock = if let Expr::Call(_) = expr {
            *self.clocks.calls.entry(id).or_insert(clock)
        } else {
            clock
        };
        for child in program.children(id) {
            self.exprs[child.index()].get_or_insert(clock);
        }
    }

    // Bodies.

    fn body(&mut self, node: &Node) {
        for equation in &node.equations {
            self.equation(equation);
        }
        if let Some(contract) = &node.contract {
            self.contract(contract);
        }
    }

    fn contract(&mut self, contract: &Contract) {
        for equation in &contract.equations {
            self.equation(equation);
        }
        // What a mode requires is asked for wherever the mode is named.
        for mode in &contract.modes {
            for condition in &mode.requires {
                self.expect(*condition, ClockId::base());
            }
        }
        for import in &contract.imports {
            self.import(import);
        }
    }

    fn equation(&mut self, equation: &Equation) {
        let value = equation.value;
        let targets = equation.targets.iter().map(|target| self.clock_of(target.variable));
        let targets: Vec<_> = targets.collect();
        match self.model.program.expr(value) {
            Expr::Group(Group::List, list) => {
                let parts = &self.model.program.expr_lists[list];
                for (part, expected) in parts.iter().zip(targets) {
                    self.expect(*part, expected);
                }
            }
            Expr::Call(_) if self.mixed.contains(&value) => {
                for (found, expected) in self.results(equation).into_iter().zip(targets) {
                    if let Some(found) = found.filter(|found| *found != expected) {
                        return self.error(value, expected, found);
                    }
                }
            }
            _ => {
                for expected in targets {
                    match self.exprs[value.index()] {
                        Some(found) if found != expected => {
                            return self.error(value, expected, found);
                        }
                        _ => self.exprs[value.index()] = Some(expected),
                    }
                }
            }
        }
    }
}
