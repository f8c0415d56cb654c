//! Tests of the parser: how expressions group, and where the dialects differ.

use crate::ast::{Body, Expr, ExprId, ItemKind, SyntaxTree, Visit};
use crate::{parse, print};

/// The expression of the only equation, in a node around it.
fn expression(text: &str) -> (SyntaxTree, ExprId) {
    let file = format!("node n() returns ();\nlet\n  x = {text};\ntel;\n");
    let parsed = parse(file.as_bytes()).unwrap_or_else(|why| panic!("{text}: {why:#?}"));
    let node = parsed.program.nodes().next().unwrap();
    let Body::Defined(body) = &node.body else { panic!("{text}: no body") };
    let ItemKind::Equation(_, value) = parsed.program.item(body.items[0]).kind else {
        panic!("{text}: no equation")
    };
    (parsed.program, value)
}

/// An expression with parentheses around every operation.
fn grouped(text: &str) -> String {
    let (program, root) = expression(text);
    let mut values: Vec<String> = Vec::new();
    for visit in program.walk(root) {
        let Visit::Leave(id) = visit else { continue };
        let operands = values.split_off(values.len() - program.children(id).count());
        values.push(match program.expr(id) {
            Expr::Name(symbol) | Expr::Int(symbol) | Expr::Real(symbol) => {
                program.text(symbol).to_owned()
            }
            Expr::Unary(operator, _) => format!("({} {})", operator.spelling(), operands[0]),
            Expr::Binary(operator, ..) => {
                format!("({} {} {})", operands[0], operator.spelling(), operands[1])
            }
            Expr::If(..) => format!("(if {} {} {})", operands[0], operands[1], operands[2]),
            Expr::Index(..) => format!("{}[{}]", operands[0], operands[1]),
            Expr::Field(_, field) => format!("{}.{}", operands[0], program.text(field)),
            Expr::When(..) => format!("({} when c)", operands[0]),
            Expr::Quantified(..) => format!("(all {})", operands[0]),
            other => format!("{other:?}"),
        });
    }
    values.pop().unwrap()
}

#[test]
fn operators_group_as_both_dialects_say() {
    for (text, expected) in [
        ("a + b * c", "(a + (b * c))"),
        ("a - b - c", "((a - b) - c)"),
        ("a = b = c", "((a = b) = c)"),
        ("a => b => c", "(a => (b => c))"),
        ("a -> b -> c", "(a -> (b -> c))"),
        ("a -> b => c", "(a -> (b => c))"),
        ("a or b and c", "(a or (b and c))"),
        ("a xor b or c", "((a xor b) or c)"),
        ("not a = b", "((not a) = b)"),
        ("not a and b", "((not a) and b)"),
        ("pre a + b", "((pre a) + b)"),
        ("pre a[i]", "(pre a[i])"),
        ("(pre a)[i]", "(pre a)[i]"),
        ("pre(a)[i]", "(pre a[i])"),
        ("pre p.x.y", "(pre p.x.y)"),
        ("pre pre x + v.one", "((pre (pre x)) + v.one)"),
        ("a div b * c mod d", "(((a div b) * c) mod d)"),
        ("a < b + 1 and c", "((a < (b + 1)) and c)"),
        ("a fby b fby c", "(a fby (b fby c))"),
        ("real(a) / b", "((real a) / b)"),
        ("a ^ 2 ^ 3", "((a ^ 2) ^ 3)"),
        ("pre a ^ 3", "(pre (a ^ 3))"),
        ("a && b || c lsh 1", "((a && b) || (c lsh 1))"),
        ("a + b && c", "(a + (b && c))"),
    ] {
        assert_eq!(grouped(text), expected, "{text}");
    }
}

#[test]
fn a_choice_and_a_quantifier_reach_as_far_as_they_can() {
    for (text, expected) in [
        ("if d then a else e -> f", "(if d a (e -> f))"),
        ("a + if x then 0 else 1", "(a + (if x 0 1))"),
        ("if a then b else c when c", "((if a b c) when c)"),
        ("w + 1 when c", "((w + 1) when c)"),
        ("forall (i: int) a => b", "(all (a => b))"),
        ("forall (i: int) a -> b", "((all a) -> b)"),
        ("uint8 a + b", "(uint8 (a + b))"),
        ("(uint8 a) + b", "((uint8 a) + b)"),
        ("int8 -5", "(int8 (- 5))"),
    ] {
        assert_eq!(grouped(text), expected, "{text}");
    }
}

#[test]
fn negation_binds_tighter_than_division_as_in_jkind() {
    for (text, expected) in [
        ("-a + b", "((- a) + b)"),
        ("-a * b", "((- a) * b)"),
        ("-a div b", "((- a) div b)"),
        ("-a lsh b", "(- (a lsh b))"),
        ("a - -b", "(a - (- b))"),
        ("pre -a * b", "((pre (- a)) * b)"),
    ] {
        assert_eq!(grouped(text), expected, "{text}");
    }
}

fn warnings(text: &str) -> Vec<String> {
    let file = format!("node n() returns ();\nlet\n  x = {text};\ntel;\n");
    let warnings = parse(file.as_bytes()).unwrap().warnings;
    warnings.into_iter().map(|warning| warning.message).collect()
}

#[test]
fn what_the_dialects_read_differently_is_warned_of() {
    assert_eq!(warnings("-a div b"), ["'-a div b' is read as '(-a) div b'"]);
    assert_eq!(warnings("-f(a) mod b"), ["'-a mod b' is read as '(-a) mod b'"]);
    assert_eq!(
        warnings("uint8(a) + b"),
        ["'uint8' takes all that follows, not only the parentheses"]
    );
    for fine in
        ["(-a) div b", "-(a div b)", "-a * b", "(uint8 a) + b", "uint8 (a + b)", "real(a) + b"]
    {
        assert_eq!(warnings(fine), [""; 0], "{fine}");
    }
}

#[test]
fn spans_cover_the_expression_and_the_parentheses_inside_it() {
    let text = "(a + b) * pre (c)";
    let (program, root) = expression(text);
    let file = format!("node n() returns ();\nlet\n  x = {text};\ntel;\n");
    let shown = |id| {
        let span = program.expr_span(id);
        &file[span.start as usize..span.end as usize]
    };
    assert_eq!(shown(root), text);
    let operands: Vec<&str> = program.children(root).map(shown).collect();
    assert_eq!(operands, ["a + b", "pre (c)"]);
}

#[test]
fn every_expression_comes_after_its_operands() {
    let text = "if a then condact(b, f(c, d), 0) else (activate g every h initial default 1)(i)";
    let (program, root) = expression(text);
    for visit in program.walk(root) {
        let Visit::Enter(id) = visit else { continue };
        assert!(program.children(id).all(|child| child < id));
    }
}

#[test]
fn constants_after_a_function_are_its_own_only_if_it_has_a_body() {
    let kind2 = "function f() returns (x: int);\nconst a = 1;\nlet\n  x = a;\ntel;\n";
    let jkind = "function f() returns (x: int);\nconst a = 1;\nconst b = 2;\ntype t = int;\n";
    let count = |text: &str| parse(text.as_bytes()).unwrap().program.declarations.len();
    assert_eq!((count(kind2), count(jkind)), (1, 4));
}

#[test]
fn flattened_names_of_jkind_are_one_name_where_they_are_declared() {
    let text =
        "node n(msg.buff[0]: int) returns (a~1.out: int);\nlet\n  a~1.out = msg.buff[0];\ntel;\n";
    let parsed = parse(text.as_bytes()).unwrap();
    assert!(parsed.program.symbols.find("msg.buff[0]").is_some());
    assert!(parsed.program.symbols.find("a~1.out").is_some());
    assert_eq!(print(&parsed.program), text);
}

#[test]
fn words_known_by_their_place_are_names_elsewhere() {
    let text = "node check(state, last, set: bool) returns (frame, automaton, fi, mode: bool);\nlet\n  \
        frame = last and state;\n  check = reachable;\n  automaton = set;\n  fi[i] = in;\n  mode = end;\n  \
        check last;\n  check (reachable(x));\n  check reachable;\ntel;\n";
    let printed = print(&parse(text.as_bytes()).unwrap().program);
    assert_eq!(printed.replace("(last)", "last"), text);
}
