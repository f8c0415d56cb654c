//! Naming: ports as in the model, then nodes by their labels.

use obligato_model::Type;
use obligato_transition_system::{NodeId, Sort, Term};

use super::enumerations::{EnumType, EnumTypes, choose};
use super::writer::{Writer, sort_text};

impl<'n> Writer<'n> {
    /// Enumerations come first: their values are known everywhere.
    pub(super) fn name_enumerations(&mut self, types: &mut EnumTypes<'n>) {
        let system = self.system();
        let kinds = system.inputs.iter().map(|input| &input.kind);
        for kind in kinds.chain(system.outputs.iter().map(|output| &output.kind)) {
            let Type::Enumeration(symbols) = kind else { continue };
            if types.find(symbols).is_some() {
                continue;
            }
            let values: Vec<String> = symbols.iter().map(|one| self.claim_port(one)).collect();
            types.all.push(EnumType { symbols, name: String::new(), values });
        }
        for (index, one) in types.all.iter_mut().enumerate() {
            one.name = self.names.claim(&format!("enum_{}", index + 1));
            self.types.push(format!("type {} = enum {{{}}};", one.name, one.values.join(", ")));
        }
    }

    pub(super) fn name_inputs(&mut self, types: &EnumTypes) {
        for input in &self.system().inputs {
            let name = self.claim_port(&input.name);
            self.inputs.push(format!("{name}: {}", types.text(&input.kind)));
            let at = input.node.index();
            let Some(of) = types.of(&input.kind) else {
                self.variables[at] = Some(name);
                continue;
            };
            if self.uses[at] > 0 {
                let number = self.names.claim(&format!("{name}_number"));
                let text = choose(&of.values, |position, value| {
                    (format!("{name} = {value}"), position.to_string())
                });
                self.define(number, Sort::Int, &text, at);
            }
        }
    }

    pub(super) fn name_outputs(&mut self, types: &EnumTypes) {
        for output in &self.system().outputs {
            let name = self.claim_port(&output.name);
            // Outside of its subrange a value is a fault of the model, and no matter of types.
            let kind = match &output.kind {
                Type::Subrange(..) => "int".to_owned(),
                kind => types.text(kind),
            };
            self.outputs.push(format!("{name}: {kind}"));
            let at = self.resolve(output.node);
            if types.of(&output.kind).is_none() && self.is_operation(at) {
                self.variables[at.index()].get_or_insert(name);
            }
        }
    }

    /// The name of something that a person knows, which is noted if it cannot stay.
    fn claim_port(&mut self, name: &str) -> String {
        let claimed = self.names.claim(name);
        if claimed != name {
            self.renamed.push((name.to_owned(), claimed.clone()));
        }
        claimed
    }

    /// Names nodes as they are labelled, and latches after what they store.
    pub(super) fn name_nodes(&mut self) {
        let system = self.system();
        let mut stored: Vec<Option<&str>> = vec![None; system.graph.len()];
        for (node, label) in &self.node.labels {
            let at = self.resolve(*node);
            stored[at.index()].get_or_insert(label);
            let is_latch = matches!(system.graph.term(at), Term::Latch(_));
            let is_free = self.uses[at.index()] > 0 && self.variables[at.index()].is_none();
            if is_free && (is_latch || self.is_operation(at)) {
                self.declare(at, label);
            }
        }
        for latch in &system.latches {
            let at = latch.node.index();
            if self.uses[at] > 0 && self.variables[at].is_none() {
                let wish = match stored[self.resolve(latch.next).index()] {
                    Some(label) => format!("pre_{label}"),
                    None => latch.name.split('@').next().unwrap_or_default().to_owned(),
                };
                self.declare(latch.node, &wish);
            }
        }
    }

    pub(super) fn is_operation(&self, node: NodeId) -> bool {
        matches!(self.system().graph.term(node), Term::Unary(..) | Term::Binary(..) | Term::Ite(..))
    }

    /// Gives a node a local variable.
    fn declare(&mut self, node: NodeId, wish: &str) {
        let name = self.names.claim(wish);
        self.locals.push(format!("{name}: {}", sort_text(self.system().graph.sort(node))));
        self.variables[node.index()] = Some(name);
    }

    /// A local variable for a node, with its equation.
    pub(super) fn define(&mut self, name: String, sort: Sort, text: &str, at: usize) {
        self.locals.push(format!("{name}: {}", sort_text(sort)));
        self.equations.push(format!("{name} = {text};"));
        self.variables[at] = Some(name);
    }
}
