//! Forms as text, read; each kind of refusal with its place.

mod hostile;
mod refused;

use super::{FormsError, from_external};
use crate::abstract_code::{Encoder, PlaceStyle, to_external};
use crate::ast::*;
use crate::diagnostic::DiagnosticKind;

/// A term in the external format.
fn external(term: &str) -> Vec<u8> {
    let terms = crate::parse_terms(format!("{term}.").as_bytes()).unwrap();
    let mut out = Encoder::new(PlaceStyle::Columns);
    out.term(&terms[0]);
    out.bytes
}

fn error(forms: &str) -> FormsError {
    from_external(&external(forms)).unwrap_err()
}

/// Forms of a module with one function that has this body.
fn with_body(expr: &str) -> String {
    format!("[{{attribute,1,module,m}},{{function,2,f,0,[{{clause,2,[],[],[{expr}]}}]}}]")
}

/// The path in the one expression of [`with_body`], and the message up to the place.
fn refused(expr: &str) -> (Vec<usize>, String) {
    let error = error(&with_body(expr));
    assert_eq!(error.path[..5], [2, 5, 1, 5, 1]);
    let message = error.to_string();
    let end = message.rfind(" (at ").unwrap();
    (error.path[5..].to_vec(), message[..end].to_owned())
}

fn read(forms: &str) -> Module {
    let forms = from_external(&external(forms)).unwrap();
    assert_eq!(forms.diagnostics, []);
    forms.module
}

/// They are read, and written back as they are, before `{eof, …}`.
#[track_caller]
fn same(forms: &str) -> Module {
    let module = read(&format!("[{forms},{{eof,9}}]"));
    let written = to_external(&module);
    assert_eq!(
        canonical(&written),
        canonical(&external(&format!("[{forms},{{eof,9}}]"))),
        "{forms}"
    );
    module
}

/// As text, in which equal lists are equal.
fn canonical(bytes: &[u8]) -> String {
    let terms = super::Terms::decode(bytes).unwrap();
    let mut text = String::new();
    let mut todo = vec![Ok(terms.root)];
    while let Some(next) = todo.pop() {
        let id = match next {
            Ok(id) => id,
            Err(word) => {
                text.push_str(word);
                continue;
            }
        };
        let (open, items, close) = match terms.get(id) {
            super::Term::Tuple(range) => ("{", terms.slice(range).to_vec(), "}"),
            super::Term::Map(range) => ("#{", terms.slice(range).to_vec(), "}"),
            super::Term::Fun(range) => ("fun ", terms.slice(range).to_vec(), ";"),
            super::Term::List(..) => {
                let (items, tail) = terms.list(id);
                (
                    "[",
                    items.into_iter().chain(tail).collect(),
                    if tail.is_some() { "|]" } else { "]" },
                )
            }
            other => {
                text.push_str(&format!("{other:?} "));
                continue;
            }
        };
        text.push_str(open);
        todo.push(Err(close));
        todo.extend(items.into_iter().rev().map(Ok));
    }
    text
}

#[test]
fn what_no_source_can_say_is_read_and_written() {
    let body = |expr: &str| format!("{{function,2,f,0,[{{clause,2,[],[],[{expr}]}}]}}");
    for expr in [
        "{match,3,{var,3,'@a_1'},{var,3,'V.0'}}",
        "{integer,3,-5}",
        "{integer,3,-123456789012345678901234567890}",
        "{float,3,-1.5}",
        "{call,3,{atom,3,'a b'},[{var,3,'_'}]}",
        "{call,3,{'fun',3,{function,f,0}},[]}",
        "{call,3,{remote,3,{tuple,3,[]},{block,3,[{atom,3,x}]}},[]}",
        "{call,3,{tuple,3,[{atom,3,m},{atom,3,f}]},[]}",
        "{'fun',3,{function,{block,3,[{atom,3,m}]},{var,3,'F'},{integer,3,2}}}",
        "{named_fun,3,'not a variable',[{clause,3,[],[],[{nil,3}]}]}",
        "{'if',3,[{clause,3,[],[],[{atom,3,a}]}]}",
        "{'try',3,[{atom,3,a}],[],[],[]}",
        "{lc,3,{atom,3,a},[]}",
        "{string,3,[955,10,0]}",
        "{bin,3,[{bin_element,3,{string,3,[255]},{integer,3,-1},[integer,{unit,8}]}]}",
        "{cons,3,{atom,3,a},{cons,4,{atom,3,b},{cons,3,{atom,3,c},{var,3,'T'}}}}",
        "{'receive',3,[],{integer,3,0},[{atom,3,a}]}",
        "{'maybe',3,[{maybe_match,3,{var,3,'X'},{atom,3,a}}],{'else',3,[{clause,3,[{var,3,'_'}],[],[{var,3,'X'}]}]}}",
        "{mc,3,{map_field_assoc,3,{var,3,'K'},{var,3,'V'}},[{m_generate,3,{map_field_exact,3,{var,3,'K'},{var,3,'V'}},{var,3,'M'}}]}",
        "{record,3,'r r',[{record_field,3,{var,3,'_'},{atom,3,a}},{record_field,3,{atom,3,'_'},{atom,3,a}}]}",
    ] {
        same(&body(expr));
    }
    same(
        "{function,2,'',1,[{clause,2,[{op,2,'+',{integer,2,1},{integer,2,2}}],[[{call,2,{remote,2,{atom,2,erlang},{atom,2,is_list}},[{nil,2}]}]],[{nil,2}]}]}",
    );
}

#[test]
fn attributes_hold_any_term_of_a_source() {
    let module =
        same("{attribute,{1,2},mine,{[1,2|x],#{a => -1.5},<<1,2,255>>,<<5:3>>,\"text\",fun m:f/2,'A b',[],{}}}");
    let attribute = &module.attributes[0];
    assert_eq!(
        attribute.loc,
        Loc {
            line: 1,
            col: 2,
            file: 0
        }
    );
    assert!(matches!(&attribute.value.kind, ExprKind::Tuple(parts) if matches!(&parts[4].kind, ExprKind::String(_))));
    let pid = external("[{attribute,1,mine,[a,'PID']}]");
    // The atom with the same bytes, replaced by a process identifier.
    let at = pid.windows(3).position(|three| three == b"PID").unwrap() - 2;
    let mut bytes = pid[..at].to_vec();
    bytes.extend(b"\x58\x77\x01n\0\0\0\x01\0\0\0\0\0\0\0\0");
    bytes.extend(&pid[at + 5..]);
    let error = from_external(&bytes).unwrap_err();
    assert_eq!(error.path, [1, 4, 2]);
    assert_eq!(
        error.to_string(),
        "unsupported form: a process identifier in an attribute (at form 1, element 4.2, line 1)"
    );
}

#[test]
fn annotations_in_all_their_forms_give_places() {
    for (anno, line, col) in [
        ("7", 7, 0),
        ("0", 0, 0),
        ("{7,3}", 7, 3),
        ("{7,1000000}", 7, u16::MAX),
        ("[]", 0, 0),
        ("[{generated,true}]", 0, 0),
        ("[{location,7},{generated,true}]", 7, 0),
        (
            "[{file,\"x\"},{location,{7,3}},{record,true},{text,\"abc\"},compiler_generated,{other,1}]",
            7,
            3,
        ),
    ] {
        let module = read(&with_body(&format!("{{atom,{anno},a}}")));
        let loc = module.functions[0].clauses[0].body[0].loc;
        assert_eq!((loc.line, loc.col), (line, col), "{anno}");
    }
    for anno in [
        "-1",
        "foo",
        "{1}",
        "{1,a}",
        "{-1,1}",
        "{1,2,3}",
        "[1]",
        "[{location,x}]",
        "[{1,2}]",
        "[a|b]",
        "1.0",
        "#{}",
    ] {
        let (path, message) = refused(&format!("{{atom,{anno},a}}"));
        assert_eq!(path[..1], [2], "{anno}: {message}");
        assert!(
            message.starts_with("illegal form: expected an annotation: "),
            "{anno}: {message}"
        );
    }
    assert_eq!(
        refused("{atom,4294967296,a}"),
        (vec![2], "unsupported form: line 4294967296".to_owned())
    );
}

#[test]
fn file_attributes_change_the_file_of_what_follows() {
    let module = same(
        "{attribute,1,file,{\"a.erl\",1}},{attribute,1,module,m},{attribute,1,file,{\"b.hrl\",5}},\
         {function,6,f,0,[{clause,6,[],[],[{nil,6}]}]},{attribute,2,file,{\"a.erl\",2}},{function,3,g,0,[{clause,3,[],[],[{nil,3}]}]}",
    );
    assert_eq!(module.files, ["a.erl".into(), "b.hrl".into()]);
    let files: Vec<u16> = module
        .functions
        .iter()
        .map(|function| function.clauses[0].body[0].loc.file)
        .collect();
    assert_eq!(files, [1, 0]);
    // As OTP names the file of forms without one.
    assert_eq!(read("[{attribute,1,module,'m.n'}]").files, ["m.n.erl".into()]);
}

#[test]
fn the_fingerprint_is_of_the_forms_without_places() {
    let one = read(&with_body("{call,3,{atom,3,self},[]}"));
    let moved = read(&with_body("{call,[{generated,true}],{atom,{7,7},self},[]}"));
    let other = read(&with_body("{call,3,{atom,3,node},[]}"));
    assert_eq!(one.fingerprint, moved.fingerprint);
    assert_ne!(one.fingerprint, other.fingerprint);
    let ty = |line: u32| {
        read(&format!(
            "[{{attribute,{line},type,{{t,{{type,{line},binary,[{{integer,{line},0}},{{integer,{line},0}}]}},[]}}}}]"
        ))
    };
    assert_eq!(ty(1).fingerprint, ty(2).fingerprint);
    // Programs can print it.
    assert_eq!(one.fingerprint, 17_614_085_759_182_000_372);
}

#[test]
fn forms_of_errors_and_warnings_are_diagnostics() {
    let forms = from_external(&external(
        "[{attribute,1,file,{\"a.erl\",1}},{error,{{7,2},erl_parse,[\"syntax error before: \",[$', \"x\", $']]}},\
         {warning,{3,epp,{undefined,'M',none}}},{error,what},{attribute,1,module,m},{attribute,2,module,n},{eof,9}]",
    ))
    .unwrap();
    let told: Vec<_> = forms
        .diagnostics
        .iter()
        .map(|found| (found.kind, &*found.file, found.loc.line, found.message.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            (DiagnosticKind::Parse, "a.erl", 7, "syntax error before: 'x'"),
            (DiagnosticKind::Warning, "a.erl", 3, "{3,epp,{undefined,'M',none}}"),
            (DiagnosticKind::Parse, "a.erl", 0, "what"),
            (DiagnosticKind::Parse, "a.erl", 2, "redefining module"),
        ]
    );
    assert_eq!(forms.module.name.unwrap().atom.as_str(), "m");
}

/// `erl_lint` reports these for forms as for a source.
#[test]
fn illegal_patterns_and_segments_are_diagnostics() {
    let forms = with_body(
        "{match,3,{call,4,{atom,4,f},[]},{bin,5,[{bin_element,6,{nil,6},default,[foo]},{bin_element,7,{nil,7},default,[{unit,300}]}]}}",
    );
    let found = from_external(&external(&forms)).unwrap().diagnostics;
    let told: Vec<_> = found
        .iter()
        .map(|found| (found.kind, found.loc.line, found.message.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            (DiagnosticKind::Lint, 4, "illegal pattern"),
            (DiagnosticKind::Lint, 6, "bit type foo undefined"),
            (
                DiagnosticKind::Lint,
                7,
                "bit type {unit,300} undefined (a unit is 1 to 256)"
            ),
        ]
    );
}
