//! Memory of ranks: how much each holds at each moment, against the number of ranks. MB are 10⁶ B; the kernel counts
//! pages in KiB.

use crate::tested::Summary;
use models::memory::{Moment, Probe, Resident};
use models::observation::World;
use render::table::Table;
use scenario::store::{Found, Tested};
use serde_json::{Value, json};
use statistics::{median, theil_sen};

/// All looks at the ranks of one launch.
#[derive(Clone, Debug, PartialEq)]
struct Launched {
    /// Who.
    ran_by: String,
    /// More ranks than cores.
    oversubscribed: bool,
    /// One list for each rank, in the order of time.
    ranks: Vec<Vec<Probe>>,
}

/// A number for each launch, and how it grows.
#[derive(Clone, Debug, PartialEq)]
struct MemoryRow {
    /// When.
    moment: Moment,
    /// Resident set of the median rank of each launch, in MB; `None` where the system did not say it.
    rss_mb: Vec<Option<f64>>,
    /// The same of its part that is shared memory.
    shared_mb: Vec<Option<f64>>,
    /// Rise per added rank in kB, by medians of slopes (Theil and Sen); `None` for a single number of ranks.
    per_rank_kb: Option<f64>,
}

/// A row for each moment, in the order of time.
fn rows(launches: &[Launched]) -> Vec<MemoryRow> {
    let moments = launches.first().and_then(|launch| launch.ranks.first()).into_iter().flatten();
    moments.map(|probe| row(launches, probe.moment)).collect()
}

fn row(launches: &[Launched], moment: Moment) -> MemoryRow {
    let of = |pick: fn(&Resident) -> u64| -> Vec<Option<f64>> {
        launches.iter().map(|launch| megabytes(launch, moment, pick)).collect()
    };
    let rss_mb = of(|resident| resident.rss_kib);
    let points: Vec<(f64, f64)> = launches
        .iter()
        .zip(&rss_mb)
        .filter_map(|(launch, mb)| Some((launch.ranks.len() as f64, (*mb)? * 1e3)))
        .collect();
    let per_rank_kb = theil_sen(&points, 0.95).map(|line| line.slope.value);
    MemoryRow { moment, rss_mb, shared_mb: of(|resident| resident.shared_kib), per_rank_kb }
}

/// Of the median rank of a launch.
fn megabytes(launch: &Launched, moment: Moment, pick: fn(&Resident) -> u64) -> Option<f64> {
    let at = |rank: &Vec<Probe>| rank.iter().find(|probe| probe.moment == moment)?.resident.as_ref().map(pick);
    let kib: Vec<f64> = launch.ranks.iter().filter_map(|rank| at(rank).map(|kib| kib as f64)).collect();
    median(&kib).map(|kib| kib * 1024.0 / 1e6)
}

/// What was seen, in the order of launches.
pub(crate) fn summary(all: &[&Tested]) -> Summary {
    let looks = all.iter().filter_map(|tested| match &tested.found {
        Found::Memory { test, ranks } => Some((tested, test, ranks)),
        _ => None,
    });
    let launches: Vec<Launched> = looks
        .clone()
        .map(|(tested, _, ranks)| Launched {
            ran_by: tested.ran_by.clone(),
            oversubscribed: tested.oversubscribed(),
            ranks: ranks.clone(),
        })
        .collect();
    let one_process = all.first().is_some_and(|tested| tested.world == World::Threads);
    let whose = if one_process {
        "all ranks are threads of one process, whose memory this is"
    } else {
        "resident set of the median rank (MB = 10^6 B); shared: its part in shared memory, which each rank counts"
    };
    let test = looks.map(|(_, test, _)| test).next_back();
    let ran_by = launches.first().map_or("", |launch| launch.ran_by.as_str());
    let bytes = test.map_or(0, |test| test.bytes);
    let head = vec![format!("Memory of {ran_by}"), format!("{whose}; {bytes} B, rise since the line above")];
    let mut json = json(&launches);
    json["one_process"] = json!(one_process);
    json["settings"] = json!(test);
    let last = rows(&launches).pop().and_then(|row| Some((row.moment, row.rss_mb.last().copied().flatten()?)));
    let ranks = launches.last().map_or(0, |launch| launch.ranks.len());
    let answer =
        last.map(|(moment, mb)| format!("The median of {ranks} ranks holds {mb:.3} MB at the end ({moment})."));
    let answer = answer.unwrap_or_else(|| "The system does not report the memory of ranks.".to_owned());
    Summary::new(answer, head, table(&launches), crowded(&launches), json)
}

/// A column for each number of ranks: resident set and what it rose by since the moment before.
fn table(launches: &[Launched]) -> Table {
    let heads = launches.iter().flat_map(|launch| {
        let crowded = if launch.oversubscribed { "*" } else { "" };
        [format!("{}{crowded} ranks", launch.ranks.len()), "rise".to_owned(), "shared".to_owned()]
    });
    let heads = std::iter::once("MB per rank".to_owned()).chain(heads).chain(["kB per added rank".to_owned()]);
    let mut cells: Vec<Vec<String>> = Vec::new();
    let number = |mb: Option<f64>| mb.map_or("–".to_owned(), |mb| format!("{mb:.3}"));
    let mut before: Vec<Option<f64>> = vec![None; launches.len()];
    for row in rows(launches) {
        let mut line = vec![row.moment.to_string()];
        for (nth, &mb) in row.rss_mb.iter().enumerate() {
            let rise = before[nth].zip(mb).map_or("–".to_owned(), |(before, mb)| format!("{:+.3}", mb - before));
            line.extend([number(mb), rise, number(row.shared_mb[nth])]);
        }
        line.push(row.per_rank_kb.map_or("–".to_owned(), |kb| format!("{kb:.1}")));
        cells.push(line);
        before = row.rss_mb;
    }
    Table::plain(heads, cells, |column| column > 0)
}

/// What a mark in the heads says.
fn crowded(launches: &[Launched]) -> Vec<String> {
    let marked = launches.iter().filter(|launch| launch.oversubscribed).count();
    let others = match launches.len() - marked {
        0 => "",
        _ => "; such ranks are started in another way, which affects the slopes across the mark",
    };
    (marked > 0).then(|| format!("* oversubscribed: more ranks than cores{others}")).into_iter().collect()
}

/// Every look of every rank, in KiB as the kernel says it, and the rows of the table.
fn json(launches: &[Launched]) -> Value {
    let of_launch = |launch: &Launched| {
        json!({
            "ran_by": launch.ran_by,
            "ranks": launch.ranks.len(),
            "oversubscribed": launch.oversubscribed,
            "probes": launch.ranks,
        })
    };
    let of_row = |row: MemoryRow| {
        json!({
            "moment": row.moment.to_string(),
            "rss_mb": row.rss_mb,
            "shared_mb": row.shared_mb,
            "kb_per_added_rank": row.per_rank_kb,
        })
    };
    json!({
        "launches": launches.iter().map(of_launch).collect::<Vec<_>>(),
        "rows": rows(launches).into_iter().map(of_row).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use models::memory::Used;

    fn launched(ranks: u64) -> Launched {
        let probe = |moment, rss_kib| {
            let resident = Resident { rss_kib, shared_kib: 125 * ranks, ..Resident::default() };
            Probe { moment, resident: Some(resident) }
        };
        let of = |rank: u64| {
            vec![
                probe(Moment::BeforeInit, 1_000),
                // 125 KiB are 128 kB; one rank in the middle decides.
                probe(Moment::AfterInit, 10_000 + 125 * ranks + 7 * rank - 7 * (ranks / 2)),
                Probe { moment: Moment::First(Used::Pairs), resident: None },
            ]
        };
        Launched { ran_by: "a library".to_owned(), oversubscribed: ranks > 2, ranks: (0..ranks).map(of).collect() }
    }

    #[test]
    fn memory_grows_by_so_much_per_added_rank() {
        let rows = rows(&[launched(1), launched(3), launched(5)]);
        assert_eq!(rows.len(), 3);
        assert_eq!(rows[0].per_rank_kb, Some(0.0));
        let [one, three, _] = rows[1].rss_mb[..] else { panic!("{rows:?}") };
        assert_eq!(one.map(|mb| (mb * 1e6).round()), Some(f64::from(10_125 * 1024)));
        assert_eq!(three.map(|mb| (mb * 1e6).round()), Some(f64::from(10_375 * 1024)));
        assert!((rows[1].per_rank_kb.unwrap() - 128.0).abs() < 1e-6, "{rows:?}");
        assert_eq!((rows[2].rss_mb.clone(), rows[2].per_rank_kb), (vec![None; 3], None), "no invented numbers");
    }

    #[test]
    fn the_table_has_a_column_for_each_number_of_ranks() {
        let text = table(&[launched(1), launched(3)]).text();
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].contains("1 ranks") && lines[0].contains("3* ranks"), "{text}");
        assert!(lines[2].contains("after MPI_Init") && lines[2].contains("+9.344"), "{text}");
        assert!(lines[2].ends_with("128.0"), "{text}");
        let marks = [crowded(&[launched(1), launched(3)]), crowded(&[launched(3)])].concat();
        insta::assert_snapshot!(marks.join("\n"));
    }
}
