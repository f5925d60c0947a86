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

fn head(head: &str) -> Head {
    let name = match head {
        "#bytes" => return Head::new(head, Role::Bytes),
        "#repetitions" => return Head::new(head, Role::Repetitions),
        "t_min[usec]" => "min_us",
        "t_max[usec]" => "max_us",
        "t_avg[usec]" => "mean_us",
        "t[usec]" => "time_us",
        "t_ovrl[usec]" => "overall_us",
        "t_pure[usec]" => "pure_us",
        "t_CPU[usec]" => "compute_us",
        "Mbytes/sec" => "mb_per_s",
        "Msg/sec" => "messages_per_s",
        _ => return Head::other(head),
    };
    Head::plain(head, name)
}

/// The heads of a table, if the line holds them.
fn heads(line: &str) -> Option<Vec<Head>> {
    let cells: Vec<&str> = line.split_whitespace().collect();
    (cells.contains(&"#bytes") || cells.contains(&"#repetitions")).then(|| cells.into_iter().map(head).collect())
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
        } else if let Some(heads) = heads(content) {
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
