//! The door of the WebAssembly module: texts are handed over in its memory.
//!
//! The page asks for [`room`], writes a question there as UTF-8, and calls [`answer`], which takes the room. What it returns
//! is where the answer lies (upper 32 bits) and how long it is (lower 32 bits); the page reads it and gives it back to
//! [`give_back`]. An answer begins with `{`; anything else is a sentence that says what is wrong with the question.

use crate::ask;

/// Room for a question of so many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn room(bytes: usize) -> *mut u8 {
    Box::into_raw(vec![0_u8; bytes].into_boxed_slice()).cast()
}

/// Answers the question in a room.
///
/// # Safety
/// `at` is what [`room`] returned for `bytes`, and has not been given to another call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn answer(at: *mut u8, bytes: usize) -> u64 {
    // SAFETY: the room was made by `room`, of this length, and belongs to this call.
    let question = unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(at, bytes)) };
    let question = String::from_utf8_lossy(&question);
    let text = ask(&question).unwrap_or_else(|message| message).into_bytes().into_boxed_slice();
    let length = text.len() as u64;
    let at = Box::into_raw(text).cast::<u8>();
    (at.expose_provenance() as u64) << 32 | length
}

/// Takes an answer back.
///
/// # Safety
/// `at` and `bytes` are those of an answer that has not been given back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn give_back(at: *mut u8, bytes: usize) {
    // SAFETY: it was made by `answer`, of this length, and belongs to the page.
    drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(at, bytes)) });
}
