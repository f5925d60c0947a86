//! A test of messages between two ranks as a page.

use super::tables::fits;
use super::{CONFIDENCE, Matrix, Report, Row, Statistic, heat_map};
use models::machine::Estimate;
use models::observation::World;
use models::point_to_point::{Test, Way};
use models::time::Span;
use render::page::{Figure, Page, Section};
use render::plots::numbers::with_interval;
use render::table::{Csv, Heads, Table};

/// The page of such a test; what its campaign says of itself is there.
pub(crate) fn page(report: &Report, campaign: Page) -> Page {
    let first = match report.test {
        Test::LatencyMatrix(_) => matrix(report),
        Test::Latency(_) | Test::Transfer(_) => transfers(report),
    };
    let all = Section::new("All numbers").with_paragraphs(WORDS).with_tables([table(report)]).folded();
    Page { answer: answer(report), details: report.head(), sections: vec![first, all], ..campaign }
}

const WORDS: [&str; 1] =
    ["The time is that of one message: half of a ping-pong, all of an exchange both ways. Intervals are of the \
     median over the exchanges of this one launch, at 95 %; launches differ by more."];

/// The shortest message's time, and what the longest ones reach.
fn answer(report: &Report) -> String {
    let ping_pongs = || report.rows.iter().filter(|row| row.way == Way::PingPong);
    let Some(shortest) = ping_pongs().min_by_key(|row| row.bytes) else {
        return "Nothing was exchanged.".to_owned();
    };
    let of = |row: &Row| format!("A message of {} B takes {} µs", row.bytes, with_interval(&row.median_us));
    let longest = ping_pongs().max_by_key(|row| row.bytes).filter(|longest| longest.bytes > shortest.bytes);
    let rate = longest.and_then(|row| Some((row.bytes, row.bandwidth(row.median_us.value)?)));
    let rate = rate.map(|(bytes, rate)| format!("; one of {bytes} B moves {rate:.0} MB/s")).unwrap_or_default();
    format!("{}{rate}.", of(shortest))
}

fn transfers(report: &Report) -> Section {
    let pictures = report.fits.iter().filter_map(|fit| {
        let (from, to) = (fit.from, fit.to);
        let caption =
            format!("Time of a message between ranks {from} and {to} over its length, and the line T(L) = s + L/R");
        Some(Figure::new(format!("messages-{from}-{to}"), caption, fit.picture()?, csv(report)))
    });
    let lines: Vec<String> = fits(&report.fits, "").lines().map(str::to_owned).collect();
    Section::new("Time over length").with_list(lines).with_figures(pictures)
}

fn matrix(report: &Report) -> Section {
    let matrix = Matrix::of(report, Statistic::Median, Span::ZERO);
    let title = format!("Latencies of {} ranks, medians of half round trips", report.ranks);
    let drawing = heat_map(matrix.pairs(), &title, &report.head());
    Section::new("Every pair").with_figures([Figure::new("latency-matrix", title, drawing, csv(report))])
}

fn table(report: &Report) -> Table {
    let heads = ["way", "from", "to", "bytes", "exchanges", "median µs", "interval", "mean µs", "min µs", "MB/s"];
    let row = |row: &Row| {
        let Estimate { value, low, high } = row.median_us;
        let rate = row.bandwidth(value).map_or_else(String::new, |rate| format!("{rate:.1}"));
        let times = [value, row.mean_us, row.min_us].map(|us| format!("{us:.3}"));
        let [median, mean, min] = times;
        let place = [row.way.name().to_owned(), row.from.to_string(), row.to.to_string(), row.bytes.to_string()];
        place.into_iter().chain([row.count.to_string(), median, format!("{low:.3} to {high:.3}"), mean, min, rate])
    };
    Table::plain(heads, report.rows.iter().map(row), |column| column > 0)
}

/// The same numbers for other programs.
fn csv(report: &Report) -> String {
    let heads = "world,ranks,way,from_rank,to_rank,bytes,exchanges,median_us,median_low_us,median_high_us,confidence,mean_us,min_us";
    let row = |row: &Row| {
        let Estimate { value, low, high } = row.median_us;
        let world = report.world.map_or("", World::name);
        let place = (world, report.ranks, row.way.name(), row.from, row.to, row.bytes, row.count);
        (place, (value, low, high, CONFIDENCE), row.mean_us, row.min_us)
    };
    Csv::new(Heads(heads)).rows(report.rows.iter().map(row)).text()
}
