//! The program's answers to compiler, verifier and natives.

use super::super::process::{EndClass, FunFate, Process, Stop};
use super::*;
use crate::term::Pid;

impl Natives for Program {
    fn pure(&self, module: Atom, function: Atom, arity: u8) -> Option<u16> {
        let id = *self.native_index.get(&(module, function, arity))?;
        let is_pure = matches!(self.native(id).run, Implementation::Pure(_)) && self.special(id) != Special::Apply;
        self.used.mark(id);
        if is_pure { u16::try_from(id.0).ok() } else { None }
    }
    fn keeps_variables(&self) -> bool {
        self.keeps_variables
    }
    fn counts_lines(&self, module: Atom, file: &str) -> bool {
        let is_first = !self.first.contains_key(&module);
        is_first && self.marks.counts.as_ref().is_some_and(|counts| counts.wants(file))
    }
}

impl Arities for Program {
    fn function(&self, target: u32) -> u16 {
        self.function_at(target).map_or(0, |f| f.arity)
    }
    fn import(&self, import: u32) -> u16 {
        u16::from(self.imports[import as usize].name.2)
    }
    fn captured(&self, fun: u32) -> u16 {
        self.funs[fun as usize].captured
    }
}

impl CodeInfo for Program {
    fn fun(&self, id: u32) -> FunInfo {
        self.funs[id as usize].info
    }
    fn is_native(&self, module: Atom, function: Atom, arity: u8) -> bool {
        self.native_index.contains_key(&(module, function, arity))
    }
    fn is_exported(&self, module: Atom, function: Atom, arity: u8) -> bool {
        let name = (function, arity);
        self.native_index.contains_key(&(module, function, arity))
            || self
                .first(module)
                .is_some_and(|first| self.version(first).exports.contains_key(&name))
    }
    fn release(&self) -> Release {
        self.release
    }
    fn terms(&self) -> Terms {
        self.terms
    }
    fn struct_fields(&self, module: Atom) -> Option<Fields> {
        self.structs.get(&module).cloned()
    }
    fn is_loaded(&self, module: Atom) -> bool {
        Program::is_loaded(self, module)
    }
    fn message(&self, heap: &Heap, module: Atom, exception: Term) -> Option<String> {
        /// Counted events after which it is given up.
        const EVENTS: u32 = 100_000;
        let name = Atom::new("message");
        let newest = |module: Atom| {
            let last = self.versions.iter().rposition(|version| version.module == module)?;
            Some(VersionId(u32::try_from(last).ok()?))
        };
        let is_there = newest(module).is_some_and(|newest| self.version(newest).exports.contains_key(&(name, 1)));
        if !is_there {
            return None;
        }
        let mut machine = Process::new(self, Pid::new(0, 0), Atom::new("nonode@nohost"));
        let exception = machine.heap.import(&heap.export_own(exception));
        machine.start_call(module, name, &[exception]);
        let end = loop {
            match machine.run(self, EVENTS) {
                Stop::Ended(end) => break end,
                Stop::Which(_) if machine.asked_fun().is_some() => machine.enter_fun(FunFate::Runs),
                Stop::Which(module) => machine.enter(newest(module)),
                Stop::Load(module) if newest(module).is_some() => machine.enter(newest(module)),
                Stop::Observed => {}
                // It would have an effect, wait, run for long, or call what is not loaded.
                Stop::Load(_) | Stop::Preempted | Stop::Native { .. } | Stop::Wait { .. } | Stop::Received(_) => {
                    return None;
                }
            }
        };
        let text = machine.heap.bytes(end.reason)?;
        let is_text = end.class == EndClass::Normal;
        is_text.then(|| String::from_utf8_lossy(&text).into_owned())
    }
    fn find_fun(&self, name: FunName, arity: u8, free: usize) -> Option<u32> {
        let id = self
            .funs
            .iter()
            .rposition(|f| f.info.name == name && f.arity == arity && f.captured as usize == free)?;
        u32::try_from(id).ok()
    }
    fn exports(&self, module: Atom) -> Option<Vec<(Atom, u8)>> {
        let first = self.first(module)?;
        let info = self.version(first);
        let mut exports = self.exports_of(first);
        if !crate::library::has(module.as_str(), self.release) {
            return Some(exports);
        }
        // Natives are exported too, except those that only the tool's own library calls.
        let natives = self
            .native_index
            .keys()
            .filter(|(of, name, _)| *of == module && !name.as_str().starts_with('$'));
        let mut natives: Vec<(Atom, u8)> = natives.map(|&(_, name, arity)| (name, arity)).collect();
        natives.retain(|name| !info.exports.contains_key(name));
        natives.sort_unstable_by_key(|(name, arity)| (name.as_str(), *arity));
        exports.retain(|(name, _)| !name.as_str().starts_with('$'));
        exports.extend(natives);
        Some(exports)
    }
    fn attributes(&self, module: Atom) -> Vec<(Atom, Term)> {
        Program::attributes(self, module).to_vec()
    }
}

impl Program {
    /// What a version exports, in the order of the definitions, as OTP lists it.
    #[must_use]
    pub fn exports_of(&self, version: VersionId) -> Vec<(Atom, u8)> {
        let info = self.version(version);
        let mut exports: Vec<(Atom, u8)> = info.exports.keys().copied().collect();
        exports.sort_unstable_by_key(|name| info.exports[name]);
        exports
    }

    /// All functions of a version, in the order of the definitions.
    #[must_use]
    pub fn functions_of(&self, version: VersionId) -> Vec<(Atom, u16)> {
        let (from, to) = self.version(version).code;
        let first = self.functions.partition_point(|function| function.start < from);
        let own = self.functions[first..]
            .iter()
            .take_while(|function| function.start < to);
        let named = own.filter(|function| function.name != Atom::EMPTY && !function.name.as_str().starts_with('$'));
        let mut seen = FxHashSet::default();
        named
            .map(|function| (function.name, function.arity))
            .filter(|name| seen.insert(*name))
            .collect()
    }
}
