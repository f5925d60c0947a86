//! Flushing memory from all caches of the machine.

/// Writes back and drops every cache line of these bytes, and waits until that is done. Returns false, with nothing
/// done, on a processor where a program cannot.
#[cfg(target_arch = "x86_64")]
pub fn flush(bytes: &[u8]) -> bool {
    use std::arch::x86_64::{_mm_clflush, _mm_mfence};
    const LINE: usize = 64;
    let begin = bytes.as_ptr();
    let misaligned = begin.addr() % LINE;
    // SAFETY: every x86-64 processor has clflush; it may be used on any address that may be read, and the line that a
    // live byte lies in may be.
    unsafe {
        for offset in (0..bytes.len() + misaligned).step_by(LINE).take_while(|_| !bytes.is_empty()) {
            _mm_clflush(begin.wrapping_sub(misaligned).wrapping_add(offset));
        }
        _mm_mfence();
    }
    true
}

/// Writes back and drops every cache line of these bytes, and waits until that is done. Returns false, with nothing
/// done, on a processor where a program cannot.
#[cfg(target_arch = "aarch64")]
pub fn flush(bytes: &[u8]) -> bool {
    // The shortest line of any such processor.
    const LINE: usize = 16;
    // SAFETY: Linux lets programs clean and invalidate lines of memory that they may read.
    unsafe {
        for byte in bytes.iter().step_by(LINE).chain(bytes.last()) {
            std::arch::asm!("dc civac, {}", in(reg) std::ptr::from_ref(byte));
        }
        std::arch::asm!("dsb ish");
    }
    true
}

/// Returns false, with nothing done: on this processor a program cannot flush caches.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub fn flush(_bytes: &[u8]) -> bool {
    false
}
