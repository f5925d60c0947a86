use super::{Lines, summary};
use crate::forms;
use programs::machine::PairLook;

fn look(cores: [usize; 2], nth: usize, line_ns: f64) -> PairLook {
    PairLook { cores, at_s: nth as f64 * 0.1, line_ns, work_ns: [600.0 + cores[0] as f64, 600.0 + cores[1] as f64] }
}

/// Five looks of every pair of so many cores.
fn at_once(cores: usize, line_ns: impl Fn(usize, usize) -> f64) -> Lines {
    let pairs = (0..cores).flat_map(|one| (one + 1..cores).map(move |other| [one, other]));
    let looks = pairs.flat_map(|pair| (0..5).map(move |nth| (pair, nth)));
    let looks = looks.map(|(pair, nth)| look(pair, nth, line_ns(pair[0], pair[1]) + nth as f64 / 10.0)).collect();
    Lines::from_looks((0..cores).collect(), looks, None)
}

/// One pair over a second for each ten of these.
fn over_time(lines_ns: &[f64]) -> Lines {
    let looks = lines_ns.iter().enumerate().map(|(nth, &ns)| look([0, 1], nth, ns)).collect();
    Lines::from_looks(vec![0, 1], looks, Some(lines_ns.len() as f64 / 10.0))
}

#[test]
fn cores_that_are_all_alike_are_said_to_be() {
    insta::assert_snapshot!([4, 2].map(|cores| at_once(cores, |_, _| 27.0).sentence()).join("\n"));
}

#[test]
fn groups_of_near_cores_are_named() {
    let found = at_once(8, |one, other| if one / 4 == other / 4 { 30.0 } else { 160.0 });
    let groups = found.sentence();
    let text = forms::table(&summary(&found));
    assert!(text.contains("30.2 near") && text.contains("160.2 far"), "{text}");
    assert!(text.contains("core 7: 607") && !text.contains("visits"), "{text}");
    // One near pair of many, and cores that are near nobody.
    let found = at_once(12, |one, other| if (one, other) == (3, 9) { 8.0 } else { 40.0 });
    insta::assert_snapshot!([groups, found.sentence()].join("\n"));
}

#[test]
fn classes_that_are_no_groups_are_counted() {
    let ring = at_once(6, |one, other| if other - one == 1 || (one, other) == (0, 5) { 30.0 } else { 90.0 });
    insta::assert_snapshot!(ring.sentence());
    let three = at_once(8, |one, other| match (one / 2 == other / 2, one / 4 == other / 4) {
        (true, _) => 10.0,
        (_, true) => 40.0,
        _ => 150.0,
    });
    assert_eq!(three.sentence(), "3 classes: 10 ns (4 pairs), 40 ns (8 pairs), 150 ns (16 pairs)");
    assert!(forms::table(&summary(&three)).contains("40.2 middle"));
}

#[test]
fn a_pair_that_changes_is_told_with_shares_and_visits() {
    let near = |count: usize| vec![30.0; count];
    let far = |count: usize| vec![160.0; count];
    let lines: Vec<f64> = [near(40), far(20), near(20), vec![80.0, 500.0], near(2), far(16)].concat();
    let found = over_time(&lines);
    insta::assert_snapshot!(found.sentence());
    let seen: Vec<(&str, usize)> = found.seen.iter().map(|class| (class.name.as_str(), class.visits)).collect();
    assert_eq!(seen, [("near", 2), ("far", 2)]);
    let close = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-9, "{found}, not {expected}");
    close(found.seen[0].longest_visit_s, 3.9);
    // From the 61st look to the 84th: the unclear ones between are within the visit.
    close(found.seen[0].median_visit_s, f64::midpoint(3.9, 2.3));
    close(found.seen[1].longest_visit_s, 1.9);
    insta::assert_snapshot!("visits", forms::table(&summary(&found)));
}

#[test]
fn a_pair_that_stays_is_told_too() {
    let mut lines = vec![30.0; 999];
    lines.push(4_000.0);
    let nothing = over_time(&[10.0, 100.0]);
    assert_eq!(nothing.seen.len(), 0);
    insta::assert_snapshot!(
        [over_time(&[30.0; 50]), over_time(&lines), nothing].map(|found| found.sentence()).join("\n")
    );
}

#[test]
fn programs_get_every_pair_and_every_look() {
    let found = summary(&over_time(&[30.0, 30.0, 31.0, 160.0, 160.0, 161.0]));
    let [(_, pairs), (_, looks), _] = &found.files()[..] else { panic!("three files") };
    let expected = "core_a,core_b,line_ns,class,looks,unclear_looks,changes,campaign,date,host,library\n\
                    0,1,95.500,unclear,6,0,1,,,,\n";
    assert_eq!(pairs, expected);
    assert_eq!(looks.lines().nth(4), Some("0.300000,0,1,160.000,far,600,601,,,,"), "{looks}");
    let all = forms::json(&found);
    assert_eq!((&all["classes"][1]["class"], &all["pairs"][0]["line_ns"]), (&"far".into(), &95.5.into()), "{all}");
    assert_eq!(all["looks"].as_array().map(Vec::len), Some(6));
}
