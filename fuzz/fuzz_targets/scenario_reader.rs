//! Scenario files: whatever is given is read or refused with a line of the file, never a panic; what is read is
//! within its bounds.

#![no_main]

use libfuzzer_sys::fuzz_target;
use scenario::Scenario;

/// More cases of one table than this are a file that expands without bound.
const MOST_CASES: usize = 20_000;

fuzz_target!(|text: &str| {
    match Scenario::parse("folder/fuzz.toml", text) {
        Ok(scenario) => {
            assert_eq!(scenario.name, "fuzz");
            assert!(!scenario.question.is_empty() && !scenario.methods.is_empty());
            let cases: usize = scenario.groups.iter().map(|group| group.cases.len()).sum();
            let tables = text.matches("case").count();
            assert!(cases <= MOST_CASES * tables, "{cases} cases of {tables} tables");
            for group in &scenario.groups {
                assert!(
                    group.cases.iter().all(|case| case.place == group.place() && case.subject.root < case.place.ranks)
                );
                let longest = |case: &programs::observation::Case| case.subject.collective.buffer_bytes(&case.shape());
                assert!(group.cases.iter().all(|case| longest(case) < 1 << 31));
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
