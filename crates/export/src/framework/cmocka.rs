//! cmocka: a group of tests with the names that the suite gives them.

use super::Listing;

/// The file.
pub fn write(listing: &Listing<'_>) -> String {
    let mut text = listing.heading("cc", "-lcmocka");
    // cmocka.h wants these before it.
    text.push_str(
        "#include <setjmp.h>\n#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n",
    );
    text.push_str("#include <cmocka.h>\n");
    text.push_str(
        &listing
            .runtime("print_error(\"%s:%d: %s\\n\", file, line, message);\n    _fail(file, line);"),
    );
    text.push('\n');
    text.push_str(&listing.declarations());
    for case in &listing.cases {
        let (name, statement) = (&case.identifier, case.statement());
        add!(
            text,
            "\nstatic void {name}(void **state)\n{{\n    (void)state;\n    {statement}\n}}\n"
        );
    }
    text.push_str("\nint main(void)\n{\n");
    if listing.cases.is_empty() {
        // A group of no tests is no array of C.
        text.push_str("    return 0;\n}\n");
        return text;
    }
    text.push_str("    static const struct CMUnitTest tests[] = {\n");
    for case in &listing.cases {
        let (name, function) = (case.name(), &case.identifier);
        add!(text, "        {{ {name}, {function}, NULL, NULL, NULL }},\n");
    }
    let group = super::string(&listing.tests.function);
    text.push_str("    };\n");
    add!(text, "    return cmocka_run_group_tests_name({group}, tests, NULL, NULL);\n}}\n");
    text
}
