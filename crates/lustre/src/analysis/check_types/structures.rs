//! The kinds of records, arrays, tuples and of `merge`.

use super::Checker;
use crate::analysis::evaluate_constants::evaluate;
use crate::analysis::kind::{Kind, KindId, Kinds, Size};
use crate::analysis::model::Resolution;
use crate::analysis::value::ConstantValue;
use obligato_lustre_syntax::ast::{Clock, Expr, ExprId, List, Name, NamedExpr, Step, Symbol};
use obligato_lustre_syntax::diagnostic::Diagnostic;
use obligato_lustre_syntax::literal;
use obligato_lustre_syntax::source::ByteSpan;

impl Checker<'_> {
    pub(super) fn field(&mut self, id: ExprId, base: ExprId, field: Symbol) -> KindId {
        let span = self.program.expr_span(id);
        self.field_of(self.model.kind(base), field, span)
    }

    fn field_of(&mut self, kind: KindId, field: Symbol, span: ByteSpan) -> KindId {
        let name = self.program.text(field);
        match *self.model.kinds.get(kind) {
            Kind::Unknown => kind,
            Kind::Record(id) => {
                let record = self.model.kinds.record(id);
                if let Some(position) = record.field(field) {
                    return record.fields[position].1;
                }
                let text =
                    format!("the record type '{}' has no field '{name}'", self.text_of(kind));
                let diagnostic = Diagnostic::error(span, text);
                let declared = record.name.span;
                self.report.add(diagnostic.with_related(declared, "declared here"));
                Kinds::unknown()
            }
            _ => {
                let found = self.text_of(kind);
                self.error(span, format!("expected a record with field '{name}', found {found}"));
                Kinds::unknown()
            }
        }
    }

    pub(super) fn index(&mut self, base: ExprId, index: ExprId) -> KindId {
        self.element(self.model.kind(base), index, self.program.expr_span(base))
    }

    fn element(&mut self, kind: KindId, index: ExprId, span: ByteSpan) -> KindId {
        self.expect_integer(index, "an index");
        match *self.model.kinds.get(kind) {
            Kind::Unknown => kind,
            Kind::Array(element, size) => {
                let position = match self.program.expr(index) {
                    Expr::Int(text) => literal::integer(self.program.text(text)),
                    _ => None,
                };
                if let (Some(position), Size::Known(size)) = (position, size)
                    && position >= size.into()
                {
                    let last = size - 1;
                    let text = format!("the index {position} is outside of 0 to {last}");
                    self.error(self.program.expr_span(index), text);
                }
                element
            }
            _ => {
                let found = self.text_of(kind);
                self.error(span, format!("expected an array, found {found}"));
                Kinds::unknown()
            }
        }
    }

    /// `a[low..high]`: the elements from `low` to `high`, both included.
    pub(super) fn slice(&mut self, base: ExprId, low: ExprId, high: ExprId) -> KindId {
        let whole = self.model.kind(base);
        self.element(whole, low, self.program.expr_span(base));
        let Kind::Array(element, size) = *self.model.kinds.get(whole) else {
            return Kinds::unknown();
        };
        self.element(whole, high, self.program.expr_span(base));
        let mut bounds = [0; 2];
        for (known, bound) in bounds.iter_mut().zip([low, high]) {
            let value = match evaluate(self.program, self.model, bound) {
                Ok(ConstantValue::Int(value)) => u64::try_from(&value).ok(),
                Ok(_) => return Kinds::unknown(),
                Err(_) => {
                    let text = "the bounds of a slice must be constant, as its size is";
                    self.error(self.program.expr_span(bound), text);
                    return Kinds::unknown();
                }
            };
            let inside = match size {
                Size::Known(size) => value.filter(|value| *value < size),
                Size::Given(_) => value,
            };
            let Some(inside) = inside else {
                // A literal that is too large was reported as an index.
                if !matches!(self.program.expr(bound), Expr::Int(_)) {
                    let text = "the slice leaves its array";
                    self.error(self.program.expr_span(bound), text);
                }
                return Kinds::unknown();
            };
            *known = inside;
        }
        let [low_value, high_value] = bounds;
        if low_value > high_value {
            let text = format!("the slice from {low_value} to {high_value} is empty");
            self.error(self.program.expr_span(low).to(self.program.expr_span(high)), text);
            return Kinds::unknown();
        }
        self.model.kinds.intern(Kind::Array(element, Size::Known(high_value - low_value + 1)))
    }

    pub(super) fn project(&mut self, id: ExprId, base: ExprId, number: Symbol) -> KindId {
        let text = self.program.text(number);
        let found = self.model.kind(base);
        match self.model.kinds.get(found) {
            Kind::Unknown => Kinds::unknown(),
            Kind::Tuple(parts) => {
                if let Some(part) = text.parse::<usize>().ok().and_then(|n| parts.get(n)) {
                    return *part;
                }
                let text = format!("a tuple of {} has no element {text}", parts.len());
                self.error(self.program.expr_span(id), text);
                Kinds::unknown()
            }
            _ => {
                self.mismatch(base, "a tuple", "before '.%'");
                Kinds::unknown()
            }
        }
    }

    pub(super) fn update(&mut self, base: ExprId, path: &[Step], value: ExprId) -> KindId {
        let whole = self.model.kind(base);
        let mut part = whole;
        let span = self.program.expr_span(base);
        for step in path {
            part = match *step {
                Step::Field(name) => self.field_of(part, name.symbol, name.span),
                Step::Index(index) => self.element(part, index, span),
            };
        }
        self.expect_fit(value, part, "the new part", Some((span, "of this")));
        whole
    }

    pub(super) fn record(
        &mut self,
        id: ExprId,
        name: Symbol,
        base: Option<ExprId>,
        fields: List<NamedExpr>,
    ) -> KindId {
        let span = self.program.expr_span(id);
        let text = self.program.text(name);
        let Some(&position) = self.globals.types.get(&name) else {
            self.error(span, format!("there is no type '{text}'"));
            return Kinds::unknown();
        };
        let kind = self.model.types[position].kind;
        let Kind::Record(record) = *self.model.kinds.get(kind) else {
            if kind != Kinds::unknown() {
                let found = self.text_of(kind);
                self.error(
                    span,
                    format!("expected a record type, found '{text}', which is {found}"),
                );
            }
            return Kinds::unknown();
        };
        let program = self.program;
        let mut given = vec![None; self.model.kinds.record(record).fields.len()];
        for field in &program.named[fields] {
            let Some(position) = self.model.kinds.record(record).field(field.name.symbol) else {
                self.field_of(kind, field.name.symbol, field.name.span);
                continue;
            };
            let (declared, expected) = self.model.kinds.record(record).fields[position];
            if given[position].replace(()).is_some() {
                let text = self.program.text(field.name.symbol);
                self.error(field.name.span, format!("the field '{text}' is given twice"));
            }
            let what = format!("the field '{}'", self.program.text(declared.symbol));
            self.expect_fit(field.value, expected, &what, Some((declared.span, "declared here")));
        }
        if let Some(base) = base {
            self.expect_fit(base, kind, "what gives the other fields", None);
        } else if let Some(missing) = given.iter().position(Option::is_none) {
            let (name, _) = self.model.kinds.record(record).fields[missing];
            let field = self.program.text(name.symbol);
            let text = format!("the field '{field}' of '{text}' is missing");
            let diagnostic = Diagnostic::error(span, text);
            self.report.add(diagnostic.with_related(name.span, "declared here"));
        }
        kind
    }

    // Clocks.

    /// The kind of the variable of a clock fits how it is used.
    pub(super) fn clock(&mut self, id: ExprId, clock: Clock) {
        let Resolution::Variable(variable) = self.model.resolution(id) else { return };
        let kind = self.model.variable(variable).kind;
        match clock {
            Clock::Base => {}
            Clock::On(name) | Clock::Not(name) => {
                if !matches!(self.model.kinds.get(kind), Kind::Bool | Kind::Unknown) {
                    let found = self.text_of(kind);
                    self.error(name.span, format!("expected bool, found {found}: a clock"));
                }
            }
            Clock::Value { value, clock } => {
                self.value_of_clock(kind, value, clock.span);
            }
        }
    }

    /// The position of a value of the clock's enumeration.
    fn value_of_clock(&mut self, kind: KindId, value: Name, span: ByteSpan) -> Option<usize> {
        let text = self.program.text(value.symbol);
        match *self.model.kinds.get(kind) {
            Kind::Unknown => None,
            Kind::Bool if matches!(text, "true" | "false") => Some(usize::from(text == "false")),
            Kind::Enumeration(id) => {
                let values = &self.model.kinds.enumeration(id).values;
                let found = values.iter().position(|known| known.symbol == value.symbol);
                if found.is_none() {
                    let kind = self.text_of(kind);
                    self.error(value.span, format!("'{text}' is not a value of {kind}"));
                }
                found
            }
            _ => {
                let found = self.text_of(kind);
                self.error(span, format!("expected an enumeration, found {found}: a clock"));
                None
            }
        }
    }

    pub(super) fn merge(&mut self, id: ExprId, branches: List<NamedExpr>) -> KindId {
        let Resolution::Variable(variable) = self.model.resolution(id) else {
            return Kinds::unknown();
        };
        let clock = self.model.variable(variable).kind;
        let span = self.program.expr_span(id);
        let program = self.program;
        let branches = &program.named[branches];
        let mut seen = Vec::new();
        for branch in branches {
            let Some(position) = self.value_of_clock(clock, branch.name, span) else {
                return Kinds::unknown();
            };
            if seen.contains(&position) {
                let text = self.program.text(branch.name.symbol);
                let text = format!("'merge' has two branches for '{text}'");
                self.error(branch.name.span, text);
            }
            seen.push(position);
        }
        let wanted = match *self.model.kinds.get(clock) {
            Kind::Enumeration(id) => self.model.kinds.enumeration(id).values.len(),
            _ => 2,
        };
        if let Some(missing) = (0..wanted).find(|position| !seen.contains(position)) {
            let name = match *self.model.kinds.get(clock) {
                Kind::Enumeration(id) => {
                    self.program.text(self.model.kinds.enumeration(id).values[missing].symbol)
                }
                _ if missing == 0 => "true",
                _ => "false",
            };
            self.error(span, format!("'merge' has no branch for '{name}'"));
        }
        let Some(first) = branches.first() else { return Kinds::unknown() };
        let mut kind = self.model.kind(first.value);
        for branch in &branches[1..] {
            match self.model.kinds.join(kind, self.model.kind(branch.value)) {
                Some(joined) => kind = joined,
                None => return self.same(first.value, branch.value, "the branches of 'merge'"),
            }
        }
        kind
    }
}
