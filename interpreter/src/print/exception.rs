//! Exceptions in the form of the shell, `escript` and `erl_error:format_exception/4`, and the report of a process that crashed.

use super::{Encoding, PrettyOptions, Style, push_atom, push_pretty, text, write};
use crate::atom::Atom;
use crate::heap::{Heap, TermView};
use crate::native::{CodeInfo, ExceptionClass};
use crate::newer::Newer;
use crate::print::Text;
use crate::term::Term;
use syntax::ast::{BinaryOp, UnaryOp};

mod bifs;
#[cfg(test)]
mod tests;

use bifs::BIFS;

/// What the function named by a stack frame's `error_info` says about the arguments of a failed call
/// (`erl_erts_errors:format_error/2` and others).
#[derive(Clone, Debug, Default)]
pub struct Explanation {
    /// Number of an argument, from 1, and what is wrong with it.
    pub arguments: Vec<(usize, String)>,
    /// What is wrong in general.
    pub general: Option<String>,
    /// Instead of the usual text for the reason.
    pub reason: Option<String>,
}

/// How [`exception`] prints.
#[derive(Clone, Copy)]
pub struct Layout<'a> {
    /// Names of funs.
    pub code: &'a dyn CodeInfo,
    /// Column that new lines start in, from 1.
    pub column: usize,
    /// Levels of nesting shown of a term: 50 in `escript`, 30 in `erl_error:format_exception/3`.
    pub depth: i64,
    /// Characters that are written without escapes: Latin-1 in `escript`.
    pub encoding: Encoding,
    /// Leaves out the frames at the bottom of the stack for which this is true.
    pub skip: &'a dyn Fn(Atom, Atom, usize) -> bool,
}

impl<'a> Layout<'a> {
    /// The layout of `escript` for an error that ended a program.
    #[must_use]
    pub fn escript(code: &'a dyn CodeInfo) -> Self {
        Self {
            code,
            column: 1,
            depth: 50,
            encoding: Encoding::Latin1,
            skip: &|_, _, _| false,
        }
    }
}

/// A frame of a stack trace.
#[derive(Clone)]
struct StackLine {
    module: Atom,
    function: Atom,
    arity: usize,
    /// The arguments (a list), if the trace contains them.
    args: Option<Term>,
    location: Option<(Text, Term)>,
}

/// The text of an exception, without a newline at its end: `exception error: no match of right hand side value 3\n  in function …`.
#[must_use]
pub fn exception(
    heap: &Heap,
    class: ExceptionClass,
    reason: Term,
    stacktrace: Term,
    explanation: &Explanation,
    layout: &Layout<'_>,
) -> String {
    let printer = Printer {
        heap,
        layout,
        indent: layout.column - 1,
    };
    let Some(frames) = frames(heap, stacktrace) else {
        // No stack trace: both are shown as one term.
        let mut out = Text::new();
        out.push_str(exited(class));
        printer.no_trace(&mut out, class, reason, stacktrace);
        return out.into_string_lossy();
    };
    let is = |name: Atom| reason == Term::atom(name);
    // The frame of a call without a matching clause, or of an undefined function, belongs to the reason.
    let first = match (class, frames.first()) {
        (ExceptionClass::Error, Some(f)) if is(Atom::FUNCTION_CLAUSE) && f.args.is_some() => Some(f),
        (ExceptionClass::Error, Some(f)) if is(Atom::UNDEF) => Some(f),
        _ => None,
    };
    let mut out = Text::new();
    out.push_str(exited(class));
    match &explanation.reason {
        Some(text) => out.push_str(text),
        None => printer.reason(&mut out, class, reason, first),
    }
    let trace = &frames[usize::from(first.is_some())..];
    let kept = trace
        .iter()
        .rposition(|f| !(layout.skip)(f.module, f.function, f.arity))
        .map_or(0, |i| i + 1);
    for (i, frame) in trace[..kept].iter().enumerate() {
        out.push_ascii(b'\n');
        printer.frame(&mut out, frame, i == 0, if i == 0 { Some(explanation) } else { None });
    }
    out.into_string_lossy()
}

/// The report of a process that ended by an uncaught exception, as OTP's logger prints it: `date` is like `20-Nov-2026::20:17:52.584047`,
/// `reason` is the exit reason with the stack trace, `{badarith, […]}`. It goes to standard output, after an empty line if it is not the first
/// output.
#[must_use]
pub fn crash_report(heap: &Heap, code: &dyn CodeInfo, date: &str, pid: Term, reason: Term) -> String {
    let mut out = Text::new();
    out.push_str(&format!("=ERROR REPORT==== {date} ===\nError in process "));
    write::push_atomic(&mut out, heap, pid, Encoding::Latin1);
    out.push_str(" with exit value:\n");
    push_pretty(&mut out, heap, reason, &PrettyOptions::new(Style::latin1(code)));
    out.push_str("\n\n");
    out.into_string_lossy()
}

fn exited(class: ExceptionClass) -> &'static str {
    match class {
        ExceptionClass::Error => "exception error: ",
        ExceptionClass::Exit => "exception exit: ",
        ExceptionClass::Throw => "exception throw: ",
    }
}

/// The frames of a stack trace; `None` if the term is not one.
fn frames(heap: &Heap, stacktrace: Term) -> Option<Vec<StackLine>> {
    heap.list(stacktrace)?.into_iter().map(|t| frame(heap, t)).collect()
}

fn frame(heap: &Heap, t: Term) -> Option<StackLine> {
    let &[module, function, arity, info] = heap.tuple(t)? else {
        return None;
    };
    let (module, function) = (module.as_atom()?, function.as_atom()?);
    if !info.is_list() {
        return None;
    }
    let (arity, args) = match arity.as_small() {
        Some(n) => (usize::try_from(n).ok()?, None),
        None => (heap.list(arity)?.len(), Some(arity)),
    };
    let find = |name: Atom| {
        heap.list(info)?.into_iter().find_map(|pair| match heap.tuple(pair) {
            Some(&[key, value]) if key == Term::atom(name) => Some(value),
            _ => None,
        })
    };
    let location = match (find(Atom::FILE), find(Atom::LINE)) {
        (Some(file), Some(line)) => {
            let mut name = Text::new();
            let chars = heap.list(file).unwrap_or_default();
            chars
                .iter()
                .filter_map(|c| u32::try_from(c.as_small()?).ok())
                .for_each(|c| name.push(c & text::CHAR_MAX));
            Some((name, line))
        }
        _ => None,
    };
    Some(StackLine {
        module,
        function,
        arity,
        args,
        location,
    })
}

struct Printer<'a> {
    heap: &'a Heap,
    layout: &'a Layout<'a>,
    /// Spaces before the text of new lines.
    indent: usize,
}

impl Printer<'_> {
    fn style(&self) -> Style<'_> {
        Style {
            encoding: self.layout.encoding,
            ..Style::latin1(self.layout.code)
        }
    }

    /// A term as it is printed from `column` on (from 1).
    fn term(&self, t: Term, column: usize) -> Text {
        self.term_in(t, column, true)
    }

    fn term_in(&self, t: Term, column: usize, strings: bool) -> Text {
        let mut out = Text::new();
        let options = PrettyOptions {
            column: column as i64,
            depth: self.layout.depth,
            style: Style {
                strings,
                ..self.style()
            },
            ..PrettyOptions::new(self.style())
        };
        push_pretty(&mut out, self.heap, t, &options);
        out
    }

    fn atom(&self, out: &mut Text, atom: Atom) {
        push_atom(out, atom.as_str(), self.layout.encoding);
    }

    /// For a term that is not a stack trace: the pair of reason and term.
    fn no_trace(&self, out: &mut Text, class: ExceptionClass, reason: Term, stacktrace: Term) {
        // Rare, so copying the heap to make the pair is acceptable.
        let mut heap = self.heap.clone();
        let pair = heap.make_tuple(&[reason, stacktrace]);
        let printer = Printer {
            heap: &heap,
            layout: self.layout,
            indent: self.indent,
        };
        printer.reason(out, class, pair, None);
    }

    /// The explanation of a reason; `call` is the failed call, if it belongs to the reason.
    fn reason(&self, out: &mut Text, class: ExceptionClass, reason: Term, call: Option<&StackLine>) {
        let is_error = class == ExceptionClass::Error;
        match (call, reason.as_atom()) {
            (Some(call), Some(Atom::UNDEF)) => {
                out.push_str("undefined function ");
                return self.mfa(out, call);
            }
            (Some(call), _) => {
                let prefix = "no function clause matching ";
                let before = " ".repeat(self.indent + exited(class).len());
                let start = out.size();
                let args = self.call(out, prefix, &before, call);
                if self.layout.encoding == Encoding::Latin1 {
                    // OTP has the arguments as UTF-8 by then, and prints its bytes as Latin-1.
                    let bytes = out.as_bytes()[start + args..].to_vec();
                    out.truncate(start + args);
                    bytes.iter().for_each(|&b| out.push(u32::from(b)));
                }
                out.push_ascii(b' ');
                return self.location(out, call);
            }
            (None, Some(atom)) if is_error => {
                if let Some(text) = plain_reason(atom) {
                    return out.push_str(text);
                }
            }
            _ => {}
        }
        if class == ExceptionClass::Exit && reason.as_atom().is_some_and(|a| a.as_str() == "calling_self") {
            return out.push_str("the current process attempted to call itself");
        }
        if is_error
            && let Some(&[tag, value]) = self.heap.tuple(reason)
            && let Some(tag) = tag.as_atom()
        {
            if tag == Atom::BADARITY
                && let Some(&[fun, args]) = self.heap.tuple(value)
                && matches!(self.heap.view(fun), TermView::Fun { .. } | TermView::ExternalFun { .. })
                && let Some(args) = self.heap.list(args)
            {
                self.fun(out, fun);
                return out.push_str(&match args.len() {
                    0 => " called with no arguments".to_owned(),
                    1 => " called with one argument".to_owned(),
                    2 => " called with two arguments".to_owned(),
                    n => format!(" called with {n} arguments"),
                });
            }
            if let Some(prefix) = tagged_reason(tag) {
                return self.value(out, prefix, class, value);
            }
        }
        let column = self.indent + 1 + exited(class).len();
        out.push_slice(self.term(reason, column).as_bytes());
    }

    /// A text and a value, which gets a line of its own if it then takes fewer lines.
    fn value(&self, out: &mut Text, prefix: &str, class: ExceptionClass, value: Term) {
        let before = self.indent + exited(class).len();
        out.push_str(prefix);
        let beside = self.term(value, before + prefix.len() + 1);
        if newlines(&beside) > 1 {
            let below = self.term(value, before + 1);
            if newlines(&below) < newlines(&beside) {
                out.push_ascii(b'\n');
                out.push_spaces(before);
                return out.push_slice(below.as_bytes());
            }
        }
        out.push_slice(beside.as_bytes());
    }

    fn location(&self, out: &mut Text, frame: &StackLine) {
        if let Some((file, line)) = &frame.location {
            out.push_ascii(b'(');
            out.push_slice(file.as_bytes());
            // From 28 on, as editors and terminals take it for a place.
            out.push_str(if Newer::PlaceInReports.is_in(self.layout.code.release()) {
                ":"
            } else {
                ", line "
            });
            write::push_term(out, self.heap, *line, -1, Default::default(), usize::MAX);
            out.push_ascii(b')');
        }
    }

    fn frame(&self, out: &mut Text, frame: &StackLine, first: bool, explanation: Option<&Explanation>) {
        out.push_spaces(2 + self.indent);
        out.push_str(match (first, is_operator(frame)) {
            (true, true) => "in operator  ",
            (true, false) => "in function  ",
            (false, _) => "in call from ",
        });
        self.mfa(out, frame);
        match frame.args {
            None => {
                out.push_ascii(b' ');
                self.location(out, frame);
            }
            Some(_) => {
                out.push_ascii(b'\n');
                let before = format!("{:1$}called as ", "", 5 + self.indent);
                out.push_str(&before);
                self.call(out, "", &before, frame);
            }
        }
        let Some(explanation) = explanation else { return };
        let mut line = |text: &str| {
            out.push_ascii(b'\n');
            out.push_spaces(5 + self.indent);
            out.push_str(text);
        };
        for n in 1..=frame.arity {
            for (_, text) in explanation.arguments.iter().filter(|(at, _)| *at == n) {
                let head = format!("*** argument {n}: ");
                for (i, part) in text.split(['\r', '\n']).filter(|l| !l.is_empty()).enumerate() {
                    line(&if i == 0 {
                        format!("{head}{part}")
                    } else {
                        format!("{:1$}{part}", "", head.len())
                    });
                }
            }
        }
        if let Some(text) = &explanation.general {
            line(&format!("*** {text}"));
        }
    }

    /// `module:function/arity`, without `erlang:` if the name alone is unambiguous.
    fn mfa(&self, out: &mut Text, frame: &StackLine) {
        self.mf(out, frame);
        out.push_str(&format!("/{}", frame.arity));
    }

    fn mf(&self, out: &mut Text, frame: &StackLine) {
        if is_bif(frame) {
            push_atom(out, frame.function.as_str(), Encoding::Latin1);
        } else if is_operator(frame) {
            out.push_str(if frame.function == Atom::SLASH {
                "'/'"
            } else {
                frame.function.as_str()
            });
        } else {
            push_atom(out, frame.module.as_str(), Encoding::Latin1);
            out.push_ascii(b':');
            self.atom(out, frame.function);
        }
    }

    fn fun(&self, out: &mut Text, fun: Term) {
        let (module, name, arity) = match self.heap.view(fun) {
            TermView::Fun { id, name, arity, .. } => (name.module, self.layout.code.fun(id).function, arity),
            TermView::ExternalFun {
                module,
                function,
                arity,
            } => (module, function, arity),
            _ => unreachable!("the caller saw that it is a fun"),
        };
        let frame = StackLine {
            module,
            function: name,
            arity: usize::from(arity),
            args: None,
            location: None,
        };
        self.mfa(out, &frame);
    }

    /// A call with its arguments: after `before` and `prefix` on this line, or if that is better, on the next line after `before` (which OTP
    /// repeats there, whether it is spaces or words).
    ///
    /// Returns the position of the arguments in what was added (for an operator: its end).
    fn call(&self, out: &mut Text, prefix: &str, before: &str, frame: &StackLine) -> usize {
        let start = out.size();
        let args = frame.args.expect("calls are printed with their arguments");
        let list = self.heap.list(args).expect("arguments are a list");
        out.push_str(prefix);
        if is_operator(frame) {
            self.operation(out, before.len() + prefix.len(), frame.function, &list);
            return out.size() - start;
        }
        let mut name = Text::new();
        self.mf(&mut name, frame);
        let name_len = text::length(name.as_bytes());
        let beside_at = before.len() + prefix.len() + name_len;
        let beside = self.arguments(args, &list, beside_at);
        let below = self.arguments(args, &list, before.len() + name_len);
        // Would two short arguments need a second line?
        let long = beside_at + 1 + "[a2345,b2345]".len() >= 80;
        let args = if long || newlines(&below) < newlines(&beside) {
            out.push_ascii(b'\n');
            out.push_str(before);
            below
        } else {
            beside
        };
        out.push_slice(name.as_bytes());
        let at = out.size() - start;
        out.push_slice(args.as_bytes());
        at
    }

    fn operation(&self, out: &mut Text, start: usize, op: Atom, args: &[Term]) {
        let op = op.as_str();
        match *args {
            [arg] => {
                out.push_str(op);
                out.push_ascii(b' ');
                out.push_slice(self.term(arg, start + op.len() + 2).as_bytes());
            }
            [left, right] => {
                let left = self.term(left, start + 1);
                out.push_slice(left.as_bytes());
                let below = self.term(right, start + 1);
                let beside = self.term(right, start + op.len() + 2 + text::length(left.as_bytes()) + 1);
                if newlines(&left) > 0 || newlines(&below) < newlines(&beside) {
                    for part in [op.as_bytes(), below.as_bytes()] {
                        out.push_ascii(b'\n');
                        out.push_spaces(start);
                        out.push_slice(part);
                    }
                } else {
                    out.push_str(&format!(" {op} "));
                    out.push_slice(beside.as_bytes());
                }
            }
            _ => unreachable!("operators have one or two operands"),
        }
    }

    /// `(A, B)`, from column `column` (0-based) on.
    fn arguments(&self, args: Term, list: &[Term], column: usize) -> Text {
        // Arguments that look like a string must not be printed as one.
        let string = !list.is_empty()
            && list.iter().all(|t| {
                t.as_small()
                    .is_some_and(|c| u32::try_from(c).is_ok_and(|c| super::is_printable(c, Encoding::Latin1)))
            });
        let printed = self.term_in(args, column + 1, !string);
        let bytes = printed.as_bytes();
        let mut out = Text::new();
        out.push_ascii(b'(');
        out.push_slice(&bytes[1..bytes.len() - 1]);
        out.push_ascii(b')');
        out
    }
}

fn newlines(text: &Text) -> usize {
    text.as_bytes().iter().filter(|&&b| b == b'\n').count()
}

fn plain_reason(reason: Atom) -> Option<&'static str> {
    Some(match reason {
        Atom::BADARG => "bad argument",
        Atom::BADARITH => "an error occurred when evaluating an arithmetic expression",
        Atom::IF_CLAUSE => "no true branch found when evaluating an if expression",
        Atom::NOPROC => "no such process or port",
        Atom::NOTALIVE => "the node cannot be part of a distributed system",
        Atom::SYSTEM_LIMIT => "a system limit has been reached",
        Atom::TIMEOUT_VALUE => "bad receive timeout value",
        _ => return None,
    })
}

fn tagged_reason(tag: Atom) -> Option<&'static str> {
    Some(match tag {
        Atom::BADARG => "bad argument: ",
        Atom::BADKEY => "bad key: ",
        Atom::BADMAP => "bad map: ",
        Atom::BADFUN => "bad function ",
        Atom::BADMATCH => "no match of right hand side value ",
        Atom::CASE_CLAUSE => "no case clause matching ",
        Atom::TRY_CLAUSE => "no try clause matching ",
        Atom::BAD_FILTER => "bad filter ",
        Atom::BAD_GENERATOR => "bad generator ",
        _ => return None,
    })
}

fn is_operator(frame: &StackLine) -> bool {
    let name = frame.function.as_str();
    frame.module == Atom::ERLANG
        && match frame.arity {
            1 => UnaryOp::named(name).is_some(),
            2 => BinaryOp::named(name).is_some(),
            _ => false,
        }
}

fn is_bif(frame: &StackLine) -> bool {
    frame.module == Atom::ERLANG
        && BIFS
            .iter()
            .any(|(name, arities)| *name == frame.function.as_str() && arities.contains(&(frame.arity as u8)))
}
