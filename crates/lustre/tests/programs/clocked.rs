//! Streams on clocks: variables, expressions, `merge`, `current` and `activate`.

use std::fmt::Write as _;

use super::types::Ty;
use super::{Generator, Memory};

/// A clock, as it is written after `when`, and the variables that are on it.
struct Clock<'c> {
    written: &'c str,
    ints: Vec<&'static str>,
}

impl Generator {
    /// Declarations and equations with clocks; they define `merged`, `chosen` and `held`.
    pub(super) fn clocked(&mut self, locals: &mut String, equations: &mut String) {
        let _ = write!(
            locals,
            "  tick: bool;\n  hue: colour;\n  up: int when tick;\n  down: int when not tick;\n  \
             beat: bool when tick;\n  inner: int when beat;\n  merged, chosen, held: int;\n"
        );
        let (tick, hue) = (self.expr(&Ty::Bool, 2), self.expr(&Ty::Colour, 2));
        let up = self.on(&Clock { written: "tick", ints: vec!["up"] }, 3);
        let down = self.on(&Clock { written: "not tick", ints: vec!["down"] }, 3);
        let test = self.expr(&Ty::Bool, 1);
        let beat = format!("({test} when tick) and up > (0 when tick)");
        let inner = match self.choose(3) {
            0 => "up when beat".to_owned(),
            1 => "(0 when tick when beat) -> pre inner + (up when beat)".to_owned(),
            _ => "count(up when beat)".to_owned(),
        };
        let merged = match self.choose(4) {
            0 => "merge(tick; up; down)".to_owned(),
            1 => "merge tick (true -> up) (false -> down)".to_owned(),
            2 => {
                let argument = self.expr(&Ty::Int, 1);
                format!("merge(tick; (activate count every tick)({argument}); down)")
            }
            _ => {
                let argument = self.expr(&Ty::Int, 1);
                format!("merge(tick; up; (activate count every not tick)({argument}))")
            }
        };
        let branches = ["RED", "GREEN", "BLUE"].map(|value| {
            let clock = format!("{value}(hue)");
            let value_of = self.on(&Clock { written: &clock, ints: Vec::new() }, 2);
            format!("({value} -> {value_of})")
        });
        let held = match self.choose(3) {
            0 => "current(up)".to_owned(),
            1 => "0 -> current(down)".to_owned(),
            _ => "current(current(inner))".to_owned(),
        };
        let _ = write!(
            equations,
            "  tick = {tick};\n  hue = {hue};\n  up = {up};\n  down = {down};\n  beat = {beat};\n  \
             inner = {inner};\n  merged = {merged};\n  chosen = merge hue {};\n  held = {held};\n",
            branches.join(" ")
        );
    }

    /// An integer on a clock. The variables on the clock are read one step later.
    fn on(&mut self, clock: &Clock<'_>, depth: usize) -> String {
        let when = |value: &str| format!("({value} when {})", clock.written);
        let sampled = |this: &mut Self| {
            let value = this.expr(&Ty::Int, 1);
            when(&value)
        };
        if depth == 0 {
            return sampled(self);
        }
        match self.choose(7) {
            0 => sampled(self),
            1 => {
                let value = match clock.ints.first() {
                    Some(name) if self.choose(3) > 0 => (*name).to_owned(),
                    _ => self.on(clock, depth - 1),
                };
                format!("({} -> pre {value})", self.on(clock, depth - 1))
            }
            2 => {
                let (a, b) = (self.on(clock, depth - 1), self.on(clock, depth - 1));
                format!("({a} fby {b})")
            }
            3 if self.memory == Memory::Allowed => format!("count({})", self.on(clock, depth - 1)),
            4 => {
                let test = self.expr(&Ty::Bool, 1);
                let (a, b) = (self.on(clock, depth - 1), self.on(clock, depth - 1));
                format!("(if {} then {a} else {b})", when(&test))
            }
            5 => {
                let (value, initial) = (self.on(clock, depth - 1), self.on(clock, depth - 1));
                format!("fby({value}, {}, {initial})", 1 + self.choose(3))
            }
            _ => format!("({} + {})", self.on(clock, depth - 1), self.on(clock, depth - 1)),
        }
    }
}
