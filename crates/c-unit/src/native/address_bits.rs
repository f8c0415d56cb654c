//! Does a run depend on where objects lie? No two machines agree on addresses, so a test that reads one as a number and decides by it
//! does something else as machine code, and neither the executor nor the machine is wrong.
//!
//! A run with a mark beside every value: addresses that a test has set are marked, numbers that are made from their bits too. To move
//! within an object, to compare or subtract addresses in one, and to ask whether two objects are the same is no use of their bits.

use obligato_bytecode::{Address, Binary, CodeId, Comparison, Operation};
use obligato_execute::{Around, Marked, Memory, Shadow, Site, Variables};
use obligato_model::{Suite, TestCase};

use super::is_address_of_executor;
use crate::interface::Interface;
use crate::measure::Watches;
use crate::script::Content;
use crate::suite::{RunError, RunOptions, scripts};
use crate::unit::Unit;

/// What a value has to do with addresses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Origin {
    /// Nothing.
    #[default]
    Number,
    /// A test gives it as a number, which may happen to be one: a solver knows where the executor puts objects.
    Given,
    /// It is one.
    Address,
    /// It was made from the bits of one.
    Bits,
}

/// Follows addresses and what is made from their bits.
#[derive(Debug, Default)]
struct AddressBits {
    /// Has a decision, an access, or what a function outside is given depended on such bits?
    decided: bool,
}

impl AddressBits {
    /// An access through a number that a test gives depends on where something lies.
    fn access(&mut self, pointer: Marked<'_, Origin>) {
        self.decided |= matches!(pointer.mark, Origin::Bits | Origin::Given);
    }

    fn use_up(&mut self, marks: impl IntoIterator<Item = Origin>) {
        self.decided |= marks.into_iter().any(|mark| mark == Origin::Bits);
    }
}

/// Constant addresses, and those of memory that the program allocates, are not marked: what looks like one counts.
fn with_constants<'m>(operand: &Marked<'m, Origin>) -> Marked<'m, Origin> {
    let is_address = *operand.mark == Origin::Number && is_address_of_executor(operand.value);
    let mark = if is_address { &Origin::Address } else { operand.mark };
    Marked { value: operand.value, mark }
}

fn object_of(value: u64) -> u32 {
    Address(value).object().0
}

/// What a comparison of two addresses comes to.
fn compared(op: Comparison, left: u64, right: u64) -> Origin {
    let are_addresses = [left, right].into_iter().all(is_address_of_executor);
    if !are_addresses || object_of(left) == object_of(right) {
        return Origin::Number;
    }
    // Behind the end of an object another one may begin.
    let is_start = |word: u64| Address(word).offset() == 0;
    let is_equality = matches!(op, Comparison::Equal | Comparison::NotEqual);
    if is_equality && is_start(left) && is_start(right) { Origin::Number } else { Origin::Bits }
}

impl Shadow for AddressBits {
    type Mark = Origin;

    fn compute(&mut self, site: Site<'_>, operands: &[Marked<'_, Origin>], result: u64) -> Origin {
        let operands: Vec<Marked<'_, Origin>> = operands.iter().map(with_constants).collect();
        let operands = operands.as_slice();
        if operands.iter().any(|one| *one.mark == Origin::Bits) {
            return Origin::Bits;
        }
        if let (Operation::Compare { op, width: 64, .. }, [left, right]) =
            (site.operation, operands)
        {
            let is_given = [left, right].iter().any(|one| *one.mark == Origin::Given);
            let is_address = |one: &&Marked<'_, Origin>| is_address_of_executor(one.value);
            if is_given && [left, right].iter().any(is_address) {
                return Origin::Bits;
            }
            return compared(*op, left.value, right.value);
        }
        let is_comparison = matches!(site.operation, Operation::Compare { .. });
        let has_address = || operands.iter().any(|one| *one.mark == Origin::Address);
        if operands.iter().any(|one| *one.mark == Origin::Given) && !has_address() {
            return if is_comparison { Origin::Number } else { Origin::Given };
        }
        let mut addresses = operands.iter().filter(|one| *one.mark == Origin::Address);
        let Some(first) = addresses.next() else { return Origin::Number };
        let object = object_of(first.value);
        match (site.operation, addresses.next()) {
            (Operation::Binary { op: Binary::Subtract | Binary::Difference, .. }, Some(second))
                if object_of(second.value) == object =>
            {
                Origin::Number
            }
            (Operation::Select { .. }, _) => {
                let chosen = if operands[0].value == 0 { 2 } else { 1 };
                operands.get(chosen).map_or(Origin::Bits, |one| *one.mark)
            }
            _ if object_of(result) == object => Origin::Address,
            _ => Origin::Bits,
        }
    }

    fn load(
        &mut self,
        _: Site<'_>,
        pointer: Marked<'_, Origin>,
        bytes: &[Origin],
        _: &Memory<Origin>,
        _: u64,
    ) -> Origin {
        self.access(pointer);
        let is_whole = bytes.len() == 8 && bytes.iter().all(|byte| *byte == Origin::Address);
        if is_whole {
            Origin::Address
        } else if bytes.iter().any(|byte| matches!(byte, Origin::Address | Origin::Bits)) {
            Origin::Bits
        } else if bytes.contains(&Origin::Given) {
            Origin::Given
        } else {
            Origin::Number
        }
    }

    fn store(
        &mut self,
        site: Site<'_>,
        pointer: Marked<'_, Origin>,
        value: Marked<'_, Origin>,
        memory: &mut Memory<Origin>,
    ) {
        self.access(pointer);
        let Operation::Store { size, .. } = site.operation else { return };
        if let Ok(bytes) = memory.marks_mut(Address(pointer.value), (*size).into()) {
            bytes.fill(*value.mark);
        }
    }

    fn swept(&mut self, _: Site<'_>, operands: &[Marked<'_, Origin>]) {
        self.use_up(operands.iter().map(|one| *one.mark));
    }

    fn called_through(&mut self, pointer: Marked<'_, Origin>) {
        self.access(pointer);
    }

    fn failed(&mut self, _: Site<'_>, operands: &[Marked<'_, Origin>], _: &Memory<Origin>) {
        self.use_up(operands.iter().map(|one| *one.mark));
    }

    fn moved(&mut self, _: &mut [Origin]) {}

    fn branch(&mut self, site: Site<'_>, _: u32, around: Around<'_, Origin>) {
        if let Operation::Branch { test: by, .. }
        | Operation::Switch { on: by, .. }
        | Operation::JumpThrough { on: by, .. } = site.operation
        {
            self.use_up(around.marks.get(by.0 as usize).copied());
        }
    }

    fn enter(&mut self, _: CodeId, _: &[Marked<'_, Origin>]) {}

    fn leave(&mut self, _: CodeId, _: &mut [Origin], _: &mut Memory<Origin>) {}

    fn outside(&mut self, _: CodeId, given: &[Marked<'_, Origin>], _: &[u64]) -> Origin {
        self.use_up(given.iter().map(|one| *one.mark));
        Origin::Number
    }

    fn unite(&mut self, into: &mut Origin, from: &Origin) {
        *into = match (*into, *from) {
            (_, Origin::Number) => return,
            (Origin::Number | Origin::Given, Origin::Given) => Origin::Given,
            _ => Origin::Bits,
        };
    }
}

impl Unit {
    /// Does it depend on where objects lie what a test does?
    pub fn depends_on_addresses(
        &self,
        interface: &Interface,
        test: &TestCase,
        options: RunOptions,
    ) -> Result<bool, RunError> {
        let inputs = self.variables(interface).inputs;
        let suite = Suite { inputs, tests: vec![test.clone()] };
        let script = scripts(interface, &suite)?.pop().unwrap_or_default();
        let executable = self.executable(&Watches::default(), options, Variables::InRegisters)?;
        let shadow = AddressBits::default();
        let mut runner = self.runner(&executable, interface, options, shadow, ())?;
        runner.run_marked(
            &script,
            |_, write, written| {
                let is_pointer = matches!(write.content, Content::Pointer(_));
                written.marks.fill(if is_pointer { Origin::Address } else { Origin::Given });
            },
            |_, _| {},
        );
        Ok(runner.shadow().decided)
    }
}
