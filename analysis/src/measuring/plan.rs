//! The plan of a campaign of measurements: every case, in the order in which it is measured.

use super::check::check_ranks;
use super::several;
use crate::clocks::IMPERFECT_WTIME;
use crate::run::calibrated::Missing;
use campaign::launch::Site;
use campaign::planned::CommandPlan;
use campaign::progress::Expected;
use models::call::Call;
use models::clock::{ClockKind, DrawnClocks};
use models::collective::{Algorithm, Collective};
use models::stable::draws;
use models::time::Span;
use programs::method::{Buffer, Method, OneDelay, Rotation, WindowRules};
use programs::observation::{
    Carrier, Case, CasePlace, CaseSubject, CaseTiming, Conditions, Emulation, Implementation, Occasion, World,
};
use programs::sync::Sync;
use rand::seq::SliceRandom;
use scenario::BadInput;
use serde::{Deserialize, Serialize};
use statistics::AutoLaunches;
use std::collections::{BTreeMap, HashSet};

/// Largest number of cases, as more are a typing error.
const MOST_CASES: usize = 100_000;

/// A call to be measured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Operation {
    /// Collective that is called.
    pub collective: Collective,
    /// Form of the call: lengths of blocks, progress, communicator, elements, and reduction.
    pub call: Call,
}

/// Number of algorithms that are measured of each operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Breadth {
    /// The named algorithms, else the library's own choice, or on threads the first algorithm of Parallax.
    #[default]
    One,
    /// The named algorithms where an operation has them, else several that can be simulated.
    Several,
    /// The library's own choice, and every algorithm that it can be made to use; the named ones only, where any are.
    Forced,
}

/// Values of variables of an environment, by their names.
pub type Variables = BTreeMap<String, String>;
/// Variables that tune a library at its start, by the name of the tuning.
pub type Tunings = BTreeMap<String, Variables>;

/// Complete request of a campaign of measurements, kept in the campaign so that it can be resumed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeasurementPlan {
    /// Operations that are measured.
    pub operations: Vec<Operation>,
    /// Worlds in which they are measured.
    pub worlds: Vec<World>,
    /// Numbers of ranks that call.
    pub ranks: Vec<u32>,
    /// Lengths of the calls, in bytes.
    pub bytes: Vec<u64>,
    /// Implementations that are measured; empty for the library's choice, or on threads the first algorithm of
    /// Parallax.
    pub algorithms: Vec<Implementation>,
    /// Variables that tune a library at its start, with their values, by the name of the tuning.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tunings: Tunings,
    /// Lengths of the segments that forced algorithms are given, where they cut messages, in bytes; 0 for whole messages.
    /// Empty for whole messages only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub segments: Vec<u64>,
    /// Number of algorithms that are measured where none is named.
    #[serde(default)]
    pub breadth: Breadth,
    /// Carrier of the messages; `None` for the one that each world has by itself.
    #[serde(default)]
    pub carrier: Option<Carrier>,
    /// Emulated network, for worlds that have one.
    pub emulation: Emulation,
    /// Methods that time the calls.
    pub methods: Vec<Method>,
    /// Root of the calls, where the operation has one.
    pub root: u32,
    /// Number of calls per loop, k.
    pub calls: u32,
    /// Independent repeats of each loop.
    pub samples: u32,
    /// Calls before anything is timed, after the cold first one; `None` for as many as the network needs.
    pub warmup: Option<u32>,
    /// Number of launches of the ranks, an upper limit where `auto` is given.
    pub launches: u32,
    /// Precision of the ratios that ends the launches; `None` where their number is fixed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auto: Option<AutoLaunches>,
    /// Clock that ranks read.
    pub clock: ClockKind,
    /// Errors that are added to the clock; `None` for the clock as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clocks: Option<DrawnClocks>,
    /// Method by which clocks are synchronised.
    pub sync: Sync,
    /// State of the buffers in the calls.
    pub buffer: Buffer,
    /// State of the buffers in the calls of the reference, the windows that all other methods are compared with.
    /// `None`: the window method's own calls are the reference, if it is among the methods.
    #[serde(default)]
    pub reference: Option<Buffer>,
    /// Rules of windows, of the reference's too, that replace the usual ones.
    #[serde(default, skip_serializing_if = "WindowRules::are_usual")]
    pub rules: WindowRules,
    /// A single delay of one rank before the timed calls of every method (E10), which announced starts absorb.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay: Option<OneDelay>,
    /// Lengths of windows that do not adapt, for the window method besides the adapting one (E8).
    pub windows: Vec<Span>,
    /// Whether every operation's result is compared byte by byte before it is measured.
    pub check: bool,
    /// Seed of the order of cases.
    pub seed: u64,
}

/// Ranks that are started together, with their cases.
#[derive(Clone, Debug, PartialEq)]
pub struct Launch {
    /// World in which the ranks run.
    pub world: World,
    /// Carrier of their messages.
    pub carrier: Carrier,
    /// Number of ranks that are started.
    pub ranks: u32,
    /// Number of the launch.
    pub occasion: Occasion,
    /// Cases that they measure, in order.
    pub cases: Vec<Case>,
}

impl Launch {
    /// Returns the occasion with the cases that are measured on it.
    pub fn planned(&self) -> (Occasion, &[Case]) {
        (self.occasion, &self.cases)
    }
}

impl MeasurementPlan {
    /// Returns all launches: every world and number of ranks once per round, so that drifts of a machine affect all of
    /// them alike.
    ///
    /// # Errors
    /// Names the flag whose request is impossible, and the reason.
    pub fn launches(&self, cores: u32) -> Result<Vec<Launch>, String> {
        let mut launches = Vec::new();
        let mut count = 0;
        for occasion in (0..self.launches).map(|launch| Occasion { launch }) {
            for &world in &self.worlds {
                for &ranks in &self.ranks {
                    check_ranks(world, ranks, cores)?;
                    if world == World::Threads && self.clock == ClockKind::MpiWtime {
                        return Err("--clock: threads have no MPI_Wtime; expected another clock or world".to_owned());
                    }
                    if self.clocks.is_some() && self.clock == ClockKind::MpiWtime {
                        return Err(IMPERFECT_WTIME.to_owned());
                    }
                    let cases = self.cases(world, ranks, occasion)?;
                    count += cases.len();
                    if count > MOST_CASES {
                        return Err(format!(
                            "expected at most {MOST_CASES} cases; ask for fewer operations, bytes, methods or launches"
                        ));
                    }
                    launches.push(Launch { world, carrier: self.carrier_of(world), ranks, occasion, cases });
                }
            }
        }
        Ok(launches)
    }

    /// Returns the cases of one launch: subjects in a drawn order, the methods of each in a drawn order next to each
    /// other.
    fn cases(&self, world: World, ranks: u32, Occasion { launch }: Occasion) -> Result<Vec<Case>, String> {
        let mut subjects = self.subjects(world, ranks)?;
        let mut draw = draws(self.seed, &format!("order/{}/{ranks}/{launch}", world.name()));
        subjects.shuffle(&mut draw);
        let mut cases = Vec::new();
        for subject in subjects {
            let first = cases.len();
            cases.extend(self.around(&subject));
            cases[first..].shuffle(&mut draw);
        }
        Ok(cases)
    }

    /// Returns the cases of one subject: every method, windows of fixed length, the reference.
    pub(crate) fn around(&self, subject: &Case) -> Vec<Case> {
        let &MeasurementPlan { sync, buffer, delay, rules, .. } = self;
        let conditions = Conditions { sync, buffer, delay, rules, ..Conditions::default() };
        let fits = |method: &&Method| !self.buffer.is_prepared() || method.times_single_calls(Rotation::Loop);
        let adapting = self.methods.iter().filter(fits).map(|&method| subject.by(method).under(conditions));
        let reference = self
            .reference_of(subject)
            .map(|buffer| subject.by(Method::Window).under(Conditions { buffer, reference: true, ..conditions }));
        let fixed = self
            .windows
            .iter()
            .map(|&window| subject.by(Method::Window).under(Conditions { window: Some(window), ..conditions }));
        adapting.chain(fixed).chain(reference).collect()
    }

    /// Returns the state of the reference's buffers, where windows of their own are measured for it: not where the
    /// window method measures the same anyway, and not on an emulated network, where messages take so long that it does
    /// not matter.
    fn reference_of(&self, subject: &Case) -> Option<Buffer> {
        let same = |buffer: &Buffer| *buffer == self.buffer && self.methods.contains(&Method::Window);
        let matters = subject.place.carrier == Carrier::Native && subject.subject.collective != Collective::Barrier;
        self.reference.filter(|buffer| matters && !same(buffer))
    }

    /// Returns the carrier of the messages of a world; threads have an emulated network only.
    pub(crate) fn carrier_of(&self, world: World) -> Carrier {
        self.carrier.unwrap_or(match world {
            World::Threads => Carrier::Emulated(self.emulation),
            World::Simulated => Carrier::Modelled,
            World::Mpi(_) => Carrier::Native,
        })
    }

    /// Returns the variables that must be there when the library starts, for the tuning of this name.
    pub(crate) fn environment_of(&self, by: &Implementation) -> Variables {
        match by {
            Implementation::Tuned(name) => self.tunings.get(name).cloned().unwrap_or_default(),
            Implementation::Own(_)
            | Implementation::Library
            | Implementation::Forced(_)
            | Implementation::Shared(_) => Variables::new(),
        }
    }

    /// Returns one case for each operation, algorithm and number of bytes, without repetitions.
    pub fn subjects(&self, world: World, ranks: u32) -> Result<Vec<Case>, String> {
        let (mut subjects, mut known): (Vec<Case>, HashSet<Case>) = Default::default();
        for operation in &self.operations {
            let collective = operation.collective;
            let lengths = if collective == Collective::Barrier { &[0][..] } else { &self.bytes };
            for implementation in self.implementations(world, operation)? {
                for (bytes, segment_bytes) in self.lengths(lengths, (world, operation), &implementation) {
                    let case = Case {
                        place: CasePlace { world, carrier: self.carrier_of(world), ranks },
                        subject: CaseSubject {
                            collective,
                            implementation: implementation.clone(),
                            root: if collective.is_rooted() { self.root } else { 0 },
                            bytes,
                            segment_bytes,
                            fanout: None,
                            counts: None,
                            call: operation.call,
                        },
                        timing: CaseTiming {
                            method: Method::Window,
                            calls: self.calls,
                            conditions: Conditions::default(),
                        },
                    };
                    let fits = match self.breadth {
                        Breadth::One => true,
                        Breadth::Several => several::fits(&case),
                        Breadth::Forced => several::is_willing(&case),
                    };
                    if !fits {
                        continue;
                    }
                    self.check(&case)?;
                    if known.insert(case.clone()) {
                        subjects.push(case);
                    }
                }
            }
        }
        Ok(subjects)
    }

    /// Returns every length with the lengths of segments that an implementation is given at it; `None` for whole messages.
    fn lengths(
        &self,
        lengths: &[u64],
        (world, operation): (World, &Operation),
        by: &Implementation,
    ) -> Vec<(u64, Option<u64>)> {
        let cuts = match by {
            Implementation::Forced(name) => models::forced::cuts(world, operation.collective, &operation.call, name),
            Implementation::Own(_) | Implementation::Library | Implementation::Tuned(_) | Implementation::Shared(_) => {
                false
            }
        };
        let segments = if cuts && !self.segments.is_empty() { &self.segments[..] } else { &[0] };
        let each = lengths.iter().flat_map(|&bytes| segments.iter().map(move |&segment| (bytes, segment)));
        let each = each.filter(|(bytes, segment)| segment < bytes || *segment == 0);
        each.map(|(bytes, segment)| (bytes, Some(segment).filter(|segment| *segment > 0))).collect()
    }

    /// Returns the implementations by which an operation is measured in a world.
    fn implementations(&self, world: World, operation: &Operation) -> Result<Vec<Implementation>, String> {
        let collective = operation.collective;
        if self.breadth == Breadth::Forced {
            return several::forced(world, operation, &self.algorithms);
        }
        if self.breadth == Breadth::Several {
            return several::implementations(world, self.carrier_of(world), operation, &self.algorithms);
        }
        if self.algorithms.is_empty() {
            let first = Algorithm::for_collective(collective).next().filter(|_| world == World::Threads);
            return Ok(vec![first.map_or(Implementation::Library, |first| Implementation::Own(first.name.to_owned()))]);
        }
        if world == World::Threads && self.algorithms.iter().any(Implementation::is_library) {
            let known: Vec<_> = Algorithm::for_collective(collective).map(|algorithm| algorithm.name).collect();
            let known = known.join(", ");
            return Err(format!("--algorithm: threads have no message library; for {collective} expected {known}"));
        }
        Ok(self.algorithms.clone())
    }
}

impl CommandPlan for MeasurementPlan {
    const NAME: &'static str = "measure";
    const ABOUT: &'static str = "operations";

    fn question(&self) -> String {
        let names: Vec<String> =
            self.operations.iter().map(|operation| operation.call.name_of(operation.collective)).collect();
        let ranks: Vec<String> = self.ranks.iter().map(u32::to_string).collect();
        format!("What does each method report for {} on {} ranks?", names.join(", "), ranks.join(", "))
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    fn worlds(&self) -> &[World] {
        &self.worlds
    }

    fn ranks(&self) -> Vec<u32> {
        self.ranks.clone()
    }

    fn expected(&self, site: &Site) -> anyhow::Result<Expected> {
        let launches = self.launches(site.cores).map_err(BadInput)?;
        Ok(super::expected(Self::NAME, (self, &launches), site, |_| Missing::default())?)
    }
}
