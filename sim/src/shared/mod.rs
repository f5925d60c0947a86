//! Broadcasts through simulated shared memory: any number of ranks on the NUMA nodes of one computer, in virtual time.
//!
//! Ranks run [`Broadcast`], the code of real ranks. These operations take time: a wait for a set takes t_WO more, of
//! which a reader's is under way while the root opens the set. Taking note of a notification takes t_W. A rank that
//! notifies spends n for each child, and the child sees it v or vR later. Decrements of one word follow each other,
//! each t_A. Copies take t or tR per byte and share memories. A copy that follows a notification is not over before the
//! child has cleared its control word, which takes c.
//!
//! Of flags that several ranks look at (MVAPICH's, and those of release and gather), a rank that stores one spends n,
//! and ranks that wait for it get its cache line one after the other, each n later than the one before. To take note of
//! a flag by which a rank leaves a buffer takes t_A, as a decrement does, and of any other flag t_W. A rank's queue and
//! message lie in the memory of its own NUMA node, and each node has ranks that follow each other.
//!
//! One reader without n, v, M and c takes as long as the exact formulas say
//! ([`exact`](models::shared_broadcast::exact)), to the picosecond.

mod recorded;
mod state;
#[cfg(test)]
mod tests;

use crate::engine::SimError;
use models::shared_broadcast::{Broadcast, NodeCosts, Scheme, SharedMemory, Word};
use models::time::{Span, Time};
use programs::trace::{Activity, Trace};
use rustc_hash::FxHashMap;
use state::{NodeState, SeenWord, Wanted};
use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

/// Computer whose ranks share memory.
#[derive(Clone, Debug)]
pub struct SharedNode {
    /// Number of ranks on the computer.
    pub ranks: u32,
    /// Number of NUMA nodes they are on, with the same number of ranks on each, or one less.
    pub nodes: u32,
    /// Costs of the ranks' steps.
    pub costs: NodeCosts,
    /// Scheme that ranks carry out: the design, the queues and the tree.
    pub scheme: Scheme,
    /// Whether to record what every rank does.
    pub record: bool,
}

/// Result of a run of a shared-memory computer.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedRun {
    /// Time at which each rank left each call, by call and rank. All enter the first call at time zero, and each
    /// further one at once.
    pub left: Vec<Vec<Time>>,
    /// Trace of every rank, if it was to be recorded.
    pub trace: Option<Trace>,
}

/// Bytes of messages and buffers, where they are looked at.
struct Bytes {
    /// Message that the root of each call broadcasts.
    sent: Vec<Vec<u8>>,
    /// Message of each rank in its current call.
    messages: Vec<Vec<u8>>,
    buffers: FxHashMap<(u32, u64), Vec<u8>>,
    received: Received,
}

/// Message that each rank had at the end of each call, by call and rank.
pub type Received = Vec<Vec<Vec<u8>>>;

/// Program of a rank's calls, which yields the times at which it left each.
type Program<'s> = Pin<Box<dyn Future<Output = Vec<Time>> + 's>>;

/// Content of a buffer while it is filled: nobody may read it.
const BEING_FILLED: u8 = 0xF5;

impl SharedNode {
    /// Returns the NUMA node of a rank.
    pub fn node_of(&self, rank: u32) -> u32 {
        (u64::from(rank) * u64::from(self.nodes) / u64::from(self.ranks)) as u32
    }

    /// Carries out calls back to back, each given by its root and its bytes, as far as their times go.
    ///
    /// # Errors
    ///
    /// Fails if times are out of range.
    ///
    /// # Panics
    ///
    /// Panics if there is no NUMA node, or no such root.
    pub fn run(&self, calls: &[(u32, u64)]) -> Result<SharedRun, SimError> {
        self.play(calls, None).map(|(run, _)| run)
    }

    /// Carries out calls with the messages themselves. Returns also the message that each rank had at the end of each
    /// call, by call and rank.
    ///
    /// # Errors
    ///
    /// Fails where [`SharedNode::run`] fails.
    ///
    /// # Panics
    ///
    /// Panics where [`SharedNode::run`] panics.
    pub fn deliver(&self, calls: &[(u32, Vec<u8>)]) -> Result<(SharedRun, Received), SimError> {
        let ranks = self.ranks as usize;
        let bytes = Bytes {
            sent: calls.iter().map(|(_, message)| message.clone()).collect(),
            messages: vec![Vec::new(); ranks],
            buffers: FxHashMap::default(),
            received: vec![vec![Vec::new(); ranks]; calls.len()],
        };
        let calls: Vec<(u32, u64)> = calls.iter().map(|(root, message)| (*root, message.len() as u64)).collect();
        self.play(&calls, Some(bytes))
    }

    fn play(&self, calls: &[(u32, u64)], bytes: Option<Bytes>) -> Result<(SharedRun, Received), SimError> {
        assert!(self.nodes > 0, "ranks are on NUMA nodes");
        let state = RefCell::new(NodeState::new(self, bytes));
        let mut programs: Vec<Option<Program<'_>>> = Vec::new();
        for rank in 0..self.ranks {
            programs.push(Some(Box::pin(Member { world: self, state: &state, rank }.program(calls))));
            state.borrow_mut().at(Time::ZERO, state::Event::Resume(rank));
        }
        let mut left = vec![Vec::new(); self.ranks as usize];
        let mut context = Context::from_waker(Waker::noop());
        loop {
            let Some(rank) = state.borrow_mut().next() else { break };
            let slot = &mut programs[rank as usize];
            if let Some(program) = slot
                && let Poll::Ready(times) = program.as_mut().poll(&mut context)
            {
                (*slot, left[rank as usize]) = (None, times);
            }
        }
        assert!(programs.iter().all(Option::is_none), "ranks of a broadcast through shared memory wait for ever");
        drop(programs);
        let finish: Vec<Time> = left.iter().map(|times| times.last().copied().unwrap_or_default()).collect();
        if let Some(rank) = finish.iter().position(|&time| time == Time::END) {
            return Err(SimError::Overflow { rank: rank as u32 });
        }
        let NodeState { recorded, bytes, .. } = state.into_inner();
        let left = (0..calls.len()).map(|call| left.iter().map(|times| times[call]).collect()).collect();
        Ok((
            SharedRun { left, trace: recorded.into_trace(&finish) },
            bytes.map_or_else(Vec::new, |bytes| bytes.received),
        ))
    }
}

struct Member<'s, 'w> {
    world: &'w SharedNode,
    state: &'s RefCell<NodeState<'w>>,
    rank: u32,
}

impl Member<'_, '_> {
    /// Carries out all calls. Returns the times at which this rank left each.
    async fn program(self, calls: &[(u32, u64)]) -> Vec<Time> {
        let mut broadcast = Broadcast::new(self.world.scheme);
        let mut left = Vec::with_capacity(calls.len());
        for (call, &(root, bytes)) in calls.iter().enumerate() {
            let from = self.state.borrow().now;
            if let Some(held) = &mut self.state.borrow_mut().bytes {
                let sent = &held.sent[call];
                held.messages[self.rank as usize] = if self.rank == root { sent.clone() } else { vec![0; sent.len()] };
            }
            broadcast.call(&self, root, bytes).await;
            let state = &mut *self.state.borrow_mut();
            state.recorded.called(self.rank, call as u32, from, state.now);
            left.push(state.now);
            if let Some(held) = &mut state.bytes {
                held.received[call][self.rank as usize] = std::mem::take(&mut held.messages[self.rank as usize]);
            }
        }
        left
    }

    /// Waits until this rank is resumed.
    async fn resumed(&self) {
        let mut been = false;
        poll_fn(|_| if std::mem::replace(&mut been, true) { Poll::Ready(()) } else { Poll::Pending }).await;
    }

    async fn copied(&self, owner: u32, bytes: u64, activity: Activity) {
        let start = self.state.borrow().now;
        self.state.borrow_mut().copy(self.rank, owner, bytes);
        self.resumed().await;
        if self.state.borrow_mut().waits_until_cleared(self.rank) {
            self.resumed().await;
        }
        let state = &mut *self.state.borrow_mut();
        state.recorded.spent(self.rank, activity, start, state.now);
    }

    async fn waited(&self, word: Word, wanted: Wanted) {
        self.state.borrow_mut().wait_for(self.rank, word, wanted);
        self.resumed().await;
        let state = &mut *self.state.borrow_mut();
        state.recorded.noted(self.rank, state.seen(self.rank, word), wanted, state.now);
    }
}

impl SharedMemory for Member<'_, '_> {
    fn rank(&self) -> u32 {
        self.rank
    }

    fn ranks(&self) -> u32 {
        self.world.ranks
    }

    async fn store(&self, word: Word, value: u64) {
        let is_cleared = matches!(word, Word::Control { rank, .. } if rank == self.rank);
        if is_cleared || matches!(word, Word::Readers { .. } | Word::Open { .. }) {
            let state = &mut *self.state.borrow_mut();
            state.set(SeenWord::at_once(word), value);
            if is_cleared {
                state.clear(self.rank);
            }
            return;
        }
        if self.world.costs.notify > Span::ZERO {
            self.state.borrow_mut().spend(self.rank, Activity::Computing, self.world.costs.notify);
            self.resumed().await;
        }
        let state = &mut *self.state.borrow_mut();
        match word {
            Word::Control { rank, .. } => state.notified(self.rank, rank, word, value),
            _ => state.flagged(word, value),
        }
    }

    async fn wait_for(&self, word: Word, value: u64) {
        self.waited(word, Wanted::Equal(value)).await;
    }

    async fn wait_above(&self, word: Word, value: u64) -> u64 {
        self.waited(word, Wanted::Above(value)).await;
        let state = self.state.borrow();
        state.value(state.seen(self.rank, word))
    }

    async fn decrement(&self, word: Word) {
        self.state.borrow_mut().take_line(self.rank, word);
        self.resumed().await;
        let state = &mut *self.state.borrow_mut();
        let word = SeenWord::at_once(word);
        let left = state.value(word) - 1;
        state.set(word, left);
    }

    async fn copy_in(&self, buffer: u64, offset: u64, bytes: u64) {
        let place = (self.rank, buffer);
        if let Some(held) = &mut self.state.borrow_mut().bytes {
            held.buffers.insert(place, vec![BEING_FILLED; bytes as usize]);
        }
        self.copied(self.rank, bytes, Activity::Sending).await;
        if let Some(held) = &mut self.state.borrow_mut().bytes {
            let part = held.messages[self.rank as usize][offset as usize..][..bytes as usize].to_vec();
            held.buffers.insert(place, part);
        }
    }

    async fn copy_out(&self, owner: u32, buffer: u64, offset: u64, bytes: u64) {
        self.copied(owner, bytes, Activity::Receiving).await;
        if let Some(held) = &mut self.state.borrow_mut().bytes {
            let part = &held.buffers[&(owner, buffer)];
            held.messages[self.rank as usize][offset as usize..][..bytes as usize].copy_from_slice(part);
        }
    }

    async fn copy_between(&self, owner: u32, buffer: u64, bytes: u64) {
        let place = (self.rank, buffer);
        if let Some(held) = &mut self.state.borrow_mut().bytes {
            held.buffers.insert(place, vec![BEING_FILLED; bytes as usize]);
        }
        self.copied(owner, bytes, Activity::Sending).await;
        if let Some(held) = &mut self.state.borrow_mut().bytes {
            let part = held.buffers[&(owner, buffer)].clone();
            held.buffers.insert(place, part);
        }
    }
}
