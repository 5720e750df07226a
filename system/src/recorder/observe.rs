//! What the recorder writes for each step.

use std::sync::PoisonError;
use std::time::{Duration, Instant};

use interpreter::atom::Atom;
use interpreter::otp::OtpName;
use interpreter::print;
use interpreter::vm::heap_of;
use log_format::{
    ExitClass, FinalState, InputClass, Kind, MAILBOX_TAGS, Node, Pid, ProcLog, ProcessOutcome, SendNo, Tag, TestNote,
};

use crate::observer::{ActionEvent, Detail, Ending, Observer};
use crate::recorder::recording::{CUT_ACTIONS, Log, Lost, Recorder, Recording, cut, name_all, source_of};
use crate::{digest, ids};

/// With many processes, a cut is due later, after this many actions of each: every process costs a chunk in every cut.
const CUT_ACTIONS_EACH: u64 = 64;

/// With virtual time, a cut is also made before the run waits for the outside, if this fraction of all actions is not in a cut yet. So little
/// is lost at most, and a run that reads a million lines has some hundred cuts.
const CUT_PART: u64 = 64;

/// Also after this many bytes of values (inputs, observations).
const CUT_VALUES: usize = 4 << 20;

/// With a real clock, also after this time.
const CUT_TIME: Duration = Duration::from_millis(100);

/// How many logs of ended processes are kept to be reused.
const POOL: usize = 256;

impl<I: Observer<Log = ()>> Observer for Recorder<I> {
    type Log = Box<Log>;

    fn wants_messages(&self) -> bool {
        self.recording.options.digests
    }

    fn redacts(&self, class: InputClass) -> bool {
        self.recording.options.redact.contains(&class)
    }

    fn born(&mut self, pid: Pid, parent: Option<&Box<Log>>, node: u16) -> Box<Log> {
        self.recording.born(pid, parent.map(|log| &**log), node)
    }

    #[inline(always)]
    fn plain_send(&mut self, log: &mut Box<Log>) -> bool {
        if !self.recording.off {
            log.log.send();
        }
        true
    }

    #[inline(always)]
    fn plain_rec(&mut self, log: &mut Box<Log>, tag: Tag) -> bool {
        let Recording { off, options, .. } = &self.recording;
        if *off || options.digests {
            return *off;
        }
        log.log.rec(tag);
        true
    }

    #[inline(always)]
    fn plain_rec_sent(&mut self, log: &mut Box<Log>, by: Pid, k: SendNo) -> bool {
        let plain = !self.recording.off && !self.recording.options.digests;
        if plain {
            log.log.rec_sent(by, k);
        }
        plain
    }

    fn action(&mut self, log: &mut Box<Log>, event: &ActionEvent<'_>) {
        if !self.recording.off && matches!(event.action.kind, Kind::Test { .. }) {
            self.inner.action(&mut (), event);
        }
        self.recording.action(log, event);
    }

    fn ended(&mut self, log: &mut Box<Log>, ending: &Ending<'_>) {
        self.recording.ended(log, ending);
        self.inner.ended(&mut (), ending);
    }

    fn missing(&mut self, function: (Atom, Atom, u8), known: OtpName) {
        self.inner.missing(function, known);
    }

    fn buried(&mut self, log: Box<Log>) {
        self.recording.buried(log);
    }

    fn wants_cut(&mut self, actions: u64) -> bool {
        self.recording.wants_cut(actions)
    }

    fn cut_due(&self) -> u64 {
        self.recording.cut_actions + self.recording.cut_after
    }

    fn wants_cut_before_rest(&mut self, actions: u64, nanoseconds: Option<u64>) -> bool {
        self.recording.wants_cut_before_rest(actions, nanoseconds)
    }

    fn rests_at_most(&self, actions: u64) -> Option<u64> {
        self.recording.rests_at_most(actions)
    }

    fn cut(&mut self, logs: &mut dyn Iterator<Item = &mut Box<Log>>, texts: &[String], nodes: &[Atom]) {
        self.recording.cut(logs, texts, nodes);
    }
}

impl Recording {
    fn born(&mut self, pid: Pid, parent: Option<&Log>, node: u16) -> Box<Log> {
        let node = Node(node);
        match (self.pool.pop(), parent) {
            (Some(mut log), Some(parent)) => {
                log.log.renew_child(pid, node, &parent.log);
                log
            }
            (Some(mut log), None) => {
                log.log.renew_entry(pid, node);
                log
            }
            (None, parent) => Box::new(Log {
                log: match parent {
                    Some(parent) => ProcLog::child(pid, node, &parent.log),
                    None => ProcLog::entry(pid, node),
                },
                digests: Vec::new(),
                last: None,
            }),
        }
    }

    fn action(&mut self, log: &mut Box<Log>, event: &ActionEvent<'_>) {
        if self.off {
            return;
        }
        let action = event.action;
        if let Kind::Input { value } | Kind::Observe { value, .. } | Kind::Drop { value, .. } = &action.kind {
            self.value_bytes += value.len();
        }
        if let Kind::Test { note, .. } = &action.kind {
            if let TestNote::Failed { reason, stack } = note {
                self.value_bytes += reason.len() + stack.len();
            }
            self.says_of_tests();
        }
        if self.options.digests
            && let Detail::Received { message } = event.detail
        {
            // If the contents of a message are not known, the digest is 0, which is never compared.
            let digest = message.map_or(0, |message| digest::of_message(event.program, message));
            log.digests.push(digest);
        }
        if self.options.without_observations
            && let Kind::Observe { value, .. } = &action.kind
            && !value.is_empty()
        {
            let mut action = action.clone();
            if let Kind::Observe { value, .. } = &mut action.kind {
                value.clear();
            }
            log.log.action(&action);
            return;
        }
        if self.options.without_reasons && matches!(action.kind, Kind::Test { .. }) {
            let mut action = action.clone();
            action.leave_reason_out();
            log.log.action(&action);
            return;
        }
        log.log.action(action);
    }

    fn ended(&mut self, log: &mut Box<Log>, ending: &Ending<'_>) {
        if self.options.digests && !self.off {
            log.last = Some(digest::of_state(ending.program, ending.machine, Some(ending.reason)));
        }
        if ending.class != Some(ExitClass::Normal)
            && !self.off
            && let Some(writer) = &mut self.writer
        {
            let style = print::Style::unicode(ending.program);
            let reason = reason(ending);
            let reason = match self.options.without_reasons {
                true => log_format::without_reason(&reason).to_owned(),
                false => reason,
            };
            let stack = match ending.stacktrace.filter(|_| !self.options.without_reasons) {
                Some(stack) => print::short(&ending.machine.heap, stack, REASON_CHARS, &style),
                None => String::new(),
            };
            writer.ended(ProcessOutcome {
                pid: ending.pid,
                state: FinalState::Ended { reason, stack },
                mailbox: ending.machine.mailbox.len() as u64,
                tags: ending
                    .machine
                    .mailbox
                    .tags()
                    .take(MAILBOX_TAGS)
                    .map(ids::unpack)
                    .collect(),
            });
        }
    }

    fn buried(&mut self, mut log: Box<Log>) {
        if let Some(writer) = &mut self.writer {
            if self.options.digests && !self.off {
                writer.digests(log.log.pid(), &log.digests, log.last.take());
                log.digests.clear();
            }
            writer.retire(&mut log.log);
        }
        if self.pool.len() < POOL {
            self.pool.push(log);
        }
    }

    fn wants_cut(&mut self, actions: u64) -> bool {
        let full = actions - self.cut_actions >= self.cut_after || self.value_bytes >= CUT_VALUES;
        let late = || !self.virtual_time && actions != self.cut_actions && self.late();
        (full || late()) && self.due(actions)
    }

    fn wants_cut_before_rest(&mut self, actions: u64, nanoseconds: Option<u64>) -> bool {
        let new = actions - self.cut_actions;
        if self.virtual_time {
            // Equal runs give equal files, however long the outside takes.
            return new >= (actions / CUT_PART).max(1) && self.due(actions);
        }
        let long = nanoseconds.is_some_and(|n| n >= CUT_TIME.as_nanos() as u64);
        new > 0 && (long || self.late()) && self.due(actions)
    }

    fn rests_at_most(&self, actions: u64) -> Option<u64> {
        let waits = !self.virtual_time && !self.off && actions != self.cut_actions;
        waits.then(|| CUT_TIME.saturating_sub(self.cut_time.elapsed()).as_nanos() as u64)
    }

    fn cut(&mut self, logs: &mut dyn Iterator<Item = &mut Box<Log>>, texts: &[String], nodes: &[Atom]) {
        let Some(writer) = &mut self.writer else { return };
        name_all(writer, texts, nodes);
        if let Some(read) = &self.read {
            let read = read.lock().unwrap_or_else(PoisonError::into_inner);
            let program = log_format::Program {
                sources: read[self.sources.min(read.len())..].iter().map(source_of).collect(),
                ..log_format::Program::default()
            };
            self.sources = read.len();
            drop(read);
            if let Err(error) = writer.program(&program) {
                let lost = Lost::rest(&error, writer.totals().counts.actions);
                return self.fail(lost);
            }
        }
        let kept = writer.totals().counts.actions;
        let mut living = 0;
        let counted = logs.inspect(|_| living += 1);
        let written = cut(writer, counted, self.options.digests);
        if self.options.max_bytes.is_none() {
            self.cut_after = CUT_ACTIONS.max(living * CUT_ACTIONS_EACH);
        }
        self.off = writer.is_full();
        self.cut_time = Instant::now();
        if let Err(error) = written {
            self.fail(Lost::rest(&error, kept));
        }
    }

    /// A trace whose recorder is killed says, too, whether its run had tests.
    fn says_of_tests(&mut self) {
        let (Some(native), Some(writer)) = (self.tests.take(), &mut self.writer) else {
            return;
        };
        let program = log_format::Program {
            used: vec![native],
            ..log_format::Program::default()
        };
        if let Err(error) = writer.program(&program) {
            let lost = Lost::rest(&error, writer.totals().counts.actions);
            self.fail(lost);
        }
    }

    /// Says that a cut is due, unless recording has stopped.
    const fn due(&mut self, actions: u64) -> bool {
        self.cut_actions = actions;
        self.value_bytes = 0;
        !self.off
    }

    fn late(&self) -> bool {
        self.cut_time.elapsed() >= CUT_TIME
    }
}

/// The reason of an end, in the form of a trace's outcome.
#[must_use]
pub fn reason(ending: &Ending<'_>) -> String {
    let mut heap = heap_of(ending.program);
    let reason = heap.import(ending.reason);
    print::short(&heap, reason, REASON_CHARS, &print::Style::unicode(ending.program))
}

/// Limit: characters of a reason in the trace.
const REASON_CHARS: usize = 2000;
