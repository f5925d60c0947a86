//! Every kind of input.

use super::*;
use crate::compare::fixture::{self, observation};
use crate::database::Database;
use formats::import;
use models::network::SendRule;
use models::time::Span;
use programs::machine::{Estimate, HockneyEstimate, Machine, Provenance};
use programs::method::Method;
use programs::observation::{Carrier, Observation, Occasion};
use proptest::prelude::*;
use scenario::store::Line;
use std::time::Duration;

/// A campaign of three methods, the loop of barriers being subtracted in one, in two launches.
fn lines(longer: Span) -> Vec<Line> {
    let mut lines = vec![fixture::campaign()];
    for method in [Method::Window, Method::BarrierLoop, Method::Loop, Method::LoopTrace] {
        for launch in 0..2 {
            let case = fixture::case(Carrier::Native, 3, "linear", method);
            let wobble = |sample: u32| longer + Span::from_ns(u64::from(100 * (sample * 7 % 11) + launch));
            let seen = observation(case, fixture::TAU, wobble);
            lines.push(Line::Measured(Observation { occasion: Occasion { launch }, ..seen }));
        }
    }
    lines
}

#[test]
fn a_campaign_is_read_and_launches_of_a_case_are_one_case() {
    let side = campaign("c", &lines(Span::ZERO), Observed::Measured);
    assert_eq!((side.cases.len(), side.kind), (3, Kind::Campaign), "traces are for pictures");
    assert!(side.cases.iter().all(|case| case.launches.len() == 2));
    let window = side.cases.iter().find(|case| case.key.text(Axis::Method) == "window").expect("windows");
    assert_eq!(
        window.key.to_string(),
        "bcast, linear, 3 ranks, 1024 bytes, root 0, window, linear synchronisation, openmpi, native"
    );
    assert!(window.oversubscribed);
    insta::assert_snapshot!(side.notes.join("\n"));
    let slower = campaign("d", &lines(Span::from_us(200)), Observed::Measured);
    let found = contrast(&[side, slower], &Choice::default(), DEMAND).expect("two sides");
    assert_eq!(found.pairs[0].rows.len(), 3);
    assert!(found.pairs[0].rows.iter().all(|row| row.effect.ratio.expect("positive").value > 1.02));
    let mut parts = ["loop", "window"].map(|method| {
        let mut part = campaign("c", &lines(Span::ZERO), Observed::Measured);
        part.choose(Axis::Method, method).expect("it is there");
        part
    });
    parts[1].cases[0].rounds[0].launch = 7;
    let of =
        |parts: &[Side]| contrast(parts, &Choice::default(), DEMAND).expect("two parts").pairs[0].rows[0].effect.unit;
    assert_eq!(of(&parts), Unit::Launches, "one round in common is too few");
    parts[1].cases[0].rounds[0].launch = 0;
    assert_eq!(of(&parts), Unit::Rounds, "two parts of one campaign are launched in rounds");
    assert_eq!(campaign("c", &lines(Span::ZERO), Observed::Predicted).cases, [], "nothing was predicted");
}

#[test]
fn exported_samples_say_what_their_campaign_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut store = Database::create(&folder.path().join("s.sqlite"), Duration::ZERO).expect("a store");
    let lines = lines(Span::ZERO);
    let run = store.add(&lines, "2026-11-21T00:00:00Z").expect("added").run();
    let mut text = Vec::new();
    crate::database::csv(&store, run, &mut text).expect("exported");
    let text = String::from_utf8(text).expect("text");
    assert!(is_samples(&text) && !is_samples("rank,time_us\n") && !is_samples(""));
    let (of_csv, of_lines) = (samples("s.csv", &text).expect("samples"), campaign("c", &lines, Observed::Measured));
    assert_eq!(of_csv.cases.len(), of_lines.cases.len());
    for case in &of_lines.cases {
        let other = of_csv.cases.iter().find(|other| other.key == case.key).unwrap_or_else(|| panic!("{}", case.key));
        let close = |a: &f64, b: &f64| (a - b).abs() < 1e-5;
        let (a, b) = (case.launches.concat(), other.launches.concat());
        assert!(a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| close(a, b)), "{}: {a:?} {b:?}", case.key);
    }
}

/// The first line of exported samples.
const SAMPLES: &str = "run,case,operation,form,algorithm,ranks,bytes,counts,root,segment_bytes,fanout,method,calls,buffer,window,sync,\
    world,transport,launch,oversubscribed,kind,rank,sample,block,calls_in_sample,due_ps,start_ps,end_ps,\
    duration_per_call_us,valid";

#[test]
fn broken_samples_are_refused_with_their_line() {
    let head = SAMPLES;
    let row = |method: &str, rank: &str, end: &str| {
        format!("1,1,bcast,,library,2,8,,0,,,{method},4,,,,mpich,native,1,false,timed,{rank},0,0,1,,10,{end},0.1,true")
    };
    let mut said = Vec::new();
    for (lines, place) in [
        (vec![row("loop", "0", "x")], "f line 2"),
        (vec![row("loop", "0", "20"), row("sundial", "1", "20")], "f line 3"),
        (vec![row("loop", "2", "20")], "f line 2"),
        (vec![row("loop", "0", "5")], "f line 2"),
        (vec![row("loop", "0", "20")], ""),
        (vec![], ""),
    ] {
        let message = samples("f", &format!("{head}\n{}\n", lines.join("\n"))).unwrap_err();
        assert!(message.starts_with("f") && message.contains(place), "{message}");
        said.push(format!("{}\n  → {message}", lines.join("\n")));
    }
    insta::assert_snapshot!(said.join("\n"));
    let whole = format!("{head}\n{}\n{}\n", row("loop", "0", "1000010"), row("loop", "1", "3000010"));
    assert_eq!(samples("f", &whole).expect("samples").cases[0].launches, [[3.0]], "the slowest rank's");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn samples_of_any_numbers_are_read_or_refused(
        rows in prop::collection::vec(
            (0u32..3, 0u32..2, 0u32..3, prop::option::of(extreme()), extreme(), extreme(), 0u32..4, 0usize..4),
            0..12,
        ),
        noise in "[ -~\n]{0,60}",
    ) {
        let methods = ["window", "loop", "barrier-loop", "barrier-subtract"];
        let mut text = format!("{SAMPLES}\n");
        for (rank, sample, block, due, start, end, calls, method) in rows {
            let (due, method) = (due.map(|due: i64| due.to_string()).unwrap_or_default(), methods[method]);
            text += &format!(
                "1,1,bcast,,library,2,8,,0,,,{method},4,pool,,,mpich,native,1,false,timed,{rank},{sample},{block},\
                 {calls},{due},{start},{end},0.1,true\n"
            );
        }
        let read = |text: &str| match samples("f", text) {
            Ok(side) => side.cases.iter().all(|case| case.launches.concat().iter().all(|us| us.is_finite())),
            Err(message) => message.starts_with("f line ") || message.starts_with("f: "),
        };
        prop_assert!(read(&text));
        prop_assert!(read(&(text + &noise)));
    }
}

/// Times of every size.
fn extreme() -> impl Strategy<Value = i64> {
    prop_oneof![Just(i64::MIN), Just(i64::MAX), Just(0), -1_000..1_000i64, any::<i64>()]
}

fn text(name: &str) -> Vec<import::Imported> {
    let path = format!("{}/../formats/tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
    import::read(name, &std::fs::read_to_string(path).expect(name)).expect(name)
}

#[test]
fn texts_of_other_benchmarks_are_joined_by_what_they_say() {
    let osu = imported("osu", &text("osu.default.bcast.np2.r7.txt"), None).expect("times");
    let imb = imported("imb", &text("imb.default.bcast.np2.r7.txt"), None).expect("times");
    let found = contrast(&[osu.clone(), imb.clone()], &Choice::default(), DEMAND).expect("two texts");
    assert_eq!(found.pairs[0].rows.len(), 14);
    let effect = &found.pairs[0].rows[0].effect;
    assert_eq!((effect.verdict, effect.adjusted_p), (Verdict::Undecided, None), "numbers without intervals");
    insta::assert_snapshot!("numbers_without_intervals", effect.note);
    assert_eq!(found.pairs[0].only_b.len(), 1, "IMB's 0 bytes");
    let least = imported("osu", &text("osu.default.bcast.np2.r7.txt"), Some("min_us")).expect("times");
    assert!(least.cases[0].launches[0][0] < osu.cases[0].launches[0][0]);
    let wrong = imported("osu", &text("osu.default.bcast.np2.r7.txt"), Some("joules")).expect("a text").lacks;
    let wrong = wrong.expect("no such column");
    assert!(wrong.contains("'joules'"), "{wrong}");
    insta::assert_snapshot!("an_unknown_column", wrong);
    // Four times the same text are launches, whatever sense that makes.
    let four = |side: &Side| Side::together("x4", vec![side.clone(); 4]).expect("four");
    let found = contrast(&[four(&osu), four(&imb)], &Choice::default(), DEMAND).expect("two texts");
    assert_eq!((found.pairs[0].rows[0].effect.unit, found.pairs[0].rows[0].effect.counts), (Unit::Launches, (4, 4)));
}

#[test]
fn single_samples_and_intervals_of_other_benchmarks_are_used() {
    let raw = imported("raw", &text("reprompi-raw.txt"), None).expect("samples");
    assert!(raw.cases[0].launches[0].len() > 1, "{raw:?}");
    let mpiperf = imported("mpiperf", &text("mpiperf.wtime.bcast.np2.r7.txt"), None).expect("times");
    let estimate = mpiperf.cases[0].estimate.expect("MPIPerf prints an interval");
    assert!(estimate.low <= estimate.value && estimate.value <= estimate.high);
    let slower = mpiperf.cases.iter().map(|case| {
        let estimate =
            case.estimate.map(|of| Estimate { value: 2.0 * of.value, low: 2.0 * of.low, high: 2.0 * of.high });
        Sampled { estimate, ..case.clone() }
    });
    let slower = Side { cases: slower.collect(), ..mpiperf.clone() };
    let found = contrast(&[mpiperf, slower], &Choice::default(), DEMAND).expect("two sides");
    let shown = found.pairs[0].rows.iter().filter(|row| row.effect.verdict == Verdict::Slower).count();
    assert!(shown > 10, "twice as slow: {found:?}");
}

#[test]
fn a_reduce_scatter_is_counted_by_blocks() {
    let rows = [("osu", "256", 4, "64"), ("osu", "6", 4, "6")];
    for (_, bytes, ranks, expected) in rows {
        let row = import::PrintedRow {
            benchmark: "Reduce_scatter Latency".to_owned(),
            collective: Some(models::collective::Collective::ReduceScatter),
            ranks: Some(ranks),
            bytes: bytes.parse().ok(),
            columns: vec![import::Column { head: String::new(), name: "mean_us".to_owned(), value: Some(1.0) }],
            ..import::PrintedRow::default()
        };
        let run = import::Imported { rows: vec![row], ..text("osu.default.bcast.np2.r7.txt").remove(0) };
        let side = imported("osu", &[run], None).expect("a time");
        assert_eq!(side.cases[0].key.text(Axis::Bytes), expected);
    }
}

fn machine_text(alpha: Estimate) -> String {
    let provenance = Provenance {
        date: "2026-11-21".to_owned(),
        host: "n1".to_owned(),
        ran_by: "unit".to_owned(),
        how: "made up".to_owned(),
        confidence: 0.99,
    };
    let beta_ns_per_byte = Estimate { value: 1.0, low: 0.999, high: 1.001 };
    let hockney = HockneyEstimate { alpha_us: alpha, beta_ns_per_byte, send_rule: SendRule::Busy };
    Machine::new("unit", provenance, hockney).text()
}

#[test]
fn machine_files_are_held_against_each_other_parameter_by_parameter() {
    let of = |value: f64| {
        machine("m.toml", &machine_text(Estimate { value, low: 0.98 * value, high: 1.02 * value })).expect("a machine")
    };
    let found = contrast(&[of(5.0), of(6.0)], &Choice::default(), DEMAND).expect("two machines");
    let rows = &found.pairs[0].parameters.rows;
    let verdict = |name: &str| rows.iter().find(|row| row.parameter == name).expect(name).effect.verdict;
    assert_eq!(verdict("hockney.alpha_us"), Verdict::Slower);
    assert_eq!(verdict("hockney.beta_ns_per_byte"), Verdict::Same);
    assert_eq!(verdict("control_us"), Verdict::Undecided, "it has no interval");
    let text = table(&found);
    insta::assert_snapshot!(text.lines().next().expect("a sentence"));
    let close = contrast(&[of(5.0), of(5.1)], &Choice::default(), DEMAND).expect("two machines");
    assert_eq!(close.pairs[0].parameters.rows[0].effect.verdict, Verdict::Undecided);
    assert_eq!(failures(&found, &["slower:10%".parse().expect("a reason")]).len(), 1);
    // What was found without any doubt differs, too, and is told in its own unit.
    let exact =
        |value: f64| machine("m.toml", &machine_text(Estimate { value, low: value, high: value })).expect("one");
    let exact = contrast(&[exact(5.0), exact(6.0)], &Choice::default(), DEMAND).expect("two machines");
    let alpha = &exact.pairs[0].parameters.rows[0];
    assert_eq!(
        (alpha.parameter.as_str(), alpha.effect.quantity, alpha.effect.verdict),
        ("hockney.alpha_us", Quantity::Time, Verdict::Slower)
    );
    assert_eq!(exact.pairs[0].parameters.rows[1].effect.quantity.unit(), "ns/B");
    assert!(machine("m.toml", "name = 3").unwrap_err().starts_with("m.toml line 1"));
}
