//! AES (FIPS 197) in the modes that work on whole texts, and the hash of GCM (NIST SP 800-38D). The module `crypto` is made of these.

use aes::cipher::{Array, BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
use aes::{Aes128, Aes192, Aes256};
use ghash::GHash;
use ghash::universal_hash::UniversalHash;

use crate::heap::Heap;
use crate::native::{Context, Native, Raise};
use crate::term::Term;

/// The table of this area.
pub const NATIVES: &[Native] = &[
    Native::pure("crypto", "$aes", 5, aes),
    Native::pure("crypto", "$ghash", 2, ghash),
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
