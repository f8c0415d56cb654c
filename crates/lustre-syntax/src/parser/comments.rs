//! Which comments belong to what.
//!
//! Each part that can carry comments takes those before it when it starts; the parser counts
//! how many have been taken. What no part takes moves on to the next one that can.

use super::Parser;
use crate::ast::{Comment, List, Trivia};
use crate::source::ByteSpan;
use crate::token::{Lines, SetAside};

impl Parser<'_> {
    /// Call before a part that can carry comments: takes those before it.
    pub(super) fn open_trivia(&mut self) -> Trivia {
        let blank_before = self.peek_token().lines == Lines::Blank;
        Trivia { blank_before, leading: self.loose_comments(), ..Trivia::default() }
    }

    /// Call after a part that is one piece: takes the comments inside it, which move in
    /// front of it, and the one after it on its last line.
    pub(super) fn close_trivia(&mut self, mut trivia: Trivia) -> Trivia {
        let (start, end) = (self.attached, self.previous.comments);
        if start < end {
            let inside = self.take_comments(end);
            trivia.leading = self.program.comments.extend(trivia.leading, inside);
        }
        self.close_compound(trivia)
    }

    /// Call after a part with parts that carry comments themselves: takes the comment after
    /// it on its last line.
    pub(super) fn close_compound(&mut self, mut trivia: Trivia) -> Trivia {
        let next = self.peek_token();
        if self.attached == self.previous.comments && self.attached < next.comments {
            let SetAside { span, .. } = self.tokens.comment(self.attached);
            let between = ByteSpan::new(self.previous.span.end, span.start);
            if !self.tokens.text(span).trim_end().contains('\n')
                && !self.tokens.text(between).contains('\n')
            {
                let comment = self.take_comments(self.attached + 1);
                trivia.trailing = self.program.comments.add(comment);
            }
        }
        trivia
    }

    /// The comments before the next token that nothing took.
    pub(super) fn loose_comments(&mut self) -> List<Comment> {
        let end = self.peek_token().comments;
        let loose = self.take_comments(end);
        self.program.comments.add(loose)
    }

    /// The comments up to number `end` that nothing took.
    fn take_comments(&mut self, end: u32) -> Vec<Comment> {
        let start = self.attached;
        self.attached = end.max(start);
        let mut taken = Vec::new();
        for number in start..end {
            if self.tokens.comment(number).blank_before && number > start {
                taken.push(Comment("".into()));
            }
            taken.push(self.tokens.comment_text(number));
        }
        taken
    }
}
