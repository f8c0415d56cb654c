//! Weak functions: when programs are linked, another definition, or none at all, may take their place.
//!
//! Every use of a weak function in the unit reads a pointer of the driver instead, and a test says before its first step where that
//! leads: to nothing or to the unit's own definition, or to a stub. It stays so: no program is linked again while it runs.

use std::fmt::Write;

use obligato_clang::Callable;

use crate::driver::Driver;

/// What the names of stubs for weak functions start with.
const STAND_IN: &str = "obligato_weak_";
/// What the symbols of the pointers start with.
const POINTER: &str = "obligato_linked_to_";

/// A weak function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeakFunction {
    /// Its name.
    pub name: String,
    /// Does the unit define it?
    pub defined: bool,
}

impl WeakFunction {
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

/// Writes the pointer of a weak function, whose stub is written.
pub(crate) fn write_pointer(driver: &mut Driver, callable: &Callable) {
    let weak = WeakFunction { name: callable.name.clone(), defined: callable.defined };
    let (pointer, stand_in) = (weak.pointer(), weak.stand_in());
    let _ = writeln!(driver.text, "void *{pointer} = (void *){stand_in};");
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
        let other = if weak.defined { format!("(void *){}", weak.name) } else { "0".to_owned() };
        let _ = write!(text, "{} = {given} ? {given} : {other}; ", weak.pointer());
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
