//! Rewriting: `any { x: t | e }` becomes a variable that nothing defines, and an assertion.
//!
//! As in Kind 2, each occurrence is some value in each step for which `e` holds, and `e` holds in
//! every step, also where a branch around it is not taken. What a function gives follows from its
//! arguments, so there is no `any` in it; nor where the value would be another one for each value
//! of an index.

use rustc_hash::FxHashMap;

use super::bodies::{Bodies, BodyOwner, node_at, nodes_with_a_body};
use super::report::Report;
use super::rewrite_refinements::rename;
use obligato_lustre_syntax::ast::{
    Expr, ExprId, Item, ItemId, ItemKind, Local, Name, NodeKind, Quantifier, Symbol, SyntaxTree,
    Trivia, Visit,
};
use obligato_lustre_syntax::diagnostic::Diagnostic;

/// Rewrites `any` in all nodes, and refuses it elsewhere.
pub fn rewrite_any(program: &mut SyntaxTree, report: &mut Report) {
    if !(0..program.exprs().len()).any(|index| is_any(program, ExprId::new(index))) {
        return;
    }
    for declaration in nodes_with_a_body(program) {
        if node_at(program, declaration).0.kind == NodeKind::Function {
            continue;
        }
        let bodies = Bodies::new(program, declaration, report);
        let mut counts = FxHashMap::default();
        for body in &bodies.all {
            rewrite_body(program, body.place, &mut counts);
        }
    }
    for id in (0..program.exprs().len()).map(ExprId::new) {
        if is_any(program, id) {
            let text = "'any' stands only in equations, assertions and properties of a node";
            let help = "give the value a variable of the node, 'x = any { … };', and use that; \
                        it cannot depend on an index or on the variable of a quantifier";
            report.add(Diagnostic::error(program.expr_span(id), text).with_help(help));
        }
    }
}

fn is_any(program: &SyntaxTree, id: ExprId) -> bool {
    matches!(program.expr(id), Expr::Quantified(Quantifier::Any, ..))
}

/// How many new variables of a node are named after each.
type Counts = FxHashMap<Symbol, usize>;

fn rewrite_body(program: &mut SyntaxTree, place: BodyOwner, counts: &mut Counts) {
    let mut items = place.items(program).to_vec();
    let mut found = Vec::new();
    for root in roots(program, &items) {
        collect(program, root, &mut found);
    }
    // Outer ones come first: the condition of an inner one may speak of the value of an outer.
    found.sort_by_key(|id| program.expr_span(*id).start);
    let mut locals = Vec::new();
    for id in found {
        replace(program, id, counts, &mut items, &mut locals);
    }
    if !locals.is_empty() {
        place.replace(program, items, locals);
    }
}

/// The expressions of items and of the blocks among them, but not those of states.
fn roots(program: &SyntaxTree, items: &[ItemId]) -> Vec<ExprId> {
    let mut roots = Vec::new();
    let mut todo = items.to_vec();
    while let Some(id) = todo.pop() {
        let kind = &program.item(id).kind;
        match kind {
            ItemKind::Equation(targets, value)
                if targets.iter().all(|target| target.indices.is_empty()) =>
            {
                roots.push(*value);
            }
            ItemKind::Assert(condition) => roots.push(*condition),
            ItemKind::Property(property) => {
                roots.push(property.condition);
                roots.extend(property.provided);
            }
            ItemKind::If(branches, _) => {
                roots.extend(branches.iter().map(|branch| branch.condition));
                todo.extend(kind.contents());
            }
            ItemKind::Frame(_) => todo.extend(kind.contents()),
            _ => {}
        }
    }
    roots
}

/// The occurrences in an expression that no quantifier is around.
fn collect(program: &SyntaxTree, root: ExprId, found: &mut Vec<ExprId>) {
    let mut quantifiers = 0_usize;
    for visit in program.walk(root) {
        let (Visit::Enter(id) | Visit::Leave(id)) = visit;
        match (visit, program.expr(id)) {
            (Visit::Enter(_), Expr::Quantified(Quantifier::Any, ..)) if quantifiers == 0 => {
                found.push(id);
            }
            (_, Expr::Quantified(Quantifier::Any, ..)) => {}
            (Visit::Enter(_), Expr::Quantified(..)) => quantifiers += 1,
            (Visit::Leave(_), Expr::Quantified(..)) => quantifiers -= 1,
            _ => {}
        }
    }
}

/// Puts a new variable in the place of an occurrence, and asserts its condition.
fn replace(
    program: &mut SyntaxTree,
    id: ExprId,
    counts: &mut Counts,
    items: &mut Vec<ItemId>,
    locals: &mut Vec<Local>,
) {
    let Expr::Quantified(Quantifier::Any, groups, condition) = program.expr(id) else { return };
    let Some(&group) = program.variables[groups].first() else { return };
    let Some(&bound) = program.names[group.names].first() else { return };
    let span = program.expr_span(id);
    let name = name_of(program, bound, counts);
    rename(program, condition, bound.symbol, name.symbol);
    program.replace_expr(id, Expr::Name(name.symbol));
    let kind = program.copy_type(group.kind);
    locals.push(program.add_local(name, kind));
    if program.expr(condition) != Expr::Bool(true) {
        let kind = ItemKind::Assert(condition);
        items.push(program.add_item(Item { kind, span, trivia: Trivia::default() }));
    }
}

/// `any_x`, `any_x2`, …: a name that stands nowhere in the text.
fn name_of(program: &mut SyntaxTree, bound: Name, counts: &mut Counts) -> Name {
    let count = counts.entry(bound.symbol).or_default();
    *count += 1;
    let mut text = format!("any_{}", program.text(bound.symbol));
    if *count > 1 {
        text.push_str(&count.to_string());
    }
    let written = |text: &str| {
        program.symbols.find(text).is_some_and(|symbol| program.is_written_name(symbol))
    };
    while written(&text) {
        text.push('\'');
    }
    program.new_name(&text, bound.span)
}
