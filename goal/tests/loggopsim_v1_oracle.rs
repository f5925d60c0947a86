//! LogGOPSim's rules restated without any cleverness: an event that cannot begin is put back at the time at which
//! its CPU and interface will be free, again and again, and queues are searched from the front.

use models::engine::Engine;
use models::noise::Quiet;
use parallax_goal::{ANY, Op, OpKind, Schedule, text};
use parallax_goal::{LoggopsimV1, Rules, run};
use proptest::prelude::*;
use std::collections::BTreeSet;

const L: u64 = 700;
const O_CPU: u64 = 300;
const G_GAP: u64 = 500;
const G_BYTE: u64 = 3;
const O_BYTE: u64 = 2;
const S: u64 = 60;

#[derive(Clone, Copy)]
struct Waiting {
    op: u32,
    rank: u32,
}

struct Plain<'s> {
    schedule: &'s Schedule,
    /// (time, sequence, rank, operation, is a message)
    queue: BTreeSet<(u64, u64, u32, u32, bool)>,
    sequence: u64,
    pending: Vec<u32>,
    cpu: Vec<[u64; 2]>,
    next_send: Vec<[u64; 2]>,
    next_receive: Vec<[u64; 2]>,
    posted: Vec<Vec<u32>>,
    unexpected: Vec<Vec<Waiting>>,
    enabled: Vec<(u32, u32)>,
    done: usize,
}

impl Plain<'_> {
    fn op(&self, op: u32) -> Op {
        self.schedule.ops()[op as usize]
    }

    fn queue_enabled(&mut self) {
        let mut enabled = std::mem::take(&mut self.enabled);
        enabled.sort_by_key(|&(rank, op)| (rank, self.op(op).kind));
        for (rank, op) in enabled {
            let Op { kind, cpu, nic, .. } = self.op(op);
            let free = self.cpu[rank as usize][cpu as usize];
            let next = self.next_send[rank as usize][nic as usize];
            self.put(if kind == OpKind::Send { free.max(next) } else { free }, rank, op, false);
        }
    }

    fn put(&mut self, time: u64, rank: u32, op: u32, is_message: bool) {
        self.queue.insert((time, self.sequence, rank, op, is_message));
        self.sequence += 1;
    }

    fn pass(&mut self, rank: u32, op: u32, on_start: bool) {
        for edge in self.schedule.dependents(op).iter().filter(|edge| edge.on_start() == on_start) {
            self.pending[edge.dependent() as usize] -= 1;
            if self.pending[edge.dependent() as usize] == 0 {
                self.enabled.push((rank, edge.dependent()));
            }
        }
        self.done += usize::from(!on_start);
    }

    fn fits(&self, receive: u32, message: Waiting) -> bool {
        let (receive, send) = (self.op(receive), self.op(message.op));
        (receive.peer == ANY || receive.peer == message.rank)
            && (receive.tag == ANY || send.tag == ANY || receive.tag == send.tag)
    }

    fn meet(&mut self, rank: u32, receive: u32, message: Waiting, (cpu, nic): (u8, u8), now: u64) {
        if self.op(message.op).size > S {
            let from = message.rank as usize;
            self.cpu[from][cpu as usize] = self.cpu[from][cpu as usize].max(now);
            self.next_send[from][nic as usize] = self.next_send[from][nic as usize].max(now);
            self.pass(message.rank, message.op, false);
        }
        self.pass(rank, receive, false);
    }

    fn step(&mut self) -> bool {
        let Some(event) = self.queue.pop_first() else { return false };
        let (now, sequence, rank, op, is_message) = event;
        let Op { kind, size, peer, cpu, nic, .. } = self.op(op);
        let (r, c, n) = (rank as usize, cpu as usize, nic as usize);
        let free = match (is_message, kind) {
            (true, _) => self.cpu[r][c].max(self.next_receive[r][n]),
            (false, OpKind::Send) => self.cpu[r][c].max(self.next_send[r][n]),
            (false, OpKind::Calc) => self.cpu[r][c],
            (false, OpKind::Receive) => 0,
        };
        if free > now {
            self.queue.insert((free, sequence, rank, op, is_message));
            return true;
        }
        let rest = size.max(1) - 1;
        match (is_message, kind) {
            (true, _) => {
                self.cpu[r][c] = now + O_CPU + (rest * O_BYTE).max(rest * G_BYTE);
                self.next_receive[r][n] = now + G_GAP + rest * G_BYTE;
                let message = Waiting { op, rank: self.schedule.rank_of(op) };
                match self.posted[r].iter().position(|&receive| self.fits(receive, message)) {
                    Some(at) => {
                        let receive = self.posted[r].remove(at);
                        self.meet(rank, receive, message, (cpu, nic), now);
                    }
                    None => self.unexpected[r].push(message),
                }
            }
            (false, OpKind::Calc) => {
                self.cpu[r][c] = now + size;
                self.pass(rank, op, true);
                self.pass(rank, op, false);
            }
            (false, OpKind::Send) => {
                self.cpu[r][c] = now + O_CPU + rest * O_BYTE;
                self.next_send[r][n] = now + G_GAP + rest * G_BYTE;
                self.put(now + O_CPU + L, peer, op, true);
                self.pass(rank, op, true);
                if size <= S {
                    self.pass(rank, op, false);
                }
            }
            (false, OpKind::Receive) => {
                self.pass(rank, op, true);
                match self.unexpected[r].iter().position(|&message| self.fits(op, message)) {
                    Some(at) => {
                        let message = self.unexpected[r].remove(at);
                        self.meet(rank, op, message, (cpu, nic), now);
                    }
                    None => self.posted[r].push(op),
                }
            }
        }
        self.queue_enabled();
        true
    }
}

/// Finish times in ns, or nothing if something was left over.
fn plain(schedule: &Schedule) -> Option<Vec<u64>> {
    let ranks = schedule.ranks() as usize;
    let mut plain = Plain {
        schedule,
        queue: BTreeSet::new(),
        sequence: 0,
        pending: schedule.dependency_counts(),
        cpu: vec![[0; 2]; ranks],
        next_send: vec![[0; 2]; ranks],
        next_receive: vec![[0; 2]; ranks],
        posted: vec![Vec::new(); ranks],
        unexpected: vec![Vec::new(); ranks],
        enabled: Vec::new(),
        done: 0,
    };
    for rank in 0..schedule.ranks() {
        for op in schedule.ops_of(rank).filter(|&op| plain.pending[op as usize] == 0).collect::<Vec<_>>() {
            plain.enabled.push((rank, op));
        }
    }
    plain.queue_enabled();
    while plain.step() {}
    let left = plain.posted.iter().any(|list| !list.is_empty()) || plain.unexpected.iter().any(|list| !list.is_empty());
    (!left && plain.done == schedule.ops().len()).then(|| plain.cpu.iter().map(|cpus| cpus[0].max(cpus[1])).collect())
}

/// Messages between four ranks, half of the schedules with wildcards, two CPUs and interfaces; dependencies only on what is
/// above.
fn any_schedule() -> impl Strategy<Value = String> {
    let item = (0u32..5, 0u32..4, 0u32..4, 0u64..120, 0u32..3, (0u32..2, 0u32..2), 0u32..8);
    let dependency = (0u32..4, 0usize..40, 0usize..40, any::<bool>());
    let all = (prop::collection::vec(item, 1..30), prop::collection::vec(dependency, 0..30), any::<bool>());
    all.prop_map(|(items, dependencies, is_plain)| {
        let mut ranks: Vec<Vec<String>> = vec![Vec::new(); 4];
        for (kind, a, b, size, tag, labels, wild) in items {
            let ((cpu, nic), wild) = if is_plain { ((0, 0), 7) } else { (labels, wild) };
            if kind == 0 {
                ranks[a as usize].push(format!("calc {} cpu {cpu}", size * 100));
                continue;
            }
            let from = if wild == 0 { "-1".to_owned() } else { a.to_string() };
            let expected = if wild == 1 { "-1".to_owned() } else { tag.to_string() };
            ranks[a as usize].push(format!("send {size}b to {b} tag {tag} cpu {cpu} nic {nic}"));
            ranks[b as usize].push(format!("recv {size}b from {from} tag {expected} cpu {nic} nic {cpu}"));
        }
        let mut text = "num_ranks 4\n".to_owned();
        for (rank, ops) in ranks.iter().enumerate() {
            text += &format!("rank {rank} {{\n");
            ops.iter().enumerate().for_each(|(index, op)| text += &format!("l{index}: {op}\n"));
            for &(of, a, b, on_start) in &dependencies {
                if of as usize == rank && ops.len() > 1 && a % ops.len() != b % ops.len() {
                    let (early, late) = ((a % ops.len()).min(b % ops.len()), (a % ops.len()).max(b % ops.len()));
                    text += &format!("l{late} {} l{early}\n", if on_start { "irequires" } else { "requires" });
                }
            }
            text += "}\n";
        }
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases * 2))]

    #[test]
    fn waiting_in_lines_is_the_same_as_being_put_back(text in any_schedule()) {
        use models::time::{PerByte, Span, Time};
        let schedule = text::read("", text.as_bytes()).unwrap();
        let rules = LoggopsimV1 {
            latency: Span::from_ns(L),
            overhead: Span::from_ns(O_CPU),
            gap: Span::from_ns(G_GAP),
            gap_per_byte: PerByte::from_ns(G_BYTE as f64),
            overhead_per_byte: PerByte::from_ns(O_BYTE as f64),
            eager_limit: S,
        };
        let ours = run(&schedule, &Rules::LoggopsimV1(rules), &Quiet, Engine::Event);
        match plain(&schedule) {
            Some(finish) => {
                let finish: Vec<Time> = finish.into_iter().map(|ns| Time(ns * 1000)).collect();
                prop_assert_eq!(ours.unwrap().finish, finish, "{}", text);
            }
            None => prop_assert!(ours.is_err(), "{}", text),
        }
    }
}
