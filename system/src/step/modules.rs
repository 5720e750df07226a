//! Seeing versions of modules (semantics.md §4): by calls of a module by name, and by questions about it.
//!
//! As long as nobody has touched a module, nothing asks. From the first load, deletion or purge on, calls of it stop (the program is *disturbed*
//! there). A process goes on silently with the version that it has seen, and the first time that it sees another one is an action.

use std::sync::Arc;

use interpreter::atom::Atom;
use interpreter::native::NativeClass;
use interpreter::term::Term;
use interpreter::vm::{FunFate, Stop};
use log_format::{Kind, Resource};

use crate::observer::Detail;
use crate::ops::by_number;
use crate::scheduler::Grain;
use crate::state::feed::Then;
use crate::state::mode::Decides;
use crate::state::modules::{ModuleStanding, ModuleView};
use crate::state::resources::Value;
use crate::step::{Interrupt, Step};

/// What a process asks about a module.
#[derive(Clone, Copy)]
enum ModuleQuestion {
    /// What calls by name enter.
    Entry,
    /// Old code and what was said about the code too.
    All,
    /// Whether the code of this fun is there.
    Fun(u32),
}

/// Does the tool need this module to find others?
fn finds_modules(module: Atom) -> bool {
    matches!(
        module.as_str(),
        "code" | "error_handler" | "retell_path" | "retell_beam"
    )
}

impl Step<'_> {
    /// The resource of a module of the node, in this life of it.
    pub(crate) fn module_resource(&mut self, module: Atom) -> Resource {
        if self.process.pid.node() == 0 {
            return self.world.resources.module(module);
        }
        let text = format!("{module}{}", self.of_life());
        Resource::Module(self.world.resources.text(&text))
    }

    /// What the name of the resource has behind the name of the module: nothing on the first node.
    fn of_life(&self) -> String {
        match self.process.pid.node() {
            0 => String::new(),
            node => format!("{}/{}", self.world.on_node(node), self.process.incarnation),
        }
    }

    /// What a module's name stands for, to this process now. `closely`: a question about more than the code that calls enter, so that old code
    /// counts too. If that was an action, a question is asked again after it ([`Interrupt::Again`]).
    pub(crate) fn asks(&mut self, module: Atom, closely: bool) -> Result<ModuleView, Interrupt> {
        let is_pure = self.world.program.native(self.native).class == NativeClass::Pure;
        let answer = self.answer(module, closely, is_pure)?;
        // Whether the module is disturbed may not be the same in a replay.
        if is_pure {
            self.process.machine.note_question();
        }
        Ok(answer)
    }

    fn answer(&mut self, module: Atom, closely: bool, is_pure: bool) -> Result<ModuleView, Interrupt> {
        let asked = if closely {
            ModuleQuestion::All
        } else {
            ModuleQuestion::Entry
        };
        if !self.world.program.is_disturbed(module) {
            return Ok(ModuleView::default());
        }
        // A question is asked again after the action: it is answered by what was seen then. A replay can end between the two, and others act there.
        if is_pure && self.process.rare.take(|rare| &mut rare.has_asked) {
            let resource = self.module_resource(module);
            return Ok(self.process.rare.modules.of(resource));
        }
        // Beyond the log, each is one.
        let each = is_pure && self.notes_each_sight();
        if !is_pure && self.lacks_sight(module) {
            return Err(Interrupt::Again);
        }
        let (view, acted) = self.view(module, asked, each)?;
        if acted && is_pure {
            self.process.rare.has_asked = true;
        }
        match acted {
            true => Err(Interrupt::Again),
            false => Ok(view),
        }
    }

    /// A process that has used up its log runs on: has the module changed since it saw it? Then seeing it is its next step.
    fn lacks_sight(&mut self, module: Atom) -> bool {
        if !self.process.mode.is_done() || !self.world.program.is_disturbed(module) {
            return false;
        }
        let resource = self.module_resource(module);
        let seen = self.process.rare.modules.of(resource).version;
        matches!(self.comes_then(), Then::Nothing) && seen != self.world.resources.version(resource)
    }

    fn view(&mut self, module: Atom, asked: ModuleQuestion, each: bool) -> Result<(ModuleView, bool), Interrupt> {
        if !self.world.program.is_disturbed(module) {
            return Ok((ModuleView::default(), false));
        }
        let resource = self.module_resource(module);
        let events = self.process.machine.sight_point();
        let seen = self.process.rare.modules.of(resource);
        let is_known = match self.process.mode.order() {
            Some(order) => order.sees_version(resource, events).is_none(),
            None => !each && self.has_seen(module, resource, &seen, asked),
        };
        if is_known {
            return Ok((seen, false));
        }
        let value = self.read(resource)?;
        let version = self.accesses.last().map_or(0, |access| access.version.0);
        let view = ModuleView {
            version,
            standing: match value {
                Value::Code(standing) => Some(standing),
                _ => None,
            },
        };
        self.process.rare.modules.see(resource, view.clone());
        self.commit(Kind::Version { events }, 0, Detail::None);
        Ok((view, true))
    }

    /// Is what the process has seen what is there now, as far as it asks?
    fn has_seen(&self, name: Atom, module: Resource, seen: &ModuleView, asked: ModuleQuestion) -> bool {
        if self.world.resources.version(module) == seen.version {
            return true;
        }
        let standing = match self.world.resources.newest(module) {
            Value::Code(standing) => Some(standing),
            _ => None,
        };
        match asked {
            ModuleQuestion::All => false,
            ModuleQuestion::Entry => {
                standing.map(|standing| standing.met()) == seen.standing.as_ref().map(|standing| standing.met())
            }
            // A fun of code that it has not seen is there, until somebody purges that code.
            ModuleQuestion::Fun(fun) => [standing.as_deref(), seen.standing.as_deref()]
                .into_iter()
                .all(|standing| self.fate(name, standing, fun) == FunFate::Runs),
        }
    }

    /// What becomes of a call of a fun, if its module stands like this. The code of a fun is there until it is purged; while it is being purged, for
    /// those alone who are in it, and will be killed.
    fn fate(&self, module: Atom, standing: Option<&ModuleStanding>, fun: u32) -> FunFate {
        let program = &self.world.program;
        let Some(standing) = standing else {
            let is_first = program.first(module).is_some_and(|first| program.has_fun(first, fun));
            return if is_first { FunFate::Runs } else { FunFate::Bad };
        };
        let enters_old = |old| !standing.purging || self.process.machine.is_in(program, old);
        let old = standing.old.filter(|old| enters_old(*old));
        let pending = standing.pending.as_ref().map(|pending| pending.version);
        if [standing.current, old, pending]
            .into_iter()
            .flatten()
            .any(|version| program.has_fun(version, fun))
        {
            return FunFate::Runs;
        }
        match standing.current {
            Some(_) => FunFate::Bad,
            None => FunFate::Handled,
        }
    }

    /// The process calls a fun of a disturbed module.
    fn enters_fun(&mut self, module: Atom, fun: u32) -> Result<(), Interrupt> {
        let each = self.notes_each_sight();
        let (view, _) = self.view(module, ModuleQuestion::Fun(fun), each)?;
        let fate = self.fate(module, view.standing.as_deref(), fun);
        self.process.machine.enter_fun(fate);
        Ok(())
    }

    /// Beyond the log: is each call of a disturbed module, and each question about it, an action?
    fn notes_each_sight(&self) -> bool {
        let is_silent = self
            .world
            .purpose
            .beyond()
            .is_some_and(|beyond| beyond.passes_over_seen);
        self.process.mode.is_beyond_its_log() && !is_silent
    }

    /// What the call at which the process stands asks about the module.
    fn asked_by_call(&self) -> ModuleQuestion {
        if let Some(fun) = self.process.machine.asked_fun() {
            return ModuleQuestion::Fun(fun);
        }
        let name = self.process.machine.pending_call();
        match name.is_some_and(|name| name.1.as_str() == "$on_load" && name.2 == 1) {
            true => ModuleQuestion::All,
            false => ModuleQuestion::Entry,
        }
    }

    /// The process calls a function of a disturbed module: it enters the version that it sees. Beyond the log, each such call is an action: a load
    /// can come before any of them.
    pub(crate) fn enters(&mut self, module: Atom) -> Result<(), Interrupt> {
        if let Some(fun) = self.process.machine.asked_fun() {
            return self.enters_fun(module, fun);
        }
        let each = self.notes_each_sight();
        let asked = self.asked_by_call();
        let loads = matches!(asked, ModuleQuestion::All);
        let (view, acted) = self.view(module, asked, each)?;
        let pending = view
            .standing
            .as_ref()
            .and_then(|standing| Some(standing.pending.as_ref()?.version));
        match view.entered() {
            // The function of `-on_load` is that of the code which is being loaded.
            Some(_) if loads && pending.is_some() => self.process.machine.enter(pending),
            // It was deleted. Modules of the tool that find the others are there always.
            Some(None) if finds_modules(module) => self.process.machine.enter(self.world.program.first(module)),
            Some(None) => self.looks_for(),
            Some(version) => self.process.machine.enter(version),
            None => {
                // What was there before.
                if self.world.program.first(module).is_none() && !self.loads_first(module, acted)? {
                    return Ok(());
                }
                self.process.machine.enter(self.world.program.first(module));
            }
        }
        Ok(())
    }

    /// The process calls a function of a module that is not there. If the code path was changed, or object files may have been made, it looks for
    /// one: `error_handler`. That it does so is an action, the sight of the module's version 0. `acted`: it has been done.
    ///
    /// # Errors
    /// As for every action.
    pub(crate) fn misses(&mut self, module: Atom, acted: bool) -> Result<bool, Interrupt> {
        // Such a process asks its own handler.
        if self.process.machine.has_error_handler() {
            return Ok(false);
        }
        let resource = self.module_resource(module);
        let events = self.process.machine.sight_point();
        let looks = acted
            || match self.process.mode.order() {
                Some(order) => order.sees_version(resource, events).is_some(),
                None => {
                    let word = |text| Term::atom(Atom::new(text));
                    let path = self.env_resource(word("$code"), Some(word("path")));
                    self.world.may_have_objects || self.world.resources.version(path) > 0
                }
            };
        if looks && !acted {
            self.read(resource)?;
            self.commit(Kind::Version { events }, 0, Detail::None);
        }
        if looks {
            self.looks_for();
        }
        Ok(looks)
    }

    /// Instead of the call at which the process stands, `undefined_function/3` of its error handler is called: the usual one looks for the module.
    fn looks_for(&mut self) {
        let handler = (self.process.machine.error_handler(), Atom::new("undefined_function"));
        match self.process.machine.pending_call() {
            // What an error handler itself lacks is undefined.
            Some((module, function, 3)) if (module, function) == handler => self.process.machine.undefined(),
            _ => self.process.machine.handled_by(handler),
        }
    }

    /// The modules whose code has been loaded by now. Deleted ones count until they are purged. What only the tool's own library calls is left out.
    pub(crate) fn loaded_modules(&mut self) -> Vec<Atom> {
        let mut names = self.world.program.all_modules();
        names.extend(crate::ops::code::started_modules());
        names.sort_unstable_by_key(|name| name.as_str());
        names.dedup();
        names.retain(|name| !name.as_str().starts_with("retell_") && name.as_str() != "linear_hash");
        names.retain(|&module| {
            let resource = self.module_resource(module);
            match self.world.resources.newest(resource) {
                Value::Code(standing) => standing.current.or(standing.old).is_some(),
                _ => self.world.counts_as_loaded(module),
            }
        });
        names
    }

    /// Must the scheduler see that the process stands before a call of a disturbed module? Loads by others can come first.
    pub(crate) fn is_seen_before_call(&mut self) -> bool {
        if self.world.grain != Grain::Natives
            || !matches!(self.process.mode.decides(), Decides::Record)
            || self.process.pending.is_some()
        {
            return false;
        }
        let stands = &mut self.process.rare.stands_at_call;
        *stands = !*stands;
        *stands
    }

    /// The module of which a stop asks for the version: a call of a disturbed module, or a question about one.
    pub(crate) fn module_asked(&self, stop: &Stop) -> Option<Atom> {
        match *stop {
            Stop::Which(module) => Some(module),
            Stop::Native { number, .. } => {
                if !by_number(number).asks_module {
                    return None;
                }
                let module = self.process.machine.args().first()?.as_atom()?;
                self.world.program.is_disturbed(module).then_some(module)
            }
            _ => None,
        }
    }

    /// Replay, after all that was requested: would the process see another version of this module now? Beyond the log, each call and question is a choice.
    pub(crate) fn would_see(&mut self, module: Atom, calls: bool) -> bool {
        let resource = self.module_resource(module);
        let events = self.process.machine.sight_point();
        match self.comes_then() {
            Then::Sees(next, at) => next == resource && at == events,
            Then::Other => false,
            Then::Nothing => match self.world.purpose.beyond() {
                None => false,
                Some(beyond) if beyond.passes_over_seen => {
                    let seen = self.process.rare.modules.of(resource);
                    let asked = if calls {
                        self.asked_by_call()
                    } else {
                        ModuleQuestion::All
                    };
                    !self.has_seen(module, resource, &seen, asked) && (calls || !self.process.rare.has_asked)
                }
                Some(_) => calls || !self.process.rare.has_asked,
            },
        }
    }

    fn comes_then(&mut self) -> Then {
        let pid = crate::ids::to_log(self.process.pid);
        let goes_beyond = self.world.purpose.beyond().is_some();
        match (self.process.mode.log_mut(), self.world.purpose.plan()) {
            // What was done beyond the recording once may come otherwise now.
            (Some(feed), _) if goes_beyond && feed.is_beyond() => Then::Nothing,
            (Some(feed), Some(plan)) => feed.then_sees(plan, pid),
            _ => Then::Other,
        }
    }

    /// Is what the process stopped for silent, as far as that is known before it is done?
    pub(crate) fn is_silent(&mut self, stop: &Stop) -> bool {
        match self.module_asked(stop) {
            None => match *stop {
                Stop::Native { id, .. } if self.world.stands_at_trap(self.process, id) => false,
                _ => self.world.silent(stop),
            },
            Some(module) => {
                let calls = matches!(stop, Stop::Which(_));
                !self.process.mode.is_done() || !self.would_see(module, calls)
            }
        }
    }

    /// May a native be tried again by a process that has done all that was requested?
    pub(crate) fn may_retry(&mut self, id: interpreter::vm::NativeId) -> bool {
        let native = self.world.program.native(id);
        let interpreter::native::Implementation::System(number) = native.run else {
            return true;
        };
        native.class == NativeClass::Pure && self.is_silent(&Stop::Native { id, number })
    }

    /// Following a log: calls of the module of which the next action sees a version stop from now on.
    #[inline]
    pub(crate) fn prepares(&mut self) {
        let module = match self.process.mode.order() {
            None => return,
            Some(order) => match order.sees_module() {
                Some(module) => module,
                None if !self.process.mode.is_done() => return,
                None => match self.comes_then() {
                    Then::Sees(module, _) => module,
                    Then::Other | Then::Nothing => return,
                },
            },
        };
        self.disturbs(module);
    }

    #[cold]
    fn disturbs(&mut self, module: Resource) {
        let Resource::Module(text) = module else { return };
        let life = self.of_life();
        let name = self.world.resources.texts().get(text.0 as usize);
        let Some(name) = name.and_then(|name| name.strip_suffix(life.as_str())) else {
            return;
        };
        let name = Atom::new(name);
        if !self.world.program.is_disturbed(name) {
            Arc::make_mut(&mut self.world.program).disturb(name);
        }
    }
}
