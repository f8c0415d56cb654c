//! The first failure of each check, per test.
//!
//! From the step on in which a test violates an assertion it is no test of the model: later
//! failures, and others in the same step, are not recorded.

use obligato_transition_system::lanes::{Mask, WORDS, lanes};
use obligato_transition_system::{CheckKind, Error, Simulator, System};

use crate::batch::LANES;

/// The first time that a test failed a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Failure {
    /// The step, counted from 0.
    pub step: usize,
    /// The check, by its position in the system.
    pub check: usize,
}

/// The failures of the tests of one batch, gathered step by step.
#[derive(Clone, Debug)]
pub struct Failures {
    /// The checks, assertions first.
    order: Vec<usize>,
    /// The number of assertions among them.
    assertions: usize,
    /// Per check, the lanes that have failed it.
    seen: Vec<Mask<WORDS>>,
    /// The lanes that have violated an assertion.
    outside: Mask<WORDS>,
    by_lane: Vec<Vec<Failure>>,
}

impl Failures {
    /// No failures.
    pub fn new(system: &System) -> Self {
        let is_assertion = |check: &usize| system.checks[*check].kind == CheckKind::Assertion;
        let (mut order, others): (Vec<_>, Vec<_>) =
            (0..system.checks.len()).partition(is_assertion);
        let assertions = order.len();
        order.extend(others);
        Self {
            order,
            assertions,
            seen: vec![[0; WORDS]; system.checks.len()],
            outside: [0; WORDS],
            by_lane: vec![Vec::new(); LANES],
        }
    }

    /// Records the failures of the simulator's last step, which is step `step`.
    pub fn record(&mut self, step: usize, simulator: &Simulator<'_, WORDS>) -> Result<(), Error> {
        let before = self.outside;
        for (position, &check) in self.order.iter().enumerate() {
            let failed = simulator.failed(check)?;
            let ignored = if position < self.assertions { before } else { self.outside };
            let seen = &mut self.seen[check];
            let new: Mask<WORDS> =
                std::array::from_fn(|word| failed[word] & !ignored[word] & !seen[word]);
            for lane in lanes(new) {
                self.by_lane[lane].push(Failure { step, check });
            }
            for word in 0..WORDS {
                seen[word] |= new[word];
                if position < self.assertions {
                    self.outside[word] |= new[word];
                }
            }
        }
        Ok(())
    }

    /// The lanes that have violated an assertion: what they do is no test of the model.
    pub fn outside(&self) -> Mask<WORDS> {
        self.outside
    }

    /// By check, the lanes that have failed it.
    pub fn into_checks(self) -> Vec<Mask<WORDS>> {
        self.seen
    }

    /// The failures of the test in each lane, in the order of steps and then of checks,
    /// assertions first.
    pub fn into_lanes(self) -> Vec<Vec<Failure>> {
        self.by_lane
    }
}
