//! Recorded detours and noise specs: whatever is given is read or refused, never a panic; what is read can be
//! written and read again, and ranks can work under it.

#![no_main]

use libfuzzer_sys::fuzz_target;
use models::noise::read::{Format, trace, write};
use models::noise::{Advance, Noise};
use models::time::{Span, Time};

fuzz_target!(|bytes: &[u8]| {
    for format in [None, Some(Format::Own), Some(Format::Selfish)] {
        if let Ok(read) = trace("fuzz", bytes, format) {
            let again = trace("fuzz", write(&read).as_bytes(), Some(Format::Own)).expect("we read what we write");
            assert_eq!((again.length, again.detours), (read.length, read.detours));
        }
    }
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
