//! Programs compiled and run to their end by a trivial loop that answers nothing.

mod basic;
mod deep;
mod errors;
mod messages;
mod variables;
mod versions;

use super::{EndClass, Process, ProcessEnd, Program, Stop, VersionId};
use crate::atom::Atom;
use crate::heap::{Heap, TermView};
use crate::maps;
use crate::term::{Pid, Term};
use syntax::{NoIncludes, ReadOptions, parse_module};

/// A program of these modules (their sources), with library modules loaded on demand.
fn load(sources: &[&str]) -> Program {
    let mut program = Program::new(&[]);
    for source in sources {
        add(&mut program, "t.erl", source);
    }
    program
}

fn add(program: &mut Program, file: &str, source: &str) -> VersionId {
    let parsed = parse_module(file, source.as_bytes(), &ReadOptions::default(), &NoIncludes)
        .unwrap_or_else(|e| panic!("{file} does not parse: {e:?}"));
    program
        .load(&parsed.module)
        .unwrap_or_else(|e| panic!("{file} does not compile: {e:?}"))
}

/// Runs `t:f()` to its end in small slices, with a collection at each.
fn run(program: &mut Program, f: &str) -> (Process, ProcessEnd) {
    let mut process = Process::new(program, Pid::new(0, 1), Atom::NONODE_NOHOST);
    process.start_call(Atom::new("t"), Atom::new(f), &[]);
    let end = drive(program, &mut process);
    (process, end)
}

fn drive(program: &mut Program, process: &mut Process) -> ProcessEnd {
    let mut slices = 0;
    loop {
        slices += 1;
        // Small slices first, with a collection after each; then a long run.
        match process.run(program, if slices < 2000 { 3 } else { u32::MAX }) {
            Stop::Preempted => process.collect(program),
            Stop::Load(module) => match crate::library::source(module.as_str()) {
                Some(source) if !program.is_loaded(module) => {
                    add(program, &format!("{module}.erl"), source);
                }
                _ => process.undefined(),
            },
            Stop::Received(_) => process.shrink(program),
            Stop::Ended(end) => return end,
            other => panic!("{other:?}"),
        }
    }
}

/// A term as text, good enough for tests.
fn show(heap: &Heap, t: Term) -> String {
    let all = |items: &[Term]| items.iter().map(|&t| show(heap, t)).collect::<Vec<_>>().join(",");
    match heap.view(t) {
        TermView::Small(i) => i.to_string(),
        TermView::Big { .. } => crate::arith::to_bigint(heap, t).map_or_else(String::new, |b| b.to_string()),
        TermView::Float(x) => format!("{x:?}"),
        TermView::Atom(a) => a.to_string(),
        TermView::Pid(p) => format!("<0.{}.0>", p.number()),
        TermView::Port(p) => format!("#Port<0.{}>", p.0.number()),
        TermView::Reference(_) => "#Ref".to_owned(),
        TermView::Nil => "[]".to_owned(),
        TermView::Cons(..) => {
            let mut items = Vec::new();
            let mut at = t;
            while let Some((head, tail)) = heap.cons_cell(at) {
                items.push(head);
                at = tail;
            }
            let printable = |t: &Term| t.as_small().filter(|c| (32..127).contains(c)).map(|c| c as u8 as char);
            if at.is_nil() && items.iter().all(|t| printable(t).is_some()) {
                return format!("{:?}", items.iter().filter_map(printable).collect::<String>());
            }
            let tail = if at.is_nil() {
                String::new()
            } else {
                format!("|{}", show(heap, at))
            };
            format!("[{}{tail}]", all(&items))
        }
        TermView::Tuple(items) => format!("{{{}}}", all(items)),
        TermView::Map => {
            let pairs: Vec<String> = maps::sorted_pairs(heap, t)
                .into_iter()
                .map(|(k, v)| format!("{}=>{}", show(heap, k), show(heap, v)))
                .collect();
            format!("#{{{}}}", pairs.join(","))
        }
        TermView::Binary => {
            let bits = heap.bits(t).expect("a binary");
            let bytes: Vec<String> = bits.to_vec().iter().map(ToString::to_string).collect();
            let partial = if bits.len.is_multiple_of(8) {
                String::new()
            } else {
                format!(":{}", bits.len)
            };
            format!("<<{}{partial}>>", bytes.join(","))
        }
        TermView::Fun { arity, .. } => format!("#Fun/{arity}"),
        TermView::ExternalFun {
            module,
            function,
            arity,
        } => format!("fun {module}:{function}/{arity}"),
    }
}

/// The value of `t:main()`, or how it failed: `class:reason trace`. The same with variables kept and with collections at every call.
fn value(source: &str) -> String {
    let source = format!("-module(t).\n-compile(export_all).\n{source}");
    let first = variables::outcome(&source, false, false);
    for (keep, often) in [(false, true), (true, false), (true, true)] {
        let again = variables::outcome(&source, keep, often);
        assert_eq!(
            again, first,
            "kept: {keep}, collections at every call: {often}:\n{source}"
        );
    }
    first.0
}

/// Checks expressions against their values.
fn check(cases: &[(&str, &str)]) {
    for (source, expected) in cases {
        assert_eq!(value(source), *expected, "{source}");
    }
}

#[test]
fn every_library_module_compiles() {
    for module in crate::library::MODULES {
        let source = crate::library::source(module).unwrap();
        for (keep, count) in [(false, false), (true, false), (false, true)] {
            let mut program = Program::new(&[]);
            if keep {
                program.keep_variables();
            }
            if count {
                program.count_lines(std::sync::Arc::new(crate::vm::LineCounts::new(|_| true)));
            }
            let found = add_library(&mut program, module, source);
            assert_eq!(
                found,
                Ok(()),
                "{module}.erl, variables kept: {keep}, lines counted: {count}"
            );
        }
    }
}

fn add_library(program: &mut Program, module: &str, source: &str) -> Result<(), String> {
    let file = format!("{module}.erl");
    let text = |diagnostics: Vec<syntax::diagnostic::Diagnostic>| {
        diagnostics.iter().map(|d| d.render(false, 120)).collect::<String>()
    };
    let parsed = parse_module(&file, source.as_bytes(), &ReadOptions::default(), &NoIncludes).map_err(text)?;
    program.load(&parsed.module).map(|_| ()).map_err(text)
}

#[test]
fn a_compiled_module_fits_programs_with_the_same_natives_only() {
    let source = "-module(t).\n-export([f/0]).\nf() -> lists:reverse([X * 2 || X <- [1, 2, length([a, b, c])], is_integer(X)]).\n";
    let parsed = parse_module("t.erl", source.as_bytes(), &ReadOptions::default(), &NoIncludes).unwrap();
    let mut first = Program::new(&[]);
    let compiled = first.compile_to_share(&parsed.module).unwrap();
    assert!(first.load_compiled(&compiled));
    let mut second = Program::new(&[]);
    assert!(second.load_compiled(&compiled));
    let mut plain = load(&[source]);
    for program in [&mut first, &mut second, &mut plain] {
        let (process, end) = run(program, "f");
        assert_eq!(show(&process.heap, end.reason), "[6,4,2]");
    }
    // The same natives count as used, and a trace names these.
    let used = |program: &Program| {
        let all = program.natives().count() as u32;
        (0..all)
            .filter(|&id| program.is_used(super::NativeId(id)))
            .collect::<Vec<u32>>()
    };
    assert_eq!(used(&second), used(&plain));
    let mut kept = Program::new(&[]);
    kept.keep_variables();
    assert!(!kept.load_compiled(&compiled));
    let mut fewer = Program::new(&[]);
    fewer.keep_natives(|native| native.name != "length");
    assert!(!fewer.load_compiled(&compiled));
}
