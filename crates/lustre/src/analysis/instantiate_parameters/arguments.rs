//! The arguments that stand for type parameters, and their text, by which copies are told apart.

use rustc_hash::FxHashSet;

use super::Instantiator;
use super::parts::contract_items;
use obligato_lustre_syntax::ast::operator::machine_type;
use obligato_lustre_syntax::ast::{
    Body, ContractItemKind, Declaration, DeclarationKind, Expr, ExprId, ItemKind, List, Local,
    Name, Signature, StaticArgument, Symbol, SyntaxTree, Type, TypeDefinition, TypeId,
    UnaryOperator, VariableGroup,
};
use obligato_lustre_syntax::diagnostic::Diagnostic;
use obligato_lustre_syntax::source::ByteSpan;

/// A longer list of arguments is refused: a type may grow exponentially from copy to copy.
const LONGEST_TEXT: usize = 1000;

/// The constants of the file, and the names that declarations give other meanings.
pub(super) struct LocalNames {
    constants: FxHashSet<Symbol>,
    /// In the order of the text.
    declarations: Vec<(ByteSpan, FxHashSet<Symbol>)>,
}

impl LocalNames {
    pub fn new(program: &SyntaxTree, declarations: &[Declaration]) -> Self {
        let mut constants = FxHashSet::default();
        let mut found = Vec::new();
        for declaration in declarations {
            match &declaration.kind {
                DeclarationKind::Constant(constant) => {
                    constants.extend(constant.names.iter().map(|name| name.symbol));
                }
                DeclarationKind::Type(declared) => {
                    if let TypeDefinition::Enumeration(values) = &declared.definition {
                        constants.extend(values.iter().map(|value| value.symbol));
                    }
                }
                _ => {}
            }
            found.push((declaration.span, names_of(program, &declaration.kind)));
        }
        Self { constants, declarations: found }
    }

    /// Is this a constant of the file for the declaration at a place?
    fn is_constant(&self, name: Symbol, place: ByteSpan) -> bool {
        let after = self.declarations.partition_point(|(span, _)| span.start <= place.start);
        let hidden = after.checked_sub(1).map(|index| &self.declarations[index].1);
        self.constants.contains(&name) && hidden.is_none_or(|names| !names.contains(&name))
    }
}

/// The names of the variables and constants of a node or contract.
fn names_of(program: &SyntaxTree, kind: &DeclarationKind) -> FxHashSet<Symbol> {
    let mut groups: Vec<VariableGroup> = Vec::new();
    let mut names: Vec<Name> = Vec::new();
    let mut signature = |signature: &Signature| {
        groups.extend(&signature.inputs);
        groups.extend(&signature.outputs);
    };
    match kind {
        DeclarationKind::Node(node) => signature(&node.signature),
        DeclarationKind::Contract(contract) => signature(&contract.signature),
        _ => {}
    }
    if let DeclarationKind::Node(node) = kind
        && let Body::Defined(definition) = &node.body
    {
        let mut locals: Vec<&Local> = definition.locals.iter().collect();
        let mut items = definition.items.clone();
        while let Some(id) = items.pop() {
            let kind = &program.item(id).kind;
            if let ItemKind::Automaton(automaton) = kind {
                locals.extend(automaton.states.iter().flat_map(|state| &state.locals));
            }
            items.extend(kind.contents());
        }
        for local in locals {
            match local {
                Local::Variables(group) => groups.push(*group),
                Local::Constant(constant) => names.extend(&constant.names),
            }
        }
    }
    for item in contract_items(kind) {
        match &item.kind {
            ContractItemKind::Variables(more, _) => groups.extend(more),
            ContractItemKind::Constant(constant) => names.extend(&constant.names),
            _ => {}
        }
    }
    let declared = groups.iter().flat_map(|group| &program.names[group.names]);
    declared.chain(&names).map(|name| name.symbol).collect()
}

impl Instantiator<'_> {
    /// The types given for the parameters of a template, and their text.
    pub(super) fn arguments(
        &mut self,
        template: usize,
        statics: List<StaticArgument>,
        used: Name,
    ) -> Option<(Vec<TypeId>, String)> {
        let found = self.try_arguments(template, statics, used);
        found.map_err(|diagnostic| self.report.add(*diagnostic)).ok()
    }

    fn try_arguments(
        &self,
        template: usize,
        statics: List<StaticArgument>,
        used: Name,
    ) -> Result<(Vec<TypeId>, String), Box<Diagnostic>> {
        let template = &self.templates[template];
        let name = self.program.text(used.symbol);
        let (wanted, given) = (template.parameters.len(), statics.len());
        if wanted != given {
            let wanted = match wanted {
                1 => "1 type parameter".to_owned(),
                _ => format!("{wanted} type parameters"),
            };
            let text = format!("'{name}' has {wanted}, not {given}");
            let declared = template.parameters[0].span;
            let diagnostic = Diagnostic::error(used.span, text)
                .with_help(format!("write a type for each: '{name}<<…>>'"));
            return Err(Box::new(diagnostic.with_related(declared, "declared here")));
        }
        let mut types = Vec::new();
        for argument in &self.program.statics[statics] {
            match argument {
                StaticArgument::Type(kind) => types.push(*kind),
                StaticArgument::Value(value) => {
                    let text = format!("expected a type: a parameter of '{name}'");
                    let span = self.program.expr_span(*value);
                    return Err(Box::new(Diagnostic::error(span, text)));
                }
            }
        }
        let places = [used.span, template.declaration.span];
        let text = self.text(&types, places)?;
        if text.len() > LONGEST_TEXT {
            let text = format!("the types given to '{name}' are too large");
            return Err(Box::new(Diagnostic::error(used.span, text)));
        }
        Ok((types, text))
    }

    /// The text of types, which must mean the same at several places.
    fn text(&self, types: &[TypeId], places: [ByteSpan; 2]) -> Result<String, Box<Diagnostic>> {
        enum Piece {
            Type(TypeId),
            Size(ExprId),
            Text(&'static str),
        }
        let separated = |types: &[TypeId], separator| {
            let pairs = types.iter().flat_map(|id| [Piece::Text(separator), Piece::Type(*id)]);
            pairs.skip(1).collect::<Vec<_>>()
        };
        let mut text = String::new();
        let mut todo = separated(types, "; ");
        todo.reverse();
        while let Some(piece) = todo.pop() {
            let start = todo.len();
            match piece {
                Piece::Text(written) => text.push_str(written),
                Piece::Size(id) => text.push_str(&self.size_text(id, places)?),
                Piece::Type(id) => match self.program.kind(id) {
                    Type::Bool => text.push_str("bool"),
                    Type::Int => text.push_str("int"),
                    Type::Real => text.push_str("real"),
                    Type::Machine(signedness, bits) => {
                        text.push_str(machine_type(signedness, bits));
                    }
                    Type::Named(name, _) => text.push_str(self.program.text(name)),
                    Type::Subrange(low, high) => {
                        let bound = |bound: Option<_>| bound.map_or(Piece::Text("*"), Piece::Size);
                        todo.extend([Piece::Text("subrange ["), bound(low), Piece::Text(", ")]);
                        todo.extend([bound(high), Piece::Text("] of int")]);
                    }
                    Type::Tuple(parts) => {
                        todo.push(Piece::Text("["));
                        todo.extend(separated(&self.program.type_lists[parts], ", "));
                        todo.push(Piece::Text("]"));
                    }
                    Type::Refined { .. } => {
                        let text = "a type with a condition is no type argument";
                        let help = "declare a name for it, 'type t = subtype { … };', and use that";
                        let span = self.program.kind_span(id);
                        return Err(Box::new(Diagnostic::error(span, text).with_help(help)));
                    }
                    Type::Array { element, size, .. } => {
                        todo.extend([Piece::Type(element), Piece::Text("^"), Piece::Size(size)]);
                    }
                },
            }
            todo[start..].reverse();
        }
        Ok(text)
    }

    /// A literal, or a constant of the file.
    fn size_text(&self, id: ExprId, places: [ByteSpan; 2]) -> Result<String, Box<Diagnostic>> {
        match self.program.expr(id) {
            Expr::Int(literal) => return Ok(self.program.text(literal).to_owned()),
            Expr::Unary(UnaryOperator::Negate, operand) => {
                if let Expr::Int(literal) = self.program.expr(operand) {
                    return Ok(format!("-{}", self.program.text(literal)));
                }
            }
            Expr::Name(name) if places.iter().all(|at| self.locals.is_constant(name, *at)) => {
                return Ok(self.program.text(name).to_owned());
            }
            _ => {}
        }
        let text = "expected a literal or a constant of the file: a size in '<<…>>'";
        let diagnostic = Diagnostic::error(self.program.expr_span(id), text);
        Err(Box::new(diagnostic.with_help("declare a constant that no variable hides")))
    }

    /// Nothing is known of what is never used.
    pub(super) fn warn_unused(&mut self, template: usize) {
        let Some((_, [name, ..], _)) =
            super::parameters(&self.templates[template].declaration.kind)
        else {
            return;
        };
        let text = self.program.text(name.symbol);
        let text = format!("'{text}' has type parameters and is never used: it is left out");
        self.report.add(Diagnostic::warning(name.span, text));
    }
}
