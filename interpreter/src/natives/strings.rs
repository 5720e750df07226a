//! Natives for the modules `string` and `unicode_util`: grapheme clusters and letter case.
//!
//! Clusters follow the Unicode standard annex 29; Erlang/OTP 25 has the tables of Unicode 14.

use crate::atom::Atom;
use crate::heap::{Heap, TermView};
use crate::native::{Context, Native, Raise};
use crate::print::grapheme;
use crate::term::Term;

/// The table of this area.
pub const NATIVES: &[Native] = &[
    Native::pure("string", "$graphemes", 1, graphemes),
    Native::pure("string", "$case", 2, change_case),
    Native::pure("unicode_util", "$joins", 2, joins),
    Native::pure("unicode_util", "$class", 1, class),
];

/// From here on a code point can belong to a cluster of several; below, only CR before LF does.
const FIRST_COMBINING: i64 = 0x300;

/// The code points of a text: nested lists of integers and of UTF-8 binaries. Integers of lists are taken as they are.
fn code_points(heap: &mut Heap, text: Term) -> Result<Vec<i64>, Raise> {
    let mut out = Vec::new();
    let mut todo = vec![text];
    while let Some(t) = todo.pop() {
        match heap.view(t) {
            TermView::Nil => {}
            TermView::Cons(head, tail) => {
                todo.push(tail);
                match head.as_small() {
                    Some(c) => out.push(c),
                    None if head.is_list() || head.is_box() => todo.push(head),
                    None => return Err(Raise::error(Term::atom(Atom::FUNCTION_CLAUSE))),
                }
            }
            TermView::Binary => {
                let bytes = heap.bytes(t).ok_or_else(Raise::badarg)?.into_owned();
                match std::str::from_utf8(&bytes) {
                    Ok(s) => out.extend(s.chars().map(|c| c as i64)),
                    Err(error) => {
                        let rest = heap.make_binary(&bytes[error.valid_up_to()..]);
                        return Err(Raise::tagged(heap, Atom::BADARG, rest));
                    }
                }
            }
            _ => return Err(Raise::error(Term::atom(Atom::FUNCTION_CLAUSE))),
        }
    }
    Ok(out)
}

fn character(code: i64) -> Option<char> {
    char::from_u32(u32::try_from(code).ok()?)
}

/// Is it a list of integers only, so that the result can be the argument itself?
fn is_flat(heap: &Heap, mut list: Term) -> bool {
    while let Some((head, tail)) = heap.cons_cell(list) {
        if !head.is_small() {
            return false;
        }
        list = tail;
    }
    list.is_nil()
}

fn graphemes(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let codes = code_points(cx.heap, args[0])?;
    cx.local.charge += (codes.len() / 10) as u32;
    let plain = codes.iter().all(|&c| c < FIRST_COMBINING && c != i64::from(b'\r'));
    if plain && is_flat(cx.heap, args[0]) {
        return Ok(args[0]);
    }
    let mut clusters = Vec::with_capacity(codes.len());
    let mut rest = &codes[..];
    while !rest.is_empty() {
        // A number that is not a character has no class, so it stands alone.
        let n = grapheme::next(rest.iter().map(|&c| u32::try_from(c).unwrap_or(u32::MAX)));
        let cluster: Vec<Term> = rest[..n].iter().map(|&c| Term::small(c)).collect();
        clusters.push(if let [one] = cluster[..] {
            one
        } else {
            cx.heap.make_list(&cluster)
        });
        rest = &rest[n..];
    }
    Ok(cx.heap.make_list(&clusters))
}

/// Does the code point belong to the cluster that ends with these (the last one first)?
fn joins(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let mut codes = cx.heap.list(args[0]).ok_or_else(Raise::badarg)?;
    codes.reverse();
    codes.push(args[1]);
    let text: Option<Vec<u32>> = codes.iter().map(|t| Some(character(t.as_small()?)? as u32)).collect();
    Ok(Term::boolean(
        text.is_some_and(|t| grapheme::cluster(t.iter().copied()) == t.len()),
    ))
}

/// The canonical combining class of a code point.
fn class(_: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let code = args[0].as_small().ok_or_else(Raise::badarg)?;
    let class = character(code).map_or(0, unicode_normalization::char::canonical_combining_class);
    Ok(Term::small(i64::from(class)))
}

fn change_case(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let codes = code_points(cx.heap, args[1])?;
    cx.local.charge += (codes.len() / 10) as u32;
    let mut out = Vec::with_capacity(codes.len());
    let mut extend = |code: i64, convert: &dyn Fn(char) -> String| match character(code) {
        Some(c) if !is_newer(c) => out.extend(convert(c).chars().map(|c| Term::small(c as i64))),
        _ => out.push(Term::small(code)),
    };
    let convert: &dyn Fn(char) -> String = match args[0].as_atom().map(Atom::as_str) {
        Some("upper") => &|c| c.to_uppercase().to_string(),
        Some("lower") => &|c| c.to_lowercase().to_string(),
        Some("fold") => &folded,
        Some("title") => {
            for (i, &code) in codes.iter().enumerate() {
                if i == 0 {
                    extend(code, &titled)
                } else {
                    extend(code, &String::from)
                }
            }
            return Ok(cx.heap.make_list(&out));
        }
        _ => return Err(Raise::badarg()),
    };
    for code in codes {
        extend(code, convert);
    }
    Ok(cx.heap.make_list(&out))
}

/// Letters that have another case only since a later Unicode than that of OTP 25 (14).
fn is_newer(c: char) -> bool {
    matches!(
        c,
        '\u{19B}'
            | '\u{264}'
            | '\u{1C89}'..='\u{1C8A}'
            | '\u{A7CB}'..='\u{A7CF}'
            | '\u{A7D2}'..='\u{A7D5}'
            | '\u{A7DA}'..='\u{A7DC}'
            | '\u{10D50}'..='\u{10D85}'
            | '\u{16EA0}'..='\u{16ED3}'
    )
}

fn shifted(c: char, by: i32) -> char {
    char::from_u32((c as i32 + by) as u32).expect("the tables stay within letters")
}

/// Full case folding: the lower case of the upper case, except for the letters for which the standard says otherwise.
fn folded(c: char) -> String {
    match c {
        '\u{131}' | '\u{13A0}'..='\u{13F5}' => c.to_string(),
        '\u{1E9E}' => "ss".to_owned(),
        '\u{13F8}'..='\u{13FD}' => shifted(c, -8).to_string(),
        '\u{AB70}'..='\u{ABBF}' => shifted(c, 0x13A0 - 0xAB70).to_string(),
        _ => c.to_uppercase().flat_map(char::to_lowercase).collect(),
    }
}

/// Full title case: the upper case, or its first letter with the rest in lower case, except for the letters that have a title form.
fn titled(c: char) -> String {
    match c {
        '\u{1C4}'..='\u{1CC}' => ['\u{1C5}', '\u{1C8}', '\u{1CB}'][(c as usize - 0x1C4) / 3].to_string(),
        '\u{1F1}'..='\u{1F3}' => '\u{1F2}'.to_string(),
        '\u{10D0}'..='\u{10FA}' | '\u{10FD}'..='\u{10FF}' => c.to_string(),
        '\u{1F80}'..='\u{1FAF}' => char::from_u32(c as u32 | 8).map_or_else(String::new, String::from),
        '\u{1FB3}' | '\u{1FC3}' | '\u{1FF3}' => shifted(c, 9).to_string(),
        '\u{1FBC}' | '\u{1FCC}' | '\u{1FFC}' => c.to_string(),
        '\u{149}' => c.to_uppercase().to_string(),
        // The iota stays below its letter.
        '\u{1FB2}'..='\u{1FB7}' | '\u{1FC2}'..='\u{1FC7}' | '\u{1FF2}'..='\u{1FF7}' => c
            .to_uppercase()
            .map(|c| if c == '\u{399}' { '\u{345}' } else { c })
            .collect(),
        _ => {
            let mut upper = c.to_uppercase();
            let first = upper.next().expect("a letter has an upper case");
            std::iter::once(first)
                .chain(upper.flat_map(char::to_lowercase))
                .collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::natives::testing::{Machine, atom, small};

    #[test]
    fn plain_lists_are_their_own_clusters() {
        let mut m = Machine::new();
        let text = m.heap.make_string("plain \u{e5}");
        assert_eq!(m.call(graphemes, &[text]).unwrap(), text);
    }

    #[test]
    fn clusters_of_several_code_points() {
        let mut m = Machine::new();
        let binary = m.heap.make_binary("x\u{301}y".as_bytes());
        let text = m.heap.make_list(&[small(13), small(10), binary, small(0xD800)]);
        let r = m.call(graphemes, &[text]).unwrap();
        let gcs = m.heap.list(r).unwrap();
        assert_eq!(gcs.len(), 4);
        assert_eq!(m.heap.list(gcs[0]).unwrap(), [small(13), small(10)]);
        assert_eq!(m.heap.list(gcs[1]).unwrap(), [small(0x78), small(0x301)]);
        assert_eq!(gcs[2..], [small(0x79), small(0xD800)]);
    }

    #[test]
    fn bad_text_is_refused() {
        let mut m = Machine::new();
        let text = m.heap.make_list(&[atom("a")]);
        assert_eq!(m.reason(graphemes, &[text]), atom("function_clause"));
        let text = m.heap.make_binary(&[65, 255]);
        let reason = m.reason(graphemes, &[text]);
        let parts = m.heap.tuple(reason).unwrap().to_vec();
        assert_eq!(parts[0], atom("badarg"));
        assert_eq!(m.heap.bytes(parts[1]).unwrap().as_ref(), [255]);
    }

    #[test]
    fn cases_of_letters() {
        assert_eq!(titled('\u{DF}'), "Ss");
        assert_eq!(titled('\u{1C6}'), "\u{1C5}");
        assert_eq!(folded('\u{DF}'), "ss");
        assert_eq!(folded('\u{3C2}'), "\u{3C3}");
        assert_eq!(folded('\u{131}'), "\u{131}");
        assert_eq!(folded('\u{1E9E}'), "ss");
        assert_eq!(titled('\u{149}'), "\u{2BC}N");
        assert_eq!(titled('\u{1FB4}'), "\u{386}\u{345}");
    }
}
