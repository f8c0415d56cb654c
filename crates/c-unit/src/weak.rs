//! Weak functions and objects: when programs are linked, another definition, or none at all, may take their place.
//!
//! Every use of a weak function in the unit reads a pointer of the driver instead, and a test says before its first step where that
//! leads: to nothing or to the unit's own definition, or to a stub; of an object that the unit only declares, whether it is there. It
//! stays so: no program is linked again while it runs.

use std::fmt::Write;

use obligato_clang::Callable;

use crate::driver::Driver;

/// What the names of stubs for weak functions start with.
const STAND_IN: &str = "obligato_weak_";
/// What the symbols of the pointers start with.
const POINTER: &str = "obligato_linked_to_";

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
        format!("{POINTER}{}", self.name)
    }
}

/// Does a function of this name stand in for a weak one?
pub fn is_weak_stand_in(name: &str) -> bool {
    name.starts_with(STAND_IN)
}

/// The variable of the driver that says whether it is settled what is linked.
pub(crate) fn settled(function: &str) -> String {
    format!("obligato_is_linked_{function}")
}

/// Writes the pointer of a weak symbol; the stub of a function is written.
pub(crate) fn write_pointer(driver: &mut Driver, weak: WeakSymbol) {
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
    text.push_str("} ");
    text
}

/// What the driver declares for a function, on its line.
pub(crate) fn declarations(driver: &Driver, function: &str) -> String {
    if driver.weak.is_empty() {
        return String::new();
    }
    format!("static _Bool {}; ", settled(function))
}
