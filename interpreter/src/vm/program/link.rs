//! Adding a module's code to a program.

use std::collections::hash_map::Entry;

use super::*;
use crate::compile::unit::FunctionCode;

/// Limit: kinds of tagged tuples in one program; their numbers have 16 bits.
const TAGS: usize = 1 << 16;
/// Those that loads at run time leave for modules of the library.
const SPARED_TAGS: usize = 1 << 13;
/// Limit: instructions of a program: some 600 MB with all that belongs to them.
const CODE: usize = 1 << 24;

/// Where the parts of a module are in the program.
struct Offsets {
    module: Atom,
    files: u32,
    /// The first constant and table of a switch.
    constant: u32,
    switch: u32,
    /// The number of its first counted expression.
    mark: u32,
    /// The program's numbers of its funs.
    funs: Vec<u32>,
    /// The program's numbers of its tags and imports.
    tags: Vec<u16>,
    imports: Vec<u32>,
    /// Where each of its functions starts.
    starts: Vec<u32>,
}

impl Program {
    /// Compiles a module and appends it as a version. If it is the first one, the name stands for it. A later one is only entered by who asks for
    /// it ([`Program::disturb`]); code of others is never changed.
    ///
    /// # Errors
    /// All errors of the compiler; then nothing was loaded.
    pub fn load(&mut self, module: &ast::Module) -> Result<VersionId, Vec<Diagnostic>> {
        let unit = self.compile_verified(module)?;
        if !self.has_room_for(&unit, 0) {
            let message = "the program has loaded more code than this tool can hold".to_owned();
            return Err(vec![Diagnostic::error(DiagnosticKind::Unsupported, Loc::NONE, message)]);
        }
        Ok(self.link(&unit))
    }

    /// Is the code right?
    ///
    /// # Errors
    /// It is not: that is a bug of the compiler.
    pub(super) fn verified(&self, unit: &Unit) -> Result<(), Vec<Diagnostic>> {
        verify::verify(unit, self.keeps_variables).map_err(|problem| {
            let message = format!("the compiler made wrong code, which is a bug of this tool: {problem}");
            vec![Diagnostic::error(DiagnosticKind::Unsupported, problem.loc(), message)]
        })
    }

    /// What the compiler makes of a module, without appending it.
    ///
    /// # Errors
    /// Everything that the compiler refuses.
    pub fn compile(&self, module: &ast::Module) -> Result<Unit, Vec<Diagnostic>> {
        compile::compile(module, self)
    }

    /// Appends a compiled module, for which its name stands if it is the first version.
    pub(super) fn link(&mut self, unit: &Unit) -> VersionId {
        let id = self.append(unit);
        if let Entry::Vacant(none) = self.first.entry(unit.module) {
            none.insert(id);
            self.bind(unit.module);
        }
        id
    }

    /// Compiles a module for [`Program::load_again`].
    ///
    /// # Errors
    /// All errors of the compiler.
    pub fn compile_verified(&self, module: &ast::Module) -> Result<Unit, Vec<Diagnostic>> {
        let unit = compile::compile(module, self)?;
        self.verified(&unit)?;
        Ok(unit)
    }

    /// Appends code that was compiled for this program as a version that only who asks for it enters: calls of the module ask from now on, but its
    /// name stands for what it stood for. `texts`: of its files, as far as they are known. `load`: tells this load from others, so that a load that is repeated is the same version again. `None`:
    /// the program has no room for it.
    pub fn load_again(&mut self, unit: &Unit, texts: LoadedTexts, load: u64) -> Option<VersionId> {
        let key = (unit.module, unit.fingerprint, load);
        if let Some(&known) = self.repeated.get(&key) {
            return Some(known);
        }
        if !self.has_room_for(unit, SPARED_TAGS) {
            return None;
        }
        self.disturb(unit.module);
        let id = self.append(unit);
        self.loaded_texts.insert(self.version(id).files, texts);
        self.repeated.insert(key, id);
        Some(id)
    }

    /// Tables are indexed by numbers of 16 and 32 bits. `spared`: tags that must be left.
    pub(super) fn has_room_for(&self, unit: &Unit, spared: usize) -> bool {
        let code: usize = unit.functions.iter().map(|f| f.code.len()).sum();
        self.tags.len() + unit.tags.len() + spared <= TAGS && self.code.len() + code <= CODE
    }

    fn append(&mut self, unit: &Unit) -> VersionId {
        let module = unit.module;
        let files: Arc<[Box<str>]> = unit.files.clone().into();
        self.files.push(files);
        let files = self.files.len() as u32 - 1;
        let mut starts = Vec::with_capacity(unit.functions.len());
        let first_code = self.code.len() as u32;
        let mut at = first_code;
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
        let funs = self.link_funs(unit, &starts);
        let first_switch = self.switches.len() as u32;
        for s in &unit.switches {
            let start = starts[s.function as usize];
            self.switches.push(SwitchTable::new(
                s.cases.iter().map(|c| c.0).collect(),
                s.cases.iter().map(|c| c.1 + start).collect(),
                s.default + start,
            ));
        }
        let offsets = Offsets {
            module,
            files,
            constant: first_constant,
            funs,
            switch: first_switch,
            mark: self.mark(unit),
            tags,
            imports,
            starts,
        };
        for (f, &start) in unit.functions.iter().zip(&offsets.starts) {
            self.link_function(f, start, &offsets);
        }
        let exports = unit
            .exports
            .iter()
            .map(|&(name, arity, f)| ((name, arity), offsets.starts[f as usize]))
            .collect();
        if let Some(fields) = &unit.struct_fields {
            self.structs.insert(module, fields.as_slice().into());
        }
        let id = VersionId(self.versions.len() as u32);
        self.versions.push(Version {
            module,
            fingerprint: unit.fingerprint,
            code: (first_code, self.code.len() as u32),
            exports,
            attributes,
            files,
        });
        id
    }

    /// Counts for the expressions of a module; returns the number of the first.
    fn mark(&mut self, unit: &Unit) -> u32 {
        if unit.marks.is_empty() {
            return 0;
        }
        let Some(counts) = &self.marks.counts else { return 0 };
        let file = unit.files.first().map_or("", |file| &**file);
        let counts = counts.of(unit.module, file, &unit.marks);
        self.marks.add(counts)
    }

    /// Adds the funs of a module. A fun that was there before, of the same code, goes on in this one.
    fn link_funs(&mut self, unit: &Unit, starts: &[u32]) -> Vec<u32> {
        let is_disturbed = self.disturbed.contains(&unit.module);
        let unique = (unit.fingerprint >> (u64::BITS - UNIQUE_BITS)) as u32;
        let mut numbers = Vec::with_capacity(unit.funs.len());
        for (index, f) in (0..).zip(&unit.funs) {
            let pc = starts[f.function as usize];
            let entry = if is_disturbed { ASKS } else { pc };
            let next = self.funs.len() as u32;
            let number = *self
                .fun_index
                .entry((unit.module, index, unit.fingerprint))
                .or_insert(next);
            numbers.push(number);
            if number < next {
                let known = &mut self.funs[number as usize];
                (known.entry, known.pc) = (entry, pc);
                continue;
            }
            let name = FunName {
                module: unit.module,
                index,
                unique,
            };
            self.funs.push(FunEntry {
                entry,
                pc,
                fingerprint: unit.fingerprint,
                arity: f.arity,
                captured: f.captured,
                words: name.words(number, f.arity),
                info: FunInfo {
                    name,
                    function: unit.functions[f.function as usize].name.unwrap_or(Atom::EMPTY),
                    arity: f.arity,
                },
            });
        }
        numbers
    }

    /// Sets what the calls of a module by name go to.
    fn bind(&mut self, module: Atom) {
        for import in self.imports_of.get(&module).cloned().unwrap_or_default() {
            let name = self.imports[import as usize].name;
            self.imports[import as usize].target = self.resolve(name);
        }
    }

    /// From now on, every call of this module by name, and of its funs, stops and asks for the version ([`crate::vm::Stop::Which`]). To ask is never wrong, so that
    /// the program can be shared by processes for which different versions are current.
    pub fn disturb(&mut self, module: Atom) {
        if self.disturbed.insert(module) {
            self.bind(module);
            let funs = self.funs.iter_mut().filter(|fun| fun.info.name.module == module);
            funs.for_each(|fun| fun.entry = ASKS);
        }
    }

    /// Does a fun belong to the code of this version?
    #[must_use]
    pub fn has_fun(&self, version: VersionId, fun: u32) -> bool {
        let (version, fun) = (self.version(version), &self.funs[fun as usize]);
        version.module == fun.info.name.module && version.fingerprint == fun.fingerprint
    }

    /// The module of a fun.
    pub(in crate::vm) fn module_of_fun(&self, fun: u32) -> Atom {
        self.funs[fun as usize].info.name.module
    }

    /// Do calls of this module ask for the version?
    #[must_use]
    pub fn is_disturbed(&self, module: Atom) -> bool {
        self.disturbed.contains(&module)
    }

    /// These modules.
    pub fn disturbed(&self) -> impl Iterator<Item = Atom> + '_ {
        self.disturbed.iter().copied()
    }

    /// The first version of a module.
    #[must_use]
    pub fn first(&self, module: Atom) -> Option<VersionId> {
        self.first.get(&module).copied()
    }

    /// The version whose code contains an instruction.
    #[must_use]
    pub fn version_at(&self, pc: Pc) -> Option<VersionId> {
        let after = self.versions.partition_point(|version| version.code.0 <= pc.0);
        let id = after.checked_sub(1)?;
        (pc.0 < self.versions[id].code.1).then_some(VersionId(id as u32))
    }

    /// Does a version export this function?
    #[must_use]
    pub fn exports_in(&self, version: VersionId, function: Atom, arity: u8) -> bool {
        self.version(version).exports.contains_key(&(function, arity))
    }

    /// The module of a version.
    #[must_use]
    pub fn module_of(&self, version: VersionId) -> Atom {
        self.version(version).module
    }

    /// Appends the code of a function and its tables.
    fn link_function(&mut self, f: &FunctionCode, start: u32, offsets: &Offsets) {
        let first_set = self.live_sets.len() as u32;
        self.live_sets.extend(f.live_sets.iter().cloned());
        for &instr in &f.code {
            let mut instr = instr;
            match &mut instr {
                Instr::LiveTable { index } => *index += first_set,
                Instr::Const { index, .. } => *index += offsets.constant,
                Instr::MakeFun { fun, .. } => *fun = offsets.funs[*fun as usize],
                Instr::NotTagged { tag, .. } => *tag = offsets.tags[*tag as usize],
                Instr::Mark { number } => *number += offsets.mark,
                Instr::Jump { target } | Instr::ReceiveNext { target } => *target += start,
                Instr::Switch { table, .. } | Instr::SwitchTag { table, .. } => *table += offsets.switch,
                Instr::Call { target, .. } | Instr::TailCall { target } => *target = offsets.starts[*target as usize],
                Instr::CallExternal { import, .. } | Instr::TailExternal { import } => {
                    *import = offsets.imports[*import as usize];
                }
                _ => {}
            }
            self.code.push(instr);
        }
        let mut code = self.code.split_off(start as usize);
        crate::vm::fuse::fuse(&mut code, self, &self.natives);
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
            module: offsets.module,
            name: f.name.unwrap_or(Atom::EMPTY),
            arity: f.arity,
            loc: f.loc,
            files: offsets.files,
            handlers: (handlers as u32, self.handlers.len() as u32),
            places: (places as u32, self.places.len() as u32),
            variables: (variables as u32, self.variables.len() as u32),
            stubs: (stubs as u32, self.stubs.len() as u32),
            hidden: (hidden as u32, self.hidden.len() as u32),
            merged: f.merged,
        });
    }

    pub(super) fn import(&mut self, name: Mfa) -> u32 {
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

    pub(super) fn tag(&mut self, arity: u16, atom: Atom) -> u16 {
        let tag = (header(BoxKind::Tuple, arity as usize), Term::atom(atom).0);
        *self.tag_index.entry(tag).or_insert_with(|| {
            let index =
                u16::try_from(self.tags.len()).expect("fewer than 65,536 kinds of tagged tuples in one program");
            self.tags.push(tag);
            index
        })
    }

    /// What a name refers to for all processes. A native wins over a function of the same name.
    pub(in crate::vm) fn resolve(&self, name: Mfa) -> NameTarget {
        if self.disturbed.contains(&name.0) {
            return NameTarget::Disturbed;
        }
        self.resolve_in(self.first(name.0), name)
    }

    /// What a name refers to in a version; `None`: there is no code of that name. The natives of a module belong to its first version, and to a
    /// name without code.
    pub(in crate::vm) fn resolve_in(&self, version: Option<VersionId>, name: Mfa) -> NameTarget {
        if version == self.first(name.0)
            && let Some(&id) = self.native_index.get(&name)
        {
            self.used.mark(id);
            return NameTarget::Native(id);
        }
        let exports = version.map(|version| &self.version(version).exports);
        match exports.and_then(|exports| exports.get(&(name.1, name.2))) {
            Some(&pc) => NameTarget::Code(pc),
            None => NameTarget::Unresolved,
        }
    }

    /// Does it contain all code of the other program, at the same positions? Then a process of the other program can run with this one.
    #[must_use]
    pub fn extends(&self, other: &Self) -> bool {
        // Versions are in the order in which they were loaded: if all begin at the same positions, everything in them is equal.
        let same =
            |(mine, theirs): (&Version, &Version)| mine.module == theirs.module && mine.exports == theirs.exports;
        self.code.len() >= other.code.len()
            && self.functions.len() >= other.functions.len()
            && self.keeps_variables == other.keeps_variables
            && self.versions.len() >= other.versions.len()
            && self.versions.iter().zip(&other.versions).all(same)
    }
}
