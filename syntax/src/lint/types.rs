//! Types and specs.

use std::collections::hash_map::Entry;

use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Linter;
use crate::ast::*;
use crate::atom::Atom;
use crate::builtin::is_builtin_type;
use crate::release::Feature;
use crate::stack::with_stack;
use crate::token::quoted_atom;

type TypeId = (Atom, usize);

#[derive(Default)]
pub(super) struct Types {
    /// Whether a module may define types with built-in names (`no_auto_import_types`).
    builtin_allowed: bool,
    defined: FxHashMap<TypeId, Loc>,
    /// Uses of types: by which type (if by one), which type, and where.
    used: Vec<(Option<TypeId>, TypeId, Loc)>,
    /// The type that is being defined.
    current: Option<TypeId>,
    exported: Vec<(TypeId, Loc)>,
    specs: FxHashMap<(Atom, FunId), Loc>,
    callbacks: FxHashSet<FunId>,
}

impl Types {
    /// The types that are exported or used outside type definitions, and those that they use in turn.
    fn reached(&self) -> FxHashSet<TypeId> {
        let mut todo: Vec<TypeId> = self.exported.iter().map(|(id, _)| *id).collect();
        todo.extend(self.used.iter().filter(|used| used.0.is_none()).map(|used| used.1));
        let mut inner: FxHashMap<TypeId, Vec<TypeId>> = FxHashMap::default();
        for (by, id, _) in &self.used {
            by.iter().for_each(|by| inner.entry(*by).or_default().push(*id));
        }
        let mut reached = FxHashSet::default();
        while let Some(id) = todo.pop() {
            if reached.insert(id) {
                todo.extend(inner.get(&id).into_iter().flatten());
            }
        }
        reached
    }

    pub(super) fn allow_builtin(&mut self) {
        self.builtin_allowed = true;
    }
}

/// Type variables of one definition: where each occurs, and whether more than once.
#[derive(Default)]
struct TypeVariables {
    order: Vec<Atom>,
    vars: FxHashMap<Atom, (Loc, bool)>,
}

impl TypeVariables {
    fn see(&mut self, name: Atom, loc: Loc) {
        match self.vars.get_mut(&name) {
            Some((_, again)) => *again = true,
            None => {
                self.order.push(name);
                self.vars.insert(name, (loc, false));
            }
        }
    }
}

/// `(A1, A2)` with as many underscores as arguments: how messages write a type's arity.
fn parens(arity: usize) -> String {
    format!("({})", vec!["_"; arity].join(","))
}

impl<'a> Linter<'a> {
    fn check_seen(&mut self, seen: TypeVariables) {
        for name in seen.order {
            if let (loc, false) = seen.vars[&name]
                && !name.as_str().starts_with('_')
            {
                self.error(
                    loc,
                    format!("type variable {} is only used once (is unbound)", quoted_atom(name)),
                );
            }
        }
    }

    pub(super) fn type_def(&mut self, def: &'a TypeDef) {
        let id = (def.name, def.params.len());
        let shown = format!("type {}{}", quoted_atom(def.name), parens(id.1));
        let is_builtin = is_builtin_type(id.0, id.1) && !self.types.builtin_allowed;
        let has_builtin_names = self.module.language.is_of(Feature::BuiltinTypeNames);
        // An older release does not know this one.
        let is_newer = id.0.as_str() == "dynamic";
        if is_builtin && has_builtin_names && !self.is_silenced("nowarn_redefined_builtin_type") {
            let name = format!("{}{}", quoted_atom(def.name), parens(id.1));
            self.warn(def.loc, format!("local redefinition of built-in type: {name}"));
        }
        if is_builtin && !has_builtin_names && !is_newer {
            self.error(def.loc, format!("{shown} is a builtin type; it cannot be redefined"));
        } else if let Entry::Vacant(first) = self.types.defined.entry(id) {
            first.insert(def.loc);
        } else {
            self.error(def.loc, format!("{shown} already defined"));
        }
        let mut seen = TypeVariables::default();
        self.types.current = Some(id);
        self.check_type(&def.ty, &mut seen);
        self.types.current = None;
        for param in &def.params {
            seen.see(param.atom, param.loc);
        }
        self.check_seen(seen);
    }

    pub(super) fn record_types(&mut self, def: &'a RecordDef) {
        let mut seen = TypeVariables::default();
        for field in &def.fields {
            if let Some(ty) = &field.ty {
                self.check_type(ty, &mut seen);
            }
        }
        self.check_seen(seen);
    }

    pub(super) fn spec(&mut self, spec: &'a Spec) {
        let own = self.module.name.map_or(Atom::EMPTY, |name| name.atom);
        let module = spec.module.unwrap_or(own);
        let shown = super::shown(spec.id);
        if spec.callback {
            if spec.module.is_some() {
                self.error(
                    spec.loc,
                    format!("callback not allowed for module {}", quoted_atom(module)),
                );
            } else if !self.types.callbacks.insert(spec.id) {
                self.error(spec.loc, format!("callback {shown} already defined"));
            }
        } else if self.types.specs.insert((module, spec.id), spec.loc).is_some() {
            self.error(spec.loc, format!("spec for {shown} already defined"));
        } else if module != own {
            self.error(
                spec.loc,
                format!("spec for function {}:{shown} from other module", quoted_atom(module)),
            );
        }
        for sig in &spec.sigs {
            let arity = sig.fun.params.as_ref().map(Vec::len);
            if arity != Some(spec.id.arity as usize) {
                let what = if spec.callback { "callback" } else { "spec" };
                self.error(sig.fun.loc, format!("{what} has wrong arity"));
            }
            let mut seen = TypeVariables::default();
            self.fun_type(&sig.fun, &mut seen);
            for constraint in &sig.constraints {
                seen.see(constraint.var.atom, constraint.var.loc);
                self.check_type(&constraint.ty, &mut seen);
            }
            self.check_seen(seen);
        }
    }

    pub(super) fn export_types(&mut self, export: &'a Export) {
        for (_, id) in &export.items {
            self.types.exported.push(((id.name, id.arity as usize), export.loc));
        }
    }

    /// Checks that need all forms.
    pub(super) fn finish_types(&mut self) {
        let types = std::mem::take(&mut self.types);
        let undefined = |id: &TypeId| format!("type {}{} undefined", quoted_atom(id.0), parens(id.1));
        let uses = types.used.iter().map(|(_, id, loc)| (*id, *loc));
        for (id, loc) in uses.chain(types.exported.iter().copied()) {
            if !types.defined.contains_key(&id) && !is_builtin_type(id.0, id.1) {
                self.error(loc, undefined(&id));
            }
        }
        let silenced = self.is_silenced("nowarn_unused_type");
        let known = types.reached();
        let is_unused = |def: &&TypeDef| {
            let id = (def.name, def.params.len());
            def.loc.file == 0 && types.defined.get(&id).is_none_or(|first| *first == def.loc) && !known.contains(&id)
        };
        let unused = self.module.types.iter().filter(|def| !silenced && is_unused(def));
        for def in unused.collect::<Vec<_>>() {
            self.warn(
                def.loc,
                format!("type {}{} is unused", quoted_atom(def.name), parens(def.params.len())),
            );
        }
        let exported: FxHashSet<TypeId> = types.exported.iter().map(|(id, _)| *id).collect();
        let (module, export_all) = (self.module, self.is_silenced("export_all"));
        for def in module
            .types
            .iter()
            .filter(|def| def.kind == TypeAttribute::Opaque && !export_all)
        {
            if !exported.contains(&(def.name, def.params.len())) {
                self.warn(
                    def.loc,
                    format!(
                        "opaque type {}{} is not exported",
                        quoted_atom(def.name),
                        parens(def.params.len())
                    ),
                );
            }
        }
        let own = self.module.name.map_or(Atom::EMPTY, |name| name.atom);
        let specs = self
            .module
            .specs
            .iter()
            .filter(|spec| !spec.callback && spec.module.is_none_or(|module| module == own));
        for spec in specs {
            if !self.locals.contains(&spec.id) {
                self.error(
                    spec.loc,
                    format!("spec for undefined function {}", super::shown(spec.id)),
                );
            }
        }
    }

    fn check_types(&mut self, types: &'a [Type], seen: &mut TypeVariables) {
        types.iter().for_each(|ty| self.check_type(ty, seen));
    }

    fn fun_type(&mut self, fun: &'a FunType, seen: &mut TypeVariables) {
        self.check_types(fun.params.as_deref().unwrap_or(&[]), seen);
        self.check_type(&fun.result, seen);
    }

    fn check_type(&mut self, ty: &'a Type, seen: &mut TypeVariables) {
        with_stack(|| self.check_type_here(ty, seen));
    }

    fn check_type_here(&mut self, ty: &'a Type, seen: &mut TypeVariables) {
        match &ty.kind {
            TypeKind::Atom(_)
            | TypeKind::Integer(_)
            | TypeKind::BigInteger(_)
            | TypeKind::Char(_)
            | TypeKind::Nil
            | TypeKind::AnyFun
            | TypeKind::Var(Atom::WILDCARD) => {}
            TypeKind::Var(name) => seen.see(*name, ty.loc),
            TypeKind::Unary(..) | TypeKind::Binop(..) => {
                if integer(ty).is_none() {
                    self.error(ty.loc, "bad integer type");
                }
            }
            TypeKind::Annotated(_, inner) | TypeKind::List(inner) | TypeKind::NonemptyList(inner) => {
                self.check_type(inner, seen);
            }
            TypeKind::Union(types) | TypeKind::Tuple(types) => self.check_types(types, seen),
            TypeKind::Range(ends) => match (integer(&ends[0]), integer(&ends[1])) {
                (Some(from), Some(to)) if from < to => {}
                _ => self.error(ty.loc, "bad range type"),
            },
            TypeKind::Map(fields) => {
                for field in fields {
                    self.check_type(&field.key, seen);
                    self.check_type(&field.value, seen);
                }
            }
            TypeKind::Record(name, fields) => {
                if self.record(ty.loc, name.atom) {
                    for field in fields {
                        self.field(name.atom, field.name);
                    }
                }
                fields.iter().for_each(|field| self.check_type(&field.ty, seen));
            }
            TypeKind::Binary(parts) => {
                let fine = |part: &Option<Type>| {
                    part.as_ref()
                        .is_none_or(|part| integer(part).is_some_and(|value| !value.is_negative()))
                };
                if !fine(&parts.base) || !fine(&parts.unit) {
                    self.error(ty.loc, "bad binary type");
                }
            }
            TypeKind::Fun(fun) => self.fun_type(fun, seen),
            TypeKind::Named(name, args) => {
                if !is_builtin_type(*name, args.len()) {
                    self.types.used.push((self.types.current, (*name, args.len()), ty.loc));
                }
                self.check_types(args, seen);
            }
            TypeKind::Remote(module, name, args) => {
                if self.module.name.is_some_and(|own| own.atom == module.atom) {
                    self.types
                        .used
                        .push((self.types.current, (name.atom, args.len()), ty.loc));
                }
                self.check_types(args, seen);
            }
        }
    }
}

/// The value of an integer type.
fn integer(ty: &Type) -> Option<BigInt> {
    with_stack(|| match &ty.kind {
        TypeKind::Integer(value) => Some((*value).into()),
        TypeKind::BigInteger(value) => Some((**value).clone()),
        TypeKind::Char(c) => Some((*c as u32).into()),
        TypeKind::Unary(op, operand) => {
            let value = integer(operand)?;
            match op {
                UnaryOp::Plus => Some(value),
                UnaryOp::Minus => Some(-value),
                UnaryOp::Bnot => Some(!value),
                UnaryOp::Not => None,
            }
        }
        TypeKind::Binop(op, operands) => {
            let (a, b) = (integer(&operands[0])?, integer(&operands[1])?);
            let shift = || u16::try_from(&b).ok();
            Some(match op {
                BinaryOp::Add => a + b,
                BinaryOp::Sub => a - b,
                BinaryOp::Mul => a * b,
                BinaryOp::Div if !b.is_zero() => a / b,
                BinaryOp::Rem if !b.is_zero() => a % b,
                BinaryOp::Band => a & b,
                BinaryOp::Bor => a | b,
                BinaryOp::Bxor => a ^ b,
                BinaryOp::Bsl => a << shift()?,
                BinaryOp::Bsr => a >> shift()?,
                _ => return None,
            })
        }
        _ => None,
    })
}
