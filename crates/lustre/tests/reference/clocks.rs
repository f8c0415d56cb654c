//! Clocks: the variables that must have certain values for a stream to be there.

use std::rc::Rc;

use obligato_lustre::analysis::{Kind, Model, Resolution, VariableId};
use obligato_lustre_syntax::ast::{Clock, Expr, ExprId, Symbol, UnaryOperator as U};
use obligato_model::Integer;

use super::{Place, Reference};

/// What a clock asks of variables, outermost first: 0 or 1, or a position in an enumeration.
/// Nothing is the base clock of the call.
pub(super) type Chain = Vec<(VariableId, Integer)>;

/// Does a model have clocks at all?
pub(super) fn are_used(model: &Model) -> bool {
    let clocked = |expr: &Expr| match expr {
        Expr::When(..) | Expr::Merge { .. } | Expr::Unary(U::Current, _) => true,
        Expr::Call(call) => model.program.call(*call).activation.is_some(),
        _ => false,
    };
    model.program.exprs().iter().any(clocked)
        || model.variables.iter().any(|variable| variable.clock.is_some())
}

impl Reference<'_> {
    /// The value that a name asks of the variable of a clock.
    pub(super) fn wanted(&self, variable: VariableId, value: Symbol) -> Integer {
        match self.model.kinds.get(self.model.variable(variable).kind) {
            Kind::Enumeration(id) => {
                let values = &self.model.kinds.enumeration(*id).values;
                values.iter().position(|known| known.symbol == value).unwrap().into()
            }
            _ => Integer::from(u8::from(self.model.text(value) == "true")),
        }
    }

    /// The clock that restricts the clock of a variable.
    fn restricted(&self, clock: Clock, variable: VariableId) -> Chain {
        let mut chain = self.declared_chain(variable);
        match clock {
            Clock::Base => {}
            Clock::On(_) => chain.push((variable, Integer::ONE)),
            Clock::Not(_) => chain.push((variable, Integer::ZERO)),
            Clock::Value { value, .. } => {
                chain.push((variable, self.wanted(variable, value.symbol)));
            }
        }
        chain
    }

    /// The clock of a variable where it is declared.
    pub(super) fn declared_chain(&self, variable: VariableId) -> Chain {
        let Some(clock) = self.model.variable(variable).clock else { return Chain::new() };
        let (Clock::On(name) | Clock::Not(name) | Clock::Value { clock: name, .. }) = clock else {
            return Chain::new();
        };
        self.restricted(clock, self.names[&(self.owners[&variable], name.symbol)])
    }

    /// The clock of an expression; a constant is on the base clock.
    pub(super) fn chain(&mut self, id: ExprId) -> Rc<Chain> {
        if !self.clocked {
            return Rc::default();
        }
        if let Some(known) = self.chains.get(&id) {
            return known.clone();
        }
        let chain = Rc::new(self.find_chain(id));
        self.chains.insert(id, chain.clone());
        chain
    }

    fn find_chain(&mut self, id: ExprId) -> Chain {
        let program = &self.model.program;
        match (program.expr(id), self.model.resolution(id)) {
            (Expr::When(_, clock), Resolution::Variable(variable)) => {
                self.restricted(clock, variable)
            }
            (_, Resolution::Variable(variable)) => self.declared_chain(variable),
            (Expr::Unary(U::Current, value), _) => {
                let mut chain = self.chain(value).to_vec();
                chain.pop();
                chain
            }
            (Expr::Call(call), _) => {
                let mut chain = self.operands_chain(id);
                if let Some(activation) = program.call(call).activation
                    && activation.defaults.is_none()
                {
                    let (name, wanted) = match program.expr(activation.clock) {
                        Expr::Unary(U::Not, operand) => (operand, Integer::ZERO),
                        _ => (activation.clock, Integer::ONE),
                    };
                    let Resolution::Variable(variable) = self.model.resolution(name) else {
                        panic!("the clock of an activation is a variable")
                    };
                    chain.push((variable, wanted));
                }
                chain
            }
            _ => self.operands_chain(id),
        }
    }

    /// The one clock of the operands that are no constants.
    pub(super) fn operands_chain(&mut self, id: ExprId) -> Chain {
        if !self.clocked {
            return Chain::new();
        }
        let children: Vec<_> = self.model.program.children(id).collect();
        let chains = children.into_iter().map(|child| self.chain(child).to_vec());
        chains.max_by_key(Vec::len).unwrap_or_default()
    }

    /// Does a clock of a frame that is active hold in this step?
    pub(super) fn holds_all(&mut self, at: usize, chain: &Chain) -> bool {
        self.decides(|this| {
            let mut wanted = chain.iter();
            wanted.all(|(variable, wanted)| this.variable(at, *variable).position() == *wanted)
        })
    }

    /// Evaluates what decides whether something is there at all.
    pub(super) fn decides(&mut self, evaluate: impl FnOnce(&mut Self) -> bool) -> bool {
        let (holds, defined) = self.tracked(evaluate);
        self.report.divided_by_zero |= !defined;
        holds
    }

    /// Is an expression there in this step?
    pub(super) fn is_present(&mut self, place: Place<'_>, id: ExprId) -> bool {
        let chain = self.chain(id);
        self.holds_all(place.frame, &chain)
    }

    /// Is this the first instant of the clock of an expression, or the first after a restart?
    pub(super) fn is_first(&mut self, place: Place<'_>, id: ExprId) -> bool {
        let chain = self.chain(id);
        let frame = &self.frames[place.frame];
        frame.restarted || !frame.seen.contains(&*chain)
    }
}
