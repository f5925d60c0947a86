//! Words of memory that ranks and whoever watches share: what the protocols on them need, so that every interleaving of
//! these can be tried on words that only seem to be shared.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// A word that several may read and write.
pub(crate) trait Word<T> {
    /// What is there.
    fn load(&self, order: Ordering) -> T;
    /// Puts something there.
    fn store(&self, value: T, order: Ordering);
    /// Puts `new` there if `old` is there; whether it was.
    fn exchange(&self, old: T, new: T, order: Ordering) -> bool;
    /// Takes as much off, at once for all.
    fn subtract(&self, amount: T, order: Ordering);
}

/// A word as the standard library has it, or loom.
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
