//! The code that obligations lie in, as a result remembers it: a fingerprint for each function, so that whoever
//! reads the result later can tell whether the code is still the one that was judged.

use crate::error::{StoreError, quoted};
use crate::json::Json;
use crate::json::print::Fields;

/// The fields of a function.
const FIELDS: [&str; 3] = ["file", "function", "fingerprint"];

/// A function or node, as it was when it was judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredFunction {
    /// The file it lies in.
    pub file: String,
    /// Its name; of a node, the call.
    pub function: String,
    /// The [`Fingerprint`](obligato_model::Fingerprint) of its whole text.
    pub fingerprint: String,
}

/// A function on one line.
pub(super) fn print(function: &StoredFunction) -> String {
    let StoredFunction { file, function, fingerprint } = function;
    Fields::new()
        .with_text("file", file)
        .with_text("function", function)
        .with_text("fingerprint", fingerprint)
        .close()
}

/// Reads a function.
pub(super) fn read(json: Json<'_>) -> Result<StoredFunction, StoreError> {
    let object = json.object(&FIELDS)?;
    let fingerprint = object.need("fingerprint")?;
    let text = fingerprint.owned_string()?;
    check(&text).map_err(|reason| fingerprint.invalid(reason))?;
    Ok(StoredFunction {
        file: object.need("file")?.owned_string()?,
        function: object.need("function")?.owned_string()?,
        fingerprint: text,
    })
}

/// Complains about what is no fingerprint.
pub(super) fn check(fingerprint: &str) -> Result<(), String> {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    if fingerprint.len() == 8 && fingerprint.bytes().all(is_digit) {
        return Ok(());
    }
    Err(format!("{} is no fingerprint, which has 8 digits of 0-9 and a-f", quoted(fingerprint)))
}
