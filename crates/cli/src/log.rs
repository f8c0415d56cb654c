//! What engines ask and learn, on standard error while they work, for those who debug one: `OBLIGATO_LOG`.
//!
//! Nothing is written unless the variable is set. Lines have no time, so that two runs with the same budget of work and one
//! thread write the same ones. `docs/debugging.md` says what can be asked for.

use std::io;

use obligato::Error;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{fmt, registry};

use crate::error::CliError;

/// The variable that says what is written.
const VARIABLE: &str = "OBLIGATO_LOG";
/// What every crate of ours begins with. Nobody has to write it.
const PREFIX: &str = "obligato_";
/// The crates that have something to say.
const CRATES: [&str; 5] = ["bv_solver", "c_bmc", "engines_c", "engines_lustre", "prove"];

/// Writes what the variable asks for, from now on.
pub fn start() -> Result<(), CliError> {
    let Some(asked) = std::env::var_os(VARIABLE).filter(|asked| !asked.is_empty()) else {
        return Ok(());
    };
    let filter = parse(&asked.to_string_lossy()).map_err(|part| {
        CliError::from(Error::Input {
            message: format!("{VARIABLE}: '{part}' asks for nothing that is known"),
            way_out: format!(
                "name a level (info, debug, trace), or a crate with one, as in prove=debug; crates are {}",
                CRATES.join(", ")
            ),
        })
    })?;
    let lines = fmt::layer().with_writer(io::stderr).without_time();
    // It fails only if there is one already, which then goes on.
    let _ = registry().with(lines).with(filter).try_init();
    Ok(())
}

/// Reads a list such as `info,prove::ic3=debug`. The error is the part that cannot be read.
fn parse(list: &str) -> Result<Targets, String> {
    let mut targets = Targets::new();
    for part in list.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let unknown = || part.to_owned();
        let (path, level) = match part.split_once('=') {
            Some((path, level)) => (path, level.parse().map_err(|_| unknown())?),
            None => match part.parse::<LevelFilter>() {
                Ok(level) => {
                    targets = targets.with_default(level);
                    continue;
                }
                Err(_) => (part, LevelFilter::TRACE),
            },
        };
        targets = targets.with_target(target_of(path).ok_or_else(unknown)?, level);
    }
    Ok(targets)
}

/// The module with this path, which begins with the directory or the package of a crate.
fn target_of(path: &str) -> Option<String> {
    let path = path.trim().replace('-', "_");
    let short = path.strip_prefix(PREFIX).unwrap_or(&path);
    let name = short.split("::").next()?;
    CRATES.contains(&name).then(|| format!("{PREFIX}{short}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_and_crates_are_read_in_every_spelling() {
        let expected = |name: &str| Targets::new().with_target(name, LevelFilter::DEBUG);
        for text in ["engines-c=debug", "engines_c=DEBUG", " obligato-engines-c=debug, "] {
            assert_eq!(parse(text), Ok(expected("obligato_engines_c")), "{text}");
        }
        assert_eq!(parse("prove::ic3=debug"), Ok(expected("obligato_prove::ic3")));
        assert_eq!(parse("info"), Ok(Targets::new().with_default(LevelFilter::INFO)));
        let traced = Targets::new().with_target("obligato_c_bmc", LevelFilter::TRACE);
        assert_eq!(parse("c-bmc"), Ok(traced));
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        for text in ["engine_c=debug", "prove=loud", "loud", "=debug"] {
            assert_eq!(parse(&format!("info,{text}")), Err(text.to_owned()));
        }
    }
}
