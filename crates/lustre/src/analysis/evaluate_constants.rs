//! Pass 3: the kinds of types and the values of constants.
//!
//! Types need constants for their sizes and bounds, constants need types: both are put in one
//! order in which everything comes after what it depends on, or a cycle is reported.

use super::check_types::Checker;
use super::collect_declarations::Globals;
use super::components::DependencyGraph;
use super::kind::{Kind, KindId, Kinds};
use super::model::{ConstantId, Model, Resolution};
use super::report::Report;
use obligato_lustre_syntax::ast::{
    Expr, ExprId, StaticArgument, SyntaxTree, Type, TypeDefinition, TypeId, Visit,
};
use obligato_lustre_syntax::diagnostic::Diagnostic;

mod evaluator;

pub use evaluator::evaluate;

/// Gives every declared type its kind and every constant its kind and value.
pub fn evaluate_constants(model: &mut Model, globals: &Globals, report: &mut Report) {
    let program = std::mem::take(&mut model.program);
    let dependencies = Dependencies { program: &program, model, globals };
    let (order, cycles) = dependencies.graph().sort();
    for cycle in &cycles {
        report.add(dependencies.describe(cycle));
    }
    if cycles.is_empty() {
        let types = model.types.len();
        let mut checker = Checker { program: &program, model, globals, report };
        for vertex in order {
            match (vertex as usize).checked_sub(types) {
                None => checker.declared_type(vertex as usize),
                Some(constant) => checker.constant(ConstantId::new(constant)),
            }
        }
    }
    model.program = program;
}

/// What types and constants depend on; types are numbered first, then constants.
struct Dependencies<'a> {
    program: &'a SyntaxTree,
    model: &'a Model,
    globals: &'a Globals,
}

impl Dependencies<'_> {
    fn graph(&self) -> DependencyGraph {
        let mut graph = DependencyGraph::new();
        for declared in &self.model.types {
            let mut found = Vec::new();
            match &declared.definition {
                TypeDefinition::Alias(id) => self.of_type(*id, &mut found),
                TypeDefinition::Record(groups) => {
                    for group in groups {
                        self.of_type(group.kind, &mut found);
                    }
                }
                TypeDefinition::Free | TypeDefinition::Enumeration(_) => {}
            }
            graph.add(found);
        }
        for constant in &self.model.constants {
            let mut found = Vec::new();
            constant.written.into_iter().for_each(|id| self.of_type(id, &mut found));
            constant.expr.into_iter().for_each(|id| self.of_expr(id, &mut found));
            graph.add(found);
        }
        graph
    }

    fn of_type(&self, root: TypeId, found: &mut Vec<u32>) {
        let mut todo = vec![root];
        while let Some(id) = todo.pop() {
            match self.program.kind(id) {
                Type::Bool | Type::Int | Type::Real | Type::Machine(..) => {}
                Type::Subrange(low, high) => {
                    low.into_iter().chain(high).for_each(|bound| self.of_expr(bound, found));
                }
                Type::Named(name, statics) => {
                    found.extend(self.globals.types.get(&name).map(|position| *position as u32));
                    for argument in &self.program.statics[statics] {
                        if let StaticArgument::Type(id) = argument {
                            todo.push(*id);
                        }
                    }
                }
                Type::Refined { base, .. } => todo.push(base),
                Type::Tuple(parts) => todo.extend(&self.program.type_lists[parts]),
                Type::Array { element, size, .. } => {
                    self.of_expr(size, found);
                    todo.push(element);
                }
            }
        }
    }

    fn of_expr(&self, root: ExprId, found: &mut Vec<u32>) {
        for visit in self.program.walk(root) {
            let Visit::Enter(id) = visit else { continue };
            if let Resolution::Constant(constant) = self.model.resolution(id) {
                found.push((self.model.types.len() + constant.index()) as u32);
            }
            if let Expr::Record { name, .. } = self.program.expr(id) {
                found.extend(self.globals.types.get(&name).map(|position| *position as u32));
            }
        }
    }

    fn describe(&self, cycle: &[u32]) -> Diagnostic {
        let types = self.model.types.len();
        let names: Vec<_> = cycle
            .iter()
            .map(|vertex| match (*vertex as usize).checked_sub(types) {
                None => self.model.types[*vertex as usize].name,
                Some(constant) => self.model.constants[constant].name,
            })
            .collect();
        let texts: Vec<_> = names.iter().map(|name| self.program.text(name.symbol)).collect();
        let first = texts[0];
        let way = format!("{} -> {first}", texts.join(" -> "));
        let text = if (cycle[0] as usize) < types {
            format!("the type '{first}' contains itself: {way}")
        } else {
            format!("the constant '{first}' is defined by itself: {way}")
        };
        let diagnostic = Diagnostic::error(names[0].span, text);
        let note = |diagnostic: Diagnostic, name: &obligato_lustre_syntax::ast::Name| {
            diagnostic.with_related(name.span, "declared here")
        };
        names[1..].iter().fold(diagnostic, note)
    }
}

impl Checker<'_> {
    fn declared_type(&mut self, position: usize) {
        let definition = self.model.types[position].definition.clone();
        match definition {
            TypeDefinition::Alias(id) => {
                self.model.types[position].kind = self.kind_of_type(id);
            }
            TypeDefinition::Record(groups) => {
                let mut kinds: Vec<KindId> = Vec::new();
                for group in &groups {
                    let kind = self.kind_of_type(group.kind);
                    kinds.extend(self.program.names[group.names].iter().map(|_| kind));
                }
                let kind = self.model.types[position].kind;
                if let Kind::Record(record) = *self.model.kinds.get(kind) {
                    self.model.kinds.set_fields(record, kinds);
                }
            }
            TypeDefinition::Free | TypeDefinition::Enumeration(_) => {}
        }
    }

    fn constant(&mut self, id: ConstantId) {
        let constant = self.model.constant(id);
        let (name, written, expr) = (constant.name, constant.written, constant.expr);
        let written = written.map(|written| self.kind_of_type(written));
        let kind = match (expr, written) {
            (Some(expr), _) => {
                let errors = self.report.error_count();
                self.infer(expr);
                let found = self.model.kind(expr);
                if let Some(expected) = written {
                    let what = format!("the constant '{}'", self.program.text(name.symbol));
                    self.expect_fit(expr, expected, &what, Some((name.span, "declared here")));
                }
                if self.report.error_count() == errors {
                    self.value_of_constant(id, expr, written);
                }
                written.unwrap_or(found)
            }
            (None, Some(written)) => written,
            (None, None) => {
                let text = self.program.text(name.symbol);
                let text = format!("the constant '{text}' has neither a type nor a value");
                self.report.add(Diagnostic::error(name.span, text));
                Kinds::unknown()
            }
        };
        self.model.constants[id.index()].kind = kind;
    }

    fn value_of_constant(&mut self, id: ConstantId, expr: ExprId, written: Option<KindId>) {
        match evaluate(self.program, self.model, expr) {
            Ok(value) => {
                if let Some(written) = written {
                    self.expect_in_range(expr, &value, written);
                }
                self.model.constants[id.index()].value = Some(value);
            }
            // What is wrong with a constant is said once, not for all that depend on it.
            Err(_) if self.needs_failed_constant(expr) => {}
            Err(diagnostic) => self.report.add(*diagnostic),
        }
    }

    fn needs_failed_constant(&self, root: ExprId) -> bool {
        self.program.walk(root).any(|visit| {
            let Visit::Enter(id) = visit else { return false };
            let Resolution::Constant(constant) = self.model.resolution(id) else { return false };
            let constant = self.model.constant(constant);
            constant.expr.is_some() && constant.value.is_none()
        })
    }
}
