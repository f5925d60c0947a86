//! Watch over buffers of a program's last call: once they are given back, references can no longer be taken with it.

use crate::next::next;
use libc::c_void;
use std::mem::transmute;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering::Relaxed};

/// Addresses of the two buffers of the last call of what may become a row, 0 for none.
static WATCHED: [AtomicUsize; 2] = [AtomicUsize::new(0), AtomicUsize::new(0)];
/// Whether one of them has been given back since.
static GONE: AtomicBool = AtomicBool::new(false);

/// Notes the buffers of the last call.
#[inline(always)]
pub fn watch(sent: usize, received: usize) {
    WATCHED[0].store(sent, Relaxed);
    WATCHED[1].store(received, Relaxed);
    GONE.store(false, Relaxed);
}

/// Notes that the program frees a handle of the last call.
pub fn spoil() {
    GONE.store(true, Relaxed);
}

/// Returns whether a buffer or a handle of the last call has been given back since.
pub fn gone() -> bool {
    GONE.load(Relaxed)
}

/// Notes that this memory is about to be given back.
#[inline(always)]
fn notice(memory: *mut c_void) {
    let from = memory.addr();
    for watched in &WATCHED {
        let watched = watched.load(Relaxed);
        if watched >= from && from != 0 && holds(memory, watched) {
            GONE.store(true, Relaxed);
        }
    }
}

#[inline(never)]
fn holds(memory: *mut c_void, watched: usize) -> bool {
    // SAFETY: whoever gives memory back has got it from the same allocator.
    watched - memory.addr() < unsafe { libc::malloc_usable_size(memory) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn free(memory: *mut c_void) {
    static NEXT: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());
    notice(memory);
    // SAFETY: the next `free` has this form; the memory is the caller's to give back.
    unsafe { transmute::<*mut c_void, unsafe extern "C" fn(*mut c_void)>(next(&NEXT, "free\0"))(memory) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn realloc(memory: *mut c_void, bytes: usize) -> *mut c_void {
    type Realloc = unsafe extern "C" fn(*mut c_void, usize) -> *mut c_void;
    static NEXT: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());
    notice(memory);
    // SAFETY: the next `realloc` has this form; the memory is the caller's to give back.
    unsafe { transmute::<*mut c_void, Realloc>(next(&NEXT, "realloc\0"))(memory, bytes) }
}
