//! Unity: a runner with `RUN_TEST` per test.

use super::Listing;

/// The file.
pub fn write(listing: &Listing<'_>) -> String {
    let mut text = listing.heading("cc", "unity.c");
    text.push_str("#include \"unity.h\"\n");
    text.push_str(&listing.runtime(
        "/* Unity has one file per runner, so the message names the place. */\n    {\n        \
         static char whole[800];\n        snprintf(whole, sizeof whole, \"%s:%d: %s\", file, line, message);\n        \
         TEST_FAIL_MESSAGE(whole);\n    }",
    ));
    text.push('\n');
    text.push_str(&listing.declarations());
    text.push_str("\nvoid setUp(void) {}\nvoid tearDown(void) {}\n");
    for case in &listing.cases {
        let (name, statement) = (&case.identifier, case.statement());
        add!(text, "\nstatic void {name}(void)\n{{\n    {statement}\n}}\n");
    }
    text.push_str("\nint main(void)\n{\n    UNITY_BEGIN();\n");
    for case in &listing.cases {
        add!(text, "    RUN_TEST({});\n", case.identifier);
    }
    text.push_str("    return UNITY_END();\n}\n");
    text
}
