//! What suites kill, by criterion: a dot for each, with the median and the quartiles.

use obligato_model::Rational;

use super::{Picture, Series, panels};
use crate::findings::{Choice, Experiment};
use crate::statistics::ratio;

/// The width of a column.
const COLUMN: u64 = 74;

/// The plot of one model.
pub fn plot(experiment: &Experiment, model: &str) -> String {
    let mut picture = Picture::new(&format!("{model}: mutants killed by criterion and oracle"));
    for (title, series) in panels(experiment, model) {
        let columns = series.len() as u64;
        let mut panel = picture.panel(&title, columns * COLUMN);
        for (column, one) in (0..).zip(&series) {
            let middle = ratio(2 * column + 1, 2 * columns);
            // A variant stands below its criterion, as both beside each other are too wide.
            let random = (one.choice == Choice::Random).then_some("random");
            for (row, word) in (0..).zip(one.name.split(':').chain(random)) {
                panel.label(&middle, row, word);
            }
            let quartiles = [1, 2, 3].map(|quarter| one.killed.quantile(quarter, 4));
            panel.spread(&middle, &ratio(1, 3 * columns), &quartiles, one.criterion);
            for (offset, share) in spread_out(one) {
                let at = &middle + offset * ratio(1, columns);
                panel.dot(&at, &share, one.criterion, one.choice);
            }
        }
    }
    picture
        .finish("suites reduced for a criterion (filled) and random ones of the same size (hollow)")
}

/// Where each suite stands: how far from the middle of its column, and how high. Suites that kill equally
/// many stand side by side.
fn spread_out(series: &Series<'_>) -> Vec<(Rational, Rational)> {
    let shares: Vec<Rational> = series.killed.shares().collect();
    let place = |(at, share): (usize, &Rational)| {
        let equal = |others: &[Rational]| others.iter().filter(|other| *other == share).count();
        let (before, all) = (equal(&shares[..at]) as u64, equal(&shares) as u64);
        let offset = ratio(2 * before + 1, 2 * all) - ratio(1, 2);
        (offset * ratio(3, 5), share.clone())
    };
    shares.iter().enumerate().map(place).collect()
}
