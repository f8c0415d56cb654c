//! Events as tokens.
//!
//! | token | event |
//! | --- | --- |
//! | `f1` | function 1 was entered |
//! | `x2` | a function was left through exit 2 |
//! | `s4` | statement 4 was executed |
//! | `w1a2` | switch 1 went to its arm 2 |
//! | `d1c2=T`, `d1c2=F(12,10)` | condition 2 of decision 1 had this value, on these operands |
//! | `d1c2=T>strict` | the effect of that evaluation was observed |
//! | `m3!weak` | mutant 3 was killed |

use obligato_model::recording::ConditionEvaluation;
use obligato_model::{
    ArmId, Condition, ConditionId, ExitId, FunctionId, MutantId, Observability, Program,
    RecordedEvent, Relation, StatementId, Strength, Value,
};

use crate::error::quoted;
use crate::json::words::Words;
use crate::number::{self, out_of_range};
use crate::value::{Kind, is_numeric};

/// The names of the semantics of effects.
pub const OBSERVABILITIES: Words<Observability> = Words {
    what: "observability",
    all: &[
        ("strict", Observability::Strict),
        ("tags", Observability::Tags),
        ("exact", Observability::Exact),
    ],
};

/// The names of the ways to kill a mutant.
pub const STRENGTHS: Words<Strength> =
    Words { what: "strength", all: &[("strong", Strength::Strong), ("weak", Strength::Weak)] };

/// Reads an event, or says why it is none.
pub fn parse(token: &str, program: &Program) -> Result<RecordedEvent, String> {
    let within = |index: usize, count: usize, what: &str| {
        if index < count { Ok(index) } else { Err(out_of_range(token, "the program", count, what)) }
    };
    if let Some((index, "")) = number::take('f', token) {
        let index = within(index, program.functions().len(), "function")?;
        return Ok(RecordedEvent::Entered(FunctionId::new(index)));
    }
    if let Some((index, "")) = number::take('x', token) {
        let index = within(index, program.exits().len(), "exit")?;
        return Ok(RecordedEvent::Left(ExitId::new(index)));
    }
    if let Some((index, "")) = number::take('s', token) {
        let index = within(index, program.statements().len(), "statement")?;
        return Ok(RecordedEvent::Executed(StatementId::new(index)));
    }
    if let Some((switch, rest)) = number::take('w', token)
        && let Some((arm, "")) = number::take('a', rest)
    {
        let switch = within(switch, program.switches().len(), "switch")?;
        let arms = program.switches()[switch].arms.clone();
        if arm >= arms.len() {
            let whose = format!("switch {}", switch + 1);
            return Err(out_of_range(token, &whose, arms.len(), "arm"));
        }
        return Ok(RecordedEvent::Switched(ArmId::new(arms.start + arm)));
    }
    if let Some((index, rest)) = number::take('m', token)
        && let Some(name) = rest.strip_prefix('!')
        && let Some(strength) = STRENGTHS.value(name)
    {
        let index = within(index, program.mutants().len(), "mutant")?;
        return Ok(RecordedEvent::Killed(MutantId::new(index), strength));
    }
    if token.starts_with('d') && token.contains('=') {
        return parse_evaluation(token, program);
    }
    Err(no_event(token))
}

fn no_event(token: &str) -> String {
    format!(
        "{} is no event; events are f1, x1, s1, w1a2, d1c2=T, d1c2=T(3,4), d1c2=T>strict, m1!strong",
        quoted(token)
    )
}

/// `d1c2=T`, then perhaps `(3,4)`, then perhaps `>strict`.
fn parse_evaluation(token: &str, program: &Program) -> Result<RecordedEvent, String> {
    let (name, outcome) = token.split_once('=').ok_or_else(|| no_event(token))?;
    let (condition, "") = number::condition(name, program)? else {
        return Err(no_event(token));
    };
    let (value, rest) = match outcome.split_at_checked(1) {
        Some(("T", rest)) => (true, rest),
        Some(("F", rest)) => (false, rest),
        _ => return Err(no_event(token)),
    };
    let (operands, observed) = match rest.split_once('>') {
        Some((operands, observed)) => (operands, Some(observed)),
        None => (rest, None),
    };
    let evaluation = ConditionEvaluation {
        condition,
        value,
        operands: parse_operands(token, operands, condition, program)?,
    };
    match observed {
        None => Ok(RecordedEvent::Evaluated(evaluation)),
        Some(name) => OBSERVABILITIES
            .value(name)
            .map(|observability| RecordedEvent::Observed(evaluation, observability))
            .ok_or_else(|| no_event(token)),
    }
}

type Operands = Option<Box<(Value, Value)>>;

fn parse_operands(
    token: &str,
    text: &str,
    condition: ConditionId,
    program: &Program,
) -> Result<Operands, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let inside = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    let (left, right) =
        inside.and_then(|inside| inside.split_once(',')).ok_or_else(|| no_event(token))?;
    let Some(relation) = numeric_relation(program.condition(condition)) else {
        let token = quoted(token);
        return Err(format!("{token}: the condition compares no numbers, so it has no operands"));
    };
    let kind = Kind::new(&relation.kind);
    let read = |text: &str| {
        let read = kind.read_text(text);
        read.map_err(|reason| format!("{}: {reason}", quoted(token)))
    };
    Ok(Some(Box::new((read(left)?, read(right)?))))
}

/// The relation of a condition, if its operands can stand in a token.
fn numeric_relation(condition: &Condition) -> Option<&Relation> {
    let relation = condition.relation.as_ref();
    relation.filter(|relation| is_numeric(&relation.kind))
}

/// Prints an event, or says why it is none of the program.
pub fn print(event: &RecordedEvent, program: &Program) -> Result<String, String> {
    let element = |letter: char, index: usize, count: usize| {
        if index < count {
            Ok(format!("{letter}{}", index + 1))
        } else {
            Err(format!("{event:?} is no event of this program"))
        }
    };
    match event {
        RecordedEvent::Entered(id) => element('f', id.index(), program.functions().len()),
        RecordedEvent::Left(id) => element('x', id.index(), program.exits().len()),
        RecordedEvent::Executed(id) => element('s', id.index(), program.statements().len()),
        RecordedEvent::Switched(id) => {
            element('a', id.index(), program.arms().len())?;
            let switch = program.arms()[id.index()].switch;
            let arm = id.index() - program.switches()[switch].arms.start;
            Ok(format!("w{}a{}", switch + 1, arm + 1))
        }
        RecordedEvent::Evaluated(evaluation) => print_evaluation(evaluation, program),
        RecordedEvent::Observed(evaluation, observability) => {
            let printed = print_evaluation(evaluation, program)?;
            Ok(format!("{printed}>{}", OBSERVABILITIES.word(*observability)))
        }
        RecordedEvent::Killed(id, strength) => {
            let mutant = element('m', id.index(), program.mutants().len())?;
            Ok(format!("{mutant}!{}", STRENGTHS.word(*strength)))
        }
    }
}

fn print_evaluation(evaluation: &ConditionEvaluation, program: &Program) -> Result<String, String> {
    let found = program.conditions().get(evaluation.condition.index());
    let condition = found.ok_or_else(|| format!("{evaluation:?} is none of this program"))?;
    let (decision, ordinal) = (condition.decision.index() + 1, condition.ordinal + 1);
    let letter = if evaluation.value { 'T' } else { 'F' };
    let name = format!("d{decision}c{ordinal}={letter}");
    let Some(operands) = &evaluation.operands else {
        return Ok(name);
    };
    let Some(relation) = numeric_relation(condition) else {
        return Err(format!("{name} has operands, but compares no numbers"));
    };
    let kind = Kind::new(&relation.kind);
    let (left, right) = (kind.print_text(&operands.0)?, kind.print_text(&operands.1)?);
    Ok(format!("{name}({left},{right})"))
}
