//! Live registers at any instruction of a function, computed from its final code: for stops of the observed loop, which can be anywhere.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::instr::{self, Instr, Reg};
use super::program::{FunctionInfo, Program};
use crate::compile::ranges::scope_at;

/// The live registers of one function, computed once.
pub(super) struct Liveness {
    /// Start of each instruction, sorted.
    starts: Vec<u32>,
    /// Words of a set.
    width: usize,
    /// A set for each start: live just before it.
    sets: Vec<u64>,
}

/// By start of the function. A clone starts empty.
#[derive(Default)]
pub(super) struct Cache(Mutex<FxHashMap<u32, Arc<Liveness>>>);

impl Clone for Cache {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// Registers that are live just before the instruction at `pc`.
pub(super) fn live_before(program: &Program, pc: u32) -> Vec<Reg> {
    let Some(f) = program.function_at(pc) else {
        return Vec::new();
    };
    let known = {
        let mut cache = program.liveness.0.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(
            cache
                .entry(f.start)
                .or_insert_with(|| Arc::new(Liveness::of(program, f))),
        )
    };
    known.at(pc)
}

impl Liveness {
    /// Backward dataflow over the function.
    fn of(program: &Program, f: &FunctionInfo) -> Self {
        let registers = program.frame_size(f.start) as Reg;
        let width = (registers as usize + 1).div_ceil(64);
        let mut starts = Vec::new();
        let mut at = f.start;
        while at < f.end {
            starts.push(at);
            at += program.code[at as usize].size(program) as u32;
        }
        // Innermost handler of each start, as index + 1.
        let handlers = program.handlers_of(f);
        let mut covered = vec![0_usize; starts.len()];
        for (index, h) in handlers.iter().enumerate() {
            let range = starts.partition_point(|s| *s < h.start)..starts.partition_point(|s| *s < h.end);
            for slot in &mut covered[range] {
                if *slot == 0 {
                    *slot = index + 1;
                }
            }
        }
        let scopes = program.keeps_variables().then(|| program.scopes_of(f, registers));
        let mut known = Self {
            width,
            sets: vec![0; starts.len() * width],
            starts,
        };
        let mut now = vec![0_u64; width];
        loop {
            let mut changed = false;
            for i in (0..known.starts.len()).rev() {
                let at = known.starts[i];
                now.fill(0);
                known.flow(program, i, &mut now);
                if let Some(h) = covered[i].checked_sub(1).map(|h| handlers[h]) {
                    let mut handler = known.set(h.target).to_vec();
                    if h.base != 0 {
                        (h.base..h.base + 3).for_each(|r| clear(&mut handler, r));
                    }
                    join(&mut now, &handler);
                }
                if let Some(scopes) = &scopes {
                    join(&mut now, scopes.at(scope_at(program.stubs_of(f), at)));
                }
                instr::uses(&program.code[at as usize..f.end as usize], f.arity, program, |r| {
                    now[r as usize / 64] |= 1 << (r % 64);
                });
                let set = &mut known.sets[i * width..(i + 1) * width];
                if set != &now[..] {
                    set.copy_from_slice(&now);
                    changed = true;
                }
            }
            // Only loops of `receive` jump backward, so this ends after a few passes.
            if !changed {
                return known;
            }
        }
    }

    /// Adds what is live after instruction `i`, without what it defines, to `now`.
    fn flow(&self, program: &Program, i: usize, now: &mut [u64]) {
        let at = self.starts[i];
        let mut instr = program.code[at as usize];
        let next = at + instr.size(program) as u32;
        if instr.skips() {
            join(now, self.set(next + 1));
        } else if !instr.leaves() {
            join(now, self.set(next));
        }
        instr::defs_on_success(instr, |r| clear(now, r));
        if instr.skips() {
            join(now, self.set(next));
        }
        if let Some(to) = instr.short_branch() {
            join(now, self.set(at.wrapping_add_signed(i32::from(*to))));
        }
        match instr {
            Instr::Jump { target } | Instr::ReceiveNext { target } => join(now, self.set(target)),
            Instr::Switch { table, .. } | Instr::SwitchTag { table, .. } => {
                for to in program.switches[table as usize].all() {
                    join(now, self.set(to));
                }
            }
            _ => {}
        }
        instr::defs(instr, |r| clear(now, r));
    }

    fn set(&self, start: u32) -> &[u64] {
        match self.starts.binary_search(&start) {
            Ok(i) => &self.sets[i * self.width..(i + 1) * self.width],
            Err(_) => &[],
        }
    }

    fn at(&self, pc: u32) -> Vec<Reg> {
        let mut live = Vec::new();
        for (i, word) in self.set(pc).iter().enumerate() {
            let mut word = *word;
            while word != 0 {
                live.push((i * 64) as Reg + word.trailing_zeros() as Reg);
                word &= word - 1;
            }
        }
        // Register 0 holds the return word.
        live.retain(|r| *r != 0);
        live
    }
}

fn join(set: &mut [u64], other: &[u64]) {
    for (a, b) in set.iter_mut().zip(other) {
        *a |= b;
    }
}

fn clear(set: &mut [u64], r: Reg) {
    set[r as usize / 64] &= !(1 << (r % 64));
}
