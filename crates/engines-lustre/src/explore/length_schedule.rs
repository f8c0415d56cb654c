//! The schedule of test lengths, and when to end.
//!
//! Some models are covered by short tests, others need timers to expire. All tests of a round have one
//! length: the one on which fewest steps were spent since it last showed a new event.
//! So productive lengths are used most, and the others equally.

/// The lengths of tests, in steps.
const LENGTHS: [usize; 5] = [15, 30, 60, 120, 240];

/// The most steps without a new event, plus half of those taken before.
const MOST_FRUITLESS: usize = 200_000;

/// The steps spent so far, by length.
#[derive(Clone, Debug, Default)]
pub struct LengthSchedule {
    /// By length: the steps spent since it last showed a new event.
    spent: [usize; LENGTHS.len()],
    /// The steps up to the last new event, and those since then.
    before: usize,
    since: usize,
}

impl LengthSchedule {
    /// The length of the tests of the next round.
    pub fn length(&self) -> usize {
        let spent = LENGTHS.into_iter().zip(self.spent);
        spent.min_by_key(|(_, spent)| *spent).map_or(LENGTHS[0], |(length, _)| length)
    }

    /// Records a round: its length, its steps, and how many tests were kept.
    pub fn note(&mut self, length: usize, steps: usize, kept: usize) {
        let at = LENGTHS.iter().position(|known| *known == length).unwrap_or(0);
        let spent = &mut self.spent[at];
        self.since += steps;
        if kept > 0 {
            *spent /= 2;
            self.before += std::mem::take(&mut self.since);
        } else {
            *spent += steps;
        }
    }

    /// Has there been no new event for long?
    pub fn is_exhausted(&self) -> bool {
        self.since > MOST_FRUITLESS + self.before / 2
    }
}
