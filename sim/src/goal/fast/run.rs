//! One pass through a plan.

use super::super::{Disturbance, Run, RunError};
use super::plan::{Instruction, NONE, Plan};
use crate::goal::Engine;
use models::goal::Kind;
use models::network::{Departure, Message, Network, NetworkModel, Port};
use models::noise::Advance;
use models::time::{Span, Time};

/// Since when an operation has wanted its CPU, its kind and its number: the smallest is served first.
type Turn = (Time, u8, u32);

/// One rank's clocks, and what has to be known to check its order.
struct Clock<C> {
    port: Port,
    noise: C,
    finish: Time,
    order: Order,
    /// The last receive posted.
    posted: (Time, u32),
}

#[derive(Clone, Copy)]
struct Slot {
    departure: Departure,
    send: u32,
}

/// Why a pass through a plan has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// A CPU serves its operations in another order than the plan's.
    Order,
    /// What every engine would have reported.
    Failed(RunError),
}

impl Plan {
    /// Carries out the schedule with this noise. The network must be that of the plan, or one that makes
    /// the same senders wait.
    ///
    /// # Errors
    /// The order turned out to depend on times, or times left their range.
    pub fn run<D: Disturbance>(&self, network: &Network, noise: &D) -> Result<Run, Stop> {
        let mut pass = Pass::new(self, network, noise);
        let mut further = self.further.iter().peekable();
        for (index, instruction) in self.instructions.iter().enumerate() {
            let mut ready = Time::ZERO;
            for earlier in instruction.requires {
                if earlier != NONE {
                    ready = ready.max(pass.finish[earlier as usize]);
                }
            }
            while let Some((_, earlier)) = further.next_if(|(place, _)| *place == index as u32) {
                ready = ready.max(pass.finish[*earlier as usize]);
            }
            let in_order = match self.kinds[index] {
                Kind::Send => pass.send(instruction, ready),
                Kind::Receive => pass.receive(instruction, ready),
                Kind::Calc => pass.calculate(instruction, ready),
            };
            if !in_order {
                return Err(Stop::Order);
            }
        }
        let finish: Vec<Time> = pass.clocks.iter().map(|clock| clock.finish).collect();
        if let Some(rank) = finish.iter().position(|&time| time == Time::END) {
            return Err(Stop::Failed(RunError::Overflow { rank: rank as u32 }));
        }
        Ok(Run { finish, messages: self.messages, events: u64::from(self.ops), engine: Engine::Fast, not_fast: None })
    }
}

struct Pass<'p, C> {
    network: &'p Network,
    clocks: Vec<Clock<C>>,
    slots: Vec<Slot>,
    /// By operation.
    finish: Vec<Time>,
    /// By operation's rank, of senders that wait.
    rank_of_slot: Vec<u32>,
}

impl<'p, C: Advance> Pass<'p, C> {
    fn new<D: Disturbance<Cpu = C>>(plan: &Plan, network: &'p Network, noise: &D) -> Pass<'p, C> {
        let clock = |rank: u32| Clock {
            port: Port::default(),
            noise: noise.of(rank, plan.cpus[rank as usize]),
            finish: Time::ZERO,
            order: Order::START,
            posted: (Time::ZERO, 0),
        };
        let departure = Departure { ready: Time::ZERO, released: None, arrival: None };
        Pass {
            network,
            clocks: (0..plan.ranks).map(clock).collect(),
            slots: vec![Slot { departure, send: NONE }; plan.slots as usize],
            finish: vec![Time::ZERO; plan.ops as usize],
            rank_of_slot: vec![NONE; plan.slots as usize],
        }
    }

    #[inline]
    fn send(&mut self, instruction: &Instruction, ready: Time) -> bool {
        let &Instruction { size, op, rank, peer, slot, .. } = instruction;
        let clock = &mut self.clocks[rank as usize];
        let possible = ready.max(clock.port.next_send);
        let begun = possible.max(clock.port.cpu);
        if !clock.order.serve((ready, Kind::Send as u8, op), possible, clock.port.cpu, instruction.requires) {
            return false;
        }
        clock.port.cpu = begun;
        let message = Message { from: rank, to: peer, bytes: size };
        let departure = self.network.send(&mut clock.port, &message, &mut clock.noise);
        self.slots[slot as usize] = Slot { departure, send: op };
        self.rank_of_slot[slot as usize] = rank;
        if let Some(released) = departure.released {
            clock.finish = clock.finish.max(released);
            self.finish[op as usize] = released;
        }
        true
    }

    #[inline]
    fn receive(&mut self, instruction: &Instruction, ready: Time) -> bool {
        let &Instruction { size, op, rank, peer, slot, .. } = instruction;
        let Slot { departure, send } = self.slots[slot as usize];
        let message = Message { from: peer, to: rank, bytes: size };
        let matched = self.network.matched(&message, &departure, ready);
        let clock = &mut self.clocks[rank as usize];
        let there = matched.arrival.max(ready);
        if (ready, op) < clock.posted
            || !clock.order.serve((there, Kind::Receive as u8, op), there, clock.port.cpu, instruction.requires)
        {
            return false;
        }
        clock.posted = (ready, op);
        clock.port.cpu = clock.port.cpu.max(ready);
        self.network.receive(&mut clock.port, &message, matched.arrival, &mut clock.noise);
        clock.finish = clock.finish.max(clock.port.cpu);
        self.finish[op as usize] = clock.port.cpu;
        if departure.released.is_none() {
            let sender = &mut self.clocks[self.rank_of_slot[slot as usize] as usize];
            sender.finish = sender.finish.max(matched.released);
            self.finish[send as usize] = matched.released;
        }
        true
    }

    #[inline]
    fn calculate(&mut self, instruction: &Instruction, ready: Time) -> bool {
        let &Instruction { size, op, rank, .. } = instruction;
        let clock = &mut self.clocks[rank as usize];
        let begun = ready.max(clock.port.cpu);
        if !clock.order.serve((ready, Kind::Calc as u8, op), ready, clock.port.cpu, instruction.requires) {
            return false;
        }
        clock.port.cpu = clock.noise.advance(begun, Span(size.saturating_mul(1000)));
        clock.finish = clock.finish.max(clock.port.cpu);
        self.finish[op as usize] = clock.port.cpu;
        true
    }
}

/// What has to be known of the operations served so far to check that the next one was rightly served after them.
struct Order {
    /// The turn and the begin of the operation served last.
    last: (Turn, Time),
    /// Those served last came in the order of their turns; the one before them began then, if there was one.
    before_run: Option<Time>,
    /// Until then the CPU was idle, before one that was served.
    idle_until: Time,
    /// The turn of the last send.
    last_send: Turn,
    /// All of the above is about those served since a gate: an operation that required the one before it.
    gate: [u32; 2],
    /// When the last one before the gate began, if there was one.
    gate_begun: Option<Time>,
}

impl Order {
    const START: Order = Order {
        last: ((Time::ZERO, 0, NONE), Time::ZERO),
        before_run: None,
        idle_until: Time::ZERO,
        last_send: (Time::ZERO, 0, 0),
        gate: [NONE; 2],
        gate_begun: None,
    };

    /// An operation begins: true if the event engine would have begun it after those before it too.
    ///
    /// It could not have begun before `possible`, whatever the CPU did. It must not have been able to begin while
    /// the CPU was idle before one of them, and of those that began when it could have, all must have had
    /// their turn before it. (That sends come in turn makes `possible` sound for them: a send that
    /// its interface held back held back all later ones.) What requires the operation before it could not be there
    /// earlier; nor could what requires the same.
    #[inline]
    fn serve(&mut self, turn: Turn, possible: Time, cpu: Time, requires: [u32; 2]) -> bool {
        let is_send = turn.1 == Kind::Send as u8;
        let (last_turn, last_begun) = self.last;
        self.last = (turn, possible.max(cpu));
        if last_turn.2 != NONE && requires.contains(&last_turn.2) {
            (self.gate, self.gate_begun) = (requires, Some(last_begun));
            self.before_run = None;
            self.idle_until = if possible > cpu { possible } else { Time::ZERO };
            self.last_send = if is_send { turn } else { Order::START.last_send };
            return true;
        }
        if turn < last_turn && last_turn.2 != NONE {
            self.before_run = Some(last_begun);
        }
        let in_order = possible >= self.idle_until
            && self.before_run.is_none_or(|before| possible > before)
            && !(is_send && turn < self.last_send)
            && (requires == self.gate || self.gate_begun.is_none_or(|gate| turn.0 > gate));
        if is_send {
            self.last_send = turn;
        }
        if possible > cpu {
            self.idle_until = possible;
        }
        in_order
    }
}
