//! Cobertura's XML, version 4 of its DTD.
//!
//! It knows lines and branches. The outcomes of decisions and the arms of a `switch` are its conditions of type
//! `jump`; each condition of MC/DC becomes one of type `mcdc`, half covered if only one of its values was shown to
//! decide. The file says so. What was proved to be unreachable is no part of it.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::elements::{FileElements, Taken, elements};
use crate::report::Report;
use crate::xml::escaped;

const REMARK: &str = "Cobertura has no MC/DC. Outcomes of decisions are conditions of type jump. A condition of type \
                      mcdc is a condition of a decision: 50% if only one of its values was shown to decide the outcome. \
                      Hits are tests. What was proved to be unreachable is left out.";

/// The document.
pub fn render(report: &Report) -> String {
    let files = elements(report);
    let lines: BTreeMap<&str, BTreeMap<u32, Line>> =
        files.iter().map(|(file, found)| (*file, lines_of(found))).collect();
    let whole = lines.values().map(Counts::of).fold(Counts::default(), Counts::plus);
    let mut text = String::new();
    line!(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
    line!(
        text,
        "<!DOCTYPE coverage SYSTEM \"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">"
    );
    line!(text, "<!-- {REMARK} -->");
    // The same store gives the same bytes, so there is no time of making.
    line!(
        text,
        "<coverage {} lines-covered=\"{}\" lines-valid=\"{}\" branches-covered=\"{}\" \
         branches-valid=\"{}\" complexity=\"0\" version=\"{}\" timestamp=\"0\">",
        whole.rates(),
        whole.lines_hit,
        whole.lines,
        whole.branches_hit,
        whole.branches,
        escaped(&report.result.tool)
    );
    line!(text, "  <sources>\n    <source>.</source>\n  </sources>\n  <packages>");
    let mut packages: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for file in lines.keys() {
        let directory = file.rsplit_once('/').map_or(".", |(directory, _)| directory);
        packages.entry(directory).or_default().push(file);
    }
    for (directory, members) in packages {
        let counts = members.iter().map(|file| Counts::of(&lines[file]));
        let counts = counts.fold(Counts::default(), Counts::plus);
        let name = escaped(&directory.replace('/', "."));
        line!(text, "    <package name=\"{name}\" {} complexity=\"0\">", counts.rates());
        line!(text, "      <classes>");
        for file in members {
            write_file(&mut text, file, &lines[file]);
        }
        line!(text, "      </classes>\n    </package>");
    }
    line!(text, "  </packages>\n</coverage>");
    text
}

fn write_file(text: &mut String, file: &str, lines: &BTreeMap<u32, Line>) {
    let name = escaped(file.rsplit('/').next().unwrap_or(file));
    let (filename, rates) = (escaped(file), Counts::of(lines).rates());
    line!(text, "        <class name=\"{name}\" filename=\"{filename}\" {rates} complexity=\"0\">");
    line!(text, "          <methods/>\n          <lines>");
    for (number, line) in lines {
        let start = format!("            <line number=\"{number}\" hits=\"{}\"", line.hits);
        if line.branches.is_empty() {
            line!(text, "{start} branch=\"false\"/>");
            continue;
        }
        let covered = share(line.hit(), line.asked());
        line!(text, "{start} branch=\"true\" condition-coverage=\"{covered}\">");
        line!(text, "              <conditions>");
        for (index, (kind, hit, asked)) in line.branches.iter().enumerate() {
            let percent = hit * 100 / asked;
            line!(
                text,
                "                <condition number=\"{index}\" type=\"{kind}\" coverage=\"{percent}%\"/>"
            );
        }
        line!(text, "              </conditions>\n            </line>");
    }
    line!(text, "          </lines>\n        </class>");
}

/// A line: its hits, and per branching its kind, how many ways were taken, and of how many.
#[derive(Default)]
struct Line {
    hits: usize,
    branches: Vec<(&'static str, usize, usize)>,
}

impl Line {
    fn add(&mut self, kind: &'static str, ways: &[Taken]) {
        let asked = ways.iter().filter(|taken| **taken != Taken::Unreachable).count();
        if asked > 0 {
            let hit = ways.iter().filter(|taken| taken.happened()).count();
            self.branches.push((kind, hit, asked));
        }
    }

    fn hit(&self) -> usize {
        self.branches.iter().map(|(_, hit, _)| hit).sum()
    }

    fn asked(&self) -> usize {
        self.branches.iter().map(|(_, _, asked)| asked).sum()
    }
}

fn lines_of(found: &FileElements) -> BTreeMap<u32, Line> {
    let plain =
        found.lines.iter().map(|(line, hits)| (*line, Line { hits: *hits, branches: Vec::new() }));
    let mut lines: BTreeMap<u32, Line> = plain.collect();
    for branching in &found.branches {
        lines.entry(branching.line).or_default().add("jump", &branching.ways);
    }
    for decision in &found.decisions {
        for halves in &decision.conditions {
            let ways = [halves.with_true, halves.with_false];
            lines.entry(decision.line).or_default().add("mcdc", &ways);
        }
    }
    lines
}

#[derive(Clone, Copy, Default)]
struct Counts {
    lines: usize,
    lines_hit: usize,
    branches: usize,
    branches_hit: usize,
}

impl Counts {
    fn of(lines: &BTreeMap<u32, Line>) -> Self {
        Self {
            lines: lines.len(),
            lines_hit: lines.values().filter(|line| line.hits > 0).count(),
            branches: lines.values().map(Line::asked).sum(),
            branches_hit: lines.values().map(Line::hit).sum(),
        }
    }

    fn plus(self, other: Self) -> Self {
        Self {
            lines: self.lines + other.lines,
            lines_hit: self.lines_hit + other.lines_hit,
            branches: self.branches + other.branches,
            branches_hit: self.branches_hit + other.branches_hit,
        }
    }

    fn rates(self) -> String {
        let (line, branch) =
            (rate(self.lines_hit, self.lines), rate(self.branches_hit, self.branches));
        format!("line-rate=\"{line}\" branch-rate=\"{branch}\"")
    }
}

/// A share as a decimal with four digits, rounded down; of nothing, all.
fn rate(part: usize, whole: usize) -> String {
    let share = (part * 10_000).checked_div(whole).unwrap_or(10_000);
    format!("{}.{:04}", share / 10_000, share % 10_000)
}

/// As Cobertura writes it: `50% (1/2)`.
fn share(part: usize, whole: usize) -> String {
    format!("{}% ({part}/{whole})", (part * 100).checked_div(whole).unwrap_or(100))
}
