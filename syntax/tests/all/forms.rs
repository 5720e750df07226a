//! Forms to the tree and back: written and read again, nothing changes; forms that Erlang makes are read and written as they are; and whatever
//! is done to forms, reading them ends.

mod etf;
mod mutated;
mod of_erlang;

use std::fmt::Debug;
use std::path::{Path, PathBuf};

use syntax::abstract_code::{from_external, to_external};
use syntax::ast::{FormRef, Module};
use syntax::diagnostic::Diagnostic;
use syntax::{IncludeError, IncludeKind, Included, Includes, Parsed, ReadOptions, check_forms, parse_module};

use self::etf::{Term, decode};
use crate::otp::{self, OtpIncludes};

/// Headers beside a file of this tree, or of an installed OTP.
struct OwnIncludes(OtpIncludes);

impl Includes for OwnIncludes {
    fn read(&self, kind: IncludeKind, name: &str, from: &str) -> Result<Included, IncludeError> {
        let folder = Path::new(from).parent().unwrap_or(Path::new(""));
        let beside = folder.join(name);
        let Ok(text) = std::fs::read(&beside) else {
            return self.0.read(kind, name, from);
        };
        let name = beside.to_string_lossy().into_owned();
        let text = text.into();
        Ok(Included { name, text })
    }
}

/// The sources of this tree, in order.
fn own_files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for folder in [
        "interpreter",
        "tests",
        "fixtures",
        "benches",
        "syntax",
        "multiverse",
        "tracer",
        "docs",
    ] {
        otp::collect(&root.join(folder), "erl", &mut files);
    }
    files.sort();
    files
}

fn parsed(file: &Path, options: &ReadOptions, includes: &dyn Includes) -> Option<Module> {
    checked(file, options, includes).ok().map(|parsed| parsed.module)
}

fn checked(file: &Path, options: &ReadOptions, includes: &dyn Includes) -> Result<Parsed, Vec<Diagnostic>> {
    let source = std::fs::read(file).expect("listed just now");
    // Transforms add forms whose places in the lists are not in their order.
    let options = ReadOptions {
        transforms: false,
        ..options.clone()
    };
    parse_module(&file.to_string_lossy(), &source, &options, includes)
}

/// Parts of a tree as text, without what forms do not hold: where a list ends that has a tail; whether a class, `_` for the stack, and a tail
/// that is a list (`[A | [B]]` is `[A, B]` where a macro gives all places) are written, and where they are.
fn shown<T: Debug>(parts: &[T]) -> String {
    // What comes before a place and after it, and what is shown instead.
    const UNWRITTEN: [(&str, &str, &str); 7] = [
        ("end: ", "", "end: None"),
        ("stack_loc: ", "", ""),
        ("stack: Some(Name { loc: ", ", atom: '_' })", "stack: None"),
        ("tail: Some(Expr { loc: ", ", kind: Nil })", "tail: None"),
        ("tail: Some(Pattern { loc: ", ", kind: Nil })", "tail: None"),
        ("], tail: Some(Expr { loc: ", ", kind: List(List { items: [", ", "),
        ("], tail: Some(Pattern { loc: ", ", kind: List(List { items: [", ", "),
    ];
    let text = format!("{parts:?}").replace("class: Default", "class: Atom('throw')");
    let mut rest = text.as_str();
    let mut out = String::with_capacity(text.len());
    while let Some(at) = rest.find("Loc {") {
        let place = at + rest[at..].find('}').expect("a place ends") + 1;
        let (before, after) = (&rest[..at], &rest[place..]);
        let unwritten = UNWRITTEN
            .iter()
            .find(|(start, end, _)| before.ends_with(start) && after.starts_with(end));
        match unwritten {
            Some((start, end, instead)) => {
                out.push_str(&before[..before.len() - start.len()]);
                out.push_str(instead);
                rest = &after[end.len()..];
            }
            None => {
                out.push_str(&rest[..place]);
                rest = after;
            }
        }
    }
    out.push_str(rest);
    // Of lists that are tails only the beginnings are gone.
    const TWO_ENDS: &str = "end: None }) }), end: None })";
    while out.contains(TWO_ENDS) {
        out = out.replace(TWO_ENDS, "end: None })");
    }
    out
}

/// Types as text: `nil()` is `[]`, and `list(T)` is `[T]`.
fn shown_types<T: Debug>(parts: &[T]) -> String {
    let text = shown(parts).replace("Named('nil', [])", "Nil");
    let text = text
        .replace("Named('list', [", "List(")
        .replace("Named('nonempty_list', [", "NonemptyList(");
    text.replace(['[', ']'], "")
}

/// What is left of `text` from the first difference on.
fn from_difference<'a>(text: &'a str, other: &str) -> &'a str {
    let same = text.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    let mut start = same.saturating_sub(150);
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let end = text
        .char_indices()
        .map(|(at, _)| at)
        .find(|at| *at >= same + 200)
        .unwrap_or(text.len());
    &text[start..end]
}

#[track_caller]
fn same(file: &Path, what: &str, one: &str, other: &str) {
    assert!(
        one == other,
        "{}: {what} differ:\n{}\n---\n{}",
        file.display(),
        from_difference(one, other),
        from_difference(other, one)
    );
}

/// Writes a tree, reads it and writes it again.
fn there_and_back(file: &Path, module: &Module) {
    let written = to_external(module);
    let forms = from_external(&written).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    assert_eq!(forms.diagnostics, [], "{}", file.display());
    let again = to_external(&forms.module);
    if written != again {
        same(
            file,
            "forms",
            &format!("{:?}", decode(&written)),
            &format!("{:?}", decode(&again)),
        );
    }
    let other = &forms.module;
    assert_eq!(
        (module.name, &module.eof),
        (other.name, &other.eof),
        "{}",
        file.display()
    );
    let order = |module: &Module| -> Vec<FormRef> { module.order.clone() };
    assert_eq!(order(module), order(other), "{}", file.display());
    same(file, "functions", &shown(&module.functions), &shown(&other.functions));
    same(file, "types", &shown_types(&module.types), &shown_types(&other.types));
    same(file, "specs", &shown_types(&module.specs), &shown_types(&other.specs));
    same(
        file,
        "records",
        &shown_types(&module.records),
        &shown_types(&other.records),
    );
    // The file that a written `-file` stands in is the one before.
    let marks = |module: &Module| -> Vec<_> {
        let marks = module.file_marks.iter();
        marks
            .map(|mark| (mark.loc.line, mark.loc.col, mark.file, mark.line))
            .collect()
    };
    assert_eq!(
        (&module.files, marks(module)),
        (&other.files, marks(other)),
        "{}",
        file.display()
    );
    // What is read from what was read is the same in every detail.
    let third = from_external(&again).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    same(file, "readings", &format!("{other:?}"), &format!("{:?}", third.module));
}

#[test]
fn own_sources_are_read_as_they_were_written() {
    let all = own_files();
    assert!(all.len() > 500, "only {} sources in this tree", all.len());
    let files = seeds::share(all, 4);
    let includes = OwnIncludes(OtpIncludes::new());
    let mut read = 0;
    for file in &files {
        if let Some(module) = parsed(file, &ReadOptions::default(), &includes) {
            there_and_back(file, &module);
            read += 1;
        }
    }
    println!(
        "{read} of {} files are read as written; the others are no modules",
        files.len()
    );
    assert!(
        read * 10 > files.len() * 8,
        "only {read} of {} files are modules",
        files.len()
    );
}

#[test]
fn otp_sources_are_read_as_they_were_written() {
    let all = otp::erlang_files("src");
    if all.is_empty() {
        steady::skipped(&format!("there are no sources of Erlang/OTP 25 in {}", otp::LIB));
        return;
    }
    let files = seeds::share(all, 16);
    let includes = OtpIncludes::new();
    let mut read = 0;
    for file in &files {
        if let Some(module) = parsed(file, &otp::options(file), &includes) {
            there_and_back(file, &module);
            read += 1;
        }
    }
    println!("{read} of {} files are read as written", files.len());
    assert!(
        read * 10 > files.len() * 9,
        "only {read} of {} files are modules",
        files.len()
    );
}

/// Lint says the same of forms as of the source that they are from.
#[test]
fn forms_are_checked_as_their_sources() {
    let includes = OwnIncludes(OtpIncludes::new());
    let mut with_warnings = 0;
    for file in seeds::share(own_files(), 4) {
        let Ok(Parsed { module, warnings, .. }) = checked(&file, &ReadOptions::default(), &includes) else {
            continue;
        };
        let messages = |found: Vec<Diagnostic>| {
            let mut messages: Vec<String> = found
                .into_iter()
                .map(|one| format!("{}: {}", one.file, one.message))
                .collect();
            messages.sort();
            messages
        };
        let of_forms = check_forms(&to_external(&module));
        let of_forms = of_forms
            .unwrap_or_else(|errors| panic!("{}: {errors:?}", file.display()))
            .warnings;
        with_warnings += usize::from(!warnings.is_empty());
        assert_eq!(messages(warnings), messages(of_forms), "{}", file.display());
    }
    println!("{with_warnings} files have warnings");
    assert!(with_warnings > 5, "{with_warnings}");
}

/// The forms without annotations: places, and lists of them, are 0.
fn without_places(term: &mut Term) {
    // Those that stand in `-export` and the like are no nodes.
    const SHORT: &[&str] = &["nil", "eof"];
    let is_node = term.tag().is_some();
    if let Term::Tuple(items) = term
        && is_node
        && (items.len() > 2 || matches!(&items[0], Term::Atom(tag) if SHORT.contains(&tag.as_str())))
        && items.len() > 1
        && is_annotation(&items[1])
    {
        items[1] = Term::Integer(0);
    }
    syntax::stack::with_stack(|| term.parts_mut().into_iter().for_each(without_places));
}

fn is_annotation(term: &Term) -> bool {
    match term {
        Term::Integer(line) => *line >= 0,
        Term::Tuple(parts) => matches!(parts[..], [Term::Integer(_), Term::Integer(_)]),
        Term::List(items, None) => items
            .iter()
            .all(|item| matches!(item.tag(), Some("location" | "generated" | "file" | "record" | "text"))),
        _ => false,
    }
}
