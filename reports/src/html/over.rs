//! Errors over the calls per loop and over the ranks, where a scenario has several of either.

use programs::method::Method;
use render::columns;
use render::data::{Kind, Table};
use render::groups::{distinct, grouped};
use render::page::{Figure, Section};
use render::plots::over::{Line, Over};
use study::comparison::SubjectComparison;
use study::plots::reporting;

/// Least number of points that make a line.
const FEWEST: usize = 3;
/// Largest number of lines that a reader can tell apart.
const MOST_LINES: usize = 12;

models::named! {
    /// Quantity on a figure's horizontal axis.
    #[derive(Clone, Copy)]
    enum LineAxis {
        Calls => "calls", "calls per sample, k",
        Ranks => "ranks", "ranks",
    }
    /// The name used for files and heads.
    fn key;
    /// Label of the axis.
    fn words;
}

/// Returns the section; `None` where there are not several numbers of calls or ranks.
pub(super) fn section(subjects: &[SubjectComparison]) -> Option<Section> {
    let figures: Vec<Figure> = LineAxis::ALL.iter().filter_map(|place| place.figure(subjects)).collect();
    let words = "Error ratio of each method for the rank with its largest error: measured, or simulated if ranks \
        are only simulated. 1 is right.";
    (!figures.is_empty())
        .then(|| Section::new("Over calls and ranks").with_paragraphs([words]).with_figures(figures).with_id("over"))
}

impl LineAxis {
    fn count_in(self, subject: &SubjectComparison) -> u32 {
        match self {
            LineAxis::Calls => subject.case.timing.calls,
            LineAxis::Ranks => subject.case.place.ranks,
        }
    }

    /// Describes the properties that a line's points share.
    fn name(self, subject: &SubjectComparison, method: Method, with_length: bool) -> String {
        let length = if with_length { format!(", {} B", subject.case.subject.bytes) } else { String::new() };
        let variant = format!("{length}{}{}", subject.case.and_root(), subject.case.and_variant());
        let other = match self {
            LineAxis::Calls => format!("{} ranks", subject.case.place.ranks),
            LineAxis::Ranks => format!("k = {}", subject.case.timing.calls),
        };
        let world = format!("{} ({})", subject.case.place.world.name(), subject.case.place.carrier.name());
        let implementation = subject.case.subject.implementation.name();
        let name = format!("{method}, {implementation} {}, {other}{variant}, {world}", subject.case.subject.collective);
        subject.occasion.beside(name)
    }

    fn figure(self, subjects: &[SubjectComparison]) -> Option<Figure> {
        let with_length = distinct(subjects.iter().map(|subject| subject.case.subject.bytes)).len() > 1;
        let all = subjects.iter().flat_map(|subject| reporting(subject).map(move |method| (subject, method)));
        let points = all.filter(|(_, method)| method.method != Method::Window).filter_map(|(subject, method)| {
            // Where no rank is misreported, all are told right.
            let right = || method.rows.iter().rev().find(|row| row.told_ratio().is_finite());
            let row = method.most_misreported().or_else(right)?;
            Some((
                self.name(subject, method.method, with_length),
                (f64::from(self.count_in(subject)), row.told_ratio()),
            ))
        });
        let mut lines: Vec<Line> = grouped(points).into_iter().map(|(name, points)| Line { name, points }).collect();
        lines.iter_mut().for_each(|line| line.points.sort_by(|a, b| a.0.total_cmp(&b.0)));
        lines.retain(|line| line.points.len() >= FEWEST);
        if lines.is_empty() {
            return None;
        }
        let point = |name: &str, (place, ratio): (f64, f64)| vec![name.into(), columns::whole(place), ratio.into()];
        let points = lines.iter().flat_map(|line| line.points.iter().map(|&at| point(&line.name, at)));
        let place = columns::named(self.key(), Kind::Integer);
        let heads = [columns::CURVE.column(), place, columns::RATIO.column().without_limits()];
        let numbers = Table::new("rows", heads, points);
        lines.truncate(MOST_LINES);
        let places = self.words();
        let over = Over {
            title: format!("Largest error ratio over {places}"),
            places: places.to_owned(),
            values: "number reported ÷ reference".to_owned(),
            lines,
        };
        Some(Figure::new(
            format!("over-{}", self.key()),
            format!("The largest error ratio of any rank over {places}; the data has all lines."),
            over.drawing(),
            numbers,
        ))
    }
}
