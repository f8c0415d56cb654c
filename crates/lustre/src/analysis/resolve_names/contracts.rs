//! The names in contracts.

use super::{Contract, Equation, Resolver, Target, VariableRole};
use crate::analysis::instantiate_parameters::written_name;
use crate::analysis::model::{Import, Mode, Model, NodeId};
use obligato_lustre_syntax::ast::{
    Clause, ContractDeclaration, ContractItem, ContractItemKind, Expr, ExprId, SyntaxTree, Visit,
};
use obligato_lustre_syntax::diagnostic::Diagnostic;

impl Resolver<'_> {
    pub(super) fn declared_contract(&mut self, id: NodeId, declared: &ContractDeclaration) {
        let mark = self.enter();
        self.flattened = false;
        self.calls.clear();
        let (inputs, outputs) = self.signature(&declared.signature);
        self.groups(&declared.signature.inputs);
        self.groups(&declared.signature.outputs);
        let contract = self.contract(&declared.items);
        let node = &mut self.model.nodes[id.index()];
        (node.inputs, node.outputs, node.contract) = (inputs, outputs, Some(contract));
        node.calls = std::mem::take(&mut self.calls);
        self.leave(&mark);
    }

    /// The items of a contract, in a scope of their own.
    pub(super) fn contract(&mut self, items: &[ContractItem]) -> Contract {
        let mark = self.enter();
        let mut contract = Contract::default();
        // Names first: an item may use what a later one declares.
        for item in items {
            match &item.kind {
                ContractItemKind::Variables(groups, value) => {
                    let added = self.variables(groups, |_| VariableRole::Local);
                    let target = |id: &_| {
                        let span = self.model.variable(*id).name.span;
                        Target { variable: *id, span, indices: Vec::new() }
                    };
                    let targets = added.iter().map(target).collect();
                    let equation = Equation { item: None, targets, value: *value, span: item.span };
                    contract.equations.push(equation);
                    contract.variables.extend(added);
                }
                ContractItemKind::Constant(constant) => {
                    contract.constants.extend(self.local_constants(constant));
                }
                ContractItemKind::Mode { name, requires, ensures } => {
                    let conditions = |clauses: &[Clause]| {
                        clauses.iter().map(|clause| clause.condition).collect()
                    };
                    let (requires, ensures) = (conditions(requires), conditions(ensures));
                    let known = contract.modes.iter().find(|mode| mode.name.symbol == name.symbol);
                    let known = known.map(|mode| mode.name);
                    contract.modes.push(Mode { name: *name, requires, ensures });
                    if known.is_some() {
                        let text = self.program.text(name.symbol);
                        let text = format!("the mode '{text}' is declared twice");
                        self.report.add(Diagnostic::error(name.span, text));
                    }
                }
                _ => {}
            }
        }
        let calls = std::mem::take(&mut self.calls);
        for item in items {
            self.contract_item(item, &mut contract);
        }
        // Calls of a specification are calls too.
        self.calls.splice(0..0, calls);
        self.leave(&mark);
        contract
    }

    fn contract_item(&mut self, item: &ContractItem, contract: &mut Contract) {
        match &item.kind {
            ContractItemKind::Variables(groups, value) => {
                self.groups(groups);
                self.expr(*value);
            }
            ContractItemKind::Constant(constant) => self.constant(constant),
            ContractItemKind::Assume(clause, _) => {
                self.expr(clause.condition);
                contract.assumptions.push(clause.condition);
            }
            ContractItemKind::Guarantee(clause, _) => {
                self.expr(clause.condition);
                contract.guarantees.push(clause.condition);
            }
            ContractItemKind::Mode { requires, ensures, .. } => {
                for clause in requires.iter().chain(ensures) {
                    self.expr(clause.condition);
                }
            }
            ContractItemKind::Import { contract: name, statics, inputs, outputs } => {
                if !statics.is_empty() {
                    self.statics(name.symbol, name.span);
                }
                let inputs = self.program.expr_lists[*inputs].to_vec();
                for input in &inputs {
                    self.expr(*input);
                }
                let outputs: Vec<_> =
                    outputs.iter().filter_map(|output| self.variable_named(*output)).collect();
                let Some(&id) = self.globals.contracts.get(&name.symbol) else {
                    let text = self.program.text(name.symbol);
                    let text = format!("there is no contract '{text}'");
                    return self.report.add(Diagnostic::error(name.span, text));
                };
                contract.imports.push(Import { contract: id, inputs, outputs, span: item.span });
            }
            ContractItemKind::AssumptionVariables(names) => {
                for name in names {
                    self.variable_named(*name);
                }
            }
        }
    }

    /// `::mode` names a mode of its contract, `::c::mode` one of the contract `c` that it imports.
    pub(super) fn modes(&mut self) {
        let mut owners = vec![None; self.program.exprs().len()];
        for (index, node) in self.model.nodes.iter().enumerate() {
            for root in node.contract.iter().flat_map(contract_roots) {
                for visit in self.program.walk(root) {
                    if let Visit::Enter(id) = visit
                        && let Expr::Mode(_) = self.program.expr(id)
                    {
                        owners[id.index()] = Some(NodeId::new(index));
                    }
                }
            }
        }
        for (index, owner) in owners.into_iter().enumerate() {
            let id = ExprId::new(index);
            let Expr::Mode(symbol) = self.program.expr(id) else { continue };
            let text = self.program.text(symbol);
            let message = match owner.map(|owner| find_mode(self.model, self.program, owner, text))
            {
                Some(FoundMode::One) => continue,
                Some(FoundMode::Several) => {
                    format!("which mode '{text}' is meant? Its contract is imported more than once")
                }
                Some(FoundMode::None) => format!("there is no mode '{text}' in this contract"),
                None => format!("the mode '{text}' can be asked for in contracts only"),
            };
            self.report.add(Diagnostic::error(self.program.expr_span(id), message));
        }
    }
}

enum FoundMode {
    None,
    One,
    Several,
}

/// Looks a mode up by its path of imports.
fn find_mode(model: &Model, program: &SyntaxTree, owner: NodeId, path: &str) -> FoundMode {
    let contract = |id: NodeId| model.node(id).contract.as_ref();
    let mut at = contract(owner);
    let mut steps = path.split("::").peekable();
    while let (Some(step), Some(here)) = (steps.next(), at) {
        if steps.peek().is_none() {
            let known = here.modes.iter().any(|mode| program.text(mode.name.symbol) == step);
            return if known { FoundMode::One } else { FoundMode::None };
        }
        let name =
            |import: &&Import| written_name(program.text(model.node(import.contract).name.symbol));
        let mut imports = here.imports.iter().filter(|import| name(import) == step);
        at = imports.next().and_then(|import| contract(import.contract));
        if imports.next().is_some() {
            return FoundMode::Several;
        }
    }
    FoundMode::None
}

/// The expressions of a contract.
fn contract_roots(contract: &Contract) -> impl Iterator<Item = ExprId> {
    let of_modes = contract.modes.iter().flat_map(|mode| mode.requires.iter().chain(&mode.ensures));
    let clauses = contract.assumptions.iter().chain(&contract.guarantees).chain(of_modes);
    let arguments = contract.imports.iter().flat_map(|import| &import.inputs);
    let equations = contract.equations.iter().map(|equation| equation.value);
    clauses.chain(arguments).copied().chain(equations)
}
