//! Pass 0: one copy of what has type parameters per list of arguments, as if written out.
//!
//! `count<<int>>` is the name of a copy of `count` in which `int` stands for its parameter. The
//! copies stand where the original does, so that places stay those of the source. What is used
//! with no arguments at all is left out, with a warning: nothing can be said of it.
//!
//! The pass works on the tree alone, before names are known. A size in an argument must therefore
//! be a literal or a constant of the file, and mean the same wherever it is put.

use rustc_hash::FxHashMap;

use super::report::Report;
use obligato_lustre_syntax::ast::copy_declaration::Copier;
use obligato_lustre_syntax::ast::{
    Call, Declaration, DeclarationKind, Expr, ExprId, List, Name, StaticArgument, Symbol,
    SyntaxTree, Type, TypeId,
};
use obligato_lustre_syntax::diagnostic::Diagnostic;
use obligato_lustre_syntax::source::ByteSpan;

mod arguments;
mod parts;

use arguments::LocalNames;
use parts::{Space, imports, instance, names, parameters};

/// The most copies.
const MOST_COPIES: usize = 1 << 12;
/// The most expressions of all copies together.
const MOST_EXPRESSIONS: usize = 1 << 22;

/// The name as written, without the arguments of a copy.
pub fn written_name(name: &str) -> &str {
    name.split_once("<<").map_or(name, |(written, _)| written)
}

/// Replaces declarations with type parameters by their copies.
pub fn instantiate_parameters(program: &mut SyntaxTree, report: &mut Report) {
    let generic = |declaration: &Declaration| {
        parameters(&declaration.kind).is_some()
            || matches!(declaration.kind, DeclarationKind::Instance(_))
    };
    if !program.declarations.iter().any(generic) {
        return;
    }
    let declarations = std::mem::take(&mut program.declarations);
    let mut instantiator = Instantiator {
        locals: LocalNames::new(program, &declarations),
        expressions: program.exprs().len(),
        program,
        report,
        templates: Vec::new(),
        index: FxHashMap::default(),
        copies: Vec::new(),
        known: FxHashMap::default(),
    };
    let declarations = instantiator.run(declarations);
    program.declarations = declarations;
    program.mark_instantiated();
}

/// A declaration with type parameters.
struct Template {
    declaration: Declaration,
    parameters: Vec<Name>,
}

/// A copy to be made.
struct Copy {
    template: usize,
    name: Symbol,
    arguments: Vec<TypeId>,
    /// The copy that asked for it.
    user: Option<usize>,
    made: Option<Declaration>,
}

struct Instantiator<'a> {
    program: &'a mut SyntaxTree,
    report: &'a mut Report,
    locals: LocalNames,
    /// How many expressions there were.
    expressions: usize,
    templates: Vec<Template>,
    index: FxHashMap<(Space, Symbol), usize>,
    copies: Vec<Copy>,
    known: FxHashMap<(usize, Symbol), usize>,
}

/// A declaration of the result, or where its copies go.
enum DeclarationSlot {
    Plain(Declaration),
    /// The copies of a template that are called after it.
    Template(usize),
    /// A copy with a name of its own.
    Copy(usize),
}

impl Instantiator<'_> {
    fn run(&mut self, declarations: Vec<Declaration>) -> Vec<Declaration> {
        for declaration in &declarations {
            let Some((_, names, parameters)) = parameters(&declaration.kind) else { continue };
            for _ in names {
                let declaration = declaration.clone();
                self.templates.push(Template { declaration, parameters: parameters.to_vec() });
            }
        }
        self.index_templates(&declarations);
        let mut places = self.place(declarations);
        let templates: Vec<_> = self.templates.iter().map(|one| one.declaration.span).collect();
        self.rewrite(0, 0, None, &|span| !is_inside(span, &templates));
        for place in &mut places {
            if let DeclarationSlot::Plain(declaration) = place {
                self.rewrite_imports(declaration, None);
            }
        }
        let mut next = 0;
        while next < self.copies.len() && self.report.error_count() == 0 {
            self.make(next);
            next += 1;
        }
        self.forget(&templates);
        self.put_in_order(places)
    }

    /// Numbers the names with type parameters; no other declaration may have them.
    fn index_templates(&mut self, declarations: &[Declaration]) {
        let mut first: FxHashMap<(Space, Symbol), Name> = FxHashMap::default();
        let mut templates = 0;
        for declaration in declarations {
            let Some((space, names, parameters)) = names(&declaration.kind) else { continue };
            for name in names {
                let key = (space, name.symbol);
                let previous = first.insert(key, *name);
                let known = self.index.contains_key(&key) || !parameters.is_empty();
                if let Some(previous) = previous.filter(|_| known) {
                    let text = self.program.text(name.symbol);
                    let text = format!("'{text}' is declared twice");
                    let diagnostic = Diagnostic::error(name.span, text);
                    self.report.add(diagnostic.with_related(previous.span, "first declared here"));
                }
                if !parameters.is_empty() {
                    self.index.insert(key, templates);
                    templates += 1;
                }
            }
        }
    }

    /// Tells the templates from the rest, and asks for the copies with names of their own.
    fn place(&mut self, declarations: Vec<Declaration>) -> Vec<DeclarationSlot> {
        let mut places = Vec::new();
        for declaration in declarations {
            match &declaration.kind {
                DeclarationKind::Instance(asked) => {
                    let Some(&template) = self.index.get(&(Space::Node, asked.of.symbol)) else {
                        let text = self.program.text(asked.of.symbol);
                        let text = format!("there is no node '{text}' with type parameters");
                        self.report.add(Diagnostic::error(asked.of.span, text));
                        continue;
                    };
                    let Some((arguments, _)) = self.arguments(template, asked.arguments, asked.of)
                    else {
                        continue;
                    };
                    places.push(DeclarationSlot::Copy(self.copies.len()));
                    let (name, user, made) = (asked.name.symbol, None, None);
                    self.copies.push(Copy { template, name, arguments, user, made });
                }
                _ => match parameters(&declaration.kind) {
                    Some((space, names, _)) => {
                        let template = |name: &Name| self.index[&(space, name.symbol)];
                        places.extend(
                            names.iter().map(|name| DeclarationSlot::Template(template(name))),
                        );
                    }
                    None => places.push(DeclarationSlot::Plain(declaration)),
                },
            }
        }
        places
    }

    // Uses.

    /// Replaces what is used with arguments from these types and expressions on.
    fn rewrite(
        &mut self,
        first_type: usize,
        first_expr: usize,
        user: Option<usize>,
        asked: &dyn Fn(ByteSpan) -> bool,
    ) {
        for index in first_type..self.program.types().len() {
            let id = TypeId::new(index);
            let Type::Named(symbol, statics) = self.program.kind(id) else { continue };
            let span = self.program.kind_span(id);
            if asked(span)
                && let Some(copy) = self.copy_of(Space::Type, Name { symbol, span }, statics, user)
            {
                self.program.replace_type(id, Type::Named(copy, List::empty()));
            }
        }
        for index in first_expr..self.program.exprs().len() {
            let id = ExprId::new(index);
            if !asked(self.program.expr_span(id)) {
                continue;
            }
            match self.program.expr(id) {
                Expr::Call(call) => {
                    let found = self.program.call(call);
                    let copy = self.copy_of(Space::Node, found.node, found.statics, user);
                    if let Some(symbol) = copy {
                        let node = Name { symbol, ..found.node };
                        let replaced = Call { node, statics: List::empty(), ..found };
                        self.program.replace_call(call, replaced);
                    }
                }
                Expr::Record { name, .. } if self.index.contains_key(&(Space::Type, name)) => {
                    let name = self.program.text(name);
                    let text = format!("which '{name}' is meant? It has type parameters");
                    let help = format!("declare 'type t = {name}<<…>>;' and write 't {{ … }}'");
                    let span = self.program.expr_span(id);
                    self.report.add(Diagnostic::error(span, text).with_help(help));
                }
                _ => {}
            }
        }
    }

    fn rewrite_imports(&mut self, declaration: &mut Declaration, user: Option<usize>) {
        for (contract, statics) in imports(&mut declaration.kind) {
            if let Some(symbol) = self.copy_of(Space::Contract, *contract, *statics, user) {
                (contract.symbol, *statics) = (symbol, List::empty());
            }
        }
    }

    /// The name of the copy that is used, if what is named has type parameters.
    fn copy_of(
        &mut self,
        space: Space,
        what: Name,
        statics: List<StaticArgument>,
        user: Option<usize>,
    ) -> Option<Symbol> {
        let &template = self.index.get(&(space, what.symbol))?;
        let (arguments, text) = self.arguments(template, statics, what)?;
        let name = format!("{}<<{text}>>", self.program.text(what.symbol));
        let name = self.program.symbols.intern(&name);
        if self.known.contains_key(&(template, name)) {
            return Some(name);
        }
        if let Some(earlier) = self.earlier_copy(template, user) {
            let earlier = self.program.text(self.copies[earlier].name);
            let text = format!(
                "'{earlier}' leads to '{}': what uses itself with other types has no end",
                self.program.text(name)
            );
            self.report.add(Diagnostic::error(what.span, text));
            return None;
        }
        let copied = self.program.exprs().len() - self.expressions;
        if self.copies.len() >= MOST_COPIES || copied > MOST_EXPRESSIONS {
            let text = "there are too many copies of what has type parameters";
            self.report.add(Diagnostic::error(what.span, text));
            return None;
        }
        self.known.insert((template, name), self.copies.len());
        self.copies.push(Copy { template, name, arguments, user, made: None });
        Some(name)
    }

    /// The copy of the template that the user is made for, perhaps through others.
    fn earlier_copy(&self, template: usize, user: Option<usize>) -> Option<usize> {
        let mut at = user;
        while let Some(copy) = at {
            if self.copies[copy].template == template {
                return at;
            }
            at = self.copies[copy].user;
        }
        None
    }

    // Copies.

    fn make(&mut self, index: usize) {
        let (first_type, first_expr) = (self.program.types().len(), self.program.exprs().len());
        let Copy { template, name, ref arguments, .. } = self.copies[index];
        let template = &self.templates[template];
        let symbols = template.parameters.iter().map(|parameter| parameter.symbol);
        let substitution = symbols.zip(arguments.iter().copied()).collect();
        let copy = Copier::new(self.program, &substitution).declaration(&template.declaration);
        let mut copy = instance(copy, name);
        self.rewrite(first_type, first_expr, Some(index), &|_| true);
        self.rewrite_imports(&mut copy, Some(index));
        self.copies[index].made = Some(copy);
    }

    /// The expressions of templates are no part of the model: scans of all find literals.
    fn forget(&mut self, templates: &[ByteSpan]) {
        for id in (0..self.expressions).map(ExprId::new) {
            if is_inside(self.program.expr_span(id), templates) {
                self.program.replace_expr(id, Expr::Bool(true));
            }
        }
    }

    fn put_in_order(&mut self, places: Vec<DeclarationSlot>) -> Vec<Declaration> {
        let mut declarations = Vec::new();
        for place in places {
            match place {
                DeclarationSlot::Plain(declaration) => declarations.push(declaration),
                DeclarationSlot::Copy(index) => declarations.extend(self.copies[index].made.take()),
                DeclarationSlot::Template(template) => {
                    let used = self.copies.iter().any(|copy| copy.template == template);
                    if !used && self.report.error_count() == 0 {
                        self.warn_unused(template);
                    }
                    for copy in self.copies.iter_mut().filter(|copy| copy.template == template) {
                        if self.known.contains_key(&(template, copy.name)) {
                            declarations.extend(copy.made.take());
                        }
                    }
                }
            }
        }
        declarations
    }
}

/// Is a place inside one of those, which are in the order of the text?
fn is_inside(span: ByteSpan, outer: &[ByteSpan]) -> bool {
    let after = outer.partition_point(|one| one.start <= span.start);
    after.checked_sub(1).is_some_and(|index| span.end <= outer[index].end)
}
