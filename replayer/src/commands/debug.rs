//! `replay debug`: a session with a command line. It reads standard input or a script, one command a line, and needs no terminal.

mod beyond;
mod look;
mod races;
mod tell;
mod walk;

use std::path::{Path, PathBuf};

use causality::Target;
use log_format::Pid;

use crate::cli::shared::{ShowArgs, TARGETS};
use crate::commands::lines::{self, SessionLines};
use crate::commands::{Out, open_session, run};
use crate::exit::Exit;
use crate::render;
use crate::words::{count, number, safe};
use clap::Args;
use debugger::{Debugger, Way};
use session::Session;
use session::conditions::Conditions;
use session::error::Error;
use session::player::free::Choice;
use session::player::places::Reach;
use session::player::{Back, Moved, Player, ProcessState, Stopped, Stretch};
use syntax::Release;
use system::whole_number;

/// The commands of `replay debug`.
pub const DEBUG_COMMANDS: &str = "Go on (each word has a short form; at a terminal, Enter repeats it):
  continue (c), reverse-continue (rc)
                           to the next breakpoint or failure of any process, or back to the last one
  next (n), step (s), finish (fin)
                           to the next line of the process: over calls, into them, out of the function; next 5: five times
  reverse-next (rn), reverse-step (rs), reverse-finish (rfin)
                           the same, backward
  break PLACE [when EXPR] [hits N] [say TEXT]
                           stop at server.erl:12, server:handle/2, rec:{add, _}, timeout, error, exit, throw or signal; PLACE@PROCESS for one
                           process; say: do not stop, print TEXT with the values of {EXPR} in it; break alone lists all
  delete N, enable N, disable N
                           remove a breakpoint, turn it on or off
  catch [all | none | error exit throw]
                           stop before processes end by a failure
  failure                  go to where the run failed: to the line of the program that raised
Move:
  until TARGET [when EXPR] [where PATTERN]
                           go forward, with the causes only
  step [N] [library]       go N steps of the process forward; with `library`, also inside library functions; an action is a step
  action [N]               go N actions of the process forward
  back [N | TARGET | birth | var:X | line:F:L | mailbox]
                           go back, and undo only consequences
  undo TARGET              undo an action with its consequences
  use PID                  make this the current process: the other commands apply to it
  mark NAME, goto NAME     remember a position, and return to it
Look:
  bt [all], up, down, frame N
                           list the activations of the process; look at another one
  list [N], vars, mailbox  show the source around it, its variables, the signals that have come
  state [PID]              show a process: its place, variables and mailbox
  processes                list the processes, and how far each one is
  print EXPR               show the value of an expression on the variables
  why [TARGET], causes TARGET, consequences TARGET
                           explain why something happened, what led to it, what it led to
  position                 show how far the session is, and its checkpoints
Leave the log:
  choices [PID]            list what each process can do next
  choose N | sent:0.3.0/1 | timeout | step | signal sent:0.3.0/1
                           do it; any choice that differs from the log leaves the log
  run [N] [random [SEED] [any-time] | processes-first | round-robin | as-recorded] [until CONDITION]
                           run N steps of a scheduler, or until a CONDITION holds:
                           error, event:PID/N, exit:PID, end:PID, line:F:L, when EXPR
  normalise [N]            run every step except receives
  leave [PID]              leave the log here
  races [TARGET | here]    list what could have come the other way, decisive choices first
  flip N                   go there, and take the other choice; `goto record` returns to the recorded run
  save FILE                write what was done as a trace
help, quit";

/// `replay debug`.
#[derive(Args, Debug)]
#[command(after_help = format!("Commands, one on each line:\n{DEBUG_COMMANDS}\n\n{TARGETS}\n\nExample: replay debug my.bin"))]
pub struct DebugArgs {
    /// The trace. Or a program FILE.erl: its main/0 is run step by step as you choose, and none of its effects reach the outside
    #[arg(value_name = "TRACE")]
    pub trace: PathBuf,
    /// Read the commands from this file, and stop at the first one that fails
    #[arg(short = 'x', long, value_name = "FILE")]
    pub script: Option<PathBuf>,
    /// With FILE.erl: run and record it first, under this schedule. Also seeds the random numbers beyond the log
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole_number(0..=u64::MAX))]
    pub seed: Option<u64>,
    /// In which order the messages of different senders arrive at one process, where choices are made: `causal` (inside a node, as on BEAM) or
    /// `free`. What was recorded is repeated as it was
    #[arg(long, value_name = "ORDER", default_value_t = system::Delivery::Causal)]
    pub delivery: system::Delivery,
    /// With FILE.erl: run it as this release of OTP
    #[arg(long = "otp", value_name = "25..28", default_value_t = Release::NEWEST)]
    pub otp: Release,
    /// With FILE.erl: the short name of the first node; without it the node is not alive
    #[arg(long, value_name = "NAME", value_parser = system::short_name)]
    pub sname: Option<String>,
    /// Memory for checkpoints, in MB
    #[arg(long, value_name = "MB", default_value_t = 256, allow_negative_numbers = true, value_parser = whole_number(0..=usize::MAX >> 20))]
    pub checkpoint_memory: usize,
    #[command(flatten)]
    pub show: ShowArgs,
}

/// Runs `replay debug`.
///
/// # Errors
/// The trace or the script cannot be read; the program does not compile; standard output cannot be written. For a script, also the first
/// command that fails; with standard input, an error is shown and the next line is read.
pub fn run(args: &DebugArgs, out: &mut Out<'_>) -> Result<Exit, Error> {
    let session = open(args)?;
    let player = Player::new(&session, args.checkpoint_memory.saturating_mul(1 << 20))?;
    let first = session.trace().processes().next().transpose()?;
    let subject = first.map_or(Pid(1), |process| process.pid);
    let mut shell = Shell::new(&args.trace, session, player, subject, args.show);
    shell.at.player.go_on(true);
    shell.seed = args.seed.unwrap_or(0);
    shell.at.player.set_seed(shell.seed);
    shell.at.player.set_delivery(args.delivery);
    let mut lines = SessionLines::open(args.script.as_deref(), DEBUG_COMMANDS)?;
    shell.talk(&mut lines, out)?;
    Ok(Exit::Success)
}

/// Opens a trace; or a program on the simulated outside, either at its beginning or recorded first under a schedule.
fn open(args: &DebugArgs) -> Result<Session, Error> {
    let path = &args.trace;
    if !crate::commands::is_program(path) {
        if args.sname.is_some() {
            return Err(Error::Usage(format!(
                "--sname works only with FILE.erl; the nodes of {} were recorded",
                path.display()
            )));
        }
        return open_session(path);
    }
    crate::commands::open_program(path, args.otp, args.sname.as_deref(), args.seed, args.delivery)
}

/// A session at a player.
pub(super) struct Shell {
    /// The trace or the program.
    path: PathBuf,
    at: Debugger,
    /// The activation that is looked at, if one was chosen.
    frame: Option<usize>,
    marks: Vec<MarkedPosition>,
    show: crate::cli::shared::ShowArgs,
    /// The choices that `choices` has listed.
    offered: Vec<(Pid, Choice)>,
    /// What `races` has listed.
    listed: Option<races::ListedRaces>,
    /// What is random beyond the logs depends on it.
    seed: u64,
}

/// A marked position, and the process that was current there.
struct MarkedPosition {
    name: String,
    player: Player,
    subject: Pid,
}

/// Refuses a command that misses its argument, or has one that it does not take.
fn check_argument(word: &str, rest: &str) -> Result<(), Error> {
    let text = match (word, rest.is_empty()) {
        ("processes" | "ps" | "position" | "quit" | "q" | "exit" | "help" | "h", false) => {
            format!("`{word}` takes no argument, found `{}`", safe(rest))
        }
        ("use", true) => "`use` needs a process: use 0.7.0".to_owned(),
        ("flip", true) => "`flip` needs a number: flip 1; `races` lists them".to_owned(),
        ("choose", true) => "`choose` needs a choice: choose 1; `choices` lists them".to_owned(),
        ("delete" | "enable" | "disable", true) => {
            format!("`{word}` needs a number: {word} 1; `break` lists the breakpoints")
        }
        ("print", true) => "`print` needs an expression: print EXPR".to_owned(),
        ("mark", true) => "`mark` needs a name: mark NAME".to_owned(),
        ("until" | "u" | "undo" | "causes" | "consequences", true) => {
            format!("`{word}` needs a target: {word} rec:42, {word} error, {word} event:0.7.0/15, …")
        }
        _ => return Ok(()),
    };
    Err(Error::Usage(text))
}

impl Shell {
    /// At the position of this player. `path`: the trace or the program.
    pub(super) fn new(
        path: &Path,
        session: Session,
        player: Player,
        subject: Pid,
        show: crate::cli::shared::ShowArgs,
    ) -> Self {
        Self {
            path: path.to_owned(),
            at: Debugger::at(session, player, subject),
            frame: None,
            marks: Vec::new(),
            show,
            offered: Vec::new(),
            listed: None,
            seed: 0,
        }
    }

    /// Steps go on beyond the log. The process goes on by some steps, or to where its next action is, and where it then stands is said.
    ///
    /// # Errors
    /// A step cannot be repeated; standard output cannot be written.
    pub(super) fn enter(
        &mut self,
        delivery: system::Delivery,
        steps: Option<u64>,
        out: &mut Out<'_>,
    ) -> Result<(), Error> {
        self.at.player.go_on(true);
        self.at.player.set_delivery(delivery);
        match steps {
            Some(0) => {}
            Some(steps) => _ = self.at.player.step(self.at.pid, steps)?,
            // It goes on silently to find out what can be chosen.
            None => _ = self.at.player.choices(self.at.pid)?,
        }
        self.place(out)
    }

    /// Does what is typed, up to `quit` or the end.
    ///
    /// # Errors
    /// Of a script, the first command that fails; the lines cannot be read; standard output cannot be written.
    pub(super) fn talk(&mut self, lines: &mut SessionLines, out: &mut Out<'_>) -> Result<(), Error> {
        loop {
            lines.offer(|| self.words());
            let Some(line) = lines.next(&self.at.pid.to_string(), out)? else {
                break;
            };
            if lines::quits(&line) {
                break;
            }
            let result = self.command(&line, out);
            lines.done(result, out)?;
        }
        Ok(())
    }

    fn command(&mut self, line: &str, out: &mut Out<'_>) -> Result<(), Error> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        check_argument(word, rest)?;
        match word {
            "help" | "h" => writeln!(out.sink, "{DEBUG_COMMANDS}")?,
            "continue" | "c" => self.go_on(Way::Forward, out)?,
            "reverse-continue" | "rc" => self.go_on(Way::Back, out)?,
            "next" | "n" => self.lines(rest, Reach::Over, Way::Forward, out)?,
            "finish" | "fin" => self.lines(rest, Reach::Out, Way::Forward, out)?,
            "reverse-next" | "rn" => self.lines(rest, Reach::Over, Way::Back, out)?,
            "reverse-step" | "rs" => self.lines(rest, Reach::Into, Way::Back, out)?,
            "reverse-finish" | "rfin" => self.lines(rest, Reach::Out, Way::Back, out)?,
            "failure" => self.failure_line(out)?,
            "break" | "b" | "breakpoints" => self.breakpoint(rest, out)?,
            "delete" | "enable" | "disable" => self.change_breakpoint(word, rest)?,
            "catch" => self.catch(rest)?,
            "bt" | "backtrace" => self.backtrace(rest, out)?,
            "up" | "down" | "frame" | "f" => self.choose_frame(if word == "f" { "frame" } else { word }, rest, out)?,
            "list" | "l" => self.list(rest, out)?,
            "vars" => self.vars(out)?,
            "mailbox" => self.mailbox(out)?,
            "until" | "u" => self.until(rest, out)?,
            "step" | "s" => self.step(rest, out)?,
            "save" => self.save(rest, out)?,
            "action" | "a" => {
                let moved = self.at.player.act(self.at.pid, times(rest)?)?;
                self.told(&moved, out)?;
            }
            "back" => {
                let way: Back = if rest.is_empty() { "1" } else { rest }.parse()?;
                let moved = super::travel::back_to_known(&mut self.at.player, self.at.pid, &way)?;
                self.told(&moved, out)?;
            }
            "undo" => {
                let found = self.at.player.happened(&rest.parse()?)?;
                let moved = self.at.player.undo(&[found.id()])?;
                self.told(&moved, out)?;
            }
            "use" => {
                self.at.pid = self.at.player.find_process(&rest.parse()?)?;
                self.at.player.observe(self.at.pid)?;
            }
            "state" | "p" => {
                let pid = match rest {
                    "" => self.at.pid,
                    text => self.at.player.find_process(&text.parse()?)?,
                };
                self.state(pid, out)?;
            }
            "choices" => self.choices(rest, out)?,
            "choose" => self.choose(rest, out)?,
            "run" | "r" => self.run(rest, out)?,
            "normalise" => self.normalise(rest, out)?,
            "leave" => self.leave(rest, out)?,
            "races" => self.races(rest, out)?,
            "flip" => self.flip(rest, out)?,
            "processes" | "ps" => self.processes(out)?,
            "why" => self.why(rest, out)?,
            "causes" => self.causes(rest, out)?,
            "consequences" => self.consequences(rest, out)?,
            "print" => {
                let value = self.at.evaluate(rest, self.at.pid, self.frame())?;
                writeln!(out.sink, "{}", safe(&value))?;
            }
            "position" => self.position(out)?,
            "mark" => self.set_mark(rest),
            "goto" => self.goto(rest, out)?,
            _ => {
                return Err(Error::Usage(format!(
                    "`{}` is not a command: expected one of continue, next, step, finish, break, until, action, back, undo, choices, choose, run, normalise, leave, \
                     races, flip, use, state, processes, why, causes, consequences, print, position, mark, goto, save, help, quit",
                    safe(word)
                )));
            }
        }
        Ok(())
    }

    /// `step [N] [library]`: steps in the library are skipped, unless the user asks for them.
    fn step(&mut self, rest: &str, out: &mut Out<'_>) -> Result<(), Error> {
        let (n, into) = match rest.split_once(char::is_whitespace).unwrap_or((rest, "")) {
            ("library", n) | (n, "library") => (n.trim(), true),
            _ => (rest, false),
        };
        let moved = if into {
            self.at.player.step(self.at.pid, times(n)?)?
        } else {
            self.at.player.step_over(self.at.pid, times(n)?)?
        };
        self.told(&moved, out)
    }

    /// `position`: how much of the run has been done, and what going back costs.
    fn position(&self, out: &mut Out<'_>) -> Result<(), Error> {
        let actions: u64 = self.at.player.position().cut.actions();
        let all = self.at.player.history().total();
        let (kept, bytes) = self.at.player.checkpoints();
        let text = format!(
            "{} of {}; {}, {}",
            number(actions),
            count(all, "action"),
            count(kept as u64, "checkpoint"),
            crate::words::bytes(bytes as u64)
        );
        Ok(writeln!(out.sink, "{text}")?)
    }

    /// `goto NAME`.
    fn goto(&mut self, name: &str, out: &mut Out<'_>) -> Result<(), Error> {
        let Some(mark) = self.marks.iter().find(|mark| mark.name == name) else {
            return Err(Error::Usage(format!(
                "there is no mark `{}`; `mark NAME` sets one",
                safe(name)
            )));
        };
        (self.at.player, self.at.pid) = (mark.player.clone(), mark.subject);
        self.place(out)
    }

    /// `save FILE`: writes what has been done as a trace.
    fn save(&self, rest: &str, out: &mut Out<'_>) -> Result<(), Error> {
        if rest.is_empty() {
            return Err(Error::Usage("`save` needs a file: save FILE".to_owned()));
        }
        let path = Path::new(rest);
        crate::commands::saved::check(path, &self.path, "it is the trace of this session; name another file")?;
        let saved = crate::commands::saved::write(&self.at.player, path, "replay debug")?;
        let file = crate::words::path_argument(path);
        let length = crate::words::bytes(saved.bytes);
        writeln!(
            out.sink,
            "{} written to {file}, {length}",
            count(saved.actions, "action")
        )?;
        writeln!(out.sink, "  replay info {file}")?;
        Ok(())
    }

    fn until(&mut self, rest: &str, out: &mut Out<'_>) -> Result<(), Error> {
        let (rest, pattern) = rest
            .split_once(" where ")
            .map_or((rest, None), |(a, b)| (a, Some(b.trim())));
        let (target, when) = rest
            .split_once(" when ")
            .map_or((rest, None), |(a, b)| (a, Some(b.trim())));
        let mut conditions = Conditions::of(self.at.session(), when, pattern)?;
        let target: Target = target.trim().parse()?;
        let arrival = self.at.player.go_to_where(&target, &mut conditions)?;
        self.at.pid = arrival.pid;
        // An end or a failure is a place where a process rests: there is nothing to go back to before.
        let is_action = arrival.point.is_some() && !matches!(target, Target::End(_) | Target::Error);
        if arrival.moved.done.is_empty() && is_action && !conditions.any() {
            writeln!(
                out.sink,
                "{0} has already happened; `back {0}` goes to before it",
                safe(&target.to_string())
            )?;
        }
        self.told(&arrival.moved, out)?;
        if let Some(point) = &arrival.point {
            for note in self.at.player.notes(point)? {
                writeln!(out.sink, "{note}")?;
            }
        }
        Ok(())
    }

    /// Writes what was done and undone, and the place of the process.
    fn told(&mut self, moved: &Moved, out: &mut Out<'_>) -> Result<(), Error> {
        self.frame = None;
        let Moved {
            done,
            undone,
            stopped,
            dropped: _,
        } = moved;
        let actions = |list: &[Stretch]| list.iter().map(|one| one.actions()).sum::<u64>();
        if !done.is_empty() {
            let text = format!(
                "{} done, of {}",
                count(actions(done), "action"),
                count(done.len() as u64, "process")
            );
            writeln!(out.sink, "{text}")?;
        }
        if !undone.is_empty() {
            writeln!(out.sink, "{} undone:", count(actions(undone), "action"))?;
            let layout = out.layout(self.show);
            render::text::suffixes(out.sink, &session::shown::roll_log(&self.at.player, undone)?, &layout)?;
        }
        self.told_dropped(moved, out)?;
        match stopped {
            Stopped::Reached => {}
            // The line below says that it has ended.
            Stopped::EndOfLog if self.at.player.has_ended(self.at.pid) => {}
            Stopped::EndOfLog => writeln!(out.sink, "the log of {} ends here", self.at.pid)?,
            Stopped::Beginning => writeln!(out.sink, "this is the beginning of {}", self.at.pid)?,
            Stopped::Waiting => writeln!(
                out.sink,
                "{} waits in a receive; `choices` lists what can come",
                self.at.pid
            )?,
            Stopped::Running => writeln!(
                out.sink,
                "{} is still running, without an action; repeat the command to go on",
                self.at.pid
            )?,
            Stopped::Quiet => writeln!(out.sink, "nothing more can happen")?,
            Stopped::Halted(status) => writeln!(out.sink, "the program has halted with status {status}")?,
        }
        self.place(out)
    }

    /// Writes one line: the place of the process.
    fn place(&self, out: &mut Out<'_>) -> Result<(), Error> {
        let pid = self.at.pid;
        let text = match self.at.player.place(pid) {
            Some(place) => {
                let line = self.at.session().sources().quote_at(&place, 0).pop();
                let line = line.map_or_else(String::new, |line| format!("  {}", line.text.trim()));
                format!("{pid} in {}, {}:{}{line}", place.called(), place.file, place.line)
            }
            None => match self.at.player.end_of(pid)? {
                Some(end) => format!("{pid} has ended: {}", end.reason),
                None if self.at.player.process(pid)?.state == ProcessState::Running => {
                    format!("{pid} has not begun to run")
                }
                None => format!("{pid} does not exist yet"),
            },
        };
        writeln!(out.sink, "{text}")?;
        Ok(())
    }

    fn state(&self, pid: Pid, out: &mut Out<'_>) -> Result<(), Error> {
        let bounds = run::bounds(out, self.show);
        let names = session::called::ProcessNames::default();
        match session::shown::standing(&self.at.player, pid, &names, &bounds)? {
            Some(view) => out.view(&view, self.show, render::text::process),
            None => {
                writeln!(out.sink, "{pid} does not exist yet")?;
                Ok(())
            }
        }
    }

    fn processes(&self, out: &mut Out<'_>) -> Result<(), Error> {
        for pid in self.at.player.processes()? {
            let process = self.at.player.process(pid)?;
            let place = process.place.map(|place| {
                let function = place.called();
                format!("  {function}, {}:{}", place.file, place.line)
            });
            writeln!(
                out.sink,
                "{:<10} {:>8} of {}{}",
                pid.to_string(),
                number(process.done),
                count(process.of, "action"),
                place.unwrap_or_default()
            )?;
        }
        Ok(())
    }
}

/// A typed count, or 1.
fn times(text: &str) -> Result<u64, Error> {
    if text.is_empty() {
        return Ok(1);
    }
    text.parse()
        .ok()
        .filter(|n| *n > 0)
        .ok_or_else(|| Error::Usage(format!("`{}` is not a count: expected a number from 1", safe(text))))
}
