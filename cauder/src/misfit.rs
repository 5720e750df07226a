//! Where a program and CauDEr's logs differ, in words.

use interpreter::heap::TermView;
use interpreter::print::{self, Style};
use interpreter::vm::{EndClass, SourceLocation};
use log_format::Pid;
use system::driven::Label;
use system::ids;
use system::observer::Observer;
use system::process::Process;

use super::drive::{Drive, LogMessage, Misfit};
use super::log::LogEntry;

/// Limit: characters of the reason of an end.
const REASON: usize = 300;

impl<O: Observer> Drive<'_, O> {
    /// Have all entries fitted? If not, the process where the trouble most likely began.
    pub(super) fn verdict(&self) -> Result<(), Misfit> {
        let mut worst: Option<(u32, u64, Misfit)> = None;
        let numbers = self.logs.processes.keys().chain(self.all.keys());
        for &number in numbers {
            let Some((rank, misfit)) = self.misfit(number) else {
                continue;
            };
            if worst.as_ref().is_none_or(|(r, n, _)| (rank, number) < (*r, *n)) {
                worst = Some((rank, number, misfit));
            }
        }
        worst.map_or(Ok(()), |(_, _, misfit)| Err(misfit))
    }

    /// Where a process does not fit its log, and how far that is from the root of the trouble.
    fn misfit(&self, number: u64) -> Option<(u32, Misfit)> {
        let log = self.logs.processes.get(&number);
        let entries = log.map_or(0, |log| log.entries.len());
        let Some(progress) = self.all.get(&number) else {
            let misfit = Misfit {
                pid: number,
                fitted: 0,
                place: None,
                found: "it was not spawned".to_owned(),
            };
            return (entries > 0).then_some((4, misfit));
        };
        let pid = progress.pid;
        let p = self.process(pid);
        let place = p.and_then(|p| {
            let frames = p.machine.frames(&self.system.program);
            let of_program = |l: &SourceLocation<'_>| self.modules.contains(&l.module);
            let place = frames.iter().find_map(|frame| frame.location.filter(of_program))?;
            Some(format!("{}:{}:{}", place.file, place.line, place.column))
        });
        let misfit = |rank, found: String| {
            Some((
                rank,
                Misfit {
                    pid: number,
                    fitted: progress.at,
                    place,
                    found,
                },
            ))
        };
        let entry = log.and_then(|log| log.entries.get(progress.at)).map(|(entry, _)| entry);
        if p.is_none() {
            return entry.and_then(|_| misfit(0, "it has ended".to_owned()));
        }
        let Some(label) = self.system.label(pid) else {
            return match entry {
                None => None,
                Some(LogEntry::Receive(_)) if progress.refused => {
                    misfit(0, "its receive does not take that message".to_owned())
                }
                Some(LogEntry::Receive(uid)) => match self.sent.get(uid) {
                    Some(LogMessage { to: Some(to), .. }) if *to != pid => {
                        misfit(0, format!("that message was sent to {}", self.show(*to)))
                    }
                    _ => misfit(3, "it waits for that message, which has not been sent".to_owned()),
                },
                Some(_) => misfit(0, "it waits in a receive".to_owned()),
            };
        };
        let found = match label {
            Label::End => p.map_or_else(|| "it ends".to_owned(), |p| self.how_it_ends(p)),
            Label::Spinning => "it runs without end".to_owned(),
            Label::Native(native) => match (native.name, self.destination(pid)) {
                ("!" | "send", Some((Some(to), _))) => format!("it sends a message to {}", self.show(ids::to_log(to))),
                ("!" | "send", _) => "it sends a message to nobody".to_owned(),
                ("$node_start", _) => {
                    "it starts a node, but the log says otherwise, or another process looks at the nodes first"
                        .to_owned()
                }
                ("nodes", _) => "other nodes are present, or a node starts only later".to_owned(),
                (name, _) => format!("it calls {}:{name}/{}", native.module, native.arity),
            },
        };
        match (entry, label) {
            // In a run whose processes all ended, what is left over is not in the log.
            (None, Label::Native(native)) if self.logs.finished && matches!(native.name, "!" | "send") => {
                misfit(1, found)
            }
            (None, Label::Native(native)) if self.logs.finished && native.name.starts_with("spawn") => misfit(0, found),
            (None, _) => None,
            (Some(_), Label::Spinning) => misfit(2, found),
            (Some(LogEntry::Start { .. }), Label::Native(native)) if native.name == "$node_start" => misfit(1, found),
            (Some(LogEntry::Send(_)), Label::Native(native)) if matches!(native.name, "!" | "send") => misfit(1, found),
            (Some(_), _) => misfit(0, found),
        }
    }

    /// The end of a process that has reached it, in words.
    pub(super) fn how_it_ends(&self, p: &Process) -> String {
        let Some(end) = &p.ending else {
            return "it ends".to_owned();
        };
        let heap = &p.machine.heap;
        let class = match end.class {
            EndClass::Normal => return "it ends: its function has returned".to_owned(),
            class => class.word(),
        };
        let reason = print::short(heap, end.reason, REASON, &Style::unicode(&*self.system.program));
        let mut text = format!("it ends with {class} {}", session::words::safe(&reason));
        // Names the undefined function: most likely its module was not named.
        if end.reason.as_atom().is_some_and(|reason| reason.as_str() == "undef")
            && let TermView::Cons(top, _) = heap.view(end.stacktrace)
            && let Some(&[module, function, arity, ..]) = heap.tuple(top)
            && let (Some(module), Some(function)) = (module.as_atom(), function.as_atom())
        {
            let mut arguments = 0;
            let mut rest = arity;
            while let TermView::Cons(_, tail) = heap.view(rest) {
                arguments += 1;
                rest = tail;
            }
            let arity = match heap.view(arity) {
                TermView::Small(arity) => arity,
                _ => arguments,
            };
            text += &session::words::safe(&format!(": {module}:{function}/{arity}"));
            if !self.modules.contains(&module) {
                text += " (name the file of an instrumented module with --program, that of any other module with --untraced)";
            }
        }
        text
    }

    /// The name of a process: CauDEr's number if it has one.
    fn show(&self, pid: Pid) -> String {
        self.names
            .get(&pid)
            .map_or_else(|| pid.to_string(), |number| format!("process {number}"))
    }
}
