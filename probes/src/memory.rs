//! Memory of ranks: the amount that each holds at each moment, against the number of ranks. MB are 10⁶ B; the kernel
//! counts pages in KiB.

use programs::memory::{Moment, Probe, Resident};
use programs::observation::World;
use render::columns;
use render::data::{Cell, Filled, Known, Row, Show, Style, Table, View};
use render::page::Section;
use render::summary::Summary;
use render::table as laid_out;
use scenario::store::{TaskResult, Tested};
use statistics::{median, theil_sen};

/// Memory of one number of ranks at a moment.
#[derive(Debug)]
struct MemoryRow {
    moment: Moment,
    ranks: usize,
    oversubscribed: bool,
    /// Resident set of the median rank, in MB; `None` where the system did not report it.
    rss_mb: Option<f64>,
    /// Rise of the resident set since the moment before, in MB.
    rise_mb: Option<f64>,
    /// Part of the resident set that is shared memory, in MB.
    shared_mb: Option<f64>,
    /// Rise per added rank in kB, by medians of slopes (Theil and Sen) over all launches; `None` for a single number of
    /// ranks.
    per_rank_kb: Option<f64>,
}

/// Probes of each rank of a launch, in the order of time.
struct Launched<'a> {
    ranks: &'a [Vec<Probe>],
    oversubscribed: bool,
}

/// Returns a row for each moment and launch, in the order of time.
fn rows(launches: &[Launched]) -> Vec<MemoryRow> {
    let moments = launches.first().and_then(|launch| launch.ranks.first()).into_iter().flatten();
    let mut rows: Vec<MemoryRow> = Vec::new();
    for moment in moments.map(|probe| probe.moment) {
        let points: Vec<(f64, f64)> = launches
            .iter()
            .filter_map(|launch| {
                Some((launch.ranks.len() as f64, megabytes(launch, moment, |pages| pages.rss_kib)? * 1e3))
            })
            .collect();
        let per_rank_kb = theil_sen(&points, 0.95).map(|line| line.slope.value);
        for launch in launches {
            let rss_mb = megabytes(launch, moment, |pages| pages.rss_kib);
            let before = rows.len().checked_sub(launches.len()).and_then(|place| rows[place].rss_mb);
            rows.push(MemoryRow {
                moment,
                ranks: launch.ranks.len(),
                oversubscribed: launch.oversubscribed,
                rss_mb,
                rise_mb: before.zip(rss_mb).map(|(before, mb)| mb - before),
                shared_mb: megabytes(launch, moment, |pages| pages.shared_kib),
                per_rank_kb,
            });
        }
    }
    rows
}

/// Returns the memory of the median rank of a launch, in MB.
fn megabytes(launch: &Launched, moment: Moment, pick: fn(&Resident) -> u64) -> Option<f64> {
    let at = |rank: &Vec<Probe>| rank.iter().find(|probe| probe.moment == moment)?.resident.as_ref().map(pick);
    let kib: Vec<f64> = launch.ranks.iter().filter_map(|rank| at(rank).map(|kib| kib as f64)).collect();
    median(&kib).map(|kib| kib * 1024.0 / 1e6)
}

fn table(launches: &[Launched]) -> Table {
    let columns: [Filled<MemoryRow>; 7] = [
        (columns::MOMENT.column(), &|row| row.moment.to_string().into()),
        (columns::RANKS.column(), &|row| row.ranks.into()),
        (columns::RSS.column().shown(Style::Fixed(3)), &|row| row.rss_mb.into()),
        (columns::RISE.column().shown(Style::Fixed(3)), &|row| row.rise_mb.into()),
        (columns::SHARED.column().shown(Style::Fixed(3)), &|row| row.shared_mb.into()),
        (columns::PER_RANK.headed("per added rank").shown(Style::Fixed(1)), &|row| row.per_rank_kb.into()),
        (columns::OVERSUBSCRIBED.column(), &|row| row.oversubscribed.into()),
    ];
    Table::from_rows("memory", &rows(launches), &columns)
}

/// Returns the table with a column for each number of ranks.
fn seen(table: &Table) -> laid_out::Table {
    let across = |row: Row<'_>| {
        let mark = if *row.cell("oversubscribed") == Cell::Flag(true) { "*" } else { "" };
        format!("MB of {}{mark} ranks", row.cell("ranks").number().unwrap_or(0.0))
    };
    let cell = |row: Row<'_>| {
        let [rss, rise, shared] = ["rss_mb", "rise_mb", "shared_mb"].map(|name| row.laid_out(name));
        let sign = if row.cell("rise_mb").number().is_some_and(|mb| mb >= 0.0) { "+" } else { "" };
        rss.noting(format!("[{sign}{}, {}]", rise.text, shared.text))
    };
    View::new(table).show(Show::all(["moment", "per_rank_kb"])).across(across, cell)
}

/// Summarises the memory of ranks, in the order of launches.
pub(crate) fn summary(all: &[&Tested]) -> Summary {
    let looks = all.iter().filter_map(|tested| match &tested.found {
        TaskResult::Memory { test, ranks } => Some((*tested, test, ranks)),
        _ => None,
    });
    let launches: Vec<Launched> =
        looks.clone().map(|(tested, _, ranks)| Launched { ranks, oversubscribed: tested.oversubscribed() }).collect();
    let one_process = all.first().is_some_and(|tested| tested.world == World::Threads);
    let whose = if one_process {
        "all ranks are threads of one process, whose memory this is"
    } else {
        "resident set of the median rank (MB = 10^6 B)"
    };
    let bytes = looks.clone().map(|(_, test, _)| test.bytes).next_back().unwrap_or(0);
    let ran_by = all.first().map_or("", |tested| tested.ran_by.as_str());
    let legend = format!(
        "{whose}; {bytes} B; in brackets the rise since the line above, and the part in shared memory, which each rank counts"
    );
    let (rows, table) = (rows(&launches), table(&launches));
    let last = rows.last().and_then(|row| Some((row, row.rss_mb?)));
    let answer = last.map_or_else(
        || "The system does not report the memory of ranks.".to_owned(),
        |(row, mb)| format!("The median of {} ranks holds {mb:.3} MB at the end ({}).", row.ranks, row.moment),
    );
    let view = laid_out::Table { notes: crowded(&launches), ..seen(&table) };
    let section =
        Section::new("All numbers").with_paragraphs([format!("Memory of {ran_by}"), legend]).with_tables([view]);
    let facts = vec![("one_process", one_process.into()), ("bytes", bytes.into()), ("ran_by", ran_by.into())];
    Summary { facts, ..Summary::new(answer, Vec::new(), section, [table, pages(looks.map(|(_, _, ranks)| ranks))]) }
}

/// Returns the meaning of a mark in the heads.
fn crowded(launches: &[Launched]) -> Vec<String> {
    let marked = launches.iter().filter(|launch| launch.oversubscribed).count();
    let others = match launches.len() - marked {
        0 => "",
        _ => "; such ranks are started in another way, which affects the slopes across the mark",
    };
    (marked > 0).then(|| format!("* oversubscribed: more ranks than cores{others}")).into_iter().collect()
}

/// Returns every probe of every rank, in KiB as the kernel reports it.
fn pages<'a>(launches: impl Iterator<Item = &'a Vec<Vec<Probe>>>) -> Table {
    const RSS: Known = Known::integer("rss_kib", "KiB", "memory (resident set)", "12000");
    const SHARED: Known = Known::integer("shared_kib", "KiB", "its part in shared memory", "4000");
    let of_rank =
        |ranks: usize, rank: usize, probes: &'a Vec<Probe>| probes.iter().map(move |probe| (ranks, rank, probe));
    let looks = launches.flat_map(|launch| {
        launch.iter().enumerate().flat_map(move |(rank, probes)| of_rank(launch.len(), rank, probes))
    });
    let columns: [Filled<(usize, usize, &Probe)>; 5] = [
        (columns::RANKS.column(), &|(ranks, ..)| (*ranks).into()),
        (columns::RANK.column(), &|(_, rank, _)| (*rank).into()),
        (columns::MOMENT.column(), &|(.., probe)| probe.moment.to_string().into()),
        (RSS.column(), &|(.., probe)| probe.resident.map(|pages| pages.rss_kib).into()),
        (SHARED.column(), &|(.., probe)| probe.resident.map(|pages| pages.shared_kib).into()),
    ];
    Table::from_rows("pages", &looks.collect::<Vec<_>>(), &columns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forms;
    use programs::memory::{MemoryTest, Used};

    /// On two cores: 125 KiB are 128 kB, and one rank in the middle decides.
    fn tested(ranks: u64) -> Tested {
        let probe = |moment, rss_kib| {
            let resident = Resident { rss_kib, shared_kib: 125 * ranks, ..Resident::default() };
            Probe { moment, resident: Some(resident) }
        };
        let of = |rank: u64| {
            vec![
                probe(Moment::BeforeInit, 1_000),
                probe(Moment::AfterInit, 10_000 + 125 * ranks + 7 * rank - 7 * (ranks / 2)),
                Probe { moment: Moment::First(Used::Pairs), resident: None },
            ]
        };
        let test = MemoryTest { used: vec![Used::Pairs], bytes: 8, again: 0 };
        crate::tested::fixture(ranks as u32, TaskResult::Memory { test, ranks: (0..ranks).map(of).collect() })
    }

    #[test]
    fn memory_grows_by_so_much_per_added_rank() {
        let all = [tested(1), tested(3), tested(5)];
        let found = forms::json(&summary(&all.iter().collect::<Vec<_>>()));
        let rows = found["memory"].as_array().expect("rows");
        assert_eq!((rows.len(), &rows[0]["per_rank_kb"]), (9, &0.0.into()));
        let kb = |row: usize| (rows[row]["rss_mb"].as_f64().expect("a number") * 1e6).round();
        assert_eq!([kb(3), kb(4)], [10_125 * 1024, 10_375 * 1024].map(f64::from));
        assert!((rows[3]["per_rank_kb"].as_f64().expect("a slope") - 128.0).abs() < 1e-6, "{rows:?}");
        assert!(rows[6]["rss_mb"].is_null() && rows[6]["per_rank_kb"].is_null(), "no invented numbers");
        assert_eq!(found["pages"].as_array().map(Vec::len), Some(3 * 9), "every look of every rank");
    }

    #[test]
    fn the_table_has_a_column_for_each_number_of_ranks() {
        let [one, three] = [tested(1), tested(3)];
        let mixed = forms::table(&summary(&[&one, &three]));
        let crowded = summary(&[&three]).page.sections[0].tables[0].notes.concat();
        insta::assert_snapshot!([mixed, crowded].join("\n"));
    }
}
