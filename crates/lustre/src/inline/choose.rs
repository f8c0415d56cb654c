//! Which variables are replaced and which of them go.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::kind::Kinds;
use crate::analysis::{Equation, Model, Node, Resolution, VariableId, VariableRole};
use obligato_lustre_syntax::ast::{
    BinaryOperator as Binary, Body, Clock, Definition, Expr, ExprId, ItemKind, Local, Name, Symbol,
    UnaryOperator as Unary, Visit,
};

/// What becomes of the variables and of the references to them.
pub(super) struct Choice {
    /// By variable: what replaces it, if something does. This is no reference to be replaced.
    pub definitions: Vec<Option<ExprId>>,
    /// By variable: does nothing name it any longer?
    pub removed: Vec<bool>,
    /// By expression: does it stand in an equation, where references are replaced?
    open: Vec<bool>,
    /// How many variables could be replaced without the limit.
    pub found: usize,
}

/// What the choice for every node rests on.
struct Known {
    /// By variable: is it named where nothing is replaced?
    named: Vec<bool>,
    /// By expression: may it stand elsewhere in its node?
    memoryless: Vec<bool>,
    /// The model may not become larger than this.
    most_exprs: usize,
}

impl Choice {
    pub fn new(model: &Model, most_exprs: usize) -> Self {
        let exprs = model.program.exprs().len();
        let variables = model.variables.len();
        let mut choice = Self {
            definitions: vec![None; variables],
            removed: vec![false; variables],
            open: vec![false; exprs],
            found: 0,
        };
        choice.open_equations(model);
        let known = Known {
            named: choice.named_elsewhere(model),
            memoryless: memoryless(model),
            most_exprs,
        };
        let mut size = exprs;
        for node in &model.nodes {
            choice.node(model, node, &known, &mut size);
        }
        choice
    }

    /// What replaces an expression, if it is a reference to be replaced.
    pub fn replacement(&self, model: &Model, id: ExprId) -> Option<ExprId> {
        let variable = reference(model, id).filter(|_| self.open[id.index()])?;
        self.definitions[variable.index()]
    }

    /// Does an equation go, because nothing names what it defines any longer?
    pub fn removes(&self, equation: &Equation) -> bool {
        matches!(&equation.targets[..], [target] if self.removed[target.variable.index()])
    }

    /// Marks what stands in equations of the text: what blocks and automata become holds no
    /// decisions, so what is decided must not move there. A call that is made on a clock without
    /// first values, or of a node with clocks in its interface, wants a variable to name the clock.
    fn open_equations(&mut self, model: &Model) {
        let program = &model.program;
        for equation in model.nodes.iter().flat_map(|node| &node.equations) {
            for visit in program.walk(equation.value) {
                if let Visit::Enter(id) = visit {
                    self.open[id.index()] = program.is_written(id);
                }
            }
        }
        let clocks = clocks_of_interfaces(model);
        for (index, expr) in program.exprs().iter().enumerate() {
            let Expr::Call(call) = *expr else { continue };
            let call = program.call(call);
            if let Resolution::Node(callee) = model.resolution(ExprId::new(index)) {
                let inputs = model.node(callee).inputs.iter();
                for (input, argument) in inputs.zip(&program.expr_lists[call.arguments]) {
                    self.open[argument.index()] &= !clocks.contains(input);
                }
            }
            let Some(activation) = call.activation else { continue };
            if activation.defaults.is_none() {
                self.open[activation.clock.index()] = false;
                if let Expr::Unary(Unary::Not, operand) = program.expr(activation.clock) {
                    self.open[operand.index()] = false;
                }
            }
        }
    }

    /// By variable: is it named where nothing is replaced?
    fn named_elsewhere(&self, model: &Model) -> Vec<bool> {
        let program = &model.program;
        let mut named = vec![false; model.variables.len()];
        for index in 0..program.exprs().len() {
            let id = ExprId::new(index);
            if let Resolution::Variable(variable) = model.resolution(id)
                && !(self.open[index] && reference(model, id).is_some())
            {
                named[variable.index()] = true;
            }
        }
        for (node, declared) in model.declared_nodes().zip(program.nodes()) {
            let Body::Defined(body) = &declared.body else { continue };
            let by_name: FxHashMap<Symbol, VariableId> =
                node.locals.iter().map(|id| (model.variable(*id).name.symbol, *id)).collect();
            for name in names_of_clocks_and_pragmas(model, body) {
                if let Some(variable) = by_name.get(&name.symbol) {
                    named[variable.index()] = true;
                }
            }
        }
        named
    }

    /// Chooses in the order of causes, so that a definition has its final size when it is its
    /// turn, and the references to it are those that are written.
    fn node(&mut self, model: &Model, node: &Node, known: &Known, size: &mut usize) {
        let mut readers: FxHashMap<VariableId, Vec<u32>> = FxHashMap::default();
        let mut sizes = vec![0_usize; node.equations.len()];
        for (position, equation) in node.equations.iter().enumerate() {
            for visit in model.program.walk(equation.value) {
                let Visit::Enter(id) = visit else { continue };
                sizes[position] += 1;
                if let Some(variable) = reference(model, id).filter(|_| self.open[id.index()]) {
                    readers.entry(variable).or_default().push(position as u32);
                }
            }
        }
        for definition in &node.definitions {
            let equation = &node.equations[definition.equation as usize];
            let variable = model.variable(definition.variable);
            let intermediate = variable.role == VariableRole::Local
                && variable.kind == Kinds::bool()
                && equation.targets.len() == 1
                && known.memoryless[equation.value.index()];
            let Some(readers) = readers.get(&definition.variable).filter(|_| intermediate) else {
                continue;
            };
            self.found += 1;
            let own = sizes[definition.equation as usize];
            let removed = !known.named[definition.variable.index()];
            let copied = readers.len().saturating_mul(own - 1);
            let next = size.saturating_add(copied) - if removed { own } else { 0 };
            if next > known.most_exprs.max(*size) {
                continue;
            }
            *size = next;
            for reader in readers {
                sizes[*reader as usize] += own - 1;
            }
            let value = self.replacement(model, equation.value).unwrap_or(equation.value);
            self.definitions[definition.variable.index()] = Some(value);
            self.removed[definition.variable.index()] = removed;
        }
    }
}

/// The inputs and outputs that others of the same node are clocked by.
fn clocks_of_interfaces(model: &Model) -> FxHashSet<VariableId> {
    let interfaces = model.nodes.iter().flat_map(|node| node.inputs.iter().chain(&node.outputs));
    let clock = |id: &VariableId| model.clocks.restriction(model.clocks.of_variable(*id));
    interfaces.filter_map(clock).map(|restriction| restriction.variable).collect()
}

/// The variable that an expression reads. The clock of `when` and `merge` is no expression.
fn reference(model: &Model, id: ExprId) -> Option<VariableId> {
    match (model.program.expr(id), model.resolution(id)) {
        // A field or index that is a variable is a flattened name.
        (Expr::Name(_) | Expr::Field(..) | Expr::Index(..), Resolution::Variable(variable)) => {
            Some(variable)
        }
        _ => None,
    }
}

/// By expression: is it made of what some variables are at the same instant, and of nothing
/// that would mean something else in another place of the node?
fn memoryless(model: &Model) -> Vec<bool> {
    let program = &model.program;
    // A quantifier or an array definition may hide a variable of the node.
    let hidden: FxHashSet<Symbol> = model
        .variables
        .iter()
        .filter(|it| matches!(it.role, VariableRole::Quantified | VariableRole::Index))
        .map(|variable| variable.name.symbol)
        .collect();
    // By expression: is it memoryless, and does it read a variable?
    let mut found = vec![(false, false); program.exprs().len()];
    for (index, expr) in program.exprs().iter().enumerate() {
        let id = ExprId::new(index);
        let own = match expr {
            Expr::Mode(_)
            | Expr::Last(_)
            | Expr::Unary(Unary::Pre | Unary::Current, _)
            | Expr::Binary(Binary::Arrow | Binary::Fby, ..)
            | Expr::Call(_)
            | Expr::Condact { .. }
            | Expr::When(..)
            | Expr::Merge { .. }
            | Expr::Quantified(..)
            | Expr::Delay { .. } => false,
            Expr::Name(symbol) => !hidden.contains(symbol),
            Expr::Bool(_)
            | Expr::Int(_)
            | Expr::Real(_)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::If(..)
            | Expr::Group(..)
            | Expr::Index(..)
            | Expr::Slice(..)
            | Expr::Field(..)
            | Expr::Project(..)
            | Expr::Update { .. }
            | Expr::Record { .. } => true,
        };
        let both = |(one, reads), (other, also): (bool, bool)| (one && other, reads || also);
        let operands = program.children(id).map(|child| found[child.index()]);
        found[index] = operands.fold((own, reference(model, id).is_some()), both);
    }
    found.into_iter().map(|(memoryless, reads)| memoryless && reads).collect()
}

/// The names in `when` of declarations and in pragmas.
fn names_of_clocks_and_pragmas<'m>(
    model: &'m Model,
    body: &'m Definition,
) -> impl Iterator<Item = Name> + use<'m> {
    let clocks = body.locals.iter().filter_map(|local| match local {
        Local::Variables(group) => match group.clock? {
            Clock::On(name) | Clock::Not(name) | Clock::Value { clock: name, .. } => Some(name),
            Clock::Base => None,
        },
        Local::Constant(_) => None,
    });
    let pragmas = body.items.iter().flat_map(|item| match &model.program.item(*item).kind {
        ItemKind::Ivc(names) | ItemKind::Realizable(names) => &names[..],
        _ => &[],
    });
    clocks.chain(pragmas.copied())
}
