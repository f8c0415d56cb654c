//! What every drawing is drawn into: axes, marks, lines, and the words around them.

use std::fmt::Write;

use crate::xml::escaped;

const WIDTH: usize = 720;
const HEIGHT: usize = 270;
const LEFT: usize = 60;
const RIGHT: usize = 8;
const TOP: usize = 12;
const BOTTOM: usize = 36;
/// How wide a letter is taken to be, and how high a line of letters: in a narrow window they are larger.
const LETTER: usize = 9;
const LINE: usize = 17;

/// A drawing: shares upwards, and something that grows to the right.
pub struct Frame {
    /// What the right edge stands for.
    extent: u64,
}

/// A line of a drawing.
pub struct Line {
    /// What it shows.
    pub title: String,
    /// Where it changes, and to how much, in order.
    pub steps: Vec<(u64, usize)>,
    /// How much all would be.
    pub total: usize,
}

impl Frame {
    /// From nothing to this.
    pub fn new(extent: u64) -> Self {
        Self { extent: extent.max(1) }
    }

    fn x(&self, at: u64) -> usize {
        let (at, width) = (u128::from(at.min(self.extent)), (WIDTH - LEFT - RIGHT) as u128);
        let right = usize::try_from(at * width / u128::from(self.extent));
        LEFT + right.expect("invariant: no more than the width")
    }

    /// Begins a drawing of which `label` says the same in words; `named` says what a place on the lower axis is.
    pub fn begin(&self, text: &mut String, label: &str, named: impl Fn(u64) -> String) {
        line!(
            text,
            "<figure class=\"plot\">\n<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">",
            escaped(label)
        );
        for percent in [0, 25, 50, 75, 100] {
            let (y, right) = (y(percent, 100), WIDTH - RIGHT);
            line!(
                text,
                "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{right}\" y1=\"{y}\" y2=\"{y}\"/>"
            );
            let (x, y) = (LEFT - 6, y + 4);
            line!(text, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"end\">{percent} %</text>");
        }
        let base = HEIGHT - BOTTOM + 20;
        let mut write_at = |at: u64, anchor: &str, words: &str| {
            let (x, words) = (self.x(at), escaped(words));
            line!(text, "<text x=\"{x}\" y=\"{base}\" text-anchor=\"{anchor}\">{words}</text>");
        };
        write_at(0, "middle", "0");
        if self.extent > 3 {
            write_at(self.extent / 2, "middle", &named(self.extent / 2));
        }
        write_at(self.extent, "end", &named(self.extent));
    }

    /// Writes where something begins. Words that would cover others go above them; what is over where the next begins has none.
    pub fn write_marks(&self, text: &mut String, marks: &[(u64, &str)]) {
        let mut rows: Vec<Vec<(usize, usize)>> = Vec::new();
        for (index, (at, words)) in marks.iter().enumerate() {
            if marks.get(index + 1).is_some_and(|(next, _)| self.x(*next) == self.x(*at)) {
                continue;
            }
            let (x, width) = (self.x(*at), words.chars().count() * LETTER + LETTER);
            let outside = x + 4 + width > WIDTH - RIGHT;
            let (from, anchor) = if outside { (x - 4, "end") } else { (x + 4, "start") };
            let taken =
                if outside { (from.saturating_sub(width), from) } else { (from, from + width) };
            let is_free = |row: &Vec<(usize, usize)>| {
                row.iter().all(|(start, end)| taken.1 <= *start || *end <= taken.0)
            };
            let row = rows.iter().position(is_free).unwrap_or(rows.len());
            if row == rows.len() {
                rows.push(Vec::new());
            }
            rows[row].push(taken);
            let (low, words) = (HEIGHT - BOTTOM, escaped(words));
            let y = (low - 6).saturating_sub(row * LINE);
            line!(
                text,
                "<line class=\"phase\" x1=\"{x}\" x2=\"{x}\" y1=\"{TOP}\" y2=\"{low}\"/>\
                 <text class=\"phase\" x=\"{from}\" y=\"{y}\" text-anchor=\"{anchor}\">{words}</text>"
            );
        }
    }

    /// Writes a line in the colours of this number.
    pub fn write_line(&self, text: &mut String, number: usize, one: &Line) {
        let mut path = format!("M{LEFT} {}", y(0, one.total));
        for (at, part) in &one.steps {
            write!(path, "H{}V{}", self.x(*at), y(*part, one.total))
                .expect("invariant: a string takes all text");
        }
        write!(path, "H{}", self.x(self.extent)).expect("invariant: a string takes all text");
        let title = escaped(&one.title);
        line!(text, "<path class=\"s{number}\" d=\"{path}\"><title>{title}</title></path>");
    }

    /// Ends a drawing: what it shows, which line is which, and what else is to be said.
    pub fn end(text: &mut String, caption: &str, titles: &[&str], remark: &str) {
        line!(text, "</svg>\n<figcaption>{}", escaped(caption));
        line!(text, "<span class=\"legend\">");
        for (number, title) in titles.iter().enumerate() {
            let title = escaped(title);
            line!(text, "<span><span class=\"stroke s{number}\"></span>{title}</span>");
        }
        line!(text, "</span>");
        if !remark.is_empty() {
            line!(text, "{}", escaped(remark));
        }
        line!(text, "</figcaption></figure>");
    }
}

fn y(part: usize, whole: usize) -> usize {
    let height = HEIGHT - TOP - BOTTOM;
    TOP + height - part.min(whole) * height / whole.max(1)
}
