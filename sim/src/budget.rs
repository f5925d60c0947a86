//! Configurations on simulated ranks: the numbers that they print, and the budget from one to another.

use crate::engine::SimError;
use crate::known::{ClockKnowledge, Left};
use crate::predict::{Misreport, Predictor, Recorded, printed_us, refined, slowest_us};
use models::collective::Collective;
use programs::aggregation::{Aggregation, each_us};
use programs::budget::{Budget, Configuration, Design, Features, SystematicError};
use programs::method::{Buffer, MethodSettings, Order, Preset, Subject};
use programs::observation::RankRecord;
use programs::sync::Sync;
use std::iter::once;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Number that a configuration prints, with those of its samples.
#[derive(Clone, Debug, PartialEq)]
pub struct PrintedSeries {
    /// Number that the configuration prints of all samples, in µs.
    pub reported_us: f64,
    /// Numbers that it would print of each sample alone, in µs.
    pub each_us: Vec<f64>,
}

impl Predictor {
    /// Returns the number that a configuration prints of an order's calls, in µs, on this machine with those of its
    /// features that the configuration has, and without the others.
    ///
    /// # Errors
    ///
    /// Fails where [`Predictor::predict`] fails, and if no start was valid on all ranks.
    pub fn printed(&self, configuration: &Configuration, order: &Order) -> Result<f64, SimError> {
        self.printed_by(&[configuration], order).remove(0)
    }

    /// Returns the numbers that several configurations print, in µs. Those that differ only in how times are summed up,
    /// or in what idling costs while nobody idles, share one simulation, and those with the same clocks share one
    /// synchronisation.
    pub fn printed_by(&self, all: &[&Configuration], order: &Order) -> Vec<Result<f64, SimError>> {
        self.told_by(all, order, printed_us)
    }

    /// Returns the numbers that configurations print, and those that each would print of one sample alone, in the order
    /// of samples.
    ///
    /// # Errors
    ///
    /// Fails where [`Predictor::printed`] fails.
    pub fn series(&self, all: &[&Configuration], order: &Order) -> Result<Vec<PrintedSeries>, SimError> {
        let series = self.told_by(all, order, |ranks, aggregation| {
            let reported_us = printed_us(ranks, aggregation)?;
            // A configuration with a number of all samples has one of each.
            Ok(PrintedSeries { reported_us, each_us: each_us(ranks, aggregation).unwrap_or_default() })
        });
        series.into_iter().collect()
    }

    /// Applies `tell` to the ranks that each of several configurations records.
    fn told_by<T>(
        &self,
        all: &[&Configuration],
        order: &Order,
        tell: impl Fn(&[RankRecord], &Aggregation) -> Result<T, SimError>,
    ) -> Vec<Result<T, SimError>> {
        let mut known: Vec<(Features, MethodSettings, Result<Recorded, SimError>)> = Vec::new();
        let mut synchronised = Synchronised::default();
        let printed = all.iter().map(|configuration| {
            let (features, mut timed) = (configuration.features(), by(configuration, order));
            timed.settings.factors.aggregation = Aggregation::default();
            let same = known.iter().position(|(with, by, recorded)| {
                let idled = recorded.as_ref().map_or(true, |recorded| recorded.idled);
                *by == timed.settings && with.serve(&features, idled)
            });
            let place = same.unwrap_or_else(|| {
                let machine = self.with_features(features);
                let clocks = synchronised.knowledge(&machine, features, &timed);
                let recorded = clocks.and_then(|clocks| machine.record_knowing(clocks, &timed));
                known.push((features, timed.settings, recorded));
                known.len() - 1
            });
            tell(&known[place].2.as_ref().map_err(Clone::clone)?.ranks, &configuration.aggregation)
        });
        printed.collect()
    }

    /// Returns the number of each column that a named benchmark prints, against the truth of calls whose buffers are in
    /// a state.
    ///
    /// # Errors
    ///
    /// Fails where [`Predictor::printed`] fails.
    pub fn benchmark(
        &self,
        preset: Preset,
        reference: Buffer,
        order: &Order,
    ) -> Result<Vec<(&'static str, Misreport)>, SimError> {
        let heads: Vec<&str> = preset.columns().into_iter().map(|column| column.head).collect();
        let column = |head: &&str| Configuration::preset(preset, Some(head)).map_err(SimError::Order);
        let columns: Vec<Configuration> = heads.iter().map(column).collect::<Result<_, _>>()?;
        let misreports = self.misreports(&columns.iter().collect::<Vec<_>>(), reference, order)?;
        Ok(heads.into_iter().zip(misreports).collect())
    }

    /// Returns the numbers that configurations print, against the truth of calls whose buffers are in a state.
    ///
    /// # Errors
    ///
    /// Fails where [`Predictor::printed`] fails.
    pub fn misreports(
        &self,
        all: &[&Configuration],
        reference: Buffer,
        order: &Order,
    ) -> Result<Vec<Misreport>, SimError> {
        let truth_us = self.truth_us(reference, order)?;
        let printed = self.printed_by(all, order).into_iter();
        printed.map(|us| Ok(Misreport { reported_us: us?, truth_us })).collect()
    }

    /// Returns the time of the slowest rank in one call between connected ranks whose buffers are in the state of the
    /// reference, in µs.
    ///
    /// # Errors
    ///
    /// Fails where [`Predictor::predict`] fails.
    pub fn truth_us(&self, reference: Buffer, order: &Order) -> Result<f64, SimError> {
        Ok(slowest_us(&self.reference(reference, &by(&Configuration::perfect(), order))?))
    }

    /// Returns the number that a configuration prints, and then its numbers with one error after the other as another
    /// configuration has it, in their documented order, where earlier errors stay. `which` selects among these steps,
    /// where 0 is without errors. The truth is that of the first configuration's buffers.
    ///
    /// # Errors
    ///
    /// Fails where [`Predictor::printed`] fails.
    pub fn cumulative(
        &self,
        from: &Configuration,
        errors: &[SystematicError],
        to: &Configuration,
        order: &Order,
        which: RangeInclusive<usize>,
    ) -> Result<Vec<(Option<SystematicError>, Misreport)>, SimError> {
        let truth_us = self.truth_us(from.buffer, order)?;
        let steps = from.cumulative(errors, to);
        let all = once((None, from)).chain(steps.iter().map(|(error, so_far)| (Some(*error), so_far)));
        let (names, all): (Vec<_>, Vec<_>) = all.skip(*which.start()).take(which.count()).unzip();
        let printed = self.printed_by(&all, order).into_iter();
        names
            .into_iter()
            .zip(printed)
            .map(|(error, us)| Ok((error, Misreport { reported_us: us?, truth_us })))
            .collect()
    }

    /// Returns the contribution of each error between two configurations' numbers of an order's calls. Its intervals
    /// hold nothing but the values. [`Budget::spanning`] joins budgets of several machines.
    ///
    /// # Errors
    ///
    /// Fails where [`Predictor::printed`] fails.
    pub fn budget(&self, from: &Configuration, to: &Configuration, order: &Order) -> Result<Budget, SimError> {
        let all = Design::between(from, to).cells;
        let numbers = self.printed_by(&all.iter().collect::<Vec<_>>(), order);
        let numbers: Vec<f64> = numbers.into_iter().collect::<Result<_, _>>()?;
        Ok(Budget::from_numbers(from, to, &numbers).expect("a number of each of the budget's own configurations"))
    }

    /// Returns this machine with those of its features that a configuration needs, and without the others.
    fn with_features(&self, features: Features) -> Predictor {
        let clocks = if features.bad_clocks { self.clocks } else { self.good_clocks };
        let network = refined(&self.network, |refinements| {
            refinements.connect = refinements.connect.filter(|_| features.connect);
            refinements.idle = refinements.idle.filter(|_| features.idle_cost);
        });
        Predictor { clocks, network, ..self.clone() }
    }
}

/// Results of synchronisations: by features of the machine, such as costly idling, and by algorithm.
#[derive(Default)]
struct Synchronised(Vec<(Features, Sync, ClockKnowledge)>);

impl Synchronised {
    /// Returns the ranks' knowledge of the global clock, on a machine with these features, when an order's method
    /// begins.
    fn knowledge(
        &mut self,
        machine: &Predictor,
        features: Features,
        order: &Order,
    ) -> Result<ClockKnowledge, SimError> {
        let ClockKnowledge::Nothing = machine.known() else { return Ok(machine.known()) };
        let sync = order.settings.sync;
        // Nothing connects for it.
        let features = Features { connect: false, ..features };
        let serves = |(with, by, known): &&(Features, Sync, ClockKnowledge)| {
            *by == sync && with.serve(&features, known.has_idled())
        };
        if let Some((_, _, known)) = self.0.iter().find(serves) {
            return Ok(known.clone());
        }
        let known = ClockKnowledge::Synchronised(Arc::new(Left::by(sync, &machine.world(order))?));
        self.0.push((features, sync, known.clone()));
        Ok(known)
    }
}

/// Returns the order with its calls timed as a configuration times them. Before a barrier benchmarks call no other one:
/// each follows the last (osu_barrier.c, IMB_barrier.c).
fn by(configuration: &Configuration, order: &Order) -> Order {
    let mut settings = configuration.settings(&order.settings);
    if let Subject::Collective(Collective::Barrier, by) = &order.subject {
        settings.barrier = by.clone();
    }
    Order { settings, ..order.clone() }
}
