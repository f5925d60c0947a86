//! From looks at the memory of ranks to a number for each group of them.

use super::GroupMemory;
use programs::memory::{Moment, Probe};
use programs::observation::World;
use render::groups::distinct;
use scenario::store::{CampaignLines, LaunchEnd, LaunchMemory};
use statistics::median;

/// One for each group of ranks, in the order in which they were started.
pub(super) fn memory(lines: CampaignLines<'_>) -> Vec<GroupMemory> {
    let looks: Vec<&LaunchMemory> = lines.memory().collect();
    let of = |(world, ranks): (World, usize)| {
        let own = |when: LaunchEnd| looks.iter().filter(move |look| group(look) == (world, ranks) && look.when == when);
        let probes = |when| own(when).flat_map(|look| &look.ranks);
        GroupMemory {
            world,
            ranks: ranks as u32,
            begin_mb: middle(probes(LaunchEnd::Begin).map(|rank| after_init(rank))),
            end_mb: middle(probes(LaunchEnd::End).map(|rank| rank.last())),
        }
    };
    distinct(looks.iter().map(|look| group(look))).into_iter().map(of).collect()
}

fn group(look: &LaunchMemory) -> (World, usize) {
    (look.world, look.ranks.len())
}

/// What was there once the library was initialised; of threads, which have none, what there was at all.
fn after_init(rank: &[Probe]) -> Option<&Probe> {
    rank.iter().find(|probe| probe.moment == Moment::AfterInit).or(rank.last())
}

/// The median in MB of those looks of which the system says it.
fn middle<'a>(probes: impl Iterator<Item = Option<&'a Probe>>) -> Option<f64> {
    let kib = probes.filter_map(|probe| Some(probe?.resident?.rss_kib as f64));
    median(&kib.collect::<Vec<_>>()).map(|kib| kib * 1024.0 / 1e6)
}
