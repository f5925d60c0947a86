//! The estimates of a machine by the names that its file has.

use programs::machine::{Estimate, Machine};

/// All parameters that are numbers, by the names that they have in a machine file.
pub fn estimates(machine: &Machine) -> Vec<(String, Estimate)> {
    let mut all = vec![
        ("hockney.alpha_us".to_owned(), machine.hockney.alpha_us),
        ("hockney.beta_ns_per_byte".to_owned(), machine.hockney.beta_ns_per_byte),
        ("control_us".to_owned(), Estimate::exactly(machine.control_us)),
    ];
    let mut add = |name: &str, estimate: Estimate| all.push((name.to_owned(), estimate));
    if let Some(loggp) = &machine.loggp {
        add("loggp.latency_us", loggp.latency_us);
        add("loggp.overhead_us", loggp.overhead_us);
        add("loggp.gap_us", loggp.gap_us);
        add("loggp.gap_per_byte_ns", loggp.gap_per_byte_ns);
    }
    if let Some(loggops) = &machine.loggops {
        add("loggops.latency_us", loggops.latency_us);
        add("loggops.overhead_send_us", loggops.overhead_send_us);
        add("loggops.overhead_receive_us", loggops.overhead_receive_us);
        add("loggops.gap_us", loggops.gap_us);
        add("loggops.gap_per_byte_ns", loggops.gap_per_byte_ns);
        add("loggops.overhead_per_byte_ns", loggops.overhead_per_byte_ns);
        if let Some(bytes) = loggops.eager_limit_bytes {
            add("loggops.eager_limit_bytes", Estimate::exactly(bytes as f64));
        }
    }
    if let Some(plogp) = &machine.plogp {
        add("plogp.latency_us", plogp.latency_us);
        for point in &plogp.points {
            add(&format!("plogp.overhead_send_us({} B)", point.bytes), point.overhead_send_us);
            add(&format!("plogp.overhead_receive_us({} B)", point.bytes), point.overhead_receive_us);
            add(&format!("plogp.gap_us({} B)", point.bytes), point.gap_us);
        }
    }
    if let Some(connect) = machine.connect_us {
        add("connect_us", connect);
    }
    for point in &machine.lines {
        for (name, us) in [
            ("fetch", point.fetch_us),
            ("claim", point.claim_us),
            ("claim_received", point.claim_received_us),
            ("load", point.load_us),
            ("fill", point.fill_us),
        ] {
            add(&format!("lines.{name}_us({} B)", point.bytes), us);
        }
    }
    for point in &machine.idle {
        add(&format!("idle.cost_us({} µs)", point.idle_us), point.cost_us);
    }
    for skew in &machine.exit_skew {
        add(&format!("exit_skew.median_us({} ranks)", skew.ranks), skew.median_us);
    }
    for point in &machine.transfer {
        add(&format!("transfer.half_round_trip_us({} B)", point.bytes), point.half_round_trip_us);
    }
    all
}
