//! ETS (OTP, stdlib, `ets`). Every key is a versioned shared resource, the table itself another (semantics.md §4): a reader of one key
//! does not depend on the writer of another; a scan depends on the last write of every key.
//!
//! Departure from OTP where OTP leaves it open: tables that are not ordered are iterated in term order of their keys.

mod matching;
mod scan;
mod table;
mod write;

use std::sync::Arc;

use interpreter::atom::Atom;
use interpreter::heap::{Fragment, View};
use interpreter::term::{Pid, Reference, Term};
use log_format::{Kind as ActionKind, Resource};

use crate::effects::{Answer, FALSE, TRUE, UNDEFINED, args, badarg};
use crate::observer::{Detail, Observer};
use crate::process::Process;
use crate::resources::Value;
use crate::system::{Interrupt, System};
pub use table::{Hints, Key, Kind, Protection, Table};

/// The objects of one key, oldest first.
pub type Objects = Arc<Vec<Fragment>>;

/// What an operation wants to do with a table.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Want {
    Read,
    Write,
    Own,
}

impl<O: Observer> System<O> {
    /// Carries out a native of module `ets`.
    pub(crate) fn op_ets(&mut self, p: &mut Process<O::Log>) -> Answer {
        let name = self.program.native(self.native).name;
        let result = self.ets_operation(p, name);
        match result {
            Ok(value) => {
                self.ets_done(p)?;
                Ok(value)
            }
            Err(Interrupt::Raise(raise)) => {
                self.ets_done(p)?;
                Err(Interrupt::Raise(raise))
            }
            Err(other) => Err(other),
        }
    }

    /// The step is one access action, unless it used nothing shared.
    fn ets_done(&mut self, p: &mut Process<O::Log>) -> Result<(), Interrupt> {
        if self.accesses.is_empty() {
            return Ok(());
        }
        self.expect(p, |k| matches!(k, ActionKind::Access), || "use a table".to_owned())?;
        let sends = std::mem::take(&mut self.ets_sends);
        self.commit(p, ActionKind::Access, sends.len() as u32, Detail::None);
        for (to, message) in sends {
            let tag = self.next_tag(p);
            self.deliver(p, to, tag, crate::process::Signal::Message(message));
        }
        Ok(())
    }

    fn ets_operation(&mut self, p: &mut Process<O::Log>, name: &str) -> Answer {
        let [first, second, third, _] = args(p);
        match name {
            "new" => self.ets_new(p, first, second),
            "all" => {
                let live: Vec<(Reference, Term)> = self
                    .tables
                    .values()
                    .map(|t| (t.id, if t.named { Term::atom(t.name) } else { Term::NONE }))
                    .collect();
                let mut out = Vec::new();
                for (id, named) in live {
                    if self.ets_owner(p, id)?.is_some() {
                        out.push(if named == Term::NONE {
                            p.machine.heap.make_reference(id)
                        } else {
                            named
                        });
                    }
                }
                Ok(p.machine.heap.make_list(&out))
            }
            "whereis" => {
                let name = first.as_atom().ok_or_else(badarg)?;
                Ok(match self.ets_by_name(p, name)? {
                    Some(id) => p.machine.heap.make_reference(id),
                    None => UNDEFINED,
                })
            }
            "lookup" => {
                let id = self.ets_table(p, first, Want::Read)?;
                let (_, objects) = self.ets_get(p, id, second)?;
                let list: Vec<Term> = objects.iter().map(|o| p.machine.heap.import(o)).collect();
                Ok(p.machine.heap.make_list(&list))
            }
            "member" => {
                let id = self.ets_table(p, first, Want::Read)?;
                let (_, objects) = self.ets_get(p, id, second)?;
                Ok(Term::boolean(!objects.is_empty()))
            }
            "lookup_element" => self.ets_lookup_element(p, first, second, third),
            "insert" | "insert_new" => self.ets_insert(p, first, second, name == "insert_new"),
            "delete" if p.machine.args().len() == 1 => self.ets_delete_table(p, first),
            "delete" => {
                let id = self.ets_table(p, first, Want::Write)?;
                let (resource, _) = self.ets_resource(p, id, second)?;
                self.write(p, resource, Value::Absent, false)?;
                Ok(TRUE)
            }
            "take" => {
                let id = self.ets_table(p, first, Want::Write)?;
                let (resource, objects) = self.ets_get(p, id, second)?;
                if !objects.is_empty() {
                    self.write(p, resource, Value::Absent, true)?;
                }
                let list: Vec<Term> = objects.iter().map(|o| p.machine.heap.import(o)).collect();
                Ok(p.machine.heap.make_list(&list))
            }
            "delete_object" => self.ets_delete_object(p, first, second),
            "update_counter" => self.ets_update_counter(p),
            "update_element" => self.ets_update_element(p, first, second, third),
            "rename" => self.ets_rename(p, first, second),
            "give_away" => self.ets_give_away(p, first, second, third),
            "setopts" => self.ets_setopts(p, first, second),
            "safe_fixtable" => {
                let id = self.ets_table(p, first, Want::Read)?;
                let on = second.as_bool().ok_or_else(badarg)?;
                if let Some(table) = self.tables.get_mut(&id) {
                    table.fixed = if on {
                        table.fixed + 1
                    } else {
                        table.fixed.saturating_sub(1)
                    };
                }
                Ok(TRUE)
            }
            "info" => self.ets_info(p, first, second),
            _ => self.ets_scan(p, name),
        }
    }

    // ---- finding a table -------------------------------------------------------------------------------------------

    fn ets_name(&mut self, name: Atom) -> Resource {
        let text = format!("ets:{name}");
        Resource::Other(self.resources.text(&text))
    }

    fn ets_by_name(&mut self, p: &mut Process<O::Log>, name: Atom) -> Result<Option<Reference>, Interrupt> {
        let resource = self.ets_name(name);
        Ok(match self.read(p, resource)? {
            Value::Reference(id) => Some(id),
            _ => None,
        })
    }

    /// The owner of a table; `None` if it does not exist (any more).
    fn ets_owner(&mut self, p: &mut Process<O::Log>, id: Reference) -> Result<Option<Pid>, Interrupt> {
        let resource = Resource::Table(crate::ids::object(id));
        Ok(match self.read(p, resource)? {
            Value::Pid(owner) => Some(owner),
            _ => None,
        })
    }

    fn ets_find(&mut self, p: &mut Process<O::Log>, t: Term) -> Result<Option<Reference>, Interrupt> {
        if let Some(name) = t.as_atom() {
            return self.ets_by_name(p, name);
        }
        match p.machine.heap.view(t) {
            View::Reference(id) => Ok(Some(id)),
            _ => Err(badarg()),
        }
    }

    /// The table that an argument names, if this process may do what it wants with it; raises `badarg`.
    fn ets_table(&mut self, p: &mut Process<O::Log>, t: Term, want: Want) -> Result<Reference, Interrupt> {
        let id = self.ets_find(p, t)?.ok_or_else(badarg)?;
        if !self.tables.contains_key(&id) {
            // A reference that is no table: nothing shared was used.
            return Err(badarg());
        }
        let owner = self.ets_owner(p, id)?.ok_or_else(badarg)?;
        let table = self.tables.get(&id).ok_or_else(badarg)?;
        let allowed = owner == p.pid
            || match (table.protection, want) {
                (_, Want::Own) | (Protection::Private, _) => false,
                (Protection::Public, _) => true,
                (Protection::Protected, want) => want == Want::Read,
            };
        if allowed { Ok(id) } else { Err(badarg()) }
    }

    fn ets_kind(&self, id: Reference) -> (Kind, usize) {
        self.tables
            .get(&id)
            .map_or((Kind::Set, 1), |t| (t.kind, t.key_position))
    }

    /// The resource of a key, and the key.
    fn ets_resource(&mut self, p: &Process<O::Log>, id: Reference, key: Term) -> Result<(Resource, Key), Interrupt> {
        let table = self.tables.get_mut(&id).ok_or_else(badarg)?;
        let key = Key::new(&p.machine.heap, key, table.kind);
        Ok((table.key_resource(&key), key))
    }

    /// Reads the objects of a key.
    fn ets_get(&mut self, p: &Process<O::Log>, id: Reference, key: Term) -> Result<(Resource, Objects), Interrupt> {
        let (resource, _) = self.ets_resource(p, id, key)?;
        let objects = match self.read(p, resource)? {
            Value::Objects(objects) => objects,
            _ => Objects::default(),
        };
        Ok((resource, objects))
    }

    fn ets_lookup_element(&mut self, p: &mut Process<O::Log>, t: Term, key: Term, position: Term) -> Answer {
        let id = self.ets_table(p, t, Want::Read)?;
        let position = position
            .as_small()
            .and_then(|n| usize::try_from(n).ok())
            .filter(|&n| n > 0)
            .ok_or_else(badarg)?;
        let (_, objects) = self.ets_get(p, id, key)?;
        if objects.is_empty() {
            return Err(badarg());
        }
        let mut values = Vec::with_capacity(objects.len());
        for object in objects.iter() {
            let object = p.machine.heap.import(object);
            let element = p.machine.heap.tuple(object).and_then(|e| e.get(position - 1)).copied();
            values.push(element.ok_or_else(badarg)?);
        }
        if self.ets_kind(id).0.is_set() {
            Ok(values[0])
        } else {
            Ok(p.machine.heap.make_list(&values))
        }
    }

    // ---- making, removing, handing over ------------------------------------------------------------------------------

    fn ets_new(&mut self, p: &mut Process<O::Log>, name: Term, options: Term) -> Answer {
        let name = name.as_atom().ok_or_else(badarg)?;
        let mut table = Table {
            id: Reference {
                owner: p.pid,
                number: p.machine.local.references + 1,
            },
            name,
            named: false,
            kind: Kind::Set,
            key_position: 1,
            protection: Protection::Protected,
            heir: None,
            hints: Hints::default(),
            keys: Default::default(),
            by_resource: Default::default(),
            fixed: 0,
        };
        for option in p.machine.heap.list(options).ok_or_else(badarg)? {
            self.ets_option(p, &mut table, option).ok_or_else(badarg)?;
        }
        let id = table.id;
        let resource = table.resource();
        if table.named {
            if self.ets_by_name(p, name)?.is_some() {
                return Err(badarg());
            }
            let named = self.ets_name(name);
            self.write(p, named, Value::Reference(id), true)?;
        }
        self.write(p, resource, Value::Pid(p.pid), false)?;
        p.machine.local.references += 1;
        p.tables.push(id);
        let named = table.named;
        self.tables.insert(id, table);
        Ok(if named {
            Term::atom(name)
        } else {
            p.machine.heap.make_reference(id)
        })
    }

    /// Applies one option of `ets:new/2`; `None` if it is none.
    fn ets_option(&self, p: &Process<O::Log>, table: &mut Table, option: Term) -> Option<()> {
        let heap = &p.machine.heap;
        if let Some(atom) = option.as_atom() {
            match atom.as_str() {
                "set" => table.kind = Kind::Set,
                "ordered_set" => table.kind = Kind::OrderedSet,
                "bag" => table.kind = Kind::Bag,
                "duplicate_bag" => table.kind = Kind::DuplicateBag,
                "public" => table.protection = Protection::Public,
                "protected" => table.protection = Protection::Protected,
                "private" => table.protection = Protection::Private,
                "named_table" => table.named = true,
                "compressed" => table.hints.compressed = true,
                _ => return None,
            }
            return Some(());
        }
        let elements = heap.tuple(option)?;
        let key = elements.first()?.as_atom()?.as_str();
        match (key, &elements[1..]) {
            ("keypos", [n]) => table.key_position = usize::try_from(n.as_small()?).ok().filter(|&n| n > 0)?,
            ("heir", [none]) if none.as_atom()?.as_str() == "none" => table.heir = None,
            ("heir", [pid, data]) => table.heir = Some((pid.as_pid()?, heap.export(*data))),
            ("read_concurrency", [on]) => table.hints.read_concurrency = on.as_bool()?,
            ("write_concurrency", [on]) => {
                table.hints.write_concurrency = on.as_bool().or((on.as_atom()?.as_str() == "auto").then_some(true))?;
            }
            ("decentralized_counters", [on]) => table.hints.decentralized_counters = on.as_bool()?,
            _ => return None,
        }
        Some(())
    }

    fn ets_delete_table(&mut self, p: &mut Process<O::Log>, t: Term) -> Answer {
        let id = self.ets_table(p, t, Want::Write)?;
        self.ets_drop(p, id)?;
        p.tables.retain(|&t| t != id);
        Ok(TRUE)
    }

    /// Deletes a table: blind writes of its name and of itself.
    pub(crate) fn ets_drop(&mut self, p: &Process<O::Log>, id: Reference) -> Result<(), Interrupt> {
        let Some(table) = self.tables.get(&id) else {
            return Ok(());
        };
        let (resource, name) = (table.resource(), table.named.then_some(table.name));
        if let Some(name) = name {
            let named = self.ets_name(name);
            self.write(p, named, Value::Absent, false)?;
        }
        self.write(p, resource, Value::Absent, false)?;
        if self.plan.is_none() {
            // Replay keeps it: older versions may still be read.
            if let Some(table) = self.tables.remove(&id) {
                for resource in table.keys.values() {
                    self.resources.forget(*resource);
                }
            }
        }
        Ok(())
    }

    fn ets_rename(&mut self, p: &mut Process<O::Log>, t: Term, name: Term) -> Answer {
        let id = self.ets_table(p, t, Want::Write)?;
        let name = name.as_atom().ok_or_else(badarg)?;
        let (named, old) = self.tables.get(&id).map(|t| (t.named, t.name)).ok_or_else(badarg)?;
        if named && old != name {
            if self.ets_by_name(p, name)?.is_some() {
                return Err(badarg());
            }
            let (from, to) = (self.ets_name(old), self.ets_name(name));
            self.write(p, from, Value::Absent, false)?;
            self.write(p, to, Value::Reference(id), true)?;
        }
        if let Some(table) = self.tables.get_mut(&id) {
            table.name = name;
        }
        Ok(Term::atom(name))
    }

    fn ets_give_away(&mut self, p: &mut Process<O::Log>, t: Term, to: Term, data: Term) -> Answer {
        let id = self.ets_table(p, t, Want::Own)?;
        let to = to.as_pid().filter(|&pid| pid != p.pid).ok_or_else(badarg)?;
        if self.read_life(p, to)? != crate::resources::Life::Alive {
            return Err(badarg());
        }
        let (resource, shown) = {
            let table = self.tables.get(&id).ok_or_else(badarg)?;
            (table.resource(), table.named.then_some(table.name))
        };
        self.write(p, resource, Value::Pid(to), true)?;
        p.tables.retain(|&t| t != id);
        if let Some((_, q)) = self.table.by_pid_mut(to) {
            q.tables.push(id);
        }
        let data = p.machine.heap.export(data);
        let message = transfer(id, shown, p.pid, &data);
        self.ets_sends.push((to, message));
        Ok(TRUE)
    }

    fn ets_setopts(&mut self, p: &mut Process<O::Log>, t: Term, options: Term) -> Answer {
        let id = self.ets_table(p, t, Want::Own)?;
        let list = match p.machine.heap.list(options) {
            Some(list) => list,
            None => vec![options],
        };
        for option in list {
            let elements = p.machine.heap.tuple(option).ok_or_else(badarg)?;
            let key = elements.first().and_then(|k| k.as_atom()).ok_or_else(badarg)?.as_str();
            let heir = match (key, &elements[1..]) {
                ("heir", [none]) if none.as_atom().is_some_and(|a| a.as_str() == "none") => None,
                ("heir", [pid, data]) => Some((pid.as_pid().ok_or_else(badarg)?, p.machine.heap.export(*data))),
                _ => return Err(badarg()),
            };
            if let Some(table) = self.tables.get_mut(&id) {
                table.heir = heir;
            }
        }
        Ok(TRUE)
    }

    fn ets_info(&mut self, p: &mut Process<O::Log>, t: Term, item: Term) -> Answer {
        let Some(id) = self.ets_find(p, t)? else {
            return Ok(UNDEFINED);
        };
        if !self.tables.contains_key(&id) {
            return Ok(UNDEFINED);
        }
        let Some(owner) = self.ets_owner(p, id)? else {
            return Ok(UNDEFINED);
        };
        const ALL: &[&str] = &[
            "id",
            "decentralized_counters",
            "read_concurrency",
            "write_concurrency",
            "compressed",
            "memory",
            "owner",
            "heir",
            "name",
            "size",
            "node",
            "named_table",
            "type",
            "keypos",
            "protection",
        ];
        let wants_size = item == Term::NONE || item.as_atom().is_some_and(|a| ["size", "memory"].contains(&a.as_str()));
        let (mut size, mut words) = (0, 0);
        if wants_size {
            for (_, objects) in self.ets_rows(p, id)? {
                size += objects.len();
                words += objects.iter().map(Fragment::size).sum::<usize>();
            }
        }
        let table = self.tables.get(&id).ok_or_else(badarg)?.clone();
        let heap = &mut p.machine.heap;
        let word = |s: &str| Term::atom(Atom::new(s));
        let value = |heap: &mut interpreter::heap::Heap, item: &str| {
            Some(match item {
                "id" => heap.make_reference(id),
                "decentralized_counters" => Term::boolean(table.hints.decentralized_counters),
                "read_concurrency" => Term::boolean(table.hints.read_concurrency),
                "write_concurrency" => Term::boolean(table.hints.write_concurrency),
                "compressed" => Term::boolean(table.hints.compressed),
                "memory" => Term::small(words as i64 + 300),
                "owner" => Term::pid(owner),
                "heir" => table.heir.as_ref().map_or(word("none"), |(pid, _)| Term::pid(*pid)),
                "name" => Term::atom(table.name),
                "size" => Term::small(size as i64),
                "node" => Term::atom(p.machine.local.node),
                "named_table" => Term::boolean(table.named),
                "type" => word(table.kind.word()),
                "keypos" => Term::small(table.key_position as i64),
                "protection" => word(table.protection.word()),
                "fixed" => Term::boolean(table.fixed > 0),
                "safe_fixed" | "safe_fixed_monotonic_time" => FALSE,
                _ => return None,
            })
        };
        if item == Term::NONE {
            let mut pairs = Vec::new();
            for name in ALL {
                let v = value(heap, name).ok_or_else(badarg)?;
                pairs.push(heap.make_tuple(&[word(name), v]));
            }
            return Ok(heap.make_list(&pairs));
        }
        let item = item.as_atom().ok_or_else(badarg)?.as_str();
        value(heap, item).ok_or_else(badarg)
    }
}

/// The message that tells a process that it owns a table now.
pub(crate) fn transfer(id: Reference, name: Option<Atom>, from: Pid, data: &Fragment) -> Fragment {
    use crate::terms::{Part, tuple};
    let table = name.map_or(Part::Reference(id), |name| Part::Term(Term::atom(name)));
    tuple(&[
        Part::Term(Term::atom(Atom::new("ETS-TRANSFER"))),
        table,
        Part::Term(Term::pid(from)),
        Part::Fragment(data),
    ])
}
