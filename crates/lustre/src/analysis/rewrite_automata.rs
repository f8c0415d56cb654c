//! Rewriting, third: automata become equations, and their states nodes.
//!
//! This is Kind 2's translation. The body of a state is a node of its own, called only while the
//! state is active and restarted when it is entered by `restart`; so its delays and calls live on
//! the activity of the state. Its inputs are what it reads, its outputs what it defines, the next
//! state, and whether to restart that. An automaton `A` with the states `S` and `T` becomes
//!
//! ```text
//! entered state = S -> pre next state;   entered restart = false -> pre next restart;
//! state, restart = merge entered state (S -> A.S.unless(…)) (T -> A.T.unless(…));
//! next state, next restart, x = merge state (S -> A.S(…)) (T -> A.T(…));
//! ```
//!
//! Strong transitions (`unless`) are decided before the step, by a node per state that has them;
//! without any, the state entered is the state. Weak ones (`until`) are decided by the state's
//! body, for the next instant. In one instant at most one strong and one weak one are taken. A
//! restart that a strong transition overrides is forgotten.
//!
//! Kind 2 lets a variable that a state does not define be anything; here it is an error.

use rustc_hash::FxHashMap;

use super::bodies::{Bodies, BodyOwner, automaton, keyword, node_at, nodes_with_a_body};
use super::report::Report;
use obligato_lustre_syntax::ast::{
    Automaton, Declaration, DeclarationKind, Entry, Expr, ExprId, ItemId, Local, Name, NamedExpr,
    Symbol, SyntaxTree, TypeDeclaration, TypeDefinition, Variability,
};
use obligato_lustre_syntax::source::ByteSpan;

mod checks;
mod parts;
mod reads;

use parts::NewNode;
use reads::Input;

/// Rewrites the automata of all nodes.
pub fn rewrite_automata(program: &mut SyntaxTree, report: &mut Report) {
    if !(0..program.item_count()).any(|index| automaton(program, ItemId::new(index)).is_some()) {
        return;
    }
    let mut added = Vec::new();
    for declaration in nodes_with_a_body(program) {
        let bodies = Bodies::new(program, declaration, report);
        if bodies.states.is_empty() {
            continue;
        }
        let reads = reads::free_names(program, &bodies);
        let paths = paths(program, &bodies);
        let mut rewriter =
            Rewriter { program, report, bodies, reads, paths, declarations: Vec::new() };
        // A state's node takes its body as it is in the end: inner ones first.
        let mut declarations = Vec::new();
        for index in (0..rewriter.bodies.all.len()).rev() {
            rewriter.body(index);
            declarations.push(std::mem::take(&mut rewriter.declarations));
        }
        added.push((declaration, declarations.into_iter().rev().flatten().collect::<Vec<_>>()));
    }
    // The nodes of states stand before the node they are of, which may be the last of the file.
    for (position, declarations) in added.into_iter().rev() {
        program.declarations.splice(position..position, declarations);
    }
}

/// The names of bodies as users see them: `node`, `node.automaton.state`.
fn paths(program: &SyntaxTree, bodies: &Bodies) -> Vec<String> {
    let mut paths: Vec<String> = Vec::new();
    for body in &bodies.all {
        let path = match (body.place, body.parent) {
            (BodyOwner::State(id, state), Some(parent)) => {
                let name = automaton_name(program, &bodies.all[parent].automata, id);
                let state = automaton(program, id)
                    .map_or("", |automaton| program.text(automaton.states[state].name.symbol));
                format!("{}.{name}.{state}", paths[parent])
            }
            (BodyOwner::Node(declaration), _) => {
                program.text(node_at(program, declaration).0.name.symbol).to_owned()
            }
            (BodyOwner::State(..), None) => unreachable!("invariant: a state stands in a body"),
        };
        paths.push(path);
    }
    paths
}

/// The name of an automaton; those without are numbered.
fn automaton_name(program: &SyntaxTree, all: &[ItemId], id: ItemId) -> String {
    if let Some(name) = automaton(program, id).and_then(|automaton| automaton.name) {
        return program.text(name.symbol).to_owned();
    }
    let nameless = |id: &&ItemId| automaton(program, **id).is_some_and(|a| a.name.is_none());
    match all.iter().filter(nameless).position(|other| *other == id) {
        Some(position) if position > 0 => format!("automaton{}", position + 1),
        _ => "automaton".to_owned(),
    }
}

struct Rewriter<'a> {
    program: &'a mut SyntaxTree,
    report: &'a mut Report,
    bodies: Bodies,
    /// By body, the names it reads that it does not declare.
    reads: Vec<Vec<Name>>,
    paths: Vec<String>,
    /// What the body at hand adds to the file: the types and nodes of states.
    declarations: Vec<Declaration>,
}

/// The state that the last instant decided to enter, and whether to restart it.
#[derive(Clone, Copy)]
struct Entered {
    state: Name,
    restart: Name,
}

/// The variables of an automaton.
struct Variables {
    kind: Name,
    state: Name,
    restart: Name,
    next_state: Name,
    next_restart: Name,
    /// What the last instant decided, where strong transitions may decide otherwise.
    entered: Option<Entered>,
    /// The values of the states, by their names.
    values: FxHashMap<Symbol, Name>,
    outputs: Vec<Name>,
}

impl Rewriter<'_> {
    fn body(&mut self, index: usize) {
        let place = self.bodies.all[index].place;
        let mut items = Vec::new();
        let mut locals = Vec::new();
        for id in place.items(self.program).to_vec() {
            match automaton(self.program, id).cloned() {
                Some(automaton) => {
                    self.automaton(index, id, &automaton, &mut items, &mut locals);
                }
                None => items.push(id),
            }
        }
        place.replace(self.program, items, locals);
    }

    fn automaton(
        &mut self,
        body: usize,
        id: ItemId,
        automaton: &Automaton,
        items: &mut Vec<ItemId>,
        locals: &mut Vec<Local>,
    ) {
        let place = keyword(self.program.item(id)).span;
        if !self.check(body, id, automaton) {
            return;
        }
        let variables = self.variables(body, id, automaton, place);
        for (variable, kind) in variables.declared() {
            let kind = self.kind(kind, place);
            locals.push(self.program.add_local(variable, kind));
        }
        let Variables { state, restart, .. } = variables;
        let first = variables.entered.unwrap_or(Entered { state, restart });
        let initial = &automaton.states[automaton.initial()].name.symbol;
        let initial = self.program.add_name(Name { span: place, ..variables.values[initial] });
        let state = self.program.add_delay(initial, variables.next_state);
        items.push(self.program.add_equation(&[first.state], state, place));
        let no = self.program.add_expr(Expr::Bool(false), place);
        let restart = self.program.add_delay(no, variables.next_restart);
        items.push(self.program.add_equation(&[first.restart], restart, place));
        let states = self.bodies.states.get(&id).cloned().unwrap_or_default();
        if let Some(entered) = variables.entered {
            let value = self.strong(body, automaton, &variables, entered, place);
            let targets = [variables.state, variables.restart];
            items.push(self.program.add_equation(&targets, value, place));
        }
        let value = self.steps(&states, automaton, &variables, place);
        let mut targets = vec![variables.next_state, variables.next_restart];
        targets.extend(&variables.outputs);
        items.push(self.program.add_equation(&targets, value, place));
    }

    /// Names the variables, and declares the type of the states.
    fn variables(
        &mut self,
        body: usize,
        id: ItemId,
        automaton: &Automaton,
        span: ByteSpan,
    ) -> Variables {
        let name = automaton_name(self.program, &self.bodies.all[body].automata, id);
        let path = format!("{}.{name}", self.paths[body]);
        let mut values = FxHashMap::default();
        let mut all = Vec::new();
        for state in &automaton.states {
            let text = format!("{path}.{}", self.program.text(state.name.symbol));
            let value = self.program.unused_name(text, state.name.span);
            values.insert(state.name.symbol, value);
            all.push(value);
        }
        let kind = self.program.unused_name(format!("states of {path}"), span);
        let definition = TypeDefinition::Enumeration(all);
        let declared = TypeDeclaration { names: vec![kind], parameters: Vec::new(), definition };
        self.declare(DeclarationKind::Type(declared), span);
        let outputs = self.outputs(id, automaton);
        let mut new = |what: &str| self.program.new_name(&format!("{what} of {name}"), span);
        let strong = automaton.states.iter().any(|state| !state.unless.is_empty());
        Variables {
            kind,
            state: new("state"),
            restart: new("restart"),
            next_state: new("next state"),
            next_restart: new("next restart"),
            entered: strong.then(|| {
                let (state, restart) = (new("entered state"), new("entered restart"));
                Entered { state, restart }
            }),
            values,
            outputs,
        }
    }

    /// `merge state (S -> A.S(…)) …`: the bodies.
    fn steps(
        &mut self,
        states: &[usize],
        automaton: &Automaton,
        variables: &Variables,
        span: ByteSpan,
    ) -> ExprId {
        let mut branches = Vec::new();
        for (state, body) in automaton.states.iter().zip(states) {
            let value = variables.values[&state.name.symbol];
            let stay = self.target(variables, state.name, Entry::Resume);
            let next = self.transitions(&state.until, stay, variables);
            let targets = [variables.next_state, variables.next_restart];
            let equation = self.program.add_equation(&targets, next, state.span);
            let place = self.bodies.all[*body].place;
            let mut items = place.items(self.program).to_vec();
            items.push(equation);
            let locals = place.locals(self.program).to_vec();
            let reads = self.reads[*body].clone();
            let interface = self.interface(*body, &reads, &variables.outputs);
            let call = self.call(value, &interface, variables.state, value, variables.restart);
            branches.push(NamedExpr { name: value, value: call });
            let mut outputs = vec![
                (variables.next_state, self.kind(Some(variables.kind), value.span)),
                (variables.next_restart, self.kind(None, value.span)),
            ];
            for output in &variables.outputs {
                // An unknown one is reported where it is defined.
                if let Some((name, kind)) = self.bodies.variable(*body, output.symbol) {
                    outputs.push((name, self.program.copy_type(kind)));
                }
            }
            let (name, span) = (value, state.span);
            self.node(NewNode { name, span, interface, outputs, locals, items });
        }
        self.merge(variables.state, branches, span)
    }

    /// `merge entered state (S -> A.S.unless(…)) …`: what the strong transitions decide.
    fn strong(
        &mut self,
        body: usize,
        automaton: &Automaton,
        variables: &Variables,
        Entered { state: entered, restart }: Entered,
        span: ByteSpan,
    ) -> ExprId {
        let mut branches = Vec::new();
        for state in &automaton.states {
            let value = variables.values[&state.name.symbol];
            if state.unless.is_empty() {
                let stay = self.program.add_name(value);
                let restart = self.when(restart, entered, value);
                let both = self.program.add_list_expr(vec![stay, restart], value.span);
                branches.push(NamedExpr { name: value, value: both });
                continue;
            }
            let stay = self.program.add_name(value);
            let restarted = self.program.add_name(restart);
            let stay = self.program.add_list_expr(vec![stay, restarted], value.span);
            let next = self.transitions(&state.unless, stay, variables);
            let targets = [variables.state, variables.restart];
            let equation = self.program.add_equation(&targets, next, state.span);
            let guards = state.unless.iter().flat_map(|transition| &transition.arms);
            let mut reads = Vec::new();
            for guard in guards.filter_map(|arm| arm.guard) {
                reads::names_read(self.program, guard, &[], &mut reads);
            }
            let mut interface = self.interface(body, &reads, &[]);
            let kind = self.kind(None, value.span);
            let variability = Variability::Stream;
            interface.inputs.push(Input { declared: restart, read: restart, kind, variability });
            let text = format!("{}.unless", self.program.text(value.symbol));
            let name = self.program.unused_name(text, value.span);
            let call = self.call(name, &interface, entered, value, restart);
            branches.push(NamedExpr { name: value, value: call });
            let outputs = vec![
                (variables.state, self.kind(Some(variables.kind), value.span)),
                (variables.restart, self.kind(None, value.span)),
            ];
            let (span, locals, items) = (state.span, Vec::new(), vec![equation]);
            self.node(NewNode { name, span, interface, outputs, locals, items });
        }
        self.merge(entered, branches, span)
    }
}

impl Variables {
    /// The variables to declare, with the name of their type; without one it is `bool`.
    fn declared(&self) -> Vec<(Name, Option<Name>)> {
        let mut all = vec![
            (self.state, Some(self.kind)),
            (self.restart, None),
            (self.next_state, Some(self.kind)),
            (self.next_restart, None),
        ];
        if let Some(Entered { state, restart }) = self.entered {
            all.extend([(state, Some(self.kind)), (restart, None)]);
        }
        all
    }
}
