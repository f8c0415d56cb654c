//! How far long work has come, for whoever waits for it.

/// What long work has come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// So many tests of a suite have run on mutants.
    RunOnMutants {
        /// So many.
        done: usize,
        /// Of so many.
        of: usize,
    },
    /// So many files of a compilation database are checked.
    Checked {
        /// So many.
        done: usize,
        /// Of so many.
        of: usize,
    },
    /// So many functions of a project are done.
    Functions {
        /// So many.
        done: usize,
        /// Of so many.
        of: usize,
    },
    /// So many tests of a suite are measured.
    Measured {
        /// So many.
        done: usize,
        /// Of so many.
        of: usize,
    },
    /// So many tests of a suite have run.
    Ran {
        /// So many.
        done: usize,
        /// Of so many.
        of: usize,
    },
}

/// Is told how far work has come.
pub type OnProgress<'a> = &'a mut dyn FnMut(Progress);

/// For whoever does not want to know.
pub fn ignore(_: Progress) {}
