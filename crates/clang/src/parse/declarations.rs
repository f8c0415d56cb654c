//! The functions and objects that a unit defines or mentions.

use rustc_hash::{FxHashMap, FxHashSet};

use super::constants::is_address;
use super::endings::is_endless;
use super::layout::{TypeTable, is_volatile};
use crate::libclang::{Cursor, Kind, Type, TypeKind};
use crate::tree::Tree;
use crate::{ArrayParameter, Callable, Parameter, Text, Variable};

/// What was declared and mentioned so far.
#[derive(Default)]
pub(crate) struct Declarations<'u> {
    /// Functions by name, with whether they are used.
    functions: FxHashMap<String, (Cursor<'u>, bool)>,
    variables: Vec<Declared<'u>>,
    /// Their positions in that list, by the identity of their first declarations.
    places: FxHashMap<usize, usize>,
    /// The identities of those that bodies mention.
    mentioned: FxHashSet<usize>,
    /// The identities of those that initialisers at file scope mention.
    initialising: FxHashSet<usize>,
    /// What functions that are declared without a list of parameters are given, by name.
    given: FxHashMap<String, Arguments<'u>>,
}

struct Declared<'u> {
    /// The definition, if there is one, or the first declaration.
    cursor: Cursor<'u>,
    function: Option<String>,
    defined: bool,
    /// Is each of its declarations inside a function, where the text behind the unit cannot see it?
    hidden: bool,
}

/// What calls give a function whose declaration does not say what it takes.
struct Arguments<'u> {
    /// The types of the arguments of the call with the fewest. The compiler drops the others where a definition has no parameters for them.
    shortest: Vec<Type<'u>>,
    /// Do other calls give more?
    uneven: bool,
}

/// How the compiler's own functions begin: they are defined by what they mean.
const BUILT_IN: &[&str] = &["__builtin_", "__sync_", "__atomic_", "__c11_atomic_"];

impl<'u> Declarations<'u> {
    /// Takes a function with a body.
    pub fn define_function(&mut self, function: Cursor<'u>) {
        let entry = self.functions.entry(function.name()).or_insert((function, false));
        entry.0 = function;
    }

    /// Takes a declaration of an object at file scope.
    pub fn add_variable(&mut self, variable: Cursor<'u>) {
        self.declare(variable, None, false);
    }

    /// Takes a declaration of an object, local to a function or not; a `hidden` one stands inside a function.
    fn declare(&mut self, variable: Cursor<'u>, function: Option<String>, hidden: bool) {
        let defined = !variable.is_extern()
            || variable.initialiser().is_some()
            || variable.has_attribute("alias");
        let first = variable.canonical().identity();
        let Some(&place) = self.places.get(&first) else {
            self.places.insert(first, self.variables.len());
            self.variables.push(Declared { cursor: variable, function, defined, hidden });
            return;
        };
        let known = &mut self.variables[place];
        // The last declaration knows the most, such as the length of an array.
        if defined || !known.defined {
            known.cursor = variable;
        }
        known.defined |= defined;
        known.hidden &= hidden;
    }

    /// Takes note of what a body or an initialiser mentions, and of the static objects in it.
    pub fn mention(&mut self, tree: &Tree<'u>) {
        let in_body = tree.kind(0) == Kind::Function;
        for index in 1..tree.len() {
            let cursor = tree.node(index).cursor;
            match tree.kind(index) {
                Kind::Variable if cursor.is_extern() => self.declare(cursor, None, true),
                Kind::Variable if cursor.is_static() => {
                    let function = tree.node(0).cursor.name();
                    self.declare(cursor, Some(function), true);
                }
                Kind::Call => self.note_arguments(cursor),
                Kind::Name => {
                    let Some(meant) = cursor.referenced() else { continue };
                    match meant.kind() {
                        Kind::Function => self.mention_function(meant),
                        Kind::Variable if in_body => {
                            self.mentioned.insert(meant.canonical().identity());
                        }
                        Kind::Variable => {
                            self.initialising.insert(meant.canonical().identity());
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
        }
    }

    fn note_arguments(&mut self, call: Cursor<'u>) {
        let is_open = |callee: &Cursor<'u>| {
            callee.kind() == Kind::Function
                && callee.typed().canonical().kind() == TypeKind::FunctionWithoutList
        };
        let Some(callee) = call.referenced().filter(is_open) else { return };
        let given: Vec<Type<'u>> = call.arguments().iter().map(|one| one.typed()).collect();
        let known = self.given.entry(callee.name());
        let known = known.or_insert_with(|| Arguments { shortest: given.clone(), uneven: false });
        known.uneven |= given.len() != known.shortest.len();
        if given.len() < known.shortest.len() {
            known.shortest = given;
        }
    }

    fn mention_function(&mut self, function: Cursor<'u>) {
        let name = function.name();
        if BUILT_IN.iter().any(|start| name.starts_with(start)) {
            return;
        }
        let entry = self.functions.entry(name).or_insert((function, true));
        entry.1 = true;
        if !entry.0.is_definition() {
            entry.0 = function;
        }
    }

    /// All that are defined or mentioned, in the order of the text.
    pub fn finish(self, text: &Text, types: &mut TypeTable<'u>) -> (Vec<Callable>, Vec<Variable>) {
        let mut functions: Vec<_> = self.functions.into_iter().collect();
        functions.sort_by_cached_key(|(name, (cursor, _))| (cursor.offset(), name.clone()));
        let weak = weak_by_pragma(text);
        let callables = functions
            .into_iter()
            .map(|(name, (cursor, used))| {
                let given = self.given.get(&name).filter(|_| !cursor.is_definition());
                let shortest = given.map_or(&[][..], |given| &given.shortest);
                let mut callable = callable(name, cursor, used, shortest, text, types);
                callable.uneven = given.is_some_and(|given| given.uneven);
                callable.weak |= weak.contains(callable.name.as_bytes());
                callable
            })
            .collect();
        let mut variables: Vec<Variable> = Vec::new();
        // Which object an alias names stands in a text that only the compiler reads: it may be any.
        let has_aliases = self.variables.iter().any(|one| one.cursor.has_attribute("alias"));
        for declared in self.variables {
            let identity = declared.cursor.canonical().identity();
            let initialises = !declared.defined && self.initialising.contains(&identity);
            let used = initialises || self.mentioned.contains(&identity);
            let used = used || (declared.defined && has_aliases);
            if used || declared.defined {
                let mut variable = variable(&declared, used, text, types);
                variable.weak |= weak.contains(variable.name.as_bytes());
                variables.push(variable);
            }
        }
        variables.sort_by_key(|variable| variable.position);
        number_locals(&mut variables);
        (callables, variables)
    }
}

/// Numbers the static variables of one name in each function, in the order of the text.
fn number_locals(variables: &mut [Variable]) {
    let mut known: FxHashMap<(String, String), u32> = FxHashMap::default();
    for variable in variables {
        if let Some(function) = &variable.function {
            let count = known.entry((function.clone(), variable.name.clone())).or_default();
            *count += 1;
            variable.ordinal = *count;
        }
    }
}

/// What lines like `#pragma weak limit` make weak.
pub(super) fn weak_by_pragma(text: &Text) -> FxHashSet<&[u8]> {
    let lines = text.bytes().split(|byte| *byte == b'\n');
    let named = lines.filter_map(|line| line.strip_prefix(b"#pragma weak "));
    named.map(<[u8]>::trim_ascii).collect()
}

/// A function; `given` is what calls show of its parameters where its declaration does not.
fn callable<'u>(
    name: String,
    cursor: Cursor<'u>,
    used: bool,
    given: &[Type<'u>],
    text: &Text,
    types: &mut TypeTable<'u>,
) -> Callable {
    let kind = cursor.typed().canonical();
    let unprototyped = kind.kind() == TypeKind::FunctionWithoutList;
    // libclang shows a parameter that is written as an array or function as such; the type of the function has the pointer.
    let meant = kind.parameters();
    let parameters = cursor.arguments().into_iter().enumerate().map(|(number, parameter)| {
        let written = parameter.typed().unqualified();
        let decays = is_address(written);
        let kind = meant.get(number).copied().filter(|_| decays).unwrap_or(written);
        let (name, spelling) = (parameter.name(), kind.spelling());
        let length = written.plain();
        let length = (length.kind() == TypeKind::Array).then(|| length.length()).flatten();
        let array = length.filter(|_| decays).map(|length| {
            let promised = parameter.says("static");
            ArrayParameter { length, promised }
        });
        let variable = kind.leads_to_variable_arrays();
        Parameter { name, kind: types.id(kind), spelling, array, variable }
    });
    let parameters: Vec<Parameter> = parameters.collect();
    let shown = given.iter().map(|kind| {
        let (kind, name) = (kind.unqualified(), String::new());
        let (spelling, array, variable) = (kind.spelling(), None, false);
        Parameter { name, kind: types.id(kind), spelling, array, variable }
    });
    Callable {
        parameters: if unprototyped { shown.collect() } else { parameters },
        name,
        result: types.id(cursor.result()),
        result_spelling: cursor.result().unqualified().spelling(),
        variadic: kind.is_variadic() && !unprototyped,
        unprototyped,
        uneven: false,
        defined: cursor.is_definition(),
        internal: !cursor.is_external(),
        used,
        endless: is_endless(cursor),
        weak: cursor.has_attribute("weak"),
        alias: cursor.has_attribute("alias"),
        constructor: cursor.is_definition() && cursor.has_attribute("constructor"),
        inline: cursor.is_definition() && cursor.is_inline(),
        position: text.start(text.token_from(cursor.offset())),
    }
}

fn variable<'u>(
    declared: &Declared<'u>,
    used: bool,
    text: &Text,
    types: &mut TypeTable<'u>,
) -> Variable {
    let cursor = declared.cursor;
    Variable {
        name: cursor.name(),
        function: declared.function.clone(),
        ordinal: 1,
        kind: types.id(cursor.typed()),
        hidden_type: declared.hidden.then(|| cursor.typed().spelling()),
        weak: cursor.has_attribute("weak"),
        defined: declared.defined,
        internal: !cursor.is_external(),
        constant: is_constant(cursor.typed()),
        volatile: is_volatile(cursor.typed()),
        thread_local: cursor.is_thread_local(),
        used,
        position: text.start(text.token_from(cursor.offset())),
    }
}

/// Can an object not be written? Of an array, its elements.
fn is_constant(kind: Type<'_>) -> bool {
    let mut part = kind.canonical();
    while part.kind() == TypeKind::Array && !part.is_constant() {
        part = part.element();
    }
    part.is_constant()
}
