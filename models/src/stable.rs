//! Numbers that depend on bytes alone: the same in every version and on every machine, however enums and texts change.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Hash FNV-1a (Fowler, Noll, Vo 1991) of 64 bits.
pub fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Stream of draws of one purpose under a seed, independent of the streams of other purposes. Purposes are composed of
/// names in files, like `order/openmpi/2/0`.
pub fn draws(seed: u64, purpose: &str) -> ChaCha8Rng {
    let mut draws = ChaCha8Rng::seed_from_u64(seed);
    draws.set_stream(fnv1a(purpose.as_bytes()));
    draws
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng;

    #[test]
    fn the_hash_is_fnv_1a() {
        // Landon Curt Noll's test vectors.
        let vectors: [(&[u8], u64); 3] =
            [(b"", 0xcbf2_9ce4_8422_2325), (b"a", 0xaf63_dc4c_8601_ec8c), (b"foobar", 0x8594_4171_f739_67e8)];
        for (bytes, hash) in vectors {
            assert_eq!(fnv1a(bytes), hash);
        }
    }

    #[test]
    fn purposes_draw_from_streams_of_their_own_whatever_else_is_drawn() {
        let first = |seed, purpose| draws(seed, purpose).next_u64();
        assert_eq!(first(1, "order/openmpi/2/0"), first(1, "order/openmpi/2/0"));
        assert_ne!(first(1, "order/openmpi/2/0"), first(1, "order/openmpi/2/1"));
        assert_ne!(first(1, "order/openmpi/2/0"), first(2, "order/openmpi/2/0"));
    }
}
