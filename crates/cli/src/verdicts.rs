//! Verdicts in words and in the store, for every command that judges a suite.
//!
//! A command makes [`Judged`] of what it found; [`Judged::write`] is all that is printed of it.
//! [`summary`], [`bounded`], [`errors`], [`comparison`], [`listing`], [`matrix`] and [`truth_table`] put it into words,
//! [`storage`] keeps it with its [`details`], [`next`] says how to go on; [`complete`] adds the reasons of people.

use obligato::measuring::Evidence;
use obligato_model::{Criterion, Program};
use obligato_store::StoredResult;

use obligato::Error;
use obligato::generate::Generated;

use crate::args::{FileLanguage, VerdictArgs};
use crate::error::CliError;
use crate::output::{Output, Verbosity};

pub mod bounded;
mod comparison;
mod errors;
mod listing;
mod matrix;
pub mod next;
mod summary;
mod truth_table;

pub use obligato::subject::SubjectKind as Subject;
pub use summary::{method, write_table};

/// A suite with its verdicts.
#[derive(Clone, Copy)]
pub struct Judged<'a> {
    /// What was judged, as the user named it.
    pub name: &'a str,
    /// What kind of thing that is.
    pub subject: Subject,
    /// The program.
    pub program: &'a Program,
    /// What the tests have shown.
    pub evidence: &'a Evidence,
    /// The verdicts.
    pub result: &'a StoredResult,
}

impl<'a> Judged<'a> {
    /// What a campaign leaves.
    pub fn of_generated(generated: &'a Generated) -> Self {
        let Generated { name, kind, program, evidence, result, .. } = generated;
        Self { name, subject: *kind, program, evidence, result }
    }

    /// Writes what the arguments ask for, in words.
    pub fn write(&self, arguments: &VerdictArgs, output: &mut Output) -> Result<(), CliError> {
        let Self { subject, program, evidence, result, .. } = *self;
        let verbosity = output.verbosity();
        if verbosity == Verbosity::Normal {
            summary::write_heading(self, output)?;
        }
        write_table(result, subject, output)?;
        comparison::write(result, output)?;
        if arguments.list {
            listing::write_list(result, subject, output)?;
        } else if verbosity == Verbosity::Normal {
            errors::write(result, subject, output)?;
            summary::write_uncoverable(result, subject, output)?;
            summary::write_unresolved(result, subject, output)?;
            bounded::write_section(&result.obligations, output)?;
            summary::write_unsupported(result, subject, output)?;
        }
        if arguments.matrix {
            matrix::write(result, output)?;
        }
        if arguments.table {
            truth_table::write_tables(program, subject, evidence, output)?;
        }
        Ok(())
    }
}

/// The criteria that were asked for. Mutants take runs of their own, so they are refused where they
/// are named and no part of all.
pub fn criteria(
    arguments: &VerdictArgs,
    language: FileLanguage,
) -> Result<Vec<Criterion>, CliError> {
    let mut criteria = arguments.criteria();
    if let Some(named) = criteria.iter().find(|one| one.is_mutation() && arguments.names(**one)) {
        let way_out = match language {
            FileLanguage::C | FileLanguage::Commands => {
                "mutants are made of Lustre models only; 'omcdc' asks of C functions that effects are seen"
            }
            FileLanguage::Lustre | FileLanguage::Unknown => "use 'obligato mutate'",
        };
        return Err(CliError::from(Error::Input {
            message: format!("'{named}' is not measured here, where no mutant runs"),
            way_out: way_out.to_owned(),
        }));
    }
    criteria.retain(|criterion| !criterion.is_mutation());
    Ok(criteria)
}
