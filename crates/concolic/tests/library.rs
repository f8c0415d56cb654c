//! Differential test: the C bodies of library functions and the executor's own models agree on random arguments.

use obligato_c_unit::measure::Watches;
use obligato_c_unit::random::{Draw, draw_suite};
use obligato_c_unit::script::Columns;
use obligato_c_unit::{LoadOptions, RunOptions, Unit, library};
use obligato_clang::{Flags, Limits as Reading, Source};
use obligato_concolic::{TraceLimits, Tracer};
use obligato_execute::{SignedOverflow, Variables, is_modelled};
use obligato_model::Value;
use obligato_test_support::ScratchFile;

/// How each function is called with texts `a` and `b`, a character `c` and a number `n`; what comes of it is a number.
fn call_of(name: &str) -> String {
    match name {
        "strlen" | "atoi" | "atol" => format!("{name}(a)"),
        "strnlen" => format!("{name}(a, n)"),
        "memcmp" | "bcmp" | "strncmp" | "strncasecmp" => format!("{name}(a, b, n)"),
        "strcmp" | "strcoll" | "strcasecmp" | "strspn" | "strcspn" => format!("{name}(a, b)"),
        "memchr" => format!("at(a, {name}(a, c, n))"),
        "strchr" | "index" | "strrchr" | "rindex" => format!("at(a, {name}(a, c))"),
        "strstr" | "strpbrk" => format!("at(a, {name}(a, b))"),
        "strcpy" | "stpcpy" | "strcat" => format!("sum(w, at(w, {name}(w, a)))"),
        "strncpy" | "strncat" => format!("sum(w, at(w, {name}(w, a, n)))"),
        _ => format!("{name}(c) + {name}(n) + {name}(-c * 1000)"),
    }
}

fn unit_calling(name: &str) -> Unit {
    let call = call_of(name);
    let text = format!(
        "#define _GNU_SOURCE
        #include <ctype.h>
        #include <inttypes.h>
        #include <stdlib.h>
        #include <string.h>
        #include <strings.h>
        #undef {name}
        static long at(const char *start, const void *found) {{ return found ? (const char *)found - start : -1; }}
        static long sum(const char *w, long h) {{ for (int i = 0; i < 24; i++) h = (h * 31 + w[i]) % 1000003; return h; }}
        long f(const unsigned char s[9], const unsigned char t[9], int c, unsigned char k) {{
            static const char signs[] = \"\\0aAbBzZ019 \\t-+_\";
            char a[9], b[9], w[24] = \"ab\\0cdefghijk\";
            unsigned long n = k % 9;
            if (!s || !t) return 0;
            for (int i = 0; i < 8; i++) a[i] = signs[(s[i] >> 1) & 15], b[i] = signs[t[i] & 15];
            a[8] = b[8] = 0;
            return {call};
        }}"
    );
    let file = ScratchFile::new("unit.c", &text);
    let source = Source {
        file: file.path().to_owned(),
        directory: file.directory().to_owned(),
        // The compiler would compute some of them by itself.
        flags: Flags::new(&["-fno-builtin".to_owned()]).expect("a flag"),
        limits: Reading::default(),
    };
    let options = LoadOptions { function: Some("f".to_owned()), ..LoadOptions::default() };
    Unit::load(&source, options).expect("a unit")
}

/// How many tests had an end that both agree on.
fn compare(name: &str) -> usize {
    let unit = unit_calling(name);
    let interface = unit.interface("f").expect("an interface");
    let mut suite = draw_suite(&unit.variables(&interface), Draw { tests: 60, steps: 1, seed: 7 });
    // Each text is an object of its own: what begins in the middle of another is too short.
    for (at, input) in suite.inputs.iter().enumerate() {
        if ["s", "t"].contains(&input.name.as_str()) {
            let own = Some(Value::Symbol("new".to_owned()));
            suite.tests.iter_mut().for_each(|test| test.steps[0][at].clone_from(&own));
        }
    }
    let options = RunOptions { signed_overflow: SignedOverflow::Wraps, ..RunOptions::default() };
    let expected = unit.run(&interface, &suite, options).expect("it runs");
    let watches = Watches::default();
    let executable =
        unit.executable(&watches, options, Variables::InRegisters).expect("well-formed");
    let tracer = Tracer::new(
        unit.module(),
        unit.program(),
        &watches,
        SignedOverflow::Wraps,
        TraceLimits::default(),
    );
    let mut runner = unit.runner(&executable, &interface, options, tracer, ()).expect("a runner");
    let columns = Columns::new(&interface, &suite).expect("columns");
    for (test, expected) in suite.tests.iter().zip(&expected) {
        let script = columns.script(&interface, test).expect("a script");
        runner.shadow_mut().begin(None);
        let found = runner.run(&script);
        assert_eq!(found.steps, expected.steps, "{name} on {test:?}");
        assert_eq!(found.ending.is_some(), expected.ending.is_some(), "{name} on {test:?}");
    }
    expected.iter().filter(|run| run.ending.is_none()).count()
}

#[test]
fn code_and_models_agree() {
    let names = library::names();
    assert!(names.len() > 35, "{names:?}");
    for name in names {
        assert!(is_modelled(name), "{name}");
        assert!(library::code_of(name).is_some(), "{name}");
        let unit = unit_calling(name);
        let declared = unit.module().function_named(name).expect("it is called");
        assert!(unit.module().code_behind(declared).is_some(), "{name} has code behind it");
        assert_eq!(compare(name), 60, "{name}: no runtime error");
    }
}
