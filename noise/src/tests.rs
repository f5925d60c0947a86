use super::{Counted, Fitted, Grains, Shown};
use crate::forms::{json, table};
use models::noise::{Detour, DetourTrace, WorkCounts};
use models::time::{Span, Time};
use render::results::Results;
use statistics::noise::{Class, Recording};

fn recording() -> Recording {
    let ranks: [&[(u64, u64)]; 3] = [&[(100, 20), (400, 50)], &[(110, 20), (600, 10)], &[(415, 30)]];
    let traces = (0..).zip(ranks).map(|(rank, detours)| DetourTrace {
        name: format!("traces/rank-{rank}.detours"),
        length: Span::from_us(1_000),
        detours: detours
            .iter()
            .map(|&(start, duration)| Detour {
                start: Time::ZERO + Span::from_us(start),
                duration: Span::from_us(duration),
            })
            .collect(),
        header: vec![("host".to_owned(), format!("node{}", rank / 2))],
    });
    Recording::from_traces(&traces.collect::<Vec<_>>()).expect("traces")
}

#[test]
fn three_ranks_are_told_class_by_class_and_played() {
    let classes = Class::between(&[Span::ZERO, Span::from_us(25)]);
    let shown = Shown::from_recording(recording(), &classes, &[1, 3]);
    let grains = |list: &[u64]| {
        let grains = list.iter().copied().map(Span::from_us).collect();
        Grains::predict(&recording(), grains, &classes, &[1, 3])
    };
    let (some, long) = (grains(&[80, 40, 60]), grains(&[1_800]));
    insta::assert_snapshot!([table(&shown), shown.csv(), table(&some), table(&long)].join("\n"));
    assert_eq!(json(&shown)["classes"].as_array().map(Vec::len), Some(6));
    assert_eq!(json(&some)["rows"][1]["mean_us"], 196.0);
    // The same grains alone, as by hand.
    let sixty = json(&grains(&[60]));
    let closed = |key: &str| sixty["rows"][1][key].as_f64().expect("a number");
    assert!((closed("closed_form") - 0.919_576_52).abs() < 1e-7);
    assert!((closed("closed_form_of_active") - 0.943_977_11).abs() < 1e-7);
}

#[test]
fn a_page_has_pictures_with_their_numbers_and_says_what_is_periodic() {
    // A timer of 4 ms on one rank, and rare long detours on another.
    let detour = |start: u64, us: u64| Detour { start: Time::ZERO + Span::from_us(start), duration: Span::from_us(us) };
    let trace = |rank: u32, detours: Vec<Detour>| DetourTrace {
        name: format!("rank-{rank}.detours"),
        length: Span::from_ms(2_000),
        detours,
        header: vec![("rank".to_owned(), rank.to_string()), ("host".to_owned(), "node".to_owned())],
    };
    let timer = (0..500).map(|k| detour(4_000 * k, 20)).collect();
    let rare = (0..4).map(|k| detour(100_000 + 400_000 * k, 3_000)).collect();
    let recording = Recording::from_traces(&[trace(0, timer), trace(1, rare)]).expect("traces");
    let classes = Class::between(&[Span::ZERO, Span::from_us(100)]);
    let shown = Shown::from_recording(recording, &classes, &[1, 2]);
    let mut page = shown.page();
    page.sections.extend(shown.pictures());
    let figures: Vec<&str> =
        page.sections.iter().flat_map(|section| &section.figures).map(|figure| figure.name.as_str()).collect();
    assert_eq!(figures, ["oscillogram", "durations", "spectrum"]);
    assert!(page.answer.starts_with("Rank 1 loses most: 0.600 % of its time to 4 detours"), "{}", page.answer);
    let folder = tempfile::tempdir().expect("a folder");
    let html = std::fs::read_to_string(page.write(folder.path()).expect("it is written")).expect("text");
    assert!(
        html.contains("Coincidence") && (html.contains("249.9") || html.contains("250.")),
        "the timer stands in a table"
    );
    let csv = std::fs::read_to_string(folder.path().join("pictures/oscillogram.csv")).expect("numbers");
    assert_eq!(csv.lines().filter(|line| !line.starts_with('#')).count(), 505);
    for figure in
        page.sections.iter().flat_map(|section| &section.figures).filter(|figure| figure.name == "oscillogram")
    {
        crate::room_tests::finds_room(&figure.drawing, "Detours over time");
    }
}

#[test]
fn counts_of_work_are_told_with_what_intervals_lost() {
    // Every fourth interval of 1 ms does a tenth less.
    let units = |place: u64| if place % 4 == 1 { 900 } else { 1_000 };
    let counts = (0..1_024).map(|place| (Time::ZERO + Span::from_ms(place), units(place))).collect();
    let header = vec![("host".to_owned(), "node".to_owned())];
    let work = WorkCounts { name: "rank-0.counts".to_owned(), interval: Span::from_ms(1), counts, header };
    let counted = Counted::new(vec![(0, work)]);
    insta::assert_snapshot!(table(&counted));
    let all = json(&counted);
    let rank = &all["ranks"][0];
    let share = |key: &str| rank[key].as_f64().expect("a share");
    assert!((share("lost") - 0.025).abs() < 1e-12 && (share("most_lost") - 0.1).abs() < 1e-12, "{rank}");
    assert!((all["peaks"][0]["frequency_hz"].as_f64().expect("a period of 4 ms") - 250.0).abs() < 1.0, "{rank}");
    assert!(counted.csv().lines().any(|line| line == "0,1000,900,0.1"), "{}", counted.csv());
    let page = counted.page();
    let figures: Vec<&str> =
        page.sections.iter().flat_map(|section| &section.figures).map(|figure| figure.name.as_str()).collect();
    assert_eq!(figures, ["work", "spectrum"]);
}

#[test]
fn a_fit_tells_how_grains_are_delayed() {
    let fitted = Fitted::from_recording(&recording(), &[Span::from_us(40), Span::from_ms(2)]);
    insta::assert_snapshot!(table(&fitted));
    let grain = &json(&fitted)["by_grain"][0];
    let (mean, delayed) = (grain["mean_us"].as_f64().expect("a mean"), grain["delayed"].as_f64().expect("a share"));
    // What the whole recordings lose against what they work: 130 µs of 3 ms.
    assert!((mean / 40.0 - 130.0 / 2_870.0).abs() < 0.01, "{grain}");
    let csv = fitted.csv();
    let first = csv.lines().nth(1).expect("grains without a delay");
    assert_eq!(
        first
            .rsplit(',')
            .next()
            .and_then(|beyond| beyond.parse::<f64>().ok())
            .map(|beyond| (beyond - delayed).abs() < 1e-5),
        Some(true),
        "{first}"
    );
    assert_eq!(csv.lines().last().map(|line| line.ends_with(",0")), Some(true), "{csv}");
}
