//! `parallax curves`: what each algorithm of a collective costs over message lengths or ranks, and which one is the
//! cheapest where.

use crate::flags::{ModelFlags, NoiseFlags};
use analysis::choice::ModelChoice;
use analysis::curves::costs::{Costs, Segments, cuts};
use analysis::curves::places;
use analysis::values::{self, algorithms, collective};
use models::collective::{Algorithm, Collective, Shape};
use reports::curves::{Chart, Curve, Over};
use scenario::BadInput;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// What `parallax curves` is told.
#[derive(clap::Args)]
pub struct CurvesArguments {
    /// bcast, reduce, barrier, allreduce, gather, scatter, allgather, alltoall, reduce-scatter, scan or exscan
    #[arg(long)]
    collective: String,
    /// Its algorithms, or all of them
    #[arg(long, value_delimiter = ',', default_value = "all", value_name = "NAME,…|all")]
    algorithms: Vec<String>,
    /// What the costs are drawn over
    #[arg(long, value_parser = crate::flags::one_of(Over::ALL, Over::name))]
    over: Over,
    /// The first place [default: 8 bytes or 2 ranks]
    #[arg(long, value_name = "BYTES|RANKS")]
    from: Option<String>,
    /// The last place [default: 1MiB or 1024 ranks]
    #[arg(long, value_name = "BYTES|RANKS")]
    to: Option<String>,
    /// So many places at equal ratios [default: the powers of two, and both ends]
    #[arg(long, value_parser = clap::value_parser!(u32).range(2..=10_000))]
    points: Option<u32>,
    /// Number of ranks, where costs are drawn over bytes
    #[arg(long, value_parser = values::ranks)]
    ranks: Option<u32>,
    /// Bytes of one rank's buffer, or of one block, where costs are drawn over ranks [default: 0]
    #[arg(long, value_parser = values::bytes)]
    bytes: Option<u64>,
    /// The root, where the collective has one
    #[arg(long, default_value = "0")]
    root: u32,
    /// Length of segments, where the algorithm pipelines; 0: uncut; auto: at each point the cheapest without noise
    #[arg(long, default_value = "auto", value_name = "auto|BYTES", value_parser = segments)]
    segment: Segments,
    /// Fanout, radix or number of chains, where the algorithm has one [default: the algorithm's own]
    #[arg(long)]
    fanout: Option<u32>,
    #[command(flatten)]
    model: ModelFlags,
    #[command(flatten)]
    noise: NoiseFlags,
    /// Independent realisations of the noise at each point; their mean counts [default: 32]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    realisations: Option<u32>,
    /// Leave out points that take more messages than this, over all realisations
    #[arg(long, default_value = "2^28", value_name = "MESSAGES", value_parser = messages)]
    limit: u64,
    /// Where to: .svg (plot), .html (page with plot and tables) or .csv (data); a plot or a page has its data beside it
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// With how many realisations noise is averaged out unless said otherwise.
const REALISATIONS: u32 = 32;

impl CurvesArguments {
    /// Simulates, prints who is the cheapest where, and draws.
    pub fn curves(&self) -> anyhow::Result<ExitCode> {
        if let Some(file) = &self.output {
            reports::curves::check(file).map_err(|error| BadInput(error.to_string()))?;
        }
        let collective = collective(&self.collective)?;
        let algorithms = algorithms(collective, &self.algorithms)?;
        let shapes = self.shapes(collective)?;
        let model = self.model.choice();
        let costs = self.costs(&model)?;
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
        print!("{}", reports::curves::text_table(&chart));
        self.left_out(&chart, shapes.len());
        for file in self.output.iter() {
            let files = reports::curves::write(file, &chart).map_err(|error| BadInput(error.to_string()))?;
            files.iter().for_each(|file| println!("written: {}", file.display()));
        }
        Ok(ExitCode::SUCCESS)
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

    fn costs<'a>(&self, model: &'a ModelChoice) -> Result<Costs<'a>, BadInput> {
        let noise = model.noise(&self.noise.choice())?;
        if noise.is_none() && self.realisations.is_some_and(|realisations| realisations > 1) {
            return Err(BadInput("--realisations: without --noise all of them are the same".to_owned()));
        }
        let realisations = if noise.is_none() { 1 } else { self.realisations.unwrap_or(REALISATIONS) };
        Ok(Costs { model, noise, realisations, segments: self.segment, limit: self.limit })
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

    /// Says where points were too dear.
    fn left_out(&self, chart: &Chart, points: usize) {
        for curve in chart.curves.iter().filter(|curve| curve.points.len() < points) {
            let (missing, limit) = (points - curve.points.len(), self.limit);
            let name = &curve.name;
            println!("left out: {missing} points of {name}, with more than {limit} messages each (--limit)");
        }
    }
}

fn segments(text: &str) -> Result<Segments, String> {
    if text == "auto" { Ok(Segments::Cheapest) } else { values::bytes(text).map(Segments::Fixed) }
}

/// A number of messages, plain or as a power of two.
fn messages(text: &str) -> Result<u64, String> {
    let number = match text.split_once('^') {
        Some(("2", exponent)) => exponent.parse().ok().and_then(|exponent| 1u64.checked_shl(exponent)),
        _ => text.parse().ok(),
    };
    number.filter(|&number| number > 0).ok_or_else(|| "expected a number of messages, like 1000000 or 2^28".to_owned())
}
