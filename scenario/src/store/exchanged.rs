//! What a test of messages between two ranks recorded, as a line of a campaign.

use crate::axis::{Axis, Key};
use models::observation::{Carrier, World};
use models::point_to_point::{Buffers, Exchanges, Record, Test};
use serde::{Deserialize, Serialize};

/// A test of messages between two ranks, by real ranks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Exchanged {
    /// What was asked for.
    pub test: Test,
    /// Where.
    pub world: World,
    /// Over what.
    pub carrier: Carrier,
    /// How many ranks there were.
    pub ranks: u32,
    /// Cores that they could use.
    pub cores: u32,
    /// Library and version, host and clock.
    pub ran_by: String,
    /// When, UTC.
    pub date: String,
    /// The line that started the ranks, where a launcher did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub launch: Option<String>,
    /// What readers must know: crowded cores, other programs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What was recorded.
    pub record: Record,
}

impl Exchanged {
    /// Where some of its exchanges lie: the way of the messages is the operation; ranks other than 0 and 1 are named.
    pub fn key(&self, of: &Exchanges) -> Key {
        let pair = if (of.from, of.to) == (0, 1) { String::new() } else { format!("ranks {} and {}", of.from, of.to) };
        let buffers = self.test.buffers();
        Key::default()
            .named(Axis::Operation, of.way.name())
            .named(Axis::Form, &pair)
            .counted(Axis::Ranks, Some(self.ranks))
            .counted(Axis::Bytes, Some(of.bytes))
            .named(Axis::Buffer, if buffers == Buffers::Same { "" } else { buffers.name() })
            .named(Axis::World, self.world.name())
            .named(Axis::Transport, self.carrier.name())
    }

    /// True if there were more ranks than cores.
    pub fn oversubscribed(&self) -> bool {
        self.ranks > self.cores
    }

    /// What was exchanged at all.
    pub fn exchanges(&self) -> impl Iterator<Item = &Exchanges> {
        self.record.exchanges.iter().filter(|of| !of.round_trips.is_empty())
    }
}
