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

#[test]
fn a_latency_within_a_switch_counts_where_a_placement_knows_switches() {
    let near = Near { near: Span::from_ns(40), far: Span::from_ns(100) };
    let refinements = Refinements { near: Some(near), ..Refinements::default() };
    let of = |network, text: &str| Platform::parse_over(network, refinements.clone(), text, NO_FILE).unwrap();
    // Of rank 0 to one on its node, on its switch, and beyond.
    let latencies = |platform: &Platform| [1, 2, 4].map(|to| platform.network_of(0, to).parameters()[0].1.clone());
    let by = |text: &str| latencies(&of(loggops(), text));
    assert_eq!(by("placement=block:1/2/4"), ["40ns", "40ns", "100ns"]);
    assert_eq!(by("placement=list:0.0.0/0.0.1/0.1.0/0.1.0/1.0.0"), ["40ns", "40ns", "100ns"]);
    assert_eq!(by("placement=block:1/2/4,class.node.L=7ns"), ["7ns", "40ns", "100ns"]);
    assert_eq!(by("placement=block:1/2/4,class.switch.L=50ns"), ["50ns", "50ns", "100ns"], "what is said counts");
    assert_eq!(by("placement=block:1/2/4,class.switch.g=9ns"), ["40ns", "40ns", "100ns"]);
    for nowhere in ["", "connect=1us", "placement=block:2", "placement=block:1/2", "placement=cyclic:2"] {
        assert_eq!(by(nowhere), ["100ns"; 3], "{nowhere}");
    }
    let hockney = network::parse("hockney", Some("alpha=500,beta=1"), None).unwrap();
    assert_eq!(latencies(&of(hockney, "placement=block:1/2/4")), ["440ns", "440ns", "500ns"]);
    let placed = of(loggops(), "placement=block:1/2/4");
    let again = Platform::parse_over(loggops(), placed.refinements().unwrap().clone(), "connect=1us", NO_FILE).unwrap();
    assert_eq!(latencies(&again), latencies(&placed));
}

#[test]
fn switches_are_told_apart_where_some_nodes_share_one_and_others_do_not() {
    let told = |text: &str, ranks| text.parse::<Placement>().unwrap().tells_switches_apart(ranks);
    assert!(told("block:1/1/2", 3) && told("list:0.0.0/1.0.0/0.1.0", 3));
    assert!(!told("block:1/1/2", 2) && !told("list:0.0.0/1.0.0/0.1.0", 2));
    assert!(!told("list:0.0.0/0.0.0/1.0.0", 3), "no two nodes of one switch");
    assert!(!told("list:0.0.0/0.1.0/0.1.0", 3), "one switch");
    assert!(!told("block:1/2", 8) && !told("cyclic:2", 8));
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
