//! Linear all-to-all with a limit (MPICH `scattered`, `MPIR_Alltoall_intra_scattered`, limit
//! `MPIR_CVAR_ALLTOALL_THROTTLE`, 32; Open MPI `linear_sync`, which refills as messages complete instead of waiting for
//! the whole burst): like linear, but at most `fanout` receives and as many sends are under way at a time.
//!
//! ```text
//! fanout 3
//! burst 0   every rank r: receives from r+1, r+2, r+3; sends to r−1, r−2, r−3; wait for all
//! burst 1   every rank r: receives from r+4, r+5, r+6; sends to r−4, r−5, r−6; wait for all
//! burst 2   every rank r: receives from r+7; sends to r−7; wait
//! ```

use super::alltoall_linear::{cost, keep_own, meeting};
use super::{Algorithm, Collective, Pattern, Places, Ranks, Round, Shape};

/// Default limit of MPICH on the messages under way.
const LIMIT: u32 = 32;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Alltoall,
    name: "linear-sync",
    openmpi: Some("linear_sync"),
    mpich: Some("scattered"),
    wins: "medium blocks on many ranks: overlap without swamping receivers",
    time: "⌈(P−1)/f⌉·(α + mβ), fanout f",
    uneven: true,
    ranks: Ranks::Any,
    places: Places::ByRank,
    rounds: |shape| 1 + bursts(shape),
    round: |shape, index| {
        let Some(burst) = index.checked_sub(1) else { return keep_own() };
        let limit = shape.fanout_or(LIMIT);
        let left = u64::from(shape.ranks - 1) - burst * u64::from(limit);
        Round {
            index: burst,
            pattern: Pattern::Burst {
                count: left.min(limit.into()) as u32,
                meeting: |shape, burst, position, turn| {
                    let before = burst as u32 * shape.fanout_or(LIMIT);
                    meeting(shape, position, before + turn + 1)
                },
            },
        }
    },
    cost: |shape| cost(shape, bursts(shape)),
};

fn bursts(shape: &Shape) -> u64 {
    u64::from((shape.ranks - 1).div_ceil(shape.fanout_or(LIMIT)))
}
