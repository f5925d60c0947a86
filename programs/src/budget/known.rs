//! Configurations that have names: the reference, everything wrong, benchmarks, methods.

use super::{Clocks, Configuration, Entry, Gap, Repeats, Starts};
use crate::aggregation::{Aggregation, First, OverRanks, OverSamples};
use crate::method::{Buffer, FirstCall, Method, OneDelay, Preset, RootChoice, Rotation};
use crate::observation::Counted;
use crate::sync::Sync;

/// Wait that costs nothing, or whose cost is left out.
const FREE: Gap = Gap { costs: false, starts: Starts::RoundTime, rules: None, window: None };
/// Clocks with all their errors, synchronised by the caller's algorithm.
const AS_THEY_ARE: Clocks = Clocks::AsTheyAre { sync: None };

impl Configuration {
    /// Returns the configuration that numbers are held against: the slowest rank's time of a call from a common start,
    /// the median of many, with the buffers in a named state.
    pub fn reference(buffer: Buffer) -> Configuration {
        let perfect = Configuration::perfect();
        let aggregation = Aggregation { samples: OverSamples::Median, ..perfect.aggregation };
        Configuration { name: "reference".to_owned(), aggregation, buffer, ..perfect }
    }

    /// Returns a call timed as well as it can be by simulated ranks, on buffers in no cache: its mean holds a first
    /// call, too, where that is counted.
    pub fn perfect() -> Configuration {
        Configuration {
            name: "perfect".to_owned(),
            first_call: FirstCall::Apart,
            aggregation: Aggregation {
                first: First::Ranks,
                ranks: OverRanks::Max,
                // A median would hide the first call.
                samples: OverSamples::Mean,
                counted: Counted::FromFirstStart,
            },
            root: RootChoice::Fixed,
            buffer: Buffer::Pool,
            entry: Entry::Announced,
            repeats: Repeats::Apart,
            clocks: Clocks::Perfect,
            gap: FREE,
            barrier_inside: false,
            delay: None,
            element: None,
        }
    }

    /// Returns a configuration with every error that there is.
    pub fn worst() -> Configuration {
        let perfect = Configuration::perfect();
        Configuration {
            name: "all errors".to_owned(),
            first_call: FirstCall::Included,
            aggregation: Aggregation { ranks: OverRanks::RankZero, ..perfect.aggregation },
            root: RootChoice::Rotating,
            buffer: Buffer::Same,
            entry: Entry::Barrier,
            repeats: Repeats::Loop,
            clocks: AS_THEY_ARE,
            gap: Gap { costs: true, ..FREE },
            barrier_inside: true,
            delay: Some(OneDelay::default()),
            element: None,
        }
    }

    /// Returns the configuration of a benchmark for one of the columns that it prints, as [`Preset::column`] finds
    /// them.
    ///
    /// # Errors
    /// Lists the benchmark's columns.
    pub fn preset(preset: Preset, column: Option<&str>) -> Result<Configuration, String> {
        let aggregation = preset.column(column)?.aggregation;
        let wait = |starts| Gap { costs: true, starts, rules: Some(preset), window: None };
        let (entry, repeats, gap, sync) = match preset {
            Preset::Imb | Preset::Osu | Preset::Pico => (Entry::Barrier, Repeats::Apart, FREE, None),
            Preset::Mpptest | Preset::Imb3 | Preset::Mpibench | Preset::NcclTests => {
                (Entry::Announced, Repeats::Loop, FREE, None)
            }
            Preset::Skampi => (Entry::Announced, Repeats::Apart, wait(Starts::Window), Some(Sync::Skampi)),
            Preset::Mpiperf | Preset::MpiperfPaper => {
                (Entry::Announced, Repeats::Apart, wait(Starts::Window), Some(Sync::Linear))
            }
            Preset::Reprompi => (Entry::Announced, Repeats::Apart, wait(Starts::RoundTime), Some(Sync::Hca3)),
        };
        Ok(Configuration {
            name: column.map_or(preset.name().to_owned(), |head| format!("{}:{head}", preset.name())),
            first_call: preset.first_call(),
            aggregation,
            root: preset.root(),
            buffer: preset.buffer(),
            entry,
            repeats,
            clocks: Clocks::AsTheyAre { sync },
            gap,
            barrier_inside: preset.barrier_inside(),
            delay: preset.delay(),
            element: preset.element(),
        })
    }

    /// Returns the reference's number, obtained by another method with the clocks that there are, always on the same
    /// buffer. `None` for [`Method::LoopTrace`], which prints nothing.
    pub(crate) fn by_method(method: Method) -> Option<Configuration> {
        let reference = Configuration::reference(Buffer::Same);
        let waits = |starts| Gap { costs: true, starts, ..FREE };
        let base = Configuration { name: method.name().to_owned(), clocks: AS_THEY_ARE, ..reference };
        Some(match method {
            Method::Loop => Configuration { repeats: Repeats::Loop, ..base },
            Method::BarrierLoop => Configuration { entry: Entry::Barrier, ..base },
            Method::BarrierSubtract => Configuration { repeats: Repeats::LoopLessBarriers, ..base },
            Method::RootRotation => match Rotation::default() {
                Rotation::Loop => Configuration { repeats: Repeats::Loop, root: RootChoice::Rotating, ..base },
                Rotation::BarrierLoop => Configuration { entry: Entry::Barrier, root: RootChoice::Rotating, ..base },
            },
            Method::Window => Configuration { gap: waits(Starts::Window), ..base },
            Method::RoundTime => Configuration { gap: waits(Starts::RoundTime), ..base },
            Method::BarrierOwn => Configuration { entry: Entry::OwnBarrier, ..base },
            Method::BarrierInside => Configuration { repeats: Repeats::Loop, barrier_inside: true, ..base },
            Method::LoopTrace => return None,
        })
    }
}
