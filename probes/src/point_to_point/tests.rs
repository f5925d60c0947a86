use super::tables::two_columns;
use super::{Matrix, Report, Spoken, Statistic, report as told, summary};
use crate::forms;
use crate::tested::summary as of_campaign;
use models::platform::LatencyMatrix as Latencies;
use models::time::Span;
use programs::point_to_point::{
    Buffers, Exchanges, Latency, LatencyMatrix, Order, Record, Repeats, Test, Transfer, Way,
};
use render::plots::heat_map;
use roxmltree::Document;
use scenario::axis::Key;
use scenario::store::{CampaignLines, Line, TaskResult, Tested};

const REPEATS: Repeats = Repeats { large_above: 8192, small: (0, 3), large: (0, 3) };

/// Three exchanges whose times are α + L·1 ns, the last one 10 µs longer, for each message on its way.
fn exchanges(way: Way, to: u32, bytes: u64) -> Exchanges {
    let transfer = Span::from_us(2) + Span::from_ns(bytes);
    let messages = if way == Way::PingPong { 2 } else { 1 };
    let round_trips = [Span::ZERO, Span::ZERO, Span::from_us(10)].map(|late| (transfer + late) * messages).to_vec();
    Exchanges { way, from: 0, to, bytes, round_trips }
}

fn report(test: Test, exchanges: Vec<Exchanges>, ranks: u32) -> Report {
    let record = Record { clock_read: Span::from_ns(20), exchanges };
    Report { cores: Some(2), ..Report::from_record(test, "a library on a host".to_owned(), ranks, record) }
}

fn latency() -> Report {
    let bytes = vec![1, 1_024, 1_048_576];
    let all = bytes.iter().map(|&bytes| exchanges(Way::PingPong, 1, bytes)).collect();
    report(Test::Latency(Latency { bytes, repeats: REPEATS, buffers: Buffers::Same }), all, 2)
}

fn transfer() -> Report {
    let bytes = vec![0, 1_000, 1_000_000];
    let ways = [Way::PingPong, Way::BothWays];
    let all =
        ways.into_iter().flat_map(|way| bytes.iter().map(move |&bytes| exchanges(way, 1, bytes)).collect::<Vec<_>>());
    report(
        Test::Transfer(Transfer { bytes: bytes.clone(), repeats: REPEATS, both_ways: true, buffers: Buffers::Same }),
        all.collect(),
        4,
    )
}

#[test]
fn sizes_and_mean_latencies_stand_in_the_columns_that_scripts_read() {
    // printf("%-10d%20.2f\n"), byte by byte.
    let expected = "1                         5.33\n1024                      6.36\n1048576                1053.91\n";
    assert_eq!(two_columns(&latency()), expected);
}

#[test]
fn bandwidth_is_two_messages_over_the_time_of_both() {
    let report = transfer();
    let rows = |way| report.rows.iter().filter(move |row| row.way == way);
    // One way a megabyte takes 2 µs + 1 ms; both ways at once two megabytes do.
    let at_median = |way| rows(way).map(|row| row.bandwidth(row.median_us.value)).collect::<Vec<_>>();
    assert_eq!(at_median(Way::PingPong), [None, Some(1_000.0 / 3.0), Some(1_000_000.0 / 1_002.0)]);
    assert_eq!(at_median(Way::BothWays), [None, Some(2_000.0 / 3.0), Some(2_000_000.0 / 1_002.0)]);
    // R = 2NL/T with T the time of all N.
    let total: Span = report.record.exchanges[2].round_trips.iter().copied().sum();
    let expected = 2.0 * 3.0 * 1e6 / total.as_us();
    let last = rows(Way::PingPong).next_back().expect("a row");
    assert!((last.bandwidth(last.mean_us).expect("bytes") - expected).abs() < 1e-9);
    let fit = &report.fits[0];
    assert!((fit.latency_us().expect("a line").value - 2.0).abs() < 1e-9, "{fit:?}");
    assert!((fit.bandwidth().expect("a line").value - 1_000.0).abs() < 1e-6, "{fit:?}");
}

#[test]
fn a_transfer_says_its_units_and_that_ranks_were_too_many() {
    insta::assert_snapshot!(forms::table(&summary(&transfer(), Spoken::default())));
}

#[test]
fn json_has_every_kind_of_number() {
    let all = forms::json(&summary(&transfer(), Spoken::default()));
    assert_eq!((&all["oversubscribed"], &all["clock_read_ps"]), (&true.into(), &20_000.into()));
    let results = all["results"].as_array().expect("a list");
    assert_eq!(results.len(), 6);
    let of = |name: &str| results[1][name].as_f64().expect("a number");
    assert_eq!(
        ["median_us", "median_low_us", "median_high_us", "min_us", "max_us"].map(of),
        [3.0, 3.0, 13.0, 3.0, 13.0]
    );
    assert!((of("reached") - 0.75).abs() < 1e-9, "three exchanges cannot reach 95 %");
    assert!(results[0]["bandwidth_mb_per_s"].is_null(), "no bytes, no bandwidth");
    assert!(all["fits"][0]["none_because"].is_null() && all["fits"][0]["latency_us"].is_number());
}

#[test]
fn nothing_that_was_not_measured_has_a_number() {
    let nothing = Exchanges { round_trips: Vec::new(), ..exchanges(Way::PingPong, 1, 1) };
    let instant = |bytes| Exchanges { round_trips: vec![Span::ZERO], ..exchanges(Way::PingPong, 1, bytes) };
    let test = || Test::Latency(Latency { bytes: vec![1], repeats: REPEATS, buffers: Buffers::Same });
    assert!(report(test(), vec![nothing], 2).rows.is_empty());
    let report = report(test(), vec![instant(1), instant(2)], 2);
    assert_eq!(report.rows[0].bandwidth(report.rows[0].mean_us), None);
    assert_eq!(report.rows[0].mean_interval_us, None);
    let text = forms::table(&summary(&report, Spoken::default()));
    insta::assert_snapshot!(text.lines().find(|line| line.contains("no line")).expect("it is said"));
}

fn matrix(ranks: u32) -> (Report, Matrix) {
    let test = LatencyMatrix { bytes: 4, repeats: (0, 3), order: Order::OneByOne, buffers: Buffers::Same };
    let pairs = (0..ranks).flat_map(|from| (from + 1..ranks).map(move |to| (from, to)));
    let of = |(from, to): (u32, u32)| {
        let half = Span::from_ns(u64::from(1_000 * from + 100 * to));
        Exchanges {
            way: Way::PingPong,
            from,
            to,
            bytes: 4,
            round_trips: [half, half, half * 5].map(|h| h * 2).to_vec(),
        }
    };
    let report = report(Test::LatencyMatrix(test), pairs.map(of).collect(), ranks);
    let matrix = Matrix::from_report(&report, Spoken::default());
    (report, matrix)
}

#[test]
fn the_matrix_file_is_golden_and_the_simulator_reads_it() {
    let (report, matrix) = matrix(3);
    let expected = "0.000000 0.100000 0.200000\n0.100000 0.000000 1.200000\n0.200000 1.200000 0.000000\n";
    assert_eq!((matrix.text().as_str(), matrix.file_name().as_str()), (expected, "latency_matrix3_measured.txt"));
    let read = Latencies::parse("a file", &matrix.text()).expect("it is a matrix");
    assert_eq!((read.ranks(), read.between(1, 2), read.between(2, 1)), (3, Span::from_ns(1_200), Span::from_ns(1_200)));
    assert_eq!(
        Matrix::from_report(&report, Spoken { statistic: Statistic::Mean, less: Span::ZERO }).rows()[0][1],
        0.7 / 3.0
    );
    let less = Matrix::from_report(&report, Spoken { statistic: Statistic::Min, less: Span::from_ns(150) });
    assert_eq!(less.rows()[0][1], 0.0, "not below zero");
    assert!((less.rows()[2][1] - 1.05).abs() < 1e-12);
}

#[test]
fn small_matrices_are_shown_with_shades_and_large_ones_by_their_range() {
    let said = |ranks| forms::table(&summary(&matrix(ranks).0, Spoken::default()));
    assert!(said(17).contains("half a round trip, median of each pair: ") && !said(17).contains('█'), "{}", said(17));
    insta::assert_snapshot!(said(3));
}

#[test]
fn the_heat_map_has_a_square_for_each_pair_and_the_longest_is_the_darkest() {
    for ranks in [2, 3, 40] {
        let (_, matrix) = matrix(ranks);
        let drawing = heat_map(matrix.pairs(), "Latencies & more", &["a note".to_owned()]);
        crate::room_tests::finds_room(&drawing, "Latencies & more");
        let svg = drawing.to_string();
        assert!(svg.contains("<desc>a note</desc>"), "{svg}");
        let document = Document::parse(&svg).expect("well-formed");
        let fills = |fill: &str| {
            let all = document.descendants().filter(|node| node.attribute("fill") == Some(fill));
            all.filter_map(|node| Some(node.attribute("d")?.matches('M').count())).sum::<usize>()
        };
        assert_eq!(fills("#DDE1E6"), ranks as usize, "the diagonal");
        if ranks > 2 {
            assert_eq!(fills("#052F57"), 2, "the longest, both ways");
        }
        let texts = document.descendants().filter(|node| node.tag_name().name() == "text");
        let texts: Vec<&str> = texts.filter_map(|node| node.text()).map(str::trim).collect();
        let scale = if ranks == 40 { "µs (log.)" } else { "µs" };
        assert!(texts.contains(&"Latencies & more") && texts.contains(&scale), "{texts:?}");
        assert_eq!(texts.contains(&"0.200"), ranks == 3, "numbers where there is room: {texts:?}");
    }
}

#[test]
fn latencies_that_are_alike_keep_their_digits_and_those_far_apart_have_shades_of_their_logarithms() {
    let of = |halves: [u64; 3]| {
        let pairs = [(0, 1), (0, 2), (1, 2)].into_iter().zip(halves);
        let all = pairs.map(|((from, to), ns)| {
            let round_trips = vec![Span::from_ns(2 * ns)];
            Exchanges { way: Way::PingPong, from, to, bytes: 4, round_trips }
        });
        let test = LatencyMatrix { bytes: 4, repeats: (0, 1), order: Order::AtOnce, buffers: Buffers::Same };
        Matrix::from_report(&report(Test::LatencyMatrix(test), all.collect(), 3), Spoken::default()).pairs().clone()
    };
    let alike = of([301_705, 302_128, 303_156]);
    assert_eq!((alike.print(301.705), alike.print(303.156)), ("301.7".to_owned(), "303.2".to_owned()));
    assert!(!alike.is_log() && (alike.share(302.4305) - 0.5).abs() < 1e-9);
    let apart = of([1_000, 10_000, 100_000]);
    assert!(apart.is_log() && (apart.share(10.0) - 0.5).abs() < 1e-9);
    assert!(heat_map(&apart, "t", &[]).to_string().contains("µs (log.)"));
    assert_eq!(of([5, 5, 5]).share(0.005), 0.0, "all alike");
}

/// A campaign that is such a test.
pub(crate) fn campaign(report: &Report, late: Span) -> Vec<Line> {
    let mut record = report.record.clone();
    record.exchanges.iter_mut().flat_map(|of| &mut of.round_trips).for_each(|trip| *trip = *trip + late);
    let mut first = crate::fixture::campaign();
    let Line::Campaign { name, .. } = &mut first else { unreachable!() };
    *name = report.test.to_string();
    let found = TaskResult::Exchanged { test: report.test.clone(), record };
    let tested = Tested { ran_by: report.ran_by.clone(), ..crate::tested::fixture(report.ranks, found) };
    vec![first, Line::Tested(Box::new(tested)), Line::Finished {}]
}

#[test]
fn a_campaign_says_what_its_test_said_and_has_a_page() {
    for (of, picture) in [(latency(), "messages-0-1"), (transfer(), "messages-0-1"), (matrix(3).0, "latency-matrix")] {
        let lines = campaign(&of, Span::ZERO);
        let read = told(&lines).expect("a test");
        assert_eq!((&read.rows, &read.record), (&of.rows, &of.record));
        assert_eq!((read.launch.as_deref(), read.notes.len()), (Some("mpiexec -n 2"), 1));
        let page = of_campaign(&lines).expect("a page").page;
        let figures = || page.sections.iter().flat_map(|section| &section.figures);
        assert!(figures().any(|figure| figure.name == picture), "{:?}", page.sections);
        let numbers = page.sections.iter().find(|section| section.heading == "All numbers").expect("a table");
        assert_eq!(numbers.tables[0].rows.len(), of.rows.len());
        assert!(page.answer.starts_with("A message of ") && page.details.contains(&read.notes[0]), "{}", page.answer);
    }
    let lines = [crate::fixture::campaign()];
    assert!(told(&lines).is_none() && of_campaign(&lines).is_none());
}

#[test]
fn cases_of_such_a_campaign_are_lengths_and_ways() {
    let medians = |late| {
        let lines = campaign(&transfer(), late);
        let tested = CampaignLines::from(&lines[..]).tested().next().expect("a test");
        let all = crate::cases::cases(tested).into_iter();
        let of = |(key, times): (Key, Vec<f64>)| (key.to_string(), statistics::median(&times).expect("times"));
        all.map(of).collect::<Vec<_>>()
    };
    let sides = [Span::ZERO, Span::from_us(4)].map(medians);
    assert_eq!(sides[0].len(), 6, "three lengths, two ways");
    // Four microseconds later there and back.
    for ((name, before), (same, after)) in sides[0].iter().zip(&sides[1]) {
        let later = if name.starts_with("ping-pong") { 2.0 } else { after - before };
        assert!(name == same && (after - before - later).abs() < 1e-9, "{name}: {before} {after}");
    }
}
