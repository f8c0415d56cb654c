//! A file: types, constants, nodes, functions, contracts, one after another.

use super::types::plain;
use super::{Parser, Step};
use crate::ast::{
    Body, ContractDeclaration, Declaration, DeclarationKind, Definition, Instance, Local, Name,
    Node, NodeKind, Opacity, Signature, Trivia, TypeDeclaration, TypeDefinition, VariableGroup,
};
use crate::diagnostic::Diagnostic;
use crate::token::TokenKind;

impl Parser<'_> {
    /// Reads the file.
    pub(super) fn file(&mut self) {
        while self.peek() != TokenKind::End && !self.too_many_errors() {
            self.braces = 0;
            let taken = self.previous.span.end;
            if self.declaration().is_err() {
                self.skip_declaration();
                // A declaration that fails at its first token must not be tried again.
                if self.previous.span.end == taken && self.peek() != TokenKind::End {
                    self.take();
                }
            }
        }
        self.program.closing = self.loose_comments();
    }

    fn declaration(&mut self) -> Step<()> {
        let trivia = self.open_trivia();
        let start = self.peek_token().span.start;
        let kind = match self.peek() {
            TokenKind::Type => DeclarationKind::Type(self.type_declaration()?),
            TokenKind::Const => {
                self.take();
                return self.constants(trivia);
            }
            TokenKind::Node | TokenKind::Function => self.node(None)?,
            TokenKind::Hash if self.word_at(1, "open") => self.open_library()?,
            TokenKind::Name => match self.word() {
                "include" => self.include()?,
                "contract" => self.contract_declaration()?,
                "opaque" => {
                    self.take();
                    self.node(Some(Opacity::Opaque))?
                }
                "transparent" => {
                    self.take();
                    self.node(Some(Opacity::Transparent))?
                }
                "param" => {
                    self.take();
                    return self.constants(trivia);
                }
                "datatype" => return Err(self.unsupported_here("an algebraic 'datatype'")),
                "lemma" => return Err(self.unsupported_here("a 'lemma'")),
                "package" | "model" => {
                    let stop = self.unsupported_here("a Lustre V6 package");
                    while self.peek() != TokenKind::End {
                        self.take();
                    }
                    return Err(stop);
                }
                "extern" | "unsafe" => {
                    return Err(self.unsupported_here("an 'extern' or 'unsafe' declaration"));
                }
                _ => return Err(self.expected(&DECLARATIONS)),
            },
            TokenKind::MainPragma
            | TokenKind::PropertyPragma
            | TokenKind::IvcPragma
            | TokenKind::RealizablePragma => {
                let span = self.peek_token().span;
                let text = format!("'{}' stands between 'let' and 'tel'", self.tokens.text(span));
                return Err(self.report(Diagnostic::error(span, text)));
            }
            _ => return Err(self.expected(&DECLARATIONS)),
        };
        self.declare(kind, start, trivia);
        Ok(())
    }

    fn declare(&mut self, kind: DeclarationKind, start: u32, trivia: Trivia) {
        let mut span = self.span_from(start);
        if let Some((end, constants)) = self.late_constants.take() {
            span.end = end;
            let trivia = plain(trivia);
            self.program.declarations.push(Declaration { kind, span, trivia });
            for mut constant in constants {
                let trivia = std::mem::take(&mut constant.trivia);
                let span = constant.span;
                let kind = DeclarationKind::Constant(constant);
                self.program.declarations.push(Declaration { kind, span, trivia });
            }
            return;
        }
        let trivia = plain(self.close_compound(trivia));
        self.program.declarations.push(Declaration { kind, span, trivia });
    }

    /// The next token as text.
    fn word(&mut self) -> &str {
        let span = self.peek_token().span;
        self.tokens.text(span)
    }

    fn unsupported_here(&mut self, construct: &str) -> super::Stop {
        let span = self.peek_token().span;
        self.unsupported(span, construct)
    }

    fn include(&mut self) -> Step<DeclarationKind> {
        self.take();
        let Some(path) = self.title() else {
            return Err(self.expected(&["the name of a file in quotes"]));
        };
        self.accept(TokenKind::Semicolon);
        Ok(DeclarationKind::Include(path))
    }

    /// `#open <conv>` or `#open "conv"`.
    fn open_library(&mut self) -> Step<DeclarationKind> {
        self.take();
        self.take();
        if let Some(title) = self.title() {
            let text = format!("\"{}\"", self.program.text(title));
            return Ok(DeclarationKind::Open(self.program.symbols.intern(&text)));
        }
        self.expect(TokenKind::Less, "the name of a library, such as '<conv>'")?;
        let name = self.name("the name of a library")?;
        self.expect(TokenKind::Greater, "'>'")?;
        let text = format!("<{}>", self.program.text(name.symbol));
        Ok(DeclarationKind::Open(self.program.symbols.intern(&text)))
    }

    fn type_declaration(&mut self) -> Step<TypeDeclaration> {
        self.take();
        let mut names = vec![self.name("the name of a type")?];
        while self.accept(TokenKind::Comma) {
            names.push(self.name("the name of a type")?);
        }
        let parameters = self.type_parameters()?;
        if self.accept(TokenKind::Semicolon) {
            return Ok(TypeDeclaration { names, parameters, definition: TypeDefinition::Free });
        }
        self.expect(TokenKind::Equal, "'='")?;
        let definition = self.type_definition()?;
        self.expect(TokenKind::Semicolon, "';' after the type")?;
        Ok(TypeDeclaration { names, parameters, definition })
    }

    fn type_definition(&mut self) -> Step<TypeDefinition> {
        match self.peek() {
            TokenKind::Struct => {
                self.take();
                self.record_type()
            }
            TokenKind::OpenBrace => self.record_type(),
            TokenKind::Enum => {
                self.take();
                self.expect(TokenKind::OpenBrace, "'{'")?;
                let mut values = vec![self.name("a value of the enumeration")?];
                while self.accept(TokenKind::Comma) {
                    values.push(self.name("a value of the enumeration")?);
                }
                if self.peek() != TokenKind::CloseBrace {
                    return Err(self.expected(&["','", "'}'"]));
                }
                self.take();
                Ok(TypeDefinition::Enumeration(values))
            }
            _ => self.type_expression().map(TypeDefinition::Alias),
        }
    }

    fn record_type(&mut self) -> Step<TypeDefinition> {
        self.expect(TokenKind::OpenBrace, "'{'")?;
        let mut fields = Vec::new();
        while self.peek() != TokenKind::CloseBrace {
            let trivia = self.open_trivia();
            let group = self.variables()?;
            let more = self.accept(TokenKind::Semicolon);
            if !more && self.peek() != TokenKind::CloseBrace {
                return Err(self.expected(&["';'", "'}'"]));
            }
            let trivia = self.close_group(trivia, more, TokenKind::CloseBrace);
            fields.push(VariableGroup { trivia, ..group });
        }
        self.take();
        Ok(TypeDefinition::Record(fields))
    }

    /// `<<t; u>>` or `<t, u>` after the name of what is declared; `type t` is the V6 way.
    fn type_parameters(&mut self) -> Step<Vec<Name>> {
        let (close, wanted) = match self.peek() {
            TokenKind::OpenStatic => (TokenKind::CloseStatic, "'>>'"),
            TokenKind::Less => (TokenKind::Greater, "'>'"),
            _ => return Ok(Vec::new()),
        };
        self.take();
        let mut names = Vec::new();
        while self.peek() != close {
            if self.peek() == TokenKind::Const {
                return Err(self.unsupported_here("a constant as static parameter"));
            }
            self.accept(TokenKind::Type);
            names.push(self.name("the name of a type parameter")?);
            if !self.accept(TokenKind::Semicolon) && !self.accept(TokenKind::Comma) {
                break;
            }
        }
        self.expect(close, wanted)?;
        Ok(names)
    }

    /// `a = 1; b: int = 2; c, d: bool;` after `const`.
    fn constants(&mut self, mut trivia: Trivia) -> Step<()> {
        loop {
            let start = self.peek_token().span.start;
            let constant = self.constant()?;
            let span = self.span_from(start);
            let closed = plain(self.close_trivia(trivia));
            let kind = DeclarationKind::Constant(constant);
            self.program.declarations.push(Declaration { kind, span, trivia: closed });
            if !self.continues_constants() {
                return Ok(());
            }
            trivia = self.open_trivia();
        }
    }

    /// A node or function.
    fn node(&mut self, opacity: Option<Opacity>) -> Step<DeclarationKind> {
        let kind = match self.peek() {
            TokenKind::Node => NodeKind::Node,
            TokenKind::Function => NodeKind::Function,
            _ => return Err(self.expected(&["'node'", "'function'"])),
        };
        self.take();
        let named_next = self.peek_at(1) == TokenKind::Name;
        if self.at_word("rec") && named_next {
            return Err(self.unsupported_here("a recursive function"));
        }
        let imported = named_next && self.accept_word("imported");
        let name = self.path("the name of the node")?;
        if kind == NodeKind::Node && self.peek() == TokenKind::Equal {
            return self.instance(name);
        }
        let signature = self.signature()?;
        let semicolon = self.accept(TokenKind::Semicolon);
        let contract = self.contract()?;
        let body = if imported {
            if matches!(self.peek(), TokenKind::Let | TokenKind::Var) {
                let place = self.peek_token().span;
                let text = "an imported node or function has no body";
                return Err(self.report(Diagnostic::error(place, text)));
            }
            Body::Imported
        } else if kind == NodeKind::Function && self.peek() == TokenKind::Const {
            self.function_body(name)?
        } else if self.starts_body() {
            let locals = self.locals()?;
            Body::Defined(self.definition(name, locals)?)
        } else if kind == NodeKind::Function && semicolon {
            Body::Absent
        } else if semicolon || contract.is_some() {
            let text = format!("node '{}' has no body", self.program.text(name.symbol));
            let help = "write 'let … tel', or 'node imported' for one that is defined elsewhere";
            let found = self.found();
            let place = self.peek_token().span;
            let problem =
                Diagnostic::error(place, format!("{text}: expected 'var' or 'let', found {found}"));
            return Err(self.report(problem.with_help(help)));
        } else {
            return Err(self.expected(&["';'", "'var'", "'let'"]));
        };
        let node = Node { kind, opacity, name, signature, contract, body };
        Ok(DeclarationKind::Node(Box::new(node)))
    }

    fn starts_body(&mut self) -> bool {
        matches!(self.peek(), TokenKind::Var | TokenKind::Let | TokenKind::Const)
    }

    /// The body of a function, where there is one. Constants after `function …;` are its own
    /// if `let` follows (Kind 2) and the file's if not (JKind).
    fn function_body(&mut self, name: Name) -> Step<Body> {
        let end = self.previous;
        let locals = self.locals()?;
        let only_constants = locals.iter().all(|local| matches!(local, Local::Constant(_)));
        if self.peek() == TokenKind::Let || !only_constants {
            return Ok(Body::Defined(self.definition(name, locals)?));
        }
        let constants = locals.into_iter().filter_map(|local| match local {
            Local::Constant(constant) => Some(constant),
            Local::Variables(_) => None,
        });
        self.late_constants = Some((end.span.end, constants.collect()));
        Ok(Body::Absent)
    }

    pub(super) fn signature(&mut self) -> Step<Signature> {
        let parameters = self.type_parameters()?;
        let inputs = self.parameters()?;
        self.expect(TokenKind::Returns, "'returns'")?;
        let outputs = self.parameters()?;
        Ok(Signature { parameters, inputs, outputs })
    }

    fn instance(&mut self, name: Name) -> Step<DeclarationKind> {
        self.take();
        let of = self.path("the name of a node")?;
        let arguments = self.static_arguments()?;
        self.expect(TokenKind::Semicolon, "';'")?;
        Ok(DeclarationKind::Instance(Instance { name, of, arguments }))
    }

    fn contract_declaration(&mut self) -> Step<DeclarationKind> {
        self.take();
        let name = self.name("the name of the contract")?;
        let signature = self.signature()?;
        self.accept(TokenKind::Semicolon);
        self.expect(TokenKind::Let, "'let'")?;
        let items = self.contract_items(TokenKind::Tel);
        self.expect(TokenKind::Tel, "'tel'")?;
        self.accept_separator();
        let contract = ContractDeclaration { name, signature, items };
        Ok(DeclarationKind::Contract(Box::new(contract)))
    }

    /// `var … let … tel`.
    fn definition(&mut self, name: Name, locals: Vec<Local>) -> Step<Definition> {
        self.expect(TokenKind::Let, "'let'")?;
        let items = self.body();
        let closing = self.loose_comments();
        if self.peek() != TokenKind::Tel {
            let text = format!("node '{}' starts here", self.program.text(name.symbol));
            return self.expected_by(&["an equation", "'tel'"], name.span, &text);
        }
        self.take();
        self.accept_separator();
        Ok(Definition { locals, items, closing })
    }
}

const DECLARATIONS: [&str; 5] = ["'node'", "'function'", "'type'", "'const'", "'contract'"];
