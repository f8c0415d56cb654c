//! The code that obligations lie in, as a result remembers it: a fingerprint for each function, so that whoever
//! reads the result later can tell whether the code is still the one that was judged.

use crate::error::{StoreError, quoted};
use crate::json::Json;
use crate::json::print::Fields;

/// The fields of a function.
const FIELDS: [&str; 4] = ["file", "function", "fingerprint", "code"];

/// A function or node, as it was when it was judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredFunction {
    /// The file it lies in.
    pub file: String,
    /// Its name; of a node, the call.
    pub function: String,
    /// The [`Fingerprint`](obligato_model::Fingerprint) of its whole text.
    pub fingerprint: String,
    /// The fingerprint of its code with the macros and callees that it depends on, in 16 digits, of languages that have one.
    pub code: Option<String>,
}

/// A function on one line.
pub(super) fn print(function: &StoredFunction) -> String {
    let StoredFunction { file, function, fingerprint, code } = function;
    let fields = Fields::new()
        .with_text("file", file)
        .with_text("function", function)
        .with_text("fingerprint", fingerprint);
    match code {
        None => fields.close(),
        Some(code) => fields.with_text("code", code).close(),
    }
}

/// Reads a function.
pub(super) fn read(json: Json<'_>) -> Result<StoredFunction, StoreError> {
    let object = json.object(&FIELDS)?;
    let fingerprint = object.need("fingerprint")?;
    let text = fingerprint.owned_string()?;
    check(&text, 8).map_err(|reason| fingerprint.invalid(reason))?;
    let code = match object.get("code") {
        None => None,
        Some(code) => {
            let text = code.owned_string()?;
            check(&text, 16).map_err(|reason| code.invalid(reason))?;
            Some(text)
        }
    };
    Ok(StoredFunction {
        file: object.need("file")?.owned_string()?,
        function: object.need("function")?.owned_string()?,
        fingerprint: text,
        code,
    })
}

/// Complains about what is no fingerprint of so many digits.
pub(super) fn check(fingerprint: &str, digits: usize) -> Result<(), String> {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    if fingerprint.len() == digits && fingerprint.bytes().all(is_digit) {
        return Ok(());
    }
    let quoted = quoted(fingerprint);
    Err(format!("{quoted} is no fingerprint, which has {digits} digits of 0-9 and a-f"))
}
