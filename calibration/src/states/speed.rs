//! Speeds of the cores of ranks, by their times for the same work.
//!
//! A core that shares its units with a program of another virtual machine runs more slowly, for milliseconds or
//! seconds, and no counter of this machine shows it. Ranks of one case may be of unequal speed for good, and many ranks
//! may slow each other down: each is compared with its own full speed among as many ranks.

use super::classes::{Class, class_of, classes};
use super::moment::moments;
use programs::machine::WORK_ALIKE;
use programs::observation::{MachineLook, Surrounded};
use statistics::median;
use std::collections::BTreeMap;

/// Number of ranks of the case, and number of the rank.
type CaseRank = (u32, u32);

/// Speeds at which a campaign's ranks ran.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Speeds {
    /// Time of the work at full speed, in ns, by place.
    full_ns: BTreeMap<CaseRank, f64>,
    /// Slowdowns of cores that did not run at full speed, in classes.
    slowed: Vec<Class>,
}

impl Speeds {
    /// Finds the speeds of these cases.
    pub(super) fn from_observations<'a, O: Surrounded + 'a>(
        observations: impl Iterator<Item = &'a O> + Clone,
    ) -> Speeds {
        let mut works: BTreeMap<CaseRank, Vec<f64>> = BTreeMap::new();
        for observation in observations.clone() {
            for one in observation.surroundings() {
                let of_rank = works.entry((observation.case().place.ranks, one.rank)).or_default();
                of_rank.extend(one.looks.iter().map(|looked| looked.look.work.as_ns()));
            }
        }
        // The fastest class, which excludes single values; the median where there are too few for classes.
        let fastest = |works: &[f64]| classes(works).first().map(|class| class.middle).or_else(|| median(works));
        let full_ns = works.iter().filter_map(|(place, works)| Some((*place, fastest(works)?))).collect();
        let mut speeds = Speeds { full_ns, slowed: Vec::new() };
        let by_moment = |one: &O| {
            let slower =
                moments(&one.surroundings()).into_iter().map(|looks| speeds.slower(one.case().place.ranks, &looks));
            slower.filter(|&slower| slower > WORK_ALIKE).collect::<Vec<f64>>()
        };
        let slower: Vec<f64> = observations.flat_map(by_moment).collect();
        speeds.slowed = classes(&slower);
        speeds
    }

    /// Returns the slowdown of the slowest of these ranks against its full speed, at least 1.
    pub(super) fn slower(&self, ranks: u32, looks: &[(u32, MachineLook)]) -> f64 {
        let one = |(rank, look): &(u32, MachineLook)| {
            self.full_ns.get(&(ranks, *rank)).map_or(1.0, |full| look.work.as_ns() / full)
        };
        looks.iter().map(one).fold(1.0, f64::max)
    }

    /// Returns the class of a speed, where 0 is full speed; `None` between classes.
    pub(super) fn class(&self, slower: f64) -> Option<usize> {
        if slower <= WORK_ALIKE { Some(0) } else { class_of(slower, &self.slowed).map(|place| place + 1) }
    }

    /// Returns the slowdown of cores of this class.
    pub(super) fn slower_of(&self, class: usize) -> f64 {
        class.checked_sub(1).map_or(1.0, |place| self.slowed[place].middle)
    }
}
