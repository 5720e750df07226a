//! Calls and funs.

use super::names::{fun_key, is_merged};
use super::scope::FreeNames;
use super::unit::Merged;
use super::{Bound, Compiler, Dest, Func};
use crate::atom::Atom;
use crate::term::Term;
use crate::vm::instr::{Instr, RaiseClass, Reg};
use crate::vm::{keeps_caller, replaces_caller};
use syntax::ast::*;

/// The target of a call whose arguments are in place.
#[derive(Clone, Copy)]
enum CallTarget {
    Local(u32),
    Import(u32),
    /// The fun follows the arguments.
    Fun,
    /// Module and function follow the arguments.
    Apply,
    /// `apply/2,3`: fun and list, or module, function and list are the arguments.
    ApplyList,
}

/// Variables that a nested function takes from the function around it.
#[derive(Default)]
pub(super) struct Captured {
    /// In the order in which they follow the function's own arguments.
    pub(super) names: Vec<Atom>,
    /// Other names of these, by index.
    aliases: Vec<(Atom, usize)>,
    /// Variables with known values: these are not passed as arguments.
    constants: Vec<(Atom, Term)>,
}

impl<'a> Compiler<'a> {
    pub(super) fn call(&mut self, e: &'a Expr, call: &'a Call, dst: Dest) {
        if self.is_boolean(e) {
            return self.boolean_value(e, dst);
        }
        let args = &call.args[..];
        if args.len() > 255 {
            return self.refuse(e.loc, "call has more than 255 arguments");
        }
        match &call.callee {
            Callee::Local(name) => {
                let id = (name.atom, args.len() as u32);
                if let Some(&function) = self.local.get(&id) {
                    let never = self.never_return.get(function as usize).copied().unwrap_or(false);
                    self.place_hidden_call(
                        e.loc,
                        CallTarget::Local(function),
                        args,
                        &[],
                        dst,
                        never.then_some(false),
                    );
                } else if let Some(&module) = self.imported.get(&id) {
                    self.remote_call(e.loc, module, name.atom, args, dst);
                } else if name.atom == Atom::MODULE_INFO && args.len() <= 1 {
                    self.remote_call(e.loc, self.unit.module, name.atom, args, dst);
                } else if name.atom == Atom::RECORD_INFO && args.len() == 2 {
                    self.record_info(e.loc, args, dst);
                } else {
                    self.remote_call(e.loc, Atom::ERLANG, name.atom, args, dst);
                }
            }
            Callee::Remote { module, function, .. } => match (&module.kind, &function.kind) {
                (ExprKind::Atom(m), ExprKind::Atom(f)) => self.remote_call(e.loc, *m, *f, args, dst),
                _ => {
                    let m = self.operand(module);
                    let f = self.operand(function);
                    self.place_call(e.loc, CallTarget::Apply, args, &[m, f], dst);
                }
            },
            Callee::Dynamic(fun) => {
                self.dynamic_call(e.loc, fun, args, dst);
            }
        }
    }

    /// Calls the value of an expression.
    fn dynamic_call(&mut self, loc: Loc, fun: &'a Expr, args: &'a [Expr], dst: Dest) {
        let hide = match &fun.kind {
            ExprKind::Fun(clauses) if is_merged(clauses, args) => {
                self.f.merge_next = Some(fun_key(clauses));
                self.f.merge_last = dst == Dest::Tail;
                Some(true)
            }
            // With another number of arguments, the call is known not to return.
            ExprKind::Fun(clauses) => clauses
                .first()
                .is_some_and(|c| c.params.len() != args.len())
                .then_some(false),
            ExprKind::FunRemote(parts) => {
                let arity = &parts[2].kind;
                matches!(arity, ExprKind::Integer(n) if *n != args.len() as i64).then_some(false)
            }
            ExprKind::Var(name) if self.f.never == Some((*name, args.len())) => Some(false),
            ExprKind::Var(name) => self.f.merged_var.take_if(|merged| *merged == *name).map(|_| true),
            _ => None,
        };
        let fun = self.operand(fun);
        self.place_hidden_call(loc, CallTarget::Fun, args, &[fun], dst, hide);
    }

    fn remote_call(&mut self, loc: Loc, mut module: Atom, mut function: Atom, args: &'a [Expr], dst: Dest) {
        // OTP's compiler replaces the one by the other, which the stack trace of an error shows.
        if module.as_str() == "maps" {
            let guard = match (function.as_str(), args.len()) {
                ("get", 2) => Some("map_get"),
                ("is_key", 2) => Some("is_map_key"),
                ("size", 1) => Some("map_size"),
                _ => None,
            };
            if let Some(guard) = guard {
                (module, function) = (Atom::ERLANG, Atom::new(guard));
            }
        }
        if module == Atom::ERLANG {
            let class = match (function, args.len()) {
                (Atom::ERROR, 1 | 2) => Some(RaiseClass::Error),
                (Atom::EXIT_LOWER, 1) => Some(RaiseClass::Exit),
                (Atom::THROW, 1) => Some(RaiseClass::Throw),
                _ => None,
            };
            if let Some(class) = class {
                let regs = self.operands(args);
                self.f.b.at(loc);
                let args = regs.get(1).copied().unwrap_or(0);
                self.f.b.emit(Instr::Raise {
                    class,
                    reason: regs[0],
                    args,
                });
                return;
            }
            if function == Atom::APPLY && (args.len() == 2 || args.len() == 3) {
                return self.apply(loc, args, dst);
            }
            // In tail position, a function that is written in Erlang in OTP is called like one.
            let replaces = dst == Dest::Tail && replaces_caller("erlang", function.as_str(), args.len() as u8);
            if !replaces && let Some(native) = self.natives.pure(module, function, args.len() as u8) {
                let regs = self.operands(args);
                self.f.b.at(loc);
                return self.native(native, &regs, dst);
            }
        }
        let import = self.import(module, function, args.len() as u8);
        if dst == Dest::Tail && self.f.guard.is_none() && keeps_caller(module.as_str(), function.as_str(), args.len()) {
            let result = self.temp();
            self.place_call(loc, CallTarget::Import(import), args, &[], Dest::To(result));
            return self.give(dst, result);
        }
        self.place_call(loc, CallTarget::Import(import), args, &[], dst);
    }

    pub(super) fn native(&mut self, native: u16, regs: &[Reg], dst: Dest) {
        let d = self.target(dst);
        self.f.b.emit(Instr::Native {
            dst: d,
            native,
            count: regs.len() as u16,
        });
        self.f.b.ops(regs);
        self.done(dst, d);
    }

    /// Calls a function of `erlang` with arguments that are in registers.
    pub(super) fn native_or_call(&mut self, module: Atom, function: Atom, regs: &[Reg], dst: Dest) {
        if let Some(native) = self.natives.pure(module, function, regs.len() as u8) {
            return self.native(native, regs, dst);
        }
        let import = self.import(module, function, regs.len() as u8);
        let base = self.f.next;
        self.touch(base + regs.len() as Reg);
        for (to, &src) in (base + 1..).zip(regs) {
            self.f.b.mov(to, src);
        }
        self.f.b.emit(Instr::CallExternal { base, import });
        self.f.b.live();
        self.give(dst, base);
    }

    fn apply(&mut self, loc: Loc, args: &'a [Expr], dst: Dest) {
        let (list, callee) = args.split_last().expect("apply has two or three arguments");
        // With a literal argument list it is an ordinary dynamic call.
        let items: Option<&'a [Expr]> = match &list.kind {
            ExprKind::Nil => Some(&[]),
            ExprKind::List(l) if l.tail.is_none() && l.items.len() <= 255 => Some(&l.items),
            _ => None,
        };
        match (items, callee) {
            (Some(items), [module, function]) => {
                if let (ExprKind::Atom(m), ExprKind::Atom(f)) = (&module.kind, &function.kind) {
                    return self.remote_call(loc, *m, *f, items, dst);
                }
                let regs = self.operands(callee);
                self.place_call(loc, CallTarget::Apply, items, &regs, dst);
            }
            (Some(items), [fun]) => self.dynamic_call(loc, fun, items, dst),
            _ => self.place_call(loc, CallTarget::ApplyList, args, &[], dst),
        }
    }

    /// Puts arguments in place and calls. `extra` are registers after the arguments.
    fn place_call(&mut self, loc: Loc, target: CallTarget, args: &'a [Expr], extra: &[Reg], dst: Dest) {
        self.place_hidden_call(loc, target, args, extra, dst, None);
    }

    /// As [`Compiler::place_call`]; `hide`: the frame is not shown in stack traces, see [`super::build::Builder::hide`].
    fn place_hidden_call(
        &mut self,
        loc: Loc,
        target: CallTarget,
        args: &'a [Expr],
        extra: &[Reg],
        dst: Dest,
        hide: Option<bool>,
    ) {
        let count = args.len() as u16;
        if dst == Dest::Tail && self.f.guard.is_none() {
            self.tail_args(args, extra);
            self.f.b.at(loc);
            self.f.b.emit(match target {
                CallTarget::Local(target) => Instr::TailCall { target },
                CallTarget::Import(import) => Instr::TailExternal { import },
                CallTarget::Fun => Instr::TailFun { arity: count },
                CallTarget::Apply => Instr::TailApply { arity: count },
                CallTarget::ApplyList => Instr::TailApplyList { count },
            });
            self.give_back();
            return;
        }
        let base = self.f.next;
        for (arg, to) in args.iter().zip(base + 1..) {
            self.f.next = to;
            self.touch(to);
            self.expr(arg, Dest::To(to));
        }
        let behind = base + 1 + count;
        self.touch(behind + extra.len() as Reg);
        for (to, &src) in (behind..).zip(extra) {
            self.f.b.mov(to, src);
        }
        self.f.next = base;
        self.f.b.at(loc);
        let start = self.f.b.position();
        self.f.b.emit(match target {
            CallTarget::Local(target) => Instr::Call { base, target },
            CallTarget::Import(import) => Instr::CallExternal { base, import },
            CallTarget::Fun => Instr::CallFun { base, arity: count },
            CallTarget::Apply => Instr::CallApply { base, arity: count },
            CallTarget::ApplyList => Instr::CallApplyList { base, count },
        });
        self.f.b.live();
        if let Some(always) = hide {
            self.f.b.hide(start, always);
        }
        self.give(dst, base);
    }

    /// Arguments of a tail call: evaluated, then moved to registers 1, 2, … in parallel.
    fn tail_args(&mut self, args: &'a [Expr], extra: &[Reg]) {
        let mut moves: Vec<(Reg, Reg)> = Vec::new();
        let mut constants: Vec<(Reg, Term)> = Vec::new();
        for (i, arg) in args.iter().enumerate() {
            let to = i as Reg + 1;
            if let Some(term) = self.literal(arg) {
                constants.push((to, term));
                continue;
            }
            if let ExprKind::Var(_) = arg.kind {
                let src = self.operand(arg);
                moves.push((to, src));
                continue;
            }
            // In place, if the register's value is not needed any more, and nothing can be observed in between.
            let free = !moves.iter().any(|m| m.1 == to)
                && !extra.contains(&to)
                && args[i..].iter().skip(1).all(|later| self.is_plain(later, to))
                && self.is_arithmetic(arg);
            if free {
                self.touch(to);
                self.expr(arg, Dest::To(to));
                self.take(to);
            } else {
                let src = self.operand(arg);
                moves.push((to, src));
            }
        }
        for (&src, i) in extra.iter().zip(0..) {
            moves.push((args.len() as Reg + 1 + i, src));
        }
        self.parallel(moves);
        for (to, term) in constants {
            self.load(to, term);
            self.take(to);
        }
    }

    /// Arithmetic on variables and constants: cannot suspend.
    fn is_arithmetic(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Binop(op, operands) => {
                !matches!(op, BinaryOp::Send | BinaryOp::Append | BinaryOp::Subtract)
                    && operands
                        .iter()
                        .all(|o| matches!(o.kind, ExprKind::Var(_) | ExprKind::Integer(_)))
            }
            ExprKind::List(list) => {
                list.items.len() == 1
                    && list
                        .items
                        .iter()
                        .chain(list.tail.as_deref())
                        .all(|o| matches!(o.kind, ExprKind::Var(_)))
            }
            _ => false,
        }
    }

    /// Does evaluating it neither read this register nor suspend?
    fn is_plain(&self, e: &Expr, reg: Reg) -> bool {
        match &e.kind {
            ExprKind::Var(name) => self.var(*name) != Some(reg),
            ExprKind::Atom(_) | ExprKind::Integer(_) | ExprKind::Nil => true,
            ExprKind::Binop(_, operands) => self.is_arithmetic(e) && operands.iter().all(|o| self.is_plain(o, reg)),
            ExprKind::List(list) => {
                self.is_arithmetic(e)
                    && list
                        .items
                        .iter()
                        .chain(list.tail.as_deref())
                        .all(|o| self.is_plain(o, reg))
            }
            _ => false,
        }
    }

    /// Moves registers in parallel.
    pub(super) fn parallel(&mut self, mut moves: Vec<(Reg, Reg)>) {
        moves.retain(|m| m.0 != m.1);
        moves.iter().for_each(|m| self.touch(m.0));
        while !moves.is_empty() {
            let free = moves.iter().position(|m| !moves.iter().any(|other| other.1 == m.0));
            match free {
                Some(i) => {
                    let (to, src) = moves.remove(i);
                    self.f.b.mov(to, src);
                    self.take(to);
                }
                None => {
                    // A cycle: uses a temporary above every register that was moved to.
                    let aside = self.temp().max(self.f.max + 1);
                    let (_, src) = moves[0];
                    self.touch(aside);
                    self.f.b.mov(aside, src);
                    moves.iter_mut().filter(|m| m.1 == src).for_each(|m| m.1 = aside);
                }
            }
        }
    }

    /// `record_info(fields | size, name)`.
    fn record_info(&mut self, loc: Loc, args: &'a [Expr], dst: Dest) {
        let (ExprKind::Atom(what), ExprKind::Atom(name)) = (&args[0].kind, &args[1].kind) else {
            return self.refuse(loc, "record_info/2 takes two atoms");
        };
        let Some(def) = self.record_def(*name, loc) else { return };
        let term = match *what {
            Atom::SIZE => Term::small(def.fields.len() as i64 + 1),
            Atom::FIELDS => {
                let names: Vec<Term> = def.fields.iter().map(|f| Term::atom(f.name)).collect();
                self.unit.heap.make_list(&names)
            }
            _ => return self.refuse(loc, "record_info/2 knows fields and size"),
        };
        let d = self.target(dst);
        self.load(d, term);
        self.done(dst, d);
    }

    // ---- funs ----------------------------------------------------------------------------------------------------

    pub(super) fn fun_local(&mut self, loc: Loc, id: FunId, dst: Dest) {
        let key = (id.name, id.arity);
        let d = self.target(dst);
        if let Some(&function) = self.local.get(&key) {
            let fun = self.new_fun(function, id.arity as u8, 0);
            self.f.b.emit(Instr::MakeFun { dst: d, fun });
        } else {
            if id.arity > 255 {
                return self.refuse(loc, "a fun has at most 255 arguments");
            }
            let own = (id.name == Atom::MODULE_INFO && id.arity <= 1).then_some(self.unit.module);
            let imported = || self.imported.get(&key).copied().unwrap_or(Atom::ERLANG);
            let module = own.unwrap_or_else(imported);
            let parts = [
                Term::atom(module).0,
                Term::atom(id.name).0,
                Term::small(i64::from(id.arity)).0,
            ];
            let term = self.unit.heap.make_box(crate::term::BoxKind::ExternalFun, &parts);
            self.load(d, term);
        }
        self.done(dst, d);
    }

    /// Captured variables of a nested function: those of `names` that are bound here, in term order.
    pub(super) fn captured(&self, names: &[Atom]) -> Captured {
        let seen = names.iter().filter(|n| !self.is_bound_beside(**n));
        let mut found: Vec<(Atom, Reg)> = seen.filter_map(|n| Some((*n, self.var(*n)?))).collect();
        // Real names come first, so that they stand for the registers they share with others.
        found.sort_unstable_by_key(|(n, _)| (n.as_str().starts_with('-'), n.as_str()));
        found.dedup();
        let mut captured = Captured::default();
        let mut regs: Vec<Reg> = Vec::new();
        for (name, mut reg) in found {
            match self.f.known.get(&name) {
                Some(&Bound::Constant(term)) => {
                    captured.constants.push((name, term));
                    continue;
                }
                Some(&Bound::Same(other)) => reg = self.var(other).unwrap_or(reg),
                Some(Bound::Float) | None => {}
            }
            match regs.iter().position(|r| *r == reg) {
                Some(i) => captured.aliases.push((name, i)),
                None => {
                    regs.push(reg);
                    captured.names.push(name);
                }
            }
        }
        captured
    }

    /// Begins a new function whose arguments are `params` and the captured variables. Returns the old one.
    pub(super) fn enter_function(&mut self, params: u16, captured: &Captured, loc: Loc, generator: bool) -> Func {
        let arity = params + captured.names.len() as u16;
        let mut f = Func {
            arity,
            next: arity + 1,
            max: arity,
            ..Func::default()
        };
        f.b.at(loc);
        f.b.emit(if generator {
            Instr::EnterGenerator { args: arity, frame: 0 }
        } else {
            Instr::Enter { args: arity, frame: 0 }
        });
        let old = std::mem::replace(&mut self.f, f);
        for (&name, reg) in captured.names.iter().zip(params + 1..) {
            self.bind(name, reg);
        }
        for &(name, index) in &captured.aliases {
            self.bind(name, params + 1 + index as u16);
        }
        for &(name, term) in &captured.constants {
            let reg = self.temp();
            self.load(reg, term);
            self.bind(name, reg);
            self.f.known.insert(name, Bound::Constant(term));
        }
        old
    }

    pub(super) fn fun(&mut self, loc: Loc, clauses: &'a [FunClause], name: Option<Atom>, dst: Dest) {
        let name = name.filter(|n| *n != Atom::WILDCARD);
        if !self.free.knows(fun_key(clauses)) {
            self.free.extend(FreeNames::of_clauses(name, clauses));
        }
        let used = self.free.names_in(fun_key(clauses));
        let names: Vec<Atom> = used.iter().copied().filter(|n| Some(*n) != name).collect();
        // A named fun that uses its name is a `letrec` in OTP, and named after it.
        let letrec = name.filter(|n| used.contains(n));
        let numbers = self.names.get(fun_key(clauses));
        let merged = self
            .f
            .merge_next
            .take_if(|key| *key == fun_key(clauses))
            .and(self.f.shown);
        let captured = self.captured(&names);
        let params = clauses.first().map_or(0, |c| c.params.len());
        if params + captured.names.len() > 255 {
            return self.refuse(loc, "a fun has at most 255 arguments and captured variables");
        }
        let arity = params as u16 + captured.names.len() as u16;
        let function = self.new_function(arity, loc);
        let fun = self.new_fun(function, params as u8, captured.names.len() as u16);
        let (origin, origin_arity) = self.origin;
        let text = match letrec {
            Some(name) => format!("-{origin}/{origin_arity}-{name}/{params}-{}-", numbers.kernel),
            None => format!("-{origin}/{origin_arity}-fun-{}-", numbers.core),
        };
        let text = Atom::new(&text);
        self.unit.functions[function as usize].name = Some(text);
        let shown = merged.or((!captured.names.is_empty()).then_some((text, arity)));
        self.unit.functions[function as usize].merged = shown.map(|(name, arity)| Merged {
            name,
            arity,
            clauses: Atom::new(&format!("-{origin}/{origin_arity}-inlined-{}-", numbers.clauses)),
            params: params as u16,
        });
        let returns = merged.is_some() && !self.f.merge_last;
        let outer = self.enter_function(params as u16, &captured, loc, false);
        self.f.shown = merged.or(Some((text, arity)));
        self.f.returns = returns;
        self.f.never = letrec
            .filter(|name| super::no_return::fun_never_returns(*name, clauses, &self.local, &self.never_return))
            .map(|name| (name, params));
        let own = name.map(|n| (n, fun, captured.names.clone()));
        self.fun_clauses(clauses, loc, own);
        self.finish(function);
        self.f = outer;
        let d = self.target(dst);
        self.make_fun(d, fun, &captured.names);
        self.done(dst, d);
    }

    /// Makes a fun from variables of the current function.
    pub(super) fn make_fun(&mut self, dst: Reg, fun: u32, captured: &[Atom]) {
        let regs: Vec<Reg> = captured.iter().filter_map(|n| self.var(*n)).collect();
        self.f.b.emit(Instr::MakeFun { dst, fun });
        self.f.b.ops(&regs);
    }
}
