//! Where effects got lost in C functions.
//!
//! [`Tracer`] follows effects through tests; [`losses`] does it for what a result leaves open. The exact semantics compares whole runs and
//! knows no place, so what the strict one says is added to it.

use std::collections::HashMap;

use obligato_c_unit::effects::trail::Location;
use obligato_c_unit::{Effect, Interface, Loss, Lost, Trail, Undone};
use obligato_criteria::Evidence;
use obligato_model::{Assessment, DecisionId, Observability, Suite};

use super::{Followed, MOST_FOLLOWED, WIDEST, held, listed, stops, to_follow, unconnected};
use crate::campaign::{Stop, unless_stopped};
use crate::error::Error;
use crate::text::abridged;
use crate::unit::{LoadedUnit, refuse_run};

/// Follows effects through tests.
pub struct Tracer<'a> {
    /// The unit.
    pub loaded: &'a LoadedUnit,
    /// What tests of the function under test set and see.
    pub interface: &'a Interface,
    /// The tests.
    pub suite: &'a Suite,
}

impl Tracer<'_> {
    /// Where effects got lost that are not observed under a semantics.
    pub fn trace(
        &self,
        semantics: Observability,
        effects: &[Effect],
    ) -> Result<Vec<Vec<String>>, Error> {
        let Self { loaded, interface, suite } = self;
        let options = loaded.options(false);
        let trails = loaded.unit.follow(interface, suite, effects, semantics, options);
        let trails = trails.map_err(refuse_run)?;
        let said = effects.iter().zip(trails).map(|(effect, trail)| {
            let test = &suite.tests[effect.test.index()].name;
            let folded = || vec![format!("{test}: the compiled code never evaluates it")];
            let lines = trail.map_or_else(folded, |trail| self.lines(test, &trail));
            match (semantics, lines.is_empty()) {
                (Observability::Strict | Observability::Tags, false) => lines,
                (_, true) => vec![format!("{test}: {}", unseen(semantics))],
                (Observability::Exact, false) => {
                    let too = "; its tag gets lost as well, under the strict semantics:";
                    let first = format!("{test}: {}{too}", unseen(semantics));
                    [vec![first], lines].concat()
                }
            }
        });
        Ok(said.collect())
    }

    /// Where one effect got lost.
    pub fn trace_one(
        &self,
        semantics: Observability,
        effect: Effect,
    ) -> Result<Vec<String>, Error> {
        let found = self.trace(semantics, &[effect])?;
        Ok(found.into_iter().flatten().collect())
    }

    /// What let an effect down in a test, and what became of it; nothing if it is seen.
    fn lines(&self, test: &str, trail: &Trail) -> Vec<String> {
        let all = trail.stops.iter().map(|(step, loss)| (*step, self.loss(loss)));
        let mut lines = stops(test, all);
        match &trail.lost {
            None | Some(Lost::Stopped) => {}
            Some(Lost::Held(names)) => {
                let names = names.iter().map(|name| match name {
                    Some(name) => format!("`{name}`"),
                    None => "allocated memory".to_owned(),
                });
                lines.push(held(test, names));
            }
            Some(Lost::Ended(ending)) => {
                let ending = self.loaded.describe(ending);
                lines.push(format!("{test}: the test ends before it is seen: {ending}"));
            }
            Some(Lost::Unused(names)) => {
                let names = listed(names.iter().map(|name| format!("`{name}`")));
                let line =
                    format!("{test}: nothing observed is computed from {names}, which held it");
                lines.push(line);
            }
            Some(Lost::Unconnected) => lines.push(unconnected(test)),
        }
        lines
    }

    fn loss(&self, loss: &Loss) -> String {
        match loss {
            Loss::Masked { by, value } => {
                let by = self.loaded.unit.program().condition(*by);
                let text = abridged(&by.text, WIDEST);
                format!("masked by `{text}` being {value} in {}", self.quote(by.decision))
            }
            Loss::Overwritten { variable, at } => {
                format!("{} is overwritten{}", name(variable.as_ref()), place(at.as_ref()))
            }
            Loss::Set { variable } => {
                format!("{} is set by the test", name(variable.as_ref()))
            }
            Loss::Same { variable: None, decision, at } => {
                format!("both arms are equal behind {}", self.branch(*decision, at.as_ref()))
            }
            Loss::Same { variable: Some(variable), decision, at } => {
                let branch = self.branch(*decision, at.as_ref());
                format!(
                    "all ways on from {branch} leave the same value in {}",
                    name(variable.as_ref())
                )
            }
            Loss::NotTaken { decision, value, at } => {
                let branch = self.branch(*decision, at.as_ref());
                format!("another value is chosen by {branch} being {value}")
            }
            Loss::NotDone { what, at } => {
                let what = match what {
                    Undone::Call(function) => {
                        format!(
                            "a call of `{}`",
                            self.loaded.unit.module().function(*function).name
                        )
                    }
                    Undone::CallThrough => "a call".to_owned(),
                    Undone::Assignment => "an assignment".to_owned(),
                };
                format!("what is not done leaves no tag: {what}{}", place(at.as_ref()))
            }
        }
    }

    /// A decision, or a branch that is made by none.
    fn branch(&self, decision: Option<DecisionId>, at: Option<&Location>) -> String {
        decision.map_or_else(|| format!("the branch{}", place(at)), |id| self.quote(id))
    }

    /// The text of a decision, with where it stands.
    fn quote(&self, id: DecisionId) -> String {
        let program = self.loaded.unit.program();
        let decision = program.decision(id);
        let file = program.file(program.function(decision.function).file);
        let text = abridged(&decision.text, WIDEST);
        format!("`{text}` at {file}:{}", decision.span.start)
    }
}

fn name(name: Option<&String>) -> String {
    name.map_or_else(|| "what held it".to_owned(), |name| format!("`{name}`"))
}

fn place(at: Option<&Location>) -> String {
    at.map_or_else(String::new, |(file, at)| format!(" at {file}:{at}"))
}

/// What it means that an effect is not observed.
fn unseen(semantics: Observability) -> &'static str {
    match semantics {
        Observability::Exact => "with the condition turned, everything observed stays the same",
        Observability::Strict | Observability::Tags => "its tag reaches nothing that is observed",
    }
}

/// By obligation, where its effect got lost in the first test that could have shown it: for those whose condition decides but is never
/// observed. Of those that are too many to be followed it is said that they are not observed.
pub fn losses(
    tracer: &Tracer<'_>,
    assessment: &Assessment,
    evidence: &Evidence,
    stop: &Stop,
) -> Result<HashMap<usize, Vec<String>>, Error> {
    let program = tracer.loaded.unit.program();
    let open: Vec<Followed> = to_follow(program, assessment, evidence).collect();
    let (followed, rest) = open.split_at(open.len().min(MOST_FOLLOWED));
    let mut found = HashMap::new();
    for one in rest {
        let test = &tracer.suite.tests[one.test.index()].name;
        found.insert(one.obligation, vec![format!("{test}: {}", unseen(one.semantics))]);
    }
    for semantics in [Observability::Strict, Observability::Tags, Observability::Exact] {
        let under: Vec<&Followed> =
            followed.iter().filter(|one| one.semantics == semantics).collect();
        let effect = |one: &&Followed| {
            let Followed { test, condition, value, .. } = **one;
            Effect { test, condition, value }
        };
        let effects: Vec<Effect> = under.iter().map(effect).collect();
        unless_stopped(stop)?;
        if !effects.is_empty() {
            let said = tracer.trace(semantics, &effects)?;
            found.extend(under.iter().map(|one| one.obligation).zip(said));
        }
    }
    Ok(found)
}
