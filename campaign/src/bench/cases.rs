//! Cases of the benchmark: the work of engine.md's table, with targets and the figures of other simulators.

use anyhow::Context;
use std::path::Path;
use std::process::Command;

/// Case of the benchmark, which is one run of this program.
pub struct Case {
    /// Name of the case in the table.
    pub name: &'static str,
    /// Arguments of this program. `{barriers}` and `{incast}` stand for schedules that are exported first.
    line: &'static str,
    /// Number of pieces of work in one run, and the noun for one.
    pub per: Option<(u32, &'static str)>,
    /// Target that the case should reach, empty where there is none.
    pub target: &'static str,
    /// Figures of other simulators for the same work.
    pub peers: &'static str,
    /// Whether the case needs much memory and minutes, so that it runs once.
    pub large: bool,
}

const fn case(name: &'static str, line: &'static str, target: &'static str, peers: &'static str) -> Case {
    Case { name, line, per: None, target, peers, large: false }
}

/// Arguments that export 100 dissemination barriers of 1024 ranks as a schedule.
const BARRIERS: &str = "goal export barrier --algorithm dissemination --ranks 1024 --bytes 1 --calls 100";
/// Arguments that export a gather of 16 384 ranks as a schedule.
const INCAST: &str = "goal export gather --algorithm linear --ranks 16384 --bytes 8";

/// All cases, in the order of the table.
pub const CASES: &[Case] = &[
    case("start-up: barrier of 2 ranks", "simulate barrier --algorithm dissemination --ranks 2", "", ""),
    case(
        "dissemination barrier, P = 2^20",
        "simulate barrier --algorithm dissemination --ranks 2^20 --bytes 1",
        "0.05 s, 32 B per rank",
        "LogGOPSim 65–89 s, 7.5 GB",
    ),
    case(
        "the same, ranks entering apart",
        "simulate barrier --algorithm dissemination --ranks 2^20 --bytes 1 --entry random:10us",
        "0.05 s, 32 B per rank",
        "",
    ),
    case(
        "the same, independent noise",
        "simulate barrier --algorithm dissemination --ranks 2^20 --bytes 1 --noise exponential:mean=10us,rate=100Hz",
        "1 s",
        "LogGOPSim 2.1 times its noise-free time",
    ),
    Case {
        large: true,
        ..case(
            "dissemination barrier, P = 2^30, entering apart",
            "simulate barrier --algorithm dissemination --ranks 2^30 --bytes 1 --entry random:10us",
            "300 s, 20 GB",
            "none; xSim 2^27 ranks on 960 cores",
        )
    },
    case(
        "dissemination barrier, P = 2^30",
        "simulate barrier --algorithm dissemination --ranks 2^30 --bytes 1",
        "300 s, 20 GB",
        "none; xSim 2^27 ranks on 960 cores",
    ),
    case(
        "100 barriers, P = 1024: event engine",
        "simulate barrier --algorithm dissemination --ranks 1024 --bytes 1 --calls 100 --engine event",
        "0.15 s",
        "LogGOPSim 0.52–0.65 s",
    ),
    case(
        "100 barriers, P = 1024: fast engine, entering apart",
        "simulate barrier --algorithm dissemination --ranks 1024 --bytes 1 --calls 100 --engine fast --entry random:10us",
        "0.02 s",
        "",
    ),
    case("100 barriers, P = 1024: reading the text", "goal check {barriers} --read-only", "0.3 s", "LogGOPSim 1.1 s"),
    case(
        "100 barriers, P = 1024: schedule, reading and event engine",
        "goal run {barriers} --engine event",
        "0.45 s",
        "LogGOPSim 1.62–1.75 s",
    ),
    case(
        "100 barriers, P = 1024: schedule, reading and fast engine",
        "goal run {barriers} --engine fast",
        "0.32 s",
        "LogGOPSim 1.62–1.75 s",
    ),
    case(
        "gather to one rank, P = 16384",
        "simulate gather --algorithm linear --ranks 16384 --bytes 8",
        "0.02 s",
        "LogGOPSim 12 s",
    ),
    case(
        "gather to one rank, P = 16384: event engine",
        "simulate gather --algorithm linear --ranks 16384 --bytes 8 --engine event",
        "0.02 s",
        "LogGOPSim 12 s",
    ),
    case(
        "gather to one rank, P = 16384: schedule under loggopsim-v1",
        "goal run {incast} --model loggopsim-v1",
        "0.02 s",
        "LogGOPSim 12 s",
    ),
    case(
        "unsynchronised loop, linear bcast, P = 64, k = 1000",
        "simulate bcast --algorithm linear --ranks 64 --bytes 8 --calls 1000",
        "0.005 s",
        "SMPI 51 s",
    ),
    case(
        "the same: event engine",
        "simulate bcast --algorithm linear --ranks 64 --bytes 8 --calls 1000 --engine event",
        "",
        "SMPI 51 s",
    ),
    case(
        "OSU's loop, ring allgather, P = 256: event engine",
        "simulate allgather --algorithm ring --ranks 256 --bytes 8 --benchmark osu --barrier tree --samples 100 --engine event",
        "",
        "",
    ),
    case(
        "the same: all ranks at once",
        "simulate allgather --algorithm ring --ranks 256 --bytes 8 --benchmark osu --barrier tree --samples 100 --engine fast",
        "a tenth of the event engine",
        "",
    ),
    case(
        "OSU's loop, binomial bcast, P = 1024: event engine",
        "simulate bcast --algorithm binomial --ranks 1024 --bytes 8 --benchmark osu --barrier tree --samples 100 --engine event",
        "",
        "",
    ),
    case(
        "the same: all ranks at once",
        "simulate bcast --algorithm binomial --ranks 1024 --bytes 8 --benchmark osu --barrier tree --samples 100 --engine fast",
        "a tenth of the event engine",
        "",
    ),
    case(
        "one noise realisation, P = 4096",
        "simulate barrier --algorithm dissemination --ranks 4096 --noise exponential:mean=10us,rate=100Hz",
        "",
        "",
    ),
    Case {
        per: Some((1000, "realisation")),
        ..case(
            "1000 noise realisations, P = 4096",
            "simulate barrier --algorithm dissemination --ranks 4096 --noise exponential:mean=10us,rate=100Hz --realisations 1000",
            "a tenth of one run alone",
            "1000 runs",
        )
    },
    Case {
        per: Some((1000, "realisation")),
        ..case(
            "1000 noise realisations, P = 4096, binomial bcast",
            "simulate bcast --algorithm binomial --ranks 4096 --bytes 8 --noise exponential:mean=10us,rate=100Hz --realisations 1000",
            "a tenth of one run alone",
            "1000 runs",
        )
    },
];

impl Case {
    /// Returns the arguments of the child. Schedules that it reads are exported into `folder` first.
    pub(super) fn arguments(&self, folder: &Path) -> anyhow::Result<Vec<String>> {
        let mut line = format!("{} --format json", self.line);
        for (mark, export) in [("{barriers}", BARRIERS), ("{incast}", INCAST)] {
            if line.contains(mark) {
                let file = folder.join(format!("{}.goal", &mark[1..mark.len() - 1]));
                if !file.exists() {
                    run(&format!("{export} -o {}", file.display()))?;
                }
                line = line.replace(mark, &file.display().to_string());
            }
        }
        Ok(line.split_whitespace().map(str::to_owned).collect())
    }
}

fn run(line: &str) -> anyhow::Result<()> {
    let program = std::env::current_exe().context("this program's own path is unknown")?;
    let status = Command::new(program).args(line.split_whitespace()).status()?;
    anyhow::ensure!(status.success(), "parallax {line} ended with {status}");
    Ok(())
}
