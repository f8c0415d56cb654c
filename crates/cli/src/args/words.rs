//! Arguments that are one of a few words, each for a value of the library.

use clap::builder::{PossibleValuesParser, TypedValueParser};

/// Reads one of these words.
pub fn words_of<T: Copy + Send + Sync + 'static, const N: usize>(
    words: [(&'static str, T); N],
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(words.map(|(word, _)| word)).map(move |given| {
        let found = words.iter().find(|(word, _)| *word == given);
        found.expect("invariant: the parser takes only these words").1
    })
}

/// The word for a value.
pub fn word<T: PartialEq, const N: usize>(
    words: &[(&str, T); N],
    value: Option<T>,
) -> Option<String> {
    let value = value?;
    words.iter().find(|(_, one)| *one == value).map(|(word, _)| (*word).to_owned())
}
