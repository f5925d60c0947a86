//! OSU Micro-Benchmarks 3 to 7: a title, heads, a row for each size; several tests may follow each other.
//!
//! Source: `print_preamble`, `print_only_header`, `print_stats` and their non-blocking twins in util/osu_util_mpi.c (7.4),
//! osu_latency.c, osu_mbw_mr.c. Only the p2p tests say how many processes there were. MB are 10⁶ bytes.

use super::heads::{Head, Role, read_row};
use super::names::collective;
use super::text::{Place, begins_with_number, comment, lines, wide_cells};
use super::{ImportError, Imported, Row, Tool};

/// The operation and the version of a title like `# OSU MPI Broadcast Latency Test v7.4`.
pub(super) fn title(line: &str) -> Option<(&str, Option<&str>)> {
    let title = line.trim_start_matches(['#', ' ']);
    // The benchmarks in Python call themselves OMB-Py and have no version.
    let name = title.strip_prefix("OSU ").or(title.strip_prefix("OMB-Py "))?;
    let (name, version) = match name.rsplit_once(" v") {
        Some((name, version)) if begins_with_number(version) => (name, Some(version.trim())),
        _ => (name, None),
    };
    let name = name.trim().strip_suffix(" Test")?;
    // "MPI Broadcast Latency", "MPI-CUDA Broadcast Latency", but "MPI_Put Latency".
    Some((name.strip_prefix("MPI ").unwrap_or(name), version))
}

fn head(head: &str) -> Head {
    let (name, power) = match head {
        "Size" | "Size (B)" => return Head::new(head, Role::Bytes),
        "Iterations" => return Head::new(head, Role::Calls),
        "Validation" => return Head::new(head, Role::Verdict { name: "passed".to_owned() }),
        "Avg Latency(us)" | "Avg Lat(us)" | "Latency(us)" | "Latency (us)" => ("mean_us", 0),
        "Min Latency(us)" => ("min_us", 0),
        "Max Latency(us)" => ("max_us", 0),
        "Overall(us)" => ("overall_us", 0),
        "Pure Comm.(us)" => ("pure_us", 0),
        "Bandwidth (MB/s)" | "MB/s" => ("mb_per_s", 0),
        "Messages/s" => ("messages_per_s", 0),
        "Transmit Size" => ("transmit_bytes", 0),
        _ => return percentile(head).unwrap_or_else(|| Head::other(head)),
    };
    Head::scaled(head, name, power)
}

/// `P90 Tail Lat(us)`, `P90 Tail BW(MB/s)`.
fn percentile(head: &str) -> Option<Head> {
    let (percent, rest) = head.strip_prefix('P')?.split_once(' ')?;
    let unit = match rest {
        "Tail Lat(us)" => "us",
        "Tail BW(MB/s)" => "mb_per_s",
        _ => return None,
    };
    percent.parse::<u8>().ok()?;
    Some(Head::plain(head, &format!("p{percent}_{unit}")))
}

/// The heads of a table, if the line holds them; old versions print some without `#`.
fn heads(line: &str) -> Option<Vec<Head>> {
    let cells = wide_cells(line.trim_start_matches(['#', ' ']));
    let is_value = |cell: &&str| ["(us)", "(MB/s)", "MB/s", "Messages/s"].iter().any(|unit| cell.ends_with(unit));
    let is_table = cells.iter().any(is_value) && cells.iter().all(|cell| !cell.contains(" = "));
    is_table.then(|| cells.into_iter().map(head).collect())
}

pub(super) fn read(file: &str, text: &str) -> Result<Imported, ImportError> {
    let mut imported = Imported::of(Tool::Osu);
    let mut now = Row::default();
    let mut table: Option<Vec<Head>> = None;
    for (line, content) in lines(text) {
        let place = Place { file, line };
        if let Some((name, version)) = title(content) {
            imported.version = imported.version.or(version.map(str::to_owned));
            now = Row { benchmark: name.to_owned(), collective: collective(name), ranks: pair(name), ..Row::default() };
            table = None;
        } else if let Some(heads) = heads(content) {
            table = Some(heads);
        } else if let Some(content) = comment(content) {
            remark(content, place, &mut now, &mut imported)?;
        } else if begins_with_number(content) {
            let heads = table.as_ref().ok_or_else(|| {
                place.error("expected the head of a table before its rows, like '# Size  Avg Latency(us)'; tables over window sizes are not read")
            })?;
            let cells: Vec<&str> = content.split_whitespace().collect();
            imported.rows.push(read_row(place, heads, &cells, now.clone())?);
        } else if !content.is_empty() {
            imported.left_out.push(line);
        }
    }
    Ok(imported)
}

/// The tests between two processes.
fn pair(name: &str) -> Option<u32> {
    ["Latency", "Bandwidth", "Bi-Directional Bandwidth"].contains(&name).then_some(2)
}

fn remark(content: &str, place: Place, now: &mut Row, imported: &mut Imported) -> Result<(), ImportError> {
    if let Some(datatype) = content.strip_prefix("Datatype: ") {
        now.datatype = Some(datatype.trim_end_matches('.').to_owned());
    } else if let Some((pairs, _)) = content.strip_prefix("[ pairs: ").and_then(|rest| rest.split_once(" ]")) {
        let pairs: u32 = place.whole(pairs, "pairs of processes")?;
        now.ranks = pairs.checked_mul(2);
        imported.fact("table", content);
    } else {
        imported.fact("remark", content);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_of_many_years() {
        assert_eq!(title("# OSU MPI Latency Test v3.1.1"), Some(("Latency", Some("3.1.1"))));
        assert_eq!(
            title("# OSU MPI-CUDA Non-blocking Allreduce Latency Test v7.5"),
            Some(("MPI-CUDA Non-blocking Allreduce Latency", Some("7.5")))
        );
        assert_eq!(title("# OSU MPI_Put Latency Test v5.6.3"), Some(("MPI_Put Latency", Some("5.6.3"))));
        assert_eq!(title("# OMB-Py MPI Bandwidth Test"), Some(("Bandwidth", None)));
        assert_eq!(title("# OSU is where it was run"), None);
    }

    #[test]
    fn tables_of_the_benchmarks_in_python() {
        let text = "# OMB-Py MPI Allreduce Latency Test\n# Size (B)   Avg Latency(us)\n1024                   82.20\n";
        let imported = read("a.txt", text).expect("a table");
        assert_eq!((imported.rows[0].bytes, imported.rows[0].value("mean_us")), (Some(1024), Some(82.2)));
    }
}
