//! The C library functions that the tool knows: one table, with a row for each name.
//!
//! A [`LibraryFunction`] says which concrete model the executor runs, whether there is a C body for engines that follow
//! inputs through it, and which symbolic model the bounded model checker uses. [`returns`], [`calls_back`] and [`locale_of`] say of
//! a name what analyses want to know of a call. The ids are enums that the executor and the
//! model checker match exhaustively, so a row without its model does not compile; a test holds the C bodies to the table.
//!
//! Start reading at [`function`], then `table/string.rs`. To add a function, add a row there, its concrete model in
//! `crates/execute/src/libc` and, where the row says so, its C body in `library.c` and its symbolic model in
//! `crates/c-bmc/src/library.rs`.

mod body;
pub mod function;
pub mod outside;
mod table;

pub use body::{code_of, names};
pub use function::{Body, Concrete, LibraryFunction, Symbolic};
pub use table::{
    AssertFunction, CharacterFunction, DoubleFunction, LocaleUse, Returns, STREAMS, SingleFunction,
    SortFunction, StdioFunction, StdlibFunction, StringFunction, allocates, calls_back, find,
    functions, locale_of, may_ask_locale, may_print, returns,
};
