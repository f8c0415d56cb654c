//! Prints a program as Lustre, in one canonical layout.
//!
//! What is printed parses to the same tree, comments included; so printing twice changes
//! nothing. Parentheses stand where they are needed, and where Kind 2 and JKind would read
//! the text differently without them. Each notation of the tree is printed as its author
//! wrote it (`int^5` or `int[5]`, `check` or `--%PROPERTY`), so that a model stays readable
//! for the tool it was written for.
//!
//! Reading order: `declarations`, `items`, `expressions`.

use crate::ast::{Comment, ExprId, List, Name, SyntaxTree, Trivia};

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
pub fn print(program: &SyntaxTree) -> String {
    let mut printer = Printer::new(program, Layout::Lines(widths::widths(program)));
    printer.file();
    printer.out
}

/// Prints an expression on one line, or its beginning if that is longer than `longest` bytes.
pub fn print_line(program: &SyntaxTree, id: ExprId, longest: usize) -> String {
    let mut printer = Printer::new(program, Layout::Line { longest });
    printer.expr(id, 0);
    printer.out
}

/// Where lines end.
enum Layout {
    /// Where they would get too long, given the width of each expression on one line.
    Lines(Vec<u32>),
    /// Nowhere, and after so many bytes nothing more is printed.
    Line { longest: usize },
}

struct Printer<'p> {
    program: &'p SyntaxTree,
    out: String,
    /// Where the current line starts in `out`.
    line_start: usize,
    layout: Layout,
    todo: Vec<expressions::Piece>,
}

impl<'p> Printer<'p> {
    fn new(program: &'p SyntaxTree, layout: Layout) -> Self {
        Self { program, out: String::new(), line_start: 0, layout, todo: Vec::new() }
    }

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
        if self.fits(value, 2) {
            self.text(" ");
            self.expr(value, indent);
        } else {
            self.newline(indent + STEP);
            self.expr(value, indent + STEP);
        }
        self.text(";");
    }

    /// Does an expression fit on the line, and `more` after it?
    fn fits(&self, id: ExprId, more: usize) -> bool {
        match &self.layout {
            Layout::Lines(widths) => self.column() + widths[id.index()] as usize + more <= WIDTH,
            Layout::Line { .. } => true,
        }
    }

    /// Is there enough, so that the rest need not be printed?
    fn is_cut(&self) -> bool {
        matches!(self.layout, Layout::Line { longest } if self.out.len() > longest)
    }
}

#[cfg(test)]
mod tests;
