//! Code that asks its environment: a copy of bitcode in which accesses to what the environment changes can be followed.
//!
//! A `volatile` object holds what hardware, another thread or an interrupt has put there; a register lies at an address that no object of a
//! test has; an allocation may fail. In the copy a call stands before each `volatile` read and behind each `volatile` write, constant
//! addresses are those of globals, functions are called in the place of others, and weak ones are read from pointers. No branch and no value changes, so conditions map
//! to the same instructions as before.

use std::fs;
use std::path::Path;

use rustc_hash::FxHashSet;

use crate::Error;
use crate::constants::elements;
use crate::ir::{Bitcode, Block, Instruction, Kind, Layout, Length, Opcode, Rewriter, Side, Value};

/// What is redirected.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Redirection {
    /// The function that is called before each `volatile` read, with the address and the number of bytes.
    pub read: Option<String>,
    /// The function that is called behind each `volatile` write.
    pub written: Option<String>,
    /// Stretches of fixed addresses.
    pub regions: Vec<Region>,
    /// Functions, and those that are called in their place.
    pub functions: Vec<(String, String)>,
    /// Functions of which it is settled only when programs are linked what they are, and the pointers that lead there.
    pub linked: Vec<(String, String)>,
    /// The functions that write the pointers into constants and variables which start with them.
    pub links: Links,
    /// Globals that the environment writes, also where the program must not.
    pub changing: Vec<String>,
    /// Static variables of functions that get other names, those of one usual name in the order of the text.
    pub named: Vec<NamedLocal>,
    /// Globals that other units find by their names from now on.
    pub exported: Vec<String>,
    /// Does nothing run when the unit is loaded?
    pub without_constructors: bool,
    /// What the names of functions start with in which nothing is redirected.
    pub own: Vec<String>,
}

/// Functions that write what weak symbols are linked to where initialisers have their addresses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Links {
    /// Into constants.
    pub constants: String,
    /// Into variables.
    pub variables: String,
}

/// A static variable of a function in which several have its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedLocal {
    /// The symbol that compilers give the first of them: `counter.calls`.
    pub usual: String,
    /// The line on which it is declared.
    pub line: u32,
    /// Its symbol from now on.
    pub symbol: String,
}

/// A stretch of fixed addresses, and the global that stands there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// The first address.
    pub start: u64,
    /// In bytes.
    pub size: u64,
    /// The global.
    pub global: String,
}

impl Redirection {
    /// Is there nothing to redirect?
    pub fn is_empty(&self) -> bool {
        self.read.is_none()
            && self.written.is_none()
            && self.regions.is_empty()
            && self.functions.is_empty()
            && self.linked.is_empty()
            && self.changing.is_empty()
            && self.named.is_empty()
            && self.exported.is_empty()
            && !self.without_constructors
    }
}

/// Writes a copy of a bitcode file in which accesses are redirected; tells whether anything was. If nothing was, no
/// copy is written.
pub fn redirect(source: &Path, redirection: &Redirection, target: &Path) -> Result<bool, Error> {
    let read = |error| Error::Read { path: source.to_owned(), source: error };
    let bitcode = Bitcode::parse(&fs::read(source).map_err(read)?)?;
    let rewriter = Rewriter::new(&bitcode);
    let is_own = |function: &Value<'_>| {
        let name = function.name();
        redirection.own.iter().any(|start| name.starts_with(start))
    };
    let (own, functions): (Vec<Value<'_>>, Vec<Value<'_>>) = bitcode.functions().partition(is_own);
    let mut changed = false;
    for address in fixed_addresses(&bitcode, &functions) {
        changed |= place_of(redirection, address).is_some_and(|(region, offset)| {
            rewriter.replace_address(address, &region.global, offset)
        });
    }
    for (function, other) in &redirection.functions {
        changed |= rewriter.replace_function(function, other, &own);
    }
    for (function, pointer) in &redirection.linked {
        changed |= rewriter.read_in_place(function, pointer, &functions);
        changed |= write_in_initialised(&bitcode, &rewriter, redirection, function, pointer);
    }
    changed |= name_locals(&bitcode, &redirection.named);
    for global in &redirection.changing {
        changed |= rewriter.make_variable(global);
    }
    for global in &redirection.exported {
        changed |= rewriter.export(global);
    }
    if redirection.without_constructors {
        changed |= rewriter.leave_out(CONSTRUCTORS);
    }
    for function in &functions {
        let instructions: Vec<Instruction<'_>> =
            function.blocks().flat_map(Block::instructions).collect();
        for access in instructions {
            for touched in touched_by(bitcode.layout(), access) {
                let (hook, side) = match touched.how {
                    How::Read => (&redirection.read, Side::Before),
                    How::Written => (&redirection.written, Side::Behind),
                };
                if let Some(hook) = hook {
                    rewriter.call_beside(access, side, hook, touched.address, touched.length);
                    changed = true;
                }
            }
        }
    }
    if changed {
        bitcode.write(target)?;
    }
    Ok(changed)
}

/// Writes what a weak symbol is linked to wherever an initialiser has its address, such as a table of handlers.
fn write_in_initialised(
    bitcode: &Bitcode,
    rewriter: &Rewriter<'_>,
    redirection: &Redirection,
    symbol: &str,
    pointer: &str,
) -> bool {
    let Some(symbol) = rewriter.symbol(symbol) else { return false };
    let mut changed = false;
    for global in bitcode.globals() {
        let name = global.name();
        if redirection.own.iter().any(|start| name.starts_with(start)) {
            continue;
        }
        let is_constant = global.is_constant_global();
        let Links { constants, variables } = &redirection.links;
        let function = if is_constant { constants } else { variables };
        let mut open: Vec<(Value<'_>, u64)> =
            global.initializer().map(|all| (all, 0)).into_iter().collect();
        while let Some((next, offset)) = open.pop() {
            if next == symbol {
                changed |= rewriter.write_first(function, pointer, global, offset);
            } else if next.kind() == Kind::Aggregate && next.byte_string().is_none() {
                open.extend(elements(bitcode.layout(), next, offset));
            }
        }
    }
    changed
}

/// Gives static variables their names. Clang numbers those of one name as it makes code for them, and none for what is never reached;
/// debug information says on which line each was declared.
fn name_locals(bitcode: &Bitcode, named: &[NamedLocal]) -> bool {
    let mut found: Vec<(Value<'_>, &str)> = Vec::new();
    for (index, first) in named.iter().enumerate() {
        let alike = |one: &&NamedLocal| one.usual == first.usual && one.line == first.line;
        if named[..index].iter().any(|one| alike(&one)) {
            continue;
        }
        let mut globals: Vec<(u64, Value<'_>)> = bitcode
            .globals()
            .filter(|global| global.declared_line() == Some(first.line))
            .filter_map(|global| Some((number_behind(&global.name(), &first.usual)?, global)))
            .collect();
        globals.sort_unstable_by_key(|(number, _)| *number);
        let symbols = named.iter().filter(alike).map(|one| one.symbol.as_str());
        found.extend(globals.into_iter().map(|(_, global)| global).zip(symbols));
    }
    // What is not named yet must not have a name that another one gets.
    for (global, _) in &found {
        global.rename("obligato_local");
    }
    for (global, symbol) in &found {
        global.rename(symbol);
    }
    !found.is_empty()
}

/// The number behind the usual symbol: 0 for the symbol itself.
fn number_behind(symbol: &str, usual: &str) -> Option<u64> {
    match symbol.strip_prefix(usual)? {
        "" => Some(0),
        rest => rest.strip_prefix('.')?.parse().ok(),
    }
}

/// The list of what runs when a unit is loaded.
const CONSTRUCTORS: &str = "llvm.global_ctors";

/// What an instruction does with memory.
#[derive(Clone, Copy)]
enum How {
    Read,
    Written,
}

/// A `volatile` access.
struct Touched<'b> {
    how: How,
    address: Value<'b>,
    length: Length<'b>,
}

/// The `volatile` accesses of an instruction. Variables of the function itself are left out: only the function reaches them.
fn touched_by<'b>(layout: Layout<'b>, instruction: Instruction<'b>) -> Vec<Touched<'b>> {
    let mut found = Vec::new();
    let mut add = |how, address: Value<'b>, length| {
        if !is_variable(address) {
            found.push(Touched { how, address, length });
        }
    };
    let size = |value: Value<'b>| Length::Bytes(layout.size(value.type_()));
    match instruction.opcode() {
        Opcode::LLVMLoad if instruction.is_volatile() => {
            add(How::Read, instruction.operand(0), size(instruction.value()));
        }
        Opcode::LLVMStore if instruction.is_volatile() => {
            add(How::Written, instruction.operand(1), size(instruction.operand(0)));
        }
        Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg if instruction.is_volatile() => {
            let (address, length) = (instruction.operand(0), size(instruction.operand(1)));
            add(How::Read, address, length);
            add(How::Written, address, length);
        }
        Opcode::LLVMCall => {
            let arguments: Vec<Value<'b>> = instruction.arguments().collect();
            let is_copy = matches!(
                instruction.called_intrinsic(),
                Some("llvm.memcpy" | "llvm.memcpy.inline" | "llvm.memmove")
            );
            // One of the two is `volatile`, and the instruction does not tell which.
            if let (true, &[to, from, length, volatile]) = (is_copy, arguments.as_slice())
                && is_true(volatile)
            {
                add(How::Read, from, Length::Value(length));
                add(How::Written, to, Length::Value(length));
            }
        }
        _ => {}
    }
    found
}

fn is_true(value: Value<'_>) -> bool {
    value.kind() == Kind::Integer && value.integer_words() != [0]
}

/// Does the address lie in a variable of the function itself?
fn is_variable(mut address: Value<'_>) -> bool {
    while let Some(instruction) = address.instruction() {
        match instruction.opcode() {
            Opcode::LLVMAlloca => return true,
            Opcode::LLVMGetElementPtr => address = instruction.operand(0),
            _ => return false,
        }
    }
    false
}

/// The constants that make pointers of numbers, in code and in initial values, each once.
fn fixed_addresses<'b>(bitcode: &'b Bitcode, functions: &[Value<'b>]) -> Vec<Value<'b>> {
    let instructions =
        functions.iter().flat_map(|function| function.blocks()).flat_map(Block::instructions);
    let operands = instructions.flat_map(|instruction| instruction.value().operands());
    let initial = bitcode.globals().filter_map(Value::initializer);
    let is_compound =
        |value: &Value<'b>| matches!(value.kind(), Kind::Expression | Kind::Aggregate);
    let mut todo: Vec<Value<'b>> = operands.chain(initial).filter(is_compound).collect();
    let mut seen: FxHashSet<Value<'b>> = FxHashSet::default();
    let mut found = Vec::new();
    while let Some(value) = todo.pop() {
        if !seen.insert(value) {
            continue;
        }
        // What is computed from others may be gone once those are replaced.
        if value.kind() == Kind::Expression
            && value.expression_opcode() == Opcode::LLVMIntToPtr
            && value.operands().all(|number| number.kind() == Kind::Integer)
        {
            found.push(value);
        }
        todo.extend(value.operands().filter(is_compound));
    }
    found
}

/// The region of a constant address, and the offset in it.
fn place_of<'r>(redirection: &'r Redirection, address: Value<'_>) -> Option<(&'r Region, u64)> {
    let number = address.operands().next().filter(|one| one.kind() == Kind::Integer)?;
    let &[number] = number.integer_words().as_slice() else { return None };
    let regions = redirection.regions.iter();
    let mut placed = regions.filter_map(|region| {
        let offset = number.checked_sub(region.start)?;
        (offset < region.size).then_some((region, offset))
    });
    placed.next()
}
