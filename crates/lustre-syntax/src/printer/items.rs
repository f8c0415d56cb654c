//! The items between `let` and `tel`.

use super::{Printer, STEP};
use crate::ast::{
    Arm, Automaton, Bounds, Claim, Entry, ExprId, Item, ItemId, ItemKind, Property,
    PropertyNotation, State, Symbol, Target, Transition, Trivia,
};

/// What is still to be printed of a body, each on a line of its own.
enum Line<'p> {
    Item(ItemId),
    /// The end of an item: what closes it, and its comment.
    Close(&'static str, Trivia),
    Word(&'static str),
    Condition(&'static str, ExprId),
    State(&'p State),
    Until(&'p State),
    Returns(&'p Automaton, Trivia),
}

impl<'p> Printer<'p> {
    /// Prints the items of a body, each after a line end.
    pub(super) fn items(&mut self, items: &[ItemId]) {
        let mut todo: Vec<(Line<'p>, usize)> = Vec::new();
        push_items(items, STEP, &mut todo);
        todo.reverse();
        let mut lines = Vec::new();
        while let Some((line, indent)) = todo.pop() {
            match line {
                Line::Item(id) => {
                    let item = self.program.item(id);
                    self.item(item, indent, &mut lines);
                }
                Line::Close(text, trivia) => {
                    self.newline(indent);
                    self.text(text);
                    self.trailing(trivia);
                }
                Line::Word(text) => {
                    self.newline(indent);
                    self.text(text);
                }
                Line::Condition(word, condition) => {
                    self.newline(indent);
                    self.text(word);
                    // `elsif [a]` would read as an element of a variable `elsif`.
                    self.expr_unless(condition, indent + STEP, |text| text.starts_with('['));
                    self.text(" then");
                }
                Line::State(state) => self.state(state, indent, &mut lines),
                Line::Until(state) => self.transitions("until", &state.until, indent),
                Line::Returns(automaton, trivia) => {
                    self.newline(indent);
                    self.text("returns ");
                    match &automaton.returns {
                        Some(names) => self.names(names),
                        None => self.text(".."),
                    }
                    self.text(";");
                    self.trailing(trivia);
                }
            }
            todo.extend(lines.drain(..).rev());
        }
    }

    /// Prints the first line of an item, or all of it; the rest goes to `lines`.
    fn item(&mut self, item: &'p Item, indent: usize, lines: &mut Vec<(Line<'p>, usize)>) {
        if item.trivia.blank_before {
            self.out.push('\n');
        }
        self.newline(indent);
        self.comments(item.trivia.leading, indent);
        let inner = indent + STEP;
        match &item.kind {
            ItemKind::If(branches, otherwise) => {
                for (index, branch) in branches.iter().enumerate() {
                    if index == 0 {
                        self.text("if ");
                        self.expr(branch.condition, inner);
                        self.text(" then");
                    } else {
                        lines.push((Line::Condition("elsif ", branch.condition), indent));
                    }
                    push_items(&branch.items, inner, lines);
                }
                if let Some(items) = otherwise {
                    lines.push((Line::Word("else"), indent));
                    push_items(items, inner, lines);
                }
                lines.push((Line::Close("fi", item.trivia), indent));
                return;
            }
            ItemKind::Frame(frame) => {
                self.text("frame (");
                self.names(&frame.names);
                self.text(")");
                push_items(&frame.initial, inner, lines);
                lines.push((Line::Word("let"), indent));
                push_items(&frame.items, inner, lines);
                lines.push((Line::Close("tel", item.trivia), indent));
                return;
            }
            ItemKind::Automaton(automaton) => {
                self.text("automaton");
                if let Some(name) = automaton.name {
                    self.text(" ");
                    self.name(name);
                }
                lines.extend(automaton.states.iter().map(|state| (Line::State(state), inner)));
                lines.push((Line::Returns(automaton, item.trivia), indent));
                return;
            }
            ItemKind::Equation(targets, value) => {
                self.targets(targets);
                self.value(*value, indent);
            }
            ItemKind::Assert(condition) => {
                self.text("assert ");
                self.expr(*condition, inner);
                self.text(";");
            }
            ItemKind::Property(property) => self.property(property, inner),
            ItemKind::Main(true) => self.text("--%MAIN;"),
            ItemKind::Main(false) => self.text("--!MAIN : false;"),
            ItemKind::Ivc(names) => {
                self.text("--%IVC ");
                self.names(names);
                self.text(";");
            }
            ItemKind::Realizable(names) => {
                self.text("--%REALIZABLE ");
                self.names(names);
                self.text(";");
            }
        }
        self.trailing(item.trivia);
    }

    fn targets(&mut self, targets: &[Target]) {
        let enclosed = targets.len() != 1;
        if enclosed {
            self.text("(");
        }
        for (index, target) in targets.iter().enumerate() {
            if index > 0 {
                self.text(", ");
            }
            self.name(target.name);
            for index in &target.indices {
                self.text("[");
                self.name(*index);
                self.text("]");
            }
        }
        if enclosed {
            self.text(")");
        }
    }

    pub(super) fn title(&mut self, title: Option<Symbol>) {
        if let Some(title) = title {
            self.text("\"");
            self.text(self.program.text(title));
            self.text("\" ");
        }
    }

    fn property(&mut self, property: &Property, indent: usize) {
        self.text(match property.notation {
            PropertyNotation::Pragma => "--%PROPERTY ",
            PropertyNotation::Check => "check ",
        });
        if let Claim::Reachable(_) = property.claim {
            self.text("reachable ");
        }
        self.title(property.title);
        self.condition(property, indent);
        if let Claim::Reachable(Bounds { from, at, within }) = property.claim {
            for (word, bound) in [(" from ", from), (" at ", at), (" within ", within)] {
                if let Some(steps) = bound {
                    self.text(word);
                    self.text(self.program.text(steps));
                }
            }
        }
        if let Some(provided) = property.provided {
            self.text(" provided ");
            self.expr(provided, indent);
        }
        self.text(";");
    }

    /// The condition of a property, such that neither its first word is taken for a claim nor
    /// the word before it for a variable.
    fn condition(&mut self, property: &Property, indent: usize) {
        let reachable = property.claim != Claim::Invariant;
        let is_check = property.notation == PropertyNotation::Check;
        let starts_with_word = |text: &str| {
            let ends = |c: char| !(c.is_ascii_alphanumeric() || "_~!".contains(c));
            let word = text.find(ends).map_or("", |length| &text[..length]);
            ["reachable", "invariant"].contains(&word)
        };
        match property.title {
            Some(_) => self.expr(property.condition, indent),
            None => self.expr_unless(property.condition, indent, |text| {
                reachable && text.starts_with(['-', '[', '{'])
                    || is_check && text.starts_with('[')
                    || !reachable && starts_with_word(text)
            }),
        }
    }

    /// Prints an expression, in parentheses if its text would be misread where it stands.
    fn expr_unless(&mut self, id: ExprId, indent: usize, misread: impl Fn(&str) -> bool) {
        let (start, line_start) = (self.out.len(), self.line_start);
        self.expr(id, indent);
        if misread(&self.out[start..]) {
            self.out.truncate(start);
            self.line_start = line_start;
            self.text("(");
            self.expr(id, indent);
            self.text(")");
        }
    }

    // Automata.

    fn state(&mut self, state: &'p State, indent: usize, lines: &mut Vec<(Line<'p>, usize)>) {
        self.newline(indent);
        if state.initial {
            self.text("initial ");
        }
        self.text("state ");
        self.name(state.name);
        self.text(":");
        let inner = indent + STEP;
        self.transitions("unless", &state.unless, inner);
        self.locals(&state.locals, indent);
        if !state.items.is_empty() || !state.locals.is_empty() {
            lines.push((Line::Word("let"), indent));
            push_items(&state.items, inner, lines);
            lines.push((Line::Word("tel"), indent));
        }
        lines.push((Line::Until(state), inner));
    }

    fn transitions(&mut self, word: &str, transitions: &[Transition], indent: usize) {
        for transition in transitions {
            self.newline(indent);
            self.text(word);
            for (index, arm) in transition.arms.iter().enumerate() {
                self.arm(arm, index, indent);
            }
            if transition.arms.len() > 1 {
                self.text(" end");
            }
            self.text(";");
        }
    }

    fn arm(&mut self, arm: &Arm, index: usize, indent: usize) {
        if let Some(guard) = arm.guard {
            self.text(if index == 0 { " if " } else { " elsif " });
            self.expr(guard, indent + STEP);
        } else if index > 0 {
            self.text(" else");
        }
        self.text(match arm.entry {
            Entry::Restart => " restart ",
            Entry::Resume => " resume ",
        });
        self.name(arm.state);
    }
}

fn push_items(items: &[ItemId], indent: usize, lines: &mut Vec<(Line<'_>, usize)>) {
    lines.extend(items.iter().map(|id| (Line::Item(*id), indent)));
}
