//! Names, places and words for obligations.

use std::collections::HashMap;
use std::hash::Hash;

use obligato_model::{Criterion, DecisionId, Element, Fingerprint, FunctionId, Goal, Key, Program};
use rustc_hash::FxBuildHasher;

/// Texts longer than this are cut where they are only quoted.
const LONGEST_QUOTE: usize = 60;

/// Names the obligations of one program. See [`Key`] for what makes a name.
pub struct Namer<'p> {
    program: &'p Program,
    exits: Vec<Anchor>,
    statements: Vec<Anchor>,
    switches: Vec<Anchor>,
    decisions: Vec<Anchor>,
    mutants: Vec<Anchor>,
    /// Per condition, another one of its decision with the same text.
    twins: Vec<Option<usize>>,
}

/// A text's fingerprint, and its ordinal among its like in the same function.
struct Anchor(Fingerprint, usize);

impl<'p> Namer<'p> {
    /// The names of `program`.
    pub fn new(program: &'p Program) -> Self {
        let of = |texts: Vec<(FunctionId, String)>| {
            let keyed: Vec<(FunctionId, Fingerprint)> =
                texts.iter().map(|(function, text)| (*function, Fingerprint::of(text))).collect();
            let ordinals = ordinals(keyed.iter().copied());
            keyed.into_iter().zip(ordinals).map(|((_, print), n)| Anchor(print, n)).collect()
        };
        Self {
            program,
            twins: twins(program),
            exits: of(program.exits().iter().map(|e| (e.function, e.text.clone())).collect()),
            statements: of(program
                .statements()
                .iter()
                .map(|s| (s.function, s.text.clone()))
                .collect()),
            switches: of(program.switches().iter().map(|s| (s.function, s.text.clone())).collect()),
            decisions: of(program
                .decisions()
                .iter()
                .map(|d| (d.function, d.text.clone()))
                .collect()),
            mutants: of(program
                .mutants()
                .iter()
                .map(|m| (m.function, format!("{}:{}:{}", m.operator, m.original, m.replacement)))
                .collect()),
        }
    }

    /// The stable name of a goal.
    pub fn key(&self, criterion: Criterion, goal: &Goal) -> Key {
        let function = self.program.function(goal.element().function(self.program));
        let file = self.program.file(function.file);
        let (element, asked) = (self.element(goal.element()), goal.key_suffix());
        Key::new(format!("{criterion}@{file}#{}/{element}{asked}", function.name))
    }

    fn element(&self, element: Element) -> String {
        let named = |kind: &str, Anchor(print, n): &Anchor| format!("{kind}-{print}.{n}");
        match element {
            Element::Function(_) => "entry".to_owned(),
            Element::Exit(id) => named("exit", &self.exits[id.index()]),
            Element::Statement(id) => named("statement", &self.statements[id.index()]),
            Element::Arm(id) => {
                let arm = &self.program.arms()[id.index()];
                let label = Fingerprint::of(&arm.label);
                format!("{}/arm-{label}", named("switch", &self.switches[arm.switch]))
            }
            Element::Decision(id) => named("decision", &self.decisions[id.index()]),
            Element::Condition(id) => {
                let condition = self.program.condition(id);
                let decision = self.element(Element::Decision(condition.decision));
                format!("{decision}/c{}", condition.ordinal + 1)
            }
            Element::Mutant(id) => named("mutant", &self.mutants[id.index()]),
        }
    }

    /// What a goal asks, in words.
    pub fn text(&self, goal: &Goal) -> String {
        let element = goal.element();
        goal.words(&self.quote(element), &self.quote_around(element), abridged)
    }

    /// What an element says in the source.
    fn quote(&self, element: Element) -> String {
        let program = self.program;
        match element {
            Element::Function(id) => quoted(&program.function(id).name),
            Element::Exit(id) => quoted(&program.exits()[id.index()].text),
            Element::Statement(id) => quoted(&program.statements()[id.index()].text),
            Element::Arm(id) => quoted(&program.arms()[id.index()].label),
            Element::Decision(id) => quoted(&program.decision(id).text),
            Element::Condition(id) => {
                let condition = program.condition(id);
                // Coupled conditions cannot vary alone; whoever misses a pair should know.
                let coupled =
                    self.twins[id.index()].map(|other| format!(" (coupled with {})", other + 1));
                let text = quoted(&condition.text);
                format!("condition {} {text}{}", condition.ordinal + 1, coupled.unwrap_or_default())
            }
            Element::Mutant(id) => {
                let mutant = &program.mutants()[id.index()];
                let [before, after] =
                    [&mutant.original, &mutant.replacement].map(|text| quoted(text));
                format!("{before} changed to {after}")
            }
        }
    }

    /// What the element around an element says: the function of an exit, the `switch` of an arm, the decision of a condition.
    fn quote_around(&self, element: Element) -> String {
        let program = self.program;
        match element {
            Element::Exit(id) => {
                quoted(&program.function(program.exits()[id.index()].function).name)
            }
            Element::Arm(id) => quoted(&program.switches()[program.arms()[id.index()].switch].text),
            Element::Condition(id) => {
                quoted(&program.decision(program.condition(id).decision).text)
            }
            Element::Function(_)
            | Element::Statement(_)
            | Element::Decision(_)
            | Element::Mutant(_) => String::new(),
        }
    }
}

/// Per condition, the ordinal of the nearest earlier one with the same text in
/// its decision, or of the first later one.
fn twins(program: &Program) -> Vec<Option<usize>> {
    let mut twins = vec![None; program.conditions().len()];
    let mut last: HashMap<(DecisionId, Fingerprint), usize, FxBuildHasher> = HashMap::default();
    for (index, condition) in program.conditions().iter().enumerate() {
        let key = (condition.decision, Fingerprint::of(&condition.text));
        if let Some(earlier) = last.insert(key, index) {
            twins[index] = Some(program.conditions()[earlier].ordinal);
            twins[earlier].get_or_insert(condition.ordinal);
        }
    }
    twins
}

/// The ordinal of each element among the equal ones before it, from 1.
fn ordinals<T: Hash + Eq>(elements: impl Iterator<Item = T>) -> Vec<usize> {
    let mut counts: HashMap<T, usize, FxBuildHasher> = HashMap::default();
    elements
        .map(|element| {
            let count = counts.entry(element).or_default();
            *count += 1;
            *count
        })
        .collect()
}

fn quoted(text: &str) -> String {
    format!("`{}`", abridged(text))
}

/// The text on one line, cut if it is long. Reads no more of it than it keeps: a
/// decision may have a thousand conditions, and be quoted for each.
fn abridged(text: &str) -> String {
    let mut line = String::new();
    let mut kept = 0;
    let mut gap = false;
    for character in text.trim_start().chars() {
        if character.is_whitespace() {
            gap = true;
            continue;
        }
        let spaces = usize::from(std::mem::take(&mut gap));
        kept += spaces + 1;
        if kept > LONGEST_QUOTE {
            line.push('…');
            break;
        }
        line.push_str(&" "[..spaces]);
        line.push(character);
    }
    line
}
