//! Building schedules: rank by rank into a part, parts into a schedule.

use super::{ANY, Edge, MOST_OPS, Op, OpKind, Schedule};

/// Operations of one rank while it is being described, numbered from 0 within the rank.
#[derive(Default)]
pub(crate) struct Draft {
    pub ops: Vec<Op>,
    /// Dependencies as (operation that is waited for, edge to the one that waits), in the order of their lines.
    pub dependencies: Vec<(u32, Edge)>,
    counts: Vec<u32>,
}

impl Draft {
    pub(crate) fn clear(&mut self) {
        self.ops.clear();
        self.dependencies.clear();
    }
}

impl Schedule {
    /// Notes which CPU and interface an operation uses, and whether it has a wildcard.
    #[inline]
    fn count_labels(&mut self, op: &Op) {
        self.cpus = self.cpus.max(u32::from(op.cpu) + 1);
        self.nics = self.nics.max(u32::from(op.nic) + 1);
        self.wildcards |= op.kind != OpKind::Calc && (op.peer == ANY || op.tag == ANY);
    }
}

/// Some ranks of a schedule, in the order in which they were found. Edges count within the part.
#[derive(Default)]
pub(crate) struct SchedulePart {
    pub schedule: Schedule,
    /// First operation and first line of each rank, as (rank, operation, line).
    pub blocks: Vec<(u32, u32, u32)>,
    /// Number of lines of the text from its beginning to the end of this part, or from the part's own beginning.
    pub lines: u32,
}

impl SchedulePart {
    /// Room for about this many operations, so that arrays do not grow by copying.
    pub(crate) fn with_capacity(ops: usize) -> SchedulePart {
        let mut part = SchedulePart::default();
        part.schedule.ops.reserve(ops);
        part.schedule.edges_at.reserve(ops);
        part.schedule.edges.reserve(ops);
        part
    }

    /// Begins a rank of this many operations, which are added then. Returns the number of its first one.
    ///
    /// # Errors
    ///
    /// Fails for more operations than can be numbered.
    pub(crate) fn begin(&mut self, rank: u32, line: u32, ops: usize) -> Result<u32, String> {
        let first = self.schedule.ops.len();
        if first + ops > MOST_OPS {
            return Err(too_many());
        }
        self.blocks.push((rank, first as u32, line));
        Ok(first as u32)
    }

    /// Adds the next operation of the last rank. Its dependents follow.
    #[inline]
    pub(crate) fn add_op(&mut self, op: Op) {
        let schedule = &mut self.schedule;
        schedule.edges_at.push(schedule.edges.len() as u32);
        schedule.count_labels(&op);
        schedule.ops.push(op);
    }

    /// Adds a dependent of the last operation: those that wait for its start come first.
    ///
    /// # Errors
    ///
    /// Fails for more dependencies than can be numbered.
    #[inline]
    pub(crate) fn add_edge(&mut self, edge: Edge) -> Result<(), String> {
        if self.schedule.edges.len() == u32::MAX as usize {
            return Err(too_many());
        }
        self.schedule.edges.push(edge);
        Ok(())
    }

    /// Adds a rank: sorts its dependencies by the operation that is waited for, starts before finishes, lines in order.
    ///
    /// # Errors
    ///
    /// Fails for more operations or dependencies than can be numbered.
    pub(crate) fn add(&mut self, rank: u32, line: u32, draft: &mut Draft) -> Result<(), String> {
        let first = self.begin(rank, line, draft.ops.len())?;
        let schedule = &mut self.schedule;
        let first_edge = schedule.edges.len();
        if first_edge + draft.dependencies.len() > u32::MAX as usize {
            return Err(too_many());
        }
        draft.ops.iter().for_each(|op| schedule.count_labels(op));
        schedule.ops.extend_from_slice(&draft.ops);
        let slot = |earlier: u32, edge: Edge| 2 * earlier as usize + usize::from(!edge.on_start());
        let counts = &mut draft.counts;
        counts.clear();
        counts.resize(2 * draft.ops.len(), 0);
        for &(earlier, edge) in &draft.dependencies {
            counts[slot(earlier, edge)] += 1;
        }
        let mut at = first_edge as u32;
        for (index, count) in counts.iter_mut().enumerate() {
            if index % 2 == 0 {
                schedule.edges_at.push(at);
            }
            at += std::mem::replace(count, at);
        }
        schedule.edges.resize(at as usize, Edge(0));
        for &(earlier, edge) in &draft.dependencies {
            let place = &mut counts[slot(earlier, edge)];
            schedule.edges[*place as usize] = Edge(edge.0 + first);
            *place += 1;
        }
        Ok(())
    }

    /// Adds all ranks of another part, which counts its lines from its own beginning, behind those of this one.
    ///
    /// # Errors
    ///
    /// Fails for more operations or dependencies than can be numbered.
    pub(crate) fn append(&mut self, other: SchedulePart) -> Result<(), String> {
        if self.schedule.ops.is_empty() && self.blocks.is_empty() {
            *self = other;
            return Ok(());
        }
        let (ops, edges) = (self.schedule.ops.len(), self.schedule.edges.len());
        if ops + other.schedule.ops.len() > MOST_OPS || edges + other.schedule.edges.len() > u32::MAX as usize {
            return Err(too_many());
        }
        let (into, from) = (&mut self.schedule, other.schedule);
        let lines = self.lines;
        into.ops.extend(from.ops.iter().map(|op| Op { line: op.line.saturating_add(lines), ..*op }));
        into.edges_at.extend(from.edges_at.iter().map(|at| at + edges as u32));
        into.edges.extend(from.edges.iter().map(|edge| Edge(edge.0 + ops as u32)));
        into.cpus = into.cpus.max(from.cpus);
        into.nics = into.nics.max(from.nics);
        into.wildcards |= from.wildcards;
        let block = |&(rank, first, line): &(u32, u32, u32)| (rank, first + ops as u32, line.saturating_add(lines));
        self.blocks.extend(other.blocks.iter().map(block));
        self.lines = lines.saturating_add(other.lines);
        Ok(())
    }

    /// Returns the whole schedule, ranks in ascending order.
    ///
    /// # Errors
    ///
    /// Fails if a rank is there twice (with its line and the sentence), or is missing (without a line).
    pub(crate) fn finish(mut self, ranks: u32) -> Result<Schedule, (Option<u32>, String)> {
        self.schedule.edges_at.push(self.schedule.edges.len() as u32);
        let total = self.schedule.ops.len() as u32;
        let ascending = self.blocks.iter().enumerate().all(|(index, block)| block.0 as usize == index);
        if !ascending {
            self.sort()?;
        }
        if self.blocks.len() as u64 != u64::from(ranks) {
            let present = self.blocks.iter().enumerate().take_while(|(index, block)| block.0 as usize == *index);
            let missing = present.count();
            return Err((
                None,
                format!("rank {missing} is missing: num_ranks says {ranks}, {} are described", self.blocks.len()),
            ));
        }
        self.schedule.first = self.blocks.iter().map(|block| block.1).chain([total]).collect();
        Ok(self.schedule)
    }

    /// Brings ranks that were described in another order into ascending order.
    fn sort(&mut self) -> Result<(), (Option<u32>, String)> {
        let ends = self.blocks.iter().skip(1).map(|block| block.1).chain([self.schedule.ops.len() as u32]);
        let mut blocks: Vec<_> =
            self.blocks.iter().zip(ends).map(|(&(rank, first, line), end)| (rank, first, line, end)).collect();
        blocks.sort_by_key(|block| block.0);
        if let Some(pair) = blocks.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            let (rank, line) = (pair[0].0, pair[0].2);
            return Err((Some(pair[1].2), format!("rank {rank} is described twice, first in line {line}")));
        }
        let old = &self.schedule;
        let mut sorted = SchedulePart::with_capacity(old.ops.len());
        let new = &mut sorted.schedule;
        for &(rank, first, line, end) in &blocks {
            let begin = new.ops.len() as u32;
            sorted.blocks.push((rank, begin, line));
            new.ops.extend_from_slice(&old.ops[first as usize..end as usize]);
            for op in first..end {
                new.edges_at.push(new.edges.len() as u32);
                new.edges
                    .extend(old.dependents(op).iter().map(|e| Edge::new(e.dependent() - first + begin, e.on_start())));
            }
        }
        new.edges_at.push(new.edges.len() as u32);
        (new.cpus, new.nics, new.wildcards) = (old.cpus, old.nics, old.wildcards);
        *self = sorted;
        Ok(())
    }
}

fn too_many() -> String {
    format!("more than {MOST_OPS} operations in one schedule")
}
