//! Expressions, by what they are.

use obligato_lustre::analysis::{Kind, Resolution};
use obligato_lustre_syntax::ast::{BinaryOperator as B, Expr, ExprId, Group, UnaryOperator as U};

use super::calls::Conditional;
use super::value::{self, V};
use super::{Place, Reference, operators};

impl Reference<'_> {
    pub(super) fn holds(&mut self, place: Place<'_>, id: ExprId) -> bool {
        self.eval(place, id) == V::Bool(true)
    }

    /// One stream of several side by side. Only what it needs is evaluated: the others may
    /// depend on it.
    pub(super) fn eval_part(&mut self, place: Place<'_>, id: ExprId, part: Option<usize>) -> V {
        let Some(at) = part else { return self.eval(place, id) };
        let program = &self.model.program;
        match program.expr(id) {
            Expr::Group(Group::List, list) => self.eval(place, program.expr_lists[list][at]),
            Expr::If(test, a, b) => {
                let (arm, other) = if self.holds(place, test) { (a, b) } else { (b, a) };
                self.leave_arm(place, other, part);
                self.eval_part(place, arm, part)
            }
            Expr::Binary(B::Arrow, a, b) => {
                let side = if self.is_first(place, id) { a } else { b };
                self.eval_part(place, side, part)
            }
            Expr::When(value, _) => self.eval_part(place, value, part),
            Expr::Merge { .. } => {
                let branch = self.branch(place, id);
                self.eval_part(place, branch, part)
            }
            Expr::Call(_) | Expr::Condact { .. } => self.call(place, id, part),
            _ => self.eval(place, id).many().swap_remove(at),
        }
    }

    pub(super) fn eval(&mut self, place: Place<'_>, id: ExprId) -> V {
        let value = self.compute_expr(place, id);
        self.record(place, id, &value);
        value
    }

    pub(super) fn compute_expr(&mut self, place: Place<'_>, id: ExprId) -> V {
        let program = &self.model.program;
        if let Some(named) = self.named(place, id) {
            return named;
        }
        match program.expr(id) {
            Expr::Bool(value) => V::Bool(value),
            Expr::Int(text) => V::Int(value::integer(program.text(text))),
            Expr::Real(text) => V::Real(value::real(program.text(text))),
            Expr::Mode(mode) => self.mode(place, mode),
            Expr::Unary(U::Pre, operand) => self.before(place, id, self.model.kind(operand)),
            Expr::Unary(U::Current, operand) => {
                if self.is_present(place, operand) {
                    self.eval(place, operand)
                } else {
                    self.before(place, id, self.model.kind(operand))
                }
            }
            Expr::Unary(operator, operand) => {
                let value = self.eval(place, operand);
                operators::unary(operator, value, self.model.kinds.get(self.model.kind(operand)))
            }
            Expr::Binary(operator, a, b) => self.binary(place, id, operator, a, b),
            Expr::Delay { steps, initial, .. } => {
                let steps = usize::try_from(&self.eval(place, steps).int()).unwrap();
                self.delayed(place, id, steps, initial)
            }
            Expr::If(test, a, b) => {
                let (arm, other) = if self.holds(place, test) { (a, b) } else { (b, a) };
                self.leave_arm(place, other, None);
                self.eval(place, arm)
            }
            Expr::When(value, _) => self.eval(place, value),
            Expr::Merge { .. } => {
                let branch = self.branch(place, id);
                self.eval(place, branch)
            }
            Expr::Group(Group::AtMostOne, list) => {
                self.at_most_one(place, &program.expr_lists[list])
            }
            Expr::Group(_, list) => {
                let parts = program.expr_lists[list].iter();
                V::Many(parts.map(|part| self.eval(place, *part)).collect())
            }
            Expr::Index(base, index) => self.index(place, id, base, index),
            Expr::Field(base, field) => {
                let Kind::Record(record) = self.model.kinds.get(self.model.kind(base)) else {
                    panic!("a record")
                };
                let position = self.model.kinds.record(*record).field(field).unwrap();
                self.eval(place, base).many().swap_remove(position)
            }
            Expr::Project(base, number) => {
                let number = program.text(number).parse().unwrap();
                self.eval(place, base).many().swap_remove(number)
            }
            Expr::Update { base, path, value, .. } => {
                self.update(place, base, &program.steps[path], value)
            }
            Expr::Record { base, fields, .. } => {
                self.make_record(place, id, base, &program.named[fields])
            }
            Expr::Call(_) | Expr::Condact { .. } => self.call(place, id, None),
            Expr::Quantified(quantifier, groups, body) => {
                self.quantified(place, quantifier, groups, body)
            }
            other => panic!("{other:?}"),
        }
    }

    /// The value of what an expression names, if it names something.
    fn named(&mut self, place: Place<'_>, id: ExprId) -> Option<V> {
        match (self.model.resolution(id), self.model.program.expr(id)) {
            // These name their clocks.
            (Resolution::Variable(_), Expr::When(..) | Expr::Merge { .. }) => None,
            (Resolution::Variable(variable), _) => {
                let bound = place.bound.iter().rev().find(|(bound, _)| *bound == variable);
                Some(match bound {
                    Some((_, value)) => self.as_value(self.model.variable(variable).kind, value),
                    None => self.variable(place.frame, variable),
                })
            }
            (Resolution::Constant(constant), _) => {
                let constant = self.model.constant(constant);
                Some(match &constant.value {
                    Some(value) => value::constant(value),
                    None => self.held(self.model.text(constant.name.symbol), constant.kind),
                })
            }
            (Resolution::Enumeration(_, position), _) => Some(V::Int(position.into())),
            _ => None,
        }
    }

    fn binary(&mut self, place: Place<'_>, id: ExprId, operator: B, a: ExprId, b: ExprId) -> V {
        match operator {
            B::Arrow => {
                let side = if self.is_first(place, id) { a } else { b };
                return self.eval(place, side);
            }
            B::Fby if self.is_first(place, id) => return self.eval(place, a),
            B::Fby => return self.before(place, id, self.model.kind(b)),
            B::Repeat => {
                let size = usize::try_from(&self.eval(place, b).int()).unwrap();
                return V::Many(vec![self.eval(place, a); size]);
            }
            B::And => return self.junction(place, &[(a, true), (b, true)], false),
            B::Or => return self.junction(place, &[(a, true), (b, true)], true),
            B::Implies => return self.junction(place, &[(a, false), (b, true)], true),
            _ => {}
        }
        let (left, right) = (self.eval(place, a), self.eval(place, b));
        self.defined &= !operators::divides_by_zero(operator, &right);
        operators::binary(operator, left, right, self.model.kinds.get(self.model.kind(a)))
    }

    /// Operands, each as it is or negated, of which one that is `decisive` decides: for `and` a
    /// false one, for `or` a true one. One that is defined and decides is enough for all.
    fn junction(&mut self, place: Place<'_>, of: &[(ExprId, bool)], decisive: bool) -> V {
        let operands: Vec<_> = of
            .iter()
            .map(|(id, as_it_is)| {
                let (holds, defined) = self.isolated(|this| this.holds(place, *id));
                (holds == *as_it_is, defined)
            })
            .collect();
        self.decide(&operands, decisive)
    }

    /// The value of `and` or `or` of operands that come with whether they are defined.
    pub(super) fn decide(&mut self, operands: &[(bool, bool)], decisive: bool) -> V {
        let decided = operands.iter().any(|(value, defined)| *defined && *value == decisive);
        self.defined &= decided || operands.iter().all(|(_, defined)| *defined);
        V::Bool(operands.iter().any(|(value, _)| *value == decisive) == decisive)
    }

    /// Evaluates, and says whether the value is defined; what surrounds it decides what follows.
    pub(super) fn isolated<T>(&mut self, evaluate: impl FnOnce(&mut Self) -> T) -> (T, bool) {
        let outer = self.defined;
        let found = self.tracked(evaluate);
        self.defined = outer;
        found
    }

    /// `#(a, b, …)`: undefined operands matter unless two others hold, or none can be the second.
    fn at_most_one(&mut self, place: Place<'_>, operands: &[ExprId]) -> V {
        let (mut all, mut certain, mut possible) = (0, 0, 0);
        for operand in operands {
            let (holds, defined) = self.isolated(|this| this.holds(place, *operand));
            all += usize::from(holds);
            certain += usize::from(holds && defined);
            possible += usize::from(holds || !defined);
        }
        self.defined &= certain > 1 || possible <= 1;
        V::Bool(all <= 1)
    }

    /// The branch of a merge that is there.
    fn branch(&mut self, place: Place<'_>, id: ExprId) -> ExprId {
        let (Expr::Merge { branches, .. }, Resolution::Variable(clock)) =
            (self.model.program.expr(id), self.model.resolution(id))
        else {
            panic!("a merge names its clock")
        };
        let value = self.variable(place.frame, clock).position();
        let branches = &self.model.program.named[branches];
        let chosen = |name| self.wanted(clock, name) == value;
        branches.iter().find(|branch| chosen(branch.name.symbol)).unwrap().value
    }

    fn call(&mut self, place: Place<'_>, id: ExprId, part: Option<usize>) -> V {
        let program = &self.model.program;
        match program.expr(id) {
            Expr::Condact { clock, call, defaults } => {
                let defaults = &program.expr_lists[defaults];
                self.conditional(place, id, Conditional { call, clock, defaults }, part)
            }
            Expr::Call(call) => {
                let activation = program.call(call).activation;
                match activation.and_then(|found| Some((found.clock, found.defaults?))) {
                    Some((clock, defaults)) => {
                        let defaults = &program.expr_lists[defaults];
                        self.conditional(place, id, Conditional { call: id, clock, defaults }, part)
                    }
                    None => self.outputs(place, id, part),
                }
            }
            other => panic!("{other:?}"),
        }
    }
}
