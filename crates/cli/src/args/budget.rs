//! What long work may take: a budget, as it is written a number and what it counts, and threads.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;
use std::time::Duration;

use clap::Args;
use obligato::campaign::Budget;

/// What engines may take.
#[derive(Debug, Args)]
pub struct EffortArgs {
    /// What it may take: 60s, 2m, 1h, or units of work, such as 500000
    #[arg(long, value_name = "BUDGET", default_value = USUAL, value_parser = parse)]
    pub budget: Budget,
    /// How many threads may work [default: as many as the machine has]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    threads: Option<NonZeroUsize>,
}

/// The budget if none is named.
const USUAL: &str = "60s";

/// More threads than this are a slip of the finger.
const MOST_THREADS: usize = 1024;

impl EffortArgs {
    /// How many threads may work.
    pub fn threads(&self) -> usize {
        self.threads.or_else(|| available_parallelism().ok()).map_or(1, NonZeroUsize::get)
    }

    /// The flag for a budget, unless it is the usual one.
    pub fn unusual(budget: Budget) -> Option<String> {
        let given = Self::unusual_words(budget);
        (!given.is_empty()).then(|| format!(" {}", given.join(" ")))
    }

    /// The same, word by word.
    fn unusual_words(budget: Budget) -> Vec<String> {
        let is_usual = parse(USUAL) == Ok(budget);
        if is_usual { Vec::new() } else { vec!["--budget".to_owned(), words(budget)] }
    }
}

fn parse_threads(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse().ok().filter(|number: &NonZeroUsize| number.get() <= MOST_THREADS);
    number.ok_or_else(|| format!("expected a number from 1 to {MOST_THREADS}"))
}

/// A number and the unit behind it, which may be missing.
pub(super) fn split(text: &str) -> Result<(u64, &str), String> {
    let split = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, unit) = text.split_at(split);
    let number =
        digits.parse().map_err(|_| "it starts with a whole number, as in 10s".to_owned())?;
    Ok((number, unit.trim_start()))
}

/// So much time, if the unit is one of time.
pub(super) fn time(number: u64, unit: &str) -> Option<Duration> {
    let seconds = |factor| Duration::from_secs(number.saturating_mul(factor));
    match unit {
        "ms" => Some(Duration::from_millis(number)),
        "s" => Some(seconds(1)),
        "m" => Some(seconds(60)),
        "h" => Some(seconds(3600)),
        _ => None,
    }
}

/// A time, or units of work without a unit.
pub(super) fn parse(text: &str) -> Result<Budget, String> {
    let (number, unit) = split(text)?;
    if unit.is_empty() {
        return Ok(Budget::Work(number));
    }
    time(number, unit)
        .map(Budget::Time)
        .ok_or_else(|| "a time ends in ms, s, m or h; units of work in nothing".to_owned())
}

/// A budget as it is written.
pub fn words(budget: Budget) -> String {
    budget.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_written_as_it_is_read() {
        for text in ["0s", "90s", "250ms", "1m", "90m", "2h", "0", "500000"] {
            assert_eq!(parse(text).map(words).as_deref(), Ok(text));
        }
    }

    #[test]
    fn a_budget_is_a_time_or_units_of_work() {
        assert_eq!(parse("60s"), Ok(Budget::Time(Duration::from_mins(1))));
        assert_eq!(parse("250ms"), Ok(Budget::Time(Duration::from_millis(250))));
        assert_eq!(parse("2 m"), Ok(Budget::Time(Duration::from_mins(2))));
        assert_eq!(parse("1h"), Ok(Budget::Time(Duration::from_hours(1))));
        assert_eq!(parse("500000"), Ok(Budget::Work(500_000)));
        for wrong in ["", "s", "-1s", "1.5s", "10d", "10conflicts", "99999999999999999999"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
