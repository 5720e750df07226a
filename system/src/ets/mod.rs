//! ETS (OTP, stdlib, `ets`). Every key is a versioned shared resource, the table itself another (semantics.md §4): a reader of one key
//! does not depend on the writer of another; a scan depends on the last write of every key.
//!
//! Departure from OTP where OTP leaves it open: tables that are not ordered are iterated in term order of their keys.

mod contents;
mod fixing;
mod matching;
mod objects;
mod scan;
mod table;
mod write;

use std::sync::Arc;

use interpreter::atom::Atom;
use interpreter::heap::{Fragment, View};
use interpreter::term::{Pid, Reference, Term};
use log_format::{Access, ActionId, Kind as ActionKind, Resource, Version};

use crate::effects::{Answer, FALSE, TRUE, UNDEFINED, args, badarg, badarg_because};
use crate::observer::{Detail, Observer};
use crate::process::Process;
use crate::resources::Value;
use crate::system::{Interrupt, System};
pub use contents::Writer;
use contents::{Contents, Newest, Place};
use objects::Objects;
pub use table::{Hints, Holding, Key, Kind, Protection, Table, key_hash, value_hash};

/// What an operation wants to do with a table.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Want {
    Read,
    Write,
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
            "all" => self.ets_all(p),
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
                let place = self.ets_place(p, id, second)?;
                self.ets_write(p, id, place, None, Objects::default(), false)?;
                Ok(TRUE)
            }
            "take" => {
                let id = self.ets_table(p, first, Want::Write)?;
                let (place, objects) = self.ets_get(p, id, second)?;
                if !objects.is_empty() {
                    self.ets_write(p, id, place, None, Objects::default(), true)?;
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
            "safe_fixtable" => self.ets_fix(p, first, second),
            "info" => self.ets_info(p, first, second),
            _ => self.ets_scan(p, name),
        }
    }

    // ---- finding a table -------------------------------------------------------------------------------------------

    fn ets_name(&mut self, name: Atom, node: u16) -> Resource {
        let text = format!("ets:{name}{}", self.on_node(node));
        Resource::Other(self.resources.text(&text))
    }

    fn ets_by_name(&mut self, p: &mut Process<O::Log>, name: Atom) -> Result<Option<Reference>, Interrupt> {
        let resource = self.ets_name(name, p.pid.node());
        Ok(match self.read(p, resource)? {
            Value::Reference(id) => Some(id),
            _ => None,
        })
    }

    /// Raises `badarg` for a reference that never was a table of this node.
    fn ets_was_made(&self, p: &Process<O::Log>, id: Reference) -> Result<(), Interrupt> {
        let resource = Resource::Table(crate::ids::object(id));
        let was_made = id.owner.node() != p.pid.node()
            || match &p.feed {
                Some(feed) => feed.access(resource).is_some(),
                None => self.resources.was_written(resource),
            };
        if was_made { Ok(()) } else { Err(badarg_because("type")) }
    }

    /// Who holds a table, and how; `None` if it does not exist (any more).
    fn ets_holding(&mut self, p: &mut Process<O::Log>, id: Reference) -> Result<Option<Arc<Holding>>, Interrupt> {
        let resource = Resource::Table(crate::ids::object(id));
        let was_table = match &p.feed {
            // The step read it exactly if it was, or had been, a table.
            Some(feed) => feed.access(resource).is_some(),
            None => self.resources.was_written(resource),
        };
        if !was_table {
            return Ok(None);
        }
        let again = self.accesses.iter().any(|a| a.resource == resource);
        let value = self.read(p, resource)?;
        if again {
            // One step reads it once.
            self.accesses.pop();
        }
        Ok(match value {
            Value::Table(holding) => Some(holding),
            _ => None,
        })
    }

    /// All tables. Which there are is read from each of them.
    fn ets_all(&mut self, p: &mut Process<O::Log>) -> Answer {
        let all = Resource::Other(self.resources.text("ets:all"));
        self.read(p, all)?;
        let mut tables: Vec<Reference> = match &p.feed {
            None => self
                .tables
                .keys()
                .copied()
                .filter(|id| id.owner.node() == p.pid.node())
                .collect(),
            Some(feed) => {
                let accesses = feed.head().map(|a| a.accesses.clone()).unwrap_or_default();
                let mut tables = Vec::new();
                for access in accesses {
                    let Resource::Table(table) = access.resource else {
                        continue;
                    };
                    match self.tables.keys().find(|id| crate::ids::object(**id) == table) {
                        Some(id) => tables.push(*id),
                        None => {
                            let wanted = crate::resources::Wanted::Version(access.resource, access.version);
                            return Err(Interrupt::Blocked(wanted));
                        }
                    }
                }
                tables
            }
        };
        tables.sort_unstable();
        let mut out = Vec::new();
        for id in tables {
            if let Some(holding) = self.ets_holding(p, id)? {
                out.push(if holding.named {
                    Term::atom(holding.name)
                } else {
                    p.machine.heap.make_reference(id)
                });
            }
        }
        Ok(p.machine.heap.make_list(&out))
    }

    fn ets_find(&mut self, p: &mut Process<O::Log>, t: Term) -> Result<Option<Reference>, Interrupt> {
        if let Some(name) = t.as_atom() {
            return self.ets_by_name(p, name);
        }
        match p.machine.heap.view(t) {
            View::Reference(id) => Ok(Some(id)),
            _ => Err(badarg_because("type")),
        }
    }

    /// The table that an argument names, if this process may do what it wants with it; raises `badarg`.
    fn ets_table(&mut self, p: &mut Process<O::Log>, t: Term, want: Want) -> Result<Reference, Interrupt> {
        let id = self.ets_find(p, t)?.ok_or_else(|| badarg_because("id"))?;
        self.ets_was_made(p, id)?;
        if id.owner.node() != p.pid.node() {
            // No table of this node.
            return Err(badarg_because("id"));
        }
        let holding = self.ets_holding(p, id)?.ok_or_else(|| badarg_because("id"))?;
        let allowed = holding.owner == p.pid
            || match (holding.protection, want) {
                (Protection::Private, _) => false,
                (Protection::Public, _) => true,
                (Protection::Protected, want) => want == Want::Read,
            };
        if allowed { Ok(id) } else { Err(badarg_because("access")) }
    }

    fn ets_kind(&self, id: Reference) -> (Kind, usize) {
        self.tables
            .get(&id)
            .map_or((Kind::Set, 1), |t| (t.kind, t.key_position))
    }

    fn ets_place(&mut self, p: &Process<O::Log>, id: Reference, key: Term) -> Result<Place, Interrupt> {
        let table = self.tables.get(&id).ok_or_else(badarg)?;
        Ok(table.contents.place(&p.machine.heap, key, table.kind))
    }

    /// Reads the objects of a key.
    fn ets_get(&mut self, p: &Process<O::Log>, id: Reference, key: Term) -> Result<(Place, Objects), Interrupt> {
        let place = self.ets_place(p, id, key)?;
        let objects = self.ets_read(p, id, place)?;
        Ok((place, objects))
    }

    /// Reads what a key holds: now, or as the log says.
    fn ets_read(&mut self, p: &Process<O::Log>, id: Reference, place: Place) -> Result<Objects, Interrupt> {
        let table = self.tables.get(&id).ok_or_else(badarg)?;
        let resource = table.key_resource(place);
        let Some(feed) = &p.feed else {
            let Newest { version, by, objects } = table.contents.newest(place);
            self.accesses.push(Access::read(resource, Version(version), by));
            return Ok(objects);
        };
        let Some(access) = feed.access(resource) else {
            return Err(Interrupt::Diverged(self.divergence(
                p,
                feed.describe_head(),
                "it reads a key of a table that the recorded step did not use".to_owned(),
            )));
        };
        let object = crate::ids::object(id);
        if let Some(by) = access.by
            && !table.contents.was_written_by(by)
        {
            return Err(Interrupt::Blocked(crate::resources::Wanted::Contents(object, by)));
        }
        // What a write reads is what the write before it left.
        let version = access.version.0 - u64::from(access.write && access.version.0 > 0);
        let objects = table.contents.at(place, version);
        if !access.write {
            self.accesses.push(access);
        }
        Ok(objects)
    }

    /// Writes a key; `key` must be given unless `objects` is empty. `reads`: what it held was read by this step
    /// ([`Self::ets_read`], whose access this replaces).
    fn ets_write(
        &mut self,
        p: &Process<O::Log>,
        id: Reference,
        place: Place,
        key: Option<Key>,
        objects: Objects,
        reads: bool,
    ) -> Result<(), Interrupt> {
        let table = self.tables.get(&id).ok_or_else(badarg)?;
        let resource = table.key_resource(place);
        let logged = self.logged_write(p, resource, "a key of a table")?;
        let access = logged.unwrap_or_else(|| {
            let version = Version(table.contents.version() + 1);
            if reads {
                Access::update(resource, version, table.contents.newest(place).by)
            } else {
                Access::write(resource, version)
            }
        });
        let me = ActionId::new(crate::ids::to_log(p.pid), p.actions + 1);
        if let Some(table) = self.tables.get_mut(&id) {
            Arc::make_mut(&mut table.contents).write(place, key, access.version.0, me, objects);
        }
        self.accesses.retain(|a| a.resource != resource);
        self.accesses.push(access);
        self.wake(crate::resources::Wanted::Contents(crate::ids::object(id), me));
        Ok(())
    }

    /// Reads the contents as a whole; answers their version.
    fn ets_scan_version(&mut self, p: &Process<O::Log>, id: Reference) -> Result<u64, Interrupt> {
        let table = self.tables.get_mut(&id).ok_or_else(badarg)?;
        let resource = table.contents_resource();
        let Some(feed) = &p.feed else {
            let version = Version(table.contents.version());
            let writers = Arc::make_mut(&mut table.contents).writers();
            if writers.is_empty() {
                self.accesses.push(Access::read(resource, version, None));
            }
            let reads = writers.into_iter().map(|by| Access::read(resource, version, Some(by)));
            self.accesses.extend(reads);
            return Ok(version.0);
        };
        let head = feed.head().map_or(&[][..], |a| &a.accesses);
        let reads: Vec<Access> = head.iter().filter(|a| a.resource == resource).copied().collect();
        let Some(version) = reads.first().map(|access| access.version.0) else {
            return Err(Interrupt::Diverged(self.divergence(
                p,
                feed.describe_head(),
                "it looks at a whole table, the recorded step did not".to_owned(),
            )));
        };
        for by in reads.iter().filter_map(|access| access.by) {
            if !table.contents.was_written_by(by) {
                let object = crate::ids::object(id);
                return Err(Interrupt::Blocked(crate::resources::Wanted::Contents(object, by)));
            }
        }
        self.accesses.extend(reads);
        Ok(version)
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
            return Err(badarg_because("badkey"));
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
            kind: Kind::Set,
            key_position: 1,
            hints: Hints::default(),
            contents: Arc::new(Contents::new(self.plan.is_some(), self.native_version() > 1)),
            fixed: Default::default(),
            fixed_since: 0,
        };
        let mut holding = Holding {
            owner: p.pid,
            name,
            named: false,
            protection: Protection::Protected,
            heir: None,
        };
        for option in p.machine.heap.list(options).ok_or_else(badarg)? {
            self.ets_option(p, &mut table, &mut holding, option)
                .ok_or_else(badarg)?;
        }
        let id = table.id;
        let resource = table.resource();
        let named = holding.named;
        if named {
            if self.ets_by_name(p, name)?.is_some() {
                return Err(badarg_because("already_exists"));
            }
            let resource = self.ets_name(name, p.pid.node());
            self.write(p, resource, Value::Reference(id), true)?;
        }
        self.write(p, resource, Value::Table(Arc::new(holding)), false)?;
        p.machine.local.references += 1;
        p.rare.tables.push(id);
        self.tables.insert(id, table);
        Ok(if named {
            Term::atom(name)
        } else {
            p.machine.heap.make_reference(id)
        })
    }

    /// Applies one option of `ets:new/2`; `None` if it is none.
    fn ets_option(&self, p: &Process<O::Log>, table: &mut Table, holding: &mut Holding, option: Term) -> Option<()> {
        let heap = &p.machine.heap;
        if let Some(atom) = option.as_atom() {
            if let Some(protection) = Protection::of(atom.as_str()) {
                holding.protection = protection;
                return Some(());
            }
            match atom.as_str() {
                "set" => table.kind = Kind::Set,
                "ordered_set" => table.kind = Kind::OrderedSet,
                "bag" => table.kind = Kind::Bag,
                "duplicate_bag" => table.kind = Kind::DuplicateBag,
                "named_table" => holding.named = true,
                "compressed" => table.hints.compressed = true,
                _ => return None,
            }
            return Some(());
        }
        let elements = heap.tuple(option)?;
        let key = elements.first()?.as_atom()?.as_str();
        match (key, &elements[1..]) {
            ("keypos", [n]) => table.key_position = usize::try_from(n.as_small()?).ok().filter(|&n| n > 0)?,
            ("heir", [none]) if none.as_atom()?.as_str() == "none" => holding.heir = None,
            ("heir", [pid, data]) => holding.heir = Some((pid.as_pid()?, heap.export(*data))),
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
        let Some(holding) = self.ets_holding(p, id)? else {
            return Err(badarg());
        };
        // That there is a table, and a name, is what the answer depends on.
        self.ets_drop(p, id, &holding, true)?;
        p.rare.tables.retain(|&t| t != id);
        Ok(TRUE)
    }

    /// Deletes a table: writes its name and itself, blind at the end of its owner. `reads`: where the program asked for it, so that the answer
    /// depends on both.
    pub(crate) fn ets_drop(
        &mut self,
        p: &Process<O::Log>,
        id: Reference,
        holding: &Holding,
        reads: bool,
    ) -> Result<(), Interrupt> {
        if holding.named {
            let named = self.ets_name(holding.name, id.owner.node());
            self.write(p, named, Value::Absent, reads)?;
        }
        self.write(p, Resource::Table(crate::ids::object(id)), Value::Absent, reads)?;
        if self.plan.is_none() {
            // Replay keeps it: older versions may still be read.
            self.tables.remove(&id);
        }
        Ok(())
    }

    /// Changes how a table is held. The holding must have been read by this step.
    fn ets_hold(&mut self, p: &Process<O::Log>, id: Reference, holding: Holding) -> Result<(), Interrupt> {
        let resource = Resource::Table(crate::ids::object(id));
        self.write(p, resource, Value::Table(Arc::new(holding)), true)
    }

    fn ets_rename(&mut self, p: &mut Process<O::Log>, t: Term, name: Term) -> Answer {
        let id = self.ets_table(p, t, Want::Write)?;
        let name = name.as_atom().ok_or_else(badarg)?;
        let holding = self.ets_holding(p, id)?.ok_or_else(badarg)?;
        let shown = match holding.named {
            true => Term::atom(name),
            false => p.machine.heap.make_reference(id),
        };
        if holding.name == name {
            return Ok(shown);
        }
        if holding.named {
            if self.ets_by_name(p, name)?.is_some() {
                return Err(badarg());
            }
            let node = p.pid.node();
            let (from, to) = (self.ets_name(holding.name, node), self.ets_name(name, node));
            self.write(p, from, Value::Absent, true)?;
            self.write(p, to, Value::Reference(id), true)?;
        }
        let new = Holding {
            name,
            ..(*holding).clone()
        };
        self.ets_hold(p, id, new)?;
        Ok(shown)
    }

    fn ets_give_away(&mut self, p: &mut Process<O::Log>, t: Term, to: Term, data: Term) -> Answer {
        let id = self.ets_table(p, t, Want::Write)?;
        let to = to.as_pid().ok_or_else(badarg)?;
        let holding = self.ets_holding(p, id)?.ok_or_else(badarg)?;
        if holding.owner != p.pid {
            return Err(badarg_because("not_owner"));
        }
        if to == p.pid {
            return Err(badarg_because("owner"));
        }
        if self.read_life(p, to)? != crate::resources::Life::Alive {
            return Err(badarg());
        }
        let shown = holding.named.then_some(holding.name);
        let new = Holding {
            owner: to,
            ..(*holding).clone()
        };
        self.ets_hold(p, id, new)?;
        p.rare.tables.retain(|&t| t != id);
        if let Some((_, q)) = self.table.by_pid_mut(to) {
            q.rare.tables.push(id);
        }
        let data = p.machine.heap.export(data);
        let message = transfer(id, shown, p.pid, &data);
        self.ets_sends.push((to, message));
        Ok(TRUE)
    }

    fn ets_setopts(&mut self, p: &mut Process<O::Log>, t: Term, options: Term) -> Answer {
        let id = self.ets_table(p, t, Want::Write)?;
        let mut holding = (*self.ets_holding(p, id)?.ok_or_else(badarg)?).clone();
        if holding.owner != p.pid {
            return Err(badarg());
        }
        let list = match p.machine.heap.tuple(options) {
            Some(_) => vec![options],
            None => p.machine.heap.list(options).ok_or_else(badarg)?,
        };
        let (mut heir, mut protection) = (false, false);
        for option in list {
            let elements = p.machine.heap.tuple(option).ok_or_else(badarg)?;
            let key = elements.first().and_then(|k| k.as_atom()).ok_or_else(badarg)?.as_str();
            match (key, &elements[1..]) {
                ("heir", [none]) if none.as_atom().is_some_and(|a| a.as_str() == "none") && !heir => {
                    holding.heir = None
                }
                ("heir", [pid, data]) if !heir => {
                    holding.heir = Some((pid.as_pid().ok_or_else(badarg)?, p.machine.heap.export(*data)));
                }
                ("protection", [word]) if !protection => {
                    let word = word.as_atom().ok_or_else(badarg)?;
                    holding.protection = Protection::of(word.as_str()).ok_or_else(badarg)?;
                }
                _ => return Err(badarg()),
            }
            heir |= key == "heir";
            protection |= key == "protection";
        }
        self.ets_hold(p, id, holding)?;
        Ok(TRUE)
    }

    fn ets_info(&mut self, p: &mut Process<O::Log>, t: Term, item: Term) -> Answer {
        if item != Term::NONE && item.as_atom().is_none() {
            return Err(badarg());
        }
        let Some(id) = self.ets_find(p, t)? else {
            return Ok(UNDEFINED);
        };
        self.ets_was_made(p, id)?;
        let Some(holding) = self.ets_holding(p, id)? else {
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
        if let Some(what @ ("safe_fixed" | "safe_fixed_monotonic_time")) = item.as_atom().map(Atom::as_str)
            && self.native_version() > 1
        {
            return self.ets_fixers(p, id, what == "safe_fixed");
        }
        let asks_fixed = item.as_atom().is_some_and(|a| a.as_str() == "fixed") && self.native_version() > 1;
        let fixed = match asks_fixed {
            true => Some(self.ets_fixed_since(p, id)?.is_some()),
            false => None,
        };
        let wants_size = item == Term::NONE || item.as_atom().is_some_and(|a| ["size", "memory"].contains(&a.as_str()));
        let version = if wants_size { self.ets_scan_version(p, id)? } else { 0 };
        let table = self.tables.get(&id).ok_or_else(badarg)?;
        let (size, words) = if wants_size {
            table.contents.size(version)
        } else {
            (0, 0)
        };
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
                "owner" => Term::pid(holding.owner),
                "heir" => holding.heir.as_ref().map_or(word("none"), |(pid, _)| Term::pid(*pid)),
                "name" => Term::atom(holding.name),
                "size" => Term::small(size as i64),
                "node" => Term::atom(p.machine.local.node),
                "named_table" => Term::boolean(holding.named),
                "type" => word(table.kind.word()),
                "keypos" => Term::small(table.key_position as i64),
                "protection" => word(holding.protection.word()),
                "fixed" => Term::boolean(fixed.unwrap_or(!table.fixed.is_empty())),
                "safe_fixed" | "safe_fixed_monotonic_time" => FALSE,
                "binary" => Term::NIL,
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
