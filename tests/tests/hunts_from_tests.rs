//! `tracer hunt` of a test: what comes before the test runs once, and the runs continue copies of that. Each kept run is one from the start all the same.

use log_format::{Kind, LogStep, TestNote, Trace};
use tests::{CommandOutcome, Folder};

use crate::elixir;
use crate::hunting::{command_after, kept};

/// A module of EUnit: its head, and a race of three processes whose last answer decides.
fn module(name: &str, tests: &str) -> String {
    format!(
        "-module({name}).
-include_lib(\"eunit/include/eunit.hrl\").
table() -> T = ets:new(t, [public]), ets:insert(T, {{n, 0}}), T.
hit(T) -> [{{n, N}}] = ets:lookup(T, n), ets:insert(T, {{n, N + 1}}).
race(T) ->
    Me = self(),
    [spawn(fun() -> hit(T), Me ! done end) || _ <- [1, 2, 3]],
    [receive done -> ok end || _ <- [1, 2, 3]],
    ?assertEqual([{{n, 3}}], ets:lookup(T, n)).
{tests}"
    )
}

fn hunt(folder: &Folder, name: &str, more: &[&str]) -> CommandOutcome {
    let args = ["hunt", "-k", name, "--seed", "3"];
    folder.tracer(args.iter().chain(more))
}

/// The kept trace replays, and the command that was printed makes the same run again. Returns that command.
fn is_made_again(folder: &Folder, says: &str) -> Vec<String> {
    let found = kept(folder);
    let again = command_after(says, "again:");
    match says.contains("mix.exs") {
        true => elixir::tracer(folder, again[1..].iter().map(String::as_str)),
        false => folder.tracer(&again[1..]),
    };
    let traces = std::fs::read_dir(folder.path().join("_traces")).expect("a folder");
    let other = traces
        .map(|entry| entry.expect("an entry").path())
        .find(|path| *path != found)
        .expect("a second trace");
    let both = [found, other].map(|path| path.to_str().expect("a path").to_owned());
    let same = folder.replay(["diff", &both[0], &both[1]]).expect(0).out();
    assert!(same.contains("The runs are the same"), "{again:?}\n{same}");
    folder.replay(["verify", &both[0]]).expect(0);
    again
}

/// The names of the tests that a trace says began.
fn begun(trace: &Trace) -> Vec<String> {
    let texts = trace.texts().expect("a whole trace");
    let mut all = Vec::new();
    for process in trace.processes() {
        let mut log = trace.log(process.expect("a process").pid).expect("its log");
        while let Some(step) = log.step(1).expect("a whole trace") {
            if let LogStep::Action(action) = step
                && let Kind::Test { name, note, .. } = &action.kind
                && *note == TestNote::Began
            {
                all.push(texts[name.0 as usize].clone());
            }
        }
    }
    all
}

#[test]
fn a_kept_run_begins_at_the_start_and_is_made_again_from_there() {
    let folder = Folder::new("a_kept_run_begins_at_the_start");
    folder.write(
        "race_tests.erl",
        module("race_tests", "race_test() -> race(table()).\n"),
    );
    let mut from_test = 0;
    for strategy in ["mix", "walk", "pos", "pct:2", "delay:2", "random"] {
        let hunted = hunt(&folder, "race_test", &["--strategy", strategy]).expect(1);
        let says = hunted.says(&["race_tests:race_test failed"]).stderr;
        let trace = Trace::open(&kept(&folder)).expect("what the tool wrote");
        assert_eq!(begun(&trace), ["race_tests:race_test"]);
        let again = is_made_again(&folder, &says);
        let begins_there = again.iter().any(|word| word.starts_with("from-test:"));
        assert_eq!(
            begins_there,
            says.contains(" from where the test begins, draw "),
            "{says}"
        );
        from_test += u64::from(begins_there);
        std::fs::remove_dir_all(folder.path().join("_traces")).expect("can be removed");
    }
    // Some runs begin at the start.
    assert!((2..=5).contains(&from_test), "{from_test}");
}

#[test]
fn the_same_run_is_found_whatever_the_number_of_jobs() {
    let folder = Folder::new("the_same_run_from_the_test");
    folder.write(
        "race_tests.erl",
        module("race_tests", "race_test() -> race(table()).\n"),
    );
    let found = |jobs| {
        let hunted = hunt(&folder, "race_test", &["--strategy", "delay:1,walk", "--jobs", jobs]).expect(1);
        let first = hunted.stderr.lines().next().unwrap_or_default();
        let run = first.split(" (").next().unwrap_or_default().to_owned();
        (run, command_after(&hunted.stderr, "again:"))
    };
    assert_eq!(found("1"), found("4"));
}

/// Its processes go on in each copy, and what it read and wrote is there.
#[test]
fn a_fixture_is_there_in_each_run() {
    let folder = Folder::new("a_fixture_is_there_in_each_run");
    let tests = "
keeper(N) -> receive {add, From} -> From ! {added, N + 1}, keeper(N + 1); {get, From} -> From ! {is, N}, keeper(N) end.
start() ->
    {ok, Text} = file:read_file(\"list\"),
    {ok, Device} = file:open(\"list\", [read]),
    {ok, _} = file:read_line(Device),
    Keeper = spawn(fun() -> keeper(binary_to_integer(Text)) end),
    put(before, rand:uniform(1000000)),
    {Keeper, Device, table(), get(before)}.
kept_test_() -> {setup, fun start/0, fun({Keeper, _, _, _}) -> exit(Keeper, kill) end,
    fun({Keeper, Device, Table, Before}) -> [{\"kept\", fun() ->
        eof = file:read_line(Device),
        true = is_integer(Before),
        Keeper ! {add, self()},
        receive {added, 8} -> ok end,
        race(Table)
    end}] end}.
";
    folder.write("fixture_tests.erl", module("fixture_tests", tests));
    folder.write("list", "7");
    let hunted = hunt(&folder, "kept_test_", &["--keep-going", "--no-shrink", "--runs", "60"]).expect(1);
    let says = hunted.stderr;
    // Only one kind of failure: each run finds the keeper and the file as the first one did.
    assert_eq!(says.matches("failed in run ").count(), 1, "{says}");
    assert!(says.contains("assertEqual"), "{says}");
    is_made_again(&folder, &says);
}

#[test]
fn what_a_program_draws_in_a_test_differs_from_run_to_run() {
    let folder = Folder::new("what_a_program_draws_in_a_test");
    let tests = "drawn_test() -> ?assert(rand:uniform(10) < 10).\n";
    folder.write("drawn_tests.erl", module("drawn_tests", tests));
    let hunted = hunt(&folder, "drawn_test", &["--strategy", "walk"]).expect(1);
    is_made_again(&folder, &hunted.stderr);
}

/// A program beside cannot be copied: every run begins at its start.
#[test]
fn a_fixture_that_starts_a_program_is_hunted_from_the_start() {
    let folder = Folder::new("a_fixture_that_starts_a_program");
    let tests = "
kept_test_() -> {setup, fun() -> open_port({spawn, \"sleep 5\"}, []) end, fun(Port) -> port_close(Port) end,
    fun(_) -> [{\"kept\", fun() -> race(table()) end}] end}.
";
    folder.write("beside_tests.erl", module("beside_tests", tests));
    let hunted = hunt(&folder, "kept_test_", &["--strategy", "walk"]).expect(1);
    let again = command_after(&hunted.stderr, "again:");
    assert!(!again.iter().any(|word| word.starts_with("from-test:")), "{again:?}");
}

/// Copies would write to one file, each from where the test began: every run begins at its start, and has its own. One that is only read stays open.
#[test]
fn a_fixture_that_has_a_file_open_to_be_written_is_hunted_from_the_start() {
    let folder = Folder::new("a_fixture_that_has_a_file_open");
    let tests = "
written_test_() -> {setup, fun() -> {ok, F} = file:open(\"w.tmp\", [read, write]), ok = file:truncate(F), ok = file:write(F, \"a\"), F end,
    fun file:close/1, fun(F) -> [{\"written\", fun() ->
        ok = file:write(F, \"b\"), {ok, \"ab\"} = file:pread(F, 0, 9), ?assertEqual({ok, <<\"ab\">>}, file:read_file(\"w.tmp\")) end}] end}.
read_test_() -> {setup, fun() -> {ok, F} = file:open(\"r.tmp\", [read]), {ok, \"ab\"} = file:read(F, 2), F end,
    fun file:close/1, fun(F) -> [{\"read\", fun() -> ?assertEqual({ok, \"cd\"}, file:read(F, 2)) end}] end}.
";
    folder.write("open_tests.erl", module("open_tests", tests));
    folder.write("r.tmp", "abcd");
    let passes = hunt(&folder, "written_test_", &["--jobs", "1", "--runs", "20"]).expect(0);
    let passes = passes.says(&["none failed"]);
    assert!(!passes.stderr.contains("where the test begins"), "{}", passes.stderr);
    let passes = hunt(&folder, "read_test_", &["--jobs", "1", "--runs", "20"]).expect(0);
    passes.says(&["none failed", "the others where the test begins"]);
}

/// What comes before the test can fail, too, and some runs look there.
/// The fixture makes a file once, and each copy would delete it: that is no failure of the test. And a process id that a fixture has asked for stays.
#[test]
fn what_a_run_leaves_outside_is_no_failure_of_the_next() {
    let folder = Folder::new("hunts_from_tests_leak");
    folder.write(
        "outside_tests.erl",
        module(
            "outside_tests",
            "file_test_() ->\n    {setup, fun() -> ok = file:write_file(\"h.tmp\", \"x\"), os:getpid() end, \
             fun(_) -> ok = file:delete(\"h.tmp\") end,\n     \
             fun(P) -> {\"file\", fun() -> ?assertEqual(P, os:getpid()), ?assertEqual({ok, <<\"x\">>}, file:read_file(\"h.tmp\")) end} end}.\n\
             race_test_() ->\n    {setup, fun() -> ok = file:write_file(\"r.tmp\", \"x\"), table() end, \
             fun(_) -> ok = file:delete(\"r.tmp\") end,\n     \
             fun(T) -> {\"race\", fun() -> {ok, _} = file:read_file(\"r.tmp\"), race(T) end} end}.",
        ),
    );
    let passes = hunt(&folder, "file_test_", &["--jobs", "1", "--runs", "20"]).expect(0);
    passes.says(&["found what an earlier run had left", "none failed"]);
    // A race is found all the same.
    let fails = hunt(&folder, "race_test_", &["--jobs", "1"]).expect(1).stderr;
    assert!(
        fails.contains("found what an earlier run had left") || fails.contains("failed in run 1 "),
        "{fails}"
    );
    is_made_again(&folder, &fails);
}

#[test]
fn a_race_before_the_test_is_found() {
    let folder = Folder::new("a_race_before_the_test_is_found");
    let tests = "
kept_test_() -> {setup, fun() -> race(table()) end, fun(_) -> ok end, fun(_) -> [{\"kept\", fun() -> ok end}] end}.
never_test_() -> {setup, fun() -> error(no_fixture) end, fun(_) -> ok end, fun(_) -> [{\"never\", fun() -> ok end}] end}.
";
    folder.write("before_tests.erl", module("before_tests", tests));
    let hunted = hunt(&folder, "kept_test_", &[]).expect(1);
    assert!(hunted.stderr.contains(":setup failed"), "{}", hunted.stderr);
    is_made_again(&folder, &hunted.stderr);
    std::fs::remove_dir_all(folder.path().join("_traces")).expect("can be removed");
    // No test begins at all.
    let hunted = hunt(&folder, "never_test_", &[]).expect(1);
    assert!(hunted.stderr.contains("no_fixture"), "{}", hunted.stderr);
    let hunted = hunt(&folder, "kept_test_", &["--from-start"]).expect(1);
    assert!(
        !hunted.stderr.contains("from where the test begins"),
        "{}",
        hunted.stderr
    );
}

/// The process of `setup_all` goes on in each copy, and so do mix and ExUnit.
#[test]
fn a_test_of_mix_is_hunted_from_where_it_begins() {
    if !elixir::is_there() {
        return;
    }
    let folder = Folder::new("a_test_of_mix_is_hunted_from_where_it_begins");
    folder.write(
        "mix.exs",
        "defmodule Hits.MixProject do
  use Mix.Project
  def project, do: [app: :hits, version: \"0.1.0\", deps: []]
end
",
    );
    folder.write("lib/hits.ex", "defmodule Hits do\n  def all, do: 3\nend\n");
    folder.write("test/test_helper.exs", "ExUnit.start()\n");
    folder.write(
        "test/hits_test.exs",
        "defmodule HitsTest do
  use ExUnit.Case

  setup_all do
    {:ok, agent} = Agent.start(fn -> 0 end)
    Agent.update(agent, &(&1 + 1))
    [agent: agent]
  end

  test \"raced\", %{agent: agent} do
    hit = fn ->
      n = Agent.get(agent, & &1)
      Agent.update(agent, fn _ -> n + 1 end)
    end

    1..Hits.all() |> Enum.map(fn _ -> Task.async(hit) end) |> Enum.each(&Task.await/1)
    assert Agent.get(agent, & &1) == 4
  end
end
",
    );
    let args = ["hunt", "-k", "raced", "--seed", "2", "--runs", "60"];
    let says = elixir::tracer(&folder, args).expect(1).stderr;
    assert!(says.contains("test raced (HitsTest) failed"), "{says}");
    let again = is_made_again(&folder, &says);
    assert!(again.iter().any(|word| word.starts_with("from-test:")), "{again:?}");
    // Repeated runs of `tracer test` begin there, too, and name what makes a run again.
    std::fs::remove_dir_all(folder.path().join("_traces")).expect("can be removed");
    let args = ["test", "-k", "raced", "--seed", "2", "--runs", "60"];
    let says = elixir::tracer(&folder, args).expect(1).out();
    assert!(says.contains("test raced (HitsTest): failed in "), "{says}");
    assert!(says.contains("--seed 2 --schedule from-test:"), "{says}");
    let kept = kept(&folder);
    let kept = kept.to_str().expect("a path");
    folder.replay(["verify", kept]).expect(0);
    // The trace is whole: nothing of Elixir is needed to explain it, or to go on from it.
    folder.replay(["why", kept]).expect(0);
}

/// Each run of a hunt draws the order of the tests. A run from the start comes to them as the first one did, whatever modules other runs have loaded: it
/// confirms what a copy has found.
#[test]
fn the_order_of_tests_is_drawn_and_each_failure_is_found() {
    if !elixir::is_there() {
        return;
    }
    let folder = Folder::new("the_order_of_tests_is_drawn");
    elixir::begin_project(&folder, "Order");
    folder.write(
        "test/order_test.exs",
        "defmodule OrderTest do
  use ExUnit.Case

  test \"finds nothing\" do
    assert Process.whereis(:left) == nil
  end

  test \"leaves a process\" do
    Process.register(spawn(fn -> Process.sleep(:infinity) end), :left)
  end

  test \"totals\" do
    {:ok, agent} = Agent.start_link(fn -> 0 end)

    add = fn n ->
      before = Agent.get(agent, & &1)
      Agent.update(agent, fn _ -> before + n end)
    end

    1..3 |> Enum.map(fn n -> Task.async(fn -> add.(n) end) end) |> Task.await_many()
    assert Agent.get(agent, & &1) == 6
  end
end
",
    );
    let args = [
        "hunt",
        "-k",
        "OrderTest",
        "--seed",
        "1",
        "--runs",
        "30",
        "--keep-going",
        "--no-shrink",
    ];
    let says = elixir::tracer(&folder, args).expect(1).stderr;
    assert!(says.contains("test totals (OrderTest) failed"), "{says}");
    assert!(says.contains("test finds nothing (OrderTest) failed"), "{says}");
    assert!(!says.contains("so now every run begins at its start"), "{says}");
    let again = says.lines().filter(|line| line.trim_start().starts_with("again:"));
    assert!(again.clone().count() >= 2, "{says}");
    assert!(again.clone().all(|line| line.contains("from-test:")), "{says}");
}

/// A hunt in a project of mix can be for tests of several modules.
#[test]
fn tests_of_two_modules_of_mix_are_hunted_together() {
    if !elixir::is_there() {
        return;
    }
    let folder = Folder::new("tests_of_two_modules_of_mix");
    elixir::begin_project(&folder, "Two");
    for (name, file, is_async) in [("First", "a_test.exs", true), ("Second", "b_test.exs", false)] {
        folder.write(
            &format!("test/{file}"),
            format!(
                "defmodule {name}Test do
  use ExUnit.Case, async: {is_async}
  test \"raced\" do
    table = :ets.new(:hits, [:public])
    :ets.insert(table, {{:n, 0}})
    hit = fn -> [{{:n, n}}] = :ets.lookup(table, :n); :ets.insert(table, {{:n, n + 1}}) end
    1..3 |> Enum.map(fn _ -> Task.async(hit) end) |> Enum.each(&Task.await/1)
    assert :ets.lookup(table, :n) == [{{:n, 3}}]
  end
end
"
            ),
        );
    }
    let args = [
        "hunt",
        "-k",
        "raced",
        "--seed",
        "3",
        "--runs",
        "16",
        "--strategy",
        "walk",
        "--keep-going",
        "--no-shrink",
    ];
    let says = elixir::tracer(&folder, args).expect(1).stderr;
    for failed in ["test raced (FirstTest) failed", "test raced (SecondTest) failed"] {
        assert!(says.contains(failed), "{failed} in {says}");
    }
    for line in says.lines().filter(|line| line.trim_start().starts_with("again:")) {
        assert!(line.ends_with("-k raced mix.exs"), "{line}");
    }
}

/// Two runs at the same time would find each other's file.
#[test]
fn runs_that_change_files_are_made_one_after_the_other() {
    let folder = Folder::new("runs_that_change_files");
    let tests = "
file_test() ->
    ok = file:write_file(\"n.tmp\", \"0\"),
    timer:sleep(1),
    {ok, <<\"0\">>} = file:read_file(\"n.tmp\"),
    ok = file:write_file(\"n.tmp\", \"1\").
";
    folder.write("file_tests.erl", module("file_tests", tests));
    let passes = hunt(&folder, "file_test", &["--jobs", "4", "--runs", "300"]).expect(0);
    passes.says(&["one after the other", "300 runs", "none failed"]);
}
