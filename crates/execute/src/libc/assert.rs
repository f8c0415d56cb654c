//! `assert.h` and `errno.h`: what their macros call.

use super::{Host, Plain};
use crate::finding::FindingKind;
use crate::machine::Run;
use crate::shadow::Shadow;
use obligato_c_library::AssertFunction;

pub(super) fn model<S: Shadow>(function: AssertFunction) -> (usize, Plain<S>) {
    match function {
        AssertFunction::AssertFail => (1, assert_fail),
        AssertFunction::ErrnoLocation => (0, |host, _| host.errno()),
    }
}

fn assert_fail<S: Shadow>(host: &mut Host<'_, S>, a: &[u64]) -> Run<u64> {
    let text = String::from_utf8_lossy(&host.text(a[0])?).into_owned();
    Err(FindingKind::AssertionFailed { text }.into())
}
