//! Which of the Booleans of a function are its conditions.

use obligato_bytecode::{Comparison, FloatComparison, Function, Operation, Register};
use obligato_clang as syntax;
use obligato_clang::{Condition, Decision, Leaf};
use obligato_model::{Node, Position, RelationOperator, Span};

use super::booleans::{Boolean, Booleans};
use super::places::Places;
use super::{DecisionMap, Evaluation, Site};

mod reach;

/// Maps the decisions of a function.
pub fn map_decisions(
    said: &syntax::Function,
    done: &Function,
    places: &Places,
    booleans: &Booleans,
    statements: &[Option<u32>],
) -> Vec<DecisionMap> {
    let nested = nested_spans(said);
    let mapper = Mapper { done, places, booleans };
    let mut maps = Vec::with_capacity(said.decisions.len());
    for (decision, nested) in said.decisions.iter().zip(&nested) {
        let mut conditions = Vec::with_capacity(decision.conditions.len());
        for (condition, nested) in decision.conditions.iter().zip(nested) {
            conditions.push(mapper.find(decision, condition, nested));
        }
        mapper.find_folded(decision, &mut conditions);
        reach::mark_unreachable(decision, &mut conditions);
        let folded = conditions.iter().all(|site| matches!(site, Site::Folded(_)));
        let anchor = folded.then(|| mapper.anchor(said, decision, statements)).flatten();
        maps.push(DecisionMap { conditions, anchor });
    }
    maps
}

/// Per decision and condition, where the decisions inside of it stand.
fn nested_spans(said: &syntax::Function) -> Vec<Vec<Vec<Span>>> {
    let none = |decision: &Decision| vec![Vec::new(); decision.conditions.len()];
    let mut nested: Vec<Vec<Vec<Span>>> = said.decisions.iter().map(none).collect();
    for decision in &said.decisions {
        if let Some((outer, condition)) = decision.nested_in {
            nested[outer.0][condition].push(decision.stretch.span);
        }
    }
    nested
}

struct Mapper<'a> {
    done: &'a Function,
    places: &'a Places,
    booleans: &'a Booleans,
}

impl Mapper<'_> {
    fn find(&self, decision: &Decision, condition: &Condition, nested: &[Span]) -> Site {
        if nested.iter().any(|inner| contains(*inner, condition.position)) {
            // `a ? x : y` starts with its test, so what is computed there is not its value.
            return self.find_inside(decision, condition, nested);
        }
        let here = self.booleans.at(condition.position);
        let exact: Vec<&Boolean> = match &condition.leaf {
            Leaf::Relation { operator, .. } => {
                here.filter(|boolean| self.compares(boolean, *operator)).collect()
            }
            Leaf::Value(_) => here.collect(),
        };
        let exact = without_merged(without_whole(exact, decision));
        let exact = self.without_chosen(exact, decision, condition);
        match (exact.as_slice(), condition.constant) {
            ([only], _) => return Site::At(vec![self.evaluation(only, condition)]),
            ([], Some(value)) => return Site::Folded(value),
            ([], None) => {}
            ([.., last], _) if self.are_steps(&exact, decision, condition) => {
                return Site::At(vec![self.evaluation(last, condition)]);
            }
            (several, _) => return Site::Missing(Self::ambiguous(several)),
        }
        self.find_inside(decision, condition, nested)
    }

    /// The value of `a ? 1 : 0` has the place of `a`, and is selected by it.
    fn without_chosen<'b>(
        &self,
        found: Vec<&'b Boolean>,
        decision: &Decision,
        condition: &Condition,
    ) -> Vec<&'b Boolean> {
        if found.len() < 2 || !operators(decision).contains(&condition.position) {
            return found;
        }
        let tests: Vec<Register> = found.iter().map(|one| one.register).collect();
        let is_chosen = |one: &&Boolean| {
            match &self.done.code[one.operation as usize] {
            Operation::Compare { left, .. } => self.done.code.iter().any(|operation| {
                matches!(operation, Operation::Select { to, test, .. } if to == left && tests.contains(test))
            }),
            _ => false,
        }
        };
        found.into_iter().filter(|one| !is_chosen(one)).collect()
    }

    /// Does all of it happen at the place of the condition? Then it is what the compiler makes of one of its own
    /// functions, as of `__builtin_isinf_sign(x)`, step by step.
    fn are_steps(&self, found: &[&Boolean], decision: &Decision, condition: &Condition) -> bool {
        let place_of = |boolean: &&Boolean| self.done.places[boolean.operation as usize];
        matches!(condition.leaf, Leaf::Value(_))
            && !operators(decision).contains(&condition.position)
            && found.iter().all(|boolean| place_of(boolean) == Some(condition.position))
    }

    /// For values that have no operation at their own place: `flag = x`, statement expressions, `c ? x : y`.
    fn find_inside(&self, decision: &Decision, condition: &Condition, nested: &[Span]) -> Site {
        let span = condition.stretch.span;
        let own = |place: &Position| {
            contains(span, *place) && !nested.iter().any(|inner| contains(*inner, *place))
        };
        let inner = |place: &Position| contains(span, *place);
        let find = |passes: &dyn Fn(&Boolean) -> bool| -> Vec<&Boolean> {
            self.booleans.all.iter().filter(|boolean| passes(boolean)).collect()
        };
        let mut inside = find(&|boolean| boolean.places.iter().any(own));
        if inside.is_empty() {
            // Of a merge around the condition, as that of `&&`, other places are known as well.
            let merges = |boolean: &Boolean| !boolean.merged.is_empty();
            inside = find(&|boolean| merges(boolean) && boolean.merged.iter().all(inner));
            // That of the operator around the condition may know no others either. It is not read inside, though.
            let read_inside = |boolean: &&Boolean| {
                self.done.places[boolean.operation as usize].as_ref().is_some_and(inner)
            };
            if inside.iter().any(read_inside) {
                inside.retain(read_inside);
            }
        }
        if inside.is_empty() {
            // The value is that of a decision inside: `flag = x`.
            inside = find(&|boolean| boolean.places.iter().any(inner));
        }
        let Some(last) = inside.last() else {
            let code = self.places.within(decision.stretch.span);
            return if code.is_empty() { Site::Dead } else { self.nothing(condition) };
        };
        // The arms of a choice are tested each for itself, and all lead to the same two places.
        let same = |boolean: &&&Boolean| self.tested_by(boolean) == self.tested_by(last);
        let arms: Vec<&Boolean> = inside.iter().filter(same).copied().collect();
        if self.has_known_arm(last, decision) {
            return Site::Missing(KNOWN_ARM.to_owned());
        }
        Site::At(arms.into_iter().map(|arm| self.evaluation(arm, condition)).collect())
    }

    /// Has a choice an arm that the compiler knows, as `c ? -1 : a` has? That arm is a branch on a constant which leads where those of the
    /// other arms do, and nothing is evaluated on the way.
    fn has_known_arm(&self, arm: &Boolean, decision: &Decision) -> bool {
        let (_, Some(leads_to)) = self.tested_by(arm) else { return false };
        self.done.code.iter().zip(&self.done.places).any(|(operation, place)| match operation {
            Operation::Branch { test, then, otherwise } => {
                (test.0 as usize) < self.done.constants.len()
                    && place.is_some_and(|place| contains(decision.stretch.span, place))
                    && leads_to == [self.behind_merge(then.0), self.behind_merge(otherwise.0)]
            }
            _ => false,
        })
    }

    /// The two places that a branch on this Boolean leads to; none if there is no such branch.
    fn tested_by(&self, boolean: &Boolean) -> (Option<u32>, Option<[u32; 2]>) {
        let block = self.done.blocks.iter().find(|block| block.code.contains(&boolean.operation));
        let last = block.map(|block| &self.done.code[block.code.end as usize - 1]);
        match last {
            Some(Operation::Branch { test, then, otherwise }) if *test == boolean.register => {
                (None, Some([self.behind_merge(then.0), self.behind_merge(otherwise.0)]))
            }
            _ => (Some(boolean.operation), None),
        }
    }

    /// Where a branch ends up that has copies to make first for a merge of blocks.
    fn behind_merge(&self, target: u32) -> u32 {
        let rest = self.done.code.get(target as usize..).unwrap_or_default();
        let is_copy =
            |one: &&Operation| matches!(one, Operation::Move { .. } | Operation::Moves { .. });
        match rest.iter().find(|one| !is_copy(one)) {
            Some(Operation::Jump { to }) => to.0,
            _ => target,
        }
    }

    fn evaluation(&self, boolean: &Boolean, condition: &Condition) -> Evaluation {
        let operands = match (&condition.leaf, &self.done.code[boolean.operation as usize]) {
            (
                Leaf::Relation { .. },
                Operation::Compare { left, right, .. }
                | Operation::FloatCompare { left, right, .. },
            ) => Some((*left, *right)),
            _ => None,
        };
        Evaluation { operation: boolean.operation, value: boolean.register, operands }
    }

    /// Is this the comparison that the source asks for?
    fn compares(&self, boolean: &Boolean, operator: RelationOperator) -> bool {
        match &self.done.code[boolean.operation as usize] {
            Operation::Compare { op, .. } | Operation::WideCompare { op, .. } => {
                relation_of(*op) == operator
            }
            Operation::FloatCompare { op, .. } => *op == float_relation(operator),
            // A comparison that the executor cannot do has been replaced.
            _ => false,
        }
    }

    /// Comparisons with addresses of objects are known to the compiler alone: they leave
    /// a branch on a constant.
    fn find_folded(&self, decision: &Decision, conditions: &mut [Site]) {
        if conditions.iter().any(|site| matches!(site, Site::Missing(why) if why == KNOWN_ARM)) {
            return;
        }
        let mut open = conditions.iter().enumerate().filter(|(_, site)| is_missing(site));
        let (Some((ordinal, _)), None) = (open.next(), open.next()) else { return };
        let in_decision = self.places.within(decision.stretch.span);
        let mut known =
            in_decision.iter().filter_map(|(_, at)| match &self.done.code[*at as usize] {
                Operation::Branch { test: Register(test), .. } => {
                    self.done.constants.get(*test as usize)
                }
                _ => None,
            });
        if let (Some(value), None) = (known.next(), known.next()) {
            conditions[ordinal] = Site::Folded(*value != 0);
        }
    }

    /// The operation that shows that a decision without any code is passed.
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

    fn nothing(&self, condition: &Condition) -> Site {
        let code = self.places.within(condition.stretch.span);
        let unsupported = code.iter().find_map(|(_, at)| match &self.done.code[*at as usize] {
            Operation::Unsupported { note } => Some(&self.done.notes[*note as usize]),
            _ => None,
        });
        Site::Missing(match unsupported {
            Some(note) => format!("its value is computed by something unsupported: {note}"),
            None => format!(
                "no operation gives its value; {} operations come from its text",
                code.len()
            ),
        })
    }

    fn ambiguous(several: &[&Boolean]) -> String {
        let list: Vec<String> = several.iter().map(|one| format!("#{}", one.operation)).collect();
        format!("several operations may give its value: {}", list.join(", "))
    }
}

/// Why a choice with an arm that the compiler knows cannot be measured.
const KNOWN_ARM: &str = "one of its arms is a constant, which no operation evaluates; \
                         assign the choice to a variable and test that";

/// The conversion of a whole decision to `_Bool`, as in `_Bool z = p & q`, has the place at which the
/// decision starts, which is that of its first condition too. It comes from an operator, though.
fn without_whole<'b>(found: Vec<&'b Boolean>, decision: &Decision) -> Vec<&'b Boolean> {
    if found.len() < 2 {
        return found;
    }
    let operators = operators(decision);
    let is_whole = |one: &&Boolean| one.places.iter().any(|place| operators.contains(place));
    let (whole, conditions): (Vec<_>, Vec<_>) = found.iter().partition(|one| is_whole(one));
    if conditions.is_empty() { whole } else { conditions }
}

/// The places of the operators of a decision.
fn operators(decision: &Decision) -> Vec<Position> {
    let nodes = decision.tree.nodes().iter().zip(&decision.places);
    let operators = nodes.filter(|(node, _)| !matches!(node, Node::Condition(_)));
    operators.map(|(_, place)| *place).collect()
}

/// The value of `a ?: x` has the place of `a`. It is merged from two blocks, though, and `a` is not.
fn without_merged(found: Vec<&Boolean>) -> Vec<&Boolean> {
    let single = found.iter().filter(|one| one.merged.is_empty());
    let single: Vec<&Boolean> = single.copied().collect();
    if single.is_empty() { found } else { single }
}

/// Is a statement never followed by the next one?
fn leaves(text: &str) -> bool {
    let word = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next();
    matches!(word, Some("return" | "break" | "continue" | "goto"))
}

fn is_missing(site: &Site) -> bool {
    matches!(site, Site::Missing(_) | Site::Dead)
}

fn contains(span: Span, place: Position) -> bool {
    span.start <= place && place < span.end
}

fn encloses(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

fn relation_of(comparison: Comparison) -> RelationOperator {
    match comparison {
        Comparison::Equal => RelationOperator::Equal,
        Comparison::NotEqual => RelationOperator::NotEqual,
        Comparison::LessUnsigned | Comparison::LessSigned => RelationOperator::Less,
        Comparison::LessEqualUnsigned | Comparison::LessEqualSigned => RelationOperator::LessEqual,
        Comparison::GreaterUnsigned | Comparison::GreaterSigned => RelationOperator::Greater,
        Comparison::GreaterEqualUnsigned | Comparison::GreaterEqualSigned => {
            RelationOperator::GreaterEqual
        }
    }
}

/// With a NaN, C's `!=` is true and everything else false.
fn float_relation(operator: RelationOperator) -> FloatComparison {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let holds = |order| operator.holds(Some(order));
    FloatComparison {
        less: holds(Less),
        equal: holds(Equal),
        greater: holds(Greater),
        unordered: operator.holds(None),
    }
}
