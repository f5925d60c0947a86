//! Texts of other benchmarks: whatever is given is read or refused with a line of the text, never a panic; what is read
//! can be shown.

#![no_main]

use libfuzzer_sys::fuzz_target;
use formats::import::{csv, read, table};

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let lines = text.lines().count().max(1);
    // A raw file of PICO says by its name what is in it.
    let name = if text.starts_with("highest") { "64_ring_ompi_int32.csv" } else { "fuzz" };
    match read(name, &text) {
        Ok(runs) => {
            assert!(runs.iter().all(|run| !run.rows.is_empty()));
            assert!(runs.iter().map(|run| run.rows.len()).sum::<usize>() <= lines);
            assert!(runs.iter().flat_map(|run| &run.left_out).all(|left| (1..=lines).contains(&left.line)));
            let columns = runs.iter().flat_map(|run| &run.rows).flat_map(|row| &row.columns);
            assert!(columns.filter_map(|column| column.value).all(f64::is_finite));
            let texts: Vec<_> = runs.into_iter().map(|run| ("fuzz".to_owned(), run)).collect();
            assert!(table(&texts).lines().count() >= 3 && csv(&texts).lines().count() >= 2);
        }
        Err(error) => {
            assert!((1..=lines).contains(&error.line), "line {} of {lines}", error.line);
            assert!(error.message.len() < 1_000, "{}", error.message.len());
        }
    }
});
