//! A test of messages between two ranks as a page.

use super::tables::{fits, fits_of, messages, two_columns};
use super::{Matrix, Report, Spoken};
use models::time::Span;
use programs::point_to_point::{Order, Test, Way};
use render::data::{Show, Table, View};
use render::page::{Figure, Section};
use render::plots::heat_map;
use render::plots::numbers::{TimeUnit, with_interval};
use render::summary::Summary;

/// Summarises the test, with the files of its kind.
pub fn summary(report: &Report, spoken: Spoken) -> Summary {
    let table = messages(report);
    let (details, sections, files) = match &report.test {
        Test::LatencyMatrix(test) => {
            let when = if test.order == Order::AtOnce { "disjoint pairs at once" } else { "one pair at a time" };
            let (bytes, (_, pings)) = (test.bytes, test.repeats);
            let less = (spoken.less > Span::ZERO).then(|| format!("each less {}", spoken.less));
            let what = format!("{bytes} B, {pings} ping-pongs of each pair, {when}");
            let details: Vec<String> = report.head().into_iter().chain([what]).chain(less).collect();
            let (section, files) = matrix(report, spoken, &details, &table);
            (details, vec![section, numbers(&table).folded()], files)
        }
        Test::Latency(_) => {
            let picture = report.fits.iter().find_map(|fit| fit.picture());
            let picture = picture.map(|drawing| ("latency.svg".to_owned(), drawing.to_string()));
            let files = [("latency.txt".to_owned(), two_columns(report))].into_iter().chain(picture);
            (report.head(), vec![transfers(report, &table), numbers(&table)], files.collect())
        }
        Test::Transfer(_) => {
            let picture =
                |fit: &super::Fit| Some((format!("bandwidth-{}-{}.svg", fit.from, fit.to), fit.picture()?.to_string()));
            let files = report.fits.iter().filter_map(picture).collect();
            (report.head(), vec![transfers(report, &table), numbers(&table)], files)
        }
    };
    let Report { ran_by, ranks, cores, launch, .. } = report;
    let mut facts = vec![
        ("test", report.test.to_string().into()),
        ("ran_by", ran_by.as_str().into()),
        ("ranks", (*ranks).into()),
        ("cores", (*cores).into()),
        ("oversubscribed", report.oversubscribed().into()),
        ("launch", launch.clone().into()),
        ("clock_read_ps", report.record.clock_read.0.into()),
    ];
    if let Test::LatencyMatrix(_) = report.test {
        facts.push(("statistic", spoken.statistic.name().into()));
    }
    let mut summary = Summary::new(conclude(report), details, Section::default(), [table, fits_of(&report.fits)]);
    summary.page.sections = sections;
    summary.page.environment.clone_from(&report.environment);
    Summary { facts, files, ..summary }
}

const WORDS: [&str; 1] =
    ["The time is that of one message: half of a ping-pong, all of an exchange both ways. Intervals are of the \
     median over the exchanges of this one launch, at 95 %; launches differ by more. MB = 10⁶ B."];

/// Returns the shortest message's time, and the bandwidth of the longest ones.
fn conclude(report: &Report) -> String {
    let ping_pongs = || report.rows.iter().filter(|row| row.way == Way::PingPong);
    let Some(shortest) = ping_pongs().min_by_key(|row| row.bytes) else {
        return "Nothing was exchanged.".to_owned();
    };
    let of = |row: &super::PointToPointRow| {
        format!("A message of {} B takes {} µs", row.bytes, with_interval(&row.median_us))
    };
    let longest = ping_pongs().max_by_key(|row| row.bytes).filter(|longest| longest.bytes > shortest.bytes);
    let rate = longest.and_then(|row| Some((row.bytes, row.bandwidth(row.median_us.value)?)));
    let rate = rate.map(|(bytes, rate)| format!("; one of {bytes} B moves {rate:.0} MB/s")).unwrap_or_default();
    format!("{}{rate}.", of(shortest))
}

/// Returns all numbers as a table for readers.
fn numbers(table: &Table) -> Section {
    let view = View::new(table).in_unit(TimeUnit::Us).show(Show::all([
        "way",
        "from_rank",
        "to_rank",
        "bytes",
        "exchanges",
        "median_us",
    ]));
    let view = view.show(Show::all(["mean_us", "min_us", "bandwidth_mb_per_s", "bandwidth_at_median_mb_per_s"]));
    Section::new("All numbers").with_paragraphs(WORDS).with_tables([view.laid_out()])
}

fn transfers(report: &Report, table: &Table) -> Section {
    let pictures = report.fits.iter().filter_map(|fit| {
        let (from, to) = (fit.from, fit.to);
        let caption =
            format!("Time of a message between ranks {from} and {to} over its length, and the line T(L) = s + L/R");
        Some(Figure::new(format!("messages-{from}-{to}"), caption, fit.picture()?, table.clone()))
    });
    Section::new("Time over length").with_list(fits(report)).with_figures(pictures)
}

fn matrix(report: &Report, spoken: Spoken, about: &[String], table: &Table) -> (Section, Vec<(String, String)>) {
    let matrix = Matrix::from_report(report, spoken);
    let title = format!("Latencies of {} ranks, {} of half round trips", report.ranks, spoken.statistic.name());
    let drawing = heat_map(matrix.pairs(), &title, &about[1..]);
    let files = vec![(matrix.file_name(), matrix.text()), ("matrix.svg".to_owned(), drawing.to_string())];
    let section = Section::new("Every pair").with_paragraphs([matrix.caption()]).with_tables(matrix.laid_out());
    (section.with_figures([Figure::new("latency-matrix", title, drawing, table.clone())]), files)
}
