//! Pass 2: name resolution.
//!
//! A scope is one slot per symbol; leaving a scope puts back what it hid. Names of an inner
//! scope may hide those of an outer one: a variable hides a constant of the file.

use super::collect_declarations::{Globals, add_constants};
use super::kind::Kinds;
use super::model::{
    CallSite, ConstantId, Contract, Equation, Model, NodeId, Resolution, Target, Variable,
    VariableId, VariableRole,
};
use super::report::Report;
use obligato_lustre_syntax::ast::{
    self, Body, DeclarationKind, ItemId, ItemKind, Local, Name, Signature, Symbol, SyntaxTree,
    Type, TypeDefinition, TypeId, VariableGroup,
};
use obligato_lustre_syntax::diagnostic::Diagnostic;
use obligato_lustre_syntax::source::ByteSpan;

mod contracts;
mod expressions;

/// Resolves all names of the model.
pub fn resolve_names(model: &mut Model, globals: &Globals, report: &mut Report) {
    let program = std::mem::take(&mut model.program);
    let mut resolver = Resolver {
        program: &program,
        slots: vec![None; program.symbols.len()],
        model,
        globals,
        report,
        hidden: Vec::new(),
        level: 0,
        flattened: false,
        calls: Vec::new(),
    };
    resolver.file();
    model.program = program;
}

#[derive(Clone, Copy)]
struct Slot {
    resolution: Resolution,
    span: ByteSpan,
    level: u32,
}

struct Resolver<'a> {
    program: &'a SyntaxTree,
    model: &'a mut Model,
    globals: &'a Globals,
    report: &'a mut Report,
    /// What each symbol stands for now.
    slots: Vec<Option<Slot>>,
    /// What to put back when scopes are left.
    hidden: Vec<(Symbol, Option<Slot>)>,
    level: u32,
    /// Does the node at hand declare names such as `msg.buff[0]`?
    flattened: bool,
    /// The calls of the node at hand.
    calls: Vec<CallSite>,
}

/// A scope to come back to.
struct Mark {
    hidden: usize,
}

impl Resolver<'_> {
    fn file(&mut self) {
        let mut values: Vec<_> = self.globals.values.iter().collect();
        values.sort_unstable_by_key(|(symbol, _)| **symbol);
        for (symbol, (resolution, span)) in values {
            self.slots[symbol.index()] =
                Some(Slot { resolution: *resolution, span: *span, level: 0 });
        }
        let program = self.program;
        let mut node = 0;
        for declaration in &program.declarations {
            match &declaration.kind {
                DeclarationKind::Include(_)
                | DeclarationKind::Open(_)
                | DeclarationKind::Instance(_) => {}
                DeclarationKind::Type(declared) => match &declared.definition {
                    TypeDefinition::Alias(kind) => self.type_at(*kind),
                    TypeDefinition::Record(groups) => {
                        for group in groups {
                            self.type_at(group.kind);
                        }
                    }
                    TypeDefinition::Free | TypeDefinition::Enumeration(_) => {}
                },
                DeclarationKind::Constant(constant) => self.constant(constant),
                DeclarationKind::Node(declared) => {
                    self.node(NodeId::new(node), declared);
                    node += 1;
                }
                DeclarationKind::Contract(declared) => {
                    self.declared_contract(NodeId::new(node), declared);
                    node += 1;
                }
            }
        }
        self.modes();
    }

    // Scopes.

    fn enter(&mut self) -> Mark {
        self.level += 1;
        Mark { hidden: self.hidden.len() }
    }

    fn leave(&mut self, mark: &Mark) {
        self.level -= 1;
        while self.hidden.len() > mark.hidden {
            if let Some((symbol, slot)) = self.hidden.pop() {
                self.slots[symbol.index()] = slot;
            }
        }
    }

    fn declare(&mut self, what: &str, name: Name, resolution: Resolution) {
        let slot = Slot { resolution, span: name.span, level: self.level };
        let previous = self.slots[name.symbol.index()].replace(slot);
        if let Some(previous) = previous.filter(|previous| previous.level == self.level) {
            let text = format!("'{}' is declared twice", self.program.text(name.symbol));
            let diagnostic = Diagnostic::error(name.span, text).with_help(format!(
                "a {what} needs a name that no other variable or constant here has"
            ));
            self.report.add(diagnostic.with_related(previous.span, "first declared here"));
        }
        self.hidden.push((name.symbol, previous));
        let text = self.program.text(name.symbol);
        self.flattened |= text.contains(['.', '[']);
    }

    fn add_variable(&mut self, variable: Variable) -> VariableId {
        let id = VariableId::new(self.model.variables.len());
        self.model.variables.push(variable);
        id
    }

    fn variables(
        &mut self,
        groups: &[VariableGroup],
        role: impl Fn(&VariableGroup) -> VariableRole,
    ) -> Vec<VariableId> {
        let mut all = Vec::new();
        for group in groups {
            for name in &self.program.names[group.names] {
                let role = role(group);
                let id = self.add_variable(Variable {
                    name: *name,
                    role,
                    written: Some(group.kind),
                    kind: Kinds::unknown(),
                    clock: group.clock,
                });
                self.declare("variable", *name, Resolution::Variable(id));
                all.push(id);
            }
        }
        all
    }

    fn signature(&mut self, signature: &Signature) -> (Vec<VariableId>, Vec<VariableId>) {
        let inputs =
            self.variables(&signature.inputs, |group| VariableRole::Input(group.variability));
        let outputs = self.variables(&signature.outputs, |_| VariableRole::Output);
        (inputs, outputs)
    }

    fn local_constants(&mut self, constant: &ast::Constant) -> Vec<ConstantId> {
        let added = add_constants(self.model, constant);
        for (name, id) in &added {
            self.declare("constant", *name, Resolution::Constant(*id));
        }
        added.into_iter().map(|(_, id)| id).collect()
    }

    // Types.

    /// Reports arguments of what has no parameters: the others are gone.
    fn statics(&mut self, name: Symbol, span: ByteSpan) {
        let text = format!("'{}' has no type parameters", self.program.text(name));
        self.report.add(Diagnostic::error(span, text));
    }

    /// The names, sizes and bounds in a type.
    fn type_at(&mut self, root: TypeId) {
        let mut todo = vec![root];
        while let Some(id) = todo.pop() {
            match self.program.kind(id) {
                Type::Bool | Type::Int | Type::Real | Type::Machine(..) => {}
                Type::Subrange(low, high) => {
                    low.into_iter().chain(high).for_each(|bound| self.expr(bound));
                }
                Type::Named(name, statics) => {
                    let span = self.program.kind_span(id);
                    if !self.globals.types.contains_key(&name) {
                        let text = format!("there is no type '{}'", self.program.text(name));
                        self.report.add(Diagnostic::error(span, text));
                    } else if !statics.is_empty() {
                        self.statics(name, span);
                    }
                }
                Type::Refined { base, .. } => todo.push(base),
                Type::Tuple(parts) => todo.extend(&self.program.type_lists[parts]),
                Type::Array { element, size, .. } => {
                    self.expr(size);
                    todo.push(element);
                }
            }
        }
    }

    fn constant(&mut self, constant: &ast::Constant) {
        constant.kind.into_iter().for_each(|kind| self.type_at(kind));
        constant.value.into_iter().for_each(|value| self.expr(value));
    }

    fn groups(&mut self, groups: &[VariableGroup]) {
        for group in groups {
            self.type_at(group.kind);
            if let Some(ast::Clock::On(name) | ast::Clock::Not(name)) = group.clock {
                self.variable_named(name);
            } else if let Some(ast::Clock::Value { clock, .. }) = group.clock {
                self.variable_named(clock);
            }
        }
    }

    // Nodes.

    fn node(&mut self, id: NodeId, declared: &ast::Node) {
        let mark = self.enter();
        self.flattened = false;
        self.calls.clear();
        let (inputs, outputs) = self.signature(&declared.signature);
        // A contract sees inputs and outputs only.
        let contract = declared.contract.as_ref().map(|items| self.contract(items));
        let (mut locals, mut constants) = (Vec::new(), Vec::new());
        let no_locals = Vec::new();
        let (declarations, items) = match &declared.body {
            Body::Defined(definition) => (&definition.locals, &definition.items[..]),
            Body::Imported | Body::Absent => (&no_locals, &[][..]),
        };
        for local in declarations {
            match local {
                Local::Variables(group) => {
                    locals.extend(self.variables(&[*group], |_| VariableRole::Local));
                }
                Local::Constant(constant) => constants.extend(self.local_constants(constant)),
            }
        }
        self.groups(&declared.signature.inputs);
        self.groups(&declared.signature.outputs);
        for local in declarations {
            match local {
                Local::Variables(group) => self.groups(&[*group]),
                Local::Constant(constant) => self.constant(constant),
            }
        }
        let node = &mut self.model.nodes[id.index()];
        (node.inputs, node.outputs) = (inputs, outputs);
        (node.locals, node.constants, node.contract) = (locals, constants, contract);
        for item in items {
            self.item(id, *item);
        }
        self.model.nodes[id.index()].calls = std::mem::take(&mut self.calls);
        self.leave(&mark);
    }

    fn item(&mut self, node: NodeId, id: ItemId) {
        let program = self.program;
        let item = program.item(id);
        let node = node.index();
        match &item.kind {
            ItemKind::Equation(targets, value) => {
                let mark = self.enter();
                let targets = targets.iter().filter_map(|target| self.target(target)).collect();
                self.expr(*value);
                self.leave(&mark);
                let equation = Equation { item: Some(id), targets, value: *value, span: item.span };
                self.model.nodes[node].equations.push(equation);
            }
            ItemKind::Assert(condition) => {
                self.expr(*condition);
                self.model.nodes[node].asserts.push(*condition);
            }
            ItemKind::Property(property) => {
                self.expr(property.condition);
                property.provided.into_iter().for_each(|provided| self.expr(provided));
                self.model.nodes[node].properties.push(property.clone());
            }
            ItemKind::Main(marked) => self.model.nodes[node].marked_main |= marked,
            ItemKind::Ivc(names) | ItemKind::Realizable(names) => {
                for name in names {
                    self.variable_named(*name);
                }
            }
            ItemKind::If(..) | ItemKind::Frame(_) | ItemKind::Automaton(_) => {
                unreachable!("invariant: blocks and automata are rewritten")
            }
        }
    }

    /// The variable on the left of an equation, with its index variables declared.
    fn target(&mut self, target: &ast::Target) -> Option<Target> {
        let variable = self.variable_named(target.name);
        let mut indices = Vec::new();
        for name in &target.indices {
            let (role, kind) = (VariableRole::Index, Kinds::int());
            let variable = Variable { name: *name, role, written: None, kind, clock: None };
            let id = self.add_variable(variable);
            self.declare("index variable", *name, Resolution::Variable(id));
            indices.push(id);
        }
        Some(Target { variable: variable?, span: target.name.span, indices })
    }
}
