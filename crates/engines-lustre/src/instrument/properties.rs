//! From obligations to properties: which events each speaks of, and what it is called.
//!
//! Most obligations are one property. A half of MC/DC below `xor`, `=` or the test of a choice is
//! two, one for each outcome of the decision: it is covered where the two halves of a pair are
//! seen with opposite outcomes, in whatever runs, and no property of one run can say that.

use obligato_model::{Key, Obligation, Plan, Program, Verdict};

use crate::event::{Demand, Event, EventId, Events};

/// That something is never seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Its variable in the file.
    pub name: String,
    /// The key of its obligation, and what part of it is meant if it is one of several.
    pub title: String,
    /// What a reader should know of it.
    pub remarks: Vec<String>,
    /// It is violated in a run exactly if one of these happens there.
    pub events: Vec<Event>,
}

/// The properties of a plan, and the obligations that have none.
pub(super) fn list(program: &Program, plan: &Plan) -> (Vec<Property>, Vec<(Key, String)>) {
    let mut events = Events::default();
    let demands: Vec<Demand> =
        plan.obligations.iter().map(|one| demand(&mut events, program, one)).collect();
    let titles = titles_of_halves(plan, &demands, &events);
    let (mut properties, mut left_out) = (Vec::new(), Vec::new());
    for (obligation, demand) in plan.obligations.iter().zip(demands) {
        match demand {
            Demand::Settled => {}
            Demand::Unsupported(why) => {
                left_out.push((obligation.key.clone(), why.to_string()));
            }
            Demand::Alternatives(ways) if ways.iter().all(|way| way.len() == 1) => {
                let events = ways.iter().flatten().map(|event| events.get(*event).clone());
                let title = obligation.key.as_str();
                properties.push(property(program, obligation, title, events.collect()));
            }
            Demand::Alternatives(ways) => {
                for way in ways {
                    let own = events.get(way[0]).clone();
                    let title = &titles[way[0].index()];
                    let mut half = property(program, obligation, title, vec![own]);
                    half.remarks
                        .push("Covered where, for one outcome, this property and all of".into());
                    half.remarks
                        .push("these are invalid; uncoverable where one of them is valid:".into());
                    let partners = way[1..].iter().map(|other| titles[other.index()].clone());
                    half.remarks.extend(partners.map(|title| format!("  {title}")));
                    properties.push(half);
                }
            }
        }
    }
    (properties, left_out)
}

/// What an obligation asks for, even if the plan has its verdict: another tool may check that.
fn demand(events: &mut Events, program: &Program, obligation: &Obligation) -> Demand {
    events.demand(program, &Obligation { settled: None, ..obligation.clone() })
}

/// By event: what the property of a half of a pair is called.
fn titles_of_halves(plan: &Plan, demands: &[Demand], events: &Events) -> Vec<String> {
    let mut titles = vec![String::new(); events.len()];
    for (obligation, demand) in plan.obligations.iter().zip(demands) {
        let Demand::Alternatives(ways) = demand else { continue };
        for own in ways.iter().filter(|way| way.len() > 1).map(|way| way[0]) {
            titles[own.index()] = title_of_half(obligation, events, own);
        }
    }
    titles
}

/// The key with the outcome that is meant.
fn title_of_half(obligation: &Obligation, events: &Events, event: EventId) -> String {
    match events.get(event) {
        Event::Shown { outcome, .. } => {
            format!("{}/outcome={}", obligation.key, if *outcome { 'T' } else { 'F' })
        }
        _ => obligation.key.to_string(),
    }
}

fn property(
    program: &Program,
    obligation: &Obligation,
    title: &str,
    events: Vec<Event>,
) -> Property {
    let line = obligation.span.start.line;
    let mut remarks = vec![format!("line {line}: {}", obligation.text)];
    if let Some(Verdict::Uncoverable(proof)) = &obligation.settled {
        remarks.push(format!("Uncoverable by the text alone: {}.", proof.method));
    }
    let name = readable(program, obligation, title);
    Property { name, title: title.to_owned(), remarks, events }
}

/// A title without the file and without what no name can have. It stays what it is while its
/// obligation does; should two be the same, the file numbers them.
fn readable(program: &Program, obligation: &Obligation, title: &str) -> String {
    let file = program.file(program.function(obligation.function).file);
    let criterion = obligation.criterion.to_string();
    let place = title.strip_prefix(&format!("{criterion}@{file}#")).unwrap_or(title);
    let words = [("<", "_lt_"), (">", "_gt_"), ("+", "_plus_")];
    let place = words.iter().fold(place.to_owned(), |text, (sign, word)| text.replace(sign, word));
    format!("{criterion}_{place}")
}
