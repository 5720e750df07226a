//! Checks compiled code before it is linked: the properties that the inner loop relies on.
//!
//! - every register is inside the frame that `Enter` asks for, and the callee of a call starts inside it;
//! - every jump and handler goes to the start of an instruction of the same function, and no function runs off its end;
//! - every table index exists;
//! - nothing is read that was not written: the registers live at the entry are arguments;
//! - every register that the collector takes to be live where the function can be suspended was written on every path, and not destroyed by a
//!   callee.

use std::collections::BTreeSet;
use std::fmt::{self, Display, Formatter};

use super::instr::{self, Instr, Reg};
use crate::compile::ranges::{Scopes, scope_at};
use crate::compile::unit::{FunctionCode, Unit, Variable};
use syntax::ast::Loc;
use syntax::atom::Atom;

/// Checks a unit. `keep`: variables must be readable wherever they are in scope.
///
/// # Errors
/// What is wrong, and the position of the function.
pub(super) fn verify(unit: &Unit, keep: bool) -> Result<(), VerifyError> {
    for (index, f) in unit.functions.iter().enumerate() {
        function(unit, f, keep).map_err(|unsound| VerifyError {
            function: Some(FunctionName {
                index,
                name: f.name,
                arity: f.arity,
                loc: f.loc,
            }),
            unsound,
        })?;
    }
    let function = None;
    tables(unit).map_err(|unsound| VerifyError { function, unsound })
}

/// Why a unit is not linked.
#[derive(Clone, Debug)]
pub(super) struct VerifyError {
    /// The function; `None`: a table of the unit.
    function: Option<FunctionName>,
    unsound: Unsound,
}

impl VerifyError {
    /// The position of the function.
    pub(super) fn loc(&self) -> Loc {
        self.function.as_ref().map_or(Loc::NONE, |function| function.loc)
    }
}

/// What a function is called in a message.
#[derive(Clone, Debug)]
struct FunctionName {
    index: usize,
    name: Option<Atom>,
    arity: u16,
    loc: Loc,
}

/// A property that code has not.
#[derive(Clone, Debug)]
struct Unsound {
    /// The instruction.
    at: Option<usize>,
    flaw: Flaw,
}

/// The properties that code can lack.
#[derive(Clone, Debug)]
enum Flaw {
    SwitchWithoutFunction,
    SwitchTarget(u32),
    SwitchOrder,
    FunWithoutFunction,
    FunArguments,
    /// The name of a table, and an index in it.
    NoEntry(&'static str, u32),
    MissingWords,
    OtherWord(Instr),
    LoneWord,
    NoJump,
    NoCode,
    NoStart,
    SmallFrame,
    OutsideFrame(Reg, u16),
    BranchTarget,
    JumpTarget,
    NoPeek,
    NoEnd,
    Handler,
    ReadBeforeWritten(Reg),
    NoLiveSet(u32),
    MissingLiveSet,
    KeptUnwritten(Reg),
    VariableOutside(String),
    VariableUnwritten(String, Reg),
}

impl Flaw {
    /// Of a function or a table as a whole.
    const fn alone(self) -> Unsound {
        Unsound { at: None, flaw: self }
    }

    /// Of an instruction.
    const fn at(self, at: usize) -> Unsound {
        Unsound {
            at: Some(at),
            flaw: self,
        }
    }
}

impl Display for VerifyError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(FunctionName { index, name, arity, .. }) = &self.function {
            let name = name.map_or("?", |name| name.as_str());
            write!(f, "function {index} ({name}/{arity}): ")?;
        }
        if let Some(at) = self.unsound.at {
            write!(f, "at {at}: ")?;
        }
        match &self.unsound.flaw {
            Flaw::SwitchWithoutFunction => f.write_str("a switch of no function"),
            Flaw::SwitchTarget(to) => write!(f, "a switch goes to {to}, which is no instruction"),
            Flaw::SwitchOrder => f.write_str("the keys of a switch are not sorted"),
            Flaw::FunWithoutFunction => f.write_str("a fun without a function"),
            Flaw::FunArguments => f.write_str("a fun whose function takes other arguments"),
            Flaw::NoEntry(what, index) => write!(f, "there is no {what} {index}"),
            Flaw::MissingWords => f.write_str("extension words are missing"),
            Flaw::OtherWord(word) => write!(f, "{word:?} is not the extension word expected"),
            Flaw::LoneWord => f.write_str("an extension word alone"),
            Flaw::NoJump => f.write_str("no jump follows"),
            Flaw::NoCode => f.write_str("it has no code"),
            Flaw::NoStart => f.write_str("it does not start with its entry"),
            Flaw::SmallFrame => f.write_str("its frame does not hold its arguments"),
            Flaw::OutsideFrame(reg, frame) => write!(f, "register {reg} is outside the frame of {frame}"),
            Flaw::BranchTarget => f.write_str("the branch goes to no instruction"),
            Flaw::JumpTarget => f.write_str("the jump goes to no instruction"),
            Flaw::NoPeek => f.write_str("it does not go back to a peek"),
            Flaw::NoEnd => f.write_str("it runs off its end"),
            Flaw::Handler => f.write_str("a handler is outside"),
            Flaw::ReadBeforeWritten(reg) => write!(f, "register {reg} is read before it is written"),
            Flaw::NoLiveSet(index) => write!(f, "there is no live set {index}"),
            Flaw::MissingLiveSet => f.write_str("a live set is missing"),
            Flaw::KeptUnwritten(reg) => write!(f, "register {reg} is kept, but need not have been written"),
            Flaw::VariableOutside(name) => write!(f, "variable {name} is outside the frame"),
            Flaw::VariableUnwritten(name, reg) => {
                write!(f, "variable {name} in register {reg} need not have been written")
            }
        }
    }
}

/// Switches and funs.
fn tables(unit: &Unit) -> Result<(), Unsound> {
    for s in &unit.switches {
        let code = unit
            .functions
            .get(s.function as usize)
            .ok_or_else(|| Flaw::SwitchWithoutFunction.alone())?;
        let starts = starts(unit, code)?;
        for to in s.cases.iter().map(|c| c.1).chain([s.default]) {
            if !starts.get(to as usize).copied().unwrap_or(false) {
                return Err(Flaw::SwitchTarget(to).alone());
            }
        }
        if !s.cases.is_sorted_by_key(|c| c.0) {
            return Err(Flaw::SwitchOrder.alone());
        }
    }
    for f in &unit.funs {
        let code = unit
            .functions
            .get(f.function as usize)
            .ok_or_else(|| Flaw::FunWithoutFunction.alone())?;
        if code.arity != u16::from(f.arity) + f.captured {
            return Err(Flaw::FunArguments.alone());
        }
    }
    Ok(())
}

/// Which positions start an instruction.
fn starts(unit: &Unit, f: &FunctionCode) -> Result<Vec<bool>, Unsound> {
    let mut starts = vec![false; f.code.len()];
    let mut at = 0;
    while at < f.code.len() {
        starts[at] = true;
        check_tables(unit, f.code[at]).map_err(|flaw| flaw.at(at))?;
        let size = f.code[at].size(unit);
        let end = at + size;
        let words = f.code.get(at + 1..end).ok_or_else(|| Flaw::MissingWords.at(at))?;
        let ops = f.code[at].ops(unit);
        for (i, word) in words.iter().enumerate() {
            let good = if i < ops {
                matches!(word, Instr::Ops { .. })
            } else {
                matches!(word, Instr::Live { .. } | Instr::LiveTable { .. })
            };
            if !good {
                return Err(Flaw::OtherWord(*word).at(at));
            }
        }
        if f.code[at].skips() && !matches!(f.code.get(end), Some(Instr::Jump { .. })) {
            return Err(Flaw::NoJump.at(at));
        }
        at = end;
    }
    Ok(starts)
}

fn check_tables(unit: &Unit, instr: Instr) -> Result<(), Flaw> {
    let within = |index: u32, len: usize, what: &'static str| {
        if (index as usize) < len {
            Ok(())
        } else {
            Err(Flaw::NoEntry(what, index))
        }
    };
    match instr {
        Instr::Mark { number } => within(number, unit.marks.len(), "mark"),
        Instr::Const { index, .. } => within(index, unit.constants.len(), "constant"),
        Instr::MakeFun { fun, .. } => within(fun, unit.funs.len(), "fun"),
        Instr::NotTagged { tag, .. } => within(u32::from(tag), unit.tags.len(), "tag"),
        Instr::Switch { table, .. } | Instr::SwitchTag { table, .. } => within(table, unit.switches.len(), "switch"),
        Instr::Call { target, .. } | Instr::TailCall { target } => within(target, unit.functions.len(), "function"),
        Instr::CallExternal { import, .. } | Instr::TailExternal { import } => {
            within(import, unit.imports.len(), "import")
        }
        Instr::Live { .. } | Instr::LiveTable { .. } | Instr::Ops { .. } => Err(Flaw::LoneWord),
        _ => Ok(()),
    }
}

fn function(unit: &Unit, f: &FunctionCode, keep: bool) -> Result<(), Unsound> {
    let (Instr::Enter { args, frame } | Instr::EnterGenerator { args, frame }) =
        *f.code.first().ok_or_else(|| Flaw::NoCode.alone())?
    else {
        return Err(Flaw::NoStart.alone());
    };
    if args != f.arity || frame <= args {
        return Err(Flaw::SmallFrame.alone());
    }
    let starts = starts(unit, f)?;
    let is_start = |to: i64| {
        usize::try_from(to)
            .ok()
            .and_then(|to| starts.get(to))
            .copied()
            .unwrap_or(false)
    };
    let mut previous_leaves = false;
    for at in (0..f.code.len()).filter(|&i| starts[i]) {
        let mut instr = f.code[at];
        let mut outside = None;
        instr::uses(&f.code[at..], f.arity, unit, |r| {
            if r >= frame {
                outside = Some(r);
            }
        });
        instr::defs(instr, |r| {
            if r >= frame {
                outside = Some(r);
            }
        });
        instr::defs_on_success(instr, |r| {
            if r >= frame {
                outside = Some(r);
            }
        });
        if let Some(r) = outside {
            return Err(Flaw::OutsideFrame(r, frame).at(at));
        }
        if let Some(to) = instr.short_branch()
            && !is_start(at as i64 + i64::from(*to))
        {
            return Err(Flaw::BranchTarget.at(at));
        }
        if let Instr::Jump { target } | Instr::ReceiveNext { target } = instr
            && !is_start(i64::from(target))
        {
            return Err(Flaw::JumpTarget.at(at));
        }
        if let Instr::ReceiveNext { target } = instr
            && !matches!(f.code[target as usize], Instr::Peek { .. })
        {
            return Err(Flaw::NoPeek.at(at));
        }
        previous_leaves = instr.leaves();
    }
    if !previous_leaves {
        return Err(Flaw::NoEnd.alone());
    }
    for h in &f.handlers {
        if !is_start(i64::from(h.target)) || h.end as usize > f.code.len() || h.base != 0 && h.base + 2 >= frame {
            return Err(Flaw::Handler.alone());
        }
    }
    let written = definite(unit, f, frame, &starts)?;
    suspended(unit, f, frame, &written)?;
    if keep {
        variables(f, frame, &written)?;
    }
    Ok(())
}

/// For each position, the registers that were written on every path to the instruction there; `None`: unreachable.
type WrittenRegisters = Vec<Option<Vec<u64>>>;

/// Checks that nothing is read before it is written: forward dataflow of written registers.
fn definite(unit: &Unit, f: &FunctionCode, frame: u16, starts: &[bool]) -> Result<WrittenRegisters, Unsound> {
    let mut covered = vec![0_usize; f.code.len()];
    // Inner regions come first: they win.
    for (index, h) in f.handlers.iter().enumerate() {
        for slot in &mut covered[h.start as usize..h.end as usize] {
            if *slot == 0 {
                *slot = index + 1;
            }
        }
    }
    let width = (frame as usize).div_ceil(64);
    let mut written: Vec<Option<Vec<u64>>> = vec![None; f.code.len()];
    let mut first = vec![0; width];
    (0..=f.arity).for_each(|r| set(&mut first, r));
    let mut work = Positions::default();
    work.push(0);
    written[0] = Some(first);
    while let Some(mut at) = work.pop() {
        // Straight on from here until something known is reached.
        loop {
            let mut now = written[at].clone().expect("only places that were reached");
            let instr = f.code[at];
            let mut missing = None;
            instr::uses(&f.code[at..], f.arity, unit, |r| {
                if !has(&now, r) {
                    missing = Some(r);
                }
            });
            if let Some(r) = missing {
                return Err(Flaw::ReadBeforeWritten(r).at(at));
            }
            let mut flow = |to: usize, state: &[u64]| {
                let Some(slot) = written.get_mut(to) else { return false };
                match slot {
                    None => {
                        *slot = Some(state.to_vec());
                        true
                    }
                    Some(known) => known.iter_mut().zip(state).fold(false, |is_changed, (known, state)| {
                        let before = *known;
                        *known &= state;
                        is_changed | (before != *known)
                    }),
                }
            };
            if let Some(base) = callee(instr) {
                (base..frame).for_each(|r| clear(&mut now, r));
            }
            // A jump cannot fail: registers that the compiler found dead are not needed for it (`Liveness::pass`).
            if let Some(h) = covered[at].checked_sub(1).map(|h| f.handlers[h])
                && !matches!(instr, Instr::Jump { .. })
            {
                let mut state = now.clone();
                if h.base != 0 {
                    (0..3).for_each(|k| set(&mut state, h.base + k));
                }
                if flow(h.target as usize, &state) {
                    work.push(h.target as usize);
                }
            }
            instr::defs(instr, |r| set(&mut now, r));
            for to in branches(instr, at, unit) {
                if flow(to, &now) {
                    work.push(to);
                }
            }
            let next = at + instr.size(unit);
            let mut success = now.clone();
            instr::defs_on_success(instr, |r| set(&mut success, r));
            if instr.skips() {
                if flow(next, &now) {
                    work.push(next);
                }
                if !flow(next + 1, &success) {
                    break;
                }
                at = next + 1;
                continue;
            }
            if instr.leaves() || !flow(next, &success) {
                break;
            }
            debug_assert!(starts[next]);
            at = next;
        }
    }
    Ok(written)
}

/// Where an instruction can branch to.
fn branches(mut instr: Instr, at: usize, unit: &Unit) -> Vec<usize> {
    let mut targets = Vec::new();
    if let Some(to) = instr.short_branch() {
        targets.push((at as i64 + i64::from(*to)) as usize);
    }
    match instr {
        Instr::Jump { target } | Instr::ReceiveNext { target } => targets.push(target as usize),
        Instr::Switch { table, .. } | Instr::SwitchTag { table, .. } => {
            let s = &unit.switches[table as usize];
            targets.extend(s.cases.iter().map(|c| c.1 as usize));
            targets.push(s.default as usize);
        }
        _ => {}
    }
    targets
}

/// Positions to examine, in the order of the code: handlers come after what they protect, so most positions are examined once.
#[derive(Default)]
struct Positions(BTreeSet<usize>);

impl Positions {
    fn push(&mut self, at: usize) {
        self.0.insert(at);
    }
    fn pop(&mut self) -> Option<usize> {
        self.0.pop_first()
    }
}

/// The register where the frame of a callee starts; the call destroys all registers from there on.
fn callee(instr: Instr) -> Option<Reg> {
    match instr {
        Instr::Call { base, .. }
        | Instr::CallExternal { base, .. }
        | Instr::CallFun { base, .. }
        | Instr::CallApply { base, .. }
        | Instr::CallApplyList { base, .. } => Some(base),
        _ => None,
    }
}

/// Checks that live sets contain only registers that were written.
fn suspended(unit: &Unit, f: &FunctionCode, frame: u16, written: &WrittenRegisters) -> Result<(), Unsound> {
    for (at, now) in written.iter().enumerate() {
        let (Some(now), instr) = (now, f.code[at]) else {
            continue;
        };
        if !instr.suspends() {
            continue;
        }
        let word = f.code[at + instr.size(unit) - 1];
        let few;
        let live: &[u64] = match word {
            Instr::Live { high, low } => {
                few = [u64::from(high) << 32 | u64::from(low)];
                &few
            }
            Instr::LiveTable { index } => f
                .live_sets
                .get(index as usize)
                .ok_or_else(|| Flaw::NoLiveSet(index).at(at))?,
            _ => return Err(Flaw::MissingLiveSet.at(at)),
        };
        let limit = callee(instr).unwrap_or(frame);
        if let Some(r) = bits(live).find(|&r| r >= limit || !has(now, r)) {
            return Err(Flaw::KeptUnwritten(r).at(at));
        }
    }
    Ok(())
}

/// Checks that variables in scope are in registers that were written.
fn variables(f: &FunctionCode, frame: u16, written: &WrittenRegisters) -> Result<(), Unsound> {
    if let Some(v) = f.variables.iter().find(|v| v.reg >= frame) {
        return Err(Flaw::VariableOutside(v.name.to_string()).alone());
    }
    let scopes = Scopes::new(&f.variables, f.code.len() as u32, frame);
    for (at, now) in written.iter().enumerate() {
        let Some(now) = now else { continue };
        let scope = scopes.at(scope_at(&f.stubs, at as u32));
        if let Some(r) = bits(scope).find(|&r| !has(now, r)) {
            let of = |v: &&Variable| v.reg == r && (v.start..v.end).contains(&scope_at(&f.stubs, at as u32));
            let name = f.variables.iter().find(of).map_or("?", |v| v.name.as_str());
            return Err(Flaw::VariableUnwritten(name.to_owned(), r).at(at));
        }
    }
    Ok(())
}

/// The members of a set.
fn bits(set: &[u64]) -> impl Iterator<Item = Reg> + '_ {
    set.iter().enumerate().flat_map(|(i, &word)| {
        (0..64)
            .filter(move |k| word >> k & 1 == 1)
            .map(move |k| (i * 64 + k) as Reg)
    })
}

fn set(bits: &mut [u64], r: Reg) {
    bits[r as usize / 64] |= 1 << (r % 64);
}

fn clear(bits: &mut [u64], r: Reg) {
    bits[r as usize / 64] &= !(1 << (r % 64));
}

fn has(bits: &[u64], r: Reg) -> bool {
    bits[r as usize / 64] >> (r % 64) & 1 == 1
}
