//! Axes, marks and the file around them.

use std::fmt::Write as _;

use obligato_model::Rational;

use crate::findings::Choice;
use crate::number::decimal;

/// The height of what is drawn in.
const HEIGHT: u64 = 240;
/// Above it is the title of the panel.
const TOP: u64 = 56;
/// Below it are the labels of the axis.
const BOTTOM: u64 = 76;
/// Left of the first panel are the percentages.
const LEFT: u64 = 56;
/// Between panels.
const GAP: u64 = 24;
/// So many colours there are; with more criteria they come round again.
const COLOURS: usize = 6;

/// Colours that people with any colour vision tell apart, lighter on dark.
const STYLE: &str = "\
text{font:11px sans-serif;fill:#333}.title{font-size:14px;font-weight:bold}\
.panel{font-size:12px;font-weight:bold}.axis{stroke:#888;fill:none}.grid{stroke:#ddd}\
.ground{fill:#fff}.dot{fill-opacity:.55}.ring{fill-opacity:0}\
.box{fill-opacity:.12}.median{stroke-width:3}\
.c0{fill:#0072b2;stroke:#0072b2}.c1{fill:#d55e00;stroke:#d55e00}.c2{fill:#009e73;stroke:#009e73}\
.c3{fill:#aa4499;stroke:#aa4499}.c4{fill:#806000;stroke:#806000}.c5{fill:#555;stroke:#555}\
@media(prefers-color-scheme:dark){text{fill:#ddd}.axis{stroke:#999}.grid{stroke:#444}.ground{fill:#1b1b1b}\
.c0{fill:#56b4e9;stroke:#56b4e9}.c1{fill:#ff9955;stroke:#ff9955}.c2{fill:#33cc99;stroke:#33cc99}\
.c3{fill:#dd88cc;stroke:#dd88cc}.c4{fill:#e0c040;stroke:#e0c040}.c5{fill:#bbb;stroke:#bbb}}";

/// A picture that is being drawn, panel by panel from left to right.
pub struct Picture {
    title: String,
    body: String,
    width: u64,
}

/// A place to draw in.
pub struct Panel<'p> {
    body: &'p mut String,
    left: u64,
    width: u64,
}

impl Picture {
    /// An empty picture with a title.
    pub fn new(title: &str) -> Self {
        Self { title: escaped(title), body: String::new(), width: LEFT }
    }

    /// The next panel, with its axes and percentages.
    pub fn panel(&mut self, title: &str, width: u64) -> Panel<'_> {
        let left = self.width;
        self.width += width + GAP;
        let body = &mut self.body;
        for tenths in (0..=10).step_by(2) {
            let y = TOP + HEIGHT - HEIGHT * tenths / 10;
            let right = left + width;
            let _ = writeln!(body, r#"<path class="grid" d="M{left} {y}H{right}"/>"#);
            if left == LEFT {
                let (x, y) = (left - 6, y + 4);
                let percent = tenths * 10;
                let _ =
                    writeln!(body, r#"<text x="{x}" y="{y}" text-anchor="end">{percent}</text>"#);
            }
        }
        let (middle, above) = (left + width / 2, TOP - 8);
        let title = escaped(title);
        let _ = writeln!(
            body,
            r#"<text class="panel" x="{middle}" y="{above}" text-anchor="middle">{title}</text>"#
        );
        let _ = writeln!(body, r#"<path class="axis" d="M{left} {TOP}v{HEIGHT}h{width}"/>"#);
        Panel { body, left, width }
    }

    /// The whole file; `below` says what the horizontal axis is.
    pub fn finish(self, below: &str) -> String {
        let Self { title, body, width } = self;
        let (height, middle) = (TOP + HEIGHT + BOTTOM, width / 2);
        let (centre, last) = (TOP + HEIGHT / 2, TOP + HEIGHT + BOTTOM - 12);
        let below = escaped(below);
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" aria-label="{title}">
<title>{title}</title>
<style>{STYLE}</style>
<rect class="ground" width="{width}" height="{height}"/>
<text class="title" x="{LEFT}" y="22">{title}</text>
<text transform="translate(16 {centre}) rotate(-90)" text-anchor="middle">mutants killed, percent</text>
<text x="{middle}" y="{last}" text-anchor="middle">{below}</text>
{body}</svg>
"#
        )
    }
}

impl Panel<'_> {
    /// How high a share of 1 stands.
    fn y(share: &Rational) -> String {
        decimal(&(Rational::from(TOP + HEIGHT) - share * Rational::from(HEIGHT)), 1)
    }

    fn x(&self, share: &Rational) -> String {
        decimal(&(Rational::from(self.left) + share * Rational::from(self.width)), 1)
    }

    /// A label below the axis, at a share of the width; later rows stand lower.
    pub fn label(&mut self, at: &Rational, row: u64, text: &str) {
        let (x, y, text) = (self.x(at), TOP + HEIGHT + 16 + 13 * row, escaped(text));
        let _ = writeln!(self.body, r#"<text x="{x}" y="{y}" text-anchor="middle">{text}</text>"#);
    }

    /// What a colour stands for, row by row at the lower right.
    pub fn key(&mut self, row: u64, criterion: usize, name: &str) {
        let (x, y) = (self.left + self.width - 8, TOP + HEIGHT - 10 - 14 * row);
        let (colour, name) = (colour(criterion), escaped(name));
        let (text_x, text_y) = (x - 8, y + 4);
        let _ = writeln!(self.body, r#"<circle class="dot {colour}" cx="{x}" cy="{y}" r="3"/>"#);
        let _ = writeln!(
            self.body,
            r#"<text x="{text_x}" y="{text_y}" text-anchor="end">{name}</text>"#
        );
    }

    /// A suite, at shares of width and height; random ones are hollow.
    pub fn dot(&mut self, at: &Rational, share: &Rational, criterion: usize, choice: Choice) {
        let (x, y, class) = (self.x(at), Self::y(share), class(criterion, choice));
        let _ = writeln!(self.body, r#"<circle class="{class}" cx="{x}" cy="{y}" r="3"/>"#);
    }

    /// A box from one share of the height to another with a bar at a third, around a share
    /// of the width.
    pub fn spread(
        &mut self,
        at: &Rational,
        half: &Rational,
        [low, middle, high]: &[Rational; 3],
        criterion: usize,
    ) {
        let (from, to) = (self.x(&(at - half)), self.x(&(at + half)));
        let colour = colour(criterion);
        let (low, middle, high) = (Self::y(low), Self::y(middle), Self::y(high));
        let _ = writeln!(
            self.body,
            r#"<path class="box {colour}" d="M{from} {low}H{to}V{high}H{from}Z"/>"#
        );
        let _ = writeln!(self.body, r#"<path class="median {colour}" d="M{from} {middle}H{to}"/>"#);
    }
}

fn colour(criterion: usize) -> String {
    format!("c{}", criterion % COLOURS)
}

fn class(criterion: usize, choice: Choice) -> String {
    match choice {
        Choice::Reduced => format!("dot {}", colour(criterion)),
        Choice::Random => format!("ring {}", colour(criterion)),
    }
}

/// Text inside of XML, which has no control characters.
fn escaped(text: &str) -> String {
    let plain = |character: char| if character.is_control() { ' ' } else { character };
    let text: String = text.chars().map(plain).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::ratio;

    #[test]
    fn shares_stand_where_the_axis_says() {
        let mut picture = Picture::new("a < b & \"c\"");
        let mut panel = picture.panel("p", 100);
        panel.dot(&ratio(1, 2), &ratio(1, 1), 0, Choice::Reduced);
        panel.dot(&ratio(0, 1), &ratio(0, 1), 7, Choice::Random);
        let text = picture.finish("x");
        // 100 percent is on the top line of the panel, 0 on the axis.
        assert!(text.contains(r#"<circle class="dot c0" cx="106.0" cy="56.0" r="3"/>"#), "{text}");
        assert!(text.contains(r#"<circle class="ring c1" cx="56.0" cy="296.0" r="3"/>"#));
        assert!(text.contains(r#"<path class="grid" d="M56 56H156"/>"#), "{text}");
        assert!(text.contains("<title>a &lt; b &amp; &quot;c&quot;</title>"), "{text}");
    }

    #[test]
    fn panels_stand_side_by_side_within_the_picture() {
        let mut picture = Picture::new("t");
        assert_eq!(picture.panel("p", 100).left, 56);
        assert_eq!(picture.panel("q", 50).left, 180);
        assert!(picture.finish("x").contains(r#"viewBox="0 0 254 372""#));
    }
}
