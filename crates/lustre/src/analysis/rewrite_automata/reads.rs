//! The variables that a state reads: the inputs of its node.

use rustc_hash::FxHashSet;

use super::Rewriter;
use crate::analysis::bodies::{Bodies, BodyOwner, Declared, automaton};
use obligato_lustre_syntax::ast::{
    Clock, Constant, Expr, ExprId, ItemKind, Local, Name, StaticArgument, Symbol, SyntaxTree,
    Trivia, TypeId, Variability, Visit,
};

/// What a node takes over from the body around it.
pub(super) struct Interface {
    /// The variables it reads.
    pub inputs: Vec<Input>,
    /// The constants it mentions.
    pub constants: Vec<Constant>,
}

/// An input of a node.
pub(super) struct Input {
    /// Its name where the variable is declared.
    pub declared: Name,
    /// Its name where it is read.
    pub read: Name,
    pub kind: TypeId,
    pub variability: Variability,
}

/// By body, the names that it reads and does not declare itself, each once.
pub(super) fn free_names(program: &SyntaxTree, bodies: &Bodies) -> Vec<Vec<Name>> {
    let mut free: Vec<Vec<Name>> = (0..bodies.all.len()).map(|_| Vec::new()).collect();
    for (index, body) in bodies.all.iter().enumerate().rev() {
        let mut names = std::mem::take(&mut free[index]);
        own_names(program, bodies, index, &mut names);
        names.sort_by_key(|name| name.span);
        let mut seen = FxHashSet::default();
        names.retain(|name| !body.declared.contains_key(&name.symbol) && seen.insert(name.symbol));
        if let Some(parent) = body.parent {
            free[parent].extend(&names);
        }
        free[index] = names;
    }
    free
}

/// The names in a body, but not in the states of its automata.
fn own_names(program: &SyntaxTree, bodies: &Bodies, index: usize, found: &mut Vec<Name>) {
    let place = bodies.all[index].place;
    for local in place.locals(program) {
        match local {
            Local::Variables(group) => {
                type_names(program, group.kind, found);
                found.extend(group.clock.and_then(clock_name));
            }
            Local::Constant(constant) => {
                constant.kind.into_iter().for_each(|kind| type_names(program, kind, found));
                let value = constant.value.into_iter();
                value.for_each(|value| names_read(program, value, &[], found));
            }
        }
    }
    for item in place.items(program) {
        match &program.item(*item).kind {
            ItemKind::Equation(targets, value) => {
                let bound: Vec<Symbol> =
                    targets.iter().flat_map(|t| t.indices.iter().map(|i| i.symbol)).collect();
                names_read(program, *value, &bound, found);
            }
            ItemKind::Assert(condition) => names_read(program, *condition, &[], found),
            ItemKind::Property(property) => {
                names_read(program, property.condition, &[], found);
                let provided = property.provided.into_iter();
                provided.for_each(|provided| names_read(program, provided, &[], found));
            }
            ItemKind::Automaton(automaton) => {
                let unless = automaton.states.iter().flat_map(|state| &state.unless);
                let guards = unless.flat_map(|transition| &transition.arms);
                guards
                    .filter_map(|arm| arm.guard)
                    .for_each(|guard| names_read(program, guard, &[], found));
            }
            _ => {}
        }
    }
    if let BodyOwner::State(id, position) = place
        && let Some(automaton) = automaton(program, id)
    {
        let arms = automaton.states[position].until.iter().flat_map(|transition| &transition.arms);
        arms.filter_map(|arm| arm.guard).for_each(|guard| names_read(program, guard, &[], found));
    }
}

/// The names that an expression reads, but for those that are bound around or in it.
pub(super) fn names_read(
    program: &SyntaxTree,
    root: ExprId,
    bound: &[Symbol],
    found: &mut Vec<Name>,
) {
    let mut bound = bound.to_vec();
    let mut add = |symbol: Symbol, id: ExprId, bound: &[Symbol]| {
        if !bound.contains(&symbol) {
            found.push(Name { symbol, span: program.expr_span(id) });
        }
    };
    for visit in program.walk(root) {
        match visit {
            Visit::Enter(id) => match program.expr(id) {
                Expr::Name(symbol) | Expr::Merge { clock: symbol, .. } => add(symbol, id, &bound),
                Expr::When(_, clock) => {
                    if let Some(name) = clock_name(clock) {
                        add(name.symbol, id, &bound);
                    }
                }
                Expr::Quantified(_, groups, _) => {
                    for group in &program.variables[groups] {
                        let mut names = Vec::new();
                        type_names(program, group.kind, &mut names);
                        for name in names {
                            add(name.symbol, id, &bound);
                        }
                        bound.extend(program.names[group.names].iter().map(|name| name.symbol));
                    }
                }
                Expr::Call(call) => {
                    let mut names = Vec::new();
                    for argument in &program.statics[program.call(call).statics] {
                        match argument {
                            StaticArgument::Type(kind) => {
                                type_names(program, *kind, &mut names);
                            }
                            StaticArgument::Value(value) => {
                                constant_names(program, *value, &mut names);
                            }
                        }
                    }
                    for name in names {
                        add(name.symbol, id, &bound);
                    }
                }
                _ => {}
            },
            Visit::Leave(id) => {
                if let Expr::Quantified(_, groups, _) = program.expr(id) {
                    let groups = &program.variables[groups];
                    let count: usize = groups.iter().map(|group| group.names.len()).sum();
                    bound.truncate(bound.len() - count);
                }
            }
        }
    }
}

fn clock_name(clock: Clock) -> Option<Name> {
    match clock {
        Clock::Base => None,
        Clock::On(name) | Clock::Not(name) | Clock::Value { clock: name, .. } => Some(name),
    }
}

fn type_names(program: &SyntaxTree, kind: TypeId, found: &mut Vec<Name>) {
    let mut symbols = Vec::new();
    program.names_in_type(kind, &mut symbols);
    let span = program.kind_span(kind);
    found.extend(symbols.into_iter().map(|symbol| Name { symbol, span }));
}

fn constant_names(program: &SyntaxTree, value: ExprId, found: &mut Vec<Name>) {
    let mut symbols = Vec::new();
    program.names_in_constant(value, &mut symbols);
    let span = program.expr_span(value);
    found.extend(symbols.into_iter().map(|symbol| Name { symbol, span }));
}

impl Rewriter<'_> {
    /// What the node of a body takes over to read these names. What it defines it reads as its
    /// own; names that are not of the node are those of the file.
    pub(super) fn interface(&mut self, body: usize, reads: &[Name], defined: &[Name]) -> Interface {
        let mut interface = Interface { inputs: Vec::new(), constants: Vec::new() };
        let mut seen: FxHashSet<Symbol> = FxHashSet::default();
        let mut todo: Vec<Name> = reads.iter().rev().copied().collect();
        // The types of outputs may mention constants too.
        for name in defined {
            if let Some((_, kind)) = self.bodies.variable(body, name.symbol) {
                type_names(self.program, kind, &mut todo);
            }
        }
        while let Some(name) = todo.pop() {
            let own = defined.iter().any(|output| output.symbol == name.symbol);
            if own || !seen.insert(name.symbol) {
                continue;
            }
            let Some((declared, what)) = self.bodies.declaration(body, name.symbol) else {
                todo.extend(self.flattened(body, name));
                continue;
            };
            let (kind, value, variability) = match what {
                Declared::Variable(group) => (Some(group.kind), None, group.variability),
                Declared::Constant(kind, value) => (kind, value, Variability::Constant),
            };
            if let Some(kind) = kind {
                type_names(self.program, kind, &mut todo);
            }
            if let Some(value) = value {
                constant_names(self.program, value, &mut todo);
            }
            let kind = kind.map(|kind| self.program.copy_type(kind));
            if let Some(value) = value {
                let value = Some(self.program.copy_expr(value));
                let (names, span, trivia) = (vec![declared], declared.span, Trivia::default());
                interface.constants.push(Constant { names, kind, value, span, trivia });
            } else if let Some(kind) = kind {
                interface.inputs.push(Input { declared, read: name, kind, variability });
            }
        }
        interface
    }

    /// The variables with names such as `msg.buff[0]` that a path from this name may lead to.
    fn flattened(&self, body: usize, name: Name) -> Vec<Name> {
        let start = self.program.text(name.symbol);
        let mut found = Vec::new();
        let mut at = Some(body);
        while let Some(index) = at {
            let symbols = self.bodies.all[index].declared.keys();
            found.extend(symbols.copied().filter(|symbol| {
                let rest = self.program.text(*symbol).strip_prefix(start);
                rest.is_some_and(|rest| rest.starts_with(['.', '[']))
            }));
            at = self.bodies.all[index].parent;
        }
        found.sort_unstable();
        found.into_iter().map(|symbol| Name { symbol, span: name.span }).collect()
    }
}
