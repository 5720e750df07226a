//! Random concurrent programs that always terminate: the subjects of the property tests.
//!
//! A program is a handful of functions `p0`, `p1`, …, each a few steps in a loop; `p(k)` spawns only functions with a larger number, and every
//! receive of its own has an `after`. The kinds of steps are drawn for each program ("swarm testing"), so that rare kinds occur together.

use std::fmt::Write as _;

/// A small random number generator (splitmix64), so that a seed names the same program for ever.
pub struct Draw(u64);

impl Draw {
    /// Starts from a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }
    /// A number below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n.max(1)
    }
    /// True with probability `percent` / 100.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
    fn one_of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len() as u64) as usize]
    }
}

/// The kinds of steps that programs contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Spawn, send, receive, timeouts, termination.
    Messages,
    /// All primitives.
    Everything,
    /// All primitives, with more of the steps that produce rare kinds of edges of `⇒`, in which one process is the only cause of what another
    /// one sees.
    Edges,
}

/// The steps of one kind, each a sequence of expressions. `@P` is some process, `@N` a number, `@K` one of 0, 1, 2, `@T` a short time, `@M` a
/// message; `@S` makes a variable or a key unique to the step.
struct Family {
    weight: u64,
    steps: &'static [&'static str],
}

const SENDS: Family = Family {
    weight: 10,
    steps: &[
        "@P ! @M",
        "@P ! @M",
        "@P ! @M, @P ! @M",
        "self() ! @M",
        "erlang:send(@P, @M, [noconnect])",
    ],
};

const FAMILIES: &[Family] = &[
    // names
    Family {
        weight: 3,
        steps: &[
            "catch register(name@K, @P)",
            "catch register(name@K, self())",
            "put(@S, whereis(name@K))",
            "catch name@K ! @M",
            "catch unregister(name@K)",
            "put(@S, registered())",
            "catch erlang:send({name@K, node()}, @M)",
        ],
    },
    // links, exit signals
    Family {
        weight: 3,
        steps: &[
            "process_flag(trap_exit, true)",
            "process_flag(trap_exit, false)",
            "catch link(@P)",
            "catch unlink(@P)",
            "exit(@P, normal)",
            "exit(@P, bye)",
            "exit(@P, kill)",
            "process_flag(trap_exit, true), L@S = spawn_link(fun() -> spin(@N), exit(bye) end), \
             receive {'EXIT', L@S, W@S} -> put(@S, W@S) after @T -> ok end",
            "process_flag(trap_exit, true), M@S = self(), L@S = spawn_link(fun() -> catch unlink(M@S), spin(@N), catch link(M@S), spin(@N), \
             catch unlink(M@S), catch link(M@S), exit(bye) end), catch unlink(L@S), spin(@N), catch link(L@S), spin(@N), catch unlink(L@S)",
            "exit(@P, kill), put(@S, is_process_alive(hd([Q || Q <- [@P], node(Q) =:= node()] ++ [self()])))",
        ],
    },
    // monitors
    Family {
        weight: 4,
        steps: &[
            "put(@S, erlang:monitor(process, @P))",
            "R@S = erlang:monitor(process, @P), put(@S, erlang:demonitor(R@S, [flush]))",
            "R@S = erlang:monitor(process, @P), spin(@N), put(@S, erlang:demonitor(R@S, [info]))",
            "R@S = erlang:monitor(process, @P), @P ! @M, put(@S, erlang:demonitor(R@S, [flush, info]))",
            "R@S = erlang:monitor(process, @P), receive {'DOWN', R@S, process, _, W@S} -> put(@S, W@S) after @T -> put(@S, demonitor(R@S)) end",
            "put(@S, erlang:monitor(process, name@K))",
            "put(@S, erlang:monitor(process, @P, [{tag, {down, @N}}]))",
            "R@S = erlang:monitor(process, @P, [{alias, reply_demonitor}]), @P ! {ali, @N, R@S}, put(@S, erlang:demonitor(R@S, [info, flush]))",
            "R@S = erlang:monitor(process, @P, [{alias, demonitor}]), @P ! {ali, @N, R@S}, \
             receive {msg, M@S, _} -> put(@S, M@S); {'DOWN', R@S, _, _, _} -> put(@S, down) after @T -> ok end",
        ],
    },
    // aliases
    Family {
        weight: 2,
        steps: &[
            "A@S = alias(), @P ! {ali, @N, A@S}, put(@S, unalias(A@S))",
            "A@S = alias([reply]), @P ! {ali, @N, A@S}, spin(@N), put(@S, unalias(A@S))",
            "A@S = alias([reply]), @P ! {ali, @N, A@S}, receive {msg, M@S, _} -> put(@S, M@S) after @T -> put(@S, unalias(A@S)) end",
        ],
    },
    // timers
    Family {
        weight: 3,
        steps: &[
            "T@S = erlang:send_after(@T, @P, @M), put(@S, is_integer(erlang:cancel_timer(T@S)))",
            "put(@S, erlang:send_after(@T, @P, @M))",
            "put(@S, erlang:start_timer(@T, self(), @N))",
            "put(@S, erlang:send_after(@T, name@K, @M))",
            "T@S = erlang:start_timer(@T, self(), @N), receive {timeout, T@S, _} -> put(@S, fired) after @T -> put(@S, erlang:cancel_timer(T@S)) end",
            "T@S = erlang:send_after(50, @P, @M), put(@S, erlang:read_timer(T@S))",
            "timer:sleep(@T)",
        ],
    },
    // tables
    Family {
        weight: 5,
        steps: &[
            "catch ets:new(tab@K, [named_table, public, ordered_set])",
            "catch ets:new(tab@K, [named_table, public, bag, {heir, @P, heritage}])",
            "catch ets:new(tab@K, [named_table, public])",
            "Me@S = self(), spawn(fun() -> ets:new(x, [{heir, Me@S, @N}]), spin(@N) end), \
             receive {'ETS-TRANSFER', _, _, G@S} -> put(@S, G@S) after 5 -> ok end",
            "catch ets:insert(tab@K, {@K, @N})",
            "catch ets:insert(tab@K, {@K, @N})",
            "catch ets:insert(tab@K, [{@K, @N}, {3, self()}])",
            "put(@S, catch ets:insert_new(tab@K, {@K, @N}))",
            "put(@S, catch ets:lookup(tab@K, @K))",
            "put(@S, catch ets:member(tab@K, @K))",
            "put(@S, (catch ets:update_counter(tab@K, @K, 1)))",
            "put(@S, (catch ets:update_element(tab@K, @K, {2, @N})))",
            "put(@S, (catch ets:take(tab@K, @K)))",
            "catch ets:delete(tab@K, @K)",
            "put(@S, catch ets:tab2list(tab@K))",
            "put(@S, catch ets:info(tab@K, size))",
            "put(@S, catch ets:select(tab@K, [{{'$1', '_'}, [], ['$1']}]))",
            "put(@S, catch ets:match(tab@K, {'_', '$1'}))",
            "put(@S, catch ets:next(tab@K, @K))",
            "put(@S, catch ets:select_delete(tab@K, [{{@K, '_'}, [], [true]}]))",
            "catch ets:delete_all_objects(tab@K)",
            "catch ets:give_away(tab@K, @P, gift)",
            "catch ets:delete(tab@K)",
            "put(@S, catch ets:whereis(tab@K) =/= undefined)",
        ],
    },
    // terms and counters shared by all processes
    Family {
        weight: 3,
        steps: &[
            "persistent_term:put(key@K, @N)",
            "put(@S, persistent_term:get(key@K, none))",
            "put(@S, persistent_term:erase(key@K))",
            "counters:add(persistent_term:get(counter), 1 + @K rem 2, @N)",
            "put(@S, counters:get(persistent_term:get(counter), 1 + @K rem 2))",
            "put(@S, atomics:add_get(persistent_term:get(atomic), 1, @N))",
            "put(@S, atomics:exchange(persistent_term:get(atomic), 1, @N))",
            "put(@S, atomics:compare_exchange(persistent_term:get(atomic), 1, @K, @N))",
            "application:set_env(app, key@K, @N)",
            "put(@S, application:get_env(app, key@K))",
            "application:unset_env(app, key@K)",
        ],
    },
    // information about other processes
    Family {
        weight: 3,
        steps: &[
            "put(@S, [catch is_process_alive(@P)])",
            "put(@S, catch process_info(@P, message_queue_len))",
            "put(@S, catch process_info(@P, links))",
            "put(@S, catch process_info(@P, dictionary))",
            "put(@S, catch process_info(@P, registered_name))",
            "put(@S, process_info(self(), message_queue_len))",
            "put(@S, process_info(self(), messages))",
            "put(@S, length(processes()))",
        ],
    },
    // the outside
    Family {
        weight: 3,
        steps: &[
            "put(@S, erlang:monotonic_time(millisecond))",
            "put(@S, erlang:unique_integer())",
            "put(@S, rand:uniform(10))",
            "put(@S, os:getenv(\"HOME\"))",
            "put(@S, file:write_file(\"file@K\", <<\"@N\">>))",
            "put(@S, file:read_file(\"file@K\"))",
            "io:format(\"~w ~p~n\", [@N, get(@S)])",
            "io:format(standard_error, \"~w~n\", [@N])",
        ],
    },
    // nodes
    Family {
        weight: 4,
        steps: &[
            "put(@S, slave:start(host, n@K))",
            "put(@S, slave:start(host, n@K))",
            "put(@S, nodes())",
            "monitor_node(n@K@host, true)",
            "{name@K, n@K@host} ! @M",
            "put(@S, erlang:monitor(process, {name@K, n@K@host}))",
            "put(@S, net_adm:ping(n@K@host))",
            "put(@S, spawn(n@K@host, erlang, send, [self(), @M]))",
            "put(@S, element(1, spawn_monitor(n@K@host, lists, last, [[]])))",
            "catch slave:stop(n@K@host)",
        ],
    },
    // other spawns
    Family {
        weight: 2,
        steps: &[
            "put(@S, spawn_monitor(fun() -> exit(@N) end))",
            "put(@S, spawn_opt(fun() -> spin(@N) end, [link, monitor]))",
            "put(@S, spawn_request(fun() -> spin(@N) end, [monitor]))",
            "group_leader(self(), spawn(fun() -> receive after @T -> ok end end))",
            "spawn(fun() -> receive after @T -> error(late) end end)",
            "catch group_leader(group_leader(), @P)",
            "put(@S, is_pid(group_leader()))",
            "group_leader(group_leader(), self()), io:format(\"~w~n\", [@N])",
        ],
    },
    // a request and its reply
    Family {
        weight: 3,
        steps: &["R@S = make_ref(), @P ! {call, self(), R@S}, receive {R@S, V@S} -> put(@S, V@S) after @T -> ok end"],
    },
];

const EDGES: Family = Family {
    weight: 8,
    steps: &[
        "R@S = erlang:monitor(process, @P), receive nothing -> ok after @T -> put(@S, erlang:demonitor(R@S, [flush, info])) end",
        "{P@S, R@S} = spawn_monitor(fun() -> spin(@N) end), spin(@N), receive nothing -> ok after @T -> ok end, \
             put(@S, erlang:demonitor(R@S, [flush, info])), put(P@S, R@S)",
        "A@S = alias([reply]), spawn(fun() -> spin(@N), A@S ! {msg, @N, A@S} end), \
             receive nothing -> ok after @T -> put(@S, unalias(A@S)) end",
        "put(@S, catch ets:info(tab@K, owner))",
        "put(@S, catch ets:info(tab@K, heir))",
        "T@S = erlang:send_after(@T, @P, @M), spawn(fun() -> put(1, is_integer(erlang:cancel_timer(T@S))), self() ! @N end)",
        "T@S = ets:new(x, [public]), spawn(fun() -> spin(@N), put(1, ets:info(T@S, owner)), self() ! @N end), catch ets:give_away(T@S, @P, gift)",
    ],
};

/// The source of module `gen` with `main/0`, a function of the seed.
#[must_use]
pub fn program(seed: u64, level: Level) -> String {
    let mut draw = Draw::new(seed);
    let functions = 2 + draw.below(6);
    let mut families: Vec<(u64, &Family)> = vec![(SENDS.weight, &SENDS)];
    if level != Level::Messages {
        // Each program uses some kinds of steps, and prefers some of them.
        families.extend(
            FAMILIES
                .iter()
                .map(|f| (f.weight * [0, 1, 1, 4][draw.below(4) as usize], f)),
        );
    }
    if level == Level::Edges {
        families.push((EDGES.weight, &EDGES));
    }
    let mut out = String::from(
        "%% node: gen@host\n-module(gen).\n-export([main/0]).\n\nmain() ->\n    \
         persistent_term:put(counter, counters:new(2, [])),\n    persistent_term:put(atomic, atomics:new(1, [])),\n    \
         ets:new(tab0, [named_table, public]),\n    ets:new(tab1, [named_table, public, ordered_set]),\n    p0([self()], 2),\n    \
         receive after 300 -> ok end",
    );
    // After everything else has finished.
    match draw.below(8) {
        0 => out.push_str(",\n    receive after 5000 -> halt(3) end.\n"),
        1 => out.push_str(",\n    throw(done).\n"),
        _ => out.push_str(".\n"),
    }
    for k in 0..functions {
        function(&mut out, &mut draw, k, functions, &families);
    }
    out.push_str(
        "\npick(Ps, N) -> lists:nth(1 + N rem length(Ps), Ps).\n\
         note(Ps, P) when is_pid(P) -> [P | lists:sublist(Ps, 12)];\n\
         note(Ps, _) -> Ps.\n\
         spin(0) -> ok;\nspin(N) -> spin(N - 1).\n\
         deal({ali, N, A}) -> A ! {msg, N, self()}, none;\n\
         deal({call, From, R}) -> From ! {R, self()}, From;\n\
         deal({io_request, From, Tag, _}) -> From ! {io_reply, Tag, ok}, From;\n\
         deal({msg, _, P}) -> P;\n\
         deal({spawn_reply, _, ok, P}) -> P;\n\
         deal({'DOWN', _, _, P, _}) -> P;\n\
         deal({'EXIT', P, _}) -> P;\n\
         deal({'ETS-TRANSFER', T, P, _}) -> catch ets:insert(T, {0, P}), P;\n\
         deal(_) -> none.\n",
    );
    out
}

fn message(draw: &mut Draw, ps: u64) -> String {
    let n = draw.below(1000);
    match draw.below(4) {
        0 => format!("{{msg, {n}, self()}}"),
        1 => format!("{{msg, {n}, pick(Ps{ps}, {})}}", draw.below(9)),
        2 => format!("{{call, self(), {n}}}"),
        _ => format!("{{other, {n}, [{n}, \"text\", {n}.5]}}"),
    }
}

/// Fills in a step.
fn fill(draw: &mut Draw, text: &str, step: u64, ps: u64) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('@') {
        out.push_str(&rest[..at]);
        let (filled, length) = match rest.as_bytes().get(at + 1) {
            Some(b'P') => (format!("pick(Ps{ps}, {})", draw.below(99)), 2),
            Some(b'N') => (draw.below(300).to_string(), 2),
            Some(b'K') => (draw.below(3).to_string(), 2),
            Some(b'T') => ([0, 1, 5, 40][draw.below(4) as usize].to_string(), 2),
            Some(b'M') => (message(draw, ps), 2),
            Some(b'S') => (step.to_string(), 2),
            _ => ("@".to_owned(), 1),
        };
        out.push_str(&filled);
        rest = &rest[at + length..];
    }
    out.push_str(rest);
    // Nodes are written `n1@host`, which needs quotes as an atom.
    for k in 0..3 {
        out = out.replace(&format!(" n{k}@host"), &format!(" 'n{k}@host'"));
        out = out.replace(&format!("(n{k}@host"), &format!("('n{k}@host'"));
    }
    out
}

fn function(out: &mut String, draw: &mut Draw, k: u64, functions: u64, families: &[(u64, &Family)]) {
    let _ = write!(
        out,
        "\np{k}(Ps, 0) -> {{done, {k}, length(Ps)}};\np{k}(Ps0, Round) ->\n"
    );
    let total: u64 = families.iter().map(|(weight, _)| weight).sum();
    let (mut ps, mut spawns) = (0, 0);
    for step in 0..4 + draw.below(9) {
        match draw.below(10) {
            0 | 1 if k + 1 < functions && spawns < 3 => {
                spawns += 1;
                let child = k + 1 + draw.below(functions - k - 1);
                let rounds = 1 + draw.below(3);
                let how = match draw.below(6) {
                    0 if families.len() > 1 => draw.one_of(&[
                        "spawn_link(",
                        "spawn('n1@host', ",
                        "spawn_link('n2@host', ",
                        "proc_lib:spawn(",
                    ]),
                    _ => "spawn(",
                };
                let _ = writeln!(
                    out,
                    "    Me{step} = self(),\n    Ps{} = case Round of 2 -> [{how}fun() -> p{child}([Me{step} | Ps{ps}], {rounds}) end) | Ps{ps}]; _ -> Ps{ps} end,",
                    ps + 1
                );
                ps += 1;
            }
            2..=4 => {
                let clauses = draw.one_of(&[
                    "{msg, N@S, Q@S} when N@S rem 2 == 0 -> Q@S; {msg, N@S, Q@S} when N@S rem 3 == 1 -> {-N@S, Q@S}",
                    "{other, N@S, L@S} -> {N@S, L@S}",
                    "{call, _, _} = M@S -> deal(M@S)",
                    "{'DOWN', _, _, P@S, _} -> P@S; {'EXIT', P@S, _} -> P@S; {nodedown, N@S} -> N@S",
                    "M@S -> deal(M@S)",
                    "M@S -> deal(M@S)",
                    "M@S -> deal(M@S)",
                ]);
                let text = fill(draw, &format!("V@S = receive {clauses} after @T -> none end"), step, ps);
                let _ = writeln!(out, "    {text}, Ps{} = note(Ps{ps}, V{step}),", ps + 1);
                ps += 1;
            }
            5 if draw.chance(30) => {
                let end = draw.one_of(&[
                    "error({oops, Round})",
                    "exit({gone, Round})",
                    "throw(Round)",
                    "exit(normal)",
                    "exit(self(), kill), spin(9)",
                ]);
                let _ = writeln!(
                    out,
                    "    length(Ps{ps}) rem {} =:= 0 andalso begin {end} end,",
                    2 + draw.below(4)
                );
            }
            _ => {
                let mut at = draw.below(total);
                for (weight, family) in families {
                    if at < *weight {
                        let chosen = draw.one_of(family.steps);
                        let text = fill(draw, chosen, step, ps);
                        let _ = writeln!(out, "    {text},");
                        break;
                    }
                    at -= weight;
                }
            }
        }
    }
    let _ = writeln!(out, "    p{k}(Ps{ps}, Round - 1).");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_names_a_program() {
        assert_eq!(program(7, Level::Everything), program(7, Level::Everything));
        assert_ne!(program(7, Level::Everything), program(8, Level::Everything));
    }
}
