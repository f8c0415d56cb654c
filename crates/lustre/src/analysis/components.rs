//! Strongly connected components, for everything that must not go in circles: types,
//! constants, node calls, equations.
//!
//! Tarjan's algorithm (1972) with a stack of its own. It yields a component after all that
//! the component depends on, so its order is the order in which to work.

/// A graph: for each vertex, what it depends on.
#[derive(Clone, Debug, Default)]
pub struct DependencyGraph {
    starts: Vec<u32>,
    targets: Vec<u32>,
}

impl DependencyGraph {
    /// A graph without vertices.
    pub fn new() -> Self {
        Self { starts: vec![0], targets: Vec::new() }
    }

    /// Adds the next vertex with what it depends on.
    pub fn add(&mut self, targets: impl IntoIterator<Item = u32>) {
        self.targets.extend(targets);
        self.starts.push(self.targets.len() as u32);
    }

    /// How many vertices there are.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// What a vertex depends on.
    pub fn targets(&self, vertex: u32) -> &[u32] {
        let vertex = vertex as usize;
        &self.targets[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }

    /// The vertices in an order in which all come after what they depend on, and the cycles
    /// that prevent it: one for each component that has any, as short as its first vertex
    /// allows.
    pub fn sort(&self) -> (Vec<u32>, Vec<Vec<u32>>) {
        let mut order = Vec::with_capacity(self.len());
        let mut cycles = Vec::new();
        for component in self.components() {
            let [first, ..] = component[..] else { continue };
            if component.len() > 1 || self.targets(first).contains(&first) {
                let start = component.iter().copied().min().unwrap_or(first);
                cycles.push(self.cycle(start, &component));
            }
            order.extend(component);
        }
        (order, cycles)
    }

    fn components(&self) -> Vec<Vec<u32>> {
        const UNSEEN: u32 = u32::MAX;
        let mut number = vec![UNSEEN; self.len()];
        let mut low = vec![0; self.len()];
        let mut open = vec![false; self.len()];
        let mut path: Vec<u32> = Vec::new();
        let mut calls: Vec<(u32, usize)> = Vec::new();
        let mut count = 0;
        let mut components = Vec::new();
        for root in 0..self.len() as u32 {
            if number[root as usize] != UNSEEN {
                continue;
            }
            calls.push((root, 0));
            while let Some((vertex, next)) = calls.last_mut() {
                let at = *vertex as usize;
                if *next == 0 {
                    number[at] = count;
                    low[at] = count;
                    count += 1;
                    open[at] = true;
                    path.push(*vertex);
                }
                if let Some(&target) = self.targets(*vertex).get(*next) {
                    *next += 1;
                    let target = target as usize;
                    if number[target] == UNSEEN {
                        calls.push((target as u32, 0));
                    } else if open[target] {
                        low[at] = low[at].min(number[target]);
                    }
                    // A vertex is numbered once, when `next` is 0; see that it is never 0 again.
                    continue;
                }
                calls.pop();
                if let Some((parent, _)) = calls.last() {
                    let parent = *parent as usize;
                    low[parent] = low[parent].min(low[at]);
                }
                if low[at] == number[at] {
                    let start = path.iter().rposition(|vertex| *vertex as usize == at);
                    let start = start.expect("invariant: an open vertex is on the path");
                    let component = path.split_off(start);
                    for vertex in &component {
                        open[*vertex as usize] = false;
                    }
                    components.push(component);
                }
            }
        }
        components
    }

    /// A shortest way from `start` back to it within its component.
    fn cycle(&self, start: u32, component: &[u32]) -> Vec<u32> {
        let inside: rustc_hash::FxHashSet<u32> = component.iter().copied().collect();
        let mut from = rustc_hash::FxHashMap::default();
        let mut queue = std::collections::VecDeque::from([start]);
        while let Some(vertex) = queue.pop_front() {
            for &target in self.targets(vertex) {
                if target == start {
                    let mut way = vec![vertex];
                    let mut at = vertex;
                    while at != start {
                        at = from[&at];
                        way.push(at);
                    }
                    way.reverse();
                    return way;
                }
                if inside.contains(&target) && !from.contains_key(&target) {
                    from.insert(target, vertex);
                    queue.push_back(target);
                }
            }
        }
        vec![start]
    }
}

#[cfg(test)]
mod tests;
