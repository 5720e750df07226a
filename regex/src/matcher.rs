//! Matching at one place, by backtracking.
//!
//! It follows PCRE's own `match`, whose recursive calls are frames here: what is counted against the limits, what captures keep and what verbs
//! reach depend on it. A frame says what to do when the operations after it return a code.

mod groups;
mod run;
mod steps;

use super::Newline;
use super::compile::CompiledPattern;
use super::search::{Limit, Request};

const NOTHING: u32 = u32::MAX;
const UNSET: i64 = -1;

/// The result of the operations after a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Code {
    NoMatch,
    Match,
    Accept,
    /// A possessive group has matched once more.
    Again,
    /// Back to the start of an atomic group.
    Once,
    Commit,
    Prune,
    /// To `start_out`; to the mark whose number `start_out` is.
    SkipTo,
    SkipMark,
    /// From the verb at `then_at`.
    Then,
    Error(Limit),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Resume {
    /// `pc` is at the alternative, `a`, `b`, `c` are the places before, `d` is the group.
    Capture,
    Plain,
    OnceWithout,
    /// `a` is where the group begins.
    OnceWithoutMin,
    OnceWithoutMax,
    PossessiveCapture,
    PossessivePlain,
    EmptyCondition,
    /// `pc` is at the assertion, `a` the condition's group.
    ConditionAssertion,
    /// `a`: is it a condition?
    Assertion,
    NegativeAssertion,
    /// `pc` is at the call, `a` at the alternative.
    Call,
    Zero,
    ZeroLazy,
    KetMin,
    KetMinOnce,
    KetMinEmpty,
    KetMax,
    KetMaxOnce,
    KetOnce,
    RepeatLazy,
    /// `a` is where the fewest end.
    RepeatGreedy,
    ReferenceLazy,
    ReferenceGreedy,
    Mark,
    Commit,
    Prune,
    Skip,
    SkipMark,
    Then,
}

#[derive(Clone, Copy)]
struct MatcherFrame {
    resume: Resume,
    /// Of a possessive group: has it matched once, may it match never?
    matched: bool,
    zero: bool,
    pc: u32,
    at: u32,
    start: u32,
    top: u32,
    empty: u32,
    empties: u32,
    a: u32,
    b: u32,
    c: u32,
    d: u32,
}

struct Recursion {
    group: u16,
    at: u32,
    saved: usize,
}

pub(super) struct Matcher<'m> {
    compiled: &'m CompiledPattern,
    subject: &'m [u8],
    newline: Newline,
    bsr_anycrlf: bool,
    request: Request,
    limit: u32,
    depth: u32,
    frames: Vec<MatcherFrame>,
    /// For repeated groups that can match nothing: where each began, and the surrounding one.
    empties: Vec<(u32, u32)>,
    recursions: Vec<Recursion>,
    saved: Vec<i64>,
    /// Starts and ends of groups, and after them where groups began that are not at their end.
    places: Vec<i64>,
    at_out: u32,
    top_out: u32,
    pub(super) start_out: usize,
    then_at: u32,
    once_target: u32,
    pub(super) skips: u32,
    pub(super) ignored_skips: u32,
    /// Number of steps at all places so far.
    pub(super) work: u64,
}

impl<'m> Matcher<'m> {
    pub(super) fn new(
        compiled: &'m CompiledPattern,
        subject: &'m [u8],
        newline: Newline,
        request: &Request,
        limit: u32,
        depth: u32,
    ) -> Self {
        let groups = usize::from(compiled.groups) + 1;
        Self {
            compiled,
            subject,
            newline,
            bsr_anycrlf: request.bsr_anycrlf.unwrap_or(compiled.settings.bsr_anycrlf),
            request: *request,
            limit,
            depth,
            frames: Vec::new(),
            empties: Vec::new(),
            recursions: Vec::new(),
            saved: Vec::new(),
            places: vec![UNSET; 3 * groups],
            at_out: 0,
            top_out: 0,
            start_out: 0,
            then_at: 0,
            once_target: 0,
            skips: 0,
            ignored_skips: 0,
            work: 0,
        }
    }

    /// For a match: the start and end of it and of its groups.
    pub(super) fn places(&self) -> Vec<Option<(usize, usize)>> {
        let mut out = vec![Some((self.start_out, self.at_out as usize))];
        for group in 1..=usize::from(self.compiled.groups) {
            let (from, to) = (self.places[2 * group], self.places[2 * group + 1]);
            let is_set = 2 * group < self.top_out as usize && from >= 0;
            out.push(is_set.then_some((from as usize, to as usize)));
        }
        out
    }
}
