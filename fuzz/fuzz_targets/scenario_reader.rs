//! Scenario files: whatever is given is read or refused with a line of the file, never a panic; what is read is
//! within its bounds.

#![no_main]

use libfuzzer_sys::fuzz_target;
use models::scenario::Scenario;

/// More cases than this are a file that expands without bound.
const MOST_CASES_PER_BYTE: usize = 64;

fuzz_target!(|text: &str| {
    match Scenario::parse("folder/fuzz.toml", text) {
        Ok(scenario) => {
            assert_eq!(scenario.name, "fuzz");
            assert!(!scenario.question.is_empty() && !scenario.methods.is_empty());
            let cases: usize = scenario.groups.iter().map(|group| group.cases.len()).sum();
            assert!((1..=MOST_CASES_PER_BYTE * text.len()).contains(&cases), "{cases} cases");
            for group in &scenario.groups {
                assert!(group.cases.iter().all(|case| case.ranks == group.ranks && case.root < case.ranks));
                assert!(group.cases.iter().all(|case| case.bytes <= 1 << 30));
            }
        }
        Err(error) => {
            // An empty text has one line, too: the one on which something is missing.
            let lines = text.matches('\n').count() + 1;
            assert!((1..=lines).contains(&error.line), "line {} of {lines}", error.line);
            assert!(error.to_string().starts_with("folder/fuzz.toml line "));
            assert!(error.message.len() <= 4_096 + 4 * text.len(), "{}", error.message.len());
        }
    }
});
