//! Pictures of all points of a sweep together: the cost of each algorithm over bytes or ranks, or the exit skew of
//! ranks.

use super::memory::Broadcasts;
use super::segments::{cheapest, cuts, most_messages};
use super::work::Work;
use crate::choice::ModelChoice;
use crate::sensitivity::Varied;
use models::collective::{Collective, Shape};
use questions::show::{call, entry, noise};
use rayon::prelude::*;
use render::drawn::Drawn;
use render::groups::grouped;
use reports::sweep::SweepRow;
use reports::sweep::curves::{Chart, Curve, Looked};
use reports::sweep::exits;
use reports::sweep::sensitivity::Sensitivity;
use scenario::BadInput;
use scenario::axis::Axis;
use scenario::sweep::SweepPoint;
use sim::Simulation;

/// Largest number of exits of one point, which are all kept until their distribution is known.
pub(super) const MOST_EXITS: u64 = 1 << 24;

/// Axes of curves with their names in `--over`.
pub const ACROSS: [(&str, Axis); 4] =
    [("bytes", Axis::Bytes), ("ranks", Axis::Ranks), ("fragment", Axis::Fragment), ("buffers", Axis::Buffers)];

/// Form in which a sweep is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Show {
    /// A row for each point.
    Rows,
    /// Curves of completion times.
    Curves {
        /// Axis of the curves, like ranks or bytes.
        over: Axis,
        /// Number of messages above which points are left out.
        limit: u64,
    },
    /// Completion times as functions of parameters of the network, each with its range: `L=0..20us`.
    Parameters(Vec<String>),
    /// Exit skew: the distribution of the times by which ranks leave a call later than the first.
    Exits,
}

impl Show {
    /// Returns the axis of the curves, where there are curves.
    pub(super) fn over(&self) -> Option<Axis> {
        match self {
            Show::Curves { over, .. } => Some(*over),
            Show::Rows | Show::Parameters(_) | Show::Exits => None,
        }
    }
}

impl Work {
    /// Draws the cost of each algorithm, with points simulated on all cores.
    ///
    /// # Errors
    /// Fails on other axes that vary, and where the simulator does.
    pub(super) fn curves(&self, over: Axis, limit: u64) -> Result<Drawn, BadInput> {
        let flag = format!("--over {}", over.name().trim_end_matches("_bytes"));
        if Axis::QUEUES.contains(&over) && self.sweep.point(0).queue().is_none() {
            let expected = "expected queues in shared memory, like --algorithm shared:8KiB:1..128";
            return Err(BadInput(format!("{flag}: {expected}, found {}", self.sweep.point(0).called.name())));
        }
        if self.sweep.point(0).benchmark.is_some() {
            return self.printed(&flag, over);
        }
        let last = self.vary_alone(&flag, &[over])?;
        if over == Axis::Bytes && last.called.collective() == Collective::Barrier {
            return Err(BadInput(format!("{flag}: a barrier transfers no bytes; expected --over ranks")));
        }
        let cost = |index| {
            let point = self.sweep.point(index);
            Ok(self.cost(&point, limit)?.map(|us| (point.place(over), us)))
        };
        let costs: Vec<_> = (0..self.sweep.points()).into_par_iter().map(cost).collect::<Result<_, BadInput>>()?;
        let (curves, left_out) = self.by_name(over, limit, &costs);
        let mean = format!(", mean of {} realisations of the noise", last.realisations);
        let mean = if last.noise.is_empty() { "" } else { &mean };
        let notes = [vec![format!("completion time: the last rank's finish{mean}")], self.notes(&last)?].concat();
        let (looked, exceptions) = match over {
            // Between two queues there may be no further one.
            Axis::Fragment | Axis::Buffers => (Looked::default(), Vec::new()),
            _ => (self.look_between(over, limit, &curves)?, self.exceptions(over, limit, &curves)?),
        };
        let found = looked.points.len() + looked.several.len();
        let mut drawn = Chart { title: title(&last, Some(over)), notes, over, curves, cheapest: true, looked }.drawn();
        if found > 0 {
            drawn.remarks.push(super::crossing::SEARCH.to_owned());
        }
        drawn.remarks.extend(exceptions);
        drawn.remarks.extend(left_out);
        Ok(with_key(drawn, &last, &[over]))
    }

    /// Returns a curve for each algorithm, or, over a property of queues, for all queues that differ in nothing else.
    /// Also returns sentences on the points that are missing because they have more than `limit` messages.
    fn by_name(&self, over: Axis, limit: u64, costs: &[Option<(f64, f64)>]) -> (Vec<Curve>, Vec<String>) {
        let named = (0..).zip(costs).map(|(index, cost)| (self.sweep.point(index).listed.curve(over), *cost));
        let curves = grouped(named);
        let left_out = curves.iter().filter_map(|(name, costs)| {
            let missing = costs.iter().filter(|cost| cost.is_none()).count();
            let told =
                || format!("left out: {missing} points of {name}, with more than {limit} messages each (--limit)");
            (missing > 0).then(told)
        });
        let left_out = left_out.collect();
        let curve = |(name, costs): (String, Vec<_>)| Curve { name, points: costs.into_iter().flatten().collect() };
        (curves.into_iter().map(curve).collect(), left_out)
    }

    /// Draws the completion time of each algorithm as a function of one parameter after the other.
    ///
    /// # Errors
    /// Fails on properties other than algorithms that vary, on noise, and where the simulator does.
    pub(super) fn over_parameters(&self, asked: &[String]) -> Result<Drawn, BadInput> {
        let flag = "--over";
        let last = self.vary_alone(&format!("{flag} {}", asked.join(",")), &[])?;
        if last.benchmark.is_some() {
            return Err(BadInput(format!(
                "{flag}: numbers of benchmarks are drawn over bytes and ranks only; leave out --benchmark"
            )));
        }
        self.exchange_messages(flag)?;
        let points: Vec<SweepPoint<'_>> = (0..self.sweep.points()).map(|index| self.sweep.point(index)).collect();
        let simulations = points.iter().map(|point| self.simulation(point).map_err(BadInput));
        let simulations: Vec<Simulation> = simulations.collect::<Result<_, _>>()?;
        let panel = |text: &String| {
            let varied = Varied::of_simulation(flag, &ACROSS.map(|(name, _)| name), text, &simulations[0])?;
            let line = |(simulation, point): (&Simulation, &SweepPoint<'_>)| {
                varied.simulated(flag, point.called.name(), simulation, self.engine)
            };
            let lines = simulations.par_iter().zip(&points).map(line).collect::<Result<_, BadInput>>()?;
            Ok(varied.panel(lines))
        };
        let panels = asked.iter().map(panel).collect::<Result<_, BadInput>>()?;
        let sensitivity = Sensitivity { title: title(&last, None), notes: self.notes(&last)?, panels };
        Ok(with_key(sensitivity.drawn(), &last, &[]))
    }

    /// Draws the numbers that a benchmark prints, with each barrier between its calls.
    fn printed(&self, flag: &str, over: Axis) -> Result<Drawn, BadInput> {
        let last = self.vary_alone(flag, &[over, Axis::Barrier])?;
        let found = (0..self.sweep.points()).into_par_iter().flat_map_iter(|index| self.simulate(index..index + 1));
        let found: Vec<_> = found.collect();
        let row = |(index, found)| SweepRow { point: self.sweep.point(index), found };
        let rows: Vec<SweepRow<'_>> = (0..).zip(found).map(row).collect();
        if let Some((row, error)) = rows.iter().find_map(|row| Some((row, row.found.as_ref().err()?))) {
            return Err(BadInput(format!("{flag}: {}: {error}", row.point.key())));
        }
        let benchmark = last.benchmark.map_or("", |benchmark| &benchmark.name);
        let title = format!("{benchmark}: {}", title(&last, Some(over)));
        Ok(with_key(reports::sweep::printed(&rows, over, title, self.notes(&last)?), &last, &[over, Axis::Barrier]))
    }

    /// Returns the completion time in µs, or `None` where it takes too many messages.
    pub(super) fn cost(&self, point: &SweepPoint<'_>, limit: u64) -> Result<Option<f64>, BadInput> {
        if let Some(broadcasts) = Broadcasts::from_point(point).map_err(BadInput)? {
            if broadcasts.notifications() > limit {
                return Ok(None);
            }
            let finish = broadcasts.finish().map_err(|message| at_point(point, &message))?;
            return Ok(finish.into_iter().max().map(|last| last.0 as f64 / 1e6));
        }
        let mut simulation = self.simulation(point).map_err(BadInput)?;
        if self.cheapest {
            let shape = cheapest(&simulation, self.engine, limit);
            simulation.shape = shape.map_err(|error| failed(point, &error))?;
        }
        let calls = realisations(point).saturating_mul(u64::from(point.repeat));
        if most_messages(simulation.algorithm, &simulation.shape).saturating_mul(calls) > limit {
            return Ok(None);
        }
        let last = self.realised(&simulation, point, |outcome| outcome.finish.range().1)?;
        let sum: u128 = last.iter().map(|time| u128::from(time.0)).sum();
        Ok(Some(sum as f64 / last.len() as f64 / 1e6))
    }

    /// Draws the exit skew of each algorithm.
    ///
    /// # Errors
    /// Fails on other axes that vary, on more exits than are kept, and where the simulator does.
    pub(super) fn exits(&self) -> Result<Drawn, BadInput> {
        let last = self.vary_alone("--quantity exit-skew", &[Axis::Noise])?;
        self.exchange_messages("--quantity exit-skew")?;
        let row = |index| {
            let point = self.sweep.point(index);
            let exits = realisations(&point).saturating_mul(u64::from(point.shape.ranks));
            if exits > MOST_EXITS {
                let expected = format!("expected a product of at most {MOST_EXITS} exits, found {exits}");
                return Err(BadInput(format!("--ranks, --realisations: {expected}")));
            }
            let simulation = self.simulation(&point).map_err(BadInput)?;
            let exits = self.realised(&simulation, &point, |outcome| outcome.finish.to_vec())?;
            Ok(exits::ExitsRow::from_calls(point.called.name(), !point.noise.is_empty(), &exits))
        };
        let rows = (0..self.sweep.points()).map(row).collect::<Result<_, _>>()?;
        let title = format!("Exit skew of {}", title(&last, None));
        // The last point has the noise, if there is any.
        Ok(with_key(exits::Skew { title, notes: self.notes(&last)?, rows }.drawn(), &last, &[]))
    }

    /// Refuses queues in shared memory.
    fn exchange_messages(&self, flag: &str) -> Result<(), BadInput> {
        match self.sweep.point(0) {
            point if point.queue().is_some() => Err(BadInput(format!(
                "{flag}: {} is drawn over bytes, ranks, fragment or buffers; expected one of these with --over",
                point.called.name()
            ))),
            _ => Ok(()),
        }
    }

    /// Checks that points differ in their algorithms and on these axes alone; returns the last point.
    fn vary_alone(&self, flag: &str, axes: &[Axis]) -> Result<SweepPoint<'_>, BadInput> {
        let (first, last) = (self.sweep.point(0), self.sweep.point(self.sweep.points() - 1));
        let several = first.called.collective() != last.called.collective();
        let other = self.sweep.varied().find(|varied| *varied != Axis::Algorithm && !axes.contains(varied));
        match other.or(several.then_some(Axis::Operation)) {
            None => Ok(last),
            Some(other) => {
                let axes: Vec<&str> = axes.iter().map(|axis| axis.name()).collect();
                let allowed = ["algorithms"].into_iter().chain(axes).collect::<Vec<_>>().join(" and ");
                let allowed = format!("only {allowed} may vary");
                Err(BadInput(format!("{flag}: expected a single value of {other}, found several; {allowed}")))
            }
        }
    }

    /// Returns notes on the conditions under which the numbers hold.
    fn notes(&self, point: &SweepPoint<'_>) -> Result<Vec<String>, BadInput> {
        if let Some(broadcasts) = Broadcasts::from_point(point).map_err(BadInput)? {
            return Ok(vec![broadcasts.costs()]);
        }
        let simulation = self.simulation(point).map_err(BadInput)?;
        let mut notes = vec![entry(&simulation), simulation.platform.to_string()];
        let machine = self.choice.as_ref().map_or(Ok(None), ModelChoice::machine)?;
        if machine.is_some_and(|machine| machine.has_memory()) && !simulation.platform.has_lines() {
            notes.push(
                "messages alone, without the machine's memory, as by parallax simulate --reference none".to_owned(),
            );
        }
        notes.extend(noise(&simulation, point.seed).map(|noise| format!("noise {noise}")));
        let given = point.key().within(|axis| axis == Axis::Fanout || axis == Axis::Segment);
        let given: Vec<String> = given
            .0
            .into_iter()
            .filter(|(_, value)| value.number() != Some(0))
            .map(|(axis, value)| format!("{axis} {value}"))
            .collect();
        if !given.is_empty() {
            notes.push(format!("{}, where the algorithm has one", given.join(", ")));
        }
        let cut = |index| self.sweep.point(index).played().is_ok_and(|(algorithm, shape)| cuts(algorithm, &shape));
        if self.cheapest && (0..self.sweep.points()).any(cut) {
            notes.push("pipelining algorithms use their fastest segment length at each point".to_owned());
        }
        Ok(notes)
    }

    /// Simulates all realisations of a point, and returns the value that `keep` takes from each.
    fn realised<T: Send>(
        &self,
        simulation: &Simulation,
        point: &SweepPoint<'_>,
        keep: impl Fn(sim::SimulationOutcome) -> T + Sync,
    ) -> Result<Vec<T>, BadInput> {
        let count = realisations(point) as u32;
        simulation.realise(self.engine, 0..count, keep).map_err(|error| failed(point, &error))
    }
}

/// Adds the columns in which all points agree to the rows for programs.
fn with_key(drawn: Drawn, point: &SweepPoint<'_>, varied: &[Axis]) -> Drawn {
    drawn.with_key(&point.key().within(|axis| axis != Axis::Algorithm && !varied.contains(&axis)))
}

/// Returns the number of different realisations of a point: without noise all are the same.
fn realisations(point: &SweepPoint<'_>) -> u64 {
    if point.noise.is_empty() { 1 } else { point.realisations.into() }
}

fn failed(point: &SweepPoint<'_>, error: &sim::SimError) -> BadInput {
    at_point(point, &error.to_string())
}

fn at_point(SweepPoint { called, shape, .. }: &SweepPoint<'_>, error: &str) -> BadInput {
    BadInput(format!("{} {}, {} ranks, {} B: {error}", called.name(), called.collective(), shape.ranks, shape.bytes))
}

/// Describes the calls, without the quantity on the axis.
fn title(SweepPoint { called, shape, repeat, .. }: &SweepPoint<'_>, over: Option<Axis>) -> String {
    let shape = match over {
        Some(Axis::Ranks) => Shape { ranks: 0, ..*shape },
        Some(Axis::Bytes) => Shape { bytes: 0, ..*shape },
        Some(_) | None => *shape,
    };
    call(called.collective().name(), called.collective(), &shape, *repeat)
}
