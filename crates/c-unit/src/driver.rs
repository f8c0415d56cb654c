//! The driver: C text behind a unit's own that calls its functions, defines stubs for functions that it calls
//! and nothing defines, and wraps functions of the standard library.
//!
//! Written in C and compiled together with the unit, these know how the machine passes arguments and
//! lays out structures, so neither the executor nor the native harness has to. The unit's own text stays as it is.
//!
//! ```c
//! void obligato_call_0(void **arguments, void *result) { … }
//! int read_sensor(int channel) { … obligato_outside(0, 1, arguments, sizes, &result); … }
//! void *obligato_globals[] = { &mode, … };
//! void *obligato_functions[] = { step, … };
//! ```

use std::fmt::Write;

use obligato_bytecode::BEHIND;
use obligato_c_library::code_of;
use obligato_clang::{CType, Callable, Syntax, Types, Variable};
use obligato_model::Signedness;

use crate::callbacks::{Callback, write_callbacks};
use crate::environment::{Register, is_allocator, write_environment};
use crate::pointed_stubs::{PointedStub, is_pointed_stub, pointed_stubs};
use crate::sequence::Sequence;
use crate::settings::Settings;
use crate::weak::{self, WeakSymbol, is_weak_stand_in};

/// The text and what it is made of.
#[derive(Clone, Debug, Default)]
pub struct Driver {
    /// The text.
    pub text: String,
    /// The functions that it can call and gives the addresses of, by number.
    pub functions: Vec<String>,
    /// The functions that it has stubs for, by number.
    pub outside: Vec<Callable>,
    /// The allocators, whose stubs ask whether they fail, numbered behind the other stubs.
    pub allocators: Vec<String>,
    /// The globals that it gives the addresses of, by number.
    pub globals: Vec<String>,
    /// The static variables of functions that the harness finds by their symbols, since the environment changes them.
    pub locals: Vec<String>,
    /// The stubs that pointers may point to, among those that it stands in for.
    pub pointed: Vec<PointedStub>,
    /// The weak functions and objects of the unit; the stubs of the functions are among those that it stands in for.
    pub weak: Vec<WeakSymbol>,
    /// What functions outside are given and may call; their questions are among those that it stands in for.
    pub callbacks: Vec<Callback>,
    /// Memory at fixed addresses, for which it has globals.
    pub registers: Vec<Register>,
    /// The functions without a body in the unit that a pointer may point to: those outside, and those of the standard library.
    pub linked: Vec<String>,
    /// Those of the functions that it stands in for that headers of the system declare.
    pub standard: Vec<String>,
    /// Objects that nothing defines and C cannot define here, since only their addresses are known or only a function can name
    /// their types. The linker defines them.
    pub opaque: Vec<String>,
    /// Where in the text a line starts that is about a function or object, and about which.
    about: Vec<(usize, String)>,
}

impl Driver {
    /// The functions and objects that these lines of the text, from 0, are about.
    pub fn named_in(&self, lines: &[usize]) -> Vec<String> {
        let mut starts = vec![0];
        starts.extend(self.text.match_indices('\n').map(|(at, _)| at + 1));
        let starts: Vec<usize> =
            lines.iter().filter_map(|line| starts.get(*line).copied()).collect();
        let about = self.about.iter().filter(|(start, _)| starts.contains(start));
        about.map(|(_, name)| name.clone()).collect()
    }

    /// The names of all functions with stubs, by number.
    pub fn stubs(&self) -> impl Iterator<Item = &str> {
        let outside = self.outside.iter().map(|callable| callable.name.as_str());
        outside.chain(self.allocators.iter().map(String::as_str))
    }

    /// The number of a function with a stub.
    pub fn number_of_stub(&self, name: &str) -> Option<usize> {
        self.stubs().position(|stub| stub == name)
    }

    pub(crate) fn note(&mut self, name: &str) {
        self.about.push((self.text.len(), name.to_owned()));
    }
}

/// The name of the function that calls a function of the unit.
pub fn name_of_call(number: usize) -> String {
    format!("obligato_call_{number}")
}

/// Does a function of this name belong to the driver, and not to the program?
pub fn is_of_driver(name: &str) -> bool {
    name.starts_with(BEHIND)
        || is_allocator(name)
        || is_pointed_stub(name)
        || is_weak_stand_in(name)
        || name.strip_prefix("obligato_call_").is_some_and(|rest| rest.parse::<usize>().is_ok())
}

/// The function that answers in place of those outside. It takes the number of the function, the number of
/// arguments, pointers to them, their sizes, and where to put the result (null if there is none).
pub const OUTSIDE: &str = "obligato_outside";

/// The function that enters the addresses of thread-local objects, if there are any, in the table of globals: those are no
/// constants. It runs in the thread that runs the tests, before the first.
const PREPARE: &str = "obligato_prepare";

/// Writes the text for a unit. `called` are the functions that tests call; `is_modelled` says of a function that is
/// not defined here whether it is one of the standard library that behaves as it should. Nothing is written about
/// what is `left_out`.
pub fn write_driver(
    unit: &Syntax,
    called: &[String],
    is_modelled: impl Fn(&str) -> bool,
    settings: &Settings,
    left_out: &[String],
) -> Driver {
    let sequence = Sequence::of(unit, settings);
    let mut driver = Driver::default();
    let _ = writeln!(
        driver.text,
        "extern void {OUTSIDE}(int, int, const void **, const unsigned long *, void *);"
    );
    let is_known = |name: &String| is_modelled(name) || left_out.contains(name);
    for callable in &unit.callables {
        if !callable.used || is_known(&callable.name) || !can_be_written(callable) {
            continue;
        }
        if callable.weak {
            let symbol = WeakSymbol::of_function(callable);
            let stub = Callable { name: symbol.stand_in(), weak: false, ..callable.clone() };
            driver.note(&callable.name);
            write_stub(&mut driver, unit, &stub);
            driver.note(&callable.name);
            weak::write_pointer(&mut driver, symbol);
        } else if !callable.defined && !callable.alias {
            driver.note(&callable.name);
            write_stub(&mut driver, unit, callable);
        }
    }
    write_external_definitions(&mut driver, unit, called, left_out);
    for (stub, callable) in pointed_stubs(unit, called) {
        if !left_out.contains(&stub.symbol) {
            driver.note(&stub.symbol);
            write_stub(&mut driver, unit, &callable);
            driver.pointed.push(stub);
        }
    }
    for callable in unit.callables.iter().filter(|one| one.used && !one.defined) {
        let name = format!("{BEHIND}{}", callable.name);
        if let Some(code) = code_of(&callable.name).filter(|_| !left_out.contains(&name)) {
            driver.note(&name);
            let _ = writeln!(driver.text, "{code}");
        }
    }
    write_environment(&mut driver, unit, settings, left_out);
    let linked = unit.callables.iter().filter(|one| one.used && !one.defined);
    driver.linked = linked.filter(|one| can_be_written(one)).map(|one| one.name.clone()).collect();
    let mut thread_local = Vec::new();
    for variable in &unit.variables {
        let is_file_scope = variable.function.is_none() && variable.used;
        let is_outside = is_file_scope && !variable.defined && !is_modelled(&variable.name);
        let is_named = !left_out.contains(&variable.name);
        if is_outside && !(is_named && has_size(&unit.types, variable)) && !variable.thread_local {
            driver.opaque.push(variable.name.clone());
        }
        if is_outside && is_named {
            driver.note(&variable.name);
            write_definition(&mut driver.text, &unit.types, variable);
            if variable.weak && has_size(&unit.types, variable) {
                driver.note(&variable.name);
                weak::write_pointer(&mut driver, WeakSymbol::of_object(&variable.name));
            }
        }
        if is_file_scope && !is_known(&variable.name) {
            if variable.thread_local {
                thread_local.push(driver.globals.len());
            }
            driver.globals.push(variable.name.clone());
        }
    }
    for name in called.iter().filter(|name| !left_out.contains(name)) {
        if let Some(callable) = unit.callables.iter().find(|callable| callable.name == *name) {
            driver.note(name);
            let number = driver.functions.len();
            let line = CallLine::new(&driver, callable, &sequence);
            write_call(&mut driver.text, &unit.types, callable, number, &line);
            driver.functions.push(name.clone());
        }
    }
    write_opaque(&mut driver);
    let text = &mut driver.text;
    let globals = driver.globals.iter().enumerate().map(|(number, name)| {
        if thread_local.contains(&number) { "0".to_owned() } else { format!("&{name}") }
    });
    write_table(text, "obligato_globals", globals);
    if !thread_local.is_empty() {
        let assign = |number: &usize| {
            format!("obligato_globals[{number}] = (void *)&{}; ", driver.globals[*number])
        };
        let assigned: String = thread_local.iter().map(assign).collect();
        let _ = writeln!(text, "void {PREPARE}(void) {{ {assigned}}}");
    }
    let addressed: Vec<String> = driver.addressed().cloned().collect();
    write_table(&mut driver.text, "obligato_functions", addressed.into_iter());
    driver
}

/// Names with two underscores belong to the compiler; it knows what to do with them.
fn can_be_written(callable: &Callable) -> bool {
    !callable.name.starts_with("__builtin_")
}

/// An `inline` definition may be one for this unit only, and another unit has the function (C11 6.7.4p7). The linker finds none here, so
/// these declarations make the definition external: the first by the rules of C99, the second by those of GNU C.
fn write_external_definitions(
    driver: &mut Driver,
    unit: &Syntax,
    called: &[String],
    left_out: &[String],
) {
    let inline = unit.callables.iter().filter(|one| one.inline && !one.internal && !one.weak);
    let needed = inline.filter(|one| one.used || called.contains(&one.name));
    for Callable { name, .. } in needed.filter(|one| !left_out.contains(&one.name)) {
        driver.note(name);
        let same = format!("__typeof__({name}) {name};");
        let _ = writeln!(driver.text, "extern {same} inline {same}");
    }
}

fn write_table(text: &mut String, name: &str, entries: impl Iterator<Item = String>) {
    let entries: Vec<String> = entries.map(|entry| format!("(void *){entry}, ")).collect();
    let _ = writeln!(text, "void *{name}[] = {{ {}0 }};", entries.concat());
}

/// What stands around the call of a function under test.
struct CallLine {
    /// Declarations in front of the function of the driver.
    declared: String,
    /// Statements before the call.
    before: String,
}

impl CallLine {
    fn new(driver: &Driver, callable: &Callable, sequence: &Sequence) -> Self {
        let (name, arguments) = (&callable.name, callable.parameters.len());
        let declared = weak::declarations(driver, name) + &sequence.declarations(name);
        let settled = weak::statements(driver, name, arguments + sequence.events.len());
        Self { declared, before: settled + &sequence.statements(name, arguments) }
    }
}

/// `void obligato_call_0(void **arguments, void *result)`.
fn write_call(
    text: &mut String,
    types: &Types,
    callable: &Callable,
    number: usize,
    CallLine { declared, before }: &CallLine,
) {
    let name = name_of_call(number);
    let arguments: Vec<String> = callable
        .parameters
        .iter()
        .enumerate()
        .map(|(index, parameter)| match types.get(parameter.kind) {
            // A number becomes an enumeration by itself, also one that has no name.
            CType::Enumeration { signedness, bits, .. } => {
                let sign = if *signedness == Signedness::Signed { "signed " } else { "unsigned " };
                format!("*({sign}{} *)arguments[{index}]", integer_of(*bits))
            }
            _ => format!("*(__typeof__({}) *)arguments[{index}]", parameter.spelling),
        })
        .collect();
    let call = format!("{}({})", callable.name, arguments.join(", "));
    let _ = if matches!(types.get(callable.result), CType::Void) {
        writeln!(
            text,
            "{declared}void {name}(void **arguments, void *result) {{ {before}{call}; }}"
        )
    } else {
        let spelling = &callable.result_spelling;
        writeln!(
            text,
            "{declared}void {name}(void **arguments, void *result) {{ {before}__typeof__({spelling}) value = {call}; \
             __builtin_memcpy(result, &value, sizeof value); }}"
        )
    };
}

/// The integer type with so many bits.
fn integer_of(bits: u32) -> &'static str {
    match bits {
        ..=8 => "char",
        9..=16 => "short",
        17..=32 => "int",
        _ => "long long",
    }
}

/// Writes a function that asks for its result, and numbers it.
fn write_stub(driver: &mut Driver, unit: &Syntax, callable: &Callable) {
    let number = driver.outside.len();
    driver.outside.push(callable.clone());
    let callbacks = write_callbacks(driver, unit, callable);
    write_stand_in(&mut driver.text, &unit.types, callable, number, &callbacks);
}

/// A stub: it asks the harness for its result and calls back. One that never returns ends the run.
fn write_stand_in(
    text: &mut String,
    types: &Types,
    callable: &Callable,
    number: usize,
    callbacks: &str,
) {
    let Callable { name, result_spelling, parameters, .. } = callable;
    let takes_anything = is_pointed_stub(name) && callable.unprototyped;
    if takes_anything {
        // Of functions that only have unnamed parameters, clang asks for the attribute, and that keeps no name as it is.
        let _ = write!(
            text,
            "{OVERLOADABLE}__typeof__({result_spelling}) {name}(...) __asm__(\"{name}\"); {OVERLOADABLE}"
        );
    }
    let mut declared: Vec<String> = Vec::new();
    for (index, parameter) in parameters.iter().enumerate() {
        declared.push(format!("__typeof__({}) a{index}", parameter.spelling));
    }
    if callable.variadic || takes_anything {
        declared.push("...".to_owned());
    }
    if declared.is_empty() && !callable.unprototyped {
        declared.push("void".to_owned());
    }
    let count = parameters.len();
    let pointers: String = (0..count).map(|index| format!("&a{index}, ")).collect();
    let sizes: String = (0..count).map(|index| format!("sizeof a{index}, ")).collect();
    let returns = !matches!(types.get(callable.result), CType::Void);
    let (before, pointer, after) = if returns {
        let fresh = format!("__typeof__({result_spelling}) value; ");
        (fresh, "(void *)&value", " return value;")
    } else {
        (String::new(), "(void *)0", "")
    };
    let after = if callable.endless { " __builtin_trap();" } else { after };
    let _ = writeln!(
        text,
        "__typeof__({result_spelling}) {name}({}) {{ {before}const void *arguments[] = {{ {pointers}0 }}; \
         const unsigned long sizes[] = {{ {sizes}0 }}; {OUTSIDE}({number}, {count}, arguments, sizes, {pointer}); {callbacks}{after} }}",
        declared.join(", ")
    );
}

/// What lets clang define a function without any named parameter.
const OVERLOADABLE: &str = "__attribute__((overloadable)) ";

/// Where the linker puts the opaque objects, each in as many bytes as an array of unknown length of characters has.
const OPAQUE: &str = "obligato_opaque";

/// The memory of the opaque objects.
fn write_opaque(driver: &mut Driver) {
    let size = driver.opaque.len() * UNKNOWN_LENGTH as usize;
    if size > 0 {
        let _ =
            writeln!(driver.text, "unsigned char {OPAQUE}[{size}] __attribute__((aligned(16)));");
    }
}

impl Driver {
    /// What the linker is told of the opaque objects.
    pub fn linker_flags(&self) -> impl Iterator<Item = String> {
        let place = |number: usize| format!("{OPAQUE}+{}", number * UNKNOWN_LENGTH as usize);
        let named = self.opaque.iter().enumerate();
        named.map(move |(number, name)| format!("-Wl,--defsym={name}={}", place(number)))
    }
}

/// Is there a definition of an object that is only declared?
fn has_size(types: &Types, variable: &Variable) -> bool {
    !matches!(types.get(variable.kind), CType::Record { size: None, .. } | CType::Void)
}

/// A definition of an object that is only declared. An array without a length gets one.
pub(crate) fn write_definition(text: &mut String, types: &Types, variable: &Variable) {
    let (name, storage) = (&variable.name, if variable.thread_local { "__thread " } else { "" });
    if let Some(spelling) = &variable.hidden_type {
        let _ = writeln!(text, "extern {storage}__typeof__({spelling}) {name};");
    }
    let _ = match types.get(variable.kind) {
        CType::Array { length: None, .. } => {
            writeln!(text, "{storage}__typeof__({name}[0]) {name}[{UNKNOWN_LENGTH}];")
        }
        CType::Record { size: None, .. } | CType::Void => Ok(()),
        _ => writeln!(text, "{storage}__typeof__({name}) {name};"),
    };
}

/// How long an array is that is declared without a length and defined elsewhere: enough for a table by characters.
const UNKNOWN_LENGTH: u32 = 256;
