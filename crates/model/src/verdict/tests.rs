//! What is printed is read back as the same data, and what nobody knows stays as it is.

use super::words::Names;
use super::*;

fn names(names: &[&str]) -> Names {
    Names::new(names.iter().copied()).expect("some names")
}

#[test]
fn assumptions_are_read_back_from_their_words() {
    let function = |calls, body, repeats| Assumption::FreeFunction {
        name: "f".to_owned(),
        body,
        calls,
        repeats,
    };
    for assumption in [
        Assumption::Steps(1),
        Assumption::Steps(5),
        Assumption::InitialState(names(&["a"])),
        Assumption::InitialState(names(&["a", "b.c", "d"])),
        Assumption::InitialState(names(&["a", "b", "c", "d", "e", "f"])),
        Assumption::PointerTargets,
        Assumption::NullPointers(names(&["p->next"])),
        Assumption::NullPointers(names(&["p", "q"])),
        Assumption::NamedEnumerators,
        Assumption::InputRanges,
        Assumption::Precondition("x < y".to_owned()),
        Assumption::Zero("x".to_owned()),
        Assumption::StubResults(3),
        Assumption::NoCode,
        Assumption::ModelAssertions,
        Assumption::FreeConstant("N".to_owned()),
        Assumption::ImportedNode { node: "n".to_owned(), input: "n.y".to_owned() },
        Assumption::ClockedOutput("y".to_owned()),
        Assumption::ClockedInput("x".to_owned()),
        Assumption::FreeType("t".to_owned()),
        function(1, MissingBody::Imported, Repeats::Constant),
        function(2, MissingBody::Absent, Repeats::Always),
        function(3, MissingBody::Absent, Repeats::WithinStep),
        function(4, MissingBody::Imported, Repeats::Never),
        Assumption::Uncertified,
        Assumption::Other("the moon is up".to_owned()),
    ] {
        assert_eq!(Assumption::read(&assumption.to_string()), assumption, "{assumption}");
    }
}

#[test]
fn reasons_are_read_back_from_their_words() {
    for limit in [
        Undecided::Solver(SolverLimit::Conflicts(100)).into(),
        Undecided::Solver(SolverLimit::Time).into(),
        Undecided::Solver(SolverLimit::Unknown).into(),
        Undecided::Solver(SolverLimit::UnknownCut).into(),
        Undecided::Solver(SolverLimit::WrongModel).into(),
        Undecided::Solver(SolverLimit::LeftOut("a division of 512 bits".to_owned())).into(),
        Undecided::Unobservable.into(),
        Undecided::Divergence.into(),
        Undecided::NotReproduced.into(),
        Undecided::RunEnded(RunLimit::Operations).into(),
        Undecided::RunEnded(RunLimit::Calls).into(),
        Undecided::RunEnded(RunLimit::Memory).into(),
        Undecided::RunEnded(RunLimit::Objects).into(),
        Undecided::NotFollowed("'qsort', which looks at inputs".to_owned()).into(),
        Undecided::EffectCutOff.into(),
        Undecided::PartlyFolded.into(),
        Undecided::NoPathShowsEffect.into(),
        Undecided::NoProofOfTags.into(),
        Undecided::NoFunction("f".to_owned(), 3).into(),
        Undecided::Other("a loop that is long".to_owned()).into(),
        Limit::AnotherShard,
        Limit::JustificationWithdrawn,
    ] {
        let words = limit.undecided_words().expect("belongs to the undecided");
        assert_eq!(Limit::undecided(&words), limit);
        assert_eq!(limit.to_string(), format!("undecided: {words}"));
    }
}

#[test]
fn what_is_not_supported_or_too_much_is_read_back_from_its_words() {
    for what in [
        Unsupported::Construct("inline assembly".to_owned()),
        Unsupported::NotWatched("operands".to_owned()),
        Unsupported::OperandsNotRecorded,
        Unsupported::NotInCompiledCode("merged".to_owned()),
        Unsupported::NotMeasuredByClang("it was folded".to_owned()),
        Unsupported::UniqueCausePairs(20),
    ] {
        assert_eq!(Unsupported::read(&what.to_string()), what, "{what}");
    }
    for what in [
        TooMany::Vectors(Some(1 << 70), 4096),
        TooMany::Vectors(None, 4096),
        TooMany::Other("stars".to_owned()),
    ] {
        assert_eq!(TooMany::read(&what.to_string()), what, "{what}");
    }
}

#[test]
fn bounds_are_read_back_from_their_words() {
    let bounds = [
        Bound::Steps(2),
        Bound::Elements(4),
        Bound::PointerDepth(3),
        Bound::Structures(2),
        Bound::StubResults(4),
        Bound::ArrayCells(16),
        Bound::Unwinding(32),
        Bound::CallDepth(64),
        Bound::NoAliasing,
        Bound::TerminatedStrings,
        Bound::Inputs(4096),
        Bound::ZeroedMemory,
        Bound::AddressLayout,
        Bound::OwnCallbacks,
        Bound::OtherCalls(names(&["mode", "count"])),
        Bound::StubEffects(names(&["mode", "count"])),
        Bound::VolatileMemory(names(&["mode", "count"])),
        Bound::FixedInputs(names(&["mode", "count"])),
        Bound::NamedEnumerators,
        Bound::SuccessfulAllocation,
        Bound::Other("patience".to_owned()),
    ];
    for bound in &bounds {
        assert_eq!(Bound::read(&bound.to_string()), *bound, "{bound}");
    }
    let limit = Limit::NotWithinBounds(vec![Bound::Steps(2), Bound::NoAliasing]);
    assert_eq!(limit.to_string(), "not within bounds: steps at most 2, no aliasing");
    assert_eq!(Bound::Steps(2).lifted_by(), Some("--steps"));
    assert_eq!(Bound::NoAliasing.lifted_by(), Some("--alias"));
    assert_eq!(Bound::Unwinding(2).lifted_by(), None);
}

#[test]
fn words_that_only_resemble_known_ones_stay_as_they_are() {
    for words in [
        "tests have at most 05 steps",
        "tests have at most 1 steps",
        "'a' and 'b' starts as the file has it (--state free and --global make inputs of such)",
        "the function 'f' is imported: what its 1 calls give is an input; it gives the same in every step",
    ] {
        assert_eq!(Assumption::read(words), Assumption::Other(words.to_owned()));
    }
    let words = "the limit of +3 conflicts was reached";
    assert_eq!(Undecided::read(words), Undecided::Other(words.to_owned()));
}
