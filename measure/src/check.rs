//! Checks whether collectives do to real bytes what their operation demands.

mod call;
mod calls;
mod demand;
mod shared;
mod values;

pub use calls::{Checked, bytes_for, checked_calls};
pub(crate) use shared::{check_shared, memory_bytes as longest_shared};

use crate::clock::ClockSource;
use crate::rank::{Carriage, RealRank};
use call::CheckedCall;
use demand::{By, Demand, demands, is_beside};
use models::collective::{Algorithm, Collective, Counts, Shape};
use programs::method::{Order, Subject};
use programs::observation::Implementation;
use programs::operation::{Library, Operation, Own};
use programs::rank::{Phase, Rank};

/// Lengths of areas that are tried: nothing, one byte, within and beyond the libraries' eager limits.
const LENGTHS: [u64; 4] = [0, 1, 1_000, 70_000];

/// Returns the length of the buffer that a check on `ranks` ranks needs, in bytes.
pub fn checked_bytes(ranks: u32) -> u64 {
    let needed = |collective: Collective| {
        shapes(collective, ranks).into_iter().map(move |shape| collective.buffer_bytes(&shape))
    };
    Collective::ALL.into_iter().flat_map(needed).max().unwrap_or(0)
}

/// Runs every algorithm (and the library's calls) with every shape that makes a difference and compares every byte.
/// Called by all ranks together. Returns the number of calls that this rank checked.
///
/// # Errors
///
/// Names the call, rank and byte of the first difference.
pub async fn check<C: ClockSource, N: Carriage>(rank: &RealRank<'_, C, N>) -> Result<u32, String> {
    let mut checked = 0;
    let mut first_difference = Ok(());
    for collective in Collective::ALL {
        for shape in shapes(collective, rank.size) {
            // The watcher sees that this goes on.
            rank.enter_phase(Phase::FirstCall);
            // All ranks call everything, also after a difference: nobody is left waiting.
            for algorithm in Algorithm::for_collective(collective).filter(|algorithm| algorithm.accepts(&shape).is_ok())
            {
                let call = Call { collective, shape, name: algorithm.name, by: By::Own };
                let own = Own::new(algorithm, &shape, rank.id);
                first_difference = first_difference.and(call.make(rank, &own).await);
                checked += 1;
            }
            if N::HAS_LIBRARY {
                let call = Call { collective, shape, name: "library", by: By::Library };
                let result = call.make(rank, &Library(collective, shape)).await;
                first_difference = first_difference.and(result);
                checked += 1;
            }
        }
    }
    first_difference.map(|()| checked)
}

/// Makes the library's calls of these operations (of all, if none is named) in every form and compares every byte.
/// Called by all ranks together. Returns the number of calls that this rank checked.
///
/// # Errors
///
/// Names an operation that is not known, or the call, rank and byte of the first difference.
pub async fn check_calls<C: ClockSource, N: Carriage>(
    rank: &RealRank<'_, C, N>,
    operations: &[String],
) -> Result<u32, String> {
    let calls = checked_calls(operations, rank.size)?;
    let mut first_difference = Ok(());
    let mut made = 0;
    for Checked { collective, call, shape } in &calls {
        rank.enter_phase(Phase::FirstCall);
        let checked = CheckedCall { collective: *collective, call, shape, by: &Implementation::Library };
        // Calls in which this library is known to crash are refused on every rank, and not made.
        if let Ok(found) = checked.make(rank).await {
            // All ranks call everything, also after a difference: nobody is left waiting.
            first_difference = first_difference.and(found);
            made += 1;
        }
    }
    // An operation has many forms; that none of them can be made is no success.
    if made == 0 { Err("this world makes none of these calls".to_owned()) } else { first_difference.map(|()| made) }
}

/// Checks the calls of an order. Called by all ranks together. Returns the number of calls that this rank checked.
///
/// # Errors
///
/// Says why a call cannot be made, or names the first difference.
pub async fn check_order<C: ClockSource, N: Carriage>(rank: &RealRank<'_, C, N>, order: &Order) -> Result<u32, String> {
    let Subject::Collective(collective, implementation) = &order.subject else { return Ok(0) };
    rank.enter_phase(Phase::FirstCall);
    let mut first_difference = Ok(());
    let mut checked = 0;
    for root in order.roots() {
        let (collective, shape) = (*collective, Shape { root, ..order.shape });
        let found = match implementation {
            Implementation::Own(name) => {
                let algorithm = Algorithm::find(collective, name)?;
                let call = Call { collective, shape, name: algorithm.name, by: By::Own };
                call.make(rank, &Own::new(algorithm, &shape, rank.id)).await
            }
            Implementation::Library | Implementation::Tuned(_) if order.call.is_plain() => {
                let call = Call { collective, shape, name: "library", by: By::Library };
                call.make(rank, &Library(collective, shape)).await
            }
            by => {
                let call = match by {
                    Implementation::Forced(_) => order.call.for_counts(&shape),
                    Implementation::Shared(_)
                    | Implementation::Library
                    | Implementation::Tuned(_)
                    | Implementation::Own(_) => order.call,
                };
                if let Implementation::Shared(queued) = by {
                    queued.accepts(collective, &call)?;
                }
                CheckedCall { collective, call: &call, shape: &shape, by }.make(rank).await?
            }
        };
        first_difference = first_difference.and(found);
        checked += 1;
    }
    first_difference.map(|()| checked)
}

/// Returns the shapes that make a difference: every length, then one length from every root, whole and in segments with
/// several fanouts, with even and uneven blocks.
fn shapes(collective: Collective, ranks: u32) -> Vec<Shape> {
    let [.., some, long] = LENGTHS;
    let middle = if collective.is_rooted() { ranks / 2 } else { 0 };
    // Length, root, and how often the message is cut, which is also the fanout: 0 says nothing about either.
    let mut plans: Vec<(u64, u32, u32)> = LENGTHS.into_iter().map(|length| (length, 0, 0)).collect();
    let roots = if collective.is_rooted() { vec![0, middle, ranks - 1] } else { vec![0] };
    plans.extend(roots.into_iter().flat_map(|root| [0, 2, 3, 5].map(|cuts| (some, root, cuts))));
    plans.push((long, middle, 2));
    plans.sort_unstable();
    plans.dedup();
    if collective == Collective::Barrier {
        plans.retain(|&(length, ..)| length == 0);
    }
    plans
        .into_iter()
        .flat_map(|(length, root, cuts)| {
            let bytes = if collective.has_blocks() { length.div_ceil(u64::from(ranks)) } else { length };
            let segment_bytes = if cuts == 0 { 0 } else { bytes / u64::from(cuts) + 1 };
            let even = Shape { segment_bytes, fanout: cuts, ..Shape::new(ranks, root, bytes) };
            let uneven = collective.has_blocks().then(|| Shape { counts: Some(uneven_counts(ranks, bytes)), ..even });
            [Some(even), uneven].into_iter().flatten()
        })
        .collect()
}

/// Returns blocks of half the mean, of nothing and of more, none a multiple of another. They have as many bytes in all
/// as even ones, or a few more.
fn uneven_counts(ranks: u32, mean: u64) -> Counts {
    let length = |block: u64| mean * [1, 0, 3, 2, 4][block as usize % 5] / 2 + block % 3;
    Counts::new(&(0..u64::from(ranks)).map(length).collect::<Vec<_>>()).expect("there are ranks, and few bytes")
}

struct Call<'a> {
    collective: Collective,
    shape: Shape,
    name: &'a str,
    by: By,
}

impl Call<'_> {
    /// Fills this rank's buffer, makes the call and compares the bytes that are there then.
    async fn make<C: ClockSource, N: Carriage>(
        &self,
        rank: &RealRank<'_, C, N>,
        operation: &impl Operation,
    ) -> Result<(), String> {
        let (id, area) = (rank.id, self.collective.area_bytes(&self.shape));
        let whole = self.collective.buffer_bytes(&self.shape);
        // Other areas hold something else beforehand: a result that is left out shows.
        let before = (0..whole).map(|at| if at < area { self.input(id, at) } else { 255 });
        rank.buffer.store(&before.collect::<Vec<u8>>());
        rank.buffer.store_beside(&vec![255; area as usize]);
        operation.prepare(rank);
        operation.call(rank).await;
        let is_beside = is_beside(self.collective, self.by);
        let after = if is_beside { rank.buffer.content_beside(area) } else { rank.buffer.content(whole) };
        demands(self.collective, &self.shape, id, self.by)
            .iter()
            .try_for_each(|demand| self.compare(&after, demand).map_err(|wrong| self.explain(id, &wrong)))
    }

    /// Returns the byte that a rank puts in, which differs between ranks and positions.
    fn input(&self, rank: u32, at: u64) -> u8 {
        let pattern = (u64::from(rank) * 37 + at * 11 + at / 251 + 1) as u8;
        // Open MPI's vectorised sum of bytes saturates (its issue 8045) where ours wraps: no sum may pass 255.
        if self.collective.combines() { pattern / self.shape.ranks.min(255) as u8 } else { pattern }
    }

    fn compare(&self, bytes: &[u8], demand: &Demand) -> Result<(), String> {
        for number in 0..demand.bytes {
            let (at, from) = (demand.at + number, demand.from + number);
            let expected = demand.of.clone().fold(0u8, |sum, rank| sum.wrapping_add(self.input(rank, from)));
            let found = bytes[at as usize];
            if found != expected {
                return Err(format!(
                    "byte {at} is {found}, expected {expected} from byte {from} of ranks {:?}",
                    demand.of
                ));
            }
        }
        Ok(())
    }

    fn explain(&self, rank: u32, wrong: &str) -> String {
        let Shape { ranks, root, bytes, segment_bytes, fanout, counts } = self.shape;
        let blocks = counts.map(|counts| format!(", counts {counts:?}")).unwrap_or_default();
        format!(
            "{} {} of {bytes} B on {ranks} ranks (root {root}, segments of {segment_bytes} B, fanout {fanout}{blocks}): \
             on rank {rank} {wrong}",
            self.collective, self.name
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_wrong_byte_is_found_and_named() {
        let call = Call { collective: Collective::Scan, shape: Shape::new(3, 0, 4), name: "linear", by: By::Own };
        let prefix = (0..4).map(|at| call.input(0, at) + call.input(1, at));
        let mut buffer: Vec<u8> = [255; 4].into_iter().chain(prefix).chain([255; 4]).collect();
        let demands = demands(call.collective, &call.shape, 1, call.by);
        assert_eq!(demands.len(), 1);
        assert_eq!(call.compare(&buffer, &demands[0]), Ok(()));
        buffer[6] += 1;
        let wrong = call.explain(1, &call.compare(&buffer, &demands[0]).unwrap_err());
        insta::assert_snapshot!(wrong);
    }

    #[test]
    fn every_shape_of_a_check_fits_its_buffer_and_no_sum_passes_a_byte() {
        for ranks in [1, 2, 3, 7, 255] {
            for collective in Collective::ALL {
                for shape in shapes(collective, ranks) {
                    assert!(collective.buffer_bytes(&shape) <= checked_bytes(ranks), "{collective} {shape:?}");
                    let call = Call { collective, shape, name: "", by: By::Own };
                    let sum: u32 = (0..ranks).map(|rank| u32::from(call.input(rank, 3))).sum();
                    assert!(!collective.combines() || sum <= 255, "{collective} {shape:?}: {sum}");
                }
            }
        }
    }
}
