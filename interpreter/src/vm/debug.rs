//! A debugger's view of a process that is not running.

use std::ops::ControlFlow;

use super::process::{Frame, Process, StopPoint, of_return_word};
use super::program::{END, Program};
use super::{Pc, SourceLocation};
use rustc_hash::FxHashSet;

use crate::atom::Atom;
use crate::term::Term;

impl Process {
    /// Its activations, innermost first. If an exception has ended the process: those at the raise, until the next collection.
    #[must_use]
    pub fn frames<'p>(&self, program: &'p Program) -> Vec<Frame<'p>> {
        let mut live = FxHashSet::default();
        let mut add = |slot| {
            live.insert(slot);
        };
        match self.point {
            // What was live at the raise exists until the next collection.
            StopPoint::Ended(_) if program.keeps_variables() => self.variable_slots(program, add),
            _ => self.live_slots(program, &mut add),
        }
        let mut frames = Vec::new();
        self.places(|pc, frame| {
            frames.push(self.frame_at(program, pc, frame, &live));
            ControlFlow::Continue(())
        });
        frames
    }

    /// What it can still use of its stack: where its activations stand, and the values in live slots, each with its slot.
    #[must_use]
    pub fn live(&self, program: &Program) -> (Vec<Pc>, Vec<(usize, Term)>) {
        let mut slots = Vec::new();
        self.live_slots(program, |slot| slots.push(slot));
        slots.sort_unstable();
        slots.dedup();
        let mut places = Vec::new();
        self.places(|pc, _| {
            places.push(Pc(pc));
            ControlFlow::Continue(())
        });
        let value = |slot: usize| Some((slot, Term(*self.stack.get(slot)?)));
        (places, slots.into_iter().filter_map(value).collect())
    }

    fn frame_at<'p>(&self, program: &'p Program, pc: u32, frame: usize, live: &FxHashSet<usize>) -> Frame<'p> {
        let mut variables: Vec<(Atom, Option<Term>)> = Vec::new();
        for v in program.variables_at(pc) {
            let slot = frame + v.reg as usize;
            let word = self.stack.get(slot).filter(|_| v.reg != 0 && live.contains(&slot));
            let value = word.map(|word| Term(*word));
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

    /// The value of a variable of the innermost activation, if it is in scope and has a value. For modules that keep their variables
    /// ([`Program::keep_variables`]).
    #[must_use]
    pub fn variable(&self, program: &Program, name: Atom) -> Option<Term> {
        let known = program.variables_at(self.pc).filter(|v| v.name == name);
        let reg = known.last()?.reg;
        (reg != 0).then(|| Term(self.stack[self.frame + reg as usize]))
    }

    /// The variables of the innermost activation of a process that runs, in order of binding. For modules that keep their variables.
    #[must_use]
    pub fn variables_here(&self, program: &Program) -> Vec<(Atom, Option<Term>)> {
        let mut known: Vec<(Atom, Option<Term>)> = Vec::new();
        for v in program.variables_at(self.pc) {
            let value = (v.reg != 0).then(|| Term(self.stack[self.frame + v.reg as usize]));
            match known.iter_mut().find(|(name, _)| *name == v.name) {
                Some((_, known)) => *known = value,
                None => known.push((v.name, value)),
            }
        }
        known
    }

    /// The same of its innermost activation at a place for which this holds.
    #[must_use]
    pub fn variable_where<'p>(
        &self,
        program: &'p Program,
        name: Atom,
        is_it: impl Fn(&SourceLocation<'p>) -> bool,
    ) -> Option<Term> {
        let mut found = None;
        self.places(|pc, frame| {
            if program.location(Pc(pc)).filter(&is_it).is_none() {
                return ControlFlow::Continue(());
            }
            let known = program.variables_at(pc).filter(|v| v.name == name).last();
            let slot = known.filter(|v| v.reg != 0).map(|v| frame + v.reg as usize);
            found = slot.and_then(|slot| self.stack.get(slot)).map(|word| Term(*word));
            ControlFlow::Break(())
        });
        found
    }

    /// Its innermost place in the source. Examines only as many activations as needed.
    #[must_use]
    pub fn location<'p>(&self, program: &'p Program) -> Option<SourceLocation<'p>> {
        self.find_location(program, |_| true)
    }

    /// The innermost of its places in the source for which this holds. Examines only as many activations as needed.
    #[must_use]
    pub fn find_location<'p>(
        &self,
        program: &'p Program,
        is_it: impl Fn(&SourceLocation<'p>) -> bool,
    ) -> Option<SourceLocation<'p>> {
        let mut found = None;
        self.places(|pc, _| {
            found = program.location(Pc(pc)).filter(&is_it);
            match found {
                Some(_) => ControlFlow::Break(()),
                None => ControlFlow::Continue(()),
            }
        });
        found
    }

    /// The lines where its activations stand in such files, innermost first, each with the depth of the stack at which the activation begins.
    #[must_use]
    pub fn stack_lines(&self, program: &Program, is_file: impl Fn(&str) -> bool) -> Vec<(usize, u32)> {
        let mut lines = Vec::new();
        self.places(|pc, frame| {
            let at = program.location(Pc(pc)).filter(|at| at.line > 0 && is_file(at.file));
            lines.extend(at.map(|at| (frame, at.line)));
            ControlFlow::Continue(())
        });
        lines
    }

    /// Where its activations stand in the code, innermost first, at most `limit`. One that calls itself counts once.
    pub fn innermost(&self, limit: usize, mut each: impl FnMut(Pc)) {
        let (mut left, mut last) = (limit, None);
        self.places(|pc, _| {
            if last.replace(pc) != Some(pc) {
                each(Pc(pc));
                left -= 1;
            }
            match left {
                0 => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        });
    }

    /// The number of activations, at most `limit`.
    #[must_use]
    pub fn depth(&self, limit: usize) -> usize {
        if matches!(self.point, StopPoint::Idle | StopPoint::Ended(_)) || self.pc == END {
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
