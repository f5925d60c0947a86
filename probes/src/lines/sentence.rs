//! The result of lines between cores, in one sentence.

use super::{CorePair, Lines};
use models::names::counted;
use render::groups::stretches;

impl Lines {
    /// Returns the result in one plain sentence.
    pub fn sentence(&self) -> String {
        let changes: usize = self.pairs.iter().map(|pair| pair.changes).sum();
        let Some(seconds) = self.for_s else {
            return match changed(&self.pairs) {
                0 => self.places(),
                pairs => format!("{}; {} changed during the probe (--for shows more)", self.places(), count(pairs)),
            };
        };
        let (seconds, shares) = (format!("{seconds} s"), self.shares());
        match (changes, self.pairs.len()) {
            (0, 1) => format!("the state did not change in {seconds}: {shares}"),
            (0, _) => format!("{}; no pair changed in {seconds}: {shares}", self.places()),
            (_, 1) => format!("the state changed {} in {seconds}: {shares}", times(changes)),
            (_, all) => {
                let some = changed(&self.pairs);
                format!("{some} of {all} pairs changed their state in {seconds}, {} in all: {shares}", times(changes))
            }
        }
    }

    /// Describes the classes and the cores between which they are found.
    fn places(&self) -> String {
        let unclear = self.pairs.iter().filter(|pair| pair.class.is_none()).count();
        let Some(nearest) = self.seen.first() else {
            let (low, high) = self.matrix().range().unwrap_or_default();
            return format!("no class is clear: a cache line takes {low:.0} to {high:.0} ns from core to core");
        };
        let rest = if unclear > 0 { format!(", {} unclear", count(unclear)) } else { String::new() };
        let met: Vec<usize> = (0..self.seen.len()).filter(|class| self.pairs_of(*class) > 0).collect();
        match (&self.pairs[..], &met[..]) {
            ([one], _) => {
                let [from, to] = one.cores;
                let unclear = if one.class.is_none() { ", which is no clear class" } else { "" };
                format!("a cache line takes {:.0} ns between cores {from} and {to}{unclear}", one.line_ns)
            }
            (_, [class]) => {
                let ns = self.seen[*class].line_ns;
                let pairs = if unclear == 0 { "all pairs of cores" } else { "all clear pairs" };
                format!("{pairs} have the same latency: a cache line takes {ns:.0} ns{rest}")
            }
            (_, [0, far]) if unclear == 0 && self.groups().is_some() => {
                let groups = self.groups().unwrap_or_default();
                let groups: Vec<String> = groups.iter().map(|group| ranges(group)).collect();
                let far = self.seen[*far].line_ns;
                format!(
                    "two classes: {:.0} ns within cores {}, {far:.0} ns between",
                    nearest.line_ns,
                    groups.join(" and ")
                )
            }
            _ => {
                let of =
                    |class: &usize| format!("{:.0} ns ({})", self.seen[*class].line_ns, count(self.pairs_of(*class)));
                let classes: Vec<String> = met.iter().map(of).collect();
                format!("{} classes: {}{rest}", met.len(), classes.join(", "))
            }
        }
    }

    fn pairs_of(&self, class: usize) -> usize {
        self.pairs.iter().filter(|pair| pair.class == Some(class)).count()
    }

    /// Returns groups of cores with all near pairs inside, and no far one; groups of a single core are left out.
    /// Returns `None` where the near cores of a near core are not near.
    fn groups(&self) -> Option<Vec<Vec<usize>>> {
        let near = |one: usize, other: usize| {
            let cores = [one.min(other), one.max(other)];
            self.pairs.iter().any(|pair| pair.cores == cores && pair.class == Some(0))
        };
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for &core in &self.cores {
            match groups.iter_mut().find(|group| near(group[0], core)) {
                Some(group) => group.push(core),
                None => groups.push(vec![core]),
            }
        }
        let of = |core: usize| groups.iter().position(|group| group.contains(&core));
        let whole = self.pairs.iter().all(|pair| (of(pair.cores[0]) == of(pair.cores[1])) == (pair.class == Some(0)));
        groups.retain(|group| group.len() > 1);
        whole.then_some(groups)
    }

    /// Prints the shares of classes: `near (30 ns) 62 %, far (160 ns) 30 %, unclear 8 %`. A single class needs no name.
    fn shares(&self) -> String {
        let mut shares: Vec<String> = self
            .seen
            .iter()
            .map(|class| match (self.seen.len(), percent(class.share)) {
                (1, share) => format!("a cache line took {:.0} ns in {share} of looks", class.line_ns),
                (_, share) => format!("{} ({:.0} ns) {share}", class.name, class.line_ns),
            })
            .collect();
        let unclear = self.unclear_share();
        if unclear > 0.0 {
            shares.push(format!("unclear {}", percent(unclear)));
        }
        shares.join(", ")
    }

    /// Returns the share of looks of no clear class.
    pub(super) fn unclear_share(&self) -> f64 {
        let unclear: usize = self.pairs.iter().map(|pair| pair.unclear).sum();
        unclear as f64 / self.looks.len().max(1) as f64
    }
}

fn changed(pairs: &[CorePair]) -> usize {
    pairs.iter().filter(|pair| pair.changes > 0).count()
}

fn count(pairs: usize) -> String {
    counted(pairs, "pair")
}

fn times(count: usize) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}

/// Prints a share so that little is not 0 % and almost everything is not 100 %.
pub(super) fn percent(share: f64) -> String {
    match share * 100.0 {
        little if little > 0.0 && little < 1.0 => "under 1 %".to_owned(),
        much if much > 99.0 && much < 100.0 => "over 99 %".to_owned(),
        some => format!("{some:.0} %"),
    }
}

/// Prints ascending numbers as ranges: `0-3,8`.
fn ranges(numbers: &[usize]) -> String {
    let words = |&(first, last): &(usize, usize)| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    };
    stretches(numbers.iter().copied()).iter().map(words).collect::<Vec<_>>().join(",")
}
