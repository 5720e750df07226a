//! Calls of functions that do not exist: of OTP's, standard error names each once (semantics §11); of nobody's, it stays silent.

use tests::Folder;

const PROGRAM: &str = r"-module(absent).
-export([main/0]).
main() ->
    [try M:F() catch error:undef -> io:format(<<126,119,126,110>>, [M]) end
     || {M, F} <- [{mnesia, start}, {mnesia, start}, {lists, no_such}, {no_such, f}, {erlang, system_profile}, {erl_prim_loader, get_path}]].
";

#[test]
fn what_otp_has_and_we_lack_is_named_once() {
    let folder = Folder::new("missing");
    folder.write("absent.erl", PROGRAM);
    let outcome = folder.tracer(["run", "--no-trace", "--quiet", "absent.erl"]).expect(0);
    assert_eq!(
        outcome.out(),
        "mnesia\nmnesia\nlists\nno_such\nerlang\nerl_prim_loader\n"
    );
    assert_eq!(
        outcome.stderr,
        "tracer: mnesia:start/0: the application mnesia of Erlang/OTP 25 is not provided; see docs/limitations.md\n\
         tracer: erlang:system_profile/0 of Erlang/OTP 25 is not provided; see docs/limitations.md\n\
         tracer: erl_prim_loader:get_path/0 of Erlang/OTP 25 is not provided; see docs/limitations.md\n"
    );
}
