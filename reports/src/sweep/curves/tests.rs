use super::draw::render_chart;
use super::looks::dashes;
use super::{Chart, Curve, Looked, cheapest, crossovers};
use crate::forms::{json, table};
use proptest::prelude::*;
use render::plots::Paper;
use render::results::Results;
use roxmltree::Document;
use scenario::axis::Axis;

fn curve(name: &str, points: &[(f64, f64)]) -> Curve {
    Curve { name: name.to_owned(), points: points.to_vec() }
}

/// Place, bracket, before, after.
fn found(curves: &[Curve]) -> Vec<(f64, (f64, f64), String, String)> {
    crossovers(curves).into_iter().map(|c| (c.x, c.between, c.from, c.to)).collect()
}

fn crossing(x: f64, between: (f64, f64), from: &str, to: &str) -> (f64, (f64, f64), String, String) {
    (x, between, from.to_owned(), to.to_owned())
}

/// Broadcast on 16 ranks under Hockney, α = 10 µs, β = 0.01 µs/B: binomial against scatter and ring allgather.
fn broadcast() -> Chart {
    let lengths = || (0..=20).map(|power| f64::from(1u32 << power));
    let (alpha, beta) = (10.0, 0.01);
    let binomial = lengths().map(|m| (m, 4.0 * (alpha + m * beta))).collect();
    let ring = lengths().map(|m| (m, 19.0 * alpha + 2.0 * 15.0 / 16.0 * m * beta)).collect();
    let linear = lengths().map(|m| (m, 15.0 * (alpha + m * beta))).collect();
    Chart {
        title: "Broadcast on 16 ranks".to_owned(),
        notes: Vec::new(),
        over: Axis::Bytes,
        cheapest: true,
        looked: Looked::default(),
        curves: vec![
            Curve { name: "linear".to_owned(), points: linear },
            Curve { name: "binomial".to_owned(), points: binomial },
            Curve { name: "scatter-ring-allgather".to_owned(), points: ring },
        ],
    }
}

#[test]
fn lines_cross_where_they_do() {
    let rising = curve("rising", &[(2.0, 3.0), (8.0, 9.0)]);
    let level = curve("level", &[(2.0, 5.0), (8.0, 5.0)]);
    let both = [rising, level];
    assert_eq!(found(&both), [crossing(4.0, (2.0, 8.0), "rising", "level")]);
    assert_eq!(crossovers(&both)[0].us, 5.0);
    let stretches: Vec<(f64, f64, String)> = cheapest(&both).into_iter().map(|s| (s.from, s.to, s.name)).collect();
    assert_eq!(stretches, [(2.0, 4.0, "rising".to_owned()), (4.0, 8.0, "level".to_owned())]);
}

#[test]
fn several_crossings_between_two_places_are_all_found() {
    let steep = curve("steep", &[(0.0, 0.0), (8.0, 16.0)]);
    let middle = curve("middle", &[(0.0, 3.0), (8.0, 7.0)]);
    let level = curve("level", &[(0.0, 5.0), (8.0, 5.0)]);
    let high = curve("high", &[(0.0, 9.0), (8.0, 9.0)]);
    let expected = [crossing(2.0, (0.0, 8.0), "steep", "middle"), crossing(4.0, (0.0, 8.0), "middle", "level")];
    assert_eq!(found(&[high, level, middle, steep]), expected);
}

#[test]
fn the_closed_form_of_the_models_comes_out() {
    // 4(α + mβ) = 19α + 2·15/16·mβ at m = 15α / ((4 − 30/16) β).
    let expected = 15.0 * 10.0 / ((4.0 - 30.0 / 16.0) * 0.01);
    let all = crossovers(&broadcast().curves);
    assert_eq!(all.len(), 1);
    assert!((all[0].x / expected - 1.0).abs() < 1e-9, "{} {expected}", all[0].x);
    assert_eq!((all[0].between, all[0].from.as_str()), ((4096.0, 8192.0), "binomial"));
}

#[test]
fn ties_change_nothing_and_always_fall_the_same_way() {
    let first = curve("first", &[(1.0, 1.0), (2.0, 1.0), (3.0, 2.0)]);
    let second = curve("second", &[(3.0, 1.0), (1.0, 1.0), (2.0, 1.0)]);
    assert_eq!(found(&[first.clone(), second.clone()]), [crossing(2.0, (2.0, 3.0), "first", "second")]);
    assert_eq!(found(&[second.clone(), first.clone()]), []);
    assert_eq!(cheapest(&[second, first.clone()])[0].name, "second");
    let twin = curve("twin", &first.points);
    assert_eq!(found(&[first.clone(), twin]), []);
    let touches = curve("touches", &[(1.0, 2.0), (2.0, 1.0), (3.0, 3.0)]);
    assert_eq!(found(&[first, touches]), []);
    // The same line, known at other places: what interpolation rounds is no crossing.
    let coarse = curve("coarse", &[(0.1, 0.3), (7.3, 2.7)]);
    let line = |x: f64| (x, 0.3 + (x - 0.1) / 3.0);
    let fine = curve("fine", &[line(0.1), line(0.7), line(1.9), line(3.3), line(5.1), (7.3, 2.7)]);
    assert_eq!(found(&[coarse, fine]), []);
}

#[test]
fn a_tie_at_the_left_end_goes_to_the_one_that_is_cheaper_next() {
    let level = curve("level", &[(1.0, 1.0), (2.0, 1.0)]);
    let falling = curve("falling", &[(1.0, 1.0), (2.0, 0.5)]);
    assert_eq!(found(&[level.clone(), falling.clone()]), []);
    assert_eq!(cheapest(&[level, falling])[0].name, "falling");
}

#[test]
fn curves_count_only_where_they_have_data() {
    let short = curve("short", &[(1.0, 1.0), (4.0, 1.0)]);
    let long = curve("long", &[(1.0, 2.0), (8.0, 2.0)]);
    let late = curve("late", &[(6.0, 1.5), (8.0, 1.5)]);
    let expected = [crossing(4.0, (4.0, 4.0), "short", "long"), crossing(6.0, (6.0, 6.0), "long", "late")];
    assert_eq!(found(&[short.clone(), long, late.clone()]), expected);
    // Nothing is known between 4 and 6.
    assert_eq!(found(&[short.clone(), late.clone()]), []);
    assert_eq!(cheapest(&[short, late]).len(), 2);
    assert_eq!((found(&[]), cheapest(&[curve("none", &[])])), (vec![], vec![]));
    let points = [curve("a", &[(3.0, 2.0)]), curve("b", &[(3.0, 1.0), (f64::NAN, 0.0), (4.0, f64::INFINITY)])];
    assert_eq!((cheapest(&points)[0].name.as_str(), cheapest(&points).len()), ("b", 1));
}

/// The time of a curve at a place within its data.
fn time_at(curve: &Curve, x: f64) -> f64 {
    let pair = curve.points.windows(2).find(|pair| (pair[0].0..=pair[1].0).contains(&x)).expect("within");
    pair[0].1 + (pair[1].1 - pair[0].1) * (x - pair[0].0) / (pair[1].0 - pair[0].0)
}

proptest! {
    #[test]
    fn no_curve_is_cheaper_than_the_cheapest(times in prop::collection::vec(prop::collection::vec(0u32..50, 6), 1..5)) {
        let points = |times: &Vec<u32>| (0..).zip(times).map(|(x, &us)| (f64::from(1 << x), f64::from(us))).collect();
        let curves: Vec<Curve> =
            (0..).zip(&times).map(|(nth, times)| Curve { name: format!("{nth}"), points: points(times) }).collect();
        let stretches = cheapest(&curves);
        prop_assert_eq!((stretches[0].from, stretches.last().expect("one").to), (1.0, 32.0));
        prop_assert!(stretches.windows(2).all(|pair| pair[0].to == pair[1].from));
        for stretch in &stretches {
            let named = curves.iter().find(|curve| curve.name == stretch.name).expect("known");
            for share in [0.0, 0.3, 0.7, 1.0] {
                let x = stretch.from + (stretch.to - stretch.from) * share;
                let least = curves.iter().map(|curve| time_at(curve, x)).fold(f64::INFINITY, f64::min);
                prop_assert!(time_at(named, x) <= least + 1e-6, "{} at {}", stretch.name, x);
            }
        }
        let found = crossovers(&curves);
        prop_assert_eq!(found.len() + 1, stretches.len());
        for (crossover, pair) in found.iter().zip(stretches.windows(2)) {
            prop_assert_eq!((&crossover.from, &crossover.to, crossover.x), (&pair[0].name, &pair[1].name, pair[0].to));
            prop_assert!(crossover.between.0 <= crossover.x && crossover.x <= crossover.between.1);
        }
    }
}

#[test]
fn tables_and_data_say_what_the_plot_shows() {
    let chart = broadcast();
    let text = "Broadcast on 16 ranks

  message length from  to     cheapest
  1 B                  4 KiB  binomial
  8 KiB                1 MiB  scatter-ring-allgather
  crossover  first at  between          before    after
  1          –         4 KiB and 8 KiB  binomial  scatter-ring-allgather
";
    let drawn = chart.drawn();
    assert_eq!(table(&drawn), text);
    let html = drawn.html().expect("filled in");
    for words in ["4 KiB and 8 KiB", "binomial", "scatter-ring-allgather"] {
        assert!(html.contains(words), "{words}");
    }
    let names = Chart {
        notes: Vec::new(),
        title: String::new(),
        over: Axis::Ranks,
        cheapest: true,
        looked: Looked::default(),
        curves: vec![curve("a, \"b\"", &[(4.0, 0.1), (2.0, 3.0)]), curve("plain", &[(2.0, 1e-7)])],
    };
    let empty = Chart { curves: Vec::new(), ..names.clone() };
    let drawn = names.drawn();
    assert_eq!(drawn.csv(), "ranks,algorithm,time_us\n2,\"a, \"\"b\"\"\",3\n4,\"a, \"\"b\"\"\",0.1\n2,plain,1e-7\n");
    assert_eq!(json(&drawn)["points"][1], serde_json::json!({ "ranks": 4, "algorithm": "a, \"b\"", "time_us": 0.1 }));
    let drawn = empty.drawn();
    assert_eq!((table(&drawn).as_str(), drawn.csv().as_str()), ("  no data\n", "ranks,algorithm,time_us\n"));
}

#[test]
fn the_plot_names_ticks_crossovers_and_curves_off_the_field() {
    crate::room_tests::finds_room(&broadcast().drawn().drawing, &broadcast().title);
    let svg = render_chart(&broadcast(), &Paper::default());
    let document = Document::parse(&svg).expect("well-formed");
    let texts: Vec<(f64, &str)> = document
        .descendants()
        .filter(|node| node.tag_name().name() == "text")
        .filter_map(|node| Some((node.attribute("x")?.parse().ok()?, node.text()?.trim())))
        .collect();
    let x_of = |words: &str| texts.iter().filter(|(_, text)| *text == words).map(|(x, _)| *x).fold(0.0, f64::max);
    for name in ["linear", "binomial", "scatter-ring-allgather"] {
        assert!(x_of(name) > 78.0 + 600.0, "{name} at {}", x_of(name));
    }
    for words in ["1 KiB", "32 KiB", "1 MiB", "1", "cheapest", "message length (logarithmic)", "time, ms (logarithmic)"]
    {
        assert!(texts.iter().any(|(_, text)| *text == words), "{words}: {texts:?}");
    }
    let ring = document.descendants().find(|node| node.attribute("r") == Some("8")).expect("a ring");
    let x: f64 = ring.attribute("cx").expect("place").parse().expect("a number");
    assert!((x_of("4 KiB").max(300.0)..x_of("32 KiB")).contains(&x), "{x}");
}

#[test]
fn zeros_one_point_many_curves_and_strange_names_are_drawn() {
    let charts = [
        Chart {
            title: "none".to_owned(),
            notes: Vec::new(),
            over: Axis::Ranks,
            curves: Vec::new(),
            cheapest: true,
            looked: Looked::default(),
        },
        Chart {
            title: "<&>".to_owned(),
            notes: Vec::new(),
            over: Axis::Bytes,
            cheapest: true,
            looked: Looked::default(),
            curves: vec![curve("</text>\"&", &[(0.0, 0.0), (1.0, 2.0)])],
        },
        Chart {
            title: "one".to_owned(),
            notes: Vec::new(),
            over: Axis::Ranks,
            cheapest: true,
            looked: Looked::default(),
            curves: vec![curve("one", &[(1.0, 5.0)])],
        },
        Chart {
            title: "many".to_owned(),
            notes: Vec::new(),
            over: Axis::Ranks,
            cheapest: true,
            looked: Looked::default(),
            curves: (1..40).map(|nth| curve(&"long ".repeat(nth), &[(2.0, nth as f64), (1e6, 40.0)])).collect(),
        },
        Chart {
            title: "zero".to_owned(),
            notes: Vec::new(),
            over: Axis::Bytes,
            cheapest: true,
            looked: Looked::default(),
            curves: vec![curve("zero", &[(0.0, 0.0), (0.0, 0.0)])],
        },
    ];
    for chart in charts {
        if !chart.title.is_empty() && chart.title != "<&>" {
            crate::room_tests::finds_room(&chart.clone().drawn().drawing, &chart.title);
        }
        let svg = render_chart(&chart, &Paper::default());
        Document::parse(&svg).unwrap_or_else(|error| panic!("{}: {error}", chart.title));
        let page = chart.clone().drawn().html().expect("filled in");
        assert!(!svg.contains("NaN") && !page.contains("<&>"), "{}", chart.title);
    }
    let zero = Chart {
        title: String::new(),
        notes: Vec::new(),
        over: Axis::Ranks,
        cheapest: true,
        looked: Looked::default(),
        curves: vec![curve("a", &[(1.0, 0.0), (2.0, 3.0)])],
    };
    assert!(
        render_chart(&zero, &Paper::default()).contains("zero is not drawn")
            && !render_chart(&broadcast(), &Paper::default()).contains("zero is not drawn")
    );
}

#[test]
fn a_crossover_is_a_whole_number_or_lies_between_two() {
    // 2x and x + 7: equal at 7, cheaper at 8.
    let (steep, flat) = (|x: f64| 2.0 * x, |x: f64| x + 7.0);
    let curves = [
        curve("steep", &[(2.0, steep(2.0)), (32.0, steep(32.0))]),
        curve("flat", &[(2.0, flat(2.0)), (32.0, flat(32.0))]),
    ];
    let both = |x: f64| [(0, (x, steep(x))), (1, (x, flat(x)))];
    let looked = Looked { points: [both(7.0), both(8.0)].concat(), several: Vec::new() };
    let chart = Chart {
        title: String::new(),
        notes: Vec::new(),
        over: Axis::Ranks,
        cheapest: true,
        curves: curves.to_vec(),
        looked,
    };
    let drawn = chart.clone().drawn();
    assert!(table(&drawn).contains("1          8         7 and 8  steep   flat"), "{}", table(&drawn));
    assert!(
        table(&drawn).contains("2           7   steep") && table(&drawn).contains("8           32  flat"),
        "{}",
        table(&drawn)
    );
    assert_eq!(json(&drawn)["crossovers"][0]["first"], 8.0);
    assert_eq!(json(&drawn)["points"].as_array().unwrap().len(), 4, "data alone");
    let several = Looked { points: Vec::new(), several: vec![(2.0, 32.0)] };
    let drawn = Chart { looked: several, ..chart }.drawn();
    assert!(table(&drawn).contains("2 and 32, more than once"), "{}", table(&drawn));
}

#[test]
fn dashes_go_around_corners_and_keep_their_length() {
    let all = dashes(&[(0.0, 0.0), (3.0, 0.0), (3.0, 10.0)], (4.0, 2.0));
    let expected =
        [vec![(0.0, 0.0), (3.0, 0.0), (3.0, 1.0)], vec![(3.0, 3.0), (3.0, 7.0)], vec![(3.0, 9.0), (3.0, 10.0)]];
    assert_eq!(all, expected);
    assert!(dashes(&[], (1.0, 1.0)).is_empty() && dashes(&[(1.0, 1.0)], (1.0, 1.0)).is_empty());
}
