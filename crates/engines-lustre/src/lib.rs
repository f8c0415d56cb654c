//! A test or a proof for every obligation of a Lustre model.
//!
//! The [`Ledger`] of a plan lists the open [`Event`]s, which no test has shown yet; engines search for those.
//!
//! The engines of a campaign share its budget from the beginning; a [`schedule`] says which works next. An [`Explorer`] tests at
//! random, which covers the easy events. For solvers, [`targets`] makes events Booleans of transition systems; [`stepping`]
//! solves from concrete states, [`solving`](campaign) from the initial one, and [`proving`] refutes the rest.
//! A [`Workbench`] replays every witness before it counts.
//!
//! Start reading at [`campaign`], then [`targets`].
//! [`instrument`] writes the same Booleans as properties for other model checkers.

pub mod campaign;
mod engine;
pub mod explore;
mod functions;
pub mod incremental;
pub mod instrument;
pub mod monitor;
pub mod mutants;
mod portfolio;
pub mod proofs;
pub mod properties;
pub mod prover;
pub mod proving;
pub mod query;
mod random;
mod refuting;
pub mod request;
pub mod schedule;
pub mod shared_query;
mod solving;
pub mod stepping;
pub mod targets;
mod unbounded;
pub mod undefined;
pub mod workbench;

pub use campaign::{ModelError, run};
pub use explore::{Exploration, ExplorationEnd, Explorer, PreparedModel};
pub use obligato_campaign::{
    Budget, Demand, Event, EventId, Events, Ledger, MadeTest, Phase, PhaseReport, Standing, Status,
    Watcher, event, ledger,
};
pub use request::{ModelFindings, ModelUnderTest, Outcome, Request};
pub use targets::{Effect, Monitored, ProphecyInput, Targets};
pub use workbench::Workbench;
