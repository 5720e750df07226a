//! Which processes exist, and their state.

pub(crate) mod facts;

use interpreter::atom::Atom;
use interpreter::native::NativeClass;
use interpreter::term::{Pid, Term};
use log_format::{ActionId, Kind};

use crate::ids;
use crate::observer::Detail;
use crate::ops::{OpResult, Operation, TRUE, UNDEFINED, badarg};
use crate::state::resources::Aliveness;
use crate::state::table::Lookup;
use crate::step::Step;

pub(super) const OPERATIONS: &[Operation] = &[
    Operation::new("erlang", "is_process_alive", 1, NativeClass::Access, is_process_alive).often_silent(),
    Operation::new("erlang", "processes", 0, NativeClass::Observe, processes),
    Operation::new("erlang", "process_info", 1, NativeClass::Observe, process_info),
    Operation::new("erlang", "process_info", 2, NativeClass::Observe, process_info),
];

fn is_process_alive(step: &mut Step<'_>) -> OpResult {
    let [target] = step.args();
    let here = |pid: &Pid| pid.node() == step.process.pid.node();
    let target = target.as_pid().filter(here).ok_or_else(badarg)?;
    if target == step.process.pid || crate::runtime::is_runtime(target) {
        return Ok(TRUE);
    }
    step.expect(
        |k| matches!(k, Kind::Access),
        || "ask whether a process is alive".to_owned(),
    )?;
    let life = step.read_life(target)?;
    step.commit(Kind::Access, 0, Detail::None);
    Ok(Term::boolean(life == Aliveness::Alive))
}

fn processes(step: &mut Step<'_>) -> OpResult {
    let node = step.process.pid.node();
    step.observe(None, |world, heap| {
        let pids = world.table.pids().into_iter().filter(|pid| pid.node() == node);
        let pids: Vec<Term> = pids.map(Term::pid).collect();
        heap.make_list(&pids)
    })
}

/// What `process_info/1` tells.
const USUAL: &[&str] = &[
    "registered_name",
    "current_function",
    "initial_call",
    "status",
    "message_queue_len",
    "links",
    "dictionary",
    "trap_exit",
    "error_handler",
    "priority",
    "group_leader",
    "total_heap_size",
    "heap_size",
    "stack_size",
    "reductions",
    "garbage_collection",
    "suspending",
];

fn process_info(step: &mut Step<'_>) -> OpResult {
    let [target, what] = step.args();
    let target = target
        .as_pid()
        .filter(|t| t.node() == step.process.pid.node())
        .ok_or_else(badarg)?;
    let is_single = what.is_atom() || step.process.machine.heap.tuple(what).is_some();
    let items: Vec<Term> = if what == Term::NONE {
        USUAL.iter().map(|n| Term::atom(Atom::new(n))).collect()
    } else if is_single {
        vec![what]
    } else {
        step.process.machine.heap.list(what).ok_or_else(badarg)?
    };
    let release = step.release();
    let heap = &step.process.machine.heap;
    if !items.iter().all(|item| facts::is_item(heap, *item, release)) {
        return Err(badarg());
    }
    let single = is_single;
    let all = what == Term::NONE;
    if crate::runtime::is_runtime(target) {
        let heap = &mut step.process.machine.heap;
        let mut list = Vec::with_capacity(items.len());
        for name in items {
            let value = match name.as_atom() {
                Some(name) => crate::runtime::item(heap, target, name.as_str()),
                None => UNDEFINED,
            };
            list.push(heap.make_tuple(&[name, value]));
        }
        return Ok(match list[..] {
            [one] if single => one,
            _ => heap.make_list(&list),
        });
    }
    let beyond = step.process.mode.is_beyond_its_log();
    let of_name = items.contains(&Term::atom(Atom::new("registered_name")));
    if target == step.process.pid {
        if facts::of_mailbox(&items) {
            step.lives_while_waiting()?;
        }
        if of_name {
            step.sees_name(target, step.process.rare.names.is_empty())?;
        }
        let facts = crate::ops::info::facts::facts(step.world, step.process, [beyond, true], &items, release);
        return step.observe(None, |_, heap| {
            crate::ops::info::facts::render(heap, &facts, &items, single, all)
        });
    }
    if step.process.mode.log().is_none() {
        // The request is a signal, which comes after all that the caller has sent.
        step.settle_all(target);
    }
    if of_name {
        let target_process = step.world.table.by_pid(target);
        let is_nameless = target_process.is_none_or(|q| q.rare.names.is_empty());
        step.sees_name(target, is_nameless)?;
    }
    let facts = match step.world.table.by_pid(target) {
        Some(q) if step.process.mode.log().is_none() => Some((
            crate::ops::info::facts::facts(step.world, q, [beyond, false], &items, release),
            q.actions,
        )),
        _ => None,
    };
    let of = match (&facts, step.world.table.find(target)) {
        (Some((_, n)), _) => Some(*n),
        // That it has ended follows from its last action.
        (None, Lookup::Dead(last)) => Some(last),
        (None, _) => None,
    };
    let of = of.map(|n| ActionId::new(ids::to_log(target), n));
    let at = match step.process.mode.logged_kind() {
        Some(Kind::Observe { of, .. }) => *of,
        _ => of,
    };
    let answer = step.observe(of, |_, heap| match &facts {
        Some((facts, _)) => crate::ops::info::facts::render(heap, facts, &items, single, all),
        None => UNDEFINED,
    })?;
    if let Some(at) = at
        && step.world.purpose.keeps_the_past()
    {
        step.remember_mailbox(target, at, answer);
    }
    Ok(answer)
}

impl Step<'_> {
    /// Replay: the last action has seen this of another process.
    fn remember_mailbox(&mut self, of: Pid, at: ActionId, answer: Term) {
        let name = Term::atom(Atom::new("message_queue_len"));
        let count = match self.process.machine.heap.tuple(answer) {
            Some(&[item, count]) if item == name => count.as_small(),
            _ => None,
        };
        let by = self.last_action();
        if let Some(count) = count.and_then(|count| u64::try_from(count).ok())
            && let Some((_, q)) = self.world.table.by_pid_mut(of)
        {
            let at = at.number.0;
            q.rare.past.seen.push(crate::state::rare::SeenLength { at, count, by });
        }
    }
}
