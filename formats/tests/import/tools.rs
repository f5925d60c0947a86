//! Tool by tool.

use super::{fact, imported, runs, values};
use models::collective::Collective;
use parallax_formats::import::{PrintedRow, Tool};

#[test]
fn osu_with_all_columns() {
    let osu = imported("osu.default.allreduce.np2.r7.txt");
    assert_eq!((osu.tool, osu.version.as_deref(), osu.rows.len()), (Tool::Osu, Some("7.4"), 14));
    let row = &osu.rows[0];
    assert_eq!((row.benchmark.as_str(), row.collective), ("Allreduce Latency", Some(Collective::Allreduce)));
    assert_eq!((row.bytes, row.ranks, row.calls, row.line), (Some(8), Some(2), Some(1000), 5));
    assert_eq!(row.datatype.as_deref(), Some("MPI_FLOAT"));
    let expected =
        [("mean_us", 0.55), ("min_us", 0.50), ("max_us", 0.61), ("p50_us", 0.52), ("p90_us", 0.73), ("p99_us", 0.82)];
    assert_eq!(values(row), expected.map(|(name, value)| (name, Some(value))));
    assert_eq!(row.columns[3].head, "P50 Tail Lat(us)");
    let last = osu.rows.last().expect("rows");
    assert_eq!((last.bytes, last.value("p99_us")), (Some(65536), Some(26.01)));
    assert_eq!(imported("osu.default.bcast.np2.r7.txt").rows[0].collective, Some(Collective::Bcast));
}

#[test]
fn osu_tests_between_two_processes_and_several_in_a_text() {
    let latency = imported("osu-latency-6.2.txt");
    assert_eq!((latency.rows[2].benchmark.as_str(), latency.rows[2].ranks), ("Latency", Some(2)));
    assert_eq!(latency.rows[2].value("mean_us"), Some(512.35));
    let several = runs("osu-several-7.3.txt");
    assert_eq!((several.len(), several[0].left_out[0].line, several[0].left_out.len()), (3, 1, 1));
    let rows: Vec<&PrintedRow> = several.iter().flat_map(|run| &run.rows).collect();
    let names: Vec<&str> = rows.iter().map(|row| row.benchmark.as_str()).collect();
    let multiple = "Multiple Bandwidth / Message Rate";
    assert_eq!(
        names,
        [multiple, multiple, "Barrier Latency", "Non-blocking Allreduce Latency", "Non-blocking Allreduce Latency"]
    );
    assert_eq!((rows[1].ranks, rows[1].word("window_size")), (Some(4), "64"));
    assert_eq!(values(rows[1]), [("mb_per_s", Some(21034.55)), ("messages_per_s", Some(5015.03))]);
    let barrier = rows[2];
    assert_eq!((barrier.collective, barrier.bytes, barrier.calls), (Some(Collective::Barrier), None, Some(1000)));
    assert_eq!(values(barrier), [("mean_us", Some(0.53)), ("min_us", Some(0.51)), ("max_us", Some(0.55))]);
    let overlapped = rows[3];
    assert_eq!(overlapped.word("validation"), "on");
    assert_eq!((overlapped.collective, overlapped.datatype.as_deref()), (None, Some("MPI_INT")));
    let expected =
        [("overall_us", 2.53), ("compute_us", 1.33), ("pure_us", 1.21), ("overlap_percent", 0.83), ("passed", 1.0)];
    assert_eq!(values(overlapped), expected.map(|(name, value)| (name, Some(value))));
    assert_eq!((rows[4].datatype.as_deref(), rows[4].value("passed")), (Some("MPI_FLOAT"), Some(0.0)));
}

#[test]
fn imb_with_its_facts() {
    let imb = imported("imb.sync0.bcast.np2.r7.txt");
    assert_eq!((imb.tool, imb.version.as_deref(), imb.rows.len()), (Tool::Imb, Some("2021.11"), 15));
    let row = &imb.rows[1];
    assert_eq!((row.benchmark.as_str(), row.collective, row.ranks), ("Bcast", Some(Collective::Bcast), Some(2)));
    assert_eq!((row.bytes, row.calls), (Some(8), Some(1000)));
    assert_eq!(values(row), [("min_us", Some(0.10)), ("max_us", Some(0.11)), ("mean_us", Some(0.11))]);
    assert_eq!(imb.rows[14].calls, Some(640));
    let line = "imb/IMB-MPI1 Bcast -msglog 3:16 -npmin 2 -time 2 -red_data_type double -sync 0";
    assert_eq!(fact(&imb, "command line"), line);
    assert_eq!(fact(&imb, "Date"), "Sat Nov 21 01:58:00 2026");
    assert_eq!(fact(&imb, "MPI_Datatype for reductions"), "MPI_DOUBLE");
}

#[test]
fn imb_with_several_operations_groups_and_sizes_that_ran_out_of_time() {
    let imb = imported("imb-2018-several.txt");
    assert_eq!((imb.version.as_deref(), imb.rows.len()), (Some("2018 Update 1"), 7));
    let groups = &imb.rows[3];
    assert_eq!((groups.benchmark.as_str(), groups.collective, groups.ranks), ("Multi-PingPong", None, Some(2)));
    assert_eq!((groups.word("groups"), groups.word("group")), ("2", "1"));
    assert_eq!(values(groups), [("time_us", Some(410.88)), ("mb_per_s", Some(10208.12))]);
    let barrier = &imb.rows[4];
    assert_eq!((barrier.collective, barrier.bytes, barrier.ranks), (Some(Collective::Barrier), None, Some(4)));
    assert_eq!(barrier.value("max_us"), Some(1.73));
    assert_eq!(
        (imb.rows[6].ranks, imb.rows[6].bytes, imb.rows[6].value("mean_us")),
        (Some(2), Some(2_097_152), Some(340.50))
    );
    assert_eq!((imb.left_out[0].line, imb.left_out.len()), (59, 1));
    let line = "/opt/imb/2018.1/bin/IMB-MPI1 -npmin 2 -multi 0 PingPong Barrier Reduce_scatter";
    assert_eq!(fact(&imb, "command line"), line);
    let overlapped = imported("imb-nbc-2019.txt");
    assert_eq!(overlapped.rows[0].collective, None);
    let expected = [("overall_us", 4.21), ("pure_us", 2.05), ("compute_us", 2.11), ("overlap_percent", 0.0)];
    assert_eq!(values(&overlapped.rows[0]), expected.map(|(name, value)| (name, Some(value))));
}

#[test]
fn mpiperf_with_fourteen_columns() {
    let mpiperf = imported("mpiperf.wtime.allreduce.np2.r7.txt");
    assert_eq!((mpiperf.tool, mpiperf.version.as_deref(), mpiperf.rows.len()), (Tool::Mpiperf, Some("0.0.3"), 14));
    let row = &mpiperf.rows[2];
    assert_eq!((row.ranks, row.count, row.bytes), (Some(2), Some(4), Some(32)), "elements are MPI_DOUBLE");
    assert_eq!(row.calls, Some(112));
    let expected = [
        ("correct_runs", 106.0),
        ("kept_runs", 54.0),
        ("mean_us", 0.73),
        ("relative_standard_error", 0.0),
        ("standard_error_us", 0.0),
        ("min_us", 0.70),
        ("max_us", 0.77),
        ("error_us", 0.01),
        ("interval_low_us", 0.73),
        ("interval_high_us", 0.74),
        ("relative_error", 0.01),
    ];
    assert_eq!(values(row), expected.map(|(name, value)| (name, Some(value))));
    assert_eq!(fact(&mpiperf, "process 1"), "vm");
    assert_eq!(fact(&mpiperf, "Timer"), "MPI_Wtime");
    let bcast = imported("mpiperf.wtime.bcast.np2.r7.txt");
    assert_eq!(
        (bcast.rows[0].count, bcast.rows[0].bytes, bcast.rows[0].value("mean_us")),
        (Some(8), Some(8), Some(0.49))
    );
}

#[test]
fn mpiperf_in_seconds_without_correct_runs_by_process_and_old() {
    let seconds = imported("mpiperf-seconds.txt");
    assert_eq!(seconds.rows[1].value("mean_us"), Some(12.0));
    assert_eq!(seconds.rows[1].value("relative_error"), Some(0.17));
    let nothing = &seconds.rows[0];
    assert_eq!((nothing.calls, nothing.value("correct_runs"), nothing.value("mean_us")), (Some(400), Some(0.0), None));
    let processes = imported("mpiperf-processes.txt");
    assert_eq!(processes.rows[1].collective, Some(Collective::Scan));
    assert_eq!((processes.rows[1].value("rank"), processes.rows[1].value("mean_us")), (Some(1.0), Some(0.62)));
    let old = imported("mpiperf-0.0.2-null.txt");
    let row = &old.rows[1];
    assert_eq!(
        (row.benchmark.as_str(), row.ranks, row.count, row.value("mean_us")),
        ("WaitPatternNull", Some(64), None, Some(0.25))
    );
}

#[test]
fn reprompi_summaries() {
    let barrier = imported("reprompi.barrier.allreduce.np2.r7.txt");
    assert_eq!((barrier.tool, barrier.rows.len()), (Tool::Reprompi, 14));
    let row = &barrier.rows[1];
    assert_eq!(
        (row.count, row.bytes, row.ranks, row.calls),
        (Some(2), Some(16), Some(2), Some(1000)),
        "the type is in the command line, the number of ranks in the file's name"
    );
    let expected =
        [("valid_samples", 1000.0), ("mean_us", 0.9035), ("median_us", 0.811), ("min_us", 0.399), ("max_us", 8.501)];
    assert_eq!(values(row), expected.map(|(name, value)| (name, Some(value))));
    let rounds = imported("reprompi.rts.bcast.np2.r7.txt");
    assert_eq!(rounds.version.as_deref(), Some("d40429c283ca80d541a583f44fcb67901a13086f"));
    assert_eq!((rounds.rows[0].ranks, rounds.rows[0].bytes), (Some(2), Some(8)));
    assert_eq!((fact(&rounds, "clocksync"), fact(&rounds, "procsync")), ("HCA3", "roundtime"));
}

#[test]
fn reprompi_raw_samples() {
    let raw = imported("reprompi-raw.txt");
    assert_eq!(raw.rows.len(), 2);
    let row = &raw.rows[0];
    assert_eq!((row.count, row.bytes, row.ranks, row.calls), (Some(2), Some(8), Some(2), Some(3)));
    let times: Vec<(u64, i64, bool)> =
        row.samples.iter().map(|sample| (sample.index, sample.time_ps, sample.valid)).collect();
    assert_eq!(times, [(0, 11_234_000, false), (1, 564_000, true), (2, 575_000, true)]);
    let expected =
        [("valid_samples", 2.0), ("mean_us", 0.5695), ("median_us", 0.5695), ("min_us", 0.564), ("max_us", 0.575)];
    for ((name, value), (expected, exact)) in values(row).into_iter().zip(expected) {
        assert_eq!(name, expected);
        assert!((value.expect(name) - exact).abs() < 1e-12, "{name} {value:?}");
    }
    assert!(row.columns.iter().all(|column| column.head.is_empty()), "they were computed, not printed");
}

#[test]
fn reprompi_readings_since_1970_keep_their_tenth_place() {
    let raw = imported("reprompi-raw-processes.txt");
    assert_eq!(raw.rows.len(), 1);
    let samples = &raw.rows[0].samples;
    assert_eq!(samples.len(), 4);
    // A float of seconds since 1970 could not tell 0.5 µs from 0.6001 µs.
    assert_eq!(samples[0].time_ps, 500_000);
    assert_eq!(samples[2].time_ps, 600_100);
    assert_eq!((samples[2].rank, samples[2].local_ps), (Some(1), Some((0, 600_100))));
    assert_eq!(samples[0].global_ps, Some((10_000, 510_000)));
    assert_eq!(samples[3].global_ps, Some((1_100_000, 1_400_000)));
    assert_eq!(raw.rows[0].value("max_us"), Some(0.6001), "the slower process of the first call");
    assert_eq!(raw.rows[0].value("min_us"), Some(0.4), "the slower process of the second");
}

#[test]
fn skampi_measurements() {
    let skampi = imported("skampi-5.txt");
    assert_eq!((skampi.tool, skampi.version.as_deref(), skampi.rows.len()), (Tool::Skampi, Some("5.0.4 rev. 355"), 5));
    let row = &skampi.rows[1];
    assert_eq!(
        (row.collective, row.ranks, row.bytes, row.calls),
        (Some(Collective::Bcast), Some(3), Some(256), Some(8))
    );
    let expected = [
        ("time_us", Some(1.4)),
        ("standard_error_us", Some(0.1)),
        ("process_0_us", Some(0.3)),
        ("process_1_us", Some(0.9)),
        ("process_2_us", None),
    ];
    assert_eq!(values(row), expected);
    assert_eq!(
        (skampi.rows[3].collective, skampi.rows[3].count, skampi.rows[3].bytes),
        (Some(Collective::Allreduce), Some(2), Some(8))
    );
    let barrier = &skampi.rows[4];
    assert_eq!(
        (barrier.collective, barrier.bytes, barrier.ranks, barrier.calls),
        (Some(Collective::Barrier), None, Some(2), Some(54))
    );
    assert_eq!(barrier.value("time_us"), Some(0.6));
    assert_eq!(fact(&skampi, "Started"), "Sat Nov 21 01:58:35 2026");
}
