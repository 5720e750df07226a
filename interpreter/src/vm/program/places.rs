//! Facts about a position in a program's code: function, handlers, source place, variables.

use std::sync::LazyLock;

use rustc_hash::FxHasher;

use super::*;

impl Program {
    /// The function that contains an instruction.
    pub(in crate::vm) fn function_at(&self, pc: u32) -> Option<&FunctionInfo> {
        let at = self.functions.partition_point(|f| f.start <= pc);
        let f = self.functions.get(at.checked_sub(1)?)?;
        (pc < f.end).then_some(f)
    }

    /// Registers of the function that contains an instruction.
    pub(in crate::vm) fn frame_size(&self, pc: u32) -> usize {
        match self.function_at(pc).map(|f| self.code[f.start as usize]) {
            Some(Instr::Enter { frame, .. } | Instr::EnterGenerator { frame, .. }) => frame as usize,
            _ => 0,
        }
    }

    /// The innermost handler around an instruction.
    pub(in crate::vm) fn handler_at(&self, pc: u32) -> Option<Handler> {
        let f = self.function_at(pc)?;
        let range = f.handlers.0 as usize..f.handlers.1 as usize;
        self.handlers[range]
            .iter()
            .find(|h| (h.start..h.end).contains(&pc))
            .copied()
    }

    /// Is the instruction a call whose frame is not shown in stack traces?
    pub(in crate::vm) fn is_hidden(&self, pc: u32) -> bool {
        let Some(f) = self.function_at(pc) else { return false };
        let hidden = &self.hidden[f.hidden.0 as usize..f.hidden.1 as usize];
        let at = hidden.partition_point(|h| h.0 <= pc);
        at.checked_sub(1).is_some_and(|i| pc < hidden[i].1)
    }

    /// Is the instruction a call of a fun, or of a function whose name is computed at run time?
    pub(in crate::vm) fn is_dynamic_call(&self, pc: u32) -> bool {
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

    /// The source place of an instruction, and the end of its code.
    pub(in crate::vm) fn place(&self, f: &FunctionInfo, pc: u32) -> (Loc, u32) {
        let places = &self.places[f.places.0 as usize..f.places.1 as usize];
        let at = places.partition_point(|p| p.0 <= pc);
        let end = places.get(at).map_or(f.end, |p| p.0);
        (at.checked_sub(1).map_or(f.loc, |i| places[i].1), end)
    }

    pub(in crate::vm) fn file(&self, f: &FunctionInfo, loc: Loc) -> &str {
        self.files[f.files as usize].get(loc.file as usize).map_or("", |s| s)
    }

    /// The source place of an instruction; `None` for generated code.
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
            loaded: self.loaded_text(f, loc),
        })
    }

    /// The text of the file of a place, if its code was loaded at run time.
    fn loaded_text(&self, f: &FunctionInfo, loc: Loc) -> Option<&Arc<str>> {
        static UNKNOWN: LazyLock<Arc<str>> = LazyLock::new(|| Arc::from(""));
        let texts = self.loaded_texts.get(&f.files)?;
        let file = self.file(f, loc);
        // What Elixir's compiler makes while the program runs is made of files that the program has.
        if texts.is_empty() && (file.ends_with(".ex") || file.ends_with(".exs")) {
            return None;
        }
        let known = texts.iter().find(|(path, _)| path == file);
        Some(known.map_or_else(|| &*UNKNOWN, |(_, text)| text))
    }

    /// A hash of a local fun's code. Edits elsewhere in its module do not change it. It is stable only within one run of the tool.
    #[must_use]
    pub fn fun_shape(&self, id: u32) -> u64 {
        self.shape(id, 4)
    }

    /// As [`Program::fun_shape`], with nested funs up to this depth: a named fun contains itself.
    pub(super) fn shape(&self, id: u32, deep: u32) -> u64 {
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
            // Numbers of the module or program are replaced by what they stand for.
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
    pub(in crate::vm) fn variables_at(&self, pc: u32) -> impl Iterator<Item = &Variable> {
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
    pub(in crate::vm) fn handlers_of(&self, f: &FunctionInfo) -> &[Handler] {
        &self.handlers[f.handlers.0 as usize..f.handlers.1 as usize]
    }

    /// Registers that hold variables in scope, by place in a function.
    pub(in crate::vm) fn scopes_of(&self, f: &FunctionInfo, registers: Reg) -> Scopes {
        let variables = &self.variables[f.variables.0 as usize..f.variables.1 as usize];
        Scopes::new(variables, f.end, registers)
    }

    /// See [`scope_at`].
    pub(in crate::vm) fn stubs_of(&self, f: &FunctionInfo) -> &[(u32, u32)] {
        &self.stubs[f.stubs.0 as usize..f.stubs.1 as usize]
    }

    /// The bytecode of a module, one function after the other, for people and golden tests.
    #[must_use]
    pub fn listing(&self, module: Atom) -> String {
        crate::vm::listing::listing(self, self.functions.iter().filter(|f| f.module == module))
    }
}
