use super::*;

fn found(pattern: &[u8], settings: Settings, subject: &[u8], offset: usize) -> Option<(usize, usize)> {
    let request = Request {
        offset,
        ..Request::default()
    };
    match Pattern::new(pattern, settings).unwrap().search(subject, &request).0 {
        MatchOutcome::Match(places) => places[0],
        _ => None,
    }
}

#[test]
fn bytes_are_characters_without_unicode() {
    let utf = Settings {
        utf: true,
        ..Settings::default()
    };
    let caseless = Settings {
        caseless: true,
        ..Settings::default()
    };
    assert_eq!(found(b".", Settings::default(), "\u{e5}x".as_bytes(), 1), Some((1, 2)));
    assert_eq!(found(b".", utf, "\u{e5}x".as_bytes(), 0), Some((0, 2)));
    // OTP compiles without `unicode` with tables of Latin-1.
    assert_eq!(found(br"\w+", Settings::default(), b"\xe5b", 0), Some((0, 2)));
    assert_eq!(found(&[0xe5], caseless, &[0xc5], 0), Some((0, 1)));
}

#[test]
fn errors_have_the_words_and_places_of_pcre() {
    for (bad, text, at) in [
        (&b"(a"[..], "missing )", 2),
        (b"*", "nothing to repeat", 0),
        (b"a)", "unmatched parentheses", 1),
        (b"[z-a]", "range out of order in character class", 3),
        (b"(?<=a*)", "lookbehind assertion is not fixed length", 6),
        (b"((?1))", "recursive call could loop indefinitely", 4),
        (b"(?1)(x)a(?R)", "recursive call could loop indefinitely", 11),
        (b"\\", "\\ at end of pattern", 1),
        (b"(?<n>a)(?<n>b)", "two named subpatterns have the same name", 11),
    ] {
        assert_eq!(
            Pattern::new(bad, Settings::default()).unwrap_err(),
            Error { text, at },
            "{bad:?}"
        );
    }
}

#[test]
fn what_pcre_has_and_others_do_not() {
    let first = |pattern: &[u8], subject: &[u8]| found(pattern, Settings::default(), subject, 0);
    assert_eq!(first(br"^(\((?:[^()]|(?1))*\))$", b"(a(b)c)"), Some((0, 7)));
    assert_eq!(first(b"(?|(a)|(b))\\1", b"abb"), Some((1, 3)));
    assert_eq!(first(b"a+(*COMMIT)c|b", b"aab"), None);
    assert_eq!(first(br"\141\x62", b"ab"), Some((0, 2)));
    assert_eq!(first(br".+\R", b"ab\rc"), None);
    assert_eq!(first(br".+?(\R)", b"ab\rc"), None);
    assert_eq!(first(br"\R?\s", b"\r"), None);
    assert_eq!(first(br"\R?\s", b"\r "), Some((0, 2)));
    assert_eq!(first(br"\S+\v", b"\x85\x85"), None);
    assert_eq!(first(br".+?(?:$|\R)", b"ab\rc"), Some((0, 3)));
    assert_eq!(first(br".+(?:\R|c)", b"ab\rc"), Some((0, 4)));
    assert_eq!(first(br".+\b\R", b"ab\rc"), Some((0, 3)));
    assert_eq!(first(br"(.+)\R", b"ab\rc"), None);
    assert_eq!(first(br"(.+?)\R", b"ab\rc"), Some((0, 3)));
    let groups = Pattern::new(b"(a*)*", Settings::default()).unwrap();
    let MatchOutcome::Match(places) = groups.search(b"aab", &Request::default()).0 else {
        panic!("it matches");
    };
    assert_eq!(places, [Some((0, 2)), Some((2, 2))]);
}

#[test]
fn a_pattern_tells_what_it_has() {
    let pattern = Pattern::new(b"(*UTF8)(*CRLF)(?<b>x)(?<a>y)(z)", Settings::default()).unwrap();
    assert_eq!(pattern.groups(), 3);
    assert_eq!(pattern.names(), [(b"a".to_vec(), 2), (b"b".to_vec(), 1)]);
    assert!(pattern.is_utf());
    assert_eq!(pattern.newline(), Newline::CrLf);
}

/// Whatever the bytes are, a pattern is compiled or refused, and a search ends.
#[test]
fn no_pattern_is_too_strange() {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = move |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    let words: [&[u8]; 18] = [
        b"(?",
        b"(?<",
        b"(?<=",
        b"(*",
        b"\\",
        b"[",
        b"]",
        b")",
        b"{2}",
        b"*+",
        b"(?R)",
        b"(?1)",
        b"\\C",
        b"\\X",
        b"|",
        b"(a",
        "\u{e9}".as_bytes(),
        b"(?(",
    ];
    let mut compiled = 0;
    for _ in 0..60_000 {
        let mut pattern = Vec::new();
        for _ in 0..random(14) {
            if random(3) == 0 {
                pattern.extend_from_slice(words[random(18) as usize]);
            } else {
                pattern.push(random(256) as u8);
            }
        }
        let subject: Vec<u8> = (0..random(10))
            .map(|_| [b'a', b'b', random(256) as u8][random(3) as usize])
            .collect();
        let settings = Settings {
            utf: random(2) == 0,
            caseless: random(2) == 0,
            extended: random(4) == 0,
            ucp: random(4) == 0,
            newline: if random(2) == 0 { Newline::Any } else { Newline::CrLf },
            ..Settings::default()
        };
        let Ok(re) = Pattern::new(&pattern, settings) else {
            continue;
        };
        compiled += 1;
        let request = Request {
            offset: random(subject.len() as u64 + 1) as usize,
            match_limit: Some(5000),
            ..Request::default()
        };
        let (found, _) = re.search(&subject, &request);
        if let MatchOutcome::Match(places) = found {
            assert!(
                places.iter().flatten().all(|&(from, to)| from.max(to) <= subject.len()),
                "{pattern:?}"
            );
        }
    }
    assert!(compiled > 5000, "{compiled} patterns compiled");
}

/// What would take exponential time ends by the limit, as in Erlang/OTP, or at once where a byte is missing.
#[test]
fn searches_are_given_up() {
    let search = |pattern: &[u8], subject: &[u8]| {
        let re = Pattern::new(pattern, Settings::default()).unwrap();
        re.search(subject, &Request::default()).0
    };
    let many = [b'a'; 28];
    assert_eq!(search(b"(a+)+$b", &many), MatchOutcome::NoMatch);
    assert_eq!(search(b"(a+)+[bc]", &many), MatchOutcome::GivenUp(Limit::Matches));
    // Deep, but without a stack of the host.
    let deep = vec![b'a'; 300_000];
    assert!(matches!(search(b"(?:a|b)*c?", &deep), MatchOutcome::Match(_)));
}

/// Whatever has tried much goes on where it was left, with the same result.
#[test]
fn long_searches_come_in_parts() {
    let subject = [vec![b'a'; 10_000], b"\nab!".to_vec()].concat();
    for (pattern, expected) in [
        (&b"a+!"[..], None),
        (b"(a+)\\1?b!", Some((10_001, 10_004))),
        (b"(?<=\\n)\\Gx|a*?!", Some((10_003, 10_004))),
    ] {
        let re = Pattern::new(pattern, Settings::default()).unwrap();
        let mut request = Request::default();
        let mut parts = 0;
        let found = loop {
            match re.search(&subject, &request) {
                (MatchOutcome::Unfinished(at), work) => {
                    assert!(request.from.is_none_or(|from| from < at) && work < 20_000_000);
                    request.from = Some(at);
                    parts += 1;
                }
                (MatchOutcome::Match(places), _) => break places[0],
                (MatchOutcome::NoMatch, _) => break None,
                (other, _) => panic!("{other:?}"),
            }
        };
        assert_eq!(found, expected, "{pattern:?}");
        assert!(parts > 1, "{parts} parts of {pattern:?}");
    }
}
