//! What buffers cost, as a machine file knows it.

use super::*;
use programs::machine::{LinesPoint, PlogpEstimate, PlogpPoint};

/// A message from its send to its receive takes 150 µs and 5 ns a byte.
fn plogp(estimate: &impl Fn(f64) -> Estimate) -> PlogpEstimate {
    let point = |bytes: u64| PlogpPoint {
        bytes,
        overhead_send_us: estimate(20.0),
        overhead_receive_us: estimate(30.0),
        gap_us: estimate(50.0 + 0.005 * bytes as f64),
    };
    PlogpEstimate { eager_limit_bytes: Some(4096), latency_us: estimate(100.0), points: [1, 1 << 20].map(point).into() }
}

/// What no cache holds costs 0.4 ns a byte to read, and as much to write; nothing else costs anything.
fn cold(bytes: u64, estimate: &impl Fn(f64) -> Estimate) -> LinesPoint {
    let (free, whole) = (Estimate::exactly(0.0), estimate(0.0004 * bytes as f64));
    LinesPoint {
        bytes,
        fetch_us: free,
        refetch_us: free,
        claim_us: free,
        claim_shared_us: None,
        claim_received_us: free,
        claim_received_shared_us: None,
        claim_combined_us: None,
        claim_combined_by_library_us: None,
        duplex_us: free,
        after_wait_us: free,
        load_us: whole,
        fill_us: whole,
        load_fill_us: None,
        reread_us: free,
        duplex_fetch_us: free,
        duplex_claim_us: free,
    }
}

#[test]
fn buffers_are_an_error_unless_the_reference_has_them() {
    let folder = tempfile::tempdir().unwrap();
    let free = machine(1.0, 0.0, "nobody");
    let lines = [8, 65_536].map(|bytes| cold(bytes, &Estimate::exactly)).into();
    let known = Machine { plogp: Some(plogp(&Estimate::exactly)), lines, ..free };
    std::fs::write(folder.path().join("machine.toml"), known.text()).unwrap();
    std::fs::write(folder.path().join("printed.txt"), printed(Preset::Osu, &simulated(&known))).unwrap();
    let arguments =
        ["printed.txt", "--machine", "machine.toml", "--ranks", "5", "--algorithm", "binomial", "--reference"];
    let last = |buffers: &str| rows(&folder, &[&arguments[..], &[buffers]].concat()).pop().unwrap();
    let (cold, same, touched) = (last("cold"), last("same"), last("touched"));
    assert!(cold["buffer_reuse_us"].as_f64().unwrap() < 0.0, "{cold:#}");
    assert_eq!(same["buffer_reuse_us"], 0.0, "{same:#}");
    let corrected = |row: &Value| row["corrected_us"].as_f64().unwrap();
    assert!(corrected(&cold) > corrected(&same));
    assert_eq!(corrected(&touched), corrected(&same), "what a rank touched costs nothing here");
}
