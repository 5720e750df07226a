//! The registers of variables in scope, by position in a function's code.

use super::unit::Variable;
use crate::vm::instr::Reg;

/// The registers of the variables in scope, as sets that change at some positions.
pub struct Scopes {
    /// invariant: sorted by position; the first is 0.
    changes: Vec<(u32, Box<[u64]>)>,
}

impl Scopes {
    /// For these variables, in code of `len` positions with this many registers.
    #[must_use]
    pub fn new(variables: &[Variable], len: u32, registers: Reg) -> Self {
        let width = (registers as usize + 1).div_ceil(64);
        let mut events: Vec<(u32, bool, Reg)> = Vec::with_capacity(variables.len() * 2);
        for v in variables {
            let end = v.end.min(len);
            if v.reg != 0 && v.start < end {
                events.push((v.start, true, v.reg));
                events.push((end, false, v.reg));
            }
        }
        events.sort_unstable();
        // Several variables can share a register.
        let mut counts = vec![0_u32; registers as usize + 1];
        let mut now = vec![0_u64; width];
        let mut changes: Vec<(u32, Box<[u64]>)> = vec![(0, now.clone().into())];
        let mut i = 0;
        while i < events.len() {
            let at = events[i].0;
            while let Some(&(position, starts, reg)) = events.get(i)
                && position == at
            {
                let count = &mut counts[reg as usize];
                // Every end has its start at an earlier position.
                if starts {
                    *count += 1;
                } else {
                    *count -= 1;
                }
                let (word, bit) = (reg as usize / 64, reg % 64);
                if *count == 0 {
                    now[word] &= !(1 << bit);
                } else {
                    now[word] |= 1 << bit;
                }
                i += 1;
            }
            match changes.last_mut() {
                Some(last) if last.0 == at => last.1 = now.clone().into(),
                _ => changes.push((at, now.clone().into())),
            }
        }
        Self { changes }
    }

    /// The set at a position.
    #[must_use]
    pub fn at(&self, position: u32) -> &[u64] {
        let after = self.changes.partition_point(|c| c.0 <= position);
        &self.changes[after - 1].1
    }
}

/// The position whose variables are in scope at `position`: an instruction out of line has those of the position that it stands for.
#[must_use]
pub fn scope_at(stubs: &[(u32, u32)], position: u32) -> u32 {
    match stubs.binary_search_by_key(&position, |s| s.0) {
        Ok(i) => stubs[i].1,
        Err(_) => position,
    }
}
