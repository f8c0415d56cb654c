//! Small models and what they are when inlined.

use super::{Inlined, Options, inline};
use crate::analysis::{self, Extent, Model, analyse};
use obligato_lustre_syntax::ast::ExprId;
use obligato_lustre_syntax::{parse, print};

fn model(text: &str) -> Model {
    let parsed = parse(text.as_bytes()).expect("a model that parses");
    analyse(parsed.program, &analysis::Options::default()).expect("a model without errors")
}

fn inlined(text: &str) -> Inlined {
    inline(&model(text), &Options::default())
}

/// What a model is when inlined. Inlining that again changes nothing.
#[track_caller]
fn assert_inlined(text: &str, expected: &str) {
    let printed = print(&inlined(text).program);
    assert_eq!(printed, expected);
    assert_eq!(print(&inlined(&printed).program), printed, "twice");
}

/// The decisions of all nodes: where they begin, their texts and those of their conditions.
fn decisions(text: &str) -> Vec<String> {
    let inlined = analyse(inlined(text).program, &analysis::Options::default())
        .expect("an inlined model is a model");
    let program = inlined.program_of_sources("m.lus", text.as_bytes(), Extent::Equations);
    let of = |(index, decision): (usize, &obligato_model::Decision)| {
        let conditions = program.conditions_of(obligato_model::DecisionId::new(index)).iter();
        let conditions: Vec<_> =
            conditions.map(|one| format!("{} {}", one.span.start, one.text)).collect();
        format!("{} {}: {}", decision.span.start, decision.text, conditions.join(" | "))
    };
    program.decisions().iter().enumerate().map(of).collect()
}

#[test]
fn intermediate_variables_go_with_their_equations_and_comments() {
    assert_inlined(
        "node main(a, b, c: bool; n: int) returns (o: bool; k: int);
         var x, y: bool; -- of both
             z: bool;
         let
           -- used twice
           x = a or n > 3;
           y = x and b;
           z = not y;
           -- stays
           o = (z xor x) and c;
           k = if y then 1 else 2;
         tel;",
        "node main(a, b, c: bool; n: int) returns (o: bool; k: int);
let
  -- stays
  o = (not ((a or n > 3) and b) xor (a or n > 3)) and c;
  k = if (a or n > 3) and b then 1 else 2;
tel;
",
    );
}

#[test]
fn memory_calls_and_results_of_lists_stay_variables() {
    assert_inlined(
        "node f(p: bool) returns (q, r: bool); let q = p; r = not p; tel;
         node g(p: bool) returns (q: bool); let q = p; tel;
         node main(a, b: bool) returns (o: bool);
         var x, y, z, l, m, called: bool;
         let
           x = a and b;
           y = false -> pre x;
           z = y or (true -> pre z);
           l, m = f(x or y);
           called = g(not x);
           o = x and y and z and l and m and called;
         tel;",
        "node f(p: bool) returns (q, r: bool);
let
  q = p;
  r = not p;
tel;

node g(p: bool) returns (q: bool);
let
  q = p;
tel;

node main(a, b: bool) returns (o: bool);
var
  y, z, l, m, called: bool;
let
  y = false -> pre (a and b);
  z = y or (true -> pre z);
  (l, m) = f(a and b or y);
  called = g(not (a and b));
  o = a and b and y and z and l and m and called;
tel;
",
    );
}

#[test]
fn what_is_claimed_or_named_stays_as_written_with_what_it_names() {
    assert_inlined(
        "node main(a, b: bool) returns (o: bool);
         var p, q, r, t, unread: bool; on: bool; slow: bool when on;
         let
           q = a or b;
           p = q => a;
           r = not q;
           t = b and q;
           unread = q and a;
           on = q or a;
           slow = a when on;
           o = (if r then p else t) and merge(on; slow; (not a) when not on);
           --%PROPERTY p;
           assert r or b;
           --%IVC t;
         tel;",
        "node main(a, b: bool) returns (o: bool);
var
  p, r, t, unread: bool;
  on: bool;
  slow: bool when on;
let
  p = a or b => a;
  r = not (a or b);
  t = b and (a or b);
  unread = (a or b) and a;
  on = a or b or a;
  slow = a when on;
  o =
    (if not (a or b) then a or b => a else b and (a or b)) and
    merge(on; slow; not a when not on);
  --%PROPERTY p;
  assert r or b;
  --%IVC t;
tel;
",
    );
}

#[test]
fn names_of_constants_and_outputs_stay() {
    assert_inlined(
        "const limit = 3;
         node main(a: bool) returns (o, p: bool);
         var on: bool;
         let
           on = limit > 2;
           o = a and on;
           p = not o;
         tel;",
        "const limit = 3;

node main(a: bool) returns (o, p: bool);
var
  on: bool;
let
  on = limit > 2;
  o = a and on;
  p = not o;
tel;
",
    );
}

#[test]
fn a_definition_is_not_moved_to_where_its_names_mean_something_else() {
    assert_inlined(
        "node main(a: bool; i: int; v: bool^3) returns (o: bool; w: bool^3);
         var x, y: bool;
         let
           x = i > 3;
           y = a or v[0];
           o = forall (i: subrange [0, 2] of int) v[i] or x or y;
           w[j] = v[j] and y;
         tel;",
        "node main(a: bool; i: int; v: bool^3) returns (o: bool; w: bool^3);
var
  x: bool;
let
  x = i > 3;
  o = forall (i: subrange [0, 2] of int) v[i] or x or (a or v[0]);
  w[j] = v[j] and (a or v[0]);
tel;
",
    );
}

#[test]
fn a_call_on_a_clock_keeps_the_name_of_the_clock() {
    assert_inlined(
        "node f(p: bool) returns (q: bool); let q = p; tel;
         node main(a, b: bool) returns (o, k: bool);
         var c, x: bool;
         let
           c = a and b;
           x = a or b;
           o = merge(c; (activate f every c)(x); b when not c);
           k = (activate f every c initial default x restart every not x)(c);
         tel;",
        "node f(p: bool) returns (q: bool);
let
  q = p;
tel;

node main(a, b: bool) returns (o, k: bool);
var
  c: bool;
let
  c = a and b;
  o =
    merge(c;
      (activate f every c)(a or b);
      b when not c);
  k = (activate (restart f every not (a or b)) every a and b initial default a or b)(a and b);
tel;
",
    );
}

#[test]
fn flattened_names_and_streams_on_one_clock_are_replaced() {
    assert_inlined(
        "node main(a, b: bool) returns (o: bool);
         var msg.ok: bool; x, y, z: bool when a;
         let
           msg.ok = a and b;
           x = b when a;
           y = not x;
           z = y and x;
           o = merge(a; z; msg.ok when not a);
         tel;",
        "node main(a, b: bool) returns (o: bool);
var
  x: bool when a;
let
  x = b when a;
  o = merge(a; not x and x; a and b when not a);
tel;
",
    );
}

#[test]
fn a_decision_says_what_is_decided_and_its_parts_stand_where_they_are_written() {
    let text = "node main(a, b: bool; n: int) returns (o: bool; k: int);
var x, y, z: bool;
let
  x = ( a ) and  b;
  y = n > 3;
  z = x;
  o = (y) or z;
  k = if z then (if y then 1 else 2) else 3;
tel;";
    let expected = [
        "7:7 n > 3 or a and b: 5:7 n > 3 | 4:9 a | 4:18 b",
        "8:10 a and b: 4:9 a | 4:18 b",
        "8:21 n > 3: 8:21 n > 3",
    ];
    assert_eq!(decisions(text), expected);
}

#[test]
fn a_model_without_intermediate_variables_keeps_its_texts() {
    let text = "node main(a, b: bool) returns (o: bool);
let o = ((a) and (* why *) (b)); tel;";
    assert_eq!(decisions(text), ["2:10 (a) and (b): 2:11 a | 2:29 b"]);
}

#[test]
fn what_would_grow_beyond_the_limit_stays_and_is_counted() {
    // Every variable doubles what is below it.
    let mut text = "node main(a, b: bool) returns (o: bool);\nvar ".to_owned();
    text += &(0..100).map(|i| format!("x{i}")).collect::<Vec<_>>().join(", ");
    text += ": bool;\nlet x0 = a xor b;\n";
    text.extend((1..100).map(|i| format!("x{i} = x{0} xor not x{0};\n", i - 1)));
    text += "o = x99; tel;";
    let model = model(&text);
    let inlined = inline(&model, &Options { most_exprs: 1000 });
    assert_eq!((inlined.found, inlined.replaced, inlined.removed), (100, 26, 26));
    assert!(inlined.program.exprs().len() <= 1000, "{}", inlined.program.exprs().len());
    // A limit below the size of the model still lets it shrink.
    let smallest = inline(&model, &Options { most_exprs: 0 });
    assert!(smallest.program.exprs().len() <= model.program.exprs().len());
    assert_eq!((smallest.found, smallest.replaced), (100, 1));
}

#[test]
fn a_hundred_thousand_variables_in_a_row_are_replaced() {
    let count = 100_000;
    let mut text = "node main(a: bool) returns (o: bool);\nvar ".to_owned();
    text += &(0..count).map(|i| format!("x{i}")).collect::<Vec<_>>().join(", ");
    text += ": bool;\nlet x0 = a;\n";
    text.extend((1..count).map(|i| format!("x{i} = not x{};\n", i - 1)));
    text.extend([format!("o = x{}; tel;", count - 1)]);
    let inlined = inlined(&text);
    assert_eq!((inlined.found, inlined.removed), (count, count));
    assert_eq!(inlined.program.exprs().len(), count);
}

#[test]
fn a_hundred_thousand_names_for_one_variable_are_seen_through_at_once() {
    let count = 100_000;
    let names: Vec<_> = (0..count).map(|i| format!("x{i}")).collect();
    let mut text = format!(
        "node main(a: bool) returns (o: bool);\nvar {}: bool;\nlet x0 = a;\n",
        names.join(", ")
    );
    text.extend((1..count).map(|i| format!("x{i} = x{};\n", i - 1)));
    text.extend([format!("o = {}; tel;", names.join(" and "))]);
    let inlined = inlined(&text);
    assert_eq!((inlined.found, inlined.removed), (count, count));
    assert_eq!(inlined.program.exprs().len(), 2 * count - 1);
}

#[test]
fn a_variable_that_a_call_takes_for_a_clock_stays() {
    assert_inlined(
        "node f(c: bool; x: bool when c; d: bool) returns (y: bool when c);
         let y = x and (d when c); tel;
         node main(a, b: bool) returns (o: bool);
         var c, d: bool; x, y: bool when c;
         let
           c = a or b;
           d = a and c;
           x = d when c;
           y = f(c, x, d);
           o = merge(c; y; false);
         tel;",
        "node f(c: bool; x: bool when c; d: bool) returns (y: bool when c);
let
  y = x and (d when c);
tel;

node main(a, b: bool) returns (o: bool);
var
  c: bool;
  x, y: bool when c;
let
  c = a or b;
  x = a and (a or b) when c;
  y = f(c, x, a and (a or b));
  o = merge(c; y; false);
tel;
",
    );
}

#[test]
fn contracts_between_nodes_stay_as_they_are() {
    assert_inlined(
        "contract bounded(p: bool) returns (q: bool);
         let var kept: bool = p and q; guarantee kept or not q; tel;
         node f(a, b: bool) returns (o: bool);
         var x: bool;
         let x = a and b; o = not x; tel;
         contract other(p: bool) returns (q: bool); let assume p; tel;
         node main(a, b: bool) returns (o: bool);
         (*@contract import bounded(a) returns (o); import other(b) returns (o); *)
         var y: bool;
         let y = a or b; o = y and f(a, y); tel;",
        "contract bounded(p: bool) returns (q: bool);
let
  var kept: bool = p and q;
  guarantee kept or not q;
tel;

node f(a, b: bool) returns (o: bool);
let
  o = not (a and b);
tel;

contract other(p: bool) returns (q: bool);
let
  assume p;
tel;

node main(a, b: bool) returns (o: bool);
(*@contract
  import bounded(a) returns (o);
  import other(b) returns (o);
*)
let
  o = (a or b) and f(a, a or b);
tel;
",
    );
}

#[test]
fn copies_of_what_has_type_parameters_are_inlined_one_by_one_and_cannot_be_printed() {
    let text = "node pick<<T>>(c, d: bool; x, y: T) returns (z: T);
         var both: bool;
         let both = c and d; z = if both then x else y; tel;
         node main(c, d: bool; x, y: int) returns (z: int; b: bool);
         let z = pick<<int>>(c, d, x, y); b = pick<<bool>>(d, c, c, d); tel;";
    let inlined = inlined(text);
    assert!(inlined.program.has_additions());
    assert_eq!((inlined.replaced, inlined.removed), (2, 2));
    let decided = decisions(text);
    let both = decided.iter().filter(|text| text.contains("c and d"));
    assert_eq!(both.count(), 2, "{decided:?}");
}

#[test]
fn a_long_inlined_expression_is_cut_with_a_mark_wherever_a_word_ends() {
    for length in 1..12 {
        let name = "x".repeat(length);
        let chain = vec![&name[..]; 1500].join(" or ");
        let text = format!(
            "node n({name}: bool) returns (o: bool); var y: bool;
             let y = {chain}; o = not y; tel;"
        );
        let inlined = inlined(&text);
        let whole = ExprId::new(inlined.program.exprs().len() - 1);
        assert!(inlined.program.is_rewritten(whole));
        let shown = inlined.program.expr_text(whole, text.as_bytes());
        assert!(shown.ends_with('…') && shown.len() < 1008, "{length}: {shown}");
    }
}
