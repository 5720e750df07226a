//! Exit signals and links.

use interpreter::atom::Atom;
use interpreter::heap::TermView;
use interpreter::native::{NativeClass, Raise};
use interpreter::term::{Pid, Term};
use log_format::{Kind, Resource, Tag};

use crate::observer::Detail;
use crate::ops::send::Destination;
use crate::ops::{OpResult, Operation, TRUE, badarg, badopt, ports};
use crate::state::resources::Aliveness;
use crate::state::signal::{Signal, Via};
use crate::state::turns::Sort;
use crate::step::{Interrupt, Step};
use crate::{ids, terms};

pub(super) const OPERATIONS: &[Operation] = &[
    Operation::new("erlang", "exit", 2, NativeClass::Effect, exit).often_silent(),
    Operation::new("erlang", "link", 1, NativeClass::Effect, link).often_silent(),
    Operation::new("erlang", "unlink", 1, NativeClass::Access, unlink).often_silent(),
    Operation::new("erlang", "exit", 3, NativeClass::Effect, exit).often_silent(),
    Operation::new("erlang", "link", 2, NativeClass::Effect, link).often_silent(),
];

fn exit(step: &mut Step<'_>) -> OpResult {
    let [to, reason, options] = step.args();
    let (to, alias) = match (to.as_pid(), step.process.machine.heap.view(to)) {
        (Some(pid), _) => (pid, None),
        (None, TermView::Reference(alias)) if step.has_priority_messages() => (alias.owner, Some(alias)),
        _ => return Err(badarg()),
    };
    let urgent = has_priority(step, options)?;
    step.expect(|k| matches!(k, Kind::Send), || "send an exit signal".to_owned())?;
    let tag = step.process.next_tag();
    let fragment = step.process.machine.heap.export(reason);
    step.commit(
        Kind::Send,
        1,
        Detail::Sent {
            to: Some(ids::to_log(to)),
            message: reason,
        },
    );
    step.deliver(
        to,
        tag,
        Signal::Exit {
            from: step.process.pid,
            reason: fragment,
            link: false,
            via: alias.map(|alias| Box::new(Via { alias, urgent })),
        },
    );
    Ok(TRUE)
}

/// Is the option `priority` given?
fn has_priority(step: &Step<'_>, options: Term) -> Result<bool, Interrupt> {
    if options == Term::NONE {
        return Ok(false);
    }
    let options = step.process.machine.heap.list(options).ok_or_else(badopt)?;
    let priority = Term::atom(Atom::new("priority"));
    match options.iter().all(|option| *option == priority) {
        true => Ok(!options.is_empty()),
        false => Err(badopt()),
    }
}

fn link(step: &mut Step<'_>) -> OpResult {
    let [target, options] = step.args();
    if let Some(port) = ports::process_of(target) {
        return link_port(step, port, true);
    }
    let target = target.as_pid().ok_or_else(badarg)?;
    let urgent = has_priority(step, options)?;
    if target == step.process.pid || crate::runtime::is_runtime(target) {
        return Ok(TRUE);
    }
    step.expect(
        |k| matches!(k, Kind::Access) || is_noproc(k),
        || format!("link to {}", ids::to_log(target)),
    )?;
    let life = step.read_life(target)?;
    if life == Aliveness::Dead && step.process.mode.is_beyond_its_log() {
        step.hears_of_end(target);
    }
    // On one node it raises at once, unless the error can be reported by a message. (Older traces had a signal here too.)
    let raises = match step.process.mode.logged_kind() {
        Some(kind) => is_noproc(kind),
        None => {
            let here = target.node() == step.process.pid.node();
            here && life != Aliveness::Alive && !step.process.trap_exit && !step.process.rare.links.contains(&target)
        }
    };
    if raises {
        let value = NOPROC.to_vec();
        step.commit(Kind::Observe { of: None, value }, 0, Detail::None);
        return Err(Interrupt::Raise(Raise::error(Term::atom(Atom::NOPROC))));
    }
    // Whether an old link still exists depends on others (the other's end may be in flight): the log tells by the signal.
    let refused = match step.process.mode.logged() {
        Some(action) => action.sends > 0,
        None => life != Aliveness::Alive && !step.process.rare.links.contains(&target),
    };
    let why = if refused {
        step.why_missing(target)?
    } else {
        Atom::NOPROC
    };
    // The last call for a link decides.
    match urgent {
        true => _ = step.process.rare.urgent_links.insert(target),
        false if step.process.rare.urgent_links.is_empty() => {}
        false => _ = step.process.rare.urgent_links.remove(&target),
    }
    if !refused {
        let newest = life == Aliveness::Dead || step.write_pair(target, true);
        step.commit(Kind::Access, 0, Detail::None);
        if !newest || step.world.is_closed(step.process.pid, target) {
            return Ok(TRUE);
        }
        step.process.rare.links.insert(target);
        let closed = step.world.is_closed(target, step.process.pid);
        if let Some((_, q)) = step.world.table.by_pid_mut(target) {
            if !closed {
                q.rare.links.insert(step.process.pid);
            }
        } else if let Some(reason) = step.world.reason_of_end(target) {
            step.world.note_lost_signal(target);
            // Replay: the other process has already ended; its end sends to this link too (semantics.md §7).
            let tag = Tag::EndTo {
                by: ids::to_log(target),
                to: ids::to_log(step.process.pid),
            };
            step.deliver(
                step.process.pid,
                tag,
                Signal::Exit {
                    from: target,
                    reason,
                    link: true,
                    via: None,
                },
            );
        }
    } else {
        step.process.rare.links.insert(target);
        step.commit(Kind::Access, 1, Detail::None);
        let tag = step.process.next_tag();
        let reason = terms::build(|_| Term::atom(why));
        step.deliver(
            step.process.pid,
            tag,
            Signal::Exit {
                from: target,
                reason,
                link: true,
                via: None,
            },
        );
        // The reply has arrived before anything else is done.
        step.world.let_arrive_at(step.process, tag);
        if step.process.mode.is_beyond_its_log() {
            step.stays(Some(tag));
        }
    }
    Ok(TRUE)
}

/// Logged whether or not there is a link, because that depends on others. It reads whether the other process is alive, in `→` only: nothing of
/// its past is needed to repeat the call.
/// The process that stands for a port keeps its links (`retell_port`).
fn link_port(step: &mut Step<'_>, port: Pid, is_linked: bool) -> OpResult {
    let own = Term::pid(step.process.pid);
    let word = Term::atom(Atom::new("$port_link"));
    let message = step
        .process
        .machine
        .heap
        .make_tuple(&[word, own, Term::boolean(is_linked)]);
    step.send_message(Destination::Pid(port), None, message, false)?;
    Ok(TRUE)
}

fn unlink(step: &mut Step<'_>) -> OpResult {
    let [target] = step.args();
    if let Some(port) = ports::process_of(target) {
        return link_port(step, port, false);
    }
    let target = target.as_pid().ok_or_else(badarg)?;
    if target == step.process.pid || crate::runtime::is_runtime(target) {
        return Ok(TRUE);
    }
    let words = || format!("unlink {}", ids::to_log(target));
    step.expect(|k| matches!(k, Kind::Access), words)?;
    let alive = Resource::Alive(ids::to_log(target));
    let told = step.uses(alive, |_| true);
    let life = step.glance_at_life(target);
    let newest = life == Aliveness::Dead || step.write_pair(target, false);
    step.commit(Kind::Access, 0, Detail::None);
    if life == Aliveness::Dead {
        // The signal of its end may have arrived, and is received anyway.
        step.world.close_pair(step.process.pid, target);
        if step.process.rare.links.contains(&target) && step.world.purpose.keeps_the_past() {
            let at = step.process.actions - 1;
            step.process.rare.past.turns.add(Sort::Link(target), at, false);
        }
    }
    if !newest {
        return Ok(TRUE);
    }
    step.process.rare.links.remove(&target);
    if step.hears() {
        let by = step.last_action();
        let of = ids::to_log(target);
        step.sink.learned(crate::observer::Fact::Unlinked { by, of });
    }
    // Who explores all ways hears of the end in any case: whether it had come before is not known.
    if told && life != Aliveness::Dead && !step.hears() {
        if let Some((_, q)) = step.world.table.by_pid_mut(target) {
            q.rare.links.remove(&step.process.pid);
        } else {
            // Replay: its end came first, and sent a signal to a link that no longer existed.
            step.process.pool.remove(&Tag::EndTo {
                by: ids::to_log(target),
                to: ids::to_log(step.process.pid),
            });
        }
    }
    Ok(TRUE)
}

impl Step<'_> {
    /// Beyond the log: if the exit signal of a linked process has arrived, the link is gone; a process that traps exits has the message.
    fn hears_of_end(&mut self, of: interpreter::term::Pid) {
        let tag = Tag::EndTo {
            by: ids::to_log(of),
            to: ids::to_log(self.process.pid),
        };
        if !self.process.pool.contains(&tag) || !self.is_there(tag) {
            return;
        }
        self.process.rare.links.remove(&of);
        if self.process.trap_exit {
            self.stays(Some(tag));
        } else {
            self.process.pool.remove(&tag);
        }
    }
}

/// What a `link` that raises `noproc` has seen: the atom `noproc` in the external format.
const NOPROC: &[u8] = b"\x83w\x06noproc";

fn is_noproc(kind: &Kind) -> bool {
    crate::state::feed::is_observed(kind, NOPROC)
}
