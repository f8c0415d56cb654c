//! From a syntax tree to a model that can be simulated and tested.
//!
//! [`analyse`] is the list of passes; each is a file of its own, named for what it does. A pass
//! fills in its part of the [`Model`] or finds what is wrong with it; passes after one that
//! found errors do not run, as they rely on what it checks. Nothing recurses on the nesting of
//! expressions: a pass either scans the expressions, whose operands come first, or walks them
//! with a stack of its own.
//!
//! The first passes rewrite what can be said by plainer means. Copies of what has type parameters
//! count as text: their decisions are decisions. Blocks, `last` and automata become equations and
//! nodes, which are added behind the text, so that messages and decisions still point to it.
//!
//! Start reading at [`model`], then [`kind`], then the passes in their order.

use obligato_lustre_syntax::ast::SyntaxTree;
use obligato_lustre_syntax::diagnostic::Diagnostic;

mod bodies;
mod check_assumptions;
mod check_causality;
mod check_clocks;
mod check_definitions;
mod check_initialisation;
mod check_types;
pub mod clocks;
mod collect_declarations;
mod components;
pub mod decision;
mod evaluate_constants;
mod extract_decisions;
mod find_main;
mod instantiate_parameters;
pub mod kind;
pub mod model;
mod open_libraries;
mod order_nodes;
mod report;
mod resolve_names;
mod rewrite_any;
mod rewrite_automata;
mod rewrite_blocks;
mod rewrite_last;
mod rewrite_refinements;
mod sources;
pub mod value;

pub(crate) use check_causality::Reader;
pub use clocks::{ClockId, Clocks, Wanted};
pub use decision::{NodeCondition, NodeDecision, Purpose};
pub use instantiate_parameters::written_name;
pub use kind::{Kind, KindId, Kinds, Size};
pub use model::{
    CallSite, Constant, ConstantId, Contract, Definition, Equation, Import, Mode, Model, Node,
    NodeBody, NodeId, Resolution, Target, Variable, VariableId, VariableRole,
};
pub use sources::Extent;
pub use value::ConstantValue;

use check_assumptions::check_assumptions;
use check_causality::check_causality;
use check_clocks::check_clocks;
use check_definitions::check_definitions;
use check_initialisation::check_initialisation;
use check_types::check_types;
use collect_declarations::collect_declarations;
use evaluate_constants::evaluate_constants;
use extract_decisions::extract_decisions;
use find_main::find_main;
use instantiate_parameters::instantiate_parameters;
use open_libraries::open_libraries;
use order_nodes::order_nodes;
use report::Report;
use resolve_names::resolve_names;
use rewrite_any::rewrite_any;
use rewrite_automata::rewrite_automata;
use rewrite_blocks::rewrite_blocks;
use rewrite_last::rewrite_last;
use rewrite_refinements::rewrite_refinements;

/// Options of the analysis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options<'o> {
    /// The main node, in place of what the file says.
    pub main: Option<&'o str>,
}

/// Analyses a model. Errors come in the order of the text, with the warnings of the passes that
/// ran; without errors the warnings are in the model.
pub fn analyse(program: SyntaxTree, options: &Options<'_>) -> Result<Model, Vec<Diagnostic>> {
    analyse_timed(program, options, &mut |_| {})
}

/// Like [`analyse`]; `after` hears the name of each pass when it is done.
pub fn analyse_timed(
    mut program: SyntaxTree,
    options: &Options<'_>,
    after: &mut dyn FnMut(&'static str),
) -> Result<Model, Vec<Diagnostic>> {
    let mut report = Report::default();
    instantiate_parameters(&mut program, &mut report);
    after("instantiate_parameters");
    report.settle()?;
    program.end_of_text();
    open_libraries(&mut program, &mut report);
    after("open_libraries");
    report.settle()?;
    rewrite_refinements(&mut program, &mut report);
    after("rewrite_refinements");
    report.settle()?;
    rewrite_any(&mut program, &mut report);
    after("rewrite_any");
    report.settle()?;
    rewrite_blocks(&mut program, &mut report);
    after("rewrite_blocks");
    report.settle()?;
    let uninitialised = rewrite_last(&mut program, &mut report);
    after("rewrite_last");
    report.settle()?;
    rewrite_automata(&mut program, &mut report);
    after("rewrite_automata");
    report.settle()?;
    let mut model = Model::new(program, uninitialised);
    let globals = collect_declarations(&mut model, &mut report);
    after("collect_declarations");
    report.settle()?;
    resolve_names(&mut model, &globals, &mut report);
    after("resolve_names");
    report.settle()?;
    evaluate_constants(&mut model, &globals, &mut report);
    after("evaluate_constants");
    report.settle()?;
    check_types(&mut model, &globals, &mut report);
    after("check_types");
    report.settle()?;
    order_nodes(&mut model, &mut report);
    after("order_nodes");
    report.settle()?;
    find_main(&mut model, options, &mut report);
    after("find_main");
    report.settle()?;
    check_definitions(&model, &mut report);
    after("check_definitions");
    report.settle()?;
    check_clocks(&mut model, &mut report);
    after("check_clocks");
    report.settle()?;
    check_causality(&mut model, &mut report);
    after("check_causality");
    report.settle()?;
    check_assumptions(&model, &mut report);
    after("check_assumptions");
    report.settle()?;
    check_initialisation(&model, &mut report);
    after("check_initialisation");
    extract_decisions(&mut model);
    after("extract_decisions");
    model.warnings = report.into_warnings();
    Ok(model)
}
