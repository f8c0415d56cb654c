//! The standard library: what its functions do to terms. One that is not here and has no code behind it is named, and nothing is
//! claimed beyond its call.

use obligato_bytecode::{
    Address, FloatBinary, FloatUnary, FloatWidth, ObjectId, Operation, Register,
};
use obligato_execute::CharacterTable;
use obligato_symbolic::compute;
use obligato_term::{BinaryOp, Term};

use crate::access::At;
use crate::bytes::Bytes;
use crate::engine::{Engine, Path};
use crate::memory::{Kind, Memory, Object};
use crate::state::World;

/// Objects of the library itself.
#[derive(Clone, Copy, Debug)]
enum Owned {
    Errno,
    Classes,
    Lower,
    Upper,
}

/// Is there a model of the function here that is better than its code? A whole text is one term then, and no loop.
pub(crate) fn has_model(name: &str) -> bool {
    const BETTER: [&str; 8] =
        ["memcmp", "bcmp", "strcmp", "strncmp", "strlen", "strcpy", "strcat", "strchr"];
    BETTER.contains(&name)
}

impl Engine<'_> {
    /// Calls a function that is not defined in the unit.
    pub(crate) fn library(
        &mut self,
        at: At,
        world: &mut World,
        name: &str,
        values: &[Term],
    ) -> Path<Term> {
        let plain = name.strip_prefix("__").and_then(|name| name.strip_suffix("_chk"));
        let zero = self.terms.constant(0, 64);
        match (plain.unwrap_or(name), values) {
            ("memcpy", &[to, from, size, ..]) => {
                self.overlap(at, world, to, from, size)?;
                self.copy_some(at, world, to, from, size)?;
                Some(to)
            }
            ("memmove", &[to, from, size, ..]) => {
                self.copy_some(at, world, to, from, size)?;
                Some(to)
            }
            ("memset", &[to, byte, size, ..]) => {
                self.fill(at, world, to, byte, size)?;
                Some(to)
            }
            ("memcmp" | "bcmp", &[left, right, size]) => {
                self.compare_bytes(at, world, (left, right), Some(size), false)
            }
            ("strcmp", &[left, right]) => self.compare_bytes(at, world, (left, right), None, true),
            ("strncmp", &[left, right, size]) => {
                self.compare_bytes(at, world, (left, right), Some(size), true)
            }
            ("strlen", &[text]) => self.length(at, world, text),
            ("strcpy", &[to, from, ..]) => {
                self.copy_text(at, world, to, from)?;
                Some(to)
            }
            ("strcat", &[to, from, ..]) => {
                let length = self.length(at, world, to)?;
                let end = self.terms.binary(BinaryOp::Add, to, length);
                self.copy_text(at, world, end, from)?;
                Some(to)
            }
            ("strchr", &[text, wanted]) => self.find_byte(at, world, text, wanted),
            ("exit" | "_exit" | "_Exit" | "quick_exit", _) => None,
            ("abort", _) => self.end(at.0, at.1, world, "abort"),
            ("__assert_fail" | "__assert", _) => self.end(at.0, at.1, world, "assertion failed"),
            ("malloc", &[size]) => self.allocate(at, world, size),
            ("calloc", &[count, size]) => {
                let size = self.terms.binary(BinaryOp::Multiply, count, size);
                self.allocate(at, world, size)
            }
            ("free", &[pointer]) => {
                self.free(at, world, pointer)?;
                Some(zero)
            }
            ("__errno_location", _) => Some(self.owned(Owned::Errno)),
            ("__ctype_b_loc", _) => Some(self.owned(Owned::Classes)),
            ("__ctype_tolower_loc", _) => Some(self.owned(Owned::Lower)),
            ("__ctype_toupper_loc", _) => Some(self.owned(Owned::Upper)),
            (_, _) => {
                let known = self.printed(world, name, values);
                match known.or_else(|| self.float_function(name, values)) {
                    Some(result) => Some(result),
                    None => self.cut(at.0, at.1, world, format!("a call of '{name}'")),
                }
            }
        }
    }

    /// The address of an object of the library itself.
    fn owned(&mut self, owned: Owned) -> Term {
        self.terms.constant(self.library_objects[owned as usize].0.into(), 64)
    }

    /// Makes the objects of the library itself.
    pub(crate) fn add_library_objects(&mut self, memory: &mut Memory) {
        self.library_objects = vec![self.own(memory, &[0; 4])];
        for table in [CharacterTable::Classes, CharacterTable::Lower, CharacterTable::Upper] {
            let start = self.own(memory, &table.bytes());
            let pointer = start.advanced(table.zero()).0.to_le_bytes();
            let pointer = self.own(memory, &pointer);
            self.library_objects.push(pointer);
        }
    }

    fn own(&mut self, memory: &mut Memory, bytes: &[u8]) -> Address {
        let number = self.next_object;
        self.next_object += 1;
        let (bytes, alive) = (Bytes::new(&mut self.terms, bytes), self.terms.bit(true));
        memory.insert(number, Object { kind: Kind::Plain, bytes, alive });
        Address::new(ObjectId(number), 0)
    }

    /// Functions of `math.h` that the standard defines exactly.
    fn float_function(&mut self, name: &str, values: &[Term]) -> Option<Term> {
        let (name, width) = match name.strip_suffix('f') {
            Some(plain) => (plain, FloatWidth::Single),
            None => (name, FloatWidth::Double),
        };
        let (to, left, right, from) = (Register(0), Register(0), Register(0), Register(0));
        let unary = |op| Operation::FloatUnary { op, width, to, from };
        let binary = |op| Operation::FloatBinary { op, width, to, left, right };
        let operation = match (name, values.len()) {
            ("fabs", 1) => unary(FloatUnary::Absolute),
            ("floor", 1) => unary(FloatUnary::Floor),
            ("ceil", 1) => unary(FloatUnary::Ceiling),
            ("trunc", 1) => unary(FloatUnary::Truncate),
            ("round", 1) => unary(FloatUnary::Round),
            ("rint" | "nearbyint", 1) => unary(FloatUnary::Rint),
            ("fmin", 2) => binary(FloatBinary::Minimum),
            ("fmax", 2) => binary(FloatBinary::Maximum),
            ("copysign", 2) => binary(FloatBinary::CopySign),
            _ => return None,
        };
        compute(&mut self.terms, &operation, values)?.first().copied()
    }

    fn allocate(&mut self, at: At, world: &mut World, size: Term) -> Path<Term> {
        let Some(size) = self.terms.as_constant(size) else {
            return self.cut(at.0, at.1, world, "an object whose size depends on inputs");
        };
        match self.create(world, size, Kind::Heap) {
            Some((_, address)) => Some(address),
            None => self.cut(at.0, at.1, world, "an object that is too large"),
        }
    }

    fn free(&mut self, at: At, world: &mut World, pointer: Term) -> Path<()> {
        let last = self.next_object - 1;
        let Some(targets) = self.pointers.targets(&mut self.terms, pointer, last) else {
            return self.cut(at.0, at.1, world, "a pointer that may be anything is freed");
        };
        let zero = self.terms.constant(0, 64);
        let mut fine = self.terms.equal(pointer, zero);
        for target in targets.iter() {
            let Some(object) = world.memory.get_mut(target.object) else { continue };
            if object.kind != Kind::Heap {
                continue;
            }
            let start = self.terms.equal(target.offset, zero);
            let here = self.terms.and(start, target.when);
            let valid = self.terms.and(here, object.alive);
            fine = self.terms.or(fine, valid);
            let kept = self.terms.not(here);
            object.alive = self.terms.and(object.alive, kept);
        }
        let bad = self.terms.not(fine);
        self.fault(at.0, at.1, world, "freed, but not allocated", bad)
    }
}
