//! Values of flags, each kind read in one place, so that help, completions and error messages use the same tables.

use analysis::p2p::RankPlace;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Command, Error};
use models::clock::{ClockKind, ClockSpread, DrawnClocks};
use models::collective::Collective;
use models::collective::decision::Library;
use models::network::Network;
use programs::method::{Buffer, Method, OneDelay, Preset};
use programs::observation::World;
use programs::sync::Sync;
use scenario::BadInput;
use std::ffi::OsStr;
use std::time::Duration;

/// Returns a parser of a name from a table, which help lists.
pub fn one_of<T: Copy + Send + std::marker::Sync + 'static>(
    all: impl IntoIterator<Item = T>,
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let all: Vec<T> = all.into_iter().collect();
    let names: Vec<&'static str> = all.iter().map(|&one| name(one)).collect();
    let named =
        move |text: String| all.iter().copied().find(|&one| name(one).eq_ignore_ascii_case(&text)).ok_or("unknown");
    PossibleValuesParser::new(names).try_map(named)
}

/// Returns a parser of names that are known when the command runs. Their meaning is read where they are used.
pub fn names(known: impl IntoIterator<Item = &'static str>) -> PossibleValuesParser {
    PossibleValuesParser::new(known.into_iter().collect::<Vec<_>>())
}

/// Returns a parser of methods whose numbers are reported.
pub fn method() -> impl TypedValueParser<Value = Method> {
    one_of(Method::reported(), Method::name)
}

/// Returns a parser of network models by their names. The last one is for schedules only.
pub fn models() -> impl TypedValueParser<Value = String> {
    names(Network::MODELS.into_iter().chain(["loggopsim-v1"])).map(|name| name.to_ascii_lowercase())
}

/// Returns a parser of the buffer states in which references are taken.
pub fn reference() -> impl TypedValueParser<Value = Buffer> {
    one_of(Buffer::REFERENCES, Buffer::name)
}

/// Parser of a benchmark by its name, or of one of its columns, like `osu:max`. Help lists the names.
#[derive(Clone)]
pub struct Benchmarks;

impl TypedValueParser for Benchmarks {
    type Value = String;

    fn parse_ref(&self, command: &Command, flag: Option<&Arg>, value: &OsStr) -> Result<String, Error> {
        let names = PossibleValuesParser::new(Preset::ALL.map(Preset::name));
        match value.to_str().map(Preset::printing) {
            // For a value that resembles no benchmark, the usual list is shown.
            Some(Err(message)) if value.to_string_lossy().contains(':') => {
                let flag = flag.map(ToString::to_string).unwrap_or_default();
                Err(Error::raw(ErrorKind::ValueValidation, format!("{flag}: {message}\n")).with_cmd(command))
            }
            Some(Ok(_)) => Ok(value.to_string_lossy().into_owned()),
            Some(Err(_)) | None => names.parse_ref(command, flag, value),
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Preset::ALL.into_iter().map(|preset| PossibleValue::new(preset.name()))))
    }
}

/// One delay of one rank, or none.
#[derive(Clone, Copy, Debug)]
pub struct OneDelayed(pub Option<OneDelay>);

impl OneDelayed {
    /// Reads a delay or `none`.
    pub fn parse(text: &str) -> Result<OneDelayed, String> {
        OneDelay::parse_or_none(text).map(OneDelayed)
    }
}

/// Returns a parser of worlds of real ranks.
pub fn world() -> impl TypedValueParser<Value = World> {
    Worlds(World::real().collect())
}

/// Returns a parser of worlds of real or simulated ranks.
pub fn place() -> impl TypedValueParser<Value = RankPlace> {
    Worlds(World::real().chain([World::Simulated]).collect()).map(|world| match world {
        World::Simulated => RankPlace::Simulated,
        World::Threads | World::Mpi(_) => RankPlace::Real(world),
    })
}

/// Parser of worlds by their names, and of a release of an MPI library, `openmpi@5.0.11`. Help lists the names.
#[derive(Clone)]
struct Worlds(Vec<World>);

impl TypedValueParser for Worlds {
    type Value = World;

    fn parse_ref(&self, command: &Command, flag: Option<&Arg>, value: &OsStr) -> Result<World, Error> {
        match World::find(&value.to_string_lossy(), self.0.iter().copied()) {
            Ok(world) => Ok(world),
            // For a value that resembles no world, the usual list is shown.
            Err(_) => one_of(self.0.clone(), World::name).parse_ref(command, flag, value),
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0.iter().map(|world| PossibleValue::new(world.name()))))
    }
}

/// Returns a parser of clocks that ranks read.
pub fn clock() -> impl TypedValueParser<Value = ClockKind> {
    one_of(ClockKind::ALL, ClockKind::name)
}

/// Help text of `--clocks`, which describes the errors that make real ranks' clocks imperfect.
pub const CLOCKS: &str = "Make the ranks' clocks imperfect, as those of simulated ranks are: \
    largest-offset=1ms,largest-skew=20ppm,granularity=1us,read-cost=900ns, and jumps=1000,largest-jump=2us,jumps-within=20ms, drawn \
    for each rank by --seed [default: as they are]";

/// Returns the clocks that `--clocks` draws by a seed. `None` without the flag.
pub fn drawn_clocks(clocks: Option<&str>, seed: u64) -> Result<Option<DrawnClocks>, BadInput> {
    let spread = clocks.map(|text| ClockSpread::parse_over(ClockSpread::default(), text)).transpose();
    let spread = spread.map_err(|message| BadInput(format!("--clocks: {message}")))?;
    Ok(spread.map(|spread| DrawnClocks { spread, seed }))
}

/// Returns a parser of clock synchronisation algorithms.
pub fn sync() -> impl TypedValueParser<Value = Sync> {
    one_of(Sync::ALL, Sync::name)
}

/// Parser of collectives that simulated ranks know, in any of their spellings.
#[derive(Clone)]
pub struct Collectives;

impl TypedValueParser for Collectives {
    type Value = Collective;

    fn parse_ref(&self, command: &Command, flag: Option<&Arg>, value: &OsStr) -> Result<Collective, Error> {
        match models::call::collective(&value.to_string_lossy()) {
            Ok(collective) => Ok(collective),
            Err(_) => one_of(Collective::ALL, Collective::name).parse_ref(command, flag, value),
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Collective::ALL.into_iter().map(|collective| PossibleValue::new(collective.name()))))
    }
}

/// Returns a parser of libraries whose table of algorithms is known.
pub fn library() -> impl TypedValueParser<Value = Library> {
    one_of(Library::ALL, Library::name)
}

/// Reads a number of seconds, up to a day.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: u64 = text.parse().map_err(|_| "expected a whole number of seconds, like 60".to_owned())?;
    if (1..=86_400).contains(&seconds) {
        Ok(Duration::from_secs(seconds))
    } else {
        Err("expected 1 to 86400 seconds".to_owned())
    }
}
