//! Lines between cores as tables.

use super::{ClassSeen, CorePair, Lines};
use programs::machine::PairLook;
use render::columns;
use render::data::{Filled, Known, Style, Table};

/// Share of a class in all looks.
const SHARE: Known = Known::number("share", "", "share of all looks", "0.6");
const VISITS: Known = Known::integer("visits", "", "runs of looks of a class without another class between", "2");
const MEDIAN_VISIT: Known = Known::number("median_visit_s", "s", "the median length of these runs", "1.5");
const LONGEST_VISIT: Known = Known::number("longest_visit_s", "s", "the longest of them", "3.9");
const CORE: Known = Known::integer("core", "", "the core", "0");
const WORK: Known = Known::number("work_ns", "ns", "time of a core for the same work in registers", "600");

/// Returns a row for each pair.
pub(super) fn pairs(lines: &Lines) -> Table {
    let columns: [Filled<CorePair>; 7] = [
        (columns::CORE_A.column(), &|pair| pair.cores[0].into()),
        (columns::CORE_B.column(), &|pair| pair.cores[1].into()),
        (columns::LINE_NS.column().written(3), &|pair| pair.line_ns.into()),
        (columns::CLASS.column(), &|pair| lines.name(pair.class).into()),
        (columns::LOOKS.column(), &|pair| pair.looks.into()),
        (columns::UNCLEAR_LOOKS.column(), &|pair| pair.unclear.into()),
        (columns::CHANGES.column(), &|pair| pair.changes.into()),
    ];
    Table::from_rows("pairs", &lines.pairs, &columns)
}

/// Returns a row for each look, in the order of time.
pub(super) fn looks(lines: &Lines) -> Table {
    let columns: [Filled<PairLook>; 7] = [
        (columns::AT.column().written(6), &|look| look.at_s.into()),
        (columns::CORE_A.column(), &|look| look.cores[0].into()),
        (columns::CORE_B.column(), &|look| look.cores[1].into()),
        (columns::LINE_NS.column().written(3), &|look| look.line_ns.into()),
        (columns::CLASS.column(), &|look| lines.name(lines.class(look)).into()),
        (columns::WORK_A.column().written(0), &|look| look.work_ns[0].into()),
        (columns::WORK_B.column().written(0), &|look| look.work_ns[1].into()),
    ];
    Table::from_rows("looks", &lines.looks, &columns)
}

/// Returns a row for each class, the nearest first.
pub(super) fn classes(lines: &Lines) -> Table {
    let columns: [Filled<ClassSeen>; 6] = [
        (columns::CLASS.column(), &|class| class.name.as_str().into()),
        (columns::LINE_NS.headed("line").shown(Style::Fixed(1)), &|class| class.line_ns.into()),
        (SHARE.headed("of looks").shown(Style::Share), &|class| class.share.into()),
        (VISITS.column(), &|class| class.visits.into()),
        (MEDIAN_VISIT.headed("median visit").shown(Style::Fixed(3)), &|class| class.median_visit_s.into()),
        (LONGEST_VISIT.headed("longest").shown(Style::Fixed(3)), &|class| class.longest_visit_s.into()),
    ];
    Table::from_rows("classes", &lines.seen, &columns)
}

/// Returns a row for each core.
pub(super) fn work(lines: &Lines) -> Table {
    let columns: [Filled<(usize, f64)>; 2] =
        [(CORE.column(), &|(core, _)| (*core).into()), (WORK.column(), &|(_, ns)| (*ns).into())];
    Table::from_rows("work", &lines.works(), &columns)
}
