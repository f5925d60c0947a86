//! Six broadcasts of 32 B behind two barriers on Leonardo: what was published, what ranks on machine `leonardo-256` are
//! predicted to print, and what was true. The picture of the guide's page on supercomputers.
//!
//! `cargo run -p parallax-examples --bin two_barriers -- [FILE.svg]`; without a file the numbers are printed.

use anyhow::{Context, Error};
use parallax_fit::{Benchmark, Printed};
use parallax_models::collective::{Collective, published};
use parallax_models::platform::Platform;
use parallax_programs::budget::Configuration;
use parallax_programs::machine::{Estimate, KNOWN, Machine};
use parallax_programs::method::Preset;
use parallax_programs::observation::Barrier;
use parallax_study::printed::{AgreementRow, write_chart};
use std::path::Path;

/// One run: its time, its barrier, its ranks, what is known of its platform, and what PICO published,
/// in µs, of each of [`ALGORITHMS`] (the median over 20 000 calls).
struct Run {
    job: &'static str,
    barrier: &'static str,
    ranks: u32,
    platform: &'static str,
    published_us: [f64; 6],
}

const ALGORITHMS: [&str; 6] =
    ["binomial_ompi", "knomial_ompi", "binary_ompi", "split_binary_ompi", "bine_lat_new_over", "bine_lat_over"];
const RUNS: [Run; 2] = [
    Run {
        job: "2025_04_04___18_21_29",
        barrier: "tree",
        ranks: 256,
        platform: "",
        published_us: [3.559, 4.330, 22.909, 26.035, 29.869, 44.949],
    },
    Run {
        job: "2025_04_06___23_05_13",
        barrier: "recursive-doubling",
        ranks: 1024,
        // Four ranks a node; the time within a node is a guess.
        platform: "placement=block:2/4,class.node.L=400ns",
        published_us: [64.289, 34.056, 42.588, 42.881, 43.824, 25.685],
    },
];
/// Elements of 4 B each.
const ELEMENTS: u64 = 8;

fn main() -> anyhow::Result<()> {
    let (name, text) = KNOWN.iter().find(|(name, _)| *name == "leonardo-256").context("no machine leonardo-256")?;
    let machine = Machine::parse(name, text).map_err(Error::msg)?;
    let mut rows = Vec::new();
    for run in &RUNS {
        rows.extend(predicted(run, &machine)?);
    }
    match std::env::args().nth(1) {
        Some(file) => write_chart(&rows, Path::new(&file)).map_err(Error::msg)?,
        None => {
            println!("algorithm\tbarrier\tranks\tpublished_us\tpredicted_us\tlow\thigh\ttrue_us\tlow\thigh");
            for row in rows {
                let told = |Estimate { value, low, high }| format!("{value:.2}\t{low:.2}\t{high:.2}");
                let call = format!("{}\t{}\t{}", row.published_algorithm, row.barrier, row.ranks);
                println!("{call}\t{:.2}\t{}\t{}", row.printed_us, told(row.predicted_us), told(row.true_us));
            }
        }
    }
    Ok(())
}

/// All numbers of a run.
fn predicted(run: &Run, machine: &Machine) -> anyhow::Result<Vec<AgreementRow>> {
    let barrier = Barrier::find(run.barrier).map_err(Error::msg)?;
    let configuration = Configuration::preset(Preset::Pico, Some("median")).map_err(Error::msg)?;
    let benchmark = Benchmark { configuration, barrier, samples: 16, platform: run.platform.to_owned(), near: false };
    let calls = ALGORITHMS.iter().zip(run.published_us).map(|(name, us)| {
        let (algorithm, shape) = published(name, Collective::Bcast, run.ranks, ELEMENTS)?;
        Ok(Printed { name: (*name).to_owned(), algorithm, shape, us })
    });
    let calls: Vec<Printed> = calls.collect::<Result<_, String>>().map_err(Error::msg)?;
    // At its best parameters, and at each of the other sets that fit as well.
    let sets = machine.sets().into_iter();
    let platforms: Result<Vec<Platform>, String> = sets.map(|(one, bound)| one.platform("loggops", bound)).collect();
    let platforms = platforms.map_err(Error::msg)?;
    let (printed, truths) = (benchmark.prints_over(&platforms, &calls)?, benchmark.truths_over(&platforms, &calls)?);
    let row = |((call, predicted_us), true_us): ((&Printed, Estimate), Estimate)| AgreementRow {
        system: machine.provenance.host.clone(),
        job: run.job.to_owned(),
        ranks: run.ranks,
        operation: Collective::Bcast,
        algorithm: call.algorithm.name.to_owned(),
        published_algorithm: call.name.clone(),
        bytes: call.shape.bytes,
        barrier: barrier.to_string(),
        barrier_grounds: "inferred".to_owned(),
        printed_us: call.us,
        predicted_us,
        error: predicted_us.value / call.us - 1.0,
        true_us,
    };
    Ok(calls.iter().zip(printed).zip(truths).map(row).collect())
}
