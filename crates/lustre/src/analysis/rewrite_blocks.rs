//! Rewriting, first: `if` and `frame` blocks become equations.
//!
//! The meaning is Kind 2's. An `if` block chooses what its variables are; its tests are evaluated
//! once, whatever it defines. What it leaves undefined in a branch keeps its value inside a
//! `frame`, and is an error outside. A variable of a frame that is not defined at all keeps its
//! value too. To keep a value is `last x`, which the frame gives its first value.
//!
//! No dialect has both frames and automata. Here a frame around an automaton keeps what a state
//! does not define.

use rustc_hash::{FxHashMap, FxHashSet};

use super::bodies::{Bodies, automaton, keyword, node_at, nodes_with_a_body};
use super::report::Report;
use obligato_lustre_syntax::ast::{
    Expr, ExprId, Frame, Group, Item, ItemId, ItemKind, Local, Name, NodeKind, Symbol, SyntaxTree,
    Target,
};
use obligato_lustre_syntax::diagnostic::Diagnostic;
use obligato_lustre_syntax::source::ByteSpan;

mod branches;

/// Rewrites the blocks of all nodes.
pub fn rewrite_blocks(program: &mut SyntaxTree, report: &mut Report) {
    let is_block = |index| {
        let kind = &program.item(ItemId::new(index)).kind;
        matches!(kind, ItemKind::If(..) | ItemKind::Frame(_) | ItemKind::Automaton(_))
    };
    if !(0..program.item_count()).any(is_block) {
        return;
    }
    for declaration in nodes_with_a_body(program) {
        let bodies = Bodies::new(program, declaration, report);
        let kind = node_at(program, declaration).0.kind;
        let frames = FxHashMap::default();
        let (items, locals, first_values) = (Vec::new(), Vec::new(), FxHashMap::default());
        let mut rewriter = Rewriter {
            program,
            report,
            bodies,
            kind,
            frames,
            items,
            locals,
            first_values,
            tests: 0,
        };
        for index in 0..rewriter.bodies.all.len() {
            rewriter.body(index);
        }
    }
}

struct Rewriter<'a> {
    program: &'a mut SyntaxTree,
    report: &'a mut Report,
    bodies: Bodies,
    kind: NodeKind,
    /// By automaton, the variables of the frame it stands in.
    frames: FxHashMap<ItemId, FxHashSet<Symbol>>,
    /// What the body at hand becomes.
    items: Vec<ItemId>,
    /// What is declared for it besides.
    locals: Vec<Local>,
    /// Where the frames of the body give variables their first values.
    first_values: FxHashMap<Symbol, ByteSpan>,
    /// How many tests of `if` blocks have a variable.
    tests: u32,
}

impl Rewriter<'_> {
    fn body(&mut self, index: usize) {
        let body = &self.bodies.all[index];
        let (place, automata, in_state) =
            (body.place, body.automata.clone(), body.parent.is_some());
        for id in place.items(self.program).to_vec() {
            self.item(index, id, in_state);
        }
        for id in automata {
            self.complete_states(id);
        }
        self.first_values.clear();
        let (items, locals) = (std::mem::take(&mut self.items), std::mem::take(&mut self.locals));
        place.replace(self.program, items, locals);
    }

    fn item(&mut self, body: usize, id: ItemId, in_state: bool) {
        let item = self.program.item(id);
        let (span, place) = (item.span, keyword(item).span);
        match &item.kind {
            ItemKind::If(..) => self.if_block(body, id, None),
            ItemKind::Frame(_) => {
                let taken =
                    std::mem::replace(&mut self.program.item_mut(id).kind, ItemKind::Main(false));
                if let ItemKind::Frame(frame) = taken {
                    if self.kind == NodeKind::Function {
                        let text = "a function has no memory, so no 'frame' block";
                        self.report.add(Diagnostic::error(first_of(span, "frame"), text));
                    }
                    self.frame(body, frame, span);
                }
            }
            ItemKind::Automaton(_) if self.kind == NodeKind::Function => {
                let text = "a function has no memory, so no automaton";
                self.report.add(Diagnostic::error(place, text));
            }
            ItemKind::Main(_) | ItemKind::Ivc(_) | ItemKind::Realizable(_) if in_state => {
                self.misplaced(id, "a state");
            }
            _ => self.items.push(id),
        }
    }

    fn misplaced(&mut self, id: ItemId, place: &str) {
        let item = self.program.item(id);
        let what = match &item.kind {
            ItemKind::Assert(_) => "an 'assert'",
            ItemKind::Property(_) => "a property",
            ItemKind::Frame(_) => "a 'frame' block",
            ItemKind::Automaton(_) => "an automaton",
            ItemKind::Main(_) => "'--%MAIN'",
            ItemKind::Ivc(_) => "'--%IVC'",
            ItemKind::Realizable(_) => "'--%REALIZABLE'",
            ItemKind::Equation(..) | ItemKind::If(..) => "this",
        };
        let text = format!("{what} cannot stand in {place}");
        self.report.add(Diagnostic::error(item.span, text).with_help("write it outside"));
    }

    // Frames.

    fn frame(&mut self, body: usize, frame: Frame, span: ByteSpan) {
        let names: FxHashSet<Symbol> = frame.names.iter().map(|name| name.symbol).collect();
        for id in frame.initial {
            self.first_value(body, id, &names);
        }
        let mut defined: FxHashSet<Symbol> = FxHashSet::default();
        for id in frame.items {
            match &self.program.item(id).kind {
                ItemKind::Equation(targets, _) => {
                    let targets: Vec<_> = targets.iter().map(|target| target.name).collect();
                    self.expect_listed(&targets, &names);
                    defined.extend(targets.iter().map(|name| name.symbol));
                    self.items.push(id);
                }
                ItemKind::If(..) => {
                    let before = self.items.len();
                    self.if_block(body, id, Some(&names));
                    for item in &self.items[before..] {
                        if let ItemKind::Equation(targets, _) = &self.program.item(*item).kind {
                            defined.extend(targets.iter().map(|target| target.name.symbol));
                        }
                    }
                }
                ItemKind::Automaton(_) if self.kind == NodeKind::Node => {
                    let targets = self.outputs(id);
                    self.expect_listed(&targets, &names);
                    defined.extend(targets.iter().map(|name| name.symbol));
                    self.frames.insert(id, names.clone());
                    self.items.push(id);
                }
                _ => self.misplaced(id, "a 'frame' block"),
            }
        }
        for name in frame.names.iter().filter(|name| !defined.contains(&name.symbol)) {
            let value = self.program.add_expr(Expr::Last(name.symbol), name.span);
            let equation = self.program.add_equation(&[*name], value, span);
            self.items.push(equation);
        }
    }

    fn expect_listed(&mut self, targets: &[Name], names: &FxHashSet<Symbol>) {
        for target in targets.iter().filter(|target| !names.contains(&target.symbol)) {
            let text = self.program.text(target.symbol);
            let text = format!("'{text}' is not among the variables of this frame");
            let help = "add it to the list after 'frame', or define it outside";
            self.report.add(Diagnostic::error(target.span, text).with_help(help));
        }
    }

    /// `x = e` before the `let` of a frame: `last x` is `e -> pre x`.
    fn first_value(&mut self, body: usize, id: ItemId, names: &FxHashSet<Symbol>) {
        let item = self.program.item(id);
        let span = item.span;
        let ItemKind::Equation(targets, value) = item.kind.clone() else {
            return self.misplaced(id, "front of a frame's 'let'");
        };
        let listed: Vec<_> = targets.iter().map(|target| target.name).collect();
        self.expect_listed(&listed, names);
        for (name, value) in self.values(body, &targets, value, "first", span) {
            let Some((_, kind)) = self.bodies.variable(body, name.symbol) else { continue };
            if let Some(previous) = self.first_values.insert(name.symbol, name.span) {
                let text = format!("'{}' has two first values", self.program.text(name.symbol));
                let diagnostic = Diagnostic::error(name.span, text);
                self.report.add(diagnostic.with_related(previous, "the other one is here"));
            }
            let kind = self.program.copy_type(kind);
            let last = self.program.last_name(name);
            let local = self.program.add_local(last, kind);
            self.locals.push(local);
            let value = self.program.add_delay(value, name);
            let equation = self.program.add_equation(&[last], value, span);
            self.items.push(equation);
        }
    }

    /// The value of each variable that an equation defines. If the equation does not have it
    /// piece by piece, new variables, called by what they are for, stand in.
    fn values(
        &mut self,
        body: usize,
        targets: &[Target],
        value: ExprId,
        what: &str,
        span: ByteSpan,
    ) -> Vec<(Name, ExprId)> {
        let plain = targets.iter().all(|target| target.indices.is_empty());
        match (targets, self.program.expr(value)) {
            ([only], _) if plain => return vec![(only.name, value)],
            (_, Expr::Group(Group::List, parts)) if plain && parts.len() == targets.len() => {
                let parts = self.program.expr_lists[parts].iter().copied();
                return targets.iter().map(|target| target.name).zip(parts).collect();
            }
            _ => {}
        }
        let mut values = Vec::new();
        let mut renamed = targets.to_vec();
        for target in &mut renamed {
            let name = target.name;
            let Some((_, kind)) = self.bodies.variable(body, name.symbol) else { continue };
            let text = format!("{what} {}", self.program.text(name.symbol));
            target.name = self.program.new_name(&text, name.span);
            let kind = self.program.copy_type(kind);
            let local = self.program.add_local(target.name, kind);
            self.locals.push(local);
            values.push((name, self.program.add_name(target.name)));
        }
        let kind = ItemKind::Equation(renamed, value);
        let item = Item { kind, span, trivia: obligato_lustre_syntax::ast::Trivia::default() };
        let item = self.program.add_item(item);
        self.items.push(item);
        values
    }

    /// May a variable keep its value in a body, because a frame lists it?
    fn keeps(&self, body: usize, symbol: Symbol) -> bool {
        let mut at = body;
        loop {
            let found = &self.bodies.all[at];
            let (super::bodies::BodyOwner::State(id, _), Some(parent)) =
                (found.place, found.parent)
            else {
                return false;
            };
            if found.declared.contains_key(&symbol) {
                return false;
            }
            if self.frames.get(&id).is_some_and(|names| names.contains(&symbol)) {
                return true;
            }
            at = parent;
        }
    }

    /// What an automaton defines in some state, or returns.
    fn outputs(&self, id: ItemId) -> Vec<Name> {
        let states = self.bodies.states.get(&id).into_iter().flatten();
        let mut all: Vec<Name> =
            states.flat_map(|state| self.bodies.all[*state].defined.clone()).collect();
        if let Some(found) = automaton(self.program, id) {
            all.extend(found.returns.iter().flatten());
        }
        let mut seen = FxHashSet::default();
        all.retain(|name| seen.insert(name.symbol));
        all
    }

    /// States of an automaton in a frame that do not define what other states do.
    fn complete_states(&mut self, id: ItemId) {
        let all = self.outputs(id);
        for state in self.bodies.states.get(&id).cloned().unwrap_or_default() {
            let defined: FxHashSet<Symbol> =
                self.bodies.all[state].defined.iter().map(|name| name.symbol).collect();
            let missing = all.iter().filter(|name| !defined.contains(&name.symbol));
            let kept: Vec<Name> =
                missing.filter(|name| self.keeps(state, name.symbol)).copied().collect();
            let place = self.bodies.all[state].place;
            let mut items = place.items(self.program).to_vec();
            for name in &kept {
                let value = self.program.add_expr(Expr::Last(name.symbol), name.span);
                items.push(self.program.add_equation(&[*name], value, name.span));
            }
            place.replace(self.program, items, Vec::new());
            self.bodies.all[state].defined.extend(kept);
        }
    }
}

fn first_of(span: ByteSpan, word: &str) -> ByteSpan {
    ByteSpan::new(span.start, span.start + word.len() as u32)
}
