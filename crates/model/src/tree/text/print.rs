//! A tree as text, in the spelling that [`parse`](super::parse) reads back.

use std::fmt;

use super::super::{BoolTree, Circuit, Node, NodeId, Operator};

/// What is still to be printed.
enum Piece {
    Tree(NodeId),
    Text(&'static str),
}

impl fmt::Display for BoolTree {
    /// Prints the shape over `c1`, `c2`, …; [`parse`](super::parse) reads it back.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut todo = vec![Piece::Tree(self.root())];
        while let Some(piece) = todo.pop() {
            let id = match piece {
                Piece::Text(text) => {
                    f.write_str(text)?;
                    continue;
                }
                Piece::Tree(id) => id,
            };
            let start = todo.len();
            match self.node(id) {
                Node::Condition(condition) => write!(f, "c{}", condition + 1)?,
                Node::Not(operand) => {
                    todo.push(Piece::Text("!"));
                    self.enclose(operand, None, &mut todo);
                }
                Node::Binary(operator, left, right) => {
                    self.enclose(left, Some(operator), &mut todo);
                    todo.push(Piece::Text(spelling(operator)));
                    self.enclose(right, None, &mut todo);
                }
                Node::Choose(circuit, test, then, otherwise) => {
                    let [before, middle, last] = match circuit {
                        Circuit::Short => ["", " ? ", " : "],
                        Circuit::Full => ["if ", " then ", " else "],
                    };
                    for (text, operand) in [(before, test), (middle, then), (last, otherwise)] {
                        todo.push(Piece::Text(text));
                        self.enclose(operand, None, &mut todo);
                    }
                }
            }
            todo[start..].reverse();
        }
        Ok(())
    }
}

impl BoolTree {
    /// Pushes the pieces of an operand, in parentheses unless it is a condition,
    /// a negation, or a left operand that groups by itself.
    fn enclose(&self, id: NodeId, grouping: Option<Operator>, todo: &mut Vec<Piece>) {
        let bare = match self.node(id) {
            Node::Condition(_) | Node::Not(_) => true,
            Node::Binary(Operator::Implies, ..) | Node::Choose(..) => false,
            Node::Binary(operator, ..) => Some(operator) == grouping,
        };
        if bare {
            todo.push(Piece::Tree(id));
        } else {
            todo.extend([Piece::Text("("), Piece::Tree(id), Piece::Text(")")]);
        }
    }
}

fn spelling(operator: Operator) -> &'static str {
    match operator {
        Operator::And(Circuit::Short) => " && ",
        Operator::And(Circuit::Full) => " and ",
        Operator::Or(Circuit::Short) => " || ",
        Operator::Or(Circuit::Full) => " or ",
        Operator::Xor => " xor ",
        Operator::Equal => " = ",
        Operator::Implies => " => ",
    }
}
