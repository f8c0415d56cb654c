//! Writes an input into the bytes of memory, as terms.

use obligato_c_unit::layout::byte_slices;
use obligato_term::{Term, Terms};

/// Writes a word at a bit of memory, and gives the bytes that it has bits in, from the first on. Where bits of a byte are not the
/// word's, `before` gives what that byte held.
pub fn splice(
    terms: &mut Terms,
    offset: u64,
    word: Term,
    mut before: impl FnMut(&mut Terms, usize) -> Term,
) -> Vec<Term> {
    let slices = byte_slices(offset % 8, terms.width(word).into());
    let bytes = slices.map(|slice| {
        let mut byte = terms.extract(word, slice.from as u8, slice.count);
        let end = slice.low + slice.count;
        if slice.count < 8 {
            let held = before(terms, slice.byte);
            if slice.low > 0 {
                let kept = terms.extract(held, 0, slice.low);
                byte = terms.concat(byte, kept);
            }
            if end < 8 {
                let kept = terms.extract(held, end, 8 - end);
                byte = terms.concat(kept, byte);
            }
        }
        byte
    });
    bytes.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use obligato_c_unit::layout::put_bits;

    /// What is written as terms is what is written as bits.
    #[test]
    fn terms_are_spliced_as_bits_are_put() {
        let mut random = obligato_model::Random::new(7);
        for _ in 0..2_000 {
            let (offset, width) = (random.below(8) as u64, 1 + random.below(128) as u32);
            let value = u128::from(random.next()) << 64 | u128::from(random.next());
            let value = value >> (128 - width);
            let size = (offset + u64::from(width)).div_ceil(8) as usize;
            let mut memory: Vec<u8> = (0..size).map(|_| random.next() as u8).collect();
            let mut terms = Terms::new();
            let word = terms.constant(value, width as u8);
            let bytes =
                splice(&mut terms, offset, word, |terms, at| terms.constant(memory[at].into(), 8));
            let bytes: Vec<Option<u128>> =
                bytes.into_iter().map(|byte| terms.as_constant(byte)).collect();
            put_bits(&mut memory, offset, width, value);
            let expected: Vec<Option<u128>> =
                memory.iter().map(|byte| Some((*byte).into())).collect();
            assert_eq!(bytes, expected, "{width} bits at {offset}");
        }
    }
}
