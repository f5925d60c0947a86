//! Lists in the order in which their members are first met: each once, or with everything that belongs to it.

use std::collections::BTreeMap;

/// Returns each member once.
pub fn distinct<T: Ord>(all: impl IntoIterator<Item = T>) -> Vec<T> {
    grouped(all.into_iter().map(|one| (one, ()))).into_iter().map(|(one, _)| one).collect()
}

/// Returns each key once, with all members under it.
pub fn grouped<K: Ord, T>(all: impl IntoIterator<Item = (K, T)>) -> Vec<(K, Vec<T>)> {
    let mut groups: BTreeMap<K, (usize, Vec<T>)> = BTreeMap::new();
    for (key, one) in all {
        let place = groups.len();
        groups.entry(key).or_insert_with(|| (place, Vec::new())).1.push(one);
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_unstable_by_key(|(_, (place, _))| *place);
    groups.into_iter().map(|(key, (_, group))| (key, group)).collect()
}

/// Returns the last member of each key.
pub fn latest<K: Ord, T>(all: impl IntoIterator<Item = (K, T)>) -> Vec<T> {
    grouped(all).into_iter().filter_map(|(_, mut group)| group.pop()).collect()
}

/// Returns the groups of [`grouped`] without the keys.
pub fn together<K: Ord, T>(all: impl IntoIterator<Item = (K, T)>) -> Vec<Vec<T>> {
    grouped(all).into_iter().map(|(_, group)| group).collect()
}

/// Returns ascending numbers as stretches without a gap, each by its first and its last.
pub fn stretches(numbers: impl IntoIterator<Item = usize>) -> Vec<(usize, usize)> {
    let mut stretches: Vec<(usize, usize)> = Vec::new();
    for number in numbers {
        match stretches.last_mut().filter(|(_, last)| *last + 1 == number) {
            Some((_, last)) => *last = number,
            None => stretches.push((number, number)),
        }
    }
    stretches
}

/// Returns each member once, with its number of occurrences.
pub fn counted<T: Ord>(all: impl IntoIterator<Item = T>) -> Vec<(T, usize)> {
    grouped(all.into_iter().map(|one| (one, ()))).into_iter().map(|(one, times)| (one, times.len())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_met_first_stands_first() {
        let words = ["b", "a", "b", "c", "a", "b"];
        assert_eq!(distinct(words), ["b", "a", "c"]);
        assert_eq!(counted(words), [("b", 3), ("a", 2), ("c", 1)]);
        assert_eq!(together(words.into_iter().zip(0..)), [vec![0, 2, 5], vec![1, 4], vec![3]]);
        assert_eq!(stretches([0, 1, 2, 3, 8]), [(0, 3), (8, 8)]);
        assert_eq!(latest(words.into_iter().zip(0..)), [5, 4, 3]);
        assert_eq!(grouped([(1, 'x'), (2, 'y'), (1, 'z')]), [(1, vec!['x', 'z']), (2, vec!['y'])]);
    }
}
