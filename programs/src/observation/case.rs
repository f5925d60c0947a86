//! Cases, which are what is measured: a call, the ranks that make it, and the way in which it is timed. The time of a
//! measurement is an occasion.

use super::{Carrier, Conditions, World};
use crate::method::Method;
use models::call::Call;
use models::collective::{Collective, Counts, Shape};
use models::shared_broadcast::Queued;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Implementation of the operation under study.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Implementation {
    /// Our own algorithm of this name.
    Own(String),
    /// The message library's own call.
    Library,
    /// The message library's own call, made to use one of its algorithms, by the library's name.
    Forced(String),
    /// The message library's own call, in ranks that start under the variables of a tuning with this name.
    Tuned(String),
    /// Our broadcast through memory that all ranks share.
    Shared(Queued),
}

impl Implementation {
    /// The library's own choice, as it is asked for.
    pub const LIBRARY: &'static str = "library";
    /// Beginning of a forced algorithm, as it is asked for.
    pub const FORCED: &'static str = "library:";
    /// Beginning of a tuning, as it is asked for.
    pub const TUNED: &'static str = "tuned:";

    /// Returns the algorithm's name, or `library`.
    pub fn name(&self) -> &str {
        match self {
            Implementation::Own(name) => name,
            Implementation::Library => Implementation::LIBRARY,
            Implementation::Forced(name) | Implementation::Tuned(name) => name,
            Implementation::Shared(queued) => queued.name(),
        }
    }

    /// Returns the implementation as it is asked for: the name of one of our algorithms, `library`, `library:name`,
    /// `tuned:name`, or `shared:` with a queue.
    pub fn written(&self) -> String {
        match self {
            Implementation::Own(name) => name.clone(),
            Implementation::Library => Implementation::LIBRARY.to_owned(),
            Implementation::Forced(name) => format!("{}{name}", Implementation::FORCED),
            Implementation::Tuned(name) => format!("{}{name}", Implementation::TUNED),
            Implementation::Shared(queued) => queued.to_string(),
        }
    }

    /// Returns the queue in shared memory through which it passes, where no messages are exchanged.
    pub fn queued(&self) -> Option<&Queued> {
        match self {
            Implementation::Shared(queued) => Some(queued),
            Implementation::Own(_) | Implementation::Library | Implementation::Forced(_) | Implementation::Tuned(_) => {
                None
            }
        }
    }

    /// Returns true if the library's own call is made.
    pub fn is_library(&self) -> bool {
        match self {
            Implementation::Own(_) | Implementation::Shared(_) => false,
            Implementation::Library | Implementation::Forced(_) | Implementation::Tuned(_) => true,
        }
    }
}

/// A thing to be predicted and measured, on any occasion. Its display form is its name in messages; in files its three
/// parts are one flat object, in the order of their fields.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "FlatCase")]
pub struct Case {
    /// Ranks that run the case.
    #[serde(flatten)]
    pub place: CasePlace,
    /// Call that the case times.
    #[serde(flatten)]
    pub subject: CaseSubject,
    /// Way in which the call is timed.
    #[serde(flatten)]
    pub timing: CaseTiming,
}

/// Ranks that run a case, which can be started together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct CasePlace {
    /// World of the ranks: threads, processes of a library, or a simulation.
    pub world: World,
    /// Means by which their messages travel.
    pub carrier: Carrier,
    /// Number of ranks that run the case.
    pub ranks: u32,
}

/// Call that a case times.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct CaseSubject {
    /// Operation that the call carries out.
    pub collective: Collective,
    /// Algorithm that carries it out, or the library's call.
    pub implementation: Implementation,
    /// Root of the call, below the number of ranks.
    pub root: u32,
    /// Bytes of one rank's buffer, or of one block where the collective moves a block per rank; with uneven counts
    /// their mean, rounded up.
    pub bytes: u64,
    /// Length of segments in bytes, where messages are cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub segment_bytes: Option<u64>,
    /// Fanout, radix, number of chains or ways, where it is not the algorithm's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fanout: Option<u32>,
    /// Lengths of the blocks, where they are uneven.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counts: Option<Counts>,
    /// The form of the library's call, where it is not the plain one.
    #[serde(skip_serializing_if = "Call::is_plain")]
    pub call: Call,
}

/// Way in which the call of a case is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct CaseTiming {
    /// Method by which the time is obtained.
    pub method: Method,
    /// Number k of calls per timed loop.
    pub calls: u32,
    /// Conditions of the measurement, where they are not the usual ones.
    #[serde(skip_serializing_if = "Conditions::are_usual")]
    pub conditions: Conditions,
}

/// A case as files have it. Reading by way of it is as fast as reading any plain structure, while flattened parts would
/// be collected as untyped values first.
#[derive(Deserialize)]
struct FlatCase {
    world: World,
    carrier: Carrier,
    ranks: u32,
    collective: Collective,
    implementation: Implementation,
    root: u32,
    bytes: u64,
    #[serde(default)]
    segment_bytes: Option<u64>,
    #[serde(default)]
    fanout: Option<u32>,
    #[serde(default)]
    counts: Option<Counts>,
    #[serde(default)]
    call: Call,
    method: Method,
    calls: u32,
    #[serde(default)]
    conditions: Conditions,
}

impl From<FlatCase> for Case {
    fn from(flat: FlatCase) -> Case {
        let FlatCase { world, carrier, ranks, collective, implementation, root, bytes, .. } = flat;
        let FlatCase { segment_bytes, fanout, counts, call, method, calls, conditions, .. } = flat;
        Case {
            place: CasePlace { world, carrier, ranks },
            subject: CaseSubject { collective, implementation, root, bytes, segment_bytes, fanout, counts, call },
            timing: CaseTiming { method, calls, conditions },
        }
    }
}

impl Case {
    /// Returns the case with one thing changed.
    pub fn with(mut self, change: impl FnOnce(&mut Case)) -> Case {
        change(&mut self);
        self
    }

    /// Returns the case under other conditions.
    pub fn under(&self, conditions: Conditions) -> Case {
        self.clone().with(|case| case.timing.conditions = conditions)
    }

    /// Returns the case by another method.
    pub fn by(&self, method: Method) -> Case {
        self.clone().with(|case| case.timing.method = method)
    }

    /// Returns the shape of one call.
    pub fn shape(&self) -> Shape {
        Shape {
            ranks: self.place.ranks,
            root: self.subject.root,
            bytes: self.subject.bytes,
            segment_bytes: self.subject.segment_bytes.unwrap_or(0),
            fanout: self.subject.fanout.unwrap_or(0),
            counts: self.subject.counts,
        }
    }

    /// Returns the part of the case's name that it shares with all methods that are compared with each other.
    pub fn name_without_method(&self) -> String {
        let subject = format!(
            "{}/{}/{} ranks/{} {}/{} B/root {}",
            self.place.world.name(),
            self.place.carrier.name(),
            self.place.ranks,
            self.subject.call.name_of(self.subject.collective),
            self.implementation_name(),
            self.subject.bytes,
            self.subject.root
        );
        [subject, self.variant()].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("/")
    }

    /// Returns the name of the algorithm: our own by its name, the library's as `library` or `library's NAME`.
    pub fn implementation_name(&self) -> String {
        match &self.subject.implementation {
            Implementation::Own(name) => name.clone(),
            Implementation::Library => "library".to_owned(),
            Implementation::Forced(name) => format!("library's {name}"),
            Implementation::Tuned(name) => format!("library, tuned by {name}"),
            Implementation::Shared(queued) => queued.to_string(),
        }
    }

    /// Returns `, root 3`, where the root is another than rank 0; else nothing.
    pub fn and_root(&self) -> String {
        if self.subject.root == 0 { String::new() } else { format!(", root {}", self.subject.root) }
    }

    /// Returns [`Case::variant`] behind a comma, where there is any.
    pub fn and_variant(&self) -> String {
        Some(self.variant()).filter(|words| !words.is_empty()).map(|words| format!(", {words}")).unwrap_or_default()
    }

    /// Returns segments, fanout, counts, call and conditions in words, where the case sets them; else an empty text.
    pub fn variant(&self) -> String {
        let segments = self.subject.segment_bytes.map(|bytes| format!("segments of {bytes} B"));
        let fanout = self.subject.fanout.map(|fanout| format!("fanout {fanout}"));
        let counts = self.subject.counts.map(|counts| format!("counts {counts:?} B"));
        let call = Some(self.subject.call.variant()).filter(|words| !words.is_empty());
        let conditions = Some(self.timing.conditions.to_string()).filter(|words| !words.is_empty());
        [segments, fanout, counts, call, conditions].into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{} k={}", self.name_without_method(), self.timing.method, self.timing.calls)
    }
}
