//! The door of the WebAssembly module: texts are handed over in its memory.
//!
//! The page asks for [`room`], writes a question there as UTF-8, and calls [`answer`], which takes the room. The result
//! is the address of the answer (upper 32 bits) and its length (lower 32 bits). The page reads it and gives it back to
//! [`give_back`]. If the module panics, [`last_words`] say why, and the page takes a new one. An answer begins with `{`
//! or `[`. Anything else is a sentence that says what is wrong with the question.

use crate::ask;
use std::sync::{Mutex, Once, PoisonError};

/// Message of the module's last panic.
static LAST_WORDS: Mutex<String> = Mutex::new(String::new());
static LISTENS: Once = Once::new();

/// Makes every later panic leave its message.
fn listen() {
    LISTENS.call_once(|| {
        std::panic::set_hook(Box::new(|panic| {
            *LAST_WORDS.lock().unwrap_or_else(PoisonError::into_inner) = panic.to_string();
        }));
    });
}

/// Packs the address of a text (upper 32 bits) and its length (lower 32 bits).
fn place(at: *const u8, bytes: usize) -> u64 {
    (at.expose_provenance() as u64) << 32 | bytes as u64
}

/// Returns the message of the panic that ended the last call, as [`answer`] returns texts. It stays the module's.
#[unsafe(no_mangle)]
pub extern "C" fn last_words() -> u64 {
    let words = LAST_WORDS.lock().unwrap_or_else(PoisonError::into_inner);
    place(words.as_ptr(), words.len())
}

/// Makes room for a question of `bytes` bytes.
#[unsafe(no_mangle)]
pub extern "C" fn room(bytes: usize) -> *mut u8 {
    Box::into_raw(vec![0_u8; bytes].into_boxed_slice()).cast()
}

/// Answers the question in a room.
///
/// # Safety
///
/// `at` is the address that [`room`] returned for `bytes`, and has not been given to another call.
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
///
/// `at` and `bytes` are those of an answer that has not been given back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn give_back(at: *mut u8, bytes: usize) {
    // SAFETY: it was made by `answer`, of this length, and belongs to the page.
    drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(at, bytes)) });
}
