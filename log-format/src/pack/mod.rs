//! Packed blocks: entropy-coded bytes of a block, each in the context of its part of an item (FORMAT.md, "Packed blocks").
//!
//! An adaptive walk over the bytes ([`Parts`]) gives the sort of every byte: the first byte of an item, the second of a `rec`, a byte of a
//! place, a gap, a pid … Bytes of one sort have one table of frequencies in the block, and are coded with it by two interleaved range
//! asymmetric numeral systems [Duda 2013; the division by multiplication as in Giesen's `rans_byte`].

mod packer;
mod parts;
mod unpack;
pub(crate) use self::packer::Packer;
pub(crate) use self::unpack::unpack;

/// The frequencies of one table sum up to 2^12.
const BITS: u32 = 12;

const ALL: u32 = 1 << BITS;

/// A state is at least this, and below 256 times it.
const LOW: u32 = 1 << 23;

/// The maximal ratio of unpacked to packed length: a few bytes cannot stand for endless work.
const MOST: usize = 256;

/// The maximal unpacked length.
const PACKED_MAX: usize = 1 << 17;

/// The maximal number of chunks: each is read separately, and the block may have to be unpacked for it.
const CHUNKS_MAX: u64 = 256;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn there_and_back(payload: &[u8], table: usize) -> Option<usize> {
        let packed = Packer::default().pack(payload, table)?;
        assert!(packed.len() < payload.len() && payload.len() <= packed.len() * MOST);
        assert_eq!(unpack(&packed).unwrap(), payload);
        Some(packed.len())
    }

    #[test]
    fn what_repeats_takes_nearly_nothing() {
        assert!(there_and_back(&[0; 30_000], 0).unwrap() <= 120);
        let pairs: Vec<u8> = (0..30_000).map(|i| [0x41, 0x07][i % 2]).collect();
        assert!(there_and_back(&pairs, 0).unwrap() <= 120);
    }

    #[test]
    fn noise_is_left_alone() {
        let mut x = 1u64;
        let noise: Vec<u8> = (0..30_000)
            .map(|_| {
                x = x.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                (x >> 40) as u8
            })
            .collect();
        assert_eq!(there_and_back(&noise, 0), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn any_bytes_come_back(bytes in proptest::collection::vec(0u8..=255, 0..400), times in 1usize..20, table in 0usize..400) {
            let payload: Vec<u8> = bytes.iter().copied().cycle().take(bytes.len() * times).collect();
            let _ = there_and_back(&payload, table.min(payload.len()));
        }

        #[test]
        fn skewed_bytes_come_back(bits in proptest::collection::vec((0u8..=255, 0u8..12), 300..3000), table in 0usize..300) {
            let payload: Vec<u8> = bits.iter().map(|(b, by)| b >> by.min(&7)).collect();
            let _ = there_and_back(&payload, table);
        }

        #[test]
        fn any_packed_bytes_are_no_harm(bytes in proptest::collection::vec(0u8..=255, 0..400), flip in 0usize..1000) {
            let _ = unpack(&bytes);
            let mut packed = Packer::default().pack(&[7; 3000], 10).unwrap();
            let at = flip % packed.len();
            packed[at] ^= 1 << (flip % 8);
            let _ = unpack(&packed);
        }
    }
}
