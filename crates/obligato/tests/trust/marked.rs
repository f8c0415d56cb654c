//! Marked C: one text from which the plain unit and its instrumented twin are made.
//!
//! | mark | plain | instrumented |
//! | --- | --- | --- |
//! | `D(…)` a decision | what is in it | a call that notes its conditions and its outcome |
//! | `C(…)` a condition of the decision around it | what is in it | a call that notes its value |
//! | `W(x)` what a `switch` is on | `x` | a call that notes its value |
//! | `V(x, 1, 2)` a read of what the environment changes | `x` | one of the values |
//! | `M(x)` a value | `x` | `x`, kept from being folded with what is around it |
//! | `@x = 1;` a simple statement | itself | a block that notes it, and of a `return` that it leaves |
//!
//! A decision without a `C(…)` is one condition. Places are those of the plain text, which is what obligato reads: what it says of a place
//! is held against what the twin did there.

use std::fmt::Write;

use obligato_model::{Position, Span};

use crate::tree::Tree;

/// A decision that is marked.
pub struct MarkedDecision {
    pub span: Span,
    pub tree: Tree,
    /// Its conditions in the order of the text, as positions among all that are marked.
    pub conditions: Vec<usize>,
}

/// A unit, its twin, and the places of all marks. Marks are numbered from `first` on in calls of the twin.
#[derive(Default)]
pub struct Marked {
    pub plain: String,
    pub instrumented: String,
    pub decisions: Vec<MarkedDecision>,
    pub conditions: Vec<Span>,
    pub statements: Vec<Span>,
    pub switches: Vec<Span>,
}

/// Where reading ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Text,
    Parenthesis,
    Comma,
    Semicolon,
}

/// A decision that is being read.
#[derive(Default)]
struct Frame {
    /// Its text with `#` in place of conditions.
    shape: String,
    conditions: Vec<usize>,
}

struct Reader<'t> {
    rest: &'t str,
    marked: Marked,
    frames: Vec<Frame>,
    /// Is what is read now inside of a condition?
    in_condition: bool,
    first: usize,
}

impl Marked {
    /// Reads marked text. Marks are numbered from `first` on, so that several units fit into one recording.
    pub fn read(text: &str, first: usize) -> Self {
        let mut reader = Reader {
            rest: text,
            marked: Self::default(),
            frames: Vec::new(),
            in_condition: false,
            first,
        };
        let instrumented = reader.until(End::Text);
        reader.marked.instrumented = instrumented;
        reader.marked
    }
}

impl Reader<'_> {
    /// Copies up to an end, which is not taken, and gives what the twin has there.
    fn until(&mut self, end: End) -> String {
        let mut twin = String::new();
        let mut depth = 0;
        while let Some(next) = self.rest.chars().next() {
            match next {
                ')' if depth == 0 && matches!(end, End::Parenthesis | End::Comma) => return twin,
                ',' if depth == 0 && end == End::Comma => return twin,
                ';' if depth == 0 && end == End::Semicolon => return twin,
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth -= 1,
                _ => {}
            }
            if let Some(length) = quoted(self.rest) {
                self.copy(length, &mut twin);
            } else if next == '@' {
                self.statement(&mut twin);
            } else if next.is_ascii_alphabetic() || next == '_' {
                let word = self
                    .rest
                    .chars()
                    .take_while(|c| c.is_ascii_alphanumeric() || *c == '_')
                    .count();
                match (&self.rest[..word], self.rest[word..].starts_with('(')) {
                    ("D", true) => self.decision(&mut twin),
                    ("C", true) => self.condition(&mut twin),
                    ("W", true) => self.switch(&mut twin),
                    ("V", true) => self.volatile(&mut twin),
                    ("M", true) => self.value(&mut twin),
                    _ => self.copy(word, &mut twin),
                }
            } else {
                self.copy(next.len_utf8(), &mut twin);
            }
        }
        assert!(end == End::Text, "a mark does not end");
        twin
    }

    fn copy(&mut self, length: usize, twin: &mut String) {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        self.marked.plain.push_str(taken);
        twin.push_str(taken);
        if let (Some(frame), false) = (self.frames.last_mut(), self.in_condition) {
            frame.shape.push_str(taken);
        }
    }

    fn skip(&mut self, length: usize) {
        self.rest = &self.rest[length..];
    }

    fn here(&self) -> Position {
        let plain = &self.marked.plain;
        let line = plain.rsplit('\n').next().map_or(0, |line| line.chars().count());
        Position { line: plain.matches('\n').count() as u32 + 1, column: line as u32 + 1 }
    }

    fn decision(&mut self, twin: &mut String) {
        self.skip(2);
        let start = self.here();
        self.frames.push(Frame::default());
        let outer = std::mem::replace(&mut self.in_condition, false);
        let mut inside = self.until(End::Parenthesis);
        self.skip(1);
        self.in_condition = outer;
        let mut frame = self.frames.pop().expect("it was pushed");
        let span = Span { start, end: self.here() };
        if frame.conditions.is_empty() {
            inside = self.note_condition(span, 0, &inside);
            frame.conditions.push(self.marked.conditions.len() - 1);
            frame.shape.clear();
            frame.shape.push('#');
        }
        let number = self.first + self.marked.decisions.len();
        let _ = write!(twin, "trust_end({number}, (trust_begin({number}), ({inside}) != 0))");
        let tree = Tree::read(&frame.shape);
        self.marked.decisions.push(MarkedDecision { span, tree, conditions: frame.conditions });
    }

    fn note_condition(&mut self, span: Span, ordinal: usize, inside: &str) -> String {
        let number = self.first + self.marked.conditions.len();
        self.marked.conditions.push(span);
        format!("trust_condition({number}, {ordinal}, ({inside}) != 0)")
    }

    fn condition(&mut self, twin: &mut String) {
        self.skip(2);
        let start = self.here();
        let outer = std::mem::replace(&mut self.in_condition, true);
        let inside = self.until(End::Parenthesis);
        self.skip(1);
        self.in_condition = outer;
        let span = Span { start, end: self.here() };
        let frame = self.frames.last().expect("a condition stands in a decision");
        let noted = self.note_condition(span, frame.conditions.len(), &inside);
        twin.push_str(&noted);
        let frame = self.frames.last_mut().expect("a condition stands in a decision");
        frame.conditions.push(self.marked.conditions.len() - 1);
        frame.shape.push('#');
    }

    fn switch(&mut self, twin: &mut String) {
        self.skip(2);
        let start = self.here();
        let inside = self.until(End::Parenthesis);
        self.skip(1);
        let number = self.first + self.marked.switches.len();
        let _ = write!(twin, "(__typeof__(({inside}) + 0))trust_switch({number}, {inside})");
        self.marked.switches.push(Span { start, end: self.here() });
    }

    /// A compiler may drop a read whose value does not matter, and undefined behaviour with it: here it is evaluated.
    fn value(&mut self, twin: &mut String) {
        self.skip(2);
        let inside = self.until(End::Parenthesis);
        self.skip(1);
        let _ = write!(twin, "({{ __auto_type trust_value = (0, {inside}); trust_value; }})");
    }

    fn volatile(&mut self, twin: &mut String) {
        self.skip(2);
        let read = self.until(End::Comma);
        self.skip(1);
        // The values are for the twin alone.
        let plain = self.marked.plain.len();
        let shape = self.frames.last().map(|frame| frame.shape.len());
        let values = self.until(End::Parenthesis);
        self.skip(1);
        self.marked.plain.truncate(plain);
        if let (Some(frame), Some(shape)) = (self.frames.last_mut(), shape) {
            frame.shape.truncate(shape);
        }
        let _ = write!(twin, "((__typeof__({read}))PICK({values}))");
    }

    fn statement(&mut self, twin: &mut String) {
        self.skip(1);
        let start = self.here();
        let number = self.first + self.marked.statements.len();
        self.marked.statements.push(Span { start, end: start });
        let at = self.marked.statements.len() - 1;
        let inside = self.until(End::Semicolon);
        self.marked.statements[at].end = self.here();
        let mut end = String::new();
        self.copy(1, &mut end);
        let _ = match inside.strip_prefix("return ") {
            // Left is the function only when what it returns has been computed.
            Some(value) => write!(
                twin,
                "{{ trust_hit({number}); __auto_type trust_value = (0, {value}); trust_exit({number}); return trust_value; }}"
            ),
            None => write!(twin, "{{ trust_hit({number}); {inside}; }}"),
        };
    }
}

/// How long the comment, string or character is that the text starts with.
fn quoted(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    if text.starts_with("/*") {
        return Some(text.find("*/").map_or(text.len(), |at| at + 2));
    }
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}
