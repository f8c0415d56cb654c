//! `obligato man`: manual pages, made from the argument definitions.
//!
//! The page body is `clap_mangen`'s; the text after the options ("Examples:", "Exit codes:") would
//! become one section called EXTRA there, so it is turned into sections of its own here.

use clap::CommandFactory as _;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use obligato_store::file;

use crate::args::{Cli, ManArgs};
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::Output;
use obligato::directory::ensure_directory;

/// Writes `obligato.1` and a page for each command.
pub fn run(arguments: &ManArgs, output: &mut Output) -> Result<Exit, CliError> {
    let pages = pages()?;
    ensure_directory(&arguments.directory)?;
    for page in &pages {
        file::write(&arguments.directory.join(&page.file_name), &page.text)?;
    }
    let directory = arguments.directory.display();
    output.remark(format_args!("{} manual pages in {directory}", pages.len()))?;
    Ok(Exit::Success)
}

struct Page {
    file_name: String,
    text: Vec<u8>,
}

/// The main page, then one page per command in the order of the help.
fn pages() -> Result<Vec<Page>, CliError> {
    let mut main = Cli::command().disable_help_subcommand(true);
    main.build();
    let commands: Vec<clap::Command> = main.get_subcommands().cloned().collect();
    std::iter::once(main).chain(commands).map(page).collect()
}

fn page(command: clap::Command) -> Result<Page, CliError> {
    let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let source = concat!("obligato ", env!("CARGO_PKG_VERSION"));
    let man = Man::new(command.after_help(None)).source(source).manual("Obligato");
    let mut text = Vec::new();
    man.render(&mut text)?;
    sections(&after).to_writer(&mut text)?;
    Ok(Page { file_name: man.get_filename(), text })
}

/// Each "Heading:" line starts a section; the lines below it keep their layout.
fn sections(after_help: &str) -> Roff {
    let mut roff = Roff::new();
    let mut in_section = false;
    for line in after_help.lines().filter(|line| !line.is_empty()) {
        match line.strip_suffix(':') {
            Some(heading) if !line.starts_with(' ') => {
                if in_section {
                    roff.control("fi", []);
                }
                let heading = heading.to_uppercase();
                roff.control("SH", [heading.as_str()]).control("nf", []);
                in_section = true;
            }
            _ if in_section => {
                roff.text([roman(line.strip_prefix("  ").unwrap_or(line))]);
            }
            _ => {
                roff.control("SH", ["NOTES"]).text([roman(line)]);
            }
        }
    }
    if in_section {
        roff.control("fi", []);
    }
    roff
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_of_the_help_become_sections_that_keep_their_layout() {
        let roff = sections("Examples:\n  obligato x   does x\n\nExit codes:\n  0  ok\n").to_roff();
        assert_eq!(
            roff,
            ".SH EXAMPLES\n.nf\nobligato x   does x\n.fi\n.SH \"EXIT CODES\"\n.nf\n0  ok\n.fi\n"
        );
    }

    #[test]
    fn there_is_a_page_for_the_main_command_and_each_command() {
        let names: Vec<String> = pages().unwrap().into_iter().map(|page| page.file_name).collect();
        assert_eq!(names[0], "obligato.1");
        assert!(names.contains(&"obligato-doctor.1".to_owned()));
        assert_eq!(names.len(), 1 + Cli::command().get_subcommands().count());
    }
}
