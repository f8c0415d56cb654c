//! Copies of declarations and of parts of them, with other types in place of some names of types.
//!
//! A copy stands where the original does. Lists of names and comments are shared with it; nothing
//! recurses, so nesting is limited by memory alone.

use rustc_hash::FxHashMap;

use super::contract::{Clause, ContractItem, ContractItemKind};
use super::declaration::{Body, Constant, Declaration, DeclarationKind, Definition, Signature};
use super::expr::{Call, Expr, ExprId};
use super::item::{Item, ItemId, ItemKind, Local, State};
use super::pool::List;
use super::symbol::Symbol;
use super::types::{StaticArgument, Type, TypeId, VariableGroup};
use super::walk::Visit;
use super::{SyntaxTree, TypeDefinition};

/// Copies parts of a program into the same program.
pub struct Copier<'p> {
    program: &'p mut SyntaxTree,
    /// What stands for the names of types.
    substitution: &'p FxHashMap<Symbol, TypeId>,
}

impl<'p> Copier<'p> {
    /// Starts copies in `program` in which `substitution` replaces type parameters.
    pub fn new(program: &'p mut SyntaxTree, substitution: &'p FxHashMap<Symbol, TypeId>) -> Self {
        Self { program, substitution }
    }

    /// A copy of a declaration.
    pub fn declaration(&mut self, original: &Declaration) -> Declaration {
        let kind = match &original.kind {
            DeclarationKind::Include(_)
            | DeclarationKind::Open(_)
            | DeclarationKind::Instance(_) => original.kind.clone(),
            DeclarationKind::Constant(constant) => {
                DeclarationKind::Constant(self.constant(constant))
            }
            DeclarationKind::Type(declared) => {
                let definition = match &declared.definition {
                    TypeDefinition::Alias(kind) => TypeDefinition::Alias(self.kind(*kind)),
                    TypeDefinition::Record(groups) => TypeDefinition::Record(self.groups(groups)),
                    other => other.clone(),
                };
                let mut declared = declared.clone();
                declared.definition = definition;
                DeclarationKind::Type(declared)
            }
            DeclarationKind::Contract(contract) => {
                let mut copy = contract.clone();
                copy.signature = self.signature(&contract.signature);
                copy.items = self.contract_items(&contract.items);
                DeclarationKind::Contract(copy)
            }
            DeclarationKind::Node(node) => {
                let mut copy = node.clone();
                copy.signature = self.signature(&node.signature);
                copy.contract = node.contract.as_ref().map(|items| self.contract_items(items));
                if let Body::Defined(definition) = &node.body {
                    copy.body = Body::Defined(Definition {
                        locals: self.locals(&definition.locals),
                        items: self.items(&definition.items),
                        closing: definition.closing,
                    });
                }
                DeclarationKind::Node(copy)
            }
        };
        Declaration { kind, ..original.clone() }
    }

    // Types.

    /// A copy of a type, or what stands for it.
    pub fn kind(&mut self, root: TypeId) -> TypeId {
        let mut copies: FxHashMap<TypeId, TypeId> = FxHashMap::default();
        let mut todo = vec![(root, false)];
        while let Some((id, parts_done)) = todo.pop() {
            if !parts_done {
                todo.push((id, true));
                todo.extend(self.program.parts_of_type(id).into_iter().map(|part| (part, false)));
                continue;
            }
            let copy = match self.program.kind(id) {
                Type::Named(name, statics) if statics.is_empty() => {
                    self.substitution.get(&name).copied().unwrap_or(id)
                }
                Type::Bool | Type::Int | Type::Real | Type::Machine(..) => id,
                Type::Subrange(low, high) => {
                    let [low, high] = [low, high].map(|bound| bound.map(|bound| self.expr(bound)));
                    self.add(id, Type::Subrange(low, high))
                }
                Type::Named(name, statics) => {
                    let given = self.program.statics[statics].to_vec();
                    let mut fresh = Vec::new();
                    for argument in given {
                        fresh.push(match argument {
                            StaticArgument::Type(part) => StaticArgument::Type(copies[&part]),
                            StaticArgument::Value(value) => StaticArgument::Value(self.expr(value)),
                        });
                    }
                    let statics = self.program.statics.add(fresh);
                    self.add(id, Type::Named(name, statics))
                }
                Type::Tuple(parts) => {
                    let parts = self.program.type_lists[parts].iter().map(|part| copies[part]);
                    let parts: Vec<_> = parts.collect();
                    let parts = self.program.type_lists.add(parts);
                    self.add(id, Type::Tuple(parts))
                }
                Type::Refined { name, base, condition } => {
                    let (base, condition) = (copies[&base], self.expr(condition));
                    self.add(id, Type::Refined { name, base, condition })
                }
                Type::Array { element, size, notation } => {
                    let (element, size) = (copies[&element], self.expr(size));
                    self.add(id, Type::Array { element, size, notation })
                }
            };
            copies.insert(id, copy);
        }
        copies[&root]
    }

    fn add(&mut self, original: TypeId, kind: Type) -> TypeId {
        let span = self.program.kind_span(original);
        self.program.add_type(kind, span)
    }

    fn groups(&mut self, groups: &[VariableGroup]) -> Vec<VariableGroup> {
        groups.iter().map(|group| VariableGroup { kind: self.kind(group.kind), ..*group }).collect()
    }

    fn signature(&mut self, signature: &Signature) -> Signature {
        Signature {
            parameters: signature.parameters.clone(),
            inputs: self.groups(&signature.inputs),
            outputs: self.groups(&signature.outputs),
        }
    }

    fn constant(&mut self, constant: &Constant) -> Constant {
        let kind = constant.kind.map(|kind| self.kind(kind));
        let value = constant.value.map(|value| self.expr(value));
        Constant { kind, value, ..constant.clone() }
    }

    fn locals(&mut self, locals: &[Local]) -> Vec<Local> {
        let copy = |local: &Local| match local {
            Local::Variables(group) => {
                Local::Variables(VariableGroup { kind: self.kind(group.kind), ..*group })
            }
            Local::Constant(constant) => Local::Constant(self.constant(constant)),
        };
        locals.iter().map(copy).collect()
    }

    // Expressions.

    /// A copy of an expression.
    pub fn expr(&mut self, root: ExprId) -> ExprId {
        let order: Vec<_> = self
            .program
            .walk(root)
            .filter_map(|visit| match visit {
                Visit::Leave(id) => Some(id),
                Visit::Enter(_) => None,
            })
            .collect();
        let mut copies = FxHashMap::default();
        for id in order {
            let copy = self.add_expr(id, &copies);
            copies.insert(id, copy);
        }
        copies[&root]
    }

    /// Adds an expression whose operands are copied.
    fn add_expr(&mut self, id: ExprId, copies: &FxHashMap<ExprId, ExprId>) -> ExprId {
        let (span, new) = (self.program.expr_span(id), |id: ExprId| copies[&id]);
        match self.program.expr(id) {
            Expr::Call(call) => {
                let statics = self.statics(self.program.call(call).statics);
                let copy = self.program.add_copy(None, id, span, &new);
                if let Expr::Call(call) = self.program.expr(copy) {
                    let instantiated = Call { statics, ..self.program.call(call) };
                    self.program.replace_call(call, instantiated);
                }
                copy
            }
            Expr::Quantified(quantifier, groups, body) => {
                let groups = self.program.variables[groups].to_vec();
                let groups = self.groups(&groups);
                let groups = self.program.variables.add(groups);
                self.program.add_expr(Expr::Quantified(quantifier, groups, new(body)), span)
            }
            _ => self.program.add_copy(None, id, span, &new),
        }
    }

    fn statics(&mut self, list: List<StaticArgument>) -> List<StaticArgument> {
        let arguments = self.program.statics[list].to_vec();
        let fresh = arguments.into_iter().map(|argument| match argument {
            StaticArgument::Type(kind) => StaticArgument::Type(self.kind(kind)),
            StaticArgument::Value(value) => StaticArgument::Value(self.expr(value)),
        });
        let fresh: Vec<_> = fresh.collect();
        self.program.statics.add(fresh)
    }

    // Contracts.

    fn contract_items(&mut self, items: &[ContractItem]) -> Vec<ContractItem> {
        let mut copies = Vec::new();
        for item in items {
            let kind = match &item.kind {
                ContractItemKind::Variables(groups, value) => {
                    ContractItemKind::Variables(self.groups(groups), self.expr(*value))
                }
                ContractItemKind::Constant(constant) => {
                    ContractItemKind::Constant(self.constant(constant))
                }
                ContractItemKind::Assume(clause, force) => {
                    ContractItemKind::Assume(self.clause(*clause), *force)
                }
                ContractItemKind::Guarantee(clause, force) => {
                    ContractItemKind::Guarantee(self.clause(*clause), *force)
                }
                ContractItemKind::Mode { name, requires, ensures } => ContractItemKind::Mode {
                    name: *name,
                    requires: requires.iter().map(|clause| self.clause(*clause)).collect(),
                    ensures: ensures.iter().map(|clause| self.clause(*clause)).collect(),
                },
                ContractItemKind::Import { contract, statics, inputs, outputs } => {
                    let inputs = self.program.expr_lists[*inputs].to_vec();
                    let inputs: Vec<_> = inputs.into_iter().map(|input| self.expr(input)).collect();
                    ContractItemKind::Import {
                        contract: *contract,
                        statics: self.statics(*statics),
                        inputs: self.program.expr_lists.add(inputs),
                        outputs: outputs.clone(),
                    }
                }
                same @ ContractItemKind::AssumptionVariables(_) => same.clone(),
            };
            copies.push(ContractItem { kind, ..item.clone() });
        }
        copies
    }

    fn clause(&mut self, clause: Clause) -> Clause {
        Clause { condition: self.expr(clause.condition), ..clause }
    }

    // Items.

    fn items(&mut self, roots: &[ItemId]) -> Vec<ItemId> {
        // Blocks before what they contain, so from the end what they contain comes first.
        let mut order = Vec::new();
        let mut todo = roots.to_vec();
        while let Some(id) = todo.pop() {
            order.push(id);
            todo.extend(self.program.item(id).kind.contents());
        }
        let mut copies = FxHashMap::default();
        for id in order.into_iter().rev() {
            let item = self.program.item(id).clone();
            let kind = self.item_kind(&item.kind, &copies);
            let copy = self.program.add_item(Item { kind, ..item });
            copies.insert(id, copy);
        }
        roots.iter().map(|root| copies[root]).collect()
    }

    fn item_kind(&mut self, kind: &ItemKind, copies: &FxHashMap<ItemId, ItemId>) -> ItemKind {
        let all = |items: &[ItemId]| items.iter().map(|item| copies[item]).collect::<Vec<_>>();
        let mut copy = kind.clone();
        match &mut copy {
            ItemKind::Equation(_, value) | ItemKind::Assert(value) => *value = self.expr(*value),
            ItemKind::Property(property) => {
                property.condition = self.expr(property.condition);
                property.provided = property.provided.map(|provided| self.expr(provided));
            }
            ItemKind::Main(_) | ItemKind::Ivc(_) | ItemKind::Realizable(_) => {}
            ItemKind::If(branches, otherwise) => {
                for branch in branches {
                    branch.condition = self.expr(branch.condition);
                    branch.items = all(&branch.items);
                }
                *otherwise = otherwise.as_deref().map(all);
            }
            ItemKind::Frame(frame) => {
                frame.initial = all(&frame.initial);
                frame.items = all(&frame.items);
            }
            ItemKind::Automaton(automaton) => {
                for state in &mut automaton.states {
                    self.state(state);
                    state.items = all(&state.items);
                }
            }
        }
        copy
    }

    fn state(&mut self, state: &mut State) {
        state.locals = self.locals(&state.locals);
        for transition in state.unless.iter_mut().chain(&mut state.until) {
            for arm in &mut transition.arms {
                arm.guard = arm.guard.map(|guard| self.expr(guard));
            }
        }
    }
}
