//! Predictions of the measured cases by simulated ranks, under every model.

use super::ValidationRequest;
use crate::measuring::orders::order;
use crate::run::calibrated::Calibrations;
use crate::shared_broadcast::simulated_us;
use anyhow::Context;
use calibration::states::page_faults;
use campaign::RecordedCampaign;
use models::call::Call;
use models::collective::{Algorithm, Collective, Shape};
use models::network::Network;
use models::platform::Platform;
use models::shared_broadcast::Scheme;
use programs::machine::{Arithmetic, Bound, Estimate, Extent, Machine};
use programs::method::{Buffer, Order, Subject};
use programs::observation::{Carrier, Case, Implementation};
use programs::played::{as_played, played};
use rayon::prelude::*;
use render::groups::grouped;
use scenario::store::Observed;
use sim::Predictor;
use study::validation::{Message, Prediction, QUEUES, machine_name};

/// Predicts every measured case under every model of its machine; cases that cannot be simulated are left out.
pub(super) fn cases(
    campaign: &RecordedCampaign,
    asked: &ValidationRequest,
    fits: &Calibrations,
) -> anyhow::Result<Vec<Prediction>> {
    let cases = measured(campaign);
    let of: Vec<(&CountedCase, &Machine)> =
        cases.iter().filter_map(|one| Some((one, machine(fits, asked, &one.case)?))).collect();
    predictions(asked, &of)
}

/// Predicts cases on given machines.
pub(super) fn predictions(
    asked: &ValidationRequest,
    of: &[(&CountedCase, &Machine)],
) -> anyhow::Result<Vec<Prediction>> {
    let all: Vec<Vec<Prediction>> = of
        .par_iter()
        .map(|(one, machine)| {
            if let Some(predicted) = through_queues(machine, &one.case) {
                return Ok(vec![predicted]);
            }
            let models = chosen(asked, machine, one.case.place.carrier).into_iter();
            models.filter_map(|model| predicted(asked, machine, model, one).transpose()).collect()
        })
        .collect::<anyhow::Result<_>>()?;
    Ok(all.into_iter().flatten().collect())
}

/// A case that was measured, with counts that were taken beside it.
pub(super) struct CountedCase {
    pub case: Case,
    /// Number of pages that the system gave each rank in each call, by rank.
    page_faults: Vec<u32>,
}

/// Returns the cases that were measured, each once.
pub(super) fn measured(campaign: &RecordedCampaign) -> Vec<CountedCase> {
    let cases = grouped(campaign.records().observations(Observed::Measured).map(|one| (&one.case, one)));
    cases.into_iter().map(|(case, all)| CountedCase { case: case.clone(), page_faults: page_faults(&all) }).collect()
}

/// Returns the machine of a case: the given one, or the one that its ranks were calibrated as.
fn machine<'a>(fits: &'a Calibrations, asked: &'a ValidationRequest, case: &Case) -> Option<&'a Machine> {
    asked.machine.as_ref().or_else(|| fits.machine(&machine_name(case)))
}

/// Returns the requested models for which a machine was calibrated. An emulated network plays Hockney's model, and is
/// calibrated for that alone.
pub(super) fn chosen(asked: &ValidationRequest, machine: &Machine, carrier: Carrier) -> Vec<&'static str> {
    let wanted = |model: &&str| asked.models.is_empty() || asked.models.iter().any(|name| name == model);
    let plays = |model: &&str| carrier == Carrier::Native || *model == "hockney" || asked.machine.is_some();
    machine.models().into_iter().filter(|model| wanted(model) && plays(model)).collect()
}

/// Predicts a case under one model, at the best parameters and at both ends of their intervals; `None` if it cannot be
/// simulated.
fn predicted(
    asked: &ValidationRequest,
    machine: &Machine,
    model: &str,
    one: &CountedCase,
) -> anyhow::Result<Option<Prediction>> {
    let CountedCase { case, page_faults } = one;
    if played(case).is_err() {
        return Ok(None);
    }
    let order = order(&asked.plan, case, false);
    let arithmetic = Arithmetic::from_case(case);
    let mut us = Vec::new();
    for bound in [Bound::Low, Bound::Best, Bound::High] {
        let platform = machine.platform_with_memory(model, bound, arithmetic).map_err(anyhow::Error::msg)?;
        let order = as_played(case, &order, &platform);
        us.push(slowest_us(platform.with_page_faults(page_faults), machine.control(), &order)? + read_us(machine));
    }
    let us = Estimate { value: us[1], low: us[0].min(us[1]).min(us[2]), high: us[0].max(us[1]).max(us[2]) };
    Ok(Some(Prediction { case: case.clone(), model: model.to_owned(), us }))
}

/// Predicts a broadcast through shared memory on a machine that has the costs of its copies and waits; `None` for an
/// unknown design.
fn through_queues(machine: &Machine, case: &Case) -> Option<Prediction> {
    let point = machine.queue_point(case.place.world, None, case.subject.bytes)?;
    let us = |bound: Bound| {
        let costs = |scheme: &Scheme| Some(point.costs_at(bound, scheme.queue.bytes(), case.subject.bytes));
        Some(simulated_us(case, case.subject.bytes, costs)? + read_us(machine))
    };
    let us = Estimate { value: us(Bound::Best)?, low: us(Bound::Low)?, high: us(Bound::High)? };
    Some(Prediction { case: case.clone(), model: QUEUES.to_owned(), us })
}

/// Returns the duration of a reading of the clock, in µs, which measured times contain.
fn read_us(machine: &Machine) -> f64 {
    machine.clock_read_us.unwrap_or(0.0)
}

/// Predicts cases with growing parts of the machine's costs, step by step, by the model of its best predictions; for
/// machines with memory costs only. The last step is taken from the predictions that exist already.
pub(super) fn partly(
    campaign: &RecordedCampaign,
    asked: &ValidationRequest,
    fits: &Calibrations,
    predicted: &[Prediction],
) -> anyhow::Result<Vec<(Extent, Prediction)>> {
    let cases = measured(campaign);
    let knowing = |case: &Case| {
        let machine = machine(fits, asked, case).filter(|machine| machine.has_memory())?;
        let model = *chosen(asked, machine, case.place.carrier).last()?;
        played(case).ok().map(|_| (machine, model))
    };
    let known = cases.par_iter().filter_map(|one| Some((one, knowing(&one.case)?)));
    let all = known.map(|(CountedCase { case, page_faults }, (machine, model))| {
        let order = order(&asked.plan, case, false);
        let arithmetic = Arithmetic::from_case(case);
        let one = |extent: Extent| -> anyhow::Result<(Extent, Prediction)> {
            if extent == Extent::Memory {
                let of = |one: &&Prediction| one.case == *case && one.model == model;
                let known = predicted.iter().find(of).context("a model that is chosen is predicted")?;
                return Ok((extent, known.clone()));
            }
            let platform = machine.platform_up_to(extent, model, Bound::Best, arithmetic);
            let read_us = if extent >= Extent::Calls { read_us(machine) } else { 0.0 };
            let mut platform = platform.map_err(anyhow::Error::msg)?;
            if extent >= Extent::Calls {
                platform = platform.with_page_faults(page_faults);
            }
            let order = as_played(case, &order, &platform);
            let us = slowest_us(platform, machine.control(), &order)? + read_us;
            Ok((extent, Prediction { case: case.clone(), model: model.to_owned(), us: Estimate::exactly(us) }))
        };
        Extent::ALL.into_iter().map(one).collect::<anyhow::Result<Vec<_>>>()
    });
    let all: Vec<Vec<_>> = all.collect::<anyhow::Result<_>>()?;
    Ok(all.into_iter().flatten().collect())
}

/// Returns the slowest rank's time in one call that all enter together, in µs.
fn slowest_us(platform: Platform, control: Network, order: &Order) -> anyhow::Result<f64> {
    let network = platform.network;
    let predictor = Predictor { network: platform, control, ..Predictor::perfect(network) };
    Ok(predictor.truth(order)?.into_iter().max().unwrap_or_default().as_us())
}

/// Predicts single messages of the calibrated lengths under every model.
pub(super) fn messages(
    campaign: &RecordedCampaign,
    asked: &ValidationRequest,
    fits: &Calibrations,
) -> anyhow::Result<Vec<Message>> {
    let cases = measured(campaign);
    let mut all: Vec<Message> = Vec::new();
    for (case, machine) in cases.iter().filter_map(|one| Some((&one.case, machine(fits, asked, &one.case)?))) {
        if all.iter().any(|message| message.machine == machine.name) {
            continue;
        }
        for model in chosen(asked, machine, case.place.carrier) {
            let message_us = message_us(asked, case, machine, model)?;
            for point in &machine.transfer {
                all.push(Message {
                    machine: machine.name.clone(),
                    model: model.to_owned(),
                    bytes: point.bytes,
                    predicted_us: message_us(point.bytes)?,
                    measured_us: point.half_round_trip_us.value,
                });
            }
        }
    }
    Ok(all)
}

/// Returns the time of one message of a ping-pong between two ranks, in µs, as a function of its length: a broadcast
/// between two ranks, of a buffer that the sender never rewrites.
pub(super) fn message_us(
    asked: &ValidationRequest,
    case: &Case,
    machine: &Machine,
    model: &str,
) -> anyhow::Result<impl Fn(u64) -> anyhow::Result<f64>> {
    let network = machine.network(model, Bound::Best).map_err(anyhow::Error::msg)?;
    let reread = machine.reread(model, Bound::Best).map_err(anyhow::Error::msg)?;
    let linear = Algorithm::find(Collective::Bcast, "linear").map_err(anyhow::Error::msg)?;
    let subject = Subject::Collective(Collective::Bcast, Implementation::Own(linear.name.to_owned()));
    let mut settings = order(&asked.plan, case, false).settings;
    // The calibration's messages have these buffers.
    settings.factors.buffer = Buffer::Same;
    Ok(move |bytes| {
        let (subject, settings, shape) = (subject.clone(), settings.clone(), Shape::new(2, 0, bytes));
        let order =
            Order { subject, shape, call: Call::default(), copies_as: None, environment: Default::default(), settings };
        Ok(slowest_us(network.into(), network, &order)? + reread.at(bytes).as_us())
    })
}
