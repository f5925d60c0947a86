use super::*;
use crate::Source;
use crate::axis::{Axis, AxisValue, Key};

fn read_text(text: &str) -> Result<Told, String> {
    read(Source { file: "x.toml", text }, ExpectationKind::Points).map_err(|error| error.to_string())
}

fn expect(rest: &str) -> Result<Told, String> {
    read_text(&format!("# Why?\n[[expect]]\nsays = \"so\"\n{rest}\n"))
}

fn time(world: &str, method: &str, rank: AxisValue, value: f64) -> ExpectedNumber {
    let at = Key::default()
        .named(Axis::World, world)
        .counted(Axis::Ranks, Some(4_u64))
        .counted(Axis::Calls, Some(4_u64))
        .named(Axis::Method, method)
        .at(Axis::Rank, Some(rank));
    ExpectedNumber { quantity: Quantity::Time, at, value }
}

fn slowest() -> AxisValue {
    AxisValue::Text("slowest".to_owned())
}

fn numbers() -> Vec<ExpectedNumber> {
    let mut all = Vec::new();
    for (world, shift) in [("simulated", 0.0), ("threads", 0.4)] {
        for rank in 0..4_u64 {
            all.push(time(world, "loop", AxisValue::Number(rank), 10.0 + rank as f64 + shift));
            all.push(time(world, "window", AxisValue::Number(rank), 5.0));
        }
        all.push(time(world, "loop", slowest(), 13.0 + shift));
    }
    all
}

fn judged(rest: &str) -> Vec<Judgement> {
    judge(&expect(rest).expect("readable").expects, &numbers())
}

#[test]
fn every_world_is_judged_by_itself() {
    let outcomes = judged("quantity = \"time\"\nof = { method = \"loop\" }\nwithin = [10, 13]");
    let told: Vec<_> = outcomes.iter().map(|one| (one.world.as_str(), one.outcome, one.numbers)).collect();
    assert_eq!(told, [("simulated", Outcome::Met, 4), ("threads", Outcome::Missed, 4)]);
    assert_eq!(outcomes[0].range, Some((10.0, 13.0)));
    let worst = outcomes[1].worst.as_deref().expect("one is off");
    assert_eq!(worst, "13.400000 at 4 ranks, loop, 4 calls a loop, threads, rank 3");
}

#[test]
fn a_number_may_be_divided_by_the_one_that_differs_in_one_thing() {
    let of = "quantity = \"time\"\nof = { method = \"loop\", world = \"simulated\", rank = [1, 2] }";
    let outcomes = judged(&format!("{of}\nover = {{ method = \"window\" }}\nwithin = [2.2, 2.4]"));
    assert_eq!((outcomes.len(), outcomes[0].outcome, outcomes[0].numbers), (1, Outcome::Met, 2));
    assert_eq!((outcomes[0].range, outcomes[0].unit.as_str()), (Some((2.2, 2.4)), ""));
    let nothing = judged(&format!("{of}\nover = {{ method = \"round-time\" }}\nat_least = 0.0"));
    assert_eq!(nothing[0].outcome, Outcome::Untried, "a number without a partner is none");
}

#[test]
fn what_a_benchmark_would_print_of_a_case_counts_where_it_is_named() {
    let mut numbers = numbers();
    let of_osu = |mut number: ExpectedNumber| {
        number.at = number.at.named(Axis::Benchmark, "osu");
        ExpectedNumber { value: 7.0, ..number }
    };
    numbers.push(of_osu(time("simulated", "loop", AxisValue::Number(1), 0.0)));
    let of = "quantity = \"time\"\nof = { method = \"loop\", world = \"simulated\", rank = 1 }\nat_least = 0.0";
    let count = |text: &str| judge(&expect(text).expect("readable").expects, &numbers)[0].numbers;
    assert_eq!((count(of), count(&of.replace("rank = 1", "rank = 1, benchmark = \"osu\""))), (1, 1));
    assert_eq!(count("quantity = \"time\"\nof = { benchmark = \"osu\" }\nat_least = 7.0"), 1);
}

#[test]
fn a_method_behind_a_barrier_is_held_against_windows_that_call_none() {
    let behind = |method: &str, barrier: &str, value: f64| {
        let number = time("simulated", method, AxisValue::Number(1), value);
        ExpectedNumber { at: number.at.named(Axis::Barrier, barrier), ..number }
    };
    let numbers = [behind("window", "", 5.0), behind("loop", "tree", 10.0), behind("loop", "linear", 20.0)];
    let judged = |rest: &str| judge(&expect(rest).expect("readable").expects, &numbers)[0].range;
    let over_windows =
        "quantity = \"time\"\nof = { method = \"loop\" }\nover = { method = \"window\" }\nat_least = 0.0";
    assert_eq!(judged(over_windows), Some((2.0, 4.0)));
    let over_tree = "quantity = \"time\"\nof = { barrier = \"linear\" }\nover = { barrier = \"tree\" }\nat_least = 0.0";
    assert_eq!(judged(over_tree), Some((2.0, 2.0)));
    let windows = "quantity = \"time\"\nof = { method = \"window\" }\nover = { method = \"loop\" }\nat_least = 0.0";
    assert_eq!(judged(windows), None, "behind which barrier?");
}

#[test]
fn a_loop_is_held_against_windows_whose_clocks_are_synchronised() {
    let mut numbers = numbers();
    for number in &mut numbers {
        if number.at.text(Axis::Method) == "window" {
            number.at = std::mem::take(&mut number.at).named(Axis::Sync, "hca3").named(Axis::Window, "");
        }
    }
    let of = "quantity = \"time\"\nof = { method = \"loop\", world = \"simulated\", rank = [1, 2] }";
    let told = expect(&format!("{of}\nover = {{ method = \"window\" }}\nwithin = [2.2, 2.4]")).expect("readable");
    assert_eq!(judge(&told.expects, &numbers)[0].outcome, Outcome::Met);
    let fixed = AxisValue::time(models::time::Span::from_us(10));
    numbers.iter_mut().for_each(|number| {
        if number.at.text(Axis::Method) == "window" {
            number.at = std::mem::take(&mut number.at).at(Axis::Window, Some(fixed.clone()));
        }
    });
    let outcome = judge(&told.expects, &numbers)[0].outcome;
    assert_eq!(outcome, Outcome::Untried, "windows of a fixed length are no usual reference");
}

#[test]
fn a_queue_is_held_against_one_that_differs_in_a_number_or_in_its_name() {
    let queue = |name: &str, value: f64| {
        let queued = models::shared_broadcast::Queued::parse(name).unwrap();
        let at = Key::default().named(Axis::Algorithm, queued.name()).counted(Axis::Ranks, Some(2_u64));
        let at = at.through(Some(queued.queue()));
        ExpectedNumber { quantity: Quantity::Finish, at, value }
    };
    let numbers = [
        queue("shared:8KiB:1", 2.0),
        queue("shared:8KiB:1:chain", 1.0),
        queue("shared:4KiB:1", 4.0),
        queue("shared:8KiB:4", 6.0),
        queue("shared:4KiB:4", 16.0),
        queue("shared:8KiB:4:2", 20.0),
    ];
    let judged = |rest: &str| {
        let judged =
            &judge(&expect(&format!("quantity = \"finish\"\n{rest}\nat_least = 0.0")).unwrap().expects, &numbers)[0];
        (judged.numbers, judged.range)
    };
    // Of two sets there is none with one buffer.
    assert_eq!(judged("of = { buffers = 4 }\nover = { buffers = 1 }"), (2, Some((3.0, 4.0))));
    assert_eq!(judged("of = { buffers = 4 }\nover = { buffers = 4, sets = 1 }"), (3, Some((1.0, 20.0 / 6.0))));
    assert_eq!(judged("over = { algorithm = \"shared:8KiB:1:1:flat\" }"), (6, Some((0.5, 10.0))));
    assert_eq!(
        judged("of = { fragment_bytes = \"4 KiB\" }\nover = { fragment_bytes = 8192 }"),
        (2, Some((2.0, 16.0 / 6.0)))
    );
}

#[test]
fn what_an_expectation_answers_comes_with_its_numbers_and_their_name() {
    let of = "quantity = \"time\"\nof = { method = \"loop\", world = \"simulated\", rank = [1, 2] }\nanswers = \"It\ntakes {found}.\"".replace("It\n", "It  ");
    let judged = judged(&format!("{of}\nover = {{ method = \"window\" }}\nwithin = [2.2, 2.4]"));
    assert_eq!(
        (judged[0].answers.as_str(), judged[0].what.as_str()),
        ("It takes {found}.", "time per call over that with method window")
    );
    let ranks: Vec<_> = judged[0].taken.iter().map(|(key, value)| (key.number(Axis::Rank), *value)).collect();
    assert_eq!(ranks, [(Some(1), 2.2), (Some(2), 2.4)]);
}

#[test]
fn ranks_together_are_another_number_than_each_by_itself() {
    let outcomes = judged("quantity = \"time\"\nof = { world = \"simulated\", rank = \"slowest\" }\nwithin = [13, 13]");
    assert_eq!((outcomes[0].outcome, outcomes[0].numbers), (Outcome::Met, 1));
    let untried = judged("quantity = \"ratio\"\nat_least = 1.0");
    assert_eq!((untried[0].outcome, untried[0].world.as_str(), untried[0].range), (Outcome::Untried, "", None));
}

#[test]
fn closed_forms_know_ranks_calls_and_rank() {
    let mut number = time("simulated", "loop", AxisValue::Number(1), 2.5);
    assert_eq!(ClosedForm::LoopLinearBcast.value(&number), Some(2.5));
    assert_eq!(ClosedForm::RanksInUs.value(&number), Some(4.0));
    let told = expect("quantity = \"time\"\nclosed_form = \"loop-linear-bcast\"").expect("readable");
    let of = |numbers: &[ExpectedNumber]| judge(&told.expects, numbers)[0].outcome;
    assert_eq!(of(std::slice::from_ref(&number)), Outcome::Met);
    number.value = 2.51;
    assert_eq!(of(std::slice::from_ref(&number)), Outcome::Missed);
    number.value = f64::NAN;
    assert_eq!(of(&[number]), Outcome::Missed, "no number is no success");
}

#[test]
fn mistakes_are_answered_with_line_and_cure() {
    let complaints = [
        ("quantity = \"tim\"\nat_least = 1.0", "line 4, key 'quantity'"),
        ("quantity = \"time\"", "line 3, key 'says'"),
        ("quantity = \"time\"\nwithin = [2.0, 1.0]", "line 5, key 'within'"),
        ("quantity = \"time\"\nwithin = [1, 2]\nat_least = 1.0", "line 3, key 'says'"),
        ("quantity = \"time\"\nof = { rnk = 1 }\nat_least = 1.0", "line 5, key 'of'"),
        ("quantity = \"time\"\nof = { rank = \"first\" }\nat_least = 1.0", "line 5, key 'of'"),
        ("quantity = \"time\"\nof = { ranks = \"4\" }\nat_least = 1.0", "line 5, key 'of'"),
        ("quantity = \"time\"\nof = { window = \"5\" }\nat_least = 1.0", "line 5, key 'of'"),
        ("quantity = \"time\"\nclosed_form = \"magic\"", "line 5, key 'closed_form'"),
        ("quantity = \"time\"\nclosed_form = \"ranks-in-us\"\ntolerance = 2.0", "line 6, key 'tolerance'"),
        ("quantity = \"time\"\nat_least = 1.0\ntolerance = 0.1", "line 6, key 'tolerance'"),
        ("quantity = \"time\"\nat_least = 1.0\nanswers = \"{fond} times\"", "line 6, key 'answers'"),
        ("quantity = \"time\"\nat_least = 1.0\nanswers = true", "line 6"),
    ];
    let said = complaints.map(|(rest, place)| {
        let error = expect(rest).expect_err(rest);
        assert!(error.starts_with("x.toml line ") && error.contains(place), "{error}\nlacks {place}");
        format!("{rest:?}\n  → {error}")
    });
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn words_and_the_small_form_are_read_and_other_keys_are_let_be() {
    let text = "# Why?\nranks = 4\nexpectation = \"\"\"\nfirst\nsecond\"\"\"\nfound = \"3\"\n[small]\nsamples = 2\n";
    let told = read_text(text).expect("readable");
    assert_eq!((told.expectation.as_str(), told.found.as_str()), ("first second", "3"));
    assert_eq!(told.small, Small { samples: Some(2), ..Small::default() });
    insta::assert_snapshot!(read_text("# Why?\n[small]\nblock = 2\n").unwrap_err());
}

/// Judges an exercise about loops of one rank, whose times are 10, 11, 12 and 13 µs.
fn asked(rest: &str) -> Judgement {
    let text = format!("# Why?\n[[expect]]\nsays = \"so\"\nquantity = \"time\"\n{rest}\n");
    judge(&read_text(&text).expect("readable").expects, &numbers()).remove(0)
}

#[test]
fn a_number_is_an_answer_within_one_percent_or_the_tolerance() {
    let of = "of = { method = \"loop\", world = \"simulated\", rank = 3 }";
    let outcome = |answer: &str| asked(&format!("{of}\n{answer}"));
    for (answer, wanted) in [
        ("answer = 13", Outcome::Met),
        ("answer = 12.9", Outcome::Met),
        ("answer = 12.8", Outcome::Missed),
        ("answer = 12.8\ntolerance = 0.02", Outcome::Met),
        ("answer = \"?\"", Outcome::Untried),
    ] {
        let judged = outcome(answer);
        assert_eq!(judged.outcome, wanted, "{answer}");
        assert_eq!(judged.answer.expect("an exercise").right, "13", "{answer}");
    }
}

#[test]
fn places_are_an_answer_where_all_numbers_are_as_wanted_and_nowhere_else() {
    let of = "of = { method = \"loop\", world = \"simulated\" }\nat_least = 10.5\nat_most = 12.5";
    let outcome = |answer: &str| asked(&format!("{of}\nanswer = {{ rank = {answer} }}"));
    let wanted =
        [("[1, 2]", Outcome::Met), ("[2, 1]", Outcome::Met), ("1", Outcome::Missed), ("[1, 2, 3]", Outcome::Missed)];
    for (answer, wanted) in [&wanted[..], &[("[1, 2, 9]", Outcome::Missed), ("\"?\"", Outcome::Untried)]].concat() {
        let judged = outcome(answer);
        assert_eq!(judged.outcome, wanted, "{answer}");
        assert_eq!((judged.answer.expect("an exercise").right.as_str(), judged.worst), ("1, 2", None), "{answer}");
    }
}

#[test]
fn a_form_for_students_holds_no_answer() {
    let text = "# Why?\nexpectation = \"\"\"\nBecause 6.4\nis so.\"\"\"\nfound = \"6.4\" # seen\n[[expect]]\nsays = \"One?\"\nquantity = \"time\"\n\
                answer = 6.4 # exactly\n\n[[expect]]\nsays = \"Two?\"\nquantity = \"time\"\nat_most = 2.0\nanswer = { ranks = \"15, 21..23+1\" }\n";
    let form = for_students("class/x.toml", text).expect("an exercise");
    insta::assert_snapshot!(form);
    let told = read_text(&form).expect("readable");
    assert!(
        told.is_exercise()
            && told.expects.iter().all(|expect| expect.answer.as_ref().and_then(Answer::given).is_none())
    );
    assert!(is_exercise(text) && !is_exercise("# Why?\nranks = 4\n"));
    let given: Vec<_> =
        read_text(text).unwrap().expects.iter().filter_map(|expect| expect.answer.as_ref()?.given()).collect();
    assert_eq!(given, ["6.4", "15, 21..23+1"]);
}

#[test]
fn mistakes_about_answers_are_told_with_their_place() {
    let said = [
        "answer = \"six\"",
        "answer = 6,4 # ns",
        "answer = { barrier = tree }",
        "answer = { ranks = 15, 21..40 }",
        "answer = { ranks = 4, rank = 1 }",
        "answer = { rnks = 4 }\nat_most = 1.0",
        "answer = { ranks = \"many\" }\nat_most = 1.0",
        "answer = { ranks = 4 }",
        "of = { ranks = 4 }\nat_most = 1.0\nanswer = { ranks = 4 }",
        "answer = 4\nat_most = 1.0",
        "answer = 4\ntolerance = 2.0",
    ];
    let said = said.map(|rest| expect(&format!("quantity = \"time\"\n{rest}")).expect_err(rest));
    let none = for_students("x.toml", "# Why?\nranks = 4\n").expect_err("it asks nothing").to_string();
    insta::assert_snapshot!([&said[..], &[none]].concat().join("\n"));
}
