//! Which build of the tool is running: the build id that the linker puts into an ELF file, a digest of its contents.
//!
//! A digest of the whole file would say the same and would have to read it all, each time something is stored.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

/// Headers and notes are small; what claims to be larger is none of them.
const MOST_BYTES: u64 = 1 << 20;
/// The type of a note that holds a build id.
const BUILD_ID: u32 = 3;
/// The type of a segment that holds notes.
const NOTES: u32 = 4;

/// The build id of the running program, in hexadecimal digits; none where the system keeps none.
pub fn own() -> Option<String> {
    let mut file = File::open(std::env::current_exe().ok()?).ok()?;
    let header = read_at(&mut file, 0, 64)?;
    // An ELF file of 64 bits, the lowest byte first.
    if !header.starts_with(&[0x7f, b'E', b'L', b'F', 2, 1]) {
        return None;
    }
    let (start, size, count) =
        (number(&header, 32, 8)?, number(&header, 54, 2)?, number(&header, 56, 2)?);
    let table = read_at(&mut file, start, size.checked_mul(count)?)?;
    let size = usize::try_from(size).ok().filter(|size| *size >= 56)?;
    table.chunks_exact(size).find_map(|segment| {
        if number(segment, 0, 4)? != u64::from(NOTES) {
            return None;
        }
        let notes = read_at(&mut file, number(segment, 8, 8)?, number(segment, 32, 8)?)?;
        id_among(&notes)
    })
}

fn read_at(file: &mut File, start: u64, length: u64) -> Option<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(length).ok().filter(|_| length <= MOST_BYTES)?];
    file.seek(SeekFrom::Start(start)).ok()?;
    file.read_exact(&mut bytes).ok()?;
    Some(bytes)
}

/// A number of so many bytes, the lowest first.
fn number(bytes: &[u8], at: usize, length: usize) -> Option<u64> {
    let part = bytes.get(at..at.checked_add(length)?)?;
    Some(part.iter().rev().fold(0, |sum, byte| (sum << 8) | u64::from(*byte)))
}

/// The build id among notes: each has the lengths of its name and its content, its type, and then both, padded to four bytes.
fn id_among(mut notes: &[u8]) -> Option<String> {
    loop {
        let [name, content] = [number(notes, 0, 4)?, number(notes, 4, 4)?].map(|one| one as usize);
        let start = 12_usize.checked_add(name.checked_next_multiple_of(4)?)?;
        let found = notes.get(start..start.checked_add(content)?)?;
        if number(notes, 8, 4)? == u64::from(BUILD_ID) && notes.get(12..16)? == b"GNU\0" {
            return Some(found.iter().map(|byte| format!("{byte:02x}")).collect());
        }
        notes = notes.get(start.checked_add(content.checked_next_multiple_of(4)?)?..)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_id_is_found_behind_other_notes_and_damage_is_no_panic() {
        let note = |kind: u8, content: &[u8]| {
            let mut bytes = vec![4, 0, 0, 0, content.len() as u8, 0, 0, 0, kind, 0, 0, 0];
            bytes.extend_from_slice(b"GNU\0");
            bytes.extend_from_slice(content);
            bytes.resize(bytes.len().next_multiple_of(4), 0);
            bytes
        };
        let notes = [note(1, &[9; 5]), note(3, &[0xab, 0x01])].concat();
        assert_eq!(id_among(&notes).as_deref(), Some("ab01"));
        for length in 0..notes.len() - 2 {
            assert_eq!(id_among(&notes[..length]), None, "{length}");
        }
    }
}
