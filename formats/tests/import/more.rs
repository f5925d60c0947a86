//! Tools beyond the benchmarks of MPI's collectives: devices, matrices, pairs of ranks and of cores, parameters. The samples are
//! made from the lines of the tools' sources that print, with numbers of our own.

use super::{data, fact, imported, runs, values};
use parallax_formats::import::{Imported, PrintedRow, Tool, core_matrix, machine, read};
use parallax_study::contrast::imported as side;
use programs::machine::Machine;

fn keys(name: &str, column: Option<&str>) -> Vec<String> {
    side(name, &runs(name), column).expect(name).cases.iter().map(|case| case.key.to_string()).collect()
}

#[test]
fn collectives_of_devices_have_a_row_in_place_and_one_out_of_place() {
    let new = imported("nccl-tests-2.19.txt");
    assert_eq!((new.tool, new.version.as_deref(), new.rows.len()), (Tool::Nccl, Some("2.19.6"), 4));
    let [first, .., last] = new.rows.as_slice() else { panic!("{new:?}") };
    let said =
        |row: &PrintedRow| (row.benchmark.clone(), row.ranks, row.bytes, row.count, row.calls, row.datatype.clone());
    let expected = ("all_reduce".to_owned(), Some(4), Some(1024), Some(256), Some(40), Some("float".to_owned()));
    assert_eq!(said(first), expected);
    let numbers = [("time_us", 21.5), ("algorithm_gb_per_s", 0.05), ("bus_gb_per_s", 0.07), ("defects", 0.0)]
        .map(|(n, v)| (n, Some(v)));
    assert_eq!(values(first), numbers);
    assert_eq!((last.value("bus_gb_per_s"), last.value("defects")), (Some(19.71), None), "N/A is no number");
    assert_eq!([first.word("buffers"), last.word("buffers")], ["device", "device, in place"]);
    assert_eq!(fact(&new, "Avg bus bandwidth"), "9.8625");
    assert_eq!(keys("nccl-tests-2.19.txt", None).len(), 4, "in place is a case of its own");
    let old = imported("nccl-tests-2.0.txt");
    assert_eq!(
        (old.rows.len(), old.rows[0].ranks, old.rows[0].calls, old.rows[2].bytes),
        (4, Some(2), Some(20), Some(8192))
    );
    assert_eq!(old.rows[3].value("time_us"), Some(13.02));
    assert!(old.notes[0].contains("which collective"), "{:?}", old.notes);
    // Of a pasted table often only the heads are there.
    let text = data("nccl-tests-2.19.txt");
    let pasted = &text[text.find("#       size").expect("heads")..];
    assert_eq!(read("a.txt", pasted).expect("a table")[0].rows.len(), 4);
}

#[test]
fn lines_of_labels_are_rows_and_communicators_conditions() {
    let text = imported("mpibench-1.5.txt");
    assert_eq!((text.tool, text.version.as_deref(), text.rows.len()), (Tool::Mpibench, Some("1.5"), 4));
    let bcast = &text.rows[1];
    assert_eq!((bcast.ranks, bcast.bytes, bcast.calls), (Some(4), Some(8), Some(1000)));
    assert_eq!(values(bcast), [("mean_us", Some(1.875)), ("min_us", Some(1.25)), ("max_us", Some(2.5))]);
    assert_eq!((fact(&text, "process 3"), text.left_out.len()), ("n2", 0));
    let keys = keys("mpibench-1.5.txt", None);
    let of_half = keys.iter().find(|key| key.contains("PartSize-2")).expect("a communicator of two");
    assert!(of_half.starts_with("bcast, communicator PartSize-2, 2 ranks"), "{of_half}");
}

#[test]
fn matrices_have_a_row_for_each_pair() {
    let text = imported("mpigraph-1.5.txt");
    assert_eq!((text.tool, text.rows.len(), text.left_out.len()), (Tool::Mpigraph, 12, 0));
    let pair = |row: &PrintedRow| (row.benchmark.clone(), row.word("pair").to_owned(), row.value("mib_per_s"));
    assert_eq!(pair(&text.rows[0]), ("Send".to_owned(), "0 to 1".to_owned(), Some(900.5)));
    assert_eq!(pair(&text.rows[11]), ("Recv".to_owned(), "1 to 2".to_owned(), Some(235.25)));
    assert_eq!((text.rows[0].ranks, text.rows[0].bytes, text.rows[0].word("window_size")), (Some(3), Some(4096), "25"));
    assert_eq!(keys("mpigraph-1.5.txt", Some("mib_per_s")).len(), 12);
    let cores = imported("core-to-core-latency.csv");
    assert_eq!((cores.tool, cores.rows.len()), (Tool::CoreToCore, 6));
    assert_eq!((cores.rows[0].word("cores"), cores.rows[0].value("time_us")), ("0 and 1", Some(0.0415)));
    assert_eq!(keys("core-to-core-latency.csv", None)[0], "cache line, cores 0 and 1, 2 ranks");
}

#[test]
fn ping_pongs_are_read_with_the_units_of_their_version() {
    let old = imported("netpipe-3.7.txt");
    assert_eq!(
        (old.tool, old.rows.len(), old.rows[2].bytes, old.rows[2].calls),
        (Tool::Netpipe, 3, Some(65536), Some(800))
    );
    assert_eq!(values(&old.rows[0]), [("time_us", Some(2.5)), ("mibit_per_s", Some(3.05))]);
    let new = imported("netpipe-5.txt");
    assert_eq!(new.rows.iter().map(|row| row.bytes).collect::<Vec<_>>(), [Some(1), Some(1024)]);
    assert_eq!(values(&new.rows[1]), [("time_us", Some(4.0)), ("mbit_per_s", Some(2048.0))]);
    let rounded = new.left_out.iter().find(|left| left.line == 9).expect("a length in MB");
    assert!(rounded.why.contains("np.out"), "{rounded:?}");
}

#[test]
fn parameters_of_each_round_are_rows() {
    let text = imported("netgauge-loggp.txt");
    assert_eq!((text.tool, text.rows.len()), (Tool::Netgauge, 3));
    let last = &text.rows[2];
    assert_eq!(
        (last.bytes, last.value("gap_per_byte_ns"), last.value("overhead_receive_us")),
        (Some(2049), Some(1.0), Some(0.65))
    );
    assert_eq!(fact(&text, "protocol changes behind"), "1025 bytes");
}

#[test]
fn parameters_are_a_machine_whose_message_takes_half_a_round_trip() {
    let runs = |text: &str| -> Vec<(String, Imported)> {
        read("a.txt", text).expect("parameters").into_iter().map(|run| ("a.txt".to_owned(), run)).collect()
    };
    let text = data("netgauge-loggp.txt");
    let made = machine("mine", "a.txt", &runs(&text)).expect("a machine");
    let read = Machine::parse("mine.toml", &made.text()).expect("a machine file");
    let loggops = read.loggops.expect("LogGOPS");
    assert!((loggops.latency_us.value - 1.4).abs() < 1e-9, "{loggops:?}");
    assert_eq!((loggops.overhead_receive_us.value, loggops.gap_per_byte_ns.value), (0.65, 1.0));
    let one_way = loggops.latency_us.value + loggops.overhead_send_us.value + loggops.overhead_receive_us.value;
    assert!((one_way - 2.5).abs() < 1e-9, "the model's message takes what was measured");
    let negative = machine("mine", "a.txt", &runs(&text.replace("o_r=0.650000", "o_r=-0.650000"))).unwrap_err();
    let long = machine("mine", "a.txt", &runs(&text.replace("o_r=0.650000", "o_r=9.000000"))).unwrap_err();
    let none = machine("mine", "a.txt", &runs(&data("netpipe-3.7.txt"))).unwrap_err();
    insta::assert_snapshot!([negative, long, none].join("\n"));
}

#[test]
fn benchmarks_in_python_print_as_osu_does() {
    let tests = runs("osu-in-python.txt");
    assert_eq!(tests.len(), 2);
    assert_eq!((tests[0].rows[1].bytes, tests[0].rows[1].value("mean_us")), (Some(1024), Some(2.31)));
    assert_eq!((tests[1].rows[0].ranks, tests[1].rows[0].value("mb_per_s")), (Some(2), Some(812.5)));
}

#[test]
fn rows_of_devices_are_whole_and_operations_and_programs_are_told() {
    let heads = "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong\n\
                 #        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)\n";
    let row = |redop: &str, time: &str| {
        format!("  4096  1024  float  {redop}  -1  {time}  0.65  0.60  0  22.5  0.64  0.59  0\n")
    };
    let text = format!(
        "$ srun --nodes=2 \\\n  --ntasks-per-node=4 ./build/all_reduce_perf -g 1\n{heads}{}{}",
        row("sum", "21.5"),
        row("max", "31.5")
    );
    let runs = read("a.txt", &text).expect("a table");
    assert_eq!((runs.len(), runs[0].rows.len(), runs[0].left_out.len()), (1, 4, 0));
    let [first, .., last] = runs[0].rows.as_slice() else { panic!("{runs:?}") };
    assert_eq!((first.ranks, first.benchmark.as_str(), first.word("reduction")), (Some(8), "all_reduce", ""));
    assert_eq!((last.word("reduction"), last.value("time_us")), ("max", Some(22.5)));
    let cases = side("a.txt", &runs, None).expect("a side").cases;
    assert_eq!(cases.len(), 4, "sum and max, in place and out of place");
    // The last value of a row is missing, and the # that a page takes for a heading.
    let whole = row("none", "21.5");
    let cut = whole.trim_end().trim_end_matches('0');
    for heads in [heads.to_owned(), heads.replace("\n#", "\n").trim_start_matches('#').to_owned()] {
        let runs = read("a.txt", &format!("{heads}{whole}{cut}\n")).expect("a table");
        let left: Vec<usize> = runs[0].left_out.iter().map(|left| left.line).collect();
        assert_eq!((runs[0].rows.len(), left), (2, vec![4]), "{heads}");
        assert!(runs[0].left_out[0].why.contains("cut off"), "{:?}", runs[0].left_out);
    }
}

#[test]
fn a_matrix_of_cores_is_drawn_with_a_square_for_each_pair() {
    let texts = |name: &str| vec![(name.to_owned(), imported(name))];
    let drawn = core_matrix(&texts("core-to-core-latency.csv")).expect("a matrix").to_string();
    for ns in ["41.5", "core-to-core-latency.csv, core-to-core-latency", ">ns<"] {
        assert!(drawn.contains(ns), "{ns}: {drawn}");
    }
    let none = core_matrix(&texts("netpipe-3.7.txt")).expect_err("no matrix");
    assert!(none.contains("--out"), "{none}");
}
