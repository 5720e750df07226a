//! Forms: what a module defines, exports and imports, and its compiler options.

use rustc_hash::{FxHashMap, FxHashSet};

use super::covers::heads;
use super::{Linter, NoAutoImport, RecordInfo, shown, similar};
use crate::ast::*;
use crate::atom::Atom;
use crate::builtin;
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::release::Feature;
use crate::token::quoted_atom;

/// Callbacks that OTP's behaviours require.
const CALLBACKS: [(&str, &[(&str, u32)]); 5] = [
    ("application", &[("start", 2), ("stop", 1)]),
    ("gen_event", &[("init", 1), ("handle_event", 2), ("handle_call", 2)]),
    ("gen_server", &[("init", 1), ("handle_call", 3), ("handle_cast", 2)]),
    ("gen_statem", &[("init", 1), ("callback_mode", 0)]),
    ("supervisor", &[("init", 1)]),
];

impl<'a> Linter<'a> {
    pub(super) fn module(&mut self) {
        let module = self.module;
        self.compile_options();
        self.module_name();
        let mut after_function = false;
        for form in &module.order {
            if after_function {
                self.check_late(*form);
            }
            match *form {
                FormRef::Module | FormRef::File(_) | FormRef::Attribute(_) => {}
                FormRef::Export(index) if after_function => {
                    self.late_exports.insert(index);
                }
                FormRef::Export(_) => {}
                FormRef::ExportType(index) => self.export_types(&module.export_types[index]),
                FormRef::Import(index) => self.import(&module.imports[index]),
                FormRef::Record(index) => self.record_def(&module.records[index]),
                FormRef::Type(index) => self.type_def(&module.types[index]),
                FormRef::Spec(index) => self.spec(&module.specs[index]),
                FormRef::Function(index) => {
                    after_function = true;
                    self.function(&module.functions[index]);
                }
            }
        }
        self.documentation();
        self.redefinitions();
        self.exports();
        self.undefined_functions();
        self.option_functions();
        self.callbacks();
        self.finish_types();
        self.promises();
        self.unused();
    }

    fn module_name(&mut self) {
        let module = self.module;
        let may_come_first = |form: &FormRef| match *form {
            FormRef::File(_) => true,
            FormRef::Attribute(index) => module.attributes[index].name == Atom::COMPILE,
            _ => false,
        };
        let first = module.order.iter().find(|form| !may_come_first(form));
        match (first, module.name) {
            (Some(FormRef::Module), Some(name)) => {
                let text = name.atom.as_str();
                let visible = text.chars().any(|c| !matches!(c, ' ' | '\u{a0}' | '\u{ad}'));
                if text.is_empty() {
                    self.error(name.loc, "the module name must not be empty");
                } else if !visible {
                    self.error(name.loc, "the module name must contain at least one visible character");
                } else if text.chars().any(char::is_control) {
                    self.error(name.loc, "the module name must not contain control characters");
                } else if text.chars().any(|c| c as u32 > 255) {
                    self.error(name.loc, "module names with non-latin1 characters are not supported");
                }
            }
            _ => {
                let loc = first.map_or(module.eof, |form| self.form_loc(*form));
                self.hinted_error(loc, "no module definition", "the first form must be -module(Name).");
            }
        }
    }

    fn form_loc(&self, form: FormRef) -> Loc {
        let module = self.module;
        match form {
            FormRef::Module => module.name.map_or(Loc::NONE, |name| name.loc),
            FormRef::Export(index) => module.exports[index].loc,
            FormRef::ExportType(index) => module.export_types[index].loc,
            FormRef::Import(index) => module.imports[index].loc,
            FormRef::Record(index) => module.records[index].loc,
            FormRef::Attribute(index) => module.attributes[index].loc,
            FormRef::Type(index) => module.types[index].loc,
            FormRef::Spec(index) => module.specs[index].loc,
            FormRef::Function(index) => module.functions[index].loc,
            FormRef::File(index) => module.file_marks[index].loc,
        }
    }

    /// Attributes that must stand before the functions.
    fn check_late(&mut self, form: FormRef) {
        let module = self.module;
        let name = match form {
            FormRef::Module => "module",
            FormRef::Export(_) => "export",
            FormRef::ExportType(_) => "export_type",
            FormRef::Import(_) => "import",
            FormRef::Spec(index) if module.specs[index].callback => "callback",
            FormRef::Attribute(index) => match module.attributes[index].name.as_str() {
                "compile" | "dialyzer" | "doc" | "moduledoc" => return,
                name => name,
            },
            _ => return,
        };
        let loc = self.form_loc(form);
        self.hinted_error(
            loc,
            format!("attribute {name} after function definitions"),
            "move it above the first function",
        );
    }

    /// One text for each function, type and callback, and one for the module. Files and maps may stand beside it.
    fn documentation(&mut self) {
        let module = self.module;
        if !module.language.is_of(Feature::Documentation) {
            return;
        }
        let is_text = |value: &Expr| match &value.kind {
            ExprKind::String(_) | ExprKind::Nil | ExprKind::List(_) | ExprKind::Binary(_) => true,
            ExprKind::Atom(word) => matches!(word.as_str(), "false" | "hidden"),
            _ => false,
        };
        let (mut of_module, mut of_next) = (None, None);
        for form in &module.order {
            match *form {
                FormRef::Attribute(index) => {
                    let Attribute { loc, name, value } = &module.attributes[index];
                    let slot = match name.as_str() {
                        "moduledoc" => &mut of_module,
                        "doc" => &mut of_next,
                        _ => continue,
                    };
                    if !is_text(value) {
                        continue;
                    }
                    match *slot {
                        Some(line) => self.error(
                            *loc,
                            format!("redefining documentation attribute ({name}) previously set at line {line}"),
                        ),
                        None => *slot = Some(loc.line),
                    }
                }
                FormRef::Type(_) | FormRef::Function(_) => of_next = None,
                FormRef::Spec(index) if module.specs[index].callback => of_next = None,
                _ => {}
            }
        }
    }

    fn compile_options(&mut self) {
        let module = self.module;
        for attribute in &module.attributes {
            match attribute.name.as_str() {
                "compile" => {
                    let mut options = Vec::new();
                    flatten(&attribute.value, &mut options);
                    options.iter().for_each(|option| self.compile_option(option));
                    let asks = |wanted: &str| {
                        options
                            .iter()
                            .any(|option| matches!(option.kind, ExprKind::Atom(name) if name.as_str() == wanted))
                    };
                    if asks("export_all") && !asks("nowarn_export_all") && !self.is_silenced("nowarn_export_all") {
                        let message = "export_all flag enabled - all functions will be exported";
                        self.warn(attribute.loc, message);
                    }
                    self.options.extend(options);
                }
                "on_load" => self.on_load(attribute),
                _ => {}
            }
        }
    }

    fn on_load(&mut self, attribute: &'a Attribute) {
        let Some(id) = fun_id(&attribute.value) else {
            self.error(attribute.loc, "badly formed on_load attribute".to_owned());
            return;
        };
        if id.arity > 0 {
            let message = format!("function {} has wrong arity (must be 0)", shown(id));
            self.error(attribute.loc, message);
        } else if !self.module.functions.iter().any(|f| f.name == id.name && f.arity == 0) {
            self.error(attribute.loc, format!("function {} undefined", shown(id)));
        }
        if self.on_load.replace(id).is_some() {
            self.error(attribute.loc, "more than one on_load attribute".to_owned());
        }
    }

    fn compile_option(&mut self, option: &'a Expr) {
        match &option.kind {
            ExprKind::Atom(name) if name.as_str() == "no_auto_import" => self.no_auto_import = NoAutoImport::All,
            ExprKind::Atom(name) if name.as_str() == "no_auto_import_types" => self.types.allow_builtin(),
            ExprKind::Tuple(parts) => match &parts[..] {
                [
                    Expr {
                        kind: ExprKind::Atom(name),
                        ..
                    },
                    ids,
                ] if name.as_str() == "no_auto_import" => {
                    let mut items = Vec::new();
                    flatten(ids, &mut items);
                    if let NoAutoImport::These(known) = &mut self.no_auto_import {
                        known.extend(items.into_iter().filter_map(fun_id));
                    }
                }
                _ => {}
            },
            _ => {}
        }
    }

    fn record_def(&mut self, def: &'a RecordDef) {
        if let Some(first) = self.records.get(&def.name) {
            let message = format!("record {} already defined", quoted_atom(def.name));
            let error =
                Diagnostic::error(DiagnosticKind::Lint, def.loc, message).note(first.def.loc, "first defined here");
            self.diagnostics.push(error);
            return;
        }
        let mut seen: Vec<Atom> = Vec::new();
        for field in &def.fields {
            if seen.contains(&field.name) {
                let message = format!(
                    "field {} already defined in record {}",
                    quoted_atom(field.name),
                    quoted_atom(def.name)
                );
                self.error(field.loc, message);
                continue;
            }
            seen.push(field.name);
            if let Some(default) = &field.default {
                self.in_record_default = true;
                let mark = self.scope.mark();
                self.expr(default);
                self.scope.take(mark);
                self.in_record_default = false;
            }
        }
        self.records.insert(def.name, RecordInfo { def, used: false });
        self.record_types(def);
    }

    fn import(&mut self, import: &'a Import) {
        let mut seen: FxHashSet<FunId> = FxHashSet::default();
        for (loc, id) in &import.items {
            if !seen.insert(*id) {
                continue;
            }
            if let Some(module) = self.imports.get(id) {
                let message = format!("function {} already imported from {}", shown(*id), quoted_atom(*module));
                self.error(import.loc, message);
                continue;
            }
            if self.is_auto_imported(*id) {
                let hint = format!("put -compile({{no_auto_import,[{}]}}).", shown(*id));
                if builtin::bif(*id).is_some_and(|bif| bif.old) {
                    let message = format!("import directive overrides pre R14 auto-imported BIF {}", shown(*id));
                    self.hinted_error(*loc, message, hint);
                } else {
                    self.warn(
                        *loc,
                        format!("import directive overrides auto-imported BIF {} - {hint}", shown(*id)),
                    );
                }
            }
            self.imports.insert(*id, import.module);
        }
    }

    fn function(&mut self, function: &'a Function) {
        let id = FunId {
            name: function.name,
            arity: function.arity,
        };
        self.current = Some(id);
        self.check_arity(&function.clauses);
        for clause in &function.clauses {
            let mark = self.scope.mark();
            self.patterns(&clause.params);
            self.guard(&clause.guard);
            self.never(clause.loc, &clause.guard);
            self.exprs(&clause.body);
            self.scope.take(mark);
        }
        self.unreachable_clauses(function);
        self.current = None;
    }

    fn unreachable_clauses(&mut self, function: &'a Function) {
        let catches_all = |clause: &FunClause| {
            let mut names: Vec<Atom> = Vec::new();
            clause.guard.is_empty()
                && clause.params.iter().all(|param| match param.kind {
                    PatternKind::Wildcard => true,
                    PatternKind::Var(name) if !names.contains(&name) => {
                        names.push(name);
                        true
                    }
                    _ => false,
                })
        };
        let first = function.clauses.iter().position(catches_all);
        self.hidden(
            &heads(&function.clauses[..=first.unwrap_or(function.clauses.len() - 1)]),
            false,
        );
        let Some(first) = first else {
            return;
        };
        let id = FunId {
            name: function.name,
            arity: function.arity,
        };
        let (first, dead) = (function.clauses[first].loc, &function.clauses[first + 1..]);
        self.unreachable(first, dead.iter().map(|clause| clause.loc), Some(id));
    }

    /// Functions that are defined twice, or defined and imported.
    fn redefinitions(&mut self) {
        let module = self.module;
        let mut defined: FxHashMap<FunId, Loc> = FxHashMap::default();
        for function in &module.functions {
            let id = FunId {
                name: function.name,
                arity: function.arity,
            };
            match defined.get(&id) {
                Some(first) => {
                    let message = format!("function {} already defined", shown(id));
                    let error = Diagnostic::error(DiagnosticKind::Lint, function.loc, message)
                        .note(*first, "first defined here");
                    self.diagnostics
                        .push(error.hint("clauses of one function are separated by `;`"));
                }
                None => {
                    defined.insert(id, function.loc);
                    if self.imports.contains_key(&id) {
                        self.error(function.loc, format!("defining imported function {}", shown(id)));
                    }
                    if id.name == Atom::MODULE_INFO && id.arity <= 1 || id.name == Atom::RECORD_INFO && id.arity == 2 {
                        self.error(function.loc, format!("function {} already defined", shown(id)));
                    }
                }
            }
        }
    }

    fn exports(&mut self) {
        let module = self.module;
        let mut seen: FxHashSet<FunId> = FxHashSet::default();
        for (index, export) in module.exports.iter().enumerate() {
            if self.late_exports.contains(&index) {
                continue;
            }
            for (_, id) in &export.items {
                if !seen.insert(*id) {
                    self.warn(export.loc, format!("function {} already exported", shown(*id)));
                } else if !self.locals.contains(id) && !is_pseudo_local(*id) {
                    self.undefined(export.loc, *id);
                }
            }
        }
    }

    fn undefined_functions(&mut self) {
        let mut reported: FxHashSet<(FunId, Loc)> = FxHashSet::default();
        let calls = std::mem::take(&mut self.calls);
        for (_, id, loc) in &calls {
            if !self.locals.contains(id) && !is_pseudo_local(*id) && reported.insert((*id, *loc)) {
                self.undefined(*loc, *id);
            }
        }
        self.calls = calls;
    }

    /// Functions named in `-compile` options must exist.
    fn option_functions(&mut self) {
        let module = self.module;
        for attribute in module
            .attributes
            .iter()
            .filter(|attribute| attribute.name == Atom::COMPILE)
        {
            let mut options = Vec::new();
            flatten(&attribute.value, &mut options);
            for option in options {
                for (name, what) in [("inline", "inlined function"), ("nowarn_unused_function", "function")] {
                    for id in option_ids(option, name) {
                        if !self.locals.contains(&id) && !self.imports.contains_key(&id) {
                            self.error(attribute.loc, format!("{what} {} undefined", shown(id)));
                        }
                    }
                }
            }
        }
    }

    /// Callbacks that OTP's behaviours require; other behaviours are unknown here.
    fn callbacks(&mut self) {
        let module = self.module;
        for attribute in &module.attributes {
            let ExprKind::Atom(behaviour) = attribute.value.kind else {
                continue;
            };
            let known = CALLBACKS.iter().find(|(name, _)| *name == behaviour.as_str());
            let (Some((_, callbacks)), "behaviour" | "behavior") = (known, attribute.name.as_str()) else {
                continue;
            };
            let everything = self.is_silenced("export_all");
            let exported = |linter: &Self, id: FunId| {
                everything && linter.locals.contains(&id)
                    || module
                        .exports
                        .iter()
                        .any(|export| export.items.iter().any(|(_, item)| *item == id))
            };
            for (name, arity) in *callbacks {
                let id = FunId {
                    name: Atom::new(name),
                    arity: *arity,
                };
                if !exported(self, id) {
                    let behaviour = behaviour.as_str();
                    self.warn(
                        attribute.loc,
                        format!("undefined callback function {} (behaviour '{behaviour}')", shown(id)),
                    );
                }
            }
        }
    }

    fn undefined(&mut self, loc: Loc, id: FunId) {
        let message = format!("function {} undefined", shown(id));
        let mut arities: Vec<u32> = self
            .locals
            .iter()
            .filter(|local| local.name == id.name)
            .map(|local| local.arity)
            .collect();
        arities.sort_unstable();
        let hint = match arities.first() {
            Some(arity) => Some(format!("there is {}/{arity}", quoted_atom(id.name))),
            None => similar(
                id.name,
                self.locals
                    .iter()
                    .filter(|local| local.arity == id.arity)
                    .map(|local| local.name),
            )
            .map(|name| format!("did you mean {}?", quoted_atom(name))),
        };
        match hint {
            Some(hint) => self.hinted_error(loc, message, hint),
            None => self.error(loc, message),
        }
    }

    fn unused(&mut self) {
        let module = self.module;
        self.unused_functions();
        if !self.is_silenced("nowarn_unused_record") {
            for def in module.records.iter().filter(|def| def.loc.file == 0) {
                let silenced = self.options.iter().any(|option| is_silenced_record(option, def.name));
                let is_unused = |record: &RecordInfo<'_>| !record.used && std::ptr::eq(record.def, def);
                if self.records.get(&def.name).is_some_and(is_unused) && !silenced {
                    self.warn(def.loc, format!("record {} is unused", quoted_atom(def.name)));
                }
            }
        }
        let sites = std::mem::take(&mut self.scope.sites);
        let remarks = std::mem::take(&mut self.if_unused).into_iter();
        self.remarks
            .extend(remarks.filter(|(site, _)| !sites[*site].used).map(|(_, remark)| remark));
        if !self.is_silenced("nowarn_unused_vars") {
            for site in sites
                .iter()
                .filter(|site| !site.used && !site.name.as_str().starts_with('_'))
            {
                self.warn(site.loc, format!("variable {} is unused", quoted_atom(site.name)));
            }
        }
    }

    /// Whether `-compile` has this option.
    pub(super) fn is_silenced(&self, wanted: &str) -> bool {
        self.options
            .iter()
            .any(|option| matches!(option.kind, ExprKind::Atom(name) if name.as_str() == wanted))
    }

    fn unused_functions(&mut self) {
        let module = self.module;
        if self.is_silenced("export_all") || self.is_silenced("nowarn_unused_function") {
            return;
        }
        let mut callees: FxHashMap<FunId, Vec<FunId>> = FxHashMap::default();
        let mut todo: Vec<FunId> = module
            .exports
            .iter()
            .flat_map(|export| export.items.iter().map(|(_, id)| *id))
            .collect();
        todo.extend(self.on_load);
        todo.extend(
            self.options
                .iter()
                .flat_map(|option| option_ids(option, "nowarn_unused_function")),
        );
        for (caller, callee, _) in &self.calls {
            match caller {
                Some(caller) => callees.entry(*caller).or_default().push(*callee),
                None => todo.push(*callee),
            }
        }
        let mut reached: FxHashSet<FunId> = FxHashSet::default();
        while let Some(id) = todo.pop() {
            if reached.insert(id) {
                todo.extend(callees.get(&id).into_iter().flatten());
            }
        }
        for function in &module.functions {
            let id = FunId {
                name: function.name,
                arity: function.arity,
            };
            if !reached.contains(&id) {
                self.warn(function.loc, format!("function {} is unused", shown(id)));
            }
        }
    }
}

/// The functions in an option `{wanted, …}`.
fn option_ids(option: &Expr, wanted: &str) -> Vec<FunId> {
    let ExprKind::Tuple(parts) = &option.kind else {
        return Vec::new();
    };
    match &parts[..] {
        [
            Expr {
                kind: ExprKind::Atom(name),
                ..
            },
            ids,
        ] if name.as_str() == wanted => {
            let mut items = Vec::new();
            flatten(ids, &mut items);
            items.into_iter().filter_map(fun_id).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether it is `{nowarn_unused_record, Name}` for this record, or has it in a list of names.
fn is_silenced_record(option: &Expr, record: Atom) -> bool {
    let ExprKind::Tuple(parts) = &option.kind else {
        return false;
    };
    let [
        Expr {
            kind: ExprKind::Atom(name),
            ..
        },
        names,
    ] = &parts[..]
    else {
        return false;
    };
    let mut items = Vec::new();
    flatten(names, &mut items);
    name.as_str() == "nowarn_unused_record"
        && items
            .iter()
            .any(|item| matches!(item.kind, ExprKind::Atom(name) if name == record))
}

/// Functions that every module has.
fn is_pseudo_local(id: FunId) -> bool {
    id.name == Atom::MODULE_INFO && id.arity <= 1 || id.name == Atom::RECORD_INFO && id.arity == 2
}

/// The elements of nested lists.
pub(super) fn flatten<'a>(expr: &'a Expr, out: &mut Vec<&'a Expr>) {
    match &expr.kind {
        ExprKind::List(list) => list.items.iter().for_each(|item| flatten(item, out)),
        ExprKind::Nil => {}
        _ => out.push(expr),
    }
}

/// `{name, arity}`
pub(super) fn fun_id(expr: &Expr) -> Option<FunId> {
    let ExprKind::Tuple(parts) = &expr.kind else {
        return None;
    };
    match &parts[..] {
        [
            Expr {
                kind: ExprKind::Atom(name),
                ..
            },
            Expr {
                kind: ExprKind::Integer(arity),
                ..
            },
        ] => Some(FunId {
            name: *name,
            arity: u32::try_from(*arity).ok()?,
        }),
        _ => None,
    }
}
