//! What the functions and globals of a module are numbered, and so at which addresses they are.

use obligato_bytecode::{
    Address, CodeId, Function, FunctionType, Global, GlobalId, LINKED, Module, Signature,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Error;
use crate::ir::{Bitcode, Block, Layout, Type, Value};
use crate::parts::PartTable;

/// Functions and globals with their numbers.
#[derive(Debug)]
pub struct Symbols<'b> {
    /// The functions in the order of their ids.
    pub functions: Vec<Value<'b>>,
    /// The globals in the order of their ids.
    pub globals: Vec<Value<'b>>,
    codes: FxHashMap<Value<'b>, CodeId>,
    addresses: FxHashMap<Value<'b>, Address>,
    /// Numbers of blocks in their functions, of those functions whose labels are used as values.
    blocks: FxHashMap<Block<'b>, u32>,
    numbered: FxHashSet<Value<'b>>,
    /// Weak functions, second names, and objects of others, for which the unit has no pointer to what is linked.
    pub unlinked: FxHashSet<Value<'b>>,
    /// The numbers of types of functions and their results, from 1.
    kinds: FxHashMap<Type<'b>, u32>,
}

/// The functions of a module that are no intrinsics, in their order.
pub fn functions(bitcode: &Bitcode) -> impl Iterator<Item = Value<'_>> {
    bitcode.functions().filter(|function| !function.name().starts_with("llvm."))
}

impl<'b> Symbols<'b> {
    /// Numbers everything, and declares it in a module: globals are all zero yet, functions have no code.
    pub fn declare(
        bitcode: &'b Bitcode,
        parts: &mut PartTable<'b>,
    ) -> Result<(Self, Module), Error> {
        let functions: Vec<_> = functions(bitcode).collect();
        // What is named so is for the linker and the optimiser, and never an object of the program.
        let globals = bitcode.globals().filter(|global| !global.name().starts_with("llvm."));
        let globals: Vec<_> = globals.collect();
        let mut kinds = FxHashMap::default();
        let module = Module {
            globals: declare_globals(bitcode.layout(), &globals)?,
            functions: functions
                .iter()
                .map(|value| declare_function(parts, *value, &mut kinds))
                .collect(),
            has_hidden_accesses: false,
        };
        let code = |(index, value): (usize, &Value<'b>)| (*value, CodeId::new(index));
        let codes: FxHashMap<_, _> = functions.iter().enumerate().map(code).collect();
        let mut addresses: FxHashMap<_, _> =
            codes.iter().map(|(value, id)| (*value, module.address_of_function(*id))).collect();
        addresses.extend(
            globals
                .iter()
                .enumerate()
                .map(|(index, value)| (*value, Module::address_of_global(GlobalId::new(index)))),
        );
        let (blocks, numbered) = (FxHashMap::default(), FxHashSet::default());
        let unlinked = unlinked(bitcode);
        let symbols =
            Self { functions, globals, codes, addresses, blocks, numbered, unlinked, kinds };
        Ok((symbols, module))
    }

    /// The numbers of a type of functions.
    pub fn kind(&mut self, called: Type<'b>) -> FunctionType {
        numbers_of(&mut self.kinds, called)
    }

    /// The function that a value is.
    pub fn code(&self, value: Value<'b>) -> Option<CodeId> {
        self.codes.get(&value).copied()
    }

    /// The address of a function or global.
    pub fn address(&self, value: Value<'b>) -> Option<Address> {
        self.addresses.get(&value).copied()
    }

    /// The address of a label: inside of its function, where no pointer to a function points.
    pub fn address_of_block(&mut self, function: Value<'b>, block: Block<'b>) -> Option<Address> {
        if self.numbered.insert(function) {
            self.blocks.extend(function.blocks().zip(1..));
        }
        let number = *self.blocks.get(&block)?;
        Some(self.address(function)?.advanced(u64::from(number)))
    }
}

/// The weak symbols without a pointer. Objects that the unit defines are none of them: their values are inputs.
fn unlinked(bitcode: &Bitcode) -> FxHashSet<Value<'_>> {
    let globals = bitcode.globals().filter(|global| global.initializer().is_none());
    let symbols = functions(bitcode).chain(globals).chain(bitcode.aliases());
    let pointers: FxHashSet<String> = bitcode.globals().map(Value::name).collect();
    symbols
        .filter(|symbol| {
            symbol.is_weak() && !pointers.contains(&format!("{LINKED}{}", symbol.name()))
        })
        .collect()
}

fn declare_globals<'b>(layout: Layout<'b>, values: &[Value<'b>]) -> Result<Vec<Global>, Error> {
    let mut free = Address::LARGEST_OBJECT;
    let declare = |value: &Value<'b>| {
        let content: Type<'b> = value.content();
        let (name, size) = (value.name(), layout.size(content));
        let Some(rest) = free.checked_sub(size) else {
            return Err(Error::TooLarge { name, limit: Address::LARGEST_OBJECT });
        };
        free = rest;
        let alignment = value.alignment_of_global().unwrap_or_else(|| layout.alignment(content));
        Ok(Global {
            name,
            bytes: vec![0; size as usize],
            alignment: u64::from(alignment),
            constant: value.is_constant_global(),
            defined: value.initializer().is_some(),
        })
    };
    values.iter().map(declare).collect()
}

/// The numbers of a type of functions: 0 for one without a prototype.
fn numbers_of<'b>(kinds: &mut FxHashMap<Type<'b>, u32>, kind: Type<'b>) -> FunctionType {
    let mut number = |kind: Type<'b>| {
        let next = kinds.len() as u32 + 1;
        *kinds.entry(kind).or_insert(next)
    };
    let is_open = kind.is_variadic() && kind.parameters().is_empty();
    FunctionType { whole: if is_open { 0 } else { number(kind) }, result: number(kind.result()) }
}

fn declare_function<'b>(
    parts: &mut PartTable<'b>,
    value: Value<'b>,
    kinds: &mut FxHashMap<Type<'b>, u32>,
) -> Function {
    let type_ = value.content();
    let parameters = type_.parameters();
    let signature = Signature {
        parameters: parameters.into_iter().map(|parameter| parts.count(parameter)).sum(),
        results: parts.count(type_.result()),
        variadic: type_.is_variadic(),
        endless: value.has_attribute("noreturn"),
        kind: numbers_of(kinds, type_),
    };
    Function { name: value.name(), signature, ..Function::default() }
}
