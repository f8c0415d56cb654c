//! Input profiles: how a test changes its inputs from step to step.
//!
//! Inputs drawn uniformly in every step never let a timer expire, never change one input alone and
//! never keep a mode. So every test gets a [`Profile`] of its own: which inputs change, how often,
//! and around which base values. Tests keep different inputs constant, which makes them
//! diverse, as in swarm testing (Groce et al., 2012).

use obligato_model::{Random, Step, Value};

use super::dictionary::Dictionary;

/// The profile of one test.
#[derive(Clone, Debug)]
pub struct Profile {
    style: Style,
    /// Of 16 steps, so many repeat the previous one.
    holding: usize,
    /// The base values of inputs.
    base: Step,
}

#[derive(Clone, Debug)]
enum Style {
    /// Each input has a pattern of its own.
    Each(Vec<InputPattern>),
    /// So many inputs change in a step.
    FewChanges(usize),
    /// Up to so many inputs leave their base values for a step; sometimes a base value changes.
    Pulses(usize),
}

#[derive(Clone, Copy, Debug)]
enum InputPattern {
    /// Always the base value.
    Constant,
    /// Drawn in every step.
    Uniform,
    /// A different value in every step.
    Alternating,
    /// Off the base value in one of 8 steps.
    Pulsed,
    /// Constant for about so many steps.
    Sticky(usize),
}

impl Profile {
    /// Draws a profile.
    pub fn draw(dictionary: &Dictionary, random: &mut Random) -> Self {
        let mut base: Step = Vec::with_capacity(dictionary.inputs());
        base.resize(dictionary.inputs(), None);
        for input in 0..base.len() {
            base[input] = Some(dictionary.draw(input, Some(&base), random));
        }
        let style = match random.below(8) {
            0..2 => Style::FewChanges(1 + random.below(2)),
            2..4 => Style::Pulses(1 + random.below(2)),
            4 => Style::Each(vec![InputPattern::Uniform; base.len()]),
            _ => Style::Each((0..base.len()).map(|_| InputPattern::draw(random)).collect()),
        };
        Self { style, holding: [0, 0, 4, 8, 14][random.below(5)], base }
    }

    /// The inputs of the step after `before`.
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
            Style::Each(input_profile) => {
                let mut step = before.clone();
                for (input, pattern) in input_profile.iter().enumerate() {
                    let base = self.base[input].as_ref();
                    if let Some(value) = pattern.next(input, base, &step, dictionary, random) {
                        step[input] = Some(value);
                    }
                }
                step
            }
            Style::FewChanges(count) => {
                let mut step = before.clone();
                change_some(&mut step, *count, dictionary, random);
                step
            }
            Style::Pulses(count) => {
                if random.below(16) == 0 {
                    change_some(&mut self.base, 1, dictionary, random);
                }
                let mut step = self.base.clone();
                change_some(&mut step, random.below(count + 1), dictionary, random);
                step
            }
        }
    }
}

/// Changes so many inputs, chosen at random.
pub fn change_some(step: &mut Step, count: usize, dictionary: &Dictionary, random: &mut Random) {
    for _ in 0..count.min(step.len()) {
        let input = random.below(step.len());
        step[input] = Some(dictionary.draw_other(input, step, random));
    }
}

impl InputPattern {
    fn draw(random: &mut Random) -> Self {
        match random.below(8) {
            0..2 => Self::Constant,
            2..4 => Self::Pulsed,
            4 => Self::Uniform,
            5 => Self::Alternating,
            _ => Self::Sticky([4, 12, 40][random.below(3)]),
        }
    }

    /// The next value of an input, if it changes.
    fn next(
        self,
        input: usize,
        base: Option<&Value>,
        step: &Step,
        dictionary: &Dictionary,
        random: &mut Random,
    ) -> Option<Value> {
        let at_base = || base.filter(|base| step[input].as_ref() != Some(*base)).cloned();
        match self {
            Self::Uniform => Some(dictionary.draw(input, Some(step), random)),
            Self::Alternating => Some(dictionary.draw_other(input, step, random)),
            Self::Pulsed if random.below(8) == 0 => {
                Some(dictionary.draw_other(input, step, random))
            }
            Self::Pulsed | Self::Constant => at_base(),
            Self::Sticky(steps) if random.below(steps) == 0 => {
                Some(dictionary.draw_other(input, step, random))
            }
            Self::Sticky(_) => None,
        }
    }
}
