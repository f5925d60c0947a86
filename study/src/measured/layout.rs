//! Tables of many columns in little width: columns flow into as many panels as they need, each with the rows' names.

/// Column with its head and a cell for each row.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Column {
    /// Group of the column, printed once above the group's first column in each panel.
    pub group: String,
    /// Head in two lines.
    pub head: [String; 2],
    /// Cells, one for each row.
    pub cells: Vec<String>,
}

impl Column {
    /// Makes a column with a head that is broken in two at its first hyphen or blank.
    pub(crate) fn new(group: &str, head: &str, cells: Vec<String>) -> Column {
        let head = match head.find(['-', ' ']) {
            Some(place) if head[place..].starts_with('-') => [head[..=place].to_owned(), head[place + 1..].to_owned()],
            Some(place) => [head[..place].to_owned(), head[place + 1..].to_owned()],
            None => [String::new(), head.to_owned()],
        };
        Column { group: group.to_owned(), head, cells }
    }

    fn width(&self) -> usize {
        self.head.iter().chain(&self.cells).map(|text| text.chars().count()).max().unwrap_or(0)
    }
}

/// Returns the lines of each panel, its group line and heads first, none wider than `width` unless a single column is.
pub(crate) fn panels(names: &Column, columns: &[Column], width: usize) -> Vec<Vec<String>> {
    let mut panels = Vec::new();
    let mut rest = columns;
    while !rest.is_empty() {
        let fitting = fitting(names, rest, width).max(1);
        panels.push(panel(names, &rest[..fitting], width));
        rest = &rest[fitting..];
    }
    panels
}

/// Returns the number of columns that fit beside the names: whole groups, where a group does not fill a panel by
/// itself.
fn fitting(names: &Column, columns: &[Column], width: usize) -> usize {
    let (mut used, mut group, mut count) = (2 + names.width(), "", 0);
    let mut titles = 0;
    for column in columns {
        let begins = column.group != group;
        used += if begins { 3 } else { 2 };
        if begins {
            // A title begins above its column, or behind the title before it. The first one is cut where it does not
            // fit.
            let after = if titles > 0 { titles + 3 } else { 0 };
            titles = used.max(after) + column.group.chars().count();
        }
        if used + column.width() > width || (begins && count > 0 && titles > width) {
            break;
        }
        used += column.width();
        group = &column.group;
        count += 1;
    }
    let Some(next) = columns.get(count) else { return count };
    let first = columns[..count].iter().rposition(|column| column.group != next.group).map_or(0, |place| place + 1);
    let own = columns[first..].iter().take_while(|column| column.group == next.group);
    let alone = 3 + names.width() + own.map(|column| column.width() + 2).sum::<usize>();
    if first > 0 && alone <= width { first } else { count }
}

fn panel(names: &Column, columns: &[Column], width: usize) -> Vec<String> {
    let name_width = names.width();
    let mut lines = vec![String::new(); 3 + names.cells.len()];
    let mut put = |line: usize, text: &str| lines[line].push_str(text);
    put(0, &" ".repeat(2 + name_width));
    for (line, text) in names.head.iter().chain(&names.cells).enumerate() {
        put(line + 1, &format!("  {text:>name_width$}"));
    }
    let mut group = "";
    for column in columns {
        let wide = column.width();
        let gap = if column.group == group { "  " } else { "   " };
        for (line, text) in column.head.iter().chain(&column.cells).enumerate() {
            lines[line + 1].push_str(&format!("{gap}{text:>wide$}"));
        }
        if column.group != group {
            group = &column.group;
            let before = lines[1].chars().count() - wide;
            let already = lines[0].chars().count();
            // A title that runs into the next group's pushes it on.
            let pad = before.saturating_sub(already).max(if lines[0].trim().is_empty() { 0 } else { 3 });
            lines[0].push_str(&" ".repeat(pad));
            lines[0].push_str(group);
        }
    }
    lines[0] = lines[0].chars().take(width).collect();
    lines.into_iter().map(|line| line.trim_end().to_owned()).collect()
}

/// Joins two texts per row into one column: the first to the right, the second to the left, a blank between.
pub(crate) fn paired(pairs: &[(String, String)]) -> Vec<String> {
    let width = |texts: &mut dyn Iterator<Item = &String>| texts.map(|text| text.chars().count()).max().unwrap_or(0);
    let (left, right) = (width(&mut pairs.iter().map(|pair| &pair.0)), width(&mut pairs.iter().map(|pair| &pair.1)));
    let joined = |(a, b): &(String, String)| if right == 0 { a.clone() } else { format!("{a:>left$} {b:<right$}") };
    pairs.iter().map(joined).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(group: &str, head: &str, cells: [&str; 2]) -> Column {
        Column::new(group, head, cells.map(str::to_owned).to_vec())
    }

    #[test]
    fn columns_stand_beside_each_other_where_they_fit() {
        let names = column("", "bytes", ["8", "1024"]);
        let columns = [
            column("time", "window", ["0.5", "1.25"]),
            column("time", "barrier-loop", ["1.0", "2.00"]),
            column("skew", "exit p99", ["–", "0.1"]),
        ];
        let all = panels(&names, &columns, 60);
        assert_eq!(all.len(), 1);
        assert_eq!(
            all[0],
            [
                "          time               skew",
                "                  barrier-   exit",
                "  bytes   window      loop    p99",
                "      8      0.5       1.0      –",
                "   1024     1.25      2.00    0.1",
            ]
        );
    }

    #[test]
    fn what_does_not_fit_goes_into_the_next_panel_with_the_names() {
        let names = column("", "bytes", ["8", "1024"]);
        let columns: Vec<Column> = (0..7).map(|index| column("time", &format!("c{index}"), ["1", "2"])).collect();
        let all = panels(&names, &columns, 20);
        assert!(all.len() > 1);
        for panel in &all {
            assert!(panel.iter().all(|line| line.chars().count() <= 20), "{panel:?}");
            assert!(panel[2].starts_with("  bytes") && panel[4].starts_with("   1024"), "{panel:?}");
            assert!(panel[0].contains("time"), "{panel:?}");
        }
        let heads: String = all.iter().map(|panel| panel[2].clone()).collect();
        assert!((0..7).all(|index| heads.contains(&format!("c{index}"))), "{heads}");
    }

    #[test]
    fn a_column_wider_than_everything_stands_alone() {
        let names = column("", "bytes", ["8", "9"]);
        let all = panels(&names, &[column("g", "long", [&"x".repeat(90), "y"]), column("g", "b", ["1", "2"])], 40);
        assert_eq!(all.len(), 2);
    }

    #[test]
    fn pairs_line_up_on_both_sides() {
        let pairs = [("0.5", "×0.21"), ("12.25", "×11")].map(|(a, b)| (a.to_owned(), b.to_owned()));
        assert_eq!(paired(&pairs), ["  0.5 ×0.21", "12.25 ×11  "]);
        assert_eq!(paired(&[("1".to_owned(), String::new())]), ["1"]);
    }
}
