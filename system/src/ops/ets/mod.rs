//! ETS (OTP, stdlib, `ets`). Every key is a versioned shared resource, and so is the table itself (semantics.md §4): a reader of one key does
//! not depend on the writer of another; a scan depends on the last write of every key.
//!
//! Where OTP leaves the order open, we fix it: unordered tables are iterated in term order of their keys.

mod access;
mod fixing;
mod forget;
mod holding;
mod info;
pub(crate) mod matching;
mod scan;
mod search;
mod write;

pub(crate) use holding::transfer;

use interpreter::atom::Atom;
use interpreter::heap::TermView;
use interpreter::native::NativeClass;
use interpreter::term::{Reference, Term};
use log_format::{Kind as ActionKind, OtherResource, Resource};

use crate::observer::Detail;
use crate::ops::{OpResult, Operation, UNDEFINED, badarg, badarg_because};
use crate::step::{Interrupt, Step};
use crate::world::World;

use crate::state::tables::objects::Objects;
use crate::state::tables::table::{Protection, TableKind};

/// The access that an operation needs to a table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Want {
    Read,
    Write,
}

// `name/arity => function`. All of them are accesses.
macro_rules! operations {
    ($( $name:literal / $arity:literal => $run:path, )+) => {
        pub(super) const OPERATIONS: &[Operation] = &[$(
            Operation::new("ets", $name, $arity, NativeClass::Access, |step| carry_out(step, $run)),
        )+];
    };
}

operations! {
    "new" / 2 => holding::new,
    "all" / 0 => holding::all,
    "whereis" / 1 => whereis,
    "lookup" / 2 => lookup,
    "member" / 2 => member,
    "lookup_element" / 3 => lookup_element,
    "insert" / 2 => write::insert,
    "insert_new" / 2 => write::insert_new,
    "delete" / 1 => holding::delete_table,
    "delete" / 2 => write::delete,
    "take" / 2 => write::take,
    "delete_object" / 2 => write::delete_object,
    "update_counter" / 3 => write::update_counter,
    "update_counter" / 4 => write::update_counter,
    "update_element" / 3 => write::update_element,
    "rename" / 2 => holding::rename,
    "give_away" / 3 => holding::give_away,
    "setopts" / 2 => holding::setopts,
    "safe_fixtable" / 2 => fixing::safe_fixtable,
    "info" / 1 => info::info,
    "info" / 2 => info::info,
    "tab2list" / 1 => scan::tab2list,
    "first" / 1 => scan::first,
    "last" / 1 => scan::last,
    "next" / 2 => scan::next,
    "prev" / 2 => scan::prev,
    "slot" / 2 => scan::slot,
    "delete_all_objects" / 1 => scan::delete_all_objects,
    "match" / 1 => search::go_on,
    "match" / 2 => search::match_bindings,
    "match" / 3 => search::match_bindings,
    "match_object" / 1 => search::go_on,
    "match_object" / 2 => search::match_object,
    "match_object" / 3 => search::match_object,
    "select" / 1 => search::go_on,
    "select" / 2 => search::select,
    "select" / 3 => search::select,
    "select_reverse" / 1 => search::go_on,
    "select_reverse" / 2 => search::select_reverse,
    "select_reverse" / 3 => search::select_reverse,
    "select_count" / 2 => search::select_count,
    "select_delete" / 2 => search::select_delete,
    "match_delete" / 2 => search::match_delete,
    "select_replace" / 2 => search::select_replace,
    "match_spec_compile" / 1 => search::match_spec_compile,
    "match_spec_run" / 2 => search::match_spec_run,
    "test_ms" / 2 => search::test_ms,
    "first_lookup" / 1 => scan::first_lookup,
    "last_lookup" / 1 => scan::last_lookup,
    "next_lookup" / 2 => scan::next_lookup,
    "prev_lookup" / 2 => scan::prev_lookup,
    "lookup_element" / 4 => lookup_element,
    "update_element" / 4 => write::update_element,
}

/// Performs an operation on tables: one action, even if it raises.
fn carry_out(step: &mut Step<'_>, run: fn(&mut Step<'_>) -> OpResult) -> OpResult {
    let result = run(step);
    if let Ok(_) | Err(Interrupt::Raise(_)) = result {
        step.ets_done()?;
    }
    result
}

fn whereis(step: &mut Step<'_>) -> OpResult {
    let [name] = step.args();
    let name = name.as_atom().ok_or_else(badarg)?;
    Ok(match step.ets_by_name(name)? {
        Some(id) => step.process.machine.heap.make_reference(id),
        None => UNDEFINED,
    })
}

fn lookup(step: &mut Step<'_>) -> OpResult {
    let [table, key] = step.args();
    let id = step.ets_table(table, Want::Read)?;
    let (_, objects) = step.ets_get(id, key)?;
    Ok(list_of(step, &objects))
}

/// The objects as a list in the caller's heap.
fn list_of(step: &mut Step<'_>, objects: &Objects) -> Term {
    let heap = &mut step.process.machine.heap;
    let list: Vec<Term> = objects.iter().map(|object| heap.import(object)).collect();
    heap.make_list(&list)
}

fn lookup_element(step: &mut Step<'_>) -> OpResult {
    let [t, key, position, default] = step.args();
    let id = step.ets_table(t, Want::Read)?;
    let position = position
        .as_small()
        .and_then(|n| usize::try_from(n).ok())
        .filter(|&n| n > 0)
        .ok_or_else(badarg)?;
    let (_, objects) = step.ets_get(id, key)?;
    if objects.is_empty() {
        return match default {
            Term::NONE => Err(badarg_because("badkey")),
            default => Ok(default),
        };
    }
    let mut values = Vec::with_capacity(objects.len());
    for object in objects.iter() {
        let object = step.process.machine.heap.import(object);
        let element = step
            .process
            .machine
            .heap
            .tuple(object)
            .and_then(|e| e.get(position - 1))
            .copied();
        values.push(element.ok_or_else(badarg)?);
    }
    if step.world.ets_kind(id).0.is_set() {
        Ok(values[0])
    } else {
        Ok(step.process.machine.heap.make_list(&values))
    }
}

fn member(step: &mut Step<'_>) -> OpResult {
    let [table, key] = step.args();
    let id = step.ets_table(table, Want::Read)?;
    let (_, objects) = step.ets_get(id, key)?;
    Ok(Term::boolean(!objects.is_empty()))
}

impl Step<'_> {
    pub(crate) fn ets_done(&mut self) -> Result<(), Interrupt> {
        if self.accesses.is_empty() {
            return Ok(());
        }
        self.expect(|k| matches!(k, ActionKind::Access), || "use a table".to_owned())?;
        let sends = self.take_ets_sends();
        self.commit(ActionKind::Access, sends.len() as u32, Detail::None);
        for (to, message) in sends {
            let tag = self.process.next_tag();
            self.deliver(to, tag, crate::state::signal::Signal::Message(message));
        }
        Ok(())
    }

    pub(crate) fn ets_find(&mut self, t: Term) -> Result<Option<Reference>, Interrupt> {
        if let Some(name) = t.as_atom() {
            return self.ets_by_name(name);
        }
        match self.process.machine.heap.view(t) {
            TermView::Reference(id) => Ok(Some(id)),
            _ => Err(badarg_because("type")),
        }
    }

    /// The table that an argument names, if this process may access it in this way; raises `badarg`.
    pub(crate) fn ets_table(&mut self, t: Term, want: Want) -> Result<Reference, Interrupt> {
        let id = self.ets_find(t)?.ok_or_else(|| badarg_because("id"))?;
        self.ets_was_made(id)?;
        if id.owner.node() != self.process.pid.node() {
            // No table of this node.
            return Err(badarg_because("id"));
        }
        let holding = self.ets_holding(id)?.ok_or_else(|| badarg_because("id"))?;
        let allowed = holding.owner == self.process.pid
            || match (holding.protection, want) {
                (Protection::Private, _) => false,
                (Protection::Public, _) => true,
                (Protection::Protected, want) => want == Want::Read,
            };
        if allowed { Ok(id) } else { Err(badarg_because("access")) }
    }
}

impl World {
    pub(crate) fn ets_name(&mut self, name: Atom, node: u16) -> Resource {
        let name = format!("{name}{}", self.on_node(node));
        let text = OtherResource::TableName(&name).to_string();
        Resource::Other(self.resources.text(&text))
    }

    pub(crate) fn ets_kind(&self, id: Reference) -> (TableKind, usize) {
        self.tables
            .get(&id)
            .map_or((TableKind::Set, 1), |t| (t.kind, t.key_position))
    }
}
