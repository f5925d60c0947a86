//! What takes the CPUs of this machine, while a page looks: ranks record detours, and what they lose is told five times a second.

use crate::noise::{Collect, leave_a_cpu};
use campaign::Start;
use campaign::launch::Site;
use measure::board::{Lost, Status};
use measure::job::Job;
use models::observation::World;
use models::time::Span;
use scenario::BadInput;
use serde::Deserialize;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// So long ranks record.
const TIME: Span = Span::from_ms(10_000);
/// Ranks that get nowhere for so much longer are given up.
const PATIENCE: Duration = Duration::from_secs(15);

/// What a page asks to look at.
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

/// Nobody looks any more: nothing is wrong.
#[derive(Debug, thiserror::Error)]
#[error("nobody looks any more")]
struct Gone;

impl Wish {
    /// The ranks, one for each CPU but the last, which is left to the page.
    ///
    /// # Errors
    /// What cannot be recorded here, in a sentence.
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
    /// Has the ranks record; `tell` hears of what each lost between two looks, and says whether anybody still listens. What came
    /// of it, in a sentence.
    ///
    /// # Errors
    /// A rank that died or hung, by name; what ranks refused.
    pub(super) fn carry_out(self, mut tell: impl FnMut(Value) -> bool) -> anyhow::Result<String> {
        let mut looks: Option<Looks> = None;
        let ended = self.start.watch(&self.job, |ranks| {
            let looks = looks.get_or_insert_with(|| Looks::from(ranks));
            let told = looks.next(ranks).is_none_or(&mut tell);
            if told { Ok(()) } else { Err(Gone.into()) }
        });
        match ended {
            Err(error) if !error.is::<Gone>() => Err(error),
            _ => Ok(looks.map_or_else(|| "no rank had recorded anything".to_owned(), |looks| looks.sum())),
        }
    }
}

/// What ranks had lost at the first look, and at the last.
struct Looks {
    began: Instant,
    first: Vec<Lost>,
    last: (Instant, Vec<Lost>),
}

impl Looks {
    fn from(ranks: &[Status]) -> Looks {
        let lost: Vec<Lost> = ranks.iter().map(|status| status.lost).collect();
        Looks { began: Instant::now(), first: lost.clone(), last: (Instant::now(), lost) }
    }

    /// What ranks have lost since the last look; none before the second one.
    fn next(&mut self, ranks: &[Status]) -> Option<Value> {
        let (then, before) = &self.last;
        let took_s = then.elapsed().as_secs_f64();
        let of_rank = |(status, before): (&Status, &Lost)| {
            let taken_s = status.lost.taken.0.saturating_sub(before.taken.0) as f64 / 1e12;
            json!({
                "rank": status.rank, "host": status.host, "share": taken_s / took_s,
                "detours": status.lost.detours.saturating_sub(before.detours),
                "longest_us": status.lost.longest.as_us(),
            })
        };
        let ranks_lost: Vec<Value> = ranks.iter().zip(before).map(of_rank).collect();
        let look =
            json!({ "look": { "at_s": self.began.elapsed().as_secs_f64(), "took_s": took_s, "ranks": ranks_lost } });
        if took_s < LEAST_S {
            return None;
        }
        self.last = (Instant::now(), ranks.iter().map(|status| status.lost).collect());
        Some(look)
    }

    fn sum(&self) -> String {
        let (end, lost) = &self.last;
        let took = end.duration_since(self.began).as_secs_f64();
        let share = |(last, first): (&Lost, &Lost)| last.taken.0.saturating_sub(first.taken.0) as f64 / 1e12 / took;
        let shares: Vec<f64> = lost.iter().zip(&self.first).map(share).collect();
        let detours: u64 =
            lost.iter().zip(&self.first).map(|(last, first)| last.detours.saturating_sub(first.detours)).sum();
        let (least, most) =
            shares.iter().fold((f64::INFINITY, 0.0_f64), |(low, high), &one| (low.min(one), high.max(one)));
        let ranks = match shares.len() {
            1 => "one rank".to_owned(),
            count => format!("{count} ranks"),
        };
        let range = if shares.len() == 1 {
            format!("{:.2} %", most * 100.0)
        } else {
            format!("{:.2} to {:.2} %", least * 100.0, most * 100.0)
        };
        format!(
            "{ranks} lost {range} of {took:.1} s in {detours} detours; recorded and shown by: parallax noise collect, noise show"
        )
    }
}

/// Looks that follow sooner upon each other show nothing.
const LEAST_S: f64 = 0.05;
