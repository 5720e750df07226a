//! `tracer test` in projects of rebar3 and mix, and the commands of these tools that call it. The projects are in `tests/projects/`.

use std::path::Path;
use std::process::{Command, Output};

use tests::{BinaryRun, Folder, binary, root};

/// A project in a folder of its own.
fn copy(name: &str) -> Folder {
    let folder = Folder::new("projects");
    copy_into(&root().join("tests/projects").join(name), folder.path());
    folder
}

fn copy_into(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("can be made");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry").path();
        let place = to.join(entry.file_name().expect("a name"));
        if entry.is_dir() {
            copy_into(&entry, &place);
        } else {
            std::fs::copy(&entry, &place).expect("can be copied");
        }
    }
}

fn append(folder: &Folder, file: &str, text: &str) {
    let path = folder.path().join(file);
    let before = std::fs::read_to_string(&path).unwrap_or_default();
    std::fs::write(path, before + text).expect("can be written");
}

/// Runs rebar3 or mix in the folder.
fn tool(folder: &Folder, program: &str, words: &[&str]) -> Output {
    let mut command = Command::new(program);
    command
        .args(words)
        .current_dir(folder.path())
        .env("TRACER", binary("tracer"))
        .env("REPLAY", binary("replay"));
    // Their caches are in the home folder.
    command
        .env("HOME", folder.path())
        .env("MIX_HOME", folder.path().join(".mix"));
    command.output().expect("it runs")
}

/// What rebar3 3.19 on OTP 25 says of the project: 12 tests of EUnit and one test case pass.
const ALL: &str = "all 13 tests passed; 3 modules";

#[test]
fn a_project_of_rebar3_needs_no_options() {
    let folder = copy("store");
    let outcome = folder.tracer(["test"]).expect(0).says(&[ALL]);
    let out = outcome.out();
    for part in [
        "store_server_tests: env_test...",
        "front_tests:9:",
        "  All 7 tests passed.",
        "1 ok of 1 test cases",
    ] {
        assert!(out.contains(part), "{part} is missing in\n{out}");
    }
    // From elsewhere, and parts of it: an application, a folder, a file, a module.
    for (what, number) in [
        ("..", 13),
        ("../apps/store", 8),
        ("../apps/front/test/front_tests.erl", 5),
        ("../apps/store/test", 7),
        ("store_SUITE", 1),
    ] {
        let within = Folder::new("elsewhere");
        let place = what
            .strip_prefix("..")
            .map(|rest| format!("{}{rest}", folder.path().display()));
        let outcome = match place {
            Some(place) => within.tracer(["test", &place]),
            None => folder.tracer(["test", what]),
        };
        let tests = match number {
            1 => "the test passed".to_owned(),
            n => format!("all {n} tests passed"),
        };
        outcome.expect(0).says(&[&tests]);
    }
}

#[test]
fn rebar3_agrees() {
    if !steady::has("rebar3") {
        return;
    }
    let folder = copy("store");
    let eunit = tool(&folder, "rebar3", &["eunit"]);
    let text = String::from_utf8_lossy(&eunit.stdout).into_owned();
    assert!(text.contains("All 12 tests passed"), "{text}");
    let suites = tool(&folder, "rebar3", &["ct"]);
    let text = String::from_utf8_lossy(&suites.stdout).into_owned();
    assert!(text.contains("All 1 tests passed"), "{text}");
    // What it has built changes nothing here.
    folder.tracer(["test"]).expect(0).says(&[ALL]);
}

/// What rebar3 runs: MODULE_tests of the application with MODULE and alone, modules of `src_dirs` that only tests have as the application's and as
/// tests, and none of `extra_src_dirs`. The transform in it sees the options of rebar3 and an object file that nobody built.
#[test]
fn modules_run_as_often_as_under_rebar3() {
    let folder = copy("counted");
    let outcome = folder.tracer(["test", "--keep", "all"]).expect(0);
    outcome.says(&["3 modules run twice, as under rebar3", "all 8 tests passed; 7 modules"]);
    let kept = std::fs::read_dir(folder.path().join("_traces"))
        .expect("a folder")
        .count();
    assert_eq!(kept, 7);
    // The forms are in the trace.
    for gone in ["src", "test"] {
        std::fs::remove_dir_all(folder.path().join(gone)).expect("is there");
    }
    folder.replay(["verify", "latest"]).expect(0);
    // Under a name, a module runs once.
    let folder = copy("counted");
    folder
        .tracer(["test", "-k", "counted_unit"])
        .expect(0)
        .says(&["the test passed"]);
    // A folder that is named is run.
    folder.tracer(["test", "examples"]).expect(1).says(&["not_run_test"]);
    if steady::has("rebar3") {
        let eunit = tool(&folder, "rebar3", &["eunit"]);
        let text = String::from_utf8_lossy(&eunit.stdout).into_owned();
        assert!(text.contains("8 tests"), "{text}");
    }
}

#[test]
fn rebar3_has_a_command_that_keeps_failing_runs() {
    if !steady::has("rebar3") {
        return;
    }
    let folder = copy("store");
    copy_into(
        &root().join("plugins/rebar3_retell"),
        &folder.path().join("_checkouts/rebar3_retell"),
    );
    append(&folder, "rebar.config", "{project_plugins, [rebar3_retell]}.\n");
    let all = tool(&folder, "rebar3", &["retell"]);
    let says = String::from_utf8_lossy(&all.stderr).into_owned();
    assert!(all.status.success() && says.contains(ALL), "{says}");
    append(
        &folder,
        "apps/front/test/front_tests.erl",
        "\nwrong_test() -> ?assertEqual(1, front:show(b)).\n",
    );
    let one = tool(&folder, "rebar3", &["retell", "--", "-k", "wrong_test"]);
    let (out, says) = (
        String::from_utf8_lossy(&one.stdout),
        String::from_utf8_lossy(&one.stderr),
    );
    assert!(!one.status.success(), "{out}{says}");
    assert!(
        says.contains("front_tests:wrong_test failed; next: replay why"),
        "{says}"
    );
    assert!(out.contains("tests failed; `replay ls` lists the kept runs"), "{out}");
    folder.replay(["why", "latest"]).expect(0);
}

/// A repository with the two plugins.
fn repository() -> Folder {
    let folder = Folder::new("plugins-repository");
    for plugin in ["mix", "rebar3_retell"] {
        copy_into(
            &root().join("plugins").join(plugin),
            &folder.path().join("plugins").join(plugin),
        );
    }
    // What a build of the plugin has left in our tree.
    let _ = std::fs::remove_dir_all(folder.path().join("plugins/mix/_build"));
    for words in [
        &["init", "-q", "-b", "main"][..],
        &["add", "-A"],
        &["-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "plugins"],
    ] {
        let done = tool(&folder, "git", words);
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }
    folder
}

fn texts(output: &Output) -> String {
    [&output.stdout, &output.stderr]
        .map(|text| String::from_utf8_lossy(text))
        .join("\n")
}

/// A project that has nothing but the one line, with the plugin as a dependency of each sort.
#[test]
fn mix_has_commands_that_keep_failing_runs() {
    if !crate::elixir::is_there() || !steady::has("mix") || !steady::has("git") {
        return;
    }
    let repository = repository();
    let path = repository.path().display().to_string();
    for dependency in [
        format!("path: \"{path}/plugins/mix\""),
        format!("git: \"file://{path}\", sparse: \"plugins/mix\""),
    ] {
        let folder = Folder::new("fresh-mix");
        folder.write(
            "mix.exs",
            format!(
                "defmodule Fresh.MixProject do
  use Mix.Project
  def project, do: [app: :fresh, version: \"0.1.0\", deps: deps()]
  defp deps, do: [{{:retell, {dependency}, only: [:dev, :test], runtime: false}}]
end
"
            ),
        );
        folder.write("test/test_helper.exs", "ExUnit.start()\n");
        let test = "defmodule FreshTest do
  use ExUnit.Case
  test \"is wrong\", do: assert 1 + 1 == 3
end
";
        folder.write("test/fresh_test.exs", test);
        if dependency.starts_with("git") {
            let fetched = tool(&folder, "mix", &["deps.get"]);
            assert!(fetched.status.success(), "{}", texts(&fetched));
        }
        let tested = tool(&folder, "mix", &["retell.test"]);
        let says = texts(&tested);
        assert_eq!(tested.status.code(), Some(1), "{says}");
        assert!(
            says.contains("test is wrong (FreshTest) failed; next: replay why"),
            "{says}"
        );
        let hunted = tool(&folder, "mix", &["retell.hunt", "wrong", "--runs", "3"]);
        let says = texts(&hunted);
        assert_eq!(hunted.status.code(), Some(1), "{says}");
        assert!(says.contains("test is wrong (FreshTest) failed"), "{says}");
        let lacks = Command::new("mix")
            .arg("retell.test")
            .current_dir(folder.path())
            .env("HOME", folder.path())
            .env("MIX_HOME", folder.path().join(".mix"))
            .env("TRACER", "/nowhere/tracer")
            .output();
        let says = texts(&lacks.expect("it runs"));
        assert!(
            says.contains("tracer is not in the PATH") && says.contains("TRACER"),
            "{says}"
        );
    }
}

/// rebar3 has no dependencies by path.
#[test]
fn rebar3_takes_the_command_from_a_repository() {
    if !steady::has("rebar3") || !steady::has("git") {
        return;
    }
    let repository = repository();
    let folder = Folder::new("fresh-rebar3");
    folder.write(
        "rebar.config",
        format!(
            "{{plugins, [{{rebar3_retell, {{git_subdir, \"file://{}\", {{branch, \"main\"}}, \"plugins/rebar3_retell\"}}}}]}}.\n",
            repository.path().display()
        ),
    );
    folder.write(
        "src/fresh.app.src",
        "{application, fresh, [{vsn, \"1\"}, {applications, [kernel, stdlib]}]}.\n",
    );
    folder.write(
        "test/fresh_tests.erl",
        "-module(fresh_tests).\n-include_lib(\"eunit/include/eunit.hrl\").\nwrong_test() -> ?assertEqual(3, 1 + 1).\n",
    );
    let tested = texts(&tool(&folder, "rebar3", &["retell"]));
    assert!(
        tested.contains("fresh_tests:wrong_test failed; next: replay why"),
        "{tested}"
    );
    let hunted = texts(&tool(&folder, "rebar3", &["retell", "--", "hunt", "-k", "wrong"]));
    assert!(hunted.contains("fresh_tests:wrong_test failed: "), "{hunted}");
}

#[test]
fn what_a_configuration_asks_for_and_is_not_done_is_said() {
    let folder = copy("store");
    append(
        &folder,
        "rebar.config",
        "{pre_hooks, [{compile, \"make\"}]}.\n{deps, [{cowboy, \"2.9.0\"}]}.\n{eunit_opts, [{report, {eunit_surefire, [{dir, \".\"}]}}]}.\n",
    );
    std::fs::write(folder.path().join("rebar.config.script"), "not_a_list.\n").expect("can be written");
    folder.tracer(["test"]).expect(0).says(&[
        "rebar.config:9: pre_hooks is not applied",
        "rebar.config.script is not applied: its value is not a list",
        "rebar.config:10: cowboy is not in _checkouts, _build/test/lib, _build/default/lib, deps; `rebar3 as test get-deps` fetches it",
        "rebar.config:11: report of eunit_opts is not applied",
        ALL,
    ]);
    append(
        &folder,
        "rebar.config",
        "{erl_opts, [{parse_transform, lager_transform}]}.\n",
    );
    folder
        .tracer(["test", "front_tests"])
        .expect(64)
        .says(&["undefined parse transform 'lager_transform'"]);
    append(&folder, "rebar.config", "{eunit_tests, [{module, gone}].\n");
    folder
        .tracer(["test"])
        .expect(66)
        .says(&["cannot read rebar.config: line 13: "]);
}

#[test]
fn the_configuration_can_choose_tests() {
    let folder = copy("store");
    append(
        &folder,
        "rebar.config",
        "{eunit_tests, [{module, front_tests}]}.\n{ct_opts, [{dir, \"suites\"}]}.\n",
    );
    std::fs::create_dir(folder.path().join("suites")).expect("can be made");
    let suite = "-module(more_SUITE).\n-compile(export_all).\nall() -> [one].\none(_) -> ok.\n";
    std::fs::write(folder.path().join("suites/more_SUITE.erl"), suite).expect("can be written");
    folder
        .tracer(["test"])
        .expect(0)
        .says(&["all 7 tests passed; 3 modules"]);
    append(&folder, "rebar.config", "{eunit_tests, [{module, gone}]}.\n");
    folder
        .tracer(["test"])
        .expect(66)
        .says(&["eunit_tests of ./rebar.config: the module gone is not there"]);
}

#[test]
fn a_project_of_mix_runs_the_tests_of_its_erlang() {
    let folder = copy("letters");
    let elixir = "no Elixir is installed; tests in Elixir are not run: test/letters_test.exs";
    let without = |args: &[&str]| BinaryRun::new("tracer", folder.path(), args).env("PATH", "").run();
    without(&["test", "-k", "first"])
        .expect(0)
        .says(&[elixir, "the test passed"]);
    without(&["test", "-k", "elixir"]).expect(1);
    if !steady::has("mix") {
        return;
    }
    let one = tool(&folder, "mix", &["retell.test", "-k", "first"]);
    let says = String::from_utf8_lossy(&one.stderr).into_owned();
    assert!(one.status.success() && says.contains("the test passed"), "{says}");
    tool(&folder, "mix", &["compile"]);
    let all = tool(&folder, "mix", &["retell.test"]);
    let says = String::from_utf8_lossy(&all.stderr).into_owned();
    assert!(all.status.success() && says.contains("all 3 tests passed"), "{says}");
}

#[test]
fn a_project_in_elixir_is_refused_with_that_word() {
    let folder = Folder::new("a_project_in_elixir");
    folder.write("mix.exs", "defmodule M.MixProject do\nend\n");
    folder.write("lib/m.ex", "defmodule M do\nend\n");
    let without = |args: &[&str]| BinaryRun::new("tracer", folder.path(), args).env("PATH", "").run();
    without(&["test"])
        .expect(66)
        .says(&["no Elixir is installed; what is in lib cannot be called"]);
    folder.write("test/m_test.exs", "defmodule MTest do\nend\n");
    without(&["test"])
        .expect(66)
        .says(&["tests in Elixir are not run: test/m_test.exs"]);
    let says = ["cannot run lib/m.ex: Elixir is not supported there yet"];
    without(&["test", "lib/m.ex"]).expect(66).says(&says);
}

#[test]
fn the_doctor_says_what_will_not_work() {
    let folder = copy("store");
    folder.tracer(["doctor"]).expect(0).prints(&[
        "applications:   front, store, util",
        "dependencies:   jsonish",
        "2 modules with tests of EUnit, 1 suite of Common Test",
        "Nothing was found that cannot work.",
    ]);
    let folder = Folder::new("the_doctor");
    folder.write("rebar.config", "{erl_opts, [debug_info]}.\n");
    folder.write("src/sick.app.src", "{application, sick, [{vsn, \"1\"}]}.\n");
    folder.write(
        "src/sick.erl",
        "-module(sick).\n-export([a/0, b/0, c/0, d/0]).\n% gen_tcp:listen/2 is a comment\na() -> gen_tcp:listen(80, []).\n\
         b() -> erlang:load_nif(\"sick\", 0).\nc() -> jsx:encode(1), lists:no_such(2), dbg:tracer().\n\
         d() -> erl_ddll:load(\".\", \"drv\").\n",
    );
    folder.write("src/worse.erl", "-module(worse).\n-export([a/0]).\na() -> X.\n");
    folder.tracer(["doctor"]).expect(1).prints(&[
        "does not compile: variable 'X' is unbound (src/worse.erl:3:8)",
        "missing modules: jsx (src/sick.erl:6)",
        "NIFs: erlang:load_nif/2 (src/sick.erl:5)",
        "drivers: erl_ddll:load/2 (src/sick.erl:7)",
        "sockets: gen_tcp:listen/2 (src/sick.erl:4)",
        "tracing: dbg of runtime_tools (src/sick.erl:6)",
        "no such function: lists:no_such/1 (src/sick.erl:6)",
    ]);
    folder.tracer(["doctor", "absent"]).expect(66);
}
