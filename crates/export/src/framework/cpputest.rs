//! `CppUTest`: a group of tests. Failures leave the C code of the bench as `CppUTest`'s own checks for C do, without an exception.

use super::Listing;

/// The file.
pub fn write(listing: &Listing<'_>) -> String {
    let mut text = listing.heading("c++", "-lCppUTest");
    text.push_str(&listing.runtime("FAIL_TEXT_C_LOCATION(message, file, line);").replacen(
        "/* Is this",
        // Its macros for new and malloc would change what the headers above declare.
        "#include <CppUTest/CommandLineTestRunner.h>\n#include <CppUTest/TestHarness.h>\n\
         #include <CppUTest/TestHarness_c.h>\n\n/* Is this",
        1,
    ));
    text.push_str("\nextern \"C\" {\n");
    text.push_str(&listing.declarations());
    let group = listing.group();
    add!(text, "}}\n\nTEST_GROUP({group})\n{{\n}};\n");
    for case in &listing.cases {
        let (name, statement) = (&case.identifier, case.statement());
        add!(text, "\nTEST({group}, {name})\n{{\n    {statement}\n}}\n");
    }
    text.push_str(
        "\nint main(int count, char **words)\n{\n    return CommandLineTestRunner::RunAllTests(count, words);\n}\n",
    );
    text
}
