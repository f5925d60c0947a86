//! Recorded noise over ranks and hosts: coverage and simultaneity as functions of the number of ranks, and the hosts
//! that lose most.

use super::shown::{Shown, named};
use models::time::Span;
use render::columns;
use render::data;
use render::groups::{distinct, grouped};
use render::page::{Cell, Figure, Table};
use render::plots::numbers::significant;
use render::plots::scatter::{Across, Plot, Series, bare};
use statistics::noise::{Class, Figures, Rank};

/// Largest number of hosts in the table, those that lose most first.
const MOST_HOSTS: usize = 32;
/// Least number of different numbers of ranks that make a curve.
const LEAST_NUMBERS: usize = 3;
/// Largest number of classes in a picture: those that cover most of the time on all ranks.
const MOST_CLASSES: usize = 4;

/// Returns the share of time that each host loses, class by class; `None` where all ranks are of one host, or the files
/// do not name it.
pub(super) fn hosts(shown: &Shown) -> Option<Table> {
    let recording = shown.recording();
    let of_hosts = recording.ranks().iter().map(|rank| Some((rank.host()?, rank)));
    let mut all: Vec<(&str, Vec<&Rank>)> = grouped(of_hosts.collect::<Option<Vec<_>>>()?);
    if all.len() < 2 {
        return None;
    }
    // Hosts that lose the same remain in the order of their names.
    all.sort_by_key(|(host, _)| *host);
    let length = recording.length().0 as f64;
    let share = |rank: &Rank| rank.taken().0 as f64 / length * 100.0;
    let mean = |ranks: &[&Rank], of: &dyn Fn(&Rank) -> f64| {
        ranks.iter().map(|rank| of(rank)).sum::<f64>() / ranks.len() as f64
    };
    let classes = distinct(shown.rows().iter().map(|(class, _)| *class).filter(|class| *class != Class::ALL));
    all.sort_by(|one, other| mean(&other.1, &share).total_cmp(&mean(&one.1, &share)));
    let row = |(host, ranks): &(&str, Vec<&Rank>)| {
        let worst = ranks.iter().copied().max_by(|one, other| share(one).total_cmp(&share(other)));
        let longest = ranks.iter().map(|rank| rank.longest()).max().unwrap_or_default();
        let numbers = [
            ranks.len().to_string(),
            significant(mean(ranks, &share)),
            worst.map_or("–".to_owned(), |rank| format!("{} (rank {})", significant(share(rank)), rank.number)),
            significant(longest.as_us()),
        ];
        let of_class = |class: &Class| significant(mean(ranks, &|rank| rank.taken_by(class).0 as f64 / length * 100.0));
        let cells = numbers.into_iter().chain(classes.iter().map(of_class)).map(|text| Cell::number(text, ""));
        std::iter::once(Cell::text((*host).to_owned())).chain(cells).collect()
    };
    let head = ["host", "ranks", "of their time, %", "most, %", "longest, µs"].map(str::to_owned);
    let of_classes = classes.iter().map(|class| format!("{}, %", named(class)));
    Some(Table::new("Hosts", head.into_iter().chain(of_classes), all.iter().take(MOST_HOSTS).map(row)))
}

/// Returns coverage and simultaneity over the number of ranks; nothing for fewer than three numbers.
pub(super) fn over_ranks(shown: &Shown) -> Vec<Figure> {
    let mut classes: Vec<(Class, Vec<&Figures>)> =
        grouped(shown.rows().iter().map(|(class, figures)| (*class, figures)));
    classes.retain(|(_, all)| all.iter().any(|figures| figures.union > Span::ZERO));
    classes.sort_by_key(|(_, all)| std::cmp::Reverse(all.iter().map(|figures| figures.union).max()));
    classes.truncate(MOST_CLASSES);
    if classes.iter().all(|(_, all)| all.len() < LEAST_NUMBERS) {
        return Vec::new();
    }
    let rows = classes.iter().flat_map(|(class, all)| {
        all.iter().map(|figures| {
            let bounds: [data::Cell; 2] = [class.from.as_us().into(), class.below.map(Span::as_us).into()];
            let numbers = [figures.ranks.into(), figures.coverage().into(), figures.simultaneity().into()];
            bounds.into_iter().chain(numbers).collect()
        })
    });
    let heads = [columns::CLASS_FROM, columns::CLASS_BELOW, columns::RANKS, columns::COVERAGE, columns::SIMULTANEITY];
    let numbers = data::Table::new("rows", heads.map(|known| known.column()), rows);
    let figure = |name: &str, title: &str, y: &'static str, of: &dyn Fn(&Figures) -> Option<f64>| {
        let series = classes.iter().map(|(class, all)| Series {
            name: named(class),
            points: all.iter().filter_map(|figures| Some((f64::from(figures.ranks), bare(of(figures)?)))).collect(),
        });
        let plot = Plot {
            title: title.to_owned(),
            x: "ranks p",
            y,
            across: Across::Log,
            series: series.collect(),
            line: None,
        };
        Figure::new(name, title, plot.drawing(), numbers.clone())
    };
    vec![
        figure("coverage", "Share of the time in which some rank is inside a detour", "coverage C, %", &|figures| {
            Some(figures.coverage() * 100.0)
        }),
        figure("simultaneity", "How far ranks have their detours at once", "simultaneity S", &Figures::simultaneity),
    ]
}
