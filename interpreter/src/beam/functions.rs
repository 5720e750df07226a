//! Which functions the code in a beam file has, exported ones and others, by name and arity.

use super::{BeamError, Chunks, number, plain};

/// A function: its name and its arity.
pub type Function = (String, u32);

/// The functions of a beam file. One that OTP's compiler has put into those that call it is not there.
///
/// # Errors
/// It is no beam file, or damaged.
pub fn functions(bytes: &[u8]) -> Result<Vec<Function>, BeamError> {
    let bytes = plain(bytes)?;
    let chunks = Chunks::of(&bytes)?;
    let atoms = chunks.get(b"AtU8").ok_or(BeamError::Damaged)?;
    let atoms = atoms_in(atoms).ok_or(BeamError::Damaged)?;
    let mut all = Vec::new();
    for name in [b"ExpT", b"LocT"] {
        let Some(chunk) = chunks.get(name) else { continue };
        let (count, entries) = chunk.split_at_checked(4).ok_or(BeamError::Damaged)?;
        // Each entry: the number of an atom, the arity, a label.
        for entry in entries.chunks_exact(12).take(number(count)) {
            let atom = number(&entry[..4]).checked_sub(1).and_then(|at| atoms.get(at));
            let arity = u32::try_from(number(&entry[4..8])).map_err(|_| BeamError::Damaged)?;
            all.push(((*atom.ok_or(BeamError::Damaged)?).to_owned(), arity));
        }
    }
    Ok(all)
}

/// The atoms of a file. From OTP 28 on, their number is negative, and their lengths are compact numbers.
fn atoms_in(chunk: &[u8]) -> Option<Vec<&str>> {
    let (count, mut rest) = chunk.split_first_chunk::<4>()?;
    let count = i32::from_be_bytes(*count);
    let mut all = Vec::new();
    for _ in 0..count.unsigned_abs() {
        let (length, after) = match rest {
            [first, after @ ..] if count > 0 || first & 0b1111 == 0 => {
                let length = if count > 0 { *first } else { first >> 4 };
                (usize::from(length), after)
            }
            [first, second, after @ ..] if first & 0b1_1111 == 0b0_1000 => {
                (usize::from(first >> 5) << 8 | usize::from(*second), after)
            }
            _ => return None,
        };
        let (text, after) = after.split_at_checked(length)?;
        all.push(std::str::from_utf8(text).ok()?);
        rest = after;
    }
    Some(all)
}
