//! Numbers of funs and comprehensions within a function, as in OTP's compiler: stack traces show them (`-f/1-fun-0-`, `-f/1-lc$^2/1-0-`).
//!
//! Two passes of OTP count, each in its own order. `v3_core` translates the elements of a tuple, a list or a call from the last to the first,
//! and numbers a fun after its body and a generator before its contents. `v3_kernel` then numbers the functions of comprehensions and recursive
//! named funs in the order in which they are evaluated, the input of an inner generator after its body.

use rustc_hash::FxHashMap;

use super::scope::FreeNames;
use crate::atom::Atom;
use syntax::ast::*;
use syntax::stack::with_stack;

/// The numbers of one fun, named fun or generator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Numbers {
    /// By `v3_core`.
    pub core: u32,
    /// By `v3_kernel`.
    pub kernel: u32,
    /// By `v3_kernel`: the function that raises `function_clause`, if that is not part of a function with these arguments.
    pub clauses: u32,
}

/// The numbers of a function, by the address of a fun's clauses or of a generator.
#[derive(Debug, Default)]
pub struct FunNumbers {
    numbers: FxHashMap<usize, Numbers>,
}

/// The key of a fun.
pub fn fun_key(clauses: &[FunClause]) -> usize {
    clauses.as_ptr() as usize
}

/// The key of a generator.
pub fn generator_key(q: &Qualifier) -> usize {
    std::ptr::from_ref(q) as usize
}

impl FunNumbers {
    /// Numbers all names of a function. `records` gives definitions: their defaults are evaluated where a record is created.
    pub fn new<'a>(function: &'a Function, records: &FxHashMap<Atom, &'a RecordDef>, free: &FreeNames) -> Self {
        let mut names = Self::default();
        for pass in [Pass::Core, Pass::Kernel] {
            let mut counter = Counter {
                pass,
                next: 0,
                names: &mut names,
                records,
                free,
            };
            counter.fun_bodies(&function.clauses);
        }
        names
    }

    /// The numbers of a key; zeros if it is unknown.
    pub fn get(&self, key: usize) -> Numbers {
        self.numbers.get(&key).copied().unwrap_or_default()
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    Core,
    Kernel,
}

struct Counter<'c, 'a> {
    pass: Pass,
    next: u32,
    names: &'c mut FunNumbers,
    records: &'c FxHashMap<Atom, &'a RecordDef>,
    free: &'c FreeNames,
}

impl<'a> Counter<'_, 'a> {
    fn number(&mut self, key: usize) {
        let numbers = self.names.numbers.entry(key).or_default();
        match self.pass {
            Pass::Core => numbers.core = self.next,
            Pass::Kernel => numbers.kernel = self.next,
        }
        self.next += 1;
    }

    /// Counts the failing clauses of a fun.
    fn failing_clauses(&mut self, clauses: &[FunClause]) {
        if !takes_all(clauses) {
            self.names.numbers.entry(fun_key(clauses)).or_default().clauses = self.next;
            self.next += 1;
        }
    }

    /// Arguments, elements, operands: right to left in the first pass.
    fn safe_list<'e>(&mut self, list: impl DoubleEndedIterator<Item = &'e Expr>)
    where
        'a: 'e,
    {
        match self.pass {
            Pass::Core => list.rev().for_each(|e| self.expr(e)),
            Pass::Kernel => list.for_each(|e| self.expr(e)),
        }
    }

    fn body(&mut self, exprs: &[Expr]) {
        exprs.iter().for_each(|e| self.expr(e));
    }

    fn fun_bodies(&mut self, clauses: &[FunClause]) {
        clauses.iter().for_each(|c| self.body(&c.body));
    }

    /// The match compiler of `v3_kernel` translates runs of clauses whose patterns are variables, and runs of others, the last run first.
    fn clauses(&mut self, clauses: &[Clause]) {
        if self.pass == Pass::Core {
            return clauses.iter().for_each(|c| self.body(&c.body));
        }
        let runs: Vec<&[Clause]> = clauses
            .chunk_by(|a, b| is_variable(&a.pattern) == is_variable(&b.pattern))
            .collect();
        for run in runs.into_iter().rev() {
            run.iter().for_each(|c| self.body(&c.body));
        }
    }

    fn map_fields(&mut self, fields: &[MapField]) {
        for field in fields {
            self.expr(&field.key);
            self.expr(&field.value);
        }
    }

    fn expr(&mut self, e: &Expr) {
        with_stack(|| self.expr_kind(e));
    }

    fn expr_kind(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::FunLocal(_) => {
                if self.pass == Pass::Core {
                    self.next += 1;
                }
            }
            ExprKind::Fun(clauses) => self.fun(None, clauses),
            ExprKind::NamedFun(name, clauses) => self.fun(Some(*name), clauses),
            ExprKind::ListComp(c) => self.list_comprehension(&c.qualifiers, &[&c.template]),
            ExprKind::BinaryComp(c) => self.fold_comprehension(&c.qualifiers, &[&c.template]),
            ExprKind::MapComp(c) => self.fold_comprehension(&c.qualifiers, &[&c.key, &c.value]),
            ExprKind::List(list) => self.safe_list(list.items.iter().chain(list.tail.as_deref())),
            ExprKind::Tuple(items) => self.safe_list(items.iter()),
            ExprKind::Map(fields) => self.map_fields(fields),
            ExprKind::MapUpdate(map, fields) => {
                self.expr(map);
                self.map_fields(fields);
            }
            ExprKind::Record(record) => self.record(record),
            ExprKind::RecordUpdate(update) => {
                self.body_of_fields(&update.fields);
                self.expr(&update.record);
            }
            ExprKind::RecordAccess(access) => self.expr(&access.record),
            ExprKind::Binary(segments) => {
                let segment = |this: &mut Self, s: &Segment<Expr>| {
                    this.expr(&s.value);
                    s.size.iter().for_each(|size| this.expr(size));
                };
                match self.pass {
                    Pass::Core => segments.iter().rev().for_each(|s| segment(self, s)),
                    Pass::Kernel => segments.iter().for_each(|s| segment(self, s)),
                }
            }
            ExprKind::Match(m) => self.expr(&m.value),
            ExprKind::Unary(_, operand) | ExprKind::Catch(operand) => self.expr(operand),
            ExprKind::Binop(BinaryOp::Append, operands) if matches!(operands[0].kind, ExprKind::ListComp(_)) => {
                self.expr(&operands[1]);
                self.expr(&operands[0]);
            }
            ExprKind::Binop(_, operands) => self.safe_list(operands.iter()),
            ExprKind::AndAlso(operands) | ExprKind::OrElse(operands) => self.body(&operands[..]),
            ExprKind::Call(call) => self.call(call),
            ExprKind::FunRemote(parts) => self.safe_list(parts.iter()),
            ExprKind::Remote(parts) => self.safe_list(parts.iter()),
            ExprKind::Block(exprs) => self.body(exprs),
            ExprKind::If(clauses) => clauses.iter().for_each(|c| self.body(&c.body)),
            ExprKind::Case(subject, clauses) => {
                self.expr(subject);
                self.clauses(clauses);
            }
            ExprKind::Receive(receive) => match &receive.after {
                None => self.clauses(&receive.clauses),
                Some((timeout, body)) => {
                    self.expr(timeout);
                    match self.pass {
                        Pass::Core => {
                            self.body(body);
                            self.clauses(&receive.clauses);
                        }
                        Pass::Kernel => {
                            self.clauses(&receive.clauses);
                            self.body(body);
                        }
                    }
                }
            },
            ExprKind::Try(parts) => {
                self.body(&parts.body);
                self.clauses(&parts.of);
                parts.catch.iter().for_each(|c| self.body(&c.body));
                self.body(&parts.after);
            }
            ExprKind::Maybe(block) => {
                let step = |this: &mut Self, s: &MaybeStep| match s {
                    MaybeStep::Expr(e) | MaybeStep::Match { value: e, .. } => this.expr(e),
                };
                match self.pass {
                    // What follows a `?=` is translated before its value.
                    Pass::Core => self.maybe_steps(&block.body),
                    Pass::Kernel => block.body.iter().for_each(|s| step(self, s)),
                }
                block.otherwise.iter().for_each(|(_, clauses)| self.clauses(clauses));
            }
            ExprKind::Var(_)
            | ExprKind::Atom(_)
            | ExprKind::Integer(_)
            | ExprKind::BigInteger(_)
            | ExprKind::Float(_)
            | ExprKind::Char(_)
            | ExprKind::String(_)
            | ExprKind::Nil
            | ExprKind::RecordIndex(_) => {}
        }
    }

    fn maybe_steps(&mut self, steps: &[MaybeStep]) {
        let mut late = Vec::new();
        for step in steps {
            match step {
                MaybeStep::Expr(e) => self.expr(e),
                MaybeStep::Match { value, .. } => late.push(value),
            }
        }
        late.into_iter().rev().for_each(|e| self.expr(e));
    }

    fn call(&mut self, call: &Call) {
        match &call.callee {
            Callee::Local(_) => self.safe_list(call.args.iter()),
            Callee::Remote { module, function, .. } => {
                self.safe_list([module, function].into_iter().chain(&call.args));
            }
            Callee::Dynamic(fun) => {
                if let (Pass::Kernel, ExprKind::Fun(clauses)) = (self.pass, &fun.kind)
                    && is_merged(clauses, &call.args)
                {
                    self.safe_list(call.args.iter());
                    self.failing_clauses(clauses);
                    self.fun_bodies(clauses);
                    return;
                }
                self.expr(fun);
                self.safe_list(call.args.iter());
            }
        }
    }

    fn fun(&mut self, name: Option<Atom>, clauses: &[FunClause]) {
        match self.pass {
            Pass::Core => {
                self.fun_bodies(clauses);
                self.number(fun_key(clauses));
            }
            Pass::Kernel => {
                if name.is_some_and(|name| is_recursive(name, clauses, self.free)) {
                    self.number(fun_key(clauses));
                }
                self.failing_clauses(clauses);
                self.fun_bodies(clauses);
            }
        }
    }

    fn record(&mut self, record: &RecordExpr) {
        let Some(def) = self.records.get(&record.name).copied() else {
            return self.body_of_fields(&record.fields);
        };
        let wildcard = record.fields.iter().find(|f| f.is_wildcard);
        let value = |field: &'a RecordFieldDef| {
            let written = record
                .fields
                .iter()
                .find(|f| !f.is_wildcard && f.name.atom == field.name);
            written.or(wildcard).map(|f| &f.value).or(field.default.as_ref())
        };
        let values: Vec<&Expr> = def.fields.iter().filter_map(value).collect();
        self.safe_list(values.into_iter());
    }

    fn body_of_fields(&mut self, fields: &[RecordField<Expr>]) {
        fields.iter().for_each(|f| self.expr(&f.value));
    }

    // ---- comprehensions ------------------------------------------------------------------------------------------

    /// The expressions that a qualifier evaluates.
    fn input(&mut self, q: &Qualifier) {
        q.inputs().for_each(|e| self.expr(e));
    }

    fn list_comprehension(&mut self, qs: &[Qualifier], results: &[&Expr]) {
        match self.pass {
            Pass::Core => self.core_comprehension(qs, results),
            Pass::Kernel => self.kernel_part(qs, 0, results, true),
        }
    }

    fn fold_comprehension(&mut self, qs: &[Qualifier], results: &[&Expr]) {
        match self.pass {
            Pass::Core => self.core_comprehension(qs, results),
            Pass::Kernel => {
                // The input of the first generator is evaluated outside.
                let first = qs.first().filter(|q| !q.is_filter());
                first.into_iter().for_each(|q| self.input(q));
                self.kernel_part(qs, 0, results, first.is_none());
            }
        }
    }

    fn core_comprehension(&mut self, qs: &[Qualifier], results: &[&Expr]) {
        qs.iter().for_each(|q| self.input(q));
        for q in qs {
            if !q.is_filter() {
                self.number(generator_key(q));
            }
        }
        results.iter().for_each(|e| self.expr(e));
    }

    /// Qualifiers from `at` on. `with_input`: the input of the first of them is evaluated here.
    fn kernel_part(&mut self, qs: &[Qualifier], at: usize, results: &[&Expr], with_input: bool) {
        with_stack(|| match qs.get(at) {
            None => results.iter().for_each(|e| self.expr(e)),
            Some(filter @ Qualifier::Filter(_)) => {
                self.input(filter);
                self.kernel_part(qs, at + 1, results, true);
            }
            Some(generator) => {
                self.number(generator_key(generator));
                self.kernel_part(qs, at + 1, results, true);
                if with_input {
                    self.input(generator);
                }
            }
        });
    }
}

fn is_variable(p: &Pattern) -> bool {
    match &p.kind {
        PatternKind::Wildcard | PatternKind::Var(_) => true,
        PatternKind::Match(parts) => parts.iter().all(is_variable),
        _ => false,
    }
}

/// Does a named fun use its own name?
fn is_recursive(name: Atom, clauses: &[FunClause], free: &FreeNames) -> bool {
    if free.knows(fun_key(clauses)) {
        return free.names_in(fun_key(clauses)).contains(&name);
    }
    let known = FreeNames::of_clauses(Some(name), clauses);
    known.names_in(fun_key(clauses)).contains(&name)
}

/// Does OTP's compiler merge a fun that is called where it is written into the function? Only with the right number of arguments, all of which
/// are simple.
pub fn is_merged(clauses: &[FunClause], args: &[Expr]) -> bool {
    clauses.first().is_some_and(|c| c.params.len() == args.len()) && args.iter().all(is_simple)
}

/// Variables, constants, and lists and tuples of them.
fn is_simple(e: &Expr) -> bool {
    let mut work = vec![e];
    while let Some(e) = work.pop() {
        match &e.kind {
            ExprKind::Var(_)
            | ExprKind::Atom(_)
            | ExprKind::Integer(_)
            | ExprKind::BigInteger(_)
            | ExprKind::Float(_)
            | ExprKind::Char(_)
            | ExprKind::String(_)
            | ExprKind::Nil => {}
            ExprKind::List(list) => work.extend(list.items.iter().chain(list.tail.as_deref())),
            ExprKind::Tuple(items) => work.extend(items),
            _ => return false,
        }
    }
    true
}

/// Is there a clause that accepts all arguments?
pub fn takes_all(clauses: &[FunClause]) -> bool {
    clauses.iter().any(|c| {
        let mut seen = Vec::new();
        c.guard.is_empty()
            && c.params.iter().all(|p| match p.kind {
                PatternKind::Wildcard => true,
                PatternKind::Var(name) if seen.contains(&name) => false,
                PatternKind::Var(name) => {
                    seen.push(name);
                    true
                }
                _ => false,
            })
    })
}
