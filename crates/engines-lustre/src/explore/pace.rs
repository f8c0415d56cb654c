//! How long tests are, and when to give up.
//!
//! Some models show all they have in short tests, others hide most of it behind timers. All tests of a round are of one
//! length, and each length is tried again and again: always the one on which fewest steps were spent since it
//! brought something. So lengths that bring something are used most, and the others equally.

/// How many steps tests have.
const LENGTHS: [usize; 5] = [15, 30, 60, 120, 240];

/// So many steps may bring nothing, and half as many as were taken before.
const PATIENCE: usize = 200_000;

/// How it went.
#[derive(Clone, Debug, Default)]
pub struct Pace {
    /// By length: how many steps were spent since it brought something.
    spent: [usize; LENGTHS.len()],
    /// The steps up to the last time that something came, and those since then.
    before: usize,
    since: usize,
}

impl Pace {
    /// How long the tests of the next round are.
    pub fn length(&self) -> usize {
        let spent = LENGTHS.into_iter().zip(self.spent);
        spent.min_by_key(|(_, spent)| *spent).map_or(LENGTHS[0], |(length, _)| length)
    }

    /// A round of this length took so many steps, and brought so many tests worth keeping.
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

    /// Has nothing come for long?
    pub fn is_dry(&self) -> bool {
        self.since > PATIENCE + self.before / 2
    }
}
