//! Intel MPI Benchmarks 3 to 2021: facts, then for each operation and number of processes a heading and a table.
//!
//! Source: `IMB_print_header`, `IMB_show_procids`, `IMB_display_times` in src_c/IMB_output.c, imb.cpp (2021.11). Sizes that
//! ran out of time or memory have a text in place of numbers and are left out.

use super::heads::{Head, Role, read_row};
use super::names::collective;
use super::text::{Place, begins_with_number, comment, lines};
use super::{ImportError, Imported, Row, Tool};

/// The version of a title like `#    Intel(R) MPI Benchmarks 2021.11, MPI-1 part`.
pub(super) fn title(line: &str) -> Option<&str> {
    let title = comment(line)?;
    let (_, version) = title.split_once("MPI Benchmark").filter(|(maker, _)| maker.starts_with("Intel"))?;
    let version = version.strip_prefix(" Suite").or(version.strip_prefix('s')).unwrap_or(version);
    Some(version.split(',').next().unwrap_or(version).trim())
}

/// What a megabyte is: 2²⁰ bytes up to 3.2, 10⁶ from 2018 on, and of versions between it is not known here.
fn throughput(version: Option<&str>) -> &'static str {
    let number = version.unwrap_or_default().trim_start_matches('V').split(['.', ' ']).next().unwrap_or_default();
    match number.parse::<u32>() {
        Ok(..=3) => "mib_per_s",
        Ok(2018..) => "mb_per_s",
        Ok(_) | Err(_) => "mbytes_per_s",
    }
}

fn head(head: &str, version: Option<&str>) -> Head {
    let name = match head {
        "#bytes" => return Head::new(head, Role::Bytes),
        "#repetitions" => return Head::new(head, Role::Calls),
        "t_min[usec]" => "min_us",
        "t_max[usec]" => "max_us",
        "t_avg[usec]" => "mean_us",
        "t[usec]" => "time_us",
        "t_ovrl[usec]" => "overall_us",
        "t_pure[usec]" => "pure_us",
        "t_CPU[usec]" => "compute_us",
        "Mbytes/sec" => throughput(version),
        "Msg/sec" => "messages_per_s",
        _ => return Head::other(head),
    };
    Head::plain(head, name)
}

/// The heads of a table, if the line holds them.
fn heads(line: &str, version: Option<&str>) -> Option<Vec<Head>> {
    let cells: Vec<&str> = line.split_whitespace().collect();
    let is_table = cells.contains(&"#bytes") || cells.contains(&"#repetitions");
    is_table.then(|| cells.into_iter().map(|cell| head(cell, version)).collect())
}

pub(super) fn read(file: &str, text: &str) -> Result<Imported, ImportError> {
    let mut imported = Imported::of(Tool::Imb);
    let mut now = Row::default();
    let mut table: Option<Vec<Head>> = None;
    let mut command: Option<String> = None;
    for (line, content) in lines(text) {
        let place = Place { file, line };
        if let Some(version) = title(content) {
            imported.version = imported.version.or_else(|| Some(version.to_owned()));
        } else if let Some(heads) = heads(content, imported.version.as_deref()) {
            table = Some(heads);
        } else if let Some(name) = content.strip_prefix("# Benchmarking ") {
            let name = name.trim();
            now = Row { benchmark: name.to_owned(), collective: collective(name), ..Row::default() };
            table = None;
        } else if let Some(content) = comment(content) {
            match &mut command {
                Some(command) if !content.is_empty() => {
                    command.push(' ');
                    command.push_str(content);
                }
                _ if content.starts_with("Calling sequence was") => command = Some(String::new()),
                _ => remark(content, place, &mut now, &mut imported)?,
            }
        } else if begins_with_number(content) {
            let heads = table.as_ref().ok_or_else(|| {
                place.error("expected the head of a table before its rows, like '#bytes #repetitions t[usec]'")
            })?;
            let cells: Vec<&str> = content.split_whitespace().collect();
            if is_failure(content) {
                imported.left_out.push(line);
            } else {
                imported.rows.push(read_row(place, heads, &cells, now.clone())?);
            }
        } else if !content.is_empty() {
            imported.left_out.push(line);
        } else if command.as_ref().is_some_and(|command| !command.is_empty()) {
            imported.fact("command line", &command.take().unwrap_or_default());
        }
    }
    Ok(imported)
}

/// Rows that say why there are no numbers.
fn is_failure(content: &str) -> bool {
    ["out-of-mem.", "int-overflow", "time-out."].iter().any(|failure| content.contains(failure))
}

/// `#processes = 4`, `( 2 groups of 4 processes each running simultaneous )`, `Date : …`.
fn remark(content: &str, place: Place, now: &mut Row, imported: &mut Imported) -> Result<(), ImportError> {
    if let Some(ranks) = content.strip_prefix("#processes = ") {
        let ranks = ranks.split([';', ' ']).next().unwrap_or_default();
        now.ranks = Some(place.whole(ranks, "processes")?);
    } else if let Some((_, ranks)) = content.split_once(" groups of ") {
        let ranks = ranks.split(' ').next().unwrap_or_default();
        now.ranks = Some(place.whole(ranks, "processes")?);
    } else if now.benchmark.is_empty()
        && let Some((label, value)) = content.split_once(':')
    {
        imported.fact(label, value);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_of_old_and_new_versions() {
        let old = title("#    Intel (R) MPI Benchmark Suite V3.2.4, MPI-1 part");
        assert_eq!((old, throughput(old)), (Some("V3.2.4"), "mib_per_s"));
        let new = title("#    Intel(R) MPI Benchmarks 2021.11, MPI-1 part");
        assert_eq!((new, throughput(new)), (Some("2021.11"), "mb_per_s"));
        assert_eq!(throughput(title("#    Intel (R) MPI Benchmarks 4.1 Update 1, MPI-1 part")), "mbytes_per_s");
        assert_eq!(title("# MPI Benchmarks"), None);
    }
}
