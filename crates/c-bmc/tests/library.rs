//! Every symbolic model that the table of C library functions claims is used by the formula.

mod support;

use std::fmt::Write;

use obligato_bytecode::FloatWidth;
use obligato_c_bmc::{Cut, MergeLimits, Merged};
use obligato_c_library::{LibraryFunction, Symbolic, functions};
use obligato_c_unit::Settings;
use support::load;

/// The type of the result, the types of the parameters, and arguments for a call.
fn signature(model: Symbolic) -> (&'static str, &'static str, &'static str) {
    const FORMATS: [(&str, &str); 3] = [
        ("const char *, ...", "s"),
        ("void *, const char *, ...", "a, s"),
        ("void *, int, const char *, ...", "a, 1, s"),
    ];
    match model {
        Symbolic::CopyDisjoint | Symbolic::Copy => {
            ("void *", "void *, const void *, unsigned long", "a, b, 3")
        }
        Symbolic::Fill => ("void *", "void *, int, unsigned long", "a, n, 3"),
        Symbolic::CompareMemory => ("int", "const void *, const void *, unsigned long", "a, b, 3"),
        Symbolic::CompareStrings => ("int", "const char *, const char *", "a, s"),
        Symbolic::ComparePrefixes => {
            ("int", "const char *, const char *, unsigned long", "a, s, 3")
        }
        Symbolic::StringLength => ("unsigned long", "const char *", "s"),
        Symbolic::CopyString | Symbolic::AppendString => ("char *", "char *, const char *", "a, s"),
        Symbolic::FindCharacter => ("char *", "const char *, int", "s, n"),
        Symbolic::Exit => ("void", "int", "n"),
        Symbolic::Abort => ("void", "void", ""),
        Symbolic::FailAssertion => {
            ("void", "const char *, const char *, unsigned, const char *", "s, s, 1, s")
        }
        Symbolic::Allocate => ("void *", "unsigned long", "8"),
        Symbolic::AllocateArray => ("void *", "unsigned long, unsigned long", "2, 4"),
        Symbolic::Free => ("void", "void *", "(void *)0"),
        Symbolic::Errno => ("int *", "void", ""),
        Symbolic::ClassTable => ("const unsigned short **", "void", ""),
        Symbolic::LowerTable | Symbolic::UpperTable => ("const int **", "void", ""),
        Symbolic::PrintFormat { format } => ("int", FORMATS[format].0, FORMATS[format].1),
        Symbolic::Print { arguments: 1 } => ("int", "void *", "a"),
        Symbolic::Print { .. } => ("int", "const char *, void *", "s, a"),
        Symbolic::PrintCharacter { arguments: 1 } => ("int", "int", "n"),
        Symbolic::PrintCharacter { .. } => ("int", "int, void *", "n, a"),
        Symbolic::PrintItems => {
            ("unsigned long", "const void *, unsigned long, unsigned long, void *", "b, 1, 2, a")
        }
        Symbolic::FloatUnary(_, FloatWidth::Single) => ("float", "float", "(float)n"),
        Symbolic::FloatUnary(_, FloatWidth::Double) => ("double", "double", "(double)n"),
        Symbolic::FloatBinary(_, FloatWidth::Single) => ("float", "float, float", "(float)n, 1.5f"),
        Symbolic::FloatBinary(_, FloatWidth::Double) => {
            ("double", "double, double", "(double)n, 1.5")
        }
    }
}

/// A unit that calls each of them for another input. Through a pointer, so that the compiler leaves the call as it is.
fn unit_calling(list: &[(&LibraryFunction, Symbolic)]) -> String {
    let (mut declarations, mut cases) = (String::new(), String::new());
    for (index, (function, model)) in list.iter().enumerate() {
        let name = function.name;
        let (result, parameters, arguments) = signature(*model);
        let fortified = name.ends_with("_chk") && !matches!(model, Symbolic::PrintFormat { .. });
        let (size_type, size) = if fortified { (", unsigned long", ", 16") } else { ("", "") };
        let _ = writeln!(
            declarations,
            "extern {result} {name}({parameters}{size_type});\n\
             static {result} (*call_{index})({parameters}{size_type}) = {name};"
        );
        let _ = writeln!(cases, "case {index}: call_{index}({arguments}{size}); return 1;");
    }
    format!(
        "{declarations}
        static char a[16] = \"a\", b[16] = \"b\";
        static const char s[] = \"text\";
        int f(int n) {{ switch (n) {{ {cases} }} return 0; }}"
    )
}

fn cuts(text: &str) -> Vec<String> {
    let unit = load(text, Settings::default());
    let interface = unit.interface("f").expect("an interface");
    let merged = Merged::build(&unit, &interface, 1, &MergeLimits::default()).expect("a formula");
    merged.cuts().iter().filter_map(Cut::not_followed).map(ToString::to_string).collect()
}

#[test]
fn every_symbolic_model_of_the_table_is_reached_by_its_name() {
    let models = functions().filter(|function| function.concrete.is_some());
    let models: Vec<(&LibraryFunction, Symbolic)> =
        models.filter_map(|function| Some((function, function.symbolic?))).collect();
    assert!(models.len() > 60, "{}", models.len());
    assert_eq!(cuts(&unit_calling(&models)), Vec::<String>::new());
}

#[test]
fn a_function_with_neither_a_symbolic_model_nor_a_body_is_named() {
    let text = "extern long strtol(const char *, char **, int);
        int f(int n) { return n ? (int)strtol(\"12\", 0, n) : 0; }";
    assert_eq!(cuts(text), ["a call of 'strtol'"]);
}
