//! Generalisation: from a blocked cube to a larger one.
//!
//! Literals are dropped one after the other as long as the cube stays inductive relative to the frame (Bradley, "SAT-Based Model Checking
//! without Unrolling", VMCAI 2011). A counterexample to generalisation (CTG), a state whose step enters the cube, may itself be
//! blocked first (Hassan, Bradley and Somenzi, "Better Generalization in IC3", FMCAD 2013).

use obligato_circuit::{Gate, Lit};

use super::blocking::Blocking;
use super::cube::Cube;
use super::meter::NoAnswer;
use super::steps::From;

/// The most CTGs blocked for one literal.
const MOST_CTGS: usize = 3;

/// How often the counts of [`Ic3Trace::activity`](super::trace::Ic3Trace::activity) are halved, in lemmas.
const HALVING: u32 = 256;

impl Blocking<'_, '_> {
    /// Learns a lemma from a cube that is inductive relative to the frame below: excludes a generalisation, in this
    /// frame or a higher one. Returns the frame.
    pub(super) fn learn(&mut self, level: usize, cube: Cube) -> Result<usize, NoAnswer> {
        let cube = self.generalise(level, cube, Effort::Full)?;
        self.exclude_as_high_as_possible(level, cube)
    }

    fn exclude_as_high_as_possible(
        &mut self,
        mut level: usize,
        mut cube: Cube,
    ) -> Result<usize, NoAnswer> {
        while level < self.trace.frames.top()
            && !self.steps.can_enter(level, &cube, From::Outside, self.meter)?
        {
            cube = self.core_outside_initial(&cube);
            level += 1;
        }
        self.count_activity(&cube);
        self.exclude(level, cube);
        Ok(level)
    }

    /// Drops literals while the cube stays relatively inductive.
    fn generalise(
        &mut self,
        level: usize,
        mut cube: Cube,
        effort: Effort,
    ) -> Result<Cube, NoAnswer> {
        // Latches of many lemmas are tried last.
        let mut order = cube.lits().to_vec();
        order.sort_by_key(|lit| self.trace.activity[self.latch(*lit)]);
        for lit in order {
            if cube.len() > 1 && cube.contains(lit) {
                let candidate = cube.without(lit);
                if let Some(larger) = self.try_exclude(level, &candidate, effort)? {
                    cube = larger;
                }
            }
        }
        Ok(cube)
    }

    /// A subset of the literals that is inductive relative to the frame below, if one is found.
    fn try_exclude(
        &mut self,
        level: usize,
        cube: &Cube,
        effort: Effort,
    ) -> Result<Option<Cube>, NoAnswer> {
        if cube.is_initial(self.setting.circuit) {
            return Ok(None);
        }
        let mut tries = if effort == Effort::Full { MOST_CTGS } else { 0 };
        while self.steps.can_enter(level - 1, cube, From::Outside, self.meter)? {
            if tries == 0 || level < 2 {
                return Ok(None);
            }
            tries -= 1;
            let in_the_way = self.lift_predecessor(cube);
            if in_the_way.is_initial(self.setting.circuit)
                || self.steps.can_enter(level - 2, &in_the_way, From::Outside, self.meter)?
            {
                return Ok(None);
            }
            let core = self.core_outside_initial(&in_the_way);
            let core = self.generalise(level - 1, core, Effort::Little)?;
            self.exclude_as_high_as_possible(level - 1, core)?;
        }
        Ok(Some(self.core_outside_initial(cube)))
    }

    fn count_activity(&mut self, cube: &Cube) {
        for lit in cube.lits() {
            let latch = self.latch(*lit);
            self.trace.activity[latch] += HALVING;
        }
        for count in &mut self.trace.activity {
            *count -= count.div_ceil(HALVING);
        }
    }

    fn latch(&self, lit: Lit) -> usize {
        match self.setting.circuit.gate(lit.gate()) {
            Gate::Latch(index) => index as usize,
            gate => unreachable!("invariant: cubes are of latches, not {gate:?}"),
        }
    }
}

/// Which CTGs a generalisation handles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effort {
    /// CTGs are blocked.
    Full,
    /// A CTG ends the attempt.
    Little,
}
