//! Lists of numbers in a flag or a file: `8,1KiB`, `8..64KiB` (doubling), `8..64KiB*4`, `0..64+8`, `2..1000/20` (20
//! numbers).

use super::Numbers;

/// Description of the forms of a list, for messages.
const FORMS: &str = "a number, a list like 8,1024, or a range like 8..1024 (doubling), 8..1024*4, 0..64+8 or \
                     2..1000/20 (20 log-spaced numbers)";

/// Returns the error for `2-16` and `2:16`, which look like ranges.
fn looks_like_a_range(part: &str) -> Option<String> {
    let (from, to) = part.split_once(['-', ':'])?;
    let begins = |text: &str| text.trim().starts_with(|first: char| first.is_ascii_digit());
    (begins(from) && begins(to)).then(|| format!("expected {FORMS}, found \"{part}\""))
}

impl Numbers {
    /// Returns the numbers of a list. `read` reads one of them, with its unit if it has one.
    ///
    /// # Errors
    /// Names the part that cannot be read, and the text expected in its place.
    pub fn listed(text: &str, read: impl Fn(&str) -> Result<u64, String>) -> Result<Numbers, String> {
        let mut numbers = Numbers::default();
        numbers.push_listed(text, read).map(|()| numbers)
    }

    /// Appends the numbers of a list.
    pub(super) fn push_listed(&mut self, text: &str, read: impl Fn(&str) -> Result<u64, String>) -> Result<(), String> {
        for part in text.split(',').map(str::trim) {
            if part.is_empty() {
                return Err(format!("expected {FORMS}, found \"{text}\""));
            }
            match part.split_once("..") {
                None => self.push(read(part).map_err(|message| looks_like_a_range(part).unwrap_or(message))?),
                Some((from, rest)) => self.push_range(part, from, rest, &read)?,
            }
        }
        Ok(())
    }

    /// Appends a range `from..to`, `from..to*factor`, `from..to+step` or `from..to/count`.
    fn push_range(
        &mut self,
        part: &str,
        from: &str,
        rest: &str,
        read: &impl Fn(&str) -> Result<u64, String>,
    ) -> Result<(), String> {
        let wrong = |what: &str| Err(format!("{what}, found \"{part}\""));
        let (to, way) = rest.split_at(rest.find(['*', '+', '/']).unwrap_or(rest.len()));
        let (from, to) = (read(from.trim())?, read(to.trim())?);
        if from > to {
            return wrong("expected a range from the smaller to the larger number");
        }
        let (way, number) = if way.is_empty() { ("*", "2") } else { way.split_at(1) };
        match way {
            "*" => match number.trim().parse() {
                Ok(0 | 1) | Err(_) => return wrong("expected a whole factor of at least 2"),
                Ok(_) if from == 0 => return wrong("0 times a factor is 0: expected 0..64+8, or 0,8..64"),
                Ok(factor) => self.push_factors(from, to, factor),
            },
            "/" => match number.trim().parse() {
                Ok(count) if (2..=10_000).contains(&count) => self.push_ratios(from, to, count),
                _ => return wrong("expected 2 to 10000 numbers"),
            },
            _ => match read(number.trim())? {
                0 => return wrong("expected a step of at least 1"),
                step => self.push_steps(from, to, step),
            },
        }
        Ok(())
    }

    /// Returns all numbers, if there are at most `most`.
    ///
    /// # Errors
    /// Fails with the count if there are more.
    pub fn all(&self, most: u64) -> Result<Vec<u64>, String> {
        let count = self.count();
        if count > most {
            Err(format!("expected at most {most} numbers, found {count}"))
        } else {
            Ok(self.iter().collect())
        }
    }

    /// Iterates over the numbers in order.
    pub fn iter(&self) -> impl Iterator<Item = u64> {
        (0..self.count()).map(|index| self.get(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Result<Vec<u64>, String> {
        let read = |text: &str| text.parse().map_err(|_| format!("expected a number, found \"{text}\""));
        Numbers::listed(text, read)?.all(100)
    }

    #[test]
    fn lists_doublings_factors_and_steps() {
        assert_eq!(all("7"), Ok(vec![7]));
        assert_eq!(all("8, 1"), Ok(vec![8, 1]));
        assert_eq!(all("8..64"), Ok(vec![8, 16, 32, 64]));
        assert_eq!(all("8..100"), Ok(vec![8, 16, 32, 64]));
        assert_eq!(all("0,8..64*4,1..9+4"), Ok(vec![0, 8, 32, 1, 5, 9]));
        assert_eq!(all("5..5"), Ok(vec![5]));
        assert_eq!(all("1..100/3,7"), Ok(vec![1, 10, 100, 7]));
    }

    #[test]
    fn what_is_no_list_is_refused_with_the_part_that_is_wrong() {
        let texts = [
            "",
            "8,,9",
            "8,x",
            "..8",
            "8..",
            "64..8",
            "0..8",
            "1..8*1",
            "1..8*two",
            "1..8+0",
            "1..8*2+2",
            "1..8/1",
            "0..1000+1",
        ];
        let said = texts.map(|text| format!("{text:?}\n  → {}", all(text).expect_err(text)));
        insta::assert_snapshot!(said.join("\n"));
    }
}
