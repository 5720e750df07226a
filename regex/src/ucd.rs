//! Properties of characters: of bytes as in Latin-1 (the tables with which Erlang/OTP compiles its PCRE), of code points as in Unicode 7.0.

use super::tables::{CASE_SETS, CATEGORY, CONTROL, EXTEND, OTHER_CASE, SCRIPT, SCRIPTS};

/// Names of the general categories; a category is its place here.
pub(super) const CATEGORIES: [&str; 30] = [
    "Cc", "Cf", "Cn", "Co", "Cs", "Ll", "Lm", "Lo", "Lt", "Lu", "Mc", "Me", "Mn", "Nd", "Nl", "No", "Pc", "Pd", "Pe",
    "Pf", "Pi", "Po", "Ps", "Sc", "Sk", "Sm", "So", "Zl", "Zp", "Zs",
];
const CF: u8 = 1;
const LL: u8 = 5;
const LT: u8 = 8;
const LU: u8 = 9;
const ZL: u8 = 27;
const ZP: u8 = 28;

pub(super) fn category(c: u32) -> u8 {
    let at = CATEGORY.partition_point(|&e| e >> 5 <= c);
    (CATEGORY[at - 1] & 31) as u8
}

/// The letter of the general category.
fn group(category: u8) -> u8 {
    CATEGORIES[category as usize].as_bytes()[0]
}

fn script(c: u32) -> u8 {
    let at = SCRIPT.partition_point(|&e| e >> 7 <= c);
    (SCRIPT[at - 1] & 127) as u8
}

/// Properties that `\p` and classes can test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Property {
    Any,
    /// `L&`: a letter with case.
    Cased,
    /// A general category by its letter.
    Group(u8),
    Category(u8),
    Script(u8),
    /// `Xan`.
    Alnum,
    /// `Xsp`, `Xps`.
    Space,
    /// `Xwd`.
    Word,
    /// `Xuc`: can be written as a universal character name.
    Ucn,
    /// The cases of one character: a place in `CASE_SETS`.
    CaseSet(u8),
    Graph,
    Print,
    Punct,
}

impl Property {
    /// By the name in `\p{name}`.
    pub(super) fn named(name: &[u8]) -> Option<Self> {
        let name = std::str::from_utf8(name).ok()?;
        Some(match name {
            "Any" => Self::Any,
            "L&" => Self::Cased,
            "C" | "L" | "M" | "N" | "P" | "S" | "Z" => Self::Group(name.as_bytes()[0]),
            "Xan" => Self::Alnum,
            "Xsp" | "Xps" => Self::Space,
            "Xwd" => Self::Word,
            "Xuc" => Self::Ucn,
            _ => {
                if let Some(at) = CATEGORIES.iter().position(|&c| c == name) {
                    Self::Category(at as u8)
                } else {
                    Self::Script(SCRIPTS.binary_search(&name).ok()? as u8)
                }
            }
        })
    }

    pub(super) fn holds(self, c: u32) -> bool {
        let letter_or_number = |c| matches!(group(category(c)), b'L' | b'N');
        match self {
            Self::Any => true,
            Self::Cased => matches!(category(c), LL | LT | LU),
            Self::Group(g) => group(category(c)) == g,
            Self::Category(k) => category(c) == k,
            Self::Script(s) => script(c) == s,
            Self::Alnum => letter_or_number(c),
            Self::Space => is_horizontal(c) || is_vertical(c) || group(category(c)) == b'Z',
            Self::Word => c == u32::from(b'_') || letter_or_number(c),
            Self::Ucn => matches!(c, 0x24 | 0x40 | 0x60 | 0xa0..=0xd7ff) || c >= 0xe000,
            Self::CaseSet(at) => CASE_SETS[at as usize].contains(&c),
            Self::Graph => {
                let k = category(c);
                group(k) != b'Z' && (group(k) != b'C' || (k == CF && !matches!(c, 0x61c | 0x180e | 0x2066..=0x2069)))
            }
            Self::Print => {
                let k = category(c);
                k != ZL && k != ZP && (group(k) != b'C' || (k == CF && !matches!(c, 0x61c | 0x2066..=0x2069)))
            }
            Self::Punct => {
                let g = group(category(c));
                g == b'P' || (c < 128 && g == b'S')
            }
        }
    }
}

/// `\h`.
pub(super) const HORIZONTAL: &[(u32, u32)] = &[
    (9, 9),
    (0x20, 0x20),
    (0xa0, 0xa0),
    (0x1680, 0x1680),
    (0x180e, 0x180e),
    (0x2000, 0x200a),
    (0x202f, 0x202f),
    (0x205f, 0x205f),
    (0x3000, 0x3000),
];
/// `\v`.
pub(super) const VERTICAL: &[(u32, u32)] = &[(10, 13), (0x85, 0x85), (0x2028, 0x2029)];

pub(super) fn is_in(ranges: &[(u32, u32)], c: u32) -> bool {
    let at = ranges.partition_point(|&(_, last)| last < c);
    ranges.get(at).is_some_and(|&(first, _)| first <= c)
}

pub(super) fn is_horizontal(c: u32) -> bool {
    is_in(HORIZONTAL, c)
}

pub(super) fn is_vertical(c: u32) -> bool {
    is_in(VERTICAL, c)
}

/// The place in `CASE_SETS` of a character with more than one other case.
pub(super) fn case_set(c: u32) -> Option<u8> {
    CASE_SETS.iter().position(|set| set.contains(&c)).map(|at| at as u8)
}

pub(super) fn case_set_members(at: u8) -> &'static [u32] {
    CASE_SETS[at as usize]
}

/// The one other case of a character, or the character.
pub(super) fn other_case(c: u32) -> u32 {
    let at = OTHER_CASE.partition_point(|&(_, last, _)| last < c);
    match OTHER_CASE.get(at) {
        Some(&(first, _, 0)) if first <= c => {
            if (c - first).is_multiple_of(2) {
                c + 1
            } else {
                c - 1
            }
        }
        Some(&(first, _, far)) if first <= c => c.wrapping_add_signed(far),
        _ => c,
    }
}

/// Characters from `first` to `last` that have another case, one or several.
pub(super) fn with_case(first: u32, last: u32) -> impl Iterator<Item = u32> {
    let single = OTHER_CASE
        .iter()
        .filter(move |&&(a, b, _)| a <= last && b >= first)
        .flat_map(move |&(a, b, _)| a.max(first)..=b.min(last));
    let sets = CASE_SETS.iter().flat_map(|set| set.iter().copied());
    single.chain(sets.filter(move |c| (first..=last).contains(c)))
}

/// The other case of a byte of Latin-1, or the byte.
pub(super) fn flip(b: u8) -> u8 {
    match b {
        b'A'..=b'Z' | 0xc0..=0xd6 | 0xd8..=0xde => b + 32,
        b'a'..=b'z' | 0xe0..=0xf6 | 0xf8..=0xfe => b - 32,
        _ => b,
    }
}

pub(super) fn is_digit(b: u8) -> bool {
    b.is_ascii_digit()
}

pub(super) fn is_letter(b: u8) -> bool {
    b.is_ascii_alphabetic() || matches!(b, 0xaa | 0xb5 | 0xba | 0xc0..=0xd6 | 0xd8..=0xf6 | 0xf8..=0xff)
}

pub(super) fn is_word(b: u8) -> bool {
    b == b'_' || is_digit(b) || is_letter(b)
}

pub(super) fn is_space(b: u8) -> bool {
    matches!(b, 9..=13 | b' ')
}

/// Is the byte in the class `[:name:]`? `None` if there is no such class.
pub(super) fn posix(name: &[u8]) -> Option<fn(u8) -> bool> {
    Some(match name {
        b"alpha" => is_letter,
        b"lower" => |b| is_letter(b) && !(b.is_ascii_uppercase() || matches!(b, 0xc0..=0xde)),
        b"upper" => |b| b.is_ascii_uppercase() || matches!(b, 0xc0..=0xd6 | 0xd8..=0xde),
        b"alnum" => |b| is_digit(b) || is_letter(b),
        b"ascii" => |b| b < 128,
        b"blank" => |b| b == b' ' || b == b'\t',
        b"cntrl" => |b| b < 32 || matches!(b, 127..=159),
        b"digit" => is_digit,
        b"graph" => |b| matches!(b, 33..=126 | 160..),
        b"print" => |b| matches!(b, 32..=126 | 160..),
        b"punct" => |b| matches!(b, 33..=126 | 160..) && !is_digit(b) && !is_letter(b),
        b"space" => is_space,
        b"word" => is_word,
        b"xdigit" => |b| b.is_ascii_hexdigit(),
        _ => return None,
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Cluster {
    Cr,
    Lf,
    Control,
    Extend,
    L,
    V,
    T,
    Lv,
    Lvt,
    Regional,
    Other,
}

fn cluster(c: u32) -> Cluster {
    match c {
        10 => Cluster::Lf,
        13 => Cluster::Cr,
        0x20..=0x7e => Cluster::Other,
        0x1100..=0x115f | 0xa960..=0xa97c => Cluster::L,
        0x1160..=0x11a7 | 0xd7b0..=0xd7c6 => Cluster::V,
        0x11a8..=0x11ff | 0xd7cb..=0xd7fb => Cluster::T,
        0xac00..=0xd7a3 if (c - 0xac00).is_multiple_of(28) => Cluster::Lv,
        0xac00..=0xd7a3 => Cluster::Lvt,
        0x1f1e6..=0x1f1ff => Cluster::Regional,
        _ if is_in(CONTROL, c) => Cluster::Control,
        _ if is_in(EXTEND, c) => Cluster::Extend,
        _ => Cluster::Other,
    }
}

/// Are the two in one `\X`?
pub(super) fn joined(left: u32, right: u32) -> bool {
    use Cluster::{Control, Cr, Extend, L, Lf, Lv, Lvt, Regional, T, V};
    match (cluster(left), cluster(right)) {
        (Cr, Lf) => true,
        (Cr | Lf | Control, _) | (_, Cr | Lf | Control) => false,
        (_, Extend) | (L, L | V | Lv | Lvt) | (V | Lv, V | T) | (T | Lvt, T) | (Regional, Regional) => true,
        _ => false,
    }
}
