//! Names and literals, each text kept once.

use std::fmt;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::source::ByteSpan;
use crate::typed_id;

typed_id! {
    /// A text of the model: a name, a literal, a property's title.
    Symbol
}

/// A name where it stands.
///
/// JKind gives flattened models names such as `msg.buff[0]`; such a name is one symbol,
/// written without spaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Name {
    /// The text.
    pub symbol: Symbol,
    /// Where it stands.
    pub span: ByteSpan,
}

/// The table of symbols.
#[derive(Clone, Default)]
pub struct Symbols {
    texts: Vec<Arc<str>>,
    index: FxHashMap<Arc<str>, Symbol>,
}

impl Symbols {
    /// The symbol of a text, new or known.
    pub fn intern(&mut self, text: &str) -> Symbol {
        if let Some(known) = self.index.get(text) {
            return *known;
        }
        let symbol = Symbol::new(self.texts.len());
        let text: Arc<str> = text.into();
        self.texts.push(Arc::clone(&text));
        self.index.insert(text, symbol);
        symbol
    }

    /// The symbol of a text, if the model has it.
    pub fn find(&self, text: &str) -> Option<Symbol> {
        self.index.get(text).copied()
    }

    /// The text of a symbol.
    pub fn text(&self, symbol: Symbol) -> &str {
        &self.texts[symbol.index()]
    }

    /// How many symbols there are.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }
}

impl fmt::Debug for Symbols {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.texts).finish()
    }
}
