//! Operation between the two clock reads: one call by one rank.
//!
//! Where it matters, each operation is a type of its own, so that the compiler specialises every method for it and no
//! dispatch happens inside the timed region.

use crate::observation::{Placement, World};
use crate::played;
use crate::rank::Rank;
use models::collective::{Algorithm, Collective, Shape, Step};
use models::time::Span;
use serde::{Deserialize, Serialize};
use std::cell::OnceCell;
use std::future::{Future, ready};

/// Operation that all ranks call together and that a method can time.
///
/// Calls are plain functions that return a future, not `async fn`: a real rank's call has then happened when the
/// function returns, and is inlined between the clock reads.
pub trait Operation {
    /// Computes in advance whatever can be; called once before the first call.
    fn prepare<R: Rank>(&self, _rank: &R) {}

    /// Brings this rank's buffers into the chosen state for the next call: see [`Rank::ready_buffers`].
    #[inline(always)]
    fn ready<R: Rank>(&self, rank: &R) {
        rank.ready_buffers();
    }

    /// Makes one call by one rank. It is ready when this rank may go on.
    fn call<R: Rank>(&self, rank: &R) -> impl Future<Output = ()>;

    /// Makes the next call call 0, where calls differ from call to call.
    fn rewind(&self) {}
}

/// An algorithm of our own, run step by step over point-to-point messages.
pub struct Own {
    steps: Vec<Step>,
}

impl Own {
    /// Program of `rank` under `algorithm`, computed before anything is timed.
    pub fn new(algorithm: &Algorithm, shape: &Shape, rank: u32) -> Own {
        Own { steps: algorithm.steps(shape, rank).collect() }
    }
}

impl From<Vec<Step>> for Own {
    /// Operation of these steps and no others.
    fn from(steps: Vec<Step>) -> Own {
        Own { steps }
    }
}

impl Operation for Own {
    #[inline(always)]
    async fn call<R: Rank>(&self, rank: &R) {
        rank.begin_call();
        for step in &self.steps {
            rank.step(step).await;
        }
    }
}

/// An algorithm of our own, whose steps are computed in its first call: for ranks that need not work ahead
/// ([`Rank::WORKS_AHEAD`]).
pub struct Later {
    own: OnceCell<Own>,
    program: OwnProgram,
}

/// Description of a rank's program under one of our algorithms, whose steps are not computed yet.
#[derive(Clone, Copy)]
pub struct OwnProgram {
    /// Algorithm of the program.
    pub algorithm: &'static Algorithm,
    /// Shape of the call.
    pub shape: Shape,
    /// Rank whose program it is.
    pub rank: u32,
    /// Library that the algorithm stands for, whose copies the program makes.
    pub copies_as: Option<World>,
}

impl From<OwnProgram> for Own {
    fn from(program: OwnProgram) -> Own {
        let OwnProgram { algorithm, shape, rank, copies_as } = program;
        match copies_as {
            Some(library) => Own::from(played::made(library, algorithm, &shape, rank)),
            None => Own::new(algorithm, &shape, rank),
        }
    }
}

impl Later {
    /// Returns the program from another root.
    pub fn from_root(&self, root: u32) -> Later {
        let shape = Shape { root, ..self.program.shape };
        Later::from(OwnProgram { shape, ..self.program })
    }
}

impl From<OwnProgram> for Later {
    fn from(program: OwnProgram) -> Later {
        Later { own: OnceCell::new(), program }
    }
}

impl Operation for Later {
    #[inline(always)]
    async fn call<R: Rank>(&self, rank: &R) {
        if !rank.play(self.program.algorithm, &self.program.shape) {
            self.own.get_or_init(|| self.program.into()).call(rank).await;
        }
    }
}

macro_rules! library_operation {
    ($($(#[$doc:meta])* $name:ident => $collective:ident;)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $name(pub Shape);

        impl Operation for $name {
            fn prepare<R: Rank>(&self, rank: &R) {
                rank.prepare(Collective::$collective, &self.0);
            }

            #[inline(always)]
            fn call<R: Rank>(&self, rank: &R) -> impl Future<Output = ()> {
                rank.library(Collective::$collective, &self.0)
            }
        }
    )* };
}

library_operation! {
    /// The library's own `MPI_Bcast`.
    LibraryBcast => Bcast;
    /// The library's own `MPI_Reduce`.
    LibraryReduce => Reduce;
    /// The library's own `MPI_Barrier`.
    LibraryBarrier => Barrier;
    /// The library's own `MPI_Allreduce`.
    LibraryAllreduce => Allreduce;
    /// The library's own `MPI_Gather` (`MPI_Gatherv`).
    LibraryGather => Gather;
    /// The library's own `MPI_Scatter` (`MPI_Scatterv`).
    LibraryScatter => Scatter;
    /// The library's own `MPI_Allgather` (`MPI_Allgatherv`).
    LibraryAllgather => Allgather;
    /// The library's own `MPI_Alltoall` (`MPI_Alltoallv`).
    LibraryAlltoall => Alltoall;
    /// The library's own `MPI_Reduce_scatter` (`MPI_Reduce_scatter_block`).
    LibraryReduceScatter => ReduceScatter;
    /// The library's own `MPI_Scan`.
    LibraryScan => Scan;
    /// The library's own `MPI_Exscan`.
    LibraryExscan => Exscan;
}

/// The library's own call of any collective, for uses in which a branch at the call does not matter.
#[derive(Clone, Copy)]
pub struct Library(pub Collective, pub Shape);

impl Operation for Library {
    fn prepare<R: Rank>(&self, rank: &R) {
        rank.prepare(self.0, &self.1);
    }

    #[inline(always)]
    fn call<R: Rank>(&self, rank: &R) -> impl Future<Output = ()> {
        rank.library(self.0, &self.1)
    }
}

/// Call of the library in any form, by the number that [`Rank::prepare_call`] returned.
#[derive(Clone, Copy)]
pub struct Prepared(pub usize);

impl Operation for Prepared {
    #[inline(always)]
    fn call<R: Rank>(&self, rank: &R) -> impl Future<Output = ()> {
        rank.call_prepared(self.0)
    }
}

/// Prepared non-blocking call with computation between issue and wait.
#[derive(Clone, Copy)]
pub struct Overlapped {
    /// Number of the prepared call.
    pub number: usize,
    /// Duration of the computation between two tests of the call.
    pub slice: Span,
    /// Number of such computations; with 1 there is no test.
    pub slices: u32,
}

impl Operation for Overlapped {
    #[inline(always)]
    async fn call<R: Rank>(&self, rank: &R) {
        rank.begin_prepared(self.number).await;
        rank.compute(self.slice).await;
        for _ in 1..self.slices {
            rank.test_prepared().await;
            rank.compute(self.slice).await;
        }
        rank.finish_prepared().await;
    }
}

/// Any operation, with a branch at each call. It serves barriers, calls that differ from call to call, and worlds
/// without a message library; methods are compiled once for all of these.
pub enum Any {
    /// An algorithm of our own.
    Own(Own),
    /// An algorithm of our own, whose steps are computed in its first call.
    Later(Later),
    /// The library's own call.
    Library(Library),
    /// The library's own call in another form, or forced to use an algorithm.
    Prepared(Prepared),
    /// Prepared non-blocking call with computation.
    Overlapped(Overlapped),
    /// The operation [`WaitPatternNull`], which does nothing.
    Null,
    /// The operation [`WaitPatternUp`], longest on the last rank.
    Up,
    /// The operation [`WaitPatternDown`], longest on rank 0.
    Down,
}

impl Operation for Any {
    fn prepare<R: Rank>(&self, rank: &R) {
        if let Any::Library(call) = self {
            call.prepare(rank);
        }
    }

    #[inline(always)]
    async fn call<R: Rank>(&self, rank: &R) {
        match self {
            Any::Own(own) => own.call(rank).await,
            Any::Later(later) => later.call(rank).await,
            Any::Library(call) => call.call(rank).await,
            Any::Prepared(call) => call.call(rank).await,
            Any::Overlapped(call) => call.call(rank).await,
            Any::Null => WaitPatternNull.call(rank).await,
            Any::Up => WaitPatternUp.call(rank).await,
            Any::Down => WaitPatternDown.call(rank).await,
        }
    }
}

impl Any {
    /// Builds a rank's program under one of our algorithms, whose steps are computed at once where ranks work ahead.
    pub fn own<R: Rank>(program: OwnProgram) -> Any {
        if R::WORKS_AHEAD { Any::Own(program.into()) } else { Any::Later(program.into()) }
    }

    /// Placement of the rank's queue, where the call uses one.
    pub fn placement<R: Rank>(&self, rank: &R) -> Option<Placement> {
        match self {
            Any::Prepared(Prepared(number)) => rank.placement(*number),
            Any::Own(_) | Any::Later(_) | Any::Library(_) | Any::Overlapped(_) | Any::Null | Any::Up | Any::Down => {
                None
            }
        }
    }

    /// Evidence that the library was forced to use an algorithm, where it was.
    pub fn proof<R: Rank>(&self, rank: &R) -> Option<String> {
        match self {
            Any::Prepared(Prepared(number)) | Any::Overlapped(Overlapped { number, .. }) => rank.proof(*number),
            Any::Own(_) | Any::Later(_) | Any::Library(_) | Any::Null | Any::Up | Any::Down => None,
        }
    }
}

/// Evaluates `$body` with the library's own call of a collective, compiled for each call's own type.
#[macro_export]
macro_rules! with_library {
    ($collective:expr, $shape:expr, |$operation:ident| $body:expr) => {
        match $collective {
            $crate::models::collective::Collective::Bcast => {
                let $operation = $crate::operation::LibraryBcast($shape);
                $body
            }
            $crate::models::collective::Collective::Reduce => {
                let $operation = $crate::operation::LibraryReduce($shape);
                $body
            }
            $crate::models::collective::Collective::Barrier => {
                let $operation = $crate::operation::LibraryBarrier($shape);
                $body
            }
            $crate::models::collective::Collective::Allreduce => {
                let $operation = $crate::operation::LibraryAllreduce($shape);
                $body
            }
            $crate::models::collective::Collective::Gather => {
                let $operation = $crate::operation::LibraryGather($shape);
                $body
            }
            $crate::models::collective::Collective::Scatter => {
                let $operation = $crate::operation::LibraryScatter($shape);
                $body
            }
            $crate::models::collective::Collective::Allgather => {
                let $operation = $crate::operation::LibraryAllgather($shape);
                $body
            }
            $crate::models::collective::Collective::Alltoall => {
                let $operation = $crate::operation::LibraryAlltoall($shape);
                $body
            }
            $crate::models::collective::Collective::ReduceScatter => {
                let $operation = $crate::operation::LibraryReduceScatter($shape);
                $body
            }
            $crate::models::collective::Collective::Scan => {
                let $operation = $crate::operation::LibraryScan($shape);
                $body
            }
            $crate::models::collective::Collective::Exscan => {
                let $operation = $crate::operation::LibraryExscan($shape);
                $body
            }
        }
    };
}

/// Operation that does nothing: its true duration is 0 (SKaMPI's WaitPatternNull).
pub struct WaitPatternNull;

impl Operation for WaitPatternNull {
    #[inline(always)]
    fn call<R: Rank>(&self, _rank: &R) -> impl Future<Output = ()> {
        ready(())
    }
}

/// Operation in which rank i computes for (i+1) µs: on P ranks that start together its true duration is P µs (SKaMPI's
/// WaitPatternUp).
pub struct WaitPatternUp;

impl Operation for WaitPatternUp {
    #[inline(always)]
    fn call<R: Rank>(&self, rank: &R) -> impl Future<Output = ()> {
        rank.compute(Span::from_us(u64::from(rank.id()) + 1))
    }
}

/// Operation in which rank i computes for P − i µs: the reverse of [`WaitPatternUp`], so that an offset that one of
/// them hides shows in the other.
pub struct WaitPatternDown;

impl Operation for WaitPatternDown {
    #[inline(always)]
    fn call<R: Rank>(&self, rank: &R) -> impl Future<Output = ()> {
        rank.compute(Span::from_us(u64::from(rank.size() - rank.id())))
    }
}

models::named! {
    /// Patterns whose true duration is known, for checking clocks.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum WaitPattern {
        /// Pattern of true duration 0.
        Null => "null",
        /// Pattern of true duration P µs, which the last rank takes.
        Up => "up",
        /// Pattern of true duration P µs, which rank 0 takes.
        Down => "down",
    }
    /// Name of the pattern on command lines.
    fn name;
    find("wait pattern");
}

impl WaitPattern {
    /// True duration on `ranks` ranks that start together.
    pub fn truth(self, ranks: u32) -> Span {
        match self {
            WaitPattern::Null => Span::ZERO,
            WaitPattern::Up | WaitPattern::Down => Span::from_us(u64::from(ranks)),
        }
    }
}
