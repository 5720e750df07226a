use super::*;
fn scan(text: &str) -> Scan<Vec<Tok>> {
    let mut tokens = Vec::new();
    let mut scanner = Scanner::new(text, 0);
    while scanner.form(&mut tokens)? {}
    Ok(tokens.into_iter().map(|t| t.tok).collect())
}

fn one(text: &str) -> Tok {
    let mut toks = scan(text).unwrap();
    assert_eq!(toks.len(), 1, "{text}: {toks:?}");
    toks.remove(0)
}

#[test]
fn numbers() {
    assert_eq!(one("1_000"), Tok::Integer(1000));
    assert_eq!(one("16#ff"), Tok::Integer(255));
    assert_eq!(one("2#1010_1010"), Tok::Integer(170));
    assert_eq!(one("36#Zz"), Tok::Integer(35 * 37));
    assert_eq!(one("1.5e-3"), Tok::Float(0.0015));
    assert_eq!(one("9223372036854775807"), Tok::Integer(i64::MAX));
    assert!(matches!(one("9223372036854775808"), Tok::BigInteger(_)));
    assert_eq!(scan("1e3").unwrap(), [Tok::Integer(1), Tok::Atom(Atom::new("e3"))]);
    assert_eq!(scan("1..3").unwrap(), [Tok::Integer(1), Tok::DotDot, Tok::Integer(3)]);
    assert_eq!(scan("37#1").unwrap_err().message, "illegal base '37'");
    assert_eq!(scan("1.0e999").unwrap_err().message, "illegal float");
    assert_eq!(scan("16#").unwrap_err().message, "illegal integer");
}

#[test]
fn chars_and_escapes() {
    assert_eq!(one("$a"), Tok::Char('a'));
    assert_eq!(one("$\\n"), Tok::Char('\n'));
    assert_eq!(one("$\\x{1F600}"), Tok::Char('\u{1f600}'));
    assert_eq!(one("$\\x41"), Tok::Char('A'));
    assert_eq!(one("$\\101"), Tok::Char('A'));
    assert_eq!(one("$\\^A"), Tok::Char('\u{1}'));
    assert_eq!(one("$ "), Tok::Char(' '));
    assert_eq!(one(r#""a\tb\"c""#), Tok::String("a\tb\"c".into()));
    assert!(scan("$\\x{D800}").is_err());
    assert!(scan("$\\x{110000}").is_err());
    assert!(scan("$").is_err());
    assert!(scan("\"abc").is_err());
}

#[test]
fn names_and_keywords() {
    assert_eq!(one("'hello world'"), Tok::Atom(Atom::new("hello world")));
    assert_eq!(one("'after'"), Tok::Atom(Atom::AFTER));
    assert_eq!(one("after"), Tok::After);
    assert_eq!(one("maybe"), Tok::Atom(Atom::new("maybe")));
    assert_eq!(one("_X@1"), Tok::Var(Atom::new("_X@1")));
    assert_eq!(one("été"), Tok::Atom(Atom::new("été")));
    assert_eq!(one("Été"), Tok::Var(Atom::new("Été")));
    assert!(scan(&"a".repeat(256)).is_err());
    assert!(scan("日本").is_err());
}

#[test]
fn columns_count_characters() {
    let mut tokens = Vec::new();
    Scanner::new("'é' x % ö\n\ty.", 0).form(&mut tokens).unwrap();
    let places: Vec<_> = tokens.iter().map(|t| (t.loc.line, t.loc.col)).collect();
    assert_eq!(places, [(1, 1), (1, 5), (2, 2), (2, 3)]);
}

#[test]
fn dots_end_forms() {
    let mut scanner = Scanner::new("a. b.c.%x\nd", 0);
    let mut counts = Vec::new();
    loop {
        let mut tokens = Vec::new();
        if !scanner.form(&mut tokens).unwrap() {
            break;
        }
        counts.push(tokens.len());
    }
    assert_eq!(counts, [2, 4, 1]);
}

#[test]
fn strings_of_otp_27() {
    assert_eq!(
        one("\"\"\"\n  a\n    \"b\\n\"\n  \"\"\""),
        Tok::String("a\n  \"b\\n\"".into())
    );
    assert_eq!(scan("\"\"\"\"").unwrap().len(), 2);
    let sigil = |kind: &str, text: &str, suffix: &str| {
        let (kind, text) = (Tok::SigilPrefix(Atom::new(kind)), Tok::String(text.into()));
        [kind, text, Tok::SigilSuffix(suffix.into())]
    };
    assert_eq!(scan("~s(a\\n)").unwrap(), sigil("s", "a\n", ""));
    assert_eq!(scan("~S|a\\n|b").unwrap(), sigil("S", "a\\n", "b"));
    assert_eq!(scan("~\"x\"").unwrap(), sigil("", "x", ""));
    assert_eq!(scan("~b\"\"\"\n \\x41\n \"\"\"").unwrap(), sigil("b", "A", ""));
    assert!(scan("\"\"\"\n  a\n b\n  \"\"\"").is_err());
    assert!(scan("\"\"\"\n  a\n").is_err());
}

#[test]
fn floats_have_a_base_in_otp_28() {
    assert_eq!(one("16#ff.8"), Tok::Float(255.5));
    assert_eq!(one("16#ff.8#e1"), Tok::Float(4088.0));
    assert_eq!(one("2#0.1#e-3"), Tok::Float(0.0625));
    assert_eq!(one("10#1.5#E+3"), Tok::Float(1500.0));
    assert_eq!(scan("16#f.").unwrap(), [Tok::Integer(15), Tok::Dot]);
    assert_eq!(scan("2#1.0#e2000").unwrap_err().message, "illegal float");
    assert_eq!(scan("16#f.f#e").unwrap_err().message, "illegal float");
}

/// What is a token in one release is an error in another.
#[test]
fn a_release_has_its_tokens() {
    let scan_as = |release, text| {
        let mut scanner = Scanner::new(text, 0);
        let release = Release::nearest(release);
        scanner.dialect = Dialect {
            release,
            newest: release,
        };
        let mut tokens = Vec::new();
        while scanner.form(&mut tokens)? {}
        Ok::<_, ScanError>(tokens.len())
    };
    for (text, older, newer) in [
        ("1a", Ok(2), Err("illegal integer")),
        ("1.a", Ok(3), Err("illegal float")),
        (
            "\"a\"\"b\"",
            Ok(2),
            Err("adjacent string literals without intervening white space"),
        ),
        (
            "\"\"\"a\"\"\"",
            Ok(3),
            Err("unterminated triple-quoted string starting with \"a\\\"\\\"\\\"\""),
        ),
        ("~s\"a\"", Ok(3), Ok(3)),
        ("~\"a\"", Ok(2), Ok(3)),
        ("<:-", Ok(3), Ok(1)),
        ("&&", Ok(2), Ok(1)),
        ("16#f.8", Ok(3), Ok(1)),
        ("$\\^1", Ok(1), Err("illegal character")),
    ] {
        for (release, expected) in [(25, older), (28, newer)] {
            let found = scan_as(release, text).map_err(|error| error.message);
            assert_eq!(found, expected.map_err(str::to_owned), "{text} in {release}");
        }
    }
}

#[test]
fn an_error_skips_its_form() {
    let mut scanner = Scanner::new("a 1.0e999 b. c.", 0);
    let mut tokens = Vec::new();
    assert!(scanner.form(&mut tokens).is_err());
    assert!(tokens.is_empty());
    assert!(scanner.form(&mut tokens).unwrap());
    assert_eq!(tokens.len(), 2);
}
