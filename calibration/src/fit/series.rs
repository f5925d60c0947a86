//! Samples as series of numbers in µs, without the duration of clock readings.

use super::FitError;
use models::time::Span;
use programs::calibration::{Prtt, Readings, Sample};
use rand_chacha::ChaCha8Rng;
use statistics::{ResampledMedians, median, trimmed_mean};

/// Kind of exchange that was timed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum What {
    /// Ping-pong: PRTT(1, 0, s).
    PingPong,
    /// Train: PRTT(n, 0, s), n > 1.
    Train { messages: u32 },
    /// Sends of such a train.
    Sending { messages: u32 },
    /// Train with delays: PRTT(n, d, s), n > 1, d > 0.
    DelayedTrain { messages: u32, delay_us: f64 },
    /// Send whose receiver came late.
    Send,
    /// Receive that came late.
    Receive,
    /// Send whose receiver waited.
    LateSend,
}

/// Samples of one kind of exchange and length.
pub(super) struct Series {
    pub what: What,
    pub bytes: u64,
    pub samples_us: Vec<f64>,
}

/// Returns all series, round trips first; late exchanges of lengths without ping-pongs are left out.
///
/// # Errors
/// Names the samples that are missing.
pub(super) fn all(samples: &[Sample]) -> Result<Vec<Series>, FitError> {
    let (first, second) = readings_us(samples);
    let mut series = Vec::with_capacity(samples.len() + 1);
    for prtt in samples.iter().filter_map(Sample::round_trips) {
        round_trips(prtt, first, &mut series)?;
    }
    check(&series)?;
    let lengths: Vec<u64> = series.iter().filter(|series| series.what == What::PingPong).map(|s| s.bytes).collect();
    let mut push = |what, bytes, spans: &[Span], reading_us| {
        if spans.is_empty() {
            return Err(FitError::NoLateSamples { bytes });
        }
        series.push(Series { what, bytes, samples_us: without(spans, reading_us) });
        Ok(())
    };
    for sample in samples {
        match sample {
            Sample::LateReceives(late) if lengths.contains(&late.bytes) => {
                push(What::Send, late.bytes, &late.sends, first)?;
                push(What::Receive, late.bytes, &late.receives, second)?;
            }
            Sample::LateSends(late) if lengths.contains(&late.bytes) => {
                push(What::LateSend, late.bytes, &late.sends, first)?;
            }
            Sample::RoundTrips(_)
            | Sample::LateReceives(_)
            | Sample::LateSends(_)
            | Sample::Readings(_)
            | Sample::Left(_)
            | Sample::Touched(_)
            | Sample::Looked(_) => {}
        }
    }
    Ok(pooled(series))
}

/// Merges series of one kind and length, of several calibrations of one machine.
fn pooled(series: Vec<Series>) -> Vec<Series> {
    let mut all: Vec<Series> = Vec::with_capacity(series.len());
    for one in series {
        match all.iter_mut().find(|known| known.what == one.what && known.bytes == one.bytes) {
            Some(known) => known.samples_us.extend(one.samples_us),
            None => all.push(one),
        }
    }
    all
}

/// Returns the duration of one clock reading on rank 0 and on rank 1; 0 if it was not measured.
pub(super) fn readings_us(samples: &[Sample]) -> (f64, f64) {
    let of = |pick: fn(&Readings) -> &Vec<Span>| {
        let spans = samples.iter().filter_map(Sample::readings).map(pick);
        // A clock's steps may be as long as a reading.
        let middle = trimmed_mean(&spans.flatten().map(|span| span.as_us()).collect::<Vec<_>>(), 0.25);
        middle.map_or(0.0, |middle| middle.value)
    };
    (of(|readings| &readings.first), of(|readings| &readings.second))
}

fn round_trips(prtt: &Prtt, reading_us: f64, series: &mut Vec<Series>) -> Result<(), FitError> {
    let Prtt { messages, bytes, .. } = *prtt;
    if messages == 0 || prtt.round_trips.is_empty() {
        return Err(FitError::NoSamples { messages, bytes });
    }
    let what = match messages {
        1 => What::PingPong,
        _ if prtt.delay == Span::ZERO => What::Train { messages },
        _ => What::DelayedTrain { messages, delay_us: prtt.delay.as_us() },
    };
    series.push(Series { what, bytes, samples_us: without(&prtt.round_trips, reading_us) });
    if matches!(what, What::Train { .. }) && !prtt.sending.is_empty() {
        let samples_us = without(&prtt.sending, reading_us);
        series.push(Series { what: What::Sending { messages }, bytes, samples_us });
    }
    Ok(())
}

fn without(spans: &[Span], reading_us: f64) -> Vec<f64> {
    spans.iter().map(|span| span.as_us() - reading_us).collect()
}

fn check(series: &[Series]) -> Result<(), FitError> {
    let ping_pongs = || series.iter().filter(|series| series.what == What::PingPong);
    let first = ping_pongs().next().ok_or(FitError::OneLength)?;
    if ping_pongs().all(|series| series.bytes == first.bytes) {
        return Err(FitError::OneLength);
    }
    if let Some(series) = ping_pongs().find(|series| median(&series.samples_us).is_none_or(|median| median <= 0.0)) {
        return Err(FitError::NoTime { bytes: series.bytes });
    }
    for train in series {
        let messages = match train.what {
            What::Train { messages } | What::DelayedTrain { messages, .. } => messages,
            What::PingPong | What::Sending { .. } | What::Send | What::Receive | What::LateSend => continue,
        };
        if ping_pongs().all(|series| series.bytes != train.bytes) {
            return Err(FitError::NoPingPong { messages, bytes: train.bytes });
        }
    }
    Ok(())
}

/// Returns the median of each series.
pub(super) fn medians(series: &[Series]) -> Vec<f64> {
    series.iter().map(|series| median(&series.samples_us).unwrap_or(f64::NAN)).collect()
}

/// Returns the medians of this number of resamples of all series together.
pub(super) fn resampled(series: &[Series], resamples: u32, rng: &mut ChaCha8Rng) -> Vec<Vec<f64>> {
    let of: Vec<ResampledMedians> =
        series.iter().filter_map(|series| ResampledMedians::from_samples(&series.samples_us)).collect();
    (0..resamples).map(|_| of.iter().map(|medians| medians.sample_median(rng)).collect()).collect()
}
