//! Programs: layout, defaults, damage.

use obligato_model::{
    BoolTree, DecisionId, Exit, Function, FunctionId, NewCondition, NewDecision, Relation, Span,
    Type, Value,
};
use proptest::prelude::*;

use super::*;
use crate::samples::{self, documented};
use crate::tests::{assert_truncation_is_noticed, complaint};

/// A program of one function with these fields.
fn with_fields(fields: &str) -> String {
    format!(
        "{{\"format\": \"obligato-program\", \"version\": 1, \"functions\": [\n\
         {{\"name\": \"f\", \"file\": \"f.c\",\n{fields}}}]}}"
    )
}

/// A program of one function with these decisions.
fn with_decisions(decisions: &str) -> String {
    with_fields(&format!("\"decisions\": [\n{decisions}]"))
}

#[track_caller]
fn assert_refused(source: &str, expected: &str) {
    assert_eq!(complaint(parse(source.as_bytes())), expected, "{source}");
}

#[test]
fn damaged_functions_are_refused_with_their_place() {
    for (fields, expected) in [
        (
            r#""exits": [{"span": "3:1-2:1", "text": "return;"}]"#,
            "in:3:20: '3:1-2:1': a span is written line:column-line:column, counted from 1, \
             with its end not before its start",
        ),
        (r#""exits": ["1:1-1:2"]"#, "in:3:11: expected an object, found a string"),
        (r#""exits": [{"span": "1:1-1:2"}]"#, "in:3:11: the field 'text' is missing"),
        (r#""entered": 1"#, "in:3:12: expected true or false, found '1'"),
        (r#""statements": [{"span": "1:1-1:2"}]"#, "in:3:16: the field 'text' is missing"),
        (r#""statements": [{"span": 7, "text": "x"}]"#, "in:3:25: expected a string, found '7'"),
        (
            r#""switches": [{"text": "x", "arms": ["case 1"]}]"#,
            "in:3:37: expected an object, found a string",
        ),
        (
            r#""switches": [{"text": "x", "arms": [{"label": "case 1"}, {"label": "case  1"}]}]"#,
            "in:3:68: there are two arms 'case  1' of the switch on 'x'",
        ),
        (
            r#""mutants": [{"operator": "o", "original": "x"}]"#,
            "in:3:13: the field 'replacement' is missing",
        ),
        (r#""name": "g""#, "in:3:1: the field 'name' is given twice"),
        (
            r#""loops": []"#,
            "in:3:1: unknown field 'loops'; known are name, file, span, entered, exits, \
             statements, decisions, switches, mutants",
        ),
    ] {
        assert_refused(&with_fields(fields), expected);
    }
    assert_refused(
        r#"{"format": "obligato-program", "version": 1, "functions": [{"name": "f"}]}"#,
        "in:1:60: the field 'file' is missing",
    );
    assert_refused(
        &with_fields("\"exits\": []},\n{\"file\": \"f.c\", \"name\": \"f\""),
        "in:4:25: there are two functions 'f' in 'f.c'; give each a name of its own",
    );
    for step in ["0", "-0.5", "\"-1/3\""] {
        let source = with_fields("\"exits\": []");
        let source = source.replace("1, ", &format!("1, \"real_step\": {step},\n"));
        assert_refused(&source, "in:1:59: the real_step must be more than 0");
    }
}

#[test]
fn damaged_decisions_are_refused_with_their_place() {
    for (decision, expected) in [
        (
            r#"{"text": "a", "role": "test", "tree": "c1", "conditions": []}"#,
            "in:4:23: no role is called 'test'; there are control, value",
        ),
        (
            r#"{"text": "a", "role": "value", "tree": "c1 &&", "conditions": []}"#,
            "in:4:40: tree 'c1 &&': expected a condition here, not the end",
        ),
        (
            r#"{"text": "a", "role": "value", "tree": "c1 && c3", "conditions": []}"#,
            "in:4:40: condition 2 of a tree is written c2, not 'c3'",
        ),
        (
            r#"{"text": "a", "role": "value", "tree": "c1 && c1", "conditions": []}"#,
            "in:4:40: condition 2 of a tree is written c2, not 'c1'",
        ),
        (
            "{\"text\": \"a\", \"role\": \"value\", \"tree\": \"c1 && c2\",\n\
             \"conditions\": [{\"text\": \"a\"}]}",
            "in:5:15: the tree of this decision has 2 conditions, but 1 are listed",
        ),
    ] {
        assert_refused(&with_decisions(decision), expected);
    }
}

#[test]
fn damaged_conditions_are_refused_with_their_place() {
    for (condition, expected) in [
        (r#"{"text": "a", "constant": "T"}"#, "in:5:27: expected true or false, found a string"),
        (
            r#"{"text": "a", "relation": {"operator": "=", "type": "int"}}"#,
            "in:5:40: no operator is called '='; there are ==, !=, <, <=, >, >=",
        ),
        (
            r#"{"text": "a", "relation": {"operator": "<", "type": "bool"}}"#,
            "in:5:53: a relation compares numbers, and bool has none",
        ),
        (
            r#"{"text": "a", "relation": {"operator": "<", "type": "int8", "left": 200}}"#,
            "in:5:69: the operand 'left': '200' is not a value of type int8",
        ),
        (
            r#"{"text": "a", "constant": true, "relation": {"operator": "<", "type": "int", "left": 2, "right": 1}}"#,
            "in:5:27: this condition is said to be always true, but its operands make it false",
        ),
    ] {
        let decision = format!(
            "{{\"text\": \"a\", \"role\": \"value\", \"tree\": \"c1\", \"conditions\": [\n{condition}]}}"
        );
        assert_refused(&with_decisions(&decision), expected);
    }
}

/// A program of decisions with one condition each, nested as given.
fn nested(nesting: &[&str]) -> String {
    let decisions: Vec<String> = nesting
        .iter()
        .map(|condition| {
            format!(
                "{{\"nested_in\": \"{condition}\", \"text\": \"a\", \"role\": \"value\", \
                 \"tree\": \"c1\", \"conditions\": [{{\"text\": \"a\"}}]}}"
            )
        })
        .collect();
    with_decisions(&decisions.join(",\n"))
}

#[test]
fn a_decision_stands_in_a_condition_that_is_there_and_not_in_itself() {
    for (nesting, expected) in [
        (["d3c1", "d1c1"], "in:4:15: 'd3c1': the program has 2 decisions"),
        (["d2c2", "d1c1"], "in:4:15: 'd2c2': decision 2 has 1 condition"),
        (["d1", "d1c1"], "in:4:15: 'd1' is no condition; one is written d1c2"),
        (["d0c1", "d1c1"], "in:4:15: 'd0c1' is no condition; one is written d1c2"),
        (["d01c1", "d1c1"], "in:4:15: 'd01c1' is no condition; one is written d1c2"),
        (["d2c1=T", "d1c1"], "in:4:15: 'd2c1=T' is no condition; one is written d1c2"),
        (["d2c1", "d2c1"], "in:5:15: decision d2 would stand inside itself"),
        (["d2c1", "d1c1"], "in:4:15: decision d1 would stand inside itself"),
    ] {
        assert_refused(&nested(&nesting), expected);
    }
}

#[test]
fn a_long_chain_of_nested_decisions_is_walked_once() {
    let chain: Vec<String> = (2..=20_000).map(|number| format!("d{number}c1")).collect();
    let mut chain: Vec<&str> = chain.iter().map(String::as_str).collect();
    chain.push("d20000c1");
    assert_refused(&nested(&chain), "in:20003:15: decision d20000 would stand inside itself");
}

#[test]
fn a_program_of_many_files_is_read_in_one_pass() {
    let functions: Vec<String> =
        (0..50_000).map(|number| format!(r#"{{"name": "f", "file": "{number}"}}"#)).collect();
    let source = format!(
        r#"{{"format": "obligato-program", "version": 1, "functions": [{}]}}"#,
        functions.join(",\n")
    );
    assert_eq!(parse(source.as_bytes()).unwrap().files().len(), 50_000);
}

#[test]
fn one_name_in_two_files_and_one_label_in_two_switches_are_two_things() {
    let source = with_fields(
        r#""switches": [{"text": "x", "arms": [{"label": "case 1"}]},
        {"text": "x", "arms": [{"label": "case 1"}]}]}, {"name": "f", "file": "g.c""#,
    );
    assert_eq!(parse(source.as_bytes()).unwrap().functions().len(), 2);
}

#[test]
fn what_is_left_out_is_sensible() {
    let source = with_decisions(
        r#"{"text": "a < b", "role": "value", "tree": "c1", "conditions": [{"text": "a < b"}]}"#,
    );
    let program = parse(source.as_bytes()).unwrap();
    assert_eq!(program.real_step, Program::new().real_step);
    assert!(program.functions()[0].entered);
    assert_eq!(program.functions()[0].span, Span::of_line("f"));
    let decision = program.decision(DecisionId::new(0));
    assert_eq!(decision.span, Span::of_line("a < b"));
    assert_eq!(decision.nested_in, None);
    assert_eq!(program.conditions()[0].span, Span::of_line("a < b"));
}

#[test]
fn elements_out_of_the_order_of_their_functions_are_not_printed() {
    let source = with_fields(r#""exits": [{"text": "return;"}]"#);
    let mut program = parse(source.as_bytes()).unwrap();
    let first = program.functions()[0].clone();
    let function = program.add_function(Function { name: "g".to_owned(), ..first });
    let exit = program.exits()[0].clone();
    program.add_exit(Exit { function, ..exit.clone() });
    assert!(print(&program).is_ok());
    program.add_exit(exit);
    assert_eq!(
        print(&program).unwrap_err().to_string(),
        "the exits of the program are not in the order of its functions"
    );
}

#[test]
fn what_would_be_refused_when_read_is_not_printed() {
    let refused = |change: fn(&mut Program, Function)| {
        let mut program = parse(with_fields("\"exits\": []").as_bytes()).unwrap();
        let function = program.functions()[0].clone();
        change(&mut program, function);
        print(&program).unwrap_err().to_string()
    };
    let twice = refused(|program, function| {
        program.add_function(function);
    });
    assert!(twice.starts_with("there are two functions 'f' in 'f.c'"), "{twice}");
    let arms = refused(|program, _| {
        let (function, span) = (FunctionId::new(0), Span::of_line("x"));
        let arm = || ("case 1".to_owned(), span);
        program.add_switch(function, span, "x".to_owned(), [arm(), arm()]);
    });
    assert_eq!(arms, "there are two arms 'case 1' of the switch on 'x'");
    let constant = refused(|program, _| {
        let (function, span, text) = (FunctionId::new(0), Span::of_line("x"), "1 < 2".to_owned());
        let (left, right) = (Some(Value::int(1)), Some(Value::int(2)));
        let relation = Relation { operator: RelationOperator::Less, kind: Type::Int, left, right };
        let (constant, relation) = (Some(false), Some(relation));
        let condition = NewCondition { span, text: text.clone(), constant, relation };
        let (role, tree, conditions) = (Role::Value, BoolTree::single(), vec![condition]);
        program.add_decision(NewDecision { function, span, text, role, tree, conditions }).unwrap();
    });
    assert!(constant.contains("is said to be always false, but"), "{constant}");
}

#[test]
fn a_program_is_loaded_as_it_was_saved() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("program.json");
    let program = parse(documented("json program").as_bytes()).unwrap();
    save(&path, &program).unwrap();
    assert_eq!(load(&path).unwrap(), program);
}

#[test]
fn a_cut_document_is_noticed() {
    assert_truncation_is_noticed(parse, documented("json program"));
}

proptest! {
    #[test]
    fn every_program_reads_back(program in samples::program()) {
        let text = print(&program).unwrap();
        let back = parse(text.as_bytes()).unwrap();
        prop_assert_eq!(back, program);
    }
}
