//! Which cases are held against each other.

use super::*;

fn by(key: Key, algorithm: &str) -> Key {
    key.named(Axis::Algorithm, algorithm)
}

fn numbers(bytes: u64, from: f64) -> Sampled {
    case("bcast", bytes, launches((0..20).map(|i| from + f64::from(i % 5)).collect()))
}

#[test]
fn what_one_side_lacks_is_listed_and_not_compared() {
    let found = held(vec![numbers(8, 1.0), numbers(16, 1.0)], vec![numbers(16, 1.0), numbers(32, 1.0)]);
    let pair = &found.pairs[0];
    assert_eq!(pair.rows.iter().map(|row| row.case.text(Axis::Bytes)).collect::<Vec<_>>(), ["16"]);
    assert_eq!(pair.only_a.iter().map(|key| key.text(Axis::Bytes)).collect::<Vec<_>>(), ["8"]);
    assert_eq!(pair.only_b.iter().map(|key| key.text(Axis::Bytes)).collect::<Vec<_>>(), ["32"]);
    let gate: Gate = "missing".parse().expect("a reason");
    assert_eq!(failures(&found, &[gate]).len(), 1, "what B has besides is not missing");
}

#[test]
fn where_sides_ran_is_no_part_of_the_key_unless_a_side_has_several() {
    let on = |world: &str| {
        let mut case = numbers(8, 1.0);
        case.key = case.key.named(Axis::World, world);
        case
    };
    let found = held(vec![on("openmpi")], vec![on("mpich")]);
    assert_eq!((found.pairs[0].rows.len(), found.key.contains(&Axis::World)), (1, false));
    let both = held(vec![on("openmpi"), on("mpich")], vec![on("mpich")]);
    assert_eq!((both.pairs[0].rows.len(), both.pairs[0].only_a.len()), (1, 1));
    // The same campaign on both sides, each time another part of it.
    let campaign = || side("m", vec![on("openmpi"), on("mpich")]);
    let (mut a, mut b) = (campaign(), campaign());
    a.choose(Axis::World, "openmpi").expect("it is there");
    b.choose(Axis::World, "mpich").expect("it is there");
    let parts = contrast(&[a, b], &Choice::default(), DEMAND).expect("two sides");
    assert_eq!(parts.pairs[0].rows.len(), 1);
    let message = campaign().choose(Axis::World, "threads").unwrap_err();
    insta::assert_snapshot!(message);
}

#[test]
fn times_on_two_emulated_networks_do_not_compare_unless_asked_for() {
    let over = |transport: &str| {
        let case = numbers(8, 1.0);
        Sampled { key: case.key.named(Axis::Transport, transport), ..case }
    };
    let sides = |a, b| [side("a", vec![over(a)]), side("b", vec![over(b)])];
    let apart =
        contrast(&sides("emulated-measure", "emulated-validate"), &Choice::default(), DEMAND).unwrap_err().to_string();
    assert!(apart.contains("--ignore transport"), "{apart}");
    let ignore = Choice { ignore: vec![Axis::Transport], ..Choice::default() };
    for (asked, found) in [
        (&ignore, sides("emulated-measure", "emulated-validate")),
        (&Choice::default(), sides("emulated-measure", "native")),
        (&Choice::default(), sides("emulated", "emulated")),
    ] {
        assert_eq!(contrast(&found, asked, DEMAND).expect("they compare").pairs[0].rows.len(), 1);
    }
}

#[test]
fn axes_may_be_left_out_but_not_so_that_cases_of_a_side_are_mixed() {
    let with = |algorithm: &str| {
        let case = numbers(8, 1.0);
        Sampled { key: by(case.key.clone(), algorithm), ..case }
    };
    let sides = |a: &[&str], b: &[&str]| {
        let of = |names: &[&str]| names.iter().map(|name| with(name)).collect::<Vec<_>>();
        [side("a", of(a)), side("b", of(b))]
    };
    let nothing = contrast(&sides(&["linear"], &["binomial"]), &Choice::default(), DEMAND).unwrap_err().to_string();
    let ignore = Choice { ignore: vec![Axis::Algorithm], ..Choice::default() };
    assert_eq!(contrast(&sides(&["linear"], &["binomial"]), &ignore, DEMAND).unwrap().pairs[0].rows.len(), 1);
    let only = Choice { by: vec![Axis::Operation, Axis::Bytes], ..Choice::default() };
    assert_eq!(contrast(&sides(&["linear"], &["binomial"]), &only, DEMAND).unwrap().pairs[0].rows.len(), 1);
    let mixed = contrast(&sides(&["linear", "chain"], &["binomial"]), &ignore, DEMAND).unwrap_err().to_string();
    let one = contrast(&sides(&["linear"], &[])[..1], &ignore, DEMAND).unwrap_err().to_string();
    let empty = contrast(&sides(&["linear"], &[]), &ignore, DEMAND).unwrap_err().to_string();
    insta::assert_snapshot!([nothing, mixed, one, empty].join("\n"));
}

#[test]
fn several_sides_are_tested_together_and_each_is_held_against_the_first() {
    let sides = [side("a", vec![numbers(8, 1.0)]), side("b", vec![numbers(8, 1.0)]), side("c", vec![numbers(8, 9.0)])];
    let found = contrast(&sides, &Choice::default(), DEMAND).expect("three sides");
    let letters: Vec<&str> = found.pairs.iter().map(|pair| pair.letter.as_str()).collect();
    assert_eq!(letters, ["B", "C"]);
    assert_eq!(found.pairs[1].rows[0].effect.verdict, Verdict::Slower);
    let effect = &found.pairs[1].rows[0].effect;
    assert_eq!(effect.adjusted_p, effect.p.map(|p| 2.0 * p), "two tests");
    assert_eq!([letter(0), letter(25), letter(26)], ["A", "Z", "S27"]);
}

#[test]
fn facts_that_differ_are_listed_and_passing_ones_are_not() {
    let with = |facts: &[(&str, &str)]| {
        let facts = facts.iter().map(|(label, value)| ((*label).to_owned(), (*value).to_owned())).collect();
        Side { facts, ..side("a", vec![numbers(8, 1.0)]) }
    };
    let sides = [
        with(&[("started", "1"), ("governor", "powersave"), ("host", "n1"), ("load before the run", "0.1 0.2 0.3")]),
        with(&[("started", "2"), ("governor", "performance"), ("host", "n1"), ("load before the run", "0.9 0.2 0.3")]),
    ];
    let differences = |sides: &[Side]| contrast(sides, &Choice::default(), DEMAND).expect("two sides").differences;
    let expected = [Some("powersave".to_owned()), Some("performance".to_owned())];
    assert_eq!(differences(&sides), [Difference { fact: "governor".to_owned(), values: expected.into() }]);
    let loaded = [sides[0].clone(), with(&[("load before the run", "3.4 2 1"), ("variable UCX_TLS", "tcp")])];
    let names: Vec<String> = differences(&loaded).into_iter().map(|difference| difference.fact).collect();
    assert_eq!(names, ["governor", "host", "load before the run", "variable UCX_TLS"]);
    let mut crowded = sides;
    crowded[1].cases[0].oversubscribed = true;
    assert_eq!(differences(&crowded)[1].values, [Some("no".to_owned()), Some("in all cases".to_owned())]);
}

#[test]
fn several_files_of_a_side_are_its_launches() {
    let one = |from: f64| side("x", vec![case("bcast", 8, vec![vec![from; 5]])]);
    let together = Side::together("x+y+z", vec![one(1.0), one(1.1), one(1.2)]).expect("three");
    assert_eq!((together.cases.len(), together.cases[0].launches.len()), (1, 3));
    assert!(Side::together("x", vec![]).is_err());
    let machine = Side { kind: Kind::Machine, ..one(1.0) };
    insta::assert_snapshot!(Side::together("x+m", vec![one(1.0), machine]).unwrap_err());
}
