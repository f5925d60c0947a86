//! Kernels of STREAM (McCalpin 1995) on regions of memory, on whole and on floating-point numbers.

use super::{StepTimes, meet};
use crate::rank::{Phase, Rank};
use models::clock::GlobalClock;
use serde::{Deserialize, Serialize};
use std::hint::black_box;

models::named! {
    /// Type of the numbers in memory.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Element {
        /// Whole numbers of 64 bits.
        Int => "int",
        /// Floating-point numbers of 64 bits.
        Float => "float",
    }
    /// Name of the type in files and flags.
    fn name;
    find("element"); Display(name);
}

/// Regions of memory on which each rank works, one after the other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Regions {
    /// Size of each of the three arrays of the kernels on each rank, in bytes.
    pub bytes: u64,
    /// Number of regions into which each array is divided.
    pub regions: u32,
    /// Types of the numbers in memory.
    pub elements: Vec<Element>,
    /// Number of repetitions of the work on all regions.
    pub repetitions: u32,
    /// Number of threads of other programs that copy memory at the same time. The starter of the ranks starts them.
    pub disturbers: u32,
}

/// Bytes that the four kernels read and write of each element: copy 2, scale 2, add 3, triad 3.
const BYTES_OF_AN_ELEMENT: u64 = (2 + 2 + 3 + 3) * 8;

impl Regions {
    /// Returns a series for each region and element: all four kernels once.
    pub(super) async fn run<R: Rank>(&self, rank: &R, clock: &GlobalClock) -> Vec<StepTimes> {
        let mut all = Vec::new();
        for element in &self.elements {
            rank.enter_phase(Phase::Metering);
            let mut series = match element {
                Element::Int => self.measure::<R, u64>(rank, clock, *element).await,
                Element::Float => self.measure::<R, f64>(rank, clock, *element).await,
            };
            all.append(&mut series);
        }
        all
    }

    async fn measure<R: Rank, T: StreamNumber>(
        &self,
        rank: &R,
        clock: &GlobalClock,
        element: Element,
    ) -> Vec<StepTimes> {
        let count = (self.bytes / 8 / u64::from(self.regions)).max(1) as usize;
        let whole = count * self.regions as usize;
        // The arrays are written, so that every page is present.
        let mut arrays = [1, 2, 0].map(|value| vec![T::from(value); whole]);
        let bytes = count as u64 * BYTES_OF_AN_ELEMENT;
        let name = |region: u32| format!("{element}, region {region}");
        let mut series: Vec<StepTimes> =
            (0..self.regions).map(|region| StepTimes::new(name(region), bytes, self.repetitions)).collect();
        // The first repetition is not timed, because ranks begin in it.
        for repetition in 0..=self.repetitions {
            meet(rank).await;
            for (region, series) in series.iter_mut().enumerate() {
                let part = region * count..(region + 1) * count;
                let [a, b, c] = &mut arrays;
                let begin = rank.read_clock();
                kernels(&mut a[part.clone()], &mut b[part.clone()], &mut c[part]);
                let end = rank.read_clock();
                if repetition > 0 {
                    series.push(rank, clock, begin, end);
                }
            }
            rank.enter_phase(Phase::Metering);
        }
        black_box(&arrays);
        meet(rank).await;
        series
    }
}

/// Number of 64 bits; whole numbers wrap.
trait StreamNumber: Copy + From<u32> {
    /// STREAM's scalar. For floating-point numbers it is √2 − 1, with which all kernels together leave the first array
    /// unchanged, so that numbers neither grow nor vanish.
    const SCALAR: Self;

    fn plus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
}

impl StreamNumber for u64 {
    const SCALAR: u64 = 3;

    #[inline(always)]
    fn plus(self, other: u64) -> u64 {
        self.wrapping_add(other)
    }

    #[inline(always)]
    fn times(self, other: u64) -> u64 {
        self.wrapping_mul(other)
    }
}

impl StreamNumber for f64 {
    const SCALAR: f64 = std::f64::consts::SQRT_2 - 1.0;

    #[inline(always)]
    fn plus(self, other: f64) -> f64 {
        self + other
    }

    #[inline(always)]
    fn times(self, other: f64) -> f64 {
        self * other
    }
}

/// Runs the kernels: copy c = a, scale b = s c, add c = a + b, triad a = b + s c.
fn kernels<T: StreamNumber>(a: &mut [T], b: &mut [T], c: &mut [T]) {
    c.copy_from_slice(a);
    black_box(&mut *c);
    b.iter_mut().zip(&*c).for_each(|(b, c)| *b = T::SCALAR.times(*c));
    black_box(&mut *b);
    c.iter_mut().zip(&*a).zip(&*b).for_each(|((c, a), b)| *c = a.plus(*b));
    black_box(&mut *c);
    a.iter_mut().zip(&*b).zip(&*c).for_each(|((a, b), c)| *a = b.plus(T::SCALAR.times(*c)));
    black_box(&mut *a);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_are_streams_and_numbers_stay_what_they_are() {
        let (mut a, mut b, mut c) = (vec![1.0; 5], vec![2.0; 5], vec![0.0; 5]);
        (0..10_000).for_each(|_| kernels(&mut a, &mut b, &mut c));
        let s = f64::SCALAR;
        assert!(
            (a[3] - 1.0).abs() < 1e-9 && (b[0] - s).abs() < 1e-9 && (c[4] - 1.0 - s).abs() < 1e-9,
            "{a:?} {b:?} {c:?}"
        );
        let (mut a, mut b, mut c) = (vec![1_u64; 3], vec![2; 3], vec![0; 3]);
        kernels(&mut a, &mut b, &mut c);
        assert_eq!((a[0], b[1], c[2]), (15, 3, 4));
        (0..1_000).for_each(|_| kernels(&mut a, &mut b, &mut c));
        assert_eq!(a[0], a[2]);
    }
}
