//! Ownership of tables: making, deleting, handing over.

use std::sync::Arc;

use interpreter::atom::Atom;
use interpreter::heap::Fragment;
use interpreter::newer::Newer;
use interpreter::term::{Pid, Reference, Term};
use log_format::{OtherResource, Resource};

use super::Want;
use crate::ids;
use crate::ops::{OpResult, TRUE, badarg, badarg_because};
use crate::state::resources::Value;
use crate::state::tables::contents::Contents;
use crate::state::tables::table::Holding;
use crate::state::tables::table::{Hints, Protection, Table, TableKind, WriteConcurrency};
use crate::step::{Interrupt, Step};

/// All tables. For each one, whether it exists is read.
pub(super) fn all(step: &mut Step<'_>) -> OpResult {
    let all = Resource::Other(step.world.resources.text(&OtherResource::Tables.to_string()));
    step.read(all)?;
    let find = |object| step.world.tables.keys().copied().find(|id| ids::object(*id) == object);
    let mut tables: Vec<Reference> = match step.process.mode.order() {
        None => step
            .world
            .tables
            .keys()
            .copied()
            .filter(|id| id.owner.node() == step.process.pid.node())
            .collect(),
        Some(order) => order
            .lists_tables(find)
            .map_err(|held| step.held(held, "list the tables"))?,
    };
    tables.sort_unstable();
    let mut out = Vec::new();
    for id in tables {
        if let Some(holding) = step.ets_holding(id)? {
            out.push(if holding.named {
                Term::atom(holding.name)
            } else {
                step.process.machine.heap.make_reference(id)
            });
        }
    }
    Ok(step.process.machine.heap.make_list(&out))
}

pub(super) fn new(step: &mut Step<'_>) -> OpResult {
    let [name, options] = step.args();
    let name = name.as_atom().ok_or_else(badarg)?;
    let mut table = Table {
        id: Reference {
            owner: step.process.pid,
            number: step.process.machine.local.references + 1,
        },
        kind: TableKind::Set,
        key_position: 1,
        hints: Hints::default(),
        contents: Arc::new(Contents::new(step.world.purpose.keeps_the_past())),
        fixed: Default::default(),
        fixed_since: 0,
    };
    let mut holding = Holding {
        owner: step.process.pid,
        name,
        named: false,
        protection: Protection::Protected,
        heir: None,
    };
    for option in step.process.machine.heap.list(options).ok_or_else(badarg)? {
        step.ets_option(&mut table, &mut holding, option).ok_or_else(badarg)?;
    }
    let id = table.id;
    let resource = table.resource();
    let named = holding.named;
    if named {
        if step.ets_by_name(name)?.is_some() {
            return Err(badarg_because("already_exists"));
        }
        let resource = step.world.ets_name(name, step.process.pid.node());
        step.write(resource, Value::Reference(id), true)?;
    }
    step.write(resource, Value::Table(Arc::new(holding)), false)?;
    step.process.machine.local.references += 1;
    step.process.rare.tables.push(id);
    step.world.tables.insert(id, table);
    Ok(if named {
        Term::atom(name)
    } else {
        step.process.machine.heap.make_reference(id)
    })
}

pub(super) fn delete_table(step: &mut Step<'_>) -> OpResult {
    let [t] = step.args();
    let id = step.ets_table(t, Want::Write)?;
    let Some(holding) = step.ets_holding(id)? else {
        return Err(badarg());
    };
    // The result depends on the table's existence, and on its name.
    step.ets_drop(id, &holding, true)?;
    step.takes_from(holding.owner)?;
    if holding.owner == step.process.pid {
        step.process.rare.tables.retain(|&t| t != id);
    } else if let Some((_, q)) = step.world.table.by_pid_mut(holding.owner) {
        q.rare.robbed = true;
    }
    Ok(TRUE)
}

pub(super) fn rename(step: &mut Step<'_>) -> OpResult {
    let [t, name] = step.args();
    let id = step.ets_table(t, Want::Write)?;
    let name = name.as_atom().ok_or_else(badarg)?;
    let holding = step.ets_holding(id)?.ok_or_else(badarg)?;
    let shown = match holding.named {
        true => Term::atom(name),
        false => step.process.machine.heap.make_reference(id),
    };
    if holding.name == name && !holding.named {
        return Ok(shown);
    }
    if holding.named {
        // The name is taken, even by this very table.
        if step.ets_by_name(name)?.is_some() {
            return Err(badarg());
        }
        let node = step.process.pid.node();
        let (from, to) = (step.world.ets_name(holding.name, node), step.world.ets_name(name, node));
        step.write(from, Value::Absent, true)?;
        step.write(to, Value::Reference(id), true)?;
    }
    let new = Holding {
        name,
        ..(*holding).clone()
    };
    step.ets_hold(id, new)?;
    Ok(shown)
}

pub(super) fn give_away(step: &mut Step<'_>) -> OpResult {
    let [t, to, data] = step.args();
    let id = step.ets_table(t, Want::Write)?;
    let to = to.as_pid().ok_or_else(badarg)?;
    let holding = step.ets_holding(id)?.ok_or_else(badarg)?;
    if holding.owner != step.process.pid {
        return Err(badarg_because("not_owner"));
    }
    if to == step.process.pid {
        return Err(badarg_because("owner"));
    }
    if step.read_life(to)? != crate::state::resources::Aliveness::Alive {
        return Err(badarg());
    }
    let shown = holding.named.then_some(holding.name);
    let new = Holding {
        owner: to,
        ..(*holding).clone()
    };
    step.ets_hold(id, new)?;
    step.process.rare.tables.retain(|&t| t != id);
    if let Some((_, q)) = step.world.table.by_pid_mut(to) {
        q.rare.tables.push(id);
    }
    let data = step.process.machine.heap.export(data);
    let message = transfer(id, shown, step.process.pid, &data);
    step.aside().ets_sends.push((to, message));
    Ok(TRUE)
}

pub(super) fn setopts(step: &mut Step<'_>) -> OpResult {
    let [t, options] = step.args();
    let id = step.ets_table(t, Want::Write)?;
    let mut holding = (*step.ets_holding(id)?.ok_or_else(badarg)?).clone();
    if holding.owner != step.process.pid {
        return Err(badarg());
    }
    let list = match step.process.machine.heap.tuple(options) {
        Some(_) => vec![options],
        None => step.process.machine.heap.list(options).ok_or_else(badarg)?,
    };
    let (mut heir, mut protection) = (false, false);
    for option in list {
        let elements = step.process.machine.heap.tuple(option).ok_or_else(badarg)?;
        let key = elements.first().and_then(|k| k.as_atom()).ok_or_else(badarg)?.as_str();
        match (key, &elements[1..]) {
            ("heir", [none]) if none.as_atom().is_some_and(|a| a.as_str() == "none") && !heir => holding.heir = None,
            ("heir", [pid, data]) if !heir => {
                holding.heir = Some((
                    pid.as_pid().ok_or_else(badarg)?,
                    Some(step.process.machine.heap.export(*data)),
                ));
            }
            ("heir", [pid]) if !heir && Newer::HeirWithoutData.is_in(step.release()) => {
                holding.heir = Some((pid.as_pid().ok_or_else(badarg)?, None));
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
    step.ets_hold(id, holding)?;
    Ok(TRUE)
}

impl Step<'_> {
    pub(crate) fn ets_by_name(&mut self, name: Atom) -> Result<Option<Reference>, Interrupt> {
        let resource = self.world.ets_name(name, self.process.pid.node());
        Ok(match self.read(resource)? {
            Value::Reference(id) => Some(id),
            _ => None,
        })
    }

    /// Raises `badarg` for a reference that was never a table of this node.
    pub(crate) fn ets_was_made(&self, id: Reference) -> Result<(), Interrupt> {
        let resource = Resource::Table(ids::object(id));
        let was_made = id.owner.node() != self.process.pid.node()
            || self.uses(resource, |world| world.resources.was_written(resource));
        if was_made { Ok(()) } else { Err(badarg_because("type")) }
    }

    /// The holding of a table; `None` if it does not exist (any more).
    pub(crate) fn ets_holding(&mut self, id: Reference) -> Result<Option<Arc<Holding>>, Interrupt> {
        let resource = Resource::Table(ids::object(id));
        let was_table = self.uses(resource, |world| world.resources.was_written(resource));
        if !was_table {
            return Ok(None);
        }
        let again = self.accesses.iter().any(|a| a.resource == resource);
        let value = self.read(resource)?;
        if again {
            // A step reads it only once.
            self.accesses.pop();
        }
        Ok(match value {
            Value::Table(holding) => Some(holding),
            _ => None,
        })
    }

    /// Applies one option of `ets:new/2`; `None` if it is not valid.
    pub(crate) fn ets_option(&self, table: &mut Table, holding: &mut Holding, option: Term) -> Option<()> {
        let heap = &self.process.machine.heap;
        if let Some(atom) = option.as_atom() {
            if let Some(protection) = Protection::of(atom.as_str()) {
                holding.protection = protection;
                return Some(());
            }
            match atom.as_str() {
                "set" => table.kind = TableKind::Set,
                "ordered_set" => table.kind = TableKind::OrderedSet,
                "bag" => table.kind = TableKind::Bag,
                "duplicate_bag" => table.kind = TableKind::DuplicateBag,
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
            ("heir", [none]) if none.as_atom().is_some_and(|word| word.as_str() == "none") => holding.heir = None,
            ("heir", [pid]) if Newer::HeirWithoutData.is_in(self.release()) => {
                holding.heir = Some((pid.as_pid()?, None))
            }
            ("heir", [pid, data]) => holding.heir = Some((pid.as_pid()?, Some(heap.export(*data)))),
            ("read_concurrency", [on]) => table.hints.read_concurrency = on.as_bool()?,
            ("write_concurrency", [on]) => {
                let is_auto = on.as_atom().is_some_and(|word| word.as_str() == "auto");
                let locks = heap.tuple(*on).filter(|parts| {
                    matches!(parts, [word, number] if number.as_small().is_some()
                        && word.as_atom().is_some_and(|word| word.as_str() == "debug_hash_fixed_number_of_locks"))
                });
                table.hints.write_concurrency = match on.as_bool() {
                    _ if is_auto => WriteConcurrency::Auto,
                    Some(false) => WriteConcurrency::No,
                    Some(true) => WriteConcurrency::Yes,
                    None if locks.is_some() => WriteConcurrency::Yes,
                    None => return None,
                };
            }
            ("decentralized_counters", [on]) => table.hints.decentralized_counters = Some(on.as_bool()?),
            _ => return None,
        }
        Some(())
    }

    /// Deletes a table: writes its name and the table itself; blind at the end of its owner. `reads`: the program asked for it, so the result
    /// depends on both.
    pub(crate) fn ets_drop(&mut self, id: Reference, holding: &Holding, reads: bool) -> Result<(), Interrupt> {
        if holding.named {
            let named = self.world.ets_name(holding.name, id.owner.node());
            self.write(named, Value::Absent, reads)?;
        }
        self.write(Resource::Table(ids::object(id)), Value::Absent, reads)?;
        if !self.world.purpose.keeps_the_past() {
            // Replay keeps it: older versions may still be read.
            let removed = self.world.tables.remove(&id);
            let words = removed.map_or(0, |table| table.contents.words());
            self.world.table_words = self.world.table_words.saturating_sub(words);
        }
        Ok(())
    }

    /// Changes the holding of a table, which this step must have read.
    pub(crate) fn ets_hold(&mut self, id: Reference, holding: Holding) -> Result<(), Interrupt> {
        let resource = Resource::Table(ids::object(id));
        self.write(resource, Value::Table(Arc::new(holding)), true)
    }
}

/// The message that tells a process that it owns a table now.
pub(crate) fn transfer(id: Reference, name: Option<Atom>, from: Pid, data: &Fragment) -> Fragment {
    use crate::terms::{TuplePart, tuple};
    let table = name.map_or(TuplePart::Reference(id), |name| TuplePart::Term(Term::atom(name)));
    tuple(&[
        TuplePart::Term(Term::atom(Atom::new("ETS-TRANSFER"))),
        table,
        TuplePart::Term(Term::pid(from)),
        TuplePart::Fragment(data),
    ])
}
