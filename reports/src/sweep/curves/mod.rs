//! Cost curves: the time of each algorithm over ranks or message lengths, and where another one becomes the cheapest.

mod draw;
mod envelope;
mod looks;
#[cfg(test)]
mod tests;

pub use envelope::{Crossover, Stretch, cheapest, crossovers};

use super::Drawn;
use crate::plots::numbers::{bytes, significant};
use crate::table::{Csv, Table};
use scenario::axis::Axis;
use serde_json::json;

/// How a picture is read that says which algorithm is the cheapest.
const CHEAPEST: &str = "Rings mark crossovers, where another algorithm becomes the cheapest; their numbers are those of the table. \
                        Between its points a curve is straight in place and time.";
/// How one is read that holds what benchmarks print against the truth.
const PRINTED: &str = "Black: the time of the slowest rank in one call that all enter together, without noise; in colour: what is \
                       printed, by the barrier before each call. Between its points a curve is straight in place and time.";

/// The times of one algorithm.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// The algorithm's name.
    pub name: String,
    /// Ranks or bytes, and the time in µs. In any order; what is not finite is left out, and of several times at one
    /// place the shortest counts.
    pub points: Vec<(f64, f64)>,
}

/// Curves to be compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// What is compared, for a heading.
    pub title: String,
    /// What the times are and under which circumstances they hold: one sentence each, for below the heading.
    pub notes: Vec<String>,
    /// What the curves' places are: bytes or ranks.
    pub over: Axis,
    /// One curve for each algorithm; of equally cheap ones the first is said to be the cheapest.
    pub curves: Vec<Curve>,
    /// Whether it is said which one is the cheapest where. Of what benchmarks print, none is: the first curve is the truth.
    pub cheapest: bool,
}

impl Chart {
    /// All its forms. The tables say which algorithm is the cheapest where, and each crossover with its number in the plot.
    pub fn drawn(self) -> Drawn {
        let (stretches, crossovers) = self.compared();
        let heads = [&format!("{} from", words(self.over)), "to", "cheapest"];
        let stretch =
            |stretch: &Stretch| [print(self.over, stretch.from), print(self.over, stretch.to), stretch.name.clone()];
        let mut tables = vec![Table::plain(heads, stretches.iter().map(stretch), |_| false)];
        let heads = ["crossover", "at about", "bracket", "before", "after"];
        let rows = (1..).zip(&crossovers).map(|(number, crossover)| self.crossover(number, crossover));
        tables.push(Table::plain(heads, rows, |_| false));
        tables.retain(|table| !table.rows.is_empty());
        let remark = match (self.cheapest, stretches.is_empty(), crossovers.is_empty()) {
            (true, true, _) => Some("no data".to_owned()),
            (true, false, true) => Some("no crossovers".to_owned()),
            (true, false, false) | (false, _, _) => None,
        };
        let points: Vec<(f64, &str, f64)> = self.curves.iter().flat_map(Curve::rows).collect();
        Drawn {
            caption: if self.cheapest { CHEAPEST } else { PRINTED },
            svg: draw::draw(&self),
            tables,
            remarks: remark.into_iter().collect(),
            csv: Csv::new((self.over.name(), "curve", "time_us")).rows(points.iter().copied()).text(),
            json: json!({ "title": self.title, "notes": self.notes, "over": self.over, "points": points }),
            title: self.title,
            notes: self.notes,
        }
    }

    /// Who is the cheapest where, and where that changes; nothing where it does not matter.
    fn compared(&self) -> (Vec<Stretch>, Vec<Crossover>) {
        let compared: &[Curve] = if self.cheapest { &self.curves } else { &[] };
        (cheapest(compared), crossovers(compared))
    }

    /// Number, place, bracket, before, after.
    fn crossover(&self, number: u32, crossover: &Crossover) -> [String; 5] {
        let print = |x: f64| print(self.over, x);
        let (low, high) = crossover.between;
        let between = if low == high {
            "where data begin or end".to_owned()
        } else {
            format!("between {} and {}", print(low), print(high))
        };
        [number.to_string(), print(crossover.x), between, crossover.from.clone(), crossover.to.clone()]
    }
}

impl Curve {
    /// The points that count, from left to right.
    fn clean(&self) -> Vec<(f64, f64)> {
        let mut points: Vec<(f64, f64)> =
            self.points.iter().copied().filter(|(x, us)| x.is_finite() && us.is_finite()).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        points.dedup_by(|later, first| later.0 == first.0);
        points
    }

    /// The same, each with the curve's name.
    fn rows(&self) -> impl Iterator<Item = (f64, &str, f64)> {
        self.clean().into_iter().map(|(x, us)| (x, self.name.as_str(), us))
    }
}

/// What the places of curves are, in words.
fn words(over: Axis) -> &'static str {
    if over == Axis::Bytes { "message length" } else { over.name() }
}

/// A place with three significant digits: `11.3 KiB`, `24.0`; whole ones in full.
fn print(over: Axis, x: f64) -> String {
    let whole = x >= 0.0 && x.fract() == 0.0 && x < 1e15;
    if over != Axis::Bytes {
        return if whole { format!("{x}") } else { significant(x) };
    }
    if whole && (x < 1024.0 || (x as u64).is_multiple_of(1024)) {
        return bytes(x as u64);
    }
    let units = [("GiB", 30), ("MiB", 20), ("KiB", 10), ("B", 0)];
    let fits = units.into_iter().find(|(_, power)| x >= f64::from(1u32 << power));
    let (unit, power) = fits.unwrap_or(("B", 0));
    format!("{} {unit}", significant(x / f64::from(1u32 << power)))
}
