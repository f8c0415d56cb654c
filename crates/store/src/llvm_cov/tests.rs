//! Tests of what llvm-cov writes: both formats, and what is refused.

use super::*;

fn at(line: u32, column: u32) -> Position {
    Position { line, column }
}

/// As llvm-cov 19 prints it of `if (a && (b || c)) return 1;`.
const TEXT: &str = "    3|      3|int f(int a, int b, int c) {
    4|      3|  if (a && (b || c))
  ------------------
  |  Branch (4:7): [True: 2, False: 1]
  |  Branch (4:13): [True: 0, False: 2]
  |  Branch (4:18): [True: 1.20k, False: 1]
  ------------------
  |---> MC/DC Decision Region (4:7) to (4:20)
  |
  |  Number of Conditions: 3
  |     Condition C1 --> (4:7)
  |     Condition C2 --> (4:13)
  |     Condition C3 --> (4:18)
  |
  |  Executed MC/DC Test Vectors:
  |
  |     C1, C2, C3    Result
  |  1 { F,  -,  -  = F      }
  |  2 { T,  F,  T  = T      }
  |
  |  C1-Pair: covered: (1,2)
  |  C2-Pair: not covered
  |  MC/DC Coverage for Decision: 66.67%
  |
  ------------------
    5|      1|    return 1;
";

fn json(version: &str, record: &str) -> String {
    format!(
        r#"{{"data":[{{"files":[{{"filename":"/a/m.c",
        "branches":[[4,7,4,8,2,1,0,0,6],[4,13,4,14,0,2,0,0,6],[4,18,4,19,1,1,0,0,6],[9,1,9,2,5,5,1,0,6]],
        "mcdc_records":[{record}],
        "segments":[[3,28,3,true,true,false],[5,5,0,true,true,false],[6,2,0,false,false,false]],
        "expansions":[],"summary":{{}}}}],"functions":[],"totals":{{}}}}],
        "type":"llvm.coverage.json.export","version":"{version}"}}"#
    )
}

#[test]
fn the_text_has_branches_and_vectors() {
    let files = parse(TEXT.as_bytes()).unwrap();
    let [file] = &files[..] else { panic!("{files:?}") };
    assert_eq!(file.branches[1].at, at(4, 13));
    assert_eq!((file.branches[1].taken, file.branches[1].passed), (false, true));
    assert!(file.branches[2].taken);
    let expected = ClangDecision {
        at: at(4, 7),
        conditions: vec![at(4, 7), at(4, 13), at(4, 18)],
        vectors: Some(vec![
            vec![Some(false), None, None],
            vec![Some(true), Some(false), Some(true)],
        ]),
    };
    assert_eq!(file.decisions, [expected]);
}

#[test]
fn the_json_has_vectors_since_version_3_1() {
    let vectors = r#"[4,7,4,20,1,1,0,0,5,[true,false,true],[
        {"conditions":[false,null,null],"executed":true,"result":false},
        {"conditions":[true,true,null],"executed":false,"result":true}]]"#;
    let files = parse(json("3.1.0", vectors).as_bytes()).unwrap();
    let [decision] = &files[0].decisions[..] else { panic!("{files:?}") };
    assert_eq!(decision.vectors, Some(vec![vec![Some(false), None, None]]));
    assert_eq!(decision.conditions, [at(4, 7), at(4, 13), at(4, 18)]);
    assert_eq!(files[0].branches.len(), 3, "that of a macro is not listed");
    let executed: Vec<_> = files[0].segments.iter().flatten().map(|one| one.executed).collect();
    assert_eq!(executed, [Some(true), Some(false), None]);
    let old = parse(json("2.0.1", "[4,7,4,20,0,5,[true,false,true]]").as_bytes()).unwrap();
    assert_eq!(old[0].decisions[0].vectors, None);
}

#[test]
fn what_is_something_else_is_refused_with_its_place() {
    let vector = r#"[4,7,4,20,1,1,0,0,5,[true],[{"conditions":[true,true]}]]"#;
    for (text, expected) in [
        (String::new(), "1:1: this is neither"),
        ("a,b\n1,2\n".to_owned(), "1:1: this is neither"),
        ("{".to_owned(), "this is not JSON"),
        (r#"{"type":"x"}"#.to_owned(), "not what 'llvm-cov export' writes"),
        (json("9.0.0", ""), "version '\"9.0.0\"' is not known"),
        (json("3.1.0", "[1,2]"), "3:25: a record of MC/DC has a place"),
        (json("3.1.0", "[-1,2,3,4,0,5,[true]]"), "3:26: expected a whole number"),
        (json("3.1.0", vector), "expected the values of 1 conditions"),
        (json("3.1.0", "").replace("segments", "seg"), "has only summaries"),
        (TEXT.replace("[True: 2, False: 1]", "[True: 2]"), "4:1: expected the counts of a branch"),
        (TEXT.replace("F,  -,  -  = F", "F,  -  = F"), "18:1: expected a value for each condition"),
        (format!("{{\"type\":{}", "[".repeat(100_000)), "this is not JSON"),
    ] {
        let error = parse(text.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    assert!(parse(b"\xff").is_err());
}
