//! Chooses the Booleans of a function that are its conditions.

use obligato_bytecode::{Comparison, FloatComparison, Function, Operation, Register};
use obligato_clang as syntax;
use obligato_clang::{Condition, Decision, DecisionIndex, Given, Leaf};
use obligato_model::{Node, Position, RelationOperator, Span};

use super::booleans::{Boolean, Booleans, KnownBranch};
use super::places::Places;
use super::{DecisionMap, Evaluation, EvaluationSite};

mod folded;
mod given;
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
    let mut maps: Vec<DecisionMap> = Vec::with_capacity(said.decisions.len());
    for (decision, nested) in said.decisions.iter().zip(&nested) {
        let mut conditions = Vec::with_capacity(decision.conditions.len());
        let choices = choices_around(said, decision);
        for (condition, nested) in decision.conditions.iter().zip(nested) {
            conditions.push(mapper.find(
                decision,
                condition,
                Surroundings { nested, choices: &choices },
            ));
        }
        mapper.find_folded(decision, &mut conditions);
        reach::mark_unreachable(decision, &mut conditions);
        let mut anchor = None;
        if reach::known_outcome(decision, &conditions).is_some() {
            match mapper.shown_by(said, decision, &maps, statements) {
                Ok(shown) => anchor = shown,
                Err(why) => conditions.fill(EvaluationSite::Missing(why.to_owned())),
            }
        }
        maps.push(DecisionMap { conditions, anchor });
    }
    maps
}

/// Per decision and condition, the spans of the decisions nested in it.
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

/// The start positions of the choices in the condition around a decision.
fn choices_around(said: &syntax::Function, decision: &Decision) -> Vec<Position> {
    let Some((DecisionIndex(outer), ordinal)) = decision.nested_in else { return Vec::new() };
    let mut starts = Vec::new();
    let mut todo = vec![&said.decisions[outer].conditions[ordinal].given];
    while let Some(given) = todo.pop() {
        if let Given::Choice { start, arms, .. } = given {
            starts.push(*start);
            todo.extend(arms.iter().flat_map(|arms| arms.iter()));
        }
    }
    starts
}

/// What stands inside and around a condition.
#[derive(Clone, Copy)]
struct Surroundings<'a> {
    /// The decisions inside of it.
    nested: &'a [Span],
    /// The starts of the choices around it.
    choices: &'a [Position],
}

struct Mapper<'a> {
    done: &'a Function,
    places: &'a Places,
    booleans: &'a Booleans,
}

impl Mapper<'_> {
    /// The operations that evaluate a condition.
    fn find(
        &self,
        decision: &Decision,
        condition: &Condition,
        surroundings: Surroundings<'_>,
    ) -> EvaluationSite {
        let Surroundings { nested, choices } = surroundings;
        let position = match (&condition.given, condition.constant) {
            (Given::Value(place), _) => *place,
            (_, Some(_)) => condition.position,
            _ => return self.find_given(decision, condition),
        };
        if nested.iter().any(|inner| contains(*inner, position)) {
            if let Some(value) = condition.constant {
                return EvaluationSite::Folded(value);
            }
            // `a ? x : y` starts with its test, so what is computed there is not its value.
            return self.find_inside(decision, condition, nested);
        }
        let here = self.booleans.at(position);
        let exact: Vec<&Boolean> = match &condition.leaf {
            Leaf::Relation { operator, .. } => {
                here.filter(|boolean| self.compares(boolean, *operator)).collect()
            }
            Leaf::Value(_) => here.collect(),
        };
        let exact = without_merged(without_whole(exact, decision));
        let exact = self.without_chosen(exact, decision, condition, choices);
        match (exact.as_slice(), condition.constant) {
            (_, Some(value)) => return EvaluationSite::Folded(value),
            ([only], None) => return EvaluationSite::At(vec![self.evaluation(only, condition)]),
            ([], None) => {
                // A builtin that the compiler evaluates: `__builtin_constant_p(x)`.
                let mut known = self.known_within(at(position));
                if let (Some(only), None) = (known.next(), known.next()) {
                    return EvaluationSite::At(vec![only.evaluation()]);
                }
            }
            ([.., last], _) if self.are_steps(&exact, decision, condition) => {
                return EvaluationSite::At(vec![self.evaluation(last, condition)]);
            }
            (several, _) => return EvaluationSite::Missing(Self::ambiguous(several)),
        }
        self.find_inside(decision, condition, nested)
    }

    /// The value of `a ? 1 : 0` has the place of `a` and is selected by it, that of `a && b ? 1 : 0` by their decision.
    fn without_chosen<'b>(
        &self,
        found: Vec<&'b Boolean>,
        decision: &Decision,
        condition: &Condition,
        choices: &[Position],
    ) -> Vec<&'b Boolean> {
        if found.len() < 2 {
            return found;
        }
        let mut tests: Vec<Register> = self.outcomes(decision.stretch.span);
        let place = condition.position;
        if operators(decision).contains(&place) || choices.contains(&place) {
            tests.extend(found.iter().map(|one| one.register));
        }
        found.into_iter().filter(|one| !self.is_chosen(one, &tests)).collect()
    }

    /// Is it the truth of a value that one of these selects?
    fn is_chosen(&self, boolean: &Boolean, tests: &[Register]) -> bool {
        self.done.code.iter().any(|operation| match operation {
            Operation::Select { to, test, .. } => {
                boolean.sources.contains(to) && tests.contains(test)
            }
            _ => false,
        })
    }

    /// The registers that are merged from what is computed in a stretch of the text: outcomes of decisions.
    fn outcomes(&self, span: Span) -> Vec<Register> {
        let within = |place: &Position| contains(span, *place);
        let merged = |one: &&Boolean| !one.merged.is_empty() && one.merged.iter().all(within);
        self.booleans.all.iter().filter(merged).map(|one| one.register).collect()
    }

    /// Does all of it happen at the place of the condition? Then it is what the compiler makes of one of its own
    /// functions, as of `__builtin_isinf_sign(x)`, step by step.
    fn are_steps(&self, found: &[&Boolean], decision: &Decision, condition: &Condition) -> bool {
        let place_of = |boolean: &&Boolean| self.done.places[boolean.operation as usize];
        matches!(condition.leaf, Leaf::Value(_))
            && !operators(decision).contains(&condition.position)
            && found.iter().all(|boolean| place_of(boolean) == Some(condition.position))
    }

    /// For values that have no operation at their own place: `flag = x`, statement expressions.
    fn find_inside(
        &self,
        decision: &Decision,
        condition: &Condition,
        nested: &[Span],
    ) -> EvaluationSite {
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
            // A part of what a function of the compiler's own gives is a copy.
            let read_inside = |boolean: &Boolean| {
                self.done.places[boolean.operation as usize].as_ref().is_some_and(inner)
            };
            let copies =
                |boolean: &Boolean| !boolean.merged.is_empty() && boolean.merged.iter().all(inner);
            inside = find(&|boolean| copies(boolean) && read_inside(boolean));
        }
        let Some(last) = inside.last() else {
            let code = self.places.within(decision.stretch.span);
            return if code.is_empty() { EvaluationSite::Dead } else { self.nothing(condition) };
        };
        EvaluationSite::At(vec![self.evaluation(last, condition)])
    }

    /// The branches on constants that come from a stretch of the text.
    fn known_within(&self, span: Span) -> impl Iterator<Item = &KnownBranch> {
        let place = |branch: &KnownBranch| self.done.places[branch.operation as usize];
        let within =
            move |branch: &&KnownBranch| place(branch).is_some_and(|place| contains(span, place));
        self.booleans.known.iter().filter(within)
    }

    /// The two targets of the branch on this Boolean; none if there is no such branch.
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

    /// The target of a branch, behind the copies for a merge of blocks.
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
            // The front end replaces comparisons that the executor does not support.
            _ => false,
        }
    }

    fn nothing(&self, condition: &Condition) -> EvaluationSite {
        let code = self.places.within(condition.stretch.span);
        let unsupported = code.iter().find_map(|(_, at)| match &self.done.code[*at as usize] {
            Operation::Unsupported { note, .. } => Some(&self.done.notes[*note as usize]),
            _ => None,
        });
        EvaluationSite::Missing(match unsupported {
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

/// The stretch that is nothing but a place.
fn at(place: Position) -> Span {
    Span { start: place, end: Position { column: place.column + 1, ..place } }
}

fn contains(span: Span, place: Position) -> bool {
    span.start <= place && place < span.end
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
