//! What each algorithm of a collective costs over message lengths or ranks, and which one is the cheapest where.

pub mod costs;
mod places;

use crate::choice::{ModelChoice, NoiseChoice};
use crate::values::{self, algorithms, collective};
use costs::{Costs, Segments, cuts};
use models::collective::{Algorithm, Collective, Shape};
use reports::curves::{Chart, Curve, Over};
use scenario::BadInput;
use std::fmt::Write;

/// Curves that are drawn.
pub struct Curves {
    /// The collective's name.
    pub collective: String,
    /// Its algorithms' names, or `all`.
    pub algorithms: Vec<String>,
    /// What the costs are drawn over.
    pub over: Over,
    /// The first place, where it is said.
    pub from: Option<String>,
    /// The last place, where it is said.
    pub to: Option<String>,
    /// Number of points, at equal ratios; where none is given, the powers of two and both ends.
    pub points: Option<u32>,
    /// Number of ranks, where costs are drawn over bytes.
    pub ranks: Option<u32>,
    /// Bytes of one rank's buffer or block, where costs are drawn over ranks.
    pub bytes: Option<u64>,
    /// The root.
    pub root: u32,
    /// How messages are cut.
    pub segment: Segments,
    /// Fanout, radix or number of chains, where it is said.
    pub fanout: Option<u32>,
    /// The network.
    pub model: ModelChoice,
    /// What disturbs ranks.
    pub noise: NoiseChoice,
    /// Independent realisations of the noise at each point, where it is said.
    pub realisations: Option<u32>,
    /// The most messages of one point.
    pub limit: u64,
}

/// With how many realisations noise is averaged out unless said otherwise.
const REALISATIONS: u32 = 32;

impl Curves {
    /// Simulates all points; the chart, and how many places it has.
    ///
    /// # Errors
    /// What is wrong with the choices.
    pub fn chart(&self) -> Result<(Chart, usize), BadInput> {
        let collective = collective(&self.collective)?;
        let algorithms = algorithms(collective, &self.algorithms)?;
        let shapes = self.shapes(collective)?;
        let costs = self.costs()?;
        let found = costs.all(&algorithms, &shapes)?;
        let place = |shape: &Shape| match self.over {
            Over::Bytes => shape.bytes as f64,
            Over::Ranks => f64::from(shape.ranks),
        };
        let curve = |(algorithm, times): (&&Algorithm, &Vec<Option<f64>>)| Curve {
            name: algorithm.name.to_owned(),
            points: shapes.iter().zip(times).filter_map(|(shape, us)| Some((place(shape), (*us)?))).collect(),
        };
        let chart = Chart {
            title: self.title(collective),
            notes: self.notes(&costs, &algorithms, &shapes)?,
            over: self.over,
            curves: algorithms.iter().zip(&found).map(curve).collect(),
        };
        Ok((chart, shapes.len()))
    }

    /// The shape at each place, without segments.
    fn shapes(&self, collective: Collective) -> Result<Vec<Shape>, BadInput> {
        let shape = |ranks, bytes| Shape { fanout: self.fanout.unwrap_or(0), ..Shape::new(ranks, self.root, bytes) };
        let shapes: Vec<Shape> = match self.over {
            Over::Bytes => {
                let ranks =
                    self.ranks.ok_or_else(|| BadInput("--over bytes: expected also --ranks, like 64".into()))?;
                if self.bytes.is_some() {
                    return Err(BadInput("--bytes: --over bytes takes them from --from and --to".to_owned()));
                }
                if collective == Collective::Barrier {
                    return Err(BadInput("--over bytes: a barrier moves none; expected --over ranks".to_owned()));
                }
                let places = self.places("8", "1MiB", &values::bytes)?;
                places.into_iter().map(|bytes| shape(ranks, bytes)).collect()
            }
            Over::Ranks => {
                if self.ranks.is_some() {
                    return Err(BadInput("--ranks: --over ranks takes them from --from and --to".to_owned()));
                }
                let places = self.places("2", "1024", &|text| values::ranks(text).map(u64::from))?;
                places.into_iter().map(|ranks| shape(ranks as u32, self.bytes.unwrap_or(0))).collect()
            }
        };
        let fewest = shapes.iter().map(|shape| shape.ranks).min().unwrap_or(1);
        if self.root >= fewest {
            return Err(BadInput(format!("--root: expected 0 to {}, found {}", fewest - 1, self.root)));
        }
        Ok(shapes)
    }

    fn places(&self, from: &str, to: &str, read: &dyn Fn(&str) -> Result<u64, String>) -> Result<Vec<u64>, BadInput> {
        let read = |flag: &str, text: &Option<String>, default: &str| {
            read(text.as_deref().unwrap_or(default)).map_err(|message| BadInput(format!("{flag}: {message}")))
        };
        let (first, last) = (read("--from", &self.from, from)?, read("--to", &self.to, to)?);
        if first > last {
            return Err(BadInput(format!("--from: expected at most --to, which is {last}; found {first}")));
        }
        Ok(match self.points {
            Some(points) => places::at_equal_ratios(first, last, points),
            None => places::powers_of_two(first, last),
        })
    }

    fn costs(&self) -> Result<Costs<'_>, BadInput> {
        let noise = self.model.noise(&self.noise)?;
        if noise.is_none() && self.realisations.is_some_and(|realisations| realisations > 1) {
            return Err(BadInput("--realisations: without --noise all of them are the same".to_owned()));
        }
        let realisations = if noise.is_none() { 1 } else { self.realisations.unwrap_or(REALISATIONS) };
        Ok(Costs { model: &self.model, noise, realisations, segments: self.segment, limit: self.limit })
    }

    /// `bcast on 64 ranks`, `barrier`, `allreduce of 64 B`.
    fn title(&self, collective: Collective) -> String {
        let mut title = match self.over {
            Over::Bytes => format!("{collective} on {} ranks", self.ranks.unwrap_or_default()),
            Over::Ranks if collective == Collective::Barrier => collective.to_string(),
            Over::Ranks => format!("{collective} of {}", reports::curves::length(self.bytes.unwrap_or(0))),
        };
        if self.root > 0 && collective.is_rooted() {
            let _ = write!(title, " from root {}", self.root);
        }
        title
    }

    /// What the number is, and under which circumstances.
    fn notes(&self, costs: &Costs<'_>, algorithms: &[&Algorithm], shapes: &[Shape]) -> Result<Vec<String>, BadInput> {
        let number = "completion time: the last rank's finish of one call that all ranks enter together".to_owned();
        let platform = costs.model.messages_alone(shapes.last().map_or(1, |shape| shape.ranks))?;
        let mut notes = vec![number, platform.to_string()];
        let remembers = costs.model.machine()?.is_some_and(|machine| machine.has_memory());
        if remembers && !platform.has_lines() {
            notes.push(
                "messages alone: the machine's memory is left out, as by parallax simulate --reference none".into(),
            );
        }
        if !costs.noise.is_none() {
            let (share, seed) = (costs.noise.share() * 100.0, self.noise.seed);
            notes[0] += &format!(", mean of {} realisations of the noise", costs.realisations);
            notes.push(format!("noise {}, {share:.3} % of the CPU, seed {seed}", costs.noise));
        }
        if let Some(fanout) = self.fanout {
            notes.push(format!("fanout {fanout}, where the algorithm has one"));
        }
        let cuts = shapes.iter().any(|shape| algorithms.iter().any(|algorithm| cuts(algorithm, shape)));
        match self.segment {
            _ if !cuts => {}
            Segments::Cheapest => notes.push("pipelining algorithms at each point with their cheapest segments".into()),
            Segments::Fixed(0) => {}
            Segments::Fixed(bytes) => notes.push(format!("segments of {}", reports::curves::length(bytes))),
        }
        Ok(notes)
    }
}
