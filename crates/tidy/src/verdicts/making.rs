//! Expressions that make a verdict, or change what one says.

use std::collections::HashSet;

use proc_macro2::{TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};
use syn::{Expr, Pat, Path, Token};

use super::{Found, is_for_tests};

/// How an obligation may end.
const KINDS: [&str; 4] = ["Covered", "Uncoverable", "Justified", "Unresolved"];
/// Methods that change a list or a limit where it is.
const CHANGING: [&str; 11] = [
    "append",
    "clear",
    "clone_from",
    "dedup",
    "extend",
    "insert",
    "push",
    "remove",
    "retain",
    "take",
    "truncate",
];

/// Verdicts that are made or changed here.
pub fn made(file: &syn::File) -> Vec<Found> {
    let mut making = Making::default();
    making.visit_file(file);
    making.found
}

/// Public functions that give a verdict and take neither one nor evidence: whoever calls one says what it is.
pub fn minted(file: &syn::File) -> Vec<Found> {
    let functions = file.items.iter().filter_map(|item| match item {
        syn::Item::Fn(function) => Some(function),
        _ => None,
    });
    let is_public = |function: &&syn::ItemFn| matches!(function.vis, syn::Visibility::Public(_));
    let minting = functions.filter(is_public).filter(|function| {
        let mut taken = Mentioned { of: &["Verdict", "Evidence"], is: false };
        function.sig.inputs.iter().for_each(|input| taken.visit_fn_arg(input));
        let mut given = Mentioned { of: &["Verdict"], is: false };
        given.visit_return_type(&function.sig.output);
        given.is && !taken.is
    });
    minting
        .map(|function| Found {
            line: function.span().start().line,
            what: format!("{} gives everyone a verdict of anything", function.sig.ident),
        })
        .collect()
}

/// Is a verdict named in a type, or the evidence for one?
struct Mentioned {
    of: &'static [&'static str],
    is: bool,
}

impl<'f> Visit<'f> for Mentioned {
    fn visit_ident(&mut self, ident: &'f syn::Ident) {
        self.is |= self.of.iter().any(|name| ident == name);
    }
}

#[derive(Default)]
struct Making {
    found: Vec<Found>,
    /// The names that patterns of verdicts have bound in the function so far.
    bound: HashSet<String>,
}

impl Making {
    fn add(&mut self, line: usize, what: &str) {
        let what = format!("{what}; crates/campaign/src/judging.rs does that");
        self.found.push(Found { line, what });
    }

    /// Is it part of a verdict, by a name that a pattern gave it?
    fn is_inside(&self, expression: &Expr) -> bool {
        root(expression).is_some_and(|name| self.bound.contains(&name))
    }

    fn expect_unchanged(&mut self, changed: &Expr) {
        if self.is_inside(changed) {
            self.add(changed.span().start().line, "changes what a verdict says");
        }
    }

    /// Names that a pattern of a verdict binds are parts of that verdict; others hide such names.
    fn bind(&mut self, pattern: &Pat) {
        let mut names = Bound::default();
        names.visit_pat(pattern);
        for name in names.all {
            self.bound.remove(&name);
        }
        self.bound.extend(names.of_verdicts);
    }

    fn scan(&mut self, tokens: TokenStream) {
        let mut before: Vec<String> = Vec::new();
        for token in tokens {
            if let TokenTree::Group(group) = &token {
                self.scan(group.stream());
            }
            let text = token.to_string();
            if KINDS.contains(&text.as_str())
                && before.ends_with(&["Verdict", ":", ":"].map(str::to_owned))
            {
                self.add(token.span().start().line, &format!("names Verdict::{text} in a macro"));
            }
            before.push(text);
        }
    }
}

impl<'f> Visit<'f> for Making {
    fn visit_item(&mut self, item: &'f syn::Item) {
        let attributes = match item {
            syn::Item::Mod(item) => &item.attrs,
            syn::Item::Fn(item) => &item.attrs,
            syn::Item::Impl(item) => &item.attrs,
            _ => return visit::visit_item(self, item),
        };
        if !is_for_tests(attributes) {
            visit::visit_item(self, item);
        }
    }

    fn visit_signature(&mut self, signature: &'f syn::Signature) {
        self.bound.clear();
        visit::visit_signature(self, signature);
    }

    fn visit_pat(&mut self, pattern: &'f Pat) {
        self.bind(pattern);
    }

    fn visit_expr(&mut self, expression: &'f Expr) {
        match expression {
            Expr::Path(named) => self.expect_not_made(&named.path),
            Expr::Struct(made) => self.expect_not_made(&made.path),
            Expr::Assign(assignment) => self.expect_unchanged(&assignment.left),
            Expr::Reference(reference) if reference.mutability.is_some() => {
                self.expect_unchanged(&reference.expr);
            }
            Expr::MethodCall(call) if CHANGING.iter().any(|name| call.method == name) => {
                self.expect_unchanged(&call.receiver);
            }
            _ => {}
        }
        visit::visit_expr(self, expression);
    }

    fn visit_macro(&mut self, call: &'f syn::Macro) {
        if let Ok(Matches { of, pattern, guard }) = call.parse_body_with(Matches::parse)
            && call.path.segments.last().is_some_and(|last| last.ident == "matches")
        {
            self.visit_expr(&of);
            self.bind(&pattern);
            if let Some(guard) = guard {
                self.visit_expr(&guard);
            }
            return;
        }
        let parse = Punctuated::<Expr, Token![,]>::parse_terminated;
        match parse.parse2(call.tokens.clone()) {
            Ok(arguments) => arguments.iter().for_each(|one| self.visit_expr(one)),
            Err(_) => self.scan(call.tokens.clone()),
        }
    }
}

impl Making {
    fn expect_not_made(&mut self, path: &Path) {
        let mut segments = path.segments.iter().rev();
        let (last, before) = (segments.next(), segments.next());
        if let (Some(last), Some(before)) = (last, before)
            && before.ident == "Verdict"
            && let Some(kind) = KINDS.iter().find(|kind| last.ident == **kind)
        {
            self.add(path.span().start().line, &format!("makes a Verdict::{kind}"));
        }
    }
}

/// What stands in a `matches!`.
struct Matches {
    of: Expr,
    pattern: Pat,
    guard: Option<Expr>,
}

impl Matches {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let of = input.parse()?;
        input.parse::<Token![,]>()?;
        let pattern = Pat::parse_multi_with_leading_vert(input)?;
        let guard = if input.peek(Token![if]) {
            input.parse::<Token![if]>()?;
            Some(input.parse()?)
        } else {
            None
        };
        input.parse::<Option<Token![,]>>()?;
        Ok(Self { of, pattern, guard })
    }
}

/// The names that a pattern binds.
#[derive(Default)]
struct Bound {
    all: Vec<String>,
    /// Those inside of a verdict.
    of_verdicts: Vec<String>,
    inside: bool,
}

impl<'f> Visit<'f> for Bound {
    fn visit_pat(&mut self, pattern: &'f Pat) {
        let path = match pattern {
            Pat::Struct(pattern) => Some(&pattern.path),
            Pat::TupleStruct(pattern) => Some(&pattern.path),
            _ => None,
        };
        let is_verdict = |path: &Path| path.segments.iter().any(|one| one.ident == "Verdict");
        let around = self.inside;
        self.inside |= path.is_some_and(is_verdict);
        if let Pat::Ident(named) = pattern {
            self.all.push(named.ident.to_string());
            if self.inside {
                self.of_verdicts.push(named.ident.to_string());
            }
        }
        visit::visit_pat(self, pattern);
        self.inside = around;
    }
}

/// The name that a place starts from: `*limit`, `tests[0]` and `pair.with_true` start from `limit`, `tests` and `pair`. What is a
/// plain name is a place of its own.
fn root(place: &Expr) -> Option<String> {
    match place {
        Expr::Path(named) => named.path.get_ident().map(ToString::to_string),
        Expr::Unary(inner) => root(&inner.expr),
        Expr::Field(inner) => root(&inner.base),
        Expr::Index(inner) => root(&inner.expr),
        Expr::Paren(inner) => root(&inner.expr),
        _ => None,
    }
}
