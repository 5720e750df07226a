//! Bytecode as text, for golden tests and for people.

use std::fmt::Write;

use super::instr::Instr;
use super::program::{FunctionInfo, Program};
use crate::atom::Atom;

/// One line an instruction; positions are relative to the function.
pub(super) fn listing<'p>(program: &Program, functions: impl Iterator<Item = &'p FunctionInfo>) -> String {
    let mut out = String::new();
    for f in functions {
        let _ = writeln!(out, "{}/{}:", f.name, f.arity);
        let mut at = f.start;
        while at < f.end {
            let instr = program.code[at as usize].alone();
            let size = instr.size(program) as u32;
            let _ = write!(out, "  {:>3} {}", at - f.start, text(program, f, at, instr));
            for word in &program.code[at as usize + 1..(at + size) as usize] {
                let _ = write!(out, " {}", extension(word));
            }
            out.push('\n');
            at += size;
        }
    }
    out
}

fn extension(word: &Instr) -> String {
    match word {
        Instr::Live { high, low } => format!("live={:#x}", u64::from(*high) << 32 | u64::from(*low)),
        Instr::Ops { a, b, c } => format!("({a} {b} {c})"),
        other => format!("{other:?}"),
    }
}

fn text(program: &Program, f: &FunctionInfo, at: u32, instr: Instr) -> String {
    let mut copy = instr;
    let to = copy.short_branch().map(|to| i64::from(at - f.start) + i64::from(*to));
    let mut text = format!("{instr:?}");
    match instr {
        Instr::Jump { target } | Instr::ReceiveNext { target } => {
            let _ = write!(text, " -> {}", target - f.start);
        }
        Instr::Atom { atom, .. } => {
            let _ = write!(text, " {}", Atom::from_index(atom));
        }
        Instr::NotAtom { atom, .. } | Instr::IsAtom { atom, .. } => {
            let _ = write!(text, " {}", Atom::from_index(u32::from(atom)));
        }
        Instr::Call { target, .. } | Instr::TailCall { target } => {
            if let Some(callee) = program.function_at(target) {
                let _ = write!(text, " {}/{}", callee.name, callee.arity);
            }
        }
        Instr::CallExternal { import, .. } | Instr::TailExternal { import } => {
            let (m, function, a) = program.imports[import as usize].name;
            let _ = write!(text, " {m}:{function}/{a}");
        }
        Instr::Native { native, .. }
        | Instr::NativeElement { native, .. }
        | Instr::NativeTupleSize { native, .. }
        | Instr::NativeSelf { native, .. } => {
            let native = program.native(super::NativeId(u32::from(native)));
            let _ = write!(text, " {}:{}/{}", native.module, native.name, native.arity);
        }
        _ => {}
    }
    if let Some(to) = to {
        let _ = write!(text, " -> {to}");
    }
    text
}
