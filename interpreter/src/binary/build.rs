//! Construction of binaries and bitstrings, segment by segment.

use super::half_from_f64;
use crate::arith::{Number, number, to_f64};
use crate::heap::{HEAP_BINARY_LIMIT, Heap};
use crate::native::Raise;
use crate::term::Term;

/// Limit: bits of a constructed binary (2 GiB); beyond it is `system_limit`.
pub const SIZE_LIMIT: usize = 1 << 34;

/// A binary under construction. A first segment that is a whole bitstring is not copied until the end: `<<Acc/bits, X>>` in a loop then writes
/// into the spare room after `Acc` if possible ([`Heap::extend_binary`]), so building a bitstring is linear.
#[derive(Default, Debug)]
pub struct Builder {
    /// The first segment: its whole bytes are followed by `bytes`, which begin with its last bits if these do not fill a byte.
    base: Option<Term>,
    bytes: Vec<u8>,
    /// How many bits of `bytes` are set. invariant: the unused bits of its last byte are zero.
    bits: usize,
}

impl Builder {
    /// An empty binary.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty binary that reuses memory.
    #[must_use]
    pub(crate) fn over(mut bytes: Vec<u8>) -> Self {
        bytes.clear();
        Self {
            bytes,
            ..Self::default()
        }
    }

    /// Bits so far, the first segment included.
    #[must_use]
    pub fn len(&self, heap: &Heap) -> usize {
        self.base.and_then(|b| heap.bits(b)).map_or(0, |b| b.len / 8 * 8) + self.bits
    }

    /// Is it empty?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.base.is_none() && self.bits == 0
    }

    fn room(&self, bits: usize) -> Result<(), Raise> {
        if bits > SIZE_LIMIT || self.bits + bits > SIZE_LIMIT {
            Err(Raise::system_limit())
        } else {
            Ok(())
        }
    }

    /// Appends the `n` ≤ 64 low bits of `value`, most significant first.
    #[inline]
    pub fn push(&mut self, value: u64, n: usize) {
        debug_assert!(n <= 64);
        if n == 0 {
            return;
        }
        let value = if n == 64 { value } else { value & ((1 << n) - 1) };
        let used = self.bits % 8;
        self.bits += n;
        if used == 0 && n == 8 {
            self.bytes.push(value as u8);
            return;
        }
        // Aligned to the top of 72 bits behind the bits already used.
        let mut wide = u128::from(value) << (128 - n) >> used;
        if used > 0 {
            let last = self.bytes.len() - 1;
            self.bytes[last] |= (wide >> 120) as u8;
            wide <<= 8;
        }
        let more = self.bits.div_ceil(8) - self.bytes.len();
        self.bytes.extend_from_slice(&wide.to_be_bytes()[..more]);
    }

    /// Appends whole bytes.
    pub fn push_bytes(&mut self, bytes: &[u8]) {
        let used = self.bits % 8;
        self.bits += bytes.len() * 8;
        if used == 0 {
            self.bytes.extend_from_slice(bytes);
            return;
        }
        for byte in bytes {
            if let Some(last) = self.bytes.last_mut() {
                *last |= byte >> used;
            }
            self.bytes.push(byte << (8 - used));
        }
    }

    /// `Value:Size/integer`, the low bits in two's complement.
    ///
    /// # Errors
    /// `badarg` if it is not an integer, `system_limit`.
    pub fn put_integer(&mut self, heap: &Heap, value: Term, size: usize, little: bool) -> Result<(), Raise> {
        if let Some(i) = value.as_small()
            && size <= 64
        {
            self.push_number(i as u64, size, little);
            return Ok(());
        }
        self.room(size)?;
        // Limbs in two's complement; limbs beyond the value repeat its sign.
        let (limbs, sign): (Vec<u64>, u64) = match number(heap, value) {
            Some(Number::Small(i)) => (vec![i as u64], if i < 0 { u64::MAX } else { 0 }),
            Some(Number::Big(false, limbs)) => (limbs.to_vec(), 0),
            Some(Number::Big(true, limbs)) => {
                let mut carry = true;
                let negated = limbs.iter().map(|limb| {
                    let (sum, c) = (!*limb).overflowing_add(u64::from(carry));
                    carry = c;
                    sum
                });
                (negated.collect(), u64::MAX)
            }
            Some(Number::Float(_)) | None => return Err(Raise::badarg()),
        };
        let limb = |i: usize| limbs.get(i).copied().unwrap_or(sign);
        let (whole, left) = (size / 64, size % 64);
        self.bytes.reserve(size / 8 + 1);
        if little {
            (0..whole).for_each(|i| self.push_number(limb(i), 64, true));
            self.push_number(limb(whole), left, true);
        } else {
            self.push(limb(whole), left);
            (0..whole).rev().for_each(|i| self.push(limb(i), 64));
        }
        Ok(())
    }

    #[inline]
    fn push_number(&mut self, value: u64, n: usize, little: bool) {
        if !little || n <= 8 {
            self.push(value, n);
            return;
        }
        let (whole, left) = (n / 8, n % 8);
        self.push(value.swap_bytes() >> (64 - whole * 8), whole * 8);
        if left > 0 {
            self.push(value >> (whole * 8), left);
        }
    }

    /// `Value:Size/float`; integers are converted; a value too large for 16 or 32 bits becomes an infinity, as in OTP 25.
    ///
    /// # Errors
    /// `badarg`: not a number, an integer too large for a float, or a size other than 16, 32, 64.
    pub fn put_float(&mut self, heap: &Heap, value: Term, size: usize, little: bool) -> Result<(), Raise> {
        let value = number(heap, value).and_then(to_f64).ok_or(Raise::badarg())?;
        let raw = match size {
            16 => u64::from(half_from_f64(value)),
            32 => u64::from((value as f32).to_bits()),
            64 => value.to_bits(),
            _ => return Err(Raise::badarg()),
        };
        self.push_number(raw, size, little);
        Ok(())
    }

    /// `Part/bitstring`: all of it; its length must be a multiple of `unit`.
    ///
    /// # Errors
    /// `badarg`: not a bitstring, or not of that unit.
    pub fn put_all(&mut self, heap: &Heap, part: Term, unit: usize) -> Result<(), Raise> {
        let bits = heap.bits(part).ok_or(Raise::badarg())?;
        if bits.len % unit != 0 {
            return Err(Raise::badarg());
        }
        if self.is_empty() && bits.len > 0 {
            self.base = Some(part);
            let (whole, left) = (bits.len / 8, bits.len % 8);
            if left > 0 {
                self.push(u64::from(bits.byte_at(whole * 8)) >> (8 - left), left);
            }
            return Ok(());
        }
        self.put_bits(heap, part, bits.len)
    }

    /// `Part:Size/bitstring`: its first `size` bits.
    ///
    /// # Errors
    /// `badarg`: not a bitstring, or too short; `system_limit`.
    pub fn put_bits(&mut self, heap: &Heap, part: Term, size: usize) -> Result<(), Raise> {
        let bits = heap.bits(part).ok_or(Raise::badarg())?;
        if size > bits.len {
            return Err(Raise::badarg());
        }
        self.room(size)?;
        let (whole, left) = (size / 8, size % 8);
        if bits.offset.is_multiple_of(8) {
            let from = bits.offset / 8;
            self.push_bytes(&bits.bytes[from..from + whole]);
        } else {
            self.bytes.reserve(whole + 1);
            (0..whole).for_each(|i| self.push(u64::from(bits.byte_at(i * 8)), 8));
        }
        if left > 0 {
            self.push(u64::from(bits.byte_at(whole * 8)) >> (8 - left), left);
        }
        Ok(())
    }

    /// `Char/utf8`.
    ///
    /// # Errors
    /// `badarg`: not a code point.
    pub fn put_utf8(&mut self, value: Term) -> Result<(), Raise> {
        let mut buffer = [0; 4];
        let bytes = code_point(value)?.encode_utf8(&mut buffer).as_bytes();
        self.push_bytes(bytes);
        Ok(())
    }

    /// `Char/utf16`.
    ///
    /// # Errors
    /// `badarg`: not a code point.
    pub fn put_utf16(&mut self, value: Term, little: bool) -> Result<(), Raise> {
        let mut buffer = [0; 2];
        for unit in code_point(value)?.encode_utf16(&mut buffer) {
            self.push_number(u64::from(*unit), 16, little);
        }
        Ok(())
    }

    /// `Char/utf32`.
    ///
    /// # Errors
    /// `badarg`: not a code point.
    pub fn put_utf32(&mut self, value: Term, little: bool) -> Result<(), Raise> {
        self.push_number(u64::from(u32::from(code_point(value)?)), 32, little);
        Ok(())
    }

    /// The bytes and the number of bits, if no first segment was kept separately (as by `push…` and `put_bits`).
    ///
    /// # Panics
    /// If a whole binary was put first by [`Builder::put_all`].
    #[must_use]
    pub fn into_parts(self) -> (Vec<u8>, usize) {
        assert!(self.base.is_none(), "a first segment that is still in its heap");
        (self.bytes, self.bits)
    }

    /// The finished binary.
    pub fn finish(self, heap: &mut Heap) -> Term {
        self.finish_reusable(heap).0
    }

    /// The finished binary, and memory for another one.
    pub(crate) fn finish_reusable(self, heap: &mut Heap) -> (Term, Vec<u8>) {
        let Self { base, bytes, bits } = self;
        let done = match base {
            None => heap.make_bitstring(&bytes, bits),
            Some(base) => {
                let before = heap.bits(base).expect("the first segment is a binary");
                let length = before.len / 8;
                if length * 8 + bits == before.len {
                    base
                } else if length + bytes.len() > HEAP_BINARY_LIMIT {
                    heap.extend_binary(base, &bytes, bits)
                } else {
                    let mut whole = [0; HEAP_BINARY_LIMIT];
                    match before.as_bytes() {
                        Some(before) => whole[..length].copy_from_slice(before),
                        None => (0..length).for_each(|i| whole[i] = before.byte_at(i * 8)),
                    }
                    let end = length + bytes.len();
                    whole[length..end].copy_from_slice(&bytes);
                    heap.make_bitstring(&whole[..end], length * 8 + bits)
                }
            }
        };
        (done, bytes)
    }
}

fn code_point(value: Term) -> Result<char, Raise> {
    let code = value.as_small().and_then(|c| u32::try_from(c).ok());
    code.and_then(char::from_u32).ok_or(Raise::badarg())
}
