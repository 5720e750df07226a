//! Calls of `io:format` and similar functions: do the arguments fit the format string?

use std::fmt::{self, Display, Formatter};

use super::Linter;
use crate::ast::*;

impl<'a> Linter<'a> {
    /// `args` of `io:format`, `io:fwrite`, `io_lib:format` or `io_lib:fwrite`.
    pub(super) fn format_call(&mut self, loc: Loc, args: &'a [Expr]) {
        if self.is_silenced("nowarn_format") {
            return;
        }
        let (format, args) = match args {
            [format] => (format, None),
            [format, args] | [_, format, args] => (format, Some(args)),
            _ => return self.warn(loc, "format call with wrong number of arguments"),
        };
        let text = match &format.kind {
            ExprKind::String(text) => &**text,
            ExprKind::Atom(atom) => atom.as_str(),
            _ => return,
        };
        let given = match args.map(|args| (args, arguments(args))) {
            None => None,
            Some((_, Arguments::Unknown)) => return,
            Some((args, Arguments::None)) => return self.warn(args.loc, "format arguments not a list"),
            Some((args, Arguments::Count(count))) => Some((args.loc, count)),
        };
        let needed = match needed(text) {
            Ok(needed) => needed,
            Err(what) => return self.warn(format.loc, format!("format string invalid ({what})")),
        };
        let requires = format!("the format string requires an argument list with {}", counted(needed));
        match given {
            None if needed == 0 => {}
            None => self.warn(format.loc, format!("{requires}, but no argument list is given")),
            Some((_, count)) if count == needed => {}
            Some((loc, count)) if needed == 0 => {
                let contains = counted(count);
                let empty = "the format string requires an empty argument list, but the argument list contains";
                self.warn(loc, format!("{empty} {contains}"));
            }
            Some((loc, 0)) => self.warn(loc, format!("{requires}, but the argument list is empty")),
            Some((loc, count)) => {
                let only = if count < needed { "only " } else { "" };
                self.warn(
                    loc,
                    format!("{requires}, but the argument list contains {only}{}", counted(count)),
                );
            }
        }
    }
}

/// What is known of an argument list.
enum Arguments {
    Count(usize),
    /// Not a list.
    None,
    Unknown,
}

fn arguments(args: &Expr) -> Arguments {
    match &args.kind {
        ExprKind::Nil => Arguments::Count(0),
        ExprKind::String(text) => Arguments::Count(text.chars().count()),
        ExprKind::List(list) => match list.tail.as_deref() {
            None => Arguments::Count(list.items.len()),
            Some(tail) => match arguments(tail) {
                Arguments::Count(more) if !matches!(tail.kind, ExprKind::String(_)) => {
                    Arguments::Count(list.items.len() + more)
                }
                Arguments::None => Arguments::None,
                _ => Arguments::Unknown,
            },
        },
        ExprKind::Atom(_) | ExprKind::Integer(_) | ExprKind::BigInteger(_) | ExprKind::Float(_) => Arguments::None,
        _ => Arguments::Unknown,
    }
}

fn counted(count: usize) -> String {
    match count {
        1 => "1 argument".to_owned(),
        _ => format!("{count} arguments"),
    }
}

/// What is wrong with a format.
enum FormatFault {
    /// It ends inside a control sequence.
    Truncated,
    /// There is no such control sequence.
    Control(String),
}

impl Display for FormatFault {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated => f.write_str("truncated"),
            Self::Control(found) => write!(f, "invalid control ~{found}"),
        }
    }
}

/// How many arguments a format takes.
fn needed(format: &str) -> Result<usize, FormatFault> {
    let chars: Vec<char> = format.chars().collect();
    let at = |i: usize| chars.get(i).copied();
    let (mut i, mut count) = (0, 0);
    while i < chars.len() {
        if chars[i] != '~' {
            i += 1;
            continue;
        }
        i += 1;
        // Width, precision, padding.
        let signed = usize::from(at(i) == Some('-') && at(i + 1).is_some_and(|c| c.is_ascii_digit() || c == '*'));
        i += signed;
        (i, count) = number(&chars, i, count);
        if at(i) == Some('.') {
            (i, count) = number(&chars, i + 1, count);
            if at(i) == Some('.') {
                count += usize::from(at(i + 1) == Some('*'));
                i += 2;
            }
        }
        let modifiers = i;
        while matches!(at(i), Some('t' | 'l')) && i < modifiers + 2 {
            i += 1;
        }
        let Some(control) = at(i) else {
            return Err(FormatFault::Truncated);
        };
        let written: String = chars[modifiers..i].iter().collect();
        let fits = match &*written {
            "" => true,
            "t" => "cspPwW".contains(control),
            _ => written.contains('l') && "pP".contains(control),
        };
        let takes = match control {
            '~' | 'n' => Some(0),
            'c' | 'f' | 'e' | 'g' | 's' | 'w' | 'p' | 'b' | 'B' | '+' | '#' | 'i' => Some(1),
            'W' | 'P' | 'x' | 'X' => Some(2),
            _ => None,
        };
        match takes {
            Some(takes) if fits => count += takes,
            _ => return Err(FormatFault::Control(format!("{written}{control}"))),
        }
        i += 1;
    }
    Ok(count)
}

/// Digits, or `*`, which takes an argument.
fn number(chars: &[char], mut i: usize, count: usize) -> (usize, usize) {
    if chars.get(i) == Some(&'*') {
        return (i + 1, count + 1);
    }
    while chars.get(i).is_some_and(char::is_ascii_digit) {
        i += 1;
    }
    (i, count)
}
