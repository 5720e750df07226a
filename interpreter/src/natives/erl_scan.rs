//! Natives for `erl_scan` and `erl_parse`: tokens and terms from text.

use crate::native::{Context, Native, Raise};
use crate::print::read::{self, ParseGoal, Patterns};
use crate::term::Term;
use syntax::Release;
use syntax::scan::Dialect;

/// This area's natives.
pub const NATIVES: &[Native] = &[
    Native::pure("erl_scan", "$string", 3, string).retired(),
    Native::pure("erl_scan", "$pieces", 3, pieces).retired(),
    Native::pure("erl_scan", "$string", 4, string),
    Native::pure("erl_scan", "$pieces", 4, pieces),
    Native::pure("erl_parse", "parse_term", 1, |cx, a| {
        read::parse(cx.heap, a[0], ParseGoal::Term, cx.code.release())
    }),
    Native::pure("erl_parse", "parse_exprs", 1, |cx, a| {
        read::parse(cx.heap, a[0], ParseGoal::Exprs(Patterns::Checked), cx.code.release())
    })
    .retired(),
    Native::pure("erl_parse", "$form", 1, |cx, a| {
        read::parse(cx.heap, a[0], ParseGoal::Form(Patterns::Checked), cx.code.release())
    })
    .retired(),
    Native::pure("erl_parse", "$any_exprs", 1, |cx, a| {
        read::parse(cx.heap, a[0], ParseGoal::Exprs(Patterns::Any), cx.code.release())
    }),
    Native::pure("erl_parse", "$any_form", 1, |cx, a| {
        read::parse(cx.heap, a[0], ParseGoal::Form(Patterns::Any), cx.code.release())
    }),
];

/// `$string(Chars, Line, Column | no_col, Release)`.
fn string(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let (text, line) = text(cx, args)?;
    Ok(read::scan_string(
        cx.heap,
        &text,
        line,
        args[2].as_small(),
        dialect(args),
    ))
}

/// `$pieces(Chars, Line, Column | no_col, Release)`.
fn pieces(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let (text, line) = text(cx, args)?;
    read::scan_pieces(cx.heap, &text, line, args[2].as_small(), dialect(args))
}

/// The tokens of a release: the last argument, which older traces do not have.
fn dialect(args: &[Term]) -> Dialect {
    let release = args.get(3).and_then(|release| u32::try_from(release.as_small()?).ok());
    match release.map(Release::nearest) {
        Some(release) => Dialect {
            release,
            newest: release,
        },
        None => Dialect::of_source(Release::OLDEST),
    }
}

/// The text and the line of `(Chars, Line, …)`.
fn text(cx: &mut Context<'_>, args: &[Term]) -> Result<(String, i64), Raise> {
    let chars = cx.heap.list(args[0]).ok_or(Raise::badarg())?;
    let mut text = String::with_capacity(chars.len());
    for c in chars {
        let c = c
            .as_small()
            .and_then(|c| u32::try_from(c).ok())
            .filter(|&c| c <= 0x10_ffff)
            .ok_or(Raise::badarg())?;
        // The scanner refuses U+FFFE, as it refuses numbers that are not characters.
        text.push(char::from_u32(c).unwrap_or('\u{fffe}'));
    }
    let line = args[1].as_small().ok_or(Raise::badarg())?;
    cx.local.charge += (text.len() / 8) as u32;
    Ok((text, line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::natives::testing::{Machine, atom, small};
    use crate::print::{NoCode, Style, write};

    fn show(m: &Machine, t: Term) -> String {
        write(&m.heap, t, -1, &Style::unicode(&NoCode))
    }

    fn scan(m: &mut Machine, text: &str, column: Term) -> Term {
        let chars = m.heap.make_string(text);
        m.call(string, &[chars, small(1), column]).unwrap()
    }

    /// As in OTP 25.
    #[test]
    fn tokens_are_those_of_erl_scan() {
        let mut m = Machine::new();
        for (text, expected) in [
            ("[1,.", "{ok,[{'[',1},{integer,1,1},{',',1},{dot,1}],1}"),
            ("a B. c", "{ok,[{atom,1,a},{var,1,'B'},{dot,1},{atom,1,c}],1}"),
            (
                "<0.1.0>.",
                "{ok,[{'<',1},{float,1,0.1},{'.',1},{integer,1,0},{'>',1},{dot,1}],1}",
            ),
            ("a @ b", "{ok,[{atom,1,a},{'@',1},{atom,1,b}],1}"),
            ("\n\nfoo 'if' if", "{ok,[{atom,3,foo},{atom,3,'if'},{'if',3}],3}"),
            (
                "$a 16#ff \"x\"",
                "{ok,[{char,1,97},{integer,1,255},{string,1,[120]}],1}",
            ),
            ("\"abc", "{error,{1,erl_scan,{string,34,[97,98,99]}},1}"),
            ("a\n 'abc", "{error,{2,erl_scan,{string,39,[97,98,99]}},2}"),
            ("$", "{error,{1,erl_scan,char},1}"),
            ("37#1", "{error,{1,erl_scan,{base,37}},1}"),
            ("1.0e999", "{error,{1,erl_scan,{illegal,float}},1}"),
            ("λ", "{error,{1,erl_scan,{illegal,character}},1}"),
            ("\"a\nb\" c", "{ok,[{string,1,[97,10,98]},{atom,2,c}],2}"),
        ] {
            let t = scan(&mut m, text, atom("no_col"));
            assert_eq!(show(&m, t), expected, "{text}");
        }
        let t = scan(&mut m, "a B. c", small(1));
        assert_eq!(
            show(&m, t),
            "{ok,[{atom,{1,1},a},{var,{1,3},'B'},{dot,{1,4}},{atom,{1,6},c}],{1,7}}"
        );
    }

    /// As in OTP 25.
    #[test]
    fn terms_are_those_of_erl_parse() {
        let mut m = Machine::new();
        for (text, expected) in [
            ("-1.", "{ok,-1}"),
            ("+1.", "{ok,1}"),
            ("\"a\" \"b\".", "{ok,\"ab\"}"),
            ("<<1,2:4,\"abc\">>.", "{ok,<<1,38,22,38,3:4>>}"),
            ("<<1:16/little,3.0/float>>.", "{ok,<<1,0,64,8,0,0,0,0,0,0>>}"),
            ("#{a=>1,b=>[x|y]}.", "{ok,#{a => 1,b => [x|y]}}"),
            ("fun m:f/1.", "{ok,fun m:f/1}"),
            ("X.", "{error,{1,erl_parse,\"bad term\"}}"),
            ("f(x).", "{error,{1,erl_parse,\"bad term\"}}"),
            ("- -1.", "{error,{1,erl_parse,\"bad term\"}}"),
            ("#r{a=1}.", "{error,{1,erl_parse,\"bad term\"}}"),
            ("1,2.", "{error,{1,erl_parse,\"bad term\"}}"),
            ("[1,.", "{error,{1,erl_parse,[\"syntax error before: \",\"'.'\"]}}"),
            ("{a,b", "{error,{1,erl_parse,[\"syntax error before: \",[]]}}"),
            ("1 2.", "{error,{1,erl_parse,[\"syntax error before: \",\"2\"]}}"),
            ("", "{error,{0,erl_parse,[\"syntax error before: \",[]]}}"),
            ("a. b.", "{error,{1,erl_parse,[\"syntax error before: \",\"b\"]}}"),
            (
                "#Ref<0.1>.",
                "{error,{1,erl_parse,[\"syntax error before: \",\"Ref\"]}}",
            ),
            ("end.", "{error,{1,erl_parse,[\"syntax error before: \",\"'end'\"]}}"),
            (
                "foo \"str\".",
                "{error,{1,erl_parse,[\"syntax error before: \",\"\\\"str\\\"\"]}}",
            ),
            ("{1,2]}.", "{error,{1,erl_parse,[\"syntax error before: \",\"']'\"]}}"),
            ("<0.1.0>.", "{error,{1,erl_parse,[\"syntax error before: \",\"'<'\"]}}"),
            ("?x.", "{error,{1,erl_parse,[\"syntax error before: \",\"'?'\"]}}"),
            ("\n\nfoo", "{error,{3,erl_parse,[\"syntax error before: \",[]]}}"),
        ] {
            let scanned = scan(&mut m, text, atom("no_col"));
            let tokens = m.heap.tuple(scanned).unwrap()[1];
            let t = m
                .call(
                    |cx, a| read::parse(cx.heap, a[0], ParseGoal::Term, cx.code.release()),
                    &[tokens],
                )
                .unwrap();
            let found = crate::print::pretty(
                &m.heap,
                t,
                &crate::print::PrettyOptions {
                    line_length: 0,
                    ..crate::print::PrettyOptions::new(Style::unicode(&NoCode))
                },
            );
            assert_eq!(found, expected, "{text}");
        }
        let scanned = scan(&mut m, "X = f(1), [X | y].", atom("no_col"));
        let tokens = m.heap.tuple(scanned).unwrap()[1];
        let t = m
            .call(
                |cx, a| read::parse(cx.heap, a[0], ParseGoal::Exprs(Patterns::Any), cx.code.release()),
                &[tokens],
            )
            .unwrap();
        assert_eq!(
            show(&m, t),
            "{ok,[{match,1,{var,1,'X'},{call,1,{atom,1,f},[{integer,1,1}]}},{cons,1,{var,1,'X'},{atom,1,y}}]}"
        );
    }

    #[test]
    fn deep_terms_are_read() {
        let mut m = Machine::new();
        let text = format!("{}{}.", "[".repeat(50_000), "]".repeat(50_000));
        let scanned = scan(&mut m, &text, atom("no_col"));
        let tokens = m.heap.tuple(scanned).unwrap()[1];
        let t = m
            .call(
                |cx, a| read::parse(cx.heap, a[0], ParseGoal::Term, cx.code.release()),
                &[tokens],
            )
            .unwrap();
        assert_eq!(show(&m, t).len(), "{ok,}".len() + 100_000);
    }
}
