//! Summaries in both forms.

use models::collective::Collective;
use parallax_published::{Grounds, Mark, read_text};
use proptest::prelude::*;

const HEAD: &str = "system,run,test,nodes,ranks_per_node,collective,library,version,algorithm,elements,dtype,calls,first_ns,min_ns,p10_ns,p25_ns,median_ns,p75_ns,p90_ns,mean_ns,max_ns,gpu,notes";

fn line(run: &str, collective: &str, algorithm: &str, elements: u64, median_ns: u64) -> String {
    let (low, high) = (median_ns - 100, median_ns + 300);
    format!(
        "alpha,{run},0,4x2,2,{collective},OMPI,4.1.6,{algorithm},{elements},int32,1000,{},{low},{low},{low},{median_ns},{high},{high},{high},{high},no,\"two, rails\"",
        median_ns * 9
    )
}

fn text(lines: &[String]) -> String {
    format!("{HEAD}\n{}\n", lines.join("\n"))
}

#[test]
fn a_line_says_who_measured_what_where_and_under_which_barrier() {
    let early = "2025_03_01___10_00_00";
    let published = read_text("m.csv", &text(&[line(early, "ALLGATHER", "ring_ompi", 1027, 5000)])).unwrap();
    let row = &published.rows[0];
    assert_eq!((row.nodes, row.ranks, row.ranks_per_node, row.shape.as_str()), (Some(8), Some(16), Some(2), "4x2"));
    assert_eq!((row.collective, row.elements, row.bytes), (Some(Collective::Allgather), 1027, Some(64 * 4)));
    assert_eq!((row.calls.count, row.calls.first_us, row.calls.median_us), (1000, Some(45.0), 5.0));
    assert_eq!((row.marks.as_slice(), row.notes.as_str()), (&[Mark::Remainder][..], "two, rails"));
    let barrier = row.barrier.as_ref().unwrap();
    assert_eq!((barrier.barrier.to_string().as_str(), barrier.grounds), ("openmpi-4.1", Grounds::Inferred));
    assert!(published.warnings.is_empty(), "{:?}", published.warnings);
}

#[test]
fn the_frameworks_own_summary_says_the_same_without_first_calls() {
    let text = "collective_type,array_dim,buffer_size,algo_name,datatype,mean,median,std,min,max,nnodes,tasks_per_node,n_iter,percentile_10,percentile_25,percentile_75,percentile_90,iqr,system,timestamp,test_id,MPI_Op,gpu_awareness,notes,mpi_lib,mpi_lib_version,colour\n\
        BCAST,8,32,binomial_ompi,int32,6000.5,5500.5,1,5000,9000,4,1,800,5100,5200,5800,5900,600,alpha,2025_04_10___10_00_00,2,,yes,,OMPI,4.1.6,red\n";
    let published = read_text("s.csv", text).unwrap();
    let row = &published.rows[0];
    assert_eq!((row.ranks, row.bytes, row.test, row.calls.first_us), (Some(4), Some(32), Some(2), None));
    assert_eq!((row.calls.median_us, row.calls.p90_us, row.marks.as_slice()), (5.5005, 5.9, &[Mark::Gpu][..]));
    assert_eq!(row.barrier.as_ref().unwrap().barrier.to_string(), "recursive-doubling");
    insta::assert_snapshot!(published.warnings.join("\n"), @"s.csv: columns that are not known are not read: colour");
}

#[test]
fn a_broken_line_is_an_error_with_its_place() {
    let good = line("2025_03_01___10_00_00", "BCAST", "chain_ompi", 8, 5000);
    let broken = [
        good.replace("BCAST", "CAST"),
        good.replace("4x2", "4x"),
        good.replace(",8,int32", ",eight,int32"),
        good.replace("int32", "int24"),
        good.replace(",5000,", ",50000,"),
        good.replace(",1000,", ",,"),
        good[..60].to_owned(),
    ];
    let said = broken.map(|line| read_text("m.csv", &text(&[good.clone(), line])).unwrap_err().to_string());
    assert!(said.iter().all(|error| error.starts_with("m.csv line 3: ")), "{said:?}");
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn a_forced_row_that_equals_the_default_is_marked_only_where_the_frameworks_code_differs() {
    let run = "2025_04_07___10_00_00";
    let algorithms = |over: u64| {
        let lengths = [8u64, 64, 512, 4096, 32768];
        let rows = move |(algorithm, factor): (&'static str, u64)| {
            lengths.map(|elements| line(run, "ALLREDUCE", algorithm, elements, (5000 + elements) * factor / 100))
        };
        let all = [("default_ompi", 100), ("ring_ompi", 101), ("ring_over", over), ("rabenseifner_ompi", 160)];
        all.into_iter().flat_map(rows).collect::<Vec<_>>()
    };
    let marked = |over| {
        let published = read_text("m.csv", &text(&algorithms(over))).unwrap();
        let marked = published.rows.iter().filter(|row| row.marks.contains(&Mark::NotForced));
        marked.map(|row| (row.algorithm.clone(), row.elements)).collect::<Vec<_>>()
    };
    assert_eq!(marked(102), [], "the library's choice is this algorithm");
    let expected = [8, 64, 512, 4096, 32768].map(|elements| ("ring_ompi".to_owned(), elements));
    assert_eq!(
        marked(150),
        expected,
        "neither the default, nor the framework's code, nor what differs from the default"
    );
}

proptest! {
    #[test]
    fn the_order_of_lines_does_not_matter(seeds in prop::collection::vec((0u64..6, 0usize..3, 1u64..50), 1..12), turn in 0usize..12) {
        let names = ["ring_ompi", "default_ompi", "ring_over"];
        let lines: Vec<String> = seeds
            .iter()
            .enumerate()
            .map(|(index, &(elements, name, median))| {
                line(&format!("2025_04_0{}", index % 9 + 1), "ALLREDUCE", names[name], 1 << elements, 1000 * median)
            })
            .collect();
        let mut turned = lines.clone();
        turned.rotate_left(turn % lines.len());
        turned.reverse();
        let rows = |lines: &[String]| {
            let mut rows = read_text("m.csv", &text(lines)).unwrap().rows;
            rows.iter_mut().for_each(|row| row.line = 0);
            rows
        };
        prop_assert_eq!(rows(&lines), rows(&turned));
    }
}
