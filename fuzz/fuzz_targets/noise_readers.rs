//! Recorded detours and noise specs: whatever is given is read or refused, never a panic; what is read can be
//! written and read again, and ranks can work under it.

#![no_main]

use libfuzzer_sys::fuzz_target;
use models::noise::read::{NoiseFormat, counts, trace, write, write_counts};
use models::noise::{Advance, Delays, Noise};
use models::time::{Span, Time};
use programs::detours::Baseline;
use programs::detours::import::{ImportFormat, ImportParameters, Imported, import};

fuzz_target!(|bytes: &[u8]| {
    for format in [None, Some(NoiseFormat::Own), Some(NoiseFormat::Selfish)] {
        if let Ok(read) = trace("fuzz", bytes, format) {
            let again = trace("fuzz", write(&read).as_bytes(), Some(NoiseFormat::Own)).expect("we read what we write");
            assert_eq!((again.length, again.detours), (read.length, read.detours));
        }
    }
    if let Ok(read) = counts("fuzz", bytes) {
        let again = counts("fuzz", write_counts(&read).as_bytes()).expect("we read what we write");
        assert_eq!((again.interval, again.counts), (read.interval, read.counts));
    }
    // What other tools recorded; the two files of FTQ hold the same numbers here.
    let known = ImportParameters { hz: Some(2.4e9), baseline: Baseline::Rolling, threshold: None };
    for name in ["fuzz", "fuzz_times.dat"] {
        let files = [(name.to_owned(), bytes.to_vec()), ("fuzz_counts.dat".to_owned(), bytes.to_vec())];
        for format in [None, Some(ImportFormat::Fwq), Some(ImportFormat::Ftq), Some(ImportFormat::Osnoise)] {
            let files = if format == Some(ImportFormat::Ftq) { &files[..] } else { &files[..1] };
            if let Ok(Imported::Detours(traces)) = import(files, format, &known) {
                let read =
                    |one| trace("fuzz", write(one).as_bytes(), Some(NoiseFormat::Own)).expect("we read what we write");
                traces.iter().for_each(|one| assert_eq!(read(one).detours, one.detours));
            }
        }
    }
    let _ = Delays::parse(&String::from_utf8_lossy(bytes));
    let spec = String::from_utf8_lossy(bytes).into_owned();
    for spec in [spec, "trace:fuzz".to_owned()] {
        let open = |_: &str| Ok(vec![("fuzz".to_owned(), bytes.to_vec())]);
        if let Ok(noise) = Noise::parse_with(&[spec], 1, &open) {
            assert!((0.0..1.0).contains(&noise.share()));
            let (mut cpu, mut at) = (noise.on(3), Time::ZERO);
            for work in [0, 1, 1_000, 100_000] {
                let end = cpu.advance(at, Span(work));
                assert!(end >= at + Span(work));
                at = end + Span(50_000);
            }
        }
    }
});
