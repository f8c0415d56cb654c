//! The one-line form of each kind of usage error.

use super::*;

fn arguments(line: &str) -> Vec<OsString> {
    std::iter::once("obligato").chain(line.split_whitespace()).map(OsString::from).collect()
}

fn complaint(line: &str) -> String {
    match parse(&arguments(line)) {
        Err(error) => error.one_line(),
        Ok(_) => panic!("'{line}' was accepted"),
    }
}

#[test]
fn an_unknown_flag_keeps_the_suggestion_and_names_the_help_of_its_command() {
    assert_eq!(
        complaint("doctor --formt json"),
        "unexpected argument '--formt'; a similar argument exists: '--format'; \
         try 'obligato doctor --help'"
    );
}

#[test]
fn an_unknown_command_keeps_the_suggestion() {
    assert_eq!(
        complaint("doktor"),
        "unknown command 'doktor'; a similar command exists: 'doctor'; try 'obligato --help'"
    );
}

#[test]
fn a_wrong_value_names_the_right_ones() {
    assert_eq!(
        complaint("doctor --format yaml"),
        "invalid value 'yaml' for '--format <FORMAT>' (one of: text, json); \
         try 'obligato doctor --help'"
    );
}

#[test]
fn a_value_that_is_left_out_is_asked_for() {
    assert_eq!(
        complaint("doctor --format"),
        "'--format <FORMAT>' needs a value (one of: text, json); try 'obligato doctor --help'"
    );
}

#[test]
fn a_missing_argument_is_named() {
    assert_eq!(complaint("man"), "missing <DIR>; try 'obligato man --help'");
}

#[test]
fn no_command_at_all_is_a_usage_error() {
    assert_eq!(complaint(""), "no command given; try 'obligato --help'");
}

#[test]
fn a_flag_given_twice_is_a_usage_error() {
    assert_eq!(
        complaint("doctor --format json --format text"),
        "'--format <FORMAT>' is given more than once; try 'obligato doctor --help'"
    );
}

#[test]
fn help_is_a_text_to_show_and_not_an_error() {
    assert!(matches!(parse(&arguments("--help")), Ok(Request::Show(_))));
    assert!(matches!(parse(&arguments("--version")), Ok(Request::Show(_))));
}

#[test]
fn colour_is_found_even_where_the_arguments_are_wrong() {
    assert_eq!(colour_asked_for(&arguments("--nonsense --color never")), ColourWhen::Never);
    assert_eq!(colour_asked_for(&arguments("--color=always doctor --x")), ColourWhen::Always);
    assert_eq!(colour_asked_for(&arguments("doctor --color")), ColourWhen::Auto);
    assert_eq!(colour_asked_for(&arguments("doctor -- --color=never")), ColourWhen::Auto);
}
