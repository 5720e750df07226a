//! Programs in Elixir: an installed Elixir's own compiler runs in the interpreter. These tests run where Elixir is installed.

use std::process::Command;

use tests::{Folder, Outcome, Run, root};

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
fn tracer<'a>(folder: &Folder, args: impl IntoIterator<Item = &'a str>) -> Outcome {
    Run::new("tracer", folder.path(), args)
        .env("TRACER_OTP", "/usr/lib/erlang")
        .run()
}

fn is_there() -> bool {
    steady::has("elixirc") && steady::has_otp_25()
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
    let verify = Run::new("replay", folder.path(), ["verify", "t"]);
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
    for part in [
        "** (MatchError) no match of right hand side value: 120",
        ">    17 | 130 = Account.balance()",
        "after it had received the reply 120 (",
    ] {
        assert!(why.contains(part), "{part} in {why}");
    }
    let at = folder.replay(["t", "--until", "line:race.exs:17"]).expect(0).out();
    assert!(at.contains("race.exs:17"), "{at}");
    folder
        .replay(["t", "--until", "line:rice.exs:17"])
        .expect(67)
        .says(&["there is no file rice.exs in the program: expected one of race.exs"]);
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
    let run = Run::new("tracer", folder.path(), ["run", "a.exs"]);
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
    let debug = Run::new("replay", folder.path(), ["debug", trace]).input(typed);
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
        "AccountTest:test deposits at the same time failed; next: replay why",
        "1 failed",
    ]);
    let trace = folder.path().join("_traces");
    let trace = std::fs::read_dir(trace)
        .expect("it was kept")
        .next()
        .expect("one")
        .expect("an entry")
        .path();
    let trace = trace.display().to_string();
    let why = Run::new("replay", folder.path(), ["why", name, &trace]).env("PATH", "");
    let why = why.run().expect(0).out();
    for part in [
        "failed at account_test.exs:24",
        "assert Account.balance() == 130",
        "made balance in State 120",
        "had made it 110 in between",
        ": left: 120, right: 130 (Assertion w",
        "replay --until 'test:AccountTest:test deposits at the same time' ",
    ] {
        assert!(why.contains(part), "{part} in {why}");
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
    folder.write("lib/account.ex", "defmodule Account do\n  def f(, do: 1\nend\n");
    tracer(&folder, ["test"])
        .expect(64)
        .prints(&["SyntaxError", "lib/account.ex:3:1"]);
}
