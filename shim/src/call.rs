//! One call of a program: the properties by which rows are distinguished, and all that is needed to make it again.
//!
//! Handles and addresses are numbers here, so that rows are distinguished without MPI.

use models::collective::Collective;

/// Collective function of MPI.
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
    /// Returns the name that MPI gives it, and its collective.
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

    /// Returns the name that MPI gives the function.
    pub fn name(self) -> &'static str {
        self.known().0
    }

    /// Returns the collective that the function carries out.
    pub fn collective(self) -> Collective {
        self.known().1
    }
}

/// Properties that all calls of a row have in common. Neither root nor buffers are part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// Function that is called.
    pub function: Function,
    /// Handle of the communicator.
    pub communicator: usize,
    /// Number of elements of one rank's buffer or block, or of all blocks together where they are combined and
    /// scattered.
    pub count: i64,
    /// Handle of the elements' datatype.
    pub datatype: usize,
    /// Handle of the reduction, 0 where there is none.
    pub operation: usize,
    /// Whether the call is in place. False where only the root may be, since others do not know.
    pub in_place: bool,
}

/// Buffer of a call, as the program passed it: one of two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Side {
    /// Address of the buffer, which may be `MPI_IN_PLACE`.
    pub at: usize,
    /// Number of elements, of one block where there are several.
    pub count: i32,
    /// Handle of the elements' datatype.
    pub datatype: usize,
}

/// Call of the program on this rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// Properties that the call shares with its row.
    pub key: Key,
    /// Whether this rank called in place.
    pub in_place: bool,
    /// Root of the call, 0 where there is none.
    pub root: i32,
    /// Buffer that is sent, for a broadcast the only buffer.
    pub sent: Side,
    /// Buffer that is received into.
    pub received: Side,
    /// Address of the counts of `MPI_Reduce_scatter`, 0 in other calls.
    pub counts: usize,
}

impl Call {
    /// Makes a call. `function` says by which of the sides sizes are counted.
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

    /// Returns the call from this root.
    pub fn rooted(mut self, root: i32) -> Call {
        self.root = root;
        self
    }

    /// Returns the call with this reduction.
    pub fn reducing(mut self, operation: usize) -> Call {
        self.key.operation = operation;
        self
    }

    /// Returns the call with `total` elements in all ranks' blocks together, and the address of their counts.
    pub fn scattering(mut self, total: i64, counts: usize) -> Call {
        (self.key.count, self.counts) = (total, counts);
        self
    }
}
