//! How a run can end: the exit codes, their meaning, and the help text made from that one table.

use std::fmt::Write as _;
use std::process::ExitCode;

/// How a run ended, as a calling script sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// What was asked for was done.
    Success,
    /// The tool could not do its work: something is not installed, cannot be written, or is a bug.
    ToolError,
    /// The arguments or the input files are wrong.
    InputError,
    /// A coverage threshold is not met.
    BelowGate,
    /// Obligations are left without a verdict where the gate forbids it.
    Unresolved,
    /// A test does not give the outputs that it expects, or a runtime error of the program under test was found and the caller asked to
    /// fail on it.
    Failed,
}

impl Exit {
    /// Every way to end, in the order of the codes.
    pub const ALL: [Self; 6] = [
        Self::Success,
        Self::ToolError,
        Self::InputError,
        Self::BelowGate,
        Self::Unresolved,
        Self::Failed,
    ];

    /// The process exit code; part of the documented interface, never renumbered.
    pub const fn code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::ToolError => 1,
            Self::InputError => 2,
            Self::BelowGate => 3,
            Self::Unresolved => 4,
            Self::Failed => 5,
        }
    }

    const fn meaning(self) -> &'static str {
        match self {
            Self::Success => "ok",
            Self::ToolError => "tool error",
            Self::InputError => "usage or input error",
            Self::BelowGate => "below a gate",
            Self::Unresolved => "obligations left unresolved where the gate forbids it",
            Self::Failed => "a test fails, or a runtime error is found when asked to fail on that",
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// `examples` followed by the table of exit codes, as shown at the end of the main help.
pub fn after_examples(examples: &str) -> String {
    let mut text = format!("{}\n\nExit codes:\n", examples.trim_end());
    for exit in Exit::ALL {
        writeln!(text, "  {}  {}", exit.code(), exit.meaning())
            .expect("invariant: writing to a String cannot fail");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_codes_are_their_place_in_the_table() {
        for (place, exit) in Exit::ALL.into_iter().enumerate() {
            assert_eq!(usize::from(exit.code()), place);
        }
    }

    #[test]
    fn the_help_text_lists_each_exit_code_on_its_own_line() {
        let help = after_examples("Examples:\n  x\n");
        assert!(help.starts_with("Examples:\n  x\n\nExit codes:\n  0  ok\n  1  tool error\n"));
        assert_eq!(help.lines().count(), 4 + Exit::ALL.len());
    }
}
