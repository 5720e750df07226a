//! Targets (semantics.md §8): the texts that name a point of a run.

use std::fmt;
use std::str::FromStr;

use log_format::{ActionId, Pid, RecNo, SendNo, Tag};

/// A process, by its pid or by a name under which it was registered.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub enum ProcessRef {
    /// By pid.
    Pid(Pid),
    /// By name.
    Name {
        /// The registered name.
        name: String,
        /// Which holder of the name: the first, the second, …
        holder: u64,
    },
}

impl fmt::Display for ProcessRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pid(pid) => pid.fmt(f),
            Self::Name { name, holder: 1 } => name.fmt(f),
            Self::Name { name, holder } => write!(f, "{name}/{holder}"),
        }
    }
}

impl From<Pid> for ProcessRef {
    fn from(pid: Pid) -> Self {
        Self::Pid(pid)
    }
}

impl FromStr for ProcessRef {
    type Err = TargetError;

    /// Parses `0.7.0`, `server` or `server/2`.
    fn from_str(text: &str) -> Result<Self, TargetError> {
        Parser { text, what: "process" }.who(text)
    }
}

/// A target: a text that names a point of a run, parsed. [`Target::resolve`](crate::Target::resolve) finds that point in a trace.
///
/// An action is a target, too: `Target::from(id)`.
///
/// If a target takes a count, the last number after a `/` is that count: `timeout:server/2` is the second timeout of the first holder of
/// `server`, `timeout:server/2/1` the first timeout of the second holder.
///
/// ```
/// use causality::Target;
/// use log_format::Trace;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let target: Target = "rec:5".parse()?;
/// assert_eq!(target.to_string(), "rec:5");
/// // What is wrong is data, and a sentence.
/// let wrong = "received:5".parse::<Target>().unwrap_err();
/// assert_eq!((wrong.what, wrong.target.as_str()), ("target", "received:5"));
///
/// // In a trace, it is an action, with causes.
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/traces/1.0/account.trace");
/// let trace = Trace::open(path.as_ref())?;
/// let point = target.resolve(&trace)?;
/// assert!(point.causes(&trace)?.contains(point.id()));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum Target {
    /// `rec:42`: message 42 is received.
    Rec(RecNo),
    /// `send:42`: message 42 is sent.
    Send(RecNo),
    /// `rec:u13`: the message with CauDEr's uid 13 is received, in a trace that was imported from CauDEr.
    RecUid(u64),
    /// `send:u13`: it is sent.
    SendUid(u64),
    /// `sent:0.84.0/3` and the other tags: the signal is in flight.
    Sent(Tag),
    /// `sent:server/3`: the sender is given by name.
    SentBy(ProcessRef, SendNo),
    /// `spawn:0.7.0`: the process is created.
    Spawn(ProcessRef),
    /// `exit:0.7.0`: the process ends by itself.
    Exit(ProcessRef),
    /// `signal:0.7.0`: the process is ended by a signal.
    Signal(ProcessRef),
    /// `timeout:0.7.0/2`: the second `after` of the process.
    Timeout(ProcessRef, u64),
    /// `output:0.7.0/3`: the third output of the process.
    Output(ProcessRef, u64),
    /// `start:n@host`, `start:n@host/2`: an attempt to start the node.
    Start(String, u64),
    /// `halt`: the system is stopped.
    Halt,
    /// `event:0.7.0/15`: the 15th action of the process.
    Event(ProcessRef, u64),
    /// `end:0.7.0`: after the last action of the process, at its end or at the receive where it waits.
    End(ProcessRef),
    /// `error`: the failure of the run ([`failure`](crate::failure)).
    Error,
    /// `test:bank_tests:transfer_test`, `test:transfer_test/2`: the end of a test; its name with or without the module. Without a number the
    /// first run that failed, else the first.
    Test(String, Option<u64>),
    /// `step:0.7.0+5`: five more steps of the process.
    Step(ProcessRef, u64),
    /// `line:server.erl:42@0.7.0/2`: a process is about to evaluate this line.
    Line {
        /// The file: its path in the program, or the last part of that path.
        file: String,
        /// The line, from 1.
        line: u64,
        /// The process; `None` for the one that gets there with the fewest causes.
        who: Option<ProcessRef>,
        /// Which time: the first, the second, …
        count: u64,
    },
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A count of 1 is left out if that is unambiguous.
        let counted = |f: &mut fmt::Formatter<'_>, word: &str, who: &ProcessRef, count: u64| match (who, count) {
            (ProcessRef::Pid(_) | ProcessRef::Name { holder: 1, .. }, 1) => write!(f, "{word}:{who}"),
            _ => write!(f, "{word}:{who}/{count}"),
        };
        match self {
            Self::Rec(number) => write!(f, "rec:{number}"),
            Self::Send(number) => write!(f, "send:{number}"),
            Self::RecUid(uid) => write!(f, "rec:u{uid}"),
            Self::SendUid(uid) => write!(f, "send:u{uid}"),
            Self::Sent(tag) => tag.fmt(f),
            Self::SentBy(who, k) => write!(f, "sent:{who}/{k}"),
            Self::Spawn(who) => write!(f, "spawn:{who}"),
            Self::Exit(who) => write!(f, "exit:{who}"),
            Self::Signal(who) => write!(f, "signal:{who}"),
            Self::Timeout(who, count) => counted(f, "timeout", who, *count),
            Self::Output(who, count) => counted(f, "output", who, *count),
            Self::Start(node, 1) => write!(f, "start:{node}"),
            Self::Start(node, count) => write!(f, "start:{node}/{count}"),
            Self::Halt => f.write_str("halt"),
            Self::Event(who, number) => write!(f, "event:{who}/{number}"),
            Self::End(who) => write!(f, "end:{who}"),
            Self::Error => f.write_str("error"),
            Self::Test(name, None) => write!(f, "test:{name}"),
            Self::Test(name, Some(n)) => write!(f, "test:{name}/{n}"),
            Self::Step(who, steps) => write!(f, "step:{who}+{steps}"),
            Self::Line { file, line, who, count } => {
                write!(f, "line:{file}:{line}")?;
                match (who, count) {
                    (None, 1) => Ok(()),
                    (None, count) => write!(f, "/{count}"),
                    (Some(who @ (ProcessRef::Pid(_) | ProcessRef::Name { holder: 1, .. })), 1) => write!(f, "@{who}"),
                    (Some(who), count) => write!(f, "@{who}/{count}"),
                }
            }
        }
    }
}

impl From<ActionId> for Target {
    /// The action; number 0 is the creation of its process.
    fn from(id: ActionId) -> Self {
        match id.number.0 {
            0 => Self::Spawn(id.pid.into()),
            number => Self::Event(id.pid.into(), number),
        }
    }
}

impl From<&Self> for Target {
    fn from(target: &Self) -> Self {
        target.clone()
    }
}

impl Target {
    /// Does it name a place between actions, which the log alone does not tell: a step or a line?
    #[must_use]
    pub const fn is_place(&self) -> bool {
        matches!(self, Self::Step(..) | Self::Line { .. })
    }
}

/// A text that is not a target, or not a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TargetError {
    /// What it should be: `target` or `process`.
    pub what: &'static str,
    /// What was typed.
    pub target: String,
    /// What was expected, with an example.
    pub expected: &'static str,
    /// What was found.
    pub found: String,
    /// What could be meant, in place of what was expected.
    pub hint: Option<String>,
}

impl fmt::Display for TargetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            what,
            target,
            expected,
            found,
            hint,
        } = self;
        write!(f, "`{}` is not a {what}: ", target.escape_debug())?;
        if let Some(hint) = hint {
            return f.write_str(hint);
        }
        write!(f, "expected {expected}")?;
        if found == target {
            return Ok(());
        }
        f.write_str(", found ")?;
        if found.is_empty() {
            f.write_str("nothing")
        } else {
            write!(f, "`{}`", found.escape_debug())
        }
    }
}

impl std::error::Error for TargetError {}

const PROCESS: &str = "a process such as 0.7.0, or a registered name such as server or server/2";
const KINDS: &str =
    "a target such as error, rec:42, exit:0.7.0 or event:0.7.0/15 (`replay run --help` lists all forms)";

/// Each kind of target that has something behind the `:`, with an example.
const EXAMPLES: [(&str, &str); 14] = [
    ("rec", "rec:42"),
    ("send", "send:42"),
    ("sent", "sent:0.84.0/3"),
    ("spawn", "spawn:0.7.0"),
    ("exit", "exit:0.7.0"),
    ("signal", "signal:0.7.0"),
    ("timeout", "timeout:0.7.0/2"),
    ("output", "output:0.7.0/3"),
    ("start", "start:n@host"),
    ("event", "event:0.7.0/15"),
    ("end", "end:0.7.0"),
    ("test", "test:bank_tests:transfer_test"),
    ("step", "step:0.7.0+5"),
    ("line", "line:server.erl:42"),
];

/// What could be meant by a text that has the form of no target.
fn meant(text: &str) -> Option<String> {
    if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) {
        return Some(format!("did you mean rec:{text} or send:{text}?"));
    }
    if let Ok(pid) = text.parse::<Pid>() {
        return Some(format!("did you mean end:{pid}, exit:{pid} or spawn:{pid}?"));
    }
    let (word, rest) = text.split_once(':').unwrap_or((text, ""));
    if matches!(word, "error" | "halt") {
        return Some(format!("nothing comes after {word}"));
    }
    let lower = format!("{}{}", word.to_lowercase(), &text[word.len()..]);
    if lower != text && lower.parse::<Target>().is_ok() {
        return Some(format!("did you mean {lower}?"));
    }
    let example = EXAMPLES
        .iter()
        .find(|(kind, _)| *kind == word)
        .filter(|_| rest.is_empty());
    example.map(|(_, example)| format!("expected something like {example}"))
}

impl FromStr for Target {
    type Err = TargetError;

    fn from_str(text: &str) -> Result<Self, TargetError> {
        let parser = Parser { text, what: "target" };
        match text {
            "halt" => return Ok(Self::Halt),
            "error" => return Ok(Self::Error),
            _ => {}
        }
        let strange = || TargetError {
            hint: meant(text),
            ..parser.error(KINDS, text)
        };
        let Some((word, rest)) = text.split_once(':') else {
            return Err(strange());
        };
        Ok(match word {
            "rec" if rest.starts_with('u') => Self::RecUid(parser.uid(rest, "one of CauDEr's uids, as in rec:u13")?),
            "send" if rest.starts_with('u') => Self::SendUid(parser.uid(rest, "one of CauDEr's uids, as in send:u13")?),
            "rec" => Self::Rec(RecNo(parser.number(rest, "the number of a message, as in rec:42")?)),
            "send" => Self::Send(RecNo(parser.number(rest, "the number of a message, as in send:42")?)),
            "sent" => parser.sent(rest)?,
            "spawn" => Self::Spawn(parser.who(rest)?),
            "exit" => Self::Exit(parser.who(rest)?),
            "signal" => Self::Signal(parser.who(rest)?),
            "end" => Self::End(parser.who(rest)?),
            "timeout" => {
                let (who, count) = parser.counted(rest)?;
                Self::Timeout(who, count)
            }
            "output" => {
                let (who, count) = parser.counted(rest)?;
                Self::Output(who, count)
            }
            "event" => {
                let expected = "the number of an action, as in event:0.7.0/15";
                let (who, number) = rest.rsplit_once('/').ok_or_else(|| parser.error(expected, rest))?;
                Self::Event(parser.who(who)?, parser.number(number, expected)?)
            }
            "start" => {
                let expected = "the name of a node, as in start:n@host";
                let (node, count) = match rest.rsplit_once('/') {
                    Some((node, count)) => (node, parser.number(count, "a count, as in start:n@host/2")?),
                    None => (rest, 1),
                };
                if !node.contains('@') || node.contains('/') {
                    return Err(parser.error(expected, node));
                }
                Self::Start(node.to_owned(), count)
            }
            "step" => {
                let expected = "a number of steps, as in step:0.7.0+5";
                let (who, steps) = rest.rsplit_once('+').ok_or_else(|| parser.error(expected, rest))?;
                Self::Step(parser.who(who)?, parser.number(steps, expected)?)
            }
            "line" => parser.line(rest)?,
            "test" => parser.test(rest)?,
            _ => return Err(strange()),
        })
    }
}

struct Parser<'a> {
    text: &'a str,
    what: &'static str,
}

impl Parser<'_> {
    fn error(&self, expected: &'static str, found: &str) -> TargetError {
        TargetError {
            what: self.what,
            target: self.text.to_owned(),
            expected,
            found: found.to_owned(),
            hint: None,
        }
    }

    /// Parses a number from 1.
    fn number(&self, text: &str, expected: &'static str) -> Result<u64, TargetError> {
        let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let number = if digits { text.parse().ok() } else { None };
        number
            .filter(|number| *number > 0)
            .ok_or_else(|| self.error(expected, text))
    }

    /// Parses `u13`; uids begin with 0.
    fn uid(&self, text: &str, expected: &'static str) -> Result<u64, TargetError> {
        let digits = text.strip_prefix('u').unwrap_or_default();
        let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        let uid = if plain { digits.parse().ok() } else { None };
        uid.ok_or_else(|| self.error(expected, text))
    }

    /// Parses a pid, or a name with or without its holder.
    fn who(&self, text: &str) -> Result<ProcessRef, TargetError> {
        let expected = PROCESS;
        if text.starts_with(|c: char| c == '<' || c.is_ascii_digit()) {
            return text
                .parse()
                .map(ProcessRef::Pid)
                .map_err(|_| self.error(expected, text));
        }
        let (name, holder) = match text.rsplit_once('/') {
            Some((name, holder)) => (name, self.number(holder, "which holder of the name, as in server/2")?),
            None => (text, 1),
        };
        if name.is_empty() || name.contains(['/', '+', ':']) || name.contains(char::is_control) {
            return Err(self.error(expected, text));
        }
        Ok(ProcessRef::Name {
            name: name.to_owned(),
            holder,
        })
    }

    /// Parses a process with a count after it, which is 1 if missing.
    fn counted(&self, text: &str) -> Result<(ProcessRef, u64), TargetError> {
        match text.rsplit_once('/') {
            Some((who, count)) => Ok((self.who(who)?, self.number(count, "a count, as in timeout:0.7.0/2")?)),
            None => Ok((self.who(text)?, 1)),
        }
    }

    fn sent(&self, text: &str) -> Result<Target, TargetError> {
        let expected = "a process and a number, as in sent:0.84.0/3, or what its end sent, as in sent:0.84.0/end/0.9.0";
        if let Ok(tag) = self.text.parse() {
            return match tag {
                Tag::Sent { k: SendNo(0), .. } => Err(self.error(expected, text)),
                _ => Ok(Target::Sent(tag)),
            };
        }
        let (who, k) = text.rsplit_once('/').ok_or_else(|| self.error(expected, text))?;
        match self.who(who)? {
            who @ ProcessRef::Name { .. } => Ok(Target::SentBy(who, SendNo(self.number(k, expected)?))),
            ProcessRef::Pid(_) => Err(self.error(expected, text)),
        }
    }

    /// Parses `bank_tests:transfer_test` and `bank_tests:transfer_test/2`; the arity of the function, `/0`, may follow the name.
    fn test(&self, text: &str) -> Result<Target, TargetError> {
        let expected = "the name of a test, as in test:bank_tests:transfer_test or test:transfer_test/2";
        // A name can end so itself, `test splits 1/2` or `test start/0`: the trace tells.
        let (name, count) = match text.rsplit_once('/') {
            Some((name, count)) if count != "0" && !count.is_empty() && count.bytes().all(|b| b.is_ascii_digit()) => {
                (name, Some(self.number(count, expected)?))
            }
            _ => (text, None),
        };
        if name.is_empty() || name == "/0" || name.contains(char::is_control) {
            return Err(self.error(expected, text));
        }
        Ok(Target::Test(name.to_owned(), count))
    }

    /// Parses `server.erl:42`, `server.erl:42/2`, `server.erl:42@0.7.0/2`; the file may contain any character.
    fn line(&self, text: &str) -> Result<Target, TargetError> {
        let expected = "a file and a line, as in line:server.erl:42 or line:server.erl:42@0.7.0/2";
        for (at, _) in text.match_indices(':').collect::<Vec<_>>().into_iter().rev() {
            let (file, after) = (&text[..at], &text[at + 1..]);
            let digits = after.bytes().take_while(u8::is_ascii_digit).count();
            let (number, rest) = after.split_at(digits);
            if file.is_empty() || digits == 0 || !(rest.is_empty() || rest.starts_with(['@', '/'])) {
                continue;
            }
            let line = self.number(number, expected)?;
            let (who, count) = match rest.split_at_checked(1) {
                Some(("@", who)) => {
                    let (who, count) = self.counted(who)?;
                    (Some(who), count)
                }
                Some((_, count)) => (None, self.number(count, "a count, as in line:server.erl:42/2")?),
                None => (None, 1),
            };
            return Ok(Target::Line {
                file: file.to_owned(),
                line,
                who,
                count,
            });
        }
        Err(self.error(expected, text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_read_back_as_written() {
        for text in [
            "rec:42",
            "send:42",
            "rec:u0",
            "send:u13",
            "sent:0.84.0/3",
            "sent:0.84.0/end/0.9.0",
            "sent:0.84.0/end/ref/0.9.0/1",
            "sent:0.84.0/limit",
            "sent:server/3",
            "sent:server/2/3",
            "spawn:0.7.0",
            "exit:server",
            "exit:server/2",
            "signal:0.7.0",
            "timeout:0.7.0",
            "timeout:0.7.0/2",
            "timeout:server/2",
            "timeout:server/2/1",
            "output:0.7.0/3",
            "start:n@host",
            "start:n@host/2",
            "halt",
            "event:0.7.0/15",
            "event:server/2/15",
            "end:0.7.0",
            "error",
            "step:0.7.0+5",
            "step:server/2+5",
            "line:server.erl:42",
            "line:server.erl:42/3",
            "line:server.erl:42@0.7.0",
            "line:server.erl:42@0.7.0/2",
            "line:a@b/c:1.erl:42@server/2/1",
            "line:a:7:42",
        ] {
            let target: Target = text.parse().unwrap();
            assert_eq!(target.to_string(), text);
        }
        let pid = ProcessRef::Pid(Pid(7));
        assert_eq!("end:<0.7.0>".parse(), Ok(Target::End(pid.clone())));
        assert_eq!("timeout:<0.7.0>/2".parse(), Ok(Target::Timeout(pid, 2)));
        let second = ProcessRef::Name {
            name: "server".into(),
            holder: 2,
        };
        assert_eq!("exit:server/2".parse(), Ok(Target::Exit(second)));
    }

    #[test]
    fn what_is_no_target_is_explained() {
        for text in [
            "",
            "rec",
            "rec:",
            "rec:0",
            "rec:-1",
            "rec:x",
            "rec:u",
            "send:u-1",
            "rec:u99999999999999999999",
            "rec:99999999999999999999",
            "sent:0.84.0",
            "sent:0.84.0/0",
            "sent:x",
            "spawn:",
            "spawn:0.7",
            "spawn:0.7.0/2",
            "exit:a/b",
            "timeout:0.7.0/0",
            "event:0.7.0",
            "event:0.7.0/",
            "start:host",
            "halt:1",
            "end",
            "step:0.7.0",
            "step:0.7.0+",
            "line:x",
            "line::1",
            "line:x.erl:0",
            "line:x.erl:1@",
            "foo:1",
        ] {
            let error = text.parse::<Target>().unwrap_err();
            assert!(
                error.to_string().starts_with(&format!("`{text}` is not a target: ")),
                "{error}"
            );
        }
        for (text, hint) in [
            ("42", "did you mean rec:42 or send:42?"),
            ("0.2.0", "did you mean end:0.2.0, exit:0.2.0 or spawn:0.2.0?"),
            ("<0.2.0>", "did you mean end:0.2.0, exit:0.2.0 or spawn:0.2.0?"),
            ("Rec:4", "did you mean rec:4?"),
            ("ERROR", "did you mean error?"),
            ("error:3", "nothing comes after error"),
            ("rec", "expected something like rec:42"),
            ("line", "expected something like line:server.erl:42"),
        ] {
            let error = text.parse::<Target>().unwrap_err().to_string();
            assert_eq!(error, format!("`{text}` is not a target: {hint}"));
        }
        let error = "foo".parse::<Target>().unwrap_err().to_string();
        assert!(error.contains("`replay run --help` lists all forms"), "{error}");
        assert_eq!(
            "rec:x".parse::<Target>().unwrap_err().to_string(),
            "`rec:x` is not a target: expected the number of a message, as in rec:42, found `x`"
        );
    }
}
