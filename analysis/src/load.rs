//! Other load on the machine while ranks ran that do not count it themselves.

use calibration::states::Load;
use measure::usage::HostWatch;

/// Watch of the other load on this host since its beginning.
pub(crate) struct LoadWatch(HostWatch);

impl LoadWatch {
    pub(crate) fn begin() -> LoadWatch {
        LoadWatch(HostWatch::begin())
    }

    /// Returns a sentence on the other load, or `None` where it does not matter.
    pub(crate) fn sentence(&self) -> Option<String> {
        let others = self.0.others()?;
        let load = Load { others_cores: Some(others.programs), stolen_cores: Some(others.stolen), ..Load::default() };
        load.sentence()
    }
}
