//! What differs between lanes: inputs and forced taps.

use obligato_model::{Integer, Type, Value};

use super::Simulator;
use crate::error::Error;
use crate::lanes::bools::{Mask, assign, lanes};
use crate::lanes::program::{ForcingSlots, RegisterSlot};
use crate::lanes::reals::Reals;
use crate::lanes::words::Words;
use crate::sort::Sort;
use crate::term::TapId;

impl<const W: usize> Simulator<'_, W> {
    /// Gives an input of a lane a value of the input's type, until it gets another.
    pub fn set_input(&mut self, index: usize, lane: usize, value: &Value) -> Result<(), Error> {
        Self::check_lane(lane)?;
        let value = self.program.system().encode_input(index, value)?;
        if self.registers.set(self.program.inputs[index], lane, &value) {
            self.exact.inputs.remove(&(lane, index));
        } else {
            self.exact.inputs.insert((lane, index), value);
        }
        Ok(())
    }

    /// Gives an input the same value in all lanes, until it gets another.
    pub fn fill_input(&mut self, index: usize, value: &Value) -> Result<(), Error> {
        let value = self.program.system().encode_input(index, value)?;
        let place = self.program.inputs[index];
        self.forget_outsized(index);
        if !self.registers.fill(place, &value) {
            let all = (0..Self::LANES).map(|lane| ((lane, index), value.clone()));
            self.exact.inputs.extend(all);
        }
        Ok(())
    }

    /// Gives a Boolean input a value in each lane.
    pub fn set_bools(&mut self, index: usize, values: Mask<W>) -> Result<(), Error> {
        let place = self.input_place(index, "a Boolean", |sort| sort == Sort::Bool)?;
        self.registers.bools[place.slot as usize] = values;
        Ok(())
    }

    /// Gives an integer input a value in each lane. They have to be values of its
    /// type: of an enumeration its positions, of `uint64` its bit patterns.
    pub fn set_words(&mut self, index: usize, values: &[[i64; 64]; W]) -> Result<(), Error> {
        let is_word = |sort| matches!(sort, Sort::Int | Sort::Machine(_));
        let place = self.input_place(index, "an integer", is_word)?;
        let kind = &self.program.system().inputs[index].kind;
        if let Some(wrong) = first_outside(kind, place.sort, values.as_flattened()) {
            return Err(self.wrong_input(index, wrong.to_string()));
        }
        self.registers.words.registers[place.slot as usize].set_words(&Words(*values));
        self.forget_outsized(index);
        Ok(())
    }

    /// Gives a real input a value in each lane: these numerators over one
    /// denominator.
    pub fn set_reals(
        &mut self,
        index: usize,
        numerators: &[[i64; 64]; W],
        denominator: u32,
    ) -> Result<(), Error> {
        let place = self.input_place(index, "a real", |sort| sort == Sort::Real)?;
        if denominator == 0 {
            return Err(self.wrong_input(index, "a fraction over 0".to_owned()));
        }
        let values = Reals::over(Words(*numerators), denominator.into());
        *self.registers.reals.registers[place.slot as usize] = values;
        self.forget_outsized(index);
        Ok(())
    }

    /// Makes a tap stick in the lanes of the mask, each at its value of the tap's
    /// sort, until [`release`](Self::release).
    pub fn force(
        &mut self,
        tap: TapId,
        mask: Mask<W>,
        value: impl Fn(usize) -> Value,
    ) -> Result<(), Error> {
        let ForcingSlots { mask: slot, value: place } = self.forcing(tap)?;
        let values: Vec<(usize, Value)> = lanes(mask).map(|lane| (lane, value(lane))).collect();
        if let Some((_, wrong)) = values.iter().find(|(_, value)| !place.sort.holds(value)) {
            let (value, kind) = (wrong.to_string(), place.sort.to_string());
            return Err(Error::WrongValue { value, kind, of: None });
        }
        for (lane, value) in values {
            if self.registers.set(place, lane, &value) {
                self.exact.forced.remove(&(lane, tap));
            } else {
                self.exact.forced.insert((lane, tap), value);
            }
            assign(&mut self.registers.bools[slot as usize], lane, true);
        }
        self.forced.insert(tap);
        Ok(())
    }

    /// Makes a Boolean tap stick in the lanes of the mask, each at its bit of
    /// `values`, until [`release`](Self::release).
    pub fn force_bools(&mut self, tap: TapId, mask: Mask<W>, values: Mask<W>) -> Result<(), Error> {
        let ForcingSlots { mask: slot, value: place } = self.forcing(tap)?;
        if place.sort != Sort::Bool {
            let kind = place.sort.to_string();
            return Err(Error::WrongValue { value: "a Boolean".to_owned(), kind, of: None });
        }
        for word in 0..W {
            let bools = &mut self.registers.bools;
            bools[slot as usize][word] |= mask[word];
            let value = &mut bools[place.slot as usize][word];
            *value = *value & !mask[word] | values[word] & mask[word];
        }
        self.forced.insert(tap);
        Ok(())
    }

    /// Ends all forcing.
    pub fn release(&mut self) {
        for tap in std::mem::take(&mut self.forced) {
            if let Some(forcing) = self.program.forcings[tap.index()] {
                self.registers.bools[forcing.mask as usize] = [0; W];
            }
        }
        self.exact.forced.clear();
    }

    fn forcing(&self, tap: TapId) -> Result<ForcingSlots, Error> {
        self.program.system().tap_node(tap)?;
        self.program.forcings[tap.index()].ok_or(Error::NotForceable)
    }

    fn input_place(
        &self,
        index: usize,
        given: &str,
        suits: impl Fn(Sort) -> bool,
    ) -> Result<RegisterSlot, Error> {
        let count = self.program.inputs.len();
        let no_such = Error::NoSuch { what: "input", index, count };
        let place = *self.program.inputs.get(index).ok_or(no_such)?;
        if suits(place.sort) { Ok(place) } else { Err(self.wrong_input(index, given.to_owned())) }
    }

    fn wrong_input(&self, index: usize, value: String) -> Error {
        let input = &self.program.system().inputs[index];
        Error::WrongValue { value, kind: input.kind.to_string(), of: Some(input.name.clone()) }
    }

    fn forget_outsized(&mut self, index: usize) {
        if !self.exact.inputs.is_empty() {
            self.exact.inputs.retain(|(_, input), _| *input != index);
        }
    }
}

/// The first word that holds no value of the type.
fn first_outside(kind: &Type, sort: Sort, words: &[i64]) -> Option<i64> {
    let clamp = |bound: &Integer| {
        let beyond = if *bound < Integer::ZERO { i128::MIN } else { i128::MAX };
        i128::try_from(bound).unwrap_or(beyond)
    };
    let range = match (kind, sort) {
        (_, Sort::Machine(machine)) => {
            return words.iter().copied().find(|word| machine.wrap_word(*word) != *word);
        }
        (Type::Enumeration(names), _) => 0..=names.len() as i128 - 1,
        _ => {
            let (low, high) = kind.bounds()?;
            clamp(&low)..=clamp(&high)
        }
    };
    words.iter().copied().find(|word| !range.contains(&i128::from(*word)))
}
