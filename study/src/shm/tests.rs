use super::{Forecast, Memory, Over, Setting};
use crate::forms::{json, printed, table};
use crate::plots::room_tests::finds_room;
use models::shared_broadcast::{Costs, Queue};
use render::results::{Format, Results};

fn csv(results: &impl Results) -> String {
    printed(results, Format::Csv)
}

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;

fn forecast(cases: &[(u64, u64, u64, u64)]) -> Forecast {
    within(None, cases)
}

fn within(queue_bytes: Option<u64>, cases: &[(u64, u64, u64, u64)]) -> Forecast {
    let case = |&(bytes, fragment, buffers, sets): &(u64, u64, u64, u64)| {
        (bytes, Queue::new(fragment, buffers, sets).expect("a queue"))
    };
    let cases: Vec<_> = cases.iter().map(case).collect();
    let setting = Setting { costs: Costs::PUBLISHED, page_bytes: 4 * KIB, queue_bytes, ranks: Some(16) };
    Forecast::predict(setting, &cases).expect("a forecast")
}

#[test]
fn a_forecast_has_the_parts_of_each_time_and_says_which_queue_to_choose() {
    let one = forecast(&[(16 * MIB, 8 * KIB, 512, 1), (16 * MIB, 8 * KIB, 512, 2)]);
    let many = forecast(&[(100_000, 8 * KIB, 2, 1), (0, 8 * KIB, 1, 1), (1 << 13, 8 * KIB, 1, 1)]);
    insta::assert_snapshot!([table(&one), csv(&one), table(&many), csv(&many)].join("\n"));
    let found = json(&one);
    assert_eq!(found["rows"][0]["time_us"], 16_912.824);
    assert_eq!(found["choices"].as_array().map(Vec::len), Some(6));
    assert!((found["optimum"][0]["fragment_bytes"].as_f64().expect("f*") - 14_481.546_878).abs() < 1e-3, "{found}");
    assert!(["optimum", "choices"].iter().all(|name| json(&many)[name].as_array().is_some_and(Vec::is_empty)));
}

#[test]
fn pictures_have_the_parts_of_one_curve_or_several_curves() {
    let parts = within(Some(4 * MIB), &[1, 2, 4, 8].map(|kib| (16 * MIB, kib * KIB, 4 * KIB / kib, 1)));
    let drawn = parts.drawn(Over::Fragment).expect("a picture");
    assert_eq!(drawn.title, "Shared-memory broadcast, m = 16 MiB, b = 4 MiB, q = 1");
    finds_room(&drawn.drawing, &drawn.title);
    assert!(drawn.html().expect("a page").contains("Computed by closed forms"));
    let sets = |sets: u64| [1, 8, 64].map(|kib| (kib * KIB, KIB, 32, sets));
    let curves: Vec<_> = [1, 2, 4, 8].into_iter().flat_map(sets).collect();
    let drawn = forecast(&curves).drawn(Over::Bytes).expect("a picture");
    assert_eq!(drawn.title, "Shared-memory broadcast, f = 1 KiB, s = 32");
    finds_room(&drawn.drawing, &drawn.title);
    let many: Vec<_> = [1, 2, 4, 8, 16].into_iter().flat_map(sets).collect();
    let refused = forecast(&many).drawn(Over::Bytes).expect_err("five curves");
    assert!(refused.contains("found 5"), "{refused}");
    assert!(forecast(&[(0, KIB, 1, 1)]).drawn(Over::Buffers).is_ok());
}

/// Kurnosov and Tokmasheva 2020, Table 1: MB of a queue, by s = f/2 … f/512.
const TABLE_1: &str = "\
 4096    8    4   2   1   0.5 0.3  0.1  0.1 0.03
 8192   32   16   8   4     2   1  0.5  0.3  0.1
12288   72   36  18   9     5   2  1.1  0.6  0.3
16384  128   64  32  16     8   4    2    1  0.5
20480  200  100  50  25    13   6  3.1  1.6  0.8
24576  288  144  72  36    18   9  4.5  2.3  1.1
28672  392  196  98  49    25  12  6.1  3.1  1.5
32768  512  256 128  64    32  16    8    4    2
36864  648  324 162  81    41  20 10.1  5.1  2.5
40960  800  400 200 100    50  25 12.5  6.3  3.1
45056  968  484 242 121    61  30 15.1  7.6  3.8
49152 1152  576 288 144    72  36   18    9  4.5
53248 1352  676 338 169    85  42 21.1 10.6  5.3
57344 1568  784 392 196    98  49 24.5 12.3  6.1
61440 1800  900 450 225   113  56 28.1 14.1    7
65536 2048 1024 512 256   128  64   32   16    8
";

#[test]
fn table_1_is_the_publications() {
    let rows = TABLE_1.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let (fragments, printed): (Vec<u64>, Vec<Vec<&str>>) =
        rows.map(|row| (row[0].parse::<u64>().expect("f"), row[1..].to_vec())).unzip();
    let memory = Memory::from_fragments(&fragments).expect("queues");
    let queues = memory.rows();
    let place = queues.place("queue_bytes");
    let found: Vec<f64> = queues.rows.iter().map(|row| row[place].number().expect("bytes") / MIB as f64).collect();
    let printed: Vec<&str> = printed.concat();
    assert_eq!((found.len(), printed.len()), (144, 144));
    for (found, printed) in found.iter().zip(printed) {
        let places = printed.split_once('.').map_or(0, |(_, places)| places.len() as i32);
        let value: f64 = printed.parse().expect("a number");
        assert!((found - value).abs() <= 0.5 * 10f64.powi(-places) + 1e-9, "{found} {printed}");
    }
    insta::assert_snapshot!(table(&Memory::from_fragments(&[256, 12 * KIB, 20 * KIB]).expect("queues")));
}
