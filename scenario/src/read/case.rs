//! One `[[case]]` table: who calls what with how many bytes, spread over numbers of ranks, algorithms and methods.

use super::axes::{Axes, Names};
use super::{ScenarioError, Source};
use crate::Group;
use models::call::Call;
use models::collective::{Algorithm, Collective, Counts, Shape};
use models::limits::{LONGEST_BUFFER, MOST_BYTES, MOST_PROCESSES, MOST_SIMULATED, MOST_THREADS};
use models::method::Method;
use models::observation::{Carrier, Case, Conditions, Implementation, World};
use models::quantity::{Bytes, Written};
use models::time::Span;
use serde::Deserialize;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CaseTable {
    world: Spanned<String>,
    transport: Option<Spanned<String>>,
    ranks: Spanned<Vec<Spanned<u32>>>,
    operation: Option<Spanned<String>>,
    algorithms: Option<Names>,
    bytes: Option<Spanned<Written<Bytes>>>,
    counts: Option<Spanned<Vec<Written<Bytes>>>>,
    segment_bytes: Option<Spanned<Written<Bytes>>>,
    fanout: Option<Spanned<u32>>,
    root: Option<Spanned<u32>>,
    machines: Option<Names>,
    clocks: Option<Names>,
    buffers: Option<Names>,
    windows: Option<Spanned<Vec<Written<Span>>>>,
    #[serde(default)]
    waits: bool,
}

/// The most segments of a message: every rank's steps are written down before they are timed.
const MOST_SEGMENTS: u64 = 1 << 16;
/// More cases of one table than this are a typing error.
const MOST_CASES: usize = 20_000;
/// The largest fanout; a flat tree is the algorithm `linear`.
const LARGEST_FANOUT: u32 = 1 << 16;

/// What all cases of a table have in common; ranks and root are still to be filled in.
struct Subject {
    place: (World, Carrier),
    collective: Collective,
    implementations: Vec<Implementation>,
    shape: Shape,
}

impl Source<'_> {
    /// One table into cases of a first launch, sorted into groups that are launched together.
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
        let buffers = self.buffers(table.buffers.as_ref(), axes.buffer)?;
        let windows = self.windows(table.windows.as_ref())?;
        let all = self.conditions(place.0, axes, table.clocks.as_ref(), table.machines.as_ref())?;
        let algorithms = subject.as_ref().map_or(1, |subject| subject.implementations.len());
        let methods = axes.methods.len() + windows.len() + 1;
        let places = axes.launches as usize * all.len();
        let factors = [places, table.ranks.get_ref().len(), algorithms, buffers.len(), axes.repetitions.len(), methods];
        if factors.iter().fold(1usize, |cases, factor| cases.saturating_mul(*factor)) > MOST_CASES {
            let message =
                format!("expected at most {MOST_CASES} cases of one [[case]]: the product of all that it lists");
            return Err(self.error(table.ranks.span(), message));
        }
        for conditions in all {
            for number in table.ranks.get_ref() {
                let ranks = self.ranks(place.0, number, axes, conditions)?;
                let group = group_of(groups, place, ranks, conditions);
                group.waits |= table.waits;
                let Some(subject) = &subject else { continue };
                let shape = self.shape(table, subject, ranks)?;
                for implementation in &subject.implementations {
                    for &buffer in &buffers {
                        let conditions = Conditions { buffer, ..conditions };
                        let case = case(table, subject, &shape, implementation, conditions);
                        let cases = varied(&case, axes, &windows, buffer == buffers[0]);
                        // What is named twice is run once.
                        let new: Vec<Case> = cases.into_iter().filter(|case| !group.cases.contains(case)).collect();
                        group.cases.extend(new);
                    }
                }
            }
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

    fn subject(&self, table: &CaseTable, place: (World, Carrier)) -> Result<Subject, ScenarioError> {
        let (Some(collective), Some(names)) = (&table.operation, &table.algorithms) else {
            let missing = if table.operation.is_none() { "operation = \"bcast\"" } else { "algorithms = [\"linear\"]" };
            return Err(self.error(table.world.span(), format!("expected {missing} in this [[case]]")));
        };
        let collective = self.one_of(collective, Collective::ALL, Collective::name, "operation")?;
        let (bytes, counts) = self.lengths(table, collective)?;
        let segment_bytes = self.segment(table, bytes)?;
        let fanout = table.fanout.as_ref().map_or(Ok(0), |fanout| self.within(fanout, 2, LARGEST_FANOUT))?;
        let shape = Shape { segment_bytes, fanout, counts, ..Shape::new(1, 0, bytes) };
        let implementations = self.implementations(table, names, collective, place)?;
        Ok(Subject { place, collective, implementations, shape })
    }

    /// The length of a block or buffer, and of every block where they are uneven.
    fn lengths(&self, table: &CaseTable, collective: Collective) -> Result<(u64, Option<Counts>), ScenarioError> {
        let too_long = "expected at most 1 GiB: every rank keeps buffers of that length";
        match (&table.bytes, &table.counts) {
            (Some(bytes), None) if bytes.get_ref().0.0 > MOST_BYTES => Err(self.error(bytes.span(), too_long)),
            (Some(bytes), None) => Ok((bytes.get_ref().0.0, None)),
            (None, None) if collective == Collective::Barrier => Ok((0, None)),
            (None, None) => {
                let place = table.operation.as_ref().map_or(0..0, Spanned::span);
                Err(self.error(place, "expected bytes = \"1 KiB\" (or counts) beside the operation"))
            }
            (_, Some(written)) if !collective.has_blocks() => {
                let message = format!("{collective} moves no block per rank, so it takes no counts; expected bytes");
                Err(self.error(written.span(), message))
            }
            (Some(_), Some(written)) => Err(self.error(written.span(), "expected either bytes or counts, found both")),
            (None, Some(written)) => {
                let lengths: Vec<u64> = written.get_ref().iter().map(|bytes| bytes.0.0).collect();
                if lengths.iter().any(|&bytes| bytes > MOST_BYTES) {
                    return Err(self.error(written.span(), too_long));
                }
                let counts = Counts::new(&lengths).map_err(|message| self.error(written.span(), message))?;
                let mean = lengths.iter().sum::<u64>().div_ceil(lengths.len() as u64);
                Ok((mean, Some(counts)))
            }
        }
    }

    fn segment(&self, table: &CaseTable, bytes: u64) -> Result<u64, ScenarioError> {
        let Some(written) = &table.segment_bytes else { return Ok(0) };
        let segment = written.get_ref().0.0;
        if segment == 0 || bytes.div_ceil(segment) > MOST_SEGMENTS {
            let least = bytes.div_ceil(MOST_SEGMENTS).max(1);
            let message =
                format!("expected segments of at least {least} B ({MOST_SEGMENTS} per message), found {segment} B");
            return Err(self.error(written.span(), message));
        }
        Ok(segment)
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

    /// The shape on one number of ranks, which every algorithm of the table must accept.
    fn shape(&self, table: &CaseTable, subject: &Subject, ranks: u32) -> Result<Shape, ScenarioError> {
        let root = match &table.root {
            Some(root) if !subject.collective.is_rooted() => {
                return Err(self.error(root.span(), format!("{} has no root: leave it out", subject.collective)));
            }
            Some(root) => self.within(root, 0, ranks - 1)?,
            None => 0,
        };
        let shape = Shape { ranks, root, ..subject.shape };
        if let (Some(written), Some(counts)) = (&table.counts, shape.counts)
            && counts.len() != ranks
        {
            let message = format!("expected one count for each of {ranks} ranks, found {}", counts.len());
            return Err(self.error(written.span(), message));
        }
        let names = table.algorithms.iter().flat_map(|names| names.get_ref());
        for (name, implementation) in names.zip(&subject.implementations) {
            let (world, collective) = (subject.place.0, subject.collective);
            match implementation {
                Implementation::Own(own) => {
                    Algorithm::find(collective, own).and_then(|algorithm| algorithm.accepts(&shape))
                }
                Implementation::Forced(forced) => {
                    models::forced::setting(world, collective, &Call::default(), &shape, forced).map(drop)
                }
                Implementation::Library => Ok(()),
            }
            .map_err(|message| self.error(name.span(), message))?;
        }
        let buffer = subject.collective.buffer_bytes(&shape);
        if buffer > LONGEST_BUFFER {
            let collective = subject.collective;
            let message =
                format!("{collective} on {ranks} ranks needs {buffer} B on every rank; expected less than 2 GiB");
            let span = table.bytes.as_ref().map(Spanned::span).or(table.counts.as_ref().map(Spanned::span));
            return Err(self.error(span.unwrap_or(0..0), message));
        }
        Ok(shape)
    }

    fn implementations(
        &self,
        table: &CaseTable,
        names: &Names,
        collective: Collective,
        (world, carrier): (World, Carrier),
    ) -> Result<Vec<Implementation>, ScenarioError> {
        let mut all = Vec::new();
        for name in names.get_ref() {
            let forced = name.get_ref().strip_prefix("library:");
            if forced.is_none() && name.get_ref() != "library" {
                Algorithm::find(collective, name.get_ref()).map_err(|message| self.error(name.span(), message))?;
                all.push(Implementation::Own(name.get_ref().clone()));
                continue;
            }
            let wrong = match carrier {
                Carrier::Emulated(_) => {
                    Some("the library's own calls cannot run on an emulated network; expected \"native\"")
                }
                Carrier::Modelled => Some("simulated ranks have no library; expected an algorithm's name"),
                Carrier::Native if table.segment_bytes.is_some() || table.fanout.is_some() => {
                    Some("the library's own calls choose segments and fanouts themselves; give them a [[case]] without")
                }
                Carrier::Native => None,
            };
            if let Some(wrong) = wrong {
                return Err(self.error(name.span(), wrong));
            }
            all.push(match forced {
                Some("?") => {
                    let known = models::forced::names(world, collective, &Call::default()).join(", library:");
                    return Err(self.error(name.span(), format!("known: library, library:{known}")));
                }
                Some(forced) => Implementation::Forced(forced.to_owned()),
                None => Implementation::Library,
            });
        }
        if all.is_empty() {
            return Err(self.error(names.span(), "expected at least one algorithm, like [\"linear\"]"));
        }
        Ok(all)
    }
}

/// The group of these ranks, made if there is none.
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

fn case(
    table: &CaseTable,
    subject: &Subject,
    shape: &Shape,
    implementation: &Implementation,
    conditions: Conditions,
) -> Case {
    let (world, carrier) = subject.place;
    Case {
        world,
        carrier,
        ranks: shape.ranks,
        collective: subject.collective,
        implementation: implementation.clone(),
        root: shape.root,
        bytes: shape.bytes,
        segment_bytes: table.segment_bytes.as_ref().map(|_| shape.segment_bytes),
        fanout: table.fanout.as_ref().map(|_| shape.fanout),
        counts: shape.counts,
        call: Call::default(),
        method: Method::Window,
        repetitions: 1,
        conditions,
    }
}

/// A case by every method with every number of repetitions, by windows of fixed lengths, and traced for a picture.
fn varied(case: &Case, axes: &Axes<'_>, windows: &[Span], first_buffer: bool) -> Vec<Case> {
    let mut all = Vec::new();
    for &repetitions in axes.repetitions {
        let case = Case { repetitions, ..case.clone() };
        all.extend(axes.methods.iter().map(|&method| case.by(method)));
        all.extend(windows.iter().map(|&window| Case {
            conditions: Conditions { window: Some(window), ..case.conditions },
            ..case.by(Method::Window)
        }));
        if first_buffer && axes.traced() == Some(repetitions) {
            all.push(case.by(Method::LoopTrace));
        }
    }
    all
}
