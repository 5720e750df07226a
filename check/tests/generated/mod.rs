//! Randomly generated programs, each of which can lose an update of a value that several processes count up. A change that fixes nothing is
//! never `fixed`, and a change of comments alone always gives `still fails` by the recorded choices.

use check::{CheckVerdict, Options};

use super::{checked, recorded_text};

/// A source of numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

/// What a worker does.
#[derive(Clone, Copy)]
enum Op {
    /// Counts a value up: reads it, then writes it.
    Bump(usize),
    /// Reads a value.
    Look(usize),
    /// Sleeps.
    Sleep(u64),
    /// Sends itself messages and receives them.
    Noise(u64),
}

/// A program: where each value is kept (in a table or by a process), and what each worker does.
struct Program {
    in_table: Vec<bool>,
    workers: Vec<Vec<Op>>,
}

/// How its source is changed.
#[derive(Default)]
struct Change {
    /// Values that are counted up in one step.
    at_once: Vec<usize>,
    /// Before counting, a worker does something that is independent of all others.
    busy: bool,
    /// Before counting, a worker reads another value.
    looks: bool,
    /// The same behaviour with different source text.
    in_other_words: bool,
    /// An additional process.
    one_more: bool,
    /// Between reading and writing there is another step.
    between: bool,
}

impl Program {
    fn of(seed: u64) -> Self {
        let mut numbers = Numbers(seed);
        numbers.below(2);
        let in_table: Vec<bool> = (0..1 + numbers.below(3)).map(|_| numbers.below(2) == 0).collect();
        let values = in_table.len() as u64;
        let mut op = |_| match numbers.below(8) {
            0 | 1 => Op::Noise(1 + numbers.below(3)),
            2 => Op::Sleep(numbers.below(3)),
            3 => Op::Look(numbers.below(values) as usize),
            _ => Op::Bump(numbers.below(values) as usize),
        };
        let sizes = [3, 5, 4, 2];
        let workers = sizes[..2 + (seed % 3) as usize].iter();
        let workers = workers.map(|&size| (0..size).map(&mut op).collect()).collect();
        Self { in_table, workers }
    }

    fn times(&self, value: usize) -> usize {
        let bumps = self.workers.iter().flatten();
        bumps.filter(|op| matches!(op, Op::Bump(it) if *it == value)).count()
    }

    fn text(&self, change: &Change) -> String {
        let mut text =
            "-module(made).\n-export([main/0]).\n\nmain() ->\n    Table = ets:new(values, [public]),\n".to_owned();
        if change.one_more {
            text += "    spawn(fun() -> receive never -> ok end end),\n";
        }
        let places = self.in_table.iter().enumerate().map(|(value, &in_table)| {
            text += &format!("    ets:insert(Table, {{{value}, 0}}),\n");
            if in_table {
                format!("{value} => {{table, Table}}")
            } else {
                format!("{value} => {{server, spawn_link(fun() -> server(0) end)}}")
            }
        });
        let places: Vec<String> = places.collect();
        text += &format!("    Values = #{{{}}},\n    Workers = [\n", places.join(", "));
        let workers: Vec<String> = self.workers.iter().map(|ops| worker(ops)).collect();
        let expected: Vec<String> = (0..places.len())
            .map(|value| format!("{{{value}, {}}}", self.times(value)))
            .collect();
        text += &format!(
            "{}\n    ],\n    [receive {{'DOWN', R, process, P, normal}} -> ok end || {{P, R}} <- Workers],\n    \
             lists:foreach(fun({{K, N}}) -> case look(Values, K) of N -> ok; V -> exit({{lost, K, V}}) end end, [{}]).\n\n",
            workers.join(",\n"),
            expected.join(", ")
        );
        for value in &change.at_once {
            text += &format!("bump(Values, {value}) ->\n    at_once(Values, {value});\n");
        }
        text += "bump(Values, K) ->\n";
        if change.busy {
            text += "    noise(2),\n    erlang:yield(),\n";
        }
        if change.looks {
            text += "    _ = look(Values, 0),\n";
        }
        text += if change.in_other_words {
            "    Next = 1 + look(Values, K),\n"
        } else {
            "    V = look(Values, K),\n"
        };
        if change.between {
            text += "    noise(1),\n";
        }
        text += if change.in_other_words {
            "    put_value(maps:get(K, Values), K, Next).\n\n"
        } else {
            "    put_value(maps:get(K, Values), K, V + 1).\n\n"
        };
        text + COMMON
    }
}

fn worker(ops: &[Op]) -> String {
    let ops: Vec<String> = ops
        .iter()
        .map(|op| match op {
            Op::Bump(value) => format!("bump(Values, {value})"),
            Op::Look(value) => format!("look(Values, {value})"),
            Op::Sleep(ms) => format!("timer:sleep({ms})"),
            Op::Noise(n) => format!("noise({n})"),
        })
        .collect();
    format!(
        "        spawn_monitor(fun() ->\n            {}\n        end)",
        ops.join(",\n            ")
    )
}

const COMMON: &str = "\
look(Values, K) ->
    case maps:get(K, Values) of
        {table, T} ->
            [{K, V}] = ets:lookup(T, K),
            V;
        {server, S} ->
            ask(S, get)
    end.

put_value({table, T}, K, V) ->
    ets:insert(T, {K, V});
put_value({server, S}, _, V) ->
    ask(S, {put, V}).

at_once(Values, K) ->
    case maps:get(K, Values) of
        {table, T} -> ets:update_counter(T, K, 1);
        {server, S} -> ask(S, add)
    end.

ask(S, Question) ->
    Ref = make_ref(),
    S ! {self(), Ref, Question},
    receive
        {Ref, Answer} -> Answer
    end.

server(V) ->
    receive
        {From, Ref, get} -> From ! {Ref, V}, server(V);
        {From, Ref, {put, New}} -> From ! {Ref, ok}, server(New);
        {From, Ref, add} -> From ! {Ref, ok}, server(V + 1)
    end.

noise(0) -> ok;
noise(N) ->
    self() ! N,
    receive
        N -> noise(N - 1)
    end.
";

/// The same source with other comments and empty lines.
fn with_comments(text: &str, seed: u64) -> String {
    let mut numbers = Numbers(seed);
    let mut changed = "%% The first line.\n".repeat(1 + numbers.below(3) as usize);
    for line in text.lines() {
        match numbers.below(4) {
            0 => changed += "  % A remark.\n",
            1 => changed += "\n",
            _ => {}
        }
        changed += line;
        changed += if numbers.below(4) == 0 { " % Here.\n" } else { "\n" };
    }
    changed
}

/// The value whose update was lost: in `exit {lost,1,2}` it is 1.
fn lost(recorded: &str) -> usize {
    let (_, rest) = recorded.split_once("{lost,").unwrap();
    rest.split(',').next().unwrap().parse().unwrap()
}

#[test]
fn what_fixes_nothing_is_never_fixed_and_comments_change_nothing() {
    let (mut programs, mut fixes, mut fixed, mut others) = (0, 0, 0, 0);
    for seed in seeds::seeds(14, 1_300) {
        let program = Program::of(seed);
        let text = program.text(&Change::default());
        let Some(session) = recorded_text("made", &text, 40) else {
            continue;
        };
        programs += 1;
        let commented = checked(&session, "made", &with_comments(&text, seed), Options::default());
        assert_eq!(
            commented.verdict,
            CheckVerdict::StillFails,
            "seed {seed}: {commented:?}\n{text}"
        );
        assert!(
            commented.same_code && !commented.unchanged,
            "seed {seed}: {commented:?}"
        );
        let value = lost(&commented.recorded);
        let change = match seed % 6 {
            0 => Change {
                busy: true,
                ..Change::default()
            },
            1 => Change {
                looks: true,
                ..Change::default()
            },
            2 => Change {
                in_other_words: true,
                ..Change::default()
            },
            3 => Change {
                one_more: true,
                ..Change::default()
            },
            4 => Change {
                between: true,
                ..Change::default()
            },
            _ => Change {
                at_once: (0..program.in_table.len()).filter(|&other| other != value).collect(),
                in_other_words: true,
                ..Change::default()
            },
        };
        let changed = program.text(&change);
        let other = checked(&session, "made", &changed, Options::default());
        assert_ne!(other.verdict, CheckVerdict::Fixed, "seed {seed}: {other:?}\n{changed}");
        others += 1;
        let at_once = (0..program.in_table.len()).collect();
        let fix = program.text(&Change {
            at_once,
            ..Change::default()
        });
        let fix = checked(&session, "made", &fix, Options::default());
        fixes += 1;
        fixed += u32::from(fix.verdict == CheckVerdict::Fixed);
        if fix.verdict != CheckVerdict::Fixed {
            println!(
                "seed {seed}: the fix is {:?}: {} {:?}",
                fix.verdict, fix.now, fix.divergences
            );
        }
    }
    println!("{programs} programs that fail, {others} changes that fix nothing, {fixed} of {fixes} fixes are fixed");
    assert!(programs >= 5, "{programs} programs fail");
    assert!(fixed * 100 >= fixes * 80, "{fixed} of {fixes} fixes are fixed");
}
