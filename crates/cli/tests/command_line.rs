//! The real binary, as a user or a script meets it: arguments, exit codes, streams.

#![expect(clippy::unwrap_used, reason = "the functions around the tests are tests too")]

use std::fs;
use std::io::PipeWriter;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn obligato(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_obligato"));
    command.args(arguments).stdin(Stdio::null());
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(variable);
    }
    command
}

fn run(arguments: &[&str]) -> Output {
    obligato(arguments).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The one line that a usage or input error prints, after checking that it is one and exits 2.
fn complaint(arguments: &[&str]) -> String {
    let output = run(arguments);
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert_eq!(stdout(&output), "");
    assert!(message.starts_with("obligato: error: "), "{message}");
    assert!(message.ends_with('\n'));
    assert_eq!(message.lines().count(), 1, "{message}");
    message
}

#[test]
fn an_unknown_flag_is_one_line_with_a_way_out_and_exits_2() {
    let message = complaint(&["doctor", "--formt", "json"]);
    assert!(message.contains("'--formt'"));
    assert!(message.contains("a similar argument exists: '--format'"));
    assert!(message.ends_with("try 'obligato doctor --help'\n"));
}

#[test]
fn an_unknown_command_is_one_line_with_a_way_out_and_exits_2() {
    let message = complaint(&["doktor"]);
    assert!(message.contains("a similar command exists: 'doctor'"));
    assert!(message.ends_with("try 'obligato --help'\n"));
}

#[test]
fn an_argument_with_line_breaks_is_still_one_line() {
    complaint(&["--one\n\nUsage: two\x1b[31m"]);
    complaint(&["doctor", "--format", "a\nb"]);
}

#[test]
fn no_command_is_one_line_and_exits_2() {
    complaint(&[]);
}

#[test]
fn a_file_where_a_directory_is_asked_for_is_one_line_and_exits_2() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    fs::write(&file, "").unwrap();
    assert!(complaint(&["man", file.to_str().unwrap()]).contains("is not a directory"));
    assert_eq!(fs::read(&file).unwrap(), b"");
}

#[test]
fn help_documents_the_exit_codes_and_has_examples() {
    for flag in ["--help", "-h"] {
        let output = run(&[flag]);
        let help = stdout(&output);
        assert!(output.status.success());
        assert!(help.contains("Examples:\n  obligato doctor"), "{help}");
        assert!(
            help.contains("Exit codes:\n  0  ok\n  1  tool error\n  2  usage or input error\n")
        );
        assert!(help.contains("\n  5  a test fails"), "{help}");
    }
}

#[test]
fn the_version_is_the_crates_version() {
    let expected = concat!("obligato ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(stdout(&run(&["--version"])), expected);
}

#[test]
fn completions_are_written_for_the_common_shells() {
    for shell in ["bash", "zsh", "fish"] {
        let output = run(&["completions", shell]);
        assert!(output.status.success());
        let script = stdout(&output);
        assert!(script.contains("obligato") && script.contains("doctor"), "{shell}");
    }
}

#[test]
fn manual_pages_are_written_for_the_command_and_each_of_its_commands() {
    let directory = tempfile::tempdir().unwrap();
    let target = directory.path().join("share/man1");
    let output = run(&["man", target.to_str().unwrap()]);
    assert!(output.status.success(), "{}", stderr(&output));
    let mut names: Vec<String> = fs::read_dir(&target)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert!(names.contains(&"obligato.1".to_owned()));
    assert!(names.contains(&"obligato-doctor.1".to_owned()));
    assert!(names.iter().all(|name| name.ends_with(".1")), "{names:?}");
    let main = fs::read_to_string(target.join("obligato.1")).unwrap();
    assert!(main.contains(".SH \"EXIT CODES\"\n"), "{main}");
    assert!(main.contains(".SH EXAMPLES\n"), "{main}");
}

#[test]
fn quiet_silences_remarks() {
    let directory = tempfile::tempdir().unwrap();
    let output = run(&["--quiet", "man", directory.path().to_str().unwrap()]);
    assert!(output.status.success());
    assert_eq!(stdout(&output), "");
}

/// The writing end of a pipe that nobody reads any more.
fn closed_pipe() -> PipeWriter {
    let (_, writer) = std::io::pipe().unwrap();
    writer
}

#[test]
fn a_closed_pipe_is_no_panic_and_leaves_the_exit_code_alone() {
    for arguments in [&["--help"] as &[&str], &["completions", "bash"]] {
        let output = obligato(arguments).stdout(closed_pipe()).output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(stderr(&output), "");
    }
    let doctor = obligato(&["doctor"]).env("PATH", "").stdout(closed_pipe()).output().unwrap();
    assert_eq!(doctor.status.code(), Some(1));
    assert_eq!(stderr(&doctor), "");
}

#[test]
fn a_closed_standard_error_is_no_panic() {
    let output = obligato(&["no-such-command"]).stderr(closed_pipe()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_full_disk_behind_standard_output_is_a_tool_error() {
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = obligato(&["--help"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stderr(&output).lines().count(), 1);
}

#[test]
fn colour_is_left_out_of_pipes_unless_it_is_asked_for() {
    let escape = '\x1b';
    assert!(!stdout(&run(&["--help"])).contains(escape));
    assert!(stdout(&run(&["--color", "always", "--help"])).contains(escape));
    assert!(!stdout(&run(&["--color", "never", "--help"])).contains(escape));
    assert!(stderr(&run(&["--color=always", "nonsense"])).contains(escape));
    assert!(!stderr(&run(&["nonsense"])).contains(escape));
}

#[test]
fn no_half_written_page_is_left_where_a_page_cannot_be_written() {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("obligato.1")).unwrap();
    let output = run(&["man", directory.path().to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let names = fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().path());
    assert!(names.eq([Path::new(directory.path()).join("obligato.1")]));
}
