//! `parallax curves`: what each algorithm of a collective costs over message lengths or ranks, and which one is the
//! cheapest where.

use crate::flags::{ModelFlags, NoiseFlags};
use analysis::curves::Curves;
use analysis::curves::costs::Segments;
use analysis::values;
use reports::curves::{Chart, Over};
use scenario::BadInput;
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
    /// Number of points, at equal ratios [default: the powers of two, and both ends]
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

impl CurvesArguments {
    /// Simulates, prints who is the cheapest where, and draws.
    pub fn curves(&self) -> anyhow::Result<ExitCode> {
        if let Some(file) = &self.output {
            reports::curves::check(file).map_err(|error| BadInput(error.to_string()))?;
        }
        let curves = Curves {
            collective: self.collective.clone(),
            algorithms: self.algorithms.clone(),
            over: self.over,
            from: self.from.clone(),
            to: self.to.clone(),
            points: self.points,
            ranks: self.ranks,
            bytes: self.bytes,
            root: self.root,
            segment: self.segment,
            fanout: self.fanout,
            model: self.model.choice(),
            noise: self.noise.choice(),
            realisations: self.realisations,
            limit: self.limit,
        };
        let (chart, places) = curves.chart()?;
        print!("{}", reports::curves::text_table(&chart));
        self.left_out(&chart, places);
        for file in self.output.iter() {
            let files = reports::curves::write(file, &chart).map_err(|error| BadInput(error.to_string()))?;
            files.iter().for_each(|file| println!("written: {}", file.display()));
        }
        Ok(ExitCode::SUCCESS)
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
