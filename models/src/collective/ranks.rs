//! Numbers of ranks that an algorithm is for.

crate::named! {
    /// Numbers of ranks that an algorithm is for; all are for one rank.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Ranks {
        /// Any number of ranks.
        Any => "any", "any number of ranks",
        /// Even numbers of ranks, and one rank.
        Even => "even", "an even number of ranks",
        /// Powers of two of ranks.
        PowerOfTwo => "power-of-two", "a power of two of ranks",
    }
    /// The name used in files.
    fn name;
    /// Words for these numbers within a sentence.
    fn words;
}

impl Ranks {
    /// Returns true if this number of ranks is among them.
    pub fn include(self, ranks: u32) -> bool {
        self.at_most(ranks) == ranks
    }

    /// Returns the largest of them that is no larger than `ranks` ≥ 1.
    pub fn at_most(self, ranks: u32) -> u32 {
        match self {
            Ranks::Any => ranks,
            Ranks::Even => (ranks & !1).max(1),
            Ranks::PowerOfTwo => 1 << ranks.max(1).ilog2(),
        }
    }

    /// Returns the smallest of them that is larger than `ranks`, where there is one.
    fn above(self, ranks: u32) -> Option<u32> {
        match self {
            Ranks::Any => ranks.checked_add(1),
            Ranks::Even => (ranks | 1).checked_add(1),
            Ranks::PowerOfTwo => ranks.checked_add(1).and_then(u32::checked_next_power_of_two),
        }
    }

    /// Checks that a number of ranks ≥ 1 is among them.
    ///
    /// # Errors
    /// Names the nearest ones: `it is for a power of two of ranks; expected 4 or 8, found 6`.
    pub fn check(self, ranks: u32) -> Result<(), String> {
        if self.include(ranks) {
            return Ok(());
        }
        let above = self.above(ranks).map(|above| format!(" or {above}")).unwrap_or_default();
        Err(format!("it is for {}; expected {}{above}, found {ranks}", self.words(), self.at_most(ranks)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_refused_is_told_with_what_is_near() {
        for ranks in 1..=70 {
            assert!(Ranks::Any.include(ranks));
            assert_eq!(Ranks::Even.include(ranks), ranks == 1 || ranks % 2 == 0);
            assert_eq!(Ranks::PowerOfTwo.include(ranks), ranks.is_power_of_two());
            for kind in Ranks::ALL {
                assert_eq!(kind.check(ranks).is_ok(), kind.include(ranks));
                assert!(kind.include(kind.at_most(ranks)) && kind.at_most(ranks) <= ranks);
            }
        }
        assert!(Ranks::PowerOfTwo.check(6).unwrap_err().contains("expected 4 or 8, found 6"));
        assert!(Ranks::Even.check(7).unwrap_err().contains("expected 6 or 8, found 7"));
        assert!(Ranks::PowerOfTwo.check(u32::MAX).unwrap_err().ends_with("expected 2147483648, found 4294967295"));
    }
}
