//! What to do after tests were made, ready to be typed.

use obligato::generate::Generated;

use crate::args::GenerateArgs;
use crate::campaign::larger;
use crate::shell::{model_words, quote_path, suite_words};
use crate::verdicts::next::kept;

/// To write what is not written, to review what is, to spend more on what is open, or to see all.
pub fn command(arguments: &GenerateArgs, generated: &Generated) -> String {
    let model = model_words(&arguments.subject.model, "");
    let made = !generated.made.is_empty();
    if let Some(path) = arguments.output.as_deref().filter(|_| made) {
        let tests = quote_path(path);
        return format!(
            "Next: obligato run{model} --tests {tests}   (the outputs, to be reviewed)"
        );
    }
    let GenerateArgs { tests, from, observe, verdicts, .. } = arguments;
    let suite = suite_words(tests.as_deref(), *from, observe);
    let counting = if arguments.count_failing { " --count-failing" } else { "" };
    let again = |budget| {
        let way = arguments.unusual_way(budget);
        format!("Next: obligato generate{model}{suite}{counting}{}{way}", kept(verdicts))
    };
    let budget = arguments.effort.budget;
    if made {
        format!("{} -o new.csv   (the new tests, with the outputs of the model)", again(budget))
    } else if generated.unresolved() > 0 {
        format!("{}   (more for what is unresolved)", again(larger(budget)))
    } else if !verdicts.list {
        format!("{} --list   (every obligation with its tests)", again(budget))
    } else {
        format!("{} --format json   (the same for programs)", again(budget))
    }
}
