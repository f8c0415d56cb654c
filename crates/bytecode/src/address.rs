//! Addresses: pointers that know their object.
//!
//! A pointer is 64 bits, as the program under test believes, so it can be stored, cut into bytes,
//! cast to an integer and back. Its upper half names the object, its lower half is the offset,
//! counted from the middle of the range, so that a pointer a little before its object or far behind
//! it is still recognised as belonging to that object, and as being outside of it.

/// The number of an object. Zero is no object: it is where the null pointer points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(pub u32);

/// A pointer as the program under test sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address(pub u64);

impl Address {
    /// The null pointer.
    pub const NULL: Self = Self(0);

    /// How many bytes from the null pointer on count as what it points to. Members of a structure at the null pointer are
    /// there; a number that was made a pointer most likely is not. Linux keeps as much free there.
    pub const NULL_AREA: u64 = 1 << 16;

    /// The offset at which objects start. A multiple of every alignment in use.
    pub const BASE: u32 = 1 << 30;

    /// The number of no object, where numbers of objects are.
    const ASTRAY: u64 = (u32::MAX as u64) << 32;

    /// The largest object.
    pub const LARGEST_OBJECT: u64 = 1 << 30;

    /// Is it the null pointer, or so little behind it that it was made from one?
    pub fn is_near_null(self) -> bool {
        self.0 < Self::NULL_AREA
    }

    /// The address of a byte of an object.
    pub fn new(object: ObjectId, offset: u64) -> Self {
        Self(u64::from(object.0) << 32).advanced(u64::from(Self::BASE)).advanced(offset)
    }

    /// Does it belong to the same object as another one, or as little to any?
    pub fn is_beside(self, other: Self) -> bool {
        self.0 >> 32 == other.0 >> 32
    }

    /// This address moved by an offset, which may be negative in two's complement.
    #[must_use]
    pub fn advanced(self, offset: u64) -> Self {
        Self(self.0.wrapping_add(offset))
    }

    /// This address moved by an index of an array. So far away that the number of another object would come out, it belongs to none.
    #[must_use]
    #[inline]
    pub fn indexed(self, distance: i64) -> Self {
        let moved = self.0.wrapping_add_signed(distance);
        if (moved ^ self.0) >> 32 == 0 { Self(moved) } else { Self(moved | Self::ASTRAY) }
    }

    /// The object this address belongs to, whether or not it lies inside of it.
    pub fn object(self) -> ObjectId {
        ObjectId((self.0 >> 32) as u32)
    }

    /// How far this address is from the start of its object.
    pub fn offset(self) -> i64 {
        i64::from(self.0 as u32) - i64::from(Self::BASE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_outside_of_its_object_still_belongs_to_it() {
        let start = Address::new(ObjectId(7), 0);
        let before = start.advanced(4_u64.wrapping_neg());
        assert_eq!((before.object(), before.offset()), (ObjectId(7), -4));
        let far = start.indexed(-2_147_483_647 * 4);
        assert_eq!(far.object(), ObjectId(u32::MAX));
        assert_eq!(start.indexed(-4), before);
        let behind = start.advanced(1 << 20);
        assert_eq!((behind.object(), behind.offset()), (ObjectId(7), 1 << 20));
    }

    #[test]
    fn null_belongs_to_no_object_and_is_outside_of_it() {
        assert_eq!(Address::NULL.object(), ObjectId(0));
        assert!(Address::NULL.offset() < 0);
    }
}
