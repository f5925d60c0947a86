use super::answer::{advice, conclude};
use super::page::terminal;
use super::*;
use crate::compare::fixture::campaign;
use crate::forms::printed;
use models::clock::{GlobalClock, Ticks, Timescale};
use models::time::Span;
use programs::audit::{AuditedLaunch, AuditedReference, AuditedRow, LaunchKey};
use programs::observation::{Looked, MachineLook, RankRecord, Stamp};
use render::results::Look;
use render::results::{Format, Results};
use scenario::store::Line;
use statistics::median;

const NEAR: Span = Span(40_000);
const FAR: Span = Span(160_000);

/// Windows of two ranks of which the slower one takes `us`, the other half as long; a look before and behind them.
pub(super) fn windows(buffer: Buffer, us: f64, line: Span) -> AuditedReference {
    let look = MachineLook { line: Some(line), work: Span::from_ns(600) };
    let record = |rank: u32| {
        let length = (us * 1e6 / f64::from(rank + 1)).round() as u64;
        let due = |index: u64| 1_000_000_000 * (index + 1);
        let stamp = |index: u64| Stamp {
            block: 1,
            calls: 1,
            due: Some(Ticks(due(index))),
            start: Ticks(due(index)),
            end: Ticks(due(index) + length),
            valid: true,
        };
        let mut record =
            RankRecord::new(rank, GlobalClock::reference(Timescale::PICOSECONDS), (0..8).map(stamp).collect());
        record.looks = vec![Looked { before_stamp: 0, look }, Looked { before_stamp: 8, look }];
        record
    };
    AuditedReference { buffer, ranks: (0..2).map(record).collect() }
}

/// A launch of osu_bcast that prints so much; references of 1 µs touched and 0.8 µs same on near cores, far ones twice that.
fn launch(number: u32, printed: f64, line: Span) -> Line {
    let factor = if line == FAR { 2.0 } else { 1.0 };
    let look = MachineLook { line: Some(line), work: Span::from_ns(600) };
    let row = AuditedRow {
        row: 0,
        function: "MPI_Bcast".to_owned(),
        collective: Collective::Bcast,
        bytes: 8,
        count: 8,
        element: "MPI_CHAR".to_owned(),
        reduction: None,
        in_place: false,
        roots: vec![0],
        calls: 1_200,
        buffers_seen: 1,
        ranks: 2,
        looks_before: vec![look; 2],
        looks_after: vec![look; 2],
        references: vec![windows(Buffer::Same, 0.8 * factor, line), windows(Buffer::Touched, factor, line)],
        left_out: None,
        ran_by: "Open MPI 4.1.4".to_owned(),
    };
    let text = format!("# OSU MPI Broadcast Latency Test v7.4\n# Size       Avg Latency(us)\n8 {printed}\n16 9.9\n");
    let key = LaunchKey {
        world: World::OPENMPI,
        ranks: 2,
        tool: "OSU".to_owned(),
        flags: String::new(),
        program: "osu_bcast".to_owned(),
        launch: number,
    };
    Line::Audited(Box::new(AuditedLaunch { key, command: "osu_bcast".to_owned(), text, rows: vec![row] }))
}

fn lines() -> Vec<Line> {
    let mut lines = vec![campaign()];
    // Six launches on near cores around 0.7, two on far ones.
    let printed = [0.69, 0.70, 0.71, 0.70, 0.695, 0.705];
    lines.extend(printed.iter().zip(0..).map(|(us, number)| launch(number, *us, NEAR)));
    lines.extend((6..8).map(|number| launch(number, 1.5, FAR)));
    lines
}

fn table(audit: &Audit, detailed: bool, width: usize) -> String {
    terminal(audit, Look { width, detailed, ..Look::IN_FILES })
}

#[test]
fn ratios_are_taken_in_one_launch_and_one_state() {
    let audit = audit(&lines(), Buffer::Touched);
    let near: Vec<&AuditRow> =
        audit.rows.iter().filter(|row| row.state.is_some_and(|state| state.line_ns < 100.0)).collect();
    assert_eq!((audit.states.met.len(), near.len()), (2, 1), "{audit:?}");
    let row = near[0];
    assert_eq!((row.over.log_ratio.launches, row.element.as_str()), (6, "MPI_CHAR"));
    let (ratio, interval) = row.over.ratio();
    let (low, high) = interval.expect("six launches");
    assert!((ratio - 0.70).abs() < 0.005 && low >= 0.689 && high <= 0.711, "{ratio} {low} {high}");
    assert!((row.reference_us - 1.0).abs() < 1e-9 && (row.printed_us - 0.70).abs() < 1e-9);
    // Far: two launches, of two stretches each: mentioned, without a row.
    assert!(audit.rows.iter().all(|row| row.state == near[0].state));
    // In every launch the row of 16 B, whose calls nobody saw; and the two numbers on far cores.
    assert_eq!(audit.unpaired, 8 + 2);
}

#[test]
fn parts_multiply_to_the_ratio() {
    let audit = audit(&lines(), Buffer::Touched);
    let row = &audit.rows[0];
    let Parts { never_rewritten, ranks_counted, rest } = row.parts;
    let (buffers, ranks) = (never_rewritten.expect("same"), ranks_counted.expect("same"));
    assert!((buffers.exp() - 0.8).abs() < 1e-6, "{buffers}");
    assert!((ranks.exp() - 0.75).abs() < 1e-6, "a mean of 1 and 1/2: {ranks}");
    assert!((buffers + ranks + rest - row.over.log_ratio.value).abs() < 1e-12);
}

#[test]
fn another_reference_changes_the_ratio_and_not_the_number() {
    let same = audit(&lines(), Buffer::Same);
    assert!((same.rows[0].over.ratio().0 - 0.875).abs() < 0.01);
    assert!((same.rows[0].parts.never_rewritten.expect("same")).abs() < 1e-12);
}

#[test]
fn few_launches_are_marked_and_give_no_answer() {
    let mut lines = vec![campaign()];
    lines.extend((0..3).map(|number| launch(number, 0.7, NEAR)));
    let few = audit(&lines, Buffer::Touched);
    assert!(!few.rows[0].over.is_firm() && few.rows[0].over.ratio().1.is_none());
    insta::assert_snapshot!(conclude(&few));
    assert!(table(&few, false, 100).contains("~0.70"));
}

#[test]
fn two_groups_of_launches_are_told_and_not_answered_with() {
    let mut lines = vec![campaign()];
    let printed = [0.700, 0.701, 0.702, 0.703, 1.100, 1.101, 1.102, 1.103];
    lines.extend(printed.iter().zip(0..).map(|(us, number)| launch(number, *us, NEAR)));
    let found = audit(&lines, Buffer::Touched);
    assert!(found.rows[0].over.modes.is_some());
    let (brief, detailed) = (table(&found, false, 160), table(&found, true, 160));
    assert!(detailed.contains("×0.70 (4)") && detailed.contains("×1.10 (4)"), "{detailed}");
    assert!(brief.contains("0.70|1.10"), "{brief}");
}

#[test]
fn every_form_has_the_answer_and_the_advice() {
    let audit = audit(&lines(), Buffer::Touched);
    insta::assert_snapshot!(format!("{}\n\n{}", conclude(&audit), advice(&audit).join("\n")));
    let (text, detailed, markdown) =
        (table(&audit, false, 100), table(&audit, true, 120), printed(&audit, Format::Markdown));
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    assert!(detailed.contains("×0.80") && detailed.contains("×0.75"), "the parts: {detailed}");
    for form in [text, detailed, markdown] {
        let flat = form.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(&conclude(&audit)) && flat.contains(&advice(&audit)[0]), "{form}");
    }
    let csv = audit.csv();
    let mut reader = ::csv::Reader::from_reader(csv.as_bytes());
    assert_eq!(reader.records().filter(Result::is_ok).count(), audit.rows.len());
    let page = audit.page();
    page.figures().iter().for_each(|figure| crate::plots::room_tests::finds_room(&figure.drawing, &figure.name));
    assert_eq!((page.sections.len(), page.sections[0].tables.len()), (1, 1));
    let printed: Vec<f64> = audit.rows.iter().map(|row| row.printed_us).collect();
    assert_eq!(median(&printed), Some(audit.rows[0].printed_us));
}

/// Rows of one benchmark on MPI with such flags: each has six launches about its ratio, whose interval is ± a share.
fn way(flags: &str, column: &str, ratios: &[(f64, f64)]) -> Vec<AuditRow> {
    let row = |(place, (ratio, share)): (usize, &(f64, f64))| {
        let launches = (0..6).map(|launch| (launch, ratio * (1.0 + share * (f64::from(launch) / 2.5 - 1.0)), 1.0));
        AuditRow {
            world: World::OPENMPI,
            ranks: 2,
            tool: "IMB".to_owned(),
            flags: flags.to_owned(),
            column: column.to_owned(),
            collective: Collective::Bcast,
            bytes: 8 << place,
            element: "MPI_BYTE".to_owned(),
            text: None,
            state: None,
            printed_us: *ratio,
            reference_us: 1.0,
            over: crate::over::OverReference::of_pairs(launches, CONFIDENCE).expect("ratios"),
            parts: Parts::default(),
        }
    };
    ratios.iter().enumerate().map(row).collect()
}

fn advised(rows: Vec<Vec<AuditRow>>) -> String {
    advice(&Audit { rows: rows.concat(), ..Audit::empty() })[0].clone()
}

const AVERAGE: &str = "t_avg[usec]";
/// Surely within 10 %, surely not, and open on either side of the line.
const RIGHT: (f64, f64) = (1.0, 0.02);
const WRONG: (f64, f64) = (1.5, 0.02);
const JUST_IN: (f64, f64) = (1.09, 0.03);
const JUST_OUT: (f64, f64) = (1.11, 0.03);

#[test]
fn a_way_is_better_only_if_open_numbers_cannot_change_it() {
    let plain = |rows: &[(f64, f64)]| way("", AVERAGE, rows);
    let sync = |rows: &[(f64, f64)]| way("-sync off", AVERAGE, rows);
    // Five right numbers against three: better, whatever the open ones are.
    let better = advised(vec![plain(&[RIGHT, RIGHT, RIGHT, WRONG, WRONG]), sync(&[RIGHT; 5])]);
    assert!(better.contains("IMB -sync off") && better.contains("5 of 5"), "{better}");
    // Three and two open ones against three: not better, and neither the other way round.
    let open = [RIGHT, RIGHT, RIGHT, JUST_IN, JUST_IN];
    let not_better = advised(vec![plain(&[RIGHT, RIGHT, RIGHT, WRONG, WRONG]), sync(&open)]);
    let not_worse = advised(vec![plain(&open), sync(&[RIGHT; 5])]);
    assert!(not_worse.contains("3 to 5 of 5"), "{not_worse}");
    insta::assert_snapshot!([better, not_better, not_worse].join("\n"));
}

#[test]
fn two_runs_near_the_line_give_the_same_advice() {
    // What lies near 10 % is seen on either side of it: counts of values would be 5 and 8 of 10 first, then 8 and 5.
    let with = |near: [(f64, f64); 3]| [vec![RIGHT; 5], near.to_vec(), vec![WRONG; 2]].concat();
    let said = |plain, sync| advised(vec![way("", AVERAGE, &with(plain)), way("-sync off", AVERAGE, &with(sync))]);
    let (first, second) = (said([JUST_OUT; 3], [JUST_IN; 3]), said([JUST_IN; 3], [JUST_OUT; 3]));
    assert!(first.contains("5 to 8 of 10"), "{first}");
    insta::assert_snapshot!(first);
    assert_eq!(first, second);
}

#[test]
fn what_makes_the_root_change_is_marked_where_it_is_advised() {
    let better = advised(vec![way("", AVERAGE, &[WRONG; 5]), way("-root_shift on", AVERAGE, &[RIGHT; 5])]);
    assert!(better.contains("IMB -root_shift on") && better.contains("5 of 5"), "{better}");
    let as_good = advised(vec![way("", AVERAGE, &[RIGHT; 5]), way("-root_shift on", AVERAGE, &[RIGHT; 5])]);
    insta::assert_snapshot!([better, as_good].join("\n"));
}

#[test]
fn another_audit_s_contradiction_is_said() {
    let audit = audit(&lines(), Buffer::Touched);
    // Behind what is advised for each library.
    insta::assert_snapshot!(advice(&audit)[1]);
}
