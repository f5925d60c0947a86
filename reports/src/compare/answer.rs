//! The answer in plain words, from the numbers of the report and nothing else.

use crate::comparison::{MethodComparison, RankRow, Report, SubjectComparison};
use models::closed_form::linear_bcast_loop_ratio;
use models::collective::Collective;
use models::machine::Estimate;
use models::method::Method;
use models::observation::{Carrier, Implementation};

/// A method's number on one rank.
#[derive(Clone, Copy)]
struct Finding<'a> {
    subject: &'a SubjectComparison,
    method: &'a MethodComparison,
    row: &'a RankRow,
}

/// A few sentences: the largest misreport on the largest emulated subject and what becomes of it
/// under other methods, the range over all emulated subjects, and the largest one natively.
pub(super) fn answer(report: &Report) -> String {
    if report.subjects.is_empty() {
        return "Nothing was measured that could be compared with a prediction, so there is no answer yet.".to_owned();
    }
    let on = |carrier| report.subjects.iter().filter(move |subject| subject.carrier == carrier);
    let emulated = most_ranks(on(Carrier::Emulated)).filter_map(largest_shift).max_by(by_shift);
    let native = on(Carrier::Native).filter_map(largest_shift).max_by(by_shift);
    let mut sentences = Vec::new();
    if let Some(finding) = emulated.or(native) {
        sentences.push(finding.in_full());
        sentences.extend(finding.other_methods());
    } else {
        sentences.push("Only windows were measured, so there is no other method to hold against them.".to_owned());
    }
    if let Some(finding) = emulated {
        sentences.extend(range(on(Carrier::Emulated), finding.method.method));
        sentences.extend(native.map(|finding| finding.natively()));
    }
    sentences.join(" ")
}

fn most_ranks<'a>(
    subjects: impl Iterator<Item = &'a SubjectComparison> + Clone,
) -> impl Iterator<Item = &'a SubjectComparison> {
    let most = subjects.clone().map(|subject| subject.ranks).max();
    subjects.filter(move |subject| Some(subject.ranks) == most)
}

/// The most misreported rank of a subject by its first method that is not the window method.
fn largest_shift(subject: &SubjectComparison) -> Option<Finding<'_>> {
    let method = subject.methods.iter().find(|method| method.method != Method::Window)?;
    let findings = method.rows.iter().map(|row| Finding { subject, method, row });
    // The first of equals, where `max_by` would take the last.
    findings.rev().max_by(by_shift)
}

fn by_shift(a: &Finding, b: &Finding) -> std::cmp::Ordering {
    a.shift().total_cmp(&b.shift())
}

/// From … to … over all ranks of several subjects by one method; nothing for a single subject.
fn range<'a>(subjects: impl Iterator<Item = &'a SubjectComparison> + Clone, method: Method) -> Option<String> {
    let count = subjects.clone().filter(|subject| subject.by(method).is_some()).count();
    let rows = subjects.flat_map(|subject| subject.by(method)).flat_map(|method| &method.rows);
    let ratios: Vec<f64> = rows.map(|row| row.measured_ratio.value).filter(|ratio| ratio.is_finite()).collect();
    let low = ratios.iter().copied().min_by(f64::total_cmp)?;
    let high = ratios.iter().copied().max_by(f64::total_cmp)?;
    let what = name_of(method);
    (count > 1).then(|| {
        format!(
            "Over the ranks of all {count} emulated cases {what} reports {} to {} times the true time.",
            short(low),
            short(high)
        )
    })
}

impl Finding<'_> {
    /// The measured ratio, or the predicted one where there is none.
    fn ratio(&self) -> Estimate {
        let measured = self.row.measured_ratio;
        if measured.value.is_finite() { measured } else { self.row.predicted_ratio }
    }

    /// How far from 1, either way.
    fn shift(&self) -> f64 {
        let ratio = self.ratio().value;
        if ratio > 0.0 && ratio.is_finite() { ratio.ln().abs() } else { 0.0 }
    }

    fn in_full(&self) -> String {
        let Finding { subject, method, row } = self;
        let opening = format!("On {} ranks {}, {}", subject.ranks, place(subject), doing(subject, method.method));
        let slowest = self.slowest().map(|row| format!(" and {} for the slowest, rank {}", says(row), row.rank));
        let slowest = slowest.unwrap_or_default();
        format!("{opening} reports {} for {} ({}){slowest}.", times(row), rank_name(subject, row.rank), self.evidence())
    }

    /// Interval, prediction and closed form of the ratio.
    fn evidence(&self) -> String {
        let Estimate { value, low, high } = self.row.measured_ratio;
        let mut parts = Vec::new();
        if value.is_finite() {
            parts.push(format!("measured, 99 % interval {} to {}", short(low), short(high)));
            if self.row.predicted_ratio.value.is_finite() {
                parts.push(format!("predicted {}", short(self.row.predicted_ratio.value)));
            }
        } else {
            parts.push("predicted; no windows were measured".to_owned());
        }
        if self.row.closed_form_ratio.is_some() {
            let ratio = linear_bcast_loop_ratio(self.subject.ranks, self.row.rank, self.subject.repetitions);
            parts.push(format!("closed form {}/{}", ratio.over, ratio.under));
        }
        parts.join("; ")
    }

    /// The row of the rank that truly takes longest, unless it is this one.
    fn slowest(&self) -> Option<&RankRow> {
        let truth = |row: &RankRow| self.subject.truth_us.get(row.rank as usize).map_or(0.0, |truth| truth.value);
        let slowest = self.method.rows.iter().max_by(|a, b| truth(a).total_cmp(&truth(b)))?;
        (slowest.rank != self.row.rank && truth(slowest) > 0.0).then_some(slowest)
    }

    /// What the subject's other methods report for the same rank.
    fn other_methods(&self) -> Option<String> {
        let others = self
            .subject
            .methods
            .iter()
            .filter(|method| method.method != Method::Window && method.method != self.method.method);
        let said: Vec<String> = others
            .filter_map(|method| {
                let row = method.rows.iter().find(|row| row.rank == self.row.rank)?;
                let predicted = row.predicted_ratio.value;
                let predicted = if row.measured_ratio.value.is_finite() && predicted.is_finite() {
                    format!(" (predicted {})", short(predicted))
                } else {
                    String::new()
                };
                Some(format!("{} brings that to {}{predicted}", capital(name_of(method.method)), says(row)))
            })
            .collect();
        (!said.is_empty()).then(|| said.join("; ") + ".")
    }

    fn natively(&self) -> String {
        let Finding { subject, method, row } = self;
        let ratio = self.ratio().value;
        let reading = if self.shift() < 0.05 {
            "hardly any error"
        } else if ratio < 1.0 {
            "less than one call takes, since calls overlap"
        } else {
            "more than one call takes, since ranks wait for each other"
        };
        format!(
            "{} {} is furthest off on {} ranks ({}): it reports {} for {} ({}), {reading}.",
            capital(&place(subject)),
            name_of(method.method),
            subject.ranks,
            what(subject, false),
            times(row),
            rank_name(subject, row.rank),
            self.evidence()
        )
    }
}

/// `5.48 times the true time`.
fn times(row: &RankRow) -> String {
    match (row.measured_ratio.value, row.predicted_ratio.value) {
        (measured, _) if measured.is_finite() => format!("{} times the true time", short(measured)),
        (_, predicted) if predicted.is_finite() => format!("{} times the simulated true time", short(predicted)),
        _ => format!("{} µs, with no true time to compare it with,", short(row.measured_us.value)),
    }
}

/// `1.02 times`.
fn says(row: &RankRow) -> String {
    match (row.measured_ratio.value, row.predicted_ratio.value) {
        (measured, _) if measured.is_finite() => format!("{} times", short(measured)),
        (_, predicted) if predicted.is_finite() => format!("{} times by prediction", short(predicted)),
        _ => format!("{} µs", short(row.measured_us.value)),
    }
}

fn doing(subject: &SubjectComparison, method: Method) -> String {
    match method {
        Method::Loop => format!("a loop of {} unsynchronised {}", subject.repetitions, what(subject, true)),
        Method::BarrierLoop => format!("timing each {} after a barrier", what(subject, false)),
        Method::Window | Method::LoopTrace => format!("method {method} on a {}", what(subject, false)),
    }
}

fn name_of(method: Method) -> &'static str {
    match method {
        Method::Loop => "the loop",
        Method::BarrierLoop => "a barrier before each call",
        Method::Window => "the window method",
        Method::LoopTrace => "the traced loop",
    }
}

/// `linear broadcasts`, `broadcast by the library`.
fn what(subject: &SubjectComparison, several: bool) -> String {
    let noun = match subject.collective {
        Collective::Bcast => "broadcast",
        Collective::Reduce => "reduction",
        Collective::Barrier => "barrier",
    };
    let plural = if several { "s" } else { "" };
    match &subject.implementation {
        Implementation::Own(name) => format!("{name} {noun}{plural}"),
        Implementation::Library => format!("{noun}{plural} of the library"),
    }
}

fn place(subject: &SubjectComparison) -> String {
    let world = subject.world.title();
    match (subject.carrier, subject.oversubscribed) {
        (Carrier::Emulated, false) => format!("over the emulated network ({world})"),
        (Carrier::Emulated, true) => format!("over the emulated network ({world}, more ranks than cores)"),
        (Carrier::Native, false) => format!("over {world}'s own transport"),
        (Carrier::Native, true) => format!("over {world}'s own transport (more ranks than cores)"),
    }
}

fn rank_name(subject: &SubjectComparison, rank: u32) -> String {
    let root = rank == subject.root && subject.collective != Collective::Barrier;
    if root { format!("rank {rank}, the root") } else { format!("rank {rank}") }
}

/// Three significant digits, at least two decimals below 10.
fn short(value: f64) -> String {
    let digits = if value < 10.0 {
        2
    } else if value < 100.0 {
        1
    } else {
        0
    };
    format!("{value:.digits$}")
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
