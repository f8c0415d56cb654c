//! The frames of IC3: over-approximations of the states reachable within so many steps.
//!
//! Frame `k`, or level `k`, excludes cubes that no run reaches in at most `k` steps. A cube excluded
//! in a frame is excluded in all frames below too, and is listed only in the highest (delta encoding).

use super::cube::Cube;

/// Excluded cubes by the highest frame that excludes them. Frame 0 is the initial state, and its list stays empty.
#[derive(Debug)]
pub struct Frames {
    levels: Vec<Vec<Cube>>,
}

impl Default for Frames {
    fn default() -> Self {
        Self { levels: vec![Vec::new()] }
    }
}

impl Frames {
    /// The highest frame.
    pub fn top(&self) -> usize {
        self.levels.len() - 1
    }

    /// Adds a frame without lemmas.
    pub fn raise(&mut self) {
        self.levels.push(Vec::new());
    }

    /// The cubes listed in a frame.
    pub fn at(&self, level: usize) -> &[Cube] {
        &self.levels[level]
    }

    /// Removes all frames above one, and returns their cubes.
    pub fn take_above(&mut self, level: usize) -> Vec<Cube> {
        self.levels.split_off(level + 1).into_iter().flatten().collect()
    }

    /// Maps every cube to another circuit.
    pub fn translate(&mut self, translate: impl Fn(&Cube) -> Cube) {
        for cube in self.levels.iter_mut().flatten() {
            *cube = translate(cube);
        }
    }

    /// Excludes a cube in a frame and all below, and removes the cubes that it subsumes.
    pub fn insert(&mut self, level: usize, cube: Cube) {
        for below in &mut self.levels[1..=level] {
            below.retain(|one| !cube.includes(one));
        }
        self.levels[level].push(cube);
    }

    /// Does a single lemma of a frame exclude a cube?
    pub fn exclude(&self, level: usize, cube: &Cube) -> bool {
        self.levels[level..].iter().flatten().any(|one| one.includes(cube))
    }
}
