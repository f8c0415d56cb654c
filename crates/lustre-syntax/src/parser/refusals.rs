//! Constructs that the dialects have but we do not: what to write instead.

use super::{Parser, Stop};
use crate::diagnostic::Diagnostic;
use crate::source::ByteSpan;

impl Parser<'_> {
    /// Records a construct that the dialects have but we do not.
    pub(super) fn unsupported(&mut self, span: ByteSpan, construct: &str) -> Stop {
        let problem = Diagnostic::error(span, format!("{construct} is not supported"));
        let hint = self.tokens.peek(0);
        let hint = if hint.span == span { self.hint_for(hint) } else { None };
        self.report(Diagnostic { help: hint.or(way_out(construct)).map(str::to_owned), ..problem })
    }
}

/// What to write instead of a construct that is not supported.
fn way_out(construct: &str) -> Option<&'static str> {
    WAYS_OUT.iter().find(|(known, _)| construct.contains(known)).map(|(_, help)| *help)
}

const WAYS_OUT: [(&str, &str); 22] = [
    (
        "'datatype'",
        "declare 'type tag = enum { A, B };' and a record with the tag and the data of each case",
    ),
    ("'match", "test the tag of the record: 'if x.tag = A then … else …'"),
    ("constructor", "compare the tag of the record, 'x.tag = A'"),
    ("'choose'", "call a 'function imported' whose contract guarantees what holds of its result"),
    ("'set'", "use an array of bool with an element for each value, 'bool^n'"),
    ("'in'", "index an array of bool with an element for each value"),
    ("map", "use an array with an element for each key, 'int^n'"),
    ("'history'", "keep what is needed of the past in variables, with 'pre'"),
    ("any width", "use the next larger of int8, int16, int32, int64, uint8 … uint64"),
    ("'<' and '>'", "write the arguments of a type between '<<' and '>>'"),
    ("recursive", "write one node for each level, or a loop over an array"),
    ("'lemma'", "write a node with the claim as 'check'"),
    ("a lazy 'when", "write 'if … then … else …', which evaluates both"),
    ("lazy", "write 'and', 'or', '=>', which evaluate both sides"),
    ("'when' block", "write 'if … then … else … fi'"),
    ("'cond' block", "write 'if … then … elsif … then … else … fi'"),
    ("range of bits", "shift with 'rsh' and mask with '&&'"),
    ("'++'", "shift the left part with 'lsh' and combine with '||'"),
    ("'|'", "list the elements, '[a[0], a[1], b[0]]'"),
    ("several dimensions", "write 'a[i][j]'"),
    ("a type after an expression", "leave the type out, or declare a variable of that type"),
    ("a clock that is an expression", "define a variable of type bool and use its name"),
];
