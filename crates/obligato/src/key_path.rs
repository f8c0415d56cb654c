//! The path of a file as keys know it: the same however the file was named.

use std::path::{Component, Path, PathBuf};

/// The path in the keys of obligations: without `.` and `..` where that is possible, and
/// relative to the current directory if the file is inside it.
pub fn key_path(path: &Path) -> String {
    let current = std::env::current_dir().unwrap_or_default();
    normal_path(path, &current).display().to_string()
}

/// How a file is reached from a directory, with slashes; both are as the user named them.
pub fn relative_path(directory: &Path, file: &Path) -> String {
    let current = std::env::current_dir().unwrap_or_default();
    let (from, to) = (resolve(&current.join(directory)), resolve(&current.join(file)));
    let mut from = from.components().peekable();
    let mut to = to.components().peekable();
    while from.peek().is_some() && from.peek() == to.peek() {
        from.next();
        to.next();
    }
    let up = from.map(|_| "..".to_owned());
    let down = to.map(|part| part.as_os_str().to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<_>>().join("/")
}

/// By the text of the path alone: what links lead to may differ from machine to machine.
fn normal_path(path: &Path, current: &Path) -> PathBuf {
    let whole = resolve(&current.join(path));
    match whole.strip_prefix(resolve(current)) {
        Ok(inside) if !current.as_os_str().is_empty() => inside.to_owned(),
        // Outside, a relative path still says less about the machine than an absolute one.
        _ => resolve(path),
    }
}

/// Resolves `.` and `..`; what leads out of the start of a relative path stays.
fn resolve(path: &Path) -> PathBuf {
    let mut resolved = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => match resolved.components().next_back() {
                Some(Component::Normal(_)) => drop(resolved.pop()),
                Some(Component::RootDir | Component::Prefix(_)) => {}
                _ => resolved.push(component),
            },
            _ => resolved.push(component),
        }
    }
    resolved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_reached_from_where_the_tests_are() {
        for (directory, file, expected) in [
            ("tests", "a.c", "../a.c"),
            (".", "src/a.c", "src/a.c"),
            ("out/deep", "src/../lib/a.c", "../../lib/a.c"),
            ("src", "src/a.c", "a.c"),
        ] {
            assert_eq!(relative_path(Path::new(directory), Path::new(file)), expected);
        }
    }

    #[test]
    fn a_file_has_one_path_however_it_is_named() {
        for (path, expected) in [
            ("f.decisions", "f.decisions"),
            ("./f.decisions", "f.decisions"),
            ("a/../f.decisions", "f.decisions"),
            ("a/./b//f.decisions", "a/b/f.decisions"),
            ("../here/f.decisions", "f.decisions"),
            ("/project/here/a/f.decisions", "a/f.decisions"),
            ("../f.decisions", "../f.decisions"),
            ("a/../../f.decisions", "../f.decisions"),
            ("/other/../project/f.decisions", "/project/f.decisions"),
            ("/../f.decisions", "/f.decisions"),
        ] {
            let found = normal_path(Path::new(path), Path::new("/project/here"));
            assert_eq!(found, Path::new(expected), "{path}");
        }
    }
}
