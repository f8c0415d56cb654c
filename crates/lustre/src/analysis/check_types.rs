//! Pass 4: the kind of every expression, and whether everything fits.
//!
//! Kinds follow from operands alone, so one scan over the expressions finds them. There is no
//! conversion from `int` to `real`: `1` is an integer and `1.0` a real, as in both dialects. An
//! integer may be given to a subrange; that it lies within is checked at run time.

use super::collect_declarations::Globals;
use super::kind::{DEEPEST, Kind, KindId, Kinds};
use super::model::{Contract, Equation, Model, Resolution, Target};
use super::report::Report;
use super::value::ConstantValue;
use obligato_lustre_syntax::ast::{BinaryOperator, pool::List};
use obligato_lustre_syntax::ast::{Expr, ExprId, NodeKind, SyntaxTree, UnaryOperator, Visit};
use obligato_lustre_syntax::diagnostic::Diagnostic;
use obligato_lustre_syntax::source::ByteSpan;

mod calls;
mod expressions;
mod operators;
mod structures;
mod types;

/// Finds the kinds of all variables and expressions and checks the bodies.
pub fn check_types(model: &mut Model, globals: &Globals, report: &mut Report) {
    let program = std::mem::take(&mut model.program);
    let mut checker = Checker { program: &program, model, globals, report };
    checker.variables();
    for index in 0..program.exprs().len() {
        checker.infer_one(ExprId::new(index));
    }
    checker.bodies();
    model.program = program;
    name_integer_division(model);
}

/// `/` on integers becomes `div`, so that nobody after this has to look at operands.
fn name_integer_division(model: &mut Model) {
    for index in 0..model.program.exprs().len() {
        let id = ExprId::new(index);
        let Expr::Binary(BinaryOperator::Divide, left, right) = model.program.expr(id) else {
            continue;
        };
        if !matches!(model.kinds.get(model.kind(id)), Kind::Real | Kind::Unknown) {
            let divided = Expr::Binary(BinaryOperator::IntegerDivide, left, right);
            model.program.replace_expr(id, divided);
        }
    }
}

/// Kinds that should fit and do not.
struct Mismatch {
    expected: KindId,
    found: KindId,
}

/// What the checks of kinds work on. The program is taken out of the model meanwhile.
pub(super) struct Checker<'a> {
    pub(super) program: &'a SyntaxTree,
    pub(super) model: &'a mut Model,
    pub(super) globals: &'a Globals,
    pub(super) report: &'a mut Report,
}

impl Checker<'_> {
    /// Finds the kind of an expression and of all its operands.
    pub(super) fn infer(&mut self, root: ExprId) {
        let program = self.program;
        for visit in program.walk(root) {
            if let Visit::Leave(id) = visit {
                self.infer_one(id);
            }
        }
    }

    /// Finds the kind of an expression whose operands have theirs.
    fn infer_one(&mut self, id: ExprId) {
        if self.model.kind(id) == Kinds::unknown() {
            let kind = self.kind_at(id);
            self.model.expr_kinds[id.index()] = self.shallow(kind, self.program.expr_span(id));
        }
    }

    /// The kind, unless it nests too deep to be described.
    fn shallow(&mut self, kind: KindId, span: ByteSpan) -> KindId {
        if self.model.kinds.depth(kind) <= DEEPEST {
            return kind;
        }
        self.error(span, format!("arrays and tuples may nest {DEEPEST} deep, no deeper"));
        Kinds::unknown()
    }

    fn variables(&mut self) {
        for index in 0..self.model.variables.len() {
            if let Some(written) = self.model.variables[index].written {
                let kind = self.kind_of_type(written);
                self.model.variables[index].kind = kind;
            }
        }
    }

    // Messages.

    pub(super) fn text_of(&self, kind: KindId) -> String {
        self.model.kinds.describe(kind, &self.program.symbols)
    }

    pub(super) fn error(&mut self, span: ByteSpan, text: impl Into<String>) {
        self.report.add(Diagnostic::error(span, text));
    }

    /// Where the thing that an expression names is declared.
    fn declaration_of(&self, id: ExprId) -> Option<(ByteSpan, String)> {
        let (name, kind) = match self.model.resolution(id) {
            Resolution::Variable(variable) => {
                let variable = self.model.variable(variable);
                (variable.name, variable.kind)
            }
            Resolution::Constant(constant) => {
                let constant = self.model.constant(constant);
                (constant.name, constant.kind)
            }
            _ => return None,
        };
        let text = self.program.text(name.symbol);
        Some((name.span, format!("'{text}' is declared here as {}", self.text_of(kind))))
    }

    /// Reports that `expected` should stand where an expression of another kind does.
    pub(super) fn mismatch(&mut self, id: ExprId, expected: &str, what: &str) {
        let found = self.text_of(self.model.kind(id));
        let text = format!("expected {expected}, found {found}: {what}");
        let mut diagnostic = Diagnostic::error(self.program.expr_span(id), text);
        diagnostic.expected = vec![expected.to_owned()];
        if let Some((span, text)) = self.declaration_of(id) {
            diagnostic = diagnostic.with_related(span, text);
        }
        let help = match (expected, found.as_str()) {
            ("real", "int") => Some("an integer is no real: write 1.0 or real(…)"),
            ("int", "real") => Some("a real is no integer: write int(…) or floor(…)"),
            _ => None,
        };
        self.report.add(match help {
            Some(help) => diagnostic.with_help(help),
            None => diagnostic,
        });
    }

    /// Reports an expression that does not fit where a value of kind `expected` goes.
    pub(super) fn expect_fit(
        &mut self,
        id: ExprId,
        expected: KindId,
        what: &str,
        place: Option<(ByteSpan, &str)>,
    ) {
        if self.model.kinds.join(expected, self.model.kind(id)).is_some() {
            return;
        }
        let expected = self.text_of(expected);
        let found = self.text_of(self.model.kind(id));
        let text = format!("expected {expected}, found {found}: {what}");
        let mut diagnostic = Diagnostic::error(self.program.expr_span(id), text);
        diagnostic.expected = vec![expected];
        if let Some((span, text)) = place {
            diagnostic = diagnostic.with_related(span, text);
        }
        self.report.add(diagnostic);
    }

    /// Reports a constant that is outside of a subrange or machine type.
    pub(super) fn expect_in_range(&mut self, id: ExprId, value: &ConstantValue, kind: KindId) {
        let ConstantValue::Int(value) = value else { return };
        if let Kind::Subrange(low, high) = self.model.kinds.get(kind) {
            let below = low.as_ref().is_some_and(|low| value < low);
            if below || high.as_ref().is_some_and(|high| value > high) {
                let text = format!("{value} is not in {}", self.text_of(kind));
                self.error(self.program.expr_span(id), text);
            }
        }
    }

    pub(super) fn expect_bool(&mut self, id: ExprId, what: &str) {
        if !matches!(self.model.kinds.get(self.model.kind(id)), Kind::Bool | Kind::Unknown) {
            self.mismatch(id, "bool", what);
        }
    }

    pub(super) fn expect_integer(&mut self, id: ExprId, what: &str) {
        let kind = self.model.kind(id);
        if kind != Kinds::unknown() && !self.model.kinds.is_integer(kind) {
            self.mismatch(id, "int", what);
        }
    }

    pub(super) fn list(&self, list: List<ExprId>) -> &[ExprId] {
        &self.program.expr_lists[list]
    }

    // Bodies.

    fn bodies(&mut self) {
        for position in 0..self.model.nodes.len() {
            let node = &mut self.model.nodes[position];
            let equations = std::mem::take(&mut node.equations);
            for equation in &equations {
                self.equation(equation);
            }
            let node = &mut self.model.nodes[position];
            node.equations = equations;
            let (asserts, properties) = (node.asserts.clone(), node.properties.clone());
            for condition in asserts {
                self.expect_bool(condition, "what 'assert' says");
            }
            for property in properties {
                self.expect_bool(property.condition, "a property");
                property.provided.into_iter().for_each(|id| self.expect_bool(id, "'provided'"));
            }
            if let Some(contract) = self.model.nodes[position].contract.take() {
                self.contract(&contract);
                self.model.nodes[position].contract = Some(contract);
            }
            if self.model.nodes[position].kind == NodeKind::Function {
                self.function(position);
            }
        }
    }

    fn equation(&mut self, equation: &Equation) {
        let found = match self.model.kinds.get(self.model.kind(equation.value)) {
            Kind::List(parts) => parts.clone(),
            _ => vec![self.model.kind(equation.value)],
        };
        if found == [Kinds::unknown()] {
            return;
        }
        if found.len() != equation.targets.len() {
            let (left, right) = (streams(equation.targets.len()), streams(found.len()));
            let text = format!("the left side has {left}, the right side {right}");
            let span = self.program.expr_span(equation.value);
            let diagnostic = Diagnostic::error(span, text);
            let left = equation.targets.first().map_or(equation.span, |target| target.span);
            self.report.add(diagnostic.with_related(left, "the left side"));
            return;
        }
        if let [target] = &equation.targets[..]
            && !self.program.is_written(equation.value)
        {
            return self.choice(equation.value, target);
        }
        for (part, target) in equation.targets.iter().enumerate() {
            let variable = *self.model.variable(target.variable);
            let mut expected = variable.kind;
            for _ in &target.indices {
                expected = match *self.model.kinds.get(expected) {
                    Kind::Array(element, _) => element,
                    Kind::Unknown => expected,
                    _ => {
                        let text = format!("expected an array, found {}", self.text_of(expected));
                        return self.error(target.span, text);
                    }
                };
            }
            if self.model.kinds.join(expected, found[part]).is_none() {
                let name = self.program.text(variable.name.symbol);
                let place = (variable.name.span, format!("'{name}' is declared here"));
                let what = format!("what '{name}' is defined as");
                let mismatch = Mismatch { expected, found: found[part] };
                self.part_mismatch(equation.value, part, mismatch, &what, place);
            }
        }
    }

    /// What a block is rewritten to: all that the variable may be, each as if it stood alone.
    fn choice(&mut self, value: ExprId, target: &Target) {
        let variable = *self.model.variable(target.variable);
        let name = self.program.text(variable.name.symbol);
        let mut todo = vec![value];
        while let Some(id) = todo.pop() {
            match self.program.expr(id) {
                Expr::If(_, then, otherwise) if !self.program.is_written(id) => {
                    todo.extend([otherwise, then]);
                }
                Expr::Binary(BinaryOperator::Arrow, initial, later)
                    if !self.program.is_written(id) =>
                {
                    todo.extend([later, initial]);
                }
                _ => {
                    let what = format!("what '{name}' is defined as");
                    let text = format!("'{name}' is declared here");
                    let place = Some((variable.name.span, &text[..]));
                    self.expect_fit(id, variable.kind, &what, place);
                }
            }
        }
    }

    /// A part of the right side does not fit; its place is known if the parts are written out.
    fn part_mismatch(
        &mut self,
        value: ExprId,
        part: usize,
        Mismatch { expected, found }: Mismatch,
        what: &str,
        place: (ByteSpan, String),
    ) {
        let at = match self.program.expr(value) {
            Expr::Group(obligato_lustre_syntax::ast::Group::List, parts) => self.list(parts)[part],
            _ => value,
        };
        let (expected, found) = (self.text_of(expected), self.text_of(found));
        let text = format!("expected {expected}, found {found}: {what}");
        let mut diagnostic = Diagnostic::error(self.program.expr_span(at), text);
        if (expected.as_str(), found.as_str()) == ("real", "int") {
            diagnostic = diagnostic.with_help("an integer is no real: write 1.0 or real(…)");
        }
        diagnostic.expected = vec![expected];
        self.report.add(diagnostic.with_related(place.0, place.1));
    }

    fn contract(&mut self, contract: &Contract) {
        for equation in &contract.equations {
            self.equation(equation);
        }
        for condition in &contract.assumptions {
            self.expect_bool(*condition, "an assumption");
        }
        for condition in &contract.guarantees {
            self.expect_bool(*condition, "a guarantee");
        }
        for mode in &contract.modes {
            mode.requires.iter().for_each(|id| self.expect_bool(*id, "what a mode requires"));
            mode.ensures.iter().for_each(|id| self.expect_bool(*id, "what a mode ensures"));
        }
        for import in &contract.imports {
            self.import(import);
        }
    }

    /// A function has no memory.
    fn function(&mut self, position: usize) {
        let node = &self.model.nodes[position];
        let name = node.name;
        let roots: Vec<_> = node.equations.iter().map(|equation| equation.value).collect();
        for root in roots {
            for visit in self.program.walk(root) {
                let Visit::Enter(id) = visit else { continue };
                let memory = match self.program.expr(id) {
                    Expr::Unary(UnaryOperator::Pre, _) => "'pre'",
                    Expr::Unary(UnaryOperator::Current, _) => "'current'",
                    Expr::Binary(BinaryOperator::Arrow, ..) => "'->'",
                    Expr::Binary(BinaryOperator::Fby, ..) | Expr::Delay { .. } => "'fby'",
                    Expr::Condact { .. } => "'condact'",
                    Expr::Call(_) => match self.model.resolution(id) {
                        Resolution::Node(callee)
                            if self.model.node(callee).kind == NodeKind::Node =>
                        {
                            "a node call"
                        }
                        _ => continue,
                    },
                    _ => continue,
                };
                let text = format!("a function has no memory, but here is {memory}");
                let diagnostic = Diagnostic::error(self.program.expr_span(id), text);
                let function = format!("'{}' is a function", self.program.text(name.symbol));
                self.report.add(diagnostic.with_related(name.span, function));
            }
        }
    }
}

/// `1 stream`, `2 streams`.
pub(super) fn streams(count: usize) -> String {
    if count == 1 { "1 stream".to_owned() } else { format!("{count} streams") }
}
