//! Checks of automata.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Rewriter, automaton_name};
use obligato_lustre_syntax::ast::{Automaton, ItemId, Name, Symbol};
use obligato_lustre_syntax::diagnostic::Diagnostic;

impl Rewriter<'_> {
    /// Reports what is wrong with an automaton; is it fit to be rewritten?
    pub(super) fn check(&mut self, body: usize, id: ItemId, automaton: &Automaton) -> bool {
        let before = self.report.error_count();
        self.check_name(body, id, automaton);
        self.check_states(automaton);
        self.check_targets(automaton);
        self.check_outputs(id, automaton);
        self.report.error_count() == before
    }

    /// Instances are told apart by the names of automata.
    fn check_name(&mut self, body: usize, id: ItemId, automaton: &Automaton) {
        let Some(name) = automaton.name else { return };
        let all = &self.bodies.all[body].automata;
        let earlier = all.iter().take_while(|other| **other != id).find(|other| {
            automaton_name(self.program, all, **other) == self.program.text(name.symbol)
        });
        if let Some(earlier) = earlier {
            let previous = crate::analysis::bodies::keyword(self.program.item(*earlier)).span;
            let text = format!("two automata are called '{}'", self.program.text(name.symbol));
            let diagnostic = Diagnostic::error(name.span, text);
            self.report.add(diagnostic.with_related(previous, "the other one is here"));
        }
    }

    fn check_states(&mut self, automaton: &Automaton) {
        let mut seen: FxHashMap<Symbol, Name> = FxHashMap::default();
        for state in &automaton.states {
            if let Some(previous) = seen.insert(state.name.symbol, state.name) {
                let text = self.program.text(state.name.symbol);
                let text = format!("the state '{text}' is declared twice");
                let diagnostic = Diagnostic::error(state.name.span, text);
                self.report.add(diagnostic.with_related(previous.span, "first declared here"));
            }
        }
        let mut initial = automaton.states.iter().filter(|state| state.initial);
        if let Some(first) = initial.next() {
            for other in initial {
                let text = self.program.text(other.name.symbol);
                let text = format!("'{text}' is a second initial state");
                let diagnostic = Diagnostic::error(other.name.span, text);
                self.report.add(diagnostic.with_related(first.name.span, "the first one is here"));
            }
        }
    }

    fn check_targets(&mut self, automaton: &Automaton) {
        let states: FxHashSet<Symbol> =
            automaton.states.iter().map(|state| state.name.symbol).collect();
        for state in &automaton.states {
            let transitions = state.unless.iter().chain(&state.until);
            for arm in transitions.flat_map(|transition| &transition.arms) {
                if states.contains(&arm.state.symbol) {
                    continue;
                }
                let text = self.program.text(arm.state.symbol);
                let text = format!("this automaton has no state '{text}'");
                let names: Vec<_> =
                    automaton.states.iter().map(|s| self.program.text(s.name.symbol)).collect();
                let help = format!("its states are {}", names.join(", "));
                self.report.add(Diagnostic::error(arm.state.span, text).with_help(help));
            }
        }
    }

    /// Every state defines the same variables.
    fn check_outputs(&mut self, id: ItemId, automaton: &Automaton) {
        let outputs = self.outputs(id, automaton);
        let states = self.bodies.states.get(&id).cloned().unwrap_or_default();
        for (state, body) in automaton.states.iter().zip(states) {
            let defined: FxHashSet<Symbol> =
                self.bodies.all[body].defined.iter().map(|name| name.symbol).collect();
            for output in outputs.iter().filter(|output| !defined.contains(&output.symbol)) {
                let (name, text) =
                    (self.program.text(state.name.symbol), self.program.text(output.symbol));
                let help = format!("write '{text} = last {text};' to keep its value");
                let message = format!("the state '{name}' does not define '{text}'");
                let diagnostic = Diagnostic::error(state.name.span, message).with_help(help);
                self.report.add(diagnostic.with_related(output.span, format!("'{text}' is here")));
            }
            let returned: FxHashSet<Symbol> = outputs.iter().map(|name| name.symbol).collect();
            for name in self.bodies.all[body].defined.clone() {
                if !returned.contains(&name.symbol) {
                    let text = self.program.text(name.symbol);
                    let text = format!("'{text}' is not among what the automaton returns");
                    let help = "add it to 'returns', or declare it as a variable of the state";
                    self.report.add(Diagnostic::error(name.span, text).with_help(help));
                }
            }
        }
    }

    /// What an automaton defines: what it returns, else all that its states define.
    pub(super) fn outputs(&self, id: ItemId, automaton: &Automaton) -> Vec<Name> {
        let states = self.bodies.states.get(&id).into_iter().flatten();
        let mut all: Vec<Name> =
            states.flat_map(|state| self.bodies.all[*state].defined.iter().copied()).collect();
        // A message about a variable shows where it is defined, if it is.
        if let Some(returns) = &automaton.returns {
            let returned: FxHashSet<Symbol> = returns.iter().map(|name| name.symbol).collect();
            all.retain(|name| returned.contains(&name.symbol));
            all.extend(returns);
        }
        let mut seen = FxHashSet::default();
        all.retain(|name| seen.insert(name.symbol));
        all
    }
}
