//! What simulated ranks say of the cases that were measured, under every model.

use super::Asked;
use crate::measuring::orders::order;
use crate::run::calibrated::Calibrations;
use crate::shm::simulated_us;
use anyhow::Context;
use campaign::RecordedCampaign;
use models::call::Call;
use models::collective::{Algorithm, Collective, Shape};
use models::machine::{Arithmetic, Bound, Estimate, Extent, Machine};
use models::method::{Buffer, Order, Subject};
use models::network::Network;
use models::observation::{Carrier, Case, Implementation};
use models::platform::Platform;
use models::played::{as_played, played};
use models::shared_broadcast::Scheme;
use rayon::prelude::*;
use render::groups::grouped;
use reports::states::page_faults;
use reports::validation::{Message, Prediction, QUEUES, machine_name};
use scenario::store::Observed;
use sim::Predictor;

/// Every measured case under every model of its machine; what cannot be simulated is left out, and told as such.
pub(super) fn cases(
    campaign: &RecordedCampaign,
    asked: &Asked,
    fits: &Calibrations,
) -> anyhow::Result<Vec<Prediction>> {
    let cases = measured(campaign);
    let of: Vec<(&Counted, &Machine)> =
        cases.iter().filter_map(|one| Some((one, machine(fits, asked, &one.case)?))).collect();
    predictions(asked, &of)
}

/// Cases on given machines.
pub(super) fn predictions(asked: &Asked, of: &[(&Counted, &Machine)]) -> anyhow::Result<Vec<Prediction>> {
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

/// A case that was measured, and what was counted beside it.
pub(super) struct Counted {
    /// The case.
    pub case: Case,
    /// By rank, the pages that the system gave it in each call.
    page_faults: Vec<u32>,
}

/// The cases that were measured, each once.
pub(super) fn measured(campaign: &RecordedCampaign) -> Vec<Counted> {
    let cases = grouped(campaign.records().observations(Observed::Measured).map(|one| (&one.case, one)));
    cases.into_iter().map(|(case, all)| Counted { case: case.clone(), page_faults: page_faults(&all) }).collect()
}

/// The machine of a case: the one that was handed over, or the one that its ranks were calibrated as.
fn machine<'a>(fits: &'a Calibrations, asked: &'a Asked, case: &Case) -> Option<&'a Machine> {
    asked.machine.as_ref().or_else(|| fits.machine(&machine_name(case)))
}

/// The models that a machine was calibrated for and that were asked for. An emulated network is Hockney's, and is
/// calibrated for that alone.
pub(super) fn chosen(asked: &Asked, machine: &Machine, carrier: Carrier) -> Vec<&'static str> {
    let wanted = |model: &&str| asked.models.is_empty() || asked.models.iter().any(|name| name == model);
    let plays = |model: &&str| carrier == Carrier::Native || *model == "hockney" || asked.machine.is_some();
    machine.models().into_iter().filter(|model| wanted(model) && plays(model)).collect()
}

/// A case under one model, at the best parameters and at both ends of their intervals.
fn predicted(asked: &Asked, machine: &Machine, model: &str, one: &Counted) -> anyhow::Result<Option<Prediction>> {
    let Counted { case, page_faults } = one;
    if played(case).is_err() {
        return Ok(None);
    }
    let order = order(&asked.plan, case, false);
    let arithmetic = Arithmetic::of(case);
    let mut us = Vec::new();
    for bound in [Bound::Low, Bound::Best, Bound::High] {
        let platform = machine.platform_with_memory(model, bound, arithmetic).map_err(anyhow::Error::msg)?;
        let order = as_played(case, &order, &platform);
        us.push(slowest_us(platform.with_page_faults(page_faults), machine.control(), &order)? + read_us(machine));
    }
    let us = Estimate { value: us[1], low: us[0].min(us[1]).min(us[2]), high: us[0].max(us[1]).max(us[2]) };
    Ok(Some(Prediction { case: case.clone(), model: model.to_owned(), us }))
}

/// A broadcast through shared memory whose design is known, on a machine that knows what copies and waits cost there.
fn through_queues(machine: &Machine, case: &Case) -> Option<Prediction> {
    let point = machine.queue_point(case.place.world, None, case.subject.bytes)?;
    let us = |bound: Bound| {
        let costs = |scheme: &Scheme| Some(point.costs_at(bound, scheme.queue.bytes(), case.subject.bytes));
        Some(simulated_us(case, case.subject.bytes, costs)? + read_us(machine))
    };
    let us = Estimate { value: us(Bound::Best)?, low: us(Bound::Low)?, high: us(Bound::High)? };
    Some(Prediction { case: case.clone(), model: QUEUES.to_owned(), us })
}

/// What is measured contains a reading of the clock.
fn read_us(machine: &Machine) -> f64 {
    machine.clock_read_us.unwrap_or(0.0)
}

/// The model of best predictions with less than all that is known beside it, step by step; of machines alone on which it was
/// calibrated what memory costs. What all of it says is predicted already.
pub(super) fn partly(
    campaign: &RecordedCampaign,
    asked: &Asked,
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
    let all = known.map(|(Counted { case, page_faults }, (machine, model))| {
        let order = order(&asked.plan, case, false);
        let arithmetic = Arithmetic::of(case);
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

/// The slowest rank's time in one call that all enter together, in µs.
fn slowest_us(platform: Platform, control: Network, order: &Order) -> anyhow::Result<f64> {
    let network = platform.network;
    let predictor = Predictor { network: platform, control, ..Predictor::perfect(network) };
    Ok(predictor.truth(order)?.into_iter().max().unwrap_or_default().as_us())
}

/// Predictions of every model for single messages of the calibrated lengths.
pub(super) fn messages(
    campaign: &RecordedCampaign,
    asked: &Asked,
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

/// One message of a ping-pong between two ranks, in µs, by its length: a broadcast between two, of what the sender never
/// rewrites.
pub(super) fn message_us(
    asked: &Asked,
    case: &Case,
    machine: &Machine,
    model: &str,
) -> anyhow::Result<impl Fn(u64) -> anyhow::Result<f64>> {
    let network = machine.network(model, Bound::Best).map_err(anyhow::Error::msg)?;
    let reread = machine.reread(model, Bound::Best).map_err(anyhow::Error::msg)?;
    let linear = Algorithm::find(Collective::Bcast, "linear").map_err(anyhow::Error::msg)?;
    let subject = Subject::Collective(Collective::Bcast, Implementation::Own(linear.name.to_owned()));
    let mut settings = order(&asked.plan, case, false).settings;
    // As the calibration's messages.
    settings.factors.buffer = Buffer::Same;
    Ok(move |bytes| {
        let (subject, settings, shape) = (subject.clone(), settings.clone(), Shape::new(2, 0, bytes));
        let order = Order { subject, shape, call: Call::default(), copies_as: None, settings };
        Ok(slowest_us(network.into(), network, &order)? + reread.at(bytes).as_us())
    })
}
