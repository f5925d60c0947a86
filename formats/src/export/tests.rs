use super::*;
use crate::fixture::{TAU, case, observation};
use crate::import::{Imported, Tool, read};
use models::clock::{GlobalClock, Ticks, Timescale};
use models::time::Span;
use programs::method::Method;
use programs::observation::{Carrier, RankRecord, Stamp};

/// Two ranks whose calls take so many ns; a call that takes 0 is not valid.
fn observed(collective: Collective, bytes: u64, ns: [&[u64]; 2]) -> Observation {
    let stamp = |(index, &ns): (usize, &u64)| {
        let start = Ticks(10_000_000 * index as u64);
        Stamp { block: 0, calls: 1, due: None, start, end: Ticks(start.0 + 1_000 * ns), valid: ns > 0 }
    };
    let rank = |rank: usize| {
        let stamps = ns[rank].iter().enumerate().map(stamp).collect();
        RankRecord::new(rank as u32, GlobalClock::reference(Timescale::PICOSECONDS), stamps)
    };
    let case = case(Carrier::Native, 2, "linear", Method::BarrierLoop).with(|case| {
        case.subject.collective = collective;
        case.subject.bytes = bytes;
    });
    Observation::new(case, "Open MPI 4.1.4", vec![rank(0), rank(1)])
}

fn text(format: Format, observations: &[Observation]) -> String {
    let mut out = Vec::new();
    write(format, observations, MpiperfStatistics::default(), &mut out).expect("memory can be written");
    String::from_utf8(out).expect("text")
}

fn imported(format: Format, observations: &[Observation]) -> Imported {
    let text = text(format, observations);
    let runs = read("exported", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let rows = runs.iter().flat_map(|run| run.rows.clone()).collect();
    Imported { rows, ..runs[0].clone() }
}

/// Ranks' means are 0.25 and 1.25 µs; samples' means 0.5, 0.75, 1 and 0.75, their slowest ranks 0.9, 1.3, 1.7 and 1.1.
fn small(collective: Collective, bytes: u64) -> Observation {
    observed(collective, bytes, [&[100, 200, 300, 400], &[900, 1_300, 1_700, 1_100]])
}

/// No sample is valid on both ranks.
fn invalid(collective: Collective, bytes: u64) -> Observation {
    observed(collective, bytes, [&[0, 0], &[0, 0]])
}

/// A printed row: cells in columns of these widths.
fn row<const N: usize>(cells: [(&str, usize); N]) -> String {
    cells.iter().map(|(cell, width)| format!("{cell:>width$}")).collect()
}

#[test]
fn osu_is_written_as_osu_prints_it_and_read_back() {
    let rows = [small(Collective::Bcast, 8), small(Collective::Bcast, 65_536), invalid(Collective::Bcast, 4)];
    let written = text(Format::Osu, &rows);
    let sample = include_str!("../../tests/data/osu.default.bcast.np2.r7.txt");
    let real: Vec<&str> = sample.lines().collect();
    let lines: Vec<&str> = written.lines().collect();
    assert_eq!((lines[0], lines[1], lines[3], lines[4]), (real[0], real[1], real[2], real[3]));
    assert!(lines[2].starts_with("# Written by Parallax ") && lines[2].contains("barrier-loop"), "{written}");
    let cells = [("0.75", 18), ("0.25", 18), ("1.25", 18), ("4", 12), ("0.75", 18), ("0.75", 18), ("0.75", 18)];
    assert_eq!(lines[5], format!("8         {}", row(cells)));
    assert_eq!(lines[5].len(), real[4].len());
    assert!(lines[7].starts_with("# 4 B"), "{written}");
    insta::assert_snapshot!(lines[7]);
    let back = imported(Format::Osu, &rows);
    assert_eq!((back.tool, back.rows.len(), back.rows[1].bytes), (Tool::Osu, 2, Some(65_536)));
    let row = &back.rows[0];
    assert_eq!((row.collective, row.calls), (Some(Collective::Bcast), Some(4)));
    assert_eq!((row.value("mean_us"), row.value("min_us"), row.value("max_us")), (Some(0.75), Some(0.25), Some(1.25)));
    assert_eq!(row.value("p99_us"), Some(0.75));
}

#[test]
fn imb_is_written_as_imb_prints_it_and_read_back() {
    let rows = [small(Collective::Allreduce, 8), small(Collective::Barrier, 0)];
    let written = text(Format::Imb, &rows);
    let sample = include_str!("../../tests/data/imb.default.allreduce.np2.r7.txt");
    for line in ["# Benchmarking Allreduce ", "# #processes = 2 ", "# All processes entering MPI_Finalize"] {
        assert!(written.lines().any(|found| found == line) && sample.lines().any(|found| found == line), "{line}");
    }
    let table = |text: &str| {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let head = lines.iter().position(|line| line.contains("#bytes")).expect("a head");
        lines[head - 4..=head + 1].to_vec()
    };
    let (ours, real) = (table(&written), table(sample));
    assert_eq!(ours[..5], real[..5], "rule, heading, rule, head");
    assert_eq!(ours[5], row([("8", 13), ("4", 13), ("0.25", 13), ("1.25", 13), ("0.75", 13)]));
    let back = imported(Format::Imb, &rows);
    assert_eq!((back.tool, back.version.as_deref(), back.rows.len()), (Tool::Imb, Some("2021.11"), 2));
    let (allreduce, barrier) = (&back.rows[0], &back.rows[1]);
    assert_eq!(
        (allreduce.collective, allreduce.ranks, allreduce.bytes),
        (Some(Collective::Allreduce), Some(2), Some(8))
    );
    assert_eq!(
        (barrier.collective, barrier.bytes, barrier.value("mean_us")),
        (Some(Collective::Barrier), None, Some(0.75))
    );
}

#[test]
fn mpiperf_is_written_with_its_fourteen_columns_and_read_back() {
    let reduce = |bytes| small(Collective::Reduce, bytes);
    let rows = [small(Collective::Bcast, 8), invalid(Collective::Bcast, 16), reduce(64), reduce(12)];
    let written = text(Format::Mpiperf, &rows);
    let sample = include_str!("../../tests/data/mpiperf.wtime.bcast.np2.r7.txt");
    let head = |text: &str| text.lines().find(|line| line.contains("[Procs]")).expect("a head").to_owned();
    assert_eq!(head(&written), head(sample));
    let found = written.lines().find(|line| line.starts_with("  2 ")).expect("a row");
    let cells = [("2", 7), ("8", 11), ("4", 7), ("4", 7), ("2", 7), ("1.20", 14), ("0.12", 10), ("0.14", 14)];
    // Student's t(0.975, 1) is 12.706.
    let more = [("1.10", 14), ("1.30", 14), ("1.80", 14), ("-0.60", 14), ("3.00", 14), ("1.50", 10)];
    let expected: String = cells.iter().chain(&more).map(|(cell, width)| format!("{cell:<width$} ")).collect();
    assert_eq!(found, format!("  {}", expected.strip_suffix(' ').expect("a blank")));
    let real = sample.lines().find(|line| line.starts_with("  2 ")).expect("a row");
    assert_eq!(found.len(), real.len());
    insta::assert_snapshot!(written.lines().find(|line| line.starts_with("# 12 B")).expect("what is left out"));
    let back = imported(Format::Mpiperf, &rows);
    assert_eq!((back.tool, back.rows.len()), (Tool::Mpiperf, 3));
    assert_eq!((back.rows[0].bytes, back.rows[0].value("mean_us")), (Some(8), Some(1.2)));
    assert_eq!((back.rows[1].calls, back.rows[1].value("mean_us")), (Some(2), None), "0 stands for nothing");
    assert_eq!((back.rows[2].count, back.rows[2].bytes), (Some(8), Some(64)));
}

#[test]
fn loops_have_no_percentiles_of_single_calls() {
    let observation = observation(case(Carrier::EMULATED, 3, "linear", Method::Loop), TAU, |_| Span::ZERO);
    let expected = |aggregation| programs::aggregation::reported_us(&observation.ranks, aggregation).expect("valid");
    let columns = programs::method::Preset::Osu.columns();
    let back = imported(Format::Osu, std::slice::from_ref(&observation));
    let row = &back.rows[0];
    let names: Vec<&str> = row.columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!((names, row.calls), (vec!["mean_us", "min_us", "max_us"], Some(30 * 4)));
    for (column, found) in columns.iter().zip(&row.columns) {
        assert!((expected(&column.aggregation) - found.value.expect("a number")).abs() <= 0.005, "{}", column.head);
    }
}

#[test]
fn each_operation_method_and_number_of_ranks_has_its_table() {
    let with = |observation: Observation, change: &dyn Fn(&mut Case)| {
        let mut observation = observation;
        change(&mut observation.case);
        observation
    };
    let rows = [
        small(Collective::Bcast, 8),
        small(Collective::Alltoall, 8),
        with(small(Collective::Bcast, 16), &|case| case.timing.method = Method::BarrierOwn),
        small(Collective::Bcast, 16),
        with(small(Collective::ReduceScatter, 16), &|_| ()),
    ];
    let back = imported(Format::Osu, &rows);
    let found: Vec<_> =
        back.rows.iter().map(|row| (row.collective.expect("known"), row.bytes.expect("a size"))).collect();
    // Of a reduce-scatter the whole vector.
    let (bcast, alltoall, scatter) = (Collective::Bcast, Collective::Alltoall, Collective::ReduceScatter);
    assert_eq!(found, [(bcast, 8), (bcast, 16), (alltoall, 8), (bcast, 16), (scatter, 32)]);
    assert_eq!(text(Format::Osu, &rows).matches("Latency Test").count(), 4);
    assert_eq!(
        text(Format::Osu, &[with(rows[0].clone(), &|case| case.timing.method = Method::LoopTrace)]),
        "",
        "a trace"
    );
    assert_eq!(text(Format::Osu, &[]), "");
}
