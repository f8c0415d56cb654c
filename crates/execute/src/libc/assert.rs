//! `assert.h` and `errno.h`: what their macros call.

use super::{Host, Plain};
use crate::finding::Kind;
use crate::machine::Run;
use crate::shadow::Shadow;

pub(super) fn find<S: Shadow>(name: &str) -> Option<(usize, Plain<S>)> {
    Some(match name {
        "__assert_fail" | "__assert" => (1, assert_fail),
        "__errno_location" => (0, |host, _| host.errno()),
        _ => return None,
    })
}

fn assert_fail<S: Shadow>(host: &mut Host<'_, S>, a: &[u64]) -> Run<u64> {
    let text = String::from_utf8_lossy(&host.text(a[0])?).into_owned();
    Err(Kind::AssertionFailed { text }.into())
}
