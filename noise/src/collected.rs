//! Recorded detours of ranks: a row for each rank, the warnings that qualify them, and their cases.

use models::names::counted;
use models::time::Span;
use programs::detours::{Collection, Method, Recorded, Watched};
use render::columns;
use render::data::{Cell, Column, Filled, Style, Table, View};
use render::groups::distinct;
use render::page::Section;
use render::plots::numbers::significant;
use render::summary::Summary;
use scenario::store::{TaskResult, Tested};

/// Share of its CPU below which a rank shared it with other programs.
const WHOLE_CPU: f64 = 0.99;
/// Relative difference of quanta above which CPUs are not alike.
const ALIKE: f64 = 0.02;

/// Summarises what was collected, launch after launch.
pub(crate) fn summary(all: &[&Tested]) -> Summary {
    let collections = all.iter().filter_map(|tested| match &tested.found {
        TaskResult::Noise { collection, ranks } => Some((collection, ranks)),
        _ => None,
    });
    let (mut head, mut notes, mut sentences) = <(Vec<_>, Vec<_>, Vec<_>)>::default();
    let mut recorded: Vec<&Recorded> = Vec::new();
    for (collection, ranks) in collections {
        head.push(settings(collection, ranks));
        sentences.push(conclude(ranks));
        notes.extend(doubts(collection, ranks));
        recorded.extend(ranks);
    }
    head.extend(distinct(all.iter().map(|tested| ran_by(tested)).filter(|text| !text.is_empty())));
    let table = table(&recorded);
    let view = View::new(&table).whole().laid_out().without_empty_columns();
    let section = Section::new("All numbers").with_paragraphs(head).with_tables([view]);
    Summary::new(sentences.join(" "), notes, section, [table])
}

/// Returns a row for each rank.
fn table(ranks: &[&Recorded]) -> Table {
    let share = |column: Column| column.shown(Style::Share);
    // Counts of work have no detours, and detours no intervals.
    let watched = |rank: &Recorded, of: fn(&Watched) -> Cell| rank.work.is_none().then(|| of(&rank.collected.watched));
    let columns: [Filled<Recorded>; 18] = [
        (columns::RANK.column(), &|rank| rank.collected.watched.rank.into()),
        (columns::RANK_HOST.headed("host"), &|rank| rank.host.as_str().into()),
        (columns::CPU.headed("CPU"), &|rank| rank.cpu.into()),
        (columns::WATCHED.column().unseen(), &|rank| rank.collected.watched.time.as_us().into()),
        (columns::INTERVALS.column(), &|rank| rank.work.map(|_| rank.kept).into()),
        (columns::MOST_UNITS.headed("units, most"), &|rank| rank.work.map(|work| work.most).into()),
        (columns::STEP_TIME.headed("step"), &|rank| {
            watched(rank, |watched| (watched.usual.as_us() * 1e3).into()).into()
        }),
        (columns::DETOURS.column(), &|rank| watched(rank, |watched| watched.detours.into()).into()),
        (columns::PER_SECOND.headed("rate"), &|rank| {
            watched(rank, |watched| (watched.detours as f64 / watched.time.as_seconds().max(1e-9)).into()).into()
        }),
        (columns::TAKEN.column().unseen(), &|rank| watched(rank, |watched| watched.taken.as_us().into()).into()),
        (share(columns::LOST_SHARE.headed("lost")), &|rank| rank.lost().into()),
        (share(columns::MOST_LOST.headed("worst")), &|rank| rank.work.map(|work| work.worst).into()),
        (columns::LONGEST.headed("longest").shown(Style::Own), &|rank| {
            watched(rank, |watched| watched.longest.as_us().into()).into()
        }),
        (columns::CPU_SHARE.headed("had its CPU").shown(Style::Percent(2)), &|rank| rank.cpu_share.into()),
        (columns::PREEMPTED.headed("switches"), &|rank| rank.preempted.into()),
        (columns::KEPT.column().unseen(), &|rank| rank.work.is_none().then_some(rank.kept).into()),
        (columns::COVERED.column().unseen(), &|rank| rank.covered.as_us().into()),
        (columns::STOLEN.column().unseen(), &|rank| rank.stolen.as_us().into()),
    ];
    Table::from_rows("ranks", ranks.iter().copied(), &columns)
}

/// Returns the program that recorded, without the network that threads emulate, which does not matter here.
pub(super) fn ran_by(tested: &Tested) -> String {
    tested.ran_by.split(", emulating").next().unwrap_or_default().to_owned()
}

/// Describes the method and the duration of the collection.
fn settings(collection: &Collection, ranks: &[Recorded]) -> String {
    let time = ranks.iter().map(|rank| rank.collected.watched.time).max().unwrap_or_default();
    let how = match collection.method {
        Method::Selfish => "selfish: a detour lies between two reads of the clock further apart than usual".to_owned(),
        Method::Fwq => {
            let (quantum, baseline) = (collection.quantum, collection.baseline);
            format!("FWQ: quanta of {quantum} of work in registers, against the baseline '{baseline}'")
        }
        Method::Ftq => format!("FTQ: work that is done in intervals of {}", collection.interval),
    };
    format!("{} for {time}; {how}", counted(ranks.len(), "rank"))
}

fn conclude(ranks: &[Recorded]) -> String {
    let most = ranks.iter().max_by(|one, other| one.lost().total_cmp(&other.lost()));
    let Some(most) = most else { return "No rank recorded anything.".to_owned() };
    let watched = &most.collected.watched;
    let share = significant(most.lost() * 100.0);
    let who = if ranks.len() == 1 { "The rank".to_owned() } else { format!("Rank {}, which lost most,", watched.rank) };
    let s = if watched.detours == 1 { "" } else { "s" };
    match most.work {
        Some(work) => {
            let worst = significant(work.worst * 100.0);
            format!("{who} did {share} % less work than it could, and {worst} % less in one interval.")
        }
        None if watched.detours == 0 => format!("{who} had no detour in {}.", watched.time),
        None => {
            let (detours, longest) = (watched.detours, watched.longest);
            format!("{who} lost {share} % of its time to {detours} detour{s}, the longest of {longest}.")
        }
    }
}

/// Returns the warnings that qualify the numbers as the noise of a machine.
pub(super) fn doubts(collection: &Collection, ranks: &[Recorded]) -> Vec<String> {
    let mut said = Vec::new();
    let number = |rank: &Recorded| rank.collected.watched.rank;
    for rank in ranks.iter().filter(|rank| rank.cpu_share < WHOLE_CPU) {
        let (rank, share, cpu) = (number(rank), rank.cpu_share * 100.0, rank.cpu);
        said.push(format!(
            "rank {rank} had {share:.1} % of CPU {cpu} alone: other programs took the rest (which ones: collect --attribute), so \
             this is the noise that this process met, not that of the node"
        ));
    }
    for rank in ranks.iter().filter(|rank| rank.stolen >= Span::from_ms(10)) {
        let (rank, stolen, cpu) = (number(rank), rank.stolen, rank.cpu);
        said.push(format!("rank {rank}: the hypervisor took {stolen} from CPU {cpu}, as the system counts"));
    }
    for rank in ranks.iter().filter(|rank| rank.work.is_none() && rank.kept < rank.collected.watched.detours) {
        let (all, kept, covered) = (rank.collected.watched.detours, rank.kept, rank.covered);
        let rank = number(rank);
        said.push(format!(
            "rank {rank}: its file holds the first {kept} of {all} detours, those of {covered}; --most keeps more"
        ));
    }
    said.extend(below_a_step(collection, ranks));
    said.extend(differing(collection, ranks));
    let late = ranks.iter().map(|rank| rank.collected.begun).max().unwrap_or_default();
    if late > Span::from_ms(1) {
        said.push(format!("ranks began up to {late} after the due time; what they recorded together counts"));
    }
    let bound = ranks.iter().flat_map(|rank| rank.collected.bounds).max().unwrap_or_default();
    if bound > Span::ZERO {
        said.push(format!("clocks agreed within ± {bound} at the begin and at the end"));
    }
    said
}

/// Warns of a threshold that the loop itself exceeds: differences between steps then count as detours.
fn below_a_step(collection: &Collection, ranks: &[Recorded]) -> Option<String> {
    let threshold = collection.threshold.filter(|_| collection.method == Method::Selfish)?;
    let step = ranks.iter().map(|rank| rank.collected.watched.usual).max().filter(|step| threshold < *step)?;
    Some(format!(
        "the threshold of {threshold} is below the {step} that a step of the loop takes: steps that differ count as \
         detours, too; --threshold of several steps tells detours from them"
    ))
}

/// Warns of CPUs on which the same quantum takes differently long.
fn differing(collection: &Collection, ranks: &[Recorded]) -> Option<String> {
    if collection.method != Method::Fwq {
        return None;
    }
    let usual = |rank: &&Recorded| rank.collected.watched.usual;
    let (fast, slow) = (ranks.iter().min_by_key(usual)?, ranks.iter().max_by_key(usual)?);
    let (quick, long) = (usual(&fast), usual(&slow));
    let percent = (long.as_us() / quick.as_us().max(1e-9) - 1.0) * 100.0;
    (percent > ALIKE * 100.0).then(|| {
        let place = |rank: &Recorded| format!("CPU {} of {}", rank.cpu, rank.host);
        let (fast, slow) = (place(fast), place(slow));
        format!("a quantum usually took {quick} on {fast} and {long} on {slow}, {percent:.1} % more: the CPUs' frequencies differ or step")
    })
}
