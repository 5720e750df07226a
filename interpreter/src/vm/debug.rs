//! What a debugger wants to know of a process that does not run.

use super::instr::{self, Instr, Reg};
use super::process::{Frame, Point, Process, of_return_word};
use super::program::{END, Program};
use super::{Pc, SourceLocation};
use crate::atom::Atom;
use crate::term::Term;

/// Registers that are live just before an instruction, computed from the code of its function: for stops of the observed loop.
pub(super) fn live_before(program: &Program, pc: u32) -> Vec<Reg> {
    let Some(f) = program.function_at(pc) else {
        return Vec::new();
    };
    // Forward from `pc` over everything reachable: a register is live if some path reads it before writing it.
    let mut live = Vec::new();
    let mut seen: std::collections::HashSet<(u32, Vec<Reg>)> = std::collections::HashSet::new();
    let mut work: Vec<(u32, Vec<Reg>)> = vec![(pc, Vec::new())];
    while let Some((at, written)) = work.pop() {
        if at < f.start || at >= f.end || !seen.insert((at, written.clone())) {
            continue;
        }
        let code = &program.code[at as usize..f.end as usize];
        instr::uses(code, f.arity, program, |r| {
            if r != 0 && !written.contains(&r) && !live.contains(&r) {
                live.push(r);
            }
        });
        if let Some(h) = program.handler_at(at) {
            let mut now = written.clone();
            if h.base != 0 {
                now.extend(h.base..h.base + 3);
            }
            push(&mut work, h.target, now, &[]);
        }
        let mut instr = code[0];
        let mut defs = Vec::new();
        instr::defs(instr, |r| defs.push(r));
        let mut success = defs.clone();
        instr::defs_on_success(instr, |r| success.push(r));
        let next = at + instr.size(program) as u32;
        if let Some(to) = instr.short_branch() {
            push(
                &mut work,
                (i64::from(at) + i64::from(*to)) as u32,
                written.clone(),
                &defs,
            );
        }
        match instr {
            Instr::Jump { target } | Instr::ReceiveNext { target } => push(&mut work, target, written.clone(), &defs),
            Instr::Switch { table, .. } | Instr::SwitchTag { table, .. } => {
                for to in program.switches[table as usize].all() {
                    push(&mut work, to, written.clone(), &defs);
                }
            }
            _ => {}
        }
        if instr.skips() {
            push(&mut work, next + 1, written.clone(), &success);
            push(&mut work, next, written, &defs);
        } else if !instr.leaves() {
            push(&mut work, next, written, &success);
        }
    }
    live
}

fn push(work: &mut Vec<(u32, Vec<Reg>)>, at: u32, mut written: Vec<Reg>, defs: &[Reg]) {
    written.extend_from_slice(defs);
    written.sort_unstable();
    written.dedup();
    work.push((at, written));
}

/// The last register that holds an argument, where the instruction is a call that leaves the frame; else 0.
fn taken_by_arguments(program: &Program, pc: u32) -> Reg {
    match program.code[pc as usize] {
        Instr::TailExternal { import } => u16::from(program.imports[import as usize].name.2),
        Instr::TailFun { arity } => arity + 1,
        Instr::TailApply { arity } => arity + 2,
        Instr::TailApplyList { .. } => Reg::MAX,
        _ => 0,
    }
}

impl Process {
    /// Its activations, innermost first. Of a process that an exception has ended: those where it was raised, until the next collection.
    #[must_use]
    pub fn frames<'p>(&self, program: &'p Program) -> Vec<Frame<'p>> {
        let mut live = std::collections::HashSet::new();
        if program.keeps_variables() {
            self.variable_slots(program, |slot| {
                live.insert(slot);
            });
        } else {
            self.live_slots(program, |slot| {
                live.insert(slot);
            });
        }
        let mut frames = Vec::new();
        self.places(|pc, frame| frames.push(self.frame_at(program, pc, frame, &live)));
        frames
    }

    fn frame_at<'p>(
        &self,
        program: &'p Program,
        pc: u32,
        frame: usize,
        live: &std::collections::HashSet<usize>,
    ) -> Frame<'p> {
        let mut variables: Vec<(Atom, Option<Term>)> = Vec::new();
        for v in program.variables_at(pc) {
            let slot = frame + v.reg as usize;
            // The arguments of a call that leaves the frame have taken the place of what was in the first registers.
            let taken = v.reg <= taken_by_arguments(program, pc);
            let value = (!taken && live.contains(&slot)).then(|| Term(self.stack[slot]));
            // The same variable can have been bound again on another path: the later entry counts.
            match variables.iter_mut().find(|known| known.0 == v.name) {
                Some(known) => known.1 = value,
                None => variables.push((v.name, value)),
            }
        }
        Frame {
            location: program.location(Pc(pc)),
            variables,
        }
    }

    /// Where it stands in the source: the innermost place.
    #[must_use]
    pub fn location<'p>(&self, program: &'p Program) -> Option<SourceLocation<'p>> {
        self.frames(program).into_iter().find_map(|f| f.location)
    }

    /// How many activations there are, at most `limit`.
    #[must_use]
    pub fn depth(&self, limit: usize) -> usize {
        if matches!(self.point, Point::Idle | Point::Ended(_)) || self.pc == END {
            return 0;
        }
        let mut at = self.frame;
        for depth in 0..limit {
            let (pc, base) = of_return_word(self.stack[at]);
            if pc == END {
                return depth;
            }
            at -= base;
        }
        limit
    }
}
