//! Printing program documents.

use obligato_model::{
    Condition, Decision, FunctionId, Program, Rational, Relation, Span, Type, Value,
};

use super::check::{Functions, Labels, check_constant};
use super::{FORMAT, OPERATORS, ROLES};
use crate::document;
use crate::error::StoreError;
use crate::json::print::{Fields, lines};
use crate::value::{Kind, is_numeric};
use crate::variables;

/// Prints a program document. Refuses a program whose elements are not in the
/// order of its functions, and values and types that would not read back.
pub fn print(program: &Program) -> Result<String, StoreError> {
    check_order(program)?;
    check_names(program)?;
    let inputs = variables::print(&program.interface.inputs, "input")?;
    let outputs = variables::print(&program.interface.outputs, "output")?;
    let mut parts = Parts::of(program);
    let functions: Vec<String> = (0..program.functions().len())
        .map(|index| parts.print_function(FunctionId::new(index)))
        .collect::<Result<_, _>>()?;
    let mut fields =
        document::start(FORMAT).with_line(2, "inputs", inputs).with_line(2, "outputs", outputs);
    if program.real_step != Program::default().real_step {
        fields = fields.with_line(2, "real_step", print_real_step(&program.real_step)?);
    }
    Ok(fields.with_line(2, "functions", lines(2, functions)).close_line())
}

fn print_real_step(step: &Rational) -> Result<String, StoreError> {
    if *step <= Rational::ZERO {
        return Err(StoreError::unwritable("the real step is not more than 0"));
    }
    let printed = Kind::new(&Type::Real).print_json(&Value::Real(step.clone()));
    printed.map_err(|reason| StoreError::unwritable(format!("the real step: {reason}")))
}

fn check_order(program: &Program) -> Result<(), StoreError> {
    let of = |functions: Vec<FunctionId>, what: &str| {
        if functions.is_sorted() {
            return Ok(());
        }
        let reason = format!("the {what} of the program are not in the order of its functions");
        Err(StoreError::unwritable(reason))
    };
    of(program.exits().iter().map(|exit| exit.function).collect(), "exits")?;
    of(program.statements().iter().map(|one| one.function).collect(), "statements")?;
    of(program.decisions().iter().map(|one| one.function).collect(), "decisions")?;
    of(program.switches().iter().map(|one| one.function).collect(), "switches")?;
    of(program.mutants().iter().map(|one| one.function).collect(), "mutants")
}

fn check_names(program: &Program) -> Result<(), StoreError> {
    let mut functions = Functions::default();
    for function in program.functions() {
        functions
            .add(&function.name, program.file(function.file))
            .map_err(StoreError::unwritable)?;
    }
    for switch in program.switches() {
        let mut labels = Labels::default();
        for arm in &program.arms()[switch.arms.clone()] {
            labels.add(&arm.label, &switch.text).map_err(StoreError::unwritable)?;
        }
    }
    Ok(())
}

/// What is still to be printed of each list.
struct Parts<'a> {
    program: &'a Program,
    exits: usize,
    statements: usize,
    decisions: usize,
    switches: usize,
    mutants: usize,
}

/// Takes from `all` the elements from `next` on that belong to `function`.
fn take<'a, T>(
    all: &'a [T],
    next: &mut usize,
    function: FunctionId,
    function_of: impl Fn(&T) -> FunctionId,
) -> &'a [T] {
    let rest = &all[*next..];
    let count = rest.iter().take_while(|one| function_of(one) == function).count();
    *next += count;
    &rest[..count]
}

impl<'a> Parts<'a> {
    fn of(program: &'a Program) -> Self {
        Self { program, exits: 0, statements: 0, decisions: 0, switches: 0, mutants: 0 }
    }

    fn print_function(&mut self, id: FunctionId) -> Result<String, StoreError> {
        let program = self.program;
        let function = program.function(id);
        let mut fields = Fields::new()
            .with_text("name", &function.name)
            .with_text("file", program.file(function.file))
            .with_text("span", function.span);
        if !function.entered {
            fields = fields.with("entered", false);
        }
        let exits = take(program.exits(), &mut self.exits, id, |exit| exit.function);
        fields = with_list(fields, "exits", exits, |exit| Ok(print_text(exit.span, &exit.text)))?;
        let statements = take(program.statements(), &mut self.statements, id, |one| one.function);
        fields = with_list(fields, "statements", statements, |statement| {
            Ok(print_text(statement.span, &statement.text))
        })?;
        let decisions = take(program.decisions(), &mut self.decisions, id, |one| one.function);
        fields = with_list(fields, "decisions", decisions, |decision| {
            print_decision(program, decision)
        })?;
        let switches = take(program.switches(), &mut self.switches, id, |one| one.function);
        fields = with_list(fields, "switches", switches, |switch| {
            let arms = program.arms()[switch.arms.clone()].iter().map(|arm| {
                let fields = Fields::new().with_text("label", &arm.label);
                fields.with_text("span", arm.span).close()
            });
            Ok(Fields::new()
                .with_text("span", switch.span)
                .with_text("text", &switch.text)
                .with_line(8, "arms", lines(8, arms))
                .close())
        })?;
        let mutants = take(program.mutants(), &mut self.mutants, id, |one| one.function);
        fields = with_list(fields, "mutants", mutants, |mutant| {
            Ok(Fields::new()
                .with_text("span", mutant.span)
                .with_text("operator", &mutant.operator)
                .with_text("original", &mutant.original)
                .with_text("replacement", &mutant.replacement)
                .close())
        })?;
        Ok(fields.close())
    }
}

/// An element that is a place and its text.
fn print_text(span: Span, text: &str) -> String {
    Fields::new().with_text("span", span).with_text("text", text).close()
}

/// Adds a list of elements of a function, unless it is empty.
fn with_list<T>(
    fields: Fields,
    name: &str,
    all: &[T],
    print_one: impl Fn(&T) -> Result<String, StoreError>,
) -> Result<Fields, StoreError> {
    if all.is_empty() {
        return Ok(fields);
    }
    let printed = all.iter().map(print_one).collect::<Result<Vec<_>, _>>()?;
    Ok(fields.with_line(5, name, lines(5, printed)))
}

fn print_decision(program: &Program, decision: &Decision) -> Result<String, StoreError> {
    let first = decision.first_condition.index();
    let conditions = &program.conditions()[first..first + decision.tree.conditions()];
    let printed = conditions.iter().map(print_condition).collect::<Result<Vec<_>, _>>()?;
    let role = ROLES.word(decision.role);
    let mut fields = Fields::new()
        .with_text("span", decision.span)
        .with_text("text", &decision.text)
        .with_text("role", role)
        .with_text("tree", &decision.tree);
    if let Some(outer) = decision.nested_in {
        let condition = program.condition(outer);
        let number = format!("d{}c{}", condition.decision.index() + 1, condition.ordinal + 1);
        fields = fields.with_text("nested_in", number);
    }
    Ok(fields.with_line(8, "conditions", lines(8, printed)).close())
}

fn print_condition(condition: &Condition) -> Result<String, StoreError> {
    let mut fields =
        Fields::new().with_text("span", condition.span).with_text("text", &condition.text);
    if let Some(constant) = condition.constant {
        fields = fields.with("constant", constant);
    }
    if let Some(relation) = &condition.relation {
        let checked =
            condition.constant.map_or(Ok(()), |constant| check_constant(constant, relation));
        let printed = checked.and_then(|()| print_relation(relation)).map_err(|reason| {
            StoreError::unwritable(format!("condition '{}': {reason}", condition.text))
        })?;
        fields = fields.with("relation", printed);
    }
    Ok(fields.close())
}

fn print_relation(relation: &Relation) -> Result<String, String> {
    if !is_numeric(&relation.kind) {
        return Err(format!("a relation compares numbers, and {} has none", relation.kind));
    }
    let kind = Kind::new(&relation.kind);
    let mut fields = Fields::new()
        .with_text("operator", OPERATORS.word(relation.operator))
        .with_text("type", &relation.kind);
    for (name, operand) in [("left", &relation.left), ("right", &relation.right)] {
        if let Some(value) = operand {
            fields = fields.with(name, kind.print_json(value)?);
        }
    }
    Ok(fields.close())
}
