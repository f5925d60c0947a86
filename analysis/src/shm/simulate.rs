//! Simulated broadcasts through shared memory: the calls, and their results and timelines.

use crate::shared_broadcast::{MOST_NOTIFICATIONS, MOST_RANKS, run};
use models::shared_broadcast::{Calls, Design, NodeCosts, Notified, Queue, Scheme, Taken};
use render::plots::Paper;
use scenario::BadInput;
use std::path::Path;
use study::shm::{Simulated, calls_in_words, scheme_in_words};

/// Trees that are compared where none is named, by the design that works with any.
const ANY: [&str; 4] = ["chain", "flat", "kary:4", "knomial:2"];
/// Largest number of notifications in a trace that is worth drawing: each is about three bars and a line.
const MOST_TRACED: u64 = 1 << 15;

/// Request of a simulation.
#[derive(Clone, Debug)]
pub struct Simulate {
    /// Number of ranks that call.
    pub ranks: u32,
    /// Number of NUMA nodes over which the ranks are spread.
    pub nodes: u32,
    /// Designs that are compared.
    pub designs: Vec<Design>,
    /// Trees of notifications, as users write them; empty for each design's own.
    pub trees: Vec<String>,
    /// Length of the message, in bytes.
    pub bytes: u64,
    /// Length of a fragment in bytes; `None` for each design's own.
    pub fragment_bytes: Option<u64>,
    /// Number of buffers of a queue; `None` for each design's own.
    pub buffers: Option<u64>,
    /// Number of sets of buffers; `None` for each design's own.
    pub sets: Option<u64>,
    /// Number of successive calls.
    pub calls: u32,
    /// Roots of the calls, in turns.
    pub roots: Vec<u32>,
    /// Parameters of the model, like `t=1ns/B,n=20ns`.
    pub set: Option<String>,
}

impl Simulate {
    /// Simulates the calls by each design with each tree.
    ///
    /// # Errors
    /// Fails on impossible trees, roots, queues and parameters, and on more than can be simulated.
    pub fn simulated(&self) -> Result<Simulated, BadInput> {
        let (calls, schemes) = self.checked()?;
        let taken = |&scheme: &Scheme| run(&calls, scheme, false).map(|(left, _)| Taken { scheme, left });
        let rows = schemes.iter().map(taken).collect::<Result<_, _>>()?;
        Ok(Simulated { calls, rows })
    }

    /// Draws the activity of every rank over time.
    ///
    /// # Errors
    /// Fails where [`Simulate::simulated`] does, on several designs or trees, on an unknown format, on more than a
    /// picture can show, and on a file that cannot be written.
    pub fn draw_timeline(&self, file: &Path, paper: &Paper) -> Result<(), BadInput> {
        formats::trace::Format::from_path(file).map_err(BadInput)?;
        let (calls, schemes) = self.checked()?;
        let [scheme] = schemes[..] else {
            return Err(BadInput(format!("--timeline: expected one design with one tree, found {}", schemes.len())));
        };
        let notifications = calls.notifications(&scheme);
        if notifications > MOST_TRACED {
            return Err(BadInput(format!(
                "--timeline: expected up to {MOST_TRACED} notifications, found {notifications}"
            )));
        }
        let mut trace = run(&calls, scheme, true)?.1;
        trace.title = format!("{}: {}", calls_in_words(&calls), scheme_in_words(&scheme));
        trace.about = vec![format!("Parameters: {}.", calls.costs)];
        formats::trace::write(file, &trace, paper).map_err(BadInput)?;
        note!("timeline: {}", file.display());
        Ok(())
    }

    fn checked(&self) -> Result<(Calls, Vec<Scheme>), BadInput> {
        let &Simulate { ranks, nodes, bytes, calls, .. } = self;
        let schemes = self.schemes()?;
        let costs = NodeCosts::parse(self.set.as_deref().unwrap_or_default());
        let costs = costs.map_err(|message| BadInput(format!("--set: {message}")))?;
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
        let calls = Calls { ranks, nodes, costs, bytes, roots };
        let notifications = schemes.iter().map(|scheme| calls.notifications(scheme));
        let notifications = notifications.fold(0, u64::saturating_add);
        if notifications > MOST_NOTIFICATIONS {
            let message = format!(
                "--bytes, --fragment, --ranks, --calls: expected up to {MOST_NOTIFICATIONS} notifications in all, found \
                 {notifications}"
            );
            return Err(BadInput(message));
        }
        Ok((calls, schemes))
    }

    /// Returns each design with each tree. Sets and trees apply to designs that have them.
    fn schemes(&self) -> Result<Vec<Scheme>, BadInput> {
        let have = |has: fn(Design) -> bool| self.designs.iter().any(|&design| has(design));
        if self.sets.is_some_and(|sets| sets != 1) && !have(Design::has_sets) {
            return Err(BadInput(
                "--sets: expected a design whose buffers are split into sets, numa or coll-sm".to_owned(),
            ));
        }
        if !self.trees.is_empty() && !have(Design::has_tree) {
            return Err(BadInput(
                "--tree: expected another design: all ranks of mvapich look at the root's word".to_owned(),
            ));
        }
        let mut schemes = Vec::new();
        for &design in &self.designs {
            let queue = self.queue(design)?;
            schemes.extend(self.trees_of(design)?.into_iter().map(|tree| Scheme { design, queue, tree }));
        }
        Ok(schemes)
    }

    fn queue(&self, design: Design) -> Result<Queue, BadInput> {
        let (fragment, buffers, sets) = design.usual();
        let sets = if design.has_sets() { self.sets.unwrap_or(sets) } else { 1 };
        let queue = Queue::new(self.fragment_bytes.unwrap_or(fragment), self.buffers.unwrap_or(buffers), sets);
        queue.map_err(|message| BadInput(format!("--fragment, --buffers, --sets: {message}")))
    }

    fn trees_of(&self, design: Design) -> Result<Vec<Notified>, BadInput> {
        let read = |tree: &str| Notified::parse(tree).map_err(|message| BadInput(format!("--tree: {message}")));
        match design.usual_tree() {
            Some(tree) if self.trees.is_empty() || !design.has_tree() => Ok(vec![tree]),
            None if self.trees.is_empty() => ANY.into_iter().map(read).collect(),
            Some(_) | None => self.trees.iter().map(|tree| read(tree)).collect(),
        }
    }
}
