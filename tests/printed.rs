//! Numbers that a benchmark printed become a machine, and a machine predicts such numbers: on numbers that simulated ranks
//! print with known parameters, behind a known barrier.

mod common;

use common::command::{Done, finish, parallax};
use common::published::{HEADS, Rows, benchmark, lines_on};
use common::table;
use fit::{Parameters, Printed};
use models::collective::{Collective, published};
use programs::machine::Machine;
use std::collections::BTreeSet;
use tempfile::TempDir;

const RANKS: u32 = 8;
/// Elements of the whole buffer.
const ELEMENTS: [u64; 2] = [8, 1_024];
/// L, os, or, g in µs, G in ns per byte, µs of a fetch.
const TRUE: Parameters = Parameters { values: [1.8, 0.3, 0.2, 0.1, 0.2, 0.5, 0.05], near_us: None };
const FAMILIES: [(Collective, &str); 6] = [
    (Collective::Bcast, "binomial_ompi"),
    (Collective::Bcast, "binary_ompi"),
    (Collective::Bcast, "linear_ompi"),
    (Collective::Reduce, "binomial_ompi"),
    (Collective::Allgather, "ring_over"),
    (Collective::Scatter, "linear_ompi"),
];
/// What is printed behind a barrier with the true parameters, on a platform of which more is known.
fn rows(barrier: &str, platform: &str) -> Rows {
    rows_of(&FAMILIES, &ELEMENTS, barrier, platform)
}

fn rows_of(families: &[(Collective, &'static str)], elements: &[u64], barrier: &str, platform: &str) -> Rows {
    let all: Vec<_> =
        families.iter().flat_map(|&(of, name)| elements.iter().map(move |&elements| (of, name, elements))).collect();
    let printed = all.iter().map(|&(collective, name, elements)| {
        let (algorithm, shape) = published(name, collective, RANKS, elements).unwrap();
        Printed { name: name.to_owned(), algorithm, shape, us: 0.0 }
    });
    let us = benchmark(barrier, platform).prints(&TRUE, &printed.collect::<Vec<_>>()).unwrap();
    all.into_iter().zip(us).map(|((of, name, elements), us)| (of, name, elements, us)).collect()
}

/// Lines of a summary: of a run, all calls of each row having taken as long.
fn lines(run: &str, nodes: u32, library: &str, barrier: &str) -> String {
    lines_on(run, &format!("{nodes},1"), library, rows(barrier, ""))
}

/// A folder with a summary of these lines.
fn folder(lines: &[String]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("numbers.csv"), format!("{HEADS}{}", lines.concat())).unwrap();
    folder
}

fn run(folder: &TempDir, words: &str) -> Done {
    finish(parallax(folder).args(words.split(' ')))
}

/// What is after a word in the line that begins with another.
fn errors(text: &str, of: &str) -> Vec<f64> {
    let line = text.lines().find(|line| line.trim_start().starts_with(of)).unwrap_or_else(|| panic!("{of}: {text}"));
    let words: Vec<&str> = line.split_whitespace().collect();
    let before_percent = words.windows(2).filter(|pair| pair[1] == "%").map(|pair| pair[0]);
    before_percent.map(|number| number.parse().unwrap()).collect()
}

#[test]
fn the_barrier_is_found_and_the_machine_predicts_what_is_printed_behind_another_one() {
    // Of Cray's library no barrier is known.
    let folder = folder(&[lines("2025_04_08___10_00_00", RANKS, "CRAY_MPICH", "tree")]);
    let unknown = run(&folder, "calibrate --from numbers.csv --out no.toml");
    assert_eq!(unknown.code, 2, "{unknown:?}");
    assert!(unknown.stderr.contains("--barrier"), "{unknown:?}");

    let done = run(&folder, "calibrate --from numbers.csv --barrier choose --out alpha.toml");
    assert_eq!(done.code, 0, "{done:?}");
    assert_eq!(done.stdout.lines().nth(1).and_then(|line| line.split_whitespace().next()), Some("tree"), "{done:?}");
    assert!(
        done.stdout.contains("times the best") && done.stdout.contains("barrier between the calls: tree"),
        "{done:?}"
    );
    let text = std::fs::read_to_string(folder.path().join("alpha.toml")).unwrap();
    assert!(text.contains("2025-04-08T10:00:00Z") && text.contains("alpha, 8 ranks, CRAY_MPICH 4.1.6"), "{text}");
    assert!(!folder.path().join("alpha").exists(), "there is no page");

    let simulated = run(&folder, "simulate bcast --algorithm binomial --ranks 8 --bytes 32 --machine alpha.toml");
    assert_eq!(simulated.code, 0, "{simulated:?}");

    // Numbers of a run that was not fitted, behind a barrier that was forced then.
    let other = lines("2025_04_09___10_00_00", RANKS, "OMPI", "recursive-doubling");
    std::fs::write(folder.path().join("other.csv"), format!("{HEADS}{other}")).unwrap();
    let words = "validate --from other.csv --machine alpha.toml";
    let drawn = run(&folder, &format!("{words} --chart other.svg"));
    let picture = std::fs::read_to_string(folder.path().join("other.svg")).unwrap();
    assert!(drawn.code == 0 && picture.contains("predicted to be printed"), "{drawn:?}");
    assert_eq!(run(&folder, &format!("{words} --chart other.jpeg")).code, 2);
    let told = run(&folder, words);
    assert_eq!(told.code, 0, "{told:?}");
    let (printed, truth) = (errors(&told.stdout, "predicted to be printed"), errors(&told.stdout, "true times"));
    assert!(printed[0] < 5.0 && printed[1] < 10.0, "{printed:?}: {}", told.stdout);
    assert!(truth[0] > printed[0], "{truth:?} {printed:?}");

    let csv = table::rows(&run(&folder, &format!("{words} --format csv")).stdout);
    assert_eq!(csv.len(), FAMILIES.len() * ELEMENTS.len());
    for (collective, name, elements, us) in rows("recursive-doubling", "") {
        let (algorithm, shape) = published(name, collective, RANKS, elements).unwrap();
        let is = |row: &&table::CsvRow| {
            (row["operation"] == collective.name() && row["published_algorithm"] == name)
                && (row["algorithm"] == algorithm.name && row["bytes"] == shape.bytes.to_string())
        };
        let row = csv.iter().find(is).unwrap_or_else(|| panic!("{collective} {name} {elements}: {csv:?}"));
        assert_eq!((row["barrier"].as_str(), row["barrier_grounds"].as_str()), ("recursive-doubling", "inferred"));
        assert!((row["printed_us"].parse::<f64>().unwrap() / us - 1.0).abs() < 1e-6, "{row:?}");
        for heads in
            [["true_low_us", "true_us", "true_high_us"], ["predicted_low_us", "predicted_us", "predicted_high_us"]]
        {
            let [low, value, high] = heads.map(|head| row[head].parse::<f64>().unwrap());
            assert!(low <= value && value <= high, "{row:?}");
        }
    }

    // A file without joint fits, as earlier versions wrote them, has wider ranges.
    let joint = text.find("[[joint_fits]]").unwrap_or_else(|| panic!("no joint fits: {text}"));
    let old =
        text[joint..].split("\n\n").filter(|table| !table.contains("joint_fits")).collect::<Vec<_>>().join("\n\n");
    std::fs::write(folder.path().join("old.toml"), format!("{}{old}", &text[..joint])).unwrap();
    let old = table::rows(&run(&folder, "validate --from other.csv --machine old.toml --format csv").stdout);
    let width = |rows: &[table::CsvRow]| {
        let number = |row: &table::CsvRow, head: &str| row[head].parse::<f64>().unwrap();
        rows.iter().map(|row| number(row, "true_high_us") / number(row, "true_low_us") - 1.0).sum::<f64>()
    };
    assert!(width(&old) > 1.2 * width(&csv), "{} {}", width(&old), width(&csv));
    assert!(told.stdout.contains("joint fits") && told.stdout.contains('τ'), "{}", told.stdout);
}

#[test]
fn ranks_that_share_nodes_are_placed_as_in_the_published_run() {
    let platform = "class.node.L=100ns";
    let numbers = rows("recursive-doubling", &format!("placement=block:4,{platform}"));
    let folder = folder(&[lines_on("2025_04_09___10_00_00", "2,4", "OMPI", numbers)]);
    let fitted = run(&folder, &format!("calibrate --from numbers.csv --platform {platform} --out alpha.toml"));
    assert_eq!(fitted.code, 0, "{fitted:?}");
    assert!(fitted.stdout.contains("--platform placement=block:4,class.node.L=100ns"), "{fitted:?}");
    let errors_with = |more: &str| {
        let told = run(&folder, &format!("validate --from numbers.csv --machine alpha.toml{more}"));
        assert_eq!(told.code, 0, "{told:?}");
        (errors(&told.stdout, "predicted to be printed"), told.stderr)
    };
    let (placed, said) = errors_with(&format!(" --platform {platform}"));
    assert!(placed[0] < 2.0 && !said.contains("several ranks"), "{placed:?} {said}");
    let (again, _) = errors_with(&format!(" --platform placement=block:2/4,{platform}"));
    assert_eq!(again, placed, "the placement that is given");
    let (alone, said) = errors_with("");
    assert!(alone[0] > 10.0 && said.contains("--platform class.node.L=400ns"), "{alone:?} {said}");
    let wrong = run(&folder, "validate --from numbers.csv --machine alpha.toml --platform class.rack.L=1us");
    assert!(wrong.code == 2 && wrong.stderr.contains("--platform") && wrong.stderr.contains("rack"), "{wrong:?}");
    let held_out = run(&folder, &format!("validate --from numbers.csv --held-out 3 --platform {platform}"));
    assert!(held_out.code == 0 && errors(&held_out.stdout, "predicted to be printed")[0] < 10.0, "{held_out:?}");
}

const RUN: &str = "2025_04_09___10_00_00";
/// The node of each rank, and the cell of each node.
const NODES: [u32; 8] = [3, 1, 2, 7, 5, 8, 4, 6];
const CELLS: [&str; 8] = ["4", "4", "9", "4", "9", "9", "4", "9"];
/// The same as a placement: cells in the order of their first ranks, and nodes within theirs.
const PLACED: &str = "placement=list:0.0.0/1.0.0/1.1.0/1.2.0/0.1.0/0.2.0/1.3.0/0.3.0";

/// What is printed where messages within a cell take a third of the others' time.
fn rows_on_nodes() -> Rows {
    let more = [(Collective::Bcast, "bine_lat_over"), (Collective::Allreduce, "recursive_doubling_over")];
    let families = [&FAMILIES[..], &more].concat();
    rows_of(&families, &[8, 64, 1_024], "recursive-doubling", &format!("{PLACED},class.switch.L=600ns"))
}

/// A folder with a run of these numbers, one test for each collective, and with a map of the machine's nodes.
fn run_on_nodes(rows: Rows) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let tests: BTreeSet<Collective> = rows.iter().map(|(collective, ..)| *collective).collect();
    let section = |(test, collective): (usize, &Collective)| {
        format!(
            "CONFIGURATION SUMMARY\n  • Location: alpha\n  • Number of Nodes: {RANKS}\n  • Total MPI tasks: {RANKS}\n  \
             • Task per Node: 1\n  • Results Directory: alpha/{RUN}/{test}\n  • Collective Type: {}\n  \
             • MPI Library: OMPI 4.1.6\n  • CUDA Enabled: False\n",
            collective.name().to_uppercase()
        )
    };
    write(&format!("{RUN}/slurm_1.out"), &tests.iter().enumerate().map(section).collect::<String>());
    let hosts = NODES.iter().enumerate().map(|(rank, node)| format!("{rank},alpha{node:04}.site1.org\n"));
    write(&format!("{RUN}/alloc.csv"), &format!("MPI_Rank,allocation\n{}", hosts.collect::<String>()));
    for (collective, name, elements, us) in rows {
        let test = tests.iter().position(|one| *one == collective).unwrap();
        let ns = (us * 1e3).round();
        write(&format!("{RUN}/{test}/{elements}_{name}_int32.csv"), &format!("highest\n{ns}\n{ns}\n{ns}\n"));
    }
    let lines = CELLS.iter().zip(1..).map(|(cell, node)| format!("NODE {node:04} RACK 1 CELL {cell} SWITCH {node}\n"));
    write("map.txt", &lines.collect::<String>());
    folder
}

#[test]
fn a_map_of_nodes_places_ranks_and_the_latency_within_a_cell_is_fitted_beside_the_other() {
    let folder = run_on_nodes(rows_on_nodes());
    let file = |name: &str| Machine::parse(name, &std::fs::read_to_string(folder.path().join(name)).unwrap()).unwrap();
    let two = run(&folder, &format!("calibrate --from {RUN} --nodes map.txt --out two.toml"));
    assert_eq!(two.code, 0, "{two:?}");
    assert!(two.stdout.contains("L near") && !two.stderr.contains("several ranks"), "{two:?}");
    let machine = file("two.toml");
    let loggops = machine.loggops.as_ref().unwrap();
    let overheads = loggops.overhead_send_us.value + loggops.overhead_receive_us.value;
    let near = machine.near.as_ref().unwrap().latency_us;
    for (found, right) in [(loggops.latency_us.value + overheads, 2.3), (near.value + overheads, 1.1)] {
        assert!((found / right - 1.0).abs() < 0.05, "{found} {right}: {}", two.stdout);
    }
    assert!(near.low <= near.value && near.value <= near.high, "{near:?}");

    let one = run(&folder, &format!("calibrate --from {RUN} --out one.toml"));
    assert!(one.code == 0 && !one.stdout.contains("near"), "{one:?}");
    assert_eq!(file("one.toml").near, None);
    let told = |words: &str| {
        let told = run(&folder, &format!("validate --from {RUN} {words}"));
        assert_eq!(told.code, 0, "{told:?}");
        errors(&told.stdout, "predicted to be printed")
    };
    let both = told("--machine two.toml --nodes map.txt");
    assert!(both[0] < 3.0 && both[1] < 6.0, "{both:?}");
    assert_eq!(told(&format!("--machine two.toml --platform {PLACED}")), both, "a placement by hand is as good");
    let [alone, plain] = ["--machine one.toml", "--machine two.toml"].map(told);
    assert!(alone[0] > 2.0 * both[0] && plain[0] > 2.0 * both[0], "{alone:?} {plain:?} {both:?}");
    assert_eq!(told("--machine one.toml --nodes map.txt"), alone, "one L is the same between all nodes");
    assert!(told("--held-out 3 --nodes map.txt")[0] < 10.0);

    let simulated = |platform: &str| {
        let words = "simulate bcast --algorithm binomial --ranks 8 --bytes 32 --machine two.toml --format json";
        let done = run(&folder, &format!("{words} --platform {platform}"));
        assert_eq!(done.code, 0, "{done:?}");
        serde_json::from_str::<serde_json::Value>(&done.stdout).unwrap()["rows"][0]["finish_mean_ps"].clone()
    };
    let switched = simulated("placement=block:1/1/4");
    let given = format!("placement=block:1/1/4,class.switch.L={}us", near.value);
    assert_eq!(simulated(&given), switched, "as if it were said");
    assert_ne!(simulated("placement=block:1"), switched);
}

#[test]
fn a_latency_within_a_cell_is_not_fitted_where_it_is_given_or_no_number_depends_on_it() {
    let folder = run_on_nodes(rows_on_nodes());
    let given = run(
        &folder,
        &format!("calibrate --from {RUN} --nodes map.txt --platform class.switch.L=600ns --out given.toml"),
    );
    assert!(given.code == 0 && given.stdout.contains("L near is not fitted"), "{given:?}");
    assert!(given.stdout.contains("--platform placement=list:…,class.switch.L=600ns"), "{given:?}");
    let text = std::fs::read_to_string(folder.path().join("given.toml")).unwrap();
    assert!(!text.contains("[near") && !text.contains("near_latency_us"), "{text}");
    let map = (1..=8).map(|node| format!("NODE {node} CELL 1\n")).collect::<String>();
    std::fs::write(folder.path().join("one-cell.txt"), map).unwrap();
    let one = run(&folder, &format!("calibrate --from {RUN} --nodes one-cell.txt --out one.toml"));
    assert!(one.code == 0 && one.stdout.contains("L near is not fitted"), "{one:?}");
}

#[test]
fn what_a_map_of_nodes_lacks_is_named_by_file_and_line() {
    let folder = run_on_nodes(rows("recursive-doubling", ""));
    let said = |words: &str| {
        let done = run(&folder, words);
        assert_eq!(done.code, 2, "{words}: {done:?}");
        done.stderr
    };
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let with = |map: &str| said(&format!("calibrate --from {RUN} --nodes {map}"));
    write("short.txt", "NODE 0001 CELL 1\nNODE 0003 CELL 1\n");
    let lacks = with("short.txt");
    assert!(lacks.contains(&format!("{RUN}/alloc.csv line 4: ")) && lacks.contains("NODE 2"), "{lacks}");
    write("broken.txt", "NODE 0001 CELL 1\nNODE 0003 CELL\n");
    assert!(with("broken.txt").contains("broken.txt line 2: expected pairs"), "{}", with("broken.txt"));
    assert!(with("nowhere.txt").contains("nowhere.txt cannot be read"));
    let twice = said(&format!("validate --from {RUN} --nodes map.txt --machine openmpi --platform placement=block:4"));
    assert!(twice.contains("--nodes: --platform has a placement"), "{twice}");
    let alloc = folder.path().join(RUN).join("alloc.csv");
    let hosts = std::fs::read_to_string(&alloc).unwrap();
    std::fs::write(&alloc, hosts.replace("alpha0007", "login")).unwrap();
    let login = with("map.txt");
    assert!(login.contains(&format!("{RUN}/alloc.csv line 5: ")) && login.contains("'login.site1.org'"), "{login}");
    std::fs::remove_file(&alloc).unwrap();
    let absent = with("map.txt");
    assert!(absent.contains("alloc.csv") && absent.contains(&format!("none of as many ranks in {RUN}")), "{absent}");
    for words in
        ["calibrate --nodes map.txt", "calibrate --only ranks=8 --dry-run", "validate bcast --longest 8 --dry-run"]
    {
        assert!(said(words).contains("--from"), "{words}: {}", said(words));
    }
}

#[test]
fn algorithms_that_are_held_out_are_predicted_without_a_machine() {
    let folder = folder(&[lines("2025_04_09___10_00_00", RANKS, "OMPI", "recursive-doubling")]);
    let done = run(&folder, "validate --from numbers.csv --held-out 3 --format json");
    assert_eq!(done.code, 0, "{done:?}");
    let found: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(found["folds"], 3, "{found}");
    assert!(found["agreement"][0]["median_error"].as_f64().unwrap() < 0.05, "{}", found["agreement"]);
    assert!(found["agreement"][1]["median_error"].as_f64() > found["agreement"][0]["median_error"].as_f64(), "{found}");
    assert_eq!(found["agreement"][0]["numbers"], FAMILIES.len() * ELEMENTS.len());
}

#[test]
fn several_jobs_are_listed_and_one_of_them_is_chosen() {
    let (one, other) = ("2025_04_09___10_00_00", "2025_04_10___10_00_00");
    // On half as many nodes are half as many ranks.
    let folder = folder(&[
        lines(one, RANKS, "OMPI", "recursive-doubling"),
        lines(other, RANKS / 2, "OMPI", "recursive-doubling"),
    ]);
    let said = run(&folder, "calibrate --from numbers.csv");
    assert_eq!(said.code, 2, "{said:?}");
    for expected in [
        "--only system=alpha,ranks=8,nodes=8".to_owned(),
        format!("system=alpha,run={one},ranks=8 (8 nodes, 12 rows)"),
        format!("system=alpha,run={other},ranks=4 (4 nodes, 12 rows)"),
    ] {
        assert!(said.stderr.contains(&expected), "{expected}: {said:?}");
    }
    let none = run(&folder, "calibrate --from numbers.csv --only system=beta");
    assert!(none.code == 2 && none.stderr.contains(&format!("run={one}")), "{none:?}");
    // A machine predicts the numbers of any jobs.
    let both = run(&folder, "validate --from numbers.csv --machine openmpi --only collective=bcast --format csv");
    let ranks: Vec<String> = table::rows(&both.stdout).iter().map(|row| row["ranks"].clone()).collect();
    assert_eq!((both.code, ranks.iter().filter(|ranks| *ranks == "4").count(), ranks.len()), (0, 6, 12), "{both:?}");
}

#[test]
fn what_leaves_no_number_says_why() {
    let all = lines("2025_04_09___10_00_00", RANKS, "OMPI", "recursive-doubling");
    let others = all.lines().map(|line| match line.contains("binomial_ompi") {
        true => line.replace("binomial_ompi", "default_ompi") + "\n",
        false => line.replace("linear_ompi", "unheard_of") + "\n",
    });
    let folder = folder(&others.collect::<Vec<_>>());
    let said = |words: &str| {
        let done = run(&folder, words);
        assert_eq!(done.code, 2, "{words}: {done:?}");
        done.stderr
    };
    let default = said("calibrate --from numbers.csv --only algorithm=default");
    assert!(default.contains("4 rows: the library's own choice"), "{default}");
    let long = said("validate --from numbers.csv --machine openmpi --longest 16 --only algorithm=ring");
    assert!(long.contains("2 rows: buffers are longer than 16 B"), "{long}");
    let unheard = said("calibrate --from numbers.csv --only algorithm=unheard");
    assert!(unheard.contains("unheard_of"), "{unheard}");
    let few = said("calibrate --from numbers.csv --only algorithm=ring");
    assert!(few.contains("at least 7 printed numbers"), "{few}");
    assert!(said("validate --from numbers.csv").contains("--held-out"));
    assert!(said("calibrate --from numbers.csv --benchmark osu").contains("--benchmark: expected pico"));
    assert!(said("calibrate --from numbers.csv --world simulated").contains("cannot be used with"));
    assert!(said("validate --from numbers.csv --bytes 8").contains("cannot be used with"));
    std::fs::write(folder.path().join("text.txt"), "# OSU MPI Broadcast Latency Test\n8 1.0\n").unwrap();
    assert!(said("calibrate --from text.txt").contains("expected what PICO published"));
}
