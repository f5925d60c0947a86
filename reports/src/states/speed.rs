//! How fast the cores of ranks run, by what they take for the same work.
//!
//! A core that shares its units with a program of another virtual machine runs more slowly, for milliseconds or seconds, and
//! no counter of this machine shows it. Ranks of one case may be of unequal speed for good, and many ranks may slow each
//! other down: each is held against its own full speed among as many ranks.

use super::classes::{Class, class_of, classes};
use super::moment::moments;
use models::machine::WORK_ALIKE;
use models::observation::{Look, Observation};
use statistics::median;
use std::collections::BTreeMap;

/// A rank's place: among so many ranks, and which.
type Place = (u32, u32);

/// The speeds at which a campaign's ranks ran.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Speeds {
    /// By place, how long its work takes at full speed, in ns.
    full_ns: BTreeMap<Place, f64>,
    /// How many times as slowly cores ran, where they did not run at full speed.
    slowed: Vec<Class>,
}

impl Speeds {
    /// Of these cases.
    pub(super) fn of<'a>(observations: impl Iterator<Item = &'a Observation> + Clone) -> Speeds {
        let mut works: BTreeMap<Place, Vec<f64>> = BTreeMap::new();
        for observation in observations.clone() {
            for record in &observation.ranks {
                let of_rank = works.entry((observation.case.place.ranks, record.rank)).or_default();
                of_rank.extend(record.looks.iter().map(|looked| looked.look.work.as_ns()));
            }
        }
        // The fastest that are no single ones; of a few the median.
        let fastest = |works: &[f64]| classes(works).first().map(|class| class.middle).or_else(|| median(works));
        let full_ns = works.iter().filter_map(|(place, works)| Some((*place, fastest(works)?))).collect();
        let mut speeds = Speeds { full_ns, slowed: Vec::new() };
        let by_moment = |one: &Observation| {
            let slower = moments(one).map(|looks| speeds.slower(one.case.place.ranks, looks));
            slower.filter(|&slower| slower > WORK_ALIKE).collect::<Vec<f64>>()
        };
        let slower: Vec<f64> = observations.flat_map(by_moment).collect();
        speeds.slowed = classes(&slower);
        speeds
    }

    /// How many times as slowly as at full speed the slowest of these ranks ran.
    pub(super) fn slower<'a>(&self, ranks: u32, looks: impl Iterator<Item = (u32, &'a Look)>) -> f64 {
        let one =
            |(rank, look): (u32, &Look)| self.full_ns.get(&(ranks, rank)).map_or(1.0, |full| look.work.as_ns() / full);
        looks.map(one).fold(1.0, f64::max)
    }

    /// The class of a speed: 0 is full speed; none between classes.
    pub(super) fn class(&self, slower: f64) -> Option<usize> {
        if slower <= WORK_ALIKE { Some(0) } else { class_of(slower, &self.slowed).map(|place| place + 1) }
    }

    /// How many times as slowly cores of this class run.
    pub(super) fn slower_of(&self, class: usize) -> f64 {
        class.checked_sub(1).map_or(1.0, |place| self.slowed[place].middle)
    }
}
