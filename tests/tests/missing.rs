//! Calls of functions that do not exist: of OTP's, standard error names each once (semantics §11); others are not reported. And headers and
//! modules of an installed OTP.

use tests::{BinaryRun, Folder};

const PROGRAM: &str = r"-module(absent).
-export([main/0]).
main() ->
    [try M:F() catch error:undef -> io:format(<<126,119,126,110>>, [M]) end
     || {M, F} <- [{mnesia, start}, {mnesia, start}, {lists, no_such}, {no_such, f}, {erlang, system_profile}, {erl_prim_loader, start}]].
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
        "tracer: mnesia:start/0: the application mnesia of Erlang/OTP is not provided; see docs/limitations.md\n\
         tracer: erlang:system_profile/0 of Erlang/OTP is not provided; see docs/limitations.md\n\
         tracer: erl_prim_loader:start/0 of Erlang/OTP is not provided; see docs/limitations.md\n"
    );
}

const BORROWING: &str = r#"-module(borrowing).
-export([main/0]).
-include_lib("xmerl/include/xmerl.hrl").
main() -> io:put_chars([?FROM_XMERL, " ", dets:all(), " ", atom_to_list(try gen_sctp:listen(0, []) catch error:undef -> undef end), "\n"]).
"#;

/// An OTP with one module and three headers in `otp/`, in which only the newest version of each application works.
fn install(folder: &Folder) {
    let files = [
        ("xmerl-1.3.30/include/xmerl.hrl", "-define(FROM_XMERL, \"xmerl\").\n"),
        ("xmerl-1.3.4/include/xmerl.hrl", "-error(old).\n"),
        (
            "stdlib-4.2/src/dets.erl",
            "-module(dets).\n-export([all/0]).\n-include(\"dets.hrl\").\n-include(\"shared.hrl\").\nall() -> [?FROM_SRC, ?FROM_INCLUDE].\n",
        ),
        ("stdlib-4.2/src/dets.hrl", "-define(FROM_SRC, \"src\").\n"),
        (
            "stdlib-4.2/include/shared.hrl",
            "-define(FROM_INCLUDE, \" include\").\n",
        ),
        (
            "kernel-8.5/src/gen_sctp.erl",
            "-module(gen_sctp).\n-export([listen/2]).\nlisten(_, _) -> taken.\n",
        ),
    ];
    for (name, text) in files {
        let path = folder.path().join("otp/lib").join(name);
        std::fs::create_dir_all(path.parent().expect("it has a folder")).expect("the folder can be made");
        std::fs::write(path, text).expect("the file can be written");
    }
}

#[test]
fn headers_and_modules_of_an_installed_otp_are_read_and_travel_in_the_trace() {
    let folder = Folder::new("borrowing");
    folder.write("borrowing.erl", BORROWING);
    install(&folder);
    let args = ["run", "--quiet", "-o", "t.trace", "borrowing.erl"];
    let outcome = BinaryRun::new("tracer", folder.path(), args)
        .env("TRACER_OTP", "otp")
        .run()
        .expect(0);
    assert_eq!(outcome.out(), "xmerl src include undef\n");
    std::fs::remove_dir_all(folder.path().join("otp")).expect("it is there");
    let replayed = folder.replay(["log", "t.trace"]).expect(0);
    assert!(replayed.out().contains("0.1.0"), "{}", replayed.out());
    folder.replay(["--until", "end:0.1.0", "t.trace"]).expect(0);
}

#[test]
fn a_header_that_no_installed_otp_has_says_where_it_was_looked_for() {
    let folder = Folder::new("borrowing");
    folder.write("borrowing.erl", BORROWING);
    let outcome = folder.tracer(["run", "borrowing.erl"]);
    assert!(
        outcome
            .stderr
            .contains("can't find include lib \"xmerl/include/xmerl.hrl\"")
            && outcome
                .stderr
                .contains("an installed Erlang/OTP (there is none; TRACER_OTP can name its folder)"),
        "{}",
        outcome.stderr
    );
    install(&folder);
    let args = ["run", "borrowing.erl"];
    let outcome = BinaryRun::new("tracer", folder.path(), args)
        .env("ERL_LIBS", "otp/lib")
        .run()
        .expect(0);
    assert_eq!(outcome.out(), "xmerl src include undef\n");
}

/// An application's folder is the one of an OTP in its usual place, if there is one.
#[test]
fn the_folder_of_an_application_is_where_an_otp_has_it() {
    let folder = Folder::new("lib-dir");
    folder.write(
        "dirs.erl",
        r#"-module(dirs).
-export([main/0]).
main() -> [io:format("~p~n", [{App, code:lib_dir(App), code:priv_dir(App)}]) || App <- [stdlib, xmerl, mnesia, no_such_application]].
"#,
    );
    let outcome = folder.tracer(["run", "--quiet", "dirs.erl", "-o", "t"]).expect(0);
    let installed = |app: &str| {
        let versions = std::fs::read_dir("/usr/lib/erlang/lib").ok()?;
        let mut found: Vec<String> = versions
            .filter_map(|entry| Some(entry.ok()?.path().display().to_string()))
            .filter(|path| path.contains(&format!("/{app}-")))
            .collect();
        found.sort();
        found.pop()
    };
    let line = |app: &str| match installed(app) {
        Some(path) => format!("{{{app},\"{path}\",\"{path}/priv\"}}"),
        None => format!("{{{app},{{error,bad_name}},{{error,bad_name}}}}"),
    };
    // Terms of several lines.
    let shown = outcome.out().replace(['\n', ' '], "");
    let stdlib = "{stdlib,\"/usr/lib/erlang/lib/stdlib-4.2\",\"/usr/lib/erlang/lib/stdlib-4.2/priv\"}";
    let none = "{no_such_application,{error,bad_name},{error,bad_name}}";
    assert_eq!(shown, format!("{stdlib}{}{}{none}", line("xmerl"), line("mnesia")));
    folder.replay(["verify", "t"]).expect(0);
}

/// Without an OTP, they start with what they need, and a function that is not there is named.
#[test]
fn applications_of_otp_start_where_none_is_installed() {
    let folder = Folder::new("started");
    folder.write(
        "starts.erl",
        r#"-module(starts).
-export([main/0]).
main() ->
    io:format("~p~n", [[application:ensure_all_started(App) || App <- [ssl, inets, os_mon, mnesia]]]),
    io:format("~p~n", [try ssl:connect(host, 1, []) catch error:undef -> undef end]).
"#,
    );
    let outcome = folder.tracer(["run", "--quiet", "--no-trace", "starts.erl"]).expect(0);
    assert_eq!(
        outcome.out(),
        "[{ok,[crypto,asn1,public_key,ssl]},\n {ok,[inets]},\n {ok,[sasl,os_mon]},\n {ok,[mnesia]}]\nundef\n"
    );
    let named = "tracer: ssl:connect/3: the application ssl of Erlang/OTP is not provided";
    assert!(outcome.stderr.contains(named), "{}", outcome.stderr);
}
