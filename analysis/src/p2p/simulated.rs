//! Simulated ranks carry out a test, behind perfect clocks.

use models::noise::Noise;
use models::platform::Platform;
use probes::point_to_point::Report;
use programs::observation::World;
use programs::point_to_point::{Record, Test};
use scenario::BadInput;
use sim::SimWorld;

/// Carries out a test on a modelled platform.
pub(super) fn run(test: &Test, platform: Platform, noise: Noise, seed: u64, ranks: u32) -> anyhow::Result<Report> {
    let ran_by = format!("simulated ranks, {platform}");
    let disturbed = (!noise.is_none()).then(|| format!("noise {noise}, seed {seed}"));
    let mut environment = platform.parameters();
    environment.extend(disturbed.iter().map(|_| ("seed".to_owned(), seed.to_string())));
    let control = platform.network;
    let world = SimWorld { network: platform, noise, ..SimWorld::ideal(control, ranks) };
    let records: Result<Vec<Record>, String> =
        world.run(async |rank| test.run(&rank).await)?.results.into_iter().collect();
    let mut report = Report::from_record(test.clone(), ran_by, ranks, test.gathered(records.map_err(BadInput)?));
    report.notes.extend(disturbed);
    report.world = Some(World::Simulated);
    report.environment = environment;
    report.date = campaign::environment::utc_now();
    Ok(report)
}
