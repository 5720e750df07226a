//! Natives for `compile` where no Erlang/OTP is installed whose front end could check a module: the tool's own does.

use syntax::abstract_code::to_external;
use syntax::ast::{Loc, Module};
use syntax::diagnostic::{Diagnostic, DiagnosticKind};
use syntax::{Language, NoIncludes, Parsed, ReadOptions, before_transforms, check_forms, parse_module};

use crate::atom::Atom;
use crate::heap::Heap;
use crate::native::{Context, Native, Raise};
use crate::term::Term;

/// This area's natives.
pub const NATIVES: &[Native] = &[
    Native::pure("compile", "$check_forms", 1, |cx, a| {
        let forms = bytes(cx, a[0])?;
        charge(cx, &forms);
        Ok(told(cx.heap, check_forms(&forms), |_, _| Term::atom(Atom::OK)))
    }),
    Native::pure("compile", "$source_forms", 3, source_forms),
    Native::pure("compile", "$forms_before", 3, forms_before),
];

fn bytes(cx: &Context<'_>, t: Term) -> Result<Vec<u8>, Raise> {
    cx.heap.bytes(t).map(|bytes| bytes.into_owned()).ok_or(Raise::badarg())
}

fn charge(cx: &mut Context<'_>, bytes: &[u8]) {
    cx.local.charge += (bytes.len() / 8) as u32;
}

/// `$source_forms(Path, Text, Defines)`: the forms of a source without include files. `Defines`: names of macros with their values as texts.
fn source_forms(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let (path, text, options) = source(cx, args)?;
    let parsed = parse_module(&path, &text, &options, &NoIncludes);
    Ok(told(cx.heap, parsed, |heap, module| {
        heap.make_binary(&to_external(module))
    }))
}

/// `$forms_before(Path, Text, Defines)`: the same before parse transforms, and the names of those that are not built in.
fn forms_before(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let (path, text, options) = source(cx, args)?;
    let heap = &mut *cx.heap;
    Ok(match before_transforms(&path, &text, &options, &NoIncludes) {
        Ok((forms, names)) => {
            let names: Vec<Term> = names.into_iter().map(Term::atom).collect();
            let parts = [Term::atom(Atom::OK), heap.make_binary(&forms), heap.make_list(&names)];
            heap.make_tuple(&parts)
        }
        Err(diagnostics) => told(heap, Err(diagnostics), |_, _| Term::NIL),
    })
}

/// The name of a file, its text, and the macros as options.
fn source(cx: &mut Context<'_>, args: &[Term]) -> Result<(String, Vec<u8>, ReadOptions), Raise> {
    let path = String::from_utf8_lossy(&bytes(cx, args[0])?).into_owned();
    let text = bytes(cx, args[1])?;
    let mut options = ReadOptions {
        language: Language::of(cx.code.release()),
        ..ReadOptions::default()
    };
    for define in cx.heap.list(args[2]).ok_or(Raise::badarg())? {
        let &[name, value] = cx.heap.tuple(define).ok_or(Raise::badarg())? else {
            return Err(Raise::badarg());
        };
        let text = |t| bytes(cx, t).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        options.defines.push((text(name)?, Some(text(value)?)));
    }
    charge(cx, &text);
    Ok((path, text, options))
}

/// `{ok, Result, Warnings}` or `{error, Errors, Warnings}`; each message is `{File, Place, Text}`.
fn told(
    heap: &mut Heap,
    parsed: Result<Parsed, Vec<Diagnostic>>,
    result: impl FnOnce(&mut Heap, &Module) -> Term,
) -> Term {
    match parsed {
        Ok(Parsed { module, warnings, .. }) => {
            let warnings = messages(heap, warnings.iter());
            let result = result(heap, &module);
            heap.make_tuple(&[Term::atom(Atom::OK), result, warnings])
        }
        Err(diagnostics) => {
            let (warnings, errors): (Vec<_>, Vec<_>) =
                diagnostics.iter().partition(|d| d.kind == DiagnosticKind::Warning);
            let errors = messages(heap, errors.into_iter());
            let warnings = messages(heap, warnings.into_iter());
            heap.make_tuple(&[Term::atom(Atom::ERROR), errors, warnings])
        }
    }
}

fn messages<'a>(heap: &mut Heap, diagnostics: impl Iterator<Item = &'a Diagnostic>) -> Term {
    let all: Vec<Term> = diagnostics
        .map(|found| {
            let parts = [
                heap.make_string(&found.file),
                place(heap, found.loc),
                heap.make_string(&found.message),
            ];
            heap.make_tuple(&parts)
        })
        .collect();
    heap.make_list(&all)
}

fn place(heap: &mut Heap, loc: Loc) -> Term {
    match (loc.line, loc.col) {
        (0, _) => Term::atom(Atom::new("none")),
        (line, 0) => Term::small(i64::from(line)),
        (line, col) => heap.make_tuple(&[Term::small(i64::from(line)), Term::small(i64::from(col))]),
    }
}
