//! The lessons' own server: it sends the page, answers its questions to the simulator, and has real ranks measure.
//!
//! It listens on this machine alone, under an address that nobody can guess, and answers only pages that it sent
//! itself.

mod door;
mod exercises;
mod measuring;
mod server;
mod watching;

pub use exercises::exercises;
pub use server::{Lessons, serve};

use campaign::launch::Site;
use programs::observation::World;
use std::path::Path;

/// Returns the worlds in which this machine can measure, with their names for readers.
pub fn worlds(site: &Site) -> Vec<(String, String)> {
    let words = |world: World| match world.library() {
        Some(_) => format!("ranks of {}", world.title()),
        None => "threads of this machine".to_owned(),
    };
    let all = site.worlds().into_iter().chain([World::Threads]);
    all.map(|world| (world.name().to_owned(), words(world))).collect()
}

/// Writes the lessons as pages that need no server, with the simulator as this WebAssembly module: `index.html` with
/// all of them, and a page for each. Returns the number of pages.
///
/// # Errors
/// Fails on a module that cannot be read, and on files that cannot be written.
pub fn export(folder: &Path, module: &Path) -> anyhow::Result<usize> {
    use anyhow::Context;
    use lessons::site::{LESSONS, Simulator, page};
    let simulator = std::fs::read(module).with_context(|| format!("cannot read {}", module.display()))?;
    if !simulator.starts_with(b"\0asm") {
        let message = format!("--simulator: {} is no WebAssembly module; scripts/lessons makes one", module.display());
        return Err(scenario::BadInput(message).into());
    }
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let write = |name: &str, lessons: &[&str]| {
        let file = folder.join(format!("{name}.html"));
        let page = page(lessons, Simulator::Module(&simulator));
        scenario::files::write_whole(&file, |out| out.write_all(page.as_bytes()))
            .with_context(|| format!("cannot write {}", file.display()))
    };
    write("index", &LESSONS)?;
    LESSONS.iter().try_for_each(|lesson| write(lesson, &[lesson]))?;
    Ok(LESSONS.len() + 1)
}
