//! Environment variables and the arguments of the program. Each node has variables of its own: at first those of the node that started it, and
//! those that it was started with.

use std::collections::BTreeMap;

use interpreter::atom::Atom;
use interpreter::heap::Heap;
use interpreter::native::NativeClass;
use interpreter::term::Term;
use log_format::InputClass;

use crate::ops::{ERROR, FALSE, OK, OpResult, Operation, TRUE, badarg, chars};
use crate::step::Step;
use crate::world::World;

pub(super) const OPERATIONS: &[Operation] = &[
    Operation::new("os", "getenv", 0, NativeClass::Input, variables),
    Operation::new("os", "getenv", 1, NativeClass::Input, getenv),
    Operation::new("os", "getenv", 2, NativeClass::Input, getenv),
    Operation::new("os", "putenv", 2, NativeClass::Input, putenv),
    Operation::new("os", "unsetenv", 1, NativeClass::Input, unsetenv),
    Operation::new(
        "init",
        "get_plain_arguments",
        0,
        NativeClass::Input,
        get_plain_arguments,
    ),
    Operation::new("init", "get_arguments", 0, NativeClass::Input, get_arguments),
    Operation::new("init", "get_argument", 1, NativeClass::Input, get_argument),
];

impl World {
    fn variable(&mut self, node: u16, name: &str) -> Option<String> {
        match self.environments.changed(node).and_then(|changed| changed.get(name)) {
            Some(value) => value.clone(),
            None => self.outside.variable(name),
        }
    }

    fn variables(&mut self, node: u16) -> Vec<(String, String)> {
        let outer = self.outside.variables();
        let Some(changed) = self.environments.changed(node) else {
            return outer;
        };
        let mut all: BTreeMap<String, String> = outer.into_iter().collect();
        for (name, value) in changed {
            match value {
                Some(value) => drop(all.insert(name.clone(), value.clone())),
                None => drop(all.remove(name)),
            }
        }
        all.into_iter().collect()
    }

    fn set_variable(&mut self, node: u16, name: &str, value: Option<&str>) {
        if let Some(own) = self.environments.nodes.get_mut(&node) {
            own.changed.insert(name.to_owned(), value.map(str::to_owned));
            return;
        }
        // The other nodes keep what they had.
        if self
            .environments
            .nodes
            .values()
            .any(|other| !other.changed.contains_key(name))
        {
            let before = self.outside.variable(name);
            for other in self.environments.nodes.values_mut() {
                other.changed.entry(name.to_owned()).or_insert_with(|| before.clone());
            }
        }
        self.outside.set_variable(name, value);
    }
}

/// The variables of an option `env`: `{Name, Value}`, or `{Name, false}`.
pub(crate) fn given(heap: &Heap, list: Term) -> Option<Vec<(String, Option<String>)>> {
    let one = |pair: Term| {
        let &[name, value] = heap.tuple(pair)? else {
            return None;
        };
        let name = variable_name(heap, name)?;
        let value = match value == FALSE {
            true => None,
            false => Some(chars(heap, value)?),
        };
        Some((name, value))
    };
    heap.list(list)?.into_iter().map(one).collect()
}

/// `getenv/0`.
fn variables(step: &mut Step<'_>) -> OpResult {
    let node = step.process.pid.node();
    step.input(InputClass::Env, |world, heap| {
        let all = world.variables(node);
        let list: Vec<Term> = all.iter().map(|(k, v)| heap.make_string(&format!("{k}={v}"))).collect();
        heap.make_list(&list)
    })
}

/// `getenv/1,2`.
fn getenv(step: &mut Step<'_>) -> OpResult {
    let [name, default] = step.args();
    if name.is_atom() {
        return Err(badarg());
    }
    let key = variable_name(&step.process.machine.heap, name).ok_or_else(badarg)?;
    let default = if default == Term::NONE { FALSE } else { default };
    let node = step.process.pid.node();
    let found = step.input(InputClass::Env, |world, heap| match world.variable(node, &key) {
        Some(value) => heap.make_string(&value),
        None => FALSE,
    })?;
    Ok(if found == FALSE { default } else { found })
}

fn putenv(step: &mut Step<'_>) -> OpResult {
    let [name, value] = step.args();
    let heap = &step.process.machine.heap;
    let key = variable_name(heap, name).ok_or_else(badarg)?;
    let value = chars(heap, value).ok_or_else(badarg)?;
    set(step, &key, Some(&value))
}

fn unsetenv(step: &mut Step<'_>) -> OpResult {
    let [name] = step.args();
    let key = variable_name(&step.process.machine.heap, name).ok_or_else(badarg)?;
    set(step, &key, None)
}

fn set(step: &mut Step<'_>, key: &str, value: Option<&str>) -> OpResult {
    let node = step.process.pid.node();
    step.input(InputClass::Env, |world, _| {
        world.set_variable(node, key, value);
        TRUE
    })
}

fn get_plain_arguments(step: &mut Step<'_>) -> OpResult {
    let arguments = step.world.arguments.clone();
    step.input(InputClass::Arguments, |_, heap| {
        let list: Vec<Term> = arguments.iter().map(|a| heap.make_string(a)).collect();
        heap.make_list(&list)
    })
}

impl World {
    /// The flags that every emulator has.
    fn flags(&mut self, node: u16) -> [(&'static str, Option<String>); 4] {
        let home = self.variable(node, "HOME").unwrap_or_else(|| "/".to_owned());
        [
            ("root", Some("/usr/lib/erlang".to_owned())),
            ("progname", Some("erl".to_owned())),
            ("home", Some(home)),
            ("noshell", None),
        ]
    }
}

fn get_arguments(step: &mut Step<'_>) -> OpResult {
    let node = step.process.pid.node();
    step.input(InputClass::Arguments, |world, heap| {
        let flags = world.flags(node).map(|(flag, value)| {
            let values = flag_values(heap, value.as_deref());
            heap.make_tuple(&[Term::atom(Atom::new(flag)), values])
        });
        heap.make_list(&flags)
    })
}

fn get_argument(step: &mut Step<'_>) -> OpResult {
    let [name] = step.args();
    let node = step.process.pid.node();
    step.input(InputClass::Arguments, |world, heap| {
        let wanted = name.as_atom().map(Atom::as_str);
        let found = world.flags(node).into_iter().find(|(flag, _)| Some(*flag) == wanted);
        let Some((_, value)) = found else { return ERROR };
        let values = flag_values(heap, value.as_deref());
        let all = heap.make_list(&[values]);
        heap.make_tuple(&[OK, all])
    })
}

fn flag_values(heap: &mut Heap, value: Option<&str>) -> Term {
    let values: Vec<Term> = value.map(|text| heap.make_string(text)).into_iter().collect();
    heap.make_list(&values)
}

/// The name of an environment variable: a list of characters with no `=` but the first.
fn variable_name(heap: &Heap, t: Term) -> Option<String> {
    chars(heap, t).filter(|name| !name.chars().skip(1).any(|c| c == '='))
}
