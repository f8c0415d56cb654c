//! The kinds of calls: arity, arguments, clocks and first values.

use super::{Checker, streams};
use crate::analysis::kind::{Kind, KindId, Kinds};
use crate::analysis::model::{Import, Resolution, VariableRole};
use obligato_lustre_syntax::ast::{Expr, ExprId, Variability, Visit};
use obligato_lustre_syntax::diagnostic::Diagnostic;

impl Checker<'_> {
    pub(super) fn call(&mut self, id: ExprId) -> KindId {
        let Expr::Call(call) = self.program.expr(id) else { return Kinds::unknown() };
        let call = self.program.call(call);
        let Resolution::Node(callee) = self.model.resolution(id) else { return Kinds::unknown() };
        let node = self.model.node(callee);
        let (declared, inputs) = (node.name, node.inputs.clone());
        let outputs: Vec<_> =
            node.outputs.iter().map(|output| self.model.variable(*output).kind).collect();
        let name = self.program.text(declared.symbol);
        let arguments = self.list(call.arguments).to_vec();
        if arguments.len() == inputs.len() {
            for (argument, input) in arguments.iter().zip(&inputs) {
                let input = *self.model.variable(*input);
                let text = self.program.text(input.name.symbol);
                let what = format!("the input '{text}' of '{name}'");
                let place = Some((input.name.span, "declared here"));
                self.expect_fit(*argument, input.kind, &what, place);
                if input.role == VariableRole::Input(Variability::Constant) {
                    self.expect_rigid(*argument, &what);
                }
            }
        } else {
            let (wanted, found) = (counted(inputs.len()), arguments.len());
            let text = format!("'{name}' takes {wanted}, not {found}");
            let diagnostic = Diagnostic::error(call.node.span, text);
            self.report.add(diagnostic.with_related(declared.span, "declared here"));
        }
        if let Some(restart) = call.restart {
            self.expect_bool(restart, "when to restart");
        }
        if let Some(activation) = call.activation {
            self.expect_bool(activation.clock, "the clock of 'activate'");
        }
        let kind = self.model.kinds.list(outputs);
        // The defaults are compared with the kind of the call.
        self.model.expr_kinds[id.index()] = kind;
        if let Some(defaults) = call.activation.and_then(|activation| activation.defaults) {
            let defaults = self.list(defaults).to_vec();
            self.defaults(id, id, &defaults, "activate");
        }
        kind
    }

    /// The results before the first call: as many as there are outputs.
    pub(super) fn defaults(
        &mut self,
        id: ExprId,
        call: ExprId,
        defaults: &[ExprId],
        operator: &str,
    ) {
        let found = self.model.kind(call);
        let outputs = match self.model.kinds.get(found) {
            Kind::Unknown => return,
            Kind::List(parts) => parts.clone(),
            _ => vec![found],
        };
        // One list of first values is as good as the values one by one.
        let values = match defaults {
            [only] if outputs.len() != 1 => match self.program.expr(*only) {
                Expr::Group(obligato_lustre_syntax::ast::Group::List, list) => {
                    self.list(list).to_vec()
                }
                _ => defaults.to_vec(),
            },
            _ => defaults.to_vec(),
        };
        if values.len() != outputs.len() {
            let text = format!(
                "the call gives {}, but '{operator}' has first values for {}",
                streams(outputs.len()),
                values.len()
            );
            return self.error(self.program.expr_span(id), text);
        }
        for (value, output) in values.iter().zip(outputs) {
            self.expect_fit(*value, output, &format!("a first value of '{operator}'"), None);
        }
    }

    /// A `const` input takes what cannot change: constants and `const` inputs.
    fn expect_rigid(&mut self, root: ExprId, what: &str) {
        for visit in self.program.walk(root) {
            let Visit::Enter(id) = visit else { continue };
            let changes = match self.program.expr(id) {
                Expr::Call(_) | Expr::Condact { .. } => true,
                _ => match self.model.resolution(id) {
                    Resolution::Variable(variable) => {
                        let role = self.model.variable(variable).role;
                        role != VariableRole::Input(Variability::Constant)
                            && role != VariableRole::Index
                    }
                    _ => false,
                },
            };
            if changes {
                let text = format!("expected a constant: {what} is declared 'const'");
                self.error(self.program.expr_span(id), text);
                return;
            }
        }
    }

    pub(super) fn import(&mut self, import: &Import) {
        let contract = self.model.node(import.contract);
        let (inputs, outputs) = (contract.inputs.clone(), contract.outputs.clone());
        let declared = contract.name;
        let name = self.program.text(declared.symbol);
        let arity = [
            (inputs.len(), import.inputs.len(), "inputs"),
            (outputs.len(), import.outputs.len(), "outputs"),
        ];
        for (wanted, found, what) in arity {
            if wanted != found {
                let text = format!("the contract '{name}' has {wanted} {what}, not {found}");
                let diagnostic = Diagnostic::error(import.span, text);
                return self.report.add(diagnostic.with_related(declared.span, "declared here"));
            }
        }
        for (argument, input) in import.inputs.iter().zip(&inputs) {
            let input = *self.model.variable(*input);
            let text = self.program.text(input.name.symbol);
            let what = format!("the input '{text}' of the contract '{name}'");
            self.expect_fit(*argument, input.kind, &what, Some((input.name.span, "declared here")));
            if input.role == VariableRole::Input(Variability::Constant) {
                self.expect_rigid(*argument, &what);
            }
        }
        for (actual, formal) in import.outputs.iter().zip(&outputs) {
            let (actual, formal) = (*self.model.variable(*actual), *self.model.variable(*formal));
            if self.model.kinds.join(formal.kind, actual.kind).is_none() {
                let (expected, found) = (self.text_of(formal.kind), self.text_of(actual.kind));
                let text = self.program.text(formal.name.symbol);
                let text = format!(
                    "expected {expected}, found {found}: the output '{text}' of the contract '{name}'"
                );
                self.error(import.span, text);
            }
        }
    }
}

/// `1 argument`, `2 arguments`.
fn counted(count: usize) -> String {
    if count == 1 { "1 argument".to_owned() } else { format!("{count} arguments") }
}
