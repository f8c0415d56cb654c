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

impl Default for Lemmas {
    fn default() -> Self {
        Self { levels: vec![Vec::new()] }
    }
}

impl Lemmas {
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

    /// Removes all levels above one, and gives the cubes that were listed there.
    pub fn take_above(&mut self, level: usize) -> Vec<Cube> {
        self.levels.split_off(level + 1).into_iter().flatten().collect()
    }

    /// Changes what every cube is about.
    pub fn translate(&mut self, translate: impl Fn(&Cube) -> Cube) {
        for cube in self.levels.iter_mut().flatten() {
            *cube = translate(cube);
        }
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
