//! Environment variables and the arguments of the program.

use interpreter::heap::Heap;
use interpreter::native::Class;
use interpreter::term::Term;
use log_format::InputClass;

use crate::ops::{Answer, ERROR, FALSE, Operation, TRUE, badarg, chars};
use crate::step::Step;

pub(super) const OPERATIONS: &[Operation] = &[
    Operation::new("os", "getenv", 0, Class::Input, variables),
    Operation::new("os", "getenv", 1, Class::Input, getenv),
    Operation::new("os", "getenv", 2, Class::Input, getenv),
    Operation::new("os", "putenv", 2, Class::Input, putenv),
    Operation::new("os", "unsetenv", 1, Class::Input, unsetenv),
    Operation::new("init", "get_plain_arguments", 0, Class::Input, get_plain_arguments),
    Operation::new("init", "get_arguments", 0, Class::Input, get_arguments),
    Operation::new("init", "get_argument", 1, Class::Input, get_argument),
];

/// `getenv/0`.
fn variables(step: &mut Step<'_>) -> Answer {
    step.input(InputClass::Env, |world, heap| {
        let all = world.outside.variables();
        let list: Vec<Term> = all.iter().map(|(k, v)| heap.make_string(&format!("{k}={v}"))).collect();
        heap.make_list(&list)
    })
}

/// `getenv/1,2`.
fn getenv(step: &mut Step<'_>) -> Answer {
    let [name, default] = step.args();
    if name.is_atom() {
        return Err(badarg());
    }
    let key = variable_name(&step.process.machine.heap, name).ok_or_else(badarg)?;
    let default = if default == Term::NONE { FALSE } else { default };
    let found = step.input(InputClass::Env, |world, heap| match world.outside.variable(&key) {
        Some(value) => heap.make_string(&value),
        None => FALSE,
    })?;
    Ok(if found == FALSE { default } else { found })
}

fn putenv(step: &mut Step<'_>) -> Answer {
    let [name, value] = step.args();
    let heap = &step.process.machine.heap;
    let key = variable_name(heap, name).ok_or_else(badarg)?;
    let value = chars(heap, value).ok_or_else(badarg)?;
    set(step, &key, Some(&value))
}

fn unsetenv(step: &mut Step<'_>) -> Answer {
    let [name] = step.args();
    let key = variable_name(&step.process.machine.heap, name).ok_or_else(badarg)?;
    set(step, &key, None)
}

fn set(step: &mut Step<'_>, key: &str, value: Option<&str>) -> Answer {
    step.input(InputClass::Env, |world, _| {
        world.outside.set_variable(key, value);
        TRUE
    })
}

fn get_plain_arguments(step: &mut Step<'_>) -> Answer {
    let arguments = step.world.arguments.clone();
    step.input(InputClass::Arguments, |_, heap| {
        let list: Vec<Term> = arguments.iter().map(|a| heap.make_string(a)).collect();
        heap.make_list(&list)
    })
}

/// There are no flags.
fn get_arguments(step: &mut Step<'_>) -> Answer {
    step.input(InputClass::Arguments, |_, _| Term::NIL)
}

fn get_argument(step: &mut Step<'_>) -> Answer {
    step.input(InputClass::Arguments, |_, _| ERROR)
}

/// The name of an environment variable: a list of characters with no `=` but the first.
fn variable_name(heap: &Heap, t: Term) -> Option<String> {
    chars(heap, t).filter(|name| !name.chars().skip(1).any(|c| c == '='))
}
