//! Members of communicators, and neighbours in their topologies.

use super::Communicator;

impl Communicator {
    /// Returns the world's ranks on the communicator that a rank is on, in their order there.
    pub fn members(self, ranks: u32, rank: u32) -> Vec<u32> {
        match self {
            Communicator::World | Communicator::Duplicate | Communicator::Cartesian | Communicator::Graph => {
                (0..ranks).collect()
            }
            Communicator::Halves => (rank % 2..ranks).step_by(2).collect(),
            Communicator::Reversed => (0..ranks).rev().collect(),
        }
    }

    /// Returns true if ranks have neighbours on the communicator.
    pub(crate) fn has_neighbours(self) -> bool {
        match self {
            Communicator::Cartesian | Communicator::Graph => true,
            Communicator::World | Communicator::Duplicate | Communicator::Halves | Communicator::Reversed => false,
        }
    }

    /// Returns the neighbours of a rank in the order of their blocks, which is the same for sending and for receiving.
    /// On a grid these are, per dimension, the one before and the one after (MPI-3.1, section 7.6); there are none
    /// without a topology.
    pub fn neighbours(self, ranks: u32, rank: u32) -> Vec<u32> {
        let ring = |at: u32, length: u32| [(at + length - 1) % length, (at + 1) % length];
        match self {
            Communicator::Cartesian => {
                let [rows, columns] = grid(ranks);
                let (row, column) = (rank / columns, rank % columns);
                let along = ring(row, rows).map(|row| row * columns + column);
                let across = ring(column, columns).map(|column| row * columns + column);
                along.into_iter().chain(across).collect()
            }
            Communicator::Graph => ring(rank, ranks).to_vec(),
            Communicator::World | Communicator::Duplicate | Communicator::Halves | Communicator::Reversed => Vec::new(),
        }
    }
}

/// Returns rows and columns of a grid of this many ranks: as square as it can be, with at least as many rows as columns
/// (`MPI_Dims_create`).
pub fn grid(ranks: u32) -> [u32; 2] {
    let columns = (1..=ranks.isqrt()).rev().find(|columns| ranks.is_multiple_of(*columns)).unwrap_or(1);
    [ranks / columns, columns]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_are_as_square_as_they_can_be() {
        assert_eq!([1, 2, 4, 6, 7, 12].map(grid), [[1, 1], [2, 1], [2, 2], [3, 2], [7, 1], [4, 3]]);
    }

    #[test]
    fn every_rank_is_on_one_communicator_and_neighbours_know_each_other() {
        for ranks in 1..=9 {
            for communicator in Communicator::ALL {
                for rank in 0..ranks {
                    let members = communicator.members(ranks, rank);
                    assert!(members.contains(&rank), "{communicator:?} {rank} of {ranks}");
                    for neighbour in communicator.neighbours(ranks, rank) {
                        let theirs = communicator.neighbours(ranks, neighbour);
                        let count = |all: &[u32], one| all.iter().filter(|&&other| other == one).count();
                        let mine = communicator.neighbours(ranks, rank);
                        assert_eq!(count(&theirs, rank), count(&mine, neighbour), "{communicator:?} {rank}/{ranks}");
                    }
                }
            }
        }
        assert_eq!(Communicator::Halves.members(5, 3), [1, 3]);
        assert_eq!(Communicator::Reversed.members(3, 0), [2, 1, 0]);
        assert_eq!(Communicator::Cartesian.neighbours(6, 0), [4, 2, 1, 1]);
    }
}
