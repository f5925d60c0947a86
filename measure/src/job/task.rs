//! Tasks of ranks.

use crate::detours::{Labour, Recording};
use models::forced;
use models::shared_broadcast::Queued;
use programs::calibration::{CalibrationSettings, Exploration};
use programs::detours::Working;
use programs::memory::MemoryTest;
use programs::meters::Meter;
use programs::method::{MethodSettings, Order};
use programs::observation::{Case, World};
use programs::point_to_point::Test;
use programs::sync::TrialSettings;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// One task of a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Task {
    /// Exchange messages from which parameters can be fitted.
    Calibrate(CalibrationSettings),
    /// Time waits of known duration by windows.
    CheckClocks(MethodSettings),
    /// Try clock synchronisations and record their trials.
    CompareSync(TrialSettings),
    /// Find out what the clock is worth that ranks read.
    ReportCard,
    /// Compare every byte that collectives move with what their operation demands.
    Check,
    /// Compare every byte that the library's calls move, in every form.
    CheckCalls {
        /// Names of the operations, as [`Call::find`](models::call::Call::find) knows them. All operations, if empty.
        operations: Vec<String>,
    },
    /// Compare every byte that one order's calls move, before the order is measured.
    CheckCase {
        /// Case that the order belongs to.
        case: Case,
        /// Order whose calls are checked.
        order: Box<Order>,
    },
    /// Compare every byte of broadcasts through shared memory, one after the other, with roots and lengths that change.
    CheckShared {
        /// Queue that the broadcasts take.
        queued: Queued,
        /// Number of broadcasts to make.
        broadcasts: u32,
        /// Seed of the draws of roots and lengths.
        seed: u64,
    },
    /// Carry out an order and record it under a case.
    Measure {
        /// Case that the record belongs to.
        case: Case,
        /// Order that the ranks carry out.
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
    /// Work between synchronisations, on ranks that stay on CPUs.
    Work(Labour),
    /// Do one of the things that programs do, again and again.
    Meter(Meter),
}

impl Task {
    /// Returns true if the library is made to use one of its algorithms, or is tuned.
    pub fn forces(&self) -> bool {
        self.order().is_some_and(|order| order.forced().next().is_some() || !order.environment.is_empty())
    }

    /// Returns the environment variables that must be set when ranks of a world start, so that its library can be made
    /// to use the algorithm of this task, or is tuned.
    pub fn environment(&self, world: World) -> BTreeMap<String, String> {
        let Some(order) = self.order() else { return BTreeMap::new() };
        let forced = order.forced();
        let forced = forced.flat_map(|(collective, call, name)| forced::environment(world, collective, &call, name));
        order.environment.clone().into_iter().chain(forced).collect()
    }

    /// Order that the task is about, if it is about one.
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
    /// Returns the time for which ranks are busy with nothing but this task, zero where that is not known before.
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
