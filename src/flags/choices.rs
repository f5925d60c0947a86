//! Values that flags take, each kind read in one place: what help, completions and mistakes list comes from the same tables.

use analysis::p2p::Place;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Command, Error};
use models::clock::{ClockKind, ClockSpread, DrawnClocks};
use models::collective::Collective;
use models::collective::decision::Library;
use models::method::{Buffer, Method, OneDelay, Preset};
use models::network::Network;
use models::observation::World;
use models::sync::Sync;
use scenario::BadInput;
use std::ffi::OsStr;
use std::time::Duration;

/// One of few by its name: help lists them.
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

/// Names of a list that is known when the command runs; what they mean is read where they are used.
pub fn names(known: impl IntoIterator<Item = &'static str>) -> PossibleValuesParser {
    PossibleValuesParser::new(known.into_iter().collect::<Vec<_>>())
}

/// A method whose numbers are reported.
pub fn method() -> impl TypedValueParser<Value = Method> {
    one_of(Method::reported(), Method::name)
}

/// Network models, by their names; the last one is for schedules only.
pub fn models() -> impl TypedValueParser<Value = String> {
    names(Network::MODELS.into_iter().chain(["loggopsim-v1"])).map(|name| name.to_ascii_lowercase())
}

/// A state of buffers in which references are taken.
pub fn reference() -> impl TypedValueParser<Value = Buffer> {
    one_of(Buffer::REFERENCES, Buffer::name)
}

/// A benchmark by its name, or one of its columns, like `osu:max`; help lists the names.
#[derive(Clone)]
pub struct Benchmarks;

impl TypedValueParser for Benchmarks {
    type Value = String;

    fn parse_ref(&self, command: &Command, flag: Option<&Arg>, value: &OsStr) -> Result<String, Error> {
        let names = PossibleValuesParser::new(Preset::ALL.map(Preset::name));
        match value.to_str().map(Preset::printing) {
            // Of what is no benchmark at all the usual list is told.
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
    /// Reads it.
    pub fn parse(text: &str) -> Result<OneDelayed, String> {
        OneDelay::parse_or_none(text).map(OneDelayed)
    }
}

/// A world of real ranks.
pub fn world() -> impl TypedValueParser<Value = World> {
    Worlds(World::real().collect())
}

/// A world of real or simulated ranks.
pub fn place() -> impl TypedValueParser<Value = Place> {
    Worlds(World::real().chain([World::Simulated]).collect()).map(|world| match world {
        World::Simulated => Place::Simulated,
        World::Threads | World::Mpi(_) => Place::Real(world),
    })
}

/// One of some worlds by its name, of an MPI library also a release, `openmpi@5.0.11`; help lists the names.
#[derive(Clone)]
struct Worlds(Vec<World>);

impl TypedValueParser for Worlds {
    type Value = World;

    fn parse_ref(&self, command: &Command, flag: Option<&Arg>, value: &OsStr) -> Result<World, Error> {
        match World::find(&value.to_string_lossy(), self.0.iter().copied()) {
            Ok(world) => Ok(world),
            // Of what is no world at all the usual list is told.
            Err(_) => one_of(self.0.clone(), World::name).parse_ref(command, flag, value),
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0.iter().map(|world| PossibleValue::new(world.name()))))
    }
}

/// A clock that ranks read.
pub fn clock() -> impl TypedValueParser<Value = ClockKind> {
    one_of(ClockKind::ALL, ClockKind::name)
}

/// Help of `--clocks`: what is wrong with real ranks' clocks on purpose.
pub const CLOCKS: &str = "Make the ranks' clocks imperfect, as those of simulated ranks are: \
    largest-offset=1ms,largest-skew=20ppm,granularity=1us,read-cost=900ns, and jumps=1000,largest-jump=2us,jumps-within=20ms, drawn \
    for each rank by --seed [default: as they are]";

/// The clocks that `--clocks` draws by a seed, if there are any.
pub fn drawn_clocks(clocks: Option<&str>, seed: u64) -> Result<Option<DrawnClocks>, BadInput> {
    let spread = clocks.map(|text| ClockSpread::parse_over(ClockSpread::default(), text)).transpose();
    let spread = spread.map_err(|message| BadInput(format!("--clocks: {message}")))?;
    Ok(spread.map(|spread| DrawnClocks { spread, seed }))
}

/// How clocks are synchronised.
pub fn sync() -> impl TypedValueParser<Value = Sync> {
    one_of(Sync::ALL, Sync::name)
}

/// A collective that simulated ranks know, in any of its spellings.
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

/// A library whose table of algorithms is known.
pub fn library() -> impl TypedValueParser<Value = Library> {
    one_of(Library::ALL, Library::name)
}

/// A number of seconds, up to a day.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: u64 = text.parse().map_err(|_| "expected a whole number of seconds, like 60".to_owned())?;
    if (1..=86_400).contains(&seconds) {
        Ok(Duration::from_secs(seconds))
    } else {
        Err("expected 1 to 86400 seconds".to_owned())
    }
}
