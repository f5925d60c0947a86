//! `parallax help`: help on commands and on topics that several commands share, and the examples of every command.

use crate::cli::command;
use crate::output::{print, terminal_width};
use crate::parts::left_out;
use models::network::{NAMED, Named, Network};
use models::noise;
use models::platform;
use render::words::wrapped;
use scenario::BadInput;
use std::process::ExitCode;

/// The arguments of `parallax help`.
#[derive(clap::Args)]
pub struct HelpArguments {
    /// A command, like probe latency, or a topic: units, lists, model, platform, detours or exit
    #[arg(value_name = "COMMAND|TOPIC")]
    topic: Vec<String>,
}

/// Name of a topic, and the function that returns its text.
type Topic = (&'static str, fn() -> String);

/// Topics that several commands share.
const TOPICS: [Topic; 6] = [
    ("units", || UNITS.to_owned()),
    ("lists", || LISTS.to_owned()),
    ("model", model_help),
    ("platform", platform_help),
    ("detours", noise_help),
    ("exit", || EXIT.to_owned()),
];

const UNITS: &str = "\
Units of values on the command line and in files

  bytes     8, 64B, 1k or 1K or 1KiB (1024), 64M or 64MiB, 1G or 1GiB, 1TiB; 1kB (1000), 1MB (10^6), 1GB (10^9).
            A number without a unit is in bytes
  time      ps, ns, us (or µs), ms, s: 2.5us. In --set, a number without a unit is in ns
  per byte  ps/B, ns/B, us/B: 0.04ns/B. In --set, a number without a unit is in ns/B
  clocks    ppm: 20ppm
  ranks     64, 2^20
  shares    5% or 0.05

In files a quantity is a string with its unit: alpha = \"500 us\". In output the head of each column ends in its unit:
_us, _ps, _bytes.
";

const LISTS: &str = "\
Lists and ranges of values, as flags and in files (bytes and ranks alike)

  8,64,1K         these values
  8..64K          doubling: 8, 16, 32, … 65536
  8..64K*4        factor 4: 8, 32, 128, … 32768
  0..64+8         in steps of 8
  2..1000/20      20 log-spaced values
  2..32,48,64     a combination

measure and calibrate sort values and remove duplicates, sweeps keep both. Lists without ranges (NAME,… in help)
refuse a value that is named twice.
";

const MODEL: &str = "\
Network models (--model) and their parameters (--set)

  hockney   alpha + beta × bytes; --send-rule: what the sender waits for, busy (its transfer), synchronous
            (the receiver and the transfer), detached or eager (nothing)
  logp      L, o, g                  latency, overhead of sender and receiver, gap between messages
  loggp     L, o, g, G               also gap per byte
  loggops   L, o, g, G, O, S         also overhead per byte; sends longer than S wait for their receiver (eager limit)
  plogp     L, os, or, g by length   overheads and gap depend on the message length: g=0:1us/1024:2us
  loggopsim-v1                       for `parallax goal run` only: the rules of LogGOPSim

  --set L=2.5us,o=1.5us,g=1us,G=6ns/B,O=0ns/B,S=65535B is the default: a network of 2010, as in LogGOPSim. Parameters
  that --set does not name stay at it; S=none: no send waits for its receiver.
  --set alpha=5us,beta=1ns/B selects hockney.
  --set NAME selects a published network, and --set NAME,o=1us changes a parameter of it:

@NETWORKS@
  --machine NAME uses the parameters that `parallax calibrate` measured; openmpi and mpich come with parallax.
";

const EXIT: &str = "\
Exit codes of all commands

  0  success. Unmet expectations and verdicts do not change the exit code, unless a flag such as --fail-if is given
  1  failure, interruption, a problem found by doctor, or a met condition of a flag like --fail-if; finished
     results are kept (--resume)
  2  invalid input: nothing was started or written
";

fn model_help() -> String {
    let line = |named: &Named| format!("    {:<15} {} ({}): {}\n", named.name, named.words, named.year, named.set);
    MODEL.replace("@NETWORKS@\n", &NAMED.iter().map(line).collect::<String>())
}

fn platform_help() -> String {
    let keys: String = platform::KNOWN.split_whitespace().collect::<Vec<_>>().join(" ");
    let keys = wrapped(&keys, terminal_width(), "  ").join("\n");
    format!(
        "Refinements of a network model (--platform KEY=VALUE,…)\n\n{keys}\n\n\
         Example: placement=block:48,class.node.L=300ns: 48 ranks on each node, between which the latency is 300 ns.\n\
         A placement has an effect only with a class, and a class only with a placement.\n"
    )
}

fn noise_help() -> String {
    let kinds: String = noise::KNOWN.lines().map(|line| format!("  {line}\n")).collect();
    format!(
        "Noise: sources of detours that take the CPU from ranks (--noise SOURCE; several sources add up)\n\n{kinds}\n\
         machine: the calibrated noise of --machine. Random draws are determined by --seed.\n\
         A short run may contain no detour: the output states the average share of the CPU that a source takes.\n"
    )
}

impl HelpArguments {
    /// Prints a command's help or a topic.
    pub fn print(&self) -> anyhow::Result<ExitCode> {
        let named = |topic: &str| match Network::MODELS.contains(&topic.to_lowercase().as_str()) {
            true => "model".to_owned(),
            false => topic.to_lowercase(),
        };
        if let [topic] = self.topic.as_slice()
            && let Some((_, text)) = TOPICS.iter().find(|(name, _)| *name == named(topic))
        {
            print(&text())?;
            return Ok(ExitCode::SUCCESS);
        }
        let mut found = command();
        found.build();
        for word in &self.topic {
            let shown = found.get_subcommands().filter(|one| !one.is_hide_set());
            let known: Vec<String> = shown.map(|one| one.get_name().to_owned()).collect();
            found = found.find_subcommand(word).cloned().ok_or_else(|| {
                let topics = TOPICS.iter().map(|(name, _)| (*name).to_owned()).filter(|_| self.topic.len() == 1);
                let known: Vec<String> = known.into_iter().chain(topics).collect();
                let part = left_out(self.topic.iter().map(String::as_str));
                BadInput(part.map_or_else(
                    || models::names::unknown("command or topic", word, known),
                    |part| part.sentence(word),
                ))
            })?;
        }
        let text = if self.topic.is_empty() { found.render_help() } else { found.render_long_help() };
        print(&text.to_string())?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Examples of each command, the most common first, also of those that a build may leave out.
const EXAMPLES: [(&str, &[&str]); 52] = [
    ("run", &["run loop-error-over-k", "run mend.toml --out mend", "run --list"]),
    (
        "measure",
        &["measure bcast,allreduce --bytes 8..64K", "measure barrier --world threads --ranks 4", "measure --resume"],
    ),
    ("audit", &["audit osu,imb bcast,allreduce --bytes 8,64K", "audit osu.np2.txt --world openmpi"]),
    (
        "budget",
        &["budget bcast --benchmark osu --bytes 8,64K", "budget reduce --to loop,root=rotating --world threads"],
    ),
    (
        "validate",
        &[
            "validate bcast,allreduce --hold-out",
            "validate bcast --world threads --ranks 4,8",
            "validate --from numbers.csv --held-out 5",
        ],
    ),
    ("correct", &["correct osu.txt --machine mine.toml --ranks 2", "correct --prove bcast --world openmpi"]),
    (
        "tune",
        &[
            "tune bcast,allreduce --world openmpi --prove",
            "tune alltoall --ranks 4 --by-print osu --prove",
            "tune bcast --predicted --set alps-2025 --world openmpi --ranks 256",
        ],
    ),
    ("import", &["import osu.txt imb.txt", "import osu.txt --format csv"]),
    (
        "compare",
        &[
            "compare results/measure-001 results/measure-002",
            "compare A,world=openmpi A,world=mpich",
            "compare before after --fail-if slower:5%",
        ],
    ),
    ("guidelines", &["guidelines results/measure-001", "guidelines results/latest --all"]),
    (
        "calibrate",
        &[
            "calibrate --world openmpi --out mine.toml",
            "calibrate --world simulated --set L=1us,o=200ns,g=200ns,G=0.1ns/B",
            "calibrate --from numbers.csv --only system=leonardo,ranks=256 --barrier choose",
        ],
    ),
    (
        "simulate",
        &[
            "simulate bcast --algorithm binomial --ranks 64 --bytes 1K",
            "simulate barrier --ranks 2^20",
            "simulate bcast --ranks 16 --timeline bcast.html",
            "simulate bcast --ranks 8 --bytes 1K --algorithm binomial --beside linear --timeline two.svg",
            "simulate bcast --ranks 64 --bytes 8 --benchmark osu",
        ],
    ),
    (
        "noise collect",
        &[
            "noise collect --time 60s --out noise",
            "noise collect --method fwq --cpus 0,1 --world openmpi",
            "noise collect --attribute --time 60s --out noise",
        ],
    ),
    (
        "probe pattern",
        &[
            "probe pattern neighbours bisection --ranks 4",
            "probe pattern --world simulated --ranks 64 --noise trace:noise,phase=common",
        ],
    ),
    ("probe regions", &["probe regions --ranks 1 --disturb 0,1", "probe regions --bytes 256MiB --elements float"]),
    ("probe solver", &["probe solver --rows 30x30x30", "probe solver --world simulated --ranks 8"]),
    ("noise fit", &["noise fit noise --grain 10us,1ms", "noise fit noise --format csv"]),
    ("noise watch", &["noise watch", "noise watch --cpus 1 --time 30s"]),
    (
        "noise prove",
        &[
            "noise prove --world openmpi --grain 100us,1ms",
            "noise prove --inject cpu:period=10ms,duration=250us --time 20s",
        ],
    ),
    (
        "noise inject cpu",
        &[
            "noise inject cpu --cpus 1 --period 10ms --duration 250us",
            "noise inject cpu --cpus 0,1 --random --runs 10 -- sleep 1",
        ],
    ),
    ("noise inject memory", &["noise inject memory --bytes 256MiB --threads 2 --time 30s"]),
    ("noise inject io", &["noise inject io --volume 256MiB --mode sync --do create,write"]),
    ("noise inject net", &["noise inject net --protocol udp --message 1KiB --rate 10000 --format json"]),
    ("noise import", &["noise import fwq_0_times.dat --hz 2.4e9 --out fwq", "noise import trace.txt --out osnoise"]),
    ("noise show", &["noise show traces --classes 0,10us,1ms", "noise show selfish.dat --format json"]),
    (
        "noise predict",
        &[
            "noise predict traces --grains 100us*1000",
            "noise predict --density half-normal:sigma=10us --grains 100us --draw 1000",
            "noise predict traces --grains 80us,40us*2 --ranks 2,64",
        ],
    ),
    (
        "sweep",
        &[
            "sweep bcast --over bytes --ranks 64",
            "sweep barrier --quantity exit-skew --ranks 64 --out skew.svg",
            "sweep bcast --over bytes --ranks 64 --out bcast.pdf --picture width=84mm,font=8pt,title=no",
            "sweep bcast,reduce --ranks 8,64 --bytes 8..64K*8 --out rows.csv",
            "sweep sweep-barriers --small",
        ],
    ),
    ("algorithms", &["algorithms", "algorithms bcast --ranks 64 --bytes 64K --as openmpi-4.1"]),
    ("goal run", &["goal run bcast.goal --critical-path", "goal run bcast.goal --model loggopsim-v1 --per-rank"]),
    ("goal check", &["goal check bcast.goal"]),
    ("goal export", &["goal export bcast --algorithm binomial --ranks 16 --bytes 1K --out bcast.goal"]),
    (
        "shm predict",
        &[
            "shm predict --bytes 1MiB --fragment 8KiB --buffers 1..64",
            "shm predict --over fragment --queue 4MiB --out fragments.svg",
            "shm predict --bytes 64KiB,16MiB --sets 1,2 --set t=0.2ns/B,tW=150ns --ranks 16",
        ],
    ),
    (
        "shm simulate",
        &[
            "shm simulate --ranks 16 --numa 2 --set n=20ns,v=50ns,vR=150ns,tR=2ns/B,M=0.2ns/B",
            "shm simulate --ranks 16 --design numa,coll-sm,mvapich,release-gather",
            "shm simulate --ranks 16 --tree chain --bytes 64KiB --timeline chain.html",
            "shm simulate --ranks 8 --tree knomial:2,kary:3 --calls 100 --root 0,3 --sets 2 --format json",
        ],
    ),
    (
        "shm measure",
        &[
            "shm measure --fragment 8KiB --buffers 1,2,4,8,32,128",
            "shm measure --world openmpi --ranks 2,4,8 --tree flat,chain,knomial:2 --against library,library:sm --check",
        ],
    ),
    ("shm tune", &["shm tune --world openmpi", "shm tune --bytes 1MiB --buffer same --launches 10"]),
    ("shm table", &["shm table", "shm table --fragment 4KiB,2MiB --format csv"]),
    (
        "probe latency",
        &["probe latency --world openmpi", "probe latency --world simulated --set L=1us,o=200ns,g=200ns,G=0.1ns/B"],
    ),
    ("probe bandwidth", &["probe bandwidth --world openmpi --bytes 0,1K..1M"]),
    ("probe matrix", &["probe matrix --ranks 4 --out matrix"]),
    ("probe lines", &["probe lines --out lines", "probe lines --for 10s"]),
    ("probe clocks", &["probe clocks", "probe clocks --ranks 0 --clock tsc"]),
    ("probe sync", &["probe sync --ranks 2,4", "probe sync --world simulated --ranks 2..64 --asymmetry 3us"]),
    ("probe memory", &["probe memory --ranks 2,4,8"]),
    ("probe data", &["probe data --world threads --ranks 5", "probe data --world openmpi --operation all"]),
    (
        "report",
        &[
            "report results/latest",
            "report results/latest --picture width=84mm,format=pdf",
            "report results/measure-001 results/measure-002 --format csv",
            "report results/run-001 results/budget-001 --out both",
        ],
    ),
    ("store add", &["store add results/measure-001"]),
    ("store export", &["store export 1 --format csv --out samples.csv"]),
    ("batch", &["batch slurm --ranks 64 --nodes 4 --time 01:00:00 -- measure bcast"]),
    ("lesson", &["lesson barrier-skew --open", "lesson --port 8000"]),
    ("lesson export", &["lesson export pages --simulator target/wasm32-unknown-unknown/lessons/parallax_lessons.wasm"]),
    ("lesson exercises", &["lesson exercises class", "lesson exercises class own.toml"]),
    ("explain", &["explain E5", "explain window", "explain errors"]),
];

/// Returns the examples of the commands that this build has.
fn examples() -> impl Iterator<Item = &'static (&'static str, &'static [&'static str])> {
    EXAMPLES.iter().filter(|(path, _)| left_out(path.split(' ')).is_none())
}

/// Returns the definition with each command's examples below its flags.
pub fn with_examples(definition: clap::Command) -> clap::Command {
    examples().fold(definition, |definition, (path, lines)| {
        let text: String = lines.iter().map(|line| format!("  parallax {line}\n")).collect();
        with_text(definition, path, format!("Examples:\n{text}"))
    })
}

/// Adds a text below one command, which may be within groups.
fn with_text(definition: clap::Command, path: &str, text: String) -> clap::Command {
    match path.split_once(' ') {
        None => definition.mut_subcommand(path, |one| one.after_help(text)),
        Some((group, rest)) => definition.mut_subcommand(group, |group| with_text(group, rest, text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;

    #[test]
    fn every_example_is_a_command_line_of_its_command() {
        for (path, line) in examples().flat_map(|(path, lines)| lines.iter().map(move |line| (path, line))) {
            assert!(line.starts_with(path), "{path}: {line}");
            let words = std::iter::once("parallax").chain(line.split(' '));
            assert!(Cli::read_from(words).is_ok(), "{line}");
        }
    }

    #[test]
    fn every_command_has_examples_but_those_without_arguments() {
        let plain = ["doctor", "help", "completions", "man", "store show", "store list"];
        let known: Vec<&str> = examples().map(|(path, _)| *path).collect();
        let mut without = paths(&command());
        without.retain(|path| !known.contains(&path.as_str()) && !plain.contains(&path.as_str()));
        assert!(without.is_empty(), "{without:?}");
    }

    /// The commands that are no groups of others.
    fn paths(definition: &clap::Command) -> Vec<String> {
        let shown = definition.get_subcommands().filter(|one| !one.is_hide_set());
        let below = shown.flat_map(|one| match paths(one) {
            none if none.is_empty() => vec![one.get_name().to_owned()],
            some => some.into_iter().map(|path| format!("{} {path}", one.get_name())).collect(),
        });
        below.collect()
    }

    #[test]
    fn no_topic_has_the_name_of_a_command_and_what_each_says_is_there() {
        let text: String = TOPICS.iter().map(|(_, text)| text()).collect();
        assert!(text.contains("parallax goal run") && text.contains("doubling"));
        for (name, _) in TOPICS {
            assert!(command().find_subcommand(name).is_none(), "{name} is a command, too");
        }
    }
}
