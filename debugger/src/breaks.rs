//! Breakpoints: where a run stops, under which conditions, and what is said there instead.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use interpreter::atom::Atom;
use log_format::{ExitClass, Pid};
use rustc_hash::FxHashMap;
use session::player::spots::{Here, Holds, Spot, SpotKind};
use session::predicate::Predicate;
use session::value::Value;
use session::words::safe;
use session::{Error, ProcessRef, Session};

/// A breakpoint.
#[derive(Clone, Debug)]
pub struct Breakpoint {
    /// From 1; never used again.
    pub id: u32,
    /// Where, as it was asked for or as it was understood.
    pub at: String,
    /// Of a line: the line that has code, which may be a later one than was asked for.
    pub line: Option<u32>,
    /// The other things that were asked for.
    pub wish: Wish,
    /// Does it stop the run?
    pub enabled: bool,
    /// How often it was passed on the way here.
    pub hits: u64,
    pub(crate) spot: Spot,
    pub(crate) trouble: ConditionTrouble,
}

/// What else a breakpoint asks for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Wish {
    /// Only this process.
    pub who: Option<ProcessRef>,
    /// Only where this expression is true.
    pub when: Option<String>,
    /// Only messages of this pattern.
    pub pattern: Option<String>,
    /// Which of its hits stop.
    pub hits: HitRule,
    /// Say this, with the values of what stands in braces, and go on.
    pub log: Option<String>,
}

/// Which hits of a breakpoint stop the run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum HitRule {
    /// All.
    #[default]
    Each,
    /// The n-th and all later ones.
    From(u64),
    /// The n-th only.
    Only(u64),
    /// Every n-th.
    Every(u64),
}

impl HitRule {
    /// Reads `3`, `== 3`, `>= 3`, `> 3`, `% 3`.
    ///
    /// # Errors
    /// It is none of these.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let text = text.trim();
        let number = |rest: &str| rest.trim().parse::<u64>().ok().filter(|n| *n > 0);
        let rule = if let Some(rest) = text.strip_prefix(">=") {
            number(rest).map(Self::From)
        } else if let Some(rest) = text.strip_prefix('>') {
            number(rest).map(|n| Self::From(n + 1))
        } else if let Some(rest) = text.strip_prefix('%') {
            number(rest).map(Self::Every)
        } else {
            number(text.trim_start_matches('=')).map(Self::Only)
        };
        rule.ok_or_else(|| {
            Error::Usage(format!(
                "`{}` is no number of hits: expected 3 (the third only), >= 3 (from the third on) or % 3 (every third)",
                safe(text)
            ))
        })
    }

    /// Does the n-th hit stop?
    pub(crate) const fn stops(self, n: u64) -> bool {
        match self {
            Self::Each => true,
            Self::From(first) => n >= first,
            Self::Only(one) => n == one,
            Self::Every(step) => n.is_multiple_of(step),
        }
    }
}

/// What went wrong with an expression where it was evaluated: told once, after the search.
pub(crate) type ConditionTrouble = Arc<Mutex<Option<String>>>;

/// Ends of processes that stop a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failing {
    /// By an error.
    Error,
    /// By `exit` with a reason that is a failure.
    Exit,
    /// By a throw that nobody caught.
    Throw,
}

impl Failing {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Error, Self::Exit, Self::Throw];

    const fn class(self) -> ExitClass {
        match self {
            Self::Error => ExitClass::Error,
            Self::Exit => ExitClass::Exit,
            Self::Throw => ExitClass::Throw,
        }
    }
}

/// The spot before such an end.
pub(crate) fn failing(classes: &[Failing]) -> Spot {
    let is_failure = |here: &Here<'_>| {
        let reason = here.carried.map(|reason| Value::of_fragment(reason, here.program));
        reason.is_none_or(|reason| !reason.is_peaceful())
    };
    Spot {
        holds: Some(Arc::new(is_failure)),
        ..Spot::of(SpotKind::End(classes.iter().map(|one| one.class()).collect()))
    }
}

/// The lines with code of files that were asked about: to find them, a module is compiled.
#[derive(Clone, Debug, Default)]
pub(crate) struct CodeLines(FxHashMap<Arc<str>, Option<BTreeSet<u32>>>);

impl CodeLines {
    /// Those of a file; `None` if its module is not there as text.
    pub(crate) fn of(&mut self, session: &Session, file: &Arc<str>) -> Result<Option<&BTreeSet<u32>>, Error> {
        if !self.0.contains_key(file) {
            self.0.insert(Arc::clone(file), session.code_lines(file)?);
        }
        Ok(self.0[file].as_ref())
    }
}

/// Where a breakpoint is, as it is typed: `server.erl:12`, `server:handle/2`, `rec:{add, _}@server`, `rec`, `timeout`, `error`, `exit`, `throw`,
/// `signal`. What comes after an `@` is a process.
///
/// # Errors
/// It is none of these; there is no such file, line, module or function.
pub(crate) fn place(
    text: &str,
    session: &Session,
    lines: &mut CodeLines,
    wish: &mut Wish,
) -> Result<(SpotKind, String, Option<u32>), Error> {
    let text = text.trim();
    let (text, who) = match text.rsplit_once('@') {
        Some((before, who)) if who.parse::<ProcessRef>().is_ok() && !before.is_empty() => (before, Some(who.parse()?)),
        _ => (text, None),
    };
    wish.who = who.or(wish.who.take());
    let kind = match text {
        "rec" | "receive" => SpotKind::Receive,
        "timeout" => SpotKind::Timeout,
        "error" => SpotKind::End(vec![ExitClass::Error]),
        "exit" => SpotKind::End(vec![ExitClass::Exit]),
        "throw" => SpotKind::End(vec![ExitClass::Throw]),
        "signal" => SpotKind::Signal,
        _ => {
            if let Some(pattern) = text.strip_prefix("rec:").or_else(|| text.strip_prefix("receive:")) {
                wish.pattern = Some(pattern.trim().to_owned());
                return Ok((SpotKind::Receive, text.to_owned(), None));
            }
            if let Some((file, line)) = text.rsplit_once(':')
                && let Ok(line) = line.parse::<u32>()
            {
                return line_of(session, lines, file, line);
            }
            let kind = function(text, session)?;
            return Ok((kind, text.to_owned(), None));
        }
    };
    Ok((kind, text.to_owned(), None))
}

/// The first line with code from this one on.
fn line_of(
    session: &Session,
    lines: &mut CodeLines,
    file: &str,
    line: u32,
) -> Result<(SpotKind, String, Option<u32>), Error> {
    let file = session.sources().find_file(file)?;
    let found = match lines.of(session, &file)? {
        Some(lines) => lines.range(line..).next().copied().ok_or_else(|| {
            Error::NoTarget(format!(
                "there is no code on line {line} of {} or after it: the last line with code is {}",
                safe(&file),
                lines.last().copied().unwrap_or(0)
            ))
        })?,
        None => line,
    };
    let at = format!("{}:{found}", safe(&file));
    Ok((SpotKind::Line { file, line: found }, at, Some(found)))
}

/// `server:handle/2`, `server:handle`, `Server.handle/2`.
fn function(text: &str, session: &Session) -> Result<SpotKind, Error> {
    let wrong = || {
        Error::Usage(format!(
            "`{}` is no place for a breakpoint: expected FILE:LINE, module:function/arity, rec:PATTERN, timeout, error, exit, throw or signal, \
             and if only one process is meant, @PROCESS after it",
            safe(text)
        ))
    };
    let (name, arity) = match text.rsplit_once('/') {
        Some((name, arity)) => (name, Some(arity.parse::<u8>().map_err(|_| wrong())?)),
        None => (text, None),
    };
    let is_elixir = name.starts_with(char::is_uppercase);
    let (module, function) = match is_elixir {
        true => name
            .rsplit_once('.')
            .map(|(module, function)| (format!("Elixir.{module}"), function)),
        false => name
            .split_once(':')
            .map(|(module, function)| (module.to_owned(), function)),
    }
    .ok_or_else(wrong)?;
    let sources = session.sources();
    if !sources.has_module(&module) && interpreter::library::source(&module).is_none() {
        return Err(Error::NoTarget(format!(
            "there is no module {} in the program",
            safe(&module)
        )));
    }
    Ok(SpotKind::Function {
        module: Atom::new(&module),
        name: Atom::new(function),
        arity,
    })
}

/// The spot of a breakpoint.
pub(crate) fn spot(
    kind: SpotKind,
    who: Option<Pid>,
    wish: &Wish,
    session: &Session,
) -> Result<(Spot, ConditionTrouble), Error> {
    let trouble = ConditionTrouble::default();
    let when = match &wish.when {
        Some(text) => Some(Predicate::of_program(text, session.program(), session.sources())?),
        None => None,
    };
    let pattern = match &wish.pattern {
        Some(_) if kind != SpotKind::Receive => {
            return Err(Error::Usage("a pattern is of messages: it goes with rec".to_owned()));
        }
        Some(text) => Some(Predicate::pattern(text, session.program(), session.sources())?),
        None => None,
    };
    let holds = (when.is_some() || pattern.is_some()).then(|| -> Holds {
        let conditions = Mutex::new((when, pattern));
        let sources = session.sources().clone();
        let trouble = Arc::clone(&trouble);
        Arc::new(move |here| {
            let mut conditions = conditions.lock().unwrap_or_else(PoisonError::into_inner);
            let (when, pattern) = &mut *conditions;
            if let Some(pattern) = pattern {
                let message = here.carried.map(|message| message.own(here.program.literals()));
                if !message.is_some_and(|message| pattern.matches(&message)) {
                    return false;
                }
            }
            match when.as_mut().map(|when| when.holds(&here.scope(&sources))) {
                None => true,
                Some(Ok(holds)) => holds,
                Some(Err(error)) => {
                    let mut trouble = trouble.lock().unwrap_or_else(PoisonError::into_inner);
                    trouble.get_or_insert_with(|| error.to_string());
                    false
                }
            }
        })
    });
    Ok((Spot { kind, who, holds }, trouble))
}
