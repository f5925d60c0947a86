//! Axes on which cases vary besides ranks, algorithms and methods: barriers, clocks, simulated machines, buffers,
//! windows.

use super::{ScenarioError, Source};
use crate::SimulatedMachine;
use models::clock::ClockKind;
use models::quantity::WithUnit;
use models::time::Span;
use programs::method::{Buffer, Factors, Method, OneDelay};
use programs::observation::{Barrier, Conditions, Label, World};
use std::ops::Range;
use toml::Spanned;

/// Settings of the file that all tables of cases share.
pub(super) struct Axes<'a> {
    pub methods: &'a [Method],
    pub calls: &'a [u32],
    pub launches: u32,
    pub machines: &'a [SimulatedMachine],
    pub can_emulate: bool,
    pub factors: &'a Factors,
    /// Barriers of the methods.
    pub barriers: &'a [Barrier],
    pub barriers_at: Range<usize>,
}

/// Names as a table of cases lists them, with their places.
pub(super) type Names = Spanned<Vec<Spanned<String>>>;

/// Longest loop that is traced for a picture, in calls.
const LONGEST_TRACE: u32 = 12;

impl Axes<'_> {
    /// Returns the length of the loop whose timeline is drawn: the longest that a picture has room for, or else the
    /// first.
    pub(super) fn traced(&self) -> Option<u32> {
        let fits = self.calls.iter().copied().filter(|&calls| calls <= LONGEST_TRACE);
        fits.max().or(self.calls.first().copied())
    }

    /// Returns the barriers of a method's cases: `None` alone where the file has one barrier, or the method calls none.
    pub(super) fn barriers_of(&self, method: Method) -> Vec<Option<Barrier>> {
        match self.barriers {
            several @ [_, _, ..] if method.calls_barrier(self.factors) => several.iter().copied().map(Some).collect(),
            _ => vec![None],
        }
    }
}

impl Source<'_> {
    /// Returns the conditions of a table's groups: one for each clock or simulated machine.
    pub(super) fn conditions(
        &self,
        world: World,
        axes: &Axes<'_>,
        clocks: Option<&Names>,
        machines: Option<&Names>,
    ) -> Result<Vec<Conditions>, ScenarioError> {
        if world == World::Simulated {
            if let Some(clocks) = clocks {
                let message = "simulated ranks read their machine's clocks: expected a table [simulated.NAME.clocks]";
                return Err(self.error(clocks.span(), message));
            }
            let machines = self.named_machines(axes.machines, machines)?;
            Ok(machines.iter().map(|machine| Conditions { machine: machine.label, ..Conditions::default() }).collect())
        } else {
            // For real ranks a machine only supplies errors of the clocks, which make theirs imperfect.
            let machines = machines.map_or(Ok(Vec::new()), |names| self.named_machines(axes.machines, Some(names)))?;
            let labels: Vec<Option<Label>> = machines.iter().map(|machine| machine.label).collect();
            let labels = if labels.is_empty() { vec![None] } else { labels };
            let kinds = clocks.map_or(Ok(vec![ClockKind::Automatic]), |names| self.clock_kinds(world, names))?;
            if let Some(names) = clocks.filter(|_| !machines.is_empty() && kinds.contains(&ClockKind::MpiWtime)) {
                let message = "mpi_wtime is each rank's own already: expected a clock that all ranks of a host read, beside machines";
                return Err(self.error(names.span(), message));
            }
            let conditions = |(clock, machine)| Conditions { clock, machine, ..Conditions::default() };
            let each = kinds.into_iter().flat_map(|clock| labels.iter().map(move |&label| (clock, label)));
            Ok(each.map(conditions).collect())
        }
    }

    fn named_machines<'m>(
        &self,
        all: &'m [SimulatedMachine],
        names: Option<&Names>,
    ) -> Result<Vec<&'m SimulatedMachine>, ScenarioError> {
        let Some(names) = names else { return Ok(all.iter().collect()) };
        let known = || all.iter().filter_map(|machine| machine.label).map(|label| label.to_string());
        let one = |name: &Spanned<String>| {
            all.iter().find(|machine| machine.label.is_some_and(|label| label.as_str() == name.get_ref())).ok_or_else(
                || {
                    let known: Vec<String> = known().collect();
                    let known = if known.is_empty() {
                        "there is no table [simulated.NAME]".to_owned()
                    } else {
                        format!("known: {}", known.join(", "))
                    };
                    self.error(name.span(), format!("unknown machine '{}'; {known}", name.get_ref()))
                },
            )
        };
        self.some(names, "[\"quiet\", \"noisy\"]")?.iter().map(one).collect()
    }

    fn clock_kinds(&self, world: World, names: &Names) -> Result<Vec<ClockKind>, ScenarioError> {
        let one = |name: &Spanned<String>| {
            let kind = ClockKind::find(name.get_ref()).map_err(|message| self.error(name.span(), message))?;
            if kind == ClockKind::MpiWtime && world == World::Threads {
                return Err(self.error(name.span(), "threads have no MPI_Wtime; expected another clock or world"));
            }
            Ok(kind)
        };
        self.some(names, "[\"tsc\", \"gettimeofday\"]")?.iter().map(one).collect()
    }

    /// Returns the buffers that calls are given, each in cases of its own.
    pub(super) fn buffers(&self, names: Option<&Names>, usual: Buffer) -> Result<Vec<Buffer>, ScenarioError> {
        let Some(names) = names else { return Ok(vec![Buffer::default()]) };
        if usual != Buffer::default() {
            let message = "[factors] already sets the buffer: expected either buffers here or buffer there";
            return Err(self.error(names.span(), message));
        }
        let one = |name: &Spanned<String>| self.one_of(name, Buffer::ALL, Buffer::name, "buffer");
        self.some(names, "[\"same\", \"pool\"]")?.iter().map(one).collect()
    }

    /// Returns the delays of one rank before the timed calls, each in cases of its own. Every rank that is named must
    /// exist.
    pub(super) fn delays(
        &self,
        names: Option<&Names>,
        ranks: &[Spanned<u32>],
        usual: Option<OneDelay>,
    ) -> Result<Vec<Option<OneDelay>>, ScenarioError> {
        let Some(names) = names else { return Ok(vec![None]) };
        if usual.is_some() {
            let message = "[factors] already sets the delay: expected either delays here or delay there";
            return Err(self.error(names.span(), message));
        }
        let one = |name: &Spanned<String>| {
            let delay = OneDelay::parse(name.get_ref());
            let delay = delay.and_then(|delay| {
                ranks.iter().try_for_each(|ranks| delay.accepts(*ranks.get_ref()))?;
                Ok(delay)
            });
            delay.map(Some).map_err(|message| self.error(name.span(), message))
        };
        self.some(names, "[\"0us\", \"auto\"]")?.iter().map(one).collect()
    }

    /// Returns the lengths of windows that do not adapt.
    pub(super) fn windows(&self, windows: Option<&Spanned<Vec<WithUnit<Span>>>>) -> Result<Vec<Span>, ScenarioError> {
        let Some(written) = windows else { return Ok(Vec::new()) };
        let lengths: Vec<Span> = written.get_ref().iter().map(|length| length.0).collect();
        if lengths.is_empty() || lengths.contains(&Span::ZERO) {
            let message = "expected windows longer than 0, like [\"10 us\", \"2 ms\"]";
            return Err(self.error(written.span(), message));
        }
        Ok(lengths)
    }

    fn some<'n>(&self, names: &'n Names, like: &str) -> Result<&'n [Spanned<String>], ScenarioError> {
        match names.get_ref().as_slice() {
            [] => Err(self.error(names.span(), format!("expected at least one name, like {like}"))),
            all => Ok(all),
        }
    }
}
