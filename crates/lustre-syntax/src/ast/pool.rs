//! Storage of the tree: flat vectors, typed ids, and lists that are ranges.
//!
//! Nothing in the tree owns another part of it, so nothing recurses, not even dropping or
//! comparing, however deep a model nests.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::ops::Index;

/// Makes an id type: the position of a part in its vector.
#[macro_export]
macro_rules! typed_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $name {
            /// The part at this position.
            pub fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("invariant: fewer parts than bytes of source"))
            }

            /// The position.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.0)
            }
        }
    };
}

/// A list: a range of a [`Pool`].
pub struct List<T> {
    start: u32,
    length: u32,
    of: PhantomData<fn() -> T>,
}

impl<T> List<T> {
    /// The list without elements.
    pub fn empty() -> Self {
        Self { start: 0, length: 0, of: PhantomData }
    }

    /// How many elements.
    pub fn len(self) -> usize {
        self.length as usize
    }

    /// Are there none?
    pub fn is_empty(self) -> bool {
        self.length == 0
    }

    /// This list and the one that was added right after it, as one.
    #[must_use]
    pub fn joined(self, next: Self) -> Self {
        if self.is_empty() {
            return next;
        }
        let adjacent = next.is_empty() || self.start + self.length == next.start;
        assert!(adjacent, "invariant: the lists were added one after the other");
        Self { length: self.length + next.length, ..self }
    }
}

// Written out, as deriving would ask the same of `T`, which is not in the list.
impl<T> Default for List<T> {
    fn default() -> Self {
        Self::empty()
    }
}

impl<T> Clone for List<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for List<T> {}

impl<T> PartialEq for List<T> {
    fn eq(&self, other: &Self) -> bool {
        (self.start, self.length) == (other.start, other.length)
    }
}

impl<T> Eq for List<T> {}

impl<T> Hash for List<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.start, self.length).hash(state);
    }
}

impl<T> fmt::Debug for List<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}; {}]", self.start, self.length)
    }
}

/// The elements of all lists of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pool<T>(Vec<T>);

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Pool<T> {
    /// Adds a list.
    pub fn add(&mut self, elements: impl IntoIterator<Item = T>) -> List<T> {
        let start = self.0.len();
        self.0.extend(elements);
        let length = self.0.len() - start;
        if length == 0 {
            return List::empty();
        }
        let narrow = |n| u32::try_from(n).expect("invariant: fewer elements than bytes of source");
        List { start: narrow(start), length: narrow(length), of: PhantomData }
    }

    /// Adds elements to the list that was added last.
    #[must_use]
    pub fn extend(&mut self, list: List<T>, elements: impl IntoIterator<Item = T>) -> List<T> {
        let end = list.start as usize + list.len();
        assert!(list.is_empty() || end == self.0.len(), "invariant: only the last list grows");
        let added = self.add(elements);
        if list.is_empty() { added } else { List { length: list.length + added.length, ..list } }
    }

    /// The elements of all lists.
    pub(super) fn elements_mut(&mut self) -> &mut [T] {
        &mut self.0
    }

    /// The elements of a list.
    pub fn get(&self, list: List<T>) -> &[T] {
        &self.0[list.start as usize..(list.start + list.length) as usize]
    }
}

impl<T> Index<List<T>> for Pool<T> {
    type Output = [T];

    fn index(&self, list: List<T>) -> &[T] {
        self.get(list)
    }
}
