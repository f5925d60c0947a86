//! Ranks on a simulated network are calibrated as real ones are, and their parameters come back, each with its interval: what
//! `parallax calibrate --world simulated --model loggops --set SETTINGS` does. Of real ranks the place is another
//! (`RankPlace::Real`), and nothing else.
//!
//! `cargo run -p parallax-examples --bin fit_machine -- [SETTINGS]`, settings like L=2us,o=300ns,g=500ns,G=0.1ns/B

use anyhow::Context;
use parallax_analysis::calibrate::{Calibration, Effort};
use parallax_analysis::choice::{ModelChoice, NetworkChoice, NoiseChoice};
use parallax_analysis::p2p::RankPlace;
use parallax_campaign::launch::Site;
use std::time::Duration;

fn main() -> anyhow::Result<()> {
    let settings = std::env::args().nth(1).unwrap_or("L=2us,o=300ns,g=500ns,G=0.1ns/B".to_owned());
    let network = NetworkChoice { model: Some("loggops".to_owned()), send_rule: None, set: Some(settings) };
    // The machine file, which `parallax simulate --machine FILE` takes, its page and all samples.
    let folder = tempfile::tempdir()?;
    let calibration = Calibration {
        place: RankPlace::Simulated,
        ranks: 2,
        effort: Effort::Quick,
        launches: None,
        rehearsals: None,
        longest: 1 << 20,
        clock: None,
        out: Some(folder.path().join("machine.toml")),
        overwrite: false,
        quiet: true,
        dry_run: false,
        patience: Duration::from_secs(60),
        site: &Site::here(),
        model: ModelChoice { network, ..ModelChoice::default() },
        noise: NoiseChoice { noise: Vec::new(), seed: 1 },
        command: "fit_machine".to_owned(),
    };
    let machine = calibration.calibrate()?.context("nothing was calibrated")?.machine;
    let fitted = machine.loggops.context("LogGOPS was not fitted")?;
    println!("parameter\tvalue\tlow\thigh");
    for (name, estimate) in [
        ("L_us", fitted.latency_us),
        ("o_send_us", fitted.overhead_send_us),
        ("o_receive_us", fitted.overhead_receive_us),
        ("g_us", fitted.gap_us),
        ("G_ns_per_byte", fitted.gap_per_byte_ns),
    ] {
        println!("{name}\t{:.6}\t{:.6}\t{:.6}", estimate.value, estimate.low, estimate.high);
    }
    Ok(())
}
