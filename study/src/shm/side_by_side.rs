//! Measured broadcasts through shared memory beside the library's: times, and their ratios to those of the library and
//! to those through a single buffer, launch by launch.

use crate::measured::{Measured, Subject};
use crate::over::OverReference;
use calibration::states::in_states;
use calibration::states::{MetState, States};
use models::shared_broadcast::{Queue, Queued, Scheme};
use programs::machine::Estimate;
use programs::method::Method;
use programs::observation::{Case, CasePlace, Implementation};
use render::columns;
use render::data::{Cell, Filled, Row, Show, Style, Table, View};
use render::groups::grouped;
use render::page::{Figure, Page, Section};
use render::plots::numbers::{bytes, significant};
use render::results::{Look, Results};
use render::table;
use render::whence::Whence;
use scenario::axis::{Axis, Key};

const LEGEND: [&str; 2] = [
    "time: from a common start to the slowest rank's end (windows), the median of each launch, over launches",
    "÷: ratios launch by launch, where both were measured, and their Hodges–Lehmann estimate; intervals from four launches on",
];

/// Least number of launches for an interval.
const LEAST: usize = 4;

/// A broadcast in one place and state: its time over all launches, and in each of them.
#[derive(Clone, Debug)]
pub(super) struct Timed<'a> {
    pub subject: &'a Subject,
    pub bytes: u64,
    pub us: Estimate,
    /// Time in each launch, in µs; `None` where it was not measured in this state.
    pub launches_us: Vec<(u32, f64)>,
    /// Predicted time in µs, if there is a prediction.
    pub predicted_us: Option<f64>,
    /// Reason why the time is doubtful, if it is.
    pub doubt: Option<&'a String>,
}

/// Predicts the time of a broadcast, in µs, from its case, its bytes and the time of a cache line between neighbours in
/// ns; `None` where that is not known.
pub type Prediction<'p> = dyn Fn(&Case, u64, Option<f64>) -> Option<f64> + 'p;

/// Predictions to show beside measured times.
pub struct Predicted<'p> {
    /// Parameters of the predictions, in words.
    pub parameters: String,
    /// Function that predicts each broadcast's time.
    pub us: &'p Prediction<'p>,
}

/// Broadcasts of one world's ranks in one state of the machine.
#[derive(Clone, Debug)]
pub(super) struct Group<'a> {
    pub subject: &'a Subject,
    pub rows: Vec<Timed<'a>>,
    /// Implementation that is the reference of ratios, in all groups alike: the library's own choice, if that was
    /// measured, else the algorithm that the library was made to use, else one of Parallax's own algorithms.
    pub base: Option<Implementation>,
    /// Confidence of the intervals of ratios and fits.
    pub confidence: f64,
}

/// Broadcasts of a campaign of which some pass through queues in shared memory.
#[derive(Clone, Debug)]
pub struct SideBySide<'a> {
    pub(super) groups: Vec<Group<'a>>,
    /// Origin of the rows.
    pub(super) whence: Whence,
    /// Parameters of the predicted times, in words.
    parameters: Option<String>,
}

impl Timed<'_> {
    /// Returns the implementation that carried out the broadcast.
    pub(super) fn by(&self) -> &Implementation {
        &self.subject.case.subject.implementation
    }

    /// Returns the key of its case.
    pub(super) fn key(&self) -> Key {
        self.subject.key().counted(Axis::Bytes, Some(self.bytes))
    }

    fn scheme(&self) -> Option<Scheme> {
        self.queued().map(Queued::scheme)
    }

    /// Returns the queue, if the broadcast passes through one.
    pub(super) fn queued(&self) -> Option<&Queued> {
        self.by().queued()
    }

    /// Returns its time for readers, with an interval where there are launches enough for one.
    fn seen(&self) -> table::Cell {
        let launches = self.launches_us.len();
        table::Cell::estimate(&if launches < LEAST { Estimate::exactly(self.us.value) } else { self.us })
    }

    /// Returns the ratio to another broadcast, launch by launch, with an interval of a confidence.
    pub(super) fn over(&self, other: &Timed<'_>, confidence: f64) -> Option<OverReference> {
        let same = |launch: u32| other.launches_us.iter().find(|(known, _)| *known == launch).map(|(_, us)| *us);
        let both = self.launches_us.iter().filter_map(|&(launch, own)| Some((launch, own, same(launch)?)));
        OverReference::of_pairs(both, confidence)
    }
}

impl<'a> Group<'a> {
    /// Returns the broadcast of the same message through one buffer of the same length.
    pub(super) fn one_buffer(&self, row: &Timed<'_>) -> Option<&Timed<'a>> {
        let queued = row.queued()?;
        let one = Queue::new(queued.queue().fragment_bytes(), 1, 1).ok()?;
        let is_one = |other: &&Timed<'_>| {
            let same = |found: &Queued| found.scheme() == Scheme { queue: one, ..queued.scheme() };
            other.bytes == row.bytes && other.queued().is_some_and(same)
        };
        self.rows.iter().find(is_one)
    }

    /// Returns the broadcast of the same message by the reference of all ratios.
    pub(super) fn first(&self, row: &Timed<'_>) -> Option<&Timed<'a>> {
        let base = self.base.as_ref()?;
        self.rows.iter().find(|other| other.bytes == row.bytes && other.by() == base)
    }

    /// Returns the time over [`Group::first`], where both were measured.
    pub(super) fn over_first(&self, row: &Timed<'_>) -> Option<OverReference> {
        row.over(self.first(row)?, self.confidence)
    }

    /// Returns the time over [`Group::one_buffer`], where both were measured.
    pub(super) fn over_one(&self, row: &Timed<'_>) -> Option<OverReference> {
        row.over(self.one_buffer(row)?, self.confidence)
    }

    pub(super) fn state(&self) -> Option<&MetState> {
        self.subject.state.as_ref()
    }

    /// Returns the doubtful times with the reasons.
    fn doubts(&self) -> impl Iterator<Item = String> {
        let doubtful = self.rows.iter().filter_map(|row| Some((row, row.doubt?)));
        doubtful.map(|(row, why)| format!("{} by {}: {why}", bytes(row.bytes), row.by().written()))
    }

    pub(super) fn title(&self) -> String {
        let (CasePlace { world, carrier, ranks }, root) = (self.subject.case.place, self.subject.case.subject.root);
        let state = States::and_words(self.subject.state.as_ref());
        let crowded = if self.subject.oversubscribed { ", more ranks than cores" } else { "" };
        format!("Broadcasts from root {root}, {ranks} ranks{crowded}, {} ({}){state}", world.title(), carrier.name())
    }
}

impl<'a> SideBySide<'a> {
    /// Gathers the broadcasts of a campaign, timed by windows; `None` if none passes through a queue.
    pub fn from_measured(measured: &'a Measured, predicted: Option<&Predicted<'_>>) -> Option<SideBySide<'a>> {
        let is_queued = |subject: &Subject| subject.case.subject.implementation.queued().is_some();
        let queued: Vec<&Subject> = measured.subjects.iter().filter(|subject| is_queued(subject)).collect();
        let place = |subject: &Subject| {
            let case = &subject.case;
            (
                case.place,
                case.subject.root,
                case.subject.collective,
                case.timing.conditions,
                case.subject.call,
                subject.state,
            )
        };
        let rank = |by: &Implementation| match by {
            Implementation::Library => Some(0),
            Implementation::Forced(_) | Implementation::Tuned(_) => Some(1),
            Implementation::Own(_) => Some(2),
            Implementation::Shared(_) => None,
        };
        let others = measured.subjects.iter().map(|subject| &subject.case.subject.implementation);
        let base = others.filter_map(|by| Some((rank(by)?, by))).min().map(|(_, by)| by.clone());
        let asked = |subject: &&Subject| queued.iter().any(|queued| place(queued) == place(subject));
        let groups: Vec<Group<'a>> = grouped(measured.subjects.iter().filter(asked).map(|one| (place(one), one)))
            .into_iter()
            .filter_map(|(_, subjects)| {
                let rows: Vec<Timed> = subjects.iter().flat_map(|subject| timed(subject, predicted)).collect();
                (!rows.is_empty()).then(|| Group {
                    subject: subjects[0],
                    rows: in_order(rows),
                    base: base.clone(),
                    confidence: measured.reading.confidence(),
                })
            })
            .collect();
        let (whence, parameters) =
            (Whence::from_facts(&measured.environment), predicted.map(|one| one.parameters.clone()));
        (!groups.is_empty()).then_some(SideBySide { groups, whence, parameters })
    }

    fn table(&self, groups: &[Group<'_>]) -> Table {
        let rows: Vec<(&Group<'_>, &Timed<'_>)> =
            groups.iter().flat_map(|group| group.rows.iter().map(move |row| (group, row))).collect();
        let first = groups[0].base.as_ref().map_or_else(String::new, |by| format!("÷ {}", by.written()));
        let columns: [Filled<(&Group<'_>, &Timed<'_>)>; 8] = [
            (columns::FRAGMENT.column(), &|(_, row)| row.scheme().map(|scheme| scheme.queue.fragment_bytes()).into()),
            (columns::BUFFERS.column(), &|(_, row)| row.scheme().map(|scheme| scheme.queue.buffers()).into()),
            (columns::SETS.column(), &|(_, row)| row.scheme().map(|scheme| scheme.queue.sets()).into()),
            (columns::TREE.column(), &|(_, row)| row.scheme().map(|scheme| scheme.tree.to_string()).into()),
            (columns::TIME.column().with_limits(), &|(_, row)| row.us.into()),
            (columns::OVER_FIRST.headed(first), &|(group, row)| OverReference::cell(group.over_first(row).as_ref())),
            (columns::OVER_ONE_BUFFER.headed("÷ s = 1").with_limits(), &|(group, row)| {
                OverReference::cell(group.over_one(row).as_ref())
            }),
            (columns::PREDICTED.headed("simulated").without_limits().shown(Style::Fixed(3)), &|(_, row)| {
                row.predicted_us.into()
            }),
        ];
        let table =
            in_states(Table::from_rows("rows", &rows, &columns), rows.iter().map(|(group, _)| group.state().copied()));
        columns::of_cases(table, rows.iter().map(|(_, row)| row.key()))
    }

    /// Returns the broadcasts of a group as a table for readers.
    fn seen(&self, group: &Group<'_>) -> table::Table {
        let table = self.table(std::slice::from_ref(group));
        let of_row = |row: Row<'_>| &group.rows[row.place()];
        let message = Show::made("m", |row| table::Cell::number(bytes(of_row(row).bytes), ""));
        let time = Show::made("time, µs", |row| of_row(row).seen());
        let view = View::new(&table).captioned(group.title()).show([message, Show::one("algorithm"), time]);
        let view = view.show(group.base.as_ref().map(|_| Show::one("over_first"))).show([Show::one("over_one_buffer")]);
        view.show(self.parameters.as_ref().map(|_| Show::one("predicted_us"))).laid_out()
    }

    /// Returns the meaning of the columns, and the parameters of simulated times.
    fn legend(&self) -> Vec<String> {
        let parameters = self.parameters.as_ref().map(|of| format!("simulated: with {of}"));
        LEGEND.into_iter().map(str::to_owned).chain(parameters).collect()
    }

    /// Returns a sentence on the fastest queue for the longest message in the state that was met most often, and
    /// another on the number of queues that it was compared with.
    pub fn fastest(&self) -> Option<(String, String)> {
        let group = self.groups.first()?;
        let longest = group.rows.iter().filter(|row| row.queued().is_some()).map(|row| row.bytes).max()?;
        let queues = || group.rows.iter().filter(|row| row.bytes == longest && row.queued().is_some());
        let fastest = queues().min_by(|one, other| one.us.value.total_cmp(&other.us.value))?;
        let over = |other: Option<&Timed<'_>>, words: String| {
            let (ratio, _) = fastest.over(other?, group.confidence)?.ratio();
            Some(format!(", {} of the time {words}", significant(ratio)))
        };
        let first = group.first(fastest);
        let of_first = over(first, first.map_or_else(String::new, |row| format!("by {}", row.by().written())));
        let of_one = over(group.one_buffer(fastest), "through one buffer".to_owned());
        let (m, name, us) = (bytes(longest), fastest.by().written(), significant(fastest.us.value));
        let over = of_first.or(of_one).unwrap_or_default();
        let words = format!("A broadcast of {m} through {name} takes {us} µs{over}.");
        let more = format!("{}: the fastest of {} queues for its longest message.", group.title(), queues().count());
        Some((words, more))
    }

    /// Returns the broadcasts as text for a terminal of `width` columns.
    pub fn text(&self, width: usize) -> String {
        let page = Page { sections: vec![self.section()], ..Page::default() };
        page.terminal(Look { width, ..Look::IN_FILES })
    }

    /// Returns the section of the campaign's page.
    pub fn section(&self) -> Section {
        let pictures = self.groups.iter().enumerate().filter_map(|(nth, group)| {
            let (caption, drawing) = group.picture()?;
            let rows = self.table(std::slice::from_ref(group));
            Some(Figure::new(format!("shared-{}", nth + 1), caption, drawing, rows))
        });
        Section::new("Broadcasts through shared memory")
            .with_id("shared-memory")
            .with_warnings(self.groups.iter().flat_map(Group::doubts))
            .with_figures(pictures)
            .with_tables(self.groups.iter().map(|group| self.seen(group)))
            .with_list(self.legend())
    }
}

impl Results for SideBySide<'_> {
    fn page(&self) -> Page {
        Page {
            question: "How fast are broadcasts through shared memory?".to_owned(),
            answer: self.fastest().map(|(words, _)| words).unwrap_or_default(),
            details: self.fastest().map(|(_, more)| more).into_iter().collect(),
            sections: vec![self.section()],
            ..Page::default()
        }
    }

    fn rows(&self) -> Table {
        self.table(&self.groups)
    }

    /// Returns the time of each launch.
    fn others(&self) -> Vec<Table> {
        let launches = self
            .groups
            .iter()
            .flat_map(|group| &group.rows)
            .flat_map(|row| row.launches_us.iter().map(move |&(launch, us)| (row, launch + 1, us)));
        let launches: Vec<(&Timed, u32, f64)> = launches.collect();
        let columns: [Filled<(&Timed, u32, f64)>; 2] = [
            (columns::LAUNCH.column(), &|(_, launch, _)| (*launch).into()),
            (columns::TIME.column(), &|(.., us)| (*us).into()),
        ];
        vec![columns::of_cases(
            Table::from_rows("launches", &launches, &columns),
            launches.iter().map(|(row, ..)| row.key()),
        )]
    }

    fn facts(&self) -> Vec<(&'static str, Cell)> {
        vec![("parameters", self.parameters.clone().into())]
    }

    fn whence(&self) -> Option<Whence> {
        Some(self.whence.clone())
    }
}

/// Returns the times of a subject by windows, as the reference or not.
fn timed<'a>(subject: &'a Subject, predicted: Option<&Predicted<'_>>) -> Vec<Timed<'a>> {
    let of_row = |row: &'a crate::measured::MeasuredRow| {
        let windows = row.methods.iter().filter(|cell| cell.method == Method::Window && cell.us.is_some());
        let cell = windows.reduce(|one, other| if other.is_reference { other } else { one })?;
        let predicted_us = predicted
            .and_then(|predicted| (predicted.us)(&subject.case, row.bytes, subject.state.map(|state| state.line_ns)));
        let doubt = row.unsure.as_ref().or(row.shaky.as_ref()).or(row.disturbed.as_ref());
        Some(Timed {
            subject,
            bytes: row.bytes,
            us: cell.us?,
            launches_us: cell.launches_us.clone(),
            predicted_us,
            doubt,
        })
    };
    subject.rows.iter().filter_map(of_row).collect()
}

/// Sorts rows by message, then those without a queue first, then by fragment, buffers, sets and tree.
fn in_order(mut rows: Vec<Timed<'_>>) -> Vec<Timed<'_>> {
    rows.sort_by(|one, other| {
        let key = |row: &Timed<'_>| (row.bytes, row.queued().map(Queued::scheme));
        key(one).cmp(&key(other)).then_with(|| one.by().cmp(other.by()))
    });
    rows
}
