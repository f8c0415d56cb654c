//! Cells that an interface does without: inputs past the limit, and outputs whose value differs from run to run.

use super::{Cell, Interface};

/// An object with more cells than this gives way to smaller ones.
pub(super) const MANY_CELLS: usize = 64;

/// Leaves so many inputs: those of small objects before those of large ones and before what functions outside write, and of these members
/// before elements of arrays.
pub(super) fn leave_out_inputs(interface: &mut Interface, most: usize) {
    let mut cells = vec![0_usize; interface.objects.len()];
    for cell in &interface.inputs {
        cells[cell.object.0] += 1;
    }
    let is_large = |index: &usize| {
        let cell = &interface.inputs[*index];
        cell.given.is_some() || cells[cell.object.0] > MANY_CELLS
    };
    let is_in_array = |index: &usize| interface.inputs[*index].name.ends_with(']');
    let (large, mut kept): (Vec<usize>, Vec<usize>) =
        (0..interface.inputs.len()).partition(is_large);
    let (elements, members): (Vec<usize>, Vec<usize>) = large.into_iter().partition(is_in_array);
    kept.extend(members.into_iter().chain(elements));
    let left_out = kept.split_off(most.min(kept.len()));
    interface.left_out = left_out.iter().map(|index| interface.inputs[*index].object).collect();
    interface.left_out.sort_unstable();
    interface.left_out.dedup();
    kept.sort_unstable();
    interface.inputs = kept.into_iter().map(|index| interface.inputs[index].clone()).collect();
}

/// Leaves out the outputs of a union that may hold an address: what it shows as a number differs from run to run, and what a
/// number shows as a pointer points nowhere.
pub(super) fn leave_out_overlapped(interface: &mut Interface) {
    let outputs = std::mem::take(&mut interface.outputs);
    let over = |cell: &Cell, pointers: &[&Cell]| {
        pointers.iter().any(|pointer| {
            pointer.object == cell.object
                && pointer.range().start < cell.range().end
                && cell.range().start < pointer.range().end
        })
    };
    let cells = interface.inputs.iter().chain(&outputs);
    let pointers: Vec<&Cell> = cells.filter(|cell| cell.lies_over_others()).collect();
    interface.outputs = outputs.iter().filter(|cell| !over(cell, &pointers)).cloned().collect();
}
