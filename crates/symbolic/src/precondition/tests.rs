//! Terms and tests agree on what preconditions exclude.

use obligato_c_unit::interface::{Cell, Form, ObjectIndex, Pointee, PointerTarget};
use obligato_c_unit::precondition::parse;
use obligato_model::{Random, Signedness, Value};
use obligato_term::{Assignment, Node, Terms, Values};

use super::translate;
use crate::inputs::Input;

fn cell(name: &str, form: Form) -> Cell {
    Cell {
        name: name.to_owned(),
        object: ObjectIndex(0),
        offset: 0,
        form,
        bit_field: false,
        bound: None,
        given: None,
    }
}

fn cells() -> Vec<Cell> {
    let names = vec![("OFF".to_owned(), 0), ("ON".to_owned(), 1), ("BROKEN".to_owned(), 7)];
    let null = PointerTarget { name: "NULL".to_owned(), to: Pointee::Null };
    let new = PointerTarget { name: "new".to_owned(), to: Pointee::Object(ObjectIndex(0)) };
    vec![
        cell("a", Form::Integer(Signedness::Signed, 8)),
        cell("b", Form::Integer(Signedness::Unsigned, 8)),
        cell("wide", Form::Integer(Signedness::Unsigned, 64)),
        cell("flag", Form::Bool(8)),
        cell("mode", Form::Enumeration(names, Signedness::Unsigned, 32)),
        cell("p", Form::Pointer(vec![null, new])),
    ]
}

/// Words that these inputs may hold, and the values that tests have for them.
fn draw(form: &Form, random: &mut Random) -> (u128, Value) {
    match form {
        Form::Integer(Signedness::Signed, _) => {
            let number = random.below(256) as u8;
            (number.into(), Value::int(number.cast_signed()))
        }
        Form::Integer(_, bits) => {
            let number = if *bits == 8 { random.below(256) as u64 } else { random.next() };
            (number.into(), Value::int(number))
        }
        Form::Bool(_) => {
            let number = random.below(2);
            (number as u128, Value::Bool(number == 1))
        }
        Form::Enumeration(names, ..) => {
            let (name, value) = &names[random.below(names.len())];
            (value.cast_unsigned(), Value::Symbol(name.clone()))
        }
        _ => match random.below(2) {
            0 => (0, Value::Symbol("NULL".to_owned())),
            _ => (0x7000_0000_0000, Value::Symbol("new".to_owned())),
        },
    }
}

#[test]
fn terms_and_tests_agree() {
    let cells = cells();
    let texts = [
        "a < b",
        "a <= b && b != 200 || flag",
        "a * a * a - 3 * b > 100",
        "wide > 0x8000000000000000 && wide * 3 - 5 < wide + 0xffffffffffffffff * 2 - 1",
        "-a >= b - 100",
        "a % 7 == 3 || a / 4 < -9",
        "mode != BROKEN && (p == NULL || a > 0)",
        "p && !flag",
        "!p != flag",
        "(a + b) * (a - b) <= a * b",
        "wide * b >= wide",
        "flag * flag * flag * mode == 7",
        "-128 <= a && a <= 127 && 255 >= b",
    ];
    let mut random = Random::for_purpose(1, "preconditions");
    for text in texts {
        let precondition = parse(text, &cells).expect("a precondition");
        let mut terms = Terms::new();
        let inputs: Vec<Input> = cells
            .iter()
            .map(|cell| {
                let word = terms.variable(cell.form.bits() as u8);
                let Node::Variable(variable) = terms.node(word) else { panic!("a variable") };
                Input { variable: Some(variable), word, when: None, given: None }
            })
            .collect();
        let holds = translate(&mut terms, &cells, &inputs, &precondition);
        let mut seen = [0, 0];
        for _ in 0..500 {
            let mut assignment = Assignment::default();
            let mut values = Vec::new();
            for (cell, input) in cells.iter().zip(&inputs) {
                let (word, value) = draw(&cell.form, &mut random);
                assignment.set(input.variable.expect("a variable"), word);
                values.push(value);
            }
            let given: Vec<Option<&Value>> = values.iter().map(Some).collect();
            let expected = precondition.holds(&cells, &given).expect("all values are given");
            seen[usize::from(expected)] += 1;
            assert_eq!(
                Values::new(&assignment).holds(&terms, holds),
                expected,
                "{text}: {values:?}"
            );
        }
        let always = text.starts_with("-128");
        assert!(seen[1] > 0 && (seen[0] > 0 || always), "{text}: {seen:?}");
    }
}
