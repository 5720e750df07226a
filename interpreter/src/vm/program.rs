//! The code of all loaded modules, append-only, and the tables beside it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustc_hash::{FxHashMap, FxHasher};

use super::instr::{Arities, Instr, Reg};
use super::liveness::Cache;
use super::{natives, verify};
use crate::atom::Atom;
use crate::compile::ranges::{Scopes, scope_at};
use crate::compile::unit::{Merged, Unit, Variable};
use crate::compile::{self, Diagnostic, Natives};
use crate::heap::Heap;
use crate::native::{CodeInfo, FunInfo, Implementation, Native};
use crate::term::{Kind, Term, header};
use syntax::ast::{self, Loc};
use syntax::diagnostic::Kind as DiagnosticKind;

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
}

/// Module, function, arity.
pub(super) type Mfa = (Atom, Atom, u8);

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Target {
    /// A function: its entry.
    Code(u32),
    /// A native.
    Native(NativeId),
    /// Nothing, now.
    Unresolved,
}

/// Natives that the machine carries out or reports in a way of its own.
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
    pub(super) target: Target,
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
    pub(super) pc: u32,
    pub(super) arity: u8,
    pub(super) captured: u16,
    info: FunInfo,
}

#[derive(Clone, Debug)]
pub(super) struct SwitchTable {
    keys: Box<[u64]>,
    targets: Box<[u32]>,
    default: u32,
    /// Where small integers from the first key on go, when the keys are such and stand close together.
    dense: Box<[u32]>,
}

impl SwitchTable {
    /// invariant: `keys` are sorted.
    fn new(keys: Box<[u64]>, targets: Box<[u32]>, default: u32) -> Self {
        let small: Option<Vec<i64>> = keys.iter().map(|key| Term(*key).as_small()).collect();
        let dense = match small.as_deref() {
            // Words of small integers that are not negative are in the order of their values.
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
    /// Where to go on for a key.
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

#[derive(Clone, Debug)]
struct ModuleInfo {
    exports: FxHashMap<(Atom, u8), u32>,
    attributes: Vec<(Atom, Term)>,
}

/// The return place of a process's first function.
pub(super) const END: u32 = 1;

/// The code of all loaded modules. Append-only: code that a process stands in stays valid when a module is replaced.
#[derive(Clone)]
pub struct Program {
    pub(super) code: Vec<Instr>,
    functions: Vec<FunctionInfo>,
    handlers: Vec<Handler>,
    places: Vec<(u32, Loc)>,
    variables: Vec<Variable>,
    /// Instructions out of line, with the places whose variables are in scope there.
    stubs: Vec<(u32, u32)>,
    /// Calls whose frames are not in stack traces: from, up to. Sorted within a function.
    hidden: Vec<(u32, u32)>,
    files: Vec<Arc<[Box<str>]>>,
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
    modules: FxHashMap<Atom, ModuleInfo>,
    literals: Arc<Vec<u64>>,
    keeps_variables: bool,
    collects_always: bool,
    /// Live registers by function, made when first asked for.
    pub(super) liveness: Cache,
}

/// Which natives are used. A mark is set by readers of the program too, and only ever set.
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
    /// Modules are compiled so that every variable stays readable as long as it is in scope, also where it is not used any more: for a
    /// debugger. Changes nothing that a process can see.
    ///
    /// # Panics
    /// If a module is loaded already.
    pub fn keep_variables(&mut self) {
        assert!(
            self.functions.is_empty(),
            "modules loaded before do not keep their variables"
        );
        self.keeps_variables = true;
    }

    /// Processes collect garbage at every counted event: for tests of the collector.
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
            code: vec![Instr::Live { high: 0, low: 0 }, Instr::End],
            functions: Vec::new(),
            handlers: Vec::new(),
            places: Vec::new(),
            variables: Vec::new(),
            stubs: Vec::new(),
            hidden: Vec::new(),
            files: Vec::new(),
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
            modules: FxHashMap::default(),
            literals: Arc::default(),
            keeps_variables: false,
            collects_always: false,
            liveness: Cache::default(),
        };
        let own = crate::natives::all().iter().chain(std::iter::once(&natives::NATIVES));
        for native in own.chain(natives).flat_map(|table| table.iter()) {
            let id = NativeId(program.natives.len() as u32);
            program.natives.push(*native);
            program.used.0.push(AtomicBool::new(false));
            program.specials.push(natives::special(native));
            program
                .native_index
                .insert((Atom::new(native.module), Atom::new(native.name), native.arity), id);
        }
        program
    }

    /// Compiles a module and appends it. Later calls to a module of the same name go to the new code; old code stays valid.
    ///
    /// # Errors
    /// Everything that the compiler refuses; then nothing was loaded.
    pub fn load(&mut self, module: &ast::Module) -> Result<(), Vec<Diagnostic>> {
        let unit = compile::compile(module, self)?;
        if let Err((loc, problem)) = verify::verify(&unit, self.keeps_variables) {
            let message = format!("the compiler made wrong code, which is a bug of this tool: {problem}");
            return Err(vec![Diagnostic::error(DiagnosticKind::Unsupported, loc, message)]);
        }
        self.link(unit);
        Ok(())
    }

    fn link(&mut self, unit: Unit) {
        let module = unit.module;
        let files: Arc<[Box<str>]> = unit.files.clone().into();
        self.files.push(files);
        let files = self.files.len() as u32 - 1;
        let mut starts = Vec::with_capacity(unit.functions.len());
        let mut at = self.code.len() as u32;
        for f in &unit.functions {
            starts.push(at);
            at += f.code.len() as u32;
        }
        // Constants.
        let literals = Arc::make_mut(&mut self.literals);
        let constants: Vec<Term> = unit
            .constants
            .iter()
            .map(|&t| unit.heap.export_literal(t, literals))
            .collect();
        let attributes = unit
            .attributes
            .iter()
            .map(|&(name, t)| (name, unit.heap.export_literal(t, literals)))
            .collect();
        let first_constant = self.constants.len() as u32;
        self.constants.extend(constants);
        let imports: Vec<u32> = unit.imports.iter().map(|&name| self.import(name)).collect();
        let tags: Vec<u16> = unit.tags.iter().map(|&(arity, atom)| self.tag(arity, atom)).collect();
        let first_fun = self.funs.len() as u32;
        let unique = unique(&unit);
        for (index, f) in (0..).zip(&unit.funs) {
            let code = &unit.functions[f.function as usize];
            let name = code.name.unwrap_or(Atom::EMPTY);
            let info = FunInfo {
                module,
                name,
                arity: f.arity,
                index,
                unique,
            };
            let pc = starts[f.function as usize];
            self.funs.push(FunEntry {
                pc,
                arity: f.arity,
                captured: f.captured,
                info,
            });
        }
        let first_switch = self.switches.len() as u32;
        for s in &unit.switches {
            let start = starts[s.function as usize];
            self.switches.push(SwitchTable::new(
                s.cases.iter().map(|c| c.0).collect(),
                s.cases.iter().map(|c| c.1 + start).collect(),
                s.default + start,
            ));
        }
        for (f, &start) in unit.functions.iter().zip(&starts) {
            let first_set = self.live_sets.len() as u32;
            self.live_sets.extend(f.live_sets.iter().cloned());
            for &instr in &f.code {
                let mut instr = instr;
                match &mut instr {
                    Instr::LiveTable { index } => *index += first_set,
                    Instr::Const { index, .. } => *index += first_constant,
                    Instr::MakeFun { fun, .. } => *fun += first_fun,
                    Instr::NotTagged { tag, .. } => *tag = tags[*tag as usize],
                    Instr::Jump { target } | Instr::ReceiveNext { target } => *target += start,
                    Instr::Switch { table, .. } | Instr::SwitchTag { table, .. } => *table += first_switch,
                    Instr::Call { target, .. } | Instr::TailCall { target } => *target = starts[*target as usize],
                    Instr::CallExternal { import, .. } | Instr::TailExternal { import } => {
                        *import = imports[*import as usize];
                    }
                    _ => {}
                }
                self.code.push(instr);
            }
            let mut code = self.code.split_off(start as usize);
            super::fuse::fuse(&mut code, self);
            self.code.append(&mut code);
            let (handlers, places, variables) = (self.handlers.len(), self.places.len(), self.variables.len());
            let stubs = self.stubs.len();
            self.stubs
                .extend(f.stubs.iter().map(|&(at, origin)| (at + start, origin + start)));
            let hidden = self.hidden.len();
            self.hidden
                .extend(f.hidden.iter().map(|&(from, to)| (from + start, to + start)));
            self.hidden[hidden..].sort_unstable();
            self.handlers.extend(f.handlers.iter().map(|h| Handler {
                start: h.start + start,
                end: h.end + start,
                target: h.target + start,
                base: h.base,
            }));
            self.places.extend(f.places.iter().map(|&(at, loc)| (at + start, loc)));
            self.variables.extend(f.variables.iter().map(|v| Variable {
                start: v.start + start,
                end: v.end + start,
                ..*v
            }));
            self.functions.push(FunctionInfo {
                start,
                end: start + f.code.len() as u32,
                module,
                name: f.name.unwrap_or(Atom::EMPTY),
                arity: f.arity,
                loc: f.loc,
                files,
                handlers: (handlers as u32, self.handlers.len() as u32),
                places: (places as u32, self.places.len() as u32),
                variables: (variables as u32, self.variables.len() as u32),
                stubs: (stubs as u32, self.stubs.len() as u32),
                hidden: (hidden as u32, self.hidden.len() as u32),
                merged: f.merged,
            });
        }
        let exports = unit
            .exports
            .iter()
            .map(|&(name, arity, f)| ((name, arity), starts[f as usize]))
            .collect();
        self.modules.insert(module, ModuleInfo { exports, attributes });
        for import in self.imports_of.get(&module).cloned().unwrap_or_default() {
            let name = self.imports[import as usize].name;
            self.imports[import as usize].target = self.resolve(name);
        }
    }

    fn import(&mut self, name: Mfa) -> u32 {
        if let Some(&found) = self.import_index.get(&name) {
            return found;
        }
        let index = self.imports.len() as u32;
        self.imports.push(Import {
            name,
            target: self.resolve(name),
        });
        self.import_index.insert(name, index);
        self.imports_of.entry(name.0).or_default().push(index);
        index
    }

    fn tag(&mut self, arity: u16, atom: Atom) -> u16 {
        let tag = (header(Kind::Tuple, arity as usize), Term::atom(atom).0);
        *self.tag_index.entry(tag).or_insert_with(|| {
            let index =
                u16::try_from(self.tags.len()).expect("fewer than 65,536 kinds of tagged tuples in one program");
            self.tags.push(tag);
            index
        })
    }

    /// What a name stands for now. A native wins over a function of the same name.
    pub(super) fn resolve(&self, name: Mfa) -> Target {
        if let Some(&id) = self.native_index.get(&name) {
            self.used.mark(id);
            return Target::Native(id);
        }
        match self.modules.get(&name.0).and_then(|m| m.exports.get(&(name.1, name.2))) {
            Some(&pc) => Target::Code(pc),
            None => Target::Unresolved,
        }
    }

    /// Has it all of another one's code, at the same places? Then a process that runs the other one can run this one.
    #[must_use]
    pub fn extends(&self, other: &Self) -> bool {
        let same = |(name, module): (&Atom, &ModuleInfo)| {
            let mine = self.modules.get(name);
            mine.is_some_and(|mine| mine.exports == module.exports)
        };
        // Modules lie in the order in which they were loaded: where all begin at the same places, all that is before them is the same.
        self.code.len() >= other.code.len()
            && self.functions.len() >= other.functions.len()
            && self.keeps_variables == other.keeps_variables
            && other.modules.iter().all(same)
    }

    /// Is a module of this name loaded?
    #[must_use]
    pub fn is_loaded(&self, module: Atom) -> bool {
        self.modules.contains_key(&module)
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
    /// Has a native been named by code that was loaded, or called by a name made at run time?
    #[must_use]
    pub fn is_used(&self, id: NativeId) -> bool {
        self.used.is_marked(id)
    }
    /// From now on names stand for natives only where `keep` says so: those that are left out may be functions of modules. To be called before
    /// any module is loaded.
    pub fn keep_natives(&mut self, keep: impl Fn(&Native) -> bool) {
        let natives = &self.natives;
        self.native_index.retain(|_, id| keep(&natives[id.0 as usize]));
    }
    /// A native, `module:function/arity`, is to do what it did in an older version.
    pub fn as_in_version(&mut self, name: &str, version: u16) {
        let named = |n: &&mut Native| format!("{}:{}/{}", n.module, n.name, n.arity) == name;
        for native in self.natives.iter_mut().filter(named) {
            native.version = version;
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
        self.modules.get(&module).map_or(&[], |m| &m.attributes)
    }

    /// The function that contains an instruction.
    pub(super) fn function_at(&self, pc: u32) -> Option<&FunctionInfo> {
        let at = self.functions.partition_point(|f| f.start <= pc);
        let f = self.functions.get(at.checked_sub(1)?)?;
        (pc < f.end).then_some(f)
    }

    /// Registers of the function that contains an instruction.
    pub(super) fn frame_size(&self, pc: u32) -> usize {
        match self.function_at(pc).map(|f| self.code[f.start as usize]) {
            Some(Instr::Enter { frame, .. } | Instr::EnterGenerator { frame, .. }) => frame as usize,
            _ => 0,
        }
    }

    /// The innermost handler around an instruction.
    pub(super) fn handler_at(&self, pc: u32) -> Option<Handler> {
        let f = self.function_at(pc)?;
        let range = f.handlers.0 as usize..f.handlers.1 as usize;
        self.handlers[range]
            .iter()
            .find(|h| (h.start..h.end).contains(&pc))
            .copied()
    }

    /// Is the instruction a call whose frame is not in stack traces?
    pub(super) fn is_hidden(&self, pc: u32) -> bool {
        let Some(f) = self.function_at(pc) else { return false };
        let hidden = &self.hidden[f.hidden.0 as usize..f.hidden.1 as usize];
        let at = hidden.partition_point(|h| h.0 <= pc);
        at.checked_sub(1).is_some_and(|i| pc < hidden[i].1)
    }

    /// Is the instruction a call of a fun, or of a function whose name is known only when it is called?
    pub(super) fn is_dynamic_call(&self, pc: u32) -> bool {
        matches!(
            self.code.get(pc as usize),
            Some(
                Instr::CallFun { .. }
                    | Instr::TailFun { .. }
                    | Instr::CallApply { .. }
                    | Instr::TailApply { .. }
                    | Instr::CallApplyList { .. }
                    | Instr::TailApplyList { .. }
            )
        )
    }

    /// The source place of an instruction, and where the code for it ends.
    pub(super) fn place(&self, f: &FunctionInfo, pc: u32) -> (Loc, u32) {
        let places = &self.places[f.places.0 as usize..f.places.1 as usize];
        let at = places.partition_point(|p| p.0 <= pc);
        let end = places.get(at).map_or(f.end, |p| p.0);
        (at.checked_sub(1).map_or(f.loc, |i| places[i].1), end)
    }

    pub(super) fn file(&self, f: &FunctionInfo, loc: Loc) -> &str {
        self.files[f.files as usize].get(loc.file as usize).map_or("", |s| s)
    }

    /// The source place of an instruction; `None` for code that no source stands for.
    #[must_use]
    pub fn location(&self, pc: Pc) -> Option<SourceLocation<'_>> {
        let f = self.function_at(pc.0)?;
        let (loc, _) = self.place(f, pc.0);
        Some(SourceLocation {
            module: f.module,
            file: self.file(f, loc),
            line: loc.line,
            column: u32::from(loc.col),
            function: f.name,
            arity: f.arity as u8,
        })
    }

    /// What the code of a local fun does, by a hash that edits elsewhere in its module do not change; the same within one run of the tool alone.
    #[must_use]
    pub fn fun_shape(&self, id: u32) -> u64 {
        self.shape(id, 4)
    }

    /// The same with the funs in it, so deep: a fun with a name is in itself.
    fn shape(&self, id: u32, deep: u32) -> u64 {
        use std::hash::{Hash, Hasher};
        // Funs are numbered in the order of the source.
        let name = |name: Atom| name.as_str().replace(|c: char| c.is_ascii_digit(), "");
        let mut hasher = FxHasher::default();
        let heap = heap_of(self);
        let Some(f) = self.funs.get(id as usize).and_then(|fun| self.function_at(fun.pc)) else {
            return 0;
        };
        (f.module.as_str(), name(f.name), f.arity).hash(&mut hasher);
        for instr in &self.code[f.start as usize..f.end as usize] {
            let instr = instr.alone();
            std::mem::discriminant(&instr).hash(&mut hasher);
            let constant = |index: u32| {
                let style = crate::print::Style::unicode(self);
                crate::print::short(&heap, self.constants[index as usize], 1000, &style)
            };
            // What is numbered by module or program, by what it stands for.
            match instr {
                Instr::LiveTable { .. } => {}
                Instr::Const { index, .. } | Instr::ConstBand { index, .. } => constant(index).hash(&mut hasher),
                Instr::MakeFun { fun, .. } if deep > 0 => self.shape(fun, deep - 1).hash(&mut hasher),
                Instr::MakeFun { .. } => {}
                Instr::NotTagged { tag, .. } => self.tags[tag as usize].hash(&mut hasher),
                Instr::Switch { table, .. } | Instr::SwitchTag { table, .. } => {
                    self.switches[table as usize].keys.hash(&mut hasher);
                }
                Instr::Jump { target } | Instr::ReceiveNext { target } => (target - f.start).hash(&mut hasher),
                Instr::Call { target, .. } | Instr::TailCall { target } => {
                    if let Some(callee) = self.function_at(target) {
                        (name(callee.name), callee.arity).hash(&mut hasher);
                    }
                }
                Instr::CallExternal { import, .. } | Instr::TailExternal { import } => {
                    let (module, function, arity) = self.imports[import as usize].name;
                    (module.as_str(), function.as_str(), arity).hash(&mut hasher);
                }
                other => format!("{other:?}").hash(&mut hasher),
            }
        }
        hasher.finish()
    }

    /// Is a function entered here?
    #[must_use]
    pub fn is_entry(&self, pc: Pc) -> bool {
        self.function_at(pc.0).is_some_and(|f| f.start == pc.0)
    }

    /// Variables in scope at an instruction, in order of binding.
    pub(super) fn variables_at(&self, pc: u32) -> impl Iterator<Item = &Variable> {
        let (range, place) = match self.function_at(pc) {
            Some(f) => {
                let stubs = &self.stubs[f.stubs.0 as usize..f.stubs.1 as usize];
                (f.variables.0 as usize..f.variables.1 as usize, scope_at(stubs, pc))
            }
            None => (0..0, pc),
        };
        self.variables[range]
            .iter()
            .filter(move |v| v.start <= place && place < v.end)
    }

    /// The handlers of a function, inner before outer.
    pub(super) fn handlers_of(&self, f: &FunctionInfo) -> &[Handler] {
        &self.handlers[f.handlers.0 as usize..f.handlers.1 as usize]
    }

    /// Registers that hold variables in scope, by place in a function.
    pub(super) fn scopes_of(&self, f: &FunctionInfo, registers: Reg) -> Scopes {
        let variables = &self.variables[f.variables.0 as usize..f.variables.1 as usize];
        Scopes::new(variables, f.end, registers)
    }

    /// See [`scope_at`].
    pub(super) fn stubs_of(&self, f: &FunctionInfo) -> &[(u32, u32)] {
        &self.stubs[f.stubs.0 as usize..f.stubs.1 as usize]
    }

    /// The bytecode of a module, one function after the other, for people and golden tests.
    #[must_use]
    pub fn listing(&self, module: Atom) -> String {
        super::listing::listing(self, self.functions.iter().filter(|f| f.module == module))
    }
}

/// A number that is a function of the module's source alone.
fn unique(unit: &Unit) -> u32 {
    use std::hash::{Hash, Hasher};
    let mut hasher = FxHasher::default();
    unit.module.as_str().hash(&mut hasher);
    for f in &unit.functions {
        f.name.map_or("", Atom::as_str).hash(&mut hasher);
        f.arity.hash(&mut hasher);
        f.fingerprint.hash(&mut hasher);
    }
    (hasher.finish() >> 16) as u32 & 0x7ff_ffff
}

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
            || self.modules.get(&module).is_some_and(|m| m.exports.contains_key(&name))
    }
    fn find_fun(&self, module: Atom, index: u32, unique: u32, arity: u8, free: usize) -> Option<u32> {
        let same = |f: &FunEntry| f.info.module == module && f.info.index == index && f.info.unique == unique;
        let id = self
            .funs
            .iter()
            .rposition(|f| same(f) && f.arity == arity && f.captured as usize == free)?;
        u32::try_from(id).ok()
    }
    fn exports(&self, module: Atom) -> Option<Vec<(Atom, u8)>> {
        let info = self.modules.get(&module)?;
        let mut exports: Vec<(Atom, u8)> = info.exports.keys().copied().collect();
        // In the order of their definitions, as OTP lists them.
        exports.sort_unstable_by_key(|name| info.exports[name]);
        Some(exports)
    }
    fn attributes(&self, module: Atom) -> Vec<(Atom, Term)> {
        Program::attributes(self, module).to_vec()
    }
}

/// A heap over a program's literals, for terms outside any process.
#[must_use]
pub fn heap_of(program: &Program) -> Heap {
    Heap::new(Arc::clone(&program.literals))
}
