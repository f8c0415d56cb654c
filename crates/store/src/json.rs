//! Reading JSON with places.
//!
//! A [`Json`] is a value that is known to be well formed, as the slice of the
//! source it stands in. It is opened one level at a time, so numbers keep their
//! text and every complaint has a line. Opening a level scans what is below it
//! again; the formats are a handful of levels deep, so reading stays linear.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::error::{StoreError, quoted};
use crate::source::Source;

pub mod print;
pub mod words;

/// A well-formed JSON value in its source.
#[derive(Clone, Copy, Debug)]
pub struct Json<'a> {
    source: Source<'a>,
    text: &'a str,
}

/// A field of an object: its name, where that stands, and its value.
#[derive(Clone, Debug)]
pub struct Entry<'a> {
    pub name: Cow<'a, str>,
    pub key: Json<'a>,
    pub value: Json<'a>,
}

impl<'a> Json<'a> {
    /// The one value in `source`.
    pub fn parse(source: Source<'a>) -> Result<Self, StoreError> {
        match serde_json::from_str::<&RawValue>(source.0) {
            Ok(raw) => Ok(Self { source, text: raw.get() }),
            Err(error) => {
                let offset = source.offset_at(error.line(), error.column());
                let message = error.to_string();
                let reason = message.split(" at line ").next().unwrap_or_default();
                Err(StoreError::Syntax {
                    place: source.place(offset),
                    reason: format!("this is not JSON: {reason}"),
                })
            }
        }
    }

    /// A complaint about this value.
    pub fn invalid(self, reason: impl Into<String>) -> StoreError {
        self.invalid_at(0, reason)
    }

    /// A complaint about what stands at byte `offset` of this value.
    pub fn invalid_at(self, offset: usize, reason: impl Into<String>) -> StoreError {
        self.source.invalid(self.text, offset, reason)
    }

    /// The source text of the value.
    pub fn text(self) -> &'a str {
        self.text
    }

    /// The fields of an object, in order.
    pub fn entries(self) -> Result<Vec<Entry<'a>>, StoreError> {
        let Entries(entries) = self.open('{', "an object")?;
        let at = |raw: &'a RawValue| Self { source: self.source, text: raw.get() };
        entries
            .into_iter()
            .map(|(key, value)| {
                let key = at(key);
                Ok(Entry { name: key.string()?, key, value: at(value) })
            })
            .collect()
    }

    /// The fields of an object that may have these and no others.
    pub fn object(self, known: &'static [&'static str]) -> Result<Object<'a>, StoreError> {
        Object::new(self, self.entries()?, known)
    }

    /// The items of an array.
    pub fn items(self) -> Result<Vec<Self>, StoreError> {
        let items: Vec<&'a RawValue> = self.open('[', "an array")?;
        let source = self.source;
        let item = |raw: &'a RawValue| Self { source, text: raw.get() };
        Ok(items.into_iter().map(item).collect())
    }

    /// A string, decoded.
    pub fn string(self) -> Result<Cow<'a, str>, StoreError> {
        if self.text.starts_with('"') && !self.text.contains('\\') {
            return Ok(Cow::Borrowed(&self.text[1..self.text.len() - 1]));
        }
        self.open('"', "a string").map(Cow::Owned)
    }

    /// A string, as an owned text.
    pub fn owned_string(self) -> Result<String, StoreError> {
        self.string().map(Cow::into_owned)
    }

    /// A string that a `FromStr` reads.
    pub fn parsed<T>(self) -> Result<T, StoreError>
    where
        T: std::str::FromStr<Err: fmt::Display>,
    {
        let text = self.string()?;
        text.parse().map_err(|error: T::Err| self.invalid(format!("{}: {error}", quoted(&text))))
    }

    /// `true` or `false`.
    pub fn boolean(self) -> Result<bool, StoreError> {
        match self.text {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(self.expected("true or false")),
        }
    }

    /// A number that is a whole one of type `T`.
    pub fn whole<T: std::str::FromStr>(self) -> Result<T, StoreError> {
        let plain = self.text.bytes().all(|byte| byte.is_ascii_digit());
        plain
            .then(|| self.text.parse().ok())
            .flatten()
            .ok_or_else(|| self.expected("a whole number from 0 that is not too large"))
    }

    /// A complaint that this is something else than it should be.
    pub fn expected(self, what: &str) -> StoreError {
        self.invalid(format!("expected {what}, found {}", self.found()))
    }

    /// What this is, for messages.
    pub fn found(self) -> String {
        match self.text.as_bytes().first() {
            Some(b'{') => "an object".to_owned(),
            Some(b'[') => "an array".to_owned(),
            Some(b'"') => "a string".to_owned(),
            _ => quoted(self.text),
        }
    }

    fn open<T: Deserialize<'a>>(self, first: char, what: &str) -> Result<T, StoreError> {
        if !self.text.starts_with(first) {
            return Err(self.expected(what));
        }
        // The text is known to be well formed, but for escapes that are half of
        // a character.
        serde_json::from_str(self.text)
            .map_err(|_| self.invalid("this string escapes something that is no character"))
    }
}

/// The fields of one object, by name; see [`Json::object`].
#[derive(Debug)]
pub struct Object<'a> {
    json: Json<'a>,
    known: &'static [&'static str],
    values: Vec<Option<Entry<'a>>>,
}

impl<'a> Object<'a> {
    /// The object at `json` with these entries, each known and there once.
    pub fn new(
        json: Json<'a>,
        entries: Vec<Entry<'a>>,
        known: &'static [&'static str],
    ) -> Result<Self, StoreError> {
        let mut values: Vec<Option<Entry<'a>>> = vec![None; known.len()];
        for entry in entries {
            let Some(at) = known.iter().position(|name| *name == entry.name) else {
                return Err(entry.key.invalid(format!(
                    "unknown field {}; known are {}",
                    quoted(&entry.name),
                    known.join(", ")
                )));
            };
            if values[at].is_some() {
                return Err(twice(&entry));
            }
            values[at] = Some(entry);
        }
        Ok(Self { json, known, values })
    }

    /// The value of a field, if it is there.
    pub fn get(&self, name: &str) -> Option<Json<'a>> {
        let at = self.known.iter().position(|known| *known == name);
        let at = at.expect("invariant: only known fields are asked for");
        self.values[at].as_ref().map(|entry| entry.value)
    }

    /// The value of a field that has to be there.
    pub fn need(&self, name: &str) -> Result<Json<'a>, StoreError> {
        self.get(name).ok_or_else(|| self.json.invalid(format!("the field '{name}' is missing")))
    }

    /// The items of an array that may be left out.
    pub fn list(&self, name: &str) -> Result<Vec<Json<'a>>, StoreError> {
        self.get(name).map_or(Ok(Vec::new()), Json::items)
    }

    /// Complains about the first field there that is not among `allowed`.
    pub fn only(&self, allowed: &[&str], whose: &str) -> Result<(), StoreError> {
        let stranger =
            self.values.iter().flatten().find(|entry| !allowed.contains(&entry.name.as_ref()));
        stranger.map_or(Ok(()), |entry| {
            let name = &entry.name;
            let reason = format!("the field '{name}' does not belong to {whose}");
            Err(entry.key.invalid(reason))
        })
    }
}

/// A complaint that a field is there for the second time.
pub fn twice(entry: &Entry<'_>) -> StoreError {
    let reason = format!("the field {} is given twice", quoted(&entry.name));
    entry.key.invalid(reason)
}

/// The keys and values of an object as slices of the source. A map of the
/// standard library would lose duplicates and places.
struct Entries<'a>(Vec<(&'a RawValue, &'a RawValue)>);

impl<'de> Deserialize<'de> for Entries<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct EntriesVisitor;

        impl<'de> Visitor<'de> for EntriesVisitor {
            type Value = Entries<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }

        deserializer.deserialize_map(EntriesVisitor)
    }
}
