//! Registers that are written one by one from others.

/// Registers, each behind a pointer: a result is written to a spare register that then changes
/// places with its target, so that no loop writes to memory it may also read.
#[derive(Clone, Debug)]
pub(super) struct RegisterFile<R> {
    pub registers: Vec<Box<R>>,
    spare: Box<R>,
}

impl<R: Clone> RegisterFile<R> {
    /// A file of `size` registers, all zero.
    pub fn new(size: usize, zero: R) -> Self {
        let registers = (0..size).map(|_| Box::new(zero.clone())).collect();
        Self { registers, spare: Box::new(zero) }
    }

    /// Computes a register from others.
    #[inline]
    pub fn write(&mut self, to: u32, compute: impl FnOnce(&mut R, &[Box<R>])) {
        std::mem::swap(&mut self.spare, &mut self.registers[to as usize]);
        compute(&mut self.spare, &self.registers);
        std::mem::swap(&mut self.spare, &mut self.registers[to as usize]);
    }
}
