//! Reading recorded detours: what is read, and how each mistake is answered.

use parallax_models::noise::read::{NoiseFormat, trace, write};
use parallax_models::noise::{Detour, DetourTrace};
use parallax_models::time::{Span, Time};
use proptest::prelude::*;

fn detours(list: &[(u64, u64)]) -> Vec<Detour> {
    list.iter().map(|&(start, duration)| Detour { start: Time(start), duration: Span(duration) }).collect()
}

fn complaint(text: &str, format: Option<NoiseFormat>) -> String {
    trace("node3.txt", text.as_bytes(), format).expect_err("this is wrong")
}

/// As Netgauge 2.4.6 writes it: `netgauge -x noise -m selfish`.
const NETGAUGE: &str = "\
# Benchmark Method: selfish
# Compute-Cycle Duration: 1000 usec
# Number of Cycles/Detours: 100
# Sysname : Linux
# Nodename: node3
# Selfish Benchmark
# Minimal cycle length [ns]: 10.226148 
# Number of iterations (recorded+unrecorded): 33452346 
# Threshold: [% minimal cycle length]: 900 
# 
# Time [ns]\tselfish duration [ns]
0.00\t131.71
1002.04\t1934.15
4000120.99\t25000.50
5000000.00\t740.01
# CPU overhead due to noise: 0.56%
# Measurement period: 0.01 s
";

#[test]
fn a_selfish_file_of_netgauge_is_read() {
    let read = trace("node3.txt", NETGAUGE.as_bytes(), None).unwrap();
    assert_eq!(read.length, Span::from_ms(5), "the last start is the length, as in LogGOPSim");
    assert_eq!(read.detours, detours(&[(0, 131_710), (1_002_040, 1_934_150), (4_000_120_990, 25_000_500)]));
    assert!(read.header.contains(&("Nodename".to_owned(), "node3".to_owned())));
    assert_eq!(read.name, "node3.txt");
}

#[test]
fn a_noise_trace_of_loggopsim_needs_no_header() {
    let read = trace("t", b"# made by hand\n100\t20\r\n300 5\n1000\t0\n", None).unwrap();
    assert_eq!((read.length, read.detours), (Span::from_us(1), detours(&[(100_000, 20_000), (300_000, 5_000)])));
}

#[test]
fn a_format_can_be_demanded() {
    assert_eq!(NoiseFormat::parse("selfish"), Ok(NoiseFormat::Selfish));
    let own = "# length_ns=1000\n10\t5\n20\t5\n";
    assert_eq!(trace("t", own.as_bytes(), None).unwrap().length, Span::from_us(1));
    assert_eq!(trace("t", own.as_bytes(), Some(NoiseFormat::Selfish)).unwrap().length, Span::from_ns(20));
    let said = [NoiseFormat::parse("fwq").unwrap_err(), complaint("10\t5\n", Some(NoiseFormat::Own))];
    assert!(said[1].starts_with("node3.txt line 1:"), "{}", said[1]);
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn every_mistake_is_answered_with_file_and_line() {
    let files = [
        ("# length_ns=50\n1\t2\n3\n", "node3.txt line 3:"),
        ("# length_ns=50\n1\t2\t3\n", "node3.txt line 2:"),
        ("# length_ns=50\n-1\t2\n", "node3.txt line 2:"),
        ("# length_ns=50\n1\tNaN\n", "node3.txt line 2:"),
        ("# length_ns=50\n1\t1e3\n", "node3.txt line 2:"),
        ("# length_ns=50\n1\t99999999999999999999\n", "node3.txt line 2:"),
        ("# length_ns=50\n9\t1\n8\t1\n", "node3.txt line 3:"),
        ("# length_ns=50\n60\t1\n", "node3.txt line 2:"),
        ("# length_ns=0\n", "node3.txt line 1:"),
        ("# length_ns=soon\n", "node3.txt line 1:"),
        ("# length_ns=5\n# length_ns=6\n", "node3.txt line 2:"),
        ("10\t5\n", "node3.txt:"),
        ("", "node3.txt:"),
        ("0\t5\n0\t5\n", "node3.txt:"),
        ("# Fixed Work Quantum Benchmark\n# cycle number    duration [us]\n0   1000\n", "node3.txt line 1:"),
    ];
    let said = files.map(|(text, place)| {
        let message = complaint(text, None);
        assert!(message.starts_with(place), "{text:?} gave: {message}");
        format!("{text:?}\n  → {message}")
    });
    let bytes = trace("b", b"1\t2\n\xff\n", None).unwrap_err();
    assert!(bytes.starts_with("b line 2:"), "{bytes}");
    insta::assert_snapshot!([said.join("\n"), bytes].join("\n"));
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(
        starts in prop::collection::btree_map(0u64..1_000_000_000_000_000_000, 0u64..1_000_000_000_000, 0..20),
        header in prop::collection::vec(("[a-z_]{1,8}", "[a-zA-Z0-9 .:]{0,12}"), 0..4),
        beyond in 1u64..1_000_000,
    ) {
        let header = header.into_iter().map(|(key, value)| (key, value.trim().to_owned())).collect();
        let length = Span((starts.keys().last().unwrap_or(&0) + beyond).min(999_999_999_999_999_999));
        let list: Vec<_> = starts.into_iter().filter(|&(start, _)| start < length.0).collect();
        let trace = DetourTrace { name: "own".to_owned(), length, detours: detours(&list), header };
        let text = write(&trace);
        prop_assert_eq!(parallax_models::noise::read::trace("own", text.as_bytes(), None).unwrap(), trace);
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = trace("any", &bytes, None);
    }

    #[test]
    fn almost_right_text_is_read_or_refused(text in "(# length_ns=[0-9.]{0,5}\n)?([0-9.]{0,22}[\t ]?[0-9.e-]{0,22}\n){0,6}") {
        if let Ok(read) = trace("any", text.as_bytes(), None) {
            prop_assert!(read.length > Span::ZERO);
            prop_assert!(read.detours.iter().all(|detour| detour.start.0 < read.length.0));
        }
    }
}

#[test]
fn another_formats_header_does_not_pass_for_the_length() {
    let text = "# length_ns: 7\n# length_ns=3: 4\n# node: a\n10\t5\n20\t5\n";
    let read = trace("t", text.as_bytes(), Some(NoiseFormat::Selfish)).unwrap();
    let again = trace("t", write(&read).as_bytes(), None).unwrap();
    assert_eq!((again.length, &again.detours), (Span::from_ns(20), &read.detours));
    assert_eq!(again.header, [("node".to_owned(), "a".to_owned())]);
}
