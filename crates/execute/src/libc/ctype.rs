//! `ctype.h` in the C locale: the functions, and glibc's tables behind its macros.

use super::host::Host;
use super::{Plain, as_int, int};
use crate::machine::Run;
use crate::shadow::Shadow;
use obligato_c_library::CharacterFunction;

/// glibc's classes, as bits of its table.
mod class {
    pub(super) const UPPER: u16 = 0x100;
    pub(super) const LOWER: u16 = 0x200;
    pub(super) const ALPHA: u16 = 0x400;
    pub(super) const DIGIT: u16 = 0x800;
    pub(super) const HEX: u16 = 0x1000;
    pub(super) const SPACE: u16 = 0x2000;
    pub(super) const PRINT: u16 = 0x4000;
    pub(super) const GRAPH: u16 = 0x8000;
    pub(super) const BLANK: u16 = 0x1;
    pub(super) const CONTROL: u16 = 0x2;
    pub(super) const PUNCTUATION: u16 = 0x4;
    pub(super) const ALNUM: u16 = 0x8;
}

pub(super) fn model<S: Shadow>(function: CharacterFunction) -> (usize, Plain<S>) {
    match function {
        CharacterFunction::Isupper => (1, |_, a| Ok(test(a[0], class::UPPER))),
        CharacterFunction::Islower => (1, |_, a| Ok(test(a[0], class::LOWER))),
        CharacterFunction::Isalpha => (1, |_, a| Ok(test(a[0], class::ALPHA))),
        CharacterFunction::Isdigit => (1, |_, a| Ok(test(a[0], class::DIGIT))),
        CharacterFunction::Isxdigit => (1, |_, a| Ok(test(a[0], class::HEX))),
        CharacterFunction::Isspace => (1, |_, a| Ok(test(a[0], class::SPACE))),
        CharacterFunction::Isprint => (1, |_, a| Ok(test(a[0], class::PRINT))),
        CharacterFunction::Isgraph => (1, |_, a| Ok(test(a[0], class::GRAPH))),
        CharacterFunction::Isblank => (1, |_, a| Ok(test(a[0], class::BLANK))),
        CharacterFunction::Iscntrl => (1, |_, a| Ok(test(a[0], class::CONTROL))),
        CharacterFunction::Ispunct => (1, |_, a| Ok(test(a[0], class::PUNCTUATION))),
        CharacterFunction::Isalnum => (1, |_, a| Ok(test(a[0], class::ALNUM))),
        CharacterFunction::Tolower => (1, |_, a| Ok(int(lower(as_int(a[0]))))),
        CharacterFunction::Toupper => (1, |_, a| Ok(int(upper(as_int(a[0]))))),
        CharacterFunction::CtypeBLoc => (0, |host, _| table(host, CharacterTable::Classes)),
        CharacterFunction::CtypeTolowerLoc => (0, |host, _| table(host, CharacterTable::Lower)),
        CharacterFunction::CtypeToupperLoc => (0, |host, _| table(host, CharacterTable::Upper)),
    }
}

fn test(register: u64, class: u16) -> u64 {
    u64::from(classes(as_int(register)) & class)
}

fn lower(code: i32) -> i32 {
    u8::try_from(code).map_or(code, |byte| byte.to_ascii_lowercase().into())
}

fn upper(code: i32) -> i32 {
    u8::try_from(code).map_or(code, |byte| byte.to_ascii_uppercase().into())
}

/// The classes of a character; none beyond ASCII.
fn classes(code: i32) -> u16 {
    let Some(byte) = u8::try_from(code).ok().filter(u8::is_ascii) else { return 0 };
    let has = |holds: bool, class: u16| if holds { class } else { 0 };
    has(byte.is_ascii_uppercase(), class::UPPER)
        | has(byte.is_ascii_lowercase(), class::LOWER)
        | has(byte.is_ascii_alphabetic(), class::ALPHA)
        | has(byte.is_ascii_digit(), class::DIGIT)
        | has(byte.is_ascii_hexdigit(), class::HEX)
        | has(matches!(byte, b' ' | 9..=13), class::SPACE)
        | has(matches!(byte, b' '..=b'~'), class::PRINT)
        | has(byte.is_ascii_graphic(), class::GRAPH)
        | has(matches!(byte, b' ' | b'\t'), class::BLANK)
        | has(byte.is_ascii_control(), class::CONTROL)
        | has(byte.is_ascii_punctuation(), class::PUNCTUATION)
        | has(byte.is_ascii_alphanumeric(), class::ALNUM)
}

/// A table of glibc's `ctype.h`, for the characters -128 to 255.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CharacterTable {
    /// Behind `__ctype_b_loc`: two bytes of classes for each.
    Classes,
    /// Behind `__ctype_tolower_loc`: four bytes for each.
    Lower,
    /// Behind `__ctype_toupper_loc`: four bytes for each.
    Upper,
}

impl CharacterTable {
    /// Its bytes.
    pub fn bytes(self) -> Vec<u8> {
        let entry = |code: i32| match self {
            Self::Classes => classes(code).to_le_bytes().to_vec(),
            Self::Lower => lower(code).to_le_bytes().to_vec(),
            Self::Upper => upper(code).to_le_bytes().to_vec(),
        };
        // A negative index is the same character as a signed `char`, except for EOF.
        let codes = -128..=255;
        codes.flat_map(|code: i32| entry(if code < -1 { code + 256 } else { code })).collect()
    }

    /// The offset of the entry of character 0.
    pub fn zero(self) -> u64 {
        128 * self.entry()
    }

    /// The size of an entry, in bytes.
    pub fn entry(self) -> u64 {
        if self == Self::Classes { 2 } else { 4 }
    }
}

/// The address of a pointer to the entry of character 0 in a table.
fn table<S: Shadow>(host: &mut Host<'_, S>, table: CharacterTable) -> Run<u64> {
    if let Some(pointer) = host.library.tables[table as usize] {
        return Ok(pointer.0);
    }
    let start = host.own_object(&table.bytes())?;
    let zero = start.advanced(table.zero());
    let pointer = host.own_object(&zero.0.to_le_bytes())?;
    host.library.tables[table as usize] = Some(pointer);
    Ok(pointer.0)
}
