//! Table `[[case]]`: an operation with its lengths, spread over numbers of ranks, algorithms and methods.

use super::axes::{Axes, Names};
use super::called::Named;
use super::lengths::{Length, Lengths, Roots};
use super::one_or_many::OneOrMany;
use super::{ScenarioError, Source};
use crate::Group;
use models::call::Call;
use models::collective::{Collective, Shape};
use models::limits::{MOST_PROCESSES, MOST_SIMULATED, MOST_THREADS};
use models::quantity::{Bytes, WithUnit};
use models::time::Span;
use programs::method::{Buffer, Method};
use programs::observation::{Carrier, Case, CasePlace, CaseSubject, CaseTiming, Conditions, Implementation, World};
use serde::Deserialize;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CaseTable {
    world: Spanned<String>,
    transport: Option<Spanned<String>>,
    ranks: Spanned<Vec<Spanned<u32>>>,
    pub operation: Option<Spanned<String>>,
    algorithms: Option<Names>,
    pub bytes: Option<Spanned<OneOrMany<Lengths>>>,
    pub counts: Option<Spanned<Vec<WithUnit<Bytes>>>>,
    pub segment_bytes: Option<Spanned<WithUnit<Bytes>>>,
    pub fanout: Option<Spanned<u32>>,
    pub root: Option<Spanned<OneOrMany<Roots>>>,
    machines: Option<Names>,
    clocks: Option<Names>,
    buffers: Option<Names>,
    delays: Option<Names>,
    windows: Option<Spanned<Vec<WithUnit<Span>>>>,
    #[serde(default)]
    waits: bool,
}

/// Largest number of cases of one table. Larger numbers are taken for typing errors.
const MOST_CASES: usize = 20_000;
/// Largest fanout. A flat tree is the algorithm `linear`.
const LARGEST_FANOUT: u32 = 1 << 16;

/// Properties that all cases of a table share.
struct Subject<'a> {
    place: (World, Carrier),
    collective: Collective,
    /// Meanings of the algorithms' names, each with its name.
    called: Vec<(&'a Spanned<String>, Named)>,
    lengths: Vec<Length>,
    /// Segments and fanout. Ranks, root and length are still to be filled in.
    shape: Shape,
}

impl Subject<'_> {
    /// Returns the number of cases for one number of ranks, before they are multiplied by methods and conditions.
    fn cases(&self, table: &CaseTable) -> usize {
        let roots = table.root.as_ref().map_or(1, |roots| roots.get_ref().0.len());
        self.called.len().saturating_mul(self.lengths.len()).saturating_mul(roots)
    }
}

impl Source<'_> {
    /// Expands one table into cases of a first launch, sorted into groups that are launched together.
    pub(super) fn expand(
        &self,
        table: &CaseTable,
        axes: &Axes<'_>,
        groups: &mut Vec<Group>,
    ) -> Result<(), ScenarioError> {
        let place = self.place(table, axes.can_emulate)?;
        let subject = match &table.operation {
            None if table.waits => None,
            _ => Some(self.subject(table, place)?),
        };
        if table.ranks.get_ref().is_empty() {
            return Err(self.error(table.ranks.span(), "expected at least one number of ranks, like [4, 8]"));
        }
        if place.0 == World::Simulated && axes.machines.is_empty() {
            let message = "simulated ranks need a machine: expected a table [simulated] with model and parameters";
            return Err(self.error(table.world.span(), message));
        }
        let buffers = self.buffers(table.buffers.as_ref(), axes.factors.buffer)?;
        let delays = self.delays(table.delays.as_ref(), table.ranks.get_ref(), axes.factors.delay)?;
        let windows = self.windows(table.windows.as_ref())?;
        let all = self.conditions(place.0, axes, table.clocks.as_ref(), table.machines.as_ref())?;
        self.are_few(
            table,
            axes,
            [subject.as_ref().map_or(1, |subject| subject.cases(table)), all.len(), buffers.len() * delays.len()],
        )?;
        for conditions in all {
            for number in table.ranks.get_ref() {
                let ranks = self.ranks(place.0, number, axes, conditions)?;
                self.have_barriers(place, ranks, axes)?;
                let group = group_of(groups, place, ranks, conditions);
                group.waits |= table.waits;
                let Some(subject) = &subject else { continue };
                for called in self.called(table, subject, ranks)? {
                    let traced = traced_buffer(&called.0, axes.factors.buffer, &buffers);
                    for (&buffer, &delay) in
                        buffers.iter().flat_map(|buffer| delays.iter().map(move |delay| (buffer, delay)))
                    {
                        let conditions = Conditions { buffer, delay, ..conditions };
                        let case = case(subject, &called, conditions);
                        let is_traced = traced == Some(buffer) && delays.first() == Some(&delay);
                        let cases = varied(&case, axes, &windows, is_traced);
                        // Cases that are named twice are run once.
                        let new: Vec<Case> = cases.into_iter().filter(|case| !group.cases.contains(case)).collect();
                        group.cases.extend(new);
                    }
                }
            }
        }
        Ok(())
    }

    /// Checks that the product of a table's lists is a plausible number of cases.
    fn are_few(&self, table: &CaseTable, axes: &Axes<'_>, further: [usize; 3]) -> Result<(), ScenarioError> {
        let windows = table.windows.as_ref().map_or(0, |windows| windows.get_ref().len());
        let methods = axes.methods.len() * axes.barriers.len() + windows + 1;
        let listed = [axes.launches as usize, table.ranks.get_ref().len(), axes.calls.len(), methods];
        if listed.iter().chain(&further).fold(1usize, |cases, factor| cases.saturating_mul(*factor)) > MOST_CASES {
            let message =
                format!("expected at most {MOST_CASES} cases of one [[case]]: the product of all that it lists");
            return Err(self.error(table.ranks.span(), message));
        }
        Ok(())
    }

    fn place(&self, table: &CaseTable, can_emulate: bool) -> Result<(World, Carrier), ScenarioError> {
        let world = self.one_of(&table.world, World::all(), World::name, "world")?;
        if world == World::Simulated {
            if let Some(transport) = &table.transport {
                let message = "simulated ranks have the network of their machine, in [simulated]; leave this out";
                return Err(self.error(transport.span(), message));
            }
            return Ok((world, Carrier::Modelled));
        }
        let Some(transport) = &table.transport else {
            return Err(
                self.error(table.world.span(), "expected transport = \"emulated\" or \"native\" beside the world")
            );
        };
        let carrier = self.one_of(transport, [Carrier::EMULATED, Carrier::Native], Carrier::name, "transport")?;
        if (world, carrier) == (World::Threads, Carrier::Native) {
            return Err(self.error(transport.span(), "threads have no native network; expected \"emulated\""));
        }
        if carrier.is_emulated() && !can_emulate {
            let message = "an emulated network needs a table [emulated] with alpha, beta, send_rule";
            return Err(self.error(transport.span(), message));
        }
        Ok((world, carrier))
    }

    fn subject<'a>(&self, table: &'a CaseTable, place: (World, Carrier)) -> Result<Subject<'a>, ScenarioError> {
        let (Some(collective), Some(names)) = (&table.operation, &table.algorithms) else {
            let missing = if table.operation.is_none() { "operation = \"bcast\"" } else { "algorithms = [\"linear\"]" };
            return Err(self.error(table.world.span(), format!("expected {missing} in this [[case]]")));
        };
        let collective = self.one_of(collective, Collective::ALL, Collective::name, "operation")?;
        let lengths = self.lengths(table, collective)?;
        let segment_bytes = self.segment(table, &lengths)?;
        let fanout = table.fanout.as_ref().map_or(Ok(0), |fanout| self.within(fanout, 2, LARGEST_FANOUT))?;
        let called = self.named(table, names, collective, place)?;
        Ok(Subject {
            place,
            collective,
            called,
            lengths,
            shape: Shape { segment_bytes, fanout, ..Shape::new(1, 0, 0) },
        })
    }

    /// Returns every algorithm with every shape on one number of ranks, and fails where one does not accept the shape.
    fn called(
        &self,
        table: &CaseTable,
        subject: &Subject<'_>,
        ranks: u32,
    ) -> Result<Vec<(Implementation, Shape)>, ScenarioError> {
        let (world, collective) = (subject.place.0, subject.collective);
        let shapes = self.shapes(table, (collective, &subject.lengths), &subject.shape, ranks)?;
        let each = shapes.iter().flat_map(|shape| subject.called.iter().map(move |(name, named)| (shape, name, named)));
        each.map(|(shape, name, named)| self.implementation(name, named, collective, world, shape)).collect()
    }

    fn ranks(
        &self,
        world: World,
        number: &Spanned<u32>,
        axes: &Axes<'_>,
        conditions: Conditions,
    ) -> Result<u32, ScenarioError> {
        let most = match world {
            World::Threads => MOST_THREADS,
            World::Mpi(_) => MOST_PROCESSES,
            World::Simulated => MOST_SIMULATED,
        };
        let ranks = self.within(number, 2, most)?;
        let machine = axes.machines.iter().find(|machine| machine.label == conditions.machine);
        if let Some(machine) = machine.filter(|_| world == World::Simulated) {
            machine.platform.check(ranks).map_err(|message| self.error(number.span(), message))?;
        }
        Ok(ranks)
    }
}

/// Returns the group of these ranks, which is created if it does not exist.
fn group_of(
    groups: &mut Vec<Group>,
    (world, carrier): (World, Carrier),
    ranks: u32,
    conditions: Conditions,
) -> &mut Group {
    let same = |group: &Group| {
        (group.world, group.carrier, group.ranks, group.conditions) == (world, carrier, ranks, conditions)
    };
    let place = groups.iter().position(same).unwrap_or_else(|| {
        groups.push(Group { conditions, ..Group::new(world, carrier, ranks, Vec::new()) });
        groups.len() - 1
    });
    &mut groups[place]
}

fn case(subject: &Subject<'_>, (implementation, shape): &(Implementation, Shape), conditions: Conditions) -> Case {
    let (world, carrier) = subject.place;
    Case {
        place: CasePlace { world, carrier, ranks: shape.ranks },
        subject: CaseSubject {
            collective: subject.collective,
            implementation: implementation.clone(),
            root: shape.root,
            bytes: shape.bytes,
            segment_bytes: (shape.segment_bytes > 0).then_some(shape.segment_bytes),
            fanout: (shape.fanout > 0).then_some(shape.fanout),
            counts: shape.counts,
            call: Call::default(),
        },
        timing: CaseTiming { method: Method::Window, calls: 1, conditions },
    }
}

/// Returns the buffers with which a loop is traced for a picture: the first that need no work between calls. `None` for
/// queues, which have no steps of messages to draw.
fn traced_buffer(called: &Implementation, usual: Buffer, buffers: &[Buffer]) -> Option<Buffer> {
    let is_drawn = called.queued().is_none() && !usual.is_prepared();
    buffers.iter().copied().find(|buffer| is_drawn && !buffer.is_prepared())
}

/// Returns a case in all variants: every method behind each of its barriers with every number of calls, windows of
/// fixed lengths, and the traced loop for a picture.
fn varied(case: &Case, axes: &Axes<'_>, windows: &[Span], is_traced: bool) -> Vec<Case> {
    let mut all = Vec::new();
    for &calls in axes.calls {
        let with = |method: Method, window: Option<Span>| {
            let of = case.by(method).with(|case| case.timing.calls = calls);
            let behind = move |barrier| of.under(Conditions { barrier, window, ..of.timing.conditions });
            axes.barriers_of(method).into_iter().map(behind)
        };
        all.extend(axes.methods.iter().flat_map(|&method| with(method, None)));
        all.extend(windows.iter().flat_map(|&window| with(Method::Window, Some(window))));
        if is_traced && axes.traced() == Some(calls) {
            all.extend(with(Method::LoopTrace, None).take(1));
        }
    }
    all
}
