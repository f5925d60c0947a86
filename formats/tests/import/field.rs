//! Texts as people have them: several runs, other conditions, anything around the lines. Each test stands for a kind of fault.

use super::data;
use parallax_formats::import::{Imported, PrintedRow, read};
use parallax_study::contrast::{Choice, Demand, Side, contrast, imported as side};
use scenario::axis::Axis;

fn runs_of(text: &str) -> Vec<Imported> {
    read("a.txt", text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn rows_of(text: &str) -> Vec<PrintedRow> {
    runs_of(text).into_iter().flat_map(|run| run.rows).collect()
}

fn side_of(text: &str) -> Side {
    side("a.txt", &runs_of(text), None).expect("a side")
}

/// Lines that are left out, by their numbers, in all runs.
fn left_out(text: &str) -> Vec<usize> {
    runs_of(text).iter().flat_map(|run| &run.left_out).map(|left| left.line).collect()
}

/// Forms of a side's cases and how many launches each has.
fn forms(side: &Side) -> Vec<(String, usize)> {
    side.cases.iter().map(|case| (case.key.text(Axis::Form), case.launches.len())).collect()
}

const OSU: &str = "# OSU MPI Broadcast Latency Test v7.4\n# Datatype: MPI_CHAR.\n# Size       Avg Latency(us)\n\
                   1                     1.10\n2                     1.20\n";

/// A table of IMB of two sizes.
fn imb(heading: &str, times: [&str; 2]) -> String {
    let rows = ["8", "64"].into_iter().zip(times);
    let rows: String =
        rows.map(|(bytes, time)| format!("{bytes:>13}         1000 {time:>12}         1.00\n")).collect();
    format!("{heading}\n       #bytes #repetitions      t[usec]   Mbytes/sec\n{rows}")
}

#[test]
fn raw_samples_of_appended_launches_stay_apart() {
    let launch = |times: [&str; 2]| {
        let head = "#@datatype=MPI_BYTE\n#@datatype_size_bytes=1\n#@nprocs=4\n     test       nrep        count    runtime_sec\n";
        let rows = times.into_iter().enumerate();
        let rows: String = rows.map(|(nrep, time)| format!(" MPI_Bcast   {nrep}   16   {time}\n")).collect();
        format!("{head}{rows}")
    };
    let text = launch(["0.0000030000", "0.0000031000"]) + &launch(["0.0000050000", "0.0000051000"]);
    let rows = rows_of(&text);
    let means: Vec<f64> = rows.iter().map(|row| row.value("mean_us").expect("a mean")).collect();
    assert!(means.len() == 2 && (means[0] - 3.05).abs() < 1e-9 && (means[1] - 5.05).abs() < 1e-9, "{means:?}");
    assert!(rows.iter().all(|row| row.samples.len() == 2 && row.calls == Some(2)));
    let case = &side_of(&text).cases;
    assert_eq!((case.len(), case[0].launches.clone()), (1, vec![vec![3.0, 3.1], vec![5.0, 5.1]]));
}

#[test]
fn what_stands_above_a_table_holds_for_that_table() {
    let run = |element: &str, size: u32, ranks: u32, mean: &str| {
        format!(
            "#@datatype={element}\n#@datatype_size_bytes={size}\n#@nprocs={ranks}\n     test        count total_nrep valid_nrep       \
             mean_sec\n MPI_Bcast           16         10         10   {mean}\n"
        )
    };
    let rows = rows_of(&(run("MPI_BYTE", 1, 4, "0.0000030000") + &run("MPI_DOUBLE", 8, 8, "0.0000040000")));
    let of = |row: &PrintedRow| (row.ranks, row.datatype.clone(), row.bytes, row.value("mean_us"));
    assert_eq!(of(&rows[0]), (Some(4), Some("MPI_BYTE".to_owned()), Some(16), Some(3.0)));
    assert_eq!(of(&rows[1]), (Some(8), Some("MPI_DOUBLE".to_owned()), Some(128), Some(4.0)));
}

#[test]
fn a_second_tools_head_ends_the_first_ones_table() {
    let overlap = "# OSU MPI Non-blocking Allreduce Latency Test v7.4\n# Overall = Coll. Init + Compute + MPI_Test + MPI_Wait\n\n\
                   # Size   Overall(us)       Compute(us)    Pure Comm.(us)        Overlap(%)\n\
                   4                     9.10              5.20              4.10              3.40\n";
    let imb = "#    Intel(R) MPI Benchmarks 2021.3, MPI-1 part\n# Benchmarking Allreduce\n# #processes = 4\n       #bytes \
               #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n            4         1000         2.05         2.35         2.20\n";
    let runs = runs_of(&format!("{overlap}{imb}{OSU}"));
    let tools: Vec<String> =
        runs.iter().map(|run| format!("{} {}", run.tool, run.version.clone().expect("a version"))).collect();
    assert_eq!(tools, ["OSU 7.4", "IMB 2021.3", "OSU 7.4"]);
    let row = &runs[1].rows[0];
    assert_eq!((row.ranks, row.calls, row.value("overall_us")), (Some(4), Some(1000), None));
    let times = ["min_us", "max_us", "mean_us"].map(|name| row.value(name));
    assert_eq!(times, [Some(2.05), Some(2.35), Some(2.20)]);
    // Rows of an unknown tool behind a command are no rows of the tool before it.
    let text = format!("$ mpirun -np 2 osu_bcast\n{OSU}$ mpirun -np 2 ./mine\n4    9.00\n");
    assert_eq!((rows_of(&text).len(), left_out(&text)), (2, vec![8]));
}

#[test]
fn two_versions_in_a_text_are_two_runs_and_two_units() {
    let old = imb(
        "#    Intel (R) MPI Benchmark Suite V3.2.4, MPI-1 part\n# Benchmarking PingPong\n# #processes = 2",
        ["1.00", "2.00"],
    );
    let new = imb(
        "#    Intel(R) MPI Benchmarks 2021.3, MPI-1 part\n# Benchmarking PingPong\n# #processes = 2",
        ["3.00", "4.00"],
    );
    let text = old.clone() + &new;
    let units: Vec<bool> = rows_of(&text).iter().map(|row| row.value("mib_per_s").is_some()).collect();
    assert_eq!(units, [true, true, false, false]);
    let both = side_of(&text);
    assert!(both.cases.len() == 4 && both.cases.iter().all(|case| case.launches.len() == 1), "{:?}", both.cases);
    // The cases of one version do not name it, so that they have the same keys as those of another version on another side.
    assert_eq!(side_of(&old).cases[0].key, side_of(&new).cases[0].key);
}

#[test]
fn groups_that_ran_at_once_are_cases_and_appended_tables_are_launches() {
    let table = "# Benchmarking Multi-PingPong\n# ( 2 groups of 2 processes each running simultaneous )\n        Group       #bytes \
                 #repetitions      t[usec]   Mbytes/sec\n            0            8         1000         1.00         8.00\n            \
                 1            8         1000         1.02         7.84\n";
    let title = "#    Intel(R) MPI Benchmarks 2021.3, MPI-1 part\n";
    let once = side_of(&format!("{title}{table}"));
    assert_eq!(forms(&once), [("groups 2, group 0".to_owned(), 1), ("groups 2, group 1".to_owned(), 1)]);
    let twice = side_of(&format!("{title}{table}{title}{table}"));
    assert_eq!(forms(&twice).iter().map(|form| form.1).collect::<Vec<_>>(), [2, 2]);
}

#[test]
fn tables_under_other_conditions_share_no_key() {
    let title = "#    Intel(R) MPI Benchmarks 2021.3, MPI-2 part";
    let mode = |mode: &str| format!("# Benchmarking Unidir_Put\n# #processes = 2\n#\n#    MODE: {mode}\n#");
    let modes = imb(&format!("{title}\n{}", mode("AGGREGATE")), ["0.50", "0.60"])
        + &imb(&mode("NON-AGGREGATE"), ["4.00", "4.10"]);
    assert_eq!(
        rows_of(&modes).iter().map(|row| row.word("mode").to_owned()).collect::<Vec<_>>()[1..3],
        ["aggregate", "non-aggregate"]
    );
    let threads =
        |threads: u32| format!("# Benchmarking UniBandMT\n# #processes = 2 (threads: {threads})\n# window_size = 64");
    let threads = imb(&format!("{title}\n{}", threads(1)), ["1.00", "1.10"]) + &imb(&threads(4), ["2.00", "2.10"]);
    let osu = |above: &str, head: &str, row: &str| {
        format!("# OSU MPI Bandwidth Test v7.4\n{above}# Size      {head}\n{row}\n")
    };
    let band = "Latency (us)";
    let elements =
        osu("# Datatype: MPI_CHAR.\n", band, "8   1.00") + &osu("# Datatype: MPI_FLOAT.\n", band, "8   3.00");
    let one_title = format!("{OSU}# Datatype: MPI_INT.\n# Size       Avg Latency(us)\n1    3.00\n2    3.10\n");
    let buffers = |places: [&str; 2]| format!("# Send Buffer on {} and Receive Buffer on {}\n", places[0], places[1]);
    let device = osu(&buffers(["HOST (H)", "HOST (H)"]), band, "8   1.00")
        + &osu(&buffers(["DEVICE (D)", "HOST (H)"]), band, "8   9.00");
    let checked = osu("", band, "8   1.00") + &osu("", "Latency (us)   Validation", "8   1.20   Pass");
    let windows = |size: u32| format!("# [ pairs: 2 ] [ window size: {size} ]\n");
    let windows = osu(&windows(1), band, "8   1.00") + &osu(&windows(64), band, "8   9.00");
    let flushes = |how: &str| format!("# Window creation: MPI_Win_create\n# Synchronization: {how}\n");
    let flushes = osu(&flushes("MPI_Win_flush"), band, "8   1.00") + &osu(&flushes("MPI_Win_fence"), band, "8   9.00");
    let senders = |count: u32| format!("# Number of Sender threads: 1\n# Number of Receiver threads: {count}\n");
    let above = senders(1) + &osu("", band, "8   1.00") + &senders(2) + &osu("", band, "8   9.00");
    let senders = osu(&senders(1), band, "8   1.00") + &osu(&senders(2), band, "8   9.00");
    let waits = |command: &str| {
        let table = "# Benchmarking PingPong\n# #processes = 2";
        imb(&format!("{title}\n\n# Calling sequence was:\n\n# {command}\n\n{table}"), ["1.00", "2.00"])
    };
    let waits = waits("IMB-MPI1 PingPong -sync 1") + &waits("IMB-MPI1 PingPong -sync 0");
    let ranks = format!("$ mpirun -np 2 ./osu_bcast\n{OSU}\n$ srun -n 4 ./osu_bcast\n{OSU}");
    let all = [modes, threads, elements, one_title, device, checked, windows, flushes, senders, above, waits, ranks];
    for text in all {
        let side = side_of(&text);
        assert!(side.cases.iter().all(|case| case.launches.len() == 1), "{text}\n{:?}", forms(&side));
    }
}

#[test]
fn ranks_come_from_tables_commands_and_names() {
    let old = "#    Intel (R) MPI Benchmark Suite V2.3, MPI-1 part\n# Benchmarking Alltoall\n# ( #processes = 2 )\n       #bytes \
               #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n            8         1000         3.00         3.20         3.10\n";
    let ranks = |file: &str, text: &str| {
        let rows = read(file, text).expect("rows").into_iter().flat_map(|run| run.rows);
        rows.map(|row| (row.ranks, row.word("ranks_from").to_owned())).collect::<Vec<_>>()
    };
    let tables = format!("{old}{}", old.split_once('\n').expect("a title").1.replace("= 2", "= 4"));
    assert_eq!(ranks("np8.txt", &tables), [(Some(2), String::new()), (Some(4), String::new())]);
    let pallas = old.replace("Intel (R) MPI Benchmark Suite V2.3", "PALLAS MPI Benchmark Suite V2.2.1");
    assert_eq!(ranks("a.txt", &pallas), [(Some(2), String::new())]);
    assert_eq!(ranks("loop.np4.txt", OSU)[0], (Some(4), "file-name".to_owned()));
    let typed = format!("$ mpirun -np 16 ./osu_bcast\n{OSU}");
    assert_eq!(ranks("loop.np4.txt", &typed)[0], (Some(16), "command-line".to_owned()));
    // A command is no word on what somebody started later, but a script's is on all that it starts.
    assert_eq!(ranks("a.txt", &format!("{typed}{OSU}"))[2], (None, String::new()));
    assert_eq!(ranks("a.txt", &format!("$ mpirun -np 16 ./all.sh\n{OSU}{OSU}"))[2].0, Some(16));
}

#[test]
fn start_up_is_read_in_microseconds() {
    let rows = rows_of("# OSU MPI Init Test v7.4\nnprocs: 4, min: 10 ms, max: 12 ms, avg: 11 ms\n");
    assert_eq!((rows[0].ranks, rows[0].benchmark.as_str()), (Some(4), "Init"));
    assert_eq!(["min_us", "max_us", "mean_us"].map(|name| rows[0].value(name)), [10e3, 12e3, 11e3].map(Some));
}

#[test]
fn foreign_lines_also_those_with_digits_are_left_out_by_number() {
    let plain = rows_of(OSU);
    let with = |line: &str, place: usize| {
        let mut lines: Vec<&str> = OSU.lines().collect();
        lines.insert(place, line);
        lines.join("\n") + "\n"
    };
    for line in [
        "0 gpu 0",
        "2031-02-03 04:05:06 end of job",
        "3: Error Reduce,size = 4,sample #0",
        "12.5.7.9 is n1",
        "17",
        "[n1:42] a warning",
    ] {
        for place in [0, 4, 5] {
            let text = with(line, place);
            let rows = rows_of(&text).into_iter().map(|row| PrintedRow { line: 0, ..row });
            assert!(rows.eq(plain.iter().cloned().map(|row| PrintedRow { line: 0, ..row })), "{text}");
            assert_eq!(left_out(&text), [place + 1], "{text}");
        }
    }
    let checks = "#    Intel(R) MPI Benchmarks 2021.3, MPI-1 part\n# Benchmarking Reduce\n# #processes = 4\n       #bytes #repetitions  \
                  t_min[usec]  t_max[usec]  t_avg[usec]      defects\n            0         1000         0.10         0.20         0.15         \
                  0.00\n3: Error Reduce,size = 4,sample #0\n            4         1000         1.50         2.50         2.00         1.00\n";
    assert_eq!(rows_of(checks).iter().map(|row| row.value("defects")).collect::<Vec<_>>(), [Some(0.0), Some(1.0)]);
    assert_eq!(left_out(checks), [6]);
}

#[test]
fn a_row_that_is_cut_off_is_left_out_with_the_reason() {
    for (cut, why) in [("4096", "found 1: the row was cut off"), ("4096    3.5", "fewer decimals")] {
        let text = format!("{OSU}{cut}");
        let run = runs_of(&text).remove(0);
        assert_eq!((run.rows.len(), run.left_out[0].line), (2, 6));
        assert!(run.left_out[0].why.contains(why), "{:?}", run.left_out);
    }
}

#[test]
fn heads_whose_blanks_were_squeezed_are_read() {
    let squeezed = OSU.split_whitespace().collect::<Vec<_>>().join(" ").replace(" # ", "\n# ");
    let squeezed = squeezed.replace("(us) 1 1.10 2 1.20", "(us)\n1 1.10\n2 1.20\n");
    assert_eq!(rows_of(&squeezed), rows_of(OSU));
    let full = data("osu.default.bcast.np2.r7.txt");
    let lines: Vec<String> = full.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(rows_of(&(lines.join("\n") + "\n")), rows_of(&full));
}

/// Found with texts that people pasted: each is its kind's shortest.
#[test]
fn what_pasted_texts_showed_stays_mended() {
    let device = "# OSU MPI-CUDA Reduce Latency Test v7.3\n# Datatype: MPI_CHAR.\n# Size       Avg Latency(us)\n\
                  1         5.10        1.20        9.30        1000\n";
    let row = &rows_of(device)[0];
    let times = ["mean_us", "min_us", "max_us"].map(|name| row.value(name));
    assert_eq!((times, row.calls), ([5.1, 1.2, 9.3].map(Some), Some(1000)));
    // A head whose title was cut off is not the table before it; what stands above it is not lost.
    let facts = "# MPI_Datatype                   :   MPI_BYTE\n# MPI_Datatype for reductions    :   MPI_DOUBLE\n";
    let table = imb("# Benchmarking Reduce\n# #processes = 2", ["1.00", "2.00"]);
    assert!(rows_of(&format!("{facts}\n{table}")).iter().all(|row| row.datatype.as_deref() == Some("MPI_DOUBLE")));
    // A table's remark below its heads, and a fence before its title.
    let below = "```# OSU MPI Latency Test v7.3\n# Size      Latency (us)\n# Datatype: MPI_CHAR.\n1      0.12\n```\n";
    assert_eq!((rows_of(below)[0].datatype.as_deref(), left_out(below)), (Some("MPI_CHAR"), vec![]));
    // A number that ends with its point, in the middle of a text, too.
    assert_eq!(left_out(&OSU.replace("1.10", "1.")), [4]);
}

#[test]
fn texts_without_a_row_are_refused_for_the_true_reason() {
    let why = |text: &str| read("a.txt", text).expect_err(text).to_string();
    insta::assert_snapshot!(
        [
            "",
            "no benchmark\n",
            "#     size  time\n   8   1.20\n  16   1.30\n",
            "# Size          Latency (us)\n8   1.20\n",
            "# OSU MPI Latency Test v7.4\n",
            "# OSU MPI Latency Test v7.4\n8     1.20\n",
            "# OSU MPI Multiple Bandwidth / Message Rate Test v7.3\n# [ pairs: 2 ] [ window size: varied ]\n#   1  2  4\n1   1.0  2.0  4.0\n",
            "# OSU MPI Hello World Test v7.4\nThis is a test with 2 processes\n",
            " #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]\n 65536      1000             31.64    30.02    0.05\n",
            "# OSU MPI Latency Test v7.4\n# Size          Latency (us)\n8   1.20   3\n",
            "# OSU MPI Latency Test v7.4\n# Size          Latency (us)\n8   1,20\n",
            "# OSU MPI Latency Test v7.4\n# Size          Latency (us)\n8/1.20\nn1: 16 / 1.30\nn1: 32 / 1.40\n",
            "# OSU MPI Latency Test v7.4\n# Size          Latency (us)\n1K   1.20\n2K   1.30\n",
            "# OSU MPI Latency Test v7.4       # OSU MPI Latency Test v5.9\n# Size  Latency (us)    # Size  Latency (us)\n1   1.10    1   1.20\n",
            "#p0\tp1\tdist\tlen\tave time (us)\trate\n0\t1\t1\t32\t0.52\t61538461.5\n",
            "# /dev/cpu_dma_latency set to 0us\npolicy: fifo: loadavg: 0.10 0.20\nT: 0 ( 42) P:80 I:1000 C: 100 Min: 2 Act: 3 Avg: 4 Max: 9\n",
            "Running benchmark OSU Bandwidth\nsize (bytes),iterations,bandwidth (MB/s)\n4,262144,2.6e6\n",
            "bench_a/1/manual_time   0.295 us   0.567 us   2291565 bytes=2\nbench_a/2/manual_time   0.3 us   0.57 us   229156 bytes=4\n",
        ]
        .map(why)
        .join("\n")
    );
}

#[test]
fn a_prefix_before_each_piece_of_a_line_is_taken_off_inside_it_too() {
    let stream = |second: u32| format!("Tue Nov  3 12:04:0{second} 2031[1,0]<stdout>:");
    // A head without its end, behind which a row begins; a row in two pieces.
    let text = format!(
        "{0}# OSU MPI Latency Test v7.4\n{0}# Size       Latency (us){1}1     1.10\n{1}2     {2}1.20\n",
        stream(1),
        stream(2),
        stream(3)
    );
    let rows = rows_of(&text);
    let numbers: Vec<(Option<u64>, Option<f64>)> = rows.iter().map(|row| (row.bytes, row.columns[0].value)).collect();
    assert_eq!(numbers, [(Some(1), Some(1.1)), (Some(2), Some(1.2))]);
    let text =
        format!("{0}0:       8 bytes   90 times --> {0}   4.50 Mbps in    {1}0.00002 sec\n", stream(1), stream(2));
    assert_eq!(rows_of(&text)[0].value("time_us"), Some(20.0));
}

#[test]
fn sides_of_which_one_does_not_say_how_many_ranks_there_were_are_warned_of() {
    let with = format!("$ mpirun -np 128 ./osu_bcast\n{OSU}");
    let sides = [side_of(&with), side_of(OSU)];
    let found =
        contrast(&sides, &Choice::default(), Demand { confidence: 0.95, at_least: 0.02 }).expect("common cases");
    assert!(found.warnings[0].contains("A has 128"), "{:?}", found.warnings);
    let same = [side_of(&with), side_of(&with)];
    assert!(
        contrast(&same, &Choice::default(), Demand { confidence: 0.95, at_least: 0.02 })
            .expect("all")
            .warnings
            .iter()
            .all(|w| !w.contains("stated"))
    );
}

#[test]
fn texts_of_other_versions_stay_other_cases_where_they_are_put_together() {
    let parts = || vec![side_of(OSU), side_of(&OSU.replace("v7.4", "v5.9"))];
    let methods = |side: &Side| side.cases.iter().map(|case| case.key.text(Axis::Method)).collect::<Vec<_>>();
    let both = Side::together("a+b", parts()).expect("a side");
    assert_eq!(both.cases.len(), 4, "{both:?}");
    assert_eq!(methods(&both)[..2], ["barrier-loop, OSU 5.9", "barrier-loop, OSU 7.4"]);
    let again = Side::together("a+b+c", vec![both.clone(), side_of(OSU)]).expect("a side");
    assert_eq!(again.cases.iter().map(|case| case.launches.len()).collect::<Vec<_>>(), [1, 2, 1, 2]);
    let same = Side::together("a+a", vec![side_of(OSU), side_of(OSU)]).expect("a side");
    assert_eq!((same.cases.len(), methods(&same)[0].as_str()), (2, "barrier-loop"), "launches of one version");
    let in_one_text = side_of(&format!("{OSU}{}", OSU.replace("v7.4", "v5.9")));
    assert_eq!(in_one_text.cases, both.cases, "as in one text");
}

#[test]
fn numbers_of_several_systems_share_no_case() {
    let one = data("pico-summary.csv");
    let (heads, rows) = one.split_once('\n').expect("heads");
    let other = format!("{heads}\n{}", rows.replace("alpha,", "beta,"));
    let mixed = side_of(&format!("{one}{}", rows.replace("alpha,", "beta,")));
    let alone = side_of(&one);
    assert_eq!(mixed.cases.len(), 2 * alone.cases.len());
    let said =
        |side: &Side, system: &str| side.cases.iter().filter(|case| case.key.text(Axis::Form).contains(system)).count();
    assert_eq!([said(&mixed, "alpha"), said(&mixed, "beta")], [alone.cases.len(); 2]);
    let joined = Side::together("a+b", vec![side_of(&one), side_of(&other)]).expect("a side");
    assert_eq!(joined.cases, mixed.cases);
    assert_eq!(said(&alone, "alpha"), 0, "two sides of one system each are compared");
}

#[test]
fn tables_with_other_signs_between_cells_are_read() {
    let expected = [(Some(1), Some(1.1)), (Some(2), Some(1.2))];
    let json: String = OSU.lines().map(|line| format!("        \"{line}\",\n")).collect();
    let title = "# OSU MPI Broadcast Latency Test v7.4\n";
    for text in [
        format!("{title}\n| # Size | Avg Latency(us) |\n|:---|---:|\n| 1 | 1.10 |\n| 2 | 1.20 |\n\n| 8 | 9 |\n"),
        format!("{title}# Size,Avg Latency(us)\n1,1.10\n2,1.20\n"),
        format!("{title}Size;Avg Latency(us)\n1;1.10\n2;1.20\n"),
        format!("ok: [n1] => {{\n    \"stdout_lines\": [\n{json}    ]\n}}\n"),
    ] {
        let rows = rows_of(&text);
        assert_eq!(rows.iter().map(|row| (row.bytes, row.value("mean_us"))).collect::<Vec<_>>(), expected, "{text}");
    }
}

#[test]
fn atomic_calls_of_windows_are_between_two_ranks() {
    for call in ["Compare_and_swap", "Fetch_and_op"] {
        let text =
            format!("# OSU MPI_{call} latency Test v7.4\n# Size          Latency (us)\n8                       1.45\n");
        assert_eq!(rows_of(&text)[0].ranks, Some(2), "{call}");
    }
}
