//! Values that users write: numbers of ranks and bytes, names of worlds, collectives and algorithms, how wrong clocks are.

use models::clock::ClockSpread;
use models::collective::Collective;
use models::names;
use models::observation::World;
use models::quantity::{Bytes, Ppm, parse as parse_quantity};
use models::time::Span;
use scenario::BadInput;
use scenario::sweep::whole;

/// A world of real ranks, by its name.
pub fn world(text: &str) -> Result<World, String> {
    let known: Vec<World> = World::all().filter(|world| *world != World::Simulated).collect();
    names::find("world", text, &known, World::name)
}

/// A collective by its name.
pub fn collective(name: &str) -> Result<Collective, BadInput> {
    Collective::find(name).map_err(|message| BadInput(format!("--collective: {message}")))
}

/// A number of ranks, plain or as a power of two.
pub fn ranks(text: &str) -> Result<u32, String> {
    let number = whole(text).filter(|ranks| (1..=1 << 30).contains(ranks)).map(|ranks| ranks as u32);
    number.ok_or_else(|| "expected 1 to 1073741824 ranks, like 1024 or 2^20".to_owned())
}

/// A number of bytes, plain or with a unit.
pub fn bytes(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(bytes) if bytes <= 1 << 40 => Ok(bytes),
        _ => parse_quantity::<Bytes>(text).map(|bytes| bytes.0),
    }
}

/// How wrong clocks are, as `--clocks` says; what it does not name is as it is of these.
pub(crate) fn clock_spread(text: &str, known: ClockSpread) -> Result<ClockSpread, BadInput> {
    let mut clocks = known;
    for pair in text.split(',') {
        let at_key = |message: String| BadInput(format!("--clocks: {message}"));
        let (key, value) = pair.split_once('=').ok_or_else(|| at_key(format!("expected key=value, found '{pair}'")))?;
        let span = || parse_quantity::<Span>(value).map_err(|message| at_key(format!("{key}: {message}")));
        match key.trim() {
            "largest-offset" => clocks.largest_offset = span()?,
            "granularity" => clocks.granularity = span()?,
            "read-cost" => clocks.read_cost = span()?,
            "largest-skew" => {
                let skew = parse_quantity::<Ppm>(value).map_err(|message| at_key(format!("{key}: {message}")))?;
                clocks.largest_skew_ppm = skew.0;
            }
            _ => {
                let known = ["largest-offset", "largest-skew", "granularity", "read-cost"];
                return Err(at_key(names::unknown("key", key, known)));
            }
        }
    }
    Ok(clocks)
}
