//! Searching a subject, place by place, until the pattern matches.

use super::Newline;
use super::compile::Compiled;
use super::matcher::{Code, Matcher};
use super::ucd;

/// The required byte is searched only if the rest of the subject is shorter than this.
const REQUIRED_WITHIN: usize = 1000;
const DEFAULT_LIMIT: u32 = 10_000_000;
/// Steps of a search before it yields: some hundredths of a second. A single place can take as long as the limits allow.
const BUDGET: u64 = 1_000_000;

/// A request for a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Request {
    pub offset: usize,
    /// Where to resume a search that ended with `Outcome::Unfinished`.
    pub from: Option<usize>,
    pub anchored: bool,
    pub not_bol: bool,
    pub not_eol: bool,
    pub not_empty: bool,
    pub not_empty_at_start: bool,
    /// Overrides the pattern's.
    pub newline: Option<Newline>,
    /// Overrides the pattern's: does `\R` match only CR, LF and CRLF?
    pub bsr_anycrlf: Option<bool>,
    pub match_limit: Option<u32>,
    pub recursion_limit: Option<u32>,
}

/// Why a search was given up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    Matches,
    Depth,
    /// A group called itself without an end.
    Loop,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Where it and its groups begin and end.
    Match(Vec<Option<(usize, usize)>>),
    NoMatch,
    GivenUp(Limit),
    /// The budget is used up; the search goes on at this place.
    Unfinished(usize),
}

/// The first place of a byte or its other case from `from` on, or `end`.
fn find(text: &[u8], from: usize, end: usize, (byte, caseless): (u8, bool)) -> usize {
    let other = if caseless { ucd::flip(byte) } else { byte };
    let mut at = from;
    if other == byte {
        for chunk in text[from..end].chunks(256) {
            if chunk.contains(&byte) {
                return at + chunk.iter().position(|&b| b == byte).unwrap_or(0);
            }
            at += chunk.len();
        }
        return end;
    }
    text[from..end]
        .iter()
        .position(|&b| b == byte || b == other)
        .map_or(end, |n| from + n)
}

/// Searches; returns the outcome and the number of steps.
pub(super) fn search(compiled: &Compiled, subject: &[u8], request: &Request) -> (Outcome, u64) {
    let mut work = 0;
    let outcome = places(compiled, subject, request, &mut work);
    (outcome, work)
}

fn places(compiled: &Compiled, subject: &[u8], request: &Request, work: &mut u64) -> Outcome {
    let settings = &compiled.settings;
    let newline = request.newline.unwrap_or(settings.newline);
    let utf = settings.utf;
    let end = subject.len();
    let anchored = compiled.anchored || request.anchored;
    let optimize = !settings.no_start_optimize;
    let smaller = |asked: Option<u32>, own: Option<u32>| {
        let asked = asked.unwrap_or(DEFAULT_LIMIT);
        own.map_or(asked, |own| asked.min(own))
    };
    let limit = smaller(request.match_limit, settings.match_limit);
    let depth = smaller(request.recursion_limit, settings.recursion_limit);
    let starts = compiled
        .starts
        .as_ref()
        .filter(|_| optimize && limit == DEFAULT_LIMIT && depth == DEFAULT_LIMIT && !anchored);
    let first = compiled.first.filter(|_| !anchored);
    let mut matcher = Matcher::new(compiled, subject, newline, request, limit, depth);
    let mut at = request.from.unwrap_or(request.offset);
    // Where the required byte was found last.
    let mut required_at: Option<usize> = None;
    let next_char = |at: usize| {
        let mut next = at + 1;
        while utf && subject.get(next).is_some_and(|b| b & 0xc0 == 0x80) {
            next += 1;
        }
        next
    };
    loop {
        let mut limit_at = end;
        if settings.firstline {
            limit_at = at;
            while limit_at < end && newline.is_at(subject, limit_at, end, utf).is_none() {
                limit_at = next_char(limit_at);
            }
        }
        if optimize {
            if let Some(first) = first {
                at = find(subject, at, limit_at, first);
            } else if compiled.start_of_line && !anchored {
                if at > request.offset {
                    while at < limit_at && !newline.is_before(subject, at, utf) {
                        at = next_char(at);
                    }
                    if subject[at - 1] == b'\r'
                        && matches!(newline, Newline::Any | Newline::AnyCrLf)
                        && at < limit_at
                        && subject[at] == b'\n'
                    {
                        at += 1;
                    }
                }
            } else if let Some(starts) = starts {
                at = subject[at..limit_at]
                    .iter()
                    .position(|&b| starts[b as usize])
                    .map_or(limit_at, |n| at + n);
                if at == end {
                    return Outcome::NoMatch;
                }
            }
            if let Some(required) = compiled.required
                && end - at < REQUIRED_WITHIN
            {
                let from = at + usize::from(first.is_some());
                if required_at.is_none_or(|known| from > known) {
                    let found = find(subject, from.min(end), end, required);
                    if found >= end {
                        return Outcome::NoMatch;
                    }
                    required_at = Some(found);
                }
            }
        }
        let mut next = next_char(at);
        let code = matcher.run(at);
        *work = matcher.work;
        match code {
            Code::Match | Code::Accept => return Outcome::Match(matcher.places()),
            Code::Error(why) => return Outcome::GivenUp(why),
            Code::SkipTo if matcher.start_out > at => {
                next = matcher.start_out;
            }
            Code::SkipMark => {
                matcher.ignored_skips = matcher.skips;
                next = at;
            }
            Code::Commit => return Outcome::NoMatch,
            _ => matcher.ignored_skips = 0,
        }
        if settings.firstline && newline.is_at(subject, at, end, utf).is_some() {
            return Outcome::NoMatch;
        }
        at = next;
        if anchored || at > end {
            return Outcome::NoMatch;
        }
        if at > request.offset
            && subject[at - 1] == b'\r'
            && subject.get(at) == Some(&b'\n')
            && !compiled.mentions_newline
            && matches!(newline, Newline::Any | Newline::AnyCrLf | Newline::CrLf)
        {
            at += 1;
        }
        if matcher.work > BUDGET && matcher.ignored_skips == 0 && code != Code::SkipMark && at < end {
            return Outcome::Unfinished(at);
        }
    }
}
