//! Check: a case per test. Check gives every test a process of its own, and knows tests that exit or raise a signal.

use super::{Listing, Run};

/// The file.
pub fn write(listing: &Listing<'_>) -> String {
    let libraries = "$(pkg-config --cflags --libs check)";
    let mut text = listing.heading("cc", libraries);
    text.push_str("#include <check.h>\n");
    text.push_str(&listing.runtime("ck_abort_msg(\"%s:%d: %s\", file, line, message);"));
    text.push('\n');
    text.push_str(&listing.declarations());
    for case in &listing.cases {
        let (name, function) = (&case.identifier, &case.function);
        add!(text, "\nSTART_TEST({name})\n{{\n    {function}();\n}}\nEND_TEST\n");
    }
    let group = super::string(&listing.tests.function);
    add!(
        text,
        "\nint main(void)\n{{\n    int failed;\n    Suite *suite = suite_create({group});\n"
    );
    text.push_str("    SRunner *runner = srunner_create(suite);\n    TCase *tests;\n");
    for case in &listing.cases {
        let (name, function) = (case.name(), &case.identifier);
        add!(text, "    tests = tcase_create({name});\n");
        let added = match case.run {
            Run::Here | Run::Exits(0) => format!("tcase_add_test(tests, {function});"),
            Run::Exits(status) => format!("tcase_add_exit_test(tests, {function}, {status});"),
            Run::Raises(signal) => {
                format!("tcase_add_test_raise_signal(tests, {function}, {signal});")
            }
        };
        add!(text, "    {added}\n    suite_add_tcase(suite, tests);\n");
    }
    text.push_str(
        "    srunner_run_all(runner, CK_NORMAL);\n    failed = srunner_ntests_failed(runner);\n",
    );
    text.push_str("    srunner_free(runner);\n    return failed ? 1 : 0;\n}\n");
    text
}
