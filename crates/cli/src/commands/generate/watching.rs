//! How far a campaign has come, for whoever waits.

use std::time::{Duration, Instant};

use obligato_generate::{Status, Watcher};

use crate::output::{Verbosity, counted};
use crate::progress::Progress;

/// Shows the status of a campaign as a line of progress.
pub struct Watching {
    progress: Progress,
    start: Instant,
}

impl Watching {
    /// From now on.
    pub fn new(verbosity: Verbosity) -> Self {
        Self { progress: Progress::new(verbosity), start: Instant::now() }
    }
}

impl Watcher for Watching {
    fn watch(&mut self, status: &Status) {
        self.progress.show(format_args!("{}", line(status, self.start.elapsed())));
    }
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
    use obligato_generate::Phase;

    #[test]
    fn the_line_has_the_phase_the_counts_the_depth_and_the_time() {
        let status = Status {
            phase: Phase::Complete,
            obligations: 40,
            covered: 30,
            uncoverable: 4,
            tests: 1,
            depth: Some(12),
        };
        let elapsed = Duration::from_millis(5900);
        let expected = "complete, depth 12: 30 covered, 4 uncoverable, 6 open; 1 new test; 5 s";
        assert_eq!(line(&status, elapsed), expected);
        let shallow = line(&Status { depth: None, tests: 2, ..status }, elapsed);
        assert!(shallow.starts_with("complete: 30 covered"), "{shallow}");
        assert!(shallow.contains("; 2 new tests; "), "{shallow}");
    }
}
