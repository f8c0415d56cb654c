//! Prints a program as Lustre, in one canonical layout.
//!
//! What is printed parses to the same tree, comments included; so printing twice changes
//! nothing. Parentheses stand where they are needed, and where Kind 2 and JKind would read
//! the text differently without them. Each notation of the tree is printed as its author
//! wrote it (`int^5` or `int[5]`, `check` or `--%PROPERTY`), so that a model stays readable
//! for the tool it was written for.
//!
//! Reading order: `declarations`, `items`, `expressions`.

use crate::ast::{Comment, ExprId, List, Name, Program, Trivia};

mod declarations;
mod expressions;
mod items;
mod precedence;
mod types;
mod widths;

/// A line wants to be no longer than this.
const WIDTH: usize = 100;
/// Deeper nesting is not indented further, or deep models would be mostly spaces.
const DEEPEST: usize = 60;
/// One level of indentation.
const STEP: usize = 2;

/// Prints a program.
pub fn print(program: &Program) -> String {
    let mut printer = Printer {
        program,
        out: String::new(),
        line_start: 0,
        widths: widths::widths(program),
        todo: Vec::new(),
    };
    printer.file();
    printer.out
}

struct Printer<'p> {
    program: &'p Program,
    out: String,
    /// Where the current line starts in `out`.
    line_start: usize,
    /// The width of each expression on one line.
    widths: Vec<u32>,
    todo: Vec<expressions::Piece>,
}

impl Printer<'_> {
    fn text(&mut self, text: &str) {
        self.out.push_str(text);
        if let Some(end) = text.rfind('\n') {
            self.line_start = self.out.len() - text.len() + end + 1;
        }
    }

    fn newline(&mut self, indent: usize) {
        self.out.push('\n');
        self.line_start = self.out.len();
        let indent = indent.min(DEEPEST);
        self.out.extend(std::iter::repeat_n(' ', indent));
    }

    /// The column of what is printed next, in bytes.
    fn column(&self) -> usize {
        self.out.len() - self.line_start
    }

    fn name(&mut self, name: Name) {
        self.text(self.program.text(name.symbol));
    }

    fn names(&mut self, names: &[Name]) {
        for (index, name) in names.iter().enumerate() {
            if index > 0 {
                self.text(", ");
            }
            self.name(*name);
        }
    }

    /// Comments on lines of their own; the cursor is where the first goes, and ends where
    /// what follows them goes.
    fn comments(&mut self, comments: List<Comment>, indent: usize) {
        let program = self.program;
        for comment in &program.comments[comments] {
            if comment.0.is_empty() {
                self.out.truncate(self.line_start);
            }
            self.text(&comment.0);
            self.newline(indent);
        }
    }

    fn trailing(&mut self, trivia: Trivia) {
        let program = self.program;
        for comment in &program.comments[trivia.trailing] {
            self.text(" ");
            self.text(&comment.0);
        }
    }

    /// ` = e;`, on one line if it fits.
    fn value(&mut self, value: ExprId, indent: usize) {
        self.text(" =");
        if self.column() + self.width(value) + 2 <= WIDTH {
            self.text(" ");
            self.expr(value, indent);
        } else {
            self.newline(indent + STEP);
            self.expr(value, indent + STEP);
        }
        self.text(";");
    }

    fn width(&self, id: ExprId) -> usize {
        self.widths[id.index()] as usize
    }
}

#[cfg(test)]
mod tests;
