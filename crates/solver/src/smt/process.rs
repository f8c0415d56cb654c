//! A child process that answers questions over pipes.
//!
//! One thread writes and one reads, so neither side can wait for the other with a full pipe, and
//! whoever waits here keeps looking at the clock. The child is ended, and waited for, when it is
//! told to, when the [`Stop`] is due, and when it is dropped.

use std::io::{ErrorKind, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::time::Duration;

use super::SmtError;
use super::answer::Splitter;
use crate::stop::Stop;

/// How often to look whether it is time to stop.
const GLANCE: Duration = Duration::from_millis(20);

/// How many answers wait to be read before the child has to wait too.
const QUEUE: usize = 64;

/// A running child.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    stop: Stop,
    /// Gone when the child is.
    questions: Option<Sender<String>>,
    answers: Option<Receiver<Result<String, SmtError>>>,
}

impl Process {
    pub(super) fn start(
        program: &str,
        arguments: &[String],
        stop: &Stop,
    ) -> Result<Self, SmtError> {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // A Ctrl-C is for us alone, and we end the child in good order.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|cause| match cause.kind() {
            ErrorKind::NotFound => SmtError::Absent,
            _ => SmtError::NotStarted(cause.to_string()),
        })?;
        let stdin = child.stdin.take().expect("invariant: it is piped");
        let stdout = child.stdout.take().expect("invariant: it is piped");
        let (questions, to_write) = channel();
        let (read, answers) = sync_channel(QUEUE);
        // They end when their pipe or their channel does. Nobody waits for them: should the program
        // be a script that starts another one, that may keep the pipe open for a while.
        std::thread::spawn(move || write(stdin, &to_write));
        std::thread::spawn(move || read_answers(stdout, &read));
        let (questions, answers) = (Some(questions), Some(answers));
        Ok(Self { child, stop: stop.clone(), questions, answers })
    }

    /// Passes text on to the child. That it is gone is noticed when an answer is asked for.
    pub(super) fn send(&self, text: String) {
        if let Some(questions) = &self.questions {
            let _gone = questions.send(text);
        }
    }

    /// Waits for the next answer.
    pub(super) fn receive(&mut self) -> Result<String, SmtError> {
        loop {
            if self.stop.is_due() {
                self.end();
                return Err(SmtError::Stopped);
            }
            let Some(answers) = &self.answers else {
                return Err(self.death());
            };
            match answers.recv_timeout(GLANCE) {
                Ok(answer) => return answer,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    self.end();
                    return Err(self.death());
                }
            }
        }
    }

    /// Ends the child, if that did not happen before.
    pub(super) fn end(&mut self) {
        // A child that is gone already cannot be killed, which is as well.
        let _gone = self.child.kill();
        let _status = self.child.wait();
        self.questions = None;
        self.answers = None;
    }

    fn death(&mut self) -> SmtError {
        SmtError::Died(match self.child.wait() {
            Ok(status) => status.to_string(),
            Err(cause) => cause.to_string(),
        })
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

fn write(mut stdin: ChildStdin, questions: &Receiver<String>) {
    for text in questions {
        if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_answers(mut stdout: ChildStdout, answers: &SyncSender<Result<String, SmtError>>) {
    let mut splitter = Splitter::default();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let count = match stdout.read(&mut buffer) {
            Err(cause) if cause.kind() == ErrorKind::Interrupted => continue,
            Ok(0) | Err(_) => return,
            Ok(count) => count,
        };
        for byte in &buffer[..count] {
            let Some(answer) = splitter.next(*byte) else { continue };
            let failed = answer.is_err();
            if answers.send(answer).is_err() || failed {
                return;
            }
        }
    }
}
