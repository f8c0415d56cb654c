//! The arguments that say which Lustre model is meant and how it is read.

use std::path::PathBuf;

use clap::Args;
use obligato::subject::{ModelOptions, SubjectOptions};

/// A Lustre model, for the commands that take one.
#[derive(Debug, Clone, Default, Args)]
pub struct ModelArgs {
    /// The model, a Lustre file
    #[arg(value_name = "MODEL.lus", index = 1)]
    pub file: PathBuf,
    /// The node to test, in place of the one the file names
    #[arg(long, value_name = "NODE")]
    pub main: Option<String>,
    /// Replace intermediate Boolean variables by their definitions, for fewer and bigger decisions
    #[arg(long)]
    pub inline: bool,
}

impl ModelArgs {
    /// The model, as the library is asked for it.
    pub fn options(&self) -> SubjectOptions {
        let model = ModelOptions { main: self.main.clone(), inline: self.inline };
        SubjectOptions { model, ..SubjectOptions::new(&self.file) }
    }
}
