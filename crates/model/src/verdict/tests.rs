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
        Assumption::Undefined("n.y".to_owned()),
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
fn words_of_earlier_releases_are_read_as_what_they_meant() {
    let unconstrained = NotFollowed::UnconstrainedAccess;
    for (words, reason) in [
        ("a run went another way than its path condition says", Undecided::Divergence),
        (
            "no difference was found, but some runs are cut off or end in a fault",
            Undecided::EffectCutOff,
        ),
        ("all paths were seen, and none shows its effect", Undecided::NoPathShowsEffect),
        (
            "an access through a pointer that may be anything",
            Undecided::CutOff(unconstrained.clone()),
        ),
        (
            "not followed: an access through a pointer that may be anything",
            Undecided::NotFollowed(unconstrained),
        ),
        ("an offset that may be too many", Undecided::CutOff(NotFollowed::SymbolicOffset)),
    ] {
        assert_eq!(Limit::undecided(words), reason.into(), "{words}");
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
        Undecided::NotFollowed(NotFollowed::ReadsInputs("qsort".to_owned())).into(),
        Undecided::NotFollowed(NotFollowed::Other("a fence".to_owned())).into(),
        Undecided::CutOff(NotFollowed::Call("qsort".to_owned())).into(),
        Undecided::EffectCutOff.into(),
        Undecided::PartlyFolded.into(),
        Undecided::NoPathShowsEffect.into(),
        Undecided::NoProofOfTags.into(),
        Undecided::NoFunction("f".to_owned(), 3).into(),
        Undecided::UndefinedFirst("main.pre x".to_owned()).into(),
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
fn what_is_not_followed_is_read_back_from_its_words() {
    let name = || "f".to_owned();
    for reason in [
        NotFollowed::FormulaLimit,
        NotFollowed::Terms(1000),
        NotFollowed::Forks(1000),
        NotFollowed::SymbolicObjectSize,
        NotFollowed::SymbolicCopySize,
        NotFollowed::SymbolicFillSize,
        NotFollowed::SymbolicVolatileSize,
        NotFollowed::LargeObject,
        NotFollowed::LargeArgument,
        NotFollowed::LargeVariadicArguments,
        NotFollowed::LargeFill,
        NotFollowed::LargeComparison,
        NotFollowed::LargeString,
        NotFollowed::SymbolicOffset,
        NotFollowed::UnconstrainedAccess,
        NotFollowed::UnconstrainedCall,
        NotFollowed::FixedCall,
        NotFollowed::UnconstrainedFree,
        NotFollowed::FreedInput,
        NotFollowed::StubArguments,
        NotFollowed::VolatileArguments,
        NotFollowed::Call(name()),
        NotFollowed::UndefinedCall(name()),
        NotFollowed::ReturnsTwice(name()),
        NotFollowed::ReadsInputs(name()),
        NotFollowed::Operation("Fence".to_owned()),
        NotFollowed::UnknownCut,
    ] {
        let words = reason.to_string();
        assert_eq!(NotFollowed::read(&words), reason, "{words}");
        assert_eq!(Undecided::read(&words), Undecided::CutOff(reason), "{words}");
    }
    let words = "a call of 'f', which sleeps";
    assert_eq!(NotFollowed::read(words), NotFollowed::Other(words.to_owned()));
    assert_eq!(Undecided::read(words), Undecided::Other(words.to_owned()));
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
        Bound::SameObjects,
        Bound::OtherCalls(names(&["mode", "count"])),
        Bound::StubEffects(names(&["mode", "count"])),
        Bound::VolatileMemory(names(&["mode", "count"])),
        Bound::FixedInputs(names(&["mode", "count"])),
        Bound::NamedEnumerators,
        Bound::SuccessfulAllocation,
        Bound::SuccessfulOutput,
        Bound::Locale,
        Bound::Other("patience".to_owned()),
    ];
    for bound in &bounds {
        assert_eq!(Bound::read(&bound.to_string()), *bound, "{bound}");
        if let Some(value) = bound.value() {
            assert_eq!(Bound::with_value(bound.kind(), value).as_ref(), Some(bound));
            let one = Bound::with_value(bound.kind(), 1).expect("a kind with a number");
            assert_eq!(Bound::read(&one.to_string()), one, "{one}");
        }
    }
    let limit = Limit::NotWithinBounds(vec![Bound::Steps(2), Bound::NoAliasing]);
    assert_eq!(
        limit.to_string(),
        "not within bounds: at most 2 steps, no two pointers to one object"
    );
    assert_eq!(Bound::Steps(1).to_string(), "one step");
}

#[test]
fn words_of_earlier_versions_are_read_as_the_same_bounds() {
    for (words, bound) in [
        ("steps at most 1", Bound::Steps(1)),
        ("elements behind a pointer at most 8", Bound::Elements(8)),
        ("no aliasing", Bound::NoAliasing),
        ("no effects of 'poll' and 'read'", Bound::StubEffects(names(&["poll", "read"]))),
        ("one value for 'x'", Bound::FixedInputs(names(&["x"]))),
        ("at most 1 steps", Bound::Other("at most 1 steps".to_owned())),
    ] {
        assert_eq!(Bound::read(words), bound);
    }
}

#[test]
fn a_bound_names_what_lifts_it_with_a_value_worth_trying() {
    for (bound, expected) in [
        (Bound::Steps(1), "--steps 4"),
        (Bound::Elements(8), "--elements 16"),
        (Bound::Elements(1), "--elements NAME=4"),
        (Bound::PointerDepth(3), "--depth 4"),
        (Bound::NoAliasing, "--alias"),
        (
            Bound::OtherCalls(names(&["mode"])),
            "--init or --event with the functions that change it, or --state free",
        ),
        (Bound::ZeroedMemory, "a justification"),
    ] {
        assert_eq!(bound.remedy().to_string(), expected);
    }
    assert_eq!(Bound::Steps(2).lifted_by(), Some("--steps"));
    assert_eq!(Bound::Unwinding(2).lifted_by(), None);
}

#[test]
fn a_refutation_over_more_tests_says_more() {
    let two = Bound::OtherCalls(names(&["a", "b"]));
    let one = Bound::OtherCalls(names(&["a"]));
    let stronger: [(Vec<Bound>, Vec<Bound>); 4] = [
        (vec![], vec![Bound::NoAliasing]),
        (vec![Bound::Steps(4)], vec![Bound::Steps(1)]),
        (vec![Bound::Steps(1)], vec![Bound::NoAliasing, Bound::Steps(1)]),
        (vec![one], vec![two]),
    ];
    for (stronger, weaker) in &stronger {
        assert!(is_stronger(stronger, weaker), "{stronger:?} {weaker:?}");
        assert!(!is_stronger(weaker, stronger), "{stronger:?} {weaker:?}");
        assert_eq!(strongest(&[weaker, stronger]), Some(1));
    }
    // Neither says more than the other: nothing is left out of either.
    let [steps, elements] = [Bound::Steps(1), Bound::Elements(8)];
    let pair = [Bound::NoAliasing, Bound::ZeroedMemory];
    assert_eq!(strongest(&[&pair, std::slice::from_ref(&steps)]), Some(1));
    let [steps, elements] = [[steps], [elements]];
    assert_eq!(strongest(&[&steps, &elements]), Some(0));
    assert_eq!(strongest(&[]), None);
}

#[test]
fn obligations_are_grouped_by_equal_bounds_with_what_lifts_them() {
    let bounded = |bounds: &[Bound]| Verdict::Unresolved(Limit::NotWithinBounds(bounds.to_vec()));
    let few = bounded(&[Bound::NoAliasing, Bound::ZeroedMemory, Bound::Elements(8)]);
    let many = bounded(&[Bound::Steps(1)]);
    let late = Verdict::Unresolved(Limit::Spent(Spent::Seconds(1)));
    let verdicts = [few.clone(), many.clone(), late, many.clone()];
    let groups = BoundedGroup::of(&verdicts);
    assert_eq!(groups.len(), 2);
    assert_eq!(
        (groups[0].members.as_slice(), groups[0].next().as_str()),
        (&[1, 3][..], "--steps 4")
    );
    assert_eq!(groups[1].members, [0]);
    assert_eq!(groups[1].next(), "--alias --elements 16; a justification");
    let mut tally = Tally::default();
    for verdict in &verdicts {
        tally.count(verdict);
    }
    assert_eq!((tally.bounded, tally.unresolved, tally.open(), tally.total()), (3, 1, 4, 4));
    assert_eq!((many.name(), many.class()), ("unresolved", "bounded"));
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
