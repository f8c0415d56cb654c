//! Decisions in a run: nested, re-entered, abandoned, and recordings that
//! cannot be true.

#[allow(dead_code)]
mod harness;

use harness::{add_decision, add_function, assess, covered, evaluated};
use obligato_criteria::{Vectors, collect};
use obligato_model::{
    ConditionId, DecisionId, Exit, ExitId, Function, FunctionId, MutantId, Observability, Program,
    RecordedEvent, RecordedTest, Recording, Span, Strength, Watched,
};

/// `f` holds `a && f(..)`-like `a && b`, and `c || d` nested in its condition `b`.
struct Unit {
    program: Program,
    function: FunctionId,
    exit: ExitId,
    outer: DecisionId,
    inner: DecisionId,
}

fn unit() -> Unit {
    let mut program = Program::new();
    let file = program.add_file("unit.c");
    let span = Span::of_line("return");
    let function =
        program.add_function(Function { name: "f".to_owned(), file, span, entered: true });
    let exit = program.add_exit(Exit { function, span, text: "return".to_owned() });
    let outer = add_decision(&mut program, function, "a && b");
    let inner = add_decision(&mut program, function, "c || d");
    program.nest(inner, program.condition_at(outer, 1));
    Unit { program, function, exit, outer, inner }
}

impl Unit {
    /// Events from a script: `a`…`d` evaluated to true, `A`…`D` to false, `(` and `)` a call.
    fn events(&self, script: &str) -> Vec<RecordedEvent> {
        let condition = |letter: char| match letter.to_ascii_lowercase() {
            'a' => self.program.condition_at(self.outer, 0),
            'b' => self.program.condition_at(self.outer, 1),
            'c' => self.program.condition_at(self.inner, 0),
            _ => self.program.condition_at(self.inner, 1),
        };
        let event = |letter: char| match letter {
            '(' => RecordedEvent::Entered(self.function),
            ')' => RecordedEvent::Left(self.exit),
            letter => evaluated(condition(letter), letter.is_ascii_lowercase()),
        };
        script.chars().filter(|letter| *letter != ' ').map(event).collect()
    }

    fn recording(&self, scripts: &[&str]) -> Recording {
        let tests = scripts
            .iter()
            .map(|script| RecordedTest { name: (*script).to_owned(), events: self.events(script) });
        Recording { watched: Watched::default(), tests: tests.collect() }
    }

    /// The halves of `mcdc` that a script shows, as letters.
    fn shows(&self, script: &str) -> String {
        let assessment = assess(&self.program, &self.recording(&[script]), &["mcdc"]);
        let mut letters: Vec<char> = covered(&assessment)
            .into_iter()
            .filter(|text| text.starts_with("condition"))
            .filter_map(|text| {
                let name = text.split('`').nth(1)?.chars().next()?;
                Some(if text.contains("is true") { name } else { name.to_ascii_uppercase() })
            })
            .collect();
        letters.sort_unstable_by_key(char::to_ascii_lowercase);
        letters.into_iter().collect()
    }

    /// The first contradiction in a script, as text.
    fn contradiction(&self, script: &str) -> String {
        match collect(&self.program, &self.recording(&[script]), Vectors::Drop) {
            Ok(_) => "none".to_owned(),
            Err(error) => error.to_string(),
        }
    }
}

#[test]
fn a_nested_decision_does_not_disturb_the_outer_one() {
    let unit = unit();
    assert_eq!(unit.shows("a CD B"), "BCD");
    assert_eq!(unit.shows("a Cd b"), "abd");
    assert_eq!(unit.shows("A c"), "Ac");
}

#[test]
fn a_decision_re_entered_by_recursion_keeps_its_own_set() {
    let unit = unit();
    // The outer `a` is true and waits for `b` while a call evaluates `a && b` to false.
    assert_eq!(unit.shows("(a (A) b)"), "aAb");
    // Two levels: the innermost outcome is false by b, then true, then true.
    assert_eq!(unit.shows("(a (a (aB) b) b)"), "abB");
    // Masked in the inner call (a true, b false), unmasked in the outer.
    assert_eq!(unit.shows("(a (aB) B)"), "B");
}

#[test]
fn an_evaluation_left_by_a_jump_counts_its_conditions_but_shows_nothing() {
    let unit = unit();
    assert_eq!(unit.shows("(a"), "");
    assert_eq!(unit.shows("(a (a ) ab)"), "ab", "begun anew in its own frame");
    assert_eq!(unit.shows("(a (a (a ) b)"), "ab", "the frame it belonged to is gone");
    assert_ne!(unit.contradiction("(a (a ) ab b"), "none", "what was abandoned stays so");
    let assessment = assess(&unit.program, &unit.recording(&["(a"]), &["condition"]);
    assert_eq!(covered(&assessment), ["condition 1 `a` is true"]);
    let again = assess(&unit.program, &unit.recording(&["(a (a A"]), &["condition"]);
    assert_eq!(covered(&again), ["condition 1 `a` is true", "condition 1 `a` is false"]);
}

#[test]
fn nothing_leaks_from_one_test_into_the_next() {
    let unit = unit();
    let recording = unit.recording(&["(a", "ab"]);
    let evidence = collect(&unit.program, &recording, Vectors::Drop).expect("consistent");
    assert!(
        evidence.tests()[0].decisions[0]
            .1
            .shown
            .iter()
            .flatten()
            .all(obligato_model::BitSet::is_empty)
    );
    assert!(evidence.tests()[1].decisions[0].1.outcomes[1]);
    let split = unit.recording(&["a", "b"]);
    assert!(collect(&unit.program, &split, Vectors::Drop).is_err());
}

#[test]
fn a_recording_that_cannot_be_true_is_refused() {
    let unit = unit();
    assert_eq!(
        unit.contradiction("A b"),
        "test 'A b', event 2: condition 2 of `a && b` cannot come here; \
         an evaluation begins with condition 1"
    );
    assert_eq!(
        unit.contradiction("d"),
        "test 'd', event 1: condition 2 of `c || d` cannot come here; \
         an evaluation begins with condition 1"
    );
    assert_eq!(
        unit.contradiction(")"),
        "test ')', event 1: function 'f' is left, but it was not entered"
    );
    assert_eq!(
        unit.contradiction("(a (b"),
        "test '(a (b', event 4: condition 2 of `a && b` cannot come here; \
         an evaluation begins with condition 1"
    );
    assert_eq!(unit.contradiction("(a (A) b)"), "none");
}

#[test]
fn an_effect_of_a_value_the_condition_never_had_is_refused() {
    let unit = unit();
    let mut recording = unit.recording(&["ab"]);
    let RecordedEvent::Evaluated(mut first) = recording.tests[0].events[0].clone() else {
        panic!()
    };
    first.value = false;
    recording.tests[0].events.push(RecordedEvent::Observed(first, Observability::Tags));
    recording.watched.effects = vec![Observability::Tags];
    let error = collect(&unit.program, &recording, Vectors::Drop).expect_err("never false");
    assert_eq!(
        error.to_string(),
        "test 'ab', event 3: an effect of `a` being false is observed, but it never was"
    );
}

#[test]
fn a_strict_effect_of_a_condition_that_was_always_masked_is_refused() {
    let unit = unit();
    let mut recording = unit.recording(&["aB"]);
    let RecordedEvent::Evaluated(first) = recording.tests[0].events[0].clone() else { panic!() };
    recording.tests[0].events.push(RecordedEvent::Observed(first, Observability::Strict));
    recording.watched.effects = vec![Observability::Strict];
    let error = collect(&unit.program, &recording, Vectors::Drop).expect_err("masked");
    assert!(error.to_string().ends_with("but it is masked in every evaluation"), "{error}");
}

#[test]
fn what_was_not_to_be_watched_for_is_refused_and_so_is_what_the_program_lacks() {
    let unit = unit();
    let mut recording = unit.recording(&["ab"]);
    let RecordedEvent::Evaluated(first) = recording.tests[0].events[0].clone() else { panic!() };
    for (event, part) in [
        (
            RecordedEvent::Observed(first, Observability::Exact),
            "does not watch for effects under exact",
        ),
        (RecordedEvent::Killed(MutantId::new(0), Strength::Weak), "no such mutant"),
        (RecordedEvent::Entered(FunctionId::new(7)), "no such function"),
        (evaluated(ConditionId::new(99), true), "no such condition"),
        (RecordedEvent::Left(ExitId::new(1)), "no such exit"),
    ] {
        recording.tests[0].events.truncate(2);
        recording.tests[0].events.push(event);
        let error = collect(&unit.program, &recording, Vectors::Drop).expect_err("refused");
        assert!(error.to_string().contains(part), "{error}");
    }
}

#[test]
fn a_call_that_never_says_it_is_over_ends_when_its_caller_goes_on() {
    let mut unit = unit();
    let helper = add_function(&mut unit.program, "helper");
    let mut events = unit.events("(a");
    events.push(RecordedEvent::Entered(helper));
    events.extend(unit.events("b)"));
    let tests = vec![RecordedTest { name: "t".to_owned(), events }];
    let recording = Recording { watched: Watched::default(), tests };
    let evidence = collect(&unit.program, &recording, Vectors::Drop).expect("consistent");
    assert_eq!(evidence.tests()[0].decisions[0].1.outcomes, [false, true]);
}
