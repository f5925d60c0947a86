//! What else used the machine while ranks ran that do not count it themselves.

use measure::usage::HostWatch;
use reports::states::Load;

/// Watches this host from its beginning on.
pub(crate) struct LoadWatch(HostWatch);

impl LoadWatch {
    /// From now on.
    pub(crate) fn begin() -> LoadWatch {
        LoadWatch(HostWatch::begin())
    }

    /// What matters of it, as a sentence; none where nothing does.
    pub(crate) fn sentence(&self) -> Option<String> {
        let others = self.0.others()?;
        let load = Load { others_cores: Some(others.programs), stolen_cores: Some(others.stolen), ..Load::default() };
        load.sentence()
    }
}
