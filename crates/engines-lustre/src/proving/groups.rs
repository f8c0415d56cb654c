//! Groups of events that are refuted by one proof each.

use std::collections::{BTreeSet, VecDeque};

use crate::event::EventId;

/// A group that takes too long is split into so many parts.
const PIECES: usize = 8;

/// A worklist of groups, kept from round to round: a group that was too hard is not tried as a whole again,
/// and groups take turns.
#[derive(Debug, Default)]
pub(super) struct Groups {
    waiting: VecDeque<Vec<EventId>>,
    /// Single events that took too long; they wait for a round with a larger budget.
    later: Vec<EventId>,
}

impl Groups {
    /// Begins a round for these events, in order. Those that were in no group are one.
    pub fn begin(&mut self, wanted: &[EventId]) {
        self.waiting.extend(self.later.drain(..).map(|event| vec![event]));
        let wanted: BTreeSet<EventId> = wanted.iter().copied().collect();
        for group in &mut self.waiting {
            group.retain(|event| wanted.contains(event));
        }
        self.waiting.retain(|group| !group.is_empty());
        let grouped: BTreeSet<EventId> = self.waiting.iter().flatten().copied().collect();
        let new: Vec<EventId> = wanted.difference(&grouped).copied().collect();
        if !new.is_empty() {
            self.waiting.push_front(new);
        }
    }

    /// Takes the next group of this round.
    pub fn take(&mut self) -> Option<Vec<EventId>> {
        self.waiting.pop_front()
    }

    /// Puts back what is left of a group, to be next.
    pub fn put_back(&mut self, group: Vec<EventId>) {
        if !group.is_empty() {
            self.waiting.push_front(group);
        }
    }

    /// Puts back a group that takes too long: its pieces are next, but a single event waits for the next round.
    pub fn cut(&mut self, group: &[EventId]) {
        if let [only] = group {
            self.later.push(*only);
            return;
        }
        let size = group.len().div_ceil(PIECES).max(1);
        for piece in group.chunks(size).rev() {
            self.waiting.push_front(piece.to_vec());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(of: impl IntoIterator<Item = usize>) -> Vec<EventId> {
        of.into_iter().map(EventId::new).collect()
    }

    #[test]
    fn groups_are_cut_down_to_single_events_and_these_wait_for_the_next_round() {
        let mut groups = Groups::default();
        groups.begin(&events(0..12));
        let all = groups.take().expect("there is a group");
        groups.cut(&all);
        assert_eq!(groups.take(), Some(events(0..2)));
        groups.cut(&events(0..2));
        assert_eq!(groups.take(), Some(events([0])));
        groups.cut(&events([0]));
        assert_eq!(groups.take(), Some(events([1])));

        // 1 was refuted; 3 and what follows 5 are no longer wanted; 17 is new.
        groups.begin(&events([0, 2, 4, 5, 17]));
        let rest: Vec<Vec<EventId>> = std::iter::from_fn(|| groups.take()).collect();
        assert_eq!(rest, [events([17]), events([2]), events([4, 5]), events([0])]);
    }

    #[test]
    fn what_is_left_of_a_group_is_next() {
        let mut groups = Groups::default();
        groups.begin(&events(0..3));
        let mut all = groups.take().expect("there is a group");
        all.remove(1);
        groups.put_back(all);
        assert_eq!(groups.take(), Some(events([0, 2])));
        groups.put_back(Vec::new());
        assert_eq!(groups.take(), None);
    }
}
