//! The code that obligations lie in: fingerprints of each function, from the files as they are now.
//!
//! The fingerprint of its text is blind to white space and to where a function stands, so code that moves or is laid out anew keeps it. Languages
//! that know more give the fingerprint of its [code](Codes): blind to comments and names of locals too, and changed by macros and callees.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use obligato_model::{FileId, Fingerprint, Program, Span};
use obligato_store::result::StoredFunction;
use obligato_store::{StoredResult, file};

/// By function, the fingerprint of its code with all that it depends on, in 16 hexadecimal digits.
pub type Codes = HashMap<String, String>;

/// The functions that obligations of a result lie in. What has no file, as the outline of a program may not, has no fingerprint.
pub fn functions(program: &Program, result: &StoredResult, codes: &Codes) -> Vec<StoredFunction> {
    let asked: HashSet<(&str, &str)> =
        result.obligations.iter().map(|one| (one.file.as_str(), one.function.as_str())).collect();
    let mut texts: HashMap<FileId, Option<String>> = HashMap::new();
    let mut found = Vec::new();
    for function in program.functions() {
        let name = program.file(function.file);
        if !asked.contains(&(name, function.name.as_str())) {
            continue;
        }
        let text = texts.entry(function.file).or_insert_with(|| read(Path::new(name)));
        let Some(text) = text.as_deref().and_then(|text| stretch(text, function.span)) else {
            continue;
        };
        found.push(StoredFunction {
            file: name.to_owned(),
            function: function.name.clone(),
            fingerprint: Fingerprint::of(&text).to_string(),
            code: codes.get(&function.name).cloned(),
        });
    }
    found
}

/// The fingerprint of a whole file.
pub fn fingerprint_of_file(bytes: &[u8]) -> String {
    Fingerprint::of(&String::from_utf8_lossy(bytes)).to_string()
}

fn read(path: &Path) -> Option<String> {
    if !path.is_file() {
        return None;
    }
    file::read(path).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// The text of a span; none if the file has no such lines.
fn stretch(text: &str, span: Span) -> Option<String> {
    let (first, last) = (span.start.line as usize, span.end.line as usize);
    let lines: Vec<&str> = text.lines().take(last).skip(first - 1).collect();
    if lines.len() != last + 1 - first {
        return None;
    }
    let mut found = String::new();
    for (index, line) in lines.iter().enumerate() {
        let skipped = if index == 0 { span.start.column as usize - 1 } else { 0 };
        let end = if index + first == last { span.end.column as usize - 1 } else { usize::MAX };
        found.extend(line.chars().take(end).skip(skipped));
        found.push('\n');
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stretch_is_cut_from_its_lines_by_characters() {
        let text = "ä (a\n  b) c\n";
        let cut = |span: &str| stretch(text, span.parse().unwrap());
        assert_eq!(cut("1:3-2:5").as_deref(), Some("(a\n  b)\n"));
        assert_eq!(cut("1:1-1:2").as_deref(), Some("ä\n"));
        assert_eq!(cut("2:1-9:1"), None);
    }
}
