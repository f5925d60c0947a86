//! The benchmark that printed the numbers: its method around a barrier, on simulated ranks.

use crate::{FitError, Parameters, Printed};
use models::call::Call;
use models::platform::Platform;
use programs::budget::Configuration;
use programs::machine::Estimate;
use programs::method::{Buffer, MethodSettings, Order, RoundTimeSettings, Subject, WindowSettings};
use programs::observation::{Barrier, Implementation};
use programs::sync::Sync;
use rayon::prelude::*;
use sim::Predictor;

/// Way in which numbers were printed.
#[derive(Clone, Debug, PartialEq)]
pub struct Benchmark {
    /// Configuration of the method, by which a number comes about.
    pub configuration: Configuration,
    /// Barrier before each call.
    pub barrier: Barrier,
    /// Number of simulated calls behind one another. Printed numbers are of many more, most of which are in a state
    /// that simulated calls reach within a few.
    pub samples: u32,
    /// Known properties of the platform beside the parameters, in the form of `--platform`:
    /// `placement=block:4,class.node.L=400ns`. They replace equal keys of a platform. Empty if nothing is known.
    pub platform: String,
    /// Whether a fit has a latency of its own between nodes of one switch ([`crate::Parameter::Near`]). The placement
    /// must distinguish switches, else no number depends on it.
    pub near: bool,
}

impl Benchmark {
    /// Returns the numbers that simulated ranks with these parameters print, in µs.
    ///
    /// # Errors
    ///
    /// Fails if the barrier is none of ours on this number of ranks, if the known properties of the platform cannot be
    /// read or are of fewer ranks, or if times are out of range.
    pub fn prints(&self, parameters: &Parameters, rows: &[Printed]) -> Result<Vec<f64>, FitError> {
        self.prints_on(&parameters.platform(), rows)
    }

    /// Returns the numbers that simulated ranks print on any platform, in µs.
    ///
    /// # Errors
    ///
    /// Fails where [`Benchmark::prints`] fails.
    pub fn prints_on(&self, platform: &Platform, rows: &[Printed]) -> Result<Vec<f64>, FitError> {
        let machine = self.machine(platform, rows)?;
        rows.par_iter()
            .with_max_len(1)
            .map(|row| Ok(machine.printed(&self.configuration, &self.order(row)?)?))
            .collect()
    }

    /// Returns the true time of each call with these parameters: from a common start to the end of its slowest rank, in
    /// µs.
    ///
    /// # Errors
    ///
    /// Fails if times are out of range.
    pub fn truths(&self, parameters: &Parameters, rows: &[Printed]) -> Result<Vec<f64>, FitError> {
        self.truths_on(&parameters.platform(), rows)
    }

    /// Returns the true time of each call on any platform, in µs.
    ///
    /// # Errors
    ///
    /// Fails where [`Benchmark::truths`] fails.
    pub fn truths_on(&self, platform: &Platform, rows: &[Printed]) -> Result<Vec<f64>, FitError> {
        let machine = self.machine(platform, rows)?;
        rows.par_iter().with_max_len(1).map(|row| Ok(machine.truth_us(Buffer::Same, &self.order(row)?)?)).collect()
    }

    /// Returns the numbers that are printed on the first platform, with their ranges over all of them, in µs.
    ///
    /// # Errors
    ///
    /// Fails where [`Benchmark::prints`] fails.
    pub fn prints_over(&self, platforms: &[Platform], rows: &[Printed]) -> Result<Vec<Estimate>, FitError> {
        over(platforms, |platform| self.prints_on(platform, rows))
    }

    /// Returns the true time of each call on the first platform, with its range over all of them, in µs.
    ///
    /// # Errors
    ///
    /// Fails where [`Benchmark::truths`] fails.
    pub fn truths_over(&self, platforms: &[Platform], rows: &[Printed]) -> Result<Vec<Estimate>, FitError> {
        over(platforms, |platform| self.truths_on(platform, rows))
    }

    /// Makes a machine of this platform with its other known properties.
    fn machine(&self, platform: &Platform, rows: &[Printed]) -> Result<Predictor, FitError> {
        let wrong = |message: String| FitError::Other(format!("--platform: {message}"));
        let mut network = platform.clone();
        if !self.platform.is_empty() {
            let known = platform.refinements().cloned().unwrap_or_default();
            let no_file = |name: &str| Err(format!("expected values, found the file {name}"));
            network = Platform::parse_over(platform.network, known, &self.platform, no_file).map_err(wrong)?;
        }
        let ranks = rows.iter().map(|row| row.shape.ranks).max().unwrap_or(0);
        network.check(ranks).map_err(wrong)?;
        Ok(Predictor { network, ..Predictor::perfect(platform.network) })
    }

    fn order(&self, row: &Printed) -> Result<Order, FitError> {
        let by = Implementation::Own(row.algorithm.name.to_owned());
        Ok(Order {
            subject: Subject::Collective(row.algorithm.collective, by),
            shape: row.shape,
            call: Call::default(),
            copies_as: None,
            environment: Default::default(),
            settings: MethodSettings {
                method: self.configuration.method(),
                calls: 1,
                samples: self.samples,
                warmup: 0,
                barrier: self.barrier.on(row.shape.ranks).map_err(FitError::Other)?,
                sync: Sync::default(),
                window: WindowSettings::default(),
                round_time: RoundTimeSettings::default(),
                factors: Default::default(),
            },
        })
    }
}

/// Returns the numbers of the first platform, with their ranges over all of them. Empty without platforms.
///
/// # Errors
///
/// Fails where `numbers` fails.
fn over(
    platforms: &[Platform],
    mut numbers: impl FnMut(&Platform) -> Result<Vec<f64>, FitError>,
) -> Result<Vec<Estimate>, FitError> {
    let Some((best, others)) = platforms.split_first() else { return Ok(Vec::new()) };
    let mut ranges: Vec<Estimate> = numbers(best)?.into_iter().map(Estimate::exactly).collect();
    for other in others {
        for (range, value) in ranges.iter_mut().zip(numbers(other)?) {
            *range = range.including(value);
        }
    }
    Ok(ranges)
}
