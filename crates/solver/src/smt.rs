//! Satisfiability modulo theories: one z3 process, or one of cvc5, spoken to in SMT-LIB 2.
//!
//! An [`Smt`] is a session with a child process that lives as long as the session: declarations and
//! assertions stay, [`push`](Smt::push) and [`pop`](Smt::pop) mark and leave scopes, and
//! [`check`](Smt::check) asks under assumptions. Terms are text; [`values`](Smt::values) come back as
//! exact numbers.
//!
//! Work is counted in z3's own resource units, which do not depend on the machine. Not all of z3 looks
//! at that limit, least of all its non-linear arithmetic, so a [`Stop`] ends the process itself.
//! cvc5 is there to check what z3 has found, so nothing is counted there.
//! A session that was ended, or that got an error, answers nothing but that from then on.
//!
//! `process` holds the child and its pipes, `answer` reads what it says.

use std::time::{Duration, Instant};

use obligato_model::Value;

use crate::sat::Answer;
use crate::stop::Stop;

mod answer;
mod process;

use process::Process;

/// The program that finds things.
const PROGRAM: &str = "z3";

/// The program that only checks them.
const CHECKER: &str = "cvc5";

/// The items of a list as SMT-LIB writes it, as text. `None` if parentheses do not match.
pub fn list_items(list: &str) -> Option<Vec<&str>> {
    answer::items(list)
}

/// Why a session has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SmtError {
    /// There is no such program.
    #[error("no program '{PROGRAM}' in PATH; 'obligato doctor' says how to get it")]
    Absent,
    /// The program is there but does not start.
    #[error("'{PROGRAM}' does not start: {0}")]
    NotStarted(String),
    /// The process is gone.
    #[error("'{PROGRAM}' ended in the middle of a session ({0})")]
    Died(String),
    /// The process reached its memory limit.
    #[error("'{PROGRAM}' needs more than {0} MB of memory")]
    Memory(u32),
    /// A command was wrong.
    #[error("'{PROGRAM}' refused a command: {0}")]
    Refused(String),
    /// The answer is not one to the question.
    #[error("an answer of '{PROGRAM}' is not understood: {0}")]
    Garbled(String),
    /// A number of the model is no fraction.
    #[error("a number that '{PROGRAM}' found is irrational")]
    Irrational,
    /// The [`Stop`] was due.
    #[error("'{PROGRAM}' was stopped")]
    Stopped,
}

/// Why a query was not decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The limit came first.
    Limit,
    /// Something else, in z3's words: a theory that it does not decide, most of the time.
    Incomplete(String),
}

/// A session with z3.
#[derive(Debug)]
pub struct Smt {
    process: Process,
    /// Commands that were not sent yet: they go out with the next question.
    pending: String,
    /// The limit that was last set, 0 for none.
    limit: u32,
    work: u64,
    reason: Reason,
    /// What ended the session.
    over: Option<SmtError>,
    memory: u32,
    /// Does the program count its work, and can it be limited?
    counts: bool,
}

impl Smt {
    /// How many megabytes a session may use unless told otherwise.
    pub const MEMORY: u32 = 4096;

    /// Starts a session, which ends when `stop` is due and may use so many megabytes.
    pub fn start(stop: &Stop, memory: u32) -> Result<Self, SmtError> {
        let mut arguments = vec!["-in".to_owned(), format!("-memory:{memory}")];
        if let Some(left) = time_left(stop) {
            arguments.push(format!("-T:{}", left.as_secs()));
        }
        Ok(Self::over(Process::start(PROGRAM, &arguments, stop)?, memory))
    }

    /// Starts a session with cvc5, which ends when `stop` is due. Its work is not counted, and limits to
    /// work mean nothing to it.
    pub fn start_checker(stop: &Stop) -> Result<Self, SmtError> {
        let mut arguments = vec!["--lang=smt2".to_owned(), "--incremental".to_owned()];
        if let Some(left) = time_left(stop) {
            arguments.push(format!("--tlimit={}", left.as_millis()));
        }
        let mut session = Self::over(Process::start(CHECKER, &arguments, stop)?, Self::MEMORY);
        session.command("(set-logic ALL)");
        session.counts = false;
        Ok(session)
    }

    fn over(process: Process, memory: u32) -> Self {
        let pending = "(set-option :produce-unsat-assumptions true)\n".to_owned();
        let (limit, work, reason) = (0, 0, Reason::Limit);
        Self { process, pending, limit, work, reason, over: None, memory, counts: true }
    }

    /// Gives a command that has no answer: a declaration, a definition, an option.
    pub fn command(&mut self, command: &str) {
        self.pending.push_str(command);
        self.pending.push('\n');
    }

    /// The term has to be true.
    pub fn assert(&mut self, term: &str) {
        self.command(&format!("(assert {term})"));
    }

    /// Opens a scope.
    pub fn push(&mut self) {
        self.command("(push 1)");
    }

    /// Leaves the innermost scope, and everything that was declared, defined or asserted in it.
    pub fn pop(&mut self) {
        self.command("(pop 1)");
    }

    /// Can all that is asserted be true together with the assumptions, which are constants or their
    /// negations? At most so many units of work are spent. What is not decided has a
    /// [reason](Self::reason).
    pub fn check(
        &mut self,
        assumptions: &[String],
        most_work: Option<u64>,
    ) -> Result<Answer, SmtError> {
        let limit = most_work.map_or(0, |most| u32::try_from(most.max(1)).unwrap_or(u32::MAX));
        if limit != self.limit && self.counts {
            self.command(&format!("(set-option :rlimit {limit})"));
            self.limit = limit;
        }
        if assumptions.is_empty() {
            // Not the same to z3: whether it may use more than its incremental core depends on it.
            self.command("(check-sat)");
        } else {
            self.command(&format!("(check-sat-assuming ({}))", assumptions.join(" ")));
        }
        if self.counts {
            self.command("(get-info :rlimit)");
        }
        self.send();
        let answer = match &*self.listen()? {
            "sat" => Answer::Sat,
            "unsat" => Answer::Unsat,
            "unknown" => Answer::Unknown,
            other => return Err(self.garbled(other)),
        };
        if self.counts {
            let count = self.listen()?;
            self.work = answer::info(&count)
                .and_then(|count| count.parse().ok())
                .ok_or_else(|| self.garbled(&count))?;
        }
        if answer == Answer::Unknown {
            let reason = self.ask("(get-info :reason-unknown)")?;
            self.reason = match answer::info(&reason) {
                Some("canceled" | "max. resource limit exceeded") => Reason::Limit,
                Some(words) => Reason::Incomplete(words.to_owned()),
                None => return Err(self.garbled(&reason)),
            };
        }
        Ok(answer)
    }

    /// Why the last check that was not decided was not.
    pub fn reason(&self) -> &Reason {
        &self.reason
    }

    /// The units of work spent until the last check.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// The values of constants and definitions, given by name, in the model that was just found. A
    /// bit-vector is read as an unsigned number.
    pub fn values(&mut self, names: &[String]) -> Result<Vec<Value>, SmtError> {
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let answer = self.ask(&format!("(get-value ({}))", names.join(" ")))?;
        match answer::values(&answer) {
            Ok(values) if values.len() == names.len() => Ok(values),
            Err(answer::Unreadable::Irrational) => Err(SmtError::Irrational),
            _ => Err(self.garbled(&answer)),
        }
    }

    /// Assumptions of the query just refuted that cannot hold together.
    pub fn core(&mut self) -> Result<Vec<String>, SmtError> {
        let answer = self.ask("(get-unsat-assumptions)")?;
        answer::items(&answer)
            .map(|items| items.into_iter().map(str::to_owned).collect())
            .ok_or_else(|| self.garbled(&answer))
    }

    /// The definitions of the model that was just found, each as SMT-LIB text.
    pub fn model(&mut self) -> Result<Vec<String>, SmtError> {
        let answer = self.ask("(get-model)")?;
        let items = answer::items(&answer).ok_or_else(|| self.garbled(&answer))?;
        // Older versions say `(model …)`, newer ones follow the standard.
        let definitions = items.into_iter().filter(|item| *item != "model");
        Ok(definitions.map(str::to_owned).collect())
    }

    /// Sends what is pending and a question, and waits for the first answer.
    fn ask(&mut self, question: &str) -> Result<String, SmtError> {
        self.command(question);
        self.send();
        self.listen()
    }

    fn send(&mut self) {
        let text = std::mem::take(&mut self.pending);
        if self.over.is_none() {
            self.process.send(text);
        }
    }

    fn listen(&mut self) -> Result<String, SmtError> {
        if let Some(error) = &self.over {
            return Err(error.clone());
        }
        let answer = self.process.receive().and_then(|answer| match answer::error(&answer) {
            Some(message) if message.contains("out of memory") => {
                Err(SmtError::Memory(self.memory))
            }
            Some(message) => Err(SmtError::Refused(message.to_owned())),
            None => Ok(answer),
        });
        answer.map_err(|error| self.end(error))
    }

    fn garbled(&mut self, answer: &str) -> SmtError {
        let start: String = answer.chars().take(80).collect();
        self.end(SmtError::Garbled(start))
    }

    /// After an error, questions and answers may no longer go together.
    fn end(&mut self, error: SmtError) -> SmtError {
        self.process.end();
        self.over = Some(error.clone());
        error
    }
}

/// How long a process may live. Should we not live to end it, it ends by itself, a little later.
fn time_left(stop: &Stop) -> Option<Duration> {
    let left = stop.deadline()?.saturating_duration_since(Instant::now());
    Some(left.saturating_add(Duration::from_secs(5)))
}

#[cfg(test)]
mod tests;
