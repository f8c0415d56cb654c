//! Lines, branches and conditions of a file, for formats that know nothing finer.
//!
//! They are put together from obligations alone, by their ids: `mcdc@f.c#f/decision-e4c7e2aa.1/c2=T`.

use std::collections::{BTreeMap, BTreeSet};

use obligato_model::criterion::ALL;
use obligato_model::{Criterion, ElementKind, Shortfall, Verdict};
use obligato_store::StoredObligation;

use crate::report::Report;
use crate::words::squeezed;

/// What is known of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileElements {
    /// Per line something is asked of, how many tests were seen to do something there.
    pub lines: BTreeMap<u32, usize>,
    /// Functions that have an entry: line, name, how many tests enter.
    pub functions: Vec<(u32, String, usize)>,
    /// Decisions and `switch`es with what they can do.
    pub branches: Vec<Branching>,
    /// Decisions with both halves of each condition.
    pub decisions: Vec<Conditions>,
}

/// A decision with its two outcomes, or a `switch` with its arms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branching {
    /// Where it stands.
    pub line: u32,
    /// Its outcomes, or its arms.
    pub ways: Vec<Taken>,
}

/// A decision and whether each of its conditions was shown to decide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conditions {
    /// Where it stands: the line of its first condition.
    pub line: u32,
    /// From left to right.
    pub conditions: Vec<Halves>,
}

/// A condition being true, and being false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Halves {
    /// Its text.
    pub text: String,
    /// Shown being true.
    pub with_true: Taken,
    /// Shown being false.
    pub with_false: Taken,
}

/// How often something that was asked for happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// In so many tests.
    Tests(usize),
    /// In none, and no test came near.
    NotReached,
    /// It was proved that no test can.
    Unreachable,
}

impl Taken {
    fn of(verdict: &Verdict) -> Self {
        match verdict {
            Verdict::Covered { tests, .. } => Self::Tests(tests.len()),
            Verdict::Uncoverable(_) => Self::Unreachable,
            Verdict::Unresolved(obligato_model::Limit::Suite(Shortfall::NeverReached)) => {
                Self::NotReached
            }
            Verdict::Justified(_) | Verdict::Unresolved(_) => Self::Tests(0),
        }
    }

    /// Did it happen?
    pub fn happened(self) -> bool {
        matches!(self, Self::Tests(1..))
    }
}

/// The criterion whose conditions are exported as MC/DC: formats have room for one.
pub fn exported_mcdc(report: &Report) -> Option<Criterion> {
    let mut wanted = ALL.into_iter().filter(|criterion| criterion.asks_for_effects());
    wanted.find(|criterion| report.result.criteria.contains(criterion))
}

/// The criterion whose outcomes are exported as branches.
fn exported_branches(report: &Report) -> Option<Criterion> {
    let asks = |criterion: &Criterion| {
        criterion.asks().contains(&ElementKind::Decision) && !criterion.needs_vectors()
    };
    let mut wanted = ALL.into_iter().filter(asks);
    wanted.find(|criterion| report.result.criteria.contains(criterion))
}

/// The elements of every file, in order.
pub fn elements(report: &Report) -> BTreeMap<&str, FileElements> {
    let (branches, mcdc) = (exported_branches(report), exported_mcdc(report));
    let mut files: BTreeMap<&str, Building> = BTreeMap::new();
    for one in &report.result.obligations {
        let file = files.entry(&one.file).or_default();
        file.add_line(one);
        if Some(one.criterion) == branches {
            file.add_branch(one);
        }
        if Some(one.criterion) == mcdc {
            file.add_half(one);
        }
    }
    files.into_iter().map(|(name, file)| (name, file.finish())).collect()
}

/// The element that an id is about, and what is asked of it: `f.c#f/decision-e4c7e2aa.1` and `/c2=T`.
pub fn split_id(id: &str) -> Option<(&str, &str)> {
    let (_, place) = id.split_once('@')?;
    let start = place.rfind("/decision-").or_else(|| place.rfind("/switch-"))?;
    let name = start + 1;
    let end = place[name..].find(['/', '=']).map_or(place.len(), |at| name + at);
    Some(place.split_at(end))
}

/// The condition and the value that the end of an id asks for: `/c2=T` is condition 1, counted from 0, being true.
fn half(asked: &str) -> Option<(usize, bool)> {
    let (ordinal, value) = asked.strip_prefix("/c")?.split_once('=')?;
    let ordinal: usize = ordinal.parse().ok()?;
    let value = match value {
        "T" => true,
        "F" => false,
        _ => return None,
    };
    Some((ordinal.checked_sub(1)?, value))
}

/// The first text in back quotes: in the words of an obligation, its condition.
fn first_quoted(text: &str) -> &str {
    let mut parts = text.split('`');
    parts.nth(1).unwrap_or(text)
}

/// The elements of a file while obligations come in.
#[derive(Default)]
struct Building<'a> {
    lines: BTreeMap<u32, BTreeSet<usize>>,
    functions: BTreeMap<&'a str, (u32, usize)>,
    branches: BTreeMap<(u32, &'a str), Vec<(&'a str, Taken)>>,
    decisions: BTreeMap<&'a str, (u32, Vec<Option<Halves>>)>,
}

impl<'a> Building<'a> {
    fn add_line(&mut self, one: &'a StoredObligation) {
        let tests = self.lines.entry(one.span.start.line).or_default();
        let entry = one.id.ends_with("/entry");
        if let Verdict::Covered { tests: by, .. } = &one.verdict {
            tests.extend(by.iter().map(|test| test.index()));
        }
        if entry {
            let entered = match &one.verdict {
                Verdict::Covered { tests, .. } => tests.len(),
                _ => 0,
            };
            self.functions.insert(&one.function, (one.span.start.line, entered));
        }
    }

    fn add_branch(&mut self, one: &'a StoredObligation) {
        let Some((element, way)) = split_id(&one.id) else { return };
        if half(way).is_some() {
            return;
        }
        // The arms of one `switch` stand on lines of their own; the block is where the first one is.
        let line = one.span.start.line;
        let found = self.branches.keys().find(|(_, known)| *known == element).copied();
        let ways = self.branches.entry(found.unwrap_or((line, element))).or_default();
        ways.push((way, Taken::of(&one.verdict)));
    }

    fn add_half(&mut self, one: &'a StoredObligation) {
        let Some((element, asked)) = split_id(&one.id) else { return };
        let Some((ordinal, value)) = half(asked) else { return };
        let line = one.span.start.line;
        let (first, conditions) =
            self.decisions.entry(element).or_insert_with(|| (line, Vec::new()));
        *first = line.min(*first);
        if conditions.len() <= ordinal {
            conditions.resize(ordinal + 1, None);
        }
        let halves = conditions[ordinal].get_or_insert_with(|| Halves {
            text: squeezed(first_quoted(&one.text)),
            with_true: Taken::NotReached,
            with_false: Taken::NotReached,
        });
        *if value { &mut halves.with_true } else { &mut halves.with_false } =
            Taken::of(&one.verdict);
    }

    fn finish(self) -> FileElements {
        let mut decisions: Vec<Conditions> = self
            .decisions
            .into_values()
            .map(|(line, conditions)| Conditions {
                line,
                conditions: conditions.into_iter().flatten().collect(),
            })
            .collect();
        decisions.sort_by_key(|decision| decision.line);
        let functions = self.functions.into_iter();
        let mut functions: Vec<_> =
            functions.map(|(name, (line, tests))| (line, name.to_owned(), tests)).collect();
        functions.sort();
        let branches = self.branches.into_iter().map(|((line, _), ways)| Branching {
            line,
            ways: ways.into_iter().map(|(_, taken)| taken).collect(),
        });
        FileElements {
            lines: self.lines.into_iter().map(|(line, tests)| (line, tests.len())).collect(),
            functions,
            branches: branches.collect(),
            decisions,
        }
    }
}
