use super::*;
use crate::fixture::case;
use models::clock::{GlobalClock, Ticks, Timescale};
use models::network::{Hockney, SendRule};
use models::time::PerByte;
use programs::memory::{Moment, Probe};
use programs::observation::{Carrier, Conditions, Occasion, RankRecord, Stamp, Surrounded, World};

/// What a file holds; it is opened without stamps, too, and must hold the same with them.
fn read(path: impl AsRef<Path>) -> Result<Contents, StoreError> {
    let whole = super::read(path.as_ref());
    match (&whole, LinesFile::open(path.as_ref())) {
        (Ok(contents), Ok((others, file))) => {
            let (lines, in_file) = (CampaignLines::from(&contents.lines), file.lines(&others));
            let asked: Vec<_> = in_file.recorded().collect();
            let read: Vec<Observation> = asked.iter().map(|one| one.read().expect("there").into_owned()).collect();
            assert!(read.iter().eq(lines.observations(Observed::Measured)));
            assert_eq!(in_file.launches(), lines.launches());
            for (stored, whole) in asked.iter().zip(lines.recorded()) {
                let known = |one: &Recorded| (one.stamps(), one.is_on_one_clock(), one.is_oversubscribed());
                assert_eq!(
                    (stored.key(), stored.ran_by(), known(stored)),
                    (whole.key(), whole.ran_by(), known(&whole))
                );
                assert_eq!(stored.surroundings(), whole.surroundings());
            }
            let apart = contents.lines.iter().filter(|line| !matches!(line, Line::Measured(_)));
            assert!(others.iter().eq(apart));
        }
        (Err(one), Err(other)) => assert_eq!(one.to_string(), other.to_string()),
        (_, opened) => panic!("{opened:?}"),
    }
    whole
}

fn observation() -> Observation {
    let scale = Timescale { ticks_per_second: 2_445_432_107.3, origin: Ticks(u64::MAX - 7), granularity_ticks: 1 };
    let stamp = Stamp { block: 0, calls: 4, due: None, start: Ticks(u64::MAX - 5), end: Ticks(u64::MAX), valid: true };
    let clock = GlobalClock::constant(scale, -3, Span(5));
    let record = |rank| RankRecord::new(rank, clock, vec![stamp]);
    let ran_by = "threads, α = 200 µs".to_owned();
    Observation { oversubscribed: true, ..Observation::new(case(), ran_by, vec![record(0), record(1)]) }
}

fn clock_check() -> ClockCheck {
    let (null, up) = (observation().ranks, observation().ranks);
    ClockCheck {
        world: World::MPICH,
        carrier: Carrier::Native,
        conditions: Conditions::default(),
        occasion: Occasion { launch: 2 },
        oversubscribed: false,
        clocks: None,
        null,
        up,
        down: Vec::new(),
    }
}

fn lines() -> Vec<Line> {
    // 0.1 + 0.2 has 17 digits: it must come back bit for bit.
    let hockney = Hockney { alpha: Span(u64::MAX), beta: PerByte(0.1 + 0.2), send_rule: SendRule::Busy };
    vec![
        Line::Campaign {
            format: FORMAT,
            question: "By how much?\n\"µ\"".to_owned(),
            name: "unit".to_owned(),
            seed: u64::MAX,
            scenario_text: "# By how much?\nseed = 1\n".to_owned(),
            environment: vec![("CPU".to_owned(), "2 × 2.4 GHz".to_owned())],
            reproduce: vec![],
        },
        Line::Truth {
            case: case(),
            occasion: Occasion { launch: 1 },
            bound: Bound::High,
            spans: vec![Span(1), Span(u64::MAX)],
        },
        Line::Predicted { bound: Bound::Low, network: Network::Hockney(hockney), observation: observation() },
        Line::LeftOut { what: "mpich/native".to_owned(), why: "mpirun is not installed".to_owned() },
        Line::Measured(Observation { occasion: Occasion { launch: 1 }, ..observation() }),
        Line::ClockCheck(clock_check()),
        Line::Memory(LaunchMemory {
            world: World::MPICH,
            launch: 3,
            when: LaunchEnd::End,
            ran_by: "a library".to_owned(),
            ranks: vec![vec![Probe { moment: Moment::Ready, resident: None }], Vec::new()],
        }),
    ]
}

fn written(lines: &[Line]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("campaign.jsonl");
    let mut writer = Writer::create(&path).expect("a new file");
    for line in lines {
        writer.append(line).expect("a line");
    }
    (folder, path)
}

#[test]
fn what_is_written_is_read_again_bit_for_bit() {
    let mut all = lines();
    all.push(Line::Finished {});
    let (_folder, path) = written(&all);
    let contents = read(&path).expect("readable");
    assert_eq!(contents, Contents { lines: all.clone(), truncated: false });
    assert!(contents.finished());
    assert_eq!(std::fs::read_to_string(&path).expect("text").lines().count(), all.len());
}

/// Cuts the last of `all` at every byte and hands over the cut file, and whether the line is still whole.
fn cut_anywhere(all: &[Line], check: impl Fn(&Path, &Contents, bool)) {
    let (_folder, path) = written(all);
    let bytes = std::fs::read(&path).expect("bytes");
    let last = bytes[..bytes.len() - 1].iter().rposition(|&byte| byte == b'\n').expect("several lines") + 1;
    for length in last..=bytes.len() {
        std::fs::write(&path, &bytes[..length]).expect("written");
        let contents = read(&path).expect("readable");
        // But for its line end the last line has nothing missing: it counts.
        let whole = length >= bytes.len() - 1;
        assert_eq!(contents.lines, all[..all.len() - usize::from(!whole)], "cut at {length}");
        assert_eq!(contents.truncated, !whole && length > last, "cut at {length}");
        check(&path, &contents, whole);
    }
}

#[test]
fn a_campaign_killed_at_any_byte_of_a_line_keeps_the_lines_before() {
    cut_anywhere(&lines()[3..], |_, _, _| {});
}

#[test]
fn a_campaign_killed_at_any_byte_resumes_as_if_it_had_not_been() {
    let last = Line::LeftOut { what: "µ/α".to_owned(), why: "—".to_owned() };
    let all = [lines().remove(0), last.clone()];
    let (_folder, whole_file) = written(&all);
    let bytes = std::fs::read(&whole_file).expect("bytes");
    cut_anywhere(&all, |path, contents, whole| {
        let (mut writer, so_far) = Writer::resume(path).expect("resumable");
        assert_eq!(so_far, *contents);
        if !whole {
            writer.append(&last).expect("a line");
        }
        assert_eq!(std::fs::read(path).expect("bytes"), bytes);
    });
}

#[test]
fn what_was_left_out_before_a_campaign_was_gone_on_with_holds_no_longer() {
    let out = |what: &str| Line::LeftOut { what: what.to_owned(), why: "mpirun is not installed".to_owned() };
    let first = lines().remove(0);
    let all = [first.clone(), out("a"), out("b"), Line::Finished {}, Line::Resumed {}, out("b"), Line::Finished {}];
    let (_folder, path) = written(&all);
    let contents = read(&path).expect("a campaign");
    assert_eq!(contents.lines, [first, out("b"), Line::Finished {}]);
    assert!(contents.finished());
}

#[test]
fn a_broken_line_elsewhere_is_an_error_with_file_and_line_and_the_file_stays_as_it_is() {
    let (_folder, path) = written(&lines());
    let text = std::fs::read_to_string(&path).expect("text");
    let broken: Vec<String> = text
        .lines()
        .enumerate()
        .map(|(i, line)| if i == 2 { line[..40].to_owned() } else { line.to_owned() })
        .collect();
    for text in [broken.join("\n") + "\n", text.replacen("\"measured\"", "\"guessed\"", 1), text + "\n\n"] {
        std::fs::write(&path, &text).expect("written");
        let error = read(&path).expect_err("broken").to_string();
        let line =
            text.lines().position(|line| serde_json::from_str::<Line>(line).is_err()).expect("a broken line") + 1;
        assert!(error.contains(&format!("campaign.jsonl line {line}: ")), "{error}");
        assert!(Writer::resume(&path).is_err());
        assert_eq!(std::fs::read_to_string(&path).expect("text"), text);
    }
}

#[test]
fn nothing_is_overwritten_and_nobody_writes_beside_another() {
    let (_folder, path) = written(&lines());
    assert!(matches!(Writer::create(&path), Err(StoreError::Exists(_))));
    let (writer, _) = Writer::resume(&path).expect("free");
    assert!(matches!(Writer::resume(&path), Err(StoreError::Busy(_))));
    drop(writer);
    assert!(Writer::resume(&path).is_ok());
    assert!(matches!(read(path.with_extension("none")), Err(StoreError::Open { .. })));
}

#[test]
fn a_file_killed_before_its_first_line_is_empty_not_broken() {
    let (_folder, path) = written(&[]);
    assert_eq!(read(&path).expect("readable"), Contents::default());
    std::fs::write(&path, "{\"campa").expect("written");
    let (_, contents) = Writer::resume(&path).expect("resumable");
    assert!(contents.truncated && contents.lines.is_empty());
    assert_eq!(std::fs::read(&path).expect("bytes"), b"");
}

#[test]
fn a_file_of_another_format_is_refused_by_its_first_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("campaign.jsonl");
    let of = |first: &str| {
        std::fs::write(&path, format!("{first}\n{{\"finished\":{{}}}}\n")).unwrap();
        read(&path).map_err(|error| error.to_string())
    };
    let rest = r#""question":"?","name":"n","seed":1,"scenario_text":"","environment":[]"#;
    let ours = of(&format!(r#"{{"campaign":{{"format":{FORMAT},{rest}}}}}"#)).expect("this program's format");
    assert!(ours.finished());
    let newer = of(&format!(r#"{{"campaign":{{"format":{},"other":1}}}}"#, FORMAT + 1)).unwrap_err();
    let without = of(&format!(r#"{{"campaign":{{{rest}}}}}"#)).unwrap_err();
    let place = format!("{} line 1: ", path.display());
    let said = [newer, without].map(|error| error.strip_prefix(&place).expect("file and line").to_owned()).join("\n");
    let formats = [FORMAT + 1, FORMAT].map(|format| format!("format {format}"));
    assert!(formats.iter().all(|format| said.contains(format)), "{said}");
    insta::assert_snapshot!(said.replace(&formats[0], "format NEWER").replace(&formats[1], "format OURS"));
}
