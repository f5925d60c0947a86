//! `parallax algorithms`: what there is, what it costs, when it wins, and which one a library takes by itself.

use crate::flags;
use crate::simulate::Format;
use models::collective::decision::{Library, Pick};
use models::collective::{Algorithm, Collective, Shape};
use reports::words::{hanging, wrapped};
use scenario::BadInput;
use serde_json::{Value, json};
use std::fmt::Write;
use std::process::ExitCode;

/// What `parallax algorithms` is told.
#[derive(clap::Args)]
pub struct AlgorithmsArguments {
    /// bcast, reduce, barrier, allreduce, gather, scatter, allgather, alltoall, reduce-scatter, scan or exscan [default: all]
    pub collective: Option<String>,
    /// Number of ranks, like 1024 or 2^20
    #[arg(long, default_value = "64", value_parser = flags::ranks)]
    pub ranks: u32,
    /// Bytes of one rank's buffer, or of one block where the collective moves a block per rank, like 64 or 64KiB
    #[arg(long, default_value = "1KiB", value_parser = flags::bytes)]
    pub bytes: u64,
    /// Cut messages into segments of this length, where the algorithm pipelines; 0: uncut
    #[arg(long, default_value = "0", value_parser = flags::bytes, value_name = "BYTES")]
    pub segment: u64,
    /// Fanout, radix or number of chains, where the algorithm has one [default: the algorithm's own]
    #[arg(long)]
    pub fanout: Option<u32>,
    /// Say which one this library takes: openmpi-4.1 or mpich-4.0
    #[arg(long = "as", value_name = "LIBRARY", value_parser = Library::find)]
    pub library: Option<Library>,
    /// With --as: the operation does not commute
    #[arg(long, requires = "library")]
    pub in_order: bool,
    /// How to print
    #[arg(long, value_enum, default_value = "table")]
    pub format: Format,
}

/// Columns of the page, and of what stands before a text of several lines.
const WIDTH: usize = 100;
const INDENT: usize = 8;

impl AlgorithmsArguments {
    /// Prints the list.
    pub fn list(&self) -> anyhow::Result<ExitCode> {
        let collectives = match &self.collective {
            None => Collective::ALL.to_vec(),
            Some(name) => vec![collective(name)?],
        };
        match self.format {
            Format::Table => {
                let pages: Vec<_> = collectives.into_iter().map(|collective| self.page(collective)).collect();
                print!("{}", pages.join("\n"));
            }
            Format::Json => {
                let lists: Vec<_> = collectives.into_iter().map(|collective| self.json(collective)).collect();
                println!("{:#}", Value::from(lists));
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    fn shape(&self) -> Shape {
        let fanout = self.fanout.unwrap_or(0);
        Shape { segment_bytes: self.segment, fanout, ..Shape::new(self.ranks, 0, self.bytes) }
    }

    fn pick(&self, collective: Collective) -> Option<(Library, Result<Pick, String>)> {
        let shape = Shape::new(self.ranks, 0, self.bytes);
        self.library.map(|library| (library, library.picks(collective, &shape, !self.in_order)))
    }

    fn page(&self, collective: Collective) -> String {
        let mut page = format!("{collective}, {} ranks", self.ranks);
        if collective != Collective::Barrier {
            let _ = write!(page, ", {} B{}", self.bytes, if collective.has_blocks() { " per block" } else { "" });
        }
        let _ = writeln!(page, "\n  {:<24}{:>22}{:>24}{:>13}", "algorithm", "messages", "bytes", "rounds");
        let pick = self.pick(collective);
        for algorithm in Algorithm::of(collective) {
            let taken = matches!(&pick, Some((_, Ok(pick))) if pick.algorithm == algorithm);
            self.entry(&mut page, algorithm, taken);
        }
        if let Some((library, pick)) = pick {
            let text = match pick {
                Ok(pick) => format!("→ {} takes {}: {}", library.name(), pick.algorithm.name, pick.rule),
                Err(reason) => format!("→ {reason}"),
            };
            wrapped(&text, WIDTH, "").into_iter().for_each(|line| page.extend([&line, "\n"]));
        }
        page
    }

    fn entry(&self, page: &mut String, algorithm: &Algorithm, taken: bool) {
        let (cost, mark) = ((algorithm.cost)(&self.shape()), if taken { '→' } else { ' ' });
        let _ =
            writeln!(page, "{mark} {:<24}{:>22}{:>24}{:>13}", algorithm.name, cost.messages, cost.bytes, cost.critical);
        let names = [("Open MPI", algorithm.openmpi), ("MPICH", algorithm.mpich)];
        let names = names.iter().filter_map(|(library, name)| name.map(|name| format!("{library}: {name}")));
        let texts = [names.collect::<Vec<_>>().join("; "), algorithm.time.to_owned(), algorithm.wins.to_owned()];
        for (label, text) in ["called", "time", "wins"].into_iter().zip(texts).filter(|(_, text)| !text.is_empty()) {
            let lines = hanging(&format!("    {label:INDENT$}"), &text, WIDTH);
            lines.iter().for_each(|line| page.extend([line, "\n"]));
        }
    }

    fn json(&self, collective: Collective) -> Value {
        let algorithms: Vec<_> = Algorithm::of(collective)
            .map(|algorithm| {
                let cost = (algorithm.cost)(&self.shape());
                json!({
                    "name": algorithm.name,
                    "openmpi": algorithm.openmpi,
                    "mpich": algorithm.mpich,
                    "messages": cost.messages,
                    "bytes": cost.bytes,
                    "rounds": cost.critical,
                    "time": algorithm.time,
                    "wins": algorithm.wins,
                    "uneven": algorithm.uneven,
                })
            })
            .collect();
        let mut list = json!({
            "collective": collective.name(),
            "ranks": self.ranks,
            "bytes": self.bytes,
            "segment_bytes": self.segment,
            "fanout": self.fanout,
            "algorithms": algorithms,
        });
        if let Some((library, pick)) = self.pick(collective) {
            list["library"] = library.name().into();
            list["takes"] = match pick {
                Ok(pick) => json!({
                    "algorithm": pick.algorithm.name,
                    "called": pick.called,
                    "segment_bytes": pick.shape.segment_bytes,
                    "fanout": pick.shape.fanout,
                    "rule": pick.rule,
                }),
                Err(reason) => json!({ "algorithm": null, "reason": reason }),
            };
        }
        list
    }
}

fn collective(name: &str) -> Result<Collective, BadInput> {
    flags::collective(name).map_err(|error| BadInput(error.0.replacen("--collective: ", "", 1)))
}
