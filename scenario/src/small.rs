//! Small form of a scenario, as its table `[small]` specifies it.

use super::Scenario;
use crate::expect::Small;
use programs::method::StopRule;

impl Scenario {
    /// Returns the scenario with fewer repeats, without the cases that need more ranks, launches or calls per loop.
    #[must_use]
    pub fn small(mut self) -> Scenario {
        let small = self.told.small.clone();
        self.samples = Small::least(small.samples, self.samples);
        if let StopRule::Counts { valid, .. } = &mut self.window.stop {
            *valid = Small::least(small.valid, *valid);
        }
        self.launches = Small::least(small.launches, self.launches);
        self.calls.retain(|&calls| Small::keeps(small.most_calls, calls));
        self.groups.retain(|group| {
            let world = small.worlds.as_ref().is_none_or(|worlds| worlds.contains(&group.world));
            world && Small::keeps(small.most_ranks, group.ranks) && group.occasion.launch < self.launches
        });
        for group in &mut self.groups {
            group.cases.retain(|case| Small::keeps(small.most_calls, case.timing.calls));
        }
        self.groups.retain(|group| group.waits || !group.cases.is_empty());
        self
    }
}
