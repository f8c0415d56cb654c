//! Rewriting: `subtype { x: t | e }` becomes its type, and its condition a clause.
//!
//! What an input keeps to its node assumes, what an output or a variable of its contract keeps to
//! it guarantees, and what a local variable keeps to is a property; so callers are checked, as for
//! any contract. A type with a condition stands as the type of a variable of a node or contract, or
//! behind a name for such a type. In arrays, tuples, records, constants and quantifiers it is
//! refused.

use rustc_hash::FxHashMap;

use super::kind::DEEPEST;
use super::report::Report;
use obligato_lustre_syntax::ast::{
    Body, Claim, Clause, ContractItem, ContractItemKind, DeclarationKind, Expr, ExprId, Force,
    Item, ItemKind, List, Local, Name, Property, PropertyNotation, Signature, Symbol, SyntaxTree,
    Trivia, Type, TypeDefinition, TypeId, VariableGroup,
};
use obligato_lustre_syntax::diagnostic::Diagnostic;
use obligato_lustre_syntax::source::ByteSpan;

/// So many expressions the conditions of types may add to a model.
const MOST_COPIED: usize = 1 << 22;

/// Rewrites the types with conditions of all nodes, and refuses them elsewhere.
pub fn rewrite_refinements(program: &mut SyntaxTree, report: &mut Report) {
    let refined = |kind: &Type| matches!(kind, Type::Refined { .. });
    if !program.types().iter().any(refined) {
        return;
    }
    let aliases = aliases(program);
    check_places(program, &aliases, report);
    if report.error_count() > 0 {
        return;
    }
    let uses = count_uses(program, &aliases);
    forget_unused(program, &uses);
    let most = program.exprs().len().saturating_add(MOST_COPIED);
    let mut rewriter = Rewriter { program, aliases, uses };
    for index in 0..rewriter.program.declarations.len() {
        rewriter.declaration(index);
        if rewriter.program.exprs().len() > most {
            let text = "there are too many variables whose types have conditions";
            let span = rewriter.program.declarations[index].span;
            report.add(Diagnostic::error(span, text));
            return;
        }
    }
    // Bases come before what refines them.
    for id in (0..program.types().len()).map(TypeId::new) {
        if let Type::Refined { base, .. } = program.kind(id) {
            program.replace_type(id, program.kind(base));
        }
    }
}

/// The types that have names of their own.
fn aliases(program: &SyntaxTree) -> FxHashMap<Symbol, TypeId> {
    let mut aliases = FxHashMap::default();
    for declaration in &program.declarations {
        if let DeclarationKind::Type(declared) = &declaration.kind
            && let TypeDefinition::Alias(kind) = declared.definition
        {
            aliases.extend(declared.names.iter().map(|name| (name.symbol, kind)));
        }
    }
    aliases
}

/// The conditions of a type, each with the name of what it speaks of, and what is left without.
fn peel(
    program: &SyntaxTree,
    aliases: &FxHashMap<Symbol, TypeId>,
    mut at: TypeId,
) -> (Vec<(Symbol, ExprId)>, TypeId) {
    let mut conditions = Vec::new();
    // What goes deeper, or contains itself, is refused by the check of places.
    for _ in 0..DEEPEST {
        match layer(program, aliases, at) {
            Some((condition, inner)) => {
                conditions.extend(condition);
                at = inner;
            }
            None => break,
        }
    }
    (conditions, at)
}

/// The outermost condition or name of a type, and the type behind it.
fn layer(
    program: &SyntaxTree,
    aliases: &FxHashMap<Symbol, TypeId>,
    id: TypeId,
) -> Option<(Option<(Symbol, ExprId)>, TypeId)> {
    match program.kind(id) {
        Type::Refined { name, base, condition } => Some((Some((name, condition)), base)),
        Type::Named(name, statics) if statics.is_empty() => {
            aliases.get(&name).map(|kind| (None, *kind))
        }
        _ => None,
    }
}

// Places.

fn check_places(program: &SyntaxTree, aliases: &FxHashMap<Symbol, TypeId>, report: &mut Report) {
    let mut inner = Vec::new();
    for declaration in &program.declarations {
        match &declaration.kind {
            DeclarationKind::Type(declared) => match &declared.definition {
                TypeDefinition::Alias(kind) => inner.extend(parts(program, aliases, *kind)),
                TypeDefinition::Record(groups) => inner.extend(groups.iter().map(|one| one.kind)),
                _ => {}
            },
            DeclarationKind::Constant(constant) => inner.extend(constant.kind),
            kind => {
                let Declared { inputs, outputs, ghosts, locals } = Declared::of(kind);
                for group in [inputs, outputs, ghosts, locals].into_iter().flatten() {
                    inner.extend(parts(program, aliases, group.kind));
                }
                inner.extend(constants_of(kind));
            }
        }
    }
    for expr in program.exprs() {
        if let Expr::Quantified(_, groups, _) = expr {
            inner.extend(program.variables[*groups].iter().map(|group| group.kind));
        }
    }
    while let Some(id) = inner.pop() {
        let (conditions, rest) = peel(program, aliases, id);
        if layer(program, aliases, rest).is_some() {
            let text = format!("types with conditions nest {DEEPEST} deep, no deeper");
            report.add(Diagnostic::error(program.kind_span(id), text));
            return;
        }
        if !conditions.is_empty() {
            let text = "a type with a condition is not supported here";
            let help = "it is supported for variables of nodes and contracts: use the type \
                        without the condition, and state that by 'assume' or 'check'";
            report.add(Diagnostic::error(program.kind_span(id), text).with_help(help));
            return;
        }
        inner.extend(program.parts_of_type(id));
    }
}

/// What a type is made of once its own conditions are taken off.
fn parts(program: &SyntaxTree, aliases: &FxHashMap<Symbol, TypeId>, id: TypeId) -> Vec<TypeId> {
    let (_, rest) = peel(program, aliases, id);
    match layer(program, aliases, rest) {
        Some(_) => vec![id],
        None => program.parts_of_type(rest),
    }
}

/// The variables of a node or contract.
#[derive(Default)]
struct Declared {
    inputs: Vec<VariableGroup>,
    outputs: Vec<VariableGroup>,
    /// Those of the contract.
    ghosts: Vec<VariableGroup>,
    locals: Vec<VariableGroup>,
}

impl Declared {
    fn of(kind: &DeclarationKind) -> Self {
        let (signature, items, locals) = match kind {
            DeclarationKind::Node(node) => {
                let locals = match &node.body {
                    Body::Defined(definition) => &definition.locals[..],
                    _ => &[],
                };
                (&node.signature, node.contract.as_deref().unwrap_or_default(), locals)
            }
            DeclarationKind::Contract(contract) => {
                (&contract.signature, &contract.items[..], &[][..])
            }
            _ => return Self::default(),
        };
        let ghosts = items.iter().flat_map(|item| match &item.kind {
            ContractItemKind::Variables(groups, _) => &groups[..],
            _ => &[],
        });
        let locals = locals.iter().filter_map(|local| match local {
            Local::Variables(group) => Some(*group),
            Local::Constant(_) => None,
        });
        let Signature { inputs, outputs, .. } = signature.clone();
        Self { inputs, outputs, ghosts: ghosts.copied().collect(), locals: locals.collect() }
    }
}

/// The types of the constants of a node or contract.
fn constants_of(kind: &DeclarationKind) -> Vec<TypeId> {
    let (locals, items) = match kind {
        DeclarationKind::Node(node) => {
            let locals = match &node.body {
                Body::Defined(definition) => &definition.locals[..],
                _ => &[],
            };
            (locals, node.contract.as_deref().unwrap_or_default())
        }
        DeclarationKind::Contract(contract) => (&[][..], &contract.items[..]),
        _ => return Vec::new(),
    };
    let locals = locals.iter().filter_map(|local| match local {
        Local::Constant(constant) => constant.kind,
        Local::Variables(_) => None,
    });
    let items = items.iter().filter_map(|item| match &item.kind {
        ContractItemKind::Constant(constant) => constant.kind,
        _ => None,
    });
    locals.chain(items).collect()
}

// Clauses.

/// How many variables each condition is about.
fn count_uses(
    program: &SyntaxTree,
    aliases: &FxHashMap<Symbol, TypeId>,
) -> FxHashMap<ExprId, usize> {
    let mut uses = FxHashMap::default();
    for declaration in &program.declarations {
        let Declared { inputs, outputs, ghosts, locals } = Declared::of(&declaration.kind);
        for group in [inputs, outputs, ghosts, locals].into_iter().flatten() {
            for (_, condition) in peel(program, aliases, group.kind).0 {
                *uses.entry(condition).or_default() += program.names[group.names].len();
            }
        }
    }
    uses
}

/// A condition about no variable names nothing: scans of all expressions must not find it.
fn forget_unused(program: &mut SyntaxTree, uses: &FxHashMap<ExprId, usize>) {
    let mut todo: Vec<ExprId> = Vec::new();
    for kind in program.types() {
        if let Type::Refined { condition, .. } = kind
            && !uses.contains_key(condition)
        {
            todo.push(*condition);
        }
    }
    while let Some(id) = todo.pop() {
        todo.extend(program.children(id));
        program.replace_expr(id, Expr::Bool(true));
    }
}

struct Rewriter<'p> {
    program: &'p mut SyntaxTree,
    aliases: FxHashMap<Symbol, TypeId>,
    /// How many variables a condition is still to be a clause of; the last one takes it.
    uses: FxHashMap<ExprId, usize>,
}

impl Rewriter<'_> {
    fn declaration(&mut self, index: usize) {
        let Declared { inputs, mut outputs, ghosts, locals } =
            Declared::of(&self.program.declarations[index].kind);
        outputs.extend(ghosts);
        let assume = |clause| ContractItemKind::Assume(clause, Force::Strict);
        let guarantee = |clause| ContractItemKind::Guarantee(clause, Force::Strict);
        let assumed = self.clauses(&inputs).into_iter().map(|(one, span)| (assume(one), span));
        let mut clauses: Vec<_> = assumed.collect();
        let promised = self.clauses(&outputs).into_iter();
        clauses.extend(promised.map(|(one, span)| (guarantee(one), span)));
        let clauses = clauses.into_iter().map(|(kind, span)| ContractItem {
            kind,
            span,
            trivia: Trivia::default(),
        });
        let clauses: Vec<_> = clauses.collect();
        let mut items = Vec::new();
        for (Clause { title, condition }, span) in self.clauses(&locals) {
            let (claim, notation) = (Claim::Invariant, PropertyNotation::Check);
            let property = Property { title, claim, condition, provided: None, notation };
            let (kind, trivia) = (ItemKind::Property(property), Trivia::default());
            items.push(self.program.add_item(Item { kind, span, trivia }));
        }
        match &mut self.program.declarations[index].kind {
            DeclarationKind::Contract(contract) => contract.items.extend(clauses),
            DeclarationKind::Node(node) => {
                if !clauses.is_empty() {
                    node.contract.get_or_insert_default().extend(clauses);
                }
                if let Body::Defined(definition) = &mut node.body {
                    definition.items.extend(items);
                }
            }
            _ => {}
        }
    }

    /// A clause per variable and condition of its type, with the place of the variable.
    fn clauses(&mut self, groups: &[VariableGroup]) -> Vec<(Clause, ByteSpan)> {
        let mut clauses = Vec::new();
        for group in groups {
            let (conditions, _) = peel(self.program, &self.aliases, group.kind);
            let names = self.program.names[group.names].to_vec();
            for name in names {
                for (bound, condition) in &conditions {
                    clauses.push((self.clause(name, *bound, *condition), name.span));
                }
            }
        }
        clauses
    }

    fn clause(&mut self, name: Name, bound: Symbol, condition: ExprId) -> Clause {
        let left = self.uses.entry(condition).or_default();
        *left = left.saturating_sub(1);
        let last = *left == 0;
        let condition = if last { condition } else { self.program.copy_expr(condition) };
        let title = format!("'{}' is of its type", self.program.text(name.symbol));
        let title = self.program.symbols.intern(&title);
        rename(self.program, condition, bound, name.symbol);
        Clause { title: Some(title), condition }
    }
}

/// Lets an expression speak of another variable, where no quantifier inside it hides the one.
pub fn rename(program: &mut SyntaxTree, root: ExprId, from: Symbol, to: Symbol) {
    let mut todo = vec![root];
    while let Some(id) = todo.pop() {
        match program.expr(id) {
            Expr::Name(name) if name == from => program.replace_expr(id, Expr::Name(to)),
            Expr::Quantified(_, groups, _) if binds(program, groups, from) => {}
            _ => todo.extend(program.children(id)),
        }
    }
}

fn binds(program: &SyntaxTree, groups: List<VariableGroup>, symbol: Symbol) -> bool {
    let mut names = program.variables[groups].iter().flat_map(|group| &program.names[group.names]);
    names.any(|name| name.symbol == symbol)
}
