//! How errors change with the calls per loop and with the ranks, where a scenario has several of either.

use crate::comparison::SubjectComparison;
use crate::page::{Figure, More, Section};
use crate::plots::over::{Line, Over};
use crate::plots::reporting;
use crate::table::Csv;
use models::method::Method;

/// Fewer numbers make no line.
const FEWEST: usize = 3;
/// More lines cannot be told apart.
const MOST_LINES: usize = 12;

models::named! {
    /// What a line is drawn over.
    #[derive(Clone, Copy)]
    enum Place {
        Repetitions => "repetitions", "calls per loop, k",
        Ranks => "ranks", "ranks",
    }
    /// The name used for files and heads.
    fn key;
    /// In words.
    fn words;
}

/// Nothing where there are not several numbers of calls or ranks.
pub(super) fn section(subjects: &[SubjectComparison]) -> Option<Section> {
    let figures: Vec<Figure> = Place::ALL.iter().filter_map(|place| place.figure(subjects)).collect();
    (!figures.is_empty()).then(|| Section {
        heading: "Over calls and ranks".to_owned(),
        paragraphs: vec![
            "Of every method the error ratio of the rank that it misreports most: measured, or simulated where ranks are \
             simulated alone. 1 is right."
                .to_owned(),
        ],
        figures,
        more: More { id: "over".to_owned(), ..More::default() },
        ..Section::default()
    })
}

impl Place {
    fn of(self, subject: &SubjectComparison) -> u32 {
        match self {
            Place::Repetitions => subject.repetitions,
            Place::Ranks => subject.ranks,
        }
    }

    /// What is the same along a line, in words.
    fn name(self, subject: &SubjectComparison, method: Method) -> String {
        let variant = if subject.variant.is_empty() { String::new() } else { format!(", {}", subject.variant) };
        let other = match self {
            Place::Repetitions => format!("{} ranks", subject.ranks),
            Place::Ranks => format!("k = {}", subject.repetitions),
        };
        let world = subject.world.name();
        format!("{method}, {} {}, {other}{variant}, {world}", subject.implementation.name(), subject.collective)
    }

    fn figure(self, subjects: &[SubjectComparison]) -> Option<Figure> {
        let mut lines: Vec<Line> = Vec::new();
        for subject in subjects {
            for method in reporting(subject).filter(|method| method.method != Method::Window) {
                // Where no rank is misreported, all are told right.
                let right = || method.rows.iter().rev().find(|row| row.told_ratio().is_finite());
                let Some(row) = method.most_misreported().or_else(right) else { continue };
                let (name, point) =
                    (self.name(subject, method.method), (f64::from(self.of(subject)), row.told_ratio()));
                match lines.iter_mut().find(|line| line.name == name) {
                    Some(line) => line.points.push(point),
                    None => lines.push(Line { name, points: vec![point] }),
                }
            }
        }
        lines.iter_mut().for_each(|line| line.points.sort_by(|a, b| a.0.total_cmp(&b.0)));
        lines.retain(|line| line.points.len() >= FEWEST);
        if lines.is_empty() {
            return None;
        }
        let points = lines.iter().flat_map(|line| line.points.iter().map(|point| (&line.name, *point)));
        let csv = Csv::new(("line", self.key(), "ratio")).rows(points).text();
        lines.truncate(MOST_LINES);
        let places = self.words();
        let over = Over {
            title: format!("Largest error ratio over {places}"),
            places: places.to_owned(),
            values: "number reported ÷ reference".to_owned(),
            lines,
        };
        Some(Figure {
            name: format!("over-{}", self.key()),
            caption: format!("The largest error ratio of any rank over {places}; the data has all lines."),
            svg: over.draw(),
            csv,
        })
    }
}
