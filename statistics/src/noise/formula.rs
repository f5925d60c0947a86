//! The closed form of the time by which noise prolongs a grain, from the figures of detours class by class.

use super::classes::Figures;
use models::time::Span;

/// Time that a class of detours adds to a grain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elongation {
    /// Probability that a grain is hit on at least one rank, P = 1 − (1 − t/g)^(1/S).
    pub probability: f64,
    /// Time that such a hit adds, d, in µs.
    pub detour_us: f64,
}

impl Elongation {
    /// Returns the mean time by which the grain takes longer, P d, in µs.
    pub fn mean_us(&self) -> f64 {
        self.probability * self.detour_us
    }
}

/// Reason for which the closed form does not hold for a class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Refused {
    /// Number of detours of one rank that fall into one grain, t/g. The form is for less than one.
    pub detours_per_grain: f64,
}

/// Returns the time that a class adds to a grain of work t that all ranks begin together and wait for the last of,
/// given the class's simultaneity S (of all ranks, or of those that have such detours). It is zero without detours.
///
/// # Errors
///
/// Fails for a grain that is not shorter than the mean time between a rank's detours.
pub fn elongation(figures: &Figures, simultaneity: Option<f64>, grain: Span) -> Result<Elongation, Refused> {
    let (Some(gap_us), Some(mean), Some(simultaneity)) = (figures.gap_us(), figures.mean(), simultaneity) else {
        return Ok(Elongation { probability: 0.0, detour_us: 0.0 });
    };
    let detours_per_grain = grain.as_us() / gap_us;
    if detours_per_grain >= 1.0 {
        return Err(Refused { detours_per_grain });
    }
    // 1 − (1 − x)^y without loss where x is small.
    let probability = -(f64::ln_1p(-detours_per_grain) / simultaneity).exp_m1();
    Ok(Elongation { probability, detour_us: mean.as_us() })
}

/// Returns the time of a grain of work t under all classes, t + Σ P d, in µs, given which simultaneity of each counts.
///
/// # Errors
///
/// Fails where [`elongation`] fails, for the first such class.
pub fn prolonged_us(
    figures: &[Figures],
    simultaneity: impl Fn(&Figures) -> Option<f64>,
    grain: Span,
) -> Result<f64, Refused> {
    let added = figures.iter().map(|class| elongation(class, simultaneity(class), grain).map(|added| added.mean_us()));
    Ok(grain.as_us() + added.sum::<Result<f64, Refused>>()?)
}
