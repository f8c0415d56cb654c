//! What the doctor says: a table for people, JSON for programs, and one command that installs what
//! is missing.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use anstyle::Style;
use serde::Serialize;

use super::machine::User;
use super::probe::{Examined, Finding};
use crate::output::{BAD, FAINT, GOOD, Verbosity};

/// The findings, ready to be printed. Its fields are the JSON document, described in the help of
/// `obligato doctor`.
#[derive(Debug, Serialize)]
pub struct Report {
    schema: u32,
    ready: bool,
    tools: Vec<Tool>,
    missing_packages: Vec<&'static str>,
    install: Option<String>,
}

#[derive(Debug, Serialize)]
struct Tool {
    name: &'static str,
    purpose: &'static str,
    wanted: String,
    status: Status,
    version: Option<String>,
    path: Option<String>,
    problem: Option<String>,
    packages: &'static [&'static str],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Status {
    Found,
    Missing,
    WrongVersion,
    Failed,
    TimedOut,
}

impl Report {
    /// Puts the findings into words; `user` decides whether installing takes `sudo`.
    pub fn new(examined: &[Examined], user: User) -> Self {
        let tools: Vec<Tool> = examined.iter().map(Tool::new).collect();
        // A program that fails or hangs is installed already; installing it again mends nothing.
        let missing_packages: BTreeSet<&str> = tools
            .iter()
            .filter(|tool| matches!(tool.status, Status::Missing | Status::WrongVersion))
            .flat_map(|tool| tool.packages.iter().copied())
            .collect();
        let missing_packages: Vec<&str> = missing_packages.into_iter().collect();
        Self {
            schema: 1,
            ready: tools.iter().all(|tool| tool.status == Status::Found),
            install: install_command(&missing_packages, user),
            tools,
            missing_packages,
        }
    }

    /// Whether everything needed is there.
    pub const fn ready(&self) -> bool {
        self.ready
    }

    /// The report as JSON, with a line break at its end.
    pub fn to_json(&self) -> String {
        let json = serde_json::to_string_pretty(self)
            .expect("invariant: the report has only string keys and finite values");
        json + "\n"
    }

    /// The report for people, with colours. Quiet leaves out whatever is as it should be.
    pub fn to_text(&self, verbosity: Verbosity) -> String {
        let mut text = String::new();
        let width = self.tools.iter().map(|tool| tool.name.len()).max().unwrap_or(0);
        for tool in &self.tools {
            if verbosity == Verbosity::Normal || tool.status != Status::Found {
                text += &tool.line(width);
            }
        }
        if self.ready {
            if verbosity == Verbosity::Normal {
                text += "\nEverything obligato needs is installed.\n";
            }
        } else {
            text += &self.way_out();
        }
        text
    }

    fn way_out(&self) -> String {
        let unusable = self.tools.iter().filter(|tool| tool.status != Status::Found).count();
        let count = format!("\n{unusable} of {} cannot be used.", self.tools.len());
        match &self.install {
            Some(install) => format!("{count} To install what is missing:\n\n  {install}\n"),
            None => count + "\n",
        }
    }
}

impl Tool {
    fn new(examined: &Examined) -> Self {
        let need = examined.need;
        let (status, path, version, problem) = match &examined.finding {
            Finding::Found(place) => (Status::Found, Some(&place.path), &place.version, None),
            Finding::Missing { absent } => (Status::Missing, None, &None, Some(absent.clone())),
            Finding::WrongVersion(place) => {
                let problem = format!("version {} is needed", need.wanted);
                (Status::WrongVersion, Some(&place.path), &place.version, Some(problem))
            }
            Finding::Failed(path) => {
                let problem = try_by_hand(path, "cannot be run");
                (Status::Failed, Some(path), &None, Some(problem))
            }
            Finding::TimedOut(path) => {
                let problem = try_by_hand(path, "does not answer");
                (Status::TimedOut, Some(path), &None, Some(problem))
            }
        };
        Self {
            name: need.name,
            purpose: need.purpose,
            wanted: need.wanted.to_string(),
            status,
            version: version.clone(),
            path: path.map(|path| path.display().to_string()),
            problem,
            packages: need.packages,
        }
    }

    /// One line: status, name, version, then the problem or the place, then the purpose.
    fn line(&self, width: usize) -> String {
        let (style, status) = self.status.label();
        let version = self.version.as_deref().unwrap_or("-");
        let mut line = format!("{style}{status:13}{style:#} {:width$}  {version:8}", self.name);
        for part in [&self.path, &self.problem].into_iter().flatten() {
            write!(line, "  {part}").expect("invariant: writing to a String cannot fail");
        }
        format!("{line}  {FAINT}({}){FAINT:#}\n", self.purpose)
    }
}

impl Status {
    const fn label(self) -> (Style, &'static str) {
        match self {
            Self::Found => (GOOD, "ok"),
            Self::Missing => (BAD, "missing"),
            Self::WrongVersion => (BAD, "wrong version"),
            Self::Failed => (BAD, "failed"),
            Self::TimedOut => (BAD, "timed out"),
        }
    }
}

fn try_by_hand(path: &Path, what: &str) -> String {
    format!("{what}; try '{} --version' by hand", path.display())
}

/// The one line that installs `packages`, or nothing if there is nothing to install.
fn install_command(packages: &[&str], user: User) -> Option<String> {
    if packages.is_empty() {
        return None;
    }
    let sudo = match user {
        User::Root => "",
        User::Ordinary => "sudo ",
    };
    Some(format!("{sudo}apt-get install -y --no-install-recommends {}", packages.join(" ")))
}
