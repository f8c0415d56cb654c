//! What automata, `last`, and `if` and `frame` blocks mean, by traces computed by hand.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod support;

use std::fmt::Write as _;

use obligato_lustre::analysis::{Extent, Options, analyse};
use obligato_lustre::inline::{self, inline};
use obligato_lustre::lowering::{self, Lowered, lower};
use obligato_lustre_syntax::parse;
use obligato_model::Role;
use obligato_transition_system::CheckKind;
use support::trace::{failures, lowered, run};

const COUNT: &str = "node count() returns (n: int); let n = 1 -> pre n + 1; tel;\n";

#[test]
fn a_weak_transition_takes_effect_at_the_next_instant_and_restart_forgets() {
    let model = |entry: &str| {
        lowered(&format!(
            "node main(a: bool) returns (y: int);\n\
             let automaton A\n\
             initial state Off: let y = 0 -> pre y + 1; tel until if a {entry} On end\n\
             state On: let y = 100 -> pre y + 1; tel until if not a resume Off end\n\
             returns y; tel;"
        ))
    };
    let rows = ["F", "T", "T", "F", "F", "T", "F"];
    let restarted = run(&model("restart"), &rows, &["y"]);
    assert_eq!(restarted, ["0", "1", "100", "101", "2", "3", "100"]);
    let resumed = run(&model("resume"), &rows, &["y"]);
    assert_eq!(resumed, ["0", "1", "100", "101", "2", "3", "102"]);
}

#[test]
fn a_strong_transition_decides_the_state_of_the_same_instant() {
    let model = lowered(
        "node main(a: bool) returns (y: int);\n\
         let automaton A\n\
         state Off: unless if a restart On end let y = 0 -> pre y + 1; tel\n\
         state On: unless if not a resume Off end let y = 100 -> pre y + 1; tel\n\
         returns y; tel;",
    );
    let rows = run(&model, &["F", "T", "T", "F", "F", "T"], &["y"]);
    assert_eq!(rows, ["0", "100", "101", "1", "2", "100"]);
    let states = run(&model, &["F", "T", "T", "F"], &["state of A"]);
    assert_eq!(states, ["0", "1", "1", "0"], "by position");
}

#[test]
fn the_first_guard_that_holds_decides_and_one_without_always_does() {
    let model = lowered(
        "node main(a, b: bool) returns (y: int);\n\
         let automaton A\n\
         initial state S: let y = 0; tel until if a restart T elsif b restart U else restart V end\n\
         state T: let y = 1; tel until restart S\n\
         state U: let y = 2; tel until b restart S; until a restart V;\n\
         state V: let y = 3; tel until resume S\n\
         returns ..; tel;",
    );
    let rows = ["T T", "F F", "F T", "T T", "F T", "T F", "F F", "F F", "F F"];
    assert_eq!(run(&model, &rows, &["y"]), ["0", "1", "0", "2", "0", "2", "3", "0", "3"]);
}

#[test]
fn the_memory_of_a_guard_lives_while_its_state_is_entered() {
    let model = lowered(
        "node main() returns (x: int);\n\
         let automaton move\n\
         state A: unless false -> pre x = 3 resume B let x = 0 -> last x + 1; tel\n\
         state B: let x = 3 -> last x - 1; tel until x = 0 resume A\n\
         returns x; tel;",
    );
    // The guard of `A` was last evaluated when `x` was 3 for the second time: `B` goes on.
    let rows = run(&model, &[""; 10], &["x"]);
    assert_eq!(rows, ["0", "1", "2", "3", "3", "2", "1", "0", "-1", "-2"]);
}

#[test]
fn last_is_the_previous_value_whatever_state_defined_it() {
    let model = lowered(
        "node main(k: int) returns (x: int);\n\
         let automaton\n\
         initial state Up: let x = 0 -> last x + last k; tel until if x = 2 restart Down end\n\
         state Down: let x = last x - 10; tel until resume Up\n\
         returns x; tel;",
    );
    let rows = run(&model, &["1", "1", "1", "1", "1", "5", "1"], &["x"]);
    assert_eq!(rows, ["0", "1", "2", "-8", "-7", "-6", "-1"]);
}

const NESTED: &str = "node main(go, deep: bool) returns (y: int);\n\
    let automaton Outer\n\
    initial state Idle: let y = -count(); tel until if go restart Work end\n\
    state Work: let\n\
      automaton Inner\n\
      initial state Low: let y = count(); tel until if deep resume High end\n\
      state High: let y = 10 * count(); tel until if not deep resume Low end\n\
      returns y;\n\
    tel until if not go resume Idle end\n\
    returns y; tel;";

#[test]
fn calls_and_inner_automata_live_and_restart_with_their_state() {
    let model = lowered(&format!("{COUNT}{NESTED}"));
    let rows = ["F F", "T F", "T T", "T T", "T F", "F T", "T F", "T T", "T T", "F F"];
    let expected = ["-1", "-2", "1", "10", "20", "2", "-3", "1", "10", "20"];
    assert_eq!(run(&model, &rows, &["y"]), expected);
    let statements: Vec<_> = model.program.statements().iter().map(|s| &s.text[..]).collect();
    assert_eq!(statements.iter().filter(|text| text.contains("count")).count(), 3, "in states");
    assert!(statements.iter().all(|text| text.contains(['y', 'n'])), "{statements:?}");
    assert_eq!(statements.len(), 3 + 3, "one in each call of 'count'");
    let mut paths: Vec<_> = model.instances.iter().map(|instance| &instance.path[..]).collect();
    paths.sort_unstable();
    assert_eq!(
        paths,
        [
            "main",
            "main/Outer.Idle",
            "main/Outer.Idle/count",
            "main/Outer.Work",
            "main/Outer.Work/Inner.High",
            "main/Outer.Work/Inner.High/count",
            "main/Outer.Work/Inner.Low",
            "main/Outer.Work/Inner.Low/count",
        ]
    );
}

#[test]
fn states_see_variables_constants_and_parameters_of_the_node_around() {
    let model = lowered(
        "const far = 100;\n\
         node sum(const n: int; v: int^n) returns (s: int);\n\
         var acc: int^n; const one = 1; const size = one + 1;\n\
         let\n\
           automaton A\n\
           initial state Go: var twice: int^size;\n\
             let twice = [v[0], v[one]]; acc[i] = if i = 0 then twice[0] else acc[i - 1] + v[i]; tel\n\
             until acc[one] > far resume Stop\n\
           state Stop: let acc = last acc; tel\n\
           returns acc;\n\
           s = acc[n - 1];\n\
         tel;\n\
         node main(a, b: int) returns (s: int); let s = sum(2, [a, b]); tel;",
    );
    assert_eq!(run(&model, &["1 2", "60 50", "7 8", "9 9"], &["s"]), ["3", "110", "110", "110"]);
}

#[test]
fn several_automata_of_a_node_read_each_other() {
    let model = lowered(
        "node main(a: bool) returns (x, y: int);\n\
         let\n\
         automaton One state S: let x = y + 1; tel until a restart T\n\
                       state T: let x = 0; tel until not a restart S returns x;\n\
         automaton Two state S: let y = 5; tel until x = 6 restart T\n\
                       state T: let y = 7 -> pre y + 1; tel returns y;\n\
         tel;",
    );
    let rows = run(&model, &["F", "F", "T", "T", "F", "F"], &["x", "y"]);
    assert_eq!(rows, ["6 5", "8 7", "9 8", "0 9", "0 10", "12 11"]);
}

#[test]
fn a_function_of_the_state_is_checked_only_while_it_is_active() {
    let model = lowered(
        "node main(n: int) returns (y: int);\n\
         let automaton A\n\
         initial state S: let y = 0; tel until n <> 0 restart T\n\
         state T: let y = 10 div n; check y > 1; assert n < 9; tel until n = 2 restart S\n\
         returns y; tel;",
    );
    let rows = ["0", "0", "5", "2", "0", "9"];
    assert_eq!(failures(&model, CheckKind::DivisionByZero, &rows), [0; 6]);
    let divisions = failures(&model, CheckKind::DivisionByZero, &["1", "0"]);
    assert_eq!(divisions, [0, 2], "in the output and in the property");
    assert_eq!(failures(&model, CheckKind::Property, &["0", "1", "6", "2", "0"]), [0, 0, 1, 0, 0]);
    assert_eq!(failures(&model, CheckKind::Assertion, &["9", "9", "2", "9"]), [0, 1, 0, 0]);
}

#[test]
fn an_if_block_chooses_what_its_variables_are() {
    let model = lowered(
        "node two(n: int) returns (a, b: int); let a = n + 1; b = n + 2; tel;\n\
         node main(c, d: bool; n: int) returns (x, y: int);\n\
         let\n\
           if c then\n\
             x = n;\n\
             if d then y = 1; else y = 10 div n; fi\n\
           elsif d then\n\
             (x, y) = two(n);\n\
           else\n\
             y, x = (30, 20);\n\
           fi\n\
         tel;",
    );
    let rows = run(&model, &["T T 4", "T F 5", "F T 6", "F F 7"], &["x", "y"]);
    assert_eq!(rows, ["4 1", "5 2", "7 8", "20 30"]);
    let divisions = failures(&model, CheckKind::DivisionByZero, &["F F 0", "T T 0", "T F 0"]);
    assert_eq!(divisions, [0, 0, 1]);
}

#[test]
fn a_frame_keeps_what_is_not_defined() {
    let model = lowered(&format!(
        "{COUNT}node main() returns (y1, y2, y3, n: int; a: int^2);\n\
         let\n\
           n = count();\n\
           frame (y1, y2, y3, a)\n\
             (y1, y2) = (10, 100); y3 = 5; a[i] = i;\n\
           let\n\
             if n < 3 then y1 = n; elsif n = 5 then y2 = last y2 + last y1; a[i] = 7 * i + n; fi\n\
           tel\n\
         tel;"
    ));
    let rows = run(&model, &[""; 6], &["y1", "y2", "y3", "a[0]", "a[1]"]);
    let expected = ["1 100 5 0 1", "2 100 5 0 1", "2 100 5 0 1", "2 100 5 0 1", "2 102 5 5 12"];
    assert_eq!(rows[..5], expected);
    assert_eq!(rows[5], "2 102 5 5 12");
}

#[test]
fn a_frame_around_an_automaton_keeps_what_a_state_does_not_define() {
    let model = lowered(
        "node main(a: bool; n: int) returns (x, y: int);\n\
         let\n\
           frame (x, y) x = 1; y = 2; let\n\
             automaton A\n\
             initial state S: let x = n; tel until a restart T\n\
             state T: let if n > 5 then y = n; fi tel until not a restart S\n\
           tel\n\
         tel;",
    );
    let rows = run(&model, &["F 3", "T 4", "T 5", "T 6", "F 1", "F 8"], &["x", "y"]);
    assert_eq!(rows, ["3 2", "4 2", "4 2", "4 6", "4 6", "8 6"]);
}

#[test]
fn a_frame_in_a_state_keeps_values_on_the_activity_of_the_state() {
    let model = lowered(
        "node main(a, b: bool) returns (x: int);\n\
         let automaton A\n\
         initial state S: let frame (x) x = 5; let if b then x = last x + 1; fi tel tel\n\
           until a resume T\n\
         state T: let x = 0; tel until not a resume S\n\
         returns x; tel;",
    );
    let rows = run(&model, &["F F", "F T", "T T", "T F", "F F", "F T"], &["x"]);
    assert_eq!(rows, ["5", "6", "7", "0", "0", "8"]);
}

/// Every instant starts in the state without a name of its own in the chart; a strong transition
/// leads to the state that does what one transition of the chart does.
#[test]
fn a_chart_runs_as_cocosim_writes_it() {
    let model = lowered(&format!(
        "{COUNT}node off_entry() returns (id: int; heat: bool); let id = 1; heat = false; tel;\n\
         node on_entry() returns (id: int; heat: bool); let id = 2; heat = true; tel;\n\
         node main(cold: bool) returns (heat: bool; n: int);\n\
         var id, id_1, n_1: int; heat_1: bool;\n\
         let\n\
           id_1 = 0 -> pre id; n_1 = 0 -> pre n; heat_1 = false -> pre heat;\n\
           automaton heater\n\
           state POINT:\n\
             unless if id_1 = 0 restart Enter_Off\n\
             elsif id_1 = 1 and cold restart Off_to_On\n\
             elsif id_1 = 2 and not cold restart On_to_Off\n\
             elsif id_1 = 2 restart On_during end;\n\
             let id = id_1; n = n_1; heat = heat_1; tel\n\
           state Enter_Off: let (id, heat) = off_entry(); n = n_1; tel until restart POINT;\n\
           state Off_to_On: let (id, heat) = on_entry(); n = n_1 + 10; tel until restart POINT;\n\
           state On_to_Off: let (id, heat) = off_entry(); n = n_1; tel until restart POINT;\n\
           state On_during: let (id, heat, n) = (id_1, heat_1, n_1 + count()); tel\n\
             until restart POINT;\n\
           returns id, n, heat;\n\
         tel;"
    ));
    let rows = run(&model, &["T", "T", "T", "T", "F", "F", "T"], &["id", "heat", "n"]);
    assert_eq!(rows, ["1 F 0", "2 T 10", "2 T 11", "2 T 12", "1 F 12", "1 F 12", "2 T 22"]);
}

#[test]
fn what_is_added_to_the_text_is_not_checked_to_stay_in_its_subrange() {
    let model = lowered(
        "node main(n: int) returns (x: subrange [1, 5] of int);\n\
         let automaton A\n\
         initial state S: let x = 3 -> last x + n; tel until n > 1 restart T\n\
         state T: var v: subrange [0, 2] of int; let v = n; x = last x; tel\n\
         returns x; tel;",
    );
    let rows = ["0", "1", "2", "2", "3"];
    assert_eq!(run(&model, &rows, &["x"]), ["3", "4", "6", "6", "6"]);
    assert_eq!(failures(&model, CheckKind::Subrange, &rows), [0, 0, 1, 1, 2]);
}

#[test]
fn names_that_a_flattened_model_declares_do_not_clash() {
    let model = lowered(
        "node main(m.a: int; m.b[0], main.A.S: bool) returns (x: int);\n\
         let automaton A\n\
         state S: let x = m.a; tel until m.b[0] restart T\n\
         state T: let x = if main.A.S then -1 else -2; tel until not m.b[0] restart S\n\
         returns x; tel;",
    );
    let rows = run(&model, &["5 T F", "6 T T", "7 F F", "8 F T"], &["x"]);
    assert_eq!(rows, ["5", "-1", "-2", "8"]);
}

#[test]
fn blocks_and_automata_may_be_many_and_blocks_nest_deep() {
    let deep = 20_000;
    let model = lowered(&format!(
        "node main(a: bool) returns (x: int);\nlet frame (x) x = 0; let\n{}{}{}tel tel;",
        "if a then\n".repeat(deep),
        "x = 1;\n",
        "fi\n".repeat(deep)
    ));
    assert_eq!(run(&model, &["F", "T", "F"], &["x"]), ["0", "1", "1"]);
    let states = 1000;
    let mut text = "node main(a: bool) returns (x: int);\nlet automaton\n".to_owned();
    for state in 0..states {
        let next = (state + 1) % states;
        let _ = writeln!(text, "state S{state}: let x = {state}; tel until a resume S{next};");
    }
    text += "returns x; tel;";
    assert_eq!(run(&lowered(&text), &["T", "F", "T", "T"], &["x"]), ["0", "1", "1", "2"]);
}

#[test]
fn every_test_and_guard_is_one_decision_at_its_place() {
    let text = "node main(a, b, c: bool) returns (x: int; y, z: bool);\n\
        let\n\
          if a and b then x = 1; y = b or c; else x = 2; y = c; fi\n\
          automaton A\n\
          initial state S: unless a and not last z restart T\n\
            let z = b and c; tel until if y or b resume T end\n\
          state T: let z = false -> pre z; tel until restart S\n\
          returns z;\n\
        tel;";
    let model = analyse(parse(text.as_bytes()).unwrap().program, &Options::default()).unwrap();
    let program = model.program_of_sources("m.lus", text.as_bytes(), Extent::Equations);
    let of = |decision: &obligato_model::Decision| {
        let role = if decision.role == Role::Control { "control" } else { "value" };
        let function = &program.functions()[decision.function.index()].name;
        format!("{function}: {} ({role})", decision.text)
    };
    let found: Vec<_> = program.decisions().iter().map(of).collect();
    assert_eq!(
        found,
        [
            "main.A.S.unless: a and not last z (control)",
            "main.A.S: b and c (value)",
            "main.A.S: y or b (control)",
            "main.A.T: false -> pre z (value)",
            "main.A.T: pre z (value)",
            "main.A.T: z (value)",
            "main: a and b (control)",
            "main: b or c (value)",
            "main: c (value)",
        ]
    );
}

#[test]
fn a_model_with_automata_and_blocks_is_inlined_around_them_and_decides_the_same() {
    let text = "node main(a, b: bool) returns (y: int; o: bool);\n\
                var both, either: bool;\n\
                let both = a and b; either = a or b; o = both => (either and not b);\n\
                automaton A\n\
                initial state Off: let y = 0 -> pre y + 1; tel until if both restart On end\n\
                state On: let if either then y = 2; else y = 3; fi tel until if not a resume Off end\n\
                returns y; tel;";
    let model = analyse(parse(text.as_bytes()).unwrap().program, &Options::default()).unwrap();
    let inlined = inline(&model, &inline::Options::default());
    // What states read stays; what they become names it.
    assert_eq!((inlined.found, inlined.removed), (2, 0));
    let inlined = analyse(inlined.program, &Options::default()).unwrap();
    let lower = |model| lower(model, "m.lus", text.as_bytes(), &lowering::Options::default());
    let (written, inlined) = (lower(&model).unwrap(), lower(&inlined).unwrap());
    let texts = |lowered: &Lowered| -> Vec<String> {
        let decisions = lowered.program.decisions().iter();
        decisions.map(|decision| decision.text.clone()).collect()
    };
    let mut expected = texts(&written);
    for text in &mut expected {
        if text.starts_with("both =>") {
            "a and b => (a or b) and not b".clone_into(text);
        }
    }
    assert_eq!(texts(&inlined), expected);
    let rows = ["F F", "T T", "T F", "T T", "F T", "F F", "T T", "F F"];
    assert_eq!(run(&inlined, &rows, &["y", "o"]), run(&written, &rows, &["y", "o"]));
}
