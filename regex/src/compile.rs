//! From the text of a pattern to operations.
//!
//! The text is read twice, as in PCRE: first for syntax, names, numbers of groups and the size; then operations are made and references are
//! checked. So the first error is always PCRE's, with its text and its position.

mod classes;
mod escapes;
mod finish;
mod groups;
mod items;
mod leading;
mod parentheses;
mod references;
mod repetition;

use leading::leading;

use super::op::{self, CharClass, Group, Op};
use super::{Error, Settings};

/// Most bytes of a compiled pattern, the largest number, the longest name: all visible as errors.
const MAX_SIZE: i64 = 1 << 16;
const MAX_NUMBER: i64 = i32::MAX as i64;
const MAX_NAME: usize = 32;

const NO_REFERENCE: &str = "reference to non-existent subpattern";
const TOO_LARGE: &str = "regular expression is too large";
const TOO_BIG: &str = "number is too big";
const NON_DIGIT: &str = "group name must start with a non-digit";
const NOT_FIXED: &str = "lookbehind assertion is not fixed length";
const NO_BYTE_BEHIND: &str = "\\C not allowed in lookbehind assertion";
const BAD_G: &str = "\\g is not followed by a braced, angle-bracketed, or quoted name/number or by a plain number";
const ZERO_REFERENCE: &str = "a numbered reference must not be zero";

/// What can change inside a pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Flags {
    pub(super) caseless: bool,
    pub(super) dotall: bool,
    pub(super) extended: bool,
    pub(super) multiline: bool,
    pub(super) ungreedy: bool,
    pub(super) dupnames: bool,
    /// Unknown escapes are errors.
    pub(super) extra: bool,
}

/// A byte that occurs in every match, first or later.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lead {
    /// Nothing was seen yet.
    Unset,
    /// There is none.
    None,
    Byte {
        byte: u8,
        caseless: bool,
        varying: bool,
    },
}

impl Lead {
    fn is_set(self) -> bool {
        matches!(self, Self::Byte { .. })
    }

    fn or_varying(self, more: bool) -> Self {
        match self {
            Self::Byte {
                byte,
                caseless,
                varying,
            } => Self::Byte {
                byte,
                caseless,
                varying: varying || more,
            },
            other => other,
        }
    }
}

/// A group that is being parsed, and its current alternative.
struct GroupFrame {
    /// `None`: the whole pattern.
    group: Option<Group>,
    is_define: bool,
    start: usize,
    branch: usize,
    /// Alternatives before, which are linked when the group ends: until then it is known as not complete.
    branches: Vec<usize>,
    flags: Flags,
    reset: bool,
    first_number: u16,
    max_number: u16,
    condition_depth: u32,
    capture: Option<u16>,
    /// Of all alternatives so far.
    first: Lead,
    required: Lead,
    is_later_branch: bool,
    /// Of this alternative.
    branch_first: Lead,
    branch_required: Lead,
    zero_first: Lead,
    zero_required: Lead,
    group_set_first: bool,
    previous: Option<usize>,
    /// PCRE's bytes of the item before, of a group.
    previous_size: i64,
    size: i64,
    /// Places in PCRE's workspace: of this alternative, of what is compiled next, of the item before.
    origin: i64,
    current: i64,
    previous_place: i64,
    /// What the group outside had before.
    varying_before: bool,
    number_before: u16,
}

/// A compiled pattern.
#[derive(Debug)]
pub(super) struct CompiledPattern {
    pub(super) code: Vec<Op>,
    pub(super) classes: Vec<CharClass>,
    pub(super) literals: Vec<u8>,
    /// Sorted; a name may have several groups.
    pub(super) names: Vec<(Vec<u8>, u16)>,
    pub(super) groups: u16,
    pub(super) settings: Settings,
    pub(super) anchored: bool,
    pub(super) first: Option<(u8, bool)>,
    pub(super) required: Option<(u8, bool)>,
    pub(super) start_of_line: bool,
    pub(super) has_then: bool,
    pub(super) has_verb: bool,
    pub(super) mentions_newline: bool,
    /// All bytes with which a match can begin, if they are known and no verb could reveal the difference.
    pub(super) starts: Option<Box<[bool; 256]>>,
}

enum Escape {
    Char(u32),
    Reference(u16),
    /// The letter after the backslash.
    Special(u8),
}

pub(super) struct Compiler<'p> {
    pattern: &'p [u8],
    settings: Settings,
    begin: usize,
    at: usize,
    first_pass: bool,
    quoted: bool,
    pub(super) code: Vec<Op>,
    frames: Vec<GroupFrame>,
    classes: Vec<CharClass>,
    class_sizes: Vec<usize>,
    marks: Vec<Vec<u8>>,
    named: Vec<(Vec<u8>, u16)>,
    number: u16,
    final_number: u16,
    assertion_depth: u32,
    condition_is_assertion: bool,
    varying: bool,
    open_captures: Vec<(u16, bool)>,
    top_reference: u16,
    reference_map: u32,
    had_accept: bool,
    had_prune_or_skip: bool,
    has_then: bool,
    has_verb: bool,
    mentions_newline: bool,
    check_behind: bool,
}

type CompileResult<T = ()> = Result<T, Error>;

/// Reads a pattern, which ends where its first byte 0 is.
pub(super) fn compile(pattern: &[u8], mut settings: Settings) -> CompileResult<CompiledPattern> {
    let pattern = pattern.split(|&b| b == 0).next().unwrap_or_default();
    let begin = leading(pattern, &mut settings);
    let early = |text: &'static str, at| Err(Error { text, at });
    if settings.utf && settings.never_utf {
        return early("setting UTF is disabled by the application", 0);
    }
    if settings.utf
        && let Err(e) = std::str::from_utf8(pattern)
    {
        return early("invalid UTF-8 string", e.valid_up_to());
    }
    if settings.clashing_newlines || (settings.bsr_anycrlf && settings.bsr_unicode) {
        return early("inconsistent NEWLINE options", 0);
    }
    let mut compiler = Compiler::new(pattern, settings, begin);
    compiler.read()?;
    if compiler.frames[0].size + 1 > MAX_SIZE {
        return compiler.fail(TOO_LARGE);
    }
    compiler.second_pass();
    compiler.read()?;
    compiler.finish()
}

impl<'p> Compiler<'p> {
    fn new(pattern: &'p [u8], settings: Settings, begin: usize) -> Self {
        Self {
            pattern,
            settings,
            begin,
            at: begin,
            first_pass: true,
            quoted: false,
            code: Vec::new(),
            frames: Vec::new(),
            classes: Vec::new(),
            class_sizes: Vec::new(),
            marks: Vec::new(),
            named: Vec::new(),
            number: 0,
            final_number: 0,
            assertion_depth: 0,
            condition_is_assertion: false,
            varying: false,
            open_captures: Vec::new(),
            top_reference: 0,
            reference_map: 0,
            had_accept: false,
            had_prune_or_skip: false,
            has_then: false,
            has_verb: false,
            mentions_newline: false,
            check_behind: false,
        }
    }

    fn second_pass(&mut self) {
        self.first_pass = false;
        self.final_number = self.number;
        self.number = 0;
        self.code.clear();
        self.classes.clear();
        self.class_sizes.clear();
        self.marks.clear();
        self.frames.clear();
        self.open_captures.clear();
        self.assertion_depth = 0;
        self.condition_is_assertion = false;
        self.varying = false;
        self.had_accept = false;
        self.had_prune_or_skip = false;
        self.at = self.begin;
        self.named.sort_by(|a, b| a.0.cmp(&b.0));
    }

    fn fail<T>(&self, text: &'static str) -> CompileResult<T> {
        Err(Error { text, at: self.at })
    }

    /// The byte at this distance after the current one; 0 after the end.
    fn peek(&self, ahead: usize) -> u8 {
        self.pattern.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn byte(&self, at: usize) -> u8 {
        self.pattern.get(at).copied().unwrap_or(0)
    }

    fn looking_at(&self, ahead: usize, text: &[u8]) -> bool {
        self.pattern
            .get(self.at + ahead..)
            .is_some_and(|rest| rest.starts_with(text))
    }

    fn top(&mut self) -> &mut GroupFrame {
        self.frames.last_mut().expect("the whole pattern is a frame")
    }

    fn flags(&self) -> Flags {
        self.frames.last().expect("the whole pattern is a frame").flags
    }

    /// The character at a place, and how many bytes it has.
    fn char_at(&self, at: usize) -> (u32, usize) {
        let first = self.byte(at);
        if !self.settings.utf || first < 0xc0 {
            return (u32::from(first), 1);
        }
        let rest = std::str::from_utf8(&self.pattern[at..]).unwrap_or_default();
        rest.chars()
            .next()
            .map_or((u32::from(first), 1), |c| (c as u32, c.len_utf8()))
    }

    fn size_of(&self, from: usize) -> i64 {
        let wide = |at: u32| self.class_sizes.get(at as usize).copied().unwrap_or(0);
        self.code[from..]
            .iter()
            .map(|op| op::size(op, self.settings.utf, wide) as i64)
            .sum()
    }

    fn emit(&mut self, op: Op) {
        self.code.push(op);
        let size = self.size_of(self.code.len() - 1);
        let top = self.top();
        top.size += size;
        // PCRE ignores the characters above 255 of a class while it counts.
        top.current += size.min(40);
    }

    /// The next operation is an item that can be repeated.
    fn begin_item(&mut self) {
        let at = self.code.len();
        let top = self.top();
        top.previous = Some(at);
        top.previous_place = top.current;
    }
}
