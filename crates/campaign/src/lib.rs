//! What engines work off: the events that tests have to show for a plan's obligations, and how each stands.
//!
//! A criterion's obligation is a [`Demand`] over [`Event`]s: what has to be seen in tests. The
//! [`Ledger`] keeps what measured tests have shown of them and what proofs have refuted, so it says what is still
//! open. It knows nothing of languages, engines or solvers; the criteria remain the judges.
//!
//! Start reading at [`event`], then [`ledger`].

pub mod event;
pub mod ledger;

pub use event::{Demand, Event, EventId, Events};
pub use ledger::{Ledger, Standing, happened};
