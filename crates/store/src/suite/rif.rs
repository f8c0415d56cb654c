//! Suites in RIF, the format in which the tools around Lustre V6 exchange values (`lus2lic`,
//! `lutin`, `rdbg`, `luciole`).
//!
//! ```text
//! #inputs "on":bool "speed":int
//! #outputs "alarm":bool
//! #step 1
//! T 12 #outs F
//! ```
//!
//! Values stand in the order that `#inputs` and `#outputs` declare, separated by blanks, on one
//! line or several; `?` and `nil` leave one open. `#reset` starts another test, and `#test NAME`,
//! which other tools take for a comment, names it. `#quit`, `#end` and `q` end the file. What
//! else starts with `#` is a comment up to the end of its line, or from `#@` to `@#`.

use obligato_model::{Step, TestCase, Type};

use super::Signature;
use crate::error::{StoreError, quoted};
use crate::source::Source;
use crate::value::Kind;
use crate::variables::DistinctNames;

mod declaration;
mod print;
mod token;

pub use print::Printer;

use declaration::Declaration;
use token::{Pragma, Token, Tokens};

/// The tests in such a file, one after the other.
pub fn tests<'a>(
    bytes: &'a [u8],
    signature: &'a Signature,
) -> Result<impl Iterator<Item = Result<TestCase, StoreError>> + use<'a>, StoreError> {
    let mut reader = Reader {
        signature,
        kinds: signature.variables().iter().map(|variable| Kind::new(&variable.kind)).collect(),
        tokens: Tokens::new(Source::of(bytes)?),
        inputs: Declaration::of_all(signature),
        outputs: Declaration::of_none(),
        names: DistinctNames::new("test"),
        count: 0,
        name: None,
        test: Vec::new(),
        step: None,
    };
    Ok(std::iter::from_fn(move || reader.next_test().transpose()))
}

struct Reader<'a> {
    signature: &'a Signature,
    kinds: Vec<Kind<'a>>,
    tokens: Tokens<'a>,
    inputs: Declaration,
    outputs: Declaration,
    names: DistinctNames<'static>,
    /// How many tests there were.
    count: usize,
    /// The name that the test gets, with its place.
    name: Option<(usize, &'a str)>,
    /// The steps of the test so far, and the one that is being read.
    test: Vec<Step>,
    step: Option<Unfinished>,
}

/// A step that is being read.
struct Unfinished {
    values: Step,
    inputs: usize,
    outputs: Option<usize>,
}

/// Does the file go on after a pragma?
enum After {
    Rest,
    NextTest,
    End,
}

impl<'a> Reader<'a> {
    fn next_test(&mut self) -> Result<Option<TestCase>, StoreError> {
        while let Some(token) = self.tokens.next()? {
            let after = match token {
                Token::Word(_, "q") if self.ends_at_q() => {
                    self.tokens.stop();
                    After::End
                }
                Token::Word(at, word) => self.take_value(at, word)?,
                Token::Quoted(at, word) => self.take_text(at, Some(word))?,
                Token::Pragma(at, pragma) => self.take_pragma(at, pragma)?,
            };
            match after {
                After::Rest => {}
                After::NextTest if self.test.is_empty() => {}
                After::NextTest => return self.end_test().map(Some),
                After::End => break,
            }
        }
        self.end_step(self.tokens.position())?;
        if !self.test.is_empty() {
            return self.end_test().map(Some);
        }
        match self.name {
            Some((at, _)) => Err(self.tokens.invalid(at, "there is no step after this name")),
            None => Ok(None),
        }
    }

    /// Is `q` no value here?
    fn ends_at_q(&self) -> bool {
        let next = self.step.as_ref().map_or(0, |step| step.inputs);
        let at = self.inputs.places.get(next).or(self.inputs.places.first());
        let kind = at.map(|at| &self.signature.variables()[*at].kind);
        !matches!(kind, Some(Type::Enumeration(_) | Type::OpenEnumeration(_)))
    }

    fn take_value(&mut self, at: usize, word: &'a str) -> Result<After, StoreError> {
        self.take_text(at, (!matches!(word, "?" | "nil")).then_some(word))
    }

    /// Gives the next variable a value, or leaves it open.
    fn take_text(&mut self, at: usize, text: Option<&str>) -> Result<After, StoreError> {
        let is_full = |step: &Unfinished| match step.outputs {
            None => step.inputs == self.inputs.places.len(),
            Some(outputs) => outputs == self.outputs.places.len(),
        };
        if self.step.as_ref().is_none_or(is_full) {
            if self.inputs.places.is_empty() {
                return Err(self.tokens.invalid(at, "a value, but there are no inputs"));
            }
            self.end_step(at)?;
            self.begin_step();
        }
        let Some(step) = &mut self.step else { return Ok(After::Rest) };
        let place = match &mut step.outputs {
            None => {
                step.inputs += 1;
                self.inputs.places[step.inputs - 1]
            }
            Some(outputs) => {
                *outputs += 1;
                self.outputs.places[*outputs - 1]
            }
        };
        if let Some(text) = text {
            let value = self.kinds[place].read_text(text).map_err(|reason| {
                let variable = &self.signature.variables()[place];
                let name = quoted(&variable.name);
                self.tokens.invalid(at, format!("variable {name}: {reason}"))
            })?;
            step.values[place] = Some(value);
        }
        Ok(After::Rest)
    }

    fn take_pragma(&mut self, at: usize, pragma: Pragma<'a>) -> Result<After, StoreError> {
        match pragma {
            Pragma::Inputs(list) => {
                self.check_before_steps(at, &self.inputs)?;
                self.inputs = Declaration::of_inputs(list, at, &self.tokens, self.signature)?;
            }
            Pragma::Outputs(list) => {
                self.check_before_steps(at, &self.outputs)?;
                self.outputs = Declaration::of_outputs(list, &self.tokens, self.signature)?;
            }
            Pragma::Step => {
                self.end_step(at)?;
                self.begin_step();
            }
            Pragma::Outs => self.begin_outputs(at)?,
            Pragma::Name(name) => {
                self.end_step(at)?;
                if self.name.is_some() || !self.test.is_empty() {
                    let reason = "a name stands before the first step of its test";
                    return Err(self.tokens.invalid(at, reason));
                }
                self.name = Some((at, name));
            }
            Pragma::Reset => {
                self.end_step(at)?;
                return Ok(After::NextTest);
            }
            Pragma::Quit => {
                self.tokens.stop();
                return Ok(After::End);
            }
        }
        Ok(After::Rest)
    }

    /// A declaration comes once, and before the values that it is about.
    fn check_before_steps(&self, at: usize, earlier: &Declaration) -> Result<(), StoreError> {
        if earlier.given {
            return Err(self.tokens.invalid(at, "these are declared a second time"));
        }
        if self.step.is_some() || !self.test.is_empty() || self.count > 0 {
            return Err(self.tokens.invalid(at, "a declaration stands before the first step"));
        }
        Ok(())
    }

    fn begin_step(&mut self) {
        let values = vec![None; self.kinds.len()];
        self.step = Some(Unfinished { values, inputs: 0, outputs: None });
    }

    fn begin_outputs(&mut self, at: usize) -> Result<(), StoreError> {
        if !self.outputs.given {
            let reason = "the outputs are not declared; a line '#outputs' has to say their order";
            return Err(self.tokens.invalid(at, reason));
        }
        if self.step.is_none() && self.inputs.places.is_empty() {
            self.begin_step();
        }
        let wanted = self.inputs.places.len();
        let inputs = self.step.as_ref().map_or(0, |step| step.inputs);
        match &mut self.step {
            Some(step) if step.inputs == wanted && step.outputs.is_none() => {
                step.outputs = Some(0);
                Ok(())
            }
            Some(Unfinished { outputs: Some(_), .. }) => {
                Err(self.tokens.invalid(at, "this step already has outputs"))
            }
            _ => Err(self.few(at, inputs, &self.inputs, "input")),
        }
    }

    /// Puts the step that ends before `at` to the test. A step that was only announced is none.
    fn end_step(&mut self, at: usize) -> Result<(), StoreError> {
        let Some(step) = self.step.take() else { return Ok(()) };
        let wanted = self.inputs.places.len();
        if step.inputs == 0 && wanted > 0 {
            return Ok(());
        }
        if step.inputs < wanted {
            return Err(self.few(at, step.inputs, &self.inputs, "input"));
        }
        if let Some(outputs) = step.outputs.filter(|outputs| *outputs < self.outputs.places.len()) {
            return Err(self.few(at, outputs, &self.outputs, "output"));
        }
        self.test.push(step.values);
        Ok(())
    }

    fn few(&self, at: usize, found: usize, of: &Declaration, what: &str) -> StoreError {
        let name = quoted(&self.signature.variables()[of.places[found]].name);
        let wanted = of.places.len();
        let plural = if wanted == 1 { "" } else { "s" };
        let reason = format!(
            "the step before this has {found} of {wanted} {what}{plural}; {name} is missing"
        );
        self.tokens.invalid(at, reason)
    }

    fn end_test(&mut self) -> Result<TestCase, StoreError> {
        let (at, name) = match self.name.take() {
            Some((at, name)) => (at, name.to_owned()),
            None => (self.tokens.position(), TestCase::default_name(self.count)),
        };
        self.count += 1;
        self.names.add(&name).map_err(|reason| self.tokens.invalid(at, reason))?;
        Ok(TestCase { name, steps: std::mem::take(&mut self.test) })
    }
}

#[cfg(test)]
mod tests;
