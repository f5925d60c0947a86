//! Raw files: a call in each line, in order, in ns: the greatest stay of any rank under `highest`, and that of each
//! under `rank0`, `rank1`, … where the framework was asked for them. The name of the file says the rest.

use crate::row::element_bytes;
use crate::{Calls, PublishedError, PublishedRow};

/// Returns the parts of a raw file's name, `512_ring_ompi_int32.csv`: elements, algorithm, type.
pub(crate) fn named(file: &str) -> Option<(u64, &str, &str)> {
    let name = file.rsplit('/').next().unwrap_or(file).strip_suffix(".csv")?;
    let (elements, rest) = name.split_once('_')?;
    let (algorithm, datatype) = rest.rsplit_once('_')?;
    element_bytes(datatype)?;
    Some((elements.parse().ok()?, algorithm, datatype))
}

/// Returns whether a text begins like a raw file.
pub(crate) fn is_raw(text: &str) -> bool {
    let head = text.lines().next().unwrap_or_default().trim();
    head.split(',').next().is_some_and(|first| first == "highest" || rank(first) == Some(0))
}

fn rank(head: &str) -> Option<u32> {
    head.trim().strip_prefix("rank")?.parse().ok()
}

/// Reads a raw file whose name says what it holds. A file without a call becomes a row without numbers.
pub(crate) fn read(file: &str, text: &str) -> Result<PublishedRow, PublishedError> {
    let (elements, algorithm, datatype) = named(file).ok_or_else(|| {
        PublishedError::new(
            file,
            1,
            "expected the name that the framework gives, ELEMENTS_ALGORITHM_TYPE.csv like 512_ring_ompi_int32.csv, as it alone says elements, algorithm and type",
        )
    })?;
    let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let head = lines.next().map_or("", |(_, head)| head);
    let ranks = ranks(file, head)?;
    let mut in_order_ns = Vec::new();
    // Fugaku's program ends its files by the mean.
    for (line, content) in lines.take_while(|(_, line)| !line.starts_with("Average runtime")) {
        if !content.is_empty() {
            in_order_ns.push(call(file, line, content, head)?);
        }
    }
    Ok(PublishedRow {
        file: file.to_owned(),
        line: 1,
        algorithm: algorithm.to_owned(),
        elements,
        datatype: datatype.to_owned(),
        ranks,
        calls: Calls::compute(in_order_ns).unwrap_or_default(),
        ..PublishedRow::default()
    })
}

/// Returns the number of ranks that have a column of their own, if any has.
fn ranks(file: &str, head: &str) -> Result<Option<u32>, PublishedError> {
    let heads: Vec<&str> = head.split(',').collect();
    let ranks = heads.strip_prefix(&["highest"]).unwrap_or(&heads);
    match ranks.iter().enumerate().find(|(index, head)| rank(head) != u32::try_from(*index).ok()) {
        Some((_, head)) => {
            let short: String = head.chars().take(40).collect();
            Err(PublishedError::new(file, 1, format!("expected the columns highest, rank0, rank1, …, found '{short}'")))
        }
        None => Ok(u32::try_from(ranks.len()).ok().filter(|&ranks| ranks > 0)),
    }
}

/// Returns the greatest stay of one call, in ns.
fn call(file: &str, line: usize, content: &str, head: &str) -> Result<u64, PublishedError> {
    let wrong = |message: String| PublishedError::new(file, line, message);
    let has_highest = head.starts_with("highest");
    let (mut highest, mut greatest, mut cells) = (None, None, 0);
    for cell in content.split(',') {
        let short: String = cell.chars().take(40).collect();
        let ns: u64 = cell.trim().parse().map_err(|_| {
            wrong(format!("expected a whole number of ns, found '{short}'; the file was cut off: get it again"))
        })?;
        match highest {
            None if has_highest => highest = Some(ns),
            Some(_) | None => greatest = greatest.max(Some(ns)),
        }
        cells += 1;
    }
    let expected = head.split(',').count();
    if cells != expected {
        let cure = "the file was cut off: get it again";
        return Err(wrong(format!("expected {expected} values as in the head, found {cells}; {cure}")));
    }
    match (highest, greatest) {
        (Some(highest), Some(greatest)) if highest != greatest => {
            Err(wrong(format!("expected highest, {highest} ns, to be the greatest of the ranks, {greatest} ns")))
        }
        (Some(ns), _) | (None, Some(ns)) => Ok(ns),
        (None, None) => Err(wrong("expected a whole number of ns, found nothing".to_owned())),
    }
}
