//! The environments of applications.

use interpreter::native::NativeClass;
use interpreter::term::Term;
use log_format::{Kind, Resource};

use crate::hash::fnv;
use crate::observer::Detail;
use crate::ops::{OK, OpResult, Operation, UNDEFINED};
use crate::state::resources::Value;
use crate::step::{Interrupt, Step};
use crate::terms;

pub(super) const OPERATIONS: &[Operation] = &[
    Operation::new("erlang", "$env_get", 2, NativeClass::Access, get),
    Operation::new("erlang", "$env_set", 3, NativeClass::Access, set),
    Operation::new("erlang", "$env_unset", 2, NativeClass::Access, unset),
    Operation::new("erlang", "$env_all", 1, NativeClass::Access, get_all),
    Operation::new("erlang", "$env_replace", 4, NativeClass::Access, replace),
];

fn expect(step: &Step<'_>) -> Result<(), Interrupt> {
    step.expect(
        |k| matches!(k, Kind::Access),
        || "use the environment of an application".to_owned(),
    )
}

/// `'$env_get'(Application, Key)`.
fn get(step: &mut Step<'_>) -> OpResult {
    let [app, key] = step.args();
    expect(step)?;
    let resource = step.env_resource(app, Some(key));
    let answer = match step.read(resource)? {
        Value::Term(value) => {
            let value = step.process.machine.heap.import(&value);
            step.process.machine.heap.make_tuple(&[OK, value])
        }
        _ => UNDEFINED,
    };
    step.commit(Kind::Access, 0, Detail::None);
    Ok(answer)
}

/// `'$env_set'(Application, Key, Value)`. The first to set a key adds it to the list.
fn set(step: &mut Step<'_>) -> OpResult {
    let [app, key, value] = step.args();
    expect(step)?;
    let all = step.env_resource(app, None);
    let resource = step.env_resource(app, Some(key));
    step.note_env_key(all, resource, key)?;
    let value = step.process.machine.heap.export(value);
    step.write(resource, Value::Term(value), false)?;
    step.commit(Kind::Access, 0, Detail::None);
    Ok(OK)
}

/// `'$env_replace'(Application, Key, Old, New)`: sets a key if it still has the value that `'$env_get'` gave.
fn replace(step: &mut Step<'_>) -> OpResult {
    let [app, key, old, new] = step.args();
    expect(step)?;
    let all = step.env_resource(app, None);
    let resource = step.env_resource(app, Some(key));
    let heap = &mut step.process.machine.heap;
    let old = match heap.tuple(old) {
        Some(&[ok, value]) if ok == OK => Some(value),
        _ => None,
    };
    let is_same = match (step.read(resource)?, old) {
        (Value::Term(now), Some(old)) => {
            let heap = &mut step.process.machine.heap;
            let now = heap.import(&now);
            interpreter::ops::exact_equal(heap, now, old)
        }
        (Value::Term(_), None) => false,
        (_, old) => old.is_none(),
    };
    if is_same {
        step.note_env_key(all, resource, key)?;
        let value = step.process.machine.heap.export(new);
        step.write(resource, Value::Term(value), true)?;
    }
    step.commit(Kind::Access, 0, Detail::None);
    Ok(Term::boolean(is_same))
}

/// `'$env_unset'(Application, Key)`.
fn unset(step: &mut Step<'_>) -> OpResult {
    let [app, key] = step.args();
    expect(step)?;
    let resource = step.env_resource(app, Some(key));
    step.write(resource, Value::Absent, false)?;
    step.commit(Kind::Access, 0, Detail::None);
    Ok(OK)
}

/// `'$env_all'(Application)`.
fn get_all(step: &mut Step<'_>) -> OpResult {
    let [app] = step.args();
    expect(step)?;
    let all = step.env_resource(app, None);
    let mut list = Vec::new();
    for key in step.env_keys(all)? {
        let resource = step.env_resource(app, Some(key));
        if let Value::Term(value) = step.read(resource)? {
            let value = step.process.machine.heap.import(&value);
            list.push(step.process.machine.heap.make_tuple(&[key, value]));
        }
    }
    step.commit(Kind::Access, 0, Detail::None);
    Ok(step.process.machine.heap.make_list(&list))
}

impl Step<'_> {
    /// A key of the environment of an application on this node, or with `None` the list of all keys that were ever set there.
    pub(crate) fn env_resource(&self, app: Term, key: Option<Term>) -> Resource {
        let mut name = terms::encode(&self.process.machine.heap, app);
        if let Some(key) = key {
            name.push(b'/');
            name.extend(terms::encode(&self.process.machine.heap, key));
        }
        // What the tool itself keeps about a project holds for all nodes.
        let is_tools_own = app.as_atom().is_some_and(|name| name.as_str() == "retell");
        if self.process.pid.node() > 0 && !is_tools_own {
            name.extend_from_slice(
                format!(
                    "{}/{}",
                    self.world.on_node(self.process.pid.node()),
                    self.process.incarnation
                )
                .as_bytes(),
            );
        }
        Resource::Env(fnv(&name))
    }

    /// The first to set a key adds it to the list.
    fn note_env_key(&mut self, all: Resource, resource: Resource, key: Term) -> Result<(), Interrupt> {
        let first = self.uses(all, |world| world.resources.version(resource) == 0);
        if first {
            let mut keys = self.env_keys(all)?;
            keys.push(key);
            let list = self.process.machine.heap.make_list(&keys);
            let list = self.process.machine.heap.export(list);
            self.write(all, Value::Term(list), true)?;
        }
        Ok(())
    }

    pub(crate) fn env_keys(&mut self, all: Resource) -> Result<Vec<Term>, Interrupt> {
        Ok(match self.read(all)? {
            Value::Term(list) => {
                let list = self.process.machine.heap.import(&list);
                self.process.machine.heap.list(list).unwrap_or_default()
            }
            _ => Vec::new(),
        })
    }
}
