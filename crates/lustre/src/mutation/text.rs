//! Mutants as text: what to write in place of what.
//!
//! This is about models as they were parsed: where variables are inlined, several expressions
//! stand for one place of the text.

use obligato_model::{Integer, Rational};

use super::{Change, Mutant};
use crate::analysis::{ConstantValue as Value, Kind, Model};
use obligato_lustre_syntax::ast::operator::machine_type;
use obligato_lustre_syntax::ast::{Expr, ExprId};
use obligato_lustre_syntax::source::{ByteSpan, Source};
use obligato_lustre_syntax::text::{MOST_EXAMINED, collapsed};

/// A real with more digits after the point is not written out.
const MOST_DECIMALS: usize = 64;

impl Mutant {
    /// Where the text changes.
    pub fn span(&self, model: &Model) -> ByteSpan {
        model.program.expr_span(self.expr)
    }

    /// The mutated file. `bytes` is the text that was parsed.
    pub fn apply(&self, model: &Model, bytes: &[u8]) -> Vec<u8> {
        let span = self.span(model);
        let mut mutated = bytes[..span.start as usize].to_vec();
        mutated.extend(self.text(model, bytes));
        mutated.extend(&bytes[span.end as usize..]);
        mutated
    }

    /// What takes the place of the text at the [`span`](Self::span). It stands in parentheses
    /// unless one word takes the place of another, so it means the same whatever is around it.
    pub fn text(&self, model: &Model, bytes: &[u8]) -> Vec<u8> {
        self.text_of_parts(model, bytes, usize::MAX)
    }

    /// The text with no more than so many bytes of each part that it takes over.
    fn text_of_parts(&self, model: &Model, bytes: &[u8], most: usize) -> Vec<u8> {
        let text = self.bare_text(model, bytes, most);
        let span = self.span(model);
        let word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let after = bytes.get(span.end as usize);
        let starts_alike = bytes.get(span.start as usize).is_some_and(word);
        let one_word = text.iter().all(|byte| word(byte) || *byte == b'.');
        if one_word && starts_alike && !after.is_some_and(word) {
            text
        } else {
            [b"(", &text[..], b")"].concat()
        }
    }

    fn bare_text(&self, model: &Model, bytes: &[u8], most: usize) -> Vec<u8> {
        let program = &model.program;
        let slice = |bytes, span| {
            let text: &[u8] = slice(bytes, span);
            &text[..text.len().min(most)]
        };
        let operand = |id: ExprId| {
            let text = slice(bytes, program.expr_span(id));
            match program.expr(id) {
                Expr::Bool(_) | Expr::Int(_) | Expr::Real(_) | Expr::Name(_) => text.to_vec(),
                _ => [b"(", text, b")"].concat(),
            }
        };
        match (&self.change, program.expr(self.expr)) {
            (Change::Operator(operator), Expr::Binary(_, left, right)) => {
                let spelling = format!(" {} ", operator.spelling());
                [operand(left), spelling.into_bytes(), operand(right)].concat()
            }
            (Change::Strip, Expr::Unary(_, id)) => slice(bytes, program.expr_span(id)).to_vec(),
            (Change::Operator(_) | Change::Strip, _) => {
                unreachable!("invariant: only an operator is replaced or lost")
            }
            (Change::Negate, _) => [b"not ", &operand(self.expr)[..]].concat(),
            (Change::Delay, _) => {
                let text = slice(bytes, program.expr_span(self.expr));
                [text, b" -> pre ", text].concat()
            }
            (Change::Variable(id), _) => model.variable_name(*id).as_bytes().to_vec(),
            (Change::Constant(id), _) => {
                model.text(model.constant(*id).name.symbol).as_bytes().to_vec()
            }
            (Change::Value(value), _) => self.value_text(model, value).into_bytes(),
        }
    }

    fn value_text(&self, model: &Model, value: &Value) -> String {
        let signed = |(negative, digits): (bool, String)| {
            if negative { format!("-{digits}") } else { digits }
        };
        match value {
            Value::Bool(value) => value.to_string(),
            Value::Int(value) => match *model.kinds.get(model.kind(self.expr)) {
                Kind::Machine(signedness, bits) => {
                    let name = machine_type(signedness, bits);
                    format!("{name} ({})", signed(integer(value)))
                }
                _ => signed(integer(value)),
            },
            Value::Real(value) => signed(decimal(value).expect("invariant: it can be written")),
            Value::Enumeration(id, position) => {
                let name = model.kinds.enumeration(*id).values[*position as usize];
                model.text(name.symbol).to_owned()
            }
            Value::Array(_) | Value::Tuple(_) | Value::Record(..) => {
                unreachable!("invariant: scalars are replaced by scalars")
            }
        }
    }

    /// As coverage lists it. `function` is that of its node, `source` has the lines of `bytes`.
    pub fn listed(
        &self,
        model: &Model,
        bytes: &[u8],
        source: &Source<'_>,
        function: obligato_model::FunctionId,
    ) -> obligato_model::Mutant {
        let span = self.span(model);
        obligato_model::Mutant {
            function,
            span: source.span(span),
            operator: self.operator.name().to_owned(),
            original: collapsed(slice(bytes, span)),
            // Of operators nested in each other each has the next in its text.
            replacement: collapsed(&self.text_of_parts(model, bytes, MOST_EXAMINED)),
        }
    }
}

fn slice(bytes: &[u8], span: ByteSpan) -> &[u8] {
    bytes.get(span.start as usize..span.end as usize).unwrap_or_default()
}

/// Is it negative, and its digits.
pub(super) fn integer(value: &Integer) -> (bool, String) {
    let text = value.to_string();
    match text.strip_prefix('-') {
        Some(digits) => (true, digits.to_owned()),
        None => (false, text),
    }
}

/// Is it negative, and its digits with a point; `None` if they do not end soon.
pub(super) fn decimal(value: &Rational) -> Option<(bool, String)> {
    let denominator = Integer::from(value.denominator().clone());
    let ten = Integer::from(10);
    let mut scale = Integer::ONE;
    let mut places = 0;
    while &scale % &denominator != Integer::ZERO {
        scale *= &ten;
        places += 1;
        if places > MOST_DECIMALS {
            return None;
        }
    }
    let (negative, digits) = integer(&(value.numerator() * (scale / denominator)));
    if places == 0 {
        return Some((negative, format!("{digits}.0")));
    }
    let digits = format!("{digits:0>width$}", width = places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    Some((negative, format!("{whole}.{fraction}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use obligato_lustre_syntax::literal;

    #[test]
    fn reals_are_written_exactly_or_not_at_all() {
        for text in ["0.0", "1.0", "120.0", "0.1", "0.05", "3.25", "100.001"] {
            let value = literal::real(text).expect("a real");
            assert_eq!(decimal(&value), Some((false, text.to_owned())));
            let negative = decimal(&-value);
            assert_eq!(negative, Some((text != "0.0", text.to_owned())));
        }
        assert_eq!(decimal(&(Rational::ONE / Rational::from(3))), None);
        assert_eq!(decimal(&literal::real("1e-65").expect("a real")), None);
    }
}
