//! The registers of a simulation, and one pass of a program over them.

use obligato_model::Value;

use super::bools::{self, Mask, assign, contains};
use super::instruction::Operation;
use super::number::{integer_of, ratio_of, word_of};
use super::planes::{PlaneFile, Planes, compare};
use super::program::{LaneProgram, Observed, RegisterSlot};
use super::reals::{RealFile, Reals, choose, compare_reals};
use crate::sort::Sort;

/// All registers.
#[derive(Clone, Debug)]
pub(super) struct Registers<const W: usize> {
    pub bools: Vec<Mask<W>>,
    pub words: PlaneFile<W>,
    pub reals: RealFile<W>,
}

/// What one register holds.
#[derive(Clone, Debug)]
pub(super) enum Column<const W: usize> {
    Bool(Mask<W>),
    Words(Box<Planes<W>>),
    Reals(Box<Reals<W>>),
}

impl<const W: usize> Column<W> {
    /// Can a register of the sort hold it?
    pub fn suits(&self, sort: Sort) -> bool {
        match self {
            Self::Bool(_) => sort == Sort::Bool,
            Self::Words(_) => matches!(sort, Sort::Int | Sort::Machine(_)),
            Self::Reals(_) => sort == Sort::Real,
        }
    }
}

fn merge<const W: usize>(a: &Mask<W>, b: &Mask<W>, mask: &Mask<W>) -> Mask<W> {
    std::array::from_fn(|word| a[word] & mask[word] | b[word] & !mask[word])
}

impl<const W: usize> Registers<W> {
    /// Registers for a program, with its constants in place.
    pub fn new(program: &LaneProgram<'_>) -> Self {
        use super::instruction::File;
        let mut registers = Self {
            bools: vec![[0; W]; program.registers(File::Bool)],
            words: PlaneFile::new(program.registers(File::Word), Planes::ZERO),
            reals: RealFile::new(program.registers(File::Real), Reals::ZERO),
        };
        for (place, value) in &program.constants {
            registers.fill(*place, value);
        }
        registers
    }

    /// Runs all instructions. Lanes that some result does not fit are added to
    /// `spilled`.
    pub fn run(&mut self, program: &LaneProgram<'_>, spilled: &mut Mask<W>) {
        for run in program.runs() {
            let operands = &program.operands()[run.start as usize..run.end as usize];
            match run.operation {
                Operation::Bool(operation) => bools::run(operation, operands, &mut self.bools),
                Operation::Word(operation) => {
                    self.words.run(operation, operands, &self.bools, spilled);
                }
                Operation::Real(operation) => {
                    self.reals.run(operation, operands, &self.bools, spilled);
                }
                Operation::CompareWords(comparison) => {
                    for at in operands {
                        let words = &self.words.registers;
                        let (a, b) = (&words[at.a as usize], &words[at.b as usize]);
                        self.bools[at.to as usize] = compare(comparison, a, b);
                    }
                }
                Operation::CompareReals(comparison) => {
                    for at in operands {
                        let reals = &self.reals.registers;
                        let (a, b) = (&reals[at.a as usize], &reals[at.b as usize]);
                        self.bools[at.to as usize] = compare_reals(comparison, a, b);
                    }
                }
                Operation::WordToReal => {
                    for at in operands {
                        let word = &self.words.registers[at.a as usize];
                        self.reals.registers[at.to as usize].set_whole(&word.words());
                    }
                }
                Operation::RealToWord => {
                    for at in operands {
                        let real = &self.reals.registers[at.a as usize];
                        self.words.registers[at.to as usize].set_words(&real.floor());
                    }
                }
            }
        }
    }

    /// The value of a lane.
    pub fn get(&self, place: RegisterSlot, lane: usize) -> Value {
        let slot = place.slot as usize;
        match place.sort {
            Sort::Bool => Value::Bool(contains(&self.bools[slot], lane)),
            Sort::Real => Value::Real(self.reals.registers[slot].get(lane).exact()),
            sort => Value::Int(integer_of(sort, self.words.registers[slot].get(lane))),
        }
    }

    /// The lanes whose register holds another value than lane 0's.
    pub fn unlike_first(&self, place: RegisterSlot) -> Mask<W> {
        let slot = place.slot as usize;
        match place.sort {
            Sort::Bool => {
                let register = self.bools[slot];
                let first = if contains(&register, 0) { u64::MAX } else { 0 };
                register.map(|word| word ^ first)
            }
            Sort::Real => self.reals.registers[slot].unlike_first(),
            _ => self.words.registers[slot].unlike_first(),
        }
    }

    /// An observed Boolean, in all lanes.
    pub fn observed_bools(&self, observed: &Observed) -> Mask<W> {
        let register = self.bools[observed.place.slot as usize];
        if observed.inverted { register.map(|word| !word) } else { register }
    }

    /// Sets the value of a lane, or zero if it does not fit. Says whether it did.
    pub fn set(&mut self, place: RegisterSlot, lane: usize, value: &Value) -> bool {
        let slot = place.slot as usize;
        match value {
            Value::Bool(value) => {
                assign(&mut self.bools[slot], lane, *value);
                true
            }
            Value::Real(value) => {
                let ratio = ratio_of(value);
                let zero = super::number::Ratio::ZERO;
                self.reals.registers[slot].set(lane, ratio.unwrap_or(zero));
                ratio.is_some()
            }
            Value::Int(value) => {
                let word = word_of(place.sort, value);
                self.words.registers[slot].set(lane, word.unwrap_or(0));
                word.is_some()
            }
            _ => unreachable!("invariant: values of sorts are Booleans, integers or rationals"),
        }
    }

    /// Sets the value of all lanes, or zero if it does not fit. Says whether it did.
    pub fn fill(&mut self, place: RegisterSlot, value: &Value) -> bool {
        let slot = place.slot as usize;
        match value {
            Value::Bool(value) => {
                self.bools[slot] = [if *value { u64::MAX } else { 0 }; W];
                true
            }
            Value::Real(value) => {
                let ratio = ratio_of(value);
                let zero = super::number::Ratio::ZERO;
                *self.reals.registers[slot] = Reals::all(ratio.unwrap_or(zero));
                ratio.is_some()
            }
            Value::Int(value) => {
                let word = word_of(place.sort, value);
                *self.words.registers[slot] = Planes::all(word.unwrap_or(0));
                word.is_some()
            }
            _ => unreachable!("invariant: values of sorts are Booleans, integers or rationals"),
        }
    }

    /// What `to` will hold after `from` has moved to it in the lanes of the mask.
    pub fn merged(&self, from: RegisterSlot, to: RegisterSlot, mask: &Mask<W>) -> Column<W> {
        let (source, target) = (from.slot as usize, to.slot as usize);
        match to.sort {
            Sort::Bool => Column::Bool(merge(&self.bools[source], &self.bools[target], mask)),
            Sort::Real => {
                let mut merged = Box::new(Reals::ZERO);
                let file = &self.reals.registers;
                choose(&mut merged, mask, &file[source], &file[target]);
                Column::Reals(merged)
            }
            _ => {
                let mut merged = Box::new(Planes::ZERO);
                let file = &self.words.registers;
                merged.select(mask, &file[source], &file[target]);
                Column::Words(merged)
            }
        }
    }

    /// Puts back what was taken from a register of the same sort.
    pub fn put_back(&mut self, place: RegisterSlot, column: &Column<W>) {
        let slot = place.slot as usize;
        match (place.sort, column) {
            (Sort::Bool, Column::Bool(mask)) => self.bools[slot] = *mask,
            (Sort::Real, Column::Reals(reals)) => self.reals.registers[slot].clone_from(reals),
            (Sort::Int | Sort::Machine(_), Column::Words(words)) => {
                self.words.registers[slot].clone_from(words);
            }
            _ => unreachable!("invariant: the column suits the sort"),
        }
    }

    /// Moves `from` to `to` in the lanes of the mask; `from` means nothing after.
    pub fn advance(&mut self, from: RegisterSlot, to: RegisterSlot, mask: &Mask<W>) {
        let (source, target) = (from.slot as usize, to.slot as usize);
        let all = *mask == [u64::MAX; W];
        match to.sort {
            Sort::Bool => {
                let (next, current) = (self.bools[source], self.bools[target]);
                self.bools[target] = merge(&next, &current, mask);
            }
            Sort::Real if all => self.reals.registers.swap(source, target),
            Sort::Real => {
                let current = self.reals.registers[target].clone();
                self.reals.write(to.slot, |out, file| choose(out, mask, &file[source], &current));
            }
            _ if all => self.words.registers.swap(source, target),
            _ => {
                let current = self.words.registers[target].clone();
                self.words.write(to.slot, |out, file| out.select(mask, &file[source], &current));
            }
        }
    }
}
