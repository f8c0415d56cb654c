//! Promotion of variables to registers (LLVM's mem2reg, without SSA).
//!
//! Unoptimised bitcode keeps every variable in memory. One whose address is only ever read from and written
//! to, as a whole and in this function only, can be promoted: the register that would have held its
//! address holds its value instead, loads and stores of it become moves, and nothing else changes.

use obligato_bytecode::{Function, Operation, Register};

use crate::watch::WatchPoint;

/// For each register whether it holds the value of a variable in place of its address.
#[derive(Clone, Debug)]
pub(crate) struct Promoted(Vec<bool>);

impl Promoted {
    /// No promotion.
    pub(crate) fn none(function: &Function) -> Self {
        Self(vec![false; function.registers as usize])
    }

    /// Promotes every variable that can be.
    pub(crate) fn find(function: &Function, watches: &[(u32, WatchPoint)]) -> Self {
        let mut sizes = reserved_sizes(function);
        for operation in &function.code {
            match *operation {
                Operation::Load { to, from, size, bits, .. } if bits == 8 * size => {
                    keep_only(&mut sizes, from, size);
                    forget(&mut sizes, to);
                }
                Operation::Store { to, from, size, .. } => {
                    keep_only(&mut sizes, to, size);
                    forget(&mut sizes, from);
                }
                Operation::Reserve { count, .. } => forget(&mut sizes, count),
                _ => {
                    let used =
                        operation.reads(function).into_iter().chain(operation.writes(function));
                    used.for_each(|register| forget(&mut sizes, register));
                }
            }
        }
        for (_, watch) in watches {
            if let Some(register) = watch.register {
                forget(&mut sizes, register);
            }
        }
        Self(sizes.iter().map(|size| *size != 0).collect())
    }

    /// Does this register hold the value of a variable?
    pub(crate) fn holds(&self, register: Register) -> bool {
        self.0[register.0 as usize]
    }
}

/// The size of the scalar that each register is reserved for, once, at the start of the function; else 0.
fn reserved_sizes(function: &Function) -> Vec<u8> {
    let mut sizes = vec![0; function.registers as usize];
    let mut times = vec![0_u8; function.registers as usize];
    let entry = function.code.iter().position(Operation::leaves).unwrap_or(0);
    for (index, operation) in function.code.iter().enumerate() {
        if let Operation::Reserve { to, count, size, .. } = *operation {
            let times = &mut times[to.0 as usize];
            *times = times.saturating_add(1);
            let one = function.constants.get(count.0 as usize) == Some(&1);
            if index < entry && one && *times == 1 && size <= 8 {
                sizes[to.0 as usize] = size as u8;
            } else {
                sizes[to.0 as usize] = 0;
            }
        }
    }
    // If the entry can be jumped to, its variables are made anew each time: leave them in memory.
    let entered_again = function.code.iter().enumerate().any(|(index, operation)| {
        operation.goes_on()
            && function.successors(index as u32).iter().any(|to| (*to as usize) <= entry)
    });
    if entered_again { vec![0; sizes.len()] } else { sizes }
}

fn keep_only(sizes: &mut [u8], register: Register, size: u8) {
    let entry = &mut sizes[register.0 as usize];
    if *entry != size {
        *entry = 0;
    }
}

fn forget(sizes: &mut [u8], register: Register) {
    sizes[register.0 as usize] = 0;
}
