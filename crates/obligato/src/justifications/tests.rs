//! Tests of justifications: what is read and refused, what is put where, and what counts.

use obligato_model::{Limit, Method, Proof, Shortfall, TestId};

use super::*;

const HAND_WRITTEN: &str = "\
# Reviewed in March.

[[justification]]
id = \"mcdc@a.c#f/x\"
reason = '''
it's \"so\"'''
author = \"Hooke\"
date = 2026-03-01
fingerprint = \"0000000a\"

# This one is Newton's.
[[justification]]
id = \"mcdc@a.c#f/y\"
reason = \"two\"
author = \"Newton\"
date = \"2026-03-02\"
";

fn entry(id: &str, fingerprint: Option<&str>) -> Entry {
    Entry {
        id: id.to_owned(),
        reason: "a \"reason\"\nof two lines \\ ü".to_owned(),
        author: "R. Hooke".to_owned(),
        date: "2026-03-01".to_owned(),
        fingerprint: fingerprint.map(str::to_owned),
        number: None,
        reviews_proof: false,
    }
}

#[test]
fn what_is_wrong_with_the_file_is_said_with_its_place() {
    let good =
        "[[justification]]\nid = \"a\"\nreason = \"b\"\nauthor = \"c\"\ndate = \"2026-02-28\"\n";
    assert!(document::parse(good.as_bytes()).is_ok());
    for (text, expected) in [
        (good.replace("reason = \"b\"", "reason = \" \""), "3:10: the reason of a justification"),
        (good.replace("02-28", "02-29"), "5:8: '2026-02-29' is not a date"),
        (good.replace("author = \"c\"\n", ""), "1:1: missing field `author`"),
        (good.replace("author", "auhtor"), "4:1: unknown field `auhtor`"),
        (format!("{good}fingerprint = \"12\"\n"), "6:15: a fingerprint has 8 or 16 digits"),
        (format!("{good}{good}"), "7:6: there are two justifications of 'a'"),
        (good.replace("]]", "]"), "1:"),
    ] {
        let error = document::parse(text.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
    let error = document::parse(b"# \xff").unwrap_err().to_string();
    assert!(error.contains("1:3: this is not UTF-8"), "{error}");
}

#[test]
fn an_entry_is_put_behind_the_others_or_in_the_place_of_its_own() {
    let first = put("", &entry("a", None)).unwrap();
    let both = put(&first, &entry("b", Some("01234567"))).unwrap();
    let read = document::parse(both.as_bytes()).unwrap();
    assert_eq!(read, [entry("a", None), entry("b", Some("01234567"))]);

    let changed = put(HAND_WRITTEN, &entry("mcdc@a.c#f/x", Some("0000000b"))).unwrap();
    assert!(changed.starts_with("# Reviewed in March.\n\n[[justification]]\n"), "{changed}");
    assert!(changed.contains("\n\n# This one is Newton's.\n[[justification]]\n"), "{changed}");
    let read = document::parse(changed.as_bytes()).unwrap();
    assert_eq!(read[0], entry("mcdc@a.c#f/x", Some("0000000b")));
    assert_eq!(read[1].author, "Newton");
    let strange = "justification = [{id=\"a\", reason=\"b\", author=\"c\", date=\"2026-01-01\"}]\n";
    assert_eq!(put(strange, &entry("a", None)), None);
}

#[test]
fn comments_beside_and_behind_entries_stay() {
    let text = HAND_WRITTEN.replace("0000000a\"", "0000000a\" # as of release 3") + "# The end.";
    let changed = put(&text, &entry("mcdc@a.c#f/x", Some("0000000b"))).unwrap();
    assert!(changed.contains("fingerprint = \"0000000b\" # as of release 3\n"), "{changed}");
    assert!(changed.ends_with("date = \"2026-03-02\"\n# The end."), "{changed}");
    let added = put(&text, &entry("new", None)).unwrap();
    assert!(added.starts_with(&text), "{added}");
    assert!(added[text.len()..].starts_with("\n\n[[justification]]\nid = \"new\"\n"), "{added}");
    let windows = HAND_WRITTEN.replace('\n', "\r\n");
    let short = Entry { reason: "one line".to_owned(), ..entry("new", None) };
    let expected = put(HAND_WRITTEN, &short).unwrap().replace('\n', "\r\n");
    assert_eq!(put(&windows, &short), Some(expected));
    // The line end within its reason would become another one.
    let mixed = put(&windows, &entry("new", None)).unwrap();
    assert_eq!(document::parse(mixed.as_bytes()).unwrap()[2], entry("new", None));
}

fn result(verdicts: &[Verdict]) -> StoredResult {
    let criterion: Criterion = "mcdc".parse().unwrap();
    let obligations = verdicts.iter().enumerate().map(|(at, verdict)| StoredObligation {
        id: format!("mcdc@a.c#f/{at}"),
        criterion,
        file: "a.c".to_owned(),
        function: "f".to_owned(),
        span: "1:1-1:2".parse().unwrap(),
        text: "it".to_owned(),
        verdict: verdict.clone(),
        review: None,
        ends_in: None,
    });
    StoredResult {
        tool: "t".to_owned(),
        criteria: vec![criterion],
        tests: vec!["t1".to_owned()],
        outcomes: Vec::new(),
        observed: Vec::new(),
        functions: vec![StoredFunction {
            file: "a.c".to_owned(),
            function: "f".to_owned(),
            fingerprint: "0000000a".to_owned(),
            code: None,
        }],
        shard: None,
        obligations: obligations.collect(),
    }
}

#[test]
fn a_reason_counts_for_the_code_it_was_given_for_and_for_nothing_else() {
    let open = Verdict::Unresolved(Limit::Suite(Shortfall::NeverWithValue));
    let covered = Verdict::Covered { tests: vec![TestId::new(0)], pair: None };
    let withdrawn = Verdict::Justified(entry("", None).justification());
    let mut found = result(&[open.clone(), open.clone(), open.clone(), covered, withdrawn]);
    let known = Justifications {
        entries: vec![
            entry("mcdc@a.c#f/0", Some("0000000a")),
            entry("mcdc@a.c#f/1", Some("0000000b")),
            entry("mcdc@a.c#f/2", None),
            entry("mcdc@a.c#f/3", Some("0000000a")),
            entry("mcdc@a.c#f/gone", Some("0000000a")),
            entry("mcdc@a.c#g/0", Some("0000000a")),
            entry("branch@a.c#f/0", Some("0000000a")),
        ],
        exists: true,
    };
    let standings: Vec<&str> =
        known.standings(&found).into_iter().map(JustificationStanding::word).collect();
    let expected = ["counts", "stale", "unmarked", "covered", "gone", "elsewhere", "elsewhere"];
    assert_eq!(standings, expected);
    let notes = known.apply(&mut found);
    let verdicts: Vec<&str> = found.obligations.iter().map(|one| one.verdict.name()).collect();
    assert_eq!(verdicts, ["justified", "unresolved", "unresolved", "covered", "unresolved"]);
    assert_eq!(notes.len(), 4, "{notes:?}");
    assert!(notes[0].starts_with("warning: the justification of mcdc@a.c#f/1 is stale"));
    assert!(known.elsewhere(&found).is_some_and(|note| note.contains("2 justifications")));
}

#[test]
fn a_reason_for_what_is_uncoverable_is_a_review_and_leaves_the_proof() {
    let proof = Proof { method: Method::Exploration, assumptions: Vec::new() };
    let proved = Verdict::Uncoverable(proof);
    let mut found = result(&[proved.clone(), proved.clone(), proved]);
    let known = Justifications {
        entries: vec![
            entry("mcdc@a.c#f/0", Some("0000000a")),
            entry("mcdc@a.c#f/1", Some("0000000b")),
        ],
        exists: true,
    };
    let standings: Vec<&str> =
        known.standings(&found).into_iter().map(JustificationStanding::word).collect();
    assert_eq!(standings, ["reviewed", "stale"]);
    let notes = known.apply(&mut found);
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert!(found.obligations.iter().all(|one| one.verdict.name() == "uncoverable"));
    let reviews: Vec<bool> = found.obligations.iter().map(|one| one.review.is_some()).collect();
    assert_eq!(reviews, [true, false, false]);
    // A review that was taken out of the file no longer counts.
    let none = Justifications { entries: Vec::new(), exists: true };
    none.apply(&mut found);
    assert!(found.obligations.iter().all(|one| one.review.is_none()));
}

#[test]
fn a_reason_follows_its_obligation_when_only_names_of_locals_change() {
    let open = Verdict::Unresolved(Limit::Suite(Shortfall::NeverWithValue));
    let mut found = result(&[open.clone(), open.clone(), open]);
    found.functions[0].code = Some("00000000000000cc".to_owned());
    assert_eq!(number_of(&found.obligations[1], &found), 2);
    let moved = |id: &str, code: &str, number| Entry { number, ..entry(id, Some(code)) };
    let known = Justifications {
        entries: vec![
            moved("mcdc@a.c#f/renamed", "00000000000000cc", Some(2)),
            moved("mcdc@a.c#f/changed", "00000000000000dd", Some(1)),
            moved("mcdc@a.c#f/beyond", "00000000000000cc", Some(9)),
            moved("mcdc@a.c#f/older", "00000000000000cc", None),
        ],
        exists: true,
    };
    let standings: Vec<&str> =
        known.standings(&found).into_iter().map(JustificationStanding::word).collect();
    assert_eq!(standings, ["counts", "gone", "gone", "gone"]);
    known.apply(&mut found);
    let verdicts: Vec<&str> = found.obligations.iter().map(|one| one.verdict.name()).collect();
    assert_eq!(verdicts, ["unresolved", "justified", "unresolved"]);
}

#[test]
fn a_review_of_a_proof_is_no_reason_once_the_proof_is_gone() {
    let open = Verdict::Unresolved(Limit::Suite(Shortfall::NeverWithValue));
    let mut found = result(&[open]);
    let review = Entry { reviews_proof: true, ..entry("mcdc@a.c#f/0", Some("0000000a")) };
    let text = put("", &review).unwrap();
    assert!(text.ends_with("verdict = \"uncoverable\"\n"), "{text}");
    let known = Justifications { entries: document::parse(text.as_bytes()).unwrap(), exists: true };
    assert_eq!(known.standings(&found), [JustificationStanding::Unproved]);
    let notes = known.apply(&mut found);
    assert!(notes.iter().any(|note| note.contains("this result has no proof of it")), "{notes:?}");
    assert_eq!(found.obligations[0].verdict.name(), "unresolved");
    let wrong = text.replace("uncoverable", "covered");
    let error = document::parse(wrong.as_bytes()).unwrap_err().to_string();
    assert!(error.contains("the verdict of a review is 'uncoverable'"), "{error}");
}

#[test]
fn a_fingerprint_of_the_code_counts_where_there_is_one_and_one_of_the_text_as_before() {
    let open = Verdict::Unresolved(Limit::Suite(Shortfall::NeverWithValue));
    let mut found = result(&[open.clone(), open.clone(), open]);
    found.functions[0].code = Some("00000000000000cc".to_owned());
    let known = Justifications {
        entries: vec![
            entry("mcdc@a.c#f/0", Some("00000000000000cc")),
            entry("mcdc@a.c#f/1", Some("00000000000000dd")),
            entry("mcdc@a.c#f/2", Some("0000000a")),
        ],
        exists: true,
    };
    let words: Vec<&str> =
        known.standings(&found).into_iter().map(JustificationStanding::word).collect();
    assert_eq!(words, ["counts", "stale", "counts"]);
    // An earlier version has stored no fingerprint of the code: nobody can tell.
    found.functions[0].code = None;
    let words: Vec<&str> =
        known.standings(&found).into_iter().map(JustificationStanding::word).collect();
    assert_eq!(words, ["stale", "stale", "counts"]);
}

#[test]
fn a_result_keeps_its_reasons_where_there_is_no_file() {
    let mut found = result(&[Verdict::Justified(entry("", None).justification())]);
    let before = found.clone();
    assert!(Justifications::default().apply(&mut found).is_empty());
    assert_eq!(found, before);
}
