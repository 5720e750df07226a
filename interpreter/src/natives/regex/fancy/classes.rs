//! Sets of characters that PCRE names, as members of a class in the crate's syntax.
//!
//! Without `ucp` OTP's PCRE uses tables of Latin-1 for what is below 256, also with `unicode`.

/// Letters of Latin-1 beyond ASCII, as members.
macro_rules! latin1_letters {
    () => {
        "\\xaa\\xb5\\xba\\xc0-\\xd6\\xd8-\\xf6\\xf8-\\xff"
    };
}

/// `\d`.
pub(super) fn digit(ucp: bool) -> &'static str {
    if ucp { "\\p{Nd}" } else { "0-9" }
}

/// `\w`.
pub(super) fn word(ucp: bool) -> &'static str {
    if ucp {
        "\\p{L}\\p{N}_"
    } else {
        concat!("A-Za-z0-9_", latin1_letters!())
    }
}

/// `\s`.
pub(super) fn space(ucp: bool) -> &'static str {
    if ucp {
        "\\p{Z}\\t-\\r\\x85"
    } else {
        " \\t\\n\\r\\x0c\\x0b"
    }
}

/// `[:name:]` without its brackets; `None` if there is no such class.
pub(super) fn posix(name: &str, ucp: bool) -> Option<String> {
    let members = match (name, ucp) {
        ("word", _) => word(ucp),
        ("digit", _) => digit(ucp),
        ("space", _) => space(ucp),
        ("xdigit", _) => "0-9A-Fa-f",
        ("ascii", _) => "\\x00-\\x7f",
        ("blank", false) => " \\t",
        ("blank", true) => " \\t\\p{Zs}",
        ("alpha", false) => concat!("A-Za-z", latin1_letters!()),
        ("alpha", true) => "\\p{L}",
        ("alnum", false) => concat!("A-Za-z0-9", latin1_letters!()),
        ("alnum", true) => "\\p{L}\\p{N}",
        ("lower", false) => "a-z\\xaa\\xb5\\xba\\xdf-\\xf6\\xf8-\\xff",
        ("lower", true) => "\\p{Ll}",
        ("upper", false) => "A-Z\\xc0-\\xd6\\xd8-\\xde",
        ("upper", true) => "\\p{Lu}",
        ("punct", false) => "!-/:-@\\[-`\\{-\\x7e\\xa0-\\xa9\\xab-\\xb4\\xb6-\\xb9\\xbb-\\xbf\\xd7\\xf7",
        ("punct", true) => "\\p{P}$+<=>\\^`|\\x7e",
        ("graph", false) => "!-\\x7e\\xa0-\\xff",
        ("graph", true) => "\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Cf}",
        ("print", false) => " -\\x7e\\xa0-\\xff",
        ("print", true) => "\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Cf}\\p{Zs}",
        ("cntrl", false) => "\\x00-\\x1f\\x7f-\\x9f",
        ("cntrl", true) => "\\p{Cc}",
        _ => return None,
    };
    Some(members.to_owned())
}

/// `\p{name}`: PCRE's own names, or a category or script of Unicode.
pub(super) fn property(name: &str) -> String {
    match name {
        "Any" => "\\x{0}-\\x{10ffff}".to_owned(),
        "L&" => "\\p{Lu}\\p{Ll}\\p{Lt}".to_owned(),
        "Xan" => "\\p{L}\\p{N}".to_owned(),
        "Xwd" => word(true).to_owned(),
        "Xsp" | "Xps" => space(true).to_owned(),
        _ => format!("\\p{{{name}}}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_is_a_class_of_the_crate() {
        let names = [
            "word", "digit", "space", "xdigit", "ascii", "blank", "alpha", "alnum", "lower", "upper", "punct", "graph",
            "print", "cntrl",
        ];
        for ucp in [false, true] {
            for name in names {
                let members = posix(name, ucp).expect(name);
                for source in [format!("[{members}]"), format!("[^{members}]")] {
                    fancy_regex::Regex::new(&source).unwrap_or_else(|e| panic!("{name} {ucp}: {e}"));
                }
            }
        }
        assert_eq!(posix("nosuch", false), None);
    }

    /// As `re:run/3` of OTP 25 says for each byte.
    #[test]
    fn latin1_letters_and_signs() {
        let count = |name: &str| {
            let set = fancy_regex::Regex::new(&format!("[{}]", posix(name, false).expect(name))).expect("a class");
            let is_in = |b: &u8| set.is_match(&char::from(*b).to_string()).expect("no backtracking");
            (128..=255_u8).filter(is_in).count()
        };
        let counts = ["word", "alpha", "lower", "upper", "punct", "print", "cntrl", "space"].map(count);
        assert_eq!(counts, [65, 65, 35, 30, 31, 96, 32, 0]);
    }
}
