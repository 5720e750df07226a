//! The instruction set: eight bytes an instruction, three-address code over the registers of one frame.
//!
//! Register 0 of a frame holds the return word, arguments are registers 1, 2, …; a callee's frame starts at register `base` of its caller, and
//! its result replaces the return word there. Some instructions are followed by *extension words* ([`Instr::Ops`], [`Instr::Live`]) that are
//! part of them and are never executed. An instruction of the *skip* kind is followed by an ordinary jump that is taken if it fails and skipped
//! if it succeeds.

use syntax::ast::{Endian, SegmentSpec, SegmentType};

/// Register of a frame.
pub type Reg = u16;

/// One instruction or extension word.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(u16)]
pub enum Instr {
    // ---- extension words ----
    /// Live registers 0..48 of the frame while the instruction before is suspended.
    Live {
        high: u16,
        low: u32,
    },
    /// The same for larger frames: index into the table of live sets.
    LiveTable {
        index: u32,
    },
    /// Up to three operands.
    Ops {
        a: Reg,
        b: Reg,
        c: Reg,
    },

    // ---- functions ----
    /// Entry of a function: a counted event. `args` registers are live (captured variables included).
    Enter {
        args: u16,
        frame: u16,
    },
    /// Entry of the function of a comprehension: counted when its generator (register 1) is a non-empty list or binary.
    EnterGenerator {
        args: u16,
        frame: u16,
    },
    /// The first function has returned.
    End,
    /// An expression of a body begins: it is counted under this number.
    Mark {
        number: u32,
    },

    // ---- moves ----
    Move {
        dst: Reg,
        src: Reg,
    },
    /// `dst = a, dst+1 = b`.
    Move2 {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Small {
        dst: Reg,
        value: i32,
    },
    Atom {
        dst: Reg,
        atom: u32,
    },
    Nil {
        dst: Reg,
    },
    Const {
        dst: Reg,
        index: u32,
    },

    // ---- the first of a pair (`vm/fuse.rs`): made when code is loaded, never by the compiler ----
    /// `Move`, then `Call`.
    MoveCall {
        dst: Reg,
        src: Reg,
    },
    /// `Move`, then `TailCall`.
    MoveTailCall {
        dst: Reg,
        src: Reg,
    },
    /// `Move2`, then `Call`.
    Move2Call {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    /// `Move2`, then `TailCall`.
    Move2TailCall {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    /// `SubSmall`, then `Call`.
    SubSmallCall {
        dst: Reg,
        src: Reg,
        value: i16,
    },
    /// `Const`, then `Band`.
    ConstBand {
        dst: Reg,
        index: u32,
    },
    /// `Small`, then `Band`.
    SmallBand {
        dst: Reg,
        value: i32,
    },
    /// `SubSmall`, then `Add`.
    SubSmallAdd {
        dst: Reg,
        src: Reg,
        value: i16,
    },

    // ---- natives that the machine carries out itself (`vm/fuse.rs`): made when code is loaded, never by the compiler ----
    /// `Native` of `element/2`.
    NativeElement {
        dst: Reg,
        native: u16,
        count: u16,
    },
    /// `Native` of `tuple_size/1`.
    NativeTupleSize {
        dst: Reg,
        native: u16,
        count: u16,
    },
    /// `Native` of `self/0`.
    NativeSelf {
        dst: Reg,
        native: u16,
        count: u16,
    },

    // ---- construction ----
    Cons {
        dst: Reg,
        head: Reg,
        tail: Reg,
    },
    Tuple2 {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    /// Elements in `Ops`.
    Tuple {
        dst: Reg,
        len: u16,
    },
    /// Captured registers in `Ops`.
    MakeFun {
        dst: Reg,
        fun: u32,
    },
    /// `len` pairs of key and value in `Ops` (key, value, -).
    Map {
        dst: Reg,
        len: u16,
    },
    /// `len` updates in `Ops` (key, value, 1 for `:=` and 0 for `=>`).
    MapUpdate {
        dst: Reg,
        src: Reg,
        len: u16,
    },
    /// `len` segments in `Ops` (value, size or 0, packed specification).
    Binary {
        dst: Reg,
        len: u16,
    },
    /// The reversed list `src` before `tail`.
    Reverse {
        dst: Reg,
        src: Reg,
        tail: Reg,
    },
    /// One map from the reversed list `[V, K, …]`.
    JoinMap {
        dst: Reg,
        src: Reg,
    },

    // ---- access ----
    /// Of a cons cell that was tested before.
    GetList {
        src: Reg,
        head: Reg,
        tail: Reg,
    },
    /// Of a tuple that was tested before; the first element is 0.
    Element {
        dst: Reg,
        src: Reg,
        index: u16,
    },

    /// `dst` = element `index`, `dst+1` = the next.
    Element2 {
        dst: Reg,
        src: Reg,
        index: u16,
    },

    // ---- branches (`to` is relative to this instruction) ----
    Jump {
        target: u32,
    },
    NotCons {
        src: Reg,
        to: i16,
    },
    NotNil {
        src: Reg,
        to: i16,
    },
    NotTuple {
        src: Reg,
        arity: u16,
        to: i16,
    },
    /// Not a tuple of that arity whose first element is that atom: index into the table of tags.
    NotTagged {
        src: Reg,
        tag: u16,
        to: i16,
    },
    NotAtom {
        src: Reg,
        atom: u16,
        to: i16,
    },
    IsAtom {
        src: Reg,
        atom: u16,
        to: i16,
    },
    NotSmall {
        src: Reg,
        value: i16,
        to: i16,
    },
    IsSmall {
        src: Reg,
        value: i16,
        to: i16,
    },
    NotType {
        src: Reg,
        ty: TypeTest,
        to: i16,
    },
    IsType {
        src: Reg,
        ty: TypeTest,
        to: i16,
    },
    Less {
        a: Reg,
        b: Reg,
        to: i16,
    },
    NotLess {
        a: Reg,
        b: Reg,
        to: i16,
    },
    Equal {
        a: Reg,
        b: Reg,
        to: i16,
    },
    NotEqual {
        a: Reg,
        b: Reg,
        to: i16,
    },
    Same {
        a: Reg,
        b: Reg,
        to: i16,
    },
    NotSame {
        a: Reg,
        b: Reg,
        to: i16,
    },
    LessSmall {
        src: Reg,
        value: i16,
        to: i16,
    },
    NotLessSmall {
        src: Reg,
        value: i16,
        to: i16,
    },
    MoreSmall {
        src: Reg,
        value: i16,
        to: i16,
    },
    NotMoreSmall {
        src: Reg,
        value: i16,
        to: i16,
    },
    /// Not a cons cell: jump; else `dst` = head, `dst+1` = tail.
    MatchCons {
        src: Reg,
        dst: Reg,
        to: i16,
    },
    /// By word value: atoms and small integers.
    Switch {
        src: Reg,
        table: u32,
    },
    /// By arity (bits 40..) and first element (the word of an atom) of a tuple.
    SwitchTag {
        src: Reg,
        table: u32,
    },
    /// Skip: succeeds if the key is present.
    MapGet {
        map: Reg,
        key: Reg,
        dst: Reg,
    },
    /// Skip: `src` is a bitstring; `pos` = 0.
    BinaryStart {
        src: Reg,
        pos: Reg,
    },
    /// Skip: the segment `Ops (size or 0, specification, -)` matches at `pos`, which advances. `dst` 0: the value is not wanted.
    BinaryGet {
        src: Reg,
        pos: Reg,
        dst: Reg,
    },
    /// Skip: eight bits are left at `pos`, which advances; their value, unsigned. `dst` 0: it is not wanted.
    BinaryByte {
        src: Reg,
        pos: Reg,
        dst: Reg,
    },
    /// Skip: the rest from `pos` on, which must be a binary. `dst` 0: the value is not wanted.
    BinaryRest {
        src: Reg,
        pos: Reg,
        dst: Reg,
    },
    /// Skip: the rest from `pos` on. `dst` 0: the value is not wanted.
    BitsRest {
        src: Reg,
        pos: Reg,
        dst: Reg,
    },
    /// Skip: the bits of the constant bitstring `Ops (constant, -, -)` stand at `pos`.
    BinaryLiteral {
        src: Reg,
        pos: Reg,
    },
    /// Skip: nothing is left.
    BinaryEnd {
        src: Reg,
        pos: Reg,
    },

    // ---- calls ----
    /// Then `Live`. To the entry of a function of the program.
    Call {
        base: Reg,
        target: u32,
    },
    /// Then `Live`.
    CallExternal {
        base: Reg,
        import: u32,
    },
    /// Then `Live`. The fun is in register `base + arity + 1`.
    CallFun {
        base: Reg,
        arity: u16,
    },
    /// Then `Live`. Module and function in registers `base + arity + 1`, `base + arity + 2`.
    CallApply {
        base: Reg,
        arity: u16,
    },
    /// Then `Live`. `count` 2: fun and argument list; 3: module, function, argument list, in registers from `base + 1`.
    CallApplyList {
        base: Reg,
        count: u16,
    },
    TailCall {
        target: u32,
    },
    TailExternal {
        import: u32,
    },
    TailFun {
        arity: u16,
    },
    TailApply {
        arity: u16,
    },
    TailApplyList {
        count: u16,
    },
    /// A pure native; arguments in `Ops`.
    Native {
        dst: Reg,
        native: u16,
        count: u16,
    },
    Return {
        src: Reg,
    },
    /// Returns a new list cell.
    ReturnCons {
        head: Reg,
        tail: Reg,
    },
    ReturnAtom {
        atom: u32,
    },

    // ---- arithmetic ----
    Add {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Sub {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Mul {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    AddSmall {
        dst: Reg,
        src: Reg,
        value: i16,
    },
    /// Like `AddSmall` with `-value`, but the error is that of `-`.
    SubSmall {
        dst: Reg,
        src: Reg,
        value: i16,
    },
    Divide {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Div {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Rem {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Band {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Bor {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Bxor {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Bsl {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Bsr {
        dst: Reg,
        a: Reg,
        b: Reg,
    },

    // ---- exceptions ----
    /// `error:{Kind, src}` or `error:Kind`.
    Fail {
        kind: FailKind,
        src: Reg,
    },
    /// No clause of this function matches its arguments.
    FunctionClause,
    /// `error(reason)`, `exit`, `throw`; `args` 0 or the second argument of `error/2`.
    Raise {
        class: RaiseClass,
        reason: Reg,
        args: Reg,
    },
    /// Class, reason, raw trace in registers from `base`.
    Reraise {
        base: Reg,
    },
    /// The value of `catch` for the exception from `base`.
    CatchValue {
        dst: Reg,
        base: Reg,
    },
    /// The trace that a program sees, from a raw one.
    Stacktrace {
        dst: Reg,
        src: Reg,
    },

    // ---- messages ----
    /// Starts a scan of the mailbox. Every matching message contains the value of `mark` (0: none): if that is a reference of the process's
    /// own, messages that arrived before it was made are skipped.
    ReceiveStart {
        mark: Reg,
    },
    /// Then `Live`, then the jump to the `after` clause. Continues after these with the message in `dst`; `timeout` 0 = infinity.
    Peek {
        dst: Reg,
        timeout: Reg,
    },
    /// Then `Live`, then the jump to the `after` clause: `receive after` without clauses.
    Sleep {
        timeout: Reg,
    },
    /// The message does not match; back to the `Peek`.
    ReceiveNext {
        target: u32,
    },
    /// Then `Live`. The message is consumed.
    Accept,
}

/// What [`Instr::NotType`] and [`Instr::IsType`] test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub enum TypeTest {
    Atom,
    Integer,
    Float,
    Number,
    Boolean,
    List,
    Tuple,
    Pid,
    Port,
    Reference,
    Function,
    Map,
    Binary,
    Bitstring,
}

/// What [`Instr::Fail`] raises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub enum FailKind {
    Badmatch,
    CaseClause,
    IfClause,
    TryClause,
    ElseClause,
    BadGenerator,
    BadFilter,
    BadRecord,
    /// `{badarg, V}` of `andalso` and `orelse`.
    BadBoolean,
    /// Of a tuple with what is left of several generators.
    BadGenerators,
}

/// The class that [`Instr::Raise`] raises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub enum RaiseClass {
    Error,
    Exit,
    Throw,
}

const _: () = assert!(std::mem::size_of::<Instr>() == 8, "an instruction is eight bytes");

/// Facts about other code that determine an instruction's operands.
pub trait Arities {
    /// Arguments of the function that a `Call` names.
    fn function(&self, target: u32) -> u16;
    /// Arguments of an import.
    fn import(&self, import: u32) -> u16;
    /// Captured variables of a fun.
    fn captured(&self, fun: u32) -> u16;
}

impl Instr {
    /// `Ops` words that follow.
    #[must_use]
    pub fn ops(self, arities: &impl Arities) -> usize {
        match self.alone() {
            Instr::Tuple { len, .. } => (len as usize).div_ceil(3),
            Instr::MakeFun { fun, .. } => (arities.captured(fun) as usize).div_ceil(3),
            Instr::Map { len, .. } | Instr::MapUpdate { len, .. } | Instr::Binary { len, .. } => len as usize,
            Instr::Native { count, .. } => (count as usize).div_ceil(3),
            Instr::BinaryGet { .. } | Instr::BinaryLiteral { .. } => 1,
            _ => 0,
        }
    }
    /// Is it followed by a `Live` word?
    #[must_use]
    pub fn suspends(self) -> bool {
        matches!(
            self,
            Instr::Call { .. }
                | Instr::CallExternal { .. }
                | Instr::CallFun { .. }
                | Instr::CallApply { .. }
                | Instr::CallApplyList { .. }
                | Instr::Peek { .. }
                | Instr::Sleep { .. }
                | Instr::Accept
        )
    }
    /// Words that it takes, extension words included (the jump after a skip instruction is not one).
    #[must_use]
    pub fn size(self, arities: &impl Arities) -> usize {
        1 + self.ops(arities) + usize::from(self.suspends())
    }
    /// Does success skip the jump that follows?
    #[must_use]
    pub fn skips(self) -> bool {
        matches!(
            self,
            Instr::MapGet { .. }
                | Instr::BinaryStart { .. }
                | Instr::BinaryGet { .. }
                | Instr::BinaryByte { .. }
                | Instr::BinaryRest { .. }
                | Instr::BitsRest { .. }
                | Instr::BinaryLiteral { .. }
                | Instr::BinaryEnd { .. }
                | Instr::Peek { .. }
        )
    }
    /// Does execution never continue after it?
    #[must_use]
    pub fn leaves(self) -> bool {
        matches!(
            self,
            Instr::Jump { .. }
                | Instr::Switch { .. }
                | Instr::SwitchTag { .. }
                | Instr::TailCall { .. }
                | Instr::TailExternal { .. }
                | Instr::TailFun { .. }
                | Instr::TailApply { .. }
                | Instr::TailApplyList { .. }
                | Instr::Return { .. }
                | Instr::ReturnCons { .. }
                | Instr::ReturnAtom { .. }
                | Instr::Fail { .. }
                | Instr::FunctionClause
                | Instr::Raise { .. }
                | Instr::Reraise { .. }
                | Instr::ReceiveNext { .. }
                | Instr::End
        )
    }
    /// Is it a short conditional branch? Gives its field.
    pub fn short_branch(&mut self) -> Option<&mut i16> {
        match self {
            Instr::NotCons { to, .. }
            | Instr::NotNil { to, .. }
            | Instr::NotTuple { to, .. }
            | Instr::NotTagged { to, .. }
            | Instr::NotAtom { to, .. }
            | Instr::IsAtom { to, .. }
            | Instr::NotSmall { to, .. }
            | Instr::IsSmall { to, .. }
            | Instr::NotType { to, .. }
            | Instr::IsType { to, .. }
            | Instr::Less { to, .. }
            | Instr::NotLess { to, .. }
            | Instr::Equal { to, .. }
            | Instr::NotEqual { to, .. }
            | Instr::Same { to, .. }
            | Instr::NotSame { to, .. }
            | Instr::LessSmall { to, .. }
            | Instr::NotLessSmall { to, .. }
            | Instr::MoreSmall { to, .. }
            | Instr::NotMoreSmall { to, .. }
            | Instr::MatchCons { to, .. } => Some(to),
            _ => None,
        }
    }
    /// May it be dropped if its results are not used?
    #[must_use]
    pub fn is_pure(self) -> bool {
        matches!(
            self,
            Instr::Move { .. }
                | Instr::Small { .. }
                | Instr::Atom { .. }
                | Instr::Nil { .. }
                | Instr::Const { .. }
                | Instr::Cons { .. }
                | Instr::Tuple2 { .. }
                | Instr::Tuple { .. }
                | Instr::MakeFun { .. }
                | Instr::Element { .. }
                | Instr::Element2 { .. }
                | Instr::GetList { .. }
                | Instr::Stacktrace { .. }
        )
    }
}

/// Calls `uses` with every register that the instruction at the start of `code` reads.
///
/// `args` is the number of arguments of the function that the code belongs to.
#[expect(clippy::too_many_lines, reason = "a table of all instructions")]
pub fn uses(code: &[Instr], args: u16, arities: &impl Arities, mut f: impl FnMut(Reg)) {
    use Instr as I;
    let mut range = |from: u32, count: u32| (from..from + count).for_each(|r| f(r as Reg));
    match code[0].alone() {
        // `alone` returns what the compiler made.
        I::NativeElement { .. }
        | I::NativeTupleSize { .. }
        | I::NativeSelf { .. }
        | I::MoveCall { .. }
        | I::MoveTailCall { .. }
        | I::Move2Call { .. }
        | I::Move2TailCall { .. }
        | I::SubSmallCall { .. }
        | I::ConstBand { .. }
        | I::SmallBand { .. }
        | I::SubSmallAdd { .. }
        | I::Live { .. }
        | I::LiveTable { .. }
        | I::Ops { .. }
        | I::Enter { .. }
        | I::EnterGenerator { .. }
        | I::Mark { .. }
        | I::Small { .. }
        | I::Atom { .. }
        | I::Nil { .. }
        | I::Const { .. }
        | I::Jump { .. }
        | I::ReceiveStart { mark: 0 }
        | I::ReceiveNext { .. }
        | I::ReturnAtom { .. }
        | I::Accept => {}
        I::End => f(0),
        I::ReceiveStart { mark } => f(mark),
        I::Move { src, .. }
        | I::JoinMap { src, .. }
        | I::GetList { src, .. }
        | I::Element { src, .. }
        | I::Element2 { src, .. }
        | I::NotCons { src, .. }
        | I::NotNil { src, .. }
        | I::NotTuple { src, .. }
        | I::NotTagged { src, .. }
        | I::NotAtom { src, .. }
        | I::IsAtom { src, .. }
        | I::NotSmall { src, .. }
        | I::IsSmall { src, .. }
        | I::NotType { src, .. }
        | I::IsType { src, .. }
        | I::LessSmall { src, .. }
        | I::NotLessSmall { src, .. }
        | I::MoreSmall { src, .. }
        | I::NotMoreSmall { src, .. }
        | I::MatchCons { src, .. }
        | I::Switch { src, .. }
        | I::SwitchTag { src, .. }
        | I::BinaryStart { src, .. }
        | I::Return { src }
        | I::AddSmall { src, .. }
        | I::SubSmall { src, .. }
        | I::Stacktrace { src, .. } => f(src),
        I::Move2 { a, b, .. }
        | I::Tuple2 { a, b, .. }
        | I::Less { a, b, .. }
        | I::NotLess { a, b, .. }
        | I::Equal { a, b, .. }
        | I::NotEqual { a, b, .. }
        | I::Same { a, b, .. }
        | I::NotSame { a, b, .. }
        | I::Add { a, b, .. }
        | I::Sub { a, b, .. }
        | I::Mul { a, b, .. }
        | I::Divide { a, b, .. }
        | I::Div { a, b, .. }
        | I::Rem { a, b, .. }
        | I::Band { a, b, .. }
        | I::Bor { a, b, .. }
        | I::Bxor { a, b, .. }
        | I::Bsl { a, b, .. }
        | I::Bsr { a, b, .. } => {
            f(a);
            f(b);
        }
        I::Cons { head, tail, .. } | I::Reverse { src: head, tail, .. } | I::ReturnCons { head, tail } => {
            f(head);
            f(tail);
        }
        I::Tuple { len, .. } => packed(code, len, f),
        I::MakeFun { fun, .. } => packed(code, arities.captured(fun), f),
        I::Native { count, .. } => packed(code, count, f),
        I::Map { len, .. } | I::MapUpdate { len, .. } | I::Binary { len, .. } => {
            for word in &code[1..=len as usize] {
                let I::Ops { a, b, .. } = *word else { continue };
                f(a);
                if b != 0 {
                    f(b);
                }
            }
            if let I::MapUpdate { src, .. } = code[0] {
                f(src);
            }
        }
        I::MapGet { map, key, .. } => {
            f(map);
            f(key);
        }
        I::BinaryGet { src, pos, .. } | I::BinaryLiteral { src, pos } => {
            f(src);
            f(pos);
            if let I::Ops { a, .. } = code[1]
                && a != 0
            {
                f(a);
            }
        }
        I::BinaryByte { src, pos, .. }
        | I::BinaryRest { src, pos, .. }
        | I::BitsRest { src, pos, .. }
        | I::BinaryEnd { src, pos } => {
            f(src);
            f(pos);
        }
        I::Call { base, target } => range(u32::from(base) + 1, u32::from(arities.function(target))),
        I::CallExternal { base, import } => range(u32::from(base) + 1, u32::from(arities.import(import))),
        I::CallFun { base, arity } => range(u32::from(base) + 1, u32::from(arity) + 1),
        I::CallApply { base, arity } => range(u32::from(base) + 1, u32::from(arity) + 2),
        I::CallApplyList { base, count } => range(u32::from(base) + 1, u32::from(count)),
        I::TailCall { target } => range(1, u32::from(arities.function(target))),
        I::TailExternal { import } => range(1, u32::from(arities.import(import))),
        I::TailFun { arity } => range(1, u32::from(arity) + 1),
        I::TailApply { arity } => range(1, u32::from(arity) + 2),
        I::TailApplyList { count } => range(1, u32::from(count)),
        I::Fail { kind, src } => {
            if kind != FailKind::IfClause {
                f(src);
            }
        }
        I::FunctionClause => range(1, u32::from(args)),
        I::Raise { reason, args, .. } => {
            f(reason);
            if args != 0 {
                f(args);
            }
        }
        I::Reraise { base } | I::CatchValue { base, .. } => range(u32::from(base), 3),
        I::Peek { timeout, .. } | I::Sleep { timeout } => {
            if timeout != 0 {
                f(timeout);
            }
        }
    }
}

fn packed(code: &[Instr], count: u16, mut f: impl FnMut(Reg)) {
    let mut left = count;
    for word in &code[1..] {
        let Instr::Ops { a, b, c } = *word else { break };
        for r in [a, b, c] {
            if left == 0 {
                return;
            }
            f(r);
            left -= 1;
        }
    }
}

/// Calls `f` with every register that the instruction defines if execution continues (a call also destroys all from its base on).
pub fn defs(instr: Instr, mut f: impl FnMut(Reg)) {
    use Instr as I;
    match instr.alone() {
        I::Move { dst, .. }
        | I::Small { dst, .. }
        | I::Atom { dst, .. }
        | I::Nil { dst }
        | I::Const { dst, .. }
        | I::Cons { dst, .. }
        | I::Tuple2 { dst, .. }
        | I::Tuple { dst, .. }
        | I::MakeFun { dst, .. }
        | I::Map { dst, .. }
        | I::MapUpdate { dst, .. }
        | I::Binary { dst, .. }
        | I::JoinMap { dst, .. }
        | I::Reverse { dst, .. }
        | I::Element { dst, .. }
        | I::Native { dst, .. }
        | I::Add { dst, .. }
        | I::Sub { dst, .. }
        | I::Mul { dst, .. }
        | I::AddSmall { dst, .. }
        | I::SubSmall { dst, .. }
        | I::Divide { dst, .. }
        | I::Div { dst, .. }
        | I::Rem { dst, .. }
        | I::Band { dst, .. }
        | I::Bor { dst, .. }
        | I::Bxor { dst, .. }
        | I::Bsl { dst, .. }
        | I::Bsr { dst, .. }
        | I::CatchValue { dst, .. }
        | I::Stacktrace { dst, .. } => f(dst),
        I::Move2 { dst, .. } | I::Element2 { dst, .. } => {
            f(dst);
            f(dst + 1);
        }
        I::GetList { head, tail, .. } => {
            f(head);
            f(tail);
        }
        I::Call { base, .. }
        | I::CallExternal { base, .. }
        | I::CallFun { base, .. }
        | I::CallApply { base, .. }
        | I::CallApplyList { base, .. } => f(base),
        _ => {}
    }
}

/// Registers that a branching instruction defines only when it does *not* jump (or, for skip instructions, when it skips).
pub fn defs_on_success(instr: Instr, mut f: impl FnMut(Reg)) {
    use Instr as I;
    match instr {
        I::MatchCons { dst, .. } => {
            f(dst);
            f(dst + 1);
        }
        I::MapGet { dst, .. } | I::Peek { dst, .. } => f(dst),
        I::BinaryStart { pos, .. } => f(pos),
        I::BinaryGet { dst, .. } | I::BinaryByte { dst, .. } | I::BinaryRest { dst, .. } | I::BitsRest { dst, .. }
            if dst != 0 =>
        {
            f(dst);
        }
        _ => {}
    }
}

/// A segment's type packed in 16 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SegmentCode(pub u16);

impl SegmentCode {
    /// Packs.
    #[must_use]
    pub fn pack(spec: SegmentSpec) -> Self {
        let ty = match spec.ty {
            SegmentType::Integer => 0,
            SegmentType::Float => 1,
            SegmentType::Binary => 2,
            SegmentType::Utf8 => 3,
            SegmentType::Utf16 => 4,
            SegmentType::Utf32 => 5,
        };
        let little = spec.endian != Endian::Big;
        Self(ty | u16::from(spec.signed) << 3 | u16::from(little) << 4 | (spec.unit.clamp(1, 256) - 1) << 5)
    }
    /// Constant bits made of this many segments of the source.
    #[must_use]
    pub fn constant(segments: usize) -> Self {
        Self(6 | (segments.min(0x1fff) as u16) << 3)
    }
    /// Segments of the source that it stands for.
    #[must_use]
    pub fn segments(self) -> usize {
        if self.0 & 7 == 6 { usize::from(self.0 >> 3) } else { 1 }
    }
    /// The type.
    #[must_use]
    pub fn ty(self) -> SegmentType {
        match self.0 & 7 {
            0 => SegmentType::Integer,
            1 => SegmentType::Float,
            2 | 6 => SegmentType::Binary,
            3 => SegmentType::Utf8,
            4 => SegmentType::Utf16,
            _ => SegmentType::Utf32,
        }
    }
    /// `signed`?
    #[must_use]
    pub fn signed(self) -> bool {
        self.0 >> 3 & 1 == 1
    }
    /// Little-endian?
    #[must_use]
    pub fn little(self) -> bool {
        self.0 >> 4 & 1 == 1
    }
    /// Bits that the size counts in.
    #[must_use]
    pub fn unit(self) -> usize {
        if self.0 & 7 == 6 {
            return 1;
        }
        usize::from(self.0 >> 5) + 1
    }
}
