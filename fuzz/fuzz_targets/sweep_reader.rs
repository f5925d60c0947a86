//! Sweeps: whatever is given is read or refused, never a panic; of what is read the first and the last point can be had.

#![no_main]

use libfuzzer_sys::fuzz_target;
use scenario::sweep::{Files, Sweep};

fuzz_target!(|text: &str| {
    let files = Files { traces: &|path| Err(path.to_owned()), text: &|path| Err(path.to_owned()) };
    if let Ok(sweep) = Sweep::parse("fuzz.toml", text, files) {
        for index in [0, sweep.points() - 1] {
            let point = sweep.point(index);
            assert!(point.shape.root < point.shape.ranks);
            let _ = (point.platform(files), point.noise(files));
        }
    }
});
