//! Rewriting, second: `last x` becomes a variable.
//!
//! `last x` is the value that `x` had at the previous instant of the body that declares `x`,
//! whatever state or branch asks for it. So that body gets a variable `last x`, defined as
//! `pre x`, which inner bodies read like any other. A frame with a first value for `x` has
//! defined the variable already. What names no variable stays, for the resolution of names to
//! refuse.

use rustc_hash::FxHashSet;

use super::bodies::{Bodies, BodyOwner, automaton, nodes_with_a_body};
use super::report::Report;
use obligato_lustre_syntax::ast::{Expr, ExprId, ItemKind, Name, Symbol, SyntaxTree, Visit};

/// Rewrites `last` in all nodes; gives the uses that have no value at the first instant unless
/// something stands in for it.
pub fn rewrite_last(program: &mut SyntaxTree, report: &mut Report) -> FxHashSet<ExprId> {
    let mut uninitialised = FxHashSet::default();
    if program.exprs().iter().any(|expr| matches!(expr, Expr::Last(_))) {
        for declaration in nodes_with_a_body(program) {
            rewrite_node(program, declaration, &mut uninitialised, report);
        }
    }
    uninitialised
}

/// A variable whose last value is asked for, in the body that declares it.
struct Wanted {
    body: usize,
    name: Name,
}

fn rewrite_node(
    program: &mut SyntaxTree,
    declaration: usize,
    uninitialised: &mut FxHashSet<ExprId>,
    report: &mut Report,
) {
    let bodies = Bodies::new(program, declaration, report);
    let mut wanted: Vec<Wanted> = Vec::new();
    let mut seen: FxHashSet<(usize, Symbol)> = FxHashSet::default();
    for index in 0..bodies.all.len() {
        for (root, first) in roots(program, &bodies, index) {
            for (id, symbol) in lasts(program, root) {
                let name = Name { symbol, span: program.expr_span(id) };
                let last = program.last_name(name);
                let kept = bodies.find(index, last.symbol);
                let body = bodies.find(index, symbol);
                let Some(body) = body.filter(|_| bodies.variable(index, symbol).is_some()) else {
                    continue;
                };
                program.replace_expr(id, Expr::Name(last.symbol));
                // A frame of an inner body may have a first value.
                if kept.is_some_and(|frame| frame >= body) {
                    continue;
                }
                if first {
                    uninitialised.insert(id);
                }
                if seen.insert((body, symbol)) {
                    wanted.push(Wanted { body, name });
                }
            }
        }
    }
    wanted.sort_by_key(|wanted| wanted.body);
    for of_body in wanted.chunk_by(|one, other| one.body == other.body) {
        define(program, &bodies, of_body);
    }
}

/// Declares and defines variables of one body.
fn define(program: &mut SyntaxTree, bodies: &Bodies, wanted: &[Wanted]) {
    let place = bodies.all[wanted[0].body].place;
    let mut items = place.items(program).to_vec();
    let mut locals = Vec::new();
    for Wanted { body, name } in wanted {
        let Some((_, kind)) = bodies.variable(*body, name.symbol) else { continue };
        let last = program.last_name(*name);
        let kind = program.copy_type(kind);
        locals.push(program.add_local(last, kind));
        let value = program.add_pre(*name);
        items.push(program.add_equation(&[last], value, name.span));
    }
    place.replace(program, items, locals);
}

/// The expressions of a body, and whether they may count at the first instant of the node.
///
/// Strong transitions are decided before their state's body, by the body around it.
fn roots(program: &SyntaxTree, bodies: &Bodies, index: usize) -> Vec<(ExprId, bool)> {
    let body = &bodies.all[index];
    let first = may_be_first(program, bodies, index);
    let mut found = Vec::new();
    for item in body.place.items(program) {
        match &program.item(*item).kind {
            ItemKind::Equation(_, value) => found.push((*value, first)),
            ItemKind::Assert(condition) => found.push((*condition, first)),
            ItemKind::Property(property) => {
                found.push((property.condition, first));
                found.extend(property.provided.map(|provided| (provided, first)));
            }
            _ => {}
        }
    }
    for automaton in body.automata.iter().filter_map(|id| automaton(program, *id)) {
        let initial = automaton.initial();
        for (position, state) in automaton.states.iter().enumerate() {
            let guards = state.unless.iter().flat_map(|transition| &transition.arms);
            let first = first && position == initial;
            found.extend(guards.filter_map(|arm| arm.guard).map(|guard| (guard, first)));
        }
    }
    if let BodyOwner::State(id, position) = body.place
        && let Some(automaton) = automaton(program, id)
    {
        let arms = automaton.states[position].until.iter().flat_map(|transition| &transition.arms);
        found.extend(arms.filter_map(|arm| arm.guard).map(|guard| (guard, first)));
    }
    found
}

/// May a body be active at the first instant? A state may if it is the initial one, or if the
/// initial one can be left for it before the step.
fn may_be_first(program: &SyntaxTree, bodies: &Bodies, index: usize) -> bool {
    let mut at = index;
    while let (BodyOwner::State(id, position), Some(parent)) =
        (bodies.all[at].place, bodies.all[at].parent)
    {
        let Some(automaton) = automaton(program, id) else { return true };
        let initial = automaton.initial();
        let name = automaton.states[position].name.symbol;
        let mut left =
            automaton.states[initial].unless.iter().flat_map(|transition| &transition.arms);
        if position != initial && left.all(|arm| arm.state.symbol != name) {
            return false;
        }
        at = parent;
    }
    true
}

fn lasts(program: &SyntaxTree, root: ExprId) -> Vec<(ExprId, Symbol)> {
    let found = program.walk(root).filter_map(|visit| match visit {
        Visit::Enter(id) => match program.expr(id) {
            Expr::Last(symbol) => Some((id, symbol)),
            _ => None,
        },
        Visit::Leave(_) => None,
    });
    found.collect()
}
