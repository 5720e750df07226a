//! Makes the code of one function: emits it with labels, then finds live registers, drops dead moves and resolves branches.

use super::ranges::{Scopes, scope_at};
use super::unit::{FunctionCode, Handler, Variable};
use crate::atom::Atom;
use crate::vm::instr::{self, Arities, Instr, Reg};
use syntax::ast::Loc;

/// A position in the code that is not known yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Label(u32);

const NONE: u32 = u32::MAX;

struct Region {
    start: u32,
    end: u32,
    target: Label,
    base: Reg,
}

/// Code under construction.
#[derive(Default)]
pub struct Builder {
    code: Vec<Instr>,
    /// By position: label that the instruction branches to.
    targets: Vec<u32>,
    /// By label: position.
    labels: Vec<u32>,
    /// By label: does anything go there?
    used: Vec<bool>,
    /// Highest position with a label: instructions before and after it must not be joined.
    border: u32,
    places: Vec<(u32, Loc)>,
    loc: Loc,
    regions: Vec<Region>,
    variables: Vec<Variable>,
    /// Failures out of line: their position, and the position that they stand for.
    stubs: Vec<(u32, u32)>,
    /// Calls whose frames are not shown in stack traces; true: not even inside a protected region.
    hidden: Vec<(u32, u32, bool)>,
    /// Module-local indices of switches whose positions are labels of this function.
    pub switches: Vec<u32>,
}

/// A switch under construction: keys with labels.
#[derive(Default)]
pub struct SwitchLabels {
    /// Unsorted keys.
    pub cases: Vec<(u64, Label)>,
    /// Anything else.
    pub default: Option<Label>,
}

impl Builder {
    /// A label to be placed later.
    pub fn label(&mut self) -> Label {
        self.labels.push(NONE);
        self.used.push(false);
        Label(self.labels.len() as u32 - 1)
    }
    /// Places `label` at the next instruction.
    pub fn place(&mut self, label: Label) {
        self.labels[label.0 as usize] = self.code.len() as u32;
        self.border = self.code.len() as u32;
    }
    /// A label placed here.
    pub fn here(&mut self) -> Label {
        let label = self.label();
        self.place(label);
        label
    }
    /// Position of the next instruction.
    pub fn position(&self) -> u32 {
        self.code.len() as u32
    }
    /// Sets the source place of the code from here on.
    pub fn at(&mut self, loc: Loc) {
        if loc.line != 0 {
            self.loc = loc;
        }
    }
    /// The source place of the code that is emitted now.
    pub fn loc(&self) -> Loc {
        self.loc
    }
    /// Appends an instruction (or extension word).
    pub fn emit(&mut self, instr: Instr) {
        if self.places.last().is_none_or(|&(_, loc)| loc != self.loc) {
            self.places.push((self.code.len() as u32, self.loc));
        }
        self.code.push(instr);
        self.targets.push(NONE);
    }
    /// Appends a branching instruction.
    pub fn branch(&mut self, instr: Instr, label: Label) {
        self.emit(instr);
        *self.targets.last_mut().expect("just pushed") = label.0;
        self.mark(label);
    }
    /// Marks this label as a target.
    pub fn mark(&mut self, label: Label) {
        self.used[label.0 as usize] = true;
    }
    /// Does anything go to this label?
    pub fn is_used(&self, label: Label) -> bool {
        self.used[label.0 as usize]
    }
    /// Appends a move; two moves to neighbouring registers become one.
    pub fn mov(&mut self, dst: Reg, src: Reg) {
        if dst == src {
            return;
        }
        if let Some(&Instr::Move { dst: d, src: a }) = self.code.last()
            && d + 1 == dst
            && src != d
            && self.border < self.code.len() as u32
        {
            *self.code.last_mut().expect("there is one") = Instr::Move2 { dst: d, a, b: src };
            return;
        }
        self.emit(Instr::Move { dst, src });
    }
    /// Returns a register's value; an instruction that only made this value is joined with the return.
    pub fn return_value(&mut self, src: Reg) {
        let combined = match self.code.last() {
            _ if self.border >= self.code.len() as u32 => None,
            Some(&Instr::Cons { dst, head, tail }) if dst == src => Some(Instr::ReturnCons { head, tail }),
            Some(&Instr::Atom { dst, atom }) if dst == src => Some(Instr::ReturnAtom { atom }),
            _ => None,
        };
        match (combined, self.code.last_mut()) {
            (Some(instr), Some(last)) => *last = instr,
            _ => self.emit(Instr::Return { src }),
        }
    }
    /// Appends a jump.
    pub fn jump(&mut self, label: Label) {
        self.branch(Instr::Jump { target: 0 }, label);
    }
    /// Appends `Ops` words with these registers.
    pub fn ops(&mut self, regs: &[Reg]) {
        for c in regs.chunks(3) {
            let get = |i: usize| c.get(i).copied().unwrap_or(0);
            self.emit(Instr::Ops {
                a: get(0),
                b: get(1),
                c: get(2),
            });
        }
    }
    /// Appends a `Live` word, filled in by [`Builder::finish`].
    pub fn live(&mut self) {
        self.emit(Instr::Live { high: 0, low: 0 });
    }
    /// Code from `start` to here is protected. `base` 0 marks a guard.
    pub fn protect(&mut self, start: u32, target: Label, base: Reg) {
        let end = self.position();
        if start < end {
            self.mark(target);
            self.border = end;
            self.regions.push(Region {
                start,
                end,
                target,
                base,
            });
        }
    }
    /// Binds a variable to a register from here on; returns a handle for [`Builder::forget`].
    pub fn variable(&mut self, name: Atom, reg: Reg) -> usize {
        self.variables.push(Variable {
            name,
            reg,
            start: self.position(),
            end: NONE,
        });
        self.variables.len() - 1
    }
    /// The next instruction is out of line and stands for the one at `origin`, where other variables are in scope than here.
    pub fn out_of_line(&mut self, origin: u32) {
        self.stubs.push((self.position(), origin));
    }
    /// Marks the code from `start` to here as a call whose frame is not shown in stack traces. Unless `always`, it is shown inside a protected
    /// region, where OTP cannot make a tail call.
    pub fn hide(&mut self, start: u32, always: bool) {
        self.hidden.push((start, self.position(), always));
    }
    /// Ends the scope of the variable here.
    pub fn forget(&mut self, variable: usize) {
        self.variables[variable].end = self.position();
    }

    /// Appends an element access; two accesses to neighbouring elements become one.
    pub fn element(&mut self, dst: Reg, src: Reg, index: u16) {
        if let Some(&Instr::Element {
            dst: d,
            src: s,
            index: i,
        }) = self.code.last()
            && d + 1 == dst
            && s == src
            && i + 1 == index
            && src != d
            && self.border < self.code.len() as u32
        {
            *self.code.last_mut().expect("there is one") = Instr::Element2 { dst: d, src, index: i };
            return;
        }
        self.emit(Instr::Element { dst, src, index });
    }

    /// The final code. `switches` contains the switches of this function by module-local index; they are resolved to positions. `keep`:
    /// variables are live as long as they are in scope.
    pub fn finish(
        mut self,
        arity: u16,
        registers: u16,
        arities: &impl Arities,
        switches: &mut [(SwitchLabels, super::unit::Switch)],
        keep: bool,
    ) -> FunctionCode {
        // Names that no program can write belong to the compiler.
        self.variables.retain(|v| !v.name.as_str().starts_with('-'));
        let scopes = keep.then(|| Scopes::new(&self.variables, self.code.len() as u32, registers));
        if let Some(Instr::Enter { frame, .. } | Instr::EnterGenerator { frame, .. }) = self.code.first_mut() {
            *frame = registers;
        }
        let mut live = Liveness::new(&self, arity, registers, arities, switches, scopes);
        live.run(&mut self);
        let dropped = live.drop_dead(&mut self);
        let sets = std::mem::take(&mut live.sets);
        self.resolve(dropped, sets, arity, arities, switches)
    }

    /// Follows jumps to jumps.
    fn thread(&self, dropped: &[bool], label: u32) -> u32 {
        let mut at = self.labels[label as usize] as usize;
        for _ in 0..8 {
            while dropped.get(at).copied().unwrap_or(false) {
                at += 1;
            }
            match self.code.get(at) {
                Some(Instr::Jump { .. }) if self.targets[at] != NONE => {
                    at = self.labels[self.targets[at] as usize] as usize
                }
                _ => break,
            }
        }
        at as u32
    }

    /// Drops jumps to the next instruction, unless a skip instruction may step over one.
    fn drop_jumps(&self, threaded: &[u32], dropped: &mut [bool], arities: &impl Arities) {
        let n = self.code.len();
        let mut previous_skips = false;
        let mut i = 0;
        while i < n {
            let size = self.code[i].size(arities);
            if let Instr::Jump { .. } = self.code[i]
                && !previous_skips
                && self.targets[i] != NONE
            {
                let to = threaded[self.targets[i] as usize] as usize;
                if to > i && (i + 1..to).all(|k| dropped[k]) {
                    dropped[i] = true;
                }
            }
            if !dropped[i] {
                previous_skips = self.code[i].skips();
            }
            i += size;
        }
    }

    /// Where each instruction is when those that are dropped are gone, and which short branches become three instructions because their targets
    /// are out of reach.
    fn spread(&self, threaded: &[u32], dropped: &[bool]) -> (Vec<bool>, Vec<u32>) {
        let n = self.code.len();
        let mut long = vec![false; n];
        let mut position = vec![0_u32; n + 1];
        loop {
            let mut at = 0;
            for i in 0..n {
                position[i] = at;
                at += if dropped[i] {
                    0
                } else if long[i] {
                    3
                } else {
                    1
                };
            }
            position[n] = at;
            let mut changed = false;
            for i in 0..n {
                let mut instr = self.code[i];
                if self.targets[i] != NONE && !dropped[i] && !long[i] && instr.short_branch().is_some() {
                    let to = position[threaded[self.targets[i] as usize] as usize];
                    if i16::try_from(i64::from(to) - i64::from(position[i])).is_err() {
                        long[i] = true;
                        changed = true;
                    }
                }
            }
            if !changed {
                return (long, position);
            }
        }
    }

    /// The instructions that are left, with their targets.
    fn remaining(&self, threaded: &[u32], dropped: &[bool], long: &[bool], position: &[u32]) -> Vec<Instr> {
        let n = self.code.len();
        let mut code = Vec::with_capacity(position[n] as usize);
        for i in 0..n {
            if dropped[i] {
                continue;
            }
            let mut instr = self.code[i];
            if self.targets[i] != NONE {
                let to = position[threaded[self.targets[i] as usize] as usize];
                let here = code.len() as u32;
                match &mut instr {
                    Instr::Jump { target } | Instr::ReceiveNext { target } => *target = to,
                    other => {
                        let field = other.short_branch().expect("only branches have targets");
                        if long[i] {
                            *field = 2;
                            code.extend([instr, Instr::Jump { target: here + 3 }, Instr::Jump { target: to }]);
                            continue;
                        }
                        *field = (i64::from(to) - i64::from(here)) as i16;
                    }
                }
            }
            code.push(instr);
        }
        code
    }

    fn resolve(
        self,
        mut dropped: Vec<bool>,
        sets: Vec<Box<[u64]>>,
        arity: u16,
        arities: &impl Arities,
        switches: &mut [(SwitchLabels, super::unit::Switch)],
    ) -> FunctionCode {
        let n = self.code.len();
        let threaded: Vec<u32> = (0..self.labels.len() as u32)
            .map(|l| {
                if self.labels[l as usize] == NONE {
                    NONE
                } else {
                    self.thread(&dropped, l)
                }
            })
            .collect();
        self.drop_jumps(&threaded, &mut dropped, arities);
        let (long, position) = self.spread(&threaded, &dropped);
        let code = self.remaining(&threaded, &dropped, &long, &position);
        let of_label = |l: Label| position[threaded[l.0 as usize] as usize];
        for &index in &self.switches {
            let (labels, switch) = &mut switches[index as usize];
            switch.cases = labels.cases.iter().map(|&(k, l)| (k, of_label(l))).collect();
            switch.cases.sort_unstable_by_key(|c| c.0);
            switch.default = labels.default.map_or(0, of_label);
        }
        let mut places: Vec<(u32, Loc)> = Vec::new();
        for (i, loc) in self.places {
            let at = position[i as usize];
            match places.last_mut() {
                Some(last) if last.0 == at => last.1 = loc,
                Some(last) if last.1 == loc => {}
                _ => places.push((at, loc)),
            }
        }
        let handlers = self
            .regions
            .iter()
            .map(|r| Handler {
                start: position[r.start as usize],
                end: position[r.end as usize],
                // Not threaded: a handler's code starts exactly at its label.
                target: position[self.labels[r.target.0 as usize] as usize],
                base: r.base,
            })
            .filter(|h| h.start < h.end)
            .collect();
        let variables = self
            .variables
            .iter()
            .map(|v| Variable {
                start: position[v.start as usize],
                end: if v.end == NONE {
                    position[n]
                } else {
                    position[v.end as usize]
                },
                ..*v
            })
            .filter(|v| v.start < v.end)
            .collect();
        let stubs = self
            .stubs
            .iter()
            .map(|&(at, origin)| (position[at as usize], position[origin as usize]))
            .collect();
        let protected = |start: u32| {
            let mut regions = self.regions.iter().filter(|r| r.base != 0);
            regions.any(|r| (r.start..r.end).contains(&start))
        };
        let hidden = self
            .hidden
            .iter()
            .filter(|&&(start, _, always)| always || !protected(start))
            .map(|&(start, end, _)| (position[start as usize], position[end as usize]))
            .collect();
        FunctionCode {
            name: None,
            hidden,
            merged: None,
            arity,
            loc: Loc::NONE,
            code,
            handlers,
            places,
            variables,
            stubs,
            live_sets: sets,
        }
    }
}

/// Backward dataflow of live registers.
struct Liveness<'a, A> {
    arities: &'a A,
    arity: u16,
    /// Words of a set.
    width: usize,
    /// Live before each label's position.
    labels: Vec<Vec<u64>>,
    /// Start of each instruction (extension words have none).
    starts: Vec<u32>,
    /// Innermost region of each start, as index + 1.
    covered: Vec<u32>,
    /// Labels of each switch.
    switches: Vec<(u32, Vec<u32>)>,
    /// Labels at each position.
    at: Vec<(u32, u32)>,
    dead: Vec<u32>,
    sets: Vec<Box<[u64]>>,
    /// Registers to keep, by position.
    scopes: Option<Scopes>,
}

impl<'a, A: Arities> Liveness<'a, A> {
    fn new(
        b: &Builder,
        arity: u16,
        registers: u16,
        arities: &'a A,
        switches: &[(SwitchLabels, super::unit::Switch)],
        scopes: Option<Scopes>,
    ) -> Self {
        let width = (registers as usize + 1).div_ceil(64);
        let mut starts = Vec::new();
        let mut i = 0;
        while i < b.code.len() {
            starts.push(i as u32);
            i += b.code[i].size(arities);
        }
        debug_assert_eq!(i, b.code.len(), "extension words are complete");
        let mut covered = vec![0; b.code.len()];
        // Inner regions come first: they win.
        for (index, r) in b.regions.iter().enumerate() {
            for slot in &mut covered[r.start as usize..r.end as usize] {
                if *slot == 0 {
                    *slot = index as u32 + 1;
                }
            }
        }
        let mut at: Vec<(u32, u32)> = b
            .labels
            .iter()
            .enumerate()
            .filter(|l| *l.1 != NONE)
            .map(|(l, &p)| (p, l as u32))
            .collect();
        at.sort_unstable();
        let switches = b
            .switches
            .iter()
            .map(|&s| {
                let labels = &switches[s as usize].0;
                (
                    s,
                    labels
                        .cases
                        .iter()
                        .map(|c| c.1.0)
                        .chain(labels.default.map(|d| d.0))
                        .collect(),
                )
            })
            .collect();
        Self {
            arities,
            arity,
            width,
            labels: vec![Vec::new(); b.labels.len()],
            starts,
            covered,
            switches,
            at,
            dead: Vec::new(),
            sets: Vec::new(),
            scopes,
        }
    }

    /// Fills the `Live` words.
    fn run(&mut self, b: &mut Builder) {
        loop {
            let changed = self.pass(b, false);
            if !changed {
                break;
            }
            // Only loops of `receive` jump backward, so this ends after a few passes.
            if !self.has_backward(b) {
                break;
            }
        }
        self.pass(b, true);
    }

    fn has_backward(&self, b: &Builder) -> bool {
        b.targets
            .iter()
            .enumerate()
            .any(|(i, &t)| t != NONE && b.labels[t as usize] as usize <= i)
    }

    fn join(set: &mut [u64], other: &[u64]) {
        for (a, b) in set.iter_mut().zip(other) {
            *a |= b;
        }
    }

    fn pass(&mut self, b: &mut Builder, last: bool) -> bool {
        let mut changed = false;
        let mut live = vec![0_u64; self.width];
        let mut after_jump = vec![0_u64; self.width];
        let mut next_label = self.at.len();
        for s in (0..self.starts.len()).rev() {
            let i = self.starts[s] as usize;
            let end = self.starts.get(s + 1).map_or(b.code.len(), |&e| e as usize);
            while next_label > 0 && self.at[next_label - 1].0 as usize >= end {
                next_label -= 1;
                changed |= self.note(self.at[next_label].1, &live);
            }
            let instr = b.code[i];
            if instr.leaves() {
                if matches!(instr, Instr::Jump { .. }) {
                    after_jump.copy_from_slice(&live);
                }
                live.fill(0);
            }
            let clear = |set: &mut [u64], r: Reg| set[r as usize / 64] &= !(1 << (r % 64));
            if let Instr::MatchCons { dst, .. } = instr {
                clear(&mut live, dst);
                clear(&mut live, dst + 1);
            }
            if b.targets[i] != NONE {
                Self::join(&mut live, &self.labels[b.targets[i] as usize]);
            }
            if let Instr::Switch { table, .. } | Instr::SwitchTag { table, .. } = instr {
                let labels = &self
                    .switches
                    .iter()
                    .find(|s| s.0 == table)
                    .expect("switch of this function")
                    .1;
                for &l in labels {
                    Self::join(&mut live, &self.labels[l as usize]);
                }
            }
            if instr.skips() {
                let mut success = after_jump.clone();
                instr::defs_on_success(instr, |r| clear(&mut success, r));
                Self::join(&mut live, &success);
            }
            let mut any_def = false;
            let mut all_dead = true;
            instr::defs(instr, |r| {
                any_def = true;
                if live[r as usize / 64] >> (r % 64) & 1 == 1 {
                    all_dead = false;
                }
            });
            if any_def && all_dead && instr.is_pure() {
                if last {
                    self.dead.push(i as u32);
                }
                self.flush_labels(&mut next_label, i, &live, &mut changed);
                continue;
            }
            instr::defs(instr, |r| clear(&mut live, r));
            if self.covered[i] != 0 && !matches!(instr, Instr::Jump { .. }) {
                let region = &b.regions[self.covered[i] as usize - 1];
                let mut handler = self.labels[region.target.0 as usize].clone();
                if !handler.is_empty() && region.base != 0 {
                    (0..3).for_each(|k| clear(&mut handler, region.base + k));
                }
                Self::join(&mut live, &handler);
            }
            if let Some(scopes) = &self.scopes {
                Self::join(&mut live, scopes.at(scope_at(&b.stubs, i as u32)));
            }
            if last && instr.suspends() && !matches!(instr, Instr::Peek { .. } | Instr::Sleep { .. }) {
                let word = self.live_word(&live);
                b.code[end - 1] = word;
            }
            instr::uses(&b.code[i..], self.arity, self.arities, |r| {
                live[r as usize / 64] |= 1 << (r % 64)
            });
            if last && matches!(instr, Instr::Peek { .. } | Instr::Sleep { .. }) {
                let word = self.live_word(&live);
                b.code[end - 1] = word;
            }
            self.flush_labels(&mut next_label, i, &live, &mut changed);
        }
        changed
    }

    fn flush_labels(&mut self, next_label: &mut usize, i: usize, live: &[u64], changed: &mut bool) {
        while *next_label > 0 && self.at[*next_label - 1].0 as usize >= i {
            *next_label -= 1;
            *changed |= self.note(self.at[*next_label].1, live);
        }
    }

    fn note(&mut self, label: u32, live: &[u64]) -> bool {
        let known = &mut self.labels[label as usize];
        if known == live {
            return false;
        }
        known.clear();
        known.extend_from_slice(live);
        true
    }

    fn live_word(&mut self, live: &[u64]) -> Instr {
        if live[1..].iter().all(|w| *w == 0) && live[0] >> 48 == 0 {
            return Instr::Live {
                high: (live[0] >> 32) as u16,
                low: live[0] as u32,
            };
        }
        if self.sets.last().is_none_or(|s| **s != *live) {
            self.sets.push(live.into());
        }
        Instr::LiveTable {
            index: self.sets.len() as u32 - 1,
        }
    }

    /// Marks instructions whose results are not used.
    fn drop_dead(&mut self, b: &mut Builder) -> Vec<bool> {
        let mut dropped = vec![false; b.code.len()];
        for &i in &self.dead {
            let size = b.code[i as usize].size(self.arities);
            dropped[i as usize..i as usize + size].fill(true);
        }
        dropped
    }
}
