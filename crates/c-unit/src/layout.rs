//! The layout of a test in memory: the addresses of its objects, and which bits of which bytes are a cell.
//!
//! Every engine writes the inputs of a test by it: the runner concrete bits, `obligato-concolic` and `obligato-c-bmc` terms. So an
//! address in a test, a trace and a formula is the same number.

use obligato_bytecode::{Address, Module, ObjectId};

use crate::interface::{Cell, Interface, ObjectIndex, Origin, Pointee};

/// The addresses of the objects of a test, which are the same in every run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Per object of the interface.
    pub objects: Vec<Address>,
    /// The list of pointers to the arguments, which the driver is given.
    pub arguments: Address,
    /// Where the result goes; null if there is none.
    pub result: Address,
    /// The first number that is free for what a run creates itself.
    pub first_free: ObjectId,
}

impl Layout {
    /// The layout of the tests of a function. Fresh objects get the numbers behind those of globals and functions, in order.
    pub fn new(module: &Module, interface: &Interface) -> Self {
        let ObjectId(mut next) = module.first_free_object();
        let mut fresh = || {
            next += 1;
            Address::new(ObjectId(next - 1), 0)
        };
        let objects: Vec<Address> = interface
            .objects
            .iter()
            .map(|object| match &object.origin {
                Origin::Fresh => fresh(),
                Origin::Global(name) => {
                    module.global_named(name).map_or(Address::NULL, Module::address_of_global)
                }
            })
            .collect();
        let arguments = fresh();
        let result = interface.result.map_or(Address::NULL, |ObjectIndex(at)| objects[at]);
        Self { objects, arguments, result, first_free: ObjectId(next) }
    }

    /// What a pointer to this holds.
    pub fn address_of(&self, module: &Module, to: &Pointee) -> Address {
        match to {
            Pointee::Null | Pointee::Unset => Address::NULL,
            Pointee::Object(ObjectIndex(at)) => self.objects[*at],
            Pointee::Inside(ObjectIndex(at), offset) => self.objects[*at].advanced(*offset),
            Pointee::Function(name) => {
                let function = module.function_named(name);
                function.map_or(Address::NULL, |code| module.address_of_function(code))
            }
        }
    }

    /// The bytes of the list of the arguments: a pointer to each, and one that is null.
    pub fn argument_list(&self, interface: &Interface) -> Vec<u8> {
        let arguments = interface.arguments.iter().map(|ObjectIndex(at)| self.objects[*at]);
        arguments.chain([Address::NULL]).flat_map(|address| address.0.to_le_bytes()).collect()
    }

    /// The bytes that a cell has bits in: the first of them, and how many.
    pub fn bytes_of(&self, cell: &Cell) -> (Address, u64) {
        let start = self.objects[cell.object.0].advanced(cell.offset / 8);
        (start, (cell.offset % 8 + u64::from(cell.form.bits())).div_ceil(8))
    }
}

/// The bits of a word that lie in one byte of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByteSlice {
    /// Which byte, counted from the one with bit 0.
    pub byte: usize,
    /// The lowest bit of the byte that belongs to the word.
    pub low: u8,
    /// How many bits of the byte belong to the word.
    pub count: u8,
    /// The bit of the word that is at `low`.
    pub from: u32,
}

/// The bytes that hold a word of so many bits, which starts at a bit of memory, lowest bits first.
pub fn byte_slices(offset: u64, width: u32) -> impl Iterator<Item = ByteSlice> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let left = width.checked_sub(from).filter(|left| *left > 0)?;
        let at = offset + u64::from(from);
        let low = (at % 8) as u8;
        let count = left.min(8 - u32::from(low)) as u8;
        let slice = ByteSlice { byte: (at / 8) as usize, low, count, from };
        from += u32::from(count);
        Some(slice)
    })
}

/// The bits of a cell among the bytes of its object.
pub fn take_bits(bytes: &[u8], offset: u64, count: u32) -> u128 {
    let mut value = 0;
    for slice in byte_slices(offset, count) {
        let byte = bytes.get(slice.byte).copied().unwrap_or(0);
        let bits = (byte >> slice.low) & lowest_bits(slice.count);
        value |= u128::from(bits) << slice.from;
    }
    value
}

/// Sets the bits of a cell among the bytes of its object.
pub fn put_bits(bytes: &mut [u8], offset: u64, count: u32, value: u128) {
    for slice in byte_slices(offset, count) {
        if let Some(byte) = bytes.get_mut(slice.byte) {
            let mask = lowest_bits(slice.count) << slice.low;
            let bits = ((value >> slice.from) as u8) << slice.low;
            *byte = *byte & !mask | bits & mask;
        }
    }
}

/// A byte with so many bits set, eight at most.
fn lowest_bits(count: u8) -> u8 {
    u8::MAX >> (8 - count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_bit_of_a_word_is_in_its_byte_once(offset in 0_u64..70, width in 0_u32..140) {
            let expected: Vec<(usize, u64, u32)> = (0..width)
                .map(|bit| (offset + u64::from(bit), bit))
                .map(|(at, bit)| ((at / 8) as usize, at % 8, bit))
                .collect();
            let slices: Vec<ByteSlice> = byte_slices(offset, width).collect();
            let bits = slices.iter().flat_map(|slice| {
                (0..slice.count).map(|bit| {
                    (slice.byte, u64::from(slice.low + bit), slice.from + u32::from(bit))
                })
            });
            prop_assert_eq!(bits.collect::<Vec<_>>(), expected);
            prop_assert!(slices.is_sorted_by(|one, two| one.byte < two.byte));
        }

        #[test]
        fn bits_that_are_put_are_taken_and_others_stay(
            offset in 0_u64..70,
            count in 1_u32..129,
            value: u128,
            fill: u8,
        ) {
            let mut bytes = [fill; 32];
            put_bits(&mut bytes, offset, count, value);
            let mask = if count == 128 { u128::MAX } else { (1 << count) - 1 };
            prop_assert_eq!(take_bits(&bytes, offset, count), value & mask);
            let plain = [fill; 32];
            let before = take_bits(&bytes, 0, offset as u32);
            prop_assert_eq!(before, take_bits(&plain, 0, offset as u32));
            let behind = offset + u64::from(count);
            prop_assert_eq!(take_bits(&bytes, behind, 50), take_bits(&plain, behind, 50));
        }
    }
}
