//! Every parameter of a machine as a row: value, interval, unit, and meaning.

use super::estimates;
use programs::machine::{Estimate, LinesPoint, Machine, Provenance};
use render::columns;
use render::data::{Cell, Filled, Show, Table, View};
use render::page::{Page, Section};
use render::plots::numbers::{bytes, significant};
use render::results::Results;
use render::table as laid_out;

/// The parameters of a calibrated machine.
pub struct Parameters<'a>(pub &'a Machine);

struct Parameter {
    /// Its name, with its model's.
    name: String,
    /// Its value: a number, with an interval where it is an estimate, or words.
    value: Cell,
    /// Its unit; empty for words.
    unit: &'static str,
    meaning: String,
}

/// Absolute value below which a number is shown as 0: in µs, less than a picosecond.
const SMALLEST: f64 = 5e-7;
/// Longer words stand below the table, in bytes.
const LONGEST_WORDS: usize = 16;
/// Of more ranks a barrier's times are in the file alone.
const MOST_TOLD_RANKS: u32 = 4;

fn row(name: &str, estimate: &Estimate, unit: &'static str, meaning: &str) -> Parameter {
    plain(name, *estimate, unit, meaning)
}

fn plain(name: &str, value: impl Into<Cell>, unit: &'static str, meaning: &str) -> Parameter {
    Parameter { name: name.to_owned(), value: value.into(), unit, meaning: meaning.to_owned() }
}

/// All parameters that a machine has, in the order of its file.
fn parameters(machine: &Machine) -> Vec<Parameter> {
    let mut all = vec![
        row("hockney α", &machine.hockney.alpha_us, "µs", "start of a message"),
        row("hockney β", &machine.hockney.beta_ns_per_byte, "ns/B", "each byte of it"),
    ];
    all.extend(networks(machine));
    all.extend(machine.protocol.iter().map(|change| {
        let name = format!("protocol change at {}", bytes(change.next_bytes));
        let waits = if change.waits { "; senders wait for receivers from here on" } else { "" };
        let meaning = format!("jump of a message's time above {}{waits}", bytes(change.last_bytes));
        row(&name, &change.jump_us, "µs", &meaning)
    }));
    all.push(plain("control", machine.control_us, "µs", "one way of methods' own messages"));
    all.extend(refinements(machine));
    all
}

fn networks(machine: &Machine) -> Vec<Parameter> {
    let mut all = Vec::new();
    if let Some(loggp) = &machine.loggp {
        all.push(row("loggp L", &loggp.latency_us, "µs", "latency, without overheads"));
        all.push(row("loggp o", &loggp.overhead_us, "µs", "CPU time of a send or a receive"));
        all.push(row("loggp g", &loggp.gap_us, "µs", "least time between two sends"));
        all.push(row("loggp G", &loggp.gap_per_byte_ns, "ns/B", "each byte on the way"));
    }
    if let Some(loggops) = &machine.loggops {
        all.push(row("loggops L", &loggops.latency_us, "µs", "latency, without overheads"));
        all.push(row("loggops o_s", &loggops.overhead_send_us, "µs", "CPU time of a send"));
        all.push(row("loggops o_r", &loggops.overhead_receive_us, "µs", "CPU time of a receive"));
        all.push(row("loggops g", &loggops.gap_us, "µs", "least time between two sends"));
        all.push(row("loggops G", &loggops.gap_per_byte_ns, "ns/B", "each byte on the way"));
        all.push(row("loggops O", &loggops.overhead_per_byte_ns, "ns/B", "CPU time of each byte"));
        let limit = loggops.eager_limit_bytes.map_or_else(|| "none".into(), Cell::from);
        let unit = if loggops.eager_limit_bytes.is_some() { "B" } else { "" };
        all.push(plain("loggops S", limit, unit, "the longest message that does not wait for its receiver"));
    }
    if let Some(plogp) = &machine.plogp {
        all.push(row("plogp L", &plogp.latency_us, "µs", "latency"));
        for point in [plogp.points.first(), plogp.points.last()].into_iter().flatten() {
            let length = bytes(point.bytes);
            all.push(row(&format!("plogp o_s({length})"), &point.overhead_send_us, "µs", "CPU time of a send"));
            all.push(row(&format!("plogp o_r({length})"), &point.overhead_receive_us, "µs", "CPU time of a receive"));
            all.push(row(&format!("plogp g({length})"), &point.gap_us, "µs", "least time between two sends"));
        }
    }
    all
}

/// Returns the parameters that network models leave out.
fn refinements(machine: &Machine) -> Vec<Parameter> {
    let mut all = Vec::new();
    if let Some(connect) = &machine.connect_us {
        all.push(row("connect", connect, "µs", "additional time of the first message of a pair (E1)"));
    }
    if let Some(inline) = &machine.inline {
        let meaning = format!("additional time of messages longer than {} B between nodes", inline.limit_bytes);
        all.push(row("inline", &inline.fetch_us, "µs", &meaning));
    }
    if let Some(near) = &machine.near {
        all.push(row("L near", &near.latency_us, "µs", "latency between nodes of one switch, or of one cell"));
    }
    all.extend(memory(machine));
    all.extend(machine.idle.iter().filter(|point| point.idle_us > 0.0).map(|point| {
        let name = format!("idle {} µs", point.idle_us);
        row(&name, &point.cost_us, "µs", "additional time of an operation after that (E8)")
    }));
    for skew in &machine.exit_skew {
        let (ranks, barriers) = (skew.ranks, skew.barriers);
        let meaning = format!("last exit from a barrier minus the first, median of {barriers} on {ranks} ranks (E5)");
        all.push(row("exit skew", &skew.median_us, "µs", &meaning));
        all.push(plain("exit skew, 99 %", skew.p99_us, "µs", "99 of 100 barriers are below"));
        for (entry, until) in skew.until_us.iter().enumerate().filter(|_| ranks <= MOST_TOLD_RANKS) {
            all.extend(until.iter().enumerate().map(|(exit, &us)| {
                let meaning =
                    format!("where rank {entry} enters a barrier last: from its entry to rank {exit}'s exit (E5)");
                plain(&format!("barrier {entry} {exit}"), us, "µs", &meaning)
            }));
        }
    }
    if let Some(card) = &machine.clock {
        let name = format!("clock {}", card.name);
        all.push(plain(&name, card.verdict().to_string(), "", &format!("verdict: {}", card.remarks())));
        all.push(plain("clock step", card.granularity_ns, "ns", "all readings are multiples of it (E7)"));
        all.push(plain("clock read", card.read_ns, "ns", "what a reading takes (E7)"));
    }
    if let Some(noise) = &machine.noise {
        let meaning = format!(
            "of the CPU went to {} detours in {} s of all ranks' time",
            noise.detours,
            significant(noise.watched_us / 1e6)
        );
        all.push(plain("noise", noise.share * 100.0, "%", &meaning));
        all.push(plain("noise detour", noise.median_us, "µs", "the median detour"));
        all.push(plain("noise longest", noise.longest_us, "µs", "the longest one"));
        all.extend(
            noise.sources.iter().map(|source| plain("noise source", source.clone(), "", "like it, for --noise")),
        );
    }
    all
}

/// Returns the costs of a call, of arithmetic and of cache lines, at the longest length.
fn memory(machine: &Machine) -> Vec<Parameter> {
    let mut all = Vec::new();
    if let Some(line_ns) = machine.line_ns {
        let meaning = "state of the machine: a cache line from one neighbour to the other";
        all.push(plain("cache line", line_ns, "ns", meaning));
    }
    if let Some(work_ns) = machine.work_ns {
        let meaning = "state of the machine: the same work on the slower core";
        all.push(plain("core's work", work_ns, "ns", meaning));
    }
    for (name, estimate, meaning) in [
        ("start", &machine.start_us, "additional time of the first message after a wait"),
        ("call", &machine.call_us, "time of the library's call beyond its messages"),
        (
            "reducing call",
            &machine.reducing_call_us,
            "instead of call, for reductions: includes the shortest copies and combinations",
        ),
        ("page fault", &machine.page_fault_us, "allocation of a new page by the system, and its release"),
    ] {
        all.extend(estimate.iter().map(|estimate| row(name, estimate, "µs", meaning)));
    }
    if let Some(limit) = machine.single_copy_above_bytes {
        all.push(plain("single copy above", limit, "B", "longer messages are copied once, by their receiver"));
    }
    if let Some(point) = machine.local.last() {
        let length = bytes(point.bytes);
        all.push(row(&format!("memcpy({length})"), &point.copy_us, "µs", "copying within a rank's memory"));
        if let Some(to_self) = &point.to_self_us {
            all.push(row(&format!("to itself({length})"), to_self, "µs", "a message of a rank to itself"));
        }
        let gamma = point.combine_by_library_us.as_ref().unwrap_or(&point.combine_us);
        all.push(row(
            &format!("γ({length})"),
            gamma,
            "µs",
            "combining with as many bytes, by the library if there is one",
        ));
    }
    all.extend(machine.lines.last().into_iter().flat_map(lines));
    all
}

/// Returns the costs of touching cache lines, by their holders.
fn lines(point: &LinesPoint) -> Vec<Parameter> {
    let length = bytes(point.bytes);
    let mut all = Vec::new();
    let combined = point.claim_combined_by_library_us.as_ref().or(point.claim_combined_us.as_ref());
    let combined = combined.unwrap_or(&point.claim_us);
    let shared = point.claim_shared_us.as_ref().unwrap_or(&point.claim_us);
    for (name, estimate, meaning) in [
        ("fetch", &point.fetch_us, "reading lines that only the other rank holds"),
        ("refetch", &point.refetch_us, "reading lines that the other rank has taken by reading them"),
        ("claim", &point.claim_us, "writing lines that only the other rank holds"),
        ("claim shared", shared, "writing what both ranks hold"),
        ("claim received", &point.claim_received_us, "receiving into lines that the other rank holds"),
        ("claim combined", combined, "combining into lines that the other rank holds"),
        ("load", &point.load_us, "reading what no cache holds (E4)"),
        ("fill", &point.fill_us, "writing what no cache holds (E4)"),
        ("reread", &point.reread_us, "additional time to receive lines that the sender has not rewritten"),
        ("duplex fetch", &point.duplex_fetch_us, "additional time of fetch while the other rank fetches"),
        ("duplex claim", &point.duplex_claim_us, "additional time of claim received if both ranks do it"),
        ("after wait", &point.after_wait_us, "additional time of this length after a wait, in addition to start"),
        ("duplex", &point.duplex_us, "additional time of sending and receiving at the same time"),
    ] {
        all.push(row(&format!("{name}({length})"), estimate, "µs", meaning));
    }
    if let Some(load_fill) = &point.load_fill_us {
        let meaning = "receiving from uncached into uncached memory (E4)";
        all.push(row(&format!("load and fill({length})"), load_fill, "µs", meaning));
    }
    all
}

impl Parameters<'_> {
    /// All parameters, in the order of the machine's file.
    fn table(&self, all: &[Parameter]) -> Table {
        let confidence = self.0.provenance.confidence;
        let number = |one: &Parameter| if one.value.number().is_some() { one.value.clone() } else { Cell::None };
        let of_interval = |one: &Parameter| matches!(one.value, Cell::Interval(_)).then_some(confidence);
        let columns: [Filled<Parameter>; 6] = [
            (columns::NAME.headed("parameter"), &|one| one.name.as_str().into()),
            (columns::VALUE.column(), &number),
            (columns::UNIT.column(), &|one| one.unit.into()),
            (columns::CONFIDENCE.column(), &|one| of_interval(one).into()),
            (columns::WORDS.column(), &|one| one.value.text().into()),
            (columns::MEANING.column(), &|one| one.meaning.as_str().into()),
        ];
        Table::from_rows("rows", all, &columns)
    }

    /// The estimates by the names that they have in the machine's file.
    fn estimates(&self) -> Table {
        let confidence = self.0.provenance.confidence;
        let columns: [Filled<(String, Estimate)>; 3] = [
            (columns::PARAMETER.column(), &|(name, _)| name.as_str().into()),
            (columns::VALUE.column(), &|(_, value)| (*value).into()),
            (columns::CONFIDENCE.column(), &|_| confidence.into()),
        ];
        Table::from_rows("estimates", &estimates(self.0), &columns)
    }

    /// Every parameter as people see it. Words that are longer than numbers stand in a list, so that columns stay narrow.
    pub(super) fn section(&self) -> Section {
        let Machine { provenance, .. } = self.0;
        let all = parameters(self.0);
        let table = self.table(&all);
        let is_long = |one: &Parameter| one.value.text().len() > LONGEST_WORDS;
        let value = Show::made("value", |row| match all[row.place()].value.text() {
            "" if all[row.place()].value.number().is_some_and(|value| value.abs() < SMALLEST) => {
                laid_out::Cell::number("0", "")
            }
            "" => row.laid_out("value"),
            words => laid_out::Cell { number: true, ..laid_out::Cell::text(words) },
        });
        let view = View::new(&table)
            .captioned("Every parameter that was calibrated")
            .rows((0..all.len()).filter(|&place| !is_long(&all[place])))
            .show([Show::one("name"), value])
            .show([Show::one("unit"), Show::changed("meaning", |column| column.headed("what it means"))]);
        let words = all.iter().filter(|one| is_long(one));
        let words = words.map(|Parameter { name, value, meaning, .. }| format!("{name} ({meaning}): {}", value.text()));
        Section::new("Parameters")
            .with_paragraphs([format!("Intervals at {:.0} %. {}", provenance.confidence * 100.0, provenance.how)])
            .with_tables([view.laid_out()])
            .with_list(words)
    }
}

impl Results for Parameters<'_> {
    fn notes(&self) -> Vec<String> {
        self.0.notes.clone()
    }

    fn page(&self) -> Page {
        let Machine { name, hockney, provenance, notes, .. } = self.0;
        let (alpha, beta) = (significant(hockney.alpha_us.value), significant(hockney.beta_ns_per_byte.value));
        Page {
            question: format!("What are the parameters of {name}?"),
            answer: format!("α is {alpha} µs, β {beta} ns/B; models: {}.", self.0.models().join(", ")),
            details: notes.clone(),
            origin: format!("Calibrated {} on {}: {}", provenance.date, provenance.host, provenance.ran_by),
            sections: vec![self.section()],
            ..Page::default()
        }
    }

    fn rows(&self) -> Table {
        self.table(&parameters(self.0))
    }

    fn others(&self) -> Vec<Table> {
        vec![self.estimates()]
    }

    fn facts(&self) -> Vec<(&'static str, Cell)> {
        let Provenance { date, host, ran_by, how, .. } = &self.0.provenance;
        let facts = [("machine", &self.0.name), ("date", date), ("host", host), ("ran_by", ran_by), ("how", how)];
        let facts = facts.map(|(name, value)| (name, value.as_str().into()));
        // The file has what no parameter says: points of all lengths, states, rehearsals.
        facts.into_iter().chain([("machine_file", self.0.text().into())]).collect()
    }
}
