use super::fixture;
use roxmltree::{Document, Node, ParsingOptions};
use study::comparison::{NO_RATIO, Report};

#[test]
fn every_picture_of_a_campaign_finds_room_on_paper() {
    let page = super::page(&fixture::report());
    assert!(page.figures().len() > 10);
    page.figures().iter().for_each(|figure| crate::room_tests::finds_room(&figure.drawing, &figure.name));
}

fn page(report: &Report) -> String {
    super::page(report).html().expect("the template fits the report")
}

/// The page is written as well-formed XML, so that a strict reader can check it, pictures and all.
fn parsed(html: &str) -> Document<'_> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(html, options).expect("the page is well-formed")
}

fn all<'a, 'input: 'a>(document: &'a Document<'input>, name: &'a str) -> impl Iterator<Item = Node<'a, 'input>> {
    document.descendants().filter(move |node| node.tag_name().name() == name)
}

fn text(node: Node) -> String {
    let texts = node.descendants().filter(Node::is_text).filter_map(|inner| inner.text());
    let words: Vec<&str> = texts.flat_map(str::split_whitespace).collect();
    words.join(" ")
}

#[test]
fn the_question_and_its_answer_come_first() {
    let report = fixture::report();
    let html = page(&report);
    let document = parsed(&html);
    assert_eq!(text(all(&document, "h1").next().expect("a heading")), report.question);
    assert_eq!(text(all(&document, "p").next().expect("a paragraph")), report.answer);
    let details = all(&document, "ul").find(|list| list.attribute("class") == Some("details")).expect("details");
    assert_eq!(details.children().filter(Node::is_element).map(text).collect::<Vec<_>>(), report.details);
    let ids: Vec<_> = all(&document, "section").filter_map(|section| section.attribute("id")).collect();
    assert_eq!(ids, ["timeline", "summary", "subjects", "clocks", "machines", "left-out", "reading", "reproduce"]);
}

#[test]
fn the_page_needs_nothing_from_outside() {
    let html = page(&fixture::report());
    // Hatches are cut to areas of their own picture.
    let html = html.replace("xmlns=\"http://www.w3.org/2000/svg\"", "").replace("url(#hatch-", "");
    for outside in ["http://", "https://", "src=", "<script", "<link", "url(", "@import", "<iframe"] {
        assert!(!html.contains(outside), "the page contains {outside}");
    }
    let document = parsed(&html);
    let pictures = |link: &Node| link.attribute("href").is_some_and(|href| href.starts_with("pictures/"));
    for link in all(&document, "a").filter(|link| !pictures(link)) {
        let id = link.attribute("href").and_then(|href| href.strip_prefix('#')).expect("a link within the page");
        assert_eq!(document.descendants().filter(|node| node.attribute("id") == Some(id)).count(), 1, "#{id}");
    }
}

fn cells<'a, 'input>(row: Node<'a, 'input>) -> Vec<Node<'a, 'input>> {
    row.children().filter(Node::is_element).collect()
}

#[test]
fn every_table_has_headers_and_full_rows() {
    let html = page(&fixture::report());
    let document = parsed(&html);
    for table in all(&document, "table") {
        let rows = || table.descendants().filter(|node| node.tag_name().name() == "tr");
        let heads = cells(rows().next().expect("a row of headings"));
        assert!(heads.iter().all(|head| head.attribute("scope") == Some("col")), "{}", text(table));
        for row in rows().skip(1).map(cells) {
            let width: usize = row.iter().map(|cell| cell.attribute("colspan").map_or(1, |n| n.parse().unwrap())).sum();
            assert_eq!(width, heads.len(), "{}", row.iter().map(|cell| text(*cell)).collect::<String>());
            assert!(matches!(row[0].attribute("scope"), Some("row" | "rowgroup")));
        }
    }
}

#[test]
fn every_picture_has_a_role_and_a_title() {
    let html = page(&fixture::report());
    let document = parsed(&html);
    // Two timelines for each of two subjects, two plots for each of three, one machine.
    let outermost = |svg: &Node| !svg.ancestors().skip(1).any(|above| above.tag_name().name() == "svg");
    let pictures: Vec<Node> = all(&document, "svg").filter(outermost).collect();
    assert_eq!(pictures.len(), 4 + 6 + 1);
    for svg in pictures {
        assert_eq!(svg.attribute("role"), Some("img"));
        let title = svg.children().find(|node| node.tag_name().name() == "title").expect("a title");
        assert_eq!(title.text(), svg.attribute("aria-label"));
    }
}

#[test]
fn no_text_of_the_report_becomes_markup() {
    const EVIL: &str = "<script>alert('&')</script>";
    let mut report = fixture::report();
    for field in [&mut report.question, &mut report.name, &mut report.answer] {
        field.push_str(EVIL);
    }
    report.environment.push((EVIL.into(), EVIL.into()));
    report.reproduce.push(EVIL.into());
    report.left_out.push(EVIL.into());
    report.details.push(EVIL.into());
    let machine = &mut report.machines[0];
    let provenance = &mut machine.provenance;
    for field in
        [&mut machine.name, &mut provenance.how, &mut provenance.host, &mut provenance.ran_by, &mut provenance.date]
    {
        field.push_str(EVIL);
    }
    machine.notes.push(EVIL.into());
    for subject in &mut report.subjects {
        subject.case.subject.implementation = programs::observation::Implementation::Own(EVIL.into());
        subject.predicted_by.push_str(EVIL);
        subject.measured_by.push_str(EVIL);
        subject.reasons.push(EVIL.into());
    }
    let html = page(&report);
    assert!(!html.contains("<script"), "markup survived");
    let document = parsed(&html);
    assert!(text(all(&document, "h1").next().expect("a heading")).ends_with(EVIL), "the text itself is kept");
}

#[test]
fn numbers_and_verdicts_are_printed_for_the_telling_ranks() {
    let html = page(&fixture::report());
    let document = parsed(&html);
    let summary = all(&document, "section").find(|table| table.attribute("id") == Some("summary")).expect("a summary");
    let rows: Vec<String> = summary.descendants().filter(|node| node.tag_name().name() == "tr").map(text).collect();
    let linear = rows.iter().position(|row| row.contains("linear bcast, 8 ranks")).expect("the first subject");
    // r_1 = (1 + 3·7) / (4·1) = 5.5; the slowest rank is among the last.
    let shifted = &rows[linear + 1];
    assert!(
        shifted.starts_with("loop, rank 1 largest error 5500 ") && shifted.ends_with("5 agree 3 close"),
        "{shifted}"
    );
    assert!(
        rows.iter().any(|row| row.contains("✗ differs −182 % all differ")),
        "the native loop: 0.31 for 0.11: {rows:#?}"
    );
    let flagged: Vec<&String> = rows.iter().filter(|row| row.contains("oversubscribed")).collect();
    assert_eq!(flagged.len(), 1);
    assert!(flagged[0].contains("binomial"));
}

fn rows_of(section: &str, html: &str) -> Vec<String> {
    let document = parsed(html);
    let section = all(&document, "section").find(|node| node.attribute("id") == Some(section)).expect("the section");
    section.descendants().filter(|node| node.tag_name().name() == "tr").map(text).collect()
}

#[test]
fn waits_of_known_duration_stand_beside_their_truth() {
    let mut report = fixture::report();
    let html = page(&report);
    let rows = rows_of("clocks", &html);
    let slept = "8 ranks, threads emulated network, ⚠ oversubscribed 17.4 [16.7, 18.1] 25.4 [24.6, 26.2] 25.4 [24.6, 26.2] 8 \
                 17.4 99 %: 27.8 ± 0.210 ± 0.340 after";
    assert_eq!(rows[1], slept);
    assert!(rows[2].starts_with("2 ranks, Open MPI native network 0.0200 "), "{}", rows[2]);
    assert!(html.contains("they sleep until a window begins"));
    report.clock_checks.remove(0);
    assert!(!page(&report).contains("they sleep until a window begins"));
}

#[test]
fn reasons_stand_at_the_subject_that_differs_and_nowhere_else() {
    let report = fixture::report();
    let html = page(&report);
    let document = parsed(&html);
    let told = |id: &str| {
        let article = all(&document, "article").find(|node| node.attribute("id") == Some(id)).expect("the subject");
        text(article).contains("Reasons that the calibration shows: A send of 1024 B keeps the CPU busy")
    };
    assert_eq!(["subject-1", "subject-2", "subject-3"].map(told), [false, false, true]);
    assert_eq!(html.matches("Reasons that the calibration shows").count(), 1);
}

#[test]
fn a_report_without_subjects_or_machines_is_a_page_too() {
    let nothing = Report { subjects: vec![], machines: vec![], left_out: vec![], ..fixture::report() };
    let report = Report { details: vec![], clock_checks: vec![], ..nothing };
    let html = page(&report);
    let document = parsed(&html);
    assert_eq!(all(&document, "svg").count(), 0);
    assert!(html.contains("Nothing: all that the scenario asks for was run."));
    let absent = [Some("timeline"), Some("clocks")];
    assert!(all(&document, "section").all(|section| !absent.contains(&section.attribute("id"))));
    assert!(all(&document, "ul").all(|list| list.attribute("class") != Some("details")));
}

#[test]
fn a_machine_without_remarks_is_a_machine_too() {
    let mut report = fixture::report();
    for machine in &mut report.machines {
        machine.notes.clear();
        machine.transfer.clear();
        machine.control_us = 0.0;
    }
    assert!(page(&report).contains(&report.machines[0].name));
}

#[test]
fn numbers_that_are_none_do_not_break_the_page() {
    let mut report = fixture::report();
    for row in report.subjects.iter_mut().flat_map(|s| &mut s.methods).flat_map(|m| &mut m.rows) {
        row.measured_us.value = 0.0;
        row.measured_us.high = f64::INFINITY;
        row.measured_ratio = NO_RATIO;
        row.predicted_us.value = f64::NAN;
    }
    for check in &mut report.clock_checks {
        (check.null_us, check.up_us, check.start_skew_us) = (NO_RATIO, NO_RATIO, (f64::NAN, f64::NAN));
    }
    for subject in &mut report.subjects {
        subject.start_skew_us = (f64::NAN, f64::NAN);
        subject.reference_us.iter_mut().for_each(|truth| truth.value = f64::NAN);
    }
    let html = page(&report);
    parsed(&html);
    assert!(!html.contains("NaN") && !html.contains("[–"), "a number that is none is printed as –");
    assert!(!html.contains("Ranks enter a window within"));
}

#[test]
fn the_same_report_yields_the_same_bytes() {
    assert_eq!(page(&fixture::report()), page(&fixture::report()));
}

/// `PARALLAX_PAGE=/tmp/page.html cargo test -p parallax-reports look` writes the page for looking at.
#[test]
fn the_page_can_be_looked_at() {
    let html = page(&fixture::report());
    if let Some(path) = std::env::var_os("PARALLAX_PAGE") {
        std::fs::write(path, html).expect("the path can be written");
    }
}
