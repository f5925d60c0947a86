//! Noise of all ranks, and the passage of a rank's work through it.

use super::Advance;
use super::parse::{self, Reading, Traces};
use super::plan::NoisePlan;
use crate::time::{Span, Time};
use std::fmt;
use std::sync::Arc;

/// Noise of all ranks in one realisation.
///
/// A rank's detours are disjoint, in the order of time, and drawn when they are needed: detour i of rank r in
/// realisation j depends on the seed, the sources and (r, j, i) alone, so that results depend on no order and no number
/// of threads, and a rank keeps nothing but its [`Cursor`]. Cloning is cheap.
///
/// Every rank starts outside the detours of random arrivals. Under periodic detours and traces it may start in the
/// middle of one.
#[derive(Clone, Debug)]
pub struct Noise {
    shared: Option<Arc<Reading>>,
    realisation: u32,
}

/// Position of a rank among its detours: before the one that starts at `start`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// Start of the next detour.
    pub(super) start: Time,
    /// Time that the plan keeps, see `plan`.
    pub(super) other: Time,
    /// Index that the plan keeps, see `plan`.
    pub(super) index: u64,
}

// Large runs keep one for each rank.
const _: () = assert!(size_of::<Cursor>() <= 24);

impl Cursor {
    /// Cursor of a rank without further detours.
    pub(super) const NEVER: Cursor = Cursor { start: Time::END, other: Time::END, index: 0 };

    /// Start of the next detour. Work that ends by then is not delayed.
    pub fn start(&self) -> Time {
        self.start
    }
}

impl Noise {
    /// No noise at all.
    pub fn none() -> Noise {
        Noise { shared: None, realisation: 0 }
    }

    /// Whether no rank is ever disturbed.
    pub fn is_none(&self) -> bool {
        self.shared.is_none()
    }

    /// Reads sources in the notation of [`KNOWN`](super::KNOWN). Several add up: a rank is in a detour whenever it is
    /// in a detour of any source. Traces cannot be read this way.
    ///
    /// # Errors
    /// Names the first wrong source, the mistake in it and the known kinds.
    pub fn parse(specs: &[String], seed: u64) -> Result<Noise, String> {
        Noise::parse_with(specs, seed, &|path| {
            Err(format!("trace '{path}' cannot be opened here: this reader has no access to files"))
        })
    }

    /// Reads sources as [`Noise::parse`] does. `open` yields the named files of a `trace:` source: name and content of
    /// the file, or of all files of the folder, in the order of the ranks.
    ///
    /// # Errors
    /// Fails where [`Noise::parse`] fails, where `open` fails, and where a file has a mistake, whose line it names.
    pub fn parse_with(specs: &[String], seed: u64, open: &Traces<'_>) -> Result<Noise, String> {
        let reading = parse::read(specs, seed, open)?;
        if reading.sources.is_empty() {
            return Ok(Noise::none());
        }
        Ok(Noise { shared: Some(Arc::new(reading)), realisation: 0 })
    }

    /// The noise in realisation `index`, whose draws are independent of all others.
    pub fn realisation(&self, index: u32) -> Noise {
        Noise { shared: self.shared.clone(), realisation: index }
    }

    /// Index of this realisation.
    pub fn index(&self) -> u32 {
        self.realisation
    }

    /// Largest share of the CPU that the noise takes from any rank, as expected over a long time.
    pub fn share(&self) -> f64 {
        self.shared.as_ref().map_or(0.0, |shared| shared.share)
    }

    fn plan(&self, rank: u32) -> &NoisePlan {
        match &self.shared {
            None => &NoisePlan::Quiet,
            Some(shared) => {
                let after = shared.plans.partition_point(|&(first, _)| first <= rank);
                &shared.plans[after - 1].1
            }
        }
    }

    /// Cursor of a rank before its first detour.
    pub fn cursor(&self, rank: u32) -> Cursor {
        self.plan(rank).first(rank, self.realisation)
    }

    /// Writes the starts of a rank's first detours in consecutive realisations: `starts[i]` is the start of
    /// `self.realisation(first_realisation + i).cursor(rank)`, [`Time::END`] where none comes.
    pub fn first_starts(&self, rank: u32, first_realisation: u32, starts: &mut [Time]) {
        self.plan(rank).firsts(rank, first_realisation, starts);
    }

    /// Returns the end of work of length `work` begun at `at`. `at` never lies before the result of the last call for
    /// this cursor. Work of length zero begun strictly inside a detour ends with it. Work beyond the range of time ends
    /// at [`Time::END`].
    #[inline(always)]
    pub fn advance(&self, rank: u32, cursor: &mut Cursor, at: Time, work: Span) -> Time {
        let finish = at + work;
        if finish <= cursor.start { finish } else { self.pass(rank, cursor, at, work, &mut |_, _| {}) }
    }

    /// Returns the end of work as [`Noise::advance`] does. It reports each stretch of time that the rank spends in a
    /// detour with work to do: from the detour's start, or `at` if it began before, to its end.
    pub fn advance_traced(
        &self,
        rank: u32,
        cursor: &mut Cursor,
        at: Time,
        work: Span,
        detour: &mut dyn FnMut(Time, Time),
    ) -> Time {
        if at + work <= cursor.start { at + work } else { self.pass(rank, cursor, at, work, detour) }
    }

    /// Carries work through detours.
    #[cold]
    #[inline(never)]
    fn pass(&self, rank: u32, cursor: &mut Cursor, at: Time, work: Span, detour: &mut dyn FnMut(Time, Time)) -> Time {
        let plan = self.plan(rank);
        let mut finish = at + work;
        while finish > cursor.start && finish < Time::END {
            let begin = cursor.start.max(at);
            let end = plan.step(rank, self.realisation, cursor, at);
            if end > begin {
                detour(begin, end);
                finish += end.since(begin);
            }
        }
        finish
    }

    /// CPU of a rank under this noise, from time zero on.
    pub fn on(&self, rank: u32) -> RankNoise<'_> {
        RankNoise { noise: self, rank, cursor: self.cursor(rank) }
    }
}

impl fmt::Display for Noise {
    /// Writes the sources, one after the other, in a form that can be read again.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(reading) = &self.shared else { return f.write_str("none") };
        for (number, source) in reading.sources.iter().enumerate() {
            write!(f, "{}{source}", if number == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

/// CPU of one rank under noise, with the rank's cursor.
#[derive(Clone, Copy, Debug)]
pub struct RankNoise<'a> {
    noise: &'a Noise,
    rank: u32,
    cursor: Cursor,
}

impl Advance for RankNoise<'_> {
    #[inline(always)]
    fn advance(&mut self, at: Time, work: Span) -> Time {
        self.noise.advance(self.rank, &mut self.cursor, at, work)
    }
}
