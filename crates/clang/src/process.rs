//! Compilers as child processes, on a leash.
//!
//! A hostile file makes a compiler run, allocate or print for ever: a dozen macros can make a billion tokens. So
//! each child has a limit on its time, its memory and its output. Memory, processor time and the size of
//! files are limited by the shell's `ulimit`, which also holds for the children of a compiler driver.

use std::fmt;
use std::io::{self, Read};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use crate::ClangError;
use crate::complaint::condensed;

/// What a child process may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Seconds, of the clock and of the processor.
    pub seconds: u32,
    /// MiB of memory.
    pub memory: u32,
    /// MiB that it may print, or write to one file.
    pub output: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { seconds: 60, memory: 4096, output: 512 }
    }
}

/// A limit that was hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// It took longer than this many seconds.
    Time(u32),
    /// It needed more than this many MiB of memory.
    Memory(u32),
    /// It printed more than this many MiB, or wrote them to one file.
    Output(u32),
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time(seconds) => write!(f, "it took more than {seconds} s"),
            Self::Memory(size) => write!(f, "it needed more than {size} MiB of memory"),
            Self::Output(size) => write!(f, "it printed more than {size} MiB"),
        }
    }
}

/// A program to run.
#[derive(Clone, Debug)]
pub(crate) struct Job<'a> {
    /// The program, looked for on the `PATH`.
    pub program: &'a str,
    /// What it is given.
    pub arguments: Vec<String>,
    /// Where it runs.
    pub directory: &'a Path,
    /// What it works on, for messages.
    pub subject: &'a Path,
}

/// How a child ended.
#[derive(Debug)]
pub(crate) struct Ended {
    /// Its exit status.
    pub status: ExitStatus,
    /// What it printed.
    pub stdout: Vec<u8>,
    /// What it complained about.
    pub stderr: Vec<u8>,
}

/// The shell's answer when there is no such program.
const NOT_FOUND: i32 = 127;
/// The signals that say why a child ended, the same on all of Linux.
const SIGKILL: i32 = 9;
const SIGSEGV: i32 = 11;
const SIGXCPU: i32 = 24;
const SIGXFSZ: i32 = 25;
/// KiB of stack, less than libclang takes for itself: what a child can parse, libclang can.
const STACK: u64 = 7168;
const POLL: Duration = Duration::from_millis(2);

impl Job<'_> {
    /// Runs the program to its end or to a limit.
    pub fn run(&self, limits: Limits) -> Result<Ended, ClangError> {
        let child = self.spawn(limits).map_err(|error| self.broken(&error))?;
        let ended = self.watch(child, limits)?;
        if let Some(limit) = limit_hit(&ended, limits) {
            return Err(self.exhausted(limit));
        }
        if ended.status.code() == Some(NOT_FOUND) {
            let package = if self.program == "gcc" { "gcc" } else { "clang-19" };
            return Err(ClangError::Missing { what: self.program.to_owned(), package });
        }
        Ok(ended)
    }

    /// Runs the program and takes anything but success for an error of the program it works on.
    pub fn succeed(&self, limits: Limits) -> Result<Ended, ClangError> {
        let ended = self.run(limits)?;
        if ended.status.success() {
            return Ok(ended);
        }
        let message = condensed(&String::from_utf8_lossy(&ended.stderr));
        if ended.status.code() == Some(1) && !message.is_empty() {
            return Err(ClangError::Rejected(message));
        }
        let Self { program, subject, .. } = self;
        let (subject, how) = (subject.display(), ended.status);
        let why = match message.lines().find(|line| line.contains("error:")) {
            Some(line) => line,
            None if how.signal() == Some(SIGSEGV) => "its stack may be too small for deep nesting",
            None => "it gave no reason",
        };
        Err(ClangError::Internal(format!("{program} broke down on {subject} ({how}): {why}")))
    }

    fn spawn(&self, limits: Limits) -> io::Result<Child> {
        let Limits { seconds, memory, output } = limits;
        let (memory, output) = (u64::from(memory) * 1024, u64::from(output) * 2048);
        let limits = [("c", 0), ("t", seconds.into()), ("v", memory), ("f", output), ("s", STACK)];
        // A limit that the machine has already set lower stays as it is.
        let set = limits.map(|(which, limit)| format!("ulimit -{which} {limit} 2>/dev/null; "));
        let script = format!("{}exec \"$0\" \"$@\"", set.concat());
        Command::new("/bin/sh")
            .args(["-c", &script, self.program])
            .args(&self.arguments)
            .current_dir(self.directory)
            .env("LC_ALL", "C")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
    }

    fn watch(&self, mut child: Child, limits: Limits) -> Result<Ended, ClangError> {
        let deadline = Instant::now() + Duration::from_secs(limits.seconds.into());
        let outcome = collect(&mut child, limits, deadline);
        if outcome.is_err() {
            // Either fails only if the child has just ended by itself, which is as good.
            let _ = child.kill();
            let _ = child.wait();
        }
        outcome.map_err(|stop| match stop {
            Stop::Limit(limit) => self.exhausted(limit),
            Stop::Broken(error) => self.broken(&error),
        })
    }

    fn exhausted(&self, limit: Limit) -> ClangError {
        let (program, file) = (self.program.to_owned(), self.subject.to_owned());
        ClangError::Exhausted { program, file, limit }
    }

    fn broken(&self, error: &io::Error) -> ClangError {
        let directory = self.directory.display();
        ClangError::Internal(format!("cannot run {} in {directory}: {error}", self.program))
    }
}

/// The limit of the shell's that ended a child, if one did.
fn limit_hit(ended: &Ended, limits: Limits) -> Option<Limit> {
    let complaint = String::from_utf8_lossy(&ended.stderr);
    let out_of_memory = ["out of memory", "cannot allocate memory", "bad_alloc"];
    match ended.status.signal() {
        Some(SIGXCPU | SIGKILL) => Some(Limit::Time(limits.seconds)),
        Some(SIGXFSZ) => Some(Limit::Output(limits.output)),
        _ if ended.status.success() => None,
        _ if out_of_memory.iter().any(|sign| complaint.to_lowercase().contains(sign)) => {
            Some(Limit::Memory(limits.memory))
        }
        _ => None,
    }
}

enum Stop {
    Limit(Limit),
    Broken(io::Error),
}

/// Reads all that a child prints, and waits for its end.
fn collect(child: &mut Child, limits: Limits, deadline: Instant) -> Result<Ended, Stop> {
    let cap = u64::from(limits.output) << 20;
    let (sender, receiver) = mpsc::channel();
    let stdout = child.stdout.take().expect("invariant: started with a piped stdout");
    let stderr = child.stderr.take().expect("invariant: started with a piped stderr");
    let pipes: [Box<dyn Read + Send>; 2] = [Box::new(stdout), Box::new(stderr)];
    for (index, pipe) in pipes.into_iter().enumerate() {
        let sender = sender.clone();
        // A reader is left behind on a time-out: a grandchild may hold the pipe open for ever.
        thread::spawn(move || {
            let mut bytes = Vec::new();
            let read = pipe.take(cap + 1).read_to_end(&mut bytes);
            // The receiver has gone when the time is up; then nobody wants the text.
            let _ = sender.send((index, read.map(|_| bytes)));
        });
    }
    let mut printed = [Vec::new(), Vec::new()];
    for _ in 0..printed.len() {
        let left = deadline.saturating_duration_since(Instant::now());
        let (index, bytes) = receiver.recv_timeout(left).map_err(|gone| match gone {
            RecvTimeoutError::Timeout => Stop::Limit(Limit::Time(limits.seconds)),
            RecvTimeoutError::Disconnected => Stop::Broken(io::ErrorKind::BrokenPipe.into()),
        })?;
        let bytes = bytes.map_err(Stop::Broken)?;
        if bytes.len() as u64 > cap {
            return Err(Stop::Limit(Limit::Output(limits.output)));
        }
        printed[index] = bytes;
    }
    let [stdout, stderr] = printed;
    loop {
        match child.try_wait().map_err(Stop::Broken)? {
            Some(status) => return Ok(Ended { status, stdout, stderr }),
            None if Instant::now() >= deadline => {
                return Err(Stop::Limit(Limit::Time(limits.seconds)));
            }
            None => thread::sleep(POLL),
        }
    }
}

/// The error of a file that cannot be read or written.
pub(crate) fn file_error(file: impl Into<PathBuf>, error: &io::Error) -> ClangError {
    ClangError::File { file: file.into(), reason: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job<'a>(program: &'a str, arguments: &[&str]) -> Job<'a> {
        let arguments = arguments.iter().map(|&argument| argument.to_owned()).collect();
        Job { program, arguments, directory: Path::new("."), subject: Path::new("f.c") }
    }

    #[test]
    fn a_compiler_that_is_not_there_is_missing() {
        let error = job("no-such-compiler", &[]).run(Limits::default()).unwrap_err();
        let advice = "no-such-compiler is missing: install it with `apt-get install clang-19`";
        assert_eq!(error.to_string(), advice);
    }

    #[test]
    fn a_child_ends_at_its_limits() {
        let limits = Limits { seconds: 1, output: 1, ..Limits::default() };
        let error = job("sleep", &["60"]).run(limits).unwrap_err();
        assert_eq!(error.to_string(), "sleep was stopped on f.c: it took more than 1 s");
        let limits = Limits { seconds: 20, output: 1, ..Limits::default() };
        let error = job("yes", &[]).run(limits).unwrap_err();
        assert_eq!(error.to_string(), "yes was stopped on f.c: it printed more than 1 MiB");
    }
}
