//! Any number of calls: the shortest call sequences for what static state hides, and proofs that no sequence covers the rest.

mod support;

use std::collections::BTreeSet;

use obligato_c_unit::Settings;
use obligato_campaign::{Budget, Standing};
use obligato_engines_c::Outcome;
use obligato_model::Bound;
use support::{MCDC, load, machine, request, run};

/// How the obligations of a function ended.
#[derive(Debug, Default, PartialEq, Eq)]
struct Ended {
    covered: usize,
    proved: usize,
    /// The bounds of what was refuted within bounds, in words.
    bounds: BTreeSet<String>,
    open: usize,
    /// The steps of the longest test.
    longest: usize,
}

fn ended(outcome: &Outcome<'_>) -> Ended {
    let mut ended = Ended::default();
    for index in 0..outcome.ledger.len() {
        match outcome.ledger.standing(index) {
            Standing::Covered => ended.covered += 1,
            Standing::Refuted(_) => ended.proved += 1,
            Standing::NotWithinBounds(bounds) => {
                ended.bounds.extend(bounds.iter().map(ToString::to_string));
            }
            Standing::Settled => {}
            Standing::Open | Standing::Unsupported(_) => ended.open += 1,
        }
    }
    ended.longest = outcome.tests.iter().map(|made| made.test.steps.len()).max().unwrap_or(0);
    ended
}

/// A campaign for `f` with call sequences of at most so many steps.
fn campaign(text: &str, most_steps: usize) -> Ended {
    campaign_with(text, Settings::default(), most_steps)
}

fn campaign_with(text: &str, settings: Settings, most_steps: usize) -> Ended {
    let unit = load(text, "f", settings);
    let interface = unit.interface("f").expect("an interface");
    let mut request = request(&unit, &interface, &[MCDC]);
    (request.subject.most_steps, request.budget) = (most_steps, Budget::Work(5_000_000));
    ended(&run(&request))
}

const BUTTON: &str = "
    enum state { IDLE, PRESSED, HELD, LOCKED };
    static enum state state; static unsigned char count;
    int f(_Bool down) {
        switch (state) {
        case IDLE: if (down) { state = PRESSED; count = 0; } break;
        case PRESSED:
            if (!down) state = IDLE;
            else if (++count >= 2) state = HELD;
            break;
        case HELD: if (!down) state = LOCKED; break;
        case LOCKED: if (down && count == 2) { state = IDLE; return 1; } break;
        }
        return 0;
    }";

#[test]
fn a_button_is_pressed_as_often_as_its_state_machine_takes() {
    let ended = campaign(BUTTON, 64);
    assert_eq!((ended.open, ended.bounds.len()), (0, 0), "{ended:?}");
    assert!(ended.covered > 10, "{ended:?}");
    assert_eq!(ended.longest, 5, "{ended:?}");
}

#[test]
fn a_switch_of_twenty_states_is_resolved_and_its_default_proved_dead() {
    let ended = campaign(&machine(20), 64);
    assert_eq!((ended.open, ended.bounds.len()), (0, 0), "{ended:?}");
    assert!(ended.longest >= 20, "{ended:?}");
}

const HANDLERS: &str = "
    static int idle(int x); static int busy(int x); static int done(int x);
    static int (*state)(int) = idle; static int n;
    static const int limits[2] = { 2, 5 }; static const int *limit = &limits[0];
    static int idle(int x) { if (x == 7) state = busy; return 0; }
    static int busy(int x) { if (x < 0 && ++n > *limit) state = done; return 1; }
    static int done(int x) {
        if (x == 100) { state = idle; n = 0; limit = &limits[1]; return 9; }
        return 2;
    }
    int f(int x) { int r = state(x); if (r > 8) return -1; if (r == 5) return -2; return r; }";

#[test]
fn state_may_be_a_pointer_to_a_function_or_a_variable() {
    let ended = campaign(HANDLERS, 64);
    assert_eq!((ended.open, ended.bounds.len()), (0, 0), "{ended:?}");
    assert_eq!(ended.longest, 5, "{ended:?}");
    assert!(ended.proved >= 2, "no handler gives 5: {ended:?}");
}

/// Functions of which a goal is covered by no call sequence, and how many of their obligations.
const PROVED: &[(&str, usize)] = &[
    ("static int n; int f(int up) { if (up && n < 5) n++; if (n > 5) return 1; return 0; }", 1),
    ("static unsigned char a, b; int f(int x) { if (x) { a++; b++; } return a != b; }", 1),
    (
        "static int lock; int f(int key) {
             if (lock == 0 && key == 7) lock = 2; else if (lock == 2 && key == 9) lock = 4;
             if (lock & 1) return 1; return 0;
         }",
        1,
    ),
    (
        "int f(int x) { static int seen; if (seen == 3) return 2; if (x > 3) seen = 2; return 0; }",
        1,
    ),
];

#[test]
fn what_no_call_sequence_covers_is_proved() {
    for (text, at_least) in PROVED {
        let ended = campaign(text, 64);
        assert_eq!((ended.open, ended.bounds.len()), (0, 0), "{text}\n{ended:?}");
        assert!(ended.proved >= *at_least, "{text}\n{ended:?}");
    }
}

/// Functions of which a goal is covered by some caller, though by no test that calls only them; and the bound.
const BOUNDED: &[(&str, &str)] = &[
    (
        "static int on; void start(void) { on = 1; } int f(int a) { return on && a > 3; }",
        "no other function changes 'on'",
    ),
    (
        "#include <stdlib.h>
         static int *last; int f(void) {
             int *now = malloc(sizeof *now); if (!now) return 3; *now = 0;
             if (last && last != now && *last == 9) return 1;
             last = now; return 0;
         }",
        "successful allocation",
    ),
];

#[test]
fn what_other_callers_may_cover_is_not_proved() {
    for (text, bound) in BOUNDED {
        let ended = campaign(text, 8);
        assert!(
            ended.bounds.contains(&Bound::read(bound).to_string()) || ended.open > 0,
            "{text}\n{ended:?}"
        );
        assert_eq!(ended.proved, 0, "{text}\n{ended:?}");
    }
}

#[test]
fn a_sequence_is_no_longer_than_asked_for() {
    let ended = campaign(&machine(20), 3);
    assert_eq!(ended.longest, 3, "{ended:?}");
    assert!(ended.bounds.contains(&Bound::Steps(3).to_string()), "{ended:?}");
}

const TIMER: &str = "
    static int ready; static unsigned ticks;
    void start(void) { ready = 1; }
    void isr(void) { if (ticks < 3) ticks++; }
    int f(int a) {
        if (!ready) return -1;
        if (ticks >= 2 && a > 5) return 1;
        if (ticks > 3) return 2;
        return 0;
    }";

#[test]
fn a_set_up_call_and_events_belong_to_the_sequence() {
    let (init, events) = (Some("start".to_owned()), vec!["isr".to_owned()]);
    let ended = campaign_with(TIMER, Settings { init, events, ..Settings::default() }, 16);
    assert_eq!((ended.open, ended.bounds.len()), (0, 0), "{ended:?}");
    assert_eq!(ended.longest, 2, "an event before each of two steps: {ended:?}");
    // After the set-up call it is ready for ever, and there are no more than three ticks.
    assert!(ended.proved >= 3, "{ended:?}");
}

#[test]
fn without_them_what_they_change_is_changed_by_other_functions() {
    let ended = campaign(TIMER, 16);
    assert!(ended.bounds.iter().any(|bound| bound.contains("'ready'")), "{ended:?}");
}

#[test]
fn a_function_that_takes_arguments_is_no_event() {
    let settings = Settings { events: vec!["f".to_owned()], ..Settings::default() };
    let refused = support::try_load(TIMER, "f", settings).expect_err("it takes an argument");
    assert!(refused.to_string().contains("it takes arguments"), "{refused}");
    let settings = Settings { init: Some("begin".to_owned()), ..Settings::default() };
    let refused = support::try_load(TIMER, "f", settings).expect_err("there is none");
    assert!(refused.to_string().contains("neither defines nor declares"), "{refused}");
}

#[test]
fn a_kept_pointer_is_one_to_another_object_only_beyond_a_bound() {
    for text in [
        "static int *kept; int f(int *p) { int r = 0; if (kept && p && *kept == 1 && *p == 2) r = 1; kept = p; return r; }",
        "struct device { int id; }; static struct device *all[2]; static int n; int f(struct device *d) { if (n < 2 && d) all[n++] = d; return n == 2 && all[0]->id == 1 && all[1]->id == 2; }",
    ] {
        let found = campaign(text, 4);
        let bound = Bound::SameObjects.to_string();
        assert!(found.proved == 0 && found.bounds.contains(&bound), "{text}: {found:?}");
    }
}
