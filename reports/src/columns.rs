//! Lines of cells as text in columns, for people and as CSV.

/// A line for each row, its cells in columns two blanks apart, numbers to the right, nothing after the last; and how wide
/// all columns are together, without the two blanks before the first.
pub(crate) fn aligned<R: AsRef<[String]>>(rows: &[R], is_number: impl Fn(usize) -> bool) -> (Vec<String>, usize) {
    let mut widths: Vec<usize> = Vec::new();
    for row in rows {
        for (column, cell) in row.as_ref().iter().enumerate() {
            let width = cell.chars().count();
            match widths.get_mut(column) {
                Some(widest) => *widest = width.max(*widest),
                None => widths.push(width),
            }
        }
    }
    let line = |row: &R| {
        let cells = row.as_ref().iter().zip(&widths).enumerate();
        let cells = cells.map(|(column, (cell, &width))| match is_number(column) {
            true => format!("  {cell:>width$}"),
            false => format!("  {cell:<width$}"),
        });
        cells.collect::<String>().trim_end().to_owned()
    };
    let wide = widths.iter().sum::<usize>() + 2 * widths.len().saturating_sub(1);
    (rows.iter().map(line).collect(), wide)
}

/// Cells as a line of CSV, without its end.
pub(crate) fn csv_line<C: AsRef<str>>(cells: impl IntoIterator<Item = C>) -> String {
    cells.into_iter().map(|cell| quoted(cell.as_ref())).collect::<Vec<_>>().join(",")
}

/// A cell of CSV as RFC 4180 has it.
pub(crate) fn quoted(cell: &str) -> String {
    if cell.contains(['"', ',', '\n', '\r']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_stand_in_columns_whatever_their_letters() {
        let rows = [["Ä", "1"], ["bc", "−23"], ["", ""]].map(|row| row.map(str::to_owned));
        let (lines, wide) = aligned(&rows, |column| column == 1);
        assert_eq!(lines, ["  Ä     1", "  bc  −23", ""]);
        assert_eq!(wide, 7);
    }
}
