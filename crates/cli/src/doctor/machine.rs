//! The machine the doctor looks at: programs, files and the user, and nothing else of it.
//!
//! [`Machine`] is small so that tests can make one up. [`ThisMachine`] is the real one; it never
//! waits longer than its time limit for a program, so that a hung compiler cannot hang the doctor.

use std::ffi::OsString;
use std::fs;
use std::io::Read as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// Everything the doctor may ask of a machine.
pub trait Machine {
    /// The program `name` in `PATH`.
    fn find_program(&self, name: &str) -> Option<PathBuf>;
    /// What `program` prints on standard output.
    fn run(&self, program: &Path, arguments: &[&str]) -> Answer;
    /// The names in a directory, sorted; none if it cannot be read.
    fn names_in(&self, directory: &Path) -> Vec<String>;
    /// The file that `path` leads to through symbolic links, if there is one.
    fn resolve(&self, path: &Path) -> Option<PathBuf>;
    /// The text of a file.
    fn read(&self, path: &Path) -> Option<String>;
    /// Who would install packages.
    fn user(&self) -> User;
}

/// What came of running a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// It ended well and printed this.
    Printed(String),
    /// It could not be started, or ended with an error.
    Failed,
    /// It did not end in time.
    TimedOut,
}

/// Who runs the doctor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum User {
    /// May install packages.
    Root,
    /// Needs `sudo` to install packages.
    Ordinary,
}

/// The machine this process runs on.
#[derive(Debug)]
pub struct ThisMachine {
    search_path: OsString,
    time_limit: Duration,
}

/// Tools answer `--version` in milliseconds; seconds allow for a cold disk or a busy machine.
const TIME_LIMIT: Duration = Duration::from_secs(10);
/// Enough for any version text; a program that prints without end is cut off here.
const MOST_BYTES: u64 = 256 * 1024;
const POLL: Duration = Duration::from_millis(5);

impl ThisMachine {
    /// This machine, with the `PATH` of the environment.
    pub fn new() -> Self {
        Self { search_path: std::env::var_os("PATH").unwrap_or_default(), time_limit: TIME_LIMIT }
    }
}

impl Machine for ThisMachine {
    fn find_program(&self, name: &str) -> Option<PathBuf> {
        std::env::split_paths(&self.search_path)
            .filter(|directory| directory.is_absolute())
            .map(|directory| directory.join(name))
            .find(|path| is_executable(path))
    }

    fn run(&self, program: &Path, arguments: &[&str]) -> Answer {
        let child = Command::new(program)
            .args(arguments)
            .env("LC_ALL", "C")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        match child {
            Ok(child) => wait_for(child, self.time_limit),
            Err(_) => Answer::Failed,
        }
    }

    fn names_in(&self, directory: &Path) -> Vec<String> {
        let Ok(entries) = fs::read_dir(directory) else {
            return Vec::new();
        };
        let mut names: Vec<String> =
            entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
        names.sort_unstable();
        names
    }

    fn resolve(&self, path: &Path) -> Option<PathBuf> {
        path.canonicalize().ok().filter(|file| file.is_file())
    }

    fn read(&self, path: &Path) -> Option<String> {
        fs::read_to_string(path).ok()
    }

    fn user(&self) -> User {
        // The owner of our own process entry is the effective user, without a call into libc.
        match fs::metadata("/proc/self") {
            Ok(own) if own.uid() == 0 => User::Root,
            _ => User::Ordinary,
        }
    }
}

fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

/// Reads what `child` prints until it ends or the time is up.
///
/// The reading thread is left behind on a time-out: a grandchild may hold the pipe open for ever.
fn wait_for(mut child: Child, time_limit: Duration) -> Answer {
    let deadline = Instant::now() + time_limit;
    let stdout = child.stdout.take().expect("invariant: the child was started with a piped stdout");
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = stdout.take(MOST_BYTES).read_to_end(&mut bytes);
        // The receiver has gone when the time is up; then nobody wants the text.
        let _ = sender.send(read.map(|_| bytes));
    });
    let printed = receiver.recv_timeout(time_limit);
    let ended = loop {
        match child.try_wait() {
            Ok(None) if Instant::now() < deadline => thread::sleep(POLL),
            Ok(Some(status)) => break Some(status),
            _ => break None,
        }
    };
    let Some(status) = ended else {
        // Either fails only if the child has just ended by itself, which is as good.
        let _ = child.kill();
        let _ = child.wait();
        return Answer::TimedOut;
    };
    match printed {
        Ok(Ok(bytes)) if status.success() => {
            Answer::Printed(String::from_utf8_lossy(&bytes).into_owned())
        }
        Err(mpsc::RecvTimeoutError::Timeout) => Answer::TimedOut,
        _ => Answer::Failed,
    }
}

#[cfg(test)]
mod tests;
