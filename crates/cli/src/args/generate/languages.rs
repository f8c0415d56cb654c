//! Which options are for which language: the one table, and the refusal of an option that a file does not have.

use clap::ArgMatches;
use clap::parser::ValueSource;
use obligato::Error;

use crate::args::FileLanguage::{self, C, Commands, Lustre};

/// Options that the same languages have.
struct Row {
    /// As arguments are called in the definitions.
    options: &'static [&'static str],
    takes: &'static [FileLanguage],
    /// What to do with a file of another language.
    way_out: &'static str,
}

const MODELS: &[FileLanguage] = &[Lustre];
const FUNCTIONS: &[FileLanguage] = &[C, Commands];
const FILES: &[FileLanguage] = &[Lustre, C];

/// How programs are read: for every command that reads one.
const SUBJECT: [Row; 4] = [
    Row {
        options: &["main", "inline"],
        takes: MODELS,
        way_out: "a function of a C file is chosen by --function",
    },
    Row { options: &["function"], takes: &[C], way_out: NODE },
    Row {
        options: &["flags"],
        takes: &[C],
        way_out: "a model has none, and a compile_commands.json has those of its files",
    },
    Row {
        options: &[
            "logical_only",
            "no_native",
            "config",
            "elements",
            "structures",
            "depth",
            "array",
            "calls",
            "volatile",
            "allocation",
            "range",
            "assume",
            "global",
            "fixed",
            "state",
            "init",
            "event",
            "alias",
            "signed_overflow",
            "operations",
        ],
        takes: FUNCTIONS,
        way_out: "what holds of the inputs of a model is written into it, as 'assert'",
    },
];

const NODE: &str = "a node is chosen by --main, and of a project every function is done";

/// What only `generate` has.
const GENERATE: [Row; 8] = [
    Row {
        options: &["engine"],
        takes: MODELS,
        way_out: "the search for paths is chosen by --strategy",
    },
    Row { options: &["mutants"], takes: MODELS, way_out: "mutants are made of models only" },
    Row {
        options: &["steps", "strategy", "no_filter", "levels", "fail_on_fault"],
        takes: FUNCTIONS,
        way_out: "the engines of a model are chosen by --engine, and 'obligato run' has its faults",
    },
    Row {
        options: &["faults"],
        takes: &[C],
        way_out: "name a C file, with --function; suites are of one function",
    },
    Row {
        options: &["tests", "from", "count_failing", "output"],
        takes: FILES,
        way_out: "suites are of one function; name a C file and one function by --function",
    },
    Row {
        options: &["shard"],
        takes: FILES,
        way_out: "a project is not divided into shards; give functions to machines, by --function",
    },
    Row {
        options: &["list", "matrix", "table"],
        takes: FILES,
        way_out: "each function has a store, which 'obligato report' shows",
    },
    Row {
        options: &["no_store"],
        takes: FILES,
        way_out: "it leaves nothing of the functions of a project",
    },
];

/// Refuses an option that was given and that files of this language do not have.
pub fn refuse_foreign(
    command: &str,
    matches: &ArgMatches,
    language: FileLanguage,
) -> Result<(), Error> {
    if language == FileLanguage::Unknown {
        return Ok(());
    }
    let own = if command == "generate" { &GENERATE[..] } else { &[] };
    let is_given = |option: &&str| {
        matches.try_contains_id(option).is_ok()
            && matches.value_source(option) == Some(ValueSource::CommandLine)
    };
    for Row { options, takes, way_out } in SUBJECT.iter().chain(own) {
        if takes.contains(&language) {
            continue;
        }
        if let Some(option) = options.iter().copied().find(is_given) {
            return Err(Error::Input {
                message: format!("{} is {}", spelt(option), words(takes)),
                way_out: (*way_out).to_owned(),
            });
        }
    }
    Ok(())
}

/// The option as it is typed.
fn spelt(option: &str) -> String {
    match option {
        "flags" => "a flag for clang".to_owned(),
        other => format!("--{}", other.replace('_', "-")),
    }
}

fn words(takes: &[FileLanguage]) -> &'static str {
    match takes {
        [Lustre] => "for Lustre models",
        [C] => "for one C file",
        [Lustre, C] => "not for a project",
        _ => "for C functions",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use clap::CommandFactory as _;

    use super::*;
    use crate::args::Cli;

    /// The options of `generate` that every language has.
    const ALL: [&str; 15] = [
        "file",
        "observe",
        "budget",
        "threads",
        "seed",
        "reduce",
        "no_reduce",
        "fail_on_unresolved",
        "criterion",
        "format",
        "store",
        "justifications",
        "quiet",
        "color",
        "help",
    ];

    #[test]
    fn every_option_of_generate_has_its_languages() {
        let mut command = Cli::command();
        command.build();
        let generate = command.find_subcommand("generate").unwrap();
        let known = SUBJECT.iter().chain(&GENERATE).flat_map(|row| row.options.iter().copied());
        let known: HashSet<&str> = known.chain(ALL).collect();
        let defined: HashSet<&str> =
            generate.get_arguments().map(|argument| argument.get_id().as_str()).collect();
        assert_eq!(known, defined);
    }
}
