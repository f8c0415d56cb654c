//! Measuring without events: the executor's reports are counted, and counts become evidence at the end of a test.
//!
//! Most points need no more than a counter for each of their two values; those come first among the watch points, so that
//! one comparison tells them from the others. So measuring costs next to nothing beside executing (Whalen et al., A Flexible
//! and Non-intrusive Approach, report eight percent at best). Operands of comparisons are not seen: whoever wants boundaries
//! [takes events](crate::measure).

use obligato_criteria::evidence::TestEvidence;
use obligato_criteria::{Contradiction, EvidenceTally, Vectors};
use obligato_execute::{Observer, WatchId, WatchPoint};
use obligato_model::{DecisionId, Program, Watched};

use crate::measure::{Gauge, watch_point};
use crate::record::Folded;
use crate::watch::{Choice, Meaning, Point};

/// Counts what happens in runs of a unit.
#[derive(Debug)]
pub struct Counter<'u> {
    /// Twice as many as there are points that are only counted.
    counts: Vec<u64>,
    counted: Vec<&'u Meaning>,
    followed: Vec<Followed<'u>>,
    tally: EvidenceTally<'u>,
}

/// A point at which more than a count is needed.
#[derive(Clone, Copy, Debug)]
enum Followed<'u> {
    /// A condition of a decision in which the same one can be reached in several ways.
    Condition { decision: DecisionId, ordinal: u32 },
    /// A `switch`.
    Choice(&'u Choice),
}

impl<'u> Counter<'u> {
    /// Of these points of a unit; and the watch points for them.
    pub fn new(
        program: &'u Program,
        folded: &'u Folded,
        points: &'u [Point],
        looked_for: &Watched,
        vectors: Vectors,
    ) -> (Self, Vec<WatchPoint>) {
        let tally =
            EvidenceTally::new(program, looked_for, vectors, |decision| folded.of(decision));
        let (mut counted, mut followed) = (Vec::new(), Vec::new());
        let (mut watches, mut last) = (Vec::new(), Vec::new());
        for point in points {
            let more = match &point.meaning {
                Meaning::Choose(choice) => Some(Followed::Choice(choice)),
                Meaning::Evaluate(condition) => {
                    let home = program.condition(*condition);
                    let (decision, ordinal) = (home.decision, home.ordinal as u32);
                    let follow = !tally.is_counted(decision);
                    follow.then_some(Followed::Condition { decision, ordinal })
                }
                _ => None,
            };
            let watch = watch_point(point, point.registers.first().copied());
            if let Some(more) = more {
                followed.push(more);
                last.push(watch);
            } else {
                counted.push(&point.meaning);
                watches.push(watch);
            }
        }
        watches.extend(last);
        let counts = vec![0; 2 * counted.len()];
        (Self { counts, counted, followed, tally }, watches)
    }

    #[inline]
    fn follow(&mut self, at: usize, depth: u32, value: u64) {
        match self.followed.get(at) {
            Some(Followed::Condition { decision, ordinal }) => {
                self.tally.evaluate(*decision, *ordinal, depth, value & 1 != 0);
            }
            Some(Followed::Choice(choice)) => self.choose(choice, value),
            None => {}
        }
    }

    #[cold]
    fn choose(&mut self, choice: &Choice, value: u64) {
        self.tally.test_mut().switched.insert(choice.arm(value).index());
    }
}

impl Gauge for Counter<'_> {
    fn begin(&mut self, name: &str) {
        self.counts.fill(0);
        self.tally.begin(name);
    }

    fn finish(&mut self) -> Result<TestEvidence, Contradiction> {
        for (meaning, counts) in self.counted.iter().zip(self.counts.chunks_exact(2)) {
            if *counts == [0, 0] {
                continue;
            }
            match meaning {
                Meaning::Enter(function) => self.tally.test_mut().entered.insert(function.index()),
                Meaning::Leave(exit) => self.tally.test_mut().left.insert(exit.index()),
                Meaning::Execute(statement) => {
                    self.tally.test_mut().executed.insert(statement.index());
                }
                Meaning::Evaluate(condition) => {
                    self.tally.count(*condition, [counts[0], counts[1]]);
                }
                Meaning::Pass(decision) => self.tally.pass(*decision),
                Meaning::Choose(_) => {}
            }
        }
        self.tally.finish()
    }
}

impl Observer for Counter<'_> {
    #[inline]
    fn saw(&mut self, watch: WatchId, depth: u32, value: &mut u64) {
        let at = 2 * watch.0 as usize + usize::from(*value & 1 != 0);
        match self.counts.get_mut(at) {
            Some(count) => *count = count.wrapping_add(1),
            None => self.follow(watch.0 as usize - self.counted.len(), depth, *value),
        }
    }
}
