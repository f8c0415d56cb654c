//! Rewriting, before all else: the functions of LustreC's libraries that a model uses.
//!
//! `#open <conv>` brings conversions, which are defined as LustreC's C code defines them, on exact
//! numbers; `#open <lustrec_math>` brings functions on reals of which nothing is known but that
//! they are functions. What the file declares itself it keeps.

use rustc_hash::FxHashSet;

use super::report::Report;
use obligato_lustre_syntax::ast::{
    BinaryOperator, Body, Declaration, DeclarationKind, Definition, Expr, ExprId, List, Name, Node,
    NodeKind, Signature, Symbol, SyntaxTree, Trivia, Type, UnaryOperator, Variability,
};
use obligato_lustre_syntax::diagnostic::Diagnostic;
use obligato_lustre_syntax::source::ByteSpan;

/// The functions of `conv`: what they take, what they give, and how that is computed.
const CONVERSIONS: [(&str, Type, Type, Conversion); 8] = [
    ("int_to_real", Type::Int, Type::Real, Conversion::Exact),
    ("real_to_int", Type::Real, Type::Int, Conversion::Truncate),
    ("_Floor", Type::Real, Type::Int, Conversion::Floor),
    ("_floor", Type::Real, Type::Real, Conversion::Floor),
    ("_Ceiling", Type::Real, Type::Int, Conversion::Ceiling),
    ("_ceil", Type::Real, Type::Real, Conversion::Ceiling),
    ("_Round", Type::Real, Type::Int, Conversion::Round),
    ("_round", Type::Real, Type::Real, Conversion::Round),
];

/// The functions of `lustrec_math`, with the number of their arguments.
const FUNCTIONS: [(&str, usize); 22] = [
    ("acos", 1),
    ("acosh", 1),
    ("asin", 1),
    ("asinh", 1),
    ("atan", 1),
    ("atan2", 2),
    ("atanh", 1),
    ("cbrt", 1),
    ("cos", 1),
    ("cosh", 1),
    ("erf", 1),
    ("exp", 1),
    ("fabs", 1),
    ("fmod", 2),
    ("log", 1),
    ("log10", 1),
    ("pow", 2),
    ("sin", 1),
    ("sinh", 1),
    ("sqrt", 1),
    ("tan", 1),
    ("tanh", 1),
];

/// How a number becomes another.
#[derive(Clone, Copy)]
enum Conversion {
    Exact,
    /// Toward zero.
    Truncate,
    Floor,
    Ceiling,
    /// To the nearest integer; halves away from zero.
    Round,
}

/// Declares the functions of the libraries in the place of each `#open`.
pub fn open_libraries(program: &mut SyntaxTree, report: &mut Report) {
    let opens = |declaration: &Declaration| matches!(declaration.kind, DeclarationKind::Open(_));
    if !program.declarations.iter().any(opens) {
        return;
    }
    let mut declared: FxHashSet<Symbol> = FxHashSet::default();
    for declaration in &program.declarations {
        if let DeclarationKind::Node(node) = &declaration.kind {
            declared.insert(node.name.symbol);
        }
    }
    let mut all = Vec::new();
    for declaration in std::mem::take(&mut program.declarations) {
        if let DeclarationKind::Open(library) = declaration.kind {
            let opener = Opener { program, span: declaration.span };
            all.extend(opener.open(library, &mut declared, report));
        }
        all.push(declaration);
    }
    program.declarations = all;
}

struct Opener<'p> {
    program: &'p mut SyntaxTree,
    /// Where the library is opened: what it brings stands there.
    span: ByteSpan,
}

impl Opener<'_> {
    fn open(
        mut self,
        library: Symbol,
        declared: &mut FxHashSet<Symbol>,
        report: &mut Report,
    ) -> Vec<Declaration> {
        let mut found = Vec::new();
        match self.program.text(library).trim_matches(['<', '>', '"']) {
            "conv" => {
                for (name, from, to, conversion) in CONVERSIONS {
                    if let Some(name) = self.wanted(name, declared) {
                        found.push(self.conversion(name, from, to, conversion));
                    }
                }
            }
            "lustrec_math" | "math" => {
                for (name, arguments) in FUNCTIONS {
                    if let Some(name) = self.wanted(name, declared) {
                        found.push(self.unknown(name, arguments));
                    }
                }
            }
            _ => {
                let text = format!("the library {} is not known", self.program.text(library));
                let help = "remove this line and declare what the model uses of it: \
                            'function f(x: int) returns (y: int);'";
                report.add(Diagnostic::error(self.span, text).with_help(help));
            }
        }
        found
    }

    /// The name of a function, if the file mentions and does not declare it.
    fn wanted(&self, name: &str, declared: &mut FxHashSet<Symbol>) -> Option<Name> {
        let symbol = self.program.symbols.find(name)?;
        let free = self.program.is_written_name(symbol) && declared.insert(symbol);
        free.then_some(Name { symbol, span: self.span })
    }

    fn conversion(
        &mut self,
        name: Name,
        from: Type,
        to: Type,
        conversion: Conversion,
    ) -> Declaration {
        let (x, y) = (self.name("x"), self.name("result"));
        let integer = match conversion {
            Conversion::Exact => self.program.add_name(x),
            Conversion::Floor => {
                let x = self.program.add_name(x);
                self.unary(UnaryOperator::Floor, x)
            }
            Conversion::Ceiling => {
                let x = self.program.add_name(x);
                self.negated_floor(x)
            }
            Conversion::Truncate => self.symmetric(x, None),
            Conversion::Round => self.symmetric(x, Some("0.5")),
        };
        let value = match to {
            Type::Real => self.unary(UnaryOperator::ToReal, integer),
            _ => integer,
        };
        let equation = self.program.add_equation(&[y], value, self.span);
        let items = vec![equation];
        let body = Body::Defined(Definition { locals: Vec::new(), items, closing: List::empty() });
        self.function(name, &[(x, from)], (y, to), body)
    }

    /// `if x < 0.0 then -floor(-x + shift) else floor(x + shift)`.
    fn symmetric(&mut self, x: Name, shift: Option<&str>) -> ExprId {
        let operands = [self.program.add_name(x), self.real("0.0")];
        let test = self.binary(BinaryOperator::Less, operands);
        let negative = self.program.add_name(x);
        let negative = match shift {
            Some(shift) => {
                let operands = [negative, self.real(shift)];
                self.binary(BinaryOperator::Subtract, operands)
            }
            None => negative,
        };
        let below = self.negated_floor(negative);
        let positive = self.program.add_name(x);
        let positive = match shift {
            Some(shift) => {
                let operands = [positive, self.real(shift)];
                self.binary(BinaryOperator::Add, operands)
            }
            None => positive,
        };
        let above = self.unary(UnaryOperator::Floor, positive);
        self.program.add_expr(Expr::If(test, below, above), self.span)
    }

    /// `-floor(-x)`.
    fn negated_floor(&mut self, x: ExprId) -> ExprId {
        let negated = self.unary(UnaryOperator::Negate, x);
        let floor = self.unary(UnaryOperator::Floor, negated);
        self.unary(UnaryOperator::Negate, floor)
    }

    fn unknown(&mut self, name: Name, arguments: usize) -> Declaration {
        let texts = ["x", "y"];
        let inputs: Vec<_> =
            texts[..arguments].iter().map(|text| (self.name(text), Type::Real)).collect();
        let output = (self.name("result"), Type::Real);
        self.function(name, &inputs, output, Body::Absent)
    }

    fn function(
        &mut self,
        name: Name,
        inputs: &[(Name, Type)],
        output: (Name, Type),
        body: Body,
    ) -> Declaration {
        let mut signature = Signature::default();
        for (name, kind) in inputs {
            let kind = self.program.add_type(*kind, self.span);
            signature.inputs.push(self.program.add_group(*name, kind, Variability::Stream));
        }
        let kind = self.program.add_type(output.1, self.span);
        signature.outputs.push(self.program.add_group(output.0, kind, Variability::Stream));
        let (kind, opacity, contract) = (NodeKind::Function, None, None);
        let node = Node { kind, opacity, name, signature, contract, body };
        let kind = DeclarationKind::Node(Box::new(node));
        Declaration { kind, span: self.span, trivia: Trivia::default() }
    }

    fn name(&mut self, text: &str) -> Name {
        self.program.new_name(text, self.span)
    }

    fn real(&mut self, text: &str) -> ExprId {
        let literal = self.program.symbols.intern(text);
        self.program.add_expr(Expr::Real(literal), self.span)
    }

    fn unary(&mut self, operator: UnaryOperator, operand: ExprId) -> ExprId {
        self.program.add_expr(Expr::Unary(operator, operand), self.span)
    }

    fn binary(&mut self, operator: BinaryOperator, [left, right]: [ExprId; 2]) -> ExprId {
        self.program.add_expr(Expr::Binary(operator, left, right), self.span)
    }
}
