//! Standard input as lists and as binaries; what is expected here is what Erlang/OTP 25 prints for the same program and input.

use tests::{Folder, Run};

const PROGRAM: &str = "-module(reader).
-export([main/0]).
main() ->
    p(io:getopts()), p(io:setopts([binary])), p(io:getopts()),
    p(io:get_line('')), p(io:get_chars('', 3)), p(io:get_line('')),
    p(file:read_line(standard_io)), p(file:read(standard_io, 3)), p(io:get_line('')),
    p(io:setopts([{encoding, unicode}])), p(io:get_line('')), p(io:get_line('')).
p(X) -> io:format(\"~w~n\", [X]).
";

const EXPECTED: &str = "[{binary,false},{encoding,latin1}]
ok
[{binary,true},{encoding,latin1}]
<<116,119,111,10>>
<<97,98,99>>
<<100,101,102,10>>
{ok,<<108,105,110,101,10>>}
{ok,<<114,101,97>>}
<<100,10>>
ok
<<117,110,101,10>>
eof
";

#[test]
fn lines_are_binaries_where_the_program_says_so() {
    let folder = Folder::new("standard-input");
    folder.write("reader.erl", PROGRAM);
    let recorded = Run::new("tracer", folder.path(), ["run", "reader.erl"].map(str::to_owned))
        .input("two\nabcdef\nline\nread\nune\n")
        .run()
        .expect(0);
    assert_eq!(recorded.out(), EXPECTED);
    // What was read as what is in the trace: in replay nothing is read.
    let replayed = folder.replay(["run", "trace.bin"]).expect(0);
    assert!(replayed.out().contains("<<117,110,101,10>>"), "{}", replayed.out());
    folder.replay(["verify", "trace.bin"]).expect(0);
}
