//! Where the evaluations of one decision are in the tree of those that it had: the part that is looked at for every condition.
//!
//! A decision may be begun again before it ends, by a deeper call; the outer evaluation is suspended meanwhile. One that is
//! begun anew at its own depth, or whose call is gone, was abandoned.

use crate::paths::Onwards;
use crate::tracker::OutOfOrder;

/// Where evaluations begin, and where they are over.
pub(crate) const ROOT: u32 = 0;

/// Where no evaluation has come yet.
const NOWHERE: u32 = u32::MAX;

/// The places to which evaluations have led, and where the running one is.
#[derive(Clone, Debug)]
pub(crate) struct Walk {
    places: Vec<Junction>,
    at: Position,
    suspended: Vec<Position>,
}

/// A condition that is due, and where its values lead.
#[derive(Clone, Copy, Debug)]
struct Junction {
    due: u32,
    onwards: [u32; 2],
}

/// An evaluation in progress, by a call at this depth.
#[derive(Clone, Copy, Debug)]
struct Position {
    place: u32,
    depth: u32,
}

impl Walk {
    /// Nothing has been evaluated; evaluations begin with this condition.
    pub(crate) fn new(first: u32) -> Self {
        let root = Junction { due: first, onwards: [NOWHERE; 2] };
        Self { places: vec![root], at: Position { place: ROOT, depth: 0 }, suspended: Vec::new() }
    }

    /// A condition was evaluated by a call at this depth. Says whether that was nothing new; otherwise nothing has happened yet.
    #[inline]
    pub(crate) fn follow(&mut self, condition: u32, depth: u32, value: bool) -> bool {
        let Position { place, depth: before } = self.at;
        let Some(junction) = self.places.get(place as usize) else { return false };
        let onwards = junction.onwards[usize::from(value)];
        let here = before == depth || place == ROOT;
        if junction.due == condition && here && onwards != NOWHERE {
            self.at = Position { place: onwards, depth };
            return true;
        }
        false
    }

    /// Makes the running evaluation the one in which this condition is due, and gives its place.
    pub(crate) fn turn_to(&mut self, condition: u32, depth: u32) -> Result<u32, OutOfOrder> {
        if condition == self.places[ROOT as usize].due {
            return Ok(self.begin(depth));
        }
        while self.at.depth > depth || self.at.place == ROOT {
            self.at = self.suspended.pop().ok_or(OutOfOrder { expected: None })?;
        }
        let due = self.places[self.at.place as usize].due;
        if self.at.depth == depth && due == condition {
            return Ok(self.at.place);
        }
        Err(OutOfOrder { expected: (self.at.depth == depth).then_some(due as usize) })
    }

    /// Begins an evaluation: an outer one waits, one of this depth or from deeper was abandoned.
    fn begin(&mut self, depth: u32) -> u32 {
        if self.at.place != ROOT {
            self.suspended.push(self.at);
        }
        while self.suspended.last().is_some_and(|outer| outer.depth >= depth) {
            self.suspended.pop();
        }
        self.at = Position { place: ROOT, depth };
        ROOT
    }

    /// From a place, this value leads on to where no evaluation has been. Gives the new place, if it is not the end.
    pub(crate) fn add(&mut self, from: u32, value: bool, onwards: Onwards) -> Option<u32> {
        let place = match onwards {
            Onwards::Ended => ROOT,
            Onwards::To(due) => {
                self.places.push(Junction { due, onwards: [NOWHERE; 2] });
                self.places.len() as u32 - 1
            }
        };
        self.places[from as usize].onwards[usize::from(value)] = place;
        (place != ROOT).then_some(place)
    }

    /// Where this value leads from a place, if an evaluation has gone there.
    pub(crate) fn known(&self, from: u32, value: bool) -> Option<u32> {
        let place = self.places[from as usize].onwards[usize::from(value)];
        (place != NOWHERE).then_some(place)
    }

    /// The running evaluation goes to a place.
    pub(crate) fn go(&mut self, place: u32, depth: u32) {
        self.at = Position { place, depth };
    }

    /// Is no evaluation in progress?
    pub(crate) fn is_idle(&self) -> bool {
        self.at.place == ROOT && self.suspended.is_empty()
    }

    /// Back to nothing.
    pub(crate) fn clear(&mut self) {
        self.places.truncate(1);
        self.places[ROOT as usize].onwards = [NOWHERE; 2];
        self.at = Position { place: ROOT, depth: 0 };
        self.suspended.clear();
    }
}
