//! Each kind of refusal, with its place.

use super::{error, refused};

#[test]
#[expect(clippy::too_many_lines, reason = "a table: for each wrong form, what is said of it")]
fn illegal_expressions_are_refused_with_their_place() {
    for (expr, path, message) in [
        ("foo", &[][..], "expected an expression, found foo"),
        ("{foo,3}", &[], "expected an expression, found {foo,3}"),
        ("{var,3,\"X\"}", &[3], "expected a variable's name, an atom, found [88]"),
        ("{atom,3,1}", &[3], "expected an atom, found 1"),
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
        ("{'case',3,{nil,3},[]}", &[4], "case without clauses"),
        ("{'receive',3,[]}", &[3], "receive without clauses"),
        ("{'maybe',3,[{nil,3}],{'else',3,[]}}", &[4, 3], "else without clauses"),
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
#[expect(clippy::too_many_lines, reason = "a table: for each wrong form, what is said of it")]
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
