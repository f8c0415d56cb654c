//! A test or a proof for every obligation of a Lustre model.
//!
//! The [`Ledger`] of a plan says which [`Event`]s no test has shown yet; engines look for those.
//!
//! A campaign goes through phases. An [`Explorer`] comes first: directed random tests, which cover what is
//! easy. For solvers, [`targets`] makes events Booleans of transition systems; [`stepping`] solves
//! from concrete states, [`solving`](campaign) from the initial one, and [`proving`] refutes the rest.
//! Whatever is found is replayed on a [`Workbench`] before it counts.
//!
//! Start reading at [`campaign`], then [`targets`].
//! [`instrument`] writes the same Booleans as properties for other model checkers.

pub mod asked;
pub mod campaign;
pub mod explore;
mod functions;
pub mod incremental;
pub mod instrument;
pub mod monitor;
pub mod mutants;
mod numbers;
pub mod outcome;
pub mod proofs;
pub mod properties;
pub mod prover;
pub mod proving;
pub mod question;
pub mod request;
mod solving;
pub mod stepping;
pub mod targets;
pub mod workbench;

pub use campaign::{CampaignError, run, run_part};
pub use explore::{Ended, Exploration, Explorer, Terrain};
pub use obligato_campaign::{Demand, Event, EventId, Events, Ledger, Standing, event, ledger};
pub use outcome::{MadeTest, Outcome, PhaseReport};
pub use request::{Budget, Phase, Request, Status, Watcher};
pub use targets::{Effect, Monitored, ProphecyInput, Targets};
pub use workbench::Workbench;
