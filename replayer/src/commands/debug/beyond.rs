//! The commands of `replay debug` beyond the logs: choose, run, normalise, leave.

use log_format::{ActionId, Pid};

use super::{Shell, times};
use crate::commands::Out;
use crate::words::{count, number, safe};
use decisive::guide::{Ended, Guide, Plan};
use decisive::record::Record;
use session::conditions::Conditions;
use session::error::Error;
use session::player::free::Choice;
use session::player::steps::Strategy;
use session::player::{Moved, Player, Stopped, handle};
use session::predicate::Predicate;

/// The number of steps of a `run` without N.
const MOST: u64 = 100_000;
/// Limit: characters of a shown message.
const CHARS: usize = 60;

/// Limit: processes whose choices are shown at once.
const PROCESSES: usize = 30;

impl Shell {
    /// `choices [PID]`: what each process can do next, numbered for `choose`.
    pub(super) fn choices(&mut self, rest: &str, out: &mut Out<'_>) -> Result<(), Error> {
        let who = match rest {
            "" => self.at.player.living(),
            text => vec![self.at.player.find_process(&text.parse()?)?],
        };
        self.offered.clear();
        let mut shown = 0;
        let mut more = 0;
        for pid in who {
            if shown == PROCESSES && !self.show.all {
                more += 1;
                continue;
            }
            let logged = self.at.player.logged(pid)?;
            let choices = self.at.player.choices(pid)?;
            if choices.is_empty() && logged.is_none() && rest.is_empty() {
                continue;
            }
            shown += 1;
            let place = place_of(&self.at.player, pid);
            writeln!(out.sink, "{pid}{place}")?;
            for choice in choices {
                self.offered.push((pid, choice));
                let log = if logged == Some(choice) { "  (as recorded)" } else { "" };
                let text = self.describe(pid, choice);
                writeln!(out.sink, "  {:>3}  {text}{log}", self.offered.len())?;
            }
            match logged {
                Some(choice) if !self.offered.contains(&(pid, choice)) => {
                    self.offered.push((pid, choice));
                    let text = self.describe(pid, choice);
                    writeln!(
                        out.sink,
                        "  {:>3}  {text}  (as recorded; its causes come first)",
                        self.offered.len()
                    )?;
                }
                _ => {}
            }
        }
        if more > 0 {
            writeln!(
                out.sink,
                "… {}; `choices PID` shows one, --all shows all",
                count(more, "more process")
            )?;
        }
        if self.offered.is_empty() {
            writeln!(out.sink, "nothing more can happen")?;
        }
        Ok(())
    }

    fn describe(&self, pid: Pid, choice: Choice) -> String {
        match choice {
            Choice::Step => self.next_step(pid),
            Choice::Timeout => "timeout".to_owned(),
            Choice::Signal(tag) => format!("end by the exit signal {tag}"),
            Choice::Arrived(tag) => format!("{}; {tag} has arrived", self.next_step(pid)),
            Choice::Pick(number) => self.alternative(pid, number),
            Choice::Message(tag) => {
                let text = self.at.player.look(|system| {
                    let all = system.messages(pid);
                    let message = all.iter().find(|(known, _)| *known == tag);
                    message.map(|(_, message)| session::watch::fragment(message, &system.program, CHARS))
                });
                format!("receive {tag}  {}", text.unwrap_or_else(|| "(not sent yet)".to_owned()))
            }
        }
    }

    /// An alternative of `amb`: its value, if the process stands before it.
    fn alternative(&self, pid: Pid, number: u32) -> String {
        let text = self.at.player.look(|system| {
            let value = system.alternative(pid, number)?;
            Some(session::watch::fragment(&value, &system.program, CHARS))
        });
        format!(
            "pick {number}{}",
            text.map_or_else(String::new, |text| format!("  {text}"))
        )
    }

    fn next_step(&self, pid: Pid) -> String {
        let name = self.at.player.look(|system| {
            let label = system.table().by_pid(handle(pid))?.label?;
            Some(match label {
                system::process::Label::Native(id) => {
                    let native = system.program.native(id);
                    format!("call {}:{}/{}", native.module, native.name, native.arity)
                }
                system::process::Label::Receive(_) => "step".to_owned(),
                system::process::Label::Version(module) => format!("call the module {module}"),
                system::process::Label::End => "end".to_owned(),
            })
        });
        name.unwrap_or_else(|| "run on".to_owned())
    }

    /// `choose N | TAG | timeout | step | signal TAG`.
    pub(super) fn choose(&mut self, rest: &str, out: &mut Out<'_>) -> Result<(), Error> {
        let (pid, choice) = if let Ok(n) = rest.parse::<usize>() {
            let found = n.checked_sub(1).and_then(|at| self.offered.get(at)).copied();
            found.ok_or_else(|| Error::Usage(format!("there is no choice {n}; `choices` lists them")))?
        } else {
            (self.at.pid, choice(rest)?)
        };
        self.offered.clear();
        self.at.pid = pid;
        self.at.player.observe(pid)?;
        let moved = self.at.player.choose(pid, choice)?;
        self.told(&moved, out)
    }

    /// `leave [PID]`: the process leaves its log where it stands.
    pub(super) fn leave(&mut self, rest: &str, out: &mut Out<'_>) -> Result<(), Error> {
        if !rest.is_empty() {
            self.at.pid = self.at.player.find_process(&rest.parse()?)?;
            self.at.player.observe(self.at.pid)?;
        }
        if self.at.player.logged(self.at.pid)?.is_none() {
            return Err(Error::Usage(format!("{} has no log left to leave", self.at.pid)));
        }
        let moved = self.at.player.leave_log(self.at.pid)?;
        self.told(&moved, out)
    }

    /// `normalise [N]`.
    pub(super) fn normalise(&mut self, rest: &str, out: &mut Out<'_>) -> Result<(), Error> {
        let most = if rest.is_empty() { MOST } else { times(rest)? };
        let mut moved = self.at.player.normalise(most)?;
        if moved.stopped == Stopped::Quiet {
            // Only receives are left, as intended.
            moved.stopped = Stopped::Reached;
        }
        self.ran(moved, most, out)
    }

    /// `run [N] [random [SEED] [any-time] | processes-first | round-robin | as-recorded] [until CONDITION]`.
    pub(super) fn run(&mut self, rest: &str, out: &mut Out<'_>) -> Result<(), Error> {
        let (how, until) = match rest.split_once("until ") {
            Some((how, until)) => (how.trim(), Some(until.trim())),
            None => (rest.trim(), None),
        };
        if how == "until" || how.ends_with(" until") {
            return Err(Error::Usage(
                "`run until` needs a condition: error, event:PID/N, exit:PID, end:PID, line:FILE:LINE, or when EXPR"
                    .to_owned(),
            ));
        }
        let mut words = how.split_whitespace().peekable();
        let steps = words
            .next_if(|word| word.parse::<u64>().is_ok())
            .map(times)
            .transpose()?;
        let as_recorded = words.next_if_eq(&"as-recorded").is_some();
        let mut strategy = strategy(&mut words)?;
        if let Some(word) = words.next() {
            return Err(Error::Usage(format!(
                "`{}` is not an option of `run`: expected a number of steps, random, processes-first, round-robin or as-recorded, until",
                safe(word)
            )));
        }
        let most = steps.unwrap_or(MOST);
        let mut stop = Stop::of(self, until)?;
        let mut reached = false;
        let mut who = None;
        let until_then = |player: &mut Player, pid: Pid| {
            reached = stop.holds(player, pid)?;
            who = Some(pid);
            Ok(reached)
        };
        let moved = match as_recorded {
            true => self.as_recorded(most, until_then)?,
            false => self.at.player.run_beyond(&mut strategy, most, until_then)?,
        };
        if let (true, Some(pid)) = (reached, who) {
            self.at.pid = pid;
        }
        self.at.player.observe(self.at.pid)?;
        // If nothing more can happen, a process has ended or waits for ever.
        reached |=
            matches!(&stop, Stop::Rest(pid) if moved.stopped == Stopped::Quiet && self.at.player.process(*pid).is_ok());
        if let (true, Stop::Rest(pid)) = (reached, &stop) {
            self.at.pid = *pid;
        }
        if until.is_some() && !reached {
            let hint = match &stop {
                Stop::When(_, conditions) => conditions.when.as_ref().and_then(Predicate::hint),
                _ => None,
            };
            self.ran(moved, most, out)?;
            let hint = hint.map_or_else(String::new, |hint| format!(": {hint}"));
            return Err(Error::NoTarget(format!("the run did not reach the condition{hint}")));
        }
        self.ran(moved, most, out)
    }

    /// Makes at most this many steps, as near to the record as it can.
    fn as_recorded(
        &mut self,
        most: u64,
        mut until: impl FnMut(&mut Player, Pid) -> Result<bool, Error>,
    ) -> Result<Moved, Error> {
        let record = Record::of(self.at.session())?;
        let before = self.at.player.position().cut;
        let plan = Plan {
            steps: most,
            ..Plan::default()
        };
        let mut guide = Guide::new(&record, plan);
        let stopped = loop {
            match guide.go_on(&mut self.at.player)? {
                Ok(pid) if until(&mut self.at.player, pid)? => break Stopped::Reached,
                Ok(_) => {}
                Err(Ended::Quiet) => break Stopped::Quiet,
                Err(Ended::Halted(status)) => break Stopped::Halted(status),
                Err(Ended::Cut) => break Stopped::Reached,
            }
        };
        Ok(Moved {
            done: session::player::between(&before, &self.at.player.position().cut),
            undone: Vec::new(),
            dropped: Vec::new(),
            stopped,
        })
    }

    fn ran(&mut self, moved: Moved, most: u64, out: &mut Out<'_>) -> Result<(), Error> {
        self.offered.clear();
        let done: u64 = moved.done.iter().map(|one| one.actions()).sum();
        self.told(&moved, out)?;
        if done >= most && moved.stopped == Stopped::Reached {
            writeln!(out.sink, "stopped after {} steps", number(most))?;
        }
        Ok(())
    }

    /// Writes what was dropped from the logs, and what is left.
    pub(super) fn told_dropped(&self, moved: &Moved, out: &mut Out<'_>) -> Result<(), Error> {
        if moved.dropped.is_empty() {
            return Ok(());
        }
        let dropped: u64 = moved.dropped.iter().map(|one| one.actions()).sum();
        writeln!(out.sink, "{} dropped from the logs:", count(dropped, "action"))?;
        for one in &moved.dropped {
            let (first, last) = one.ends();
            writeln!(out.sink, "  {:<10}  {first} to {last}", one.pid.to_string())?;
        }
        let left = self.at.player.history().total();
        writeln!(out.sink, "the logs now hold {}", count(left, "action"))?;
        Ok(())
    }
}

fn choice(text: &str) -> Result<Choice, Error> {
    let tag = |text: &str| match text.parse() {
        Ok(causality::Target::Sent(tag)) => Ok(tag),
        _ => Err(Error::Usage(format!(
            "`{}` is not a choice: expected a number that `choices` shows, a message such as sent:0.3.0/1, timeout, step, pick 0, arrived sent:0.3.0/1, or signal sent:0.3.0/1",
            safe(text)
        ))),
    };
    Ok(match text.split_once(' ') {
        Some(("signal", rest)) => Choice::Signal(tag(rest.trim())?),
        Some(("arrived", rest)) => Choice::Arrived(tag(rest.trim())?),
        Some(("pick", rest)) if let Ok(number) = rest.trim().parse() => Choice::Pick(number),
        _ if text == "timeout" => Choice::Timeout,
        _ if text == "step" => Choice::Step,
        _ => Choice::Message(tag(text)?),
    })
}

fn strategy<'w>(words: &mut std::iter::Peekable<impl Iterator<Item = &'w str>>) -> Result<Strategy, Error> {
    Ok(match words.peek() {
        Some(&"random") => {
            words.next();
            let seed = words.next_if(|word| word.parse::<u64>().is_ok());
            let state = seed.and_then(|word| word.parse().ok()).unwrap_or(1);
            let patient = words.next_if(|word| *word == "any-time").is_none();
            Strategy::Random { state, patient }
        }
        Some(&"processes-first") => {
            words.next();
            Strategy::ProcessesFirst { tired: Vec::new() }
        }
        Some(&"round-robin") => {
            words.next();
            Strategy::RoundRobin { last: Pid(0) }
        }
        _ => Strategy::RoundRobin { last: Pid(0) },
    })
}

/// When a run stops.
enum Stop {
    Never,
    /// An abnormal end.
    Error,
    /// This action has been done.
    Action(ActionId),
    /// This process has ended.
    End(Pid),
    /// It has ended, or nothing more can happen.
    Rest(Pid),
    /// A process has come to this line.
    Line(std::sync::Arc<str>, u32),
    /// The condition holds for this process.
    When(Pid, Box<Conditions>),
}

impl Stop {
    fn of(shell: &mut Shell, text: Option<&str>) -> Result<Self, Error> {
        let Some(text) = text else { return Ok(Self::Never) };
        if text == "error" {
            return Ok(Self::Error);
        }
        if let Some(expression) = text.strip_prefix("when ") {
            let conditions = Conditions::of(shell.at.session(), Some(expression.trim()), None)?;
            return Ok(Self::When(shell.at.pid, Box::new(conditions)));
        }
        let target: causality::Target = text.parse()?;
        use causality::{ProcessRef, Target};
        Ok(match target {
            Target::Event(ProcessRef::Pid(pid), n) => Self::Action(ActionId::new(pid, n)),
            Target::Exit(ProcessRef::Pid(pid)) | Target::Signal(ProcessRef::Pid(pid)) => Self::End(pid),
            Target::End(ProcessRef::Pid(pid)) => Self::Rest(pid),
            Target::Line { file, line, .. } => {
                let file = shell.at.session().sources().find_file(&file)?;
                Self::Line(file, u32::try_from(line).unwrap_or(u32::MAX))
            }
            _ => {
                return Err(Error::Usage(format!(
                    "`run` cannot stop at {target}: expected error, event:PID/N, exit:PID, end:PID, line:FILE:LINE, or when EXPR"
                )));
            }
        })
    }

    fn holds(&mut self, player: &mut Player, pid: Pid) -> Result<bool, Error> {
        Ok(match self {
            Self::Never => false,
            Self::Error => player.look(|system| system.observer.failed.contains(&pid)),
            Self::Action(one) => player.done(one.pid) >= one.number.0,
            Self::End(who) | Self::Rest(who) => player.has_ended(*who),
            Self::Line(file, line) => player.look(|system| {
                let place = system
                    .table()
                    .by_pid(handle(pid))
                    .and_then(|p| p.machine.location(&system.program));
                place.is_some_and(|place| place.line == *line && place.file == file.as_ref())
            }),
            Self::When(who, conditions) => {
                let known = player.scope(*who);
                match &mut conditions.when {
                    Some(condition) => condition.holds(&known)?,
                    None => false,
                }
            }
        })
    }
}

fn place_of(player: &Player, pid: Pid) -> String {
    player.place(pid).map_or_else(String::new, |place| {
        format!("  {}, {}:{}", place.called(), place.file, place.line)
    })
}
