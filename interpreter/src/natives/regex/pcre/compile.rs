//! From the text of a pattern to operations.
//!
//! The text is read twice, as PCRE does it: first for syntax, names, numbers of groups and the size; then operations are made and what refers to
//! something is checked. So it is always PCRE's error that is found first, with its text and its place.

use super::analyze;
use super::op::{self, Class, Group, Ket, Mode, Op, Single, Times, UNLIMITED, Verb, Zero};
use super::ucd::{self, Property};
use super::{Error, Newline, Settings};

/// Most bytes of a compiled pattern, deepest nesting, bytes of the space where PCRE compiles: all visible as errors.
const MAX_SIZE: i64 = 1 << 16;
const MAX_DEPTH: usize = 10_000;
const WORKSPACE: i64 = 4096 - 100;
const MAX_NUMBER: i64 = i32::MAX as i64;
const MAX_NAMES: usize = 10_000;
const MAX_NAME: usize = 32;
const MAX_MARK: usize = 255;

const NO_REFERENCE: &str = "reference to non-existent subpattern";
const TOO_LARGE: &str = "regular expression is too large";
const TOO_BIG: &str = "number is too big";
const NON_DIGIT: &str = "group name must start with a non-digit";
const CODE_TOO_LARGE: &str = "character value in \\x{} or \\o{} is too large";
const SURROGATE: &str = "disallowed Unicode code point (>= 0xd800 && <= 0xdfff)";
const UNKNOWN_OPTION: &str = "unrecognized character after (? or (?-";
const NOT_FIXED: &str = "lookbehind assertion is not fixed length";
const NO_BYTE_BEHIND: &str = "\\C not allowed in lookbehind assertion";
const NO_CASING: &str = "PCRE does not support \\L, \\l, \\N{name}, \\U, or \\u";
const BAD_VERB: &str = "(*VERB) not recognized or malformed";
const MALFORMED_PROPERTY: &str = "malformed \\P or \\p sequence";
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

/// A byte that every match has, first or later.
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

/// A group that is being read, and its current alternative.
struct Frame {
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

/// Everything a pattern becomes.
#[derive(Debug)]
pub(super) struct Compiled {
    pub(super) code: Vec<Op>,
    pub(super) classes: Vec<Class>,
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
    /// First bytes of all that can match, where that is known and no verb could tell the difference.
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
    frames: Vec<Frame>,
    classes: Vec<Class>,
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

type Done<T = ()> = Result<T, Error>;

/// Reads a pattern, which ends where its first byte 0 is.
pub(super) fn compile(pattern: &[u8], mut settings: Settings) -> Done<Compiled> {
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

/// Settings at the start of the pattern, like `(*UTF8)`; how many bytes they take.
fn leading(pattern: &[u8], settings: &mut Settings) -> usize {
    let mut at = 0;
    loop {
        let Some(rest) = pattern[at..].strip_prefix(b"(*") else {
            return at;
        };
        let end = rest.iter().position(|&b| b == b')').unwrap_or(rest.len());
        if end == rest.len() {
            return at;
        }
        let word = &rest[..end];
        let limit = |prefix: &[u8]| {
            let digits = word.strip_prefix(prefix)?;
            let mut n = 0_u32;
            for &d in digits {
                if !d.is_ascii_digit() || n > u32::MAX / 10 - 1 {
                    return None;
                }
                n = n * 10 + u32::from(d - b'0');
            }
            Some(n)
        };
        match word {
            b"UTF8" | b"UTF" => settings.utf = true,
            b"UCP" => settings.ucp = true,
            b"NO_AUTO_POSSESS" => {}
            b"NO_START_OPT" => settings.no_start_optimize = true,
            b"CR" => settings.newline = Newline::Cr,
            b"LF" => settings.newline = Newline::Lf,
            b"CRLF" => settings.newline = Newline::CrLf,
            b"ANY" => settings.newline = Newline::Any,
            b"ANYCRLF" => settings.newline = Newline::AnyCrLf,
            b"BSR_ANYCRLF" => (settings.bsr_anycrlf, settings.bsr_unicode) = (true, false),
            b"BSR_UNICODE" => (settings.bsr_anycrlf, settings.bsr_unicode) = (false, true),
            _ => {
                if let Some(n) = limit(b"LIMIT_MATCH=") {
                    settings.match_limit = Some(settings.match_limit.map_or(n, |m| m.min(n)));
                } else if let Some(n) = limit(b"LIMIT_RECURSION=") {
                    settings.recursion_limit = Some(settings.recursion_limit.map_or(n, |m| m.min(n)));
                } else {
                    return at;
                }
            }
        }
        if matches!(word, b"CR" | b"LF" | b"CRLF" | b"ANY" | b"ANYCRLF") {
            settings.clashing_newlines = false;
        }
        at += 2 + end + 1;
    }
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

    fn fail<T>(&self, text: &'static str) -> Done<T> {
        Err(Error { text, at: self.at })
    }

    /// The byte so many after the current one; 0 behind the end.
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

    fn top(&mut self) -> &mut Frame {
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
        // Of a class PCRE does not keep the characters above 255 while it counts.
        top.current += size.min(40);
    }

    /// The next operation is an item that can be repeated.
    fn begin_item(&mut self) {
        let at = self.code.len();
        let top = self.top();
        top.previous = Some(at);
        top.previous_place = top.current;
    }

    // ---- groups -----------------------------------------------------------------------------------------------------

    fn read(&mut self) -> Done {
        let flags = self.settings.flags();
        self.open(None, flags, false, 0);
        loop {
            self.account()?;
            if self.item()? {
                return Ok(());
            }
        }
    }

    /// Starts a group, of which the operation `Open` is made here.
    fn open(&mut self, group: Option<Group>, flags: Flags, reset: bool, skipped: i64) {
        let start = self.code.len();
        let outer = self.frames.last();
        let place = outer.map_or(0, |f| f.current) + 3 + skipped;
        let condition_depth =
            outer.map_or(0, |f| f.condition_depth) + u32::from(matches!(group, Some(Group::Condition { .. })));
        let as_op = group.unwrap_or(Group::Plain {
            number: 0,
            empty: false,
            possessive: false,
        });
        let capture = as_op.number();
        self.code.push(Op::Open(as_op, 0));
        if let Some(number) = capture {
            self.open_captures.push((number, false));
        }
        self.frames.push(Frame {
            group,
            is_define: false,
            start,
            branch: start,
            branches: Vec::new(),
            flags,
            reset,
            first_number: self.number,
            max_number: self.number,
            condition_depth,
            capture,
            first: Lead::Unset,
            required: Lead::Unset,
            is_later_branch: false,
            branch_first: Lead::Unset,
            branch_required: Lead::Unset,
            zero_first: Lead::Unset,
            zero_required: Lead::Unset,
            group_set_first: false,
            previous: None,
            previous_size: 0,
            size: 6 + skipped,
            origin: place,
            current: place,
            previous_place: place,
            varying_before: self.varying,
            number_before: self.number,
        });
        self.begin_branch();
    }

    fn begin_branch(&mut self) {
        self.quoted = false;
        let number = self.number;
        let top = self.top();
        if top.reset {
            top.max_number = top.max_number.max(number);
        }
        top.branch_first = Lead::Unset;
        top.branch_required = Lead::Unset;
        top.zero_first = Lead::Unset;
        top.zero_required = Lead::Unset;
        top.group_set_first = false;
        top.previous = None;
        top.current = top.origin;
        let is_behind = matches!(top.group, Some(Group::Behind { .. }));
        if top.reset {
            let first = top.first_number;
            self.number = first;
        }
        if is_behind {
            self.emit(Op::Back(0));
        }
    }

    /// PCRE's space for compiling is limited; of it an alternative keeps only its last item.
    fn account(&mut self) -> Done {
        if self.first_pass {
            let top = self.top();
            if top.current > WORKSPACE {
                return self.fail("regular expression is too complicated");
            }
            if top.previous.is_some() {
                top.current -= top.previous_place - top.origin;
                top.previous_place = top.origin;
            } else {
                top.current = top.origin;
            }
            if top.size > MAX_NUMBER - 20 {
                return self.fail(TOO_LARGE);
            }
        }
        Ok(())
    }

    /// The end of an alternative; the current byte is `|`, `)` or the end.
    fn end_branch(&mut self) -> Done {
        let (start, branch) = {
            let top = self.top();
            (top.start, top.branch)
        };
        if !self.first_pass {
            self.join_leads();
            if matches!(self.top().group, Some(Group::Behind { .. })) {
                match analyze::fixed_length(&self.code, branch, false, None) {
                    Ok(n) => {
                        let back = branch + 1;
                        self.code[back] = Op::Back(n);
                    }
                    Err(analyze::NotFixed::Call) => self.check_behind = true,
                    Err(analyze::NotFixed::Byte) => return self.fail(NO_BYTE_BEHIND),
                    Err(analyze::NotFixed::Varies) => return self.fail(NOT_FIXED),
                }
            }
        }
        let number = self.number;
        let end = self.code.len();
        let top = self.top();
        top.branches.push(branch);
        top.max_number = top.max_number.max(number);
        if self.peek(0) == b'|' {
            self.code.push(Op::Alternative(0));
            let top = self.top();
            top.branch = end;
            top.is_later_branch = true;
            top.size += 3;
            self.begin_branch();
            return Ok(());
        }
        let mut next = end;
        for branch in std::mem::take(&mut self.top().branches).into_iter().rev() {
            self.link(branch, (next - branch) as u32);
            next = branch;
        }
        self.code.push(Op::Close(Ket::Once, (end - start) as u32));
        self.number = self.top().max_number;
        if self.top().capture.is_some()
            && let Some((_, true)) = self.open_captures.pop()
        {
            // A group that refers to itself is atomic.
            self.code.insert(start, Op::Open(Group::Once, (end - start + 2) as u32));
            self.code.push(Op::Close(Ket::Once, (end - start + 2) as u32));
            self.top().size += 6;
        }
        Ok(())
    }

    fn link(&mut self, at: usize, distance: u32) {
        match &mut self.code[at] {
            Op::Open(_, next) | Op::Alternative(next) => *next = distance,
            other => unreachable!("no alternative begins with {other:?}"),
        }
    }

    /// First and required bytes of the alternatives so far, and of this one.
    fn join_leads(&mut self) {
        let top = self.top();
        if !top.is_later_branch {
            top.first = top.branch_first;
            top.required = top.branch_required;
            return;
        }
        if top.first.is_set() && top.first != top.branch_first {
            if !top.required.is_set() {
                top.required = top.first;
            }
            top.first = Lead::None;
        }
        if !top.first.is_set() && top.branch_first.is_set() && !top.branch_required.is_set() {
            top.branch_required = top.branch_first;
        }
        top.required = match (top.required, top.branch_required) {
            (
                Lead::Byte {
                    byte,
                    caseless,
                    varying,
                },
                Lead::Byte {
                    byte: other,
                    caseless: other_caseless,
                    varying: other_varying,
                },
            ) if byte == other && caseless == other_caseless => Lead::Byte {
                byte,
                caseless,
                varying: varying || other_varying,
            },
            (Lead::Unset, Lead::Unset) => Lead::Unset,
            _ => Lead::None,
        };
    }

    /// After the end of a group: the current byte should be `)`.
    fn end_group(&mut self) -> Done {
        let frame = self.frames.pop().expect("the group's frame");
        let group = frame.group.expect("not the whole pattern");
        if matches!(group, Group::Once) && self.number <= frame.number_before {
            // Its first operation is its own: only capturing groups are wrapped.
            if let Op::Open(kind, _) = &mut self.code[frame.start] {
                *kind = Group::OnceWithout;
            }
        }
        if group.is_assertion() {
            self.assertion_depth -= 1;
        }
        let (mut first, mut required) = (frame.first, frame.required);
        if matches!(group, Group::Condition { .. }) && !self.first_pass {
            let mut at = frame.start;
            let mut branches = 0;
            while let Op::Open(_, next) | Op::Alternative(next) = self.code[at] {
                branches += 1;
                at += next as usize;
            }
            if frame.is_define {
                if branches > 1 {
                    return self.fail("DEFINE group contains more than one branch");
                }
            } else if branches > 2 {
                return self.fail("conditional group contains more than two branches");
            } else if branches == 1 {
                (first, required) = (Lead::None, Lead::None);
            }
        }
        if self.peek(0) != b')' {
            return self.fail("missing )");
        }
        let top = self.top();
        top.size += frame.size;
        top.previous_size = frame.size;
        top.current += 6;
        if frame.is_define {
            return Ok(());
        }
        top.zero_required = top.branch_required;
        top.zero_first = top.branch_first;
        top.group_set_first = false;
        if group.is_assertion() {
            if group == (Group::Ahead { negative: false }) && required.is_set() && first.is_set() {
                top.branch_required = required;
            }
            return Ok(());
        }
        if top.branch_first == Lead::Unset {
            top.branch_first = if first.is_set() { first } else { Lead::None };
            top.group_set_first = first.is_set();
            top.zero_first = Lead::None;
        } else if first.is_set() && !required.is_set() {
            required = first.or_varying(frame.varying_before);
        }
        if required.is_set() {
            top.branch_required = required;
        }
        Ok(())
    }

    // ---- items ------------------------------------------------------------------------------------------------------

    /// One item. Is the pattern at its end?
    fn item(&mut self) -> Done<bool> {
        let c = self.peek(0);
        if c == b'\\' && self.peek(1) == b'E' {
            self.quoted = false;
            self.at += 2;
            return Ok(false);
        }
        if self.quoted && self.at < self.pattern.len() {
            self.literal();
            self.at += 1;
            return Ok(false);
        }
        if c == b'\\' && self.peek(1) == b'Q' {
            self.quoted = true;
            self.at += 2;
            return Ok(false);
        }
        if self.flags().extended {
            let before = self.at;
            self.at = self.skip_space(self.at, false);
            if self.at > before {
                return Ok(false);
            }
        }
        if self.looking_at(0, b"(?#") {
            self.at += 3;
            self.skip_comment()?;
            self.at += 1;
            return Ok(false);
        }
        match c {
            0 | b'|' | b')' => {
                self.end_branch()?;
                if c != b'|' {
                    if self.frames.len() == 1 {
                        return Ok(true);
                    }
                    self.end_group()?;
                }
            }
            b'^' => {
                let multiline = self.flags().multiline;
                let top = self.top();
                top.previous = None;
                if multiline && top.branch_first == Lead::Unset {
                    top.zero_first = Lead::None;
                    top.branch_first = Lead::None;
                }
                self.emit(Op::Circumflex { multiline });
            }
            b'$' => {
                self.top().previous = None;
                let multiline = self.flags().multiline;
                self.emit(Op::Dollar { multiline });
            }
            b'.' => {
                let single = if self.flags().dotall {
                    Single::AllAny
                } else {
                    Single::Any
                };
                self.no_lead();
                self.single(single);
            }
            b'[' => self.bracket()?,
            b'*' => self.repeat(0, UNLIMITED)?,
            b'+' => self.repeat(1, UNLIMITED)?,
            b'?' => self.repeat(0, 1)?,
            b'{' if self.is_counted(self.at + 1) => {
                let (min, max) = self.counts()?;
                self.repeat(min, max)?;
            }
            b'(' => self.parenthesis()?,
            b'\\' => self.backslash()?,
            _ => self.literal(),
        }
        self.at += 1;
        Ok(false)
    }

    fn single(&mut self, single: Single) {
        self.begin_item();
        self.emit(Op::One(single));
    }

    /// The item has no one first byte; what to go back to if it is repeated no times.
    fn no_lead(&mut self) {
        let top = self.top();
        if top.branch_first == Lead::Unset {
            top.branch_first = Lead::None;
        }
        self.keep_leads();
    }

    fn keep_leads(&mut self) {
        let top = self.top();
        top.zero_first = top.branch_first;
        top.zero_required = top.branch_required;
    }

    /// White space and comments, from `at`: where they end.
    fn skip_space(&self, mut at: usize, several: bool) -> usize {
        loop {
            while at < self.pattern.len() && ucd::is_space(self.byte(at)) {
                at += 1;
            }
            if self.byte(at) != b'#' {
                return at;
            }
            at += 1;
            while at < self.pattern.len() {
                if let Some(len) = self
                    .settings
                    .newline
                    .is_at(self.pattern, at, self.pattern.len(), self.settings.utf)
                {
                    at += len;
                    break;
                }
                at += 1;
            }
            if !several {
                return at;
            }
        }
    }

    /// To the `)` of a comment.
    fn skip_comment(&mut self) -> Done {
        while !matches!(self.peek(0), 0 | b')') {
            self.at += 1;
        }
        if self.peek(0) == 0 {
            return self.fail("missing ) after comment");
        }
        Ok(())
    }

    /// The character at the current place.
    fn literal(&mut self) {
        let (c, len) = self.char_at(self.at);
        self.at += len - 1;
        self.character(c);
    }

    fn character(&mut self, c: u32) {
        let caseless = self.flags().caseless;
        let utf = self.settings.utf;
        if utf
            && caseless
            && let Some(set) = ucd::case_set(c)
        {
            self.single(Single::Property(Property::CaseSet(set), false));
            let top = self.top();
            if top.branch_first == Lead::Unset {
                top.branch_first = Lead::None;
                top.zero_first = Lead::None;
            }
            return;
        }
        let single = if caseless {
            Single::Either(c, self.other_case(c))
        } else {
            Single::Char(c)
        };
        self.single(single);
        if c == 10 || c == 13 {
            self.mentions_newline = true;
        }
        let mut buffer = [0; 4];
        let bytes: &[u8] = match char::from_u32(c) {
            Some(c) if utf => c.encode_utf8(&mut buffer).as_bytes(),
            _ => &[c as u8],
        };
        let varying = self.varying;
        let top = self.top();
        let last = bytes[bytes.len() - 1];
        let lead = |byte, caseless, varying| Lead::Byte {
            byte,
            caseless,
            varying,
        };
        if top.branch_first == Lead::Unset {
            top.zero_first = Lead::None;
            top.zero_required = top.branch_required;
            if bytes.len() == 1 || !caseless {
                top.branch_first = lead(bytes[0], caseless, false);
                if bytes.len() > 1 {
                    top.branch_required = lead(last, false, varying);
                }
            } else {
                top.branch_first = Lead::None;
                top.branch_required = Lead::None;
            }
        } else {
            top.zero_first = top.branch_first;
            top.zero_required = top.branch_required;
            if bytes.len() == 1 || !caseless {
                top.branch_required = lead(last, caseless, varying);
            }
        }
    }

    fn other_case(&self, c: u32) -> u32 {
        if self.settings.utf {
            ucd::other_case(c)
        } else {
            u32::from(ucd::flip(c as u8))
        }
    }

    // ---- escapes ----------------------------------------------------------------------------------------------------

    /// From the backslash to the last byte of what it begins.
    fn escape(&mut self, in_class: bool) -> Done<Escape> {
        self.at += 1;
        let (c, len) = self.char_at(self.at);
        self.at += len - 1;
        let Ok(letter) = u8::try_from(c) else {
            return Ok(Escape::Char(c));
        };
        let escape = match letter {
            0 => return self.fail("\\ at end of pattern"),
            b'a' => Escape::Char(7),
            b'e' => Escape::Char(27),
            b'f' => Escape::Char(12),
            b'n' => Escape::Char(10),
            b'r' => Escape::Char(13),
            b't' => Escape::Char(9),
            b'l' | b'L' | b'u' | b'U' => return self.fail(NO_CASING),
            b'g' if !in_class => self.escape_g()?,
            b'0'..=b'9' => self.escape_digits(letter, in_class)?,
            b'o' => self.braced_octal()?,
            b'x' => self.escape_hex()?,
            b'c' => {
                self.at += 1;
                let c = self.peek(0);
                if c == 0 {
                    return self.fail("\\c at end of pattern");
                }
                if c > 127 {
                    return self.fail("\\c must be followed by an ASCII character");
                }
                Escape::Char(u32::from(c.to_ascii_uppercase() ^ 0x40))
            }
            b'N' if self.peek(1) == b'{' && !self.is_counted(self.at + 2) => return self.fail(NO_CASING),
            b'A' | b'B' | b'C' | b'D' | b'E' | b'G' | b'H' | b'K' | b'N' | b'P' | b'Q' | b'R' | b'S' | b'V' | b'W'
            | b'X' | b'Z' | b'b' | b'd' | b'h' | b'k' | b'p' | b's' | b'v' | b'w' | b'z' => Escape::Special(letter),
            _ if self.flags().extra && letter.is_ascii_alphabetic() => {
                return self.fail("unrecognized character follows \\");
            }
            _ => Escape::Char(c),
        };
        Ok(escape)
    }

    /// Digits after the current byte, as PCRE reads numbers.
    fn number(&mut self) -> Done<i64> {
        let mut n = 0;
        while self.peek(1).is_ascii_digit() {
            if n > MAX_NUMBER / 10 - 1 {
                while self.peek(1).is_ascii_digit() {
                    self.at += 1;
                }
                return self.fail(TOO_BIG);
            }
            self.at += 1;
            n = n * 10 + i64::from(self.peek(0) - b'0');
        }
        Ok(n)
    }

    fn escape_g(&mut self) -> Done<Escape> {
        if matches!(self.peek(1), b'<' | b'\'') {
            return Ok(Escape::Special(b'g'));
        }
        let braced = self.peek(1) == b'{';
        if braced {
            let mut at = self.at + 2;
            while self.byte(at) == b'-' || self.byte(at).is_ascii_digit() {
                at += 1;
            }
            if !matches!(self.byte(at), 0 | b'}') {
                return Ok(Escape::Special(b'k'));
            }
            self.at += 1;
        }
        let negated = self.peek(1) == b'-';
        if negated {
            self.at += 1;
        }
        let mut n = self.number()?;
        if braced {
            self.at += 1;
            if self.peek(0) != b'}' {
                return self.fail(BAD_G);
            }
        }
        if n == 0 {
            return self.fail(ZERO_REFERENCE);
        }
        if negated {
            if n > i64::from(self.number) {
                return self.fail(NO_REFERENCE);
            }
            n = i64::from(self.number) - (n - 1);
        }
        Ok(Escape::Reference(u16::try_from(n).unwrap_or(u16::MAX)))
    }

    fn escape_digits(&mut self, first: u8, in_class: bool) -> Done<Escape> {
        let before = self.at;
        if first != b'0' && !in_class {
            self.at -= 1;
            let n = self.number()?;
            if n < 8 || n <= i64::from(self.number) {
                return Ok(Escape::Reference(u16::try_from(n).unwrap_or(u16::MAX)));
            }
            self.at = before;
        }
        if first >= b'8' {
            return Ok(Escape::Char(u32::from(first)));
        }
        let mut c = u32::from(first - b'0');
        for _ in 0..2 {
            if !matches!(self.peek(1), b'0'..=b'7') {
                break;
            }
            self.at += 1;
            c = c * 8 + u32::from(self.peek(0) - b'0');
        }
        if !self.settings.utf && c > 0xff {
            return self.fail("octal value is greater than \\377 in 8-bit non-UTF-8 mode");
        }
        Ok(Escape::Char(c))
    }

    fn max_char(&self) -> u32 {
        if self.settings.utf { 0x10_ffff } else { 0xff }
    }

    /// Digits and `}`, from the current byte.
    fn braced_code(&mut self, radix: u32, no_digit: &'static str) -> Done<Escape> {
        let mut c = 0;
        let mut too_large = false;
        while let Some(d) = char::from(self.peek(0)).to_digit(radix) {
            if !too_large {
                c = c * radix + d;
                too_large = c > self.max_char();
            }
            self.at += 1;
        }
        if too_large {
            return self.fail(CODE_TOO_LARGE);
        }
        if self.peek(0) != b'}' {
            return self.fail(no_digit);
        }
        if self.settings.utf && (0xd800..=0xdfff).contains(&c) {
            return self.fail(SURROGATE);
        }
        Ok(Escape::Char(c))
    }

    fn braced_octal(&mut self) -> Done<Escape> {
        if self.peek(1) != b'{' {
            return self.fail("missing opening brace after \\o");
        }
        if self.peek(2) == b'}' {
            return self.fail("digits missing in \\x{} or \\o{}");
        }
        self.at += 2;
        self.braced_code(8, "non-octal character in \\o{} (closing brace missing?)")
    }

    fn escape_hex(&mut self) -> Done<Escape> {
        if self.peek(1) == b'{' {
            self.at += 2;
            if self.peek(0) == b'}' {
                return self.fail("digits missing in \\x{} or \\o{}");
            }
            return self.braced_code(16, "non-hex character in \\x{} (closing brace missing?)");
        }
        let mut c = 0;
        for _ in 0..2 {
            let Some(d) = char::from(self.peek(1)).to_digit(16) else {
                break;
            };
            c = c * 16 + d;
            self.at += 1;
        }
        Ok(Escape::Char(c))
    }

    /// After `\p` or `\P`: what is asked, and is it negated?
    fn property(&mut self, letter: u8) -> Done<(Property, bool)> {
        self.at += 1;
        let mut negative = letter == b'P';
        let mut name = Vec::new();
        match self.peek(0) {
            0 => return self.fail(MALFORMED_PROPERTY),
            b'{' => {
                if self.peek(1) == b'^' {
                    negative = !negative;
                    self.at += 1;
                }
                loop {
                    if name.len() == 31 {
                        return self.fail(MALFORMED_PROPERTY);
                    }
                    self.at += 1;
                    match self.peek(0) {
                        0 => return self.fail(MALFORMED_PROPERTY),
                        b'}' => break,
                        b => name.push(b),
                    }
                }
            }
            b => name.push(b),
        }
        match Property::named(&name) {
            Some(property) => Ok((property, negative)),
            None => self.fail("unknown property name after \\P or \\p"),
        }
    }

    fn backslash(&mut self) -> Done {
        let letter = match self.escape(false)? {
            Escape::Char(c) => {
                self.character(c);
                return Ok(());
            }
            Escape::Reference(group) => {
                self.keep_leads();
                self.reference(group);
                return Ok(());
            }
            Escape::Special(letter) => letter,
        };
        if self.top().branch_first == Lead::Unset && b"DdSsWwNCPpRHhVvX".contains(&letter) {
            self.top().branch_first = Lead::None;
        }
        self.keep_leads();
        let ucp = self.settings.ucp;
        let simple = |op| Some((op, false));
        let made = match letter {
            b'g' => return self.call_in_quotes(),
            b'k' => {
                if !matches!(self.peek(1), b'<' | b'\'' | b'{') {
                    return self.fail("\\k is not followed by a braced, angle-bracketed, or quoted name");
                }
                self.at += 1;
                let end = closing(self.peek(0));
                return self.named_use(end, false);
            }
            b'p' | b'P' => {
                let (property, negative) = self.property(letter)?;
                Some((Op::One(Single::Property(property, negative)), true))
            }
            b'A' => simple(Op::SubjectStart),
            b'G' => simple(Op::MatchStart),
            b'K' => simple(Op::SetStart),
            b'B' | b'b' => simple(Op::WordBoundary {
                negative: letter == b'B',
            }),
            b'Z' => simple(Op::EndOrNewline),
            b'z' => simple(Op::SubjectEnd),
            // `\E` and `\Q` have been seen before.
            b'E' | b'Q' => None,
            _ => {
                let negative = letter.is_ascii_uppercase();
                let single = match letter {
                    b'D' | b'd' if ucp => Single::Property(Property::Category(13), negative),
                    b'S' | b's' if ucp => Single::Property(Property::Space, negative),
                    b'W' | b'w' if ucp => Single::Property(Property::Word, negative),
                    b'D' | b'd' => Single::Digit(negative),
                    b'S' | b's' => Single::Space(negative),
                    b'W' | b'w' => Single::Word(negative),
                    b'H' | b'h' => Single::Horizontal(negative),
                    b'V' | b'v' => Single::Vertical(negative),
                    b'N' => Single::Any,
                    b'C' if self.settings.utf => Single::Byte,
                    b'C' => Single::AllAny,
                    b'R' => Single::Newline,
                    _ => Single::Cluster,
                };
                Some((Op::One(single), true))
            }
        };
        if let Some((op, repeatable)) = made {
            if repeatable {
                self.begin_item();
            } else {
                self.top().previous = None;
            }
            self.emit(op);
        }
        Ok(())
    }

    // ---- references and calls ---------------------------------------------------------------------------------------

    fn reference(&mut self, group: u16) {
        let once = Times {
            min: 1,
            max: 1,
            mode: Mode::Greedy,
        };
        let caseless = self.flags().caseless;
        let top = self.top();
        if top.branch_first == Lead::Unset {
            top.branch_first = Lead::None;
            top.zero_first = Lead::None;
        }
        self.begin_item();
        self.emit(Op::Reference {
            group,
            caseless,
            times: once,
        });
        self.referred(group);
    }

    fn referred(&mut self, group: u16) {
        self.reference_map |= if group < 32 { 1 << group } else { 1 };
        self.top_reference = self.top_reference.max(group);
        self.mark_open(group);
    }

    fn mark_open(&mut self, group: u16) {
        if let Some(open) = self.open_captures.iter_mut().rev().find(|(n, _)| *n == group) {
            open.1 = true;
        }
    }

    /// A name from behind the current byte: where it begins. The current byte becomes the one after it.
    fn name(&mut self) -> Done<usize> {
        self.at += 1;
        let from = self.at;
        if self.peek(0).is_ascii_digit() {
            return self.fail(NON_DIGIT);
        }
        while ucd::is_word(self.peek(0)) {
            self.at += 1;
        }
        Ok(from)
    }

    /// A name up to `end` that is called or referred to.
    fn named_use(&mut self, end: u8, is_call: bool) -> Done {
        let from = self.name()?;
        let name = &self.pattern[from..self.at];
        if self.first_pass {
            if name.is_empty() {
                return self.fail("subpattern name expected");
            }
            if self.peek(0) != end {
                return self.fail("syntax error in subpattern name (missing terminator)");
            }
            if name.len() > MAX_NAME {
                return self.fail("subpattern name is too long (maximum 32 characters)");
            }
            let numbers: Vec<u16> = self.named.iter().filter(|(n, _)| n == name).map(|&(_, n)| n).collect();
            if is_call {
                return self.call(numbers.first().copied().unwrap_or(0));
            }
            for number in &numbers {
                self.mark_open(*number);
            }
            self.top().size += 18;
            self.reference(numbers.last().copied().unwrap_or(0));
            return Ok(());
        }
        let first = self.named.partition_point(|(n, _)| n.as_slice() < name);
        let count = self.named[first..].iter().take_while(|(n, _)| n == name).count();
        if count == 0 {
            return self.fail(NO_REFERENCE);
        }
        if is_call {
            return self.call(self.named[first].1);
        }
        if count == 1 {
            self.reference(self.named[first].1);
            return Ok(());
        }
        let once = Times {
            min: 1,
            max: 1,
            mode: Mode::Greedy,
        };
        let caseless = self.flags().caseless;
        if self.top().branch_first == Lead::Unset {
            self.top().branch_first = Lead::None;
        }
        self.begin_item();
        self.emit(Op::NamedReference {
            first: first as u16,
            count: count as u16,
            caseless,
            times: once,
        });
        for at in first..first + count {
            self.referred(self.named[at].1);
        }
        Ok(())
    }

    /// After `\g`, before `<` or `'`.
    fn call_in_quotes(&mut self) -> Done {
        self.at += 1;
        let end = closing(self.peek(0));
        let c = self.peek(1);
        if !matches!(c, b'+' | b'-') && !c.is_ascii_digit() {
            return self.named_use(end, true);
        }
        let mut at = self.at + 2;
        while self.byte(at).is_ascii_digit() {
            at += 1;
        }
        if self.byte(at) != end {
            return self.fail(BAD_G);
        }
        self.at += 1;
        self.call_number(end)
    }

    /// From the sign or the first digit.
    fn call_number(&mut self, end: u8) -> Done {
        let sign = self.peek(0);
        if sign == b'+' {
            if !self.peek(1).is_ascii_digit() {
                self.at += 1;
                return self.fail("digit expected after (?+");
            }
        } else if sign == b'-' {
            if !self.peek(1).is_ascii_digit() {
                return self.inline_options();
            }
        } else {
            self.at -= 1;
        }
        let n = self.number();
        self.at += 1;
        let mut n = n.map_err(|e| Error { at: self.at, ..e })?;
        if self.peek(0) != end {
            return self.fail("(?R or (?[+-]digits must be followed by )");
        }
        if matches!(sign, b'+' | b'-') {
            if n == 0 {
                return self.fail(ZERO_REFERENCE);
            }
            n = if sign == b'-' {
                i64::from(self.number) - n + 1
            } else {
                n + i64::from(self.number)
            };
            if n <= 0 {
                return self.fail(NO_REFERENCE);
            }
        }
        self.call(u16::try_from(n).unwrap_or(u16::MAX))
    }

    fn call(&mut self, group: u16) -> Done {
        let found = (group == 0)
            .then_some(0)
            .or_else(|| analyze::find_group(&self.code, group));
        if !self.first_pass {
            match found {
                None if group > self.final_number => return self.fail(NO_REFERENCE),
                None => {}
                Some(at) => {
                    let is_open = matches!(self.code[at], Op::Open(_, 0));
                    if is_open && self.top().condition_depth == 0 && self.could_loop(at) {
                        return self.fail("recursive call could loop indefinitely");
                    }
                }
            }
        }
        self.begin_item();
        self.emit(Op::Call { group, target: 0 });
        let top = self.top();
        top.group_set_first = false;
        if top.branch_first == Lead::Unset {
            top.branch_first = Lead::None;
        }
        top.zero_first = top.branch_first;
        Ok(())
    }

    /// Can the open group at `at` come to here without a character?
    fn could_loop(&self, at: usize) -> bool {
        self.frames
            .iter()
            .rev()
            .take_while(|f| f.branch >= at)
            .all(|f| analyze::could_be_empty(&self.code, f.branch, self.code.len(), &mut Vec::new()))
    }

    // ---- parentheses ------------------------------------------------------------------------------------------------

    fn parenthesis(&mut self) -> Done {
        self.at += 1;
        if self.peek(0) == b'*' && (self.peek(1) == b':' || ucd::is_letter(self.peek(1))) {
            return self.verb();
        }
        let flags = self.flags();
        if self.peek(0) != b'?' {
            return if self.settings.no_auto_capture {
                self.group(plain(0), flags, false, 0)
            } else {
                self.numbered(flags)
            };
        }
        self.at += 1;
        match self.peek(0) {
            b'|' | b':' => {
                let reset = self.peek(0) == b'|';
                self.at += 1;
                self.group(plain(0), flags, reset, 0)
            }
            b'(' => self.condition(),
            b'=' => {
                self.at += 1;
                self.assertion_depth += 1;
                self.group(Group::Ahead { negative: false }, flags, false, 0)
            }
            b'!' => {
                self.at += 1;
                let is_repeated = matches!(self.peek(1), b'*' | b'+' | b'?')
                    || (self.peek(1) == b'{' && self.is_counted(self.at + 2));
                if self.peek(0) == b')' && !is_repeated {
                    self.top().previous = None;
                    self.emit(Op::Verb(Verb::Fail, None));
                    return Ok(());
                }
                self.assertion_depth += 1;
                self.group(Group::Ahead { negative: true }, flags, false, 0)
            }
            b'<' if matches!(self.peek(1), b'=' | b'!') => {
                let negative = self.peek(1) == b'!';
                self.at += 2;
                self.assertion_depth += 1;
                self.group(Group::Behind { negative }, flags, false, 0)
            }
            b'<' if ucd::is_word(self.peek(1)) => self.define_name(),
            b'<' => {
                self.at += 1;
                self.fail("unrecognized character after (?<")
            }
            b'\'' => self.define_name(),
            b'>' => {
                self.at += 1;
                self.group(Group::Once, flags, false, 0)
            }
            b'C' => self.callout(),
            b'P' => {
                self.at += 1;
                match self.peek(0) {
                    b'=' => self.named_use(b')', false),
                    b'>' => self.named_use(b')', true),
                    b'<' => self.define_name(),
                    _ => self.fail("unrecognized character after (?P"),
                }
            }
            b'&' => self.named_use(b')', true),
            b'R' => {
                self.at += 1;
                if self.peek(0) != b')' {
                    return self.fail("(?R or (?[+-]digits must be followed by )");
                }
                self.call(0)
            }
            b'-' | b'+' | b'0'..=b'9' => self.call_number(b')'),
            _ => self.inline_options(),
        }
    }

    /// Begins a group; the current byte becomes the one before its first.
    fn group(&mut self, group: Group, flags: Flags, reset: bool, skipped: i64) -> Done {
        // The whole pattern is a frame, too.
        if self.frames.len() > MAX_DEPTH {
            return self.fail("parentheses are too deeply nested");
        }
        if group.is_assertion() && self.condition_is_assertion {
            self.top().previous = None;
            self.condition_is_assertion = false;
        } else {
            self.begin_item();
        }
        let skipped = skipped + if group.number().is_some() { 2 } else { 0 };
        self.open(Some(group), flags, reset, skipped);
        self.at -= 1;
        Ok(())
    }

    fn numbered(&mut self, flags: Flags) -> Done {
        self.number = self.number.saturating_add(1);
        let number = self.number;
        self.group(plain(number), flags, false, 0)
    }

    fn define_name(&mut self) -> Done {
        let end = closing(self.peek(0));
        let from = self.name()?;
        let name = &self.pattern[from..self.at];
        if self.first_pass {
            let number = self.number + 1;
            if self.peek(0) != end {
                return self.fail("syntax error in subpattern name (missing terminator)");
            }
            if self.named.len() >= MAX_NAMES {
                return self.fail("too many named subpatterns (maximum 10000)");
            }
            if name.len() > MAX_NAME {
                return self.fail("subpattern name is too long (maximum 32 characters)");
            }
            let mut known = false;
            for (other, n) in &self.named {
                if other == name {
                    if *n == number {
                        known = true;
                        break;
                    }
                    if !self.flags().dupnames {
                        return self.fail("two named subpatterns have the same name");
                    }
                } else if *n == number {
                    return self.fail("different names for subpatterns of the same number are not allowed");
                }
            }
            if !known {
                self.named.push((name.to_vec(), number));
            }
        }
        self.at += 1;
        let flags = self.flags();
        self.numbered(flags)
    }

    fn callout(&mut self) -> Done {
        let n = {
            let mut n = 0_u32;
            self.at += 1;
            while self.peek(0).is_ascii_digit() {
                n = n.saturating_mul(10).saturating_add(u32::from(self.peek(0) - b'0'));
                self.at += 1;
            }
            n
        };
        if self.peek(0) != b')' {
            return self.fail("closing ) for (?C expected");
        }
        if n > 255 {
            return self.fail("number after (?C is > 255");
        }
        self.top().previous = None;
        self.emit(Op::Callout);
        Ok(())
    }

    fn inline_options(&mut self) -> Done {
        let mut flags = self.flags();
        let mut on = true;
        let (mut set, mut unset) = (Flags::default(), Flags::default());
        while !matches!(self.peek(0), b')' | b':') {
            let target = if on { &mut set } else { &mut unset };
            match self.pattern.get(self.at) {
                Some(b'-') => on = false,
                Some(b'J') => target.dupnames = true,
                Some(b'i') => target.caseless = true,
                Some(b'm') => target.multiline = true,
                Some(b's') => target.dotall = true,
                Some(b'x') => target.extended = true,
                Some(b'U') => target.ungreedy = true,
                Some(b'X') => target.extra = true,
                _ => return self.fail(UNKNOWN_OPTION),
            }
            self.at += 1;
        }
        let change = |now: &mut bool, set: bool, unset: bool| *now = (*now || set) && !unset;
        change(&mut flags.dupnames, set.dupnames, unset.dupnames);
        change(&mut flags.caseless, set.caseless, unset.caseless);
        change(&mut flags.multiline, set.multiline, unset.multiline);
        change(&mut flags.dotall, set.dotall, unset.dotall);
        change(&mut flags.extended, set.extended, unset.extended);
        change(&mut flags.ungreedy, set.ungreedy, unset.ungreedy);
        change(&mut flags.extra, set.extra, unset.extra);
        if self.peek(0) == b')' {
            let top = self.top();
            top.flags = flags;
            top.previous = None;
            return Ok(());
        }
        self.at += 1;
        self.group(plain(0), flags, false, 0)
    }

    fn verb(&mut self) -> Done {
        self.top().previous = None;
        self.at += 1;
        let from = self.at;
        while ucd::is_letter(self.peek(0)) {
            self.at += 1;
        }
        let name = &self.pattern[from..self.at];
        let mut argument = None;
        if self.peek(0) == b':' {
            self.at += 1;
            let from = self.at;
            while !matches!(self.peek(0), 0 | b')') {
                self.at += 1;
            }
            if self.at - from > MAX_MARK {
                return self.fail("name is too long in (*MARK), (*PRUNE), (*SKIP), or (*THEN)");
            }
            argument = Some(&self.pattern[from..self.at]).filter(|a| !a.is_empty());
        }
        if self.peek(0) != b')' {
            return self.fail(BAD_VERB);
        }
        let verb = match name {
            b"" | b"MARK" => Verb::Mark,
            b"ACCEPT" => Verb::Accept,
            b"COMMIT" => Verb::Commit,
            b"F" | b"FAIL" => Verb::Fail,
            b"PRUNE" => Verb::Prune,
            b"SKIP" => Verb::Skip,
            b"THEN" => Verb::Then,
            _ => return self.fail(BAD_VERB),
        };
        match verb {
            Verb::Mark if argument.is_none() => return self.fail("(*MARK) must have an argument"),
            Verb::Accept | Verb::Commit | Verb::Fail if argument.is_some() => {
                return self.fail("an argument is not allowed for (*ACCEPT), (*FAIL), or (*COMMIT)");
            }
            Verb::Accept => {
                self.had_accept = true;
                for at in (0..self.open_captures.len()).rev() {
                    let number = self.open_captures[at].0;
                    self.emit(Op::Capture(number));
                }
                let verb = if self.assertion_depth > 0 {
                    Verb::AssertAccept
                } else {
                    Verb::Accept
                };
                self.emit(Op::Verb(verb, None));
                let top = self.top();
                if top.branch_first == Lead::Unset {
                    top.branch_first = Lead::None;
                }
                return Ok(());
            }
            Verb::Then => self.has_then = true,
            Verb::Prune | Verb::Skip => self.had_prune_or_skip = true,
            _ => {}
        }
        self.has_verb |= verb != Verb::Fail;
        let mark = argument.map(|argument| {
            self.top().size += argument.len() as i64 + 2;
            let at = self.marks.iter().position(|m| m == argument);
            at.unwrap_or_else(|| {
                self.marks.push(argument.to_vec());
                self.marks.len() - 1
            }) as u16
        });
        self.emit(Op::Verb(verb, mark));
        Ok(())
    }

    /// After `(?`, at the second `(`.
    fn condition(&mut self) -> Done {
        let flags = self.flags();
        let mut at = self.at;
        if self.looking_at(1, b"?C") {
            let mut digits = self.at + 3;
            while self.byte(digits).is_ascii_digit() {
                digits += 1;
            }
            if self.byte(digits) == b')' {
                at = digits + 1;
            }
            if self.byte(at) != b'(' {
                return self.fail("assertion expected after (?( or (?(?C)");
            }
        }
        let follows = [self.byte(at + 1), self.byte(at + 2), self.byte(at + 3)];
        if matches!(follows, [b'?', b'=' | b'!', _] | [b'?', b'<', b'=' | b'!']) {
            self.condition_is_assertion = true;
            return self.group(Group::Condition { empty: false }, flags, false, 0);
        }
        self.at += 1;
        let mut is_recursion = false;
        let mut end = None;
        let mut sign = None;
        match self.peek(0) {
            b'R' if self.peek(1) == b'&' => {
                is_recursion = true;
                self.at += 2;
            }
            c @ (b'<' | b'\'') => {
                end = Some(closing(c));
                self.at += 1;
            }
            c @ (b'-' | b'+') => {
                sign = Some(c);
                self.at += 1;
            }
            c if c.is_ascii_digit() => sign = Some(0),
            _ => {}
        }
        let plain_name = end.is_none() && !is_recursion;
        let mut n = 0;
        let from = self.at;
        if sign.is_some() {
            self.at -= 1;
            let read = self.number();
            self.at += 1;
            n = read.map_err(|e| Error { at: self.at, ..e })?;
        } else {
            if self.peek(0).is_ascii_digit() {
                return self.fail(NON_DIGIT);
            }
            if !ucd::is_word(self.peek(0)) {
                return self.fail("assertion expected after (?( or (?(?C)");
            }
            while ucd::is_word(self.peek(0)) {
                self.at += 1;
            }
        }
        let name = &self.pattern[from..self.at];
        for wanted in end.into_iter().chain([b')']) {
            if self.peek(0) != wanted {
                return self.fail("malformed number or name after (?(");
            }
            self.at += 1;
        }
        if self.first_pass {
            // Longer by what a duplicate name needs.
            let skipped = if sign.is_some() { 3 } else { 5 };
            self.group(Group::Condition { empty: false }, flags, false, skipped)?;
            self.code.push(Op::Define);
            return Ok(());
        }
        let mut is_define = false;
        let op = if let Some(sign) = sign {
            if n <= 0 {
                return self.fail("invalid condition (?(0)");
            }
            n = match sign {
                b'-' => i64::from(self.number) - n + 1,
                b'+' => i64::from(self.number) + n,
                _ => n,
            };
            if n <= 0 || n > i64::from(self.final_number) {
                return self.fail(NO_REFERENCE);
            }
            self.top_reference = self.top_reference.max(n as u16);
            Op::IfGroup(n as u16)
        } else {
            let first = self.named.partition_point(|(other, _)| other.as_slice() < name);
            let count = self.named[first..]
                .iter()
                .take_while(|(other, _)| other == name)
                .count();
            if count > 0 {
                let number = self.named[first].1;
                self.top_reference = self.top_reference.max(number);
                let (first, count) = (first as u16, count as u16);
                match (count, is_recursion) {
                    (1, false) => Op::IfGroup(number),
                    (1, true) => Op::IfRecursion(Some(number)),
                    (_, false) => Op::IfNamed { first, count },
                    (_, true) => Op::IfNamedRecursion { first, count },
                }
            } else if !plain_name {
                return self.fail(NO_REFERENCE);
            } else if name[0] == b'R' {
                let mut n = 0_i64;
                for &d in &name[1..] {
                    if !d.is_ascii_digit() {
                        return self.fail(NO_REFERENCE);
                    }
                    if n > MAX_NUMBER / 10 - 1 {
                        return self.fail(TOO_BIG);
                    }
                    n = n * 10 + i64::from(d - b'0');
                }
                Op::IfRecursion((n > 0).then_some(u16::try_from(n).unwrap_or(u16::MAX)))
            } else if name == b"DEFINE" {
                is_define = true;
                Op::Define
            } else {
                return self.fail(NO_REFERENCE);
            }
        };
        self.group(Group::Condition { empty: false }, flags, false, 0)?;
        self.top().is_define = is_define;
        self.code.push(op);
        Ok(())
    }
}

fn plain(number: u16) -> Group {
    Group::Plain {
        number,
        empty: false,
        possessive: false,
    }
}

/// What ends a name that begins so.
fn closing(open: u8) -> u8 {
    match open {
        b'<' => b'>',
        b'\'' => b'\'',
        _ => b'}',
    }
}

impl Compiler<'_> {
    // ---- repetition -------------------------------------------------------------------------------------------------

    /// Is it `n}`, `n,}` or `n,m}`?
    fn is_counted(&self, mut at: usize) -> bool {
        let digits = |at: &mut usize| {
            let from = *at;
            while self.byte(*at).is_ascii_digit() {
                *at += 1;
            }
            *at > from
        };
        if !digits(&mut at) {
            return false;
        }
        if self.byte(at) == b'}' {
            return true;
        }
        if self.byte(at) != b',' {
            return false;
        }
        at += 1;
        self.byte(at) == b'}' || (digits(&mut at) && self.byte(at) == b'}')
    }

    /// From `{` to `}`.
    fn counts(&mut self) -> Done<(u32, u32)> {
        self.at += 1;
        let read = |this: &mut Self| {
            let mut n = 0_u32;
            while this.peek(0).is_ascii_digit() {
                n = n.saturating_mul(10).saturating_add(u32::from(this.peek(0) - b'0'));
                this.at += 1;
            }
            if n > 65535 {
                return this.fail("number too big in {} quantifier");
            }
            Ok(n)
        };
        let min = read(self)?;
        if self.peek(0) == b'}' {
            return Ok((min, min));
        }
        self.at += 1;
        if self.peek(0) == b'}' {
            return Ok((min, UNLIMITED));
        }
        let max = read(self)?;
        if max < min {
            return self.fail("numbers out of order in {} quantifier");
        }
        Ok((min, max))
    }

    /// The current byte is the last of the quantifier.
    fn repeat(&mut self, min: u32, max: u32) -> Done {
        let Some(previous) = self.top().previous else {
            return self.fail("nothing to repeat");
        };
        if min == 0 {
            let top = self.top();
            top.branch_first = top.zero_first;
            top.branch_required = top.zero_required;
        }
        let varies = min != max;
        if self.flags().extended {
            self.at = self.skip_space(self.at + 1, true) - 1;
        }
        if self.looking_at(1, b"(?#") {
            self.at += 4;
            self.skip_comment()?;
        }
        let mode = match self.peek(1) {
            b'+' => {
                self.at += 1;
                Mode::Possessive
            }
            b'?' => {
                self.at += 1;
                if self.flags().ungreedy {
                    Mode::Greedy
                } else {
                    Mode::Lazy
                }
            }
            _ if self.flags().ungreedy => Mode::Lazy,
            _ => Mode::Greedy,
        };
        let times = Times { min, max, mode };
        if let Op::Call { .. } = self.code[previous] {
            // A call that is repeated is atomic.
            self.code.insert(previous, Op::Open(Group::Once, 2));
            self.code.push(Op::Close(Ket::Once, 2));
            let top = self.top();
            top.size += 6;
            top.current += 6;
            top.previous_size = 9;
        }
        match self.code[previous] {
            Op::One(single) => {
                if let (Single::Char(c) | Single::Either(c, _), true) = (single, min > 1) {
                    let caseless = matches!(single, Single::Either(..));
                    if !self.settings.utf || c < 128 {
                        let varying = self.varying;
                        self.top().branch_required = Lead::Byte {
                            byte: c as u8,
                            caseless,
                            varying,
                        };
                    }
                }
                self.replace_item(previous, (max > 0).then_some(Op::Repeat(single, times)), times);
            }
            Op::Reference { group, caseless, .. } => {
                let (times, wrap) = unpossessed(times);
                self.replace_item(
                    previous,
                    (max > 0).then_some(Op::Reference { group, caseless, times }),
                    times,
                );
                if wrap && max > 0 {
                    self.wrap(previous);
                }
            }
            Op::NamedReference {
                first, count, caseless, ..
            } => {
                let (times, wrap) = unpossessed(times);
                let op = Op::NamedReference {
                    first,
                    count,
                    caseless,
                    times,
                };
                self.replace_item(previous, (max > 0).then_some(op), times);
                if wrap && max > 0 {
                    self.wrap(previous);
                }
            }
            Op::Open(group, _) => self.repeat_group(previous, group, times)?,
            other => unreachable!("not repeated: {other:?}"),
        }
        self.top().previous = None;
        self.varying |= varies;
        Ok(())
    }

    fn replace_item(&mut self, previous: usize, op: Option<Op>, times: Times) {
        let before = self.size_of(previous);
        self.code.truncate(previous);
        match op {
            Some(Op::Repeat(single, _)) if times.min == 1 && times.max == 1 => self.code.push(Op::One(single)),
            Some(op) => self.code.push(op),
            None => {}
        }
        let grown = self.size_of(previous) - before;
        let top = self.top();
        top.current += grown;
        top.size += grown.max(0);
    }

    /// Makes an atomic group of all from `from` on.
    fn wrap(&mut self, from: usize) {
        let distance = (self.code.len() - from + 1) as u32;
        self.code.insert(from, Op::Open(Group::Once, distance));
        self.code.push(Op::Close(Ket::Once, distance));
        let top = self.top();
        top.size += 6;
        top.current += 6;
    }

    fn repeat_group(&mut self, previous: usize, group: Group, times: Times) -> Done {
        if matches!(
            (group, self.code.get(previous + 1)),
            (Group::Condition { .. }, Some(Op::Define))
        ) && !self.first_pass
        {
            return Ok(());
        }
        let (min, mut max) = (times.min, times.max);
        if group.is_assertion() {
            if min > 0 {
                return Ok(());
            }
            max = max.min(1);
        }
        if self.first_pass {
            return self.repeated_size(previous, min, max);
        }
        let zero = match times.mode {
            Mode::Lazy => Zero::Lazy,
            _ => Zero::Greedy,
        };
        let length = self.code.len() - previous;
        let mut from = previous;
        let mut has_zero = false;
        let mut opened = Vec::new();
        let empty_group = Op::Open(plain(0), 0);
        let more = if min == 0 {
            if max == 0 {
                self.code.insert(previous, Op::Zero(Zero::Skip));
                return Ok(());
            }
            self.code.insert(previous, Op::Zero(zero));
            from += 1;
            if max == 1 || max == UNLIMITED {
                has_zero = true;
            } else {
                self.code.insert(from, empty_group);
                opened.push(from);
                from += 1;
            }
            (max != UNLIMITED).then(|| max - 1)
        } else {
            if min > 1 {
                if self.top().group_set_first && !self.top().branch_required.is_set() {
                    self.top().branch_required = self.top().branch_first;
                }
                for _ in 1..min {
                    self.code.extend_from_within(from..from + length);
                }
            }
            (max != UNLIMITED).then(|| max - min)
        };
        let mut possessive = times.mode == Mode::Possessive;
        if let Some(more) = more {
            for left in (0..more).rev() {
                self.code.push(Op::Zero(zero));
                if left > 0 {
                    opened.push(self.code.len());
                    self.code.push(empty_group);
                }
                self.code.extend_from_within(from..from + length);
            }
            while let Some(open) = opened.pop() {
                let distance = (self.code.len() - open) as u32;
                self.code.push(Op::Close(Ket::Once, distance));
                self.link(open, distance);
            }
        } else {
            possessive &= self.unlimited(times, has_zero.then_some(previous));
        }
        if possessive {
            self.wrap(previous);
        }
        Ok(())
    }

    /// PCRE's bytes of the copies of a group.
    fn repeated_size(&mut self, previous: usize, min: u32, max: u32) -> Done {
        let size = self.top().previous_size;
        let (min, mut left) = (i64::from(min), if max == UNLIMITED { -1 } else { i64::from(max) });
        let mut more = 0;
        if min == 0 {
            more += if left <= 1 { 1 } else { 4 };
            left -= 1;
        } else {
            more += (min - 1) * size;
            if left > 0 {
                left -= min;
            }
        }
        if left > 0 {
            more += left * (size + 7) - 6;
        }
        let top = self.top();
        top.size += more;
        // A copy would not be looked at in this pass.
        self.code.truncate(previous + 1);
        self.code[previous] = Op::Open(plain(0), 1);
        self.code.push(Op::Close(Ket::Once, 1));
        if self.top().size > MAX_NUMBER - 20 {
            return self.fail(TOO_LARGE);
        }
        Ok(())
    }

    /// Sets the repeating ket of the last group. Is an atomic group still to be made, if the repetition is possessive?
    fn unlimited(&mut self, times: Times, zero: Option<usize>) -> bool {
        let ket = self.code.len() - 1;
        let Op::Close(_, back) = self.code[ket] else {
            unreachable!("a group ends with its ket")
        };
        let open = ket - back as usize;
        let Op::Open(group, next) = self.code[open] else {
            unreachable!("a ket knows its group")
        };
        let possessive = times.mode == Mode::Possessive;
        let repeats = if times.mode == Mode::Lazy { Ket::Min } else { Ket::Max };
        let group = match group {
            Group::Once | Group::OnceWithout if possessive => plain(0),
            group => group,
        };
        if matches!(group, Group::Once | Group::OnceWithout) {
            self.code[ket] = Op::Close(repeats, back);
            return false;
        }
        let mut empty = false;
        let mut branch = open;
        while let Op::Open(_, next) | Op::Alternative(next) = self.code[branch] {
            empty = empty || analyze::could_be_empty(&self.code, branch, ket, &mut Vec::new());
            branch += next as usize;
        }
        let (kind, is_condition) = match group {
            Group::Condition { .. } => {
                let one_branch = !matches!(self.code[open + next as usize], Op::Alternative(_));
                (
                    Group::Condition {
                        empty: empty || one_branch,
                    },
                    true,
                )
            }
            Group::Plain { number, .. } => (
                Group::Plain {
                    number,
                    empty,
                    possessive,
                },
                false,
            ),
            other => (other, false),
        };
        self.code[open] = Op::Open(kind, next);
        if !possessive {
            self.code[ket] = Op::Close(repeats, back);
            return false;
        }
        if is_condition {
            let empty = kind == (Group::Condition { empty: true });
            let distance = back + 2;
            self.code.insert(
                open,
                Op::Open(
                    Group::Plain {
                        number: 0,
                        empty,
                        possessive: true,
                    },
                    distance,
                ),
            );
            self.code.push(Op::Close(Ket::Possessive, distance));
        } else {
            self.code[ket] = Op::Close(Ket::Possessive, back);
        }
        if let Some(at) = zero {
            self.code[at] = Op::Zero(Zero::Possessive);
        }
        times.min >= 2
    }
}

fn unpossessed(times: Times) -> (Times, bool) {
    match times.mode {
        Mode::Possessive => (
            Times {
                mode: Mode::Greedy,
                ..times
            },
            true,
        ),
        _ => (times, false),
    }
}

/// A class while it is read.
#[derive(Default)]
struct Reading {
    map: [u64; 4],
    wide: Vec<(u32, u32)>,
    properties: Vec<(Property, bool)>,
    /// Something negative that holds for all above 255.
    flips: bool,
}

impl Reading {
    fn bytes(&mut self, holds: impl Fn(u8) -> bool) {
        for b in 0..=255_u8 {
            if holds(b) {
                self.map[b as usize >> 6] |= 1 << (b & 63);
            }
        }
    }

    fn range(&mut self, first: u32, last: u32, utf: bool) {
        for b in first..=last.min(255) {
            self.map[b as usize >> 6] |= 1 << (b & 63);
        }
        if utf && last > 255 {
            self.wide.push((first.max(256), last));
        }
    }

    fn cased(&mut self, first: u32, last: u32, utf: bool) {
        if utf {
            for c in ucd::with_case(first, last) {
                match ucd::case_set(c) {
                    Some(set) => ucd::case_set_members(set).iter().for_each(|&c| self.range(c, c, true)),
                    None => {
                        let other = ucd::other_case(c);
                        self.range(other, other, true);
                    }
                }
            }
        } else {
            for b in first..=last.min(255) {
                let other = u32::from(ucd::flip(b as u8));
                self.range(other, other, false);
            }
        }
        self.range(first, last, utf);
    }
}

impl Compiler<'_> {
    // ---- classes ----------------------------------------------------------------------------------------------------

    /// From `[:`, `[.` or `[=`: where the matching `:]` is.
    fn posix_end(&self, at: usize) -> Option<usize> {
        let end = self.byte(at + 1);
        if self.byte(at) != b'[' || !matches!(end, b':' | b'.' | b'=') {
            return None;
        }
        let mut at = at + 2;
        loop {
            match self.byte(at) {
                0 => return None,
                b'\\' if matches!(self.byte(at + 1), b']' | b'\\') => at += 1,
                b'[' if self.byte(at + 1) == end => return None,
                b']' => return None,
                b if b == end && self.byte(at + 1) == b']' => return Some(at),
                _ => {}
            }
            at += 1;
        }
    }

    fn bracket(&mut self) -> Done {
        for (word, behind) in [(b"[[:<:]]", false), (b"[[:>:]]", true)] {
            if self.looking_at(0, word) {
                self.word_edge(behind);
                return Ok(());
            }
        }
        if self.posix_end(self.at).is_some() {
            return self.fail(if self.peek(1) == b':' {
                "POSIX named classes are supported only within a class"
            } else {
                "POSIX collating elements are not supported"
            });
        }
        self.class()
    }

    /// `[[:<:]]` is `\b(?=\w)`, `[[:>:]]` is `\b(?<=\w)`.
    fn word_edge(&mut self, behind: bool) {
        let word = if self.settings.ucp {
            Single::Property(Property::Word, false)
        } else {
            Single::Word(false)
        };
        self.emit(Op::WordBoundary { negative: false });
        self.begin_item();
        let group = if behind {
            Group::Behind { negative: false }
        } else {
            Group::Ahead { negative: false }
        };
        let inner = 2 + u32::from(behind);
        self.code.push(Op::Open(group, inner));
        if behind {
            self.code.push(Op::Back(1));
        }
        self.code.push(Op::One(word));
        self.code.push(Op::Close(Ket::Once, inner));
        self.keep_leads();
        let top = self.top();
        top.size += 7 + 3 * i64::from(behind);
        top.previous_size = 7 + 3 * i64::from(behind);
        top.current += 6;
        self.at += 6;
    }

    fn class(&mut self) -> Done {
        let mut negated = false;
        loop {
            self.at += 1;
            match self.peek(0) {
                b'\\' if self.peek(1) == b'E' => self.at += 1,
                b'\\' if self.looking_at(1, b"Q\\E") => self.at += 3,
                b'^' if !negated => negated = true,
                _ => break,
            }
        }
        let mut class = Reading::default();
        // How many characters: only one is of interest.
        let mut count = 0;
        let caseless = self.flags().caseless;
        let utf = self.settings.utf;
        let mut is_first = true;
        loop {
            let c = self.peek(0);
            if c == 0 {
                return self.fail("missing terminating ] for character class");
            }
            if c == b']' && !self.quoted && !is_first {
                break;
            }
            is_first = false;
            let (mut c, len) = self.char_at(self.at);
            self.at += len - 1;
            if self.quoted {
                if c == u32::from(b'\\') && self.peek(1) == b'E' {
                    self.quoted = false;
                    self.at += 2;
                    continue;
                }
            } else if let Some(end) = self.posix_end(self.at) {
                self.posix_class(end, &mut class)?;
                count = 2;
                self.at = end + 2;
                continue;
            } else if c == u32::from(b'\\') {
                match self.escape(true)? {
                    Escape::Char(code) => c = code,
                    Escape::Reference(_) => unreachable!("digits in a class are octal"),
                    Escape::Special(b'b') => c = 8,
                    Escape::Special(b'N') => return self.fail("\\N is not supported in a class"),
                    Escape::Special(b'Q') => {
                        if self.looking_at(1, b"\\E") {
                            self.at += 2;
                        } else {
                            self.quoted = true;
                        }
                        self.at += 1;
                        continue;
                    }
                    Escape::Special(b'E') => {
                        self.at += 1;
                        continue;
                    }
                    Escape::Special(letter) => {
                        if self.class_escape(letter, &mut class)? {
                            count += 2;
                            self.at += 1;
                            continue;
                        }
                        if self.flags().extra {
                            return self.fail("invalid escape sequence in character class");
                        }
                        c = u32::from(letter);
                    }
                }
            }
            while self.looking_at(1, b"\\E") {
                self.quoted = false;
                self.at += 2;
            }
            self.mentions_newline |= c == 10 || c == 13;
            if let Some(last) = self.range_end(c)? {
                self.mentions_newline |= last == 10 || last == 13;
                if last > c {
                    count = 2;
                    if caseless {
                        class.cased(c, last, utf);
                    } else {
                        class.range(c, last, utf);
                    }
                    self.at += 1;
                    continue;
                }
            }
            count = (count + 1).min(2);
            if !self.quoted && class.properties.is_empty() && count == 1 && self.peek(1) == b']' {
                self.at += 1;
                return self.class_of_one(c, negated);
            }
            if caseless {
                class.cased(c, c, utf);
            } else {
                class.range(c, c, utf);
            }
            self.at += 1;
        }
        self.no_lead();
        self.end_class(class, negated);
        Ok(())
    }

    /// A class with one character is that character, or all others.
    fn class_of_one(&mut self, c: u32, negated: bool) -> Done {
        if !negated {
            let top = self.top();
            top.zero_required = top.branch_required;
            self.character(c);
            return Ok(());
        }
        self.no_lead();
        let caseless = self.flags().caseless;
        let single = match ucd::case_set(c) {
            Some(set) if caseless && self.settings.utf => Single::Property(Property::CaseSet(set), true),
            _ if caseless => Single::Neither(c, self.other_case(c)),
            _ => Single::Neither(c, c),
        };
        self.single(single);
        Ok(())
    }

    /// After a character of a class, if `-` follows: the end of the range, which is the current byte then.
    fn range_end(&mut self, first: u32) -> Done<Option<u32>> {
        if self.quoted || self.peek(1) != b'-' {
            return Ok(None);
        }
        let before = self.at;
        self.at += 2;
        while self.looking_at(0, b"\\E") {
            self.at += 2;
        }
        while self.looking_at(0, b"\\Q") {
            self.at += 2;
            if self.looking_at(0, b"\\E") {
                self.at += 2;
                continue;
            }
            self.quoted = true;
            break;
        }
        if self.peek(0) == 0 || (!self.quoted && self.peek(0) == b']') {
            self.at = before;
            return Ok(None);
        }
        const INVALID: &str = "invalid range in character class";
        let (mut last, len) = self.char_at(self.at);
        if !self.quoted {
            if self.posix_end(self.at).is_some() {
                return self.fail(INVALID);
            }
            if last == u32::from(b'\\') {
                last = match self.escape(true)? {
                    Escape::Char(c) => c,
                    Escape::Special(b'b') => 8,
                    _ => return self.fail(INVALID),
                };
                self.at -= len - 1;
            }
        }
        self.at += len - 1;
        if last < first {
            return self.fail("range out of order in character class");
        }
        Ok(Some(last))
    }

    fn posix_class(&mut self, end: usize, class: &mut Reading) -> Done {
        if self.peek(1) != b':' {
            return self.fail("POSIX collating elements are not supported");
        }
        self.at += 2;
        let negative = self.peek(0) == b'^';
        if negative {
            class.flips = true;
            self.at += 1;
        }
        let mut name = &self.pattern[self.at..end];
        if ucd::posix(name).is_none() {
            return self.fail("unknown POSIX class name");
        }
        if self.flags().caseless && matches!(name, b"lower" | b"upper") {
            name = b"alpha";
        }
        if self.settings.ucp {
            let property = match name {
                b"alpha" => Property::Group(b'L'),
                b"lower" => Property::Category(5),
                b"upper" => Property::Category(9),
                b"alnum" => Property::Alnum,
                b"digit" => Property::Category(13),
                b"space" => Property::Space,
                b"word" => Property::Word,
                b"graph" => Property::Graph,
                b"print" => Property::Print,
                b"punct" => Property::Punct,
                b"blank" => {
                    self.class_escape(if negative { b'H' } else { b'h' }, class)?;
                    return Ok(());
                }
                _ => {
                    let is_last = self.byte(end + 2) == b']';
                    let is_wide = !class.wide.is_empty() || !class.properties.is_empty();
                    if negative && (is_wide || !is_last) {
                        class.wide.push((0x100, 0x10_ffff));
                    }
                    let holds = ucd::posix(name).expect("looked at above");
                    class.bytes(|b| holds(b) != negative);
                    return Ok(());
                }
            };
            class.properties.push((property, negative));
            return Ok(());
        }
        let holds = ucd::posix(name).expect("looked at above");
        class.bytes(|b| holds(b) != negative);
        Ok(())
    }

    /// `\d` and its like in a class; the last byte is the current one. `false`: it only means its letter there.
    fn class_escape(&mut self, letter: u8, class: &mut Reading) -> Done<bool> {
        let negative = letter.is_ascii_uppercase();
        let ucp = self.settings.ucp;
        let utf = self.settings.utf;
        let caseless = self.flags().caseless;
        let mut ranges = |ranges: &[(u32, u32)]| {
            for &(first, last) in ranges {
                if caseless {
                    class.cased(first, last, utf);
                } else {
                    class.range(first, last, utf);
                }
            }
        };
        match letter {
            b'd' | b'D' if ucp => class.properties.push((Property::Category(13), negative)),
            b's' | b'S' if ucp => class.properties.push((Property::Space, negative)),
            b'w' | b'W' if ucp => class.properties.push((Property::Word, negative)),
            b'd' | b'D' => {
                class.flips |= negative;
                class.bytes(|b| ucd::is_digit(b) != negative);
            }
            b's' | b'S' => {
                class.flips |= negative;
                class.bytes(|b| ucd::is_space(b) != negative);
            }
            b'w' | b'W' => {
                class.flips |= negative;
                class.bytes(|b| ucd::is_word(b) != negative);
            }
            b'h' => ranges(ucd::HORIZONTAL),
            b'v' => ranges(ucd::VERTICAL),
            b'H' => ranges(&complement(ucd::HORIZONTAL)),
            b'V' => ranges(&complement(ucd::VERTICAL)),
            b'p' | b'P' => {
                let property = self.property(letter)?;
                class.properties.push(property);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn end_class(&mut self, mut class: Reading, negated: bool) {
        let has_wide = !class.wide.is_empty() || !class.properties.is_empty();
        let mut done = Class::default();
        let mut extra = 0;
        if has_wide && (!class.properties.is_empty() || !class.flips || self.settings.ucp) {
            if self.settings.utf && class.flips && !negated && !self.settings.ucp {
                class.wide.push((0x100, 0x10_ffff));
            }
            extra = 4 + class.properties.len() * 3;
            let has = |b: u8| class.map[b as usize >> 6] >> (b & 63) & 1 != 0;
            let property = |b: u8| {
                class
                    .properties
                    .iter()
                    .any(|&(p, negative)| p.holds(u32::from(b)) != negative)
            };
            for b in 0..=255_u8 {
                if (has(b) || property(b)) != negated {
                    done.map[b as usize >> 6] |= 1 << (b & 63);
                }
            }
            done.wide = negated;
            class.wide.sort_unstable();
            for (first, last) in class.wide {
                match done.ranges.last_mut() {
                    Some((_, end)) if first <= end.saturating_add(1) => *end = last.max(*end),
                    _ => done.ranges.push((first, last)),
                }
            }
            extra += done.ranges.len() * 9;
            done.properties = class.properties;
        } else {
            done.wide = negated != class.flips;
            done.map = if negated {
                class.map.map(|word| !word)
            } else {
                class.map
            };
        }
        let at = self.classes.iter().position(|c| *c == done).unwrap_or_else(|| {
            self.classes.push(done);
            self.class_sizes.push(extra);
            self.classes.len() - 1
        });
        self.single(Single::Class(at as u32));
    }
}

fn complement(ranges: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut out = Vec::new();
    let mut at = 0;
    for &(first, last) in ranges {
        if first > at {
            out.push((at, first - 1));
        }
        at = last + 1;
    }
    out.push((at, 0x10_ffff));
    out
}

impl Compiler<'_> {
    // ---- the end ----------------------------------------------------------------------------------------------------

    fn finish(mut self) -> Done<Compiled> {
        if self.at < self.pattern.len() {
            return self.fail("unmatched parentheses");
        }
        self.code.push(Op::End);
        for at in 0..self.code.len() {
            if let Op::Call { group, .. } = self.code[at] {
                let target = if group == 0 {
                    Some(0)
                } else {
                    analyze::find_group(&self.code, group)
                };
                let Some(target) = target else {
                    return self.fail("internal error: previously-checked referenced subpattern not found");
                };
                self.code[at] = Op::Call {
                    group,
                    target: target as u32,
                };
            }
        }
        if self.top_reference > self.number {
            return self.fail(NO_REFERENCE);
        }
        if self.check_behind {
            self.check_lookbehinds()?;
        }
        let Frame { first, required, .. } = self.frames.pop().expect("the whole pattern is a frame");
        let required = if self.had_accept { Lead::None } else { required };
        let utf = self.settings.utf;
        let facts = analyze::Facts {
            references: self.reference_map,
            prune_or_skip: self.had_prune_or_skip,
        };
        let anchored = self.settings.anchored || analyze::is_anchored(&self.code, 0, 0, &facts, 0);
        let byte = |lead| match lead {
            Lead::Byte { byte, caseless, .. } => Some((byte, caseless && ucd::flip(byte) != byte)),
            _ => None,
        };
        let mut first = byte(first).filter(|_| !anchored);
        let mut start_of_line = false;
        if !anchored && first.is_none() {
            first = analyze::first_asserted(&self.code, 0, false, utf)
                .map(|(b, caseless)| (b, caseless && ucd::flip(b) != b));
            start_of_line = first.is_none() && analyze::is_start_of_line(&self.code, 0, 0, &facts, 0, false);
        }
        let required = match required {
            Lead::Byte { varying: false, .. } if anchored => None,
            lead => byte(lead),
        };
        let mut compiled = Compiled {
            code: self.code,
            classes: self.classes,
            literals: Vec::new(),
            names: self.named,
            groups: self.number,
            settings: self.settings,
            anchored,
            first,
            required,
            start_of_line,
            has_then: self.has_then,
            has_verb: self.has_verb,
            mentions_newline: self.mentions_newline,
            starts: None,
        };
        super::optimize::run(&mut compiled);
        Ok(compiled)
    }

    /// Lookbehinds with calls: their groups are known now.
    fn check_lookbehinds(&mut self) -> Done {
        for at in 1..self.code.len() {
            if self.code[at] == Op::Back(0) {
                match analyze::fixed_length(&self.code, at - 1, true, None) {
                    Ok(n) => self.code[at] = Op::Back(n),
                    Err(analyze::NotFixed::Byte) => return self.fail(NO_BYTE_BEHIND),
                    Err(_) => return self.fail(NOT_FIXED),
                }
            }
        }
        Ok(())
    }
}
