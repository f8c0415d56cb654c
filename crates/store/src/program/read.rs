//! Reading program documents.

use obligato_model::program::{NewCondition, NewDecision};
use obligato_model::{
    BoolTree, ConditionId, DecisionId, Exit, Function, FunctionId, Mutant, Program, Rational,
    Relation, Span, Statement, SuiteInterface, Type, Value, tree,
};

use super::check::{Functions, Labels, check_constant};
use super::{FORMAT, OPERATORS, ROLES};
use crate::document;
use crate::error::{StoreError, quoted};
use crate::json::{Json, Object};
use crate::number;
use crate::source::Source;
use crate::value::{Kind, is_numeric};
use crate::variables;

/// Reads a program document.
pub fn parse(bytes: &[u8]) -> Result<Program, StoreError> {
    let source = Source::of(bytes)?;
    let known = &["format", "version", "inputs", "outputs", "real_step", "functions"];
    let root = document::open(source, FORMAT, known)?;
    let mut reader = Reader::default();
    reader.program.interface = SuiteInterface {
        inputs: variables::read(root.list("inputs")?, "input")?,
        outputs: variables::read(root.list("outputs")?, "output")?,
    };
    if let Some(step) = root.get("real_step") {
        reader.program.real_step = read_real_step(step)?;
    }
    for function in root.need("functions")?.items()? {
        reader.read_function(function)?;
    }
    reader.resolve_nesting()?;
    Ok(reader.program)
}

fn read_real_step(json: Json<'_>) -> Result<Rational, StoreError> {
    match Kind::new(&Type::Real).read_json(json, || "real_step".to_owned())? {
        Value::Real(step) if step > Rational::ZERO => Ok(step),
        _ => Err(json.invalid("the real_step must be more than 0")),
    }
}

#[derive(Default)]
struct Reader<'a> {
    program: Program,
    functions: Functions,
    /// What each nested decision says it stands in. The decision named may come
    /// later, so this is looked at last.
    nested: Vec<(DecisionId, Json<'a>)>,
}

impl<'a> Reader<'a> {
    fn read_function(&mut self, json: Json<'a>) -> Result<(), StoreError> {
        let object = json.object(&[
            "name",
            "file",
            "span",
            "entered",
            "exits",
            "statements",
            "decisions",
            "switches",
            "mutants",
        ])?;
        let name_field = object.need("name")?;
        let name = name_field.owned_string()?;
        let file = self.program.add_file(&object.need("file")?.string()?);
        let path = self.program.file(file);
        self.functions.add(&name, path).map_err(|reason| name_field.invalid(reason))?;
        let function = Function {
            file,
            span: read_span(&object, &name)?,
            entered: object.get("entered").map_or(Ok(true), Json::boolean)?,
            name,
        };
        let function = self.program.add_function(function);
        for exit in object.list("exits")? {
            let (span, text) = read_text(exit)?;
            self.program.add_exit(Exit { function, span, text });
        }
        for statement in object.list("statements")? {
            let (span, text) = read_text(statement)?;
            self.program.add_statement(Statement { function, span, text });
        }
        for decision in object.list("decisions")? {
            self.read_decision(function, decision)?;
        }
        for switch in object.list("switches")? {
            self.read_switch(function, switch)?;
        }
        for mutant in object.list("mutants")? {
            self.read_mutant(function, mutant)?;
        }
        Ok(())
    }

    fn read_decision(&mut self, function: FunctionId, json: Json<'a>) -> Result<(), StoreError> {
        let object = json.object(&["span", "text", "role", "tree", "conditions", "nested_in"])?;
        let text = object.need("text")?.owned_string()?;
        let span = read_span(&object, &text)?;
        let role = ROLES.read(object.need("role")?)?;
        let tree = read_tree(object.need("tree")?)?;
        let listed = object.need("conditions")?;
        let conditions =
            listed.items()?.into_iter().map(read_condition).collect::<Result<_, _>>()?;
        let decision = self
            .program
            .add_decision(NewDecision { function, span, text, role, tree, conditions })
            .map_err(|error| listed.invalid(error.to_string()))?;
        self.nested.extend(object.get("nested_in").map(|json| (decision, json)));
        Ok(())
    }

    fn read_switch(&mut self, function: FunctionId, json: Json<'a>) -> Result<(), StoreError> {
        let object = json.object(&["span", "text", "arms"])?;
        let text = object.need("text")?.owned_string()?;
        let span = read_span(&object, &text)?;
        let mut arms = Vec::new();
        let mut labels = Labels::default();
        for arm in object.need("arms")?.items()? {
            let object = arm.object(&["label", "span"])?;
            let label_field = object.need("label")?;
            let label = label_field.owned_string()?;
            labels.add(&label, &text).map_err(|reason| label_field.invalid(reason))?;
            let span = read_span(&object, &label)?;
            arms.push((label, span));
        }
        self.program.add_switch(function, span, text, arms);
        Ok(())
    }

    fn read_mutant(&mut self, function: FunctionId, json: Json<'a>) -> Result<(), StoreError> {
        let object = json.object(&["span", "operator", "original", "replacement"])?;
        let original = object.need("original")?.owned_string()?;
        self.program.add_mutant(Mutant {
            function,
            span: read_span(&object, &original)?,
            operator: object.need("operator")?.owned_string()?,
            original,
            replacement: object.need("replacement")?.owned_string()?,
        });
        Ok(())
    }

    fn resolve_nesting(&mut self) -> Result<(), StoreError> {
        for &(decision, json) in &self.nested {
            let condition = read_condition_number(json, &self.program)?;
            self.program.nest(decision, condition);
        }
        let Some(in_itself) = decision_in_itself(&self.program) else {
            return Ok(());
        };
        let found = self.nested.iter().find(|(decision, _)| *decision == in_itself);
        let (_, json) = found.expect("invariant: only a nested decision is in a cycle");
        let number = in_itself.index() + 1;
        Err(json.invalid(format!("decision d{number} would stand inside itself")))
    }
}

/// A decision that is nested in itself, over however many others. Every decision
/// is walked over once: a walk ends where an earlier one has been.
fn decision_in_itself(program: &Program) -> Option<DecisionId> {
    let mut walked_by = vec![usize::MAX; program.decisions().len()];
    for walk in 0..walked_by.len() {
        let mut at = DecisionId::new(walk);
        while walked_by[at.index()] == usize::MAX {
            walked_by[at.index()] = walk;
            let Some(outer) = program.decision(at).nested_in else {
                break;
            };
            at = program.condition(outer).decision;
            if walked_by[at.index()] == walk {
                return Some(at);
            }
        }
    }
    None
}

/// An element that is a place and its text.
fn read_text(json: Json<'_>) -> Result<(Span, String), StoreError> {
    let object = json.object(&["span", "text"])?;
    let text = object.need("text")?.owned_string()?;
    Ok((read_span(&object, &text)?, text))
}

/// The span of an element; one that says nothing stands alone on a line.
fn read_span(object: &Object<'_>, text: &str) -> Result<Span, StoreError> {
    let read = object.get("span").map(Json::parsed);
    read.unwrap_or_else(|| Ok(Span::of_line(text)))
}

/// A tree over exactly `c1`, `c2`, … from left to right.
fn read_tree(json: Json<'_>) -> Result<BoolTree, StoreError> {
    let text = json.string()?;
    let parsed = tree::parse(&text)
        .map_err(|error| json.invalid(format!("tree {}: {error}", quoted(&text))))?;
    for (index, range) in parsed.conditions.iter().enumerate() {
        let (found, expected) = (&text[range.clone()], format!("c{}", index + 1));
        if found != expected {
            let found = quoted(found);
            let reason =
                format!("condition {} of a tree is written {expected}, not {found}", index + 1);
            return Err(json.invalid(reason));
        }
    }
    Ok(parsed.tree)
}

fn read_condition(json: Json<'_>) -> Result<NewCondition, StoreError> {
    let object = json.object(&["span", "text", "constant", "relation"])?;
    let text = object.need("text")?.owned_string()?;
    let span = read_span(&object, &text)?;
    let relation = object.get("relation").map(read_relation).transpose()?;
    let constant = object.get("constant").map(|field| Ok((field, field.boolean()?))).transpose()?;
    if let (Some((field, value)), Some(relation)) = (constant, &relation) {
        check_constant(value, relation).map_err(|reason| field.invalid(reason))?;
    }
    Ok(NewCondition { span, text, constant: constant.map(|(_, value)| value), relation })
}

fn read_relation(json: Json<'_>) -> Result<Relation, StoreError> {
    let object = json.object(&["operator", "type", "left", "right"])?;
    let type_field = object.need("type")?;
    let kind: Type = type_field.parsed()?;
    if !is_numeric(&kind) {
        let reason = format!("a relation compares numbers, and {kind} has none");
        return Err(type_field.invalid(reason));
    }
    let operand = |name: &str| {
        let field = object.get(name);
        let read = |json| Kind::new(&kind).read_json(json, || format!("the operand '{name}'"));
        field.map(read).transpose()
    };
    Ok(Relation {
        operator: OPERATORS.read(object.need("operator")?)?,
        left: operand("left")?,
        right: operand("right")?,
        kind,
    })
}

/// A condition by its number: `d1c2`.
fn read_condition_number(json: Json<'_>, program: &Program) -> Result<ConditionId, StoreError> {
    let text = json.string()?;
    match number::condition(&text, program) {
        Ok((condition, "")) => Ok(condition),
        Ok(_) => Err(json.invalid(number::no_condition(&text))),
        Err(reason) => Err(json.invalid(reason)),
    }
}
