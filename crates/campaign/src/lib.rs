//! The campaign: what engines of every language are asked to do, what is still open, and which verdicts follow.
//!
//! A criterion's obligation is a [`Demand`] over [`Event`]s: what has to be seen in tests. The
//! [`Ledger`] keeps what measured tests have shown of them and what proofs have refuted, so it says what is still
//! open. A [`Request`] goes to the engines of a language, and an [`Outcome`] comes back. [`judging`] makes verdicts of the
//! evidence of tests and of what engines have concluded; the criteria remain the judges of evidence.
//!
//! [`walk`](mod@walk) goes from a request to verdicts, with what a [`Language`] supplies.
//!
//! Start reading at [`event`], then [`ledger`], [`judging`], [`language`] and [`walk`](mod@walk).

pub mod budget;
pub mod event;
pub mod judging;
pub mod language;
pub mod ledger;
pub mod outcome;
pub mod phase;
pub mod proof;
pub mod reduction;
pub mod request;
pub mod status;
pub mod walk;

pub use budget::{Budget, RunningBudget};
pub use event::{Demand, Event, EventId, Events};
pub use judging::{Conclusion, Conclusions, Gap, GapReason, Gaps, Knowledge, assess};
pub use language::{Confirmed, Language, Purpose, Replayed, Searched};
pub use ledger::{Ledger, Standing, happened};
pub use outcome::{CampaignError, ErrorKind, Outcome};
pub use phase::{MadeTest, Phase, PhaseReport, PhaseReports, RunningPhase};
pub use proof::{BookedProof, NamedSystem};
pub use request::Request;
pub use status::{Paths, Status, Watcher};
pub use walk::{Superfluous, WalkError, Walked, walk};
