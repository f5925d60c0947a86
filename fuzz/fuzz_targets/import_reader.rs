//! Texts of other benchmarks: whatever is given is read or refused with a line of the text, never a panic; what is read
//! can be shown.

#![no_main]

use formats::import::{Texts, read};
use libfuzzer_sys::fuzz_target;
use render::results::{Format, Look, printed};

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let lines = text.lines().count().max(1);
    // A raw file of PICO says by its name what is in it.
    let name = if text.starts_with("highest") { "64_ring_ompi_int32.csv" } else { "fuzz" };
    match read(name, &text) {
        Ok(runs) => {
            assert!(runs.iter().all(|run| !run.rows.is_empty()));
            // A line of a matrix has a row for each cell.
            assert!(runs.iter().map(|run| run.rows.len()).sum::<usize>() <= text.len());
            assert!(runs.iter().flat_map(|run| &run.left_out).all(|left| (1..=lines).contains(&left.line)));
            let columns = runs.iter().flat_map(|run| &run.rows).flat_map(|row| &row.columns);
            assert!(columns.filter_map(|column| column.value).all(f64::is_finite));
            let texts = Texts(runs.into_iter().map(|run| ("fuzz".to_owned(), run)).collect());
            let lines_of = |format| printed(&texts, format, Look::IN_FILES).expect("a form").lines().count();
            assert!(lines_of(Format::Table) >= 2 && lines_of(Format::Csv) >= 2 && lines_of(Format::Json) == 1);
        }
        Err(error) => {
            assert!((1..=lines).contains(&error.line), "line {} of {lines}", error.line);
            assert!(error.message.len() < 1_000, "{}", error.message.len());
        }
    }
});
