//! Ending long work by a signal: the first asks it to stop, and what was done so far counts; the
//! second ends the process at once.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use obligato::Stop;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::error::CliError;
use obligato::Error;

/// A stop that Ctrl-C and a polite `kill` ask for.
pub fn stop_on_signals() -> Result<Stop, CliError> {
    let asked = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // In this order: the flag is still down when the first signal looks at it.
        flag::register_conditional_default(signal, Arc::clone(&asked))
            .and_then(|_| flag::register(signal, Arc::clone(&asked)))
            .map_err(|source| {
                CliError::from(Error::Internal(format!("no signal can be caught: {source}")))
            })?;
    }
    Ok(Stop::when(asked))
}
