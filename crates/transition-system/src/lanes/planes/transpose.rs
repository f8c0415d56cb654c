//! Between a mask of lanes for each digit and a word for each lane.

use super::{MOST, Planes};
use crate::lanes::words::Words;

impl<const W: usize> Planes<W> {
    /// The number of each lane as a word.
    pub fn words(&self) -> Words<W> {
        let mut words = Words::ZERO;
        for (word, block) in words.0.iter_mut().enumerate() {
            let mut square = [self.sign()[word]; MOST];
            for (row, plane) in square.iter_mut().zip(&self.planes[..self.width]) {
                *row = plane[word];
            }
            transpose(&mut square);
            *block = square.map(u64::cast_signed);
        }
        words
    }

    /// Gives each lane the number that a word holds.
    pub fn set_words(&mut self, words: &Words<W>) {
        for (word, block) in words.0.iter().enumerate() {
            let mut square = block.map(i64::cast_unsigned);
            transpose(&mut square);
            for (plane, row) in self.planes.iter_mut().zip(square) {
                plane[word] = row;
            }
        }
        self.narrow(MOST);
    }
}

/// Exchanges rows and columns: those of the upper right and the lower left
/// quarter, then the same within each quarter.
fn transpose(square: &mut [u64; MOST]) {
    let mut half = MOST / 2;
    let mut low = u64::MAX >> half;
    while half > 0 {
        for rows in square.chunks_exact_mut(2 * half) {
            let (above, below) = rows.split_at_mut(half);
            for (above, below) in above.iter_mut().zip(below) {
                let unlike = (*above >> half ^ *below) & low;
                *above ^= unlike << half;
                *below ^= unlike;
            }
        }
        half /= 2;
        low ^= low << half;
    }
}
