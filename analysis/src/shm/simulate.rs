//! Simulated broadcasts through shared memory: which calls, and what is said and drawn of them.

use models::shared_broadcast::{NodeCosts, Notified, Queue};
use models::time::Time;
use models::trace::Trace;
use reports::plots::Paper;
use reports::shm::{SharedCalls, Simulated};
use scenario::BadInput;
use sim::SharedNode;
use std::path::Path;

/// More ranks share the memory of no computer.
const MOST_RANKS: u32 = 4096;
/// More notifications take longer than anybody waits: some seconds, and minutes where hundreds of copies share a memory.
const MOST_NOTIFICATIONS: u64 = 10_000_000;
/// The longest trace that is worth drawing: each notification is about three bars and a line.
const MOST_TRACED: u64 = 1 << 15;

/// Calls that are simulated.
#[derive(Clone, Debug)]
pub struct Simulate {
    /// How many ranks.
    pub ranks: u32,
    /// On how many NUMA nodes.
    pub nodes: u32,
    /// Trees of notifications, as users write them.
    pub trees: Vec<String>,
    /// Bytes of the message.
    pub bytes: u64,
    /// Bytes of a fragment.
    pub fragment_bytes: u64,
    /// How many buffers a queue has.
    pub buffers: u64,
    /// In how many sets.
    pub sets: u64,
    /// How many calls.
    pub calls: u32,
    /// Their roots, over and over again.
    pub roots: Vec<u32>,
    /// Parameters, like `t=1ns/B,n=20ns`.
    pub set: Option<String>,
}

impl Simulate {
    /// Simulates the calls with each tree.
    ///
    /// # Errors
    /// Trees, roots, queues, parameters that are none; more than can be simulated.
    pub fn simulated(&self) -> Result<Simulated, BadInput> {
        let (calls, trees) = self.checked()?;
        let left = |&tree: &Notified| run(&calls, tree, false).map(|(left, _)| (tree, left));
        let rows: Vec<_> = trees.iter().map(left).collect::<Result<_, _>>()?;
        Ok(Simulated::of(calls, rows))
    }

    /// Draws what every rank does.
    ///
    /// # Errors
    /// As [`Simulate::simulated`]; several trees; a form that is not known; more than a picture can show; a file that cannot
    /// be written.
    pub fn draw(&self, file: &Path, paper: &Paper) -> Result<(), BadInput> {
        reports::trace::Format::of(file).map_err(BadInput)?;
        let (calls, trees) = self.checked()?;
        let [tree] = trees[..] else {
            return Err(BadInput(format!("--timeline: expected one tree, found {}", trees.len())));
        };
        let notifications = notifications(&calls);
        if notifications > MOST_TRACED {
            return Err(BadInput(format!(
                "--timeline: expected up to {MOST_TRACED} notifications, found {notifications}"
            )));
        }
        let mut trace = run(&calls, tree, true)?.1;
        trace.title = format!("{}, {tree}", calls.words());
        let drawn = "Copies are drawn as computing, notifying as sending, taking note of a notification as receiving, leaving a \
                     set as gap.";
        trace.about = vec![format!("Parameters: {}.", calls.costs), drawn.to_owned()];
        reports::trace::write(file, &trace, paper).map_err(BadInput)?;
        note!("timeline: {}", file.display());
        Ok(())
    }

    fn checked(&self) -> Result<(SharedCalls, Vec<Notified>), BadInput> {
        let &Simulate { ranks, nodes, bytes, calls, .. } = self;
        let queue = Queue::new(self.fragment_bytes, self.buffers, self.sets);
        let queue = queue.map_err(|message| BadInput(format!("--fragment, --buffers, --sets: {message}")))?;
        let costs = NodeCosts::parse(self.set.as_deref().unwrap_or_default());
        let costs = costs.map_err(|message| BadInput(format!("--set: {message}")))?;
        let trees = self.trees.iter().map(|tree| Notified::parse(tree)).collect::<Result<Vec<_>, _>>();
        let trees = trees.map_err(|message| BadInput(format!("--tree: {message}")))?;
        if ranks > MOST_RANKS {
            return Err(BadInput(format!("--ranks: expected up to {MOST_RANKS} ranks of one computer, found {ranks}")));
        }
        if nodes == 0 || nodes > ranks {
            return Err(BadInput(format!(
                "--numa: expected 1 to {ranks} NUMA nodes, one rank on each at least, found {nodes}"
            )));
        }
        if let Some(root) = self.roots.iter().find(|root| **root >= ranks) {
            return Err(BadInput(format!("--root: expected a rank below {ranks}, found {root}")));
        }
        let roots = self.roots.iter().copied().cycle().take(calls as usize).collect();
        let calls = SharedCalls { ranks, nodes, costs, queue, bytes, roots };
        let notifications = notifications(&calls).saturating_mul(trees.len() as u64);
        if notifications > MOST_NOTIFICATIONS {
            let message = format!(
                "--bytes, --fragment, --ranks, --calls: expected up to {MOST_NOTIFICATIONS} notifications in all, found \
                 {notifications}"
            );
            return Err(BadInput(message));
        }
        Ok((calls, trees))
    }
}

/// How many fragments readers are notified of, all together.
fn notifications(calls: &SharedCalls) -> u64 {
    let readers = u64::from(calls.ranks - 1);
    calls.queue.fragments(calls.bytes).saturating_mul(readers).saturating_mul(calls.roots.len() as u64)
}

fn run(calls: &SharedCalls, tree: Notified, record: bool) -> Result<(Vec<Vec<Time>>, Trace), BadInput> {
    let &SharedCalls { ranks, nodes, costs, queue, bytes, .. } = calls;
    let node = SharedNode { ranks, nodes, costs, queue, tree, record };
    let each: Vec<(u32, u64)> = calls.roots.iter().map(|&root| (root, bytes)).collect();
    let run = node.run(&each).map_err(|error| BadInput(error.to_string()))?;
    Ok((run.left, run.trace.unwrap_or_default()))
}
