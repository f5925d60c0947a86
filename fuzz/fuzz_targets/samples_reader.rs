//! Exported samples as a side of a comparison: whatever is given is read or refused with its place, never a panic; what is
//! read can be compared with itself, and does not differ.

#![no_main]

use libfuzzer_sys::fuzz_target;
use render::results::{Format, Look, printed};
use study::contrast::{Choice, Demand, Gate, Verdict, contrast, samples};

const HEAD: &str = "run,case,operation,form,algorithm,ranks,bytes,counts,root,segment_bytes,fanout,method,calls,buffer,window,sync,\
    barrier,delay,world,transport,launch,oversubscribed,kind,rank,sample,block,calls_in_sample,due_ps,start_ps,end_ps,\
    duration_per_call_us,valid";

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let _ = text.parse::<Gate>();
    match samples("fuzz", &format!("{HEAD}\n{text}")) {
        Ok(side) => {
            let demand = Demand { confidence: 0.95, at_least: 0.02 };
            let Ok(found) = contrast(&[side.clone(), side], &Choice::default(), demand) else { return };
            let differs = |verdict| matches!(verdict, Verdict::Slower | Verdict::Faster);
            assert!(!found.pairs[0].rows.iter().any(|row| differs(row.effect.verdict)));
            let shown = |format| printed(&found, format, Look::IN_FILES).expect("a form");
            assert!(shown(Format::Csv).lines().count() > 1 && !shown(Format::Table).is_empty());
        }
        Err(message) => assert!(message.starts_with("fuzz"), "{message}"),
    }
});
