//! What a hunt notices while a program runs: which processes ended abnormally, and which left messages unread.

use interpreter::heap::Heap;
use interpreter::print::{self, Terms};
use interpreter::term::Term;
use log_format::{ActionId, ExitClass, Kind};
use session::view::SourcePlace;
use system::observer::{ActionEvent, Ending, Observer};
use system::recorder::Recorder;

use crate::report::{Reporter, Reports};

/// Characters of a reason that are shown.
const REASON: usize = 200;

/// A process that ended abnormally.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Crash {
    /// The process.
    pub pid: log_format::Pid,
    /// Class and reason on one line, as the language of the program has them: `error {badmatch,1}`, `** (MatchError) …`.
    pub words: String,
    /// Where: `file:line` of the innermost call of the program that has one.
    pub place: Option<String>,
}

/// See the module. It prints nothing.
#[derive(Clone, Debug, Default)]
pub struct Watcher {
    reporter: Reporter,
    /// Processes that ended abnormally by themselves, in order.
    pub crashes: Vec<Crash>,
    /// Failures of tests of a program in Elixir, in its words, by the actions that note them.
    pub failures: Vec<(ActionId, String)>,
    /// Processes that ended with so many messages unread.
    pub unread: Vec<(log_format::Pid, usize)>,
}

impl Observer for Watcher {
    type Log = ();
    fn born(&mut self, _: log_format::Pid, _: Option<&()>, _: u16) {}
    #[inline(always)]
    fn action(&mut self, (): &mut (), event: &ActionEvent<'_>) {
        if matches!(event.action.kind, Kind::Test { .. })
            && let Some(words) = session::watch::banner(event, REASON)
        {
            self.failures.push((event.id(), words));
        }
    }
    #[inline(always)]
    fn plain_send(&mut self, (): &mut ()) -> bool {
        true
    }
    #[inline(always)]
    fn plain_rec(&mut self, (): &mut (), _: log_format::Tag) -> bool {
        true
    }
    fn ended(&mut self, (): &mut (), ending: &Ending<'_>) {
        let unread = ending.machine.mailbox.len();
        if ending.class == Some(ExitClass::Normal) && unread > 0 {
            self.unread.push((ending.pid, unread));
        }
        if ending.pid.0 == system::FIRST_PID {
            self.reporter.note_entry(ending);
        }
        let Some(class) = ending.class.filter(|class| *class != ExitClass::Normal) else {
            return;
        };
        let mut heap = Heap::new(ending.program.literals().clone());
        let reason = heap.import(ending.reason);
        let style = print::Style::unicode(ending.program);
        let shown = print::short(&heap, innermost(&heap, reason, class), REASON, &style);
        if class == ExitClass::Exit && is_orderly(&shown) {
            return;
        }
        let words = match ending.program.terms() {
            Terms::Erlang => format!("{} {shown}", class.word()),
            Terms::Elixir => session::watch::reason(Some(class), ending.reason, ending.program, REASON),
        };
        self.crashes.push(Crash {
            pid: ending.pid,
            words,
            place: place(ending),
        });
    }
}

/// The reason of an error without its stack.
fn innermost(heap: &Heap, reason: Term, class: ExitClass) -> Term {
    match heap.tuple(reason) {
        Some(&[inner, stack]) if class != ExitClass::Exit && heap.list(stack).is_some() => inner,
        _ => reason,
    }
}

fn is_orderly(reason: &str) -> bool {
    reason == "normal" || reason == "shutdown" || reason.starts_with("{shutdown,")
}

/// Where it happened: the innermost place in a file that is there, and so is no library's; else the innermost place of all.
fn place(ending: &Ending<'_>) -> Option<String> {
    let heap = &ending.machine.heap;
    // What runs a script of Elixir catches the exception, and ends with its reason.
    let is_caught = |place: &SourcePlace| place.function.module.as_str() == "Elixir.Kernel.CLI";
    let stack = ending.stacktrace.into_iter();
    let stack: Vec<SourcePlace> = stack
        .flat_map(|stack| session::watch::stack(heap, stack, ending.program.terms()))
        .filter(|place| !is_caught(place))
        .collect();
    let raised = session::watch::raised_by(ending);
    let is_there = |place: &&SourcePlace| std::path::Path::new(&place.file).exists();
    let own = stack.iter().find(is_there).or_else(|| raised.iter().find(is_there));
    let place = own.or(stack.first()).or(raised.first())?;
    Some(format!("{}:{}", place.file, place.line))
}

impl Reports for Recorder<Watcher> {
    fn reporter(&self) -> &Reporter {
        &self.inner().reporter
    }
}
