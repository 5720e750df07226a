//! `ms_transform`: literal funs given to `ets:fun2ms/1` and `dbg:fun2ms/1` become match specifications.

use rustc_hash::FxHashMap;

use crate::ast::*;
use crate::atom::Atom;
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::parse::fold_constant;
use crate::stack::with_stack;
use crate::token::quoted_atom;
use crate::walk::expr_children_mut;

mod words;

use words::{ACTIONS, is_erlang, is_guard, is_operator, language_element, old_test};

pub(super) fn translate(module: &mut Module, diagnostics: &mut Vec<Diagnostic>) {
    let records = module.records.iter().map(|def| (def.name, def.clone())).collect();
    let mut translator = Translator {
        records,
        used: Vec::new(),
    };
    for function in &mut module.functions {
        for expr in function.clauses.iter_mut().flat_map(|clause| &mut clause.body) {
            translator.visit(expr, diagnostics);
        }
    }
    // Lint no longer sees records that occurred only in these funs.
    for name in translator.used {
        let option = Expr::new(Loc::NONE, ExprKind::Atom(Atom::new("nowarn_unused_record")));
        let record = Expr::new(Loc::NONE, ExprKind::Atom(name));
        let value = Expr::new(Loc::NONE, ExprKind::Tuple(vec![option, record]));
        module.attributes.push(Attribute {
            loc: Loc::NONE,
            name: Atom::COMPILE,
            value,
        });
    }
}

type Translated<T> = Result<T, Box<Diagnostic>>;

fn refuse<T>(loc: Loc, message: impl Into<String>) -> Translated<T> {
    Err(Box::new(Diagnostic::error(DiagnosticKind::Lint, loc, message)))
}

struct Translator {
    records: FxHashMap<Atom, RecordDef>,
    used: Vec<Atom>,
}

/// The part of the fun that an expression is in.
#[derive(Clone, Copy, PartialEq)]
enum FunPart {
    Guard,
    Body,
}

impl FunPart {
    fn as_str(self) -> &'static str {
        match self {
            FunPart::Guard => "guard",
            FunPart::Body => "body",
        }
    }
}

/// Variables of the head: which match variable each is.
#[derive(Default)]
struct Bindings {
    names: Vec<(Atom, Atom)>,
    next: u32,
}

impl Bindings {
    fn get(&self, name: Atom) -> Option<Atom> {
        self.names
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, variable)| *variable)
    }

    fn bind(&mut self, name: Atom) -> Atom {
        self.get(name).unwrap_or_else(|| {
            self.next += 1;
            let variable = Atom::new(&format!("${}", self.next));
            self.names.push((name, variable));
            variable
        })
    }
}

fn atom(loc: Loc, name: &str) -> Expr {
    Expr::new(loc, ExprKind::Atom(Atom::new(name)))
}

fn tuple(loc: Loc, items: Vec<Expr>) -> Expr {
    Expr::new(loc, ExprKind::Tuple(items))
}

fn list(loc: Loc, items: Vec<Expr>) -> Expr {
    match items.is_empty() {
        true => Expr::new(loc, ExprKind::Nil),
        false => Expr::new(
            loc,
            ExprKind::List(List {
                items,
                tail: None,
                end: loc,
            }),
        ),
    }
}

impl Translator {
    fn visit(&mut self, expr: &mut Expr, diagnostics: &mut Vec<Diagnostic>) {
        with_stack(|| {
            if let Some(is_ets) = fun2ms(expr) {
                match self.call(expr, is_ets) {
                    Ok(spec) => *expr = spec,
                    Err(error) => diagnostics.push(*error),
                }
                return;
            }
            expr_children_mut(expr, &mut |child| self.visit(child, diagnostics));
        });
    }

    fn call(&mut self, expr: &Expr, is_ets: bool) -> Translated<Expr> {
        let ExprKind::Call(call) = &expr.kind else {
            unreachable!("fun2ms saw a call")
        };
        let [
            Expr {
                kind: ExprKind::Fun(clauses),
                loc,
            },
        ] = &call.args[..]
        else {
            return refuse(expr.loc, "Parameter of ets/dbg:fun2ms/1 is not a literal fun");
        };
        let mut specs = Vec::new();
        for clause in clauses {
            // Each alternative of a guard becomes a clause of its own.
            let alternatives = if clause.guard.is_empty() {
                vec![&[][..]]
            } else {
                clause.guard.iter().map(|tests| &tests[..]).collect()
            };
            for tests in alternatives {
                specs.push(self.clause(clause, tests, is_ets)?);
            }
        }
        Ok(list(*loc, specs))
    }

    fn clause(&mut self, clause: &FunClause, tests: &[Expr], is_ets: bool) -> Translated<Expr> {
        let loc = clause.loc;
        let [param] = &clause.params[..] else {
            return refuse(loc, head_message(is_ets));
        };
        let mut head = param;
        let mut bindings = Bindings::default();
        while let PatternKind::Match(both) = &head.kind {
            let (name, rest) = match (&both[0].kind, &both[1].kind) {
                (PatternKind::Var(name), _) => (*name, &both[1]),
                (_, PatternKind::Var(name)) => (*name, &both[0]),
                _ => return refuse(head.loc, head_message(is_ets)),
            };
            if !bindings.names.is_empty() {
                let message = "in fun head, only matching (=) on toplevel can be translated into match_spec";
                return refuse(head.loc, message);
            }
            bindings.names.push((name, Atom::new("$_")));
            head = rest;
        }
        let fits = match &head.kind {
            PatternKind::Var(_) | PatternKind::Wildcard => true,
            PatternKind::Tuple(_) | PatternKind::Record(_) => is_ets,
            PatternKind::List(_) | PatternKind::Nil => !is_ets,
            _ => false,
        };
        if !fits {
            return refuse(loc, head_message(is_ets));
        }
        let head = self.head(head, &mut bindings)?;
        let guards = self.all(tests, &bindings, FunPart::Guard)?;
        let body = self.all(&clause.body, &bindings, FunPart::Body)?;
        Ok(tuple(loc, vec![head, list(loc, guards), list(loc, body)]))
    }

    fn head(&mut self, pattern: &Pattern, bindings: &mut Bindings) -> Translated<Expr> {
        let loc = pattern.loc;
        let kind = match &pattern.kind {
            PatternKind::Wildcard => ExprKind::Atom(Atom::WILDCARD),
            PatternKind::Var(name) => ExprKind::Atom(bindings.bind(*name)),
            PatternKind::Atom(name) => {
                if name
                    .as_str()
                    .strip_prefix('$')
                    .is_some_and(|rest| rest.parse::<u64>().is_ok())
                {
                    let message = format!(
                        "fun head contains atom {}, which conflics with reserved atoms in match_spec heads",
                        quoted_atom(*name)
                    );
                    return refuse(loc, message);
                }
                ExprKind::Atom(*name)
            }
            PatternKind::Integer(value) => ExprKind::Integer(*value),
            PatternKind::BigInteger(value) => ExprKind::BigInteger(value.clone()),
            PatternKind::Float(value) => ExprKind::Float(*value),
            PatternKind::Char(c) => ExprKind::Char(*c),
            PatternKind::String(text) => ExprKind::String(text.clone()),
            PatternKind::Nil => ExprKind::Nil,
            PatternKind::Const(constant) => constant.expr.kind.clone(),
            PatternKind::Tuple(items) => ExprKind::Tuple(self.heads(items, bindings)?),
            PatternKind::List(items) => {
                let heads = self.heads(&items.items, bindings)?;
                let tail = match &items.tail {
                    Some(tail) => Some(Box::new(self.head(tail, bindings)?)),
                    None => None,
                };
                ExprKind::List(List {
                    items: heads,
                    tail,
                    end: items.end,
                })
            }
            PatternKind::Map(fields) => {
                let mut translated = Vec::new();
                for field in fields {
                    let value = self.head(&field.value, bindings)?;
                    translated.push(MapField {
                        loc: field.loc,
                        op: MapOp::Assoc,
                        key: field.key.clone(),
                        value,
                    });
                }
                ExprKind::Map(translated)
            }
            PatternKind::Record(record) => return self.record_head(loc, record, bindings),
            PatternKind::RecordIndex(index) => ExprKind::RecordIndex(index.clone()),
            PatternKind::Append(both) => {
                let [prefix, tail] = [self.head(&both[0], bindings)?, self.head(&both[1], bindings)?];
                ExprKind::Binop(BinaryOp::Append, Box::new([prefix, tail]))
            }
            PatternKind::Match(_) => {
                let message = "in fun head, only matching (=) on toplevel can be translated into match_spec";
                return refuse(loc, message);
            }
            PatternKind::Binary(segments) => {
                let mut translated = Vec::new();
                for Segment {
                    loc,
                    value,
                    size,
                    spec,
                    written,
                } in segments
                {
                    if let PatternKind::Var(name) = value.kind {
                        let message = format!(
                            "fun head contains bit syntax matching of variable {}, which cannot be translated into match_spec",
                            quoted_atom(name)
                        );
                        return refuse(value.loc, message);
                    }
                    let value = self.head(value, bindings)?;
                    translated.push(Segment {
                        loc: *loc,
                        value,
                        size: size.clone(),
                        spec: *spec,
                        written: written.clone(),
                    });
                }
                ExprKind::Binary(translated)
            }
        };
        Ok(Expr::new(loc, kind))
    }

    fn heads(&mut self, patterns: &[Pattern], bindings: &mut Bindings) -> Translated<Vec<Expr>> {
        patterns.iter().map(|pattern| self.head(pattern, bindings)).collect()
    }

    fn record_def(&mut self, loc: Loc, name: Atom, part: &str) -> Translated<RecordDef> {
        match self.records.get(&name) {
            Some(def) => {
                if !self.used.contains(&name) {
                    self.used.push(name);
                }
                Ok(def.clone())
            }
            None => refuse(
                loc,
                format!("fun {part} contains unknown record type {}", quoted_atom(name)),
            ),
        }
    }

    fn record_head(&mut self, loc: Loc, record: &RecordPattern, bindings: &mut Bindings) -> Translated<Expr> {
        let def = self.record_def(loc, record.name, "head")?;
        check_fields(loc, "head", &def, &record.fields)?;
        let mut values = Vec::new();
        for field in &record.fields {
            values.push((field.name.atom, field.is_wildcard, self.head(&field.value, bindings)?));
        }
        let wildcard = Expr::new(loc, ExprKind::Atom(Atom::WILDCARD));
        Ok(tuple(loc, fields_in_order(loc, &def, &values, |_| wildcard.clone())))
    }

    fn all(&mut self, exprs: &[Expr], bindings: &Bindings, part: FunPart) -> Translated<Vec<Expr>> {
        exprs.iter().map(|expr| self.term(expr, bindings, part)).collect()
    }

    /// An expression of a guard or body as a match specification's term.
    fn term(&mut self, expr: &Expr, bindings: &Bindings, part: FunPart) -> Translated<Expr> {
        with_stack(|| self.term_here(expr, bindings, part))
    }

    fn term_here(&mut self, expr: &Expr, bindings: &Bindings, part: FunPart) -> Translated<Expr> {
        let loc = expr.loc;
        let constant = |value: Expr| tuple(loc, vec![atom(loc, "const"), value]);
        match &expr.kind {
            ExprKind::Unary(op, operand) => match fold_constant(expr) {
                Some(value) => Ok(Expr::new(loc, value)),
                None => self.operator(loc, op.as_str(), &[operand], bindings, part),
            },
            ExprKind::Binop(op @ (BinaryOp::Append | BinaryOp::Subtract | BinaryOp::Send), _) => {
                let place = if part == FunPart::Guard {
                    "guards"
                } else {
                    "function bodies"
                };
                refuse(loc, format!("the operator '{}' is not allowed in {place}", op.as_str()))
            }
            ExprKind::Binop(op, operands) => match fold_constant(expr) {
                Some(value) => Ok(Expr::new(loc, value)),
                None => self.operator(loc, op.as_str(), &[&operands[0], &operands[1]], bindings, part),
            },
            ExprKind::AndAlso(operands) => self.operator(loc, "andalso", &[&operands[0], &operands[1]], bindings, part),
            ExprKind::OrElse(operands) => self.operator(loc, "orelse", &[&operands[0], &operands[1]], bindings, part),
            ExprKind::Call(call) => self.function(loc, call, bindings, part),
            ExprKind::List(items) => {
                let tail = match &items.tail {
                    Some(tail) => Some(Box::new(self.term(tail, bindings, part)?)),
                    None => None,
                };
                let items = List {
                    items: self.all(&items.items, bindings, part)?,
                    tail,
                    end: items.end,
                };
                Ok(Expr::new(loc, ExprKind::List(items)))
            }
            ExprKind::Tuple(items) => Ok(tuple(loc, vec![tuple(loc, self.all(items, bindings, part)?)])),
            ExprKind::Atom(name) if name.as_str().starts_with('$') => Ok(constant(expr.clone())),
            ExprKind::Nil
            | ExprKind::Atom(_)
            | ExprKind::Integer(_)
            | ExprKind::BigInteger(_)
            | ExprKind::Float(_)
            | ExprKind::Char(_)
            | ExprKind::String(_) => Ok(expr.clone()),
            ExprKind::Var(name) => Ok(match bindings.get(*name) {
                Some(variable) => Expr::new(loc, ExprKind::Atom(variable)),
                None => constant(expr.clone()),
            }),
            ExprKind::Record(_) | ExprKind::RecordUpdate(_) | ExprKind::RecordAccess(_) | ExprKind::RecordIndex(_) => {
                self.record_term(expr, bindings, part)
            }
            ExprKind::Map(fields) => {
                let mut translated = Vec::new();
                for field in fields {
                    let key = self.term(&field.key, bindings, part)?;
                    let value = self.term(&field.value, bindings, part)?;
                    translated.push(MapField {
                        loc: field.loc,
                        op: field.op,
                        key,
                        value,
                    });
                }
                Ok(Expr::new(loc, ExprKind::Map(translated)))
            }
            ExprKind::Binary(segments) => {
                no_bound_segments(segments, bindings, part)?;
                Ok(expr.clone())
            }
            ExprKind::Match(_) if part == FunPart::Body => {
                refuse(loc, "fun with body matching ('=' in body) is illegal as match_spec")
            }
            ExprKind::Match(_) => refuse(
                loc,
                "fun with guard matching ('=' in guard) is illegal as match_spec as well",
            ),
            other => {
                let (what, part) = (language_element(other), part.as_str());
                refuse(
                    loc,
                    format!("the language element {what} (in {part}) cannot be translated into match_spec"),
                )
            }
        }
    }

    /// An expression with a record. Its fields' places are known.
    fn record_term(&mut self, expr: &Expr, bindings: &Bindings, part: FunPart) -> Translated<Expr> {
        let loc = expr.loc;
        match &expr.kind {
            ExprKind::Record(record) => {
                let def = self.record_def(loc, record.name, part.as_str())?;
                let values = self.record_values(loc, &def, &record.fields, bindings, part)?;
                let default = |field: &RecordFieldDef| field.default.clone().unwrap_or_else(|| atom(loc, "undefined"));
                Ok(tuple(
                    loc,
                    vec![tuple(loc, fields_in_order(loc, &def, &values, default))],
                ))
            }
            ExprKind::RecordUpdate(update) => {
                let def = self.record_def(loc, update.name, part.as_str())?;
                let values = self.record_values(loc, &def, &update.fields, bindings, part)?;
                let object = self.term(&update.record, bindings, part)?;
                let get = |field: &RecordFieldDef| element(loc, &def, field.name, object.clone());
                Ok(tuple(loc, vec![tuple(loc, fields_in_order(loc, &def, &values, get))]))
            }
            ExprKind::RecordAccess(access) => {
                let def = self.record_def(loc, access.name, part.as_str())?;
                check_field(loc, part.as_str(), &def, access.field.atom)?;
                let object = self.term(&access.record, bindings, part)?;
                Ok(element(loc, &def, access.field.atom, object))
            }
            ExprKind::RecordIndex(index) => {
                let def = self.record_def(loc, index.name, part.as_str())?;
                check_field(loc, part.as_str(), &def, index.field.atom)?;
                Ok(Expr::new(loc, ExprKind::Integer(position(&def, index.field.atom))))
            }
            _ => unreachable!("an expression with a record"),
        }
    }

    fn operator(
        &mut self,
        loc: Loc,
        op: &str,
        operands: &[&Expr],
        bindings: &Bindings,
        part: FunPart,
    ) -> Translated<Expr> {
        let mut items = vec![atom(loc, op)];
        for operand in operands {
            items.push(self.term(operand, bindings, part)?);
        }
        Ok(tuple(loc, items))
    }

    fn record_values(
        &mut self,
        loc: Loc,
        def: &RecordDef,
        fields: &[RecordField<Expr>],
        bindings: &Bindings,
        part: FunPart,
    ) -> Translated<Vec<(Atom, bool, Expr)>> {
        check_fields(loc, part.as_str(), def, fields)?;
        fields
            .iter()
            .map(|field| {
                Ok((
                    field.name.atom,
                    field.is_wildcard,
                    self.term(&field.value, bindings, part)?,
                ))
            })
            .collect()
    }

    fn function(&mut self, loc: Loc, call: &Call, bindings: &Bindings, part: FunPart) -> Translated<Expr> {
        let arity = call.args.len();
        let args: Vec<&Expr> = call.args.iter().collect();
        let place = part.as_str();
        let name = match &call.callee {
            Callee::Local(name) => match (name.atom.as_str(), arity) {
                ("bindings", 0) => return Ok(atom(loc, "$*")),
                ("object", 0) => return Ok(atom(loc, "$_")),
                (text, _) => {
                    let old = if part == FunPart::Guard {
                        old_test(text, arity)
                    } else {
                        None
                    };
                    old.unwrap_or(text).to_owned()
                }
            },
            Callee::Remote { module, function, .. } => match (&module.kind, &function.kind) {
                (ExprKind::Atom(Atom::ERLANG), ExprKind::Atom(name)) if is_erlang(name.as_str(), arity) => {
                    name.as_str().to_owned()
                }
                (ExprKind::Atom(module), ExprKind::Atom(name)) => {
                    let call = format!("{}:{}/{arity}", quoted_atom(*module), quoted_atom(*name));
                    let message = format!(
                        "fun containing the remote function call '{call}' (called in {place}) cannot be translated into match_spec"
                    );
                    return refuse(loc, message);
                }
                _ => {
                    return refuse(
                        loc,
                        format!(
                            "the language element external function call (in {place}) cannot be translated into match_spec"
                        ),
                    );
                }
            },
            Callee::Dynamic(_) => {
                return refuse(
                    loc,
                    format!("the language element call (in {place}) cannot be translated into match_spec"),
                );
            }
        };
        if name == "is_record"
            && arity == 2
            && let ExprKind::Atom(record) = call.args[1].kind
        {
            let def = self.record_def(call.args[1].loc, record, place)?;
            let object = self.term(&call.args[0], bindings, part)?;
            let size = Expr::new(loc, ExprKind::Integer(def.fields.len() as i64 + 1));
            return Ok(tuple(
                loc,
                vec![atom(loc, "is_record"), object, call.args[1].clone(), size],
            ));
        }
        let allowed =
            is_guard(&name, arity) || is_operator(&name, arity) && matches!(call.callee, Callee::Remote { .. });
        if !(allowed || part == FunPart::Body && ACTIONS.contains(&(name.as_str(), arity))) {
            let name = quoted_atom(Atom::new(&name));
            let message = format!(
                "fun containing the local function call '{name}/{arity}' (called in {place}) cannot be translated into match_spec"
            );
            return refuse(loc, message);
        }
        self.operator(loc, &name, &args, bindings, part)
    }
}

/// Segments of a construction may not have values of variables of the head.
fn no_bound_segments(segments: &[Segment<Expr>], bindings: &Bindings, part: FunPart) -> Translated<()> {
    for segment in segments {
        if let ExprKind::Var(name) = segment.value.kind
            && bindings.get(name).is_some()
        {
            let (name, part) = (quoted_atom(name), part.as_str());
            let message = format!(
                "bit syntax construction with variable {name} (in {part}) cannot be translated into match_spec"
            );
            return refuse(segment.value.loc, message);
        }
    }
    Ok(())
}

/// Whether it is `ets:fun2ms(…)` (true) or `dbg:fun2ms(…)` (false).
fn fun2ms(expr: &Expr) -> Option<bool> {
    let ExprKind::Call(call) = &expr.kind else { return None };
    let Callee::Remote { module, function, .. } = &call.callee else {
        return None;
    };
    match (&module.kind, &function.kind) {
        (ExprKind::Atom(module), ExprKind::Atom(function)) if function.as_str() == "fun2ms" => match module.as_str() {
            "ets" => Some(true),
            "dbg" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

fn head_message(is_ets: bool) -> &'static str {
    match is_ets {
        true => "ets:fun2ms requires fun with single variable or tuple parameter",
        false => "dbg:fun2ms requires fun with single variable or list parameter",
    }
}

fn position(def: &RecordDef, field: Atom) -> i64 {
    def.fields
        .iter()
        .position(|known| known.name == field)
        .map_or(0, |index| index as i64 + 2)
}

/// `{element, N, Object}`
fn element(loc: Loc, def: &RecordDef, field: Atom, object: Expr) -> Expr {
    tuple(
        loc,
        vec![
            atom(loc, "element"),
            Expr::new(loc, ExprKind::Integer(position(def, field))),
            object,
        ],
    )
}

fn check_field(loc: Loc, part: &str, def: &RecordDef, field: Atom) -> Translated<()> {
    if def.fields.iter().any(|known| known.name == field) {
        return Ok(());
    }
    let (field, record) = (quoted_atom(field), quoted_atom(def.name));
    refuse(
        loc,
        format!("fun {part} contains reference to unknown field {field} in record type {record}"),
    )
}

fn check_fields<T>(loc: Loc, part: &str, def: &RecordDef, fields: &[RecordField<T>]) -> Translated<()> {
    for (index, field) in fields.iter().enumerate() {
        if !field.is_wildcard {
            check_field(loc, part, def, field.name.atom)?;
        }
        if fields[..index]
            .iter()
            .any(|earlier| earlier.name.atom == field.name.atom)
        {
            let (field, record) = (quoted_atom(field.name.atom), quoted_atom(def.name));
            return refuse(
                loc,
                format!("fun {part} contains already defined field {field} in record type {record}"),
            );
        }
    }
    Ok(())
}

/// The record's name and its field values in order; `other` for those not given.
fn fields_in_order(
    loc: Loc,
    def: &RecordDef,
    values: &[(Atom, bool, Expr)],
    other: impl Fn(&RecordFieldDef) -> Expr,
) -> Vec<Expr> {
    let wildcard = values
        .iter()
        .find(|(_, is_wildcard, _)| *is_wildcard)
        .map(|(_, _, value)| value);
    let value = |field: &RecordFieldDef| {
        let given = values
            .iter()
            .find(|(name, is_wildcard, _)| !is_wildcard && *name == field.name)
            .map(|(_, _, value)| value);
        given.or(wildcard).cloned().unwrap_or_else(|| other(field))
    };
    let name = Expr::new(loc, ExprKind::Atom(def.name));
    std::iter::once(name).chain(def.fields.iter().map(value)).collect()
}
