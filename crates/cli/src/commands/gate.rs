//! `obligato gate`: is a stored result good enough?
//!
//! [`run`] is the walk: the settings and the result are read, justifications are held against it anew, [`Shortage`]s are what is
//! missing; [`ratchet`] compares with an older result, [`report`] says what came of it.

use std::collections::BTreeMap;

use obligato_model::{Criterion, Verdict};
use obligato_store::{StoredObligation, StoredResult};

use crate::args::{Format, GateArgs};
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::Output;
use obligato::Error;
use obligato::config::GateSettings;
use obligato::gate::{Allowed, Percent};
use obligato::justifications::Justifications;
use obligato::storage;

mod ratchet;
mod report;

use ratchet::Slip;

/// What is required, flags and file together.
struct Gate {
    require: BTreeMap<Criterion, Percent>,
    allow: Vec<Allowed>,
    forbid_unresolved: bool,
}

/// What came of a gate.
struct Outcome<'a> {
    result: &'a StoredResult,
    rows: Vec<Row>,
    /// Obligations of the required criteria that are not met, and those that may not be unresolved.
    missing: Vec<&'a StoredObligation>,
    /// What is worse than in the older result, if there is one.
    slips: Option<Vec<Slip<'a>>>,
    exit: Exit,
}

/// A criterion, what is required of it, and what there is.
struct Row {
    criterion: Criterion,
    required: Percent,
    met: usize,
    unresolved: usize,
    total: usize,
    is_enough: bool,
}

/// Reads, compares, reports.
pub fn run(arguments: &GateArgs, output: &mut Output) -> Result<Exit, CliError> {
    let settings = GateSettings::find(arguments.config.as_deref())?;
    let older = arguments.ratchet.clone().or(settings.ratchet.clone());
    let gate = Gate::new(arguments, settings);
    if gate.require.is_empty() && older.is_none() {
        return Err(CliError::from(Error::Input {
            message: "nothing is required".to_owned(),
            way_out: "name a criterion, as in --mcdc 100, an older result by --ratchet, \
                      or write a [gate] into obligato.toml"
                .to_owned(),
        }));
    }
    let older = older.map(|path| obligato_store::result::load(&path)).transpose()?;
    let mut result = storage::load(&arguments.store)?;
    let justifications = Justifications::load(arguments.justifications.as_deref())?;
    let mut notes = justifications.apply(&mut result);
    notes.extend(justifications.elsewhere(&result));
    gate.expect_measured(&result)?;

    let slips = older.as_ref().map(|older| ratchet::slips(&gate, older, &result)).transpose()?;
    let outcome = gate.judge(&result, slips);
    if arguments.format == Format::Json {
        output.write_text(&report::document(&outcome))?;
        let mut words = output.beside();
        notes.iter().try_for_each(|note| words.remark(format_args!("{note}")))?;
        words.finish()?;
    } else {
        notes.iter().try_for_each(|note| output.remark(format_args!("{note}")))?;
        report::write(&outcome, arguments, output)?;
    }
    Ok(outcome.exit)
}

impl Gate {
    fn new(arguments: &GateArgs, settings: GateSettings) -> Self {
        let mut require = settings.require;
        for one in arguments.required.all().iter().chain(&arguments.require) {
            require.insert(one.criterion, one.percent);
        }
        let allow = arguments.allow.clone().or(settings.allow).unwrap_or_default();
        let forbid_unresolved = arguments.forbid_unresolved || settings.forbid_unresolved;
        Self { require, allow, forbid_unresolved }
    }

    /// A criterion that nobody looked at is neither met nor missed.
    fn expect_measured(&self, result: &StoredResult) -> Result<(), CliError> {
        let missing = self.require.keys().find(|one| !result.criteria.contains(one));
        let Some(missing) = missing else { return Ok(()) };
        let known: Vec<String> = result.criteria.iter().map(ToString::to_string).collect();
        Err(CliError::from(Error::Input {
            message: format!("the stored result says nothing of {missing}"),
            way_out: format!("it has {}; measure with --criterion {missing}", known.join(", ")),
        }))
    }

    /// Is an obligation closed in a way that counts?
    fn is_met(&self, obligation: &StoredObligation) -> bool {
        match obligation.verdict {
            Verdict::Covered { .. } => true,
            Verdict::Uncoverable(_) => self.allow.contains(&Allowed::Uncoverable),
            Verdict::Justified(_) => self.allow.contains(&Allowed::Justified),
            Verdict::Unresolved(_) => false,
        }
    }

    /// How many obligations of a criterion are met.
    fn met(&self, result: &StoredResult, criterion: Criterion) -> usize {
        let asked = result.obligations.iter().filter(|one| one.criterion == criterion);
        asked.filter(|one| self.is_met(one)).count()
    }

    fn judge<'a>(&self, result: &'a StoredResult, slips: Option<Vec<Slip<'a>>>) -> Outcome<'a> {
        let rows: Vec<Row> = self
            .require
            .iter()
            .map(|(criterion, required)| {
                let (criterion, required) = (*criterion, *required);
                let tally = result.tally(criterion);
                let (met, total) = (self.met(result, criterion), tally.total());
                let is_enough = required.is_met_by(met, total);
                Row { criterion, required, met, unresolved: tally.unresolved, total, is_enough }
            })
            .collect();
        let is_short =
            |criterion| rows.iter().any(|row| row.criterion == criterion && !row.is_enough);
        let is_missing = |one: &&StoredObligation| {
            let forbidden = self.forbid_unresolved
                && self.require.contains_key(&one.criterion)
                && matches!(one.verdict, Verdict::Unresolved(_));
            forbidden || (is_short(one.criterion) && !self.is_met(one))
        };
        let missing = result.obligations.iter().filter(is_missing).collect();
        let below = rows.iter().any(|row| !row.is_enough)
            || slips.as_ref().is_some_and(|slips| !slips.is_empty());
        let unresolved = self.forbid_unresolved && rows.iter().any(|row| row.unresolved > 0);
        let exit = match (below, unresolved) {
            (true, _) => Exit::BelowGate,
            (false, true) => Exit::Unresolved,
            (false, false) => Exit::Success,
        };
        Outcome { result, rows, missing, slips, exit }
    }
}
