//! How criteria are asked for.

use crate::args::{Cli, Command};
use clap::Parser as _;

fn criteria(flags: &[&str]) -> Vec<String> {
    let fixed = ["obligato", "judge", "f", "--tests", "t"];
    let cli = Cli::try_parse_from(fixed.iter().chain(flags)).unwrap();
    let Command::Judge(arguments) = cli.command else { panic!() };
    arguments.verdicts.criteria().iter().map(ToString::to_string).collect()
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

#[test]
fn every_variant_of_a_criterion_can_be_asked_for_at_once() {
    let all = criteria(&["--criterion", "omcdc:all,mcdc"]);
    assert_eq!(all, ["mcdc", "omcdc", "omcdc:tags", "omcdc:exact"]);
    for wrong in ["bvc:all", "nix:all", ":all", "omcdcall"] {
        let flags = ["obligato", "judge", "f", "--tests", "t", "--criterion", wrong];
        let error = Cli::try_parse_from(flags).unwrap_err().to_string();
        assert!(
            error.contains(&format!("no criterion is called '{wrong}'; there are ")),
            "{error}"
        );
    }
}
