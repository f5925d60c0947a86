use super::*;

fn page() -> Page {
    let figure = Figure {
        name: "times".to_owned(),
        caption: "Times of <b>two</b> ranks".to_owned(),
        drawing: Drawing::new(|_| {
            "<svg xmlns=\"http://www.w3.org/2000/svg\"><rect width=\"1\" height=\"1\"/></svg>".to_owned()
        }),
        numbers: crate::data::Table::new(
            "rows",
            [crate::columns::RANK.column(), crate::columns::TIME.column()],
            [vec![0_u32.into(), 1.5.into()]],
        ),
    };
    let table = Table {
        caption: "All times".to_owned(),
        head: vec!["rank".to_owned(), "time, µs".to_owned()],
        rows: vec![vec![Cell::text("0"), Cell::number("1.5", "1.4 … 1.6")]],
        ..Table::default()
    };
    let section = Section {
        heading: "Times".to_owned(),
        paragraphs: vec!["What they took.".to_owned()],
        warnings: vec!["Few calls.".to_owned()],
        figures: vec![figure],
        tables: vec![table],
        ..Section::default()
    };
    Page {
        question: "How long?".to_owned(),
        answer: "1.5 µs.".to_owned(),
        origin: "Campaign x, seed 1".to_owned(),
        sections: vec![section],
        reproduce: vec!["parallax measure bcast".to_owned()],
        environment: vec![("host".to_owned(), "node1".to_owned())],
        ..Page::default()
    }
}

#[test]
fn a_page_holds_all_that_it_was_given_and_escapes_words() {
    let html = page().html().expect("a page");
    let document = roxmltree::Document::parse_with_options(
        &html,
        roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() },
    );
    document.expect("well formed");
    for part in ["How long?", "1.4 … 1.6", "⚠ Few calls.", "<rect width", "pictures/times.csv", "node1"] {
        assert!(html.contains(part), "{part} is missing");
    }
    assert!(html.contains("Times of &lt;b&gt;two") && !html.contains("<b>two"));
}

#[test]
fn every_picture_has_its_file_and_its_numbers() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = page().write(folder.path()).expect("written");
    assert_eq!(path, folder.path().join("report.html"));
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect(name);
    assert!(read("pictures/times.svg").starts_with("<svg"));
    assert_eq!(read("pictures/times.csv"), "rank,time_us,campaign,date,host,library\n0,1.5,,,node1,\n");
    assert_eq!(read("report.html"), page().html().expect("a page"));
}

#[test]
fn a_page_as_markdown_has_its_words_and_tables_level_by_level() {
    let mut page = page();
    page.details.push("Quiet cores.".to_owned());
    page.sections[0].more.parts.push(Section::new("By rank").with_list(["rank 0 leads"]));
    let expected = "# How long?\n\n**1.5 µs.**\n\nQuiet cores.\n\n## Times\n\n> Few calls.\n\nWhat they took.\n\nAll times\n\n\
                    | rank | time, µs |\n| --- | ---: |\n| 0 | 1.5 1.4 … 1.6 |\n\n### By rank\n\n- rank 0 leads\n";
    assert_eq!(page.markdown(), expected);
}
