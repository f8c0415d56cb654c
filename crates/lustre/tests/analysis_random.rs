//! Random models: those that are right are accepted, those that may be wrong do no harm, and
//! decisions mean what the expressions say.

mod support;

use std::collections::HashMap;
use std::fmt::Write as _;

use obligato_lustre::analysis::{Model, Options, analyse};
use obligato_lustre::ast::{BinaryOperator as Binary, Expr, ExprId};
use obligato_lustre::parse;
use proptest::prelude::*;
use support::render;

/// A small generator of well-typed models, driven by a list of choices.
struct Generator {
    choices: Vec<u8>,
    next: usize,
    booleans: Vec<String>,
    integers: Vec<String>,
}

impl Generator {
    fn choose(&mut self, among: usize) -> usize {
        let choice = self.choices.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        choice as usize % among
    }

    fn one_of(&mut self, names: &[String]) -> String {
        let position = self.choose(names.len());
        names[position].clone()
    }

    fn boolean(&mut self, depth: u32) -> String {
        let kind = if depth == 0 { self.choose(3) } else { self.choose(16) };
        match kind {
            0 => self.one_of(&self.booleans.clone()),
            1 => "true".to_owned(),
            2 => "(e0 = BLUE)".to_owned(),
            3 => format!("(not {})", self.boolean(depth - 1)),
            4 => format!("({} xor {})", self.boolean(depth - 1), self.boolean(depth - 1)),
            5 => format!("({} => {})", self.boolean(depth - 1), self.boolean(depth - 1)),
            6 => format!("({} = {})", self.boolean(depth - 1), self.boolean(depth - 1)),
            7 => format!("({} <> {})", self.boolean(depth - 1), self.boolean(depth - 1)),
            8 => {
                let (a, b) = (self.boolean(depth - 1), self.boolean(depth - 1));
                format!("(if {a} then {b} else {})", self.boolean(depth - 1))
            }
            9 => format!("({} <= {})", self.integer(depth - 1), self.integer(depth - 1)),
            10 => format!("({} -> pre {})", self.boolean(depth - 1), self.boolean(depth - 1)),
            11 => format!("edge({})", self.boolean(depth - 1)),
            12 => format!("(r0 > {}.5)", self.choose(9)),
            13 => format!("p0[{}]", self.choose(3)),
            14 => format!("({} or {})", self.boolean(depth - 1), self.boolean(depth - 1)),
            _ => format!("({} and {})", self.boolean(depth - 1), self.boolean(depth - 1)),
        }
    }

    fn integer(&mut self, depth: u32) -> String {
        let kind = if depth == 0 { self.choose(3) } else { self.choose(8) };
        match kind {
            0 => self.one_of(&self.integers.clone()),
            1 => format!("{}", self.choose(100)),
            2 => "LIMIT".to_owned(),
            3 => format!("({} + {})", self.integer(depth - 1), self.integer(depth - 1)),
            4 => format!("({} * -{})", self.integer(depth - 1), self.integer(depth - 1)),
            5 => format!("({} fby {})", self.integer(depth - 1), self.integer(depth - 1)),
            6 => format!("q0{{x := {}}}.x", self.integer(depth - 1)),
            _ => {
                let (a, b) = (self.boolean(depth - 1), self.integer(depth - 1));
                format!("(if {a} then {b} else {})", self.integer(depth - 1))
            }
        }
    }

    fn model(choices: Vec<u8>) -> String {
        let names = |names: &[&str]| names.iter().map(ToString::to_string).collect();
        let (booleans, integers) = (names(&["b0", "b1"]), names(&["i0", "s0"]));
        let mut generator = Self { choices, next: 0, booleans, integers };
        let (mut locals, mut equations) = (String::new(), String::new());
        for index in 0..6 {
            if generator.choose(2) == 0 {
                let value = generator.boolean(4);
                let _ = writeln!(equations, "  x{index} = {value};");
                let _ = writeln!(locals, "  x{index}: bool;");
                generator.booleans.push(format!("x{index}"));
            } else {
                let value = generator.integer(4);
                let _ = writeln!(equations, "  x{index} = {value};");
                let _ = writeln!(locals, "  x{index}: int;");
                generator.integers.push(format!("x{index}"));
            }
        }
        let (first, second) = (generator.boolean(3), generator.integer(3));
        format!(
            "const LIMIT = 7;\n\
             type colour = enum {{ RED, BLUE }};\n\
             type point = struct {{ x: int; y: bool }};\n\
             node edge(b: bool) returns (e: bool);\nlet e = b and (true -> not pre b); tel;\n\
             node main(b0, b1: bool; i0: int; s0: subrange [0, 3] of int; r0: real; e0: colour;\n\
             \x20 p0: bool^3; q0: point) returns (o1: bool; o2: int);\n\
             var\n{locals}let\n{equations}  o1, o2 = ({first}, {second});\ntel;\n"
        )
    }
}

fn analysed(text: &str) -> Model {
    let parsed = parse(text.as_bytes())
        .unwrap_or_else(|why| panic!("{text}\n{}", render("random", text.as_bytes(), &why)));
    analyse(parsed.program, &Options::default())
        .unwrap_or_else(|why| panic!("{text}\n{}", render("random", text.as_bytes(), &why)))
}

/// The value of an expression as the language defines it, given those of the conditions.
fn direct(model: &Model, id: ExprId, conditions: &HashMap<ExprId, bool>) -> bool {
    if let Some(value) = conditions.get(&id) {
        return *value;
    }
    let value = |id| direct(model, id, conditions);
    match model.program.expr(id) {
        Expr::Unary(_, a) => !value(a),
        Expr::Binary(Binary::And, a, b) => value(a) & value(b),
        Expr::Binary(Binary::Or, a, b) => value(a) | value(b),
        Expr::Binary(Binary::Implies, a, b) => !value(a) | value(b),
        Expr::Binary(Binary::Equal, a, b) => value(a) == value(b),
        Expr::Binary(Binary::Xor | Binary::NotEqual, a, b) => value(a) != value(b),
        Expr::If(a, b, c) => {
            if value(a) {
                value(b)
            } else {
                value(c)
            }
        }
        other => panic!("{other:?} is neither an operator nor a condition"),
    }
}

/// The words of a text that could be names, with where they stand.
fn words(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        let part = c.is_ascii_alphanumeric() || c == '_';
        match (start, part) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                found.push((from, at));
                start = None;
            }
            _ => {}
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn a_well_typed_model_is_accepted_in_a_causal_order(
        choices in prop::collection::vec(any::<u8>(), 0..400),
    ) {
        let text = Generator::model(choices);
        let model = analysed(&text);
        let main = model.main_node();
        prop_assert_eq!(model.text(main.name.symbol), "main");
        prop_assert_eq!(main.definitions.len(), 8);
    }

    #[test]
    fn a_decision_means_what_its_expression_says(
        choices in prop::collection::vec(any::<u8>(), 0..400),
        values in prop::collection::vec(any::<bool>(), 64),
    ) {
        let text = Generator::model(choices);
        let model = analysed(&text);
        for decision in model.nodes.iter().flat_map(|node| &node.decisions) {
            let spans: Vec<_> = decision
                .conditions
                .iter()
                .map(|condition| model.program.expr_span(condition.expr))
                .collect();
            for pair in spans.windows(2) {
                prop_assert!(pair[0].end <= pair[1].start, "{text}\n{spans:?}");
            }
            let values: Vec<_> = values.iter().copied().cycle().take(spans.len()).collect();
            let ids = decision.conditions.iter().map(|condition| condition.expr);
            let by_id = ids.zip(values.iter().copied()).collect();
            let outcome = decision.tree.evaluate(&values).outcome;
            prop_assert_eq!(outcome, direct(&model, decision.root, &by_id));
        }
    }

    #[test]
    fn a_swapped_name_gives_diagnostics_or_another_model_but_no_panic(
        choices in prop::collection::vec(any::<u8>(), 0..200),
        swaps in prop::collection::vec((any::<u16>(), any::<u16>()), 1..4),
    ) {
        let mut text = Generator::model(choices);
        for (at, with) in swaps {
            let words = words(&text);
            let (start, end) = words[at as usize % words.len()];
            let (from, to) = words[with as usize % words.len()];
            let word = text[from..to].to_owned();
            text.replace_range(start..end, &word);
        }
        let Ok(parsed) = parse(text.as_bytes()) else { return Ok(()) };
        if let Err(diagnostics) = analyse(parsed.program, &Options::default()) {
            prop_assert!(!diagnostics.is_empty());
            for diagnostic in &diagnostics {
                prop_assert!(diagnostic.span.end as usize <= text.len());
                prop_assert!(!diagnostic.message.is_empty());
            }
        }
    }
}
