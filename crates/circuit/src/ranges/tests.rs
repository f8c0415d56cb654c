//! Ranges of small systems, as a reader would work them out.

use obligato_model::{Type, Value};
use obligato_transition_system::{Binary, Check, Initial, SystemBuilder};

use super::*;

/// A system with a counter that starts at zero.
struct Counter {
    builder: SystemBuilder,
    count: NodeId,
}

impl Counter {
    fn new() -> Self {
        let mut builder = SystemBuilder::new();
        let zero = Initial::Value(Value::int(0));
        let count = builder.add_latch("count", Type::Int, zero).expect("a latch");
        Self { builder, count }
    }

    fn constant(&mut self, value: i32) -> NodeId {
        self.builder.graph().constant(Sort::Int, Value::int(value)).expect("a constant")
    }

    fn binary(&mut self, operation: Binary, a: NodeId, b: NodeId) -> NodeId {
        self.builder.graph().binary(operation, a, b).expect("an operation")
    }

    fn ite(&mut self, test: NodeId, first: NodeId, second: NodeId) -> NodeId {
        self.builder.graph().ite(test, first, second).expect("a choice")
    }

    /// What the counter may be if this is its next value.
    fn range(mut self, next: NodeId) -> Interval {
        self.builder.set_next(self.count, next).expect("a next value");
        let count = self.count;
        range_of(self.builder, count)
    }
}

fn range_of(builder: SystemBuilder, node: NodeId) -> Interval {
    let system = builder.finish().expect("a system");
    let classes = Classes::new(&system);
    let grid = Grid::new(&system, 16);
    Ranges::new(&system, &classes, &grid).of(classes.first(node))
}

#[test]
fn a_saturating_counter_stays_below_its_bound() {
    let mut counter = Counter::new();
    let count = counter.count;
    let (one, ten) = (counter.constant(1), counter.constant(10));
    let (more, below) =
        (counter.binary(Binary::Add, count, one), counter.binary(Binary::Less, count, ten));
    let next = counter.ite(below, more, count);
    assert_eq!(counter.range(next), Interval::new(0, 10));
}

#[test]
fn a_counter_that_wraps_around_at_equality_stays_below_it() {
    let mut counter = Counter::new();
    let count = counter.count;
    let (zero, one, last) = (counter.constant(0), counter.constant(1), counter.constant(99));
    let (more, at_end) =
        (counter.binary(Binary::Add, count, one), counter.binary(Binary::Equal, count, last));
    let next = counter.ite(at_end, zero, more);
    assert_eq!(counter.range(next), Interval::new(0, 99));
}

#[test]
fn the_test_of_an_outer_choice_bounds_an_inner_one() {
    let mut counter = Counter::new();
    let count = counter.count;
    let go = counter.builder.add_input("go", Type::Bool).expect("an input");
    let (three, most) = (counter.constant(3), counter.constant(50));
    let (more, above) =
        (counter.binary(Binary::Add, count, three), counter.binary(Binary::LessEqual, most, count));
    let inner = counter.ite(go, more, count);
    let next = counter.ite(above, most, inner);
    assert_eq!(counter.range(next), Interval::new(0, 52));
}

#[test]
fn a_counter_without_a_bound_is_only_known_not_to_be_negative() {
    let mut counter = Counter::new();
    let count = counter.count;
    let one = counter.constant(1);
    let next = counter.binary(Binary::Add, count, one);
    assert_eq!(counter.range(next), Interval { low: Some(0), high: None });
}

#[test]
fn assertions_bound_inputs_and_nothing_else() {
    let mut builder = SystemBuilder::new();
    let x = builder.add_input("x", Type::Int).expect("an input");
    let (low, high) = (Value::int(3), Value::int(8));
    let graph = builder.graph();
    let low = graph.constant(Sort::Int, low).expect("a constant");
    let high = graph.constant(Sort::Int, high).expect("a constant");
    let sum = graph.binary(Binary::Add, x, low).expect("a sum");
    let bounds = [(Binary::LessEqual, low, x), (Binary::Less, x, high), (Binary::Less, sum, high)];
    let bounds =
        bounds.map(|(operation, a, b)| graph.binary(operation, a, b).expect("a comparison"));
    let both = graph.and(bounds[0], bounds[1]).expect("a conjunction");
    let all = graph.and(both, bounds[2]).expect("a conjunction");
    let check = Check { node: all, kind: CheckKind::Assertion, label: String::new(), origin: 0 };
    builder.add_check(check).expect("a check");
    assert_eq!(range_of(builder.clone(), x), Interval::new(3, 7));
    // The sum is what it is: its assertion has to be checked.
    assert_eq!(range_of(builder.clone(), sum), Interval::new(6, 10));
    assert_eq!(range_of(builder, bounds[2]), Interval::BOOL);
}

#[test]
fn a_real_below_a_bound_may_be_as_close_to_it_as_it_likes() {
    let mut builder = SystemBuilder::new();
    let x = builder.add_input("x", Type::Real).expect("an input");
    let graph = builder.graph();
    let real = |value: i32| Value::Real(obligato_model::Rational::from(value));
    let bounds = [0, 5].map(|bound| graph.constant(Sort::Real, real(bound)).expect("a constant"));
    let [zero, five] = bounds;
    let below = graph.binary(Binary::Less, x, five).expect("a comparison");
    let above = graph.binary(Binary::Less, zero, x).expect("a comparison");
    let both = graph.and(below, above).expect("a conjunction");
    let clamped = graph.ite(both, x, zero).expect("a choice");
    assert_eq!(range_of(builder, clamped), Interval::new(0, 5));
}
