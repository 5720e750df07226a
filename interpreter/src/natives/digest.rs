//! Message digests: SHA-1 and SHA-2 (FIPS 180-4). The module `crypto` is made of these and of `erlang:md5/1`.

use crate::native::{Context, Native, Raise};
use crate::term::Term;

use super::convert::{Flatten, flatten};

/// The table of this area.
pub const NATIVES: &[Native] = &[Native::pure("crypto", "$digest", 2, digest)];

/// `'$digest'(sha | sha224 | sha256 | sha384 | sha512, Data)`.
fn digest(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let kind = args[0].as_atom().ok_or(Raise::badarg())?;
    let (data, _) = flatten(cx.heap, args[1], Flatten::Bytes).ok_or(Raise::badarg())?;
    cx.local.charge += (data.len() / 64) as u32;
    let bytes = match kind.as_str() {
        "sha" => sha1(&data),
        "sha224" => sha256(&data, SHA224_START, 28),
        "sha256" => sha256(&data, SHA256_START, 32),
        "sha384" => sha512(&data, SHA384_START, 48),
        "sha512" => sha512(&data, SHA512_START, 64),
        _ => return Err(Raise::badarg()),
    };
    Ok(cx.heap.make_binary(&bytes))
}

/// The message, a one bit, zeros, and the length in bits in the last `length` bytes of a block.
fn padded(data: &[u8], block: usize, length: usize) -> Vec<u8> {
    let mut all = data.to_vec();
    all.push(0x80);
    while all.len() % block != block - length {
        all.push(0);
    }
    let bits = data.len() as u128 * 8;
    all.extend_from_slice(&bits.to_be_bytes()[16 - length..]);
    all
}

fn word32(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |word, &b| word << 8 | u32::from(b))
}

fn word64(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |word, &b| word << 8 | u64::from(b))
}

fn sha1(data: &[u8]) -> Vec<u8> {
    let mut state: [u32; 5] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];
    for block in padded(data, 64, 8).chunks_exact(64) {
        let mut w: Vec<u32> = block.chunks_exact(4).map(word32).collect();
        for t in 16..80 {
            w.push((w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16]).rotate_left(1));
        }
        let [mut a, mut b, mut c, mut d, mut e] = state;
        for (t, &word) in w.iter().enumerate() {
            let (f, k) = match t / 20 {
                0 => (b & c | !b & d, 0x5a82_7999),
                1 => (b ^ c ^ d, 0x6ed9_eba1),
                2 => (b & c | b & d | c & d, 0x8f1b_bcdc),
                _ => (b ^ c ^ d, 0xca62_c1d6),
            };
            let next = a
                .rotate_left(5)
                .wrapping_add(f)
                .wrapping_add(e)
                .wrapping_add(k)
                .wrapping_add(word);
            (e, d, c, b, a) = (d, c, b.rotate_left(30), a, next);
        }
        for (old, new) in state.iter_mut().zip([a, b, c, d, e]) {
            *old = old.wrapping_add(new);
        }
    }
    state.iter().flat_map(|w| w.to_be_bytes()).collect()
}

fn sha256(data: &[u8], start: [u32; 8], size: usize) -> Vec<u8> {
    let mut state = start;
    for block in padded(data, 64, 8).chunks_exact(64) {
        let mut w: Vec<u32> = block.chunks_exact(4).map(word32).collect();
        for t in 16..64 {
            let (x, y) = (w[t - 15], w[t - 2]);
            let small = x.rotate_right(7) ^ x.rotate_right(18) ^ (x >> 3);
            let large = y.rotate_right(17) ^ y.rotate_right(19) ^ (y >> 10);
            w.push(w[t - 16].wrapping_add(small).wrapping_add(w[t - 7]).wrapping_add(large));
        }
        let mut v = state;
        for (&word, &k) in w.iter().zip(&SHA512_CONSTANTS) {
            let [a, b, c, _, e, f, g, h] = v;
            let first = h
                .wrapping_add(e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25))
                .wrapping_add(e & f ^ !e & g)
                // SHA-256's constants are the first halves of SHA-512's.
                .wrapping_add((k >> 32) as u32)
                .wrapping_add(word);
            let second =
                (a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22)).wrapping_add(a & b ^ a & c ^ b & c);
            v = [first.wrapping_add(second), a, b, c, v[3].wrapping_add(first), e, f, g];
        }
        for (old, new) in state.iter_mut().zip(v) {
            *old = old.wrapping_add(new);
        }
    }
    let mut bytes: Vec<u8> = state.iter().flat_map(|w| w.to_be_bytes()).collect();
    bytes.truncate(size);
    bytes
}

fn sha512(data: &[u8], start: [u64; 8], size: usize) -> Vec<u8> {
    let mut state = start;
    for block in padded(data, 128, 16).chunks_exact(128) {
        let mut w: Vec<u64> = block.chunks_exact(8).map(word64).collect();
        for t in 16..80 {
            let (x, y) = (w[t - 15], w[t - 2]);
            let small = x.rotate_right(1) ^ x.rotate_right(8) ^ (x >> 7);
            let large = y.rotate_right(19) ^ y.rotate_right(61) ^ (y >> 6);
            w.push(w[t - 16].wrapping_add(small).wrapping_add(w[t - 7]).wrapping_add(large));
        }
        let mut v = state;
        for (&word, &k) in w.iter().zip(&SHA512_CONSTANTS) {
            let [a, b, c, _, e, f, g, h] = v;
            let first = h
                .wrapping_add(e.rotate_right(14) ^ e.rotate_right(18) ^ e.rotate_right(41))
                .wrapping_add(e & f ^ !e & g)
                .wrapping_add(k)
                .wrapping_add(word);
            let second =
                (a.rotate_right(28) ^ a.rotate_right(34) ^ a.rotate_right(39)).wrapping_add(a & b ^ a & c ^ b & c);
            v = [first.wrapping_add(second), a, b, c, v[3].wrapping_add(first), e, f, g];
        }
        for (old, new) in state.iter_mut().zip(v) {
            *old = old.wrapping_add(new);
        }
    }
    let mut bytes: Vec<u8> = state.iter().flat_map(|w| w.to_be_bytes()).collect();
    bytes.truncate(size);
    bytes
}

/// Fractional parts of the cube roots of the first 80 primes.
const SHA512_CONSTANTS: [u64; 80] = [
    0x428a_2f98_d728_ae22,
    0x7137_4491_23ef_65cd,
    0xb5c0_fbcf_ec4d_3b2f,
    0xe9b5_dba5_8189_dbbc,
    0x3956_c25b_f348_b538,
    0x59f1_11f1_b605_d019,
    0x923f_82a4_af19_4f9b,
    0xab1c_5ed5_da6d_8118,
    0xd807_aa98_a303_0242,
    0x1283_5b01_4570_6fbe,
    0x2431_85be_4ee4_b28c,
    0x550c_7dc3_d5ff_b4e2,
    0x72be_5d74_f27b_896f,
    0x80de_b1fe_3b16_96b1,
    0x9bdc_06a7_25c7_1235,
    0xc19b_f174_cf69_2694,
    0xe49b_69c1_9ef1_4ad2,
    0xefbe_4786_384f_25e3,
    0x0fc1_9dc6_8b8c_d5b5,
    0x240c_a1cc_77ac_9c65,
    0x2de9_2c6f_592b_0275,
    0x4a74_84aa_6ea6_e483,
    0x5cb0_a9dc_bd41_fbd4,
    0x76f9_88da_8311_53b5,
    0x983e_5152_ee66_dfab,
    0xa831_c66d_2db4_3210,
    0xb003_27c8_98fb_213f,
    0xbf59_7fc7_beef_0ee4,
    0xc6e0_0bf3_3da8_8fc2,
    0xd5a7_9147_930a_a725,
    0x06ca_6351_e003_826f,
    0x1429_2967_0a0e_6e70,
    0x27b7_0a85_46d2_2ffc,
    0x2e1b_2138_5c26_c926,
    0x4d2c_6dfc_5ac4_2aed,
    0x5338_0d13_9d95_b3df,
    0x650a_7354_8baf_63de,
    0x766a_0abb_3c77_b2a8,
    0x81c2_c92e_47ed_aee6,
    0x9272_2c85_1482_353b,
    0xa2bf_e8a1_4cf1_0364,
    0xa81a_664b_bc42_3001,
    0xc24b_8b70_d0f8_9791,
    0xc76c_51a3_0654_be30,
    0xd192_e819_d6ef_5218,
    0xd699_0624_5565_a910,
    0xf40e_3585_5771_202a,
    0x106a_a070_32bb_d1b8,
    0x19a4_c116_b8d2_d0c8,
    0x1e37_6c08_5141_ab53,
    0x2748_774c_df8e_eb99,
    0x34b0_bcb5_e19b_48a8,
    0x391c_0cb3_c5c9_5a63,
    0x4ed8_aa4a_e341_8acb,
    0x5b9c_ca4f_7763_e373,
    0x682e_6ff3_d6b2_b8a3,
    0x748f_82ee_5def_b2fc,
    0x78a5_636f_4317_2f60,
    0x84c8_7814_a1f0_ab72,
    0x8cc7_0208_1a64_39ec,
    0x90be_fffa_2363_1e28,
    0xa450_6ceb_de82_bde9,
    0xbef9_a3f7_b2c6_7915,
    0xc671_78f2_e372_532b,
    0xca27_3ece_ea26_619c,
    0xd186_b8c7_21c0_c207,
    0xeada_7dd6_cde0_eb1e,
    0xf57d_4f7f_ee6e_d178,
    0x06f0_67aa_7217_6fba,
    0x0a63_7dc5_a2c8_98a6,
    0x113f_9804_bef9_0dae,
    0x1b71_0b35_131c_471b,
    0x28db_77f5_2304_7d84,
    0x32ca_ab7b_40c7_2493,
    0x3c9e_be0a_15c9_bebc,
    0x431d_67c4_9c10_0d4c,
    0x4cc5_d4be_cb3e_42b6,
    0x597f_299c_fc65_7e2a,
    0x5fcb_6fab_3ad6_faec,
    0x6c44_198c_4a47_5817,
];
/// Fractional parts of the square roots of the first 8 primes.
const SHA512_START: [u64; 8] = [
    0x6a09_e667_f3bc_c908,
    0xbb67_ae85_84ca_a73b,
    0x3c6e_f372_fe94_f82b,
    0xa54f_f53a_5f1d_36f1,
    0x510e_527f_ade6_82d1,
    0x9b05_688c_2b3e_6c1f,
    0x1f83_d9ab_fb41_bd6b,
    0x5be0_cd19_137e_2179,
];
/// The first halves of SHA-512's.
const SHA256_START: [u32; 8] = [
    0x6a09_e667,
    0xbb67_ae85,
    0x3c6e_f372,
    0xa54f_f53a,
    0x510e_527f,
    0x9b05_688c,
    0x1f83_d9ab,
    0x5be0_cd19,
];
/// Fractional parts of the square roots of the 9th to 16th primes.
const SHA384_START: [u64; 8] = [
    0xcbbb_9d5d_c105_9ed8,
    0x629a_292a_367c_d507,
    0x9159_015a_3070_dd17,
    0x152f_ecd8_f70e_5939,
    0x6733_2667_ffc0_0b31,
    0x8eb4_4a87_6858_1511,
    0xdb0c_2e0d_64f9_8fa7,
    0x47b5_481d_befa_4fa4,
];
/// The second halves of SHA-384's.
const SHA224_START: [u32; 8] = [
    0xc105_9ed8,
    0x367c_d507,
    0x3070_dd17,
    0xf70e_5939,
    0xffc0_0b31,
    0x6858_1511,
    0x64f9_8fa7,
    0xbefa_4fa4,
];

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|b| format!("{b:02x}")).collect()
    }

    /// The examples of FIPS 180-4: "abc", and a message that is padded into a second block.
    #[test]
    fn digests_are_those_of_the_standard() {
        assert_eq!(hex(&sha1(b"abc")), "a9993e364706816aba3e25717850c26c9cd0d89d");
        assert_eq!(hex(&sha1(&[b'a'; 119])), "ee971065aaa017e0632a8ca6c77bb3bf8b1dfc56");
        assert_eq!(
            hex(&sha256(b"abc", SHA224_START, 28)),
            "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"
        );
        assert_eq!(
            hex(&sha256(&[b'a'; 119], SHA224_START, 28)),
            "e000e6709d26667b631faa7fc1bd404eb4774003c5fb4f51a0184875"
        );
        assert_eq!(
            hex(&sha256(b"abc", SHA256_START, 32)),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert_eq!(
            hex(&sha256(&[b'a'; 119], SHA256_START, 32)),
            "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"
        );
        assert_eq!(
            hex(&sha512(b"abc", SHA384_START, 48)),
            "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
        );
        assert_eq!(
            hex(&sha512(&[b'a'; 119], SHA384_START, 48)),
            "c2fbb1911d6889e3db556b482236ab82f3c736f00a22c088641a09fdbbca27e3f1e3b6235bad20aee1ca083c76ac590c"
        );
        assert_eq!(
            hex(&sha512(b"abc", SHA512_START, 64)),
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        );
        assert_eq!(
            hex(&sha512(&[b'a'; 119], SHA512_START, 64)),
            "130396a75cb483f2eee8c56d8a668bb3d2641f5243212c0bee2bd33da096ad9eb8179fe18f9eaacf76e09fae9de4c3f14ba13341e345be05bf76c182cc3468cb"
        );
    }
}
