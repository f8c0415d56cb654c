//! What constructs become, by traces computed by hand.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod support;

use std::fmt::Write as _;

use obligato_lustre::analysis::{self, Extent, analyse};
use obligato_lustre::lowering::{InstanceId, Options, lower};
use obligato_lustre_syntax::parse;
use obligato_model::Value;
use obligato_transition_system::{CheckKind, Evaluator};
use support::trace::{failures, lowered, run, try_lowering};

#[test]
fn the_program_of_paper_000_runs_as_its_table_ii_says() {
    let model = lowered(
        "node main(in1, in2, in3: bool) returns (out: bool);\n\
         var v1, v2, v3, v4: bool;\n\
         let v1 = false -> pre in1; v2 = in2 and v1; v3 = false -> pre v2;\n\
         v4 = if in3 then v2 else v3; out = false -> pre v4; tel;",
    );
    let rows = run(&model, &["T F F", "F T F", "F F F", "F F F"], &["v1", "v2", "v3", "v4", "out"]);
    assert_eq!(rows, ["F F F F F", "T T F F F", "F F T T F", "F F F F T"]);
}

const COUNTER: &str = "node count(by: int) returns (n: int);\n\
                       let n = by + (0 -> pre n); tel;\n";

#[test]
fn a_condact_keeps_the_state_of_its_call_and_its_last_result() {
    let model = lowered(&format!(
        "{COUNTER}node main(c: bool; x: int) returns (y: int);\n\
         let y = condact(c, count(x), -1); tel;"
    ));
    let rows = run(&model, &["F 5", "T 1", "F 9", "T 2", "T 3", "F 0"], &["y"]);
    assert_eq!(rows, ["-1", "1", "1", "3", "6", "6"]);
    let inner = &model.instances[1];
    assert_eq!((inner.path.as_str(), inner.parent.map(InstanceId::index)), ("main/count", Some(0)));
}

#[test]
fn activate_with_defaults_is_condact() {
    let model = lowered(&format!(
        "{COUNTER}node main(c: bool; x: int) returns (y: int);\n\
         let y = (activate count every c initial default 7)(x); tel;"
    ));
    let rows = run(&model, &["F 5", "T 1", "F 9", "T 2"], &["y"]);
    assert_eq!(rows, ["7", "1", "1", "3"]);
}

#[test]
fn restart_makes_the_first_instant_again_also_for_calls_below() {
    let model = lowered(&format!(
        "{COUNTER}node twice(x: int) returns (y: int); let y = 2 * count(x); tel;\n\
         node main(r: bool; x: int) returns (y: int);\n\
         let y = (restart twice every r)(x); tel;"
    ));
    let rows = run(&model, &["F 1", "F 1", "T 5", "F 1", "T 2"], &["y"]);
    assert_eq!(rows, ["2", "4", "10", "12", "4"]);
}

#[test]
fn streams_on_a_clock_advance_only_when_it_holds() {
    let model = lowered(
        "node main(c: bool; x: int) returns (y, z: int);\n\
         var up: int when c; down: int when not c;\n\
         let up = (0 when c) -> pre up + (x when c);\n\
         down = (100 when not c) -> pre down - 1;\n\
         y = merge(c; up; down);\n\
         z = current(up); tel;",
    );
    let rows = run(&model, &["T 5", "F 1", "T 2", "T 3", "F 4", "F 9", "T 1"], &["y", "z"]);
    assert_eq!(rows, ["0 0", "100 0", "2 2", "5 5", "99 5", "98 5", "6 6"]);
}

#[test]
fn merge_selects_by_the_value_of_an_enumeration() {
    let model = lowered(&format!(
        "type mode = enum {{ A, B }};\n{COUNTER}\
         node main(m: mode; x: int) returns (y: int);\n\
         let y = merge m (A -> count(x when A(m))) (B -> -x when B(m)); tel;"
    ));
    let rows = run(&model, &["A 1", "B 7", "A 2", "B 1", "A 3"], &["y"]);
    assert_eq!(rows, ["1", "-7", "3", "-1", "6"]);
}

#[test]
fn a_delay_of_several_steps_gives_the_first_value_that_often() {
    let model =
        lowered("node main(x: int) returns (y, z: int); let y = fby(x, 2, 9); z = 5 fby x; tel;");
    assert_eq!(run(&model, &["1", "2", "3", "4"], &["y", "z"]), ["9 5", "9 1", "1 2", "2 3"]);
}

#[test]
fn the_parts_of_a_list_share_the_call_and_the_test() {
    let model = lowered(
        "node swap(a, b: int) returns (c, d: int); let c = b; d = a; tel;\n\
         node main(t: bool; a: int) returns (x, y: int);\n\
         let x, y = if t then swap(a, x_of(a)) else (a, a + 1); tel;\n\
         node x_of(a: int) returns (b: int); let b = 10 * a; tel;",
    );
    assert_eq!(run(&model, &["T 3", "F 3"], &["x", "y"]), ["30 3", "3 4"]);
    assert_eq!(model.program.decisions().len(), 1);
    assert_eq!(model.system.graph.taps().len(), 1);
}

#[test]
fn arrays_are_defined_element_by_element() {
    let model = lowered(
        "node main(x: int) returns (s: int);\n\
         var a: int^4;\n\
         let a[i] = if i = 0 then x else a[i - 1] + i; s = a[3]; tel;",
    );
    let rows = run(&model, &["1", "5"], &["a[0]", "a[1]", "a[2]", "a[3]", "s"]);
    assert_eq!(rows, ["1 2 4 7 7", "5 6 8 11 11"]);
    let site = &model.decisions[0];
    assert_eq!(site.occurrences.len(), 4, "the test is evaluated once per element");
    assert_eq!(failures(&model, CheckKind::Index, &["1"]), [0]);
}

#[test]
fn an_index_outside_of_its_array_is_a_fault_where_it_is_read() {
    let model = lowered(
        "node main(i: int; ok: bool) returns (y: int);\n\
         let y = if ok then [10, 20, 30][i] else 0; tel;",
    );
    assert_eq!(run(&model, &["0 T", "2 T", "1 F"], &["y"]), ["10", "30", "0"]);
    let rows = ["0 T", "3 T", "-1 T", "3 F"];
    assert_eq!(failures(&model, CheckKind::Index, &rows), [0, 1, 1, 0]);
}

#[test]
fn an_index_that_an_arrow_does_not_read_is_no_fault() {
    let model = lowered(
        "node main(i: int) returns (y, z: int);\n\
         let y = 0 -> [10, 20, 30][pre i - 1]; z = [10, 20, 30][i] fby 0; tel;",
    );
    assert_eq!(run(&model, &["1", "2", "0"], &["y", "z"]), ["0 20", "10 0", "20 0"]);
    let rows = ["1", "9", "9", "0"];
    assert_eq!(failures(&model, CheckKind::Index, &rows), [0, 0, 1, 1]);
    assert_eq!(failures(&model, CheckKind::Index, &["9", "1"]), [1, 1]);
}

#[test]
fn an_index_in_the_condition_of_a_call_counts_in_an_arm_that_is_not_taken() {
    let model = lowered(&format!(
        "{COUNTER}node main(t: bool; i: int; a: bool^2) returns (y: int);\n\
         let y = if t then (restart count every a[i])(1) else 0; tel;"
    ));
    assert_eq!(run(&model, &["T 0 F F", "F 0 T F", "T 0 F F"], &["y"]), ["1", "0", "2"]);
    let rows = ["F 1 F F", "F 2 F F", "T 2 F F"];
    assert_eq!(failures(&model, CheckKind::Index, &rows), [0, 1, 1]);
}

#[test]
fn updates_and_records_are_scalar_by_scalar() {
    let model = lowered(
        "type point = struct { x: int; v: int^2 };\n\
         node main(p: point; i: int) returns (q: point);\n\
         let q = p{x := p.x + 1}{v := p.v[i := 0]}; tel;",
    );
    let names: Vec<_> = model.interface.inputs.iter().map(|input| &input.name[..]).collect();
    assert_eq!(names, ["p.x", "p.v[0]", "p.v[1]", "i"]);
    let rows = run(&model, &["1 2 3 0", "1 2 3 1"], &["q.x", "q.v[0]", "q.v[1]"]);
    assert_eq!(rows, ["2 0 3", "2 2 0"]);
}

#[test]
fn quantifiers_are_expanded_over_their_range() {
    let model = lowered(
        "node main(a: int^3) returns (all, some: bool);\n\
         let all = forall (i: subrange [0, 2] of int) a[i] > 0;\n\
         some = exists (i: subrange [0, 2] of int) a[i] > 0; tel;",
    );
    let rows = run(&model, &["1 2 3", "1 0 0", "0 0 0"], &["all", "some"]);
    assert_eq!(rows, ["T T", "F T", "F F"]);
}

#[test]
fn faults_are_checks_that_hold_while_nothing_is_wrong() {
    let model = lowered(
        "node main(a, b: int) returns (y: int; s: subrange [0, 5] of int);\n\
         let y = if b = 0 then 0 else a div b; s = a; assert a < 9; tel;",
    );
    assert_eq!(failures(&model, CheckKind::Subrange, &["5 1", "6 1", "-1 1"]), [0, 1, 1]);
    assert_eq!(failures(&model, CheckKind::Assertion, &["8 1", "9 1"]), [0, 1]);
    assert_eq!(failures(&model, CheckKind::DivisionByZero, &["8 1", "8 0"]), [0, 0]);
    let model = lowered("node main(a, b: int) returns (y: int); let y = a div b; tel;");
    assert_eq!(failures(&model, CheckKind::DivisionByZero, &["8 1", "8 0"]), [0, 1]);
}

#[test]
fn a_property_of_a_call_counts_only_when_the_call_is_made() {
    let model = lowered(
        "node holds(x: bool) returns (); let --%PROPERTY x;\n tel;\n\
         node main(c, x: bool) returns (); let () = condact(c, holds(x)); tel;",
    );
    assert_eq!(failures(&model, CheckKind::Property, &["F F", "T T", "T F"]), [0, 0, 1]);
}

#[test]
fn a_free_constant_is_read_in_the_first_step() {
    let model = lowered("const k: int;\nnode main(x: int) returns (y: int); let y = x + k; tel;");
    assert_eq!(run(&model, &["1 10", "2 99"], &["y"]), ["11", "12"]);
    assert_eq!(model.assumptions.len(), 1);
}

#[test]
fn the_results_of_a_function_without_a_body_are_inputs() {
    let model = lowered(
        "function f(x: int) returns (r: int);\n\
         node main(x: int) returns (y: int); let y = f(x) + f(2); tel;",
    );
    let names: Vec<_> = model.interface.inputs.iter().map(|input| &input.name[..]).collect();
    assert_eq!(names, ["x", "main/f.r", "main/f#2.r"]);
}

#[test]
fn calls_of_an_unknown_function_with_equal_arguments_give_equal_results() {
    let model = lowered(
        "function imported f(x: int; b: bool) returns (r: int; s: bool);\n\
         node main(x, y: int; c: bool) returns (z: int; t: bool); var u: int; v: bool;\n\
         let z, t = f(x, true); u, v = condact(c, f(y, x > 0), 0, false); tel;",
    );
    // The inputs are x, y, c, and r and s of each call.
    let rows =
        ["1 1 T 5 T 5 T", "1 1 T 5 T 6 T", "1 1 T 5 T 5 F", "1 2 T 5 T 6 F", "1 1 F 5 T 6 F"];
    for (row, failed) in rows.into_iter().zip([0, 1, 1, 0, 0]) {
        assert_eq!(failures(&model, CheckKind::Assertion, &[row]), [failed], "{row}");
    }
    assert_eq!(failures(&model, CheckKind::Assertion, &["0 0 T 5 T 6 T"]), [0], "x > 0 is false");
    let text = "the function 'f' is imported: what its 2 calls give is an input; equal arguments \
                give equal results";
    assert_eq!(model.assumptions.iter().map(ToString::to_string).collect::<Vec<_>>(), [text]);
}

#[test]
fn an_unknown_function_gives_the_same_again_some_steps_later() {
    let model = lowered(
        "function f(x: int) returns (r: int);\n\
         node main(x: int) returns (y: int); let y = f(x) + f(7); tel;",
    );
    // The inputs are x, and what each call gives. Every earlier call that disagrees counts.
    let rows = ["1 5 0", "2 6 0", "1 5 0", "1 6 0", "7 0 0", "7 1 1", "3 3 1"];
    assert_eq!(failures(&model, CheckKind::Assertion, &rows), [0, 0, 0, 2, 0, 8, 3]);
    let function = &model.functions[0];
    assert_eq!((function.name.as_str(), function.calls.len(), function.steps), ("f", 2, 4));
}

#[test]
fn a_run_contradicts_an_unknown_function_however_far_apart_its_calls_are() {
    let model = lowered(
        "function f(x: int) returns (r: int);\n\
         node main(x: int; c: bool) returns (y: int); let y = condact(c, f(x), 0); tel;",
    );
    let function = &model.functions[0];
    let call = &function.calls[0];
    // Is it called, with what, and what does it give?
    let contradiction = |run: &[(bool, i64, i64)]| {
        function.contradiction(run.len(), |step, node| {
            let (made, argument, result) = run[step];
            match node {
                node if node == call.active => Value::Bool(made),
                node if node == call.arguments[0] => Value::int(argument),
                _ => Value::int(result),
            }
        })
    };
    let far = [(true, 1, 5), (true, 2, 6), (true, 3, 5), (true, 4, 5), (true, 5, 0), (true, 1, 6)];
    assert_eq!(contradiction(&far), Some(5));
    assert_eq!(contradiction(&far[..5]), None);
    assert_eq!(contradiction(&[(true, 1, 5), (false, 1, 6), (true, 1, 5)]), None, "not called");
}

#[test]
fn too_many_calls_of_an_unknown_function_are_not_compared() {
    let calls: Vec<_> = (0..400).map(|n| format!("f({n} * x)")).collect();
    let model = lowered(&format!(
        "function f(x: int) returns (r: int);\n\
         node main(x: int) returns (y: int); let y = {}; tel;",
        calls.join(" + ")
    ));
    assert_eq!(model.system.checks.len(), 0);
    assert!(
        model.assumptions[0].to_string().contains("need not give equal results"),
        "{:?}",
        model.assumptions
    );
}

#[test]
fn a_tap_forces_one_occurrence_of_a_condition() {
    let model =
        lowered("node main(a, b: bool) returns (x, y: bool); let x = a and b; y = a or b; tel;");
    let tap = model.taps(model.program.condition_at(obligato_model::DecisionId::new(0), 0)).next();
    let mut evaluator = Evaluator::new(&model.system);
    evaluator.force(tap.unwrap(), Value::Bool(true)).unwrap();
    evaluator.step(&[Value::Bool(false), Value::Bool(true)]).unwrap();
    assert_eq!(evaluator.output(0), Some(Value::Bool(true)));
    evaluator.step(&[Value::Bool(false), Value::Bool(false)]).unwrap();
    assert_eq!(evaluator.output(1), Some(Value::Bool(false)), "the other `a` is as it was");
}

#[test]
fn contracts_assume_and_guarantee() {
    let text = "node main(x: int) returns (y: int);\n\
        (*@contract var big: bool = x > 5; assume x > 0; guarantee y > 0;\n\
        mode m (require big; ensure y > 5;); guarantee ::m => y > 6; *)\n\
        let y = x; tel;";
    let model = lowered(text);
    assert_eq!(failures(&model, CheckKind::Assertion, &["1", "0"]), [0, 1]);
    assert_eq!(failures(&model, CheckKind::Property, &["1", "0", "6", "7"]), [0, 1, 1, 0]);
    let parsed = parse(text.as_bytes()).unwrap();
    let analysed = analyse(parsed.program, &analysis::Options::default()).unwrap();
    let options = Options { extent: Extent::Everything, ..Options::default() };
    let everything = lower(&analysed, "m.lus", text.as_bytes(), &options).unwrap();
    assert!(everything.program.decisions().len() > model.program.decisions().len());
}

#[test]
fn an_imported_contract_is_an_instance_with_decisions_of_its_own() {
    let text = "contract spec(x: int) returns (y: int);\n\
        let assume x > 0 or x < -9; guarantee y > 0 and y < 9; tel;\n\
        node imported f(x: int) returns (y: int); (*@contract import spec(x) returns (y); *)\n\
        node main(x: int) returns (y: int); (*@contract import spec(x) returns (y); *)\n\
        let y = f(x); tel;";
    let parsed = parse(text.as_bytes()).unwrap();
    let analysed = analyse(parsed.program, &analysis::Options::default()).unwrap();
    let options = Options { extent: Extent::Everything, ..Options::default() };
    let model = lower(&analysed, "m.lus", text.as_bytes(), &options).unwrap();
    let paths: Vec<_> = model.instances.iter().map(|instance| &instance.path[..]).collect();
    assert_eq!(paths, ["main", "main/f", "main::spec", "main/f::spec"]);
    assert_eq!(model.program.decisions().len(), 4);
    // What the imported node guarantees is taken for granted, what the main node does is not; what the main node assumes
    // is, what the imported node assumes is not.
    let rows = ["1 5", "1 0", "0 5"];
    assert_eq!(failures(&model, CheckKind::Assertion, &rows), [0, 1, 1]);
    assert_eq!(failures(&model, CheckKind::Property, &rows), [0, 1, 1]);
}

#[test]
fn a_call_has_to_respect_what_the_called_node_assumes() {
    let model = lowered(
        "node sub(p: int) returns (r: int);\n\
         (*@contract assume p > 0; guarantee r > 0; *)\n\
         let r = p; tel;\n\
         node outer(p: int) returns (r: int); let r = sub(p); tel;\n\
         node main(x: int) returns (y, z: int); let y = sub(x); z = outer(1); tel;",
    );
    let labels: Vec<&str> = model.system.checks.iter().map(|check| check.label.as_str()).collect();
    let expected = [
        "sub[l5c48] assumption 1: p > 0",
        "r > 0",
        "outer[l5c60].sub[l4c46] assumption 1: p > 0",
        "r > 0",
    ];
    assert_eq!(labels, expected);
    let rows = ["1", "-5", "2"];
    assert_eq!(failures(&model, CheckKind::Assertion, &rows), [0, 0, 0], "every input is a test");
    // A guarantee counts for nothing once the assumption has failed.
    assert_eq!(failures(&model, CheckKind::Property, &rows), [0, 1, 0]);
}

#[test]
fn what_an_imported_node_guarantees_counts_only_while_its_assumptions_have_held() {
    let model = lowered(
        "node imported f(x: int) returns (y: int);\n\
         (*@contract assume x > 0; guarantee y > 0 and y = x; *)\n\
         node main(x: int) returns (y: int); let y = f(x); tel;",
    );
    let rows = ["1 1", "2 1", "-1 7", "2 1"];
    assert_eq!(failures(&model, CheckKind::Assertion, &rows), [0, 1, 0, 0]);
    assert_eq!(failures(&model, CheckKind::Property, &rows), [0, 0, 1, 0]);
    assert_eq!(failures(&model, CheckKind::Assertion, &["2 1", "-1 7"]), [1, 0]);
}

#[test]
fn values_of_a_free_type_are_told_apart_by_integers() {
    let model = lowered(
        "type t, u; const nothing: t;\n\
         node main(x: t) returns (y: t; new: bool);\n\
         let y = nothing -> pre x; new = true -> x <> pre x; tel;",
    );
    assert_eq!(run(&model, &["4 9", "4 0", "7 0"], &["y", "new"]), ["9 T", "4 F", "4 T"]);
    let text = "nothing is known of the type 't': its values are written as integers, which only \
                say which of them are equal";
    assert_eq!(model.assumptions.iter().filter(|found| found.to_string() == text).count(), 1);
}

#[test]
fn what_cannot_be_lowered_is_refused_by_name() {
    for (text, message) in [
        (
            "type t;\nnode main(x: t) returns (y: bool); let y = forall (z: t) z = x; tel;",
            "cannot be simulated: a quantifier over all values of t",
        ),
        (
            "node main(x: int) returns (y: bool); let y = forall (i: int) i > x; tel;",
            "cannot be simulated: a quantifier over all values of int",
        ),
        (
            "node main(x: int) returns (y: int);\n(*@contract mode a (require ::b;);\n\
             mode b (require x > 0 and ::a;); *) let y = x; tel;",
            "the mode 'b' depends on itself at the same instant",
        ),
    ] {
        let diagnostics = try_lowering(text).unwrap_err();
        assert_eq!(diagnostics[0].message, message);
    }
}

#[test]
fn nesting_is_limited_by_memory_alone() {
    let depth = 20_000;
    let text = format!(
        "node main(a, b: bool) returns (y: bool);\nlet y = {}a{}; tel;",
        "(b xor ".repeat(depth),
        ")".repeat(depth)
    );
    let model = lowered(&text);
    assert_eq!(model.program.conditions().len(), depth + 1);
    let mut text = "node n0(x: bool) returns (y: bool); let y = not x; tel;\n".to_owned();
    for level in 1..=2000 {
        let below = level - 1;
        let _ =
            writeln!(text, "node n{level}(x: bool) returns (y: bool); let y = n{below}(x); tel;");
    }
    assert_eq!(lowered(&text).instances.len(), 2001);
}

#[test]
fn every_node_of_the_graph_leads_back_to_the_text_and_the_instance_it_was_made_for() {
    let text = "node inner(x: int) returns (y: bool);\nlet y = x + 1 > 3; tel;\n\
                node main(a: int) returns (o: bool);\nlet --%MAIN;\n o = inner(a) or inner(a + 2);\ntel;";
    let lowered = lowered(text);
    let made_for = |node| {
        let origin = lowered.place(node).unwrap();
        let instance = &lowered.instances[origin.instance.index()].path;
        let span = origin.span;
        format!("{instance}: {}", &text[span.start as usize..span.end as usize])
    };
    let mut places: Vec<String> = lowered
        .system
        .graph
        .nodes()
        .filter(|node| lowered.system.graph.children(*node).count() > 0)
        .filter(|node| lowered.place(*node).is_some())
        .map(made_for)
        .collect();
    places.sort();
    places.dedup();
    assert_eq!(
        places,
        [
            "main/inner#2: x + 1",
            "main/inner#2: x + 1 > 3",
            "main/inner: x + 1",
            "main/inner: x + 1 > 3",
            "main: a + 2",
            "main: inner(a + 2)",
            "main: inner(a)",
            "main: inner(a) or inner(a + 2)",
        ]
    );
    let taps = lowered.system.graph.taps().len();
    assert_eq!(lowered.tapped_conditions().iter().flatten().count(), taps);
}

#[test]
fn a_condition_that_compares_keeps_its_operands_as_they_are_written() {
    let model = lowered("node main(a, b: int) returns (o: bool);\nlet o = b > a; tel;");
    let occurrence = &model.decisions[0].occurrences[0];
    let [a, b] = [0, 1].map(|input| model.system.inputs[input].node);
    assert_eq!(occurrence.operands, [Some((b, a))]);
}

#[test]
fn a_division_by_zero_is_placed_at_the_division_in_the_call_that_makes_it() {
    let text = "node ratio(x, y: int) returns (q: int);\nlet q = x div y; tel;\n\
                node main(a, b: int) returns (o, p: int);\n\
                let --%MAIN;\n o = 1 + ratio(a, b); p = a div b + a mod (b + 1); tel;";
    let model = lowered(text);
    let places: Vec<(&str, &str)> = model
        .system
        .checks
        .iter()
        .filter(|check| check.kind == CheckKind::DivisionByZero)
        .map(|check| {
            let origin = model.origins[check.origin as usize];
            let path = model.instances[origin.instance.index()].path.as_str();
            (path, &text[origin.span.start as usize..origin.span.end as usize])
        })
        .collect();
    // Of two divisions nobody can say which will be meant: the output is the place then.
    assert_eq!(places, [("main/ratio", "x div y"), ("main", "p")]);
}
