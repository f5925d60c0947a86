//! Display of the ranks' detours during their recording, on standard error: on a terminal a line for each rank, which
//! is updated, elsewhere a line for all of them every second.

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use measure::board::{Lost, Status};
use std::collections::VecDeque;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Number of looks that a line shows, with the last at its right end.
const LOOKS: usize = 50;
/// Largest number of ranks that are shown, those with the lowest numbers.
const MOST_RANKS: usize = 24;
/// Interval between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(1);
/// Shares of the time between two looks, each with its bar. They grow by a factor of about three.
const BARS: [(f64, char); 8] =
    [(0.0003, '▁'), (0.001, '▂'), (0.003, '▃'), (0.01, '▄'), (0.03, '▅'), (0.1, '▆'), (0.3, '▇'), (1.0, '█')];

/// Display of the time that ranks lose.
pub(crate) struct Detours {
    /// Bars of the ranks. Empty where there is no terminal.
    bars: Vec<ProgressBar>,
    ranks: Vec<RankLosses>,
    began: Instant,
    told: Instant,
    /// Lost time at the last line.
    before: Vec<Lost>,
}

/// Lost time of one rank, look by look.
#[derive(Clone, Debug, Default)]
struct RankLosses {
    shares: VecDeque<f64>,
    first: Option<(Instant, Lost)>,
    last: Option<(Instant, Lost)>,
}

impl Detours {
    /// Begins the display of a number of ranks.
    pub(crate) fn new(ranks: u32) -> Detours {
        let shown = (ranks as usize).min(MOST_RANKS);
        let now = Instant::now();
        let (ranks, before) = (vec![RankLosses::default(); shown], vec![Lost::default(); shown]);
        let bars = if std::io::stderr().is_terminal() {
            let all = MultiProgress::with_draw_target(ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template("{wide_msg}").unwrap_or_else(|_| ProgressStyle::default_bar());
            (0..shown).map(|_| all.add(ProgressBar::new_spinner().with_style(style.clone()))).collect()
        } else {
            Vec::new()
        };
        Detours { bars, ranks, began: now, told: now, before }
    }

    /// Looks at all ranks, and shows the time that they have lost since the last look.
    pub(crate) fn look(&mut self, all: &[Status]) {
        let now = Instant::now();
        for (seen, status) in self.ranks.iter_mut().zip(all) {
            seen.look(now, status.lost);
        }
        for ((bar, seen), status) in self.bars.iter().zip(&self.ranks).zip(all) {
            bar.set_message(seen.line(status));
        }
        if self.bars.is_empty() && self.told.elapsed() >= LINE_EVERY {
            let took = self.told.elapsed();
            let texts: Vec<String> =
                all.iter().zip(&self.before).map(|(status, before)| lost_since(status, before, took)).collect();
            note!("{:>4} s  {}", self.began.elapsed().as_secs(), texts.join("   "));
            self.before = all.iter().take(self.before.len()).map(|status| status.lost).collect();
            self.told = now;
        }
    }

    /// Returns the time that ranks have lost from the first look to the last, in a line for each.
    pub(crate) fn summary(&self, all: &[Status]) -> String {
        let lines = self.ranks.iter().zip(all).filter_map(|(seen, status)| seen.summary(status));
        let more = all.len().saturating_sub(self.ranks.len());
        let more = (more > 0).then(|| format!("and {more} ranks that were not looked at\n"));
        lines.chain(more).collect()
    }
}

impl Drop for Detours {
    fn drop(&mut self) {
        self.bars.iter().for_each(ProgressBar::finish_and_clear);
    }
}

impl RankLosses {
    fn look(&mut self, now: Instant, lost: Lost) {
        if let Some((then, before)) = self.last {
            self.shares.push_back(lost.since(&before).share_of(now.duration_since(then).as_secs_f64()));
            if self.shares.len() > LOOKS {
                self.shares.pop_front();
            }
        }
        self.first = self.first.or(Some((now, lost)));
        self.last = Some((now, lost));
    }

    /// Returns the line of a rank in the summary, `rank 3 node  lost 1.29 % of 5.0 s in 1000 detours, longest 70.0 µs`.
    /// `None` before the second look.
    fn summary(&self, status: &Status) -> Option<String> {
        let ((begin, before), (end, lost)) = (self.first?, self.last?);
        let took_s = end.duration_since(begin).as_secs_f64();
        let Lost { detours, longest, .. } = lost.since(&before);
        let (rank, host, percent) = (status.rank, &status.host, lost.since(&before).share_of(took_s) * 100.0);
        let line = format!(
            "rank {rank:>3} {host}  lost {percent:.2} % of {took_s:.1} s in {detours} detours, longest {longest}\n"
        );
        (took_s > 0.0).then_some(line)
    }

    /// Returns the line of a rank on a terminal, `rank 0  1.52 %  longest 9.06 ms  ▁▁▂▇▁`.
    fn line(&self, status: &Status) -> String {
        let mean = self.shares.iter().sum::<f64>() / self.shares.len().max(1) as f64;
        let bars: String = self.shares.iter().map(|&share| bar(share)).collect();
        let (rank, host, longest) = (status.rank, &status.host, status.lost.longest);
        format!("rank {rank:>3} {host}  {:>6.2} %  longest {longest:<8} {bars:>LOOKS$}", mean * 100.0)
    }
}

/// Returns the time that a rank lost in a duration, as in `rank 0 1.52 % (2380 detours)`.
fn lost_since(status: &Status, before: &Lost, took: Duration) -> String {
    let lost = status.lost.since(before);
    let percent = lost.share_of(took.as_secs_f64()) * 100.0;
    format!("rank {} {percent:.2} % ({} detours)", status.rank, lost.detours)
}

fn bar(share: f64) -> char {
    let bars = BARS.iter().rev().find(|(least, _)| share >= *least);
    bars.map_or(' ', |&(_, bar)| bar)
}

#[cfg(test)]
mod tests {
    use super::*;
    use models::time::Span;
    use programs::rank::Phase;

    #[test]
    fn looks_become_bars_and_lines() {
        let lost = |us: u64| Lost { detours: us / 10, taken: Span::from_us(us), longest: Span::from_us(70) };
        let status = |us: u64| Status {
            rank: 3,
            process: 1,
            host: "node".to_owned(),
            phase: Phase::Calibration,
            task: 0,
            progress: 0,
            heartbeats: 0,
            lost: lost(us),
        };
        let (mut seen, begin) = (RankLosses::default(), Instant::now());
        for (look, us) in [0, 100, 300, 10_300, 10_300].into_iter().enumerate() {
            seen.look(begin + Duration::from_millis(200 * look as u64), lost(us));
        }
        let line = seen.line(&status(10_300));
        assert!(line.starts_with("rank   3 node    1.29 %  longest 70.0 µs"), "{line}");
        assert!(line.ends_with("▁▂▅ "), "{line}");
        assert_eq!(
            seen.summary(&status(10_300)).as_deref(),
            Some("rank   3 node  lost 1.29 % of 0.8 s in 1030 detours, longest 70.0 µs\n")
        );
        assert_eq!(RankLosses::default().summary(&status(0)), None);
        let told = lost_since(&status(10_300), &lost(300), Duration::from_secs(1));
        assert_eq!(told, "rank 3 1.00 % (1000 detours)");
    }
}
