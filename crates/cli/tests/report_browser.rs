//! The page that `obligato report --html` writes, in a real Chromium: filters, links, truth tables, keyboard, narrow windows,
//! no request and no complaint. `scripts/setup --test` installs what it takes; without it the tests say that they were
//! skipped. With `REPORT_SHOTS=DIR` pictures are left there.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

mod support;

use serde_json::json;
use support::{Bench, cabin, root};

/// Where `scripts/setup --test` puts the modules that drive Chromium.
fn modules() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(root().join("target"), PathBuf::from);
    root().join(target).join("browser/node_modules")
}

/// Runs the script on a page, unless something is missing that it needs.
fn browse(what: &str, page: &Path, expected: &str, name: &str) -> Option<String> {
    let modules = modules();
    for needed in [Path::new("/usr/bin/chromium"), &modules.join("playwright-core")] {
        if !needed.exists() {
            skip(&format!("{} is missing; 'scripts/setup --test' installs it", needed.display()));
            return None;
        }
    }
    let shots = std::env::var_os("REPORT_SHOTS")
        .map(|directory| PathBuf::from(directory).join(name).display().to_string());
    let run = Command::new("node")
        .arg(root().join("crates/cli/tests/browser/report.cjs"))
        .args([what, &page.display().to_string(), expected])
        .args(shots)
        .env("NODE_PATH", modules)
        .output();
    let run = match run {
        Ok(run) => run,
        Err(error) => {
            skip(&format!("node: {error}"));
            return None;
        }
    };
    let said = String::from_utf8_lossy(&[run.stdout, run.stderr].concat()).into_owned();
    assert!(run.status.success(), "{said}");
    Some(said)
}

#[expect(clippy::print_stderr, reason = "whoever reads the log should know")]
fn skip(why: &str) {
    eprintln!("skipped: {why}");
}

#[test]
fn a_reader_finds_the_way_through_the_report_of_a_lustre_model() {
    let bench = cabin();
    bench.succeed("measure cabin.lus --tests cabin.csv --criterion decision,mcdc,omcdc,bvc");
    bench.succeed("report --html report.html");
    let expected = json!({
        "subject": "cabin.lus",
        "total": 82,
        "criterion": "mcdc",
        "open": 3,
        "decision": "(cold or measured < wanted) and not door_open",
        "rows": [
            ["1", "T", "T", "T*", "F", "missing"],
            ["2", "T", "T", "F*", "T", "warm up too long"],
            ["3", "T", "F", "T*", "F", "missing"],
            ["4", "T*", "F", "F*", "T", "missing"],
            ["5", "F", "T", "T*", "F", "too long"],
            ["6", "F", "T*", "F*", "T", "missing"],
            ["7", "F", "F", "T", "F", "missing"],
            ["8", "F*", "F*", "F", "F", "warm up"],
        ],
        "tests": ["warm up", "too long"],
        "variables": ["cold", "measured", "heating", "warning"],
    });
    browse("read", &bench.0.path().join("report.html"), &expected.to_string(), "lustre");
}

#[test]
fn a_reader_finds_the_way_through_the_report_of_a_c_unit() {
    let read = |name: &str| fs::read_to_string(root().join("examples").join(name)).unwrap();
    let bench = Bench::new(&[("valve.c", &read("valve.c")), ("valve.csv", &read("valve.csv"))]);
    bench.succeed("measure valve.c --tests valve.csv --criterion statement,branch,mcdc");
    bench.succeed("report --html report.html");
    let expected = json!({
        "subject": "valve.c",
        "total": 25,
        "criterion": "mcdc",
        "open": 5,
        "decision": "request->open && (filled < LIMIT || request->level > filled)",
        "rows": [
            ["1", "T*", "T*", "-", "T", "fill"],
            ["2", "T*", "F", "T*", "T", "missing"],
            ["3", "T", "F*", "F*", "F", "missing"],
            ["4", "F*", "-", "-", "F", "stay closed"],
        ],
        "tests": ["fill", "stay closed"],
        "variables": ["request->open", "request->level"],
    });
    browse("read", &bench.0.path().join("report.html"), &expected.to_string(), "c");
}

#[test]
fn every_part_of_the_report_of_a_campaign_with_mutants_can_be_read() {
    let bench = cabin();
    bench.succeed("generate cabin.lus --criterion mcdc,mutation --mutants 200 --budget 20000");
    bench.succeed("report --html report.html");
    let page = bench.0.path().join("report.html");
    let html = fs::read_to_string(&page).unwrap();
    assert!(html.contains("<h2>Survivors</h2>") && html.contains("<h2>Coverage over time</h2>"));
    browse("views", &page, "", "campaign");
}

#[test]
fn names_and_lines_that_try_to_be_something_else_are_shown_as_they_are() {
    let name = "nä<i>\"m'&e.decisions";
    let comment =
        format!("# </script><img src=x onerror=alert(1)> {} 温度", "<b>long</b> ".repeat(9000));
    let decisions = format!("{comment}\na && b\n");
    let test = "</td><b>\"it's\" & `x` Größe";
    let suite = format!("a,b\n# {test}\ntrue,true\n");
    let bench = Bench::new(&[(name, &decisions), ("suite.csv", &suite)]);
    bench.succeed(&format!("judge {name} --tests suite.csv --quiet"));
    bench.succeed("report --html report.html");
    let lines: Vec<&str> = decisions.lines().collect();
    let expected = json!({ "subject": name, "lines": lines, "test": test });
    let page = bench.0.path().join("report.html");
    browse("nasty", &page, &expected.to_string(), "nasty");
}

#[test]
fn ten_thousand_obligations_are_there_within_a_second() {
    let columns = 48;
    let mut decisions = String::new();
    for number in 0..1250_usize {
        let at = |step: usize| 1 + (number * 7 + step * 11) % columns;
        let (a, b, c, d) = (at(0), at(1), at(2), at(3));
        writeln!(decisions, "signal_{a} && (signal_{b} || signal_{c}) && !signal_{d}").unwrap();
    }
    let names: Vec<String> = (1..=columns).map(|at| format!("signal_{at}")).collect();
    let mut suite = names.join(",") + "\n";
    let mut state = 1_u64;
    for _ in 0..60 {
        let mut row = Vec::new();
        for _ in 0..columns {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            row.push(if state >> 62 == 0 { "true" } else { "false" });
        }
        writeln!(suite, "{}\n", row.join(",")).unwrap();
    }
    let bench = Bench::new(&[("large.decisions", &decisions), ("large.csv", &suite)]);
    bench.succeed("judge large.decisions --tests large.csv --quiet");
    bench.succeed("report --html large.html");
    let page = bench.0.path().join("large.html");
    let size = fs::metadata(&page).unwrap().len();
    assert!(size < 5_000_000, "{size} bytes");
    let html = fs::read_to_string(&page).unwrap();
    assert!(html.contains("10000 obligations"), "another number of obligations");
    let Some(said) = browse("large", &page, "", "large") else { return };
    assert!(said.contains("interactive after"), "{said}");
}
