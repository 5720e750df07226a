//! Words for people: numbers with separators, plurals, texts that are safe for a terminal, commands that can be pasted.

use std::path::Path;

use interpreter::print::{Encoding, Terms, Text, elixir, push_atom};

pub use log_format::{is_hidden, quoted, safe};

/// `4812` as `4,812`.
#[must_use]
pub fn number(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 action`, `2 actions`.
#[must_use]
pub fn count(n: u64, noun: &str) -> String {
    match (n, noun.strip_suffix("ss")) {
        (1, _) => format!("1 {noun}"),
        (_, Some(_)) => format!("{} {noun}es", number(n)),
        _ => format!("{} {noun}s", number(n)),
    }
}

/// Seconds with a unit that fits: `350 µs`, `1.2 ms`, `3.45 s`.
#[must_use]
pub fn duration(seconds: f64) -> String {
    if seconds < 0.000_999_5 {
        format!("{:.0} µs", seconds * 1e6)
    } else if seconds < 0.9995 {
        format!("{:.1} ms", seconds * 1e3)
    } else {
        format!("{seconds:.2} s")
    }
}

/// Bytes with a unit that fits.
#[must_use]
pub fn bytes(n: u64) -> String {
    const UNITS: [&str; 4] = ["kB", "MB", "GB", "TB"];
    if n < 10_000 {
        return count(n, "byte");
    }
    let mut value = n as f64 / 1000.0;
    let mut unit = 0;
    while value >= 999.95 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    format!("{value:.1} {}", UNITS[unit])
}

/// A line of source in a sentence, without the mark at its end.
#[must_use]
pub fn line(text: &str, room: usize) -> String {
    cut(text.trim_end_matches([',', ';', '.']), room)
}

/// The name of a function as it is in the source: `-main/0-fun-1-/3` of a module is `a fun in main/0`, and with its module `a fun in stock:main/0`.
#[must_use]
pub fn function(name: &str, terms: Terms) -> String {
    match terms {
        Terms::Erlang => of_erlang(name),
        Terms::Elixir => {
            let (module, local) = match name.split_once(':') {
                Some((module, local)) => (Some(module), local),
                None => (None, name),
            };
            of_elixir(module, local)
        }
    }
}

/// A function without its module, as people read it, in parts: `a fun in `, `main`, `/0`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LocalFunction {
    /// If the compiler made it: of what. The name is then that of the function in which it is written.
    pub made_of: Option<MadeOf>,
    /// Its name.
    pub name: String,
    /// Its arity as the text has it, `/0`; empty if the text was cut.
    pub arity: String,
}

/// What a function that the compiler made is called.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MadeOf {
    /// A fun of Erlang.
    Fun,
    /// A comprehension.
    Comprehension,
    /// A function without a name of Elixir.
    Fn,
}

impl MadeOf {
    /// `fun`, `comprehension`, `fn`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Fun => "fun",
            Self::Comprehension => "comprehension",
            Self::Fn => "fn",
        }
    }

    /// The words before the name of the function in which it is written.
    const fn lead(self) -> &'static str {
        match self {
            Self::Fun => "a fun in ",
            Self::Comprehension => "a comprehension in ",
            Self::Fn => "fn in ",
        }
    }
}

impl LocalFunction {
    /// The function with this name in the code, `loop/2` or `-main/0-fun-1-/3`.
    #[must_use]
    pub fn of(name: &str, terms: Terms) -> Self {
        if terms == Terms::Elixir
            && let Some(words) = of_compiler(name)
        {
            return Self {
                made_of: None,
                name: words.to_owned(),
                arity: String::new(),
            };
        }
        // Of a module whose functions `erlang:trace_pattern/3` traces.
        let name = ["$traced ", "$local "]
            .iter()
            .find_map(|lead| name.strip_prefix(lead))
            .unwrap_or(name);
        let (made_of, whole) = match inner_function(name) {
            Some((inner, outer)) => (Some(inner), outer),
            None => (None, name),
        };
        let made_of = match terms {
            Terms::Erlang => made_of.map(|inner| match inner {
                Inner::Fun => MadeOf::Fun,
                Inner::Comprehension => MadeOf::Comprehension,
            }),
            Terms::Elixir => {
                let parent = name.rsplit_once('/').and_then(|(name, _)| elixir::parent(name));
                if let Some((outer, arity)) = parent {
                    return Self {
                        made_of: Some(MadeOf::Fn),
                        name: outer.to_owned(),
                        arity: format!("/{arity}"),
                    };
                }
                made_of.map(|_| MadeOf::Comprehension)
            }
        };
        let at = whole.rfind('/').unwrap_or(whole.len());
        let (name, arity) = (whole[..at].to_owned(), whole[at..].to_owned());
        Self { made_of, name, arity }
    }

    /// The function of the program that runs in the one with this name: a comprehension runs where it is written.
    #[must_use]
    pub fn running(name: &str, terms: Terms) -> Self {
        match inner_function(name) {
            Some((Inner::Comprehension, outer)) => Self::of(outer, terms),
            _ => Self::of(name, terms),
        }
    }

    /// The function in which it is written, or itself.
    #[must_use]
    pub fn written(self) -> Self {
        Self { made_of: None, ..self }
    }

    /// The same, safe for a terminal, in at most `room` characters.
    #[must_use]
    pub fn cut(self, room: usize) -> Self {
        let lead = self.made_of.map_or(0, |made| made.lead().len());
        let (name, arity) = (safe(&self.name), safe(&self.arity));
        if lead + name.chars().count() + arity.chars().count() <= room {
            return Self { name, arity, ..self };
        }
        Self {
            name: cut(&format!("{name}{arity}"), room.saturating_sub(lead)),
            arity: String::new(),
            ..self
        }
    }
}

impl std::fmt::Display for LocalFunction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let lead = self.made_of.map_or("", MadeOf::lead);
        write!(f, "{lead}{}{}", self.name, self.arity)
    }
}

/// What the compiler of Elixir and ExUnit make functions of that have no name in the source: as Elixir prints it, or what it is.
fn of_compiler(name: &str) -> Option<&'static str> {
    let (name, _) = name.rsplit_once('/')?;
    Some(match name {
        "__FILE__" => "(file)",
        "__MODULE__" => "(module)",
        "__ex_unit__" => "setup",
        _ if name.starts_with("__ex_unit_setup_all") => "setup_all",
        _ if name.starts_with("__ex_unit_setup") => "setup",
        _ => return None,
    })
}

/// The name of a module, as it is in the source.
#[must_use]
pub fn module(name: &str, terms: Terms) -> &str {
    match terms {
        Terms::Erlang => name,
        Terms::Elixir => elixir::module_name(name).unwrap_or(name),
    }
}

/// An atom as Erlang writes it, safe for a terminal.
#[must_use]
pub fn quoted_atom(name: &str) -> String {
    let mut text = Text::new();
    push_atom(&mut text, name, Encoding::Unicode);
    safe(&text.into_string_lossy())
}

/// A registered name, the name of a table or of a module, safe for a terminal. Modules of Elixir are named as there: no other name begins so. A name
/// that could be taken for words of the sentence around it is quoted.
#[must_use]
pub fn safe_name(name: &str) -> String {
    let name = module(name, Terms::Elixir);
    let is_clear = |c: char| c.is_alphanumeric() || "_@.-?!:$/".contains(c);
    match !name.is_empty() && name.chars().all(is_clear) {
        true => name.to_owned(),
        false => quoted_atom(name),
    }
}

/// `deposit/1` of a module as `Account.deposit/1`, `-deposit/1-fun-0-/2` as `anonymous fn/2 in Account.deposit/1`.
fn of_elixir(module: Option<&str>, name: &str) -> String {
    let local = LocalFunction::of(name, Terms::Elixir);
    let (Some(module), Some((_, arity))) = (module, name.rsplit_once('/')) else {
        return local.to_string();
    };
    let made = match local.made_of {
        None => String::new(),
        Some(MadeOf::Fn) => format!("anonymous fn/{arity} in "),
        Some(made) => made.lead().to_owned(),
    };
    if local.arity.is_empty() {
        // It has no name that could be called.
        return match module.strip_prefix("elixir_compiler_") {
            Some(_) => local.name,
            None => format!("{made}{} of {}", local.name, elixir::literal(module)),
        };
    }
    let (module, name) = (elixir::literal(module), elixir::callable(&local.name));
    format!("{made}{module}.{name}{}", local.arity)
}

fn of_erlang(name: &str) -> String {
    let (module, local) = match name.split_once(":-") {
        Some((module, rest)) => (format!("{module}:"), &name[name.len() - rest.len() - 1..]),
        None => (String::new(), name),
    };
    match inner_function(local) {
        Some((Inner::Fun, outer)) => format!("a fun in {module}{outer}"),
        Some((Inner::Comprehension, outer)) => format!("a comprehension in {module}{outer}"),
        None => name.to_owned(),
    }
}

/// What the compiler makes a function of its own of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Inner {
    /// A fun.
    Fun,
    /// A comprehension.
    Comprehension,
}

/// If a function is one that the compiler made: of what, and the function in which that is written. `-main/0-fun-1-/3` is a fun in `main/0`.
#[must_use]
pub fn inner_function(name: &str) -> Option<(Inner, &str)> {
    let local = name.strip_prefix('-')?;
    let made = [
        ("-fun-", Inner::Fun),
        ("-lc$^", Inner::Comprehension),
        ("-lbc$^", Inner::Comprehension),
        ("-blc$^", Inner::Comprehension),
        ("-bbc$^", Inner::Comprehension),
    ];
    let found = made
        .iter()
        .filter_map(|(mark, inner)| Some((local.find(mark)?, *inner)));
    match found.min_by_key(|(at, _)| *at) {
        Some((at, inner)) => Some((inner, &local[..at])),
        // A named fun: `-main/0-Loop-1-/1`; not a function used as a value: `-fun.main/0-/1`.
        None => match local.split_once('-') {
            Some((outer, _)) if !outer.starts_with("fun.") => Some((Inner::Fun, outer)),
            _ => None,
        },
    }
}

/// At most `room` characters; a text that was cut ends in `…`.
#[must_use]
pub fn cut(text: &str, room: usize) -> String {
    if text.chars().count() <= room {
        return text.to_owned();
    }
    let mut out: String = text.chars().take(room.saturating_sub(1)).collect();
    if room > 0 {
        out.push('…');
    }
    out
}

/// Two values in at most `room` characters each. If their first difference would be cut off, both are shown from there.
#[must_use]
pub fn apart(a: &str, b: &str, room: usize) -> (String, String) {
    let long = |text: &str| text.chars().count() > room;
    let same = a.chars().zip(b.chars()).take_while(|(x, y)| x == y).count();
    if !(long(a) || long(b)) || same + room / 4 < room {
        return (cut(a, room), cut(b, room));
    }
    // From the beginning of the part in which they differ.
    let head: Vec<char> = a.chars().take(same).collect();
    let opens = |c: &char| matches!(c, ',' | '{' | '[' | '(' | ' ');
    let from = head.iter().rposition(opens).map_or(0, |at| at + 1);
    let shown = |text: &str| {
        cut(
            &std::iter::once('…').chain(text.chars().skip(from)).collect::<String>(),
            room,
        )
    };
    (shown(a), shown(b))
}

/// A path as a shell argument: quoted, and never mistaken for an option.
#[must_use]
pub fn path_argument(path: &Path) -> String {
    if path.as_os_str().as_encoded_bytes().starts_with(b"-") {
        return quoted(Path::new(".").join(path).as_os_str());
    }
    quoted(path.as_os_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsStr;

    #[test]
    fn numbers_and_nouns() {
        assert_eq!(number(0), "0");
        assert_eq!(number(999), "999");
        assert_eq!(number(4812), "4,812");
        assert_eq!(number(1_234_567), "1,234,567");
        assert_eq!(count(1, "process"), "1 process");
        assert_eq!(count(2, "process"), "2 processes");
        assert_eq!(count(4812, "action"), "4,812 actions");
        assert_eq!(duration(0.000_35), "350 µs");
        assert_eq!(duration(0.0012), "1.2 ms");
        assert_eq!(bytes(9999), "9,999 bytes");
        assert_eq!(bytes(999_960), "1.0 MB");
    }

    #[test]
    fn long_values_are_shown_where_they_part() {
        assert_eq!(apart("{a,1}", "{a,2}", 20), ("{a,1}".to_owned(), "{a,2}".to_owned()));
        let (a, b) = apart("{state,[one,two,three,four],7}", "{state,[one,two,three,five],7}", 20);
        assert_eq!((a.as_str(), b.as_str()), ("…four],7}", "…five],7}"));
        let (a, b) = apart(
            "{state,[one,two,three]}",
            "{state,[one,two,three,four,five,six,seven]}",
            20,
        );
        assert_eq!((a.as_str(), b.as_str()), ("…three]}", "…three,four,five,si…"));
        let (a, b) = apart("{one,of,quite,another,kind,altogether}", "{two}", 20);
        assert_eq!((a.as_str(), b.as_str()), ("{one,of,quite,anoth…", "{two}"));
    }

    #[test]
    fn funs_are_named_by_where_they_are_written() {
        assert_eq!(of_erlang("stock:main/0"), "stock:main/0");
        assert_eq!(of_erlang("-main/0-fun-1-/3"), "a fun in main/0");
        assert_eq!(of_erlang("stock:-main/0-fun-1-/3"), "a fun in stock:main/0");
        assert_eq!(of_erlang("-'a-b'/0-fun-0-/0"), "a fun in 'a-b'/0");
        assert_eq!(
            of_erlang("stock:-main/0-lc$^0/1-0-/1"),
            "a comprehension in stock:main/0"
        );
        assert_eq!(of_erlang("-fun.main/0-/1"), "-fun.main/0-/1");
        assert_eq!(of_erlang("-"), "-");
    }

    #[test]
    fn functions_of_elixir_are_called_as_its_stack_traces_call_them() {
        for (name, shown) in [
            ("Elixir.Account:deposit/1", "Account.deposit/1"),
            ("gen_server:call/3", ":gen_server.call/3"),
            (
                "Elixir.Account:-deposit/1-fun-0-/2",
                "anonymous fn/2 in Account.deposit/1",
            ),
            ("Elixir.T:test a: b/1", "T.\"test a: b\"/1"),
            ("Elixir.T:-x/0-lc$^0/1-0-/1", "a comprehension in T.x/0"),
            ("Elixir.T:+/2", "T.+/2"),
        ] {
            assert_eq!(function(name, Terms::Elixir), shown, "{name}");
        }
        let local = |name| LocalFunction::of(name, Terms::Elixir);
        assert_eq!(local("-test a: b/1-fun-0-/1").to_string(), "fn in test a: b/1");
        assert_eq!(local("-deposit/1-fun-0-/2").written().to_string(), "deposit/1");
        assert_eq!(module("Elixir.Account", Terms::Elixir), "Account");
    }

    #[test]
    fn a_local_function_has_parts() {
        let parts = |name: &str| {
            let one = LocalFunction::of(name, Terms::Erlang);
            (one.made_of, one.name, one.arity)
        };
        let made = |made, name: &str, arity: &str| (made, name.to_owned(), arity.to_owned());
        assert_eq!(parts("loop/2"), made(None, "loop", "/2"));
        assert_eq!(parts("-main/0-fun-1-/3"), made(Some(MadeOf::Fun), "main", "/0"));
        assert_eq!(
            parts("-main/0-lc$^0/1-0-/1"),
            made(Some(MadeOf::Comprehension), "main", "/0")
        );
        let long = LocalFunction::of("-quite_a_long_name_of_a_function/0-fun-1-/3", Terms::Erlang).cut(28);
        assert_eq!(
            (long.to_string().as_str(), long.arity.as_str()),
            ("a fun in quite_a_long_name_…", "")
        );
        let running = LocalFunction::running("-main/0-lc$^0/1-0-/1", Terms::Erlang);
        assert_eq!(running, LocalFunction::of("main/0", Terms::Erlang));
    }

    #[test]
    fn texts_are_cut() {
        assert_eq!(cut("abcdef", 4), "abc…");
        assert_eq!(cut("abcd", 4), "abcd");
    }

    #[test]
    fn commands_can_be_pasted() {
        assert_eq!(quoted(OsStr::new("trace.bin")), "trace.bin");
        assert_eq!(quoted(OsStr::new("my trace's.bin")), r"'my trace'\''s.bin'");
        assert_eq!(quoted(OsStr::new("")), "''");
        assert_eq!(quoted(OsStr::new("a\nb")), r"$'a\x0ab'");
        assert_eq!(path_argument(Path::new("-x")), "./-x");
        assert_eq!(path_argument(Path::new("dir/-x")), "dir/-x");
    }

    #[cfg(unix)]
    #[test]
    fn names_that_are_not_utf8_can_be_pasted() {
        use std::os::unix::ffi::OsStrExt;
        assert_eq!(quoted(OsStr::from_bytes(b"a\xff'b")), r"$'a\xff\'b'");
    }
}
