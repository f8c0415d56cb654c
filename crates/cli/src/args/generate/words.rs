//! A request as the words of a command line that asks for the same: how a project hands a function to a process of its own.
//!
//! Every field of the request is taken apart here, so that one that is added and not written is an error of the compiler.

use std::ffi::OsString;
use std::path::Path;

use clap::ValueEnum as _;
use obligato::campaign::Superfluous;
use obligato::expectations::FailingTests;
use obligato::generate::{Filtering, Strategy};
use obligato::generate::{GenerateRequest, SearchOptions, Steps};
use obligato::judging::JudgingOptions;
use obligato::subject::{ModelOptions, SubjectOptions, UnitOptions};
use obligato_store::suite;

use super::{USUAL_LEVELS, USUAL_STRATEGY};
use crate::args::unit::input_words;
use crate::args::{SuiteFormat, format_word};

/// The words behind `obligato generate` that ask the same of a C function. What only models have, phases and mutants, has its
/// usual value.
pub fn of_request(request: &GenerateRequest) -> Vec<OsString> {
    let GenerateRequest {
        subject: SubjectOptions { file, model, unit },
        tests,
        format,
        observe,
        judging,
        phases: _,
        budget,
        threads,
        seed,
        shard,
        mutants: _,
        superfluous,
        search,
        output,
        errors,
    } = request;
    let ModelOptions { main: None, inline: false } = model else {
        unreachable!("invariant: a C function is asked for");
    };
    let mut words = Words(vec![file.into()]);
    words.path("--tests", tests.as_deref());
    words.pair("--from", format.and_then(suite_word));
    words.pair("--observe", joined(observe));
    words.judging(judging);
    words.pair("--budget", Some(budget.to_string()));
    words.pair("--threads", Some(threads.to_string()));
    words.pair("--seed", Some(seed.to_string()));
    words.pair("--shard", shard.map(|shard| shard.to_string()));
    words.flag(match superfluous {
        Superfluous::LeaveOut => "--reduce",
        Superfluous::Keep => "--no-reduce",
    });
    words.0.extend(of_search(search).into_iter().map(OsString::from));
    words.path("--output", output.as_deref());
    words.path("--faults", errors.as_deref());
    words.unit(unit);
    words.0
}

/// How paths are searched, where that is not as usual.
pub fn of_search(search: &SearchOptions) -> Vec<String> {
    let SearchOptions { steps, strategy, filtering, levels } = search;
    let pair = |name: &str, value: String| [name.to_owned(), value];
    let steps = match steps {
        Steps::Auto => None,
        Steps::AtMost(steps) => Some(pair("--steps", steps.to_string())),
    };
    let named = Strategy::ALL.into_iter().find(|(_, one)| one == strategy);
    let strategy = named.map(|(name, _)| name).filter(|name| *name != USUAL_STRATEGY);
    let strategy = strategy.map(|name| pair("--strategy", name.to_owned()));
    let filter = (*filtering == Filtering::Off).then(|| "--no-filter".to_owned());
    let levels = (*levels != USUAL_LEVELS).then(|| pair("--levels", levels.to_string()));
    let before = [steps, strategy].into_iter().flatten().flatten();
    before.chain(filter).chain(levels.into_iter().flatten()).collect()
}

struct Words(Vec<OsString>);

impl Words {
    fn flag(&mut self, name: &str) {
        self.0.push(name.into());
    }

    fn pair(&mut self, name: &str, value: Option<String>) {
        self.0.extend(value.map(|value| OsString::from(format!("{name}={value}"))));
    }

    fn path(&mut self, name: &str, path: Option<&Path>) {
        if let Some(path) = path {
            let mut word = OsString::from(format!("{name}="));
            word.push(path);
            self.0.push(word);
        }
    }

    fn judging(&mut self, judging: &JudgingOptions) {
        let JudgingOptions { criteria, justifications, failing, tables, invocation: _, store } =
            judging;
        let criteria: Vec<String> = criteria.iter().map(ToString::to_string).collect();
        self.pair("--criterion", joined(&criteria));
        self.path("--justifications", justifications.as_deref());
        if *failing == FailingTests::Count {
            self.flag("--count-failing");
        }
        if *tables {
            self.flag("--table");
        }
        match store {
            Some(store) => self.path("--store", Some(store)),
            None => self.flag("--no-store"),
        }
    }

    fn unit(&mut self, unit: &UnitOptions) {
        let UnitOptions { function, logical_only, no_native, config, inputs, flags } = unit;
        self.pair("--function", function.clone());
        for (given, name) in [(*logical_only, "--logical-only"), (*no_native, "--no-native")] {
            if given {
                self.flag(name);
            }
        }
        self.path("--config", config.as_deref());
        self.0.extend(input_words(inputs).into_iter().map(OsString::from));
        self.flag("--");
        self.0.extend(flags.iter().map(OsString::from));
    }
}

fn joined(list: &[String]) -> Option<String> {
    Some(list.join(",")).filter(|list| !list.is_empty())
}

fn suite_word(format: suite::Format) -> Option<String> {
    let variants = SuiteFormat::value_variants().iter();
    let mut named = variants.filter(|one| suite::Format::from(**one) == format);
    named.next().map(format_word)
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::args::{Cli, Command};
    use crate::commands::generate::request;

    fn asked(arguments: &[OsString]) -> GenerateRequest {
        let command = ["obligato", "generate"].map(OsString::from);
        let cli = Cli::try_parse_from(command.iter().chain(arguments)).unwrap();
        let Command::Generate(arguments) = cli.command else { unreachable!() };
        request(&arguments).unwrap()
    }

    /// Every option of C functions, and two values where a value may be the usual one.
    const OPTIONS: [&str; 45] = [
        "",
        "--tests=s.csv",
        "--tests=s.txt --from=csv",
        "--tests=s.csv --count-failing",
        "--observe=x,y",
        "--budget=500",
        "--budget=90s",
        "--threads=3",
        "--seed=7",
        "--shard=2/3",
        "--reduce",
        "--no-reduce",
        "--output=new.csv",
        "--faults=bad.csv",
        "--steps=4",
        "--strategy=dfs",
        "--no-filter",
        "--levels=5",
        "--criterion=mcdc,bvc",
        "--criterion=omcdc:all",
        "--justifications=reasons.toml",
        "--table",
        "--store=elsewhere",
        "--no-store",
        "--logical-only",
        "--no-native",
        "--config=other.toml",
        "--elements=3",
        "--elements=p=2",
        "--structures=2",
        "--depth=2",
        "--array=9",
        "--calls=2",
        "--volatile=memory",
        "--allocation=succeeds",
        "--range=x=0..3",
        "--assume=x > 0 && y",
        "--global=g,h",
        "--fixed=k",
        "--state=free",
        "--init=start",
        "--event=tick --event=tock",
        "--alias",
        "--signed-overflow=wraps",
        "--operations=12345",
    ];

    #[test]
    fn the_words_of_a_request_ask_for_the_same_request() {
        for option in OPTIONS {
            let mut arguments = vec!["x.c".to_owned(), "--function=f".to_owned()];
            // Words are apart where a dash follows.
            let words = option.replace(" --", "\n--");
            arguments.extend(words.lines().map(str::to_owned));
            arguments.extend(["--", "-DX=1", "-I include"].map(str::to_owned));
            let arguments: Vec<OsString> = arguments.into_iter().map(OsString::from).collect();
            let request = asked(&arguments);
            let again = asked(&of_request(&request));
            assert_eq!(format!("{request:?}"), format!("{again:?}"), "{option}");
        }
    }
}
