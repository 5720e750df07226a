//! Existing modules.

use std::sync::Arc;

use interpreter::atom::Atom;
use interpreter::native::{CodeInfo, NativeClass};
use interpreter::otp::{self, OtpName};
use interpreter::term::Term;
use log_format::InputClass;

use crate::ops::{ERROR, FALSE, OpResult, Operation, badarg};
use crate::step::Step;
use crate::world::World;

pub(super) const OPERATIONS: &[Operation] = &[
    Operation::new("erlang", "module_loaded", 1, NativeClass::Pure, module_loaded)
        .asks_module()
        .retired(),
    Operation::new("code", "$ensure_loaded", 1, NativeClass::Pure, ensure_loaded),
    Operation::new("code", "ensure_loaded", 1, NativeClass::Pure, ensure_loaded).retired(),
    Operation::new("code", "is_loaded", 1, NativeClass::Pure, is_loaded)
        .asks_module()
        .retired(),
    Operation::new("code", "$source", 1, NativeClass::Pure, source),
    Operation::new("code", "$loaded", 0, NativeClass::Input, loaded),
    Operation::new("erlang", "function_exported", 3, NativeClass::Pure, function_exported).asks_module(),
    Operation::new("code", "$forms", 1, NativeClass::Pure, forms),
];

/// The modules that are in OTP's machine itself.
const PRELOADED: &[&str] = &[
    "atomics",
    "counters",
    "erl_init",
    "erl_prim_loader",
    "erl_tracer",
    "erlang",
    "erts_code_purger",
    "erts_dirty_process_signal_handler",
    "erts_internal",
    "erts_literal_area_collector",
    "init",
    "persistent_term",
    "prim_buffer",
    "prim_eval",
    "prim_file",
    "prim_inet",
    "prim_net",
    "prim_socket",
    "prim_zip",
    "socket_registry",
    "zlib",
];

/// The other modules that a node of OTP loads when it starts.
const STARTED: &[&str] = &[
    "application",
    "application_controller",
    "application_master",
    "binary",
    "code",
    "code_server",
    "erl_distribution",
    "erl_features",
    "erl_signal_handler",
    "erpc",
    "error_handler",
    "error_logger",
    "ets",
    "file",
    "file_io_server",
    "file_server",
    "filename",
    "gb_sets",
    "gb_trees",
    "gen",
    "gen_event",
    "gen_server",
    "global",
    "global_group",
    "heart",
    "inet",
    "inet_config",
    "inet_db",
    "inet_gethost_native",
    "inet_parse",
    "inet_udp",
    "io_lib",
    "kernel",
    "kernel_config",
    "kernel_refc",
    "lists",
    "logger",
    "logger_backend",
    "logger_config",
    "logger_filters",
    "logger_formatter",
    "logger_h_common",
    "logger_handler_watcher",
    "logger_olp",
    "logger_proxy",
    "logger_server",
    "logger_simple_h",
    "logger_std_h",
    "logger_sup",
    "maps",
    "net_kernel",
    "orddict",
    "os",
    "proc_lib",
    "proplists",
    "queue",
    "rand",
    "raw_file_io",
    "rpc",
    "standard_error",
    "supervisor",
    "supervisor_bridge",
    "unicode",
    "user",
    "user_sup",
];

/// The modules with which a node of OTP starts, as far as they are here.
pub(crate) fn started_modules() -> impl Iterator<Item = Atom> {
    let here = STARTED
        .iter()
        .filter(|name| interpreter::library::source(name).is_some());
    PRELOADED.iter().chain(here).map(|name| Atom::new(name))
}

/// Is the module in OTP's machine itself?
pub(crate) fn is_preloaded(module: Atom) -> bool {
    PRELOADED.binary_search(&module.as_str()).is_ok()
}

/// Does a node of OTP start with this module, and is it here?
fn starts_with(module: Atom) -> bool {
    let is_here = || interpreter::library::source(module.as_str()).is_some();
    is_preloaded(module) || (STARTED.binary_search(&module.as_str()).is_ok() && is_here())
}

fn module_loaded(step: &mut Step<'_>) -> OpResult {
    let [module] = step.args();
    let module = module.as_atom().ok_or_else(badarg)?;
    let is_loaded = match step.asks(module, false)?.entered() {
        Some(current) => current.is_some(),
        None => step.world.loads(module),
    };
    Ok(Term::boolean(is_loaded))
}

fn ensure_loaded(step: &mut Step<'_>) -> OpResult {
    let [name] = step.args();
    let module = name.as_atom().ok_or_else(badarg)?;
    let answer = match step.world.load(module) || step.world.loads(module) || is_preloaded(module) {
        true => [Term::atom(Atom::new("module")), name],
        false => [ERROR, Term::atom(Atom::new("nofile"))],
    };
    Ok(step.process.machine.heap.make_tuple(&answer))
}

fn is_loaded(step: &mut Step<'_>) -> OpResult {
    let [module] = step.args();
    let module = module.as_atom().ok_or_else(badarg)?;
    let view = step.asks(module, false)?;
    let file = match &view.standing {
        None if !step.world.loads(module) => return Ok(FALSE),
        None => {
            let heap = &mut step.process.machine.heap;
            match PRELOADED.contains(&module.as_str()) {
                true => Term::atom(Atom::new("preloaded")),
                false => heap.make_string(&format!("{module}.beam")),
            }
        }
        Some(standing) => match &standing.about {
            Some(about) if standing.current.is_some() => step.about(about).0,
            _ => return Ok(FALSE),
        },
    };
    // What `erlang:load_module/2` loads is not known to OTP's code server.
    if file == Term::atom(Atom::new("$unknown")) {
        return Ok(FALSE);
    }
    let heap = &mut step.process.machine.heap;
    Ok(heap.make_tuple(&[Term::atom(Atom::new("file")), file]))
}

/// `code:'$source'(Module)`: the source file of a module of the program, as it was named; `none` for another one.
fn source(step: &mut Step<'_>) -> OpResult {
    let [module] = step.args();
    let module = module.as_atom().ok_or_else(badarg)?;
    let world = &mut *step.world;
    let found = match !world.is_of_library(module) && world.has(module) {
        true => match world.program.source_file(module) {
            Some(file) => Some(file.to_owned()),
            None => world.loader.path(module),
        },
        false => None,
    };
    Ok(match found {
        Some(file) => step.process.machine.heap.make_string(&file),
        None => Term::atom(Atom::new("none")),
    })
}

/// `code:'$loaded'()`: the modules of the program and of the library whose code has been loaded so far, the modules of natives, and those with which a
/// node starts.
fn loaded(step: &mut Step<'_>) -> OpResult {
    let names: Vec<Term> = step.loaded_modules().into_iter().map(Term::atom).collect();
    step.input(InputClass::System, |_, heap| heap.make_list(&names))
}

/// `code:'$forms'(Module)`: the source file of a module of the program or the library, and its forms in the external format; `none` for another one.
fn forms(step: &mut Step<'_>) -> OpResult {
    let [module] = step.args();
    let module = module.as_atom().ok_or_else(badarg)?;
    let world = &mut *step.world;
    let found = world.loads(module).then(|| world.loader.forms(module)).flatten();
    let heap = &mut step.process.machine.heap;
    Ok(match found {
        Some((path, forms)) => {
            let parts = [heap.make_string(&path), heap.make_binary(&forms)];
            heap.make_tuple(&parts)
        }
        None => Term::atom(Atom::new("none")),
    })
}

/// Every function that can be called counts as loaded, whether or not it has been called before.
fn function_exported(step: &mut Step<'_>) -> OpResult {
    let [module, function, arity] = step.args();
    let (Some(module), Some(function), Some(0..)) = (module.as_atom(), function.as_atom(), arity.as_small()) else {
        return Err(badarg());
    };
    let Ok(arity) = u8::try_from(arity.small_value()) else {
        return Ok(FALSE);
    };
    match step.asks(module, false)?.entered() {
        None => {}
        Some(None) => return Ok(FALSE),
        // With its natives.
        Some(version) if version == step.world.program.first(module) => {}
        Some(Some(version)) => return Ok(Term::boolean(step.world.program.exports_in(version, function, arity))),
    }
    // A library module is not loaded just to answer this.
    let release = step.world.program.release();
    let is_of_library = step.world.is_of_library(module)
        && matches!(
            otp::known(release, module.as_str(), function.as_str(), arity),
            Some(OtpName::Function(_))
        );
    let world = &mut *step.world;
    let is_exported = is_of_library
        || world.program.is_exported(module, function, arity)
        || (world.load(module) && world.program.is_exported(module, function, arity));
    Ok(Term::boolean(is_exported))
}

impl World {
    /// Is there a module of this name, loaded or not?
    pub(crate) fn loads(&mut self, module: Atom) -> bool {
        self.is_of_library(module) || self.program.has_natives(module.as_str()) || self.has(module)
    }

    /// Is there code of this name that can be loaded? It is not loaded to find that out.
    pub(crate) fn has(&mut self, module: Atom) -> bool {
        self.program.is_loaded(module) || self.loader.has(module, &self.program)
    }

    /// Has a module that nobody has touched been loaded, as far as a program can see?
    pub(crate) fn counts_as_loaded(&self, module: Atom) -> bool {
        self.program.is_loaded(module) || self.starts_with(module)
    }

    /// Is a module loaded when a node starts, or does it consist of natives?
    pub(crate) fn starts_with(&self, module: Atom) -> bool {
        starts_with(module) || self.is_native_only(module)
    }

    /// Is there a module of this name in the library, for this release?
    pub(crate) fn is_of_library(&self, module: Atom) -> bool {
        interpreter::library::has(module.as_str(), self.program.release())
    }

    fn is_native_only(&self, module: Atom) -> bool {
        self.program.has_natives(module.as_str()) && !self.is_of_library(module)
    }

    /// Loads a module, if there is one of that name.
    pub(crate) fn load(&mut self, module: Atom) -> bool {
        self.program.is_loaded(module) || matches!(self.loader.load(module, Arc::make_mut(&mut self.program)), Ok(true))
    }
}
