//! How a test chooses its inputs from step to step.
//!
//! Inputs that are drawn anew in every step never let a timer run out, never press one key alone and
//! never leave a mode alone. So every test gets a [`Profile`] of its own: which inputs move, how often,
//! and around which values. That tests leave different inputs at rest is what makes them unlike each
//! other, as in swarm testing (Groce et al., 2012).

use obligato_model::{Random, Step, Value};

use super::dictionary::Dictionary;

/// The habits of one test.
#[derive(Clone, Debug)]
pub struct Profile {
    style: Style,
    /// Of 16 steps, so many repeat the one before.
    holding: usize,
    /// Where inputs are at rest.
    base: Step,
}

#[derive(Clone, Debug)]
enum Style {
    /// Each input has a habit of its own.
    Each(Vec<Habit>),
    /// So many inputs move in a step, the others stay where they are.
    Few(usize),
    /// Up to so many inputs leave the base for a step; now and then the base moves.
    Pulses(usize),
}

#[derive(Clone, Copy, Debug)]
enum Habit {
    /// Always at rest.
    Still,
    /// Drawn anew in every step.
    Restless,
    /// Another value than before in every step.
    Alternating,
    /// Away from rest in one of 8 steps.
    Rare,
    /// Stays for about so many steps.
    Slow(usize),
}

impl Profile {
    /// Habits for a test.
    pub fn draw(dictionary: &Dictionary, random: &mut Random) -> Self {
        let mut base: Step = Vec::with_capacity(dictionary.inputs());
        base.resize(dictionary.inputs(), None);
        for input in 0..base.len() {
            base[input] = Some(dictionary.draw(input, Some(&base), random));
        }
        let style = match random.below(8) {
            0..2 => Style::Few(1 + random.below(2)),
            2..4 => Style::Pulses(1 + random.below(2)),
            4 => Style::Each(vec![Habit::Restless; base.len()]),
            _ => Style::Each((0..base.len()).map(|_| Habit::draw(random)).collect()),
        };
        Self { style, holding: [0, 0, 4, 8, 14][random.below(5)], base }
    }

    /// The inputs of a step after another.
    pub fn step(
        &mut self,
        before: Option<&Step>,
        dictionary: &Dictionary,
        random: &mut Random,
    ) -> Step {
        let Some(before) = before else { return self.base.clone() };
        if random.below(16) < self.holding {
            return before.clone();
        }
        match &self.style {
            Style::Each(habits) => {
                let mut step = before.clone();
                for (input, habit) in habits.iter().enumerate() {
                    let rest = self.base[input].as_ref();
                    if let Some(value) = habit.next(input, rest, &step, dictionary, random) {
                        step[input] = Some(value);
                    }
                }
                step
            }
            Style::Few(count) => {
                let mut step = before.clone();
                move_some(&mut step, *count, dictionary, random);
                step
            }
            Style::Pulses(count) => {
                if random.below(16) == 0 {
                    move_some(&mut self.base, 1, dictionary, random);
                }
                let mut step = self.base.clone();
                move_some(&mut step, random.below(count + 1), dictionary, random);
                step
            }
        }
    }
}

/// Moves so many inputs, chosen at random.
pub fn move_some(step: &mut Step, count: usize, dictionary: &Dictionary, random: &mut Random) {
    for _ in 0..count.min(step.len()) {
        let input = random.below(step.len());
        step[input] = Some(dictionary.draw_other(input, step, random));
    }
}

impl Habit {
    fn draw(random: &mut Random) -> Self {
        match random.below(8) {
            0..2 => Self::Still,
            2..4 => Self::Rare,
            4 => Self::Restless,
            5 => Self::Alternating,
            _ => Self::Slow([4, 12, 40][random.below(3)]),
        }
    }

    /// The next value of an input, if it moves.
    fn next(
        self,
        input: usize,
        rest: Option<&Value>,
        step: &Step,
        dictionary: &Dictionary,
        random: &mut Random,
    ) -> Option<Value> {
        let at_rest = || rest.filter(|rest| step[input].as_ref() != Some(*rest)).cloned();
        match self {
            Self::Restless => Some(dictionary.draw(input, Some(step), random)),
            Self::Alternating => Some(dictionary.draw_other(input, step, random)),
            Self::Rare if random.below(8) == 0 => Some(dictionary.draw_other(input, step, random)),
            Self::Rare | Self::Still => at_rest(),
            Self::Slow(steps) if random.below(steps) == 0 => {
                Some(dictionary.draw_other(input, step, random))
            }
            Self::Slow(_) => None,
        }
    }
}
