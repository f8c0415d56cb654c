//! Weak functions and objects: when programs are linked, another definition, or none at all, may take their place.
//!
//! Every use of a weak function in the unit reads a pointer of the driver instead, and a test says before its first step where that
//! leads: to nothing or to the unit's own definition, or to a stub; of an object that the unit only declares, whether it is there. It
//! stays so: no program is linked again while it runs.

use std::fmt::Write;

use obligato_bytecode::LINKED;
use obligato_clang::Callable;
use obligato_llvm::Links;

use crate::driver::Driver;

/// What the names of stubs for weak functions start with.
const STAND_IN: &str = "obligato_weak_";
/// Writes what weak symbols are linked to into the constants that start with their addresses.
const LINK_CONSTANTS: &str = "obligato_link_constants";
/// The same for variables.
const LINK_VARIABLES: &str = "obligato_link_variables";

/// A weak function or object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeakSymbol {
    /// Its name.
    pub name: String,
    /// What it is in the unit.
    pub kind: WeakKind,
}

/// What is weak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeakKind {
    /// A function that the unit defines, maybe as a second name of another.
    DefinedFunction,
    /// A function that it only declares.
    Function,
    /// An object that it only declares.
    Object,
}

impl WeakSymbol {
    /// A function.
    pub fn of_function(callable: &Callable) -> Self {
        let is_defined = callable.defined || callable.alias;
        let kind = if is_defined { WeakKind::DefinedFunction } else { WeakKind::Function };
        Self { name: callable.name.clone(), kind }
    }

    /// An object.
    pub fn of_object(name: &str) -> Self {
        Self { name: name.to_owned(), kind: WeakKind::Object }
    }

    /// The stub that may take its place.
    pub fn stand_in(&self) -> String {
        format!("{STAND_IN}{}", self.name)
    }

    /// The pointer that leads to what is linked.
    pub fn pointer(&self) -> String {
        format!("{LINKED}{}", self.name)
    }
}

/// Does a function of this name stand in for a weak one?
pub fn is_weak_stand_in(name: &str) -> bool {
    name.starts_with(STAND_IN)
}

/// The functions that a driver with weak symbols has, empty before the bitcode is redirected.
pub(crate) fn links() -> Links {
    Links { constants: LINK_CONSTANTS.to_owned(), variables: LINK_VARIABLES.to_owned() }
}

/// The variable of the driver that says whether it is settled what is linked.
pub(crate) fn settled(function: &str) -> String {
    format!("obligato_is_linked_{function}")
}

/// Writes the pointer of a weak symbol; the stub of a function is written.
pub(crate) fn write_pointer(driver: &mut Driver, weak: WeakSymbol) {
    if driver.weak.is_empty() {
        for link in [LINK_CONSTANTS, LINK_VARIABLES] {
            let _ = writeln!(driver.text, "static void {link}(void) {{}}");
        }
    }
    let pointer = weak.pointer();
    let initial = match weak.kind {
        WeakKind::DefinedFunction | WeakKind::Function => weak.stand_in(),
        WeakKind::Object => format!("&{}", weak.name),
    };
    let _ = writeln!(driver.text, "void *{pointer} = (void *){initial};");
    driver.globals.push(pointer);
    driver.weak.push(weak);
}

/// What the driver does before the first call of a function: it settles what is linked, from arguments behind `first` others.
pub(crate) fn statements(driver: &Driver, function: &str, first: usize) -> String {
    if driver.weak.is_empty() {
        return String::new();
    }
    let settled = settled(function);
    let mut text = format!("if (!{settled}) {{ {settled} = 1; ");
    for (index, weak) in driver.weak.iter().enumerate() {
        let given = format!("*(void **)arguments[{}]", first + index);
        let name = &weak.name;
        let linked = match weak.kind {
            WeakKind::DefinedFunction => format!("{given} ? {given} : (void *){name}"),
            WeakKind::Function => given,
            WeakKind::Object => format!("{given} ? (void *)&{name} : 0"),
        };
        let _ = write!(text, "{} = {linked}; ", weak.pointer());
    }
    // Constants are no state, so every step writes them.
    let _ = write!(text, "{LINK_VARIABLES}(); }} {LINK_CONSTANTS}(); ");
    text
}

/// What the driver declares for a function, on its line.
pub(crate) fn declarations(driver: &Driver, function: &str) -> String {
    if driver.weak.is_empty() {
        return String::new();
    }
    format!("static _Bool {}; ", settled(function))
}
