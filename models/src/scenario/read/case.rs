//! One `[[case]]` table: who calls what with how many bytes, spread over numbers of ranks, algorithms and methods.

use super::{ScenarioError, Source};
use crate::call::Call;
use crate::collective::{Algorithm, Collective, Counts, Shape};
use crate::limits::{LONGEST_BUFFER, MOST_BYTES, MOST_PROCESSES, MOST_THREADS};
use crate::method::Method;
use crate::observation::{Carrier, Case, Conditions, Implementation, World};
use crate::quantity::{Bytes, Written};
use crate::scenario::Group;
use serde::Deserialize;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CaseTable {
    world: Spanned<String>,
    network: Spanned<String>,
    ranks: Spanned<Vec<Spanned<u32>>>,
    collective: Spanned<String>,
    algorithms: Spanned<Vec<Spanned<String>>>,
    bytes: Option<Spanned<Written<Bytes>>>,
    counts: Option<Spanned<Vec<Written<Bytes>>>>,
    segment: Option<Spanned<Written<Bytes>>>,
    fanout: Option<Spanned<u32>>,
    root: Option<Spanned<u32>>,
}

/// The most segments of a message: every rank's steps are written down before they are timed.
const MOST_SEGMENTS: u64 = 1 << 16;
/// The largest fanout; a flat tree is the algorithm `linear`.
const LARGEST_FANOUT: u32 = 1 << 16;

/// What all cases of a table have in common; ranks and root are still to be filled in.
struct Subject {
    world: World,
    carrier: Carrier,
    collective: Collective,
    implementations: Vec<Implementation>,
    shape: Shape,
}

impl Source<'_> {
    /// One table into cases, sorted into groups that are launched together.
    pub(super) fn expand(
        &self,
        table: &CaseTable,
        methods: &[Method],
        repetitions: u32,
        can_emulate: bool,
        groups: &mut Vec<Group>,
    ) -> Result<(), ScenarioError> {
        let subject = self.subject(table, can_emulate)?;
        let Subject { world, carrier, collective, .. } = subject;
        if table.ranks.get_ref().is_empty() {
            return Err(self.error(table.ranks.span(), "expected at least one number of ranks, like [4, 8]"));
        }
        for number in table.ranks.get_ref() {
            let shape = self.shape(table, &subject, number)?;
            let ranks = shape.ranks;
            let group = match groups.iter().position(|g| (g.world, g.carrier, g.ranks) == (world, carrier, ranks)) {
                Some(known) => &mut groups[known],
                None => {
                    groups.push(Group { world, carrier, ranks, cases: Vec::new() });
                    groups.last_mut().expect("just pushed")
                }
            };
            for implementation in &subject.implementations {
                let cases = methods.iter().copied().chain([Method::LoopTrace]).map(|method| Case {
                    world,
                    carrier,
                    ranks,
                    collective,
                    implementation: implementation.clone(),
                    root: shape.root,
                    bytes: shape.bytes,
                    segment_bytes: table.segment.as_ref().map(|_| shape.segment_bytes),
                    fanout: table.fanout.as_ref().map(|_| shape.fanout),
                    counts: shape.counts,
                    call: Call::default(),
                    method,
                    repetitions,
                    conditions: Conditions::default(),
                });
                for case in cases {
                    // What is named twice is run once.
                    if !group.cases.contains(&case) {
                        group.cases.push(case);
                    }
                }
            }
        }
        Ok(())
    }

    fn subject(&self, table: &CaseTable, can_emulate: bool) -> Result<Subject, ScenarioError> {
        let world = self.one_of(&table.world, [World::Threads, World::Openmpi, World::Mpich], World::name, "world")?;
        let carrier = self.one_of(&table.network, [Carrier::Emulated, Carrier::Native], Carrier::name, "network")?;
        let collective = self.one_of(&table.collective, Collective::ALL, Collective::name, "collective")?;
        if (world, carrier) == (World::Threads, Carrier::Native) {
            return Err(self.error(table.network.span(), "threads have no native network; expected \"emulated\""));
        }
        if carrier == Carrier::Emulated && !can_emulate {
            return Err(self.error(
                table.network.span(),
                "an emulated network needs a table [emulated] with alpha, beta, send_rule",
            ));
        }
        let (bytes, counts) = self.lengths(table, collective)?;
        let segment_bytes = self.segment(table, bytes)?;
        let fanout = table.fanout.as_ref().map_or(Ok(0), |fanout| self.within(fanout, 2, LARGEST_FANOUT))?;
        let shape = Shape { segment_bytes, fanout, counts, ..Shape::new(1, 0, bytes) };
        let implementations = self.implementations(table, collective, carrier)?;
        Ok(Subject { world, carrier, collective, implementations, shape })
    }

    /// The length of a block or buffer, and of every block where they are uneven.
    fn lengths(&self, table: &CaseTable, collective: Collective) -> Result<(u64, Option<Counts>), ScenarioError> {
        let too_long = "expected at most 1 GiB: every rank keeps buffers of that length";
        match (&table.bytes, &table.counts) {
            (Some(bytes), None) if bytes.get_ref().0.0 > MOST_BYTES => Err(self.error(bytes.span(), too_long)),
            (Some(bytes), None) => Ok((bytes.get_ref().0.0, None)),
            (None, None) if collective == Collective::Barrier => Ok((0, None)),
            (None, None) => {
                Err(self.error(table.collective.span(), "expected bytes = \"1 KiB\" (or counts) beside the collective"))
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
        let Some(written) = &table.segment else { return Ok(0) };
        let segment = written.get_ref().0.0;
        if segment == 0 || bytes.div_ceil(segment) > MOST_SEGMENTS {
            let least = bytes.div_ceil(MOST_SEGMENTS).max(1);
            let message =
                format!("expected segments of at least {least} B ({MOST_SEGMENTS} per message), found {segment} B");
            return Err(self.error(written.span(), message));
        }
        Ok(segment)
    }

    /// The shape on one number of ranks, which every algorithm of the table must accept.
    fn shape(&self, table: &CaseTable, subject: &Subject, number: &Spanned<u32>) -> Result<Shape, ScenarioError> {
        let most = if subject.world == World::Threads { MOST_THREADS } else { MOST_PROCESSES };
        let ranks = self.within(number, 2, most)?;
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
        for (name, implementation) in table.algorithms.get_ref().iter().zip(&subject.implementations) {
            if let Implementation::Own(own) = implementation {
                Algorithm::find(subject.collective, own)
                    .and_then(|algorithm| algorithm.accepts(&shape))
                    .map_err(|message| self.error(name.span(), message))?;
            }
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
        collective: Collective,
        carrier: Carrier,
    ) -> Result<Vec<Implementation>, ScenarioError> {
        let mut all = Vec::new();
        for name in table.algorithms.get_ref() {
            if name.get_ref() == "library" {
                if carrier == Carrier::Emulated {
                    return Err(self.error(
                        name.span(),
                        "the library's own calls cannot run on an emulated network; expected \"native\"",
                    ));
                }
                if table.segment.is_some() || table.fanout.is_some() {
                    return Err(self.error(
                        name.span(),
                        "the library's own calls choose segments and fanouts themselves; give them a [[case]] without",
                    ));
                }
                all.push(Implementation::Library);
                continue;
            }
            Algorithm::find(collective, name.get_ref()).map_err(|message| self.error(name.span(), message))?;
            all.push(Implementation::Own(name.get_ref().clone()));
        }
        if all.is_empty() {
            return Err(self.error(table.algorithms.span(), "expected at least one algorithm, like [\"linear\"]"));
        }
        Ok(all)
    }
}
