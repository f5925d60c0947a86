//! Functions of the libraries that come after this one.

use libc::c_void;
use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};

/// Returns the next function of a name, which ends with a zero byte. It is looked up once. A program cannot have called
/// what is not there.
#[inline(always)]
pub fn next(known: &AtomicPtr<c_void>, name: &'static str) -> *mut c_void {
    let function = known.load(Relaxed);
    if function.is_null() { find(known, name) } else { function }
}

#[cold]
fn find(known: &AtomicPtr<c_void>, name: &'static str) -> *mut c_void {
    debug_assert!(name.ends_with('\0'));
    // SAFETY: the name ends with a zero byte.
    let function = unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr().cast()) };
    if function.is_null() {
        // Memory management may be missing, without which no message can be printed.
        std::process::abort();
    }
    known.store(function, Relaxed);
    function
}

/// Returns the address of something that whichever library has it shares with all others, if one does.
pub fn shared(name: &'static str) -> Option<*mut c_void> {
    debug_assert!(name.ends_with('\0'));
    // SAFETY: the name ends with a zero byte.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr().cast()) };
    (!found.is_null()).then_some(found)
}
