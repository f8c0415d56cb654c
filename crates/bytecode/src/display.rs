//! Modules as text, for golden tests and for people who look for a fault. They must pass [`check`](crate::check()).
//!
//! One line an operation: its position in the code, what it does, and behind `;` where in the source
//! it comes from. Constants are shown by value (`#7`), everything else by register (`r12`).

mod operation;

use std::fmt;

use crate::{Function, Global, Module};

/// How many bytes of an object are shown.
const SHOWN_BYTES: usize = 32;

impl fmt::Display for Module {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for global in &self.globals {
            writeln!(out, "{global}")?;
        }
        for function in &self.functions {
            writeln!(out)?;
            self.write_function(out, function)?;
        }
        Ok(())
    }
}

impl fmt::Display for Global {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.constant { "constant" } else { "global" };
        let size = self.bytes.len();
        write!(out, "{kind} {}: {size} bytes, aligned to {}", self.name, self.alignment)?;
        if !self.defined {
            return write!(out, ", not defined here");
        }
        if self.bytes.iter().all(|byte| *byte == 0) {
            return write!(out, ", all zero");
        }
        write!(out, " =")?;
        for byte in self.bytes.iter().take(SHOWN_BYTES) {
            write!(out, " {byte:02x}")?;
        }
        if size > SHOWN_BYTES { write!(out, " …") } else { Ok(()) }
    }
}

impl Module {
    fn write_function(&self, out: &mut fmt::Formatter<'_>, function: &Function) -> fmt::Result {
        let signature = &function.signature;
        let kind = if function.is_defined() { "function" } else { "declared" };
        write!(out, "{kind} {}({}", function.name, signature.parameters)?;
        let variadic = if signature.variadic { ", …" } else { "" };
        let endless = if signature.endless { ", never returns" } else { "" };
        writeln!(out, "{variadic}) -> {}{endless}", signature.results)?;
        for (number, block) in function.blocks.iter().enumerate() {
            writeln!(out, "block {number}")?;
            for at in block.code.clone() {
                let text = self.operation_text(function, &function.code[at as usize]);
                match function.places[at as usize] {
                    Some(place) => {
                        writeln!(out, "{at:5}  {text:<48} ; {}:{}", place.line, place.column)?;
                    }
                    None => writeln!(out, "{at:5}  {text}")?,
                }
            }
        }
        for local in &function.locals {
            writeln!(out, "local {} at {}", local.name, local.reserve)?;
        }
        Ok(())
    }
}
