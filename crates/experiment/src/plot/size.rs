//! What suites kill, by how many tests they have (figure 1 of Whalen et al.).

use super::{Picture, panels};
use crate::findings::{Choice, Experiment};
use crate::statistics::ratio;

const WIDTH: u64 = 240;
/// So many numbers stand along an axis at most.
const TICKS: u64 = 6;

/// The plot of one model.
pub fn plot(experiment: &Experiment, model: &str) -> String {
    let mut picture = Picture::new(&format!("{model}: mutants killed by size of suite"));
    let criteria = experiment.cases_of(model).flat_map(|case| &case.criteria);
    let suites = criteria.flat_map(|findings| &findings.reduced);
    let largest = suites.map(|suite| suite.tests as u64).max().unwrap_or(0);
    let tick = tick(largest);
    // The last tick is beyond the largest suite, so that no dot is cut.
    let end = (largest / tick + 1) * tick;
    for (place, (title, all)) in panels(experiment, model).into_iter().enumerate() {
        let mut panel = picture.panel(&title, WIDTH);
        for number in (0..=end).step_by(tick as usize) {
            panel.label(&ratio(number, end), 0, &number.to_string());
        }
        // The colours are the same in all panels.
        let mut named = 0;
        for series in &all {
            let suites = series.case.criteria[series.criterion].suites(series.choice);
            for (suite, share) in suites.iter().zip(series.killed.shares()) {
                let at = ratio(suite.tests as u64, end);
                panel.dot(&at, &share, series.criterion, series.choice);
            }
            if place == 0 && series.choice == Choice::Reduced {
                panel.key(named, series.criterion, &series.name);
                named += 1;
            }
        }
    }
    picture.finish("tests of a suite; reduced for a criterion (filled) and random (hollow)")
}

/// The distance of numbers along an axis that ends at `largest`: 1, 2 or 5 of some power of ten.
fn tick(largest: u64) -> u64 {
    let mut power = 1;
    loop {
        for step in [1, 2, 5] {
            if step * power * TICKS > largest {
                return step * power;
            }
        }
        power *= 10;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_has_a_handful_of_round_numbers() {
        for largest in 0..5000 {
            let tick = tick(largest);
            assert!(largest / tick < TICKS, "{largest}");
            assert!(tick == 1 || largest / tick >= 1, "{largest}");
        }
        assert_eq!([tick(5), tick(6), tick(29), tick(30), tick(100)], [1, 2, 5, 10, 20]);
    }
}
