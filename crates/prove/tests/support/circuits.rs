//! Circuits of the kinds that models turn into, with answers that are known.

use obligato_circuit::{Circuit, Lit};

/// A circuit with something that never happens, or does after some steps.
pub struct Case {
    pub name: String,
    pub circuit: Circuit,
    pub bad: Lit,
    /// The length of the shortest run that gets there, if any does.
    pub steps: Option<usize>,
}

/// Cases that take no effort.
pub fn small_cases() -> Vec<Case> {
    vec![
        saturating_counter(20, 1000, 1001, None),
        saturating_counter(6, 20, 20, Some(21)),
        ring(12),
        shift_register(16),
        mutual_exclusion(),
        fifo(3),
        counters_in_step(12),
        alternating_counter(6),
    ]
}

/// A word of latches that starts at 0. Least bit first.
fn register(circuit: &mut Circuit, bits: usize) -> Vec<Lit> {
    (0..bits).map(|_| circuit.latch(false)).collect()
}

fn set_next(circuit: &mut Circuit, register: &[Lit], next: &[Lit]) {
    for (bit, next) in register.iter().zip(next) {
        let latch = circuit.latches().iter().position(|latch| latch.gate == bit.gate());
        circuit.set_next(latch.expect("a latch"), *next);
    }
}

/// The word, plus one if `carry`, modulo its size.
fn increment(circuit: &mut Circuit, word: &[Lit], mut carry: Lit) -> Vec<Lit> {
    let mut sum = Vec::new();
    for bit in word {
        sum.push(circuit.xor(*bit, carry));
        carry = circuit.and(*bit, carry);
    }
    sum
}

fn choose(circuit: &mut Circuit, test: Lit, first: &[Lit], second: &[Lit]) -> Vec<Lit> {
    first.iter().zip(second).map(|(a, b)| circuit.choose(test, *a, *b)).collect()
}

fn equal(circuit: &mut Circuit, first: &[Lit], second: &[Lit]) -> Lit {
    let bits: Vec<Lit> = first.iter().zip(second).map(|(a, b)| circuit.equal(*a, *b)).collect();
    circuit.all(bits)
}

/// Is the word at least this number?
fn at_least(circuit: &mut Circuit, word: &[Lit], number: u64) -> Lit {
    word.iter().enumerate().fold(Lit::TRUE, |so_far, (bit, lit)| {
        if number >> bit & 1 == 1 { circuit.and(*lit, so_far) } else { circuit.or(*lit, so_far) }
    })
}

/// Counts what is asked for up to a limit; bad is a count of at least `bad`.
pub fn saturating_counter(bits: usize, limit: u64, bad: u64, steps: Option<usize>) -> Case {
    let mut circuit = Circuit::new();
    let ask = circuit.input();
    let count = register(&mut circuit, bits);
    let is_full = at_least(&mut circuit, &count, limit);
    let continues = circuit.and(ask, !is_full);
    let next = increment(&mut circuit, &count, continues);
    set_next(&mut circuit, &count, &next);
    let bad = at_least(&mut circuit, &count, bad);
    Case { name: format!("saturating counter, {bits} bits"), circuit, bad, steps }
}

/// A token that goes around; bad is to have two of them.
pub fn ring(places: usize) -> Case {
    let mut circuit = Circuit::new();
    let go = circuit.input();
    let token: Vec<Lit> = (0..places).map(|place| circuit.latch(place == 0)).collect();
    let turned: Vec<Lit> = (0..places).map(|place| token[(place + places - 1) % places]).collect();
    let next = choose(&mut circuit, go, &turned, &token);
    set_next(&mut circuit, &token, &next);
    let (mut one, mut two) = (Lit::FALSE, Lit::FALSE);
    for place in token {
        let again = circuit.and(one, place);
        two = circuit.or(two, again);
        one = circuit.or(one, place);
    }
    Case { name: format!("ring of {places}"), circuit, bad: two, steps: None }
}

/// What goes in comes out at the end, so many steps later.
pub fn shift_register(length: usize) -> Case {
    let mut circuit = Circuit::new();
    let into = circuit.input();
    let places = register(&mut circuit, length);
    let next: Vec<Lit> = [into].iter().chain(&places[..length - 1]).copied().collect();
    set_next(&mut circuit, &places, &next);
    let bad = circuit.all(places);
    Case { name: format!("shift register of {length}"), circuit, bad, steps: Some(length + 1) }
}

/// Peterson's algorithm for two, who take steps in any order; bad is that both are in the critical section.
pub fn mutual_exclusion() -> Case {
    let mut circuit = Circuit::new();
    let second_goes = circuit.input();
    let turn = circuit.latch(false);
    // Idle 00, raised its flag 01, waits 10, critical 11.
    let place: [Vec<Lit>; 2] = [register(&mut circuit, 2), register(&mut circuit, 2)];
    let flag = [0, 1].map(|who| circuit.or(place[who][0], place[who][1]));
    let mut next_turn = turn;
    for who in [0, 1] {
        let moves = second_goes.negated_if(who == 0);
        let [low, high] = [place[who][0], place[who][1]];
        let raised = circuit.and(low, !high);
        let gives_way = circuit.and(moves, raised);
        // It gives way to the other one: the turn is the other's.
        next_turn = circuit.choose(gives_way, Lit::constant(who == 0), next_turn);
        let own_turn = turn.negated_if(who == 0);
        let may_enter = circuit.or(!flag[1 - who], own_turn);
        let waits = circuit.and(!low, high);
        let stays = circuit.and(waits, !may_enter);
        let onwards = circuit.and(moves, !stays);
        let next = increment(&mut circuit, &place[who], onwards);
        set_next(&mut circuit, &place[who], &next);
    }
    set_next(&mut circuit, &[turn], &[next_turn]);
    let critical = [0, 1].map(|who| circuit.and(place[who][0], place[who][1]));
    let bad = circuit.and(critical[0], critical[1]);
    Case { name: "mutual exclusion".to_owned(), circuit, bad, steps: None }
}

/// The pointers of a queue and its count of elements; bad is that they disagree. Nobody writes to a full queue or
/// reads from an empty one: a constraint.
pub fn fifo(bits: usize) -> Case {
    let mut circuit = Circuit::new();
    let (write, read) = (circuit.input(), circuit.input());
    let head = register(&mut circuit, bits);
    let tail = register(&mut circuit, bits);
    let count = register(&mut circuit, bits + 1);
    let is_full = at_least(&mut circuit, &count, 1 << bits);
    let is_empty = !circuit.any(count.iter().copied());
    let overflow = circuit.and(write, is_full);
    let underflow = circuit.and(read, is_empty);
    circuit.constrain(!overflow);
    circuit.constrain(!underflow);
    let next_head = increment(&mut circuit, &head, write);
    let next_tail = increment(&mut circuit, &tail, read);
    let more = circuit.and(write, !read);
    let less = circuit.and(read, !write);
    let up = increment(&mut circuit, &count, more);
    // Minus one is: negate, plus one, negate.
    let negated: Vec<Lit> = count.iter().map(|bit| !*bit).collect();
    let down: Vec<Lit> = increment(&mut circuit, &negated, less).iter().map(|bit| !*bit).collect();
    let next_count = choose(&mut circuit, more, &up, &down);
    set_next(&mut circuit, &head, &next_head);
    set_next(&mut circuit, &tail, &next_tail);
    set_next(&mut circuit, &count, &next_count);
    // The pointers agree exactly when the count is 0 modulo the size.
    let same = equal(&mut circuit, &head, &tail);
    let rest = circuit.any(count[..bits].iter().copied());
    let bad = circuit.equal(same, rest);
    Case { name: format!("queue of {}", 1 << bits), circuit, bad, steps: None }
}

/// Two counters that count the same; bad is that they differ.
pub fn counters_in_step(bits: usize) -> Case {
    let mut circuit = Circuit::new();
    let ask = circuit.input();
    let first = register(&mut circuit, bits);
    let second = register(&mut circuit, bits);
    for counter in [&first, &second] {
        let next = increment(&mut circuit, counter, ask);
        set_next(&mut circuit, counter, &next);
    }
    let same = equal(&mut circuit, &first, &second);
    Case { name: format!("two counters of {bits} bits"), circuit, bad: !same, steps: None }
}

/// A counter that counts in every second step only; bad is its highest number.
pub fn alternating_counter(bits: usize) -> Case {
    let mut circuit = Circuit::new();
    let phase = circuit.latch(false);
    let count = register(&mut circuit, bits);
    let next = increment(&mut circuit, &count, phase);
    set_next(&mut circuit, &count, &next);
    set_next(&mut circuit, &[phase], &[!phase]);
    let bad = circuit.all(count);
    let steps = Some(((1 << bits) - 1) * 2 + 1);
    Case { name: format!("slow counter of {bits} bits"), circuit, bad, steps }
}
