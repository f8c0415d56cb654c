//! Kinds: what a type means, each kept once.
//!
//! The syntax tree's [`Type`](obligato_lustre_syntax::ast::Type) says how a type is written; a [`Kind`] is what
//! it stands for. Kinds are interned, so equal kinds have equal ids. Records and enumerations
//! are told apart by their declaration, as both dialects do; aliases are seen through.

use obligato_model::{Integer, Signedness};
use rustc_hash::FxHashMap;

use obligato_lustre_syntax::ast::operator::machine_type;
use obligato_lustre_syntax::ast::{ExprId, Name, Symbol, Symbols};
use obligato_lustre_syntax::typed_id;

typed_id! {
    /// A kind.
    KindId
}

typed_id! {
    /// A declared enumeration.
    EnumerationId
}

typed_id! {
    /// A declared record type.
    RecordId
}

/// What a type means.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Unknown after an error; it fits everything.
    Unknown,
    /// `bool`.
    Bool,
    /// `int`: of any size.
    Int,
    /// `real`: exact.
    Real,
    /// `int8` … `uint64`.
    Machine(Signedness, u8),
    /// `subrange [low, high] of int`; `None` is no bound.
    Subrange(Option<Integer>, Option<Integer>),
    /// An enumeration.
    Enumeration(EnumerationId),
    /// A record.
    Record(RecordId),
    /// An array of elements of one kind.
    Array(KindId, Size),
    /// One value of a tuple type, `[t, u]`.
    Tuple(Vec<KindId>),
    /// Several streams side by side: the results of a call, `(a, b)`.
    List(Vec<KindId>),
    /// A declared type of which nothing is known.
    Free(Symbol),
}

/// How many elements an array has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Size {
    /// So many.
    Known(u64),
    /// What this expression is when the node is called: it names a `const` input.
    Given(ExprId),
}

/// A declared enumeration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enumeration {
    /// Its name.
    pub name: Name,
    /// Its values, in order.
    pub values: Vec<Name>,
}

/// A declared record type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Its name.
    pub name: Name,
    /// Its fields, in order.
    pub fields: Vec<(Name, KindId)>,
}

impl Record {
    /// The position of a field.
    pub fn field(&self, symbol: Symbol) -> Option<usize> {
        self.fields.iter().position(|(name, _)| name.symbol == symbol)
    }
}

/// All kinds of a model, with the declarations of enumerations and records.
#[derive(Clone, Debug)]
pub struct Kinds {
    all: Vec<Kind>,
    /// How deep each nests.
    depths: Vec<usize>,
    index: FxHashMap<Kind, KindId>,
    enumerations: Vec<Enumeration>,
    records: Vec<Record>,
}

impl Default for Kinds {
    fn default() -> Self {
        let mut kinds = Self {
            all: Vec::new(),
            depths: Vec::new(),
            index: FxHashMap::default(),
            enumerations: Vec::new(),
            records: Vec::new(),
        };
        for kind in [Kind::Unknown, Kind::Bool, Kind::Int, Kind::Real] {
            kinds.intern(kind);
        }
        kinds
    }
}

impl Kinds {
    /// The id of a kind, new or known.
    pub fn intern(&mut self, kind: Kind) -> KindId {
        if let Some(known) = self.index.get(&kind) {
            return *known;
        }
        let id = KindId::new(self.all.len());
        let depth = |id: &KindId| self.depths[id.index()] + 1;
        self.depths.push(match &kind {
            Kind::Array(element, _) => depth(element),
            Kind::Tuple(parts) | Kind::List(parts) => parts.iter().map(depth).max().unwrap_or(0),
            _ => 0,
        });
        self.all.push(kind.clone());
        self.index.insert(kind, id);
        id
    }

    /// Several streams side by side; one alone is itself.
    pub fn list(&mut self, kinds: Vec<KindId>) -> KindId {
        if let [only] = kinds[..] { only } else { self.intern(Kind::List(kinds)) }
    }

    /// The id of [`Kind::Unknown`].
    pub fn unknown() -> KindId {
        KindId::new(0)
    }

    /// The id of `bool`.
    pub fn bool() -> KindId {
        KindId::new(1)
    }

    /// The id of `int`.
    pub fn int() -> KindId {
        KindId::new(2)
    }

    /// The id of `real`.
    pub fn real() -> KindId {
        KindId::new(3)
    }

    /// The id of a kind, if the model has it.
    pub fn find(&self, kind: &Kind) -> Option<KindId> {
        self.index.get(kind).copied()
    }

    /// How deep arrays, tuples and lists nest in a kind; records start anew.
    pub fn depth(&self, id: KindId) -> usize {
        self.depths[id.index()]
    }

    /// A kind.
    pub fn get(&self, id: KindId) -> &Kind {
        &self.all[id.index()]
    }

    /// An enumeration.
    pub fn enumeration(&self, id: EnumerationId) -> &Enumeration {
        &self.enumerations[id.index()]
    }

    /// A record type.
    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id.index()]
    }

    /// Is it `int` or a subrange of it?
    pub fn is_integer(&self, id: KindId) -> bool {
        matches!(self.get(id), Kind::Int | Kind::Subrange(..))
    }

    pub(super) fn add_enumeration(&mut self, enumeration: Enumeration) -> EnumerationId {
        self.enumerations.push(enumeration);
        EnumerationId::new(self.enumerations.len() - 1)
    }

    pub(super) fn add_record(&mut self, record: Record) -> RecordId {
        self.records.push(record);
        RecordId::new(self.records.len() - 1)
    }

    pub(super) fn set_fields(&mut self, id: RecordId, kinds: impl IntoIterator<Item = KindId>) {
        for (field, kind) in self.records[id.index()].fields.iter_mut().zip(kinds) {
            field.1 = kind;
        }
    }

    /// The kind that holds the values of both, if there is one: `int` for an integer and a
    /// subrange, part by part for arrays, tuples and lists. Sizes that a call will give are
    /// compared when it does.
    ///
    /// This recurses on the nesting of a kind, which [`DEEPEST`] limits.
    pub fn join(&mut self, one: KindId, other: KindId) -> Option<KindId> {
        if one == other || *self.get(other) == Kind::Unknown {
            return Some(one);
        }
        match (self.get(one).clone(), self.get(other).clone()) {
            (Kind::Unknown, _) => Some(other),
            (Kind::Int | Kind::Subrange(..), Kind::Int | Kind::Subrange(..)) => Some(Self::int()),
            (Kind::Array(a, n), Kind::Array(b, m)) => {
                let size = match (n, m) {
                    (Size::Known(n), Size::Known(m)) if n != m => return None,
                    (Size::Given(_), _) => m,
                    (Size::Known(_), _) => n,
                };
                let element = self.join(a, b)?;
                Some(self.intern(Kind::Array(element, size)))
            }
            (Kind::Tuple(a), Kind::Tuple(b)) => {
                let parts = self.join_all(&a, &b)?;
                Some(self.intern(Kind::Tuple(parts)))
            }
            (Kind::List(a), Kind::List(b)) => {
                let parts = self.join_all(&a, &b)?;
                Some(self.list(parts))
            }
            _ => None,
        }
    }

    fn join_all(&mut self, ones: &[KindId], others: &[KindId]) -> Option<Vec<KindId>> {
        if ones.len() != others.len() {
            return None;
        }
        ones.iter().zip(others).map(|(one, other)| self.join(*one, *other)).collect()
    }

    /// How a message names a kind.
    pub fn describe(&self, id: KindId, symbols: &Symbols) -> String {
        let all = |parts: &[KindId]| {
            let parts: Vec<_> = parts.iter().map(|part| self.describe(*part, symbols)).collect();
            parts.join(", ")
        };
        match self.get(id) {
            Kind::Unknown => "unknown".to_owned(),
            Kind::Bool => "bool".to_owned(),
            Kind::Int => "int".to_owned(),
            Kind::Real => "real".to_owned(),
            Kind::Machine(signedness, bits) => machine_type(*signedness, *bits).to_owned(),
            Kind::Subrange(low, high) => {
                let bound = |bound: &Option<Integer>| {
                    bound.as_ref().map_or_else(|| "*".to_owned(), ToString::to_string)
                };
                format!("subrange [{}, {}] of int", bound(low), bound(high))
            }
            Kind::Enumeration(id) => symbols.text(self.enumeration(*id).name.symbol).to_owned(),
            Kind::Record(id) => symbols.text(self.record(*id).name.symbol).to_owned(),
            Kind::Array(element, size) => {
                let element = self.describe(*element, symbols);
                match size {
                    Size::Known(size) => format!("{element}^{size}"),
                    Size::Given(_) => format!("{element}^n"),
                }
            }
            Kind::Tuple(parts) => format!("[{}]", all(parts)),
            Kind::List(parts) => format!("({})", all(parts)),
            Kind::Free(name) => symbols.text(*name).to_owned(),
        }
    }
}

/// So deep a type may nest: `join` and `describe` recurse on it, and no model nests further.
pub const DEEPEST: usize = 64;
