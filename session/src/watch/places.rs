//! Positions of processes, and the functions that they run.

use std::fmt::Display;

use crate::called::{CalledAfter, ProcessName};
use crate::view::{FunctionName, SourcePlace};
use crate::words::LocalFunction;
use interpreter::heap::{Fragment, Heap};
use interpreter::print::Terms;
use interpreter::term::Term;
use interpreter::vm;
use log_format::ExitClass;

/// Limits: places of a stack trace that are read, and messages to a process that are rendered.
pub(super) const RAISED: usize = 16;
/// Limit: activations whose variables are searched for a stack trace.
const HOLDING: usize = 4;

/// The places of the first stack trace in the reason of an end: `{badarith,[{stock,take,2,[{file,"stock.erl"},{line,7}]},…]}`.
pub(super) fn raised(reason: &Fragment, program: &vm::Program) -> Vec<SourcePlace> {
    let mut heap = Heap::new(program.literals().clone());
    let mut level = vec![heap.import(reason)];
    // The reason of a process that a behaviour runs may contain that of another.
    for _ in 0..4 {
        for term in &level {
            let places: Vec<SourcePlace> = stack(&heap, *term, program.terms()).collect();
            if !places.is_empty() {
                return places;
            }
        }
        let inside = |t: &Term| heap.tuple(*t).map(<[Term]>::to_vec).unwrap_or_default();
        level = level.iter().flat_map(inside).take(RAISED).collect();
    }
    Vec::new()
}

/// Where an end by itself was raised, if its reason does not say it: the places of a stack trace that one of the innermost activations holds in a
/// variable. It caught an exception, and ended with the same reason.
pub(super) fn caught_before(machine: &vm::Process, program: &vm::Program) -> Vec<SourcePlace> {
    let frames = machine.frames(program);
    let known = frames.iter().take(HOLDING).flat_map(|frame| &frame.variables);
    let places =
        known.filter_map(|(_, value)| Some(stack(&machine.heap, (*value)?, program.terms()).collect::<Vec<_>>()));
    places.into_iter().find(|places| !places.is_empty()).unwrap_or_default()
}

/// Where a process raised what ended it, the innermost place first, as far as its reason or a variable says.
pub fn raised_by(ending: &system::observer::Ending<'_>) -> Vec<SourcePlace> {
    let places = raised(ending.reason, ending.program);
    match ending.class {
        Some(class) if places.is_empty() && class != ExitClass::Normal => caught_before(ending.machine, ending.program),
        _ => places,
    }
}

/// The entries of a stack trace that have a place.
pub fn stack(heap: &Heap, term: Term, terms: Terms) -> impl Iterator<Item = SourcePlace> {
    let entries = heap.list(term).unwrap_or_default();
    entries.into_iter().take(RAISED).filter_map(move |entry| {
        let &[module, function, arity, info] = heap.tuple(entry)? else {
            return None;
        };
        let (module, function) = (module.as_atom()?, function.as_atom()?);
        let arity = match arity.as_small() {
            Some(n) => usize::try_from(n).ok()?,
            None => heap.list(arity)?.len(),
        };
        let pairs = heap.list(info)?;
        let value = |key: &str| {
            pairs.iter().find_map(|pair| match heap.tuple(*pair)? {
                &[name, value] if name.as_atom()?.as_str() == key => Some(value),
                _ => None,
            })
        };
        let characters = heap.list(value("file")?)?;
        let file: Option<String> = characters
            .into_iter()
            .map(|c| char::from_u32(u32::try_from(c.as_small()?).ok()?))
            .collect();
        Some(SourcePlace {
            file: crate::words::safe(&file?),
            line: u32::try_from(value("line")?.as_small()?).ok()?,
            column: 1,
            function: FunctionName {
                module,
                name: function,
                arity: u8::try_from(arity).ok()?,
            },
            loaded: None,
            terms,
        })
    })
}

/// The module of Elixir's that tasks run in, and what starts the tasks of a stream and waits for their ends.
pub const TASKS: &str = "Elixir.Task.Supervised";

/// Limit: characters of what a process runs.
const CHARS: usize = 28;

/// What a process runs, for people: what `proc_lib` started it for (for a behaviour, the module), or its outermost function.
pub fn runs(machine: &vm::Process, program: &vm::Program) -> Option<ProcessName> {
    use CalledAfter::{Behaviour, Task};
    let terms = program.terms();
    let named = |module: &str| crate::words::module(module, terms).to_owned();
    let function = |name: &str, arity: &dyn Display| {
        let function = LocalFunction::of(&format!("{name}/{arity}"), terms);
        ProcessName::of_function(function.cut(CHARS))
    };
    let (text, after) = match started(machine) {
        _ if is_task(machine, program) => ("a task".to_owned(), Task),
        // A task for a function with arguments.
        Some(("erlang", "apply", _)) if has_callers(machine) => ("a task".to_owned(), Task),
        Some(("Elixir.Agent.Server", ..)) => ("an agent".to_owned(), Behaviour),
        Some((module, "init", 1)) => (named(module), Behaviour),
        Some(("supervisor", module, _)) => (format!("supervisor {}", named(module)), Behaviour),
        Some((_, name, arity)) => return Some(function(name, &arity)),
        None => {
            let frames = machine.frames(program);
            let place = frames.iter().rev().find_map(|f| f.location)?;
            match place.module.as_str() == TASKS && place.function.as_str().contains("stream") {
                true => ("Task.async_stream's monitor".to_owned(), Behaviour),
                false => return Some(function(place.function.as_str(), &place.arity)),
            }
        }
    };
    Some(ProcessName {
        text: crate::words::cut(&crate::words::safe(&text), CHARS),
        after,
    })
}

/// Is it a task that has not begun? Up to Elixir 1.14, `proc_lib` starts tasks.
pub fn is_task(machine: &vm::Process, program: &vm::Program) -> bool {
    if let Some((module, ..)) = started(machine) {
        return module == TASKS;
    }
    let frames = machine.frames(program);
    let outermost = frames.iter().rev().find_map(|frame| frame.location);
    outermost
        .is_some_and(|place| place.module.as_str() == TASKS && matches!(place.function.as_str(), "reply" | "noreply"))
}

/// Elixir notes in the dictionary of a task for whom it works.
fn has_callers(machine: &vm::Process) -> bool {
    let mut keys = machine.local.dictionary.iter().filter_map(|(key, _)| key.as_atom());
    keys.any(|key| key.as_str() == "$callers")
}

/// What `proc_lib` noted of how it started a process.
pub fn started(machine: &vm::Process) -> Option<(&'static str, &'static str, i64)> {
    let pairs = machine.local.dictionary.iter();
    let heap = &machine.heap;
    let call = pairs
        .filter(|(key, _)| key.as_atom().is_some_and(|atom| atom.as_str() == "$initial_call"))
        .find_map(|(_, value)| heap.tuple(value).map(<[Term]>::to_vec))?;
    match call.as_slice() {
        &[module, function, arity] => Some((
            module.as_atom()?.as_str(),
            function.as_atom()?.as_str(),
            arity.as_small()?,
        )),
        _ => None,
    }
}

/// The outermost function of a process, `server/0`.
pub fn label(machine: &vm::Process, program: &vm::Program) -> Option<String> {
    let frames = machine.frames(program);
    let place = frames.iter().rev().find_map(|f| f.location)?;
    Some(crate::words::cut(
        &crate::words::safe(&format!("{}/{}", place.function.as_str(), place.arity)),
        24,
    ))
}

/// The position of a process: the innermost place in a module of the program, or else of the library.
#[must_use]
pub fn here(machine: &vm::Process, program: &vm::Program) -> Option<SourcePlace> {
    machine
        .location(program)
        .map(|location| place(location, program.terms()))
}

/// A place for people.
#[must_use]
pub fn place(location: vm::SourceLocation<'_>, terms: Terms) -> SourcePlace {
    let vm::SourceLocation {
        module,
        file,
        line,
        column,
        function,
        arity,
        loaded,
    } = location;
    SourcePlace {
        file: crate::words::safe(file),
        line,
        column,
        function: FunctionName {
            module,
            name: function,
            arity,
        },
        loaded: loaded.cloned(),
        terms,
    }
}
