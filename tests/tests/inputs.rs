//! Standard input: what programs read of it, in any way, and that it is part of the trace.

use tests::{BinaryRun, Folder};

/// Requests input from `user` by `io:request/2`, by messages, and through a group leader of its own that forwards requests.
const ASKING: &str = r#"-module(asking).
-export([main/0]).

main() ->
    show(io:request(user, {get_line, unicode, "p>"})),
    show(io:request(user, {get_chars, "", 3})),
    show(io:request(user, {get_until, "", erl_scan, tokens, [1]})),
    show(io:requests(user, [{put_chars, latin1, "x"}, {get_line, latin1, ""}])),
    show(raw({get_line, ""})),
    show(raw({get_chars, unicode, 'q>', 5})),
    show(io:get_line("")),
    show(raw({get_chars, "", 9})),
    show(io:get_line(standard_error, "p")),
    show(raw({get_line, ""})),
    User = group_leader(),
    group_leader(spawn_link(fun() -> passes_on(User) end), self()),
    Line = io:get_line("name: "),
    group_leader(User, self()),
    show(Line),
    show(raw({get_chars, "", 20})),
    show(raw({get_line, ""})),
    show(io:request(user, {get_chars, unicode, "", 1})).

raw(Request) ->
    user ! {io_request, self(), reply, Request},
    receive {io_reply, reply, Answer} -> Answer end.

passes_on(User) ->
    receive Message -> User ! Message end,
    passes_on(User).

show(Term) -> io:format("~w~n", [Term]).
"#;

const INPUT: &str = "l1\nl2abc\n{a,\nb}. l5\nl6\nl7\nl8xyz\nl9\nl10\nl11\nlast";

/// What Erlang/OTP 25 prints for it (`erl -noshell -s asking main`) with the standard input above.
const SHOWN: &str = include_str!("inputs.txt");

#[test]
fn input_requests_to_user_read_standard_input() {
    let folder = Folder::new("inputs");
    folder.write("asking.erl", ASKING);
    let run = ["run", "--quiet", "--exit-with-main", "asking.erl", "-o", "t"];
    let outcome = BinaryRun::new("tracer", folder.path(), run)
        .input(INPUT)
        .run()
        .expect(0);
    assert_eq!(outcome.out(), SHOWN);
    // The input is in the trace: replay reads nothing.
    folder.replay(["verify", "t"]).expect(0);
    let log = folder
        .replay(["log", "--kind", "input", "--format", "json", "t"])
        .expect(0);
    let seventh = log
        .out()
        .lines()
        .any(|line| line.contains("6c370a") && line.contains("\"sends\":2"));
    assert!(seventh, "{}", log.out());
}
