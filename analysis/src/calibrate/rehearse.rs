//! Rehearsals: in fresh launches ranks calibrate their messages, and time collectives as benchmarks do and as the
//! reference does. Predictions by the machine file are corrected by the errors that they made here. The launches also
//! meet all states of a machine whose cores are near and far by turns.

use crate::measuring::plan::Operation;
use crate::rehearsal::{self, Numbers};
use calibration::states::seen;
use campaign::Start;
use measure::job::{Outcome, Task};
use models::call::Call as Form;
use models::collective::Collective;
use programs::machine::{CoreState, Rehearsed};
use programs::method::{Buffer, Preset};
use scenario::BadInput;
use std::collections::{BTreeMap, BTreeSet};
use study::correct::Pair;

/// Operations that are rehearsed: benchmarks print them, and simulated ranks can carry them out.
const OPERATIONS: [Collective; 8] = [
    Collective::Bcast,
    Collective::Reduce,
    Collective::Allreduce,
    Collective::Gather,
    Collective::Scatter,
    Collective::Allgather,
    Collective::Alltoall,
    Collective::Barrier,
];
/// Benchmarks whose methods are rehearsed.
const BENCHMARKS: [Preset; 2] = [Preset::Osu, Preset::Imb];
/// State of the buffers in the reference.
const REFERENCE: Buffer = Buffer::Touched;
/// Factor by which lengths grow from the shortest to the longest, in bytes: errors of predictions change where
/// protocols do.
const FACTOR: u64 = 4;
const SHORTEST: u64 = 8;
const LONGEST: u64 = 128 << 10;
/// Number of times that everything is timed in each launch.
const ROUNDS: u32 = 2;
/// Reciprocal of the precision to which ratios are kept: 0.01 %.
const DIGITS: f64 = 1e4;

/// Calls that are rehearsed, and the number of launches that do so.
pub(super) struct Rehearsals {
    calls: Vec<rehearsal::Call>,
    ranks: u32,
    launches: u32,
}

impl Rehearsals {
    /// Rehearsals in this number of launches, of calls up to `longest` bytes.
    pub(super) fn new(start: &Start, longest: u64, launches: u32) -> Result<Rehearsals, BadInput> {
        let plain = |collective| Operation { collective, call: Form::default() };
        let most = longest.min(LONGEST);
        let bytes: Vec<u64> = std::iter::successors(Some(SHORTEST), |bytes| bytes.checked_mul(FACTOR))
            .take_while(|&bytes| bytes <= most)
            .collect();
        let plan = rehearsal::plan(start.world, start.ranks, OPERATIONS.map(plain).into(), bytes);
        let calls = rehearsal::calls(&plan, &start.site, &BENCHMARKS.map(|preset| (preset, None)), true, REFERENCE)?;
        Ok(Rehearsals { calls, ranks: start.ranks, launches })
    }

    /// Number of launches with rehearsals.
    pub(super) fn launches(&self) -> u32 {
        self.launches
    }

    /// Returns the tasks of the ranks of a launch, each launch in an order of its own.
    pub(super) fn tasks(&self, launch: u32) -> Vec<Task> {
        rehearsal::tasks(&self.calls, &self.turns(launch))
    }

    fn turns(&self, launch: u32) -> Vec<rehearsal::Turn> {
        rehearsal::turns(&self.calls, ROUNDS, u64::from(launch))
    }

    /// Returns the ratios of the first launches, from runs in a single state of the machine.
    pub(super) fn seen(
        &self,
        launches: &[Vec<Outcome>],
        is_state: impl Fn(Option<CoreState>) -> bool,
    ) -> Vec<Rehearsed> {
        let mut numbers = Numbers::default();
        for (launch, outcomes) in (0..self.launches).zip(launches) {
            let observations = outcomes.iter().filter_map(|outcome| match outcome {
                Outcome::Measured(observation) => Some(observation),
                _ => None,
            });
            for (turn, observation) in self.turns(launch).into_iter().zip(observations) {
                if seen(observation).is_ok_and(&is_state) {
                    numbers.note(turn, &self.calls[turn.call], &observation.ranks, launch * ROUNDS + turn.round);
                }
            }
        }
        self.ratios_by_column(&numbers)
    }

    /// Returns the ratios column by column, in the order in which the columns first appear.
    fn ratios_by_column(&self, numbers: &Numbers) -> Vec<Rehearsed> {
        let mut columns: Vec<(Collective, Preset, &'static str)> = Vec::new();
        let mut lengths: BTreeMap<(usize, u64), Vec<(u32, f64)>> = BTreeMap::new();
        for (index, call) in self.calls.iter().enumerate() {
            for (place, printed) in call.printed.iter().enumerate() {
                let pairs = numbers.pairs(index, place);
                if pairs.is_empty() {
                    continue;
                }
                let column = (call.case.subject.collective, printed.preset, printed.head);
                let at = columns.iter().position(|one| *one == column).unwrap_or(columns.len());
                if at == columns.len() {
                    columns.push(column);
                }
                let kept = |ratio: f64| (ratio * DIGITS).round() / DIGITS;
                let ratio = |(round, pair): (u32, Pair)| (round, kept(pair.printed_us / pair.reference_us));
                lengths.insert((at, call.case.subject.bytes), pairs.into_iter().map(ratio).collect());
            }
        }
        let told = columns.into_iter().enumerate().map(|(at, (collective, benchmark, head))| {
            let of: Vec<(u64, &Vec<(u32, f64)>)> =
                lengths.range((at, 0)..=(at, u64::MAX)).map(|((_, bytes), ratios)| (*bytes, ratios)).collect();
            let launches: BTreeSet<u32> =
                of.iter().flat_map(|(_, ratios)| ratios.iter().map(|(round, _)| round / ROUNDS)).collect();
            let ratios = of.iter().map(|(_, ratios)| ratios.iter().map(|(_, ratio)| *ratio).collect());
            Rehearsed {
                collective,
                ranks: self.ranks,
                benchmark,
                column: head.to_owned(),
                reference: REFERENCE,
                launches: launches.len() as u32,
                bytes: of.iter().map(|(bytes, _)| *bytes).collect(),
                printed_per_reference: ratios.collect(),
            }
        });
        told.collect()
    }
}
