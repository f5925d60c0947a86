//! What memory costs simulated ranks by who holds it comes back length by length.

use crate::one_clock::OneClock;
use crate::*;
use models::call::Element;
use models::network::CostTable;
use models::platform::{Platform, Refinements};
use programs::machine::{Arithmetic, Bound};
use programs::observation::MachineLook;

const LENGTHS: [u64; 5] = [8, 64, 1_024, 8_192, 65_536];
const MEMORY: &str = "page-fault=1400ns,to-self=8:80ns/8KiB:2500ns,duplex=64:30ns/64KiB:2us,start=25ns,after-wait=8:0ns/64:20ns/64KiB:300ns,claim-received=64:15ns/8KiB:1us,fetch=64:20ns/8KiB:900ns,claim=64:10ns/8KiB:2us,claim-combined=64:30ns/8KiB:5us,refetch=64:12ns/8KiB:700ns,claim-shared=64:20ns/8KiB:4us,claim-received-shared=64:25ns/8KiB:3us,load=8:100ns/64KiB:5us,fill=8:80ns/64KiB:7us,load-fill=8:120ns/64KiB:9us,duplex-fetch=64:10ns/8KiB:300ns,duplex-claim=64:15ns/8KiB:400ns,\
                      gamma=8:5ns/64KiB:1.2us,memcpy=8:3ns/64KiB:900ns";

fn platform(network: &str, single_copy_above: &str) -> Platform {
    let network = Network::parse(network, Some("S=1000B"), None).expect("a network");
    let text = format!("{MEMORY},single-copy-above={single_copy_above}");
    Platform::parse(network, &text, |file| Err(file.to_owned())).expect("a platform")
}

/// The refinements of a machine that was calibrated on ranks of this platform.
fn again(platform: &Platform, one_clock: bool) -> Refinements {
    let control = platform.network;
    let world = SimWorld { network: platform.clone(), ..SimWorld::ideal(control, 3) };
    let settings = CalibrationSettings { bytes: LENGTHS.to_vec(), ..quick(65_536) };
    let run = async |rank| {
        if one_clock { settings.run(&OneClock(rank)).await } else { settings.run(&rank).await }
    };
    let samples = world.run(run).expect("no deadlock").results.swap_remove(0).expect("samples");
    let machine = fitted(SendRule::Eager, &samples);
    let platform = machine.platform_with_memory("plogp", Bound::Best, Arithmetic::Library).expect("a platform");
    platform.refinements().expect("refinements").clone()
}

fn alike(what: &str, given: CostTable, found: CostTable, from: u64) {
    for bytes in LENGTHS {
        let given = if bytes < from { 0 } else { given.at(bytes).0 };
        assert!(given.abs_diff(found.at(bytes).0) <= 2, "{what}({bytes}): {} instead of {given} ps", found.at(bytes).0);
    }
}

#[test]
fn every_touch_comes_back() {
    let networks = ["plogp", "loggops"];
    for (network, one_clock) in networks.into_iter().flat_map(|network| [(network, false), (network, true)]) {
        // Copied once, messages show what their receiver does in the sender's memory; shorter ones are never read by it.
        for (above, from) in [("1000B", 1_001), ("none", u64::MAX)] {
            let given = platform(network, above);
            let found = again(&given, one_clock);
            let (given, found) = (given.refinements().expect("refinements"), &found);
            alike("gamma", given.gamma, found.gamma, 0);
            alike("memcpy", given.memcpy, found.memcpy, 0);
            alike("duplex", given.duplex, found.duplex, 0);
            alike("after a wait", given.after_wait, found.after_wait, 0);
            assert!(given.start.0.abs_diff(found.start.0) <= 2, "start: {}", found.start);
            alike("to itself", given.to_self, found.to_self, 0);
            assert!(given.page_fault.0.abs_diff(found.page_fault.0) <= 1, "page fault: {}", found.page_fault);
            let (given, found) = (given.lines.expect("lines"), found.lines.expect("lines"));
            alike("fetch", given.fetch, found.fetch, from);
            alike("claim", given.claim, found.claim, from);
            alike("claim of a message", given.claim_received, found.claim_received, from);
            alike("claim by combining", given.claim_combined, found.claim_combined, from);
            assert!(
                LENGTHS.iter().all(|&bytes| found.reread.at(bytes).0 == 0),
                "fetching takes longer than reading again"
            );
            alike("refetch", given.refetch, found.refetch, from);
            alike("claim of what both hold", given.claim_shared, found.claim_shared, from);
            alike("claim of a message, shared", given.claim_received_shared, found.claim_received_shared, from);
            alike("load", given.load, found.load, 0);
            alike("fill", given.fill, found.fill, 0);
            alike("load and fill", given.load_fill, found.load_fill, 0);
            alike("duplex fetch", given.duplex_fetch, found.duplex_fetch, from);
            alike("duplex claim", given.duplex_claim, found.duplex_claim, from);
            // A late receive takes the whole transfer under LogGOPS; memory that has to be taken back shows it under either.
            let is_seen = network == "loggops" || above == "1000B";
            assert_eq!(found.single_copy_above, if is_seen { 1_000 } else { u64::MAX });
        }
    }
}

#[test]
fn what_is_not_rewritten_and_takes_longer_for_that_comes_back() {
    let network = Network::parse("loggops", Some("S=1000B"), None).expect("a network");
    let text = "reread=8KiB:0ns/64KiB:2us,load=8:100ns/64KiB:5us,fill=8:80ns/64KiB:7us,duplex=64:30ns/64KiB:2us,\
                single-copy-above=1000B";
    let given = Platform::parse(network, text, |file| Err(file.to_owned())).expect("a platform");
    for one_clock in [false, true] {
        let found = again(&given, one_clock);
        let (given, lines) = (given.refinements().expect("refinements"), found.lines.expect("lines"));
        alike("duplex", given.duplex, found.duplex, 0);
        let given = given.lines.expect("lines");
        alike("reread", given.reread, lines.reread, 0);
        alike("load", given.load, lines.load, 0);
        alike("fill", given.fill, lines.fill, 0);
        alike("fetch", given.fetch, lines.fetch, 0);
        alike("duplex fetch", given.duplex_fetch, lines.duplex_fetch, 0);
    }
}

#[test]
fn where_memory_costs_nothing_more_nothing_is_found() {
    let plain = Platform::plain(Network::parse("loggops", None, None).expect("a network"));
    let found = again(&plain, false);
    let lines = found.lines.expect("lines");
    assert_eq!(found.page_fault, Span::ZERO);
    for table in [lines.fetch, lines.claim, lines.load, lines.fill, found.gamma, found.memcpy, found.after_wait] {
        assert!(LENGTHS.iter().all(|&bytes| table.at(bytes).0 == 0), "{table:?}");
    }
}

#[test]
fn what_calls_take_beyond_their_messages_comes_back() {
    let network = Network::parse("plogp", Some("S=1000B"), None).expect("a network");
    let text = "call=20ns,gamma=8:5ns/64:9ns,duplex=8:30ns,start=25ns";
    let platform = Platform::parse(network, text, |file| Err(file.to_owned())).expect("a platform");
    let world = SimWorld { network: platform, ..SimWorld::ideal(network, 2) };
    let settings = CalibrationSettings { bytes: vec![8, 64], ..quick(64) };
    let run = world.run(async |rank| settings.run(&OneClock(rank)).await).expect("no deadlock");
    let machine = fitted(SendRule::Eager, &run.results.into_iter().next().expect("rank 0").expect("samples"));
    exactly("call", machine.call_us.expect("a call"), 0.020, 2.0 * PS);
    exactly("reducing call", machine.reducing_call_us.expect("a call"), 0.025, 2.0 * PS);
    let arithmetic = Arithmetic::Reducing(Element::Byte);
    let again = machine.platform_with_memory("plogp", Bound::Best, arithmetic).expect("a platform");
    let gamma = again.refinements().expect("refinements").gamma;
    assert_eq!([8, 64].map(|bytes| gamma.at(bytes)), [Span::ZERO, Span::from_ns(4)], "beyond the shortest");
}

/// On ranks whose library's calls pass through cells the same is what they take beyond copies and the way of cache lines.
#[test]
fn what_calls_take_beyond_their_cells_comes_back() {
    let network = Network::parse("plogp", Some("S=1000B"), None).expect("a network");
    let text = "cells=33ns,call=20ns,gamma=8:5ns/64:9ns,memcpy=8:3ns/64:7ns,duplex=8:30ns,start=25ns";
    let given = Platform::parse(network, text, |file| Err(file.to_owned())).expect("a platform");
    let world = SimWorld { network: given.clone(), ..SimWorld::ideal(network, 2) };
    let settings = CalibrationSettings { bytes: vec![8, 64], ..quick(64) };
    let run = world.run(async |rank| settings.run(&OneClock(rank)).await).expect("no deadlock");
    let mut samples = run.results.into_iter().next().expect("rank 0").expect("samples");
    samples.push(Sample::Looked(MachineLook { line: Some(Span::from_ns(33)), work: Span::from_ns(400) }));
    let machine = fitted_by("MPICH 5.0.2 (ch4:ucx ofi) on node1", SendRule::Eager, &samples);
    exactly("call", machine.call_us.expect("a call"), 0.020, 2.0 * PS);
    exactly("reducing call", machine.reducing_call_us.expect("a call"), 0.025, 2.0 * PS);
    let again = machine.platform_with_memory("plogp", Bound::Best, Arithmetic::Library).expect("a platform");
    assert_eq!(again.cells(2), given.cells(2));
}
