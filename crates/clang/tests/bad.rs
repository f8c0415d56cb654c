//! Files that are wrong, and files that are hostile: what is said of them, and that it ends.

mod support;

use std::fmt::Write as _;
use std::fs;
use std::time::{Duration, Instant};

use obligato_clang::{BooleanOperators, ClangError, Limits, Source, Syntax, Text};
use support::{assert_golden, crate_directory, names_in, source};

fn message(source: &Source) -> String {
    match Text::read(source) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("{} is read", source.file.display()),
    }
}

#[test]
fn what_does_not_compile_has_the_message_beside_it() {
    let directory = crate_directory().join("tests/bad");
    for name in names_in(&directory, "c") {
        let said = message(&source(&directory, &format!("{name}.c"), &[])) + "\n";
        assert_golden(&directory.join(format!("{name}.message")), &said);
    }
}

#[test]
fn files_that_are_not_there_are_named() {
    let directory = crate_directory().join("tests");
    let absent = message(&source(&directory, "absent.c", &[]));
    assert_eq!(absent, "absent.c: No such file or directory (os error 2)");
    assert_eq!(message(&source(&directory, "bad", &[])), "bad: this is no file");
    let unknown = message(&source(&directory, "bad/syntax.c", &["-fno-such-thing"]));
    assert!(unknown.contains("unknown argument: '-fno-such-thing'"), "{unknown}");
}

/// A file of this content, read under these limits.
fn read(content: &[u8], limits: Limits) -> Result<(Text, Syntax), ClangError> {
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("unit.c"), content).expect("a file");
    let source = Source { limits, ..source(directory.path(), "unit.c", &[]) };
    let text = Text::read(&source)?;
    let syntax = Syntax::parse(&text, BooleanOperators::All)?;
    Ok((text, syntax))
}

/// A file whose macros make four to the power of `levels` terms.
fn exponential(levels: usize) -> String {
    let mut content = "int a;\n#define A0 a\n".to_owned();
    for level in 1..=levels {
        let below = format!("A{}", level - 1);
        writeln!(content, "#define A{level} {below} + {below} + {below} + {below}")
            .expect("a string");
    }
    content + &format!("int f(void) {{ return sizeof(A{levels}); }}\n")
}

#[test]
fn macros_without_measure_are_stopped_in_time_and_memory() {
    let start = Instant::now();
    let limits = Limits { seconds: 2, ..Limits::default() };
    let error = read(exponential(14).as_bytes(), limits).unwrap_err().to_string();
    assert_eq!(error, "clang-19 was stopped on unit.c: it took more than 2 s");
    assert!(start.elapsed() < Duration::from_mins(1));
    let limits = Limits { memory: 400, ..Limits::default() };
    let error = read(exponential(12).as_bytes(), limits).unwrap_err().to_string();
    assert_eq!(error, "clang-19 was stopped on unit.c: it needed more than 400 MiB of memory");
}

#[test]
fn an_output_past_the_limit_is_refused() {
    let line = "int many(int a, int b) { return a && b; }\n".replace("many", "f");
    let mut content = String::new();
    for number in 0..20_000 {
        content += &line.replace("f(", &format!("f{number}("));
    }
    let limits = Limits { output: 1, ..Limits::default() };
    let error = read(content.as_bytes(), limits).unwrap_err().to_string();
    assert_eq!(error, "clang-19 was stopped on unit.c: it printed more than 1 MiB");
}

#[test]
fn odd_bytes_are_read_as_clang_reads_them() {
    for content in [
        b"int f(int a) { return a \0 && 1; }\n".as_slice(),
        b"char *s = \"a\0b\"; int f(int a) { return a && s; }",
        b"int f(int a) { return a && 1; } // no line end",
        b"int f(int a) {\r\n    return a\r\n && 1;\r\n}\r\n",
        b"/* \xFF\xFE */ char *s = \"\xE9\"; int f(int a) { return a && s; }\n",
        b"\xEF\xBB\xBFint f(int a) { return a && 1; }\n",
        b"int f(int a) <% return a &\\\n& 1; %>\n",
    ] {
        let (text, syntax) = read(content, Limits::default())
            .unwrap_or_else(|error| panic!("{}: {error}", content.escape_ascii()));
        let decision = &syntax.functions[0].decisions[0];
        assert_eq!(decision.conditions.len(), 2, "{}", content.escape_ascii());
        assert!(text.locate(decision.stretch.span).is_some());
    }
    let (_, syntax) = read(b"", Limits::default()).expect("an empty file");
    assert!(syntax.compiler.contains("clang"), "{}", syntax.compiler);
    assert_eq!(syntax, Syntax { compiler: syntax.compiler.clone(), ..Syntax::default() });
}

#[test]
fn columns_count_characters_of_the_user() {
    let content = "int f(int ä, char *s) { return \"é\" == s || ä > 1; }\n";
    let (text, syntax) = read(content.as_bytes(), Limits::default()).expect("it compiles");
    let condition = &syntax.functions[0].decisions[0].conditions[1];
    let location = text.locate(condition.stretch.span).expect("it is in the file");
    assert_eq!(location.span.to_string(), "1:44-1:49");
}

#[test]
fn a_line_directive_may_name_what_is_no_file() {
    for name in ["/dev/zero", "absent.y", "unit.c"] {
        let content = format!("int g;\n#line 7 \"{name}\"\nint f(int a) {{ return a && g; }}\n");
        let (text, syntax) = read(content.as_bytes(), Limits::default()).expect("it compiles");
        let decision = &syntax.functions[0].decisions[0];
        assert_eq!(decision.stretch.text, "a && g");
        let location = text.locate(decision.stretch.span).expect("it has a place");
        assert_eq!(text.files()[location.file].name, name);
        assert_eq!(location.span.to_string(), "7:23-7:29");
    }
}
