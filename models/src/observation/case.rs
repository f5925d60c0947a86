//! What is measured: what is run, where, and how. When it is measured is an occasion.

use super::{Carrier, Conditions, World};
use crate::call::Call;
use crate::collective::{Collective, Counts, Shape};
use crate::method::Method;
use crate::shared_broadcast::Queued;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Who implements the operation under study.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Implementation {
    /// One of our algorithms, by name.
    Own(String),
    /// The message library's own call.
    Library,
    /// The message library's own call, made to use one of its algorithms, by the library's name.
    Forced(String),
    /// Our broadcast through memory that all ranks share.
    Shared(Queued),
}

impl Implementation {
    /// The algorithm's name, or `library`.
    pub fn name(&self) -> &str {
        match self {
            Implementation::Own(name) => name,
            Implementation::Library => "library",
            Implementation::Forced(name) => name,
            Implementation::Shared(queued) => queued.name(),
        }
    }

    /// As it is asked for: the name of one of our algorithms, `library`, `library:name`, or `shared:` with a queue.
    pub fn written(&self) -> String {
        match self {
            Implementation::Own(name) => name.clone(),
            Implementation::Library => "library".to_owned(),
            Implementation::Forced(name) => format!("library:{name}"),
            Implementation::Shared(queued) => queued.to_string(),
        }
    }

    /// The queue in shared memory through which it passes, where no messages are exchanged.
    pub fn queued(&self) -> Option<&Queued> {
        match self {
            Implementation::Shared(queued) => Some(queued),
            Implementation::Own(_) | Implementation::Library | Implementation::Forced(_) => None,
        }
    }

    /// True if the library's own call is made.
    pub fn is_library(&self) -> bool {
        match self {
            Implementation::Own(_) | Implementation::Shared(_) => false,
            Implementation::Library | Implementation::Forced(_) => true,
        }
    }
}

/// One thing to be predicted and measured, on any occasion. Its display form is its name in messages.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Case {
    /// Where.
    pub world: World,
    /// Over what.
    pub carrier: Carrier,
    /// How many ranks.
    pub ranks: u32,
    /// Which collective.
    pub collective: Collective,
    /// By whose algorithm.
    pub implementation: Implementation,
    /// Root rank.
    pub root: u32,
    /// Bytes of one rank's buffer, or of one block where the collective moves a block per rank; with uneven counts
    /// their mean, rounded up.
    pub bytes: u64,
    /// Length of segments, where messages are cut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub segment_bytes: Option<u64>,
    /// Fanout, radix, number of chains or ways, where it is not the algorithm's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fanout: Option<u32>,
    /// Lengths of the blocks, where they are uneven.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts: Option<Counts>,
    /// The form of the library's call, where it is not the plain one.
    #[serde(default, skip_serializing_if = "Call::is_plain")]
    pub call: Call,
    /// How the time is obtained.
    pub method: Method,
    /// Calls per timed loop, k.
    pub calls: u32,
    /// Under what conditions, where they are not the usual ones.
    #[serde(default, skip_serializing_if = "Conditions::are_usual")]
    pub conditions: Conditions,
}

impl Case {
    /// The same case by another method.
    pub fn by(&self, method: Method) -> Case {
        Case { method, ..self.clone() }
    }

    /// The windows that it is held against: those of the same subject that adapt, behind the same barrier where windows
    /// call one.
    pub fn windows(&self) -> Case {
        let conditions = Conditions { window: None, ..self.conditions };
        Case { conditions, ..self.by(Method::Window) }
    }

    /// The same where cases differ in their barriers and windows call none.
    pub fn without_barrier(&self) -> Case {
        Case { conditions: Conditions { barrier: None, ..self.conditions }, ..self.clone() }
    }

    /// What one call is asked to do.
    pub fn shape(&self) -> Shape {
        Shape {
            ranks: self.ranks,
            root: self.root,
            bytes: self.bytes,
            segment_bytes: self.segment_bytes.unwrap_or(0),
            fanout: self.fanout.unwrap_or(0),
            counts: self.counts,
        }
    }

    /// What the case shares with all methods that are compared with each other.
    pub fn subject(&self) -> String {
        let subject = format!(
            "{}/{}/{} ranks/{} {}/{} B/root {}",
            self.world.name(),
            self.carrier.name(),
            self.ranks,
            self.call.name_of(self.collective),
            self.implementation_name(),
            self.bytes,
            self.root
        );
        [subject, self.variant()].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("/")
    }

    /// Whose algorithm: our own by its name, the library's by its name and whose it is.
    pub fn implementation_name(&self) -> String {
        match &self.implementation {
            Implementation::Own(name) => name.clone(),
            Implementation::Library => "library".to_owned(),
            Implementation::Forced(name) => format!("library's {name}"),
            Implementation::Shared(queued) => queued.to_string(),
        }
    }

    /// `, root 3`, where it is another than rank 0.
    pub fn and_root(&self) -> String {
        if self.root == 0 { String::new() } else { format!(", root {}", self.root) }
    }

    /// [`Case::variant`] behind a comma, where there is any.
    pub fn and_variant(&self) -> String {
        Some(self.variant()).filter(|words| !words.is_empty()).map(|words| format!(", {words}")).unwrap_or_default()
    }

    /// Segments, fanout, counts, call and conditions in words, where the case sets them; else empty.
    pub fn variant(&self) -> String {
        let segments = self.segment_bytes.map(|bytes| format!("segments of {bytes} B"));
        let fanout = self.fanout.map(|fanout| format!("fanout {fanout}"));
        let counts = self.counts.map(|counts| format!("counts {counts:?} B"));
        let call = Some(self.call.variant()).filter(|words| !words.is_empty());
        let conditions = Some(self.conditions.to_string()).filter(|words| !words.is_empty());
        [segments, fanout, counts, call, conditions].into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{} k={}", self.subject(), self.method, self.calls)
    }
}
