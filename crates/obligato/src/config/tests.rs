//! Tests of settings: what is read, what is refused, and that the page on them is true.

use super::*;

fn read(text: &str) -> Result<Configuration, String> {
    let mut found = Configuration::default();
    found.read(text.as_bytes()).map(|()| found).map_err(|error| error.to_string())
}

#[test]
fn an_empty_file_sets_nothing() {
    assert_eq!(read("").unwrap().settings, Settings::default());
}

#[test]
fn what_is_wrong_is_said_with_its_line_and_column() {
    for (text, expected) in [
        ("[inputs]\nelemens = 3\n", "2:1: unknown field `elemens`"),
        ("[inputs]\nelements = 3.5\n", "2:12: invalid type"),
        ("[inputs]\nelements = 99999\n", "2:12: at most 4096 are possible"),
        ("[inputs]\ndepth = 99\n", "2:9: at most 16 are possible"),
        ("[inputs.ranges]\n\n\u{e4} = 1\n", "3:"),
        ("[inputs.ranges]\nx = \"9..1\"\n", "2:5: this range is empty"),
        ("[inputs]\nstate = \"wild\"\n", "2:9: unknown variant `wild`"),
        ("[inputs\n", "1:8: "),
        ("signed-overflow = 1\n", "1:19: "),
        ("[limits]\noperations = -1\n", "2:14: "),
    ] {
        let error = read(text).map(|_| ()).unwrap_err();
        assert!(error.contains(expected), "{text}: {error}");
    }
    let mut found = Configuration::default();
    let error = found.read(b"# \xff").map_err(|error| error.to_string());
    assert!(error.is_err_and(|error| error.contains("1:3: this is not UTF-8")));
}

#[test]
fn a_flag_wins_over_the_file() {
    let mut found = read("[inputs]\nelements = 2\ncalls = 1\nranges.x = \"0..1\"\n").unwrap();
    let range = "x=0..9".parse().unwrap();
    let elements = vec!["3".parse().unwrap(), "p=5".parse().unwrap()];
    let flags = InputOptions { elements, range: vec![range], ..InputOptions::default() };
    found.apply(&flags).unwrap();
    assert_eq!((found.settings.elements, found.settings.calls), (3, 1));
    assert_eq!(found.settings.sizes["p"], 5);
    assert_eq!(found.settings.ranges["x"], settings::Range { low: 0.into(), high: 9.into() });
    let flags = InputOptions { array: Some(5000), ..InputOptions::default() };
    assert!(found.apply(&flags).is_err());
}

/// The fenced block of `docs/c.md` with this tag.
fn documented(tag: &str) -> String {
    let manifest = std::env::var("CARGO_MANIFEST_DIR").unwrap();
    let page = std::fs::read_to_string(Path::new(&manifest).join("../../docs/c.md")).unwrap();
    let (_, rest) = page.split_once(&format!("```{tag}\n")).unwrap();
    rest.split_once("```").unwrap().0.to_owned()
}

#[test]
fn the_documented_settings_are_the_defaults_and_are_all_there_are() {
    let text = documented("toml defaults");
    let found = read(&text).unwrap();
    assert_eq!(found.settings, Settings::default());
    assert_eq!(format!("{:?}", found.options), format!("{:?}", RunOptions::default()));
    for key in [
        "elements",
        "structures",
        "depth",
        "array",
        "calls",
        "terminated",
        "alias",
        "state",
        "init",
        "events",
        "volatile",
        "allocation",
        "globals",
        "fixed",
        "elements-of",
        "ranges",
        "preconditions",
        "observe",
        "signed-overflow",
        "operations",
        "call-depth",
        "memory",
        "stubs",
    ] {
        assert!(text.contains(key), "{key}");
    }
}

#[test]
fn the_documented_example_is_read() {
    let found = read(&documented("toml example")).unwrap();
    assert_eq!(found.settings.ranges["speed"], settings::Range { low: 0.into(), high: 300.into() });
    assert_eq!(found.settings.sizes["frame->data"], 4);
    assert_eq!(found.settings.state, settings::State::Free);
    let of_step: Vec<&String> = found.settings.preconditions_of("step").collect();
    assert_eq!(of_step, ["frame == NULL || frame->length >= 2", "low <= high"]);
    assert_eq!(found.settings.preconditions_of("other").count(), 0);
}
