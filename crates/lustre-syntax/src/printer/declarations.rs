//! Declarations and contracts.

use super::{Printer, STEP, WIDTH};
use crate::ast::{
    Body, Clause, Constant, ContractItem, ContractItemKind, DeclarationKind, Definition, Force,
    Local, Name, Node, NodeKind, Opacity, Signature, TypeDeclaration, TypeDefinition,
    VariableGroup,
};

impl Printer<'_> {
    pub(super) fn file(&mut self) {
        let program = self.program;
        for (index, declaration) in program.declarations.iter().enumerate() {
            if index > 0 && !self.stays_close(index) {
                self.newline(0);
            }
            self.comments(declaration.trivia.leading, 0);
            match &declaration.kind {
                DeclarationKind::Include(path) => {
                    self.text("include \"");
                    self.text(program.text(*path));
                    self.text("\"");
                }
                DeclarationKind::Open(library) => {
                    self.text("#open ");
                    self.text(program.text(*library));
                }
                DeclarationKind::Type(declaration) => self.type_declaration(declaration),
                DeclarationKind::Constant(constant) => {
                    self.text("const ");
                    self.constant(constant, 0);
                }
                DeclarationKind::Node(node) => self.node(node),
                DeclarationKind::Contract(contract) => {
                    self.text("contract ");
                    self.name(contract.name);
                    self.signature(&contract.signature);
                    self.text(";");
                    self.newline(0);
                    self.text("let");
                    self.contract_items(&contract.items);
                    self.text("tel;");
                }
                DeclarationKind::Instance(instance) => {
                    self.text("node ");
                    self.name(instance.name);
                    self.text(" = ");
                    self.name(instance.of);
                    self.statics(instance.arguments);
                    self.text(";");
                }
            }
            self.trailing(declaration.trivia);
            self.newline(0);
        }
        if !program.closing.is_empty() {
            if !program.declarations.is_empty() {
                self.newline(0);
            }
            self.comments(program.closing, 0);
        }
    }

    /// Constants and types in a row have no empty line between them.
    fn stays_close(&self, index: usize) -> bool {
        let declarations = &self.program.declarations;
        let [before, here] = [index - 1, index].map(|index| &declarations[index]);
        let plain = here.trivia.leading.is_empty();
        plain
            && match (&before.kind, &here.kind) {
                (DeclarationKind::Constant(_), DeclarationKind::Constant(_))
                | (DeclarationKind::Type(_), DeclarationKind::Type(_))
                | (DeclarationKind::Include(_), DeclarationKind::Include(_))
                | (DeclarationKind::Open(_), DeclarationKind::Open(_)) => true,
                (DeclarationKind::Node(one), DeclarationKind::Node(other)) => [one, other]
                    .iter()
                    .all(|node| node.contract.is_none() && !matches!(node.body, Body::Defined(_))),
                _ => false,
            }
    }

    fn type_declaration(&mut self, declaration: &TypeDeclaration) {
        self.text("type ");
        self.names(&declaration.names);
        self.type_parameters(&declaration.parameters);
        match &declaration.definition {
            TypeDefinition::Free => {}
            TypeDefinition::Alias(kind) => {
                self.text(" = ");
                self.kind(*kind);
            }
            TypeDefinition::Record(fields) => {
                self.text(" = struct ");
                self.groups(fields, ["{ ", " }"], ["{", "}"]);
            }
            TypeDefinition::Enumeration(values) => {
                self.text(" = enum { ");
                for (index, value) in values.iter().enumerate() {
                    if index > 0 {
                        self.text(",");
                        let length = self.program.text(value.symbol).len();
                        if self.column() + length + 4 > WIDTH {
                            self.newline(STEP);
                        } else {
                            self.text(" ");
                        }
                    }
                    self.name(*value);
                }
                self.text(" }");
            }
        }
        self.text(";");
    }

    fn type_parameters(&mut self, names: &[Name]) {
        if names.is_empty() {
            return;
        }
        self.text("<<");
        for (index, name) in names.iter().enumerate() {
            if index > 0 {
                self.text("; ");
            }
            self.name(*name);
        }
        self.text(">>");
    }

    /// A constant without the word `const`.
    pub(super) fn constant(&mut self, constant: &Constant, indent: usize) {
        self.names(&constant.names);
        if let Some(kind) = constant.kind {
            self.text(": ");
            self.kind(kind);
        }
        match constant.value {
            Some(value) => self.value(value, indent),
            None => self.text(";"),
        }
    }

    fn node(&mut self, node: &Node) {
        match node.opacity {
            Some(Opacity::Opaque) => self.text("opaque "),
            Some(Opacity::Transparent) => self.text("transparent "),
            None => {}
        }
        self.text(match node.kind {
            NodeKind::Node => "node ",
            NodeKind::Function => "function ",
        });
        if node.body == Body::Imported {
            self.text("imported ");
        }
        self.name(node.name);
        self.signature(&node.signature);
        self.text(";");
        if let Some(contract) = &node.contract {
            self.newline(0);
            self.text("(*@contract");
            self.contract_items(contract);
            self.text("*)");
        }
        if let Body::Defined(definition) = &node.body {
            self.definition(definition);
        }
    }

    fn definition(&mut self, definition: &Definition) {
        self.locals(&definition.locals, 0);
        self.newline(0);
        self.text("let");
        self.items(&definition.items);
        if !definition.closing.is_empty() {
            self.newline(STEP);
            self.comments(definition.closing, STEP);
            // The cursor stands indented on a line of its own.
            self.out.truncate(self.line_start);
            self.text("tel;");
            return;
        }
        self.newline(0);
        self.text("tel;");
    }

    /// The declarations before `let`, each on a line of its own.
    pub(super) fn locals(&mut self, locals: &[Local], indent: usize) {
        let mut in_variables = false;
        for local in locals {
            let (trivia, inner) = match local {
                Local::Variables(group) => {
                    if !in_variables {
                        self.newline(indent);
                        self.text("var");
                    }
                    (group.trivia, indent + STEP)
                }
                Local::Constant(constant) => (constant.trivia, indent),
            };
            self.newline(inner);
            match local {
                Local::Variables(group) => {
                    self.comments(trivia.leading, inner);
                    self.group(*group);
                    self.text(";");
                }
                Local::Constant(constant) => {
                    self.comments(trivia.leading, inner);
                    self.text("const ");
                    self.constant(constant, inner);
                }
            }
            self.trailing(trivia);
            in_variables = matches!(local, Local::Variables(_));
        }
    }

    fn signature(&mut self, signature: &Signature) {
        self.type_parameters(&signature.parameters);
        self.groups(&signature.inputs, ["(", ")"], ["(", ")"]);
        let broken = self.out.ends_with("\n)");
        if broken {
            self.newline(0);
        } else {
            self.text(" ");
        }
        self.text("returns ");
        self.groups(&signature.outputs, ["(", ")"], ["(", ")"]);
    }

    /// Variables between brackets, on one line if they fit and carry no comments.
    fn groups(&mut self, groups: &[VariableGroup], flat: [&str; 2], broken: [&str; 2]) {
        let plain = groups
            .iter()
            .all(|group| group.trivia.leading.is_empty() && group.trivia.trailing.is_empty());
        if plain {
            let (length, line_start) = (self.out.len(), self.line_start);
            self.text(flat[0]);
            for (index, group) in groups.iter().enumerate() {
                if index > 0 {
                    self.text("; ");
                }
                self.group(*group);
            }
            self.text(flat[1]);
            if self.line_start == line_start && self.column() < WIDTH || groups.is_empty() {
                return;
            }
            self.out.truncate(length);
            self.line_start = line_start;
        }
        self.text(broken[0]);
        for (index, group) in groups.iter().enumerate() {
            self.newline(STEP);
            self.comments(group.trivia.leading, STEP);
            self.group(*group);
            if index + 1 < groups.len() {
                self.text(";");
            }
            self.trailing(group.trivia);
        }
        self.newline(0);
        self.text(broken[1]);
    }

    // Contracts.

    /// The items, each on a line of its own; ends at the start of a line.
    fn contract_items(&mut self, items: &[ContractItem]) {
        for item in items {
            self.newline(STEP);
            self.comments(item.trivia.leading, STEP);
            self.contract_item(&item.kind);
            self.trailing(item.trivia);
        }
        self.newline(0);
    }

    fn contract_item(&mut self, kind: &ContractItemKind) {
        match kind {
            ContractItemKind::Variables(groups, value) => {
                self.text("var ");
                for (index, group) in groups.iter().enumerate() {
                    if index > 0 {
                        self.text(", ");
                    }
                    self.group(*group);
                }
                self.value(*value, STEP);
            }
            ContractItemKind::Constant(constant) => {
                self.text("const ");
                self.constant(constant, STEP);
            }
            ContractItemKind::Assume(clause, force) => self.clause_item("assume", clause, *force),
            ContractItemKind::Guarantee(clause, force) => {
                self.clause_item("guarantee", clause, *force);
            }
            ContractItemKind::Mode { name, requires, ensures } => {
                self.text("mode ");
                self.name(*name);
                self.text(" (");
                for (word, clauses) in [("require", requires), ("ensure", ensures)] {
                    for clause in clauses {
                        self.newline(STEP + STEP);
                        self.clause(word, clause, STEP + STEP);
                    }
                }
                self.newline(STEP);
                self.text(");");
            }
            ContractItemKind::Import { contract, statics, inputs, outputs } => {
                self.text("import ");
                self.name(*contract);
                self.statics(*statics);
                self.text("(");
                let program = self.program;
                for (index, input) in program.expr_lists[*inputs].iter().enumerate() {
                    if index > 0 {
                        self.text(", ");
                    }
                    self.expr(*input, STEP + STEP);
                }
                self.text(") returns (");
                self.names(outputs);
                self.text(");");
            }
            ContractItemKind::AssumptionVariables(names) => {
                self.text("assumption_vars ");
                self.names(names);
                self.text(";");
            }
        }
    }

    fn clause_item(&mut self, word: &str, clause: &Clause, force: Force) {
        if force == Force::Weakly {
            self.text("weakly ");
        }
        self.clause(word, clause, STEP);
    }

    fn clause(&mut self, word: &str, clause: &Clause, indent: usize) {
        self.text(word);
        self.text(" ");
        self.title(clause.title);
        self.expr(clause.condition, indent + STEP);
        self.text(";");
    }
}
