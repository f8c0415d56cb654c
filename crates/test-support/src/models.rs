//! The public Lustre models in `../shared/models`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::places::shared;

/// The folders of models that are complete by themselves.
const FOLDERS: [&str; 3] = ["jkind", "kind2", "steering-framework"];

/// The files of all models, sorted; none, with a word about it, where the collection is absent.
#[expect(clippy::print_stdout, reason = "a test that is skipped says so")]
pub fn files() -> Vec<PathBuf> {
    let root = shared("models");
    if !root.is_dir() {
        println!("skipped: the models are not at ../shared/models");
    }
    let folders = FOLDERS.iter().filter_map(|folder| fs::read_dir(root.join(folder)).ok());
    let mut files: Vec<PathBuf> = folders.flatten().flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "lus"));
    files.sort();
    files
}

/// The names and texts of all models.
pub fn texts() -> Vec<(String, Vec<u8>)> {
    let read = |file: PathBuf| {
        let name = file.file_name()?.to_string_lossy().into_owned();
        Some((name, fs::read(&file).ok()?))
    };
    files().into_iter().filter_map(read).collect()
}

/// The text of one model, by its path below `models`; nothing, with a word about it, where it is absent.
#[expect(clippy::print_stdout, reason = "a test that is skipped says so")]
pub fn text(path: &str) -> Option<Vec<u8>> {
    let text = fs::read(shared("models").join(path)).ok();
    if text.is_none() {
        println!("skipped: {path} is not in ../shared/models");
    }
    text
}

/// Every model of every folder, by its path below `models`, with the files that it includes in their places; none, with a word
/// about it, where the collection is absent.
#[expect(clippy::print_stdout, reason = "a test that is skipped says so")]
pub fn complete_texts() -> Vec<(String, Vec<u8>)> {
    let root = shared("models");
    let mut models = Vec::new();
    if !root.is_dir() {
        println!("skipped: the models are not at ../shared/models");
        return models;
    }
    let mut directories = vec![root.clone()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(&directory).expect("a directory of models") {
            let path = entry.expect("an entry of a directory").path();
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|extension| extension == "lus") {
                let name = path.strip_prefix(&root).expect("below the root").display().to_string();
                models.push((name, with_includes(&path)));
            }
        }
    }
    models.sort();
    assert!(!models.is_empty(), "{} has no models", root.display());
    models
}

/// The text of a model with the files that it includes in their places.
fn with_includes(path: &Path) -> Vec<u8> {
    let mut text = fs::read(path).expect("a model");
    let directive = |window: &[u8]| window == b"\ninclude \"";
    while let Some(start) = text.windows(10).position(directive) {
        let name = start + 10;
        let length = text[name..].iter().position(|byte| *byte == b'"').expect("a closing quote");
        let file = String::from_utf8_lossy(&text[name..name + length]).into_owned();
        let included = fs::read(path.with_file_name(file)).expect("an included file");
        text.splice(start + 1..=name + length, included);
    }
    text
}
