//! The outgoing edges of a basic block: jumps, branches, returns, and operations after which nothing runs.

use obligato_bytecode::{Arm, Function, Operation, StopKind};
use obligato_model::NotFollowed;
use obligato_term::Term;

use crate::access::AccessSite;
use crate::engine::{Engine, Leaving, Path, Returned};
use crate::state::{SharedState, State};

impl Engine<'_> {
    /// Executes the last operation of a block.
    pub(crate) fn leave(
        &mut self,
        at: AccessSite,
        mut state: State,
        function: &Function,
        operation: &Operation,
    ) -> Path<Leaving> {
        match *operation {
            Operation::Jump { to } => Some(Leaving::Edges(vec![(to.0, state)])),
            Operation::Branch { test, then, otherwise } => {
                let test = self.get(&state, test);
                let test = self.terms.extract(test, 0, 1);
                Some(Leaving::Edges(self.branch(state, &[(test, then.0)], Some(otherwise.0)).0))
            }
            Operation::Switch { on, arms, otherwise, .. } => {
                let value = self.get(&state, on);
                let cases = self.cases(value, &function.arms[arms.range()]);
                Some(Leaving::Edges(self.branch(state, &cases, Some(otherwise.0)).0))
            }
            Operation::JumpThrough { on, arms } => {
                let value = self.get(&state, on);
                let cases = self.cases(value, &function.arms[arms.range()]);
                let (edges, rest) = self.branch(state, &cases, None);
                if let Some(rest) = rest {
                    self.end::<()>(at, &rest.shared, "a jump to nowhere");
                }
                Some(Leaving::Edges(edges))
            }
            Operation::Return { from } => {
                let parts = &function.lists[from.range()];
                let results = parts.iter().map(|part| self.get(&state, *part)).collect();
                for object in &state.reserved {
                    state.shared.memory.remove(*object);
                }
                Some(Leaving::Return(Returned { shared: state.shared, results }))
            }
            Operation::Stop(kind) => {
                let what = match kind {
                    StopKind::Unreachable => "unreachable",
                    StopKind::Trap => "trap",
                };
                self.end(at, &state.shared, what)
            }
            Operation::Unsupported { note, .. } => {
                let note = function.notes[note as usize].clone();
                self.cut(at, &state.shared, NotFollowed::Other(note))
            }
            _ => None,
        }
    }

    /// The targets of arms, each with its condition.
    fn cases(&mut self, value: Term, arms: &[Arm]) -> Vec<(Term, u32)> {
        let mut cases: Vec<(Term, u32)> = Vec::new();
        for arm in arms {
            let key = self.terms.constant(arm.key.0.into(), 64);
            let equal = self.terms.equal(value, key);
            match cases.iter_mut().find(|(_, to)| *to == arm.to.0) {
                Some((any, _)) => *any = self.terms.or(*any, equal),
                None => cases.push((equal, arm.to.0)),
            }
        }
        cases
    }

    /// The states after a branch, and the state of the inputs that take none of the cases.
    fn branch(
        &mut self,
        state: State,
        cases: &[(Term, u32)],
        otherwise: Option<u32>,
    ) -> (Vec<(u32, State)>, Option<State>) {
        let mut edges = Vec::new();
        let mut rest = Some(state);
        for (test, to) in cases {
            let Some(here) = rest.take() else { break };
            let refused = self.terms.not(*test);
            let taken = here.shared.guard.and(&mut self.terms, *test);
            let passed = here.shared.guard.and(&mut self.terms, refused);
            match (taken, passed) {
                (Some(taken), Some(passed)) => {
                    let mut there = here.clone();
                    there.shared.guard = taken;
                    edges.push((*to, there));
                    rest = Some(State {
                        shared: SharedState { guard: passed, ..here.shared },
                        ..here
                    });
                }
                (Some(taken), None) => {
                    edges.push((
                        *to,
                        State { shared: SharedState { guard: taken, ..here.shared }, ..here },
                    ));
                }
                (None, Some(_)) => rest = Some(here),
                (None, None) => {}
            }
        }
        match (rest, otherwise) {
            (Some(rest), Some(to)) => {
                edges.push((to, rest));
                (edges, None)
            }
            (rest, _) => (edges, rest),
        }
    }
}
