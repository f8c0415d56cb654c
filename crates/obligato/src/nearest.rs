//! The names nearest to one that is not known.

/// So many are named at most.
const MOST: usize = 3;
/// Longer texts are compared by their first characters.
const LONGEST: usize = 300;

/// Those that differ least from a word, nearest first; none that has little in common with it.
pub fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Vec<String> {
    let letters: Vec<char> = word.chars().take(LONGEST).collect();
    let mut found: Vec<(usize, &str)> = Vec::new();
    for name in known {
        let limit = match found.last() {
            Some((worst, _)) if found.len() == MOST => *worst,
            _ => letters.len() / 2 + 1,
        };
        if let Some(distance) = distance(&letters, name, limit) {
            let at = found.partition_point(|(other, _)| *other <= distance);
            found.insert(at, (distance, name));
            found.truncate(MOST);
        }
    }
    found.into_iter().map(|(_, name)| name.to_owned()).collect()
}

/// By how many insertions, removals and changes of letters two words differ, if by fewer than `limit`.
fn distance(word: &[char], other: &str, limit: usize) -> Option<usize> {
    let other: Vec<char> = other.chars().take(LONGEST).collect();
    if word.len().abs_diff(other.len()) >= limit {
        return None;
    }
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (index, letter) in word.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], index + 1);
        for (at, candidate) in other.iter().enumerate() {
            let changed = diagonal + usize::from(letter != candidate);
            diagonal = row[at + 1];
            row[at + 1] = changed.min(row[at] + 1).min(diagonal + 1);
        }
        if row.iter().min().is_some_and(|least| *least >= limit) {
            return None;
        }
    }
    row.last().copied().filter(|distance| *distance < limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_names_come_first_and_strangers_not_at_all() {
        let known =
            ["mcdc@a.c#f/decision-1.1/c1=T", "mcdc@a.c#f/decision-1.1/c1=F", "x", "bvc@b.c"];
        let near = nearest("mcdc@a.c#f/decision-1.1/c1=f", known.into_iter());
        assert_eq!(near, [known[0], known[1]]);
        assert!(nearest("", known.into_iter()).is_empty());
    }
}
