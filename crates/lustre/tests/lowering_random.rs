//! Random programs with everything the language has: the reference, the exact evaluator and the
//! lanes agree on them, and so do their printed forms. A table says that everything occurred.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod programs;
mod reference;
mod runs;
mod support;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use obligato_lustre::analysis::{Kind, Model, Size};
use obligato_lustre_syntax::ast::{
    Clock, Expr, Group, MergeNotation, Quantifier, Step, UpdateNotation,
};
use obligato_lustre_syntax::{parse, print};
use programs::Generator;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner};
use runs::{compare, compare_lowered, compare_undefined, load};
use support::render;

const PROGRAMS: u32 = 150;
const STEPS: usize = 30;

/// Checks a program and counts what occurs in it.
fn check(text: &str, seen: &mut BTreeMap<String, usize>) {
    let (model, lowered) = load("random.lus", text.as_bytes(), None)
        .unwrap_or_else(|why| panic!("{}", render("random.lus", text.as_bytes(), &why)));
    let run = compare("random.lus", &model, &lowered, text.len() as u64, STEPS);
    assert!(run.values > 0);
    compare_undefined("random.lus", &model, &lowered, text.len() as u64, STEPS);
    let printed = print(&parse(text.as_bytes()).unwrap().program);
    let (_, again) = load("printed.lus", printed.as_bytes(), None)
        .unwrap_or_else(|why| panic!("{}", render("printed.lus", printed.as_bytes(), &why)));
    compare_lowered("printed.lus", &lowered, &again, STEPS);
    for construct in constructs(&model) {
        *seen.entry(construct).or_default() += 1;
    }
}

/// The names of the operators, forms and types that occur in a model.
fn constructs(model: &Model) -> BTreeSet<String> {
    let program = &model.program;
    let mut found = BTreeSet::new();
    for expr in program.exprs() {
        let name = match *expr {
            Expr::Bool(_) => "Boolean literal".to_owned(),
            Expr::Int(text) if program.text(text).starts_with("0x") => "hexadecimal".to_owned(),
            Expr::Int(_) => "integer literal".to_owned(),
            Expr::Real(text) if program.text(text).starts_with("0x") => {
                "hexadecimal real".to_owned()
            }
            Expr::Real(_) => "real literal".to_owned(),
            Expr::Name(_) => "name".to_owned(),
            Expr::Mode(_) => "mode".to_owned(),
            Expr::Last(_) => "last".to_owned(),
            Expr::Unary(operator, _) => format!("unary {}", operator.spelling()),
            Expr::Binary(operator, ..) => format!("binary {}", operator.spelling()),
            Expr::If(_, then, _) => match model.kinds.get(model.kind(then)) {
                Kind::List(_) => "if with lists".to_owned(),
                _ => "if".to_owned(),
            },
            Expr::Group(group, _) => match group {
                Group::List => "list",
                Group::Tuple => "tuple",
                Group::Array => "array",
                Group::AtMostOne => "#",
            }
            .to_owned(),
            Expr::Index(..) => "index".to_owned(),
            Expr::Slice(..) => "slice".to_owned(),
            Expr::Field(..) => "field".to_owned(),
            Expr::Project(..) => "projection".to_owned(),
            Expr::Update { path, notation, .. } => {
                let indexed = program.steps[path].iter().any(|s| matches!(s, Step::Index(_)));
                let how = match notation {
                    UpdateNotation::Assign => ":=",
                    UpdateNotation::With => "with",
                };
                format!("update {how}{}", if indexed { " index" } else { " field" })
            }
            Expr::Record { base, .. } => match base {
                None => "record",
                Some(_) => "record with",
            }
            .to_owned(),
            Expr::Call(call) => {
                let call = program.call(call);
                match (call.restart.is_some(), call.activation.map(|a| a.defaults.is_some())) {
                    (false, None) => "call",
                    (true, None) => "restart",
                    (false, Some(true)) => "activate with defaults",
                    (false, Some(false)) => "activate",
                    (true, Some(_)) => "activate and restart",
                }
                .to_owned()
            }
            Expr::Condact { .. } => "condact".to_owned(),
            Expr::When(_, clock) => match clock {
                Clock::Base => "when true",
                Clock::On(_) => "when",
                Clock::Not(_) => "when not",
                Clock::Value { .. } => "when value",
            }
            .to_owned(),
            Expr::Merge { notation, .. } => match notation {
                MergeNotation::Boolean => "merge",
                MergeNotation::Cases => "merge cases",
            }
            .to_owned(),
            Expr::Quantified(quantifier, ..) => match quantifier {
                Quantifier::Forall => "forall",
                Quantifier::Exists => "exists",
                Quantifier::Any => "any",
            }
            .to_owned(),
            Expr::Delay { .. } => "fby with steps".to_owned(),
        };
        found.insert(name);
    }
    for variable in &model.variables {
        found.insert(match model.kinds.get(variable.kind) {
            Kind::Subrange(..) => "type subrange".to_owned(),
            Kind::Array(_, Size::Given(_)) => "type array of given size".to_owned(),
            Kind::Array(..) => "type array".to_owned(),
            Kind::Tuple(_) => "type tuple".to_owned(),
            _ => format!("type {}", model.describe(variable.kind)),
        });
    }
    found
}

/// All that must occur. `last` and slices are refused by the analysis.
const TABLE: &str = "\
Boolean literal|integer literal|hexadecimal|real literal|hexadecimal real|name|mode
unary not|unary -|unary !|unary pre|unary current|unary int|unary real|unary floor
unary int8|unary int16|unary int32|unary int64|unary uint8|unary uint16|unary uint32|unary uint64
binary ->|binary fby|binary =>|binary or|binary xor|binary and
binary <|binary <=|binary >|binary >=|binary =|binary <>
binary +|binary -|binary *|binary /|binary div|binary mod
binary \\|\\||binary &&|binary lsh|binary rsh|binary ^
if|if with lists|list|tuple|array|#|index|field|projection
update := index|update := field|update with index|update with field|record|record with
call|restart|activate|activate with defaults|activate and restart|condact
when|when not|when value|merge|merge cases|forall|exists|fby with steps
type bool|type int|type real|type subrange|type colour|type point|type tuple|type array
type array of given size
type int8|type int16|type int32|type int64|type uint8|type uint16|type uint32|type uint64";

#[test]
fn random_programs_run_alike_everywhere_and_after_printing() {
    let test = || {
        let config = Config {
            cases: PROGRAMS,
            failure_persistence: None,
            max_shrink_iters: 300,
            ..Config::default()
        };
        let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
        let mut runner = TestRunner::new_with_rng(config, rng);
        let seen = RefCell::new(BTreeMap::new());
        let result = runner.run(&vec(any::<u16>(), 0..1500), |choices| {
            check(&Generator::program(choices), &mut seen.borrow_mut());
            Ok(())
        });
        match result {
            Err(TestError::Fail(why, choices)) => {
                let text = Generator::program(choices);
                panic!(
                    "{text}\n{}",
                    why.to_string().lines().take(4).collect::<Vec<_>>().join("\n")
                );
            }
            other => other.unwrap(),
        }
        let seen = seen.into_inner();
        let table = TABLE.replace("\\|", "\0");
        for construct in table.split(['\n', '|']).map(|name| name.replace('\0', "|")) {
            let count = seen.get(&construct).copied().unwrap_or(0);
            assert!(count >= 5, "'{construct}' occurs in {count} programs only: {seen:#?}");
        }
    };
    // The reference recurses.
    std::thread::Builder::new().stack_size(1 << 28).spawn(test).unwrap().join().unwrap();
}
