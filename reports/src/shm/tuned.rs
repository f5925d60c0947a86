//! What copies and waits cost in measured broadcasts through shared memory, which queue that makes the fastest, and how well
//! both hold against what was measured.

use super::parameters::{Measured, parameters};
use super::side_by_side::{Group, SideBySide, Timed};
use crate::states::States;
use models::machine::{Estimate, QueuePoint};
use models::shared_broadcast::{
    Costs, Design, NodeCosts, Optimum, Queue, for_message, one_reader_on_a_node, optimum_on_a_node,
};
use models::time::Span;
use render::groups::distinct;
use render::page::Section;
use render::plots::numbers::{bytes, significant};
use render::table::{Cell, Csv, Heads, Table};
use render::whence::Whence;
use scenario::axis::Axis;
use serde_json::{Value, json};

const HEADS: &str = "fragment_bytes,buffers,sets,role,time_us,time_low_us,time_high_us,predicted_us,t_ns_per_byte,tw_ns,\
                     two_ns,ta_ns,memory_ns_per_byte,line_ns,slower";

/// A fragment that is slower than the fastest by more than this share is not advised.
const RIGHT: f64 = 0.1;
/// Fragments are advised in whole pages.
const PAGE_BYTES: u64 = 4096;

const LEGEND: &str = "  t: a copy per byte; t there: another rate of queues of up to b bytes, where that halves the squared deviations\n  \
    M: root and reader that copy at once take max(t, 2 M) per byte each, where that takes a fifth off the squared deviations\n  \
    tW: a notification; tWO + tA: a use of a set; tA: a cache line's way between both ranks, taken for c, too\n  \
    c: until a reader has cleared its control word; its copy is not over before\n  \
    fitted to every second length of fragments; the others check it: the largest deviation of a predicted time\n  \
    ÷ s = 1: the most buffers over one, of 8 KiB or next to it, predicted and measured\n  \
    f*: the best fragment by the parameters; f best: the fastest measured with the most buffers\n  \
    loss: what the fragment nearest to f* takes longer than the best one, as measured\n";

/// Fewer lengths of fragments, or one number of buffers, do not tell the parameters apart.
pub const LENGTHS: usize = 3;

/// Fitted parameters of one message length in one place and state.
#[derive(Clone, Debug)]
struct Fit<'a> {
    group: &'a Group<'a>,
    bytes: u64,
    parameters: QueuePoint,
    /// By the parameters, of a queue that the message fits into: f*.
    optimum: Option<Optimum>,
    points: Vec<Point<'a>>,
}

/// A queue through which it was measured.
#[derive(Clone, Debug)]
struct Point<'a> {
    timed: &'a Timed<'a>,
    queue: Queue,
    predicted_us: f64,
    /// Fitted to, or kept apart to check what was fitted.
    fitted: bool,
}

/// What was fitted to a campaign.
#[derive(Clone, Debug)]
pub struct Tuned<'a> {
    fits: Vec<Fit<'a>>,
    whence: &'a Whence,
}

impl<'a> Tuned<'a> {
    /// Fits the parameters of one reader to each message length; where there are other numbers of ranks, or fewer than three
    /// queues, there is nothing to fit.
    pub fn of(measured: &'a SideBySide<'a>) -> Tuned<'a> {
        let two = measured.groups.iter().filter(|group| group.subject.case.place.ranks == 2);
        let fits = two.flat_map(|group| {
            let lengths = distinct(group.rows.iter().filter(|row| row.queued().is_some()).map(|row| row.bytes));
            lengths.into_iter().filter_map(move |bytes| Fit::of(group, bytes))
        });
        Tuned { fits: fits.collect(), whence: &measured.whence }
    }

    /// The parameters, for a machine file.
    pub fn points(&self) -> Vec<QueuePoint> {
        self.fits.iter().map(|fit| fit.parameters).collect()
    }

    /// True if nothing could be fitted.
    pub fn is_empty(&self) -> bool {
        self.fits.is_empty()
    }

    fn table(&self) -> Table {
        let head = [
            "place",
            "m",
            "t, ns/B",
            "b up to",
            "t there",
            "M, ns/B",
            "tW, ns",
            "tWO + tA, ns",
            "tA, ns",
            "deviates",
            "÷ s = 1",
            "measured",
            "f*",
            "f best",
            "loss",
        ];
        let percent = |share: Option<f64>| share.map_or("–".to_owned(), |share| format!("{:.1} %", share * 100.0));
        let ratio = |ratio: Option<f64>| ratio.map_or("–".to_owned(), |ratio| format!("{ratio:.3}"));
        let row = |fit: &Fit<'_>| {
            let QueuePoint { t_ns_per_byte, tw_ns, two_and_ta_ns, ta_ns, .. } = &fit.parameters;
            let small = fit.parameters.small_queue_bytes.zip(fit.parameters.small_queue_t_ns_per_byte);
            let small = small.map_or_else(
                || [Cell::number("–", ""), Cell::number("–", "")],
                |(up_to, copy)| [Cell::number(bytes(up_to), ""), Cell::estimate(&copy)],
            );
            let [up_to, there] = small;
            let memory = fit.parameters.memory_ns_per_byte.as_ref();
            let (predicted, measured) = fit.many_over_one().unzip();
            let best = fit.best_in_pages().map(bytes);
            let fastest = fit.fastest().map(|point| bytes(point.queue.fragment_bytes()));
            let plain = |text: String| Cell::number(text, "");
            vec![
                Cell::text(fit.place()),
                plain(bytes(fit.bytes)),
                Cell::estimate(t_ns_per_byte),
                up_to,
                there,
                memory.map_or_else(|| plain("–".to_owned()), Cell::estimate),
                Cell::estimate(tw_ns),
                Cell::estimate(two_and_ta_ns),
                plain(significant(*ta_ns)),
                plain(percent(fit.deviation())),
                plain(ratio(predicted)),
                plain(ratio(measured)),
                plain(best.unwrap_or_else(|| "–".to_owned())),
                plain(fastest.unwrap_or_else(|| "–".to_owned())),
                plain(percent(fit.loss())),
            ]
        };
        Table::new("", head, self.fits.iter().map(row))
    }

    /// For people.
    pub fn text(&self) -> String {
        let advice: Vec<String> = self.fits.iter().map(|fit| fit.advice()).collect();
        format!(
            "Parameters of broadcasts through shared memory, two ranks\n{}{LEGEND}\n{}",
            self.table().text(),
            advice.concat()
        )
    }

    /// On the page of the campaign.
    pub fn section(&self) -> Section {
        let list = LEGEND.lines().map(|line| line.trim().to_owned());
        let advice = self.fits.iter().map(|fit| fit.advice().trim_end().to_owned());
        Section::new("What copies and waits cost")
            .with_id("tuned")
            .with_paragraphs(advice)
            .with_tables([self.table()])
            .with_list(list)
    }

    /// For programs that read tables: every queue with its measured and its predicted time.
    pub fn csv(&self) -> String {
        let mut csv = Csv::new((Heads(&Axis::shared_heads()), Heads(HEADS)));
        for fit in &self.fits {
            for point in &fit.points {
                let key = point.timed.subject.key().counted(Axis::Bytes, Some(fit.bytes));
                let Point { queue, predicted_us, fitted, .. } = point;
                let queue = (queue.fragment_bytes(), queue.buffers(), queue.sets());
                let role = if *fitted { "fitted" } else { "check" };
                let NodeCosts { one, memory, .. } = fit.parameters.costs(point.queue.bytes(), fit.bytes);
                let Costs { copy, notification, set, leave } = one;
                let costs = (copy.0 / 1e3, notification.as_ns(), set.as_ns(), leave.as_ns(), memory.0 / 1e3);
                csv.row((
                    key.shared_cells(),
                    queue,
                    role,
                    point.timed.us,
                    *predicted_us,
                    costs,
                    fit.group.subject.state,
                ));
            }
        }
        self.whence.stamped(&csv.text())
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let fit = |fit: &Fit<'_>| {
            let (predicted, measured) = fit.many_over_one().unzip();
            let mut told = json!(fit.parameters);
            let more = json!({
                "parameters": settings(&fit.costs()), "deviation": fit.deviation(),
                "many_over_one": predicted, "many_over_one_measured": measured,
                "best_fragment_bytes": fit.optimum.map(|optimum| optimum.fragment_bytes),
                "fastest_fragment_bytes": fit.fastest().map(|point| point.queue.fragment_bytes()), "loss": fit.loss(),
            });
            if let (Value::Object(told), Value::Object(more)) = (&mut told, more) {
                told.extend(more);
            }
            told
        };
        json!({ "fits": self.fits.iter().map(fit).collect::<Vec<_>>() })
    }
}

impl<'a> Fit<'a> {
    fn of(group: &'a Group<'a>, bytes: u64) -> Option<Fit<'a>> {
        let rows: Vec<(&Timed<'_>, Queue)> = group
            .rows
            .iter()
            .filter(|row| row.bytes == bytes)
            .filter_map(|row| Some((row, row.queued()?.scheme())))
            .filter(|(_, scheme)| scheme.design == Design::Numa)
            .map(|(row, scheme)| (row, scheme.queue))
            .collect();
        let mut lengths = distinct(rows.iter().map(|(_, queue)| queue.fragment_bytes()));
        lengths.sort_unstable();
        if lengths.len() < LENGTHS || distinct(rows.iter().map(|(_, queue)| queue.buffers())).len() < 2 {
            return None;
        }
        let is_fitted = |queue: &Queue| {
            let place = lengths.iter().position(|length| *length == queue.fragment_bytes());
            place.is_some_and(|place| place.is_multiple_of(2))
        };
        let used = || rows.iter().filter(|(_, queue)| is_fitted(queue));
        let all: Vec<Measured> = used().map(|(row, queue)| (*queue, bytes, row.us.value * 1e3)).collect();
        let of_launch = |launch: usize| {
            let us = |row: &Timed<'_>| row.launches_us.get(launch).copied().flatten();
            used().filter_map(|(row, queue)| Some((*queue, bytes, us(row)? * 1e3))).collect()
        };
        let launches = rows.iter().map(|(row, _)| row.launches_us.len()).max()?;
        let launches: Vec<Vec<Measured>> = (0..launches).map(of_launch).collect();
        let parameters = parameters((group.subject, bytes), &all, &launches)?;
        let point = |(timed, queue): (&'a Timed<'a>, Queue)| Point {
            timed,
            queue,
            predicted_us: one_reader_on_a_node(&parameters.costs(queue.bytes(), bytes), &queue, bytes).as_us(),
            fitted: is_fitted(&queue),
        };
        let optimum = optimum_on_a_node(&parameters.costs(bytes, bytes), bytes, PAGE_BYTES);
        Some(Fit { group, bytes, parameters, optimum, points: rows.into_iter().map(point).collect() })
    }

    /// Of a queue that the message fits into.
    fn costs(&self) -> NodeCosts {
        self.parameters.costs(self.bytes, self.bytes)
    }

    fn place(&self) -> String {
        let subject = self.group.subject;
        format!("{}{}", subject.case.place.world.title(), States::and_words(subject.state.as_ref()))
    }

    /// The largest share by which a predicted time differs from the measured one of a queue that nothing was fitted to.
    fn deviation(&self) -> Option<f64> {
        let checks = self.points.iter().filter(|point| !point.fitted);
        checks.map(|point| (point.predicted_us / point.timed.us.value - 1.0).abs()).max_by(f64::total_cmp)
    }

    /// The queue with the most buffers over the one with a single one, of the fragment that has most: predicted and measured.
    fn many_over_one(&self) -> Option<(f64, f64)> {
        let pair = |many: &Point<'_>| {
            let is_one = |one: &&Point<'_>| {
                one.queue.fragment_bytes() == many.queue.fragment_bytes() && one.queue.buffers() == 1
            };
            let one = self.points.iter().find(is_one).filter(|_| many.queue.buffers() > 1)?;
            Some((many.predicted_us / one.predicted_us, many.timed.us.value / one.timed.us.value))
        };
        let most = self.points.iter().filter(|point| point.queue.buffers() > 1);
        // Of equally many buffers those of the publication's length, or next to it.
        let rank =
            |point: &&Point<'_>| (point.queue.buffers(), u64::MAX - point.queue.fragment_bytes().abs_diff(8 << 10));
        most.max_by_key(rank).and_then(pair)
    }

    /// Of the queues with the most buffers.
    fn with_most(&self) -> impl Iterator<Item = &Point<'a>> {
        let most = self.points.iter().map(|point| point.queue.buffers()).max().unwrap_or(0);
        self.points.iter().filter(move |point| point.queue.buffers() == most)
    }

    fn fastest(&self) -> Option<&Point<'a>> {
        self.with_most().min_by(|one, other| one.timed.us.value.total_cmp(&other.timed.us.value))
    }

    /// The best fragment by the parameters, in whole pages.
    fn best_in_pages(&self) -> Option<u64> {
        self.optimum.map(|optimum| optimum.in_pages(PAGE_BYTES))
    }

    /// What the measured fragment that is fastest by the parameters takes longer than the fastest by measurement.
    fn loss(&self) -> Option<f64> {
        let advised = self.with_most().min_by(|one, other| one.predicted_us.total_cmp(&other.predicted_us))?;
        Some(advised.timed.us.value / self.fastest()?.timed.us.value - 1.0)
    }

    fn advice(&self) -> String {
        let (m, place) = (bytes(self.bytes), self.place());
        let rule = for_message(self.bytes, PAGE_BYTES).ok().map(|queue| bytes(queue.fragment_bytes()));
        let rule = rule.map_or_else(String::new, |rule| format!(" (by √m alone: {rule})"));
        let advised = match (self.best_in_pages(), self.fastest(), self.loss()) {
            (_, Some(fastest), Some(loss)) if loss > RIGHT => {
                let fragment = bytes(fastest.queue.fragment_bytes());
                format!("the parameters do not hold: the fastest measured fragment is {fragment}")
            }
            (Some(fragment), ..) => {
                let buffers = self.bytes.div_ceil(fragment);
                format!("take fragments of {}{rule}, in as many buffers as {m} need: {buffers}", bytes(fragment))
            }
            (None, ..) => "notifications cost nothing that was seen: the shortest fragments are best".to_owned(),
        };
        let small = self.parameters.small_queue_bytes.map(|up_to| {
            let costs = self.parameters.costs(up_to, self.bytes);
            format!("; in queues of up to {}: --set {}", bytes(up_to), self.settings(&costs))
        });
        let small = small.unwrap_or_default();
        // Formulas know nothing of what a node adds; ranks in virtual time do.
        let by = if self.costs().has_formula(PAGE_BYTES) { "predict" } else { "simulate --ranks 2 --tree flat" };
        let queue = self.best_in_pages().map(|fragment| (fragment, self.bytes.div_ceil(fragment)));
        let queue = queue.map_or_else(String::new, |(f, s)| format!(" --fragment {f} --buffers {s}"));
        let Estimate { low, high, .. } = self.parameters.t_ns_per_byte;
        let unsure = if low < high { "" } else { "; unsure: met in too few launches for intervals" };
        format!(
            "{place}, {m}: {advised}{unsure}. Predict by: parallax shm {by} --bytes {}{queue} --set {}{small}\n",
            self.bytes,
            self.settings(&self.costs())
        )
    }

    /// Parameters as `--set` of the command reads them that predicts by them.
    fn settings(&self, costs: &NodeCosts) -> String {
        if self.costs().has_formula(PAGE_BYTES) { costs.one.to_string() } else { settings(costs) }
    }
}

/// The parameters of one reader as `--set` reads them.
fn settings(costs: &NodeCosts) -> String {
    let added = [("M", costs.memory.0 > 0.0), ("c", costs.clear > Span::ZERO)];
    let is_added = |(name, _): &(&str, String)| added.contains(&(*name, true));
    costs
        .parameters()
        .into_iter()
        .filter(is_added)
        .fold(costs.one.to_string(), |text, (name, value)| format!("{text},{name}={value}"))
}
