//! `GoogleTest`: a suite of tests; those that end the program are death tests.

use super::{Case, Listing, Run};

/// The file.
pub fn write(listing: &Listing<'_>) -> String {
    let mut text = listing.heading("c++", "-lgtest -lpthread");
    text.push_str("#include <gtest/gtest.h>\n");
    text.push_str(&listing.runtime("ADD_FAILURE_AT(file, line) << message;"));
    text.push_str("\nextern \"C\" {\n");
    text.push_str(&listing.declarations());
    text.push_str("}\n");
    if listing.cases.iter().any(|case| case.run != Run::Here) {
        text.push_str(ALONE);
    }
    let group = listing.group();
    for case in &listing.cases {
        let (name, statement) = (&case.identifier, statement(case));
        // Death tests come first, before other tests have started threads.
        let death = if case.run == Run::Here { "" } else { "DeathTest" };
        add!(text, "\nTEST({group}{death}, {name})\n{{\n    {statement}\n}}\n");
    }
    text.push_str(
        "\nint main(int count, char **words)\n{\n    ::testing::InitGoogleTest(&count, words);\n    return RUN_ALL_TESTS();\n}\n",
    );
    text
}

const ALONE: &str = "
/* A check that fails here ends the process in another way than is expected. */
static void obligato_alone(void (*test)(void))
{
    obligato_is_alone = 1;
    test();
    _exit(0);
}
";

fn statement(case: &Case<'_>) -> String {
    let function = &case.function;
    match case.run {
        Run::Here => format!("{function}();"),
        Run::Exits(status) => format!(
            "EXPECT_EXIT(obligato_alone({function}), ::testing::ExitedWithCode({status}), \"\");"
        ),
        Run::Raises(signal) => format!(
            "EXPECT_EXIT(obligato_alone({function}), ::testing::KilledBySignal({signal}), \"\");"
        ),
    }
}
