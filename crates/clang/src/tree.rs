//! A function's syntax tree as one flat vector, parents before children.
//!
//! libclang is asked once for all that is below a definition; from then on, bottom-up is a reverse scan and top-down a
//! scan, and nothing recurses. What is never evaluated is not in the tree: operands of `sizeof` and `typeof`,
//! declarations of types, static assertions; but lengths of arrays that only a run knows are.

use std::ops::Range;

use obligato_model::{Position, Span};

use crate::libclang::{Below, Cursor, Kind, TypeKind};
use crate::{Stretch, Text};

/// The position of a node in its tree.
pub(crate) type NodeIndex = usize;

/// A node.
pub(crate) struct Node<'u> {
    /// libclang's view of it.
    pub cursor: Cursor<'u>,
    /// What it is.
    pub kind: Kind,
    /// Its tokens.
    pub tokens: Range<usize>,
    /// What it stands in; the root stands in itself.
    pub parent: NodeIndex,
    /// Just past the last node below it.
    end: NodeIndex,
}

/// The tree of one declaration.
pub(crate) struct Tree<'u> {
    nodes: Vec<Node<'u>>,
    /// The text.
    pub text: &'u Text,
}

impl<'u> Tree<'u> {
    /// The tree below a declaration.
    pub fn below(root: Cursor<'u>, text: &'u Text) -> Self {
        let mut tree = Self { nodes: Vec::new(), text };
        tree.push(root, 0);
        let mut path = vec![0];
        root.walk(&mut |cursor, parent| tree.add(cursor, parent, &mut path));
        tree.close(&path, 0);
        tree
    }

    /// How many nodes it has.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// A node.
    pub fn node(&self, index: NodeIndex) -> &Node<'u> {
        &self.nodes[index]
    }

    /// What a node is.
    pub fn kind(&self, index: NodeIndex) -> Kind {
        self.nodes[index].kind
    }

    /// The nodes directly below a node.
    pub fn children(&self, index: NodeIndex) -> impl Iterator<Item = NodeIndex> {
        let end = self.nodes[index].end;
        let first = Some(index + 1).filter(|&child| child < end);
        std::iter::successors(first, move |&child| {
            Some(self.nodes[child].end).filter(|&next| next < end)
        })
    }

    /// The nodes at and below a node.
    pub fn subtree(&self, index: NodeIndex) -> Range<NodeIndex> {
        index..self.nodes[index].end
    }

    /// The first node below a node.
    pub fn first_child(&self, index: NodeIndex) -> Option<NodeIndex> {
        self.children(index).next()
    }

    /// The last node directly below a node.
    pub fn last_child(&self, index: NodeIndex) -> Option<NodeIndex> {
        self.children(index).last()
    }

    /// What stands inside parentheses, or below a conversion that nobody wrote, which has the same tokens.
    pub fn inside(&self, index: NodeIndex) -> Option<NodeIndex> {
        let inner = self.first_child(index)?;
        match self.kind(index) {
            Kind::Parenthesised => Some(inner),
            Kind::Unexposed if self.nodes[inner].tokens == self.nodes[index].tokens => Some(inner),
            _ => None,
        }
    }

    /// What a token says.
    pub fn spelling(&self, token: usize) -> &'u [u8] {
        self.text.spelling(token)
    }

    /// Where a node starts.
    pub fn start(&self, index: NodeIndex) -> Position {
        self.text.start(self.nodes[index].tokens.start)
    }

    /// Where a node stands.
    pub fn span(&self, index: NodeIndex) -> Span {
        self.span_of(&self.nodes[index].tokens)
    }

    /// The stretch of a node.
    pub fn stretch(&self, index: NodeIndex) -> Stretch {
        self.stretch_of(self.nodes[index].tokens.clone())
    }

    /// The stretch of these tokens, of which there is at least one.
    pub fn stretch_of(&self, tokens: Range<usize>) -> Stretch {
        Stretch { span: self.span_of(&tokens), text: self.text.phrase(tokens) }
    }

    fn span_of(&self, tokens: &Range<usize>) -> Span {
        let last = tokens.end.max(1) - 1;
        Span { start: self.text.start(tokens.start), end: self.text.end(last) }
    }

    fn push(&mut self, cursor: Cursor<'u>, parent: NodeIndex) -> NodeIndex {
        let kind = cursor.kind();
        let tokens = if kind == Kind::Binary {
            // From its operands, later: libclang goes down a whole chain of operators for the place of each.
            0..0
        } else {
            let (start, end) = cursor.extent();
            self.text.token_from(start)..self.text.token_from(end)
        };
        self.nodes.push(Node { cursor, kind, tokens, parent, end: 0 });
        self.nodes.len() - 1
    }

    /// Takes the next node, in the order of libclang's walk; `path` leads to the one before it.
    fn add(&mut self, cursor: Cursor<'u>, parent: Cursor<'u>, path: &mut Vec<NodeIndex>) -> Below {
        let is_parent = |index: &NodeIndex| self.nodes[*index].cursor.is(parent);
        let depth = path.iter().rposition(is_parent).unwrap_or(0) + 1;
        let repeated =
            path.get(depth).is_some_and(|&sibling| self.nodes[sibling].cursor.is(cursor));
        // `a ?: b` shows `a` three times, which in a chain of them would be without end.
        if repeated {
            return Below::Skip;
        }
        self.close(path, depth);
        path.truncate(depth);
        let index = self.push(cursor, path[depth - 1]);
        if self.is_unevaluated(index) {
            self.nodes.pop();
            return Below::Skip;
        }
        path.push(index);
        // The size of an array of variable length is no constant: it is evaluated (C11 6.5.3.4).
        let is_constant = self.nodes[index].kind == Kind::SizeOf && cursor.evaluate().is_some();
        if is_constant { Below::Skip } else { Below::Visit }
    }

    /// Ends the nodes of a path from `depth` on.
    fn close(&mut self, path: &[NodeIndex], depth: usize) {
        let end = self.nodes.len();
        for &index in path[depth..].iter().rev() {
            self.nodes[index].end = end;
            if self.nodes[index].kind == Kind::Binary {
                let first = self.first_child(index).map_or(0, |node| self.nodes[node].tokens.start);
                let last = self.last_child(index).map_or(first, |node| self.nodes[node].tokens.end);
                self.nodes[index].tokens = first..last;
            }
        }
    }

    fn is_unevaluated(&self, index: NodeIndex) -> bool {
        let node = &self.nodes[index];
        match node.kind {
            // So is the length of an array that gets a name.
            Kind::TypeDeclaration => {
                let meant = node.cursor.typed().canonical();
                meant.kind() != TypeKind::Array || meant.size().is_some()
            }
            Kind::StaticAssertion | Kind::ParameterDeclaration | Kind::Function => true,
            _ if node.cursor.is_expression() => {
                let before = node.tokens.start.wrapping_sub(1);
                let word = self.spelling(before);
                let word = if word == b"(" { self.spelling(before.wrapping_sub(1)) } else { word };
                matches!(word, b"typeof" | b"__typeof__" | b"__typeof" | b"typeof_unqual")
            }
            _ => false,
        }
    }
}
