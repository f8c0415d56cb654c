//! Random functions: expressions wherever C has a place for them.

use std::fmt::Write;

use obligato_model::Random;

use crate::expression::Expression;

/// The decision that ends loops, which is none of the random ones.
pub const GUARD: &str = "++k > 2";

/// A part of the text: its line, and where it starts and ends there.
pub type Part = (u32, u32, u32);

/// Where an expression stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Context {
    If,
    Value,
    Initialiser,
    While,
    Do,
    Return,
}

/// All but the one that every function ends with.
pub const CONTEXTS: &[Context] =
    &[Context::If, Context::Value, Context::Initialiser, Context::While, Context::Do];

/// Those in which an expression is evaluated once.
pub const ONCE: &[Context] = &[Context::If, Context::Value, Context::Initialiser];

struct Statement {
    context: Context,
    expression: Expression,
    line: u32,
}

/// A function.
pub struct Function {
    pub name: String,
    statements: Vec<Statement>,
}

impl Function {
    pub fn grow(random: &mut Random, index: usize, contexts: &[Context]) -> Self {
        let mut statements: Vec<Statement> = Vec::new();
        for at in 0..5 {
            let context = contexts[random.below(contexts.len())];
            let context = if at == 4 { Context::Return } else { context };
            let depth = 1 + random.below(4);
            let expression = Expression::grow(random, depth);
            statements.push(Statement { context, expression, line: 0 });
        }
        Self { name: format!("f{index}"), statements }
    }

    /// Writes it behind what is there, each statement on a line of its own.
    pub fn write(&mut self, text: &mut String) {
        let parameters = "int a, signed char b, long long c, unsigned char d";
        let _ = writeln!(text, "int {}({parameters}) {{", self.name);
        text.push_str("    int n = 0, s = 0, k = 0; _Bool t = 0;\n");
        for (at, Statement { context, expression, line }) in self.statements.iter_mut().enumerate()
        {
            *line = text.lines().count() as u32 + 1;
            let round = format!("n += 1; if ({GUARD}) break;");
            let (before, behind) = match context {
                Context::If => ("if (".to_owned(), ") n += 1;".to_owned()),
                Context::Value => ("n += (".to_owned(), ");".to_owned()),
                Context::Initialiser => (format!("int v{at} = ("), format!("); n += v{at};")),
                Context::While => ("k = 0; while (".to_owned(), format!(") {{ {round} }}")),
                Context::Do => (format!("k = 0; do {{ {round} }} while ("), ");".to_owned()),
                Context::Return => ("return n + (".to_owned(), ") + 0 * (s + t);".to_owned()),
            };
            let mut written = format!("    {before}");
            expression.write(&mut written);
            let _ = writeln!(text, "{written}{behind}");
        }
        text.push_str("}\n");
    }

    /// All that is evaluated with these arguments, and whether it is true.
    pub fn run(&self, values: &[i64; 4]) -> Vec<(Part, bool)> {
        let mut noted = Vec::new();
        for Statement { context, expression, line } in &self.statements {
            // The guard ends a loop in its third round, before it is tested again if it is tested last.
            let rounds = match context {
                Context::While => 3,
                Context::Do => 2,
                _ => 1,
            };
            for _ in 0..rounds {
                let mut parts = Vec::new();
                let value = expression.evaluate(values, &mut parts);
                let placed =
                    parts.into_iter().map(|((start, end), truth)| ((*line, start, end), truth));
                noted.extend(placed);
                if value == 0 {
                    break;
                }
            }
        }
        noted
    }
}
