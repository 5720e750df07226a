//! Pairs of instructions that often occur together, executed with one dispatch.
//!
//! The first of a pair gets another opcode with the same operands. The second stays where it is, so it can still be a jump target, and no
//! position, side table or live set changes. Everything except the machine's loop treats the first as before. Pairs are made when code is
//! loaded, after the verifier.

use super::instr::{Arities, Instr};

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

/// Makes pairs in the code of one function.
pub(super) fn fuse(code: &mut [Instr], arities: &impl Arities) {
    let mut at = 0;
    while at + 1 < code.len() {
        let size = code[at].size(arities);
        if size == 1
            && let Some(fused) = pair(code[at], code[at + 1])
        {
            code[at] = fused;
        }
        at += size;
    }
}

impl Instr {
    /// The original instruction of the first of a pair.
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
            other => other,
        }
    }
}
