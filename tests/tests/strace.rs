//! Replay touches nothing outside (semantics.md §7): shown by its system calls, where `strace` is installed.

#![cfg(target_os = "linux")]

use std::process::Command;

use tests::{Folder, binary};

const PROGRAM: &str = "-module(toucher).
-export([main/0]).
main() ->
    {ok, Bytes} = file:read_file(\"input.txt\"),
    ok = file:write_file(\"output.txt\", [Bytes, <<\"more\">>]),
    {ok, Again} = file:read_file(\"output.txt\"),
    io:format(\"~s~n\", [Again]),
    os:putenv(\"TOUCHER\", \"x\"),
    io:format(\"~p ~p~n\", [os:getenv(\"TOUCHER\"), os:getenv(\"TOUCHED\")]),
    io:format(\"~p~n\", [io:get_line(\"\")]),
    ok = file:make_dir(\"made\"),
    ok = file:write_file(\"made/inner.txt\", <<>>),
    {ok, [_]} = file:list_dir(\"made\"),
    ok = file:rename(\"made/inner.txt\", \"made/outer.txt\"),
    ok = file:delete(\"made/outer.txt\"),
    ok = file:del_dir(\"made\"),
    {ok, File} = file:open(\"output.txt\", [read, append]),
    ok = file:write(File, <<>>),
    io:format(\"~p~n\", [[io:get_line(File, \"\"), file:close(File)]]),
    io:format(\"~p ~p~n\", [os:cmd(\"echo commanded\"), length(os:getpid()) > 0]),
    io:format(\"~p~n\", [is_integer(erlang:system_time())]),
    self() ! done.
";

#[test]
fn replay_opens_no_file_of_the_program_and_writes_none() {
    if !steady::has("strace") {
        return;
    }
    let folder = Folder::new("strace");
    folder.write("toucher.erl", PROGRAM);
    folder.write("input.txt", "input ");
    folder.tracer(["run", "toucher.erl"]).expect(0);
    let made = std::fs::read(folder.path().join("output.txt")).expect("the recorded program wrote it");
    assert_eq!(made, b"input more");
    for gone in ["input.txt", "output.txt", "toucher.erl"] {
        std::fs::remove_file(folder.path().join(gone)).expect("it was there");
    }
    for args in [
        ["run", "trace.bin"].as_slice(),
        &["--until", "sent:0.1.0/1", "trace.bin"],
        &["verify", "trace.bin"],
        &["why", "end:0.1.0", "trace.bin"],
        &["state", "end:0.1.0", "trace.bin"],
    ] {
        let log = folder.path().join("calls.txt");
        let status = Command::new("strace")
            .args(["-f", "-e", "trace=file,network,process,desc", "-o"])
            .arg(&log)
            .arg(binary("replay"))
            .args(args)
            .current_dir(folder.path())
            .output()
            .expect("strace runs");
        if !status.status.success() && !log.exists() {
            steady::skipped("strace may not trace here");
            return;
        }
        let calls = std::fs::read_to_string(&log).expect("strace wrote it");
        assert!(calls.contains("trace.bin"), "strace saw nothing:\n{calls}");
        for line in calls.lines() {
            let program = [
                "input.txt",
                "output.txt",
                "toucher.erl",
                "made",
                "inner.txt",
                "outer.txt",
            ];
            assert!(
                !program.iter().any(|file| line.contains(&format!("{file}\""))),
                "{line}"
            );
            for call in ["socket(", "connect(", "bind(", "fork(", "unlink(", "rename(", "mkdir("] {
                assert!(!line.contains(call), "{line}");
            }
            assert_eq!(
                line.matches("execve(").count() * usize::from(!line.contains("/replay\"")),
                0,
                "{line}"
            );
            for flag in ["O_WRONLY", "O_RDWR", "O_CREAT"] {
                assert!(
                    !line.contains(flag) || line.contains("/dev/") || line.contains("ENOENT"),
                    "{line}"
                );
            }
        }
        assert!(!folder.path().join("output.txt").exists());
    }
}
