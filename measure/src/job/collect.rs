//! Collecting a value of every rank on rank 0, and the sentence that says which clock ranks read.

use crate::clock::{Rate, RealClock};
use models::clock::DrawnClocks;
use programs::rank::{Phase, Rank};
use serde::Serialize;

/// Returns every rank's value, in rank order, on rank 0, and an empty list elsewhere.
pub async fn collect<R: Rank, T: Serialize + serde::de::DeserializeOwned>(rank: &R, own: &T) -> Vec<T> {
    rank.enter_phase(Phase::Collecting);
    let text = serde_json::to_vec(own).expect("records have no map keys that are not strings");
    collect_texts(rank, text).await.iter().map(|text| parse(text)).collect()
}

/// Collects values that are written already.
async fn collect_texts<R: Rank>(rank: &R, own: Vec<u8>) -> Vec<Vec<u8>> {
    if rank.id() != 0 {
        rank.send(0, &(own.len() as u64).to_le_bytes()).await;
        rank.send(0, &own).await;
        return Vec::new();
    }
    let mut all = vec![own];
    for other in 1..rank.size() {
        let mut length = [0; 8];
        rank.receive(other, &mut length).await;
        let mut text = vec![0; u64::from_le_bytes(length) as usize];
        rank.receive(other, &mut text).await;
        all.push(text);
    }
    all
}

fn parse<T: serde::de::DeserializeOwned>(text: &[u8]) -> T {
    serde_json::from_slice(text).expect("the ranks of one job are one program")
}

/// Returns the sentence that says which clock ranks read, how well its rate is known where it was measured, and whether
/// it was made imperfect.
pub fn clock_sentence(clock: &dyn RealClock, rate: &Rate, clocks: Option<&DrawnClocks>) -> String {
    let name = clock.name();
    let imperfect = clocks.map_or(String::new(), |clocks| format!(", made imperfect (seed {})", clocks.seed));
    if rate.repeated_ppm == 0.0 {
        return format!("clock {name}{imperfect}");
    }
    format!("clock {name} ({:.6} GHz to {:.2} ppm){imperfect}", rate.ticks_per_second / 1e9, rate.repeated_ppm)
}
