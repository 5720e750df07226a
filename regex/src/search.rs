//! Searching a subject, place by place, until the pattern matches.

use super::Newline;
use super::compile::CompiledPattern;
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
pub enum MatchOutcome {
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
pub(super) fn search(compiled: &CompiledPattern, subject: &[u8], request: &Request) -> (MatchOutcome, u64) {
    let mut work = 0;
    let outcome = places(compiled, subject, request, &mut work);
    (outcome, work)
}

/// Finds the places where a match can begin.
struct MatchStarts<'a> {
    compiled: &'a CompiledPattern,
    subject: &'a [u8],
    offset: usize,
    newline: Newline,
    anchored: bool,
    /// The bytes with which a match can begin, if that is known and no limit counts what is tried elsewhere.
    starts: Option<&'a [bool; 256]>,
    /// The byte with which each match begins, or its other case.
    first: Option<(u8, bool)>,
    /// Where the required byte was found last.
    required_at: Option<usize>,
}

impl MatchStarts<'_> {
    /// The place after this character.
    fn next_char(&self, at: usize) -> usize {
        let mut next = at + 1;
        while self.compiled.settings.utf && self.subject.get(next).is_some_and(|b| b & 0xc0 == 0x80) {
            next += 1;
        }
        next
    }

    /// The first place from `at` on where a match can begin, or the end of where it must begin. `None` if there can be no match.
    fn next(&mut self, at: usize) -> Option<usize> {
        let end = self.subject.len();
        let settings = &self.compiled.settings;
        let mut limit_at = end;
        if settings.firstline {
            limit_at = at;
            while limit_at < end && self.newline.is_at(self.subject, limit_at, end, settings.utf).is_none() {
                limit_at = self.next_char(limit_at);
            }
        }
        if settings.no_start_optimize {
            return Some(at);
        }
        let mut at = at;
        if let Some(first) = self.first {
            at = find(self.subject, at, limit_at, first);
        } else if self.compiled.start_of_line && !self.anchored {
            at = self.line_start(at, limit_at);
        } else if let Some(starts) = self.starts {
            at = self.subject[at..limit_at]
                .iter()
                .position(|&b| starts[b as usize])
                .map_or(limit_at, |n| at + n);
            if at == end {
                return None;
            }
        }
        self.has_required(at).then_some(at)
    }

    /// The first place from `at` on that is the start of a line.
    fn line_start(&self, at: usize, limit_at: usize) -> usize {
        let (subject, mut at) = (self.subject, at);
        if at <= self.offset {
            return at;
        }
        while at < limit_at && !self.newline.is_before(subject, at, self.compiled.settings.utf) {
            at = self.next_char(at);
        }
        let after_cr = subject[at - 1] == b'\r' && matches!(self.newline, Newline::Any | Newline::AnyCrLf);
        at + usize::from(after_cr && at < limit_at && subject[at] == b'\n')
    }

    /// Does the byte that every match contains occur after this place? It is not searched in a long rest.
    fn has_required(&mut self, at: usize) -> bool {
        let end = self.subject.len();
        let Some(required) = self.compiled.required.filter(|_| end - at < REQUIRED_WITHIN) else {
            return true;
        };
        let from = at + usize::from(self.first.is_some());
        if self.required_at.is_some_and(|known| from <= known) {
            return true;
        }
        let found = find(self.subject, from.min(end), end, required);
        self.required_at = Some(found);
        found < end
    }
}

fn places(compiled: &CompiledPattern, subject: &[u8], request: &Request, work: &mut u64) -> MatchOutcome {
    let settings = &compiled.settings;
    let newline = request.newline.unwrap_or(settings.newline);
    let utf = settings.utf;
    let end = subject.len();
    let anchored = compiled.anchored || request.anchored;
    let smaller = |asked: Option<u32>, own: Option<u32>| {
        let asked = asked.unwrap_or(DEFAULT_LIMIT);
        own.map_or(asked, |own| asked.min(own))
    };
    let limit = smaller(request.match_limit, settings.match_limit);
    let depth = smaller(request.recursion_limit, settings.recursion_limit);
    let mut places = MatchStarts {
        compiled,
        subject,
        offset: request.offset,
        newline,
        anchored,
        starts: compiled
            .starts
            .as_deref()
            .filter(|_| limit == DEFAULT_LIMIT && depth == DEFAULT_LIMIT && !anchored),
        first: compiled.first.filter(|_| !anchored),
        required_at: None,
    };
    let mut matcher = Matcher::new(compiled, subject, newline, request, limit, depth);
    let mut at = request.from.unwrap_or(request.offset);
    loop {
        let Some(start) = places.next(at) else {
            return MatchOutcome::NoMatch;
        };
        at = start;
        let mut next = places.next_char(at);
        let code = matcher.run(at);
        *work = matcher.work;
        match code {
            Code::Match | Code::Accept => return MatchOutcome::Match(matcher.places()),
            Code::Error(why) => return MatchOutcome::GivenUp(why),
            Code::SkipTo if matcher.start_out > at => {
                next = matcher.start_out;
            }
            Code::SkipMark => {
                matcher.ignored_skips = matcher.skips;
                next = at;
            }
            Code::Commit => return MatchOutcome::NoMatch,
            _ => matcher.ignored_skips = 0,
        }
        if settings.firstline && newline.is_at(subject, at, end, utf).is_some() {
            return MatchOutcome::NoMatch;
        }
        at = next;
        if anchored || at > end {
            return MatchOutcome::NoMatch;
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
            return MatchOutcome::Unfinished(at);
        }
    }
}
