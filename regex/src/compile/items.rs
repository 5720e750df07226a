//! Items: characters, dots, anchors, comments.

use super::super::op::{Op, Single, UNLIMITED};
use super::super::ucd::{self, Property};
use super::{CompileResult, Compiler, Lead};

impl Compiler<'_> {
    /// One item. Is the pattern at its end?
    pub(super) fn item(&mut self) -> CompileResult<bool> {
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

    pub(super) fn single(&mut self, single: Single) {
        self.begin_item();
        self.emit(Op::One(single));
    }

    /// The item has no one first byte; what to go back to if it is repeated no times.
    pub(super) fn no_lead(&mut self) {
        let top = self.top();
        if top.branch_first == Lead::Unset {
            top.branch_first = Lead::None;
        }
        self.keep_leads();
    }

    pub(super) fn keep_leads(&mut self) {
        let top = self.top();
        top.zero_first = top.branch_first;
        top.zero_required = top.branch_required;
    }

    /// White space and comments, from `at`: where they end.
    pub(super) fn skip_space(&self, mut at: usize, several: bool) -> usize {
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
    pub(super) fn skip_comment(&mut self) -> CompileResult {
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

    pub(super) fn character(&mut self, c: u32) {
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

    pub(super) fn other_case(&self, c: u32) -> u32 {
        if self.settings.utf {
            ucd::other_case(c)
        } else {
            u32::from(ucd::flip(c as u8))
        }
    }
}
