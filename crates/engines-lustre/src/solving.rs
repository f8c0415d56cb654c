//! The solver phases: search from concrete states and from the initial one, and proof, round after
//! round with growing budgets.
//!
//! In a round one thread may search while another proves, both for the events that were open when the round
//! began; their results are merged when both have ended. So the result does not depend on the number of
//! threads.

use obligato_lustre_replay::Meter;
use obligato_model::{Proof, Step};
use obligato_prove::bmc::BmcOutcome;
use obligato_prove::{Bmc, Start};

use crate::campaign::{ModelCampaign, ModelError, assumptions};
use crate::proving::{Effort, Proofs, Proving};
use crate::shared_query::SharedQuery;
use crate::stepping::close_settled;
use obligato_campaign::Phase;

/// Conflicts of the first round of a search.
const FIRST_SEARCH: u64 = 4_000;
/// The most conflicts of one query of a search in the first round.
const FIRST_QUERY: u64 = 1_000;
/// Units of work on all proofs of a round for one conflict of its search: their questions are about a step each, and take as much less
/// time.
const ROUND_WORK: u64 = 8;
/// Units of work on one proof for one conflict on a query of the search. So a round tries many proofs before any gets more.
const PROOF_WORK: u64 = 2;
/// Work on all proofs by induction.
const INDUCTION: u64 = 200_000;
/// The growth of work units from round to round.
const GROWTH: u64 = 2;
/// What so many tests show of what may be seen is not refuted one by one.
const MOST_LEARNED: usize = 100;
/// The largest depth of the search.
const DEEPEST: usize = 120;

impl ModelCampaign<'_, '_> {
    /// Solves with the phases given, until everything is resolved or the budget is spent.
    pub(crate) fn solve(
        &mut self,
        phases: &[Phase],
        prefixes: &[Vec<Step>],
        meter: Meter<'_>,
    ) -> Result<(), ModelError> {
        let (lowered, observed) = (self.request.subject.lowered, &self.request.subject.observed);
        let events = self.bench.ledger.events().clone();
        let shared = SharedQuery::new(lowered, observed, &events)?;
        let stop = self.budget.stop().clone();
        let mut proving = Proving::new(&shared, &events, lowered, observed, meter, &stop);
        let (proves, searches) =
            (phases.contains(&Phase::Prove), phases.contains(&Phase::Complete));
        if proves && !self.budget.is_empty() {
            self.tell(Phase::Prove, None);
            let made = self.bench.made.iter().map(|made| made.test.steps.clone());
            let known: Vec<Vec<Step>> =
                made.chain(prefixes.iter().take(MOST_LEARNED).cloned()).collect();
            if shared.later_inputs > 0 {
                proving.learn_from(&known);
            }
            let work = INDUCTION.min(self.budget.left());
            let proofs = proving.induct(self.bench.ledger.open_events(), work)?;
            self.take_proofs(proofs)?;
        }
        if proves || searches {
            self.search_undefined(&shared, proving.known());
        }
        let mut search = shared.query.search(Start::Initial, proving.known(), &stop);
        for lit in &shared.query.lits {
            search.add_target(*lit);
        }
        let (mut conflicts, mut query) = (FIRST_SEARCH, FIRST_QUERY);
        let mut steps = phases.contains(&Phase::Incremental);
        while proves || searches || steps {
            let wanted = self.bench.ledger.open_events().to_vec();
            if wanted.is_empty() || self.budget.is_empty() {
                break;
            }
            let spent = self.budget.spent;
            let all = conflicts.saturating_mul(ROUND_WORK);
            // Where little is open, it gets all there is.
            let share = all / (wanted.len() as u64 * 2);
            let proof = query.saturating_mul(PROOF_WORK).max(share);
            let effort = Effort { query, proof, all };
            tracing::debug!(open = wanted.len(), conflicts, ?effort, "round");
            let mut find = |campaign: &mut Self| {
                if std::mem::take(&mut steps) {
                    let step_on = |campaign: &mut Self| campaign.step_on(&shared, prefixes);
                    return campaign.phase(Phase::Incremental, step_on);
                }
                if searches { campaign.search(&shared, &mut search, conflicts) } else { Ok(()) }
            };
            let proofs = std::thread::scope(|scope| {
                let mut refute = || proving.refute(&wanted, effort);
                if !proves {
                    return find(self).map(|()| Proofs::default());
                }
                if self.request.threads < 2 {
                    find(self)?;
                    return refute();
                }
                let refuting = scope.spawn(refute);
                find(self)?;
                refuting.join().expect("invariant: provers do not panic")
            })?;
            self.take_proofs(proofs)?;
            // Nothing was done and nothing found: more effort would change nothing.
            if self.budget.spent == spent && self.bench.ledger.open_events() == wanted {
                break;
            }
            conflicts = conflicts.saturating_mul(GROWTH);
            query = query.saturating_mul(GROWTH);
        }
        self.proofs.extend(proving.shared_proof());
        Ok(())
    }

    /// Searches from the initial state, with so many conflicts.
    fn search(
        &mut self,
        shared: &SharedQuery,
        search: &mut Bmc<'_>,
        conflicts: u64,
    ) -> Result<(), ModelError> {
        self.phase(Phase::Complete, |campaign| {
            let before = search.conflicts();
            let end = before + conflicts.min(campaign.budget.left());
            close_settled(shared, search, campaign.bench.ledger.open_events());
            loop {
                let left = end.saturating_sub(search.conflicts());
                match search.next(DEEPEST, left) {
                    BmcOutcome::Found(found) => {
                        tracing::debug!(depth = search.depth(), "search found a run");
                        let test = shared.query.test(&found.run);
                        campaign.bench.try_out(Phase::Complete, &[test])?;
                        close_settled(shared, search, campaign.bench.ledger.open_events());
                    }
                    BmcOutcome::Exhausted | BmcOutcome::OutOfBudget => break,
                }
                campaign.tell(Phase::Complete, Some(search.depth()));
            }
            campaign.budget.spend(search.conflicts() - before);
            campaign.tell(Phase::Complete, Some(search.depth()));
            Ok(())
        })
    }

    fn take_proofs(&mut self, proofs: Proofs) -> Result<(), ModelError> {
        let assumptions = assumptions(self.request.subject.lowered);
        self.phase(Phase::Prove, |campaign| {
            let refuted = proofs.refuted.iter().map(|(event, method)| {
                (*event, Proof { method: *method, assumptions: assumptions.clone() })
            });
            let ledger = &mut campaign.bench.ledger;
            ledger.refute(refuted).map_err(|event| {
                ModelError::Contradiction(format!("{:?}", ledger.events().get(event)))
            })?;
            for (event, why) in proofs.undecided {
                // What an undefined value is needed for has its reason.
                if !campaign.undefined.iter().any(|(known, _)| *known == event) {
                    ledger.note_limit(event, why);
                }
            }
            campaign.proofs.extend(proofs.booked);
            campaign.bench.try_out(Phase::Prove, &proofs.tests)?;
            campaign.budget.spend(proofs.work);
            Ok(())
        })?;
        self.reports.of(Phase::Prove).time += proofs.time;
        Ok(())
    }
}
