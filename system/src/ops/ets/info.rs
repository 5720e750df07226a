//! `ets:info/1,2`.

use interpreter::atom::Atom;
use interpreter::term::Term;

use crate::ops::{FALSE, OpResult, UNDEFINED, badarg};
use crate::state::tables::table::{Protection, WriteConcurrency};
use crate::step::Step;

pub(super) fn info(step: &mut Step<'_>) -> OpResult {
    let [t, item] = step.args();
    if item != Term::NONE && item.as_atom().is_none() {
        return Err(badarg());
    }
    let Some(id) = step.ets_find(t)? else {
        return Ok(UNDEFINED);
    };
    step.ets_was_made(id)?;
    let Some(holding) = step.ets_holding(id)? else {
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
    if let Some(what @ ("safe_fixed" | "safe_fixed_monotonic_time")) = item.as_atom().map(Atom::as_str) {
        return step.ets_fixers(id, what == "safe_fixed");
    }
    let asks_fixed = item.as_atom().is_some_and(|a| a.as_str() == "fixed");
    let fixed = match asks_fixed {
        true => Some(step.ets_fixed_since(id)?.is_some()),
        false => None,
    };
    let wants_size = item == Term::NONE || item.as_atom().is_some_and(|a| ["size", "memory"].contains(&a.as_str()));
    let version = if wants_size { step.ets_scan_version(id)? } else { 0 };
    let table = step.world.tables.get(&id).ok_or_else(badarg)?;
    let (size, words) = if wants_size {
        table.contents.size(version)
    } else {
        (0, 0)
    };
    let heap = &mut step.process.machine.heap;
    let word = |s: &str| Term::atom(Atom::new(s));
    let is_shared = holding.protection != Protection::Private;
    let value = |heap: &mut interpreter::heap::Heap, item: &str| {
        Some(match item {
            "id" => heap.make_reference(id),
            "decentralized_counters" => Term::boolean(is_shared && table.hints.counts_apart(table.kind)),
            "read_concurrency" => Term::boolean(table.hints.read_concurrency),
            "write_concurrency" => match table.hints.write_concurrency {
                WriteConcurrency::Auto if is_shared => word("auto"),
                concurrency => Term::boolean(is_shared && concurrency == WriteConcurrency::Yes),
            },
            "compressed" => Term::boolean(table.hints.compressed),
            "memory" => Term::small(words as i64 + 300),
            "owner" => Term::pid(holding.owner),
            "heir" => holding.heir.as_ref().map_or(word("none"), |(pid, _)| Term::pid(*pid)),
            "name" => Term::atom(holding.name),
            "size" => Term::small(size as i64),
            "node" => Term::atom(step.process.machine.local.node),
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
