//! The plan of a tuning: the launches that measure every algorithm, and those that prove the tables.

use crate::measuring::plan::{Breadth, Launch, MeasurementPlan, Tunings};
use crate::run::calibrated::Missing;
use campaign::launch::Site;
use campaign::planned::CommandPlan;
use campaign::progress::Expected;
use formats::tuning::{Split, Target};
use models::call::Progress;
use models::collective::Collective;
use models::library::Library;
use programs::method::{Buffer, Method, Preset};
use programs::observation::{Implementation, World};
use scenario::BadInput;
use scenario::axis::Key;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use study::contrast::Demand;
use study::tuning::{called, least_launches_of};

/// Launches that are made beyond the fewest that can show anything: a call may lose one to a change of the machine's state.
const SPARE: u32 = 2;
/// Name of the tuning by the reference.
pub const TUNED: &str = "tuned";
/// Name of the tuning by printed numbers.
pub const BY_PRINT: &str = "by-print";

/// Complete request of a tuning, kept in its campaign so that it can be resumed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TunePlan {
    /// Calls and algorithms that are measured, in one world.
    pub calls: MeasurementPlan,
    /// Number of hosts of the ranks.
    pub hosts: u32,
    /// Whether all operators of reductions commute.
    #[serde(default)]
    pub commuting: bool,
    /// Benchmark whose numbers make a table beside that of the reference; `None` for no such table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub printed: Option<Preset>,
    /// Number of launches that hold the tuned library against its own choice; `None` for no proof.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<u32>,
    /// Confidence of the choice of each call.
    pub confidence: f64,
    /// The least gain that is worth a change, as a share.
    pub at_least: f64,
}

impl TunePlan {
    /// Returns the plan of these calls, whose launches are set if they are `None` for as many as a choice needs.
    ///
    /// # Errors
    /// Names the flag whose request is impossible.
    pub fn new(
        calls: MeasurementPlan,
        (hosts, commuting): (u32, bool),
        launches: Option<u32>,
        printed: Option<Preset>,
        prove: bool,
        demand: Demand,
    ) -> Result<TunePlan, String> {
        let Demand { confidence, at_least } = demand;
        let target = Target { world: calls.worlds[0], hosts, commuting };
        let has_barrier = calls.operations.iter().any(|operation| operation.collective == Collective::Barrier);
        if has_barrier && (prove || printed.is_some()) {
            return Err(
                "--prove, --by-print: they time barriers by barriers; leave barrier out, or tune it alone".to_owned()
            );
        }
        if calls.worlds[0].library() == Some(Library::INTELMPI) && calls.ranks.len() > 1 {
            return Err("--ranks: Intel MPI's variables have one table for all numbers of ranks; give one".to_owned());
        }
        let algorithms = TunePlan::in_tables(&calls, target)?;
        let timed = TunePlan::timed(calls, printed);
        let calls = MeasurementPlan { breadth: Breadth::Forced, launches: 1, algorithms, ..timed };
        let mut plan = TunePlan { calls, hosts, commuting, printed, proof: None, confidence, at_least };
        let needed = u32::try_from(least_launches_of(plan.most_ways()?, demand)).unwrap_or(u32::MAX);
        plan.calls.launches = launches.unwrap_or(needed.saturating_add(SPARE));
        if plan.calls.launches < needed {
            return Err(format!(
                "--launches: a choice among so many algorithms needs {needed} launches at {} % confidence, found {}; ask for \
                 fewer --algorithm or --segments",
                100.0 * confidence,
                plan.calls.launches
            ));
        }
        plan.proof = prove.then_some(plan.calls.launches);
        Ok(plan)
    }

    /// Returns calls that are timed by the reference, and as a benchmark does where there is one.
    fn timed(calls: MeasurementPlan, printed: Option<Preset>) -> MeasurementPlan {
        match printed {
            Some(preset) => MeasurementPlan {
                methods: vec![preset.method()],
                buffer: preset.buffer(),
                reference: Some(Buffer::Touched),
                ..calls
            },
            None => {
                MeasurementPlan { methods: vec![Method::Window], buffer: Buffer::Touched, reference: None, ..calls }
            }
        }
    }

    /// World of the tuned library.
    pub fn world(&self) -> World {
        self.calls.worlds[0]
    }

    /// The library that reads the tables.
    pub(super) fn target(&self) -> Target {
        Target { world: self.world(), hosts: self.hosts, commuting: self.commuting }
    }

    /// Confidence of a choice, and the least gain that is worth a change.
    pub fn demand(&self) -> Demand {
        Demand { confidence: self.confidence, at_least: self.at_least }
    }

    /// Returns the algorithms that a table of the library can have: of the named ones, or of all.
    ///
    /// # Errors
    /// Names an operation of which it can have none.
    fn in_tables(calls: &MeasurementPlan, target: Target) -> Result<Vec<Implementation>, String> {
        let world = target.world;
        let mut all = Vec::new();
        for operation in &calls.operations {
            let (collective, call) = (operation.collective, &operation.call);
            if call.progress != Progress::Blocking {
                let called = call.name_of(collective);
                return Err(format!("{called}: tables concern blocking calls; expected {collective}"));
            }
            let mut known = models::forced::names(world, collective, call);
            known.retain(|name| target.can_hold(collective, call, name));
            let forced = |name: &&str| Implementation::Forced((*name).to_owned());
            let spelt = |by: &Implementation| models::forced::find(world, collective, call, by.name());
            let named: Vec<&str> = calls.algorithms.iter().filter_map(spelt).collect();
            let wanted = |name: &&&str| calls.algorithms.is_empty() || named.contains(name);
            let found: Vec<Implementation> = known.iter().filter(wanted).map(forced).collect();
            if found.is_empty() {
                let (title, called) = (world.title(), call.name_of(collective));
                let names: Vec<String> = known.iter().map(|name| forced(name).written()).collect();
                return Err(if names.is_empty() {
                    format!("{called}: the tables of {title} cannot choose its algorithm; leave it out")
                } else {
                    format!("--algorithm: {called} of {title} has none of these; expected {}", names.join(", "))
                });
            }
            all.extend(found);
        }
        let is_held = |by: &&Implementation| {
            calls.operations.iter().any(|operation| {
                let (collective, call) = (operation.collective, &operation.call);
                let name = models::forced::find(world, collective, call, by.name());
                name.is_some_and(|name| target.can_hold(collective, call, name))
            })
        };
        if let Some(unknown) = calls.algorithms.iter().find(|by| !is_held(by)) {
            let found = unknown.written();
            return Err(format!(
                "--algorithm: no operation has '{found}' in its table; see `parallax measure --list-algorithms`"
            ));
        }
        all.sort();
        all.dedup();
        Ok(all)
    }

    /// Returns the largest number of ways that one call has beside the library's own choice.
    fn most_ways(&self) -> Result<usize, String> {
        let mut most = 0;
        for &ranks in &self.calls.ranks {
            let mut counts: BTreeMap<_, usize> = BTreeMap::new();
            let cases = self.calls.subjects(self.world(), ranks)?;
            for case in cases.iter().filter(|case| case.subject.implementation != Implementation::Library) {
                *counts.entry((case.subject.collective, case.subject.call, case.subject.bytes)).or_default() += 1;
            }
            most = counts.into_values().fold(most, usize::max);
        }
        if most == 0 {
            return Err(
                "--algorithm, --bytes: there is nothing to choose from; see `parallax measure --list-algorithms`"
                    .to_owned(),
            );
        }
        Ok(most)
    }

    /// Returns the plan that proves these tunings: the calls by the library's own choice and under each tuning.
    pub fn proving(&self, tunings: Tunings) -> MeasurementPlan {
        let tuned = tunings.keys().map(|name| Implementation::Tuned(name.clone()));
        let algorithms = std::iter::once(Implementation::Library).chain(tuned).collect();
        let timed = TunePlan::timed(self.calls.clone(), Some(self.printed.unwrap_or(Preset::Osu)));
        let launches = self.proof.unwrap_or(0);
        MeasurementPlan { algorithms, tunings, launches, breadth: Breadth::One, segments: Vec::new(), ..timed }
    }

    /// Returns the launches of a proof, whose numbers follow those of the tuning.
    ///
    /// # Errors
    /// Names the flag whose request is impossible.
    pub fn proof_launches(&self, proving: &MeasurementPlan, cores: u32) -> Result<Vec<Launch>, String> {
        let mut launches = proving.launches(cores)?;
        launches.iter_mut().for_each(|launch| launch.occasion.launch += self.calls.launches);
        Ok(launches)
    }

    /// Returns the names of the tunings that a proof holds against the library's own choice, if all of them change
    /// something.
    fn expected_tunings(&self) -> Tunings {
        let names = [Some(TUNED), self.printed.map(|_| BY_PRINT)];
        // An environment makes each of them a start of its own.
        let some = || BTreeMap::from([("TUNED".to_owned(), String::new())]);
        names.into_iter().flatten().map(|name| (name.to_owned(), some())).collect()
    }
}

/// Returns where a table of a library can change the algorithm of the operation at a position.
pub(super) fn split(target: Target, at: &Key) -> Split {
    called(at).map_or(Split::Anywhere, |(collective, call)| target.split(collective, &call))
}

impl CommandPlan for TunePlan {
    const NAME: &'static str = "tune";
    const ABOUT: &'static str = "operations";

    fn question(&self) -> String {
        let names = self.calls.operations.iter().map(|operation| operation.call.name_of(operation.collective));
        let names: Vec<String> = names.collect();
        format!("Which algorithms should {} choose for {}?", self.world().title(), names.join(", "))
    }

    fn seed(&self) -> u64 {
        self.calls.seed
    }

    fn worlds(&self) -> &[World] {
        &self.calls.worlds
    }

    fn ranks(&self) -> Vec<u32> {
        self.calls.ranks.clone()
    }

    fn expected(&self, site: &Site) -> anyhow::Result<Expected> {
        let launches = self.calls.launches(site.cores).map_err(BadInput)?;
        let proving = self.proving(self.expected_tunings());
        let proof = match self.proof {
            Some(_) => self.proof_launches(&proving, site.cores).map_err(BadInput)?,
            None => Vec::new(),
        };
        let of = |plan: &MeasurementPlan, launches: &[Launch]| {
            crate::measuring::expected(Self::NAME, (plan, launches), site, |_| Missing::default())
        };
        Ok(of(&self.calls, &launches)?.with(&of(&proving, &proof)?))
    }
}
