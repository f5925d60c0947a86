//! Cost curves: the time of each algorithm over ranks or message lengths, and where another one becomes the cheapest.

mod draw;
mod envelope;
pub(super) mod looks;
#[cfg(test)]
mod tests;

pub use envelope::{Crossover, Stretch, cheapest, crossovers};

use render::columns;
use render::data::{self, Filled, Known};
use render::drawn::Drawn;
use render::drawn::SIMULATED;
use render::plots::Drawing;
use render::plots::numbers::{bytes, significant};
use render::table::Table;
use scenario::axis::Axis;

const FIRST: Known =
    Known::integer("first", "", "the first whole number at which `after` is the cheapest, where it is known", "11");
const LAST_BEFORE: Known = Known::number("between_from", "", "the last place at which `before` is the cheapest", "10");
const FIRST_AFTER: Known = Known::number("between_to", "", "the next place, at which `after` is the cheapest", "11");
const SEVERAL: Known = Known::flag("more_than_once", "true if the cheapest changes more than once between both");

/// Explanation of a picture that shows which algorithm is the cheapest.
const CHEAPEST: &str = "Rings mark crossovers, from which another algorithm is the cheapest; their numbers refer to \
                        the table, which gives the first whole number at which it is the cheapest. Between its points \
                        a curve is drawn straight.";
/// Explanation of a picture with a single curve of queues.
const ALONE: &str = "Between its points the curve is drawn straight.";
/// Explanation of a picture of printed numbers against the truth.
const PRINTED: &str = "Black: the time of the slowest rank in one call that all enter together, without noise; in \
                       colour: what is printed, by the barrier before each call. Between its points a curve is \
                       drawn straight.";

/// Times of one algorithm over its places.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// The algorithm's name.
    pub name: String,
    /// Places (ranks, bytes or parameters of queues) and times in µs, in any order. Points that are not finite are left
    /// out, and of several times at one place the shortest counts.
    pub points: Vec<(f64, f64)>,
}

/// Curves to be compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// Heading that says what is compared.
    pub title: String,
    /// Notes below the heading, one sentence each: the meaning of the times and the circumstances under which they
    /// hold.
    pub notes: Vec<String>,
    /// Axis of the curves' places: bytes, ranks, or a parameter of queues.
    pub over: Axis,
    /// One curve for each algorithm; of equally cheap ones the first counts as the cheapest.
    pub curves: Vec<Curve>,
    /// Whether the cheapest curve of each stretch is shown. It is not for printed numbers, whose first curve is the
    /// truth.
    pub cheapest: bool,
    /// Findings of further simulations between the points.
    pub looked: Looked,
}

/// Findings of further simulations about crossovers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Looked {
    /// Further points on both sides of crossovers, each with the index of its curve. They are no part of the data.
    pub points: Vec<(usize, (f64, f64))>,
    /// Neighbouring places of the data between which the cheapest changes more than once.
    pub several: Vec<(f64, f64)>,
}

impl Chart {
    /// Returns the chart in all its forms. The tables give the cheapest algorithm of each stretch, and each crossover
    /// with its number in the plot.
    pub fn drawn(self) -> Drawn {
        let (stretches, crossovers) = self.compared();
        let heads = [&format!("{} from", words(self.over)), "to", "cheapest"];
        // Places are whole numbers: between the last with the one curve and the first with the other neither is called
        // the cheapest.
        let side = |x: f64, side: fn((f64, f64)) -> f64| {
            crossovers.iter().find(|crossover| crossover.x == x).map_or(x, |crossover| side(crossover.between))
        };
        let single = if self.compares() { None } else { self.least() };
        let stretch = |stretch: &Stretch| {
            let (from, to) = (side(stretch.from, |between| between.1), side(stretch.to, |between| between.0));
            (from <= to).then(|| [print(self.over, from), print(self.over, to), stretch.name.clone()])
        };
        let mut tables = vec![Table::plain(heads, stretches.iter().filter_map(stretch), |_| false)];
        let crossovers = self.merge_unnamed(&crossovers);
        let heads = ["crossover", "first at", "between", "before", "after"];
        let rows = (1..).zip(&crossovers).map(|(number, crossover)| self.crossover(number, crossover));
        tables.push(Table::plain(heads, rows, |_| false));
        tables.retain(|table| !table.rows.is_empty());
        let remark = match (self.cheapest, stretches.is_empty(), crossovers.is_empty()) {
            _ if single.is_some() => single,
            (true, true, _) => Some("no data".to_owned()),
            (true, false, true) => Some("no crossovers".to_owned()),
            (true, false, false) | (false, _, _) => None,
        };
        Drawn {
            question: if self.cheapest { "Which algorithm is the cheapest?" } else { "What does a benchmark print?" },
            origin: SIMULATED,
            caption: match (self.cheapest, self.compares()) {
                (true, true) => CHEAPEST,
                (true, false) => ALONE,
                (false, _) => PRINTED,
            },
            drawing: {
                let chart = self.clone();
                Drawing::new(move |paper| draw::render_chart(&chart, paper))
            },
            tables,
            remarks: remark.into_iter().collect(),
            rows: self.point_rows(),
            others: vec![self.crossover_rows(&crossovers)],
            title: self.title,
            notes: self.notes,
        }
    }

    /// Whether the cheapest of several queues, or of any algorithms, is shown.
    fn compares(&self) -> bool {
        self.cheapest && (self.curves.len() > 1 || !Axis::QUEUES.contains(&self.over))
    }

    /// Returns a sentence with the least time of the only curve and its place; `None` where there are several curves.
    fn least(&self) -> Option<String> {
        let [curve] = &self.curves[..] else { return None };
        let (x, us) = curve.clean().into_iter().min_by(|a, b| a.1.total_cmp(&b.1))?;
        Some(format!("least time: {} µs at {} {}", exactly(us), words(self.over), print(self.over, x)))
    }

    /// Returns the stretches with their cheapest curves and the crossovers; both are empty where nothing is compared.
    fn compared(&self) -> (Vec<Stretch>, Vec<Crossover>) {
        let mut compared = if self.compares() { self.curves.clone() } else { Vec::new() };
        for (nth, point) in &self.looked.points {
            compared.get_mut(*nth).into_iter().for_each(|curve| curve.points.push(*point));
        }
        (cheapest(&compared), crossovers(&compared))
    }

    /// Merges the crossovers between two neighbouring places into one where there are more than can be named.
    fn merge_unnamed(&self, crossovers: &[Crossover]) -> Vec<Crossover> {
        let mut all: Vec<Crossover> = Vec::new();
        for crossover in crossovers {
            match all.last_mut() {
                Some(last) if last.between == crossover.between && self.looked.several.contains(&last.between) => {
                    last.to.clone_from(&crossover.to);
                }
                _ => all.push(crossover.clone()),
            }
        }
        all
    }

    /// Returns the first whole number at which the other curve is the cheapest; `None` where it is not known.
    fn first(crossover: &Crossover) -> Option<f64> {
        let (low, high) = crossover.between;
        (high - low <= 1.0).then_some(high)
    }

    /// Returns the points of all curves as a table.
    fn point_rows(&self) -> data::Table {
        let points: Vec<(f64, &str, f64)> = self.curves.iter().flat_map(Curve::rows).collect();
        let name = if self.cheapest { columns::ALGORITHM } else { columns::CURVE };
        let columns: [Filled<(f64, &str, f64)>; 2] =
            [(name.column(), &|(_, name, _)| (*name).into()), (columns::TIME.column(), &|(.., us)| (*us).into())];
        let places = points.iter().map(|(x, ..)| vec![columns::whole(*x)]);
        data::Table::from_rows("points", &points, &columns).with_columns(0, columns::axes([self.over]), places)
    }

    fn crossover_rows(&self, crossovers: &[Crossover]) -> data::Table {
        let columns: [Filled<Crossover>; 6] = [
            (FIRST.column(), &|one| Chart::first(one).map(|first| first as u64).into()),
            (LAST_BEFORE.column(), &|one| one.between.0.into()),
            (FIRST_AFTER.column(), &|one| one.between.1.into()),
            (SEVERAL.column(), &|one| self.looked.several.contains(&one.between).into()),
            (columns::ALGORITHM_BEFORE.column(), &|one| one.from.clone().into()),
            (columns::ALGORITHM_AFTER.column(), &|one| one.to.clone().into()),
        ];
        data::Table::from_rows("crossovers", crossovers, &columns)
    }

    /// Returns the cells of a crossover: number, first whole number, neighbouring places, curve before, curve after.
    fn crossover(&self, number: u32, crossover: &Crossover) -> [String; 5] {
        let print = |x: f64| print(self.over, x);
        let (low, high) = crossover.between;
        let between = match self.looked.several.contains(&crossover.between) {
            _ if low == high => "where data begin or end".to_owned(),
            true => format!("{} and {}, more than once", print(low), print(high)),
            false => format!("{} and {}", print(low), print(high)),
        };
        let first = Chart::first(crossover).map_or("–".to_owned(), print);
        [number.to_string(), first, between, crossover.from.clone(), crossover.to.clone()]
    }
}

impl Curve {
    /// Returns the points that count, from left to right.
    pub(super) fn clean(&self) -> Vec<(f64, f64)> {
        let mut points: Vec<(f64, f64)> =
            self.points.iter().copied().filter(|(x, us)| x.is_finite() && us.is_finite()).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        points.dedup_by(|later, first| later.0 == first.0);
        points
    }

    /// Returns the points that count, each with the curve's name.
    fn rows(&self) -> impl Iterator<Item = (f64, &str, f64)> {
        self.clean().into_iter().map(|(x, us)| (x, self.name.as_str(), us))
    }
}

/// Prints a time in µs to the nanosecond.
fn exactly(us: f64) -> String {
    format!("{us:.3}")
}

/// Returns the name of an axis of places, in words.
fn words(over: Axis) -> &'static str {
    match over {
        Axis::Bytes => "message length",
        Axis::Fragment => "fragment f",
        Axis::Buffers => "buffers s",
        other => other.name(),
    }
}

/// Prints a place: whole numbers in full, lengths in the largest unit that divides them.
fn print(over: Axis, x: f64) -> String {
    let whole = x >= 0.0 && x.fract() == 0.0 && x < 1e15;
    match over {
        _ if !whole => significant(x),
        Axis::Bytes | Axis::Fragment => bytes(x as u64),
        _ => format!("{x}"),
    }
}
