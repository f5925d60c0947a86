//! One call of a program: what it is, as far as rows are told apart by it, and all that is needed to make it again.
//!
//! Handles and addresses are numbers here, so that rows are told apart without MPI.

use models::collective::Collective;

/// A collective function of MPI's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // each is the function `MPI_…` of its name
pub enum Function {
    Bcast,
    Reduce,
    Allreduce,
    Gather,
    Scatter,
    Allgather,
    Alltoall,
    ReduceScatterBlock,
    ReduceScatter,
    Scan,
    Exscan,
    Barrier,
}

impl Function {
    /// The name that MPI gives it, and which collective it is.
    fn known(self) -> (&'static str, Collective) {
        match self {
            Function::Bcast => ("MPI_Bcast", Collective::Bcast),
            Function::Reduce => ("MPI_Reduce", Collective::Reduce),
            Function::Allreduce => ("MPI_Allreduce", Collective::Allreduce),
            Function::Gather => ("MPI_Gather", Collective::Gather),
            Function::Scatter => ("MPI_Scatter", Collective::Scatter),
            Function::Allgather => ("MPI_Allgather", Collective::Allgather),
            Function::Alltoall => ("MPI_Alltoall", Collective::Alltoall),
            Function::ReduceScatterBlock => ("MPI_Reduce_scatter_block", Collective::ReduceScatter),
            Function::ReduceScatter => ("MPI_Reduce_scatter", Collective::ReduceScatter),
            Function::Scan => ("MPI_Scan", Collective::Scan),
            Function::Exscan => ("MPI_Exscan", Collective::Exscan),
            Function::Barrier => ("MPI_Barrier", Collective::Barrier),
        }
    }

    /// The name that MPI gives it.
    pub fn name(self) -> &'static str {
        self.known().0
    }

    /// Which collective it is.
    pub fn collective(self) -> Collective {
        self.known().1
    }
}

/// What all calls of a row have in common. Neither root nor buffers are part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// The function.
    pub function: Function,
    /// The communicator's handle.
    pub communicator: usize,
    /// Elements of one rank's buffer or block; of all blocks together where they are combined and scattered.
    pub count: i64,
    /// Their datatype's handle.
    pub datatype: usize,
    /// The reduction's handle, where there is one.
    pub operation: usize,
    /// Whether it is in place; left out where only the root may be, and others do not know.
    pub in_place: bool,
}

/// One of a call's two buffers, as it was passed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Side {
    /// Its address, which may be `MPI_IN_PLACE`.
    pub at: usize,
    /// Elements, of one block where there are several.
    pub count: i32,
    /// Their datatype's handle.
    pub datatype: usize,
}

/// One call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// What it is.
    pub key: Key,
    /// Whether this rank called in place.
    pub in_place: bool,
    /// The root, where there is one.
    pub root: i32,
    /// What is sent; for a broadcast the one buffer.
    pub sent: Side,
    /// What is received.
    pub received: Side,
    /// Address of the counts of `MPI_Reduce_scatter`.
    pub counts: usize,
}

impl Call {
    /// A call; `function` says which of the sides is the one that sizes are counted by.
    pub fn new(function: Function, communicator: usize, sent: Side, received: Side, in_place: usize) -> Call {
        let (sends, receives) = (sent.at == in_place, received.at == in_place);
        let rooted = function.collective().is_rooted();
        let counted = match function {
            Function::Scatter if !receives => received,
            Function::Gather | Function::Allgather | Function::Alltoall if sends => received,
            _ => sent,
        };
        let here = function != Function::Barrier && function != Function::Bcast && (sends || receives);
        let key = Key {
            function,
            communicator,
            count: i64::from(counted.count),
            datatype: counted.datatype,
            operation: 0,
            in_place: here && !rooted,
        };
        Call { key, in_place: here, root: 0, sent, received, counts: 0 }
    }

    /// The same from this root.
    pub fn rooted(mut self, root: i32) -> Call {
        self.root = root;
        self
    }

    /// The same with this reduction.
    pub fn reducing(mut self, operation: usize) -> Call {
        self.key.operation = operation;
        self
    }

    /// The same for so many elements of all ranks' blocks together.
    pub fn scattering(mut self, total: i64, counts: usize) -> Call {
        (self.key.count, self.counts) = (total, counts);
        self
    }
}
