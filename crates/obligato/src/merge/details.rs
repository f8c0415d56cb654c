//! What stands behind the verdicts of all parts as one: every part knows the same program, and its own tests.
//!
//! Nothing is found out anew. Tables have the rows of all parts with the tests of each; what is known of an obligation comes from the part
//! that its verdict comes from. Where parts do not fit together, there is a reason in the place of details.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use obligato_campaign::Phase;
use obligato_store::Details;
use obligato_store::details::{
    DecisionDetails, ErrorDetails, Listed, ObligationDetails, RowDetails, SourceFile, TestDetails,
    digest,
};
use obligato_store::generation::StoredPhase;

use super::Part;
use super::suites::MergedSuite;
use super::verdicts::MergedVerdicts;
use crate::TOOL;
use crate::details::{MOST_ROWS, MOST_TESTS};
use crate::text::printable;

/// The details of a merged result; or why there are none.
pub fn merge(
    parts: &[Part],
    suite: &MergedSuite,
    verdicts: &MergedVerdicts,
) -> Result<Details, String> {
    let known: Vec<&Details> = parts.iter().map(details_of).collect::<Result<_, _>>()?;
    let merging = Merging { parts, known: &known, suite };
    let Some(first) = known.first() else { return Err("there is nothing to merge".to_owned()) };
    merging.check_same(|one| one.kind, "another kind of program")?;
    let same_command = known.iter().all(|one| one.command == first.command);
    Ok(Details {
        tool: TOOL.to_owned(),
        result: digest(&verdicts.result),
        subject: first.subject.clone(),
        kind: first.kind,
        command: if same_command { first.command.clone() } else { "merge".to_owned() },
        sources: merging.sources()?,
        tests: merging.tests(),
        phases: merging.phases(),
        errors: merging.errors(),
        decisions: merging.decisions()?,
        obligations: merging.obligations(&verdicts.origins)?,
    })
}

fn details_of(part: &Part) -> Result<&Details, String> {
    match &part.details {
        None => Err(format!("{} has no details.json", part.name())),
        Some(details) if !details.belongs_to(&part.result) => {
            Err(format!("the details.json in {} belongs to another result", part.name()))
        }
        Some(details) => Ok(details),
    }
}

struct Merging<'a> {
    parts: &'a [Part],
    known: &'a [&'a Details],
    suite: &'a MergedSuite,
}

impl Merging<'_> {
    fn differs(&self, part: usize, what: &str) -> String {
        format!("{} has {what} than {}", self.parts[part].name(), self.parts[0].name())
    }

    /// Complains unless all parts have the same of this.
    fn check_same<T: PartialEq>(
        &self,
        of: impl Fn(&Details) -> T,
        what: &str,
    ) -> Result<(), String> {
        let other = self.known.iter().position(|one| of(one) != of(self.known[0]));
        other.map_or(Ok(()), |part| Err(self.differs(part, what)))
    }

    /// The files that one part could read. Places are those of one text.
    fn sources(&self) -> Result<Vec<SourceFile>, String> {
        let mut sources: Vec<SourceFile> = Vec::new();
        for (part, one) in self.known.iter().enumerate() {
            for source in &one.sources {
                match sources.iter().find(|known| known.file == source.file) {
                    None => sources.push(source.clone()),
                    Some(known) if known.lines == source.lines => {}
                    Some(_) => {
                        let file = printable(&source.file);
                        return Err(self.differs(part, &format!("another text of {file}")));
                    }
                }
            }
        }
        Ok(sources)
    }

    /// Each test as the first part that has it knows it.
    fn tests(&self) -> Vec<TestDetails> {
        let mut tests: Vec<Option<TestDetails>> = vec![None; self.suite.names.len()];
        for (one, places) in self.known.iter().zip(&self.suite.places) {
            for (test, place) in one.tests.iter().zip(places) {
                tests[*place].get_or_insert_with(|| test.clone());
            }
        }
        tests.into_iter().map(Option::unwrap_or_default).collect()
    }

    /// What the phases of all parts did. All were given the same tests.
    fn phases(&self) -> Vec<StoredPhase> {
        let mut phases: Vec<StoredPhase> = Vec::new();
        for more in self.known.iter().flat_map(|one| &one.phases) {
            match phases.iter_mut().find(|known| known.phase == more.phase) {
                None => phases.push(more.clone()),
                Some(known) if known.phase == Phase::Given.name() => {}
                Some(known) => {
                    known.tests += more.tests;
                    known.covered += more.covered;
                    known.uncoverable += more.uncoverable;
                    known.work += more.work;
                }
            }
        }
        phases
    }

    /// The runtime errors that the search of some part found, each once.
    fn errors(&self) -> Vec<ErrorDetails> {
        let mut errors: Vec<ErrorDetails> = Vec::new();
        for error in self.known.iter().flat_map(|one| &one.errors) {
            if !errors.contains(error) {
                errors.push(error.clone());
            }
        }
        errors
    }

    fn decisions(&self) -> Result<Vec<DecisionDetails>, String> {
        self.check_same(|one| one.decisions.len(), "another number of decisions")?;
        (0..self.known[0].decisions.len()).map(|at| self.decision(at)).collect()
    }

    fn decision(&self, at: usize) -> Result<DecisionDetails, String> {
        let bare = |one: &Details| DecisionDetails {
            listed: Listed::None,
            rows: Vec::new(),
            ..one.decisions[at].clone()
        };
        self.check_same(bare, "other decisions")?;
        let (listed, rows) = self.table(at)?;
        Ok(DecisionDetails { listed, rows, ..bare(self.known[0]) })
    }

    /// The rows of all parts. A row that is among the first of all is among the first of every part that has it, so nothing is
    /// missing of those that are kept.
    fn table(&self, at: usize) -> Result<(Listed, Vec<RowDetails>), String> {
        let tables: Vec<&DecisionDetails> =
            self.known.iter().map(|one| &one.decisions[at]).collect();
        let is_any = |listed: Listed| tables.iter().any(|table| table.listed == listed);
        if is_any(Listed::None) {
            return Ok((Listed::None, Vec::new()));
        }
        let mut rows: BTreeMap<Reverse<&str>, Vec<(usize, &RowDetails)>> = BTreeMap::new();
        for (part, table) in tables.iter().enumerate() {
            for row in &table.rows {
                rows.entry(Reverse(&row.values)).or_default().push((part, row));
            }
        }
        let listed = match rows.len() > MOST_ROWS || is_any(Listed::Some) {
            true => Listed::Some,
            false if is_any(Listed::Executed) => Listed::Executed,
            false => Listed::All,
        };
        let kept = rows.into_values().take(MOST_ROWS).map(|row| self.row(&row));
        Ok((listed, kept.collect::<Result<_, _>>()?))
    }

    /// A row of several parts with the tests of each.
    fn row(&self, of_parts: &[(usize, &RowDetails)]) -> Result<RowDetails, String> {
        let (_, first) = of_parts[0];
        let mut tests = Vec::new();
        for (part, row) in of_parts {
            if row.outcome != first.outcome || row.deciding != first.deciding {
                return Err(self.differs(*part, "other outcomes of a decision"));
            }
            tests.extend(row.tests.iter().map(|test| self.suite.places[*part][*test]));
        }
        tests.sort_unstable();
        tests.dedup();
        let all = self.count(of_parts).max(tests.len());
        tests.truncate(MOST_TESTS);
        Ok(RowDetails { more: all - tests.len(), tests, ..first.clone() })
    }

    /// No fewer tests have a row. Of many tests a part knows only how many they are; those that it shares with parts before it may have been counted.
    fn count(&self, of_parts: &[(usize, &RowDetails)]) -> usize {
        let counts = of_parts.iter().map(|(part, row)| (*part, row.tests.len() + row.more));
        let fresh = counts.clone().map(|(part, all)| all.saturating_sub(self.suite.shared(part)));
        let largest = counts.map(|(_, all)| all).max().unwrap_or(0);
        fresh.sum::<usize>().max(largest)
    }

    fn obligations(&self, origins: &[usize]) -> Result<Vec<ObligationDetails>, String> {
        let bare = |one: &ObligationDetails| ObligationDetails {
            since: None,
            lost: Vec::new(),
            ..one.clone()
        };
        let all = |one: &Details| one.obligations.iter().map(bare).collect::<Vec<_>>();
        self.check_same(all, "other obligations")?;
        let merged = origins.iter().enumerate().map(|(at, origin)| {
            let from = &self.known[*origin].obligations[at];
            let lost = from.lost.iter().map(|line| self.renamed(*origin, line));
            ObligationDetails { since: self.since(at), lost: lost.collect(), ..bare(from) }
        });
        Ok(merged.collect())
    }

    /// The first test with which the tests of one part, up to some place, are all there and cover it.
    fn since(&self, obligation: usize) -> Option<usize> {
        let of_part = |(one, places): (&&Details, &Vec<usize>)| {
            let last = one.obligations[obligation].since?;
            places.get(..=last)?.iter().max().copied()
        };
        self.known.iter().zip(&self.suite.places).filter_map(of_part).min()
    }

    /// A line that begins with the name of a test, with the name that the test has among all.
    fn renamed(&self, part: usize, line: &str) -> String {
        let tests = self.parts[part].result.tests.iter().zip(&self.suite.places[part]);
        let found = tests.filter_map(|(name, place)| {
            let rest = line.strip_prefix(name.as_str())?;
            let is_name = rest.starts_with(", step ") || rest.starts_with(": ");
            is_name.then_some((rest, *place))
        });
        // Of names that begin alike, the longest is meant.
        match found.min_by_key(|(rest, _)| rest.len()) {
            None => line.to_owned(),
            Some((rest, place)) => format!("{}{rest}", self.suite.names[place]),
        }
    }
}

#[cfg(test)]
mod tests;
