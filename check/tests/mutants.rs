//! Programs of this tree with a known bug, changed in ways that leave the bug: never `fixed`. A change that makes the program pass under all of the
//! schedules with which the bug was found is left out: it may have mended it.

use super::*;

/// Schedules under which a changed program is to show that it still has its bug.
const SHOWN: u64 = 60;

/// A source of numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }

    fn one_of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }
}

/// Every program with a known bug: those of `tests/pairs`, and those of `tests/verdicts`.
fn programs() -> Vec<(String, String)> {
    let mut all: Vec<(String, PathBuf)> = pairs()
        .into_iter()
        .map(|name| (name.clone(), folder().join(format!("{name}.erl"))))
        .collect();
    for entry in std::fs::read_dir(folder().join("../verdicts")).unwrap() {
        let path = entry.unwrap().path();
        let bug = path.join("bug.erl");
        // Where a target is named, another end comes first.
        if bug.exists() && !path.join("target").exists() {
            all.push((path.file_name().unwrap().to_str().unwrap().to_owned(), bug));
        }
    }
    all.sort();
    let read = |(name, path): (String, PathBuf)| Some((name, std::fs::read_to_string(path).ok()?));
    all.into_iter().filter_map(read).collect()
}

/// Names of functions with clauses that begin a line, without the entry.
fn functions(source: &str) -> Vec<&str> {
    let mut names: Vec<&str> = source
        .lines()
        .filter_map(|line| {
            let end = line.find('(')?;
            let name = &line[..end];
            let plain = name.starts_with(|c: char| c.is_ascii_lowercase())
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            (plain && name != "main").then_some(name)
        })
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Replaces a whole word.
fn renamed(source: &str, from: &str, to: &str) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '@';
    let mut out = String::new();
    let mut rest = source;
    while let Some(at) = rest.find(from) {
        let (before, after) = (&rest[..at], &rest[at + from.len()..]);
        let goes_on = before.ends_with(|c| is_word(c) || c == ':')
            || before.is_empty() && out.ends_with(is_word)
            || after.starts_with(is_word);
        out.push_str(before);
        out.push_str(if goes_on { from } else { to });
        rest = after;
    }
    out + rest
}

/// Adds an expression before the body of one of the functions (a clause that ends its line with the arrow), or of the entry.
fn begun(source: &str, numbers: &mut Numbers, only_entry: bool, expression: &str) -> Option<String> {
    let lines: Vec<&str> = source.lines().collect();
    let opens = |line: &str| {
        let is_entry = line.starts_with("main()");
        let is_clause = line.starts_with(|c: char| c.is_ascii_lowercase()) && line.contains('(');
        line.ends_with("->") && (is_entry || is_clause && !only_entry)
    };
    let places: Vec<usize> = (0..lines.len()).filter(|i| opens(lines[*i])).collect();
    let at = *places.get(numbers.below(places.len()))?;
    let mut out = String::new();
    for (i, line) in lines.iter().enumerate() {
        out.push_str(line);
        out.push('\n');
        if i == at {
            out.push_str(&format!("    {expression},\n"));
        }
    }
    Some(out)
}

/// One change that has nothing to do with the bug.
fn changed(source: &str, numbers: &mut Numbers) -> Option<String> {
    match numbers.below(10) {
        // A process more.
        0 => {
            let more = numbers.one_of(&[
                "spawn(fun() -> ok end)",
                "spawn(lists, seq, [1, 3])",
                "spawn(fun() -> receive never_sent -> ok after 3 -> ok end end)",
                "spawn(fun() -> timer:sleep(2), self() ! x, receive x -> ok end end)",
                "register(unrelated_helper, spawn(fun() -> receive stop_helper -> ok end end))",
                "spawn(fun() -> ets:new(unrelated, [named_table]), ets:insert(unrelated, {k, 1}) end)",
            ]);
            begun(source, numbers, true, more)
        }
        // A function has another name.
        1 => {
            let names = functions(source);
            let name = *names.get(numbers.below(names.len()))?;
            Some(renamed(source, name, &format!("{name}_as_before")))
        }
        // A message more, to another.
        2 => begun(
            source,
            numbers,
            false,
            "spawn(fun() -> receive noise_more -> ok end end) ! noise_more",
        ),
        // It prints.
        3 => begun(source, numbers, false, "io:format(\"~w here~n\", [1])"),
        // Steps that depend on nothing.
        4 | 5 => {
            let step = numbers.one_of(&[
                "_ = lists:sort([3, 2, 1])",
                "put(unrelated_key, 1)",
                "_ = make_ref()",
                "_ = ets:new(unrelated_table, [])",
                "_ = erlang:monitor(process, spawn(fun() -> receive go_on -> ok end end))",
                "_ = is_process_alive(self())",
                "_ = whereis(nobody_at_all)",
            ]);
            begun(source, numbers, false, step)
        }
        // A receive that takes nothing.
        6 => begun(source, numbers, false, "receive never_sent_1 -> ok after 0 -> ok end"),
        // Before anything is started, it waits.
        7 => begun(source, numbers, true, "timer:sleep(3)"),
        // A handshake with a helper.
        8 => begun(
            source,
            numbers,
            true,
            "begin Me_ = self(), H_ = spawn(fun() -> receive {hi_, P_} -> P_ ! hello_ end end), H_ ! {hi_, Me_}, receive hello_ -> ok end end",
        ),
        // Long timeouts are longer or shorter.
        _ => {
            let longer = source
                .replace("after 5000", "after 6000")
                .replace("after 1000", "after 1100");
            (longer != source).then_some(longer)
        }
    }
}

/// Does it fail under one of the first schedules?
fn fails(name: &str, source: &str) -> bool {
    let program = Text {
        path: format!("{name}.erl"),
        source: source.as_bytes().into(),
        release: Default::default(),
    };
    (1..=SHOWN).any(|seed| program.fails(seed).unwrap_or_default())
}

#[test]
fn a_change_that_leaves_the_bug_is_never_fixed() {
    let each = seeds::many(1, 12);
    let (mut all, mut still, mut undecided, mut mended) = (0_u64, 0_u64, 0_u64, 0_u64);
    let mut wrong = String::new();
    for (name, source) in seeds::share(programs(), 4) {
        let Some(session) = recorded_text(&name, &source, SHOWN) else {
            continue;
        };
        for n in 0..each {
            let mut numbers = Numbers(n.wrapping_mul(7_919) ^ name.bytes().map(u64::from).sum::<u64>());
            let mut text = source.clone();
            for _ in 0..=numbers.below(3) {
                text = changed(&text, &mut numbers).unwrap_or(text);
            }
            if text == source {
                text.push_str("%% Only this comment is new.\n");
            }
            if !fails(&name, &text) {
                mended += 1;
                continue;
            }
            let answer = checked(&session, &name, &text, Options::default());
            all += 1;
            still += u64::from(answer.verdict == CheckVerdict::StillFails);
            undecided += u64::from(matches!(
                answer.verdict,
                CheckVerdict::Diverged | CheckVerdict::Incomplete
            ));
            if answer.verdict.is_fixed() || answer.same_code && answer.verdict != CheckVerdict::StillFails {
                wrong.push_str(&format!(
                    "{name}, {n}: {:?} ({:?})\n{text}\n",
                    answer.verdict, answer.delay
                ));
            }
        }
    }
    println!("{all} changes: {still} still fail, {undecided} without a verdict; {mended} may have mended it");
    assert!(all >= each * 10, "{all}");
    assert!(wrong.is_empty(), "fixed, but the bug is there:\n{wrong}");
    assert!(still * 10 >= all * 8, "{still} of {all} still fail");
}
