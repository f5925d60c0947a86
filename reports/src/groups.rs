//! Lists in the order in which things are first met: each once, or with all that belongs to it.

/// Each once.
pub fn distinct<T: PartialEq>(all: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut known = Vec::new();
    for one in all {
        if !known.contains(&one) {
            known.push(one);
        }
    }
    known
}

/// Each key once, with all that stands under it.
pub fn grouped<K: PartialEq, T>(all: impl IntoIterator<Item = (K, T)>) -> Vec<(K, Vec<T>)> {
    let mut groups: Vec<(K, Vec<T>)> = Vec::new();
    for (key, one) in all {
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, group)) => group.push(one),
            None => groups.push((key, vec![one])),
        }
    }
    groups
}

/// [`grouped`] without the keys.
pub fn together<K: PartialEq, T>(all: impl IntoIterator<Item = (K, T)>) -> Vec<Vec<T>> {
    grouped(all).into_iter().map(|(_, group)| group).collect()
}

/// Each once, with how often it is there.
pub fn counted<T: PartialEq>(all: impl IntoIterator<Item = T>) -> Vec<(T, usize)> {
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
        assert_eq!(grouped([(1, 'x'), (2, 'y'), (1, 'z')]), [(1, vec!['x', 'z']), (2, vec!['y'])]);
    }
}
