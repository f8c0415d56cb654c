//! The bodies of a node: its own, and those of the states of its automata, however nested.
//!
//! The passes that rewrite blocks, `last` and automata look names up from body to body outwards,
//! so a body comes after the one that it stands in.

use rustc_hash::{FxHashMap, FxHashSet};

use super::report::Report;
use obligato_lustre_syntax::ast::{
    Automaton, Body as NodeBody, Constant, DeclarationKind, ExprId, Item, ItemId, ItemKind, Local,
    Name, Node, Signature, Symbol, SyntaxTree, TypeId, VariableGroup,
};
use obligato_lustre_syntax::diagnostic::Diagnostic;

/// Automata may nest so deep: every level is a call.
const MOST_LEVELS: usize = 64;

/// What a body belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyOwner {
    /// The node, by the position of its declaration.
    Node(usize),
    /// A state, by its automaton and its position there.
    State(ItemId, usize),
}

/// What a name is declared as.
#[derive(Clone, Copy, Debug)]
pub enum Declared {
    /// A variable, with those declared together with it.
    Variable(VariableGroup),
    /// A constant: its type and its value, as far as they are written.
    Constant(Option<TypeId>, Option<ExprId>),
}

/// A body.
#[derive(Clone, Debug)]
pub struct Body {
    /// Where it stands.
    pub place: BodyOwner,
    /// The body that it stands in, by position.
    pub parent: Option<usize>,
    /// What is declared for it, with the names where they are declared.
    pub declared: FxHashMap<Symbol, (Name, Declared)>,
    /// The automata in it, in blocks or not.
    pub automata: Vec<ItemId>,
    /// The variables that it defines, but not its own, where they are first defined.
    pub defined: Vec<Name>,
    level: usize,
}

/// The bodies of a node, each after the one it stands in.
#[derive(Clone, Debug)]
pub struct Bodies {
    /// The bodies.
    pub all: Vec<Body>,
    /// By automaton, the bodies of its states.
    pub states: FxHashMap<ItemId, Vec<usize>>,
}

/// The positions of the declarations of nodes that have a body.
pub fn nodes_with_a_body(program: &SyntaxTree) -> Vec<usize> {
    let has_a_body = |index: &usize| match &program.declarations[*index].kind {
        DeclarationKind::Node(node) => matches!(node.body, NodeBody::Defined(_)),
        _ => false,
    };
    (0..program.declarations.len()).filter(has_a_body).collect()
}

impl Bodies {
    /// Finds the bodies of a node.
    pub fn new(program: &SyntaxTree, declaration: usize, report: &mut Report) -> Self {
        let mut all: Vec<Body> = Vec::new();
        let mut states: FxHashMap<ItemId, Vec<usize>> = FxHashMap::default();
        let mut todo = vec![(BodyOwner::Node(declaration), None)];
        while let Some((place, parent)) = todo.pop() {
            let level = parent.map_or(0, |parent: usize| all[parent].level + 1);
            if let BodyOwner::State(id, _) = place {
                states.entry(id).or_default().push(all.len());
            }
            let items = flat_items(program, place.items(program));
            let automata: Vec<_> =
                items.iter().copied().filter(|id| automaton(program, *id).is_some()).collect();
            if let Some(first) = automata.first().filter(|_| level == MOST_LEVELS) {
                let text = format!("automata may nest {MOST_LEVELS} deep, no deeper");
                report.add(Diagnostic::error(keyword(program.item(*first)).span, text));
            } else {
                let position = all.len();
                let states = automata.iter().flat_map(|id| {
                    let count = automaton(program, *id).map_or(0, |found| found.states.len());
                    (0..count).map(|state| (BodyOwner::State(*id, state), Some(position)))
                });
                let start = todo.len();
                todo.extend(states);
                todo[start..].reverse();
            }
            let declared = place.declared(program);
            let defined = items.iter().flat_map(|id| targets(program.item(*id))).collect();
            all.push(Body { place, parent, declared, automata, defined, level });
        }
        let mut bodies = Self { all, states };
        bodies.collect_definitions(program);
        bodies
    }

    /// What the states of a body's automata define, the body defines.
    fn collect_definitions(&mut self, program: &SyntaxTree) {
        for index in (0..self.all.len()).rev() {
            let body = &mut self.all[index];
            let mut returned: Vec<Name> = Vec::new();
            for id in &body.automata {
                let returns = automaton(program, *id).and_then(|found| found.returns.as_ref());
                returned.extend(returns.into_iter().flatten());
            }
            body.defined.extend(returned);
            body.defined.sort_by_key(|name| name.span);
            let mut seen = FxHashSet::default();
            let is_node = body.parent.is_none();
            body.defined.retain(|name| {
                let own = body.declared.contains_key(&name.symbol);
                (is_node || !own) && seen.insert(name.symbol)
            });
            if let Some(parent) = body.parent {
                let defined = body.defined.clone();
                self.all[parent].defined.extend(defined);
            }
        }
    }

    /// The body that declares a name as it is seen from a body.
    pub fn find(&self, from: usize, symbol: Symbol) -> Option<usize> {
        let mut at = Some(from);
        while let Some(index) = at {
            let body = &self.all[index];
            if body.declared.contains_key(&symbol) {
                return Some(index);
            }
            at = body.parent;
        }
        None
    }

    /// What a name is, seen from a body, and where it is declared.
    pub fn declaration(&self, from: usize, symbol: Symbol) -> Option<(Name, Declared)> {
        self.all[self.find(from, symbol)?].declared.get(&symbol).copied()
    }

    /// A variable seen from a body, where it is declared, and its type.
    pub fn variable(&self, from: usize, symbol: Symbol) -> Option<(Name, TypeId)> {
        match self.declaration(from, symbol)? {
            (name, Declared::Variable(group)) => Some((name, group.kind)),
            (_, Declared::Constant(..)) => None,
        }
    }
}

impl BodyOwner {
    /// What stands in the body.
    pub fn items(self, program: &SyntaxTree) -> &[ItemId] {
        match self {
            Self::Node(declaration) => &node_at(program, declaration).1.items,
            Self::State(id, state) => {
                automaton(program, id).map_or(&[], |found| &found.states[state].items)
            }
        }
    }

    /// What stands before the body's `let`.
    pub fn locals(self, program: &SyntaxTree) -> &[Local] {
        match self {
            Self::Node(declaration) => &node_at(program, declaration).1.locals,
            Self::State(id, state) => {
                automaton(program, id).map_or(&[], |found| &found.states[state].locals)
            }
        }
    }

    /// Replaces what stands in the body, and declares more variables for it.
    pub fn replace(self, program: &mut SyntaxTree, items: Vec<ItemId>, locals: Vec<Local>) {
        let (old_items, old_locals) = match self {
            Self::Node(declaration) => {
                let DeclarationKind::Node(node) = &mut program.declarations[declaration].kind
                else {
                    return;
                };
                let NodeBody::Defined(definition) = &mut node.body else { return };
                (&mut definition.items, &mut definition.locals)
            }
            Self::State(id, state) => match &mut program.item_mut(id).kind {
                ItemKind::Automaton(automaton) => {
                    let state = &mut automaton.states[state];
                    (&mut state.items, &mut state.locals)
                }
                _ => return,
            },
        };
        *old_items = items;
        old_locals.extend(locals);
    }

    fn declared(self, program: &SyntaxTree) -> FxHashMap<Symbol, (Name, Declared)> {
        let mut declared = FxHashMap::default();
        let mut add = |names: &[Name], what: Declared| {
            declared.extend(names.iter().map(|name| (name.symbol, (*name, what))));
        };
        if let Self::Node(declaration) = self {
            let Signature { inputs, outputs, .. } = &node_at(program, declaration).0.signature;
            for group in inputs.iter().chain(outputs) {
                add(&program.names[group.names], Declared::Variable(*group));
            }
        }
        for local in self.locals(program) {
            match local {
                Local::Variables(group) => {
                    add(&program.names[group.names], Declared::Variable(*group));
                }
                Local::Constant(constant) => {
                    let Constant { kind, value, .. } = constant;
                    add(&constant.names, Declared::Constant(*kind, *value));
                }
            }
        }
        declared
    }
}

/// The node of a declaration that has a body.
pub fn node_at(
    program: &SyntaxTree,
    declaration: usize,
) -> (&Node, &obligato_lustre_syntax::ast::Definition) {
    match &program.declarations[declaration].kind {
        DeclarationKind::Node(node) => match &node.body {
            NodeBody::Defined(definition) => (node, definition),
            _ => unreachable!("invariant: only nodes with a body are rewritten"),
        },
        _ => unreachable!("invariant: only nodes are rewritten"),
    }
}

/// The automaton that an item is.
pub fn automaton(program: &SyntaxTree, id: ItemId) -> Option<&Automaton> {
    match &program.item(id).kind {
        ItemKind::Automaton(automaton) => Some(automaton),
        _ => None,
    }
}

/// An automaton's name where it stands, else the keyword `automaton`; its symbol is then of no
/// use.
pub fn keyword(item: &Item) -> Name {
    let start = item.span.start;
    let span =
        obligato_lustre_syntax::source::ByteSpan::new(start, start + "automaton".len() as u32);
    match &item.kind {
        ItemKind::Automaton(Automaton { name: Some(name), .. }) => *name,
        _ => Name { symbol: Symbol::new(0), span },
    }
}

/// Items and those in their blocks, in order; not those in states.
fn flat_items(program: &SyntaxTree, items: &[ItemId]) -> Vec<ItemId> {
    let mut found = Vec::new();
    let mut todo: Vec<ItemId> = items.iter().rev().copied().collect();
    while let Some(id) = todo.pop() {
        found.push(id);
        let start = todo.len();
        match &program.item(id).kind {
            ItemKind::If(branches, otherwise) => {
                todo.extend(branches.iter().flat_map(|branch| &branch.items));
                todo.extend(otherwise.iter().flatten());
            }
            ItemKind::Frame(frame) => todo.extend(&frame.items),
            _ => {}
        }
        todo[start..].reverse();
    }
    found
}

/// What an item itself defines.
fn targets(item: &Item) -> Vec<Name> {
    match &item.kind {
        ItemKind::Equation(targets, _) => targets.iter().map(|target| target.name).collect(),
        ItemKind::Frame(frame) => frame.names.clone(),
        _ => Vec::new(),
    }
}
