//! What ranks are asked.

use crate::detours::{Labour, Recording};
use models::calibration::{CalibrationSettings, Exploration};
use models::detours::Working;
use models::forced;
use models::memory::MemoryTest;
use models::meters::Meter;
use models::method::{MethodSettings, Order};
use models::observation::{Case, World};
use models::point_to_point::Test;
use models::shared_broadcast::Queued;
use models::sync::TrialSettings;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// One piece of a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Task {
    /// Exchange messages from which parameters can be fitted.
    Calibrate(CalibrationSettings),
    /// Time waits of known duration by windows.
    CheckClocks(MethodSettings),
    /// Try clock synchronisations.
    CompareSync(TrialSettings),
    /// Find out what the clock is worth that ranks read.
    ReportCard,
    /// Compare every byte that collectives move with what their operation demands.
    Check,
    /// The same for the library's calls in every form.
    CheckCalls {
        /// Of these operations, by the names that [`Call::find`](models::call::Call::find) knows; of all, if none is named.
        operations: Vec<String>,
    },
    /// The same for what one order calls: to be done before it is measured.
    CheckCase {
        /// Its key.
        case: Case,
        /// What is called.
        order: Box<Order>,
    },
    /// The same for broadcasts through shared memory, one after the other, with roots and lengths that change.
    CheckShared {
        /// Through which queue.
        queued: Queued,
        /// How many.
        broadcasts: u32,
        /// Of roots and lengths.
        seed: u64,
    },
    /// Carry out an order and record it under a case.
    Measure {
        /// Its key.
        case: Case,
        /// What the ranks do.
        order: Box<Order>,
    },
    /// Exchange messages between two ranks.
    PointToPoint(Test),
    /// Look at memory before and after the use of operations.
    Memory(MemoryTest),
    /// Find out about what network models leave out.
    Explore(Exploration),
    /// Record detours, into files.
    Record(Recording),
    /// Work between synchronisations.
    Work(Labour),
    /// Do something that programs do, again and again.
    Meter(Meter),
}

impl Task {
    /// True if the library is made to use one of its algorithms.
    pub fn forces(&self) -> bool {
        self.order().is_some_and(|order| order.forced().next().is_some())
    }

    /// Environment variables that must be there when ranks of a world start, so that its library can be made to use what this asks for.
    pub fn environment(&self, world: World) -> BTreeMap<String, String> {
        let forced = self.order().into_iter().flat_map(Order::forced);
        forced.flat_map(|(collective, call, name)| forced::environment(world, collective, &call, name)).collect()
    }

    /// What is called and how, where the task is about one order.
    pub(super) fn order(&self) -> Option<&Order> {
        match self {
            Task::Measure { order, .. } | Task::CheckCase { order, .. } => Some(order),
            Task::Calibrate(_)
            | Task::CheckClocks(_)
            | Task::Check
            | Task::CheckCalls { .. }
            | Task::CheckShared { .. }
            | Task::CompareSync(_)
            | Task::ReportCard
            | Task::PointToPoint(_)
            | Task::Memory(_)
            | Task::Explore(_)
            | Task::Record(_)
            | Task::Work(_)
            | Task::Meter(_) => None,
        }
    }
}

impl Task {
    /// How long ranks are busy with nothing but this, where that is known before.
    pub fn lasts(&self) -> Duration {
        match self {
            Task::Record(recording) => recording.collection.time.into(),
            // Noise may make it several times as long.
            Task::Work(labour) => {
                let Working { grains, time } = &labour.working;
                Duration::from(*time) * 4 * grains.len() as u32
            }
            _ => Duration::ZERO,
        }
    }
}
