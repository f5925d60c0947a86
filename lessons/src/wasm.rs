//! The door of the WebAssembly module: texts are handed over in its memory.
//!
//! The page asks for [`room`], writes a question there as UTF-8, and calls [`answer`], which takes the room. What it returns
//! is where the answer lies (upper 32 bits) and how long it is (lower 32 bits); the page reads it and gives it back to
//! [`give_back`]. If the module panics, [`last_words`] say why; the page then takes a new one. An answer begins with `{` or `[`; anything else is a sentence that says what is wrong with the question.

use crate::ask;
use std::sync::{Mutex, Once, PoisonError};

/// What the module said when it panicked.
static LAST_WORDS: Mutex<String> = Mutex::new(String::new());
static LISTENS: Once = Once::new();

/// From now on a panic leaves its message.
fn listen() {
    LISTENS.call_once(|| {
        std::panic::set_hook(Box::new(|panic| {
            *LAST_WORDS.lock().unwrap_or_else(PoisonError::into_inner) = panic.to_string();
        }));
    });
}

/// Where a text lies (upper 32 bits) and how long it is (lower 32 bits).
fn place(at: *const u8, bytes: usize) -> u64 {
    (at.expose_provenance() as u64) << 32 | bytes as u64
}

/// The message of the panic that ended the last call, as [`answer`] returns texts; it stays the module's.
#[unsafe(no_mangle)]
pub extern "C" fn last_words() -> u64 {
    let words = LAST_WORDS.lock().unwrap_or_else(PoisonError::into_inner);
    place(words.as_ptr(), words.len())
}

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
    listen();
    let text = ask(&question).unwrap_or_else(|message| message).into_bytes().into_boxed_slice();
    let length = text.len();
    place(Box::into_raw(text).cast::<u8>(), length)
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
