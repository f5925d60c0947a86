//! A hint to the processor.

/// Asks the processor to bring an element of a list near, if there is one. Changes nothing but the time that a
/// later access takes.
#[inline(always)]
pub fn fetch<T>(list: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(element) = list.get(index) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a hint, allowed for any address; this one is valid. All processors of this architecture have it.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(element).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (list, index);
}
