//! The library that this is, its known errors, and the texts of its error codes.

use crate::world::identify;
use models::call::Call;
use models::collective::{Collective, Shape};
use models::forced::Component;
use models::library::Library;
use mpi::ffi;
use std::ffi::{c_char, c_int};

/// Returns the library that this program is linked with, if it is known, and its version.
pub(super) fn library() -> (Option<Library>, String) {
    let identity = identify().ok();
    let version = identity.as_ref().map(|identity| identity.version.clone()).unwrap_or_default();
    let title = identity.map(|identity| identity.library);
    (Library::all().find(|library| Some(library.title) == title), version)
}

/// Refuses calls that are known to crash.
///
/// # Errors
///
/// Names the call, and the issue that describes the crash.
pub(super) fn refused(
    library: Option<Library>,
    version: &str,
    collective: Collective,
    call: &Call,
    shape: &Shape,
) -> Result<(), String> {
    let crashes = version.starts_with("4.0") || version == "4.1" || version == "4.1.1";
    if library == Some(Library::MPICH)
        && crashes
        && collective == Collective::Reduce
        && call.in_place
        && shape.root != 0
    {
        return Err(format!(
            "MPICH {version} crashes in {} in place from another root than 0 (its issue 6540); take root 0, or leave \
             in-place out",
            call.name(collective)
        ));
    }
    Ok(())
}

/// Returns the library's text for an error code.
pub(super) fn error_text(code: c_int) -> String {
    let mut text = vec![0 as c_char; 4096];
    let mut length = 0;
    // SAFETY: the place is longer than any library's texts (MPI_MAX_ERROR_STRING is at most 1024).
    unsafe { ffi::MPI_Error_string(code, text.as_mut_ptr(), &raw mut length) };
    let said: String = text.iter().take(length.max(0) as usize).map(|byte| *byte as u8 as char).collect();
    // MPICH tells in lines how it came to that.
    format!("the library refused it: {}", said.lines().collect::<Vec<_>>().join("; "))
}

/// Checks that this process has mapped the memory of a component, which it does in the first call that the component
/// carries out.
///
/// # Errors
///
/// Says that the library used another component.
pub(super) fn has_mapped(component: &Component) -> Result<(), String> {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    if maps.lines().any(|line| line.contains(component.maps)) {
        return Ok(());
    }
    let name = component.name;
    Err(format!(
        "the library did not use its component {name}: a call left no memory mapped that is called {}",
        component.maps
    ))
}
