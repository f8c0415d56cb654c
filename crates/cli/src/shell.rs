//! Words as a shell takes them, for commands that are ready to be typed.

use std::path::Path;

use clap::ValueEnum;
pub use obligato::shell::{quote, quote_path};

use crate::args::{ModelArgs, SubjectArgs, UnitArgs, format_word};

/// A model, at some place in it, as it was asked for.
pub fn model_words(model: &ModelArgs, place: &str) -> String {
    let main = model.main.iter().map(|main| format!(" --main {}", quote(main)));
    let inline = model.inline.then(|| " --inline".to_owned());
    let file = format!(" {}{place}", quote_path(&model.file));
    [file].into_iter().chain(main).chain(inline).collect()
}

/// A program, at some place in it, as it was asked for, without flags for clang.
pub fn subject_words(subject: &SubjectArgs, place: &str) -> String {
    let UnitArgs { function, logical_only, no_native, config, inputs, flags: _ } = &subject.unit;
    let function = function.iter().map(|name| format!(" --function {}", quote(name)));
    let switches = [(*logical_only, " --logical-only"), (*no_native, " --no-native")];
    let switches = switches.iter().filter(|(set, _)| *set).map(|(_, name)| (*name).to_owned());
    let config = config.iter().map(|file| format!(" --config {}", quote_path(file)));
    let inputs = inputs.words().into_iter().map(|word| format!(" {}", quote(&word)));
    let model = model_words(&subject.model, place);
    [model].into_iter().chain(function).chain(switches).chain(config).chain(inputs).collect()
}

/// The flags for clang, which come last.
pub fn flag_words(subject: &SubjectArgs) -> String {
    let flags = &subject.unit.flags;
    let dashes = (!flags.is_empty()).then(|| " --".to_owned());
    dashes.into_iter().chain(flags.iter().map(|flag| format!(" {}", quote(flag)))).collect()
}

/// A suite, if there is one, and what is observed, as they were asked for.
pub fn suite_words(
    tests: Option<&Path>,
    from: Option<impl ValueEnum>,
    observe: &[String],
) -> String {
    let tests = tests.map(|tests| format!(" --tests {}", quote_path(tests)));
    let from = from.map(|format| format!(" --from {}", format_word(&format)));
    let observe =
        (!observe.is_empty()).then(|| format!(" --observe {}", quote(&observe.join(","))));
    [tests, from, observe].into_iter().flatten().collect()
}
