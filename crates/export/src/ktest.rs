//! `.ktest` files of KLEE: the bytes of symbolic objects, by name, in the order in which a program makes them.
//!
//! The format, version 3, all numbers of 32 bits with the highest byte first: `KTEST`, the version, the number of arguments of the program and each
//! argument, two numbers about symbolic arguments, the number of objects and each object. Texts and objects have their length in front; an object
//! has its name before its bytes.

use crate::ExportedFile;
use crate::unit::UnitTests;

const VERSION: u32 = 3;

/// A file per test.
pub fn write(tests: &UnitTests, base: &str) -> Vec<ExportedFile> {
    let width = tests.tests.len().to_string().len().max(6);
    let files = tests.tests.iter().enumerate().map(|(index, test)| {
        let mut bytes = b"KTEST".to_vec();
        put_number(&mut bytes, VERSION);
        put_number(&mut bytes, 1);
        put_bytes(&mut bytes, tests.file.as_bytes());
        // No symbolic arguments.
        put_number(&mut bytes, 0);
        put_number(&mut bytes, 0);
        put_number(&mut bytes, test.images.len() as u32);
        for (name, image) in &test.images {
            put_bytes(&mut bytes, name.as_bytes());
            put_bytes(&mut bytes, image);
        }
        ExportedFile { name: format!("{base}_{:0width$}.ktest", index + 1), bytes }
    });
    files.collect()
}

fn put_number(bytes: &mut Vec<u8>, number: u32) {
    bytes.extend(number.to_be_bytes());
}

fn put_bytes(bytes: &mut Vec<u8>, content: &[u8]) {
    put_number(bytes, content.len() as u32);
    bytes.extend(content);
}
