//! Loading, deleting and purging modules at run time: writes of the module (semantics.md §4). The rules of OTP above them are in `lib/code.erl`.

use std::sync::Arc;

use interpreter::atom::Atom;
use interpreter::heap::Fragment;
use interpreter::native::{CodeInfo, NativeClass};
use interpreter::term::{Pid, Term};
use interpreter::vm::VersionId;
use log_format::{ActionId, InputClass, Kind, Resource};

use crate::hash::mix;
use crate::ids;
use crate::loads::{Code, LoadError, forms_term, source_term};
use crate::observer::Detail;
use crate::ops::code::is_preloaded;
use crate::ops::{ERROR, FALSE, OpResult, Operation, TRUE, badarg, text};
use crate::settings::RunEnd;
use crate::state::modules::{ModuleStanding, ModuleView, Pending};
use crate::state::process::Process;
use crate::state::resources::Value;
use crate::step::{Interrupt, Step};
use crate::terms;

pub(super) const OPERATIONS: &[Operation] = &[
    Operation::new("code", "$load", 4, NativeClass::Access, load),
    Operation::new("code", "$restore", 2, NativeClass::Access, restore),
    Operation::new("code", "$delete", 1, NativeClass::Access, delete),
    Operation::new("code", "$old", 1, NativeClass::Observe, old).often_silent(),
    Operation::new("code", "$purged", 1, NativeClass::Access, purged),
    Operation::new("code", "$soft_purge", 1, NativeClass::Observe, soft_purge).often_silent(),
    Operation::new("code", "$version", 1, NativeClass::Pure, version).asks_module(),
    Operation::new("code", "$source_of", 1, NativeClass::Input, source_of),
    Operation::new("erlang", "check_old_code", 1, NativeClass::Pure, check_old_code).asks_module(),
    Operation::new("code", "$is_in_old", 2, NativeClass::Observe, is_in_old).often_silent(),
    Operation::new("erlang", "get_module_info", 1, NativeClass::Pure, older_module_info)
        .asks_module()
        .retired(),
    Operation::new("erlang", "get_module_info", 2, NativeClass::Pure, older_module_info)
        .asks_module()
        .retired(),
    Operation::new("code", "$pending", 1, NativeClass::Pure, pending).asks_module(),
    Operation::new("code", "$finish", 2, NativeClass::Access, finish),
    Operation::new("code", "$load_pending", 4, NativeClass::Access, load_pending),
    Operation::new("code", "$is_current", 1, NativeClass::Observe, is_current).often_silent(),
    Operation::new("erlang", "$module_info", 2, NativeClass::Pure, module_info).asks_module(),
    Operation::new("code", "$in_pending", 2, NativeClass::Observe, in_pending).often_silent(),
    Operation::new("code", "$load_absent", 4, NativeClass::Access, load_absent),
];

/// `code:'$load'(Module, File, Code, Info)`: makes `Code` the current version of the module, and what was current old. `Code` is
/// `{source, Path, Text, Options, Includes}` or `{forms, Binary}`. `File` and `Info` are kept with the version.
fn load(step: &mut Step<'_>) -> OpResult {
    load_code(step, Loading::Replaces)
}

/// `code:'$load_absent'/4`: as `'$load'/4`, unless the module has current code by now.
fn load_absent(step: &mut Step<'_>) -> OpResult {
    load_code(step, Loading::FillsGap)
}

/// `code:'$load_pending'/4`: as `'$load'/4`, for code with `-on_load`. It becomes current by `'$finish'/2`.
fn load_pending(step: &mut Step<'_>) -> OpResult {
    load_code(step, Loading::WaitsForOnLoad)
}

/// What becomes of code that is loaded.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Loading {
    /// It becomes current, and what was current old.
    Replaces,
    /// It becomes current where nothing is.
    FillsGap,
    /// It becomes current when its function of `-on_load` has returned.
    WaitsForOnLoad,
}

fn load_code(step: &mut Step<'_>, loading: Loading) -> OpResult {
    let [module, file, code, info] = step.args();
    let name = module.as_atom().ok_or_else(badarg)?;
    let heap = &step.process.machine.heap;
    let code = Code::of(heap, code).ok_or_else(badarg)?;
    let content = code.hash();
    let compiled = code.compile(name, &step.world.program);
    let unit = match compiled {
        Ok(unit) => unit,
        Err(why) => {
            if matches!(why, LoadError::SystemLimit) {
                step.world.end = Some(RunEnd::Limit(
                    "code: the program has made more atoms than there can be".to_owned(),
                ));
            }
            return Ok(refused(step, &why.to_string()));
        }
    };
    let has_on_load = unit.exports.iter().any(|(name, ..)| name.as_str() == "$on_load");
    if has_on_load != (loading == Loading::WaitsForOnLoad) {
        return Ok(refused(step, "on_load"));
    }
    let resource = step.module_resource(name);
    expect(step, "load a module")?;
    let before = standing(step.read(resource)?);
    let has_current = before.as_ref().is_some_and(|standing| standing.current.is_some());
    if has_current && loading == Loading::FillsGap {
        step.commit(Kind::Access, 0, Detail::None);
        return Ok(loaded(step, module));
    }
    if has_current && before.as_ref().is_some_and(|standing| standing.old.is_some()) {
        step.commit(Kind::Access, 0, Detail::None);
        return Ok(refused(step, "not_purged"));
    }
    if before.as_ref().is_some_and(|standing| standing.pending.is_some()) {
        step.commit(Kind::Access, 0, Detail::None);
        return Ok(refused(step, "pending"));
    }
    let number = step.accesses.last().map_or(0, |access| access.version.0);
    let number = match step.logged_write(resource, "a module")? {
        Some(access) => access.version.0,
        None => number + 1,
    };
    let was_loaded = before.is_none() && step.was_loaded(name);
    let words = step.world.program.words();
    step.world.table.release_literals();
    step.process.machine.heap.release_literals();
    let program = Arc::make_mut(&mut step.world.program);
    let version = program.load_again(&unit, code.texts(), mix(content ^ number));
    step.world.table.renew_literals(program.literals());
    step.process.machine.heap.set_literals(program.literals());
    let Some(version) = version else {
        step.world.end = Some(RunEnd::Limit(
            "code: the program has loaded more than this tool can hold".to_owned(),
        ));
        return Ok(refused(step, "system_limit"));
    };
    step.world.code_words += step.world.program.words() - words;
    let first = if was_loaded { step.first_version(name) } else { None };
    let before_it = before.as_ref().map_or_else(
        || ModuleStanding {
            current: first,
            ..ModuleStanding::default()
        },
        |standing| (**standing).clone(),
    );
    let about = step.process.machine.heap.make_tuple(&[file, info]);
    let about = step.process.machine.heap.export(about);
    let loader = step.process.pid;
    let waits = loading == Loading::WaitsForOnLoad;
    let now = match waits {
        true => ModuleStanding {
            pending: Some(Pending { version, about, loader }),
            ..before_it
        },
        false => before_it.replaced(version, about),
    };
    step.replace(resource, before.is_none().then_some(was_loaded), now)?;
    Ok(match waits {
        true => Term::atom(Atom::new("pending")),
        false => loaded(step, module),
    })
}

/// `code:'$finish'(Module, Pid)`: the code that this process loads becomes current, if the process says so itself; otherwise it is forgotten.
fn finish(step: &mut Step<'_>) -> OpResult {
    let [module, loader] = step.args();
    let name = module.as_atom().ok_or_else(badarg)?;
    let loader = loader.as_pid().ok_or_else(badarg)?;
    let resource = step.module_resource(name);
    expect(step, "finish loading a module")?;
    let before = standing(step.read(resource)?);
    let pending = before.and_then(|standing| Some((Arc::clone(&standing), standing.pending.clone()?)));
    let Some((standing, pending)) = pending.filter(|(_, pending)| pending.loader == loader) else {
        step.commit(Kind::Access, 0, Detail::None);
        return Ok(FALSE);
    };
    let finished = match loader == step.process.pid {
        true => (*standing).clone().replaced(pending.version, pending.about),
        false => ModuleStanding {
            pending: None,
            ..(*standing).clone()
        },
    };
    step.replace(resource, None, finished)?;
    Ok(TRUE)
}

/// `code:'$pending'(Module)`: the process that loads code whose function of `-on_load` runs; `none`: nobody does.
fn pending(step: &mut Step<'_>) -> OpResult {
    let [module] = step.args();
    let name = module.as_atom().ok_or_else(badarg)?;
    let view = step.asks(name, true)?;
    let pending = view.standing.as_ref().and_then(|standing| standing.pending.as_ref());
    Ok(pending.map_or_else(|| Term::atom(Atom::new("none")), |pending| Term::pid(pending.loader)))
}

/// `code:'$restore'(Module, File)`: a module of the library is what it was at first. With its natives: they belong to its first code. `none`: it is
/// another module.
fn restore(step: &mut Step<'_>) -> OpResult {
    let [module, file] = step.args();
    let name = module.as_atom().ok_or_else(badarg)?;
    if !step.world.is_of_library(name) {
        return Ok(Term::atom(Atom::new("none")));
    }
    let resource = step.module_resource(name);
    expect(step, "load a module")?;
    let before = standing(step.read(resource)?);
    let Some(before) = before.filter(|standing| standing.current.is_none() || standing.old.is_none()) else {
        let has_old = step.accesses.last().is_some_and(|access| access.version.0 > 0);
        step.commit(Kind::Access, 0, Detail::None);
        return Ok(match has_old {
            true => refused(step, "not_purged"),
            false => loaded(step, module),
        });
    };
    let current = step.first_version(name);
    let about = step.process.machine.heap.make_tuple(&[file, Term::NIL]);
    let about = step.process.machine.heap.export(about);
    let restored = ModuleStanding {
        current,
        old: before.current.or(before.old),
        about: Some(about),
        ..ModuleStanding::default()
    };
    step.replace(resource, None, restored)?;
    Ok(loaded(step, module))
}

fn loaded(step: &mut Step<'_>, module: Term) -> Term {
    step.process
        .machine
        .heap
        .make_tuple(&[Term::atom(Atom::new("module")), module])
}

/// `{error, Why}`: a word, or what the compiler says.
fn refused(step: &mut Step<'_>, why: &str) -> Term {
    let heap = &mut step.process.machine.heap;
    let is_word = why.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    let why = match is_word {
        true => Term::atom(Atom::new(why)),
        false => heap.make_string(why),
    };
    heap.make_tuple(&[ERROR, why])
}

/// A version of a module; `None`: version 0.
fn standing(value: Value) -> Option<Arc<ModuleStanding>> {
    match value {
        Value::Code(standing) => Some(standing),
        _ => None,
    }
}

/// A change is an access; the first one of a module also observes whether it had been loaded by then, because calls before are not logged.
fn expect(step: &Step<'_>, what: &str) -> Result<(), Interrupt> {
    step.expect(
        |kind| matches!(kind, Kind::Access | Kind::Observe { of: None, .. }),
        || what.to_owned(),
    )
}

/// `code:'$delete'(Module)`: what was current becomes old. `true`; `false`: nothing was loaded; `old`: there is old code.
fn delete(step: &mut Step<'_>) -> OpResult {
    let [module] = step.args();
    let name = module.as_atom().ok_or_else(badarg)?;
    let resource = step.module_resource(name);
    expect(step, "delete a module")?;
    let before = standing(step.read(resource)?);
    let was_loaded = match &before {
        Some(standing) => standing.current.is_some(),
        None => step.was_loaded(name),
    };
    let has_old = before.as_ref().is_some_and(|standing| standing.old.is_some());
    if !was_loaded || has_old {
        match before {
            Some(_) => step.commit(Kind::Access, 0, Detail::None),
            None => {
                step.observe(None, |_, _| FALSE)?;
            }
        }
        return Ok(match has_old {
            true => Term::atom(Atom::new("old")),
            false => FALSE,
        });
    }
    let old = match &before {
        Some(standing) => standing.current,
        None => step.first_version(name),
    };
    Arc::make_mut(&mut step.world.program).disturb(name);
    let deleted = ModuleStanding {
        current: None,
        old,
        pending: before.as_ref().and_then(|standing| standing.pending.clone()),
        ..ModuleStanding::default()
    };
    step.replace(resource, before.is_none().then_some(true), deleted)?;
    Ok(TRUE)
}

/// `code:'$old'(Module)`: the processes that run old code of the module, or would return to it; `none` if it has no old code. Looking is a write
/// of the module, so who leaves old code comes before it or after it.
fn old(step: &mut Step<'_>) -> OpResult {
    let [module] = step.args();
    let name = module.as_atom().ok_or_else(badarg)?;
    let view = step.asks(name, true)?;
    let Some((standing, old)) = old_of(&view) else {
        return Ok(Term::atom(Atom::new("none")));
    };
    let resource = step.module_resource(name);
    expect(step, "look for processes in old code")?;
    let purging = ModuleStanding {
        purging: true,
        ..(*standing).clone()
    };
    step.update(resource, purging)?;
    processes_in(step, old)
}

/// `code:'$in_pending'(Module, Pid)`: the processes that run the code which this process loads, or would return to it. As `'$old'/1`.
fn in_pending(step: &mut Step<'_>) -> OpResult {
    let [module, loader] = step.args();
    let name = module.as_atom().ok_or_else(badarg)?;
    let loader = loader.as_pid().ok_or_else(badarg)?;
    let view = step.asks(name, true)?;
    let pending = view.standing.and_then(|standing| {
        let pending = standing.pending.as_ref().filter(|pending| pending.loader == loader)?;
        Some((Arc::clone(&standing), pending.version))
    });
    let Some((standing, version)) = pending else {
        return Ok(Term::NIL);
    };
    let resource = step.module_resource(name);
    expect(step, "look for processes in code that is being loaded")?;
    step.update(resource, (*standing).clone())?;
    processes_in(step, version)
}

fn processes_in(step: &mut Step<'_>, version: VersionId) -> OpResult {
    let mine = step.process.machine.is_in(&step.world.program, version);
    let me = step.process.pid;
    step.observe(None, |world, heap| {
        let mut pids: Vec<Pid> = world.in_version(version, me.node()).collect();
        pids.extend(mine.then_some(me));
        pids.sort_unstable();
        let pids: Vec<Term> = pids.into_iter().map(Term::pid).collect();
        heap.make_list(&pids)
    })
}

/// The old code that a process sees.
fn old_of(view: &ModuleView) -> Option<(Arc<ModuleStanding>, VersionId)> {
    let standing = view.standing.as_ref()?;
    Some((Arc::clone(standing), standing.old?))
}

/// `code:'$purged'(Module)`: there is no old code any more.
fn purged(step: &mut Step<'_>) -> OpResult {
    let [module] = step.args();
    let name = module.as_atom().ok_or_else(badarg)?;
    let resource = step.module_resource(name);
    expect(step, "purge a module")?;
    let before = standing(step.read(resource)?);
    if let Some(standing) = before {
        let purged = ModuleStanding {
            old: None,
            purging: false,
            ..(*standing).clone()
        };
        step.replace(resource, None, purged)?;
    } else {
        step.commit(Kind::Access, 0, Detail::None);
    }
    Ok(TRUE)
}

/// `code:'$soft_purge'(Module)`: purges the module unless a process runs old code of it, and says whether there is none now.
fn soft_purge(step: &mut Step<'_>) -> OpResult {
    let [module] = step.args();
    let name = module.as_atom().ok_or_else(badarg)?;
    let view = step.asks(name, true)?;
    let Some((standing, old)) = old_of(&view) else {
        return Ok(TRUE);
    };
    let resource = step.module_resource(name);
    expect(step, "purge a module")?;
    let node = step.process.pid.node();
    let is_free = match step.process.mode.logged_kind() {
        Some(Kind::Observe { value, .. }) => *value == terms::encode(&step.process.machine.heap, TRUE),
        _ => {
            let mine = step.process.machine.is_in(&step.world.program, old);
            !mine && step.world.in_version(old, node).next().is_none()
        }
    };
    let after = ModuleStanding {
        old: standing.old.filter(|_| !is_free),
        ..(*standing).clone()
    };
    step.update(resource, after)?;
    step.observe(None, |_, _| Term::boolean(is_free))
}

/// `code:'$version'(Module)`: what its name stands for: `initial` (nobody has touched the code), `absent`, `pending` (it is being loaded), or `{loaded, File, Info}`.
fn version(step: &mut Step<'_>) -> OpResult {
    let [module] = step.args();
    let name = module.as_atom().ok_or_else(badarg)?;
    let view = step.asks(name, false)?;
    let Some(standing) = view.standing else {
        return Ok(Term::atom(Atom::new("initial")));
    };
    let about = match (&standing.about, standing.current, &standing.pending) {
        (Some(about), Some(_), _) => about,
        (None, Some(_), _) => return Ok(Term::atom(Atom::new("initial"))),
        (_, None, Some(_)) => return Ok(Term::atom(Atom::new("pending"))),
        (_, None, None) => return Ok(Term::atom(Atom::new("absent"))),
    };
    let (file, info) = step.about(about);
    let heap = &mut step.process.machine.heap;
    Ok(heap.make_tuple(&[Term::atom(Atom::new("loaded")), file, info]))
}

/// `code:'$source_of'(ModuleOrPath)`: the code of a source file as it is now, for `'$load'/4`, and its path: `{Path, Code}`. `none`: there is none.
fn source_of(step: &mut Step<'_>) -> OpResult {
    let [of] = step.args();
    let name = of.as_atom();
    let path = match name {
        Some(_) => None,
        None => Some(text(&step.process.machine.heap, of).ok_or_else(badarg)?),
    };
    step.input(InputClass::System, |world, heap| {
        let file = match (name, path) {
            (Some(name), _) => world.source_now(name),
            (None, Some(path)) => world.read_source(&path),
            (None, None) => None,
        };
        let Some(file) = file else {
            return Term::atom(Atom::new("none"));
        };
        let (included, forms) = world.loader.included(&file);
        match forms {
            Some(forms) => forms_term(heap, &file.path, &forms),
            None => source_term(heap, &file, &included),
        }
    })
}

fn check_old_code(step: &mut Step<'_>) -> OpResult {
    let [module] = step.args();
    let name = module.as_atom().ok_or_else(badarg)?;
    let view = step.asks(name, true)?;
    Ok(Term::boolean(old_of(&view).is_some()))
}

/// `code:'$is_in_old'(Pid, Module)`: does this process run old code of the module, or would it return to it?
fn is_in_old(step: &mut Step<'_>) -> OpResult {
    let [target, module] = step.args();
    let here = step.process.pid.node();
    let target = target.as_pid().filter(|pid| pid.node() == here).ok_or_else(badarg)?;
    let name = module.as_atom().ok_or_else(badarg)?;
    let view = step.asks(name, true)?;
    let Some((_, old)) = old_of(&view) else {
        return Ok(FALSE);
    };
    if target == step.process.pid {
        return Ok(Term::boolean(step.process.machine.is_in(&step.world.program, old)));
    }
    if crate::runtime::is_runtime(target) {
        return Ok(FALSE);
    }
    if step.process.mode.log().is_none() {
        // The request is a signal, which comes after all that the caller has sent.
        step.settle_all(target);
    }
    let found = match step.world.table.by_pid(target) {
        Some(q) if step.process.mode.log().is_none() => Some((step.world.is_in(q, old), q.actions)),
        _ => None,
    };
    let of = found.map(|(_, actions)| ActionId::new(ids::to_log(target), actions));
    step.observe(of, |_, _| Term::boolean(found.is_some_and(|(is_in, _)| is_in)))
}

/// `code:'$is_current'(Module)`: is there code that its name stands for? Calls of code that nobody has touched are not logged, so of such code this is
/// an observation.
fn is_current(step: &mut Step<'_>) -> OpResult {
    let [module] = step.args();
    let name = module.as_atom().ok_or_else(badarg)?;
    let view = step.asks(name, false)?;
    let answer = match view.entered() {
        Some(current) => Some(Term::boolean(current.is_some())),
        None => is_preloaded(name).then_some(TRUE),
    };
    if let Some(answer) = answer {
        // It is no action: others of its kind are, and are done again until they can be.
        step.process.machine.note_question();
        return Ok(answer);
    }
    let resource = step.module_resource(name);
    expect(step, "ask whether a module is loaded")?;
    step.read(resource)?;
    step.observe(None, |world, _| Term::boolean(world.counts_as_loaded(name)))
}

/// `erlang:'$module_info'(Module, Item)`: what `module_info/1` of a module shows, of the code that its name stands for now, also if older code asks.
/// `$initial`: the item is what a compiler would have said of the code.
fn module_info(step: &mut Step<'_>) -> OpResult {
    let [module, item] = step.args();
    let name = module.as_atom().ok_or_else(badarg)?;
    let view = step.asks(name, false)?;
    if matches!(view.entered(), Some(None)) {
        return Err(badarg());
    }
    let is_initial = view.standing.as_ref().is_none_or(|standing| standing.about.is_none());
    match item.as_atom().map(Atom::as_str) {
        Some("module") => Ok(module),
        Some("exports") => exports(step, name, &view),
        Some("functions") => functions(step, name, &view),
        Some("attributes" | "compile" | "md5") if is_initial => match step.world.program.first(name) {
            Some(_) => Ok(Term::atom(Atom::new("$initial"))),
            None => Err(badarg()),
        },
        Some("attributes") => Ok(attributes(step, name, &view)),
        // Of what was compiled from a source, nobody said it.
        Some("compile" | "md5") => Ok(said(step, &view, item).unwrap_or(Term::atom(Atom::new("$initial")))),
        Some("native_addresses" | "nifs") => Ok(Term::NIL),
        Some("native") => Ok(FALSE),
        _ => Err(badarg()),
    }
}

/// As it was until code that nobody had touched said how it was compiled.
fn older_module_info(step: &mut Step<'_>) -> OpResult {
    let [module, item] = step.args();
    let name = module.as_atom().ok_or_else(badarg)?;
    let view = step.asks(name, false)?;
    if item != Term::NONE {
        return match item.as_atom().map(Atom::as_str) {
            Some("module") => Ok(module),
            Some("exports") => exports(step, name, &view),
            Some("functions") => functions(step, name, &view),
            Some("attributes") => Ok(attributes(step, name, &view)),
            Some("compile") => Ok(said(step, &view, item).unwrap_or(Term::NIL)),
            Some("md5") => said(step, &view, item).ok_or_else(badarg),
            Some("native_addresses" | "nifs") => Ok(Term::NIL),
            Some("native") => Ok(FALSE),
            _ => Err(badarg()),
        };
    }
    let atom = |word| Term::atom(Atom::new(word));
    let mut items = vec![
        (atom("module"), module),
        (atom("exports"), exports(step, name, &view)?),
        (atom("attributes"), attributes(step, name, &view)),
        (atom("compile"), said(step, &view, atom("compile")).unwrap_or(Term::NIL)),
    ];
    items.extend(said(step, &view, atom("md5")).map(|md5| (atom("md5"), md5)));
    let heap = &mut step.process.machine.heap;
    let pairs: Vec<Term> = items
        .iter()
        .map(|&(key, value)| heap.make_tuple(&[key, value]))
        .collect();
    Ok(heap.make_list(&pairs))
}

fn exports(step: &mut Step<'_>, module: Atom, view: &ModuleView) -> OpResult {
    let program = &*step.world.program;
    let exports = match view.entered() {
        None => program.exports(module),
        Some(version) if version == program.first(module) => program.exports(module),
        Some(version) => version.map(|version| program.exports_of(version)),
    };
    let exports = exports.ok_or_else(badarg)?;
    let heap = &mut step.process.machine.heap;
    // The function of a module with `-on_load` that the library calls is not shown.
    let shown = exports.iter().filter(|(name, _)| name.as_str() != "$on_load");
    let pairs: Vec<Term> = shown
        .map(|&(name, arity)| heap.make_tuple(&[Term::atom(name), Term::small(i64::from(arity))]))
        .collect();
    Ok(heap.make_list(&pairs))
}

fn functions(step: &mut Step<'_>, module: Atom, view: &ModuleView) -> OpResult {
    let program = &*step.world.program;
    let version = match view.entered() {
        None => program.first(module),
        Some(version) => version,
    };
    let functions = program.functions_of(version.ok_or_else(badarg)?);
    let heap = &mut step.process.machine.heap;
    let pairs: Vec<Term> = functions
        .iter()
        .map(|&(name, arity)| heap.make_tuple(&[Term::atom(name), Term::small(i64::from(arity))]))
        .collect();
    Ok(heap.make_list(&pairs))
}

fn attributes(step: &mut Step<'_>, module: Atom, view: &ModuleView) -> Term {
    let program = &*step.world.program;
    let attributes = match view.entered() {
        None => program.attributes(module),
        Some(None) => &[],
        Some(Some(version)) => program.attributes_of(version),
    };
    let heap = &mut step.process.machine.heap;
    let pairs: Vec<Term> = attributes
        .iter()
        .map(|&(name, value)| heap.make_tuple(&[Term::atom(name), value]))
        .collect();
    heap.make_list(&pairs)
}

/// What the loader of the current code said under this key: its words about the code are a list of pairs.
fn said(step: &mut Step<'_>, view: &ModuleView, key: Term) -> Option<Term> {
    let about = view.standing.as_ref()?.about.clone()?;
    let (_, info) = step.about(&about);
    let heap = &step.process.machine.heap;
    let pairs = heap.list(info)?;
    pairs.into_iter().find_map(|pair| match heap.tuple(pair) {
        Some(&[found, value]) if found == key => Some(value),
        _ => None,
    })
}

impl Step<'_> {
    /// The file of a version, and what its loader said of it.
    pub(super) fn about(&mut self, about: &Fragment) -> (Term, Term) {
        let heap = &mut self.process.machine.heap;
        let pair = heap.import(about);
        match heap.tuple(pair) {
            Some(&[file, info]) => (file, info),
            _ => (Term::NIL, Term::NIL),
        }
    }

    /// Had the module been loaded when it was touched for the first time? Calls before are not logged, so this is observed.
    fn was_loaded(&self, module: Atom) -> bool {
        let is_true = |value: &[u8]| *value == terms::encode(&self.process.machine.heap, TRUE);
        let given = self.world.purpose.held_back().and_then(|held| held.given.as_deref());
        match self.process.mode.logged_kind() {
            Some(Kind::Observe { value, .. }) => is_true(value),
            Some(_) => false,
            None => given.map_or_else(|| self.leaves_old_code(module), is_true),
        }
    }

    /// Would a load leave code of the module that nobody has touched as old code? Which calls another node has made is not known: there, as long as a
    /// process is in it.
    fn leaves_old_code(&self, module: Atom) -> bool {
        let node = self.process.pid.node();
        let program = &self.world.program;
        match program.first(module) {
            Some(first) if node > 0 && !self.world.starts_with(module) => {
                self.process.machine.is_in(program, first) || self.world.in_version(first, node).next().is_some()
            }
            _ => self.world.counts_as_loaded(module),
        }
    }

    /// The first code of a module, which is loaded if it has not been in this replay.
    fn first_version(&mut self, module: Atom) -> Option<VersionId> {
        self.world.load(module);
        self.world.program.first(module)
    }

    /// Writes the module, and sees it.
    fn update(&mut self, resource: Resource, standing: ModuleStanding) -> Result<(), Interrupt> {
        let standing = Arc::new(standing);
        self.write(resource, Value::Code(Arc::clone(&standing)), true)?;
        let written = self.accesses.iter().find(|access| access.resource == resource);
        let view = ModuleView {
            version: written.map_or(0, |access| access.version.0),
            standing: Some(standing),
        };
        self.process.rare.modules.see(resource, view);
        Ok(())
    }

    /// The same, and the step becomes an action. `observed`: the first change of a module also observes whether it had been loaded.
    fn replace(
        &mut self,
        resource: Resource,
        observed: Option<bool>,
        standing: ModuleStanding,
    ) -> Result<(), Interrupt> {
        self.update(resource, standing)?;
        match observed {
            None => self.commit(Kind::Access, 0, Detail::None),
            Some(was_loaded) => {
                self.observe(None, |_, _| Term::boolean(was_loaded))?;
            }
        }
        Ok(())
    }
}

impl crate::world::World {
    /// The processes of a node, besides the running one, that run this version of a module, or would return to it.
    fn in_version(&self, version: VersionId, node: u16) -> impl Iterator<Item = Pid> + '_ {
        let all = self.table.iter().filter(move |p| p.pid.node() == node);
        all.filter(move |p| self.is_in(p, version)).map(|p| p.pid)
    }

    /// Does a process run this version of a module, or would it return to it?
    fn is_in(&self, process: &Process, version: VersionId) -> bool {
        !self.hibernates(process) && process.machine.is_in(&self.program, version)
    }

    /// Does a process hibernate so that it has no call stack? (With `hibernate/0` it has one.)
    pub(crate) fn hibernates(&self, process: &Process) -> bool {
        let is_such = |id| matches!(self.program.native(id), native if native.name == "hibernate" && native.arity == 3);
        process.retry.is_some_and(is_such)
    }

    /// The source of a module as it is now. A simulated outside has the files that the program has written.
    fn source_now(&mut self, module: Atom) -> Option<crate::loader::ModuleFile> {
        let Some(mut file) = self.loader.source(module.as_str()) else {
            return self.read_source(&format!("{module}.erl"));
        };
        if let Ok(text) = self.outside.read_file(&file.path) {
            file.text = text.into();
        }
        Some(file)
    }

    /// A source file as it is now.
    fn read_source(&mut self, path: &str) -> Option<crate::loader::ModuleFile> {
        let text = self.outside.read_file(path).ok()?;
        Some(crate::loader::ModuleFile::plain(path, text))
    }
}
