//! Reading up to a limit; replacing in one step.

use std::fs;

use super::*;

fn entries(directory: &Path) -> usize {
    fs::read_dir(directory).unwrap().count()
}

#[test]
fn a_file_is_replaced_and_nothing_is_left_beside_it() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("suite.json");
    write(&path, b"old").unwrap();
    write(&path, b"new").unwrap();
    assert_eq!(read(&path).unwrap(), b"new");
    assert_eq!(entries(directory.path()), 1);
}

#[test]
fn a_missing_directory_is_named_and_not_made() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("missing").join("suite.json");
    let message = write(&path, b"text").unwrap_err().to_string();
    let expected = format!("{}: cannot write the file: ", path.display());
    assert!(message.starts_with(&expected), "{message}");
    assert_eq!(entries(directory.path()), 0);
}

#[test]
fn a_write_that_fails_at_the_last_moment_leaves_the_target_and_no_other_file() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("in-the-way");
    fs::create_dir(&path).unwrap();
    fs::write(path.join("kept"), "text").unwrap();
    assert!(matches!(write(&path, b"text"), Err(StoreError::Io { .. })));
    assert_eq!(fs::read(path.join("kept")).unwrap(), b"text");
    assert_eq!(entries(directory.path()), 1);
}

#[test]
fn files_written_together_all_change_or_none_does() {
    let directory = tempfile::tempdir().unwrap();
    let [suite, result] = ["suite.json", "result.json"].map(|name| directory.path().join(name));
    write_together(&[(&suite, b"old suite"), (&result, b"old result")]).unwrap();
    assert_eq!(read(&result).unwrap(), b"old result");
    fs::remove_file(&result).unwrap();
    fs::create_dir(&result).unwrap();
    let message = write_together(&[(&suite, b"new"), (&result, b"new")]).unwrap_err().to_string();
    assert!(message.starts_with(&format!("{}: cannot write", result.display())), "{message}");
    let below = directory.path().join("missing").join("result.json");
    assert!(write_together(&[(&suite, b"new"), (&below, b"new")]).is_err());
    assert_eq!(read(&suite).unwrap(), b"old suite");
    assert_eq!(entries(directory.path()), 2);
}

#[test]
fn a_draft_that_is_given_up_leaves_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("suite.json");
    write(&path, b"old").unwrap();
    let mut draft = Draft::create(&path).unwrap();
    draft.write(b"half").unwrap();
    drop(draft);
    assert_eq!(read(&path).unwrap(), b"old");
    assert_eq!(entries(directory.path()), 1);
}

#[test]
fn a_file_is_no_directory_to_write_into() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    write(&file, b"kept").unwrap();
    assert!(write(&file.join("below"), b"text").is_err());
    assert_eq!(read(&file).unwrap(), b"kept");
    assert_eq!(entries(directory.path()), 1);
}

#[cfg(unix)]
#[test]
fn a_directory_that_takes_no_files_keeps_its_old_one() {
    use std::os::unix::fs::PermissionsExt;

    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("suite.json");
    write(&path, b"old").unwrap();
    fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o500)).unwrap();
    let written = write(&path, b"new");
    fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o700)).unwrap();
    // The superuser may write anyway.
    if written.is_err() {
        assert_eq!(read(&path).unwrap(), b"old");
    }
    assert_eq!(entries(directory.path()), 1);
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_its_file_is_replaced() {
    let directory = tempfile::tempdir().unwrap();
    let (file, link) = (directory.path().join("file"), directory.path().join("link"));
    write(&file, b"old").unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    write(&link, b"new").unwrap();
    assert_eq!(read(&file).unwrap(), b"new");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
}

#[test]
fn a_file_just_at_the_limit_is_read_and_one_byte_more_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    write(&path, b"12345").unwrap();
    assert_eq!(read_up_to(&path, 5).unwrap(), b"12345");
    let message = read_up_to(&path, 4).unwrap_err().to_string();
    let reason = "the file is larger than 1024 MiB, the most that is read";
    assert_eq!(message, format!("{}: {reason}", path.display()));
}

#[test]
fn a_missing_file_is_named() {
    let message = read(Path::new("no/such.json")).unwrap_err().to_string();
    assert!(message.starts_with("no/such.json: cannot read the file: "), "{message}");
}
