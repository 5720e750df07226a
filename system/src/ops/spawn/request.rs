//! `spawn_request`: the reply comes as a message.

use interpreter::atom::Atom;
use interpreter::heap::TermView;
use interpreter::term::{Reference, Term};
use log_format::Kind;

use crate::ids;
use crate::observer::Detail;
use crate::ops::spawn::options::spawn_options;
use crate::ops::{FALSE, OpResult, badarg, new_reference};
use crate::state::signal::Signal;
use crate::step::Step;
use crate::terms::{self, TuplePart};

impl Step<'_> {
    /// An invalid option of `spawn_request` is reported by a message, unless the options say that errors are not reported.
    pub(crate) fn refuse_request(&mut self, list: Term) -> OpResult {
        let (mut wanted, mut word) = (true, None);
        for option in self.process.machine.heap.list(list).unwrap_or_default() {
            let Some(&[key, value]) = self.process.machine.heap.tuple(option) else {
                continue;
            };
            match (key.as_atom().map(Atom::as_str), value.as_atom().map(Atom::as_str)) {
                (Some("reply"), which) => wanted = !matches!(which, Some("no" | "success_only")),
                (Some("reply_tag"), _) => word = Some(self.process.machine.heap.export(value)),
                _ => {}
            }
        }
        let reference = new_reference(self.process);
        if wanted {
            self.expect(|k| matches!(k, Kind::Send), || "refuse a spawn request".to_owned())?;
            let to = Some(ids::to_log(self.process.pid));
            self.commit(Kind::Send, 1, Detail::Sent { to, message: list });
            let (error, reason) = (Term::atom(Atom::ERROR), Term::atom(Atom::new("badopt")));
            self.answer_request(reference, word.as_ref(), error, reason);
        }
        Ok(self.process.machine.heap.make_reference(reference))
    }

    /// `{spawn_reply, Request, ok | error, Pid | Reason}`.
    pub(crate) fn answer_request(
        &mut self,
        request: Reference,
        word: Option<&interpreter::heap::Fragment>,
        result: Term,
        value: Term,
    ) {
        let tag = self.process.next_tag();
        let message = terms::tuple(&[
            word.map_or(
                TuplePart::Term(Term::atom(Atom::new("spawn_reply"))),
                TuplePart::Fragment,
            ),
            TuplePart::Reference(request),
            TuplePart::Term(result),
            TuplePart::Term(value),
        ]);
        self.deliver(self.process.pid, tag, Signal::Message(message));
    }
}

/// `spawn_request/1..5`: the reply comes as a message with the reference that the call returns.
pub(super) fn spawn_request(step: &mut Step<'_>) -> OpResult {
    let given = step.process.machine.args().to_vec();
    let is_fun = |t: Term| {
        let view = step.process.machine.heap.view(t);
        matches!(view, TermView::Fun { .. } | TermView::ExternalFun { .. })
    };
    // (Fun), (Fun, Options), (Node, Fun), (Node, Fun, Options), (M, F, A), (M, F, A, Options), (Node, M, F, A), (Node, M, F, A, Options)
    let with_options = match given[..] {
        [_] => false,
        [first, _] => is_fun(first),
        [_, second, _] => is_fun(second),
        [_, _, _, last] => step.process.machine.heap.list(last).is_some() && given[2].as_atom().is_none(),
        _ => true,
    };
    let (list, call) = match given.split_last() {
        Some((&list, call)) if with_options => (list, call),
        _ => (Term::NIL, &given[..]),
    };
    let release = step.release();
    match spawn_options(step.process, list, true, release) {
        Ok(mut options) => {
            options.fun_of_no_arguments = true;
            step.spawn_with(call, &options)
        }
        Err(_) if step.process.machine.heap.list(list).is_some() => step.refuse_request(list),
        Err(raise) => Err(raise),
    }
}

/// `spawn_request_abandon/1`: here every request has been answered when it returns, so there is nothing to abandon.
pub(super) fn spawn_request_abandon(step: &mut Step<'_>) -> OpResult {
    let [request] = step.args();
    match step.process.machine.heap.view(request) {
        TermView::Reference(_) => Ok(FALSE),
        _ => Err(badarg()),
    }
}
