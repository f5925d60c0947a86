//! What is printed, and what makes a comparison fail.

use super::*;

fn some() -> Contrast {
    let mut rng = rng(3);
    let mut ramp = |median: f64| launches(times(&mut rng, 200, median));
    let mut a = side(
        "one, \"quoted\"",
        vec![case("bcast", 8, ramp(10.0)), case("reduce", 8, ramp(10.0)), case("scan", 8, ramp(1.0))],
    );
    a.facts.push(("host".to_owned(), "n1".to_owned()));
    let b = side("two", vec![case("bcast", 8, ramp(11.0)), case("reduce", 8, ramp(9.0)), case("exscan", 8, ramp(1.0))]);
    contrast(&[a, b], &Choice::default(), DEMAND).expect("two sides")
}

#[test]
fn reasons_to_fail_name_the_rows() {
    let found = some();
    let fail = |text: &str| failures(&found, &[text.parse().expect(text)]);
    let slower = fail("slower");
    assert_eq!(slower.len(), 1);
    assert_eq!((fail("slower:5%").len(), fail("slower:0.2").len()), (1, 0));
    assert_eq!((fail("faster").len(), fail("faster:30%").len(), fail("differs").len()), (1, 0, 2));
    assert_eq!(fail("missing").len(), 1);
    insta::assert_snapshot!("rows_that_fail", [slower, fail("missing")].concat().join("\n"));
    assert_eq!(fail("guideline"), [] as [&str; 0]);
    let refused = ["slow", "slower:much", "slower:-1%", "missing:5%"]
        .map(|text| format!("{text}\n  → {}", text.parse::<Gate>().unwrap_err()));
    insta::assert_snapshot!("what_is_no_reason", refused.join("\n"));
}

#[test]
fn csv_has_a_cell_for_every_head_and_json_every_number() {
    let found = some();
    let text = found.csv();
    let mut reader = csv_reader(&text);
    let heads = reader.headers().expect("heads").clone();
    let rows: Vec<_> = reader.records().collect::<Result<_, _>>().expect("every row has every cell");
    assert_eq!(rows.len(), 4);
    let cell = |row: usize, head: &str| &rows[row][heads.iter().position(|name| name == head).expect(head)];
    assert_eq!(
        [cell(0, "side"), cell(0, "operation"), cell(0, "bytes"), cell(0, "found_in")],
        ["B", "bcast", "8", "both"]
    );
    assert_eq!(
        [cell(0, "verdict"), cell(0, "unit"), cell(0, "better"), cell(0, "counted"), cell(0, "count_a")],
        ["slower", "us", "less", "launches", "200"]
    );
    assert_eq!(
        [cell(2, "operation"), cell(2, "found_in"), cell(3, "operation"), cell(3, "found_in")],
        ["scan", "a", "exscan", "b"]
    );
    let json = json(&found);
    let row = &json["rows"][0];
    assert_eq!(
        [&row["bytes"], &row["verdict"], &row["unit"], &row["better"]],
        [&serde_json::Value::from(8), &"slower".into(), &"us".into(), &"less".into()]
    );
    assert_eq!(row["ratio"].as_f64(), found.pairs[0].rows[0].effect.ratio.map(|ratio| ratio.value));
    assert_eq!((&json["at_least"], &json["sides"][0]["side"]), (&0.02.into(), &"A".into()));
    assert_eq!(json["differences"][1]["value"], serde_json::Value::Null, "B does not state its host");
}

fn csv_reader(text: &str) -> ::csv::Reader<&[u8]> {
    ::csv::Reader::from_reader(text.as_bytes())
}

#[test]
fn people_are_told_the_verdict_first_and_then_why() {
    let found = some();
    let text = table(&found);
    insta::assert_snapshot!(text);
    let markdown = printed(&found, Format::Markdown);
    let cells = |line: &str| line.matches(" | ").count();
    let rows: Vec<&str> = markdown.lines().filter(|line| line.starts_with("| ") && line.contains("slower")).collect();
    let head = markdown.lines().find(|line| line.contains("95 % interval")).expect("a head");
    assert_eq!((rows.len(), cells(rows[0])), (1, cells(head)), "{markdown}");
}

#[test]
fn the_page_has_a_picture_with_its_numbers() {
    let found = some();
    let page = found.page();
    let folder = tempfile::tempdir().expect("a folder");
    page.write(folder.path()).expect("written");
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect(name);
    let drawing = &page.sections.iter().find_map(|section| section.figures.first()).expect("a picture").drawing;
    crate::plots::room_tests::finds_room(drawing, "Time of B over time of A");
    let svg = read("pictures/ratio-b.svg");
    let document = roxmltree::Document::parse(&svg).expect("well formed");
    assert_eq!(document.root_element().tag_name().name(), "svg");
    for words in ["1 slower", "1 faster", "bcast", "Time of B over time of A"] {
        assert!(svg.contains(words), "{words}: {svg}");
    }
    let numbers = read("pictures/ratio-b.csv");
    assert_eq!(numbers.lines().count(), 3, "{numbers}");
    let html = read("report.html");
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    roxmltree::Document::parse_with_options(&html, options).expect("well formed");
    assert!(html.contains(&found.pairs[0].sentence) && html.contains("one, &quot;quoted&quot;"), "{html}");
}

#[test]
fn too_few_launches_are_said_in_every_place_and_nothing_contradicts_itself() {
    let mut rng = rng(9);
    let mut sides = |median: f64| {
        let cases = (0..60).map(|bytes| case("bcast", bytes, launches(times(&mut rng, 6, median))));
        cases.collect::<Vec<_>>()
    };
    let found = held(sides(10.0), sides(40.0));
    let text = table(&found);
    // Sixty rows say alike; what is above and below them is said once.
    let is_of_all = |line: &&str| !line.ends_with("6+6  undecided");
    assert_eq!(text.lines().filter(|line| !is_of_all(line)).count(), 60, "{text}");
    assert!(text.contains("0.002   0.130") && text.contains("6+6"), "{text}");
    insta::assert_snapshot!(
        "six_launches_of_sixty_cases",
        text.lines().filter(is_of_all).collect::<Vec<_>>().join("\n")
    );
    let once = held(
        vec![case("bcast", 8, vec![times(&mut rng, 9, 1.0)])],
        vec![case("bcast", 8, vec![times(&mut rng, 9, 4.0)])],
    );
    let text = table(&once);
    let warnings: Vec<&str> = text.lines().filter(|line| line.starts_with("! ")).collect();
    insta::assert_snapshot!("one_launch_of_one_case", warnings.join("\n"));
    let row = text.lines().find(|line| line.contains("undecided") && line.contains("1+1")).expect("a row");
    assert_eq!(row.matches('–').count(), 3, "no delta, p, Holm p: {row}");
    assert!(!row.contains('['), "no interval: {row}");
    let csv = once.csv();
    let mut reader = csv_reader(&csv);
    let place = reader.headers().expect("heads").iter().position(|head| head == "ratio_low").expect("a column");
    assert_eq!(&reader.records().next().expect("a row").expect("cells")[place], "", "no interval");
}
