//! Trees over positions 0 … P−1, with the order in which children are served. Nothing is stored.

/// The trees that algorithms climb up and down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tree {
    /// Every position but 0 is a child of 0.
    Flat,
    /// Chains of nearly equal length that hang from position 0 (Open MPI `chain`; one chain: `pipeline`).
    Chains {
        /// Number of chains, at least 1.
        chains: u32,
    },
    /// Children level by level: position v on level l has the children v + fanout^l·j, j = 1 … fanout. With fanout 2
    /// odd and even positions form the two halves (Open MPI's `ompi_coll_base_topo_build_tree`).
    Levels {
        /// Number of children, at least 2.
        fanout: u32,
    },
    /// Position v has the children fanout·v + j, j = 1 … fanout (Open MPI `coll/sm`, MPICH `kary`).
    Complete {
        /// Number of children, at least 2.
        fanout: u32,
    },
    /// A tree in which v's parent is v with its lowest non-zero digit to the base `radix` cleared (Open MPI `knomial`;
    /// radix 2: MPICH `binomial`).
    KNomial {
        /// Base of the digits, at least 2.
        radix: u32,
    },
    /// A tree in which v's parent is v with its highest bit cleared; the children are v + 2^i > 2·v, the nearest first
    /// (Open MPI's `ompi_coll_base_topo_build_bmtree`).
    Doubling,
    /// A binary tree whose post-order is 0, 1, …, P−1: combining children before the position itself keeps the order of
    /// ranks (Open MPI `in-order_binary`). Its top is position P−1.
    InOrder,
}

impl Tree {
    /// Returns the position of the tree's top.
    pub fn top(self, ranks: u32) -> u32 {
        match self {
            Tree::InOrder => ranks - 1,
            _ => 0,
        }
    }

    /// Returns the parent of a position; `None` for the top.
    #[inline]
    pub fn parent(self, position: u32, ranks: u32) -> Option<u32> {
        if position == self.top(ranks) {
            return None;
        }
        Some(match self {
            Tree::Flat => 0,
            Tree::Chains { chains } => {
                if chain_of(position, chains, ranks).0 == position {
                    0
                } else {
                    position - 1
                }
            }
            Tree::Levels { fanout } => {
                let (start, size) = level_above(position, fanout);
                (u64::from(position) - start).rem_euclid(size) as u32 + start as u32
            }
            Tree::Complete { fanout } => (position - 1) / fanout,
            Tree::KNomial { radix } => position - lowest_digit(position, radix),
            Tree::Doubling => position - (1 << position.ilog2()),
            Tree::InOrder => in_order_path(position, ranks).0,
        })
    }

    /// Returns child number `index` of a position, in the order in which the parent sends to them; `None` past the
    /// last.
    #[inline]
    pub fn child(self, position: u32, index: u32, ranks: u32) -> Option<u32> {
        match self {
            Tree::Flat => (position == 0 && index < ranks - 1).then_some(index + 1),
            Tree::Chains { chains } => chain_child(position, index, chains, ranks),
            Tree::Levels { fanout } => {
                let size = level_size(position, fanout);
                let child = u64::from(position) + size * (u64::from(index) + 1);
                (index < fanout && child < u64::from(ranks)).then_some(child as u32)
            }
            Tree::Complete { fanout } => {
                let child = u64::from(fanout) * u64::from(position) + u64::from(index) + 1;
                (index < fanout && child < u64::from(ranks)).then_some(child as u32)
            }
            Tree::KNomial { radix } => knomial_child(position, index, radix, ranks),
            Tree::Doubling => doubling_child(position, index, ranks),
            Tree::InOrder => {
                let (_, low, high) = in_order_path(position, ranks);
                in_order_children(low, high)[index.min(2) as usize]
            }
        }
    }

    /// Returns the number of children of a position.
    #[inline]
    pub fn children(self, position: u32, ranks: u32) -> u32 {
        match self {
            Tree::Flat => {
                if position == 0 {
                    ranks - 1
                } else {
                    0
                }
            }
            _ => (0..).take_while(|&index| self.child(position, index, ranks).is_some()).count() as u32,
        }
    }

    /// Returns the position that comes `index`-th when every parent comes before its children.
    #[inline]
    pub fn parents_first(self, index: u32, ranks: u32) -> u32 {
        match self {
            Tree::InOrder => ranks - 1 - index,
            _ => index,
        }
    }

    /// Returns true where a position receives from its children in the opposite order of its sends: the smallest
    /// subtree is ready first.
    pub fn receives_backwards(self) -> bool {
        matches!(self, Tree::KNomial { .. } | Tree::Doubling)
    }

    /// Returns the number of positions in the subtree below (and with) a position of a k-nomial tree: they are
    /// consecutive.
    #[inline]
    pub(crate) fn knomial_subtree(position: u32, radix: u32, ranks: u32) -> u32 {
        if position == 0 {
            return ranks;
        }
        let digit = u64::from(lowest_power(position, radix));
        digit.min(u64::from(ranks - position)) as u32
    }
}

/// Returns head and end (exclusive) of the chain that a position ≥ 1 is on.
#[inline]
fn chain_of(position: u32, chains: u32, ranks: u32) -> (u32, u32) {
    let chains = chains.clamp(1, (ranks - 1).max(1));
    let (short, longer) = ((ranks - 1) / chains, (ranks - 1) % chains);
    let (index, in_longer) = (position - 1, longer * (short + 1));
    let (head, length) = if index < in_longer {
        (index / (short + 1) * (short + 1), short + 1)
    } else {
        (in_longer + (index - in_longer) / short * short, short)
    };
    (head + 1, head + 1 + length)
}

#[inline]
fn chain_child(position: u32, index: u32, chains: u32, ranks: u32) -> Option<u32> {
    if position > 0 {
        return (index == 0 && position + 1 < chain_of(position, chains, ranks).1).then_some(position + 1);
    }
    let chains = chains.clamp(1, (ranks - 1).max(1)).min(ranks - 1);
    if index >= chains {
        return None;
    }
    let (short, longer) = ((ranks - 1) / chains, (ranks - 1) % chains);
    Some(1 + index * short + index.min(longer))
}

/// Returns the number of positions on the level of `position`: fanout^level.
fn level_size(position: u32, fanout: u32) -> u64 {
    let (mut start, mut size) = (0u64, 1u64);
    while u64::from(position) >= start + size {
        start += size;
        size *= u64::from(fanout);
    }
    size
}

/// Returns first position and size of the level above that of `position` ≥ 1.
fn level_above(position: u32, fanout: u32) -> (u64, u64) {
    let size = level_size(position, fanout) / u64::from(fanout);
    ((size - 1) / (u64::from(fanout) - 1), size)
}

/// Returns radix^i for the lowest non-zero digit i of `position` ≥ 1.
#[inline]
fn lowest_power(position: u32, radix: u32) -> u32 {
    if radix == 2 {
        return 1 << position.trailing_zeros();
    }
    let mut power = 1;
    while (position / power).is_multiple_of(radix) {
        power *= radix;
    }
    power
}

#[inline]
fn lowest_digit(position: u32, radix: u32) -> u32 {
    let power = lowest_power(position, radix);
    position / power % radix * power
}

/// Returns a child, with the largest powers first and within a power the digits 1 … radix − 1.
#[inline]
fn knomial_child(position: u32, index: u32, radix: u32, ranks: u32) -> Option<u32> {
    let radix = u64::from(radix);
    let room = u64::from(ranks - position);
    let limit = if position == 0 { u64::from(ranks) } else { u64::from(lowest_power(position, radix as u32)) };
    let mut power = 1;
    while power * radix < limit && power * radix < room {
        power *= radix;
    }
    let mut index = u64::from(index);
    while power > 0 && power < limit {
        let here = if power < room { (radix - 1).min((room - 1) / power) } else { 0 };
        if index < here {
            return Some((u64::from(position) + (index + 1) * power) as u32);
        }
        index -= here;
        power /= radix;
    }
    None
}

#[inline]
fn doubling_child(position: u32, index: u32, ranks: u32) -> Option<u32> {
    let first = if position == 0 { 0 } else { position.ilog2() + 1 };
    let child = u64::from(position) + 1_u64.checked_shl(first + index)?;
    (child < u64::from(ranks)).then_some(child as u32)
}

/// Returns left and right child of the subtree that covers `low` … `high`, whose top is `high`.
fn in_order_children(low: u32, high: u32) -> [Option<u32>; 3] {
    let below = high - low;
    let left = below.div_ceil(2);
    match below {
        0 => [None; 3],
        1 => [Some(high - 1), None, None],
        _ => [Some(low + left - 1), Some(high - 1), None],
    }
}

/// Returns parent of `position` (itself for the top) and the range that its subtree covers.
fn in_order_path(position: u32, ranks: u32) -> (u32, u32, u32) {
    let (mut parent, mut low, mut high) = (ranks - 1, 0, ranks - 1);
    while high != position {
        parent = high;
        let left = low + (high - low).div_ceil(2);
        (low, high) = if position < left { (low, left - 1) } else { (left, high - 1) };
    }
    (parent, low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TREES: [Tree; 14] = [
        Tree::Flat,
        Tree::Chains { chains: 1 },
        Tree::Chains { chains: 4 },
        Tree::Chains { chains: 7 },
        Tree::Levels { fanout: 2 },
        Tree::Levels { fanout: 3 },
        Tree::Complete { fanout: 2 },
        Tree::Complete { fanout: 4 },
        Tree::KNomial { radix: 2 },
        Tree::KNomial { radix: 3 },
        Tree::KNomial { radix: 4 },
        Tree::KNomial { radix: 9 },
        Tree::Doubling,
        Tree::InOrder,
    ];

    #[test]
    fn parents_and_children_agree_and_everybody_hangs_from_the_top() {
        for tree in TREES {
            for ranks in 1..=70 {
                let mut children = 0;
                for position in 0..ranks {
                    for index in 0..tree.children(position, ranks) {
                        let child = tree.child(position, index, ranks).unwrap();
                        assert_eq!(tree.parent(child, ranks), Some(position), "{tree:?} {ranks}: child {child}");
                        children += 1;
                    }
                }
                assert_eq!(children, ranks - 1, "{tree:?} {ranks}");
                let order: Vec<u32> = (0..ranks).map(|index| tree.parents_first(index, ranks)).collect();
                for (at, &position) in order.iter().enumerate() {
                    let parent = tree.parent(position, ranks);
                    assert_eq!(parent.is_none(), at == 0, "{tree:?} {ranks}");
                    assert!(parent.is_none_or(|parent| order[..at].contains(&parent)), "{tree:?} {ranks} {position}");
                }
            }
        }
    }

    #[test]
    fn binomial_children_come_largest_subtree_first_and_subtrees_are_consecutive() {
        let tree = Tree::KNomial { radix: 2 };
        let children: Vec<u32> = (0..tree.children(0, 13)).map(|i| tree.child(0, i, 13).unwrap()).collect();
        assert_eq!(children, [8, 4, 2, 1]);
        assert_eq!([1, 2, 4, 8, 12].map(|v| Tree::knomial_subtree(v, 2, 13)), [1, 2, 4, 5, 1]);
    }

    #[test]
    fn a_tree_by_doubling_is_the_binomial_one_with_the_bits_of_positions_reversed() {
        for bits in 0..=7 {
            let reversed = |position: u32| if bits == 0 { 0 } else { position.reverse_bits() >> (32 - bits) };
            for position in 1..1 << bits {
                let there = Tree::KNomial { radix: 2 }.parent(reversed(position), 1 << bits).map(reversed);
                assert_eq!(Tree::Doubling.parent(position, 1 << bits), there, "{position} of {bits} bits");
            }
        }
        let children = |position| -> Vec<u32> {
            (0..Tree::Doubling.children(position, 13)).map(|i| Tree::Doubling.child(position, i, 13).unwrap()).collect()
        };
        assert_eq!([children(0), children(1), children(3)], [vec![1, 2, 4, 8], vec![3, 5, 9], vec![7, 11]]);
    }

    #[test]
    fn the_halves_of_a_binary_tree_by_levels_are_the_odd_and_the_even_positions() {
        let tree = Tree::Levels { fanout: 2 };
        for position in 3..64 {
            assert_eq!(tree.parent(position, 64).unwrap() % 2, position % 2);
        }
    }

    #[test]
    fn the_in_order_tree_has_logarithmic_depth() {
        for ranks in 1..200u32 {
            let depth = |mut v: u32| {
                let mut depth = 0;
                while let Some(parent) = Tree::InOrder.parent(v, ranks) {
                    v = parent;
                    depth += 1;
                }
                depth
            };
            assert!((0..ranks).map(depth).max().unwrap() <= ranks.ilog2() + 1, "{ranks}");
        }
    }
}
