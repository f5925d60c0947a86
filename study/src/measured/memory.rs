//! Memory of each group of ranks, from probes of its ranks in all launches.

use super::GroupMemory;
use programs::memory::{Moment, Probe};
use programs::observation::World;
use render::groups::distinct;
use scenario::store::{CampaignLines, LaunchEnd, LaunchMemory};
use statistics::median;

/// Returns the memory of each group of ranks, in the order in which they were started.
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

/// Returns the probe taken once the library was initialised. For threads, which have none, returns the last one.
fn after_init(rank: &[Probe]) -> Option<&Probe> {
    rank.iter().find(|probe| probe.moment == Moment::AfterInit).or(rank.last())
}

/// Returns the median in MB of those probes whose memory the system reports.
fn middle<'a>(probes: impl Iterator<Item = Option<&'a Probe>>) -> Option<f64> {
    let kib = probes.filter_map(|probe| Some(probe?.resident?.rss_kib as f64));
    median(&kib.collect::<Vec<_>>()).map(|kib| kib * 1024.0 / 1e6)
}
