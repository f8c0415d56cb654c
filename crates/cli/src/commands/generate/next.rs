//! What to do after tests were made, ready to be typed.

use std::time::Duration;

use obligato_generate::Budget;

use super::Generation;
use crate::args::GenerateArgs;
use crate::shell::{model_words, quote_path, suite_words};
use crate::verdicts::next::kept;

/// No less than this is worth another try.
const LEAST_TIME: Duration = Duration::from_secs(10);
const LEAST_WORK: u64 = 100_000;

/// To write what is not written, to review what is, to spend more on what is open, or to see all.
pub fn command(arguments: &GenerateArgs, generation: &Generation<'_>) -> String {
    let model = model_words(&arguments.model, "");
    let made = !generation.outcome.tests.is_empty();
    if let Some(path) = arguments.output.as_deref().filter(|_| made) {
        let tests = quote_path(path);
        return format!(
            "Next: obligato run{model} --tests {tests}   (the outputs, to be reviewed)"
        );
    }
    let GenerateArgs { tests, from, observe, verdicts, .. } = arguments;
    let suite = suite_words(tests.as_deref(), *from, observe);
    let again = |budget| {
        let way = arguments.unusual_way(budget);
        format!("Next: obligato generate{model}{suite}{}{way}", kept(verdicts))
    };
    let budget = arguments.budget;
    if made {
        format!("{} -o new.csv   (the new tests, with the outputs of the model)", again(budget))
    } else if generation.unresolved() > 0 {
        format!("{}   (more for what is unresolved)", again(larger(budget)))
    } else if !verdicts.list {
        format!("{} --list   (every obligation with its tests)", again(budget))
    } else {
        format!("{} --format json   (the same for programs)", again(budget))
    }
}

/// Ten times as much, or something if it was nothing.
fn larger(budget: Budget) -> Budget {
    match budget {
        Budget::Time(time) => Budget::Time(time.saturating_mul(10).max(LEAST_TIME)),
        Budget::Work(units) => Budget::Work(units.saturating_mul(10).max(LEAST_WORK)),
    }
}
