//! The real machine: programs that answer, fail, hang, or never stop talking.

use super::*;

fn shell(script: &str, time_limit: Duration) -> Answer {
    let machine = ThisMachine { search_path: OsString::new(), time_limit };
    machine.run(Path::new("/bin/sh"), &["-c", script])
}

const LONG: Duration = Duration::from_mins(1);
const SHORT: Duration = Duration::from_millis(100);

#[test]
fn a_program_that_ends_well_is_quoted() {
    assert_eq!(
        shell("echo version 1.2; echo noise >&2", LONG),
        Answer::Printed("version 1.2\n".into())
    );
}

#[test]
fn a_program_that_ends_with_an_error_has_failed() {
    assert_eq!(shell("echo version 1.2; exit 3", LONG), Answer::Failed);
}

#[test]
fn a_program_that_cannot_be_started_has_failed() {
    let machine = ThisMachine { search_path: OsString::new(), time_limit: LONG };
    assert_eq!(machine.run(Path::new("/nonexistent/program"), &[]), Answer::Failed);
}

#[test]
fn a_hung_program_is_given_up() {
    let start = Instant::now();
    assert_eq!(shell("exec sleep 30", SHORT), Answer::TimedOut);
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_program_that_closes_its_output_and_hangs_is_given_up() {
    assert_eq!(shell("exec >&-; exec sleep 30", SHORT), Answer::TimedOut);
}

#[test]
fn a_child_left_behind_with_the_pipe_open_does_not_hang_the_doctor() {
    assert_eq!(shell("sleep 3 & exit 0", SHORT), Answer::TimedOut);
}

#[test]
fn a_program_that_prints_without_end_is_cut_off() {
    assert_eq!(shell("exec yes", LONG), Answer::Failed);
}

#[test]
fn only_executable_files_in_absolute_directories_are_programs() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("plain"), "").unwrap();
    fs::create_dir(directory.path().join("directory")).unwrap();
    let search_path = std::env::join_paths([Path::new("."), directory.path(), Path::new("/bin")]);
    let machine = ThisMachine { search_path: search_path.unwrap(), time_limit: LONG };
    assert_eq!(machine.find_program("plain"), None);
    assert_eq!(machine.find_program("directory"), None);
    assert_eq!(machine.find_program("sh"), Some("/bin/sh".into()));
}
