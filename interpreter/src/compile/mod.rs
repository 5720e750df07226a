//! The compiler: typed syntax tree to register bytecode.
//!
//! One pass over the tree emits code with labels (`build`). Variables have fixed registers (`scope`), temporaries are a stack above them. A
//! backward dataflow then finds the live registers where the process can be suspended.

mod behaviour;
mod binary;
mod build;
mod call;
mod comprehension;
mod control;
mod dispatch;
mod expr;
mod generators;
mod guard;
mod literal;
mod names;
mod no_return;
pub(crate) mod on_load;
mod pattern;
pub(crate) mod ranges;
mod scope;
mod structs;
pub mod unit;

use rustc_hash::FxHashMap;

use crate::atom::Atom;
use crate::heap::Heap;
use crate::term::Term;
use crate::vm::instr::{FailKind, Instr, Reg};
use build::{Builder, Label, SwitchLabels};
use names::FunNumbers;
use scope::{BodyKey, FreeNames, Homes, Walker, key};
use syntax::Feature;
use syntax::ast::*;
use syntax::diagnostic::DiagnosticKind;
use unit::{FunDef, FunctionCode, Switch, Unit};

pub use syntax::diagnostic::Diagnostic;

/// The natives, as the compiler needs them.
pub trait Natives {
    /// The number of a pure native with this name that no loaded module can replace.
    fn pure(&self, module: Atom, function: Atom, arity: u8) -> Option<u16>;
    /// Must a variable stay readable as long as it is in scope, used or not?
    fn keeps_variables(&self) -> bool;
    /// Are the executions of the lines of this module counted?
    fn counts_lines(&self, module: Atom, file: &str) -> bool;
}

/// Limit: registers of a frame.
const REGISTER_LIMIT: Reg = 60_000;

/// Compiles a module.
///
/// # Errors
/// Undefined records and functions, sizes beyond the machine's, unsupported constructs.
pub fn compile(module: &Module, natives: &dyn Natives) -> Result<Unit, Vec<Diagnostic>> {
    let behaviour = behaviour::behaviour_info(module);
    let wrappers = on_load::wrappers(module);
    let mut compiler = Compiler::new(module, natives);
    compiler.behaviour = behaviour.as_ref();
    compiler.wrappers = &wrappers;
    compiler.module();
    if compiler.diagnostics.is_empty() {
        Ok(compiler.unit)
    } else {
        Err(compiler.diagnostics)
    }
}

/// The destination of an expression's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Dest {
    /// A register. It is written last: until then it may serve as a temporary (if it is the first free one).
    To(Reg),
    /// Nowhere.
    Effect,
    /// The result of the function.
    Tail,
}

/// A function under construction.
#[derive(Default)]
struct Func {
    b: Builder,
    homes: Homes,
    /// Bound variables: register and handle of their debug entry.
    vars: FxHashMap<Atom, (Reg, usize)>,
    /// Registers of the variables whose home is one of the open bodies.
    home_regs: FxHashMap<Atom, Reg>,
    /// Bound variables in order of binding.
    log: Vec<Atom>,
    /// The enclosing expressions: whether their parts are parallel, and the length of the log at their beginning.
    within: Vec<(bool, usize)>,
    /// Variables outside a fun or comprehension whose names its head rebinds: sizes and keys in the head refer to these.
    hidden: Vec<(Atom, (Reg, usize))>,
    /// Variables bound by earlier segments of the current binary pattern: sizes refer to these first.
    segment_names: Vec<Atom>,
    /// First free register.
    next: Reg,
    /// Highest register used.
    max: Reg,
    arity: u16,
    /// Failures out of line: emitted at the end of the innermost protected region.
    stubs: Vec<Stub>,
    /// Variables whose register a tail call has reused for an argument, with that register.
    taken: Vec<(Atom, Reg)>,
    /// Variables that OTP's compiler replaces by their values: a fun does not capture them.
    known: FxHashMap<Atom, Bound>,
    /// Name and arity of the function in stack traces.
    shown: Option<(Atom, u16)>,
    /// The fun, by its key, that is made next and that OTP merges into this function.
    merge_next: Option<usize>,
    /// Is that fun's value the value of this function?
    merge_last: bool,
    /// The variable that contains such a fun; the next call of it is the merged call.
    merged_var: Option<Atom>,
    /// The named fun that is compiled, and its arguments, if it never returns.
    never: Option<(Atom, usize)>,
    /// Is it a part of another function that is not in tail position there? Then its last call returns to it.
    returns: bool,
    /// While a guard is compiled: the label to which it fails, also for what raises outside guards.
    guard: Option<Label>,
}

/// What the compiler knows about a variable from its binding.
#[derive(Clone, Copy)]
enum Bound {
    /// Its value.
    Constant(Term),
    /// The value of another variable.
    Same(Atom),
    /// A float.
    Float,
}

/// A failure out of line.
struct Stub {
    label: Label,
    instr: Instr,
    loc: Loc,
    /// The variables in scope are those of this position.
    origin: u32,
}

struct Compiler<'a> {
    module: &'a Module,
    natives: &'a dyn Natives,
    counts_lines: bool,
    unit: Unit,
    switches: Vec<(SwitchLabels, Switch)>,
    local: FxHashMap<(Atom, u32), u32>,
    imported: FxHashMap<(Atom, u32), Atom>,
    records: FxHashMap<Atom, &'a RecordDef>,
    import_index: FxHashMap<(Atom, Atom, u8), u32>,
    tag_index: FxHashMap<(u16, Atom), u32>,
    constant_index: FxHashMap<u64, u32>,
    /// Composite expressions known not to be constants, by address.
    not_constant: FxHashMap<usize, ()>,
    diagnostics: Vec<Diagnostic>,
    f: Func,
    /// The current function of the source.
    origin: (Atom, u32),
    /// Numbers of funs and comprehensions in it, as OTP counts them.
    names: FunNumbers,
    /// The names that the functions nested in the current one use.
    free: FreeNames,
    /// `behaviour_info/1`, if the module has callbacks.
    behaviour: Option<&'a Function>,
    /// What is called from outside in place of functions of a module with `-on_load`.
    wrappers: &'a [Function],
    /// Functions of the module that never return.
    never_return: Vec<bool>,
}

/// Undoes the opening of a body.
struct Scope {
    next: Reg,
    log: usize,
    homes: Vec<(Atom, Option<Reg>)>,
}

impl<'a> Compiler<'a> {
    fn new(module: &'a Module, natives: &'a dyn Natives) -> Self {
        let unit = Unit {
            module: module.name.map_or(Atom::UNDEFINED, |n| n.atom),
            files: module.files.clone(),
            functions: Vec::new(),
            exports: Vec::new(),
            imports: Vec::new(),
            constants: Vec::new(),
            heap: Heap::new(std::sync::Arc::default()),
            funs: Vec::new(),
            switches: Vec::new(),
            tags: Vec::new(),
            attributes: Vec::new(),
            struct_fields: structs::fields(module),
            fingerprint: module.fingerprint,
            marks: Vec::new(),
        };
        let file = module.files.first().map_or("", |file| &**file);
        let counts_lines = natives.counts_lines(unit.module, file);
        Self {
            module,
            natives,
            counts_lines,
            unit,
            switches: Vec::new(),
            local: FxHashMap::default(),
            imported: FxHashMap::default(),
            records: FxHashMap::default(),
            import_index: FxHashMap::default(),
            tag_index: FxHashMap::default(),
            constant_index: FxHashMap::default(),
            not_constant: FxHashMap::default(),
            diagnostics: Vec::new(),
            f: Func::default(),
            origin: (Atom::EMPTY, 0),
            names: FunNumbers::default(),
            free: FreeNames::default(),
            behaviour: None,
            wrappers: &[],
            never_return: Vec::new(),
        }
    }

    fn refuse(&mut self, loc: Loc, message: impl Into<String>) {
        let mut diagnostic = Diagnostic::error(DiagnosticKind::Unsupported, loc, message);
        if let Some(file) = self.module.files.get(loc.file as usize) {
            diagnostic.file = (&**file).into();
        }
        self.diagnostics.push(diagnostic);
    }

    fn module(&mut self) {
        let module = self.module;
        if module.name.is_none() {
            self.refuse(Loc { line: 1, ..Loc::NONE }, "there is no -module attribute");
            return;
        }
        for r in &module.records {
            self.records.insert(r.name, r);
        }
        for import in &module.imports {
            for (_, id) in &import.items {
                self.imported.insert((id.name, id.arity), import.module);
            }
        }
        for f in &module.functions {
            if f.arity > 255 {
                self.refuse(
                    f.loc,
                    format!("function {}/{} has more than 255 arguments", f.name, f.arity),
                );
                return;
            }
            let index = self.unit.functions.len() as u32;
            self.unit.functions.push(FunctionCode {
                name: Some(f.name),
                arity: f.arity as u16,
                loc: f.loc,
                ..FunctionCode::default()
            });
            if self.local.insert((f.name, f.arity), index).is_some() {
                self.refuse(f.loc, format!("function {}/{} is already defined", f.name, f.arity));
            }
        }
        let export_all = module
            .attributes
            .iter()
            .any(|a| a.name == Atom::COMPILE && mentions(&a.value, "export_all"));
        if export_all {
            for (f, index) in module.functions.iter().zip(0..) {
                self.unit.exports.push((f.name, f.arity as u8, index));
            }
        }
        for export in &module.exports {
            for (loc, id) in &export.items {
                match self.local.get(&(id.name, id.arity)) {
                    Some(&index) if !export_all => self.unit.exports.push((id.name, id.arity as u8, index)),
                    Some(_) => {}
                    None if id.name == Atom::MODULE_INFO && id.arity < 2 => {}
                    None => self.refuse(*loc, format!("exported function {}/{} is undefined", id.name, id.arity)),
                }
            }
        }
        self.never_return = no_return::never_return(module, &self.local);
        for (f, index) in module.functions.iter().zip(0..) {
            self.function(f, index);
        }
        self.wrap_exports();
        if let Some(f) = self.behaviour
            && !self.local.contains_key(&(f.name, 1))
        {
            let index = self.unit.functions.len() as u32;
            self.unit.functions.push(FunctionCode {
                name: Some(f.name),
                arity: 1,
                // OTP's compiler has it as a fun in the function, which the error of a wrong argument shows.
                merged: Some(unit::Merged {
                    name: f.name,
                    arity: 1,
                    clauses: Atom::new("-inlined-behaviour_info/1-"),
                    params: 1,
                }),
                ..FunctionCode::default()
            });
            self.unit.exports.push((f.name, 1, index));
            self.function(f, index);
        }
        self.attributes(module);
        self.module_info();
        self.unit.switches = std::mem::take(&mut self.switches).into_iter().map(|s| s.1).collect();
    }

    /// What is called from outside goes by way of the wrappers.
    fn wrap_exports(&mut self) {
        for f in self.wrappers {
            let index = self.unit.functions.len() as u32;
            let of_it = |(name, arity, _): &&mut (Atom, u8, u32)| *name == f.name && u32::from(*arity) == f.arity;
            match self.unit.exports.iter_mut().find(of_it) {
                Some(export) => export.2 = index,
                None if f.name.as_str() == on_load::LOADING => self.unit.exports.push((f.name, f.arity as u8, index)),
                None => continue,
            }
            self.unit.functions.push(FunctionCode {
                name: Some(f.name),
                arity: f.arity as u16,
                ..FunctionCode::default()
            });
            self.function(f, index);
        }
    }

    /// The attributes for `module_info(attributes)`, without the computed `vsn`: a value that is not a list is put into one.
    fn attributes(&mut self, module: &Module) {
        let has_docs = module.language.is_of(Feature::Documentation);
        for attribute in &module.attributes {
            let is_taken = match attribute.name.as_str() {
                "compile" | "optional_callbacks" | "on_load" => true,
                "doc" | "moduledoc" => has_docs,
                _ => false,
            };
            if is_taken {
                continue;
            }
            let Some(mut value) = self.literal(&attribute.value) else {
                continue;
            };
            if !value.is_list() {
                value = self.unit.heap.make_list(&[value]);
            }
            self.unit.attributes.push((attribute.name, value));
        }
    }

    /// `module_info/0,1`, as in every module.
    fn module_info(&mut self) {
        for arity in [0_u32, 1] {
            if self.local.contains_key(&(Atom::MODULE_INFO, arity)) {
                continue;
            }
            let index = self.unit.functions.len() as u32;
            self.unit.functions.push(FunctionCode {
                name: Some(Atom::MODULE_INFO),
                arity: arity as u16,
                ..FunctionCode::default()
            });
            self.unit.exports.push((Atom::MODULE_INFO, arity as u8, index));
            self.f = Func {
                arity: arity as u16,
                next: 3,
                max: 3,
                ..Func::default()
            };
            self.f.b.emit(Instr::Enter {
                args: arity as u16,
                frame: 0,
            });
            self.f.b.emit(Instr::Atom {
                dst: 2,
                atom: self.unit.module.index(),
            });
            // Its frame is on the stack of a failure, as if that were a function of the machine.
            self.native_or_call(
                Atom::ERLANG,
                Atom::new("get_module_info"),
                &[2, 1][..=arity as usize],
                Dest::Tail,
            );
            self.finish(index);
        }
    }

    fn function(&mut self, f: &'a Function, index: u32) {
        self.origin = (f.name, f.arity);
        self.free = FreeNames::of_clauses(None, &f.clauses);
        self.names = FunNumbers::new(f, &self.records, &self.free);
        let arity = f.arity as u16;
        self.f = Func {
            arity,
            shown: Some((f.name, arity)),
            next: arity + 1,
            max: arity,
            ..Func::default()
        };
        self.f.b.at(f.loc);
        self.f.b.emit(Instr::Enter { args: arity, frame: 0 });
        // Elixir's clauses may stand below what names the function. OTP takes the first one's line.
        let first = f.clauses.first().map_or(f.loc, |clause| clause.loc);
        self.fun_clauses(&f.clauses, first, None);
        self.finish(index);
    }

    /// Ends the current function: its code goes to `functions[index]`.
    fn finish(&mut self, index: u32) {
        self.flush_stubs(0);
        let f = std::mem::take(&mut self.f);
        for &s in &f.b.switches {
            self.switches[s as usize].1.function = index;
        }
        let registers = f.max + 1;
        if registers >= REGISTER_LIMIT {
            let loc = self.unit.functions[index as usize].loc;
            self.refuse(loc, "function needs too many registers; split its largest expression");
            return;
        }
        let keep = self.natives.keeps_variables();
        let mut code = f.b.finish(f.arity, registers, &self.unit, &mut self.switches, keep);
        let slot = &mut self.unit.functions[index as usize];
        code.name = slot.name;
        code.merged = slot.merged;
        code.loc = slot.loc;
        *slot = code;
    }

    /// Clauses of a function or fun; arguments are in registers 1, 2, …. `own`: name, fun and captured variables of a named fun.
    fn fun_clauses(&mut self, clauses: &'a [FunClause], loc: Loc, own: Option<(Atom, u32, Vec<Atom>)>) {
        let rows: Vec<Vec<&Pattern>> = clauses.iter().map(|c| c.params.iter().collect()).collect();
        let d = self.dispatch(&rows);
        let regs: Vec<Reg> = (1..=rows[0].len() as Reg).collect();
        for (i, c) in clauses.iter().enumerate() {
            let Some((fail, known)) = self.begin_clause(&d, i, &regs) else {
                continue;
            };
            let mut walker = Walker::new(key(&c.body), &self.free);
            c.params.iter().for_each(|p| walker.pattern(p));
            walker.guard(&c.guard);
            walker.exprs(&c.body);
            if let Some((name, ..)) = &own {
                walker.hoist(*name);
            }
            self.f.homes = walker.finish();
            self.f.hidden = self.hide(c.params.iter());
            let before = self.open_empty();
            // Parameters that are plain new variables stay in their argument registers.
            for (p, &reg) in c.params.iter().zip(&regs) {
                if let PatternKind::Var(name) = p.kind
                    && name != Atom::WILDCARD
                    && !self.f.vars.contains_key(&name)
                {
                    self.bind(name, reg);
                }
            }
            let scope = self.open(key(&c.body));
            for (column, (p, &reg)) in c.params.iter().zip(&regs).enumerate() {
                let is_alias =
                    matches!(p.kind, PatternKind::Var(name) if self.f.vars.get(&name).is_some_and(|v| v.0 == reg));
                if known == Some(column) {
                    self.pattern_below_key(p, reg, fail);
                } else if !is_alias {
                    self.pattern(p, reg, fail);
                }
            }
            let hidden = std::mem::take(&mut self.f.hidden);
            self.guard(&c.guard, fail);
            if let Some((name, fun, captured)) = &own
                && !self.f.vars.contains_key(name)
                && self.f.home_regs.contains_key(name)
            {
                let home = self.home(*name);
                self.make_fun(home, *fun, captured);
                self.bind(*name, home);
            }
            if self.f.returns {
                let result = self.temp();
                self.body(&c.body, Dest::To(result));
                self.give(Dest::Tail, result);
            } else {
                self.body(&c.body, Dest::Tail);
            }
            self.close(scope);
            self.close(before);
            self.f.vars.extend(hidden);
        }
        self.f.b.place(d.failure());
        if self.f.b.is_used(d.failure()) {
            self.f.b.at(loc);
            self.f.b.emit(Instr::FunctionClause);
        }
    }

    /// Hides the bindings of variables in heads of funs and generators, which are new variables. Undone by restoring the result.
    fn hide<'p>(&mut self, patterns: impl Iterator<Item = &'p Pattern>) -> Vec<(Atom, (Reg, usize))> {
        let mut names = Vec::new();
        patterns.for_each(|p| scope::pattern_names(p, &mut names));
        names
            .into_iter()
            .filter_map(|n| self.f.vars.remove(&n).map(|v| (n, v)))
            .collect()
    }

    /// Compiles a size or a key in a pattern: a name that a fun's head or a generator rebinds refers to the variable outside, unless an earlier
    /// segment of the same binary has bound it.
    fn in_head<R>(&mut self, f: impl FnOnce(&mut Self) -> R) -> R {
        let outside: Vec<_> = self
            .f
            .hidden
            .iter()
            .filter(|(n, _)| !self.f.segment_names.contains(n))
            .copied()
            .collect();
        let inside: Vec<_> = outside
            .iter()
            .map(|(name, var)| (*name, self.f.vars.insert(*name, *var)))
            .collect();
        let result = f(self);
        for (name, var) in inside {
            match var {
                Some(var) => self.f.vars.insert(name, var),
                None => self.f.vars.remove(&name),
            };
        }
        result
    }

    // ---- variables and registers ---------------------------------------------------------------------------------

    fn open_empty(&mut self) -> Scope {
        Scope {
            next: self.f.next,
            log: self.f.log.len(),
            homes: Vec::new(),
        }
    }

    /// Opens a body: gives registers to the variables at home in it.
    fn open(&mut self, body: BodyKey) -> Scope {
        let mut scope = self.open_empty();
        let names = std::mem::take(&mut self.f.homes);
        for &name in names.variables_of(body) {
            if !self.f.vars.contains_key(&name) {
                let reg = self.temp();
                scope.homes.push((name, self.f.home_regs.insert(name, reg)));
            }
        }
        self.f.homes = names;
        scope
    }

    /// Closes a body: its variables are unbound. Returns those whose home is outside (exported).
    fn close(&mut self, scope: Scope) -> Vec<Atom> {
        for (name, old) in scope.homes {
            match old {
                Some(reg) => self.f.home_regs.insert(name, reg),
                None => self.f.home_regs.remove(&name),
            };
        }
        let mut exported = Vec::new();
        for name in self.f.log.drain(scope.log..) {
            if let Some((_, handle)) = self.f.vars.remove(&name) {
                self.f.b.forget(handle);
            }
            if self.f.home_regs.contains_key(&name) {
                exported.push(name);
            }
        }
        self.f.next = scope.next;
        exported
    }

    /// After a construct: variables that every alternative bound are bound. Those that only some bound are unsafe: they must not be used, and
    /// their registers may be unset.
    fn export(&mut self, alternatives: Vec<Vec<Atom>>) {
        let mut counts: FxHashMap<Atom, usize> = FxHashMap::default();
        for names in &alternatives {
            for (i, name) in names.iter().enumerate() {
                if !names[..i].contains(name) {
                    *counts.entry(*name).or_default() += 1;
                }
            }
        }
        let everywhere = |name: &Atom| counts.get(name) == Some(&alternatives.len());
        let names: Vec<Atom> = alternatives
            .first()
            .into_iter()
            .flatten()
            .copied()
            .filter(everywhere)
            .collect();
        for name in names {
            if !self.f.vars.contains_key(&name)
                && let Some(&reg) = self.f.home_regs.get(&name)
            {
                self.bind(name, reg);
            }
        }
    }

    /// Makes variables bound since then unsafe: they must not be used, and their registers may be unset. The compiler's own variables stay.
    fn forget_since(&mut self, mark: usize) {
        for name in self.f.log.split_off(mark) {
            if name.as_str().starts_with('-') {
                self.f.log.push(name);
            } else if let Some((_, handle)) = self.f.vars.remove(&name) {
                self.f.b.forget(handle);
            }
        }
    }

    /// An argument of a tail call uses this register: variables in it have no value until [`Compiler::give_back`].
    fn take(&mut self, reg: Reg) {
        let mut names: Vec<Atom> = (self.f.vars.iter().filter(|v| v.1.0 == reg)).map(|v| *v.0).collect();
        names.sort_unstable_by_key(|n| n.as_str());
        for name in names {
            if let Some(slot) = self.f.vars.get_mut(&name) {
                self.f.b.forget(slot.1);
                // Register 0: bound, but the value is gone.
                *slot = (reg, self.f.b.variable(name, 0));
                self.f.taken.push((name, reg));
            }
        }
    }

    /// After a tail call, where other paths continue.
    fn give_back(&mut self) {
        for (name, reg) in std::mem::take(&mut self.f.taken) {
            if let Some(slot) = self.f.vars.get_mut(&name) {
                self.f.b.forget(slot.1);
                *slot = (reg, self.f.b.variable(name, reg));
            }
        }
    }

    fn bind(&mut self, name: Atom, reg: Reg) {
        self.f.known.remove(&name);
        let handle = self.f.b.variable(name, reg);
        self.f.vars.insert(name, (reg, handle));
        self.f.log.push(name);
        self.touch(reg);
    }

    fn touch(&mut self, reg: Reg) {
        self.f.max = self.f.max.max(reg);
    }

    /// Takes the first free register.
    fn temp(&mut self) -> Reg {
        let reg = self.f.next;
        self.f.next = (reg + 1).min(REGISTER_LIMIT);
        self.touch(reg);
        reg
    }

    /// The register of a new variable.
    fn home(&mut self, name: Atom) -> Reg {
        match self.f.home_regs.get(&name) {
            Some(&reg) => reg,
            None => self.temp(),
        }
    }

    fn var(&self, name: Atom) -> Option<Reg> {
        self.f.vars.get(&name).map(|v| v.0)
    }

    /// A failure out of line.
    fn fail_stub(&mut self, kind: FailKind, src: Reg, loc: Loc) -> Label {
        if let Some(fail) = self.f.guard {
            return fail;
        }
        let label = self.f.b.label();
        let origin = self.f.b.position();
        let instr = Instr::Fail { kind, src };
        self.f.stubs.push(Stub {
            label,
            instr,
            loc,
            origin,
        });
        label
    }

    /// Emits the failures collected since `mark`. The code before must not fall through.
    fn flush_stubs(&mut self, mark: usize) {
        for stub in self.f.stubs.split_off(mark) {
            if self.f.b.is_used(stub.label) {
                self.f.b.at(stub.loc);
                self.f.b.place(stub.label);
                self.f.b.out_of_line(stub.origin);
                self.f.b.emit(stub.instr);
            }
        }
    }

    /// A fresh switch of the current function.
    fn new_switch(&mut self, labels: SwitchLabels) -> u32 {
        let index = self.switches.len() as u32;
        for &(_, l) in &labels.cases {
            self.f.b.mark(l);
        }
        if let Some(l) = labels.default {
            self.f.b.mark(l);
        }
        self.switches.push((labels, Switch::default()));
        self.f.b.switches.push(index);
        index
    }

    // ---- tables --------------------------------------------------------------------------------------------------

    fn import(&mut self, module: Atom, function: Atom, arity: u8) -> u32 {
        *self.import_index.entry((module, function, arity)).or_insert_with(|| {
            self.unit.imports.push((module, function, arity));
            self.unit.imports.len() as u32 - 1
        })
    }

    fn tag(&mut self, arity: usize, atom: Atom) -> Option<u16> {
        let arity = u16::try_from(arity).ok()?;
        let index = *self.tag_index.entry((arity, atom)).or_insert_with(|| {
            self.unit.tags.push((arity, atom));
            self.unit.tags.len() as u32 - 1
        });
        u16::try_from(index).ok()
    }

    fn constant(&mut self, term: Term) -> u32 {
        *self.constant_index.entry(term.0).or_insert_with(|| {
            self.unit.constants.push(term);
            self.unit.constants.len() as u32 - 1
        })
    }

    fn new_fun(&mut self, function: u32, arity: u8, captured: u16) -> u32 {
        self.unit.funs.push(FunDef {
            function,
            arity,
            captured,
        });
        self.unit.funs.len() as u32 - 1
    }

    /// Reserves a local function.
    fn new_function(&mut self, arity: u16, loc: Loc) -> u32 {
        self.unit.functions.push(FunctionCode {
            arity,
            loc,
            ..FunctionCode::default()
        });
        self.unit.functions.len() as u32 - 1
    }
}

/// Does a constant expression contain this atom at its top or in a list?
fn mentions(e: &Expr, name: &str) -> bool {
    match &e.kind {
        ExprKind::Atom(a) => a.as_str() == name,
        ExprKind::List(list) => list.items.iter().any(|i| mentions(i, name)),
        _ => false,
    }
}
