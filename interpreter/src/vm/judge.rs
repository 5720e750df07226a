//! Which messages a receive would take. Nothing is received: a copy of the machine stands in the receive, looks at one message after the other, and
//! stands there again.

use std::ops::ControlFlow;

use super::instr::{self, Instr, Reg};
use super::process::{Process, Stop, StopPoint, live_of};
use super::{Mailbox, MessageTag, Program};
use crate::heap::Fragment;
use crate::term::Term;

/// The copy gets rid of what it has looked at when its heap has grown by this many words, and is twice as large as it was.
const GROWTH: usize = 1 << 14;

/// See the module.
pub struct Judge {
    machine: Process,
    /// The innermost frame, as it is in the receive.
    frame: Vec<u64>,
    /// The heap is collected when it is larger than this.
    room: usize,
}

/// On what, besides a message, it depends whether a receive takes that: its place, and the values that its patterns and guards read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JudgedBy {
    pc: u32,
    values: Vec<(Reg, u64)>,
}

impl Judge {
    /// Of a machine that stands in a receive with clauses; `None` if it does not.
    #[must_use]
    pub fn of(machine: &Process, program: &Program) -> Option<Self> {
        let stands = matches!(machine.point, StopPoint::Waiting);
        if !stands || !matches!(program.code[machine.pc as usize], Instr::Peek { .. }) {
            return None;
        }
        let mut machine = machine.clone();
        machine.mailbox = Mailbox::default();
        machine.widen(program);
        let mut judge = Self {
            machine,
            frame: Vec::new(),
            room: 0,
        };
        judge.remember(program);
        Some(judge)
    }

    fn remember(&mut self, program: &Program) {
        let Process { stack, frame, pc, .. } = &self.machine;
        let end = (frame + program.frame_size(*pc) + 1).min(stack.len());
        self.frame.clear();
        self.frame.extend_from_slice(&stack[*frame..end]);
        self.room = 2 * self.machine.heap.len() + GROWTH;
    }

    /// Would the receive take this message? The guards may take so many counted events.
    pub fn takes(&mut self, program: &Program, message: Fragment, budget: u32) -> bool {
        if self.machine.takes_everything(program) {
            return true;
        }
        let Process { pc, events, frame, .. } = self.machine;
        self.machine.deliver(MessageTag(0, 0), message);
        let takes = matches!(self.machine.run(program, budget), Stop::Received(_));
        let machine = &mut self.machine;
        machine.stack[frame..frame + self.frame.len()].copy_from_slice(&self.frame);
        (machine.pc, machine.events, machine.frame) = (pc, events, frame);
        machine.point = StopPoint::Waiting;
        machine.mailbox.clear();
        if machine.heap.len() > self.room {
            machine.collect(program);
            self.remember(program);
        }
        takes
    }
}

impl Process {
    /// On what its receive's judgement depends. `None`: it does not stand in a receive with clauses, or that is not told by a few words.
    #[must_use]
    pub fn judged_by(&self, program: &Program) -> Option<JudgedBy> {
        if !matches!(self.point, StopPoint::Waiting) || !matches!(program.code[self.pc as usize], Instr::Peek { .. }) {
            return None;
        }
        let mut values = Vec::new();
        let mut live = Vec::new();
        live_of(program, self.pc + 1, 0, &mut |reg| live.push(reg as Reg));
        let flow = reads(program, self.pc + 3, |reg| match live.contains(&reg) {
            true => match Term(self.stack[self.frame + reg as usize]) {
                value if value.is_immediate() => {
                    values.push((reg, value.0));
                    ControlFlow::Continue(())
                }
                _ => ControlFlow::Break(()),
            },
            false => ControlFlow::Continue(()),
        });
        flow.is_continue().then_some(JudgedBy { pc: self.pc, values })
    }
}

/// Calls `f` with each register that is read from `start` on, up to where the message is accepted or passed over. `Break`: `f` said so, or what is
/// done there depends on more than registers.
fn reads(program: &Program, start: u32, mut f: impl FnMut(Reg) -> ControlFlow<()>) -> ControlFlow<()> {
    let Some(function) = program.function_at(start) else {
        return ControlFlow::Break(());
    };
    let handlers = program.handlers_of(function);
    let arity = function.arity;
    let (mut next, mut seen) = (vec![start], Vec::new());
    while let Some(at) = next.pop() {
        if seen.contains(&at) {
            continue;
        }
        seen.push(at);
        let mut instr = program.code[at as usize].alone();
        let end = at + instr.size(program) as u32;
        match instr {
            Instr::Accept | Instr::ReceiveNext { .. } => continue,
            // The name of a node changes.
            Instr::Native { count: 0, .. } => return ControlFlow::Break(()),
            Instr::Jump { target } => next.push(target),
            Instr::Switch { table, .. } | Instr::SwitchTag { table, .. } => {
                next.extend(program.switches[table as usize].all());
            }
            _ => {}
        }
        let mut flow = ControlFlow::Continue(());
        let code = &program.code[at as usize..function.end as usize];
        instr::uses(code, arity, program, |reg| {
            if flow.is_continue() {
                flow = f(reg);
            }
        });
        flow?;
        if let Some(to) = instr.short_branch() {
            next.push(at.wrapping_add_signed(i32::from(*to)));
        }
        if !instr.leaves() {
            next.push(end);
        }
        if instr.skips() {
            next.push(end + 1);
        }
        let covering = handlers.iter().filter(|h| (h.start..h.end).contains(&at));
        next.extend(covering.map(|h| h.target));
    }
    ControlFlow::Continue(())
}
