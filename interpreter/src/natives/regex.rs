//! Natives for the module `re`: regular expressions as in PCRE 8.44 (`pcre`).
//!
//! Without the option `unicode`, a byte is a character, as in Erlang/OTP.

use std::cell::RefCell;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::atom::Atom;
use crate::heap::{Heap, TermView};
use crate::native::{Context, Native, Raise};
use crate::term::Term;

use pcre::{Error, Limit, MatchOutcome, Newline, Pattern, Request, Settings};

/// The table of this area.
pub const NATIVES: &[Native] = &[
    Native::pure("re", "$pcre_compile", 2, compile),
    Native::pure("re", "$pcre_run", 5, run),
];

/// The bits of PCRE's newline options; several options together mean the newline of all their bits.
fn newline_bits(heap: &Heap, option: Term) -> Option<u8> {
    let TermView::Tuple(&[name, value]) = heap.view(option) else {
        return None;
    };
    if name.as_atom()?.as_str() != "newline" {
        return None;
    }
    Some(match value.as_atom()?.as_str() {
        "cr" => 1,
        "lf" => 2,
        "crlf" => 3,
        "any" => 4,
        "anycrlf" => 5,
        _ => return None,
    })
}

fn newline_of(bits: u8) -> Option<Newline> {
    Some(match bits {
        0 | 2 => Newline::Lf,
        1 => Newline::Cr,
        3 => Newline::CrLf,
        4 => Newline::Any,
        5 => Newline::AnyCrLf,
        _ => return None,
    })
}

fn settings(heap: &Heap, list: Term) -> Result<Settings, Raise> {
    let mut settings = Settings::default();
    let mut newline = 0;
    for option in heap.list(list).ok_or_else(Raise::badarg)? {
        let flag = match option.as_atom().map(Atom::as_str) {
            Some("unicode") => &mut settings.utf,
            Some("anchored") => &mut settings.anchored,
            Some("caseless") => &mut settings.caseless,
            Some("dollar_endonly") => &mut settings.dollar_endonly,
            Some("dotall") => &mut settings.dotall,
            Some("extended") => &mut settings.extended,
            Some("firstline") => &mut settings.firstline,
            Some("multiline") => &mut settings.multiline,
            Some("no_auto_capture") => &mut settings.no_auto_capture,
            Some("dupnames") => &mut settings.dupnames,
            Some("ungreedy") => &mut settings.ungreedy,
            Some("bsr_anycrlf") => &mut settings.bsr_anycrlf,
            Some("bsr_unicode") => &mut settings.bsr_unicode,
            Some("no_start_optimize") => &mut settings.no_start_optimize,
            Some("ucp") => &mut settings.ucp,
            Some("never_utf") => &mut settings.never_utf,
            _ => {
                newline |= newline_bits(heap, option).ok_or_else(Raise::badarg)?;
                continue;
            }
        };
        *flag = true;
    }
    match newline_of(newline) {
        Some(newline) => settings.newline = newline,
        None => settings.clashing_newlines = true,
    }
    Ok(settings)
}

/// Is the subject known to be UTF-8?
type Checked = bool;

fn request(heap: &Heap, list: Term, offset: usize) -> Result<(Request, Checked), Raise> {
    let mut request = Request {
        offset,
        ..Request::default()
    };
    let mut checked = false;
    let mut newline = 0;
    for option in heap.list(list).ok_or_else(Raise::badarg)? {
        let flag = match option.as_atom().map(Atom::as_str) {
            Some("anchored") => &mut request.anchored,
            Some("notbol") => &mut request.not_bol,
            Some("noteol") => &mut request.not_eol,
            Some("notempty") => &mut request.not_empty,
            Some("notempty_atstart") => &mut request.not_empty_at_start,
            Some("checked") => &mut checked,
            Some(bsr @ ("bsr_anycrlf" | "bsr_unicode")) => {
                request.bsr_anycrlf = Some(bsr == "bsr_anycrlf");
                continue;
            }
            _ => {
                if let Some(bits) = newline_bits(heap, option) {
                    newline |= bits;
                    continue;
                }
                let TermView::Tuple(&[name, value]) = heap.view(option) else {
                    return Err(Raise::badarg());
                };
                let number = value.as_small().and_then(|n| u32::try_from(n).ok());
                let number = Some(number.ok_or_else(Raise::badarg)?);
                match name.as_atom().map(Atom::as_str) {
                    Some("match_limit") => request.match_limit = number,
                    Some("match_limit_recursion") => request.recursion_limit = number,
                    Some("from") => {
                        checked = true;
                        request.from = number.map(|n| n as usize);
                    }
                    _ => return Err(Raise::badarg()),
                }
                continue;
            }
        };
        *flag = true;
    }
    if newline != 0 {
        request.newline = Some(newline_of(newline).ok_or_else(Raise::badarg)?);
    }
    Ok((request, checked))
}

type PatternKey = (Vec<u8>, Settings);

thread_local! {
    /// Compiled expressions of this thread: a cache, invisible to programs.
    static CACHE: RefCell<FxHashMap<PatternKey, Arc<Pattern>>> = RefCell::default();
}

/// Entries before the cache is emptied.
const CACHE_LIMIT: usize = 256;

fn prepared(pattern: &[u8], settings: Settings) -> Result<Arc<Pattern>, Error> {
    let key = (pattern.to_vec(), settings);
    if let Some(found) = CACHE.with_borrow(|cache| cache.get(&key).map(Arc::clone)) {
        return Ok(found);
    }
    let compiled = Arc::new(Pattern::new(pattern, settings)?);
    CACHE.with_borrow_mut(|cache| {
        if cache.len() >= CACHE_LIMIT {
            cache.clear();
        }
        cache.insert(key, Arc::clone(&compiled));
    });
    Ok(compiled)
}

/// `'$pcre_compile'(Pattern, Options)`: `{ok, Groups, [{Name, Group}], CrLf}`, or `{error, {Text, Position}}`. `CrLf`: can a newline be two bytes?
fn compile(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let pattern = cx.heap.bytes(args[0]).ok_or_else(Raise::badarg)?.into_owned();
    let settings = settings(cx.heap, args[1])?;
    match prepared(&pattern, settings) {
        Ok(compiled) => {
            let names: Vec<Term> = compiled
                .names()
                .iter()
                .map(|(name, group)| {
                    let name = cx.heap.make_binary(name);
                    cx.heap.make_tuple(&[name, Term::small(i64::from(*group))])
                })
                .collect();
            let names = cx.heap.make_list(&names);
            let groups = Term::small(compiled.groups() as i64);
            let crlf = Term::boolean(!matches!(compiled.newline(), Newline::Lf | Newline::Cr));
            Ok(cx.heap.make_tuple(&[Term::atom(Atom::OK), groups, names, crlf]))
        }
        Err(Error { text, at }) => {
            let text = cx.heap.make_string(text);
            let why = cx.heap.make_tuple(&[text, Term::small(at as i64)]);
            Ok(cx.heap.make_tuple(&[Term::atom(Atom::ERROR), why]))
        }
    }
}

/// `'$pcre_run'(Pattern, CompileOptions, Subject, Offset, Options)`: `nomatch`; the limit that ended the search; the places `{Start, Length}`
/// of all groups in bytes, `{-1, 0}` for groups that did not take part; or, after many steps, `{more, Place}`: the same call with `{from,
/// Place}` then continues. The options `checked` and `from` imply that the subject is valid UTF-8 if it must be.
fn run(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let pattern = cx.heap.bytes(args[0]).ok_or_else(Raise::badarg)?.into_owned();
    let settings = settings(cx.heap, args[1])?;
    let compiled = prepared(&pattern, settings).map_err(|_| Raise::badarg())?;
    let subject = cx.heap.bytes(args[2]).ok_or_else(Raise::badarg)?;
    let size = subject.len();
    let offset = args[3].as_small().and_then(|n| usize::try_from(n).ok());
    let offset = offset.filter(|&n| n <= size).ok_or_else(Raise::badarg)?;
    let (request, checked) = request(cx.heap, args[4], offset)?;
    let inside = |b: &u8| b & 0xc0 == 0x80;
    if size > i32::MAX as usize
        || (compiled.is_utf()
            && !checked
            && (std::str::from_utf8(&subject).is_err() || subject.get(offset).is_some_and(inside)))
    {
        return Err(Raise::badarg());
    }
    if request.from.is_some_and(|from| from < offset || from > size) {
        return Err(Raise::badarg());
    }
    let begin = request.from.unwrap_or(offset);
    let (outcome, work) = compiled.search(&subject, &request);
    // Bytes and steps.
    let seen = match &outcome {
        MatchOutcome::Match(places) => places[0].map_or(0, |(_, to)| to.saturating_sub(begin)),
        MatchOutcome::Unfinished(at) => at - begin,
        MatchOutcome::NoMatch | MatchOutcome::GivenUp(_) => size - begin,
    };
    let unchecked = if checked || !compiled.is_utf() { 0 } else { size };
    let cost = work.saturating_add((seen + unchecked) as u64) / 10;
    cx.local.charge = cx.local.charge.saturating_add(u32::try_from(cost).unwrap_or(u32::MAX));
    let places = match outcome {
        MatchOutcome::Match(places) => places,
        // A group that calls itself for ever matches nothing, as in Erlang/OTP.
        MatchOutcome::NoMatch | MatchOutcome::GivenUp(Limit::Loop) => return Ok(Term::atom(Atom::new("nomatch"))),
        MatchOutcome::Unfinished(at) => {
            let more = Term::atom(Atom::new("more"));
            return Ok(cx.heap.make_tuple(&[more, Term::small(at as i64)]));
        }
        MatchOutcome::GivenUp(Limit::Matches) => return Ok(Term::atom(Atom::new("match_limit"))),
        MatchOutcome::GivenUp(Limit::Depth) => return Ok(Term::atom(Atom::new("match_limit_recursion"))),
    };
    let places: Vec<Term> = places
        .into_iter()
        .map(|place| {
            let (from, len) = place.map_or((-1, 0), |(from, to)| (from as i64, to as i64 - from as i64));
            cx.heap.make_tuple(&[Term::small(from), Term::small(len)])
        })
        .collect();
    Ok(cx.heap.make_list(&places))
}

#[cfg(test)]
mod tests;
