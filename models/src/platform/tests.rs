//! A platform without refinements is its network; each refinement does what it says and no more.

use super::*;
use crate::network;
use crate::network::tests::any_detours;
use crate::noise::Quiet;
use proptest::prelude::*;

mod local;
mod shared;
mod text;

const NO_FILE: fn(&str) -> Result<String, String> = |name| Err(format!("cannot read {name}"));

fn loggops() -> Network {
    network::parse("loggops", Some("L=100,o=10,g=5,G=1,O=0,S=none"), None).unwrap()
}

fn platform(text: &str) -> Platform {
    Platform::parse(loggops(), text, NO_FILE).unwrap()
}

fn error(text: &str) -> String {
    Platform::parse(loggops(), text, NO_FILE).unwrap_err()
}

fn ns(n: u64) -> Time {
    Time(n * 1_000)
}

/// Ranks that are sent messages one after the other; every receive is posted when its rank is free.
struct Ranks {
    ports: Vec<Port>,
    traffic: Traffic,
}

impl Ranks {
    fn new(ranks: usize) -> Ranks {
        Ranks { ports: vec![Port::default(); ranks], traffic: Traffic::default() }
    }

    /// One message; when it arrives. Both ranks' CPU times come from one source.
    fn transfer(&mut self, platform: &Platform, from: u32, to: u32, bytes: u64, cpu: &mut impl Advance) -> Time {
        let message = Message { from, to, bytes };
        let (departure, posted) = self.send(platform, &message, cpu);
        self.receive(platform, &message, &departure, posted, cpu)
    }

    /// The same, each rank with its own CPU.
    fn transfer_between(
        &mut self,
        platform: &Platform,
        message: Message,
        from: &mut impl Advance,
        to: &mut impl Advance,
    ) {
        let (departure, posted) = self.send(platform, &message, from);
        self.receive(platform, &message, &departure, posted, to);
    }

    fn send(&mut self, platform: &Platform, message: &Message, cpu: &mut impl Advance) -> (Departure, Time) {
        let sender = &mut self.ports[message.from as usize];
        let departure = platform.send(&mut self.traffic, sender, message, cpu);
        (departure, self.ports[message.to as usize].cpu)
    }

    fn receive(
        &mut self,
        platform: &Platform,
        message: &Message,
        departure: &Departure,
        posted: Time,
        cpu: &mut impl Advance,
    ) -> Time {
        let matched = platform.matched(&mut self.traffic, message, departure, posted);
        let sender = &mut self.ports[message.from as usize];
        sender.cpu = sender.cpu.max(matched.released);
        platform.receive(&mut self.ports[message.to as usize], message, matched.arrival, cpu);
        matched.arrival
    }
}

/// Arrivals of messages (from, to, bytes), each sender and receiver idle until then.
fn arrivals(platform: &Platform, messages: &[(u32, u32, u64)]) -> Vec<Time> {
    let mut ranks = Ranks::new(64);
    messages.iter().map(|&(from, to, bytes)| ranks.transfer(platform, from, to, bytes, &mut Quiet)).collect()
}

fn any_messages() -> impl Strategy<Value = Vec<(u32, u32, u64)>> {
    proptest::collection::vec((0u32..8, 0u32..8, 0u64..5_000), 0..40)
}

fn any_model() -> impl Strategy<Value = Network> {
    let models = ["hockney", "logp", "loggp", "loggops", "plogp"].map(|model| (model, None));
    let rules = ["synchronous", "detached", "eager"].map(|rule| ("hockney", Some(rule)));
    let all: Vec<Network> =
        models.into_iter().chain(rules).map(|(model, rule)| network::parse(model, None, rule).unwrap()).collect();
    let waiting = network::parse("loggops", Some("S=100,O=2,rendezvous=round-trip"), None).unwrap();
    proptest::sample::select([all, vec![waiting]].concat())
}

/// The same messages on the network itself.
fn on_network(network: &Network, messages: &[(u32, u32, u64)]) -> Vec<Port> {
    let mut ports = vec![Port::default(); 8];
    for &(from, to, bytes) in messages {
        let message = Message { from, to, bytes };
        let departure = network.send(&mut ports[from as usize], &message, &mut Quiet);
        let matched = network.matched(&message, &departure, ports[to as usize].cpu);
        let sender = &mut ports[from as usize];
        sender.cpu = sender.cpu.max(matched.released);
        network.receive(&mut ports[to as usize], &message, matched.arrival, &mut Quiet);
    }
    ports
}

fn on_platform(platform: &Platform, messages: &[(u32, u32, u64)]) -> Vec<Port> {
    let mut ranks = Ranks::new(8);
    for &(from, to, bytes) in messages {
        ranks.transfer(platform, from, to, bytes, &mut Quiet);
    }
    ranks.ports
}

proptest! {
    #[test]
    fn a_plain_platform_is_its_network(model in any_model(), messages in any_messages()) {
        prop_assert_eq!(on_platform(&Platform::plain(model), &messages), on_network(&model, &messages));
    }

    #[test]
    fn refinements_that_cost_nothing_change_nothing(model in any_model(), messages in any_messages()) {
        let free = "connect=0,inline=9B/0,fetch=0,load=3ns/B,fill=3ns/B,idle-cost=0,placement=block:2/4/8,\
                    class.socket.SAME,links=torus:2x3x2,links-G=0";
        let (key, value) = &model.parameters()[0];
        let free = free.replace("SAME", &format!("{key}={value}"));
        let platform = Platform::parse(model, &free, NO_FILE).unwrap();
        prop_assert!(!platform.is_plain());
        prop_assert_eq!(on_platform(&platform, &messages), on_network(&model, &messages));
    }

    #[test]
    fn refinements_finish_nothing_earlier(model in any_model(), messages in any_messages()) {
        let cost = "connect=30us,inline=9B/4us,links=fat-tree:4,links-G=8";
        let slow = on_platform(&Platform::parse(model, cost, NO_FILE).unwrap(), &messages);
        for (slow, plain) in slow.iter().zip(on_network(&model, &messages)) {
            prop_assert!(slow.cpu >= plain.cpu && slow.next_send >= plain.next_send, "{slow:?} before {plain:?}");
        }
    }

    #[test]
    fn noise_finishes_nothing_earlier(
        model in any_model(), messages in any_messages(), noise in proptest::collection::vec(any_detours(), 8),
    ) {
        let cost = "connect=3us,placement=block:2/4,class.node.L=30,links=torus:2x2";
        let cost = if matches!(model, Network::Hockney(_)) { cost.replace(".L=", ".alpha=") } else { cost.to_owned() };
        let platform = Platform::parse(model, &format!("{cost},links-G=8"), NO_FILE).unwrap();
        let mut ranks = Ranks::new(8);
        for &(from, to, bytes) in &messages {
            let mut cpus = (noise[from as usize].clone(), noise[to as usize].clone());
            ranks.transfer_between(&platform, Message { from, to, bytes }, &mut cpus.0, &mut cpus.1);
        }
        for (noisy, quiet) in ranks.ports.iter().zip(on_platform(&platform, &messages)) {
            prop_assert!(noisy.cpu >= quiet.cpu && noisy.next_send >= quiet.next_send, "{noisy:?} before {quiet:?}");
        }
    }
}
