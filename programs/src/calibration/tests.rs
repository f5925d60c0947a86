use super::*;
use models::time::Span;

#[test]
fn presets_have_increasing_lengths_up_to_the_longest() {
    for longest in [0, 1, 2, 63, 64, 1_000, 1 << 20, (1 << 20) + 1] {
        for settings in [CalibrationSettings::quick(longest), CalibrationSettings::thorough(longest)] {
            let bytes = &settings.bytes;
            assert!(bytes.len() >= 2 && bytes.windows(2).all(|pair| pair[0] < pair[1]), "{bytes:?}");
            assert_eq!(bytes.last(), Some(&longest.max(2)));
            assert!(settings.late_receives && settings.train > 1);
        }
    }
    let (quick, thorough) = (CalibrationSettings::quick(1 << 20), CalibrationSettings::thorough(1 << 20));
    assert!(quick.bytes.iter().all(|bytes| thorough.bytes.contains(bytes)));
    assert!(quick.samples < thorough.samples && quick.limit < thorough.limit);
}

#[test]
fn trains_of_long_messages_are_shorter() {
    let settings = CalibrationSettings::quick(1 << 22);
    let lengths = [0, 1, 1 << 16, 1 << 17, 1 << 18, 1 << 22, u64::MAX];
    assert_eq!(lengths.map(|bytes| settings.train_of(bytes)), [16, 16, 16, 8, 4, 4, 4]);
    let short = CalibrationSettings { train: 3, ..settings };
    assert_eq!(lengths.map(|bytes| short.train_of(bytes)), [3; 7]);
}

#[test]
fn a_send_that_grows_with_the_receivers_delay_waits() {
    let late = |sends: &[u64]| LateReceives {
        delay: Span(100),
        bytes: 1,
        sends: sends.iter().copied().map(Span).collect(),
        receives: Vec::new(),
    };
    assert!(late(&[90, 95, 12]).wait());
    assert!(!late(&[10, 12, 95]).wait());
    assert!(!late(&[]).wait());
}
