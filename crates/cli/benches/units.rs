//! Real C units, each by the command itself within a budget: how much is covered, proved and left, why, and the median.
//!
//! ```console
//! $ cargo bench -p obligato-cli --bench units                       # every unit of the list, 30 s each
//! $ cargo bench -p obligato-cli --bench units -- --budget 5s parse_ # those with this in their name, 5 s each
//! ```
//!
//! `--program` names another build of the command to be run in place of this one.
//!
//! The sources are fetched by `../shared/subjects/get`, into `../subjects` or into the directory that `OBLIGATO_SUBJECTS` names; the list is
//! `../shared/subjects/open.tsv` or what `OBLIGATO_LIST` names. Without them there is nothing to do here. Every unit is a process
//! of its own, so one that breaks down or does not end is a row of the table and no more.

#![allow(clippy::print_stdout, reason = "a benchmark prints its results")]
#![allow(clippy::cast_precision_loss, reason = "shares are for people")]

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use std::{env, io, thread};

use serde_json::Value;

/// A line of the list.
struct Subject {
    project: String,
    file: String,
    function: String,
    flags: Vec<String>,
}

/// What came of a unit.
#[derive(Default)]
struct Row {
    covered: usize,
    proved: usize,
    unresolved: usize,
    tests: usize,
    seconds: f64,
    /// Why something is left, with how often.
    reasons: BTreeMap<String, usize>,
    /// Why there is nothing to tell.
    failure: Option<String>,
}

impl Row {
    fn total(&self) -> usize {
        self.covered + self.proved + self.unresolved
    }

    /// The share that is covered or proved, in percent; of nothing at all if the unit failed.
    fn resolved(&self) -> f64 {
        match (self.total(), &self.failure) {
            (_, Some(_)) => 0.0,
            (0, None) => 100.0,
            (total, None) => 100.0 * (self.covered + self.proved) as f64 / total as f64,
        }
    }
}

fn main() -> io::Result<()> {
    let Some((root, subjects)) = find_subjects() else {
        println!("skipped: the subjects are not at ../subjects, and OBLIGATO_SUBJECTS names none");
        return Ok(());
    };
    let asked = Asked::read()?;
    let work = tempfile::tempdir()?;
    let heading = ["total", "covered", "proved", "left", "%", "tests", "s"];
    println!("{}", line("unit", &heading.map(str::to_owned)));
    let mut rows: Vec<Row> = Vec::new();
    for subject in subjects.iter().filter(|one| one.function.contains(&asked.only)) {
        let row = examine(&root, subject, &asked, work.path());
        print_row(subject, &row);
        rows.push(row);
    }
    print_summary(&rows);
    Ok(())
}

/// What is to be run.
struct Asked {
    /// The budget of each unit.
    budget: String,
    /// What the functions have in their names.
    only: String,
    program: String,
}

impl Asked {
    /// Cargo adds `--bench`, and runs this in the directory of the package.
    fn read() -> io::Result<Self> {
        let mut words = env::args().skip(1).filter(|word| word != "--bench");
        let program = env!("CARGO_BIN_EXE_obligato").to_owned();
        let mut asked = Self { budget: "30s".to_owned(), only: String::new(), program };
        while let Some(word) = words.next() {
            match word.as_str() {
                "--budget" => asked.budget = words.next().unwrap_or_default(),
                // Units are run in directories of their own.
                "--program" => {
                    let given = words.next().unwrap_or_default();
                    let found = fs::canonicalize(&given).map_err(|error| {
                        io::Error::new(error.kind(), format!("--program {given}: {error}"))
                    })?;
                    asked.program = found.display().to_string();
                }
                _ => asked.only = word,
            }
        }
        Ok(asked)
    }

    /// How long a unit may take, compiling, replaying and measuring beyond its budget included.
    fn most(&self) -> Duration {
        let budget = self.budget.trim_end_matches('s').parse().unwrap_or(600);
        Duration::from_secs(budget + 60)
    }
}

fn find_subjects() -> Option<(PathBuf, Vec<Subject>)> {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let named = |variable, usual: &str| {
        env::var_os(variable).map_or_else(|| above.join(usual), PathBuf::from)
    };
    let root = named("OBLIGATO_SUBJECTS", "subjects");
    let list = fs::read_to_string(named("OBLIGATO_LIST", "shared/subjects/open.tsv")).ok()?;
    let subjects = list.lines().skip(1).filter_map(|line| {
        let columns: Vec<&str> = line.split('\t').collect();
        let [project, file, function, flags, ..] = columns[..] else { return None };
        // The headers of a project are parts of one unit, which the fetched sources have a file for.
        let unit = format!("cfg/{project}_unit.c");
        let is_header = Path::new(file).extension().is_some_and(|end| end == "h");
        let file = if is_header && root.join(&unit).is_file() { &unit } else { file };
        Some(Subject {
            project: project.to_owned(),
            file: file.to_owned(),
            function: function.to_owned(),
            // Nobody unquotes them: the quotes in `-DX="/"` belong to the macro.
            flags: flags.split_whitespace().map(str::to_owned).collect(),
        })
    });
    let subjects = subjects.collect();
    root.is_dir().then_some((root, subjects))
}

fn examine(root: &Path, subject: &Subject, asked: &Asked, work: &Path) -> Row {
    let start = Instant::now();
    let ended = run(root, subject, asked, work);
    let mut row = Row { seconds: start.elapsed().as_secs_f64(), ..Row::default() };
    let complaint = fs::read_to_string(work.join("stderr")).unwrap_or_default();
    let first = complaint.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    match ended {
        Err(error) => row.failure = Some(error.to_string()),
        Ok(None) => row.failure = Some("did not end".to_owned()),
        Ok(Some(status)) => {
            let text = fs::read_to_string(work.join("stdout")).unwrap_or_default();
            match serde_json::from_str::<Value>(&text) {
                Ok(result) => take_result(&mut row, &result),
                Err(_) => row.failure = Some(format!("{status}: {first}")),
            }
            // The result stands, but something is wrong with the tool.
            if row.failure.is_none() && !status.success() {
                *row.reasons.entry(format!("({status})")).or_default() += 1;
            }
        }
    }
    row
}

fn run(
    root: &Path,
    subject: &Subject,
    asked: &Asked,
    work: &Path,
) -> io::Result<Option<ExitStatus>> {
    let mut child = Command::new(&asked.program)
        .args(["generate", &subject.file, "--function", &subject.function])
        .args([
            "--criterion",
            "mcdc",
            "--budget",
            &asked.budget,
            "--no-store",
            "--format",
            "json",
            "--",
        ])
        .args(&subject.flags)
        .current_dir(root)
        .stdin(Stdio::null())
        .stdout(File::create(work.join("stdout"))?)
        .stderr(File::create(work.join("stderr"))?)
        .spawn()?;
    let deadline = Instant::now() + asked.most();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= deadline {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(Duration::from_millis(5));
    }
}

fn take_result(row: &mut Row, result: &Value) {
    row.tests = result["tests"].as_array().map_or(0, Vec::len);
    for obligation in result["obligations"].as_array().into_iter().flatten() {
        match obligation["verdict"].as_str() {
            Some("covered") => row.covered += 1,
            Some("uncoverable") => row.proved += 1,
            _ => {
                row.unresolved += 1;
                let keys = ["limit", "why", "construct", "what", "bound", "shortfall"];
                let why: Vec<&str> =
                    keys.iter().filter_map(|key| obligation[key].as_str()).collect();
                *row.reasons.entry(why.join(": ")).or_default() += 1;
            }
        }
    }
}

const WIDTHS: [usize; 7] = [6, 8, 7, 5, 6, 6, 7];

fn line(name: &str, cells: &[String; 7]) -> String {
    let cells = cells.iter().zip(WIDTHS).map(|(cell, width)| format!("{cell:>width$}"));
    format!("{name:50}{}", cells.collect::<String>())
}

fn print_row(subject: &Subject, row: &Row) {
    let name = format!("{} {}", subject.project, subject.function);
    let counts = [row.total(), row.covered, row.proved, row.unresolved];
    let [total, covered, proved, left] = counts.map(|count| count.to_string());
    let (share, seconds) = (format!("{:.1}", row.resolved()), format!("{:.1}", row.seconds));
    println!(
        "{}",
        line(&name, &[total, covered, proved, left, share, row.tests.to_string(), seconds])
    );
    if let Some(failure) = &row.failure {
        println!("    no result: {failure}");
    }
    print_reasons(&row.reasons);
}

/// The most frequent ones first.
fn print_reasons(reasons: &BTreeMap<String, usize>) {
    let mut reasons: Vec<(&String, &usize)> = reasons.iter().collect();
    reasons.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    for (why, count) in reasons {
        println!("    {count:5}  {why}");
    }
}

fn print_summary(rows: &[Row]) {
    let mut all = Row::default();
    let mut shares: Vec<f64> = rows.iter().map(Row::resolved).collect();
    shares.sort_by(f64::total_cmp);
    let (mut failed, mut complete) = (0, 0);
    for row in rows {
        all.covered += row.covered;
        all.proved += row.proved;
        all.unresolved += row.unresolved;
        all.tests += row.tests;
        all.seconds += row.seconds;
        failed += usize::from(row.failure.is_some());
        complete += usize::from(row.failure.is_none() && row.unresolved == 0);
        for (why, count) in &row.reasons {
            *all.reasons.entry(why.clone()).or_default() += count;
        }
    }
    println!();
    let counts = [all.total(), all.covered, all.proved, all.unresolved];
    let [total, covered, proved, left] = counts.map(|count| count.to_string());
    let (share, seconds) = (format!("{:.1}", all.resolved()), format!("{:.1}", all.seconds));
    println!(
        "{}",
        line("all", &[total, covered, proved, left, share, all.tests.to_string(), seconds])
    );
    print_reasons(&all.reasons);
    let middle = shares.len() / 2;
    let median = match shares.len() {
        0 => 100.0,
        odd if odd % 2 == 1 => shares[middle],
        _ => f64::midpoint(shares[middle - 1], shares[middle]),
    };
    println!(
        "{} units, {complete} with nothing left, {failed} without a result; median {median:.1} % covered or proved (90 wanted)",
        rows.len()
    );
}
