//! Files of a tuning: tables in the form of the library, and the variables with which ranks read them.

use super::Numbers;
use super::plan::{BY_PRINT, TUNED, TunePlan};
use crate::measuring::plan::Tunings;
use anyhow::Context;
use campaign::Campaign;
use campaign::launch::{Site, quoted};
use formats::tuning::{Entry, Piece, Split, Target, Written, built_in, environment_file, notes};
use programs::observation::World;
use scenario::BadInput;
use scenario::axis::Axis;
use std::path::Path;
use study::tuning::{Pieces, Tuning, called};

/// Writes the tables that follow from a campaign's numbers into its folder; returns the variables of those that change
/// something.
///
/// # Errors
/// Fails on numbers that no table follows from, on a library whose own table is needed and not found, and on files that
/// cannot be written.
pub(super) fn written(plan: &TunePlan, campaign: &Campaign, site: &Site) -> anyhow::Result<Tunings> {
    let numbers = Numbers::of(plan, campaign);
    let (target, own) = (plan.target(), own_table(plan.world(), site));
    let reference = Some((TUNED, numbers.tuning()?));
    let printed = numbers.printed()?.map(|tuning| (BY_PRINT, tuning));
    clear(campaign.folder());
    let mut tunings = Tunings::new();
    for (name, tuning) in reference.into_iter().chain(printed) {
        let written = table(target, &tuning, campaign.folder(), (name, own.as_deref()))?;
        for (file, text) in &written.files {
            campaign.write(file, text)?;
        }
        if written.environment.is_empty() {
            written.left_out.iter().for_each(|why| note!("{name}: {why}"));
        } else {
            tunings.insert(name.to_owned(), written.environment.into_iter().collect());
        }
    }
    Ok(tunings)
}

/// Removes the files of tunings from a folder, where a table may have had entries before.
pub(super) fn clear(folder: &Path) {
    for name in [TUNED, BY_PRINT] {
        for file in [environment_file(name), format!("{name}.conf"), format!("{name}.json")] {
            // Most of them are not there.
            let _ = std::fs::remove_file(folder.join(file));
        }
    }
}

/// Returns a tuning in the form of its library.
pub(super) fn table(
    target: Target,
    tuning: &Tuning,
    folder: &Path,
    (name, own): (&str, Option<&str>),
) -> anyhow::Result<Written> {
    let entries = tuning.table.iter().filter(|pieces| !pieces.is_default()).map(|pieces| entry(pieces, target));
    let entries = entries.collect::<Result<Vec<Entry>, String>>().map_err(BadInput)?;
    if entries.is_empty() {
        return Ok(Written::default());
    }
    let folder = folder.canonicalize().with_context(|| folder.display().to_string())?;
    Ok(target.written(&entries, (&folder, name), own).map_err(BadInput)?)
}

/// Returns the pieces of an operation as an entry. Above the longest measured length of a piece the library's own choice
/// stays: between it and the next one nothing was measured. Where that is no entry, the piece reaches up to the next one.
fn entry(pieces: &Pieces, target: Target) -> Result<Entry, String> {
    let (collective, call) = called(&pieces.at)?;
    let ranks = pieces.at.number(Axis::Ranks).and_then(|ranks| u32::try_from(ranks).ok()).unwrap_or(0);
    let reaches = target.split(collective, &call) == Split::WithoutOwnChoice;
    let tuned = pieces.pieces.iter().enumerate().filter_map(|(place, piece)| {
        let way = piece.way.as_ref()?;
        let next = pieces.pieces.get(place + 1).filter(|_| reaches).map(|next| next.from_bytes);
        Some(Piece {
            from_bytes: piece.from_bytes,
            below_bytes: Some(next.unwrap_or(piece.to_bytes + 1)),
            algorithm: way.algorithm.clone(),
            segment_bytes: way.segment_bytes.unwrap_or(0),
        })
    });
    Ok(Entry { collective, call, ranks, pieces: tuned.collect() })
}

/// Returns the table that a library has in its shared library, where it must be known. `None` where it is not found.
pub(super) fn own_table(world: World, site: &Site) -> Option<String> {
    let launcher = site.find(world.release()?).ok()?;
    launcher.shared_libraries().iter().find_map(|file| built_in(&std::fs::read(file).ok()?))
}

/// Returns sentences on the files in a folder, with what the tables could not have.
pub(super) fn listed(folder: &Path) -> Vec<String> {
    let mut said = Vec::new();
    for (name, table) in [(TUNED, "Use the table"), (BY_PRINT, "The table by printed numbers")] {
        let file = folder.join(environment_file(name));
        let Ok(text) = std::fs::read_to_string(&file) else { continue };
        let file = quoted(&file.display().to_string());
        said.push(format!(
            "{table}: start ranks with the variables of {file}, as by `(set -a; . {file}; mpirun …)` in a shell."
        ));
        said.extend(notes(&text).map(|note| format!("{name}: {note}.")));
    }
    said
}
