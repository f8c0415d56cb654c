//! Mutants: models with one fault each, as plain data.
//!
//! A [`Mutant`] changes one expression of the source, hence every instance of its node. It is
//! data about a [`Model`](crate::Model): which expression, and the [`Change`]. Its text in place
//! of the original's gives the mutated file; [`lower_mutants`](crate::lowering::lower_mutants)
//! puts many into one graph, each behind a tap.
//!
//! Changed are the expressions of scalars in the equations of nodes that the main node calls,
//! directly or not, from equations. Left alone are
//!
//! - equations that nobody wrote, which blocks and automata become;
//! - asserts, properties and contracts, which say what is right, and equations without targets;
//! - declarations of constants: their uses are changed, one at a time;
//! - indices, numbers of elements and of delay steps, and arguments of `const` inputs: they have to
//!   be known when the model is expanded;
//! - clocks after `when`, `merge` and `activate` without first values, as the clocks of
//!   everything around hang on them.
//!
//! Every mutant is of the right types and clocks, and reads nothing at the same instant that depends
//! on what it defines; `scope` says how that is kept even for all mutants in one graph. A constant is put
//! only where the base clock is, since a constant has no clock of its own.
//!
//! Reading order: this file, `sites`, `operators`, `scope`, `replacement`, `text`, [`sample`].

use rustc_hash::FxHashSet;

use crate::analysis::{ConstantId, ConstantValue, Model, NodeBody, NodeId, VariableId};
use obligato_lustre_syntax::ast::{BinaryOperator, ExprId};

mod constants;
mod operators;
mod replacement;
pub mod sample;
mod scope;
mod sites;
mod text;

pub use sample::{sample, sample_positions};

/// The kinds of faults, in the order in which they are listed at one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MutationOperator {
    /// Another arithmetic operator, or a minus sign lost.
    Arithmetic,
    /// Another comparison.
    Relational,
    /// Another Boolean operator.
    Boolean,
    /// A `not` too many or too few.
    Negation,
    /// Another constant.
    Constant,
    /// Another variable of the same type, or a constant in its place.
    Variable,
    /// The value one step late: `x` becomes `(x -> pre x)`.
    Delay,
    /// Another first value of `->` or `fby`.
    Initial,
}

impl MutationOperator {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Arithmetic,
        Self::Relational,
        Self::Boolean,
        Self::Negation,
        Self::Constant,
        Self::Variable,
        Self::Delay,
        Self::Initial,
    ];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Arithmetic => "arithmetic",
            Self::Relational => "relational",
            Self::Boolean => "boolean",
            Self::Negation => "negation",
            Self::Constant => "constant",
            Self::Variable => "variable",
            Self::Delay => "delay",
            Self::Initial => "initial",
        }
    }
}

/// What happens to the expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Another operator between the same operands.
    Operator(BinaryOperator),
    /// `not` in front of it.
    Negate,
    /// Only its operand is left: of `not e` or `-e`.
    Strip,
    /// This value.
    Value(ConstantValue),
    /// This variable.
    Variable(VariableId),
    /// This constant.
    Constant(ConstantId),
    /// Its value one step ago; at the first instant, which has none, its value.
    Delay,
}

/// A fault: one expression of the source, changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// The kind of fault.
    pub operator: MutationOperator,
    /// The node it is in.
    pub node: NodeId,
    /// The position of the equation in the node.
    pub equation: u32,
    /// The expression.
    pub expr: ExprId,
    /// What happens to it.
    pub change: Change,
}

/// All mutants of a model, node by node in the order of the text.
pub fn mutants(model: &Model) -> Vec<Mutant> {
    let globals = scope::global_constants(model);
    let mut found = Vec::new();
    let mut changes = Vec::new();
    for id in reachable(model) {
        let node = model.node(id);
        let scope = scope::Scope::new(model, node, &globals);
        for (position, equation) in node.equations.iter().enumerate() {
            if equation.targets.is_empty() {
                continue;
            }
            let definition = scope.definition(equation);
            let sites = sites::sites(model, equation.value);
            for site in sites.into_iter().filter(|site| model.is_written(site.expr)) {
                operators::changes(model, node, &scope, &definition, site, &mut changes);
                let expr = site.expr;
                found.extend(changes.drain(..).map(|(operator, change)| Mutant {
                    operator,
                    node: id,
                    equation: position as u32,
                    expr,
                    change,
                }));
            }
        }
    }
    found
}

/// The nodes with a body that the equations of the main node call, directly or not, and itself.
fn reachable(model: &Model) -> Vec<NodeId> {
    let mut seen = FxHashSet::default();
    seen.insert(model.main);
    let mut todo = vec![model.main];
    while let Some(id) = todo.pop() {
        for equation in &model.node(id).equations {
            for callee in sites::callees(model, equation.value) {
                if seen.insert(callee) {
                    todo.push(callee);
                }
            }
        }
    }
    let all = (0..model.nodes.len()).map(NodeId::new);
    all.filter(|id| seen.contains(id) && model.node(*id).body == NodeBody::Defined).collect()
}
