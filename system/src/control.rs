//! What a process does to its own flags and to the running of others: `process_flag/2,3`, `suspend_process`, `resume_process`, `hibernate/3`.

use interpreter::atom::Atom;
use interpreter::term::{Pid, Term};
use log_format::{ActionId, Kind, Tag};

use crate::effects::{Answer, FALSE, TRUE, args, badarg, badarg_because};
use crate::ids;
use crate::observer::{Detail, Observer};
use crate::process::{PendingExit, Process, State};
use crate::resources::Life;
use crate::system::{Interrupt, System, due_waiting};
use crate::terms::{self, Part};

/// `process_flag/2`: its own flags are computed again in replay.
pub(crate) fn op_process_flag<L>(p: &mut Process<L>) -> Answer {
    let [flag, value] = args(p);
    let flag = flag.as_atom().ok_or_else(badarg)?;
    if flag.as_str() == "trap_exit" {
        let on = value.as_bool().ok_or_else(badarg)?;
        let before = std::mem::replace(&mut p.trap_exit, on);
        if on {
            trap_pending(p);
        }
        return Ok(Term::boolean(before));
    }
    if p.rare.flags.item(&mut p.machine.heap, flag.as_str()).is_none() {
        return Err(badarg_because("badopt"));
    }
    let bad = || match flag.as_str() {
        "save_calls" => badarg_because("none"),
        _ => badarg(),
    };
    p.rare
        .flags
        .set(&mut p.machine.heap, flag.as_str(), value)
        .ok_or_else(bad)
}

/// An exit signal that has arrived and not taken effect yet comes after the call that traps exits: as a message, unless what the same process
/// sent behind it is in the mailbox already; then it has come before.
fn trap_pending<L>(p: &mut Process<L>) {
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

/// What `suspend_process/2` was asked for.
#[derive(Default)]
struct SuspendOptions {
    unless_suspending: bool,
    asynchronous: bool,
    /// `{asynchronous, Tag}`: the first element of the message that tells.
    reply: Option<Term>,
}

impl<O: Observer> System<O> {
    /// Is a process of this node alive? Logged as an access.
    fn living(&mut self, p: &mut Process<O::Log>, target: Pid, what: &str) -> Result<bool, Interrupt> {
        self.expect(p, |k| matches!(k, Kind::Access), || what.to_owned())?;
        Ok(self.read_life(p, target)? == Life::Alive)
    }

    /// `process_flag/3` knows one flag, `save_calls`, of any process of its node.
    pub(crate) fn op_process_flag_of(&mut self, p: &mut Process<O::Log>) -> Answer {
        let [target, flag, value] = args(p);
        let target = local(p, target)?;
        let calls = value.as_small().filter(|n| (0..=10_000).contains(n));
        if flag.as_atom().map(Atom::as_str) != Some("save_calls") || calls.is_none() {
            return Err(badarg());
        }
        if target == p.pid {
            return p
                .rare
                .flags
                .set(&mut p.machine.heap, "save_calls", value)
                .ok_or_else(badarg);
        }
        if p.feed.is_none() {
            self.settle_all(p, target);
        }
        // The flag is the other's private state: the answer is an observation of it. It is not set: nothing is saved of any process's calls.
        let found = match self.table.by_pid(target) {
            Some(q) if p.feed.is_none() => q
                .rare
                .flags
                .item(&mut p.machine.heap, "save_calls")
                .map(|old| (old, q.actions)),
            _ => None,
        };
        let of = found.map(|(_, n)| ActionId::new(crate::ids::to_log(target), n));
        let old = self.observe(p, of, |_, _| found.map_or(FALSE, |(old, _)| old))?;
        if old == FALSE { Err(badarg()) } else { Ok(old) }
    }

    /// `suspend_process/1,2`. In replay the other process does what its log says whenever it can, so that there is nothing to stop.
    pub(crate) fn op_suspend(&mut self, p: &mut Process<O::Log>) -> Answer {
        let [target, list] = args(p);
        let options = suspend_options(p, list)?;
        let target = local(p, target)?;
        if target == p.pid {
            return Err(badarg());
        }
        let alive = self.living(p, target, "suspend a process")?;
        let again = options.unless_suspending && p.rare.suspending.contains_key(&target);
        let reply = options.reply;
        self.commit(p, Kind::Access, u32::from(reply.is_some()), Detail::None);
        if !alive && !options.asynchronous {
            return Err(badarg());
        }
        if alive && !again {
            *p.rare.suspending.entry(target).or_default() += 1;
            if p.feed.is_none()
                && let Some((_, q)) = self.table.by_pid_mut(target)
            {
                q.suspended += 1;
            }
        }
        if let Some(word) = reply {
            let state = if alive { "suspended" } else { "badarg" };
            let word = p.machine.heap.export(word);
            let message = terms::tuple(&[Part::Fragment(&word), Part::Term(Term::atom(Atom::new(state)))]);
            let tag = self.next_tag(p);
            self.deliver(p, p.pid, tag, crate::process::Signal::Message(message));
        }
        Ok(Term::boolean(!again))
    }

    /// `resume_process/1`: of a process that it has suspended itself.
    pub(crate) fn op_resume(&mut self, p: &mut Process<O::Log>) -> Answer {
        let [target] = args(p);
        let target = local(p, target)?;
        let Some(times) = p.rare.suspending.get(&target).copied() else {
            return Err(badarg());
        };
        let alive = self.living(p, target, "resume a process")?;
        self.commit(p, Kind::Access, 0, Detail::None);
        match times {
            1 => p.rare.suspending.remove(&target),
            _ => p.rare.suspending.insert(target, times - 1),
        };
        if !alive {
            return Err(badarg());
        }
        if p.feed.is_none() {
            self.resume(target, 1);
        }
        Ok(TRUE)
    }

    /// A process has been resumed so many times.
    pub(crate) fn resume(&mut self, target: Pid, times: u32) {
        let Some((slot, q)) = self.table.by_pid_mut(target) else {
            return;
        };
        q.suspended = q.suspended.saturating_sub(times);
        if q.suspended == 0 && std::mem::take(&mut q.held) {
            self.scheduler.ready(slot);
        }
    }

    /// `hibernate/3` waits for a message to be there. That one came is an observation of its own mailbox.
    pub(crate) fn op_hibernate(&mut self, p: &mut Process<O::Log>) -> Answer {
        let [module, function, list] = args(p);
        let arguments = p.machine.heap.list(list).map(|list| list.len());
        if module.as_atom().is_none() || function.as_atom().is_none() || arguments.is_none_or(|n| n > 255) {
            return Err(badarg());
        }
        if let Some(tag) = due_waiting(p) {
            return Err(Interrupt::Killed(tag));
        }
        if p.feed.is_none() && p.machine.mailbox.is_empty() {
            return Err(Interrupt::Message);
        }
        p.state = State::Ready;
        self.observe(p, None, |_, _| TRUE)
    }

    /// `'$await'(N)`: waits until more than N messages lie in the mailbox.
    pub(crate) fn op_await(&mut self, p: &mut Process<O::Log>) -> Answer {
        let [count] = args(p);
        let count = count
            .as_small()
            .and_then(|n| usize::try_from(n).ok())
            .ok_or_else(badarg)?;
        if let Some(tag) = due_waiting(p) {
            return Err(Interrupt::Killed(tag));
        }
        if p.feed.is_none() && p.machine.mailbox.len() <= count {
            return Err(Interrupt::Message);
        }
        p.state = State::Ready;
        self.observe(p, None, |_, _| TRUE)
    }
}

/// Leaves `hibernate/3`: nothing is left of the call stack, and the given function is called.
pub(crate) fn wake_up<L>(p: &mut Process<L>) {
    let [module, function, list] = args(p);
    let arguments = p.machine.heap.list(list).unwrap_or_default();
    if let (Some(module), Some(function)) = (module.as_atom(), function.as_atom()) {
        p.machine.start_call(module, function, &arguments);
    }
}

/// A pid of the process's own node.
fn local<L>(p: &Process<L>, target: Term) -> Result<Pid, Interrupt> {
    let here = |pid: &Pid| pid.node() == p.pid.node();
    target.as_pid().filter(here).ok_or_else(badarg)
}

fn suspend_options<L>(p: &Process<L>, list: Term) -> Result<SuspendOptions, Interrupt> {
    let mut options = SuspendOptions::default();
    if list == Term::NONE {
        return Ok(options);
    }
    let heap = &p.machine.heap;
    for option in heap.list(list).ok_or_else(badarg)? {
        match (option.as_atom().map(Atom::as_str), heap.tuple(option)) {
            (Some("unless_suspending"), _) => options.unless_suspending = true,
            // Whoever suspends is running, so the other is not: it is suspended at once.
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
