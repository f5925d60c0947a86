//! Measurements in the forms of other benchmarks.

use formats::export;
use programs::method::Preset;
use programs::observation::Observation;
use scenario::store::{CampaignLines, Line, Observed};

/// Returns the measurements as a benchmark would have printed those of its method, sizes in order.
///
/// # Errors
/// Fails on measurements that this form cannot hold.
pub fn exported(
    format: export::Format,
    preset: Preset,
    lines: &[Line],
    statistics: export::MpiperfStatistics,
) -> anyhow::Result<String> {
    let wanted = |observation: &&Observation| {
        observation.case.timing.method == preset.method() && observation.case.timing.conditions.window.is_none()
    };
    let all = CampaignLines::from(lines).observations(Observed::Measured);
    let mut observations: Vec<Observation> = all.filter(wanted).cloned().collect();
    observations.sort_by(|a, b| (a.occasion, &a.case).cmp(&(b.occasion, &b.case)));
    let mut text = Vec::new();
    export::write(format, &observations, statistics, &mut text)?;
    Ok(String::from_utf8(text)?)
}
