//! Algorithms of collectives: their costs, the cases in which they win, and the ones that a library takes by itself.

use models::collective::decision::{Library, Pick};
use models::collective::{Algorithm, Collective, Cost, Shape};
use models::names::counted;
use render::columns;
use render::data::{Cell, Filled, Known, Show, Table, View};
use render::page::{Page, Section};
use render::results::Results;
use render::table;

const TIMED: &str =
    "time: closed forms of Hockney's model for senders that need not wait (--send-rule eager; the default is busy)";

/// Calls for which algorithms are listed.
pub struct Listing {
    /// Operations whose algorithms are listed.
    pub collectives: Vec<Collective>,
    /// Number of ranks that call.
    pub ranks: u32,
    /// Bytes of one rank's buffer, or of one block.
    pub bytes: u64,
    /// Length of segments, in bytes; 0 where messages are uncut.
    pub segment: u64,
    /// Fanout, radix or number of chains; `None` where no flag names it.
    pub fanout: Option<u32>,
    /// Library whose choice is listed too; `None` without one.
    pub library: Option<Library>,
    /// True if the operation of reductions does not commute.
    pub in_order: bool,
}

const CALLED: Known = Known::text("called", "what the library calls it", "binomial");
const RULE: Known = Known::text(
    "rule",
    "the rule that leads to it, or why the library takes none that is known",
    "256 ≤ P < 512: tree",
);

/// An operation with the library's choice for it, or with the reason why the library takes no known algorithm.
type Picked = (Collective, Result<Pick, String>);

impl Listing {
    /// Returns the cost of a call, or `None` where the algorithm does not exist for this number of ranks.
    fn cost(&self, algorithm: &Algorithm) -> Option<Cost> {
        let fanout = self.fanout.unwrap_or(0);
        let shape = Shape { segment_bytes: self.segment, fanout, ..Shape::new(self.ranks, 0, self.bytes) };
        algorithm.ranks.include(self.ranks).then(|| (algorithm.cost)(&shape))
    }

    fn picks(&self) -> Vec<Picked> {
        let shape = Shape::new(self.ranks, 0, self.bytes);
        let pick = |library: Library, of: Collective| (of, library.picks(of, &shape, !self.in_order));
        let picks = self.library.map(|library| self.collectives.iter().map(move |&of| pick(library, of)).collect());
        picks.unwrap_or_default()
    }

    fn table(&self, collectives: &[Collective]) -> Table {
        let cost = |algorithm: &Algorithm, of: fn(&Cost) -> u64| self.cost(algorithm).as_ref().map(of);
        let columns: [Filled<Algorithm>; 12] = [
            (columns::OPERATION.column(), &|algorithm| algorithm.collective.name().into()),
            (columns::ALGORITHM.column(), &|algorithm| algorithm.name.into()),
            (columns::MESSAGES.column(), &|algorithm| cost(algorithm, |cost| cost.messages).into()),
            (columns::BYTES_SENT.headed("bytes"), &|algorithm| cost(algorithm, |cost| cost.bytes).into()),
            (columns::ROUNDS.column(), &|algorithm| cost(algorithm, |cost| cost.critical).into()),
            (columns::FOR_RANKS.column(), &|algorithm| algorithm.ranks.name().into()),
            (columns::CALLED_BY_OPENMPI.column(), &|algorithm| algorithm.openmpi.into()),
            (columns::CALLED_BY_MPICH.column(), &|algorithm| algorithm.mpich.into()),
            (columns::CALLED_BY_PICO.column(), &|algorithm| algorithm.published_as().join(", ").into()),
            (columns::CLOSED_FORM_OF_TIME.column(), &|algorithm| algorithm.time.into()),
            (columns::WINS.column(), &|algorithm| algorithm.wins.into()),
            (columns::UNEVEN.column(), &|algorithm| algorithm.uneven.into()),
        ];
        Table::from_rows("algorithms", collectives.iter().flat_map(|&of| Algorithm::for_collective(of)), &columns)
    }

    /// The section on an operation: a table of its algorithms' costs, then the words on each algorithm.
    fn section(&self, collective: Collective) -> Section {
        let length = match collective {
            Collective::Barrier => String::new(),
            _ => format!(", {} B{}", self.bytes, if collective.has_blocks() { " per block" } else { "" }),
        };
        let table = self.table(&[collective]);
        let only = Show::made("", |row| {
            let of_row =
                Algorithm::for_collective(collective).nth(row.place()).filter(|one| !one.ranks.include(self.ranks));
            table::Cell::text(of_row.map_or_else(String::new, |one| format!("only for {}", one.ranks.words())))
        });
        let numbers = Show::all(["algorithm", "messages", "bytes_sent", "rounds"]);
        let view = View::new(&table).show(numbers).show([only]).noting(vec![TIMED.to_owned()]);
        Section::new(format!("{collective}, {}{length}", counted(self.ranks, "rank")))
            .with_tables([view.laid_out().without_empty_columns()])
            .with_parts(Algorithm::for_collective(collective).map(words))
    }
}

/// The names that libraries give an algorithm, its closed form of time, and the cases in which it wins.
fn words(algorithm: &Algorithm) -> Section {
    let names = [("Open MPI", algorithm.openmpi), ("MPICH", algorithm.mpich)];
    let names = names.iter().filter_map(|(library, name)| name.map(|name| format!("{library}: {name}")));
    let published = algorithm.published_as();
    let names = names.chain((!published.is_empty()).then(|| format!("PICO: {}", published.join(", "))));
    let texts = [names.collect::<Vec<_>>().join("; "), algorithm.time.to_owned(), algorithm.wins.to_owned()];
    let said = ["called", "time", "wins"].into_iter().zip(texts).filter(|(_, text)| !text.is_empty());
    Section::new(algorithm.name).with_facts(said)
}

impl Results for Listing {
    /// One sentence per operation on the algorithm that the library takes, with the rule that leads to it.
    fn notes(&self) -> Vec<String> {
        let library = self.library.map(Library::name).unwrap_or_default();
        let said = |(collective, pick): Picked| match pick {
            Ok(pick) => format!("{collective}: {library} takes {}: {}", pick.algorithm.name, pick.rule),
            Err(reason) => format!("{collective}: {reason}"),
        };
        self.picks().into_iter().map(said).collect()
    }

    fn page(&self) -> Page {
        Page {
            question: "Which algorithms are there, and what do they cost?".to_owned(),
            details: self.notes(),
            sections: self.collectives.iter().map(|&collective| self.section(collective)).collect(),
            ..Page::default()
        }
    }

    fn rows(&self) -> Table {
        self.table(&self.collectives)
    }

    fn others(&self) -> Vec<Table> {
        let columns: [Filled<Picked>; 6] = [
            (columns::OPERATION.column(), &|(collective, _)| collective.name().into()),
            (columns::ALGORITHM.column(), &|(_, pick)| pick.as_ref().ok().map(|pick| pick.algorithm.name).into()),
            (CALLED.column(), &|(_, pick)| pick.as_ref().ok().map(|pick| pick.called).into()),
            (columns::SEGMENT.column(), &|(_, pick)| pick.as_ref().ok().map(|pick| pick.shape.segment_bytes).into()),
            (columns::FANOUT.column(), &|(_, pick)| pick.as_ref().ok().map(|pick| pick.shape.fanout).into()),
            (RULE.column(), &|(_, pick)| pick.as_ref().map_or_else(String::clone, |pick| pick.rule.clone()).into()),
        ];
        vec![Table::from_rows("takes", &self.picks(), &columns)]
    }

    fn facts(&self) -> Vec<(&'static str, Cell)> {
        vec![
            ("ranks", self.ranks.into()),
            ("bytes", self.bytes.into()),
            ("segment_bytes", self.segment.into()),
            ("fanout", self.fanout.into()),
            ("library", self.library.map(Library::name).into()),
        ]
    }
}
