//! Soundness of proofs: the cuts of the formula of all paths, and the assumptions.

mod support;

use obligato_c_unit::Settings;
use obligato_c_unit::settings::State;
use obligato_campaign::{Budget, Standing};
use obligato_engines_c::Outcome;
use obligato_model::Proof;
use support::{MCDC, load, request, run, tally};

/// A loop with more iterations than the unwinding bound.
const LOOP: &str = "for (unsigned i = 0; i < n; i++) s = s * 31 + (i ^ s);";

fn proofs(outcome: &Outcome<'_>) -> Vec<Proof> {
    let standings = (0..outcome.ledger.len()).map(|index| outcome.ledger.standing(index));
    let refuted = standings.filter_map(|standing| match standing {
        Standing::Refuted(proof) => Some(proof.clone()),
        _ => None,
    });
    refuted.collect()
}

/// How many obligations are covered, refuted and open, for tests of so many steps.
fn tally_of(text: &str, steps: usize) -> (usize, usize, usize) {
    let unit = load(text, "f", Settings::default());
    let interface = unit.interface("f").expect("an interface");
    let mut request = request(&unit, &interface, &[MCDC]);
    (request.subject.steps, request.budget) = (steps, Budget::Work(3_000));
    tally(&run(&request))
}

#[test]
fn goals_before_a_cut_are_refuted() {
    let text = format!(
        "unsigned f(int a, unsigned n) {{ unsigned s = 1; if (a < 2 && a > 5) return 0; {LOOP} return s; }}"
    );
    assert!(tally_of(&text, 1).1 > 1, "neither condition is ever shown to be true");
}

#[test]
fn goals_behind_a_cut_are_not_refuted() {
    let behind = format!(
        "unsigned f(int a, unsigned n) {{ unsigned s = 1; {LOOP} if (a < 2 && a > 5) return 0; return s; }}"
    );
    let in_callee = format!(
        "static unsigned g(unsigned n) {{ unsigned s = 1; {LOOP} return s; }}
         unsigned f(int a, unsigned n) {{ unsigned s = g(n); if (a < 2 && a > 5) return 0; return s; }}"
    );
    for text in [behind, in_callee] {
        assert_eq!(tally_of(&text, 1).1, 0, "{text}");
    }
}

#[test]
fn a_later_step_lies_behind_every_cut() {
    let text = format!(
        "unsigned f(int a, unsigned n) {{ static unsigned s = 1; if (a > 3 && s == 77) return 0; {LOOP} return s; }}"
    );
    assert!(tally_of(&text, 1).1 > 0, "in the first step s is 1");
    assert_eq!(tally_of(&text, 2).1, 0);
}

#[test]
fn callbacks_lie_behind_the_cut_at_the_call() {
    let text = "#include <stdlib.h>
    static int order(const void *a, const void *b) {
        const int *x = a, *y = b;
        return *x > 3 && *y > 3 ? -1 : 1;
    }
    int f(int *v) { if (!v) return 1; qsort(v, 3, sizeof *v, order); return v[0]; }";
    assert_eq!(tally_of(text, 1).1, 0);
}

const SWITCHED: &str =
    "static int ready; static const int limit = 3; static int table[2] = { 4, 5 };
    void start(void) { ready = 1; }
    int f(int a) { return (ready && a > limit) ? table[0] : table[1]; }";

#[test]
fn static_variables_that_tests_do_not_set_are_named_by_proofs() {
    let unit = load(SWITCHED, "f", Settings::default());
    let interface = unit.interface("f").expect("an interface");
    assert_eq!(interface.state, ["ready"], "neither what is constant nor what nobody writes");
    let outcome = run(&request(&unit, &interface, &[MCDC]));
    let proofs = proofs(&outcome);
    assert!(!proofs.is_empty());
    for proof in proofs {
        let words: Vec<String> = proof.assumptions.iter().map(ToString::to_string).collect();
        let words = words.join("; ");
        assert!(words.contains("'ready' starts as the file has it (--state free"), "{words}");
    }
}

#[test]
fn free_state_leaves_nothing_to_assume() {
    let settings = Settings { state: State::Free, ..Settings::default() };
    let unit = load(SWITCHED, "f", settings);
    let interface = unit.interface("f").expect("an interface");
    assert!(interface.state.is_empty(), "{:?}", interface.state);
    let (_, refuted, open) = tally(&run(&request(&unit, &interface, &[MCDC])));
    assert_eq!((refuted, open), (0, 0));
}

#[test]
fn pointers_with_nothing_to_point_to_are_named_by_proofs() {
    let text = "struct item { int value; struct item *next; };
    int f(struct item *p, int a) { return a < 1 && a > 2 && p && p->next; }";
    let unit = load(text, "f", Settings::default());
    let interface = unit.interface("f").expect("an interface");
    let outcome = run(&request(&unit, &interface, &[MCDC]));
    let proofs = proofs(&outcome);
    let proof = proofs.first().expect("a proof");
    let words: Vec<String> = proof.assumptions.iter().map(ToString::to_string).collect();
    let words = words.join("; ");
    let last = "'p->next->next->next' is NULL, for want of something to point to";
    assert!(words.contains(last), "{words}");
}
