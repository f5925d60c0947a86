use super::*;
use crate::compare::compare;
use crate::compare::fixture::{busy, campaign, case, lines, measurement, observation, predictions};
use crate::store::Line;
use models::method::Method;
use models::observation::Carrier::{self, Emulated, Native};
use models::time::Span;

fn report(subjects: &[(Carrier, u32, &str)]) -> Report {
    compare(&lines(subjects, &busy())).expect("a campaign")
}

fn widest(text: &str) -> usize {
    text.lines().map(|line| line.chars().count()).max().unwrap_or(0)
}

#[test]
fn a_subject_is_a_table_at_100_columns() {
    let expected = "\
By how much does an unsynchronised loop misreport a linear broadcast?
scenario unit, seed 7

linear bcast, 4 ranks, threads (emulated network), 1024 B, root 0
  oversubscribed: more ranks than cores
  predicted by Hockney, send rule busy, α = 1.00 ms, β = 0.0000 ns/B
  measured by threads, emulated
  windows of 8800 µs, start skew 0.0300 µs (99 %: 0.0300), clocks within 0.0030 µs, 0.0080 at the
    end
  rank   meas. µs  ±         pred. µs  r meas.                            r pred.  closed  verdict
  loop (30 blocks of 4 calls)
     0       3006  ±<0.1 %       3000     1.00  █████████▋                   1.00    1.00  agrees
     1       2505  ±<0.1 %       2500     2.50  ████████████████████████     2.50    2.50  agrees
     2       2756  ±<0.1 %       2750     1.37  █████████████▎               1.38    1.38  agrees
     3       3006  ±<0.1 %       3000     1.00  █████████▋                   1.00    1.00  agrees
  barrier-loop (30 blocks of 4 calls)
     0       3007  ±<0.1 %       3000     1.00  █████████▋                   1.00       –  agrees
     1       1003  ±0.1 %        1000     1.00  █████████▋                   1.00       –  agrees
     2       2005  ±<0.1 %       2000     1.00  █████████▋                   1.00       –  agrees
     3       3007  ±<0.1 %       3000     1.00  █████████▋                   1.00       –  agrees
  window (24 valid of 30 starts)
     0       3007  ±<0.1 %       3000     1.00                               1.00       –  agrees
     1       1003  ±0.1 %        1000     1.00                               1.00       –  agrees
     2       2005  ±<0.1 %       2000     1.00                               1.00       –  agrees
     3       3007  ±<0.1 %       3000     1.00                               1.00       –  agrees

Emulated network: of 12 numbers 12 agree, 0 are close, 0 differ; relative difference 0.2 % in the
  median, 0.3 % at most (linear bcast, 4 ranks, threads (emulated network), rank 1)
Native transport: – (nothing compared)

On 4 ranks over the emulated network (threads, more ranks than cores), a loop of 4 unsynchronised
linear broadcasts reports 2.50 times the true time for rank 1 (measured, 99 % interval 2.50 to 2.50;
predicted 2.50; closed form 10/4) and 1.00 times for the slowest, rank 3. A barrier before each call
brings that to 1.00 times (predicted 1.00).
";
    assert_eq!(terminal(&report(&[(Emulated, 4, "linear")]), 100, false), expected);
}

#[test]
fn narrow_terminals_lose_intervals_then_bars_but_no_numbers() {
    let report = report(&[(Emulated, 8, "linear"), (Native, 2, "linear")]);
    let texts = [100, 80, 64, 10].map(|width| terminal(&report, width, false));
    for (text, width) in texts.iter().zip([100, 80, 64, 64]) {
        assert!(widest(text) <= width, "{width}: {text}");
        assert!(text.contains("5500") && text.contains("5.50") && text.contains("agrees"), "{text}");
    }
    let has = |needle: char| texts.each_ref().map(|text| text.contains(needle));
    assert_eq!(has('±'), [true, false, false, false]);
    assert_eq!(has('█'), [true, true, false, false]);
}

#[test]
fn native_subjects_are_counted_apart_and_what_differs_is_named() {
    let mut lines = lines(&[(Emulated, 8, "linear"), (Native, 2, "linear")], &busy());
    let slow = case(Native, 2, "linear", Method::Loop);
    lines.push(Line::Measured(observation(slow, Span::from_us(1_250), |_| Span::ZERO)));
    let text = terminal(&compare(&lines).expect("a campaign"), 200, false);
    assert!(text.contains("Emulated network: of 24 numbers 24 agree, 0 are close, 0 differ; "), "{text}");
    assert!(text.contains("Native transport: of 6 numbers 4 agree, 0 are close, 2 differ; "), "{text}");
    assert!(text.contains("20 % at most (linear bcast, 2 ranks, Open MPI (native network), rank 1)"), "{text}");
}

#[test]
fn what_is_not_there_is_a_dash_and_left_out_is_said() {
    let looped = case(Emulated, 4, "linear", Method::Loop);
    let mut lines = vec![campaign()];
    lines.extend(predictions(&looped, &busy()));
    let mut measured = measurement(looped);
    measured.oversubscribed = false;
    measured.ranks.iter_mut().for_each(|rank| rank.stamps.truncate(5));
    lines.push(Line::Measured(measured));
    lines.push(Line::LeftOut { what: "mpich/native".to_owned(), why: "mpirun is not installed".to_owned() });
    let text = terminal(&compare(&lines).expect("a campaign"), 80, false);
    let rank = text.lines().find(|line| line.starts_with("     1  ")).expect("rank 1");
    assert_eq!(rank, "     1       2505       2500        –                      2.50    2.50  agrees");
    assert!(text.contains("loop (5 blocks of 4 calls; too few for 99 % intervals)"), "{text}");
    assert!(text.contains("Left out\nmpich/native: mpirun is not installed\n"), "{text}");
    assert!(!text.contains("windows of") && !text.contains("oversubscribed"), "{text}");
    let empty = terminal(&compare(&[campaign()]).expect("a campaign"), 80, false);
    assert!(empty.contains("Emulated network: – (nothing compared)") && empty.contains("Nothing was measured"));
}

#[test]
fn many_ranks_are_summed_up() {
    let text = terminal(&report(&[(Emulated, 33, "linear")]), 100, false);
    assert!(text.contains("     …  21 ranks between, r measured 1.11 to 3.25\n"), "{text}");
    assert_eq!(text.lines().filter(|line| line.ends_with("agrees")).count(), 3 * 12);
    // Thirteen are shown in full: the line would save nothing.
    assert!(!terminal(&report(&[(Emulated, 13, "linear")]), 100, false).contains('…'));
}

#[test]
fn colours_add_codes_and_nothing_else() {
    let report = report(&[(Emulated, 4, "linear")]);
    let (plain, coloured) = (terminal(&report, 100, false), terminal(&report, 100, true));
    assert!(!plain.contains('\x1b') && coloured.contains("\x1b[32magrees\x1b[0m"));
    let mut stripped = coloured;
    for code in ["0", "1", "2", "32", "1;33"] {
        stripped = stripped.replace(&format!("\x1b[{code}m"), "");
    }
    assert_eq!(stripped, plain);
}
