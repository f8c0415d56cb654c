//! The schedule over simulated engines: what each costs and brings is known here, so that shares can be checked.

use super::*;

/// An engine of a simulation.
#[derive(Clone, Copy)]
struct Simulated {
    /// The cost of a unit of work.
    unit: u64,
    /// The least that a slice costs: a query that nothing interrupts.
    least: u64,
    /// The cost of an event that it covers; 0 if it covers none.
    per_event: u64,
    /// After so much cost it has ended.
    ends_after: u64,
}

const FRUITLESS: Simulated = Simulated { unit: 1, least: 0, per_event: 0, ends_after: u64::MAX };

/// What engines cost and brought when so many lanes have worked for so long.
struct Outcome {
    cost: Vec<u64>,
    gain: Vec<u64>,
    /// When each got its first turn.
    first: Vec<Option<u64>>,
}

/// Runs engines until a time, each lane taking the next turn as soon as its last one is over.
fn simulate(engines: &[Simulated], lanes: usize, end: u64) -> Outcome {
    let mut schedule = Schedule::new(&vec![10; engines.len()]);
    let count = engines.len();
    let mut outcome =
        Outcome { cost: vec![0; count], gain: vec![0; count], first: vec![None; count] };
    // The running turns: when each is over, its cost, and its engine.
    let mut running: Vec<(u64, u64, usize)> = Vec::new();
    let mut now = 0;
    loop {
        while running.len() < lanes
            && let Some(turn) = schedule.next_turn()
        {
            let engine = engines[turn.engine];
            let cost = (turn.work * engine.unit).max(engine.least);
            outcome.first[turn.engine].get_or_insert(now);
            running.push((now + cost, cost, turn.engine));
        }
        running.sort_unstable();
        if running.is_empty() || now >= end {
            return outcome;
        }
        let (over, cost, engine) = running.remove(0);
        now = over;
        outcome.cost[engine] += cost;
        let Simulated { per_event, ends_after, .. } = engines[engine];
        let all = outcome.cost[engine].checked_div(per_event).unwrap_or(0);
        let gain = all - outcome.gain[engine];
        outcome.gain[engine] = all;
        let has_ended = outcome.cost[engine] >= ends_after;
        schedule.note(TurnResult { engine, cost, gain, has_ended });
    }
}

#[test]
fn every_engine_has_its_first_turn_before_any_gets_a_second() {
    for lanes in 1..=4 {
        let outcome = simulate(&[FRUITLESS; 4], lanes, 1_000_000);
        let latest = outcome.first.iter().flatten().max();
        assert!(latest.is_some_and(|first| *first <= 30), "{lanes}: {:?}", outcome.first);
    }
}

#[test]
fn engines_that_bring_nothing_share_alike() {
    let outcome = simulate(&[FRUITLESS; 4], 2, 1_000_000);
    // But for one slice, which may be a part of what both lanes have spent.
    let slice = 2 * 1_000_000 / FRUITLESS_PART;
    for cost in &outcome.cost {
        assert!(cost.abs_diff(500_000) <= slice, "{:?}", outcome.cost);
    }
}

#[test]
fn the_only_productive_engine_keeps_a_lane_almost_to_itself() {
    for productive in 0..4 {
        let mut engines = [FRUITLESS; 4];
        engines[productive].per_event = 100;
        let outcome = simulate(&engines, 2, 1_000_000);
        assert!(outcome.cost[productive] > 900_000, "{productive}: {:?}", outcome.cost);
    }
}

#[test]
fn with_one_lane_the_productive_engine_gets_more_than_half_and_none_starves() {
    let mut engines = [FRUITLESS; 4];
    engines[2].per_event = 100;
    let outcome = simulate(&engines, 1, 1_000_000);
    assert!(outcome.cost[2] > 500_000, "{:?}", outcome.cost);
    assert!(outcome.cost.iter().all(|cost| *cost > 80_000), "{:?}", outcome.cost);
}

#[test]
fn an_engine_whose_queries_are_long_gets_answers_and_holds_one_lane_only() {
    // Its first answers take a tenth of all the time; two others are quick and bring less.
    let slow = Simulated { least: 100_000, per_event: 10, ..FRUITLESS };
    let quick = Simulated { per_event: 1_000, ..FRUITLESS };
    let outcome = simulate(&[quick, quick, slow, FRUITLESS], 2, 1_000_000);
    assert!(outcome.cost[2] >= 800_000, "{:?}", outcome.cost);
    assert!(outcome.cost[0] + outcome.cost[1] > 400_000, "{:?}", outcome.cost);
}

#[test]
fn what_an_engine_that_has_ended_leaves_goes_to_the_others() {
    let mut engines = [FRUITLESS; 3];
    engines[0].ends_after = 1_000;
    let outcome = simulate(&engines, 2, 1_000_000);
    assert!(outcome.cost[0] < 3_000, "{:?}", outcome.cost);
    assert!(outcome.cost[1] > 900_000 && outcome.cost[2] > 900_000, "{:?}", outcome.cost);
}

#[test]
fn an_engine_that_dries_up_loses_its_lane_to_one_that_began_to_bring_something() {
    let mut schedule = Schedule::new(&[10, 10]);
    let mut turn = |gain: &dyn Fn(usize) -> u64| {
        let turn = schedule.next_turn().expect("no engine has ended");
        let (cost, gain) = (100, gain(turn.engine));
        schedule.note(TurnResult { engine: turn.engine, cost, gain, has_ended: false });
        turn.engine
    };
    let early: Vec<usize> = (0..100).map(|_| turn(&|engine| u64::from(engine == 0))).collect();
    let late: Vec<usize> = (0..100).map(|_| turn(&|engine| u64::from(engine == 1))).collect();
    let of = |turns: &[usize], engine| turns.iter().filter(|turn| **turn == engine).count();
    assert!(of(&early, 0) > 80 && of(&late, 1) > 70, "{early:?} {late:?}");
}
