//! From places in the text back to the user's files.
//!
//! A token that is written in the file, or in an argument of a macro, has the place where it is written. What comes
//! out of a macro's definition stands where the macro is used, and the place in the definition is told as
//! well: two conditions of one macro share the first but not the second.

use std::ops::Range;

use obligato_model::{Position, Span};

use crate::Text;
use crate::source_file::{Scanner, SourceFile};
use crate::tokens::{Place, Token};

/// A stretch of a text in the user's files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The file, as an index into [`Text::files`].
    pub file: usize,
    /// The stretch, or the use of the macro that made it; columns count characters.
    pub span: Span,
    /// Where it starts in the definition of that macro: the file and the position.
    pub definition: Option<(usize, Position)>,
}

/// Where the tokens of a text come from.
#[derive(Debug)]
pub(crate) struct Origins {
    files: Vec<SourceFile>,
    /// Per token, where it is used and where it is written.
    tokens: Vec<(Place, Option<Place>)>,
    /// Per use of a macro, its first token and its end in the user's file.
    uses: Vec<(usize, Position)>,
}

impl Origins {
    pub(crate) fn new(files: Vec<SourceFile>, tokens: &[Token<'_>]) -> Self {
        let tokens = tokens.iter().map(|token| (token.used, token.written)).collect();
        let mut origins = Self { files, tokens, uses: Vec::new() };
        let mut start = 0;
        while start < origins.tokens.len() {
            let (used, written) = origins.tokens[start];
            let rest = &origins.tokens[start..];
            let end = start + rest.iter().take_while(|(place, _)| *place == used).count();
            if written.is_some() {
                let position = origins.end_of_macro(used, origins.tokens.get(end));
                origins.uses.push((start, position));
            }
            start = end;
        }
        origins
    }

    /// Where a token stands for the user, and where a macro defines it.
    fn of(&self, token: usize) -> (Place, Option<Place>) {
        let (used, written) = self.tokens[token];
        match written {
            // A definition comes before its uses, so what is written behind the macro's name is an argument.
            Some(place) if place.file == used.file && place.position > used.position => {
                (place, None)
            }
            Some(place) => (used, Some(place)),
            None => (used, None),
        }
    }

    /// Do two tokens come from the same use of a macro?
    fn same_use(&self, one: usize, other: usize) -> bool {
        self.tokens[one].0 == self.tokens[other].0
    }

    /// Where the use of a macro ends of which `token` is a part.
    fn end_of_use(&self, token: usize) -> Position {
        let behind = self.uses.partition_point(|&(first, _)| first <= token);
        let known = behind.checked_sub(1).map(|index| self.uses[index].1);
        known.unwrap_or(self.tokens[token].0.position)
    }

    /// Where the use of a macro ends that starts at `used`, before the token `behind`.
    fn end_of_macro(&self, used: Place, behind: Option<&(Place, Option<Place>)>) -> Position {
        let mut scanner = Scanner::new(&self.files[used.file as usize], used.position);
        scanner.skip_name();
        let name_end = scanner.position();
        scanner.skip_blanks();
        // The parenthesis belongs to the macro unless it is a token of the text itself.
        let is_token = behind.is_some_and(|(place, _)| place.position == scanner.position());
        let arguments = scanner.byte() == Some(b'(') && !is_token;
        if arguments && scanner.skip_parentheses() { scanner.position() } else { name_end }
    }
}

impl Text {
    /// The files that the text is made of.
    pub fn files(&self) -> &[SourceFile] {
        &self.origins().files
    }

    /// Where a stretch of the text stands in the user's files; `None` for what is not in any, such as text added to it.
    pub fn locate(&self, span: Span) -> Option<Location> {
        let tokens =
            self.token_from(self.offset(span.start))..self.token_from(self.offset(span.end));
        let known = !tokens.is_empty() && tokens.end <= self.token_count();
        let (place, end, definition) = known.then(|| self.find(tokens))??;
        let file = &self.files()[place.file as usize];
        let span = Span { start: file.in_characters(place.position), end: file.in_characters(end) };
        let definition = definition.map(|place| {
            let file = &self.files()[place.file as usize];
            (place.file as usize, file.in_characters(place.position))
        });
        Some(Location { file: place.file as usize, span, definition })
    }

    /// What tokens say: as the user wrote it, or as they are if a macro made all of them.
    pub(crate) fn phrase(&self, tokens: Range<usize>) -> String {
        let written = self.find(tokens.clone()).and_then(|(place, end, definition)| {
            let file = &self.files()[place.file as usize];
            definition.is_none().then(|| file.between(place.position, end))?
        });
        // `#line` may name a file in which something else is written.
        let first = self.spelling(tokens.start);
        let in_macro = self.origins().tokens[tokens.start].1.is_some();
        let fits = |words: &String| in_macro || words.as_bytes().starts_with(first);
        written.filter(fits).unwrap_or_else(|| self.joined(tokens))
    }

    /// Where tokens stand: the first one's place, the last one's end, and the place in a macro's definition if they all
    /// come from there; columns count bytes.
    fn find(&self, tokens: Range<usize>) -> Option<(Place, Position, Option<Place>)> {
        let origins = self.origins();
        let last_token = tokens.end.checked_sub(1).filter(|&last| last >= tokens.start)?;
        let (first, definition) = origins.of(tokens.start);
        let (last, in_macro) = origins.of(last_token);
        let length = self.spelling(last_token).len() as u32;
        let end = match in_macro {
            Some(_) => origins.end_of_use(last_token),
            None => Position { column: last.position.column + length, ..last.position },
        };
        let end = if last.file == first.file { end.max(first.position) } else { first.position };
        // What starts in a macro and goes on behind it is not a part of the macro.
        let definition = definition.filter(|_| origins.same_use(tokens.start, last_token));
        Some((first, end, definition))
    }
}
