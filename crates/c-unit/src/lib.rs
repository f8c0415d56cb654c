//! C units: the front end proper.
//!
//! A [`Unit`] is a C file read twice over the same text, as syntax and as code, with a [map](mapping) between
//! the two, so that the program runs exactly as it is written and is measured all the same. From there:
//!
//! 1. [`program`] is what criteria plan over; [`gaps`] says what cannot be measured;
//! 2. [`interface`] finds what tests of a function set and see, [`layout`] where in memory that is, [`driver`] how it is called, [`environment`] what else changes, [`Surrounding`] what the code asks for, [`library`] what the standard library does;
//! 3. [`run`] executes tests, `open_inputs` writes down what they leave open, [`record`] makes events of what happens, [`measure`] evidence of events, [`counter`] of counts;
//! 4. [`native`] runs the same tests as machine code and compares; [`Unit::caller_choices`] says what a runtime error depends on;
//! 5. [`annotation`] is the text for other tools that verify C.

pub mod annotation;
pub mod callbacks;
mod caller;
pub mod contracts;
pub mod counter;
pub mod driver;
pub mod effects;
pub mod environment;
mod fingerprint;
pub mod gaps;
pub mod interface;
pub mod layout;
mod loaded_code;
pub mod mapping;
pub mod measure;
pub mod native;
mod open_inputs;
pub mod outside_writes;
pub mod pointed_stubs;
pub mod precondition;
pub mod program;
pub mod random;
pub mod record;
pub mod run;
pub mod script;
mod sequence;
pub mod settings;
pub mod signatures;
pub mod suite;
mod surroundings;
pub mod unit;
mod volatile;
pub mod watch;
pub mod weak;

pub use caller::CallerChoice;
pub use effects::trail::{Effect, Loss, Lost, Trail, Undone};
pub use gaps::{Gap, GapReason};
pub use interface::Interface;
pub use layout::Layout;
pub use native::{Confirmation, Disagreement, NativeBuild, NativeError, NativeOptions, Replay};
pub use obligato_c_library as library;
pub use obligato_execute::{Class, Ending, Finding, FindingKind, SignedOverflow};
pub use run::TestRun;
pub use sequence::Misfit;
pub use settings::Settings;
pub use suite::{Measured, RunError, RunOptions};
pub use surroundings::Surrounding;
pub use unit::{LoadError, LoadOptions, Unit};
