//! Effects that network models leave out, question by question: each is one async function over rank handles, the same
//! for simulated and real ranks.

use super::{Connecting, Idled, Idling, Meeting};
use crate::detours::{Watched, Watching};
use crate::rank::Rank;
use models::collective::Part;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A question to the ranks of a world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Exploration {
    /// Extra time that first messages take (E1).
    Connect(Connecting),
    /// Extra time that messages take after idle time (E8).
    Idle(Idling),
    /// Detours that disturb the ranks.
    Noise(Watching),
}

/// Answer of the ranks to an [`Exploration`], in the order of ranks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Finding {
    /// Round trips of rank 0 with each other rank.
    Connect(Vec<Meeting>),
    /// Round trips of ranks 0 and 1 after each idle time.
    Idle(Vec<Idled>),
    /// Detours that each rank has seen.
    Noise(Vec<Watched>),
}

impl Exploration {
    /// Runs the exploration. All ranks call it together; each returns its own part of the answer.
    ///
    /// # Errors
    /// Returns an error for none of these questions.
    pub async fn run<R: Rank>(&self, rank: &R) -> Result<Finding, String> {
        Ok(match self {
            Exploration::Connect(connecting) => Finding::Connect(connecting.run(rank).await),
            Exploration::Idle(idling) => Finding::Idle(idling.run(rank).await),
            Exploration::Noise(watching) => Finding::Noise(vec![watching.run(rank).await]),
        })
    }

    /// Joins the parts of all ranks into one answer; `None` where there is no part.
    pub fn gathered(parts: Vec<Finding>) -> Option<Finding> {
        parts.into_iter().reduce(|mut all, part| {
            match (&mut all, part) {
                (Finding::Connect(all), Finding::Connect(part)) => all.extend(part),
                (Finding::Idle(all), Finding::Idle(part)) => all.extend(part),
                (Finding::Noise(all), Finding::Noise(part)) => all.extend(part),
                (all, part) => unreachable!("ranks answered different questions: {all:?}, {part:?}"),
            }
            all
        })
    }

    /// Returns the length of the buffer that each rank needs, in bytes.
    pub fn buffer_bytes(&self) -> u64 {
        match self {
            Exploration::Connect(_) | Exploration::Idle(_) => Part::room_behind(1),
            Exploration::Noise(_) => 0,
        }
    }

    /// Returns true for a question that only a fresh world can answer: nothing may be exchanged before.
    pub fn wants_fresh_world(&self) -> bool {
        matches!(self, Exploration::Connect(_))
    }
}

impl fmt::Display for Exploration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Exploration::Connect(_) => "first messages",
            Exploration::Idle(_) => "idle times",
            Exploration::Noise(_) => "noise",
        })
    }
}
