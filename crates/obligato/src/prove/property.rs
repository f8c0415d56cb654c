//! Which properties are to be proved, and what they are called.

use std::collections::HashMap;

use obligato_model::Span;
use obligato_transition_system::CheckKind;

use super::ProveRequest;
use crate::error::Error;
use crate::failures::word;
use crate::model::LoadedModel;
use crate::text::printable;

/// So many properties are named where one was not found.
const MOST_NAMED: usize = 12;

/// A check that has to hold always.
#[derive(Debug, Clone)]
pub struct Property {
    /// Its position among the checks of the system.
    pub check: usize,
    /// `property`, or the kind of fault that it excludes.
    pub kind: &'static str,
    /// What the model calls it, or its text.
    pub name: String,
    /// The same with a number, where several have the name.
    pub title: String,
    /// The call of a node whose check it is.
    pub instance: String,
    /// Where the model states it.
    pub span: Span,
}

/// The properties asked for, in the order of the model.
pub fn choose(loaded: &LoadedModel, request: &ProveRequest) -> Result<Vec<Property>, Error> {
    let mut all = all(loaded, request.faults);
    let main = loaded.main();
    if all.is_empty() {
        let message = format!("{}: node {main} has no properties", loaded.path);
        let way_out = if request.faults {
            "nothing in it can be at fault either"
        } else {
            "state some with '--%PROPERTY', or use --faults"
        };
        return Err(Error::Input { message, way_out: way_out.to_owned() });
    }
    for asked in &request.properties {
        if !all.iter().any(|property| property.is(asked)) {
            let names = all.iter().take(MOST_NAMED).map(|property| property.name.as_str());
            let names: Vec<&str> = names.collect();
            let more = if all.len() > MOST_NAMED { ", …" } else { "" };
            return Err(Error::Input {
                message: format!("{}: there is no property '{asked}'", loaded.path),
                way_out: format!("there are {}{more}", printable(&names.join(", "))),
            });
        }
    }
    if !request.properties.is_empty() {
        all.retain(|property| request.properties.iter().any(|asked| property.is(asked)));
    }
    Ok(all)
}

/// All properties of the model and, if asked for, that it is never at fault.
fn all(loaded: &LoadedModel, faults: bool) -> Vec<Property> {
    let (lowered, source) = (&loaded.lowered, loaded.file.source());
    let mut properties = Vec::new();
    let mut names: HashMap<&str, usize> = HashMap::new();
    for (index, check) in lowered.system.checks.iter().enumerate() {
        let wanted = match check.kind {
            CheckKind::Assertion => continue,
            CheckKind::Property => true,
            CheckKind::DivisionByZero | CheckKind::Subrange | CheckKind::Index => faults,
        };
        let origin = lowered.origins[check.origin as usize];
        let count = names.entry(&check.label).or_default();
        *count += 1;
        let number = if *count > 1 { format!(" #{count}") } else { String::new() };
        if !wanted {
            continue;
        }
        properties.push(Property {
            check: index,
            kind: word(check.kind),
            name: check.label.clone(),
            title: format!("{}{number}", check.label),
            instance: lowered.instances[origin.instance.index()].path.clone(),
            span: source.span(origin.span),
        });
    }
    properties
}

/// The checks with these titles, by position.
pub fn titled_checks(loaded: &LoadedModel, titles: &[String]) -> Result<Vec<usize>, Error> {
    let all = all(loaded, true);
    let find = |title: &String| {
        let property = all.iter().find(|property| property.title == *title);
        property.map(|property| property.check).ok_or_else(|| Error::Input {
            message: format!("{}: there is no property '{title}'", loaded.path),
            way_out: "the proofs are about another model".to_owned(),
        })
    };
    titles.iter().map(find).collect()
}

impl Property {
    /// Is this its name or its line?
    fn is(&self, asked: &str) -> bool {
        self.name == asked || self.title == asked || self.span.start.line.to_string() == asked
    }
}
