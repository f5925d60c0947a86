//! Fitted costs of copies and waits in measured broadcasts through shared memory, the queue that they make the fastest,
//! and how well both hold against the measurement.

use super::parameters::{Measured, parameters};
use super::side_by_side::{Group, SideBySide, Timed};
use calibration::states::States;
use calibration::states::in_states;
use models::shared_broadcast::{
    Design, NodeCosts, Optimum, Queue, for_message, one_reader_on_a_node, optimum_on_a_node,
};
use models::time::Span;
use programs::machine::{Estimate, QueuePoint};
use render::columns;
use render::data::{Filled, Known, Row, Show, Style, Table, View};
use render::groups::distinct;
use render::page::{Page, Section};
use render::plots::numbers::bytes;
use render::results::Results;
use render::table;
use render::whence::Whence;
use std::collections::BTreeSet;

/// Share by which an advised fragment may be slower than the fastest.
const RIGHT: f64 = 0.1;
/// Bytes of a page: fragments are advised in whole pages.
const PAGE_BYTES: u64 = 4096;

const LEGEND: [&str; 8] = [
    "t: a copy per byte; t there: another rate of queues of up to b bytes, where that halves the squared deviations",
    "M: root and reader that copy at once take max(t, 2 M) per byte each, where that takes a fifth off the squared deviations",
    "tW: a notification; tWO + tA: a use of a set; tA: a cache line's way between both ranks, taken for c, too",
    "c: until a reader has cleared its control word; its copy is not over before",
    "fitted to every second length of fragments; the others check it: the largest deviation of a predicted time",
    "÷ s = 1: the most buffers over one, of 8 KiB or next to it, predicted and measured",
    "f*: the best fragment by the parameters; f best: the fastest measured with the most buffers",
    "loss: what the fragment nearest to f* takes longer than the best one, as measured",
];

const SMALL_QUEUE: Known =
    Known::integer("small_queue_bytes", "B", "queues of up to so many bytes have another t", "65536");
const SMALL_COPY: Known = Known::interval("small_queue_t_ns_per_byte", "ns/B", "t in these queues", "0.12");
const USE: Known = Known::interval("two_and_ta_ns", "ns", "t_WO + t_A: a use of a set", "600");
const DEVIATION: Known = Known::number("deviation", "", "largest deviation of a predicted time", "0.02");
const MANY_OVER_ONE: Known = Known::number("many_over_one", "", "most buffers over one, predicted", "0.513");
const MANY_OVER_ONE_MEASURED: Known = Known::number("many_over_one_measured", "", "the same, measured", "0.514");
const BEST: Known = Known::number("best_fragment_bytes", "B", "f*: the best fragment by the parameters", "62706.2");
const FASTEST: Known = Known::integer("fastest_fragment_bytes", "B", "the fastest measured fragment", "65536");
const LOSS: Known =
    Known::number("loss", "", "what the fragment that is best by the parameters takes longer, as a share", "0");

/// Least number of lengths of fragments with which the parameters are distinguished; there must be several numbers of
/// buffers, too.
pub const LENGTHS: usize = 3;

/// Fitted parameters of one message length in one place and state.
#[derive(Clone, Debug)]
struct Fit<'a> {
    group: &'a Group<'a>,
    bytes: u64,
    parameters: QueuePoint,
    /// f*: optimum by the parameters, for a queue that the message fits into.
    optimum: Option<Optimum>,
    points: Vec<Point<'a>>,
}

/// Queue through which the message was measured.
#[derive(Clone, Debug)]
struct Point<'a> {
    timed: &'a Timed<'a>,
    queue: Queue,
    predicted_us: f64,
    /// Whether the parameters were fitted to this time, rather than checked against it.
    fitted: bool,
}

/// Parameters fitted to a campaign.
#[derive(Clone, Debug)]
pub struct Tuned<'a> {
    fits: Vec<Fit<'a>>,
    whence: &'a Whence,
}

impl<'a> Tuned<'a> {
    /// Fits the parameters of one reader to each message length. Groups of other numbers of ranks, or with fewer than
    /// three lengths of fragments, are left out.
    pub fn fit(measured: &'a SideBySide<'a>) -> Tuned<'a> {
        let two = measured.groups.iter().filter(|group| group.subject.case.place.ranks == 2);
        let fits = two.flat_map(|group| {
            let lengths = distinct(group.rows.iter().filter(|row| row.queued().is_some()).map(|row| row.bytes));
            lengths.into_iter().filter_map(move |bytes| Fit::from_group(group, bytes))
        });
        Tuned { fits: fits.collect(), whence: &measured.whence }
    }

    /// Returns the parameters for a machine file.
    pub fn points(&self) -> Vec<QueuePoint> {
        self.fits.iter().map(|fit| fit.parameters).collect()
    }

    /// Whether nothing could be fitted.
    pub fn is_empty(&self) -> bool {
        self.fits.is_empty()
    }

    fn fits(&self) -> Table {
        let small = |fit: &Fit<'_>| fit.parameters.small_queue_bytes.zip(fit.parameters.small_queue_t_ns_per_byte);
        let percent = |column: Known, heading: &'static str| column.headed(heading).shown(Style::Percent(1));
        let ratio = |column: Known, heading: &'static str| column.headed(heading).shown(Style::Fixed(3));
        let columns: [Filled<Fit<'_>>; 18] = [
            (columns::WORLD.column(), &|fit| fit.parameters.world.name().into()),
            (columns::LINE_NS.column(), &|fit| fit.parameters.line_ns.into()),
            (columns::SLOWER.column(), &|fit| fit.parameters.slower.into()),
            (columns::BYTES.headed("m").shown(Style::Bytes), &|fit| fit.bytes.into()),
            (columns::COPY.headed("t"), &|fit| fit.parameters.t_ns_per_byte.into()),
            (SMALL_QUEUE.headed("b up to").shown(Style::Bytes), &|fit| small(fit).map(|(up_to, _)| up_to).into()),
            (SMALL_COPY.headed("t there"), &|fit| small(fit).map(|(_, copy)| copy).into()),
            (columns::MEMORY.headed("M"), &|fit| fit.parameters.memory_ns_per_byte.into()),
            (columns::NOTIFICATION.headed("tW"), &|fit| fit.parameters.tw_ns.into()),
            (USE.headed("tWO + tA"), &|fit| fit.parameters.two_and_ta_ns.into()),
            (columns::LEAVE.headed("tA"), &|fit| fit.parameters.ta_ns.into()),
            (percent(DEVIATION, "deviates"), &|fit| fit.deviation().into()),
            (ratio(MANY_OVER_ONE, "÷ s = 1"), &|fit| fit.many_over_one().map(|(predicted, _)| predicted).into()),
            (ratio(MANY_OVER_ONE_MEASURED, "measured"), &|fit| {
                fit.many_over_one().map(|(_, measured)| measured).into()
            }),
            (BEST.column(), &|fit| fit.optimum.map(|optimum| optimum.fragment_bytes).into()),
            (FASTEST.headed("f best").shown(Style::Bytes), &|fit| {
                fit.fastest().map(|point| point.queue.fragment_bytes()).into()
            }),
            (percent(LOSS, "loss"), &|fit| fit.loss().into()),
            (columns::PARAMETERS.column(), &|fit| settings(&fit.costs()).into()),
        ];
        Table::from_rows("fits", &self.fits, &columns)
    }

    fn seen(&self) -> table::Table {
        let table = self.fits();
        let of_row = |row: Row<'_>| &self.fits[row.place()];
        let place = Show::made("place", |row| table::Cell::text(of_row(row).place()));
        let best = Show::made("f*", |row| {
            table::Cell::number(of_row(row).best_in_pages().map_or_else(|| "–".to_owned(), bytes), "")
        });
        let names = |from: usize, to: usize| Show::all(table.columns[from..to].iter().map(|column| &*column.name));
        let view = View::new(&table).show([place]).show(names(3, 14)).show([best]).show(names(15, 17));
        view.noting(LEGEND.map(str::to_owned).to_vec()).laid_out()
    }

    /// Returns the section of the campaign's page.
    pub fn section(&self) -> Section {
        Section::new("What copies and waits cost")
            .with_id("tuned")
            .with_paragraphs(self.fits.iter().map(Fit::advice))
            .with_tables([self.seen()])
    }
}

impl Results for Tuned<'_> {
    fn notes(&self) -> Vec<String> {
        self.fits.iter().map(Fit::advice).collect()
    }

    fn page(&self) -> Page {
        Page {
            question: "What do copies and waits in shared memory cost?".to_owned(),
            answer: "Parameters of broadcasts through shared memory, two ranks".to_owned(),
            sections: vec![
                Section::default().with_tables([self.seen()]),
                Section::default().with_paragraphs(self.notes()),
            ],
            ..Page::default()
        }
    }

    /// Returns every queue with its measured and its predicted time.
    fn rows(&self) -> Table {
        let all = || self.fits.iter().flat_map(|fit| fit.points.iter().map(move |point| (fit, point)));
        let points: Vec<(&Fit<'_>, &Point<'_>)> = all().collect();
        let costs = |(fit, point): &(&Fit<'_>, &Point<'_>)| fit.parameters.costs(point.queue.bytes(), fit.bytes);
        let columns: [Filled<(&Fit<'_>, &Point<'_>)>; 11] = [
            (columns::FRAGMENT.column(), &|(_, point)| point.queue.fragment_bytes().into()),
            (columns::BUFFERS.column(), &|(_, point)| point.queue.buffers().into()),
            (columns::SETS.column(), &|(_, point)| point.queue.sets().into()),
            (columns::ROLE.column(), &|(_, point)| if point.fitted { "fitted" } else { "check" }.into()),
            (columns::TIME.column().with_limits(), &|(_, point)| point.timed.us.into()),
            (columns::PREDICTED.column().without_limits(), &|(_, point)| point.predicted_us.into()),
            (columns::COPY.column().without_limits(), &|of| (costs(of).one.copy.0 / 1e3).into()),
            (columns::NOTIFICATION.column().without_limits(), &|of| costs(of).one.notification.as_ns().into()),
            (columns::SET.column(), &|of| costs(of).one.set.as_ns().into()),
            (columns::LEAVE.column(), &|of| costs(of).one.leave.as_ns().into()),
            (columns::MEMORY.column().without_limits(), &|of| (costs(of).memory.0 / 1e3).into()),
        ];
        let states = points.iter().map(|(fit, _)| fit.group.state().copied());
        let table = in_states(Table::from_rows("rows", &points, &columns), states);
        columns::of_cases(table, points.iter().map(|(_, point)| point.timed.key()))
    }

    fn others(&self) -> Vec<Table> {
        vec![self.fits()]
    }

    fn whence(&self) -> Option<Whence> {
        Some(self.whence.clone())
    }
}

impl<'a> Fit<'a> {
    fn from_group(group: &'a Group<'a>, bytes: u64) -> Option<Fit<'a>> {
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
        let of_launch = |launch: u32| {
            let us = |row: &Timed<'_>| row.launches_us.iter().find(|(known, _)| *known == launch).map(|(_, us)| *us);
            used().filter_map(|(row, queue)| Some((*queue, bytes, us(row)? * 1e3))).collect()
        };
        let launches = rows.iter().flat_map(|(row, _)| row.launches_us.iter().map(|(launch, _)| *launch));
        let launches: Vec<Vec<Measured>> = launches.collect::<BTreeSet<u32>>().into_iter().map(of_launch).collect();
        let parameters = parameters((group.subject, bytes), &all, &launches, group.confidence)?;
        let point = |(timed, queue): (&'a Timed<'a>, Queue)| Point {
            timed,
            queue,
            predicted_us: one_reader_on_a_node(&parameters.costs(queue.bytes(), bytes), &queue, bytes).as_us(),
            fitted: is_fitted(&queue),
        };
        let optimum = optimum_on_a_node(&parameters.costs(bytes, bytes), bytes, PAGE_BYTES);
        Some(Fit { group, bytes, parameters, optimum, points: rows.into_iter().map(point).collect() })
    }

    /// Returns the costs for a queue that the message fits into.
    fn costs(&self) -> NodeCosts {
        self.parameters.costs(self.bytes, self.bytes)
    }

    fn place(&self) -> String {
        let subject = self.group.subject;
        format!("{}{}", subject.case.place.world.title(), States::and_words(subject.state.as_ref()))
    }

    /// Returns the largest share by which a predicted time differs from the measured one, among the queues that check
    /// the fit.
    fn deviation(&self) -> Option<f64> {
        let checks = self.points.iter().filter(|point| !point.fitted);
        checks.map(|point| (point.predicted_us / point.timed.us.value - 1.0).abs()).max_by(f64::total_cmp)
    }

    /// Returns the time with the most buffers over that with a single one, for the fragment that has the most buffers:
    /// predicted and measured.
    fn many_over_one(&self) -> Option<(f64, f64)> {
        let pair = |many: &Point<'_>| {
            let is_one = |one: &&Point<'_>| {
                one.queue.fragment_bytes() == many.queue.fragment_bytes() && one.queue.buffers() == 1
            };
            let one = self.points.iter().find(is_one).filter(|_| many.queue.buffers() > 1)?;
            Some((many.predicted_us / one.predicted_us, many.timed.us.value / one.timed.us.value))
        };
        let most = self.points.iter().filter(|point| point.queue.buffers() > 1);
        // Of equally many buffers, the queue whose fragments have the publication's length, or the nearest to it.
        let rank =
            |point: &&Point<'_>| (point.queue.buffers(), u64::MAX - point.queue.fragment_bytes().abs_diff(8 << 10));
        most.max_by_key(rank).and_then(pair)
    }

    /// Returns the points with the most buffers.
    fn with_most(&self) -> impl Iterator<Item = &Point<'a>> {
        let most = self.points.iter().map(|point| point.queue.buffers()).max().unwrap_or(0);
        self.points.iter().filter(move |point| point.queue.buffers() == most)
    }

    fn fastest(&self) -> Option<&Point<'a>> {
        self.with_most().min_by(|one, other| one.timed.us.value.total_cmp(&other.timed.us.value))
    }

    /// Returns the best fragment by the parameters, in whole pages.
    fn best_in_pages(&self) -> Option<u64> {
        self.optimum.map(|optimum| optimum.in_pages(PAGE_BYTES))
    }

    /// Returns the share by which the measured fragment that is fastest by the parameters is slower than the fastest by
    /// measurement.
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
        // Closed forms do not include the additions of a node; ranks in virtual time do.
        let by = if self.costs().has_formula(PAGE_BYTES) { "predict" } else { "simulate --ranks 2 --tree flat" };
        let queue = self.best_in_pages().map(|fragment| (fragment, self.bytes.div_ceil(fragment)));
        let queue = queue.map_or_else(String::new, |(f, s)| format!(" --fragment {f} --buffers {s}"));
        let Estimate { low, high, .. } = self.parameters.t_ns_per_byte;
        let unsure = if low < high { "" } else { "; unsure: met in too few launches for intervals" };
        format!(
            "{place}, {m}: {advised}{unsure}. Predict by: parallax shm {by} --bytes {}{queue} --set {}{small}",
            self.bytes,
            self.settings(&self.costs())
        )
    }

    /// Prints parameters as `--set` of the command that predicts with them reads them.
    fn settings(&self, costs: &NodeCosts) -> String {
        if self.costs().has_formula(PAGE_BYTES) { costs.one.to_string() } else { settings(costs) }
    }
}

/// Prints the parameters of one reader as `--set` reads them.
fn settings(costs: &NodeCosts) -> String {
    let added = [("M", costs.memory.0 > 0.0), ("c", costs.clear > Span::ZERO)];
    let is_added = |(name, _): &(&str, String)| added.contains(&(*name, true));
    costs
        .parameters()
        .into_iter()
        .filter(is_added)
        .fold(costs.one.to_string(), |text, (name, value)| format!("{text},{name}={value}"))
}
