//! Benchmarks by name, as lists of settings: the way in which each obtains its numbers, and the numbers that it prints.
//!
//! They are taken from the sources named beside each, and compared with their output. Their numbers of samples are not
//! part of a preset: a benchmark is compared with another on the same calls.

use super::{Buffer, Factors, FirstCall, Method, MethodSettings, OneDelay, RootChoice, Rotation, StopRule};
use crate::aggregation::{Aggregation, First, OverRanks, OverSamples};
use crate::observation::Counted;
use models::call::Element;
use models::quantity::Millionths;
use serde::{Deserialize, Serialize};

models::named! {
    /// Benchmark with a name, in alphabetical order.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Preset {
        /// Intel MPI Benchmarks 2021 (IMB).
        Imb => "imb", "IMB",
        /// Intel MPI Benchmarks up to 3, and the Pallas benchmarks before: a loop whose root changes.
        #[serde(rename = "imb-3")]
        Imb3 => "imb-3", "IMB 3",
        /// mpiBench of the Phloem benchmarks (LLNL).
        Mpibench => "mpibench", "mpiBench",
        /// MPIPerf with the defaults of its program.
        Mpiperf => "mpiperf", "MPIPerf",
        /// MPIPerf as its paper describes it.
        MpiperfPaper => "mpiperf-paper", "MPIPerf (paper)",
        /// The mpptest benchmark (Gropp & Lusk 1999).
        Mpptest => "mpptest", "mpptest",
        /// The NCCL tests, `-z 0`: with `-z 1` it is `nccl-tests,E9`.
        NcclTests => "nccl-tests", "NCCL tests",
        /// OSU Micro-Benchmarks, version 7.
        Osu => "osu", "OSU",
        /// The PICO framework (De Sensi, Pasqualoni 2025), with its raw times summarised by call.
        Pico => "pico", "PICO",
        /// The ReproMPI benchmark with `--proc-sync=roundtime`.
        Reprompi => "reprompi", "ReproMPI",
        /// The SKaMPI benchmark, version 5.
        Skampi => "skampi", "SKaMPI",
    }
    /// Name of the benchmark in files and output.
    fn name;
    /// Name of the benchmark for readers.
    fn title;
    find("benchmark"); Display(name);
}

/// Number that a benchmark prints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Column {
    /// Head of the column, as printed.
    pub head: &'static str,
    /// Aggregation of times to the number.
    pub aggregation: Aggregation,
}

impl Preset {
    /// Numbers that the benchmark prints of one case, with the most quoted one first.
    pub fn columns(self) -> Vec<Column> {
        let column = |head, first, ranks, samples, counted| Column {
            head,
            aggregation: Aggregation { first, ranks, samples, counted },
        };
        // Each rank's mean over samples, then aggregation over ranks.
        let of_means = |head, ranks| column(head, First::Samples, ranks, OverSamples::Mean, Counted::FromOwnStart);
        // The slowest rank of each sample by its own clock, then aggregation over samples.
        let of_slowest = |head, samples| column(head, First::Ranks, OverRanks::Max, samples, Counted::FromOwnStart);
        match self {
            // IMB_output.c: min, max and average over processes of the time per sample. IMB_bcast.c of IMB 3: one loop
            // between two readings, divided by its calls; printed likewise.
            Preset::Imb | Preset::Imb3 => vec![
                of_means("t_avg[usec]", OverRanks::Mean),
                of_means("t_min[usec]", OverRanks::Min),
                of_means("t_max[usec]", OverRanks::Max),
            ],
            // mpiBench.c, Print_Timings: average, least and greatest of all processes' time over calls.
            Preset::Mpibench => {
                vec![of_means("Avg", OverRanks::Mean), of_means("Min", OverRanks::Min), of_means("Max", OverRanks::Max)]
            }
            // common.cu, BenchTime and Allreduce: the time over calls, its average over processes (`-a 1`).
            Preset::NcclTests => vec![of_means("time", OverRanks::Mean)],
            // osu_bcast.c: MPI_Reduce of each process's timer / iterations by MIN, MAX and SUM / numprocs.
            Preset::Osu => vec![
                of_means("Avg Latency(us)", OverRanks::Mean),
                of_means("Min Latency(us)", OverRanks::Min),
                of_means("Max Latency(us)", OverRanks::Max),
            ],
            // pico_core.c: MPI_Reduce by MAX of each call's times, `highest`; summarize_data.py: its median, mean and
            // ends.
            Preset::Pico => vec![
                of_slowest("median", OverSamples::Median),
                of_slowest("mean", OverSamples::Mean),
                of_slowest("min", OverSamples::Min),
                of_slowest("max", OverSamples::Max),
            ],
            // Gropp & Lusk 1999, section 3: the minimum over repeated loops of the mean over a loop, on rank 0.
            Preset::Mpptest => {
                vec![column("time", First::Samples, OverRanks::RankZero, OverSamples::Min, Counted::FromOwnStart)]
            }
            // measurement.c, extract_final_results: the slowest process of each sample, sorted, without the
            // lowest n/4 and the highest n/4, mean.
            Preset::Skampi => vec![of_slowest("time", OverSamples::TrimmedMean { share: 0.25 })],
            // report.c: mean of these times after 25 % at each end were removed (stat_dataset_remove_outliers).
            Preset::Mpiperf | Preset::MpiperfPaper => {
                vec![of_slowest("[Mean]", OverSamples::TrimmedMean { share: 0.25 })]
            }
            // runtimes_computation.c, runtime_type=local: MPI_Reduce by MAX of each sample's local run-times.
            Preset::Reprompi => vec![
                of_slowest("mean_sec", OverSamples::Mean),
                of_slowest("median_sec", OverSamples::Median),
                of_slowest("min_sec", OverSamples::Min),
                of_slowest("max_sec", OverSamples::Max),
            ],
        }
    }

    /// Returns the first column, or the one whose head begins with `head`, or else contains it, regardless of case.
    ///
    /// # Errors
    /// Lists the benchmark's columns.
    pub fn column(self, head: Option<&str>) -> Result<Column, String> {
        let columns = self.columns();
        let Some(head) = head else { return Ok(columns[0]) };
        let wanted = head.to_lowercase();
        let begins = columns.iter().find(|column| column.head.to_lowercase().starts_with(&wanted));
        let found = begins.or_else(|| columns.iter().find(|column| column.head.to_lowercase().contains(&wanted)));
        found.filter(|_| !wanted.is_empty()).copied().ok_or_else(|| {
            let known: Vec<&str> = columns.iter().map(|column| column.head).collect();
            format!("{} prints no column '{head}'; known: {}", self.title(), known.join(", "))
        })
    }

    /// Reads a benchmark and one of its columns: `osu`, `imb:t_max`.
    ///
    /// # Errors
    /// Lists the benchmarks, or the benchmark's columns.
    pub fn printing(text: &str) -> Result<(Preset, Column), String> {
        let (name, head) = text.split_once(':').map_or((text, None), |(name, head)| (name, Some(head)));
        let preset = Preset::find(name)?;
        Ok((preset, preset.column(head)?))
    }

    /// Whether the benchmark would have timed calls as a method did under these factors, whose buffer is the calls'
    /// own. A benchmark that changes its buffers would print other numbers of calls that do not.
    pub fn times_like(self, method: Method, factors: &Factors) -> bool {
        let rotates = method == Method::RootRotation;
        let root = if rotates { factors.rotation == Rotation::Loop } else { factors.root == self.root() };
        method == self.method()
            && root
            && !factors.barrier_inside
            && [FirstCall::Apart, self.first_call()].contains(&factors.first_call)
            && [Buffer::Same, factors.buffer].contains(&self.buffer())
    }

    /// Method by which the benchmark times calls.
    pub fn method(self) -> Method {
        match self {
            Preset::Imb | Preset::Osu | Preset::Pico => Method::BarrierLoop,
            Preset::Mpptest | Preset::Imb3 => Method::RootRotation,
            Preset::Mpibench => Method::BarrierInside,
            Preset::NcclTests => Method::Loop,
            Preset::Skampi | Preset::Mpiperf | Preset::MpiperfPaper => Method::Window,
            Preset::Reprompi => Method::RoundTime,
        }
    }

    /// Elements of the benchmark's reductions, where they are known: OSU 7 reduces MPI_CHAR, IMB MPI_FLOAT, the NCCL
    /// tests float.
    pub fn element(self) -> Option<Element> {
        match self {
            Preset::Imb | Preset::Imb3 | Preset::NcclTests => Some(Element::Float),
            Preset::Osu => Some(Element::Byte),
            Preset::Mpibench
            | Preset::Mpptest
            | Preset::Pico
            | Preset::Skampi
            | Preset::Mpiperf
            | Preset::MpiperfPaper
            | Preset::Reprompi => None,
        }
    }

    /// Treatment of the first call by the benchmark.
    pub fn first_call(self) -> FirstCall {
        match self {
            // IMB_init.c: a warm-up; osu_bcast.c: calls that are skipped first.
            // mpiBench.c: calls that find out how many fit a time; common.cu: warm-ups.
            Preset::Imb
            | Preset::Imb3
            | Preset::Mpibench
            | Preset::NcclTests
            | Preset::Osu
            | Preset::Mpptest
            | Preset::Skampi
            | Preset::Mpiperf
            | Preset::MpiperfPaper => FirstCall::Apart,
            // benchmarkCollective.c: no warm-up. pico_core_utils.h, DEFINE_TEST_LOOP: none, and the first call is a row
            // like all others; a median of many calls does not show it.
            Preset::Reprompi | Preset::Pico => FirstCall::Included,
        }
    }

    /// State of the buffers of the benchmark's calls.
    pub fn buffer(self) -> Buffer {
        match self {
            // common.cu, startColl: another piece of a long buffer for each call.
            Preset::NcclTests => Buffer::Pool,
            // IMB: `-off_cache` not given; the others have no such flag.
            Preset::Imb
            | Preset::Imb3
            | Preset::Mpibench
            | Preset::Osu
            | Preset::Pico
            | Preset::Mpptest
            | Preset::Skampi
            | Preset::Mpiperf
            | Preset::MpiperfPaper
            | Preset::Reprompi => Buffer::Same,
        }
    }

    /// Whether a barrier behind every call is timed with it: mpiBench.c, `__BAR__` inside the loop.
    pub fn barrier_inside(self) -> bool {
        self == Preset::Mpibench
    }

    /// Delay under which the benchmark's calls are predicted. Where a program has no warm-up, the first call's
    /// connections are a delay, and published times show the skew that remains. Calls of the others are predicted for
    /// ranks that enter together; `osu,E10` is OSU after a delay.
    pub fn delay(self) -> Option<OneDelay> {
        (self == Preset::Pico).then(OneDelay::default)
    }

    /// Whether the benchmark's root changes.
    pub fn root(self) -> RootChoice {
        match self {
            // IMB: `-root_shift 0` (it was 1 before 2017).
            Preset::Imb
            | Preset::Mpibench
            | Preset::NcclTests
            | Preset::Osu
            | Preset::Pico
            | Preset::Skampi
            | Preset::Mpiperf
            | Preset::MpiperfPaper
            | Preset::Reprompi => RootChoice::Fixed,
            // Gropp & Lusk 1999, and Kurnosov 2012 on E3: the root changes from call to call. IMB_bcast.c of IMB 3: the
            // next root is the next rank.
            Preset::Mpptest | Preset::Imb3 => RootChoice::Rotating,
        }
    }

    /// Sets the benchmark's rules for windows or announcements, where it has any.
    pub fn rules(self, settings: &mut MethodSettings) {
        match self {
            // IMB_bcast.c: each call between two readings; `-sync 1`: a barrier after each. osu_bcast.c: likewise.
            // DEFINE_TEST_LOOP: a barrier, then each call between two readings of MPI_Wtime and a barrier behind it.
            Preset::Imb
            | Preset::Imb3
            | Preset::Mpibench
            | Preset::NcclTests
            | Preset::Osu
            | Preset::Pico
            | Preset::Mpptest => {}
            // measurement.c: windows (SYNC_REAL), 4 starts with an interval of 0, then 8 and more until the standard
            // error is 10 % of the mean.
            Preset::Skampi => {
                settings.window.first_starts = 4;
                settings.window.stage_starts = 8;
                settings.window.stop = StopRule::Precision { relative_error: Millionths(100_000), valid: 8 };
            }
            // Kurnosov 2012, section 4: until 100 starts, of which 30 are valid.
            Preset::MpiperfPaper => {
                settings.window.stop = StopRule::Counts { starts: 100, valid: 30 };
            }
            // MPIPerf's own bench_coll.c and its defaults: until 400 starts, of which 100 are valid.
            Preset::Mpiperf => {
                settings.window.stop = StopRule::Counts { starts: 400, valid: 100 };
            }
            // round_time_sync.c: 10 announcements tried, starts 3 times their mean ahead.
            Preset::Reprompi => {
                settings.round_time.announcements = 10;
                settings.round_time.slack = 1.5;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_are_found_by_name_and_print_something() {
        for preset in Preset::ALL {
            assert_eq!(Preset::find(preset.name()), Ok(preset));
            assert!(!preset.columns().is_empty());
        }
        insta::assert_snapshot!(Preset::find("netpipe").unwrap_err());
    }
}
