//! A finish time as a function of a network's parameter: the varied parameter, its range, and the pieces of the
//! function.

use models::engine::Engine;
use models::network::Variable;
use models::piecewise::{MOST_RUNS, Pieces, Unfound};
use models::platform::Platform;
use models::quantity::parse;
use models::time::{PerByte, Span};
use reports::sweep::sensitivity::{Line, Panel};
use scenario::BadInput;
use sim::Simulation;
use std::ops::RangeInclusive;

/// Multiple of a parameter's value at which its default range ends; the range begins at zero.
const TIMES: f64 = 4.0;
/// End of the default range of a parameter that is zero, in ps (10 µs) and in ps per byte (10 ns/B).
const FROM_ZERO: (u64, u64) = (10_000_000, 10_000);

/// The reason why noise is refused.
pub(crate) const NO_NOISE: &str = "with noise, times are not piecewise linear in a parameter; leave out --noise";

/// A parameter that is varied.
#[derive(Clone, Debug, PartialEq)]
pub struct Varied {
    /// Parameter with its own value.
    pub variable: Variable,
    /// Range of the values, in ps, or ps per byte.
    pub range: RangeInclusive<u64>,
}

impl Varied {
    /// Reads `L` or `L=0..20us`; a bare number is in ns, or ns/B. `also` lists names of other values that the flag
    /// takes.
    ///
    /// # Errors
    /// Fails on a parameter that the model does not have, and lists those that it has; fails on an invalid range.
    pub fn read(
        flag: &str,
        also: &[&str],
        text: &str,
        model: &str,
        variables: &[Variable],
    ) -> Result<Varied, BadInput> {
        let (name, range) = text.split_once('=').map_or((text, None), |(name, range)| (name, Some(range)));
        let name = name.trim();
        let known: Vec<&str> = variables.iter().map(|variable| variable.name).collect();
        let variable = *variables.iter().find(|variable| variable.name == name).ok_or_else(|| {
            let near = models::names::suggestion(name, &known);
            let also = if also.is_empty() { String::new() } else { format!(", or of {}", also.join(", ")) };
            let known = known.join(", ") + &also;
            BadInput(format!(
                "{flag}: {model} has no parameter '{name}' that is a single time; expected one of {known}{near}"
            ))
        })?;
        let Some(range) = range else {
            let zero = if variable.per_byte { FROM_ZERO.1 } else { FROM_ZERO.0 };
            let to = if variable.value > 0.0 { (variable.value * TIMES).ceil() as u64 } else { zero };
            return Ok(Varied { variable, range: 0..=to });
        };
        let example = if variable.per_byte { "0..12ns/B" } else { "0..20us" };
        let wrong = |found: String| BadInput(format!("{flag} {text}: expected a range like {name}={example}, {found}"));
        let (from, to) = range.split_once("..").ok_or_else(|| wrong(format!("found '{range}'")))?;
        let number = |text: &str| value(text.trim(), variable.per_byte).map_err(wrong);
        let (from, to) = (number(from)?, number(to)?);
        if from >= to {
            return Err(wrong("the second number greater than the first".to_owned()));
        }
        Ok(Varied { variable, range: from..=to })
    }

    /// Reads a parameter as [`Varied::read`] does, of the network of a simulation without noise.
    ///
    /// # Errors
    /// Fails where [`Varied::read`] does, and on noise.
    pub fn of_simulation(flag: &str, also: &[&str], text: &str, simulation: &Simulation) -> Result<Varied, BadInput> {
        if !simulation.noise.is_none() {
            return Err(BadInput(format!("{flag} {text}: {NO_NOISE}")));
        }
        let network = &simulation.platform.network;
        Varied::read(flag, also, text, network.name(), &network.variable())
    }

    /// Returns the last finish of a simulation as a function of the parameter of its network.
    ///
    /// # Errors
    /// Fails where the simulator does, and on more pieces than can be distinguished.
    pub fn simulated(&self, flag: &str, name: &str, simulation: &Simulation, engine: Engine) -> Result<Line, BadInput> {
        let order = keeps_order(&simulation.platform);
        self.line(flag, name, order, |value| {
            let wrong =
                |error: String| BadInput(format!("{name} at {flag} {} = {value} ps: {error}", self.variable.name));
            let mut varied = simulation.clone();
            varied.platform.network = simulation.platform.network.with(self.variable.name, value).map_err(wrong)?;
            let outcome = varied.run(engine).map_err(|error| wrong(error.to_string()))?;
            Ok(outcome.finish.range().1.0)
        })
    }

    /// Returns the parameter as a panel of a picture, with these lines.
    pub fn panel(&self, lines: Vec<Line>) -> Panel {
        let Variable { name, value, per_byte } = self.variable;
        Panel { parameter: name.to_owned(), per_byte, own: value, lines }
    }

    /// Returns the pieces of a function over the range. `order` is the reason why it is not known to be convex, where
    /// that is so.
    ///
    /// # Errors
    /// Fails where the function does, and on more pieces than can be distinguished.
    pub fn line(
        &self,
        flag: &str,
        name: &str,
        order: Result<(), String>,
        function: impl FnMut(u64) -> Result<u64, BadInput>,
    ) -> Result<Line, BadInput> {
        let pieces = Pieces::find(self.range.clone(), order.is_ok(), function).map_err(|error| match error {
            Unfound::Failed(error) => error,
            Unfound::TooMany => BadInput(format!(
                "{flag} {}: more pieces than {MOST_RUNS} runs can resolve; expected a smaller range",
                self.variable.name
            )),
        })?;
        Ok(Line { name: name.to_owned(), pieces, doubt: order.err().unwrap_or_default() })
    }
}

/// Checks that the order of events does not depend on times. Simulated ranks carry out their steps in the order of
/// their program, and messages meet their receives in the order of both programs, but some refinements add costs that
/// depend on times.
fn keeps_order(platform: &Platform) -> Result<(), String> {
    let idles = platform.refinements().is_some_and(|refined| refined.idle.is_some());
    if platform.needs_order() || idles || platform.minds_waits() {
        return Err("the platform's refinements depend on the order of messages, or on waiting times".to_owned());
    }
    Ok(())
}

/// Parses a whole number of ps, or ps per byte.
fn value(text: &str, per_byte: bool) -> Result<u64, String> {
    let bare = text.ends_with(|last: char| last.is_ascii_digit() || last == '.');
    if !per_byte {
        let written = if bare { format!("{text} ns") } else { text.to_owned() };
        return parse::<Span>(&written).map(|span| span.0);
    }
    let written = if bare { format!("{text} ns/B") } else { text.to_owned() };
    let rate: PerByte = parse(&written)?;
    // 0.3 ns/B are 300 ps/B, although binary fractions differ slightly.
    let whole = rate.0.round();
    if (rate.0 - whole).abs() > 1e-6 {
        return Err(format!("in whole ps/B (0.001 ns/B), found {} ps/B", rate.0));
    }
    Ok(whole as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Varied, String> {
        let network = models::network::parse("loggops", None, None).unwrap();
        Varied::read("--sensitivity", &[], text, "loggops", &network.variable()).map_err(|error| error.to_string())
    }

    #[test]
    fn ranges_are_read_and_mistakes_told() {
        assert_eq!(read("L=0..20us").unwrap().range, 0..=20_000_000);
        assert_eq!(read("o=1..2.5").unwrap().range, 1_000..=2_500);
        assert_eq!(read("G=0..0.3ns/B").unwrap().range, 0..=300);
        assert_eq!(read("L").unwrap().range, 0..=10_000_000);
        assert_eq!(read("O").unwrap().range, 0..=10_000);
        for text in ["Q", "S", "L=5us", "L=5us..1us", "G=0..0.0005ns/B", "L=0..soon"] {
            let error = read(text).unwrap_err();
            assert!(error.starts_with("--sensitivity"), "{error}");
        }
    }
}
