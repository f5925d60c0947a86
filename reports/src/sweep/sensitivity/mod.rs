//! Finish times as functions of a network's parameters: straight pieces, their slopes, and the breakpoints between
//! them.

mod draw;
#[cfg(test)]
mod tests;

use super::curves::{Crossover, Curve, crossovers};
use models::piecewise::{Piece, Pieces};
use models::quantity::decimal;
use render::columns;
use render::data::{self, Filled, Known};
use render::drawn::Drawn;
use render::drawn::SIMULATED;
use render::plots::Drawing;
use render::table::Table;

const CAPTION: &str = "Rings mark breakpoints, from which another chain of operations determines the last finish; n is \
                       the slope, the number of times that the parameter occurs on this chain. The dotted line is the \
                       current value of the parameter.";
const AT: Known = Known::number("at_ps", "ps", "value of the parameter from which `after` is the cheapest", "2000000");

/// Last finish of one run as a function of one parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Name of the algorithm; empty where there is only one thing to run.
    pub name: String,
    /// Finish time in ps, in straight pieces.
    pub pieces: Pieces,
    /// Reason why the pieces are not proven; empty where they are.
    pub doubt: String,
}

/// Last finishes over one varied parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// Name of the parameter: L, o, g, G, …
    pub parameter: String,
    /// Whether the parameter is a time per byte.
    pub per_byte: bool,
    /// Present value of the parameter, in ps, or ps per byte.
    pub own: f64,
    /// One line for each thing that is run.
    pub lines: Vec<Line>,
}

/// Finish times over parameters, each varied by itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Sensitivity {
    /// Heading that says what is run.
    pub title: String,
    /// Circumstances of the runs, one sentence each.
    pub notes: Vec<String>,
    /// One panel for each parameter.
    pub panels: Vec<Panel>,
}

impl Sensitivity {
    /// Returns the finish times in all forms.
    pub fn drawn(self) -> Drawn {
        Drawn {
            question: "How does the last finish depend on the network?",
            origin: SIMULATED,
            caption: CAPTION,
            drawing: {
                let sensitivity = self.clone();
                Drawing::new(move |paper| draw::render_sensitivity(&sensitivity, paper))
            },
            tables: self.panels.iter().flat_map(Panel::tables).collect(),
            remarks: self.remarks(),
            rows: self.pieces(),
            others: vec![self.crossovers()],
            title: self.title,
            notes: self.notes,
        }
    }

    fn pieces(&self) -> data::Table {
        let all = self.panels.iter().flat_map(|panel| panel.lines.iter().map(move |line| (panel, line)));
        let pieces: Vec<(&Panel, &Line, &Piece)> =
            all.flat_map(|(panel, line)| line.pieces.pieces.iter().map(move |piece| (panel, line, piece))).collect();
        let columns: [Filled<(&Panel, &Line, &Piece)>; 10] = [
            (columns::PARAMETER.column(), &|(panel, ..)| panel.parameter.clone().into()),
            (columns::UNIT.column(), &|(panel, ..)| if panel.per_byte { "ps/B" } else { "ps" }.into()),
            (columns::ALGORITHM.column(), &|(_, line, _)| line.name.clone().into()),
            (columns::PARAMETER_FROM.column(), &|(.., piece)| piece.from.into()),
            (columns::PARAMETER_TO.column(), &|(.., piece)| piece.to.into()),
            (columns::SLOPE.column(), &|(.., piece)| piece.slope.into()),
            (columns::INTERCEPT.column(), &|(.., piece)| i64::try_from(piece.intercept()).unwrap_or(i64::MIN).into()),
            (columns::FINISH_FROM.column(), &|(.., piece)| piece.at_from.into()),
            (columns::FINISH_TO.column(), &|(.., piece)| piece.at_to().into()),
            (columns::PROVEN.column(), &|(_, line, _)| line.pieces.proven.into()),
        ];
        data::Table::from_rows("pieces", &pieces, &columns)
    }

    fn crossovers(&self) -> data::Table {
        let all = self.panels.iter().flat_map(|panel| panel.crossings().into_iter().map(move |one| (panel, one)));
        let all: Vec<(&Panel, Crossover)> = all.collect();
        let columns: [Filled<(&Panel, Crossover)>; 4] = [
            (columns::PARAMETER.column(), &|(panel, _)| panel.parameter.clone().into()),
            (AT.column(), &|(panel, one)| (one.x * panel.scale()).into()),
            (columns::ALGORITHM_BEFORE.column(), &|(_, one)| one.from.clone().into()),
            (columns::ALGORITHM_AFTER.column(), &|(_, one)| one.to.clone().into()),
        ];
        data::Table::from_rows("crossovers", &all, &columns)
    }

    /// Returns sentences on how certain the pieces are.
    fn remarks(&self) -> Vec<String> {
        let lines = || self.panels.iter().flat_map(|panel| panel.lines.iter().map(move |line| (panel, line)));
        let mut remarks = Vec::new();
        if lines().any(|(_, line)| line.pieces.proven) {
            let mixed = lines().any(|(_, line)| !line.pieces.proven);
            let which = if mixed { "Unless stated otherwise, the" } else { "The" };
            remarks.push(format!(
                "{which} order in which each rank works does not depend on times. So the last finish is convex in each parameter: each \
                 line holds at every whole picosecond of its piece, and there are no other breakpoints."
            ));
        }
        // Lines with the same reason share one sentence.
        let mut doubts: Vec<(&str, Vec<String>, usize)> = Vec::new();
        for (panel, line) in lines().filter(|(_, line)| !line.pieces.proven) {
            let name = format!("{} {}", line.name, panel.parameter).trim().to_owned();
            match doubts.iter_mut().find(|(doubt, ..)| *doubt == line.doubt) {
                Some((_, names, runs)) => {
                    names.push(name);
                    *runs += line.pieces.runs;
                }
                None => doubts.push((&line.doubt, vec![name], line.pieces.runs)),
            }
        }
        remarks.extend(doubts.into_iter().map(|(doubt, names, runs)| {
            format!(
                "{}: found by {runs} runs, not proven: {doubt}. Each line holds at its ends and where runs were made between; other pieces \
                 may lie between those.",
                names.join(", ")
            )
        }));
        if self.panels.iter().any(|panel| panel.per_byte) {
            remarks.push("Costs per byte are whole picoseconds; between those each message rounds its own.".to_owned());
        }
        remarks
    }
}

impl Panel {
    /// Returns the parameter's unit for readers.
    fn unit(&self) -> &'static str {
        if self.per_byte { "ns/B" } else { "µs" }
    }

    /// Returns the number of digits of that unit that are whole picoseconds.
    fn digits(&self) -> u32 {
        if self.per_byte { 3 } else { 6 }
    }

    /// Returns the number of picoseconds in one of that unit.
    fn scale(&self) -> f64 {
        10f64.powi(self.digits() as i32)
    }

    /// Returns a value of the parameter in that unit.
    fn place(&self, ps: f64) -> f64 {
        ps / self.scale()
    }

    fn tables(&self) -> Vec<Table> {
        let (name, unit) = (&self.parameter, self.unit());
        let named = self.lines.len() > 1 || self.lines.iter().any(|line| !line.name.is_empty());
        let heads = [format!("{name} from, {unit}"), "to".into(), "slope".into(), format!("T at {name} = 0, µs")];
        let heads = heads.into_iter().chain(["T from, µs".into(), "T to, µs".into()]);
        let rows = self.lines.iter().flat_map(|line| {
            let pieces = &line.pieces.pieces;
            let before = std::iter::once(None).chain(pieces.iter().map(Some));
            before.zip(pieces).map(move |(before, piece)| (line, self.cells(before, piece)))
        });
        let rows =
            rows.map(|(line, cells)| named.then(|| line.name.clone()).into_iter().chain(cells).collect::<Vec<_>>());
        let first = named.then(|| "algorithm".to_owned()).into_iter();
        let mut tables = vec![Table::plain(first.chain(heads), rows, |column| column >= usize::from(named))];
        let crossings = self.crossings();
        if !crossings.is_empty() {
            let heads = [format!("{name}, {unit}"), "T, µs".into(), "cheapest before".into(), "after".into()];
            let rows = crossings
                .iter()
                .map(|one| [rounded(one.x, self.digits()), rounded(one.us, 6), one.from.clone(), one.to.clone()]);
            tables.push(Table::plain(heads, rows, |column| column < 2));
        }
        tables
    }

    /// Returns the cells of a piece for readers: it begins where its line meets the one before.
    fn cells(&self, before: Option<&Piece>, piece: &Piece) -> [String; 6] {
        let us = |ps: i128| decimal(ps, 6);
        let (from, time) = match before.and_then(|before| before.meets(piece)) {
            Some(x) => (x, piece.at_from as f64 - piece.slope as f64 * (piece.from as f64 - x)),
            None => (piece.from as f64, piece.at_from as f64),
        };
        // Two lines may meet between whole picoseconds.
        let finer = |ps: f64, digits| decimal((ps * 1e3).round() as i128, digits + 3);
        [
            finer(from, self.digits()),
            decimal(piece.to.into(), self.digits()),
            piece.slope.to_string(),
            us(piece.intercept()),
            finer(time, 6),
            us(piece.at_to().into()),
        ]
    }

    /// Returns the places at which another algorithm becomes the cheapest. Lines are straight between their ends, and
    /// two corners meet between them.
    fn crossings(&self) -> Vec<Crossover> {
        let curves: Vec<Curve> = self.lines.iter().map(|line| self.curve(line)).collect();
        if curves.len() > 1 { crossovers(&curves) } else { Vec::new() }
    }

    /// Returns both ends of each piece and the corners between, in the parameter's unit and µs.
    fn curve(&self, line: &Line) -> Curve {
        let pieces = &line.pieces.pieces;
        let ends = pieces
            .iter()
            .flat_map(|piece| [(piece.from as f64, piece.at_from as f64), (piece.to as f64, piece.at_to() as f64)]);
        let points = ends.chain(breakpoints(&line.pieces)).map(|(x, time)| (self.place(x), time / 1e6));
        Curve { name: line.name.clone(), points: points.collect() }
    }
}

/// Returns the points at which lines of neighbouring pieces meet, with the time there, both in ps.
fn breakpoints(pieces: &Pieces) -> impl Iterator<Item = (f64, f64)> {
    pieces.pieces.windows(2).filter_map(|pair| {
        let x = pair[0].meets(&pair[1])?;
        Some((x, pair[0].at_to() as f64 + pair[0].slope as f64 * (x - pair[0].to as f64)))
    })
}

/// Prints a number with this number of digits behind the point, without zeros at its end.
fn rounded(number: f64, digits: u32) -> String {
    decimal((number * 10f64.powi(digits as i32)).round() as i128, digits)
}
