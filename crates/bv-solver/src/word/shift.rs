//! Shifts by variable distances, in stages of powers of two.

use obligato_solver::Literal;

use super::Word;
use crate::gates::{FALSE, Gates};

impl Gates {
    /// Towards the high end; zeros come in.
    pub(crate) fn shift_left(&mut self, word: &[Literal], distance: &[Literal]) -> Word {
        let mut turned: Word = word.to_vec();
        turned.reverse();
        let mut shifted = self.shift_right(&turned, distance, FALSE);
        shifted.reverse();
        shifted
    }

    /// Towards the low end; `fill` comes in.
    pub(crate) fn shift_right(
        &mut self,
        word: &[Literal],
        distance: &[Literal],
        fill: Literal,
    ) -> Word {
        let mut word = word.to_vec();
        let stages = stages(word.len()).min(distance.len());
        for (stage, bit) in distance[..stages].iter().enumerate() {
            let step = 1 << stage;
            word = (0..word.len())
                .map(|at| {
                    let from = word.get(at + step).copied().unwrap_or(fill);
                    self.choose(*bit, from, word[at])
                })
                .collect();
        }
        let beyond = self.any(distance[stages..].iter().copied());
        word.into_iter().map(|bit| self.choose(beyond, fill, bit)).collect()
    }

    /// Towards the low end; zeros come in, and the lowest bit is set if anything that was cut off was.
    pub(crate) fn shift_right_sticky(&mut self, word: &[Literal], distance: &[Literal]) -> Word {
        let mut word = word.to_vec();
        let stages = stages(word.len()).min(distance.len());
        let mut lost = FALSE;
        for (stage, bit) in distance[..stages].iter().enumerate() {
            let step = (1 << stage).min(word.len());
            let cut = self.any(word[..step].iter().copied());
            let cut = self.and(cut, *bit);
            lost = self.or(lost, cut);
            word = (0..word.len())
                .map(|at| {
                    let from = word.get(at + step).copied().unwrap_or(FALSE);
                    self.choose(*bit, from, word[at])
                })
                .collect();
        }
        let beyond = self.any(distance[stages..].iter().copied());
        let any = self.any(word.iter().copied());
        let cut = self.and(beyond, any);
        lost = self.or(lost, cut);
        word = self.and_word(!beyond, &word);
        word[0] = self.or(word[0], lost);
        word
    }

    /// Shifted left until the highest bit is set, and by how much; all zeros stay so. The last operand says how far at most.
    pub(crate) fn normalise(&mut self, word: &[Literal], most: Option<&[Literal]>) -> (Word, Word) {
        let (mut word, length) = (word.to_vec(), word.len());
        let mut left = most.map(<[Literal]>::to_vec);
        let stages = stages(length);
        let mut distance = vec![FALSE; stages];
        for stage in (0..stages).rev() {
            let step = 1 << stage;
            let mut shifts = !self.any(word[length - step..].iter().copied());
            if let Some(left) = &mut left {
                // What is left of the distance is at least 2^stage, and becomes less by that.
                let enough = self.any(left.iter().skip(stage).copied());
                shifts = self.and(shifts, enough);
                if stage < left.len() {
                    let mut step = vec![FALSE; left.len()];
                    step[stage] = shifts;
                    *left = self.subtract(left, &step);
                }
            }
            distance[stage] = shifts;
            word = (0..length)
                .map(|at| {
                    let from = if at < step { FALSE } else { word[at - step] };
                    self.choose(shifts, from, word[at])
                })
                .collect();
        }
        (word, distance)
    }
}

/// How many bits a distance less than the length has.
pub(crate) fn stages(length: usize) -> usize {
    (usize::BITS - length.saturating_sub(1).leading_zeros()) as usize
}
