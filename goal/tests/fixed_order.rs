//! Finish times as functions of parameters: where the order of work is fixed they are convex, and their pieces are those of
//! runs at every value; slopes are those of closed forms and of critical paths.

use models::collective::{Algorithm, Collective, Shape};
use models::engine::Engine;
use models::network::{Network, parse};
use models::noise::Quiet;
use models::piecewise::Pieces;
use parallax_goal::{Rules, Schedule, critical_path, export, fixed_order, run, text};
use proptest::prelude::*;

fn finish(schedule: &Schedule, network: Network) -> u64 {
    let run = run(schedule, &Rules::Network(network), &Quiet, Engine::Event).unwrap();
    run.finish.iter().map(|time| time.0).max().unwrap_or_default()
}

fn pieces(schedule: &Schedule, network: &Network, name: &str, to: u64) -> Pieces {
    let at = |value| network.with(name, value).unwrap();
    fixed_order(schedule, &[Rules::Network(at(0)), Rules::Network(at(to))]).unwrap();
    Pieces::find(0..=to, true, |value| Ok::<u64, ()>(finish(schedule, at(value)))).unwrap()
}

fn collective(kind: Collective, algorithm: &str, ranks: u32, bytes: u64) -> Schedule {
    export(Algorithm::find(kind, algorithm).unwrap(), &Shape::new(ranks, 0, bytes), 1).unwrap()
}

/// (slope, value at zero, from) of each piece.
fn lines(pieces: &Pieces) -> Vec<(i64, i128, u64)> {
    pieces.pieces.iter().map(|piece| (piece.slope, piece.intercept(), piece.from)).collect()
}

#[test]
fn a_linear_broadcast_has_the_slopes_of_its_closed_form() {
    // P − 1 = 7 sends: the last one begins after 6 · max(o, g + B·G), and then takes o + B·G + L + o; B = 9.
    let network = parse("loggp", Some("L=100ps,o=10ps,g=40ps,G=2ps/B"), None).unwrap();
    let schedule = collective(Collective::Bcast, "linear", 8, 10);
    assert_eq!(lines(&pieces(&schedule, &network, "L", 10_000)), [(1, 6 * 58 + 38, 0)]);
    assert_eq!(lines(&pieces(&schedule, &network, "G", 1_000)), [(63, 6 * 40 + 120, 0)]);
    // o = g + B·G = 58 is where the sender's CPU takes over.
    assert_eq!(lines(&pieces(&schedule, &network, "o", 10_000)), [(2, 466, 0), (8, 118, 59)]);
    // o = 60: g + 18 = 60 is where its interface does.
    let slow = network.with("o", 60).unwrap();
    assert_eq!(lines(&pieces(&schedule, &slow, "g", 10_000)), [(0, 6 * 60 + 238, 0), (6, 6 * 18 + 238, 43)]);
}

#[test]
fn a_binomial_broadcast_has_the_slopes_of_its_closed_form() {
    // 16 ranks, g ≤ o: log₂ 16 = 4 messages one after the other, each 2o + L + B·G; B = 9.
    let network = parse("loggp", Some("L=100ps,o=50ps,g=10ps,G=2ps/B"), None).unwrap();
    let schedule = collective(Collective::Bcast, "binomial", 16, 10);
    assert_eq!(lines(&pieces(&schedule, &network, "L", 1_000_000)), [(4, 4 * 118, 0)]);
    assert_eq!(lines(&pieces(&schedule, &network, "o", 1_000_000))[..], [(8, 4 * 118, 0)][..], "while g + B·G ≤ o + …");
}

#[test]
fn a_dissemination_barrier_has_the_slopes_of_its_closed_form() {
    // ⌈log₂ P⌉ rounds of o + L + o, all ranks alike, while g ≤ o.
    for (ranks, rounds) in [(2, 1), (5, 3), (16, 4), (17, 5)] {
        let network = parse("logp", Some("L=100ps,o=50ps,g=10ps"), None).unwrap();
        let schedule = collective(Collective::Barrier, "dissemination", ranks, 0);
        assert_eq!(lines(&pieces(&schedule, &network, "L", 1_000_000)), [(rounds, i128::from(rounds) * 100, 0)]);
    }
}

#[test]
fn a_ring_has_the_slopes_of_its_closed_form() {
    // P − 1 = 5 steps of 2o + L + B·O + B·max(G, O), B = 99; O = G = 3 is where the CPU takes over from the network.
    let network = parse("loggops", Some("L=100000ps,o=50000ps,g=10ps,G=3ps/B,O=1ps/B,S=none"), None).unwrap();
    let schedule = collective(Collective::Allgather, "ring", 6, 100);
    assert_eq!(lines(&pieces(&schedule, &network, "L", 1_000_000)), [(5, 5 * (100_000 + 396), 0)]);
    let found = lines(&pieces(&schedule, &network, "O", 100));
    assert_eq!(found, [(5 * 99, 5 * (200_000 + 297), 0), (5 * 198, 5 * 200_000, 4)]);
}

#[test]
fn orders_that_times_decide_are_not_said_to_be_fixed() {
    let network = Rules::Network(parse("loggops", None, None).unwrap());
    let held = Rules::Network(parse("loggops", Some("g=9us"), None).unwrap());
    let exchange = collective(Collective::Barrier, "dissemination", 8, 0);
    assert_eq!(fixed_order(&exchange, &[network]), Ok(()));
    let refused = |schedule: &Schedule, rules: &[Rules]| fixed_order(schedule, rules).unwrap_err();
    let wild = text::read("", b"num_ranks 1\nrank 0 {\na: send 1b to 0\nb: recv 1b from -1\nb requires a\n}").unwrap();
    let beside = text::read("", b"num_ranks 1\nrank 0 {\na: calc 1\nb: calc 2\n}").unwrap();
    let start = text::read("", b"num_ranks 1\nrank 0 {\na: calc 1\nb: calc 2\nb irequires a\n}").unwrap();
    let cpus = text::read("", b"num_ranks 1\nrank 0 {\na: calc 1 cpu 1\nb: calc 2\nb requires a\n}").unwrap();
    let v1 = Rules::LoggopsimV1(parallax_goal::LoggopsimV1::default());
    let said = [
        refused(&exchange, &[network, held]),
        refused(&wild, &[network]),
        refused(&beside, &[network]),
        refused(&start, &[network]),
        refused(&cpus, &[network]),
        refused(&exchange, &[v1]),
    ];
    insta::assert_snapshot!(said.join("\n"));
}

/// Five ranks whose points follow each other; a point is a calculation, or a message, or a step that exchanges two.
fn any_order() -> impl Strategy<Value = Schedule> {
    proptest::collection::vec((0u32..4, 0u32..5, 1u32..5, 0u64..60), 1..20).prop_map(|points| {
        let mut levels: Vec<Vec<Vec<String>>> = vec![Vec::new(); 5];
        for (kind, a, shift, size) in points {
            let b = (a + shift) % 5;
            match kind {
                0 => levels[a as usize].push(vec![format!("calc {}", size / 20)]),
                1 => {
                    levels[a as usize].push(vec![format!("send {size}b to {b}")]);
                    levels[b as usize].push(vec![format!("recv {size}b from {a}")]);
                }
                _ => (0..5u32).for_each(|rank| {
                    let (to, from) = ((rank + shift) % 5, (rank + 5 - shift) % 5);
                    levels[rank as usize]
                        .push(vec![format!("send {size}b to {to}"), format!("recv {size}b from {from}")]);
                }),
            }
        }
        let mut text = "num_ranks 5\n".to_owned();
        for (rank, levels) in levels.iter().enumerate() {
            text += &format!("rank {rank} {{\n");
            for (at, level) in levels.iter().enumerate() {
                for (part, op) in level.iter().enumerate() {
                    text += &format!("l{at}_{part}: {op}\n");
                    let before = at.checked_sub(1).map_or(0, |before| levels[before].len());
                    (0..before).for_each(|earlier| text += &format!("l{at}_{part} requires l{}_{earlier}\n", at - 1));
                }
            }
            text += "}\n";
        }
        text::read("", text.as_bytes()).unwrap()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    /// Pieces against runs at every value, bit for bit, and slopes against the critical path's counts.
    #[test]
    fn pieces_are_those_of_all_runs(
        schedule in any_order(),
        (latency, overhead, gap) in (0u64..400, 0u64..60, 0u64..80),
        (stretch, handling, rendezvous) in (0u64..4, 0u64..4, any::<bool>()),
        name in prop_oneof![Just("L"), Just("o"), Just("os"), Just("or"), Just("g"), Just("G"), Just("O")],
    ) {
        let limit = if rendezvous { "20B" } else { "none" };
        let settings = format!("L={latency}ps,o={overhead}ps,g={gap}ps,G={stretch}ps/B,O={handling}ps/B,S={limit}");
        let network = parse("loggops", Some(&settings), None).unwrap();
        let to = if matches!(name, "G" | "O") { 30 } else { 300 };
        let at = |value| network.with(name, value).unwrap();
        let ends = [Rules::Network(at(0)), Rules::Network(at(to))];
        // Senders that wait may wait for each other.
        if fixed_order(&schedule, &ends).is_err() || run(&schedule, &ends[0], &Quiet, Engine::Event).is_err() {
            return Ok(());
        }
        let found = Pieces::find(0..=to, true, |value| Ok::<u64, ()>(finish(&schedule, at(value)))).unwrap();
        for value in 0..=to {
            let piece = found.piece_at(value).unwrap();
            prop_assert_eq!(piece.at(value), i128::from(finish(&schedule, at(value))), "{} = {}", name, value);
        }
        for piece in found.pieces.iter().filter(|piece| piece.from + 2 <= piece.to) {
            let path = critical_path(&schedule, &at(piece.from + 1), &Quiet).unwrap();
            let slope = path.terms.count(name);
            prop_assert_eq!(Some(piece.slope as u64), slope, "{} {:?} {:?}", name, piece, path);
        }
    }
}
