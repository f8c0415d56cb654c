//! Every check, on this workspace.

use std::path::Path;

use obligato_test_support::repository;
use obligato_tidy::architecture::{check_architecture, check_design};
use obligato_tidy::direction::{check_direction, check_members};
use obligato_tidy::documents::{check_changelog, check_links, check_readme};
use obligato_tidy::doors::check_doors;
use obligato_tidy::sources::{check_lengths, check_names, check_openings};
use obligato_tidy::verdicts::check_verdicts;

fn assert_kept(check: fn(&Path) -> Vec<String>) {
    let problems = check(&repository());
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

#[test]
fn our_crates_use_only_crates_above_them() {
    assert_kept(check_direction);
}

#[test]
fn every_crate_is_a_member_of_the_workspace() {
    assert_kept(check_members);
}

#[test]
fn foreign_crates_are_named_only_at_their_doors() {
    assert_kept(check_doors);
}

#[test]
fn the_architecture_names_only_paths_that_exist() {
    assert_kept(check_architecture);
}

#[test]
fn the_design_names_only_paths_that_exist() {
    assert_kept(check_design);
}

#[test]
fn every_rust_file_opens_with_what_it_is() {
    assert_kept(check_openings);
}

#[test]
fn no_rust_file_is_too_long() {
    assert_kept(check_lengths);
}

#[test]
fn no_file_has_a_name_that_says_nothing() {
    assert_kept(check_names);
}

#[test]
fn the_changelog_has_a_version_heading() {
    assert_kept(check_changelog);
}

#[test]
fn links_between_documents_lead_somewhere() {
    assert_kept(check_links);
}

#[test]
fn the_readme_is_short_and_mentions_the_first_commands() {
    assert_kept(check_readme);
}

#[test]
fn verdicts_are_made_by_criteria_campaign_and_stores_only() {
    assert_kept(check_verdicts);
}
