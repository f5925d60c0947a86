//! What algorithms there are, what they cost, when they win, and which one a library takes by itself.

use models::collective::decision::{Library, Pick};
use models::collective::{Algorithm, Collective, Shape};
use models::names::counted;
use render::words::{hanging, wrapped};
use serde_json::{Value, json};
use std::fmt::Write;

/// Columns of the page, and of what stands before a text of several lines.
const WIDTH: usize = 100;
const INDENT: usize = 8;

/// For which calls algorithms are listed.
pub struct Listing {
    /// Number of ranks.
    pub ranks: u32,
    /// Bytes of one rank's buffer, or of one block.
    pub bytes: u64,
    /// Length of segments; 0: uncut.
    pub segment: u64,
    /// Fanout, radix or number of chains, where it is said.
    pub fanout: Option<u32>,
    /// The library whose choice is told.
    pub library: Option<Library>,
    /// The operation does not commute.
    pub in_order: bool,
}

impl Listing {
    fn shape(&self) -> Shape {
        let fanout = self.fanout.unwrap_or(0);
        Shape { segment_bytes: self.segment, fanout, ..Shape::new(self.ranks, 0, self.bytes) }
    }

    fn pick(&self, collective: Collective) -> Option<(Library, Result<Pick, String>)> {
        let shape = Shape::new(self.ranks, 0, self.bytes);
        self.library.map(|library| (library, library.picks(collective, &shape, !self.in_order)))
    }

    /// The algorithms of a collective, for people.
    pub fn page(&self, collective: Collective) -> String {
        let mut page = format!("{collective}, {}", counted(self.ranks, "rank"));
        if collective != Collective::Barrier {
            let _ = write!(page, ", {} B{}", self.bytes, if collective.has_blocks() { " per block" } else { "" });
        }
        let _ = writeln!(page, "\n  {:<24}{:>22}{:>24}{:>13}", "algorithm", "messages", "bytes", "rounds");
        let timed = "time: closed forms of Hockney's model for senders that need not wait (--send-rule eager; the default is busy)";
        let pick = self.pick(collective);
        for algorithm in Algorithm::of(collective) {
            let taken = matches!(&pick, Some((_, Ok(pick))) if pick.algorithm == algorithm);
            self.entry(&mut page, algorithm, taken);
        }
        wrapped(timed, WIDTH, "").into_iter().for_each(|line| page.extend([&line, "\n"]));
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
        let mark = if taken { '→' } else { ' ' };
        if algorithm.ranks.include(self.ranks) {
            let cost = (algorithm.cost)(&self.shape());
            let (name, rounds) = (algorithm.name, cost.critical);
            let _ = writeln!(page, "{mark} {name:<24}{:>22}{:>24}{rounds:>13}", cost.messages, cost.bytes);
        } else {
            let _ =
                writeln!(page, "{mark} {:<24}{:>59}", algorithm.name, format!("only for {}", algorithm.ranks.words()));
        }
        let names = [("Open MPI", algorithm.openmpi), ("MPICH", algorithm.mpich)];
        let names = names.iter().filter_map(|(library, name)| name.map(|name| format!("{library}: {name}")));
        let published = algorithm.published_as();
        let names = names.chain((!published.is_empty()).then(|| format!("PICO: {}", published.join(", "))));
        let texts = [names.collect::<Vec<_>>().join("; "), algorithm.time.to_owned(), algorithm.wins.to_owned()];
        for (label, text) in ["called", "time", "wins"].into_iter().zip(texts).filter(|(_, text)| !text.is_empty()) {
            let lines = hanging(&format!("    {label:INDENT$}"), &text, WIDTH);
            lines.iter().for_each(|line| page.extend([line, "\n"]));
        }
    }

    /// The same for programs.
    pub fn json(&self, collective: Collective) -> Value {
        let algorithms: Vec<_> = Algorithm::of(collective)
            .map(|algorithm| {
                let cost = algorithm.ranks.include(self.ranks).then(|| (algorithm.cost)(&self.shape()));
                json!({
                    "name": algorithm.name,
                    "openmpi": algorithm.openmpi,
                    "mpich": algorithm.mpich,
                    "pico": algorithm.published_as(),
                    "ranks": algorithm.ranks.name(),
                    "messages": cost.map(|cost| cost.messages),
                    "bytes": cost.map(|cost| cost.bytes),
                    "rounds": cost.map(|cost| cost.critical),
                    "time": algorithm.time,
                    "wins": algorithm.wins,
                    "uneven": algorithm.uneven,
                })
            })
            .collect();
        let mut list = json!({
            "operation": collective.name(),
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
