//! A tuning as tables, a picture and sentences.

use super::{By, Call, Piece, Tried, Tuning, Way, ratios};
use crate::contrast::{Verdict, spread};
use models::names::counted;
use programs::machine::Estimate;
use programs::observation::Implementation;
use render::columns;
use render::data::{Cell, Filled, Known, Show, Style, Table, View};
use render::groups::grouped;
use render::page::{Figure, Page, Section};
use render::plots::canvas::HUES;
use render::plots::forest::{Forest, ForestRow};
use render::plots::numbers::bytes;
use render::results::Results;
use render::table as laid_out;
use render::whence::Whence;
use scenario::axis::{Axis, Key};
use statistics::{median, quantile};

const CALL: Known = Known::text("call", "operation and ranks, and what else differs between calls", "bcast, 8 ranks");
const FROM: Known = Known::integer("from_bytes", "B", "shortest length of a piece of the table", "4096");
const UP_TO: Known = Known::integer("to_bytes", "B", "longest measured length of a piece", "65536");
const LENGTHS: Known = Known::integer("lengths", "", "measured lengths of a piece", "5");
const SHOWN: Known =
    Known::integer("shown", "", "lengths of a piece at which the algorithm is shown to be faster", "4");
const GAIN: Known = Known::number("gain", "", "time ÷ time of the library's own choice, median over the piece", "0.85");
const LEAST_GAIN: Known = Known::number("least_gain", "", "the largest of these ratios", "0.97");

/// Piece of a table with its calls.
struct Line<'a> {
    at: &'a Key,
    piece: &'a Piece,
    calls: &'a [Call],
}

impl Line<'_> {
    fn ratios(&self) -> Vec<f64> {
        ratios(self.calls.iter().filter_map(|call| call.taken()))
    }

    fn shown(&self) -> usize {
        let taken = self.calls.iter().filter_map(|call| call.taken());
        taken.filter(|tried| tried.verdict == Verdict::Faster).count()
    }
}

impl Way {
    /// Returns the algorithm with its segments, as in `pipeline, segments of 8 KiB`.
    pub fn words(&self) -> String {
        match self.segment_bytes {
            Some(segment) => format!("{}, segments of {}", self.algorithm, bytes(segment)),
            None => self.algorithm.clone(),
        }
    }
}

impl By {
    /// Whether the numbers are of launches, of which chance is one part.
    fn has_launches(&self) -> bool {
        match self {
            By::Reference | By::Printed(_) => true,
            By::Predicted(_) | By::Published(_) | By::Corrected(_) => false,
        }
    }

    /// Returns the numbers in a word for tables: `reference`, `predicted`, `corrected`, or the name of a benchmark.
    pub fn word(&self) -> &str {
        match self {
            By::Reference => "reference",
            By::Predicted(_) => "predicted",
            By::Corrected(_) => "corrected",
            By::Printed(name) | By::Published(name) => name,
        }
    }

    /// Returns the numbers in words: `the reference`.
    pub fn words(&self) -> String {
        match self {
            By::Reference => "the reference".to_owned(),
            By::Printed(benchmark) => format!("the number that {benchmark} would print"),
            By::Predicted(machine) => format!("times of simulated ranks on {machine}"),
            By::Published(framework) => format!("the numbers that {framework} published"),
            By::Corrected(machine) => format!("published numbers, corrected by simulated ranks on {machine}"),
        }
    }
}

impl Tuning {
    fn lines(&self) -> Vec<Line<'_>> {
        // Calls stand in the order of the table, one for each length.
        let mut rest = &self.calls[..];
        let pieces = self.table.iter().flat_map(|all| all.pieces.iter().map(|piece| (&all.at, piece)));
        let lines = pieces.map(|(at, piece)| {
            let (calls, others) = rest.split_at(piece.lengths);
            rest = others;
            Line { at, piece, calls }
        });
        lines.collect()
    }

    /// Returns every way of every call.
    fn each(&self) -> impl Iterator<Item = (&Call, &Tried)> {
        self.calls.iter().flat_map(|call| call.tried.iter().map(move |tried| (call, tried)))
    }

    /// Returns the axes in which the calls differ, and the values that they share.
    fn axes(&self) -> (Vec<Axis>, Key) {
        let told = |axis: &Axis| ![Axis::Algorithm, Axis::Segment, Axis::Bytes, Axis::State].contains(axis);
        let among: Vec<Axis> = Axis::CASES.into_iter().filter(told).collect();
        spread(&among, self.calls.iter().map(|call| &call.at))
    }

    /// Returns the namer of pieces and calls: by operation and ranks, and what else differs.
    pub(super) fn namer(&self) -> impl Fn(&Key) -> String + use<> {
        let (mut told, _) = self.axes();
        told.extend([Axis::Operation, Axis::Ranks]);
        move |at| at.within(|axis| told.contains(&axis)).to_string()
    }

    fn table_of_pieces(&self) -> Table {
        let (lines, name) = (self.lines(), self.namer());
        let way = |line: &Line<'_>| {
            line.piece.way.as_ref().map_or(Implementation::LIBRARY.to_owned(), |way| way.algorithm.clone())
        };
        let columns: [Filled<Line<'_>>; 9] = [
            (CALL.column(), &|line| name(line.at).into()),
            (FROM.headed("from").shown(Style::Bytes), &|line| line.piece.from_bytes.into()),
            (UP_TO.headed("to").shown(Style::Bytes), &|line| line.piece.to_bytes.into()),
            (columns::ALGORITHM.column(), &|line| way(line).into()),
            (columns::SEGMENT.headed("segments").shown(Style::Bytes), &|line| {
                line.piece.way.as_ref().and_then(|way| way.segment_bytes).into()
            }),
            (LENGTHS.column(), &|line| line.piece.lengths.into()),
            (SHOWN.headed("shown"), &|line| line.piece.way.as_ref().map(|_| line.shown()).into()),
            (GAIN.headed("over its own").shown(Style::Fixed(3)), &|line| median(&line.ratios()).into()),
            (LEAST_GAIN.headed("at worst").shown(Style::Fixed(3)), &|line| {
                line.ratios().into_iter().reduce(f64::max).into()
            }),
        ];
        Table::from_rows("table", &lines, &columns)
    }

    fn figure(&self) -> Option<Figure> {
        let name = self.namer();
        let changed = grouped(self.changed().map(|call| (name(&call.at), call)));
        let row = |(name, calls): (String, Vec<&Call>)| {
            let ratios = ratios(calls.iter().filter_map(|call| call.taken()));
            let at = |share| quantile(&ratios, share).unwrap_or(1.0);
            let value = Estimate { value: at(0.5), low: at(0.0), high: at(1.0) };
            ForestRow { name: format!("{name} ({})", counted(calls.len(), "length")), group: None, value, hue: HUES[0] }
        };
        let rows: Vec<ForestRow> = changed.into_iter().map(row).collect();
        let title = "Time of the table's algorithms over the library's own choice".to_owned();
        let axis_title = "× its own choice: median and range of the lengths that are changed".to_owned();
        let caption = format!("{title}, by {}.", self.by.words());
        (!rows.is_empty()).then(|| {
            let forest = Forest { width: 760.0, title, axis_title, rows, reference: Some(1.0) };
            Figure::new("gains", caption, forest.drawing(), self.rows())
        })
    }

    /// Returns the sentences on how algorithms were chosen.
    fn how(&self) -> String {
        let (confidence, least) = (100.0 * self.demand.confidence, 100.0 * self.demand.at_least);
        let by = self.by.words();
        let change = format!("Each change of the algorithm along the lengths has to be worth {least} %.");
        let faster = "An algorithm is shown to be faster if";
        match self.by {
            By::Predicted(_) => format!(
                "Chosen by {by}, all of which enter a call together. {faster} its time is {least} % shorter, or more, for each set of \
                 the machine's parameters. The library's own choice is that of its decision table. {change}"
            ),
            By::Published(_) => {
                format!("Chosen by {by}, as they are. {faster} its number is {least} % smaller, or more. {change}")
            }
            By::Corrected(_) => format!(
                "Chosen by {by}: from each number the difference is taken between what ranks would print behind the benchmark's \
                 barrier and the time from a common start. {faster} its time is {least} % shorter, or more, for each set of the \
                 machine's parameters, and wherever belongs what either number has beyond the predicted one, to the call or to the method. \
                 The library's own choice was published, too, and is corrected as the algorithm of its decision table. {change}"
            ),
            By::Reference | By::Printed(_) => format!(
                "Chosen by {by}. An algorithm is shown to be faster where launches of the same rounds differ beyond chance (signed ranks, \
                 {confidence} % for all algorithms of a call together), by {least} % or more, and in no state of the machine the other way. \
                 Elsewhere the library's own choice stays, but where a piece with one algorithm would be broken by a length at which it \
                 is not shown to be slower. {change} Expected gains are those of the least of several numbers, and so too large: a \
                 proof measures them anew."
            ),
        }
    }

    /// Returns the sections of a page: the table, and all calls.
    pub fn sections(&self) -> Vec<Section> {
        let table = self.table_of_pieces();
        let notes = vec![
            "library: its own choice; shown: lengths at which the algorithm is shown to be faster".to_owned(),
            "over its own: time ÷ time of the library's own choice, median and largest of the piece".to_owned(),
        ];
        let seen = View::new(&table).captioned("The table").whole().noting(notes).laid_out();
        let how = self.how();
        let calls = self.rows();
        let each: Vec<(&Call, &Tried)> = self.each().collect();
        let name = self.namer();
        let call = Show::made("call", |row| laid_out::Cell::text(name(&each[row.place()].0.at)));
        let way = Show::made("algorithm", |row| laid_out::Cell::text(each[row.place()].1.way.words()));
        let measured = "intervals are of one algorithm alone, verdicts count all algorithms of the call; in several states of the machine the \
                    numbers are those of the state that decides, else of the one that was met most often";
        let note = if self.by.has_launches() { measured } else { "intervals are over the sets of parameters" };
        let length = Show::changed("bytes", |column| column.shown(Style::Bytes));
        let seen_calls = View::new(&calls)
            .captioned("All algorithms of all calls")
            .noting(vec![note.to_owned()])
            .show([call, length, way])
            .show(Show::all(["own_choice_us", "time_us", "ratio", "verdict", "chosen"]))
            .laid_out();
        vec![
            Section::new("Table")
                .with_paragraphs(self.notes.clone())
                .with_figures(self.figure())
                .with_tables([seen])
                .with_id("table"),
            Section::new("How it was chosen").with_paragraphs([how]).folded(),
            Section::new("All calls").with_tables([seen_calls]).folded().with_id("calls"),
        ]
    }

    fn sentence(&self) -> String {
        let all = self.calls.len();
        let changed: Vec<(&Call, &Tried)> = self.changed().filter_map(|call| Some((call, call.taken()?))).collect();
        let by = self.by.words();
        let best = changed.iter().min_by(|(_, one), (_, other)| one.ratio.value.total_cmp(&other.ratio.value));
        let Some((call, tried)) = best else {
            return format!(
                "By {by}, no algorithm is shown to be faster than the library's own choice in {all} calls."
            );
        };
        let median = median(&ratios(changed.iter().map(|(_, tried)| *tried))).unwrap_or(1.0);
        format!(
            "By {by}, the table changes {} of {all} calls: they take {median:.2} times as long as before (median), at best {:.2} ({} {}, \
             {}).",
            changed.len(),
            tried.ratio.value,
            self.namer()(&call.at),
            bytes(call.bytes),
            tried.way.words()
        )
    }
}

impl Results for Tuning {
    fn notes(&self) -> Vec<String> {
        let (_, common) = self.axes();
        let common = common.within(|axis| ![Axis::Operation, Axis::Ranks].contains(&axis));
        if common.0.is_empty() { vec![self.name.clone()] } else { vec![format!("{}; all calls: {common}", self.name)] }
    }

    fn page(&self) -> Page {
        Page {
            question: "Which algorithms should the library choose?".to_owned(),
            answer: self.sentence(),
            details: self.notes(),
            origin: self.name.clone(),
            sections: self.sections(),
            ..Page::default()
        }
    }

    fn rows(&self) -> Table {
        let rows: Vec<(&Call, &Tried)> = self.each().collect();
        let columns: [Filled<(&Call, &Tried)>; 6] = [
            (columns::OWN_CHOICE.headed("its own choice"), &|(_, tried)| tried.own_us.into()),
            (columns::TIME.headed("time"), &|(_, tried)| tried.us.into()),
            (columns::RATIO.headed("ratio").shown(Style::Fixed(3)), &|(_, tried)| tried.ratio.into()),
            (columns::CONFIDENCE.column(), &|_| Some(self.demand.confidence).filter(|_| self.by.has_launches()).into()),
            (columns::VERDICT.column(), &|(_, tried)| tried.verdict.name().into()),
            (columns::CHOSEN.column(), &|(call, tried)| (call.chosen.as_ref() == Some(&tried.way)).into()),
        ];
        let key = |(call, tried): &(&Call, &Tried)| {
            let at =
                call.at.clone().named(Axis::Algorithm, &Implementation::Forced(tried.way.algorithm.clone()).written());
            columns::at(&at.counted(Axis::Segment, tried.way.segment_bytes), AXES).collect()
        };
        let keys: Vec<Vec<Cell>> = rows.iter().map(key).collect();
        Table::from_rows("calls", &rows, &columns).with_columns(0, columns::axes(AXES), keys)
    }

    fn others(&self) -> Vec<Table> {
        vec![self.table_of_pieces()]
    }

    fn whence(&self) -> Option<Whence> {
        Some(self.whence.clone())
    }
}

/// Axes of the rows of all calls.
const AXES: [Axis; 9] = [
    Axis::World,
    Axis::Transport,
    Axis::Ranks,
    Axis::Operation,
    Axis::Form,
    Axis::Algorithm,
    Axis::Segment,
    Axis::Root,
    Axis::Bytes,
];
