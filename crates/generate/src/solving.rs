//! The phases that solve: search from concrete states and from the initial one, and proof, round after
//! round with growing effort.
//!
//! In a round one thread may search while another proves, both from what was open when the round
//! began; what they found is put together when both have ended. So the answer does not depend on how many
//! threads there are.

use std::time::{Duration, Instant};

use obligato_model::Proof;
use obligato_prove::search::Outcome;
use obligato_prove::{Search, Start};
use obligato_system::NodeId;

use crate::campaign::{Campaign, CampaignError};
use crate::event::EventId;
use crate::prover::{Attempt, Prover};
use crate::question::Question;
use crate::request::Phase;
use crate::targets::Targets;

/// Conflicts of the first round of a search.
const FIRST_SEARCH: u64 = 20_000;
/// Work on each proof in the first round.
const FIRST_PROOF: u64 = 2_000;
/// Each round does so many times the work of the one before.
const GROWTH: u64 = 4;
/// Longer tests than this are not searched for.
const DEEPEST: usize = 1_000;

/// What is asked of the solvers: wanted events, and their Booleans in one question.
struct Asked {
    events: Vec<EventId>,
    question: Question,
    looks_ahead: Vec<bool>,
}

impl Asked {
    fn new(campaign: &Campaign<'_, '_>) -> Result<Self, CampaignError> {
        let ledger = &campaign.bench.ledger;
        let targets =
            Targets::new(campaign.request.lowered, &campaign.request.observed, ledger.events())?;
        let asked =
            ledger.wanted().iter().filter_map(|event| Some((*event, targets.node(*event)?)));
        let (events, nodes): (Vec<EventId>, Vec<NodeId>) = asked.unzip();
        let question = Question::new(&targets.system, &nodes, &targets.ties, targets.model_inputs)?;
        let looks_ahead = events.iter().map(|event| targets.looks_ahead(*event)).collect();
        Ok(Self { events, question, looks_ahead })
    }

    /// The positions of the events that are still wanted.
    fn open(&self, wanted: &[EventId]) -> Vec<usize> {
        let is_wanted = |at: &usize| wanted.binary_search(&self.events[*at]).is_ok();
        (0..self.events.len()).filter(is_wanted).collect()
    }
}

/// What a prover did in a round.
#[derive(Default)]
struct Proofs {
    refuted: Vec<(usize, obligato_model::Method)>,
    runs: Vec<obligato_prove::Run>,
    time: Duration,
    work: u64,
}

impl Campaign<'_, '_> {
    /// Solves with the phases given, until everything is resolved or the budget is spent.
    pub(crate) fn solve(&mut self, phases: &[Phase]) -> Result<(), CampaignError> {
        let asked = Asked::new(self)?;
        let stop = self.purse.stop().clone();
        let mut search = asked.question.search(Start::Initial, &stop);
        for lit in &asked.question.lits {
            search.aim(*lit);
        }
        let mut prover = Prover::new(&asked.question, &stop);
        let (mut conflicts, mut work) = (FIRST_SEARCH, FIRST_PROOF);
        while !self.bench.ledger.wanted().is_empty() && !self.purse.is_empty() {
            let open = asked.open(self.bench.ledger.wanted());
            if open.is_empty() {
                break;
            }
            let prove = phases.contains(&Phase::Prove);
            let searches = phases.contains(&Phase::Complete);
            let proofs = std::thread::scope(|scope| {
                let mut attempt = || prove_open(&mut prover, &asked, &open, work);
                if !prove {
                    self.search(&asked, &mut search, conflicts)?;
                    return Ok(Proofs::default());
                }
                if self.request.threads < 2 || !searches {
                    if searches {
                        self.search(&asked, &mut search, conflicts)?;
                    }
                    return Ok(attempt());
                }
                let proving = scope.spawn(attempt);
                self.search(&asked, &mut search, conflicts)?;
                Ok::<_, CampaignError>(proving.join().expect("invariant: provers do not panic"))
            })?;
            self.take_proofs(&asked, proofs)?;
            conflicts = conflicts.saturating_mul(GROWTH);
            work = work.saturating_mul(GROWTH);
        }
        Ok(())
    }

    /// Searches from the initial state, with so many conflicts.
    fn search(
        &mut self,
        asked: &Asked,
        search: &mut Search<'_>,
        conflicts: u64,
    ) -> Result<(), CampaignError> {
        self.phase(Phase::Complete, |campaign| {
            let end = search.conflicts() + conflicts.min(campaign.purse.left());
            let before = search.conflicts();
            close_settled(asked, search, campaign.bench.ledger.wanted());
            loop {
                let left = end.saturating_sub(search.conflicts());
                match search.next(DEEPEST, left) {
                    Outcome::Found(found) => {
                        let test = asked.question.test(&found.run);
                        campaign.bench.try_out(Phase::Complete, &[test])?;
                        close_settled(asked, search, campaign.bench.ledger.wanted());
                    }
                    Outcome::Exhausted | Outcome::OutOfBudget => break,
                }
                campaign.tell(Phase::Complete, Some(search.depth()));
            }
            campaign.purse.spend(search.conflicts() - before);
            campaign.tell(Phase::Complete, Some(search.depth()));
            Ok(())
        })
    }

    fn take_proofs(&mut self, asked: &Asked, proofs: Proofs) -> Result<(), CampaignError> {
        let assumptions = self.assumptions();
        self.phase(Phase::Prove, |campaign| {
            let refuted = proofs.refuted.iter().map(|(target, method)| {
                let proof = Proof { method: *method, assumptions: assumptions.clone() };
                (asked.events[*target], proof)
            });
            campaign.bench.ledger.refute(refuted);
            for run in &proofs.runs {
                campaign.bench.try_out(Phase::Prove, &[asked.question.test(run)])?;
            }
            campaign.purse.spend(proofs.work);
            Ok(())
        })?;
        if let Some(report) = self.reports.iter_mut().find(|report| report.phase == Phase::Prove) {
            report.time += proofs.time;
        }
        Ok(())
    }
}

fn close_settled(asked: &Asked, search: &mut Search<'_>, wanted: &[EventId]) {
    for (target, event) in asked.events.iter().enumerate() {
        if search.is_open(target) && wanted.binary_search(event).is_err() {
            search.close(target);
        }
    }
}

fn prove_open(prover: &mut Prover<'_>, asked: &Asked, open: &[usize], work: u64) -> Proofs {
    let (start, before) = (Instant::now(), prover.work);
    let mut proofs = Proofs::default();
    for target in open {
        match prover.refute(*target, work) {
            Attempt::Refuted(method) => proofs.refuted.push((*target, method)),
            Attempt::Reached(run) if !asked.looks_ahead[*target] => proofs.runs.push(run),
            Attempt::Reached(_) | Attempt::Open => {}
        }
    }
    proofs.time = start.elapsed();
    proofs.work = prover.work - before;
    proofs
}
