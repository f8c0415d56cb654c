//! Folded conditions and decisions, and the operations that still show their evaluation.

use obligato_bytecode::Operation;
use obligato_clang as syntax;
use obligato_clang::{Decision, DecisionIndex, Due, Given};
use obligato_model::Span;

use super::super::{DecisionMap, EvaluationSite};
use super::Mapper;

impl Mapper<'_> {
    /// Only the compiler can fold comparisons with addresses of objects: they leave
    /// a branch on a constant.
    pub(super) fn find_folded(&self, decision: &Decision, conditions: &mut [EvaluationSite]) {
        let mut open = conditions.iter().enumerate().filter(|(_, site)| is_missing(site));
        let (Some((ordinal, _)), None) = (open.next(), open.next()) else { return };
        // Of a choice such a branch may be one of the arms.
        if !matches!(decision.conditions[ordinal].given, Given::Value(_)) {
            return;
        }
        let mut known = self.known_within(decision.stretch.span);
        if let (Some(branch), None) = (known.next(), known.next()) {
            conditions[ordinal] = EvaluationSite::Folded(branch.value);
        }
    }

    /// The operation that is executed whenever a decision without code is evaluated; none where nothing has code.
    pub(super) fn shown_by(
        &self,
        said: &syntax::Function,
        decision: &Decision,
        outer: &[DecisionMap],
        statements: &[Option<u32>],
    ) -> Result<Option<u32>, &'static str> {
        let nothing = "the compiler knows it, and nothing in the code shows when it is evaluated";
        match (decision.due, decision.nested_in) {
            (Due::WithCondition, Some((DecisionIndex(outer_decision), ordinal))) => {
                let outer = &outer[outer_decision];
                match &outer.conditions[ordinal] {
                    EvaluationSite::At(evaluations) => match evaluations.as_slice() {
                        [only] => Ok(Some(only.operation)),
                        _ => Err(nothing),
                    },
                    // The first one is evaluated whenever the decision is; of the others nothing shows it.
                    EvaluationSite::Folded(_) if ordinal == 0 => {
                        outer.anchor.map(Some).ok_or(nothing)
                    }
                    EvaluationSite::Dead => Ok(None),
                    EvaluationSite::Folded(_) | EvaluationSite::Missing(_) => Err(nothing),
                }
            }
            (Due::WithStatement, _) => Ok(self.anchor(said, decision, statements)),
            _ => Err(nothing),
        }
    }

    /// Of a decision that is evaluated whenever its statement is executed.
    fn anchor(
        &self,
        said: &syntax::Function,
        decision: &Decision,
        statements: &[Option<u32>],
    ) -> Option<u32> {
        let span = decision.stretch.span;
        let holders = said.statements.iter().zip(statements);
        let around = holders.filter(|(statement, _)| encloses(statement.stretch.span, span));
        let (statement, begins) = around.min_by_key(|(statement, _)| {
            let Span { start, end } = statement.stretch.span;
            (end.line - start.line, std::cmp::Reverse(start), end)
        })?;
        let stretch = &statement.stretch;
        if stretch.text.starts_with("do") {
            // `do … while (0)`: its body has been executed when the block behind it is entered.
            let body = self.places.within(Span { start: stretch.span.start, end: span.start });
            let to = body.iter().rev().find_map(|(_, at)| match &self.done.code[*at as usize] {
                Operation::Jump { to } => Some(to.0),
                _ => None,
            });
            return to.or(*begins);
        }
        begins.or_else(|| self.behind(said, stretch.span))
    }

    /// For a statement without code: the operation that is executed next when the statement before it is done.
    /// Code is emitted in the order of the text, so that is the one behind it.
    fn behind(&self, said: &syntax::Function, span: Span) -> Option<u32> {
        let before = said.statements.iter().filter(|other| other.stretch.span.end <= span.start);
        let previous =
            before.max_by_key(|other| (other.stretch.span.end, other.stretch.span.start));
        if previous.is_some_and(|previous| leaves(&previous.stretch.text)) {
            return None;
        }
        let so_far = self.places.within(Span { start: said.span.start, end: span.start });
        let last = so_far.iter().map(|(_, at)| *at).max();
        let next = last.map_or(0, |last| last + 1);
        ((next as usize) < self.done.code.len()).then_some(next)
    }
}

/// Is a statement never followed by the next one?
fn leaves(text: &str) -> bool {
    let word = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next();
    matches!(word, Some("return" | "break" | "continue" | "goto"))
}

fn is_missing(site: &EvaluationSite) -> bool {
    matches!(site, EvaluationSite::Missing(_) | EvaluationSite::Dead)
}

fn encloses(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}
