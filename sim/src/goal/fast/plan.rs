//! All operations of a schedule in an order without times.

use super::super::mail::Mail;
use models::goal::{Edge, Kind, Op, Schedule};
use models::network::{Message, Network, NetworkModel, Port};
use models::noise::Quiet;
use std::collections::VecDeque;

/// No operation.
pub(super) const NONE: u32 = u32::MAX;

/// One operation to be carried out, with all that the run needs to know of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instruction {
    /// Bytes of the message (of a receive: as sent), or nanoseconds.
    pub size: u64,
    pub op: u32,
    pub rank: u32,
    /// The other rank.
    pub peer: u32,
    /// Where the message is kept between send and receive; of a calculation 0.
    pub slot: u32,
    /// What it requires; [`NONE`] for nothing.
    pub requires: [u32; 2],
}

/// A schedule that the fast engine can carry out under one network model, any number of times.
pub struct Plan {
    pub(super) instructions: Vec<Instruction>,
    /// Kinds of the instructions.
    pub(super) kinds: Vec<Kind>,
    /// (index of the instruction, a further operation that it requires), ascending.
    pub(super) further: Vec<(u32, u32)>,
    pub(super) slots: u32,
    pub(super) ranks: u32,
    pub(super) ops: u32,
    pub(super) messages: u64,
    /// The CPU of each rank.
    pub(super) cpus: Vec<u8>,
}

struct Planner<'s> {
    schedule: &'s Schedule,
    network: &'s Network,
    pending: Vec<u32>,
    /// Who requires whom, turned round: for each operation what it requires.
    requires: Vec<[u32; 2]>,
    further: Vec<(u32, u32)>,
    /// Rank and operation; what may be taken next.
    ready: VecDeque<(u32, u32)>,
    mail: Mail,
    /// By slot: the send, its rank, and whether it waits for the receive.
    sent: Vec<(u32, u32, bool)>,
    free_slots: Vec<u32>,
    /// By receive: the slot of its message.
    found: Vec<u32>,
    plan: Plan,
}

impl Plan {
    /// Plans a schedule.
    ///
    /// # Errors
    /// Says why the fast engine cannot take it.
    pub fn new(schedule: &Schedule, network: &Network) -> Result<Plan, String> {
        if schedule.has_wildcards() {
            return Err("it has wildcards: which message comes first depends on times".to_owned());
        }
        let cpus = own_cpus(schedule)?;
        let mut planner = Planner::new(schedule, network, cpus)?;
        planner.go();
        let Planner { mut plan, further, .. } = planner;
        if plan.instructions.len() != schedule.ops().len() {
            return Err("it does not end, or only in an order that depends on times".to_owned());
        }
        if !further.is_empty() {
            let mut place = vec![0; schedule.ops().len()];
            plan.instructions.iter().enumerate().for_each(|(index, it)| place[it.op as usize] = index as u32);
            plan.further = further.into_iter().map(|(op, earlier)| (place[op as usize], earlier)).collect();
            plan.further.sort_unstable();
        }
        Ok(plan)
    }
}

/// The one CPU that each rank uses.
fn own_cpus(schedule: &Schedule) -> Result<Vec<u8>, String> {
    if schedule.cpus() == 1 && schedule.nics() == 1 {
        return Ok(vec![0; schedule.ranks() as usize]);
    }
    let mut cpus = Vec::with_capacity(schedule.ranks() as usize);
    for rank in 0..schedule.ranks() {
        let ops = schedule.ops_of(rank);
        let ops = &schedule.ops()[ops.start as usize..ops.end as usize];
        let cpu = ops.first().map_or(0, |op| op.cpu);
        let nic = ops.iter().find(|op| op.kind != Kind::Calc).map_or(0, |op| op.nic);
        if ops.iter().any(|op| op.cpu != cpu || (op.kind != Kind::Calc && op.nic != nic)) {
            return Err(format!("rank {rank} uses several CPUs or network interfaces at once"));
        }
        cpus.push(cpu);
    }
    Ok(cpus)
}

impl<'s> Planner<'s> {
    fn new(schedule: &'s Schedule, network: &'s Network, cpus: Vec<u8>) -> Result<Planner<'s>, String> {
        let ops = schedule.ops().len();
        let mut pending = vec![0u32; ops];
        let mut requires = vec![[NONE; 2]; ops];
        let mut further = Vec::new();
        for op in 0..ops as u32 {
            for edge in schedule.dependents(op) {
                if edge.on_start() {
                    return Err("it has irequires: operations of one rank overlap".to_owned());
                }
                let dependent = edge.dependent();
                match &mut pending[dependent as usize] {
                    count @ (0 | 1) => requires[dependent as usize][*count as usize] = op,
                    _ => further.push((dependent, op)),
                }
                pending[dependent as usize] += 1;
            }
        }
        let plan = Plan {
            instructions: Vec::with_capacity(ops),
            kinds: Vec::with_capacity(ops),
            further: Vec::new(),
            slots: 0,
            ranks: schedule.ranks(),
            ops: ops as u32,
            messages: 0,
            cpus,
        };
        Ok(Planner {
            schedule,
            network,
            pending,
            requires,
            further,
            ready: VecDeque::new(),
            mail: Mail::new(schedule),
            sent: Vec::new(),
            free_slots: Vec::new(),
            found: vec![NONE; ops],
            plan,
        })
    }

    fn go(&mut self) {
        for rank in 0..self.schedule.ranks() {
            // Sends and calculations come before receives wherever both may go: only they can help others.
            for op in self.schedule.ops_of(rank) {
                if self.pending[op as usize] == 0 {
                    self.enable(rank, op);
                }
            }
        }
        while let Some((rank, op)) = self.ready.pop_front() {
            let Op { kind, peer, .. } = self.schedule.ops()[op as usize];
            match kind {
                Kind::Calc => {
                    self.take(rank, op, 0);
                    self.finish(rank, op);
                }
                Kind::Send => self.send(rank, op, peer),
                Kind::Receive => {
                    let slot = self.found[op as usize];
                    let (send, from, waits) = self.sent[slot as usize];
                    self.take(rank, op, slot);
                    self.free_slots.push(slot);
                    self.finish(rank, op);
                    if waits {
                        self.finish(from, send);
                    }
                }
            }
        }
    }

    fn send(&mut self, rank: u32, op: u32, peer: u32) {
        let Op { size, tag, .. } = self.schedule.ops()[op as usize];
        let message = Message { from: rank, to: peer, bytes: size };
        // Whether a sender waits depends on the message, not on the time: an idle port tells.
        let waits = self.network.send(&mut Port::default(), &message, &mut Quiet).released.is_none();
        let slot = self.free_slots.pop().unwrap_or_else(|| {
            self.sent.push((NONE, NONE, false));
            self.plan.slots += 1;
            self.plan.slots - 1
        });
        self.sent[slot as usize] = (op, rank, waits);
        self.take(rank, op, slot);
        self.plan.messages += 1;
        if let Some(receive) = self.mail.message(peer, rank, tag, slot) {
            self.found[receive as usize] = slot;
            self.ready.push_back((peer, receive));
        }
        if !waits {
            self.finish(rank, op);
        }
    }

    fn enable(&mut self, rank: u32, op: u32) {
        let Op { kind, peer, tag, .. } = self.schedule.ops()[op as usize];
        if kind != Kind::Receive {
            self.ready.push_back((rank, op));
        } else if let Some(slot) = self.mail.receive(rank, peer, tag, op) {
            self.found[op as usize] = slot;
            self.ready.push_back((rank, op));
        }
    }

    fn finish(&mut self, rank: u32, op: u32) {
        let schedule = self.schedule;
        let mut free = |receives: bool| {
            for dependent in schedule.dependents(op).iter().copied().map(Edge::dependent) {
                if (schedule.ops()[dependent as usize].kind == Kind::Receive) != receives {
                    continue;
                }
                let pending = &mut self.pending[dependent as usize];
                *pending -= 1;
                if *pending == 0 {
                    self.enable(rank, dependent);
                }
            }
        };
        free(false);
        free(true);
    }

    fn take(&mut self, rank: u32, op: u32, slot: u32) {
        let Op { kind, peer, size, .. } = self.schedule.ops()[op as usize];
        let size =
            if kind == Kind::Receive { self.schedule.ops()[self.sent[slot as usize].0 as usize].size } else { size };
        let requires = self.requires[op as usize];
        self.plan.instructions.push(Instruction { size, op, rank, peer, slot, requires });
        self.plan.kinds.push(kind);
    }
}
