//! CSV (RFC 4180), the same for every file that the program writes: a line of heads with units, then rows of fields.

use csv::Writer;
use std::io::Write;

/// Returns a writer of CSV that puts its rows into a place.
pub fn csv_writer<W: Write>(place: W) -> Writer<W> {
    Writer::from_writer(place)
}

/// Returns rows as CSV. All have as many fields as the first one, which is that of the heads.
pub fn csv_text(rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut writer = csv_writer(Vec::new());
    rows.into_iter().for_each(|row| writer.write_record(row).expect("a field for each head, and memory takes it"));
    String::from_utf8(writer.into_inner().expect("memory takes all rows")).expect("fields are text")
}

/// Prints a number to six places, which for µs is a picosecond, and small ones to six digits. There are no zeros at its
/// end.
pub fn rounded(value: f64) -> String {
    if value != 0.0 && value.abs() < 1e-4 {
        let text = format!("{value:.5e}");
        let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
        return format!("{}e{power}", digits.trim_end_matches('0').trim_end_matches('.'));
    }
    let places = if value.abs() < 0.1 { 9 } else { 6 };
    let text = format!("{value:.places$}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    (if text == "-0" { "0" } else { text }).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_with_commas_quotes_and_line_ends_are_quoted() {
        let rows = [["name", "n"], ["a, \"b\"\nc", "1"], ["d", ""]];
        let text = csv_text(rows.map(|row| row.map(str::to_owned).to_vec()));
        assert_eq!(text, "name,n\n\"a, \"\"b\"\"\nc\",1\nd,\n");
    }

    #[test]
    fn numbers_have_as_many_digits_as_mean_something() {
        let texts = [0.491_177_400_000_000_04, 14_986.0, -8.634_405_851_049_65, 0.012_345_678_9, 0.0, -1e-9, 12e-8];
        let texts = texts.map(rounded);
        assert_eq!(texts, ["0.491177", "14986", "-8.634406", "0.012345679", "0", "-1e-9", "1.2e-7"]);
        let exact = 123_456_789.123_456_f64;
        assert_eq!(rounded(exact).parse(), Ok(exact), "a time to the picosecond");
    }
}
