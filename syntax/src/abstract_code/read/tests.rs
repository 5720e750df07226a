//! Forms as text, read; each kind of refusal with its place.

use super::{FormsError, Refusal, from_external};
use crate::abstract_code::{Encoder, Places, to_external};
use crate::ast::*;
use crate::diagnostic::Kind;

/// A term in the external format.
fn external(term: &str) -> Vec<u8> {
    let terms = crate::parse_terms(format!("{term}.").as_bytes()).unwrap();
    let mut out = Encoder::new(Places::Columns);
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
        "{'case',3,{atom,3,a},[]}",
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
            (Kind::Parse, "a.erl", 7, "syntax error before: 'x'"),
            (Kind::Warning, "a.erl", 3, "{3,epp,{undefined,'M',none}}"),
            (Kind::Parse, "a.erl", 0, "what"),
            (Kind::Parse, "a.erl", 2, "redefining module"),
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
            (Kind::Lint, 4, "illegal pattern"),
            (Kind::Lint, 6, "bit type foo undefined"),
            (Kind::Lint, 7, "bit type {unit,300} undefined (a unit is 1 to 256)"),
        ]
    );
}

#[test]
fn illegal_expressions_are_refused_with_their_place() {
    for (expr, path, message) in [
        ("foo", &[][..], "expected an expression, found foo"),
        ("{foo,3}", &[], "expected an expression, found {foo,3}"),
        ("{var,3,\"X\"}", &[3], "expected a variable's name, an atom, found [88]"),
        ("{atom,3,1}", &[3], "expected an atom, found 1"),
        ("{integer,3,1.0}", &[3], "expected an integer, found 1.0"),
        ("{float,3,a}", &[3], "expected a float, found a"),
        ("{char,3,a}", &[3], "expected a character, found a"),
        ("{string,3,a}", &[3], "expected a list of characters, found a"),
        ("{string,3,[1,b]}", &[3, 2], "expected a character, found b"),
        (
            "{tuple,3,[{nil,3}|x]}",
            &[3],
            "expected a list of expressions, found [{nil,3}|x]",
        ),
        ("{tuple,3,[{nil,3},x]}", &[3, 2], "expected an expression, found x"),
        (
            "{cons,3,{nil,3},{cons,3,x,{nil,3}}}",
            &[4, 3],
            "expected an expression, found x",
        ),
        (
            "{cons,3,{nil,3},{cons,3,{nil,3},[]}}",
            &[4, 4],
            "expected a list's tail, found []",
        ),
        (
            "{map,3,[{map_field_foo,3,{nil,3},{nil,3}}]}",
            &[3, 1],
            "expected a map field, found {map_field_foo,3,{nil,3},{nil,3}}",
        ),
        ("{mc,3,{nil,3},[]}", &[3], "expected a map field, found {nil,3}"),
        ("{record,3,1,[]}", &[3], "expected a record's name, an atom, found 1"),
        (
            "{record,3,r,[{record_field,3,{atom,3,a}}]}",
            &[4, 1],
            "expected a record field, found {record_field,3,{atom,3,a}}",
        ),
        (
            "{record,3,r,[{record_field,3,{var,3,'F'},{nil,3}}]}",
            &[4, 1, 3],
            "expected a field's name as {atom, Anno, Name}, found {var,3,'F'}",
        ),
        (
            "{op,3,'+++',{nil,3},{nil,3}}",
            &[],
            "expected an operator with two operands, found {op,3,'+++',{nil,3},{nil,3}}",
        ),
        (
            "{op,3,'*',{nil,3}}",
            &[],
            "expected an operator with one operand, found {op,3,'*',{nil,3}}",
        ),
        ("{call,3,f,[]}", &[3], "expected what to call, an expression, found f"),
        ("{call,3,{atom,3,f},x}", &[4], "expected a list of expressions, found x"),
        (
            "{'fun',3,{function,f}}",
            &[3],
            "expected {clauses, …}, {function, Name, Arity} or {function, Module, Name, Arity}, found {function,f}",
        ),
        ("{'fun',3,{function,f,-1}}", &[3, 3], "expected an arity, found -1"),
        ("{'fun',3,{function,m,f,1}}", &[3, 2], "expected an expression, found m"),
        (
            "{'fun',3,{clauses,[]}}",
            &[3, 2],
            "expected a list of at least one clause, found []",
        ),
        (
            "{block,3,[]}",
            &[3],
            "expected a list of at least one expression, found []",
        ),
        (
            "{'case',3,{nil,3},[{clause,3,[],[],[{nil,3}]}]}",
            &[4, 1, 3],
            "expected a list of one pattern, found []",
        ),
        (
            "{'case',3,{nil,3},[{clause,3,[{nil,3}],[[]],[{nil,3}]}]}",
            &[4, 1, 4, 1],
            "expected a list of at least one guard test, found []",
        ),
        (
            "{'if',3,[{clause,3,[{nil,3}],[],[{nil,3}]}]}",
            &[3, 1, 3],
            "expected no patterns in a clause of `if`, found [{nil,3}]",
        ),
        (
            "{'try',3,[{nil,3}],[],[{clause,3,[{var,3,'_'}],[],[{nil,3}]}],[]}",
            &[5, 1, 3, 1],
            "expected one pattern {tuple, Anno, [Class, Reason, Stack]}, found {var,3,'_'}",
        ),
        (
            "{'try',3,[{nil,3}],[],[{clause,3,[{tuple,3,[{atom,3,a},{nil,3},{nil,3}]}],[],[{nil,3}]}],[]}",
            &[5, 1, 3, 1, 3, 3],
            "expected a variable for the stack trace, found {nil,3}",
        ),
        (
            "{maybe_match,3,{nil,3},{nil,3}}",
            &[],
            "expected an expression, found {maybe_match,3,{nil,3},{nil,3}}",
        ),
        (
            "{bin,3,[{nil,3}]}",
            &[3, 1],
            "expected a segment {bin_element, Anno, Value, Size, Types}, found {nil,3}",
        ),
        (
            "{bin,3,[{bin_element,3,{nil,3},all,default}]}",
            &[3, 1, 4],
            "expected an expression, found all",
        ),
        (
            "{bin,3,[{bin_element,3,{nil,3},default,x}]}",
            &[3, 1, 5],
            "expected default or a list of types, found x",
        ),
        (
            "{lc,3,{nil,3},[{generate,3,{nil,3}}]}",
            &[4, 1],
            "expected an expression, found {generate,3,{nil,3}}",
        ),
    ] {
        let (at, told) = refused(expr);
        assert_eq!(
            (&at[..], told.as_str()),
            (path, format!("illegal form: {message}").as_str()),
            "{expr}"
        );
    }
}

#[test]
fn what_the_tree_cannot_express_is_named() {
    for (expr, path, message) in [
        ("{float,3,5}", &[3][..], "an integer as the value of a float"),
        (
            "{char,3,16#d800}",
            &[3],
            "the character 55296, which Unicode does not have",
        ),
        (
            "{string,3,[97,-1]}",
            &[3, 2],
            "the character -1, which Unicode does not have",
        ),
        (
            "{'try',3,[{nil,3}],[],[{clause,3,[{tuple,3,[{integer,3,1},{nil,3},{var,3,'_'}]}],[],[{nil,3}]}],[]}",
            &[5, 1, 3, 1, 3, 1],
            "the class of a catch clause that is neither an atom nor a variable",
        ),
        (
            "{lc,3,{nil,3},[{zip,3,[]}]}",
            &[4, 1],
            "the qualifier zip, which later releases make",
        ),
        (
            "{executable_line,3,1}",
            &[],
            "executable_line, which later releases make",
        ),
        (
            "{bin,3,[{bin_element,3,{nil,3},default,[{unit,99999999999999999999}]}]}",
            &[3, 1, 5, 1, 2],
            "a unit of more than 64 bits",
        ),
    ] {
        let (at, told) = refused(expr);
        assert_eq!(
            (&at[..], told.as_str()),
            (path, format!("unsupported form: {message}").as_str()),
            "{expr}"
        );
    }
}

#[test]
fn illegal_forms_are_refused_with_their_place() {
    for (forms, told) in [
        ("x", "expected a list of forms, found x"),
        ("[a|b]", "expected a list of forms, found [a|b]"),
        (
            "[[]]",
            "expected a form {attribute, …}, {function, …}, {eof, …}, {error, …} or {warning, …}, found [] (at form 1)",
        ),
        (
            "[{attribute,1,1,a}]",
            "expected an attribute's name, an atom, found 1 (at form 1, element 3, line 1)",
        ),
        (
            "[{attribute,1,module,\"m\"}]",
            "expected the module's name, an atom, found [109] (at form 1, element 4, line 1)",
        ),
        (
            "[{attribute,1,export,foo}]",
            "expected a list of {Name, Arity}, found foo (at form 1, element 4, line 1)",
        ),
        (
            "[{attribute,1,export,[f]}]",
            "expected {Name, Arity}, found f (at form 1, element 4.1, line 1)",
        ),
        (
            "[{attribute,1,export,[{f,a}]}]",
            "expected an arity, found a (at form 1, element 4.1.2, line 1)",
        ),
        (
            "[{attribute,1,import,m}]",
            "expected {Module, [{Name, Arity}, …]}, found m (at form 1, element 4, line 1)",
        ),
        (
            "[{attribute,1,file,\"a\"}]",
            "expected {FileName, Line}, found [97] (at form 1, element 4, line 1)",
        ),
        (
            "[{attribute,1,record,r}]",
            "expected {RecordName, Fields}, found r (at form 1, element 4, line 1)",
        ),
        (
            "[{attribute,1,record,{r,[f]}}]",
            "expected {record_field, …} or {typed_record_field, …}, found f (at form 1, element 4.2.1, line 1)",
        ),
        (
            "[{attribute,1,type,t}]",
            "expected {TypeName, Type, Variables}, found t (at form 1, element 4, line 1)",
        ),
        (
            "[{attribute,1,type,{t,{type,2,product,[]},[]}}]",
            "expected a type, found {type,2,product,[]} (at form 1, element 4.2, line 2)",
        ),
        (
            "[{attribute,1,type,{t,{type,2,any,[]},[{atom,1,a}]}}]",
            "expected a type variable {var, Anno, Name}, found {atom,1,a} (at form 1, element 4.3.1, line 1)",
        ),
        (
            "[{attribute,1,type,{t,{type,2,map,[{nil,2}]},[]}}]",
            "expected {type, Anno, map_field_assoc, [Key, Value]}, found {nil,2} (at form 1, element 4.2.4.1, line 2)",
        ),
        (
            "[{attribute,1,type,{t,{remote_type,2,[{atom,2,m}]},[]}}]",
            "expected [Module, Name, Arguments], found [{atom,2,m}] (at form 1, element 4.2.3, line 2)",
        ),
        (
            "[{attribute,1,spec,{f,[]}}]",
            "expected {Name, Arity}, found f (at form 1, element 4.1, line 1)",
        ),
        (
            "[{attribute,1,spec,{{f,0},[]}}]",
            "expected a list of at least one function type, found [] (at form 1, element 4.2, line 1)",
        ),
        (
            "[{attribute,1,spec,{{f,0},[{type,2,any,[]}]}}]",
            "expected a function type {type, Anno, 'fun', [Product, Result]}, found {type,2,any,[]} (at form 1, element 4.2.1, line 1)",
        ),
        (
            "[{function,1,f,1,[{clause,2,[],[],[{nil,2}]}]}]",
            "expected the number of arguments of the clauses, found 1 (at form 1, element 4, line 1)",
        ),
        (
            "[{function,1,f,0,[]}]",
            "expected a list of at least one clause, found [] (at form 1, element 5, line 1)",
        ),
        (
            "[{function,1,f,0,[{clause,2,[],[],[{nil,2}]},{clause,3,[{nil,3}],[],[{nil,2}]}]}]",
            "expected as many arguments as in the first clause, found [{nil,3}] (at form 1, element 5.2.3, line 3)",
        ),
        (
            "[{function,1,f,0,[{clause,2,[],[],[]}]}]",
            "expected a list of at least one expression, found [] (at form 1, element 5.1.5, line 2)",
        ),
        (
            "[{attribute,1,file,{\"a.erl\",1}},{function,7,1,0,x}]",
            "expected a function's name, an atom, found 1 (at form 2, element 3, a.erl:7)",
        ),
    ] {
        assert_eq!(error(forms).to_string(), format!("illegal form: {told}"), "{forms}");
    }
    let pmod = error("[{attribute,1,module,{m,['X']}}]");
    assert_eq!(
        pmod.to_string(),
        "unsupported form: a parameterized module (at form 1, element 4, line 1)"
    );
}

#[test]
fn bytes_that_are_no_term_are_refused() {
    let why = |bytes: &[u8]| match from_external(bytes).unwrap_err() {
        FormsError {
            why: Refusal::External { offset, why },
            ..
        } => (offset, why),
        other => panic!("{other}"),
    };
    const SHORT: &str = "the bytes end inside a term";
    assert_eq!(why(b""), (0, SHORT));
    assert_eq!(why(b"\x84\x6a"), (0, "a term begins with the byte 131"));
    assert_eq!(
        why(b"\x83\x50\0\0\0\x01x"),
        (1, "a compressed term, which is to be unpacked before")
    );
    assert_eq!(why(b"\x83\x07"), (1, "an unknown kind of term"));
    assert_eq!(why(b"\x83\x68\x01\x77\x01\xff"), (3, "an atom that is no text"));
    assert_eq!(why(b"\x83\x46\x7f\xf0\0\0\0\0\0\0"), (1, "a float that is not finite"));
    assert_eq!(
        why(b"\x83\x4d\0\0\0\x01\x09\0"),
        (1, "a bitstring with a wrong number of bits")
    );
    let long = [&[131, 118, 1, 0][..], &[b'a'; 256]].concat();
    assert_eq!(why(&long), (1, "an atom of more than 255 characters"));
    // Lengths that nothing follows.
    for tag in [105, 108, 109, 111, 116] {
        assert_eq!(why(&[131, tag, 255, 255, 255, 255]).1, SHORT, "{tag}");
    }
    // Each claims all bytes that are left.
    let claims: Vec<u8> = std::iter::once(131)
        .chain((0..20_000).flat_map(|_| [105, 0, 0, 255, 0]))
        .collect();
    assert_eq!(why(&claims).1, SHORT);
    assert_eq!(from_external(b"\x83\x6a and more").unwrap().module.order, []);
}

#[test]
fn other_spellings_of_terms_are_read() {
    // Latin-1 atoms, a float as text, a list whose tail is a list, a list of small numbers, an empty string, a small number as a big one.
    let mut bytes = b"\x83\x6c\0\0\0\x01\x68\x04\x64\0\x09attribute\x61\x01\x73\x01\xe9\x68\x03\x63".to_vec();
    bytes.extend(b"1.50000000000000000000e+00\0\0\0\0\0");
    bytes.extend(b"\x6c\0\0\0\x01\x61\x01\x6c\0\0\0\0\x6b\0\x02\x02\x03\x6e\x01\x01\x05\x6a");
    let module = from_external(&bytes).unwrap().module;
    assert_eq!(module.attributes[0].name.as_str(), "é");
    let ExprKind::Tuple(parts) = &module.attributes[0].value.kind else {
        panic!("{:?}", module.attributes[0].value)
    };
    assert!(matches!(parts[0].kind, ExprKind::Float(1.5)));
    assert!(matches!(&parts[1].kind, ExprKind::List(list) if list.items.len() == 3 && list.tail.is_none()));
    assert!(matches!(parts[2].kind, ExprKind::Integer(-5)));
}

/// Deep and long forms, on a small thread stack.
#[test]
fn forms_of_any_depth_and_length_do_not_overflow() {
    let node = |tag: &str, more: u8| {
        let mut bytes = vec![104, more + 2, 119, tag.len() as u8];
        bytes.extend(tag.as_bytes());
        bytes.extend([97, 1]);
        bytes
    };
    // A function whose body is `depth` nodes `open` around `[]`, each closed by `close`.
    let module = move |open: &[u8], close: &[u8], depth: usize| {
        let mut bytes = vec![131, 108, 0, 0, 0, 1];
        bytes.extend(node("function", 3));
        bytes.extend(b"\x77\x01f\x61\0\x6c\0\0\0\x01");
        bytes.extend(node("clause", 3));
        bytes.extend(b"\x6a\x6a\x6c\0\0\0\x01");
        (0..depth).for_each(|_| bytes.extend(open));
        bytes.extend(node("nil", 0));
        (0..depth).for_each(|_| bytes.extend(close));
        bytes.extend(b"\x6a\x6a\x6a");
        bytes
    };
    let nil = node("nil", 0);
    let cons = [node("cons", 2), nil.clone()].concat();
    let catch = node("catch", 1);
    let pattern = [node("match", 2), nil.clone()].concat();
    let tuple = [node("tuple", 1), vec![108, 0, 0, 0, 1]].concat();
    let left = [node("op", 3), b"\x77\x01+".to_vec()].concat();
    let steps = move || {
        let read = |open: &[u8], close: &[u8], depth| from_external(&module(open, close, depth));
        for (open, close) in [(&catch, &[][..]), (&pattern, &[]), (&tuple, &[106]), (&left, &nil)] {
            let deep = read(open, close, 100_000).unwrap().module;
            assert_eq!(to_external(&deep).len(), module(open, close, 100_000).len() + 9);
            drop(deep);
            let error = read(open, close, 250_000).unwrap_err();
            assert!(
                error
                    .to_string()
                    .starts_with("unsupported form: nesting deeper than 200000 (at form 1, element 5.1.5.1.")
            );
        }
        let long = read(&cons, &[], 1_000_000).unwrap().module;
        assert!(
            matches!(&long.functions[0].clauses[0].body[0].kind, ExprKind::List(list) if list.items.len() == 1_000_000)
        );
        // A term of that depth is no form.
        let terms = [&[131][..], &[104, 1].repeat(1_000_000), &[106]].concat();
        assert!(
            from_external(&terms)
                .unwrap_err()
                .to_string()
                .contains("expected a list of forms, found {{{{{…}}}}}")
        );
    };
    std::thread::Builder::new()
        .stack_size(512 * 1024)
        .spawn(steps)
        .unwrap()
        .join()
        .unwrap();
}

/// Places of their own of a list's cells are kept, up to a number that no source reaches.
#[test]
fn cells_with_places_of_their_own_do_not_nest_without_end() {
    let mut list = "{nil,1}".to_owned();
    for line in 2..200 {
        list = format!("{{cons,{line},{{atom,1,a}},{list}}}");
    }
    let module = read(&with_body(&list));
    let mut count = 0;
    let mut expr = &module.functions[0].clauses[0].body[0];
    while let ExprKind::List(list) = &expr.kind {
        count += list.items.len();
        let Some(tail) = &list.tail else { break };
        expr = tail;
    }
    assert_eq!(count, 198);
}
