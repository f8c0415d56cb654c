//! Shifts by variable distances, in stages of powers of two (barrel shifters).

use super::Words;

pub(super) fn shift_left<G: Words>(
    gates: &mut G,
    word: &[G::Bit],
    distance: &[G::Bit],
) -> Vec<G::Bit> {
    let mut reversed = word.to_vec();
    reversed.reverse();
    let mut shifted = gates.shift_right(&reversed, distance, G::FALSE);
    shifted.reverse();
    shifted
}

pub(super) fn shift_right<G: Words>(
    gates: &mut G,
    word: &[G::Bit],
    distance: &[G::Bit],
    fill: G::Bit,
) -> Vec<G::Bit> {
    let mut word = word.to_vec();
    let stages = stages(word.len()).min(distance.len());
    for (stage, bit) in distance[..stages].iter().enumerate() {
        word = shift_if(gates, *bit, &word, 1 << stage, fill);
    }
    let beyond = gates.any(distance[stages..].iter().copied());
    word.into_iter().map(|bit| gates.ite(beyond, fill, bit)).collect()
}

pub(super) fn shift_right_sticky<G: Words>(
    gates: &mut G,
    word: &[G::Bit],
    distance: &[G::Bit],
) -> Vec<G::Bit> {
    let mut word = word.to_vec();
    let stages = stages(word.len()).min(distance.len());
    let mut lost = G::FALSE;
    for (stage, bit) in distance[..stages].iter().enumerate() {
        let step = (1 << stage).min(word.len());
        let cut = gates.any(word[..step].iter().copied());
        let cut = gates.and(cut, *bit);
        lost = gates.or(lost, cut);
        word = shift_if(gates, *bit, &word, step, G::FALSE);
    }
    let beyond = gates.any(distance[stages..].iter().copied());
    let any = gates.any(word.iter().copied());
    let cut = gates.and(beyond, any);
    lost = gates.or(lost, cut);
    word = gates.and_word(!beyond, &word);
    word[0] = gates.or(word[0], lost);
    word
}

pub(super) fn normalise<G: Words>(
    gates: &mut G,
    word: &[G::Bit],
    most: Option<&[G::Bit]>,
) -> (Vec<G::Bit>, Vec<G::Bit>) {
    let (mut word, length) = (word.to_vec(), word.len());
    let mut left = most.map(<[G::Bit]>::to_vec);
    let stages = stages(length);
    let mut distance = vec![G::FALSE; stages];
    for stage in (0..stages).rev() {
        let step = 1 << stage;
        let mut shifts = !gates.any(word[length - step..].iter().copied());
        if let Some(left) = &mut left {
            // What is left of the distance is at least 2^stage, and becomes less by that.
            let enough = gates.any(left.iter().skip(stage).copied());
            shifts = gates.and(shifts, enough);
            if stage < left.len() {
                let mut step = vec![G::FALSE; left.len()];
                step[stage] = shifts;
                *left = gates.subtract(left, &step);
            }
        }
        distance[stage] = shifts;
        word = (0..length)
            .map(|at| {
                let from = if at < step { G::FALSE } else { word[at - step] };
                gates.ite(shifts, from, word[at])
            })
            .collect();
    }
    (word, distance)
}

/// One stage: shifts by `step` towards the low end if the bit is set.
fn shift_if<G: Words>(
    gates: &mut G,
    bit: G::Bit,
    word: &[G::Bit],
    step: usize,
    fill: G::Bit,
) -> Vec<G::Bit> {
    (0..word.len())
        .map(|at| {
            let from = word.get(at + step).copied().unwrap_or(fill);
            gates.ite(bit, from, word[at])
        })
        .collect()
}

/// How many bits a distance less than the length has: the stages of a shifter for words of that length.
pub fn stages(length: usize) -> usize {
    (usize::BITS - length.saturating_sub(1).leading_zeros()) as usize
}
