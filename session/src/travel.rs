//! Going forward and back to targets: actions, steps, lines and conditions.

use std::sync::Arc;

use causality::Target;
use log_format::{ActionId, ActionNo, Pid};

use crate::error::Error;
use crate::player::tracker::Sought;
use crate::player::{Moved, Player, Stopped};
use crate::predicate::Predicate;
use crate::session::Session;
use crate::targets::{self, Found};
use crate::words::safe;

/// The conditions `--when` and `--where`.
#[derive(Default)]
pub struct Conditions {
    /// On variables.
    pub when: Option<Predicate>,
    /// On messages.
    pub pattern: Option<Predicate>,
}

impl Conditions {
    /// Compiles the conditions.
    ///
    /// # Errors
    /// The text is not Erlang.
    pub fn of(session: &Session, when: Option<&str>, pattern: Option<&str>) -> Result<Self, Error> {
        let program = || session.program();
        Ok(Self {
            when: when
                .map(|text| Predicate::of_program(text, program(), session.sources()))
                .transpose()?,
            pattern: pattern
                .map(|text| Predicate::pattern(text, program(), session.sources()))
                .transpose()?,
        })
    }

    const fn any(&self) -> bool {
        self.when.is_some() || self.pattern.is_some()
    }
}

/// Goes forward to a target. Returns the process that it is about, and notes for the user.
///
/// # Errors
/// There is no such target; the replay diverges.
pub fn forward(player: &mut Player, text: &str, conditions: &mut Conditions) -> Result<(Pid, Vec<String>), Error> {
    let session = player.session().clone();
    let target: Target = text
        .parse()
        .map_err(|error: causality::TargetError| Error::Usage(error.to_string()))?;
    match &target {
        Target::Step(who, steps) => {
            let pid = player.process(&who.to_string())?;
            player.observe(pid)?;
            let moved = player.step(pid, *steps)?;
            reached(&moved, &target, conditions)?;
            Ok((pid, Vec::new()))
        }
        Target::Line { file, line, who, count } => {
            let file = file_of(&session, file)?;
            let line = u32::try_from(*line).unwrap_or(u32::MAX);
            let pid = match who {
                Some(who) => player.process(&who.to_string())?,
                None => first_visitor(player, &file, line, *count)?,
            };
            player.observe(pid)?;
            if conditions.pattern.is_some() {
                return Err(Error::Usage(
                    "--where matches messages, and a line has none; use --when".to_owned(),
                ));
            }
            let moved = player.to_line(pid, &file, line, *count, conditions.when.as_mut())?;
            reached(&moved, &target, conditions)?;
            Ok((pid, Vec::new()))
        }
        _ => {
            let found = resolve(player, text)?;
            player.observe(found.pid)?;
            if conditions.any() {
                from(player, &found, &target, conditions)?;
            } else {
                if player.history().has_branches() {
                    player.forward_to(crate::player::free::causes(player, found.pid, found.action.0)?.iter())?;
                } else {
                    let slice = crate::shown::slice_of(session.trace(), &found)?;
                    player.forward_to(slice.iter())?;
                }
                if found.action == ActionNo(0) {
                    player.pull(found.pid, 0)?;
                }
                if found.runs_on {
                    player.run_on(found.pid)?;
                }
            }
            Ok((found.pid, found.all_notes(session.trace())?))
        }
    }
}

/// Goes on, starting at the target, to the first action of the same process and kind for which the conditions hold.
fn from(player: &mut Player, found: &Found, target: &Target, conditions: &mut Conditions) -> Result<(), Error> {
    let Found { pid, action, .. } = *found;
    // With `event:`, any kind will do.
    let kind = match target {
        Target::Event(..) | Target::End(_) => None,
        _ => Some(player.history().action(pid, action.0)?.kind.word()),
    };
    let before = action.0.saturating_sub(1);
    player.forward_to(crate::player::free::causes(player, pid, before)?.iter())?;
    player.pull(pid, before)?;
    let mut moved = player.to_action(pid, kind, conditions.pattern.as_mut(), conditions.when.as_mut())?;
    if found.runs_on && moved.stopped != Stopped::Reached && conditions.pattern.is_none() {
        // Where it finally waits, its variables may differ from those at its last action.
        player.run_on(pid)?;
        if let Some(when) = &mut conditions.when
            && when.holds(&player.scope(pid))?
        {
            moved.stopped = Stopped::Reached;
        }
    }
    reached(&moved, target, conditions)
}

fn reached(moved: &Moved, target: &Target, conditions: &Conditions) -> Result<(), Error> {
    if moved.stopped == Stopped::Reached {
        return Ok(());
    }
    let what = if conditions.any() {
        let hint = conditions.when.as_ref().and_then(Predicate::hint);
        let hint = hint.map_or_else(String::new, |hint| format!("; {hint}"));
        format!("from {target} on, the condition never holds{hint}")
    } else {
        format!("no {target} in this trace: the process ends or waits before that")
    };
    Err(Error::NoTarget(what))
}

/// The file of the program that a path names: by the whole path, or by its last parts.
///
/// # Errors
/// There is no such file, or more than one.
pub fn file_of(session: &Session, text: &str) -> Result<Arc<str>, Error> {
    let files: Vec<&str> = session.sources().files().map(|(path, _)| path).collect();
    if let Some(file) = files.iter().find(|file| **file == text) {
        return Ok(Arc::from(*file));
    }
    let end = format!("/{text}");
    let mut fitting: Vec<&str> = files.iter().copied().filter(|file| file.ends_with(&end)).collect();
    fitting.sort_unstable();
    fitting.dedup();
    let listed = |files: &[&str]| files.iter().map(|file| safe(file)).collect::<Vec<_>>().join(", ");
    match fitting.as_slice() {
        [one] => Ok(Arc::from(*one)),
        [] => Err(Error::NoTarget(format!(
            "there is no file {} in the program: expected one of {}",
            safe(text),
            listed(&files)
        ))),
        more => Err(Error::NoTarget(format!(
            "{} can be any of {}; name more of the path",
            safe(text),
            listed(more)
        ))),
    }
}

/// The process that gets to a line with the fewest causes.
fn first_visitor(player: &Player, file: &Arc<str>, line: u32, times: u64) -> Result<Pid, Error> {
    let visits = player.visits(file, line, times)?;
    let trace = player.session().trace();
    let mut best: Option<(u64, Pid)> = None;
    for visit in visits {
        let causes = causality::causes(trace, ActionId::new(visit.pid, visit.actions))?.actions();
        if best.is_none_or(|known| (causes, visit.pid) < known) {
            best = Some((causes, visit.pid));
        }
    }
    best.map(|(_, pid)| pid).ok_or_else(|| {
        let again = if times > 1 {
            format!(" {times} times")
        } else {
            String::new()
        };
        Error::NoTarget(format!(
            "no process reaches line {line} of {file}{again}; is there code on that line?"
        ))
    })
}

/// Finds a target of a trace. A step or line is found by replaying up to it; the result is then the last action of the process before it.
///
/// # Errors
/// As [`forward`].
pub fn find(trace: &Arc<log_format::Trace>, text: &str, memory: Option<usize>) -> Result<Found, Error> {
    match text.parse() {
        Ok(Target::Step(..) | Target::Line { .. }) => {
            find_place(&Session::of(Arc::clone(trace))?.with_memory(memory), text)
        }
        _ => targets::resolve(trace, text),
    }
}

/// As [`find`], with an open session.
///
/// # Errors
/// As [`forward`].
pub fn find_in(session: &Session, text: &str) -> Result<Found, Error> {
    match text.parse() {
        Ok(Target::Step(..) | Target::Line { .. }) => find_place(session, text),
        _ => targets::resolve(session.trace(), text),
    }
}

/// Finds a step or a line of a trace.
///
/// # Errors
/// As [`forward`].
pub fn find_place(session: &Session, text: &str) -> Result<Found, Error> {
    let mut player = Player::new(session, 0)?;
    let (pid, mut notes) = forward(&mut player, text, &mut Conditions::default())?;
    let action = player.done(pid);
    let parent = session.trace().process(pid)?.parent;
    if action == 0 && parent.is_none() {
        return Err(Error::NoTarget(format!(
            "{text} is reached before the first action of the run, so it has no causes and no consequences; `replay state {} TRACE` shows the process",
            crate::words::quoted(std::ffi::OsStr::new(text))
        )));
    }
    notes.push(match action {
        0 => format!("{text} is reached before the first action of {pid}; the answer is about its creation"),
        n => format!("{text} is reached after event:{pid}/{n}; the answer is about that action"),
    });
    // Before its first action, the creation of the process is meant.
    let ActionId { pid, number: action } = match (action, parent) {
        (0, Some(spawn)) => spawn,
        (n, _) => ActionId::new(pid, n),
    };
    Ok(Found {
        target: format!("event:{pid}/{action}"),
        pid,
        action,
        runs_on: false,
        others: Vec::new(),
        notes,
    })
}

/// Finds a target: in what the session has done beyond the trace, or in the trace as far as the session still follows it.
///
/// # Errors
/// The text is not a target; there is no such thing; the trace is damaged.
pub fn resolve(player: &Player, text: &str) -> Result<Found, Error> {
    let target: Target = text
        .parse()
        .map_err(|error: causality::TargetError| Error::Usage(error.to_string()))?;
    if let Some(ActionId { pid, number }) = crate::player::names::locate(player, &target)? {
        return Ok(Found {
            target: target.to_string(),
            pid,
            action: number,
            runs_on: false,
            others: Vec::new(),
            notes: Vec::new(),
        });
    }
    let found = targets::resolve(player.session().trace(), text)?;
    let left = player.history().left_at(found.pid).unwrap_or(u64::MAX);
    let there = player.history().length(found.pid)?.is_some();
    if !there || found.action.0 > left {
        return Err(Error::NoTarget(format!(
            "{target} was dropped when the session left the log; name what the process does now, for example event:{}/N",
            found.pid
        )));
    }
    Ok(found)
}

/// As [`back`], but a variable or line that does not occur before is an error: it may be mistyped.
///
/// # Errors
/// As [`back`].
pub fn back_to_known(player: &mut Player, subject: Pid, text: &str) -> Result<Moved, Error> {
    let moved = back(player, subject, text)?;
    let (word, rest) = text.split_once(':').unwrap_or((text, ""));
    if moved.stopped != Stopped::Beginning || !matches!(word, "var" | "line") {
        return Ok(moved);
    }
    let (what, who) = rest.split_once('@').unwrap_or((rest, ""));
    let pid = if who.is_empty() { subject } else { player.process(who)? };
    if word == "line" {
        return Err(Error::NoTarget(format!("{pid} was not at {} before", safe(what))));
    }
    let known: Vec<String> = player.variables(pid).into_iter().map(|(name, _)| name).collect();
    let here = match known.as_slice() {
        [] => "it has none here".to_owned(),
        names => format!("here it has {}", names.join(", ")),
    };
    Err(Error::NoTarget(format!(
        "{} had no value in {pid} before: {here}",
        safe(what)
    )))
}

/// Does this text name an action, rather than a place between actions?
#[must_use]
pub fn is_action(text: &str) -> bool {
    let place = |target: &Target| {
        matches!(
            target,
            Target::Step(..) | Target::Line { .. } | Target::End(_) | Target::Error
        )
    };
    text.parse().is_ok_and(|target: Target| !place(&target))
}

/// The action that is to be undone.
///
/// # Errors
/// As [`resolve`]; it has not happened where the session stands.
pub fn happened(player: &Player, text: &str) -> Result<Found, Error> {
    let found = resolve(player, text)?;
    if player.done(found.pid) < found.action.0 {
        return Err(Error::NoTarget(format!(
            "{} has not happened at this point, so there is nothing to undo",
            safe(text)
        )));
    }
    Ok(found)
}

/// Goes back.
///
/// # Errors
/// The text is not a target; what is replayed diverges.
pub fn back(player: &mut Player, subject: Pid, text: &str) -> Result<Moved, Error> {
    let session = player.session().clone();
    let of = |player: &Player, who: &str| player.process(who);
    if let Ok(steps) = text.parse::<u64>() {
        if steps == 0 {
            return Err(Error::Usage(
                "`0` is not a number of steps: expected a number from 1".to_owned(),
            ));
        }
        return player.step_back(subject, steps);
    }
    let (word, rest) = text.split_once(':').unwrap_or((text, ""));
    let named = |player: &Player, rest: &str| if rest.is_empty() { Ok(subject) } else { of(player, rest) };
    match word {
        "birth" => {
            let pid = named(player, rest)?;
            player.undo(&[ActionId::new(pid, 1)])
        }
        "mailbox" => {
            let pid = named(player, rest)?;
            player.back_to_mailbox(pid)
        }
        "var" => {
            let (name, who) = rest.split_once('@').unwrap_or((rest, ""));
            let variable = name.starts_with(|c: char| c.is_uppercase() || c == '_');
            if !variable {
                return Err(Error::Usage(format!(
                    "`{}` does not name a variable: expected one such as var:X or var:X@0.7.0",
                    text.escape_debug()
                )));
            }
            let pid = named(player, who)?;
            player.back_to_past(pid, &Sought::Variable(name.to_owned()))
        }
        _ => {
            let target: Target = text.parse().map_err(|error: causality::TargetError| {
                Error::Usage(format!("{error}, or a number of steps, birth, mailbox, var:X"))
            })?;
            match &target {
                Target::Step(who, steps) => {
                    let pid = of(player, &who.to_string())?;
                    player.step_back(pid, *steps)
                }
                Target::Line {
                    file,
                    line,
                    who,
                    count: 1,
                } => {
                    let pid = who.as_ref().map_or(Ok(subject), |who| of(player, &who.to_string()))?;
                    let past = Sought::Line {
                        file: file_of(&session, file)?,
                        line: u32::try_from(*line).unwrap_or(u32::MAX),
                    };
                    player.back_to_past(pid, &past)
                }
                Target::Line { .. } => Err(Error::Usage(
                    "going back, a line takes no count; repeat --back to go further".to_owned(),
                )),
                _ => {
                    let found = happened(player, text)?;
                    player.undo(&[found.id()])
                }
            }
        }
    }
}
