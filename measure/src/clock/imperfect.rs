//! A clock of this machine read through a clock model, as simulated ranks read theirs: its errors are known.
//!
//! True time is the machine's clock from the origin of its scale on. A reading is the model's value at that time, in
//! ps.

use super::{Rate, RealClock};
use models::clock::{ClockKind, ClockModel, DrawnClocks, Ticks, Timescale};
use models::time::Time;

struct Imperfect {
    base: &'static AnyClock,
    scale: Timescale,
    model: ClockModel,
    /// Duration of a reading in ticks of the base. The value is taken at its end.
    cost_ticks: u64,
    name: &'static str,
}

type AnyClock = dyn RealClock;

/// Makes the clock of a rank from a clock whose ticks `scale` explains. It stays as long as the program runs, which is
/// as long as its rank.
pub fn imperfect(base: &'static AnyClock, scale: Timescale, clocks: &DrawnClocks, rank: u32) -> &'static AnyClock {
    let model = clocks.clock_model(rank);
    let cost_ticks = scale.reading(Time::ZERO + model.read_cost).0 - scale.origin.0;
    let name = Box::leak(format!("{}, imperfect", base.name()).into_boxed_str());
    Box::leak(Box::new(Imperfect { base, scale, model, cost_ticks, name }))
}

impl RealClock for Imperfect {
    fn kind(&self) -> ClockKind {
        self.base.kind()
    }

    fn name(&self) -> &'static str {
        self.name
    }

    fn read(&self) -> Ticks {
        let begun = self.base.read();
        let mut now = begun;
        while now.0.saturating_sub(begun.0) < self.cost_ticks {
            now = self.base.read();
        }
        self.model.reading(self.scale.time(now))
    }

    fn rate(&self) -> Rate {
        Rate::known(Timescale::PICOSECONDS.ticks_per_second)
    }

    /// As for simulated ranks, the reading at true time zero is the clock's offset.
    fn origin(&self) -> Ticks {
        Timescale::PICOSECONDS.origin
    }

    fn is_shared(&self) -> bool {
        false
    }

    fn granularity_ticks(&self) -> u64 {
        self.model.granularity.0.max(1)
    }

    fn true_time(&self) -> Option<(&'static AnyClock, Timescale)> {
        Some((self.base, self.scale))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{ClockMonotonicRaw, timescale, timescale_at};
    use models::clock::ClockSpread;
    use models::time::Span;

    #[test]
    fn it_shows_what_the_model_makes_of_the_base() {
        let base: &'static AnyClock = &ClockMonotonicRaw;
        let scale = timescale(base);
        let spread = ClockSpread {
            largest_offset: Span::from_ms(900),
            largest_skew_ppm: 100_000.0,
            granularity: Span::from_us(1),
            read_cost: Span::from_us(3),
            ..ClockSpread::default()
        };
        let clocks = DrawnClocks { spread, seed: 5 };
        for rank in 0..4 {
            let (clock, model) = (imperfect(base, scale, &clocks, rank), clocks.clock_model(rank));
            let before = scale.time(base.read());
            let shown = clock.read();
            let behind = scale.time(base.read());
            assert!(behind.since(before) >= spread.read_cost, "a reading takes {}", behind.since(before));
            assert!(
                model.reading(before) <= shown && shown <= model.reading(behind),
                "{before:?} {shown:?} {behind:?}"
            );
            assert_eq!(shown.0 % 1_000_000, 0, "in steps of a microsecond");
            let own = timescale_at(clock, clock.rate());
            assert_eq!((own.origin, own.granularity_ticks), (Ticks(0), 1_000_000));
            assert!(!clock.is_shared() && clock.true_time().is_some_and(|(_, of)| of == scale));
        }
    }
}
