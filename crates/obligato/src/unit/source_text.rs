//! The text of a source file around a place: which negations and parentheses stand before a condition.

use obligato_model::Position;

/// The lines of a file; none if it cannot be read.
pub struct SourceText(Vec<Vec<char>>);

/// No more characters than this are looked at: nobody negates a condition more often.
const FARTHEST: usize = 256;

impl SourceText {
    /// Reads a file.
    pub fn read(path: &str) -> Self {
        let bytes = std::fs::read(path).unwrap_or_default();
        Self::new(&String::from_utf8_lossy(&bytes))
    }

    fn new(text: &str) -> Self {
        Self(text.lines().map(|line| line.chars().collect()).collect())
    }

    /// The place itself, and then the places before it from which on there are only negations and parentheses up to
    /// it, nearest first; with each, whether the negations turn the value around.
    pub fn around(&self, place: Position) -> impl Iterator<Item = (Position, bool)> {
        let mut found = vec![(place, false)];
        let mut negated = false;
        let mut line = (place.line as usize).saturating_sub(1);
        let mut column = (place.column as usize).saturating_sub(1);
        for _ in 0..FARTHEST {
            if column == 0 {
                let Some(before) = line.checked_sub(1) else { break };
                line = before;
                column = self.0.get(line).map_or(0, Vec::len);
                continue;
            }
            column -= 1;
            match self.0.get(line).and_then(|line| line.get(column)) {
                Some('!') => negated = !negated,
                Some('(') => {}
                Some(blank) if blank.is_whitespace() => continue,
                _ => break,
            }
            let position = Position { line: line as u32 + 1, column: column as u32 + 1 };
            found.push((position, negated));
        }
        found.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negations_and_parentheses_before_a_condition_are_found() {
        let text = SourceText::new("if (x &&\n  !( !a))");
        let at = |line, column| Position { line, column };
        let found: Vec<_> = text.around(at(2, 7)).collect();
        assert_eq!(
            found,
            [(at(2, 7), false), (at(2, 6), true), (at(2, 4), true), (at(2, 3), false)]
        );
        let alone: Vec<_> = text.around(at(9, 1)).collect();
        assert_eq!(alone, [(at(9, 1), false)]);
    }
}
