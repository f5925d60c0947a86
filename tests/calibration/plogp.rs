//! PLogP: tables with bends come back point by point.

use crate::*;
use models::network::{CostTable, Plogp, TablePoint};
use programs::machine::Bound;

fn table(points: &[(u64, u64)]) -> CostTable {
    let points: Vec<TablePoint> = points.iter().map(|&(at, ns)| TablePoint { at, cost: Span::from_ns(ns) }).collect();
    CostTable::new(&points).expect("increasing lengths")
}

/// Costs that jump and bend, at lengths that a quick calibration tries.
fn bent() -> Plogp {
    Plogp {
        latency: Span::from_ns(700),
        overhead_send: table(&[(1, 200), (1_024, 260), (4_096, 900), (65_536, 1_100)]),
        overhead_receive: table(&[(1, 350), (512, 350), (8_192, 2_000), (65_536, 5_000)]),
        gap: table(&[(1, 400), (2_048, 900), (4_096, 1_500), (16_384, 3_000), (65_536, 20_000)]),
        eager_limit: u64::MAX,
    }
}

#[test]
fn senders_that_wait_are_found_to_wait() {
    let given = Plogp { eager_limit: 5_000, ..bent() };
    let settings = quick(65_536);
    let machine = calibrated(Network::Plogp(given), SendRule::Eager, &settings);
    let Ok(Some(Network::Plogp(found))) = machine.plogp(Bound::Best) else { panic!("PLogP") };
    assert_eq!(found.eager_limit, 5_000);
    for bytes in settings.bytes {
        for (name, pick) in TABLES {
            let (given, found) = (pick(&given).at(bytes).0, pick(&found).at(bytes).0);
            assert!(given.abs_diff(found) <= 2, "{name}({bytes}): {found} ps instead of {given}");
        }
    }
}

type Pick = fn(&Plogp) -> CostTable;
const TABLES: [(&str, Pick); 3] =
    [("o_s", |plogp| plogp.overhead_send), ("o_r", |plogp| plogp.overhead_receive), ("g", |plogp| plogp.gap)];

#[test]
fn bent_tables_come_back() {
    let given = bent();
    let settings = quick(65_536);
    let machine = calibrated(Network::Plogp(given), SendRule::Eager, &settings);
    let found = machine.plogp.as_ref().expect("PLogP was calibrated");
    exactly("L", found.latency_us, 0.7, 2.0 * PS);
    assert_eq!(found.points.iter().map(|point| point.bytes).collect::<Vec<_>>(), settings.bytes);
    for point in &found.points {
        let us = |table: CostTable| table.at(point.bytes).as_us();
        exactly("o_s", point.overhead_send_us, us(given.overhead_send), PS);
        exactly("o_r", point.overhead_receive_us, us(given.overhead_receive), PS);
        exactly("g", point.gap_us, us(given.gap), 2.0 * PS);
    }
    assert!(machine.notes.iter().all(|note| !note.starts_with("PLogP")), "{:?}", machine.notes);
    let Ok(Some(Network::Plogp(again))) = machine.plogp(Bound::Best) else { panic!("PLogP") };
    for bytes in [0, 1, 700, 3_000, 65_536, 1 << 20] {
        assert!(given.gap.at(bytes).0.abs_diff(again.gap.at(bytes).0) <= 100, "g({bytes})");
    }
}

#[test]
fn a_gap_below_the_overheads_is_taken_for_them() {
    // Kielmann's g(m) covers both overheads; one that does not cannot be seen.
    let given = Plogp { gap: table(&[(1, 100)]), ..bent() };
    let machine = calibrated(Network::Plogp(given), SendRule::Eager, &quick(512));
    let found = machine.plogp.expect("PLogP was calibrated");
    for point in &found.points {
        exactly("g", point.gap_us, 0.35, 2.0 * PS);
    }
    // One message takes what it took all the same.
    exactly("L", found.latency_us, 0.7 + 0.1 - 0.35, 2.0 * PS);
}
