//! The stages of [`print_flat`](super::print_flat): live nodes get names, then texts, then lines.

use obligato_model::Type;
use obligato_transition_system::{CheckKind, NodeId, Sort, System};

use super::dialect::Dialect;
use super::enumerations::{EnumTypes, choose};
use super::expressions::{Text, expression, repeats};
use super::literals::{literal, machine_type};
use super::names::Names;
use super::uses::{count_uses, resolve};
use super::{Flat, FlatNode, UnsupportedByDialect};

/// An expression longer than this becomes an equation, even if it is used once.
const LONGEST_PART: usize = 80;

/// A node in the making.
pub(super) struct Writer<'n> {
    pub node: &'n FlatNode<'n>,
    pub dialect: Dialect,
    pub names: Names,
    /// By node of the graph: the number of its uses; 0 for dead nodes.
    pub uses: Vec<usize>,
    /// By node of the graph: the variable that holds it.
    pub variables: Vec<Option<String>>,
    /// By node of the graph: its expression, where no variable holds it.
    pub texts: Vec<Option<Text>>,
    pub inputs: Vec<String>,
    pub outputs: Vec<String>,
    /// Declarations of local variables.
    pub locals: Vec<String>,
    pub equations: Vec<String>,
    pub types: Vec<String>,
    pub renamed: Vec<(String, String)>,
}

impl<'n> Writer<'n> {
    pub fn new(node: &'n FlatNode<'n>, dialect: Dialect) -> Result<Self, UnsupportedByDialect> {
        let system = node.system;
        let size = system.graph.len();
        let writer = Self {
            node,
            dialect,
            names: Names::new(dialect),
            uses: count_uses(node),
            variables: vec![None; size],
            texts: vec![None; size],
            inputs: Vec::new(),
            outputs: Vec::new(),
            locals: Vec::new(),
            equations: Vec::new(),
            types: Vec::new(),
            renamed: Vec::new(),
        };
        writer.check_words()?;
        Ok(writer)
    }

    /// Refuses constructs that the dialect lacks.
    fn check_words(&self) -> Result<(), UnsupportedByDialect> {
        if self.dialect.has_machine_integers() {
            return Ok(());
        }
        let system = self.node.system;
        let no_words = |what: String| Err(UnsupportedByDialect { what, dialect: self.dialect });
        let ports = system.inputs.iter().map(|input| (&input.name, &input.kind));
        let ports = ports.chain(system.outputs.iter().map(|output| (&output.name, &output.kind)));
        for (name, kind) in ports {
            if let Type::Machine(..) = kind {
                return no_words(format!("the machine integer '{name}' of type {kind}"));
            }
        }
        for node in system.graph.nodes().filter(|node| self.uses[node.index()] > 0) {
            if let Sort::Machine(machine) = system.graph.sort(node) {
                return no_words(format!("machine integers, of type {}", machine_type(machine)));
            }
        }
        Ok(())
    }

    pub fn write(mut self) -> Flat {
        let mut types = EnumTypes::default();
        self.name_enumerations(&mut types);
        self.name_inputs(&types);
        self.name_outputs(&types);
        let traps = &self.node.traps;
        let properties: Vec<String> =
            traps.iter().map(|trap| self.names.claim(&trap.name)).collect();
        self.name_nodes();
        self.write_operations();
        self.write_latches();
        self.write_outputs(&types);
        let claims = self.write_claims(&properties);
        self.finish(&claims, properties)
    }

    pub(super) fn system(&self) -> &'n System {
        self.node.system
    }

    /// The node that a node is, seen through taps.
    pub(super) fn resolve(&self, node: NodeId) -> NodeId {
        resolve(self.system(), node)
    }

    fn write_operations(&mut self) {
        let system = self.system();
        let mut repeated = vec![false; system.graph.len()];
        for node in system.graph.nodes().filter(|node| self.uses[node.index()] > 0) {
            for operand in repeats(&system.graph, system.graph.term(node)) {
                repeated[self.resolve(operand).index()] = true;
            }
        }
        let mut unnamed = 0;
        for node in system.graph.nodes() {
            let at = node.index();
            if self.uses[at] == 0 || !self.is_operation(node) {
                continue;
            }
            let term = system.graph.term(node);
            let text =
                expression(&system.graph, self.dialect, term, |operand| self.text_of(operand));
            if let Some(name) = &self.variables[at] {
                self.equations.push(format!("{name} = {};", text.whole()));
            } else if self.uses[at] > 1 || repeated[at] || text.len() > LONGEST_PART {
                unnamed += 1;
                let name = self.names.claim(&format!("n{unnamed}"));
                self.define(name, system.graph.sort(node), &text.whole(), at);
            } else {
                self.texts[at] = Some(text);
            }
        }
    }

    /// The text of a node; an unnamed one is used once.
    fn text_of(&mut self, node: NodeId) -> Text {
        let at = self.resolve(node);
        let graph = &self.system().graph;
        if let Some(value) = graph.as_constant(at) {
            return Text::atomic(literal(graph.sort(at), value));
        }
        if let Some(name) = &self.variables[at.index()] {
            return Text::atomic(name.as_str());
        }
        let text = self.texts[at.index()].take();
        text.expect("invariant: what is used more than once has a variable")
    }

    fn write_latches(&mut self) {
        let initial = self.system().initial_state();
        for (index, (latch, initial)) in self.system().latches.iter().zip(initial).enumerate() {
            let at = latch.node.index();
            if self.uses[at] == 0 {
                continue;
            }
            if self.system().is_undefined(index) {
                let name =
                    self.variables[at].as_ref().expect("invariant: every live latch has one");
                self.equations.push(format!("{name} = pre {name};"));
                continue;
            }
            let initial = literal(self.system().graph.sort(latch.node), &initial);
            let next = self.text_of(latch.next).operand();
            let name = self.variables[at].as_ref().expect("invariant: every live latch has one");
            self.equations.push(format!("{name} = {initial} -> pre {next};"));
        }
    }

    fn write_outputs(&mut self, types: &EnumTypes) {
        for (position, output) in self.system().outputs.iter().enumerate() {
            let (name, _) = self.outputs[position].split_once(':').unwrap_or_default();
            let name = name.to_owned();
            let at = self.resolve(output.node);
            if self.variables[at.index()].as_ref() == Some(&name) {
                continue;
            }
            let text = self.text_of(output.node);
            let text = match types.of(&output.kind) {
                None => text.whole(),
                Some(of) => {
                    let number = self.names.claim(&format!("{name}_number"));
                    self.locals.push(format!("{number}: int"));
                    self.equations.push(format!("{number} = {};", text.whole()));
                    choose(&of.values, |position, value| {
                        (format!("{number} = {position}"), value.to_owned())
                    })
                }
            };
            self.equations.push(format!("{name} = {text};"));
        }
    }

    /// The assertions and properties, a line each; declares the variables of the latter.
    fn write_claims(&mut self, properties: &[String]) -> Vec<String> {
        let mut lines = Vec::new();
        for check in self.system().checks.iter().filter(|one| one.kind == CheckKind::Assertion) {
            let text = self.text_of(check.node).whole();
            lines.push(format!("-- {}", one_line(&check.label)));
            lines.push(format!("assert {text};"));
        }
        for (trap, name) in self.node.traps.iter().zip(properties) {
            self.locals.push(format!("{name}: bool"));
            let text = self.text_of(trap.event).operand();
            lines.push(String::new());
            lines.push(format!("-- {}", one_line(&trap.title)));
            lines.extend(trap.remarks.iter().map(|remark| format!("-- {}", one_line(remark))));
            lines.push(format!("{name} = not {text};"));
            lines.push(self.dialect.property(name, &trap.title));
        }
        lines
    }

    fn finish(mut self, claims: &[String], properties: Vec<String>) -> Flat {
        let name = Names::new(self.dialect).claim(self.node.name);
        if name != self.node.name {
            self.renamed.push((self.node.name.to_owned(), name.clone()));
        }
        let mut lines: Vec<String> = Vec::new();
        let renamed = self.renamed.iter().map(|(from, to)| format!("here {to}, there {from}"));
        let preamble = self.node.preamble.iter().cloned().chain(renamed);
        lines.extend(preamble.map(|line| format!("-- {}", one_line(&line)).trim_end().to_owned()));
        lines.push(String::new());
        lines.append(&mut self.types);
        lines.push(format!("node {name}("));
        lines.push(format!("  {}", self.inputs.join(";\n  ")));
        lines.push(") returns (".to_owned());
        lines.push(format!("  {}", self.outputs.join(";\n  ")));
        lines.push(");".to_owned());
        if !self.locals.is_empty() {
            lines.push("var".to_owned());
            lines.extend(self.locals.iter().map(|local| format!("  {local};")));
        }
        lines.push("let".to_owned());
        lines.push("  --%MAIN;".to_owned());
        let body = self.equations.iter().chain(claims);
        lines.extend(body.map(
            |line| {
                if line.is_empty() { String::new() } else { format!("  {line}") }
            },
        ));
        lines.push("tel;".to_owned());
        lines.push(String::new());
        Flat { text: lines.join("\n"), properties, renamed: self.renamed }
    }
}

pub(super) fn sort_text(sort: Sort) -> String {
    match sort {
        Sort::Machine(machine) => machine_type(machine),
        other => other.to_string(),
    }
}

/// A comment on one line.
fn one_line(text: &str) -> String {
    text.chars().map(|one| if one.is_control() { ' ' } else { one }).collect()
}
