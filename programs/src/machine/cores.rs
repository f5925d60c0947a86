//! Ranks on cores that are near and far: each pair of ranks has the parameters of the state with the most similar
//! latency of a cache line.

use super::{Arithmetic, Bound, CoreState, Extent, LINES_ALIKE, Machine};
use models::library::Library;
use models::platform::{Between, Pairs, Platform, Refinements};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Observation of the state of two cores by their ranks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairLook {
    /// Numbers of both cores, the lower first.
    pub cores: [usize; 2],
    /// Time of the observation, in s since the first one.
    pub at_s: f64,
    /// Latency of a cache line from one core to the other, in ns.
    pub line_ns: f64,
    /// Time of each core for the same work, in ns.
    pub work_ns: [f64; 2],
}

/// Latency of a cache line between every two cores, from the file that `parallax probe lines` writes.
#[derive(Clone, Debug, PartialEq)]
pub struct CoreLines {
    /// Name of the file, for output.
    pub name: String,
    cores: Vec<usize>,
    /// Two places of `cores`, the lower first, and the latency of a cache line in ns.
    lines: Vec<([usize; 2], f64)>,
}

impl CoreLines {
    /// Reads `lines.csv`: a header with `core_a`, `core_b` and `line_ns`, and a row for every two cores.
    ///
    /// # Errors
    /// Names the file, the line and the expected content.
    pub fn parse(name: &str, text: &str) -> Result<CoreLines, String> {
        let expected = "expected the file lines.csv of `parallax probe lines`";
        let mut rows = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let header: Vec<&str> = rows.next().map_or("", |(_, line)| line).split(',').map(str::trim).collect();
        let column = |wanted: &str| {
            let place = header.iter().position(|&known| known == wanted);
            place.ok_or_else(|| format!("{name} line 1: {expected}, found no column '{wanted}'"))
        };
        let (a, b, line_ns) = (column("core_a")?, column("core_b")?, column("line_ns")?);
        let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
        for (index, row) in rows {
            let cells: Vec<&str> = row.split(',').map(str::trim).collect();
            let cell = |place: usize| cells.get(place).copied().unwrap_or_default();
            let at = |what: &str, place| format!("{name} line {}: expected {what}, found '{}'", index + 1, cell(place));
            let core = |place| cell(place).parse::<usize>().map_err(|_| at("the number of a core", place));
            let ns = cell(line_ns).parse::<f64>().ok().filter(|ns| *ns > 0.0 && ns.is_finite());
            let pair = [core(a)?, core(b)?];
            if !seen.insert(pair) {
                let [one, other] = pair;
                return Err(format!(
                    "{name} line {}: {expected}, found cores {one} and {other} twice (looks.csv has every look)",
                    index + 1
                ));
            }
            found.push((pair, ns.ok_or_else(|| at("a time in ns", line_ns))?));
        }
        let mut cores: Vec<usize> = found.iter().flat_map(|(pair, _)| *pair).collect();
        cores.sort_unstable();
        cores.dedup();
        let place = |core: usize| cores.partition_point(|&known| known < core);
        let lines = found.iter().map(|&([one, other], ns)| {
            let (one, other) = (place(one), place(other));
            ([one.min(other), one.max(other)], ns)
        });
        let lines = CoreLines { name: name.to_owned(), lines: lines.collect(), cores };
        for (nth, &one) in lines.cores.iter().enumerate() {
            if let Some(missing) = (nth + 1..lines.cores.len()).find(|&other| lines.ns(nth, other).is_none()) {
                return Err(format!("{name}: {expected}, found no row of cores {one} and {}", lines.cores[missing]));
            }
        }
        if lines.cores.len() < 2 {
            return Err(format!("{name}: {expected}, found no two cores"));
        }
        Ok(lines)
    }

    fn ns(&self, one: usize, other: usize) -> Option<f64> {
        let wanted = [one.min(other), one.max(other)];
        self.lines.iter().find(|(pair, _)| *pair == wanted).map(|(_, ns)| *ns)
    }
}

impl Machine {
    /// The platform of ranks on these cores, in the order of their numbers: each pair of ranks has the parameters of
    /// the state with about the same latency of a cache line. Models and arithmetic are those of
    /// [`Machine::platform_up_to`].
    ///
    /// # Errors
    /// Fails if there are more ranks than cores, if no state was calibrated for two of the cores, or if the model was
    /// not calibrated.
    pub fn platform_on(
        &self,
        cores: &CoreLines,
        ranks: u32,
        model: &str,
        bound: Bound,
        arithmetic: Arithmetic,
    ) -> Result<Platform, String> {
        let (name, count) = (&cores.name, cores.cores.len());
        if ranks as usize > count {
            return Err(format!("{name}: it has {count} cores, and there are {ranks} ranks; probe as many cores"));
        }
        let states = self.at_full_speed();
        if states.is_empty() {
            return Err(format!(
                "machine {} has no cache line latency (line_ns): the state of its cores changed during the \
                 calibration, or was not observed; calibrate again, or write the latency that `parallax probe lines` \
                 prints into the file",
                self.name
            ));
        }
        for one in 0..ranks as usize {
            for other in 0..one {
                let ns = cores.ns(other, one).unwrap_or(f64::INFINITY);
                if nearest(&states, ns).is_none_or(|(_, factor)| factor > LINES_ALIKE) {
                    let [one, other] = [cores.cores[other], cores.cores[one]];
                    return Err(format!(
                        "{name}: a cache line takes {ns:.0} ns between cores {one} and {other}, and machine {} has the \
                         parameters of {}; calibrate that pair too, `taskset -c {one},{other} parallax calibrate {}--out \
                         FILE`, and name both files, separated by a comma",
                        self.name,
                        known(&states),
                        world(&self.provenance.ran_by)
                    ));
                }
            }
        }
        let kinds: Vec<Between> =
            states.iter().map(|state| state.between(model, bound, arithmetic)).collect::<Result<_, _>>()?;
        let place = |one: u32, other: u32| {
            let ns = cores.ns(one as usize, other as usize).unwrap_or(f64::INFINITY);
            nearest(&states, ns).map_or(0, |(place, _)| place)
        };
        let pairs = Pairs::new(ranks, kinds, place);
        let base = self.platform_up_to(Extent::Memory, model, bound, arithmetic)?;
        let refinements = base.refinements().cloned().unwrap_or_default();
        Ok(Platform::new(base.network, Refinements { pairs: Some(pairs), ..refinements }))
    }

    /// States whose cache-line latencies are known, without those of slowed cores: a state is slowed if another one has
    /// a similar latency and needs less time for the same work.
    fn at_full_speed(&self) -> Vec<&Machine> {
        let all = || self.states().filter_map(|machine| Some((machine, machine.core_state()?)));
        let is_slowed = |one: &CoreState| {
            all().any(|(_, other)| {
                other.at_any_speed().is_like(one) && !other.is_like(one) && other.work_ns < one.work_ns
            })
        };
        all().filter(|(_, state)| !is_slowed(state)).map(|(machine, _)| machine).collect()
    }

    /// Parameters of a pair of ranks in this state.
    fn between(&self, model: &str, bound: Bound, arithmetic: Arithmetic) -> Result<Between, String> {
        let platform = self.platform_up_to(Extent::Memory, model, bound, arithmetic)?;
        let refined = platform.refinements().cloned().unwrap_or_default();
        Ok(Between {
            line_ns: self.line_ns.unwrap_or_default(),
            network: platform.network,
            lines: refined.lines,
            duplex: refined.duplex,
            after_wait: refined.after_wait,
        })
    }
}

/// Place of the state with the nearest cache-line latency to `ns`, and the factor between both latencies.
fn nearest(states: &[&Machine], ns: f64) -> Option<(usize, f64)> {
    let factor = |state: &Machine| (state.line_ns.unwrap_or(f64::INFINITY) / ns).ln().abs().exp();
    let all = states.iter().enumerate().map(|(place, state)| (place, factor(state)));
    all.min_by(|(_, one), (_, other)| one.total_cmp(other))
}

fn known(states: &[&Machine]) -> String {
    states.iter().filter_map(|state| Some(format!("{:.0} ns", state.line_ns?))).collect::<Vec<_>>().join(" and ")
}

/// The flag that starts ranks of the library by which a machine was calibrated, according to its file.
fn world(ran_by: &str) -> String {
    let library = Library::all().find(|library| ran_by.starts_with(library.title));
    library.map(|library| format!("--world {} ", library.name)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{HockneyEstimate, Provenance};
    use models::network::{Network, SendRule};
    use models::time::Span;

    const FOUR: &str = "core_a,core_b,line_ns,class\n0,2,30,near\n0,8,110,far\n0,10,110,far\n2,8,115,far\n2,10,110,far\n8,10,31,near\n";

    fn machine(alpha_us: f64, line_ns: f64) -> Machine {
        let estimate = crate::machine::Estimate::exactly;
        let hockney = HockneyEstimate {
            alpha_us: estimate(alpha_us),
            beta_ns_per_byte: estimate(1.0),
            send_rule: SendRule::Synchronous,
        };
        let [date, host, ran_by, how] = [const { String::new() }; 4];
        let provenance = Provenance { date, host, ran_by, how, confidence: 0.95 };
        Machine { line_ns: Some(line_ns), ..Machine::new("both", provenance, hockney) }
    }

    fn on(machine: &Machine, text: &str, ranks: u32) -> Result<Platform, String> {
        let cores = CoreLines::parse("lines.csv", text)?;
        machine.platform_on(&cores, ranks, "hockney", Bound::Best, Arithmetic::Own)
    }

    #[test]
    fn pairs_have_the_network_of_the_state_whose_lines_take_as_long() {
        let both = Machine { other_states: vec![machine(9.0, 120.0)], ..machine(2.0, 33.0) };
        let platform = on(&both, FOUR, 4).expect("a platform");
        let alpha = |one, other| match platform.network_of(one, other) {
            Network::Hockney(hockney) => hockney.alpha,
            other => unreachable!("{other:?}"),
        };
        for (one, other, us) in [(0, 1, 2), (1, 0, 2), (0, 2, 9), (3, 1, 9), (2, 3, 2)] {
            assert_eq!(alpha(one, other), Span::from_us(us), "ranks {one} and {other}");
        }
        let pairs = platform.refinements().and_then(|refined| refined.pairs.clone()).expect("pairs");
        let counts: Vec<_> = pairs.counts().into_iter().map(|(between, pairs)| (between.line_ns, pairs)).collect();
        assert_eq!(counts, [(33.0, 2), (120.0, 4)]);
        assert!(platform.needs_order() && platform.check(5).is_err());
    }

    #[test]
    fn pairs_that_nobody_calibrated_are_told_with_the_command_that_does_so() {
        let far = on(&machine(2.0, 33.0), FOUR, 4).expect_err("no far state");
        assert!(far.contains("110 ns") && far.contains("`taskset -c 0,8 parallax calibrate"), "{far}");
        assert!(on(&machine(2.0, 33.0), FOUR, 2).is_ok(), "two ranks are near");
        let nobody_looked = Machine { line_ns: None, ..machine(2.0, 33.0) };
        let unknown = on(&nobody_looked, FOUR, 2).expect_err("no state");
        let crowded = on(&machine(2.0, 33.0), FOUR, 5).expect_err("too many ranks");
        insta::assert_snapshot!([far, unknown, crowded].join("\n"));
    }

    #[test]
    fn files_that_are_no_lines_are_refused_with_their_place() {
        let files = [
            ("", "lines.csv line 1:"),
            ("core_a,core_b,line_ns\n", "lines.csv"),
            ("core_a,core_b,line_ns\n0,1,3\n0,1,4\n", "lines.csv line 3:"),
            ("core_a,core_b,line_ns\n0,x,3\n", "lines.csv line 2:"),
            ("core_a,core_b,line_ns\n0,1,-3\n", "lines.csv line 2:"),
            ("core_a,core_b,line_ns\n0,1,3\n1,2,3\n", "lines.csv"),
        ];
        let said = files.map(|(text, place)| {
            let error = CoreLines::parse("lines.csv", text).expect_err("refused");
            assert!(error.starts_with(place), "{error}");
            format!("{text:?}\n  → {error}")
        });
        insta::assert_snapshot!(said.join("\n"));
    }
}
