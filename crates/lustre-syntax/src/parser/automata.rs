//! Automata: states, their transitions, and what they define.
//!
//! The grammar is that of Kind 2 before version 2, which is what CoCoSim writes for Stateflow
//! charts.

use super::items::{Block, Open, add_to};
use super::{Parser, Step};
use crate::ast::{Arm, Automaton, Entry, Item, ItemKind, Local, Name, State, Transition, Trivia};
use crate::diagnostic::Diagnostic;
use crate::source::ByteSpan;
use crate::token::TokenKind;

/// An automaton being read.
pub(super) struct OpenAutomaton {
    name: Option<Name>,
    states: Vec<State>,
    start: u32,
    trivia: Trivia,
}

/// The start of a state whose body is being read.
pub(super) struct OpenState {
    name: Name,
    initial: bool,
    unless: Vec<Transition>,
    locals: Vec<Local>,
    start: u32,
}

impl Parser<'_> {
    /// `automaton`, up to the body of its first state or to its end.
    pub(super) fn automaton(
        &mut self,
        stack: &mut Vec<Open>,
        start: u32,
        trivia: Trivia,
    ) -> Step<()> {
        self.take();
        let mut name = None;
        if !self.starts_state() {
            name = Some(self.name("the name of the automaton or a state")?);
        }
        let automaton = OpenAutomaton { name, states: Vec::new(), start, trivia };
        let result = self.states(stack, automaton);
        self.skip_states(result)
    }

    /// After an error between states: skips to the `tel` of what the automaton stands in.
    fn skip_states(&mut self, result: Step<()>) -> Step<()> {
        if result.is_err() {
            let mut open = 0;
            loop {
                match self.peek() {
                    TokenKind::Let => open += 1,
                    TokenKind::Tel if open == 0 => break,
                    TokenKind::Tel => open -= 1,
                    TokenKind::End => break,
                    kind if kind.starts_declaration() => break,
                    _ => {}
                }
                self.take();
            }
        }
        result
    }

    fn starts_state(&mut self) -> bool {
        let state = self.at_word("state") && self.peek_at(1) == TokenKind::Name;
        state || self.at_word("initial") && self.word_at(1, "state")
    }

    /// States, up to one with a body, which is pushed, or to the end of the automaton.
    fn states(&mut self, stack: &mut Vec<Open>, mut automaton: OpenAutomaton) -> Step<()> {
        while self.starts_state() {
            let start = self.peek_token().span.start;
            let initial = self.accept_word("initial");
            self.take();
            let name = self.name("the name of the state")?;
            self.accept(TokenKind::Colon);
            let unless = self.transitions("unless")?;
            let locals = self.locals()?;
            let state = OpenState { name, initial, unless, locals, start };
            if self.accept(TokenKind::Let) {
                let trivia = Trivia::default();
                let block = Block::State(Box::new((automaton, state)));
                stack.push(Open { block, items: Vec::new(), start, trivia });
                return Ok(());
            }
            if !state.locals.is_empty() {
                return Err(self.expected(&["'var'", "'let'"]));
            }
            let state = self.finish_state(state, Vec::new())?;
            automaton.states.push(state);
        }
        self.close_automaton(stack, automaton)
    }

    /// `tel` of a state.
    pub(super) fn close_state(&mut self, stack: &mut Vec<Open>) -> Step<()> {
        self.take();
        let open = stack.pop().expect("invariant: a state is open");
        let Block::State(parts) = open.block else {
            unreachable!("invariant: a state is on top");
        };
        let (mut automaton, state) = *parts;
        let result = self.finish_state(state, open.items).and_then(|state| {
            automaton.states.push(state);
            self.states(stack, automaton)
        });
        self.skip_states(result)
    }

    fn finish_state(&mut self, state: OpenState, items: Vec<crate::ast::ItemId>) -> Step<State> {
        let until = self.transitions("until")?;
        let OpenState { name, initial, unless, locals, start } = state;
        let span = self.span_from(start);
        Ok(State { name, initial, unless, locals, items, until, span })
    }

    fn close_automaton(&mut self, stack: &mut [Open], automaton: OpenAutomaton) -> Step<()> {
        let OpenAutomaton { name, states, start, trivia } = automaton;
        let mut returns = None;
        if self.accept(TokenKind::Returns) {
            if !self.accept(TokenKind::DotDot) {
                returns = Some(self.names("the name of a variable")?);
            }
            self.expect(TokenKind::Semicolon, "';' after 'returns'")?;
        }
        let span = self.span_from(start);
        if states.is_empty() {
            let text = "this automaton has no state";
            let help = "a state is written 'state name let … tel'";
            let place = ByteSpan::new(start, start + 9);
            return Err(self.report(Diagnostic::error(place, text).with_help(help)));
        }
        let kind = ItemKind::Automaton(Automaton { name, states, returns });
        let trivia = self.close_compound(trivia);
        let id = self.program.add_item(Item { kind, span, trivia });
        add_to(stack, id);
        Ok(())
    }

    fn transitions(&mut self, word: &str) -> Step<Vec<Transition>> {
        let mut transitions = Vec::new();
        while self.at_word(word) {
            let start = self.take().span.start;
            let arms = self.arms()?;
            let span = self.span_from(start);
            self.accept(TokenKind::Semicolon);
            transitions.push(Transition { arms, span });
        }
        Ok(transitions)
    }

    /// `restart S`, `c restart S`, `if c restart S`, or `if … elsif … else … end`.
    fn arms(&mut self) -> Step<Vec<Arm>> {
        let place = self.peek_token().span;
        if self.starts_entry() {
            return Ok(vec![self.arm(false)?]);
        }
        let is_if = self.accept(TokenKind::If);
        let mut arms = vec![self.arm(true)?];
        if !is_if {
            return Ok(arms);
        }
        while self.accept_word("elsif") {
            arms.push(self.arm(true)?);
        }
        if self.accept(TokenKind::Else) {
            arms.push(self.arm(false)?);
        }
        let closed = self.accept_word("end");
        if arms.len() > 1 && !closed {
            return self.expected_by(&["'elsif'", "'else'", "'end'"], place, "of this 'if'");
        }
        Ok(arms)
    }

    fn starts_entry(&mut self) -> bool {
        // `(restart n every c)(…)` is in parentheses, so the word alone is a transition.
        self.peek() == TokenKind::Restart
            || self.at_word("resume") && self.peek_at(1) == TokenKind::Name
    }

    fn arm(&mut self, guarded: bool) -> Step<Arm> {
        let guard = if guarded { Some(self.expression()?) } else { None };
        if self.peek() == TokenKind::If {
            let span = self.peek_token().span;
            return Err(self.unsupported(span, "an 'if' inside the 'if' of a transition"));
        }
        let entry = if self.accept(TokenKind::Restart) {
            Entry::Restart
        } else if self.accept_word("resume") {
            Entry::Resume
        } else {
            return Err(self.expected(&["'restart'", "'resume'"]));
        };
        let state = self.name("the name of a state")?;
        Ok(Arm { guard, state, entry })
    }
}
