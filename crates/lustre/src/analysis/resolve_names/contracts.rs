//! The names in contracts.

use super::{Contract, Equation, Resolver, Target, VariableRole};
use crate::analysis::model::{Import, Mode};
use crate::ast::{Clause, ContractDeclaration, ContractItem, ContractItemKind, Expr, Name, Visit};
use crate::diagnostic::Diagnostic;

impl Resolver<'_> {
    pub(super) fn declared_contract(&mut self, position: usize, declared: &ContractDeclaration) {
        let mark = self.enter();
        self.flattened = false;
        let (inputs, outputs) = self.signature(&declared.signature);
        self.groups(&declared.signature.inputs);
        self.groups(&declared.signature.outputs);
        let contract = self.contract(&declared.items);
        let name = Some(declared.name);
        self.model.contracts[position] = Contract { name, inputs, outputs, ..contract };
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
        self.modes(&contract);
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
                    self.statics(name.span);
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

    /// `::mode` names a mode of this contract or of one that it imports.
    fn modes(&mut self, contract: &Contract) {
        let of_modes =
            contract.modes.iter().flat_map(|mode| mode.requires.iter().chain(&mode.ensures));
        let roots = contract.assumptions.iter().chain(&contract.guarantees).chain(of_modes);
        let roots = roots.copied().chain(contract.equations.iter().map(|equation| equation.value));
        let imported: Vec<Name> = contract
            .imports
            .iter()
            .filter_map(|import| self.model.contracts[import.contract.index()].name)
            .collect();
        for root in roots {
            for visit in self.program.walk(root) {
                let Visit::Enter(id) = visit else { continue };
                let Expr::Mode(symbol) = self.program.expr(id) else { continue };
                let text = self.program.text(symbol);
                let known = match text.rsplit_once("::") {
                    None => contract.modes.iter().any(|mode| mode.name.symbol == symbol),
                    Some((owner, _)) => {
                        imported.iter().any(|name| self.program.text(name.symbol) == owner)
                    }
                };
                if !known {
                    let text = format!("there is no mode '{text}' in this contract");
                    self.report.add(Diagnostic::error(self.program.expr_span(id), text));
                }
            }
        }
    }
}
