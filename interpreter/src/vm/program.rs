//! The code of all loaded modules, append-only, and the tables beside it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustc_hash::{FxHashMap, FxHashSet};

use super::instr::{Arities, Instr, Reg};
use super::lines::{LineCounts, Marks};
use super::liveness::Cache;
use super::{natives, verify};
use crate::atom::Atom;
use crate::compile::ranges::{Scopes, scope_at};
use crate::compile::unit::{Merged, Unit, Variable};
use crate::compile::{self, Diagnostic, Natives};
use crate::heap::Heap;
use crate::native::{CodeInfo, FunInfo, Implementation, Native, RETIRED};
use crate::otp;
use crate::print::Terms;
use crate::print::elixir::Fields;
use crate::term::{BoxKind, FunName, Term, UNIQUE_BITS, header};
use syntax::Release;
use syntax::ast::{self, Loc};
use syntax::diagnostic::DiagnosticKind;

mod answers;
mod link;
mod places;
mod shared;

pub use shared::CompiledModule;

/// A place in a program's code. Never stored in a trace: it depends on the version of the tool.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Default)]
pub struct Pc(pub u32);

/// A native of a program: an index into [`Program::natives`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct NativeId(pub u32);

/// The source place of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SourceLocation<'p> {
    /// The module.
    pub module: Atom,
    /// The file as stack traces show it.
    pub file: &'p str,
    /// From 1; 0 = code that the compiler made.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
    /// The function, or the local function made for a fun or comprehension (`-main/0-fun-0-`).
    pub function: Atom,
    /// Its arity, captured variables included.
    pub arity: u8,
    /// Code that was loaded at run time: the text of the file as it was then; empty if it is not known.
    pub loaded: Option<&'p Arc<str>>,
}

/// The files that code was made from at run time, with their texts.
pub type LoadedTexts = Vec<(String, Arc<str>)>;

/// One load of a module's code: an index into the program's versions, in the order of the loads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct VersionId(pub u32);

/// Module, function, arity.
pub(super) type Mfa = (Atom, Atom, u8);

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NameTarget {
    /// A function: its entry.
    Code(u32),
    /// A native.
    Native(NativeId),
    /// Nothing, now.
    Unresolved,
    /// A function of a disturbed module: the machine stops and asks which version is meant.
    Disturbed,
}

/// Natives that the machine executes or reports in a special way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Special {
    /// None of them.
    No,
    /// Raises for its caller: it is not in the stack trace.
    Silent,
    /// `error/2,3`: its second argument stands for the arguments of the caller.
    ErrorArgs,
    /// `apply/2`, `apply/3`.
    Apply,
}

#[derive(Clone, Debug)]
pub(super) struct Import {
    pub(super) name: Mfa,
    pub(super) target: NameTarget,
}

/// One function of the code.
#[derive(Clone, Debug)]
pub(super) struct FunctionInfo {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) module: Atom,
    pub(super) name: Atom,
    pub(super) arity: u16,
    pub(super) loc: Loc,
    /// Index into the file lists.
    files: u32,
    /// Ranges of the tables.
    handlers: (u32, u32),
    places: (u32, u32),
    variables: (u32, u32),
    stubs: (u32, u32),
    hidden: (u32, u32),
    /// A fun that stack traces show as part of the function around it.
    pub(super) merged: Option<Merged>,
}

/// A protected region; places are global.
#[derive(Clone, Copy, Debug)]
pub(super) struct Handler {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) target: u32,
    /// Register for class, reason and trace; 0 = a guard.
    pub(super) base: Reg,
}

#[derive(Clone, Debug)]
pub(super) struct FunEntry {
    /// Where calls of it go; [`ASKS`] if its module is disturbed: the machine stops and asks whether its code is still there.
    pub(super) entry: u32,
    pub(super) pc: u32,
    /// Of the code that it belongs to.
    fingerprint: u64,
    pub(super) arity: u8,
    pub(super) captured: u16,
    /// The beginning of every fun of it.
    pub(super) words: [u64; 2],
    info: FunInfo,
}

#[derive(Clone, Debug)]
pub(super) struct SwitchTable {
    keys: Box<[u64]>,
    targets: Box<[u32]>,
    default: u32,
    /// Targets of small integers from the first key on, if all keys are small integers and close together.
    dense: Box<[u32]>,
}

impl SwitchTable {
    /// invariant: `keys` are sorted.
    fn new(keys: Box<[u64]>, targets: Box<[u32]>, default: u32) -> Self {
        let small: Option<Vec<i64>> = keys.iter().map(|key| Term(*key).as_small()).collect();
        let dense = match small.as_deref() {
            // Words of non-negative small integers have the order of their values.
            Some(&[first, .., last]) if first >= 0 && last >= first && last - first < 4 * keys.len() as i64 => {
                let mut dense = vec![default; (last - first) as usize + 1];
                for (key, &target) in keys.iter().zip(&targets) {
                    dense[(Term(*key).small_value() - first) as usize] = target;
                }
                dense.into()
            }
            _ => Box::default(),
        };
        Self {
            keys,
            targets,
            default,
            dense,
        }
    }
    /// Everywhere it can go.
    pub(super) fn all(&self) -> impl Iterator<Item = u32> + '_ {
        self.targets.iter().copied().chain([self.default])
    }
    /// The target for a key.
    #[inline]
    pub(super) fn target(&self, key: u64) -> u32 {
        if !self.dense.is_empty() {
            // Other words than those of small integers have low bits, which a rotation makes the highest.
            let from_first = (key.wrapping_sub(self.keys[0])).rotate_right(3);
            return match self.dense.get(from_first as usize) {
                Some(target) => *target,
                None => self.default,
            };
        }
        if self.keys.len() <= 8 {
            return match self.keys.iter().position(|k| *k == key) {
                Some(i) => self.targets[i],
                None => self.default,
            };
        }
        match self.keys.binary_search(&key) {
            Ok(i) => self.targets[i],
            Err(_) => self.default,
        }
    }
}

/// See [`VersionId`].
#[derive(Clone, Debug)]
struct Version {
    module: Atom,
    /// Of its code: two loads of the same code have the same one.
    fingerprint: u64,
    /// Its code: from, up to.
    code: (u32, u32),
    exports: FxHashMap<(Atom, u8), u32>,
    attributes: Vec<(Atom, Term)>,
    /// Index into the file lists.
    files: u32,
}

/// The return place of a process's first function.
pub(super) const END: u32 = 1;

/// No place of a fun: see [`FunEntry::entry`].
pub(super) const ASKS: u32 = 0;

/// The code of all loaded modules. Append-only: code that a process stands in stays valid when a module is replaced.
#[derive(Clone)]
pub struct Program {
    release: Release,
    pub(super) code: Vec<Instr>,
    functions: Vec<FunctionInfo>,
    handlers: Vec<Handler>,
    places: Vec<(u32, Loc)>,
    variables: Vec<Variable>,
    /// Instructions out of line, with the positions whose variables are in scope there.
    stubs: Vec<(u32, u32)>,
    /// Calls whose frames are not in stack traces: from, up to. Sorted within a function.
    hidden: Vec<(u32, u32)>,
    files: Vec<Arc<[Box<str>]>>,
    /// By the file lists of versions that were loaded at run time: the texts of the files then.
    loaded_texts: FxHashMap<u32, LoadedTexts>,
    pub(super) constants: Vec<Term>,
    pub(super) imports: Vec<Import>,
    import_index: FxHashMap<Mfa, u32>,
    imports_of: FxHashMap<Atom, Vec<u32>>,
    pub(super) funs: Vec<FunEntry>,
    pub(super) switches: Vec<SwitchTable>,
    /// Header and first word of tagged tuples.
    pub(super) tags: Vec<(u64, u64)>,
    tag_index: FxHashMap<(u64, u64), u16>,
    pub(super) live_sets: Vec<Box<[u64]>>,
    natives: Vec<Native>,
    used: Used,
    specials: Vec<Special>,
    native_index: FxHashMap<Mfa, NativeId>,
    versions: Vec<Version>,
    /// The first version of each module: what its name stands for as long as it is not disturbed.
    first: FxHashMap<Atom, VersionId>,
    /// Modules of which calls ask for the version. It may contain modules that have one version only: to ask is never wrong.
    disturbed: FxHashSet<Atom>,
    /// Loads at run time, by module, hash of the code, and what tells one load from another.
    repeated: FxHashMap<(Atom, u64, u64), VersionId>,
    /// Funs by module, number in the module and hash of its code: two loads of the same code have the same funs, as in OTP.
    fun_index: FxHashMap<(Atom, u32, u64), u32>,
    literals: Arc<Vec<u64>>,
    /// The language that it is shown in.
    terms: Terms,
    /// Fields of the structs of Elixir.
    structs: FxHashMap<Atom, Fields>,
    keeps_variables: bool,
    notes_catches: bool,
    collects_always: bool,
    /// Counts of executed expressions.
    pub(super) marks: Marks,
    /// Live registers by function, computed on first use.
    pub(super) liveness: Cache,
}

/// Marks of the natives that are used. Readers of the program also set marks; marks are never cleared.
#[derive(Debug, Default)]
struct Used(Vec<AtomicBool>);

impl Used {
    fn mark(&self, id: NativeId) {
        self.0[id.0 as usize].store(true, Ordering::Relaxed);
    }
    fn is_marked(&self, id: NativeId) -> bool {
        self.0[id.0 as usize].load(Ordering::Relaxed)
    }
}

impl Clone for Used {
    fn clone(&self) -> Self {
        Self(
            self.0
                .iter()
                .map(|used| AtomicBool::new(used.load(Ordering::Relaxed)))
                .collect(),
        )
    }
}

impl Program {
    /// From now on, modules are compiled for a debugger: every variable stays readable as long as it is in scope, even if it is not used any
    /// more. Changes nothing that a process can see.
    ///
    /// # Panics
    /// If a module is already loaded.
    pub fn keep_variables(&mut self) {
        assert!(
            self.functions.is_empty(),
            "modules loaded before do not keep their variables"
        );
        self.keeps_variables = true;
    }

    /// In this language, its terms, functions and variables are shown to people. Changes nothing that a process can see.
    pub const fn speak(&mut self, terms: Terms) {
        self.terms = terms;
    }

    /// The language that it is shown in.
    #[must_use]
    pub const fn terms(&self) -> Terms {
        self.terms
    }

    /// From now on, processes note which exceptions they catch, or no longer do. Changes nothing that a process can see.
    pub const fn note_catches(&mut self, notes: bool) {
        self.notes_catches = notes;
    }

    /// See [`Program::note_catches`].
    pub(super) const fn notes_catches(&self) -> bool {
        self.notes_catches
    }

    /// From now on, the lines of the modules that `counts` wants are counted.
    pub fn count_lines(&mut self, counts: Arc<LineCounts>) {
        self.marks.counts = Some(counts);
    }

    /// Makes processes collect garbage at every counted event: for tests of the collector.
    pub const fn collect_always(&mut self) {
        self.collects_always = true;
    }

    /// See [`Program::collect_always`].
    pub(super) const fn collects_always(&self) -> bool {
        self.collects_always
    }

    /// See [`Program::keep_variables`].
    pub(super) const fn keeps_variables(&self) -> bool {
        self.keeps_variables
    }

    /// A program without modules. `natives` are the tables of the system layer, in addition to the interpreter's own; on equal names they win.
    #[must_use]
    pub fn new(natives: &[&'static [Native]]) -> Self {
        let mut program = Self {
            release: Release::OLDEST,
            code: vec![Instr::Live { high: 0, low: 0 }, Instr::End],
            functions: Vec::new(),
            handlers: Vec::new(),
            places: Vec::new(),
            variables: Vec::new(),
            stubs: Vec::new(),
            hidden: Vec::new(),
            files: Vec::new(),
            loaded_texts: FxHashMap::default(),
            constants: Vec::new(),
            imports: Vec::new(),
            import_index: FxHashMap::default(),
            imports_of: FxHashMap::default(),
            funs: Vec::new(),
            switches: Vec::new(),
            tags: Vec::new(),
            tag_index: FxHashMap::default(),
            live_sets: Vec::new(),
            natives: Vec::new(),
            used: Used::default(),
            specials: Vec::new(),
            native_index: FxHashMap::default(),
            versions: Vec::new(),
            first: FxHashMap::default(),
            disturbed: FxHashSet::default(),
            repeated: FxHashMap::default(),
            fun_index: FxHashMap::default(),
            literals: Arc::default(),
            terms: Terms::Erlang,
            structs: FxHashMap::default(),
            keeps_variables: false,
            notes_catches: false,
            collects_always: false,
            marks: Marks::default(),
            liveness: Cache::default(),
        };
        let own = crate::natives::all().iter().chain(std::iter::once(&natives::NATIVES));
        for native in own.chain(natives).flat_map(|table| table.iter()) {
            let id = NativeId(program.natives.len() as u32);
            program.natives.push(*native);
            program.used.0.push(AtomicBool::new(false));
            program.specials.push(natives::special(native));
            if native.version != RETIRED {
                program.native_index.insert(name_of(native), id);
            }
        }
        program
    }

    /// The same, for a program of this release of OTP: natives of other releases are not there. Without it, a program is of the oldest one, and all are
    /// there. To be called before any module is loaded.
    #[must_use]
    pub fn of_release(mut self, release: Release) -> Self {
        self.release = release;
        let others = otp::of_others(release);
        self.keep_natives(|native| {
            let of_module = others.get(native.module);
            of_module.is_none_or(|functions| !functions.contains(&(native.name, native.arity)))
        });
        self
    }

    /// The release of OTP that the program is of.
    #[must_use]
    pub const fn release(&self) -> Release {
        self.release
    }

    /// The size of the code and its constants.
    #[must_use]
    pub fn words(&self) -> usize {
        self.code.len() * size_of::<Instr>() / 8 + self.literals.len()
    }

    /// Whether a module of this name is loaded.
    #[must_use]
    pub fn is_loaded(&self, module: Atom) -> bool {
        self.first.contains_key(&module)
    }
    /// How many modules are loaded.
    #[must_use]
    pub fn loaded_count(&self) -> usize {
        self.first.len()
    }
    /// Names of the loaded modules, ascending.
    #[must_use]
    pub fn loaded(&self) -> Vec<Atom> {
        let mut names: Vec<Atom> = self.first.keys().copied().collect();
        names.sort_unstable_by_key(|name| name.as_str());
        names
    }
    /// The modules of all versions, each once, by name.
    #[must_use]
    pub fn all_modules(&self) -> Vec<Atom> {
        let mut names: Vec<Atom> = self.versions.iter().map(|version| version.module).collect();
        names.extend(self.disturbed.iter());
        names.sort_unstable_by_key(|name| name.as_str());
        names.dedup();
        names
    }
    /// The source file of a loaded module, as it was named.
    #[must_use]
    pub fn source_file(&self, module: Atom) -> Option<&str> {
        self.source_file_of(*self.first.get(&module)?)
    }
    /// The source file of a version, as it was named.
    #[must_use]
    pub fn source_file_of(&self, version: VersionId) -> Option<&str> {
        let files = self.files.get(self.version(version).files as usize)?;
        files.first().map(|file| &**file)
    }
    /// Functions of other modules that the loaded modules call by name, each once.
    pub fn calls(&self) -> impl Iterator<Item = (Atom, Atom, u8)> {
        self.imports.iter().map(|import| import.name)
    }
    /// Number of instructions.
    #[must_use]
    pub fn instructions(&self) -> usize {
        self.code.len()
    }
    /// A native by its id.
    #[must_use]
    pub fn native(&self, id: NativeId) -> &Native {
        &self.natives[id.0 as usize]
    }
    pub(super) fn special(&self, id: NativeId) -> Special {
        self.specials[id.0 as usize]
    }
    /// All natives; the position is the [`NativeId`].
    pub fn natives(&self) -> impl Iterator<Item = &Native> {
        self.natives.iter()
    }
    /// Has a module of this name natives?
    #[must_use]
    pub fn has_natives(&self, module: &str) -> bool {
        self.natives.iter().any(|native| native.module == module)
    }
    /// Has loaded code named this native, or called it by a name made at run time?
    #[must_use]
    pub fn is_used(&self, id: NativeId) -> bool {
        self.used.is_marked(id)
    }
    /// Removes the names of natives for which `keep` is false, so that modules can define functions with these names. To be called before any
    /// module is loaded.
    pub fn keep_natives(&mut self, keep: impl Fn(&Native) -> bool) {
        let natives = &self.natives;
        self.native_index.retain(|_, id| keep(&natives[id.0 as usize]));
    }
    /// Makes a native (`module:function/arity`) behave as in an older version. A retired one is there again.
    pub fn as_in_version(&mut self, name: &str, version: u16) {
        for (native, id) in self.natives.iter_mut().zip((0..).map(NativeId)) {
            if format!("{}:{}/{}", native.module, native.name, native.arity) == name {
                native.version = version;
                self.native_index.insert(name_of(native), id);
            }
        }
    }
    /// The constants of all modules.
    #[must_use]
    pub fn literals(&self) -> &Arc<Vec<u64>> {
        &self.literals
    }
    /// The constants and attributes of a loaded module (`-vsn`, `-behaviour`, …), as terms of the literal area.
    #[must_use]
    pub fn attributes(&self, module: Atom) -> &[(Atom, Term)] {
        self.first
            .get(&module)
            .map_or(&[], |version| self.attributes_of(*version))
    }
    /// As [`Program::attributes`], for a version.
    #[must_use]
    pub fn attributes_of(&self, version: VersionId) -> &[(Atom, Term)] {
        &self.version(version).attributes
    }
    fn version(&self, id: VersionId) -> &Version {
        &self.versions[id.0 as usize]
    }
}

fn name_of(native: &Native) -> (Atom, Atom, u8) {
    (Atom::new(native.module), Atom::new(native.name), native.arity)
}

/// A heap over a program's literals, for terms outside any process.
#[must_use]
pub fn heap_of(program: &Program) -> Heap {
    let mut heap = Heap::new(Arc::clone(&program.literals));
    heap.follow(program.release);
    heap
}
