//! The event engine: ranks act in the global order of (time, sequence number). It is the simple engine, and the oracle
//! for any faster one.
//!
//! A rank is sequential. The receives that it has posted and the sends that it has started are its open requests. A
//! blocking step is a request or two and a wait for them. Receives complete in the order in which they were posted,
//! each with its overhead on the CPU, and then the releases of sends are waited for.

mod completing;
mod control;
mod flags;

use crate::channel::{Carrier, Channel, FREE};
pub use crate::error::SimError;
use crate::open::{Carried, Destination, Lanes, Letters, Places, Request, UnmetMessage};
use crate::recorder::{RecordedCpu, Recorder};
use crate::state::RankState;
use crate::turns::Turns;
use models::collective::{Part, Step, Then};
use models::network::{Message as Envelope, Network, NetworkModel, Port};
use models::noise::{Advance, Noise};
use models::platform::{Held, Platform, Reading, Touched, Traffic};
use models::time::{Span, Time};
use programs::trace::{Activity, Moment, Trace};

pub(crate) struct Engine {
    platform: Platform,
    traffic: Traffic,
    control: Network,
    noise: Noise,
    ranks: Vec<RankState>,
    turns: Turns,
    lanes: Lanes,
    letters: Letters,
    destinations: Places<Destination>,
    carried: Places<Carried>,
    flags: flags::Flags,
    messages: u64,
    idled: bool,
    recorder: Recorder,
}

impl Engine {
    pub(crate) fn new<E>(platform: Platform, control: Network, noise: Noise, entries: E) -> Engine
    where
        E: Iterator<Item = Time>,
    {
        let rank = |(rank, cpu): (usize, Time)| RankState::new(cpu, noise.cursor(rank as u32));
        let ranks = entries.enumerate().map(rank).collect();
        Engine {
            platform,
            traffic: Traffic::default(),
            control,
            noise,
            ranks,
            turns: Turns::default(),
            lanes: Lanes::default(),
            letters: Letters::default(),
            destinations: Places::default(),
            carried: Places::default(),
            flags: Default::default(),
            messages: 0,
            idled: false,
            recorder: Recorder::default(),
        }
    }

    /// Begins to record what every rank does.
    pub(crate) fn record(&mut self) {
        self.recorder = Recorder::recording(self.ranks.iter().map(|state| state.cpu));
    }

    /// Ends the recording and returns its trace.
    pub(crate) fn take_trace(&mut self) -> Trace {
        std::mem::take(&mut self.recorder).into_trace(self.ranks.iter().map(|state| state.cpu))
    }

    /// Notes that the rank's program comes to a moment at its CPU's time.
    #[inline(always)]
    pub(crate) fn come_to(&mut self, rank: u32, moment: Moment) {
        self.recorder.came_to(rank, self.ranks[rank as usize].cpu, moment);
    }

    /// Returns the next rank to act.
    pub(crate) fn next(&mut self) -> Option<u32> {
        self.turns.next()
    }

    pub(crate) fn cpu(&mut self, rank: u32) -> &mut Time {
        &mut self.ranks[rank as usize].cpu
    }

    pub(crate) fn resume_at_cpu(&mut self, rank: u32) {
        self.turns.queue(rank, self.ranks[rank as usize].cpu);
    }

    /// Returns whether the rank that acts may do so at its own time. If not, it is queued, and has to suspend.
    pub(crate) fn goes_on(&mut self, rank: u32) -> bool {
        self.turns.goes_on(rank, self.ranks[rank as usize].cpu)
    }

    pub(crate) fn rank(&mut self, rank: u32) -> &mut RankState {
        &mut self.ranks[rank as usize]
    }

    pub(crate) fn messages(&self) -> u64 {
        self.messages
    }

    /// Returns whether any rank has waited on its clock.
    pub(crate) fn has_idled(&self) -> bool {
        self.idled
    }

    /// Leaves the CPU idle until `at`.
    pub(crate) fn idle(&mut self, rank: u32, at: Time) {
        let state = &mut self.ranks[rank as usize];
        let idle = at.since(state.cpu);
        if idle > Span::ZERO {
            state.cpu = at;
            state.waking = self.platform.idle_cost(idle);
            state.rested = true;
            self.idled = true;
        }
    }

    /// Puts all ranks into the state after a wait on their clocks for their entry: they are awake.
    pub(crate) fn waited(&mut self) {
        for state in &mut self.ranks {
            (state.waking, state.rested) = (self.platform.start(), true);
        }
    }

    #[inline(always)]
    fn wake(&mut self, rank: u32) {
        let waking = std::mem::take(&mut self.ranks[rank as usize].waking);
        if waking > Span::ZERO {
            self.compute(rank, waking);
        }
    }

    /// Moves or combines bytes of ranks' memory, which is the rank's own or shared.
    pub(crate) fn local(&mut self, rank: u32, parts: [(u32, Part); 2], then: Then) {
        let work = self.platform.moving_between(&mut self.traffic, rank, parts, then);
        self.work(rank, work);
    }

    /// Returns the holders of the ranks' memory.
    pub(crate) fn held(&mut self) -> &mut Held {
        self.traffic.held()
    }

    fn work(&mut self, rank: u32, work: Span) {
        if work > Span::ZERO {
            self.compute(rank, work);
        }
    }

    /// Occupies the rank's CPU for the time of `work`.
    pub(crate) fn compute(&mut self, rank: u32, work: Span) {
        self.wake(rank);
        let state = &mut self.ranks[rank as usize];
        self.recorder.idled(rank, state.cpu);
        let mut cpu = self.recorder.cpu(rank, Activity::Computing, &self.noise, &mut state.cursor);
        state.cpu = cpu.advance(state.cpu, work);
    }

    /// Issues the messages of a step at the CPU's time, and nothing of any other step.
    pub(crate) fn act(&mut self, rank: u32, step: &Step) {
        match *step {
            Step::Send { to, part } => self.start(rank, to, part, true),
            Step::Start { to, part } => self.start(rank, to, part, false),
            Step::Receive { from, part, then } | Step::Post { from, part, then } => {
                self.post(rank, Channel::Steps, from, Some((part, then)));
            }
            Step::Exchange { to, sent, from, received, then } => {
                self.post(rank, Channel::Steps, from, Some((received, then)));
                self.start(rank, to, sent, false);
            }
            Step::WaitAll | Step::Local { .. } => {}
        }
    }

    /// Posts a receive at the CPU's time.
    pub(crate) fn post(&mut self, rank: u32, channel: Channel, from: u32, into: Option<(Part, Then)>) {
        self.wake(rank);
        let state = &mut self.ranks[rank as usize];
        let request = state.requests.len() as u32;
        let into = into.filter(|_| !self.platform.is_plain());
        let into =
            into.map(|(part, then)| self.destinations.holding(Destination { part, then, read: Touched::default() }));
        state.requests.push(Request::Receive { from, channel, posted: state.cpu, into, arrived: None });
        let lane = self.lanes.between(from, rank, channel, &mut state.last_lane);
        match lane.messages.pop_front() {
            Some(message) => self.meet(message, request),
            None => lane.receives.push_back(request),
        }
    }

    /// Starts a send of a part at the CPU's time. `blocking`: nothing else is done before it is complete.
    fn start(&mut self, rank: u32, to: u32, part: Part, blocking: bool) {
        let envelope = Envelope { from: rank, to, bytes: part.bytes };
        if self.platform.is_plain() {
            return self.issue(Channel::Steps, envelope, None, blocking);
        }
        let Reading { by_sender, by_receiver, touched } = self.platform.reading(&mut self.traffic, &envelope, part);
        self.work(rank, by_sender);
        let rested = to != rank && std::mem::take(&mut self.ranks[rank as usize].rested);
        let flight = if rested { self.platform.after_wait(&envelope) } else { Span::ZERO };
        let carried = Carried { held: by_receiver, flight, read: touched };
        let carried = carried.if_any(&mut self.carried);
        self.issue(Channel::Steps, envelope, carried, blocking);
    }

    /// Lets another rank leave a barrier `later` after this one entered it.
    pub(crate) fn release(&mut self, rank: u32, to: u32, later: Span) {
        // A rank that lets others go does not wait for them.
        let carried = Carried { flight: later, ..Carried::default() };
        let carried = carried.if_any(&mut self.carried);
        self.issue(Channel::Release, Envelope { from: rank, to, bytes: 0 }, carried, true);
    }

    /// Issues a message, with the delays that it brings beside those of the network. A blocking send that is released
    /// already needs no request.
    fn issue(&mut self, channel: Channel, envelope: Envelope, carried: Option<Box<Carried>>, blocking: bool) {
        let Envelope { from: rank, to, .. } = envelope;
        self.messages += 1;
        self.wake(rank);
        self.recorder.idled(rank, self.ranks[rank as usize].cpu);
        let send = |carrier: Carrier, port: &mut Port, cpu: &mut RecordedCpu| carrier.send(port, &envelope, cpu);
        let mut departure = self.on_port(rank, channel, Activity::Sending, send);
        if let Some(carried) = carried.as_deref() {
            departure.arrival = departure.arrival.map(|arrival| arrival + carried.longer());
            departure.released = departure.released.map(|released| released + carried.held);
        }
        self.recorder.sent(rank, &departure);
        let state = &mut self.ranks[rank as usize];
        let request = state.requests.len() as u32;
        match departure.released.filter(|_| blocking) {
            Some(released) => self.let_go(rank, released),
            None => state.requests.push(Request::Send { to, released: departure.released }),
        }
        let message = UnmetMessage { envelope, departure, carried, request };
        let lane = self.lanes.between(rank, to, channel, &mut self.ranks[to as usize].last_lane);
        match lane.receives.pop_front() {
            Some(receive) => self.meet(message, receive),
            None => lane.messages.push_back(message),
        }
    }

    /// Releases a rank from its sends.
    #[inline(always)]
    fn let_go(&mut self, rank: u32, released: Time) {
        let state = &mut self.ranks[rank as usize];
        state.cpu = state.cpu.max(released);
        self.recorder.released(rank, state.cpu);
    }

    /// Matches a message with its receive: both ends know their times by then.
    fn meet(&mut self, message: UnmetMessage, receive: u32) {
        let (from, to) = (message.envelope.from, message.envelope.to);
        let receiver = &mut self.ranks[to as usize];
        let Request::Receive { posted, channel, arrived, into, .. } = &mut receiver.requests[receive as usize] else {
            unreachable!("lanes hold the numbers of receives");
        };
        let (envelope, departure) = (&message.envelope, &message.departure);
        let mut matched = match channel {
            Channel::Steps => self.platform.matched(&mut self.traffic, envelope, departure, *posted),
            Channel::Release => FREE.matched(envelope, departure, *posted),
        };
        if let Some(carried) = message.carried.as_deref() {
            if departure.arrival.is_none() {
                matched.arrival += carried.longer();
            }
            if departure.released.is_none() {
                matched.released += carried.longer();
            }
            if let Some(into) = into {
                into.read = carried.read;
            }
        }
        *arrived = Some((message.envelope, matched.arrival));
        self.recorder.flew(&message.envelope, &matched);
        self.learn(to, receive);
        if message.departure.released.is_none() {
            let sender = &mut self.ranks[from as usize];
            if let Request::Send { released, .. } = &mut sender.requests[message.request as usize] {
                *released = Some(matched.released);
            }
            self.learn(from, message.request);
        }
        self.carried.take_back(message.carried);
    }

    fn on_port<T>(
        &mut self,
        rank: u32,
        channel: Channel,
        activity: Activity,
        act: impl FnOnce(Carrier, &mut Port, &mut RecordedCpu) -> T,
    ) -> T {
        let state = &mut self.ranks[rank as usize];
        let mut free = Port::default();
        let port = match channel {
            Channel::Steps => &mut state.ports[0],
            Channel::Release => &mut free,
        };
        port.cpu = state.cpu;
        let mut cpu = self.recorder.cpu(rank, activity, &self.noise, &mut state.cursor);
        let carrier = match channel {
            Channel::Steps => Carrier::Steps(&self.platform, &mut self.traffic),
            Channel::Release => Carrier::Free,
        };
        let result = act(carrier, port, &mut cpu);
        state.cpu = port.cpu;
        result
    }

    /// Returns the error for a state in which nothing can happen any more and `unfinished` ranks are left.
    pub(crate) fn deadlock(&self, unfinished: impl Iterator<Item = u32>) -> SimError {
        let waiting = unfinished.map(|rank| self.ranks[rank as usize].waits_for(rank));
        SimError::Deadlock { at_ps: self.turns.now().0, waiting: waiting.collect() }
    }

    /// Fails for the first rank whose time ran out of range.
    pub(crate) fn overflow(&self) -> Result<(), SimError> {
        match self.ranks.iter().position(|state| state.cpu == Time::END) {
            Some(rank) => Err(SimError::Overflow { rank: rank as u32 }),
            None => Ok(()),
        }
    }
}
