//! Reductions of bytes that stand for a user's own reductions.

/// Returns the composition of two affine functions modulo 16: a byte of nibbles (a, b) is the function x ↦ a·x + b, and
/// the result is the first after the second. It is associative and not commutative: an exchanged pair anywhere shows.
pub fn composed(first: u8, second: u8) -> u8 {
    let ((a, b), (c, d)) = ((first >> 4, first & 15), (second >> 4, second & 15));
    let (slope, constant) = (a.wrapping_mul(c) & 15, (a.wrapping_mul(d).wrapping_add(b)) & 15);
    slope << 4 | constant
}

#[cfg(test)]
mod tests {
    use super::composed;

    #[test]
    fn composition_is_associative_and_keeps_order() {
        for a in (0..=255).step_by(7) {
            for b in (0..=255).step_by(11) {
                for c in (0..=255).step_by(13) {
                    assert_eq!(composed(composed(a, b), c), composed(a, composed(b, c)), "{a} {b} {c}");
                }
            }
        }
        assert_ne!(composed(0x31, 0x53), composed(0x53, 0x31));
    }
}
