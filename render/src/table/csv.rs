//! CSV (RFC 4180), the same for every file that the program writes: a line of heads with units, then rows of values.

use csv::{StringRecord, Writer};
use programs::machine::Estimate;
use std::io::{self, Write};

/// Values that fill one or several columns of a row: whole numbers as they are, others rounded by [`rounded`], nothing
/// for missing values, `true` or `false`.
pub trait Fields {
    /// Number of columns, where all values of the type take as many.
    const COUNT: usize = 1;

    /// Appends the fields to those that the row has.
    fn put(&self, row: &mut StringRecord);
}

/// Heads of columns, separated by commas.
pub struct Heads<'a>(pub &'a str);

/// A writer of CSV.
pub struct Csv<W: Write> {
    writer: Writer<W>,
    row: StringRecord,
}

impl<W: Write> Csv<W> {
    /// Returns CSV that is written to a place.
    pub fn to(place: W) -> Csv<W> {
        Csv { writer: Writer::from_writer(place), row: StringRecord::new() }
    }

    /// Writes a row; the first one is that of the heads.
    ///
    /// # Errors
    /// Fails where writing to the place does.
    pub fn put(&mut self, fields: &impl Fields) -> io::Result<()> {
        self.row.clear();
        fields.put(&mut self.row);
        Ok(self.writer.write_record(&self.row)?)
    }

    /// Writes everything that is still held back.
    ///
    /// # Errors
    /// Fails where writing to the place does.
    pub fn end(mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl Csv<Vec<u8>> {
    /// Returns CSV in memory, begun with its heads.
    pub fn new(heads: impl Fields) -> Csv<Vec<u8>> {
        let mut csv = Csv::to(Vec::new());
        csv.row(heads);
        csv
    }

    /// Appends a further row.
    pub fn row(&mut self, fields: impl Fields) {
        self.put(&fields).expect("a row has as many fields as there are heads, and memory takes it");
    }

    /// Returns the CSV with these rows appended.
    pub fn rows<F: Fields>(mut self, rows: impl IntoIterator<Item = F>) -> Csv<Vec<u8>> {
        rows.into_iter().for_each(|row| self.row(row));
        self
    }

    /// Returns the whole text of the CSV.
    pub fn text(self) -> String {
        let bytes = self.writer.into_inner().expect("memory takes all rows");
        String::from_utf8(bytes).expect("fields are text")
    }
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

/// Returns fields as a line by itself, without its end.
pub fn line(fields: impl Fields) -> String {
    Csv::new(fields).text().trim_end_matches('\n').to_owned()
}

impl Fields for Heads<'_> {
    fn put(&self, row: &mut StringRecord) {
        self.0.split(',').for_each(|head| row.push_field(head));
    }
}

impl Fields for str {
    fn put(&self, row: &mut StringRecord) {
        row.push_field(self);
    }
}

impl Fields for String {
    fn put(&self, row: &mut StringRecord) {
        row.push_field(self);
    }
}

impl Fields for bool {
    fn put(&self, row: &mut StringRecord) {
        row.push_field(if *self { "true" } else { "false" });
    }
}

impl Fields for f64 {
    fn put(&self, row: &mut StringRecord) {
        self.is_finite().then(|| rounded(*self)).put(row);
    }
}

impl Fields for Estimate {
    const COUNT: usize = 3;

    fn put(&self, row: &mut StringRecord) {
        [self.value, self.low, self.high].put(row);
    }
}

impl<F: Fields + ?Sized> Fields for &F {
    const COUNT: usize = F::COUNT;

    fn put(&self, row: &mut StringRecord) {
        (**self).put(row);
    }
}

impl<F: Fields> Fields for Option<F> {
    const COUNT: usize = F::COUNT;

    fn put(&self, row: &mut StringRecord) {
        match self {
            Some(fields) => fields.put(row),
            None => (0..F::COUNT).for_each(|_| row.push_field("")),
        }
    }
}

impl<F: Fields, const N: usize> Fields for [F; N] {
    const COUNT: usize = N * F::COUNT;

    fn put(&self, row: &mut StringRecord) {
        self.iter().for_each(|fields| fields.put(row));
    }
}

/// Fields in any number.
impl<F: Fields> Fields for Vec<F> {
    const COUNT: usize = 0;

    fn put(&self, row: &mut StringRecord) {
        self.iter().for_each(|fields| fields.put(row));
    }
}

macro_rules! whole_numbers {
    ($($number:ty),*) => {$(
        impl Fields for $number {
            fn put(&self, row: &mut StringRecord) {
                row.push_field(&self.to_string());
            }
        }
    )*};
}

macro_rules! tuples {
    ($($($name:ident)*;)*) => {$(
        impl<$($name: Fields),*> Fields for ($($name,)*) {
            const COUNT: usize = 0 $(+ $name::COUNT)*;

            #[allow(non_snake_case)] // a tuple's parts have the names of their types
            fn put(&self, row: &mut StringRecord) {
                let ($($name,)*) = self;
                $($name.put(row);)*
            }
        }
    )*};
}

whole_numbers!(i64, u32, u64, usize);
tuples! {
    A B;
    A B C;
    A B C D;
    A B C D E;
    A B C D E F;
    A B C D E F G;
    A B C D E F G H;
    A B C D E F G H I;
    A B C D E F G H I J;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stand_under_their_heads_and_what_is_none_is_empty() {
        let estimate = Estimate { value: 1.0, low: 0.25, high: f64::INFINITY };
        let csv = Csv::new((Heads("name,us,low_us,high_us"), ["is_so", "count"]))
            .rows([("a, \"b\"\nc", Some(estimate), true, Some(3_u64)), ("d", None, false, None)]);
        let expected = "name,us,low_us,high_us,is_so,count\n\"a, \"\"b\"\"\nc\",1,0.25,,true,3\nd,,,,false,\n";
        assert_eq!(csv.text(), expected);
        assert_eq!(line(vec!["a,b", "c"]), "\"a,b\",c");
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
