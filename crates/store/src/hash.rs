//! The hash of a node, and the node of a hash.

const FIRST: u64 = 0xd6e8_feb8_6659_fd93;
const SECOND: u64 = 0xbf58_476d_1ce4_e5b9;

/// Mixes all bits into all bits; a bijection.
#[inline]
pub(crate) fn hash(key: u64) -> u64 {
    let mut x = !key;
    x = (x ^ (x >> 32)).wrapping_mul(FIRST);
    x = (x ^ (x >> 29)).wrapping_mul(SECOND);
    x ^ (x >> 32)
}

/// The key that has this hash.
#[inline]
pub(crate) fn unhash(hash: u64) -> u64 {
    let mut x = (hash ^ (hash >> 32)).wrapping_mul(const { inverse(SECOND) });
    x = (x ^ (x >> 29) ^ (x >> 58)).wrapping_mul(const { inverse(FIRST) });
    !(x ^ (x >> 32))
}

/// Of an odd number, modulo 2^64: each step doubles the number of right bits.
const fn inverse(odd: u64) -> u64 {
    let (mut inverse, mut bits) = (odd, 3);
    while bits < 64 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
        bits *= 2;
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_gives_its_key_back() {
        let mut rng = fastrand::Rng::with_seed(3);
        let single = (0..64).map(|bit| 1 << bit);
        let random = (0..100_000).map(|_| rng.u64(..));
        for key in single.chain(random).chain(0..1000) {
            assert_eq!(unhash(hash(key)), key);
            assert_eq!(hash(unhash(key)), key);
        }
    }
}
