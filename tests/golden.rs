//! What is predicted today is predicted tomorrow. `UPDATE_GOLDEN=1 cargo test --test golden` rewrites the
//! file; CHANGELOG.md then says what changed, from what to what, and why.

mod common;

use common::{order, perfect};
use models::collective::Collective;
use models::method::Method;
use models::network::{Hockney, LogGp, Network, SendRule};
use models::observation::times_per_call;
use models::time::{PerByte, Span};
use std::fmt::Write;

fn networks() -> Vec<Network> {
    let mut networks: Vec<Network> = SendRule::ALL
        .map(|send_rule| Network::Hockney(Hockney { alpha: Span::from_us(5), beta: PerByte::from_ns(0.04), send_rule }))
        .to_vec();
    networks.push(Network::Loggp(LogGp {
        latency: Span::from_ns(2_500),
        overhead_send: Span::from_ns(1_500),
        overhead_receive: Span::from_ns(1_700),
        gap: Span::from_ns(1_000),
        gap_per_byte: PerByte::from_ns(6.0),
    }));
    networks
}

/// Reference and each method's median for every rank, in ps.
fn predictions() -> String {
    let mut text = String::new();
    let subjects = [(Collective::Bcast, "linear"), (Collective::Bcast, "binomial"), (Collective::Reduce, "binomial")];
    for network in networks() {
        for (collective, algorithm) in subjects {
            for ranks in [4, 6] {
                writeln!(text, "{network}: {collective} {algorithm}, {ranks} ranks, 1000 B").unwrap();
                for method in [Method::Loop, Method::BarrierLoop, Method::Window] {
                    let order = order(collective, algorithm, ranks, 1_000, method);
                    let prediction = perfect(network).predict(&order).unwrap();
                    if method == Method::Loop {
                        writeln!(
                            text,
                            "  reference {:?}",
                            prediction.truth.iter().map(|span| span.0).collect::<Vec<_>>()
                        )
                        .unwrap();
                    }
                    let medians = (0..prediction.ranks.len()).map(|rank| {
                        let times = times_per_call(&prediction.ranks, rank).into_iter();
                        let mut times: Vec<u64> = times.map(|(_, time)| time.0).collect();
                        times.sort_unstable();
                        times[times.len() / 2]
                    });
                    writeln!(text, "  {method} {:?}", medians.collect::<Vec<_>>()).unwrap();
                }
            }
        }
    }
    text
}

#[test]
fn predictions_stay_what_they_are() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/predictions.txt");
    let now = predictions();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(path, &now).unwrap();
    }
    let golden = std::fs::read_to_string(path).unwrap_or_default();
    let differs = golden.lines().zip(now.lines()).find(|(then, now)| then != now);
    assert!(
        golden == now,
        "first difference, then and now: {differs:#?}\nIf this is meant: UPDATE_GOLDEN=1, and CHANGELOG.md"
    );
}
