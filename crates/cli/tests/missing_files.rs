//! Files that are not there: every command says what may have been meant.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use support::cabin;

#[test]
fn a_file_that_is_not_there_has_a_way_out_for_every_command() {
    let bench = cabin();
    bench.write("valve.c", "int f(int a) { return a > 0; }\n");
    let model = "did you mean 'cabin.lus'?";
    let unit = "did you mean 'valve.c'?";
    let any = "give the path of a C file, a Lustre model or a compile_commands.json";
    for (arguments, expected) in [
        ("check cabn.lus", model),
        ("run cabins.lus --tests cabin.csv", model),
        ("measure ca.bin.lus --tests cabin.csv", model),
        ("generate ./cabinn.lus", "did you mean './cabin.lus'?"),
        ("mutate cabi.lus --tests cabin.csv", model),
        ("prove cabbin.lus", model),
        ("run cabin.lus --tests kabin.csv", "did you mean 'cabin.csv'?"),
        ("check valv.c", unit),
        ("generate vavle.c", unit),
        ("measure value.c --tests cabin.csv", unit),
        ("explain valves.c:1", unit),
        ("check something.lus", any),
        ("generate something.c", any),
        ("generate compile_commands.json", any),
        ("check nowhere/cabin.lus", "'nowhere' is not a directory"),
        ("run cabin.lus --tests something.json", "give the path of a file that is there"),
    ] {
        let said = bench.complaint(arguments);
        assert!(said.contains("there is no such file; "), "{arguments}: {said}");
        assert!(said.trim_end().ends_with(expected), "{arguments}: {said}");
    }
}
