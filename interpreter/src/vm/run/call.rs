//! Calls of natives, of funs, and of functions whose module is not loaded.

use super::*;
use crate::vm::VersionId;
use crate::vm::process::{AskedFun, FunFate};

impl Process {
    pub(super) fn call_target(&mut self, program: &Program, target: NameTarget, name: Mfa, site: Site) -> Next {
        match target {
            NameTarget::Code(entry) => {
                self.push_frame(site);
                Next::Go(entry)
            }
            NameTarget::Native(id) => self.native_call(program, id, name, site),
            NameTarget::Unresolved | NameTarget::Disturbed => {
                self.push_frame(site);
                self.resolved_call(program, name, None)
            }
        }
    }

    pub(super) fn native_call(&mut self, program: &Program, id: NativeId, name: Mfa, site: Site) -> Next {
        let count = u16::from(name.2);
        if program.special(id) == Special::Apply {
            return self.call_apply_list(program, count, site);
        }
        match program.native(id).run {
            Implementation::System(number) => {
                self.pc = if site.tail { site.pc } else { site.next };
                self.point = StopPoint::Native {
                    id,
                    first: site.base + 1,
                    count,
                    tail: site.tail,
                };
                Next::Stop(Stop::Native { id, number })
            }
            Implementation::Pure(run) => {
                let mut few = [Term::NIL; 8];
                let many: Vec<Term>;
                let args: &[Term] = if count <= 8 {
                    for (i, arg) in (site.base + 1..).zip(few.iter_mut().take(count as usize)) {
                        *arg = self.reg(i);
                    }
                    &few[..count as usize]
                } else {
                    many = (0..count).map(|i| self.reg(site.base + 1 + i)).collect();
                    &many
                };
                match self.run_native(program, run, args) {
                    Ok(value) if site.tail => self.return_value(value),
                    Ok(value) => {
                        self.stack[self.frame + site.base as usize] = value.0;
                        Next::Go(site.next)
                    }
                    Err(raise) => {
                        let pc = (site.pc != 0).then_some(site.pc);
                        let args = args.to_vec();
                        let exception = self.native_raise(program, pc, id, &args, site.tail, raise);
                        self.throw_next(program, pc, exception)
                    }
                }
            }
        }
    }

    /// Calls a function by name, which may not be loaded; the callee's frame is made. `version`: the one to call, if it had to be asked for.
    pub(super) fn resolved_call(&mut self, program: &Program, name: Mfa, version: Option<VersionId>) -> Next {
        let here = Site {
            pc: 0,
            next: 0,
            base: 0,
            tail: true,
        };
        let target = match version {
            Some(_) => program.resolve_in(version, name),
            None => program.resolve(name),
        };
        match target {
            NameTarget::Code(entry) => Next::Go(entry),
            NameTarget::Native(id) => self.native_call(program, id, name, here),
            NameTarget::Disturbed => {
                self.pc = 0;
                self.point = StopPoint::Call { name, version: None };
                Next::Stop(Stop::Which(name.0))
            }
            NameTarget::Unresolved if version.is_some() && version != program.first(name.0) => {
                self.undefined_call(program, name, version)
            }
            // Functions that OTP has and we lack also go through the loader, which reports them (semantics.md §11).
            NameTarget::Unresolved
                if program.is_loaded(name.0)
                    && otp::known(program.release(), name.0.as_str(), name.1.as_str(), name.2).is_none() =>
            {
                self.undefined_call(program, name, version)
            }
            NameTarget::Unresolved => {
                self.pc = 0;
                self.point = StopPoint::Call { name, version };
                Next::Stop(Stop::Load(name.0))
            }
        }
    }

    /// `error_handler`: the module may handle it by `'$handle_undefined_function'/2`.
    pub(super) fn undefined_call(&mut self, program: &Program, name: Mfa, version: Option<VersionId>) -> Next {
        let args: Vec<Term> = (1..=u16::from(name.2)).map(|r| self.reg(r)).collect();
        // What an error handler itself lacks is undefined.
        let handles = |handler: &Atom| name != (*handler, Atom::new("undefined_function"), 3);
        if let Some(handler) = self.error_handler.filter(handles) {
            let list = self.heap.make_list(&args);
            for (slot, part) in (self.frame + 1..).zip([Term::atom(name.0), Term::atom(name.1), list]) {
                self.stack[slot] = part.0;
            }
            return self.resolved_call(program, (handler, Atom::new("undefined_function"), 3), None);
        }
        let handler = (name.0, Atom::new("$handle_undefined_function"), 2);
        let handler = match version {
            Some(_) => program.resolve_in(version, handler),
            None => program.resolve(handler),
        };
        if let NameTarget::Code(entry) = handler {
            let list = self.heap.make_list(&args);
            self.stack[self.frame + 1] = Term::atom(name.1).0;
            self.stack[self.frame + 2] = list.0;
            return Next::Go(entry);
        }
        let exception = self.undef(name, &args);
        self.throw_next(program, None, exception)
    }

    /// Calls the fun after `arity` arguments.
    pub(super) fn call_value(&mut self, program: &Program, arity: u16, site: Site) -> Next {
        let slot = self.frame + site.base as usize + arity as usize + 1;
        let fun = Term(self.stack[slot]);
        match self.heap.boxed(fun) {
            Some((BoxKind::Fun, payload)) if u16::from(fun_arity(payload[1])) == arity => {
                let entry = &program.funs[fun_id(payload[0]) as usize];
                if entry.entry == ASKS {
                    match self.asked_fun.take() {
                        Some(AskedFun::Known(FunFate::Runs)) => {}
                        Some(AskedFun::Known(FunFate::Bad)) => {
                            return self.bad_fun_next(program, fun, false, arity, site);
                        }
                        Some(AskedFun::Known(FunFate::Handled)) => return self.handled_fun(program, fun, arity, site),
                        Some(AskedFun::Asks(_)) | None => return self.asks_for_fun(program, fun, arity, site),
                    }
                }
                let captured = &payload[2..];
                // Captured variables follow the arguments; the margin of the stack has room for them.
                self.stack[slot..slot + captured.len()].copy_from_slice(captured);
                self.push_frame(site);
                Next::Go(entry.pc)
            }
            Some((BoxKind::ExternalFun, payload)) if Term(payload[2]).small_value() == i64::from(arity) => {
                let (Some(module), Some(function)) = (Term(payload[0]).as_atom(), Term(payload[1]).as_atom()) else {
                    unreachable!("external funs name a module and a function")
                };
                let name = (module, function, arity as u8);
                self.call_target(program, program.resolve(name), name, site)
            }
            other => {
                let is_fun = matches!(other, Some((BoxKind::Fun | BoxKind::ExternalFun, _)));
                self.bad_fun_next(program, fun, is_fun, arity, site)
            }
        }
    }

    fn bad_fun_next(&mut self, program: &Program, fun: Term, is_fun: bool, arity: u16, site: Site) -> Next {
        let first = self.frame + site.base as usize + 1;
        let mut exception = self.bad_call(fun, is_fun, first, arity as usize);
        // As in OTP, where the return address is already on the stack.
        exception.here = if site.tail || program.is_hidden(site.pc) { 1 } else { 2 };
        self.throw_next(program, (site.pc != 0).then_some(site.pc), exception)
    }

    /// Stops before a call of a fun whose module is disturbed. What asks is done once more after the answer.
    fn asks_for_fun(&mut self, program: &Program, fun: Term, arity: u16, site: Site) -> Next {
        let Some((BoxKind::Fun, payload)) = self.heap.boxed(fun) else {
            unreachable!("only funs of modules ask")
        };
        let id = fun_id(payload[0]);
        self.asked_fun = Some(AskedFun::Asks(id));
        self.pc = site.pc;
        self.point = if site.pc == 0 {
            StopPoint::CallFun { arity }
        } else {
            StopPoint::Between
        };
        Next::Stop(Stop::Which(program.module_of_fun(id)))
    }

    /// The code of a fun is not there, nor other code of its module: the error handler gets the call.
    fn handled_fun(&mut self, program: &Program, fun: Term, arity: u16, site: Site) -> Next {
        let Some((BoxKind::Fun, payload)) = self.heap.boxed(fun) else {
            unreachable!("only funs of modules ask")
        };
        let module = program.module_of_fun(fun_id(payload[0]));
        let args: Vec<Term> = (1..=arity).map(|i| self.reg(site.base + i)).collect();
        let list = self.heap.make_list(&args);
        let first = self.frame + site.base as usize + 1;
        for (slot, part) in (first..).zip([Term::atom(module), fun, list]) {
            self.stack[slot] = part.0;
        }
        let name = (self.error_handler(), Atom::new("undefined_lambda"), 3);
        self.call_target(program, program.resolve(name), name, site)
    }

    /// Calls the module and function after `arity` arguments.
    pub(super) fn call_apply(&mut self, program: &Program, arity: u16, site: Site) -> Next {
        let behind = site.base + arity + 1;
        let (module, function) = (self.reg(behind), self.reg(behind + 1));
        match (module.as_atom(), function.as_atom()) {
            (Some(m), Some(f)) => {
                let name = (m, f, arity as u8);
                self.call_target(program, program.resolve(name), name, site)
            }
            _ => {
                let args: Vec<Term> = (0..arity).map(|i| self.reg(site.base + 1 + i)).collect();
                let list = self.heap.make_list(&args);
                self.bad_apply_next(program, &[module, function, list], site)
            }
        }
    }

    pub(super) fn bad_apply_next(&mut self, program: &Program, args: &[Term], site: Site) -> Next {
        let exception = self.bad_apply(args);
        self.throw_next(program, (site.pc != 0).then_some(site.pc), exception)
    }

    /// Is this `erlang:apply/2` or `apply/3`, as a fun or by its name?
    fn is_apply(&self, callee: &[Term], arity: usize) -> bool {
        let named = |module: Term, function: Term| {
            module.as_atom() == Some(Atom::ERLANG) && function.as_atom().is_some_and(|name| name.as_str() == "apply")
        };
        matches!(arity, 2 | 3)
            && match *callee {
                [fun] => match self.heap.boxed(fun) {
                    Some((BoxKind::ExternalFun, payload)) => {
                        named(Term(payload[0]), Term(payload[1])) && Term(payload[2]).small_value() == arity as i64
                    }
                    _ => false,
                },
                [module, function] => named(module, function),
                _ => false,
            }
    }

    /// `apply/2` and `apply/3`: spreads the list over the argument registers, then calls.
    pub(super) fn call_apply_list(&mut self, program: &Program, count: u16, site: Site) -> Next {
        let mut args: Vec<Term> = (0..count).map(|i| self.reg(site.base + 1 + i)).collect();
        let (items, callee) = loop {
            let (Some(&list), callee) = (args.last(), &args[..args.len() - 1]) else {
                unreachable!("apply has arguments")
            };
            match self.heap.list(list) {
                // What it applies is applied at once: no argument is spread before it is known that the instruction need not be done once more.
                Some(items) if self.is_apply(callee, items.len()) => args = items,
                Some(items) if items.len() <= 255 => break (items, callee),
                Some(_) => {
                    let exception = Exception::error(Term::atom(Atom::SYSTEM_LIMIT));
                    return self.throw_next(program, (site.pc != 0).then_some(site.pc), exception);
                }
                None => return self.bad_apply_next(program, &args, site),
            }
        };
        if let [fun] = *callee
            && site.pc != 0
            && !matches!(self.asked_fun, Some(AskedFun::Known(_)))
            && let Some((BoxKind::Fun, payload)) = self.heap.boxed(fun)
            && usize::from(fun_arity(payload[1])) == items.len()
            && program.funs[fun_id(payload[0]) as usize].entry == ASKS
        {
            // The arguments are still a list: the instruction can be done once more.
            return self.asks_for_fun(program, fun, 0, site);
        }
        let first = self.frame + site.base as usize + 1;
        for (slot, term) in (first..).zip(items.iter().chain(callee)) {
            self.stack[slot] = term.0;
        }
        let arity = items.len() as u16;
        if callee.len() == 1 {
            self.call_value(program, arity, site)
        } else {
            self.call_apply(program, arity, site)
        }
    }
}
