//! Programs in Elixir: an installed Elixir's own compiler runs in the interpreter. These tests run where Elixir is installed.

use std::process::Command;

use tests::{BinaryRun, CommandOutcome, Folder, root};

/// Structs, protocols, processes, sigils, comprehensions, exceptions, code that is made at run time.
const SCRIPT: &str = r##"defmodule Point do
  @derive {Inspect, only: [:x]}
  defstruct x: 0, y: 0
  defimpl String.Chars, do: def(to_string(p), do: "(#{p.x}, #{p.y})")
end

defmodule Counter do
  use GenServer
  def start_link(n), do: GenServer.start_link(__MODULE__, n, name: __MODULE__)
  def next, do: GenServer.call(__MODULE__, :next)
  @impl true
  def init(n), do: {:ok, n}
  @impl true
  def handle_call(:next, _from, n), do: {:reply, n, n + 1}
end

defmodule Main do
  def points, do: IO.puts("#{%Point{x: 1, y: 2}} #{inspect(%Point{x: 3})}")
end

IO.inspect(System.argv())
Main.points()
{:ok, _} = Counter.start_link(5)
IO.inspect(for _ <- 1..3, do: Counter.next())
IO.inspect(1..4 |> Task.async_stream(&(&1 * &1)) |> Enum.map(&elem(&1, 1)))
adder = fn x -> fn y -> x + y end end
IO.inspect(Task.async(fn -> adder.(1).(2) end) |> Task.await())
IO.inspect(Regex.scan(~r/(\w)(\d+)/, "a1 b22 c333", capture: :all_but_first))
IO.inspect(Code.eval_string("Enum.sum(xs)", xs: [1, 2, 3]) |> elem(0))
IO.inspect(Enum.sort(~w(b a c)a, :desc))
IO.puts(Macro.to_string(quote do: if(x, do: [1 | y])))

try do
  String.to_integer("x")
rescue
  e in ArgumentError -> IO.puts(Exception.message(e))
end

{:ok, io} = StringIO.open("")
Process.group_leader(self(), io)
IO.puts("kept")
Process.group_leader(self(), Process.whereis(:user))
IO.inspect(StringIO.contents(io))
System.trap_signal(:sigusr1, fn -> :ok end)
IO.puts(:stdio, "done")
"##;

/// Elixir needs an Erlang/OTP.
pub(crate) fn tracer<'a>(folder: &Folder, args: impl IntoIterator<Item = &'a str>) -> CommandOutcome {
    BinaryRun::new("tracer", folder.path(), args)
        .env("TRACER_OTP", "/usr/lib/erlang")
        .run()
}

pub(crate) fn is_there() -> bool {
    steady::has("elixirc") && steady::has_otp_25()
}

/// Begins a project of mix that has nothing yet but the start of its tests. `name`: that of its module, one word.
pub(crate) fn begin_project(folder: &Folder, name: &str) {
    let app = name.to_lowercase();
    folder.write(
        "mix.exs",
        format!(
            "defmodule {name}.MixProject do
  use Mix.Project
  def project, do: [app: :{app}, version: \"0.1.0\", deps: []]
end
"
        ),
    );
    folder.write("test/test_helper.exs", "ExUnit.start()\n");
}

fn elixir(folder: &Folder, args: &[&str]) -> String {
    let told = Command::new("elixir").args(args).current_dir(folder.path()).output();
    let told = told.expect("it is installed");
    String::from_utf8_lossy(&told.stdout).into_owned()
}

#[test]
fn a_script_runs_as_under_elixir_and_replays_without_one() {
    if !is_there() {
        return;
    }
    let folder = Folder::new("elixir-script");
    folder.write("script.exs", SCRIPT);
    let expected = elixir(&folder, &["script.exs", "one", "two"]);
    assert!(expected.ends_with("done\n"), "{expected}");
    let run = tracer(&folder, ["run", "-o", "t", "script.exs", "--", "one", "two"]).expect(0);
    assert_eq!(run.out(), expected);
    std::fs::remove_file(folder.path().join("script.exs")).expect("it is there");
    let verify = BinaryRun::new("replay", folder.path(), ["verify", "t"]);
    verify.env("PATH", "").run().expect(0);
}

/// Two deposits read the balance before either sets it.
const RACE: &str = r#"defmodule Account do
  use GenServer
  def start_link(n), do: GenServer.start_link(__MODULE__, n, name: __MODULE__)
  def balance, do: GenServer.call(__MODULE__, :balance)
  def set(n), do: GenServer.cast(__MODULE__, {:set, n})
  @impl true
  def init(n), do: {:ok, %{balance: n}}
  @impl true
  def handle_call(:balance, _from, state), do: {:reply, state.balance, state}
  @impl true
  def handle_cast({:set, n}, state), do: {:noreply, %{state | balance: n}}
end

{:ok, _} = Account.start_link(100)
deposit = fn amount -> Account.set(Account.balance() + amount) end
[10, 20] |> Enum.map(&Task.async(fn -> deposit.(&1) end)) |> Task.await_many()
130 = Account.balance()
"#;

/// A text without its line breaks.
fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn why_a_script_failed_is_told_with_its_own_lines() {
    if !is_there() {
        return;
    }
    let folder = Folder::new("elixir-why");
    folder.write("race.exs", RACE);
    let run = tracer(&folder, ["run", "-o", "t", "race.exs"]).expect(1);
    run.says(&[
        "** (MatchError) no match of right hand side value: 120",
        "race.exs:17: (file)",
    ]);
    let why = folder.replay(["why", "t"]).expect(0).out();
    let told = in_one_line(&why);
    for part in [
        "** (MatchError) no match of right hand side value: 120",
        ">    17 | 130 = Account.balance()",
        "Decisive (tried): 0.23.0",
        "Had the cast {:set, 110} come first, the run would have halted with 0",
        "received the reply 120 from 0.23.0",
        "wrote 120 over 110 to balance in State [",
        ", computed from the 100 that it had read [",
    ] {
        assert!(told.contains(part) || why.contains(part), "{part} in {why}");
    }
    // What the compiler and the start of the applications did led to it, too, but explains nothing.
    for noise in [
        "elixir_config",
        "Tracker",
        "elixir_modules",
        "application_controller",
        "timed out",
    ] {
        assert!(!why.contains(noise), "{noise} in {why}");
    }
    let at = folder.replay(["t", "--until", "line:race.exs:17"]).expect(0).out();
    assert!(at.contains("race.exs:17"), "{at}");
    folder
        .replay(["t", "--until", "line:rice.exs:17"])
        .expect(67)
        .says(&["there is no file rice.exs in the program: expected one of race.exs"]);
}

/// Each server waits in its `handle_call` for the other one.
const DEADLOCK: &str = r#"defmodule Server do
  use GenServer
  def start(name, other), do: {:ok, _} = GenServer.start_link(__MODULE__, other, name: name)
  @impl true
  def init(other), do: {:ok, other}
  @impl true
  def handle_call(:swap, _from, other) do
    value = GenServer.call(other, :value, 200)
    {:reply, {:ok, value}, other}
  end

  def handle_call(:value, _from, other), do: {:reply, 42, other}
end

Server.start(:a, :b)
Server.start(:b, :a)
[:a, :b] |> Enum.map(&Task.async(fn -> GenServer.call(&1, :swap) end)) |> Task.await_many()
"#;

/// Both calls time out. With one message in another order, one of them is answered, and then the other one is, too, which in the recorded run had
/// timed out by itself.
#[test]
fn a_deadlock_by_calls_is_a_race() {
    if !is_there() {
        return;
    }
    let folder = Folder::new("elixir-deadlock");
    folder.write("lock.exs", DEADLOCK);
    tracer(&folder, ["run", "-o", "t", "lock.exs"]).expect(1);
    let why = folder.replay(["why", "--width", "500", "t"]).expect(0).out();
    for part in [
        "Decisive (tried): ",
        " before the call :value (",
        "Had the call :value come first, the run would have halted with 0",
        // Where it failed, although OTP's functions have caught that.
        "in Server.handle_call/3, lock.exs:8",
    ] {
        assert!(why.contains(part), "{part} in {why}");
    }
    assert!(!why.contains("ERTS"), "what came later is told: {why}");
}

/// A script that ends for a reason without a stack trace.
const EXITS: &str = r#"defmodule Shop do
  def pay(n) do
    rest = take(n)
    rest + 1
  end

  def take(n) do
    if n > 1, do: exit(:no_money), else: n
  end
end

[1, 2] |> Task.async_stream(&Process.sleep/1, ordered: false) |> Stream.run()
Shop.pay(2)
"#;

#[test]
fn an_exit_of_a_script_has_its_own_place() {
    if !is_there() {
        return;
    }
    let folder = Folder::new("elixir-exits");
    folder.write("exits.exs", EXITS);
    tracer(&folder, ["run", "-o", "t", "exits.exs"]).expect(1);
    let why = folder.replay(["why", "t"]).expect(0).out();
    for part in [" ends: ** (exit) :no_money", "in Shop.take/1, exits.exs:8", ">     8 |"] {
        assert!(why.contains(part), "{part} in {why}");
    }
    assert!(!why.contains("cli.ex"), "{why}");
    let log = folder.replay(["t", "--until", "error", "--all"]).expect(0).out();
    assert!(log.contains("Task.async_stream's"), "{log}");
}

#[test]
fn several_files_and_an_entry_are_run() {
    if !is_there() {
        return;
    }
    let folder = Folder::new("elixir-files");
    folder.write(
        "lib/one.ex",
        "defmodule One do\n  defmacro twice(x), do: quote(do: 2 * unquote(x))\nend\n",
    );
    folder.write("helper.erl", "-module(helper).\n-export([three/0]).\nthree() -> 3.\n");
    folder.write(
        "two.ex",
        "defmodule Two do\n  require One\n  def main, do: IO.inspect({One.twice(21), :helper.three(), System.argv()})\nend\n",
    );
    let files = [
        "run",
        "--no-trace",
        "--entry",
        "Two.main",
        "two.ex",
        "lib/one.ex",
        "helper.erl",
        "--",
        "a",
    ];
    assert_eq!(tracer(&folder, files).expect(0).out(), "{42, 3, [\"a\"]}\n");
    let files = ["run", "--no-trace", "--entry", "Two:main", "two.ex", "lib/one.ex"];
    assert_eq!(tracer(&folder, files).expect(0).out(), "{42, 3, []}\n");
    let run = tracer(&folder, ["run", "--no-trace", "two.ex"]).expect(1);
    run.says(&["module One is not loaded and could not be found"]);
    folder.write("wrong.exs", "defmodule Wrong do\n  def f(, do: 1\nend\n");
    let run = tracer(&folder, ["run", "--no-trace", "wrong.exs"]).expect(1);
    run.says(&["wrong.exs:3:1", "SyntaxError"]);
    tracer(&folder, ["run", "none.exs"])
        .expect(66)
        .says(&["cannot read none.exs"]);
    let entry = ["run", "--entry", "f(1", "two.ex"];
    tracer(&folder, entry).expect(2).says(&["--entry takes MOD:FUN"]);
}

#[test]
fn without_an_installed_elixir_its_programs_are_refused() {
    let folder = Folder::new("elixir-none");
    folder.write("a.exs", "IO.puts(1)\n");
    let run = BinaryRun::new("tracer", folder.path(), ["run", "a.exs"]);
    run.env("PATH", "")
        .run()
        .expect(66)
        .says(&["cannot run a.exs: no Elixir is installed"]);
}

/// A copy of the project in `fixtures/account_ex`.
fn account() -> Folder {
    let folder = Folder::new("account_ex");
    for file in [
        "mix.exs",
        "lib/account.ex",
        "test/test_helper.exs",
        "test/account_test.exs",
    ] {
        let text = std::fs::read_to_string(root().join("fixtures/account_ex").join(file));
        folder.write(file, text.expect("it is there"));
    }
    folder
}

/// The trace in the folder for traces, if there is one only.
fn only_trace(folder: &Folder) -> String {
    let all = std::fs::read_dir(folder.path().join("_traces")).expect("it was made");
    let all: Vec<String> = all
        .map(|entry| entry.expect("an entry").path().display().to_string())
        .collect();
    assert_eq!(all.len(), 1, "{all:?}");
    all.concat()
}

/// One test fails only after another one, two are left out unless their tags are asked for.
const TOGETHER: &str = r#"defmodule TogetherTest do
  use ExUnit.Case
  test "first" do
    Application.put_env(:account_ex, :left, 1)
  end

  test "second" do
    assert Application.get_env(:account_ex, :left) == nil
  end

  @tag :slow
  test "third" do
    assert :rand.uniform(1000) == self()
  end

  @tag level: "high"
  test "fourth" do
    assert :rand.uniform(1000) == self()
  end
end
"#;

/// One test fails, and the next one halts the system with the status that mix would have given.
const HALTS: &str = r#"defmodule HaltsTest do
  use ExUnit.Case
  test "a fails", do: assert(Enum.count([1]) == 5)
  test "b halts" do
    Process.sleep(1)
    System.halt(1)
  end
  test "c passes", do: assert(true)
end
"#;

#[test]
fn that_the_program_halts_after_a_failed_test_is_told() {
    if !is_there() {
        return;
    }
    let folder = account();
    folder.write("test/account_test.exs", HALTS);
    tracer(&folder, ["test", "--seed", "0"]).expect(1).says(&[
        ": halted with status 1",
        "test a fails (HaltsTest) failed; next: ",
        "test b halts (HaltsTest) was cancelled; next: replay why halt ",
    ]);
    let why = folder.replay(["why", &only_trace(&folder)]).expect(0).out();
    assert!(why.contains(" halted the system with status 1 [halt, "), "{why}");
}

#[test]
fn a_test_that_fails_only_beside_others_has_the_trace_of_all() {
    if !is_there() {
        return;
    }
    let folder = account();
    folder.write("test/account_test.exs", TOGETHER);
    folder.write("test/test_helper.exs", "ExUnit.start(exclude: [:slow, :level])\n");
    let run = tracer(&folder, ["test", "--seed", "0"]).expect(1);
    let run = run.says(&[
        "test second (TogetherTest) failed (alone, it passes: this trace is of all tests together); next: replay why 'test:TogetherTest:test second' _traces/account_ex-",
    ]);
    run.prints(&["4 tests, 1 failure, 2 excluded"]);
    std::fs::remove_file(only_trace(&folder)).expect("it is there");
    // From outside of the project, two tests whose tags are asked for, each with its trace: the numbers that it draws are those of the first run.
    let outside = Folder::new("elixir-outside");
    let project = folder.path().display().to_string();
    let args = ["test", "--include", "slow", "--include", "level:high", &project];
    let run = tracer(
        &outside,
        args.into_iter()
            .chain(["--", "--seed", "7", "--exclude", "test:test first"]),
    )
    .expect(1);
    assert!(run.out().contains("Randomized with seed 7"), "{}", run.out());
    let left = |text: &str| -> Vec<String> {
        let numbers = text.lines().filter(|line| line.trim_start().starts_with("left:"));
        numbers
            .filter_map(|line| line.split_whitespace().last())
            .map(str::to_owned)
            .collect()
    };
    let mut expected = left(&run.out());
    let mut seen = Vec::new();
    for entry in std::fs::read_dir(outside.path().join("_traces")).expect("it was made") {
        let path = entry.expect("an entry").path().display().to_string();
        let why = outside.replay(["why", "--width", "2000", &path]).expect(0).out();
        assert!(
            why.contains(" (TogetherTest) failed") && why.contains("left: "),
            "{why}"
        );
        seen.extend(
            expected
                .iter()
                .filter(|number| why.contains(&format!("left: {number}")))
                .cloned(),
        );
    }
    seen.sort();
    expected.sort();
    assert_eq!(seen.len(), 2);
    assert_eq!(seen, expected);
    let only = tracer(&folder, ["test", "--keep", "none", "--only", "slow"])
        .expect(1)
        .out();
    assert!(only.contains("4 tests, 1 failure, 3 excluded"), "{only}");
    let erlang = Folder::new("elixir-options");
    erlang.write("a.erl", "-module(a).\n-export([b_test/0]).\nb_test() -> ok.\n");
    tracer(&erlang, ["test", "--only", "slow"])
        .expect(2)
        .says(&["--only is for projects of mix"]);
}

const COMMANDS: &str = r#"IO.inspect(System.cmd("echo", ["hello"]))
IO.inspect(System.cmd("sh", ["-c", "echo err 1>&2; exit 3"], stderr_to_stdout: true, cd: "/"))
IO.inspect(System.shell("echo $FOO | tr a-z A-Z", env: [{"FOO", "bar"}]))
IO.inspect(try do System.cmd("no_such_command", []) rescue e -> e end)
port = Port.open({:spawn, "cat"}, [:binary])
Port.command(port, "hi")
receive do {^port, {:data, text}} -> IO.inspect(text) end
IO.inspect({Port.info(port, :name), Port.close(port), Port.info(port)})
System.cmd("echo", ["into"], into: IO.stream(:stdio, :line))
System.cmd("touch", ["touched"])
File.mkdir_p!("d/e")
File.write!("d/e/f", "")
IO.inspect(Path.wildcard("d/*/f"))
"#;

#[test]
fn commands_run_as_under_elixir_and_a_replay_starts_none() {
    if !is_there() {
        return;
    }
    let folder = Folder::new("elixir-commands");
    folder.write("commands.exs", COMMANDS);
    let expected = elixir(&folder, &["commands.exs"]);
    assert!(expected.ends_with("into\n[\"d/e/f\"]\n"), "{expected}");
    let touched = folder.path().join("touched");
    std::fs::remove_file(&touched).expect("it was made");
    let run = tracer(&folder, ["run", "-o", "t", "commands.exs"]).expect(0);
    assert_eq!(run.out(), expected);
    std::fs::remove_file(&touched).expect("it was made");
    folder.replay(["verify", "t"]).expect(0);
    assert!(!touched.exists());
}

/// A module whose functions are native.
const NATIVE: &str = r#"defmodule Fast.Nif do
  @on_load :load
  def load, do: :erlang.load_nif(String.to_charlist(Path.expand("priv/fast")), 0)
  def add(_, _), do: :erlang.nif_error(:not_loaded)
end
"#;

#[test]
fn a_module_of_native_functions_is_refused_by_name_and_can_be_replaced() {
    if !is_there() {
        return;
    }
    let folder = account();
    folder.write("lib/fast.ex", NATIVE);
    folder.write("priv/fast.so", "");
    let test = "defmodule FastTest do\n  use ExUnit.Case\n  test \"add\", do: assert(Fast.Nif.add(1, 2) == 3)\nend\n";
    folder.write("test/account_test.exs", test);
    let stub = "defmodule Fast.Nif do\n  def add(a, b), do: a + b\nend\n";
    folder.write("test/stub.ex", stub);
    let refused = tracer(&folder, ["test"]).expect(1);
    refused.says(&["the native code of Fast.Nif cannot be run", "--stub Fast.Nif=FILE.ex"]);
    let run = tracer(&folder, ["test", "--keep", "all", "--stub", "Fast.Nif=test/stub.ex"]).expect(0);
    run.prints(&["1 test, 0 failures"]);
    let run = tracer(&folder, ["test", "--stub", "Slow.Nif=test/stub.ex"]).expect(1);
    run.says(&["test/stub.ex is to define the module Slow.Nif"]);
}

#[test]
fn what_mix_has_compiled_is_taken_over() {
    if !is_there() || !steady::has("mix") {
        return;
    }
    let folder = account();
    let mix = Command::new("mix")
        .arg("compile")
        .env("MIX_ENV", "test")
        .current_dir(folder.path())
        .output();
    assert!(mix.expect("it is installed").status.success());
    let out = tracer(&folder, ["test", "-k", "one after"]).expect(0).out();
    assert!(!out.contains("Compiling") && out.contains("0 failures"), "{out}");
    // What has changed is compiled again, and what cannot be used is compiled.
    std::fs::remove_dir_all(folder.path().join("_build/retell")).expect("it was made");
    let text = std::fs::read_to_string(folder.path().join("lib/account.ex")).expect("it is there");
    folder.write("lib/account.ex", format!("{text}\n# changed\n"));
    let out = tracer(&folder, ["test", "-k", "one after"]).expect(0).out();
    assert!(
        out.contains("Compiling 1 file (.ex)") && out.contains("0 failures"),
        "{out}"
    );
}

#[test]
fn a_race_in_a_project_of_mix_is_hunted_and_its_run_is_made_again() {
    if !is_there() {
        return;
    }
    let folder = account();
    let hunt = tracer(&folder, ["hunt", "-k", "at the same time", "--seed", "1"]).expect(1);
    let said = hunt.stderr;
    assert!(
        said.contains("test deposits at the same time (AccountTest) failed"),
        "{said}"
    );
    assert!(!folder.path().join("_build/test").exists());
    let again = said
        .lines()
        .find_map(|line| line.trim().strip_prefix("again:"))
        .expect("it is said");
    assert!(
        again.contains("tracer test --seed 1 --schedule from-test:1:switches:"),
        "{again}"
    );
    let args = [
        "test",
        "--seed",
        "1",
        "--schedule",
        "from-test:1:switches:",
        "-k",
        "at the same time",
        "mix.exs",
    ];
    let out = tracer(&folder, args).expect(1).out();
    assert!(
        out.contains("Randomized with seed 1\n") && out.contains("left:  120"),
        "{out}"
    );
}

/// What `replay` shows of the project's trace, and the expressions that it takes.
fn is_shown_in_elixirs_terms(folder: &Folder, why: &str, trace: &str) {
    let line = "line:account.ex:22";
    let state = folder
        .replay(["--until", line, "--when", "before == 100 and amount in [10, 20]", trace])
        .expect(0)
        .out();
    for part in [
        "in Account.deposit/1, lib/account.ex:22\n",
        "> 22 |     GenServer.cast(__MODULE__, {:set, before + amount})",
        "before = 100\n",
        "/0 in AccountTest.\"test deposits at the same time\"/1>, []]",
        "called from :proc_lib.init_p_do_apply/3",
    ] {
        assert!(state.contains(part), "{part} in {state}");
    }
    let rest = why.split("had received the cast {:set, 120}").nth(1);
    let receive = rest.and_then(|rest| rest.split(['[', ']', ',']).find(|word| word.starts_with("rec:")));
    let state = folder
        .replay(["--until", receive.expect("it is told"), trace])
        .expect(0)
        .out();
    for part in [
        "State          = %Account{balance: 110, deposits: 1}",
        "Msg            = {:\"$gen_cast\", {:set, 120}}",
        "registered as: Account\n",
    ] {
        assert!(state.contains(part), "{part} in {state}");
    }
    let as_erlang = folder
        .replay(["--terms", "erlang", "--until", line, trace])
        .expect(0)
        .out();
    for part in [
        "in Elixir.Account:deposit/1, ",
        "_before@1 = 100\n",
        "'Elixir.Task.Supervised'",
    ] {
        assert!(as_erlang.contains(part), "{part} in {as_erlang}");
    }
    for (condition, says) in [
        ("before = 1", "expected a comparison: `==`, found `=` (at character 8)"),
        (
            "befor > 1",
            "`befor` is not a variable of the program: its variables are",
        ),
        ("frob(before)", "found `frob/1` (at character 1)"),
    ] {
        folder
            .replay(["--until", line, "--when", condition, trace])
            .expect(2)
            .says(&[says]);
    }
    let typed =
        format!("until {line}\nprint {{before, amount}}\nprint before + \"x\"\nprint Map.get(%{{a: nil}}, :a)\nquit\n");
    let debug = BinaryRun::new("replay", folder.path(), ["debug", trace]).input(typed);
    let said = debug.run();
    let said = format!("{}{}", said.out(), said.stderr);
    for part in [
        "{100, 10}\n",
        "raises ** (ArithmeticError) bad argument in arithmetic expression",
        "nil\n",
    ] {
        assert!(said.contains(part), "{part} in {said}");
    }
}

#[test]
fn captured_terms_are_what_the_installed_elixir_prints() {
    let version = Command::new("elixir").arg("--version").output();
    let is_same = version.is_ok_and(|version| String::from_utf8_lossy(&version.stdout).contains("Elixir 1.14.0"));
    if !is_there() || !is_same {
        return;
    }
    let folder = Folder::new("inspect-oracle");
    let captured = folder.path().join("captured.etf");
    let script = root().join("tests/oracle/inspect.exs");
    let run = Command::new("elixir")
        .arg(script)
        .args(["7", "1500"])
        .arg(&captured)
        .output()
        .expect("it is there");
    assert!(run.status.success(), "{run:?}");
    let kept = std::fs::read(root().join("tests/oracle/inspect.etf")).expect("it is there");
    assert!(
        std::fs::read(captured).expect("it was written") == kept,
        "tests/oracle/inspect.etf is not what Elixir prints"
    );
}

#[test]
fn tests_of_a_project_of_mix_run_and_their_failure_is_explained() {
    if !is_there() {
        return;
    }
    let folder = account();
    let run = tracer(&folder, ["test"]).expect(1);
    let out = run.out();
    for part in [
        "Compiling 1 file (.ex)\nGenerated account_ex app\n",
        "1) test deposits at the same time (AccountTest)\n     test/account_test.exs:19\n     Assertion with == failed\n     code:  assert Account.balance() == 130\n     left:  120\n     right: 130\n     stacktrace:\n       test/account_test.exs:24: (test)\n",
        "\n1 doctest, 4 tests, 1 failure, 1 skipped\n",
    ] {
        assert!(out.contains(part), "{part} in {out}");
    }
    let name = "test:AccountTest:test deposits at the same time";
    run.says(&[
        "test deposits at the same time (AccountTest) failed; next: replay why",
        "1 failed",
    ]);
    // Its own: the run of all tests has left none.
    let trace = only_trace(&folder);
    assert!(trace.contains("AccountTest_test_deposits_at_the_same_time-"), "{trace}");
    let why = BinaryRun::new("replay", folder.path(), ["why", name, &trace]).env("PATH", "");
    let why = why.run().expect(0).out();
    let short = folder.replay(["why", &trace]).expect(0).out();
    assert!(short.contains("failed at account_test.exs:24"), "{short}");
    for part in [
        "failed at account_test.exs:24",
        "assert Account.balance() == 130",
        "wrote 120 over 110 to balance in State [",
        "had written in between [",
        ": left: 120, right: 130 (Assertion w",
        "replay --until 'test:AccountTest:test deposits at the same time' ",
    ] {
        assert!(in_one_line(&why).contains(part), "{part} in {why}");
    }
    is_shown_in_elixirs_terms(&folder, &why, &trace);
    folder.replay(["verify", &trace]).expect(0);
    // What is compiled is compiled once, and the folder of `mix test` is not touched.
    let again = tracer(
        &folder,
        ["test", "-k", "one after", "-k", "closed", "--junit", "tests.xml"],
    )
    .expect(0);
    let out = again.out();
    assert!(
        !out.contains("Compiling") && out.contains("1 doctest, 4 tests, 0 failures, 2 excluded, 1 skipped"),
        "{out}"
    );
    let report = std::fs::read_to_string(folder.path().join("tests.xml")).expect("it was written");
    assert!(
        report.contains("name=\"test deposits one after the other\" classname=\"AccountTest\""),
        "{report}"
    );
    assert!(!folder.path().join("_build/test").exists());
    let line = tracer(&folder, ["test", "--keep", "none", "test/account_test.exs:12"])
        .expect(0)
        .out();
    assert!(line.contains("1 doctest, 4 tests, 0 failures, 4 excluded"), "{line}");
    is_checked(&folder, &trace);
    folder.write("lib/account.ex", "defmodule Account do\n  def f(, do: 1\nend\n");
    tracer(&folder, ["test"])
        .expect(64)
        .prints(&["SyntaxError", "lib/account.ex:3:1"]);
    let check = BinaryRun::new("replay", folder.path(), ["check", trace.as_str()]);
    let check = check.env("TRACER_OTP", "/usr/lib/erlang").run();
    check
        .expect(125)
        .says(&["the project does not compile", "lib/account.ex:3:1"]);
}

/// The failure is told apart from its mend, in Elixir's terms; nothing stays behind.
fn is_checked(folder: &Folder, trace: &str) {
    let failure = "failed at test/account_test.exs:24: ** (ExUnit.AssertionError) Assertion with == failed, left: 120, right: 130";
    let check = |exit| {
        let check = BinaryRun::new("replay", folder.path(), ["check", trace, "--width", "300"]);
        check.env("TRACER_OTP", "/usr/lib/erlang").run().expect(exit).out()
    };
    let out = check(1);
    assert!(out.contains("still fails") && out.contains(failure), "{out}");
    assert!(out.contains("the program is unchanged"), "{out}");
    let text = std::fs::read_to_string(root().join("fixtures/account_ex/lib/account.ex")).expect("it is there");
    let mended = text
        .replace("before = balance()", "")
        .replace("{:set, before + amount}", "{:add, amount}")
        .replace("{:set, balance}", "{:add, amount}")
        .replace(
            "account | balance: balance",
            "account | balance: account.balance + amount",
        );
    folder.write("lib/account.ex", mended);
    let out = check(0);
    assert!(
        out.starts_with("fixed\n") && out.contains("changed: lib/account.ex;"),
        "{out}"
    );
    let left = std::fs::read_dir(folder.path().join("_build")).expect("it is there");
    let left: Vec<_> = left.map(|entry| entry.expect("it is there").file_name()).collect();
    assert_eq!(left, ["retell"]);
    let elsewhere = folder.path().join("lib");
    let run = BinaryRun::new("replay", &elsewhere, ["check", trace]);
    run.run()
        .expect(128)
        .says(&["the project is not here: expected mix.exs"]);
}

/// A script is read anew, and what else it asks for stays as it was.
#[test]
fn a_script_is_checked_with_what_it_holds_now() {
    if !is_there() {
        return;
    }
    let folder = Folder::new("checked-script");
    let script = |seen: &str| {
        format!(
            "parent = self()\nspawn(fn -> send(parent, :first) end)\nspawn(fn -> send(parent, :second) end)\n\
             seen = receive do message -> message end\nif seen {seen}, do: raise(\"seen too early\")\n"
        )
    };
    folder.write("order.exs", script("== :first"));
    tracer(&folder, ["run", "-o", "t", "order.exs"]).expect(1);
    let check = |args: &[&str], exit| folder.replay([&["check", "t"], args].concat()).expect(exit).out();
    let out = check(&[], 1);
    assert!(
        out.contains("still fails") && out.contains("the program is unchanged"),
        "{out}"
    );
    folder.write("order.exs", script("== :third"));
    let out = check(&[], 0);
    assert!(
        out.starts_with("fixed\n") && out.contains("changed: order.exs;"),
        "{out}"
    );
    // Another file may stand for it.
    folder.write("other.exs", script("in [:first, :second]"));
    let out = check(&["--program", "other.exs"], 1);
    assert!(
        out.contains("still fails") && out.contains("changed: other.exs;"),
        "{out}"
    );
    let missing = folder.replay(["check", "t", "--program", "missing.exs"]).expect(128);
    missing.says(&["missing.exs"]);
}

/// Exceptions of the program compute their words; processes have the names of their tests, and what Logger does for its caller is no cause.
#[test]
fn an_exception_says_what_its_message_computes() {
    if !is_there() {
        return;
    }
    let folder = Folder::new("elixir-words");
    folder.write(
        "mix.exs",
        "defmodule Shop.MixProject do
  use Mix.Project
  def project, do: [app: :shop, version: \"0.1.0\", deps: []]
  def application, do: [extra_applications: [:logger]]
end
",
    );
    folder.write(
        "lib/shop.ex",
        "defmodule Shop.Error do
  defexception [:have, :want]
  def message(e), do: \"only #{e.have} left, #{e.want} wanted\"
end

defmodule Shop do
  use GenServer
  require Logger
  def start_link(n), do: GenServer.start_link(__MODULE__, n, name: __MODULE__)
  def take(n) do
    Logger.info(\"taking #{n}\")
    GenServer.call(__MODULE__, {:take, n})
  end
  @impl true
  def init(n), do: {:ok, n}
  @impl true
  def handle_call({:take, n}, _, have) when n > have, do: raise(Shop.Error, have: have, want: n)
  def handle_call({:take, n}, _, have), do: {:reply, :ok, have - n}
end
",
    );
    folder.write("test/test_helper.exs", "ExUnit.start()\n");
    folder.write(
        "test/shop_test.exs",
        "defmodule ShopTest do
  use ExUnit.Case
  setup do
    start_supervised!({Shop, 10})
    :ok
  end
  test \"takes too much\" do
    assert Shop.take(4) == :ok
    assert Shop.take(7) == :ok
  end
end
",
    );
    tracer(&folder, ["test", "--seed", "1"]).expect(1);
    let why = in_one_line(&folder.replay(["why", "latest"]).expect(0).out());
    for part in [
        "error: test takes too much (ShopTest) failed at shop_test.exs:9",
        "it ends: ** (Shop.Error) only 6 left, 7 wanted",
        " test takes too much received ",
        " actions are causes of the program's own, in ",
        " more in Elixir, mix, ExUnit, Logger",
    ] {
        assert!(why.contains(part), "{part} in {why}");
    }
    for noise in [
        "__ex_unit",
        "persistent term {:logger",
        "counter(",
        "module String.Chars",
        "OnExitHandler",
    ] {
        assert!(!why.contains(noise), "{noise} in {why}");
    }
}

#[test]
fn a_file_of_elixir_is_explored_from_a_trace() {
    let folder = Folder::new("elixir-explored");
    folder.write("race.exs", "IO.puts(1)\n");
    let refused = folder.replay(["explore", "race.exs"]).expect(2);
    refused.says(&["tracer run -o t.trace race.exs", "replay explore t.trace"]);
}

/// A name that is only in a comment is none.
#[test]
fn a_test_starts_its_own_node() {
    if !is_there() {
        return;
    }
    let folder = Folder::new("elixir-node");
    begin_project(&folder, "Alive");
    folder.write(
        "test/alive_test.exs",
        "defmodule AliveTest do
  use ExUnit.Case
  test \"starts its own node\" do
    assert {:ok, _} = :net_kernel.start([:primary, :shortnames])
    assert Node.alive?()
    assert \"primary@\" <> _ = Atom.to_string(node())
  end
end
",
    );
    let run = tracer(&folder, ["test"]).expect(0);
    assert!(run.stderr.contains("it is primary@"), "{}", run.stderr);
    let hunt = tracer(&folder, ["hunt", "-k", "starts its own node", "--runs", "3"]).expect(0);
    assert!(hunt.stderr.contains("none failed"), "{}", hunt.stderr);
}

/// As a helper of tests uses `:erlang.trace_pattern/3`: on a module of the project, and on the module of the test itself.
#[test]
fn calls_of_functions_of_a_project_are_traced() {
    if !is_there() {
        return;
    }
    let folder = Folder::new("elixir-traced");
    folder.write(
        "mix.exs",
        "defmodule Traced.MixProject do
  use Mix.Project
  def project, do: [app: :traced, version: \"0.1.0\", deps: []]
end
",
    );
    folder.write(
        "lib/traced.ex",
        "defmodule Traced do
  use GenServer
  def start_link(n), do: GenServer.start_link(__MODULE__, n)
  def work(x), do: helper(x) + 1
  defp helper(x), do: x * 10
  @impl true
  def init(n), do: {:ok, n}
  @impl true
  def handle_call({:work, x}, _, n), do: {:reply, work(x), n + 1}
end
",
    );
    folder.write("test/test_helper.exs", "ExUnit.start()\n");
    folder.write(
        "test/traced_test.exs",
        "defmodule TracedTest do
  use ExUnit.Case
  def work(x), do: x + 1
  test \"a server's calls are told\" do
    {:ok, pid} = Traced.start_link(0)
    assert 1 == :erlang.trace_pattern({Traced, :work, 1}, [{:_, [], [{:return_trace}]}], [:local])
    assert 1 == :erlang.trace_pattern({Traced, :handle_call, 3}, true, [:local])
    :erlang.trace(pid, true, [:call])
    assert 41 == GenServer.call(pid, {:work, 4})
    assert_receive {:trace, ^pid, :call, {Traced, :handle_call, [{:work, 4}, _, 0]}}
    assert_receive {:trace, ^pid, :call, {Traced, :work, [4]}}
    assert_receive {:trace, ^pid, :return_from, {Traced, :work, 1}, 41}
  end
  test \"a call of the program's own function is traced\" do
    assert 1 == :erlang.trace_pattern({__MODULE__, :work, 1}, [])
    :erlang.trace(self(), true, [:call])
    assert 2 == __MODULE__.work(1)
  end
end
",
    );
    tracer(&folder, ["test", "--keep", "all"])
        .expect(0)
        .says(&["all 2 tests passed"]);
    folder.replay(["verify", "latest"]).expect(0);
}

/// Deadlines of tests were made for OTP's machine. Their clock is simulated, and mix does not set back the times of files that are newer than it.
#[test]
fn tests_of_mix_have_a_simulated_clock() {
    if !is_there() {
        return;
    }
    let folder = Folder::new("tests_of_mix_have_a_simulated_clock");
    begin_project(&folder, "Clock");
    folder.write(
        "test/clock_test.exs",
        "defmodule ClockTest do
  use ExUnit.Case

  @tag timeout: :infinity
  test \"an hour\" do
    task = Task.async(fn -> Process.sleep(3_600_000) end)
    assert Task.await(task, 3_601_000) == :ok
    assert DateTime.utc_now().year == 2020
  end

  test \"a deadline\" do
    me = self()
    spawn(fn -> send(me, Enum.sum(1..20_000)) end)
    assert_receive 200_010_000, 5
  end
end
",
    );
    let made = || {
        std::fs::metadata(folder.path().join("mix.exs"))
            .and_then(|meta| meta.modified())
            .expect("a time")
    };
    let before = made();
    let says = tracer(&folder, ["test"]).expect(0).stderr;
    assert!(says.contains("all 2 tests passed"), "{says}");
    assert_eq!(made(), before);
    // The real clock, for who wants it.
    folder.write(
        "test/clock_test.exs",
        "defmodule ClockTest do
  use ExUnit.Case
  test \"now\", do: assert DateTime.utc_now().year > 2025
end
",
    );
    tracer(&folder, ["test", "--keep", "none"]).expect(1);
    tracer(&folder, ["test", "--keep", "none", "--real-time"]).expect(0);
}
