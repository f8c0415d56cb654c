//! `if … elsif … else … fi`: an equation per variable.
//!
//! Every branch has a variable that says whether it is taken, so that a test is evaluated once,
//! and only where the branches around it are taken. A variable is then the value of the branch
//! taken that defines it, however deep the block nests.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Rewriter;
use obligato_lustre_syntax::ast::{Branch, Expr, ExprId, ItemId, ItemKind, Name, Symbol, Type};
use obligato_lustre_syntax::diagnostic::Diagnostic;
use obligato_lustre_syntax::source::ByteSpan;

/// A branch, or the `else`, of a block.
struct Taken {
    /// The variable that says whether it is taken.
    test: Name,
    block: usize,
    /// When the walk came in and went out.
    enter: usize,
    leave: usize,
}

struct Block {
    /// The branch it stands in.
    parent: Option<usize>,
    branches: usize,
    has_else: bool,
}

/// What a branch defines a variable as.
struct Leaf {
    name: Name,
    value: ExprId,
    branch: usize,
}

enum Task {
    Item(ItemId, Option<usize>),
    Enter(usize),
    Leave(usize),
}

/// A block and the blocks in it.
#[derive(Default)]
struct Found {
    blocks: Vec<Block>,
    branches: Vec<Taken>,
    leaves: Vec<Leaf>,
    todo: Vec<Task>,
    clock: usize,
}

impl Rewriter<'_> {
    /// Rewrites an `if` block; `frame` has the variables of the frame around it in this body.
    pub(super) fn if_block(&mut self, body: usize, id: ItemId, frame: Option<&FxHashSet<Symbol>>) {
        let span = self.program.item(id).span;
        let mut found = Found { todo: vec![Task::Item(id, None)], ..Found::default() };
        while let Some(task) = found.todo.pop() {
            found.clock += 1;
            match task {
                Task::Enter(branch) => found.branches[branch].enter = found.clock,
                Task::Leave(branch) => found.branches[branch].leave = found.clock,
                Task::Item(id, branch) => self.item_of_branch(body, id, branch, &mut found),
            }
        }
        let mut order: Vec<Symbol> = Vec::new();
        let mut leaves: FxHashMap<Symbol, Vec<Leaf>> = FxHashMap::default();
        let complete = complete(&found);
        for leaf in found.leaves {
            let symbol = leaf.name.symbol;
            let known = leaves.entry(symbol).or_default();
            if known.is_empty() {
                order.push(symbol);
            }
            known.push(leaf);
        }
        for symbol in order {
            let Some(leaves) = leaves.remove(&symbol) else { continue };
            let complete = complete.contains(&symbol);
            let keeps = match frame {
                Some(names) => {
                    self.expect_listed(&[leaves[0].name], names);
                    true
                }
                None => self.keeps(body, symbol),
            };
            self.check_once(&leaves, &found.branches);
            self.choose(&leaves, &found.branches, complete, keeps, span);
        }
    }

    fn item_of_branch(
        &mut self,
        body: usize,
        id: ItemId,
        branch: Option<usize>,
        found: &mut Found,
    ) {
        let item = self.program.item(id);
        let span = item.span;
        match (&item.kind, branch) {
            (ItemKind::If(..), _) => {
                let kind = &mut self.program.item_mut(id).kind;
                if let ItemKind::If(branches, otherwise) =
                    std::mem::replace(kind, ItemKind::Main(false))
                {
                    self.enter_block(branches, otherwise, branch, found);
                }
            }
            (ItemKind::Equation(targets, value), Some(branch)) => {
                let (targets, value) = (targets.clone(), *value);
                if targets.is_empty() {
                    self.items.push(id);
                    return;
                }
                let what = format!("{}:", self.program.text(found.branches[branch].test.symbol));
                let values = self.values(body, &targets, value, &what, span);
                let leaves = values.into_iter().map(|(name, value)| Leaf { name, value, branch });
                found.leaves.extend(leaves);
            }
            _ => self.misplaced(id, "an 'if' block"),
        }
    }

    /// Defines the variables of the branches and puts what is in them on the list.
    fn enter_block(
        &mut self,
        branches: Vec<Branch>,
        otherwise: Option<Vec<ItemId>>,
        parent: Option<usize>,
        found: &mut Found,
    ) {
        let block = found.blocks.len();
        let has_else = otherwise.is_some();
        let count = branches.len() + usize::from(has_else);
        found.blocks.push(Block { parent, branches: count, has_else });
        // Is a branch from here on taken? `None` is always.
        let mut open = parent.map(|branch| found.branches[branch].test);
        let start = found.todo.len();
        let add = |test: Name, items: Vec<ItemId>, found: &mut Found| {
            let branch = found.branches.len();
            found.branches.push(Taken { test, block, enter: 0, leave: 0 });
            found.todo.push(Task::Enter(branch));
            found.todo.extend(items.into_iter().map(|item| Task::Item(item, Some(branch))));
            found.todo.push(Task::Leave(branch));
        };
        let last = branches.len() - 1;
        for (position, Branch { condition, items }) in branches.into_iter().enumerate() {
            let holds = self.literal_if(condition, true, false);
            let value = match open {
                Some(open) => self.guarded(open, holds, false),
                None => holds,
            };
            let at = self.program.expr_span(condition);
            let test = self.test_variable(value, at);
            if position < last || has_else {
                let name = self.program.add_name(test);
                let rest = match open {
                    Some(open) => {
                        let no = self.program.add_expr(Expr::Bool(false), at);
                        let open = self.program.add_name(open);
                        self.program.add_expr(Expr::If(name, no, open), at)
                    }
                    None => self.literal_if(name, false, true),
                };
                open = Some(self.test_variable(rest, at));
            }
            add(test, items, found);
        }
        if let (Some(items), Some(open)) = (otherwise, open) {
            add(open, items, found);
        }
        found.todo[start..].reverse();
    }

    fn literal_if(&mut self, test: ExprId, then: bool, otherwise: bool) -> ExprId {
        let span = self.program.expr_span(test);
        let then = self.program.add_expr(Expr::Bool(then), span);
        let otherwise = self.program.add_expr(Expr::Bool(otherwise), span);
        self.program.add_expr(Expr::If(test, then, otherwise), span)
    }

    /// `if open then value else otherwise`.
    fn guarded(&mut self, open: Name, value: ExprId, otherwise: bool) -> ExprId {
        let span = self.program.expr_span(value);
        let open = self.program.add_name(Name { span, ..open });
        let otherwise = self.program.add_expr(Expr::Bool(otherwise), span);
        self.program.add_expr(Expr::If(open, value, otherwise), span)
    }

    fn test_variable(&mut self, value: ExprId, span: ByteSpan) -> Name {
        self.tests += 1;
        let name = self.program.new_name(&format!("branch {}", self.tests), span);
        let kind = self.program.add_type(Type::Bool, span);
        let local = self.program.add_local(name, kind);
        self.locals.push(local);
        let equation = self.program.add_equation(&[name], value, span);
        self.items.push(equation);
        name
    }

    /// Reports a variable that one branch defines twice. Definitions come in the order of the
    /// text, so it is enough to look at those next to each other.
    fn check_once(&mut self, leaves: &[Leaf], branches: &[Taken]) {
        for pair in leaves.windows(2) {
            let (one, other) = (&branches[pair[0].branch], &branches[pair[1].branch]);
            let inside = |inner: &Taken, outer: &Taken| {
                outer.enter <= inner.enter && inner.leave <= outer.leave
            };
            if inside(one, other) || inside(other, one) {
                let name = pair[1].name;
                let text = format!("'{}' is defined twice", self.program.text(name.symbol));
                let diagnostic = Diagnostic::error(name.span, text);
                self.report.add(diagnostic.with_related(pair[0].name.span, "first defined here"));
            }
        }
    }

    /// The equation of a variable.
    fn choose(
        &mut self,
        leaves: &[Leaf],
        branches: &[Taken],
        complete: bool,
        keeps: bool,
        span: ByteSpan,
    ) {
        let name = leaves[0].name;
        let mut rest = leaves.iter().rev();
        let mut value = if complete {
            rest.next().map_or(leaves[0].value, |leaf| leaf.value)
        } else {
            if !keeps {
                let text = self.program.text(name.symbol);
                let help = format!(
                    "add the missing 'else' or equation, or put the block in a 'frame ({text})'"
                );
                let text = format!("'{text}' is not defined in every branch of this 'if' block");
                self.report.add(Diagnostic::error(name.span, text).with_help(help));
            }
            self.program.add_expr(Expr::Last(name.symbol), name.span)
        };
        for leaf in rest {
            let at = self.program.expr_span(leaf.value);
            let test = self.program.add_name(branches[leaf.branch].test);
            value = self.program.add_expr(Expr::If(test, leaf.value, value), at);
        }
        let equation = self.program.add_equation(&[name], value, span);
        self.items.push(equation);
    }
}

/// The variables that are defined whatever branch is taken.
fn complete(found: &Found) -> FxHashSet<Symbol> {
    let mut counts: FxHashMap<(usize, Symbol), usize> = FxHashMap::default();
    let mut complete = FxHashSet::default();
    for leaf in &found.leaves {
        let symbol = leaf.name.symbol;
        let mut at = Some(leaf.branch);
        while let Some(branch) = at {
            let block = &found.blocks[found.branches[branch].block];
            let count = counts.entry((found.branches[branch].block, symbol)).or_default();
            *count += 1;
            if *count != block.branches || !block.has_else {
                break;
            }
            at = block.parent;
            if at.is_none() {
                complete.insert(symbol);
            }
        }
    }
    complete
}
