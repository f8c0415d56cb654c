//! The names in expressions.

use rustc_hash::FxHashMap;

use super::{Mark, Resolver};
use crate::analysis::model::{CallSite, Resolution, VariableId, VariableRole};
use obligato_lustre_syntax::ast::{Clock, Expr, ExprId, Name, Symbol, Visit};
use obligato_lustre_syntax::diagnostic::Diagnostic;
use obligato_lustre_syntax::source::ByteSpan;

/// Names that may turn out to be the start of a flattened one: the path so far and the name.
type Pending = FxHashMap<ExprId, (String, ExprId)>;

impl Resolver<'_> {
    /// Resolves all names in an expression.
    pub(super) fn expr(&mut self, root: ExprId) {
        let program = self.program;
        let mut pending = Pending::default();
        let mut scopes: Vec<Mark> = Vec::new();
        for visit in program.walk(root) {
            match visit {
                Visit::Enter(id) => {
                    if let Expr::Quantified(_, groups, _) = program.expr(id) {
                        let groups = &program.variables[groups];
                        scopes.push(self.enter());
                        let bound = self.variables(groups, |_| VariableRole::Quantified);
                        self.model.quantified.insert(id, bound);
                        self.groups(groups);
                    }
                }
                Visit::Leave(id) => {
                    self.name_at(id, &mut pending);
                    if matches!(program.expr(id), Expr::Quantified(..)) {
                        let mark = scopes.pop().expect("invariant: the quantifier was entered");
                        self.leave(&mark);
                    }
                }
            }
        }
        let mut unknown: Vec<_> = pending.into_values().map(|(_, name)| name).collect();
        unknown.sort_unstable();
        for id in unknown {
            if let Expr::Name(symbol) = program.expr(id) {
                self.unknown(symbol, program.expr_span(id));
            }
        }
    }

    fn name_at(&mut self, id: ExprId, pending: &mut Pending) {
        let program = self.program;
        let span = program.expr_span(id);
        let resolution = match program.expr(id) {
            Expr::Name(symbol) => match self.slots[symbol.index()] {
                Some(slot) => slot.resolution,
                None if self.flattened => {
                    pending.insert(id, (program.text(symbol).to_owned(), id));
                    return;
                }
                None => return self.unknown(symbol, span),
            },
            Expr::Field(base, field) if !pending.is_empty() => {
                return self.extend(id, base, &format!(".{}", program.text(field)), pending);
            }
            Expr::Index(base, index) if !pending.is_empty() => {
                if let Expr::Int(literal) = program.expr(index) {
                    let step = format!("[{}]", program.text(literal));
                    self.extend(id, base, &step, pending);
                }
                return;
            }
            // The others are rewritten.
            Expr::Last(symbol) => {
                if self.variable_named(Name { symbol, span }).is_some() {
                    let text = "'last' cannot stand here: it is for the variables of a node, in it";
                    self.report.add(Diagnostic::error(span, text));
                }
                return;
            }
            Expr::Merge { clock: symbol, .. } => match self.variable_named(Name { symbol, span }) {
                Some(variable) => Resolution::Variable(variable),
                None => return,
            },
            Expr::When(
                _,
                Clock::On(name) | Clock::Not(name) | Clock::Value { clock: name, .. },
            ) => match self.variable_named(name) {
                Some(variable) => Resolution::Variable(variable),
                None => return,
            },
            Expr::Call(call) => {
                let call = program.call(call);
                if !call.statics.is_empty() {
                    self.statics(call.node.symbol, call.node.span);
                }
                let Some(&callee) = self.globals.nodes.get(&call.node.symbol) else {
                    let name = program.text(call.node.symbol);
                    let text = format!("there is no node or function '{name}'");
                    return self.report.add(Diagnostic::error(call.node.span, text));
                };
                self.calls.push(CallSite { expr: id, callee });
                Resolution::Node(callee)
            }
            _ => return,
        };
        self.model.resolutions[id.index()] = resolution;
    }

    /// A step after what may be the start of a flattened name.
    fn extend(&mut self, id: ExprId, base: ExprId, step: &str, pending: &mut Pending) {
        let Some((mut path, name)) = pending.remove(&base) else { return };
        path.push_str(step);
        let slot = self.program.symbols.find(&path).and_then(|symbol| self.slots[symbol.index()]);
        let Some(slot) = slot else {
            pending.insert(id, (path, name));
            return;
        };
        self.model.resolutions[id.index()] = slot.resolution;
        let mut part = base;
        loop {
            self.model.resolutions[part.index()] = Resolution::Part;
            match self.program.expr(part) {
                Expr::Field(base, _) | Expr::Index(base, _) => part = base,
                _ => return,
            }
        }
    }

    /// The variable of this name; another thing of the name is an error.
    pub(super) fn variable_named(&mut self, name: Name) -> Option<VariableId> {
        let Some(slot) = self.slots[name.symbol.index()] else {
            self.unknown(name.symbol, name.span);
            return None;
        };
        if let Resolution::Variable(variable) = slot.resolution {
            return Some(variable);
        }
        let text = self.program.text(name.symbol);
        let text = format!("expected a variable, found the constant '{text}'");
        let diagnostic = Diagnostic::error(name.span, text);
        self.report.add(diagnostic.with_related(slot.span, "declared here"));
        None
    }

    fn unknown(&mut self, symbol: Symbol, span: ByteSpan) {
        let text = self.program.text(symbol);
        let mut diagnostic =
            Diagnostic::error(span, format!("there is no variable or constant '{text}' here"));
        if self.globals.nodes.contains_key(&symbol) {
            diagnostic = diagnostic.with_help(format!(
                "'{text}' is a node; to call it write its arguments: '{text}(…)'"
            ));
        } else if self.globals.types.contains_key(&symbol) {
            diagnostic = diagnostic.with_help(format!("'{text}' is a type"));
        }
        self.report.add(diagnostic);
    }
}
