//! What noise costs the slowest of many ranks.

/// E[max of `ranks` delays] = ∫ (1 − (1 − P(delay > z))^ranks) dz, in µs, to about 0.01 µs; `beyond` is P(delay > z) for z in µs.
pub fn expected_worst_us(ranks: u32, beyond: impl Fn(f64) -> f64) -> f64 {
    let (step, mut z, mut sum) = (0.01, 0.005, 0.0);
    loop {
        let term = -(f64::from(ranks) * (-beyond(z)).ln_1p()).exp_m1();
        sum += term * step;
        z += step;
        if term < 1e-9 || z > 1e5 {
            return sum;
        }
    }
}
