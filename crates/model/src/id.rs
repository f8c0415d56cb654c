//! Typed ids: dense indices, given once by the front end or the plan.
//!
//! They are positions in the vectors of one [`Program`](crate::Program), one
//! plan or one suite, and mean nothing outside it. What survives an edit of
//! the source is the [`Key`](crate::Key) of an obligation.

/// Makes id types, each a position in a vector of fewer than 2^32 elements.
#[macro_export]
macro_rules! typed_ids {
    ($($(#[$doc:meta])* $name:ident,)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $name {
            /// The id of the element at `index`.
            pub fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("invariant: fewer than 2^32 elements of a kind"))
            }

            /// The position this id stands for.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

typed_ids! {
    /// A source file of a program.
    FileId,
    /// A C function, or a node instance of a Lustre model.
    FunctionId,
    /// A place where a function returns.
    ExitId,
    /// A statement.
    StatementId,
    /// An arm of a `switch`, the implicit default included.
    ArmId,
    /// A decision.
    DecisionId,
    /// One occurrence of a condition in a decision.
    ConditionId,
    /// A mutant.
    MutantId,
    /// An obligation of a plan.
    ObligationId,
    /// A test case of a suite.
    TestId,
}
