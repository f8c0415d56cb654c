//! Where paths end before the function returns: cuts, and runtime errors.

use obligato_bytecode::CodeId;
use obligato_model::{Bound, NotFollowed};
use obligato_term::Term;

use crate::access::AccessSite;
use crate::engine::{Engine, Path};
use crate::state::SharedState;

/// An operation at which paths were cut: the formula under-approximates beyond it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The reason.
    pub reason: Reason,
    /// The function.
    pub function: CodeId,
    /// The operation.
    pub operation: u32,
    /// The step of the test.
    pub step: u32,
    /// The call stack: functions and operations, the outermost first.
    pub callers: Vec<(CodeId, u32)>,
    /// One bit: do the inputs reach the cut?
    pub guard: Term,
}

impl Cut {
    /// The bound at which paths were cut, if it is one.
    pub fn bound(&self) -> Option<&Bound> {
        match &self.reason {
            Reason::Bound(bound) => Some(bound),
            Reason::NotFollowed(_) => None,
        }
    }

    /// Why the engine does not follow the paths, if it is no bound.
    pub fn not_followed(&self) -> Option<&NotFollowed> {
        match &self.reason {
            Reason::NotFollowed(reason) => Some(reason),
            Reason::Bound(_) => None,
        }
    }
}

/// Why paths were cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// They go beyond a bound that the tool chose. Within the bound, the formula may go on.
    Bound(Bound),
    /// The engine does not follow them, for this reason.
    NotFollowed(NotFollowed),
}

/// An operation with a possible runtime error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuntimeErrorSite {
    /// The runtime error, for reports.
    pub what: &'static str,
    /// The function.
    pub function: CodeId,
    /// The operation.
    pub operation: u32,
    /// One bit: do the inputs cause it?
    pub guard: Term,
}

impl Engine<'_> {
    /// Cuts a path.
    pub(crate) fn cut<T>(
        &mut self,
        at: AccessSite,
        shared: &SharedState,
        reason: NotFollowed,
    ) -> Path<T> {
        self.cuts.push(Cut {
            reason: Reason::NotFollowed(reason),
            function: at.frame.code,
            operation: at.operation,
            step: self.step,
            callers: self.open.clone(),
            guard: shared.guard.term(),
        });
        None
    }

    /// Cuts the path for the inputs for which the bit holds; the others continue.
    pub(crate) fn cut_where(
        &mut self,
        at: AccessSite,
        shared: &mut SharedState,
        reason: NotFollowed,
        bit: Term,
    ) -> Path<()> {
        if self.terms.as_constant(bit) == Some(0)
            || shared.guard.knows(&self.terms, bit) == Some(false)
        {
            return Some(());
        }
        self.cut::<()>(at, shared, reason);
        if let Some(cut) = self.cuts.last_mut() {
            cut.guard = self.terms.and(cut.guard, bit);
        }
        self.require_not(shared, bit)
    }

    /// The inputs for which `bad` holds end here with a runtime error; the others continue.
    pub(crate) fn runtime_error(
        &mut self,
        at: AccessSite,
        shared: &mut SharedState,
        what: &'static str,
        bad: Term,
    ) -> Path<()> {
        if self.terms.as_constant(bad) == Some(0) {
            return Some(());
        }
        if shared.guard.knows(&self.terms, bad) == Some(false) {
            return Some(());
        }
        let guard = self.terms.and(shared.guard.term(), bad);
        self.note_runtime_error(at, what, guard);
        self.require_not(shared, bad)
    }

    /// Every input that satisfies the guard ends here with a runtime error.
    pub(crate) fn end<T>(
        &mut self,
        at: AccessSite,
        shared: &SharedState,
        what: &'static str,
    ) -> Path<T> {
        self.note_runtime_error(at, what, shared.guard.term());
        None
    }

    fn note_runtime_error(&mut self, at: AccessSite, what: &'static str, guard: Term) {
        let AccessSite { frame, operation } = at;
        self.runtime_errors.push(RuntimeErrorSite { what, function: frame.code, operation, guard });
    }

    /// Strengthens the guard: a bit does not hold.
    pub(crate) fn require_not(&mut self, shared: &mut SharedState, bit: Term) -> Path<()> {
        let good = self.terms.not(bit);
        shared.guard = shared.guard.and(&mut self.terms, good)?;
        Some(())
    }
}
