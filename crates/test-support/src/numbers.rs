//! Numbers that are the same in every run and on every machine.

/// Marsaglia's xorshift, from a seed that is not 0.
pub struct Numbers(pub u64);

impl Numbers {
    /// The next number, of all 64 bits.
    pub fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        (self.word() >> 11) % end
    }

    /// One of a list.
    pub fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }
}
