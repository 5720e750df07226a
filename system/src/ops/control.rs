//! Changes to a process's own flags, and to the running of other processes: `process_flag/2,3`, `suspend_process`, `resume_process`, `hibernate/3`.

use interpreter::atom::Atom;
use interpreter::native::{NativeClass, Raise};
use interpreter::term::{Pid, Term};
use log_format::{ActionId, Kind, Tag};

use crate::ids;
use crate::observer::{Detail, Fact};
use crate::ops::{FALSE, OK, OpResult, Operation, TRUE, args, badarg, badarg_because};
use crate::state::process::{Process, ProcessActivity};
use crate::state::resources::Aliveness;
use crate::state::signal::PendingExit;
use crate::state::turns::Sort;
use crate::step::{Interrupt, Step};
use crate::terms::{self, TuplePart};
use crate::world::World;

pub(super) const OPERATIONS: &[Operation] = &[
    Operation::new("erlang", "process_flag", 2, NativeClass::Pure, process_flag),
    Operation::new("erlang", "process_flag", 3, NativeClass::Observe, process_flag_of),
    Operation::new("erlang", "suspend_process", 1, NativeClass::Access, suspend_process),
    Operation::new("erlang", "suspend_process", 2, NativeClass::Access, suspend_process),
    Operation::new("erlang", "resume_process", 1, NativeClass::Access, resume_process),
    Operation::new("erlang", "hibernate", 3, NativeClass::Observe, hibernate),
    Operation::new("erlang", "hibernate", 0, NativeClass::Observe, hibernate_here),
];

pub(super) const AWAIT: &[Operation] = &[Operation::new(
    "erlang",
    "$await",
    1,
    NativeClass::Observe,
    wait_for_messages,
)];

/// `process_flag/3` supports one flag, `save_calls`, of any process of its node.
fn process_flag_of(step: &mut Step<'_>) -> OpResult {
    let [target, flag, value] = step.args();
    let target = local(step.process, target)?;
    let calls = value.as_small().filter(|n| (0..=10_000).contains(n));
    if flag.as_atom().map(Atom::as_str) != Some("save_calls") || calls.is_none() {
        return Err(badarg());
    }
    let release = step.release();
    if target == step.process.pid {
        return step
            .process
            .rare
            .flags
            .set(&mut step.process.machine.heap, "save_calls", value, release)
            .ok_or_else(badarg);
    }
    if step.process.mode.log().is_none() {
        step.settle_all(target);
    }
    // The flag is the other's private state, so the result is an observation of it. Setting it has no effect: no calls are saved.
    let found = match step.world.table.by_pid(target) {
        Some(q) if step.process.mode.log().is_none() => q
            .rare
            .flags
            .item(&mut step.process.machine.heap, "save_calls", release)
            .map(|old| (old, q.actions)),
        _ => None,
    };
    let of = found.map(|(_, n)| ActionId::new(crate::ids::to_log(target), n));
    let old = step.observe(of, |_, _| found.map_or(FALSE, |(old, _)| old))?;
    if old == FALSE { Err(badarg()) } else { Ok(old) }
}

/// `suspend_process/1,2`. In replay, the other process does what its log says whenever it can, so there is nothing to stop.
fn suspend_process(step: &mut Step<'_>) -> OpResult {
    let [target, list] = step.args();
    let options = suspend_options(step.process, list)?;
    let target = local(step.process, target)?;
    if target == step.process.pid {
        return Err(badarg());
    }
    let alive = step.living(target, "suspend a process")?;
    let again = options.unless_suspending && step.process.rare.suspending.contains_key(&target);
    let reply = options.reply;
    step.commit(Kind::Access, u32::from(reply.is_some()), Detail::None);
    if !alive && !options.asynchronous {
        return Err(badarg());
    }
    if alive && !again {
        *step.process.rare.suspending.entry(target).or_default() += 1;
        if step.process.mode.log().is_none()
            && let Some((_, q)) = step.world.table.by_pid_mut(target)
        {
            q.suspended += 1;
        }
    }
    if let Some(word) = reply {
        let state = if alive { "suspended" } else { "badarg" };
        let word = step.process.machine.heap.export(word);
        let message = terms::tuple(&[
            TuplePart::Fragment(&word),
            TuplePart::Term(Term::atom(Atom::new(state))),
        ]);
        let tag = step.process.next_tag();
        step.deliver(step.process.pid, tag, crate::state::signal::Signal::Message(message));
    }
    Ok(Term::boolean(!again))
}

/// `resume_process/1`: only for processes that the caller has suspended.
fn resume_process(step: &mut Step<'_>) -> OpResult {
    let [target] = step.args();
    let target = local(step.process, target)?;
    let Some(times) = step.process.rare.suspending.get(&target).copied() else {
        return Err(badarg());
    };
    let alive = step.living(target, "resume a process")?;
    step.commit(Kind::Access, 0, Detail::None);
    match times {
        1 => step.process.rare.suspending.remove(&target),
        _ => step.process.rare.suspending.insert(target, times - 1),
    };
    if !alive {
        return Err(badarg());
    }
    if step.process.mode.log().is_none() {
        step.world.resume(target, 1);
    }
    Ok(TRUE)
}

/// `hibernate/3` waits for a message. That one has come is an observation of the process's own mailbox.
fn hibernate(step: &mut Step<'_>) -> OpResult {
    let [module, function, list] = step.args();
    let arguments = step.process.machine.heap.list(list).map(|list| list.len());
    if module.as_atom().is_none() || function.as_atom().is_none() || arguments.is_none() {
        return Err(badarg());
    }
    if arguments.is_some_and(|n| n > 255) {
        return Err(Interrupt::Raise(Raise::system_limit()));
    }
    step.lives_while_waiting()?;
    let by = step.hears_mail()?;
    step.process.state = ProcessActivity::Ready;
    step.observe(by, |_, _| TRUE)?;
    step.has_woken();
    wake_up(step.process);
    Err(Interrupt::Jumped)
}

/// `hibernate/0` keeps the call stack.
fn hibernate_here(step: &mut Step<'_>) -> OpResult {
    step.lives_while_waiting()?;
    let by = step.hears_mail()?;
    step.process.state = ProcessActivity::Ready;
    step.observe(by, |_, _| OK)?;
    step.has_woken();
    Ok(OK)
}

/// `'$await'(N)`: waits until the mailbox contains more than N messages.
fn wait_for_messages(step: &mut Step<'_>) -> OpResult {
    let [count] = step.args();
    let count = count
        .as_small()
        .and_then(|n| usize::try_from(n).ok())
        .ok_or_else(badarg)?;
    step.lives_while_waiting()?;
    if step.process.mode.log().is_none() && step.process.machine.mailbox.len() <= count {
        return Err(Interrupt::Message);
    }
    step.process.state = ProcessActivity::Ready;
    step.observe(None, |_, _| TRUE)
}

/// `process_flag/2`: its own flags are computed again in replay.
fn process_flag(step: &mut Step<'_>) -> OpResult {
    let release = step.release();
    let p = &mut *step.process;
    let [flag, value] = args(p);
    let flag = flag.as_atom().ok_or_else(badarg)?;
    if flag.as_str() == "trap_exit" {
        let on = value.as_bool().ok_or_else(badarg)?;
        if on && step.hears() {
            let pid = crate::ids::to_log(step.process.pid);
            step.sink.learned(Fact::Traps { pid });
        }
        if on != step.process.trap_exit && step.world.purpose.keeps_the_past() {
            let at = step.process.actions;
            step.process.rare.past.turns.add(Sort::Exits, at, on);
        }
        let p = &mut *step.process;
        let before = std::mem::replace(&mut p.trap_exit, on);
        if on {
            trap_pending(p);
        }
        return Ok(Term::boolean(before));
    }
    if p.rare.flags.item(&mut p.machine.heap, flag.as_str(), release).is_none() {
        return Err(badarg_because("badopt"));
    }
    let bad = || match flag.as_str() {
        "save_calls" => badarg_because("none"),
        _ => badarg(),
    };
    let old = p
        .rare
        .flags
        .set(&mut p.machine.heap, flag.as_str(), value, release)
        .ok_or_else(bad)?;
    if flag == Atom::ERROR_HANDLER {
        let handler = value.as_atom().filter(|handler| *handler != Atom::ERROR_HANDLER);
        p.machine.set_error_handler(handler);
    }
    Ok(old)
}

/// A process starts trapping exits: an exit signal that has arrived but not taken effect becomes a message. If a later signal of the same
/// sender is already in the mailbox, the exit signal comes before it.
pub(crate) fn trap_pending(p: &mut Process) {
    let mailbox = &p.machine.mailbox;
    let pending = p.pending.take_if(|pending| {
        let follows = |tag| match (pending.tag, ids::unpack(tag)) {
            (Tag::Sent { by, k }, Tag::Sent { by: other, k: later }) => by == other && later > k,
            _ => false,
        };
        pending.trapped.is_some() && !mailbox.tags().any(follows)
    });
    if let Some(PendingExit {
        tag,
        trapped: Some(message),
        ..
    }) = pending.map(|pending| *pending)
    {
        p.machine.deliver(ids::pack(tag), message);
    }
}

impl World {
    /// Resumes a process this many times.
    pub(crate) fn resume(&mut self, target: Pid, times: u32) {
        let Some((slot, q)) = self.table.by_pid_mut(target) else {
            return;
        };
        q.suspended = q.suspended.saturating_sub(times);
        if q.suspended == 0 && std::mem::take(&mut q.held) {
            self.scheduler.ready(slot);
        }
    }
}

/// Leaves `hibernate/3`: drops the call stack and calls the given function.
fn wake_up(p: &mut Process) {
    let [module, function, list] = args(p);
    let arguments = p.machine.heap.list(list).unwrap_or_default();
    if let (Some(module), Some(function)) = (module.as_atom(), function.as_atom()) {
        p.machine.start_call(module, function, &arguments);
    }
}

/// A pid of the process's own node.
pub(crate) fn local(p: &Process, target: Term) -> Result<Pid, Interrupt> {
    let here = |pid: &Pid| pid.node() == p.pid.node();
    target.as_pid().filter(here).ok_or_else(badarg)
}

impl Step<'_> {
    /// Is a process of this node alive? Logged as an access.
    pub(crate) fn living(&mut self, target: Pid, what: &str) -> Result<bool, Interrupt> {
        self.expect(|k| matches!(k, Kind::Access), || what.to_owned())?;
        Ok(self.read_life(target)? == Aliveness::Alive)
    }
}

/// The options of `suspend_process/2`.
#[derive(Default)]
pub(crate) struct SuspendOptions {
    unless_suspending: bool,
    asynchronous: bool,
    /// `{asynchronous, Tag}`: the first element of the reply.
    reply: Option<Term>,
}

pub(crate) fn suspend_options(p: &Process, list: Term) -> Result<SuspendOptions, Interrupt> {
    let mut options = SuspendOptions::default();
    if list == Term::NONE {
        return Ok(options);
    }
    let heap = &p.machine.heap;
    for option in heap.list(list).ok_or_else(badarg)? {
        match (option.as_atom().map(Atom::as_str), heap.tuple(option)) {
            (Some("unless_suspending"), _) => options.unless_suspending = true,
            // The caller is running, so the other process is not: it is suspended at once.
            (Some("asynchronous"), _) => options.asynchronous = true,
            (_, Some(&[key, value])) if key.as_atom().map(Atom::as_str) == Some("asynchronous") => {
                options.asynchronous = true;
                options.reply = Some(value);
            }
            _ => return Err(badarg()),
        }
    }
    Ok(options)
}
