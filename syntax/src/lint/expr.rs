//! Expressions.

use super::covers::{ClauseHead, heads};
use super::pattern::Head;
use super::scope::{Added, Scope, Var, VariableUse};
use super::{Linter, shown, similar};
use crate::ast::*;
use crate::atom::Atom;
use crate::builtin;
use crate::stack::with_stack;
use crate::token::quoted_atom;

/// `(line L, column C)`
pub(super) fn place(loc: Loc) -> String {
    format!("(line {}, column {})", loc.line, loc.col)
}

impl<'a> Linter<'a> {
    pub(super) fn use_var(&mut self, name: Atom, loc: Loc) {
        if let Some((_, sites)) = self.scope.segment_vars.iter().find(|(known, _)| *known == name) {
            let sites = sites.clone();
            self.scope.use_sites(&sites);
            return;
        }
        let Some(state) = self.scope.get(name).map(|var| var.state) else {
            let message = format!("variable {} is unbound", quoted_atom(name));
            match name {
                Atom::WILDCARD => self.hinted_error(loc, message, "`_` can only be used in patterns"),
                _ => match similar(name, self.scope.names()) {
                    Some(similar) => self.hinted_error(loc, message, format!("did you mean {similar}?")),
                    None => self.error(loc, message),
                },
            }
            // One report is enough.
            self.scope.bind(
                name,
                Var {
                    state: VariableUse::Bound,
                    sites: Vec::new(),
                },
            );
            return;
        };
        self.scope.touch(name);
        match state {
            VariableUse::Bound => {}
            VariableUse::Exported(what, place) => {
                if self.is_silenced("warn_export_vars") {
                    self.exported_var(name, loc, what, place);
                    self.scope.set_state(name, VariableUse::Bound);
                }
            }
            VariableUse::Unsafe(what, place) => {
                self.unsafe_var(name, loc, what, place);
                self.scope.set_state(name, VariableUse::Bound);
            }
            VariableUse::StackTrace => {
                self.error(
                    loc,
                    format!("stacktrace variable {} must not be used in a guard", quoted_atom(name)),
                );
                self.scope.set_state(name, VariableUse::Bound);
            }
        }
    }

    pub(super) fn exported_var(&mut self, name: Atom, loc: Loc, what: &str, bound_in: Loc) {
        self.warn(
            loc,
            format!(
                "variable {} exported from '{what}' {}",
                quoted_atom(name),
                place(bound_in)
            ),
        );
    }

    pub(super) fn unsafe_var(&mut self, name: Atom, loc: Loc, what: &str, bound_in: Loc) {
        let hint = "bind it in every branch, or use the value of the whole expression";
        self.hinted_error(
            loc,
            format!("variable {} unsafe in '{what}' {}", quoted_atom(name), place(bound_in)),
            hint,
        );
    }

    /// A sequence of expressions: only the value of the last one is used.
    pub(super) fn exprs(&mut self, exprs: &'a [Expr]) {
        for (at, expr) in exprs.iter().enumerate() {
            self.expr(expr);
            if at + 1 < exprs.len() {
                self.unwanted(expr);
            }
        }
    }

    pub(super) fn expr(&mut self, expr: &'a Expr) {
        with_stack(|| self.expr_here(expr));
    }

    /// Parallel expressions: none sees what another one binds.
    fn beside(&mut self, exprs: impl IntoIterator<Item = &'a Expr>) {
        let mut added = Vec::new();
        for expr in exprs {
            let mark = self.scope.mark();
            self.expr(expr);
            if self.scope.mark() > mark {
                added.extend(self.scope.take(mark));
            }
        }
        self.scope.merge(added);
    }

    /// The fields of a map, with the map that is updated. Unlike elsewhere, a variable that two fields bind does not count as used.
    fn fields(&mut self, map: Option<&'a Expr>, fields: &'a [MapField]) {
        let mark = self.scope.mark();
        map.into_iter().for_each(|map| self.expr(map));
        let mut added = self.scope.take(mark);
        for field in fields {
            let mark = self.scope.mark();
            self.beside([&field.key, &field.value]);
            added.extend(self.scope.take(mark));
        }
        self.scope.merge_unmatched(added);
    }

    fn expr_here(&mut self, expr: &'a Expr) {
        let loc = expr.loc;
        match &expr.kind {
            ExprKind::Atom(_)
            | ExprKind::Integer(_)
            | ExprKind::BigInteger(_)
            | ExprKind::Float(_)
            | ExprKind::Char(_)
            | ExprKind::String(_)
            | ExprKind::Nil => {}
            ExprKind::Var(name) => self.use_var(*name, loc),
            ExprKind::List(list) => self.beside(list.items.iter().chain(list.tail.as_deref())),
            ExprKind::Tuple(items) => self.beside(items),
            ExprKind::Map(fields) => {
                self.check_construction(fields);
                self.repeated_keys(fields);
                self.fields(None, fields);
            }
            ExprKind::MapUpdate(map, fields) => {
                self.failing_update(loc, map);
                self.repeated_keys(fields);
                self.fields(Some(map), fields);
            }
            ExprKind::Record(record) => {
                if self.record(loc, record.name) {
                    self.field_names(record.name, &record.fields);
                    self.beside(record.fields.iter().map(|field| &field.value));
                }
            }
            ExprKind::RecordUpdate(update) => self.record_update(loc, update),
            ExprKind::RecordAccess(access) => {
                self.expr(&access.record);
                if self.record(loc, access.name) {
                    self.field(access.name, access.field);
                }
            }
            ExprKind::RecordIndex(index) => {
                if self.record(loc, index.name) {
                    self.field(index.name, index.field);
                }
            }
            ExprKind::Binary(segments) => {
                let parts = segments
                    .iter()
                    .flat_map(|segment| [Some(&segment.value), segment.size.as_deref()]);
                self.beside(parts.flatten());
            }
            ExprKind::ListComp(comprehension) | ExprKind::BinaryComp(comprehension) => {
                self.comprehension([&comprehension.template], &comprehension.qualifiers);
            }
            ExprKind::MapComp(comprehension) => {
                self.comprehension([&comprehension.key, &comprehension.value], &comprehension.qualifiers);
            }
            ExprKind::Match(matching) => {
                self.expr(&matching.value);
                self.patterns([&matching.pattern]);
                self.reject_alias_chain(&matching.pattern, &matching.value);
                self.matched(&matching.pattern, &matching.value);
            }
            ExprKind::Unary(op, operand) => {
                self.expr(operand);
                self.failing_unary(loc, *op, operand);
            }
            ExprKind::Binop(op, operands) => {
                self.beside(operands.iter());
                self.failing(loc, *op, operands);
                self.failing_operands(loc, *op, operands);
            }
            ExprKind::AndAlso(operands) => self.short_circuit("andalso", loc, operands),
            ExprKind::OrElse(operands) => self.short_circuit("orelse", loc, operands),
            ExprKind::Call(call) => {
                self.call(loc, call);
                self.failing_call(loc, call);
            }
            ExprKind::Fun(clauses) => self.fun(clauses, "'fun'"),
            ExprKind::NamedFun(name, clauses) => self.named_fun(loc, *name, clauses),
            ExprKind::FunLocal(id) => self.fun_local(loc, *id),
            ExprKind::FunRemote(parts) => self.beside(parts.iter()),
            ExprKind::Remote(parts) => self.error(parts[0].first_loc(), "illegal expression"),
            ExprKind::Block(body) => self.exprs(body),
            ExprKind::If(clauses) => self.if_expr(loc, clauses),
            ExprKind::Case(subject, clauses) => self.case(loc, subject, clauses),
            ExprKind::Receive(receive) => self.receive(loc, receive),
            ExprKind::Try(parts) => self.try_expr(loc, parts),
            ExprKind::Catch(body) => {
                let mark = self.scope.mark();
                self.expr(body);
                let added = self.scope.take(mark);
                self.scope.merge_unsafe("catch", loc, added);
            }
            ExprKind::Maybe(block) => self.maybe(loc, block),
        }
    }

    fn if_expr(&mut self, loc: Loc, clauses: &'a [IfClause]) {
        let is_true = |guard: &Guard| matches!(&guard[..], [test] if matches!(&test[..], [e] if matches!(e.kind, ExprKind::Atom(Atom::TRUE))));
        if let Some(first) = clauses.iter().position(|clause| is_true(&clause.guard)) {
            self.unreachable(
                clauses[first].loc,
                clauses[first + 1..].iter().map(|clause| clause.loc),
                None,
            );
        }
        let mut branches = Vec::new();
        for clause in clauses {
            let mark = self.scope.mark();
            self.guard(&clause.guard);
            self.never(clause.loc, &clause.guard);
            self.exprs(&clause.body);
            branches.push(self.scope.take(mark));
        }
        self.scope.export("if", loc, branches);
    }

    fn case(&mut self, loc: Loc, subject: &'a Expr, clauses: &'a [Clause]) {
        self.expr(subject);
        self.no_clause(loc, subject, clauses);
        // For a constant OTP picks the clause without a warning.
        let branches = match subject.kind {
            ExprKind::Atom(_) | ExprKind::Integer(_) | ExprKind::Char(_) | ExprKind::Float(_) | ExprKind::String(_) => {
                self.clauses_of_constant(clauses)
            }
            _ => self.clauses(clauses),
        };
        self.scope.export("case", loc, branches);
    }

    pub(super) fn check_construction(&mut self, fields: &'a [MapField]) {
        for field in fields.iter().filter(|field| field.op == MapOp::Exact) {
            let hint = "use `=>`, or write a map before `#`";
            self.hinted_error(
                field.loc,
                "only association operators '=>' are allowed in map construction",
                hint,
            );
        }
    }

    fn record_update(&mut self, loc: Loc, update: &'a RecordUpdate) {
        if self.record(loc, update.name) {
            let wildcard = update.fields.iter().find(|field| field.is_wildcard);
            match wildcard {
                Some(field) => {
                    let name = quoted_atom(update.name);
                    self.error(
                        field.name.loc,
                        format!("meaningless use of _ in update of record {name}"),
                    );
                }
                None => self.field_names(update.name, &update.fields),
            }
        }
        self.beside(
            [&update.record]
                .into_iter()
                .chain(update.fields.iter().map(|field| &field.value)),
        );
    }

    fn short_circuit(&mut self, what: &'static str, loc: Loc, operands: &'a [Expr; 2]) {
        self.expr(&operands[0]);
        let mark = self.scope.mark();
        self.expr(&operands[1]);
        let added = self.scope.take(mark);
        self.scope.merge_unsafe(what, loc, added);
    }

    fn clauses(&mut self, clauses: &'a [Clause]) -> Vec<Added> {
        let heads: Vec<ClauseHead<'_>> = clauses
            .iter()
            .take(self.catches_all(clauses).map_or(clauses.len(), |first| first + 1))
            .map(|clause| {
                (
                    clause.loc,
                    std::slice::from_ref(&clause.pattern),
                    clause.guard.is_empty(),
                )
            })
            .collect();
        self.hidden(&heads, true);
        self.clauses_of_constant(clauses)
    }

    fn clauses_of_constant(&mut self, clauses: &'a [Clause]) -> Vec<Added> {
        if let Some(first) = self.catches_all(clauses) {
            self.unreachable(
                clauses[first].loc,
                clauses[first + 1..].iter().map(|clause| clause.loc),
                None,
            );
        }
        let mut branches = Vec::new();
        for clause in clauses {
            let mark = self.scope.mark();
            self.patterns([&clause.pattern]);
            self.guard(&clause.guard);
            self.never(clause.loc, &clause.guard);
            self.exprs(&clause.body);
            branches.push(self.scope.take(mark));
        }
        branches
    }

    /// The first clause that matches everything.
    fn catches_all(&self, clauses: &[Clause]) -> Option<usize> {
        let catches_all = |clause: &Clause| match clause.pattern.kind {
            PatternKind::Wildcard => clause.guard.is_empty(),
            PatternKind::Var(name) => clause.guard.is_empty() && self.scope.get(name).is_none(),
            _ => false,
        };
        clauses.iter().position(catches_all)
    }

    /// Clauses after one that always matches.
    pub(super) fn unreachable(&mut self, first: Loc, dead: impl Iterator<Item = Loc>, function: Option<FunId>) {
        let line = first.line;
        let of = function.map_or(String::new(), |id| format!(" for {}", shown(id)));
        for loc in dead {
            self.remark(
                loc,
                format!("this clause{of} cannot match because a previous clause at line {line} always matches"),
            );
        }
    }

    fn receive(&mut self, loc: Loc, receive: &'a Receive) {
        let Some((timeout, body)) = &receive.after else {
            let branches = self.clauses(&receive.clauses);
            return self.scope.export("receive", loc, branches);
        };
        let mark = self.scope.mark();
        self.expr(timeout);
        let outer = self.scope.take(mark);
        let mark = self.scope.mark();
        self.exprs(body);
        let mut branches = vec![self.scope.take(mark)];
        branches.extend(self.clauses(&receive.clauses));
        self.scope.export("receive", loc, branches);
        self.scope.merge(outer);
    }

    /// Variables of the body are visible in the `of` clauses only; none is usable after the `try`.
    fn try_expr(&mut self, loc: Loc, parts: &'a Try) {
        let mark = self.scope.mark();
        self.exprs(&parts.body);
        let body = self.scope.take(mark);
        let mark = self.scope.mark();
        for (name, var) in body.clone() {
            self.scope.bind(name, var);
        }
        let mut branches = self.clauses(&parts.of);
        self.scope.take(mark);
        let names: Vec<Atom> = body.iter().map(|(name, _)| *name).collect();
        self.scope.merge_unsafe("try", loc, body);
        for clause in &parts.catch {
            branches.push(self.catch_clause(clause));
        }
        // A clause that used one has already reported it; `after` is a separate place.
        for name in &names {
            self.scope.set_state(*name, VariableUse::Unsafe("try", loc));
        }
        let exported = Scope::exported("try", loc, branches);
        self.scope.merge_unsafe("try", loc, exported);
        let mark = self.scope.mark();
        self.exprs(&parts.after);
        let after = self.scope.take(mark);
        for name in names {
            self.scope.set_state(name, VariableUse::Unsafe("try", loc));
        }
        self.scope.merge_unsafe("try", loc, after);
    }

    fn catch_clause(&mut self, clause: &'a CatchClause) -> Added {
        let mark = self.scope.mark();
        let mut head = Head::new(false);
        if let CatchClass::Var(name) = clause.class
            && name != Atom::WILDCARD
        {
            self.pattern_var(name, clause.loc, &mut head);
        }
        self.pattern(&clause.reason, &mut head);
        let stack = clause.stack.filter(|stack| stack.atom != Atom::WILDCARD);
        if let Some(stack) = stack {
            if head.is_new(stack.atom) || self.scope.get(stack.atom).is_some() {
                let name = quoted_atom(stack.atom);
                self.error(
                    stack.loc,
                    format!("stacktrace variable {name} must not be previously bound"),
                );
            }
            self.pattern_var(stack.atom, stack.loc, &mut head);
        }
        for (name, var) in head.into_new() {
            self.scope.bind(name, var);
        }
        if let Some(stack) = stack {
            self.scope.set_state(stack.atom, VariableUse::StackTrace);
        }
        self.guard(&clause.guard);
        self.never(clause.loc, &clause.guard);
        if let Some(stack) = stack {
            self.scope.set_state(stack.atom, VariableUse::Bound);
        }
        self.exprs(&clause.body);
        self.scope.take(mark)
    }

    fn maybe(&mut self, loc: Loc, block: &'a Maybe) {
        let mark = self.scope.mark();
        for step in &block.body {
            match step {
                MaybeStep::Expr(expr) => self.expr(expr),
                MaybeStep::Match { pattern, value, .. } => {
                    self.expr(value);
                    self.patterns([pattern]);
                    self.reject_alias_chain(pattern, value);
                }
            }
        }
        let added = self.scope.take(mark);
        self.scope.merge_unsafe("maybe", loc, added);
        if let Some((else_loc, clauses)) = &block.otherwise {
            let branches = self.clauses(clauses);
            let exported = Scope::exported("else", *else_loc, branches);
            self.scope.merge_unsafe("else", *else_loc, exported);
        }
    }

    fn comprehension(&mut self, results: impl IntoIterator<Item = &'a Expr>, qualifiers: &'a [Qualifier]) {
        let outer_default = std::mem::replace(&mut self.in_record_default, false);
        let outer_segments = std::mem::take(&mut self.scope.segment_vars);
        let mark = self.scope.mark();
        for qualifier in qualifiers {
            if let Qualifier::Filter(filter) = qualifier {
                self.expr(filter);
                continue;
            }
            for generator in qualifier.generators() {
                self.generator_source(&generator.expr);
                if let Element::Binary(pattern) = &generator.element {
                    self.check_binary_generator(pattern);
                }
            }
            let patterns = qualifier.generators().iter();
            self.shadowing_patterns(patterns.flat_map(|g| g.element.patterns()), "generate");
        }
        self.in_record_default = outer_default;
        self.beside(results);
        self.scope.take(mark);
        self.scope.segment_vars = outer_segments;
    }

    /// What a generator's source binds is dropped immediately.
    fn generator_source(&mut self, expr: &'a Expr) {
        let mark = self.scope.mark();
        self.expr(expr);
        self.scope.take(mark);
    }

    fn check_binary_generator(&mut self, pattern: &Pattern) {
        if let PatternKind::Binary(segments) = &pattern.kind
            && let Some(last) = segments.last()
            && last.size.is_none()
            && last.spec.ty == SegmentType::Binary
        {
            self.error(
                last.loc,
                "binary fields without size are not allowed in patterns of bit string generators",
            );
        }
    }

    fn fun(&mut self, clauses: &'a [FunClause], what: &str) {
        let outer_default = std::mem::replace(&mut self.in_record_default, false);
        let outer_segments = std::mem::take(&mut self.scope.segment_vars);
        self.check_arity(clauses);
        self.hidden(&heads(clauses), false);
        for clause in clauses {
            let mark = self.scope.mark();
            self.shadowing_patterns(&clause.params, what);
            self.guard(&clause.guard);
            self.never(clause.loc, &clause.guard);
            self.exprs(&clause.body);
            self.scope.take(mark);
        }
        self.scope.segment_vars = outer_segments;
        self.in_record_default = outer_default;
    }

    fn named_fun(&mut self, loc: Loc, name: Atom, clauses: &'a [FunClause]) {
        let mark = self.scope.mark();
        if name != Atom::WILDCARD {
            let site = self.scope.new_site(name, loc);
            self.warn_shadowed(name, site, "'named fun'");
            self.scope.bind(
                name,
                Var {
                    state: VariableUse::Bound,
                    sites: vec![site],
                },
            );
        }
        self.fun(clauses, "'fun'");
        self.scope.take(mark);
    }

    pub(super) fn check_arity(&mut self, clauses: &'a [FunClause]) {
        let arity = clauses[0].params.len();
        if arity > super::MAX_ARGUMENTS as usize {
            let maximum = super::MAX_ARGUMENTS;
            self.error(
                clauses[0].loc,
                format!("too many arguments ({arity}) - maximum allowed is {maximum}"),
            );
        }
    }

    fn fun_local(&mut self, loc: Loc, id: FunId) {
        if id.name == Atom::RECORD_INFO && id.arity == 2 {
            return self.error(loc, "illegal record info");
        }
        if self.locals.contains(&id) || !self.is_auto_imported(id) {
            self.calls.push((self.current, id, loc));
        }
    }

    fn call(&mut self, loc: Loc, call: &'a Call) {
        match &call.callee {
            Callee::Local(name) => {
                self.beside(&call.args);
                let id = FunId {
                    name: name.atom,
                    arity: call.args.len() as u32,
                };
                self.local_call(loc, id, *name, &call.args);
            }
            Callee::Remote { module, function, .. } => {
                self.beside([module, function].into_iter().chain(&call.args));
                if let (ExprKind::Atom(module), ExprKind::Atom(function)) = (&module.kind, &function.kind) {
                    if matches!(module.as_str(), "io" | "io_lib") && matches!(function.as_str(), "format" | "fwrite") {
                        self.format_call(loc, &call.args);
                    }
                    self.loads_nif |=
                        module.as_str() == "erlang" && function.as_str() == "load_nif" && call.args.len() == 2;
                    self.obsolete_call(loc, *module, *function, call.args.len() as u32);
                }
                if let (
                    ExprKind::Atom(Atom::ERLANG),
                    ExprKind::Atom(name),
                    [
                        _,
                        Expr {
                            kind: ExprKind::Atom(record),
                            loc: place,
                        },
                    ],
                ) = (&module.kind, &function.kind, &call.args[..])
                    && name.as_str() == "is_record"
                {
                    self.record(*place, *record);
                }
            }
            Callee::Dynamic(fun) => {
                let not_callable = matches!(
                    fun.kind,
                    ExprKind::Char(_)
                        | ExprKind::Integer(_)
                        | ExprKind::BigInteger(_)
                        | ExprKind::Float(_)
                        | ExprKind::String(_)
                        | ExprKind::Nil
                        | ExprKind::List(_)
                        | ExprKind::ListComp(_)
                );
                if not_callable {
                    self.warn(loc, "invalid function call");
                }
                self.beside([fun].into_iter().chain(&call.args));
            }
        }
    }

    fn local_call(&mut self, loc: Loc, id: FunId, name: Name, args: &'a [Expr]) {
        if id.arity == 2
            && id.name.as_str() == "is_record"
            && !self.locals.contains(&id)
            && let ExprKind::Atom(record) = args[1].kind
        {
            self.record(args[1].loc, record);
            return;
        }
        let is_local = self.locals.contains(&id);
        let is_imported = self.imports.contains_key(&id);
        if !is_local && !is_imported && self.is_auto_imported(id) {
            return;
        }
        if is_imported {
            return;
        }
        if id.name == Atom::RECORD_INFO && id.arity == 2 {
            return self.record_info(name.loc, args);
        }
        if self.is_auto_imported(id) {
            self.bif_clash(loc, id);
        }
        self.calls.push((self.current, id, loc));
    }

    fn bif_clash(&mut self, loc: Loc, id: FunId) {
        let clash = shown(id);
        let hint = format!(
            "write erlang:{}(…), or put -compile({{no_auto_import,[{clash}]}}).",
            quoted_atom(id.name)
        );
        if builtin::bif(id).is_some_and(|bif| bif.old) {
            let message = format!("ambiguous call of overridden pre R14 auto-imported BIF {clash}");
            self.hinted_error(loc, message, hint);
        } else {
            self.warn(
                loc,
                format!("ambiguous call of overridden auto-imported BIF {clash} - {hint}"),
            );
        }
    }

    fn record_info(&mut self, loc: Loc, args: &'a [Expr]) {
        match (&args[0].kind, &args[1].kind) {
            (ExprKind::Atom(what), ExprKind::Atom(name)) if matches!(what.as_str(), "fields" | "size") => {
                self.record(loc, *name);
            }
            _ => self.hinted_error(
                loc,
                "illegal record info",
                "write record_info(fields, Name) or record_info(size, Name)",
            ),
        }
    }
}
