//! Fits to some of the calibrated lengths, judged on all of them and on the cases.

use super::ValidationRequest;
use super::predict::{CountedCase, chosen, measured, message_us, predictions};
use crate::run::calibrated::{Calibrations, Samples};
use campaign::RecordedCampaign;
use programs::calibration::Sample;
use programs::machine::Machine;
use programs::observation::Case;
use study::validation::{Fit, HeldOut, LengthError, Trained, machine_name};

/// Judges held-out fits of every calibrated machine of the campaign.
pub(super) fn all(
    campaign: &RecordedCampaign,
    asked: &ValidationRequest,
    fits: &Calibrations,
) -> anyhow::Result<Vec<HeldOut>> {
    let cases = measured(campaign);
    let mut names: Vec<String> = cases.iter().map(|one| machine_name(&one.case)).collect();
    names.sort_unstable();
    names.dedup();
    let mut all = Vec::new();
    for name in names {
        let (Some(machine), Some(samples)) = (fits.machine(&name), fits.samples(&name)) else { continue };
        let of: Vec<&CountedCase> = cases.iter().filter(|one| machine_name(&one.case) == name).collect();
        all.push(one(asked, machine, samples, &of)?);
    }
    Ok(all)
}

fn one(
    asked: &ValidationRequest,
    machine: &Machine,
    samples: &Samples,
    cases: &[&CountedCase],
) -> anyhow::Result<HeldOut> {
    let mut lengths: Vec<u64> = machine.transfer.iter().map(|point| point.bytes).collect();
    lengths.dedup();
    let half: Vec<u64> = lengths.iter().copied().step_by(2).collect();
    let mut held = HeldOut { machine: machine.name.clone(), half: half.clone(), ..HeldOut::default() };
    let Some(CountedCase { case, .. }) = cases.first() else { return Ok(held) };
    let judge = Judge { asked, case, machine };
    held.fits.extend(judge.fits(machine, Trained::All, &lengths, &lengths)?);
    // Two lengths determine a line, which they cannot test, and a model may need more than the half.
    if let Some(on_half) = some(samples, |bytes| half.contains(&bytes)) {
        held.fits.extend(judge.fits(&on_half, Trained::Half, &lengths, &half)?);
        let pairs: Vec<(&CountedCase, &Machine)> = cases.iter().map(|&one| (one, &on_half)).collect();
        held.cases = predictions(asked, &pairs)?;
    }
    let mut without: Vec<Fit> = Vec::new();
    for &left_out in &lengths {
        let Some(rest) = some(samples, |bytes| bytes != left_out) else { continue };
        for fit in judge.fits(&rest, Trained::AllButOne, &[left_out], &[])? {
            match without.iter_mut().find(|known| known.model == fit.model) {
                Some(known) => known.lengths.extend(fit.lengths),
                None => without.push(fit),
            }
        }
    }
    held.fits.extend(without);
    held.fits.sort_by(|a, b| (&a.model, a.trained).cmp(&(&b.model, b.trained)));
    Ok(held)
}

/// Returns the machine that is fitted to the samples of some lengths, or `None` where they are too few. Exchanges at
/// lengths without ping-pongs, which serve to find changes of protocols, always count.
fn some(samples: &Samples, wanted: impl Fn(u64) -> bool) -> Option<Machine> {
    let ping_pongs: Vec<u64> = samples.samples.iter().filter_map(ping_pong_bytes).collect();
    let known = |bytes: u64| wanted(bytes) || !ping_pongs.contains(&bytes);
    samples.fitted_to(|sample| sample.bytes().is_none_or(known))
}

fn ping_pong_bytes(sample: &Sample) -> Option<u64> {
    sample.round_trips().filter(|prtt| prtt.messages == 1).map(|prtt| prtt.bytes)
}

/// Compares fits with the half round trips of the whole calibration.
struct Judge<'a> {
    asked: &'a ValidationRequest,
    /// An arbitrary case of the machine.
    case: &'a Case,
    /// The machine with all measured half round trips.
    machine: &'a Machine,
}

impl Judge<'_> {
    /// Judges every model of a fit at the lengths `at`; the fit was made from those in `known`.
    fn fits(&self, fit: &Machine, trained: Trained, at: &[u64], known: &[u64]) -> anyhow::Result<Vec<Fit>> {
        let mut fits = Vec::new();
        for model in chosen(self.asked, fit, self.case.place.carrier) {
            let message_us = message_us(self.asked, self.case, fit, model)?;
            let mut lengths = Vec::new();
            for point in self.machine.transfer.iter().filter(|point| at.contains(&point.bytes)) {
                let predicted = message_us(point.bytes)?;
                let error = predicted / point.half_round_trip_us.value - 1.0;
                lengths.push(LengthError { bytes: point.bytes, inside: known.contains(&point.bytes), error });
            }
            fits.push(Fit { model: model.to_owned(), trained, lengths });
        }
        Ok(fits)
    }
}
