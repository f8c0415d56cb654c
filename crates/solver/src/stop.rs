//! Ending early: a flag that others set, and a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Tells long work to end. Clones share the flag; each has its own time.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    flag: Arc<AtomicBool>,
    deadline: Option<Instant>,
}

impl Stop {
    /// Only if somebody asks for it.
    pub fn never() -> Self {
        Self::default()
    }

    /// When `flag` is set, by a signal handler for example.
    pub fn when(flag: Arc<AtomicBool>) -> Self {
        Self { flag, deadline: None }
    }

    /// At this time too, or at the earlier one it had.
    #[must_use]
    pub fn by(&self, deadline: Instant) -> Self {
        let deadline = self.deadline.map_or(deadline, |known| known.min(deadline));
        Self { flag: Arc::clone(&self.flag), deadline: Some(deadline) }
    }

    /// Ends the work of everyone who shares the flag.
    pub fn request(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// Was it asked for by somebody? The time is not looked at.
    pub fn is_requested(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }

    /// Is it time to end?
    pub fn is_due(&self) -> bool {
        self.is_requested() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// The time, if there is one.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn clones_share_the_flag_but_not_the_time() {
        let stop = Stop::never();
        let timed = stop.by(Instant::now());
        assert!(timed.is_due() && !stop.is_due());
        let later = stop.by(Instant::now() + Duration::from_hours(1));
        assert!(!later.is_due());
        later.request();
        assert!(stop.is_due() && stop.is_requested());
    }
}
