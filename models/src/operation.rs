//! What lies between the two clock reads: one call of an operation by one rank.
//!
//! Where it matters, each operation is a type of its own, so that the compiler specialises every method for it and no
//! dispatch happens inside the timed region.

use crate::collective::{Algorithm, Collective, Shape, Step};
use crate::observation::{Placement, World};
use crate::played;
use crate::rank::Rank;
use crate::time::Span;
use serde::{Deserialize, Serialize};
use std::cell::OnceCell;
use std::future::{Future, ready};

/// Something all ranks call together, that a method can time.
///
/// Calls are plain functions that return a future, not `async fn`: a real rank's call has then
/// happened when the function returns, and is inlined between the clock reads.
pub trait Operation {
    /// Called once before the first call: whatever can be worked out beforehand.
    fn prepare<R: Rank>(&self, _rank: &R) {}

    /// Brings this rank's buffers into the chosen state for the next call: see [`Rank::ready_buffers`].
    #[inline(always)]
    fn ready<R: Rank>(&self, rank: &R) {
        rank.ready_buffers();
    }

    /// One call by one rank; ready when this rank may go on.
    fn call<R: Rank>(&self, rank: &R) -> impl Future<Output = ()>;

    /// The next call is call 0, where calls differ from call to call.
    fn rewind(&self) {}
}

/// One of our own algorithms, run step by step over point-to-point messages.
pub struct Own {
    steps: Vec<Step>,
}

impl Own {
    /// The program of `rank` under `algorithm`, worked out before anything is timed.
    pub fn new(algorithm: &Algorithm, shape: &Shape, rank: u32) -> Own {
        Own { steps: algorithm.steps(shape, rank).collect() }
    }
}

impl From<Vec<Step>> for Own {
    /// These steps and no others.
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

/// One of our own algorithms, whose steps are worked out in its first call: for ranks that need not work ahead
/// ([`Rank::WORKS_AHEAD`]).
pub struct Later {
    own: OnceCell<Own>,
    program: OwnProgram,
}

/// A rank's program under one of our algorithms, not worked out yet.
#[derive(Clone, Copy)]
pub struct OwnProgram {
    /// The algorithm.
    pub algorithm: &'static Algorithm,
    /// What it is asked to do.
    pub shape: Shape,
    /// Whose program.
    pub rank: u32,
    /// The library that it stands for, after what that one copies.
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
    /// The same from another root.
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

/// The library's own call of any collective, where a look at which is no matter.
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

/// A call of the library's in any form, prepared by [`Rank::prepare_call`]: by its number.
#[derive(Clone, Copy)]
pub struct Prepared(pub usize);

impl Operation for Prepared {
    #[inline(always)]
    fn call<R: Rank>(&self, rank: &R) -> impl Future<Output = ()> {
        rank.call_prepared(self.0)
    }
}

/// A prepared non-blocking call with computation between issue and wait.
#[derive(Clone, Copy)]
pub struct Overlapped {
    /// The call's number.
    pub number: usize,
    /// How long the rank computes between two questions to the library.
    pub slice: Span,
    /// How often it does so: once without questions.
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

/// Any operation, told apart when it is called: one branch more than the types by themselves. For barriers, for calls
/// that differ from call to call, and for worlds without a message library; methods are compiled once for
/// all of these.
pub enum Any {
    /// One of our own algorithms.
    Own(Own),
    /// One that is worked out when it is called.
    Later(Later),
    /// The library's own call.
    Library(Library),
    /// The library's own call in another form, or made to use an algorithm.
    Prepared(Prepared),
    /// One of those with computation meanwhile.
    Overlapped(Overlapped),
    /// WaitPatternNull.
    Null,
    /// WaitPatternUp.
    Up,
    /// WaitPatternDown.
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
    /// A rank's program under one of our algorithms, worked out now where ranks work ahead.
    pub fn own<R: Rank>(program: OwnProgram) -> Any {
        if R::WORKS_AHEAD { Any::Own(program.into()) } else { Any::Later(program.into()) }
    }

    /// Where the rank's queue lies, where it takes one.
    pub fn placement<R: Rank>(&self, rank: &R) -> Option<Placement> {
        match self {
            Any::Prepared(Prepared(number)) => rank.placement(*number),
            Any::Own(_) | Any::Later(_) | Any::Library(_) | Any::Overlapped(_) | Any::Null | Any::Up | Any::Down => {
                None
            }
        }
    }

    /// How the library was made to use an algorithm, where it was.
    pub fn proof<R: Rank>(&self, rank: &R) -> Option<String> {
        match self {
            Any::Prepared(Prepared(number)) | Any::Overlapped(Overlapped { number, .. }) => rank.proof(*number),
            Any::Own(_) | Any::Later(_) | Any::Library(_) | Any::Null | Any::Up | Any::Down => None,
        }
    }
}

/// Does something with the library's own call of a collective: `$body` is compiled for each call's own type.
#[macro_export]
macro_rules! with_library {
    ($collective:expr, $shape:expr, |$operation:ident| $body:expr) => {
        match $collective {
            $crate::collective::Collective::Bcast => {
                let $operation = $crate::operation::LibraryBcast($shape);
                $body
            }
            $crate::collective::Collective::Reduce => {
                let $operation = $crate::operation::LibraryReduce($shape);
                $body
            }
            $crate::collective::Collective::Barrier => {
                let $operation = $crate::operation::LibraryBarrier($shape);
                $body
            }
            $crate::collective::Collective::Allreduce => {
                let $operation = $crate::operation::LibraryAllreduce($shape);
                $body
            }
            $crate::collective::Collective::Gather => {
                let $operation = $crate::operation::LibraryGather($shape);
                $body
            }
            $crate::collective::Collective::Scatter => {
                let $operation = $crate::operation::LibraryScatter($shape);
                $body
            }
            $crate::collective::Collective::Allgather => {
                let $operation = $crate::operation::LibraryAllgather($shape);
                $body
            }
            $crate::collective::Collective::Alltoall => {
                let $operation = $crate::operation::LibraryAlltoall($shape);
                $body
            }
            $crate::collective::Collective::ReduceScatter => {
                let $operation = $crate::operation::LibraryReduceScatter($shape);
                $body
            }
            $crate::collective::Collective::Scan => {
                let $operation = $crate::operation::LibraryScan($shape);
                $body
            }
            $crate::collective::Collective::Exscan => {
                let $operation = $crate::operation::LibraryExscan($shape);
                $body
            }
        }
    };
}

/// Does nothing: its true duration is 0 (SKaMPI's WaitPatternNull).
pub struct WaitPatternNull;

impl Operation for WaitPatternNull {
    #[inline(always)]
    fn call<R: Rank>(&self, _rank: &R) -> impl Future<Output = ()> {
        ready(())
    }
}

/// Rank i computes for (i+1) µs: on P ranks that start together its true duration is P µs (SKaMPI's WaitPatternUp).
pub struct WaitPatternUp;

impl Operation for WaitPatternUp {
    #[inline(always)]
    fn call<R: Rank>(&self, rank: &R) -> impl Future<Output = ()> {
        rank.compute(Span::from_us(u64::from(rank.id()) + 1))
    }
}

/// Rank i computes for P − i µs: as [`WaitPatternUp`] the other way round, so that an offset that one of them hides shows in
/// the other.
pub struct WaitPatternDown;

impl Operation for WaitPatternDown {
    #[inline(always)]
    fn call<R: Rank>(&self, rank: &R) -> impl Future<Output = ()> {
        rank.compute(Span::from_us(u64::from(rank.size() - rank.id())))
    }
}

crate::named! {
    /// The patterns whose true duration is known, for checking clocks.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum WaitPattern {
        /// True duration 0.
        Null => "null",
        /// True duration P µs, the last rank's.
        Up => "up",
        /// True duration P µs, rank 0's.
        Down => "down",
    }
    /// The name used on command lines.
    fn name;
    find("wait pattern");
}

impl WaitPattern {
    /// The true duration on `ranks` ranks that start together.
    pub fn truth(self, ranks: u32) -> Span {
        match self {
            WaitPattern::Null => Span::ZERO,
            WaitPattern::Up | WaitPattern::Down => Span::from_us(u64::from(ranks)),
        }
    }
}
