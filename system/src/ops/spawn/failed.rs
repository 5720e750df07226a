//! Spawns on an absent node.

use interpreter::atom::Atom;
use interpreter::heap::TermView;
use interpreter::term::{Pid, Term};
use interpreter::vm;
use log_format::{Kind, Node};

use crate::ids;
use crate::observer::Detail;
use crate::ops::monitor::down_message;
use crate::ops::spawn::options::{Replies, SpawnOptions};
use crate::ops::{OpResult, new_reference};
use crate::state::process::Process;
use crate::state::signal::Signal;
use crate::step::Step;
use crate::terms::{self, TuplePart};

impl Step<'_> {
    /// A spawn on a node that does not exist still yields a pid; links and monitors to it see `noconnection` [FLS21, §3.1].
    pub(crate) fn spawn_failed(&mut self, child: Pid, node: u16, options: &SpawnOptions, shown: [Term; 3]) -> OpResult {
        let kind = Kind::SpawnFailed {
            child: ids::to_log(child),
            node: Node(node),
        };
        let pid = Term::pid(child);
        let noconnection = terms::build(|_| Term::atom(Atom::new("noconnection")));
        if let Some((replies, word)) = &options.request {
            let reply = matches!(replies, Replies::All | Replies::Errors);
            self.commit(kind, u32::from(reply), Detail::None);
            let reference = new_reference(self.process);
            if reply {
                let reason = Term::atom(Atom::new("noconnection"));
                self.answer_request(reference, word.as_ref(), Term::atom(Atom::ERROR), reason);
            }
            return Ok(self.process.machine.heap.make_reference(reference));
        }
        let sends = u32::from(options.link) + u32::from(options.monitor);
        self.commit(kind, sends, Detail::None);
        self.warn_of_spawn(
            &call_text(&self.world.program, self.process, shown),
            &options.shown,
            self.world.node_name(node),
        );
        if options.link {
            let tag = self.process.next_tag();
            self.process.rare.links.insert(child);
            self.deliver(
                self.process.pid,
                tag,
                Signal::Exit {
                    from: child,
                    reason: noconnection.clone(),
                    link: true,
                    via: None,
                },
            );
        }
        if options.monitor {
            let tag = self.process.next_tag();
            let reference = new_reference(self.process);
            let down = down_message(reference, TuplePart::Term(pid), &noconnection, options.tag.as_ref());
            self.process.rare.fired.insert(reference, tag);
            self.deliver(self.process.pid, tag, Signal::Message(down));
            let reference = self.process.machine.heap.make_reference(reference);
            return Ok(self.process.machine.heap.make_tuple(&[pid, reference]));
        }
        Ok(pid)
    }
}

/// A call in the form of OTP's warning about a spawn: `M:F,Args`.
pub(crate) fn call_text(program: &vm::Program, p: &Process, [m, f, a]: [Term; 3]) -> String {
    let style = interpreter::print::Style::unicode(program);
    let text = |t| interpreter::print::write(&p.machine.heap, t, -1, &style);
    match p.machine.heap.view(a) {
        TermView::Fun { .. } | TermView::ExternalFun { .. } => format!("{}:{},[{},[]]", text(m), text(f), text(a)),
        _ => format!("{}:{},{}", text(m), text(f), text(a)),
    }
}

impl Step<'_> {
    /// What OTP's logger prints when a process cannot be spawned on a node.
    pub(crate) fn warn_of_spawn(&mut self, call: &str, options: &str, node: Atom) {
        if self.process.mode.log().is_some() {
            return;
        }
        let stamp = self.world.stamp();
        let options = if options.is_empty() {
            String::new()
        } else {
            format!(" ({options})")
        };
        let text = format!("=WARNING REPORT==== {stamp} ===\n** Can not start {call}{options} on {node} **\n\n");
        self.world.outside.flush();
        let _ = self
            .world
            .outside
            .write(crate::outside::Device::Stderr, text.as_bytes());
    }
}
