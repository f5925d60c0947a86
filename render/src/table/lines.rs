//! Tables on terminals: columns two blanks apart, bars in the room that is left, and words broken where it is narrow.

use super::{Bar, Cell, Mood, Table};
use crate::groups::distinct;
use crate::paint::Paint;
use crate::results::Look;
use crate::words::{hanging, wrapped};

/// Largest and smallest width of a bar. Where a bar would be smaller, there are none.
const WIDEST_BAR: usize = 24;
const NARROWEST_BAR: usize = 6;
/// Widths that words and heads keep on narrow terminals.
const NARROWEST_WORDS: usize = 16;
const NARROWEST_HEAD: usize = 9;
/// Width of words that stand below the rows rather than broken in a narrower last column.
const SENTENCES: usize = 24;

/// Columns of a table as they fit a terminal.
struct Layout<'a> {
    table: &'a Table,
    /// Places of the columns that are shown.
    columns: Vec<usize>,
    /// Width of each column of the table.
    widths: Vec<usize>,
    /// Whether each column of the table holds numbers, and whether it has bars.
    kinds: Vec<(bool, bool)>,
    /// Last column, where its sentences stand below the rows.
    below: Option<usize>,
    /// Width of a bar; 0 where there are none.
    bar: usize,
    /// Value of the longest bar.
    full: f64,
}

impl Table {
    /// Returns the lines of the heads and the rows. Numbers stand to the right; nothing follows the last letter of a
    /// line. Where the table is too wide, it loses spare columns, then bars; then heads and words are broken. What still
    /// does not fit follows in further panels, where the first column tells the rows apart; else lines are too long.
    pub fn lines_on(&self, look: Look) -> Vec<String> {
        let mut layout = Layout::new(self);
        layout.fit(look.width);
        layout.panels(look.width).into_iter().flat_map(|columns| layout.panel(&columns, look)).collect()
    }

    /// Returns a line for the heads and each row, however wide.
    pub fn lines(&self) -> Vec<String> {
        self.lines_on(Look::IN_FILES)
    }
}

impl Bar {
    fn value(&self) -> f64 {
        let (Bar::Ratio(value) | Bar::Change(value)) = self;
        *value
    }
}

impl<'a> Layout<'a> {
    /// Returns the layout in which every cell has the width that it needs.
    fn new(table: &'a Table) -> Layout<'a> {
        let count = table.cells().map(Vec::len).max().unwrap_or(0).max(table.head.len());
        let bars = || {
            table.cells().flatten().filter_map(|cell| cell.bar.as_deref()).map(Bar::value).filter(|bar| bar.is_finite())
        };
        let mut layout = Layout {
            table,
            columns: (0..count).collect(),
            widths: Vec::new(),
            kinds: (0..count).map(|column| (table.is_number(column), table.has_bar(column))).collect(),
            below: None,
            bar: if bars().next().is_some() { WIDEST_BAR } else { 0 },
            full: bars().fold(0.0, |full, bar| bar.abs().max(full)),
        };
        layout.widths = (0..count).map(|column| layout.head(column).max(layout.of_cells(column))).collect();
        layout
    }

    fn head(&self, column: usize) -> usize {
        self.table.head.get(column).map_or(0, |head| head.chars().count())
    }

    fn of_cells(&self, column: usize) -> usize {
        let cells = self.table.cells().filter_map(|row| row.get(column));
        cells.map(|cell| cell.whole().chars().count()).max().unwrap_or(0)
    }

    /// Width that a column needs at least: no number is broken, nor an interval, nor a word.
    fn least(&self, column: usize) -> usize {
        let head = self.table.head.get(column).map_or("", String::as_str);
        let cells = self.table.cells().filter_map(|row| row.get(column));
        let parts = cells.flat_map(|cell| match cell.number {
            true => [vec![cell.text.as_str()], unbroken(&cell.note)].concat(),
            false => [unbroken(&cell.text), unbroken(&cell.note)].concat(),
        });
        let longest = parts.chain(unbroken(head)).map(|part| part.chars().count()).max().unwrap_or(0);
        let words = if self.is_number(column) { 0 } else { self.of_cells(column).min(NARROWEST_WORDS) };
        longest.max(words).max(self.head(column).min(NARROWEST_HEAD))
    }

    fn is_number(&self, column: usize) -> bool {
        self.kinds[column].0
    }

    fn width(&self, columns: &[usize]) -> usize {
        columns.iter().map(|&column| self.widths[column] + 2).sum()
    }

    /// Makes the columns as narrow as the terminal needs.
    fn fit(&mut self, width: usize) {
        let wanted = if self.bar > 0 { NARROWEST_BAR + 2 } else { 0 };
        for spare in self.table.spare.iter().rev() {
            if self.width(&self.columns) + wanted > width {
                self.columns.retain(|column| column != spare);
            }
        }
        self.put_sentences_below(width);
        let bars = self.columns.iter().filter(|&&column| self.kinds[column].1).count().max(1);
        let left = (width.saturating_sub(self.width(&self.columns)) / bars).saturating_sub(2);
        self.bar = if left < NARROWEST_BAR { 0 } else { self.bar.min(left) };
        if self.width(&self.columns) <= width {
            return;
        }
        let least: Vec<usize> = (0..self.widths.len()).map(|column| self.least(column)).collect();
        let narrowest: usize = self.columns.iter().map(|&column| least[column] + 2).sum();
        if narrowest > width && !self.has_names() {
            return;
        }
        while self.width(&self.columns) > width {
            let shrinking = self.columns.iter().copied().filter(|&column| self.widths[column] > least[column]);
            let Some(widest) = shrinking.max_by_key(|&column| self.widths[column]) else { break };
            self.widths[widest] -= 1;
        }
    }

    /// Takes the last column out where its sentences would become a narrow column.
    fn put_sentences_below(&mut self, width: usize) {
        let Some((&last, others)) = self.columns.split_last() else { return };
        let room = width.saturating_sub(self.width(others) + 2);
        if others.is_empty() {
            return;
        }
        if !self.is_number(last) && self.widths[last] > room.max(SENTENCES) && room < 2 * SENTENCES {
            self.below = self.columns.pop();
        }
    }

    /// Whether the cells of the first column tell the rows apart.
    fn has_names(&self) -> bool {
        let names: Vec<String> = self.table.cells().filter_map(|row| row.first()).map(Cell::whole).collect();
        distinct(names.iter()).len() == names.len()
    }

    /// Returns the columns of each panel.
    fn panels(&self, width: usize) -> Vec<Vec<usize>> {
        if !self.has_names() {
            return vec![self.columns.clone()];
        }
        let Some((&first, others)) = self.columns.split_first() else { return Vec::new() };
        let mut panels = vec![vec![first]];
        for &column in others {
            let panel = panels.last().map_or(&[][..], Vec::as_slice);
            if panel.len() > 1 && self.width(panel) + self.widths[column] + 2 > width {
                panels.push(vec![first]);
            }
            panels.last_mut().expect("a panel").push(column);
        }
        panels
    }

    fn panel(&self, columns: &[usize], look: Look) -> Vec<String> {
        let paint = Paint(look.colour);
        let heads: Vec<Cell> = self.table.head.iter().map(Cell::text).collect();
        let heads = match heads.iter().all(|head| head.text.is_empty()) {
            true => Vec::new(),
            false => self.row(&heads, columns, true, |_, text| paint.faint(text)),
        };
        let rows = self.table.rows.iter().flat_map(|row| match &row[..] {
            [group] if self.table.head.len() > 1 => group_lines(group, look.width, paint),
            cells => {
                let below = self.below.and_then(|column| cells.get(column)).filter(|cell| !cell.text.is_empty());
                let head = self.below.and_then(|column| self.table.head.get(column)).map_or("", String::as_str);
                let label = if head.is_empty() { "      ".to_owned() } else { format!("      {head}: ") };
                let below = below.map(|cell| hanging(&label, &cell.whole(), look.width));
                self.row(cells, columns, false, |cell, text| paint.mood(cell.mood, text))
                    .into_iter()
                    .chain(below.into_iter().flatten())
                    .collect()
            }
        });
        heads.into_iter().chain(rows).collect()
    }

    /// Returns the lines of a row, of which broken cells need several; heads end on the last one.
    fn row(
        &self,
        cells: &[Cell],
        columns: &[usize],
        are_heads: bool,
        paint: impl Fn(&Cell, &str) -> String,
    ) -> Vec<String> {
        let broken = |&column: &usize| {
            let Some(cell) = cells.get(column) else { return vec![String::new()] };
            let width = self.widths[column];
            match cell.whole() {
                whole if whole.chars().count() <= width => vec![whole],
                _ if cell.number && cell.note.starts_with('[') => vec![cell.text.clone(), cell.note.clone()],
                _ if cell.number => [vec![cell.text.clone()], wrapped(&cell.note, width, "")].concat(),
                whole => wrapped(&whole, width, ""),
            }
        };
        let mut broken: Vec<Vec<String>> = columns.iter().map(broken).collect();
        let count = broken.iter().map(Vec::len).max().unwrap_or(0);
        for lines in broken.iter_mut().filter(|lines| are_heads && lines.len() < count) {
            lines.splice(0..0, vec![String::new(); count - lines.len()]);
        }
        let line = |nth: usize| {
            let parts = columns.iter().zip(&broken).map(|(&column, lines)| {
                let (text, width) = (lines.get(nth).map_or("", String::as_str), self.widths[column]);
                let blanks = " ".repeat(width.saturating_sub(text.chars().count()));
                let painted = match cells.get(column).filter(|_| !text.is_empty()) {
                    Some(cell) => paint(cell, text),
                    None => text.to_owned(),
                };
                let bar = cells.get(column).filter(|_| nth == 0).and_then(|cell| cell.bar.as_deref());
                let bar =
                    if self.bar > 0 && self.kinds[column].1 { format!("  {}", self.drawn(bar)) } else { String::new() };
                match self.is_number(column) {
                    true => format!("  {blanks}{painted}{bar}"),
                    false => format!("  {painted}{blanks}{bar}"),
                }
            });
            parts.collect::<String>().trim_end().to_owned()
        };
        (0..count).map(line).collect()
    }

    /// Draws a bar, as wide as all of them.
    fn drawn(&self, bar: Option<&Bar>) -> String {
        match bar {
            Some(&Bar::Ratio(ratio)) => from_zero(ratio, self.full.max(1.0), self.bar),
            Some(&Bar::Change(change)) => around_zero(change, self.full, (self.bar - 1) / 2),
            None => " ".repeat(self.bar),
        }
    }
}

/// Parts of a text that are not broken: its words, or an interval.
fn unbroken(text: &str) -> Vec<&str> {
    if text.starts_with('[') { vec![text] } else { text.split_whitespace().collect() }
}

/// Lines of the heading of rows.
fn group_lines(group: &Cell, width: usize, paint: Paint) -> Vec<String> {
    let mut lines = paint.bold_lines(&group.text, width, "  ");
    let fits = group.text.chars().count() + 2 + group.note.chars().count() <= width;
    match lines.last_mut().filter(|_| fits && !group.note.is_empty()) {
        Some(line) => line.push_str(&format!("  {}", paint.mood(group.mood, &group.note))),
        None if group.note.is_empty() => {}
        None => lines.extend(wrapped(&group.note, width - 2, "").iter().map(|line| format!("  {line}"))),
    }
    lines
}

/// Draws a bar of `cells` columns from 0 to `full` ≥ 1, in eighths of a cell, with a mark at 1 where the bar does not
/// reach it; blank where there is no value.
fn from_zero(value: f64, full: f64, cells: usize) -> String {
    const EIGHTHS: [char; 8] = [' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
    if !value.is_finite() {
        return " ".repeat(cells);
    }
    let share = |of: f64| (of / full).clamp(0.0, 1.0);
    let eighths = (share(value) * cells as f64 * 8.0).round() as usize;
    let mut drawn: Vec<char> = vec!['█'; eighths / 8];
    if !eighths.is_multiple_of(8) {
        drawn.push(EIGHTHS[eighths % 8]);
    }
    let mark = ((share(1.0) * cells as f64).ceil() as usize).clamp(1, cells) - 1;
    let reached = drawn.len();
    drawn.resize(cells, ' ');
    if reached <= mark {
        drawn[mark] = '│';
    }
    drawn.into_iter().collect()
}

/// Draws a bar to the left or to the right of a line at 0; `full` is that of `half` columns.
fn around_zero(value: f64, full: f64, half: usize) -> String {
    let length = if full > 0.0 { ((value.abs() / full) * half as f64).round() as usize } else { 0 };
    let blocks = "█".repeat(length.min(half));
    if value < 0.0 { format!("{blocks:>half$}│{:half$}", "") } else { format!("{:half$}│{blocks:<half$}", "") }
}

impl Paint {
    /// Returns the text in the colour of its meaning.
    fn mood(self, mood: Mood, text: &str) -> String {
        match mood {
            Mood::Plain => text.to_owned(),
            Mood::Agrees => self.good(text),
            Mood::Close => self.warning(text),
            Mood::Differs => self.bad(text),
        }
    }
}

impl Table {
    fn has_bar(&self, column: usize) -> bool {
        self.cells().any(|row| row.get(column).is_some_and(|cell| cell.bar.is_some()))
    }

    /// Heads of groups are no cells of columns.
    fn cells(&self) -> impl Iterator<Item = &Vec<Cell>> {
        self.rows.iter().filter(|row| row.len() > 1 || self.head.len() < 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(table: &Table, width: usize) -> Vec<String> {
        table.lines_on(Look { width, ..Look::IN_FILES })
    }

    fn table(rows: &[(&str, &str, Option<Bar>)]) -> Table {
        let row = |(name, number, bar): &(&str, &str, Option<Bar>)| {
            vec![Cell::text(*name), Cell::number(*number, "").with_bar(*bar)]
        };
        Table::new("", ["name", "µs"], rows.iter().map(row))
    }

    #[test]
    fn bars_have_eighths_and_a_mark_at_one() {
        assert_eq!(from_zero(5.0, 5.0, 10), "██████████");
        assert_eq!(from_zero(2.5, 5.0, 10), "█████     ");
        assert_eq!(from_zero(0.8125, 5.0, 10), "█▋        ");
        assert_eq!(from_zero(0.25, 5.0, 10), "▌│        ");
        assert_eq!(from_zero(1.0, 1.0, 4), "████");
        assert_eq!(from_zero(0.5, 1.0, 4), "██ │");
        assert_eq!(from_zero(f64::NAN, 5.0, 10), " ".repeat(10));
    }

    #[test]
    fn bars_have_one_scale_and_the_room_that_is_left() {
        let ratios = table(&[("a", "2", Some(Bar::Ratio(2.0))), ("b", "1", Some(Bar::Ratio(1.0)))]);
        assert_eq!(lines(&ratios, 20), ["  name  µs", "  a      2  ████████", "  b      1  ████"]);
        assert_eq!(lines(&ratios, 16), ["  name  µs", "  a      2", "  b      1"], "no room for bars");
        let changes = table(&[("a", "+2", Some(Bar::Change(2.0))), ("b", "−1", Some(Bar::Change(-1.0)))]);
        assert_eq!(lines(&changes, 20), ["  name  µs", "  a     +2     │███", "  b     −1   ██│"]);
    }

    #[test]
    fn spare_columns_go_first_and_words_are_broken_but_no_number() {
        let row = |words: &str, rest: [&str; 2]| {
            [Cell::text(words)].into_iter().chain(rest.map(|text| Cell::number(text, ""))).collect::<Vec<Cell>>()
        };
        let rows = [vec![Cell::text("group").noting("of one")], row("some words that are long", ["1234567", "8"])];
        let table = Table { spare: vec![2], ..Table::new("", ["what it is", "µs", "more"], rows) };
        let wide = ["  what it is                     µs  more", "  group  of one".trim_start()];
        assert_eq!(lines(&table, 80)[..2], wide);
        assert_eq!(lines(&table, 40)[2], "  some words that are long  1234567");
        let narrow = ["  what it is                µs", "group  of one", "  some words that are  1234567", "  long"];
        assert_eq!(lines(&table, 30), narrow);
    }

    #[test]
    fn numbers_that_do_not_fit_follow_in_panels_with_the_names() {
        let numbers = ["1.5 [1.25, 1.75]", "2.5 [2.25, 2.75]", "3.5"].map(|text| Cell::number(text, ""));
        let rows = [[vec![Cell::text("8")], numbers.to_vec()].concat()];
        let table = Table::new("", ["bytes", "by a way", "by another one", "by the last"], rows);
        let expected = [
            "  bytes          by a way",
            "  8      1.5 [1.25, 1.75]",
            "                              by the",
            "  bytes    by another one       last",
            "  8      2.5 [2.25, 2.75]        3.5",
        ];
        assert_eq!(lines(&table, 36), expected);
    }
}
