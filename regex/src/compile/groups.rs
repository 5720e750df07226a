//! Groups and their alternatives: numbers, sizes, and the bytes that a match must have.

use super::super::analyze;
use super::super::op::{Group, Ket, Op};
use super::{CompileResult, Compiler, Flags, GroupFrame, Lead, MAX_NUMBER, NO_BYTE_BEHIND, NOT_FIXED, TOO_LARGE};

const WORKSPACE: i64 = 4096 - 100;

impl Compiler<'_> {
    pub(super) fn read(&mut self) -> CompileResult {
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
    pub(super) fn open(&mut self, group: Option<Group>, flags: Flags, reset: bool, skipped: i64) {
        let start = self.code.len();
        let outer = self.frames.last();
        let place = outer.map_or(0, |f| f.current) + 3 + skipped + begins_with(group);
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
        self.frames.push(GroupFrame {
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
        top.current = top.origin - begins_with(top.group);
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
    fn account(&mut self) -> CompileResult {
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
    pub(super) fn end_branch(&mut self) -> CompileResult {
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

    pub(super) fn link(&mut self, at: usize, distance: u32) {
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
    pub(super) fn end_group(&mut self) -> CompileResult {
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
}

/// PCRE's bytes at the start of every alternative of a group.
fn begins_with(group: Option<Group>) -> i64 {
    if matches!(group, Some(Group::Behind { .. })) {
        3
    } else {
        0
    }
}
