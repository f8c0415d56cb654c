//! The C source that every framework shares: the unit itself, what stands in for what nobody defines, and a function per test.
//!
//! It includes the file of the unit, so that tests reach what is `static`, and nothing else, so that no header disagrees with a declaration of
//! the unit. Functions that are stood in for get other names by macros, for the same program may need the real ones. Objects, checks and
//! processes come from the file beside it ([`framework`](crate::framework)).

use crate::ExportedFile;
use crate::text::{comment, expression, needs_bits, remark};
use crate::unit::{
    CValue, Check, ExpectedEnding, Set, Stub, StubWriteKind, UnitStep, UnitTest, UnitTests,
};

/// The name of the function of a test.
pub fn name_of_test(position: usize) -> String {
    format!("obligato_test_{}", position + 1)
}

/// The file.
pub fn write(tests: &UnitTests, name: &str) -> ExportedFile {
    let mut text = String::new();
    write_heading(&mut text, tests);
    write_unit(&mut text, tests);
    text.push_str(MACROS);
    if tests.stubs.iter().any(|stub| !stub.writes.is_empty()) {
        text.push_str(WRITE);
    }
    for stub in &tests.stubs {
        write_stub(&mut text, stub);
    }
    write_begin(&mut text, tests);
    for (position, test) in tests.repeatable() {
        write_test(&mut text, tests, position, test);
    }
    ExportedFile::of_text(name, text)
}

fn write_heading(text: &mut String, tests: &UnitTests) {
    let (function, file) = (comment(&tests.function), comment(&tests.file));
    line!(text, "/* Tests of {function} in {file}, written by obligato.");
    line!(text, " *");
    line!(
        text,
        " * What is expected is what the function did: a characterisation, to be reviewed."
    );
    if !tests.flags.is_empty() {
        line!(text, " * Compile this file with: {}", comment(&tests.flags.join(" ")));
    }
    line!(text, " */");
}

fn write_unit(text: &mut String, tests: &UnitTests) {
    let renamed = || tests.stubs.iter().map(|stub| stub.name.as_str());
    let main = tests.has_main.then_some("main");
    for name in renamed().chain(main) {
        line!(text, "#define {name} obligato_outside_{name}");
    }
    line!(text, "#ifndef OBLIGATO_UNIT");
    line!(text, "#define OBLIGATO_UNIT \"{}\"", tests.include);
    line!(text, "#endif");
    line!(text, "#include OBLIGATO_UNIT");
    line!(text, "");
    for definition in &tests.definitions {
        line!(text, "{definition}");
    }
}

/// What test functions use. The file beside this one has the functions.
const MACROS: &str = r"
extern void *obligato_new(unsigned long size);
extern void obligato_release(void *object);
extern void obligato_signed(const char *file, int line, const char *what, long long expected, long long found);
extern void obligato_unsigned(const char *file, int line, const char *what, unsigned long long expected, unsigned long long found);
extern void obligato_address(const char *file, int line, const char *what, const void *expected, const void *found);
extern void obligato_truth(const char *file, int line, const char *what, int holds);

/* Sets a place, whether or not it is const. */
#define OBLIGATO_SET(place, value) \
    do { __typeof__(place) obligato_value = (value); \
         __builtin_memcpy((void *)&(place), (const void *)&obligato_value, sizeof(place)); } while (0)
/* Sets the bits of a number that C has no literal for. */
#define OBLIGATO_SET_BITS(place, type, bits) \
    do { type obligato_value = (bits); __builtin_memcpy((void *)&(place), &obligato_value, sizeof(place)); } while (0)
#define OBLIGATO_SIGNED(place, expected) \
    obligato_signed(__FILE__, __LINE__, #place, (long long)(expected), (long long)(place))
#define OBLIGATO_UNSIGNED(place, expected) \
    obligato_unsigned(__FILE__, __LINE__, #place, (unsigned long long)(expected), (unsigned long long)(place))
#define OBLIGATO_ADDRESS(place, expected) \
    obligato_address(__FILE__, __LINE__, #place, (const void *)(expected), (const void *)(place))
#define OBLIGATO_TRUTH(condition) \
    obligato_truth(__FILE__, __LINE__, #condition, (condition) ? 1 : 0)
/* Compares numbers bit by bit. */
#define OBLIGATO_BITS(place, type, bits) \
    do { type obligato_found = 0; __builtin_memcpy(&obligato_found, (const void *)&(place), sizeof(place)); \
         obligato_unsigned(__FILE__, __LINE__, #place, (bits), obligato_found); } while (0)
";

/// What a test lets a stub write to one place.
const WRITE: &str = r"
/* What a stub writes to one place before it returns, if it is given. */
struct obligato_write { int is_given; long long number; double real; const void *pointer; };
";

/// The variable that a stub answers from and notes in.
pub fn name_of_stub(name: &str) -> String {
    format!("stub_{name}")
}

fn write_stub(text: &mut String, stub: &Stub) {
    let Stub { name, result, parameters, .. } = stub;
    let variable = name_of_stub(name);
    let calls = stub.calls.max(1);
    let declared = parameters.iter().enumerate();
    let mut declared: Vec<String> =
        declared.map(|(index, kind)| format!("__typeof__({kind}) a{index}")).collect();
    let kept: String = declared.iter().map(|one| format!("{one}; ")).collect();
    line!(text, "");
    line!(text, "static struct {{");
    line!(text, "    unsigned long calls;");
    if let Some(kind) = result {
        line!(text, "    __typeof__({kind}) results[{calls}];");
    }
    if !parameters.is_empty() {
        line!(text, "    struct {{ {kept}}} given[{calls}];");
    }
    if !stub.writes.is_empty() {
        let members: Vec<String> = (0..stub.writes.len()).map(|at| format!("w{at}")).collect();
        let members = members.join(", ");
        line!(text, "    struct {{ struct obligato_write {members}; }} writes[{calls}];");
    }
    line!(text, "}} {variable};");
    if stub.variadic {
        declared.push("...".to_owned());
    }
    if declared.is_empty() && !stub.unprototyped {
        declared.push("void".to_owned());
    }
    let kind = result.as_deref().unwrap_or("void");
    line!(text, "__typeof__({kind}) {name}({})", declared.join(", "));
    line!(text, "{{");
    line!(text, "    unsigned long obligato_call = {variable}.calls++;");
    if parameters.is_empty() {
        line!(text, "    (void)obligato_call;");
    } else {
        line!(text, "    if (obligato_call < {calls}) {{");
        for index in 0..parameters.len() {
            let place = format!("{variable}.given[obligato_call].a{index}");
            line!(
                text,
                "        __builtin_memcpy((void *)&{place}, (const void *)&a{index}, sizeof a{index});"
            );
        }
        line!(text, "    }}");
    }
    write_writes(text, stub, &variable, calls - 1);
    if stub.endless {
        line!(text, "    __builtin_trap();");
    } else if result.is_some() {
        // The last result goes on for later calls.
        let last = calls - 1;
        if last == 0 {
            line!(text, "    return {variable}.results[0];");
        } else {
            line!(
                text,
                "    return {variable}.results[obligato_call < {last} ? obligato_call : {last}];"
            );
        }
    }
    line!(text, "}}");
}

/// What a stub writes; calls after the last with writes of its own write the same.
fn write_writes(text: &mut String, stub: &Stub, variable: &str, last: u64) {
    let call = match last {
        0 => "0".to_owned(),
        last => format!("obligato_call < {last} ? obligato_call : {last}"),
    };
    for (index, write) in stub.writes.iter().enumerate() {
        let place = &write.place;
        let from = format!("{variable}.writes[{call}].w{index}");
        let value = match write.kind {
            StubWriteKind::Number => format!("{from}.number"),
            StubWriteKind::Real => format!("{from}.real"),
            StubWriteKind::Pointer => format!("(void *){from}.pointer"),
        };
        line!(text, "    if ({from}.is_given)");
        line!(text, "        {place} = {value};");
    }
}

/// Every test starts from the initial state.
fn write_begin(text: &mut String, tests: &UnitTests) {
    line!(text, "");
    for (index, global) in tests.globals.iter().enumerate() {
        line!(text, "static unsigned char obligato_initial_{index}[sizeof({global})];");
    }
    line!(text, "static void obligato_begin(void)");
    line!(text, "{{");
    if !tests.globals.is_empty() {
        line!(text, "    static int obligato_is_known;");
        line!(text, "    if (!obligato_is_known) {{");
        for (index, global) in tests.globals.iter().enumerate() {
            line!(
                text,
                "        __builtin_memcpy(obligato_initial_{index}, (const void *)&{global}, sizeof({global}));"
            );
        }
        line!(text, "        obligato_is_known = 1;");
        line!(text, "    }}");
        for (index, global) in tests.globals.iter().enumerate() {
            line!(
                text,
                "    __builtin_memcpy((void *)&{global}, obligato_initial_{index}, sizeof({global}));"
            );
        }
    }
    for stub in &tests.stubs {
        let variable = name_of_stub(&stub.name);
        line!(text, "    __builtin_memset((void *)&{variable}, 0, sizeof {variable});");
    }
    line!(text, "}}");
}

fn write_test(out: &mut String, tests: &UnitTests, position: usize, test: &UnitTest) {
    line!(out, "");
    line!(out, "/* {} */", comment(&test.name));
    line!(out, "void {}(void)", name_of_test(position));
    line!(out, "{{");
    for argument in &tests.arguments {
        line!(out, "    __typeof__({}) {};", argument.kind, argument.name);
    }
    for object in &test.objects {
        match &object.like {
            Some(like) if object.stream => {
                line!(out, "    __typeof__({like}) {} = tmpfile();", object.name);
            }
            Some(like) => line!(
                out,
                "    __typeof__({like}) {} = obligato_new({});",
                object.name,
                object.size
            ),
            None => {
                line!(out, "    unsigned char *{} = obligato_new({});", object.name, object.size);
            }
        }
    }
    for argument in &tests.arguments {
        let name = &argument.name;
        line!(out, "    __builtin_memset((void *)&{name}, 0, sizeof {name});");
    }
    line!(out, "    obligato_begin();");
    let last = test.steps.len();
    for (index, step) in test.steps.iter().enumerate() {
        let ends = index + 1 == last && test.ending != ExpectedEnding::Returns;
        write_step(out, tests, index, step, ends.then_some(&test.ending));
    }
    // A stub may stand for what closes streams.
    for object in test.objects.iter().filter(|object| !object.stream) {
        line!(out, "    obligato_release((void *){});", object.name);
    }
    line!(out, "}}");
}

fn write_step(
    text: &mut String,
    tests: &UnitTests,
    index: usize,
    step: &UnitStep,
    ending: Option<&ExpectedEnding>,
) {
    line!(text, "    {{ /* step {} */", index + 1);
    for stub in tests.stubs.iter().filter(|stub| index > 0 && !stub.writes.is_empty()) {
        let writes = format!("{}.writes", name_of_stub(&stub.name));
        line!(text, "        __builtin_memset((void *){writes}, 0, sizeof {writes});");
    }
    // Declarations come first, for units that are compiled as old C.
    for set in &step.sets {
        write_set(text, set);
    }
    if index > 0 {
        for stub in &tests.stubs {
            let variable = name_of_stub(&stub.name);
            line!(text, "        {variable}.calls = 0;");
        }
    }
    for function in &step.called_before {
        line!(text, "        {function}();");
    }
    let arguments: Vec<&str> = tests.arguments.iter().map(|one| one.name.as_str()).collect();
    let call = format!("{}({})", tests.function, arguments.join(", "));
    match ending {
        Some(ExpectedEnding::Signal { why, .. }) => {
            line!(text, "        /* ends here: {} */", comment(why));
        }
        Some(ExpectedEnding::Exit(status)) => {
            line!(text, "        /* ends here: exit({status}) */");
        }
        _ => {}
    }
    match &tests.result {
        Some(kind) if step.checks.iter().any(|check| is_of_result(&check.place)) => {
            line!(text, "        __typeof__({kind}) obligato_result = {call};");
        }
        Some(_) => line!(text, "        (void){call};"),
        None => line!(text, "        {call};"),
    }
    for (stub, count) in &step.calls {
        let variable = name_of_stub(&tests.stubs[*stub].name);
        line!(text, "        OBLIGATO_UNSIGNED({variable}.calls, {count}u);");
    }
    for check in &step.checks {
        write_check(text, check);
    }
    for what in &step.unchecked {
        line!(text, "        /* not checked: {} */", comment(what));
    }
    line!(text, "    }}");
}

/// The variable that takes what the function returns, or a part of it.
fn is_of_result(place: &str) -> bool {
    let rest = place.strip_prefix("obligato_result");
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[', '-']))
}

fn write_set(text: &mut String, set: &Set) {
    let Set { place, value, bit_field } = set;
    let remark = remark(value);
    match value {
        CValue::Single(bits) if needs_bits(value) => {
            line!(text, "        OBLIGATO_SET_BITS({place}, unsigned, {bits:#010x}u);{remark}");
        }
        CValue::Double(bits) if needs_bits(value) => {
            line!(
                text,
                "        OBLIGATO_SET_BITS({place}, unsigned long long, {bits:#018x}ULL);{remark}"
            );
        }
        _ if *bit_field => line!(text, "        {place} = {};", expression(value)),
        _ => line!(text, "        OBLIGATO_SET({place}, {});{remark}", expression(value)),
    }
}

fn write_check(text: &mut String, check: &Check) {
    let Check { place, value } = check;
    let expected = expression(value);
    let remark = remark(value);
    match value {
        CValue::Truth(true) => line!(text, "        OBLIGATO_TRUTH({place});"),
        CValue::Truth(false) => line!(text, "        OBLIGATO_TRUTH(!{place});"),
        CValue::Signed(number) if i64::try_from(*number).is_err() => {
            line!(text, "        OBLIGATO_TRUTH({place} == {expected});");
        }
        CValue::Unsigned(number) if u64::try_from(*number).is_err() => {
            line!(text, "        OBLIGATO_TRUTH({place} == {expected});");
        }
        CValue::Signed(_) | CValue::Constant(_) => {
            line!(text, "        OBLIGATO_SIGNED({place}, {expected});");
        }
        CValue::Unsigned(_) => line!(text, "        OBLIGATO_UNSIGNED({place}, {expected});"),
        CValue::Single(bits) => {
            line!(text, "        OBLIGATO_BITS({place}, unsigned, {bits:#010x}u);{remark}");
        }
        CValue::Double(bits) => {
            line!(
                text,
                "        OBLIGATO_BITS({place}, unsigned long long, {bits:#018x}ULL);{remark}"
            );
        }
        CValue::Address(_) => line!(text, "        OBLIGATO_ADDRESS({place}, {expected});"),
    }
}
