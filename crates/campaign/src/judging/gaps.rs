//! Gaps: what a program's text has and its code does not, or not so that it could be measured.

use std::collections::BTreeMap;

use obligato_model::{DecisionId, Obligation, Position, Program, Span, Unsupported};

/// What the code leaves out, as plain data of a front end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gaps {
    /// Regions of source files.
    pub regions: Vec<Gap>,
    /// Decisions of which nothing is measured, because a condition is not found in the code.
    pub decisions: BTreeMap<DecisionId, Unsupported>,
    /// Where tests could not go on.
    pub stops: Vec<StoppedRun>,
}

/// A region of a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The file, as the program names it.
    pub file: String,
    /// The region.
    pub span: Span,
    /// What is the matter with it.
    pub reason: GapReason,
}

/// What is the matter with a region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GapReason {
    /// The compiler makes no code of it: it is dead, or nothing uses it.
    NoCode,
    /// It cannot be measured.
    Unsupported(Unsupported),
}

/// From here on a test could not go on in a function: whether it would do what comes behind is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoppedRun {
    /// The function, by its name.
    pub function: String,
    /// The first place from which on it could not.
    pub from: Position,
    /// What is not supported there.
    pub what: Unsupported,
}

impl Gaps {
    /// What is the matter with the code that an obligation is about, if something is.
    pub(super) fn around(&self, program: &Program, obligation: &Obligation) -> Option<GapReason> {
        let function = program.function(obligation.function);
        let (file, span) = (program.file(function.file), obligation.span);
        let inside = |gap: &&Gap| {
            gap.file == file && gap.span.start <= span.start && span.end <= gap.span.end
        };
        if let Some(gap) = self.regions.iter().find(inside) {
            return Some(gap.reason.clone());
        }
        let decision = obligation.goal.element().decision(program);
        if let Some(what) = decision.and_then(|decision| self.decisions.get(&decision)) {
            return Some(GapReason::Unsupported(what.clone()));
        }
        let behind = |stop: &&StoppedRun| stop.function == function.name && stop.from <= span.start;
        let stop = self.stops.iter().find(behind)?;
        Some(GapReason::Unsupported(stop.what.clone()))
    }
}
