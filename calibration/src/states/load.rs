//! Other use of the machine while ranks measured, in one sentence.

use programs::machine::WORK_ALIKE;
use programs::observation::{Placement, RankSurroundings, Surrounded, Usage};
use statistics::median;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;

/// Share of its time that a rank may wait for its core without counting as disturbed.
const WAITED_SHARE: f64 = 0.03;
/// Share of its time waiting for its core above which a rank's times say little.
const MUCH: f64 = 0.1;
/// Number of cores used by other programs above which they are mentioned.
const OTHERS_CORES: f64 = 0.1;
/// Number of cores taken by a hypervisor above which it is mentioned.
const STOLEN_CORES: f64 = 0.02;
/// Share of cases with moved ranks above which caches were cold too often.
const MOVED_SHARE: f64 = 0.1;
/// Use of the machine counted over some cases.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Load {
    /// Share of time that the rank that waited longest was ready to run without a core.
    pub waited_share: f64,
    /// Mean number of cores that other programs used on the host of rank 0.
    pub others_cores: Option<f64>,
    /// Mean number of cores whose time a hypervisor took on the host of rank 0.
    pub stolen_cores: Option<f64>,
    /// Share of cases in which a rank was moved to another core, as far as it was noticed.
    pub moved_share: f64,
    /// Rank and length whose calls have the most page faults, if they have more than by chance.
    pub page_faults: Option<PageFaults>,
    /// Rank whose queue has the most pages on another NUMA node, with the placement of the queue; `None` if all pages
    /// are in place.
    pub elsewhere: Option<(u32, Placement)>,
    /// Times of the core of the fastest and of the slowest rank for the same work, in ns: medians over looks.
    pub work_by_rank_ns: Option<[f64; 2]>,
    /// Times of the fastest and of the slowest launch for the same work, in ns: medians over looks of all ranks.
    pub work_by_launch_ns: Option<[f64; 2]>,
}

/// Pages that the system gave a rank in every call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PageFaults {
    /// Number of page faults in one call.
    pub per_call: f64,
    /// Rank that has the page faults.
    pub rank: u32,
    /// Bytes of the call.
    pub bytes: u64,
}

impl PageFaults {
    /// Returns the page faults of each rank in one case, where they are more than chance.
    fn by_rank(bytes: u64, ranks: &[RankSurroundings<'_>]) -> impl Iterator<Item = PageFaults> {
        let counted =
            ranks.iter().map(move |one| PageFaults { per_call: one.page_faults_per_call(), rank: one.rank, bytes });
        counted.filter(|found| found.per_call > 0.0)
    }
}

/// Returns by rank the number of pages that the system gave it in each call: medians over observations of one case.
/// Empty where no rank was given any but by chance.
pub fn page_faults(observations: &[&impl Surrounded]) -> Vec<u32> {
    let mut by_rank: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for one in observations.iter().flat_map(|observation| observation.surroundings()) {
        by_rank.entry(one.rank as usize).or_default().push(one.page_faults_per_call());
    }
    let mut all = vec![0; by_rank.keys().last().map_or(0, |last| last + 1)];
    by_rank.into_iter().for_each(|(rank, per_call)| all[rank] = median(&per_call).unwrap_or(0.0).round() as u32);
    if all.iter().any(|&faults| faults > 0) { all } else { Vec::new() }
}

impl fmt::Display for PageFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PageFaults { per_call, rank, bytes } = self;
        write!(
            f,
            "Rank {rank} has {per_call:.0} page faults in a call of {bytes} B: the library gives memory back to the system that \
             the next call needs again (glibc.malloc.trim_threshold in GLIBC_TUNABLES says when)"
        )
    }
}

/// Times of ranks for the same work when they looked at the machine, in ns: by rank, and by launch.
#[derive(Default)]
struct Works {
    by_rank: BTreeMap<u32, Vec<f64>>,
    by_launch: BTreeMap<u32, Vec<f64>>,
}

impl Works {
    fn add(&mut self, launch: u32, one: &RankSurroundings<'_>) {
        for looked in one.looks.iter() {
            let ns = looked.look.work.as_ns();
            self.by_rank.entry(one.rank).or_default().push(ns);
            self.by_launch.entry(launch).or_default().push(ns);
        }
    }

    /// Returns the least and the largest of the medians.
    fn ends(of: &BTreeMap<u32, Vec<f64>>) -> Option<[f64; 2]> {
        let medians: Vec<f64> = of.values().filter_map(|works| median(works)).collect();
        let least = medians.iter().copied().reduce(f64::min)?;
        Some([least, medians.iter().copied().fold(least, f64::max)])
    }
}

/// Adds up the load of these cases; `None` where nothing was counted.
pub fn load<'a, O: Surrounded + 'a>(observations: impl Iterator<Item = &'a O>) -> Option<Load> {
    let (mut elapsed_s, mut waited) = (0.0, Vec::<f64>::new());
    let (mut cases, mut moved) = (0.0, 0.0);
    let (mut own_s, mut busy_s, mut stolen_s, mut asked_s) = (0.0, 0.0, 0.0, 0.0);
    let (mut works, mut page_faults, mut placements) = (Works::default(), Vec::new(), Vec::new());
    for observation in observations {
        let surroundings = observation.surroundings();
        let placed = surroundings.iter().filter_map(|one| Some((one.rank, one.placement?)));
        placements.extend(placed.filter(|(_, placement)| placement.elsewhere > 0));
        page_faults.extend(PageFaults::by_rank(observation.case().subject.bytes, &surroundings));
        surroundings.iter().for_each(|one| works.add(observation.occasion().launch, one));
        let ranks: Vec<&Usage> = surroundings.iter().filter_map(|one| one.usage.as_ref()).collect();
        let Some(first) = ranks.first() else { continue };
        elapsed_s += first.elapsed.as_seconds();
        cases += 1.0;
        moved += f64::from(ranks.iter().any(|usage| usage.moved > 0));
        waited.resize(waited.len().max(ranks.len()), 0.0);
        waited.iter_mut().zip(&ranks).for_each(|(sum, usage)| *sum += usage.waited_for_core.as_seconds());
        // On a single host, all ranks' own time is part of its cores' busy time.
        let asked = ranks.iter().filter(|usage| usage.host_busy.is_some()).count();
        if let (1, Some(busy), Some(stolen)) = (asked, first.host_busy, first.host_stolen) {
            asked_s += first.elapsed.as_seconds();
            own_s += ranks.iter().map(|usage| usage.on_core.as_seconds()).sum::<f64>();
            busy_s += busy.as_seconds();
            stolen_s += stolen.as_seconds();
        }
    }
    let per_second = |seconds: f64| (asked_s >= Usage::SHORTEST_SECONDS).then(|| (seconds / asked_s).max(0.0));
    let elsewhere = placements.into_iter().max_by_key(|(rank, placement)| (placement.elsewhere, Reverse(*rank)));
    (elapsed_s > 0.0 || elsewhere.is_some()).then(|| Load {
        waited_share: if elapsed_s > 0.0 { waited.iter().copied().fold(0.0, f64::max) / elapsed_s } else { 0.0 },
        elsewhere,
        others_cores: per_second(busy_s - own_s),
        stolen_cores: per_second(stolen_s),
        moved_share: if cases > 0.0 { moved / cases } else { 0.0 },
        page_faults: page_faults.into_iter().max_by(|one, other| one.per_call.total_cmp(&other.per_call)),
        work_by_rank_ns: Works::ends(&works.by_rank),
        work_by_launch_ns: Works::ends(&works.by_launch),
    })
}

impl Load {
    /// Whether ranks had to wait for cores.
    pub fn disturbed(&self) -> bool {
        self.waited_share > WAITED_SHARE
    }

    /// Whether ranks had to wait for cores, or a queue in shared memory does not lie where its rank ran.
    pub fn makes_times_doubtful(&self) -> bool {
        self.disturbed() || self.elsewhere.is_some()
    }

    /// Whether one rank's core was much slower than another's: then a benchmark's number over its reference reflects
    /// unequal cores, too, since other ranks wait for the slow one in other places.
    pub fn has_unequal_cores(&self) -> bool {
        unequal(self.work_by_rank_ns).is_some()
    }

    /// Returns a sentence on the load that matters; `None` where none does.
    pub fn sentence(&self) -> Option<String> {
        let mut facts = Vec::new();
        if let Some(cores) = self.others_cores.filter(|cores| *cores > OTHERS_CORES) {
            facts.push(format!("other programs used {cores:.1} cores while ranks measured"));
        }
        if let Some(cores) = self.stolen_cores.filter(|cores| *cores > STOLEN_CORES) {
            facts.push(format!("the hypervisor took {cores:.2} cores' time"));
        }
        if self.disturbed() {
            facts.push(format!("a rank waited {:.0} % of the time for its core", self.waited_share * 100.0));
        }
        if self.moved_share > MOVED_SHARE {
            facts.push(format!("ranks were moved to other cores in {:.0} % of the cases", self.moved_share * 100.0));
        }
        if let Some([least, most]) = unequal(self.work_by_rank_ns) {
            let times = most / least;
            facts.push(format!(
                "one rank's core was {times:.1} times as slow as another's (the same work took {most:.0} and {least:.0} ns)"
            ));
        }
        if let Some([least, most]) = unequal(self.work_by_launch_ns) {
            let times = most / least;
            facts.push(format!(
                "cores were {times:.1} times as slow in one launch as in another (the same work took {most:.0} and {least:.0} ns)"
            ));
        }
        let faults = self.page_faults.map(|faults| faults.to_string());
        let elsewhere = self.elsewhere.map(|(rank, Placement { node, pages, elsewhere })| {
            format!(
                "Of rank {rank}'s queue {elsewhere} of {pages} pages are not on NUMA node {node}, on which the rank ran: each copy crosses \
                 nodes (pin ranks, or look at numactl's policy and at numa_balancing)"
            )
        });
        let also: Vec<String> = faults.into_iter().chain(elsewhere).collect();
        let also = (!also.is_empty()).then(|| also.join(". "));
        let mut sentence = facts.join(", ");
        let Some(first) = sentence.get(..1).map(str::to_uppercase) else { return also };
        sentence.replace_range(..1, &first);
        let consequence = if self.waited_share > MUCH {
            "times are too long and vary"
        } else {
            "some times may be longer than on a quiet machine"
        };
        let also = also.map_or(String::new(), |also| format!(". {also}"));
        Some(format!("{sentence}: {consequence}{also}"))
    }
}

/// Returns the fastest and the slowest time, where they are not about alike.
fn unequal(ends: Option<[f64; 2]>) -> Option<[f64; 2]> {
    ends.filter(|[least, most]| *most >= WORK_ALIKE * least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{case, measurement};
    use models::time::Span;
    use programs::method::Method;
    use programs::observation::{Carrier, Looked, MachineLook, Observation};

    fn observed(waited_ms: u64, host_busy_ms: u64) -> Observation {
        let mut observation = measurement(case(Carrier::Native, 4, "linear", Method::Window));
        for (rank, record) in observation.ranks.iter_mut().enumerate() {
            record.usage = Some(Usage {
                elapsed: Span::from_ms(1_000),
                on_core: Span::from_ms(900),
                waited_for_core: Span::from_ms(if rank == 1 { waited_ms } else { 0 }),
                host_busy: (rank == 0).then(|| Span::from_ms(host_busy_ms)),
                host_stolen: (rank == 0).then_some(Span::ZERO),
                ..Usage::default()
            });
        }
        observation
    }

    #[test]
    fn a_quiet_machine_is_not_worth_a_word() {
        let quiet = observed(1, 3_610);
        assert_eq!(load([&quiet].into_iter()).expect("counted").sentence(), None);
        let uncounted = measurement(case(Carrier::Native, 4, "linear", Method::Window));
        assert_eq!(load([&uncounted].into_iter()), None);
    }

    #[test]
    fn cores_of_unequal_speed_are_told() {
        let looked = |launch: u32, ns: [u64; 2]| {
            let mut observation = observed(0, 3_600);
            observation.occasion.launch = launch;
            for record in &mut observation.ranks {
                let look = MachineLook { line: None, work: Span::from_ns(ns[usize::from(record.rank == 0)]) };
                record.looks = vec![Looked { before_stamp: 0, look }; 3];
            }
            observation
        };
        let of = |all: &[Observation]| load(all.iter()).expect("counted").sentence();
        assert_eq!(of(&[looked(0, [360, 400]), looked(1, [370, 420])]), None);
        let by_rank = of(&[looked(0, [360, 450]), looked(1, [360, 450])]).expect("a slow core");
        let by_launch = of(&[looked(0, [360, 360]), looked(1, [480, 480])]).expect("a slow launch");
        insta::assert_snapshot!([by_rank, by_launch].join("\n"));
    }

    #[test]
    fn page_faults_in_every_call_are_told() {
        let mut observation = observed(0, 3_600);
        observation.ranks[1].page_faults = Some(3);
        assert_eq!(load([&observation].into_iter()).expect("counted").sentence(), None, "one a call may be chance");
        observation.ranks[1].page_faults = Some(289);
        let told = |observation: &Observation| load([observation].into_iter()).expect("counted").sentence();
        let faults = told(&observation).expect("many");
        assert!(faults.contains("96"), "{faults}");
        let usage = observation.ranks[2].usage.as_mut().expect("counted");
        usage.waited_for_core = Span::from_ms(200);
        let both = told(&observation).expect("both");
        assert!(both.ends_with(&format!(". {faults}")), "{both}");
        insta::assert_snapshot!(both);
    }

    #[test]
    fn pages_on_another_node_are_told_even_where_nothing_else_was_counted() {
        let mut observation = observed(0, 3_600);
        observation.ranks.iter_mut().for_each(|record| record.usage = None);
        observation.ranks[0].placement = Some(Placement { node: 0, pages: 12, elsewhere: 0 });
        assert_eq!(load([&observation].into_iter()), None);
        observation.ranks[3].placement = Some(Placement { node: 1, pages: 12, elsewhere: 4 });
        insta::assert_snapshot!(
            load([&observation].into_iter()).expect("four pages").sentence().expect("worth a word")
        );
    }

    #[test]
    fn ranks_that_are_often_moved_are_told() {
        let mut all: Vec<Observation> = (0..20).map(|_| observed(0, 3_600)).collect();
        let moved = |all: &mut [Observation], cases: usize| {
            for observation in &mut all[..cases] {
                observation.ranks[2].usage.as_mut().expect("counted").moved = 3;
            }
            load(all.iter()).expect("counted").sentence()
        };
        assert_eq!(moved(&mut all, 2), None);
        insta::assert_snapshot!(moved(&mut all, 3).expect("three of twenty"));
    }

    #[test]
    fn a_busy_core_is_told_with_what_it_does() {
        let all = [observed(300, 4_600), observed(500, 4_600)];
        let found = load(all.iter()).expect("counted");
        insta::assert_snapshot!(found.sentence().expect("busy cores"));
    }
}
