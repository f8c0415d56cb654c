//! Who makes verdicts: the criteria from evidence, the campaign from what engines conclude, stores from files. Everyone else
//! looks at them only, and lets the campaign judge.
//!
//! The check parses each file, so that it tells patterns from expressions as the compiler does. Types it does not know: it goes
//! by the name `Verdict`, and [`imports`] refuses other names for it. [`making`] finds what makes or changes a verdict.

use std::path::Path;

use crate::sources::check_texts;

mod imports;
mod making;

/// Where verdicts are made.
const MAKERS: [&str; 3] = ["crates/criteria/", "crates/store/", "crates/campaign/src/judging"];
/// Where the judge of the criteria is called: what it says is not all there is to say of an obligation.
const JUDGES: [&str; 2] = ["crates/criteria/", "crates/campaign/"];

/// Finds code that makes a verdict, or asks the criteria for one, where that is not allowed. Tests may.
pub fn check_verdicts(root: &Path) -> Vec<String> {
    check_texts(root, |path, text| {
        if is_test(path) {
            return None;
        }
        let file = match syn::parse_file(text) {
            Ok(file) => file,
            Err(error) => return Some(format!("{path}: {error}")),
        };
        let is_among = |places: &[&str]| places.iter().any(|place| path.starts_with(place));
        let mut found = Vec::new();
        if !is_among(&MAKERS) {
            found.extend(imports::names(&file));
            found.extend(making::made(&file));
        }
        if !is_among(&JUDGES) {
            found.extend(imports::judges(&file));
        }
        if is_among(&JUDGES) {
            found.extend(making::minted(&file));
        }
        let first = found.into_iter().min_by_key(|one| one.line)?;
        Some(format!("{path}:{}: {}", first.line, first.what))
    })
}

/// Something that is not allowed.
struct Found {
    line: usize,
    what: String,
}

fn is_test(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.contains("/tests/") || path.contains("/benches/")
}

/// Is an item compiled for tests only?
fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"))
    })
}

#[cfg(test)]
mod tests;
