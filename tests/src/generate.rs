//! Random concurrent programs that always end: the subjects of the property tests.

use std::fmt::Write as _;

/// A small generator of random numbers (splitmix64), so that a seed names a program for ever.
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
}

/// Which kinds of steps programs are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Spawn, send, receive, timeouts, ends.
    Messages,
    /// Also names, links, monitors, exit signals, timers, clocks, the process dictionary, output.
    Everything,
}

/// The source of module `gen` with `main/0`, a function of the seed.
///
/// Function `p(k)` spawns only functions with a larger number and every receive has an `after`, so every run ends.
#[must_use]
pub fn program(seed: u64, level: Level) -> String {
    let mut draw = Draw::new(seed);
    let functions = 2 + draw.below(6);
    let mut out = String::from("-module(gen).\n-export([main/0]).\n\nmain() -> p0([self()]).\n");
    for k in 0..functions {
        function(&mut out, &mut draw, k, functions, level);
    }
    out.push_str(
        "\npick(Ps, N) -> lists:nth(1 + N rem length(Ps), Ps).\n\
         note(Ps, P) when is_pid(P) -> [P | Ps];\n\
         note(Ps, _) -> Ps.\n\
         spin(0) -> ok;\nspin(N) -> spin(N - 1).\n",
    );
    out
}

fn function(out: &mut String, draw: &mut Draw, k: u64, functions: u64, level: Level) {
    let _ = write!(out, "\np{k}(Ps0) ->\n");
    let mut ps = 0;
    let mut spawns = 0;
    for step in 0..3 + draw.below(8) {
        let n = draw.below(1000);
        let choices = if level == Level::Everything { 22 } else { 11 };
        match draw.below(choices) {
            0 | 1 if k + 1 < functions && spawns < 3 => {
                spawns += 1;
                let child = k + 1 + draw.below(functions - k - 1);
                let how = match draw.below(4) {
                    0 if level == Level::Everything => "spawn_link",
                    _ => "spawn",
                };
                let _ = writeln!(out, "    Me{step} = self(),");
                let _ = writeln!(
                    out,
                    "    P{step} = {how}(fun() -> p{child}([Me{step} | Ps{ps}]) end), Ps{} = [P{step} | Ps{ps}],",
                    ps + 1
                );
                ps += 1;
            }
            0..=4 => {
                let body = match draw.below(3) {
                    0 => format!("{{msg, {n}, self()}}"),
                    1 => format!("{{msg, {n}, pick(Ps{ps}, {})}}", draw.below(9)),
                    _ => format!("{{other, {n}, [{n}, \"text\", {n}.5]}}"),
                };
                let _ = writeln!(out, "    pick(Ps{ps}, {}) ! {body},", draw.below(9));
            }
            5..=8 => {
                let after = [0, 1, 7, 50][draw.below(4) as usize];
                let clauses = match draw.below(4) {
                    0 => "{msg, N, Q} when N rem 2 == 0 -> {N, Q}; {msg, N, Q} when N rem 3 == 1 -> {-N, Q}",
                    1 => "{other, N, L} -> {N, L}",
                    2 => "{msg, N, Q} -> {N, Q}",
                    _ => "M -> {any, M}",
                };
                // Every receive binds variables of its own.
                let clauses: String = clauses
                    .split_inclusive(|c: char| !c.is_ascii_alphanumeric())
                    .map(|word| match word.strip_prefix(['N', 'Q', 'L', 'M']) {
                        Some(rest) if !rest.starts_with(|c: char| c.is_ascii_alphanumeric()) => {
                            format!("{}{step}{rest}", &word[..1])
                        }
                        _ => word.to_owned(),
                    })
                    .collect();
                let _ = writeln!(
                    out,
                    "    R{step} = receive {clauses} after {after} -> {{none, {n}}} end,"
                );
                let _ = writeln!(out, "    Ps{} = note(Ps{ps}, element(2, R{step})),", ps + 1);
                ps += 1;
            }
            9 => {
                let _ = writeln!(out, "    spin({}),", draw.below(300));
            }
            10 => {
                let end = match draw.below(5) {
                    0 => "error({oops, R})",
                    1 => "exit({gone, R})",
                    2 => "throw(R)",
                    _ => "ok",
                };
                let _ = writeln!(
                    out,
                    "    case length(Ps{ps}) rem {} of 0 -> R = length(Ps{ps}), {end}; _ -> R = none, R end,",
                    2 + draw.below(4)
                );
                // `R` is bound once a function.
                break;
            }
            11 => {
                let _ = writeln!(out, "    catch register(name{}, pick(Ps{ps}, {n})),", draw.below(3));
            }
            12 => {
                let _ = writeln!(out, "    Ps{} = note(Ps{ps}, whereis(name{})),", ps + 1, draw.below(3));
                ps += 1;
            }
            13 => {
                let _ = writeln!(out, "    catch name{} ! {{msg, {n}, self()}},", draw.below(3));
            }
            14 => {
                let _ = writeln!(out, "    Ref{step} = erlang:monitor(process, pick(Ps{ps}, {n})),");
                if draw.chance(40) {
                    let options = ["[flush]", "[info]", "[flush, info]", "[]"][draw.below(4) as usize];
                    let _ = writeln!(out, "    put({step}, erlang:demonitor(Ref{step}, {options})),");
                } else {
                    let _ = writeln!(out, "    put({step}, Ref{step}),");
                }
            }
            15 => {
                let _ = writeln!(out, "    process_flag(trap_exit, {}),", draw.chance(70));
            }
            16 => {
                let what = if draw.chance(50) { "link" } else { "unlink" };
                let _ = writeln!(out, "    catch {what}(pick(Ps{ps}, {n})),");
            }
            17 => {
                let reason = ["normal", "kill", "bye", "{why, 1}"][draw.below(4) as usize];
                let _ = writeln!(out, "    exit(pick(Ps{ps}, {n}), {reason}),");
            }
            18 => {
                let _ = writeln!(out, "    put({step}, is_process_alive(pick(Ps{ps}, {n}))),");
            }
            19 => {
                let _ = writeln!(
                    out,
                    "    T{step} = erlang:send_after({}, pick(Ps{ps}, {n}), {{msg, {n}, self()}}),",
                    draw.below(20)
                );
                if draw.chance(50) {
                    let _ = writeln!(out, "    put({step}, is_integer(erlang:cancel_timer(T{step}))),");
                } else {
                    let _ = writeln!(out, "    put({step}, T{step}),");
                }
            }
            20 => {
                let _ = writeln!(out, "    put({step}, erlang:monotonic_time(millisecond)),");
            }
            _ => {
                let _ = writeln!(out, "    io:format(\"~w ~p~n\", [{n}, length(Ps{ps})]),");
            }
        }
    }
    let _ = writeln!(out, "    {{done, {k}}}.");
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
