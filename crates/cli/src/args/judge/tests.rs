//! How the criteria of `obligato judge` are asked for.

use crate::args::{Cli, Command};
use clap::Parser as _;

fn criteria(flags: &[&str]) -> Vec<String> {
    let fixed = ["obligato", "judge", "f", "--tests", "t"];
    let cli = Cli::try_parse_from(fixed.iter().chain(flags)).unwrap();
    let Command::Judge(arguments) = cli.command else { panic!() };
    arguments.criteria().iter().map(ToString::to_string).collect()
}

#[test]
fn masking_mcdc_is_judged_by_default() {
    assert_eq!(criteria(&[]), ["mcdc"]);
}

#[test]
fn criteria_may_be_joined_or_repeated_and_come_out_once_in_the_order_of_reports() {
    let flags = ["--criterion", "mcdc:unique-cause,bvc", "--criterion", "mcdc:masking,mcdc"];
    assert_eq!(criteria(&flags), ["mcdc", "mcdc:unique-cause", "bvc"]);
}

#[test]
fn all_is_every_criterion_in_its_default_variant() {
    let all = criteria(&["--criterion", "all"]);
    assert_eq!(all.len(), 12);
    assert!(all.iter().all(|name| !name.contains(':')));
    assert_eq!(criteria(&["--criterion", "all,omcdc:exact"]).len(), 13);
}
