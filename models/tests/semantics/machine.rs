//! Runs the programs of all ranks over memories of tokens, one random word for every byte.
//!
//! Sends are synchronous: one completes only when its receive has been posted. Who does not deadlock here
//! does not under any protocol. Messages between two ranks match in order, so there is only one outcome.

use parallax_models::collective::{Algorithm, Part, Shape, Step, Then};
use std::collections::VecDeque;

/// One random word per byte of a rank's buffer.
pub type Memory = Vec<u64>;

/// The token that byte `byte` of `rank` starts with.
pub fn token(rank: u32, byte: u64) -> u64 {
    // SplitMix64 (Steele, Lea, Flood 2014) of a number that no two bytes share.
    let mut z = (u64::from(rank) << 40 | byte).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The memories of all ranks before and after.
pub type Played = (Vec<Memory>, Vec<Memory>);

/// Runs one call of an algorithm.
pub fn run(algorithm: &Algorithm, shape: &Shape) -> Result<Played, String> {
    let programs = (0..shape.ranks).map(|rank| algorithm.steps(shape, rank)).collect();
    play(algorithm.collective.buffer_bytes(shape), programs)
}

/// Runs one program per rank, over memories of so many bytes.
///
/// Errors name what is wrong: a part outside the buffer, lengths that differ, what is sent being overwritten,
/// a deadlock, a message that nobody receives.
pub fn play(bytes: u64, mut programs: Vec<impl Iterator<Item = Step>>) -> Result<Played, String> {
    let ranks = programs.len() as u32;
    let before: Vec<Memory> = (0..ranks).map(|r| (0..bytes).map(|b| token(r, b)).collect()).collect();
    let mut machine = Machine::new(before.clone());
    let mut unfinished: Vec<u32> = (0..ranks).collect();
    while !unfinished.is_empty() {
        let mut progress = false;
        let mut left = Vec::new();
        for &rank in &unfinished {
            let (moved, done) = machine.advance(rank, &mut programs[rank as usize])?;
            progress |= moved || done;
            if !done {
                left.push(rank);
            }
        }
        if !progress {
            return Err(machine.deadlock(&left));
        }
        unfinished = left;
    }
    machine.check_that_all_was_received()?;
    let after = machine.ranks.into_iter().map(|state| state.memory).collect();
    Ok((before, after))
}

enum Request {
    Send { to: u32, part: Part, data: Vec<u64>, met: bool },
    Receive { from: u32, part: Part, then: Then, data: Option<Vec<u64>> },
}

/// What has been sent and not received, or the reverse, from one rank to another: numbers of requests.
#[derive(Default)]
struct Lane {
    sends: VecDeque<usize>,
    receives: VecDeque<usize>,
}

struct MachineRank {
    memory: Memory,
    requests: Vec<Request>,
    /// Asleep until all requests from this one on are complete.
    waits_from: Option<usize>,
}

struct Machine {
    ranks: Vec<MachineRank>,
    lanes: Vec<Lane>,
}

impl Machine {
    fn new(memories: Vec<Memory>) -> Machine {
        let lanes = (0..memories.len() * memories.len()).map(|_| Lane::default()).collect();
        let asleep = |memory| MachineRank { memory, requests: Vec::new(), waits_from: None };
        Machine { ranks: memories.into_iter().map(asleep).collect(), lanes }
    }

    /// Runs a rank until it must wait: whether it did anything, and whether its program is done.
    fn advance(&mut self, rank: u32, program: &mut impl Iterator<Item = Step>) -> Result<(bool, bool), String> {
        let mut moved = false;
        loop {
            if let Some(first) = self.ranks[rank as usize].waits_from {
                if !self.are_complete(rank, first) {
                    return Ok((moved, false));
                }
                self.complete(rank, first)?;
                moved = true;
            }
            let Some(step) = program.next() else { break };
            self.issue(rank, &step).map_err(|error| format!("rank {rank}, {step:?}: {error}"))?;
            moved = true;
        }
        if self.ranks[rank as usize].requests.is_empty() {
            Ok((moved, true))
        } else {
            Err(format!("rank {rank} leaves without waiting for what it posted and started"))
        }
    }

    fn issue(&mut self, rank: u32, step: &Step) -> Result<(), String> {
        let open = self.ranks[rank as usize].requests.len();
        if let Some((from, part, then)) = step.received() {
            self.post(rank, from, part, then)?;
        }
        if let Some((to, part)) = step.sent() {
            self.start(rank, to, part)?;
        }
        let state = &mut self.ranks[rank as usize];
        match *step {
            Step::Send { .. } | Step::Receive { .. } | Step::Exchange { .. } => state.waits_from = Some(open),
            Step::WaitAll => state.waits_from = Some(0),
            Step::Post { .. } | Step::Start { .. } => {}
            Step::Local { from, to, then } => {
                let data = read(&state.memory, from)?;
                write(&mut state.memory, to, then, &data)?;
            }
        }
        Ok(())
    }

    fn start(&mut self, rank: u32, to: u32, part: Part) -> Result<(), String> {
        if to == rank || to as usize >= self.ranks.len() {
            return Err("no such peer".to_owned());
        }
        let state = &mut self.ranks[rank as usize];
        let data = read(&state.memory, part)?;
        state.requests.push(Request::Send { to, part, data, met: false });
        let request = state.requests.len() - 1;
        self.lane(rank, to).sends.push_back(request);
        self.meet(rank, to)
    }

    fn post(&mut self, rank: u32, from: u32, part: Part, then: Then) -> Result<(), String> {
        if from == rank || from as usize >= self.ranks.len() {
            return Err("no such peer".to_owned());
        }
        let state = &mut self.ranks[rank as usize];
        state.requests.push(Request::Receive { from, part, then, data: None });
        let request = state.requests.len() - 1;
        self.lane(from, rank).receives.push_back(request);
        self.meet(from, rank)
    }

    fn lane(&mut self, from: u32, to: u32) -> &mut Lane {
        let ranks = self.ranks.len();
        &mut self.lanes[from as usize * ranks + to as usize]
    }

    /// Hands over the first message from one rank to another if both ends are there.
    fn meet(&mut self, from: u32, to: u32) -> Result<(), String> {
        let lane = self.lane(from, to);
        if lane.sends.is_empty() || lane.receives.is_empty() {
            return Ok(());
        }
        let (send, receive) = (lane.sends.pop_front().unwrap(), lane.receives.pop_front().unwrap());
        let Request::Send { data, met, .. } = &mut self.ranks[from as usize].requests[send] else { unreachable!() };
        *met = true;
        let sent = data.clone();
        let Request::Receive { data, part, .. } = &mut self.ranks[to as usize].requests[receive] else {
            unreachable!()
        };
        if part.bytes != sent.len() as u64 {
            return Err(format!("rank {from} sends {} B to rank {to}, which expects {} B", sent.len(), part.bytes));
        }
        *data = Some(sent);
        Ok(())
    }

    fn are_complete(&self, rank: u32, first: usize) -> bool {
        self.ranks[rank as usize].requests[first..].iter().all(|request| match request {
            Request::Send { met, .. } => *met,
            Request::Receive { data, .. } => data.is_some(),
        })
    }

    /// What arrived is stored; then what was sent must still be there; then what arrived is combined.
    fn complete(&mut self, rank: u32, first: usize) -> Result<(), String> {
        let state = &mut self.ranks[rank as usize];
        state.waits_from = None;
        let requests = state.requests.split_off(first);
        for (sought, check) in [(Then::Store, true), (Then::Combine, false)] {
            for request in &requests {
                if let Request::Receive { part, then, data: Some(data), .. } = request
                    && *then == sought
                {
                    write(&mut state.memory, *part, *then, data)?;
                }
            }
            for request in requests.iter().filter(|_| check) {
                if let Request::Send { to, part, data, .. } = request
                    && read(&state.memory, *part)? != *data
                {
                    return Err(format!("rank {rank} overwrites what it is sending to rank {to}"));
                }
            }
        }
        Ok(())
    }

    fn deadlock(&self, unfinished: &[u32]) -> String {
        let mut waiting = vec!["deadlock".to_owned()];
        for &rank in unfinished {
            for request in &self.ranks[rank as usize].requests {
                match request {
                    Request::Send { to, met: false, .. } => waiting.push(format!("{rank} sends to {to}")),
                    Request::Receive { from, data: None, .. } => waiting.push(format!("{rank} receives from {from}")),
                    Request::Send { .. } | Request::Receive { .. } => {}
                }
            }
        }
        waiting.join(", ")
    }

    fn check_that_all_was_received(&self) -> Result<(), String> {
        match self.lanes.iter().position(|lane| !lane.sends.is_empty() || !lane.receives.is_empty()) {
            Some(lane) => {
                Err(format!("a message from {} to {} is left", lane / self.ranks.len(), lane % self.ranks.len()))
            }
            None => Ok(()),
        }
    }
}

fn read(memory: &Memory, part: Part) -> Result<Vec<u64>, String> {
    let mut data = Vec::with_capacity(part.bytes as usize);
    for (offset, bytes) in part.runs() {
        let run = memory.get(offset as usize..(offset + bytes) as usize);
        data.extend_from_slice(run.ok_or_else(|| outside(part, memory))?);
    }
    if data.len() as u64 == part.bytes { Ok(data) } else { Err(format!("{part:?} is not made of whole blocks")) }
}

fn write(memory: &mut Memory, part: Part, then: Then, data: &[u64]) -> Result<(), String> {
    if data.len() as u64 != part.bytes {
        return Err(format!("{} B go into {} B", data.len(), part.bytes));
    }
    let mut data = data.iter();
    let error = outside(part, memory);
    for (offset, bytes) in part.runs() {
        let run = memory.get_mut(offset as usize..(offset + bytes) as usize).ok_or_else(|| error.clone())?;
        for (word, new) in run.iter_mut().zip(&mut data) {
            *word = match then {
                Then::Store => *new,
                Then::Combine => word.wrapping_add(*new),
            };
        }
    }
    Ok(())
}

fn outside(part: Part, memory: &Memory) -> String {
    format!("{part:?} reaches outside the buffer of {} B", memory.len())
}
