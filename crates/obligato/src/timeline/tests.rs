//! Which samples are taken, and which are kept when there are many.

use super::*;

fn samples(recorder: &Recorder) -> Vec<Sample> {
    recorder.kept.iter().chain(&recorder.latest).cloned().collect()
}

fn add(recorder: &mut Recorder, milliseconds: u64, phase: &str, covered: usize) {
    recorder.add(Duration::from_millis(milliseconds), phase, [covered, 0]);
}

#[test]
fn only_what_changes_is_a_sample() {
    let mut recorder = Recorder::new();
    for (at, phase, covered) in
        [(0, "given", 0), (5, "given", 0), (9, "random", 0), (12, "random", 3), (40, "random", 3)]
    {
        add(&mut recorder, at, phase, covered);
    }
    let times: Vec<u64> = samples(&recorder).iter().map(|one| one.elapsed).collect();
    assert_eq!(times, [0, 9, 12]);
}

#[test]
fn many_samples_are_thinned_out_evenly_and_phases_and_the_last_stay() {
    let mut recorder = Recorder::new();
    let changes = 100_000;
    for at in 0..changes {
        let phase = match at {
            0..77_777 => "random",
            77_777 => "complete",
            _ => "prove",
        };
        add(&mut recorder, at, phase, at as usize);
        assert!(samples(&recorder).len() <= MOST_SAMPLES);
    }
    let kept = samples(&recorder);
    assert!(kept.len() > MOST_SAMPLES / 4, "{}", kept.len());
    assert_eq!(kept.last().map(|one| one.elapsed), Some(changes - 1));
    let firsts = [("random", 0), ("complete", 77_777), ("prove", 77_778)];
    for (phase, at) in firsts {
        let first = kept.iter().find(|one| one.phase == phase);
        assert_eq!(first.map(|one| one.elapsed), Some(at), "{phase}");
    }
    let gaps: Vec<u64> = kept.windows(2).map(|pair| pair[1].elapsed - pair[0].elapsed).collect();
    let widest = gaps.iter().max().copied().unwrap_or(0);
    assert!(gaps.iter().all(|gap| *gap > 0));
    assert!(widest <= 2 * changes / gaps.len() as u64 + 1, "{widest}");
}
