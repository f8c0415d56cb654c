//! Campaigns: how far one has come, for whoever waits, and why one cannot be run.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use obligato::campaign::Paths;
use obligato::campaign::{Budget, MadeTest, PhaseReport, Status, Watcher};
use obligato::generate::GenerateObserver;

use crate::output::{Verbosity, counted};
use crate::progress::Progress;

/// No less than this is worth another try.
const LEAST_TIME: Duration = Duration::from_secs(10);
const LEAST_WORK: u64 = 100_000;

/// Ten times as much, or something if it was nothing: what to try next.
pub fn larger(budget: Budget) -> Budget {
    match budget {
        Budget::Time(time) => Budget::Time(time.saturating_mul(10).max(LEAST_TIME)),
        Budget::Work(units) => Budget::Work(units.saturating_mul(10).max(LEAST_WORK)),
    }
}

/// A row per phase; `settled` is what it calls what a test and what a proof settles.
pub fn write_phases(
    phases: impl Iterator<Item = PhaseReport>,
    settled: [&str; 2],
    out: &mut dyn Write,
) -> io::Result<()> {
    let [covered, uncoverable] = settled;
    writeln!(out, "\nphase        tests  {covered:>7}  {uncoverable:>11}        work")?;
    for PhaseReport { phase, tests, covered, uncoverable, work, .. } in phases {
        let name = phase.name();
        writeln!(out, "{name:11}  {tests:5}  {covered:7}  {uncoverable:11}  {work:10}")?;
    }
    Ok(())
}

/// How many new tests there are and how long they are, if there is one.
pub fn describe(made: &[MadeTest]) -> Option<String> {
    let lengths = || made.iter().map(|made| made.test.steps.len());
    let (shortest, longest) = (lengths().min()?, lengths().max()?);
    let (most, sum) = (counted(longest, "step"), lengths().sum::<usize>());
    let length = match made.len() {
        1 => most,
        _ if shortest == longest => format!("{most} each, {sum} in all"),
        _ => format!("{shortest} to {most}, {sum} in all"),
    };
    Some(format!("{} of {length}", counted(made.len(), "new test")))
}

/// How long the phases took, for whoever watches.
pub fn timing(phases: &[PhaseReport]) -> String {
    let parts = phases.iter().map(|report| {
        let (name, seconds) = (report.phase.name(), report.time.as_secs_f64());
        format!("{name} {seconds:.2} s")
    });
    format!("time: {}", parts.collect::<Vec<_>>().join(", "))
}

/// Shows the status of a campaign as a line of progress.
pub struct Watching {
    progress: Progress,
    start: Instant,
    /// What is worked on.
    name: String,
}

impl Watching {
    /// From now on.
    pub fn new(verbosity: Verbosity) -> Self {
        let (progress, start) = (Progress::new(verbosity), Instant::now());
        Self { progress, start, name: String::new() }
    }

    /// Takes the line away: something else is done.
    pub fn rest(&mut self) {
        self.progress.end();
    }
}

impl Watcher for Watching {
    fn watch(&mut self, status: &Status) {
        match status.paths {
            Some(paths) => {
                let line = line_of_paths(&self.name, status, paths);
                self.progress.show(format_args!("{line}"));
            }
            None => self.progress.show(format_args!("{}", line(status, self.start.elapsed()))),
        }
    }
}

impl GenerateObserver for Watching {
    fn begin(&mut self, name: &str) {
        name.clone_into(&mut self.name);
    }
}

/// The function, what is settled of it, the runs and the new tests.
fn line_of_paths(function: &str, status: &Status, paths: Paths) -> String {
    let Paths { runs, waiting } = paths;
    format!(
        "{function}: {} of {} settled; {}, {waiting} candidates; {}",
        status.covered + status.uncoverable,
        status.obligations,
        counted(runs as usize, "run"),
        counted(status.tests, "new test")
    )
}

/// The phase, the obligations, the tests, how deep the search is, and the time so far.
fn line(status: &Status, elapsed: Duration) -> String {
    let Status { phase, covered, uncoverable, tests, depth, .. } = status;
    let depth = depth.map_or_else(String::new, |depth| format!(", depth {depth}"));
    format!(
        "{}{depth}: {covered} covered, {uncoverable} uncoverable, {} open; {}; {} s",
        phase.name(),
        status.open(),
        counted(*tests, "new test"),
        elapsed.as_secs()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use obligato::campaign::Phase;

    #[test]
    fn the_line_has_the_phase_the_counts_the_depth_and_the_time() {
        let status = Status {
            phase: Phase::Complete,
            obligations: 40,
            covered: 30,
            uncoverable: 4,
            tests: 1,
            depth: Some(12),
            paths: None,
        };
        let elapsed = Duration::from_millis(5900);
        let expected = "complete, depth 12: 30 covered, 4 uncoverable, 6 open; 1 new test; 5 s";
        assert_eq!(line(&status, elapsed), expected);
        let shallow = line(&Status { depth: None, tests: 2, ..status }, elapsed);
        assert!(shallow.starts_with("complete: 30 covered"), "{shallow}");
        assert!(shallow.contains("; 2 new tests; "), "{shallow}");
    }
}
