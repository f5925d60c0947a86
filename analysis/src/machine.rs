//! Machine files by their paths or names.

use programs::machine::{Bound, KNOWN, Machine, known};
use scenario::BadInput;
use std::path::{Path, PathBuf};

/// Default folder of calibrations.
pub(crate) const FOLDER: &str = "results/machines";

/// Reads the machine of a file, or of a name: `results/machines/NAME.toml`, else one that comes with the program.
/// Several names, separated by commas, give one machine with the states of all.
///
/// # Errors
/// States the fault of the file, with its line, or lists the known names.
pub fn find(name: &str) -> Result<Machine, BadInput> {
    let mut all = Vec::new();
    match is_several(name) {
        true => name.split(',').try_for_each(|one| one_of(one.trim()).map(|found| all.push(found)))?,
        false => all.push(one_of(name)?),
    }
    let mut machine = all.remove(0);
    machine.other_states.extend(all.into_iter().flat_map(states));
    Ok(machine)
}

/// Whether this names several machines.
pub(crate) fn is_several(name: &str) -> bool {
    name.contains(',') && file(name).is_none()
}

/// Returns a machine's states, each as a machine of its own.
fn states(mut machine: Machine) -> Vec<Machine> {
    let others = std::mem::take(&mut machine.other_states);
    std::iter::once(machine).chain(others).collect()
}

/// Reads a machine of a single name, as [`find`] does.
fn one_of(name: &str) -> Result<Machine, BadInput> {
    let machine = match (file(name), known(name)) {
        (Some(path), _) => {
            let shown = path.display().to_string();
            let text = crate::files::read_text(&shown).map_err(|message| BadInput(format!("--machine: {message}")))?;
            Machine::parse(&shown, &text)
        }
        (None, Some(text)) => Machine::parse(name, text),
        (None, None) => {
            let known = KNOWN.map(|(known, _)| known);
            let near = models::names::suggestion(name, &known);
            let known = known.join(", ");
            return Err(BadInput(format!(
                "--machine: {name}: there is no such file, and none of that name in {FOLDER}; expected a file that \
                 `parallax calibrate` wrote, or one of: {known}{near}"
            )));
        }
    };
    let machine = machine.map_err(|message| BadInput(format!("--machine: {message}")))?;
    usable(&machine).map_err(|message| BadInput(format!("--machine {name}: {message}")))?;
    Ok(machine)
}

/// Whether [`find`] takes the machine of this name from the program itself.
pub(crate) fn comes_with_the_program(name: &str) -> bool {
    file(name).is_none()
}

fn file(name: &str) -> Option<PathBuf> {
    let calibrated = Path::new(FOLDER).join(format!("{name}.toml"));
    [PathBuf::from(name), calibrated].into_iter().find(|path| path.is_file())
}

/// Checks that simulations can use all parts of a machine.
fn usable(machine: &Machine) -> Result<(), String> {
    for model in machine.models() {
        machine.network(model, Bound::Best)?;
    }
    machine.refinements(Bound::Best)?;
    machine.noise(1).map(|_| ())
}
