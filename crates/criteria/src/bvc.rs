//! Boundary-value coverage (Pandita, "Guided Test Generation for Coverage
//! Criteria", table I): the operands of a comparison on and next to its border.
//!
//! The paper's k is the smallest step of the type: 1 for integers, the
//! neighbouring representable value for floats, a configured step for `real`.
//! Nothing wraps: a shifted operand that the type does not have is no boundary,
//! and where that follows from a constant the obligation is uncoverable.

use std::cmp::Ordering;

use obligato_model::{
    Boundary, ConditionId, Goal, Integer, Limit, Offset, OperandOrder, Program, Rational, Relation,
    RelationOperator, Type, Unsupported, Value, Verdict,
};

use crate::condition;
use crate::evidence::{Evidence, TestEvidence, covered_by};

/// No comparison has more boundaries than this.
pub const MOST_BOUNDARIES: usize = 4;

/// Table I: the boundaries of a comparison, those that make it true first.
pub fn boundaries(operator: RelationOperator) -> &'static [Boundary] {
    use Offset::{Above, At, Below};
    use OperandOrder::{Equal, Greater, Less};
    const fn on(value: bool, comparison: OperandOrder, offset: Offset) -> Boundary {
        Boundary { value, comparison, offset }
    }
    match operator {
        RelationOperator::Equal => {
            &const { [on(true, Equal, At), on(false, Equal, Above), on(false, Equal, Below)] }
        }
        RelationOperator::NotEqual => {
            &const { [on(true, Equal, Above), on(true, Equal, Below), on(false, Equal, At)] }
        }
        RelationOperator::Less => {
            &const {
                [
                    on(true, Equal, Below),
                    on(true, Less, Below),
                    on(false, Equal, At),
                    on(false, Greater, At),
                ]
            }
        }
        RelationOperator::LessEqual => {
            &const {
                [
                    on(true, Equal, At),
                    on(true, Less, At),
                    on(false, Equal, Above),
                    on(false, Greater, Above),
                ]
            }
        }
        RelationOperator::Greater => {
            &const {
                [
                    on(true, Equal, Above),
                    on(true, Greater, Above),
                    on(false, Equal, At),
                    on(false, Less, At),
                ]
            }
        }
        RelationOperator::GreaterEqual => {
            &const {
                [
                    on(true, Equal, At),
                    on(true, Greater, At),
                    on(false, Equal, Below),
                    on(false, Less, Below),
                ]
            }
        }
    }
}

/// The boundaries of one condition; Booleans and names have none.
pub fn boundaries_of(program: &Program, condition: ConditionId) -> &'static [Boundary] {
    match &program.condition(condition).relation {
        Some(relation)
            if !matches!(
                relation.kind,
                Type::Bool | Type::Enumeration(_) | Type::OpenEnumeration(_)
            ) =>
        {
            boundaries(relation.operator)
        }
        _ => &[],
    }
}

/// One goal per boundary of each comparison.
pub fn plan(program: &Program) -> Vec<Goal> {
    (0..program.conditions().len())
        .map(ConditionId::new)
        .flat_map(|condition| {
            let all = boundaries_of(program, condition).iter();
            all.map(move |boundary| Goal::Boundary(condition, *boundary))
        })
        .collect()
}

/// Covered by every test with such operands.
pub fn judge(program: &Program, evidence: &Evidence, goal: &Goal) -> Verdict {
    let Goal::Boundary(condition, boundary) = *goal else {
        unreachable!("invariant: planned here");
    };
    let ordinal = ordinal(program, condition, boundary);
    judge_by(program, evidence, condition, |test| test.boundaries.contains(condition, ordinal))
}

/// The same by another fact; unresolved for lack of operands if they were
/// not recorded, because then nothing can be said.
pub fn judge_by(
    program: &Program,
    evidence: &Evidence,
    condition: ConditionId,
    shows: impl Fn(&TestEvidence) -> bool,
) -> Verdict {
    let verdict = covered_by(evidence.tests_where(shows), || {
        condition::never_taken(program, evidence, condition)
    });
    let blind = evidence.any(|test| test.blind.contains(condition.index()));
    match verdict {
        Verdict::Unresolved(_) if blind => {
            Verdict::Unresolved(Limit::Unsupported(Unsupported::OperandsNotRecorded))
        }
        verdict => verdict,
    }
}

/// The place of a boundary in its condition's list.
pub fn ordinal(program: &Program, condition: ConditionId, boundary: Boundary) -> usize {
    let mut all = boundaries_of(program, condition).iter();
    all.position(|other| *other == boundary).expect("invariant: planned from this list")
}

/// The boundaries that two operands meet, as places in the comparison's list.
pub fn met(relation: &Relation, left: &Value, right: &Value, real_step: &Rational) -> Vec<usize> {
    let all = boundaries(relation.operator).iter().enumerate();
    all.filter(|(_, boundary)| {
        let shifted = shift(right, boundary.offset, &relation.kind, real_step);
        shifted.and_then(|shifted| left.compare(&shifted)) == Some(ordering(boundary.comparison))
    })
    .map(|(ordinal, _)| ordinal)
    .collect()
}

fn ordering(comparison: OperandOrder) -> Ordering {
    match comparison {
        OperandOrder::Less => Ordering::Less,
        OperandOrder::Equal => Ordering::Equal,
        OperandOrder::Greater => Ordering::Greater,
    }
}

/// The value one step away, if the type has it.
fn shift(value: &Value, offset: Offset, kind: &Type, real_step: &Rational) -> Option<Value> {
    let up = match offset {
        Offset::At => return Some(value.clone()),
        Offset::Above => true,
        Offset::Below => false,
    };
    let shifted = match value {
        Value::Int(number) => {
            let step = Integer::from(1);
            Value::Int(if up { number + step } else { number - step })
        }
        Value::Real(number) => {
            Value::Real(if up { number + real_step } else { number - real_step })
        }
        Value::Float32(bits) => {
            let number = f32::from_bits(*bits);
            Value::float32(if up { number.next_up() } else { number.next_down() })
        }
        Value::Float64(bits) => {
            let number = f64::from_bits(*bits);
            Value::float64(if up { number.next_up() } else { number.next_down() })
        }
        Value::Bool(_) | Value::Symbol(_) => return None,
    };
    // Past an infinity there is nothing, and an integer type ends at its bounds.
    (shifted != *value && shifted.has_type(kind)).then_some(shifted)
}

/// Do the comparison's constant operands and its type leave no such values?
pub fn is_out_of_range(program: &Program, condition: ConditionId, boundary: Boundary) -> bool {
    let Some(relation) = &program.condition(condition).relation else {
        return false;
    };
    let shifted = |value: &Value| shift(value, boundary.offset, &relation.kind, &program.real_step);
    let x = match &relation.left {
        Some(constant) => Span::single(constant.clone()),
        None => Span::of_type(&relation.kind),
    };
    let y = if let Some(constant) = &relation.right {
        let Some(value) = shifted(constant) else { return true };
        Span::single(value)
    } else {
        // Shifting all of a type cuts one end off.
        let Span { least, most } = Span::of_type(&relation.kind);
        match boundary.offset {
            Offset::At => Span { least, most },
            Offset::Above => Span { least: least.as_ref().and_then(shifted), most },
            Offset::Below => Span { least, most: most.as_ref().and_then(shifted) },
        }
    };
    let [x_least, x_most] = [x.least.as_ref(), x.most.as_ref()];
    let [y_least, y_most] = [y.least.as_ref(), y.most.as_ref()];
    !match boundary.comparison {
        OperandOrder::Less => may_be(x_least, Ordering::is_lt, y_most),
        OperandOrder::Greater => may_be(x_most, Ordering::is_gt, y_least),
        OperandOrder::Equal => {
            may_be(x_least, Ordering::is_le, y_most) && may_be(y_least, Ordering::is_le, x_most)
        }
    }
}

/// The values an operand may have, from the least to the most; `None` where
/// there is no end.
struct Span {
    least: Option<Value>,
    most: Option<Value>,
}

impl Span {
    fn single(value: Value) -> Self {
        Self { least: Some(value.clone()), most: Some(value) }
    }

    fn of_type(kind: &Type) -> Self {
        let (least, most) = ends(kind).unzip();
        Self { least, most }
    }
}

/// Can the ends of two spans stand so? A missing end can stand any way, a NaN none.
fn may_be(a: Option<&Value>, so: fn(Ordering) -> bool, b: Option<&Value>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a.compare(b).is_some_and(so),
        _ => true,
    }
}

/// The first and the last value of a type that has them.
fn ends(kind: &Type) -> Option<(Value, Value)> {
    match kind {
        Type::Float32 => Some((Value::float32(f32::NEG_INFINITY), Value::float32(f32::INFINITY))),
        Type::Float64 => Some((Value::float64(f64::NEG_INFINITY), Value::float64(f64::INFINITY))),
        _ => kind.bounds().map(|(low, high)| (Value::Int(low), Value::Int(high))),
    }
}

#[cfg(test)]
mod tests;
