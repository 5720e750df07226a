//! Pairs of instructions that often occur together, executed with one dispatch.
//!
//! The first of a pair gets another opcode with the same operands. The second stays where it is, so it can still be a jump target, and no
//! position, side table or live set changes. Everything except the machine's loop treats the first as before. Pairs are made when code is
//! loaded, after the verifier.
//!
//! Some natives that programs call all the time get opcodes of their own here too. Where such an instruction cannot do its work, it calls the
//! native as before, which raises the error.

use super::instr::{Arities, Instr};
use crate::native::Native;

/// The opcode for the first instruction of a pair, if these two can form one.
const fn pair(first: Instr, second: Instr) -> Option<Instr> {
    Some(match (first, second) {
        (Instr::Move { dst, src }, Instr::Call { .. }) => Instr::MoveCall { dst, src },
        (Instr::Move { dst, src }, Instr::TailCall { .. }) => Instr::MoveTailCall { dst, src },
        (Instr::Move2 { dst, a, b }, Instr::Call { .. }) => Instr::Move2Call { dst, a, b },
        (Instr::Move2 { dst, a, b }, Instr::TailCall { .. }) => Instr::Move2TailCall { dst, a, b },
        (Instr::SubSmall { dst, src, value }, Instr::Call { .. }) => Instr::SubSmallCall { dst, src, value },
        (Instr::SubSmall { dst, src, value }, Instr::Add { .. }) => Instr::SubSmallAdd { dst, src, value },
        (Instr::Const { dst, index }, Instr::Band { .. }) => Instr::ConstBand { dst, index },
        (Instr::Small { dst, value }, Instr::Band { .. }) => Instr::SmallBand { dst, value },
        _ => return None,
    })
}

/// The opcode of a native that the machine carries out itself.
fn alike(instr: Instr, natives: &[Native]) -> Option<Instr> {
    let Instr::Native { dst, native, count } = instr else {
        return None;
    };
    let named = natives.get(native as usize)?;
    Some(match (named.module, named.name, named.arity) {
        ("erlang", "element", 2) => Instr::NativeElement { dst, native, count },
        ("erlang", "tuple_size", 1) => Instr::NativeTupleSize { dst, native, count },
        ("erlang", "self", 0) => Instr::NativeSelf { dst, native, count },
        _ => return None,
    })
}

/// Makes pairs in the code of one function, and gives natives their opcodes.
pub(super) fn fuse(code: &mut [Instr], arities: &impl Arities, natives: &[Native]) {
    let mut at = 0;
    while at < code.len() {
        let size = code[at].size(arities);
        let other = match code.get(at + 1) {
            Some(&second) if size == 1 => pair(code[at], second),
            _ => None,
        };
        if let Some(other) = other.or_else(|| alike(code[at], natives)) {
            code[at] = other;
        }
        at += size;
    }
}

impl Instr {
    /// The original instruction: of the first of a pair, or of a native with an opcode of its own.
    #[must_use]
    pub const fn alone(self) -> Self {
        match self {
            Self::MoveCall { dst, src } | Self::MoveTailCall { dst, src } => Self::Move { dst, src },
            Self::Move2Call { dst, a, b } | Self::Move2TailCall { dst, a, b } => Self::Move2 { dst, a, b },
            Self::SubSmallCall { dst, src, value } | Self::SubSmallAdd { dst, src, value } => {
                Self::SubSmall { dst, src, value }
            }
            Self::ConstBand { dst, index } => Self::Const { dst, index },
            Self::SmallBand { dst, value } => Self::Small { dst, value },
            Self::NativeElement { dst, native, count }
            | Self::NativeTupleSize { dst, native, count }
            | Self::NativeSelf { dst, native, count } => Self::Native { dst, native, count },
            other => other,
        }
    }
}
