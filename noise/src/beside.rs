//! Noise that was recorded before and after a campaign: its share of the ranks' CPUs, and its effect on calls.

use models::names::counted;
use models::time::Span;
use render::page::Section;
use render::plots::numbers::significant;
use render::table::{Cell, Table};
use statistics::noise::Recording;

/// Times between synchronisations whose prolongation is shown: calls, and the computation of programs between them.
const GRAINS: [Span; 4] = [Span::from_us(10), Span::from_us(100), Span::from_ms(1), Span::from_ms(10)];
/// Meaning of the columns, below the table.
const LEGEND: [&str; 2] = [
    "Longer: by how much work of this length takes longer on average if all ranks begin it together and",
    "wait for the last, as in a synchronising call. Medians and minima of short calls are less affected.",
];

/// Recordings of noise, each with the time at which it was made.
pub struct Beside {
    recordings: Vec<(&'static str, Recording)>,
}

impl Beside {
    /// Takes recordings with their names.
    pub fn new(recordings: Vec<(&'static str, Recording)>) -> Beside {
        Beside { recordings }
    }

    fn table(&self) -> Table {
        let head = ["recorded", "for", "ranks", "lost, %", "most, %", "longest, µs"].map(str::to_owned);
        let longer = GRAINS.iter().map(|grain| format!("{grain} longer, %"));
        let row = |(when, recording): &(&'static str, Recording)| {
            let length = recording.length().0.max(1) as f64;
            let shares: Vec<f64> =
                recording.ranks().iter().map(|rank| rank.taken().0 as f64 / length * 100.0).collect();
            let longest = recording.ranks().iter().map(|rank| rank.longest()).max().unwrap_or_default();
            let numbers = [
                recording.length().to_string(),
                recording.ranks().len().to_string(),
                significant(shares.iter().sum::<f64>() / shares.len().max(1) as f64),
                significant(shares.iter().copied().fold(0.0, f64::max)),
                significant(longest.as_us()),
            ];
            let all: Vec<usize> = (0..recording.ranks().len()).collect();
            let longer = GRAINS.iter().map(|&grain| {
                let mean = recording.launches(&all, &[grain]).mean_us();
                mean.map_or("–".to_owned(), |us| significant((us / grain.as_us() - 1.0) * 100.0))
            });
            let cells = numbers.into_iter().chain(longer).map(|text| Cell::number(text, ""));
            std::iter::once(Cell::text(*when)).chain(cells).collect()
        };
        Table::new("", head.into_iter().chain(longer), self.recordings.iter().map(row))
    }

    fn title(&self) -> String {
        let ranks = self.recordings.iter().map(|(_, recording)| recording.ranks().len()).max().unwrap_or(0);
        format!("Noise on the CPUs of {}", counted(ranks, "rank"))
    }

    /// Returns the table as text for a terminal.
    pub fn text(&self) -> String {
        format!("\n{}\n{}\n  {}\n", self.title(), self.table().text(), LEGEND.join("\n  "))
    }

    /// Returns the table as a section of a page.
    pub fn section(&self) -> Section {
        Section::new(self.title()).with_paragraphs([LEGEND.join(" ")]).with_tables([self.table()])
    }
}
