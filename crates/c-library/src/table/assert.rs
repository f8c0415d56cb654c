//! `assert.h` and `errno.h`.

use crate::function::Body::Absent;
use crate::function::Symbolic::{Errno, FailAssertion};

functions! {
    /// What the macros of `assert.h` and `errno.h` call.
    AssertFunction in Assert, ASSERT {
        AssertFail {
            ("__assert_fail", "assert.h", Absent, Some(FailAssertion))
            ("__assert", "assert.h", Absent, Some(FailAssertion))
        }
        ErrnoLocation { ("__errno_location", "errno.h", Absent, Some(Errno)) }
    }
}
