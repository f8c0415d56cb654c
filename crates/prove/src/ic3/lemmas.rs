//! What is known of the states reachable within so many steps.
//!
//! Level `k` excludes cubes from the states that can be reached in at most `k` steps. A cube excluded
//! at a level is excluded at all levels below too, and is listed only at the highest one.

use super::cube::Cube;

/// Excluded cubes by the highest level at which they are excluded. Level 0 is the initial state, and its list stays empty.
#[derive(Debug)]
pub struct Lemmas {
    levels: Vec<Vec<Cube>>,
}

impl Lemmas {
    /// No lemmas, and no level but the initial one.
    pub fn new() -> Self {
        Self { levels: vec![Vec::new()] }
    }

    /// The highest level.
    pub fn top(&self) -> usize {
        self.levels.len() - 1
    }

    /// One more level, of which nothing is known.
    pub fn raise(&mut self) {
        self.levels.push(Vec::new());
    }

    /// The cubes listed at a level.
    pub fn at(&self, level: usize) -> &[Cube] {
        &self.levels[level]
    }

    /// The cubes listed above a level.
    pub fn above(&self, level: usize) -> impl Iterator<Item = &Cube> {
        self.levels[level + 1..].iter().flatten()
    }

    /// Excludes a cube at a level and below. What it includes there need not be listed any more.
    pub fn insert(&mut self, level: usize, cube: Cube) {
        for below in &mut self.levels[1..=level] {
            below.retain(|one| !cube.includes(one));
        }
        self.levels[level].push(cube);
    }

    /// Is a cube excluded at a level by a single lemma?
    pub fn exclude(&self, level: usize, cube: &Cube) -> bool {
        self.levels[level..].iter().flatten().any(|one| one.includes(cube))
    }
}
