//! Clocks in the inputs and outputs of nodes and contracts: those of the caller stand in for them.
//!
//! The base clock of a called node is the clock of what is given to its inputs on the base clock.
//! An input `x: int when c` takes a stream on the clock that the variable given for `c` makes.

use rustc_hash::FxHashMap;

use super::Checker;
use crate::analysis::clocks::ClockId;
use crate::analysis::model::{Equation, Import, Node, Resolution, VariableId};
use obligato_lustre_syntax::ast::{Call, Expr, ExprId, Symbol, UnaryOperator};
use obligato_lustre_syntax::diagnostic::Diagnostic;
use obligato_lustre_syntax::source::ByteSpan;

/// What stands for an input or output of a node.
#[derive(Clone, Copy)]
enum Actual {
    Expr(ExprId),
    Variable(VariableId),
}

/// What stands for the variables of clocks.
type Actuals = FxHashMap<VariableId, Actual>;

impl Checker<'_> {
    /// A caller must know the clocks of an interface, so no local variable may be one.
    pub(super) fn interface(&mut self, node: &Node, names: &FxHashMap<Symbol, VariableId>) {
        let inputs = node.inputs.iter().map(|id| (id, "an input", &node.inputs[..], &[][..]));
        let outputs = node.outputs.iter();
        let outputs =
            outputs.map(|id| (id, "an input or output", &node.inputs[..], &node.outputs[..]));
        for (id, what, some, more) in inputs.chain(outputs) {
            let Some((clock, _)) = self.declared_on(*id, names) else { continue };
            if !some.contains(&clock) && !more.contains(&clock) {
                let declared = self.model.variable(*id).name;
                let name = self.model.text(declared.symbol);
                let clock = self.model.variable_name(clock);
                let text = format!("the clock '{clock}' of '{name}' must be {what} as well");
                self.report.add(Diagnostic::error(declared.span, text));
            }
        }
    }

    fn on_base(&self, id: VariableId) -> bool {
        self.clock_of(id) == ClockId::base()
    }

    /// The clock of the results of a call.
    pub(super) fn call(&mut self, id: ExprId, call: Call) -> Option<ClockId> {
        let program = &self.model.program;
        let Resolution::Node(callee) = self.model.resolution(id) else { return None };
        let callee = self.model.node(callee);
        let arguments = &program.expr_lists[call.arguments];
        let pairs = || callee.inputs.iter().copied().zip(arguments.iter().copied());
        let clocked = |(input, _): &(VariableId, ExprId)| !self.on_base(*input);
        let (late, prompt): (Vec<_>, Vec<_>) = pairs().partition(clocked);
        let defaults = call.activation.and_then(|activation| activation.defaults);
        let others = call.restart.into_iter().chain(call.activation.map(|found| found.clock));
        let defaults = defaults.map_or(&[][..], |list| &program.expr_lists[list]);
        let others = others.chain(defaults.iter().copied());
        let base = self.unite(others.chain(prompt.into_iter().map(|(_, argument)| argument)));
        if let Some(base) = base {
            self.clocks.calls.insert(id, base);
        }
        let actuals: Actuals = pairs().map(|(input, expr)| (input, Actual::Expr(expr))).collect();
        for (input, argument) in late {
            let span = program.expr_span(argument);
            let clock = self.stand_in(input, base, &actuals, span)?;
            self.expect(argument, clock);
        }
        if call.activation.is_some() && self.refuse_activation(id) {
            return None;
        }
        if let Some(activation) = call.activation.filter(|found| found.defaults.is_none()) {
            return self.activated(id, activation.clock, base);
        }
        if callee.outputs.iter().all(|output| self.on_base(*output)) {
            return base;
        }
        if let [only] = callee.outputs[..] {
            return self.stand_in(only, base, &actuals, call.node.span);
        }
        self.mixed.insert(id);
        base
    }

    /// Without first values the results of `activate` are there only when the call is made.
    fn activated(&mut self, id: ExprId, clock: ExprId, base: Option<ClockId>) -> Option<ClockId> {
        let program = &self.model.program;
        let (name, value) = match program.expr(clock) {
            Expr::Unary(UnaryOperator::Not, operand) => (operand, false),
            _ => (clock, true),
        };
        if let (Expr::Name(_), Resolution::Variable(variable)) =
            (program.expr(name), self.model.resolution(name))
        {
            let base = base.unwrap_or(ClockId::base());
            self.clocks.calls.insert(id, base);
            return Some(self.restrict(base, variable, super::Wanted::Bool(value)));
        }
        let text = "the clock of 'activate' without first values must be a variable";
        let help = "define a variable for it, or write 'initial default …'";
        self.report.add(Diagnostic::error(program.expr_span(clock), text).with_help(help));
        None
    }

    /// A call that is not always made gives results that are kept, on the clock of the caller:
    /// reports one of a node that has other clocks.
    pub(super) fn refuse_activation(&mut self, id: ExprId) -> bool {
        let Resolution::Node(callee) = self.model.resolution(id) else { return false };
        let callee = self.model.node(callee);
        let mut interface = callee.inputs.iter().chain(&callee.outputs);
        let Some(found) = interface.find(|id| !self.on_base(**id)) else { return false };
        let declared = self.model.variable(*found).name;
        let text = "'condact' and 'activate' need a node without clocks on its inputs and outputs";
        let diagnostic = Diagnostic::error(self.model.program.expr_span(id), text)
            .with_help("sample the arguments with 'when', and call the node directly");
        self.report.add(diagnostic.with_related(declared.span, "declared here"));
        true
    }

    /// The clocks of the results of a call that an equation takes.
    pub(super) fn results(&mut self, equation: &Equation) -> Vec<Option<ClockId>> {
        let program = &self.model.program;
        let (Expr::Call(call), Resolution::Node(callee)) =
            (program.expr(equation.value), self.model.resolution(equation.value))
        else {
            return Vec::new();
        };
        let callee = self.model.node(callee);
        let call = program.call(call);
        let arguments = program.expr_lists[call.arguments].iter();
        let mut actuals: Actuals = callee
            .inputs
            .iter()
            .zip(arguments)
            .map(|(input, argument)| (*input, Actual::Expr(*argument)))
            .collect();
        let targets = callee.outputs.iter().zip(&equation.targets);
        actuals
            .extend(targets.map(|(output, target)| (*output, Actual::Variable(target.variable))));
        let base = self.clocks.calls.get(&equation.value).copied();
        let outputs = callee.outputs.iter();
        outputs.map(|output| self.stand_in(*output, base, &actuals, call.node.span)).collect()
    }

    /// What an imported contract reads is on the clocks that it is declared on.
    pub(super) fn import(&mut self, import: &Import) {
        let contract = self.model.node(import.contract);
        let inputs = import.inputs.iter().copied().map(Actual::Expr);
        let given = inputs.chain(import.outputs.iter().copied().map(Actual::Variable));
        let formals = contract.inputs.iter().chain(&contract.outputs).copied();
        let pairs: Vec<_> = formals.zip(given).collect();
        let actuals: Actuals = pairs.iter().copied().collect();
        for (formal, actual) in pairs {
            let base = Some(ClockId::base());
            let Some(expected) = self.stand_in(formal, base, &actuals, import.span) else { return };
            match actual {
                Actual::Expr(id) => self.expect(id, expected),
                Actual::Variable(id) if self.clock_of(id) == expected => {}
                Actual::Variable(id) => {
                    let [wanted, found] = [expected, self.clock_of(id)]
                        .map(|clock| self.model.describe_clock(&self.clocks, clock));
                    let name = self.model.variable_name(id);
                    let text = format!("expected a stream on {wanted}: '{name}' is on {found}");
                    self.report.add(Diagnostic::error(import.span, text));
                }
            }
        }
    }

    /// The clock that stands for that of an input or output: what is given for its variables
    /// makes it, on the base clock of the call.
    fn stand_in(
        &mut self,
        formal: VariableId,
        base: Option<ClockId>,
        actuals: &Actuals,
        span: ByteSpan,
    ) -> Option<ClockId> {
        let chain: Vec<_> = self.clocks.chain(self.clock_of(formal)).collect();
        if chain.is_empty() {
            return base;
        }
        let mut clock = base.unwrap_or(ClockId::base());
        for restriction in chain.into_iter().rev() {
            let variable = match actuals.get(&restriction.variable) {
                Some(Actual::Variable(variable)) => Some(*variable),
                Some(Actual::Expr(id)) => match self.model.program.expr(*id) {
                    Expr::When(..) | Expr::Merge { .. } => None,
                    _ => match self.model.resolution(*id) {
                        Resolution::Variable(variable) => Some(variable),
                        _ => None,
                    },
                },
                None => None,
            };
            let Some(variable) = variable else {
                let declared = self.model.variable(restriction.variable).name;
                let name = self.model.text(declared.symbol);
                let of = self.model.variable_name(formal);
                let text = format!("the clock '{name}' of '{of}' must be given as a variable");
                let diagnostic = Diagnostic::error(span, text);
                self.report.add(diagnostic.with_related(declared.span, "declared here"));
                return None;
            };
            clock = self.restrict(clock, variable, restriction.wanted);
        }
        Some(clock)
    }
}
