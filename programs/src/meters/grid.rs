//! Grid of ranks in three dimensions.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Numbers of ranks along each axis. Rank x + X (y + Y z) is at (x, y, z).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grid(pub [u32; 3]);

impl Grid {
    /// Grid of `ranks` ranks that is nearest to a cube: the one with the least sum of sides among those with the least
    /// largest side. The longest side comes first.
    pub fn for_ranks(ranks: u32) -> Grid {
        let divisors = |number: u32| (1..=number).filter(move |side| number.is_multiple_of(*side));
        let all = divisors(ranks).flat_map(|x| divisors(ranks / x).map(move |y| [x, y, ranks / x / y]));
        let sorted = all.filter(|[x, y, z]| x >= y && y >= z);
        Grid(sorted.min_by_key(|sides| (sides[0], sides.iter().sum::<u32>())).unwrap_or([ranks, 1, 1]))
    }

    /// Number of ranks; `None` beyond the range of `u32`.
    pub fn ranks(self) -> Option<u32> {
        self.0.iter().try_fold(1_u32, |product, side| product.checked_mul(*side))
    }

    /// Coordinates of a rank on the grid.
    pub fn place(self, rank: u32) -> [u32; 3] {
        let [x, y, _] = self.0;
        [rank % x, rank / x % y, rank / x / y]
    }

    /// Rank at a distance from another one; `None` beyond the border of a grid that is not periodic.
    pub fn away(self, rank: u32, by: [i32; 3], periodic: bool) -> Option<u32> {
        let mut at = [0; 3];
        for axis in 0..3 {
            let (side, place) = (i64::from(self.0[axis]), i64::from(self.place(rank)[axis]) + i64::from(by[axis]));
            at[axis] = match periodic {
                true => place.rem_euclid(side),
                false if (0..side).contains(&place) => place,
                false => return None,
            };
        }
        let [x, y, _] = self.0.map(i64::from);
        Some((at[0] + x * (at[1] + y * at[2])) as u32)
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.0;
        write!(f, "{x}x{y}x{z}")
    }
}

impl FromStr for Grid {
    type Err = String;

    fn from_str(text: &str) -> Result<Grid, String> {
        let sides: Option<Vec<u32>> =
            text.split('x').map(|side| side.trim().parse().ok().filter(|&side| side > 0)).collect();
        match sides.as_deref() {
            Some(&[x]) => Ok(Grid([x, 1, 1])),
            Some(&[x, y]) => Ok(Grid([x, y, 1])),
            Some(&[x, y, z]) => Ok(Grid([x, y, z])),
            _ => Err(format!("expected up to three sides like 4x2x2, found '{text}'")),
        }
    }
}
