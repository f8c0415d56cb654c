//! The function that CBMC starts with: arbitrary inputs, then a call, again and again.
//!
//! Objects, pointers and their targets are those of the [interface](obligato_c_unit::interface). Functions that nothing defines
//! return anything, as CBMC has it.

use std::collections::BTreeSet;
use std::fmt::Write;

use obligato_c_unit::interface::{Cell, Form, ObjectIndex, Origin, Pointee};
use obligato_c_unit::settings::Range;
use obligato_c_unit::{Interface, Unit};
use obligato_model::Signedness;

use super::ENTRY;

/// Writes the objects of the test and the function.
pub(super) fn write(text: &mut String, unit: &Unit, interface: &Interface) {
    let Some(callable) = unit.callable(&interface.function) else { return };
    let harness = Harness { unit, interface };
    let arguments =
        &interface.arguments[..callable.parameters.len().min(interface.arguments.len())];
    let objects = harness.reachable(arguments);
    // To CBMC, a function without a body returns anything, also of one that never returns.
    text.push_str("\nunsigned char obligato_any_byte(void);\n");
    for endless in unit.endless_functions() {
        let parameters = endless.parameters.iter().map(|one| one.spelling.as_str());
        let head = head(&format!("void {}", endless.name), parameters, endless.variadic);
        let _ = writeln!(text, "{head} {{ __CPROVER_assume(0); }}");
    }
    // It also gives a `_Bool` any byte.
    let outside = unit.undefined_functions().iter().filter(|one| one.result_spelling == "_Bool");
    for truth in outside.filter(|one| !one.endless && !one.name.starts_with("obligato_")) {
        let parameters = truth.parameters.iter().map(|one| one.spelling.as_str());
        let head = head(&format!("_Bool {}", truth.name), parameters, truth.variadic);
        let _ = writeln!(text, "{head} {{ return obligato_any_byte() & 1; }}");
    }
    for object in &objects {
        let size = interface.objects[object.0].size.max(1);
        let name = harness.fresh_name(*object);
        if let Some(name) = name {
            let _ =
                writeln!(text, "static unsigned char {name}[{size}] __attribute__((aligned(16)));");
        }
    }
    let _ = writeln!(text, "static void obligato_set_inputs(void) {{");
    for object in &objects {
        harness.write_object(text, *object);
    }
    let _ = writeln!(text, "}}\nvoid {ENTRY}(void) {{");
    if let Some(init) = &unit.settings().init {
        let _ = writeln!(text, "    {init}();");
    }
    let _ = writeln!(text, "    for (;;) {{\n        obligato_set_inputs();");
    for event in &interface.events {
        let _ = writeln!(text, "        if (obligato_any_byte() & 1) {}();", event.function);
    }
    let given = callable.parameters.iter().zip(arguments).map(|(parameter, object)| {
        let place = harness.place(*object).unwrap_or_default();
        format!("*(__typeof__({}) *){place}", parameter.spelling)
    });
    let given: Vec<String> = given.collect();
    let _ = writeln!(text, "        {}({});\n    }}\n}}", callable.name, given.join(", "));
}

/// The head of a definition of a function that the unit only declares.
fn head<'s>(name: &str, parameters: impl Iterator<Item = &'s str>, variadic: bool) -> String {
    let parameters = parameters.enumerate();
    let mut declared: Vec<String> =
        parameters.map(|(index, spelling)| format!("__typeof__({spelling}) a{index}")).collect();
    if variadic {
        declared.push("...".to_owned());
    } else if declared.is_empty() {
        declared.push("void".to_owned());
    }
    format!("{name}({})", declared.join(", "))
}

struct Harness<'h> {
    unit: &'h Unit,
    interface: &'h Interface,
}

impl Harness<'_> {
    fn cells(&self, object: ObjectIndex) -> impl Iterator<Item = &Cell> {
        self.interface.inputs.iter().filter(move |cell| cell.object == object)
    }

    /// The arguments, the global variables among the inputs, and what their pointers lead to.
    fn reachable(&self, arguments: &[ObjectIndex]) -> BTreeSet<ObjectIndex> {
        let all = (0..self.interface.objects.len()).map(ObjectIndex);
        let is_global = |one: &ObjectIndex| {
            let is_named = matches!(self.interface.objects[one.0].origin, Origin::Global(_));
            is_named && self.place(*one).is_some() && self.cells(*one).next().is_some()
        };
        let mut todo: Vec<ObjectIndex> = all.filter(is_global).collect();
        todo.extend(arguments);
        let mut reached = BTreeSet::new();
        while let Some(object) = todo.pop() {
            if !reached.insert(object) {
                continue;
            }
            for cell in self.cells(object) {
                let Form::Pointer(targets) = &cell.form else { continue };
                todo.extend(targets.iter().filter_map(|target| match target.to {
                    Pointee::Object(object) | Pointee::Inside(object, _) => Some(object),
                    _ => None,
                }));
            }
        }
        reached
    }

    /// The array that stands for an object that is no variable of the unit.
    fn fresh_name(&self, object: ObjectIndex) -> Option<String> {
        match self.interface.objects[object.0].origin {
            Origin::Fresh => Some(format!("obligato_object_{}", object.0)),
            Origin::Global(_) => None,
        }
    }

    /// The address of an object as C writes it. Static variables inside functions have none, and neither have registers.
    fn place(&self, object: ObjectIndex) -> Option<String> {
        match &self.interface.objects[object.0].origin {
            Origin::Fresh => self.fresh_name(object),
            Origin::Global(symbol) => {
                let is_named = !symbol.contains('.') && !symbol.starts_with("obligato_");
                is_named.then(|| format!("((unsigned char *)&{symbol})"))
            }
        }
    }

    /// Makes an object arbitrary: all of one that the test makes, of a variable what tests can set.
    fn write_object(&self, text: &mut String, object: ObjectIndex) {
        let Some(place) = self.place(object) else { return };
        let is_fresh = self.fresh_name(object).is_some();
        if is_fresh {
            let _ = writeln!(text, "    __CPROVER_havoc_object({place});");
        }
        for cell in self.cells(object).filter(|cell| !cell.bit_field) {
            let at = format!("({place} + {})", cell.offset / 8);
            match &cell.form {
                Form::Pointer(targets) => {
                    // The first target, or another. Where a pointer shares its bytes with numbers, it may be left as these are.
                    let mut chosen =
                        if cell.lies_over_others() { "if (obligato_any_byte() & 1) " } else { "" };
                    for target in targets {
                        let value = match &target.to {
                            Pointee::Null => Some("0".to_owned()),
                            Pointee::Unset => None,
                            Pointee::Object(to) => self.place(*to),
                            Pointee::Inside(to, offset) => {
                                self.place(*to).map(|place| format!("({place} + {offset})"))
                            }
                            Pointee::Function(name) => Some(name.clone()),
                        };
                        let Some(value) = value else { continue };
                        let _ = writeln!(text, "    {chosen}*(void **){at} = (void *){value};");
                        chosen = "if (obligato_any_byte() & 1) ";
                    }
                }
                Form::Bool(_) => {
                    let _ = writeln!(text, "    *(_Bool *){at} = obligato_any_byte() & 1;");
                }
                form if !is_fresh => {
                    for byte in 0..form.bits() / 8 {
                        let _ = writeln!(text, "    {at}[{byte}] = obligato_any_byte();");
                    }
                }
                _ => {}
            }
            self.write_range(text, cell, &at);
        }
    }

    /// What a person has said of the values of an input.
    fn write_range(&self, text: &mut String, cell: &Cell, at: &str) {
        let Some(Range { low, high }) = self.unit.settings().ranges.get(&cell.name) else { return };
        let Form::Integer(signedness, bits) = &cell.form else { return };
        let sign = if *signedness == Signedness::Signed { "signed" } else { "unsigned" };
        let kind = match bits {
            8 => "char",
            16 => "short",
            32 => "int",
            64 => "long long",
            _ => return,
        };
        let _ = writeln!(
            text,
            "    __CPROVER_assume((__int128)*({sign} {kind} *){at} >= {low} && (__int128)*({sign} {kind} *){at} <= {high});"
        );
    }
}
