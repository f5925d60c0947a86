//! Values that users write: numbers of ranks and bytes; and the world that is taken where none is named.

use campaign::launch::{Library, Site};
use models::observation::World;
use models::quantity::{Bytes, parse as parse_quantity};
use scenario::sweep::whole;

/// The first MPI library that ranks can be started with on a site, else threads.
pub fn first(site: &Site) -> World {
    let library = Library::all().find(|&library| site.find(library).is_ok());
    library.map_or(World::Threads, World::Mpi)
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
