//! How coverage grew, as drawings that need no script: test by test, and over time.

use crate::report::Report;

mod frame;
mod over_tests;
mod over_time;

/// Writes those drawings for which the store has what they take.
pub fn write(text: &mut String, report: &Report) {
    let drawings = [over_tests::draw(report), over_time::draw(report)];
    let drawings: Vec<String> = drawings.into_iter().flatten().collect();
    if !drawings.is_empty() {
        text.push_str("<div class=\"plots\">\n");
        text.push_str(&drawings.concat());
        text.push_str("</div>\n");
    }
}
