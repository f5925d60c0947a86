//! Losses of this machine's CPUs while a page looks: ranks record detours, and their losses are reported five times a
//! second.

use crate::noise::Collect;
use crate::noise::watch::leave_a_cpu;
use campaign::Start;
use campaign::launch::Site;
use measure::board::{Lost, Status};
use measure::job::Job;
use models::time::Span;
use programs::observation::World;
use scenario::BadInput;
use serde::Deserialize;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Time that ranks record.
const TIME: Span = Span::from_ms(10_000);
/// Time beyond the recording without progress after which ranks are given up.
const PATIENCE: Duration = Duration::from_secs(15);

/// Recording that a page requests.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wish {
    world: String,
}

/// Ranks that are ready to record.
pub(super) struct Ready {
    start: Start,
    job: Job,
}

/// Signal that ends the ranks because the page has gone, without a fault.
#[derive(Debug, thiserror::Error)]
#[error("nobody looks any more")]
struct Gone;

impl Wish {
    /// Returns the ranks, one for each CPU but the last, which is left to the page.
    ///
    /// # Errors
    /// Names the request that cannot be recorded here, in a sentence.
    pub(super) fn ready(&self, site: &Site) -> Result<Ready, BadInput> {
        let world = World::try_from(self.world.clone()).map_err(BadInput)?;
        let mut collect = Collect { world, time: TIME, live: true, ..Collect::default() };
        leave_a_cpu(&mut collect, site);
        let plan = collect.plan(site)?;
        let asked = plan.launches.first().ok_or_else(|| BadInput("nothing is to be recorded".to_owned()))?;
        let patience = PATIENCE + Duration::from_secs_f64(TIME.as_us() / 1e6);
        let start = Start { carrier: asked.carrier, patience, ..Start::new(world, asked.ranks, site)? };
        let job = start.job(asked.tasks.clone());
        job.fits().map_err(BadInput)?;
        Ok(Ready { start, job })
    }
}

impl Ready {
    /// Records detours. `tell` receives the losses of each rank between two looks, and returns whether the page still
    /// listens. Returns a sentence on the losses over all.
    ///
    /// # Errors
    /// Fails on a rank that died or hung, by name, and on tasks that ranks refused.
    pub(super) fn watch_ranks(self, tell: &mut dyn FnMut(Value) -> bool) -> anyhow::Result<String> {
        let mut looks: Option<Looks> = None;
        let ended = self.start.watch(&self.job, |ranks| {
            let now = LossSnapshot { at: Instant::now(), lost: ranks.iter().map(|status| status.lost).collect() };
            let Some(Looks { first, last }) = &mut looks else {
                looks = Some(Looks { first: now.clone(), last: now });
                return Ok(());
            };
            let listens = tell(losses_to_json(ranks, first.at, last, &now));
            *last = now;
            if listens { Ok(()) } else { Err(Gone.into()) }
        });
        match ended {
            Err(error) if !error.is::<Gone>() => Err(error),
            _ => Ok(looks.map_or_else(|| "no rank had recorded anything".to_owned(), |looks| looks.sum())),
        }
    }
}

/// Losses of each rank up to a moment.
#[derive(Clone)]
struct LossSnapshot {
    at: Instant,
    lost: Vec<Lost>,
}

impl LossSnapshot {
    /// Returns the losses of each rank since another look, and their share of that time.
    fn since(&self, before: &LossSnapshot) -> Vec<(Lost, f64)> {
        let took_s = self.at.duration_since(before.at).as_secs_f64();
        let lost = self.lost.iter().zip(&before.lost).map(|(lost, before)| lost.since(before));
        lost.map(|lost| (lost, lost.share_of(took_s))).collect()
    }
}

/// Returns the losses of the ranks from one look to the next, for the page.
fn losses_to_json(ranks: &[Status], began: Instant, last: &LossSnapshot, now: &LossSnapshot) -> Value {
    let of_rank = |(status, (lost, share)): (&Status, (Lost, f64))| {
        json!({
            "rank": status.rank, "host": status.host, "share": share, "detours": lost.detours,
            "longest_us": lost.longest.as_us(),
        })
    };
    let lost: Vec<Value> = ranks.iter().zip(now.since(last)).map(of_rank).collect();
    let seconds = |from: Instant| now.at.duration_since(from).as_secs_f64();
    let until_s = TIME.as_us() / 1e6;
    json!({ "look": { "at_s": seconds(began), "took_s": seconds(last.at), "until_s": until_s, "ranks": lost } })
}

/// The first look and the last.
struct Looks {
    first: LossSnapshot,
    last: LossSnapshot,
}

impl Looks {
    fn sum(&self) -> String {
        let lost = self.last.since(&self.first);
        let took_s = self.last.at.duration_since(self.first.at).as_secs_f64();
        let detours: u64 = lost.iter().map(|(lost, _)| lost.detours).sum();
        let shares = lost.iter().map(|(_, share)| share * 100.0);
        let (least, most) = (shares.clone().fold(f64::INFINITY, f64::min), shares.fold(0.0, f64::max));
        let range = match lost.len() {
            1 => format!("one rank lost {most:.2} %"),
            ranks => format!("{ranks} ranks lost {least:.2} to {most:.2} %"),
        };
        format!(
            "{range} of {took_s:.1} s in {detours} detours; recorded and shown by: parallax noise collect, noise show"
        )
    }
}
