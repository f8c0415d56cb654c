//! The engines of a campaign at work, side by side, as the [schedule](crate::schedule) says.
//!
//! A slice knows what was known when it began. With a budget of time, there are as many lanes as threads; each takes the next
//! turn as soon as its last one is over, and turns cost time. With a budget of work, there are always [two lanes](LANES): both
//! begin with the same knowledge, the next two turns are chosen when both are over, and turns cost work. So the result does not
//! depend on time, nor on the number of threads.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, Scope};
use std::time::{Duration, Instant};

use obligato_campaign::{Budget, Phase};
use obligato_model::Step;
use obligato_prove::Invariant;
use obligato_solver::Stop;

use crate::campaign::{ModelCampaign, ModelError};
use crate::engine::{Board, Engine, Slice};
use crate::schedule::{Schedule, Turn, TurnResult};

/// The turns chosen together where work is counted.
const LANES: usize = 2;
/// How long a request to stop may go unseen while engines work.
const PAUSE: Duration = Duration::from_millis(20);

type BoxedEngine<'c> = Box<dyn Engine<'c> + 'c>;

/// When the results of turns are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// Each when it is there.
    AsTheyEnd,
    /// Of all turns that were chosen together, in their order.
    Together,
}

/// A turn that is over.
struct Over<'c> {
    /// The how manyth turn it is.
    number: usize,
    turn: Turn,
    engine: BoxedEngine<'c>,
    slice: thread::Result<Result<Slice, ModelError>>,
    time: Duration,
}

/// Engines and their turns.
struct Portfolio<'c> {
    /// By position; none while it works.
    engines: Vec<Option<BoxedEngine<'c>>>,
    schedule: Schedule,
    order: Order,
    lanes: usize,
    threads: usize,
    /// Turns that were chosen and have not begun.
    chosen: VecDeque<(usize, Turn)>,
    /// The work that turns were given and that is not spent yet.
    given: u64,
    turns: usize,
    working: usize,
    /// Turns that are over and wait for those chosen with them.
    over: Vec<Over<'c>>,
    tests: Vec<Arc<Vec<Step>>>,
    states: Vec<Arc<Vec<Step>>>,
    known: Arc<Invariant>,
    /// The engine that searches from the states of the board.
    incremental: Option<usize>,
    /// Has the board states that this engine has not seen?
    has_news: bool,
}

/// Units of work of an engine that take about as long as a conflict of the search: what its work costs.
fn per_conflict(phase: Phase) -> u64 {
    match phase {
        Phase::Random => 16,
        Phase::Prove => 8,
        _ => 1,
    }
}

/// The work of an engine's first slice: some tests in lanes, or queries that do not take long.
fn first_work(phase: Phase) -> u64 {
    match phase {
        Phase::Random => 2_048,
        Phase::Prove => 32_000,
        _ => 500,
    }
}

impl<'c> Portfolio<'c> {
    fn new(engines: Vec<BoxedEngine<'c>>, budget: Budget, threads: usize) -> Self {
        let first: Vec<u64> = engines.iter().map(|engine| first_work(engine.phase())).collect();
        let threads = threads.max(1);
        let (order, lanes) = match budget {
            Budget::Time(_) => (Order::AsTheyEnd, threads),
            Budget::Work(_) => (Order::Together, LANES),
        };
        let incremental = engines.iter().position(|engine| engine.phase() == Phase::Incremental);
        Self {
            engines: engines.into_iter().map(Some).collect(),
            schedule: Schedule::new(&first),
            order,
            lanes,
            threads,
            chosen: VecDeque::new(),
            given: 0,
            turns: 0,
            working: 0,
            over: Vec::new(),
            tests: Vec::new(),
            states: Vec::new(),
            known: Arc::new(Invariant::new()),
            incremental,
            has_news: false,
        }
    }

    /// Chooses turns for the lanes that are free, as long as work is left for them.
    fn choose(&mut self, left: u64) {
        let begun = self.working + self.chosen.len() + self.over.len();
        if self.order == Order::Together && begun > 0 {
            return;
        }
        for _ in begun..self.lanes {
            let left = left.saturating_sub(self.given);
            if left == 0 {
                break;
            }
            let Some(turn) = self.schedule.next_turn() else { break };
            let turn = Turn { work: turn.work.min(left), ..turn };
            self.given = self.given.saturating_add(turn.work);
            self.chosen.push_back((self.turns, turn));
            self.turns += 1;
        }
    }

    /// Begins chosen turns while there are threads for them.
    fn begin<'s>(&mut self, scope: &'s Scope<'s, '_>, board: &Board<'c>, sender: &Sender<Over<'c>>)
    where
        'c: 's,
    {
        while self.working < self.threads
            && let Some((number, turn)) = self.chosen.pop_front()
        {
            let engine = self.engines[turn.engine].take();
            let mut engine = engine.expect("invariant: an engine has one turn at a time");
            let (board, sender) = (board.clone(), sender.clone());
            self.has_news &= self.incremental != Some(turn.engine);
            self.working += 1;
            scope.spawn(move || {
                let start = Instant::now();
                let slice = catch_unwind(AssertUnwindSafe(|| engine.slice(board, turn.work)));
                // Who waits has gone only after a panic of its own.
                let _ = sender.send(Over { number, turn, engine, slice, time: start.elapsed() });
            });
        }
    }

    /// The turns whose results are taken now.
    fn finished(&mut self) -> Vec<Over<'c>> {
        if self.order == Order::Together && (self.working > 0 || !self.chosen.is_empty()) {
            return Vec::new();
        }
        let mut over = std::mem::take(&mut self.over);
        over.sort_by_key(|over| over.number);
        over
    }
}

impl<'m> ModelCampaign<'_, 'm> {
    /// Lets engines work until everything is settled, the budget is spent, or all of them have ended. `stop` is theirs alone.
    pub(crate) fn share_budget<'c>(
        &mut self,
        engines: Vec<BoxedEngine<'c>>,
        stop: &Stop,
    ) -> Result<(), ModelError>
    where
        'm: 'c,
    {
        let (budget, threads) = (self.request.budget, self.request.threads);
        let mut portfolio = Portfolio::new(engines, budget, threads);
        let worked = thread::scope(|scope| {
            let (sender, receiver) = channel();
            let worked = loop {
                if self.bench.ledger.open_events().is_empty() || self.budget.is_empty() {
                    stop.request();
                    portfolio.chosen.clear();
                } else {
                    portfolio.choose(self.budget.left());
                }
                if !portfolio.chosen.is_empty() {
                    let board = self.board(&portfolio);
                    portfolio.begin(scope, &board, &sender);
                }
                if portfolio.working == 0 && portfolio.over.is_empty() {
                    break Ok(());
                }
                if portfolio.working > 0 {
                    let over = self.wait(&receiver, stop);
                    portfolio.working -= 1;
                    portfolio.over.push(over);
                }
                if let Err(error) = self.take_finished(&mut portfolio) {
                    break Err(error);
                }
            };
            stop.request();
            worked
        });
        worked?;
        let proofs = portfolio.engines.into_iter().flatten();
        self.proofs.extend(proofs.filter_map(Engine::shared_proof));
        Ok(())
    }

    fn board<'c>(&self, portfolio: &Portfolio<'c>) -> Board<'c>
    where
        'm: 'c,
    {
        Board {
            ledger: self.bench.ledger.clone(),
            tests: portfolio.tests.clone(),
            states: portfolio.states.clone(),
            known: Arc::clone(&portfolio.known),
        }
    }

    /// Waits for a turn to be over, and passes on the request to stop.
    fn wait<'c>(&self, receiver: &Receiver<Over<'c>>, stop: &Stop) -> Over<'c> {
        loop {
            match receiver.recv_timeout(PAUSE) {
                Ok(over) => return over,
                Err(RecvTimeoutError::Timeout) => {
                    if self.budget.stop().is_requested() {
                        stop.request();
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    unreachable!("invariant: a sender is kept here")
                }
            }
        }
    }

    /// Takes the results of turns that are over.
    fn take_finished(&mut self, portfolio: &mut Portfolio<'_>) -> Result<(), ModelError> {
        for Over { turn, engine, slice, time, .. } in portfolio.finished() {
            let phase = engine.phase();
            portfolio.engines[turn.engine] = Some(engine);
            portfolio.given = portfolio.given.saturating_sub(turn.work);
            let mut slice = slice.unwrap_or_else(|panic| resume_unwind(panic))?;
            let known = portfolio.states.len() + portfolio.tests.len();
            portfolio.states.append(&mut slice.states);
            if let Some(known) = slice.known.take() {
                portfolio.known = known;
            }
            let (work, has_ended) = (slice.work, slice.has_ended);
            let gain = self.take(phase, slice)? as u64;
            let new = self.bench.made.iter().skip(portfolio.tests.len());
            portfolio.tests.extend(new.map(|made| Arc::new(made.test.steps.clone())));
            self.reports.of(phase).time += time;
            let cost = match portfolio.order {
                Order::AsTheyEnd => u64::try_from(time.as_micros()).unwrap_or(u64::MAX),
                Order::Together => work.div_ceil(per_conflict(phase)),
            };
            let cost = cost.max(1);
            portfolio.schedule.note(TurnResult { engine: turn.engine, cost, gain, has_ended });
            portfolio.has_news |= portfolio.states.len() + portfolio.tests.len() > known;
            if portfolio.has_news
                && let Some(incremental) = portfolio.incremental
            {
                portfolio.schedule.revive(incremental);
            }
        }
        Ok(())
    }
}
