//! Memory of ranks: how much each holds at each moment, against the number of ranks. MB are 10⁶ B; the kernel counts
//! pages in KiB.

use crate::statistics::{median, theil_sen};
use crate::table::Table;
use models::memory::{Moment, Probe, Resident};
use serde_json::{Value, json};

/// All looks at the ranks of one launch.
#[derive(Clone, Debug, PartialEq)]
pub struct Launched {
    /// Who.
    pub ran_by: String,
    /// More ranks than cores.
    pub oversubscribed: bool,
    /// One list for each rank, in the order of time.
    pub ranks: Vec<Vec<Probe>>,
}

/// A number for each launch, and how it grows.
#[derive(Clone, Debug, PartialEq)]
pub struct MemoryRow {
    /// When.
    pub moment: Moment,
    /// Resident set of the median rank of each launch, in MB; `None` where the system did not say it.
    pub rss_mb: Vec<Option<f64>>,
    /// The same of its part that is shared memory.
    pub shared_mb: Vec<Option<f64>>,
    /// Rise per added rank in kB, by medians of slopes (Theil and Sen); `None` for a single number of ranks.
    pub per_rank_kb: Option<f64>,
}

/// A row for each moment, in the order of time.
pub fn rows(launches: &[Launched]) -> Vec<MemoryRow> {
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

/// A column for each number of ranks: resident set and what it rose by since the moment before.
pub fn table(launches: &[Launched]) -> String {
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
    let mut text = Table::plain(heads, cells, |column| column > 0).text();
    if launches.iter().any(|launch| launch.oversubscribed) {
        text += "  * oversubscribed: more ranks than cores";
        if launches.iter().any(|launch| !launch.oversubscribed) {
            text += "; they are started otherwise, so that slopes across the mark hold that too";
        }
        text.push('\n');
    }
    text
}

/// Every look of every rank, in KiB as the kernel says it, and the rows of the table.
pub fn json(launches: &[Launched]) -> Value {
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
        let text = table(&[launched(1), launched(3)]);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].contains("1 ranks") && lines[0].contains("3* ranks"), "{text}");
        assert!(lines[2].contains("after MPI_Init") && lines[2].contains("+9.344"), "{text}");
        assert!(lines[2].ends_with("128.0"), "{text}");
        let (both, alone) = (lines[lines.len() - 1], table(&[launched(3)]));
        insta::assert_snapshot!(format!("{both}\n{}", alone.lines().last().expect("one kind alone")));
    }
}
