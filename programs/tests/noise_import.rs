//! Reading what other tools recorded: each format as its tool writes it, and how each mistake is answered.

use models::noise::{DetourTrace, WorkCounts};
use models::time::{Span, Time};
use parallax_programs::detours::Baseline;
use parallax_programs::detours::import::{ImportFormat, ImportParameters, Imported, import};
use proptest::prelude::*;

const KNOWN: ImportParameters = ImportParameters { hz: Some(1e9), baseline: Baseline::Mode, threshold: None };

fn files(list: &[(&str, &str)]) -> Vec<(String, Vec<u8>)> {
    list.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect()
}

fn detours(list: &[(&str, &str)], known: &ImportParameters) -> Vec<DetourTrace> {
    match import(&files(list), None, known).expect("this is right") {
        Imported::Detours(traces) => traces,
        Imported::Counts(_) => panic!("counts"),
    }
}

fn counts(list: &[(&str, &str)], known: &ImportParameters) -> Vec<WorkCounts> {
    match import(&files(list), None, known).expect("this is right") {
        Imported::Counts(counts) => counts,
        Imported::Detours(_) => panic!("detours"),
    }
}

fn listed(trace: &DetourTrace) -> Vec<(u64, u64)> {
    trace.detours.iter().map(|detour| (detour.start.0 / 1_000, detour.duration.0 / 1_000)).collect()
}

#[test]
fn quanta_longer_than_usual_are_detours_at_their_ends() {
    // A cycle is a nanosecond; the third quantum is 2 µs longer than usual.
    let traces =
        detours(&[("fwq_0_times.dat", "3000\n3000\n5000\n3000\n"), ("fwq_1_times.dat", "3000\n3001\n3000\n")], &KNOWN);
    assert_eq!(listed(&traces[0]), [(9_000, 2_000)]);
    assert_eq!((traces[0].length, traces[0].says("rank")), (Span::from_us(14), Some("0")));
    assert_eq!((traces[1].detours.len(), traces[1].says("rank"), traces[1].says("ranks")), (0, Some("1"), Some("2")));
    // At 2 GHz all is half as long, and half a microsecond is the least that counts.
    let fast = detours(&[("f", "3000\n3000\n5000\n3000\n3900\n")], &ImportParameters { hz: Some(2e9), ..KNOWN });
    assert_eq!(listed(&fast[0]), [(4_500, 1_000)]);
    let close = ImportParameters { threshold: Some(Span::from_ns(100)), ..KNOWN };
    assert_eq!(listed(&detours(&[("f", "3000\n3000\n3150\n")], &close)[0]), [(9_000, 150)]);
    // Half of the quanta are slower: the minimum calls that noise.
    let steps = format!("{}{}", "3000\n".repeat(6_000), "4000\n".repeat(5_000));
    let found = |baseline| detours(&[("f", &steps)], &ImportParameters { baseline, ..KNOWN })[0].detours.len();
    assert_eq!((found(Baseline::Mode), found(Baseline::Min)), (5_000, 5_000));
    assert!(found(Baseline::Rolling) < 3_100, "{}", found(Baseline::Rolling));
}

#[test]
fn counts_of_one_file_and_of_two_are_read() {
    // As FTQ writes it since 2017, 10 kHz.
    let new = "# Frequency 10000.000000\n# Ticks per ns: 2.6\n# octave: pkg load signal\n# x = load(<file name>)\n\
               # thread 1, core 3\n0 1723\n100000 1700\n200003 1721\n";
    let all = counts(&[("ftq_0.dat", new)], &KNOWN);
    assert_eq!(all[0].interval, Span::from_us(100));
    assert_eq!(all[0].counts, [(Time(0), 1_723), (Time(100_000_000), 1_700), (Time(200_003_000), 1_721)]);
    assert!(all[0].header.contains(&("cpu".to_owned(), "3".to_owned())));
    // As it wrote before: cycles.
    let old = [("a_0_times.dat", "5000\n6000\n7000\n"), ("a_0_counts.dat", "10\n9\n10\n")];
    let half = ImportParameters { hz: Some(2e9), ..KNOWN };
    let all = counts(&[old[0], old[1]], &half);
    assert_eq!(all[0].interval, Span::from_ns(500));
    assert_eq!(all[0].counts[1], (Time(500_000), 9));
    assert_eq!(counts(&[old[1], old[0]], &half)[0].counts.len(), 3, "in any order");
    assert_eq!(all[0].lost().collect::<Vec<f64>>().iter().filter(|&&lost| lost > 0.05).count(), 1);
}

/// As `cat /sys/kernel/tracing/trace` shows it.
const OSNOISE: &str = "# tracer: osnoise
#
#                                _-----=> irqs-off
       osnoise/8-961     [008] d.h.  5789.857532: irq_noise: local_timer:236 start 5789.857529929 duration 1845 ns
       osnoise/8-961     [008] dNh.  5789.858408: irq_noise: local_timer:236 start 5789.858404871 duration 2848 ns
     migration/8-54      [008] d...  5789.858413: thread_noise: migration/8:54 start 5789.858409300 duration 3068 ns
       osnoise/8-961     [008] ....  5789.858413: sample_threshold: start 5789.858404555 duration 8812 ns interference 2
       osnoise/9-962     [009] ....  5789.858415: sample_threshold: start 5789.858410000 duration 5000 ns interference 0
       osnoise/9-962     [009] d...  5789.858500: softirq_noise:    SCHED:7 start 5789.858499000 duration 900 ns
";

#[test]
fn events_of_osnoise_are_the_detours_of_their_cpus_on_one_axis() {
    let traces = detours(&[("trace.txt", OSNOISE)], &KNOWN);
    assert_eq!(traces.iter().map(|trace| trace.says("cpu").expect("a CPU")).collect::<Vec<_>>(), ["8", "9"]);
    assert_eq!(listed(&traces[0]), [(0, 1_845), (874_942, 2_848), (879_371, 3_068)]);
    assert_eq!(listed(&traces[1]), [(880_071, 5_000), (969_071, 900)]);
    assert!(traces.iter().all(|trace| trace.length == Span::from_ns(969_971)));
    assert_eq!((traces[0].says("irq_noise"), traces[1].says("hardware")), (Some("2"), Some("1")));
}

#[test]
fn what_interrupts_a_thread_prolongs_its_detour() {
    // The thread's own 100 µs are interrupted for 400 µs, and that interrupt for 30 µs; the sample has the whole gap.
    let nested = "  nmi-0  [001] d.h..  10.000205: nmi_noise: start 10.000200000 duration 30000 ns
  osnoise/1-10  [001] d.h..  10.000002: irq_noise: local_timer:236 start 10.000001000 duration 1000 ns
  start 1-11  [001] d.h..  10.000520: irq_noise: start duration:50 start 10.000110000 duration 400000 ns
  start 1-11  [001] d...3  10.000601: thread_noise: start 1:11 start 10.000100000 duration 100000 ns
  osnoise/1-10  [001] .....  10.000632: sample_threshold: start 10.000100000 duration 530000 ns interference 3
  osnoise/1-10  [001] d.h..  10.000632: irq_noise: local_timer:236 start 10.000630000 duration 1000 ns
";
    let traces = detours(&[("trace.txt", nested)], &KNOWN);
    // What begins where the gap ends is a detour of its own.
    assert_eq!(listed(&traces[0]), [(0, 1_000), (99_000, 530_000), (629_000, 1_000)]);
    assert_eq!(traces[0].length, Span::from_us(630));
    assert_eq!(
        ["nmi_noise", "irq_noise", "thread_noise"].map(|kind| traces[0].says(kind)),
        [Some("1"), Some("3"), Some("1")]
    );
}

#[test]
fn times_in_cycles_and_numbers_of_intervals_are_no_ns() {
    // Netgauge's, which names interval and quantum in its header.
    let head = "# Benchmark Method: ftq\n# Compute-Cycle Duration: 250 usec\n# Number of Cycles/Detours: 3\n";
    let ftq = format!(
        "{head}# Fixed Time Quantum Benchmark\n# cycle number    workload iterations\n 0   70\n 1   63\n 2   70\n"
    );
    let all = counts(&[("a.0", &ftq), ("a.1", &ftq)], &ImportParameters { hz: None, ..KNOWN });
    assert_eq!((all.len(), all[1].interval), (2, Span::from_us(250)));
    assert_eq!(all[1].counts, [(Time(0), 70), (Time(250_000_000), 63), (Time(500_000_000), 70)]);
    let fwq =
        "# Fixed Work Quantum Benchmark\n# cycle number    duration [us]\n0      20\n1      20\n2      33\n3      20\n";
    let traces = detours(&[("b", fwq)], &ImportParameters { hz: None, ..KNOWN });
    assert_eq!((listed(&traces[0]), traces[0].length), (vec![(60_000, 13_000)], Span::from_us(93)));
    // The first FTQ's on standard output: cycles beside counts, without a header.
    let old = import(
        &files(&[("f", "5000 10\n6000 9\n7000 10\n")]),
        Some(ImportFormat::Ftq),
        &ImportParameters { hz: Some(2e9), ..KNOWN },
    );
    let Ok(Imported::Counts(old)) = old else { panic!("{old:?}") };
    assert_eq!((old[0].interval, old[0].counts[2]), (Span::from_ns(500), (Time(1_000_000), 10)));
    // LLNL's FWQ on standard output.
    let said = "numthreads = 2\nthread number 1 being created.\n";
    let traces = detours(&[("f", &format!("{said}3000\n3000\n5000\n3000\n"))], &KNOWN);
    assert_eq!(listed(&traces[0]), [(9_000, 2_000)]);
}

#[test]
fn what_says_no_detours_is_refused_with_the_reason() {
    let others = [
        "# RTLA osnoise histogram\n# Time unit is microseconds (us)\n# Duration:   0 00:00:09\nIndex   CPU-002\n0   77\n",
        "Operating System Noise\nduration:   0 00:00:09 | time is in us\nCPU Period  Runtime  Noise\n  2 #9  9000000  77\n",
        "# RTLA timerlat histogram\n# Time unit is microseconds (us)\nIndex   IRQ-002   Thr-002\n0   70   7\n",
        "  <...>-77  [002]  9.7: #1  context    irq timer_latency    777 ns\n",
        "# /dev/cpu_dma_latency set to 0us\nT: 0 (  777) P:90 I:1000 C:   9000 Min:      2 Act:    3 Avg:    3 Max:      77\n",
        "# Histogram\n000000 000000\n000001 000077\n# Total: 000000077\n# Min Latencies: 00001\n",
        "hwlatdetect:  test duration 9 seconds\n   parameters:\nSamples recorded: 0\n",
        "  <...>-77  [002] d... 9.7: #1  inner/outer(us):   77/7  ts:9.777777777 count:1\n",
        "# tracer: osnoise\n#  TASK-PID  CPU#  TIMESTAMP  IN US  IN US  AVAILABLE\n osnoise/2-77 [002] ....  9.7: 1000000  77  99.9923  7  0  0  7  7  0\n",
    ];
    let said = others.map(|text| import(&files(&[("f", text)]), None, &KNOWN).expect_err("no detours"));
    insta::assert_snapshot!(said.join("\n"));
    for format in ImportFormat::ALL {
        assert!(import(&files(&[("f", others[0])]), Some(format), &KNOWN).is_err());
    }
}

#[test]
fn every_mistake_is_answered_with_file_and_line() {
    type Files = &'static [(&'static str, &'static str)];
    let wrong: [(Files, Option<f64>); 20] = [
        (&[("f", "3000\n")], None),
        (&[("f", "3000\n")], Some(0.0)),
        (&[("f", "3000\n-1\n")], Some(1e9)),
        (&[("f", "3000\n3000 1\n")], Some(1e9)),
        (&[("f", "18446744073709551615\n18446744073709551615\n")], Some(1e9)),
        (&[("f", "18446744073709555\n")], Some(2.4e9)),
        (&[("f", "")], Some(1e9)),
        (&[("f", "hello\n")], Some(1e9)),
        (&[("a_times.dat", "1\n2\n")], Some(1e9)),
        (&[("a_counts.dat", "1\n2\n")], Some(1e9)),
        (&[("a_times.dat", "2\n1\n"), ("a_counts.dat", "1\n2\n")], Some(1e9)),
        (&[("a_times.dat", "1\n2\n3\n"), ("a_counts.dat", "1\n2\n")], Some(1e9)),
        (&[("ftq_0.dat", "# Frequency 1000\n0 5\n1000 x\n")], None),
        (&[("ftq_0.dat", "# Frequency 1000\n5 5\n4 4\n")], None),
        (&[("ftq_0.dat", "# Fixed Time Quantum Benchmark\n0 5\n")], None),
        (&[("ftq_0.dat", "# Compute-Cycle Duration: 9 usec\n# Fixed Time Quantum Benchmark\n0 5\n7 5\n")], None),
        (&[("ftq_0.dat", "# Compute-Cycle Duration: 9 usec\n# Fixed Time Quantum Benchmark\n0 5 5\n")], None),
        (&[("ftq_0.dat", "# Compute-Cycle Duration: 3600000001 usec\n# Fixed Time Quantum Benchmark\n0 5\n")], None),
        (&[("fwq", "# Fixed Work Quantum Benchmark\n0 5\n7\n")], None),
        (&[("t", " x [008] d.h. 1.0: irq_noise: local start 1.5 duration 8 ns\n")], None),
    ];
    let said = wrong.map(|(list, hz)| {
        let format = list[0].0.ends_with("_times.dat").then_some(ImportFormat::Ftq);
        import(&files(list), format, &ImportParameters { hz, ..KNOWN }).expect_err("this is wrong")
    });
    insta::assert_snapshot!(said.join("\n"));
}

proptest! {
    #[test]
    fn no_text_is_too_strange(text in "[ -~\\n]{0,200}", format in 0..4_usize) {
        let format = ImportFormat::ALL[format];
        for name in ["f", "f_times.dat"] {
            let _ = import(&files(&[(name, &text), ("f_counts.dat", &text)]), Some(format), &KNOWN);
        }
    }

    #[test]
    fn gaps_are_what_threads_and_their_interrupts_took(
        gaps in prop::collection::vec((1_u64..9_000, prop::collection::vec((1_u64..5_000, 1_u64..5_000), 0..6), 1_u64..5_000), 1..30),
    ) {
        let (mut now, mut text, mut expected) = (7_000_000_000_u64, String::new(), Vec::new());
        let line = |kind: &str, start: u64, own: u64| {
            format!(" x-7 [003] d...  9.9: {kind}: x:7 start {}.{:09} duration {own} ns\n", start / 1_000_000_000, start % 1_000_000_000)
        };
        for (apart, pieces, last) in gaps {
            now += apart;
            let (begin, mut own) = (now, last);
            for (piece, interrupt) in pieces {
                (now, own) = (now + piece, own + piece);
                text.push_str(&line("irq_noise", now, interrupt));
                now += interrupt;
            }
            now += last;
            text.push_str(&line("thread_noise", begin, own));
            expected.push((begin, now - begin));
        }
        let first = expected[0].0;
        expected.iter_mut().for_each(|gap| gap.0 -= first);
        prop_assert_eq!(listed(&detours(&[("t", &text)], &KNOWN)[0]), expected);
    }

    #[test]
    fn what_quanta_lose_is_what_they_take_beyond_the_usual(extra in prop::collection::vec(prop::option::weighted(0.1, 600_u64..9_000_000), 20..200)) {
        let text: String = extra.iter().map(|extra| format!("{}\n", 3_000 + extra.unwrap_or(0))).collect();
        let ordinary = extra.iter().filter(|extra| extra.is_none()).count();
        prop_assume!(ordinary * 2 > extra.len());
        let trace = &detours(&[("f", &text)], &KNOWN)[0];
        let lost: u64 = trace.detours.iter().map(|detour| detour.duration.0 / 1_000).sum();
        let all: u64 = extra.iter().flatten().sum();
        prop_assert_eq!((trace.detours.len(), lost), (extra.iter().flatten().count(), all));
        prop_assert_eq!(trace.length, Span::from_ns(3_000 * extra.len() as u64 + all));
    }
}
