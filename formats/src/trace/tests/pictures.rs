use super::{fixture, page, picture};
use models::time::{Span, Time};
use programs::trace::{Activity, Flight, Interval, Trace};
use render::plots::{Drawing, Paper};
use roxmltree::{Document, Node};

fn titles<'a>(document: &'a Document, of: &str) -> Vec<&'a str> {
    let within =
        |node: &Node| node.tag_name().name() == "title" && node.parent().is_some_and(|p| p.tag_name().name() == of);
    document.descendants().filter(within).filter_map(|node| node.text()).collect()
}

fn texts(document: &Document) -> Vec<String> {
    let texts = document.descendants().filter(|node| node.tag_name().name() == "text");
    texts.filter_map(|node| node.text().map(str::to_owned)).collect()
}

#[test]
fn every_interval_message_entry_and_exit_is_told() {
    let trace = fixture::barrier(6);
    let drawn = trace.clone();
    crate::room_tests::finds_room(&Drawing::new(move |paper| picture(&drawn, paper)), &trace.title);
    let svg = picture(&trace, &Paper::default());
    let document = Document::parse(&svg).expect("well-formed");
    assert_eq!(titles(&document, "rect").len(), trace.intervals.len());
    let paths = titles(&document, "path");
    let count = |words: &str| paths.iter().filter(|title| title.contains(words)).count();
    assert_eq!([count("departs"), count("enters"), count("leaves")], [trace.flights.len(), 6, 6]);
    let texts = texts(&document);
    let [first, last] = [trace.finish.iter().min(), trace.finish.iter().max()].map(|at| *at.expect("ranks"));
    assert!(texts.contains(&format!("exit skew {}", last.since(first))), "{texts:?}");
    assert!(texts.iter().any(|text| text == "rank 5"));
}

#[test]
fn bars_stand_where_their_times_are() {
    let trace = fixture::broadcast(4);
    let svg = picture(&trace, &Paper::default());
    let document = Document::parse(&svg).expect("well-formed");
    let plot = document.descendants().find(|node| node.attribute("class") == Some("plot")).expect("plot");
    let width: f64 = plot.attribute("width").expect("width").parse().expect("a number");
    let until = trace.finish.iter().max().expect("ranks").0 as f64;
    let mut bars: Vec<(f64, f64)> = plot
        .descendants()
        .filter(|node| node.tag_name().name() == "rect")
        .map(|bar| {
            let number = |name| bar.attribute(name).expect("there").parse::<f64>().expect("a number") / width * until;
            (number("x"), number("x") + number("width"))
        })
        .collect();
    let mut times: Vec<(f64, f64)> = trace.intervals.iter().map(|i| (i.start.0 as f64, i.end.0 as f64)).collect();
    [&mut bars, &mut times].into_iter().for_each(|list| list.sort_by(|a, b| a.partial_cmp(b).expect("numbers")));
    for (bar, time) in bars.iter().zip(&times) {
        assert!(
            (bar.0 - time.0).abs() < until / width * 0.01 && (bar.1 - time.1).abs() < until / width * 0.01,
            "{bar:?} {time:?}"
        );
    }
}

#[test]
fn titles_are_escaped_wherever_they_stand() {
    let trace = Trace { title: "</title><script>\"a\" & 'b'\u{1}".to_owned(), ..fixture::broadcast(3) };
    let svg = picture(&trace, &Paper::default());
    let document = Document::parse(&svg).expect("well-formed");
    assert!(texts(&document).contains(&"</title><script>\"a\" & 'b'".to_owned()));
    let page = page(&trace).expect("filled in");
    assert!(!page.contains("<script>\""), "the title stays text");
    assert_eq!(page.matches("<script>").count(), 1);
}

#[test]
fn the_picture_of_a_large_trace_is_bounded_and_says_what_it_leaves_out() {
    let mut trace = fixture::barrier(2_000);
    let busy = (0..20_000u64).map(|nth| Interval {
        rank: 0,
        cpu: 1,
        activity: if nth % 2 == 0 { Activity::Noise } else { Activity::Computing },
        start: Time(nth * 1_000),
        end: Time((nth + 1) * 1_000),
    });
    trace.intervals.extend(busy);
    let svg = picture(&trace, &Paper::default());
    assert!(svg.len() < 1_500_000, "{} bytes", svg.len());
    let document = Document::parse(&svg).expect("well-formed");
    let label = document.root_element().attribute("aria-label").expect("label");
    for words in ["of 2000 ranks", "22000 messages", "every pixel", "exit skew"] {
        assert!(label.contains(words), "{words}: {label}");
    }
    let page = page(&trace).expect("filled in");
    assert!(page.len() < 2_000_000, "{} bytes", page.len());
    assert!(page.contains("of 2000.\n"), "the table says that it is not whole");
}

#[test]
fn nothing_zero_lengths_and_the_longest_times_are_drawn() {
    let all = |at: Time| Trace {
        entry: vec![at; 2],
        finish: vec![at; 2],
        intervals: vec![Interval { rank: 0, cpu: 0, activity: Activity::Sending, start: at, end: at }],
        flights: vec![Flight { from: 0, to: 0, bytes: 0, departed: at, arrived: at, received: at }],
        ..Trace::default()
    };
    let long = Trace { finish: vec![Time::END, Time::ZERO], ..all(Time::ZERO) };
    let backwards = Trace { entry: vec![Time(9); 2], ..all(Time(3)) };
    for trace in [Trace::default(), all(Time::ZERO), all(Time(7)), all(Time::END), long, backwards] {
        let svg = picture(&trace, &Paper::default());
        Document::parse(&svg).expect("well-formed");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        page(&trace).expect("filled in");
    }
    let together = picture(&all(Time(7)), &Paper::default());
    assert!(together.contains("no exit skew"), "{together}");
}

#[test]
fn the_table_sums_each_rank() {
    let at = |us: u64| Time::ZERO + Span::from_us(us);
    let interval = |activity, start, end| Interval { rank: 0, cpu: 0, activity, start: at(start), end: at(end) };
    let trace = Trace {
        title: "sums".to_owned(),
        entry: vec![at(1), at(0)],
        finish: vec![at(21), at(16)],
        intervals: vec![
            interval(Activity::Sending, 1, 3),
            interval(Activity::Waiting, 3, 10),
            interval(Activity::Sending, 10, 11),
            interval(Activity::Noise, 11, 15),
        ],
        ..Trace::default()
    };
    let page = page(&trace).expect("filled in");
    let row = page.lines().find(|line| line.contains("<th scope=\"row\">rank 0</th>")).expect("a row");
    let cells: Vec<&str> =
        row.split("<td class=\"number\">").skip(1).map(|cell| &cell[..cell.find('<').expect("closed")]).collect();
    // Sending, receiving, computing, gap, waiting, noise, idle, entry, exit, after the first exit.
    assert_eq!(cells, ["3.00", "0", "0", "0", "7.00", "4.00", "6.00", "1.00", "21.0", "5.00"]);
}
