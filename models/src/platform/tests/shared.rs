//! Refinements that ranks share: connections and links.

use super::*;

#[test]
fn the_first_message_of_a_pair_connects_it_in_both_directions() {
    let platform = platform("connect=1us");
    assert!(platform.needs_order());
    let mut ranks = Ranks::new(3);
    let quiet = &mut Quiet;
    assert_eq!(ranks.transfer(&platform, 0, 1, 1, quiet), ns(1_000 + 110));
    assert_eq!(ranks.ports[0].cpu, ns(1_010), "the sender waits until it is connected");
    assert_eq!(ranks.transfer(&platform, 1, 0, 1, quiet), ns(1_120 + 110));
    assert_eq!(ranks.transfer(&platform, 0, 1, 1, quiet), ns(1_240 + 110));
    assert_eq!(ranks.transfer(&platform, 2, 1, 1, quiet), ns(1_000 + 110), "another pair connects on its own");
    assert_eq!(ranks.transfer(&platform, 0, 0, 1, quiet), ns(1_250 + 110), "nobody connects to himself");
}

#[test]
fn an_exchange_waits_for_one_connection() {
    let platform = platform("connect=1us");
    let mut traffic = Traffic::default();
    let mut ports = [Port::default(), Port { cpu: ns(400), ..Port::default() }];
    let mut send = |from: u32, to: u32| {
        let message = Message { from, to, bytes: 1 };
        platform.send(&mut traffic, &mut ports[from as usize], &message, &mut Quiet).arrival
    };
    assert_eq!([send(0, 1), send(1, 0)], [Some(ns(1_110)), Some(ns(1_110))]);
}

#[test]
fn messages_to_one_rank_follow_each_other_on_its_link() {
    let platform = platform("links=injection");
    assert!(platform.needs_order());
    // Each alone would arrive at 10 + 99 + 100; the last link carries one after the other.
    let there = arrivals(&platform, &[(0, 3, 100), (1, 3, 100), (2, 3, 100), (4, 5, 100)]);
    assert_eq!(there, [ns(209), ns(308), ns(407), ns(209)]);
    // Full duplex: the other direction is free.
    assert_eq!(arrivals(&platform, &[(0, 1, 100), (2, 0, 100)]), [ns(209), ns(209)]);
}

#[test]
fn a_sender_that_pays_g_never_waits_for_its_own_link() {
    let platform = platform("links=injection");
    let messages = [(0, 1, 100), (0, 2, 50), (0, 3, 1), (0, 4, 1_000), (0, 5, 2)];
    assert_eq!(arrivals(&platform, &messages), arrivals(&Platform::plain(loggops()), &messages));
}

#[test]
fn senders_that_wait_for_their_transfer_wait_for_links_too() {
    let t = |model: &str, settings, rule, rate: &str| {
        let network = network::parse(model, Some(settings), rule).unwrap();
        let platform = Platform::parse(network, &format!("links=injection{rate}"), NO_FILE).unwrap();
        let mut ranks = Ranks::new(3);
        for from in [0, 1] {
            ranks.transfer(&platform, from, 2, 100, &mut Quiet);
        }
        (ranks.ports[1].cpu, ranks.ports[2].cpu)
    };
    // T = 200: the first holds the link for 100; links that let everything through at once leave 200.
    for rule in ["busy", "synchronous"] {
        let contended = t("hockney", "alpha=100,beta=1", Some(rule), "");
        let free = t("hockney", "alpha=100,beta=1", Some(rule), ",links-G=0");
        let expected = if rule == "busy" { (ns(300), ns(200)) } else { (ns(400), ns(400)) };
        assert_eq!((contended.0, free.0), expected, "{rule}");
    }
    assert_eq!(t("hockney", "alpha=100,beta=1", Some("eager"), ""), (ns(0), ns(300)));
    // A rendezvous enters its links when it is matched.
    let waiting = t("loggops", "L=100,o=10,g=0,G=1,S=0", None, "");
    assert_eq!(waiting, (ns(219 + 99), ns(219 + 99 + 100 + 10)));
}

#[test]
fn routes_in_a_torus_are_as_long_as_the_way_round_each_ring() {
    let extents = [4u32, 3, 2];
    let links = Links::new(Some("torus:4x3x2".parse().unwrap()), None);
    let coordinates = |host: u32| [host % 4, host / 4 % 3, host / 12];
    for from in 0..24 {
        for to in 0..24 {
            let distance: u32 = (0..3)
                .map(|axis| {
                    let apart = coordinates(from)[axis].abs_diff(coordinates(to)[axis]);
                    apart.min(extents[axis] - apart)
                })
                .sum();
            assert_eq!(links.hops(from, to), distance as usize, "{from} to {to}");
        }
    }
}

#[test]
fn a_torus_routes_by_dimension_and_shares_links() {
    let platform = platform("links=torus:4x4");
    // 0 → 1 → 5, 0's neighbour 1 → 5 uses the same last link; 4 → 5 does not.
    let there = arrivals(&platform, &[(0, 5, 100), (1, 5, 100)]);
    assert_eq!(there, [ns(209), ns(308)]);
    // 0 → 5 goes by 1, so a message 1 → 2 is free, and so is 0 → 4 → 8 for another sender.
    let there = arrivals(&platform, &[(0, 5, 100), (4, 9, 100), (1, 2, 100)]);
    assert_eq!(there, [ns(209), ns(209), ns(209)]);
    // 0 → 2 and 1 → 2 meet on the link 1 → 2 and at 2; 3 → 2 meets them at 2 alone.
    let there = arrivals(&platform, &[(0, 2, 100), (1, 6, 100), (13, 1, 100)]);
    assert_eq!(there, [ns(209), ns(308), ns(209)]);
}

#[test]
fn routes_in_a_fat_tree_have_two_four_or_six_links() {
    let links = Links::new(Some("fat-tree:4".parse().unwrap()), None);
    for from in 0..16 {
        for to in 0..16 {
            let expected = match (from == to, from / 2 == to / 2, from / 4 == to / 4) {
                (true, ..) => 0,
                (_, true, _) => 2,
                (_, _, true) => 4,
                _ => 6,
            };
            assert_eq!(links.hops(from, to), expected, "{from} to {to}");
        }
    }
}

#[test]
fn a_fat_tree_carries_a_shift_by_one_pod_without_contention() {
    // Routes are spread by destination, so the hosts of a pod reach those of the next on links of their own.
    let platform = platform("links=fat-tree:4");
    let shift: Vec<(u32, u32, u64)> = (0..16).map(|host| (host, (host + 4) % 16, 100)).collect();
    // Each rank sends, then receives: all are free at 0 when their message is issued.
    let mut traffic = Traffic::default();
    for (from, to, bytes) in shift {
        let message = Message { from, to, bytes };
        let departure = platform.send(&mut traffic, &mut Port::default(), &message, &mut Quiet);
        assert_eq!(departure.arrival, Some(ns(209)), "{from} to {to}");
    }
    // Two hosts of one switch that send to destinations of the same digits share the way up.
    assert_eq!(arrivals(&platform, &[(0, 4, 100), (1, 8, 100)]), [ns(209), ns(308)]);
    assert_eq!(arrivals(&platform, &[(0, 4, 100), (1, 9, 100)]), [ns(209), ns(209)]);
}

#[test]
fn ranks_of_a_node_share_its_way_into_the_topology() {
    let messages = [(0, 4, 100), (1, 6, 100), (2, 3, 100)];
    let shared = platform("links=fat-tree:4,placement=block:4");
    assert_eq!(arrivals(&shared, &messages), [ns(209), ns(308), ns(209)]);
    assert_eq!(shared.check(64), Ok(()));
    insta::assert_snapshot!(shared.check(65).unwrap_err());
}
