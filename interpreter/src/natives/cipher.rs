//! AES (FIPS 197) in the modes that work on whole texts, the hash of GCM (NIST SP 800-38D), ChaCha20 and Poly1305 (RFC 8439). The module `crypto` is
//! made of these.

use aes::cipher::{Array, BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
use aes::{Aes128, Aes192, Aes256};
use chacha20::cipher::{KeyIvInit, StreamCipherCore};
use chacha20::variants::Ietf;
use chacha20::{ChaChaCore, R20};
use ghash::GHash;
use ghash::universal_hash::UniversalHash;
use poly1305::Poly1305;

use crate::heap::Heap;
use crate::native::{Context, Native, Raise};
use crate::term::Term;

/// The table of this area.
pub const NATIVES: &[Native] = &[
    Native::pure("crypto", "$aes", 5, aes),
    Native::pure("crypto", "$ghash", 2, ghash),
    Native::pure("crypto", "$chacha20", 4, chacha20),
    Native::pure("crypto", "$poly1305", 2, poly1305),
];

const BLOCK: usize = 16;

type Block = [u8; BLOCK];

enum Aes {
    Short(Aes128),
    Middle(Aes192),
    Long(Aes256),
}

impl Aes {
    fn new(key: &[u8]) -> Option<Self> {
        Some(match key.len() {
            16 => Self::Short(Aes128::new_from_slice(key).ok()?),
            24 => Self::Middle(Aes192::new_from_slice(key).ok()?),
            32 => Self::Long(Aes256::new_from_slice(key).ok()?),
            _ => return None,
        })
    }

    fn encrypt(&self, block: Block) -> Block {
        let mut block = Array(block);
        match self {
            Self::Short(cipher) => cipher.encrypt_block(&mut block),
            Self::Middle(cipher) => cipher.encrypt_block(&mut block),
            Self::Long(cipher) => cipher.encrypt_block(&mut block),
        }
        block.0
    }

    fn decrypt(&self, block: Block) -> Block {
        let mut block = Array(block);
        match self {
            Self::Short(cipher) => cipher.decrypt_block(&mut block),
            Self::Middle(cipher) => cipher.decrypt_block(&mut block),
            Self::Long(cipher) => cipher.decrypt_block(&mut block),
        }
        block.0
    }
}

fn exor(a: Block, b: Block) -> Block {
    std::array::from_fn(|i| a[i] ^ b[i])
}

fn bytes(heap: &Heap, term: Term) -> Result<Vec<u8>, Raise> {
    heap.bytes(term)
        .map(|bytes| bytes.into_owned())
        .ok_or_else(Raise::badarg)
}

/// `'$aes'(Mode, Key, IV, Data, Encrypt)`: `{Data, IV}`, with the vector for what follows. `ecb` and `cbc` take whole blocks. `ctr` counts with all
/// 16 bytes of the vector, and `ctr32` with the last four.
fn aes(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let mode = args[0].as_atom().ok_or_else(Raise::badarg)?;
    let cipher = Aes::new(&bytes(cx.heap, args[1])?).ok_or_else(Raise::badarg)?;
    let vector = bytes(cx.heap, args[2])?;
    let data = bytes(cx.heap, args[3])?;
    let encrypts = args[4].as_bool().ok_or_else(Raise::badarg)?;
    cx.local.charge += (data.len() / 64) as u32;
    let mut vector: Block = match mode.as_str() {
        "ecb" => [0; BLOCK],
        _ => vector.try_into().map_err(|_| Raise::badarg())?,
    };
    let is_whole = data.len().is_multiple_of(BLOCK);
    let mut out = Vec::with_capacity(data.len());
    for part in data.chunks(BLOCK) {
        let mut block = [0; BLOCK];
        block[..part.len()].copy_from_slice(part);
        let made = match (mode.as_str(), encrypts) {
            ("ecb", true) if is_whole => cipher.encrypt(block),
            ("ecb", false) if is_whole => cipher.decrypt(block),
            ("cbc", true) if is_whole => {
                vector = cipher.encrypt(exor(block, vector));
                vector
            }
            ("cbc", false) if is_whole => {
                let made = exor(cipher.decrypt(block), vector);
                vector = block;
                made
            }
            ("ctr", _) => {
                let made = exor(block, cipher.encrypt(vector));
                vector = u128::from_be_bytes(vector).wrapping_add(1).to_be_bytes();
                made
            }
            ("ctr32", _) => {
                let made = exor(block, cipher.encrypt(vector));
                let count = u128::from_be_bytes(vector);
                let low = u128::from((count as u32).wrapping_add(1));
                vector = (count >> 32 << 32 | low).to_be_bytes();
                made
            }
            _ => return Err(Raise::badarg()),
        };
        out.extend_from_slice(&made[..part.len()]);
    }
    let parts = [cx.heap.make_binary(&out), cx.heap.make_binary(&vector)];
    Ok(cx.heap.make_tuple(&parts))
}

/// `'$ghash'(Key, Data)`: of whole blocks.
fn ghash(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let key: Block = bytes(cx.heap, args[0])?.try_into().map_err(|_| Raise::badarg())?;
    let data = bytes(cx.heap, args[1])?;
    cx.local.charge += (data.len() / 64) as u32;
    let mut hash = GHash::new(&Array(key));
    hash.update_padded(&data);
    Ok(cx.heap.make_binary(&hash.finalize()))
}

/// The bytes of a block of the key stream of ChaCha20.
const CHACHA_BLOCK: u64 = 64;

/// `'$chacha20'(Key, IV, Skipped, Data)`. The vector is the number of the first block, in four bytes, and a nonce of twelve. As in OpenSSL, the number
/// goes on in the nonce after 2³² blocks.
fn chacha20(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let key: [u8; 32] = bytes(cx.heap, args[0])?.try_into().map_err(|_| Raise::badarg())?;
    let vector: Block = bytes(cx.heap, args[1])?.try_into().map_err(|_| Raise::badarg())?;
    let skipped = args[2]
        .as_small()
        .and_then(|n| u64::try_from(n).ok())
        .ok_or_else(Raise::badarg)?;
    let mut data = bytes(cx.heap, args[3])?;
    cx.local.charge += (data.len() / 64) as u32;
    let [c0, c1, c2, c3, n0, n1, n2, n3, rest @ ..] = vector;
    let first = u64::from_le_bytes([c0, c1, c2, c3, n0, n1, n2, n3]).wrapping_add(skipped / CHACHA_BLOCK);
    let mut within = (skipped % CHACHA_BLOCK) as usize;
    let mut block = first;
    let mut left = data.as_mut_slice();
    while !left.is_empty() {
        let [counter, high] = [block as u32, (block >> 32) as u32];
        let mut nonce = [0; 12];
        nonce[..4].copy_from_slice(&high.to_le_bytes());
        nonce[4..].copy_from_slice(&rest);
        let mut cipher = ChaChaCore::<R20, Ietf>::new(&Array(key), &Array(nonce));
        cipher.set_block_pos(counter);
        let mut stream = Array([0; CHACHA_BLOCK as usize]);
        cipher.write_keystream_block(&mut stream);
        let n = left.len().min(stream.len() - within);
        let (now, later) = left.split_at_mut(n);
        for (byte, key) in now.iter_mut().zip(&stream[within..]) {
            *byte ^= key;
        }
        (left, within, block) = (later, 0, block.wrapping_add(1));
    }
    Ok(cx.heap.make_binary(&data))
}

/// `'$poly1305'(Key, Data)`: of whole blocks.
fn poly1305(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let key: [u8; 32] = bytes(cx.heap, args[0])?.try_into().map_err(|_| Raise::badarg())?;
    let data = bytes(cx.heap, args[1])?;
    cx.local.charge += (data.len() / 64) as u32;
    Ok(cx.heap.make_binary(&Poly1305::new(&Array(key)).compute_unpadded(&data)))
}
