//! A unit's syntax as text, with the user's places: one line per thing.

use std::fmt::Write as _;

use obligato_clang::{CType, Decision, Function, Leaf, Stretch, Syntax, Text, TypeId, Types};
use obligato_model::{Role, Signedness, Span};

/// All of a unit.
pub fn plan(text: &Text, syntax: &Syntax) -> String {
    let mut plan = String::new();
    // What the system's headers define differs between systems.
    for function in syntax.functions.iter().filter(|function| !is_system(&function.name)) {
        plan_function(&mut plan, text, syntax, function).expect("a string can be written to");
    }
    plan_names(&mut plan, syntax).expect("a string can be written to");
    plan
}

fn plan_names(plan: &mut String, syntax: &Syntax) -> std::fmt::Result {
    for callable in syntax.callables.iter().filter(|one| !one.defined || !is_system(&one.name)) {
        let spellings: Vec<_> =
            callable.parameters.iter().map(|one| one.spelling.as_str()).collect();
        let facts = told(&[
            (callable.variadic, "variadic"),
            (callable.unprototyped, "unprototyped"),
            (callable.defined, "defined"),
            (callable.used, "used"),
            (callable.endless, "endless"),
        ]);
        let (name, list, result) =
            (&callable.name, spellings.join(", "), &callable.result_spelling);
        writeln!(plan, "callable {name}({list}): {result}{facts}")?;
    }
    for variable in &syntax.variables {
        let owner = variable.function.as_ref().map_or(String::new(), |name| format!("{name}."));
        let facts = told(&[
            (variable.defined, "defined"),
            (variable.internal, "internal"),
            (variable.constant, "constant"),
            (variable.used, "used"),
        ]);
        let kind = type_name(&syntax.types, variable.kind);
        writeln!(plan, "variable {owner}{}: {kind}{facts}", variable.name)?;
    }
    Ok(())
}

fn is_system(name: &str) -> bool {
    name.starts_with("__")
}

fn told(facts: &[(bool, &str)]) -> String {
    facts.iter().filter(|(holds, _)| *holds).map(|(_, fact)| format!(" {fact}")).collect()
}

fn plan_function(
    plan: &mut String,
    text: &Text,
    syntax: &Syntax,
    function: &Function,
) -> std::fmt::Result {
    writeln!(plan, "function {} at {}", function.name, place(text, function.span))?;
    for statement in &function.statements {
        let Stretch { span, text: says } = &statement.stretch;
        writeln!(plan, "  statement at {}: {says}", place(text, *span))?;
    }
    for (index, decision) in function.decisions.iter().enumerate() {
        plan_decision(plan, text, syntax, index, decision)?;
    }
    for switch in &function.switches {
        writeln!(
            plan,
            "  switch at {}: {}",
            place(text, switch.stretch.span),
            switch.stretch.text
        )?;
        for label in &switch.labels {
            let values = match label.values {
                None => String::new(),
                Some((low, high)) if low == high => format!(" = {low}"),
                Some((low, high)) => format!(" = {low} to {high}"),
            };
            let at = place(text, label.stretch.span);
            writeln!(plan, "    {} at {at}{values}", label.stretch.text)?;
        }
    }
    for exit in &function.exits {
        writeln!(plan, "  exit at {}: {}", place(text, exit.stretch.span), exit.stretch.text)?;
    }
    for (span, what) in &function.unsupported {
        writeln!(plan, "  unsupported at {}: {what}", place(text, *span))?;
    }
    Ok(())
}

fn plan_decision(
    plan: &mut String,
    text: &Text,
    syntax: &Syntax,
    index: usize,
    decision: &Decision,
) -> std::fmt::Result {
    let role = match decision.role {
        Role::Control => "control",
        Role::Value => "value",
    };
    let nested = match decision.nested_in {
        Some((outer, condition)) => format!(" in d{}.c{}", outer.0 + 1, condition + 1),
        None => String::new(),
    };
    let at = place(text, decision.stretch.span);
    writeln!(plan, "  d{} {role}{nested} at {at}: {}", index + 1, decision.stretch.text)?;
    writeln!(plan, "    tree {}", decision.tree)?;
    for (ordinal, condition) in decision.conditions.iter().enumerate() {
        let at = place(text, condition.stretch.span);
        let made_of = match &condition.leaf {
            Leaf::Value(kind) => type_name(&syntax.types, *kind),
            Leaf::Relation { operator, kind, left, right } => {
                let side = |value: &Option<obligato_model::Value>| {
                    value.as_ref().map_or("_".to_owned(), ToString::to_string)
                };
                let kind = type_name(&syntax.types, *kind);
                format!("{} {operator:?} {} in {kind}", side(left), side(right))
            }
        };
        let constant =
            condition.constant.map_or(String::new(), |value| format!(", always {value}"));
        writeln!(
            plan,
            "    c{} at {at}: {} ({made_of}{constant})",
            ordinal + 1,
            condition.stretch.text
        )?;
    }
    Ok(())
}

/// Where a stretch of the text stands for the user.
pub fn place(text: &Text, span: Span) -> String {
    let Some(location) = text.locate(span) else { return "nowhere".to_owned() };
    let name = |index: usize| {
        let file = &text.files()[index];
        let name = file.name.rsplit('/').next().unwrap_or_default();
        if file.system { format!("<{name}>") } else { name.to_owned() }
    };
    let in_main = text.files()[location.file].name == text.source().file.to_string_lossy();
    let file = if in_main { String::new() } else { format!("{}:", name(location.file)) };
    let definition = location.definition.map_or(String::new(), |(file, position)| {
        // Lines of the system's headers differ between systems.
        let known = !text.files()[file].system;
        let position = if known { format!(":{position}") } else { String::new() };
        format!(" (macro at {}{position})", name(file))
    });
    format!("{file}{}{definition}", location.span)
}

/// A type in a few words.
pub fn type_name(types: &Types, id: TypeId) -> String {
    match types.get(id) {
        CType::Void => "void".to_owned(),
        CType::Bool => "_Bool".to_owned(),
        CType::Integer { signedness, bits, character } => {
            let sign = if *signedness == Signedness::Signed { "i" } else { "u" };
            format!("{sign}{bits}{}", if *character { "c" } else { "" })
        }
        CType::Enumeration { name, constants, .. } => format!("{name}[{}]", constants.len()),
        CType::Float(format) => format!("{format:?}").to_lowercase(),
        CType::Pointer { to, constant, .. } => {
            // Types may contain themselves behind a pointer.
            let to = match types.get(*to) {
                CType::Record { name, .. } => name.clone(),
                CType::Function { .. } => "function".to_owned(),
                _ => type_name(types, *to),
            };
            format!("{}{to}*", if *constant { "const " } else { "" })
        }
        CType::Array { of, length } => {
            let length = length.map_or(String::new(), |length| length.to_string());
            format!("{}[{length}]", type_name(types, *of))
        }
        CType::Record { name, union, size, alignment, fields } => {
            let fields: Vec<String> = fields
                .iter()
                .map(|field| {
                    let bits = field.bits.map_or(String::new(), |bits| format!(":{bits}"));
                    let name = &field.name;
                    format!("{name}@{}{bits} {}", field.offset, type_name(types, field.kind))
                })
                .collect();
            let kind = if *union { "union " } else { "" };
            let size = size.map_or("?".to_owned(), |size| size.to_string());
            format!("{kind}{name}/{size}/{alignment} {{{}}}", fields.join(", "))
        }
        CType::Function { .. } => "function".to_owned(),
        CType::Other(spelling) => format!("other {spelling}"),
    }
}
