//! The order in which candidates are tried.

use obligato_model::Random;

use super::goals::Goals;
use super::graph::Graph;
use super::pool::{Candidate, Relevance};

/// A search strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Strategy {
    /// The deepest first.
    Dfs,
    /// The shallowest first.
    Bfs,
    /// At random, each level half as likely as the one above (KLEE's random path).
    RandomPath,
    /// The nearest to something uncovered (CREST).
    Cfg,
    /// By turns at random and the nearest to something uncovered (KLEE's default).
    RpMd2u,
    /// The one with the most open goals within some edges, those that cover a goal by themselves before all others (predictive path search).
    Pps,
    /// The one with the smallest branch distance.
    Fitness,
    /// Predictive, and among equals the smallest branch distance.
    #[default]
    Mixed,
}

impl Strategy {
    /// All of them, by their names.
    pub const ALL: [(&'static str, Self); 8] = [
        ("dfs", Self::Dfs),
        ("bfs", Self::Bfs),
        ("random-path", Self::RandomPath),
        ("cfg", Self::Cfg),
        ("rp-md2u", Self::RpMd2u),
        ("pps", Self::Pps),
        ("fitness", Self::Fitness),
        ("mixed", Self::Mixed),
    ];

    /// Does every choice depend on chance?
    pub(crate) fn draws(self) -> bool {
        matches!(self, Self::RandomPath | Self::RpMd2u)
    }

    /// The smallest comes first.
    pub(crate) fn key(self, candidate: &Candidate, view: View<'_>) -> [u64; 3] {
        let View { graph, goals, levels } = view;
        let length = u64::from(candidate.target.prefix_length());
        let must = u64::from(candidate.relevance != Relevance::Must);
        let nearest = || u64::from(goals.distance(candidate.block));
        let predicted = || u64::from(u32::MAX - goals.within(graph, candidate.block, levels));
        match self {
            Self::Dfs => [u64::MAX - length, 0, 0],
            Self::Bfs => [length, 0, 0],
            Self::Cfg | Self::RpMd2u => [nearest(), length, 0],
            Self::RandomPath => [0; 3],
            Self::Pps => [must, predicted(), length],
            Self::Fitness => [candidate.fitness, length, 0],
            Self::Mixed => [must << 32 | predicted(), candidate.fitness, length],
        }
    }
}

/// The input of strategies.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The control flow.
    pub graph: &'a Graph,
    /// The open goals.
    pub goals: &'a Goals,
    /// How many levels ahead goals are counted.
    pub levels: u32,
}

/// Draws a candidate, each level half as likely as the one above.
pub(crate) fn draw_path(candidates: &[Candidate], random: &mut Random) -> usize {
    // The weights of long paths vanish against those of short ones: draw a level, then one on it.
    let shortest = candidates.iter().map(|one| one.target.prefix_length()).min().unwrap_or(0);
    let longest = candidates.iter().map(|one| one.target.prefix_length()).max().unwrap_or(0);
    let mut level = shortest;
    while level < longest && random.below(2) == 1 {
        level += 1;
    }
    let on_level = |at: usize| candidates[at].target.prefix_length() <= level;
    let first = random.below(candidates.len());
    let all = (first..candidates.len()).chain(0..first);
    let mut fitting = all.filter(|at| on_level(*at));
    fitting.next().unwrap_or(first)
}
