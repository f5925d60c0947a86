//! Words of memory that ranks and their watcher share: the operations of the protocols on them, so that every
//! interleaving of these can be tried on words that only seem to be shared.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Word that several may read and write.
pub(crate) trait Word<T> {
    fn load(&self, order: Ordering) -> T;
    fn store(&self, value: T, order: Ordering);
    /// Replaces `old` by `new` if `old` is there. Returns whether it was.
    fn exchange(&self, old: T, new: T, order: Ordering) -> bool;
    /// Subtracts `amount`, at once for all.
    fn subtract(&self, amount: T, order: Ordering);
}

/// Implements [`Word`] for an atomic of the standard library, or of loom.
macro_rules! word {
    ($atomic:ty, $of:ty) => {
        impl $crate::shared::Word<$of> for $atomic {
            fn load(&self, order: std::sync::atomic::Ordering) -> $of {
                self.load(order)
            }

            fn store(&self, value: $of, order: std::sync::atomic::Ordering) {
                self.store(value, order);
            }

            fn exchange(&self, old: $of, new: $of, order: std::sync::atomic::Ordering) -> bool {
                self.compare_exchange(old, new, order, std::sync::atomic::Ordering::Relaxed).is_ok()
            }

            fn subtract(&self, amount: $of, order: std::sync::atomic::Ordering) {
                self.fetch_sub(amount, order);
            }
        }
    };
}

word!(AtomicU32, u32);
word!(AtomicU64, u64);

#[cfg(test)]
mod tests {
    word!(loom::sync::atomic::AtomicU32, u32);
    word!(loom::sync::atomic::AtomicU64, u64);
}
