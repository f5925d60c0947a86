use super::{Grains, Shown};
use models::noise::{Detour, DetourTrace};
use models::time::{Span, Time};
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
    Recording::of(&traces.collect::<Vec<_>>()).expect("traces")
}

#[test]
fn three_ranks_are_told_class_by_class_and_played() {
    let classes = Class::between(&[Span::ZERO, Span::from_us(25)]);
    let shown = Shown::of(recording(), &classes, &[1, 3]);
    let grains = |list: &[u64]| {
        let grains = list.iter().copied().map(Span::from_us).collect();
        Grains::of(&recording(), grains, &classes, &[1, 3])
    };
    let (some, long) = (grains(&[80, 40, 60]), grains(&[1_800]));
    insta::assert_snapshot!([shown.text(), shown.csv(), some.text(), long.text()].join("\n"));
    assert_eq!(shown.json()["classes"].as_array().map(Vec::len), Some(6));
    assert_eq!(some.json()["rows"][1]["mean_us"], 196.0);
    // The same grains alone, as by hand.
    let sixty = grains(&[60]).json();
    let closed = |key: &str| sixty["rows"][1][key].as_f64().expect("a number");
    assert!((closed("closed_form") - 0.919_576_52).abs() < 1e-7);
    assert!((closed("closed_form_of_active") - 0.943_977_11).abs() < 1e-7);
}
